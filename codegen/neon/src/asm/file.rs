//! Whole assembly files.

use std::fmt::Write;

use indexmap::IndexSet;
use tegula_ir::Ident;

use super::{AsmFunction, Piece, Visibility, mangle};

/// The object format that a file is written for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Flavour {
    /// ELF, as the GNU assembler and LLVM read it.
    #[default]
    Elf,
    /// Mach-O, as Apple's assembler reads it.
    MachO,
}

/// An assembly file: functions in order.
#[derive(Clone, Debug, Default)]
pub struct AsmFile<'a> {
    /// The functions.
    pub functions: Vec<&'a AsmFunction>,
    /// Whether `.loc` lines are written.
    pub positions: bool,
}

impl AsmFile<'_> {
    /// A symbol that two functions have: the file would not assemble.
    pub fn duplicate_symbol(&self) -> Option<Ident> {
        let mut seen = IndexSet::new();
        self.functions.iter().map(|function| function.symbol).find(|symbol| !seen.insert(*symbol))
    }

    /// The text.
    pub fn render(&self, flavour: Flavour) -> String {
        let mut text = self.render_functions(flavour);
        text.push_str(AsmFile::trailer(flavour));
        text
    }

    /// The text of the functions alone. Texts of several files one after the other, and one trailer
    /// behind them, are one file.
    pub fn render_functions(&self, flavour: Flavour) -> String {
        let mut writer = Writer { flavour, out: String::new(), files: IndexSet::new() };
        if self.positions {
            self.file_table(&mut writer);
        }
        for function in &self.functions {
            writer.function(function, self.positions);
        }
        for function in &self.functions {
            writer.constants(function);
        }
        writer.out
    }

    /// What stands at the end of a file.
    pub fn trailer(flavour: Flavour) -> &'static str {
        match flavour {
            // Without the note, linkers take the stack to be executable.
            Flavour::Elf => "\t.section .note.GNU-stack,\"\",%progbits\n",
            Flavour::MachO => "\t.subsections_via_symbols\n",
        }
    }

    fn file_table(&self, writer: &mut Writer) {
        for function in &self.functions {
            for piece in &function.pieces {
                if let Piece::Position { file, .. } = piece
                    && writer.files.insert(*file)
                {
                    let number = writer.files.len();
                    let name = quote(file.as_str());
                    let _ = writeln!(writer.out, "\t.file {number} {name}");
                }
            }
        }
    }
}

struct Writer {
    flavour: Flavour,
    out: String,
    files: IndexSet<Ident>,
}

impl Writer {
    fn symbol(&mut self, symbol: Ident) {
        if self.flavour == Flavour::MachO {
            self.out.push('_');
        }
        self.out.push_str(&mangle(symbol.as_str()));
    }

    /// A name that the assembler keeps out of the symbol table.
    fn local(&mut self, function: Ident, kind: &str, number: u32) {
        self.out.push_str(if self.flavour == Flavour::Elf { ".L" } else { "L" });
        self.out.push_str(&mangle(function.as_str()));
        let _ = write!(self.out, "{kind}{number}");
    }

    fn directive(&mut self, before: &str, symbol: Ident, after: &str) {
        let _ = write!(self.out, "\t{before}");
        self.symbol(symbol);
        self.out.push_str(after);
        self.out.push('\n');
    }

    fn function(&mut self, function: &AsmFunction, positions: bool) {
        let symbol = function.symbol;
        self.out.push_str(match self.flavour {
            Flavour::Elf => "\t.text\n",
            Flavour::MachO => "\t.section __TEXT,__text,regular,pure_instructions\n",
        });
        if function.visibility == Visibility::Global {
            self.directive(".globl ", symbol, "");
        }
        self.out.push_str("\t.p2align 4\n");
        if self.flavour == Flavour::Elf {
            self.directive(".type ", symbol, ", %function");
        }
        self.symbol(symbol);
        self.out.push_str(":\n");
        for piece in &function.pieces {
            match piece {
                Piece::Text(text) => self.out.push_str(text),
                Piece::Symbol(symbol) => self.symbol(*symbol),
                Piece::Label(number) => self.local(symbol, "$", *number),
                Piece::ConstantPage(number) => {
                    self.local(symbol, "$c", *number);
                    if self.flavour == Flavour::MachO {
                        self.out.push_str("@PAGE");
                    }
                }
                Piece::ConstantLow12(number) => {
                    if self.flavour == Flavour::Elf {
                        self.out.push_str(":lo12:");
                    }
                    self.local(symbol, "$c", *number);
                    if self.flavour == Flavour::MachO {
                        self.out.push_str("@PAGEOFF");
                    }
                }
                Piece::Position { file, line, column } => {
                    if positions && let Some(number) = self.files.get_index_of(file) {
                        let _ = writeln!(self.out, "\t.loc {} {line} {column}", number + 1);
                    }
                }
            }
        }
        if self.flavour == Flavour::Elf {
            let name = mangle(symbol.as_str());
            let _ = writeln!(self.out, "\t.size {name}, .-{name}");
        }
    }

    fn constants(&mut self, function: &AsmFunction) {
        if function.constants.is_empty() {
            return;
        }
        self.out.push_str(match self.flavour {
            Flavour::Elf => "\t.section .rodata\n",
            Flavour::MachO => "\t.section __TEXT,__const\n",
        });
        for (number, bytes) in function.constants.iter().enumerate() {
            let align = bytes.len().clamp(1, 16).next_power_of_two().trailing_zeros();
            let _ = writeln!(self.out, "\t.p2align {align}");
            self.local(function.symbol, "$c", number as u32);
            self.out.push_str(":\n");
            for chunk in bytes.chunks(16) {
                let items: Vec<String> = chunk.iter().map(|b| format!("0x{b:02x}")).collect();
                let _ = writeln!(self.out, "\t.byte {}", items.join(", "));
            }
        }
    }
}

fn quote(text: &str) -> String {
    let mut out = String::from("\"");
    for byte in text.bytes() {
        match byte {
            b'"' | b'\\' => {
                out.push('\\');
                out.push(char::from(byte));
            }
            0x20..0x7f => out.push(char::from(byte)),
            _ => {
                let _ = write!(out, "\\{byte:03o}");
            }
        }
    }
    out.push('"');
    out
}
