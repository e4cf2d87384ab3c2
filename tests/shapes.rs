//! Matmuls of many shapes, through the whole road: what the compiled program computes is what the
//! input says, on every element.
//!
//! All shapes are functions of one module, so that they are compiled, assembled and linked once. A
//! driver in assembly calls them one after the other on parts of two buffers: one that is read, and
//! one that holds the destinations. The evaluator of machine ops gets each function's operands as
//! buffers of their own, whose bounds it checks, and must give the same bytes.

use std::fmt::Write;

use tegula_diag::Sources;
use tegula_ir::Module;
use tegula_ir::text::parse_module;
use tegula_neon::{AsmFile, Flavour};
use tegula_package::{Schedule, Signature};
use tegula_pass::{NoInstrument, Settings, run_pipeline};
use tegula_pipelines::{
    Emitter, Phase, Setup, is_public_function, run_machine_ops, source_signature,
};
use tegula_toolchain::{Buffer, Direction, Search, Toolchain, run_entry};

/// Rows of A and C, columns of A and rows of B, columns of B and C.
type Shape = (usize, usize, usize);

/// Single elements, single rows and columns, empty dimensions, sizes at, below and above those of
/// tiles, and long and thin ones.
const SHAPES: [Shape; 40] = [
    (1, 1, 1),
    (7, 7, 7),
    (9, 17, 33),
    (3, 1000, 5),
    (1, 4096, 64),
    (512, 512, 1),
    (512, 1, 64),
    (64, 1, 512),
    (4, 0, 5),
    (0, 4, 5),
    (5, 4, 0),
    (0, 0, 0),
    (1, 0, 1),
    (2, 2, 2),
    (4, 4, 4),
    (8, 8, 8),
    (16, 16, 16),
    (32, 32, 32),
    (7, 8, 9),
    (8, 9, 7),
    (9, 7, 8),
    (8, 1, 8),
    (1, 8, 8),
    (8, 8, 1),
    (1, 17, 1),
    (1, 1, 33),
    (33, 1, 1),
    (2, 31, 15),
    (3, 5, 17),
    (4, 64, 63),
    (5, 3, 2),
    (6, 10, 12),
    (15, 15, 15),
    (17, 16, 15),
    (15, 33, 16),
    (31, 32, 33),
    (33, 31, 9),
    (64, 64, 64),
    (65, 63, 65),
    (127, 11, 40),
];

/// The operands of one shape, in row-major order.
#[derive(Clone)]
struct Operands {
    a: Vec<f32>,
    b: Vec<f32>,
    c: Vec<f32>,
}

/// A SplitMix64 generator.
struct Random(u64);

impl Random {
    fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn below(&mut self, bound: usize) -> usize {
        (self.bits() % bound as u64) as usize
    }

    /// A whole number from -4 to 4: sums of 4096 products are exact in `f32`, in any order.
    fn whole(&mut self) -> f32 {
        self.below(9) as f32 - 4.0
    }

    /// Uniform in [-1, 1).
    fn unit(&mut self) -> f32 {
        (self.bits() >> 40) as f32 / (1u64 << 23) as f32 - 1.0
    }
}

fn draw((m, k, n): Shape, mut element: impl FnMut() -> f32) -> Operands {
    let mut matrix = |count| (0..count).map(|_| element()).collect();
    Operands { a: matrix(m * k), b: matrix(k * n), c: matrix(m * n) }
}

/// All shapes as the functions of one compiled module.
struct Compiled {
    module: Module,
    text: String,
    entries: Vec<(Signature, Schedule)>,
    toolchain: Option<Toolchain>,
}

fn program() -> String {
    let mut text = String::new();
    for (index, (m, k, n)) in SHAPES.iter().enumerate() {
        let (a, b, c) = (
            format!("tensor<{m}x{k}xf32>"),
            format!("tensor<{k}x{n}xf32>"),
            format!("tensor<{m}x{n}xf32>"),
        );
        // Writing to a string cannot fail.
        let _ = write!(
            text,
            "func.func @shape{index}(%A: {a}, %B: {b}, %C: {c}) -> {c} {{
  %0 = linalg.matmul ins(%A, %B : {a}, {b}) outs(%C : {c}) -> {c}
  return %0 : {c}
}}
"
        );
    }
    text
}

fn settings() -> Settings {
    [
        ("iree-hal-target-backends", "llvm-cpu"),
        ("iree-llvmcpu-target-cpu", "apple-m4"),
        ("iree-llvmcpu-enable-ukernels", "none"),
    ]
    .map(|(name, value)| (name.to_owned(), value.to_owned()))
    .into_iter()
    .collect()
}

