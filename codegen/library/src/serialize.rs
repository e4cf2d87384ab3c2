//! `iree-hal-serialize-target-executables`: machine instructions become binary libraries.

use std::path::Path;
use std::sync::Arc;

use tegula_dialect_hal::executable::{Export, beside_code, children, exports};
use tegula_ir::{Attr, AttrData, Body, DenseData, Ident, InsertPoint, Names, NewOp, OpId, Type};
use tegula_neon::{
    AsmFile, AsmFunction, Flavour, InstrTable, Visibility, assemble, workgroup_function,
};
use tegula_pass::{Changed, Failed, PassCx, PassResult, Report, Severity};
use tegula_toolchain::{Search, ToolError};

use crate::tables::{Entry, library_text};

/// The code that is made: an ELF shared object which asks nothing of who loads it.
const FORMAT: &str = "embedded-elf-arm_64";
const MIME_TYPE: &str = "application/x-elf";

/// The settings that name folders for assembly text and objects, and for libraries.
pub const INTERMEDIATES: &str = "iree-hal-dump-executable-intermediates-to";
/// See [`INTERMEDIATES`].
pub const BINARIES: &str = "iree-hal-dump-executable-binaries-to";

/// Runs the pass on one executable.
pub(crate) fn run(cx: &mut PassCx<'_>, body: &mut Body, root: OpId) -> PassResult {
    let variants: Vec<OpId> = children(body, root, "hal.executable.variant").collect();
    for &variant in &variants {
        let text = text(cx, body, root, variant)?;
        let made = Made::new(&text).map_err(|error| tool_error(cx, body, variant, &error))?;
        dump(cx, body, root, variant, &text, &made)?;
        let bytes = made.library;
        let ty = Type::vector(&[bytes.len() as i64], Type::int(8));
        let data = AttrData::Dense { ty, data: DenseData::Bytes(Arc::from(bytes)) };
        let binary = NewOp::new("hal.executable.binary")
            .attr_opt("sym_visibility", body.attr(variant, "sym_visibility"))
            .attr_opt("sym_name", body.attr(variant, "sym_name"))
            .attr("data", Attr::new(data))
            .attr("format", Attr::string(FORMAT))
            .attr("mime_type", Attr::string(MIME_TYPE))
            .loc(body.loc(variant));
        let mut rw = cx.rewriter(body);
        rw.insert(InsertPoint::Before(variant), binary);
        rw.erase(variant);
    }
    Ok(Changed::when(!variants.is_empty()))
}

/// The assembly text of a variant's library.
fn text(cx: &mut PassCx<'_>, body: &Body, root: OpId, variant: OpId) -> Result<String, Failed> {
    let target = body.attr(variant, "target");
    let target = target.and_then(|target| target.dialect_params("hal.executable.target"));
    let word = |at: usize| target.and_then(|params| params.get(at)?.as_str());
    if (word(0), word(1)) != (Some("llvm-cpu"), Some(FORMAT)) {
        let message = format!("only code for \"llvm-cpu\" in the format \"{FORMAT}\" can be made");
        return Err(cx.error(body, variant, "unsupported-format", message));
    }
    if let Some((op, why)) = beside_code(body, variant) {
        return Err(cx.error(body, op, "unsupported-code", why));
    }
    let table = match InstrTable::new(cx.registry) {
        Ok(table) => table,
        Err(messages) => {
            return Err(cx.error(body, variant, "broken-instruction", messages.join("; ")));
        }
    };
    let mut functions: Vec<AsmFunction> = Vec::new();
    for func in body.walk(variant).filter(|&op| body.is(op, "func.func")) {
        if body.region_entry(func, 0).is_none() {
            let message = "device code may not call what is not there";
            return Err(cx.error(body, func, "no-code", message));
        }
        let name = symbol(body.symbol_name(func).unwrap_or_default());
        let made = assemble(&table, body, func, name, Visibility::Local);
        functions.push(made.map_err(|e| cx.error(body, e.op, e.code, e.message))?);
    }
    let mut entries = Vec::new();
    for export in in_order(body, variant) {
        let device = symbol(export.name);
        if !functions.iter().any(|function| function.symbol == device) {
            let message = format!("the code of the entry point @{} is missing", export.name);
            return Err(cx.error(body, export.op, "no-code", message));
        }
        // A symbol of MLIR text has no such name: it would be written in quotes.
        let called = Ident::of(&format!("{}.workgroup", device.as_str()));
        let made = workgroup_function(called, device, export.bindings, export.constants)
            .map_err(|e| cx.error(body, export.op, "no-entry", e.0))?;
        let made = assemble(&table, &made.body, made.func, called, made.visibility);
        functions.push(made.map_err(|e| cx.error(body, export.op, e.code, e.message))?);
        entries.push(Entry {
            name: device.as_str().to_owned(),
            symbol: called,
            bindings: export.bindings,
            constants: export.constants,
        });
    }
    let file = AsmFile { functions: functions.iter().collect(), positions: false };
    if let Some(twice) = file.duplicate_symbol() {
        let message = format!("two functions are called {twice}");
        return Err(cx.error(body, variant, "duplicate-symbol", message));
    }
    let name = symbol(body.symbol_name(root).unwrap_or_default());
    let text = file.render_functions(Flavour::Elf);
    Ok(text + &library_text(name.as_str(), &entries) + AsmFile::trailer(Flavour::Elf))
}

