//! The conversion driver: ops until all are legal, types by a type converter.
//!
//! Every op below the root, and the root, is looked at once, outer before inner, first before last;
//! ops that patterns make are looked at right away. Where a converted value meets a use of the
//! original type, or the other way round, a cast stands in between; casts that meet each other
//! cancel, and what is left of them at the end becomes the converter's cast ops. On failure the
//! body is as it was before.

use rustc_hash::FxHashMap;
use smallvec::smallvec;
use tegula_ir::{
    Attr, AttrData, BlockId, Body, InsertPoint, NewOp, OPERAND_SEGMENTS, OpId, RegionId, Registry,
    Type, TypeData, ValueId, ValueKind,
};
use tegula_schema::{CastDef, ConversionDef, ConverterDef, Str, TypeConversionDef};

use crate::apply::{Conversion, Editing, Outcome, perform, try_pattern};
use crate::expand::{Counts, divided, expanded};
use crate::fold::fold_to_values;
use crate::link::{Code, ConverterCode};
use crate::machine::{self, Registers, Scope, TypeList, Types, Values};
use crate::why::explain_with;
use crate::{
    Application, Bound, BrokenPattern, Explanation, Listener, PatternIndex, Patterns, Rewriter,
    order_uses,
};

/// The name of casts while a conversion runs.
const CAST: &str = "builtin.unrealized_conversion_cast";

/// Chains of patterns that make ops for each other are cut at this length.
const MAX_DEPTH: usize = 64;

/// What came of a conversion.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ConversionResult {
    /// Something was edited.
    pub changed: bool,
    /// The patterns that were applied, in order.
    pub applied: Vec<Application>,
}

/// Why a conversion failed; the body is as it was before.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ConversionError {
    /// An op must go and no pattern applies to it, or a cast could not go.
    Illegal {
        /// The op; it stands in the body as it was before the conversion.
        op: OpId,
        /// One sentence without a final stop.
        message: String,
        /// The patterns that were tried on the op, and why they do not apply; none where it is not
        /// up to patterns.
        tried: Option<Vec<Explanation>>,
    },
    /// Patterns make ops for each other without end.
    Endless {
        /// The op that they began with.
        op: OpId,
        /// One sentence without a final stop.
        message: String,
        /// The applications that made the last ops, each from what the one before had made.
        applied: Vec<Application>,
    },
    /// A pattern's program is wrong.
    Broken(BrokenPattern),
    /// The conversion's type converter is not there or does not run; one sentence says why.
    NoConverter(String),
}

/// A type converter, ready to run.
pub(crate) struct Converter<'a> {
    def: Option<&'a ConverterDef>,
    rules: Vec<(&'a Code, &'a TypeConversionDef)>,
    casts: Vec<(&'a Code, &'a CastDef)>,
    /// What types become; none for those that are refused.
    cache: FxHashMap<Type, Option<TypeList>>,
}

