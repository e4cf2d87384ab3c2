//! Entries, assembled and run.

use tegula_ir::{Attr, Body, Ident, NewOp, OpId, Type};
use tegula_package::{Buffer, Param, Range, Schedule, Signature, Step};
use tegula_toolchain::{Direction, Search, run_entry};

use super::{HostFunction, host_functions, workgroup_function};
use crate::asm::{AsmFile, Flavour, Visibility};
use crate::eval::{EvalFunction, Program, run_entry as run_entry_evaluated};
use crate::instr::InstrTable;
use crate::testing::{function, push, registry, snapshots};
use crate::{AsmFunction, assemble, types};

/// Writes the sum of four floats of binding 0 and four of binding 1 to binding 2.
fn sum() -> (Body, OpId) {
    let (x, v) = (types::x(), types::v128());
    let (mut body, func, entry) = function("sum", &[x]);
    let table = body.block_args(entry)[0];
    let place = |body: &mut Body, at: i64| {
        let load = NewOp::new("neon.ldr_x").operand(table).attr("offset", Attr::i64(at * 8));
        push(body, entry, load.result(x))[0]
    };
    let places: Vec<_> = (0..3).map(|at| place(&mut body, at)).collect();
    let load = |body: &mut Body, at: usize| {
        let load = NewOp::new("neon.ldr_q").operand(places[at]).attr("offset", Attr::i64(0));
        push(body, entry, load.result(v))[0]
    };
    let (a, b) = (load(&mut body, 0), load(&mut body, 1));
    let sum = push(&mut body, entry, NewOp::new("neon.fadd_4s").operands([a, b]).result(v))[0];
    let store = NewOp::new("neon.str_q").operands([sum, places[2]]);
    push(&mut body, entry, store.attr("offset", Attr::i64(0)));
    push(&mut body, entry, NewOp::new("neon.ret"));
    (body, func)
}

fn range(buffer: Buffer, offset: i64, length: i64) -> Range {
    Range { buffer, offset, length }
}

/// `f(A, C)`: C becomes A + 2 + C. The last step reads C after it was written.
fn example(scratch: i64) -> (Signature, Schedule) {
    let tensor = Type::tensor(&[4], Type::f32(), None);
    let param = |name: &str, input, output| Param { name: name.into(), ty: tensor, input, output };
    let signature = Signature {
        function: "f".into(),
        params: vec![param("A", Some(0), None), param("C", Some(1), Some(0))],
    };
    let at = scratch - 48;
    let dispatch = |bindings| Step::Dispatch {
        executable: "e".into(),
        export: "sum".into(),
        constants: vec![],
        bindings,
    };
    let (a, c) = (range(Buffer::Input(0), 0, 16), range(Buffer::Input(1), 0, 16));
    let out = range(Buffer::Output(0), 0, 16);
    let (two, copy) = (range(Buffer::Scratch, at, 44), range(Buffer::Scratch, 0, 16));
    let schedule = Schedule {
        function: "f".into(),
        inputs: vec![16, 16],
        outputs: vec![16],
        scratch,
        steps: vec![
            Step::Fill { range: two, pattern: 2.0f32.to_bits(), width: 4 },
            Step::Copy { from: a, to: copy },
            dispatch(vec![(two, false), (copy, false), (out, true)]),
            dispatch(vec![(out, false), (c, false), (out, true)]),
        ],
    };
    (signature, schedule)
}

fn assembled(functions: &[HostFunction]) -> Vec<AsmFunction> {
    let table = InstrTable::new(&registry()).unwrap();
    let (body, func) = sum();
    let device = assemble(&table, &body, func, Ident::of("sum"), Visibility::Local).unwrap();
    let mut all: Vec<AsmFunction> = functions
        .iter()
        .map(|f| assemble(&table, &f.body, f.func, f.symbol, f.visibility).unwrap())
        .collect();
    all.push(device);
    all
}

fn text(scratch: i64) -> String {
    let (signature, schedule) = example(scratch);
    let functions = host_functions(&signature, &schedule, |_, export| Ident::of(export)).unwrap();
    let all = assembled(&functions);
    AsmFile { functions: all.iter().collect(), positions: false }.render(Flavour::Elf)
}

#[test]
fn entries_in_text() {
    snapshots().bind(|| insta::assert_snapshot!("entries_with_heap", text(1 << 20)));
}

/// Functions that the runtime calls: on just the table that it passes, and on one that holds
/// constants, too.
#[test]
fn workgroups_in_text() {
    let table = InstrTable::new(&registry()).unwrap();
    let text = |bindings, constants| {
        let name = Ident::of("sum.workgroup");
        let f = workgroup_function(name, Ident::of("sum"), bindings, constants).unwrap();
        let text = assemble(&table, &f.body, f.func, f.symbol, f.visibility).unwrap();
        AsmFile { functions: vec![&text], positions: false }.render_functions(Flavour::Elf)
    };
    let both = text(3, 0) + &text(2, 2);
    snapshots().bind(|| insta::assert_snapshot!("workgroups", both));
    assert!(workgroup_function(Ident::of("f"), Ident::of("sum"), 65, 0).is_err());
}

#[test]
fn entries_evaluate() {
    for scratch in [64, 1024, 1 << 20] {
        let (signature, schedule) = example(scratch);
        let functions =
            host_functions(&signature, &schedule, |_, export| Ident::of(export)).unwrap();
        let (body, func) = sum();
        let entries = functions.iter().map(|f| EvalFunction {
            symbol: f.symbol.as_str(),
            body: &f.body,
            func: f.func,
        });
        let device = EvalFunction { symbol: "sum", body: &body, func };
        let program = Program::new(entries.chain([device])).unwrap();
        let mut contents = vec![bytes([1.0, 2.0, 3.0, 4.0]), bytes([10.0, 20.0, 30.0, 40.0])];
        run_entry_evaluated(&program, "f", &mut contents).unwrap();
        assert_eq!(contents[1], bytes([13.0, 24.0, 35.0, 46.0]));
        // Without the device function the call is an error that names it.
        let alone = Program::new(functions.iter().map(|f| EvalFunction {
            symbol: f.symbol.as_str(),
            body: &f.body,
            func: f.func,
        }))
        .unwrap();
        let error = run_entry_evaluated(&alone, "f", &mut contents).unwrap_err();
        assert_eq!(error.to_string(), "`neon.bl` in @f_ws calls @sum, which is not there");
    }
}

fn bytes(values: [f32; 4]) -> Vec<u8> {
    values.iter().flat_map(|v| v.to_le_bytes()).collect()
}

#[test]
fn entries_run() {
    let tools = Search::from_env().toolchain();
    if let Err(error) = tools.can_run() {
        eprintln!("skipped: {error}");
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    let (a, c) = (bytes([1.0, 2.0, 3.0, 4.0]), bytes([10.0, 20.0, 30.0, 40.0]));
    let expected = bytes([13.0, 24.0, 35.0, 46.0]);
    let buffer = |direction| tegula_toolchain::Buffer { bytes: 16, direction };
    let buffers = [buffer(Direction::In), buffer(Direction::InOut)];
    // On the stack, and from `malloc`.
    for scratch in [64, 1024, 1 << 20] {
        let object = dir.path().join(format!("f{scratch}.o"));
        tools.assemble(&text(scratch), &object).unwrap();
        let outcome = run_entry(&tools, &object, "f", &buffers, &[&a, &c]).unwrap();
        assert_eq!(
            outcome.outputs.as_slice(),
            std::slice::from_ref(&expected),
            "scratch {scratch}"
        );
    }
}
