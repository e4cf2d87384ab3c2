//! The installed definitions.

use std::borrow::Cow;
use std::sync::{Arc, OnceLock};

use rustc_hash::FxHashMap;
use tegula_schema::{
    AttrKindDef, DialectDef, EnumDef, OpDef, PassDef, PatternDef, PipelineDef, TypeDef,
};

use crate::verify::op::is_agreeing;
use crate::verify::promises::has_promises;
use crate::{Attr, AttrData, Hooks, Ident, OpName, OpTable, Type, TypeData, text};

/// One dialect as it is installed: its tables, from either source, and its Rust hooks.
#[derive(Clone)]
pub struct DialectEntry {
    /// The tables.
    pub def: Cow<'static, DialectDef>,
    /// The hooks that the tables name.
    pub hooks: Hooks,
}

/// A set of installed dialects. Immutable: a live edit makes a new registry.
#[derive(Clone, Default)]
pub struct Registry {
    dialects: Vec<Arc<DialectEntry>>,
    ops: OpTable<OpInfo>,
    /// Positions of dialect types, attributes and enums, by full name (enums by definition name).
    types: FxHashMap<String, (usize, usize)>,
    attrs: FxHashMap<String, (usize, usize)>,
    enums: FxHashMap<String, (usize, usize)>,
    enum_attrs: FxHashMap<String, (usize, usize)>,
}

/// What the registry knows of an op, with the traits that passes ask for most as flags.
#[derive(Clone)]
pub struct OpInfo {
    dialect: Arc<DialectEntry>,
    index: usize,
    /// The op ends its block (`Terminator`).
    pub terminator: bool,
    /// The op has no side effect and may be moved and erased (`Pure`, or `NoMemoryEffect` with
    /// `AlwaysSpeculatable`).
    pub pure: bool,
    /// The op reads and writes nothing (`NoMemoryEffect`).
    pub no_memory_effect: bool,
    /// The op's regions see no value from outside (`IsolatedFromAbove`).
    pub isolated: bool,
    /// The op defines a symbol (`Symbol`).
    pub symbol: bool,
    /// The op holds a symbol table (`SymbolTable`).
    pub symbol_table: bool,
    /// The op's value is its attribute `value`, or its only one (`ConstantLike`).
    pub constant_like: bool,
    /// The op's value is the zero of its type (`ConstantZero`).
    pub constant_zero: bool,
    /// The operands commute (`Commutative`).
    pub commutative: bool,
    /// The op's effects are those of what its regions hold (`RecursiveMemoryEffects`).
    pub recursive_effects: bool,
    /// Traits promise something of operands or regions that the verifier has to look at.
    pub(crate) promises: bool,
    /// The blocks of the op's regions end with a terminator.
    pub(crate) needs_terminators: bool,
    /// In the op's regions values need not come before their uses.
    pub(crate) graph: bool,
    /// The op's regions have one block (`SingleBlock`).
    pub(crate) single_block: bool,
    /// Traits say which op holds the op, or how its regions end.
    pub(crate) placed: bool,
    /// Attributes say how many operands each group has (`AttrSizedOperandSegments`).
    pub(crate) sized_operands: bool,
    /// Likewise of results (`AttrSizedResultSegments`).
    pub(crate) sized_results: bool,
    /// The op is a function (`FunctionOpInterface`).
    pub(crate) function: bool,
    /// The operands agree, of which there is at least one then.
    pub(crate) agreeing: bool,
    /// Some attribute may be absent and has a value then.
    pub(crate) has_defaults: bool,
    /// Ops and what they refer to by name have to be looked at together.
    pub(crate) refers: bool,
    /// The names of the op's attributes in order.
    attr_names: Box<[Ident]>,
    /// What stands for each absent attribute, once that was asked for.
    defaults: Box<[OnceLock<Option<Attr>>]>,
}

impl OpInfo {
    /// The op's table.
    pub fn def(&self) -> &OpDef {
        &self.dialect.def.ops[self.index]
    }

    /// The dialect that defines it.
    pub fn dialect(&self) -> &DialectEntry {
        &self.dialect
    }

    /// The number of the op's attribute of that name.
    #[inline]
    pub(crate) fn attr_index(&self, name: Ident) -> Option<usize> {
        self.attr_names.iter().position(|&known| known == name)
    }

    /// The names of the op's attributes in order.
    #[inline]
    pub(crate) fn attr_names(&self) -> &[Ident] {
        &self.attr_names
    }

