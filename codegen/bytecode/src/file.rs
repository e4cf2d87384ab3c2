//! The file: a FlatBuffer with its size before it, as `bytecode_module_def.fbs` of IREE lays it
//! out, and behind it what has to be aligned.

use std::collections::BTreeMap;

use flatbuffers::{
    FlatBufferBuilder, ForwardsUOffset, Push, TableFinishedWIPOffset, Vector, WIPOffset,
};

const IDENTIFIER: &str = "IREE";
/// Version 17.0 of the instructions.
const BYTECODE_VERSION: u32 = 17 << 16;
/// What lies behind the FlatBuffer begins at a multiple of this.
const BEHIND: usize = 64;
/// The largest alignment of data.
pub(crate) const MOST_ALIGNMENT: u64 = BEHIND as u64;
/// Data of at most this alignment lies in the FlatBuffer.
const INSIDE: u64 = 4;
/// Offsets in a FlatBuffer have 31 bits.
const MOST: usize = i32::MAX as usize;

/// All that is in a file.
#[derive(Debug, Default)]
pub(crate) struct File {
    pub name: String,
    pub version: u32,
    pub attrs: Vec<(String, String)>,
    pub types: Vec<String>,
    pub dependencies: BTreeMap<String, Dependency>,
    pub imports: Vec<Import>,
    pub exports: Vec<Export>,
    pub functions: Vec<Function>,
    pub rodata: Vec<Rodata>,
    pub global_bytes: i32,
    pub global_refs: i32,
}

/// A module that functions are imported from.
#[derive(Debug)]
pub(crate) struct Dependency {
    pub minimum_version: u32,
    pub optional: bool,
}

#[derive(Debug)]
pub(crate) struct Import {
    pub name: String,
    pub convention: String,
    pub optional: bool,
}

#[derive(Debug)]
pub(crate) struct Export {
    pub name: String,
    pub function: usize,
}

#[derive(Debug)]
pub(crate) struct Function {
    pub name: String,
    pub convention: String,
    pub attrs: Vec<(String, String)>,
    pub code: Vec<u8>,
    pub features: u32,
    pub blocks: u16,
    pub numbers: u16,
    pub references: u16,
}

#[derive(Debug)]
pub(crate) struct Rodata {
    pub bytes: Vec<u8>,
    pub alignment: u64,
}

type Table = WIPOffset<TableFinishedWIPOffset>;
type Numbers<'b, T> = WIPOffset<Vector<'b, T>>;
type Tables<'b> = WIPOffset<Vector<'b, ForwardsUOffset<TableFinishedWIPOffset>>>;

impl File {
    /// The bytes; none when there are too many.
    pub fn write(&self) -> Option<Vec<u8>> {
        let embedded: usize =
            self.rodata.iter().filter(|r| is_inside(r)).map(|r| r.bytes.len()).sum();
        let code: usize = self.functions.iter().map(|f| f.code.len() + 8).sum();
        if embedded.checked_add(code)? > MOST / 2 {
            return None;
        }
        let mut b = FlatBufferBuilder::new();
        let (code, descriptors) = self.code(&mut b)?;
        let (rodata, behind) = self.rodata(&mut b)?;
        let signatures: Vec<Table> =
            self.functions.iter().map(|f| signature(&mut b, &f.convention, &f.attrs)).collect();
        let exports: Vec<Table> = self.exports.iter().map(|e| export(&mut b, e)).collect();
        let imports: Vec<Table> = self.imports.iter().map(|i| import(&mut b, i)).collect();
        let dependencies: Vec<Table> =
            self.dependencies.iter().rev().map(|(name, d)| dependency(&mut b, name, d)).collect();
        let types: Vec<Table> = self.types.iter().map(|name| named(&mut b, name)).collect();
        let names: Vec<Table> = self.functions.iter().map(|f| named(&mut b, &f.name)).collect();
        let names = b.create_vector(&names);
        let debug = table(&mut b, |t| t.set(1, names));
        let rodata = b.create_vector(&rodata);
        let rwdata: Tables<'_> = b.create_vector::<Table>(&[]);
        let signatures = b.create_vector(&signatures);
        let exports = b.create_vector(&exports);
        let imports = b.create_vector(&imports);
        let dependencies = b.create_vector(&dependencies);
        let types = b.create_vector(&types);
        let state = (self.global_bytes != 0 || self.global_refs != 0).then(|| {
            table(&mut b, |t| {
                t.set(0, self.global_bytes);
                t.set(1, self.global_refs);
            })
        });
        let attrs = attrs(&mut b, &self.attrs);
        let name = b.create_string(if self.name.is_empty() { "module" } else { &self.name });
        let features = self.functions.iter().fold(0, |all, f| all | f.features);
        let root = table(&mut b, |t| {
            t.set(0, name);
            t.set(1, self.version);
            t.set(2, features);
            t.set_some(3, attrs);
            t.set(4, types);
            t.set(5, dependencies);
            t.set(6, imports);
            t.set(7, exports);
            t.set(8, signatures);
            t.set(9, rodata);
            t.set(10, rwdata);
            t.set_some(11, state);
            t.set(12, descriptors);
            t.set(13, BYTECODE_VERSION);
            t.set(14, code);
            t.set(15, debug);
        });
        b.finish_size_prefixed(root, Some(IDENTIFIER));
        let mut out = b.finished_data().to_vec();
        if !behind.is_empty() {
            out.resize(out.len().next_multiple_of(BEHIND), 0);
            out.extend(behind);
        }
        Some(out)
    }

