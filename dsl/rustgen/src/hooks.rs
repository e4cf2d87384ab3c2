//! The hooks that a dialect's tables name.

use std::collections::BTreeSet;

use tegula_schema::{DialectDef, HookKind as Kind};

use crate::names::snake;
use crate::signature::signature;

/// How a kind of hooks is written in Rust.
trait Written {
    /// The field of `tegula_ir::Hooks`, the prefix of the method, and the method's parameters and
    /// result.
    fn parts(self) -> (&'static str, &'static str, &'static str);
    /// What the method's documentation says.
    fn purpose(self) -> &'static str;
}

impl Written for Kind {
    fn parts(self) -> (&'static str, &'static str, &'static str) {
        match self {
            Kind::Verify => (
                "verify",
                "verify",
                "registry: &ir::Registry, body: &ir::Body, op: ir::OpId) -> Result<(), String>",
            ),
            Kind::VerifySymbols => (
                "verify_symbols",
                "verify_symbols",
                "symbols: &ir::verify::Symbols<'_>, body: &ir::Body, op: ir::OpId) -> Result<(), String>",
            ),
            Kind::Fold => {
                ("fold", "fold", "cx: &ir::FoldContext<'_>) -> Option<Vec<ir::FoldResult>>")
            }
            Kind::ParseOp => (
                "parse_op",
                "parse",
                "parser: &mut ir::text::OpParser<'_>, state: &mut ir::text::OpState) -> ir::text::ParseResult<()>",
            ),
            Kind::PrintOp => {
                ("print_op", "print", "printer: &mut ir::text::OpPrinter<'_>, op: ir::OpId)")
            }
            Kind::ParseDirective => (
                "parse_directive",
                "parse_directive",
                "parser: &mut ir::text::OpParser<'_>, args: &mut ir::text::ParseArgs<'_>) -> ir::text::ParseResult<bool>",
            ),
            Kind::PrintDirective => (
                "print_directive",
                "print_directive",
                "printer: &mut ir::text::OpPrinter<'_>, op: ir::OpId, args: &ir::text::PrintArgs)",
            ),
            Kind::ParseParams => (
                "parse_params",
                "parse_params",
                "parser: &mut ir::text::AsmParser<'_>) -> ir::text::ParseResult<Vec<ir::Attr>>",
            ),
            Kind::PrintParams => (
                "print_params",
                "print_params",
                "printer: &mut ir::text::AsmPrinter<'_>, params: &[ir::Attr])",
            ),
            Kind::ParseParamDirective => (
                "parse_param_directive",
                "parse_param_directive",
                "parser: &mut ir::text::AsmParser<'_>, params: &mut [Option<ir::Attr>]) -> ir::text::ParseResult<bool>",
            ),
            Kind::PrintParamDirective => (
                "print_param_directive",
                "print_param_directive",
                "printer: &mut ir::text::AsmPrinter<'_>, params: &[Option<ir::Attr>])",
            ),
            Kind::VerifyParams => (
                "verify_params",
                "verify_params",
                "registry: &ir::Registry, params: &[ir::Attr]) -> Result<(), String>",
            ),
            Kind::VerifyEncoding => (
                "verify_encoding",
                "verify_encoding",
                "registry: &ir::Registry, params: &[ir::Attr], ty: ir::Type) -> Result<(), String>",
            ),
            Kind::DeriveType => (
                "derive_type",
                "derive_type",
                "registry: &ir::Registry, from: ir::Subject) -> Option<ir::Type>",
            ),
            Kind::ResultNames => (
                "result_names",
                "result_names",
                "registry: &ir::Registry, body: &ir::Body, op: ir::OpId, \
                 name: &mut dyn FnMut(ir::ValueId, &str))",
            ),
            Kind::RegionArgNames => (
                "region_arg_names",
                "region_arg_names",
                "registry: &ir::Registry, body: &ir::Body, op: ir::OpId, region: ir::RegionId, \
                 name: &mut dyn FnMut(ir::ValueId, &str))",
            ),
            Kind::Predicate => {
                ("predicate", "predicate", "registry: &ir::Registry, subject: ir::Subject) -> bool")
            }
        }
    }

