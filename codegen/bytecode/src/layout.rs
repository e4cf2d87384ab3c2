//! How an op stands in a file, as its definition says.

use tegula_schema::OpDef;

/// What a field holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Register,
    Registers,
    Type,
    Held,
    Symbol,
    Number,
    Numbers,
    Text,
    Branch,
    Branches,
    Target,
    Arguments,
}

/// The words of `VM_Field` for them.
const KINDS: &[(&str, Kind)] = &[
    ("register", Kind::Register),
    ("registers", Kind::Registers),
    ("type", Kind::Type),
    ("held", Kind::Held),
    ("symbol", Kind::Symbol),
    ("number", Kind::Number),
    ("numbers", Kind::Numbers),
    ("text", Kind::Text),
    ("branch", Kind::Branch),
    ("branches", Kind::Branches),
    ("target", Kind::Target),
    ("arguments", Kind::Arguments),
];

/// A field: what it holds of which group, attribute or successor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Field<'a> {
    pub kind: Kind,
    pub of: &'a str,
}

/// The layout of an op.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Layout<'a> {
    /// The byte before the code, when the code is that of an extension.
    pub prefix: Option<u8>,
    /// The bit of what a module with the op requires.
    pub feature: u32,
    pub opcode: u8,
    pub fields: Vec<Field<'a>>,
}

impl<'a> Layout<'a> {
    /// The layout of an op; none when it has no instruction, or its definition says nothing that
    /// can be read.
    pub fn of(def: &'a OpDef) -> Option<Layout<'a>> {
        let code = def.traits.iter().find(|t| t.name == "Code")?;
        let mut words = code.args.iter().map(|arg| &**arg);
        let opcode = numbered(words.next()?, "opcode")?.try_into().ok()?;
        let mut fields: Vec<Field<'a>> = words.map(Field::read).collect::<Option<_>>()?;
        if fields.is_empty() {
            let groups = def.operands.iter().chain(def.results.iter());
            fields.extend(groups.map(|group| Field { kind: Kind::Register, of: &group.name }));
        }
        let all = || def.traits.iter().flat_map(|t| t.args.iter());
        let prefix = all().find_map(|text| numbered(text, "prefix"));
        let feature = all().find_map(|text| numbered(text, "feature")).unwrap_or(0);
        let prefix = prefix.map(u8::try_from).transpose().ok()?;
        Some(Layout { prefix, feature, opcode, fields })
    }
}

/// The number behind a word.
fn numbered(text: &str, word: &str) -> Option<u32> {
    text.strip_prefix(word)?.trim_start().parse().ok()
}

impl<'a> Field<'a> {
    fn read(text: &'a str) -> Option<Field<'a>> {
        let (word, of) = text.split_once(' ')?;
        let &(_, kind) = KINDS.iter().find(|(known, _)| *known == word)?;
        Some(Field { kind, of })
    }
}
