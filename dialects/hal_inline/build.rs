//! Generates the tables and hooks of the `hal_inline` dialect.

fn main() {
    tegula_rustgen::build("hal_inline.td");
}
