//! Types, attribute kinds and their parameters.

use std::borrow::Cow;

use tegula_diag::{Diagnostic, Span, nearest};
use tegula_record::{Record, Value};
use tegula_schema::{
    AttrKindDef, EnumCase, EnumDef, Nested, ParamDef, ParamFormat, ParamKind, Str, TypeDef,
};

use crate::cx::{Cx, Get};
use crate::ops::hook;
use crate::{default_value, format};

impl<'a> Cx<'a> {
    /// The table of a type.
    pub(crate) fn type_def(&mut self, record: &'a Record) -> TypeDef {
        self.reads(record);
        let params = self.params(record);
        TypeDef {
            def_name: Cow::Owned(record.name.to_string()),
            name: self.attr_or_type_name(record),
            summary: record.str("summary"),
            description: record.prose("description"),
            alias: record.str("alias"),
            format: self.param_format(record, &params),
            params: Cow::Owned(params),
            verifier: self.params_verifier(record),
            traits: self.trait_names(record),
            source: self.source(record.span),
        }
    }

    /// The table of an attribute kind.
    pub(crate) fn attr_kind(&mut self, record: &'a Record) -> AttrKindDef {
        self.reads(record);
        let params = self.params(record);
        AttrKindDef {
            def_name: Cow::Owned(record.name.to_string()),
            name: self.attr_or_type_name(record),
            summary: record.str("summary"),
            description: record.prose("description"),
            alias: record.str("alias"),
            format: self.param_format(record, &params),
            params: Cow::Owned(params),
            verifier: self.params_verifier(record),
            encoding_verifier: record.some_str("encodingVerifier"),
            traits: self.trait_names(record),
            source: self.source(record.span),
        }
    }

    fn attr_or_type_name(&mut self, record: &'a Record) -> Str {
        match self.full_name(record) {
            Some(full) => {
                self.mnemonic(record, record.text("mnemonic").unwrap_or_default());
                Cow::Owned(full)
            }
            None => {
                let message = format!("`{}` has no mnemonic", record.name);
                self.diagnostics.push(
                    Diagnostic::error("missing-mnemonic", message)
                        .at(record.span)
                        .note("add `let mnemonic = \"…\";`"),
                );
                Cow::Borrowed("")
            }
        }
    }

    fn params_verifier(&self, record: &Record) -> Option<Str> {
        hook(record, "genVerifyDecl", "verifier", record.text("mnemonic").unwrap_or_default())
    }

