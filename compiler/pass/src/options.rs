//! The options of one run of a pass, read from pipeline text against its `.td`.

use std::fmt;

use indexmap::IndexMap;
use tegula_schema::{OptionDef, OptionKind};

/// The value of an option.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum OptionValue {
    /// `true` or `false`.
    Bool(bool),
    /// An integer.
    Int(i64),
    /// Text, or one of a choice's words.
    String(String),
    /// Several values.
    List(Vec<OptionValue>),
}

impl fmt::Display for OptionValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            OptionValue::Bool(value) => write!(f, "{value}"),
            OptionValue::Int(value) => write!(f, "{value}"),
            OptionValue::String(value) => f.write_str(value),
            OptionValue::List(items) => {
                for (index, item) in items.iter().enumerate() {
                    if index > 0 {
                        f.write_str(",")?;
                    }
                    write!(f, "{item}")?;
                }
                Ok(())
            }
        }
    }
}

/// Why option text was not accepted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OptionError {
    /// The pass has no option of this name.
    Unknown(String),
    /// The option does not take this value.
    Value {
        /// The option.
        name: String,
        /// The text.
        text: String,
        /// What it takes.
        expected: String,
    },
}

impl fmt::Display for OptionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            OptionError::Unknown(name) => write!(f, "no such pass option `{name}`"),
            OptionError::Value { name, text, expected } => {
                write!(f, "pass option `{name}` takes {expected}, not `{text}`")
            }
        }
    }
}

/// All options of one run of a pass, in order of definition, defaults filled in.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Options {
    values: Vec<(String, OptionValue)>,
}

impl Options {
    /// Reads texts by option name; what is not given has its default.
    pub fn read(
        defs: &[OptionDef],
        texts: &IndexMap<String, String>,
    ) -> Result<Options, OptionError> {
        if let Some(name) = texts.keys().find(|name| !defs.iter().any(|d| d.name == name.as_str()))
        {
            return Err(OptionError::Unknown(name.clone()));
        }
        let values = defs.iter().map(|def| {
            let text = texts.get(def.name.as_ref()).map_or(def.default.as_ref(), String::as_str);
            let value = read_value(&def.kind, text).ok_or_else(|| OptionError::Value {
                name: def.name.to_string(),
                text: text.to_owned(),
                expected: describe(&def.kind),
            })?;
            Ok((def.name.to_string(), value))
        });
        Ok(Options { values: values.collect::<Result<_, _>>()? })
    }

    /// The option of that name.
    pub fn get(&self, name: &str) -> Option<&OptionValue> {
        self.values.iter().find(|(n, _)| n == name).map(|(_, value)| value)
    }

    /// A boolean option; false when there is none of that name.
    pub fn bool(&self, name: &str) -> bool {
        matches!(self.get(name), Some(OptionValue::Bool(true)))
    }

    /// An integer option; 0 when there is none of that name.
    pub fn int(&self, name: &str) -> i64 {
        match self.get(name) {
            Some(OptionValue::Int(value)) => *value,
            _ => 0,
        }
    }

    /// A text or choice option; empty when there is none of that name.
    pub fn str(&self, name: &str) -> &str {
        match self.get(name) {
            Some(OptionValue::String(value)) => value,
            _ => "",
        }
    }

    /// A list option; empty when there is none of that name.
    pub fn list(&self, name: &str) -> &[OptionValue] {
        match self.get(name) {
            Some(OptionValue::List(items)) => items,
            _ => &[],
        }
    }

    /// The integers of a list option.
    pub fn ints(&self, name: &str) -> Vec<i64> {
        let ints = self.list(name).iter().map(|item| match item {
            OptionValue::Int(value) => Some(*value),
            _ => None,
        });
        ints.flatten().collect()
    }

    /// All options in order of definition.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &OptionValue)> {
        self.values.iter().map(|(name, value)| (name.as_str(), value))
    }

    /// Pipeline text with values for `$name`.
    pub(crate) fn fill(&self, text: &str) -> String {
        // Of two names that begin alike the longer one is meant.
        let mut sorted: Vec<_> = self.values.iter().collect();
        sorted.sort_by_key(|(name, _)| std::cmp::Reverse(name.len()));
        sorted.into_iter().fold(text.to_owned(), |text, (name, value)| {
            text.replace(&format!("${name}"), &value.to_string())
        })
    }

    /// The options as a dump's header and pipeline text write them: `name=value` in order of their
    /// names, with blanks between. As in MLIR a list without elements leaves just its blank.
    pub fn text(&self) -> String {
        let mut sorted: Vec<_> = self.values.iter().collect();
        sorted.sort_by(|a, b| a.0.cmp(&b.0));
        let parts = sorted.into_iter().map(|(name, value)| match value {
            OptionValue::List(items) if items.is_empty() => String::new(),
            OptionValue::String(text) if needs_braces(text) => format!("{name}={{{text}}}"),
            value => format!("{name}={value}"),
        });
        parts.collect::<Vec<_>>().join(" ")
    }
}

/// Text with blanks outside of parentheses would end too early.
fn needs_braces(text: &str) -> bool {
    let mut depth = 0usize;
    text.chars().any(|c| {
        match c {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            _ => {}
        }
        depth == 0 && c.is_whitespace()
    })
}

fn read_value(kind: &OptionKind, text: &str) -> Option<OptionValue> {
    match kind {
        OptionKind::Bool => match text {
            "true" | "1" => Some(OptionValue::Bool(true)),
            "false" | "0" | "" => Some(OptionValue::Bool(false)),
            _ => None,
        },
        OptionKind::Int if text.is_empty() => Some(OptionValue::Int(0)),
        OptionKind::Int => text.parse().ok().map(OptionValue::Int),
        OptionKind::String => Some(OptionValue::String(text.to_owned())),
        OptionKind::Choice(words) => (text.is_empty() || words.iter().any(|w| w == text))
            .then(|| OptionValue::String(text.to_owned())),
        OptionKind::ListOf(item) => {
            let item = item.first()?;
            let parts = text.split(',').map(str::trim).filter(|part| !part.is_empty());
            parts.map(|part| read_value(item, part)).collect::<Option<_>>().map(OptionValue::List)
        }
    }
}

fn describe(kind: &OptionKind) -> String {
    match kind {
        OptionKind::Bool => "`true` or `false`".to_owned(),
        OptionKind::Int => "an integer".to_owned(),
        OptionKind::String => "text".to_owned(),
        OptionKind::Choice(words) => {
            let words: Vec<String> = words.iter().map(|word| format!("`{word}`")).collect();
            format!("one of {}", words.join(", "))
        }
        OptionKind::ListOf(item) => match item.first() {
            Some(item) => format!("a list with commas, each {}", describe(item)),
            None => "a list".to_owned(),
        },
    }
}
