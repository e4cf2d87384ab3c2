//! Generates the tables and hooks of the `arith` dialect.

fn main() {
    tegula_rustgen::build("arith.td");
}
