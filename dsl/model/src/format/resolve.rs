//! Elements to programs: names become slots.

use std::borrow::Cow;

use tegula_diag::{Diagnostic, Span, nearest};
use tegula_schema::{
    Anchor, AttrDef, FormatElem, FunctionalSide, OiClause, ParamDef, RegionDef, Slot, SuccessorDef,
    ValueDef,
};

use super::literal;
use super::parse::{Node, NodeKind};

/// The names that an op's format may use.
pub(crate) struct OpNames<'a> {
    /// Attributes that have a default, though it is not in their tables.
    pub(crate) defaulted: &'a [String],
    pub(crate) operands: &'a [ValueDef],
    pub(crate) results: &'a [ValueDef],
    pub(crate) attrs: &'a [AttrDef],
    pub(crate) regions: &'a [RegionDef],
    pub(crate) successors: &'a [SuccessorDef],
}

enum Names<'a> {
    Op(&'a OpNames<'a>),
    Params(&'a [ParamDef]),
}

/// What a name stands for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Named {
    Operand(u16),
    Result(u16),
    Attr(u16),
    Region(u16),
    Successor(u16),
}

/// Where an element stands, which decides what it may be.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    /// Written always.
    Top,
    /// In a part that may be left out.
    Group,
    CustomArg,
}

/// Binds an op's format.
pub(crate) fn resolve_op(
    nodes: &[Node],
    names: &OpNames<'_>,
    out: &mut Vec<Diagnostic>,
) -> Vec<FormatElem> {
    Resolver { names: Names::Op(names), out }.elements(nodes, Place::Top)
}

/// Binds the format of a type or attribute; parameters are attribute slots.
pub(crate) fn resolve_params(
    nodes: &[Node],
    params: &[ParamDef],
    out: &mut Vec<Diagnostic>,
) -> Vec<FormatElem> {
    Resolver { names: Names::Params(params), out }.elements(nodes, Place::Top)
}

struct Resolver<'r> {
    names: Names<'r>,
    out: &'r mut Vec<Diagnostic>,
}

