//! `iree-hal-loader-materialize-executables`: device code becomes data of the program, which loads
//! it when it starts.

use tegula_dialect_hal::host;
use tegula_ir::{Attr, BlockId, Body, InsertPoint, NewOp, OpId, Type, ValueId};
use tegula_pass::{Changed, PassCx, PassResult};
use tegula_rewrite::Rewriter;

/// How the runtime wants code to be aligned, in bytes.
const ALIGNMENT: i64 = 64;

/// Runs the pass on one top-level op.
pub(crate) fn run(cx: &mut PassCx<'_>, body: &mut Body, root: OpId) -> PassResult {
    if !body.is(root, "hal.executable") {
        return cx.greedy(body, root, &["hal-loader-lookups"]);
    }
    let Some(name) = body.symbol_name(root) else { return Ok(Changed::No) };
    let left = body.walk(root).find(|&op| body.is(op, "hal.executable.variant"));
    if let Some(variant) = left {
        let message = "this variant is not binary yet; only binaries can be loaded";
        return Err(cx.error(body, variant, "not-serialized", message));
    }
    let binaries: Vec<Binary> = body.walk(root).filter_map(|op| Binary::of(body, op)).collect();

    let loc = body.loc(root);
    cx.emit(host::global(cx.registry, name, executable_type(), loc));
    if let Some(mut initializer) = host::initializer(cx.registry, loc) {
        let mut rw = cx.rewriter(&mut initializer.body);
        load_first_supported(&mut rw, initializer.block, name, &binaries);
        cx.emit(initializer.body);
    }
    cx.rewriter(body).erase(root);
    Ok(Changed::Yes)
}

fn executable_type() -> Type {
    Type::dialect("hal.executable", &[])
}

/// Code in one format.
struct Binary {
    name: Option<Attr>,
    format: Attr,
    data: Attr,
    mime_type: Option<Attr>,
    loc: Attr,
}

impl Binary {
    fn of(body: &Body, op: OpId) -> Option<Binary> {
        if !body.is(op, "hal.executable.binary") {
            return None;
        }
        Some(Binary {
            name: body.attr(op, "sym_name"),
            format: body.attr(op, "format")?,
            data: body.attr(op, "data")?,
            mime_type: body.attr(op, "mime_type"),
            loc: body.loc(op),
        })
    }
}

/// Asks for one format after the other, loads the first that the runtime knows and keeps it.
fn load_first_supported(rw: &mut Rewriter<'_>, entry: BlockId, name: &str, all: &[Binary]) {
    let Some(region) = rw.body.block_parent(entry) else { return };
    let tries: Vec<(BlockId, BlockId)> =
        all.iter().map(|_| (rw.append_block(region, &[]), rw.append_block(region, &[]))).collect();
    let none = rw.append_block(region, &[]);
    let exit = rw.append_block(region, &[executable_type()]);

    let first = tries.first().map_or(none, |&(ask, _)| ask);
    rw.insert(InsertPoint::End(entry), NewOp::new("cf.br").successor(first));
    for (index, (binary, &(ask, load))) in all.iter().zip(&tries).enumerate() {
        let next = tries.get(index + 1).map_or(none, |&(ask, _)| ask);
        ask_for(rw, binary, InsertPoint::End(ask), load, next);
        let executable = load_from(rw, binary, InsertPoint::End(load));
        let done = NewOp::new("cf.br").operand(executable).successor(exit).loc(binary.loc);
        rw.insert(InsertPoint::End(load), done);
    }

    let at = InsertPoint::End(none);
    let status = host::number(rw, at, host::UNAVAILABLE, Type::int(32));
    let message = "none of the executable binaries in the module are supported by the runtime";
    let fail =
        NewOp::new("util.status.check_ok").operand(status).attr("message", Attr::string(message));
    rw.insert(at, fail);
    host::give(rw, at, &[]);

    let at = InsertPoint::End(exit);
    let loaded = rw.body.block_args(exit).first().copied();
    if let Some(loaded) = loaded {
        host::store(rw, at, loaded, name);
    }
    host::give(rw, at, &[]);
}

fn ask_for(rw: &mut Rewriter<'_>, binary: &Binary, at: InsertPoint, load: BlockId, next: BlockId) {
    let registry = rw.registry;
    let ask = NewOp::new("hal_loader.executable.query_support")
        .attr("executable_format", binary.format)
        .result(Type::int(1))
        .loc(binary.loc);
    let supported = rw.insert_value(at, ask);
    let branch = registry.new_op("cf.cond_br").operands("condition", [supported]).build();
    rw.insert(at, branch.successors([load, next]).loc(binary.loc));
}

fn load_from(rw: &mut Rewriter<'_>, binary: &Binary, at: InsertPoint) -> ValueId {
    let data = NewOp::new("util.buffer.constant")
        .attr_opt("name", binary.name)
        .attr("value", binary.data)
        .attr("alignment", Attr::index(ALIGNMENT))
        .attr_opt("mime_type", binary.mime_type)
        .result(Type::dialect("util.buffer", &[]))
        .loc(binary.loc);
    let data = rw.insert_value(at, data);
    let load = NewOp::new("hal_loader.executable.load")
        .attr("format", binary.format)
        .operand(data)
        .result(executable_type())
        .loc(binary.loc);
    rw.insert_value(at, load)
}
