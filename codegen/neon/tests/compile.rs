//! Functions at the boundary to this crate, compiled: their assembly, and what they compute by
//! the evaluator and by the hardware or its emulator.

use std::path::Path;

use tegula_diag::Sources;
use tegula_ir::text::{PrintOptions, parse_module, print_module};
use tegula_ir::{Ident, Module, Registry};
use tegula_neon::eval::{EvalFunction, Program};
use tegula_neon::{
    AsmFile, AsmFunction, Flavour, InstrTable, Visibility, assemble, host_functions,
};
use tegula_package::{Buffer, Param, Range, Schedule, Signature, Step};
use tegula_pass::{Env, NoInstrument, PassTable, Plan, Settings, run_pipeline};
use tegula_rewrite::Patterns;
use tegula_toolchain::{Direction, Search, run_entry};

fn registry() -> Registry {
    Registry::new([
        tegula_dialect_builtin::entry(),
        tegula_dialect_func::entry(),
        tegula_dialect_arith::entry(),
        tegula_dialect_scf::entry(),
        tegula_dialect_memref::entry(),
        tegula_dialect_vector::entry(),
        tegula_dialect_hal::entry(),
        tegula_neon::entry(),
    ])
}

fn fixture(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/fixtures/codegen/neon");
    std::fs::read_to_string(path.join(name).with_extension("mlir")).unwrap()
}

fn snapshot(name: &str, text: &str) {
    let mut settings = insta::Settings::clone_current();
    settings
        .set_snapshot_path(concat!(env!("CARGO_MANIFEST_DIR"), "/../../snapshots/codegen/neon"));
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.bind(|| insta::assert_snapshot!(name, text));
}

fn parse(registry: &Registry, name: &str, text: &str) -> Module {
    let mut sources = Sources::new();
    let source = sources.add(name, text);
    let (module, _, diagnostics) = parse_module(registry, source, text);
    assert!(
        diagnostics.is_empty(),
        "{}",
        tegula_diag::Renderer::plain(&sources).render_all(&diagnostics)
    );
    module
}

/// Runs the passes of the crate; an error is its code and message.
fn select(registry: &Registry, module: Module) -> Result<Module, String> {
    run_passes(registry, module, tegula_neon::PIPELINE)
}

fn run_passes(registry: &Registry, module: Module, passes: &str) -> Result<Module, String> {
    let patterns = Patterns::new(registry, tegula_neon::rewrites());
    let table = PassTable::new(registry, tegula_neon::passes());
    let text = format!("func.func({passes})");
    let plan = Plan::new(&table, &text, &[]).unwrap();
    let settings = Settings::default();
    let env = Env {
        registry,
        patterns: &patterns,
        settings: &settings,
        poll: &|| {},
        verify: Some(|registry, body| {
            let errors = tegula_ir::verify::verify_body(registry, body);
            errors.into_iter().map(|error| (error.op, error.message)).collect()
        }),
        until: None,
    };
    let run = run_pipeline(env, &plan, module, &mut NoInstrument);
    match run.result {
        Ok(_) => Ok(run.value),
        Err(_) => Err(run
            .reports
            .iter()
            .map(|report| format!("{}: {}", report.code, report.message))
            .collect::<Vec<_>>()
            .join("\n")),
    }
}

/// The buffers that a fixture's first lines declare: `// buffers: in 4*8, inout 64`.
fn buffers(text: &str) -> Vec<(u64, Direction)> {
    let line = text.lines().find_map(|line| line.strip_prefix("// buffers: ")).unwrap();
    line.split(',')
        .map(|item| {
            let (direction, size) = item.trim().split_once(' ').unwrap();
            let direction = match direction {
                "in" => Direction::In,
                "out" => Direction::Out,
                _ => Direction::InOut,
            };
            (
                size.split('*').map(|factor| factor.trim().parse::<u64>().unwrap()).product(),
                direction,
            )
        })
        .collect()
}

/// Small integers, so that sums are exact.
fn contents(bytes: u64, number: usize) -> Vec<u8> {
    (0..bytes / 4)
        .map(|at| ((at as usize * 7 + number * 5) % 11) as f32 - 5.0)
        .flat_map(f32::to_le_bytes)
        .collect()
}

