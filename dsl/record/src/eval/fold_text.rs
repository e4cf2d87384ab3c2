//! Folding of the operators on strings and lists.

use tegula_syntax::BangOp;

use super::Eval;
use super::resolve::Cur;
use super::store::{Init, Node, TyId, TyNode, ty};

/// How long lists and strings may become: evaluation has no other bound on memory, and two
/// concatenations a class double it. What would be longer is its own beginning from there on: left
/// as a term, it would grow all the same where it is used.
const MAX_LENGTH: usize = 1 << 22;

impl Eval {
    pub(crate) fn fold_string(
        &mut self,
        op: BangOp,
        args: &[Init],
        cur: Option<Cur>,
    ) -> Option<Init> {
        match (op, args) {
            (BangOp::StrConcat, [a, b]) => {
                let is_code = |ev: &Self, init| matches!(ev.s.node(init), Node::Code(_));
                let code = is_code(self, *a) || is_code(self, *b);
                let begin = *a;
                let (a, b) = (self.s.str_of(*a)?, self.s.str_of(*b)?);
                let length = self.s.text(a).len() + self.s.text(b).len();
                if length > MAX_LENGTH {
                    let message = format!("a string of {length} bytes is too long");
                    return self.fail("string-size", message, cur).or(Some(begin));
                }
                let joined = format!("{}{}", self.s.text(a), self.s.text(b));
                let sym = self.s.sym(&joined);
                Some(self.s.add(if code { Node::Code(sym) } else { Node::Str(sym) }))
            }
            (BangOp::ToLower, [text]) => {
                let text = self.s.str_of(*text)?;
                let lower = self.s.text(text).to_ascii_lowercase();
                Some(self.s.str(&lower))
            }
            (BangOp::ToUpper, [text]) => {
                let text = self.s.str_of(*text)?;
                let upper = self.s.text(text).to_ascii_uppercase();
                Some(self.s.str(&upper))
            }
            (BangOp::Substr, [text, start, length]) => {
                let text = self.s.str_of(*text)?;
                let (start, length) = (self.as_int(*start)?, self.as_int(*length)?);
                let text = self.s.text(text).clone();
                let from = usize::try_from(start).ok().filter(|start| *start <= text.len());
                let Some(from) = from else {
                    let message = format!(
                        "!substr start position is out of range 0...{}: {start}",
                        text.len()
                    );
                    return self.fail("substr", message, cur);
                };
                let Ok(length) = usize::try_from(length) else {
                    let message = format!("`!substr` has the negative length {length}");
                    return self.fail("substr", message, cur);
                };
                let to = from.saturating_add(length).min(text.len());
                let bytes = text.as_bytes().get(from..to).unwrap_or(&[]);
                let part = String::from_utf8_lossy(bytes);
                Some(self.s.str(&part))
            }
            (BangOp::Find, [text, part, start]) => {
                let (text, part) = (self.s.str_of(*text)?, self.s.str_of(*part)?);
                let start = self.as_int(*start)?;
                let text = self.s.text(text).clone();
                let from = usize::try_from(start).ok().filter(|start| *start <= text.len());
                let Some(from) = from else {
                    let message =
                        format!("!find start position is out of range 0...{}: {start}", text.len());
                    return self.fail("find", message, cur);
                };
                let from = text.ceil_char_boundary(from);
                let part = self.s.text(part);
                let found = text.get(from..).and_then(|rest| rest.find(&**part));
                Some(self.s.int(found.map_or(-1, |at| (from + at) as i64)))
            }
            (BangOp::Interleave, [list, separator]) => {
                let separator = self.s.str_of(*separator)?;
                let Node::List(items, _) = self.s.node(*list).clone() else { return None };
                let mut joined = String::new();
                // TableGen does not ask the first element whether it is code.
                let code = items.iter().skip(1).any(|i| matches!(self.s.node(*i), Node::Code(_)));
                for (index, item) in items.iter().enumerate() {
                    if index > 0 {
                        joined.push_str(self.s.text(separator));
                    }
                    match self.s.str_of(*item) {
                        Some(text) => joined.push_str(self.s.text(text)),
                        None => joined.push_str(&self.as_int(*item)?.to_string()),
                    }
                }
                let sym = self.s.sym(&joined);
                Some(self.s.add(if code { Node::Code(sym) } else { Node::Str(sym) }))
            }
            (BangOp::Match, [text, pattern]) => {
                let (text, pattern) = (self.s.str_of(*text)?, self.s.str_of(*pattern)?);
                let (text, pattern) = (self.s.text(text).clone(), self.s.text(pattern).clone());
                let holds = self.regex(&pattern, cur)?.is_match(&text);
                Some(self.s.bit(holds))
            }
            _ => None,
        }
    }

    /// A regular expression; an error is reported when it is none.
    pub(crate) fn regex(&mut self, pattern: &str, cur: Option<Cur>) -> Option<regex_lite::Regex> {
        match regex_lite::Regex::new(pattern) {
            Ok(regex) => Some(regex),
            Err(error) => {
                let message = format!("`{pattern}` is no regular expression: {error}");
                self.fail("regex", message, cur)
            }
        }
    }

