//! A text into items, by tokens and brackets alone.
//!
//! An item begins with the first token of a line, outside of all brackets, that can begin an op or
//! an alias definition, and reaches to the next. A text whose only op is a module is split inside
//! of it. No syntax is checked here: whatever the text, its items cover it.

use std::ops::Range;

use super::lexer::{LINE_ENDS, Tok, Token, next_bracket, next_token};
use crate::Ident;

/// So often a text whose brackets do not close is scanned again.
const MAX_RESUMPTIONS: usize = 64;

/// The line between modules that stand in one text, as `--split-input-file` has it by default.
pub const MARKER: &str = "// -----";

/// The modules of a text that stand between lines of nothing but a marker.
pub fn modules(text: &str, marker: &str) -> Vec<Range<usize>> {
    let mut modules = Vec::new();
    let (mut start, mut at) = (0, 0);
    for line in text.split_inclusive('\n') {
        let next = at + line.len();
        if line.trim() == marker {
            modules.push(start..at);
            start = next;
        }
        at = next;
    }
    modules.push(start..text.len());
    modules
}

/// What an item is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ItemKind {
    /// `#name = …`
    AttrAlias,
    /// `!name = …`
    TypeAlias,
    /// A top-level op, or several that share values.
    Op,
    /// `{-# … #-}`
    Metadata,
}

/// A piece of a text.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Item {
    /// What it is.
    pub kind: ItemKind,
    /// The alias's name without its sigil, the symbol that the op defines, or a made-up name of an
    /// anonymous op (`util.initializer#0`).
    pub name: Ident,
    /// The bytes of the text.
    pub range: Range<usize>,
}

/// The text around the items of an explicit module.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ModuleFrame {
    /// From the op's name to before the opening brace of its region.
    pub head: Range<usize>,
    /// From after the closing brace to the end of the op.
    pub tail: Range<usize>,
    /// It is written in generic form.
    pub generic: bool,
}

/// A text cut into items.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Split {
    /// The items in order.
    pub items: Vec<Item>,
    /// The module that the text spells; without it the module is implicit.
    pub module: Option<ModuleFrame>,
    /// All brackets are opened and closed.
    pub closed: bool,
}

/// Cuts a text into items.
pub fn split(text: &str) -> Split {
    in_module(text).unwrap_or_else(|| by_brackets(text))
}

/// The items of a text whose only op is a module and whose brackets close, in one scan.
fn in_module(text: &str) -> Option<Split> {
    let bytes = text.as_bytes();
    let mut around = Scan::new(text, 0..text.len());
    around.run(Stop::Op);
    let start = around.token.start;
    let (open, generic) = module_begin(text, start)?;
    around.run(Stop::At(open.start));
    let inside = Scan::inside(text, open, generic);
    let mut inner = Scan::new(text, inside..text.len());
    inner.run(Stop::Close);
    let close = inner.token;
    if close.kind != Tok::RBrace || !inner.is_closed() {
        return None;
    }
    around.previous = close;
    around.token = next_token(bytes, close.end);
    around.run(Stop::End);
    if !around.is_closed() {
        return None;
    }
    let mut items = Splitter::new(text).items_of(&around, text.len());
    let mut ops = items.iter().enumerate().filter(|(_, item)| item.kind == ItemKind::Op);
    let (at, None) = (ops.next()?.0, ops.next()) else { return None };
    let module = items.remove(at).range;
    items.append(&mut Splitter::new(text).items_of(&inner, close.start));
    let frame = ModuleFrame { head: start..open.start, tail: close.end..module.end, generic };
    Some(Split { items, module: Some(frame), closed: true })
}

/// The items of any text: brackets that do not close end with the item that they are in.
fn by_brackets(text: &str) -> Split {
    let mut splitter = Splitter::new(text);
    let mut closed = splitter.scan(0..text.len(), None).closed;
    let mut ops = splitter.items.iter().enumerate().filter(|(_, i)| i.kind == ItemKind::Op);
    let frame = match (ops.next(), ops.next()) {
        (Some((at, only)), None) => {
            module_frame(text, only.range.clone()).map(|(frame, inside)| (at, frame, inside))
        }
        _ => None,
    };
    let Some((at, frame, inside)) = frame else {
        return Split { items: splitter.items, module: None, closed };
    };
    let mut outside = std::mem::take(&mut splitter.items);
    outside.remove(at);
    splitter.anonymous.clear();
    closed &= splitter.scan(inside, None).closed;
    outside.append(&mut splitter.items);
    Split { items: outside, module: Some(frame), closed }
}

