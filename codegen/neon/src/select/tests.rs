use std::borrow::Cow;
use tegula_ir::*;
use tegula_rewrite::Rewriter;
use tegula_schema::{DialectDef, OpDef, TraitDef};
use crate::testing::{function, push};

fn mini(name: &'static str, ops: &[(&'static str, bool)]) -> DialectEntry {
    let ops: Vec<OpDef> = ops.iter().map(|(n, pure)| OpDef { name: Cow::Owned(format!("{name}.{n}")), traits: Cow::Owned(if *pure { vec![TraitDef{name: Cow::Borrowed("Pure"), args: Cow::Owned(vec![])}] } else { vec![] }), ..Default::default() }).collect();
    DialectEntry { def: Cow::Owned(DialectDef { name: Cow::Borrowed(name), ops: Cow::Owned(ops), ..Default::default() }), hooks: Default::default() }
}

#[test]
fn copy() {
    let registry = Registry::new([crate::entry(), mini("arith", &[("constant", true), ("addi", true), ("muli", true)]), mini("hal", &[("interface.binding.subspan", true)])]);
    let (mut body, func, entry) = function("copy", &[]);
    let idx = Type::index();
    let c = |body: &mut Body, b, v| push(body, b, NewOp::new("arith.constant").attr("value", Attr::index(v)).result(idx))[0];
    let (c0, c1, c4, c7, c127, c124) = (c(&mut body, entry, 0), c(&mut body, entry, 1), c(&mut body, entry, 4), c(&mut body, entry, 7), c(&mut body, entry, 127), c(&mut body, entry, 124));
    let ty = Type::memref(&[7, 127], Type::f32(), None, None);
    let ty2 = Type::memref(&[127, 8], Type::f32(), None, None);
    let sub = |body: &mut Body, n, ty| push(body, entry, NewOp::new("hal.interface.binding.subspan").operand(c0).attr("binding", Attr::index(n)).result(ty))[0];
    let (a, b) = (sub(&mut body, 0, ty), sub(&mut body, 1, ty2));
    let v4 = Type::vector(&[4], Type::f32());
    let l = body.insert(InsertPoint::End(entry), NewOp::new("scf.for").operands([c0, c124, c4]).regions(1));
    let r = body.region(l, 0).unwrap(); let lb = body.append_block(r); let i = body.add_block_arg(lb, idx);
    for k in 0..7 {
        let ck = c(&mut body, lb, k);
        let x = push(&mut body, lb, NewOp::new("vector.load").operands([a, ck, i]).result(v4))[0];
        push(&mut body, lb, NewOp::new("vector.store").operands([x, b, i, c0]));
    }
    push(&mut body, lb, NewOp::new("scf.yield"));
    let l2 = body.insert(InsertPoint::End(entry), NewOp::new("scf.for").operands([c124, c127, c1]).regions(1));
    let r2 = body.region(l2, 0).unwrap(); let lb2 = body.append_block(r2); let i2 = body.add_block_arg(lb2, idx);
    let l3 = body.insert(InsertPoint::End(lb2), NewOp::new("scf.for").operands([c0, c7, c1]).regions(1));
    push(&mut body, lb2, NewOp::new("scf.yield"));
    let r3 = body.region(l3, 0).unwrap(); let lb3 = body.append_block(r3); let j = body.add_block_arg(lb3, idx);
    let x = push(&mut body, lb3, NewOp::new("memref.load").operands([a, j, i2]).result(Type::f32()))[0];
    push(&mut body, lb3, NewOp::new("memref.store").operands([x, b, i2, j]));
    push(&mut body, lb3, NewOp::new("scf.yield"));
    push(&mut body, entry, NewOp::new("func.return"));
    let mut rw = Rewriter::new(&mut body, &registry);
    super::lower_structure(&mut rw, func).unwrap();
    // constants by hand
    let ops: Vec<OpId> = rw.body.walk(func).filter(|&o| rw.body.is(o, "arith.constant")).collect();
    for op in ops {
        let v = rw.body.attr(op, "value").unwrap().as_int().unwrap();
        let n = super::build::Machine::new(&mut rw, InsertPoint::Before(op)).constant(v);
        rw.replace_with(op, super::build::cast(n, idx));
    }
    super::finish(&mut rw, func).unwrap();
    for op in rw.body.walk(func) { println!("{op:?} {} {:?} -> {:?} {:?}", rw.body.name(op), rw.body.operands(op).collect::<Vec<_>>(), rw.body.results(op).map(|r| (r, rw.body.ty(r))).collect::<Vec<_>>(), rw.body.attrs(op)); }
    let table = crate::InstrTable::new(&registry).unwrap();
    let asm = crate::assemble(&table, &body, func, Ident::of("copy"), crate::Visibility::Global).unwrap();
    let file = crate::AsmFile { functions: vec![&asm], positions: false };
    println!("{}", file.render(crate::Flavour::Elf));
}
