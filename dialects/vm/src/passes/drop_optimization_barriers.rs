//! `iree-vm-drop-optimization-barriers`: what hid where values come from goes.

use tegula_ir::{Body, OpId, ValueId};
use tegula_pass::{Changed, PassCx, PassResult};

pub(crate) fn run(cx: &mut PassCx<'_>, body: &mut Body, module: OpId) -> PassResult {
    let is_barrier = |&op: &OpId| body.is(op, "vm.optimization_barrier");
    let barriers: Vec<OpId> = body.walk(module).filter(is_barrier).collect();
    let mut rw = cx.rewriter(body);
    for &barrier in &barriers {
        let values: Vec<ValueId> = rw.body.operands(barrier).collect();
        rw.replace(barrier, &values);
    }
    Ok(Changed::when(!barriers.is_empty()))
}
