//! The end of the road: assembly text in pieces.

use std::sync::Arc;

use tegula_ir::Attr;
use tegula_neon::{AsmFile, Flavour};
use tegula_package::{Schedule, Signature};
use tegula_pass::Report;
use tegula_pipelines::{EmitError, Emitter, is_public_function};

use crate::Item;
use crate::database::Db;
use crate::inputs::Stage;
use crate::parse::item_signature;

/// The assembly text of one symbol.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AsmPiece {
    /// The text; empty for symbols that need none.
    pub text: Arc<str>,
    /// The item of the program that it goes back to, when it goes back to one.
    pub item: Option<Item>,
    /// The C function that it defines, and how its work runs.
    pub entry: Option<(Arc<Signature>, Arc<Schedule>)>,
    /// Why there is no text, with the location of the op in the way.
    pub error: Option<(EmitError, Option<Attr>)>,
}

/// The whole program after its phase.
#[derive(Clone, Debug, PartialEq)]
pub struct Compiled {
    /// The pieces of the assembly text in module order; none unless the phase is the last.
    pub pieces: Vec<AsmPiece>,
    /// What passes said, when one of them gave up.
    pub reports: Vec<Report>,
    /// Some symbol did not get to the end.
    pub failed: bool,
}

/// The text of a symbol at the end of the plan.
#[salsa::tracked(returns(ref))]
pub(crate) fn piece(db: &dyn Db, stage: Stage, flavour: FlavourKey) -> AsmPiece {
    let item = stage.item(db);
    let mut piece = AsmPiece { text: Arc::from(""), item, entry: None, error: None };
    let program = stage.level(db).program(db);
    let body = stage.body(db).body();
    let mut fail = |error: EmitError| {
        let loc = error.op.filter(|op| op.index() < body.bounds().0).map(|op| body.loc(op));
        piece.error = Some((error, loc));
    };
    let emitter = match Emitter::new(program.setup(db)) {
        Ok(emitter) => emitter,
        Err(error) => {
            fail(error);
            return piece;
        }
    };
    let mut functions = match emitter.executable(body) {
        Ok(functions) => functions,
        Err(error) => {
            fail(error);
            return piece;
        }
    };
    let signature = item.and_then(|item| item_signature(db, program, item));
    if let Some(signature) = signature.filter(|_| is_public_function(body)) {
        let made = signature.and_then(|signature| {
            let schedule = Arc::new(emitter.schedule(body, &signature)?);
            let entries = emitter.entries(&signature, &schedule)?;
            Ok((signature, schedule, entries))
        });
        match made {
            Ok((signature, schedule, entries)) => {
                functions.extend(entries);
                piece.entry = Some((signature, schedule));
            }
            Err(error) => {
                fail(error);
                return piece;
            }
        }
    }
    let file = AsmFile { functions: functions.iter().collect(), positions: false };
    piece.text = file.render_functions(flavour.flavour()).into();
    piece
}

/// The object format, as a key of queries.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, salsa::SalsaValue)]
pub(crate) enum FlavourKey {
    Elf,
    MachO,
}

impl FlavourKey {
    pub(crate) fn of(flavour: Flavour) -> FlavourKey {
        match flavour {
            Flavour::Elf => FlavourKey::Elf,
            Flavour::MachO => FlavourKey::MachO,
        }
    }

    fn flavour(self) -> Flavour {
        match self {
            FlavourKey::Elf => Flavour::Elf,
            FlavourKey::MachO => Flavour::MachO,
        }
    }
}