    /// All code, each function at a multiple of 8, and what is said of each.
    fn code<'b>(
        &self,
        b: &mut FlatBufferBuilder<'b>,
    ) -> Option<(Numbers<'b, u8>, Numbers<'b, i32>)> {
        let (mut code, mut places) = (Vec::new(), Vec::new());
        for function in &self.functions {
            places
                .push((i32::try_from(code.len()).ok()?, i32::try_from(function.code.len()).ok()?));
            code.extend(&function.code);
            code.resize(code.len().next_multiple_of(8), 0);
        }
        let code = b.create_vector(&code);
        // Structures of 20 bytes, back to front.
        b.start_vector::<i32>(places.len() * 5);
        for (function, &(offset, length)) in self.functions.iter().zip(&places).rev() {
            b.push(function.references);
            b.push(function.numbers);
            b.push(function.blocks);
            b.push(0u16);
            b.push(function.features);
            b.push(length);
            b.push(offset);
        }
        Some((code, b.end_vector::<i32>(places.len())))
    }

    /// The tables of data, and the data that lies behind the FlatBuffer.
    fn rodata(&self, b: &mut FlatBufferBuilder<'_>) -> Option<(Vec<Table>, Vec<u8>)> {
        let mut behind = Vec::new();
        let mut tables = Vec::new();
        for data in &self.rodata {
            if is_inside(data) {
                let bytes = b.create_vector(&data.bytes);
                tables.push(table(b, |t| t.set(2, bytes)));
                continue;
            }
            let alignment = usize::try_from(data.alignment).ok()?;
            behind.resize(behind.len().next_multiple_of(alignment), 0);
            let (offset, length) = (behind.len() as u64, data.bytes.len() as u64);
            tables.push(table(b, |t| {
                t.set(3, offset);
                t.set(4, length);
            }));
            behind.extend(&data.bytes);
        }
        Some((tables, behind))
    }
}

/// Whether data lies in the FlatBuffer.
fn is_inside(data: &Rodata) -> bool {
    data.alignment <= INSIDE
}

fn named(b: &mut FlatBufferBuilder<'_>, name: &str) -> Table {
    let name = b.create_string(name);
    table(b, |t| t.set(0, name))
}

fn signature(b: &mut FlatBufferBuilder<'_>, convention: &str, about: &[(String, String)]) -> Table {
    let attrs = attrs(b, about);
    let convention = b.create_string(convention);
    table(b, |t| {
        t.set(0, convention);
        t.set_some(1, attrs);
    })
}

fn attrs<'b>(b: &mut FlatBufferBuilder<'b>, attrs: &[(String, String)]) -> Option<Tables<'b>> {
    let one = |b: &mut FlatBufferBuilder<'b>, key: &str, value: &str| {
        let (value, key) = (b.create_string(value), b.create_string(key));
        table(b, |t| {
            t.set(0, key);
            t.set(1, value);
        })
    };
    let tables: Vec<Table> = attrs.iter().map(|(key, value)| one(b, key, value)).collect();
    (!tables.is_empty()).then(|| b.create_vector(&tables))
}

fn export(b: &mut FlatBufferBuilder<'_>, export: &Export) -> Table {
    let name = b.create_string(&export.name);
    table(b, |t| {
        t.set(0, name);
        t.set(1, export.function as i32);
    })
}

fn import(b: &mut FlatBufferBuilder<'_>, import: &Import) -> Table {
    let signature = signature(b, &import.convention, &[]);
    let name = b.create_string(&import.name);
    table(b, |t| {
        t.set(0, name);
        t.set(1, signature);
        t.set(2, necessity(import.optional));
    })
}

fn dependency(b: &mut FlatBufferBuilder<'_>, name: &str, dependency: &Dependency) -> Table {
    let name = b.create_string(name);
    table(b, |t| {
        t.set(0, name);
        t.set(1, dependency.minimum_version);
        t.set(2, necessity(dependency.optional));
    })
}

/// The bit of what is required, or of what is optional.
fn necessity(optional: bool) -> u32 {
    if optional { 2 } else { 1 }
}

/// The fields of a table that is being made.
struct Fields<'t, 'b>(&'t mut FlatBufferBuilder<'b>);

impl Fields<'_, '_> {
    /// Sets field number `index`.
    fn set<T: Push>(&mut self, index: u16, value: T) {
        self.0.push_slot_always(4 + 2 * index, value);
    }

    fn set_some<T: Push>(&mut self, index: u16, value: Option<T>) {
        if let Some(value) = value {
            self.set(index, value);
        }
    }
}

fn table<'b>(b: &mut FlatBufferBuilder<'b>, fields: impl FnOnce(&mut Fields<'_, 'b>)) -> Table {
    let start = b.start_table();
    fields(&mut Fields(b));
    let end = b.end_table(start);
    WIPOffset::new(end.value())
}
