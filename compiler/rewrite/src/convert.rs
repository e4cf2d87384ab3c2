//! The conversion driver: ops until all are legal, types by a type converter.
//!
//! Every op below the root, and the root, is looked at once, outer before inner, first before last;
//! ops that patterns make are looked at right away. Where a converted value meets a use of the
//! original type, or the other way round, a cast stands in between; casts that meet each other
//! cancel, and what is left of them at the end becomes the converter's cast ops. On failure the
//! body is as it was before.

mod casts;
mod converter;
mod state;

use smallvec::smallvec;
use tegula_ir::{Body, OpId, Registry};
use tegula_schema::ConversionDef;

use self::state::Legality;
pub(crate) use self::state::State;
use crate::apply::{Conversion, Editing, Outcome, try_pattern};
use crate::fold::fold_to_values;
use crate::lists::room_for_operands;
use crate::machine::{Registers, Values};
use crate::why::explain_with;
use crate::{
    Application, BrokenPattern, Explanation, Listener, PatternIndex, Patterns, Rewriter, order_uses,
};

/// The name of casts while a conversion runs.
const CAST: &str = "builtin.unrealized_conversion_cast";

/// Chains of patterns that make ops for each other are cut at this length.
const MAX_DEPTH: usize = 64;

/// What came of a conversion.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ConversionResult {
    /// Something was edited.
    pub changed: bool,
    /// The patterns that were applied, in order.
    pub applied: Vec<Application>,
}

/// Why a conversion failed; the body is as it was before.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ConversionError {
    /// An op must go and no pattern applies to it, or a cast could not go.
    Illegal {
        /// The op; it stands in the body as it was before the conversion.
        op: OpId,
        /// One sentence without a final stop.
        message: String,
        /// The patterns that were tried on the op, and why they do not apply; none where it is not
        /// up to patterns.
        tried: Option<Vec<Explanation>>,
        /// What would help, if that is known.
        help: Option<String>,
    },
    /// The rules of the type converter lead to each other without end.
    EndlessTypes {
        /// The op whose types were to be converted.
        op: OpId,
        /// One sentence without a final stop.
        message: String,
    },
    /// Patterns make ops for each other without end.
    Endless {
        /// The op that they began with.
        op: OpId,
        /// One sentence without a final stop.
        message: String,
        /// The applications that made the last ops, each from what the one before had made.
        applied: Vec<Application>,
    },
    /// A pattern's program is wrong.
    Broken(BrokenPattern),
    /// The conversion's type converter is not there or does not run; one sentence says why.
    NoConverter(String),
}

#[derive(Default)]
struct Made {
    ops: Vec<OpId>,
    /// These, casts, and what was moved or changed in place.
    touched: Vec<OpId>,
}

impl Listener for Made {
    fn op_inserted(&mut self, body: &Body, op: OpId) {
        self.touched.push(op);
        if !body.is(op, CAST) {
            self.ops.push(op);
        }
    }

    /// Its turn comes, or it was looked at already.
    fn op_moved(&mut self, _body: &Body, op: OpId) {
        self.touched.push(op);
    }

    fn op_modified(&mut self, _body: &Body, op: OpId) {
        self.touched.push(op);
    }
}

/// Converts an op and all that is in its regions.
pub fn convert(
    registry: &Registry,
    patterns: &Patterns,
    conversion: &ConversionDef,
    body: &mut Body,
    root: OpId,
) -> Result<ConversionResult, ConversionError> {
    let state = State::new(registry, patterns, conversion)?;
    let before = body.clone();
    order_uses(body, root);
    let mut driver = Driver {
        state,
        root,
        index: patterns.select(&conversion.groups),
        registers: Registers::default(),
        result: ConversionResult::default(),
        chain: Vec::new(),
        room: room_for_operands(body),
    };
    match driver.run(body) {
        Ok(()) => Ok(driver.result),
        Err(mut error) => {
            if let ConversionError::Illegal { op, .. } = &mut error {
                *op = standing(body, &before, root, *op);
            }
            *body = before;
            Err(error)
        }
    }
}

/// The op of the body as it was that an op stands for: one that a pattern has made is gone again,
/// and stands where it was made from.
fn standing(body: &Body, before: &Body, root: OpId, op: OpId) -> OpId {
    if op.index() < before.bounds().0 && !before.is_erased(op) {
        return op;
    }
    let loc = body.loc(op);
    before.walk(root).find(|&old| before.loc(old) == loc).unwrap_or(root)
}

struct Driver<'a> {
    state: State<'a>,
    root: OpId,
    index: std::sync::Arc<PatternIndex>,
    registers: Registers,
    result: ConversionResult,
    /// What has led from an op of the original body to the op that is looked at, by the numbers of
    /// the applications; folder hooks have none.
    chain: Vec<Option<usize>>,
    /// The most operands that there may be.
    room: usize,
}

