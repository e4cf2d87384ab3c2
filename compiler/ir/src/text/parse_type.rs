//! Types and affine maps from text.

use smallvec::SmallVec;
use tegula_schema::Signedness;

use super::asm_parser::{AsmParser, Inputs, ParseResult, Results, balanced_end};
use super::grow;
use super::lexer::{Tok, next_token};
use crate::{
    AffineExpr, AffineMap, AffineOp, Attr, AttrData, FloatKind, Ident, IntegerSet, Type, TypeData,
};

/// Shorter texts are read as fast as they are looked up.
const MEMO_FROM: usize = 12;
/// Longer texts are not looked up, so that nested types cost time in proportion to their text.
const MEMO_TO: usize = 4096;

/// Longer lines are not looked up for a signature.
const SIGNATURE_TO: usize = 256;

/// The words that types of several parts begin with.
const SHAPED: [&str; 6] = ["complex", "index", "memref", "tensor", "tuple", "vector"];

impl<'a> AsmParser<'a> {
    /// A type.
    pub fn ty(&mut self) -> ParseResult<Type> {
        match self.eat_type()? {
            Some(ty) => Ok(ty),
            None => Err(self.expected("a type").suggest(self.token_text(), SHAPED)),
        }
    }

    /// A type, if one comes next.
    pub fn eat_type(&mut self) -> ParseResult<Option<Type>> {
        match self.tok.kind {
            Tok::LParen => {
                let (inputs, results) = self.function_type()?;
                Ok(Some(Type::function(&inputs, &results)))
            }
            Tok::Bang => self.memoized(Self::dialect_type).map(Some),
            Tok::Bare => self.builtin_type(),
            _ => Ok(None),
        }
    }

    /// Types with commas between them, at least one.
    pub fn type_list(&mut self) -> ParseResult<Vec<Type>> {
        self.comma_list(Self::ty)
    }

    /// `: type, …` if it comes next.
    pub fn colon_types(&mut self) -> ParseResult<Vec<Type>> {
        if self.eat_tok(Tok::Colon) { self.type_list() } else { Ok(Vec::new()) }
    }

    /// `: type`
    pub fn colon_type(&mut self) -> ParseResult<Type> {
        self.expect(":")?;
        self.ty()
    }

    /// `-> type` or `-> (types)` if it comes next.
    pub fn arrow_types(&mut self) -> ParseResult<Vec<Type>> {
        if self.eat_tok(Tok::Arrow) { self.function_results() } else { Ok(Vec::new()) }
    }

    /// `(inputs) -> results`
    pub fn function_type(&mut self) -> ParseResult<(Vec<Type>, Vec<Type>)> {
        grow(|| {
            let inputs = self.delimited("(", ")", Self::ty)?;
            self.expect("->")?;
            Ok((inputs, self.function_results()?))
        })
    }

    /// The results of a function type: one type, or several in parentheses.
    pub fn function_results(&mut self) -> ParseResult<Vec<Type>> {
        if self.tok.kind == Tok::LParen {
            return self.delimited("(", ")", Self::ty);
        }
        Ok(vec![self.ty()?])
    }

    /// A function type into empty lists. It ends its line mostly, and few differ in a text: the rest
    /// of the line is looked up first.
    pub(crate) fn signature(
        &mut self,
        inputs: &mut Inputs,
        results: &mut Results,
    ) -> ParseResult<()> {
        let start = self.tok.start;
        let bytes = self.text.as_bytes();
        let line = &bytes[start..bytes.len().min(start + SIGNATURE_TO)];
        let Some(len) = line.iter().position(|&c| c == b'\n') else {
            return self.function_type_into(inputs, results);
        };
        let line = self.slice(start, start + len);
        if let Some(known) = self.signature_memo.get(line) {
            inputs.extend_from_slice(&known.0);
            results.extend_from_slice(&known.1);
            self.reset_to(start + len);
            // The parameters of a type at the end may stand on the next line.
            if self.tok.kind != Tok::Less {
                return Ok(());
            }
            self.reset_to(start);
            inputs.clear();
            results.clear();
        }
        self.function_type_into(inputs, results)?;
        if self.last_end == start + len {
            self.signature_memo.insert(line, (inputs.clone(), results.clone()));
        }
        Ok(())
    }

