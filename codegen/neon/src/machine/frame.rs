//! The stack frame.
//!
//! From the stack pointer up: spill slots, memory that the function asked for, saved registers,
//! and, when the function calls, the frame record. The stack pointer is a multiple of 16.

use regalloc2::{PReg, RegClass};

use crate::asm::AsmFunction;

/// Where everything in the frame is.
pub(super) struct Frame {
    /// Offsets of the frame objects from the stack pointer.
    pub(super) objects: Vec<u32>,
    /// Bytes below the saved registers.
    locals: u32,
    /// Saved registers in pairs, the frame record first.
    saves: Vec<(PReg, Option<PReg>)>,
    record: bool,
}

const FRAME_POINTER: usize = 29;
const LINK: usize = 30;

impl Frame {
    pub(super) fn new(
        spill_units: usize,
        objects: &[u32],
        saved: &[PReg],
        has_calls: bool,
    ) -> Option<Frame> {
        let align = |bytes: u32| bytes.checked_next_multiple_of(16);
        let mut at = align(u32::try_from(spill_units.checked_mul(8)?).ok()?)?;
        let mut places = Vec::new();
        for &size in objects {
            places.push(at);
            at = at.checked_add(align(size)?)?;
        }
        let mut saves = Vec::new();
        if has_calls {
            let pair = (PReg::new(FRAME_POINTER, RegClass::Int), PReg::new(LINK, RegClass::Int));
            saves.push((pair.0, Some(pair.1)));
        }
        for class in [RegClass::Int, RegClass::Float] {
            let of_class: Vec<PReg> =
                saved.iter().copied().filter(|reg| reg.class() == class).collect();
            saves.extend(of_class.chunks(2).map(|pair| (pair[0], pair.get(1).copied())));
        }
        // The largest offset that two additions reach.
        (at < 1 << 24).then_some(Frame { objects: places, locals: at, saves, record: has_calls })
    }

    /// Bytes of the whole frame.
    pub(super) fn size(&self) -> u32 {
        self.locals + self.saves.len() as u32 * 16
    }

    /// Enters the frame.
    pub(super) fn prologue(&self, out: &mut AsmFunction) {
        let saved = self.saves.len() as u32 * 16;
        if saved > 0 {
            out.line(&format!("sub sp, sp, #{saved}"));
            out.line(&format!(".cfi_def_cfa_offset {saved}"));
        }
        for (number, (first, second)) in self.saves.iter().enumerate() {
            let at = number as u32 * 16;
            match second {
                Some(second) => {
                    out.line(&format!("stp {}, {}, [sp, #{at}]", name(*first), name(*second)))
                }
                None => out.line(&format!("str {}, [sp, #{at}]", name(*first))),
            }
            for (offset, reg) in [(0, Some(*first)), (8, *second)] {
                if let Some(reg) = reg {
                    let below = saved - at - offset;
                    out.line(&format!(".cfi_offset {}, -{below}", dwarf_number(reg)));
                }
            }
        }
        if self.record {
            out.line("mov x29, sp");
            out.line(&format!(".cfi_def_cfa x29, {saved}"));
        }
        for step in steps(self.locals) {
            out.line(&format!("sub sp, sp, {step}"));
        }
        if self.locals > 0 && !self.record {
            out.line(&format!(".cfi_def_cfa_offset {}", self.size()));
        }
    }

    /// Leaves the frame; the return follows.
    pub(super) fn epilogue(&self, out: &mut AsmFunction) {
        if self.size() == 0 {
            return;
        }
        // Other returns may stand behind this one in the text, still inside of the frame.
        out.line(".cfi_remember_state");
        let saved = self.saves.len() as u32 * 16;
        for step in steps(self.locals) {
            out.line(&format!("add sp, sp, {step}"));
        }
        if self.record || (self.locals > 0 && saved > 0) {
            out.line(&format!(".cfi_def_cfa sp, {saved}"));
        }
        for (number, (first, second)) in self.saves.iter().enumerate().rev() {
            let at = number as u32 * 16;
            match second {
                Some(second) => {
                    out.line(&format!("ldp {}, {}, [sp, #{at}]", name(*first), name(*second)))
                }
                None => out.line(&format!("ldr {}, [sp, #{at}]", name(*first))),
            }
            for reg in [Some(*first), *second].into_iter().flatten() {
                out.line(&format!(".cfi_restore {}", dwarf_number(reg)));
            }
        }
        if saved > 0 {
            out.line(&format!("add sp, sp, #{saved}"));
        }
        out.line(".cfi_def_cfa sp, 0");
    }

    /// After the return.
    pub(super) fn after_return(&self, out: &mut AsmFunction) {
        if self.size() != 0 {
            out.line(".cfi_restore_state");
        }
    }
}

/// The immediates that add up to a number below 2^24.
pub(super) fn steps(bytes: u32) -> impl Iterator<Item = String> {
    let high = (bytes >> 12 > 0).then(|| format!("#{}, lsl #12", bytes >> 12));
    let low = (bytes & 0xfff > 0).then(|| format!("#{}", bytes & 0xfff));
    high.into_iter().chain(low)
}

/// The 64 bits of a register that a callee keeps.
fn name(reg: PReg) -> String {
    match reg.class() {
        RegClass::Int => format!("x{}", reg.hw_enc()),
        RegClass::Float | RegClass::Vector => format!("d{}", reg.hw_enc()),
    }
}

/// The register's number in DWARF for AArch64.
fn dwarf_number(reg: PReg) -> usize {
    match reg.class() {
        RegClass::Int => reg.hw_enc(),
        RegClass::Float | RegClass::Vector => 64 + reg.hw_enc(),
    }
}
