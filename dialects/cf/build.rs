//! Generates the tables and hooks of the `cf` dialect.

fn main() {
    tegula_rustgen::build("cf.td");
}