    fn trait_names(&mut self, record: &'a Record) -> Cow<'static, [Str]> {
        let traits = self.traits(record, "traits");
        if !self.ods {
            return Cow::Owned(traits.iter().map(|t| t.str("trait")).collect());
        }
        let known = traits.into_iter().filter_map(|t| Some(self.ods_trait(t)?.name));
        Cow::Owned(known.collect())
    }

    fn params(&mut self, record: &'a Record) -> Vec<ParamDef> {
        let Some(dag) = record.graph("parameters") else { return Vec::new() };
        let mut params: Vec<ParamDef> = Vec::new();
        for arg in &dag.args {
            let Some(name) = arg.name.as_deref() else {
                self.error("op-unnamed", "each parameter needs a name", arg.span);
                continue;
            };
            if params.iter().any(|p| p.name == name) {
                let message = format!("`{}` has two parameters `${name}`", record.name);
                self.error("duplicate-parameter", message, arg.span);
                continue;
            }
            let mut param = ParamDef { name: Cow::Owned(name.to_owned()), ..ParamDef::default() };
            match &arg.value {
                Value::Str(kind) | Value::Code(kind) => {
                    param.kind = self.param_kind(kind, arg.span)
                }
                Value::Def(_) => {
                    let Some(def) = self.def(&arg.value) else { continue };
                    let known = self.ods && def.text("cppType").is_some();
                    if !known && !def.isa("AttrOrTypeParameter") {
                        self.no_parameter(def, arg.span);
                        params.push(param);
                        continue;
                    }
                    param.kind = self.param_kind(def.text("cppType").unwrap_or("attr"), arg.span);
                    param.optional = def.flag("optional");
                    let mut default = def.text("defaultValue").map(str::to_owned);
                    if self.ods {
                        (param.optional, default) = self.ods_param_default(def, &param.kind);
                    }
                    param.default = default
                        .map(|value| Cow::Owned(default_value::of_param(&value, &param.kind)));
                }
                other => {
                    let message = format!("expected a parameter, found {}", other.kind());
                    self.error("parameter-kind", message, arg.span);
                }
            }
            params.push(param);
        }
        params
    }

    /// Reports a definition in a parameter list that is no parameter.
    fn no_parameter(&mut self, def: &Record, span: Span) {
        let is = match def {
            _ if def.isa("AttrConstraint") => "a constraint on attributes",
            _ if def.isa("TypeConstraint") => "a constraint on types",
            _ => "another definition",
        };
        self.diagnostics.push(
            Diagnostic::error("parameter-kind", format!("expected a parameter, found {is}"))
                .at(span)
                .note("a parameter is a kind in quotes, or of a class such as `AttrParameter`"),
        );
    }

    /// A parameter's kind from the words of the prelude, or from the C++ names that ODS files use.
    fn param_kind(&mut self, text: &str, span: Span) -> ParamKind {
        let text = text.trim();
        // Lists of lists are read by recursion; no sensible kind is longer.
        if text.len() > 256 {
            self.error("parameter-kind", "the kind of the parameter is too long", span);
            return ParamKind::Attr;
        }
        if let Some((word, rest)) = text.split_once(':')
            && !rest.starts_with(':')
        {
            match word {
                "enum" => {
                    if self.enum_record(rest).is_none() {
                        let message = format!("there is no enum `{rest}`");
                        self.error("unknown-enum", message, span);
                    }
                    return ParamKind::Enum(Cow::Owned(rest.to_owned()));
                }
                "dense" => return ParamKind::DenseArray(Cow::Owned(rest.to_owned())),
                "of" => return ParamKind::AttrOf(Cow::Owned(rest.to_owned())),
                "list" => return ParamKind::Array(Nested::new(self.param_kind(rest, span))),
                _ => {}
            }
        }
        let text =
            text.strip_prefix("std::optional<").map_or(text, |rest| rest.trim_end_matches('>'));
        let cpp = text.rsplit("::").next().unwrap_or(text);
        for list in ["ArrayRef<", "SmallVector<", "std::vector<"] {
            if let Some(inner) =
                text.trim_start_matches(':').trim_start_matches("llvm::").strip_prefix(list)
            {
                return ParamKind::Array(Nested::new(
                    self.param_kind(inner.trim_end_matches('>'), span),
                ));
            }
        }
        let builtin = match cpp {
            "attr" | "Attribute" | "TypedAttr" => return ParamKind::Attr,
            "type" | "Type" => return ParamKind::Type,
            "int" | "int64_t" | "int32_t" | "int16_t" | "int8_t" | "uint64_t" | "uint32_t"
            | "uint16_t" | "uint8_t" | "unsigned" | "size_t" => return ParamKind::Int,
            "bool" => return ParamKind::Bool,
            "string" | "StringRef" | "StringAttr" => return ParamKind::String,
            "dims" => return ParamKind::Dims,
            "IntegerAttr" => "integer",
            "FloatAttr" => "float",
            "BoolAttr" => "bool",
            "UnitAttr" => "unit",
            "AffineMap" | "AffineMapAttr" => "affine_map",
            "ArrayAttr" => "array",
            "DictionaryAttr" => "dictionary",
            "SymbolRefAttr" => "symbol_ref",
            "FlatSymbolRefAttr" => "flat_symbol_ref",
            "TypeAttr" => return ParamKind::Type,
            "DenseI64ArrayAttr" => return ParamKind::DenseArray(Cow::Borrowed("i64")),
            "DenseI32ArrayAttr" => return ParamKind::DenseArray(Cow::Borrowed("i32")),
            "DenseBoolArrayAttr" => return ParamKind::DenseArray(Cow::Borrowed("i1")),
            "ElementsAttr" | "DenseElementsAttr" => "dense_elements",
            _ => "",
        };
        if !builtin.is_empty() {
            return ParamKind::AttrOf(Cow::Borrowed(builtin));
        }
        // The class of an attribute, enum or type that is defined by a record.
        let records = self.records;
        if let Some(def) =
            records.derived("AttrDef").find(|r| class_is(r, "Attr", cpp) || *r.name == *text)
            && let Some(full) = self.full_name(def)
        {
            return ParamKind::AttrOf(Cow::Owned(full));
        }
        if self.enum_record(cpp).is_some() {
            return ParamKind::Enum(Cow::Owned(cpp.to_owned()));
        }
        if records.derived("TypeDef").any(|r| class_is(r, "Type", cpp) || *r.name == *text) {
            return ParamKind::Type;
        }
        if self.ods {
            if let Some(info) = self.enum_of_class(text) {
                return ParamKind::Enum(info);
            }
            self.untranslated(&format!("the parameter type `{text}`"));
            return ParamKind::Attr;
        }
        let known = ["attr", "type", "int", "bool", "string", "dims"];
        let mut diagnostic =
            Diagnostic::error("unknown-kind", format!("`{text}` is no kind of parameter")).at(span);
        if let Some(near) = nearest(text, known) {
            diagnostic = diagnostic.note(format!("a similar kind is `{near}`"));
        }
        self.diagnostics.push(diagnostic.note(
            "kinds are attr, type, int, bool, string, dims, enum:Name, dense:elem, of:kind, list:…",
        ));
        ParamKind::Attr
    }

    fn param_format(&mut self, record: &'a Record, params: &[ParamDef]) -> ParamFormat {
        let mnemonic = record.text("mnemonic").unwrap_or_default();
        let declared = self.ods && record.text("assemblyFormat").is_some();
        if let Some(name) = hook(record, "hasCustomAssemblyFormat", "customFormat", mnemonic)
            && !declared
        {
            return ParamFormat::Hook(name);
        }
        let Some(text) = self.format_text(record, "assemblyFormat") else {
            if params.iter().any(|p| !p.optional) {
                let message = format!("`{}` has parameters but no format", record.name);
                self.diagnostics.push(
                    Diagnostic::error("missing-format", message)
                        .at(record.span)
                        .note("add `let assemblyFormat = \"`<` params `>`\";`"),
                );
            }
            return ParamFormat::None;
        };
        let before = self.diagnostics.len();
        let nodes = format::parse(&text, &mut self.diagnostics);
        format::duplicates(&nodes, &mut self.diagnostics);
        let program = format::resolve_params(&nodes, params, &mut self.diagnostics);
        if self.diagnostics[before..].iter().all(format::is_whole) {
            let at = text.whole();
            format::check_params(params, &program, at, &mut self.diagnostics);
        }
        text.keep_only_exact_fixes(&mut self.diagnostics[before..]);
        ParamFormat::Program(Cow::Owned(program))
    }

    /// The table of an enum.
    pub(crate) fn enum_def(&mut self, record: &'a Record) -> EnumDef {
        let records = self.records;
        let attr_name = records
            .derived("EnumAttr")
            .find(|attr| {
                let info = self.field_def(attr, "enumInfo").or(self.field_def(attr, "enum"));
                info.is_some_and(|info| info.name == record.name)
            })
            .and_then(|attr| self.full_name(attr));
        let mut cases: Vec<EnumCase> = Vec::new();
        for case in self.field_defs(record, "enumerants") {
            let span = self.part_span(case, record, "enumerants");
            let case = EnumCase {
                symbol: case.str("symbol"),
                keyword: case.some_str("keyword").unwrap_or_else(|| case.str("str")),
                value: case.number("value").unwrap_or(0),
            };
            let twin = cases.iter().find(|c| c.symbol == case.symbol || c.keyword == case.keyword);
            if let Some(twin) = twin {
                let message = format!("`{}` has two cases `{}`", record.name, twin.keyword);
                self.error("enum-duplicate-case", message, span);
            }
            cases.push(case);
        }
        let width = record.number("bitwidth").unwrap_or(0);
        EnumDef {
            name: record.str("className"),
            summary: record.str("summary"),
            attr_name: Cow::Owned(attr_name.unwrap_or_default()),
            width: u32::try_from(width).unwrap_or(0),
            bit_enum: record.flag("isBitEnum") || record.isa("BitEnumBase"),
            separator: record.str("separator"),
            primary_groups: record.flag("printBitEnumPrimaryGroups"),
            cases: Cow::Owned(cases),
        }
    }
}

fn class_is(record: &Record, ending: &str, cpp: &str) -> bool {
    let name = record.text("cppClassName").unwrap_or_default();
    !name.is_empty() && (cpp == name || cpp.strip_suffix(ending) == Some(name))
}
