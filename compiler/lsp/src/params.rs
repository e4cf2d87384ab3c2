//! Messages that the protocol's types lack: our own, and those of LSP 3.18.

use serde_json::{Value, json};

/// `tegula/document {uri, document}`: the text of a document that is made from an open one.
pub(crate) const DOCUMENT: &str = "tegula/document";

/// `tegula/documents {uri}`: the names of the documents that can be made from an open one.
pub(crate) const DOCUMENTS: &str = "tegula/documents";

/// LSP 3.18: the text of a document of our scheme.
pub(crate) const CONTENT: &str = "workspace/textDocumentContent";

/// LSP 3.18: a document of our scheme has changed.
pub(crate) const CONTENT_REFRESH: &str = "workspace/textDocumentContent/refresh";

/// A text of the parameters of a request.
pub(crate) fn text<'a>(params: &'a Value, name: &str) -> Result<&'a str, String> {
    match params.get(name) {
        Some(Value::String(text)) => Ok(text),
        Some(_) => Err(format!("`{name}` must be a string")),
        None => Err(format!("`{name}` is missing")),
    }
}

/// The answer to both requests for a text.
pub(crate) fn content(text: String) -> Value {
    json!({ "text": text })
}
