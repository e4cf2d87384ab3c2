//! What a module file says of the module besides its code.

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;
use tegula_ir::text::print_type;
use tegula_ir::{Attr, AttrData, Body, Names, OpId, Registry, Type};

use crate::code::{Code, Shared, encode, object};
use crate::convention::convention;
use crate::data;
use crate::file::{self, Dependency, Export, File, Function, Import, Rodata};
use crate::{NoFile, refuse};

/// The machine has to be able to go on later.
const YIELD: (&str, u32) = ("vm.yield", 4);
/// The machine has to give references back when it fails.
const UNWIND: (&str, u32) = ("vm.unwind", 8);
/// Data without an alignment has that of the largest numbers.
const ALIGNMENT: u64 = 16;

/// The file of a `vm.module` whose members have their numbers.
pub fn module_file(
    registry: &Registry,
    names: &Names,
    body: &Body,
    module: OpId,
) -> Result<Vec<u8>, NoFile> {
    let members: Vec<OpId> =
        body.region_entry(module, 0).map_or(Vec::new(), |block| body.block_ops(block).collect());
    let functions = numbered(body, &members, "vm.func")?;
    let types = type_table(registry, body, &functions);
    let shared = Shared {
        registry,
        names,
        body,
        symbols: members.iter().filter_map(|&op| Some((body.symbol_name(op)?, op))).collect(),
        types: types.values().zip(0..).map(|(&ty, number)| (ty, number)).collect(),
    };
    let text = |op: OpId, attr: &str| {
        let text = body.attr(op, attr).and_then(Attr::as_str).unwrap_or_default();
        names.resolve(text).into_owned()
    };
    let counts = body.attr(module, "ordinal_counts");
    let counts = counts.and_then(|counts| counts.dialect_params("vm.ordinal_counts"));
    let count = |at: usize| counts.and_then(|counts| counts.get(at)?.as_int()).unwrap_or_default();
    let mut file = File {
        name: text(module, "sym_name"),
        version: unsigned(body, module, "version"),
        attrs: reflection(body, names, module)?,
        types: types.into_keys().map(|(_, name)| name).collect(),
        global_bytes: i32::try_from(count(3)).unwrap_or_default(),
        global_refs: i32::try_from(count(4)).unwrap_or_default(),
        ..File::default()
    };
    for &op in &functions {
        let Code { bytes, mut features, blocks, numbers, references } = encode(&shared, op)?;
        for (attr, feature) in [YIELD, UNWIND] {
            features |= body.attr(op, attr).map_or(0, |_| feature);
        }
        file.functions.push(Function {
            name: text(op, "sym_name"),
            convention: checked_convention(body, op)?,
            attrs: reflection(body, names, op)?,
            code: bytes,
            features,
            blocks,
            numbers,
            references,
        });
    }
    for op in numbered(body, &members, "vm.import")? {
        let name = text(op, "sym_name");
        let Some((of, _)) = name.split_once('.') else {
            return refuse(op, "unscoped-import", "has to be called `module.function`");
        };
        let optional = body.attr(op, "is_optional").is_some();
        let dependency = file
            .dependencies
            .entry(of.to_owned())
            .or_insert(Dependency { minimum_version: 0, optional: true });
        if !optional {
            let version = unsigned(body, op, "minimum_version");
            dependency.minimum_version = dependency.minimum_version.max(version);
            dependency.optional = false;
        }
        let convention = checked_convention(body, op)?;
        file.imports.push(Import { name, convention, optional });
    }
    for op in numbered(body, &members, "vm.export")? {
        let function = body.attr(op, "function_ref").and_then(Attr::as_symbol_root);
        let function = function.and_then(|name| shared.symbols.get(name.as_str()).copied());
        let Some(function) = functions.iter().position(|&f| Some(f) == function) else {
            return refuse(op, "unknown-symbol", "exports what is no function of the module");
        };
        file.exports.push(Export { name: text(op, "export_name"), function });
    }
    for op in numbered(body, &members, "vm.rodata")? {
        let bytes = body.attr(op, "value").and_then(|value| data::bytes(value, names));
        let Some(bytes) = bytes else {
            return refuse(op, "unsupported-data", "holds data whose bytes cannot be written");
        };
        let alignment = body.attr(op, "alignment").and_then(Attr::as_int);
        let alignment = alignment.and_then(|alignment| u64::try_from(alignment).ok());
        let alignment = alignment.unwrap_or(ALIGNMENT);
        if !alignment.is_power_of_two() || alignment > file::MOST_ALIGNMENT {
            let message = format!(
                "is aligned to {alignment} bytes, where a file aligns to powers of two up to {}",
                file::MOST_ALIGNMENT
            );
            return refuse(op, "unsupported-alignment", message);
        }
        file.rodata.push(Rodata { bytes, alignment });
    }
    match file.write() {
        Some(bytes) => Ok(bytes),
        None => refuse(module, "too-much-data", "has tables of more than 1 GB"),
    }
}

