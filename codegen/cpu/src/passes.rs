//! The passes as the pass manager runs them.

use tegula_ir::{Body, OpId};
use tegula_pass::{Changed, PassCx, PassImpl, PassResult, PassRun};
use tegula_rewrite::Rewriter;

use crate::error::CpuResult;
use crate::target::CpuTarget;
use crate::{
    accgemm, accumulator, bufferize, builder, cleanup, describe_target, dispatch_buffers,
    dispatch_config, encoding, flatten, loops, lower_affine, native, propagate, slices, strategy,
    tile, unroll, vectorize,
};

type RunFn = fn(&mut PassCx<'_>, &mut Body, OpId) -> PassResult;

/// The passes of this crate.
pub fn passes() -> Vec<PassImpl> {
    let all: Vec<(&'static str, RunFn)> = vec![
        ("iree-codegen-create-dispatch-config", dispatch_config::create),
        ("iree-codegen-propagate-dispatch-config", dispatch_config::propagate),
        ("iree-codegen-materialize-device-encoding", |cx, body, func| {
            run(cx, body, func, |rw, _, _| encoding::run(rw, func))
        }),
        ("iree-codegen-cpu-propagate-data-layout", |cx, body, func| {
            run(cx, body, func, |rw, _, _| propagate::run(rw, func))
        }),
        ("iree-convert-accgemm-to-gemm", |cx, body, func| {
            run(cx, body, func, |rw, _, _| accgemm::run(rw, func))
        }),
        ("iree-codegen-bufferize-dispatch-tensor-load-store", |cx, body, func| {
            run(cx, body, func, |rw, _, _| dispatch_buffers::run(rw, func))
        }),
        ("iree-codegen-combine-result-layout-transformation", |cx, body, func| {
            run(cx, body, func, |rw, _, _| Ok(cleanup::erase_dead(rw, func)))
        }),
        ("iree-llvmcpu-select-lowering-strategy", |cx, body, func| {
            run(cx, body, func, |rw, _, target| strategy::run(rw, func, target))
        }),
        ("tegula-codegen-fold-accumulator", |cx, body, func| {
            run(cx, body, func, |rw, _, _| accumulator::run(rw, func))
        }),
        ("iree-llvmcpu-tile", |cx, body, func| {
            run(cx, body, func, |rw, _, target| tile::run(rw, func, target, true))
        }),
        ("iree-llvmcpu-tile-and-fuse-producer-consumer", |cx, body, func| {
            run(cx, body, func, |rw, level, target| match level {
                "vector_reduction" => tile::run_reduction(rw, func),
                _ => tile::run(rw, func, target, false),
            })
        }),
        ("iree-codegen-generic-vectorization", |cx, body, func| {
            run(cx, body, func, |rw, _, target| vectorize::run(rw, func, target))
        }),
        ("iree-codegen-optimize-tensor-insert-extract-slices", |cx, body, func| {
            run(cx, body, func, |rw, _, _| slices::run(rw, func))
        }),
        ("iree-codegen-iree-comprehensive-bufferize", |cx, body, func| {
            run(cx, body, func, |rw, _, target| bufferize::run(rw, func, target))
        }),
        ("convert-linalg-to-loops", |cx, body, func| {
            run(cx, body, func, |rw, _, _| loops::run(rw, func))
        }),
        ("iree-codegen-flatten-memref-subspan", |cx, body, func| {
            run(cx, body, func, |rw, _, _| flatten::run(rw, func))
        }),
        ("iree-llvmcpu-virtual-vector-lowering", |cx, body, func| {
            run(cx, body, func, |rw, _, target| native::run(rw, func, target))
        }),
        ("lower-affine", |cx, body, func| {
            run(cx, body, func, |rw, _, _| lower_affine::run(rw, func))
        }),
        ("tegula-codegen-unroll-contractions", |cx, body, func| {
            run(cx, body, func, |rw, _, target| unroll::run(rw, func, target))
        }),
        ("tegula-codegen-describe-target", describe_target::run),
        ("tegula-codegen-simplify-loops", |cx, body, func| {
            run(cx, body, func, |rw, _, _| {
                let shared = cleanup::share_equal(rw, func);
                let hoisted = cleanup::hoist_invariants(rw, func);
                Ok(cleanup::erase_dead(rw, func) | shared | hoisted)
            })
        }),
    ];
    all.into_iter().map(|(name, f)| PassImpl { name, run: PassRun::Local(f) }).collect()
}

/// The passes that configure a dispatch, in order, as pipeline text on its function.
pub const CONFIGURE: &[&str] = &[
    "iree-codegen-materialize-device-encoding",
    "iree-codegen-cpu-propagate-data-layout",
    "iree-convert-accgemm-to-gemm",
    "iree-codegen-bufferize-dispatch-tensor-load-store",
    "iree-codegen-combine-result-layout-transformation",
    "iree-llvmcpu-select-lowering-strategy",
];

/// The passes that translate a configured dispatch, in order, as pipeline text on its function.
pub const TRANSLATE: &[&str] = &[
    "tegula-codegen-fold-accumulator",
    "iree-llvmcpu-tile",
    "iree-llvmcpu-tile-and-fuse-producer-consumer{tiling-level=vector_common_parallel}",
    "iree-llvmcpu-tile-and-fuse-producer-consumer{tiling-level=vector_reduction}",
    "iree-codegen-generic-vectorization",
    "iree-codegen-optimize-tensor-insert-extract-slices",
    "iree-codegen-iree-comprehensive-bufferize",
    "convert-linalg-to-loops",
    "iree-llvmcpu-virtual-vector-lowering",
    "lower-affine",
    "tegula-codegen-unroll-contractions",
    "tegula-codegen-simplify-loops",
];

/// Runs one pass with the target of the executable around the function and the pass's options.
fn run(
    cx: &mut PassCx<'_>,
    body: &mut Body,
    func: OpId,
    pass: impl FnOnce(&mut Rewriter<'_>, &str, &CpuTarget) -> CpuResult,
) -> PassResult {
    if body.region_entry(func, 0).is_none() {
        return Ok(Changed::No);
    }
    let mut target = CpuTarget::default().with_variant_of(cx.registry, body, func);
    let mut set = |name: &str, slot: fn(&mut CpuTarget) -> &mut i64| {
        let value = cx.options.int(name);
        if value > 0 {
            *slot(&mut target) = value;
        }
    };
    set("number-of-threads", |t| &mut t.threads);
    set("distribution-size", |t| &mut t.distribution_size);
    set("matmul-tile-bytes", |t| &mut t.matmul_tile_bytes);
    set("factor", |t| &mut t.unroll);
    let level = cx.options.str("tiling-level").to_owned();
    let constants_move = builder::moves_constants(body, func);
    let mut rewriter = cx.rewriter(body);
    let result = pass(&mut rewriter, &level, &target);
    match result {
        Ok(changed) => Ok(Changed::when(changed || constants_move)),
        Err(error) => Err(cx.error(body, error.op, error.code, error.message)),
    }
}
