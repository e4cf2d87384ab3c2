//! Generates the tables and hooks of the `math` dialect.

fn main() {
    tegula_rustgen::build("math.td");
}
