//! What hooks of ops see of the printer, and how ops, blocks and regions are printed.

use std::ops::{Deref, DerefMut};

use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::asm_printer::AsmPrinter;
use super::grow;
use super::names::ValueNames;
use crate::{
    Attr, AttrData, BlockId, Body, Ident, LocData, OPERAND_SEGMENTS, OpId, OpInfo, RESULT_SEGMENTS,
    RegionId, ValueId,
};
use tegula_schema::Format;

/// The attribute in which ops that no dialect defines have their properties.
pub(crate) const PROPERTIES: &str = "<properties>";

/// The numbers of the blocks that go to a block, once for each edge.
type Predecessors = FxHashMap<BlockId, SmallVec<[u32; 2]>>;

/// The printer of ops. It gives everything that [`AsmPrinter`] gives, too.
pub struct OpPrinter<'a> {
    pub(crate) asm: AsmPrinter<'a>,
    pub(crate) body: &'a Body,
    pub(crate) names: ValueNames,
    pub(crate) indent: usize,
    /// The dialects whose ops are printed without prefix, innermost last.
    pub(crate) default_dialects: Vec<&'a str>,
}

impl<'a> Deref for OpPrinter<'a> {
    type Target = AsmPrinter<'a>;

    fn deref(&self) -> &AsmPrinter<'a> {
        &self.asm
    }
}

impl<'a> DerefMut for OpPrinter<'a> {
    fn deref_mut(&mut self) -> &mut AsmPrinter<'a> {
        &mut self.asm
    }
}

/// The dialect that the names of ops in an op's regions need no prefix for
/// (`DefaultDialect<"func">`), or nothing.
pub(crate) fn default_dialect(info: &OpInfo) -> &str {
    let default = info.def().traits.iter().find(|t| t.name == "DefaultDialect");
    default.and_then(|t| t.args.first()).map_or("", |arg| arg.as_ref())
}

/// The terminator that an op's regions need not spell (`SingleBlockImplicitTerminator`).
pub(crate) fn implicit_terminator(info: &OpInfo) -> Option<&str> {
    let names = ["SingleBlockImplicitTerminator", "ImplicitTerminator"];
    let found = info.def().traits.iter().find(|t| names.contains(&t.name.as_ref()))?;
    found.args.first().map(|arg| arg.as_ref())
}

