//! Modules of many functions, and edits of one of them: shared by tests and the benchmark.

use std::sync::Arc;

use tegula_db::{Database, Session};
use tegula_neon::Flavour;
use tegula_pass::Settings;
use tegula_pipelines::{Phase, Setup};

/// A function `@NAME` of one or more matrix products.
#[derive(Clone, Debug)]
pub struct Function {
    /// The name without `@`.
    pub name: String,
    /// Rows, columns, and the length of the reduction.
    pub shape: (usize, usize, usize),
    /// Each product after the first multiplies the one before by a matrix of its own.
    pub products: usize,
    /// A line before the function's first op.
    pub comment: String,
    /// The products add to zeros, not to the argument.
    pub from_zero: bool,
    /// The text ends before the terminator.
    pub broken: bool,
}

impl Function {
    /// The `index`-th function; all shapes differ.
    pub fn new(index: usize) -> Function {
        let shape = (
            33 + (index * 7) % 479,
            40 + (index * 13) % 463 + index / 463,
            48 + (index * 29) % 457,
        );
        Function {
            name: format!("f{index}"),
            shape,
            products: 1,
            comment: String::new(),
            from_zero: false,
            broken: false,
        }
    }

    /// The text.
    pub fn text(&self) -> String {
        let (m, n, k) = self.shape;
        let tensor = |rows: usize, columns: usize| format!("tensor<{rows}x{columns}xf32>");
        let (a, b, mut c) = (tensor(m, k), tensor(k, n), tensor(m, n));
        let mut arguments = format!("%A: {a}, %B: {b}, %C: {c}");
        let mut ops = String::new();
        if !self.comment.is_empty() {
            ops += &format!("  // {}\n", self.comment);
        }
        let mut into = "%C";
        if self.from_zero {
            ops += "  %zero = arith.constant 0.0 : f32\n";
            ops += &format!("  %filled = linalg.fill ins(%zero : f32) outs(%C : {c}) -> {c}\n");
            into = "%filled";
        }
        ops += &format!("  %0 = linalg.matmul ins(%A, %B : {a}, {b}) outs({into} : {c}) -> {c}\n");
        for product in 1..self.products {
            // Wider than any first product, so that it shares nothing with another function.
            let (before, columns) = (n + 600 * (product - 1), n + 600 * product);
            let (right, sum) = (tensor(before, columns), tensor(m, columns));
            arguments += &format!(", %D{product}: {right}, %E{product}: {sum}");
            ops += &format!(
                "  %{product} = linalg.matmul ins(%{}, %D{product} : {c}, {right}) outs(%E{product} : {sum}) -> {sum}\n",
                product - 1
            );
            c = sum;
        }
        if !self.broken {
            ops += &format!("  func.return %{} : {c}\n", self.products.saturating_sub(1));
        }
        format!("func.func @{}({arguments}) -> {c} {{\n{ops}}}\n", self.name)
    }
}

/// What an author does to one function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Edit {
    /// Other ops that compute something else.
    Body,
    /// Another number of rows.
    Shape,
    /// One more product.
    AddMatmul,
    /// Another name.
    Rename,
    /// Another comment.
    Comment,
}

impl Edit {
    /// Every kind.
    pub const ALL: [Edit; 5] =
        [Edit::Body, Edit::Shape, Edit::AddMatmul, Edit::Rename, Edit::Comment];

    /// Does it, for the `round`-th time.
    pub fn apply(self, function: &mut Function, round: usize) {
        match self {
            Edit::Body => function.from_zero = !function.from_zero,
            // No other function has as many rows.
            Edit::Shape => function.shape.0 = 600 + round,
            Edit::AddMatmul => function.products += 1,
            Edit::Rename => function.name = format!("renamed_{round}"),
            Edit::Comment => function.comment = format!("round {round}"),
        }
    }
}

/// The text of a module.
pub fn module(functions: &[Function]) -> String {
    functions.iter().map(Function::text).collect()
}

/// A module of that many functions.
pub fn functions(count: usize) -> Vec<Function> {
    (0..count).map(Function::new).collect()
}

/// Definitions for the target that examples are compiled for.
pub fn setup() -> Arc<Setup> {
    let settings = [
        ("iree-hal-target-backends", "llvm-cpu"),
        ("iree-llvmcpu-target-cpu", "apple-m4"),
        ("iree-llvmcpu-enable-ukernels", "none"),
    ];
    let settings: Settings =
        settings.iter().map(|&(name, value)| (name.to_owned(), value.to_owned())).collect();
    Setup::new(settings, [])
}

/// A session on a text.
pub fn session(db: Database, setup: &Arc<Setup>, text: &str) -> Session {
    Session::new(db, setup.clone(), Phase::LAST, text)
}

/// All assembly text of a session's program.
pub fn assembly(session: &mut Session) -> String {
    session.compile(Flavour::Elf).pieces.iter().map(|piece| &*piece.text).collect()
}
