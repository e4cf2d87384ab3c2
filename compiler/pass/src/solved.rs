//! Passes of scope `solved`: summary, solve, projection, apply.

use std::any::Any;
use std::fmt;
use std::sync::Arc;

use tegula_ir::{Body, OpId};

use crate::{Failed, Header, PassCx, PassResult};

/// A value that an incremental layer may keep and compare: a summary or a projection.
///
/// Equality is that of the value inside, so that an edit that leaves a summary equal reruns
/// nothing beyond it.
#[derive(Clone)]
pub struct Fact(Arc<dyn DynFact>);

trait DynFact: Any + Send + Sync {
    fn same(&self, other: &dyn DynFact) -> bool;
    fn any(&self) -> &dyn Any;
    fn debug(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result;
}

impl<T: Eq + fmt::Debug + Send + Sync + 'static> DynFact for T {
    fn same(&self, other: &dyn DynFact) -> bool {
        other.any().downcast_ref::<T>().is_some_and(|other| other == self)
    }

    fn any(&self) -> &dyn Any {
        self
    }

    fn debug(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self, f)
    }
}

impl Fact {
    /// Wraps a value.
    pub fn new<T: Eq + fmt::Debug + Send + Sync + 'static>(value: T) -> Fact {
        Fact(Arc::new(value))
    }

    /// The value inside, when it is of that type.
    pub fn get<T: 'static>(&self) -> Option<&T> {
        self.0.any().downcast_ref()
    }
}

impl PartialEq for Fact {
    fn eq(&self, other: &Fact) -> bool {
        Arc::ptr_eq(&self.0, &other.0) || self.0.same(&*other.0)
    }
}

impl Eq for Fact {}

impl fmt::Debug for Fact {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.debug(f)
    }
}

/// What a pass author implements for scope `solved`.
///
/// Each stage is a pure function of its arguments: a summary sees one body, the solve sees the
/// summaries of all bodies in module order, an apply sees its body and its projection.
pub trait Solve: Sync {
    /// What the module needs to know of one body.
    type Summary: Eq + fmt::Debug + Send + Sync + 'static;
    /// What one body needs to know of the module.
    type Projection: Eq + fmt::Debug + Send + Sync + 'static;

    /// Whether the module needs to know of a body that the pass is not asked to edit: one outside
    /// of the nest that the pass stands in.
    fn sees(&self, body: &Body, root: OpId) -> bool {
        let _ = (body, root);
        false
    }

    /// Describes one body.
    fn summarize(&self, header: &Header, body: &Body, root: OpId) -> Self::Summary;

    /// Decides for all bodies together: one projection for each summary, in the same order.
    fn solve(
        &self,
        cx: &mut PassCx<'_>,
        summaries: &[&Self::Summary],
    ) -> Result<Vec<Self::Projection>, Failed>;

    /// Edits one body.
    fn apply(
        &self,
        cx: &mut PassCx<'_>,
        body: &mut Body,
        root: OpId,
        projection: &Self::Projection,
    ) -> PassResult;
}

/// A [`Solve`] with its types erased; what [`crate::PassRun::Solved`] holds.
pub trait SolvedPass: Sync {
    /// Whether it describes a body that it does not edit.
    fn sees(&self, body: &Body, root: OpId) -> bool;
    /// Describes one body.
    fn summarize(&self, header: &Header, body: &Body, root: OpId) -> Fact;
    /// Decides for all bodies together.
    fn solve(&self, cx: &mut PassCx<'_>, summaries: &[Fact]) -> Result<Vec<Fact>, Failed>;
    /// Edits one body.
    fn apply(
        &self,
        cx: &mut PassCx<'_>,
        body: &mut Body,
        root: OpId,
        projection: &Fact,
    ) -> PassResult;
}

impl<T: Solve> SolvedPass for T {
    fn sees(&self, body: &Body, root: OpId) -> bool {
        Solve::sees(self, body, root)
    }

    fn summarize(&self, header: &Header, body: &Body, root: OpId) -> Fact {
        Fact::new(Solve::summarize(self, header, body, root))
    }

    fn solve(&self, cx: &mut PassCx<'_>, summaries: &[Fact]) -> Result<Vec<Fact>, Failed> {
        let typed: Option<Vec<&T::Summary>> = summaries.iter().map(Fact::get).collect();
        let Some(typed) = typed else {
            return Err(cx.error_no_op("foreign-summary", "a summary belongs to another pass"));
        };
        let projections = Solve::solve(self, cx, &typed)?;
        if projections.len() != summaries.len() {
            return Err(cx.error_no_op(
                "projection-count",
                format!("{} projections for {} bodies", projections.len(), summaries.len()),
            ));
        }
        Ok(projections.into_iter().map(Fact::new).collect())
    }

    fn apply(
        &self,
        cx: &mut PassCx<'_>,
        body: &mut Body,
        root: OpId,
        projection: &Fact,
    ) -> PassResult {
        match projection.get::<T::Projection>() {
            Some(projection) => Solve::apply(self, cx, body, root, projection),
            None => {
                Err(cx.error_no_op("foreign-projection", "a projection belongs to another pass"))
            }
        }
    }
}
