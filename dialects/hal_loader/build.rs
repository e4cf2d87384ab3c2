//! Generates the tables and hooks of the `hal_loader` dialect.

fn main() {
    tegula_rustgen::build("hal_loader.td");
}
