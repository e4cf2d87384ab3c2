//! Generates the tables and hooks of the `vm` dialect.

fn main() {
    tegula_rustgen::build("vm.td");
}
