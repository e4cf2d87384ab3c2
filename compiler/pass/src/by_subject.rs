//! Passes of scope `solved` whose question falls apart by subject.
//!
//! What all bodies say of one subject decides about it, and only that: an entry point that many
//! functions dispatch, say. An incremental layer then decides anew only about the subjects of which
//! somebody says something else, where a [`Solve`](crate::Solve) looks at the whole module.

use std::fmt::Debug;
use std::marker::PhantomData;

use tegula_ir::{Body, Ident, OpId, Registry};

use crate::{Fact, Failed, Header, PassCx, PassResult};

/// What bodies speak of, by a name that is the same in all of them.
pub type Subject = Ident;

/// What one body says, and what it asks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Statement<Claim, Shared> {
    /// What it says of subjects, in order.
    pub claims: Vec<(Subject, Claim)>,
    /// The subjects whose verdicts it needs.
    pub asks: Vec<Subject>,
    /// What it says to all; few bodies do, since all depend on it.
    pub shared: Option<Shared>,
}

impl<Claim, Shared> Default for Statement<Claim, Shared> {
    fn default() -> Self {
        Statement { claims: Vec::new(), asks: Vec::new(), shared: None }
    }
}

/// A value that an incremental layer may keep and compare.
pub trait Kept: Eq + Debug + Send + Sync + 'static {}

impl<T: Eq + Debug + Send + Sync + 'static> Kept for T {}

/// What a pass author implements for such a pass.
///
/// Each stage is a pure function of its arguments.
pub trait SolveBySubject: Sync {
    /// What one body says of one subject.
    type Claim: Kept;
    /// What one body says to all.
    type Shared: Kept;
    /// What follows from that.
    type Common: Kept;
    /// What is decided about one subject.
    type Verdict: Kept;

    /// Describes one body.
    fn summarize(
        &self,
        registry: &Registry,
        header: &Header,
        body: &Body,
        root: OpId,
    ) -> Statement<Self::Claim, Self::Shared>;

    /// Joins what is said to all, in module order.
    fn common(&self, cx: &mut PassCx<'_>, shared: &[&Self::Shared])
    -> Result<Self::Common, Failed>;

    /// Decides about one subject by what is said of it, in module order; something is.
    fn decide(
        &self,
        cx: &mut PassCx<'_>,
        common: &Self::Common,
        subject: Subject,
        claims: &[&Self::Claim],
    ) -> Result<Self::Verdict, Failed>;

    /// Edits one body.
    fn apply(
        &self,
        cx: &mut PassCx<'_>,
        body: &mut Body,
        root: OpId,
        common: &Self::Common,
        verdicts: &Verdicts<'_, Self::Verdict>,
    ) -> PassResult;
}

/// What a pass author implements for a pass in which nothing is decided by subject: what some bodies
/// say to all is joined, and every body is edited by that.
///
/// [`Sharing`] makes a [`SolveBySubject`] of it. Few bodies should say something.
pub trait ShareFacts: Sync {
    /// What one body says to all.
    type Shared: Kept;
    /// What follows from that.
    type Common: Kept;

    /// What a body says, if anything.
    fn share(
        &self,
        registry: &Registry,
        header: &Header,
        body: &Body,
        root: OpId,
    ) -> Option<Self::Shared>;

    /// Joins what is said, in module order.
    fn common(&self, cx: &mut PassCx<'_>, shared: &[&Self::Shared])
    -> Result<Self::Common, Failed>;

    /// Edits one body.
    fn apply(
        &self,
        cx: &mut PassCx<'_>,
        body: &mut Body,
        root: OpId,
        common: &Self::Common,
    ) -> PassResult;
}

/// A pass that shares facts, as one whose bodies speak of no subject.
pub struct Sharing<T>(pub T);

impl<T: ShareFacts> SolveBySubject for Sharing<T> {
    type Claim = ();
    type Shared = T::Shared;
    type Common = T::Common;
    type Verdict = ();

    fn summarize(
        &self,
        registry: &Registry,
        header: &Header,
        body: &Body,
        root: OpId,
    ) -> Statement<(), T::Shared> {
        Statement { shared: self.0.share(registry, header, body, root), ..Statement::default() }
    }

    fn common(&self, cx: &mut PassCx<'_>, shared: &[&T::Shared]) -> Result<T::Common, Failed> {
        self.0.common(cx, shared)
    }

