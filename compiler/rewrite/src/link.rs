//! Patterns made ready to run: names interned, literals read, hooks found, indexed by root.

use std::fmt;
use std::sync::{Arc, Mutex};

use rustc_hash::FxHashMap;
use tegula_ir::{DialectEntry, FoldFn, OpName, OpTable, Registry};
use tegula_schema::{Block, ConverterDef, Inst, List, PatternDef, PatternKind, Source, Str};

use crate::check::{self, Spelled};
use crate::first::First;
use crate::fold::ConstantOps;
use crate::hooks::{BuildFn, ComputeFn, PredicateFn, RewriteFn};
use crate::{Bound, RewriteHooks};

/// What one instruction needs beyond its table.
#[derive(Clone)]
pub(crate) enum Link {
    None,
    Name(OpName),
    Names(Vec<OpName>),
    /// The programs within the instruction, in order.
    Blocks(Vec<Code>),
    Bound(Bound),
    Spelled(Spelled),
    Predicate(PredicateFn),
    Compute(ComputeFn),
    Build(BuildFn),
    Rewrite(RewriteFn),
}

/// A program with what its instructions need.
#[derive(Clone)]
pub(crate) struct Code {
    pub(crate) insts: List<Inst>,
    pub(crate) links: Vec<Link>,
    /// For each instruction the line that it comes from; 0 or nothing when unknown.
    pub(crate) lines: List<u32>,
    pub(crate) registers: usize,
    /// The dialect whose hooks decide the program's predicates.
    pub(crate) dialect: Arc<str>,
}

impl Code {
    /// What an instruction is called in messages.
    pub(crate) fn place(&self, pc: usize) -> String {
        match self.lines.get(pc) {
            Some(&line) if line > 0 => format!("line {line}"),
            _ => format!("instruction {pc}"),
        }
    }
}

/// One pattern, ready to run.
pub struct Pattern {
    pub(crate) name: Str,
    pub(crate) group: Str,
    pub(crate) root: Option<OpName>,
    pub(crate) benefit: u32,
    pub(crate) kind: PatternKind,
    pub(crate) source: Source,
    pub(crate) first: First,
    pub(crate) code: Code,
}

/// A pattern is known by its definition.
impl PartialEq for Pattern {
    fn eq(&self, other: &Pattern) -> bool {
        self.name == other.name && self.source == other.source
    }
}

impl Eq for Pattern {}

impl fmt::Debug for Pattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)
    }
}

impl Pattern {
    /// The `.td` definition's name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The dialect that defines it.
    pub fn dialect(&self) -> &str {
        &self.code.dialect
    }

    /// Whether it edits, rather than folds or says what is legal.
    fn rewrites(&self) -> bool {
        matches!(self.kind, PatternKind::Rewrite | PatternKind::Convert)
    }

    /// The group that passes refer to.
    pub fn group(&self) -> &str {
        &self.group
    }

    /// Where it is defined.
    pub fn source(&self) -> &Source {
        &self.source
    }

    /// The full name of the op at the root; none when any op may stand there.
    pub fn root(&self) -> Option<OpName> {
        self.root
    }
}

/// Why a pattern cannot run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LinkError {
    /// The pattern or type converter, as in "the pattern `P`".
    pub what: String,
    /// Where it is defined.
    pub source: Source,
    /// One sentence without a final stop.
    pub message: String,
    /// Only Rust is missing: the definition is right where that is there.
    pub needs_rust: bool,
}

/// Why something does not link.
#[derive(Clone)]
struct Unlinked {
    message: String,
    needs_rust: bool,
}

impl Unlinked {
    fn hook(kind: &str, name: &str) -> Unlinked {
        Unlinked { message: format!("there is no {kind} named `{name}`"), needs_rust: true }
    }

    fn error(self, what: String, source: &Source) -> LinkError {
        let Unlinked { message, needs_rust } = self;
        LinkError { what, source: source.clone(), message, needs_rust }
    }
}

impl From<String> for Unlinked {
    fn from(message: String) -> Unlinked {
        Unlinked { message, needs_rust: false }
    }
}

/// The patterns of some groups, by root.
#[derive(Default)]
pub struct PatternIndex {
    by_root: OpTable<Vec<Arc<Pattern>>>,
    any: Vec<Arc<Pattern>>,
}