/// How a scan ends.
pub(super) struct End {
    /// All brackets are opened and closed.
    pub(super) closed: bool,
    /// It ends between two items that share no values, or at the end of the text.
    pub(super) between: bool,
}

pub(super) struct Splitter<'t> {
    text: &'t str,
    pub(super) items: Vec<Item>,
    /// How many anonymous ops of each name there are so far.
    anonymous: rustc_hash::FxHashMap<&'t str, usize>,
}

impl<'t> Splitter<'t> {
    pub(super) fn new(text: &'t str) -> Splitter<'t> {
        Splitter { text, items: Vec::new(), anonymous: Default::default() }
    }

    fn slice(&self, token: Token) -> &'t str {
        self.text.get(token.start..token.end).unwrap_or("")
    }

    /// Cuts a part of the text that begins with an item, or with what comes before the first, until
    /// a token begins at `stop` or behind it.
    pub(super) fn scan(&mut self, range: Range<usize>, stop: Option<usize>) -> End {
        let end = stop.unwrap_or(range.end);
        let mut scan = Scan::new(self.text, range);
        let between = scan.run(stop.map_or(Stop::End, Stop::At));
        let items = self.items_of(&scan, end);
        self.items.extend(items);
        End { closed: scan.is_closed(), between: between && scan.resumptions == 0 }
    }

    /// The items that a scan found, the last of which reaches to `end`.
    fn items_of(&mut self, scan: &Scan<'_>, end: usize) -> Vec<Item> {
        let ends = scan.starts.iter().skip(1).map(|&(next, _)| next).chain([end]);
        let items = scan.starts.iter().zip(ends).map(|(&(start, kind), end)| {
            let trimmed = self.text[start..end].trim_end().len();
            let range = start..start + trimmed;
            Item { kind, name: self.name(kind, range.clone()), range }
        });
        items.collect()
    }

    fn name(&mut self, kind: ItemKind, range: Range<usize>) -> Ident {
        let bytes = &self.text.as_bytes()[..range.end];
        let first = next_token(bytes, range.start);
        match kind {
            ItemKind::AttrAlias | ItemKind::TypeAlias => {
                return Ident::of(self.slice(first).get(1..).unwrap_or(""));
            }
            ItemKind::Metadata => return Ident::of("{-#"),
            ItemKind::Op => {}
        }
        // The symbol stands among the first words, before anything in brackets; in generic form it
        // is the `sym_name` of the properties.
        let mut token = next_token(bytes, first.end);
        let generic = first.kind == Tok::Str;
        let mut found = None;
        for _ in 0..if generic { 256 } else { 4 } {
            match token.kind {
                Tok::At if !generic => {
                    let name = self.slice(token);
                    let name = name.strip_prefix('@').unwrap_or(name);
                    found = Some(match name.starts_with('"') {
                        true => Ident::of(&String::from_utf8_lossy(&super::lexer::unescape(
                            name.as_bytes(),
                        ))),
                        false => Ident::of(name),
                    });
                    break;
                }
                Tok::Bare if generic && self.slice(token) == "sym_name" => {
                    let equal = next_token(bytes, token.end);
                    let value = next_token(bytes, equal.end);
                    if value.kind == Tok::Str {
                        let name = super::lexer::unescape(self.slice(value).as_bytes());
                        found = Some(Ident::of(&String::from_utf8_lossy(&name)));
                    }
                    break;
                }
                Tok::Bare => {}
                _ if generic && token.kind != Tok::Eof && !self.opens_region(token) => {}
                _ => break,
            }
            token = next_token(bytes, token.end);
        }
        if let Some(found) = found {
            return found;
        }
        let op = self.slice(first).trim_matches('"');
        let count = self.anonymous.entry(op).or_default();
        *count += 1;
        Ident::of(&format!("{op}#{}", *count - 1))
    }

    fn opens_region(&self, token: Token) -> bool {
        token.kind == Tok::LParen && next_token(self.text.as_bytes(), token.end).kind == Tok::LBrace
    }
}

/// Where a scan stops.
#[derive(Clone, Copy)]
enum Stop {
    /// At the end of the text.
    End,
    /// At a token that begins at an offset or behind it.
    At(usize),
    /// At the first op, or at the end.
    Op,
    /// At a brace that closes nothing, or at the end.
    Close,
}

