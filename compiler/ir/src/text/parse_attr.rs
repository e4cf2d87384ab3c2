//! Attributes and locations from text.

use smallvec::SmallVec;
use tegula_schema::Signedness;

use super::asm_parser::{AsmParser, ParseResult, balanced_end};
use super::float::float_from_text;
use super::grow;
use super::lexer::Tok;
use crate::{Attr, AttrData, DYNAMIC, Ident, LocData, Type, TypeData, WideInt};

/// Longer texts of dialect attributes are not looked up.
const ATTR_MEMO_TO: usize = 256;

impl<'a> AsmParser<'a> {
    /// An attribute.
    pub fn attr(&mut self) -> ParseResult<Attr> {
        grow(|| self.attr_inner(None))
    }

    /// An attribute whose type, if it is a number or a string, is given and not written.
    pub fn attr_of_type(&mut self, ty: Type) -> ParseResult<Attr> {
        grow(|| self.attr_inner(Some(ty)))
    }

    /// An attribute, if one comes next.
    pub fn eat_attr(&mut self) -> ParseResult<Option<Attr>> {
        if self.at_attr() { self.attr().map(Some) } else { Ok(None) }
    }

    /// Whether the next token can begin an attribute.
    pub fn at_attr(&self) -> bool {
        match self.tok.kind {
            Tok::LBrace
            | Tok::LSquare
            | Tok::At
            | Tok::Hash
            | Tok::Bang
            | Tok::Str
            | Tok::Int
            | Tok::Float
            | Tok::LParen => true,
            Tok::Minus => matches!(self.peek().kind, Tok::Int | Tok::Float),
            Tok::Bare => self.at_attr_word(),
            _ => false,
        }
    }

    fn at_attr_word(&self) -> bool {
        let next = || self.peek().kind;
        match self.token_text() {
            "true" | "false" | "unit" | "index" | "none" | "token" => true,
            "dense" | "affine_map" | "affine_set" | "array" | "strided" | "sparse"
            | "dense_resource" | "tensor" | "memref" | "vector" | "complex" | "tuple" => {
                next() == Tok::Less
            }
            "distinct" => next() == Tok::LSquare,
            "loc" => next() == Tok::LParen,
            word => {
                crate::FloatKind::from_keyword(word).is_some()
                    || word.trim_start_matches(['s', 'u']).strip_prefix('i').is_some_and(|digits| {
                        !digits.is_empty() && digits.bytes().all(|c| c.is_ascii_digit())
                    })
            }
        }
    }

    fn attr_inner(&mut self, ty: Option<Type>) -> ParseResult<Attr> {
        match self.tok.kind {
            Tok::LSquare => Ok(Attr::array(&self.delimited("[", "]", Self::attr)?)),
            Tok::LBrace => self.dict(),
            Tok::At => self.symbol_ref(),
            Tok::Hash => self.dialect_attr_memoized(),
            Tok::Str => self.string_attr(ty),
            Tok::Int | Tok::Float | Tok::Minus => self.number(ty),
            Tok::Bare => self.word_attr(ty),
            Tok::LParen | Tok::Bang => Ok(Attr::ty(self.ty()?)),
            _ => Err(self.expected("an attribute")),
        }
    }

    fn word_attr(&mut self, ty: Option<Type>) -> ParseResult<Attr> {
        match self.token_text() {
            "unit" => {
                self.advance();
                Ok(Attr::unit())
            }
            word @ ("true" | "false") => {
                self.advance();
                Ok(Attr::bool(word == "true"))
            }
            "affine_map" => {
                self.advance();
                self.expect("<")?;
                let map = self.affine_map()?;
                self.expect(">")?;
                Ok(Attr::map(map))
            }
            "affine_set" => {
                self.advance();
                self.expect("<")?;
                let set = self.integer_set()?;
                self.expect(">")?;
                Ok(Attr::new(AttrData::IntegerSet(set)))
            }
            "dense" if self.peek().kind == Tok::Less => self.dense(ty),
            "dense_resource" => self.dense_resource(ty),
            "sparse" if self.peek().kind == Tok::Less => self.sparse(ty),
            "array" if self.peek().kind == Tok::Less => self.dense_array(),
            "strided" if self.peek().kind == Tok::Less => self.strided(),
            "distinct" if self.peek().kind == Tok::LSquare => self.distinct(),
            "loc" if self.peek().kind == Tok::LParen => self.location(),
            _ => match self.eat_type()? {
                Some(ty) => Ok(Attr::ty(ty)),
                None => Err(self.expected("an attribute")),
            },
        }
    }

