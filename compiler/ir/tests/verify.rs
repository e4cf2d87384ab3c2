//! The verifier over a dialect written out by hand.

use std::borrow::Cow;
use std::path::Path;

use insta::{Settings, assert_snapshot};
use tegula_diag::{Renderer, Sources};
use tegula_ir::text::{PrintOptions, parse_module, print_module};
use tegula_ir::verify::{verify_body, verify_module};
use tegula_ir::{Attr, Body, DialectEntry, Hooks, InsertPoint, NewOp, Registry, Type};
use tegula_schema::{
    Arity, AttrDef, Constraint, DialectDef, EnumCase, EnumDef, Format, FormatElem, OpDef,
    ParamKind, Pred, RegionDef, Slot, SuccessorDef, TraitDef, TypeRule, ValueDef,
};

const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");

fn list<T: Clone>(items: impl IntoIterator<Item = T>) -> Cow<'static, [T]> {
    items.into_iter().collect::<Vec<_>>().into()
}

fn traits(names: &[&'static str]) -> Cow<'static, [TraitDef]> {
    list(names.iter().map(|name| match name.split_once(' ') {
        Some((name, arg)) => TraitDef { name: name.into(), args: list([arg.into()]) },
        None => TraitDef { name: (*name).into(), args: list([]) },
    }))
}

fn integer(name: &'static str) -> ValueDef {
    let pred = Pred::Integer { width: 0, sign: None };
    let constraint = Constraint { summary: "integer".into(), pred, ..Constraint::default() };
    ValueDef { name: name.into(), constraint, ..ValueDef::default() }
}

fn any(name: &'static str) -> ValueDef {
    ValueDef { name: name.into(), ..ValueDef::default() }
}

fn dialect() -> DialectDef {
    let func = OpDef {
        name: "t.func".into(),
        attrs: list([AttrDef {
            name: "sym_name".into(),
            kind: ParamKind::SymbolName,
            ..AttrDef::default()
        }]),
        regions: list([RegionDef { name: "body".into(), ..RegionDef::default() }]),
        traits: traits(&["IsolatedFromAbove", "Symbol", "SymbolTable"]),
        format: Format::Program(list([FormatElem::Attr(0), FormatElem::Region(0)])),
        ..OpDef::default()
    };
    let end = OpDef {
        name: "t.end".into(),
        traits: traits(&["Terminator", "HasParent t.func"]),
        format: Format::Program(list([FormatElem::AttrDict { keyword: false }])),
        ..OpDef::default()
    };
    let source = OpDef {
        name: "t.source".into(),
        results: list([any("out")]),
        format: Format::Program(list([
            FormatElem::AttrDict { keyword: false },
            FormatElem::Literal(":".into()),
            FormatElem::Type(Slot::Result(0)),
        ])),
        ..OpDef::default()
    };
    let add = OpDef {
        name: "t.add".into(),
        operands: list([integer("lhs"), integer("rhs")]),
        results: list([integer("sum")]),
        type_rules: list([TypeRule::Same(list([
            Slot::Operand(0),
            Slot::Operand(1),
            Slot::Result(0),
        ]))]),
        ..OpDef::default()
    };
    let branch = OpDef {
        name: "t.branch".into(),
        successors: list([
            SuccessorDef { name: "a".into(), ..SuccessorDef::default() },
            SuccessorDef { name: "b".into(), ..SuccessorDef::default() },
        ]),
        traits: traits(&["Terminator"]),
        ..OpDef::default()
    };
    let map = OpDef {
        name: "t.map".into(),
        operands: list([ValueDef { arity: Arity::Variadic, ..any("in") }]),
        results: list([ValueDef { arity: Arity::Variadic, ..any("out") }]),
        regions: list([RegionDef {
            name: "body".into(),
            arity: Arity::Variadic,
            ..RegionDef::default()
        }]),
        traits: traits(&["Elementwise", "NoRegionArguments", "NoTerminator"]),
        ..OpDef::default()
    };
    let number = Constraint {
        summary: "a number below five".into(),
        pred: Pred::IntRange(0, 4),
        ..Constraint::default()
    };
    let choice = Constraint {
        summary: "a choice".into(),
        pred: Pred::EnumCase("Choice".into()),
        ..Constraint::default()
    };
    let attrs = OpDef {
        name: "t.attrs".into(),
        attrs: list([
            AttrDef { name: "choice".into(), constraint: choice, ..AttrDef::default() },
            AttrDef { name: "number".into(), constraint: number, ..AttrDef::default() },
        ]),
        ..OpDef::default()
    };
    let case = EnumCase { symbol: "One".into(), keyword: "one".into(), value: 1 };
    DialectDef {
        name: "t".into(),
        ops: list([func, end, source, add, branch, map, attrs]),
        enums: list([EnumDef { name: "Choice".into(), cases: list([case]), ..EnumDef::default() }]),
        ..DialectDef::default()
    }
}

fn registry() -> Registry {
    Registry::new([DialectEntry { def: Cow::Owned(dialect()), hooks: Hooks::default() }])
}

#[test]
fn isolated_regions_see_no_value_from_outside() {
    let mut body = Body::new();
    let named = |name| NewOp::new("t.func").attr("sym_name", Attr::string(name)).regions(1);
    let outer = body.insert(InsertPoint::End(body.top_block()), named("outer"));
    let block = body.append_block(body.regions(outer)[0]);
    let source = NewOp::new("t.source").result(Type::int(32));
    let source = body.insert(InsertPoint::End(block), source);
    let value = body.result(source, 0);
    let inner = body.insert(InsertPoint::End(block), named("inner"));
    let inside = body.append_block(body.regions(inner)[0]);
    let add = NewOp::new("t.add").operands([value, value]).result(Type::int(32));
    let add = body.insert(InsertPoint::End(inside), add);
    body.insert(InsertPoint::End(inside), NewOp::new("t.end"));
    body.insert(InsertPoint::End(block), NewOp::new("t.end"));
    let errors = verify_body(&registry(), &body);
    let found: Vec<_> = errors.iter().map(|e| (e.op, e.message.as_str())).collect();
    assert_eq!(found, [(add, "'t.add' op using value defined outside the region")]);
    body.move_op(add, InsertPoint::After(source));
    assert_eq!(verify_body(&registry(), &body), []);
}

/// The module's region is a graph: its ops may stand before what they use, and use themselves.
#[test]
fn ops_of_the_module_have_no_order() {
    let mut body = Body::new();
    let end = InsertPoint::End(body.top_block());
    let source = body.insert(end, NewOp::new("t.source").result(Type::int(32)));
    let value = body.result(source, 0);
    let add = NewOp::new("t.add").operands([value, value]).result(Type::int(32));
    let add = body.insert(end, add);
    body.move_op(add, InsertPoint::Before(source));
    let own = body.result(add, 0);
    body.set_operand(add, 1, own);
    assert_eq!(verify_body(&registry(), &body), []);
}

#[test]
fn all_mistakes_are_reported_where_they_are() {
    let registry = registry();
    let path = Path::new(ROOT).join("tests/fixtures/ir/verify/mistakes.mlir");
    let text = std::fs::read_to_string(&path).expect("the fixture");
    let mut sources = Sources::new();
    let source = sources.add_virtual("mistakes.mlir", text.clone());
    let (module, map, diagnostics) = parse_module(&registry, source, &text);
    let renderer = Renderer::plain(&sources);
    assert_eq!(renderer.render_all(&diagnostics), "");
    let printed = print_module(&registry, &module, &PrintOptions::default());
    let (again, _, errors) = parse_module(&registry, source, &printed);
    assert_eq!(renderer.render_all(&errors), "");
    assert_eq!(print_module(&registry, &again, &PrintOptions::default()), printed);
    let report = renderer.render_all(&verify_module(&registry, &module, &map));
    let mut settings = Settings::clone_current();
    settings.set_snapshot_path(Path::new(ROOT).join("snapshots/compiler/ir/verify"));
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.bind(|| assert_snapshot!("mistakes", report));
}
