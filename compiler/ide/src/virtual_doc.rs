//! Documents that are made from a program: the IR after a pass, the assembly text of a function.

use std::fmt;

use tegula_diag::did_you_mean;

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

/// Why no pass goes by a name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownPass {
    /// One sentence.
    pub message: String,
    /// What may have been meant.
    pub hint: Option<String>,
}

impl fmt::Display for UnknownPass {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)?;
        self.hint.iter().try_for_each(|hint| write!(f, "; {hint}"))
    }
}

/// The number of the pass of that name, among those that run in order, each with its number; of
/// one that runs several times `NAME#0` is the first run, and the plain name the last.
pub fn find_pass(passes: &[(usize, String)], wanted: &str) -> Result<usize, UnknownPass> {
    let (name, run) = match wanted.rsplit_once('#') {
        Some((name, run)) => (name, Some(run)),
        None => (wanted, None),
    };
    let runs: Vec<usize> = passes.iter().filter(|(_, n)| n == name).map(|&(at, _)| at).collect();
    let found = match run {
        Some(run) => run.parse::<usize>().ok().and_then(|run| runs.get(run)),
        None => runs.last(),
    };
    found.copied().ok_or_else(|| UnknownPass {
        message: format!("no pass `{wanted}` runs"),
        hint: match runs.len() {
            0 => did_you_mean(name, passes.iter().map(|(_, name)| name.as_str())),
            1 => Some(format!("`{name}` runs once")),
            count => Some(format!("there are `{name}#0` to `{name}#{}`", count - 1)),
        },
    })
}

#[cfg(test)]
mod tests {
    use super::{VirtualDoc, find_pass};

    #[test]
    fn passes() {
        let passes = ["canonicalize", "cse", "canonicalize"];
        let passes: Vec<_> = passes.iter().map(|p| (*p).to_owned()).enumerate().collect();
        let check = |name, expected: Result<usize, &str>| match (find_pass(&passes, name), expected)
        {
            (Ok(found), Ok(expected)) => assert_eq!(found, expected, "{name}"),
            (Err(error), Err(expected)) => {
                assert!(error.to_string().ends_with(expected), "{error}")
            }
            (found, _) => panic!("{name}: {found:?}"),
        };
        check("canonicalize", Ok(2));
        check("canonicalize#0", Ok(0));
        check("cse#0", Ok(1));
        check("canonicalise", Err("did you mean `canonicalize`?"));
        check("canonicalize#2", Err("there are `canonicalize#0` to `canonicalize#1`"));
        check("cse#x", Err("`cse` runs once"));
    }

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