impl<'a> Converter<'a> {
    pub(crate) fn new(
        registry: &'a Registry,
        patterns: &'a Patterns,
        name: &str,
    ) -> Result<Converter<'a>, ConversionError> {
        let mut converter = Converter {
            def: None,
            rules: Vec::new(),
            casts: Vec::new(),
            cache: FxHashMap::default(),
        };
        if name.is_empty() {
            return Ok(converter);
        }
        let mut defs = registry.dialects().flat_map(|d| d.def.converters.iter());
        let def = defs.find(|def| def.name == name);
        let Some((def, linked)) = def.zip(patterns.converter(name)) else {
            let message = format!("no type converter is named `{name}`");
            return Err(ConversionError::NoConverter(message));
        };
        let ConverterCode { rules, casts } = linked.as_ref().map_err(|message| {
            let tegula_schema::Source { file, line } = &def.source;
            let message =
                format!("the type converter `{name}` ({file}:{line}) does not run: {message}");
            ConversionError::NoConverter(message)
        })?;
        converter.rules = rules.iter().zip(def.rules.iter()).collect();
        converter.casts = casts.iter().zip(def.casts.iter()).collect();
        converter.def = Some(def);
        Ok(converter)
    }

    /// What a type becomes; none when it is refused. Types inside of function types are converted
    /// one by one.
    fn convert(&mut self, registry: &Registry, body: &Body, ty: Type) -> Option<TypeList> {
        if let Some(known) = self.cache.get(&ty) {
            return known.clone();
        }
        let mut registers = Registers::default();
        let mut converted = None;
        for index in 0..self.rules.len() {
            let (code, rule) = self.rules[index];
            // A rule may convert the types that a type is made of.
            let mut inner = Inner { converter: self, whole: ty };
            let mut scope = Scope { registry, body, types: Some(&mut inner), failures: None };
            let matched = machine::run(&mut scope, code, Bound::Type(ty), &mut registers);
            let Some(rest) = matched else { continue };
            // The rule decides now; where its results do not exist the type has no conversion.
            let found = machine::search_from(&mut scope, code, rest, &mut registers);
            let types = rule.results.iter().flat_map(|&reg| registers.get(reg).types());
            let converts = found.is_some() && !rule.refused;
            converted = Some(converts.then(|| types.copied().collect()));
            break;
        }
        let converted = match (converted, ty.data()) {
            (Some(types), _) => types,
            (None, TypeData::Function { inputs, results }) => {
                let mut side = |types: &[Type]| -> Option<TypeList> {
                    let mut all = TypeList::new();
                    for &ty in types {
                        all.extend(self.convert(registry, body, ty)?);
                    }
                    Some(all)
                };
                let (inputs, results) = (side(inputs), side(results));
                match (inputs, results) {
                    (Some(inputs), Some(results)) => {
                        Some(smallvec![Type::function(&inputs, &results)])
                    }
                    _ => None,
                }
            }
            (None, _) => Some(smallvec![ty]),
        };
        self.cache.insert(ty, converted.clone());
        converted
    }

    fn is_legal(&mut self, registry: &Registry, body: &Body, ty: Type) -> bool {
        self.convert(registry, body, ty).is_some_and(|types| types.as_slice() == [ty])
    }
}

/// The converter as its own rules see it: within the rule for a type that type stays.
struct Inner<'c, 'a> {
    converter: &'c mut Converter<'a>,
    whole: Type,
}

impl Types for Inner<'_, '_> {
    fn convert_type(&mut self, registry: &Registry, body: &Body, ty: Type) -> Option<TypeList> {
        if ty == self.whole {
            return Some(smallvec![ty]);
        }
        self.converter.convert(registry, body, ty)
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Legality {
    Legal,
    Illegal,
    /// Illegal until its types are.
    TypeIllegal,
    Unknown,
}

pub(crate) struct State<'a> {
    patterns: &'a Patterns,
    /// What says which ops are legal.
    rules: PatternIndex,
    registry: &'a Registry,
    conversion: &'a ConversionDef,
    converter: Converter<'a>,
    /// Casts of original values, by value.
    casts: FxHashMap<ValueId, Values>,
}

#[derive(Default)]
struct Made {
    ops: Vec<OpId>,
    /// These, casts, and what was moved or changed in place.
    touched: Vec<OpId>,
}

impl Listener for Made {
    fn op_inserted(&mut self, body: &Body, op: OpId) {
        self.touched.push(op);
        if !body.is(op, CAST) {
            self.ops.push(op);
        }
    }

    /// Its turn comes, or it was looked at already.
    fn op_moved(&mut self, _body: &Body, op: OpId) {
        self.touched.push(op);
    }

