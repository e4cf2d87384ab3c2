//! The evaluator.
//!
//! It goes through the statements in order, as TableGen does: classes and definitions are records
//! of terms, terms are interned ([`store`]), resolved ([`resolve`]) and folded ([`fold`]). What
//! stands in a loop or multiclass becomes prototypes, which are instantiated later ([`multi`]).

mod args;
mod assign;
mod bang;
mod batch;
mod cast;
mod define;
mod export;
mod expr;
mod fold;
mod fold_dag;
mod fold_text;
mod include;
mod multi;
mod object;
mod record;
mod resolve;
mod scope;
mod show;
mod slices;
mod stmt;
mod store;
mod types;

use indexmap::IndexMap;
use rustc_hash::{FxBuildHasher, FxHashMap, FxHashSet};
use std::sync::Arc;
use tegula_diag::{Diagnostic, Sources, Span};
use tegula_syntax::{Macros, ast};

use crate::{FileLoader, Records};
pub use export::Evaluated;
use record::Rec;
use resolve::Cur;
use store::{ClassId, Init, RecId, Store, Sym, TyId};

/// How deep evaluation may recurse, in resolutions of nested terms. Recursive classes that are
/// meant to end stay far below.
const MAX_DEPTH: u32 = 40_000;

/// The stack for that: address space, which is used only as far as evaluation goes.
const STACK_BYTES: usize = 1 << 29;

/// The depth that an ordinary thread's stack holds, for when no thread can be made.
const MAX_DEPTH_INLINE: u32 = 200;

/// Reads a file with all that it includes, and evaluates it.
pub fn load(
    path: &str,
    loader: &dyn FileLoader,
    sources: &mut Sources,
) -> (Records, Vec<Diagnostic>) {
    let mut result = (Records::default(), Vec::new());
    let macros = Macros::default();
    load_each(&[path], &macros, loader, sources, &mut |_, evaluated, found, _| {
        result = (evaluated.records(), found);
    });
    result
}

/// Reads and evaluates files one by one, each as if it were alone, with preprocessor macros that
/// are defined before it. What several files include is parsed once, and what they begin with
/// alike is evaluated once. The files are given to `each` by their indices, in any order.
pub fn load_each(
    paths: &[&str],
    macros: &Macros,
    loader: &dyn FileLoader,
    sources: &mut Sources,
    each: &mut Each,
) {
    let mut includer = include::Includer::new(loader, sources);
    let read = paths.iter().map(|path| includer.read_main(path, macros.clone()));
    let (units, found): (Vec<_>, Vec<_>) = read.unzip();
    drop(includer);
    let sources = &*sources;
    let mut work = |max_depth| {
        let mut done = |index: usize, evaluated: &mut Evaluated, found_then| {
            each(index, evaluated, all_found(&found[index], found_then), sources);
        };
        batch::run(&units, max_depth, &mut done);
    };
    let spawned = std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().stack_size(STACK_BYTES);
        thread.spawn_scoped(scope, || work(MAX_DEPTH)).ok().map(|thread| thread.join())
    });
    match spawned {
        Some(Ok(())) => {}
        Some(Err(panic)) => std::panic::resume_unwind(panic),
        None => work(MAX_DEPTH_INLINE),
    }
}

/// What is done with the records of a file and what was found in it.
pub type Each<'a> = dyn FnMut(usize, &mut Evaluated, Vec<Diagnostic>, &Sources) + Send + 'a;

/// Codes of includes that gave nothing.
const UNREAD: &[&str] = &[
    "include-not-found",
    "include-cycle",
    "include-depth",
    "file-read",
    "invalid-utf8",
    "not-text",
    "input-too-large",
];

/// Whether a finding says that text was not read, so that what it defines is not known.
pub fn may_lack(diagnostic: &Diagnostic) -> bool {
    UNREAD.contains(&&*diagnostic.code)
}

/// Codes of includes that do not end.
const CYCLES: &[&str] = &["include-cycle", "include-depth"];

/// Codes of names that may have been defined in such a file.
const UNKNOWN: &[&str] = &["unknown-name", "unknown-class", "unknown-multiclass"];

/// What was found in reading a file and in evaluating it, without what only follows.
fn all_found(read: &[Diagnostic], mut evaluated: Vec<Diagnostic>) -> Vec<Diagnostic> {
    // What a file that could not be read defines is not missed a second time.
    if read.iter().any(|d| UNREAD.contains(&&*d.code)) {
        evaluated.retain(|d| !UNKNOWN.contains(&&*d.code));
    }
    // Nor is what a cycle reads twice.
    if read.iter().any(|d| CYCLES.contains(&&*d.code)) {
        evaluated.retain(|d| !d.code.starts_with("duplicate-"));
    }
    let mut all = read.to_vec();
    all.extend(evaluated);
    all
}

/// A value that a `let` around statements assigns.
#[derive(Clone, Debug)]
pub(crate) struct LetValue {
    pub name: Sym,
    pub name_span: Span,
    /// The bits that are assigned, as written; empty for all.
    pub bits: Vec<u32>,
    pub mode: ast::LetMode,
    pub value: Init,
    pub span: Span,
}

/// A `defset` that is open or done.
#[derive(Clone, Debug)]
pub(crate) struct DefsetState {
    pub name: Sym,
    pub element: TyId,
    pub items: Vec<RecId>,
    pub span: Span,
}

