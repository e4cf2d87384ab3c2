//! The interpreter of pattern programs: the part that looks and computes.

use smallvec::SmallVec;
use tegula_ir::text::dense_of;
use tegula_ir::{
    Attr, AttrData, Body, DenseData, OpId, Registry, Subject, Type, TypeData, ValueId, ValueKind,
};
use tegula_schema::{
    Arithmetic, Arity, Comparison, Derivation, Gather, Inst, Reg, Segment, Signedness,
};

use crate::link::{Code, Link};
use crate::{Bound, check, lists, sizes, why};

/// What converts types while a program looks.
pub(crate) trait Types {
    /// What a type becomes; none when the converter refuses it.
    fn convert_type(&mut self, registry: &Registry, body: &Body, ty: Type) -> Option<TypeList>;
}

/// Values that stand for something; mostly one.
pub(crate) type Values = SmallVec<[ValueId; 4]>;

/// What a type becomes; mostly one type.
pub(crate) type TypeList = SmallVec<[Type; 2]>;

/// One failure of a program while it looked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// The line of the definition's file that asks for it; 0 when unknown.
    pub line: u32,
    /// What was not so, as one sentence without a final stop.
    pub message: String,
    /// How far the program had come: the number of its instruction.
    pub at: usize,
}

/// What a program sees.
pub(crate) struct Scope<'s> {
    pub(crate) registry: &'s Registry,
    pub(crate) body: &'s Body,
    pub(crate) types: Option<&'s mut dyn Types>,
    /// Failures are gathered here, when somebody asks for them.
    pub(crate) failures: Option<&'s mut Vec<Failure>>,
}

impl<'s> Scope<'s> {
    pub(crate) fn new(registry: &'s Registry, body: &'s Body) -> Scope<'s> {
        Scope { registry, body, types: None, failures: None }
    }
}

/// What an instruction does to the flow of a program.
pub(crate) enum Flow {
    Next,
    Fail,
    Goto(usize),
    Choice(usize),
    Cut(usize),
    Commit,
    /// Not an instruction of this part.
    Edit,
}

/// The registers of one run; reused from run to run.
#[derive(Default)]
pub(crate) struct Registers {
    pub(crate) regs: Vec<Bound>,
    choices: Vec<usize>,
}

impl Registers {
    #[inline]
    pub(crate) fn get(&self, reg: Reg) -> &Bound {
        self.regs.get(usize::from(reg)).unwrap_or(&Bound::Absent)
    }

    #[inline]
    pub(crate) fn set(&mut self, reg: Reg, bound: Bound) {
        if let Some(slot) = self.regs.get_mut(usize::from(reg)) {
            *slot = bound;
        }
    }

    pub(crate) fn all(&self, regs: &[Reg]) -> Vec<Bound> {
        regs.iter().map(|&reg| self.get(reg).clone()).collect()
    }

    /// Makes room for a program's registers.
    pub(crate) fn start(&mut self, count: usize) {
        if self.regs.len() < count {
            self.regs.resize(count, Bound::Absent);
        }
        self.regs.iter_mut().take(count).for_each(|reg| *reg = Bound::Absent);
        self.choices.clear();
    }
}

/// Runs a program up to its commit; gives the instruction after it, or none when it fails.
pub(crate) fn run(
    scope: &mut Scope<'_>,
    code: &Code,
    subject: Bound,
    registers: &mut Registers,
) -> Option<usize> {
    registers.start(code.registers);
    registers.set(0, subject);
    search(scope, code, registers)
}

/// Runs a program, or one within an instruction, up to its commit or its end. Choice points that
/// are left go with it: nothing that fails afterwards comes back to them.
pub(crate) fn search(
    scope: &mut Scope<'_>,
    code: &Code,
    registers: &mut Registers,
) -> Option<usize> {
    search_from(scope, code, 0, registers)
}

