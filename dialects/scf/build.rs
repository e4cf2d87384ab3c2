//! Generates the tables and hooks of the `scf` dialect.

fn main() {
    tegula_rustgen::build("scf.td");
}