impl Resolver<'_> {
    fn error(&mut self, code: &'static str, message: impl Into<String>, span: Span) {
        self.out.push(Diagnostic::error(code, message).at(span));
    }

    fn elements(&mut self, nodes: &[Node], place: Place) -> Vec<FormatElem> {
        nodes.iter().filter_map(|node| self.element(node, place)).collect()
    }

    fn element(&mut self, node: &Node, place: Place) -> Option<FormatElem> {
        match &node.kind {
            NodeKind::Literal(text) => self.literal(text, node.span),
            NodeKind::Quoted(text) => {
                if place == Place::CustomArg {
                    return Some(FormatElem::Literal(Cow::Owned(text.clone())));
                }
                let message = "a string may only be an argument of a custom directive";
                self.out.push(
                    Diagnostic::error("format-unexpected-string", message).at(node.span).fix(
                        node.span,
                        format!("`{text}`"),
                        "write a literal",
                    ),
                );
                None
            }
            NodeKind::Variable(name) => match self.lookup(name, node.span)? {
                Named::Operand(i) => Some(FormatElem::Operand(i)),
                Named::Attr(i) => {
                    if place == Place::Top {
                        self.never_absent(name, i, &format!("${name}"), node.span);
                    }
                    Some(FormatElem::Attr(i))
                }
                Named::Region(i) => Some(FormatElem::Region(i)),
                Named::Successor(i) => Some(FormatElem::Successor(i)),
                Named::Result(i) => {
                    let code = "format-result";
                    let message = format!("a result is not written; only `type(${name})` is");
                    let fix = format!("type(${name})");
                    self.out.push(Diagnostic::error(code, message).at(node.span).fix(
                        node.span,
                        fix.clone(),
                        format!("write `{fix}`"),
                    ));
                    Some(FormatElem::Type(Slot::Result(i)))
                }
            },
            NodeKind::Directive("qualified", args) => {
                let inner = self.only("qualified", args, node.span)?;
                let element = self.element(inner, Place::Group)?;
                if let (FormatElem::Attr(i), NodeKind::Variable(name)) = (&element, &inner.kind)
                    && place == Place::Top
                {
                    self.never_absent(name, *i, &format!("qualified(${name})"), node.span);
                }
                Some(FormatElem::Qualified(Cow::Owned(vec![element])))
            }
            NodeKind::Directive(name, args) => self.directive(name, args, node.span),
            NodeKind::Custom(name, args) => {
                let args = self.elements(args, Place::CustomArg);
                Some(FormatElem::Custom(Cow::Owned(name.clone()), Cow::Owned(args)))
            }
            NodeKind::OiList(clauses) => {
                let clauses = clauses.iter().filter_map(|c| self.clause(c, node.span)).collect();
                Some(FormatElem::OiList(Cow::Owned(clauses)))
            }
            NodeKind::Optional { then, otherwise } => self.optional(then, otherwise, node.span),
        }
    }

    /// Reports an attribute that may be absent where something is always written.
    fn never_absent(&mut self, name: &str, index: u16, written: &str, span: Span) {
        let Names::Op(op) = self.names else { return };
        let attr = op.attrs.get(usize::from(index));
        let defaulted = op.defaulted.iter().any(|known| known == name);
        if !defaulted && attr.is_some_and(|attr| attr.optional && attr.default.is_none()) {
            let message = format!("`${name}` may be absent, and what is written then is not said");
            let fix = format!("({written}^)?");
            self.out.push(Diagnostic::error("format-optional", message).at(span).fix(
                span,
                fix.clone(),
                format!("write `{fix}`"),
            ));
        }
    }

    fn literal(&mut self, text: &str, span: Span) -> Option<FormatElem> {
        let white = match text {
            "" => Some(""),
            "\\n" | "\n" => Some("\n"),
            _ if text.trim().is_empty() => Some(" "),
            _ => None,
        };
        if let Some(white) = white {
            return Some(FormatElem::Whitespace(Cow::Borrowed(white)));
        }
        if !literal::is_valid(text) {
            let message = format!("`{text}` is neither a keyword nor a punctuation");
            let mut diagnostic = Diagnostic::error("format-literal", message).at(span);
            if let Some(parts) = literal::split(text) {
                let fix: Vec<String> = parts.iter().map(|p| format!("`{p}`")).collect();
                diagnostic = diagnostic.fix(span, fix.join(" "), "split it into tokens");
            }
            self.out.push(diagnostic);
            return None;
        }
        Some(FormatElem::Literal(Cow::Owned(text.to_owned())))
    }

    fn lookup(&mut self, name: &str, span: Span) -> Option<Named> {
        let candidates: Vec<(&str, Named)> = match &self.names {
            Names::Op(op) => (op.operands.iter().map(|o| o.name.as_ref()).zip(0u16..))
                .map(|(n, i)| (n, Named::Operand(i)))
                .chain(op.attrs.iter().zip(0u16..).map(|(a, i)| (a.name.as_ref(), Named::Attr(i))))
                .chain(
                    op.results.iter().zip(0u16..).map(|(r, i)| (r.name.as_ref(), Named::Result(i))),
                )
                .chain(
                    op.regions.iter().zip(0u16..).map(|(r, i)| (r.name.as_ref(), Named::Region(i))),
                )
                .chain(
                    op.successors
                        .iter()
                        .zip(0u16..)
                        .map(|(s, i)| (s.name.as_ref(), Named::Successor(i))),
                )
                .collect(),
            Names::Params(params) => {
                params.iter().zip(0u16..).map(|(p, i)| (p.name.as_ref(), Named::Attr(i))).collect()
            }
        };
        if let Some((_, named)) = candidates.iter().find(|(n, _)| *n == name) {
            return Some(*named);
        }
        let what = match self.names {
            Names::Op(_) => "operand, attribute, result, region or successor",
            Names::Params(_) => "parameter",
        };
        let message = format!("there is no {what} `${name}`");
        let mut diagnostic = Diagnostic::error("format-unknown-variable", message).at(span);
        let mut meant = None;
        if let Some(near) = nearest(name, candidates.iter().map(|(n, _)| *n)) {
            diagnostic = diagnostic.fix(span, format!("${near}"), format!("write `${near}`"));
            meant = candidates.iter().find(|(n, _)| *n == near).map(|(_, named)| *named);
        }
        self.out.push(diagnostic);
        meant
    }

    fn directive(&mut self, name: &str, args: &[Node], span: Span) -> Option<FormatElem> {
        let for_params = matches!(name, "params" | "struct");
        let for_both = name == "ref";
        let in_params = matches!(self.names, Names::Params(_));
        if !for_both && for_params != in_params {
            let whose = if in_params { "a type or attribute" } else { "an op" };
            let message = format!("`{name}` has no meaning in the format of {whose}");
            self.error("format-directive-place", message, span);
            return None;
        }
        match name {
            "attr-dict" => Some(FormatElem::AttrDict { keyword: false }),
            "attr-dict-with-keyword" => Some(FormatElem::AttrDict { keyword: true }),
            "prop-dict" => Some(FormatElem::PropDict),
            "operands" => Some(FormatElem::Operands),
            "regions" => Some(FormatElem::Regions),
            "successors" => Some(FormatElem::Successors),
            "params" => Some(FormatElem::Params),
            "results" => {
                let message = "results are not written; only their types are";
                self.error("format-result", message, span);
                None
            }
            "type" => self.type_of(args, span),
            "functional-type" => self.functional_type(args, span),
            "struct" => self.struct_of(args),
            "ref" => {
                let inner = self.only(name, args, span)?;
                Some(FormatElem::Ref(Cow::Owned(vec![self.element(inner, Place::CustomArg)?])))
            }
            _ => None,
        }
    }

    fn only<'n>(&mut self, name: &str, args: &'n [Node], span: Span) -> Option<&'n Node> {
        match args {
            [only] => Some(only),
            _ => {
                let message = format!("`{name}` takes one argument, not {}", args.len());
                self.error("format-arguments", message, span);
                None
            }
        }
    }

    fn slot(&mut self, node: &Node, directive: &str) -> Option<Slot> {
        if let NodeKind::Variable(name) = &node.kind {
            match self.lookup(name, node.span)? {
                Named::Operand(i) => return Some(Slot::Operand(i)),
                Named::Result(i) => return Some(Slot::Result(i)),
                Named::Attr(_) | Named::Region(_) | Named::Successor(_) => {}
            }
        }
        let message = format!("`{directive}` is of operands and results only");
        self.error("format-arguments", message, node.span);
        None
    }

    fn type_of(&mut self, args: &[Node], span: Span) -> Option<FormatElem> {
        let inner = self.only("type", args, span)?;
        match &inner.kind {
            NodeKind::Directive("operands", _) => Some(FormatElem::OperandTypes),
            NodeKind::Directive("results", _) => Some(FormatElem::ResultTypes),
            _ => Some(FormatElem::Type(self.slot(inner, "type")?)),
        }
    }

    fn functional_type(&mut self, args: &[Node], span: Span) -> Option<FormatElem> {
        let [ins, outs] = args else {
            let message = format!("`functional-type` takes two arguments, not {}", args.len());
            self.error("format-arguments", message, span);
            return None;
        };
        let (ins, outs) = (self.side(ins), self.side(outs));
        Some(FormatElem::FunctionalType(ins?, outs?))
    }

    fn side(&mut self, node: &Node) -> Option<FunctionalSide> {
        match &node.kind {
            NodeKind::Directive("operands", _) => Some(FunctionalSide::Operands),
            NodeKind::Directive("results", _) => Some(FunctionalSide::Results),
            _ => Some(FunctionalSide::Group(self.slot(node, "functional-type")?)),
        }
    }

    fn struct_of(&mut self, args: &[Node]) -> Option<FormatElem> {
        let mut indices = Vec::new();
        for arg in args {
            match &arg.kind {
                NodeKind::Directive("params", _) if args.len() == 1 => {}
                NodeKind::Variable(name) => match self.lookup(name, arg.span)? {
                    Named::Attr(i) => indices.push(i),
                    _ => return None,
                },
                _ => {
                    let message = "`struct` takes parameters or `params`";
                    self.error("format-arguments", message, arg.span);
                    return None;
                }
            }
        }
        Some(FormatElem::Struct(Cow::Owned(indices)))
    }

    fn clause(&mut self, nodes: &[Node], span: Span) -> Option<OiClause> {
        match nodes.split_first() {
            Some((Node { kind: NodeKind::Literal(keyword), .. }, rest)) => Some(OiClause {
                keyword: Cow::Owned(keyword.clone()),
                elems: Cow::Owned(self.elements(rest, Place::Group)),
            }),
            first => {
                let span = first.map_or(span, |(node, _)| node.span);
                let message = "each clause of an oilist begins with a literal";
                self.error("format-oilist", message, span);
                None
            }
        }
    }

    fn optional(&mut self, then: &[Node], otherwise: &[Node], span: Span) -> Option<FormatElem> {
        let anchors: Vec<(&Node, bool)> = (then.iter().map(|n| (n, false)))
            .chain(otherwise.iter().map(|n| (n, true)))
            .filter(|(n, _)| n.anchor.is_some())
            .collect();
        let (anchor_node, inverted) = match anchors[..] {
            [one] => one,
            [] => {
                let message = "no element of the optional group is marked with `^` as its anchor";
                let mut diagnostic = Diagnostic::error("format-anchor", message).at(span);
                let mut able = then.iter().filter(|n| !matches!(n.kind, NodeKind::Literal(_)));
                if let (Some(only), None) = (able.next(), able.next()) {
                    let at = only.span.end_point();
                    diagnostic = diagnostic.fix(at, "^", "mark it");
                }
                self.out.push(diagnostic);
                return None;
            }
            [first, second, ..] => {
                let spans = (first.0.anchor, second.0.anchor);
                let mut diagnostic =
                    Diagnostic::error("format-anchor", "an optional group has only one anchor")
                        .at_opt(spans.1);
                if let (Some(one), Some(two)) = spans {
                    diagnostic =
                        diagnostic.label(one, "the first is here").fix(two, "", "remove this one");
                }
                self.out.push(diagnostic);
                return None;
            }
        };
        let anchor = self.anchor(anchor_node);
        let then = self.elements(then, Place::Group);
        let otherwise = self.elements(otherwise, Place::Group);
        Some(FormatElem::Optional {
            then: Cow::Owned(then),
            otherwise: Cow::Owned(otherwise),
            anchor: anchor?,
            inverted,
        })
    }

    /// What the anchored element stands for. Names that do not resolve are reported where the
    /// element itself is.
    fn anchor(&mut self, node: &Node) -> Option<Anchor> {
        let before = self.out.len();
        let anchor = match &node.kind {
            NodeKind::Variable(name) => self.lookup(name, node.span).map(|named| self.of(named)),
            NodeKind::Directive("type" | "qualified", args) => match args.as_slice() {
                [inner] => {
                    self.out.truncate(before);
                    return self.anchor(inner);
                }
                _ => None,
            },
            NodeKind::Directive("params" | "struct", _) => Some(Anchor::Custom(self.all_params())),
            NodeKind::Custom(_, args) => {
                let mut slots = Vec::new();
                let mut other = None;
                self.custom_slots(args, &mut slots, &mut other);
                match (slots.is_empty(), other) {
                    (true, Some(anchor)) => Some(anchor),
                    _ => Some(Anchor::Custom(Cow::Owned(slots))),
                }
            }
            _ => {
                let span = node.anchor.unwrap_or(node.span);
                let message = "this element cannot be an anchor: it is never absent";
                self.error("format-anchor", message, span);
                return None;
            }
        };
        if anchor.is_none() {
            self.out.truncate(before);
        }
        anchor
    }

    fn of(&self, named: Named) -> Anchor {
        match (named, &self.names) {
            (Named::Attr(i), Names::Params(_)) => Anchor::Param(i),
            (Named::Operand(i), _) => Anchor::Slot(Slot::Operand(i)),
            (Named::Result(i), _) => Anchor::Slot(Slot::Result(i)),
            (Named::Attr(i), _) => Anchor::Slot(Slot::Attr(i)),
            (Named::Region(i), _) => Anchor::Region(i),
            (Named::Successor(i), _) => Anchor::Successor(i),
        }
    }

    fn all_params(&self) -> Cow<'static, [Slot]> {
        match self.names {
            Names::Params(params) => {
                params.iter().zip(0u16..).map(|(_, i)| Slot::Attr(i)).collect()
            }
            Names::Op(_) => Cow::Borrowed(&[]),
        }
    }

    fn custom_slots(&mut self, args: &[Node], slots: &mut Vec<Slot>, other: &mut Option<Anchor>) {
        for arg in args {
            match &arg.kind {
                NodeKind::Variable(name) => match self.lookup(name, arg.span) {
                    Some(Named::Operand(i)) => slots.push(Slot::Operand(i)),
                    Some(Named::Attr(i)) => slots.push(Slot::Attr(i)),
                    Some(Named::Result(i)) => slots.push(Slot::Result(i)),
                    Some(named) => *other = other.take().or(Some(self.of(named))),
                    None => {}
                },
                // A type goes with its value; what is only referred to decides nothing.
                NodeKind::Directive("type", args) => {
                    for arg in args {
                        if let NodeKind::Variable(name) = &arg.kind
                            && let Some(Named::Result(i)) = self.lookup(name, arg.span)
                        {
                            slots.push(Slot::Result(i));
                        }
                    }
                }
                _ => {}
            }
        }
    }
}
