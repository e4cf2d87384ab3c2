//! Generates the tables and hooks of the `neon` dialect.

fn main() {
    tegula_rustgen::build("neon.td");
}
