//! The names that are taken while values are numbered.

use std::ops::Range;

use hashbrown::HashTable;

use crate::interner::hash_of;

/// A name as a part of the text of all names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Word {
    start: u32,
    len: u32,
}

impl Word {
    pub(crate) fn of(self, words: &str) -> &str {
        let start = self.start as usize;
        words.get(start..start + self.len as usize).unwrap_or_default()
    }
}

/// The names that open scopes have given. Arguments are mostly `arg` and a number.
#[derive(Clone, Default)]
pub(crate) struct Used {
    /// All words side by side.
    words: String,
    table: HashTable<Word>,
    /// Words of the open scopes in the order in which they were given.
    given: Vec<Word>,
    scopes: Vec<Scope>,
    /// How many words read like names of arguments.
    like_arguments: usize,
}

#[derive(Clone)]
struct Scope {
    /// How many words were given before.
    words: usize,
    /// The numbers of the arguments that it names.
    arguments: Range<u32>,
}

impl Used {
    /// Opens a scope, whose arguments count from a number on.
    pub(crate) fn open(&mut self, argument: u32) {
        self.scopes.push(Scope { words: self.given.len(), arguments: argument..argument });
    }

    /// The number of scopes, with that of the module.
    pub(crate) fn depth(&self) -> usize {
        self.scopes.len() + 1
    }

    /// Closes scopes until so many are open; their names are free again.
    pub(crate) fn close_to(&mut self, depth: usize) {
        while self.depth() > depth {
            let Some(scope) = self.scopes.pop() else { return };
            for word in self.given.drain(scope.words..) {
                let text = word.of(&self.words);
                if let Ok(entry) = self.table.find_entry(hash_of(text), |known| *known == word) {
                    entry.remove();
                }
                self.like_arguments -= usize::from(argument_number(text).is_some());
            }
        }
    }

    /// Gives the next number of an argument in the innermost scope, unless a word reads so.
    pub(crate) fn argument(&mut self, number: u32) -> bool {
        if let Some(scope) = self.scopes.last_mut() {
            scope.arguments.end = number + 1;
        }
        self.like_arguments == 0 || !self.holds(&format!("arg{number}"))
    }

    /// Gives a word, with a number behind it where it is taken.
    pub(crate) fn word(&mut self, base: &str, conflict: &mut u32) -> Word {
        let start = self.words.len();
        self.words.push_str(base);
        while self.is_taken(&self.words[start..]) {
            self.words.truncate(start + base.len());
            self.words.push('_');
            super::names::push_number((*conflict).into(), &mut self.words);
            *conflict += 1;
        }
        let word = Word { start: start as u32, len: (self.words.len() - start) as u32 };
        let (words, text) = (&self.words, word.of(&self.words));
        self.like_arguments += usize::from(argument_number(text).is_some());
        self.table.insert_unique(hash_of(text), word, |known| hash_of(known.of(words)));
        self.given.push(word);
        word
    }

    fn holds(&self, name: &str) -> bool {
        self.table.find(hash_of(name), |known| known.of(&self.words) == name).is_some()
    }

    fn is_taken(&self, name: &str) -> bool {
        let is_argument = |number| self.scopes.iter().any(|s| s.arguments.contains(&number));
        self.holds(name) || argument_number(name).is_some_and(is_argument)
    }

    /// The text that words are parts of.
    pub(crate) fn into_words(self) -> String {
        self.words
    }
}

/// The number of a name that reads like that of an argument.
fn argument_number(name: &str) -> Option<u32> {
    let digits = name.strip_prefix("arg")?;
    let plain = digits == "0" || !digits.starts_with(['0', '+']);
    digits.parse().ok().filter(|_| plain)
}

#[cfg(test)]
mod tests {
    use super::Used;

    #[test]
    fn arguments_and_words_keep_apart() {
        let (mut used, mut conflict) = (Used::default(), 0);
        used.open(0);
        assert!(used.argument(0));
        let word = used.word("arg0", &mut conflict);
        assert_eq!(word.of(&used.words), "arg0_0");
        used.open(1);
        let word = used.word("arg1", &mut conflict);
        assert_eq!(word.of(&used.words), "arg1");
        assert!(!used.argument(1));
        assert!(used.argument(2));
        used.close_to(2);
        used.open(1);
        assert!(used.argument(1));
        let word = used.word("arg1", &mut conflict);
        assert_eq!(word.of(&used.words), "arg1_1");
    }
}
