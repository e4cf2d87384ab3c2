//! Records as text, in the form of `llvm-tblgen --print-records`.

use std::fmt::Write;
use std::io;
use std::sync::Arc;

use rustc_hash::FxHashMap;
use tegula_diag::Span;

use crate::value::{Field, FieldMap};
use crate::{ClassInfo, Dag, Evaluated, Record, Records, Ty, Value};

const CLASSES: &str = "------------- Classes -----------------\n";
const DEFS: &str = "------------- Defs -----------------\n";

/// All classes and definitions, each sorted by name.
pub fn dump(records: &Records) -> String {
    text(records, |out, class| write_class(out, class), |out, record| write_record(out, record))
}

/// The same of what was evaluated, with one of them in memory at a time.
pub fn write(evaluated: &Evaluated, out: &mut dyn io::Write) -> io::Result<()> {
    let mut text = String::from(CLASSES);
    for class in evaluated.classes() {
        write_class(&mut text, &class);
        flush(&mut text, out)?;
    }
    text.push_str(DEFS);
    for record in evaluated.defs() {
        write_record(&mut text, &record);
        flush(&mut text, out)?;
    }
    out.write_all(text.as_bytes())
}

/// Gives a text away when it is worth a call of the system.
pub(crate) fn flush(text: &mut String, out: &mut dyn io::Write) -> io::Result<()> {
    if text.len() >= 1 << 16 {
        out.write_all(text.as_bytes())?;
        text.clear();
    }
    Ok(())
}

/// Writes the records of several files that share some.
#[derive(Default)]
pub struct Printer {
    /// The texts by the places of classes and records, which are kept so that no other takes them.
    classes: FxHashMap<usize, (Arc<ClassInfo>, Box<str>)>,
    records: FxHashMap<usize, (Arc<Record>, Box<str>)>,
}

impl Printer {
    /// All classes and definitions of one file, each sorted by name.
    pub fn dump(&mut self, records: &Records) -> String {
        text(
            records,
            |out, class| shared(&mut self.classes, out, class, write_class),
            |out, record| shared(&mut self.records, out, record, write_record),
        )
    }
}

fn shared<T>(
    known: &mut FxHashMap<usize, (Arc<T>, Box<str>)>,
    out: &mut String,
    of: &Arc<T>,
    write: impl Fn(&mut String, &T),
) {
    let (_, text) = known.entry(Arc::as_ptr(of).addr()).or_insert_with(|| {
        let mut text = String::new();
        write(&mut text, of);
        (of.clone(), text.into())
    });
    out.push_str(text);
}

fn text(
    records: &Records,
    mut write_class: impl FnMut(&mut String, &Arc<ClassInfo>),
    mut write_record: impl FnMut(&mut String, &Arc<Record>),
) -> String {
    let mut out = String::from(CLASSES);
    let mut classes: Vec<&Arc<ClassInfo>> = records.classes.values().collect();
    classes.sort_unstable_by(|a, b| a.name.cmp(&b.name));
    for class in classes {
        write_class(&mut out, class);
    }
    out.push_str(DEFS);
    let mut defs: Vec<&Arc<Record>> = records.defs.values().collect();
    defs.sort_unstable_by(|a, b| a.name.cmp(&b.name));
    for record in defs {
        write_record(&mut out, record);
    }
    out
}

fn write_class(out: &mut String, class: &ClassInfo) {
    out.push_str("class ");
    out.push_str(&class.name);
    for (index, param) in class.params.iter().enumerate() {
        out.push_str(if index == 0 { "<" } else { ", " });
        write_ty(out, &param.ty, &param.default);
        let _ = write!(out, " {}:{} = ", class.name, param.name);
        write_value(out, &param.default);
    }
    if !class.params.is_empty() {
        out.push('>');
    }
    write_body(out, &class.superclasses, &class.fields);
}

fn write_record(out: &mut String, record: &Record) {
    out.push_str("def ");
    out.push_str(&record.name);
    write_body(out, &record.superclasses, &record.fields);
}

fn write_body(out: &mut String, supers: &[(Arc<str>, Span)], fields: &FieldMap<Field>) {
    out.push_str(" {");
    for (index, (class, _)) in supers.iter().enumerate() {
        out.push_str(if index == 0 { "\t// " } else { " " });
        out.push_str(class);
    }
    out.push('\n');
    for nonconcrete in [true, false] {
        for (name, field) in fields.iter().filter(|(_, field)| field.nonconcrete == nonconcrete) {
            out.push_str(if nonconcrete { "  field " } else { "  " });
            write_ty(out, &field.ty, &field.value);
            out.push(' ');
            out.push_str(name);
            out.push_str(" = ");
            write_value(out, &field.value);
            out.push_str(";\n");
        }
    }
    out.push_str("}\n");
}

/// A type; a string that holds code is called so.
fn write_ty(out: &mut String, ty: &Ty, value: &Value) {
    match (ty, value) {
        (Ty::Str, Value::Code(_)) => out.push_str("code"),
        (Ty::Str, _) => out.push_str("string"),
        (Ty::Bit, _) => out.push_str("bit"),
        (ty, _) => {
            let _ = write!(out, "{ty}");
        }
    }
}

/// A value as TableGen prints it.
pub fn show(value: &Value) -> String {
    let mut out = String::new();
    write_value(&mut out, value);
    out
}

fn write_value(out: &mut String, value: &Value) {
    match value {
        Value::Unset => out.push('?'),
        Value::Bit(bit) => out.push(if *bit { '1' } else { '0' }),
        Value::Int(value) => {
            let _ = write!(out, "{value}");
        }
        Value::Str(text) => {
            out.push('"');
            out.push_str(text);
            out.push('"');
        }
        Value::Code(text) => {
            out.push_str("[{");
            out.push_str(text);
            out.push_str("}]");
        }
        Value::Bits(bits) => {
            let bits = bits.iter().map(|bit| bit.map_or(Value::Unset, Value::Bit));
            let bits: Vec<Value> = bits.collect();
            write_bits(out, &bits);
        }
        Value::MixedBits(bits) => write_bits(out, bits),
        Value::BitOf(of, at) => {
            let _ = write!(out, "{of}{{{at}}}");
        }
        Value::List(items) => {
            out.push('[');
            for (index, item) in items.iter().enumerate() {
                if index > 0 {
                    out.push_str(", ");
                }
                write_value(out, item);
            }
            out.push(']');
        }
        Value::Dag(dag) => write_dag(out, dag),
        Value::Def(text) | Value::Unresolved(text) => out.push_str(text),
    }
}

fn write_bits(out: &mut String, bits: &[Value]) {
    out.push_str("{ ");
    for (index, bit) in bits.iter().rev().enumerate() {
        if index > 0 {
            out.push_str(", ");
        }
        write_value(out, bit);
    }
    out.push_str(" }");
}

fn write_dag(out: &mut String, dag: &Dag) {
    out.push('(');
    write_value(out, &dag.op);
    if let Some(name) = &dag.op_name {
        let _ = write!(out, ":${name}");
    }
    for (index, arg) in dag.args.iter().enumerate() {
        out.push_str(if index > 0 { ", " } else { " " });
        write_value(out, &arg.value);
        if let Some(name) = &arg.name {
            let _ = write!(out, ":${name}");
        }
    }
    out.push(')');
}
