//! Typed wrappers of dialect types and attributes.

use std::fmt::Write;

use tegula_schema::{DialectDef, ParamDef, Source};

use crate::access::{default_of, of_kind};
use crate::names::{ident, snake, wrapper};
use crate::signature::signature;
use crate::wrappers::cited;

/// The module of a dialect's types; empty without any.
pub(crate) fn types(dialect: &DialectDef) -> String {
    let mut out = String::new();
    for def in dialect.types.iter() {
        let name = wrapper(&def.def_name, &dialect.name);
        let sigil = "!";
        Params { dialect, name, sigil, full: &def.name, params: &def.params, handle: "Type" }
            .write(&mut out, &def.summary, &def.source);
    }
    out
}

/// The module of a dialect's attributes; empty without any.
pub(crate) fn attrs(dialect: &DialectDef) -> String {
    let mut out = String::new();
    for def in dialect.attrs.iter() {
        let name = wrapper(&def.def_name, &dialect.name);
        let sigil = "#";
        Params { dialect, name, sigil, full: &def.name, params: &def.params, handle: "Attr" }
            .write(&mut out, &def.summary, &def.source);
    }
    out
}

struct Params<'a> {
    dialect: &'a DialectDef,
    name: String,
    sigil: &'static str,
    full: &'a str,
    params: &'a [ParamDef],
    /// `Type` or `Attr`.
    handle: &'static str,
}

impl Params<'_> {
    fn write(&self, out: &mut String, summary: &str, source: &Source) {
        let Params { name, sigil, full, handle, params, .. } = self;
        let arg = if *handle == "Type" { "ty" } else { "attr" };
        let _ = write!(
            out,
            "\n/// `{sigil}{full}`: {}\n\
             #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]\n\
             pub struct {name}(pub ir::{handle});\n\n\
             impl {name} {{\n\
             \x20   /// The full name.\n\
             \x20   pub const NAME: &'static str = {full:?};\n\n\
             \x20   /// The wrapper, when this is of its kind.\n\
             \x20   pub fn cast({arg}: ir::{handle}) -> Option<{name}> {{\n\
             \x20       {arg}.dialect_params(Self::NAME).map(|_| {name}({arg}))\n    }}\n",
            cited(summary, source),
        );
        let mut inputs: Vec<String> = Vec::new();
        let mut values: Vec<String> = Vec::new();
        for (at, param) in params.iter().enumerate() {
            let field = ident(&snake(&param.name));
            let access = of_kind(&param.kind, self.dialect);
            let default =
                param.default.as_deref().and_then(|text| default_of(text, &access, self.dialect));
            let method = match param.name.as_ref() {
                "cast" | "new" | "param" => format!("{}_", param.name),
                _ => field.clone(),
            };
            let read = match access.read.as_str() {
                "Some(attr)" => format!("self.param({at})"),
                read => format!("self.param({at}).and_then(|attr| {read})"),
            };
            let (ty, read) = match default {
                Some(value) => (access.ty.clone(), format!("{read}.unwrap_or({value})")),
                None => (format!("Option<{}>", access.ty), read),
            };
            let _ = writeln!(
                out,
                "\n    /// The parameter `{}`.\n    pub fn {method}(self) -> {ty} {{\n        {read}\n    }}",
                param.name,
            );
            let (input, write) = match &access.write {
                Some(write) => (access.input.as_str(), write.as_str()),
                None => ("ir::Attr", "value"),
            };
            // What the default stands for is stored like any other value.
            if param.optional && param.default.is_none() {
                inputs.push(format!("{field}: Option<{input}>"));
                values.push(match write {
                    "value" => format!("{field}.unwrap_or_else(ir::Attr::absent)"),
                    write => format!("{field}.map_or_else(ir::Attr::absent, |value| {write})"),
                });
            } else {
                inputs.push(format!("{field}: {input}"));
                let write = crate::wrappers::replace_word(write, "value", &field);
                values.push(write);
            }
        }
        if !params.is_empty() {
            let _ = writeln!(
                out,
                "\n    /// Parameter number `index`; none when it is absent.\n\
                 \x20   fn param(self, index: usize) -> Option<ir::Attr> {{\n\
                 \x20       let params = self.0.dialect_params(Self::NAME)?;\n\
                 \x20       params.get(index).copied().filter(|param| !param.is_absent())\n    }}"
            );
        }
        let head = signature(4, "pub fn new", &inputs, &format!(" -> {name} {{"));
        let items: String = values.iter().map(|v| format!("            {v},\n")).collect();
        let list =
            if items.is_empty() { "&[]".to_owned() } else { format!("&[\n{items}        ]") };
        let _ = writeln!(
            out,
            "\n    /// Makes one of its parameters.\n{head}\n\
             \x20       {name}(ir::{handle}::dialect(Self::NAME, {list}))\n    }}\n}}"
        );
    }
}