    /// The value that stands for the op's attribute of that number where it is absent. `registry`
    /// is the one that holds this.
    pub fn attr_default(&self, registry: &Registry, attr: usize) -> Option<Attr> {
        let known = self.defaults.get(attr)?;
        *known.get_or_init(|| text::attr_default(registry, &self.def().attrs[attr]))
    }
}

impl Registry {
    /// A registry of these dialects; a later one replaces an earlier one of the same name.
    pub fn new(entries: impl IntoIterator<Item = DialectEntry>) -> Registry {
        let mut registry = Registry::default();
        for entry in entries {
            registry.install(entry);
        }
        registry
    }

    /// Adds a dialect, or replaces the one of the same name.
    pub fn install(&mut self, entry: DialectEntry) {
        let entry = Arc::new(entry);
        match self.dialects.iter().position(|d| d.def.name == entry.def.name) {
            Some(at) => {
                let name = entry.def.name.as_ref();
                self.ops.retain(|info| info.dialect.def.name != name);
                self.dialects[at] = entry.clone();
            }
            None => self.dialects.push(entry.clone()),
        }
        self.index_names();
        // Defaults may be attributes of this dialect.
        for info in self.ops.values_mut() {
            info.defaults.fill_with(OnceLock::new);
        }
        for (index, op) in entry.def.ops.iter().enumerate() {
            let no_memory_effect = op.has_trait("Pure") || op.has_trait("NoMemoryEffect");
            let info = OpInfo {
                dialect: entry.clone(),
                index,
                terminator: op.has_trait("Terminator"),
                pure: op.has_trait("Pure")
                    || (no_memory_effect && op.has_trait("AlwaysSpeculatable")),
                no_memory_effect,
                isolated: op.has_trait("IsolatedFromAbove"),
                symbol: op.has_trait("Symbol"),
                symbol_table: op.has_trait("SymbolTable"),
                constant_like: op.has_trait("ConstantLike"),
                constant_zero: op.has_trait("ConstantZero"),
                commutative: op.has_trait("Commutative"),
                recursive_effects: op.has_trait("RecursiveMemoryEffects"),
                promises: has_promises(op),
                needs_terminators: !op.has_trait("NoTerminator")
                    && !op.has_trait("GraphRegionNoTerminator"),
                graph: op.has_trait("HasOnlyGraphRegion")
                    || op.has_trait("GraphRegionNoTerminator"),
                single_block: op.has_trait("SingleBlock")
                    || op.has_trait("SingleBlockImplicitTerminator"),
                placed: ["HasParent", "ParentOneOf", "SingleBlockImplicitTerminator"]
                    .iter()
                    .any(|name| op.has_trait(name)),
                sized_operands: op.has_trait("AttrSizedOperandSegments"),
                sized_results: op.has_trait("AttrSizedResultSegments"),
                agreeing: is_agreeing(op),
                function: op.has_trait("FunctionOpInterface"),
                has_defaults: op.attrs.iter().any(|attr| attr.default.is_some()),
                refers: op.has_trait("CallOpInterface") || op.symbol_verifier.is_some(),
                attr_names: op.attrs.iter().map(|attr| Ident::of(&attr.name)).collect(),
                defaults: op.attrs.iter().map(|_| OnceLock::new()).collect(),
            };
            self.ops.insert(OpName::of(&op.name), info);
        }
    }

    /// What is known of an op; none when no installed dialect defines it.
    #[inline]
    pub fn op(&self, name: OpName) -> Option<&OpInfo> {
        self.ops.get(name)
    }

    /// The installed dialects in order.
    pub fn dialects(&self) -> impl Iterator<Item = &DialectEntry> {
        self.dialects.iter().map(|d| &**d)
    }

    /// The dialect of that name.
    pub fn dialect(&self, name: &str) -> Option<&DialectEntry> {
        self.dialects().find(|d| d.def.name == name)
    }

    fn index_names(&mut self) {
        let Registry { dialects, types, attrs, enums, enum_attrs, .. } = self;
        for table in [&mut *types, attrs, enums, enum_attrs] {
            table.clear();
        }
        for (d, entry) in dialects.iter().enumerate() {
            for (i, ty) in entry.def.types.iter().enumerate() {
                types.entry(ty.name.to_string()).or_insert((d, i));
            }
            for (i, attr) in entry.def.attrs.iter().enumerate() {
                attrs.entry(attr.name.to_string()).or_insert((d, i));
            }
            for (i, e) in entry.def.enums.iter().enumerate() {
                enums.entry(e.name.to_string()).or_insert((d, i));
                if !e.attr_name.is_empty() {
                    enum_attrs.entry(e.attr_name.to_string()).or_insert((d, i));
                }
            }
        }
    }

