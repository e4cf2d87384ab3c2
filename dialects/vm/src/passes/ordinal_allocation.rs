//! `iree-vm-ordinal-allocation`: what the module file numbers gets its number.

use std::collections::BTreeMap;

use tegula_ir::{Attr, Body, NewOp, OpId, Type};
use tegula_pass::{Changed, PassCx, PassResult};

use super::{members, named, symbols};

/// What is counted, in the order of the module's counts; globals that are numbers are bytes.
const KINDS: [&str; 7] =
    ["vm.import", "vm.export", "vm.func", "", "vm.global.ref", "vm.rodata", "vm.rwdata"];
const BYTES: usize = 3;

pub(crate) fn run(cx: &mut PassCx<'_>, body: &mut Body, module: OpId) -> PassResult {
    let mut counts = [0i32; KINDS.len()];
    // By their size: each lies where its size divides its place.
    let mut numbers: BTreeMap<u32, Vec<OpId>> = BTreeMap::new();
    for op in members(body, module) {
        let name = body.name(op).as_str();
        if let Some(kind) = KINDS.iter().position(|&kind| kind == name) {
            cx.rewriter(body).set_attr(op, "ordinal", Attr::i32(counts[kind]));
            counts[kind] += 1;
        } else if name.starts_with("vm.global.") {
            let width = body.attr(op, "type").and_then(Attr::as_type).and_then(Type::bit_width);
            let Some(width) = width else {
                return Err(cx.error(body, op, "global-type", "a global of unknown size"));
            };
            numbers.entry(width.div_ceil(8).next_power_of_two()).or_default().push(op);
        }
    }
    let mut place: u32 = 0;
    for (size, globals) in numbers {
        place = place.next_multiple_of(size);
        for global in globals {
            let at = i32::try_from(place).unwrap_or(i32::MAX);
            cx.rewriter(body).set_attr(global, "ordinal", Attr::i32(at));
            place += size;
        }
    }
    counts[BYTES] = i32::try_from(place).unwrap_or(i32::MAX);
    let counts: Vec<Attr> = counts.iter().map(|&count| Attr::i64(count.into())).collect();
    let counts = Attr::dialect("vm.ordinal_counts", &counts);
    cx.rewriter(body).set_attr(module, "ordinal_counts", counts);
    addresses(cx, body, module);
    Ok(Changed::Yes)
}

/// The address of a global is its number.
fn addresses(cx: &mut PassCx<'_>, body: &mut Body, module: OpId) {
    let symbols = symbols(body, module);
    let addresses: Vec<OpId> =
        body.walk(module).filter(|&op| body.is(op, "vm.global.address")).collect();
    let mut rw = cx.rewriter(body);
    for op in addresses {
        let global = named(rw.body, op, "global").and_then(|name| symbols.get(name));
        let number = global.and_then(|&global| rw.body.attr(global, "ordinal"));
        let Some(number) = number else { continue };
        let new = NewOp::new("vm.const.i32").attr("value", number).result(Type::int(32));
        let loc = rw.body.loc(op);
        rw.replace_with(op, new.loc(loc));
    }
}