/// A scan for the begins of items.
struct Scan<'t> {
    text: &'t str,
    starts: Vec<(usize, ItemKind)>,
    depth: usize,
    /// Braces alone count where a module is looked for.
    braces: usize,
    opened: bool,
    previous: Token,
    token: Token,
    /// From the first named result on, values may be shared by all that follows.
    values: bool,
    resumed: usize,
    resumptions: usize,
}

impl<'t> Scan<'t> {
    fn new(text: &'t str, range: Range<usize>) -> Scan<'t> {
        let text = &text[..range.end];
        Scan {
            text,
            starts: Vec::new(),
            depth: 0,
            braces: 0,
            opened: true,
            previous: Token { kind: Tok::Eof, start: range.start, end: range.start },
            token: next_token(text.as_bytes(), range.start),
            values: false,
            resumed: range.start,
            resumptions: 0,
        }
    }

    /// Where the items of a module begin whose region opens with a brace. In generic form the
    /// entry block may have a label, which says nothing.
    fn inside(text: &str, open: Token, generic: bool) -> usize {
        let label = next_token(text.as_bytes(), open.end);
        let colon = next_token(text.as_bytes(), label.end);
        match generic && label.kind == Tok::Caret && colon.kind == Tok::Colon {
            true => colon.end,
            false => open.end,
        }
    }

    /// Whether all brackets are opened and closed.
    fn is_closed(&self) -> bool {
        self.opened && self.depth == 0 && self.braces == 0 && self.resumptions == 0
    }

    /// Goes on to where it stops; whether that is between two items that share no values, or at the
    /// end of the text.
    fn run(&mut self, stop: Stop) -> bool {
        let bytes = self.text.as_bytes();
        loop {
            let token = self.token;
            match stop {
                Stop::At(stop) if token.start >= stop => {
                    let line = ends_line(&bytes[self.previous.end..token.start]);
                    return stop == token.start && self.depth == 0 && !self.values && line;
                }
                Stop::Close if token.kind == Tok::RBrace && self.depth == 0 => return false,
                Stop::Close | Stop::Op if token.kind == Tok::Eof => return false,
                _ => {}
            }
            if token.kind == Tok::Eof {
                // Brackets that are never closed would hide all that follows: go on after the
                // next line that looks like the begin of an item and is not indented further.
                let opened = self.starts.last().map(|&(start, _)| start.max(self.resumed));
                let opened =
                    opened.filter(|_| self.depth > 0 && self.resumptions < MAX_RESUMPTIONS);
                match opened.and_then(|at| self.next_begin(at)) {
                    Some(at) => {
                        (self.depth, self.resumed) = (0, at);
                        self.resumptions += 1;
                        self.previous = Token { kind: Tok::Eof, start: at, end: at };
                        self.token = next_token(bytes, at);
                        continue;
                    }
                    None => return matches!(stop, Stop::End),
                }
            }
            if self.depth == 0 {
                let begins = self.begins();
                if begins == Some(ItemKind::Op) && matches!(stop, Stop::Op) {
                    return true;
                }
                self.begin(begins);
            }
            self.count(token.kind);
            self.previous = token;
            // In brackets only brackets count.
            while self.depth > 0 {
                self.token = next_bracket(bytes, self.previous.end);
                if self.token.kind == Tok::Eof || matches!(stop, Stop::At(_)) {
                    break;
                }
                self.count(self.token.kind);
                self.previous = self.token;
            }
            if self.depth == 0 {
                self.token = next_token(bytes, self.previous.end);
            }
        }
    }

    /// Counts a bracket.
    #[inline]
    fn count(&mut self, kind: Tok) {
        match kind {
            Tok::LBrace => self.braces += 1,
            Tok::RBrace => {
                self.opened &= self.braces > 0;
                self.braces = self.braces.saturating_sub(1);
            }
            _ => {}
        }
        match kind {
            Tok::LBrace | Tok::LParen | Tok::LSquare | Tok::MetaBegin => self.depth += 1,
            Tok::RBrace | Tok::RParen | Tok::RSquare | Tok::MetaEnd => {
                self.opened &= self.depth > 0;
                self.depth = self.depth.saturating_sub(1);
            }
            _ => {}
        }
    }

    /// The kind of the item that the token, outside of all brackets, begins.
    fn begins(&self) -> Option<ItemKind> {
        let bytes = self.text.as_bytes();
        let (token, previous) = (self.token, self.previous);
        let next = next_token(bytes, token.end);
        let first = previous.kind == Tok::Eof || ends_line(&bytes[previous.end..token.start]);
        match token.kind {
            Tok::Hash if next.kind == Tok::Equal && first => Some(ItemKind::AttrAlias),
            Tok::Bang if next.kind == Tok::Equal && first => Some(ItemKind::TypeAlias),
            Tok::MetaBegin => Some(ItemKind::Metadata),
            Tok::Bare if first || previous.kind == Tok::RBrace => {
                let word = &self.text[token.start..token.end];
                (word.contains('.') || word == "module").then_some(ItemKind::Op)
            }
            Tok::Str if first && next.kind == Tok::LParen => Some(ItemKind::Op),
            Tok::Percent if first => Some(ItemKind::Op),
            _ => None,
        }
    }

    fn begin(&mut self, kind: Option<ItemKind>) {
        let token = self.token;
        if let Some(kind) = kind
            && !(self.values && kind == ItemKind::Op)
        {
            self.starts.push((token.start, kind));
            self.values |= token.kind == Tok::Percent;
        } else if self.starts.is_empty() {
            // What can begin no item still has to be reported.
            self.starts.push((token.start, ItemKind::Op));
        }
    }

    /// The next line after `start` that begins like an item, with the indentation of `start`.
    fn next_begin(&self, start: usize) -> Option<usize> {
        let bytes = self.text.as_bytes();
        let indent = start - bytes[..start].iter().rposition(|&c| c == b'\n').map_or(0, |n| n + 1);
        let mut at = start;
        loop {
            at += bytes[at..].iter().position(|&c| c == b'\n')? + 1;
            let blanks = bytes[at..].iter().take_while(|&&c| c == b' ').count();
            let token = next_token(bytes, at);
            if blanks != indent || token.start != at + blanks {
                continue;
            }
            let next = next_token(bytes, token.end);
            let begins = match token.kind {
                Tok::Hash | Tok::Bang => next.kind == Tok::Equal,
                Tok::Bare => self.text[token.start..token.end].contains('.'),
                Tok::Str => next.kind == Tok::LParen,
                _ => false,
            };
            if begins {
                return Some(token.start);
            }
        }
    }
}

/// The brace that opens the region of the module op that begins at `start`, and whether the op is
/// in generic form; none when no module begins there.
fn module_begin(text: &str, start: usize) -> Option<(Token, bool)> {
    let bytes = text.as_bytes();
    let word = |t: Token| text.get(t.start..t.end).unwrap_or("");
    let mut token = next_token(bytes, start);
    let generic = word(token) == "\"builtin.module\"";
    if !generic && !matches!(word(token), "module" | "builtin.module") {
        return None;
    }
    if generic {
        loop {
            token = next_token(bytes, token.end);
            let after = next_token(bytes, token.end);
            match token.kind {
                Tok::Eof => return None,
                Tok::LParen if after.kind == Tok::LBrace => {
                    token = after;
                    break;
                }
                _ => {}
            }
        }
    } else {
        token = next_token(bytes, token.end);
        if token.kind == Tok::At {
            token = next_token(bytes, token.end);
        }
        if token.kind == Tok::Bare && word(token) == "attributes" {
            let open = next_token(bytes, token.end);
            let end = super::asm_parser::balanced_end(bytes, open.start)?;
            token = next_token(bytes, end);
        }
        if token.kind != Tok::LBrace {
            return None;
        }
    }
    Some((token, generic))
}

/// The frame of a module op and the range inside of its region.
fn module_frame(text: &str, range: Range<usize>) -> Option<(ModuleFrame, Range<usize>)> {
    let text = &text[..range.end];
    let bytes = text.as_bytes();
    let (mut token, generic) = module_begin(text, range.start)?;
    let inside = Scan::inside(text, token, generic);
    let head = range.start..token.start;
    let mut depth = 1usize;
    loop {
        token = next_bracket(bytes, token.end);
        match token.kind {
            Tok::Eof => return None,
            Tok::LBrace => depth += 1,
            Tok::RBrace => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            break;
        }
    }
    // A label in the wrong place is no reason to begin behind the end.
    let inside = inside.min(token.start)..token.start;
    Some((ModuleFrame { head, tail: token.end..range.end, generic }, inside))
}

/// Whether a line ends in what stands between two tokens.
fn ends_line(between: &[u8]) -> bool {
    between.iter().any(|c| LINE_ENDS.contains(c))
}
