//! `--print-ir-diff`: what each pass changed, line by line.
//!
//! Values are numbered anew after each pass. So that only what changed differs, a value that is
//! defined on a line that is otherwise the same keeps the name that it had.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use similar::{Algorithm, DiffOp, TextDiff, capture_diff_slices};
use tegula_ir::text::{PrintOptions, print_op, tokens};
use tegula_ir::{Body, Module, Names, Registry};
use tegula_pass::{Changed, Instrument, Moment, PassInfo, PassResult, Target, header_line};

use crate::dump::{module_text, names};
use crate::output::aside;

/// Lines around a change that are shown with it.
const CONTEXT: usize = 3;

/// Prints to standard error how passes change the top-level ops that they change.
pub struct IrDiff<'a> {
    registry: &'a Registry,
    options: PrintOptions,
    names: Names,
    /// The texts before each pass that runs now, by top-level op.
    open: Vec<BTreeMap<String, String>>,
}

impl<'a> IrDiff<'a> {
    /// Diffs of text that is printed with these options, in local scope: aliases of the whole
    /// module would change where nothing else does.
    pub fn new(registry: &'a Registry, options: PrintOptions) -> IrDiff<'a> {
        let options = PrintOptions { local_scope: true, ..options };
        IrDiff { registry, options, names: Names::default(), open: Vec::new() }
    }

    fn texts(&mut self, target: Target<'_>) -> BTreeMap<String, String> {
        match target {
            Target::Module(module) => {
                self.names = names(module);
                let head = Module { bodies: Vec::new(), ..module.clone() };
                let head = module_text(self.registry, &head, &self.options);
                let bodies = module.bodies.iter().filter_map(|body| self.body_text(body));
                bodies.chain([(String::new(), head)]).collect()
            }
            Target::Op { body, .. } => self.body_text(body).into_iter().collect(),
        }
    }

    fn body_text(&self, body: &Body) -> Option<(String, String)> {
        let root = body.root()?;
        let name = match body.symbol_name(root) {
            Some(name) => format!("@{}", self.names.resolve(name)),
            None => format!("{}#{}", body.name(root).as_str(), body.lineage()),
        };
        let text = print_op(self.registry, body, root, &self.options);
        Some((name, format!("{}\n", self.names.resolve(&text))))
    }
}

impl Instrument for IrDiff<'_> {
    fn module(&mut self, module: &Module) {
        self.names = names(module);
    }

    fn before(&mut self, _: &PassInfo, target: Target<'_>) {
        let texts = self.texts(target);
        self.open.push(texts);
    }

    fn after(&mut self, pass: &PassInfo, target: Target<'_>, result: PassResult) {
        let before = self.open.pop().unwrap_or_default();
        if result != Ok(Changed::Yes) {
            return;
        }
        let after = self.texts(target);
        let mut out = String::new();
        let all: BTreeSet<&String> = before.keys().chain(after.keys()).collect();
        for name in all {
            let text = |texts: &BTreeMap<String, String>| texts.get(name).cloned();
            let (old, new) = (text(&before).unwrap_or_default(), text(&after).unwrap_or_default());
            if old != new {
                let new = with_names_of(&old, &new);
                let diff = TextDiff::from_lines(&old, &new);
                let title = if name.is_empty() { "module" } else { name.as_str() };
                let mut unified = diff.unified_diff();
                unified.context_radius(CONTEXT).header(title, title);
                out.push_str(&unified.to_string());
            }
        }
        if !out.is_empty() {
            let header = header_line(Moment::After, pass).replace("IR Dump", "IR Diff");
            aside(format_args!("{header}{out}"));
        }
    }
}

/// A text with the names of values that the text before it has, as far as lines correspond.
fn with_names_of(old: &str, new: &str) -> String {
    let (old_lines, new_lines): (Vec<&str>, Vec<&str>) =
        (old.lines().collect(), new.lines().collect());
    let keys =
        |lines: &[&str]| -> Vec<String> { lines.iter().map(|line| without_names(line)).collect() };
    let (old_keys, new_keys) = (keys(&old_lines), keys(&new_lines));
    let mut names: HashMap<&str, &str> = HashMap::new();
    for op in capture_diff_slices(Algorithm::Myers, &old_keys, &new_keys) {
        let DiffOp::Equal { old_index, new_index, len } = op else { continue };
        for at in 0..len {
            let pairs = defined(old_lines[old_index + at]);
            for (old, new) in pairs.into_iter().zip(defined(new_lines[new_index + at])) {
                names.entry(new).or_insert(old);
            }
        }
    }
    let words = tokens(old).map(|token| &old[token]);
    let taken: HashSet<&str> = words.filter(|word| word.starts_with('%')).collect();
    let mut out = String::with_capacity(new.len());
    let mut last = 0;
    for token in tokens(new) {
        let word = &new[token.clone()];
        if !word.starts_with('%') {
            continue;
        }
        out.push_str(&new[last..token.start]);
        match names.get(word) {
            Some(name) => out.push_str(name),
            None => {
                out.push_str(word);
                out.push_str(if taken.contains(word) { "_new" } else { "" });
            }
        }
        last = token.end;
    }
    out.push_str(&new[last..]);
    out
}

/// A line with all values of one name.
fn without_names(line: &str) -> String {
    let words = tokens(line).map(|token| match &line[token] {
        name if name.starts_with('%') => "%",
        word => word,
    });
    words.collect::<Vec<_>>().join(" ")
}

/// The names that a line defines: results, arguments of blocks, values that loops carry.
fn defined(line: &str) -> Vec<&str> {
    let words: Vec<&str> = tokens(line).map(|token| &line[token]).collect();
    let results = match words.first() {
        Some(word) if word.starts_with('%') => words.iter().position(|word| *word == "="),
        _ => None,
    };
    let results = results.unwrap_or_default();
    let defines = |at: usize| {
        at < results || words.get(at + 1).is_some_and(|next| matches!(*next, ":" | "="))
    };
    let names = words.iter().enumerate().filter(|(at, word)| word.starts_with('%') && defines(*at));
    names.map(|(_, word)| *word).collect()
}

#[cfg(test)]
mod tests {
    use super::with_names_of;

    #[test]
    fn values_keep_their_names_where_lines_are_the_same() {
        let old = "%0 = a.a\n%1 = a.b\n%2 = a.c %0, %1\n%3 = a.d %2\n";
        let new = "%0 = a.a\n%1 = a.c %0, %0\n%2 = a.e\n%3 = a.d %1\n";
        let named = "%0 = a.a\n%2 = a.c %0, %0\n%2_new = a.e\n%3 = a.d %2\n";
        assert_eq!(with_names_of(old, new), named);
    }
}