    pub(crate) fn fold_list(
        &mut self,
        op: BangOp,
        args: &[Init],
        of: TyId,
        cur: Option<Cur>,
    ) -> Option<Init> {
        match (op, args) {
            (BangOp::Size | BangOp::Empty, [value]) => {
                let size = match self.s.node(*value) {
                    Node::List(items, _) => items.len(),
                    Node::Dag(dag) => dag.args.len(),
                    Node::Str(text) | Node::Code(text) => self.s.text(*text).len(),
                    _ => return None,
                };
                let value = if op == BangOp::Size { size as i64 } else { i64::from(size == 0) };
                Some(self.s.int(value))
            }
            (BangOp::Head, [list]) => {
                let Node::List(items, _) = self.s.node(*list) else { return None };
                match items.first() {
                    Some(item) => Some(*item),
                    None => self.fail("empty-list", "`!head` of an empty list".to_owned(), cur),
                }
            }
            (BangOp::Tail, [list]) => {
                let Node::List(items, element) = self.s.node(*list).clone() else { return None };
                match items.get(1..) {
                    Some(rest) => Some(self.s.list(rest.to_vec(), element)),
                    None => self.fail("empty-list", "`!tail` of an empty list".to_owned(), cur),
                }
            }
            (BangOp::ListConcat, [a, b]) => {
                let Node::List(first, element) = self.s.node(*a).clone() else { return None };
                let Node::List(second, _) = self.s.node(*b).clone() else { return None };
                let length = first.len() + second.len();
                if length > MAX_LENGTH {
                    let message = format!("a list of {length} elements is too long");
                    return self.fail("list-size", message, cur).or(Some(*a));
                }
                let items = first.iter().chain(second.iter()).copied().collect();
                Some(self.s.list(items, element))
            }
            (BangOp::ListFlatten, [list]) => {
                let Node::List(items, element) = self.s.node(*list).clone() else { return None };
                let Some(inner) = self.element_ty(element) else { return Some(*list) };
                let mut flat = Vec::new();
                for item in items.iter() {
                    let Node::List(items, _) = self.s.node(*item) else { return None };
                    flat.extend(items.iter().copied());
                }
                Some(self.s.list(flat, inner))
            }
            (BangOp::ListRemove, [a, b]) => {
                let Node::List(items, element) = self.s.node(*a).clone() else { return None };
                let Node::List(removed, _) = self.s.node(*b).clone() else { return None };
                let removed: Vec<Init> = removed.iter().map(|item| self.s.canon(*item)).collect();
                let kept = items.iter().filter(|item| !removed.contains(&self.s.canon(**item)));
                let kept = kept.copied().collect();
                Some(self.s.list(kept, element))
            }
            (BangOp::ListSplat, [value, count]) => {
                let count = self.as_int(*count)?;
                let Some(count) = usize::try_from(count).ok().filter(|count| *count <= MAX_LENGTH)
                else {
                    let message = format!("`!listsplat` can't make a list of {count} elements");
                    return self.fail("list-size", message, cur);
                };
                let element = self.element_ty(of)?;
                Some(self.s.list(vec![*value; count], element))
            }
            // `first...last`, both ends included, up or down.
            (BangOp::Range, [first, last]) => {
                let (first, last) = (self.as_int(*first)?, self.as_int(*last)?);
                if first.abs_diff(last) > MAX_LENGTH as u64 {
                    return self.fail("list-size", "this range is too long".to_owned(), cur);
                }
                let items: Vec<Init> = if first <= last {
                    (first..=last).map(|at| self.s.int(at)).collect()
                } else {
                    (last..=first).rev().map(|at| self.s.int(at)).collect()
                };
                Some(self.s.list(items, ty::INT))
            }
            (BangOp::Range, [start, end, step]) => {
                let (start, end) = (self.as_int(*start)?, self.as_int(*end)?);
                let step = self.as_int(*step)?;
                let count = match step {
                    0 => return self.fail("range", "`!range` has step 0".to_owned(), cur),
                    1.. if start < end => {
                        (i128::from(end) - i128::from(start) - 1) / i128::from(step) + 1
                    }
                    ..0 if start > end => {
                        (i128::from(start) - i128::from(end) - 1) / -i128::from(step) + 1
                    }
                    _ => 0,
                };
                if count > MAX_LENGTH as i128 {
                    let message = format!("`!range` can't make a list of {count} elements");
                    return self.fail("list-size", message, cur);
                }
                let items = (0..count as i64).map(|at| self.s.int(start + at * step)).collect();
                Some(self.s.list(items, ty::INT))
            }
            _ => None,
        }
    }

    /// The type of a list's elements that a list type or term has.
    pub(crate) fn is_list(&self, of: TyId) -> bool {
        matches!(self.s.ty_node(of), TyNode::List(_))
    }
}
