//! The instructions of a function.

use rustc_hash::FxHashMap;
use tegula_dialect_vm::{Liveness, takes_ref};
use tegula_ir::{
    Attr, AttrData, BlockId, Body, DenseData, Names, OpId, RegionId, Registry, Type, ValueId,
    successor_operands,
};
use tegula_schema::{Arity, OpDef};

use crate::layout::{Field, Kind, Layout};
use crate::moves::in_order;
use crate::registers::{MOVE, NoRegister, REFERENCE, Registers, Room};
use crate::{NoFile, refuse};

/// The instruction that every block begins with.
const BLOCK: u8 = 0x79;
/// The highest bit of the number of what is called says that it is an import.
const IMPORT: u32 = 0x8000_0000;
/// A block may take less than this.
const MOST_OF_A_BLOCK: usize = 0x0100_0000;

/// What functions of a module share.
pub(crate) struct Shared<'a> {
    pub registry: &'a Registry,
    pub names: &'a Names,
    pub body: &'a Body,
    /// The members of the module.
    pub symbols: FxHashMap<&'static str, OpId>,
    /// The numbers of types.
    pub types: FxHashMap<Type, u32>,
}

/// A function as it stands in the file.
pub(crate) struct Code {
    pub bytes: Vec<u8>,
    /// The bits of what the machine has to know.
    pub features: u32,
    pub blocks: u16,
    pub numbers: u16,
    pub references: u16,
}

/// Makes the instructions of a function.
pub(crate) fn encode(shared: &Shared<'_>, func: OpId) -> Result<Code, NoFile> {
    let body = shared.body;
    let Some(region) = body.region(func, 0).filter(|&r| body.first_block(r).is_some()) else {
        return refuse(func, "no-code", "has no body");
    };
    let liveness = Liveness::of(body, region);
    let registers = match Registers::choose(body, region, &liveness) {
        Ok(registers) => registers,
        Err(NoRegister::Full) => {
            return refuse(func, "no-registers", "needs too many values at once");
        }
        Err(NoRegister::Type(ty)) => {
            let ty = tegula_ir::text::print_type(shared.registry, ty);
            return refuse(
                func,
                "no-register",
                format!("has a value of type {ty}, which no register holds"),
            );
        }
    };
    let mut writer = Writer {
        shared,
        liveness,
        registers,
        code: Code { bytes: Vec::new(), features: 0, blocks: 0, numbers: 0, references: 0 },
        starts: FxHashMap::default(),
        targets: Vec::new(),
        spare: [false; 2],
    };
    writer.region(func, region)?;
    Ok(writer.finish())
}

struct Writer<'a> {
    shared: &'a Shared<'a>,
    liveness: Liveness,
    registers: Registers,
    code: Code,
    /// Where blocks begin.
    starts: FxHashMap<BlockId, u32>,
    /// Where the beginnings of blocks are to be written.
    targets: Vec<(usize, BlockId)>,
    /// Whether a spare register is needed for numbers, and for references.
    spare: [bool; 2],
}