    /// The type of a value: the given one, or that after `:`, or the default.
    fn value_type(&mut self, given: Option<Type>, default: Type) -> ParseResult<Type> {
        match given {
            Some(ty) => Ok(ty),
            None if self.eat_tok(Tok::Colon) => self.ty(),
            None => Ok(default),
        }
    }

    fn string_attr(&mut self, given: Option<Type>) -> ParseResult<Attr> {
        self.check_escapes()?;
        let text = self.eat_string_bytes().unwrap_or_default();
        let ty = self.value_type(given, Type::none())?;
        let ty = (!matches!(ty.data(), TypeData::None)).then_some(ty);
        Ok(Attr::new(AttrData::String { text: text.into(), ty }))
    }

    fn number(&mut self, given: Option<Type>) -> ParseResult<Attr> {
        let start = self.tok.start;
        let negative = self.eat_tok(Tok::Minus);
        let (kind, text) = (self.tok.kind, self.token_text());
        if !matches!(kind, Tok::Int | Tok::Float) {
            return Err(self.expected("a number"));
        }
        self.advance();
        let span = self.span_from(start);
        let default = if kind == Tok::Float { Type::f64() } else { Type::int(64) };
        let ty = self.value_type(given, default)?;
        self.number_of(negative, kind, text, ty, span)
    }

    /// The attribute of a number's text as a value of a type.
    pub(crate) fn number_of(
        &self,
        negative: bool,
        kind: Tok,
        text: &str,
        ty: Type,
        span: tegula_diag::Span,
    ) -> ParseResult<Attr> {
        match ty.data() {
            TypeData::Float(_) => {
                let bits = self.float_bits(negative, kind, text, ty, span)?;
                Ok(Attr::new(AttrData::Float { bits, ty }))
            }
            TypeData::Integer { width, sign } if *width > 128 && kind == Tok::Int => {
                let value = WideInt::parse(negative, text, *width, *sign);
                let too_large = || self.error_at(span, format!("the integer does not fit `{ty}`"));
                let value = value.ok_or_else(too_large)?;
                Ok(Attr::new(AttrData::WideInteger { value, ty }))
            }
            TypeData::Integer { .. } | TypeData::Index => {
                Ok(Attr::int(self.int_value(negative, kind, text, ty, span)?, ty))
            }
            _ => Err(self.error_at(span, format!("a number does not have the type `{ty}`"))),
        }
    }

    pub(crate) fn float_bits(
        &self,
        negative: bool,
        kind: Tok,
        text: &str,
        ty: Type,
        span: tegula_diag::Span,
    ) -> ParseResult<u128> {
        if kind == Tok::Int {
            let Some(hex) = text.strip_prefix("0x").filter(|_| !negative) else {
                return Err(self
                    .error_at(span, format!("`{text}` is no floating-point number").as_str())
                    .note("write it with a point, or its bits in hexadecimal"));
            };
            let bits = u128::from_str_radix(hex, 16).ok();
            let width = ty.bit_width().unwrap_or(0);
            return bits
                .filter(|bits| width >= 128 || bits >> width == 0)
                .ok_or_else(|| self.error_at(span, format!("the bits do not fit `{ty}`")));
        }
        let bits = float_from_text(negative, text, ty);
        bits.ok_or_else(|| self.error_at(span, format!("cannot read `{text}` as `{ty}`")))
    }

