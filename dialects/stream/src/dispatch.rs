//! Dispatch sites and the device functions behind them.

use std::ops::Range;

use tegula_ir::{Attr, AttrData, Body, OpId, Type, ValueId};
use tegula_pass::{Statement, Subject};

/// A `stream.cmd.dispatch` by its parts. It reads the sizes of the operand groups from the op
/// itself, in the order of their definition.
#[derive(Clone, Debug)]
pub struct CmdDispatch {
    /// The op.
    pub op: OpId,
    uniforms: Range<usize>,
    resources: Range<usize>,
    sizes: Range<usize>,
    offsets: Range<usize>,
}

impl CmdDispatch {
    /// The parts of the op; none when it is another op or its groups don't add up.
    pub fn of(body: &Body, op: OpId) -> Option<CmdDispatch> {
        if !body.is(op, "stream.cmd.dispatch") {
            return None;
        }
        let sizes = body.attr(op, "operandSegmentSizes")?.as_dense_array()?;
        let mut at = 0usize;
        let mut ranges = Vec::new();
        for &size in sizes {
            let size = usize::try_from(size).ok()?;
            ranges.push(at..at.checked_add(size)?);
            at += size;
        }
        if at != body.num_operands(op) {
            return None;
        }
        let [_workload, uniforms, resources, sizes, offsets, _lengths] =
            <[Range<usize>; 6]>::try_from(ranges).ok()?;
        let one_each = resources.len() == sizes.len() && resources.len() == offsets.len();
        one_each.then_some(CmdDispatch { op, uniforms, resources, sizes, offsets })
    }

    /// All dispatches below an op, in layout order.
    pub fn all(body: &Body, root: OpId) -> Vec<CmdDispatch> {
        body.walk(root).filter_map(|op| CmdDispatch::of(body, op)).collect()
    }

    fn values(body: &Body, op: OpId, range: &Range<usize>) -> Vec<ValueId> {
        range.clone().map(|i| body.operand(op, i)).collect()
    }

    /// Values that are passed as they are.
    pub fn uniforms(&self, body: &Body) -> Vec<ValueId> {
        Self::values(body, self.op, &self.uniforms)
    }

    /// The resource of each binding.
    pub fn resources(&self, body: &Body) -> Vec<ValueId> {
        Self::values(body, self.op, &self.resources)
    }

    /// The size of each binding's whole resource.
    pub fn sizes(&self, body: &Body) -> Vec<ValueId> {
        Self::values(body, self.op, &self.sizes)
    }

    /// The offset of each binding into its resource.
    pub fn offsets(&self, body: &Body) -> Vec<ValueId> {
        Self::values(body, self.op, &self.offsets)
    }

    /// The entry points, one for each device that may run it, as `executable::export`.
    pub fn entries(&self, body: &Body) -> Vec<Entry> {
        Entry::of_op(body, self.op)
    }

    /// The access of each binding.
    pub fn accesses(&self, body: &Body) -> Vec<Attr> {
        let accesses = body.attr(self.op, "resource_accesses").and_then(Attr::as_array);
        accesses.unwrap_or(&[]).to_vec()
    }
}

/// An entry point: an executable and its export.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Entry {
    /// The executable's symbol.
    pub executable: String,
    /// The export's symbol.
    pub export: String,
}

impl Entry {
    /// The entry points that an op dispatches.
    pub(crate) fn of_op(body: &Body, op: OpId) -> Vec<Entry> {
        let refs = body.attr(op, "entry_points").and_then(Attr::as_array).unwrap_or(&[]);
        refs.iter().filter_map(|&r| Entry::of(r)).collect()
    }

    fn of(reference: Attr) -> Option<Entry> {
        let AttrData::SymbolRef { root, nested } = reference.data() else { return None };
        let export = nested.last()?;
        Some(Entry { executable: root.as_str().to_owned(), export: export.as_str().to_owned() })
    }

    /// The entry as what passes decide about.
    pub fn subject(&self) -> Subject {
        Subject::of(&format!("{}::{}", self.executable, self.export))
    }
}

/// The exports of an executable with the functions behind them.
pub fn exports(body: &Body, root: OpId) -> Vec<(Entry, OpId)> {
    exported(body, root).into_iter().map(|(entry, _, func)| (entry, func)).collect()
}

/// The same with the ops that export them.
pub(crate) fn exported(body: &Body, root: OpId) -> Vec<(Entry, OpId, OpId)> {
    let declared = declared(body, root).into_iter();
    declared.filter_map(|(entry, op, func)| Some((entry, op, func?))).collect()
}

/// All exports of an executable: the ops, and the functions behind them where those are there.
pub(crate) fn declared(body: &Body, root: OpId) -> Vec<(Entry, OpId, Option<OpId>)> {
    let Some(executable) = body.symbol_name(root) else { return Vec::new() };
    let is_function = |op: &OpId| matches!(body.name(*op).as_str(), "func.func" | "util.func");
    let functions: Vec<OpId> = body.walk(root).filter(is_function).collect();
    let mut out = Vec::new();
    for op in body.walk(root).filter(|&op| body.is(op, "stream.executable.export")) {
        let Some(export) = body.symbol_name(op) else { continue };
        let target = body.attr(op, "function_ref").and_then(Attr::as_symbol_root);
        let target = target.map_or(export, |t| t.as_str());
        let func = functions.iter().find(|&&f| body.symbol_name(f) == Some(target)).copied();
        let (executable, export) = (executable.to_owned(), export.to_owned());
        out.push((Entry { executable, export }, op, func));
    }
    out
}

/// What a body says of the entries that it dispatches, and asks about those that it exports.
pub fn statement<Claim, Shared>(
    body: &Body,
    root: OpId,
    sites: impl IntoIterator<Item = (Entry, Claim)>,
) -> Statement<Claim, Shared> {
    let claims = sites.into_iter().map(|(entry, claim)| (entry.subject(), claim)).collect();
    let asks = exports(body, root).into_iter().map(|(entry, _)| entry.subject()).collect();
    Statement { claims, asks, shared: None }
}

/// The same of a body that asks about the entries that it dispatches, too.
pub fn mutual_statement<Claim, Shared>(
    body: &Body,
    root: OpId,
    sites: impl IntoIterator<Item = (Entry, Claim)>,
) -> Statement<Claim, Shared> {
    let mut out = statement(body, root, sites);
    for (subject, _) in &out.claims {
        if !out.asks.contains(subject) {
            out.asks.push(*subject);
        }
    }
    out
}

/// `!stream.binding`
pub fn binding_type() -> Type {
    Type::dialect("stream.binding", &[])
}

/// The attributes of each argument of a function; an empty dictionary where there are none.
pub fn arg_attrs(body: &Body, func: OpId, count: usize) -> Vec<Attr> {
    let given = body.attr(func, "arg_attrs").and_then(Attr::as_array).unwrap_or(&[]);
    (0..count).map(|i| given.get(i).copied().unwrap_or_else(Attr::empty_dict)).collect()
}

/// Sets the attributes of the arguments of a function, and its type to what its entry block says.
pub fn set_signature(body: &mut Body, func: OpId, attrs: &[Attr]) {
    let Some(block) = body.region_entry(func, 0) else { return };
    let inputs: Vec<Type> = body.block_args(block).iter().map(|&a| body.ty(a)).collect();
    body.set_attr(func, "function_type", Attr::ty(Type::function(&inputs, &[])));
    if attrs.iter().all(|a| a.as_dict().is_none_or(|d| d.is_empty())) {
        body.remove_attr(func, "arg_attrs");
    } else {
        body.set_attr(func, "arg_attrs", Attr::array(attrs));
    }
}
