//! Host functions: each tensor becomes a resource and its size.

use rustc_hash::FxHashMap;
use tegula_ir::{
    Attr, AttrData, Body, DenseData, FloatKind, InsertPoint, NewOp, OpId, Type, TypeData, ValueId,
};
use tegula_pass::{Changed, Failed, PassCx, PassResult};
use tegula_rewrite::Rewriter;

use crate::passes::resource_type;

/// A tensor as a resource.
#[derive(Clone, Copy, Debug)]
struct Resource {
    value: ValueId,
    size: ValueId,
}

/// Ops that work on tensors and are converted.
const CONVERTED: &[&str] = &[
    "hal.tensor.import",
    "hal.tensor.export",
    "flow.dispatch",
    "flow.tensor.encode",
    "flow.tensor.reshape",
    "flow.tensor.splat",
    "flow.tensor.empty",
    "arith.constant",
    "util.optimization_barrier",
];

/// Converts a function in place.
pub(crate) fn convert(cx: &mut PassCx<'_>, body: &mut Body, root: OpId) -> PassResult {
    let ops: Vec<OpId> = body.walk(root).skip(1).filter(|&op| handles_tensors(body, op)).collect();
    let signature = body.region_entry(root, 0);
    let args = signature.map(|b| body.block_args(b)).unwrap_or(&[]);
    if args.iter().any(|&arg| is_tensor(body.ty(arg))) {
        let message = "a function that takes tensors was not inlined; resources can't be passed";
        return Err(cx.error(body, root, "tensor-argument", message));
    }
    for &op in &ops {
        check(cx, body, op)?;
    }
    let default = cx.header.attr("stream.affinity.default");
    let mut host = Host { rewriter: cx.rewriter(body), resources: FxHashMap::default(), default };
    for &op in &ops {
        host.op(op);
    }
    for op in ops.iter().rev() {
        host.rewriter.erase(*op);
    }
    Ok(Changed::when(!ops.is_empty()))
}

fn is_tensor(ty: Type) -> bool {
    matches!(ty.data(), TypeData::RankedTensor { .. } | TypeData::UnrankedTensor { .. })
}

fn handles_tensors(body: &Body, op: OpId) -> bool {
    body.operands(op).chain(body.results(op)).any(|v| is_tensor(body.ty(v)))
}

/// Says what can't be converted before anything is.
fn check(cx: &mut PassCx<'_>, body: &Body, op: OpId) -> Result<(), Failed> {
    let name = body.name(op).as_str();
    if !CONVERTED.contains(&name) {
        let message = format!("`{name}` on tensors outside of a dispatch is not supported");
        return Err(cx.error(body, op, "unsupported-op", message));
    }
    for value in body.operands(op).chain(body.results(op)) {
        let ty = body.ty(value);
        if is_tensor(ty) && !ty.has_static_shape() {
            let message = format!("`{ty}` has no static shape");
            return Err(cx.error(body, op, "dynamic-shape", message));
        }
    }
    let constant = body.attr(op, "value").filter(|_| name == "arith.constant");
    if constant.is_some_and(|value| splat_element(value).is_none()) {
        let message = "a tensor constant outside of a dispatch must have equal elements";
        return Err(cx.error(body, op, "unsupported-constant", message));
    }
    let asks = ["wait_fence", "byte_offset"];
    if name == "hal.tensor.import"
        && asks.iter().any(|group| !cx.registry.operands_of(body, op, group).is_empty())
    {
        let message = "fences and byte offsets of imports are not supported";
        return Err(cx.error(body, op, "unsupported-op", message));
    }
    Ok(())
}

/// The element of a dense constant all of whose elements are equal, as a scalar attribute.
fn splat_element(value: Attr) -> Option<Attr> {
    let AttrData::Dense { ty, data: DenseData::Splat(bytes) } = value.data() else { return None };
    let element = ty.element()?;
    let mut wide = [0u8; 16];
    wide.get_mut(..bytes.len())?.copy_from_slice(bytes);
    let bits = u128::from_le_bytes(wide);
    match element.data() {
        TypeData::Float(kind) if *kind != FloatKind::F80 => {
            Some(Attr::new(AttrData::Float { bits, ty: element }))
        }
        TypeData::Integer { width, .. } if (1..=64).contains(width) => {
            let shift = 128 - *width;
            Some(Attr::int((bits << shift) as i128 >> shift, element))
        }
        TypeData::Index => Some(Attr::int(bits as i64 as i128, element)),
        _ => None,
    }
}

struct Host<'a> {
    rewriter: Rewriter<'a>,
    resources: FxHashMap<ValueId, Resource>,
    default: Option<Attr>,
}

