//! The interpreter of pattern programs: the part that edits.

use smallvec::{SmallVec, smallvec};
use tegula_ir::{
    Attr, Body, FoldResult, InsertPoint, NewOp, OPERAND_SEGMENTS, OpId, RESULT_SEGMENTS, Type,
    ValueId,
};
use tegula_schema::{Arity, CaseDef, Gather, Inst, Reg, Segment};

use crate::fold::{Folded, create_and_fold};
use crate::link::{Code, Link, Pattern};
use crate::lists::{self, Gathered};
use crate::machine::{self, Flow, Registers, Scope, Types, Values};
use crate::{Application, Bound, IrMapping, Patterns, Rewriter, why};

/// What a conversion adds to the instructions.
pub(crate) trait Conversion: Types {
    /// The converted values that stand for an original value.
    fn remap(&mut self, rw: &mut Rewriter<'_>, value: ValueId) -> Result<Values, String>;
    /// The values that a pattern has given for an original value, or else the converted ones.
    fn parts(&mut self, rw: &mut Rewriter<'_>, value: ValueId) -> Result<Values, String>;
    /// Converts the arguments of a region's blocks.
    fn convert_region(
        &mut self,
        rw: &mut Rewriter<'_>,
        op: OpId,
        index: usize,
    ) -> Result<(), String>;
    /// Replaces an op whose results may get values of other types, or another number of values.
    fn replace(&mut self, rw: &mut Rewriter<'_>, op: OpId, with: &[Values]) -> Result<(), String>;
    /// Lets values stand for an original value in all of its uses. What has to stand in between
    /// stands at `at`.
    fn stand_for(
        &mut self,
        rw: &mut Rewriter<'_>,
        value: ValueId,
        with: &[ValueId],
        at: InsertPoint,
    );
}

/// What the part of a program that edits works with.
pub(crate) struct Editing<'e> {
    pub(crate) patterns: &'e Patterns,
    pub(crate) registers: &'e mut Registers,
    pub(crate) conversion: Option<&'e mut dyn Conversion>,
    /// The folds that its `createOrFold` has applied.
    pub(crate) folds: Vec<Application>,
    /// The op that the driver works on: a pattern may end its life only as its root.
    pub(crate) anchor: Option<OpId>,
}

impl<'e> Editing<'e> {
    pub(crate) fn new(
        patterns: &'e Patterns,
        registers: &'e mut Registers,
        anchor: Option<OpId>,
    ) -> Editing<'e> {
        Editing { patterns, registers, conversion: None, folds: Vec::new(), anchor }
    }
}

/// What came of a pattern.
#[derive(Debug, PartialEq)]
pub(crate) enum Outcome {
    /// It does not apply.
    NoMatch,
    /// It applied and edited.
    Rewritten,
    /// It is a fold and applies.
    Folded(Folded),
}

/// Tries a pattern on an op.
///
/// An error means that the pattern's program is wrong: something failed after the commit.
pub(crate) fn try_pattern(
    rw: &mut Rewriter<'_>,
    pattern: &Pattern,
    root: OpId,
    with: &mut Editing<'_>,
) -> Result<Outcome, String> {
    if let [Inst::Rewrite { .. }] = pattern.code.insts.as_ref() {
        let Some(Link::Rewrite(hook)) = pattern.code.links.first() else {
            return Ok(Outcome::NoMatch);
        };
        rw.set_insertion_point(InsertPoint::Before(root));
        return Ok(if hook(rw, root) { Outcome::Rewritten } else { Outcome::NoMatch });
    }
    let code = &pattern.code;
    let may_match = pattern.first.may_match(rw.registry, rw.body, root);
    if !may_match && !cfg!(debug_assertions) {
        return Ok(Outcome::NoMatch);
    }
    let mut scope = Scope {
        registry: rw.registry,
        body: &*rw.body,
        types: with.conversion.as_deref_mut().map(|c| c as &mut dyn Types),
        failures: None,
    };
    let Some(start) = machine::run(&mut scope, code, Bound::Op(root), with.registers) else {
        return Ok(Outcome::NoMatch);
    };
    debug_assert!(may_match, "`{}` was told apart wrongly", pattern.name());
    rw.set_insertion_point(InsertPoint::Before(root));
    if let Some(Inst::Fold { with: results }) = code.insts.last() {
        return fold_results(rw, results, with.registers).map(Outcome::Folded);
    }
    perform(rw, code, start, with)?;
    Ok(Outcome::Rewritten)
}

/// Runs the rest of a program, which edits.
pub(crate) fn perform(
    rw: &mut Rewriter<'_>,
    code: &Code,
    start: usize,
    with: &mut Editing<'_>,
) -> Result<(), String> {
    for pc in start..code.insts.len() {
        match (&code.insts[pc], &code.links[pc]) {
            (Inst::Each { gather: Gather::Any | Gather::All | Gather::Keep, .. }, _) => {}
            (Inst::Each { .. }, Link::Blocks(blocks)) => {
                perform_each(rw, &code.insts[pc], blocks, with)
                    .ok_or_else(|| format!("the lists of {} do not fit", code.place(pc)))??;
                continue;
            }
            (Inst::Switch { cases, into }, Link::Blocks(blocks)) => {
                if !perform_switch(rw, cases, *into, blocks, with)? {
                    return Err(format!("no case of {} applies", code.place(pc)));
                }
                continue;
            }
            _ => {}
        }
        let mut scope = Scope {
            registry: rw.registry,
            body: &*rw.body,
            types: with.conversion.as_deref_mut().map(|c| c as &mut dyn Types),
            failures: None,
        };
        match machine::step(&mut scope, code, pc, with.registers) {
            Flow::Next => {}
            Flow::Edit => edit(rw, code, pc, with)?,
            Flow::Fail | Flow::Goto(_) | Flow::Choice(_) | Flow::Cut(_) | Flow::Commit => {
                let why = why::message(rw.registry, rw.body, &code.insts[pc], with.registers);
                let why = why.unwrap_or_else(|| "something is not there".to_owned());
                return Err(format!("{}: {why}", code.place(pc)));
            }
        }
    }
    Ok(())
}

/// A loop whose body edits. None when the lists do not fit each other.
fn perform_each(
    rw: &mut Rewriter<'_>,
    inst: &Inst,
    blocks: &[Code],
    with: &mut Editing<'_>,
) -> Option<Result<(), String>> {
    let Inst::Each { lists, items, gives, gather, into, .. } = inst else { return None };
    let body = blocks.first()?;
    let rounds = lists::rounds(rw.body, with.registers, lists)?;
    let mut out = Gathered::new(*gather, with.registers.get(*lists.first()?));
    for index in 0..rounds {
        lists::enter(rw.body, with.registers, lists, items, index)?;
        if let Err(error) = perform(rw, body, 0, with) {
            return Some(Err(error));
        }
        if *gather == Gather::Carry {
            let carried = with.registers.get(*gives).clone();
            with.registers.set(*into, carried);
        } else {
            out.add(rw.body, with.registers.get(*gives))?;
        }
    }
    if let Some(bound) = out.finish() {
        with.registers.set(*into, bound);
    }
    Some(Ok(()))
}

/// A switch whose cases edit; false when none applies.
fn perform_switch(
    rw: &mut Rewriter<'_>,
    cases: &[CaseDef],
    into: Reg,
    blocks: &[Code],
    with: &mut Editing<'_>,
) -> Result<bool, String> {
    for (case, code) in cases.iter().zip(blocks.chunks_exact(2)) {
        let [test, then] = code else { return Ok(false) };
        let mut scope = Scope {
            registry: rw.registry,
            body: &*rw.body,
            types: with.conversion.as_deref_mut().map(|c| c as &mut dyn Types),
            failures: None,
        };
        if machine::search(&mut scope, test, with.registers).is_none() {
            continue;
        }
        perform(rw, then, 0, with)?;
        if let Some(gives) = case.gives {
            let bound = with.registers.get(gives).clone();
            with.registers.set(into, bound);
        }
        return Ok(true);
    }
    Ok(false)
}

/// Runs a fold, which edits nothing.
pub(crate) fn try_fold(
    registry: &tegula_ir::Registry,
    body: &tegula_ir::Body,
    pattern: &Pattern,
    root: OpId,
    registers: &mut Registers,
) -> Option<Folded> {
    let code = &pattern.code;
    let may_match = pattern.first.may_match(registry, body, root);
    if !may_match && !cfg!(debug_assertions) {
        return None;
    }
    let mut scope = Scope::new(registry, body);
    let start = machine::run(&mut scope, code, Bound::Op(root), registers)?;
    debug_assert!(may_match, "`{}` was told apart wrongly", pattern.name());
    for pc in start..code.insts.len() {
        match (machine::step(&mut scope, code, pc, registers), &code.insts[pc]) {
            (Flow::Next, _) => {}
            (Flow::Edit, Inst::Fold { with }) => {
                return fold_of(body, with, registers);
            }
            _ => return None,
        }
    }
    None
}

fn fold_of(body: &tegula_ir::Body, with: &[Reg], registers: &Registers) -> Option<Folded> {
    let mut out = Folded::new();
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

fn fold_results(rw: &Rewriter<'_>, with: &[Reg], registers: &Registers) -> Result<Folded, String> {
    fold_of(rw.body, with, registers)
        .ok_or_else(|| "a fold names neither a value nor an attribute".to_owned())
}

fn edit(
    rw: &mut Rewriter<'_>,
    code: &Code,
    pc: usize,
    with: &mut Editing<'_>,
) -> Result<(), String> {
    let Editing { patterns, registers: r, conversion, folds, anchor } = with;
    let op_in = |body: &Body, r: &Registers, reg: Reg| match r.get(reg).op() {
        Some(op) if body.is_erased(op) => {
            Err(format!("{} edits an op that was replaced or erased before", code.place(pc)))
        }
        Some(op) => Ok(op),
        None => Err(format!("{} edits something that is no op", code.place(pc))),
    };
    // Whoever runs the pattern goes on with the op that it was asked to work on.
    let ending = |body: &Body, r: &Registers, reg: Reg| {
        let op = op_in(body, r, reg)?;
        let root = r.get(0).op() == Some(op);
        match anchor.filter(|&anchor| !root && body.is_ancestor(op, anchor)) {
            Some(_) => Err(format!(
                "{} replaces or erases `{}`, which the pass runs on or which is around that",
                code.place(pc),
                body.name(op)
            )),
            None => Ok(op),
        }
    };
    let outside = || format!("{} stands only in conversions", code.place(pc));
    if let Inst::Create { .. }
    | Inst::Dims { .. }
    | Inst::CloneOp { .. }
    | Inst::Build { .. }
    | Inst::Inline { .. } = &code.insts[pc]
        && let Some(InsertPoint::Before(at) | InsertPoint::After(at)) = rw.insertion_point()
        && rw.body.is_erased(at)
    {
        return Err(format!(
            "{} makes an op beside one that was replaced or erased",
            code.place(pc)
        ));
    }
    match &code.insts[pc] {
        Inst::Remap { from, into } => {
            let conversion = conversion.as_mut().ok_or_else(outside)?;
            let from = r.get(*from).clone();
            let mut values = Values::new();
            for value in machine::values_of(rw.body, &from) {
                values.extend(conversion.remap(rw, value)?);
            }
            let bound = match (&from, values.as_slice()) {
                (Bound::Absent, _) => Bound::Absent,
                (Bound::Value(_) | Bound::Op(_), [one]) => Bound::Value(*one),
                _ => Bound::Values(values.into_vec()),
            };
            r.set(*into, bound);
        }
        Inst::Parts { from, into } => {
            let conversion = conversion.as_mut().ok_or_else(outside)?;
            let from = machine::values_of(rw.body, r.get(*from));
            let mut values = Vec::new();
            for value in from {
                values.extend(conversion.parts(rw, value)?);
            }
            r.set(*into, Bound::Values(values));
        }
        inst @ Inst::Create { into, fold, .. } => {
            let new = new_op(rw, inst, &code.links[pc], r)
                .map_err(|why| format!("{} {why}", code.place(pc)))?;
            let bound = if *fold {
                let (values, fold) = create_and_fold(rw, patterns, new);
                folds.extend(fold);
                match values.as_slice() {
                    [one] => Bound::Value(*one),
                    values => Bound::Values(values.to_vec()),
                }
            } else {
                Bound::Op(rw.create(new))
            };
            r.set(*into, bound);
        }
        Inst::Dims { from, dynamic, into, .. } => {
            let Link::Name(constant) = &code.links[pc] else { return Err(outside()) };
            let sizes = r.get(*from).ty().and_then(Type::shape);
            let dynamic = machine::values_of(rw.body, r.get(*dynamic));
            let unfit = || format!("{} lacks the sizes of a shape", code.place(pc));
            let mut rest = dynamic.into_iter();
            let mut all = Vec::new();
            for &size in sizes.ok_or_else(unfit)? {
                all.push(if size == tegula_ir::DYNAMIC {
                    rest.next().ok_or_else(unfit)?
                } else {
                    let new = NewOp::new(*constant).attr("value", Attr::index(size));
                    rw.create_value(new.result(Type::index()))
                });
            }
            if rest.next().is_some() {
                return Err(unfit());
            }
            r.set(*into, Bound::Values(all));
        }
        Inst::Inline { op, index, args, into } => {
            let op = op_in(rw.body, r, *op)?;
            let results = inline(rw, r, op, (usize::from(*index), args), conversion)
                .map_err(|message| format!("{} {message}", code.place(pc)))?;
            r.set(*into, Bound::Values(results));
        }
        Inst::CloneOp { op, into } => {
            let op = op_in(rw.body, r, *op)?;
            let at = rw.insertion_point().unwrap_or(InsertPoint::Before(op));
            if place_of(rw.body, at).is_some_and(|place| rw.body.is_ancestor(op, place)) {
                return Err(format!("{} clones an op into itself", code.place(pc)));
            }
            let copy = rw.clone_op(op, at, &mut IrMapping::new());
            r.set(*into, Bound::Op(copy));
        }
        Inst::At { op, after } => {
            // Nothing need be made where an op is that is gone by now.
            let Some(op) = r.get(*op).op() else { return Err(outside()) };
            rw.set_insertion_point(if *after {
                InsertPoint::After(op)
            } else {
                InsertPoint::Before(op)
            });
        }
        Inst::Block { op, index, new } => {
            let op = op_in(rw.body, r, *op)?;
            let missing = || format!("{} makes ops in no block", code.place(pc));
            let region = rw.body.region(op, usize::from(*index)).ok_or_else(missing)?;
            let block = match new {
                true => rw.append_block(region, &[]),
                false => rw.body.blocks(region).last().ok_or_else(missing)?,
            };
            rw.set_insertion_point(InsertPoint::End(block));
        }
        Inst::Move { op, to, after } => {
            let (op, to) = (op_in(rw.body, r, *op)?, op_in(rw.body, r, *to)?);
            if rw.body.is_ancestor(op, to) {
                return Err(format!("{} moves an op beside itself or into itself", code.place(pc)));
            }
            rw.move_op(op, if *after { InsertPoint::After(to) } else { InsertPoint::Before(to) });
        }
        Inst::ReplaceUses { from, to, except } => {
            let except = except.map(|reg| op_in(rw.body, r, reg)).transpose()?;
            let from = machine::values_of(rw.body, r.get(*from));
            let to = machine::values_of(rw.body, r.get(*to));
            let fits = from.len() == to.len()
                && from.iter().zip(&to).all(|(&a, &b)| rw.body.ty(a) == rw.body.ty(b));
            if !fits {
                return Err(format!(
                    "{} lets values stand for others of another type",
                    code.place(pc)
                ));
            }
            for (from, to) in from.into_iter().zip(to) {
                rw.replace_uses_if(from, to, |body, slot| Some(body.use_owner(slot)) != except);
            }
        }
        Inst::SetType { value, ty } => {
            let (Some(value), Some(ty)) = (r.get(*value).value(), r.get(*ty).ty()) else {
                return Err(format!("{} lacks a value or a type", code.place(pc)));
            };
            rw.set_type(value, ty);
        }
        Inst::TakeRegion { from, from_index, to, to_index } => {
            let (from, to) = (op_in(rw.body, r, *from)?, op_in(rw.body, r, *to)?);
            let regions = (
                rw.body.region(from, usize::from(*from_index)),
                rw.body.region(to, usize::from(*to_index)),
            );
            let (Some(from), Some(to)) = regions else {
                return Err(format!("{} moves a region that does not exist", code.place(pc)));
            };
            let (old, new) = (rw.body.region_parent(from), rw.body.region_parent(to));
            if new.is_some_and(|new| old.is_some_and(|old| rw.body.is_ancestor(old, new))) {
                return Err(format!("{} moves a region into itself", code.place(pc)));
            }
            rw.take_region(from, to);
        }
        Inst::ConvertRegion { op, index } => {
            let op = op_in(rw.body, r, *op)?;
            conversion.as_mut().ok_or_else(outside)?.convert_region(rw, op, usize::from(*index))?;
        }
        Inst::Build { args, into, .. } => {
            let Link::Build(hook) = &code.links[pc] else { return Err(outside()) };
            let bound = hook(rw, &r.all(args));
            r.set(*into, bound);
        }
        Inst::SetAttr { op, name, value } => {
            let op = op_in(rw.body, r, *op)?;
            match r.get(*value) {
                Bound::Attr(attr) => rw.set_attr(op, name, *attr),
                Bound::Type(ty) => rw.set_attr(op, name, Attr::ty(*ty)),
                Bound::Absent => {
                    rw.remove_attr(op, name);
                }
                _ => return Err(format!("{} sets what is no attribute", code.place(pc))),
            }
        }
        Inst::SetOperand { op, segment, value } => {
            let op = op_in(rw.body, r, *op)?;
            let sizes = rw.body.attr(op, OPERAND_SEGMENTS);
            let range = machine::range(rw.body.num_operands(op), *segment, || sizes);
            let values = machine::values_of(rw.body, r.get(*value));
            let Some(range) = range else {
                return Err(format!("{} sets operands that do not exist", code.place(pc)));
            };
            if range.len() == values.len() {
                for (index, value) in range.zip(values) {
                    rw.set_operand(op, index, value);
                }
                return Ok(());
            }
            let new_sizes = match segment {
                Segment::Index(_) | Segment::FromEnd(_) | Segment::Even { .. } => {
                    return Err(format!("{} sets another number of operands", code.place(pc)));
                }
                Segment::Rest { .. } => None,
                Segment::Sized(group) => {
                    Some(resized(sizes, usize::from(*group), values.len()).ok_or_else(|| {
                        format!("{} changes a group of unknown size", code.place(pc))
                    })?)
                }
            };
            let mut all: Vec<ValueId> = rw.body.operands(op).collect();
            all.splice(range, values);
            rw.modify(op, |body| {
                body.set_operands(op, &all);
                if let Some(sizes) = new_sizes {
                    body.set_attr(op, OPERAND_SEGMENTS, sizes);
                }
            });
        }
        Inst::Replace { op, with: values } => {
            let op = ending(rw.body, r, *op)?;
            if let Some(conversion) = conversion {
                let results: Values = rw.body.results(op).collect();
                let given: usize =
                    values.iter().map(|&reg| machine::values_of(rw.body, r.get(reg)).len()).sum();
                let parts = remapped(rw, r, values, &results, &mut **conversion)?
                    .ok_or_else(|| unfit(code, pc, results.len(), given))?;
                conversion.replace(rw, op, &parts)?;
            } else {
                let values: Values = values
                    .iter()
                    .flat_map(|&reg| machine::values_of(rw.body, r.get(reg)))
                    .collect();
                let results = rw.body.num_results(op);
                if values.len() != results {
                    return Err(unfit(code, pc, results, values.len()));
                }
                if values.iter().any(|&value| rw.body.defining_op(value) == Some(op)) {
                    return Err(format!("{} replaces an op by itself", code.place(pc)));
                }
                let same = |(&value, result)| rw.body.ty(value) == rw.body.ty(result);
                if !values.iter().zip(rw.body.results(op)).all(same) {
                    return Err(format!(
                        "{} replaces a result by one of another type",
                        code.place(pc)
                    ));
                }
                rw.replace(op, &values);
            }
        }
        Inst::Erase { op } => {
            let op = ending(rw.body, r, *op)?;
            if !rw.body.results_unused(op) {
                return Err(format!("{} erases an op that is used", code.place(pc)));
            }
            rw.erase(op);
        }
        _ => return Err(format!("{} is out of place", code.place(pc))),
    }
    Ok(())
}

/// Says that as many values cannot replace as many results.
fn unfit(code: &Code, pc: usize, results: usize, values: usize) -> String {
    let s = |count| if count == 1 { "" } else { "s" };
    let (of, by) = (s(results), s(values));
    format!("{} replaces {results} result{of} by {values} value{by}", code.place(pc))
}

/// For each of some values the converted ones that stand for it: a register each, or values that
/// come one after the other, as many for each as its type becomes, or the same number.
fn remapped(
    rw: &mut Rewriter<'_>,
    r: &Registers,
    regs: &[Reg],
    of: &[ValueId],
    conversion: &mut dyn Conversion,
) -> Result<Option<Vec<Values>>, String> {
    let count = of.len();
    let mut originals: SmallVec<[Values; 2]> =
        regs.iter().map(|&reg| machine::values_of(rw.body, r.get(reg))).collect();
    let mut converted = |value: ValueId| {
        let types = conversion.convert_type(rw.registry, rw.body, rw.body.ty(value));
        types.map_or(0, |types| types.len())
    };
    let sizes: Vec<usize> = match originals.len() == count {
        true => Vec::new(),
        false => of.iter().map(|&value| converted(value)).collect(),
    };
    let given: usize = originals.iter().map(Values::len).sum();
    if originals.len() != count && sizes.iter().sum::<usize>() == given {
        let mut all = originals.into_iter().flatten();
        originals = sizes.iter().map(|&size| all.by_ref().take(size).collect()).collect();
    } else if originals.len() != count {
        let all: Values = originals.into_iter().flatten().collect();
        let each = all.len().checked_div(count).unwrap_or_default();
        if all.len() != each * count {
            return Ok(None);
        }
        originals = all.chunks(each.max(1)).map(Values::from_slice).collect();
        originals.resize(count, Values::new());
    }
    let mut parts = Vec::with_capacity(count);
    for group in originals {
        let mut part = Values::new();
        for value in group {
            part.extend(conversion.remap(rw, value)?);
        }
        parts.push(part);
    }
    Ok(Some(parts))
}

/// The segment sizes with another size for one group.
fn resized(sizes: Option<Attr>, group: usize, len: usize) -> Option<Attr> {
    let mut sizes = sizes?.as_dense_array()?.to_vec();
    *sizes.get_mut(group)? = i64::try_from(len).ok()?;
    let sizes: Option<Vec<i32>> = sizes.into_iter().map(|n| i32::try_from(n).ok()).collect();
    Some(Attr::i32_array(&sizes?))
}

/// The op in whose region a place is.
fn place_of(body: &Body, at: InsertPoint) -> Option<OpId> {
    match at {
        InsertPoint::Before(op) | InsertPoint::After(op) => body.parent_op(op),
        InsertPoint::Start(block) | InsertPoint::End(block) => body.block_parent_op(block),
    }
}

/// Moves the ops of a region's only block to the insertion point; gives what its terminator's
/// operands are, which goes.
fn inline(
    rw: &mut Rewriter<'_>,
    r: &Registers,
    op: OpId,
    (index, with): (usize, &[Reg]),
    conversion: &mut Option<&mut dyn Conversion>,
) -> Result<Vec<ValueId>, String> {
    let region = rw.body.region(op, index).ok_or("inlines a region that does not exist")?;
    let at = rw.insertion_point().unwrap_or(InsertPoint::Before(op));
    if place_of(rw.body, at).is_some_and(|place| rw.body.is_ancestor(op, place)) {
        return Err("inlines a region into itself".to_owned());
    }
    let mut blocks = rw.body.blocks(region);
    let (Some(block), None) = (blocks.next(), blocks.next()) else {
        return Err("inlines a region of several blocks, or of none".to_owned());
    };
    let args = rw.body.block_args(block).to_vec();
    let parts = match conversion.as_deref_mut() {
        Some(conversion) => remapped(rw, r, with, &args, conversion)?,
        None => {
            let values: Vec<ValueId> =
                with.iter().flat_map(|&reg| machine::values_of(rw.body, r.get(reg))).collect();
            let fits = values.len() == args.len();
            fits.then(|| values.into_iter().map(|value| smallvec![value]).collect())
        }
    };
    let parts = parts.ok_or("inlines a region with another number of arguments")?;
    let last = rw
        .body
        .last_op(block)
        .filter(|&last| rw.registry.op(rw.body.name(last)).is_some_and(|info| info.terminator));
    for (&arg, with) in args.iter().zip(&parts) {
        match (conversion.as_deref_mut(), with.as_slice()) {
            (Some(conversion), with) => {
                conversion.stand_for(rw, arg, with, InsertPoint::Start(block));
            }
            (None, [one]) if rw.body.ty(*one) == rw.body.ty(arg) => {
                rw.replace_all_uses(arg, *one);
            }
            _ => return Err("gives an argument a value of another type".to_owned()),
        }
    }
    let mut results = Vec::new();
    if let Some(last) = last {
        let operands: Vec<ValueId> = rw.body.operands(last).collect();
        for value in operands {
            match conversion.as_deref_mut() {
                Some(conversion) => results.extend(conversion.remap(rw, value)?),
                None => results.push(value),
            }
        }
        rw.erase(last);
    }
    for index in (0..args.len()).rev() {
        rw.remove_block_arg(block, index);
    }
    rw.inline_block(block, at, &[]);
    Ok(results)
}

fn new_op(rw: &Rewriter<'_>, inst: &Inst, link: &Link, r: &Registers) -> Result<NewOp, String> {
    let lacking = || "lacks something to make its op of".to_owned();
    let Inst::Create {
        operands,
        operand_segments,
        attrs,
        attr_dicts,
        results,
        result_segments,
        regions,
        successors,
        successor,
        ..
    } = inst
    else {
        return Err(lacking());
    };
    let Link::Name(name) = link else { return Err(lacking()) };
    let mut new = NewOp::new(*name).regions(usize::from(*regions));
    let mut sizes = Vec::new();
    let groups = rw.registry.op(*name).map(|info| info.def().operands.as_ref());
    for (index, &reg) in operands.iter().enumerate() {
        let values = machine::values_of(rw.body, r.get(reg));
        let group = groups.and_then(|groups| groups.get(index));
        if let Some(group) = group.filter(|group| !takes(group.arity, values.len())) {
            let (count, operand) = (values.len(), &group.name);
            return Err(format!("gives {count} values for the operand `{operand}` of `{name}`"));
        }
        sizes.push(i32::try_from(values.len()).map_err(|_| lacking())?);
        new = new.operands(values);
    }
    for &reg in attr_dicts.iter() {
        new = new.attrs(r.get(reg).attr().ok_or_else(lacking)?);
    }
    for attr in attrs.iter() {
        match r.get(attr.reg) {
            Bound::Attr(value) => new = new.attr(&attr.name, *value),
            Bound::Type(ty) => new = new.attr(&attr.name, Attr::ty(*ty)),
            Bound::Absent => {}
            _ => return Err(lacking()),
        }
    }
    if *operand_segments {
        new = new.attr(OPERAND_SEGMENTS, Attr::i32_array(&sizes));
    }
    let mut sizes = Vec::new();
    for &reg in results.iter() {
        let types = r.get(reg).types();
        sizes.push(i32::try_from(types.len()).map_err(|_| lacking())?);
        new = new.results(types.iter().copied());
    }
    if *result_segments {
        new = new.attr(RESULT_SEGMENTS, Attr::i32_array(&sizes));
    }
    if let Some(reg) = successors {
        let all = rw.body.successors(r.get(*reg).op().ok_or_else(lacking)?);
        let these = match successor {
            Some(number) => {
                std::slice::from_ref(all.get(usize::from(*number)).ok_or_else(lacking)?)
            }
            None => all,
        };
        for &block in these {
            new = new.successor(block);
        }
    }
    Ok(new)
}

/// Whether a group of operands may have as many values.
fn takes(arity: Arity, count: usize) -> bool {
    match arity {
        Arity::One => count == 1,
        Arity::Optional => count <= 1,
        Arity::Variadic => true,
    }
}
