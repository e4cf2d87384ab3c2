//! Interned symbols, types and terms.
//!
//! A term ([`Init`]) is an index into an append-only table, equal terms having equal indices, so
//! that terms are `Copy`, and comparing or sharing them is free.

use std::hash::Hash;
use std::sync::Arc;

use indexmap::IndexSet;
use rustc_hash::FxBuildHasher;
use tegula_diag::Span;
use tegula_syntax::BangOp;

type Set<T> = IndexSet<T, FxBuildHasher>;

/// An interned string.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Sym(pub u32);

/// An interned type.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct TyId(pub u32);

/// An interned term.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Init(pub u32);

/// A definition.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct RecId(pub u32);

/// A class.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct ClassId(pub u32);

/// A type.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum TyNode {
    Bit,
    Bits(u32),
    Int,
    Str,
    Dag,
    List(TyId),
    /// A record of these classes, by ascending name; of any class when empty.
    Rec(Arc<[ClassId]>),
}

/// The place of a template argument.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum ArgKey {
    /// The n-th parameter.
    Pos(u32),
    /// The parameter of this qualified name.
    Named(Sym),
}

/// A dag. Its places are part of its identity, because diagnostics need the right ones; terms
/// that differ in places only have the same canonical term.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct DagNode {
    pub op: Init,
    pub op_name: Option<Sym>,
    pub args: Vec<DagArgNode>,
    pub span: Option<Span>,
}

/// An argument of a dag.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct DagArgNode {
    pub value: Init,
    pub name: Option<Sym>,
    pub span: Option<Span>,
}

/// A term.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Node {
    Unset,
    Bit(bool),
    Int(i64),
    Str(Sym),
    Code(Sym),
    /// The name of an anonymous record that is not final yet.
    AnonName(u32),
    /// The lowest bit first.
    Bits(Arc<[Init]>),
    /// Elements, and the type of an element.
    List(Arc<[Init]>, TyId),
    Dag(Arc<DagNode>),
    Def(RecId),
    /// An instance of a class whose arguments are not all known.
    Instance(ClassId, Arc<[(ArgKey, Init)]>),
    Var(Sym, TyId),
    BitOf(Init, u32),
    Field(Init, Sym, TyId),
    /// An operator. The type is the result's, but for `!isa`, `!exists` and `!instances`, where
    /// it is the one that is asked for.
    Op(BangOp, Arc<[Init]>, TyId),
    /// `value[index]` and `value[indices]`.
    Elem(Init, Init, TyId),
    Slice(Init, Init, TyId),
    /// `!cond`
    Cond(Arc<[(Init, Init)]>, TyId),
}

/// The tables. They only grow, so that an earlier state is a set of lengths.
#[derive(Clone, Default)]
pub(crate) struct Store {
    syms: Set<Arc<str>>,
    types: Set<TyNode>,
    nodes: Set<Node>,
    /// Whether a term is final: made of plain values only, which no resolution changes.
    settled: Vec<bool>,
    /// The term without the places of dags.
    canon: Vec<Init>,
}

/// A state of a store.
#[derive(Copy, Clone, Debug)]
pub(crate) struct Mark {
    syms: usize,
    types: usize,
    nodes: usize,
}

/// Types that exist in every store, at fixed indices.
pub(crate) mod ty {
    use super::TyId;
    pub(crate) const BIT: TyId = TyId(0);
    pub(crate) const INT: TyId = TyId(1);
    pub(crate) const STR: TyId = TyId(2);
    pub(crate) const DAG: TyId = TyId(3);
    pub(crate) const ANY_RECORD: TyId = TyId(4);
}

/// The term `?`, which exists in every store.
pub(crate) const UNSET: Init = Init(0);

impl Store {
    pub(crate) fn new() -> Self {
        let mut store = Self {
            syms: Set::default(),
            types: Set::default(),
            nodes: Set::default(),
            settled: Vec::new(),
            canon: Vec::new(),
        };
        let none: Arc<[ClassId]> = Arc::new([]);
        for node in [TyNode::Bit, TyNode::Int, TyNode::Str, TyNode::Dag, TyNode::Rec(none)] {
            store.ty(node);
        }
        store.add(Node::Unset);
        store
    }

    /// The lengths of the tables.
    pub(crate) fn mark(&self) -> Mark {
        Mark { syms: self.syms.len(), types: self.types.len(), nodes: self.nodes.len() }
    }

    /// Goes back to an earlier state.
    pub(crate) fn reset(&mut self, to: Mark) {
        self.syms.truncate(to.syms);
        self.types.truncate(to.types);
        self.nodes.truncate(to.nodes);
        self.settled.truncate(to.nodes);
        self.canon.truncate(to.nodes);
    }

    pub(crate) fn sym(&mut self, text: &str) -> Sym {
        if let Some(index) = self.syms.get_index_of(text) {
            return Sym(index as u32);
        }
        Sym(self.syms.insert_full(text.into()).0 as u32)
    }

    pub(crate) fn find_sym(&self, text: &str) -> Option<Sym> {
        self.syms.get_index_of(text).map(|index| Sym(index as u32))
    }

    pub(crate) fn sym_of(&mut self, text: &Arc<str>) -> Sym {
        Sym(self.syms.insert_full(text.clone()).0 as u32)
    }

