//! From a text to its tree: scan, cut, parse each item, and take apart those that fail.

use std::ops::Range;
use std::sync::Arc;

use tegula_diag::{Diagnostic, SourceId, Span};

use crate::Macros;
use crate::ast::{self, BodyItem, File, Ident, Stmt, StmtKind};
use crate::lower::Lower;
use crate::parser::{self, Rule};
use crate::scan::{Scanned, scan};
use crate::split::{self, Kind, Tail};

/// The nesting of brackets and statements that one item may have. Parsing and evaluation recurse
/// on it, and must not exhaust a thread's stack.
const MAX_NESTING: usize = 100;

/// Parses a text by itself: `include`s define no macros.
pub fn parse(source: SourceId, text: &str) -> (File, Vec<Diagnostic>) {
    parse_scanned(source, &scan(source, text, &mut Macros::default(), &mut NoIncludes))
}

/// Parses a scanned text. What comes out depends on nothing but the arguments.
pub fn parse_scanned(source: SourceId, scanned: &Scanned) -> (File, Vec<Diagnostic>) {
    let text = &scanned.text;
    let mut parse = Parse { source, text, diagnostics: scanned.diagnostics.clone() };
    let items = parse.statements(0..text.len(), false);
    let mut diagnostics = parse.diagnostics;
    // What has no end swallows the rest of the file, so that errors behind it say nothing.
    let swallowed = diagnostics.iter().filter(|diagnostic| {
        matches!(&*diagnostic.code, "unterminated-code" | "unterminated-comment")
    });
    if let Some(from) = swallowed.filter_map(|diagnostic| Some(diagnostic.primary?.start)).min() {
        diagnostics.retain(|diagnostic| {
            diagnostic.code != "syntax" || diagnostic.primary.is_none_or(|span| span.start <= from)
        });
    }
    diagnostics.sort_by_key(|diagnostic| diagnostic.primary.map(|span| span.start));
    (File { source, items }, diagnostics)
}

/// Reads included files during a scan.
pub trait Includes {
    /// Reads the file that `path` names at `span`, with the macros defined there; what the file
    /// defines is added to them.
    fn include(&mut self, path: &str, span: Span, macros: &mut Macros);
}

/// Leaves all includes for later.
pub struct NoIncludes;

impl Includes for NoIncludes {
    fn include(&mut self, _: &str, _: Span, _: &mut Macros) {}
}

struct Parse<'a> {
    source: SourceId,
    text: &'a str,
    diagnostics: Vec<Diagnostic>,
}

