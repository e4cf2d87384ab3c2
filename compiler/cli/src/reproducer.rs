//! Reproducers: a module with the pipeline that fails on it, in one file.
//!
//! The file is the module's text and, as MLIR writes it, an external resource `mlir_reproducer` with
//! the pipeline and the settings of the run.

use std::path::Path;

use tegula_diag::{Diagnostic, SourceId};
use tegula_ir::text::tokens;

use crate::context::{Context, Done};

/// The resource's name.
pub const NAME: &str = "mlir_reproducer";

/// What to run, as a file says it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Recipe {
    /// The pipeline.
    pub pipeline: String,
    /// `--verify-each`
    pub verify_each: bool,
}

/// Writes a reproducer.
pub fn write(cx: &mut Context, path: &Path, module: &str, recipe: &Recipe) -> Done {
    let Recipe { pipeline, verify_each } = recipe;
    let module = module.trim_end();
    let text = format!(
        "{module}\n\n{{-#\n  external_resources: {{\n    {NAME}: {{\n      pipeline: \
         {pipeline:?},\n      disable_threading: true,\n      verify_each: {verify_each}\n    \
         }}\n  }}\n#-}}\n"
    );
    cx.write(path, text.as_bytes())
}

/// Reads what to run from the resource of a source.
pub fn read(cx: &mut Context, source: SourceId) -> Done<Recipe> {
    let text = cx.sources.text(source);
    let words: Vec<&str> = tokens(text).map(|token| &text[token]).collect();
    let start = words.windows(2).position(|pair| pair == [NAME, ":"]);
    let entry = |key: &str| {
        let rest = words.get(start?..)?;
        let at = rest.windows(2).position(|pair| pair == [key, ":"])?;
        rest.get(at + 2).copied()
    };
    let pipeline = entry("pipeline").and_then(|word| word.strip_prefix('"')?.strip_suffix('"'));
    match pipeline {
        Some(pipeline) => Ok(Recipe {
            pipeline: pipeline.replace("\\\"", "\"").replace("\\\\", "\\"),
            verify_each: entry("verify_each") != Some("false"),
        }),
        None => {
            let name = cx.sources.name(source).to_owned();
            let message = format!("{name} is no reproducer: it has no resource `{NAME}`");
            cx.fail(Diagnostic::error("no-reproducer", message))
        }
    }
}