    fn function_type_into(
        &mut self,
        inputs: &mut Inputs,
        results: &mut Results,
    ) -> ParseResult<()> {
        self.types_into(inputs)?;
        self.expect("->")?;
        if self.tok.kind == Tok::LParen {
            return self.types_into(results);
        }
        results.push(self.ty()?);
        Ok(())
    }

    /// `(types)`
    fn types_into<const N: usize>(&mut self, types: &mut SmallVec<[Type; N]>) -> ParseResult<()> {
        self.expect("(")?;
        if self.eat(")") {
            return Ok(());
        }
        loop {
            types.push(self.ty()?);
            if !self.eat_tok(Tok::Comma) {
                break;
            }
        }
        self.expect(")")
    }

    fn memoized(&mut self, read: impl FnOnce(&mut Self) -> ParseResult<Type>) -> ParseResult<Type> {
        let start = self.tok.start;
        let key = (self.text.as_bytes().get(self.tok.end) == Some(&b'<'))
            .then(|| {
                let limit = self.text.len().min(self.tok.end + MEMO_TO);
                balanced_end(&self.text.as_bytes()[..limit], self.tok.end)
            })
            .flatten()
            .filter(|end| end - start >= MEMO_FROM)
            .map(|end| (self.slice(start, end), end));
        if let Some((text, end)) = key
            && let Some(&ty) = self.type_memo.get(text)
        {
            self.reset_to(end);
            return Ok(ty);
        }
        let ty = grow(|| read(self))?;
        if let Some((text, end)) = key
            && self.last_end == end
        {
            self.type_memo.insert(text, ty);
        }
        Ok(ty)
    }

    fn builtin_type(&mut self) -> ParseResult<Option<Type>> {
        let text = self.token_text();
        if let Some(width) = usual_width(text) {
            self.advance();
            return Ok(Some(Type::int(width)));
        }
        let ty = match text {
            "index" => Type::index(),
            "none" => Type::none(),
            "token" => Type::new(TypeData::Token),
            "f32" => Type::f32(),
            "tensor" => return self.memoized(Self::tensor).map(Some),
            "memref" => return self.memoized(Self::memref).map(Some),
            "vector" => return self.memoized(Self::vector).map(Some),
            "tuple" => {
                self.advance();
                let types = grow(|| self.delimited("<", ">", Self::ty))?;
                return Ok(Some(Type::new(TypeData::Tuple(types.into()))));
            }
            "complex" => {
                self.advance();
                self.expect("<")?;
                let span = self.span();
                let element = grow(|| self.ty())?;
                if !matches!(element.data(), TypeData::Integer { .. } | TypeData::Float(_)) {
                    return Err(self.error_at(span, format!("`{element}` is no part of a number")));
                }
                self.expect(">")?;
                return Ok(Some(Type::new(TypeData::Complex(element))));
            }
            _ => match integer_type(text) {
                Some((width, sign)) => {
                    let Some(width) = width.filter(|&w| w < 1 << 24) else {
                        return Err(self.error("the width of an integer is at most 2^24 - 1"));
                    };
                    Type::new(TypeData::Integer { width, sign })
                }
                None => match FloatKind::from_keyword(text) {
                    Some(kind) => Type::new(TypeData::Float(kind)),
                    None => return Ok(None),
                },
            },
        };
        self.advance();
        Ok(Some(ty))
    }

