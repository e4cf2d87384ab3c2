//! Links the program to a fixed place.
//!
//! The tables of all dialects are statics full of addresses. A program that may lie anywhere
//! writes each of them anew when it starts, which costs more than many a command.

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    let target = |what: &str| std::env::var(format!("CARGO_CFG_TARGET_{what}")).unwrap_or_default();
    if target("OS") == "linux" && target("ENV") == "gnu" {
        println!("cargo:rustc-link-arg-bins=-no-pie");
    }
}
