//! How long passes take and what they count: `--mlir-timing` and `--mlir-pass-statistics`.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::time::{Duration, Instant};

use indexmap::IndexMap;

use crate::{Instrument, Outline, PassInfo, PassResult, Plan, Target};

/// How a report is laid out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Display {
    /// Passes in the pipelines in which they run.
    Tree,
    /// Each kind of pass once; in a report of times the longest first.
    List,
}

/// What a run spent on each pass of its plan.
#[derive(Default)]
pub struct Profile {
    open: Vec<Instant>,
    passes: BTreeMap<usize, Spent>,
}

#[derive(Clone, Default)]
struct Spent {
    time: Duration,
    statistics: IndexMap<&'static str, u64>,
}

impl Instrument for Profile {
    fn before(&mut self, _: &PassInfo, _: Target<'_>) {
        self.open.push(Instant::now());
    }

    fn counted(&mut self, pass: &PassInfo, statistics: &IndexMap<&'static str, u64>) {
        let all = &mut self.passes.entry(pass.index).or_default().statistics;
        for (name, count) in statistics {
            *all.entry(name).or_default() += count;
        }
    }

    fn after(&mut self, pass: &PassInfo, _: Target<'_>, _: PassResult) {
        if let Some(start) = self.open.pop() {
            self.passes.entry(pass.index).or_default().time += start.elapsed();
        }
    }
}

/// One line of a report of times.
struct Line {
    depth: usize,
    title: String,
    time: Duration,
}

impl Profile {
    /// The report of times: what came before the passes, the passes, what came behind them, and
    /// the rest of `total`.
    pub fn times(
        &self,
        plan: &Plan,
        display: Display,
        before: &[(&str, Duration)],
        behind: &[(&str, Duration)],
        total: Duration,
    ) -> String {
        let line = |&(title, time): &(&str, Duration)| Line { depth: 0, title: title.into(), time };
        let outline = plan.outline();
        let mut lines: Vec<Line> = before.iter().map(line).collect();
        outline.iter().for_each(|outline| self.lines(outline, 0, &mut lines));
        lines.extend(behind.iter().map(line));
        let told = lines.iter().filter(|line| line.depth == 0).map(|line| line.time).sum();
        if display == Display::List {
            lines = self.list(&outline, before, behind);
        }
        let rest = total.saturating_sub(told);
        lines.push(Line { depth: 0, title: "Rest".into(), time: rest });
        lines.push(Line { depth: 0, title: "Total".into(), time: total });
        let seconds = total.as_secs_f64();
        let mut out = headline("Execution time report");
        let _ = writeln!(out, "  Total Execution Time: {seconds:.4} seconds\n");
        out.push_str("  ----Wall Time----  ----Name----\n");
        for Line { depth, title, time } in lines {
            let time = time.as_secs_f64();
            let share = 100.0 * time / seconds.max(f64::MIN_POSITIVE);
            let indent = "  ".repeat(depth);
            let _ = writeln!(out, "  {time:8.4} ({share:5.1}%)  {indent}{title}");
        }
        out
    }

    fn lines(&self, outline: &Outline<'_>, depth: usize, out: &mut Vec<Line>) {
        out.push(Line { depth, title: outline.title.clone(), time: self.time(outline) });
        outline.inner.iter().for_each(|inner| self.lines(inner, depth + 1, out));
    }

    /// Each title once, the longest first.
    fn list(
        &self,
        outline: &[Outline<'_>],
        before: &[(&str, Duration)],
        behind: &[(&str, Duration)],
    ) -> Vec<Line> {
        let mut times: IndexMap<String, Duration> = IndexMap::new();
        for (title, time) in before.iter().chain(behind) {
            *times.entry((*title).to_owned()).or_default() += *time;
        }
        each_pass(outline, &mut |pass| {
            *times.entry(pass.title.clone()).or_default() += self.time(pass);
        });
        times.sort_by(|_, a, _, b| b.cmp(a));
        times.into_iter().map(|(title, time)| Line { depth: 0, title, time }).collect()
    }

    /// The time of a pass, or of all in a pipeline.
    fn time(&self, outline: &Outline<'_>) -> Duration {
        match outline.index {
            Some(index) => self.passes.get(&index).map_or(Duration::ZERO, |spent| spent.time),
            None => outline.inner.iter().map(|inner| self.time(inner)).sum(),
        }
    }

    /// The report of what passes have counted. A list has only passes that count something.
    pub fn statistics(&self, plan: &Plan, display: Display) -> String {
        let outline = plan.outline();
        let mut out = headline("Pass statistics report");
        match display {
            Display::Tree => {
                outline.iter().for_each(|outline| self.counted_in(outline, 0, &mut out));
            }
            Display::List => {
                let mut all: BTreeMap<String, (&Outline<'_>, IndexMap<&str, u64>)> =
                    BTreeMap::new();
                each_pass(&outline, &mut |pass| {
                    let counts = self.counts(pass);
                    if counts.is_empty() {
                        return;
                    }
                    let (_, sums) =
                        all.entry(pass.title.clone()).or_insert((pass, IndexMap::new()));
                    for (name, count) in counts {
                        *sums.entry(name).or_default() += count;
                    }
                });
                for (title, (pass, counts)) in &all {
                    let _ = writeln!(out, "  {title}");
                    write_counts(pass, counts, 2, &mut out);
                }
            }
        }
        out
    }

    fn counted_in(&self, outline: &Outline<'_>, depth: usize, out: &mut String) {
        let _ = writeln!(out, "{}{}", "  ".repeat(depth), outline.title);
        write_counts(outline, &self.counts(outline), depth + 1, out);
        outline.inner.iter().for_each(|inner| self.counted_in(inner, depth + 1, out));
    }

    /// What a pass has counted, all of its statistics in order.
    fn counts<'a>(&self, outline: &Outline<'a>) -> IndexMap<&'a str, u64> {
        let spent = outline.index.and_then(|index| self.passes.get(&index));
        let statistics = outline.pass.into_iter().flat_map(|pass| pass.def.statistics.iter());
        statistics
            .map(|statistic| {
                let name = statistic.name.as_ref();
                let count = spent.and_then(|spent| spent.statistics.get(name));
                (name, count.copied().unwrap_or_default())
            })
            .collect()
    }
}

fn each_pass<'o, 'a>(all: &'o [Outline<'a>], visit: &mut impl FnMut(&'o Outline<'a>)) {
    for outline in all {
        if outline.index.is_some() {
            visit(outline);
        }
        each_pass(&outline.inner, visit);
    }
}

fn write_counts(
    outline: &Outline<'_>,
    counts: &IndexMap<&str, u64>,
    depth: usize,
    out: &mut String,
) {
    let statistics = outline.pass.into_iter().flat_map(|pass| pass.def.statistics.iter());
    let digits = counts.values().map(|count| count.to_string().len()).max().unwrap_or_default();
    let width = counts.keys().map(|name| name.len()).max().unwrap_or_default();
    for statistic in statistics {
        let count = counts.get(statistic.name.as_ref()).copied().unwrap_or_default();
        let (name, summary) = (&statistic.name, &statistic.summary);
        let indent = "  ".repeat(depth);
        let _ = writeln!(out, "{indent}(S) {count:digits$} {name:width$} - {summary}");
    }
}

/// The first lines of a report.
fn headline(title: &str) -> String {
    let rule = format!("==={}===\n", "-".repeat(73));
    let title = format!("... {title} ...");
    let blanks = " ".repeat((80usize.saturating_sub(title.len())) / 2);
    format!("{rule}{blanks}{title}\n{rule}")
}
