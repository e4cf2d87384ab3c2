//! `iree-flow-deduplicate-executables`: of executables that differ in names only, the first stays.

use std::collections::BTreeSet;

use indexmap::{IndexMap, IndexSet};
use rustc_hash::FxHashMap;
use tegula_dialect_util::references::{each_in_body, redirect, renamed, with_references};
use tegula_ir::{Attr, Body, FrozenBody, Ident, OpId};
use tegula_pass::{Changed, Failed, Header, PassCx, PassResult, Solve};

/// The pass.
pub struct DeduplicateExecutables;

/// What the module needs to know of one body.
#[derive(Debug, PartialEq, Eq)]
pub enum Summary {
    Executable {
        /// Its name and those of the symbols in it, each once.
        names: Vec<Ident>,
        /// The executable with numbers for these names.
        content: Box<FrozenBody>,
    },
    /// Something else, and the symbols that it refers to.
    User(BTreeSet<&'static str>),
}

/// What becomes of one body.
#[derive(Debug, PartialEq, Eq)]
pub enum Projection {
    Kept,
    /// There is an equal one before it.
    Removed,
    /// It refers to some that are removed: their names, and those of the equal ones.
    Redirected(Vec<(Vec<Ident>, Vec<Ident>)>),
}

impl Solve for DeduplicateExecutables {
    type Summary = Summary;
    type Projection = Projection;

    fn summarize(&self, _: &Header, body: &Body, root: OpId) -> Summary {
        if !body.is(root, "flow.executable") {
            let mut uses = BTreeSet::new();
            each_in_body(body, root, &mut |_, path| {
                uses.insert(path.root());
            });
            return Summary::User(uses);
        }
        let names = symbols(body, root);
        Summary::Executable { content: Box::new(numbered(body, root, &names)), names }
    }

    fn solve(&self, _: &mut PassCx<'_>, summaries: &[&Summary]) -> Result<Vec<Projection>, Failed> {
        let mut first: FxHashMap<&FrozenBody, &Vec<Ident>> = FxHashMap::default();
        let mut equal: IndexMap<&str, (&Vec<Ident>, &Vec<Ident>)> = IndexMap::new();
        for summary in summaries {
            let Summary::Executable { names, content } = summary else { continue };
            let kept = *first.entry(content).or_insert(names);
            if let ([name, ..], false) = (&names[..], std::ptr::eq(kept, names)) {
                equal.insert(name.as_str(), (names, kept));
            }
        }
        let redirected = |uses: &BTreeSet<&'static str>| -> Vec<_> {
            let pairs = uses.iter().filter_map(|name| equal.get(name));
            pairs.map(|&(from, to)| (from.clone(), to.clone())).collect()
        };
        let projection = |summary: &&Summary| match summary {
            Summary::Executable { names, .. } => match names.first() {
                Some(name) if equal.contains_key(name.as_str()) => Projection::Removed,
                _ => Projection::Kept,
            },
            Summary::User(uses) => match redirected(uses) {
                pairs if pairs.is_empty() => Projection::Kept,
                pairs => Projection::Redirected(pairs),
            },
        };
        Ok(summaries.iter().map(projection).collect())
    }

    fn apply(
        &self,
        cx: &mut PassCx<'_>,
        body: &mut Body,
        root: OpId,
        projection: &Projection,
    ) -> PassResult {
        let mut rewriter = cx.rewriter(body);
        match projection {
            Projection::Kept => Ok(Changed::No),
            Projection::Removed => {
                rewriter.erase(root);
                Ok(Changed::Yes)
            }
            Projection::Redirected(pairs) => {
                let moved: FxHashMap<Ident, &(Vec<Ident>, Vec<Ident>)> =
                    pairs.iter().filter_map(|pair| Some((*pair.0.first()?, pair))).collect();
                Ok(redirect(&mut rewriter, &|path| {
                    let (from, to) = moved.get(&path.as_symbol_root()?)?;
                    renamed(path, &|name| {
                        from.iter().position(|&other| other == name).map(|place| to[place])
                    })
                }))
            }
        }
    }
}

/// The names of a symbol and of those in it, each once.
fn symbols(body: &Body, root: OpId) -> Vec<Ident> {
    let names = body.walk(root).filter_map(|op| body.symbol_name(op)).map(Ident::of);
    names.collect::<IndexSet<Ident>>().into_iter().collect()
}

/// The body with numbers for names.
fn numbered(body: &Body, root: OpId, names: &[Ident]) -> FrozenBody {
    let numbers: FxHashMap<Ident, Ident> = (names.iter().enumerate())
        .map(|(number, &name)| (name, Ident::of(&number.to_string())))
        .collect();
    let number = |name: Ident| numbers.get(&name).copied();
    let mut content = body.clone();
    for op in body.walk(root) {
        let attrs = with_references(body.attrs(op), &|path| renamed(path, &number));
        content.set_attrs(op, attrs);
        let name = body.symbol_name(op).and_then(|name| number(Ident::of(name)));
        if let Some(name) = name {
            content.set_attr(op, "sym_name", Attr::string(name.as_str()));
        }
    }
    content.freeze()
}