    pub(crate) fn int_value(
        &self,
        negative: bool,
        kind: Tok,
        text: &str,
        ty: Type,
        span: tegula_diag::Span,
    ) -> ParseResult<i128> {
        if kind == Tok::Float {
            return Err(self.error_at(span, format!("`{text}` is no value of type `{ty}`")));
        }
        let (width, unsigned) = match ty.data() {
            TypeData::Integer { width, sign } => (*width, *sign == Signedness::Unsigned),
            _ => (64, false),
        };
        if width > 128 {
            return Err(self.error_at(span, "integers of more than 128 bits are not supported"));
        }
        let magnitude = match text.strip_prefix("0x") {
            Some(hex) => u128::from_str_radix(hex, 16),
            None => text.parse::<u128>(),
        };
        let too_large = || self.error_at(span, format!("the integer does not fit `{ty}`"));
        let magnitude = magnitude.map_err(|_| too_large())?;
        if width == 0 {
            return if magnitude == 0 { Ok(0) } else { Err(too_large()) };
        }
        let half = 1u128 << (width - 1);
        let full = half - 1 + half;
        let signed = matches!(ty.data(), TypeData::Integer { sign: Signedness::Signed, .. });
        if negative {
            if magnitude > half || unsigned && magnitude != 0 {
                return Err(too_large());
            }
            return Ok((magnitude as i128).wrapping_neg());
        }
        // Signless integers take both ranges; `index` and signed ones only their own.
        let limit = if signed || ty.is_index() { half - 1 } else { full };
        if magnitude > limit {
            return Err(too_large());
        }
        if unsigned {
            return i128::try_from(magnitude).map_err(|_| too_large());
        }
        let shift = 128 - width;
        Ok((magnitude << shift) as i128 >> shift)
    }

    /// `{…}`
    pub fn dict(&mut self) -> ParseResult<Attr> {
        Ok(Attr::dict(self.dict_entries()?))
    }

    /// The entries of `{…}` in order of text; no name twice.
    pub fn dict_entries(&mut self) -> ParseResult<Vec<(Ident, Attr)>> {
        let mut entries = SmallVec::new();
        self.dict_into(&mut entries)?;
        Ok(entries.into_vec())
    }

    /// The same as the entries of a list without entries.
    pub(crate) fn dict_into(
        &mut self,
        entries: &mut SmallVec<[(Ident, Attr); 1]>,
    ) -> ParseResult<()> {
        self.expect("{")?;
        if self.eat("}") {
            return Ok(());
        }
        loop {
            let span = self.span();
            let name = match self.tok.kind {
                Tok::Str => Ident::of(&self.string()?),
                Tok::Bare => Ident::of(self.keyword()?),
                _ => return Err(self.expected("the name of an attribute")),
            };
            if entries.iter().any(|(n, _)| *n == name) {
                return Err(self.error_at(span, format!("attribute `{name}` is given twice")));
            }
            let value = if self.eat("=") { self.attr()? } else { Attr::unit() };
            entries.push((name, value));
            if !self.eat(",") {
                break;
            }
        }
        self.expect("}")
    }

    /// `@root::@nested`
    pub fn symbol_ref(&mut self) -> ParseResult<Attr> {
        let root = self.symbol_name()?;
        let mut nested = Vec::new();
        while self.eat_tok(Tok::ColonColon) {
            nested.push(self.symbol_name()?);
        }
        Ok(Attr::new(AttrData::SymbolRef { root, nested: nested.into() }))
    }

    /// A dialect attribute, which most texts hold many times if they hold it at all.
    fn dialect_attr_memoized(&mut self) -> ParseResult<Attr> {
        let start = self.tok.start;
        let bytes = self.text.as_bytes();
        let limit = bytes.len().min(self.tok.end + ATTR_MEMO_TO);
        let end = match bytes.get(self.tok.end) {
            Some(b'<') => balanced_end(&bytes[..limit], self.tok.end),
            _ => None,
        };
        let Some(end) = end else { return self.dialect_attr() };
        let text = self.slice(start, end);
        if let Some(&known) = self.attr_memo.get(text) {
            self.reset_to(end);
            // A type that follows may belong to it.
            if self.tok.kind != Tok::Colon {
                return Ok(known);
            }
            self.reset_to(start);
        }
        let attr = self.dialect_attr()?;
        if self.last_end == end {
            self.attr_memo.insert(text, attr);
        }
        Ok(attr)
    }