    fn op_modified(&mut self, _body: &Body, op: OpId) {
        self.touched.push(op);
    }
}

/// Converts an op and all that is in its regions.
pub fn convert(
    registry: &Registry,
    patterns: &Patterns,
    conversion: &ConversionDef,
    body: &mut Body,
    root: OpId,
) -> Result<ConversionResult, ConversionError> {
    let state = State::new(registry, patterns, conversion)?;
    let before = body.clone();
    order_uses(body, root);
    let mut driver = Driver {
        state,
        index: patterns.select(&conversion.groups),
        registers: Registers::default(),
        result: ConversionResult::default(),
        chain: Vec::new(),
    };
    match driver.run(body, root) {
        Ok(()) => Ok(driver.result),
        Err(error) => {
            *body = before;
            // An op that a pattern made is gone again; the root stands for it.
            let gone = |op: OpId| op.index() >= body.bounds().0 || body.is_erased(op);
            Err(match error {
                ConversionError::Illegal { op, message, tried } if gone(op) => {
                    ConversionError::Illegal { op: root, message, tried }
                }
                error => error,
            })
        }
    }
}

struct Driver<'a> {
    state: State<'a>,
    index: std::sync::Arc<PatternIndex>,
    registers: Registers,
    result: ConversionResult,
    /// What has led from an op of the original body to the op that is looked at, by the numbers of
    /// the applications; folder hooks have none.
    chain: Vec<Option<usize>>,
}

