//! `iree-hal-materialize-target-devices`: devices become globals.

use tegula_ir::{Attr, AttrData, Body, InsertPoint, LocData, Module, NewOp, Type};
use tegula_pass::{Changed, PassCx, PassResult};

/// Runs the pass on a module.
pub fn run(cx: &mut PassCx<'_>, module: &mut Module) -> PassResult {
    let targets = module.attrs.get("hal.device.targets");
    let named: Vec<(String, Attr)> = match targets.map(|t| (t.as_array(), t.as_dict())) {
        Some((Some(list), _)) => {
            list.iter().enumerate().map(|(i, &t)| (format!("__device_{i}"), t)).collect()
        }
        Some((None, Some(dict))) => {
            dict.iter().map(|&(name, t)| (name.as_str().to_owned(), t)).collect()
        }
        Some((None, None)) => {
            let message = "`hal.device.targets` must be an array or a dictionary of devices";
            return Err(cx.error_no_op("device-targets", message));
        }
        None => Vec::new(),
    };
    let mut devices: Vec<(String, Attr)> = Vec::with_capacity(named.len());
    for (name, target) in named {
        let Some(device) = device(target) else {
            let message = format!(
                "invalid device targets specified: `hal.device.targets` names no device for `{name}`"
            );
            return Err(cx.error_no_op("device-targets", message));
        };
        devices.push((name, device));
    }
    let named = devices;
    let chosen = module.attrs.get("hal.device.default");
    let default = match (chosen.and_then(Attr::as_str), chosen.and_then(Attr::as_int)) {
        (Some(name), _) => Some(name.to_owned()),
        (None, Some(ordinal)) => Some(format!("__device_{ordinal}")),
        (None, None) => match cx.options.str("defaultDevice") {
            "" => named.first().map(|(name, _)| name.clone()),
            name if name.bytes().all(|b| b.is_ascii_digit()) => Some(format!("__device_{name}")),
            name => Some(name.to_owned()),
        },
    };
    if named.is_empty() && default.is_none() {
        return Ok(Changed::No);
    }
    let globals: Vec<Body> = named.iter().map(|(name, target)| global(name, *target)).collect();
    module.bodies.extend(globals);

    module.set_attr("hal.device.targets", None);
    module.set_attr("hal.device.default", None);
    if let Some(name) = default {
        let params = [Attr::symbol(&name), Attr::absent()];
        let affinity = Attr::dialect("hal.device.affinity", &params);
        module.set_attr("stream.affinity.default", Some(affinity));
    }
    Ok(Changed::Yes)
}

/// What a global holds that is a target: the device that it names, or of several the first that is
/// there.
fn device(target: Attr) -> Option<Attr> {
    let kinds = ["target", "alias", "ordinal", "fallback", "select"];
    let names_device = |attr: Attr| {
        kinds.iter().any(|kind| attr.dialect_params(&format!("hal.device.{kind}")).is_some())
    };
    match target.as_array() {
        Some(&[one]) => Some(one).filter(|&one| names_device(one)),
        Some(several) => (several.iter().all(|&one| names_device(one)))
            .then(|| Attr::dialect("hal.device.select", &[target])),
        None => Some(target).filter(|&target| names_device(target)),
    }
}

fn global(name: &str, target: Attr) -> Body {
    let mut body = Body::new();
    let op = NewOp::new("util.global")
        .attr("sym_name", Attr::string(name))
        .attr("sym_visibility", Attr::string("private"))
        .attr("type", Attr::ty(Type::dialect("hal.device", &[])))
        .attr("initial_value", target)
        .loc(Attr::new(AttrData::Loc(LocData::Unknown)));
    body.insert(InsertPoint::End(body.top_block()), op);
    body
}
