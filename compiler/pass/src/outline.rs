//! What a plan runs, as a tree: for listings and reports.

use crate::plan::{Anchor, Node, PassStep, Phase, Plan};
use crate::text::{ADAPTOR, FIXED_POINT};
use crate::{PassInfo, RegisteredPass};

/// One pass or pipeline of a plan.
pub struct Outline<'a> {
    /// As pipeline text writes it, without what is in it.
    pub text: String,
    /// As reports call it: `CSEPass`, `'func.func' Pipeline`.
    pub title: String,
    /// Its number in the plan; none for pipelines on ops.
    pub index: Option<usize>,
    /// The pass, where it is one that is defined.
    pub pass: Option<&'a RegisteredPass>,
    /// What runs in it.
    pub inner: Vec<Outline<'a>>,
    /// Pipeline text spells what is in it in parentheses.
    spelled: bool,
}

impl Plan {
    /// The passes and pipelines on the module.
    pub fn outline(&self) -> Vec<Outline<'_>> {
        of_phases(&self.phases)
    }

    /// The pipeline as text over several lines, as `--dump-pass-pipeline` prints it.
    pub fn dump(&self) -> String {
        let all = self.outline();
        let mut out = format!("Pass Manager with {} passes:\nbuiltin.module(\n", all.len());
        write_list(&all, 1, &mut out);
        out.push_str(")\n");
        out
    }

    /// The pipeline as text on one line; with a number, of that pass alone, in what it is nested in.
    pub fn text(&self, only: Option<usize>) -> String {
        let mut out = String::from("builtin.module(");
        write_line(&self.outline(), only, &mut out);
        out.push(')');
        out
    }
}

impl Outline<'_> {
    fn holds(&self, index: usize) -> bool {
        self.index == Some(index) || self.inner.iter().any(|inner| inner.holds(index))
    }
}

fn write_line(all: &[Outline<'_>], only: Option<usize>, out: &mut String) {
    let wanted = all.iter().filter(|outline| only.is_none_or(|index| outline.holds(index)));
    for (at, outline) in wanted.enumerate() {
        out.push_str(if at > 0 { "," } else { "" });
        out.push_str(&outline.text);
        if outline.spelled {
            out.push('(');
            write_line(&outline.inner, only, out);
            out.push(')');
        }
    }
}

fn write_list(all: &[Outline<'_>], depth: usize, out: &mut String) {
    let indent = "  ".repeat(depth);
    for (at, outline) in all.iter().enumerate() {
        out.push_str(&indent);
        out.push_str(&outline.text);
        if outline.spelled {
            out.push_str("(\n");
            write_list(&outline.inner, depth + 1, out);
            out.push_str(&indent);
            out.push(')');
        }
        out.push_str(if at + 1 < all.len() { ",\n" } else { "\n" });
    }
}

fn of_phases(phases: &[Phase]) -> Vec<Outline<'_>> {
    phases.iter().flat_map(of_phase).collect()
}

fn of_phase(phase: &Phase) -> Vec<Outline<'_>> {
    match phase {
        Phase::Local(nodes) => of_nodes(nodes),
        Phase::Solved(anchor, step)
        | Phase::BySubject(anchor, step)
        | Phase::BottomUp(anchor, step) => match anchor {
            Anchor::Any => vec![of_step(step)],
            Anchor::Ops(_) => vec![pipeline(anchor, vec![of_step(step)])],
        },
        Phase::Header(step) | Phase::Module(step) => vec![of_step(step)],
        Phase::FixedPoint(node) => vec![of_node(node)],
        Phase::Group(info, phases) => vec![group(info, of_phases(phases))],
    }
}

fn of_nodes(nodes: &[Node]) -> Vec<Outline<'_>> {
    nodes.iter().map(of_node).collect()
}

fn of_node(node: &Node) -> Outline<'_> {
    match node {
        Node::Pass(step) => of_step(step),
        Node::Nest { anchor, nodes } => pipeline(anchor, of_nodes(nodes)),
        Node::Adaptor { entries, index } => {
            let inner = entries.iter().map(|(anchor, nodes)| pipeline(anchor, of_nodes(nodes)));
            let mut outline = group(&PassInfo::adaptor(*index), inner.collect());
            outline.text = ADAPTOR.to_owned();
            outline.spelled = true;
            outline
        }
        Node::FixedPoint { max_iterations, phases, text, index } => Outline {
            text: format!("{FIXED_POINT}{{max-iterations={max_iterations} pipeline={text}}}"),
            title: FIXED_POINT.to_owned(),
            index: Some(*index),
            pass: None,
            inner: of_phases(phases),
            spelled: false,
        },
        Node::Group { info, nodes } => group(info, of_nodes(nodes)),
    }
}

fn of_step(step: &PassStep) -> Outline<'_> {
    let mut outline = group(&PassInfo::of(step), Vec::new());
    outline.pass = Some(&step.pass);
    outline
}

fn group<'a>(info: &PassInfo, inner: Vec<Outline<'a>>) -> Outline<'a> {
    let options = match &*info.options {
        "" => String::new(),
        options => format!("{{{options}}}"),
    };
    Outline {
        text: format!("{}{options}", info.argument),
        title: info.class.rsplit("::").next().unwrap_or_default().to_owned(),
        index: Some(info.index),
        pass: None,
        inner,
        spelled: false,
    }
}

fn pipeline<'a>(anchor: &Anchor, inner: Vec<Outline<'a>>) -> Outline<'a> {
    let text = match anchor {
        Anchor::Any => "any".to_owned(),
        Anchor::Ops(names) => names.iter().map(|name| name.as_str()).collect::<Vec<_>>().join("|"),
    };
    let title = format!("'{text}' Pipeline");
    Outline { text, title, index: None, pass: None, inner, spelled: true }
}
