//! The dispatches of whole matmuls, from packed tensors to code that runs.

#[expect(dead_code, reason = "the tests of the other crate evaluate dispatches, too")]
#[path = "../../cpu/tests/dispatches/support/mod.rs"]
mod support;

use support::dispatch::Matmul;
use tegula_ir::{Body, Ident, Module, Registry, Type};
use tegula_neon::eval::{EvalFunction, Program};
use tegula_neon::{
    AsmFile, AsmFunction, Flavour, InstrTable, Visibility, assemble, host_functions,
};
use tegula_package::{Buffer, Param, Range, Schedule, Signature, Step, scratch_end};
use tegula_pass::{Env, NoInstrument, PassTable, Plan, Settings, run_pipeline};
use tegula_rewrite::{Patterns, RewriteHooks};
use tegula_toolchain::{Direction, Search, run_entry};

fn registry() -> Registry {
    Registry::new([
        tegula_dialect_builtin::entry(),
        tegula_dialect_func::entry(),
        tegula_dialect_arith::entry(),
        tegula_dialect_affine::entry(),
        tegula_dialect_scf::entry(),
        tegula_dialect_memref::entry(),
        tegula_dialect_vector::entry(),
        tegula_dialect_hal::entry(),
        tegula_dialect_ub::entry(),
        tegula_neon::entry(),
    ])
}

/// The passes of this crate.
fn select(registry: &Registry, module: Module) -> Module {
    let mut hooks = RewriteHooks::new();
    hooks.merge(tegula_neon::rewrites());
    let patterns = Patterns::new(registry, hooks);
    let table = PassTable::new(registry, tegula_neon::passes());
    let plan =
        Plan::new(&table, &format!("func.func({})", tegula_neon::PIPELINE), &["machine-vectors"]);
    let plan = plan.unwrap_or_else(|errors| panic!("{errors:?}"));
    let env = Env {
        registry,
        patterns: &patterns,
        settings: &Settings::new(),
        poll: &|| {},
        verify: None,
        until: None,
    };
    let run = run_pipeline(env, &plan, module, &mut NoInstrument);
    assert!(run.result.is_ok(), "{:?}", run.reports);
    run.value
}

/// A dispatch as machine ops.
fn machine_ops(registry: &Registry, dispatch: Body) -> Body {
    let passes = support::pipeline();
    let module = support::run_passes(support::module(dispatch), &passes);
    let module = module.unwrap_or_else(|reports| panic!("{reports:?}"));
    select(registry, module).bodies.remove(0)
}

fn integers(count: i64, seed: i64) -> Vec<u8> {
    (0..count).flat_map(|i| (((i * 7 + seed * 3) % 11 - 5) as f32).to_le_bytes()).collect()
}

fn floats(bytes: &[u8]) -> Vec<f32> {
    bytes.chunks_exact(4).map(|c| f32::from_le_bytes([c[0], c[1], c[2], c[3]])).collect()
}

/// `matmul(A, B, C)` as four dispatches: three that pack, one that multiplies and unpacks.
fn entry(matmul: &Matmul, bytes: [i64; 3]) -> (Signature, Schedule) {
    let param = |name: &str, at: usize, output| Param {
        name: name.into(),
        ty: Type::tensor(&[bytes[at] / 4], Type::f32(), None),
        input: Some(at),
        output,
    };
    let params = vec![param("A", 0, None), param("B", 1, None), param("C", 2, Some(0))];
    let mut scratch = 0;
    let mut steps = Vec::new();
    let mut packed = Vec::new();
    let whole = |buffer, length| Range { buffer, offset: 0, length };
    for (at, size) in matmul.packed_sizes().into_iter().enumerate() {
        let range = Range { buffer: Buffer::Scratch, offset: scratch, length: size as i64 * 4 };
        scratch = scratch_end(scratch + range.length).unwrap();
        steps.push(Step::Dispatch {
            executable: String::new(),
            export: format!("pack{at}"),
            constants: vec![],
            bindings: vec![(whole(Buffer::Input(at), bytes[at]), false), (range, true)],
        });
        packed.push((range, false));
    }
    packed.push((whole(Buffer::Output(0), bytes[2]), true));
    steps.push(Step::Dispatch {
        executable: String::new(),
        export: "multiply".into(),
        constants: vec![],
        bindings: packed,
    });
    let function = "matmul".to_owned();
    (
        Signature { function: function.clone(), params },
        Schedule { function, inputs: bytes.to_vec(), outputs: vec![bytes[2]], scratch, steps },
    )
}

