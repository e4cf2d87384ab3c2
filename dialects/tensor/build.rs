//! Generates the tables and hooks of the `tensor` dialect.

fn main() {
    tegula_rustgen::build("tensor.td");
}
