//! Generates the dialect's tables and hooks from its definitions.

fn main() {
    tegula_rustgen::build("iree_codegen.td");
}
