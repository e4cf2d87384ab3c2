//! A tiny pretty printer: nested lists that stand on one line when they fit.

/// A piece of Rust text.
#[derive(Clone, Debug)]
pub(crate) enum Doc {
    /// Text without line breaks.
    Text(String),
    /// `open item, item close`; each item on its own line when they don't fit on one.
    List { open: String, items: Vec<Doc>, close: &'static str },
    /// Text right before a document.
    Prefixed(String, Box<Doc>),
    /// A comment on a line of its own before a document.
    Commented(String, Box<Doc>),
    /// A constant that is likely to be written more than once, with a name to call it by.
    Shared(String, Box<Doc>),
}

/// Lines are kept within this width where that is possible.
const WIDTH: usize = 100;

impl Doc {
    pub(crate) fn text(text: impl Into<String>) -> Doc {
        Doc::Text(text.into())
    }

    pub(crate) fn list(open: impl Into<String>, items: Vec<Doc>, close: &'static str) -> Doc {
        Doc::List { open: open.into(), items, close }
    }

    pub(crate) fn prefixed(prefix: impl Into<String>, doc: Doc) -> Doc {
        Doc::Prefixed(prefix.into(), Box::new(doc))
    }

    /// Writes the document; the cursor stands in column `column` of a line indented by `indent`.
    pub(crate) fn write(&self, out: &mut String, indent: usize, column: usize) {
        let mut flat = String::new();
        if self.flat(&mut flat, WIDTH.saturating_sub(column)) {
            out.push_str(&flat);
            return;
        }
        match self {
            Doc::Text(text) => out.push_str(text),
            Doc::Prefixed(prefix, doc) => {
                out.push_str(prefix);
                doc.write(out, indent, column + prefix.len());
            }
            Doc::Shared(_, doc) => doc.write(out, indent, column),
            Doc::Commented(comment, doc) => {
                out.push_str(&format!("// {comment}\n{}", " ".repeat(indent)));
                doc.write(out, indent, indent);
            }
            Doc::List { open, items, close } => {
                out.push_str(open.trim_end());
                for item in items {
                    out.push_str(&format!("\n{}", " ".repeat(indent + 4)));
                    item.write(out, indent + 4, indent + 4);
                    out.push(',');
                }
                out.push_str(&format!("\n{}{}", " ".repeat(indent), close.trim_start()));
            }
        }
    }

    /// Writes on one line; false when that takes more than `room`.
    fn flat(&self, out: &mut String, room: usize) -> bool {
        match self {
            Doc::Text(text) => out.push_str(text),
            Doc::Prefixed(prefix, doc) => {
                out.push_str(prefix);
                return doc.flat(out, room);
            }
            Doc::Commented(..) => return false,
            Doc::Shared(_, doc) => return doc.flat(out, room),
            Doc::List { open, items, close } => {
                out.push_str(open);
                for (at, item) in items.iter().enumerate() {
                    if at > 0 {
                        out.push_str(", ");
                    }
                    if out.len() > room || !item.flat(out, room) {
                        return false;
                    }
                }
                out.push_str(close);
            }
        }
        out.len() < room
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn breaks_only_what_does_not_fit() {
        let words = |n: usize| (0..n).map(|i| Doc::text(format!("word{i}"))).collect::<Vec<_>>();
        let doc = Doc::list(
            "S { ",
            vec![
                Doc::prefixed("a: ", Doc::list("&[", words(3), "]")),
                Doc::prefixed("b: ", Doc::list("&[", words(14), "]")),
            ],
            " }",
        );
        let mut out = String::new();
        doc.write(&mut out, 0, 0);
        let lines: Vec<&str> = out.lines().collect();
        assert_eq!(lines[0], "S {");
        assert_eq!(lines[1], "    a: &[word0, word1, word2],");
        assert_eq!(lines[2], "    b: &[");
        assert_eq!(lines[3], "        word0,");
        assert_eq!(lines.last(), Some(&"}"));
    }
}