fn entry_of(name: &str, buffers: &[(u64, Direction)]) -> (Signature, Schedule) {
    let mut params = Vec::new();
    let (mut inputs, mut outputs, mut bindings) = (Vec::new(), Vec::new(), Vec::new());
    for (at, &(bytes, direction)) in buffers.iter().enumerate() {
        let bytes = bytes as i64;
        let ty = tegula_ir::Type::tensor(&[bytes / 4], tegula_ir::Type::f32(), None);
        let mut param = Param { name: format!("p{at}"), ty, input: None, output: None };
        let mut buffer = Buffer::Scratch;
        if direction != Direction::Out {
            param.input = Some(inputs.len());
            buffer = Buffer::Input(inputs.len());
            inputs.push(bytes);
        }
        if direction != Direction::In {
            param.output = Some(outputs.len());
            buffer = Buffer::Output(outputs.len());
            outputs.push(bytes);
        }
        bindings.push((Range { buffer, offset: 0, length: bytes }, direction != Direction::In));
        params.push(param);
    }
    let step = Step::Dispatch {
        executable: name.into(),
        export: name.into(),
        constants: vec![],
        bindings,
    };
    let function = "entry".to_owned();
    (
        Signature { function: function.clone(), params },
        Schedule { function, inputs, outputs, scratch: 0, steps: vec![step] },
    )
}

struct Compiled {
    device: AsmFunction,
    text: String,
    /// The buffers after the run.
    outputs: Vec<Vec<u8>>,
}

fn compile(name: &str) -> Compiled {
    let registry = registry();
    let text = fixture(name);
    let module = parse(&registry, name, &text);
    let module = select(&registry, module).unwrap();
    let printed = print_module(&registry, &module, &PrintOptions::default());
    let again = parse(&registry, name, &printed);
    assert_eq!(print_module(&registry, &again, &PrintOptions::default()), printed);

    let table = InstrTable::new(&registry).unwrap();
    let body = module.symbol(name).unwrap();
    let func = body.root().unwrap();
    let device = assemble(&table, body, func, Ident::of(name), Visibility::Local).unwrap();

    let buffers = buffers(&text);
    let (signature, schedule) = entry_of(name, &buffers);
    let host = host_functions(&signature, &schedule, |_, export| Ident::of(export)).unwrap();
    let before: Vec<Vec<u8>> = buffers
        .iter()
        .enumerate()
        .map(|(at, &(bytes, direction))| match direction {
            Direction::Out => vec![0; bytes as usize],
            _ => contents(bytes, at),
        })
        .collect();
    let evaluate = |body: &tegula_ir::Body| {
        let mut outputs = before.clone();
        let func = body.root().unwrap();
        let functions = host
            .iter()
            .map(|f| EvalFunction { symbol: f.symbol.as_str(), body: &f.body, func: f.func })
            .chain([EvalFunction { symbol: name, body, func }]);
        let program = Program::new(functions).unwrap();
        tegula_neon::eval::run_entry(&program, "entry", &mut outputs).unwrap();
        outputs
    };
    let outputs = evaluate(body);
    // The same after every pass.
    let mut at = parse(&registry, name, &text);
    for pass in tegula_neon::PIPELINE.split(',') {
        at = run_passes(&registry, at, pass).unwrap();
        assert!(evaluate(at.symbol(name).unwrap()) == outputs, "{name}: after {pass}");
    }

    let mut functions: Vec<AsmFunction> = host
        .iter()
        .map(|f| assemble(&table, &f.body, f.func, f.symbol, f.visibility).unwrap())
        .collect();
    functions.push(device.clone());
    let file = AsmFile { functions: functions.iter().collect(), positions: false };
    let tools = Search::from_env().toolchain();
    match tools.can_run() {
        Err(error) => eprintln!("not run: {error}"),
        Ok(()) => {
            let dir = tempfile::tempdir().unwrap();
            let object = dir.path().join("object.o");
            tools.assemble(&file.render(Flavour::Elf), &object).unwrap();
            let declared: Vec<tegula_toolchain::Buffer> = buffers
                .iter()
                .map(|&(bytes, direction)| tegula_toolchain::Buffer { bytes, direction })
                .collect();
            let inputs: Vec<&[u8]> = before
                .iter()
                .zip(&buffers)
                .filter(|(_, (_, direction))| *direction != Direction::Out)
                .map(|(bytes, _)| bytes.as_slice())
                .collect();
            let outcome = run_entry(&tools, &object, "entry", &declared, &inputs).unwrap();
            let expected: Vec<Vec<u8>> = outputs
                .iter()
                .zip(&buffers)
                .filter(|(_, (_, direction))| *direction != Direction::In)
                .map(|(bytes, _)| bytes.clone())
                .collect();
            assert!(outcome.outputs == expected, "{name}: evaluator and assembled code differ");
        }
    }
    let alone = AsmFile { functions: vec![&device], positions: false };
    let text = alone.render(Flavour::Elf);
    Compiled { device, text, outputs }
}

