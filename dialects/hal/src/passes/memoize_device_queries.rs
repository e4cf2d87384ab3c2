//! `iree-hal-memoize-device-queries`: devices are asked once, when the program starts.

use indexmap::IndexMap;
use tegula_ir::{Attr, Body, InsertPoint, Module, NewOp, OpId, Type};
use tegula_pass::{Changed, PassCx, PassResult};

use super::devices::{Devices, device_globals, insert_behind, prefix};
use crate::host;

/// What a device is asked: category, key, what is answered otherwise, and the type of the answer.
#[derive(Clone, PartialEq, Eq, Hash)]
struct Query {
    category: String,
    key: String,
    default: Option<Attr>,
    ty: Type,
}

/// Where devices are asked what.
type Queries = IndexMap<&'static str, IndexMap<Query, Vec<(usize, OpId)>>>;

/// Runs the pass.
pub(crate) fn run(cx: &mut PassCx<'_>, module: &mut Module) -> PassResult {
    let queries = gather(module);
    let mut all_added = Vec::new();
    for (at, device) in device_globals(module) {
        let Some(asked) = queries.get(device) else { continue };
        let body = &module.bodies[at];
        let loc = body.root().map_or_else(Attr::unit, |root| body.loc(root));
        let mut names = Vec::new();
        let mut added = Vec::new();
        for (number, (query, ops)) in asked.iter().enumerate() {
            let category = plain(&query.category);
            let name =
                format!("{}_query_{number}_{category}_{}", prefix(device), plain(&query.key));
            let globals = [(format!("{name}_ok"), Type::int(1)), (name, query.ty)];
            for (name, ty) in &globals {
                added.push(host::global(cx.registry, name, *ty, loc));
            }
            for &(user, op) in ops {
                let mut rw = cx.rewriter(&mut module.bodies[user]);
                let at = InsertPoint::Before(op);
                let reads = globals.each_ref();
                let reads = reads.map(|(name, ty)| host::load(&mut rw, at, name, *ty, false));
                rw.replace(op, &reads);
            }
            names.push((query, globals));
        }
        added.extend(initializer(cx, device, &names, loc));
        all_added.push((at, added));
    }
    insert_behind(module, all_added);
    Ok(Changed::when(!queries.is_empty()))
}

/// Finds what is asked of devices that are known.
fn gather(module: &Module) -> Queries {
    let devices = Devices::of(module);
    let mut found = Queries::new();
    for (at, body) in module.bodies.iter().enumerate() {
        for op in body.walk_all().filter(|&op| body.is(op, "hal.device.query")) {
            let Some(device) = devices.only(at, body.operand(op, 0)) else { continue };
            let text = |name| body.attr(op, name).and_then(Attr::as_str).unwrap_or_default();
            let query = Query {
                category: text("category").to_owned(),
                key: text("key").to_owned(),
                default: body.attr(op, "default_value"),
                ty: body.ty(body.result(op, 1)),
            };
            found.entry(device).or_default().entry(query).or_default().push((at, op));
        }
    }
    found
}

/// Text with what cannot stand in a name as `_`.
fn plain(text: &str) -> String {
    text.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect()
}

fn initializer(
    cx: &PassCx<'_>,
    device: &str,
    asked: &[(&Query, [(String, Type); 2])],
    loc: Attr,
) -> Option<Body> {
    let mut made = host::initializer(cx.registry, loc)?;
    let at = made.end();
    let mut rw = cx.rewriter(&mut made.body);
    let this = host::load(&mut rw, at, device, Type::dialect("hal.device", &[]), false);
    for (query, globals) in asked {
        let new = NewOp::new("hal.device.query")
            .operand(this)
            .attr("category", Attr::string(&query.category))
            .attr("key", Attr::string(&query.key))
            .attr_opt("default_value", query.default)
            .results(globals.iter().map(|(_, ty)| *ty));
        let op = rw.insert(at, new);
        for (index, (name, _)) in globals.iter().enumerate() {
            let answer = rw.body.result(op, index);
            host::store(&mut rw, at, answer, name);
        }
    }
    host::give(&mut rw, at, &[]);
    Some(made.body)
}
