//! Enums as Rust enums, and bit enums as sets.

use std::fmt::Write;

use tegula_schema::{DialectDef, EnumDef};

use crate::names::{camel, enum_type, ident, snake};

/// The module of a dialect's enums; empty without any.
pub(crate) fn module(dialect: &DialectDef) -> String {
    let mut out = String::new();
    for def in dialect.enums.iter() {
        if def.bit_enum {
            bits(def, &mut out);
        } else {
            cases(def, &mut out);
        }
    }
    out
}

fn cases(def: &EnumDef, out: &mut String) {
    let name = enum_type(&def.name);
    let variants: Vec<String> = def.cases.iter().map(|c| ident(&camel(&c.symbol))).collect();
    let each = |line: &dyn Fn(&str, &tegula_schema::EnumCase) -> String| -> String {
        variants.iter().zip(def.cases.iter()).map(|(v, c)| line(v, c)).collect()
    };
    let _ = write!(
        out,
        "\n/// {}.\n#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]\npub enum {name} {{\n{}}}\n\n\
         impl {name} {{\n\
         \x20   /// The keyword in text.\n\
         \x20   pub fn keyword(self) -> &'static str {{\n        match self {{\n{}        }}\n    }}\n\n\
         \x20   /// The case of that keyword.\n\
         \x20   pub fn from_keyword(text: &str) -> Option<{name}> {{\n        match text {{\n{}            _ => None,\n        }}\n    }}\n\n\
         \x20   /// The number of the case.\n\
         \x20   pub fn value(self) -> i64 {{\n        match self {{\n{}        }}\n    }}\n\n\
         \x20   /// The case of that number.\n\
         \x20   pub fn from_value(value: i64) -> Option<{name}> {{\n        match value {{\n{}            _ => None,\n        }}\n    }}\n}}\n",
        title(&def.summary, &def.name),
        each(&|v, c| format!("    /// `{}`\n    {v},\n", c.keyword)),
        each(&|v, c| format!("            {name}::{v} => {:?},\n", c.keyword)),
        each(&|v, c| format!("            {:?} => Some({name}::{v}),\n", c.keyword)),
        each(&|v, c| format!("            {name}::{v} => {},\n", c.value)),
        each(&|v, c| format!("            {} => Some({name}::{v}),\n", c.value)),
    );
}

fn bits(def: &EnumDef, out: &mut String) {
    let name = enum_type(&def.name);
    let consts: String = def
        .cases
        .iter()
        .map(|case| {
            let symbol = snake(&case.symbol).to_ascii_uppercase();
            let symbol = if symbol.starts_with(|c: char| c.is_ascii_digit()) {
                format!("N{symbol}")
            } else {
                symbol
            };
            format!(
                "    /// `{}`\n    pub const {symbol}: {name} = {name}({});\n",
                case.keyword, case.value
            )
        })
        .collect();
    let table: String =
        def.cases.iter().map(|c| format!("        ({:?}, {}),\n", c.keyword, c.value)).collect();
    let _ = write!(
        out,
        "\n/// {}: a set.\n#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]\npub struct {name}(pub i64);\n\n\
         impl {name} {{\n{consts}\n\
         \x20   const CASES: &[(&str, i64)] = &[\n{table}    ];\n\n\
         \x20   /// Whether all members of `other` are in the set.\n\
         \x20   pub fn contains(self, other: {name}) -> bool {{\n        self.0 & other.0 == other.0\n    }}\n\n\
         \x20   /// The set as a number.\n\
         \x20   pub fn value(self) -> i64 {{\n        self.0\n    }}\n\n\
         \x20   /// The set of that number.\n\
         \x20   pub fn from_value(value: i64) -> Option<{name}> {{\n\
         \x20       let known = Self::CASES.iter().fold(0, |all, (_, bit)| all | bit);\n\
         \x20       (value & !known == 0).then_some({name}(value))\n    }}\n\n\
         \x20   /// The set in text: the keyword of the whole, or those of its single bits.\n\
         \x20   pub fn keywords(self) -> String {{\n\
         \x20       if let Some((keyword, _)) = Self::CASES.iter().find(|(_, bits)| *bits == self.0) {{\n\
         \x20           return (*keyword).to_owned();\n        }}\n\
         \x20       let single = Self::CASES.iter().filter(|(_, bits)| bits.count_ones() == 1);\n\
         \x20       let words: Vec<&str> = single.filter(|(_, bit)| self.0 & bit != 0).map(|(word, _)| *word).collect();\n\
         \x20       words.join({sep:?})\n    }}\n\n\
         \x20   /// The set that a text names; none when a word is unknown.\n\
         \x20   pub fn from_keywords(text: &str) -> Option<{name}> {{\n\
         \x20       let mut set = 0;\n\
         \x20       for word in text.split({split:?}) {{\n\
         \x20           set |= Self::CASES.iter().find(|(keyword, _)| *keyword == word.trim())?.1;\n        }}\n\
         \x20       Some({name}(set))\n    }}\n}}\n",
        title(&def.summary, &def.name),
        sep = if def.separator.trim() == def.separator {
            def.separator.to_string()
        } else {
            format!("{} ", def.separator.trim())
        },
        split = def.separator.trim(),
    );
}

/// A summary as the first line of a doc comment.
fn title(summary: &str, name: &str) -> String {
    let text = if summary.is_empty() { name } else { summary };
    let text = text.trim_end_matches('.').replace('\n', " ");
    let mut chars = text.chars();
    match chars.next() {
        Some(first) => first.to_uppercase().chain(chars).collect(),
        None => String::new(),
    }
}