    fn dialect_attr(&mut self) -> ParseResult<Attr> {
        let name = &self.token_text()[1..];
        let Some((dialect, rest)) = name.split_once('.') else {
            let found = self.aliases.attr(name);
            if found.is_none() && self.at_pretty_body() {
                return self.pretty_attr(name);
            }
            let unknown = || self.no_alias("#", name, self.aliases.attr_names());
            let attr = found.ok_or_else(unknown)?;
            self.advance();
            return Ok(attr);
        };
        self.advance();
        self.dialect_attr_named(name, dialect, rest)
    }

    /// `#dialect<name<…>>`, which is `#dialect.name<…>`; or what else a dialect that is not known
    /// writes in the brackets.
    fn pretty_attr(&mut self, dialect: &str) -> ParseResult<Attr> {
        let Some(rest) = self.enter_pretty_body(dialect)? else {
            self.advance();
            let text = self.opaque_text("")?;
            return Ok(Attr::new(AttrData::Opaque {
                dialect: Ident::of(dialect),
                text: text.into(),
            }));
        };
        let attr = self.dialect_attr_named(&format!("{dialect}.{rest}"), dialect, rest)?;
        self.expect(">")?;
        Ok(attr)
    }

    fn dialect_attr_named(&mut self, name: &str, dialect: &str, rest: &str) -> ParseResult<Attr> {
        if let Some((entry, def)) = self.registry.attr(name) {
            let start = self.tok.start;
            let params = self.params(entry, &def.format, &def.params)?;
            self.verify_params(entry, def.verifier.as_deref(), &params, start)?;
            if let Some(own) = super::print_params::self_type(&def.traits)
                && self.eat_tok(Tok::Colon)
            {
                let span = self.span();
                if self.ty()? != self.type_of_text(own)? {
                    return Err(self.error_at(span, format!("`#{name}` is of type `{own}`")));
                }
            }
            return Ok(Attr::new(AttrData::Dialect {
                name: Ident::of(name),
                params: params.into(),
            }));
        }
        if let Some(def) = self.registry.enum_of_attr(name) {
            self.expect("<")?;
            let keyword = self.enum_case(def)?;
            self.expect(">")?;
            return Ok(Attr::dialect(name, &[Attr::string(&keyword)]));
        }
        if let Some(entry) = self.registry.dialect(dialect) {
            let names = entry.def.attrs.iter().filter_map(|def| Some(def.name.split_once('.')?.1));
            let error = self.error(format!("dialect `{dialect}` has no attribute `{rest}`"));
            return Err(error.suggest(rest, names));
        }
        let text = self.opaque_text(rest)?;
        Ok(Attr::new(AttrData::Opaque { dialect: Ident::of(dialect), text: text.into() }))
    }

    fn dense_array(&mut self) -> ParseResult<Attr> {
        self.advance();
        self.expect("<")?;
        let span = self.span();
        let element = self.ty()?;
        let valid = match element.data() {
            TypeData::Integer { width: 1, sign } => *sign == Signedness::Signless,
            TypeData::Integer { .. } | TypeData::Float(_) => {
                matches!(element.bit_width(), Some(8 | 16 | 32 | 64))
            }
            _ => false,
        };
        if !valid {
            return Err(self.error_at(
                span,
                "the elements of a dense array are i1, or numbers of 8, 16, 32 or 64 bits",
            ));
        }
        let values = match self.eat(":") {
            true => self.comma_list(|p| p.dense_array_element(element))?,
            false => Vec::new(),
        };
        self.expect(">")?;
        Ok(Attr::new(AttrData::DenseArray { element, values: values.into() }))
    }

    /// One element of a dense array, as stored.
    pub(crate) fn dense_array_element(&mut self, element: Type) -> ParseResult<i64> {
        if element.is_int(1) {
            return Ok(i64::from(self.boolean()?));
        }
        match self.number(Some(element))?.data() {
            AttrData::Integer { value, .. } => Ok(*value as i64),
            AttrData::Float { bits, .. } => Ok(*bits as i64),
            _ => Err(self.error("expected a number")),
        }
    }

