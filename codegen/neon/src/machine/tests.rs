//! Assembly of small functions, as text.

use tegula_ir::{Attr, Body, Ident, NewOp, OpId, Type};

use super::assemble;
use crate::asm::{AsmFile, AsmFunction, Flavour, Visibility};
use crate::instr::InstrTable;
use crate::testing::{function, push, registry, snapshots};
use crate::types;

fn asm(body: &Body, func: OpId) -> AsmFunction {
    let registry = registry();
    let table = InstrTable::new(&registry).unwrap();
    let name = Ident::of(body.symbol_name(func).unwrap());
    assemble(&table, body, func, name, Visibility::Global).unwrap()
}

fn check(name: &str, function: &AsmFunction, flavour: Flavour) {
    let file = AsmFile { functions: vec![function], positions: true };
    snapshots().bind(|| insta::assert_snapshot!(name, file.render(flavour)));
}

fn imm(value: i64) -> Attr {
    Attr::i64(value)
}

/// A loop over 16 accumulators, as the inner loop of an 8x8 tile has them.
fn accumulate() -> (Body, OpId) {
    let (x, v, flags) = (types::x(), types::v128(), types::flags());
    let (mut body, func, entry) = function("accumulate", &[x, x, x, x]);
    let region = body.region(func, 0).unwrap();
    let (header, exit) = (body.append_block(region), body.append_block(region));
    let args = body.block_args(entry).to_vec();
    let mut inits: Vec<_> = args[..3].to_vec();
    for _ in 0..16 {
        inits.extend(push(&mut body, entry, NewOp::new("neon.movi_0").result(v)));
    }
    push(&mut body, entry, NewOp::new("neon.b").operands(inits.iter().copied()).successor(header));
    let types: Vec<Type> = inits.iter().map(|&value| body.ty(value)).collect();
    let carried: Vec<_> = types.iter().map(|&ty| body.add_block_arg(header, ty)).collect();
    let finals: Vec<_> = types[3..].iter().map(|&ty| body.add_block_arg(exit, ty)).collect();
    let load = |body: &mut Body, base, offset| {
        let new = NewOp::new("neon.ldp_q").operand(base).attr("offset", imm(offset));
        push(body, header, new.result(v).result(v))
    };
    let a = load(&mut body, carried[0], 0);
    let b = load(&mut body, carried[1], 0);
    let mut next = Vec::new();
    for i in 0..8 {
        for j in 0..2 {
            let new = NewOp::new("neon.fmla_lane_4s")
                .operand(carried[3 + i * 2 + j])
                .operand(b[j])
                .operand(a[i / 4])
                .attr("lane", imm(i as i64 % 4))
                .result(v);
            next.extend(push(&mut body, header, new));
        }
    }
    let add = |body: &mut Body, value| {
        let new = NewOp::new("neon.add_imm").operand(value).attr("imm", imm(32)).result(x);
        push(body, header, new)[0]
    };
    let (a, b) = (add(&mut body, carried[0]), add(&mut body, carried[1]));
    let count = NewOp::new("neon.subs_imm").operand(carried[2]).attr("imm", imm(1));
    let count = push(&mut body, header, count.result(x).result(flags));
    let branch = NewOp::new("neon.b_cond")
        .operands([count[1], a, b, count[0]])
        .operands(next.iter().copied())
        .operands(next.iter().copied())
        .attr("cond", Attr::string("ne"))
        .attr("operandSegmentSizes", Attr::i32_array(&[1, 19, 16]))
        .successor(header)
        .successor(exit);
    push(&mut body, header, branch);
    for (at, value) in finals.into_iter().enumerate() {
        let store =
            NewOp::new("neon.str_q").operands([value, args[3]]).attr("offset", imm(at as i64 * 16));
        push(&mut body, exit, store);
    }
    push(&mut body, exit, NewOp::new("neon.ret"));
    (body, func)
}

#[test]
fn inner_loop_has_neither_spills_nor_moves() {
    let (body, func) = accumulate();
    let function = asm(&body, func);
    check("accumulate", &function, Flavour::Elf);
    assert_eq!((function.stats.spills, function.stats.moves), (0, 0));
}