impl<'a> OpPrinter<'a> {
    /// The body that is printed.
    pub fn body(&self) -> &'a Body {
        self.body
    }

    /// Prints the use of a value.
    pub fn operand(&mut self, value: ValueId) {
        self.names.print(self.body, value, true, &mut self.asm.out);
    }

    /// Prints uses with commas between them.
    pub fn operands(&mut self, values: impl IntoIterator<Item = ValueId>) {
        for (index, value) in values.into_iter().enumerate() {
            if index > 0 {
                self.write(", ");
            }
            self.operand(value);
        }
    }

    /// Prints the types of values with commas between them.
    pub fn types_of(&mut self, values: impl IntoIterator<Item = ValueId>) {
        let body = self.body;
        self.types(values.into_iter().map(|v| body.ty(v)));
    }

    /// Prints ` : ` and the types of values with commas between them; nothing for no values.
    pub fn colon_types_of(&mut self, values: impl IntoIterator<Item = ValueId>) {
        let mut values = values.into_iter().peekable();
        if values.peek().is_some() {
            self.write(" : ");
            self.types_of(values);
        }
    }

    /// Prints `%name: type` for an argument of a region, and its location where those are printed.
    pub fn argument(&mut self, value: ValueId) {
        self.argument_with_attrs(value, &[]);
    }

    /// Prints `%name: type {attrs}` likewise.
    pub fn argument_with_attrs(&mut self, value: ValueId, attrs: &[(Ident, Attr)]) {
        self.operand(value);
        self.write(": ");
        let ty = self.body.ty(value);
        self.ty(ty);
        self.optional_dict(attrs, &[]);
        if self.options.debuginfo {
            let loc = self.body.arg_loc(value);
            let loc = loc.unwrap_or_else(|| Attr::new(AttrData::Loc(LocData::Unknown)));
            self.location_in_place(loc);
        }
    }

    /// Prints `(operand types) -> result types` of an op.
    pub fn op_functional_type(&mut self, op: OpId) {
        let body = self.body;
        self.functional_type(
            body.operands(op).map(|v| body.ty(v)),
            body.results(op).map(|v| body.ty(v)),
        );
    }

    /// Prints the name of a successor.
    pub fn successor(&mut self, block: BlockId) {
        let number = self.names.block(block);
        self.display(format_args!("^bb{number}"));
    }

    /// Prints a successor with the values that it takes.
    pub fn successor_with_operands(&mut self, block: BlockId, operands: &[ValueId]) {
        self.successor(block);
        if !operands.is_empty() {
            self.write("(");
            self.operands(operands.iter().copied());
            self.colon_types_of(operands.iter().copied());
            self.write(")");
        }
    }

    /// Starts a new line at the current indentation.
    pub fn newline(&mut self) {
        self.asm.out.push('\n');
        self.spaces();
    }

    fn spaces(&mut self) {
        const BLANKS: &str = "                                                                ";
        let mut left = self.indent;
        while left > 0 {
            let some = left.min(BLANKS.len());
            self.asm.out.push_str(&BLANKS[..some]);
            left -= some;
        }
    }

    /// Indents lines further by two blanks while `body` prints.
    pub fn indented(&mut self, body: impl FnOnce(&mut Self)) {
        self.indent += 2;
        body(self);
        self.indent -= 2;
    }

    /// Prints ` {…}` with the op's attributes but the elided ones; nothing when none are left.
    pub fn attr_dict(&mut self, op: OpId, elided: &[&str]) {
        let entries = self.written_attrs(op);
        self.asm.optional_dict(&entries, elided);
    }

    /// Prints ` {…}` likewise, discardable attributes before the op's own.
    pub fn attr_dict_own_last(&mut self, op: OpId, elided: &[&str]) {
        let entries = self.own_attrs_last(op);
        self.asm.optional_dict(&entries, elided);
    }

    /// Prints ` attributes {…}` of a function: discardable attributes stand before its own.
    pub fn function_attributes(&mut self, op: OpId, elided: &[&str]) {
        let entries = self.own_attrs_last(op);
        self.asm.optional_dict_with_keyword(&entries, elided);
    }

    fn own_attrs_last(&self, op: OpId) -> Entries {
        let mut entries = self.written_attrs(op);
        let info = self.registry().op(self.body().name(op));
        entries.sort_by_key(|(name, _)| info.is_some_and(|info| is_inherent(info, *name)));
        entries
    }

    /// Prints ` attributes {…}` likewise.
    pub fn attr_dict_with_keyword(&mut self, op: OpId, elided: &[&str]) {
        let entries = self.written_attrs(op);
        self.asm.optional_dict_with_keyword(&entries, elided);
    }

    /// The op's attributes without those that no custom form writes.
    fn written_attrs(&self, op: OpId) -> Entries {
        let segments = [OPERAND_SEGMENTS, RESULT_SEGMENTS];
        let entries = self.body.attr_entries(op).iter().copied();
        entries.filter(|(name, _)| !segments.contains(&name.as_str())).collect()
    }

    /// Prints a region with its entry block's arguments if it has any, and its terminators.
    pub fn region(&mut self, region: RegionId) {
        self.region_with(region, true, true, false);
    }

    /// Prints a region: with or without the label of an entry block that has arguments, with or
    /// without the terminator of the entry block, and with a label for an empty entry block or not.
    pub fn region_with(
        &mut self,
        region: RegionId,
        entry_args: bool,
        terminator: bool,
        empty_block: bool,
    ) {
        if self.options.skip_regions {
            self.write("{...}");
            return;
        }
        self.write("{\n");
        let body = self.body;
        if let Some(entry) = body.first_block(region) {
            let info = body.region_parent(region).and_then(|op| self.registry.op(body.name(op)));
            self.default_dialects.push(info.map_or("", default_dialect));
            let empty = body.first_op(entry).is_none();
            let label =
                (empty_block && empty) || (entry_args && !body.block_args(entry).is_empty());
            let mut next = body.next_block(entry);
            let preds = match label || next.is_some() {
                true => self.predecessors(region),
                false => Predecessors::default(),
            };
            self.block(entry, label.then_some(&preds), terminator);
            while let Some(block) = next {
                self.block(block, Some(&preds), true);
                next = body.next_block(block);
            }
            self.default_dialects.pop();
        }
        self.spaces();
        self.write("}");
    }

    /// Prints a block, with a label if its predecessors are given.
    fn block(&mut self, block: BlockId, label: Option<&Predecessors>, terminator: bool) {
        let body = self.body;
        if let Some(preds) = label {
            self.spaces();
            self.successor(block);
            if !body.block_args(block).is_empty() {
                self.write("(");
                for (index, &arg) in body.block_args(block).iter().enumerate() {
                    if index > 0 {
                        self.write(", ");
                    }
                    self.argument(arg);
                }
                self.write(")");
            }
            self.write(":");
            self.predecessor_comment(block, preds.get(&block).map_or(&[], |preds| preds));
            self.write("\n");
        }
        self.indent += 2;
        let last = body.last_op(block).filter(|&op| {
            !terminator && self.registry.op(body.name(op)).is_some_and(|info| info.terminator)
        });
        for op in body.block_ops(block) {
            if Some(op) == last {
                break;
            }
            self.spaces();
            self.op(op);
            if self.collector.is_some() {
                self.asm.out.clear();
            }
            self.write("\n");
        }
        self.indent -= 2;
    }

    fn predecessors(&self, region: RegionId) -> Predecessors {
        let mut preds = Predecessors::default();
        for block in self.body.blocks(region) {
            let successors =
                self.body.last_op(block).map_or(&[][..], |op| self.body.successors(op));
            for &successor in successors {
                preds.entry(successor).or_default().push(self.names.block(block));
            }
        }
        preds
    }

    fn predecessor_comment(&mut self, block: BlockId, preds: &[u32]) {
        let body = self.body;
        let Some(region) = body.block_parent(block) else { return };
        match *preds {
            [] if body.first_block(region) == Some(block) => {}
            [] => self.write("  // no predecessors"),
            [one] => self.display(format_args!("  // pred: ^bb{one}")),
            _ => {
                self.display(format_args!("  // {} preds: ", preds.len()));
                self.comma_list(preds, |p, pred| p.display(format_args!("^bb{pred}")));
            }
        }
    }

    /// Prints an op with its results and location, without indentation.
    pub fn op(&mut self, op: OpId) {
        if self.collector.is_some() && self.options.debuginfo {
            let loc = self.body.loc(op);
            self.collect_loc(loc);
        }
        self.results(op);
        grow(|| self.custom_or_generic(op));
        if self.options.debuginfo && self.collector.is_none() {
            self.write(" ");
            let loc = self.body.loc(op);
            self.location(loc);
        }
    }

    fn results(&mut self, op: OpId) {
        let count = self.body.num_results(op);
        if count == 0 {
            return;
        }
        let starts: SmallVec<[usize; 2]> = self.names.result_groups(op).into();
        for (index, &start) in starts.iter().enumerate() {
            if index > 0 {
                self.write(", ");
            }
            let end = starts.get(index + 1).copied().unwrap_or(count);
            let value = self.body.result(op, start);
            self.names.print(self.body, value, false, &mut self.asm.out);
            if end - start > 1 {
                self.display(format_args!(":{}", end - start));
            }
        }
        self.write(" = ");
    }

    /// Prints an op without its results: in custom form, or in generic form when it has none.
    pub fn custom_or_generic(&mut self, op: OpId) {
        let registry = self.asm.registry;
        let dialect = self.body.name(op).dialect();
        if self.options.generic || self.options.generic_dialects.contains(&dialect) {
            return self.generic(op);
        }
        let Some(info) = registry.op(self.body.name(op)) else { return self.generic(op) };
        match &info.def().format {
            Format::Generic => self.generic(op),
            Format::Program(elems) => {
                self.op_name(op);
                self.format_program(op, info, elems);
            }
            Format::Hook(name) => match info.dialect().hooks.print_op.get(name.as_ref()) {
                Some(hook) => {
                    self.op_name(op);
                    hook(self, op);
                }
                None => self.generic(op),
            },
        }
    }

    fn op_name(&mut self, op: OpId) {
        let name = self.body.name(op).as_str();
        let default = self.default_dialects.last().copied().unwrap_or("builtin");
        match name.strip_prefix(default).and_then(|rest| rest.strip_prefix('.')) {
            Some(rest) if !rest.contains('.') => self.write(rest),
            _ => self.write(name),
        }
    }

    /// Prints an op in generic form.
    pub fn generic(&mut self, op: OpId) {
        let body = self.body;
        let registry = self.asm.registry;
        let info = registry.op(body.name(op));
        self.quoted(body.name(op).as_str());
        self.write("(");
        self.operands(body.operands(op));
        self.write(")");
        if !body.successors(op).is_empty() {
            self.write("[");
            for (index, &block) in body.successors(op).iter().enumerate() {
                if index > 0 {
                    self.write(", ");
                }
                self.successor(block);
            }
            self.write("]");
        }
        let (inherent, discardable) = split_attrs(registry, info, body, op);
        if let Some(properties) = body.attr(op, PROPERTIES) {
            self.write(" <");
            self.attr(properties);
            self.write(">");
        } else if !inherent.is_empty() {
            self.write(" <{");
            self.comma_list(inherent, |p, (name, attr)| p.named_attr(name, attr));
            self.write("}>");
        }
        if !body.regions(op).is_empty() {
            self.write(" (");
            for (index, &region) in body.regions(op).iter().enumerate() {
                if index > 0 {
                    self.write(", ");
                }
                self.region_with(region, true, true, true);
            }
            self.write(")");
        }
        self.optional_dict(&discardable, &[]);
        self.write(" : ");
        self.op_functional_type(op);
    }
}

