//! `iree-hal-resolve-device-promises`: promised devices are there.

use std::collections::BTreeSet;

use tegula_ir::{Attr, AttrData, Ident, Module, OpId};
use tegula_pass::{Changed, PassCx, PassResult};

use super::devices::device_globals;

/// Runs the pass.
pub(crate) fn run(cx: &mut PassCx<'_>, module: &mut Module) -> PassResult {
    let devices: BTreeSet<&str> =
        device_globals(module).into_iter().map(|(_, name)| name).collect();
    let mut changed = Changed::No;
    let resolved = resolve(module.attrs, &devices);
    let Ok(attrs) = resolved else {
        let message = "the module references a promised device that was not declared";
        return Err(cx.error_no_op("unknown-device", message));
    };
    if attrs != module.attrs {
        module.attrs = attrs;
        changed = Changed::Yes;
    }
    for body in &mut module.bodies {
        for op in body.walk_all().collect::<Vec<OpId>>() {
            let old = body.attrs(op);
            let Ok(new) = resolve(old, &devices) else {
                let message = "op references a promised device that was not declared";
                return Err(cx.error(body, op, "unknown-device", message));
            };
            if new != old {
                cx.rewriter(body).set_attrs(op, new);
                changed = Changed::Yes;
            }
        }
    }
    Ok(changed)
}

/// An attribute with affinities in the place of promises; an error where a device is not there.
fn resolve(attr: Attr, devices: &BTreeSet<&str>) -> Result<Attr, ()> {
    let all = |items: &[Attr]| -> Result<Vec<Attr>, ()> {
        items.iter().map(|&item| resolve(item, devices)).collect()
    };
    Ok(match attr.data() {
        AttrData::Array(items) => Attr::array(&all(items)?),
        AttrData::Dict(entries) => {
            let entry = |&(name, value): &(Ident, Attr)| Ok((name, resolve(value, devices)?));
            Attr::dict(entries.iter().map(entry).collect::<Result<Vec<_>, ()>>()?)
        }
        AttrData::Dialect { name, params } if name.as_str() == "hal.device.promise" => {
            let device = params.first().and_then(|device| device.as_symbol_root());
            device.filter(|device| devices.contains(device.as_str())).ok_or(())?;
            Attr::dialect("hal.device.affinity", params)
        }
        AttrData::Dialect { name, params } => Attr::dialect(name.as_str(), &all(params)?),
        _ => attr,
    })
}
