//! Generates the tables and hooks of the `vmvx` dialect.

fn main() {
    tegula_rustgen::build("vmvx.td");
}
