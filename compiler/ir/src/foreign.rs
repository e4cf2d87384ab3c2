//! Definitions that were written for MLIR's own tools, completed by what was compiled.
//!
//! Such definitions say how ops are built and written; verifiers, folders, custom syntax and the
//! names of results they leave to C++. Those of the compiled dialect of that name stand in for it,
//! op by op, as far as both give the same things the same names.

use std::borrow::Cow;

use rustc_hash::FxHashMap;
use tegula_schema::{
    AttrKindDef, DialectDef, EnumDef, Format, FormatElem, List, NameHint, OpDef, ParamFormat,
    Source, TypeDef, ValueDef,
};

use crate::live::{DisabledHooks, DisabledReason};
use crate::{DialectEntry, Hooks, Registry};

/// Completes definitions; what nothing stands in for is told.
pub(crate) fn complete(
    registry: &Registry,
    def: DialectDef,
) -> (DialectDef, Hooks, Vec<DisabledHooks>) {
    let empty = DialectEntry { def: Cow::Owned(DialectDef::default()), hooks: Hooks::default() };
    let built = registry.dialect(&def.name).unwrap_or(&empty);
    let directives = Directives::of(registry, built);
    let mut work = Completion {
        built: &built.def,
        directives,
        hooks: built.hooks.clone(),
        disabled: Vec::new(),
        unverified: Vec::new(),
        stand_ins: Vec::new(),
        at: Source::default(),
    };
    let ops = def.ops.iter().map(|op| work.op(op.clone())).collect();
    let types = def.types.iter().map(|ty| work.ty(ty.clone())).collect();
    let attrs = def.attrs.iter().map(|attr| work.attr(attr.clone())).collect();
    let old = &*built.def;
    let def = DialectDef {
        ops: with_rest(ops, &old.ops, |op: &OpDef| &op.name),
        types: with_rest(types, &old.types, |ty: &TypeDef| &ty.name),
        attrs: with_rest(attrs, &old.attrs, |attr: &AttrKindDef| &attr.name),
        enums: with_rest(def.enums.to_vec(), &old.enums, |e: &EnumDef| &e.name),
        patterns: old.patterns.clone(),
        converters: old.converters.clone(),
        passes: old.passes.clone(),
        pipelines: old.pipelines.clone(),
        targets: old.targets.clone(),
        ..def
    };
    let Completion { hooks, mut disabled, unverified, stand_ins, at, .. } = work;
    let lists = [(DisabledReason::Unverified, unverified), (DisabledReason::StandIn, stand_ins)];
    for (reason, hooks) in lists.into_iter().filter(|(_, names)| !names.is_empty()) {
        let (definition, source) = (def.name.to_string(), at.clone());
        disabled.push(DisabledHooks { definition, source, reason, hooks });
    }
    (def, hooks, disabled)
}

/// New definitions, and those of the old ones that have no successor.
fn with_rest<T: Clone>(mut new: Vec<T>, old: &[T], name: impl Fn(&T) -> &str) -> List<T> {
    let rest: Vec<T> =
        old.iter().filter(|old| new.iter().all(|n| name(n) != name(old))).cloned().collect();
    new.extend(rest);
    Cow::Owned(new)
}

struct Completion<'a> {
    built: &'a DialectDef,
    directives: Directives,
    hooks: Hooks,
    disabled: Vec<DisabledHooks>,
    /// Ops whose verifier is C++.
    unverified: Vec<String>,
    /// Definitions whose syntax is C++, and that of the compiled ones instead.
    stand_ins: Vec<String>,
    at: Source,
}

