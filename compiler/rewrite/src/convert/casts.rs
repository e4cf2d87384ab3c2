//! The end of a conversion: casts cancel, or become ops that the converter declares.

use tegula_ir::{Body, InsertPoint, NewOp, OpId, Type, ValueId};

use super::state::Legality;
use super::{CAST, ConversionError, Driver};
use crate::apply::{Editing, perform};
use crate::machine::{self, Scope, TypeList, Values};
use crate::{Application, Bound, BrokenPattern, Rewriter};

impl Driver<'_> {
    /// Cancels casts against each other, and makes what is left the converter's ops.
    pub(super) fn settle_casts(&mut self, body: &mut Body) -> Result<(), ConversionError> {
        let casts: Vec<OpId> = body.walk_all().filter(|&op| body.is(op, CAST)).collect();
        let mut rw = Rewriter::new(body, self.state.registry);
        for &cast in &casts {
            let source = rw.body.operands(cast).next();
            let source = source.and_then(|value| rw.body.defining_op(value));
            let Some(source) = source.filter(|&op| rw.body.is(op, CAST)) else { continue };
            if !rw.body.results(source).eq(rw.body.operands(cast)) {
                continue;
            }
            let types: TypeList = rw.body.results(cast).map(|r| rw.body.ty(r)).collect();
            let values: Values = rw.body.operands(source).collect();
            let fits = values.iter().map(|&v| rw.body.ty(v)).eq(types.iter().copied());
            let values =
                if fits { Some(values) } else { self.materialize(&mut rw, cast, &values, &types)? };
            for (from, to) in rw.body.results(cast).zip(values.unwrap_or_default()) {
                rw.replace_all_uses(from, to);
            }
        }
        // Users come after what they use, so that a backward sweep finds chains of unused casts.
        for &cast in casts.iter().rev() {
            if rw.body.results_unused(cast) {
                rw.erase(cast);
            }
        }
        for &cast in &casts {
            if rw.body.is_erased(cast) || !self.state.ours(rw.body, cast) {
                continue;
            }
            let to_original = self.state.to_original(rw.body, cast);
            let types: TypeList = rw.body.results(cast).map(|r| rw.body.ty(r)).collect();
            let from: Values = rw.body.operands(cast).collect();
            if let Some(values) = self.materialize(&mut rw, cast, &from, &types)? {
                rw.replace(cast, &values);
                continue;
            }
            let name = self.state.converter.def.map(|def| {
                if to_original { def.source_cast.as_ref() } else { def.target_cast.as_ref() }
            });
            match name {
                Some(name) if !name.is_empty() => {
                    rw.replace_with(cast, NewOp::new(name).operands(from).results(types));
                }
                _ => return Err(self.unmet(rw.body, cast, &from)),
            }
        }
        Ok(())
    }

    /// That an op still needs what a cast makes of values.
    fn unmet(&mut self, body: &Body, cast: OpId, from: &[ValueId]) -> ConversionError {
        let user = |cast: OpId| body.results(cast).find_map(|result| body.users(result).last());
        // A cast back and one onwards stand for one step.
        let mut last = cast;
        while let Some(next) = user(last).filter(|&user| body.is(user, CAST)) {
            last = next;
        }
        let user = user(last);
        let types = |values: &mut dyn Iterator<Item = ValueId>| {
            listed(&values.map(|value| body.ty(value)).collect::<TypeList>())
        };
        let name = user.map_or("an op", |user| body.name(user).as_str());
        let needed = types(&mut body.results(last));
        let given = types(&mut from.iter().copied());
        // The value was never converted.
        if !self.state.to_original(body, cast) {
            let source = from.first().and_then(|&value| body.defining_op(value));
            let gives = source.map_or("a block argument", |source| body.name(source).as_str());
            let message =
                match user.and_then(|user| Application::last_on(&self.result.applied, user)) {
                    Some(made) => {
                        format!("`{name}` of {made} needs {needed}, but `{gives}` gives {given}")
                    }
                    None => format!("`{name}` needs {needed}, but `{gives}` gives {given}"),
                };
            let unsaid = source.filter(|&op| self.state.legality(body, op) == Legality::Unknown);
            let help = unsaid.map(|source| type_legal(body, source));
            return ConversionError::Illegal {
                op: source.unwrap_or(cast),
                message,
                tried: None,
                help,
            };
        }
        let message = match Application::last_on(&self.result.applied, cast) {
            Some(made) => format!("`{name}` still needs {needed}; {made} gives {given} for it"),
            None => format!("`{name}` still needs {needed} where {given} is"),
        };
        let unsaid = user.filter(|&user| self.state.legality(body, user) == Legality::Unknown);
        let help = unsaid.map(|user| type_legal(body, user));
        ConversionError::Illegal { op: user.unwrap_or(cast), message, tried: None, help }
    }

    /// Makes values of these types from others, as the converter declares, right before a cast.
    fn materialize(
        &mut self,
        rw: &mut Rewriter<'_>,
        cast: OpId,
        from: &[ValueId],
        types: &[Type],
    ) -> Result<Option<Values>, ConversionError> {
        let subject = match from {
            &[value] => Bound::Value(value),
            values => Bound::Values(values.to_vec()),
        };
        for index in 0..self.state.converter.casts.len() {
            let (code, def) = self.state.converter.casts[index];
            self.registers.start(code.registers);
            self.registers.set(0, subject.clone());
            self.registers.set(1, Bound::Types(types.to_vec()));
            let mut scope = Scope::new(rw.registry, &*rw.body);
            let Some(start) = machine::search(&mut scope, code, &mut self.registers) else {
                continue;
            };
            rw.set_insertion_point(InsertPoint::Before(cast));
            let mut with = Editing::new(self.state.patterns, &mut self.registers, None);
            let converter = self.state.converter.def.map_or("", |def| &def.name);
            let (what, loc) = (format!("a cast of `{converter}`"), rw.body.loc(cast));
            let broken = |message: String| {
                let (what, source) = (what.clone(), def.source.clone());
                ConversionError::Broken(BrokenPattern { what, source, op: None, loc, message })
            };
            let before = rw.body.prev_op(cast);
            perform(rw, code, start, &mut with).map_err(broken)?;
            self.result.applied.append(&mut with.folds);
            let values = machine::values_of(rw.body, self.registers.get(def.result));
            let given: TypeList = values.iter().map(|&v| rw.body.ty(v)).collect();
            if given.as_slice() != types {
                let (given, types) = (listed(&given), listed(types));
                return Err(broken(format!("it gives {given} where {types} is wanted")));
            }
            let made = std::iter::successors(rw.body.prev_op(cast), |&op| rw.body.prev_op(op));
            let mut made = made.take_while(|&op| Some(op) != before);
            let illegal = made.find(|&op| self.state.legality(rw.body, op) == Legality::Illegal);
            if let Some(op) = illegal {
                return Err(broken(format!("it makes `{}`, which must go", rw.body.name(op))));
            }
            return Ok(Some(values));
        }
        Ok(None)
    }
}

/// What would have the types of an op converted.
fn type_legal(body: &Body, op: OpId) -> String {
    let dialect = body.name(op).dialect();
    format!("`typeLegal = [\"{dialect}\"]` has types of its ops converted")
}

fn listed(types: &[Type]) -> String {
    let types: Vec<String> = types.iter().map(Type::to_string).collect();
    match types.is_empty() {
        true => "nothing".to_owned(),
        false => format!("`{}`", types.join(", ")),
    }
}
