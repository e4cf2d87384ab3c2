//! What the definitions of ops say of instructions.

use tegula_schema::OpDef;

use crate::layout::{Field, Kind, Layout};

/// Whether a field names something of its kind.
fn is_there(def: &OpDef, field: &Field<'_>) -> bool {
    let attr = def.attr_index(field.of).is_some();
    let group = def.operand_index(field.of).is_some() || def.result_index(field.of).is_some();
    let successor = def.successors.iter().any(|successor| successor.name == field.of);
    match field.kind {
        Kind::Register | Kind::Registers | Kind::Type | Kind::Held => group,
        Kind::Symbol | Kind::Number | Kind::Numbers | Kind::Text => attr,
        Kind::Branch | Kind::Branches | Kind::Target | Kind::Arguments => successor,
    }
}

#[test]
fn fields_are_of_the_op() {
    let dialect = tegula_dialect_vm::entry();
    let mut problems = Vec::new();
    for def in dialect.def.ops.iter().filter(|def| def.has_trait("Code")) {
        match Layout::of(def) {
            Some(layout) => {
                let wrong = layout.fields.iter().filter(|field| !is_there(def, field));
                problems.extend(wrong.map(|field| format!("{}: {}", def.name, field.of)));
            }
            None => problems.push(format!("{}: cannot be read", def.name)),
        }
    }
    assert!(problems.is_empty(), "{problems:?}");
}

/// What has no code is no instruction: it stands for others, or is a member of the module.
#[test]
fn what_has_no_code() {
    let dialect = tegula_dialect_vm::entry();
    let rest = dialect.def.ops.iter().filter(|def| !def.has_trait("Code"));
    let rest = rest.filter(|def| !def.has_trait("PseudoOp") && !def.has_trait("Symbol"));
    let mut names: Vec<&str> = rest.map(|def| &*def.name).collect();
    names.sort_unstable();
    let known = [
        "vm.export",
        "vm.ext.i16.i64.s",
        "vm.ext.i16.i64.u",
        "vm.ext.i8.i64.s",
        "vm.ext.i8.i64.u",
        "vm.global.address",
        "vm.initializer",
        "vm.module_terminator",
        "vm.trunc.i16.i8",
        "vm.trunc.i64.i16",
        "vm.trunc.i64.i8",
    ];
    assert_eq!(names, known);
}
