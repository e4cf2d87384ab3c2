//! A module's text as segments, each with the text that is printed for it.

use std::ops::Range;

use tegula_diag::{Diagnostic, SourceId};
use tegula_ir::text::{
    AliasTable, Item, ItemKind, ParseOptions, PrintOptions, TextOrigin, parse_aliases, parse_item,
    print_attr, print_module, print_type, split, tokens,
};
use tegula_ir::{Ident, Module, Registry};

/// A piece of the text.
pub(crate) struct Segment {
    pub(crate) range: Range<usize>,
    /// What is printed for it; nothing where the text stays as it is.
    pub(crate) printed: String,
    /// By how many blanks less than the text what is printed is indented.
    pub(crate) shift: isize,
    /// The column at which it begins.
    pub(crate) indent: usize,
    /// The ops in it in order of text, as ranges of the whole text.
    pub(crate) ops: Vec<Range<usize>>,
    /// Its blanks and line ends are kept.
    pub(crate) verbatim: bool,
}

/// What the printer sets before ops in a module.
const IN_MODULE: usize = 2;

/// Cuts a part of a text into segments.
pub(crate) fn segments(
    registry: &Registry,
    source: SourceId,
    text: &str,
    part: Range<usize>,
) -> Result<Vec<Segment>, Vec<Diagnostic>> {
    let base = part.start;
    let piece = &text[part];
    let moved = |range: &Range<usize>| range.start + base..range.end + base;
    let mut cut = split(piece);
    for item in &mut cut.items {
        item.range = moved(&item.range);
    }
    let (aliases, mut found) = parse_aliases(registry, source, text, cut.items.iter().cloned());
    let mut all = Vec::new();
    let mut body = None;
    if let Some(frame) = &cut.module {
        let (head, tail) = (moved(&frame.head), moved(&frame.tail));
        body = Some(head.end..tail.start);
        let close = text[..tail.start].rfind('}').unwrap_or(tail.start);
        let open = tokens(&text[head.end..]).next().map_or(head.end, |brace| head.end + brace.end);
        // Blanks stand for the body, so that what follows it keeps its place.
        let blanks = " ".repeat(close.saturating_sub(open));
        let whole = format!("{}{blanks}{}", &text[head.start..open], &text[close..tail.end]);
        let mut opening = Segment::plain(head.start..open, String::new());
        ops(registry, source, &whole, &aliases, Ident::of("module"), &mut opening, &mut found);
        opening.ops.clear();
        let mut closing = Segment::plain(close..tail.end, String::new());
        if let Some((before, after)) = opening.printed.rsplit_once('\n') {
            closing.printed = after.to_owned();
            opening.printed = before.to_owned();
        }
        all.extend([opening, closing]);
    }
    for item in &cut.items {
        let inside = body.as_ref().is_some_and(|body| body.contains(&item.range.start));
        let indent = if inside { IN_MODULE } else { 0 };
        let mut segment = Segment::plain(item.range.clone(), String::new());
        segment.indent = indent;
        match item.kind {
            ItemKind::Op => {
                segment.shift = indent as isize - IN_MODULE as isize;
                let piece = &text[item.range.clone()];
                ops(registry, source, piece, &aliases, item.name, &mut segment, &mut found);
            }
            ItemKind::Metadata => segment.verbatim = true,
            ItemKind::AttrAlias | ItemKind::TypeAlias => {
                segment.printed = alias(registry, &aliases, item);
            }
        }
        all.push(segment);
    }
    if !found.is_empty() {
        return Err(found);
    }
    all.sort_by_key(|segment| segment.range.start);
    Ok(all)
}

impl Segment {
    fn plain(range: Range<usize>, printed: String) -> Segment {
        Segment { range, printed, shift: 0, indent: 0, ops: Vec::new(), verbatim: false }
    }
}

fn alias(registry: &Registry, aliases: &AliasTable, item: &Item) -> String {
    let name = item.name;
    match item.kind {
        ItemKind::TypeAlias => {
            let ty = aliases.ty(name.as_str()).map(|ty| print_type(registry, ty));
            format!("!{name} = {}", ty.unwrap_or_default())
        }
        _ => {
            let attr = aliases.attr(name.as_str()).map(|attr| print_attr(registry, attr));
            format!("#{name} = {}", attr.unwrap_or_default())
        }
    }
}

/// Parses and prints the ops of a segment, in generic form when the first is written so.
fn ops(
    registry: &Registry,
    source: SourceId,
    piece: &str,
    aliases: &AliasTable,
    name: Ident,
    segment: &mut Segment,
    found: &mut Vec<Diagnostic>,
) {
    let start = segment.range.start;
    let origin = TextOrigin { source, base: start as u32 };
    let options = ParseOptions { allow_unregistered: true, ..ParseOptions::default() };
    let parsed = parse_item(registry, piece, origin, aliases, name, options, found);
    let mut module = Module::default();
    for parsed in parsed {
        let spans = parsed.spans.iter();
        segment.ops.extend(spans.map(|&(from, to)| start + from as usize..start + to as usize));
        module.bodies.extend(parsed.body);
    }
    let first = tokens(piece).map(|token| &piece[token]).find(|word| {
        word.starts_with('"') || word.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
    });
    let generic = first.is_some_and(|word| word.starts_with('"'));
    let print = PrintOptions { generic, ..PrintOptions::local() };
    let printed = print_module(registry, &module, &print);
    // Between the first line, which opens the module, and the last, which closes it.
    let body = printed.split_once('\n').and_then(|(_, rest)| rest.rsplit_once('}'));
    segment.printed = body.map_or(String::new(), |(body, _)| body.trim_end().to_owned());
}
