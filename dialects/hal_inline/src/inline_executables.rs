//! `iree-hal-inline-executables`: device code becomes functions of the program, which a function
//! for each entry point calls workgroup by workgroup.

use std::collections::{BTreeMap, BTreeSet};

use tegula_dialect_hal::executable::{Export, beside_code, children, exports};
use tegula_dialect_util::references::with_references;
use tegula_ir::{
    Attr, AttrData, BlockId, Body, Ident, InsertPoint, Module, NewOp, OpId, Registry, Type, ValueId,
};
use tegula_pass::{Changed, Failed, PassCx, PassResult};
use tegula_rewrite::{IrMapping, Rewriter};

/// The attribute of a dispatch that names the function which does its work.
const TARGET: &str = "hal_inline.target";

/// The backend of device code that the host program runs itself.
const BACKEND: &str = "vmvx-inline";

/// Runs the pass.
pub(crate) fn run(cx: &mut PassCx<'_>, module: &mut Module) -> PassResult {
    let mut names = Names::default();
    for body in &module.bodies {
        names.taken.extend(body.root().and_then(|root| body.symbol_name(root)));
    }
    let mut inlined = Vec::new();
    for (at, body) in module.bodies.iter().enumerate() {
        if let Some(root) = body.root().filter(|&root| body.is(root, "hal.executable")) {
            inlined.push((at, inline(cx, body, root, &mut names)?));
        }
    }
    let mut targets = Vec::new();
    for (at, body) in module.bodies.iter().enumerate() {
        for op in body.walk_all().filter(|&op| body.is(op, "stream.cmd.dispatch")) {
            targets.push((at, op, target_of(cx, body, op, &names)?));
        }
    }
    let changed = Changed::when(!inlined.is_empty() || !targets.is_empty());
    for (at, dispatch, target) in targets {
        let mut rw = Rewriter::new(&mut module.bodies[at], cx.registry);
        rw.set_attr(dispatch, TARGET, Attr::symbol(target));
    }
    for (at, bodies) in inlined.into_iter().rev() {
        module.bodies.splice(at..=at, bodies);
    }
    Ok(changed)
}

/// The new names of symbols.
type Renamed = BTreeMap<&'static str, &'static str>;

/// The symbols of the module.
#[derive(Default)]
struct Names {
    taken: BTreeSet<&'static str>,
    /// The function that does the work of an entry point, by the path to that.
    wrappers: BTreeMap<[&'static str; 3], &'static str>,
}

impl Names {
    /// A name like this one that nothing has yet.
    fn claim(&mut self, name: &str) -> &'static str {
        let mut unique = Ident::of(name).as_str();
        for number in 0.. {
            if self.taken.insert(unique) {
                break;
            }
            unique = Ident::of(&format!("{name}_{number}")).as_str();
        }
        unique
    }
}

fn target_of(
    cx: &mut PassCx<'_>,
    body: &Body,
    dispatch: OpId,
    names: &Names,
) -> Result<&'static str, Failed> {
    let entries = body.attr(dispatch, "entry_points").and_then(Attr::as_array).unwrap_or(&[]);
    let [entry] = entries else {
        let message = "the dispatch has a choice of entry points; only one can be inlined";
        return Err(cx.error(body, dispatch, "several-variants", message));
    };
    let wrapper = match entry.data() {
        AttrData::SymbolRef { root, nested } => match nested[..] {
            [variant, export] => {
                names.wrappers.get(&[root.as_str(), variant.as_str(), export.as_str()])
            }
            _ => None,
        },
        _ => None,
    };
    wrapper.copied().ok_or_else(|| {
        cx.error(body, dispatch, "no-entry", format!("no executable has the entry point {entry}"))
    })
}