impl Driver<'_> {
    fn run(&mut self, body: &mut Body, root: OpId) -> Result<(), ConversionError> {
        let all: Vec<OpId> = body.walk(root).collect();
        for op in all {
            if !body.is_erased(op) && !self.state.in_opaque(body, op, root) {
                self.legalize(body, op, op)?;
            }
        }
        self.settle_casts(body)
    }

    /// Makes an op legal. `origin` is the op of the original body that it is due to.
    fn legalize(&mut self, body: &mut Body, op: OpId, origin: OpId) -> Result<(), ConversionError> {
        let legality = self.state.legality(body, op);
        if legality == Legality::Legal {
            return Ok(());
        }
        if self.chain.len() == MAX_DEPTH {
            let message = format!("patterns keep making `{}` without end", body.name(op));
            let last = self.chain.iter().skip(MAX_DEPTH / 2).flatten();
            let applied = last.filter_map(|&number| self.result.applied.get(number)).cloned();
            let applied = applied.collect();
            return Err(ConversionError::Endless { op: origin, message, applied });
        }
        if self.fold(body, op, origin)? {
            return Ok(());
        }
        let index = self.index.clone();
        for pattern in index.of(body.name(op)) {
            let (name, loc) = (body.name(op), body.loc(op));
            let mut made = Made::default();
            let mut rw = Rewriter::with_listener(body, self.state.registry, &mut made);
            let mut with = Editing {
                patterns: self.state.patterns,
                registers: &mut self.registers,
                conversion: Some(&mut self.state),
                folds: Vec::new(),
            };
            let outcome = try_pattern(&mut rw, pattern, op, &mut with);
            match outcome {
                Ok(Outcome::NoMatch | Outcome::Folded(_)) => continue,
                Ok(Outcome::Rewritten) => {}
                Err(message) => {
                    return Err(ConversionError::Broken(BrokenPattern {
                        pattern: pattern.name().to_owned(),
                        source: pattern.source().clone(),
                        op: origin,
                        message,
                    }));
                }
            }
            let folds = with.folds;
            self.result.changed = true;
            self.chain.push(Some(self.result.applied.len()));
            self.result.applied.push(Application::new(pattern, (name, loc), made.touched));
            self.result.applied.extend(folds);
            self.legalize_all(body, &made.ops, origin)?;
            // What was changed in place may need another pattern.
            if !body.is_erased(op) && self.state.legality(body, op) != Legality::Unknown {
                self.legalize(body, op, origin)?;
            }
            self.chain.pop();
            return Ok(());
        }
        let failed = |driver: &mut Self, message: String| {
            let patterns = index.of(body.name(op)).iter();
            let registry = driver.state.registry;
            let tried = patterns
                .map(|pattern| explain_with(registry, body, pattern, op, Some(&mut driver.state)));
            ConversionError::Illegal { op: origin, message, tried: Some(tried.collect()) }
        };
        match legality {
            Legality::TypeIllegal => {
                let mut rw = Rewriter::new(body, self.state.registry);
                match self.state.convert_types(&mut rw, op) {
                    Ok(()) => {
                        self.result.changed = true;
                        Ok(())
                    }
                    Err(message) => {
                        let name = body.name(op);
                        let message = format!(
                            "failed to legalize operation '{name}' that was explicitly marked \
                             illegal: {message}"
                        );
                        Err(ConversionError::Illegal { op: origin, message, tried: None })
                    }
                }
            }
            Legality::Illegal => {
                let name = body.name(op);
                let message = format!(
                    "failed to legalize operation '{name}' that was explicitly marked illegal"
                );
                Err(failed(self, message))
            }
            Legality::Unknown if self.state.conversion.full => {
                let name = body.name(op);
                Err(failed(self, format!("failed to legalize operation '{name}'")))
            }
            Legality::Unknown | Legality::Legal => Ok(()),
        }
    }

    fn legalize_all(
        &mut self,
        body: &mut Body,
        ops: &[OpId],
        origin: OpId,
    ) -> Result<(), ConversionError> {
        for &op in ops {
            if !body.is_erased(op) {
                self.legalize(body, op, origin)?;
            }
        }
        Ok(())
    }

    /// Folds an op that is not legal; true when it is gone.
    fn fold(&mut self, body: &mut Body, op: OpId, origin: OpId) -> Result<bool, ConversionError> {
        let registry = self.state.registry;
        let (name, loc) = (body.name(op), body.loc(op));
        let info = registry.op(name);
        if info.is_none_or(|info| info.constant_like) {
            return Ok(false);
        }
        let mut made = Made::default();
        let mut rw = Rewriter::with_listener(body, registry, &mut made);
        let folded = fold_to_values(&mut rw, self.state.patterns, op, &mut self.registers);
        let Some((values, fold)) = folded else { return Ok(false) };
        let parts: Vec<Values> = values.into_iter().map(|value| smallvec![value]).collect();
        if let Err(message) = self.state.replace(&mut rw, op, &parts) {
            return Err(ConversionError::Illegal { op: origin, message, tried: None });
        }
        self.result.changed = true;
        self.chain.push(fold.map(|_| self.result.applied.len()));
        let applied = fold.map(|fold| Application::new(fold, (name, loc), made.touched));
        self.result.applied.extend(applied);
        self.legalize_all(body, &made.ops, origin)?;
        self.chain.pop();
        Ok(true)
    }

    /// Cancels casts against each other, and makes what is left the converter's ops.
    fn settle_casts(&mut self, body: &mut Body) -> Result<(), ConversionError> {
        let casts: Vec<OpId> = body.walk_all().filter(|&op| body.is(op, CAST)).collect();
        let mut rw = Rewriter::new(body, self.state.registry);
        for &cast in &casts {
            let source = rw.body.operands(cast).next();
            let source = source.and_then(|value| rw.body.defining_op(value));
            let Some(source) = source.filter(|&op| rw.body.is(op, CAST)) else { continue };
            if !rw.body.results(source).eq(rw.body.operands(cast)) {
                continue;
            }
            let types: TypeList = rw.body.results(cast).map(|r| rw.body.ty(r)).collect();
            let values: Values = rw.body.operands(source).collect();
            let fits = values.iter().map(|&v| rw.body.ty(v)).eq(types.iter().copied());
            let values =
                if fits { Some(values) } else { self.materialize(&mut rw, cast, &values, &types)? };
            for (from, to) in rw.body.results(cast).zip(values.unwrap_or_default()) {
                rw.replace_all_uses(from, to);
            }
        }
        // Users come after what they use, so that a backward sweep finds chains of unused casts.
        for &cast in casts.iter().rev() {
            if rw.body.results_unused(cast) {
                rw.erase(cast);
            }
        }
        for &cast in &casts {
            if rw.body.is_erased(cast) || !self.state.ours(rw.body, cast) {
                continue;
            }
            let to_original = self.state.to_original(rw.body, cast);
            let types: TypeList = rw.body.results(cast).map(|r| rw.body.ty(r)).collect();
            let from: Values = rw.body.operands(cast).collect();
            if let Some(values) = self.materialize(&mut rw, cast, &from, &types)? {
                rw.replace(cast, &values);
                continue;
            }
            let name = self.state.converter.def.map(|def| {
                if to_original { def.source_cast.as_ref() } else { def.target_cast.as_ref() }
            });
            match name {
                Some(name) if !name.is_empty() => {
                    rw.replace_with(cast, NewOp::new(name).operands(from).results(types));
                }
                _ => {
                    let user = rw.body.results(cast).find_map(|r| rw.body.users(r).last());
                    let name = user.map_or("an op", |user| rw.body.name(user).as_str());
                    let side = if to_original { "the original" } else { "a converted" };
                    let mut message = format!("`{name}` still needs a value of {side} type");
                    if let Some(last) = Application::last_on(&self.result.applied, cast) {
                        let types: Vec<String> =
                            from.iter().map(|&value| rw.body.ty(value).to_string()).collect();
                        message += &format!("; {last} gives `{}` for it", types.join(", "));
                    }
                    return Err(ConversionError::Illegal {
                        op: user.unwrap_or(cast),
                        message,
                        tried: None,
                    });
                }
            }
        }
        Ok(())
    }

    /// Makes values of these types from others, as the converter declares, right before a cast.
    fn materialize(
        &mut self,
        rw: &mut Rewriter<'_>,
        cast: OpId,
        from: &[ValueId],
        types: &[Type],
    ) -> Result<Option<Values>, ConversionError> {
        let subject = match from {
            &[value] => Bound::Value(value),
            values => Bound::Values(values.to_vec()),
        };
        for (code, def) in &self.state.converter.casts {
            self.registers.start(code.registers);
            self.registers.set(0, subject.clone());
            self.registers.set(1, Bound::Types(types.to_vec()));
            let mut scope = Scope::new(rw.registry, &*rw.body);
            let Some(start) = machine::search(&mut scope, code, &mut self.registers) else {
                continue;
            };
            rw.set_insertion_point(InsertPoint::Before(cast));
            let mut with = Editing {
                patterns: self.state.patterns,
                registers: &mut self.registers,
                conversion: None,
                folds: Vec::new(),
            };
            let broken = |message: String| {
                ConversionError::Broken(BrokenPattern {
                    pattern: "the cast of a type converter".to_owned(),
                    source: def.source.clone(),
                    op: cast,
                    message,
                })
            };
            perform(rw, code, start, &mut with).map_err(broken)?;
            self.result.applied.append(&mut with.folds);
            let values = machine::values_of(rw.body, self.registers.get(def.result));
            return match values.iter().map(|&v| rw.body.ty(v)).eq(types.iter().copied()) {
                true => Ok(Some(values)),
                false => Err(broken("it gives a value of another type".to_owned())),
            };
        }
        Ok(None)
    }
}

