//! Records under construction.

use tegula_diag::Span;

use super::store::{ClassId, Init, RecId, Sym, TyId};

/// What kind of field it is.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum ValKind {
    Normal,
    /// Declared with `field`: may stay unresolved.
    NonconcreteOk,
    /// A template parameter, under its qualified name.
    Param,
}

/// A field or template parameter.
#[derive(Copy, Clone, Debug)]
pub(crate) struct Val {
    pub name: Sym,
    pub ty: TyId,
    pub value: Init,
    pub kind: ValKind,
    /// Where it was declared.
    pub decl: Span,
    /// Where its value was last assigned.
    pub span: Span,
}

/// An assertion or a dump that waits for its record.
#[derive(Copy, Clone, Debug)]
pub(crate) struct Check {
    pub span: Span,
    /// The condition; missing in a dump.
    pub cond: Option<Init>,
    pub message: Init,
}

/// What a record is.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum RecKind {
    Class,
    Multiclass,
    Def,
    Anonymous,
}

/// A class, a definition, or the prototype of one.
#[derive(Clone, Debug)]
pub(crate) struct Rec {
    pub name: Init,
    pub kind: RecKind,
    /// The class that it is.
    pub class: Option<ClassId>,
    /// The definition that it is, once it is being finished.
    pub id: Option<RecId>,
    pub spans: Vec<Span>,
    /// The qualified names of the template parameters, in order.
    pub params: Vec<Sym>,
    pub vals: Vec<Val>,
    /// The direct superclasses.
    pub direct: Vec<(ClassId, Span)>,
    /// All superclasses, each behind its own.
    pub supers: Vec<(ClassId, Span)>,
    pub checks: Vec<Check>,
    /// Whether errors were reported for it or its classes, so that what it lacks is not news.
    pub broken: bool,
}

impl Rec {
    pub(crate) fn new(name: Init, kind: RecKind, span: Span) -> Self {
        Self {
            name,
            kind,
            class: None,
            id: None,
            spans: vec![span],
            params: Vec::new(),
            vals: Vec::new(),
            direct: Vec::new(),
            supers: Vec::new(),
            checks: Vec::new(),
            broken: false,
        }
    }

    pub(crate) fn find(&self, name: Sym) -> Option<usize> {
        self.vals.iter().position(|val| val.name == name)
    }

    pub(crate) fn get(&self, name: Sym) -> Option<&Val> {
        self.vals.iter().find(|val| val.name == name)
    }

    pub(crate) fn derives(&self, class: ClassId) -> bool {
        self.supers.iter().any(|(super_class, _)| *super_class == class)
    }

    pub(crate) fn span(&self) -> Option<Span> {
        self.spans.first().copied()
    }
}