    fn tensor(&mut self) -> ParseResult<Type> {
        let start = self.tok.start;
        self.advance();
        self.expect("<")?;
        let unranked = self.unranked()?;
        let shape = if unranked { Vec::new() } else { self.dims(true)? };
        let element = self.element_type(Container::Tensor)?;
        let encoding = if self.eat(",") { Some(self.attr()?) } else { None };
        self.expect(">")?;
        if unranked {
            if encoding.is_some() {
                return Err(self.error("an unranked tensor has no encoding"));
            }
            return Ok(Type::new(TypeData::UnrankedTensor { element }));
        }
        self.with_encoding(Type::tensor(&shape, element, encoding), encoding, start)
    }

    /// A type whose encoding or layout fits it.
    fn with_encoding(&self, ty: Type, attr: Option<Attr>, start: usize) -> ParseResult<Type> {
        match attr.map_or(Ok(()), |attr| self.registry.verify_encoding(attr, ty)) {
            Ok(()) => Ok(ty),
            Err(message) => Err(self.error_at(self.span_from(start), message)),
        }
    }

    /// `*x` of an unranked type.
    fn unranked(&mut self) -> ParseResult<bool> {
        if self.tok.kind != Tok::Star {
            return Ok(false);
        }
        let end = self.tok.end;
        if self.text.as_bytes().get(end) != Some(&b'x') {
            self.advance();
            return Err(self.expected("`x` after `*`"));
        }
        self.reset_to(end + 1);
        Ok(true)
    }

    /// The type of the elements of a container; dialects may have others for any.
    fn element_type(&mut self, container: Container) -> ParseResult<Type> {
        let span = self.span();
        let ty = self.ty()?;
        let valid = match ty.data() {
            TypeData::Integer { .. }
            | TypeData::Float(_)
            | TypeData::Index
            | TypeData::Dialect { .. } => true,
            TypeData::Complex(_) | TypeData::Vector { .. } => container != Container::Vector,
            TypeData::MemRef { .. } | TypeData::UnrankedMemRef { .. } => {
                container == Container::MemRef
            }
            TypeData::Opaque { .. } => container == Container::Tensor,
            _ => false,
        };
        if valid { Ok(ty) } else { Err(self.error_at(span, format!("`{ty}` is no element type"))) }
    }

    fn memref(&mut self) -> ParseResult<Type> {
        let start = self.tok.start;
        self.advance();
        self.expect("<")?;
        let unranked = self.unranked()?;
        let shape = if unranked { Vec::new() } else { self.dims(true)? };
        let element = self.element_type(Container::MemRef)?;
        let (mut layout, mut space) = (None, None);
        while self.eat(",") {
            let span = self.span();
            let attr = self.attr()?;
            let is_layout = self.registry.is_layout(attr);
            let late = is_layout && space.is_some();
            let slot = if is_layout && !unranked { &mut layout } else { &mut space };
            if slot.is_some() || late {
                return Err(self.error_at(span, "unexpected attribute of a memref"));
            }
            *slot = Some(attr);
        }
        self.expect(">")?;
        if unranked {
            return Ok(Type::unranked_memref(element, space));
        }
        let rank = layout.and_then(|layout| match layout.data() {
            AttrData::Strided { strides, .. } => Some(strides.len()),
            AttrData::AffineMap(map) => Some(map.dims() as usize),
            _ => None,
        });
        if let Some(rank) = rank.filter(|&rank| rank != shape.len()) {
            let found = shape.len();
            let message = format!("the layout is for {rank} dimensions, but there are {found}");
            return Err(self.error_at(self.span_from(start), message));
        }
        let identity = |attr: &Attr| attr.as_map().is_some_and(AffineMap::is_identity);
        let layout = layout.filter(|l| !identity(l));
        self.with_encoding(Type::memref(&shape, element, layout, space), layout, start)
    }

