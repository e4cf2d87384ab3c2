//! Generates the tables of the passes from their definitions.

fn main() {
    tegula_rustgen::build("passes.td");
}
