//! What a dialect's patterns and type converters do, as tables.

use super::*;

/// The groups of the canonicalizer.
const CANONICAL: [&str; 2] = ["fold", "canonicalize"];

pub(super) fn write(out: &mut String, def: &DialectDef) {
    let of = |group: &str| def.patterns.iter().filter(|p| p.group == group).collect::<Vec<_>>();
    let canonical: Vec<_> = CANONICAL.iter().flat_map(|group| of(group)).collect();
    if !canonical.is_empty() {
        let _ = write!(out, "\n## Folds and canonicalizations\n");
        patterns(out, &canonical);
    }
    let mut groups: Vec<&str> = Vec::new();
    for pattern in def.patterns.iter() {
        if !groups.contains(&&*pattern.group) && !CANONICAL.contains(&&*pattern.group) {
            groups.push(&pattern.group);
        }
    }
    if groups.is_empty() && def.converters.is_empty() {
        return;
    }
    let _ = write!(out, "\n## Conversions and other rewrites\n");
    for converter in def.converters.iter() {
        heading(out, &format!("Types: `{}`", converter.name));
        types(out, converter);
    }
    for group in groups {
        heading(out, &format!("Patterns: `{group}`"));
        let passes = def.passes.iter().filter(|pass| uses(&pass.body, group));
        let passes: Vec<String> = passes.map(|pass| format!("`{}`", pass.name)).collect();
        if !passes.is_empty() {
            paragraph(out, &format!("Used by {}.", passes.join(", ")));
        }
        patterns(out, &of(group));
    }
}

fn uses(body: &PassBody, group: &str) -> bool {
    match body {
        PassBody::Hook(_) => false,
        PassBody::Greedy(groups) => groups.iter().any(|g| g == group),
        PassBody::Convert(conversion) => conversion.groups.iter().any(|g| g == group),
    }
}

fn types(out: &mut String, converter: &ConverterDef) {
    let row = |rule: &TypeConversionDef| {
        let (from, to) = rule.reads.split_first()?;
        let to: Vec<String> = to.iter().map(|ty| format!("`{ty}`")).collect();
        let to = match (rule.refused, to.is_empty()) {
            (true, _) => "cannot be converted".to_owned(),
            (false, true) => "nothing".to_owned(),
            (false, false) => to.join(", "),
        };
        Some(vec![format!("`{from}`"), to])
    };
    let rows: Vec<Vec<String>> = converter.rules.iter().filter_map(row).collect();
    table(out, &["Type", "Becomes"], &rows);
}

fn patterns(out: &mut String, patterns: &[&PatternDef]) {
    let row = |pattern: &&PatternDef| {
        let root = match pattern.root.is_empty() {
            true => "any op".to_owned(),
            false => format!("`{}`", pattern.root),
        };
        vec![root, becomes(pattern), format!("`{}`", pattern.name)]
    };
    let rows: Vec<Vec<String>> = patterns.iter().map(row).collect();
    table(out, &["Operation", "Becomes", "Pattern"], &rows);
}

/// What a pattern makes of its root.
fn becomes(pattern: &PatternDef) -> String {
    if pattern.kind == PatternKind::Legal {
        return "itself: it is legal".to_owned();
    }
    let refused = pattern.code.iter().find_map(|inst| match inst {
        Inst::Refuse { message } => Some(format!("refused: {message}")),
        _ => None,
    });
    if let Some(refused) = refused {
        return refused;
    }
    let inlined = pattern.code.iter().any(|inst| matches!(inst, Inst::Inline { op: 0, .. }));
    let inside = inlined.then(|| "what is in it".to_owned());
    let makes = pattern.makes.iter().map(|op| format!("`{op}`"));
    let makes: Vec<String> = inside.into_iter().chain(makes).collect();
    if !makes.is_empty() {
        return makes.join(", ");
    }
    let gone = |inst: &Inst| match inst {
        Inst::Fold { .. } => Some("a value that is there, or a constant"),
        Inst::Replace { op: 0, .. } => Some("values that are there"),
        Inst::Erase { op: 0 } => Some("nothing"),
        Inst::Rewrite { .. } => Some("what a hook makes of it"),
        _ => None,
    };
    pattern.code.iter().find_map(gone).unwrap_or("itself, changed in place").to_owned()
}
