//! Pipeline text: MLIR's syntax, read into a tree and written back.
//!
//! `builtin.module(func.func(canonicalize{max-iterations=3},cse),symbol-dce)`. Two names open
//! more than a pass: `iree-op-pipeline-adaptor(util.func|util.initializer(…),…)` runs one of
//! several pipelines on each op, the first whose anchors name it; and
//! `iree-util-fixed-point-iterator{max-iterations=10 pipeline=…}` repeats one.

use std::fmt;

use indexmap::IndexMap;
use tegula_diag::Diagnostic;

/// The name of the adaptor that chooses a pipeline for each op.
pub const ADAPTOR: &str = "iree-op-pipeline-adaptor";
/// The name of the pass that repeats a pipeline until nothing changes.
pub const FIXED_POINT: &str = "iree-util-fixed-point-iterator";

/// One element of pipeline text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Element {
    /// A pass, or a named pipeline, with its options as text.
    Pass {
        /// The name.
        name: String,
        /// Options by name, in order of writing.
        options: IndexMap<String, String>,
        /// The offset of the name in the text.
        at: usize,
    },
    /// A pipeline for ops of one name (`any` for all) in the regions of the current op.
    Nest {
        /// The op's full name, or `any`.
        anchor: String,
        /// What runs on each.
        elements: Vec<Element>,
        /// The offset of the name in the text.
        at: usize,
    },
    /// For each op in the regions of the current op, the first pipeline whose anchors name it.
    Adaptor {
        /// The pipelines with their anchors.
        entries: Vec<(Vec<String>, Vec<Element>)>,
        /// The offset of the name in the text.
        at: usize,
    },
}

/// Reads pipeline text. Errors hold offsets into it as the span's bytes; `source` names it.
pub fn parse(text: &str) -> Result<Vec<Element>, PipelineError> {
    let mut parser = Parser { text, at: 0, depth: 0 };
    let elements = parser.elements()?;
    parser.blanks();
    if parser.at < text.len() {
        return Err(parser.error("expected `,` or the end of the pipeline"));
    }
    Ok(elements)
}

/// A mistake in pipeline text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PipelineError {
    /// A stable name of the kind of mistake.
    pub code: &'static str,
    /// One sentence without a final stop.
    pub message: String,
    /// The offset in the text.
    pub at: usize,
    /// Further sentences.
    pub notes: Vec<String>,
}

impl PipelineError {
    pub(crate) fn new(code: &'static str, message: impl Into<String>, at: usize) -> PipelineError {
        PipelineError { code, message: message.into(), at, notes: Vec::new() }
    }

    /// The mistake as a diagnostic in the source that holds the text from offset 0 on.
    pub fn diagnostic(&self, source: tegula_diag::SourceId) -> Diagnostic {
        let at = u32::try_from(self.at).unwrap_or(u32::MAX);
        let mut diagnostic = Diagnostic::error(self.code, self.message.clone())
            .at(tegula_diag::Span::at(source, at));
        for note in &self.notes {
            diagnostic = diagnostic.note(note.clone());
        }
        diagnostic
    }
}

impl fmt::Display for PipelineError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.message)?;
        for note in &self.notes {
            write!(f, "; {note}")?;
        }
        Ok(())
    }
}

/// Nesting is read by recursion, so it is bounded.
const MAX_DEPTH: usize = 64;

struct Parser<'a> {
    text: &'a str,
    at: usize,
    depth: usize,
}

impl<'a> Parser<'a> {
    fn error(&self, message: impl Into<String>) -> PipelineError {
        PipelineError::new("pipeline-syntax", message, self.at)
    }

