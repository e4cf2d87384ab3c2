//! A dialect's reference as Markdown.

use std::fmt::Write;

use tegula_schema::*;

mod rewrites;

/// The reference of a dialect: what its definitions say, in the order in which they stand.
///
/// Headings begin at the second level, under the title, which is the dialect's name.
pub fn reference(def: &DialectDef) -> String {
    let mut out = format!("# `{}`\n", def.name);
    paragraph(&mut out, &sentence(&def.summary));
    paragraph(&mut out, &def.description);
    if !def.ops.is_empty() {
        let _ = write!(out, "\n## Operations at a glance\n");
        let rows = def.ops.iter().map(|op| vec![format!("`{}`", op.name), sentence(&op.summary)]);
        table(&mut out, &["Operation", "What it means"], &rows.collect::<Vec<_>>());
    }
    section(&mut out, "Ops", &def.ops, op);
    section(&mut out, "Types", &def.types, |out, ty| {
        params(out, &format!("!{}", ty.name), &ty.summary, &ty.description, &ty.params);
    });
    section(&mut out, "Attributes", &def.attrs, |out, attr| {
        params(out, &format!("#{}", attr.name), &attr.summary, &attr.description, &attr.params);
    });
    section(&mut out, "Enums", &def.enums, enumeration);
    rewrites::write(&mut out, def);
    section(&mut out, "Passes", &def.passes, pass);
    section(&mut out, "Pipelines", &def.pipelines, |out, pipeline| {
        heading(out, &format!("`{}`", pipeline.name));
        paragraph(out, &sentence(&pipeline.summary));
        paragraph(out, &format!("```\n{}\n```", pipeline.text.trim_matches('\n')));
    });
    section(&mut out, "Targets", &def.targets, target);
    out
}

fn section<T>(out: &mut String, title: &str, items: &[T], each: impl Fn(&mut String, &T)) {
    if items.is_empty() {
        return;
    }
    let _ = write!(out, "\n## {title}\n");
    items.iter().for_each(|item| each(out, item));
}

fn heading(out: &mut String, text: &str) {
    let _ = write!(out, "\n### {text}\n");
}

fn paragraph(out: &mut String, text: &str) {
    if !text.is_empty() {
        let _ = write!(out, "\n{text}\n");
    }
}

fn sentence(text: &str) -> String {
    if text.is_empty() || text.ends_with(['.', '!', '?']) {
        text.to_owned()
    } else {
        format!("{text}.")
    }
}

/// A table, unless it has no rows.
fn table(out: &mut String, head: &[&str], rows: &[Vec<String>]) {
    if rows.is_empty() {
        return;
    }
    let _ = write!(out, "\n| {} |\n|{}\n", head.join(" | "), " --- |".repeat(head.len()));
    for row in rows {
        // A bar inside of a cell would end it.
        let cells: Vec<String> = row.iter().map(|cell| cell.replace('|', "\\|")).collect();
        let _ = writeln!(out, "| {} |", cells.join(" | "));
    }
}

fn op(out: &mut String, op: &OpDef) {
    heading(out, &format!("`{}`", op.name));
    paragraph(out, &sentence(&op.summary));
    match &op.format {
        Format::Program(elems) => {
            paragraph(out, &format!("```\n{}{}\n```", op.name, format(elems, op)));
        }
        Format::Hook(_) => paragraph(out, "The syntax is the dialect's own."),
        Format::Generic => {}
    }
    paragraph(out, &op.description);
    if !op.traits.is_empty() {
        let traits: Vec<String> = op
            .traits
            .iter()
            .map(|t| match t.args.is_empty() {
                true => format!("`{}`", t.name),
                false => format!("`{}<{}>`", t.name, t.args.join(", ")),
            })
            .collect();
        paragraph(out, &format!("Traits: {}.", traits.join(", ")));
    }
    let values = |values: &[ValueDef]| -> Vec<Vec<String>> {
        values
            .iter()
            .map(|v| {
                let arity = match v.arity {
                    Arity::One => "",
                    Arity::Optional => "optional ",
                    Arity::Variadic => "any number of ",
                };
                let mut effects = Vec::new();
                for (bit, word) in [
                    (Effects::READ, "reads"),
                    (Effects::WRITE, "writes"),
                    (Effects::ALLOC, "allocates"),
                    (Effects::FREE, "frees"),
                ] {
                    if v.effects.contains(bit) {
                        effects.push(word);
                    }
                }
                let effects = match effects.is_empty() {
                    true => String::new(),
                    false => format!(" ({})", effects.join(", ")),
                };
                vec![format!("`{}`", v.name), format!("{arity}{}{effects}", v.constraint.summary)]
            })
            .collect()
    };
    table(out, &["Operand", "Type"], &values(&op.operands));
    table(out, &["Result", "Type"], &values(&op.results));
    let attrs: Vec<Vec<String>> = op.attrs.iter().map(attr_row).collect();
    table(out, &["Attribute", "Value", "Default"], &attrs);
    let regions: Vec<Vec<String>> = op
        .regions
        .iter()
        .map(|region| {
            let blocks = match (region.max_blocks, region.non_empty) {
                (0, false) => "any number of blocks".to_owned(),
                (0, true) => "at least one block".to_owned(),
                (1, true) => "one block".to_owned(),
                (n, true) => format!("one to {n} blocks"),
                (n, false) => format!("at most {n} blocks"),
            };
            let many = if region.arity == Arity::Variadic { "any number, each of " } else { "" };
            vec![format!("`{}`", region.name), format!("{many}{blocks}")]
        })
        .collect();
    table(out, &["Region", "Holds"], &regions);
    let successors: Vec<Vec<String>> = op
        .successors
        .iter()
        .map(|s| {
            let passed = s.operands.as_ref().map_or_else(String::new, |group| format!("`{group}`"));
            vec![format!("`{}`", s.name), passed]
        })
        .collect();
    table(out, &["Successor", "Block arguments"], &successors);
}

