//! Whole texts to modules, item by item.

use std::ops::Range;
use std::sync::Arc;

use rustc_hash::FxHashMap;
use tegula_diag::{Diagnostic, SourceId, Span};

use super::alias::{AliasTable, BROKEN_ALIAS};
use super::asm_parser::{AsmParser, ParseResult, TextOrigin};
use super::lexer::{Tok, next_token};
use super::op_parser::OpParser;
use super::source_map::SourceMap;
use super::split::{Item, ItemKind, ModuleFrame, split};
use crate::{Attr, Body, Ident, Module, Registry, Threads};

/// How text is read.
#[derive(Clone, Copy, Debug, Default)]
pub struct ParseOptions {
    /// Ops that no dialect defines are read in generic form.
    pub allow_unregistered: bool,
    /// Arguments of blocks have the place where they stand as their location, as ops have.
    pub locate_arguments: bool,
    /// How many threads read items.
    pub threads: Threads,
}

/// What one item's text gives.
#[derive(Clone, Debug)]
pub struct ParsedItem {
    /// The name that locations bear.
    pub item: Ident,
    /// The body; none when there is an error.
    pub body: Option<Body>,
    /// The spans of its ops in order of text, relative to the item's start, and, if they are
    /// located, those of arguments.
    pub spans: Arc<[(u32, u32)]>,
    /// What the text calls the arguments of its op's first region, without `%`: a function's
    /// parameters. Empty when they have no names there.
    pub args: Arc<[Ident]>,
}

/// Reads a module from text. With errors the module holds the items that have none.
pub fn parse_module(
    registry: &Registry,
    source: SourceId,
    text: &str,
) -> (Module, SourceMap, Vec<Diagnostic>) {
    parse_module_with(registry, source, text, ParseOptions::default())
}

/// Reads a module from text with options.
pub fn parse_module_with(
    registry: &Registry,
    source: SourceId,
    text: &str,
    options: ParseOptions,
) -> (Module, SourceMap, Vec<Diagnostic>) {
    let split = split(text);
    let mut module = Module::default();
    let mut map = SourceMap::new();
    let (aliases, mut diagnostics) =
        parse_aliases(registry, source, text, split.items.iter().cloned());
    if let Some(frame) = &split.module {
        map.set_module(Span::new(source, frame.head.start as u32, frame.head.end as u32));
        if let Err(error) = module_header(registry, source, text, &aliases, frame, &mut module) {
            diagnostics.push(error.into_diagnostic());
        }
    }
    module.external = aliases.external();
    let mut parsed_texts: FxHashMap<Ident, u32> = FxHashMap::default();
    let ops = split.items.iter().filter(|item| item.kind == ItemKind::Op);
    let ops: Vec<(Ident, Range<usize>)> = ops
        .map(|item| {
            // Locations of two items of one name would be mixed up; the verifier reports the names.
            let twin = parsed_texts.entry(item.name).or_default();
            let name = match *twin {
                0 => item.name,
                n => Ident::of(&format!("{}#{n}", item.name)),
            };
            *twin += 1;
            (name, item.range.clone())
        })
        .collect();
    let read = |_: &mut (), at: usize| {
        let (name, range) = ops[at].clone();
        let origin = TextOrigin { source, base: range.start as u32 };
        let mut found = Vec::new();
        let items = parse_item(registry, &text[range], origin, &aliases, name, options, &mut found);
        (origin.base, items, found)
    };
    for (base, items, mut found) in options.threads.in_order(ops.len(), || (), read) {
        for parsed in items {
            map.insert(parsed.item, source, base, parsed.spans);
            module.bodies.extend(parsed.body);
        }
        diagnostics.append(&mut found);
    }
    // Where the definition is wrong, its uses say nothing more.
    diagnostics.retain(|d| d.code != BROKEN_ALIAS);
    diagnostics.sort_by_key(|d| d.primary.map(|span| (span.start, span.end)));
    (module, map, diagnostics)
}