    fn rest(&self) -> &'a str {
        self.text.get(self.at..).unwrap_or("")
    }

    fn blanks(&mut self) {
        let rest = self.rest();
        self.at += rest.len() - rest.trim_start().len();
    }

    fn eat(&mut self, c: char) -> bool {
        self.blanks();
        let here = self.rest().starts_with(c);
        if here {
            self.at += c.len_utf8();
        }
        here
    }

    fn name(&mut self) -> Result<&'a str, PipelineError> {
        self.blanks();
        let rest = self.rest();
        let end = rest.find(|c: char| !(c.is_alphanumeric() || "-_.$".contains(c)));
        let name = &rest[..end.unwrap_or(rest.len())];
        if name.is_empty() {
            return Err(self.error("expected the name of a pass or op"));
        }
        self.at += name.len();
        Ok(name)
    }

    fn elements(&mut self) -> Result<Vec<Element>, PipelineError> {
        let mut out = Vec::new();
        self.blanks();
        if self.rest().is_empty() || self.rest().starts_with(')') {
            return Ok(out);
        }
        loop {
            out.push(self.element()?);
            if !self.eat(',') {
                return Ok(out);
            }
        }
    }

    fn nested(&mut self) -> Result<Vec<Element>, PipelineError> {
        if self.depth == MAX_DEPTH {
            return Err(self.error("pipelines are nested too deeply"));
        }
        self.depth += 1;
        let elements = self.elements()?;
        self.depth -= 1;
        if !self.eat(')') {
            return Err(self.error("expected `,` or `)`"));
        }
        Ok(elements)
    }

    fn element(&mut self) -> Result<Element, PipelineError> {
        self.blanks();
        let at = self.at;
        let name = self.name()?;
        if name == ADAPTOR && self.eat('(') {
            let mut entries = Vec::new();
            loop {
                let mut anchors = vec![self.name()?.to_owned()];
                while self.eat('|') {
                    anchors.push(self.name()?.to_owned());
                }
                if !self.eat('(') {
                    return Err(self.error("expected `|` or `(`"));
                }
                entries.push((anchors, self.nested()?));
                if self.eat(')') {
                    return Ok(Element::Adaptor { entries, at });
                }
                if !self.eat(',') {
                    return Err(self.error("expected `,` or `)`"));
                }
            }
        }
        if self.eat('(') {
            let elements = self.nested()?;
            return Ok(Element::Nest { anchor: name.to_owned(), elements, at });
        }
        let options = if self.eat('{') { self.options()? } else { IndexMap::new() };
        Ok(Element::Pass { name: name.to_owned(), options, at })
    }

    fn options(&mut self) -> Result<IndexMap<String, String>, PipelineError> {
        let mut out = IndexMap::new();
        loop {
            if self.eat('}') {
                return Ok(out);
            }
            let at = self.at;
            let name = self.name()?.to_owned();
            let value = if self.rest().starts_with('=') {
                self.at += 1;
                self.option_value()?
            } else {
                // A flag without a value is set.
                "true".to_owned()
            };
            if out.insert(name.clone(), value).is_some() {
                let message = format!("pass option `{name}` is given twice");
                return Err(PipelineError::new("pipeline-option", message, at));
            }
        }
    }

    /// A value ends at a blank or `}` outside of all brackets and quotes; braces or quotes around
    /// all of it are taken off.
    fn option_value(&mut self) -> Result<String, PipelineError> {
        let rest = self.rest();
        let mut open: Vec<char> = Vec::new();
        let mut end = rest.len();
        for (index, c) in rest.char_indices() {
            match open.last() {
                Some(&quote @ ('"' | '\'')) => {
                    if c == quote {
                        open.pop();
                    }
                    continue;
                }
                None if c.is_whitespace() || c == '}' => {
                    end = index;
                    break;
                }
                _ => {}
            }
            match c {
                '"' | '\'' => open.push(c),
                '(' => open.push(')'),
                '{' => open.push('}'),
                '[' => open.push(']'),
                '<' => open.push('>'),
                ')' | '}' | ']' | '>' if open.last() == Some(&c) => {
                    open.pop();
                }
                _ => {}
            }
        }
        if let Some(close) = open.last() {
            return Err(self.error(format!("expected `{close}` before the end of the pipeline")));
        }
        let value = &rest[..end];
        self.at += end;
        let whole = [('{', '}'), ('"', '"'), ('\'', '\'')]
            .into_iter()
            .find_map(|(open, close)| value.strip_prefix(open).and_then(|v| v.strip_suffix(close)));
        Ok(whole.unwrap_or(value).to_owned())
    }
}

/// Writes elements as pipeline text.
pub fn print(elements: &[Element]) -> String {
    let mut out = String::new();
    print_into(elements, true, &mut out);
    out
}

/// Writes elements as IREE's dumps show them: of an adaptor just the name.
pub(crate) fn print_brief(elements: &[Element]) -> String {
    let mut out = String::new();
    print_into(elements, false, &mut out);
    out
}

fn print_into(elements: &[Element], whole: bool, out: &mut String) {
    for (index, element) in elements.iter().enumerate() {
        if index > 0 {
            out.push(',');
        }
        match element {
            Element::Pass { name, options, .. } => {
                out.push_str(name);
                if options.is_empty() {
                    continue;
                }
                let parts: Vec<String> = options
                    .iter()
                    .map(|(name, value)| {
                        if value.chars().any(char::is_whitespace) && !value.contains('(') {
                            format!("{name}={{{value}}}")
                        } else {
                            format!("{name}={value}")
                        }
                    })
                    .collect();
                out.push('{');
                out.push_str(&parts.join(" "));
                out.push('}');
            }
            Element::Nest { anchor, elements, .. } => {
                out.push_str(anchor);
                out.push('(');
                print_into(elements, whole, out);
                out.push(')');
            }
            Element::Adaptor { .. } if !whole => out.push_str(ADAPTOR),
            Element::Adaptor { entries, .. } => {
                out.push_str(ADAPTOR);
                out.push('(');
                for (index, (anchors, elements)) in entries.iter().enumerate() {
                    if index > 0 {
                        out.push(',');
                    }
                    out.push_str(&anchors.join("|"));
                    out.push('(');
                    print_into(elements, whole, out);
                    out.push(')');
                }
                out.push(')');
            }
        }
    }
}
