//! Finding and calling the external assembler, linker and emulator.