impl Driver<'_> {
    fn run(&mut self, body: &mut Body) -> Result<(), ConversionError> {
        let all: Vec<OpId> = body.walk(self.root).collect();
        for op in all {
            if !body.is_erased(op) && !self.state.in_opaque(body, op, self.root) {
                self.legalize(body, op, op)?;
            }
        }
        self.settle_casts(body)
    }

    /// Makes an op legal. `origin` is the op of the original body that it is due to.
    fn legalize(&mut self, body: &mut Body, op: OpId, origin: OpId) -> Result<(), ConversionError> {
        let done = self.legalize_op(body, op, origin);
        match self.state.converter.take_endless() {
            Some(message) => Err(ConversionError::EndlessTypes { op: origin, message }),
            None => done,
        }
    }

    fn legalize_op(
        &mut self,
        body: &mut Body,
        op: OpId,
        origin: OpId,
    ) -> Result<(), ConversionError> {
        let legality = self.state.legality(body, op);
        if legality == Legality::Legal {
            return Ok(());
        }
        if self.chain.len() == MAX_DEPTH || body.operand_bound() > self.room {
            let message = format!("patterns keep making `{}` without end", body.name(op));
            let last = self.chain.iter().skip(self.chain.len() / 2).flatten();
            let applied = last.filter_map(|&number| self.result.applied.get(number)).cloned();
            let applied = applied.collect();
            return Err(ConversionError::Endless { op: origin, message, applied });
        }
        if self.fold(body, op, origin)? {
            return Ok(());
        }
        let index = self.index.clone();
        for pattern in index.of(body.name(op)) {
            let (name, loc) = (body.name(op), body.loc(op));
            let mut made = Made::default();
            let mut rw = Rewriter::with_listener(body, self.state.registry, &mut made);
            let patterns = self.state.patterns;
            let mut with = Editing::new(patterns, &mut self.registers, Some(self.root));
            with.conversion = Some(&mut self.state);
            let outcome = try_pattern(&mut rw, pattern, op, &mut with);
            match outcome {
                Ok(Outcome::NoMatch | Outcome::Folded(_)) => continue,
                Ok(Outcome::Rewritten) => {}
                Err(message) => {
                    let broken = BrokenPattern::new(pattern, (name, loc), message);
                    return Err(ConversionError::Broken(broken));
                }
            }
            let folds = with.folds;
            self.result.changed = true;
            self.chain.push(Some(self.result.applied.len()));
            self.result.applied.push(Application::new(pattern, (name, loc), made.touched));
            self.result.applied.extend(folds);
            self.legalize_all(body, &made.ops, origin)?;
            // What was changed in place may need another pattern.
            if !body.is_erased(op) && self.state.legality(body, op) != Legality::Unknown {
                self.legalize(body, op, origin)?;
            }
            self.chain.pop();
            return Ok(());
        }
        let failed = |driver: &mut Self, mut message: String| {
            let made = Application::last_on(&driver.result.applied, op);
            if let Some(made) = made.filter(|_| op != origin) {
                message += &format!("; {made} made it");
            }
            let patterns = index.of(body.name(op)).iter();
            let registry = driver.state.registry;
            let tried = patterns
                .map(|pattern| explain_with(registry, body, pattern, op, Some(&mut driver.state)));
            ConversionError::Illegal {
                op: origin,
                message,
                tried: Some(tried.collect()),
                help: None,
            }
        };
        match legality {
            Legality::TypeIllegal => {
                let mut rw = Rewriter::new(body, self.state.registry);
                match self.state.convert_types(&mut rw, op) {
                    Ok(()) => {
                        self.result.changed = true;
                        Ok(())
                    }
                    Err(message) => {
                        let name = body.name(op);
                        let message = format!(
                            "failed to legalize operation '{name}' that was explicitly marked \
                             illegal: {message}"
                        );
                        Err(ConversionError::Illegal {
                            op: origin,
                            message,
                            tried: None,
                            help: None,
                        })
                    }
                }
            }
            Legality::Illegal => {
                let name = body.name(op);
                let message = format!(
                    "failed to legalize operation '{name}' that was explicitly marked illegal"
                );
                Err(failed(self, message))
            }
            Legality::Unknown if self.state.conversion.full => {
                let name = body.name(op);
                Err(failed(self, format!("failed to legalize operation '{name}'")))
            }
            Legality::Unknown | Legality::Legal => Ok(()),
        }
    }

    fn legalize_all(
        &mut self,
        body: &mut Body,
        ops: &[OpId],
        origin: OpId,
    ) -> Result<(), ConversionError> {
        for &op in ops {
            if !body.is_erased(op) {
                self.legalize(body, op, origin)?;
            }
        }
        Ok(())
    }

    /// Folds an op that is not legal; true when it is gone.
    fn fold(&mut self, body: &mut Body, op: OpId, origin: OpId) -> Result<bool, ConversionError> {
        let registry = self.state.registry;
        let (name, loc) = (body.name(op), body.loc(op));
        let info = registry.op(name);
        if info.is_none_or(|info| info.constant_like) {
            return Ok(false);
        }
        let mut made = Made::default();
        let mut rw = Rewriter::with_listener(body, registry, &mut made);
        let folded = fold_to_values(&mut rw, self.state.patterns, op, &mut self.registers);
        let Some((values, fold)) = folded else { return Ok(false) };
        let parts: Vec<Values> = values.into_iter().map(|value| smallvec![value]).collect();
        if let Err(message) = self.state.replace(&mut rw, op, &parts) {
            return Err(ConversionError::Illegal { op: origin, message, tried: None, help: None });
        }
        self.result.changed = true;
        self.chain.push(fold.map(|_| self.result.applied.len()));
        let applied = fold.map(|fold| Application::new(fold, (name, loc), made.touched));
        self.result.applied.extend(applied);
        self.legalize_all(body, &made.ops, origin)?;
        self.chain.pop();
        Ok(true)
    }
}