fn check(m: i64, n: i64, k: i64) {
    let registry = registry();
    let table = InstrTable::new(&registry).unwrap();
    let matmul = Matmul::new(m, n, k);
    let mut device: Vec<(String, Body)> =
        (0..3).map(|at| (format!("pack{at}"), machine_ops(&registry, matmul.pack(at)))).collect();
    device.push(("multiply".into(), machine_ops(&registry, matmul.multiply())));
    let bytes = [m * k * 4, k * n * 4, m * n * 4];
    let (signature, schedule) = entry(&matmul, bytes);
    let host = host_functions(&signature, &schedule, |_, export| Ident::of(export)).unwrap();

    let inputs = [integers(m * k, 1), integers(k * n, 2), integers(m * n, 3)];
    let functions = host
        .iter()
        .map(|f| EvalFunction { symbol: f.symbol.as_str(), body: &f.body, func: f.func })
        .chain(device.iter().map(|(symbol, body)| EvalFunction {
            symbol,
            body,
            func: body.root().unwrap(),
        }));
    let program = Program::new(functions).unwrap();
    let mut contents = inputs.to_vec();
    tegula_neon::eval::run_entry(&program, "matmul", &mut contents)
        .unwrap_or_else(|error| panic!("{m}x{n}x{k}: {error}"));

    let [a, b, c] = inputs.each_ref().map(|bytes| floats(bytes));
    let mut expected = c;
    for i in 0..m {
        for j in 0..n {
            for l in 0..k {
                expected[(i * n + j) as usize] += a[(i * k + l) as usize] * b[(l * n + j) as usize];
            }
        }
    }
    assert!(floats(&contents[2]) == expected, "{m}x{n}x{k}: wrong result");

    let mut functions: Vec<AsmFunction> = host
        .iter()
        .map(|f| assemble(&table, &f.body, f.func, f.symbol, f.visibility).unwrap())
        .collect();
    functions.extend(device.iter().map(|(symbol, body)| {
        let func = body.root().unwrap();
        assemble(&table, body, func, Ident::of(symbol), Visibility::Local).unwrap()
    }));
    let file = AsmFile { functions: functions.iter().collect(), positions: false };
    let tools = Search::from_env().toolchain();
    match tools.can_run() {
        Err(error) => eprintln!("not run: {error}"),
        Ok(()) => {
            let dir = tempfile::tempdir().unwrap();
            let object = dir.path().join("matmul.o");
            tools.assemble(&file.render(Flavour::Elf), &object).unwrap();
            let buffer = |at: usize, direction| tegula_toolchain::Buffer {
                bytes: bytes[at] as u64,
                direction,
            };
            let buffers =
                [buffer(0, Direction::In), buffer(1, Direction::In), buffer(2, Direction::InOut)];
            let inputs = inputs.each_ref().map(|bytes| bytes.as_slice());
            let outcome = run_entry(&tools, &object, "matmul", &buffers, &inputs)
                .unwrap_or_else(|error| panic!("{m}x{n}x{k}: {error}"));
            assert!(outcome.outputs[0] == contents[2], "{m}x{n}x{k}: assembled code differs");
        }
    }
    let spills: u32 = functions.iter().map(|f| f.stats.spills).sum();
    assert_eq!(spills, 0, "{m}x{n}x{k}: tiles are chosen so that they fit the registers");
}

#[test]
fn matmuls_compute_what_they_say() {
    let shapes = [
        (1, 1, 1),
        (8, 8, 8),
        (3, 5, 7),
        (9, 17, 33),
        (16, 8, 20),
        (2, 20, 9),
        (20, 2, 9),
        (20, 3, 5),
        (1, 24, 8),
        (24, 1, 8),
        (13, 11, 1),
        (4, 4, 31),
        (8, 8, 0),
        (0, 8, 8),
    ];
    for (m, n, k) in shapes {
        check(m, n, k);
    }
}