    fn purpose(self) -> &'static str {
        match self {
            Kind::Verify => "Verifies an op whose constraints hold",
            Kind::VerifySymbols => "Verifies the symbols that an op names",
            Kind::Fold => "Folds an op",
            Kind::ParseOp => "Reads the custom form of an op",
            Kind::PrintOp => "Prints the custom form of an op",
            Kind::ParseDirective | Kind::ParseParamDirective => "Reads a directive of a format",
            Kind::PrintDirective | Kind::PrintParamDirective => "Prints a directive of a format",
            Kind::ParseParams => "Reads the parameters of a type or attribute",
            Kind::PrintParams => "Prints the parameters of a type or attribute",
            Kind::VerifyParams => "Verifies the parameters of a type or attribute together",
            Kind::VerifyEncoding => {
                "Verifies a type that has the attribute as its encoding or layout"
            }
            Kind::DeriveType => "Derives a type",
            Kind::ResultNames => "Names results in text",
            Kind::RegionArgNames => "Names region arguments in text",
            Kind::Predicate => "Decides a predicate",
        }
    }
}

/// The hooks of a dialect, in order of kind and name.
pub(crate) struct Hooks(BTreeSet<(Kind, String)>);

impl Hooks {
    /// Gathers the hooks that tables name.
    pub(crate) fn of(dialect: &DialectDef) -> Hooks {
        let mut hooks = BTreeSet::new();
        dialect.each_hook(&mut |kind, name| {
            hooks.insert((kind, name.to_owned()));
        });
        Hooks(hooks)
    }

    /// The trait that the dialect's Rust implements.
    pub(crate) fn trait_text(&self, dialect: &str) -> String {
        let mut out = format!(
            "/// The Rust that the definitions of the `{dialect}` dialect name; a unit struct implements it.\n\
             pub trait Hooks {{\n"
        );
        for (kind, name) in &self.0 {
            let (_, prefix, types) = kind.parts();
            // Parameters hold commas only inside of brackets.
            let (params, tail) = types.rsplit_once(") -> ").map_or_else(
                || (types.strip_suffix(')').unwrap_or(types), String::new()),
                |(params, result)| (params, format!(" -> {result}")),
            );
            let params = split_params(params);
            let head = format!("fn {prefix}_{}", snake(name));
            out.push_str(&format!("    /// {} (`{name}`).\n", kind.purpose()));
            out.push_str(&signature(4, &head, &params, &format!("{tail};\n")));
        }
        out.push_str("}\n");
        out.replace("{\n}\n", "{}\n")
    }

    /// The function that installs the tables with the hooks.
    pub(crate) fn entry_text(&self, dialect: &str) -> String {
        let mut out = format!(
            "/// The `{dialect}` dialect with its hooks.\n\
             pub fn entry<H: Hooks>() -> ir::DialectEntry {{\n"
        );
        if self.0.is_empty() {
            out.push_str("    let hooks = ir::Hooks::default();\n");
        } else {
            out.push_str("    let mut hooks = ir::Hooks::default();\n");
        }
        for (kind, name) in &self.0 {
            let (field, prefix, _) = kind.parts();
            out.push_str(&format!(
                "    hooks.{field}.insert({name:?}, H::{prefix}_{});\n",
                snake(name)
            ));
        }
        out.push_str(
            "    ir::DialectEntry { def: ::std::borrow::Cow::Borrowed(&DIALECT), hooks }\n}\n",
        );
        out
    }
}

/// Splits a parameter list at the commas that are in no brackets.
fn split_params(text: &str) -> Vec<String> {
    let (mut parts, mut depth, mut start) = (Vec::new(), 0i32, 0);
    for (at, c) in text.char_indices() {
        match c {
            '(' | '<' | '[' => depth += 1,
            ')' | '>' | ']' => depth -= 1,
            ',' if depth == 0 => {
                parts.push(text[start..at].trim().to_owned());
                start = at + 1;
            }
            _ => {}
        }
    }
    parts.push(text[start..].trim().to_owned());
    parts
}
