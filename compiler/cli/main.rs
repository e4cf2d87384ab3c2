//! The `tegula` command-line program.

fn main() -> std::process::ExitCode {
    tegula_cli::main()
}
