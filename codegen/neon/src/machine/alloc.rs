//! Register allocation by regalloc2.

use std::cell::RefCell;

use regalloc2::{Algorithm, Ctx, MachineEnv, Output, PReg, PRegSet, RegClass, RegallocOptions};

use super::MachineFunction;

/// x16 is kept for the printer: offsets and constants that fit no immediate. x18 belongs to the
/// platform, x29 to the frame, x30 to calls.
pub(crate) const PRINTER_SCRATCH: u8 = 16;

const INT_CALLER_SAVED: [u8; 17] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 17];

pub(crate) fn int(number: u8) -> PReg {
    PReg::new(number.into(), RegClass::Int)
}

pub(crate) fn float(number: u8) -> PReg {
    PReg::new(number.into(), RegClass::Float)
}

/// Whether AAPCS64 has the callee keep the register; of v8–v15 only the low halves.
pub(crate) fn is_callee_saved(reg: PReg) -> bool {
    match reg.class() {
        RegClass::Int => (19..=28).contains(&reg.hw_enc()),
        RegClass::Float | RegClass::Vector => (8..=15).contains(&reg.hw_enc()),
    }
}

/// What a call may overwrite. No vector register survives whole.
pub(crate) fn call_clobbers() -> PRegSet {
    let mut set = PRegSet::empty();
    for number in INT_CALLER_SAVED {
        set.add(int(number));
    }
    for number in 0..32 {
        set.add(float(number));
    }
    set
}

fn environment() -> MachineEnv {
    let mut preferred = [PRegSet::empty(); 3];
    let mut other = [PRegSet::empty(); 3];
    for number in INT_CALLER_SAVED {
        preferred[RegClass::Int as usize].add(int(number));
    }
    for number in 19..=28 {
        other[RegClass::Int as usize].add(int(number));
    }
    for number in (0..8).chain(16..32) {
        preferred[RegClass::Float as usize].add(float(number));
    }
    for number in 8..16 {
        other[RegClass::Float as usize].add(float(number));
    }
    MachineEnv {
        preferred_regs_by_class: preferred,
        non_preferred_regs_by_class: other,
        scratch_by_class: [None; 3],
        fixed_stack_slots: Vec::new(),
    }
}

thread_local! {
    /// The allocator's tables, which the next function fills again.
    static CONTEXT: RefCell<Ctx> = RefCell::default();
}

/// Allocates. With debug assertions, regalloc2's checker follows every value to its uses.
pub(crate) fn run(function: &MachineFunction) -> Result<Output, String> {
    let env = environment();
    let options = RegallocOptions {
        verbose_log: false,
        validate_ssa: cfg!(debug_assertions),
        algorithm: Algorithm::Ion,
    };
    let output = CONTEXT.with_borrow_mut(|context| {
        regalloc2::run_with_ctx(function, &env, &options, context)
            .map_err(|error| format!("register allocation failed: {error:?}"))?;
        Ok::<Output, String>(std::mem::take(&mut context.output))
    })?;
    #[cfg(debug_assertions)]
    {
        let mut checker = regalloc2::checker::Checker::new(function, &env);
        checker.prepare(&output);
        checker.run().map_err(|errors| format!("register allocation is wrong: {errors:?}"))?;
    }
    Ok(output)
}