fn compile() -> Compiled {
    let setup = Setup::new(settings(), []);
    let (text, mut sources) = (program(), Sources::new());
    let id = sources.add_virtual("shapes.mlir", text.as_str());
    let (input, _, diagnostics) = parse_module(&setup.registry, id, &text);
    assert!(diagnostics.is_empty(), "{diagnostics:?}");
    let signatures: Vec<Signature> = (input.bodies.iter())
        .map(|body| source_signature(&setup.registry, body, &[]).expect("a public function"))
        .collect::<Result<_, _>>()
        .expect("signatures");

    let plan = setup.plan(Phase::LAST).expect("a plan");
    let run = run_pipeline(setup.env(&|| {}, false), &plan, input, &mut NoInstrument);
    assert!(run.reports.is_empty(), "{:?}", run.reports);
    let module = run.value;

    let emitter = Emitter::new(&setup).expect("instructions");
    let mut functions = Vec::new();
    for body in &module.bodies {
        functions.extend(emitter.executable(body).expect("text"));
    }
    let bodies = module.bodies.iter().filter(|body| is_public_function(body));
    let entries: Vec<(Signature, Schedule)> = (signatures.into_iter().zip(bodies))
        .map(|(signature, body)| {
            let schedule = emitter.schedule(body, &signature).expect("a schedule");
            (signature, schedule)
        })
        .collect();
    assert_eq!(entries.len(), SHAPES.len());
    for (signature, schedule) in &entries {
        assert_eq!(signature.function, schedule.function);
        functions.extend(emitter.entries(signature, schedule).expect("entries"));
    }
    let file = AsmFile { functions: functions.iter().collect(), positions: false };
    let text = file.render_functions(Flavour::Elf) + &driver() + AsmFile::trailer(Flavour::Elf);
    let toolchain = Search::from_env().toolchain();
    let toolchain = match toolchain.can_run() {
        Ok(()) => Some(toolchain),
        Err(missing) => {
            println!("shapes: the evaluator of machine ops only, because {missing}");
            None
        }
    };
    Compiled { module, text, entries, toolchain }
}

/// A function that calls every shape's entry: A and B lie one after the other in the buffer in x0,
/// the destinations in the one in x1.
fn driver() -> String {
    let mut out = String::from(
        "\t.text\n\t.globl shapes\n\t.p2align 2\nshapes:\n\tstp x29, x30, [sp, #-32]!\n\tstp x19, x20, [sp, #16]\n\tmov x19, x0\n\tmov x20, x1\n",
    );
    let (mut read, mut written) = (0, 0);
    for (index, (m, k, n)) in SHAPES.iter().enumerate() {
        let places = [("x0", "x19", read), ("x1", "x19", read + 4 * m * k), ("x2", "x20", written)];
        for (to, base, offset) in places {
            let (low, high) = (offset & 0xffff, offset >> 16);
            let _ = write!(
                out,
                "\tmovz x9, #{low}\n\tmovk x9, #{high}, lsl #16\n\tadd {to}, {base}, x9\n"
            );
        }
        let _ = writeln!(out, "\tbl shape{index}");
        read += 4 * (m * k + k * n);
        written += 4 * m * n;
    }
    out.push_str("\tldp x19, x20, [sp, #16]\n\tldp x29, x30, [sp], #32\n\tret\n");
    out
}

fn bytes(numbers: &[f32]) -> Vec<u8> {
    numbers.iter().flat_map(|x| x.to_le_bytes()).collect()
}

fn floats(bytes: &[u8]) -> Vec<f32> {
    bytes.as_chunks().0.iter().map(|&b| f32::from_le_bytes(b)).collect()
}

impl Compiled {
    /// What every shape's function makes of its operands. Where there is a toolchain the assembled
    /// code and the evaluator are held against each other.
    fn run(&self, operands: &[Operands]) -> Vec<Vec<f32>> {
        let evaluated: Vec<Vec<u8>> = self
            .entries
            .iter()
            .zip(operands)
            .map(|((signature, schedule), o)| {
                let mut contents = vec![bytes(&o.a), bytes(&o.b), bytes(&o.c)];
                run_machine_ops(&self.module, signature, schedule, &mut contents)
                    .expect("machine ops run");
                assert_eq!(contents[..2], [bytes(&o.a), bytes(&o.b)], "inputs are not written");
                contents.swap_remove(2)
            })
            .collect();
        if let Some(toolchain) = &self.toolchain {
            let assembled = self.run_assembled(toolchain, operands);
            for ((shape, a), e) in SHAPES.iter().zip(&assembled).zip(&evaluated) {
                assert!(a == e, "{shape:?}: assembled code and evaluator differ");
            }
        }
        evaluated.iter().map(|bytes| floats(bytes)).collect()
    }

