//! `iree-stream-materialize-encodings`: changes of encodings become dispatches.

use std::fmt::Write as _;

use tegula_dialect_iree_encoding::encoding::with_encoding;
use tegula_dialect_util::constants::index_constant;
use tegula_ir::{Attr, Body, DYNAMIC, InsertPoint, NewOp, OpId, Type, TypeData, ValueId, identity};
use tegula_pass::{Changed, PassCx, PassResult};
use tegula_rewrite::Rewriter;

/// The beginning of the names of executables that change encodings.
const STEM: &str = "_encoding_";

/// A change of encodings: what it reads and what it writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Change {
    from: Type,
    to: Type,
}

/// Runs the pass on one top-level op.
pub(crate) fn run(cx: &mut PassCx<'_>, body: &mut Body, root: OpId) -> PassResult {
    let encodes: Vec<OpId> =
        body.walk(root).filter(|&op| body.is(op, "stream.tensor.encode")).collect();
    let mut made: Vec<Change> = Vec::new();
    for &op in &encodes {
        let ty = |name: &str| body.attr(op, name).and_then(Attr::as_type);
        let (Some(from), Some(to)) = (ty("source_encoding"), ty("result_encoding")) else {
            continue;
        };
        if from == to {
            let source = body.operand(op, 0);
            cx.rewriter(body).replace(op, &[source]);
            continue;
        }
        let change = Change { from, to };
        if ![from, to].iter().all(|ty| matches!(ty.data(), TypeData::RankedTensor { .. })) {
            let message = "only ranked tensors have encodings";
            return Err(cx.error(body, op, "not-encodable", message));
        }
        if !made.contains(&change) {
            made.push(change);
            let executable = change.executable(cx, body.loc(op));
            cx.emit(executable);
        }
        change.dispatch(&mut cx.rewriter(body), op);
    }
    Ok(Changed::when(!encodes.is_empty()))
}

impl Change {
    /// The executable's name: equal changes have the same, whatever function they are in.
    fn executable_name(self) -> String {
        identity(STEM, fingerprint(&format!("{} -> {}", self.from, self.to)))
    }

    /// The name of the entry point.
    fn function_name(self) -> String {
        let mut name = self.executable_name();
        for (ty, text) in [(self.from, "_encode_"), (self.to, "_to_")] {
            name.push_str(text);
            for &size in ty.shape().unwrap_or(&[]) {
                // Writing to a string does not fail.
                let _ = match size {
                    DYNAMIC => write!(name, "Dx"),
                    size => write!(name, "{size}x"),
                };
            }
            let _ = write!(name, "{}", ty.element_or_self());
        }
        name
    }

    /// Replaces an encoding op by a dispatch.
    fn dispatch(self, rewriter: &mut Rewriter<'_>, op: OpId) {
        let registry = rewriter.registry;
        let loc = rewriter.body.loc(op);
        let zero = index_constant(rewriter, InsertPoint::Before(op), 0, loc);
        let group = |body: &Body, name: &str| registry.operands_of(body, op, name);
        let source_size = group(rewriter.body, "source_size");
        let dims = ["source_encoding_dims", "result_encoding_dims"];
        let dims = dims.map(|name| group(rewriter.body, name)).concat();
        let result = rewriter.body.result(op, 0);
        let operands = group(rewriter.body, "source").into_iter().chain(dims.iter().copied());
        let entry = Attr::symbol_path(&[&self.executable_name(), &self.function_name()]);
        let new = registry
            .new_op("stream.async.dispatch")
            .operands("resource_operands", operands)
            .operands("resource_operand_sizes", source_size.iter().copied())
            .operands("resource_operand_offsets", [zero])
            .operands("resource_operand_ends", source_size.iter().copied())
            .operands("resource_operand_lengths", source_size.iter().copied())
            .operands("result_sizes", group(rewriter.body, "result_size"))
            .operands("workload", dims)
            .results("results", [rewriter.body.ty(result)])
            .attr("entry_points", Attr::array(&[entry]))
            .attr_opt("affinity", rewriter.body.attr(op, "affinity"));
        rewriter.replace_with(op, new.build());
    }

    /// Builds the executable.
    fn executable(self, cx: &PassCx<'_>, loc: Attr) -> Body {
        let registry = cx.registry;
        let (name, function) = (self.executable_name(), self.function_name());
        let mut body = Body::new();
        let mut rewriter = Rewriter::new(&mut body, registry);
        let top = InsertPoint::End(rewriter.body.top_block());
        let executable = NewOp::new("stream.executable")
            .attr("sym_name", Attr::string(&name))
            .attr("sym_visibility", Attr::string("private"))
            .loc(loc);
        let executable = rewriter.insert(top, executable);
        let region = rewriter.add_region(executable);
        let block = rewriter.append_block(region, &[]);

        let export = NewOp::new("stream.executable.export")
            .attr("sym_name", Attr::string(&function))
            .attr("sym_visibility", Attr::string("public"))
            .attr("function_ref", Attr::symbol(&function))
            .loc(loc);
        let export = rewriter.insert(InsertPoint::End(block), export);
        let region = rewriter.add_region(export);
        let sizes = vec![Type::index(); unknown_sizes(self.from) + unknown_sizes(self.to)];
        let count_block = rewriter.append_block(region, &sizes);
        let workload = rewriter.body.block_args(count_block).to_vec();
        let count = registry
            .new_op("iree_tensor_ext.dispatch.workgroup_count_from_slice")
            .operands("operands", workload)
            .results("x", [Type::index()])
            .results("y", [Type::index()])
            .results("z", [Type::index()])
            .loc(loc);
        let count = rewriter.insert(InsertPoint::End(count_block), count.build());
        let counts: Vec<ValueId> = rewriter.body.results(count).collect();
        let exit = NewOp::new("stream.return").operands(counts).loc(loc);
        rewriter.insert(InsertPoint::End(count_block), exit);

        let module = NewOp::new("builtin.module").loc(loc);
        let module = rewriter.insert(InsertPoint::End(block), module);
        let region = rewriter.add_region(module);
        let module_block = rewriter.append_block(region, &[]);
        let binding = Type::dialect("stream.binding", &[]);
        let types: Vec<Type> = [binding].into_iter().chain(sizes).chain([binding]).collect();
        let func = NewOp::new("func.func")
            .attr("sym_name", Attr::string(&function))
            .attr("function_type", Attr::ty(Type::function(&types, &[])))
            .loc(loc);
        let func = rewriter.insert(InsertPoint::End(module_block), func);
        let region = rewriter.add_region(func);
        let entry = rewriter.append_block(region, &types);
        rewriter.set_insertion_point(InsertPoint::End(entry));
        self.function_body(&mut rewriter, entry, loc);
        let end = NewOp::new("stream.executable.end").loc(loc);
        rewriter.insert(InsertPoint::End(block), end);
        body
    }