impl PatternIndex {
    /// The patterns that may apply to an op of that name, best first: by benefit, those for just
    /// this op before those for any, then in order of definition.
    pub(crate) fn of(&self, name: OpName) -> &[Arc<Pattern>] {
        self.by_root.get(name).unwrap_or(&self.any)
    }

    /// Whether there is no pattern at all.
    pub fn is_empty(&self) -> bool {
        self.by_root.is_empty() && self.any.is_empty()
    }

    fn new<'a>(patterns: impl Iterator<Item = &'a Arc<Pattern>>) -> PatternIndex {
        let mut index = PatternIndex::default();
        for pattern in patterns {
            match pattern.root {
                Some(root) => index.by_root.entry(root).push(pattern.clone()),
                None => index.any.push(pattern.clone()),
            }
        }
        for list in index.by_root.values_mut() {
            list.extend(index.any.iter().cloned());
            list.sort_by_key(|p| std::cmp::Reverse(p.benefit));
        }
        index.any.sort_by_key(|p| std::cmp::Reverse(p.benefit));
        index
    }
}

/// All patterns of a registry, ready to run. Made once for a registry and its hooks.
pub struct Patterns {
    hooks: RewriteHooks,
    all: Vec<Arc<Pattern>>,
    folds: PatternIndex,
    folders: OpTable<FoldFn>,
    constants: ConstantOps,
    /// By name; why it does not run otherwise.
    converters: FxHashMap<String, Result<ConverterCode, String>>,
    errors: Vec<LinkError>,
    selections: Mutex<FxHashMap<Vec<String>, Arc<PatternIndex>>>,
}

impl Patterns {
    /// Links all patterns. One that names something that does not exist is left out, and
    /// [`Patterns::errors`] says so.
    pub fn new(registry: &Registry, hooks: RewriteHooks) -> Patterns {
        let mut errors = Vec::new();
        let mut all = Vec::new();
        for (dialect, def) in registry.patterns() {
            match link_pattern(registry, dialect, &hooks, def) {
                Ok(pattern) => all.push(Arc::new(pattern)),
                Err(why) => {
                    let what = format!("the pattern `{}`", def.name);
                    errors.push(why.error(what, &def.source));
                }
            }
        }
        let mut converters = FxHashMap::default();
        for dialect in registry.dialects() {
            for def in dialect.def.converters.iter() {
                let linked = link_converter(registry, dialect, &hooks, def);
                let linked = linked.map_err(|why| {
                    let what = format!("the type converter `{}`", def.name);
                    errors.push(why.clone().error(what, &def.source));
                    why.message
                });
                converters.entry(def.name.to_string()).or_insert(linked);
            }
        }
        let folds = PatternIndex::new(all.iter().filter(|p| p.kind == PatternKind::Fold));
        let constants = ConstantOps::new(registry, &hooks);
        let folders = folders(registry);
        let selections = Mutex::default();
        Patterns { hooks, all, folds, folders, constants, converters, errors, selections }
    }

    /// The native hooks.
    pub fn hooks(&self) -> &RewriteHooks {
        &self.hooks
    }

    /// What could not be linked.
    pub fn errors(&self) -> &[LinkError] {
        &self.errors
    }

    /// The programs of a type converter, or why it does not run.
    pub(crate) fn converter(&self, name: &str) -> Option<&Result<ConverterCode, String>> {
        self.converters.get(name)
    }

    /// All patterns that could be linked, in order of definition.
    pub fn all(&self) -> impl Iterator<Item = &Pattern> {
        self.all.iter().map(|pattern| &**pattern)
    }

    /// What says which ops are legal in conversions with these groups.
    pub(crate) fn legality(&self, groups: &[impl AsRef<str>]) -> PatternIndex {
        PatternIndex::new(self.all.iter().filter(|p| {
            p.kind == PatternKind::Legal && groups.iter().any(|group| p.group == group.as_ref())
        }))
    }

    /// The ops that make constants.
    pub(crate) fn constants(&self) -> &ConstantOps {
        &self.constants
    }

    /// The folder hook of an op.
    pub(crate) fn folder(&self, op: OpName) -> Option<FoldFn> {
        self.folders.get(op).copied()
    }

    /// The folds.
    pub(crate) fn folds(&self) -> &PatternIndex {
        &self.folds
    }

