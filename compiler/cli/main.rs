//! The `tegula` command-line program.

/// A compilation makes many small lists that live for one pass or less: a fifth of its time went
/// into the system's allocator.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> std::process::ExitCode {
    tegula_cli::main()
}
