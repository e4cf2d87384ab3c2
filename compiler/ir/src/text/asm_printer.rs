//! The printer of everything below ops, and the alias state that it prints with.

use std::fmt::Write;
use std::sync::Arc;

use super::collect::Collector;
use super::lexer::goes_on;
use super::names::AliasNames;
use super::watch::Watch;
use crate::{Attr, Ident, Registry, Resources, Threads};

/// Finds the file, line and column of an op by item and ordinal.
pub type LocationLookup = Arc<dyn Fn(Ident, u32) -> Option<(Ident, u32, u32)> + Send + Sync>;

/// How text is printed; the names are those of MLIR's flags.
#[derive(Clone, Default)]
pub struct PrintOptions {
    /// `--mlir-print-local-scope`: attributes and types in place, no aliases.
    pub local_scope: bool,
    /// `--mlir-print-op-generic`
    pub generic: bool,
    /// Dialects whose ops are printed in generic form, for tools that do not know them.
    pub generic_dialects: &'static [&'static str],
    /// `--mlir-print-debuginfo`
    pub debuginfo: bool,
    /// `--mlir-print-skip-regions`
    pub skip_regions: bool,
    /// `--mlir-elide-elementsattrs-if-larger`
    pub elide_elements_if_larger: Option<usize>,
    /// How many threads print.
    pub threads: Threads,
    /// Where ops stand that have no location of their own; without it they are unknown.
    pub locations: Option<LocationLookup>,
}

impl PrintOptions {
    /// Local scope.
    pub fn local() -> PrintOptions {
        PrintOptions { local_scope: true, ..PrintOptions::default() }
    }
}

/// When the type of a typed attribute is left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Elide {
    /// Never.
    Never,
    /// If it is the default one (`i64`, `f64`).
    Default,
    /// Always.
    Always,
}

/// A printer of types and attributes. Hooks of types and attributes print their parameters
/// through it.
pub struct AsmPrinter<'a> {
    pub(crate) registry: &'a Registry,
    pub(crate) out: String,
    pub(crate) options: &'a PrintOptions,
    /// The aliases that are in force.
    pub(crate) aliases: Arc<AliasNames>,
    /// Set while aliases are collected: what is printed then is thrown away.
    pub(crate) collector: Option<Collector>,
    /// Set while it is not known whether aliases have to be collected.
    pub(crate) watch: Option<Watch>,
    /// The resources that were named so far.
    pub(crate) resources: Resources,
}

impl<'a> AsmPrinter<'a> {
    /// A printer that knows no aliases.
    pub fn new(registry: &'a Registry, options: &'a PrintOptions) -> AsmPrinter<'a> {
        AsmPrinter {
            registry,
            out: String::new(),
            options,
            aliases: Arc::default(),
            collector: None,
            watch: None,
            resources: Resources::new(),
        }
    }

    /// The installed definitions.
    pub fn registry(&self) -> &'a Registry {
        self.registry
    }

    /// What was printed.
    pub fn finish(self) -> String {
        self.out
    }

    /// Appends text.
    pub fn write(&mut self, text: &str) {
        self.out.push_str(text);
    }

    /// Appends whatever formats.
    pub fn display(&mut self, value: impl std::fmt::Display) {
        // Writing to a string does not fail.
        let _ = write!(self.out, "{value}");
    }

    /// Prints elements with `, ` between them.
    pub fn comma_list<T>(
        &mut self,
        items: impl IntoIterator<Item = T>,
        mut each: impl FnMut(&mut Self, T),
    ) {
        for (index, item) in items.into_iter().enumerate() {
            if index > 0 {
                self.write(", ");
            }
            each(self, item);
        }
    }

    /// Prints a string in quotes with escapes.
    pub fn string(&mut self, bytes: &[u8]) {
        self.out.push('"');
        escape(bytes, &mut self.out);
        self.out.push('"');
    }

    /// Prints a text in quotes with escapes.
    pub(crate) fn quoted(&mut self, text: &str) {
        if !text.bytes().all(goes_on) {
            return self.string(text.as_bytes());
        }
        self.out.push('"');
        self.out.push_str(text);
        self.out.push('"');
    }

    /// Prints a word bare when it can be read back so, in quotes otherwise.
    pub fn keyword_or_string(&mut self, word: &str) {
        if is_bare(word) || crate::has_identity(word) {
            self.write(word);
        } else {
            self.string(word.as_bytes());
        }
    }

    /// Prints `@name`.
    pub fn symbol_name(&mut self, name: &str) {
        self.out.push('@');
        self.keyword_or_string(name);
    }

    /// Prints `4x?x8`.
    pub fn dims(&mut self, dims: &[i64]) {
        for (index, &dim) in dims.iter().enumerate() {
            if index > 0 {
                self.out.push('x');
            }
            self.dim(dim);
        }
    }

    /// Prints `4` or `?`.
    pub fn dim(&mut self, dim: i64) {
        if dim == crate::DYNAMIC {
            self.out.push('?');
        } else {
            self.display(dim);
        }
    }

    /// Prints ` {…}` with the entries whose names are not elided; nothing when none are left.
    pub fn optional_dict(&mut self, entries: &[(Ident, Attr)], elided: &[&str]) {
        self.dict_after(" {", entries, elided);
    }

    /// Prints ` attributes {…}` likewise.
    pub fn optional_dict_with_keyword(&mut self, entries: &[(Ident, Attr)], elided: &[&str]) {
        self.dict_after(" attributes {", entries, elided);
    }

    fn dict_after(&mut self, open: &str, entries: &[(Ident, Attr)], elided: &[&str]) {
        let mut rest = entries.iter().filter(|(n, _)| !elided.contains(&n.as_str())).peekable();
        if rest.peek().is_none() {
            return;
        }
        self.write(open);
        self.comma_list(rest, |p, &(name, attr)| p.named_attr(name, attr));
        self.out.push('}');
    }

    /// Prints `name = value`, or only the name of a unit attribute.
    pub(crate) fn named_attr(&mut self, name: Ident, attr: Attr) {
        self.keyword_or_string(name.as_str());
        if !matches!(attr.data(), crate::AttrData::Unit) {
            self.write(" = ");
            self.attr(attr);
        }
    }
}

/// Whether a word is a bare identifier.
pub(crate) fn is_bare(word: &str) -> bool {
    word.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_') && word.bytes().all(goes_on)
}

/// Appends bytes as MLIR escapes them. Identity tokens stay as they are: they are resolved in the
/// finished text.
pub(crate) fn escape(bytes: &[u8], out: &mut String) {
    const HEX: &[u8; 16] = b"0123456789ABCDEF";
    let mut at = 0;
    loop {
        let rest = bytes.get(at..).unwrap_or_default();
        let plain = |c: &u8| matches!(c, b' '..=b'~') && !matches!(c, b'"' | b'\\');
        let run = rest.iter().position(|c| !plain(c)).unwrap_or(rest.len());
        out.push_str(std::str::from_utf8(&rest[..run]).unwrap_or_default());
        at += run;
        let Some(&c) = bytes.get(at) else { return };
        at += 1;
        match c {
            b'\\' => out.push_str("\\\\"),
            0xEE if matches!(bytes.get(at..at + 2), Some([0x80, 0x80..=0x82])) => {
                out.push(char::from_u32(0xE000 + u32::from(bytes[at + 1] - 0x80)).unwrap_or(' '));
                at += 2;
            }
            _ => {
                out.push('\\');
                out.push(HEX[usize::from(c >> 4)] as char);
                out.push(HEX[usize::from(c & 15)] as char);
            }
        }
    }
}
