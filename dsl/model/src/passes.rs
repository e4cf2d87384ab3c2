//! Passes, pipelines and targets.

use std::borrow::Cow;

use tegula_diag::{Diagnostic, did_you_mean};
use tegula_record::Record;
use tegula_schema::{
    ConversionDef, OptionDef, OptionKind, PassBody, PassDef, PipelineDef, Scope, StatisticDef,
    TargetDef, TargetParam, TargetText, TileDef,
};

use crate::cx::{Cx, Get};

impl<'a> Cx<'a> {
    /// The table of a pass.
    pub(crate) fn pass(&mut self, record: &'a Record) -> PassDef {
        let scope = match self.field_def(record, "scope").and_then(|s| s.text("scope")) {
            Some("local") | None => Scope::Local,
            Some("outline") => Scope::Outline,
            Some("solved") => Scope::Solved,
            Some("bottom-up") => Scope::BottomUp,
            Some("header") => Scope::Header,
            Some("merge") => Scope::Merge,
            Some("module") => Scope::Module,
            Some(other) => {
                let span = self.field_span(record, "scope");
                self.error("pass-scope", format!("`{other}` is no scope of a pass"), span);
                Scope::Local
            }
        };
        let description = record.prose("description");
        if scope == Scope::Module && description.is_empty() {
            let message = format!("`{}` sees the whole module and does not say why", record.name);
            self.diagnostics.push(
                Diagnostic::warning("pass-module-reason", message)
                    .at(record.span)
                    .note("state the reason in `description`, or narrow the scope"),
            );
        }
        if let Some(anchor) = record.text("operation").filter(|anchor| !anchor.is_empty()) {
            self.op_name(anchor, "the op that the pass is anchored on", record.span);
        }
        let options = self.field_defs(record, "options");
        let options = options.into_iter().map(|option| self.option(option, record)).collect();
        let statistics = self.field_defs(record, "statistics");
        PassDef {
            def_name: Cow::Owned(record.name.to_string()),
            name: record.str("argument"),
            anchor: record.str("operation"),
            summary: record.str("summary"),
            description,
            scope,
            options: Cow::Owned(options),
            statistics: statistics
                .iter()
                .map(|s| StatisticDef { name: s.str("statName"), summary: s.str("summary") })
                .collect(),
            requires: Cow::Owned(record.strs("requires")),
            establishes: Cow::Owned(record.strs("establishes")),
            invalidates: Cow::Owned(record.strs("invalidates")),
            body: self.pass_body(record),
            simplified_by: record.str("simplifiedBy"),
            quiet: record.flag("quiet"),
            source: self.source(record.span),
        }
    }

    fn option(&mut self, option: &Record, pass: &Record) -> OptionDef {
        let choices = option.strs("choices");
        let cpp = option.text("cppType").unwrap_or_default();
        let kind = if choices.is_empty() {
            match cpp.rsplit("::").next().unwrap_or(cpp) {
                "bool" => OptionKind::Bool,
                "string" => OptionKind::String,
                "int" | "int64_t" | "int32_t" | "uint64_t" | "uint32_t" | "unsigned" => {
                    OptionKind::Int
                }
                _ => {
                    let span = self.part_span(option, pass, "options");
                    let message = format!("an option of `{}` has the type `{cpp}`", pass.name);
                    let mut diagnostic = Diagnostic::error("option-type", message).at(span);
                    let known = ["bool", "int64_t", "std::string"];
                    diagnostic = match did_you_mean(cpp, known) {
                        Some(question) => diagnostic.note(question),
                        None => diagnostic.note("types are bool, int64_t and std::string"),
                    };
                    self.diagnostics.push(diagnostic);
                    OptionKind::String
                }
            }
        } else {
            OptionKind::Choice(Cow::Owned(choices))
        };
        let kind = match option.flag("isList") {
            true => OptionKind::ListOf(Cow::Owned(vec![kind])),
            false => kind,
        };
        let def = OptionDef {
            name: option.str("argument"),
            kind,
            default: option.str("defaultValue"),
            summary: option.str("summary"),
        };
        let span = self.part_span(option, pass, "options");
        self.option_default(&def, span);
        def
    }

