//! Schema tables as Rust expressions.
//!
//! Every type is taken apart exhaustively, so that a field or variant that is added to the schema
//! is a compile error here and never silently missing from generated statics.

use tegula_schema::*;

use crate::doc::Doc;

/// A value that can be written as a constant expression. The names in scope are those of
/// [`PRELUDE`].
pub(crate) trait ToRust {
    /// The expression.
    fn to_rust(&self) -> Doc;
}

/// What generated tables bring into scope.
pub(crate) const PRELUDE: &str = "use ::std::borrow::Cow::Borrowed;\nuse ::tegula_schema as s;\n";

impl ToRust for Str {
    fn to_rust(&self) -> Doc {
        Doc::text(format!("Borrowed({:?})", self.as_ref()))
    }
}

impl<T: ToRust + Clone> ToRust for List<T> {
    fn to_rust(&self) -> Doc {
        Doc::list("Borrowed(&[", self.iter().map(ToRust::to_rust).collect(), "])")
    }
}

impl<T: ToRust> ToRust for Option<T> {
    fn to_rust(&self) -> Doc {
        match self {
            Some(value) => Doc::list("Some(", vec![value.to_rust()], ")"),
            None => Doc::text("None"),
        }
    }
}

impl<T: ToRust> ToRust for Nested<T> {
    fn to_rust(&self) -> Doc {
        Doc::list("s::Nested::Static(&", vec![(**self).to_rust()], ")")
    }
}

impl ToRust for Constraint {
    fn to_rust(&self) -> Doc {
        let Constraint { name, summary, pred, buildable } = self;
        let fields = vec![
            Doc::prefixed("name: ", name.to_rust()),
            Doc::prefixed("summary: ", summary.to_rust()),
            Doc::prefixed("pred: ", pred.to_rust()),
            Doc::prefixed("buildable: ", buildable.to_rust()),
        ];
        let hint = if name.is_empty() { "unnamed" } else { name.as_ref() };
        Doc::Shared(hint.to_owned(), Box::new(Doc::list("s::Constraint { ", fields, " }")))
    }
}

impl ToRust for Effects {
    fn to_rust(&self) -> Doc {
        Doc::text(format!("s::Effects({})", self.0))
    }
}

macro_rules! plain {
    ($($ty:ty),* $(,)?) => {$(
        impl ToRust for $ty {
            fn to_rust(&self) -> Doc {
                Doc::text(self.to_string())
            }
        }
    )*};
}

plain!(bool, i64, u16, u32, u64);

macro_rules! structs {
    ($($name:ident { $($field:ident),* $(,)? })*) => {$(
        impl ToRust for $name {
            fn to_rust(&self) -> Doc {
                let $name { $($field),* } = self;
                let fields = vec![
                    $(Doc::prefixed(concat!(stringify!($field), ": "), $field.to_rust())),*
                ];
                Doc::list(concat!("s::", stringify!($name), " { "), fields, " }")
            }
        }
    )*};
}

macro_rules! enums {
    ($($name:ident { $($variant:ident $(($($item:ident),*))? $({$($field:ident),*})?),* $(,)? })*) => {$(
        impl ToRust for $name {
            fn to_rust(&self) -> Doc {
                match self {
                    $($name::$variant $(($($item),*))? $({$($field),*})? => {
                        let name = concat!("s::", stringify!($name), "::", stringify!($variant));
                        variant(
                            name,
                            &[$($($item as &dyn ToRust),*)?],
                            &[$($((stringify!($field), $field as &dyn ToRust)),*)?],
                        )
                    })*
                }
            }
        }
    )*};
}

fn variant(name: &str, items: &[&dyn ToRust], fields: &[(&str, &dyn ToRust)]) -> Doc {
    if !fields.is_empty() {
        let fields = fields.iter().map(|(n, f)| Doc::prefixed(format!("{n}: "), f.to_rust()));
        return Doc::list(format!("{name} {{ "), fields.collect(), " }");
    }
    if items.is_empty() {
        return Doc::text(name);
    }
    Doc::list(format!("{name}("), items.iter().map(|item| item.to_rust()).collect(), ")")
}

structs! {
    AttrDef { name, constraint, kind, value_type, optional, default }
    AttrKindDef {
        def_name, name, summary, description, alias, params, format, verifier, encoding_verifier,
        traits, source
    }
    Block { code, lines }
    CaseDef { test, then, gives }
    CastDef { registers, code, result, source }
    ConversionDef { groups, converter, legal, illegal, type_legal, opaque, full }
    ConverterDef { name, rules, source_cast, target_cast, casts, source }
    EnumCase { symbol, keyword, value }
    EnumDef { name, summary, attr_name, width, bit_enum, separator, primary_groups, cases }
    NamedReg { name, reg }
    OiClause { keyword, elems }
    OpDef {
        def_name, name, summary, description, operands, results, attrs, regions, successors,
        traits, type_rules, format, result_names, region_arg_names, verifier, symbol_verifier, folder, source
    }
    OptionDef { name, kind, default, summary }
    ParamDef { name, kind, optional, default }
    PassDef {
        def_name, name, anchor, summary, description, scope, options, statistics, requires,
        establishes, invalidates, body, simplified_by, quiet, source
    }
    StatisticDef { name, summary }
    PatternDef { name, group, root, benefit, kind, registers, code, lines, makes, source }
    PipelineDef { name, summary, options, text, pass, source }
    RegionDef { name, arity, max_blocks, non_empty }
    Source { file, line }
    SuccessorDef { name, arity, operands }
    TargetDef {
        def_name, name, summary, backend, arch, vector_bits, vector_registers, alignment,
        features, optional_features, tiles, params, texts, source
    }
    TargetParam { name, value }
    TargetText { name, text }
    TileDef { lhs, rhs, out, m, n, k, requires }
    TraitDef { name, args }
    TypeConversionDef { registers, code, results, refused, reads, source }
    TypeDef {
        def_name, name, summary, description, params, format, alias, verifier, traits, source
    }
    ValueDef { name, constraint, arity, effects }
}

