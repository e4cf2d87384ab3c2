//! `iree-hal-materialize-resource-caches`: executables are loaded when the program starts.
//!
//! For each device and each executable that is looked up for it there is a global, which an
//! initializer sets to the first variant whose format the device knows.

use indexmap::IndexMap;
use tegula_ir::{Attr, Body, InsertPoint, Module, NewOp, OpId, Type, ValueId};
use tegula_pass::{Changed, Failed, PassCx, PassResult};
use tegula_rewrite::Rewriter;

use super::devices::{Devices, device_globals, insert_behind, prefix};
use crate::executable::children;
use crate::host;

/// Where executables are looked up, by name.
type Lookups = IndexMap<String, Vec<(usize, OpId)>>;

/// Runs the pass.
pub(crate) fn run(cx: &mut PassCx<'_>, module: &mut Module) -> PassResult {
    let lookups = gather(cx, module)?;
    let mut added = Vec::new();
    for (at, device) in device_globals(module) {
        let Some(executables) = lookups.get(device) else { continue };
        added.push((at, load_for(cx, module, at, device, executables)?));
    }
    insert_behind(module, added);
    Ok(Changed::when(!lookups.is_empty()))
}

/// Finds all lookups, by device.
fn gather(cx: &mut PassCx<'_>, module: &Module) -> Result<IndexMap<&'static str, Lookups>, Failed> {
    let devices = Devices::of(module);
    let mut found: IndexMap<&'static str, Lookups> = IndexMap::new();
    for (at, body) in module.bodies.iter().enumerate() {
        for op in body.walk_all().filter(|&op| body.is(op, "hal.executable.lookup")) {
            let Some(device) = devices.only(at, body.operand(op, 0)) else {
                let message = "which device the executable is looked up for is not known";
                return Err(cx.error(body, op, "unknown-device", message));
            };
            let name = body.attr(op, "executable").and_then(Attr::as_symbol_root);
            let name = name.map_or("", |name| name.as_str()).to_owned();
            found.entry(device).or_default().entry(name).or_default().push((at, op));
        }
    }
    Ok(found)
}

/// The globals of a device's executables and what sets them; lookups become reads.
fn load_for(
    cx: &mut PassCx<'_>,
    module: &mut Module,
    at: usize,
    device: &str,
    executables: &Lookups,
) -> Result<Vec<Body>, Failed> {
    let body = &module.bodies[at];
    let Some(root) = body.root().filter(|&root| body.attr(root, "initial_value").is_some()) else {
        let message = format!("the device @{device} has no value from which it is known");
        return Err(cx.error_no_op("unknown-device", message));
    };
    let loc = body.loc(root);
    let mut added = Vec::new();
    let mut loaded = Vec::new();
    for (number, (executable, lookups)) in executables.iter().enumerate() {
        let name = format!("{}_executable_{number}_{executable}", prefix(device));
        added.push(host::global(cx.registry, &name, executable_type(), loc));
        for &(user, lookup) in lookups {
            let mut rw = cx.rewriter(&mut module.bodies[user]);
            let at = InsertPoint::Before(lookup);
            let read = host::load(&mut rw, at, &name, executable_type(), false);
            rw.replace(lookup, &[read]);
        }
        let Some(variants) = variants(module, executable) else {
            let message = format!("there is no executable @{executable}");
            return Err(cx.error_no_op("no-executable", message));
        };
        loaded.push(Loaded { executable, name, variants });
    }
    added.extend(initializer(cx, device, &loaded, loc));
    Ok(added)
}

fn executable_type() -> Type {
    Type::dialect("hal.executable", &[])
}

/// The variants of an executable: their names and formats.
fn variants(module: &Module, executable: &str) -> Option<Vec<(&'static str, &'static str)>> {
    let body = module.symbol(executable)?;
    let variants = children(body, body.root()?, "hal.executable.variant");
    let variants = variants.map(|variant| {
        let target = body.attr(variant, "target")?.dialect_params("hal.executable.target")?;
        Some((body.symbol_name(variant)?, target.get(1)?.as_str()?))
    });
    variants.collect()
}

/// An executable that a device loads.
struct Loaded<'a> {
    executable: &'a str,
    /// The global.
    name: String,
    variants: Vec<(&'static str, &'static str)>,
}

fn initializer(cx: &PassCx<'_>, device: &str, loaded: &[Loaded<'_>], loc: Attr) -> Option<Body> {
    let mut made = host::initializer(cx.registry, loc)?;
    let at = made.end();
    let mut rw = cx.rewriter(&mut made.body);
    let this = host::load(&mut rw, at, device, Type::dialect("hal.device", &[]), false);
    let queues = host::number(&mut rw, at, -1, Type::int(64));
    for one in loaded {
        let executable = load_first_known(&mut rw, at, (device, this, queues), one)?;
        host::store(&mut rw, at, executable, &one.name);
    }
    host::give(&mut rw, at, &[]);
    Some(made.body)
}

/// Loads the first variant whose format the device knows; fails when it knows none.
fn load_first_known(
    rw: &mut Rewriter<'_>,
    at: InsertPoint,
    (name, device, queues): (&str, ValueId, ValueId),
    one: &Loaded<'_>,
) -> Option<ValueId> {
    let mut known = Vec::new();
    for (_, format) in &one.variants {
        let query = NewOp::new("hal.device.query")
            .operand(device)
            .attr("category", Attr::string("hal.executable.format"))
            .attr("key", Attr::string(format))
            .attr("default_value", Attr::bool(false))
            .results([Type::int(1); 2]);
        let query = rw.insert(at, query);
        known.push(rw.body.result(query, 1));
    }
    let mut chosen = host::number(rw, at, -1, Type::index());
    for (index, known) in known.into_iter().enumerate().rev() {
        let this = host::number(rw, at, i128::try_from(index).ok()?, Type::index());
        let select = NewOp::new("arith.select").operands([known, this, chosen]);
        chosen = rw.insert_value(at, select.result(Type::index()));
    }
    let cases: Vec<i64> = (0..).take(one.variants.len()).collect();
    let switch = NewOp::new("scf.index_switch")
        .operand(chosen)
        .attr("cases", Attr::i64_array(&cases))
        .result(executable_type())
        .regions(one.variants.len() + 1);
    let switch = rw.insert(at, switch);
    let regions = rw.body.regions(switch).to_vec();
    let (&otherwise, cases) = regions.split_first()?;
    for (&case, (variant, _)) in cases.iter().zip(&one.variants) {
        let inner = InsertPoint::End(rw.append_block(case, &[]));
        let create = NewOp::new("hal.executable.create")
            .operands([device, queues])
            .attr("executable_target", Attr::symbol_path(&[one.executable, variant]))
            .result(executable_type());
        let create = rw.insert_value(inner, create);
        rw.insert(inner, NewOp::new("scf.yield").operand(create));
    }
    let inner = InsertPoint::End(rw.append_block(otherwise, &[]));
    let status = host::number(rw, inner, host::UNAVAILABLE, Type::int(32));
    let formats: Vec<&str> = one.variants.iter().map(|&(_, format)| format).collect();
    let message = format!(
        "HAL device `{name}` does not support any variant of executable `{}`; available formats: \
         [{}]",
        one.executable,
        formats.join(", ")
    );
    let fail = NewOp::new("util.status.check_ok").operand(status);
    rw.insert(inner, fail.attr("message", Attr::string(&message)));
    let nothing = host::nothing(rw, inner, executable_type());
    rw.insert(inner, NewOp::new("scf.yield").operand(nothing));
    Some(rw.body.result(switch, 0))
}
