//! Records as text, in the form of `llvm-tblgen --print-records`.

use std::fmt::Write;
use std::sync::Arc;

use tegula_diag::Span;

use crate::value::{Field, FieldMap};
use crate::{Dag, Records, Ty, Value};

/// All classes and definitions, each sorted by name.
pub fn dump(records: &Records) -> String {
    let mut out = String::from("------------- Classes -----------------\n");
    let mut classes: Vec<_> = records.classes.values().collect();
    classes.sort_by(|a, b| a.name.cmp(&b.name));
    for class in classes {
        let _ = write!(out, "class {}", class.name);
        for (index, param) in class.params.iter().enumerate() {
            out.push_str(if index == 0 { "<" } else { ", " });
            let (ty, name) = (ty_text(&param.ty, &param.default), &param.name);
            let _ = write!(out, "{ty} {}:{name} = ", class.name);
            write_value(&mut out, &param.default);
        }
        if !class.params.is_empty() {
            out.push('>');
        }
        write_body(&mut out, &class.superclasses, &class.fields);
    }
    out.push_str("------------- Defs -----------------\n");
    let mut defs: Vec<_> = records.defs.values().collect();
    defs.sort_by(|a, b| a.name.cmp(&b.name));
    for record in defs {
        let _ = write!(out, "def {}", record.name);
        write_body(&mut out, &record.superclasses, &record.fields);
    }
    out
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
            let prefix = if nonconcrete { "field " } else { "" };
            let ty = ty_text(&field.ty, &field.value);
            let _ = write!(out, "  {prefix}{ty} {name} = ");
            write_value(out, &field.value);
            out.push_str(";\n");
        }
    }
    out.push_str("}\n");
}

/// A type; a string that holds code is called so.
fn ty_text(ty: &Ty, value: &Value) -> String {
    match (ty, value) {
        (Ty::Str, Value::Code(_)) => "code".to_owned(),
        (ty, _) => ty.to_string(),
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
            let _ = write!(out, "\"{text}\"");
        }
        Value::Code(text) => {
            let _ = write!(out, "[{{{text}}}]");
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
