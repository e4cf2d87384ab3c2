//! Generates the tables and hooks of the `linalg` dialect.

fn main() {
    tegula_rustgen::build("linalg.td");
}
