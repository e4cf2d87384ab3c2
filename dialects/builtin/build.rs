//! Generates the tables and hooks of the `builtin` dialect.

fn main() {
    tegula_rustgen::build("builtin.td");
}
