//! The parameters of dialect types and attributes from text, by their format programs.

use tegula_schema::{EnumDef, FormatElem, ParamDef, ParamFormat, ParamKind, Slot};

use super::asm_parser::{AsmParser, ParseResult};
use super::defaults::{enum_value, param_default};
use super::lexer::Tok;
use super::print_params::param_indices;
use crate::{Attr, AttrData, DialectEntry, Ident, Type};

impl<'a> AsmParser<'a> {
    /// The parameters after the name of a type or attribute.
    pub(crate) fn params(
        &mut self,
        dialect: &DialectEntry,
        format: &ParamFormat,
        defs: &[ParamDef],
    ) -> ParseResult<Vec<Attr>> {
        let mut values: Vec<Option<Attr>> = vec![None; defs.len()];
        match format {
            ParamFormat::None => {}
            ParamFormat::Hook(name) => {
                let Some(hook) = dialect.hooks.parse_params.get(name.as_ref()) else {
                    return Err(self.error(format!(
                        "the reader `{name}` of dialect `{}` is not installed",
                        dialect.def.name
                    )));
                };
                return hook(self);
            }
            ParamFormat::Program(elems) => {
                let mut program = Program { dialect, defs, values: &mut values };
                program.run(self, elems)?;
            }
        }
        let registry = self.registry;
        let missing = |def: &ParamDef| self.error(format!("parameter `{}` is missing", def.name));
        values
            .into_iter()
            .zip(defs)
            .map(|(value, def)| match value.or_else(|| param_default(registry, def)) {
                Some(value) => Ok(value),
                None if def.optional => Ok(Attr::absent()),
                None => match def.kind {
                    ParamKind::Array(_) => Ok(Attr::array(&[])),
                    _ => Err(missing(def)),
                },
            })
            .collect()
    }

    pub(crate) fn verify_params(
        &self,
        dialect: &DialectEntry,
        verifier: Option<&str>,
        params: &[Attr],
        start: usize,
    ) -> ParseResult<()> {
        let hook = verifier.and_then(|name| dialect.hooks.verify_params.get(name));
        match hook {
            Some(hook) => hook(self.registry, params)
                .map_err(|message| self.error_at(self.span_from(start), message)),
            None => Ok(()),
        }
    }

    /// One parameter as its kind says.
    pub fn param(&mut self, kind: &ParamKind) -> ParseResult<Attr> {
        match kind {
            ParamKind::Attr => self.attr(),
            ParamKind::AttrOf(name) => self.attr_named(name),
            ParamKind::Type => self.ty().map(Attr::ty),
            ParamKind::Int => self.integer().map(Attr::i64),
            ParamKind::Bool => self.boolean().map(Attr::bool),
            ParamKind::String => self.string().map(|text| Attr::string(&text)),
            ParamKind::Enum(name) => match self.registry.enumeration(name) {
                Some(def) => self.enum_case(def).map(|keyword| Attr::string(&keyword)),
                None => self.keyword_or_string().map(|keyword| Attr::string(&keyword)),
            },
            ParamKind::Array(inner) => {
                let items = if self.can_start(inner) {
                    self.comma_list(|p| p.param(inner))?
                } else {
                    Vec::new()
                };
                Ok(Attr::array(&items))
            }
            ParamKind::Dims => self.dims(false).map(|dims| Attr::i64_array(&dims)),
            ParamKind::DenseArray(element) => {
                let element = self.type_of_text(element)?;
                let values = if matches!(self.tok.kind, Tok::Int | Tok::Float | Tok::Minus)
                    || self.at("true")
                    || self.at("false")
                {
                    self.comma_list(|p| p.dense_array_element(element))?
                } else {
                    Vec::new()
                };
                Ok(Attr::new(AttrData::DenseArray { element, values: values.into() }))
            }
            ParamKind::SymbolName => self.symbol_name().map(|name| Attr::string(name.as_str())),
        }
    }

    /// The type that a definition gives as text.
    pub(crate) fn type_of_text(&self, text: &str) -> ParseResult<Type> {
        super::defaults::type_from_text(self.registry, text)
            .ok_or_else(|| self.error(format!("the definition names `{text}`, which is no type")))
    }