/// The same from an instruction on.
pub(crate) fn search_from(
    scope: &mut Scope<'_>,
    code: &Code,
    start: usize,
    registers: &mut Registers,
) -> Option<usize> {
    let base = registers.choices.len();
    let mut pc = start;
    while pc < code.insts.len() {
        match step(scope, code, pc, registers) {
            Flow::Next => pc += 1,
            Flow::Goto(to) => pc = to,
            Flow::Choice(to) => {
                registers.choices.push(to);
                pc += 1;
            }
            Flow::Cut(to) => {
                while registers.choices.len() > base
                    && registers.choices.pop().is_some_and(|choice| choice != to)
                {}
                pc += 1;
            }
            Flow::Commit => {
                pc += 1;
                break;
            }
            Flow::Fail | Flow::Edit => {
                if scope.failures.is_some() {
                    why::note(scope, code, pc, registers);
                }
                if registers.choices.len() == base {
                    return None;
                }
                pc = registers.choices.pop()?;
            }
        }
    }
    registers.choices.truncate(base);
    Some(pc)
}

/// Runs one instruction that only looks or computes: here what most of a program consists of.
#[inline]
pub(crate) fn step(
    scope: &mut Scope<'_>,
    code: &Code,
    pc: usize,
    registers: &mut Registers,
) -> Flow {
    let Some(inst) = code.insts.get(pc) else { return Flow::Fail };
    let (into, bound) = match inst {
        Inst::Operand { op, segment: Segment::Index(index), arity: Arity::One, into } => {
            let (body, index) = (scope.body, usize::from(*index));
            let Some(op) = registers.get(*op).op() else { return Flow::Fail };
            if index >= body.num_operands(op) {
                return Flow::Fail;
            }
            (into, Bound::Value(body.operand(op, index)))
        }
        Inst::Constant { value, into } => {
            let Some(value) = registers.get(*value).value() else { return Flow::Fail };
            let attr = constant_of(scope.registry, scope.body, value);
            let Some(attr) = attr else { return Flow::Fail };
            (into, Bound::Attr(attr))
        }
        Inst::Arith { how, a, b, into } => {
            let attr = arith(*how, registers.get(*a), registers.get(*b));
            let Some(attr) = attr else { return Flow::Fail };
            (into, Bound::Attr(attr))
        }
        Inst::Choice { otherwise } => return Flow::Choice(usize::from(*otherwise)),
        Inst::Jump { to } => return Flow::Goto(usize::from(*to)),
        Inst::Commit => return Flow::Commit,
        Inst::Fold { .. } | Inst::Create { .. } | Inst::Replace { .. } => return Flow::Edit,
        _ => return step_on(scope, code, pc, registers),
    };
    registers.set(*into, bound);
    Flow::Next
}

/// The other instructions of [`step`].
#[inline(never)]
fn step_on(scope: &mut Scope<'_>, code: &Code, pc: usize, registers: &mut Registers) -> Flow {
    let (Some(inst), Some(link)) = (code.insts.get(pc), code.links.get(pc)) else {
        return Flow::Fail;
    };
    match inst {
        Inst::Cut { to } => return Flow::Cut(usize::from(*to)),
        Inst::Fail | Inst::Refuse { .. } => return Flow::Fail,
        Inst::Each { .. } => return done(each(scope, inst, link, registers)),
        Inst::Switch { .. } => return done(switch(scope, inst, link, registers)),
        Inst::ConvertType { from, into } => {
            let converted = convert_type(scope, registers.get(*from));
            return done(converted.map(|bound| registers.set(*into, bound)));
        }
        Inst::Take { list, count, cursor, into } => {
            let taken = lists::take(scope.body, registers, *list, *count, *cursor);
            return done(taken.map(|(taken, cursor_now)| {
                registers.set(*into, taken);
                registers.set(*cursor, cursor_now);
            }));
        }
        _ => {}
    }
    if let Some(result) = compute(scope.registry, scope.body, code, inst, link, registers) {
        return done(result.map(|(into, bound)| registers.set(into, bound)));
    }
    match decide(scope.registry, scope.body, inst, link, registers) {
        Some(true) => Flow::Next,
        Some(false) => Flow::Fail,
        None => Flow::Edit,
    }
}

fn done(result: Option<()>) -> Flow {
    if result.is_some() { Flow::Next } else { Flow::Fail }
}