/// The symbols of an executable's only variant and a wrapper for each of its entry points.
fn inline(
    cx: &mut PassCx<'_>,
    body: &Body,
    root: OpId,
    names: &mut Names,
) -> Result<Vec<Body>, Failed> {
    let variants: Vec<OpId> = children(body, root, "hal.executable.variant").collect();
    let &[variant] = &variants[..] else {
        let message = "only executables with exactly one variant can be inlined";
        return Err(cx.error(body, root, "several-variants", message));
    };
    runs_on_the_host(cx, body, variant)?;
    let path = (body.symbol_name(root), body.symbol_name(variant));
    let mut out = Vec::new();
    let (Some(executable), Some(target)) = path else { return Ok(out) };
    let exports = exports(body, variant);

    let mut renamed = Renamed::new();
    let inner: Vec<OpId> = children(body, variant, "builtin.module")
        .filter_map(|module| body.region_entry(module, 0))
        .flat_map(|block| body.block_ops(block))
        .collect();
    for name in inner.iter().filter_map(|&op| body.symbol_name(op)) {
        renamed.insert(name, names.claim(name));
    }
    for &op in &inner {
        let mut single = Body::new();
        let mut rw = Rewriter::new(&mut single, cx.registry);
        let at = InsertPoint::End(rw.body.top_block());
        let copy = rw.clone_from(body, op, at, &mut IrMapping::new());
        let copy = copy.map_err(|u| cx.error(body, u.user, "not-isolated", u.to_string()))?;
        rename(&mut rw, copy, &renamed);
        if let Some(export) = exports.iter().find(|e| Some(e.name) == body.symbol_name(op)) {
            let flat = flatten_arguments(&mut rw, copy, export);
            flat.map_err(|(op, why)| cx.error(&single, op, "not-inlinable", why))?;
        }
        out.push(single);
    }
    for export in &exports {
        let Some(&function) = renamed.get(export.name) else {
            let message = format!("the code of the entry point @{} is missing", export.name);
            return Err(cx.error(body, export.op, "no-code", message));
        };
        let wrapper = names.claim(&format!("__dispatch_{executable}_{}", export.name));
        let made = make_wrapper(cx.registry, body, export, wrapper, function);
        out.push(made.map_err(|why| cx.error(body, export.op, "not-inlinable", why))?);
        names.wrappers.insert([executable, target, export.name], wrapper);
    }
    Ok(out)
}

/// Only code that is made for it is part of the host program.
fn runs_on_the_host(cx: &mut PassCx<'_>, body: &Body, variant: OpId) -> Result<(), Failed> {
    let target = body.attr(variant, "target");
    let target = target.and_then(|target| target.dialect_params("hal.executable.target"));
    let backend = target.and_then(|params| params.first()?.as_str()).unwrap_or_default();
    if backend != BACKEND {
        let message =
            format!("the code is for `{backend}`; only code for `{BACKEND}` can be inlined");
        return Err(cx.error(body, variant, "not-inlinable", message));
    }
    match beside_code(body, variant) {
        Some((op, why)) => Err(cx.error(body, op, "not-inlinable", why)),
        None => Ok(()),
    }
}

/// Gives symbols and what refers to them their new names.
fn rename(rw: &mut Rewriter<'_>, root: OpId, renamed: &Renamed) {
    let name = rw.body.symbol_name(root).and_then(|name| renamed.get(name));
    if let Some(name) = name {
        rw.set_attr(root, "sym_name", Attr::string(name));
    }
    let refer = |path: Attr| {
        let AttrData::SymbolRef { root, nested } = path.data() else { return None };
        let name = *renamed.get(root.as_str())?;
        let path: Vec<&str> =
            std::iter::once(name).chain(nested.iter().map(|n| n.as_str())).collect();
        Some(Attr::symbol_path(&path))
    };
    let ops: Vec<OpId> = rw.body.walk(root).collect();
    for op in ops {
        let old = rw.body.attrs(op);
        let new = with_references(old, &refer);
        if new != old {
            rw.set_attrs(op, new);
        }
    }
}

fn buffer_type() -> Type {
    Type::dialect("util.buffer", &[])
}

fn constant_of(body: &Body, value: ValueId) -> Option<i64> {
    let op = body.defining_op(value).filter(|&op| body.is(op, "arith.constant"))?;
    body.attr(op, "value")?.as_int()
}