    /// An attribute of a known dialect kind, with or without its prefix.
    pub fn attr_named(&mut self, name: &str) -> ParseResult<Attr> {
        if self.tok.kind == Tok::Hash {
            return self.attr();
        }
        if let Some((entry, def)) = self.registry.attr(name) {
            let start = self.tok.start;
            let params = self.params(entry, &def.format, &def.params)?;
            self.verify_params(entry, def.verifier.as_deref(), &params, start)?;
            return Ok(Attr::new(AttrData::Dialect {
                name: Ident::of(name),
                params: params.into(),
            }));
        }
        if let Some(def) = self.registry.enum_of_attr(name) {
            let bracket = self.eat("<");
            let keyword = self.enum_case(def)?;
            if bracket {
                self.expect(">")?;
            }
            return Ok(Attr::dialect(name, &[Attr::string(&keyword)]));
        }
        self.attr()
    }

    /// The keyword of an enum case; cases of a bit enum may be joined.
    pub fn enum_case(&mut self, def: &EnumDef) -> ParseResult<String> {
        let span = self.span();
        let mut keyword = self.keyword_or_string()?;
        if def.bit_enum {
            let separator = if def.separator.is_empty() { "|" } else { def.separator.trim() };
            while self.eat(separator) {
                keyword.push_str(&def.separator);
                keyword.push_str(self.keyword()?);
            }
        }
        if enum_value(def, &keyword).is_some() {
            return Ok(keyword);
        }
        let words: Vec<&str> = def.cases.iter().map(|c| c.keyword.as_ref()).collect();
        let error = self.error_at(span, format!("`{keyword}` is no case of `{}`", def.name));
        Err(match tegula_diag::did_you_mean(&keyword, words.iter().copied()) {
            Some(question) => error.note(question),
            None => error.note(format!("its cases are {}", words.join(", "))),
        })
    }

    /// Whether the next token can begin a parameter of that kind.
    pub(crate) fn can_start(&self, kind: &ParamKind) -> bool {
        match kind {
            ParamKind::Attr => self.at_attr(),
            ParamKind::AttrOf(name) => {
                self.at_attr()
                    || self.tok.kind == Tok::Less && self.registry.attr(name).is_some()
                    || self.tok.kind == Tok::Less && self.registry.enum_of_attr(name).is_some()
            }
            ParamKind::Type => matches!(self.tok.kind, Tok::Bang | Tok::LParen | Tok::Bare),
            ParamKind::Int => matches!(self.tok.kind, Tok::Int | Tok::Minus),
            ParamKind::Bool => self.at("true") || self.at("false"),
            ParamKind::String => self.tok.kind == Tok::Str,
            ParamKind::Enum(name) => match self.tok.kind {
                Tok::Str => true,
                Tok::Bare => self.registry.enumeration(name).is_none_or(|def| {
                    def.cases.iter().any(|case| case.keyword == self.token_text())
                }),
                _ => false,
            },
            ParamKind::Array(inner) => self.can_start(inner),
            ParamKind::Dims => matches!(self.tok.kind, Tok::Int | Tok::Question),
            ParamKind::DenseArray(_) => {
                matches!(self.tok.kind, Tok::Int | Tok::Float | Tok::Minus)
            }
            ParamKind::SymbolName => self.tok.kind == Tok::At,
        }
    }
}

struct Program<'p> {
    dialect: &'p DialectEntry,
    defs: &'p [ParamDef],
    values: &'p mut Vec<Option<Attr>>,
}

