//! The tables of a library, as assembly text. Names and layouts are those of version 0.6 of the
//! interface, `iree/hal/local/executable_library.h`.

use std::fmt::Write;

use tegula_ir::Ident;
use tegula_neon::mangle;

/// The version of the interface.
const VERSION: u32 = 6;

/// The only symbol that the library exports.
pub(crate) const QUERY: &str = "iree_hal_executable_library_query";

/// An entry point of a library.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// What the runtime calls it.
    pub name: String,
    /// The function to be called.
    pub symbol: Ident,
    /// How many buffers it takes.
    pub bindings: usize,
    /// How many 32-bit constants it takes.
    pub constants: usize,
}

/// The query function and all that it leads to, in the flavour of ELF.
pub fn library_text(name: &str, entries: &[Entry]) -> String {
    let mut text = Text(String::new());
    text.query();
    text.0.push_str("\t.section .data.rel.ro,\"aw\"\n\t.p2align 3\n");
    text.label("library");
    text.address("header");
    // Imports.
    text.numbers("xword", &[0, 0]);
    // Exports.
    text.numbers("xword", &[entries.len() as u64]);
    for table in ["functions", "attributes"] {
        text.address(table);
    }
    text.numbers("xword", &[0, 0]);
    text.address("names");
    // Tags, names of parameters, two tables of source locations; constants; source files.
    text.numbers("xword", &[0; 4]);
    text.numbers("xword", &[0]);
    text.numbers("xword", &[0, 0]);
    text.label("header");
    text.numbers("word", &[VERSION.into(), 0]);
    text.address("name");
    // Features, sanitizer.
    text.numbers("word", &[0, 0]);
    text.label("functions");
    for entry in entries {
        text.line(format_args!(".xword {}", mangle(entry.symbol.as_str())));
    }
    text.label("names");
    for index in 0..entries.len() {
        text.line(format_args!(".xword .Llibrary$name{index}"));
    }
    text.0.push_str("\t.section .rodata\n\t.p2align 3\n");
    text.label("attributes");
    for entry in entries {
        text.attributes(entry);
    }
    text.label("name");
    text.string(name);
    for (index, entry) in entries.iter().enumerate() {
        text.label(&format!("name{index}"));
        text.string(&entry.name);
    }
    text.0
}

struct Text(String);

impl Text {
    fn line(&mut self, line: std::fmt::Arguments<'_>) {
        // Writing to a string cannot fail.
        let _ = writeln!(self.0, "\t{line}");
    }

    fn label(&mut self, name: &str) {
        let _ = writeln!(self.0, ".Llibrary${name}:");
    }

    fn address(&mut self, name: &str) {
        self.line(format_args!(".xword .Llibrary${name}"));
    }

    fn numbers(&mut self, kind: &str, numbers: &[u64]) {
        let numbers: Vec<String> = numbers.iter().map(u64::to_string).collect();
        self.line(format_args!(".{kind} {}", numbers.join(", ")));
    }

    /// `library *query(version, environment)`: none for a runtime that is older than the tables.
    fn query(&mut self) {
        let _ = write!(
            self.0,
            "\t.text\n\t.globl {QUERY}\n\t.p2align 4\n\t.type {QUERY}, %function\n{QUERY}:\n"
        );
        self.line(format_args!("adrp x1, .Llibrary$library"));
        self.line(format_args!("add x1, x1, :lo12:.Llibrary$library"));
        self.line(format_args!("cmp w0, #{VERSION}"));
        self.line(format_args!("csel x0, x1, xzr, hs"));
        self.line(format_args!("ret"));
        self.line(format_args!(".size {QUERY}, .-{QUERY}"));
    }

    /// One workgroup of one invocation, without local memory.
    fn attributes(&mut self, entry: &Entry) {
        // Flags.
        self.numbers("xword", &[0]);
        // Pages of local memory.
        self.numbers("hword", &[0]);
        self.numbers("byte", &[entry.constants as u64, entry.bindings as u64]);
        // The workgroup's size in three directions.
        self.numbers("word", &[1, 1]);
        self.numbers("hword", &[1]);
        // Described parameters.
        self.numbers("hword", &[0]);
        self.numbers("xword", &[0; 5]);
    }

    fn string(&mut self, text: &str) {
        let mut quoted = String::new();
        for byte in text.bytes() {
            match byte {
                b'"' | b'\\' => quoted.extend(['\\', char::from(byte)]),
                0x20..0x7f => quoted.push(char::from(byte)),
                _ => {
                    let _ = write!(quoted, "\\{byte:03o}");
                }
            }
        }
        self.line(format_args!(".asciz \"{quoted}\""));
    }
}