fn names(list: &[Str], name: &str) -> bool {
    list.iter().any(|n| n == name)
}

impl<'a> State<'a> {
    pub(crate) fn new(
        registry: &'a Registry,
        patterns: &'a Patterns,
        conversion: &'a ConversionDef,
    ) -> Result<State<'a>, ConversionError> {
        Ok(State {
            patterns,
            rules: patterns.legality(&conversion.groups),
            registry,
            conversion,
            converter: Converter::new(registry, patterns, &conversion.converter)?,
            casts: FxHashMap::default(),
        })
    }
}

impl State<'_> {
    fn legality(&mut self, body: &Body, op: OpId) -> Legality {
        let name = body.name(op);
        let conversion = self.conversion;
        if names(&conversion.opaque, name.as_str()) {
            return Legality::Legal;
        }
        let mut declared = false;
        for index in 0..self.rules.of(name).len() {
            let Some(rule) = self.rules.of(name).get(index).cloned() else { continue };
            declared = true;
            let mut registers = Registers::default();
            let registry = self.registry;
            let mut scope = Scope { registry, body, types: Some(&mut *self), failures: None };
            if machine::run(&mut scope, &rule.code, Bound::Op(op), &mut registers).is_some() {
                return Legality::Legal;
            }
        }
        if declared {
            return Legality::Illegal;
        }
        // What is said of the op goes before what is said of its dialect.
        for name in [name.as_str(), name.dialect()] {
            if names(&conversion.illegal, name) {
                return Legality::Illegal;
            }
            if names(&conversion.type_legal, name) {
                return if self.types_legal(body, op) {
                    Legality::Legal
                } else {
                    Legality::TypeIllegal
                };
            }
            if names(&conversion.legal, name) {
                return Legality::Legal;
            }
        }
        Legality::Unknown
    }

    /// Whether an op lies within one whose regions are not looked at.
    fn in_opaque(&self, body: &Body, op: OpId, root: OpId) -> bool {
        if self.conversion.opaque.is_empty() {
            return false;
        }
        let mut at = op;
        while at != root
            && let Some(outer) = body.parent_op(at)
        {
            if names(&self.conversion.opaque, body.name(outer).as_str()) {
                return true;
            }
            at = outer;
        }
        false
    }

    fn types_legal(&mut self, body: &Body, op: OpId) -> bool {
        let registry = self.registry;
        let args = body
            .regions(op)
            .iter()
            .flat_map(|&region| body.blocks(region))
            .flat_map(|block| body.block_args(block).iter().copied());
        let values: Vec<ValueId> = body.operands(op).chain(body.results(op)).chain(args).collect();
        let attrs = body.attr_entries(op).iter().filter_map(|(_, attr)| attr.as_type());
        values
            .into_iter()
            .map(|value| body.ty(value))
            .chain(attrs)
            .all(|ty| self.converter.is_legal(registry, body, ty))
    }

    /// Whether a cast is one of this conversion.
    fn ours(&self, body: &Body, cast: OpId) -> bool {
        self.to_original(body, cast)
            || body.operands(cast).next().is_some_and(|v| self.casts.contains_key(&v))
    }

    /// Whether a cast leads from converted values to one of the original type.
    fn to_original(&self, body: &Body, cast: OpId) -> bool {
        body.attr(cast, SOURCE_MARK).is_some()
    }

    /// Gives an op that has no pattern converted operands, results, block arguments and types in
    /// attributes.
    fn convert_types(&mut self, rw: &mut Rewriter<'_>, op: OpId) -> Result<(), String> {
        for index in 0..rw.body.regions(op).len() {
            self.convert_region(rw, op, index)?;
        }
        let mut operands = Vec::new();
        let mut counts = Vec::new();
        let old: Values = rw.body.operands(op).collect();
        for value in old {
            let parts = self.remap(rw, value)?;
            counts.push(parts.len());
            operands.extend(parts);
        }
        let result_types: Vec<TypeList> = rw
            .body
            .results(op)
            .map(|r| self.converted(rw.body, rw.body.ty(r)))
            .collect::<Result<_, _>>()?;
        let signature = self.signature(rw.body, op, &counts, &result_types)?;
        let signature = Counts { arguments: &signature[0], results: &signature[1] };
        let mut entries = Vec::new();
        for &(name, attr) in rw.body.attr_entries(op) {
            let attr = match attr.as_type() {
                Some(ty) => match self.converted(rw.body, ty)?.as_slice() {
                    [one] => Attr::ty(*one),
                    _ => return Err(format!("the type in `{name}` does not become just one")),
                },
                None => expanded(name.as_str(), attr, &signature)
                    .or_else(|| divided(self.registry, rw.body, op, name.as_str(), &counts))
                    .unwrap_or(attr),
            };
            entries.push((name, attr));
        }
        if let Some(AttrData::DenseArray { values, .. }) =
            rw.body.attr(op, OPERAND_SEGMENTS).map(|attr| attr.data())
        {
            let mut at = 0;
            let sizes = values.iter().map(|&size| {
                let size = usize::try_from(size).unwrap_or(0);
                let group = counts.iter().skip(at).take(size).sum::<usize>();
                at += size;
                i32::try_from(group).unwrap_or(i32::MAX)
            });
            let sizes: Vec<i32> = sizes.collect();
            let name = tegula_ir::Ident::of(OPERAND_SEGMENTS);
            entries.retain(|(n, _)| *n != name);
            entries.push((name, Attr::i32_array(&sizes)));
        }
        let attrs = Attr::dict(entries);
        let results_stay = rw
            .body
            .results(op)
            .zip(&result_types)
            .all(|(r, types)| types.as_slice() == [rw.body.ty(r)]);
        if results_stay {
            rw.set_operands(op, &operands);
            rw.set_attrs(op, attrs);
            return Ok(());
        }
        let mut new = NewOp::new(rw.body.name(op))
            .operands(operands)
            .attrs(attrs)
            .results(result_types.iter().flatten().copied())
            .regions(rw.body.regions(op).len())
            .loc(rw.body.loc(op));
        for &successor in rw.body.successors(op) {
            new = new.successor(successor);
        }
        let made = rw.insert(InsertPoint::Before(op), new);
        let regions: Vec<(RegionId, RegionId)> = rw
            .body
            .regions(op)
            .iter()
            .copied()
            .zip(rw.body.regions(made).iter().copied())
            .collect();
        for (from, to) in regions {
            rw.take_region(from, to);
        }
        let mut at = rw.body.results(made);
        let parts: Vec<Values> =
            result_types.iter().map(|types| at.by_ref().take(types.len()).collect()).collect();
        self.replace(rw, op, &parts)
    }
}

