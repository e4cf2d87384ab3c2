//! Generates the tables and hooks of the `llvm` dialect.

fn main() {
    tegula_rustgen::build("llvm.td");
}