enums! {
    Anchor { Slot(slot), Region(index), Successor(index), Custom(slots), Param(index) }
    Arithmetic { Add, Sub, Mul, Div, Mod }
    Arity { One, Optional, Variadic }
    Comparison { Eq, Ne, Lt, Le, Gt, Ge }
    Derivation { ElementType, BoolOf, AttrType, Param(name), Hook(name) }
    Format { Generic, Program(elems), Hook(name) }
    FormatElem {
        Literal(text), Whitespace(text), Operand(index), Attr(index), Region(index),
        Successor(index), Operands, Regions, Successors, AttrDict { keyword }, PropDict, Params,
        Struct(indices), Type(slot), OperandTypes, ResultTypes, FunctionalType(ins, outs),
        Qualified(inner), Ref(inner), Custom(name, args),
        Optional { then, otherwise, anchor, inverted }, OiList(clauses),
    }
    Gather { Values, Types, Attrs, Keep, Any, All, Carry }
    FunctionalSide { Operands, Results, Group(slot) }
    Inst {
        Operand { op, segment, arity, into }, Result { op, segment, arity, into },
        Attr { op, name, optional, default, into }, Attrs { op, without, into },
        Def { value, name, into }, Constant { value, into }, Parent { op, name, into },
        TypeOf { from, into }, Derive { from, how, into },
        Param { from, name, index, into }, Item { list, index, into },
        Count { list, into }, Positions { list, into }, Literal { text, into },
        TypeLiteral { text, into }, Absent { into },
        Concat { parts, types, into }, Array { items, into }, MakeAttr { name, params, into },
        MakeType { name, params, into }, TypeAttr { from, into }, Arith { how, a, b, into },
        ItemAt { list, index, into }, Splat { from, into }, Precedes { first, then },
        Users { value, into }, Ancestor { op, names, into }, Earlier { op, names, into },
        NestedOps { op, into }, Captures { op, into }, RegionOps { op, index, into },
        RegionArgs { op, index, into }, Tied { value, into }, SizeOf { value, at, into },
        Shape { from, into }, WithShape { from, sizes, into }, Dense { ty, list, into },
        BitWidth { from, into }, SymbolNames { from, into }, Symbol { names, into },
        IntOf { from, ty, into }, Unique { list, into }, Take { list, count, cursor, into },
        Each { lists, items, body, gives, gather, into }, Switch { cases, into },
        Compute { hook, args, into }, Check { reg, pred, what }, IsOp { op, name }, HasTrait { op, name }, Same { a, b },
        OneUse { value }, NoUse { value }, Present { reg, present }, Compare { how, a, b },
        Predicate { hook, args, expect }, Choice { otherwise }, Jump { to }, Cut { to }, Fail, Refuse { message },
        Commit,
        Remap { from, into }, Parts { from, into }, ConvertType { from, into },
        Create {
            name, operands, operand_segments, attrs, attr_dicts, results, result_segments,
            regions, successors, successor, fold, into
        },
        Dims { from, dynamic, constant, into }, Inline { op, index, args, into },
        CloneOp { op, into }, At { op, after }, Block { op, index, new }, Move { op, to, after },
        ReplaceUses { from, to, except }, SetType { value, ty },
        TakeRegion { from, from_index, to, to_index }, ConvertRegion { op, index },
        Build { hook, args, into }, SetAttr { op, name, value }, SetOperand { op, segment, value },
        Replace { op, with }, Erase { op }, Fold { with }, Rewrite { hook },
    }
    NameHint { Fixed { group, name }, Hook(name) }
    OptionKind { Bool, Int, String, Choice(words), ListOf(kind) }
    ParamFormat { None, Program(elems), Hook(name) }
    ParamKind {
        Attr, Type, Int, Bool, String, Enum(name), Array(inner), AttrOf(kind), Dims,
        DenseArray(elem), SymbolName,
    }
    PassBody { Hook(name), Greedy(groups), Convert(conversion) }
    PatternKind { Rewrite, Fold, Convert, Legal }
    Pred {
        Any, And(preds), Or(preds), Not(preds), TypeKind(name), TypeText(text),
        Integer { width, sign }, Float { width }, ElementType(preds), Rank(ranks), HasRank,
        StaticShape, PlainLayout, Param(name, preds), AttrKind(name), AttrType(preds),
        TypeAttrOf(preds), ArrayOf(preds), IntRange(min, max), Length(min, max), DenseArrayOf(elem), AttrText(text),
        EnumCase(name), Hook(name),
    }
    Scope { Local, Outline, Solved, BottomUp, Header, Merge, Module }
    Segment {
        Index(index), FromEnd(index), Rest { before, after }, Sized(index),
        Even { before, shares_before, singles, shares, share },
    }
    Signedness { Signless, Signed, Unsigned }
    Slot { Operand(index), Result(index), Attr(index) }
    TypeRule {
        Same(slots), SameElement(slots), SameShape(slots), Derived { from, to, how, summary },
    }
}
