//! Records to dialects.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use tegula_diag::{Diagnostic, SourceId, Sources, Span};
use tegula_record::{Record, Records};
use tegula_schema::DialectDef;

use crate::cx::{Cx, Get, is_name};
use crate::hash;
use crate::pattern::{self, OpTable};
use crate::sound;

/// What lowering yields.
#[derive(Clone, Debug, Default)]
pub struct Lowered {
    /// The dialects in order of definition.
    pub dialects: Vec<DialectDef>,
    /// For each dialect the source that defines it.
    pub sources: Vec<SourceId>,
    /// What was found.
    pub diagnostics: Vec<Diagnostic>,
}

/// The mistakes in records of which some are not as they were meant, as far as these have no part
/// in them.
pub(crate) fn mistakes(records: &Records, sources: &Sources, roots: &[PathBuf]) -> Vec<Diagnostic> {
    let sound = sound::sound(records);
    let mut found = lower_some(&sound, sources, roots, false).diagnostics;
    found.retain(|diagnostic| !sound::may_follow(diagnostic));
    found
}

/// Lowers every dialect among `records`.
///
/// `roots` are the folders that file names in the tables are relative to. The tables are usable
/// when no diagnostic is an error.
pub fn lower(records: &Records, sources: &Sources, roots: &[PathBuf]) -> Lowered {
    lower_some(records, sources, roots, true)
}

/// The same for records of which some may be left out; patterns are held against each other when
/// none are.
fn lower_some(records: &Records, sources: &Sources, roots: &[PathBuf], all: bool) -> Lowered {
    let mut cx = Cx::new(records, sources, roots);
    let ods = cx.ods;
    let owners = Owners::new(&mut cx);
    let mut dialects: Vec<Builder> =
        owners.dialects.iter().map(|owner| Builder::new(owner.record)).collect();
    for record in records.defs.values() {
        if ods && record.isa("InterfaceMethod") {
            cx.ods_method(record);
        }
        let Some(at) = owners.of(&cx, record) else { continue };
        let Some(dialect) = dialects.get_mut(at) else { continue };
        dialect.add(&mut cx, record, &owners.dialects[at].name);
    }
    let ops = OpTable::new(dialects.iter().flat_map(|dialect| &dialect.ops));
    // What MLIR's own files call a pattern or pass is made of C++.
    for record in records.defs.values().filter(|_| !ods) {
        let Some(at) = owners.of(&cx, record) else { continue };
        let Some(dialect) = dialects.get_mut(at) else { continue };
        if cx.uses_faulty(record) {
            continue;
        }
        if record.isa("Pattern") {
            dialect.patterns.extend(pattern::pattern(&mut cx, &ops, record));
        } else if record.isa("TypeConverter") {
            dialect.converters.extend(pattern::converter(&mut cx, &ops, record));
        }
    }
    let mut lowered = Lowered::default();
    for (at, builder) in dialects.into_iter().enumerate() {
        let owner = &owners.dialects[at];
        let mut def = builder.finish(owner);
        def.foreign = cx.ods;
        def.schema_hash = hash::of(&def);
        lowered.dialects.push(def);
        lowered.sources.push(owner.source);
    }
    // Mistakes of single patterns first: what is missing would be found missing again.
    if all && !tegula_diag::has_errors(&cx.diagnostics) {
        pattern::check::run(&mut cx, &lowered.dialects);
    }
    cx.list_untranslated();
    lowered.diagnostics = cx.diagnostics;
    lowered
}

/// Which dialect a definition belongs to.
pub(crate) struct Owners<'a> {
    dialects: Vec<Owner<'a>>,
}

pub(crate) struct Owner<'a> {
    record: Option<&'a Record>,
    name: String,
    folder: PathBuf,
    source: SourceId,
}