    fn function_body(self, rewriter: &mut Rewriter<'_>, entry: tegula_ir::BlockId, loc: Attr) {
        let registry = rewriter.registry;
        let args: Vec<ValueId> = rewriter.body.block_args(entry).to_vec();
        let (Some(&source_arg), Some(&target_arg)) = (args.first(), args.last()) else { return };
        let sizes = args[1..args.len() - 1].iter().enumerate().map(|(ordinal, &size)| {
            let size = NewOp::new("iree_tensor_ext.dispatch.workload.ordinal")
                .operand(size)
                .attr("ordinal", Attr::index(ordinal as i64))
                .result(Type::index())
                .loc(loc);
            rewriter.insert_value(InsertPoint::End(entry), size)
        });
        let sizes: Vec<ValueId> = sizes.collect();
        let (from_sizes, to_sizes) = sizes.split_at(unknown_sizes(self.from));
        let zero = index_constant(rewriter, InsertPoint::End(entry), 0, loc);
        let subspan = |rewriter: &mut Rewriter<'_>,
                       arg: ValueId,
                       access: &str,
                       ty: Type,
                       sizes: &[ValueId]| {
            let tensor = Type::dialect(
                "iree_tensor_ext.dispatch.tensor",
                &[Attr::string(access), Attr::ty(ty)],
            );
            let new = registry
                .new_op("stream.binding.subspan")
                .operands("binding", [arg])
                .operands("byte_offset", [zero])
                .operands("dynamic_dims", sizes.iter().copied())
                .results("result", [tensor])
                .loc(loc);
            rewriter.insert_value(InsertPoint::End(entry), new.build())
        };
        let source = subspan(rewriter, source_arg, "readonly", self.from, from_sizes);
        let target = subspan(rewriter, target_arg, "writeonly", self.to, to_sizes);
        let load = registry
            .new_op("iree_tensor_ext.dispatch.tensor.load")
            .operands("source", [source])
            .results("result", [self.from]);
        let load = whole_slice(load, self.from, "source_dims", from_sizes).loc(loc).build();
        let mut value = rewriter.insert_value(InsertPoint::End(entry), load);
        if self.from.encoding().is_some() {
            let plain = with_encoding(self.from, None);
            let unset = registry
                .new_op("iree_encoding.unset_encoding")
                .operands("source", [value])
                .operands("result_dims", from_sizes.iter().copied())
                .results("result", [plain])
                .loc(loc);
            value = rewriter.insert_value(InsertPoint::End(entry), unset.build());
        }
        if self.to.encoding().is_some() {
            let set = registry
                .new_op("iree_encoding.set_encoding")
                .operands("source", [value])
                .results("result", [self.to])
                .loc(loc);
            value = rewriter.insert_value(InsertPoint::End(entry), set.build());
        }
        let store = registry
            .new_op("iree_tensor_ext.dispatch.tensor.store")
            .operands("value", [value])
            .operands("target", [target]);
        let store = whole_slice(store, self.to, "target_dims", to_sizes).loc(loc).build();
        rewriter.insert(InsertPoint::End(entry), store);
        rewriter.insert(InsertPoint::End(entry), NewOp::new("func.return").loc(loc));
    }
}

/// How many sizes of a tensor are not known.
fn unknown_sizes(ty: Type) -> usize {
    ty.shape().unwrap_or(&[]).iter().filter(|&&size| size == DYNAMIC).count()
}

/// The offsets, sizes and strides that mean all of a tensor with these dynamic sizes.
fn whole_slice<'a>(
    new: tegula_ir::GroupedOp<'a>,
    ty: Type,
    dims: &str,
    sizes: &[ValueId],
) -> tegula_ir::GroupedOp<'a> {
    let shape = ty.shape().unwrap_or(&[]);
    new.operands(dims, sizes.iter().copied())
        .operands("sizes", sizes.iter().copied())
        .attr("static_offsets", Attr::i64_array(&vec![0; shape.len()]))
        .attr("static_sizes", Attr::i64_array(shape))
        .attr("static_strides", Attr::i64_array(&vec![1; shape.len()]))
}

/// A hash of a text that is the same in every process (FNV-1a).
fn fingerprint(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3)
    })
}
