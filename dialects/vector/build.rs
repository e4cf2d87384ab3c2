//! Generates the tables and hooks of the `vector` dialect.

fn main() {
    tegula_rustgen::build("vector.td");
}