/// Reads the ops of one item's text. Each becomes a body of its own unless they share values.
pub fn parse_item(
    registry: &Registry,
    text: &str,
    origin: TextOrigin,
    aliases: &AliasTable,
    item: Ident,
    options: ParseOptions,
    diagnostics: &mut Vec<Diagnostic>,
) -> Vec<ParsedItem> {
    let mut items = Vec::new();
    let mut from = 0;
    let mut name = item;
    loop {
        let mut parser = OpParser::new(registry, text, origin, aliases, name, options);
        parser.reset_to(from);
        if from == 0 {
            // Most items are one op.
            parser.body.make_room(text);
        }
        let shares_values = parser.tok.kind == Tok::Percent;
        let mut failed = None;
        loop {
            let block = parser.body.top_block();
            if let Err(error) = parser.operation(block) {
                failed = Some(error);
                break;
            }
            if parser.at_end() || !shares_values {
                break;
            }
        }
        if failed.is_none() {
            parser.finish();
        }
        let more = failed.is_none() && !parser.at_end();
        from = parser.offset();
        let errors = std::mem::take(&mut parser.errors);
        let ok = failed.is_none() && errors.is_empty();
        diagnostics.extend(errors.into_iter().chain(failed).map(|e| e.into_diagnostic()));
        let mut body = ok.then_some(parser.body);
        if let Some(body) = &mut body {
            body.order_uses();
            body.trim();
        }
        let (spans, args) = (parser.spans.into(), parser.args.into());
        items.push(ParsedItem { item: name, body, spans, args });
        if !more {
            return items;
        }
        name = Ident::of(&format!("{item}#{}", items.len()));
    }
}

fn module_header(
    registry: &Registry,
    source: SourceId,
    text: &str,
    aliases: &AliasTable,
    frame: &ModuleFrame,
    module: &mut Module,
) -> ParseResult<()> {
    let parser = |range: std::ops::Range<usize>| {
        let origin = TextOrigin { source, base: range.start as u32 };
        AsmParser::new(registry, &text[range], origin, aliases)
    };
    let mut attrs: Vec<(Ident, Attr)> = Vec::new();
    let mut head = parser(frame.head.clone());
    head.advance();
    let mut tail = parser(frame.tail.clone());
    if frame.generic {
        head.expect("(")?;
        head.expect(")")?;
        if head.eat("<") {
            attrs.extend(head.dict_entries()?);
            head.expect(">")?;
        }
        head.expect("(")?;
        tail.expect(")")?;
        if tail.at("{") {
            attrs.extend(tail.dict_entries()?);
        }
        tail.expect(":")?;
        tail.function_type()?;
    } else {
        if let Some(name) = head.eat_symbol_name() {
            module.name = Some(name);
        }
        if head.eat("attributes") {
            attrs.extend(head.dict_entries()?);
        }
    }
    if !head.at_end() {
        return Err(head.expected("the region of the module"));
    }
    if tail.at("loc") {
        module.loc = Some(tail.location()?);
    }
    if !tail.at_end() {
        return Err(tail.expected("the end of the text"));
    }
    attrs.retain(|&(name, attr)| {
        if name.as_str() != "sym_name" {
            return true;
        }
        module.name = attr.as_str().map(Ident::of).or(module.name);
        false
    });
    module.attrs = Attr::dict(attrs);
    Ok(())
}

