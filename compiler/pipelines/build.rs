//! Generates the pipelines' tables from `road.td`.

fn main() {
    tegula_rustgen::build("road.td");
}
