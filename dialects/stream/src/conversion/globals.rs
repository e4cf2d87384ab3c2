//! Globals of tensors: one for the resource, one for its size, and an initializer for contents.

use tegula_ir::{Attr, AttrData, Body, Ident, InsertPoint, NewOp, OpId, Registry, Type};
use tegula_pass::{PassCx, Subject};
use tegula_rewrite::Rewriter;

use super::is_tensor;
use crate::canonicalize::tensors::size_name;
use crate::passes::resource_type;

/// Ops on the global of a tensor say here what it has become.
pub(super) const TYPE: &str = "stream.global";

/// What the global of a tensor is to those that use it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Global {
    mutable: bool,
    affinity: Option<Attr>,
}

impl Global {
    /// What a symbol is; none when it is no global of a tensor.
    pub(super) fn of(body: &Body, root: OpId) -> Option<(Subject, Global)> {
        let ty = body.attr(root, "type").and_then(Attr::as_type);
        if !body.is(root, "util.global") || !ty.is_some_and(is_tensor) {
            return None;
        }
        let name = body.attr(root, "sym_name").and_then(Attr::as_str)?;
        let mutable = body.attr(root, "is_mutable").is_some();
        let affinity = body.attr(root, "stream.affinity");
        Some((Ident::of(name), Global { mutable, affinity }))
    }

    fn ty(self) -> Type {
        resource_type(if self.mutable { "variable" } else { "constant" })
    }

    /// Says at an op what it uses.
    pub(super) fn tell(self, rw: &mut Rewriter<'_>, op: OpId) {
        rw.set_attr(op, TYPE, Attr::ty(self.ty()));
        if let Some(affinity) = self.affinity {
            rw.set_attr(op, "stream.affinity", affinity);
        }
    }
}

/// The global of a tensor that an op reads or writes.
pub(super) fn used(body: &Body, op: OpId) -> Option<Subject> {
    let value = match body.name(op).as_str() {
        "util.global.load" => body.result(op, 0),
        "util.global.store" => body.operand(op, 0),
        _ => return None,
    };
    is_tensor(body.ty(value)).then(|| body.attr(op, "global"))??.as_symbol_root()
}

/// Makes the symbols that a global becomes; the last takes its place.
pub(super) fn convert(cx: &mut PassCx<'_>, body: &mut Body, root: OpId, global: Global) {
    let default = cx.header.attr("stream.affinity.default");
    let affinity = global.affinity.or(default);
    let attr = |name: &str| body.attr(root, name);
    let name = attr("sym_name").and_then(Attr::as_str).unwrap_or_default();
    let size = size_name(name);
    let new = |name: &str, ty: Type| {
        let new = NewOp::new("util.global")
            .attr_opt("sym_visibility", attr("sym_visibility"))
            .attr("sym_name", Attr::string(name))
            .attr_opt("is_mutable", attr("is_mutable"))
            .attr("type", Attr::ty(ty));
        alone(cx.registry, new.loc(body.loc(root)))
    };
    let resource = new(name, global.ty());
    let length = new(&size, Type::index());
    let tensor = attr("type").and_then(Attr::as_type);
    let contents = attr("initial_value").zip(tensor).map(|(value, tensor)| {
        let contents = Contents { name, size: &size, ty: global.ty(), value, tensor, affinity };
        contents.initializer(cx.registry, body.loc(root))
    });
    cx.emit(resource);
    *body = match contents {
        Some(initializer) => {
            cx.emit(length);
            initializer
        }
        None => length,
    };
}

fn alone(registry: &Registry, new: NewOp) -> Body {
    let mut body = Body::new();
    let at = InsertPoint::End(body.top_block());
    Rewriter::new(&mut body, registry).insert(at, new);
    body
}

/// What the globals of a tensor begin with.
struct Contents<'a> {
    name: &'a str,
    size: &'a str,
    ty: Type,
    value: Attr,
    tensor: Type,
    affinity: Option<Attr>,
}

impl Contents<'_> {
    fn initializer(&self, registry: &Registry, loc: Attr) -> Body {
        let new = NewOp::new("util.initializer")
            .attr("function_type", Attr::ty(Type::function(&[], &[])))
            .regions(1);
        let mut body = alone(registry, new.loc(loc));
        let mut rw = Rewriter::new(&mut body, registry);
        let Some(region) = rw.body.root().and_then(|root| rw.body.region(root, 0)) else {
            return body;
        };
        let block = rw.append_block(region, &[]);
        let at = InsertPoint::End(block);
        let (resource, size) = if self.is_uninitialized() {
            let size = registry
                .new_op("stream.tensor.sizeof")
                .results("storage_size", [Type::index()])
                .attr("encoding", Attr::ty(self.tensor))
                .attr_opt("affinity", self.affinity);
            let size = rw.insert_value(at, size.loc(loc).build());
            let empty = registry
                .new_op("stream.tensor.empty")
                .operands("result_size", [size])
                .results("result", [self.ty])
                .attr("result_encoding", Attr::ty(self.tensor))
                .attr_opt("affinity", self.affinity);
            (rw.insert_value(at, empty.loc(loc).build()), size)
        } else {
            let constant = registry
                .new_op("stream.tensor.constant")
                .results("result", [self.ty])
                .attr("value", self.contents())
                .attr("result_encoding", Attr::ty(self.tensor))
                .attr_opt("affinity", self.affinity);
            let constant = rw.insert_value(at, constant.loc(loc).build());
            let size = registry
                .new_op("stream.resource.size")
                .operands("operand", [constant])
                .results("result", [Type::index()]);
            (constant, rw.insert_value(at, size.loc(loc).build()))
        };
        for (value, global) in [(resource, self.name), (size, self.size)] {
            let store = NewOp::new("util.global.store").operand(value);
            rw.insert(at, store.attr("global", Attr::symbol(global)).loc(loc));
        }
        rw.insert(at, NewOp::new("util.return").loc(loc));
        body
    }

    fn is_uninitialized(&self) -> bool {
        matches!(self.value.data(), AttrData::Dialect { name, .. }
            if name.as_str() == "util.uninitialized")
    }

    /// The value as `stream` has it.
    fn contents(&self) -> Attr {
        match self.value.data() {
            AttrData::Dialect { name, params } if name.as_str() == "flow.parameter.named" => {
                Attr::dialect("stream.parameter.named", params)
            }
            _ => self.value,
        }
    }
}
