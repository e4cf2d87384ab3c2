//! The text of a dialect's generated module.

use tegula_schema::DialectDef;

use crate::doc::Doc;
use crate::hooks::Hooks;
use crate::share::Shared;
use crate::tables::{PRELUDE, ToRust};
use crate::{enums, params, wrappers};

/// Everything that is generated for a dialect: tables, hooks, wrappers. `file` is the `.td` file
/// that it came from. The text is meant to be the whole of a private module.
pub fn generate(def: &DialectDef, file: &str) -> String {
    let hooks = Hooks::of(def);
    let mut out =
        format!("// Generated from {file}. Edit that file.\n\nuse ::tegula_ir as ir;\n\n");
    out.push_str("pub use tables::DIALECT;\n\n");
    out.push_str(&hooks.trait_text(&def.name));
    out.push('\n');
    out.push_str(&hooks.entry_text(&def.name));
    for (name, doc, text) in [
        ("ops", "The ops, typed.", wrappers::module(def)),
        ("types", "The types, with their parameters.", params::types(def)),
        ("attrs", "The attributes, with their parameters.", params::attrs(def)),
        ("enums", "The enums.", enums::module(def)),
    ] {
        out.push_str(&module(name, doc, &text));
    }
    out.push('\n');
    out.push_str(&tables(def));
    out
}

/// A public module of wrappers; nothing without any. What a dialect's own Rust does not use is
/// there for others.
fn module(name: &str, doc: &str, text: &str) -> String {
    if text.is_empty() {
        return String::new();
    }
    let uses = if text.contains("ir::") { "    use ::tegula_ir as ir;\n" } else { "" };
    format!(
        "\n/// {doc}\n\
         #[allow(dead_code, clippy::all, reason = \"wrappers are made for every definition\")]\n\
         pub mod {name} {{\n{uses}{}}}\n",
        indented(text)
    )
}

/// The tables as statics in a module of their own.
fn tables(def: &DialectDef) -> String {
    let mut body = String::new();
    let mut shared = Shared::default();
    let mut lists: Vec<(&str, Doc)> = Vec::new();
    let mut list = |name: &'static str, ty: &str, items: Vec<Doc>| {
        if items.is_empty() {
            lists.push((name, Doc::text("Borrowed(&[])")));
            return;
        }
        let item = name.to_ascii_uppercase();
        let head = format!("\nstatic {item}: [s::{ty}; {}] = ", items.len());
        body.push_str(&head);
        let items = items.into_iter().map(|item| shared.take(item)).collect();
        Doc::list("[", items, "]").write(&mut body, 0, head.len());
        body.push_str(";\n");
        lists.push((name, Doc::text(format!("Borrowed(&{item})"))));
    };
    let DialectDef {
        name,
        summary,
        description,
        schema_hash,
        foreign,
        ops,
        types,
        attrs,
        enums,
        patterns,
        converters,
        passes,
        pipelines,
        targets,
    } = def;
    list("ops", "OpDef", ops.iter().map(|d| cited(&d.source, d)).collect());
    list("types", "TypeDef", types.iter().map(|d| cited(&d.source, d)).collect());
    list("attrs", "AttrKindDef", attrs.iter().map(|d| cited(&d.source, d)).collect());
    list("enums", "EnumDef", enums.iter().map(ToRust::to_rust).collect());
    list("patterns", "PatternDef", patterns.iter().map(|d| cited(&d.source, d)).collect());
    list("converters", "ConverterDef", converters.iter().map(|d| cited(&d.source, d)).collect());
    list("passes", "PassDef", passes.iter().map(|d| cited(&d.source, d)).collect());
    list("pipelines", "PipelineDef", pipelines.iter().map(|d| cited(&d.source, d)).collect());
    list("targets", "TargetDef", targets.iter().map(|d| cited(&d.source, d)).collect());
    let mut fields = vec![
        Doc::prefixed("name: ", name.to_rust()),
        Doc::prefixed("summary: ", summary.to_rust()),
        Doc::prefixed("description: ", description.to_rust()),
        Doc::text(format!("schema_hash: {schema_hash:#018x}")),
        Doc::text(format!("foreign: {foreign}")),
    ];
    fields.extend(lists.into_iter().map(|(name, doc)| Doc::prefixed(format!("{name}: "), doc)));
    let mut out = format!("\n/// The tables of the `{name}` dialect.\n");
    let head = "pub static DIALECT: s::DialectDef = ";
    out.push_str(head);
    Doc::list("s::DialectDef { ", fields, " }").write(&mut out, 0, head.len());
    out.push_str(";\n");
    let text = format!("{PRELUDE}{}{body}{out}", shared.items("s::Constraint"));
    format!("/// The tables.\nmod tables {{\n{}}}\n", indented(&text))
}

fn cited(source: &tegula_schema::Source, def: &dyn ToRust) -> Doc {
    Doc::Commented(format!("{}:{}", source.file, source.line), Box::new(def.to_rust()))
}

/// The text one level further in. Literals hold no line breaks, so lines are only layout.
fn indented(text: &str) -> String {
    let mut out = String::new();
    for line in text.lines() {
        if !line.is_empty() {
            out.push_str("    ");
        }
        out.push_str(line);
        out.push('\n');
    }
    out
}