/// The members of a kind by their numbers.
fn numbered(body: &Body, members: &[OpId], kind: &str) -> Result<Vec<OpId>, NoFile> {
    let mut ops: Vec<(i64, OpId)> = Vec::new();
    for &op in members.iter().filter(|&&op| body.is(op, kind)) {
        match body.attr(op, "ordinal").and_then(Attr::as_int) {
            Some(number) => ops.push((number, op)),
            None => return refuse(op, "no-ordinal", "has no number"),
        }
    }
    ops.sort_by_key(|&(number, _)| number);
    match ops.iter().zip(0..).find(|((number, _), at)| number != at) {
        Some(((_, op), at)) => {
            refuse(*op, "no-ordinal", format!("has a number, but no other of its kind has {at}"))
        }
        None => Ok(ops.into_iter().map(|(_, op)| op).collect()),
    }
}

/// The types of values by their names, those of this machine's numbers first.
fn type_table(
    registry: &Registry,
    body: &Body,
    functions: &[OpId],
) -> BTreeMap<(bool, String), Type> {
    let mut seen: FxHashMap<Type, ()> = FxHashMap::default();
    let mut pending: Vec<Type> = Vec::new();
    for op in functions.iter().flat_map(|&func| body.walk(func)) {
        pending.extend(body.operands(op).chain(body.results(op)).map(|value| body.ty(value)));
        while let Some(ty) = pending.pop() {
            let ty = object(ty);
            if seen.insert(ty, ()).is_none()
                && let Some(params) = ty.dialect_params("vm.list")
            {
                let held = params.first().and_then(|held| held.as_type());
                pending.push(held.unwrap_or_else(|| Type::dialect("vm.opaque", &[])));
            }
        }
    }
    let named = seen.into_keys().map(|ty| (print_type(registry, ty), ty));
    named.map(|(name, ty)| ((name.starts_with('!'), name), ty)).collect()
}

fn unsigned(body: &Body, op: OpId, attr: &str) -> u32 {
    let value = body.attr(op, attr).and_then(Attr::as_int);
    value.and_then(|value| u32::try_from(value).ok()).unwrap_or_default()
}

fn checked_convention(body: &Body, op: OpId) -> Result<String, NoFile> {
    match convention(body, op) {
        Some(convention) => Ok(convention),
        None => refuse(op, "unsupported-type", "has a type that cannot be passed"),
    }
}

/// What is told of an op to who looks at the file.
fn reflection(body: &Body, names: &Names, op: OpId) -> Result<Vec<(String, String)>, NoFile> {
    let entries = body.attr(op, "iree.reflection").and_then(Attr::as_dict).unwrap_or(&[]);
    let mut out = Vec::new();
    for &(key, value) in entries {
        let text = match value.data() {
            AttrData::Integer { value, .. } => value.to_string(),
            AttrData::SymbolRef { root, .. } => root.as_str().to_owned(),
            _ => match value.as_str() {
                Some(text) => text.to_owned(),
                None => {
                    let message =
                        format!("tells `{key}`, which is neither text nor number nor symbol");
                    return refuse(op, "unsupported-reflection", message);
                }
            },
        };
        out.push((key.as_str().to_owned(), names.resolve(&text).into_owned()));
    }
    Ok(out)
}
