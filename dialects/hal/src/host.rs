//! What passes add to the host program: globals, initializers and functions.

use tegula_ir::{
    Attr, AttrData, BlockId, Body, InsertPoint, NewOp, OpId, Registry, Type, TypeData, ValueId,
};
use tegula_rewrite::Rewriter;

/// The status of what does not fit the program.
pub const INCOMPATIBLE: i128 = 18;

/// The status of a service that is not there.
pub const UNAVAILABLE: i128 = 14;

/// A symbol without a name of its own, or one whose body is being made.
pub struct Symbol {
    /// The symbol.
    pub body: Body,
    /// Its entry block.
    pub block: BlockId,
}

impl Symbol {
    /// The place behind all that is in the entry block.
    pub fn end(&self) -> InsertPoint {
        InsertPoint::End(self.block)
    }
}

/// A private global that nothing has been stored to.
pub fn global(registry: &Registry, name: &str, ty: Type, loc: Attr) -> Body {
    let mut body = Body::new();
    let at = InsertPoint::End(body.top_block());
    let new = NewOp::new("util.global")
        .attr("sym_visibility", Attr::string("private"))
        .attr("sym_name", Attr::string(name))
        .attr("type", Attr::ty(ty))
        .loc(loc);
    Rewriter::new(&mut body, registry).insert(at, new);
    body
}

/// An initializer.
pub fn initializer(registry: &Registry, loc: Attr) -> Option<Symbol> {
    let new = NewOp::new("util.initializer")
        .attr("function_type", Attr::ty(Type::function(&[], &[])))
        .regions(1)
        .loc(loc);
    symbol(registry, new, &[])
}

/// A private function.
pub fn function(
    registry: &Registry,
    name: &str,
    inputs: &[Type],
    results: &[Type],
    policy: Option<Attr>,
    loc: Attr,
) -> Option<Symbol> {
    let new = NewOp::new("util.func")
        .attr("sym_visibility", Attr::string("private"))
        .attr("sym_name", Attr::string(name))
        .attr("function_type", Attr::ty(Type::function(inputs, results)))
        .attr_opt("inlining_policy", policy)
        .regions(1)
        .loc(loc);
    symbol(registry, new, inputs)
}

fn symbol(registry: &Registry, new: NewOp, args: &[Type]) -> Option<Symbol> {
    let mut body = Body::new();
    let at = InsertPoint::End(body.top_block());
    let mut rw = Rewriter::new(&mut body, registry);
    let op = rw.insert(at, new);
    let region = rw.body.region(op, 0)?;
    let block = rw.append_block(region, args);
    Some(Symbol { body, block })
}

/// Reads a global.
pub fn load(
    rw: &mut Rewriter<'_>,
    at: InsertPoint,
    global: &str,
    ty: Type,
    immutable: bool,
) -> ValueId {
    let new = NewOp::new("util.global.load")
        .attr("global", Attr::symbol(global))
        .attr_opt("is_immutable", immutable.then(Attr::unit))
        .result(ty);
    rw.insert_value(at, new)
}

/// Writes a global.
pub fn store(rw: &mut Rewriter<'_>, at: InsertPoint, value: ValueId, global: &str) {
    let new = NewOp::new("util.global.store").operand(value).attr("global", Attr::symbol(global));
    rw.insert(at, new);
}

/// A number.
pub fn number(rw: &mut Rewriter<'_>, at: InsertPoint, value: i128, ty: Type) -> ValueId {
    let new = NewOp::new("arith.constant").attr("value", Attr::int(value, ty)).result(ty);
    rw.insert_value(at, new)
}

/// What stands for a value that there is not: zero, or null.
pub fn nothing(rw: &mut Rewriter<'_>, at: InsertPoint, ty: Type) -> ValueId {
    let zero = match ty.data() {
        TypeData::Integer { .. } | TypeData::Index => Some(Attr::int(0, ty)),
        TypeData::Float(_) => Some(Attr::new(AttrData::Float { bits: 0, ty })),
        _ => None,
    };
    let new = match zero {
        Some(zero) => NewOp::new("arith.constant").attr("value", zero),
        None => NewOp::new("util.null"),
    };
    rw.insert_value(at, new.result(ty))
}

/// Calls a function; gives the call.
pub fn call(
    rw: &mut Rewriter<'_>,
    at: InsertPoint,
    callee: &str,
    operands: &[ValueId],
    results: &[Type],
) -> OpId {
    let new = NewOp::new("util.call")
        .attr("callee", Attr::symbol(callee))
        .operands(operands.iter().copied())
        .results(results.iter().copied());
    rw.insert(at, new)
}

/// Returns values.
pub fn give(rw: &mut Rewriter<'_>, at: InsertPoint, values: &[ValueId]) {
    rw.insert(at, NewOp::new("util.return").operands(values.iter().copied()));
}
