//! Records as JSON, in the form of `llvm-tblgen --dump-json`.

use std::fmt::Write;
use std::io;
use std::sync::Arc;

use rustc_hash::FxHashMap;
use tegula_diag::{Sources, Span};

use crate::print::{flush, show};
use crate::{Evaluated, Record, Records, Value};

/// All records as one JSON object.
pub fn dump(records: &Records, sources: &Sources) -> String {
    object(records, |out, record| write_member(out, record, sources))
}

/// The same of what was evaluated, with one record in memory at a time.
pub fn write(evaluated: &Evaluated, sources: &Sources, out: &mut dyn io::Write) -> io::Result<()> {
    let mut text = head(evaluated.instances());
    for record in evaluated.defs() {
        write_member(&mut text, &record, sources);
        flush(&mut text, out)?;
    }
    text.push_str("}\n");
    out.write_all(text.as_bytes())
}

/// Writes the records of several files that share some.
#[derive(Default)]
pub struct Dumper {
    /// The texts of records by the places of these, which are kept so that no other takes them.
    known: FxHashMap<usize, (Arc<Record>, Box<str>)>,
}

impl Dumper {
    /// All records of one file as one JSON object.
    pub fn dump(&mut self, records: &Records, sources: &Sources) -> String {
        object(records, |out, record| {
            let entry = self.known.entry(Arc::as_ptr(record).addr());
            let (_, text) = entry.or_insert_with(|| {
                let mut text = String::new();
                write_member(&mut text, record, sources);
                (record.clone(), text.into())
            });
            out.push_str(text);
        })
    }
}

fn object(records: &Records, mut member: impl FnMut(&mut String, &Arc<Record>)) -> String {
    let mut defs: Vec<&Arc<Record>> = records.defs.values().collect();
    defs.sort_unstable_by(|a, b| a.name.cmp(&b.name));
    let mut out = head(instances(records, &defs));
    for record in defs {
        member(&mut out, record);
    }
    out.push_str("}\n");
    out
}

/// What stands before the records.
fn head<'r>(instances: impl Iterator<Item = (&'r str, Vec<&'r str>)>) -> String {
    let mut out = String::from("{\"!instanceof\":{");
    separated(&mut out, instances, |out, (class, names)| {
        string(out, class);
        out.push_str(":[");
        separated(out, names, string);
        out.push(']');
    });
    out.push_str("},\"!tablegen_json_version\":1");
    out
}

fn write_member(out: &mut String, record: &Record, sources: &Sources) {
    out.push(',');
    string(out, &record.name);
    out.push(':');
    write_record(out, record, sources);
}

/// The records of each class, both by name.
fn instances<'r>(
    records: &'r Records,
    defs: &[&'r Arc<Record>],
) -> impl Iterator<Item = (&'r str, Vec<&'r str>)> {
    let mut classes: Vec<(&str, Vec<&str>)> =
        records.classes.keys().map(|name| (&**name, Vec::new())).collect();
    classes.sort_unstable_by_key(|(name, _)| *name);
    let places: FxHashMap<&str, usize> =
        classes.iter().enumerate().map(|(place, (name, _))| (*name, place)).collect();
    for record in defs {
        for (class, _) in &record.superclasses {
            let Some((_, names)) = places.get(&**class).and_then(|at| classes.get_mut(*at)) else {
                continue;
            };
            // A class that is reached twice stands there twice.
            if names.last() != Some(&&*record.name) {
                names.push(&record.name);
            }
        }
    }
    classes.into_iter()
}

fn separated<T>(
    out: &mut String,
    items: impl IntoIterator<Item = T>,
    mut write: impl FnMut(&mut String, T),
) {
    for (index, item) in items.into_iter().enumerate() {
        if index > 0 {
            out.push(',');
        }
        write(out, item);
    }
}