impl Parse<'_> {
    /// The statements in a range; `deep` when an enclosing statement was taken apart already.
    fn statements(&mut self, range: Range<usize>, deep: bool) -> Vec<Arc<Stmt>> {
        let mut out = Vec::new();
        let mut forced_reported = deep;
        for chunk in split::statements(self.text, range) {
            let text = self.text.get(chunk.range.clone()).unwrap_or("");
            if text.starts_with('}') {
                // A brace too many; behind a cut that was forced it belongs to what was cut.
                if !forced_reported || !chunk.forced {
                    let span = self.span(chunk.range.start..chunk.range.start + 1);
                    self.diagnostics.push(
                        Diagnostic::error("unbalanced-brace", "this `}` closes nothing").at(span),
                    );
                }
                continue;
            }
            let errors = self.diagnostics.len();
            out.extend(self.statement(chunk.range, chunk.nesting));
            forced_reported |= chunk.forced && self.diagnostics.len() > errors;
        }
        out
    }

    fn span(&self, range: Range<usize>) -> Span {
        Span::new(self.source, range.start as u32, range.end as u32)
    }

    fn statement(&mut self, range: Range<usize>, nesting: usize) -> Option<Arc<Stmt>> {
        if nesting > MAX_NESTING {
            let end = (range.start + 1).min(range.end);
            self.diagnostics.push(
                Diagnostic::error("nesting", "this item is nested too deeply")
                    .at(self.span(range.start..end))
                    .note(format!("at most {MAX_NESTING} levels are supported")),
            );
            return None;
        }
        match self.run(Rule::one_stmt, range.clone(), |lower, node| lower.stmt(node)) {
            Ok(stmt) => Some(stmt),
            Err(diagnostic) => self.recover(range, diagnostic),
        }
    }

    fn run<T>(
        &mut self,
        rule: Rule,
        range: Range<usize>,
        lower: impl FnOnce(&mut Lower, crate::lower::Node) -> Option<T>,
    ) -> Result<T, Diagnostic> {
        let mut pairs = parser::run(rule, self.source, self.text, range.clone())?;
        let mut lowering =
            Lower { source: self.source, base: range.start, diagnostics: &mut self.diagnostics };
        pairs.next().and_then(|node| lower(&mut lowering, node)).ok_or_else(|| {
            Diagnostic::error("syntax", "this text parses, but not to a statement")
                .at(self.span(range))
        })
    }

    /// Takes a failed item apart into head and body, so that an error in one leaves the other.
    fn recover(&mut self, range: Range<usize>, whole: Diagnostic) -> Option<Arc<Stmt>> {
        let errors = self.diagnostics.len();
        let (head, tail, other) = split::parts(self.text, range.clone());
        let keyword = self.word(&head, 0).unwrap_or_default();
        let no_body = tail == Tail::None;
        let kind = match keyword.as_str() {
            "class" | "def" => {
                let body = self.body(tail);
                self.head(&keyword, head, body, Vec::new())
            }
            "multiclass" | "defset" | "let" | "foreach" | "if" => {
                let body = self.tail(tail);
                let other = other.map(|other| self.tail(other));
                let kind = self.head(&keyword, head, None, body);
                match (kind, other) {
                    (Some(StmtKind::If(node)), other) => {
                        Some(StmtKind::If(ast::If { otherwise: other, ..node }))
                    }
                    (kind, _) => kind,
                }
            }
            _ => None,
        };
        if no_body || self.diagnostics.len() == errors {
            // The parts are fine or can't be told apart: the whole is what is wrong.
            self.diagnostics.truncate(errors);
            self.diagnostics.push(whole);
        }
        Some(Arc::new(Stmt { span: self.span(range), incomplete: true, kind: kind? }))
    }

    /// Parses the head of an item that failed; reports what is wrong with it, and keeps at least
    /// the name.
    fn head(
        &mut self,
        keyword: &str,
        range: Range<usize>,
        items: Option<Vec<BodyItem>>,
        body: Vec<Arc<Stmt>>,
    ) -> Option<StmtKind> {
        let (kept_items, kept_body) = (items.clone(), body.clone());
        let range = self.without_semi(range);
        let parsed = match keyword {
            "class" => self.run(Rule::one_class, range.clone(), |lower, node| {
                Some(StmtKind::Class(lower.class_head(&node, items)?))
            }),
            "def" => self.run(Rule::one_def, range.clone(), |lower, node| {
                Some(StmtKind::Def(lower.def_head(&node, items)?))
            }),
            "multiclass" => self.run(Rule::one_multi, range.clone(), |lower, node| {
                Some(StmtKind::MultiClass(lower.multi_head(&node, body)?))
            }),
            "defset" => self.run(Rule::one_set, range.clone(), |lower, node| {
                Some(StmtKind::Defset(lower.set_head(&node, body)?))
            }),
            "foreach" => self.run(Rule::one_for, range.clone(), |lower, node| {
                Some(StmtKind::Foreach(lower.for_head(&node, body)?))
            }),
            "if" => self.run(Rule::one_if, range.clone(), |lower, node| {
                let cond = lower.if_head(&node)?;
                Some(StmtKind::If(ast::If { cond, then: body, otherwise: None }))
            }),
            _ => self.run(Rule::one_let, range.clone(), |lower, node| {
                Some(StmtKind::Let(ast::Let { items: lower.let_head(&node)?, body }))
            }),
        };
        let diagnostic = match parsed {
            Ok(kind) => return Some(kind),
            Err(diagnostic) => diagnostic,
        };
        self.diagnostics.push(diagnostic);
        let name = self.name(&range);
        match keyword {
            "class" => Some(StmtKind::Class(ast::Class {
                name: name?,
                params: Vec::new(),
                parents: Vec::new(),
                body: kept_items,
            })),
            "def" => {
                let name = name?;
                let kind = ast::ExprKind::Ident(name.name);
                Some(StmtKind::Def(ast::Def {
                    keyword: self.span(range.start..range.start + 3),
                    name: Some(ast::Expr { kind, span: name.span }),
                    parents: Vec::new(),
                    body: kept_items,
                }))
            }
            "multiclass" => Some(StmtKind::MultiClass(ast::MultiClass {
                name: name?,
                params: Vec::new(),
                parents: Vec::new(),
                body: kept_body,
            })),
            // Assignments that could not be read are dropped, the records they were for are not.
            "let" => Some(StmtKind::Let(ast::Let { items: Vec::new(), body: kept_body })),
            _ => None,
        }
    }

    fn without_semi(&self, range: Range<usize>) -> Range<usize> {
        let text = self.text.get(range.clone()).unwrap_or("").trim_end();
        let text = text.strip_suffix(';').unwrap_or(text);
        range.start..range.start + text.len()
    }

    fn word(&self, range: &Range<usize>, nth: usize) -> Option<String> {
        let token = split::tokens(self.text, range.clone()).nth(nth)?;
        let is_word = token.kind == Kind::Word;
        is_word.then(|| self.text.get(token.start..token.end).unwrap_or("").to_owned())
    }

    fn name(&self, range: &Range<usize>) -> Option<Ident> {
        let token = split::tokens(self.text, range.clone()).nth(1)?;
        if token.kind != Kind::Word {
            return None;
        }
        let name = self.text.get(token.start..token.end)?.into();
        Some(Ident { name, span: self.span(token.start..token.end) })
    }

    fn body(&mut self, tail: Tail) -> Option<Vec<BodyItem>> {
        let Tail::Braces(inside) = tail else { return None };
        let mut out = Vec::new();
        for item in split::body_items(self.text, inside) {
            let mut rest = Some(item);
            while let Some(item) = rest.take() {
                let end = item.end;
                match self.run(Rule::one_body_item, item, |lower, node| lower.body_item(node)) {
                    Ok(item) => out.push(item),
                    Err(diagnostic) => {
                        // Behind a forgotten `;` the next item begins.
                        rest = diagnostic.fix.as_ref().and_then(|fix| {
                            let next =
                                split::tokens(self.text, fix.span.start as usize..end).next()?;
                            (next.kind == Kind::Word).then_some(next.start..end)
                        });
                        self.diagnostics.push(diagnostic);
                    }
                }
            }
        }
        Some(out)
    }

    fn tail(&mut self, tail: Tail) -> Vec<Arc<Stmt>> {
        match tail {
            Tail::Braces(range) | Tail::Statement(range) => self.statements(range, true),
            Tail::None => Vec::new(),
        }
    }
}