impl Completion<'_> {
    fn op(&mut self, mut op: OpDef) -> OpDef {
        let built = self.built.ops.iter().find(|built| built.name == op.name);
        let fits = built.filter(|built| same_layout(built, &op));
        if let Some(built) = built {
            if names(&built.results) == names(&op.results) {
                op.result_names = built.result_names.clone();
            }
            if same(&built.regions, &op.regions, |a, b| a.name == b.name) {
                op.region_arg_names = built.region_arg_names.clone();
            }
        }
        if let Some(built) = fits {
            op.verifier = built.verifier.clone();
            op.symbol_verifier = built.symbol_verifier.clone();
            op.folder = built.folder.clone();
            op.successors = built.successors.clone();
            // What interfaces mean for an op is C++; the compiled traits say it.
            op.traits = built.traits.clone();
            let mut rules = op.type_rules.into_owned();
            rules.extend(
                built.type_rules.iter().filter(|r| !rules.contains(r)).cloned().collect::<Vec<_>>(),
            );
            op.type_rules = Cow::Owned(rules);
            if matches!(op.format, Format::Hook(_)) {
                op.format = built.format.clone();
            }
        } else {
            if op.verifier.take().is_some() {
                self.unverified.push(op.name.to_string());
                self.at = op.source.clone();
            }
            (op.symbol_verifier, op.folder) = (None, None);
            // Which operands are passed on is C++.
            op.traits.to_mut().retain(|t| t.name != "CallOpInterface");
            op.result_names.to_mut().retain(|hint| !matches!(hint, NameHint::Hook(_)));
        }
        let missing = match &op.format {
            Format::Hook(name) if fits.is_none() => vec![name.to_string()],
            Format::Program(elems) => {
                let mut missing = Vec::new();
                let (directives, hooks) = (&self.directives, &mut self.hooks);
                each_directive(elems, &mut |name, args| {
                    if !directives.install(name, args, hooks) {
                        missing.push(format!("custom<{name}>"));
                    }
                });
                missing
            }
            _ => Vec::new(),
        };
        if missing.is_empty() {
            return op;
        }
        let Some(built) = built else {
            self.unusable(&op.name, &op.source, missing);
            return OpDef { format: Format::Generic, ..op };
        };
        self.stands_in(&op.name, &op.source);
        match fits {
            Some(_) => OpDef { format: built.format.clone(), ..op },
            None => built.clone(),
        }
    }

    fn ty(&mut self, mut ty: TypeDef) -> TypeDef {
        let built = self.built.types.iter().find(|built| built.name == ty.name);
        if let Some(built) = built.filter(|b| same(&b.params, &ty.params, |a, b| a.name == b.name))
        {
            ty.params = built.params.clone();
            ty.verifier = built.verifier.clone();
            ty.alias = built.alias.clone();
            ty.traits = with_rest(ty.traits.into_owned(), &built.traits, |t| t);
            if !self.reads(&ty.format) {
                ty.format = built.format.clone();
            }
            return ty;
        }
        if self.reads(&ty.format) {
            return TypeDef { verifier: None, ..ty };
        }
        match built {
            Some(built) => {
                self.stands_in(&ty.name, &ty.source);
                built.clone()
            }
            None => {
                self.unusable(&ty.name, &ty.source, vec![ty.name.to_string()]);
                TypeDef { verifier: None, ..ty }
            }
        }
    }

    fn attr(&mut self, mut attr: AttrKindDef) -> AttrKindDef {
        let built = self.built.attrs.iter().find(|built| built.name == attr.name);
        if let Some(built) =
            built.filter(|b| same(&b.params, &attr.params, |a, b| a.name == b.name))
        {
            attr.params = built.params.clone();
            attr.verifier = built.verifier.clone();
            attr.encoding_verifier = built.encoding_verifier.clone();
            attr.alias = built.alias.clone();
            attr.traits = with_rest(attr.traits.into_owned(), &built.traits, |t| t);
            if !self.reads(&attr.format) {
                attr.format = built.format.clone();
            }
            return attr;
        }
        if self.reads(&attr.format) {
            return AttrKindDef { verifier: None, ..attr };
        }
        match built {
            Some(built) => {
                self.stands_in(&attr.name, &attr.source);
                built.clone()
            }
            None => {
                self.unusable(&attr.name, &attr.source, vec![attr.name.to_string()]);
                AttrKindDef { verifier: None, ..attr }
            }
        }
    }

    /// Whether the format of a type or attribute asks for nothing that is not compiled.
    fn reads(&self, format: &ParamFormat) -> bool {
        let ParamFormat::Program(elems) = format else {
            return matches!(format, ParamFormat::None);
        };
        let mut known = true;
        each_directive(elems, &mut |name, _| {
            known &= self.hooks.parse_param_directive.contains_key(name)
                && self.hooks.print_param_directive.contains_key(name);
        });
        known
    }

    fn stands_in(&mut self, name: &str, source: &Source) {
        self.stand_ins.push(name.to_owned());
        self.at = source.clone();
    }

    fn unusable(&mut self, name: &str, source: &Source, hooks: Vec<String>) {
        self.disabled.push(DisabledHooks {
            definition: name.to_owned(),
            source: source.clone(),
            reason: DisabledReason::Syntax,
            hooks,
        });
    }
}