impl Host<'_> {
    fn op(&mut self, op: OpId) {
        match self.rewriter.body.name(op).as_str() {
            "hal.tensor.import" => self.import(op),
            "hal.tensor.export" => self.export(op),
            "flow.dispatch" => self.dispatch(op),
            "flow.tensor.encode" => self.retype(op, "stream.tensor.encode"),
            // The same bytes under another type.
            "flow.tensor.reshape" => self.retype(op, "stream.tensor.clone"),
            "flow.tensor.splat" => self.splat(op, None),
            "arith.constant" => self.splat(op, self.rewriter.body.attr(op, "value")),
            "flow.tensor.empty" => self.empty(op),
            "util.optimization_barrier" => self.forward(op),
            _ => {}
        }
    }

    /// Where an op runs: what it says itself, or the module's default.
    fn affinity(&self, op: OpId) -> Option<Attr> {
        let own = ["affinity", "stream.affinity"];
        own.iter().find_map(|name| self.rewriter.body.attr(op, name)).or(self.default)
    }

    fn resource(&self, value: ValueId) -> Option<Resource> {
        self.resources.get(&value).copied()
    }

    fn insert(&mut self, before: OpId, new: NewOp) -> OpId {
        let loc = self.rewriter.body.loc(before);
        self.rewriter.insert(InsertPoint::Before(before), new.loc(loc))
    }

    fn value(&mut self, before: OpId, new: NewOp) -> ValueId {
        let op = self.insert(before, new);
        self.rewriter.body.result(op, 0)
    }

    fn size_of(&mut self, before: OpId, ty: Type, affinity: Option<Attr>) -> ValueId {
        let new = self
            .rewriter
            .registry
            .new_op("stream.tensor.sizeof")
            .results("storage_size", [Type::index()])
            .attr("encoding", Attr::ty(ty))
            .attr_opt("affinity", affinity);
        self.value(before, new.build())
    }

    fn cast(&mut self, before: OpId, from: Resource, to: &str, affinity: Option<Attr>) -> ValueId {
        let new = self
            .rewriter
            .registry
            .new_op("stream.async.cast")
            .operands("source", [from.value])
            .operands("source_size", [from.size])
            .operands("result_size", [from.size])
            .results("result", [resource_type(to)])
            .attr_opt("affinity", affinity);
        self.value(before, new.build())
    }

    fn import(&mut self, op: OpId) {
        let registry = self.rewriter.registry;
        let affinity = self.affinity(op);
        let Some(source) = registry.operand_of(self.rewriter.body, op, "source") else { return };
        let target = self.rewriter.body.result(op, 0);
        let ty = self.rewriter.body.ty(target);
        let encoding = self.rewriter.body.attr(op, "target_encoding").unwrap_or(Attr::ty(ty));
        if self.rewriter.body.ty(source) == Type::dialect("hal.buffer_view", &[]) {
            self.assert_view(op, source, encoding.as_type().unwrap_or(ty));
        }
        let size = self.size_of(op, ty, affinity);
        let import = registry
            .new_op("stream.tensor.import")
            .operands("source", [source])
            .operands("result_size", [size])
            .results("result", [resource_type("external")])
            .attr("result_encoding", encoding)
            .attr_opt("consume", self.rewriter.body.attr(op, "consume"))
            .attr_opt("affinity", affinity);
        let value = self.value(op, import.build());
        let value = self.cast(op, Resource { value, size }, "*", affinity);
        self.resources.insert(target, Resource { value, size });
    }

    /// Checks that a buffer view is what the tensor type says.
    fn assert_view(&mut self, op: OpId, view: ValueId, ty: Type) {
        let registry = self.rewriter.registry;
        let element = registry
            .new_op("hal.element_type")
            .results("result", [Type::int(32)])
            .attr("type", Attr::ty(ty.element_or_self()));
        let element = self.value(op, element.build());
        let encoding = registry
            .new_op("hal.encoding_type")
            .results("result", [Type::int(32)])
            .attr_opt("encoding", ty.encoding());
        let encoding = self.value(op, encoding.build());
        let mut shape = Vec::new();
        for &size in ty.shape().unwrap_or(&[]) {
            let new =
                NewOp::new("arith.constant").attr("value", Attr::index(size)).result(Type::index());
            shape.push(self.value(op, new));
        }
        let name = self.rewriter.body.attr(op, "name").unwrap_or(Attr::string("tensor"));
        let check = registry
            .new_op("hal.buffer_view.assert")
            .operands("buffer_view", [view])
            .operands("element_type", [element])
            .operands("encoding_type", [encoding])
            .operands("shape", shape)
            .attr("message", name);
        self.insert(op, check.build());
    }

    fn export(&mut self, op: OpId) {
        let affinity = self.affinity(op);
        let registry = self.rewriter.registry;
        let source = registry.operand_of(self.rewriter.body, op, "source");
        let Some(from) = source.and_then(|s| self.resource(s)) else { return };
        let target = self.rewriter.body.result(op, 0);
        let value = self.cast(op, from, "external", affinity);
        let export = registry
            .new_op("stream.tensor.export")
            .operands("source", [value])
            .operands("source_size", [from.size])
            .results("result", [self.rewriter.body.ty(target)])
            .attr_opt("source_encoding", self.rewriter.body.attr(op, "source_encoding"))
            .attr_opt("affinity", affinity);
        let made = self.value(op, export.build());
        self.rewriter.replace_all_uses(target, made);
    }

    /// An op that takes a tensor of one type and gives one of another.
    fn retype(&mut self, op: OpId, name: &'static str) {
        let affinity = self.affinity(op);
        let source = self.rewriter.body.operand(op, 0);
        let target = self.rewriter.body.result(op, 0);
        let Some(from) = self.resource(source) else { return };
        let (source_type, target_type) =
            (self.rewriter.body.ty(source), self.rewriter.body.ty(target));
        let size = self.size_of(op, target_type, affinity);
        let new = self
            .rewriter
            .registry
            .new_op(name)
            .operands("source", [from.value])
            .operands("source_size", [from.size])
            .operands("result_size", [size])
            .results("result", [resource_type("*")])
            .attr("source_encoding", Attr::ty(source_type))
            .attr("result_encoding", Attr::ty(target_type))
            .attr_opt("affinity", affinity);
        let value = self.value(op, new.build());
        self.resources.insert(target, Resource { value, size });
    }

    fn dispatch(&mut self, op: OpId) {
        let affinity = self.affinity(op);
        let registry = self.rewriter.registry;
        let workload = registry.operands_of(self.rewriter.body, op, "workload");
        let arguments = registry.operands_of(self.rewriter.body, op, "arguments");
        let (mut operands, mut sizes, mut encodings) = (Vec::new(), Vec::new(), Vec::new());
        for argument in arguments {
            match self.resource(argument) {
                Some(resource) => {
                    operands.push(resource.value);
                    sizes.push(resource.size);
                    encodings.push(Attr::ty(self.rewriter.body.ty(argument)));
                }
                None => {
                    operands.push(argument);
                    encodings.push(Attr::ty(Type::dialect("util.unused", &[])));
                }
            }
        }
        let results: Vec<ValueId> = self.rewriter.body.results(op).collect();
        let types: Vec<Type> = results.iter().map(|&r| self.rewriter.body.ty(r)).collect();
        let mut result_sizes = Vec::new();
        for &ty in &types {
            result_sizes.push(self.size_of(op, ty, affinity));
        }
        let result_encodings: Vec<Attr> = types.iter().map(|&ty| Attr::ty(ty)).collect();
        let dispatch = registry
            .new_op("stream.tensor.dispatch")
            .operands("workload", workload)
            .operands("mixed_operands", operands)
            .operands("operand_sizes", sizes)
            .operands("result_sizes", result_sizes.iter().copied())
            .results("results", types.iter().map(|_| resource_type("*")))
            .attr_opt("entry_points", self.rewriter.body.attr(op, "entry_points"))
            .attr("operand_encodings", Attr::array(&encodings))
            .attr("result_encodings", Attr::array(&result_encodings))
            .attr_opt("tied_operands", self.rewriter.body.attr(op, "tied_operands"))
            .attr_opt("affinity", affinity);
        let made = self.insert(op, dispatch.build());
        let values: Vec<ValueId> = self.rewriter.body.results(made).collect();
        for ((result, value), size) in results.into_iter().zip(values).zip(result_sizes) {
            self.resources.insert(result, Resource { value, size });
        }
    }

    /// A splat of the op's value, or of the element of a constant.
    fn splat(&mut self, op: OpId, constant: Option<Attr>) {
        let affinity = self.affinity(op);
        let target = self.rewriter.body.result(op, 0);
        let ty = self.rewriter.body.ty(target);
        let element = match constant {
            Some(constant) => {
                let Some(element) = splat_element(constant) else { return };
                let new = NewOp::new("arith.constant")
                    .attr("value", element)
                    .result(ty.element_or_self());
                self.value(op, new)
            }
            None => self.rewriter.body.operand(op, 0),
        };
        let size = self.size_of(op, ty, affinity);
        let splat = self
            .rewriter
            .registry
            .new_op("stream.tensor.splat")
            .operands("value", [element])
            .operands("result_size", [size])
            .results("result", [resource_type("*")])
            .attr("result_encoding", Attr::ty(ty))
            .attr_opt("affinity", affinity);
        let value = self.value(op, splat.build());
        self.resources.insert(target, Resource { value, size });
    }

    fn empty(&mut self, op: OpId) {
        let affinity = self.affinity(op);
        let target = self.rewriter.body.result(op, 0);
        let ty = self.rewriter.body.ty(target);
        let size = self.size_of(op, ty, affinity);
        let empty = self
            .rewriter
            .registry
            .new_op("stream.tensor.empty")
            .operands("result_size", [size])
            .results("result", [resource_type("*")])
            .attr("result_encoding", Attr::ty(ty))
            .attr_opt("affinity", affinity);
        let value = self.value(op, empty.build());
        self.resources.insert(target, Resource { value, size });
    }

    fn forward(&mut self, op: OpId) {
        let pairs: Vec<(ValueId, ValueId)> =
            self.rewriter.body.operands(op).zip(self.rewriter.body.results(op)).collect();
        for (from, to) in pairs {
            match self.resource(from) {
                Some(resource) => {
                    self.resources.insert(to, resource);
                }
                None => self.rewriter.replace_all_uses(to, from),
            }
        }
    }
}
