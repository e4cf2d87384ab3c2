//! Generates the tables and hooks of the `memref` dialect.

fn main() {
    tegula_rustgen::build("memref.td");
}