type Entries = SmallVec<[(Ident, Attr); 4]>;

pub(crate) fn is_inherent(info: &OpInfo, name: Ident) -> bool {
    info.attr_index(name).is_some() || [OPERAND_SEGMENTS, RESULT_SEGMENTS].contains(&name.as_str())
}

/// The op's attributes apart: properties with defaults filled in, and discardable attributes. Ops
/// that no dialect defines have their properties as one attribute.
fn split_attrs(
    registry: &crate::Registry,
    info: Option<&OpInfo>,
    body: &Body,
    op: OpId,
) -> (Entries, Entries) {
    let entries = body.attr_entries(op);
    let Some(info) = info else {
        let is_attr = |(name, _): &&(Ident, Attr)| name.as_str() != PROPERTIES;
        return (Entries::new(), entries.iter().filter(is_attr).copied().collect());
    };
    let (mut inherent, discardable): (Entries, Entries) =
        entries.iter().copied().partition(|(name, _)| is_inherent(info, *name));
    if info.has_defaults {
        let given = inherent.len();
        for (index, (attr, &name)) in info.def().attrs.iter().zip(info.attr_names()).enumerate() {
            let missing = attr.default.is_some()
                && !attr.optional
                && inherent.iter().all(|(given, _)| *given != name);
            if missing && let Some(value) = info.attr_default(registry, index) {
                inherent.push((name, value));
            }
        }
        // The entries of a dictionary are sorted.
        if inherent.len() > given {
            inherent.sort_by(|a, b| a.0.as_str().cmp(b.0.as_str()));
        }
    }
    inherent.retain(|(_, attr)| !matches!(attr.data(), AttrData::Absent));
    (inherent, discardable)
}
