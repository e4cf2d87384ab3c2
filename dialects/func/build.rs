//! Generates the tables and hooks of the `func` dialect.

fn main() {
    tegula_rustgen::build("func.td");
}