    pub(crate) fn text(&self, sym: Sym) -> &Arc<str> {
        &self.syms[sym.0 as usize]
    }

    pub(crate) fn ty(&mut self, node: TyNode) -> TyId {
        TyId(self.types.insert_full(node).0 as u32)
    }

    pub(crate) fn ty_node(&self, ty: TyId) -> &TyNode {
        &self.types[ty.0 as usize]
    }

    pub(crate) fn list_of(&mut self, element: TyId) -> TyId {
        self.ty(TyNode::List(element))
    }

    pub(crate) fn node(&self, init: Init) -> &Node {
        &self.nodes[init.0 as usize]
    }

    pub(crate) fn is_settled(&self, init: Init) -> bool {
        self.settled[init.0 as usize]
    }

    /// The term without the places of dags; equal for terms that mean the same.
    pub(crate) fn canon(&self, init: Init) -> Init {
        self.canon[init.0 as usize]
    }

    pub(crate) fn add(&mut self, node: Node) -> Init {
        let (index, new) = self.nodes.insert_full(node);
        let init = Init(index as u32);
        if new {
            let node = &self.nodes[index];
            let settled = match node {
                Node::Unset
                | Node::Bit(_)
                | Node::Int(_)
                | Node::Str(_)
                | Node::Code(_)
                | Node::Def(_) => true,
                Node::Bits(items) | Node::List(items, _) => {
                    items.iter().all(|item| self.settled[item.0 as usize])
                }
                Node::Dag(dag) => {
                    self.settled[dag.op.0 as usize]
                        && dag.args.iter().all(|arg| self.settled[arg.value.0 as usize])
                }
                _ => false,
            };
            self.settled.push(settled);
            self.canon.push(init);
            let canon = self.canonical(init);
            self.canon[index] = canon;
        }
        init
    }

    fn canonical(&mut self, init: Init) -> Init {
        let canon = |of: &Init| self.canon[of.0 as usize];
        let all = |items: &Arc<[Init]>| -> Option<Arc<[Init]>> {
            items.iter().any(|item| canon(item) != *item).then(|| items.iter().map(canon).collect())
        };
        let node = match &self.nodes[init.0 as usize] {
            Node::Bits(items) => all(items).map(Node::Bits),
            Node::List(items, ty) => all(items).map(|items| Node::List(items, *ty)),
            Node::Op(op, items, ty) => all(items).map(|items| Node::Op(*op, items, *ty)),
            Node::Dag(dag) => {
                let plain = dag.span.is_none()
                    && canon(&dag.op) == dag.op
                    && dag
                        .args
                        .iter()
                        .all(|arg| arg.span.is_none() && canon(&arg.value) == arg.value);
                (!plain).then(|| {
                    let args = dag.args.iter().map(|arg| DagArgNode {
                        value: canon(&arg.value),
                        name: arg.name,
                        span: None,
                    });
                    Node::Dag(Arc::new(DagNode {
                        op: canon(&dag.op),
                        op_name: dag.op_name,
                        args: args.collect(),
                        span: None,
                    }))
                })
            }
            Node::Instance(class, args) => {
                args.iter().any(|(_, arg)| canon(arg) != *arg).then(|| {
                    let args = args.iter().map(|(key, arg)| (*key, canon(arg)));
                    Node::Instance(*class, args.collect())
                })
            }
            Node::Cond(clauses, ty) => {
                let plain =
                    |(cond, value): &(Init, Init)| canon(cond) == *cond && canon(value) == *value;
                (!clauses.iter().all(plain)).then(|| {
                    let clauses = clauses.iter().map(|(cond, value)| (canon(cond), canon(value)));
                    Node::Cond(clauses.collect(), *ty)
                })
            }
            Node::Field(of, name, ty) if canon(of) != *of => {
                Some(Node::Field(canon(of), *name, *ty))
            }
            Node::BitOf(of, at) if canon(of) != *of => Some(Node::BitOf(canon(of), *at)),
            Node::Elem(a, b, ty) if canon(a) != *a || canon(b) != *b => {
                Some(Node::Elem(canon(a), canon(b), *ty))
            }
            Node::Slice(a, b, ty) if canon(a) != *a || canon(b) != *b => {
                Some(Node::Slice(canon(a), canon(b), *ty))
            }
            _ => None,
        };
        match node {
            Some(node) => self.add(node),
            None => init,
        }
    }

    pub(crate) fn bit(&mut self, value: bool) -> Init {
        self.add(Node::Bit(value))
    }

    pub(crate) fn int(&mut self, value: i64) -> Init {
        self.add(Node::Int(value))
    }

    pub(crate) fn str(&mut self, text: &str) -> Init {
        let sym = self.sym(text);
        self.add(Node::Str(sym))
    }

    pub(crate) fn list(&mut self, items: Vec<Init>, element: TyId) -> Init {
        self.add(Node::List(items.into(), element))
    }

    pub(crate) fn op(&mut self, op: BangOp, args: &[Init], ty: TyId) -> Init {
        self.add(Node::Op(op, args.into(), ty))
    }

    /// The text of a string or code.
    pub(crate) fn str_of(&self, init: Init) -> Option<Sym> {
        match self.node(init) {
            Node::Str(sym) | Node::Code(sym) => Some(*sym),
            _ => None,
        }
    }
}