fn write_record(out: &mut String, record: &Record, sources: &Sources) {
    let _ = write!(out, "{{\"!anonymous\":{},\"!fields\":[", record.anonymous);
    let nonconcrete = record.fields.iter().filter(|(_, field)| field.nonconcrete);
    separated(out, nonconcrete, |out, (name, _)| string(out, name));
    out.push_str("],\"!locs\":[");
    separated(out, &record.origins, |out, span| string(out, &place(sources, *span)));
    out.push_str("],\"!name\":");
    string(out, &record.name);
    out.push_str(",\"!superclasses\":[");
    separated(out, &record.superclasses, |out, (name, _)| string(out, name));
    out.push(']');
    for (name, field) in &record.fields {
        out.push(',');
        string(out, name);
        out.push(':');
        write_value(out, &field.value);
    }
    out.push('}');
}

fn place(sources: &Sources, span: Span) -> String {
    // Only the file's own name, so that the output does not depend on where the files are.
    let name = sources.name(span.source);
    let name = name.rsplit('/').next().unwrap_or(name);
    format!("{name}:{}", sources.line_col(span).line)
}

fn write_value(out: &mut String, value: &Value) {
    match value {
        Value::Unset => out.push_str("null"),
        Value::Bit(bit) => out.push(if *bit { '1' } else { '0' }),
        Value::Int(value) => {
            let _ = write!(out, "{value}");
        }
        Value::Str(text) | Value::Code(text) => string(out, text),
        Value::Bits(bits) => {
            out.push('[');
            separated(out, bits.iter(), |out, bit| match bit {
                None => out.push_str("null"),
                Some(bit) => out.push(if *bit { '1' } else { '0' }),
            });
            out.push(']');
        }
        Value::List(items) | Value::MixedBits(items) => {
            out.push('[');
            separated(out, items.iter(), write_value);
            out.push(']');
        }
        Value::Def(name) => {
            out.push_str("{\"def\":");
            string(out, name);
            out.push_str(",\"kind\":\"def\",\"printable\":");
            string(out, name);
            out.push('}');
        }
        Value::BitOf(of, at) => {
            out.push_str("{\"kind\":\"varbit\",\"var\":");
            string(out, of);
            let _ = write!(out, ",\"index\":{at},\"printable\":");
            string(out, &show(value));
            out.push('}');
        }
        Value::Dag(dag) => {
            out.push_str("{\"kind\":\"dag\",\"operator\":");
            write_value(out, &dag.op);
            if let Some(name) = &dag.op_name {
                out.push_str(",\"name\":");
                string(out, name);
            }
            out.push_str(",\"args\":[");
            separated(out, &dag.args, |out, arg| {
                out.push('[');
                write_value(out, &arg.value);
                out.push(',');
                match &arg.name {
                    Some(name) => string(out, name),
                    None => out.push_str("null"),
                }
                out.push(']');
            });
            out.push_str("],\"printable\":");
            string(out, &show(value));
            out.push('}');
        }
        Value::Unresolved(text) if is_name(text) => {
            out.push_str("{\"kind\":\"var\",\"var\":");
            string(out, text);
            out.push_str(",\"printable\":");
            string(out, text);
            out.push('}');
        }
        Value::Unresolved(text) => {
            out.push_str("{\"kind\":\"complex\",\"printable\":");
            string(out, text);
            out.push('}');
        }
    }
}

/// Whether an unresolved term is a variable.
fn is_name(text: &str) -> bool {
    text.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b':'))
}

fn string(out: &mut String, text: &str) {
    out.push('"');
    let mut rest = text;
    while let Some(at) = rest.bytes().position(|b| b < 0x20 || matches!(b, b'"' | b'\\')) {
        let (plain, escaped) = rest.split_at(at);
        out.push_str(plain);
        // What is escaped is one byte of ASCII.
        match escaped.bytes().next() {
            Some(b'\n') => out.push_str("\\n"),
            Some(b'\t') => out.push_str("\\t"),
            Some(b'\r') => out.push_str("\\r"),
            Some(byte @ (b'"' | b'\\')) => out.extend(['\\', char::from(byte)]),
            Some(byte) => {
                let _ = write!(out, "\\u{byte:04x}");
            }
            None => {}
        }
        rest = escaped.get(1..).unwrap_or("");
    }
    out.push_str(rest);
    out.push('"');
}