    /// The dialect that defines a dialect type, and its table. `name` is full: `stream.resource`.
    pub fn ty(&self, name: &str) -> Option<(&DialectEntry, &TypeDef)> {
        let &(d, i) = self.types.get(name)?;
        Some((&self.dialects[d], &self.dialects[d].def.types[i]))
    }

    /// The dialect that defines a dialect attribute, and its table. `name` is full.
    pub fn attr(&self, name: &str) -> Option<(&DialectEntry, &AttrKindDef)> {
        let &(d, i) = self.attrs.get(name)?;
        Some((&self.dialects[d], &self.dialects[d].def.attrs[i]))
    }

    /// The number of dynamic dimensions of a type; of a dialect type with the trait `ShapedType`,
    /// those of the types that it is made of.
    pub fn dynamic_dims(&self, ty: Type) -> usize {
        let TypeData::Dialect { name, params } = ty.data() else { return ty.dynamic_dims() };
        let shaped = self.ty(name.as_str());
        if !shaped.is_some_and(|(_, def)| def.traits.iter().any(|t| t == "ShapedType")) {
            return 0;
        }
        params.iter().filter_map(|param| param.as_type()).map(Type::dynamic_dims).sum()
    }

    /// Whether a tensor may have an attribute as its encoding, or a memref as its layout.
    pub fn verify_encoding(&self, attr: Attr, ty: Type) -> Result<(), String> {
        let AttrData::Dialect { name, params } = attr.data() else { return Ok(()) };
        let hook = self.attr(name.as_str()).and_then(|(entry, def)| {
            entry.hooks.verify_encoding.get(def.encoding_verifier.as_deref()?)
        });
        hook.map_or(Ok(()), |hook| hook(self, params, ty))
    }

    /// Whether an attribute is a layout of memrefs, not the space that they lie in.
    pub(crate) fn is_layout(&self, attr: Attr) -> bool {
        match attr.data() {
            AttrData::AffineMap(_) | AttrData::Strided { .. } => true,
            AttrData::Dialect { name, .. } => self.attr(name.as_str()).is_some_and(|(_, def)| {
                def.traits.iter().any(|t| t == "MemRefLayoutAttrInterface")
            }),
            _ => false,
        }
    }

    /// The type of a typed attribute. A dialect attribute has one when its definition bears the
    /// trait `TypedAttr !dialect.type`, or `TypedBy param` where a parameter of that name holds it.
    pub fn value_type(&self, attr: Attr) -> Option<Type> {
        if let Some(ty) = attr.value_type() {
            return Some(ty);
        }
        let AttrData::Dialect { name, params } = attr.data() else { return None };
        let (_, def) = self.attr(name.as_str())?;
        let after = |prefix| def.traits.iter().find_map(move |t| t.strip_prefix(prefix));
        if let Some(text) = after("TypedAttr !") {
            return Some(Type::dialect(text, &[]));
        }
        let holder = after("TypedBy ")?;
        let index = def.params.iter().position(|param| param.name == holder)?;
        params.get(index)?.as_type()
    }

    /// The enum of that definition name.
    pub fn enumeration(&self, name: &str) -> Option<&EnumDef> {
        let &(d, i) = self.enums.get(name)?;
        Some(&self.dialects[d].def.enums[i])
    }

    /// The enum that is a dialect attribute of that full name (`arith.fastmath`).
    pub fn enum_of_attr(&self, name: &str) -> Option<&EnumDef> {
        let &(d, i) = self.enum_attrs.get(name)?;
        Some(&self.dialects[d].def.enums[i])
    }

    /// All patterns.
    pub fn patterns(&self) -> impl Iterator<Item = (&DialectEntry, &PatternDef)> {
        self.dialects().flat_map(|d| d.def.patterns.iter().map(move |p| (d, p)))
    }

    /// All passes.
    pub fn passes(&self) -> impl Iterator<Item = (&DialectEntry, &PassDef)> {
        self.dialects().flat_map(|d| d.def.passes.iter().map(move |p| (d, p)))
    }

    /// All pipelines.
    pub fn pipelines(&self) -> impl Iterator<Item = &PipelineDef> {
        self.dialects().flat_map(|d| d.def.pipelines.iter())
    }
}
