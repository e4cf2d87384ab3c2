//! The evaluator against the hardware (or its emulator), instruction by instruction.

use tegula_ir::{Attr, BlockId, Body, Ident, NewOp, OpId, Type, ValueId};
use tegula_toolchain::{Buffer, Direction, Search, run_entry};

use super::{EvalFunction, Program};
use crate::asm::{AsmFile, Flavour, Visibility};
use crate::instr::{Control, InstrRow, InstrTable};
use crate::testing::{function, push, registry};
use crate::{assemble, types};

/// Words that make all kinds of singles, and some integers.
const WORDS: [u32; 16] = [
    0x3f80_0000, // 1
    0xc0a0_0000, // -5
    0x7f80_0000, // infinity
    0x8000_0000, // -0
    0x0000_0000, // 0
    0x7fc0_1234, // a quiet NaN
    0xff80_4321, // a signalling NaN
    0x0000_0001, // the smallest subnormal
    0x7f7f_ffff, // the largest number
    0x4049_0fdb, // pi
    0xff80_0000, // -infinity
    0x3300_0001,
    0xbf7f_ffff,
    0x0080_0000,
    0x4b80_0001,
    0xffff_ffff,
];

/// How often each instruction runs, on other operands each time.
const ROUNDS: usize = 6;

struct Maker {
    body: Body,
    func: OpId,
    block: BlockId,
    input: ValueId,
    output: ValueId,
    /// Where the next result goes.
    at: i64,
    /// A counter that chooses operands.
    seed: usize,
}

impl Maker {
    fn op(&mut self, new: NewOp) -> Vec<ValueId> {
        push(&mut self.body, self.block, new)
    }

    fn imm(&mut self, name: &'static str, base: ValueId, offset: i64, ty: Type) -> ValueId {
        self.op(NewOp::new(name).operand(base).attr("offset", Attr::i64(offset)).result(ty))[0]
    }

    fn operand(&mut self, name: &str, letter: char, is_load: bool) -> ValueId {
        self.seed += 7;
        let word = |count: usize| (self.seed % count) as i64;
        let offset = (word(WORDS.len() - 3)) * 4;
        match (name, letter) {
            ("base", _) => {
                let base = if is_load { self.input } else { self.output };
                let step = if is_load { 512 } else { self.at + 256 };
                self.op(NewOp::new("neon.add_imm")
                    .operand(base)
                    .attr("imm", Attr::i64(step))
                    .result(types::x()))[0]
            }
            ("index", _) => self.op(NewOp::new("neon.movz_x")
                .attr("imm", Attr::i64(16))
                .attr("shift", Attr::i64(0))
                .result(types::x()))[0],
            (_, 'v') => self.imm("neon.ldur_q", self.input, offset, types::v128()),
            (_, 's') => self.imm("neon.ldr_s", self.input, offset, types::s()),
            (_, 'w') => {
                let single = self.imm("neon.ldr_s", self.input, offset, types::s());
                self.op(NewOp::new("neon.fmov_w_s").operand(single).result(types::w()))[0]
            }
            _ => self.imm("neon.ldr_x", self.input, offset & !7, types::x()),
        }
    }

    fn store(&mut self, value: ValueId) {
        let (output, at) = (self.output, self.at);
        let ty = self.body.ty(value);
        let value = if ty == types::w() {
            self.op(NewOp::new("neon.dup_w_4s").operand(value).result(types::v128()))[0]
        } else {
            value
        };
        let ty = self.body.ty(value);
        let name = if ty == types::v128() {
            "neon.str_q"
        } else if ty == types::s() {
            "neon.str_s"
        } else {
            "neon.str_x"
        };
        let new = NewOp::new(name).operands([value, output]).attr("offset", Attr::i64(at));
        self.op(new);
        self.at += 16;
    }

    fn flags(&mut self) -> ValueId {
        let (a, b) = (self.operand("a", 'x', true), self.operand("b", 'x', true));
        self.op(NewOp::new("neon.cmp_x").operands([a, b]).result(types::flags()))[0]
    }

