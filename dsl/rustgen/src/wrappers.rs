//! Typed wrappers of ops: `Copy` structs over ids, with accessors and builders by name.

use std::fmt::Write;

use tegula_schema::{Arity, DialectDef, OpDef, Source, ValueDef};

use crate::access::{default_of, is_unit, of_attr};
use crate::names::{ident, snake, wrapper};
use crate::signature::signature;

/// Methods that every wrapper has; accessors of these names get an underscore.
const RESERVED: &[&str] = &["cast", "build", "new"];

/// The module of a dialect's ops; empty without any.
pub(crate) fn module(dialect: &DialectDef) -> String {
    let mut out = String::new();
    let mut names: Vec<String> = Vec::new();
    for (index, op) in dialect.ops.iter().enumerate() {
        let mut name = wrapper(&op.def_name, &dialect.name);
        if names.contains(&name) {
            name = crate::names::camel(&op.def_name);
        }
        Wrapper { dialect, op, index, name: &name }.write(&mut out);
        names.push(name);
    }
    out
}

/// `What it is. (file.td:3)` as doc comment text.
pub(crate) fn cited(summary: &str, source: &Source) -> String {
    let place = format!("({}:{})", source.file, source.line);
    let summary = summary.trim().trim_end_matches('.').replace('\n', " ");
    if summary.is_empty() { place } else { format!("{summary}. {place}") }
}

/// The method's name for an entry.
fn method(name: &str) -> String {
    let name = snake(name);
    if RESERVED.contains(&name.as_str()) { format!("{name}_") } else { ident(&name) }
}

/// The parameter's name for an entry.
fn param(name: &str) -> String {
    ident(&snake(name))
}

struct Wrapper<'a> {
    dialect: &'a DialectDef,
    op: &'a OpDef,
    index: usize,
    name: &'a str,
}