/// What the type or types become; one for one stays a type.
fn convert_type(scope: &mut Scope<'_>, from: &Bound) -> Option<Bound> {
    let mut types = Vec::new();
    for &ty in from.types() {
        types.extend(scope.types.as_mut()?.convert_type(scope.registry, scope.body, ty)?);
    }
    Some(match (from, types.as_slice()) {
        (Bound::Type(_), [one]) => Bound::Type(*one),
        _ => Bound::Types(types),
    })
}

/// A loop whose body only looks.
fn each(scope: &mut Scope<'_>, inst: &Inst, link: &Link, r: &mut Registers) -> Option<()> {
    let Inst::Each { lists, items, gives, gather, into, .. } = inst else { return None };
    let Link::Blocks(blocks) = link else { return None };
    let body = blocks.first()?;
    let rounds = lists::rounds(scope.body, r, lists)?;
    let mut out = lists::Gathered::new(*gather, r.get(*lists.first()?));
    for index in 0..rounds {
        lists::enter(scope.body, r, lists, items, index)?;
        let holds = search(scope, body, r).is_some();
        match gather {
            Gather::Any if holds => return Some(()),
            Gather::Any => {}
            Gather::All if !holds => return None,
            Gather::Keep if holds => out.keep(r.get(*items.first()?)),
            Gather::All | Gather::Keep => {}
            _ if !holds => return None,
            Gather::Carry => {
                let carried = r.get(*gives).clone();
                r.set(*into, carried);
            }
            Gather::Values | Gather::Types | Gather::Attrs => {
                out.add(scope.body, r.get(*gives))?;
            }
        }
    }
    if *gather == Gather::Any {
        return None;
    }
    if let Some(bound) = out.finish() {
        r.set(*into, bound);
    }
    Some(())
}

/// A switch whose cases only look.
fn switch(scope: &mut Scope<'_>, inst: &Inst, link: &Link, r: &mut Registers) -> Option<()> {
    let Inst::Switch { cases, into } = inst else { return None };
    let Link::Blocks(blocks) = link else { return None };
    for (case, code) in cases.iter().zip(blocks.chunks_exact(2)) {
        let [test, then] = code else { return None };
        if search(scope, test, r).is_none() {
            continue;
        }
        search(scope, then, r)?;
        if let Some(gives) = case.gives {
            let bound = r.get(gives).clone();
            r.set(*into, bound);
        }
        return Some(());
    }
    None
}

type Computed = Option<(Reg, Bound)>;