    fn row(&mut self, row: &InstrRow) {
        let is_load = row.name.as_str().contains("ld");
        let touches_memory = row.operands.iter().any(|o| o.name.as_str() == "base");
        let mut operands: Vec<Option<ValueId>> = row
            .operands
            .iter()
            .map(|slot| match slot.file {
                Some((crate::RegFile::Flags, _)) => None,
                Some((_, letter)) => Some(self.operand(slot.name.as_str(), letter, is_load)),
                None => None,
            })
            .collect();
        // Flags are made last, right before they are read.
        for (slot, value) in row.operands.iter().zip(&mut operands) {
            if matches!(slot.file, Some((crate::RegFile::Flags, _))) {
                *value = Some(self.flags());
            }
        }
        let instance = row.instance.as_ref().unwrap();
        let mut new = NewOp::new(row.name).operands(operands.into_iter().map(Option::unwrap));
        for (name, value) in &instance.immediates {
            let attr = value.parse().map_or_else(|_| Attr::string(value), Attr::i64);
            new = new.attr(name, attr);
        }
        let letters: Vec<(crate::RegFile, char)> =
            row.results.iter().map(|slot| slot.file.unwrap()).collect();
        for (file, letter) in &letters {
            new = new.result(match (file, letter) {
                (crate::RegFile::Flags, _) => types::flags(),
                (_, 'v') => types::v128(),
                (_, 's') => types::s(),
                (_, 'w') => types::w(),
                _ => types::x(),
            });
        }
        let results = self.op(new);
        if touches_memory && !is_load {
            self.at += 288;
        }
        for (number, ((file, _), value)) in letters.into_iter().zip(results).enumerate() {
            // Addresses differ between runs.
            if touches_memory
                && row.tied.iter().any(|(result, _)| *result == number)
                && self.body.ty(value) == types::x()
            {
                continue;
            }
            if file == crate::RegFile::Flags {
                let all = ["eq", "ne", "lt", "ge", "gt", "le", "lo", "hs", "hi", "ls"];
                let sets: Vec<ValueId> = all
                    .iter()
                    .map(|cond| {
                        let set = NewOp::new("neon.cset").operand(value);
                        self.op(set.attr("cond", Attr::string(cond)).result(types::x()))[0]
                    })
                    .collect();
                sets.into_iter().for_each(|set| self.store(set));
            } else {
                self.store(value);
            }
        }
    }
}

/// The rows that can stand alone in straight-line code.
fn rows(table: &InstrTable) -> Vec<&InstrRow> {
    table
        .rows()
        .iter()
        .filter(|row| row.control == Control::None && row.instance.is_some())
        .filter(|row| !["neon.adrp", "neon.add_lo12"].contains(&row.name.as_str()))
        .collect()
}

fn check(rows: &[&InstrRow]) {
    let table = InstrTable::new(&registry()).unwrap();
    let (body, func, block) = function("all", &[types::x(), types::x()]);
    let args = body.block_args(block).to_vec();
    let (input, output) = (args[0], args[1]);
    let mut maker = Maker { body, func, block, input, output, at: 0, seed: 0 };
    for row in rows {
        for _ in 0..ROUNDS {
            maker.row(row);
        }
    }
    maker.op(NewOp::new("neon.ret"));
    let size = usize::try_from(maker.at).unwrap() + 1024;
    let words = WORDS.iter().cycle().take(512);
    let input: Vec<u8> = words.flat_map(|word| word.to_le_bytes()).collect();

    let function = EvalFunction { symbol: "all", body: &maker.body, func: maker.func };
    let program = Program::new([function]).unwrap();
    let mut contents = vec![input.clone(), vec![0; size]];
    super::run_entry(&program, "all", &mut contents).unwrap();

    let tools = Search::from_env().toolchain();
    if let Err(error) = tools.can_run() {
        eprintln!("skipped: {error}");
        return;
    }
    let symbol = Ident::of("all");
    let function = assemble(&table, &maker.body, maker.func, symbol, Visibility::Global).unwrap();
    let text = AsmFile { functions: vec![&function], positions: false }.render(Flavour::Elf);
    let dir = tempfile::tempdir().unwrap();
    let object = dir.path().join("all.o");
    tools.assemble(&text, &object).unwrap();
    let buffer = |bytes: usize, direction| Buffer { bytes: bytes as u64, direction };
    let buffers = [buffer(input.len(), Direction::In), buffer(size, Direction::Out)];
    let outcome = run_entry(&tools, &object, "all", &buffers, &[&input]).unwrap();
    let names: Vec<&str> = rows.iter().map(|row| row.name.as_str()).collect();
    assert!(outcome.outputs[0] == contents[1], "{names:?} differ");
}

#[test]
fn instructions_give_the_same_bytes() {
    let table = InstrTable::new(&registry()).unwrap();
    let rows = rows(&table);
    assert!(rows.len() > 80);
    // A few at a time, so that a difference names them and offsets stay within reach.
    let (stores, others): (Vec<&InstrRow>, Vec<&InstrRow>) =
        rows.into_iter().partition(|row| row.name.as_str().contains("st"));
    others.chunks(8).chain(stores.chunks(2)).for_each(check);
}
