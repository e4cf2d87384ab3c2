//! What phases decide for all symbols together, given to each.

use salsa::Setter;
use tegula_pass::{Fact, Statement};

use crate::crossing::{Crossing, Said};
use crate::database::Database;
use crate::inputs::{Calls, Given, Topic};
use crate::phase::{call_graph, calls, common, solution, statement, summary, verdict};
use crate::road::Track;

impl Crossing {
    /// Has a solved phase decide, when what it knows of a symbol has changed.
    pub(crate) fn solve(&mut self, db: &mut Database) {
        for track in self.pending() {
            let Some(row) = self.row_mut(track) else { continue };
            let fact = summary(db, row.stage);
            if row.fact != fact {
                row.fact = fact;
                self.stale = true;
            }
        }
        if !self.stale && !self.reordered {
            return;
        }
        self.stale = true;
        let fact = |&track: &Track| Some((track, self.row(track)?.fact.clone()?));
        let (concerned, summaries): (Vec<Track>, Vec<Fact>) =
            self.order.iter().filter_map(fact).unzip();
        if *self.level.summaries(db) != summaries {
            self.level.set_summaries(db).to(summaries);
        }
        let projections = solution(db, self.level).projections.clone();
        for (place, track) in concerned.into_iter().enumerate() {
            let projection = projections.as_ref().and_then(|all| all.get(place));
            let given = projection.cloned().map_or(Given::Unsolved, Given::Projection);
            self.give(db, track, given);
        }
    }

    /// Has a phase decide about the subjects of which something else is said.
    pub(crate) fn talk(&mut self, db: &mut Database) {
        for track in std::mem::take(&mut self.gone) {
            // What has come back meanwhile is dirty.
            self.say(track, None);
        }
        for track in self.pending() {
            let Some(row) = self.row(track) else { continue };
            let said = statement(db, row.stage).clone();
            self.say(track, said);
        }
        if self.reordered {
            self.reopen();
        }
        if self.talk.shared || self.stale {
            self.talk.shared = true;
            let said = |&track: &Track| self.row(track)?.statement.as_ref()?.shared.clone();
            let shared: Vec<Fact> = self.order.iter().filter_map(said).collect();
            if *self.level.summaries(db) != shared {
                self.level.set_summaries(db).to(shared);
            }
            self.talk.open.extend(self.talk.topics.keys());
            self.talk.waiting.extend(&self.order);
        }
        self.decide(db);
        self.talk.shared = false;
        let common = common(db, self.level).fact.clone();
        let mut waiting: Vec<Track> = self.talk.waiting.iter().copied().collect();
        waiting.sort_unstable();
        for track in waiting {
            let said = self.row(track).and_then(|row| row.statement.as_ref());
            if let Some(statement) = said {
                let given = self.verdicts(&common, statement);
                self.give(db, track, given);
            }
        }
        self.talk.waiting.clear();
    }

    /// Takes down what a symbol says; nothing when it is gone.
    fn say(&mut self, track: Track, said: Option<Statement<Fact, Fact>>) {
        let Some(row) = self.row_mut(track) else { return };
        if row.statement == said {
            return;
        }
        let before = std::mem::replace(&mut row.statement, said.clone());
        let talk = &mut self.talk;
        let shared = |said: &Option<Statement<Fact, Fact>>| said.as_ref()?.shared.clone();
        talk.shared |= shared(&before) != shared(&said);
        for statement in before.iter() {
            for (subject, _) in &statement.claims {
                let topic = talk.topics.entry(*subject).or_default();
                topic.by.retain(|&by| by != track);
                if topic.by.len() < 2 {
                    talk.disputed.remove(subject);
                }
                talk.open.insert(*subject);
            }
            for subject in &statement.asks {
                let topic = talk.topics.entry(*subject).or_default();
                topic.askers.retain(|&asker| asker != track);
            }
        }
        for statement in said.iter() {
            for (subject, _) in &statement.claims {
                let topic = talk.topics.entry(*subject).or_default();
                if !topic.by.contains(&track) {
                    topic.by.push(track);
                }
                if topic.by.len() > 1 {
                    talk.disputed.insert(*subject);
                }
                talk.open.insert(*subject);
            }
            for subject in &statement.asks {
                talk.topics.entry(*subject).or_default().askers.push(track);
            }
            talk.waiting.insert(track);
        }
    }

