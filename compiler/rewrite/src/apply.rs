//! The interpreter of pattern programs: the part that edits.

use tegula_ir::{
    Attr, FoldResult, InsertPoint, NewOp, OPERAND_SEGMENTS, OpId, RESULT_SEGMENTS, Type, ValueId,
};
use tegula_schema::{Inst, Reg};

use crate::link::{Code, Link, Pattern};
use crate::machine::{self, Flow, Registers};
use crate::{Bound, Rewriter};

/// What a conversion adds to the instructions.
pub(crate) trait Conversion {
    /// The converted values that stand for an original value.
    fn remap(&mut self, rw: &mut Rewriter<'_>, value: ValueId) -> Result<Vec<ValueId>, String>;
    /// What a type becomes.
    fn convert(&mut self, rw: &Rewriter<'_>, ty: Type) -> Result<Vec<Type>, String>;
    /// Converts the arguments of a region's blocks.
    fn convert_region(
        &mut self,
        rw: &mut Rewriter<'_>,
        op: OpId,
        index: usize,
    ) -> Result<(), String>;
    /// Replaces an op whose results may get values of other types, or another number of values.
    fn replace(
        &mut self,
        rw: &mut Rewriter<'_>,
        op: OpId,
        with: &[Vec<ValueId>],
    ) -> Result<(), String>;
}

/// What came of a pattern.
#[derive(Debug, PartialEq)]
pub(crate) enum Outcome {
    /// It does not apply.
    NoMatch,
    /// It applied and edited.
    Rewritten,
    /// It is a fold and applies.
    Folded(Vec<FoldResult>),
}

/// Tries a pattern on an op.
///
/// An error means that the pattern's program is wrong: something failed after the commit.
pub(crate) fn try_pattern(
    rw: &mut Rewriter<'_>,
    pattern: &Pattern,
    root: OpId,
    registers: &mut Registers,
    mut conversion: Option<&mut dyn Conversion>,
) -> Result<Outcome, String> {
    if let [Inst::Rewrite { .. }] = pattern.code.insts.as_ref() {
        let Some(Link::Rewrite(hook)) = pattern.code.links.first() else {
            return Ok(Outcome::NoMatch);
        };
        rw.set_insertion_point(InsertPoint::Before(root));
        return Ok(if hook(rw, root) { Outcome::Rewritten } else { Outcome::NoMatch });
    }
    let code = &pattern.code;
    let Some(start) = machine::run(rw.registry, rw.body, code, Bound::Op(root), registers) else {
        return Ok(Outcome::NoMatch);
    };
    rw.set_insertion_point(InsertPoint::Before(root));
    for pc in start..code.insts.len() {
        match machine::step(rw.registry, rw.body, code, pc, registers) {
            Flow::Next => {}
            Flow::Edit => {
                if let Inst::Fold { with } = &code.insts[pc] {
                    return fold_results(rw, with, registers).map(Outcome::Folded);
                }
                edit(rw, code, pc, registers, &mut conversion)?;
            }
            Flow::Fail | Flow::Goto(_) | Flow::Choice(_) | Flow::Cut(_) | Flow::Commit => {
                return Err(format!("instruction {pc} failed after the match had committed"));
            }
        }
    }
    Ok(Outcome::Rewritten)
}

/// Runs a fold, which edits nothing.
pub(crate) fn try_fold(
    registry: &tegula_ir::Registry,
    body: &tegula_ir::Body,
    pattern: &Pattern,
    root: OpId,
    registers: &mut Registers,
) -> Option<Vec<FoldResult>> {
    let code = &pattern.code;
    let start = machine::run(registry, body, code, Bound::Op(root), registers)?;
    for pc in start..code.insts.len() {
        match (machine::step(registry, body, code, pc, registers), &code.insts[pc]) {
            (Flow::Next, _) => {}
            (Flow::Edit, Inst::Fold { with }) => {
                return fold_of(body, with, registers);
            }
            _ => return None,
        }
    }
    None
}

fn fold_of(body: &tegula_ir::Body, with: &[Reg], registers: &Registers) -> Option<Vec<FoldResult>> {
    let mut out = Vec::new();
    for &reg in with {
        match registers.get(reg) {
            Bound::Attr(attr) => out.push(FoldResult::Attr(*attr)),
            bound => {
                let values = machine::values_of(body, bound);
                if values.is_empty() {
                    return None;
                }
                out.extend(values.into_iter().map(FoldResult::Value));
            }
        }
    }
    Some(out)
}

fn fold_results(
    rw: &Rewriter<'_>,
    with: &[Reg],
    registers: &Registers,
) -> Result<Vec<FoldResult>, String> {
    fold_of(rw.body, with, registers)
        .ok_or_else(|| "a fold names neither a value nor an attribute".to_owned())
}

fn edit(
    rw: &mut Rewriter<'_>,
    code: &Code,
    pc: usize,
    r: &mut Registers,
    conversion: &mut Option<&mut dyn Conversion>,
) -> Result<(), String> {
    let op_in = |r: &Registers, reg: Reg| {
        r.get(reg).op().ok_or_else(|| format!("instruction {pc} edits something that is no op"))
    };
    let outside = || format!("instruction {pc} stands only in conversions");
    match &code.insts[pc] {
        Inst::Remap { from, into } => {
            let conversion = conversion.as_mut().ok_or_else(outside)?;
            let from = r.get(*from).clone();
            let mut values = Vec::new();
            for value in machine::values_of(rw.body, &from) {
                values.extend(conversion.remap(rw, value)?);
            }
            let bound = match (&from, values.as_slice()) {
                (Bound::Absent, _) => Bound::Absent,
                (Bound::Value(_) | Bound::Op(_), [one]) => Bound::Value(*one),
                _ => Bound::Values(values),
            };
            r.set(*into, bound);
        }
        Inst::ConvertType { from, into } => {
            let conversion = conversion.as_mut().ok_or_else(outside)?;
            let from = r.get(*from).clone();
            let mut types = Vec::new();
            for &ty in from.types() {
                types.extend(conversion.convert(rw, ty)?);
            }
            let bound = match (&from, types.as_slice()) {
                (Bound::Type(_), [one]) => Bound::Type(*one),
                _ => Bound::Types(types),
            };
            r.set(*into, bound);
        }
        inst @ Inst::Create { into, .. } => {
            let Some(new) = new_op(rw, inst, &code.links[pc], r) else {
                return Err(format!("instruction {pc} lacks something to make its op of"));
            };
            let op = rw.create(new);
            r.set(*into, Bound::Op(op));
        }
        Inst::TakeRegion { from, from_index, to, to_index } => {
            let (from, to) = (op_in(r, *from)?, op_in(r, *to)?);
            let regions = (
                rw.body.region(from, usize::from(*from_index)),
                rw.body.region(to, usize::from(*to_index)),
            );
            let (Some(from), Some(to)) = regions else {
                return Err(format!("instruction {pc} moves a region that does not exist"));
            };
            rw.take_region(from, to);
        }
        Inst::ConvertRegion { op, index } => {
            let op = op_in(r, *op)?;
            conversion.as_mut().ok_or_else(outside)?.convert_region(rw, op, usize::from(*index))?;
        }
        Inst::Build { args, into, .. } => {
            let Link::Build(hook) = &code.links[pc] else { return Err(outside()) };
            let bound = hook(rw, &r.all(args));
            r.set(*into, bound);
        }
        Inst::SetAttr { op, name, value } => {
            let op = op_in(r, *op)?;
            match r.get(*value) {
                Bound::Attr(attr) => rw.set_attr(op, name, *attr),
                Bound::Type(ty) => rw.set_attr(op, name, Attr::ty(*ty)),
                Bound::Absent => {
                    rw.remove_attr(op, name);
                }
                _ => return Err(format!("instruction {pc} sets what is no attribute")),
            }
        }
        Inst::SetOperand { op, segment, value } => {
            let op = op_in(r, *op)?;
            let sizes = || rw.body.attr(op, OPERAND_SEGMENTS);
            let range = machine::range(rw.body.num_operands(op), *segment, sizes);
            let values = machine::values_of(rw.body, r.get(*value));
            match range {
                Some(range) if range.len() == values.len() => {
                    for (index, value) in range.zip(values) {
                        rw.set_operand(op, index, value);
                    }
                }
                _ => return Err(format!("instruction {pc} sets another number of operands")),
            }
        }
        Inst::Replace { op, with } => {
            let op = op_in(r, *op)?;
            if let Some(conversion) = conversion {
                let parts: Vec<Vec<ValueId>> =
                    with.iter().map(|&reg| machine::values_of(rw.body, r.get(reg))).collect();
                let results = rw.body.num_results(op);
                // One register a result, or all results in one register.
                let parts = if parts.len() == results {
                    parts
                } else {
                    parts.into_iter().flatten().map(|value| vec![value]).collect()
                };
                if parts.len() != results {
                    return Err(format!("instruction {pc} replaces another number of results"));
                }
                conversion.replace(rw, op, &parts)?;
            } else {
                let values: Vec<ValueId> =
                    with.iter().flat_map(|&reg| machine::values_of(rw.body, r.get(reg))).collect();
                if values.len() != rw.body.num_results(op) {
                    return Err(format!("instruction {pc} replaces another number of results"));
                }
                let same = |(&value, result)| rw.body.ty(value) == rw.body.ty(result);
                if !values.iter().zip(rw.body.results(op)).all(same) {
                    return Err(format!(
                        "instruction {pc} replaces a result by one of another type"
                    ));
                }
                rw.replace(op, &values);
            }
        }
        Inst::Erase { op } => {
            let op = op_in(r, *op)?;
            if !rw.body.results_unused(op) {
                return Err(format!("instruction {pc} erases an op that is used"));
            }
            rw.erase(op);
        }
        _ => return Err(format!("instruction {pc} is out of place")),
    }
    Ok(())
}

fn new_op(rw: &Rewriter<'_>, inst: &Inst, link: &Link, r: &Registers) -> Option<NewOp> {
    let Inst::Create {
        operands,
        operand_segments,
        attrs,
        attr_dicts,
        results,
        result_segments,
        regions,
        ..
    } = inst
    else {
        return None;
    };
    let Link::Name(name) = link else { return None };
    let mut new = NewOp::new(*name).regions(usize::from(*regions));
    let mut sizes = Vec::new();
    for &reg in operands.iter() {
        let values = machine::values_of(rw.body, r.get(reg));
        sizes.push(i32::try_from(values.len()).ok()?);
        new = new.operands(values);
    }
    for &reg in attr_dicts.iter() {
        new = new.attrs(r.get(reg).attr()?);
    }
    for attr in attrs.iter() {
        match r.get(attr.reg) {
            Bound::Attr(value) => new = new.attr(&attr.name, *value),
            Bound::Type(ty) => new = new.attr(&attr.name, Attr::ty(*ty)),
            Bound::Absent => {}
            _ => return None,
        }
    }
    if *operand_segments {
        new = new.attr(OPERAND_SEGMENTS, Attr::i32_array(&sizes));
    }
    let mut sizes = Vec::new();
    for &reg in results.iter() {
        let types = r.get(reg).types();
        sizes.push(i32::try_from(types.len()).ok()?);
        new = new.results(types.iter().copied());
    }
    if *result_segments {
        new = new.attr(RESULT_SEGMENTS, Attr::i32_array(&sizes));
    }
    Some(new)
}
