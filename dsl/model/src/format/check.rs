//! Whether a format can be read back: everything that parsing has to know is written or follows.

use tegula_diag::{Diagnostic, Span};
use tegula_schema::{Arity, FormatElem, FunctionalSide, OpDef, ParamDef, Slot, TypeRule};

use super::parse::{Node, NodeKind};

/// What a format writes, by index.
#[derive(Default)]
struct Written {
    operands: Vec<u16>,
    attrs: Vec<u16>,
    regions: Vec<u16>,
    successors: Vec<u16>,
    operand_types: Vec<u16>,
    result_types: Vec<u16>,
    all_operands: bool,
    all_regions: bool,
    all_successors: bool,
    all_operand_types: bool,
    all_result_types: bool,
    attr_dict: bool,
    all_params: bool,
}

/// Whether a format is all there in spite of a finding: what its author meant is known, or makes no
/// difference to what is written.
pub(crate) fn is_whole(diagnostic: &Diagnostic) -> bool {
    match &*diagnostic.code {
        "format-optional" | "format-duplicate" | "format-literal" | "format-unexpected-string" => {
            true
        }
        "format-unknown-variable" | "format-result" => diagnostic.fix.is_some(),
        _ => false,
    }
}

/// Reports what `program`, the format of `op`, leaves open. `at` is the format string.
pub(crate) fn check_op(op: &OpDef, program: &[FormatElem], at: Span, out: &mut Vec<Diagnostic>) {
    let mut written = Written::default();
    written.all(program);
    if !written.attr_dict {
        let message = format!("the format of `{}` has no `attr-dict`", op.name);
        out.push(
            Diagnostic::error("format-missing-attr-dict", message)
                .at(at)
                .note("without it attributes that the format does not name could not be written"),
        );
    }
    for (operand, index) in op.operands.iter().zip(0u16..) {
        if !written.all_operands && !written.operands.contains(&index) {
            missing(out, "format-missing-operand", "operand", &operand.name, at);
        }
    }
    for (region, index) in op.regions.iter().zip(0u16..) {
        if !written.all_regions && !written.regions.contains(&index) {
            missing(out, "format-missing-region", "region", &region.name, at);
        }
    }
    for (successor, index) in op.successors.iter().zip(0u16..) {
        if !written.all_successors && !written.successors.contains(&index) {
            missing(out, "format-missing-successor", "successor", &successor.name, at);
        }
    }
    types(op, &written, at, out);
}

fn missing(out: &mut Vec<Diagnostic>, code: &'static str, what: &str, name: &str, at: Span) {
    out.push(Diagnostic::error(code, format!("the {what} `${name}` is not in the format")).at(at));
}

/// Reports operands and results whose types neither stand in the format nor follow from it.
fn types(op: &OpDef, written: &Written, at: Span, out: &mut Vec<Diagnostic>) {
    let buildable = |value: &tegula_schema::ValueDef| value.constraint.buildable.is_some();
    let mut known: Vec<Slot> = Vec::new();
    for (operand, i) in op.operands.iter().zip(0u16..) {
        if written.all_operand_types || written.operand_types.contains(&i) || buildable(operand) {
            known.push(Slot::Operand(i));
        }
    }
    for (result, i) in op.results.iter().zip(0u16..) {
        if written.all_result_types || written.result_types.contains(&i) || buildable(result) {
            known.push(Slot::Result(i));
        }
    }
    // Attributes that the format does not write stand in the dictionary with their types.
    known.extend(op.attrs.iter().zip(0u16..).map(|(_, i)| Slot::Attr(i)));
    loop {
        let before = known.len();
        for rule in op.type_rules.iter() {
            match rule {
                TypeRule::Same(slots) if slots.iter().any(|s| known.contains(s)) => {
                    known.extend(slots.iter().filter(|s| !known.contains(s)).collect::<Vec<_>>());
                }
                TypeRule::Derived { from, to, .. }
                    if known.contains(from) && !known.contains(to) =>
                {
                    known.push(*to);
                }
                _ => {}
            }
        }
        if known.len() == before {
            break;
        }
    }
    let operands = op.operands.iter().zip(0u16..).map(|(v, i)| (v, Slot::Operand(i), "operand"));
    let results = op.results.iter().zip(0u16..).map(|(v, i)| (v, Slot::Result(i), "result"));
    for (value, slot, what) in operands.chain(results) {
        if known.contains(&slot) {
            continue;
        }
        let message =
            format!("the type of the {what} `${}` does not follow from the format", value.name);
        let fix = format!("type(${})", value.name);
        let mut diagnostic = Diagnostic::error("format-unknown-type", message).at(at);
        diagnostic = diagnostic.note(format!(
            "write `{fix}`, or state how it follows (`AllTypesMatch`, `TypesMatchWith`)"
        ));
        if value.arity != Arity::One {
            diagnostic = diagnostic.note("the group may be empty: write it in an optional group");
        }
        out.push(diagnostic);
    }
}

