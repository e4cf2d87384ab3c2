//! Passes that decide for all bodies of a module together.

use indexmap::IndexMap;
use rustc_hash::FxHashMap;
use tegula_ir::{Body, Module, OpId};

use super::{Env, Exec, Run, Said, inputs};
use crate::plan::{Anchor, PassStep};
use crate::{
    Changed, Fact, Failed, Header, PassCx, PassInfo, PassResult, PassRun, SolvedPass, Statement,
    Subject, SubjectPass,
};

/// The summary of a body for a solved pass; none when the pass does not look at it.
pub fn summarize(step: &PassStep, anchor: &Anchor, header: &Header, body: &Body) -> Option<Fact> {
    let solved = solved_of(step)?;
    let root = body.root()?;
    let is_meant = anchor.accepts(body.name(root)) || solved.sees(body, root);
    is_meant.then(|| solved.summarize(header, body, root))
}

/// Decides for all summaries together: a projection for each.
pub fn solve(env: Env<'_>, step: &PassStep, header: &Header, summaries: &[Fact]) -> Run<Vec<Fact>> {
    let run = asked(env, step, header, |cx| match solved_of(step) {
        Some(solved) => solved.solve(cx, summaries),
        None => Err(cx.error_no_op("pass-scope", "the pass has nothing to solve")),
    });
    Run { value: run.value.unwrap_or_default(), reports: run.reports, result: run.result }
}

/// What a body says for a pass that decides subject by subject; none when the pass does not look at
/// it.
pub fn state(
    env: Env<'_>,
    step: &PassStep,
    anchor: &Anchor,
    header: &Header,
    body: &Body,
) -> Option<Statement<Fact, Fact>> {
    let pass = by_subject_of(step)?;
    let root = body.root().filter(|&root| anchor.accepts(body.name(root)))?;
    Some(pass.summarize(env.registry, header, body, root))
}

/// Joins what bodies say to all; no value when that fails.
pub fn common(
    env: Env<'_>,
    step: &PassStep,
    header: &Header,
    shared: &[Fact],
) -> Run<Option<Fact>> {
    asked(env, step, header, |cx| match by_subject_of(step) {
        Some(pass) => pass.common(cx, shared),
        None => Err(cx.error_no_op("pass-scope", "the pass has no subjects")),
    })
}

/// Decides about one subject; no value when that fails.
pub fn decide(
    env: Env<'_>,
    step: &PassStep,
    header: &Header,
    common: &Fact,
    subject: Subject,
    claims: &[Fact],
) -> Run<Option<Fact>> {
    asked(env, step, header, |cx| match by_subject_of(step) {
        Some(pass) => pass.decide(cx, common, subject, claims),
        None => Err(cx.error_no_op("pass-scope", "the pass has no subjects")),
    })
}

fn asked<T>(
    env: Env<'_>,
    step: &PassStep,
    header: &Header,
    ask: impl FnOnce(&mut PassCx<'_>) -> Result<T, Failed>,
) -> Run<Option<T>> {
    let mut cx = PassCx::new(inputs(env, header), &step.pass.def, &step.options);
    let (value, result) = match ask(&mut cx) {
        Ok(value) => (Some(value), Ok(Changed::No)),
        Err(failed) => (None, Err(failed)),
    };
    Run { value, reports: cx.reports, result }
}

/// Applies a projection to a body. Gives the bodies that take its place: new symbols, then what is
/// left of it.
pub fn apply(
    env: Env<'_>,
    step: &PassStep,
    header: &Header,
    body: Body,
    projection: &Fact,
) -> Run<Vec<Body>> {
    let mut exec = Exec::new(env, header.clone(), None);
    let mut bodies = vec![body];
    let result = exec.each_body(&mut bodies, |exec, body, _| exec.apply(step, body, projection));
    Run { value: bodies, reports: exec.reports, result }
}

/// Applies verdicts to a body, as [`apply`].
pub fn apply_verdicts(
    env: Env<'_>,
    step: &PassStep,
    header: &Header,
    body: Body,
    common: &Fact,
    verdicts: &[(Subject, Fact)],
) -> Run<Vec<Body>> {
    let mut exec = Exec::new(env, header.clone(), None);
    let mut bodies = vec![body];
    let result = exec
        .each_body(&mut bodies, |exec, body, _| exec.apply_verdicts(step, body, common, verdicts));
    Run { value: bodies, reports: exec.reports, result }
}

fn solved_of(step: &PassStep) -> Option<&'static dyn SolvedPass> {
    match step.pass.run {
        Some(PassRun::Solved(solved)) => Some(solved),
        _ => None,
    }
}