    fn strided(&mut self) -> ParseResult<Attr> {
        self.advance();
        self.expect("<")?;
        let strides = self.delimited("[", "]", Self::stride)?;
        let offset = if self.eat(",") {
            self.expect("offset")?;
            self.expect(":")?;
            self.stride()?
        } else {
            0
        };
        self.expect(">")?;
        Ok(Attr::new(AttrData::Strided { strides: strides.into(), offset }))
    }

    fn stride(&mut self) -> ParseResult<i64> {
        if self.eat_tok(Tok::Question) { Ok(DYNAMIC) } else { self.integer() }
    }

    fn distinct(&mut self) -> ParseResult<Attr> {
        self.advance();
        self.expect("[")?;
        let id = self.integer()?;
        let id = u64::try_from(id).map_err(|_| self.error("the number is not negative"))?;
        self.expect("]")?;
        self.expect("<")?;
        let inner = if self.at(">") { Attr::unit() } else { self.attr()? };
        self.expect(">")?;
        Ok(Attr::new(AttrData::Distinct { id, inner }))
    }

    // ---- locations

    /// `loc(…)`
    pub fn location(&mut self) -> ParseResult<Attr> {
        self.expect("loc")?;
        self.expect("(")?;
        let loc = self.location_body()?;
        self.expect(")")?;
        Ok(loc)
    }

    fn location_body(&mut self) -> ParseResult<Attr> {
        grow(|| self.location_inner())
    }

    fn location_inner(&mut self) -> ParseResult<Attr> {
        let data = match self.tok.kind {
            Tok::Hash => {
                let span = self.span();
                let attr = self.dialect_attr()?;
                if !matches!(attr.data(), AttrData::Loc(_)) {
                    return Err(self.error_at(span, "this alias is no location"));
                }
                return Ok(attr);
            }
            Tok::Str => {
                let name = Ident::of(&self.string()?);
                if self.eat(":") {
                    self.file_location(name)?
                } else if self.eat("(") {
                    let child = self.location_body()?;
                    self.expect(")")?;
                    LocData::Name(name, child)
                } else {
                    LocData::Name(name, Attr::new(AttrData::Loc(LocData::Unknown)))
                }
            }
            _ => match self.keyword_of(&["unknown", "fused", "callsite", "loc"])? {
                "unknown" => LocData::Unknown,
                "callsite" => {
                    self.expect("(")?;
                    let callee = self.location_body()?;
                    self.expect("at")?;
                    let caller = self.location_body()?;
                    self.expect(")")?;
                    LocData::CallSite(callee, caller)
                }
                "fused" => {
                    let metadata = if self.eat("<") {
                        let metadata = self.attr()?;
                        self.expect(">")?;
                        Some(metadata)
                    } else {
                        None
                    };
                    let locs = self.delimited("[", "]", Self::location_body)?;
                    return Ok(LocData::fused(metadata, locs));
                }
                _ => {
                    self.expect("(")?;
                    let inner = self.location_body()?;
                    self.expect(")")?;
                    return Ok(inner);
                }
            },
        };
        Ok(Attr::new(AttrData::Loc(data)))
    }

    fn file_location(&mut self, file: Ident) -> ParseResult<LocData> {
        let line = self.position()?;
        if !self.eat(":") {
            return Ok(LocData::File { file, start: (line, 0), end: None });
        }
        let start = (line, self.position()?);
        let end = if self.eat("to") {
            let line = if self.tok.kind == Tok::Int { self.position()? } else { start.0 };
            self.expect(":")?;
            Some((line, self.position()?))
        } else {
            None
        };
        Ok(LocData::File { file, start, end: end.filter(|&end| end != start) })
    }

    fn position(&mut self) -> ParseResult<u32> {
        let span = self.span();
        let value = self.integer()?;
        u32::try_from(value).map_err(|_| self.error_at(span, "a position fits 32 bits"))
    }
}
