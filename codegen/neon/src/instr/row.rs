//! One row: what the register allocator, the printer and the tests know of an instruction.

use rustc_hash::FxHashMap;
use tegula_ir::{Ident, OpName};
use tegula_schema::{Arity, Constraint, List, OpDef, Pred, TraitDef, ValueDef};

use super::template::{self, Part};

/// A file of registers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RegFile {
    /// x0–x30.
    Int,
    /// v0–v31.
    Float,
    /// The condition flags, which are not allocated.
    Flags,
}

impl RegFile {
    pub(crate) fn from_trait(name: &str) -> Option<RegFile> {
        match name {
            "IntRegister" => Some(RegFile::Int),
            "FloatRegister" => Some(RegFile::Float),
            "FlagsRegister" => Some(RegFile::Flags),
            _ => None,
        }
    }
}

/// An operand or result.
#[derive(Clone, Debug)]
pub struct RegSlot {
    /// Its name.
    pub name: Ident,
    /// Its file and the letter that a register of its type starts with; none for values of any
    /// type, which are block arguments.
    pub file: Option<(RegFile, char)>,
    /// Stands for any number of values.
    pub variadic: bool,
}

/// An attribute.
#[derive(Clone, Debug)]
pub(crate) struct ImmSlot {
    pub(crate) name: Ident,
    /// Its bounds when it is an immediate.
    pub(crate) range: Option<(i64, i64)>,
    /// It is a multiple of this.
    pub(crate) unit: i64,
}

/// What a placeholder of the text stands for, by position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Slot {
    Operand(usize),
    Result(usize),
    Attr(usize),
    Successor(usize),
}

/// What an instruction does to control.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Control {
    /// Falls through.
    None,
    /// Goes to one of its successors.
    Branch,
    /// Comes back.
    Call,
    /// Leaves the function.
    Return,
}

/// One instance as an assembler encodes it.
#[derive(Clone, Debug)]
pub struct Instance {
    /// The values of the attributes by name.
    pub immediates: Vec<(String, String)>,
    /// The bytes in memory order.
    pub bytes: Vec<u8>,
}

/// One instruction.
#[derive(Clone, Debug)]
pub struct InstrRow {
    /// The op's name.
    pub name: OpName,
    /// Operand groups in order.
    pub operands: Vec<RegSlot>,
    /// Result groups in order.
    pub results: Vec<RegSlot>,
    pub(crate) attrs: Vec<ImmSlot>,
    pub(crate) text: Vec<Part<Slot>>,
    /// Results that are written to the register of an operand: (result, operand).
    pub tied: Vec<(usize, usize)>,
    /// What it does to control.
    pub control: Control,
    /// The conditional branch that is taken when this one is not.
    pub inverse: Option<OpName>,
    /// The instance that tests hold the text against; none when there is no text.
    pub instance: Option<Instance>,
}