/// Reads the alias definitions and the metadata among items. Those that use others may stand before them.
pub fn parse_aliases(
    registry: &Registry,
    source: SourceId,
    text: &str,
    items: impl IntoIterator<Item = Item>,
) -> (AliasTable, Vec<Diagnostic>) {
    let (metadata, definitions): (Vec<Item>, Vec<Item>) = items
        .into_iter()
        .filter(|item| item.kind != ItemKind::Op)
        .partition(|item| item.kind == ItemKind::Metadata);
    let mut diagnostics = Vec::new();
    let mut table = AliasTable::new();
    for item in metadata {
        let origin = TextOrigin { source, base: item.range.start as u32 };
        let aliases = AliasTable::new();
        let mut parser = AsmParser::new(registry, &text[item.range], origin, &aliases);
        let read = parser.metadata(&mut table).and_then(|()| match parser.at_end() {
            true => Ok(()),
            false => Err(parser.expected("the end of the metadata")),
        });
        diagnostics.extend(read.err().map(|error| error.into_diagnostic()));
    }
    let mut by_name: FxHashMap<(ItemKind, Ident), usize> = FxHashMap::default();
    for (index, item) in definitions.iter().enumerate() {
        if by_name.insert((item.kind, item.name), index).is_some() {
            let origin = TextOrigin { source, base: item.range.start as u32 };
            let aliases = AliasTable::new();
            let parser = AsmParser::new(registry, &text[item.range.clone()], origin, &aliases);
            let message = format!("alias `{}` is defined already", parser.token_text());
            diagnostics.push(parser.error(message).into_diagnostic());
        }
    }
    for index in definition_order(text, &definitions, &by_name) {
        let item = &definitions[index];
        let piece = &text[item.range.clone()];
        let origin = TextOrigin { source, base: item.range.start as u32 };
        let mut parser = AsmParser::new(registry, piece, origin, &table);
        parser.advance();
        parser.advance();
        let parsed = match item.kind {
            ItemKind::TypeAlias => parser.ty().map(Attr::ty),
            _ => parser.attr(),
        };
        let parsed = parsed.and_then(|attr| match parser.at_end() {
            true => Ok(attr),
            false => Err(parser.expected("the end of the alias definition")),
        });
        match parsed {
            Ok(attr) => match (item.kind, attr.as_type()) {
                (ItemKind::TypeAlias, Some(ty)) => table.insert_type(item.name.as_str(), ty),
                _ => table.insert_attr(item.name.as_str(), attr),
            },
            Err(error) => {
                let sigil = if item.kind == ItemKind::TypeAlias { "!" } else { "#" };
                table.insert_broken(&format!("{sigil}{}", item.name));
                diagnostics.push(error.into_diagnostic());
            }
        }
    }
    (table, diagnostics)
}

/// The definitions in an order in which each comes after those that it uses; within a cycle in
/// order of text, so that the use of the later one is an error.
fn definition_order(
    text: &str,
    definitions: &[Item],
    by_name: &FxHashMap<(ItemKind, Ident), usize>,
) -> Vec<usize> {
    let uses = |index: usize| -> Vec<usize> {
        let range = &definitions[index].range;
        let bytes = &text.as_bytes()[..range.end];
        let mut found = Vec::new();
        let mut token = next_token(bytes, next_token(bytes, range.start).end);
        while token.kind != Tok::Eof {
            let kind = match token.kind {
                Tok::Hash => Some(ItemKind::AttrAlias),
                Tok::Bang => Some(ItemKind::TypeAlias),
                _ => None,
            };
            if let Some(kind) = kind {
                let name = text.get(token.start + 1..token.end).unwrap_or("");
                if !name.contains('.') {
                    found.extend(by_name.get(&(kind, Ident::of(name))).copied());
                }
            }
            token = next_token(bytes, token.end);
        }
        found
    };
    let mut order = Vec::with_capacity(definitions.len());
    let mut state = vec![0u8; definitions.len()];
    for root in 0..definitions.len() {
        let mut stack = vec![root];
        while let Some(&at) = stack.last() {
            if state[at] == 0 {
                state[at] = 1;
                stack.extend(uses(at).into_iter().filter(|&next| state[next] == 0));
            } else {
                stack.pop();
                if state[at] == 1 {
                    state[at] = 2;
                    order.push(at);
                }
            }
        }
    }
    order
}