    fn run_assembled(&self, toolchain: &Toolchain, operands: &[Operands]) -> Vec<Vec<u8>> {
        let read: Vec<u8> =
            operands.iter().flat_map(|o| [bytes(&o.a), bytes(&o.b)].concat()).collect();
        let written: Vec<u8> = operands.iter().flat_map(|o| bytes(&o.c)).collect();
        let buffer = |bytes: &[u8], direction| Buffer { bytes: bytes.len() as u64, direction };
        let buffers = [buffer(&read, Direction::InOut), buffer(&written, Direction::InOut)];
        let folder = tempfile::tempdir().expect("a folder");
        let object = folder.path().join("shapes.o");
        toolchain.assemble(&self.text, &object).expect("the text assembles");
        let outcome = run_entry(toolchain, &object, "shapes", &buffers, &[&read, &written])
            .expect("the program runs");
        assert!(outcome.outputs[0] == read, "inputs are not written");
        let mut rest = &outcome.outputs[1][..];
        let mut cut = |o: &Operands| {
            let (head, tail) = rest.split_at(4 * o.c.len());
            rest = tail;
            head.to_vec()
        };
        operands.iter().map(&mut cut).collect()
    }
}

/// Calls `check` with the place, the terms of the sum that belongs there in order (that of C
/// first), and the number found.
fn each_element(
    shape: Shape,
    operands: &Operands,
    found: &[f32],
    mut check: impl FnMut((usize, usize), &mut dyn Iterator<Item = (f32, f32)>, f32),
) {
    let (m, k, n) = shape;
    assert_eq!(found.len(), m * n, "{shape:?}");
    for row in 0..m {
        for column in 0..n {
            let products = (0..k).map(|at| (operands.a[row * k + at], operands.b[at * n + column]));
            let start = (operands.c[row * n + column], 1.0);
            let mut terms = std::iter::once(start).chain(products);
            check((row, column), &mut terms, found[row * n + column]);
        }
    }
}

/// The numbers are NaN where they have to be, and otherwise those of a sum in which nothing rounds.
fn check_exact(shape: Shape, operands: &Operands, found: &[f32]) {
    each_element(shape, operands, found, |place, terms, found| {
        let wanted = terms.fold(0.0f32, |sum, (a, b)| sum + a * b);
        assert!(
            if wanted.is_nan() { found.is_nan() } else { found.to_bits() == wanted.to_bits() },
            "{shape:?} at {place:?}: {found} instead of {wanted}"
        );
    });
}

/// The numbers are within the error bound of a sum of K + 1 terms in any order.
fn check_bound(shape: Shape, operands: &Operands, found: &[f32]) {
    let unit = f64::from(f32::EPSILON) / 2.0;
    let count = (shape.1 + 1) as f64;
    let gamma = count * unit / (1.0 - count * unit);
    each_element(shape, operands, found, |place, terms, found| {
        let (mut sum, mut size) = (0.0f64, 0.0f64);
        for (a, b) in terms {
            let product = f64::from(a) * f64::from(b);
            sum += product;
            size += product.abs();
        }
        let error = (f64::from(found) - sum).abs();
        assert!(error <= gamma * size, "{shape:?} at {place:?}: error {error:e}, {size:e} in size");
    });
}

/// Writes infinities and NaNs over a few elements, the last ones of rows and columns among them,
/// where padding would meet them.
fn spoil((m, k, n): Shape, operands: &mut Operands, way: usize, random: &mut Random) {
    let values = [f32::INFINITY, f32::NEG_INFINITY, f32::NAN];
    let mut put = |matrix: &mut [f32], rows: usize, columns: usize, place: usize| {
        if rows * columns == 0 {
            return;
        }
        let at = match place {
            0 => rows * columns - 1,
            1 => columns - 1,
            2 => (rows - 1) * columns,
            _ => random.below(rows * columns),
        };
        matrix[at] = values[random.below(values.len())];
    };
    match way {
        0 => put(&mut operands.a, m, k, 0),
        1 => put(&mut operands.b, k, n, 0),
        2 => put(&mut operands.c, m, n, 0),
        3 => put(&mut operands.a, m, k, 1),
        4 => put(&mut operands.b, k, n, 2),
        _ => {
            put(&mut operands.a, m, k, 2);
            put(&mut operands.b, k, n, 1);
            put(&mut operands.c, m, n, 3);
        }
    }
}

#[test]
fn forty_shapes() {
    let compiled = compile();
    let mut random = Random(1);

    let whole: Vec<Operands> = SHAPES.iter().map(|&s| draw(s, || random.whole())).collect();
    for ((&shape, operands), found) in SHAPES.iter().zip(&whole).zip(compiled.run(&whole)) {
        check_exact(shape, operands, &found);
    }

    let unit: Vec<Operands> = SHAPES.iter().map(|&s| draw(s, || random.unit())).collect();
    for ((&shape, operands), found) in SHAPES.iter().zip(&unit).zip(compiled.run(&unit)) {
        check_bound(shape, operands, &found);
    }

    for round in 0..2 {
        let mut spoilt = whole.clone();
        for (index, (&shape, operands)) in SHAPES.iter().zip(&mut spoilt).enumerate() {
            // Neighbours among the shapes are of a kind, and get each of the ways.
            spoil(shape, operands, (index + 3 * round) % 6, &mut random);
        }
        for ((&shape, operands), found) in SHAPES.iter().zip(&spoilt).zip(compiled.run(&spoilt)) {
            check_exact(shape, operands, &found);
        }
    }
}