impl InstrRow {
    pub(crate) fn new(
        op: &OpDef,
        files: &FxHashMap<&'static str, (RegFile, char)>,
    ) -> Result<InstrRow, String> {
        let args = |name: &str| op.traits.iter().find(|t| t.name == name).map(trait_args);
        let reg = |group: &ValueDef| {
            Ok(RegSlot {
                name: Ident::of(&group.name),
                file: file_of(&group.constraint, files)?,
                variadic: group.arity != Arity::One,
            })
        };
        let operands: Vec<RegSlot> = op.operands.iter().map(reg).collect::<Result<_, String>>()?;
        let results: Vec<RegSlot> = op.results.iter().map(reg).collect::<Result<_, String>>()?;
        let mut attrs: Vec<ImmSlot> = op
            .attrs
            .iter()
            .map(|a| ImmSlot {
                name: Ident::of(&a.name),
                range: range_of(&a.constraint.pred),
                unit: 1,
            })
            .collect();
        let mut tied = Vec::new();
        for t in op.traits.iter() {
            match (t.name.as_ref(), trait_args(t).as_slice()) {
                ("MultipleOf", [name, unit]) => {
                    let slot = attrs.iter_mut().find(|a| a.name.as_str() == *name);
                    match (slot, unit.parse()) {
                        (Some(slot), Ok(unit)) if unit > 0 => slot.unit = unit,
                        _ => {
                            return Err(format!("`MultipleOf<{name}, {unit}>` names no attribute"));
                        }
                    }
                }
                ("TiedTo", [result, operand]) => {
                    let result = results.iter().position(|r| r.name.as_str() == *result);
                    let operand = operands.iter().position(|o| o.name.as_str() == *operand);
                    tied.push(result.zip(operand).ok_or("`TiedTo` names no result and operand")?);
                }
                _ => {}
            }
        }
        let text = args("AsmText").and_then(|a| a.first().copied()).unwrap_or_default();
        let text = template::parse(text, |name| {
            let by_name = |slots: &[RegSlot]| slots.iter().position(|s| s.name.as_str() == name);
            by_name(&operands)
                .map(Slot::Operand)
                .or_else(|| by_name(&results).map(Slot::Result))
                .or_else(|| attrs.iter().position(|a| a.name.as_str() == name).map(Slot::Attr))
                .or_else(|| op.successors.iter().position(|s| s.name == name).map(Slot::Successor))
        })?;
        let instance = match args("Encoding").as_deref() {
            Some([immediates, bytes]) if !bytes.is_empty() => {
                Some(Instance { immediates: pairs(immediates)?, bytes: hex(bytes)? })
            }
            _ => None,
        };
        let control = if op.has_trait("Branches") {
            Control::Branch
        } else if op.has_trait("Calls") {
            Control::Call
        } else if op.has_trait("Returns") {
            Control::Return
        } else {
            Control::None
        };
        let inverse = args("InverseOf")
            .and_then(|a| a.first().map(|name| OpName::of(&format!("neon.{name}"))));
        let name = OpName::of(&op.name);
        Ok(InstrRow { name, operands, results, attrs, text, tied, control, inverse, instance })
    }
}

fn trait_args(t: &TraitDef) -> Vec<&str> {
    let args: &List<_> = &t.args;
    args.iter().map(|a| a.as_ref()).collect()
}

/// The one register type that a constraint admits; none when it admits any type.
fn file_of(
    constraint: &Constraint,
    files: &FxHashMap<&'static str, (RegFile, char)>,
) -> Result<Option<(RegFile, char)>, String> {
    fn find(pred: &Pred) -> Option<&str> {
        match pred {
            Pred::TypeKind(name) => Some(name),
            Pred::TypeText(text) => Some(text.trim_start_matches('!')),
            Pred::And(all) => all.iter().find_map(find),
            _ => None,
        }
    }
    match find(&constraint.pred) {
        None => Ok(None),
        Some(name) => match files.get(name) {
            Some(&file) => Ok(Some(file)),
            None => Err(format!("`{name}` is not a register type")),
        },
    }
}

fn range_of(pred: &Pred) -> Option<(i64, i64)> {
    match pred {
        Pred::IntRange(low, high) => Some((*low, *high)),
        Pred::And(all) => {
            all.iter().filter_map(range_of).reduce(|a, b| (a.0.max(b.0), a.1.min(b.1)))
        }
        _ => None,
    }
}

fn pairs(text: &str) -> Result<Vec<(String, String)>, String> {
    text.split(';')
        .filter(|item| !item.is_empty())
        .map(|item| {
            let (name, value) =
                item.split_once('=').ok_or_else(|| format!("`{item}` is no `name=value`"))?;
            Ok((name.to_owned(), value.to_owned()))
        })
        .collect()
}

fn hex(text: &str) -> Result<Vec<u8>, String> {
    let digits: Option<Vec<u8>> =
        text.chars().map(|c| c.to_digit(16).and_then(|d| u8::try_from(d).ok())).collect();
    match digits {
        Some(digits) if digits.len() % 2 == 0 => {
            Ok(digits.chunks(2).map(|pair| pair[0] << 4 | pair[1]).collect())
        }
        _ => Err(format!("`{text}` are no bytes")),
    }
}