impl Writer<'_> {
    fn region(&mut self, func: OpId, region: RegionId) -> Result<(), NoFile> {
        let body = self.shared.body;
        for block in body.blocks(region) {
            let start = self.code.bytes.len();
            let too_many = "has more than 32767 blocks, or 2 GB of code";
            let Ok(at) = i32::try_from(start) else {
                return refuse(func, "too-much-code", too_many);
            };
            self.starts.insert(block, at.cast_unsigned());
            self.code.bytes.push(BLOCK);
            for op in body.block_ops(block) {
                self.op(op)?;
            }
            if self.code.bytes.len() - start >= MOST_OF_A_BLOCK {
                return refuse(func, "too-much-code", "has a block with 16 MB of code or more");
            }
            self.code.blocks += 1;
            if self.code.blocks > i16::MAX.cast_unsigned() {
                return refuse(func, "too-much-code", too_many);
            }
        }
        Ok(())
    }

    fn finish(mut self) -> Code {
        for &(at, block) in &self.targets {
            let start = self.starts.get(&block).copied().unwrap_or_default();
            self.code.bytes[at..at + 4].copy_from_slice(&start.to_le_bytes());
        }
        let [number, reference] = self.spare.map(u16::from);
        self.code.numbers = self.registers.count() + number;
        self.code.references = self.registers.count_references() + reference;
        self.code
    }

    fn op(&mut self, op: OpId) -> Result<(), NoFile> {
        let (registry, body) = (self.shared.registry, self.shared.body);
        let Some(info) = registry.op(body.name(op)) else {
            return refuse(op, "no-instruction", "is not defined");
        };
        let def = info.def();
        let Some(layout) = Layout::of(def) else {
            return refuse(op, "no-instruction", "has no instruction of the machine");
        };
        self.code.features |= layout.feature;
        self.code.bytes.extend(layout.prefix);
        self.code.bytes.push(layout.opcode);
        layout.fields.iter().try_for_each(|&field| self.field(op, def, field))
    }

    fn field(&mut self, op: OpId, def: &OpDef, field: Field<'_>) -> Result<(), NoFile> {
        let attr = self.shared.body.attr(op, field.of);
        match field.kind {
            Kind::Register => {
                let registers = self.group(op, def, field.of)?;
                registers.into_iter().for_each(|register| self.short(register));
                Ok(())
            }
            Kind::Registers => {
                let registers = self.group(op, def, field.of)?;
                self.short_list(op, &registers)
            }
            Kind::Type => self.type_number(op, self.one_type(op, def, field.of)?),
            Kind::Held => {
                let list = self.one_type(op, def, field.of)?;
                let held =
                    list.dialect_params("vm.list").and_then(|params| params.first()?.as_type());
                self.type_number(op, held.unwrap_or_else(|| Type::dialect("vm.opaque", &[])))
            }
            Kind::Symbol => self.symbol(op, attr),
            Kind::Number => match attr.and_then(number_bytes) {
                Some(bytes) => {
                    self.code.bytes.extend(bytes);
                    Ok(())
                }
                None => self.broken(op, field),
            },
            Kind::Numbers => match attr.and_then(shorts) {
                Some(numbers) => self.short_list(op, &numbers),
                None => self.broken(op, field),
            },
            Kind::Text => {
                let text = attr.and_then(Attr::as_str).unwrap_or_default();
                let text = self.shared.names.resolve(text);
                let Ok(length) = u16::try_from(text.len()) else {
                    return refuse(op, "long-text", "has a text of more than 65535 bytes");
                };
                self.short(length);
                self.code.bytes.extend(text.as_bytes());
                Ok(())
            }
            Kind::Branch => match self.successors(op, def, field.of).as_deref() {
                Some(&[(index, to)]) => self.branch(op, index, to),
                _ => self.broken(op, field),
            },
            Kind::Branches => {
                let successors = self.successors(op, def, field.of).unwrap_or_default();
                self.count(op, successors.len())?;
                successors.into_iter().try_for_each(|(index, to)| self.branch(op, index, to))
            }
            Kind::Target => match self.successors(op, def, field.of).as_deref() {
                Some(&[(_, to)]) => {
                    self.target(to);
                    Ok(())
                }
                _ => self.broken(op, field),
            },
            Kind::Arguments => match self.successors(op, def, field.of).as_deref() {
                Some(&[(_, to)]) => {
                    let arguments = self.shared.body.block_args(to).iter();
                    let registers: Vec<u16> =
                        arguments.filter_map(|&value| self.registers.of(value)).collect();
                    self.short_list(op, &registers)
                }
                _ => self.broken(op, field),
            },
        }
    }

    fn broken<T>(&self, op: OpId, field: Field<'_>) -> Result<T, NoFile> {
        let message = format!("has a `{}` that does not fit into its instruction", field.of);
        refuse(op, "broken-instruction", message)
    }

    //===-- Values --------------------------------------------------------------------------------

    /// The registers of an operand or result group.
    fn group(&self, op: OpId, def: &OpDef, name: &str) -> Result<Vec<u16>, NoFile> {
        let (registry, body) = (self.shared.registry, self.shared.body);
        let registers = match registry.operand_range(body, op, name) {
            Some(range) => range.map(|index| self.operand(op, index)).collect(),
            None => {
                let results = registry.results_of(body, op, name).into_iter();
                results.map(|value| self.registers.of(value)).collect::<Option<Vec<u16>>>()
            }
        };
        match registers.filter(|_| is_group(def, name)) {
            Some(registers) => Ok(registers),
            None => self.broken(op, Field { kind: Kind::Registers, of: name }),
        }
    }

    /// The register of an operand, marked where the op takes over the reference in it.
    fn operand(&self, op: OpId, index: usize) -> Option<u16> {
        let (registry, body) = (self.shared.registry, self.shared.body);
        let value = body.operand(op, index);
        let register = self.registers.of(value)?;
        let taken = register & REFERENCE != 0
            && takes_ref(registry, body, op, index)
            && self.liveness.is_last_use(body, op, index);
        Some(if taken { register | MOVE } else { register })
    }

    fn one_type(&self, op: OpId, def: &OpDef, name: &str) -> Result<Type, NoFile> {
        let (registry, body) = (self.shared.registry, self.shared.body);
        let value = registry.operand_of(body, op, name);
        let value = value.or_else(|| registry.results_of(body, op, name).first().copied());
        match value.filter(|_| is_group(def, name)) {
            Some(value) => Ok(body.ty(value)),
            None => self.broken(op, Field { kind: Kind::Type, of: name }),
        }
    }

    fn type_number(&mut self, op: OpId, ty: Type) -> Result<(), NoFile> {
        let Some(number) = self.shared.types.get(&object(ty)) else {
            let ty = tegula_ir::text::print_type(self.shared.registry, ty);
            return refuse(
                op,
                "unknown-type",
                format!("has the type {ty}, which has no number in the module"),
            );
        };
        self.code.bytes.extend(number.to_le_bytes());
        Ok(())
    }

    fn symbol(&mut self, op: OpId, attr: Option<Attr>) -> Result<(), NoFile> {
        let body = self.shared.body;
        let name = attr.and_then(Attr::as_symbol_root).map(|name| name.as_str());
        let Some(&member) = name.and_then(|name| self.shared.symbols.get(name)) else {
            return refuse(op, "unknown-symbol", "names what is not in the module");
        };
        let number = body.attr(member, "ordinal").and_then(Attr::as_int);
        let Some(number) = number.and_then(|number| u32::try_from(number).ok()) else {
            return refuse(member, "no-ordinal", "has no number");
        };
        let import = body.is(member, "vm.import");
        if !import && body.is(member, "vm.func") {
            self.check_call(op)?;
        }
        let number = number | if import { IMPORT } else { 0 };
        self.code.bytes.extend(number.to_le_bytes());
        Ok(())
    }

    /// The runtime hands functions of the module each argument as 32 bits.
    fn check_call(&self, op: OpId) -> Result<(), NoFile> {
        let body = self.shared.body;
        let arguments =
            body.successors(op).iter().flat_map(|&to| body.block_args(to).iter().copied());
        let mut values = body.operands(op).chain(body.results(op)).chain(arguments);
        if values.any(|value| Room::of(body.ty(value)) == Some(Room::Pair)) {
            let message =
                "passes 64-bit numbers, which the runtime does not between functions of a module";
            return refuse(op, "wide-call", message);
        }
        Ok(())
    }

    //===-- Control flow --------------------------------------------------------------------------

    /// The successors of a group and their numbers.
    fn successors(&self, op: OpId, def: &OpDef, name: &str) -> Option<Vec<(usize, BlockId)>> {
        let successors = self.shared.body.successors(op);
        let group = def.successors.iter().position(|s| s.name == name)?;
        let variadic = |at: &usize| def.successors[*at].arity == Arity::Variadic;
        let single = (0..def.successors.len()).filter(|at| !variadic(at)).count();
        let rest = successors.len().checked_sub(single)?;
        let size = |at: usize| if variadic(&at) { rest } else { 1 };
        let first: usize = (0..group).map(size).sum();
        let range = first..first + size(group);
        let blocks = successors.get(range.clone())?;
        Some(range.zip(blocks.iter().copied()).collect())
    }

    fn target(&mut self, to: BlockId) {
        self.targets.push((self.code.bytes.len(), to));
        self.code.bytes.extend([0; 4]);
    }

    fn branch(&mut self, op: OpId, index: usize, to: BlockId) -> Result<(), NoFile> {
        self.target(to);
        let copies = self.copies(op, index, to);
        let Some(copies) = copies else {
            let message = "does not pass what a block takes";
            return refuse(op, "broken-instruction", message);
        };
        self.align();
        self.count(op, copies.len())?;
        for (from, to) in copies {
            self.short(from);
            self.short(to);
        }
        Ok(())
    }

    /// The copies on the way to a block, in order.
    fn copies(&mut self, op: OpId, index: usize, to: BlockId) -> Option<Vec<(u16, u16)>> {
        let (registry, body) = (self.shared.registry, self.shared.body);
        let range = successor_operands(registry, body, op)?.into_iter().nth(index)?;
        let arguments = body.block_args(to);
        if range.len() != arguments.len() {
            return None;
        }
        let passed: Vec<ValueId> = range.map(|at| body.operand(op, at)).collect();
        let mut copies = Vec::new();
        for (&value, &argument) in passed.iter().zip(arguments) {
            let (from, to) = (self.registers.of(value)?, self.registers.of(argument)?);
            copies.push((from, to));
            if Room::of(body.ty(value)) == Some(Room::Pair) {
                copies.push((from + 1, to + 1));
            }
        }
        // What is not needed any more moves with the last copy, unless it is where it has to be.
        let gone = |register: u16| {
            let stays = copies.contains(&(register, register));
            let needed = passed.iter().any(|&value| {
                self.registers.of(value) == Some(register) && self.liveness.is_live_in(to, value)
            });
            register & REFERENCE != 0 && !stays && !needed
        };
        let mut ordered = in_order(&copies, |like| self.registers.spare(like));
        for spare in [0, REFERENCE].map(|like| self.registers.spare(like)) {
            let used = ordered.iter().any(|&(_, to)| to == spare);
            self.spare[usize::from(spare & REFERENCE != 0)] |= used;
        }
        let mut read = Vec::new();
        for copy in ordered.iter_mut().rev() {
            let from = copy.0;
            if !read.contains(&from) && gone(from) {
                copy.0 |= MOVE;
            }
            read.push(from);
        }
        Some(ordered)
    }

    //===-- Bytes ---------------------------------------------------------------------------------

    fn align(&mut self) {
        let length = self.code.bytes.len().next_multiple_of(2);
        self.code.bytes.resize(length, 0);
    }

    fn short(&mut self, number: u16) {
        self.code.bytes.extend(number.to_le_bytes());
    }

    fn count(&mut self, op: OpId, count: usize) -> Result<(), NoFile> {
        let Ok(count) = u16::try_from(count) else {
            return refuse(op, "long-list", "has more than 65535 values in a list");
        };
        self.short(count);
        Ok(())
    }

    fn short_list(&mut self, op: OpId, list: &[u16]) -> Result<(), NoFile> {
        self.align();
        self.count(op, list.len())?;
        list.iter().for_each(|&number| self.short(number));
        Ok(())
    }
}