impl State<'_> {
    /// How many values the arguments and the results of an op become: those of its function type,
    /// or its own.
    fn signature(
        &mut self,
        body: &Body,
        op: OpId,
        operands: &[usize],
        results: &[TypeList],
    ) -> Result<[Vec<usize>; 2], String> {
        let ty = body.attr(op, "function_type").and_then(Attr::as_type);
        let Some((inputs, outputs)) = ty.and_then(Type::as_function) else {
            return Ok([operands.to_vec(), results.iter().map(TypeList::len).collect()]);
        };
        let mut count = |types: &[Type]| -> Result<Vec<usize>, String> {
            types.iter().map(|&ty| Ok(self.converted(body, ty)?.len())).collect()
        };
        Ok([count(inputs)?, count(outputs)?])
    }
}

/// Marks casts that lead back to an original type; it goes with them.
const SOURCE_MARK: &str = "to_original";

impl Types for Converter<'_> {
    fn convert_type(&mut self, registry: &Registry, body: &Body, ty: Type) -> Option<TypeList> {
        self.convert(registry, body, ty)
    }
}

impl Types for State<'_> {
    fn convert_type(&mut self, registry: &Registry, body: &Body, ty: Type) -> Option<TypeList> {
        self.converter.convert(registry, body, ty)
    }
}

