//! Constants that several tables share.

use std::collections::BTreeMap;

use crate::doc::Doc;
use crate::names::snake;

/// The constants of a module, by their text.
#[derive(Default)]
pub(crate) struct Shared {
    by_text: BTreeMap<String, String>,
    /// Name and document in the order of first use.
    list: Vec<(String, Doc)>,
}

impl Shared {
    /// Replaces what is shared in a document by names of constants.
    pub(crate) fn take(&mut self, doc: Doc) -> Doc {
        match doc {
            Doc::Text(_) => doc,
            Doc::List { open, items, close } => {
                let items = items.into_iter().map(|item| self.take(item)).collect();
                Doc::List { open, items, close }
            }
            Doc::Prefixed(prefix, doc) => Doc::Prefixed(prefix, Box::new(self.take(*doc))),
            Doc::Commented(comment, doc) => Doc::Commented(comment, Box::new(self.take(*doc))),
            Doc::Shared(hint, doc) => Doc::Text(self.name(&hint, self.text(&doc), *doc)),
        }
    }

    fn text(&self, doc: &Doc) -> String {
        let mut text = String::new();
        doc.write(&mut text, 0, 0);
        text
    }

    fn name(&mut self, hint: &str, text: String, doc: Doc) -> String {
        if let Some(name) = self.by_text.get(&text) {
            return name.clone();
        }
        let stem = snake(hint).to_ascii_uppercase();
        let taken = |name: &str| self.list.iter().any(|(n, _)| n == name);
        // Names of the tables' own lists have no such prefix.
        let mut name = format!("C_{stem}");
        let mut number = 2;
        while taken(&name) {
            name = format!("C_{stem}_{number}");
            number += 1;
        }
        self.by_text.insert(text, name.clone());
        self.list.push((name.clone(), doc));
        name
    }

    /// The constants' items, each of the Rust type `ty`.
    pub(crate) fn items(&self, ty: &str) -> String {
        let mut out = String::new();
        for (name, doc) in &self.list {
            let head = format!("const {name}: {ty} = ");
            out.push('\n');
            out.push_str(&head);
            doc.write(&mut out, 0, head.len());
            out.push_str(";\n");
        }
        out
    }
}