    /// The rewrites of these groups for which `keep` holds.
    pub fn select_if(
        &self,
        groups: &[impl AsRef<str>],
        keep: impl Fn(&Pattern) -> bool,
    ) -> Arc<PatternIndex> {
        let chosen = self.all.iter().filter(|p| {
            p.rewrites() && groups.iter().any(|group| p.group == group.as_ref()) && keep(p)
        });
        Arc::new(PatternIndex::new(chosen))
    }

    /// The rewrites (or, for a conversion, the conversion patterns too) of these groups.
    pub fn select(&self, groups: &[impl AsRef<str>]) -> Arc<PatternIndex> {
        let key: Vec<String> = groups.iter().map(|g| g.as_ref().to_owned()).collect();
        // A poisoned lock means that another thread panicked while it held it; the map is a cache
        // that is whole between any two operations on it.
        let mut selections = match self.selections.lock() {
            Ok(guard) => guard,
            Err(poisoned) => poisoned.into_inner(),
        };
        if let Some(index) = selections.get(&key) {
            return index.clone();
        }
        let chosen = self
            .all
            .iter()
            .filter(|p| p.rewrites() && key.iter().any(|group| p.group == group.as_str()));
        let index = Arc::new(PatternIndex::new(chosen));
        selections.insert(key, index.clone());
        index
    }
}

/// The folder hooks that ops name.
fn folders(registry: &Registry) -> OpTable<FoldFn> {
    let mut folders = OpTable::default();
    for dialect in registry.dialects() {
        for op in dialect.def.ops.iter() {
            let hook = op.folder.as_ref().and_then(|name| dialect.hooks.fold.get(name.as_ref()));
            if let Some(hook) = hook {
                folders.insert(OpName::of(&op.name), *hook);
            }
        }
    }
    folders
}

fn link_pattern(
    registry: &Registry,
    dialect: &DialectEntry,
    hooks: &RewriteHooks,
    def: &PatternDef,
) -> Result<Pattern, Unlinked> {
    Ok(Pattern {
        name: def.name.clone(),
        group: def.group.clone(),
        root: (!def.root.is_empty()).then(|| OpName::of(&def.root)),
        benefit: def.benefit,
        kind: def.kind,
        source: def.source.clone(),
        first: First::of(&def.code),
        code: link_code(registry, dialect, hooks, (&def.code, &def.lines), def.registers)?,
    })
}

/// The programs of a type converter.
pub(crate) struct ConverterCode {
    /// Of its rules, in their order.
    pub(crate) rules: Vec<Code>,
    /// Of its casts, in their order.
    pub(crate) casts: Vec<Code>,
}

fn link_converter(
    registry: &Registry,
    dialect: &DialectEntry,
    hooks: &RewriteHooks,
    def: &ConverterDef,
) -> Result<ConverterCode, Unlinked> {
    let link =
        |code, registers| link_code(registry, dialect, hooks, (code, &List::default()), registers);
    let rules = def.rules.iter().map(|rule| link(&rule.code, rule.registers));
    let casts = def.casts.iter().map(|cast| link(&cast.code, cast.registers));
    Ok(ConverterCode {
        rules: rules.collect::<Result<_, _>>()?,
        casts: casts.collect::<Result<_, _>>()?,
    })
}

fn link_code(
    registry: &Registry,
    dialect: &DialectEntry,
    hooks: &RewriteHooks,
    program: (&List<Inst>, &List<u32>),
    registers: u16,
) -> Result<Code, Unlinked> {
    let code = link_block(registry, dialect, hooks, program, usize::from(registers.max(1)))?;
    let commits = |inst: &Inst| matches!(inst, Inst::Commit | Inst::Rewrite { .. });
    if code.insts.iter().any(commits) {
        Ok(code)
    } else {
        Err("the program never commits".to_owned().into())
    }
}

fn link_block(
    registry: &Registry,
    dialect: &DialectEntry,
    hooks: &RewriteHooks,
    (insts, lines): (&List<Inst>, &List<u32>),
    registers: usize,
) -> Result<Code, Unlinked> {
    let links = insts.iter().map(|inst| {
        let within: Vec<&Block> = match inst {
            Inst::Each { body, .. } => vec![body],
            Inst::Switch { cases, .. } => {
                cases.iter().flat_map(|case| [&case.test, &case.then]).collect()
            }
            _ => return link_inst(registry, hooks, inst),
        };
        let blocks = within.into_iter().map(|block| {
            link_block(registry, dialect, hooks, (&block.code, &block.lines), registers)
        });
        Ok(Link::Blocks(blocks.collect::<Result<_, _>>()?))
    });
    let code = Code {
        links: links.collect::<Result<_, _>>()?,
        insts: insts.clone(),
        lines: lines.clone(),
        registers,
        dialect: dialect.def.name.as_ref().into(),
    };
    code.check()?;
    Ok(code)
}