impl Conversion for State<'_> {
    fn remap(&mut self, rw: &mut Rewriter<'_>, value: ValueId) -> Result<Values, String> {
        let ty = rw.body.ty(value);
        let types = self.converted(rw.body, ty)?;
        if types.as_slice() == [ty] {
            return Ok(smallvec![value]);
        }
        if let Some(def) = rw.body.defining_op(value)
            && rw.body.is(def, CAST)
            && rw.body.operands(def).map(|v| rw.body.ty(v)).eq(types.iter().copied())
        {
            return Ok(rw.body.operands(def).collect());
        }
        if let Some(known) = self.casts.get(&value) {
            return Ok(known.clone());
        }
        let at = match rw.body.definition(value) {
            ValueKind::Result(op, _) => InsertPoint::After(op),
            ValueKind::Arg(block, _) => InsertPoint::Start(block),
        };
        let cast = rw.insert(at, NewOp::new(CAST).operand(value).results(types));
        let values: Values = rw.body.results(cast).collect();
        self.casts.insert(value, values.clone());
        Ok(values)
    }

    fn parts(&mut self, rw: &mut Rewriter<'_>, value: ValueId) -> Result<Values, String> {
        match rw.body.defining_op(value).filter(|&def| rw.body.is(def, CAST)) {
            Some(cast) if self.to_original(rw.body, cast) => Ok(rw.body.operands(cast).collect()),
            _ => self.remap(rw, value),
        }
    }

    fn convert_region(
        &mut self,
        rw: &mut Rewriter<'_>,
        op: OpId,
        index: usize,
    ) -> Result<(), String> {
        let region = rw.body.region(op, index).ok_or("the region does not exist")?;
        let blocks: Vec<BlockId> = rw.body.blocks(region).collect();
        for block in blocks {
            let old: Vec<ValueId> = rw.body.block_args(block).to_vec();
            let types: Vec<TypeList> = old
                .iter()
                .map(|&arg| self.converted(rw.body, rw.body.ty(arg)))
                .collect::<Result<_, _>>()?;
            if old.iter().zip(&types).all(|(&arg, types)| types.as_slice() == [rw.body.ty(arg)]) {
                continue;
            }
            // All arguments are made anew, in order, and the old ones go.
            for (&arg, types) in old.iter().zip(&types) {
                let parts: Vec<ValueId> =
                    types.iter().map(|&ty| rw.add_block_arg(block, ty)).collect();
                self.stand_in(rw, arg, &parts, InsertPoint::Start(block));
            }
            for index in (0..old.len()).rev() {
                rw.remove_block_arg(block, index);
            }
        }
        Ok(())
    }

    fn replace(&mut self, rw: &mut Rewriter<'_>, op: OpId, with: &[Values]) -> Result<(), String> {
        for (result, parts) in rw.body.results(op).zip(with) {
            self.stand_in(rw, result, parts, InsertPoint::Before(op));
        }
        rw.erase(op);
        Ok(())
    }

    fn stand_for(
        &mut self,
        rw: &mut Rewriter<'_>,
        value: ValueId,
        with: &[ValueId],
        at: InsertPoint,
    ) {
        self.stand_in(rw, value, with, at);
    }
}

