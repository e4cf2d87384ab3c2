//! Requests that are answered at once.

use lsp_server::ErrorCode;
use lsp_types::{
    CodeActionKind, CodeActionOrCommand, CodeActionParams, DocumentFormattingParams,
    DocumentSymbolParams, HoverParams, TextEdit,
};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use tegula_ide::{File, Finding, Interrupted};

use crate::convert;
use crate::document::Document;
use crate::params;
use crate::server::Server;
use crate::uri::to_path;

/// Why a request has no result.
#[derive(Clone, Debug)]
pub(crate) struct RequestError {
    pub(crate) code: ErrorCode,
    pub(crate) message: String,
}

impl RequestError {
    pub(crate) fn new(code: ErrorCode, message: impl Into<String>) -> RequestError {
        RequestError { code, message: message.into() }
    }
}

impl From<Interrupted> for RequestError {
    fn from(interrupted: Interrupted) -> RequestError {
        let code = match interrupted {
            Interrupted::Cancelled => ErrorCode::ContentModified,
            Interrupted::Panicked(_) => ErrorCode::InternalError,
        };
        RequestError::new(code, interrupted.to_string())
    }
}

pub(crate) type Answer = Result<Value, RequestError>;

/// Reads the parameters of a request.
pub(crate) fn read<P: DeserializeOwned>(params: Value) -> Result<P, RequestError> {
    serde_json::from_value(params)
        .map_err(|error| RequestError::new(ErrorCode::InvalidParams, error.to_string()))
}

/// Writes the result of a request.
pub(crate) fn write(result: impl Serialize) -> Answer {
    serde_json::to_value(result)
        .map_err(|error| RequestError::new(ErrorCode::InternalError, error.to_string()))
}

impl Server {
    /// `textDocument/hover`
    pub(crate) fn hover(&self, params: Value) -> Answer {
        let params: HoverParams = read(params)?;
        let at = params.text_document_position_params;
        let Some((document, file)) = self.opened(at.text_document.uri.as_str()) else {
            return Ok(Value::Null);
        };
        let encoding = self.client.encoding;
        let Some(offset) = document.lines.offset(&document.text, encoding, at.position) else {
            return Ok(Value::Null);
        };
        let hover = file.hover(offset)?;
        write(hover.map(|hover| convert::hover(self.client, document, hover)))
    }

    /// `textDocument/documentSymbol`
    pub(crate) fn document_symbol(&self, params: Value) -> Answer {
        let params: DocumentSymbolParams = read(params)?;
        let Some((document, file)) = self.opened(params.text_document.uri.as_str()) else {
            return Ok(Value::Null);
        };
        write(convert::outline(self.client, document, file.outline()?))
    }

    /// `textDocument/codeAction`
    pub(crate) fn code_action(&self, params: Value) -> Answer {
        let params: CodeActionParams = read(params)?;
        let Some((document, file)) = self.opened(params.text_document.uri.as_str()) else {
            return Ok(Value::Null);
        };
        let wanted = |only: &Vec<CodeActionKind>| {
            only.iter().any(|kind| [CodeActionKind::EMPTY, CodeActionKind::QUICKFIX].contains(kind))
        };
        if !params.context.only.as_ref().is_none_or(wanted) {
            return write(Vec::<CodeActionOrCommand>::new());
        }
        // Fixes of an earlier text would replace something else.
        let fresh: Vec<Finding>;
        let findings = if document.found_for == document.revision {
            &document.findings
        } else {
            fresh = file.text_findings()?;
            &fresh
        };
        let encoding = self.client.encoding;
        let offset = |at| document.lines.offset(&document.text, encoding, at);
        let end = document.text.len();
        let asked =
            offset(params.range.start).unwrap_or(end)..offset(params.range.end).unwrap_or(end);
        let touched = findings
            .iter()
            .filter(|finding| finding.range.start <= asked.end && asked.start <= finding.range.end);
        let fixes = touched.filter_map(|finding| Some((finding, finding.fix.as_ref()?)));
        let actions = fixes.map(|(finding, fix)| {
            let action = convert::quick_fix(self.client, document, finding, fix);
            CodeActionOrCommand::CodeAction(action)
        });
        write(actions.collect::<Vec<_>>())
    }

    /// `textDocument/formatting`; a text that can't be read stays as it is.
    pub(crate) fn formatting(&self, params: Value) -> Answer {
        let params: DocumentFormattingParams = read(params)?;
        let Some((document, file)) = self.opened(params.text_document.uri.as_str()) else {
            return Ok(Value::Null);
        };
        let Some(new_text) = file.formatted()? else { return Ok(Value::Null) };
        let mut edits = Vec::new();
        if new_text != document.text {
            let range = document.range(self.client.encoding, &(0..document.text.len()));
            edits.push(TextEdit { range, new_text });
        }
        write(edits)
    }

    /// `tegula/documents`
    pub(crate) fn documents(&self, params: &Value) -> Answer {
        let uri = params::text(params, "uri")
            .map_err(|message| RequestError::new(ErrorCode::InvalidParams, message))?;
        let Some((_, file)) = self.opened(uri) else { return Ok(Value::Null) };
        let names: Vec<String> = file.documents()?.iter().map(ToString::to_string).collect();
        write(names)
    }

    /// An open document and what answers for it.
    fn opened(&self, uri: &str) -> Option<(&Document, &File)> {
        let path = to_path(uri);
        Some((self.documents.get(&path)?, self.workspace.file(&path)?))
    }
}
