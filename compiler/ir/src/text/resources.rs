//! The metadata of a text, `{-# … #-}`: bytes that attributes name, and what other tools left.

use std::fmt::Write;
use std::sync::Arc;

use indexmap::IndexMap;
use tegula_diag::Span;

use super::alias::AliasTable;
use super::asm_parser::{AsmParser, ParseResult};
use super::asm_printer::AsmPrinter;
use super::lexer::Tok;
use crate::{ExternalResources, Ident, Resource, Resources};

/// The bytes of an alignment, which come before those of a blob.
const ALIGNMENT: usize = 4;

impl AsmParser<'_> {
    /// Reads `{-# … #-}` into the table of what attributes may name.
    pub(crate) fn metadata(&mut self, table: &mut AliasTable) -> ParseResult<()> {
        self.expect_tok(Tok::MetaBegin, "`{-#`")?;
        while self.tok.kind != Tok::MetaEnd {
            let section = self.keyword_of(&["dialect_resources", "external_resources"])?;
            self.expect(":")?;
            let is_dialect = section == "dialect_resources";
            for (owner, span, entries) in self.section()? {
                if !is_dialect {
                    table.insert_external(owner, entries);
                } else if owner.as_str() == "builtin" {
                    for (key, resource) in entries {
                        let Resource::Blob(blob) = resource else {
                            let message = format!("the resource `{key}` is no hexadecimal blob");
                            return Err(self.error_at(span, message));
                        };
                        table.insert_resource(key, blob);
                    }
                } else {
                    let message = format!("dialect `{owner}` has no resources");
                    return Err(self.error_at(span, message));
                }
            }
            if !self.eat_tok(Tok::Comma) {
                break;
            }
        }
        self.expect_tok(Tok::MetaEnd, "`#-}`")
    }

    /// `{owner: {key: resource, …}, …}`
    fn section(&mut self) -> ParseResult<Vec<(Ident, Span, Resources)>> {
        self.delimited("{", "}", |p| {
            let span = p.span();
            let owner = Ident::of(&p.keyword_or_string()?);
            p.expect(":")?;
            let entries = p.delimited("{", "}", |p| {
                let key = Ident::of(&p.keyword_or_string()?);
                p.expect(":")?;
                Ok((key, p.resource()?))
            })?;
            Ok((owner, span, entries.into_iter().collect()))
        })
    }

    fn resource(&mut self) -> ParseResult<Resource> {
        if self.tok.kind == Tok::Bare {
            return Ok(Resource::Bool(self.boolean()?));
        }
        let span = self.span();
        if !self.token_text().starts_with("\"0x") {
            return Ok(Resource::Text(self.string()?.into()));
        }
        let Some(mut bytes) = self.eat_hex() else {
            return Err(self.error_at(span, "expected an even number of hexadecimal digits"));
        };
        let alignment = bytes.first_chunk::<ALIGNMENT>().copied().map(u32::from_le_bytes);
        match alignment {
            Some(0) if bytes.len() == ALIGNMENT => {}
            Some(alignment) if alignment.is_power_of_two() => {}
            _ => {
                let message = "a blob begins with its alignment, a power of two in four bytes";
                return Err(self.error_at(span, message));
            }
        }
        // What has no bytes is not aligned.
        if bytes.len() == ALIGNMENT {
            bytes.fill(0);
        }
        Ok(Resource::Blob(bytes.into()))
    }
}

impl AsmPrinter<'_> {
    /// Prints the resources that attributes of a module name, and those of other tools.
    pub(crate) fn metadata(&mut self, used: Resources, external: &ExternalResources) {
        let sections = [
            ("dialect_resources", IndexMap::from([(Ident::of("builtin"), used)])),
            ("external_resources", external.iter().cloned().collect()),
        ];
        let mut open = "\n{-#\n";
        for (name, owners) in sections {
            if owners.values().all(IndexMap::is_empty) {
                continue;
            }
            self.write(open);
            open = ",\n";
            self.braced(2, Ident::of(name), owners, |p, (owner, entries)| {
                p.braced(4, owner, entries, |p, (key, resource)| {
                    p.spaces(6);
                    p.keyword_or_string(key.as_str());
                    p.write(": ");
                    p.resource(&resource);
                });
            });
        }
        if open == ",\n" {
            self.write("\n#-}\n");
        }
    }

    fn spaces(&mut self, count: usize) {
        self.out.extend(std::iter::repeat_n(' ', count));
    }

    fn braced<T>(
        &mut self,
        indent: usize,
        name: Ident,
        items: impl IntoIterator<Item = T>,
        mut each: impl FnMut(&mut Self, T),
    ) {
        self.spaces(indent);
        self.keyword_or_string(name.as_str());
        self.write(": {");
        for (index, item) in items.into_iter().enumerate() {
            self.write(if index > 0 { ",\n" } else { "\n" });
            each(self, item);
        }
        self.write("\n");
        self.spaces(indent);
        self.write("}");
    }

    fn resource(&mut self, resource: &Resource) {
        match resource {
            Resource::Bool(value) => self.display(value),
            Resource::Text(text) => self.string(text.as_bytes()),
            Resource::Blob(bytes) => {
                self.write("\"0x");
                for byte in bytes.iter() {
                    // Writing to a string does not fail.
                    let _ = write!(self.out, "{byte:02X}");
                }
                self.write("\"");
            }
        }
    }

    /// Remembers that an attribute names a blob.
    pub(crate) fn use_resource(&mut self, key: Ident, blob: &Arc<[u8]>) {
        if self.collector.is_none() && !self.options.local_scope {
            self.resources.entry(key).or_insert_with(|| Resource::Blob(blob.clone()));
        }
    }
}
