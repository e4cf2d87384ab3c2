//! The blanks that a format program writes. They are decided by the program alone, not by which
//! of its optional parts are written: an element that is skipped still moves the state.

/// What the next element has to know of those before it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Spacing {
    /// A blank is due before the next element.
    pub(crate) space: bool,
    /// The last element was punctuation.
    pub(crate) punctuation: bool,
}

impl Spacing {
    /// The state after an op's name.
    pub(crate) fn new() -> Spacing {
        Spacing { space: true, punctuation: false }
    }

    /// A keyword or punctuation.
    pub(crate) fn literal(&mut self, out: &mut String, text: &str, emit: bool) {
        let first = text.chars().next().unwrap_or(' ');
        if emit {
            if self.space && self.blank_before(text, first) {
                out.push(' ');
            }
            out.push_str(text);
        }
        self.space = text.len() != 1 || !"<({[".contains(first);
        self.punctuation = first != '_' && !first.is_ascii_alphabetic();
    }

    fn blank_before(&self, text: &str, first: char) -> bool {
        if text.len() != 1 && text != "->" {
            return true;
        }
        let clinging = if self.punctuation { ">)}]," } else { "<>(){}[]," };
        !clinging.contains(first)
    }

    /// Explicit white space; empty text takes the blank away.
    pub(crate) fn whitespace(&mut self, out: &mut String, text: &str, emit: bool) {
        if text != "\n" {
            self.punctuation = text.is_empty();
            self.space = false;
        }
        if emit {
            out.push_str(text);
        }
    }

    /// Anything but a literal.
    pub(crate) fn before_element(&mut self, out: &mut String, emit: bool) {
        if emit && (self.space || !self.punctuation) {
            out.push(' ');
        }
        self.space = true;
        self.punctuation = false;
    }

    /// An attribute dictionary, which writes its own blank.
    pub(crate) fn after_dict(&mut self) {
        self.punctuation = false;
    }
}