/// Makes a function of a workgroup take each constant and each binding as an argument, and indices
/// for numbers: `(local memory, constants…, bindings…, ids, sizes, counts)`.
fn flatten_arguments(
    rw: &mut Rewriter<'_>,
    func: OpId,
    export: &Export,
) -> Result<(), (OpId, String)> {
    let signature = "expected (memory, constants, bindings, 9 numbers) as arguments";
    let entry = rw.body.region_entry(func, 0).ok_or((func, "it has no body".to_owned()))?;
    let old: Vec<ValueId> = rw.body.block_args(entry).to_vec();
    let [memory, constants, bindings, numbers @ ..] = &old[..] else {
        return Err((func, signature.to_owned()));
    };
    if numbers.len() != 9 {
        return Err((func, signature.to_owned()));
    }
    let new_memory = rw.add_block_arg(entry, buffer_type());
    rw.replace_all_uses(*memory, new_memory);
    let values: Vec<ValueId> =
        (0..export.constants).map(|_| rw.add_block_arg(entry, Type::int(32))).collect();
    replace_constants(rw, *constants, &values)?;
    let values: Vec<ValueId> =
        (0..export.bindings).map(|_| rw.add_block_arg(entry, buffer_type())).collect();
    replace_bindings(rw, *bindings, &values)?;
    let mut at = InsertPoint::Start(entry);
    for &number in numbers {
        let new = rw.add_block_arg(entry, Type::index());
        let cast = NewOp::new("arith.index_cast").operand(new).result(rw.body.ty(number));
        let cast = rw.insert(at, cast);
        at = InsertPoint::After(cast);
        let value = rw.body.result(cast, 0);
        rw.replace_all_uses(number, value);
    }
    for index in (0..old.len()).rev() {
        rw.remove_block_arg(entry, index);
    }
    let types: Vec<Type> = rw.body.block_args(entry).iter().map(|&arg| rw.body.ty(arg)).collect();
    rw.modify(func, |body| {
        body.set_attr(func, "function_type", Attr::ty(Type::function(&types, &[])));
        body.set_attr(func, "sym_visibility", Attr::string("private"));
        body.remove_attr(func, "arg_attrs");
    });
    Ok(())
}

/// Constants are 32-bit words of a buffer, at places that are known.
fn replace_constants(
    rw: &mut Rewriter<'_>,
    buffer: ValueId,
    values: &[ValueId],
) -> Result<(), (OpId, String)> {
    let users: Vec<OpId> = rw.body.users(buffer).collect();
    for user in users {
        if rw.body.is(user, "util.buffer.size") {
            let size = NewOp::new("arith.constant")
                .attr("value", Attr::index(4 * values.len() as i64))
                .result(Type::index());
            rw.replace_with(user, size);
            continue;
        }
        let word = if rw.body.is(user, "util.buffer.load") {
            let offset = rw.registry.operand_of(rw.body, user, "source_offset");
            offset.and_then(|o| constant_of(rw.body, o)).filter(|o| o % 4 == 0).map(|o| o / 4)
        } else if rw.body.is(user, "memref.load") && rw.body.num_operands(user) == 2 {
            constant_of(rw.body, rw.body.operand(user, 1))
        } else {
            None
        };
        replace_element(rw, user, word, values)?;
    }
    Ok(())
}

/// Bindings are elements of a list, at places that are known.
fn replace_bindings(
    rw: &mut Rewriter<'_>,
    list: ValueId,
    values: &[ValueId],
) -> Result<(), (OpId, String)> {
    let users: Vec<OpId> = rw.body.users(list).collect();
    for user in users {
        let index = match rw.body.is(user, "util.list.get") {
            true => constant_of(rw.body, rw.body.operand(user, 1)),
            false => None,
        };
        replace_element(rw, user, index, values)?;
    }
    Ok(())
}

fn replace_element(
    rw: &mut Rewriter<'_>,
    user: OpId,
    index: Option<i64>,
    values: &[ValueId],
) -> Result<(), (OpId, String)> {
    let value = index.and_then(|i| usize::try_from(i).ok()).and_then(|i| values.get(i).copied());
    match value {
        Some(value) if rw.body.ty(value) == rw.body.ty(rw.body.result(user, 0)) => {
            rw.replace(user, &[value]);
            Ok(())
        }
        _ => Err((user, "only loads of single elements at constant places can be inlined".into())),
    }
}