/// Other instructions that assign a register. The outer option says whether this is one of them, the
/// inner whether it succeeds.
fn compute(
    registry: &Registry,
    body: &Body,
    code: &Code,
    inst: &Inst,
    link: &Link,
    r: &Registers,
) -> Option<Computed> {
    Some(match inst {
        Inst::Operand { op, segment, arity, into } => r.get(*op).op().and_then(|op| {
            let sizes = || body.attr(op, tegula_ir::OPERAND_SEGMENTS);
            Some((*into, group(body.operands(op), *segment, *arity, sizes)?))
        }),
        Inst::Result { op, segment, arity, into } => r.get(*op).op().and_then(|op| {
            let sizes = || body.attr(op, tegula_ir::RESULT_SEGMENTS);
            Some((*into, group(body.results(op), *segment, *arity, sizes)?))
        }),
        Inst::Attr { op, name, optional, into, .. } => {
            r.get(*op).op().and_then(|op| match (body.attr(op, name), link) {
                (Some(attr), _) => Some((*into, Bound::Attr(attr))),
                (None, Link::Bound(default)) => Some((*into, default.clone())),
                (None, _) => optional.then_some((*into, Bound::Absent)),
            })
        }
        Inst::Attrs { op, without, into } => r.get(*op).op().map(|op| {
            let entries = body.attr_entries(op).iter().copied();
            let kept = entries.filter(|(name, _)| !without.iter().any(|w| w == name.as_str()));
            (*into, Bound::Attr(Attr::dict(kept)))
        }),
        Inst::Def { value, into, .. } => r.get(*value).value().and_then(|value| {
            let op = body.defining_op(value)?;
            named(body, op, link).then_some((*into, Bound::Op(op)))
        }),
        Inst::Parent { op, into, .. } => r.get(*op).op().and_then(|op| {
            let parent = body.parent_op(op)?;
            named(body, parent, link).then_some((*into, Bound::Op(parent)))
        }),
        Inst::TypeOf { from, into } => {
            type_of(registry, body, r.get(*from)).map(|bound| (*into, bound))
        }
        Inst::Derive { from, how, into } => {
            derive(registry, code, r.get(*from), how).map(|ty| (*into, Bound::Type(ty)))
        }
        Inst::Param { from, name, index, into } => {
            let params = match r.get(*from) {
                Bound::Type(ty) => ty.dialect_params(name),
                Bound::Attr(attr) => attr.dialect_params(name),
                _ => None,
            };
            params.and_then(|params| params.get(usize::from(*index))).map(|&attr| {
                let bound = match attr.as_type() {
                    _ if attr.is_absent() => Bound::Absent,
                    Some(ty) => Bound::Type(ty),
                    None => Bound::Attr(attr),
                };
                (*into, bound)
            })
        }
        Inst::Item { list, index, into } => {
            lists::element(body, r.get(*list), usize::from(*index)).map(|item| (*into, item))
        }
        Inst::ItemAt { list, index, into } => integer(r.get(*index)).and_then(|(index, _)| {
            let index = usize::try_from(index).ok()?;
            Some((*into, lists::element(body, r.get(*list), index)?))
        }),
        Inst::Splat { from, into } => {
            r.get(*from).attr().and_then(splat_of).map(|element| (*into, Bound::Attr(element)))
        }
        Inst::Count { list, into } => lists::length(body, r.get(*list))
            .and_then(|n| i64::try_from(n).ok())
            .map(|n| (*into, Bound::Attr(Attr::index(n)))),
        Inst::Positions { list, into } => {
            lists::length(body, r.get(*list)).and_then(|n| i64::try_from(n).ok()).map(|n| {
                (*into, Bound::Attr(Attr::array(&(0..n).map(Attr::index).collect::<Vec<_>>())))
            })
        }
        Inst::Unique { list, into } => {
            lists::unique(body, r.get(*list)).map(|unique| (*into, unique))
        }
        Inst::Users { value, into } => value_of(body, r.get(*value))
            .map(|value| (*into, Bound::Ops(lists::users(body, value)))),
        Inst::Ancestor { op, into, .. } => r.get(*op).op().and_then(|op| {
            let mut outer = std::iter::successors(body.parent_op(op), |&op| body.parent_op(op));
            let found = outer.find(|&op| one_of(body, op, link))?;
            Some((*into, Bound::Op(found)))
        }),
        Inst::Earlier { op, into, .. } => r.get(*op).op().and_then(|op| {
            let around = std::iter::successors(Some(op), |&op| body.parent_op(op));
            let mut before = around
                .flat_map(|op| std::iter::successors(body.prev_op(op), |&op| body.prev_op(op)));
            let found = before.find(|&op| one_of(body, op, link))?;
            Some((*into, Bound::Op(found)))
        }),
        Inst::NestedOps { op, into } => r.get(*op).op().map(|op| {
            let nested = body.walk(op).filter(|&inner| inner != op).collect();
            (*into, Bound::Ops(nested))
        }),
        Inst::Captures { op, into } => {
            r.get(*op).op().map(|op| (*into, Bound::Values(lists::captures(body, op))))
        }
        Inst::RegionOps { op, index, into } => r.get(*op).op().and_then(|op| {
            let region = body.region(op, usize::from(*index))?;
            let mut blocks = body.blocks(region);
            let ops = blocks.next().map(|block| body.block_ops(block).collect());
            let single = blocks.next().is_none();
            single.then(|| (*into, Bound::Ops(ops.unwrap_or_default())))
        }),
        Inst::RegionArgs { op, index, into } => r.get(*op).op().and_then(|op| {
            let region = body.region(op, usize::from(*index))?;
            let args = body.first_block(region).map(|block| body.block_args(block).to_vec());
            Some((*into, Bound::Values(args.unwrap_or_default())))
        }),
        Inst::Tied { value, into } => value_of(body, r.get(*value))
            .map(|value| (*into, Bound::Values(sizes::ties(registry, body, value)))),
        Inst::SizeOf { value, at, into } => value_of(body, r.get(*value)).and_then(|value| {
            let size = sizes::size_of(registry, body, value, r.get(*at).op()?)?;
            Some((*into, Bound::Value(size)))
        }),
        Inst::Shape { from, into } => r.get(*from).ty().and_then(|ty| {
            let sizes: Vec<Attr> = ty.shape()?.iter().map(|&size| Attr::index(size)).collect();
            Some((*into, Bound::Attr(Attr::array(&sizes))))
        }),
        Inst::WithShape { from, sizes, into } => r.get(*from).ty().and_then(|ty| {
            let sizes = r.get(*sizes).attr()?.as_array()?;
            let sizes: Vec<i64> = sizes.iter().map(|size| size.as_int()).collect::<Option<_>>()?;
            Some((*into, Bound::Type(ty.with_shape(&sizes)?)))
        }),
        Inst::BitWidth { from, into } => r
            .get(*from)
            .ty()
            .and_then(|ty| Some((*into, Bound::Attr(Attr::index(i64::from(ty.bit_width()?)))))),
        Inst::Dense { ty, list, into } => r.get(*ty).ty().and_then(|ty| {
            let elements = r.get(*list).attr()?.as_array()?;
            Some((*into, Bound::Attr(dense_of(ty, elements)?)))
        }),
        Inst::SymbolNames { from, into } => r.get(*from).attr().and_then(|attr| {
            let AttrData::SymbolRef { root, nested } = attr.data() else { return None };
            let names = std::iter::once(root).chain(nested).map(|name| Attr::string(name.as_str()));
            Some((*into, Bound::Attr(Attr::array(&names.collect::<Vec<_>>()))))
        }),
        Inst::Symbol { names, into } => attrs_of(r, names).and_then(|names| {
            let names = names.iter().map(|name| name.as_str().filter(|name| !name.is_empty()));
            Some((*into, Bound::Attr(Attr::symbol_path(&names.collect::<Option<Vec<_>>>()?))))
        }),
        Inst::IntOf { from, ty, into } => integer(r.get(*from))
            .and_then(|(value, _)| Some((*into, Bound::Attr(fitting(value, r.get(*ty).ty()?)?)))),
        Inst::Literal { into, .. } | Inst::TypeLiteral { into, .. } => match link {
            Link::Bound(bound) => Some((*into, bound.clone())),
            _ => None,
        },
        Inst::Absent { into } => Some((*into, Bound::Absent)),
        Inst::Concat { parts, types: true, into } => {
            let all = parts.iter().flat_map(|&p| r.get(p).types()).copied().collect();
            lists::bounded(all).map(|all| (*into, Bound::Types(all)))
        }
        Inst::Concat { parts, types: false, into } => {
            let all = parts.iter().flat_map(|&p| values_of(body, r.get(p))).collect();
            lists::bounded(all).map(|all| (*into, Bound::Values(all)))
        }
        Inst::Array { items, into } => {
            attrs_of(r, items).map(|items| (*into, Bound::Attr(Attr::array(&items))))
        }
        Inst::MakeAttr { name, params, into } => {
            attrs_of(r, params).map(|p| (*into, Bound::Attr(Attr::dialect(name, &p))))
        }
        Inst::MakeType { name, params, into } => {
            attrs_of(r, params).map(|p| (*into, Bound::Type(Type::dialect(name, &p))))
        }
        Inst::TypeAttr { from, into } => {
            r.get(*from).ty().map(|ty| (*into, Bound::Attr(Attr::ty(ty))))
        }
        Inst::Compute { args, into, .. } => match link {
            Link::Compute(hook) => hook(registry, body, &r.all(args)).map(|bound| (*into, bound)),
            _ => None,
        },
        _ => return None,
    })
}