    fn vector(&mut self) -> ParseResult<Type> {
        self.advance();
        self.expect("<")?;
        let (mut shape, mut scalable) = (Vec::new(), Vec::new());
        loop {
            if self.tok.kind == Tok::LSquare {
                self.advance();
                let at = self.span();
                let dims = self.dims(false)?;
                self.expect_tok(Tok::RSquare, "`]`")?;
                let [dim] = *dims else { return Err(self.error_at(at, "expected one dimension")) };
                shape.push(dim);
                scalable.push(true);
                if self.text.as_bytes().get(self.last_end) != Some(&b'x') {
                    return Err(self.expected("`x` after a dimension"));
                }
                self.reset_to(self.last_end + 1);
            } else if self.tok.kind == Tok::Int {
                let dims = self.dims(true)?;
                scalable.extend(dims.iter().map(|_| false));
                shape.extend(dims);
            } else {
                break;
            }
        }
        if shape.iter().any(|&d| d <= 0) {
            return Err(self.error("the dimensions of a vector are positive"));
        }
        let element = self.element_type(Container::Vector)?;
        self.expect(">")?;
        Ok(Type::new(TypeData::Vector { shape: shape.into(), scalable: scalable.into(), element }))
    }

    fn dialect_type(&mut self) -> ParseResult<Type> {
        let name = &self.token_text()[1..];
        let Some((dialect, rest)) = name.split_once('.') else {
            let found = self.aliases.ty(name);
            if found.is_none() && self.at_pretty_body() {
                return self.pretty_type(name);
            }
            let unknown = || self.no_alias("!", name, self.aliases.type_names());
            let ty = found.ok_or_else(unknown)?;
            self.advance();
            return Ok(ty);
        };
        self.advance();
        self.dialect_type_named(name, dialect, rest)
    }

    /// Whether brackets follow right behind the token.
    pub(super) fn at_pretty_body(&self) -> bool {
        self.text.as_bytes().get(self.tok.end) == Some(&b'<')
    }

