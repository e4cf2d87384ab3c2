//! Assembly text: pieces of functions, and whole files in the flavours of ELF and Mach-O.
//!
//! A function's text is made once and holds identities; symbol names, label names and the
//! differences between object formats are settled when a file is written.

mod file;
mod mangle;

pub use file::{AsmFile, Flavour};
pub use mangle::mangle;

use tegula_ir::Ident;

/// Who sees a function.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Visibility {
    /// Every object.
    Global,
    /// Its own object: two objects may hold functions of the same name.
    Local,
}

/// A part of a function's text.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Piece {
    /// Text as it stands.
    Text(String),
    /// The name of a symbol.
    Symbol(Ident),
    /// A label of this function.
    Label(u32),
    /// The page of a constant of this function.
    ConstantPage(u32),
    /// The place of a constant of this function within its page.
    ConstantLow12(u32),
    /// The position in source text that the following instructions come from.
    Position {
        /// The file.
        file: Ident,
        /// The line, from 1.
        line: u32,
        /// The column, from 1.
        column: u32,
    },
}

/// The assembly text of one function.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct AsmFunction {
    /// Its symbol.
    pub symbol: Ident,
    /// Who sees it.
    pub visibility: Visibility,
    /// Its text, whole lines.
    pub pieces: Vec<Piece>,
    /// The bytes of its constants, each aligned to its own length (at most 16).
    pub constants: Vec<Vec<u8>>,
    /// What register allocation cost.
    pub stats: AsmStats,
}

/// Figures that tests and reports ask for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct AsmStats {
    /// Instructions.
    pub instructions: u32,
    /// Moves that register allocation added.
    pub moves: u32,
    /// Stores to and loads from spill slots.
    pub spills: u32,
    /// Bytes of the frame.
    pub frame: u32,
}

impl AsmFunction {
    pub(crate) fn new(symbol: Ident, visibility: Visibility) -> AsmFunction {
        AsmFunction {
            symbol,
            visibility,
            pieces: Vec::new(),
            constants: Vec::new(),
            stats: AsmStats::default(),
        }
    }

    /// Appends text to the last piece.
    pub(crate) fn text(&mut self, text: &str) {
        match self.pieces.last_mut() {
            Some(Piece::Text(last)) => last.push_str(text),
            _ => self.pieces.push(Piece::Text(text.to_owned())),
        }
    }

    /// Appends an instruction or directive.
    pub(crate) fn line(&mut self, text: &str) {
        self.text("\t");
        self.text(text);
        self.text("\n");
    }

    /// The number of the constant with these bytes.
    pub(crate) fn constant(&mut self, bytes: &[u8]) -> u32 {
        let at = self.constants.iter().position(|c| c == bytes).unwrap_or_else(|| {
            self.constants.push(bytes.to_vec());
            self.constants.len() - 1
        });
        at as u32
    }
}