/// Instructions that decide; none for those that are neither these nor [`compute`]'s.
fn decide(
    registry: &Registry,
    body: &Body,
    inst: &Inst,
    link: &Link,
    r: &Registers,
) -> Option<bool> {
    Some(match inst {
        Inst::Check { reg, pred, .. } => {
            let Link::Spelled(spelled) = link else { return Some(false) };
            let holds = |subject| check::holds(registry, spelled, pred, subject);
            match r.get(*reg) {
                Bound::Value(value) => holds(Subject::Type(body.ty(*value))),
                Bound::Values(values) => values.iter().all(|&v| holds(Subject::Type(body.ty(v)))),
                Bound::Type(ty) => holds(Subject::Type(*ty)),
                Bound::Types(types) => types.iter().all(|&ty| holds(Subject::Type(ty))),
                Bound::Attr(attr) => holds(Subject::Attr(*attr)),
                Bound::Op(op) => body.results(*op).all(|v| holds(Subject::Type(body.ty(v)))),
                Bound::Ops(_) | Bound::Absent => false,
            }
        }
        Inst::IsOp { op, .. } => r.get(*op).op().is_some_and(|op| named(body, op, link)),
        Inst::HasTrait { op, name } => r.get(*op).op().is_some_and(|op| {
            registry.op(body.name(op)).is_some_and(|info| info.def().has_trait(name))
        }),
        Inst::Same { a, b } => same(body, r.get(*a), r.get(*b)),
        Inst::Precedes { first, then } => match (r.get(*first), r.get(*then).op()) {
            (Bound::Op(first), Some(then)) => sizes::precedes(body, *first, then),
            (first, Some(then)) => {
                let values = values_of(body, first);
                values.iter().all(|&value| sizes::visible(body, value, then))
            }
            _ => false,
        },
        Inst::OneUse { value } => {
            let values = values_of(body, r.get(*value));
            values.len() == 1 && values.iter().all(|&v| body.has_one_use(v))
        }
        Inst::NoUse { value } => values_of(body, r.get(*value)).iter().all(|&v| body.is_unused(v)),
        Inst::Present { reg, present } => {
            let bound = r.get(*reg);
            let here = match bound {
                Bound::Absent => false,
                Bound::Values(values) => !values.is_empty(),
                Bound::Types(types) => !types.is_empty(),
                Bound::Ops(ops) => !ops.is_empty(),
                _ => true,
            };
            here == *present
        }
        Inst::Compare { how, a, b } => match (integer(r.get(*a)), integer(r.get(*b))) {
            (Some((a, a_type)), Some((b, b_type))) => match how {
                Comparison::Eq => same_number(a, a_type, b, b_type),
                Comparison::Ne => !same_number(a, a_type, b, b_type),
                Comparison::Lt => a < b,
                Comparison::Le => a <= b,
                Comparison::Gt => a > b,
                Comparison::Ge => a >= b,
            },
            _ => false,
        },
        Inst::Predicate { args, expect, .. } => match link {
            Link::Predicate(hook) => hook(registry, body, &r.all(args)) == *expect,
            _ => false,
        },
        _ => return None,
    })
}