fn floats(bytes: &[u8]) -> Vec<f32> {
    bytes.chunks_exact(4).map(|c| f32::from_le_bytes(c.try_into().unwrap())).collect()
}

#[test]
fn mmt4d_8x8() {
    let compiled = compile("mmt4d_8x8");
    snapshot("mmt4d_8x8", &compiled.text);
    assert_eq!(compiled.device.stats.spills, 0);
    let buffer = |at: usize, bytes: u64| floats(&contents(bytes, at));
    let (a, b, mut c) = (buffer(0, 256), buffer(1, 192), buffer(2, 3072));
    for m in 0..4 {
        for n in 0..3 {
            for k in 0..2 {
                for i in 0..8 {
                    for j in 0..8 {
                        let (x, y) = (a[(m * 2 + k) * 8 + i], b[(n * 2 + k) * 8 + j]);
                        c[((m * 3 + n) * 8 + i) * 8 + j] += x * y;
                    }
                }
            }
        }
    }
    assert_eq!(floats(&compiled.outputs[2]), c);
}

#[test]
fn transpose_odd() {
    let compiled = compile("transpose_odd");
    snapshot("transpose_odd", &compiled.text);
    let a = floats(&contents(7 * 127 * 4, 0));
    let mut b = vec![0.0; 127 * 8];
    for i in 0..127 {
        for j in 0..7 {
            b[i * 8 + j] = a[j * 127 + i];
        }
    }
    assert_eq!(floats(&compiled.outputs[1]), b);
}

#[test]
fn scalars() {
    let compiled = compile("scalars");
    snapshot("scalars", &compiled.text);
    let a = floats(&contents(37 * 4, 0));
    let b: Vec<f32> = (0..37)
        .map(|j| {
            let p = a[j] * 0.5;
            let w = if j % 5 == 0 { -p } else { p.max(0.5) };
            w + a[if j / 5 < 4 { j } else { 0 }]
        })
        .collect();
    assert_eq!(floats(&compiled.outputs[1]), b);
    let sum: f32 = a.iter().map(|x| x * 0.5).sum();
    let mut c = floats(&contents(64, 2));
    let x = [c[4], c[5], c[6], c[7]];
    let y: Vec<f32> = (0..4).map(|i| (sum + (i + 1) as f32) * 0.25 + x[i]).collect();
    let z = [x[0], y[3], x[2], x[3]];
    let s1 = [z[0], y[0], z[1], y[1]];
    let s2 = [z[3], z[3], y[3], z[0]];
    c[..4].copy_from_slice(&s2);
    c[4..8].copy_from_slice(&[s1[3], s2[0], s2[1], s2[2]]);
    assert_eq!(floats(&compiled.outputs[2]), c);
}

#[test]
fn what_has_no_machine_form_is_said() {
    let binding = |element: &str| {
        format!(
            "%c0 = arith.constant 0 : index
             %m = hal.interface.binding.subspan layout(<bindings = [
               #hal.pipeline.binding<storage_buffer>]>) binding(0) offset(%c0) : memref<4x{element}>
            "
        )
    };
    let cases = [
        (
            format!("{}%x = memref.load %m[%c0] : memref<4xf64>", binding("f64")),
            "unsupported-type: `memref.load` of a type that is neither f32 nor vector<4xf32>",
        ),
        (
            format!("{}%v = vector.load %m[%c0] : memref<4xf32>, vector<8xf32>", binding("f32")),
            "unsupported-type: `vector.load` of a type that is neither f32 nor vector<4xf32>",
        ),
        (
            "%c1 = arith.constant 1 : index
             %a = memref.alloca(%c1) : memref<?xf32>"
                .to_owned(),
            "unsupported-alloca: scratch of more than 1 MiB, or of unknown size",
        ),
        (
            format!(
                "{}%i = arith.index_cast %c0 : index to i64
                 %f = arith.sitofp %i : i64 to f32
                 memref.store %f, %m[%c0] : memref<4xf32>",
                binding("f32")
            ),
            "illegal-op: failed to legalize operation 'arith.sitofp' that was explicitly marked illegal",
        ),
        (
            "%c0 = arith.constant 0 : index
             %c1 = arith.constant 1 : index
             scf.for %i = %c0 to %c1 step %c0 {
             }"
            .to_owned(),
            "unsupported-loop: a loop whose step is not a positive constant has no machine form",
        ),
    ];
    let registry = registry();
    for (text, expected) in cases {
        let text = format!("func.func @f() {{\n{text}\nfunc.return\n}}\n");
        let module = parse(&registry, "f", &text);
        assert_eq!(select(&registry, module).unwrap_err(), expected);
    }
}