#[test]
fn calls_frames_and_constants() {
    let (x, v) = (types::x(), types::v128());
    let (mut body, func, entry) = function("calls", &[x, x]);
    let args = body.block_args(entry).to_vec();
    let data = crate::testing::f32_vector(&[1.0, 2.0, 3.0, 4.0]);
    let page = push(&mut body, entry, NewOp::new("neon.adrp").attr("data", data).result(x))[0];
    let new = NewOp::new("neon.add_lo12").operand(page).attr("data", data).result(x);
    let place = push(&mut body, entry, new)[0];
    let load = NewOp::new("neon.ldr_q").operand(place).attr("offset", imm(0)).result(v);
    let value = push(&mut body, entry, load)[0];
    let memory = NewOp::new("neon.frame_address").attr("size", imm(24)).result(x);
    let memory = push(&mut body, entry, memory)[0];
    let call = NewOp::new("neon.bl").operand(memory).operand(args[1]);
    let call = call.attr("callee", Attr::symbol("other$fn")).result(x);
    let result = push(&mut body, entry, call)[0];
    let store = NewOp::new("neon.str_q").operands([value, args[0]]).attr("offset", imm(16));
    push(&mut body, entry, store);
    push(&mut body, entry, NewOp::new("neon.ret").operand(result));
    let function = asm(&body, func);
    check("calls_elf", &function, Flavour::Elf);
    check("calls_macho", &function, Flavour::MachO);
}

/// More values at once than there are registers: sums of all pairs of many loaded vectors.
#[test]
fn spilled_values_come_back() {
    let (x, v) = (types::x(), types::v128());
    let (mut body, func, entry) = function("pressure", &[x, x]);
    let args = body.block_args(entry).to_vec();
    let count = 48;
    let values: Vec<_> = (0..count)
        .map(|at| {
            let load = NewOp::new("neon.ldr_q").operand(args[0]).attr("offset", imm(at * 16));
            push(&mut body, entry, load.result(v))[0]
        })
        .collect();
    for at in 0..values.len() {
        let other = values[values.len() - 1 - at];
        let add = NewOp::new("neon.fadd_4s").operands([values[at], other]).result(v);
        let sum = push(&mut body, entry, add)[0];
        let store = NewOp::new("neon.str_q").operands([sum, args[1]]);
        push(&mut body, entry, store.attr("offset", imm(at as i64 * 16)));
    }
    push(&mut body, entry, NewOp::new("neon.ret"));
    let function = asm(&body, func);
    assert!(function.stats.spills > 0 && function.stats.frame >= 16);

    let tools = tegula_toolchain::Search::from_env().toolchain();
    if let Err(error) = tools.can_run() {
        eprintln!("not run: {error}");
        return;
    }
    let text = AsmFile { functions: vec![&function], positions: false }.render(Flavour::Elf);
    let dir = tempfile::tempdir().unwrap();
    let object = dir.path().join("pressure.o");
    tools.assemble(&text, &object).unwrap();
    let bytes = count as u64 * 16;
    let buffers = [tegula_toolchain::Direction::In, tegula_toolchain::Direction::Out]
        .map(|direction| tegula_toolchain::Buffer { bytes, direction });
    let input: Vec<f32> = (0..count * 4).map(|i| i as f32).collect();
    let input_bytes: Vec<u8> = input.iter().flat_map(|v| v.to_le_bytes()).collect();
    let outcome =
        tegula_toolchain::run_entry(&tools, &object, "pressure", &buffers, &[&input_bytes]);
    let expected: Vec<u8> = (0..input.len())
        .map(|i| input[i] + input[(count as usize - 1 - i / 4) * 4 + i % 4])
        .flat_map(f32::to_le_bytes)
        .collect();
    assert_eq!(outcome.unwrap().outputs, [expected]);
}

#[test]
fn flags_that_were_overwritten_are_an_error() {
    let (x, flags) = (types::x(), types::flags());
    let (mut body, func, entry) = function("lost", &[x, x]);
    let args = body.block_args(entry).to_vec();
    let compare = |body: &mut Body, a, b| {
        push(body, entry, NewOp::new("neon.cmp_x").operands([a, b]).result(flags))[0]
    };
    let first = compare(&mut body, args[0], args[1]);
    compare(&mut body, args[1], args[0]);
    let set = NewOp::new("neon.cset").operand(first).attr("cond", Attr::string("eq")).result(x);
    let set = push(&mut body, entry, set)[0];
    push(&mut body, entry, NewOp::new("neon.ret").operand(set));
    let table = InstrTable::new(&registry()).unwrap();
    let error = assemble(&table, &body, func, Ident::of("lost"), Visibility::Global).unwrap_err();
    assert_eq!(error.code, "flags-lost");
}
