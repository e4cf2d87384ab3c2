//! A text that was edited into items, with little more work than the edit is long.

use super::lexer::next_token;
use super::split::{Item, ItemKind, Split, Splitter, split};

/// Cuts a text into items as [`split`] does, given the items of the text that it was before.
///
/// Items that stand before and behind all that differs are the same again, unless brackets or
/// values reach over from one to the next: then everything is cut anew.
pub fn resplit(before: &Split, old: &str, text: &str) -> Split {
    between(before, old, text).unwrap_or_else(|| split(text))
}

fn between(before: &Split, old: &str, text: &str) -> Option<Split> {
    let start = same_at_begin(old.as_bytes(), text.as_bytes());
    let shorter = old.len().min(text.len());
    let tail = same_at_end(old.as_bytes(), text.as_bytes()).min(shorter - start);
    let moved = |at: usize| at + text.len() - old.len();
    let behind = old.len() - tail;

    // The items of a module stand in one piece after all others.
    let frame = before.module.as_ref();
    let inside = |item: &Item| {
        frame.is_none_or(|f| f.head.end <= item.range.start && item.range.end <= f.tail.start)
    };
    let first = before.items.iter().position(inside)?;
    let (outside, items) = before.items.split_at(first);

    // Two tokens say whether an item begins; where they differ, the one before may go on.
    let begins = |item: &Item| {
        let token = next_token(old.as_bytes(), item.range.start);
        next_token(old.as_bytes(), token.end).end < start
    };
    let from = items.partition_point(|item| item.range.start < start).checked_sub(1)?;
    let from = if begins(&items[from]) { from } else { from.checked_sub(1)? };
    let to = items.partition_point(|item| item.range.start <= behind);
    // An item that lacks a bracket has taken the one that ends the module.
    let whole = before.closed && frame.is_none_or(|frame| !frame.tail.is_empty());
    let shares = |item: &Item| old.as_bytes().get(item.range.start) == Some(&b'%');
    if !whole || items[..to].iter().any(shares) {
        return None;
    }
    let stop = match items.get(to) {
        Some(item) => Some(moved(item.range.start)),
        None if frame.is_none() => None,
        None => return None,
    };
    let mut splitter = Splitter::new(text);
    let end = splitter.scan(items[from].range.start..text.len(), stop);
    let anonymous = |item: &Item| item.kind == ItemKind::Op && item.name.as_str().contains('#');
    let mut replaced = items[from..to].iter().chain(&splitter.items);
    if !end.between || !end.closed || replaced.any(anonymous) {
        return None;
    }

    let place = |item: &Item| match item.range.start < start {
        true => item.clone(),
        false => Item { range: moved(item.range.start)..moved(item.range.end), ..item.clone() },
    };
    let mut out = Split { items: outside.iter().map(place).collect(), module: None, closed: true };
    out.items.extend_from_slice(&items[..from]);
    out.items.append(&mut splitter.items);
    out.items.extend(items[to..].iter().map(place));
    out.module = frame.cloned().map(|mut frame| {
        frame.tail = moved(frame.tail.start)..moved(frame.tail.end);
        frame
    });
    // A text whose only op is a module is cut inside of it.
    let ops = out.items.iter().filter(|item| item.kind == ItemKind::Op).take(2).count();
    (frame.is_some() || ops == 2).then_some(out)
}

/// So many bytes are compared at once.
const CHUNK: usize = 64;

/// How many bytes two texts have in common at their begin.
fn same_at_begin(a: &[u8], b: &[u8]) -> usize {
    let chunks = a.chunks_exact(CHUNK).zip(b.chunks_exact(CHUNK));
    let from = CHUNK * chunks.take_while(|(a, b)| a == b).count();
    from + a[from..].iter().zip(&b[from..]).take_while(|(a, b)| a == b).count()
}

/// The same at their end.
fn same_at_end(a: &[u8], b: &[u8]) -> usize {
    let chunks = a.rchunks_exact(CHUNK).zip(b.rchunks_exact(CHUNK));
    let from = CHUNK * chunks.take_while(|(a, b)| a == b).count();
    let (a, b) = (&a[..a.len() - from], &b[..b.len() - from]);
    from + a.iter().rev().zip(b.iter().rev()).take_while(|(a, b)| a == b).count()
}