/// Whether an op bears one of the names; any does where there are none.
fn one_of(body: &Body, op: OpId, link: &Link) -> bool {
    !matches!(link, Link::Names(names) if !names.contains(&body.name(op)))
}

fn named(body: &Body, op: OpId, link: &Link) -> bool {
    match link {
        Link::Name(name) => body.name(op) == *name,
        _ => true,
    }
}

fn same(body: &Body, a: &Bound, b: &Bound) -> bool {
    a == b
        || match (a, b) {
            (Bound::Op(_), Bound::Value(_)) | (Bound::Value(_), Bound::Op(_)) => {
                values_of(body, a) == values_of(body, b)
            }
            _ => a.value().is_some() && a.value() == b.value(),
        }
}

fn group(
    mut values: impl ExactSizeIterator<Item = ValueId>,
    segment: Segment,
    arity: Arity,
    sizes: impl Fn() -> Option<Attr>,
) -> Option<Bound> {
    let range = range(values.len(), segment, sizes)?;
    if range.end > values.len() || range.start > range.end {
        return None;
    }
    let count = range.len();
    let mut rest = values.by_ref().skip(range.start).take(count);
    match (arity, count) {
        (Arity::One | Arity::Optional, 1) => rest.next().map(Bound::Value),
        (Arity::Optional, 0) => Some(Bound::Absent),
        (Arity::One | Arity::Optional, _) => None,
        (Arity::Variadic, _) => Some(Bound::Values(rest.collect())),
    }
}