fn attr_row(attr: &AttrDef) -> Vec<String> {
    let default = match (&attr.default, attr.optional) {
        (Some(value), _) => format!("`{value}`"),
        (None, true) => "may be absent".to_owned(),
        (None, false) => String::new(),
    };
    vec![format!("`{}`", attr.name), attr.constraint.summary.to_string(), default]
}

fn params(out: &mut String, name: &str, summary: &str, description: &str, params: &[ParamDef]) {
    heading(out, &format!("`{name}`"));
    paragraph(out, &sentence(summary));
    paragraph(out, description);
    let rows: Vec<Vec<String>> = params
        .iter()
        .map(|param| {
            let default = match (&param.default, param.optional) {
                (Some(value), _) => format!("`{value}`"),
                (None, true) => "may be absent".to_owned(),
                (None, false) => String::new(),
            };
            vec![format!("`{}`", param.name), kind(&param.kind), default]
        })
        .collect();
    table(out, &["Parameter", "Value", "Default"], &rows);
}

fn kind(kind: &ParamKind) -> String {
    match kind {
        ParamKind::Attr => "any attribute".to_owned(),
        ParamKind::Type => "a type".to_owned(),
        ParamKind::Int => "an integer".to_owned(),
        ParamKind::Bool => "`true` or `false`".to_owned(),
        ParamKind::String => "a string".to_owned(),
        ParamKind::Enum(name) => format!("a case of {name}"),
        ParamKind::Array(inner) => format!("a list, each {}", self::kind(inner)),
        ParamKind::AttrOf(name) if name.contains('.') => format!("`#{name}`"),
        ParamKind::AttrOf(name) => format!("an attribute of kind {}", name.replace('_', " ")),
        ParamKind::Dims => "sizes".to_owned(),
        ParamKind::DenseArray(elem) => format!("a list of {elem}"),
        ParamKind::SymbolName => "a symbol's name".to_owned(),
    }
}

fn enumeration(out: &mut String, def: &EnumDef) {
    heading(out, &format!("`{}`", def.name));
    paragraph(out, &sentence(&def.summary));
    if def.bit_enum {
        paragraph(out, &format!("Cases may be joined with `{}`.", def.separator.trim()));
    }
    let rows: Vec<Vec<String>> = def
        .cases
        .iter()
        .map(|case| vec![format!("`{}`", case.keyword), case.value.to_string()])
        .collect();
    table(out, &["Keyword", "Number"], &rows);
}

fn pass(out: &mut String, pass: &PassDef) {
    heading(out, &format!("`{}`", pass.name));
    paragraph(out, &sentence(&pass.summary));
    paragraph(out, &pass.description);
    if !pass.anchor.is_empty() {
        paragraph(out, &format!("Runs on `{}`.", pass.anchor));
    }
    let rows: Vec<Vec<String>> = pass
        .options
        .iter()
        .map(|option| {
            let name = format!("`{}`", option.name);
            let default = match option.default.is_empty() {
                true => String::new(),
                false => format!("`{}`", option.default),
            };
            vec![name, option_kind(&option.kind), default, option.summary.to_string()]
        })
        .collect();
    table(out, &["Option", "Value", "Default", "Meaning"], &rows);
    for (what, facts) in [
        ("Requires", &pass.requires),
        ("Establishes", &pass.establishes),
        ("Invalidates", &pass.invalidates),
    ] {
        if !facts.is_empty() {
            paragraph(out, &format!("{what}: {}.", facts.join(", ")));
        }
    }
}

