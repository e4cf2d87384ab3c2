//! Generates the tables and wrappers of `neon.td`.

fn main() {
    tegula_rustgen::build("neon.td");
}