/// The positions of a group among `count` values.
pub(crate) fn range(
    count: usize,
    segment: Segment,
    sizes: impl Fn() -> Option<Attr>,
) -> Option<std::ops::Range<usize>> {
    match segment {
        Segment::Index(index) => Some(usize::from(index)..usize::from(index) + 1),
        Segment::FromEnd(index) => {
            let at = count.checked_sub(usize::from(index) + 1)?;
            Some(at..at + 1)
        }
        Segment::Rest { before, after } => {
            let end = count.checked_sub(usize::from(after))?;
            (usize::from(before) <= end).then_some(usize::from(before)..end)
        }
        Segment::Sized(index) => {
            let sizes = sizes()?.as_dense_array()?;
            let index = usize::from(index);
            let before: i64 = sizes.get(..index)?.iter().sum();
            let start = usize::try_from(before).ok()?;
            let len = usize::try_from(*sizes.get(index)?).ok()?;
            Some(start..start.checked_add(len)?)
        }
        Segment::Even { before, shares_before, singles, shares, share } => {
            let (shared, shares) = (count.checked_sub(usize::from(singles))?, usize::from(shares));
            if shared % shares != 0 {
                return None;
            }
            let size = shared / shares;
            let start = usize::from(before) + usize::from(shares_before) * size;
            Some(start..start + if share { size } else { 1 })
        }
    }
}

/// The values that something stands for: an op stands for its results.
pub(crate) fn values_of(body: &Body, bound: &Bound) -> Values {
    match bound {
        Bound::Op(op) => body.results(*op).collect(),
        other => Values::from_slice(other.values()),
    }
}

/// The value that something stands for: of an op, and of values, the first.
fn value_of(body: &Body, bound: &Bound) -> Option<ValueId> {
    values_of(body, bound).first().copied()
}

fn type_of(registry: &Registry, body: &Body, bound: &Bound) -> Option<Bound> {
    Some(match bound {
        Bound::Value(value) => Bound::Type(body.ty(*value)),
        Bound::Values(values) => Bound::Types(values.iter().map(|&v| body.ty(v)).collect()),
        Bound::Attr(attr) => Bound::Type(registry.value_type(*attr).or_else(|| attr.as_type())?),
        Bound::Op(op) => match body.num_results(*op) {
            1 => Bound::Type(body.ty(body.result(*op, 0))),
            _ => Bound::Types(body.results(*op).map(|v| body.ty(v)).collect()),
        },
        Bound::Type(_) | Bound::Types(_) => bound.clone(),
        Bound::Absent => Bound::Types(Vec::new()),
        Bound::Ops(_) => return None,
    })
}

fn derive(registry: &Registry, code: &Code, from: &Bound, how: &Derivation) -> Option<Type> {
    match how {
        Derivation::ElementType => from.ty()?.element(),
        Derivation::BoolOf => Some(from.ty()?.with_element(Type::int(1))),
        Derivation::AttrType => match from {
            Bound::Attr(attr) => registry.value_type(*attr).or_else(|| attr.as_type()),
            other => other.ty(),
        },
        Derivation::Param(name) => {
            let TypeData::Dialect { name: kind, params } = from.ty()?.data() else {
                return None;
            };
            let (_, def) = registry.ty(kind.as_str())?;
            let index = def.params.iter().position(|p| p.name == *name)?;
            params.get(index)?.as_type()
        }
        Derivation::Hook(name) => {
            let dialect = registry.dialect(&code.dialect)?;
            let hook = dialect.hooks.derive_type.get(name.as_ref())?;
            hook(
                registry,
                match from {
                    Bound::Attr(attr) => Subject::Attr(*attr),
                    other => Subject::Type(other.ty()?),
                },
            )
        }
    }
}

/// The attributes in registers; a type stands as a type attribute, absent as the placeholder.
fn attrs_of(r: &Registers, regs: &[Reg]) -> Option<Vec<Attr>> {
    let attrs = regs.iter().map(|&reg| match r.get(reg) {
        Bound::Attr(attr) => Some(*attr),
        Bound::Type(ty) => Some(Attr::ty(*ty)),
        Bound::Absent => Some(Attr::absent()),
        _ => None,
    });
    attrs.collect()
}

