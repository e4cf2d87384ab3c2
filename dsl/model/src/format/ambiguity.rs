//! Formats of which one text has two readings.

use tegula_diag::{Diagnostic, Span};
use tegula_schema::{Arity, OpDef, ParamKind, Pred};

use super::parse::{Node, NodeKind};

/// What a part of a format may begin with, as far as it tells parts apart.
#[derive(Clone, Debug, PartialEq, Eq)]
enum First {
    Token(String),
    /// `%`
    Operand,
    /// `{`
    Brace,
    /// `^`
    Block,
}

/// Reports parts that may be absent and that what follows begins like: a reader would take it for
/// them. What custom directives read is not known, so nothing is said of them.
pub(crate) fn check(op: &OpDef, nodes: &[Node], out: &mut Vec<Diagnostic>) {
    let mut reported: Vec<Span> = Vec::new();
    Checker { op, out, reported: &mut reported }.sequence(nodes, &[]);
}

struct Checker<'c> {
    op: &'c OpDef,
    out: &'c mut Vec<Diagnostic>,
    reported: &'c mut Vec<Span>,
}

impl Checker<'_> {
    /// Checks elements that `after` follow.
    fn sequence(&mut self, nodes: &[Node], after: &[&Node]) {
        for (at, node) in nodes.iter().enumerate() {
            let rest: Vec<&Node> = nodes[at + 1..].iter().chain(after.iter().copied()).collect();
            if let NodeKind::Optional { then, otherwise } = &node.kind {
                self.sequence(then, &rest);
                self.sequence(otherwise, &rest);
            }
            if let NodeKind::OiList(clauses) = &node.kind {
                for clause in clauses {
                    self.sequence(clause, &rest);
                }
            }
            self.typed_before_colon(node, &rest);
            let absent = self.may_be_absent(node);
            let firsts = self.first(node);
            if !absent || firsts.is_empty() {
                continue;
            }
            for next in &rest {
                // Attributes that nothing else writes are rare, and a reader finds that they are
                // none of what stands before.
                if matches!(next.kind, NodeKind::Directive("attr-dict", _)) {
                    continue;
                }
                let clash = self.first(next).into_iter().find(|first| firsts.contains(first));
                if let Some(first) = clash {
                    self.report(node, next, &first);
                    break;
                }
                if !self.may_be_absent(next) {
                    break;
                }
            }
        }
    }

    fn report(&mut self, node: &Node, next: &Node, first: &First) {
        if self.reported.contains(&next.span) {
            return;
        }
        self.reported.push(next.span);
        let begins = match first {
            First::Token(text) => format!("`{text}`"),
            First::Operand => "an operand".to_owned(),
            First::Brace => "`{`".to_owned(),
            First::Block => "a block".to_owned(),
        };
        let message =
            format!("{begins} here may also begin what stands before, which may be absent");
        let mut diagnostic = Diagnostic::error("format-ambiguous", message)
            .at(next.span)
            .label(node.span, "this may be absent");
        if matches!(node.kind, NodeKind::Directive("attr-dict", _)) {
            let keyword = "attr-dict-with-keyword";
            diagnostic = diagnostic.fix(node.span, keyword, format!("write `{keyword}`"));
        }
        self.out.push(diagnostic);
    }

    /// Reports a `:` behind an attribute that ends in one with its type.
    fn typed_before_colon(&mut self, node: &Node, rest: &[&Node]) {
        let (NodeKind::Variable(name), Some(next)) = (&node.kind, rest.first()) else { return };
        let NodeKind::Literal(colon) = &next.kind else { return };
        let attr = self.op.attrs.iter().find(|attr| attr.name == *name);
        let typed = attr.is_some_and(|attr| {
            attr.kind == ParamKind::Attr
                && attr.value_type.is_empty()
                && may_have_type(&attr.constraint.pred)
        });
        if colon == ":" && typed && !self.reported.contains(&next.span) {
            self.reported.push(next.span);
            let message = format!("`:` here may also begin the type of `${name}`");
            self.out.push(
                Diagnostic::error("format-ambiguous", message)
                    .at(next.span)
                    .label(node.span, "an attribute that is written with its type"),
            );
        }
    }

    fn may_be_absent(&self, node: &Node) -> bool {
        match &node.kind {
            NodeKind::Variable(name) => {
                let absent = |arity: Arity| arity != Arity::One;
                let op = self.op;
                op.operands.iter().any(|v| v.name == *name && absent(v.arity))
                    || op.regions.iter().any(|r| r.name == *name && absent(r.arity))
                    || op.successors.iter().any(|s| s.name == *name && absent(s.arity))
            }
            NodeKind::Directive(name, _) => match *name {
                "attr-dict" | "attr-dict-with-keyword" | "prop-dict" => true,
                "operands" => self.op.operands.iter().all(|v| v.arity != Arity::One),
                "regions" => self.op.regions.iter().all(|r| r.arity != Arity::One),
                "successors" => self.op.successors.iter().all(|s| s.arity != Arity::One),
                _ => false,
            },
            NodeKind::Optional { otherwise, .. } => {
                otherwise.iter().all(|node| self.may_be_absent(node) || is_white(node))
            }
            NodeKind::OiList(_) => true,
            NodeKind::Literal(_) => is_white(node),
            NodeKind::Quoted(_) | NodeKind::Custom(..) => false,
        }
    }

    fn first(&self, node: &Node) -> Vec<First> {
        let op = self.op;
        match &node.kind {
            NodeKind::Literal(_) if is_white(node) => Vec::new(),
            NodeKind::Literal(text) if text == "{" => vec![First::Brace],
            NodeKind::Literal(text) => vec![First::Token(text.clone())],
            NodeKind::Variable(name) => {
                if op.operands.iter().any(|v| v.name == *name) {
                    vec![First::Operand]
                } else if op.regions.iter().any(|r| r.name == *name) {
                    vec![First::Brace]
                } else if op.successors.iter().any(|s| s.name == *name) {
                    vec![First::Block]
                } else {
                    Vec::new()
                }
            }
            NodeKind::Directive(name, _) => match *name {
                "attr-dict" => vec![First::Brace],
                "attr-dict-with-keyword" => vec![First::Token("attributes".to_owned())],
                "operands" if !op.operands.is_empty() => vec![First::Operand],
                "regions" if !op.regions.is_empty() => vec![First::Brace],
                "successors" if !op.successors.is_empty() => vec![First::Block],
                _ => Vec::new(),
            },
            NodeKind::Optional { then, otherwise } => {
                let mut firsts = self.first_of(then);
                firsts.extend(self.first_of(otherwise));
                firsts
            }
            NodeKind::OiList(clauses) => clauses.iter().flat_map(|c| self.first_of(c)).collect(),
            NodeKind::Quoted(_) | NodeKind::Custom(..) => Vec::new(),
        }
    }

    /// What a sequence may begin with.
    fn first_of(&self, nodes: &[Node]) -> Vec<First> {
        let mut firsts = Vec::new();
        for node in nodes {
            firsts.extend(self.first(node));
            if !self.may_be_absent(node) {
                break;
            }
        }
        firsts
    }
}

fn is_white(node: &Node) -> bool {
    matches!(&node.kind, NodeKind::Literal(text) if text.trim().is_empty() || text == "\\n")
}

/// Whether an attribute may be written with a `:` and its type.
fn may_have_type(pred: &Pred) -> bool {
    match pred {
        Pred::Any | Pred::AttrType(_) => true,
        Pred::AttrKind(kind) => {
            matches!(kind.as_ref(), "integer" | "float" | "elements" | "dense_elements")
        }
        Pred::And(preds) => preds.iter().all(may_have_type),
        Pred::Or(preds) => preds.iter().any(may_have_type),
        _ => false,
    }
}
