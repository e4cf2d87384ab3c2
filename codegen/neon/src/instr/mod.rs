//! The instruction table: one row an op of the `neon` dialect, read from its definition.

mod row;
mod template;
#[cfg(test)]
mod tests;

pub(crate) use row::Slot;
pub use row::{Control, Instance, InstrRow, RegFile, RegSlot};
pub(crate) use template::{Part, View};

use rustc_hash::FxHashMap;
use tegula_ir::{OpName, Registry, Type};

/// All rows, by op name.
#[derive(Clone, Debug, Default)]
pub struct InstrTable {
    rows: Vec<InstrRow>,
    by_name: FxHashMap<OpName, usize>,
    files: FxHashMap<&'static str, (RegFile, char)>,
}

impl InstrTable {
    /// Reads the rows of the dialect `neon`. An error names each definition that is not a row.
    pub fn new(registry: &Registry) -> Result<InstrTable, Vec<String>> {
        let mut table = InstrTable::default();
        let Some(dialect) = registry.dialect("neon") else {
            return Err(vec!["the dialect `neon` is not installed".to_owned()]);
        };
        let mut errors = Vec::new();
        for ty in dialect.def.types.iter() {
            let file = ty.traits.iter().find_map(|t| RegFile::from_trait(t));
            let name = tegula_ir::Ident::of(&ty.name).as_str();
            let letter = name.rsplit('.').next().and_then(|n| n.chars().next());
            match (file, letter) {
                (Some(file), Some(letter)) => {
                    table.files.insert(name, (file, letter));
                }
                _ => errors.push(format!("`!{name}` names no register file")),
            }
        }
        for op in dialect.def.ops.iter() {
            match InstrRow::new(op, &table.files) {
                Ok(row) => {
                    table.by_name.insert(row.name, table.rows.len());
                    table.rows.push(row);
                }
                Err(message) => errors.push(format!("`{}`: {message}", op.name)),
            }
        }
        if errors.is_empty() { Ok(table) } else { Err(errors) }
    }

    /// The row of an op.
    pub fn row(&self, name: OpName) -> Option<&InstrRow> {
        self.by_name.get(&name).map(|&at| &self.rows[at])
    }

    /// The position of an op's row.
    pub(crate) fn index(&self, name: OpName) -> Option<usize> {
        self.by_name.get(&name).copied()
    }

    /// The row at a position.
    pub(crate) fn at(&self, index: usize) -> &InstrRow {
        &self.rows[index]
    }

    /// All rows in the order of their definitions.
    pub fn rows(&self) -> &[InstrRow] {
        &self.rows
    }

    /// The register file of a type; none when it is not a register.
    pub fn file(&self, ty: Type) -> Option<RegFile> {
        match ty.data() {
            tegula_ir::TypeData::Dialect { name, .. } => {
                self.files.get(name.as_str()).map(|(file, _)| *file)
            }
            _ => None,
        }
    }
}