fn by_subject_of(step: &PassStep) -> Option<&'static dyn SubjectPass> {
    match step.pass.run {
        Some(PassRun::BySubject(pass)) => Some(pass),
        _ => None,
    }
}

impl Exec<'_, '_> {
    pub(super) fn solved(
        &mut self,
        anchor: &Anchor,
        step: &PassStep,
        module: &mut Module,
    ) -> PassResult {
        let header = self.header.clone();
        let mut places = Vec::new();
        let mut summaries = Vec::new();
        for (place, body) in module.bodies.iter().enumerate() {
            if let Some(summary) = summarize(step, anchor, &header, body) {
                places.push(place);
                summaries.push(summary);
            }
        }
        let solution = solve(self.env, step, &header, &summaries);
        self.reports.extend(solution.reports);
        solution.result?;
        let mut projections = places.into_iter().zip(&solution.value).peekable();
        self.each_body(&mut module.bodies, |exec, body, root| {
            let known = projections.next_if(|(place, _)| *place == exec.position);
            let Some((_, projection)) = known else { return Ok(Changed::No) };
            match anchor {
                Anchor::Ops(_) if anchor.accepts(body.name(root)) => {
                    let info = || PassInfo::of(step);
                    exec.told_on_op(info, body, root, |exec, body| {
                        exec.apply(step, body, projection)
                    })
                }
                _ => exec.apply(step, body, projection),
            }
        })
    }

    fn apply(&mut self, step: &PassStep, body: &mut Body, projection: &Fact) -> PassResult {
        let Some(solved) = solved_of(step) else { return Ok(Changed::No) };
        self.on_root(step, body, |cx, body, root| solved.apply(cx, body, root, projection))
    }

    pub(super) fn by_subject(
        &mut self,
        anchor: &Anchor,
        step: &PassStep,
        module: &mut Module,
    ) -> PassResult {
        let header = self.header.clone();
        let env = self.env;
        let said = |body: &Body| state(env, step, anchor, &header, body);
        let statements: Vec<Option<Statement<Fact, Fact>>> =
            module.bodies.iter().map(said).collect();
        let all = || statements.iter().flatten();
        let shared: Vec<Fact> = all().filter_map(|s| s.shared.clone()).collect();
        let joined = common(self.env, step, &header, &shared);
        self.reports.extend(joined.reports);
        joined.result?;
        let Some(common) = joined.value else { return Ok(Changed::No) };
        let mut claims: IndexMap<Subject, Vec<Fact>> = IndexMap::new();
        for (subject, claim) in all().flat_map(|s| &s.claims) {
            claims.entry(*subject).or_default().push(claim.clone());
        }
        let mut verdicts: FxHashMap<Subject, Fact> = FxHashMap::default();
        let mut result = Ok(Changed::No);
        for (subject, claims) in claims {
            let decided = decide(self.env, step, &header, &common, subject, &claims);
            self.reports.extend(decided.reports);
            result = result.and(decided.result);
            verdicts.extend(decided.value.map(|verdict| (subject, verdict)));
        }
        let changed = result?;
        let applied = self.each_body(&mut module.bodies, |exec, body, _| {
            let statement = statements.get(exec.position).and_then(Option::as_ref);
            let Some(statement) = statement else { return Ok(Changed::No) };
            let asked = statement.asks.iter().filter_map(|s| Some((*s, verdicts.get(s)?.clone())));
            let asked: Vec<(Subject, Fact)> = asked.collect();
            exec.apply_verdicts(step, body, &common, &asked)
        });
        Ok(changed | applied?)
    }

    fn apply_verdicts(
        &mut self,
        step: &PassStep,
        body: &mut Body,
        common: &Fact,
        verdicts: &[(Subject, Fact)],
    ) -> PassResult {
        let Some(pass) = by_subject_of(step) else { return Ok(Changed::No) };
        self.on_root(step, body, |cx, body, root| pass.apply(cx, body, root, common, verdicts))
    }

    /// Runs the part of a pass that edits one body.
    fn on_root(
        &mut self,
        step: &PassStep,
        body: &mut Body,
        run: impl FnOnce(&mut PassCx<'_>, &mut Body, OpId) -> PassResult,
    ) -> PassResult {
        let Some(root) = body.root() else { return Ok(Changed::No) };
        let header = self.header.clone();
        let mut cx = self.cx(step, &header);
        let result = run(&mut cx, body, root);
        let (said, emitted) = (Said::of(&mut cx), std::mem::take(&mut cx.emitted));
        let applied = self.hear(step, said);
        let changed = result?;
        self.take_emitted(step, emitted)?;
        if changed.is_yes() {
            self.settle(body, &step.pass.def.name, &applied)?;
        }
        Ok(changed)
    }
}
