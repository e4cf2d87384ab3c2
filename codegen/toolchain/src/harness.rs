//! A freestanding program around one entry: no C compiler, no C library.

use std::fmt::Write;

/// Whether a buffer is filled before the call, and read after it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// Filled.
    In,
    /// Read; zero before.
    Out,
    /// Both.
    InOut,
}

/// One argument of the entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Buffer {
    /// Its length.
    pub bytes: u64,
    /// What happens to it.
    pub direction: Direction,
}

impl Buffer {
    /// Whether the program reads it from its input.
    pub(crate) fn is_input(self) -> bool {
        self.direction != Direction::Out
    }

    /// Whether the program writes it to its output.
    pub(crate) fn is_output(self) -> bool {
        self.direction != Direction::In
    }
}

/// Exit codes of the program.
pub(crate) const EXIT_MEMORY: i32 = 81;
pub(crate) const EXIT_INPUT: i32 = 82;
pub(crate) const EXIT_OUTPUT: i32 = 83;
pub(crate) const EXIT_ABORT: i32 = 84;

const PAGE: u64 = 65536;

/// The program's text: reads the inputs from standard input, one after the other, calls `entry`
/// with the buffers' addresses in order, and writes the outputs to standard output.
///
/// Each buffer ends right before a page that cannot be accessed, so that an access behind it ends
/// the program with a fault. `malloc`, `free` and `abort`, which entries call for their scratch
/// memory, are defined here on system calls.
pub fn harness_text(entry: &str, buffers: &[Buffer]) -> String {
    let mut out = String::new();
    let mut line = |text: &str| {
        if !text.ends_with(':') {
            out.push('\t');
        }
        out.push_str(text);
        out.push('\n');
    };
    line(".text");
    line(".globl _start");
    line("_start:");
    // The addresses of the buffers are on the stack.
    let table = (buffers.len() as u64 * 8).next_multiple_of(16).max(16);
    line(&format!("sub sp, sp, #{table}"));
    for (number, buffer) in buffers.iter().enumerate() {
        let pages = buffer.bytes.next_multiple_of(PAGE);
        constant(&mut line, "x19", buffer.bytes);
        constant(&mut line, "x20", pages);
        line(&format!("bl {}", local("buffer")));
        line(&format!("str x0, [sp, #{}]", number * 8));
        if buffer.is_input() {
            line("mov x1, x0");
            line("mov x2, x19");
            line(&format!("bl {}", local("read")));
        }
    }
    for number in 0..buffers.len() {
        line(&format!("ldr x{number}, [sp, #{}]", number * 8));
    }
    line(&format!("bl {entry}"));
    for (number, buffer) in buffers.iter().enumerate().filter(|(_, b)| b.is_output()) {
        line(&format!("ldr x1, [sp, #{}]", number * 8));
        constant(&mut line, "x2", buffer.bytes);
        line(&format!("bl {}", local("write")));
    }
    line("mov x0, #0");
    line("b .Ltegula_exit");
    out.push_str(&runtime());
    out
}

fn local(name: &str) -> String {
    format!(".Ltegula_{name}")
}

fn constant(line: &mut impl FnMut(&str), register: &str, value: u64) {
    line(&format!("movz {register}, #{}", value & 0xffff));
    for part in 1..4 {
        let bits = value >> (16 * part) & 0xffff;
        if bits != 0 {
            line(&format!("movk {register}, #{bits}, lsl #{}", 16 * part));
        }
    }
}

/// Linux system calls: 63 read, 64 write, 93 exit, 215 munmap, 222 mmap, 226 mprotect.
fn runtime() -> String {
    let mut out = String::new();
    let text = format!(
        "
# x19 bytes in x20 bytes of pages, a page without access behind them -> x0
.Ltegula_buffer:
	mov x0, #0
	add x1, x20, #{page_high}, lsl #12
	mov x2, #0
	mov x3, #0x22
	mov x4, #-1
	mov x5, #0
	mov x8, #222
	svc #0
	cmn x0, #4095
	b.hs .Ltegula_no_memory
	cbz x20, 1f
	mov x21, x0
	mov x1, x20
	mov x2, #3
	mov x8, #226
	svc #0
	cbnz x0, .Ltegula_no_memory
	mov x0, x21
1:	add x0, x0, x20
	sub x0, x0, x19
	ret
# x2 bytes to x1
.Ltegula_read:
1:	cbz x2, 2f
	mov x0, #0
	mov x8, #63
	svc #0
	cmp x0, #0
	b.le .Ltegula_no_input
	add x1, x1, x0
	sub x2, x2, x0
	b 1b
2:	ret
# x2 bytes from x1
.Ltegula_write:
1:	cbz x2, 2f
	mov x0, #1
	mov x8, #64
	svc #0
	cmp x0, #0
	b.le .Ltegula_no_output
	add x1, x1, x0
	sub x2, x2, x0
	b 1b
2:	ret
.Ltegula_no_memory:
	mov x0, #{EXIT_MEMORY}
	b .Ltegula_exit
.Ltegula_no_input:
	mov x0, #{EXIT_INPUT}
	b .Ltegula_exit
.Ltegula_no_output:
	mov x0, #{EXIT_OUTPUT}
.Ltegula_exit:
	mov x8, #93
	svc #0
	.globl abort
abort:
	mov x0, #{EXIT_ABORT}
	b .Ltegula_exit
	.globl malloc
malloc:
	add x9, x0, #16
	mov x0, #0
	mov x1, x9
	mov x2, #3
	mov x3, #0x22
	mov x4, #-1
	mov x5, #0
	mov x8, #222
	svc #0
	cmn x0, #4095
	b.hs 1f
	str x9, [x0], #16
	ret
1:	mov x0, #0
	ret
	.globl free
free:
	cbz x0, 1f
	ldr x1, [x0, #-16]!
	mov x8, #215
	svc #0
1:	ret
	.section .note.GNU-stack,\"\",%progbits
",
        page_high = PAGE >> 12
    );
    // Comments are for the reader of this source; not every assembler takes `#`.
    for line in text.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
        // Writing to a string cannot fail.
        let _ = writeln!(out, "{line}");
    }
    out
}