impl State<'_> {
    /// What a type becomes.
    fn converted(&mut self, body: &Body, ty: Type) -> Result<TypeList, String> {
        let converted = self.converter.convert(self.registry, body, ty);
        converted.ok_or_else(|| {
            let ty = tegula_ir::text::print_type(self.registry, ty);
            format!("the type `{ty}` cannot be converted")
        })
    }

    /// Lets `parts` stand for a value in all of its uses, with a cast when types differ.
    fn stand_in(
        &mut self,
        rw: &mut Rewriter<'_>,
        value: ValueId,
        parts: &[ValueId],
        at: InsertPoint,
    ) {
        // Uses that a cast has converted already take the parts as they are.
        if let Some(known) = self.casts.remove(&value)
            && known.len() == parts.len()
            && known.iter().zip(parts).all(|(&a, &b)| rw.body.ty(a) == rw.body.ty(b))
        {
            for (&from, &to) in known.iter().zip(parts) {
                rw.replace_all_uses(from, to);
            }
            if let Some(cast) = known.first().and_then(|&v| rw.body.defining_op(v)) {
                rw.erase(cast);
            }
        }
        if rw.body.is_unused(value) {
            return;
        }
        match parts {
            [one] if rw.body.ty(*one) == rw.body.ty(value) => rw.replace_all_uses(value, *one),
            _ => {
                let new = NewOp::new(CAST)
                    .operands(parts.iter().copied())
                    .result(rw.body.ty(value))
                    .attr(SOURCE_MARK, Attr::unit());
                let cast = rw.insert(at, new);
                let cast = rw.body.result(cast, 0);
                rw.replace_all_uses(value, cast);
            }
        }
    }
}