/// The entry points by their numbers.
fn in_order(body: &Body, variant: OpId) -> Vec<Export> {
    let mut exports = exports(body, variant);
    exports.sort_by_key(|export| body.attr(export.op, "ordinal").and_then(Attr::as_int));
    exports
}

/// What a symbol is called in the library. A number that depends on the rest of the module stands
/// for its key, as in all assembly text.
fn symbol(name: &str) -> Ident {
    Ident::of(&Names::default().resolve(name))
}

/// What tools make of text.
struct Made {
    object: Vec<u8>,
    library: Vec<u8>,
}

impl Made {
    fn new(text: &str) -> Result<Made, ToolError> {
        let toolchain = Search::from_env().toolchain();
        let folder = tempfile::tempdir()?;
        let (object, library) = (folder.path().join("code.o"), folder.path().join("code.so"));
        toolchain.assemble(text, &object)?;
        toolchain.link_embedded(std::slice::from_ref(&object), &library)?;
        Ok(Made { object: std::fs::read(&object)?, library: std::fs::read(&library)? })
    }
}

/// Writes what was made into the folders that the settings name.
fn dump(
    cx: &mut PassCx<'_>,
    body: &Body,
    root: OpId,
    variant: OpId,
    text: &str,
    made: &Made,
) -> Result<(), Failed> {
    let module = cx.header.name.map_or("module", |name| name.as_str());
    let [executable, code] = [root, variant].map(|op| body.symbol_name(op).unwrap_or_default());
    let stem = format!("{module}_{}_{code}", symbol(executable).as_str());
    let files = [
        (INTERMEDIATES, "s", text.as_bytes()),
        (INTERMEDIATES, "o", &made.object),
        (BINARIES, "so", &made.library),
    ];
    for (setting, ending, content) in files {
        let Some(folder) = cx.setting(setting) else { continue };
        let file = Path::new(folder).join(format!("{stem}.{ending}"));
        std::fs::write(&file, content).map_err(|error| {
            let message = format!("cannot write {}: {error}", file.display());
            cx.error(body, variant, "unwritable-output", message)
        })?;
    }
    Ok(())
}

fn tool_error(cx: &mut PassCx<'_>, body: &Body, variant: OpId, error: &ToolError) -> Failed {
    let found = error.diagnostic();
    let message = format!("cannot become a library: {}", found.message);
    let report = Report::at(Severity::Error, body, variant, error.code(), message);
    cx.fail(found.notes.into_iter().fold(report, |report, note| report.note(None, note)))
}