fn option_kind(kind: &OptionKind) -> String {
    match kind {
        OptionKind::Bool => "`true` or `false`".to_owned(),
        OptionKind::Int => "an integer".to_owned(),
        OptionKind::String => "text".to_owned(),
        OptionKind::Choice(words) => {
            words.iter().map(|word| format!("`{word}`")).collect::<Vec<_>>().join(", ")
        }
        OptionKind::ListOf(kinds) => kinds
            .first()
            .map_or_else(|| "a list".to_owned(), |k| format!("a list of {}", option_kind(k))),
    }
}

fn target(out: &mut String, target: &TargetDef) {
    heading(out, &format!("`{}`", target.name));
    paragraph(out, &sentence(&target.summary));
    paragraph(
        out,
        &format!("{} vector registers of {} bits.", target.vector_registers, target.vector_bits),
    );
    let rows: Vec<Vec<String>> = target
        .tiles
        .iter()
        .map(|t| {
            vec![
                format!("{} × {} → {}", t.lhs, t.rhs, t.out),
                format!("{}×{}×{}", t.m, t.n, t.k),
                t.requires.join(", "),
            ]
        })
        .collect();
    table(out, &["Element types", "Tile", "Needs"], &rows);
}

/// A format as one line of syntax: names in angle brackets, optional groups in brackets.
fn format(elems: &[FormatElem], op: &OpDef) -> String {
    let mut out = String::new();
    for elem in elems {
        let piece = element(elem, op);
        if piece.is_empty() {
            continue;
        }
        let tight =
            out.ends_with(['(', '[', '<', '{']) || piece.starts_with([')', ']', ',', '>', '}']);
        if !tight {
            out.push(' ');
        }
        out.push_str(&piece);
    }
    out
}

fn element(elem: &FormatElem, op: &OpDef) -> String {
    let name = |list: &[ValueDef], index: u16| {
        list.get(usize::from(index)).map_or_else(String::new, |v| v.name.to_string())
    };
    let slot = |slot: &Slot| match slot {
        Slot::Operand(i) => name(&op.operands, *i),
        Slot::Result(i) => name(&op.results, *i),
        Slot::Attr(i) => {
            op.attrs.get(usize::from(*i)).map_or_else(String::new, |a| a.name.to_string())
        }
    };
    match elem {
        FormatElem::Literal(text) => text.to_string(),
        FormatElem::Whitespace(_) | FormatElem::Ref(_) => String::new(),
        FormatElem::Operand(i) => format!("%{}", name(&op.operands, *i)),
        FormatElem::Attr(i) => format!("${}", slot(&Slot::Attr(*i))),
        FormatElem::Params | FormatElem::Struct(_) => "params".to_owned(),
        FormatElem::Region(i) => {
            let name = op.regions.get(usize::from(*i)).map_or("", |r| r.name.as_ref());
            format!("{{ {name} }}")
        }
        FormatElem::Successor(i) => {
            let name = op.successors.get(usize::from(*i)).map_or("", |s| s.name.as_ref());
            format!("^{name}")
        }
        FormatElem::Operands => "%operands".to_owned(),
        FormatElem::Regions => "{ regions }".to_owned(),
        FormatElem::Successors => "^successors".to_owned(),
        FormatElem::AttrDict { keyword: true } => "[attributes {…}]".to_owned(),
        FormatElem::AttrDict { keyword: false } => "[{…}]".to_owned(),
        FormatElem::PropDict => "[<{…}>]".to_owned(),
        FormatElem::Type(s) => format!("type({})", slot(s)),
        FormatElem::OperandTypes => "type(operands)".to_owned(),
        FormatElem::ResultTypes => "type(results)".to_owned(),
        FormatElem::FunctionalType(ins, outs) => {
            let side = |side: &FunctionalSide| match side {
                FunctionalSide::Operands => "operands".to_owned(),
                FunctionalSide::Results => "results".to_owned(),
                FunctionalSide::Group(s) => slot(s),
            };
            format!("(type({})) -> type({})", side(ins), side(outs))
        }
        FormatElem::Qualified(inner) => format(inner, op).trim_start().to_owned(),
        FormatElem::Custom(name, args) => {
            format!("{name}({})", format(args, op).trim_start().replace(' ', ", "))
        }
        FormatElem::Optional { then, otherwise, .. } => {
            let (then, otherwise) = (format(then, op), format(otherwise, op));
            match otherwise.trim() {
                "" => format!("[{}]", then.trim_start()),
                otherwise => format!("[{} | {otherwise}]", then.trim_start()),
            }
        }
        FormatElem::OiList(clauses) => {
            let clauses: Vec<String> = clauses
                .iter()
                .map(|c| format!("[{}{}]", c.keyword, format(&c.elems, op)))
                .collect();
            clauses.join(" ")
        }
    }
}