impl<'a> Owners<'a> {
    fn new(cx: &mut Cx<'a>) -> Owners<'a> {
        let mut dialects: Vec<Owner<'a>> = Vec::new();
        let records = cx.records;
        for record in records.derived("Dialect") {
            // The builtin kinds are part of the compiler.
            if cx.ods && record.text("name") == Some("builtin") {
                continue;
            }
            let Some(name) = record.text("name").map(str::to_owned) else {
                let message = format!("the dialect `{}` has no name", record.name);
                cx.error("dialect-name", message, record.span);
                continue;
            };
            if name.contains('.') || !is_name(&name) {
                let message = format!("`{name}` is no name for a dialect");
                cx.diagnostics.push(
                    Diagnostic::error("dialect-name", message)
                        .at(record.span)
                        .note("letters, digits, `_` and `$` make one, and no digit stands first"),
                );
            }
            if let Some(first) = dialects.iter().find(|d| d.name == name)
                && let Some(first) = first.record
            {
                let message = format!("two dialects are named `{name}`");
                cx.diagnostics.push(
                    Diagnostic::error("duplicate-dialect", message)
                        .at(record.span)
                        .label(first.span, "the first is here"),
                );
            }
            let (folder, source) = (cx.folder(record.span), record.span.source);
            dialects.push(Owner { record: Some(record), name, folder, source });
        }
        // Definitions of a file that names no dialect gather under the file's own name, so that
        // a file of nothing but patterns can be installed.
        let stray =
            records.defs.values().filter(|_| !cx.ods).find(|record| {
                owned_by_place(cx, record) && place(cx, record, &dialects).is_none()
            });
        if let Some(record) = stray {
            let (folder, source) = (cx.folder(record.span), record.span.source);
            let file = cx.file(record.span);
            let stem = Path::new(&file).file_stem().unwrap_or_default();
            let name = stem.to_string_lossy().into_owned();
            dialects.push(Owner { record: None, name, folder, source });
        }
        Owners { dialects }
    }

    /// The index of the owner; none for what belongs to no dialect.
    pub(crate) fn of(&self, cx: &Cx<'a>, record: &Record) -> Option<usize> {
        for field in ["opDialect", "dialect"] {
            if let Some(dialect) = cx.field_def(record, field).filter(|d| d.isa("Dialect")) {
                let same = |o: &Owner<'_>| o.record.is_some_and(|r| r.name == dialect.name);
                return self.dialects.iter().position(same);
            }
        }
        if !owned_by_place(cx, record) {
            return None;
        }
        place(cx, record, &self.dialects)
            .or_else(|| self.dialects.iter().position(|owner| owner.record.is_none()))
    }
}

/// Classes whose records belong to a dialect by the place where they stand.
const OWNED: &[&str] = &["Pass", "Pipeline", "Target", "EnumAttrInfo", "Pattern", "TypeConverter"];

/// The same of MLIR's own classes: their passes and patterns are made of C++.
const OWNED_ODS: &[&str] = &["EnumInfo"];

fn owned_by_place(cx: &Cx<'_>, record: &Record) -> bool {
    let owned = if cx.ods { OWNED_ODS } else { OWNED };
    !record.anonymous
        && owned.iter().any(|class| record.isa(class))
        && !cx.file(record.span).starts_with("tegula/")
}

/// The dialect of a place: that of the file, or else of the nearest folder around it.
fn place(cx: &Cx<'_>, record: &Record, dialects: &[Owner<'_>]) -> Option<usize> {
    let folder = cx.folder(record.span);
    let around = || {
        folder
            .ancestors()
            .find_map(|folder| dialects.iter().position(|owner| owner.folder == folder))
    };
    dialects.iter().position(|owner| owner.source == record.span.source).or_else(around)
}

/// A dialect while it is gathered.
#[derive(Default)]
struct Builder {
    def: DialectDef,
    ops: Vec<tegula_schema::OpDef>,
    types: Vec<tegula_schema::TypeDef>,
    attrs: Vec<tegula_schema::AttrKindDef>,
    enums: Vec<tegula_schema::EnumDef>,
    patterns: Vec<tegula_schema::PatternDef>,
    converters: Vec<tegula_schema::ConverterDef>,
    passes: Vec<tegula_schema::PassDef>,
    pipelines: Vec<tegula_schema::PipelineDef>,
    targets: Vec<tegula_schema::TargetDef>,
    /// Where each full name was defined, by kind.
    seen: BTreeMap<(&'static str, String), Span>,
}

impl Builder {
    fn new(record: Option<&Record>) -> Builder {
        let mut builder = Builder::default();
        if let Some(record) = record {
            builder.def.summary = record.str("summary");
            builder.def.description = record.prose("description");
        }
        builder
    }

    fn add<'a>(&mut self, cx: &mut Cx<'a>, record: &'a Record, dialect: &str) {
        let added = if record.isa("Op") {
            self.ops.push(cx.op(record, dialect));
            self.ops.last().map(|op| ("op", op.name.to_string()))
        } else if record.isa("TypeDef") {
            self.types.push(cx.type_def(record));
            self.types.last().map(|ty| ("type", ty.name.to_string()))
        } else if record.isa("AttrDef") {
            self.attrs.push(cx.attr_kind(record));
            self.attrs.last().map(|attr| ("attribute", attr.name.to_string()))
        } else if record.isa("EnumAttrInfo") || record.isa("EnumInfo") {
            self.enums.push(cx.enum_def(record));
            self.enums.last().map(|def| ("enum", def.name.to_string()))
        } else if record.isa("Pass") {
            self.passes.push(cx.pass(record));
            self.passes.last().map(|pass| ("pass", pass.name.to_string()))
        } else if record.isa("Pipeline") {
            self.pipelines.push(cx.pipeline(record));
            self.pipelines.last().map(|pipeline| ("pipeline", pipeline.name.to_string()))
        } else if record.isa("Target") {
            self.targets.push(cx.target(record));
            self.targets.last().map(|target| ("target", target.name.to_string()))
        } else {
            None
        };
        let Some((what, name)) = added else { return };
        if let Some(first) = self.seen.get(&(what, name.clone())) {
            cx.diagnostics.push(
                Diagnostic::error(
                    "duplicate-definition",
                    format!("a second {what} is named `{name}`"),
                )
                .at(record.span)
                .label(*first, "the first is here"),
            );
        } else {
            self.seen.insert((what, name), record.span);
        }
    }

    fn finish(self, owner: &Owner<'_>) -> DialectDef {
        DialectDef {
            name: Cow::Owned(owner.name.clone()),
            ops: Cow::Owned(self.ops),
            types: Cow::Owned(self.types),
            attrs: Cow::Owned(self.attrs),
            enums: Cow::Owned(self.enums),
            patterns: Cow::Owned(self.patterns),
            converters: Cow::Owned(self.converters),
            passes: Cow::Owned(self.passes),
            pipelines: Cow::Owned(self.pipelines),
            targets: Cow::Owned(self.targets),
            ..self.def
        }
    }
}