pub(crate) fn integer(bound: &Bound) -> Option<(i128, Type)> {
    match bound.attr()?.data() {
        AttrData::Integer { value, ty } => Some((*value, *ty)),
        _ => None,
    }
}

/// Equality of integers, which are of any type.
fn same_number(a: i128, a_type: Type, b: i128, b_type: Type) -> bool {
    a_type.readings(a).any(|a| b_type.readings(b).any(|b| a == b))
}

fn arith(how: Arithmetic, a: &Bound, b: &Bound) -> Option<Attr> {
    let ((a, ty), (b, _)) = (integer(a)?, integer(b)?);
    let value = match how {
        Arithmetic::Add => a.checked_add(b)?,
        Arithmetic::Sub => a.checked_sub(b)?,
        Arithmetic::Mul => a.checked_mul(b)?,
        Arithmetic::Div => {
            let quotient = a.checked_div(b)?;
            if a % b != 0 && (a < 0) != (b < 0) { quotient - 1 } else { quotient }
        }
        Arithmetic::Mod => {
            let rest = a.checked_rem(b)?;
            if rest != 0 && (rest < 0) != (b < 0) { rest + b } else { rest }
        }
    };
    fitting(value, ty)
}

/// The integer as an attribute; a value that does not fit its type is no value of that type.
fn fitting(value: i128, ty: Type) -> Option<Attr> {
    let width = ty.bit_width().unwrap_or(64).clamp(1, 126);
    let (min, max) = match ty.data() {
        TypeData::Integer { sign: Signedness::Unsigned, .. } => (0, (1i128 << width) - 1),
        _ => (-(1i128 << (width - 1)), (1i128 << (width - 1)) - 1),
    };
    (min..=max).contains(&value).then(|| Attr::int(value, ty))
}

/// The element that a dense attribute repeats.
fn splat_of(attr: Attr) -> Option<Attr> {
    let AttrData::Dense { ty, data: DenseData::Splat(bytes) } = attr.data() else { return None };
    let element = ty.element()?;
    let mut bits = [0u8; 16];
    bits.get_mut(..bytes.len())?.copy_from_slice(bytes);
    let bits = u128::from_le_bytes(bits);
    match element.data() {
        TypeData::Float(_) => Some(Attr::new(AttrData::Float { bits, ty: element })),
        TypeData::Integer { sign: Signedness::Unsigned, .. } => {
            Some(Attr::int(i128::try_from(bits).ok()?, element))
        }
        TypeData::Integer { .. } | TypeData::Index => {
            let width = element.bit_width().unwrap_or(64).clamp(1, 128);
            let unused = 128 - width;
            // The sign stands in the type's own width.
            Some(Attr::int((bits << unused).cast_signed() >> unused, element))
        }
        _ => None,
    }
}

/// Zero as an attribute of a number type.
pub(crate) fn zero_of(ty: Type) -> Option<Attr> {
    match ty.data() {
        TypeData::Integer { .. } | TypeData::Index => Some(Attr::int(0, ty)),
        TypeData::Float(_) => Some(Attr::new(AttrData::Float { bits: 0, ty })),
        _ => None,
    }
}

/// The constant that a value is: of an op that is `ConstantLike` the attribute `value` or the only
/// one that it takes, zero where it is a `ConstantZero`, or unit where it takes none and there is
/// nothing to tell but the type.
#[inline]
pub fn constant_of(registry: &Registry, body: &Body, value: ValueId) -> Option<Attr> {
    match body.definition(value) {
        ValueKind::Result(op, _) => {
            let info = registry.op(body.name(op))?;
            if !info.constant_like {
                return None;
            }
            match info.def().attrs.as_ref() {
                [] if info.constant_zero => zero_of(body.ty(value)),
                [] => Some(Attr::unit()),
                [only] => body.attr(op, &only.name),
                _ => body.attr(op, "value"),
            }
        }
        ValueKind::Arg(..) => None,
    }
}