fn names(values: &[ValueDef]) -> Vec<(&str, tegula_schema::Arity)> {
    values.iter().map(|value| (value.name.as_ref(), value.arity)).collect()
}

fn same<T>(left: &[T], right: &[T], equal: impl Fn(&T, &T) -> bool) -> bool {
    left.len() == right.len() && left.iter().zip(right).all(|(l, r)| equal(l, r))
}

/// Whether what is compiled for one op reads the other rightly.
fn same_layout(left: &OpDef, right: &OpDef) -> bool {
    names(&left.operands) == names(&right.operands)
        && names(&left.results) == names(&right.results)
        && same(&left.attrs, &right.attrs, |l, r| l.name == r.name)
        && same(&left.regions, &right.regions, |l, r| l.name == r.name && l.arity == r.arity)
        && same(&left.successors, &right.successors, |l, r| l.name == r.name)
}

/// The kinds of a directive's arguments, by which compiled hooks read them.
fn shape(args: &[FormatElem]) -> String {
    let kind = |arg: &FormatElem| match arg {
        FormatElem::Operand(_) | FormatElem::Operands => 'o',
        FormatElem::Type(_) | FormatElem::OperandTypes | FormatElem::ResultTypes => 't',
        FormatElem::Region(_) | FormatElem::Regions => 'r',
        FormatElem::Successor(_) | FormatElem::Successors => 's',
        FormatElem::AttrDict { .. } | FormatElem::PropDict => 'd',
        FormatElem::Literal(_) => 'l',
        _ => 'a',
    };
    let inner = |arg: &FormatElem| match arg {
        FormatElem::Ref(inner) => inner.first().map_or('?', |arg| kind(arg).to_ascii_uppercase()),
        FormatElem::Qualified(inner) => inner.first().map_or('?', kind),
        other => kind(other),
    };
    args.iter().map(inner).collect()
}

fn each_directive(elems: &[FormatElem], f: &mut dyn FnMut(&str, &[FormatElem])) {
    for elem in elems {
        match elem {
            FormatElem::Custom(name, args) => f(name, args),
            FormatElem::Optional { then, otherwise, .. } => {
                each_directive(then, f);
                each_directive(otherwise, f);
            }
            FormatElem::OiList(clauses) => {
                clauses.iter().for_each(|clause| each_directive(&clause.elems, f));
            }
            FormatElem::Qualified(inner) => each_directive(inner, f),
            _ => {}
        }
    }
}

/// Compiled directives by name and the kinds of their arguments.
struct Directives(FxHashMap<(String, String), Hooks>);

impl Directives {
    /// Those of a dialect before those of others.
    fn of(registry: &Registry, first: &DialectEntry) -> Directives {
        let mut known = FxHashMap::default();
        let others = registry.dialects().filter(|dialect| dialect.def.name != first.def.name);
        for dialect in std::iter::once(first).chain(others) {
            for op in dialect.def.ops.iter() {
                let Format::Program(elems) = &op.format else { continue };
                each_directive(elems, &mut |name, args| {
                    let (parse, print) =
                        (&dialect.hooks.parse_directive, &dialect.hooks.print_directive);
                    let (Some((key, parse)), Some(print)) =
                        (parse.get_key_value(name), print.get(name))
                    else {
                        return;
                    };
                    let mut hooks = Hooks::default();
                    hooks.parse_directive.insert(key, *parse);
                    hooks.print_directive.insert(key, *print);
                    known.entry((name.to_owned(), shape(args))).or_insert(hooks);
                });
            }
        }
        Directives(known)
    }

