//! Executables: their entry points, and how many workgroups those need.

use tegula_ir::{Attr, AttrData, Body, Ident, InsertPoint, Module, NewOp, OpId, ValueId};
use tegula_rewrite::{IrMapping, Rewriter};

/// An entry point of device code.
pub struct Export {
    /// The `hal.executable.export`.
    pub op: OpId,
    /// Its symbol.
    pub name: &'static str,
    /// How many 32-bit words it is passed.
    pub constants: usize,
    /// How many buffers it is passed.
    pub bindings: usize,
}

/// The ops of this name right inside of an op.
pub fn children<'a>(
    body: &'a Body,
    parent: OpId,
    name: &'a str,
) -> impl Iterator<Item = OpId> + 'a {
    let block = body.region_entry(parent, 0);
    let ops = block.into_iter().flat_map(|block| body.block_ops(block));
    ops.filter(move |&op| body.is(op, name))
}

/// What of a variant is more than its code, and so is none of what the code alone is made into.
pub fn beside_code(body: &Body, variant: OpId) -> Option<(OpId, &'static str)> {
    let objects = body.attr(variant, "objects").and_then(Attr::as_array).unwrap_or(&[]);
    if !objects.is_empty() {
        return Some((variant, "code in object files is not supported"));
    }
    let child = |name: &'static str| children(body, variant, name).next();
    if let Some(condition) = child("hal.executable.condition") {
        return Some((condition, "variants with conditions are not supported"));
    }
    let constants = child("hal.executable.constant.block");
    constants.map(|block| (block, "constants that the host computes for code are not supported"))
}

/// The entry points of a `hal.executable.variant`.
pub fn exports(body: &Body, variant: OpId) -> Vec<Export> {
    let exports = children(body, variant, "hal.executable.export");
    exports.filter_map(|op| Export::of(body, op)).collect()
}

/// Where an entry point is.
pub struct Entry {
    /// The position of the executable's body in the module.
    pub executable: usize,
    /// The names of the executable, the variant and the entry point.
    pub path: [&'static str; 3],
    /// The entry point.
    pub export: Export,
}

impl Entry {
    /// Finds the entry point that a reference names. The variant may be left out where there is
    /// just one.
    pub fn find(module: &Module, reference: Attr) -> Option<Entry> {
        let AttrData::SymbolRef { root, nested } = reference.data() else { return None };
        let executable = module.symbol_index(root.as_str())?;
        let body = &module.bodies[executable];
        let variants: Vec<OpId> = children(body, body.root()?, "hal.executable.variant").collect();
        let named = |op: OpId, name: Ident| body.symbol_name(op) == Some(name.as_str());
        let (variant, export) = match (&nested[..], &variants[..]) {
            ([export], &[variant]) => (variant, export),
            ([name, export], all) => {
                (all.iter().copied().find(|&variant| named(variant, *name))?, export)
            }
            _ => return None,
        };
        let export = exports(body, variant).into_iter().find(|e| e.name == export.as_str())?;
        let path = [body.symbol_name(body.root()?)?, body.symbol_name(variant)?, export.name];
        Some(Entry { executable, path, export })
    }
}

impl Export {
    fn of(body: &Body, op: OpId) -> Option<Export> {
        let layout = body.attr(op, "layout")?.dialect_params("hal.pipeline.layout")?;
        Some(Export {
            op,
            name: body.symbol_name(op)?,
            constants: layout.get(1).and_then(|c| c.as_int()).map_or(0, |c| c.max(0) as usize),
            bindings: layout.first().and_then(|b| b.as_array()).map_or(0, <[Attr]>::len),
        })
    }

    /// The parameters of the workload.
    pub fn workload<'a>(&self, body: &'a Body) -> Result<&'a [ValueId], &'static str> {
        let count = body.region_entry(self.op, 0);
        let count = count.ok_or("the entry point does not say how many workgroups it needs")?;
        body.block_args(count).get(1..).ok_or("the entry point takes no device")
    }

    /// Computes the number of workgroups in each direction at a place in another body. There is no
    /// device.
    pub fn count_workgroups(
        &self,
        body: &Body,
        rw: &mut Rewriter<'_>,
        at: InsertPoint,
        workload: &[ValueId],
    ) -> Result<[ValueId; 3], String> {
        let parameters = self.workload(body)?;
        if parameters.len() != workload.len() {
            let (wanted, given) = (parameters.len(), workload.len());
            return Err(format!("the workload has {given} values, but {wanted} are needed"));
        }
        let mut mapping = IrMapping::new();
        mapping.map_all(parameters.iter().copied(), workload.iter().copied());
        let count = body.region_entry(self.op, 0);
        let device = count.and_then(|count| body.block_args(count).first().copied());
        if let Some(device) = device.filter(|&device| !body.is_unused(device)) {
            let none = NewOp::new("util.null").result(body.ty(device));
            mapping.map(device, rw.insert_value(at, none));
        }
        for op in count.into_iter().flat_map(|count| body.block_ops(count)) {
            if body.is(op, "hal.return") {
                let counts: Option<Vec<ValueId>> =
                    body.operands(op).map(|value| mapping.get(value)).collect();
                if let Some(Ok(counts)) = counts.map(<[ValueId; 3]>::try_from) {
                    return Ok(counts);
                }
                break;
            }
            rw.clone_from(body, op, at, &mut mapping).map_err(|u| u.to_string())?;
        }
        Err("the number of workgroups must be three indices".to_owned())
    }
}
