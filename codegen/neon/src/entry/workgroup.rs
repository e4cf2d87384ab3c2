//! Device functions as IREE's runtime calls them.

use tegula_ir::{Attr, Ident, NewOp};

use super::builder::Builder;
use super::{HostFunction, NoEntry};
use crate::asm::Visibility;
use crate::types;

/// Where the state of a dispatch holds the addresses of its constants and of its bindings.
const CONSTANTS: i64 = 24;
const BINDINGS: i64 = 32;

/// The most bindings and the most constants that the runtime passes.
const MOST: usize = 64;

/// `int f(environment *, dispatch_state *, workgroup_state *)`: calls a device function on the
/// bindings and constants of the dispatch, and reports success. The dispatch is one workgroup.
pub fn workgroup_function(
    symbol: Ident,
    device: Ident,
    bindings: usize,
    constants: usize,
) -> Result<HostFunction, NoEntry> {
    if bindings > MOST || constants > MOST {
        let message = format!("a dispatch with more than {MOST} bindings or constants");
        return Err(NoEntry(message));
    }
    let mut b = Builder::new(symbol, 3);
    let state = b.params()[1];
    let pointers = b.load(state, BINDINGS);
    let table = if constants == 0 {
        // It is just the table that the device function takes.
        pointers
    } else {
        let table = b.frame((bindings + constants) as i64 * 8);
        for at in 0..bindings as i64 {
            let pointer = b.load(pointers, at * 8);
            b.store(pointer, table, at * 8);
        }
        let values = b.load(state, CONSTANTS);
        let zero = b.constant(0);
        for at in 0..constants as i64 {
            // 32 bits without sign.
            let slot = (bindings as i64 + at) * 8;
            b.store(zero, table, slot);
            let offset = |bytes| Attr::i64(bytes);
            let load = NewOp::new("neon.ldr_s").operand(values).attr("offset", offset(at * 4));
            let value = b.value_of(load.result(types::s()));
            let store = NewOp::new("neon.str_s").operands([value, table]);
            b.op(store.attr("offset", offset(slot)));
        }
        table
    };
    b.call(device, &[table]);
    let success = b.constant(0);
    b.op(NewOp::new("neon.ret").operand(success));
    Ok(HostFunction { visibility: Visibility::Local, ..b.finish(symbol) })
}