    fn decide(
        &self,
        _: &mut PassCx<'_>,
        _: &T::Common,
        _: Subject,
        _: &[&()],
    ) -> Result<(), Failed> {
        Ok(())
    }

    fn apply(
        &self,
        cx: &mut PassCx<'_>,
        body: &mut Body,
        root: OpId,
        common: &T::Common,
        _: &Verdicts<'_, ()>,
    ) -> PassResult {
        self.0.apply(cx, body, root, common)
    }
}

/// The verdicts that a body has asked for. There is none about a subject that nobody speaks of.
pub struct Verdicts<'a, V> {
    verdicts: &'a [(Subject, Fact)],
    verdict: PhantomData<V>,
}

impl<'a, V: 'static> Verdicts<'a, V> {
    /// The verdict about a subject.
    pub fn get(&self, subject: Subject) -> Option<&'a V> {
        let found = self.verdicts.iter().find(|(other, _)| *other == subject);
        found.and_then(|(_, fact)| fact.get())
    }

    /// Whether there is no verdict at all.
    pub fn is_empty(&self) -> bool {
        self.verdicts.is_empty()
    }
}

/// A [`SolveBySubject`] with its types erased; what [`crate::PassRun::BySubject`] holds.
pub trait SubjectPass: Sync {
    /// Describes one body.
    fn summarize(
        &self,
        registry: &Registry,
        header: &Header,
        body: &Body,
        root: OpId,
    ) -> Statement<Fact, Fact>;
    /// Joins what is said to all.
    fn common(&self, cx: &mut PassCx<'_>, shared: &[Fact]) -> Result<Fact, Failed>;
    /// Decides about one subject.
    fn decide(
        &self,
        cx: &mut PassCx<'_>,
        common: &Fact,
        subject: Subject,
        claims: &[Fact],
    ) -> Result<Fact, Failed>;
    /// Edits one body.
    fn apply(
        &self,
        cx: &mut PassCx<'_>,
        body: &mut Body,
        root: OpId,
        common: &Fact,
        verdicts: &[(Subject, Fact)],
    ) -> PassResult;
}

impl<T: SolveBySubject> SubjectPass for T {
    fn summarize(
        &self,
        registry: &Registry,
        header: &Header,
        body: &Body,
        root: OpId,
    ) -> Statement<Fact, Fact> {
        let said = SolveBySubject::summarize(self, registry, header, body, root);
        Statement {
            claims: said.claims.into_iter().map(|(s, claim)| (s, Fact::new(claim))).collect(),
            asks: said.asks,
            shared: said.shared.map(Fact::new),
        }
    }

    fn common(&self, cx: &mut PassCx<'_>, shared: &[Fact]) -> Result<Fact, Failed> {
        let shared = typed(cx, shared)?;
        SolveBySubject::common(self, cx, &shared).map(Fact::new)
    }

    fn decide(
        &self,
        cx: &mut PassCx<'_>,
        common: &Fact,
        subject: Subject,
        claims: &[Fact],
    ) -> Result<Fact, Failed> {
        let common = own(cx, common)?;
        let claims = typed(cx, claims)?;
        SolveBySubject::decide(self, cx, common, subject, &claims).map(Fact::new)
    }

    fn apply(
        &self,
        cx: &mut PassCx<'_>,
        body: &mut Body,
        root: OpId,
        common: &Fact,
        verdicts: &[(Subject, Fact)],
    ) -> PassResult {
        let common = own(cx, common)?;
        for (_, verdict) in verdicts {
            own::<T::Verdict>(cx, verdict)?;
        }
        let verdicts = Verdicts { verdicts, verdict: PhantomData };
        SolveBySubject::apply(self, cx, body, root, common, &verdicts)
    }
}

fn own<'a, T: 'static>(cx: &mut PassCx<'_>, fact: &'a Fact) -> Result<&'a T, Failed> {
    fact.get().ok_or_else(|| cx.error_no_op("foreign-fact", "a fact belongs to another pass"))
}

fn typed<'a, T: 'static>(cx: &mut PassCx<'_>, facts: &'a [Fact]) -> Result<Vec<&'a T>, Failed> {
    facts.iter().map(|fact| own(cx, fact)).collect()
}