impl Program<'_> {
    fn run(&mut self, p: &mut AsmParser<'_>, elems: &[FormatElem]) -> ParseResult<()> {
        elems.iter().try_for_each(|elem| self.element(p, elem))
    }

    fn element(&mut self, p: &mut AsmParser<'_>, elem: &FormatElem) -> ParseResult<()> {
        match elem {
            FormatElem::Literal(text) => p.expect(text),
            FormatElem::Attr(index)
            | FormatElem::Operand(index)
            | FormatElem::Type(Slot::Attr(index) | Slot::Operand(index) | Slot::Result(index)) => {
                self.variable(p, usize::from(*index))
            }
            FormatElem::Params => {
                let all: Vec<usize> = (0..self.defs.len()).collect();
                self.list(p, &all)
            }
            FormatElem::Struct(list) if list.is_empty() => {
                let all: Vec<usize> = (0..self.defs.len()).collect();
                self.fields(p, &all)
            }
            FormatElem::Struct(list) => {
                let list: Vec<usize> = list.iter().map(|&i| usize::from(i)).collect();
                self.fields(p, &list)
            }
            FormatElem::Qualified(inner) | FormatElem::Ref(inner) => self.run(p, inner),
            FormatElem::Custom(name, args) => self.custom(p, name, args).map(drop),
            FormatElem::Optional { then, otherwise, .. } => self.optional(p, then, otherwise),
            _ => Ok(()),
        }
    }

    fn variable(&mut self, p: &mut AsmParser<'_>, index: usize) -> ParseResult<()> {
        let Some(def) = self.defs.get(index) else { return Ok(()) };
        if (def.optional || def.default.is_some()) && !p.can_start(&def.kind) {
            return Ok(());
        }
        self.values[index] = Some(p.param(&def.kind)?);
        Ok(())
    }

    fn list(&mut self, p: &mut AsmParser<'_>, indices: &[usize]) -> ParseResult<()> {
        let mut first = true;
        for &index in indices {
            let Some(def) = self.defs.get(index) else { continue };
            let optional = def.optional || def.default.is_some();
            if first {
                if optional && !p.can_start(&def.kind) {
                    continue;
                }
            } else if optional {
                if !p.eat(",") {
                    continue;
                }
            } else {
                p.expect(",")?;
            }
            self.values[index] = Some(p.param(&def.kind)?);
            first = false;
        }
        Ok(())
    }

    fn fields(&mut self, p: &mut AsmParser<'_>, indices: &[usize]) -> ParseResult<()> {
        let names: Vec<&str> = indices
            .iter()
            .filter_map(|&index| self.defs.get(index).map(|def| def.name.as_ref()))
            .collect();
        let all_optional = indices
            .iter()
            .filter_map(|&index| self.defs.get(index))
            .all(|def| def.optional || def.default.is_some());
        if all_optional && p.tok.kind != Tok::Bare {
            return Ok(());
        }
        loop {
            let span = p.span();
            let name = p.keyword_of(&names)?;
            let index = self.defs.iter().position(|def| def.name == name).unwrap_or(0);
            if self.values[index].is_some() {
                return Err(p.error_at(span, format!("parameter `{name}` is given twice")));
            }
            p.expect("=")?;
            let kind = &self.defs[index].kind;
            let list = matches!(kind, ParamKind::Array(_) | ParamKind::DenseArray(_));
            let bracket = list && p.eat("[");
            self.values[index] = Some(p.param(kind)?);
            if bracket {
                p.expect("]")?;
            }
            if !p.eat(",") {
                return Ok(());
            }
        }
    }

    fn custom(
        &mut self,
        p: &mut AsmParser<'_>,
        name: &str,
        args: &[FormatElem],
    ) -> ParseResult<bool> {
        let indices: Vec<usize> = param_indices(args).collect();
        let mut values: Vec<Option<Attr>> =
            indices.iter().map(|&i| self.values.get(i).copied().flatten()).collect();
        let Some(hook) = self.dialect.hooks.parse_param_directive.get(name) else {
            return Err(p.error(format!(
                "the reader `custom<{name}>` of dialect `{}` is not installed",
                self.dialect.def.name
            )));
        };
        let found = hook(p, &mut values)?;
        for (index, value) in indices.into_iter().zip(values) {
            if let Some(slot) = self.values.get_mut(index) {
                *slot = value;
            }
        }
        Ok(found)
    }

    fn optional(
        &mut self,
        p: &mut AsmParser<'_>,
        then: &[FormatElem],
        otherwise: &[FormatElem],
    ) -> ParseResult<()> {
        let Some(head) = then.iter().position(|e| !matches!(e, FormatElem::Whitespace(_))) else {
            return self.run(p, otherwise);
        };
        if let FormatElem::Custom(name, args) = &then[head] {
            if !self.custom(p, name, args)? {
                return self.run(p, otherwise);
            }
            return self.run(p, &then[head + 1..]);
        }
        if self.starts(p, &then[head]) { self.run(p, then) } else { self.run(p, otherwise) }
    }

    fn starts(&self, p: &AsmParser<'_>, elem: &FormatElem) -> bool {
        let kind = |index: u16| self.defs.get(usize::from(index)).map(|def| &def.kind);
        match elem {
            FormatElem::Literal(text) => p.at(text),
            FormatElem::Attr(index) | FormatElem::Operand(index) => {
                kind(*index).is_some_and(|kind| p.can_start(kind))
            }
            FormatElem::Qualified(inner) => inner.first().is_some_and(|e| self.starts(p, e)),
            FormatElem::Params => self.defs.first().is_some_and(|def| p.can_start(&def.kind)),
            FormatElem::Struct(_) => {
                p.tok.kind == Tok::Bare && self.defs.iter().any(|def| def.name == p.token_text())
            }
            _ => true,
        }
    }
}
