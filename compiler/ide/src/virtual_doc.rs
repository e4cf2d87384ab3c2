//! Documents that are made from a program: the IR after a pass, the assembly text of a function.

use std::fmt;

/// Which document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum VirtualDoc {
    /// The module after a pass; where it runs several times `NAME#0` is after the first, the plain
    /// name after the last.
    IrAfter(String),
    /// The assembly text of a function.
    AssemblyOf(String),
}

impl VirtualDoc {
    /// Reads `ir-after/NAME` and `assembly-of/NAME`.
    pub fn parse(text: &str) -> Option<VirtualDoc> {
        let (kind, name) = text.split_once('/')?;
        match kind {
            "ir-after" => Some(VirtualDoc::IrAfter(name.to_owned())),
            "assembly-of" => Some(VirtualDoc::AssemblyOf(name.trim_start_matches('@').to_owned())),
            _ => None,
        }
    }
}

impl fmt::Display for VirtualDoc {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            VirtualDoc::IrAfter(pass) => write!(f, "ir-after/{pass}"),
            VirtualDoc::AssemblyOf(name) => write!(f, "assembly-of/{name}"),
        }
    }
}

/// Why there is no such document, as one sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VirtualError(pub String);

impl fmt::Display for VirtualError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::VirtualDoc;

    #[test]
    fn names() {
        let assembly = VirtualDoc::AssemblyOf("f".into());
        assert_eq!(VirtualDoc::parse("assembly-of/@f"), Some(assembly));
        let after = VirtualDoc::IrAfter("canonicalize#2".into());
        assert_eq!(after.to_string(), "ir-after/canonicalize#2");
        assert_eq!(VirtualDoc::parse("ir-after/canonicalize#2"), Some(after));
        assert_eq!(VirtualDoc::parse("ir-before/x"), None);
    }
}
