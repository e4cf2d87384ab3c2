//! AArch64 NEON: machine instructions, selection, register allocation, assembly text.