impl Wrapper<'_> {
    fn write(&self, out: &mut String) {
        let Wrapper { op, name, .. } = self;
        let _ = write!(
            out,
            "\n/// `{full}`: {doc}\n\
             #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]\n\
             pub struct {name}(pub ir::OpId);\n\n\
             impl {name} {{\n\
             \x20   /// The full name.\n\
             \x20   pub const NAME: &'static str = {full:?};\n\n\
             \x20   /// The op, when it is of this kind.\n\
             \x20   pub fn cast(body: &ir::Body, op: ir::OpId) -> Option<{name}> {{\n\
             \x20       body.is(op, Self::NAME).then_some({name}(op))\n    }}\n",
            full = op.name,
            doc = cited(&op.summary, &op.source),
        );
        self.values(out, &op.operands, "operand");
        self.values(out, &op.results, "result");
        self.attrs(out);
        self.regions(out);
        self.successors(out);
        self.build(out);
        out.push_str("}\n");
    }

    fn values(&self, out: &mut String, groups: &[ValueDef], what: &str) {
        let fixed = groups.iter().all(|g| g.arity == Arity::One);
        for (at, group) in groups.iter().enumerate() {
            let name = method(&group.name);
            let before_fixed = groups[..at].iter().all(|g| g.arity == Arity::One);
            let range = format!(
                "ir::{what}_segment(body, self.0, &super::DIALECT.ops[{}].{what}s, {at})",
                self.index
            );
            let _ = match group.arity {
                Arity::One if fixed || before_fixed => writeln!(
                    out,
                    "\n    /// The {what} `{}`.\n\
                     \x20   pub fn {name}(self, body: &ir::Body) -> ir::ValueId {{\n\
                     \x20       body.{what}(self.0, {at})\n    }}",
                    group.name
                ),
                Arity::One => writeln!(
                    out,
                    "\n    /// The {what} `{}`.\n\
                     \x20   pub fn {name}(self, body: &ir::Body) -> ir::ValueId {{\n\
                     \x20       let range = {range};\n\
                     \x20       body.{what}(self.0, range.start)\n    }}",
                    group.name
                ),
                Arity::Optional => writeln!(
                    out,
                    "\n    /// The {what} `{}`, if it is there.\n\
                     \x20   pub fn {name}(self, body: &ir::Body) -> Option<ir::ValueId> {{\n\
                     \x20       let range = {range};\n\
                     \x20       body.{what}s(self.0).nth(range.start).filter(|_| !range.is_empty())\n    }}",
                    group.name
                ),
                Arity::Variadic => writeln!(
                    out,
                    "\n    /// The {what}s `{}`.\n\
                     \x20   pub fn {name}(self, body: &ir::Body) -> Vec<ir::ValueId> {{\n\
                     \x20       let range = {range};\n\
                     \x20       body.{what}s(self.0).skip(range.start).take(range.len()).collect()\n    }}",
                    group.name
                ),
            };
        }
    }

    fn attrs(&self, out: &mut String) {
        for attr in self.op.attrs.iter() {
            let name = method(&attr.name);
            let _ = writeln!(
                out,
                "\n    /// The attribute `{0}` as it stands.\n\
                 \x20   pub fn {1}(self, body: &ir::Body) -> Option<ir::Attr> {{\n\
                 \x20       body.attr(self.0, {0:?})\n    }}",
                attr.name,
                method(&format!("{}_attr", attr.name)),
            );
            if is_unit(attr) {
                let _ = writeln!(
                    out,
                    "\n    /// Whether the attribute `{0}` is there.\n\
                     \x20   pub fn {name}(self, body: &ir::Body) -> bool {{\n\
                     \x20       body.attr(self.0, {0:?}).is_some()\n    }}",
                    attr.name,
                );
                continue;
            }
            let access = of_attr(attr, self.dialect);
            let default =
                attr.default.as_deref().and_then(|text| default_of(text, &access, self.dialect));
            let read = match access.read.as_str() {
                "Some(attr)" => format!("body.attr(self.0, {:?})", attr.name),
                read => format!("body.attr(self.0, {:?}).and_then(|attr| {read})", attr.name),
            };
            let read = read.replace(".and_then(|attr| ", "\n            .and_then(|attr| ");
            let (ty, read) = match default {
                Some(value) => (access.ty, format!("{read}\n            .unwrap_or({value})")),
                None => (format!("Option<{}>", access.ty), read),
            };
            let _ = writeln!(
                out,
                "\n    /// The attribute `{}`: {}.\n\
                 \x20   pub fn {name}(self, body: &ir::Body) -> {ty} {{\n        {read}\n    }}",
                attr.name, attr.constraint.summary,
            );
        }
    }

    fn regions(&self, out: &mut String) {
        for (at, region) in self.op.regions.iter().enumerate() {
            let name = method(&region.name);
            let _ = match region.arity {
                Arity::Variadic => writeln!(
                    out,
                    "\n    /// The regions `{}`.\n\
                     \x20   pub fn {name}(self, body: &ir::Body) -> &[ir::RegionId] {{\n\
                     \x20       body.regions(self.0).get({at}..).unwrap_or(&[])\n    }}",
                    region.name
                ),
                _ => writeln!(
                    out,
                    "\n    /// The region `{}`.\n\
                     \x20   pub fn {name}(self, body: &ir::Body) -> Option<ir::RegionId> {{\n\
                     \x20       body.region(self.0, {at})\n    }}",
                    region.name
                ),
            };
        }
    }

    fn successors(&self, out: &mut String) {
        for (at, successor) in self.op.successors.iter().enumerate() {
            let name = method(&successor.name);
            let _ = match successor.arity {
                Arity::Variadic => writeln!(
                    out,
                    "\n    /// The successors `{}`.\n\
                     \x20   pub fn {name}(self, body: &ir::Body) -> &[ir::BlockId] {{\n\
                     \x20       body.successors(self.0).get({at}..).unwrap_or(&[])\n    }}",
                    successor.name
                ),
                _ => writeln!(
                    out,
                    "\n    /// The successor `{}`.\n\
                     \x20   pub fn {name}(self, body: &ir::Body) -> Option<ir::BlockId> {{\n\
                     \x20       body.successors(self.0).get({at}).copied()\n    }}",
                    successor.name
                ),
            };
        }
    }

    /// The builder takes what the op cannot be without, in order of definition: operands, types
    /// of results that are not fixed, attributes without a default, successors, and the number of
    /// regions where it varies.
    fn build(&self, out: &mut String) {
        let Wrapper { op, .. } = self;
        let mut params: Vec<String> = Vec::new();
        let mut steps: Vec<String> = Vec::new();
        for group in op.operands.iter() {
            let name = param(&group.name);
            let (ty, step) = match group.arity {
                Arity::One => ("ir::ValueId", format!(".operand({name})")),
                Arity::Optional => ("Option<ir::ValueId>", format!(".operands({name})")),
                Arity::Variadic => ("&[ir::ValueId]", format!(".operands({name}.iter().copied())")),
            };
            params.push(format!("{name}: {ty}"));
            steps.push(step);
        }
        for group in op.results.iter() {
            if group.arity == Arity::One
                && let Some(ty) = group.constraint.buildable.as_deref().and_then(builtin_type)
            {
                steps.push(format!(".result({ty})"));
                continue;
            }
            let name = param(&format!("{}_type", group.name));
            let (ty, step) = match group.arity {
                Arity::One => ("ir::Type", format!(".result({name})")),
                Arity::Optional => ("Option<ir::Type>", format!(".results({name})")),
                Arity::Variadic => ("&[ir::Type]", format!(".results({name}.iter().copied())")),
            };
            params.push(format!("{name}: {ty}"));
            steps.push(step);
        }
        for attr in op.attrs.iter() {
            if attr.optional || attr.default.is_some() {
                continue;
            }
            let name = param(&attr.name);
            let access = of_attr(attr, self.dialect);
            match access.write {
                Some(write) => {
                    params.push(format!("{name}: {}", access.input));
                    let value = write.replace("value.into()", &format!("{name}.into()"));
                    let value = replace_word(&value, "value", &name);
                    steps.push(format!(".attr({:?}, {value})", attr.name));
                }
                None => {
                    params.push(format!("{name}: ir::Attr"));
                    steps.push(format!(".attr({:?}, {name})", attr.name));
                }
            }
        }
        for (groups, name, key) in [
            (&op.operands, "OPERAND_SEGMENTS", "AttrSizedOperandSegments"),
            (&op.results, "RESULT_SEGMENTS", "AttrSizedResultSegments"),
        ] {
            if op.has_trait(key) {
                let suffix = if name.starts_with('R') { "_type" } else { "" };
                let sizes: Vec<String> = groups
                    .iter()
                    .map(|g| {
                        let name = param(&format!("{}{suffix}", g.name));
                        match g.arity {
                            Arity::One => "1".to_owned(),
                            Arity::Optional => format!("i32::from({name}.is_some())"),
                            Arity::Variadic => format!("{name}.len() as i32"),
                        }
                    })
                    .collect();
                steps.push(format!(
                    ".attr(\n                ir::{name},\n                ir::Attr::i32_array(&[{}]),\n            )",
                    sizes.join(", ")
                ));
            }
        }
        for successor in op.successors.iter() {
            let name = param(&successor.name);
            if successor.arity == Arity::Variadic {
                params.push(format!("{name}: &[ir::BlockId]"));
                steps.push(format!(".successors({name}.iter().copied())"));
            } else {
                params.push(format!("{name}: ir::BlockId"));
                steps.push(format!(".successor({name})"));
            }
        }
        match op.regions.iter().find(|r| r.arity == Arity::Variadic) {
            Some(_) => {
                params.push("regions: usize".to_owned());
                steps.push(".regions(regions)".to_owned());
            }
            None if !op.regions.is_empty() => steps.push(format!(".regions({})", op.regions.len())),
            None => {}
        }
        let head = signature(4, "pub fn build", &params, " -> ir::NewOp {");
        let steps: String = steps.iter().map(|step| format!("\n            {step}")).collect();
        let _ = writeln!(
            out,
            "\n    /// The description of a new op; attributes that may be absent are added to it.\n\
{head}\n        ir::NewOp::new(Self::NAME){steps}\n    }}"
        );
    }
}

/// Replaces a word that stands alone.
pub(crate) fn replace_word(text: &str, word: &str, by: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some(at) = rest.find(word) {
        let end = at + word.len();
        let part_of_word = |c: char| c.is_alphanumeric() || c == '_';
        let before = rest[..at].chars().next_back().is_some_and(|c| part_of_word(c) || c == '.');
        let after = rest[end..].chars().next().is_some_and(part_of_word);
        out.push_str(&rest[..at]);
        out.push_str(if before || after { word } else { by });
        rest = &rest[end..];
    }
    out + rest
}

/// A builtin type that needs no module to be made.
fn builtin_type(text: &str) -> Option<String> {
    match text {
        "index" => Some("ir::Type::index()".to_owned()),
        "none" => Some("ir::Type::none()".to_owned()),
        "f32" => Some("ir::Type::f32()".to_owned()),
        "f64" => Some("ir::Type::f64()".to_owned()),
        _ if text.starts_with('!') => Some(format!("ir::Type::dialect({:?}, &[])", &text[1..])),
        _ => {
            let width: u32 = text.strip_prefix('i')?.parse().ok()?;
            Some(format!("ir::Type::int({width})"))
        }
    }
}