    /// Enters `<name…>` behind a dialect's own name and gives the name; without entering none, when
    /// what is in the brackets is no name with what belongs to it and nothing knows the dialect.
    pub(super) fn enter_pretty_body(&mut self, dialect: &str) -> ParseResult<Option<&'a str>> {
        let open = self.tok.end;
        let inner = next_token(self.text.as_bytes(), open + 1);
        let behind = next_token(self.text.as_bytes(), inner.end);
        let params = (behind.kind == Tok::Less && behind.start == inner.end)
            .then(|| balanced_end(self.text.as_bytes(), behind.start))
            .flatten();
        let last = params.map_or(behind, |end| next_token(self.text.as_bytes(), end));
        let is_named = inner.kind == Tok::Bare && last.kind == Tok::Greater;
        if !is_named && self.registry.dialect(dialect).is_none() {
            return Ok(None);
        }
        self.reset_to(open + 1);
        let name = self.keyword()?;
        Ok(Some(name))
    }

    fn pretty_type(&mut self, dialect: &str) -> ParseResult<Type> {
        let Some(rest) = self.enter_pretty_body(dialect)? else {
            self.advance();
            let text = self.opaque_text("")?;
            return Ok(Type::new(TypeData::Opaque {
                dialect: Ident::of(dialect),
                text: text.into(),
            }));
        };
        let ty = self.dialect_type_named(&format!("{dialect}.{rest}"), dialect, rest)?;
        self.expect(">")?;
        Ok(ty)
    }

    fn dialect_type_named(&mut self, name: &str, dialect: &str, rest: &str) -> ParseResult<Type> {
        if self.registry.ty(name).is_some() {
            return self.type_named(name);
        }
        if let Some(entry) = self.registry.dialect(dialect) {
            let names = entry.def.types.iter().filter_map(|def| Some(def.name.split_once('.')?.1));
            let error = self.error(format!("dialect `{dialect}` has no type `{rest}`"));
            return Err(error.suggest(rest, names));
        }
        let text = self.opaque_text(rest)?;
        Ok(Type::new(TypeData::Opaque { dialect: Ident::of(dialect), text: text.into() }))
    }

    /// A dialect type of that full name, from the text after its name on.
    pub fn type_named(&mut self, name: &str) -> ParseResult<Type> {
        let Some((entry, def)) = self.registry.ty(name) else {
            return Err(self.error(format!("no dialect defines a type `{name}`")));
        };
        let start = self.tok.start;
        let params = grow(|| self.params(entry, &def.format, &def.params))?;
        self.verify_params(entry, def.verifier.as_deref(), &params, start)?;
        Ok(Type::new(TypeData::Dialect { name: Ident::of(name), params: params.into() }))
    }

    /// A name and the balanced text after it, with aliases replaced by what they stand for.
    pub(crate) fn opaque_text(&mut self, name: &str) -> ParseResult<String> {
        let adjacent = self.tok.start == self.last_end;
        if self.tok.kind != Tok::Less || !adjacent {
            return Ok(name.to_owned());
        }
        let body = self.balanced()?;
        let mut out = String::from(name);
        let mut from = 0;
        let bytes = body.as_bytes();
        let mut token = super::lexer::next_token(bytes, 0);
        while token.kind != Tok::Eof {
            let text = body.get(token.start..token.end).unwrap_or("");
            let replaced = match token.kind {
                Tok::Hash => self.aliases.attr(&text[1..]).map(|a| a.to_string()),
                Tok::Bang => self.aliases.ty(&text[1..]).map(|t| t.to_string()),
                _ => None,
            };
            if let Some(replaced) = replaced {
                out.push_str(body.get(from..token.start).unwrap_or(""));
                out.push_str(&replaced);
                from = token.end;
            }
            token = super::lexer::next_token(bytes, token.end);
        }
        out.push_str(body.get(from..).unwrap_or(""));
        Ok(out)
    }

    // ---- affine

    /// `(d0, d1)[s0] -> (…)`
    pub fn affine_map(&mut self) -> ParseResult<AffineMap> {
        let names = self.affine_names()?;
        self.expect("->")?;
        let results = self.delimited("(", ")", |p| p.affine_expr(&names))?;
        Ok(AffineMap::get(names.dims.len() as u32, names.symbols.len() as u32, &results))
    }

    pub(crate) fn integer_set(&mut self) -> ParseResult<IntegerSet> {
        let names = self.affine_names()?;
        self.expect(":")?;
        let constraints = self.delimited("(", ")", |p| {
            let lhs = p.affine_expr(&names)?;
            let (equality, flipped) = if p.eat("==") {
                (true, false)
            } else if p.eat(">=") {
                (false, false)
            } else if p.eat("<=") {
                (false, true)
            } else {
                return Err(p.expected("`==`, `>=` or `<=`"));
            };
            let rhs = p.affine_expr(&names)?;
            let (lhs, rhs) = if flipped { (rhs, lhs) } else { (lhs, rhs) };
            Ok((lhs.sub(rhs), equality))
        })?;
        // A set without constraints has one that always holds.
        let always = (AffineExpr::constant(0), true);
        let constraints = if constraints.is_empty() { vec![always] } else { constraints };
        Ok(IntegerSet::new(crate::IntegerSetData {
            dims: names.dims.len() as u32,
            symbols: names.symbols.len() as u32,
            constraints: constraints.into(),
        }))
    }

    fn affine_names(&mut self) -> ParseResult<AffineNames<'a>> {
        let dims = self.delimited("(", ")", Self::keyword)?;
        let symbols = match self.tok.kind {
            Tok::LSquare => self.delimited("[", "]", Self::keyword)?,
            _ => Vec::new(),
        };
        let all = || dims.iter().chain(&symbols);
        if let Some(twice) =
            all().enumerate().find(|(at, name)| all().take(*at).any(|n| n == *name))
        {
            return Err(self.error(format!("`{}` is named twice", twice.1)));
        }
        Ok(AffineNames { dims, symbols })
    }

    fn affine_expr(&mut self, names: &AffineNames<'a>) -> ParseResult<AffineExpr> {
        let mut lhs = self.affine_term(names)?;
        loop {
            if self.eat_tok(Tok::Plus) {
                lhs = lhs.add(self.affine_term(names)?);
            } else if self.eat_tok(Tok::Minus) {
                lhs = lhs.sub(self.affine_term(names)?);
            } else {
                return Ok(lhs);
            }
        }
    }

    fn affine_term(&mut self, names: &AffineNames<'a>) -> ParseResult<AffineExpr> {
        let mut lhs = self.affine_factor(names)?;
        loop {
            let span = self.span();
            let op = if self.eat_tok(Tok::Star) {
                AffineOp::Mul
            } else {
                match self.eat_keyword_of(&["mod", "floordiv", "ceildiv"]) {
                    Some("mod") => AffineOp::Mod,
                    Some("floordiv") => AffineOp::FloorDiv,
                    Some(_) => AffineOp::CeilDiv,
                    None => return Ok(lhs),
                }
            };
            let rhs = self.affine_factor(names)?;
            let valid = match op {
                AffineOp::Mul => lhs.is_symbolic_or_constant() || rhs.is_symbolic_or_constant(),
                _ => rhs.is_symbolic_or_constant(),
            };
            if !valid {
                return Err(self.error_at(
                    span,
                    "one side of an affine product, and the divisor of a quotient, holds no dimension",
                ));
            }
            lhs = AffineExpr::binary(op, lhs, rhs);
        }
    }

    fn affine_factor(&mut self, names: &AffineNames<'a>) -> ParseResult<AffineExpr> {
        if self.eat_tok(Tok::LParen) {
            let inner = grow(|| self.affine_expr(names))?;
            self.expect(")")?;
            return Ok(inner);
        }
        if self.tok.kind == Tok::Minus && self.peek().kind != Tok::Int {
            self.advance();
            return Ok(grow(|| self.affine_factor(names))?.mul(AffineExpr::constant(-1)));
        }
        if let Some(value) = self.eat_integer()? {
            return Ok(AffineExpr::constant(value));
        }
        if self.tok.kind == Tok::Bare {
            let name = self.token_text();
            let position = |list: &[&str]| list.iter().position(|n| *n == name).map(|n| n as u32);
            let found = position(&names.dims)
                .map(AffineExpr::dim)
                .or_else(|| position(&names.symbols).map(AffineExpr::symbol));
            let expr = found.ok_or_else(|| {
                self.error(format!("`{name}` is neither a dimension nor a symbol"))
            })?;
            self.advance();
            return Ok(expr);
        }
        Err(self.expected("an affine expression"))
    }
}

/// What has elements.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Container {
    Tensor,
    MemRef,
    Vector,
}

struct AffineNames<'a> {
    dims: Vec<&'a str>,
    symbols: Vec<&'a str>,
}

/// The width and signedness that an integer type's word says.
/// The width of a signless integer of one or two digits.
fn usual_width(text: &str) -> Option<u32> {
    let digit = |c: u8| c.is_ascii_digit().then(|| u32::from(c - b'0'));
    match *text.as_bytes() {
        [b'i', one] => digit(one),
        [b'i', ten, one] => Some(10 * digit(ten)? + digit(one)?),
        _ => None,
    }
}

fn integer_type(text: &str) -> Option<(Option<u32>, Signedness)> {
    let (digits, sign) = if let Some(digits) = text.strip_prefix("si") {
        (digits, Signedness::Signed)
    } else if let Some(digits) = text.strip_prefix("ui") {
        (digits, Signedness::Unsigned)
    } else {
        (text.strip_prefix('i')?, Signedness::Signless)
    };
    let valid = !digits.is_empty() && digits.bytes().all(|c| c.is_ascii_digit());
    valid.then(|| (digits.parse().ok(), sign))
}