/// Whether a group of that name is declared.
fn is_group(def: &OpDef, name: &str) -> bool {
    def.operand_index(name).is_some() || def.result_index(name).is_some()
}

/// What a reference refers to, which has the number; lists are themselves.
pub(crate) fn object(ty: Type) -> Type {
    match ty.dialect_params("vm.ref") {
        Some(params) => {
            let held = params.first().and_then(|held| held.as_type());
            held.unwrap_or_else(|| Type::dialect("vm.opaque", &[]))
        }
        None => ty,
    }
}

/// The bytes of a number.
fn number_bytes(attr: Attr) -> Option<Vec<u8>> {
    let (bits, ty) = match *attr.data() {
        AttrData::Integer { value, ty } => (value.cast_unsigned(), ty),
        AttrData::Float { bits, ty } => (bits, ty),
        _ => return None,
    };
    let width = ty.bit_width().filter(|width| width.is_multiple_of(8))?;
    bits.to_le_bytes().get(..usize::try_from(width / 8).ok()?).map(<[u8]>::to_vec)
}

/// The elements of 16-bit numbers.
fn shorts(attr: Attr) -> Option<Vec<u16>> {
    let AttrData::Dense { ty, data } = attr.data() else { return None };
    if ty.element()?.bit_width() != Some(16) {
        return None;
    }
    let count = usize::try_from(ty.num_elements()?).ok()?;
    let number = |pair: &[u8]| Some(u16::from_le_bytes(pair.try_into().ok()?));
    match data {
        DenseData::Splat(one) => Some(vec![number(one)?; count]),
        DenseData::Bytes(all) => all.chunks(2).map(number).collect(),
    }
}
