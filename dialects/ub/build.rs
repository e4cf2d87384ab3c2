//! Generates the tables and hooks of the `ub` dialect.

fn main() {
    tegula_rustgen::build("ub.td");
}
