//! Generates the tables and hooks of the `affine` dialect.

fn main() {
    tegula_rustgen::build("affine.td");
}