fn link_inst(registry: &Registry, hooks: &RewriteHooks, inst: &Inst) -> Result<Link, Unlinked> {
    Ok(match inst {
        Inst::Def { name, .. } | Inst::Parent { name, .. } if !name.is_empty() => {
            Link::Name(OpName::of(name))
        }
        Inst::Create { name, .. } | Inst::IsOp { name, .. } => Link::Name(OpName::of(name)),
        Inst::Dims { constant, .. } => Link::Name(OpName::of(constant)),
        Inst::Ancestor { names, .. } | Inst::Earlier { names, .. } if !names.is_empty() => {
            Link::Names(names.iter().map(|name| OpName::of(name)).collect())
        }
        Inst::Attr { default: Some(text), .. } | Inst::Literal { text, .. } => {
            match tegula_ir::text::attr_from_text(registry, text) {
                Some(attr) => Link::Bound(Bound::Attr(attr)),
                None => return Err(format!("`{text}` is not an attribute").into()),
            }
        }
        Inst::TypeLiteral { text, .. } => match tegula_ir::text::type_from_text(registry, text) {
            Some(ty) => Link::Bound(Bound::Type(ty)),
            None => return Err(format!("`{text}` is not a type").into()),
        },
        Inst::Check { pred, .. } => Link::Spelled(check::spelled(registry, pred)?),
        Inst::Predicate { hook, .. } => match hooks.predicates.get(hook.as_ref()) {
            Some(hook) => Link::Predicate(*hook),
            None => return Err(Unlinked::hook("predicate", hook)),
        },
        Inst::Compute { hook, .. } => match hooks.computes.get(hook.as_ref()) {
            Some(hook) => Link::Compute(*hook),
            None => return Err(Unlinked::hook("computation", hook)),
        },
        Inst::Build { hook, .. } => match hooks.builders.get(hook.as_ref()) {
            Some(hook) => Link::Build(*hook),
            None => return Err(Unlinked::hook("builder", hook)),
        },
        Inst::Rewrite { hook } => match hooks.rewrites.get(hook.as_ref()) {
            Some(hook) => Link::Rewrite(*hook),
            None => return Err(Unlinked::hook("rewrite", hook)),
        },
        _ => Link::None,
    })
}

impl Code {
    /// Registers and labels that lie outside of the program are found here, so that the
    /// interpreter need not expect them.
    fn check(&self) -> Result<(), String> {
        for (index, inst) in self.insts.iter().enumerate() {
            let mut bad = false;
            for_each_reg(inst, &mut |reg| bad |= usize::from(reg) >= self.registers);
            if bad {
                return Err(format!("instruction {index} names a register that does not exist"));
            }
            match inst {
                Inst::Choice { otherwise: to } | Inst::Jump { to } => {
                    let to = usize::from(*to);
                    if to <= index || to > self.insts.len() {
                        return Err(format!("instruction {index} goes on nowhere"));
                    }
                }
                _ => {}
            }
        }
        Ok(())
    }
}

