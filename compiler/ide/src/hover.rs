//! What an op is, in Markdown.

use tegula_ir::text::print_type;
use tegula_ir::{Body, OpId, Registry};
use tegula_schema::{Arity, OpDef, ValueDef};

use crate::file::Hover;

/// The op's definition and the types of its results.
pub(crate) fn op_hover(registry: &Registry, body: &Body, op: OpId) -> Hover {
    let name = body.name(op);
    let mut text = match registry.op(name) {
        Some(info) => op_definition(info.def()),
        None => format!("**`{name}`**\n\nNo installed dialect defines this op.\n"),
    };
    let types: Vec<String> =
        body.results(op).map(|v| format!("`{}`", print_type(registry, body.ty(v)))).collect();
    if !types.is_empty() {
        text.push_str(&format!("\nHere: {}\n", types.join(", ")));
    }
    Hover { range: None, markdown: text }
}

/// An op's definition.
pub(crate) fn op_definition(def: &OpDef) -> String {
    let mut text = format!("**`{}`**", def.name);
    if !def.summary.is_empty() {
        text.push_str(&format!(" — {}", def.summary));
    }
    text.push_str("\n\n");
    text.push_str(&groups("operands", &def.operands));
    text.push_str(&groups("results", &def.results));
    text.push_str(&attributes(def));
    if !def.description.is_empty() {
        text.push_str(&format!("{}\n\n", def.description.trim()));
    }
    if def.source.line != 0 {
        text.push_str(&format!("Defined at `{}:{}`.\n", def.source.file, def.source.line));
    }
    text
}

fn groups(title: &str, values: &[ValueDef]) -> String {
    if values.is_empty() {
        return String::new();
    }
    let one = |value: &ValueDef| {
        let many = match value.arity {
            Arity::One => "",
            Arity::Optional => "optional ",
            Arity::Variadic => "any number of ",
        };
        format!("`{}`: {many}{}", value.name, value.constraint.summary)
    };
    let all: Vec<String> = values.iter().map(one).collect();
    format!("*{title}* — {}\n\n", all.join("; "))
}

fn attributes(def: &OpDef) -> String {
    if def.attrs.is_empty() {
        return String::new();
    }
    let all: Vec<String> =
        def.attrs.iter().map(|a| format!("`{}`: {}", a.name, a.constraint.summary)).collect();
    format!("*attributes* — {}\n\n", all.join("; "))
}