    fn pass_body(&mut self, record: &'a Record) -> PassBody {
        let Some(body) = self.field_def(record, "body") else {
            return PassBody::Hook(record.str("argument"));
        };
        let groups = Cow::Owned(body.strs("groups"));
        if body.isa("GreedyRewrite") {
            return PassBody::Greedy(groups);
        }
        if body.isa("Conversion") {
            return PassBody::Convert(ConversionDef {
                groups,
                converter: body.str("converterName"),
                legal: Cow::Owned(body.strs("legalNames")),
                illegal: Cow::Owned(body.strs("illegalNames")),
                type_legal: Cow::Owned(body.strs("typeLegalNames")),
                opaque: Cow::Owned(body.strs("opaqueNames")),
                full: body.flag("isFull"),
            });
        }
        PassBody::Hook(body.some_str("hook").unwrap_or_else(|| record.str("argument")))
    }

    /// The table of a pipeline.
    pub(crate) fn pipeline(&mut self, record: &'a Record) -> PipelineDef {
        let options = self.field_defs(record, "options");
        let options: Vec<OptionDef> =
            options.into_iter().map(|option| self.option(option, record)).collect();
        let text = record.str("pipeline");
        for name in mentioned(&text) {
            if options.iter().any(|option| option.name == name) {
                continue;
            }
            let message = format!("the pipeline has no option `{name}`");
            let diagnostic = Diagnostic::error("pipeline-option", message)
                .at(self.field_span(record, "pipeline"))
                .suggest(name, options.iter().map(|option| option.name.as_ref()));
            self.diagnostics.push(diagnostic);
        }
        PipelineDef {
            name: record.str("argument"),
            summary: record.str("summary"),
            options: Cow::Owned(options),
            text,
            pass: record.str("pass"),
            source: self.source(record.span),
        }
    }

    /// The table of a target.
    pub(crate) fn target(&self, record: &'a Record) -> TargetDef {
        let number = |record: &Record, field: &str| {
            u32::try_from(record.number(field).unwrap_or(0)).unwrap_or(0)
        };
        let tiles = self.field_defs(record, "tiles");
        let tiles = tiles.iter().map(|tile| TileDef {
            lhs: tile.str("lhs"),
            rhs: tile.str("rhs"),
            out: tile.str("out"),
            m: number(tile, "m"),
            n: number(tile, "n"),
            k: number(tile, "k"),
            requires: Cow::Owned(tile.strs("requires")),
        });
        let params = self.field_defs(record, "params");
        let params = params.iter().map(|param| TargetParam {
            name: param.str("name"),
            value: param.number("value").unwrap_or(0),
        });
        let texts = self.field_defs(record, "texts");
        let texts = texts.iter().map(|t| TargetText { name: t.str("name"), text: t.str("text") });
        TargetDef {
            def_name: Cow::Owned(record.name.to_string()),
            name: record.str("name"),
            summary: record.str("summary"),
            backend: record.str("backend"),
            arch: record.str("arch"),
            vector_bits: number(record, "vectorBits"),
            vector_registers: number(record, "vectorRegisters"),
            alignment: number(record, "alignment"),
            features: Cow::Owned(record.strs("features")),
            optional_features: Cow::Owned(record.strs("optionalFeatures")),
            tiles: tiles.collect(),
            params: params.collect(),
            texts: texts.collect(),
            source: self.source(record.span),
        }
    }
}

/// The options that pipeline text mentions, as `$name`.
fn mentioned(text: &str) -> impl Iterator<Item = &str> {
    text.split('$').skip(1).map(|rest| {
        let end = rest.find(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, '-' | '_')));
        rest.get(..end.unwrap_or(rest.len())).unwrap_or_default()
    })
}