/// Calls `f` with every register that an instruction names.
fn for_each_reg(inst: &Inst, f: &mut dyn FnMut(u16)) {
    let mut each = |regs: &[u16]| regs.iter().for_each(|&reg| f(reg));
    match inst {
        Inst::Users { value: op, into }
        | Inst::Ancestor { op, into, .. }
        | Inst::Earlier { op, into, .. }
        | Inst::NestedOps { op, into }
        | Inst::Captures { op, into }
        | Inst::RegionOps { op, into, .. }
        | Inst::RegionArgs { op, into, .. }
        | Inst::Tied { value: op, into }
        | Inst::Shape { from: op, into }
        | Inst::BitWidth { from: op, into }
        | Inst::Splat { from: op, into }
        | Inst::SymbolNames { from: op, into }
        | Inst::Unique { list: op, into }
        | Inst::CloneOp { op, into }
        | Inst::Operand { op, into, .. }
        | Inst::Result { op, into, .. }
        | Inst::Attr { op, into, .. }
        | Inst::Attrs { op, into, .. }
        | Inst::Parent { op, into, .. } => each(&[*op, *into]),
        Inst::Def { value, into, .. } | Inst::Constant { value, into } => each(&[*value, *into]),
        Inst::TypeOf { from, into }
        | Inst::Derive { from, into, .. }
        | Inst::Param { from, into, .. }
        | Inst::TypeAttr { from, into }
        | Inst::Remap { from, into }
        | Inst::Parts { from, into }
        | Inst::ConvertType { from, into } => each(&[*from, *into]),
        Inst::Item { list, into, .. }
        | Inst::Count { list, into }
        | Inst::Positions { list, into } => each(&[*list, *into]),
        Inst::Literal { into, .. } | Inst::TypeLiteral { into, .. } | Inst::Absent { into } => {
            each(&[*into]);
        }
        Inst::Concat { parts, into, .. } => {
            each(parts);
            each(&[*into]);
        }
        Inst::Array { items, into } | Inst::Symbol { names: items, into } => {
            each(items);
            each(&[*into]);
        }
        Inst::MakeAttr { params, into, .. } | Inst::MakeType { params, into, .. } => {
            each(params);
            each(&[*into]);
        }
        Inst::Arith { a, b, into, .. } => each(&[*a, *b, *into]),
        Inst::Compute { args, into, .. } | Inst::Build { args, into, .. } => {
            each(args);
            each(&[*into]);
        }
        Inst::ItemAt { list, index, into } => each(&[*list, *index, *into]),
        Inst::Precedes { first, then } => each(&[*first, *then]),
        Inst::SizeOf { value, at, into } => each(&[*value, *at, *into]),
        Inst::IntOf { from, ty: other, into }
        | Inst::WithShape { from, sizes: other, into }
        | Inst::Dense { ty: from, list: other, into } => {
            each(&[*from, *other, *into]);
        }
        Inst::Take { list, count, cursor, into } => each(&[*list, *count, *cursor, *into]),
        Inst::Each { lists, items, gives, into, .. } => {
            each(lists);
            each(items);
            each(&[*gives, *into]);
        }
        Inst::Switch { cases, into } => {
            cases.iter().for_each(|case| each(case.gives.as_slice()));
            each(&[*into]);
        }
        Inst::Dims { from, dynamic, into, .. } => each(&[*from, *dynamic, *into]),
        Inst::Inline { op, args, into, .. } => {
            each(args);
            each(&[*op, *into]);
        }
        Inst::At { op, .. } | Inst::Block { op, .. } | Inst::IsOp { op, .. } => each(&[*op]),
        Inst::Move { op, to, .. } => each(&[*op, *to]),
        Inst::ReplaceUses { from, to, except } => {
            each(&[*from, *to]);
            each(except.as_slice());
        }
        Inst::SetType { value, ty } => each(&[*value, *ty]),
        Inst::Check { reg, .. } | Inst::Present { reg, .. } => each(&[*reg]),
        Inst::HasTrait { op, .. } | Inst::ConvertRegion { op, .. } | Inst::Erase { op } => {
            each(&[*op]);
        }
        Inst::Same { a, b } | Inst::Compare { a, b, .. } => each(&[*a, *b]),
        Inst::OneUse { value } | Inst::NoUse { value } => each(&[*value]),
        Inst::Predicate { args, .. } => each(args),
        Inst::Create { operands, attrs, attr_dicts, results, successors, into, .. } => {
            each(operands);
            each(attr_dicts);
            each(results);
            each(successors.as_slice());
            attrs.iter().for_each(|attr| each(&[attr.reg]));
            each(&[*into]);
        }
        Inst::TakeRegion { from, to, .. } => each(&[*from, *to]),
        Inst::SetAttr { op, value, .. } | Inst::SetOperand { op, value, .. } => {
            each(&[*op, *value]);
        }
        Inst::Replace { op, with } => {
            each(&[*op]);
            each(with);
        }
        Inst::Fold { with } => each(with),
        Inst::Choice { .. }
        | Inst::Jump { .. }
        | Inst::Cut { .. }
        | Inst::Fail
        | Inst::Refuse { .. }
        | Inst::Commit
        | Inst::Rewrite { .. } => {}
    }
}