/// Reports parameters that the format of a type or attribute cannot read.
pub(crate) fn check_params(
    params: &[ParamDef],
    program: &[FormatElem],
    at: Span,
    out: &mut Vec<Diagnostic>,
) {
    let mut written = Written::default();
    written.all(program);
    for (param, index) in params.iter().zip(0u16..) {
        if !written.all_params && !written.attrs.contains(&index) && !param.optional {
            missing(out, "format-missing-parameter", "parameter", &param.name, at);
        }
    }
}

/// Reports variables that are written twice.
pub(crate) fn duplicates(nodes: &[Node], out: &mut Vec<Diagnostic>) {
    let mut seen: Vec<(String, Span)> = Vec::new();
    collect(nodes, &mut seen, out);
}

fn collect(nodes: &[Node], seen: &mut Vec<(String, Span)>, out: &mut Vec<Diagnostic>) {
    for node in nodes {
        match &node.kind {
            NodeKind::Variable(name) => note_use(format!("${name}"), node.span, seen, out),
            NodeKind::Directive("type", args) => {
                if let [Node { kind: NodeKind::Variable(name), .. }] = args.as_slice() {
                    note_use(format!("type(${name})"), node.span, seen, out);
                }
            }
            // What is only referred to is written elsewhere.
            NodeKind::Directive("ref" | "functional-type", _) => {}
            NodeKind::Directive(_, args) | NodeKind::Custom(_, args) => collect(args, seen, out),
            NodeKind::OiList(clauses) => clauses.iter().for_each(|c| collect(c, seen, out)),
            NodeKind::Optional { then, otherwise } => {
                // Only one of the two is written.
                let mut other = seen.clone();
                collect(otherwise, &mut other, out);
                collect(then, seen, out);
                for entry in other {
                    if !seen.iter().any(|(text, _)| *text == entry.0) {
                        seen.push(entry);
                    }
                }
            }
            NodeKind::Literal(_) | NodeKind::Quoted(_) => {}
        }
    }
}

fn note_use(text: String, span: Span, seen: &mut Vec<(String, Span)>, out: &mut Vec<Diagnostic>) {
    if let Some((_, first)) = seen.iter().find(|(t, _)| *t == text) {
        out.push(
            Diagnostic::error("format-duplicate", format!("`{text}` is written twice"))
                .at(span)
                .label(*first, "first written here")
                .fix(span, "", "remove it"),
        );
        return;
    }
    seen.push((text, span));
}

impl Written {
    fn all(&mut self, elems: &[FormatElem]) {
        elems.iter().for_each(|elem| self.add(elem));
    }

    fn add(&mut self, elem: &FormatElem) {
        match elem {
            FormatElem::Operand(i) => self.operands.push(*i),
            FormatElem::Attr(i) => self.attrs.push(*i),
            FormatElem::Region(i) => self.regions.push(*i),
            FormatElem::Successor(i) => self.successors.push(*i),
            FormatElem::Operands => self.all_operands = true,
            FormatElem::Regions => self.all_regions = true,
            FormatElem::Successors => self.all_successors = true,
            FormatElem::AttrDict { .. } => self.attr_dict = true,
            FormatElem::Params => self.all_params = true,
            FormatElem::Struct(params) if params.is_empty() => self.all_params = true,
            FormatElem::Struct(params) => self.attrs.extend(params.iter()),
            FormatElem::Type(slot) => self.type_of(*slot),
            FormatElem::OperandTypes => self.all_operand_types = true,
            FormatElem::ResultTypes => self.all_result_types = true,
            FormatElem::FunctionalType(ins, outs) => {
                for side in [ins, outs] {
                    match side {
                        FunctionalSide::Operands => self.all_operand_types = true,
                        FunctionalSide::Results => self.all_result_types = true,
                        FunctionalSide::Group(slot) => self.type_of(*slot),
                    }
                }
            }
            FormatElem::Qualified(inner) | FormatElem::Custom(_, inner) => self.all(inner),
            FormatElem::Optional { then, otherwise, .. } => {
                self.all(then);
                self.all(otherwise);
            }
            FormatElem::OiList(clauses) => clauses.iter().for_each(|c| self.all(&c.elems)),
            FormatElem::Literal(_)
            | FormatElem::Whitespace(_)
            | FormatElem::PropDict
            | FormatElem::Ref(_) => {}
        }
    }

    fn type_of(&mut self, slot: Slot) {
        match slot {
            Slot::Operand(i) => self.operand_types.push(i),
            Slot::Result(i) => self.result_types.push(i),
            Slot::Attr(_) => {}
        }
    }
}
