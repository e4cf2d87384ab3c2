//! A dialect made by hand, as tables, and bodies of it.

use std::borrow::Cow;

use tegula_ir::text::{PrintOptions, print_module};
use tegula_ir::{
    Attr, BlockId, Body, DialectEntry, Hooks, InsertPoint, Module, NewOp, OpId, Registry, Type,
    ValueId,
};
use tegula_schema::{
    Arity, AttrDef, DialectDef, Inst, OpDef, PatternDef, PatternKind, RegionDef, Segment,
    SuccessorDef, TraitDef, ValueDef,
};

fn group(name: &'static str, arity: Arity) -> ValueDef {
    ValueDef { name: Cow::Borrowed(name), arity, ..ValueDef::default() }
}

fn op(name: &'static str, operands: usize, results: usize, traits: &[&'static str]) -> OpDef {
    let names = ["a", "b", "c"];
    let values = |count: usize| names.iter().take(count).map(|n| group(n, Arity::One)).collect();
    let traits =
        traits.iter().map(|&name| TraitDef { name: Cow::Borrowed(name), ..TraitDef::default() });
    OpDef {
        def_name: Cow::Borrowed(name),
        name: Cow::Borrowed(name),
        operands: values(operands),
        results: values(results),
        traits: traits.collect(),
        ..OpDef::default()
    }
}

/// `t.func`, `t.const`, `t.add` (commutative), `t.sub`, `t.neg`, `t.source`, `t.use`, `t.br` and
/// `t.cond_br`, with these patterns.
pub fn registry(patterns: Vec<PatternDef>) -> Registry {
    let mut func = op("t.func", 0, 0, &["IsolatedFromAbove", "Symbol"]);
    func.regions = vec![RegionDef { name: Cow::Borrowed("body"), ..RegionDef::default() }].into();
    let mut constant = op("t.const", 0, 1, &["Pure", "ConstantLike"]);
    constant.attrs = vec![AttrDef { name: Cow::Borrowed("value"), ..AttrDef::default() }].into();
    let mut any = op("t.use", 0, 0, &[]);
    any.operands = vec![group("values", Arity::Variadic)].into();
    let mut branch = op("t.br", 0, 0, &["Terminator"]);
    branch.operands = vec![group("args", Arity::Variadic)].into();
    branch.successors = vec![SuccessorDef {
        name: Cow::Borrowed("to"),
        operands: Some(Cow::Borrowed("args")),
        ..SuccessorDef::default()
    }]
    .into();
    let def = DialectDef {
        name: Cow::Borrowed("t"),
        ops: vec![
            func,
            constant,
            any,
            branch,
            op("t.add", 2, 1, &["Pure", "Commutative"]),
            op("t.sub", 2, 1, &["Pure"]),
            op("t.neg", 1, 1, &["Pure"]),
            op("t.source", 0, 1, &[]),
            op("t.return", 0, 0, &["Terminator"]),
        ]
        .into(),
        patterns: patterns.into(),
        ..DialectDef::default()
    };
    Registry::new([DialectEntry { def: Cow::Owned(def), hooks: Hooks::default() }])
}

/// A pattern of the group `canonicalize`.
pub fn pattern(
    name: &'static str,
    root: &'static str,
    registers: u16,
    code: Vec<Inst>,
) -> PatternDef {
    PatternDef {
        name: Cow::Borrowed(name),
        group: Cow::Borrowed("canonicalize"),
        root: Cow::Borrowed(root),
        benefit: 1,
        kind: PatternKind::Rewrite,
        registers,
        code: code.into(),
        ..PatternDef::default()
    }
}

/// `into` ← operand number `index` of `op`.
pub fn operand(op: u16, index: u16, into: u16) -> Inst {
    Inst::Operand { op, segment: Segment::Index(index), arity: Arity::One, into }
}

/// Makes an op with one result of the type in `ty`.
pub fn create(name: &'static str, operands: Vec<u16>, ty: u16, into: u16) -> Inst {
    Inst::Create {
        name: Cow::Borrowed(name),
        operands: operands.into(),
        operand_segments: false,
        attrs: Cow::Borrowed(&[]),
        attr_dicts: Cow::Borrowed(&[]),
        results: vec![ty].into(),
        result_segments: false,
        regions: 0,
        successors: None,
        successor: None,
        fold: false,
        into,
    }
}

/// Builds the body of one function.
pub struct Builder {
    pub body: Body,
    pub func: OpId,
    pub block: BlockId,
}

impl Builder {
    pub fn new() -> Builder {
        let mut body = Body::new();
        let at = InsertPoint::End(body.top_block());
        let func =
            body.insert(at, NewOp::new("t.func").attr("sym_name", Attr::string("f")).regions(1));
        let region = body.regions(func)[0];
        let block = body.append_block(region);
        Builder { body, func, block }
    }

    /// Adds an op with one `i32` result at the end of the current block.
    pub fn value(&mut self, name: &'static str, operands: &[ValueId]) -> ValueId {
        let new = NewOp::new(name).operands(operands.iter().copied()).result(Type::int(32));
        let op = self.body.insert(InsertPoint::End(self.block), new);
        self.body.result(op, 0)
    }

    pub fn constant(&mut self, value: i32) -> ValueId {
        let new = NewOp::new("t.const").attr("value", Attr::i32(value)).result(Type::int(32));
        let op = self.body.insert(InsertPoint::End(self.block), new);
        self.body.result(op, 0)
    }

    /// Adds an op without results at the end of the current block.
    pub fn end(&mut self, name: &'static str, operands: &[ValueId], to: &[BlockId]) -> OpId {
        let mut new = NewOp::new(name).operands(operands.iter().copied());
        for &block in to {
            new = new.successor(block);
        }
        self.body.insert(InsertPoint::End(self.block), new)
    }

    /// Adds a block with `i32` arguments.
    pub fn add_block(&mut self, args: usize) -> BlockId {
        let region = self.body.regions(self.func)[0];
        let block = self.body.append_block(region);
        for _ in 0..args {
            self.body.add_block_arg(block, Type::int(32));
        }
        block
    }
}

/// The body as text.
pub fn text(registry: &Registry, body: &Body) -> String {
    let module = Module { bodies: vec![body.clone()], ..Module::default() };
    print_module(registry, &module, &PrintOptions::default())
}
