//! What the client can do, and what it wants.

use std::path::PathBuf;

use lsp_types::InitializeParams;
use serde_json::Value;
use tegula_diag::did_you_mean;

use crate::position::Encoding;

/// The client's abilities that answers depend on.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Client {
    /// What columns count.
    pub(crate) encoding: Encoding,
    /// Outlines may be trees.
    pub(crate) symbol_tree: bool,
    /// Edits may name the version that they are for.
    pub(crate) document_changes: bool,
    /// Findings may name other places.
    pub(crate) related: bool,
    /// It shows documents of our scheme, and can be told that one has changed.
    pub(crate) content: bool,
}

impl Client {
    /// Reads the parameters of `initialize`.
    pub(crate) fn new(params: &InitializeParams, raw: &Value) -> Client {
        let capabilities = &params.capabilities;
        let document = capabilities.text_document.as_ref();
        let workspace = capabilities.workspace.as_ref();
        let general = capabilities.general.as_ref();
        Client {
            encoding: Encoding::choose(general.and_then(|g| g.position_encodings.as_deref())),
            symbol_tree: (document.and_then(|d| d.document_symbol.as_ref()))
                .and_then(|s| s.hierarchical_document_symbol_support)
                .unwrap_or(false),
            document_changes: (workspace.and_then(|w| w.workspace_edit.as_ref()))
                .and_then(|e| e.document_changes)
                .unwrap_or(false),
            related: (document.and_then(|d| d.publish_diagnostics.as_ref()))
                .and_then(|p| p.related_information)
                .unwrap_or(false),
            // Younger than the types of the protocol that we use.
            content: raw.pointer("/capabilities/workspace/textDocumentContent").is_some(),
        }
    }
}

/// What the user has set, in the client's `initializationOptions`.
#[derive(Clone, Debug, Default)]
pub(crate) struct UserOptions {
    /// Folders of `.td` files.
    pub(crate) include: Vec<PathBuf>,
    /// `.td` files whose dialects `.mlir` files are read with.
    pub(crate) dialects: Vec<PathBuf>,
    /// The CPU that code is made for.
    pub(crate) cpu: Option<String>,
    /// What in the options was not understood.
    pub(crate) problems: Vec<String>,
}

impl UserOptions {
    pub(crate) fn new(options: Option<&Value>) -> UserOptions {
        let mut out = UserOptions::default();
        let fields = match options {
            None | Some(Value::Null) => return out,
            Some(Value::Object(fields)) => fields,
            Some(_) => {
                out.problems.push("the options must be an object".to_owned());
                return out;
            }
        };
        for (name, value) in fields {
            match (name.as_str(), value) {
                (_, Value::Null) => {}
                ("cpu", Value::String(cpu)) => out.cpu = Some(cpu.clone()),
                ("includes", Value::Array(all)) if all.iter().all(Value::is_string) => {
                    out.include.extend(paths(all));
                }
                ("dialects", Value::Array(all)) if all.iter().all(Value::is_string) => {
                    out.dialects.extend(paths(all));
                }
                ("cpu", _) => out.problems.push("`cpu` must be a string".to_owned()),
                ("includes" | "dialects", _) => {
                    out.problems.push(format!("`{name}` must be a list of strings"));
                }
                _ => {
                    let hint = did_you_mean(name, ["cpu", "includes", "dialects"]);
                    let hint = hint.map_or(String::new(), |hint| format!("; {hint}"));
                    out.problems.push(format!("there is no option `{name}`{hint}"));
                }
            }
        }
        out
    }
}

fn paths(strings: &[Value]) -> impl Iterator<Item = PathBuf> {
    strings.iter().filter_map(|value| value.as_str().map(PathBuf::from))
}
