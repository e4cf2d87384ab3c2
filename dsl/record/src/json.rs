//! Records as JSON, in the form of `llvm-tblgen --dump-json`.

use std::collections::BTreeMap;
use std::fmt::Write;

use tegula_diag::{Sources, Span};

use crate::print::show;
use crate::{Record, Records, Value};

/// All records as one JSON object.
pub fn dump(records: &Records, sources: &Sources) -> String {
    let mut names: Vec<&Record> = records.defs.values().map(|record| &**record).collect();
    names.sort_by(|a, b| a.name.cmp(&b.name));
    let mut instances: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    let mut classes: Vec<&str> = records.classes.keys().map(|name| &**name).collect();
    classes.sort_unstable();
    for class in &classes {
        instances.insert(class, Vec::new());
    }
    for record in &names {
        let mut seen: Vec<&str> = record.superclasses.iter().map(|(name, _)| &**name).collect();
        seen.sort_unstable();
        seen.dedup();
        for class in seen {
            instances.entry(class).or_default().push(&record.name);
        }
    }
    let mut out = String::from("{\"!instanceof\":{");
    separated(&mut out, instances, |out, (class, names)| {
        string(out, class);
        out.push_str(":[");
        separated(out, names, string);
        out.push(']');
    });
    out.push_str("},\"!tablegen_json_version\":1");
    for record in names {
        out.push(',');
        string(&mut out, &record.name);
        out.push(':');
        write_record(&mut out, record, sources);
    }
    out.push_str("}\n");
    out
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