/// The state of an evaluation.
#[derive(Clone)]
pub(crate) struct Eval {
    pub s: Store,
    pub classes: Vec<Arc<Rec>>,
    pub class_syms: Vec<Sym>,
    pub class_names: FxHashMap<Sym, ClassId>,
    pub multis: IndexMap<Sym, multi::Multi, FxBuildHasher>,
    pub aliases: FxHashMap<Sym, TyId>,
    /// All records, finished or not, by id.
    pub recs: Vec<Arc<Rec>>,
    /// The finished ones in the order in which they were finished.
    pub order: Vec<RecId>,
    pub def_names: FxHashMap<Sym, RecId>,
    pub globals: FxHashMap<Sym, Init>,
    pub defsets: Vec<DefsetState>,
    pub open_defsets: Vec<usize>,
    pub lets: Vec<LetValue>,
    pub scopes: Vec<scope::Scope>,
    pub loops: Vec<Vec<Arc<multi::Entry>>>,
    /// The record or class whose body is being read.
    pub cur: Option<Rec>,
    /// The multiclass whose body is being read.
    pub multi: Option<Sym>,
    pub next_anon: u32,
    /// The classes that are being instantiated, the innermost last, with the places.
    pub making: Vec<(ClassId, Span)>,
    /// Instances of classes by their canonical terms.
    pub instances: FxHashMap<Init, RecId>,
    /// Where a class with unresolved arguments was instantiated.
    pub instance_spans: FxHashMap<Init, Span>,
    /// Names whose definition failed: that they are missing is not worth an error.
    pub failed_names: FxHashSet<Sym>,
    /// The template parameters that something read, by qualified name.
    pub used_params: FxHashSet<Sym>,
    /// The place that errors of folding are reported at.
    pub here: Span,
    /// Where the multiclasses are instantiated that the record comes from, the innermost first.
    pub origins: Vec<Span>,
    pub diagnostics: Vec<Diagnostic>,
    /// How many errors were found, those included that were reported before.
    pub errors: usize,
    depth: u32,
    max_depth: u32,
    /// Whether the depth was exceeded in the current statement.
    overflowed: bool,
    statement_depth: u32,
}

impl Eval {
    fn new(here: Span, max_depth: u32) -> Self {
        Self {
            s: Store::new(),
            classes: Vec::new(),
            class_syms: Vec::new(),
            class_names: FxHashMap::default(),
            multis: IndexMap::default(),
            aliases: FxHashMap::default(),
            recs: Vec::new(),
            order: Vec::new(),
            def_names: FxHashMap::default(),
            globals: FxHashMap::default(),
            defsets: Vec::new(),
            open_defsets: Vec::new(),
            lets: Vec::new(),
            scopes: vec![scope::Scope::default()],
            loops: Vec::new(),
            cur: None,
            multi: None,
            next_anon: 0,
            making: Vec::new(),
            instances: FxHashMap::default(),
            instance_spans: FxHashMap::default(),
            failed_names: FxHashSet::default(),
            used_params: FxHashSet::default(),
            here,
            origins: Vec::new(),
            diagnostics: Vec::new(),
            errors: 0,
            depth: 0,
            max_depth,
            overflowed: false,
            statement_depth: 0,
        }
    }

    /// Adds a diagnostic, unless the very same is there: prototypes repeat theirs.
    pub(crate) fn report(&mut self, mut diagnostic: Diagnostic) {
        for origin in &self.origins {
            diagnostic = diagnostic.label(*origin, "instantiated from multiclass");
        }
        self.errors += usize::from(diagnostic.is_error());
        let recent = self.diagnostics.iter().rev().take(64);
        let known = recent.clone().any(|other| {
            other.primary == diagnostic.primary
                && other.code == diagnostic.code
                && other.message == diagnostic.message
                && other.notes == diagnostic.notes
        });
        if !known {
            self.diagnostics.push(diagnostic);
        }
    }

    /// Steps one level down; whether that is allowed.
    pub(crate) fn enter(&mut self, cur: Option<Cur>) -> bool {
        if self.overflowed {
            return false;
        }
        if self.depth >= self.max_depth {
            self.overflowed = true;
            let mut diagnostic = Diagnostic::error("recursion", "this is evaluated without end")
                .at(self.here)
                .note("a class that instantiates itself needs a condition that ends it");
            if let Some(span) = cur.and_then(|cur| cur.span).filter(|span| *span != self.here) {
                diagnostic = diagnostic.label(span, "while this record is made");
            }
            self.report(self.with_chain(diagnostic));
            return false;
        }
        self.depth += 1;
        true
    }

    /// Names the classes that instantiate each other in a circle.
    fn with_chain(&self, mut diagnostic: Diagnostic) -> Diagnostic {
        let Some((last, before)) = self.making.split_last() else { return diagnostic };
        let Some(first) = before.iter().rposition(|made| made.0 == last.0) else {
            return diagnostic;
        };
        let circle = self.making.get(first + 1..).unwrap_or(&[]);
        let mut chain = format!("the chain is `{}`", self.class_name(last.0));
        for (class, span) in circle {
            let name = self.class_name(*class);
            chain.push_str(&format!(" → `{name}`"));
            diagnostic = diagnostic.label(*span, format!("`{name}` is instantiated here"));
        }
        diagnostic.note(chain)
    }

    pub(crate) fn leave(&mut self) {
        self.depth -= 1;
    }

    /// The record whose body is being read, as errors and self-references need it.
    pub(crate) fn cur_info(&self) -> Option<Cur> {
        let cur = self.cur.as_ref()?;
        Some(Cur { name: cur.name, id: cur.id, span: cur.span() })
    }

    /// The name of an anonymous record as a string.
    pub(crate) fn anon_text(&mut self, number: u32) -> Init {
        self.s.str(&format!("anonymous_{number}"))
    }

    pub(crate) fn new_anon(&mut self) -> Init {
        let number = self.next_anon;
        self.next_anon += 1;
        self.s.add(store::Node::AnonName(number))
    }
}