    /// Opens the subjects of which something is said in another order now.
    fn reopen(&mut self) {
        let place = self.places();
        let talk = &mut self.talk;
        let moved = talk.disputed.iter().filter(|subject| {
            let said = talk.topics.get(subject);
            said.is_some_and(|said| !said.by.is_sorted_by_key(|track| place.get(track.index())))
        });
        talk.open.extend(moved);
    }

    /// The place in the module of each symbol, by its track.
    fn places(&self) -> Vec<usize> {
        let mut place = vec![0; self.order.iter().map(|t| t.index() + 1).max().unwrap_or(0)];
        for (at, track) in self.order.iter().enumerate() {
            place[track.index()] = at;
        }
        place
    }

    /// Decides about the open subjects.
    fn decide(&mut self, db: &mut Database) {
        if self.talk.open.is_empty() {
            return;
        }
        let open: Vec<_> = self.talk.open.iter().copied().collect();
        let place = match open.iter().any(|subject| self.talk.disputed.contains(subject)) {
            true => self.places(),
            false => Vec::new(),
        };
        for subject in open {
            let mut said = self.talk.topics.remove(&subject).unwrap_or_default();
            said.by.sort_by_key(|track| place.get(track.index()));
            let mut claims = Vec::new();
            for &by in &said.by {
                let statement = self.row(by).and_then(|row| row.statement.as_ref());
                let own = statement.into_iter().flat_map(|s| &s.claims);
                claims.extend(own.filter(|(s, _)| *s == subject).map(|(_, claim)| claim.clone()));
            }
            let topic =
                *said.topic.get_or_insert_with(|| Topic::new(db, self.level, subject, Vec::new()));
            let silent = claims.is_empty();
            if *topic.claims(db) != claims {
                topic.set_claims(db).to(claims);
            }
            let asked = Said { verdict: None, ..said };
            let asked = self.talk.topics.entry(subject).insert_entry(asked).into_mut();
            let verdict = (!silent).then(|| verdict(db, topic).clone());
            self.talk.waiting.extend(&asked.askers);
            asked.verdict = verdict;
            self.talk.open.remove(&subject);
        }
    }

    /// What a symbol that says this is given.
    fn verdicts(&self, common: &Option<Fact>, statement: &Statement<Fact, Fact>) -> Given {
        let Some(common) = common else { return Given::Unsolved };
        let mut verdicts = Vec::new();
        for subject in &statement.asks {
            let said = self.talk.topics.get(subject);
            let Some(decision) = said.and_then(|said| said.verdict.as_ref()) else { continue };
            let Some(fact) = &decision.fact else { return Given::Unsolved };
            verdicts.push((*subject, fact.clone()));
        }
        Given::Verdicts(common.clone(), verdicts)
    }

    /// Tells the symbols of a bottom-up phase whom they call.
    pub(crate) fn link(&mut self, db: &mut Database) {
        for track in self.pending() {
            let Some(row) = self.row_mut(track) else { continue };
            let calls = calls(db, row.stage);
            if row.calls != *calls {
                row.calls = calls.clone();
                self.stale = true;
            }
        }
        if !self.stale && !self.reordered {
            return;
        }
        self.stale = true;
        let all = self.order.iter().map(|&track| match self.row(track) {
            Some(row) => row.calls.clone(),
            None => (None, Vec::new()),
        });
        let all: Vec<Calls> = all.collect();
        if *self.level.calls(db) != all {
            self.level.set_calls(db).to(all);
        }
        let graph = call_graph(db, self.level).clone();
        self.callees_first = graph.callees_first.iter().map(|&place| self.order[place]).collect();
        self.callers.clear();
        for (place, callees) in graph.callees.iter().enumerate() {
            let caller = self.order[place];
            let callees: Vec<Track> = callees.iter().map(|&callee| self.order[callee]).collect();
            for &callee in &callees {
                self.callers.entry(callee).or_default().push(caller);
            }
            let stages = callees.iter().filter_map(|&callee| Some(self.row(callee)?.stage));
            let given = match callees.is_empty() {
                true => Given::Nothing,
                false => Given::Callees(stages.collect()),
            };
            self.give(db, caller, given);
        }
    }

    fn give(&mut self, db: &mut Database, track: Track, given: Given) {
        let Some(row) = self.row(track) else { return };
        let stage = row.stage;
        if *stage.given(db) != given {
            stage.set_given(db).to(given);
            self.dirty.insert(track);
        }
    }
}
