//! Answers as the protocol has them.

use lsp_types::{
    CodeAction, CodeActionKind, Diagnostic, DiagnosticRelatedInformation, DiagnosticSeverity,
    DocumentChanges, DocumentSymbol, DocumentSymbolResponse, HoverContents, Location,
    MarkupContent, MarkupKind, NumberOrString, OneOf, OptionalVersionedTextDocumentIdentifier,
    SymbolInformation, SymbolKind, TextDocumentEdit, TextEdit, WorkspaceEdit,
};
use serde_json::json;
use tegula_ide::{Finding, Fix, Hover, Language, OutlineItem, Severity};

use crate::client::Client;
use crate::document::Document;

const SOURCE: &str = "tegula";

pub(crate) fn diagnostic(client: Client, document: &Document, finding: &Finding) -> Diagnostic {
    let range = |range| document.range(client.encoding, range);
    let related = finding.related.iter().map(|related| DiagnosticRelatedInformation {
        location: Location::new(document.uri.clone(), range(&related.range)),
        message: related.message.clone(),
    });
    let fix = finding.fix.as_ref().map(|fix| {
        json!({
            "title": fix.description,
            "range": range(&fix.range),
            "newText": fix.replacement,
        })
    });
    let related = (client.related && !finding.related.is_empty()).then(|| related.collect());
    Diagnostic {
        range: range(&finding.range),
        severity: Some(match finding.severity {
            Severity::Error => DiagnosticSeverity::ERROR,
            Severity::Warning => DiagnosticSeverity::WARNING,
            Severity::Note => DiagnosticSeverity::INFORMATION,
            Severity::Help => DiagnosticSeverity::HINT,
        }),
        code: Some(NumberOrString::String(finding.code.clone())),
        code_description: None,
        source: Some(SOURCE.to_owned()),
        message: finding.message.clone(),
        related_information: related,
        tags: None,
        data: fix,
    }
}

pub(crate) fn hover(client: Client, document: &Document, hover: Hover) -> lsp_types::Hover {
    lsp_types::Hover {
        contents: HoverContents::Markup(MarkupContent {
            kind: MarkupKind::Markdown,
            value: hover.markdown,
        }),
        range: hover.range.map(|range| document.range(client.encoding, &range)),
    }
}

pub(crate) fn outline(
    client: Client,
    document: &Document,
    items: Vec<OutlineItem>,
) -> DocumentSymbolResponse {
    let kind = match document.language {
        Language::Mlir => SymbolKind::FUNCTION,
        Language::Td => SymbolKind::CLASS,
    };
    if client.symbol_tree {
        let one = |item| symbol(client, document, kind, item);
        DocumentSymbolResponse::Nested(items.into_iter().map(one).collect())
    } else {
        let one = |item| symbol_information(client, document, kind, item);
        DocumentSymbolResponse::Flat(items.into_iter().map(one).collect())
    }
}

#[expect(deprecated, reason = "a field of the protocol's type that has to be written")]
fn symbol(
    client: Client,
    document: &Document,
    kind: SymbolKind,
    item: OutlineItem,
) -> DocumentSymbol {
    // The protocol wants the one within the other.
    let start = item.selection.start.clamp(item.range.start, item.range.end);
    let selection = start..item.selection.end.clamp(start, item.range.end);
    DocumentSymbol {
        // An empty name makes editors drop the whole outline.
        name: if item.name.is_empty() { "(no name)".to_owned() } else { item.name },
        detail: Some(item.detail),
        kind,
        tags: None,
        deprecated: None,
        range: document.range(client.encoding, &item.range),
        selection_range: document.range(client.encoding, &selection),
        children: None,
    }
}

#[expect(deprecated, reason = "a field of the protocol's type that has to be written")]
fn symbol_information(
    client: Client,
    document: &Document,
    kind: SymbolKind,
    item: OutlineItem,
) -> SymbolInformation {
    SymbolInformation {
        name: if item.name.is_empty() { "(no name)".to_owned() } else { item.name },
        kind,
        tags: None,
        deprecated: None,
        location: Location::new(document.uri.clone(), document.range(client.encoding, &item.range)),
        container_name: None,
    }
}

/// The quick fix of a finding.
pub(crate) fn quick_fix(
    client: Client,
    document: &Document,
    finding: &Finding,
    fix: &Fix,
) -> CodeAction {
    let edit = TextEdit {
        range: document.range(client.encoding, &fix.range),
        new_text: fix.replacement.clone(),
    };
    let edit = if client.document_changes {
        let text_document = OptionalVersionedTextDocumentIdentifier {
            uri: document.uri.clone(),
            version: Some(document.version),
        };
        let edits = vec![OneOf::Left(edit)];
        WorkspaceEdit {
            document_changes: Some(DocumentChanges::Edits(vec![TextDocumentEdit {
                text_document,
                edits,
            }])),
            ..WorkspaceEdit::default()
        }
    } else {
        WorkspaceEdit {
            changes: Some([(document.uri.clone(), vec![edit])].into()),
            ..WorkspaceEdit::default()
        }
    };
    CodeAction {
        title: fix.description.clone(),
        kind: Some(CodeActionKind::QUICKFIX),
        diagnostics: Some(vec![diagnostic(client, document, finding)]),
        edit: Some(edit),
        is_preferred: Some(true),
        ..CodeAction::default()
    }
}