    /// Gives a dialect the hooks of a directive; false when there are none for these arguments.
    fn install(&self, name: &str, args: &[FormatElem], hooks: &mut Hooks) -> bool {
        let Some(found) = self.0.get(&(name.to_owned(), shape(args))) else { return false };
        hooks.parse_directive.extend(found.parse_directive.iter().map(|(k, v)| (*k, *v)));
        hooks.print_directive.extend(found.print_directive.iter().map(|(k, v)| (*k, *v)));
        true
    }
}

#[cfg(test)]
mod tests {
    use tegula_schema::AttrDef;

    use super::*;

    fn op(name: &'static str, attr: &'static str, directive: &'static str) -> OpDef {
        let args = vec![FormatElem::Attr(0)];
        OpDef {
            name: name.into(),
            attrs: vec![AttrDef { name: attr.into(), ..AttrDef::default() }].into(),
            format: Format::Program(vec![FormatElem::Custom(directive.into(), args.into())].into()),
            ..OpDef::default()
        }
    }

    /// `t.a` is compiled with a verifier and a directive; `t.b` has no other definition.
    fn registry() -> Registry {
        let mut hooks = Hooks::default();
        hooks.verify.insert("a", |_, _, _| Ok(()));
        hooks.parse_directive.insert("Known", |_, _| Ok(true));
        hooks.print_directive.insert("Known", |_, _, _| ());
        let a = OpDef { verifier: Some("a".into()), ..op("t.a", "n", "Known") };
        let ops = vec![a, op("t.b", "n", "Known")];
        let def = DialectDef { name: "t".into(), ops: ops.into(), ..DialectDef::default() };
        Registry::new([DialectEntry { def: Cow::Owned(def), hooks }])
    }

    fn install(ops: Vec<OpDef>) -> (Registry, Vec<DisabledHooks>) {
        let mut registry = registry();
        let disabled = registry.install_live(DialectDef {
            name: "t".into(),
            foreign: true,
            ops: ops.into(),
            ..DialectDef::default()
        });
        (registry, disabled)
    }

    fn installed<'r>(registry: &'r Registry, name: &str) -> Option<&'r OpDef> {
        registry.op(crate::OpName::of(name)).map(|info| info.def())
    }

    #[test]
    fn the_compiled_op_of_the_same_layout_gives_its_hooks() {
        let wanted = OpDef { verifier: Some("theirs".into()), ..op("t.a", "n", "Known") };
        let (registry, disabled) = install(vec![wanted]);
        assert_eq!(disabled, []);
        let verifier = installed(&registry, "t.a").and_then(|op| op.verifier.as_deref());
        assert_eq!(verifier, Some("a"));
        assert!(installed(&registry, "t.b").is_some(), "what is not defined anew stays");
    }

    #[test]
    fn another_layout_goes_without_the_hooks() {
        let wanted = OpDef { verifier: Some("theirs".into()), ..op("t.a", "other", "Known") };
        let (registry, disabled) = install(vec![wanted]);
        assert_eq!(disabled.len(), 1);
        assert_eq!(disabled[0].reason, DisabledReason::Unverified);
        assert_eq!(installed(&registry, "t.a").and_then(|op| op.verifier.as_deref()), None);
    }

    #[test]
    fn a_directive_that_is_not_compiled_is_told() {
        let (registry, disabled) = install(vec![op("t.a", "n", "New"), op("t.c", "n", "New")]);
        let told: Vec<_> = disabled.iter().map(|d| (d.definition.as_str(), d.reason)).collect();
        assert_eq!(told, [("t.c", DisabledReason::Syntax), ("t", DisabledReason::StandIn)]);
        let format = |name| installed(&registry, name).map(|op| op.format.clone());
        assert_eq!(format("t.c"), Some(Format::Generic));
        assert_eq!(format("t.a"), Some(op("t.a", "n", "Known").format));
    }
}