/// Builds the function that runs all workgroups of an entry point:
/// `(workload…, constants…, bindings…, offsets…, lengths…)`.
fn make_wrapper(
    registry: &Registry,
    source: &Body,
    export: &Export,
    name: &str,
    function: &str,
) -> Result<Body, String> {
    let workload = export.workload(source)?;
    let mut types: Vec<Type> = workload.iter().map(|&arg| source.ty(arg)).collect();
    types.extend(std::iter::repeat_n(Type::int(32), export.constants));
    types.extend(std::iter::repeat_n(buffer_type(), export.bindings));
    types.extend(std::iter::repeat_n(Type::index(), 2 * export.bindings));

    let mut body = Body::new();
    let mut rw = Rewriter::new(&mut body, registry);
    let func = NewOp::new("util.func")
        .attr("sym_name", Attr::string(name))
        .attr("sym_visibility", Attr::string("private"))
        .attr("function_type", Attr::ty(Type::function(&types, &[])))
        .regions(1)
        .loc(source.loc(export.op));
    let top = InsertPoint::End(rw.body.top_block());
    let func = rw.insert(top, func);
    let region = rw.body.region(func, 0).ok_or("a function without a region")?;
    let entry = rw.append_block(region, &types);
    let at = InsertPoint::End(entry);
    let args: Vec<ValueId> = rw.body.block_args(entry).to_vec();
    let (workload_args, args) = args.split_at(workload.len());
    let (constants, args) = args.split_at(export.constants);
    let (buffers, args) = args.split_at(export.bindings);
    let (offsets, lengths) = args.split_at(export.bindings);

    let counts = export.count_workgroups(source, &mut rw, at, workload_args)?;

    let memory = rw.insert_value(at, NewOp::new("util.null").result(buffer_type()));
    let mut passed = vec![memory];
    passed.extend(constants);
    for ((&buffer, &offset), &length) in buffers.iter().zip(offsets).zip(lengths) {
        let size = NewOp::new("util.buffer.size").operand(buffer).result(Type::index());
        let size = rw.insert_value(at, size);
        let span = NewOp::new("util.buffer.subspan")
            .operands([buffer, size, offset, length])
            .result(buffer_type());
        passed.push(rw.insert_value(at, span));
    }
    let [zero, one] = [0, 1].map(|n| {
        let constant = NewOp::new("arith.constant").attr("value", Attr::index(n));
        rw.insert_value(at, constant.result(Type::index()))
    });
    let mut blocks = vec![entry];
    let mut inside = at;
    let mut ids = [zero; 3];
    for (&count, id) in counts.iter().zip(&mut ids).rev() {
        let (block, counter) = make_loop(&mut rw, inside, [zero, count, one])?;
        blocks.push(block);
        (inside, *id) = (InsertPoint::End(block), counter);
    }
    passed.extend(ids);
    passed.extend([one; 3]);
    passed.extend(counts);
    let call = NewOp::new("func.call").attr("callee", Attr::symbol(function)).operands(passed);
    rw.insert(inside, call);
    for block in blocks {
        let end = if block == entry { "util.return" } else { "scf.yield" };
        rw.insert(InsertPoint::End(block), NewOp::new(end));
    }
    Ok(body)
}

/// Makes a loop without a terminator and gives its body and its counter.
fn make_loop(
    rw: &mut Rewriter<'_>,
    at: InsertPoint,
    bounds: [ValueId; 3],
) -> Result<(BlockId, ValueId), String> {
    let new = NewOp::new("scf.for").operands(bounds).regions(1);
    let made = rw.insert(at, new);
    let region = rw.body.region(made, 0).ok_or("a loop without a region")?;
    let inside = rw.append_block(region, &[Type::index()]);
    let counter = rw.body.block_args(inside).first().copied();
    Ok((inside, counter.ok_or("a loop without a counter")?))
}
