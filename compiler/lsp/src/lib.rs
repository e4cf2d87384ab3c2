//! The language server: protocol only.
//!
//! Purpose: messages in, messages out. One loop owns the writable [`tegula_ide::Workspace`] and
//! handles one [`Event`](event) after another; what takes long is asked of a clone on another
//! thread, and its answer comes back as an event. Every request gets exactly one answer.
//! Non-goals: knowing anything about `.td` or `.mlir` (tegula-ide).

#![warn(missing_docs)]

mod client;
mod convert;
mod document;
mod event;
mod params;
mod position;
mod requests;
mod server;
mod uri;

use std::io::Write;
use std::process::ExitCode;

use lsp_server::Connection;
use tegula_ide::Options;

/// Threads that read programs get this much stack: types and regions nest.
pub(crate) const STACK: usize = 16 << 20;

/// Says what went wrong to whoever watches; often nobody does.
fn aside(message: &str) {
    let _ = writeln!(std::io::stderr(), "error: {message}");
}

/// Serves an editor over standard input and output until it says `exit`.
pub fn run(options: Options) -> ExitCode {
    let (connection, threads) = Connection::stdio();
    let code = serve(connection, options);
    if let Err(error) = threads.join() {
        // Whoever writes this is no editor, or one that is gone.
        aside(&format!("the language server reads no message of its protocol: {error}"));
        return ExitCode::FAILURE;
    }
    if code != ExitCode::SUCCESS {
        aside("the language server ends without `shutdown` and `exit` of its client");
    }
    code
}

/// Serves the other end of a connection: 0 when it shut the server down before it said `exit`, and
/// 1 otherwise.
pub fn serve(connection: Connection, options: Options) -> ExitCode {
    let served = std::thread::scope(|scope| {
        let builder = std::thread::Builder::new().name("tegula-lsp".to_owned()).stack_size(STACK);
        let thread = builder.spawn_scoped(scope, || server::serve(connection, options));
        thread.is_ok_and(|thread| thread.join().unwrap_or(false))
    });
    if served { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
