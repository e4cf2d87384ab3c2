//! What hooks of ops see of the parser: operands, types of operands, regions, successors.

use std::ops::{Deref, DerefMut};

use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use tegula_diag::Span;

use super::asm_parser::{AsmParser, ParseError, ParseResult};
use super::lexer::Tok;
use super::parse_module::ParseOptions;
use super::scope::Scopes;
use crate::{Attr, AttrData, BlockId, Body, Ident, LocData, OpName, RegionId, Type, ValueId};

/// An op while it is parsed.
#[derive(Clone, Debug)]
pub struct OpState {
    /// The op's name.
    pub name: OpName,
    /// The operands so far.
    pub operands: SmallVec<[ValueId; 4]>,
    /// The result types so far.
    pub results: SmallVec<[Type; 2]>,
    /// The attributes so far.
    pub attrs: SmallVec<[(Ident, Attr); 1]>,
    /// The regions so far.
    pub regions: SmallVec<[RegionId; 1]>,
    /// The successors so far.
    pub successors: SmallVec<[BlockId; 2]>,
    /// The span of the op's name.
    pub span: Span,
}

impl OpState {
    /// Adds an attribute.
    pub fn attr(&mut self, name: &str, attr: Attr) {
        self.attrs.push((Ident::of(name), attr));
    }

    /// Adds an attribute when there is one.
    pub fn attr_opt(&mut self, name: &str, attr: Option<Attr>) {
        if let Some(attr) = attr {
            self.attr(name, attr);
        }
    }

    /// The attribute of that name, when it was read already.
    pub fn get_attr(&self, name: &str) -> Option<Attr> {
        self.attrs.iter().rev().find(|(n, _)| n.as_str() == name).map(|&(_, attr)| attr)
    }

    /// Records the sizes of the operand groups (`operandSegmentSizes`).
    pub fn operand_segments(&mut self, sizes: &[usize]) {
        let sizes: Vec<i32> = sizes.iter().map(|&n| n as i32).collect();
        self.attr("operandSegmentSizes", Attr::i32_array(&sizes));
    }

    /// Records the sizes of the result groups (`resultSegmentSizes`).
    pub fn result_segments(&mut self, sizes: &[usize]) {
        let sizes: Vec<i32> = sizes.iter().map(|&n| n as i32).collect();
        self.attr("resultSegmentSizes", Attr::i32_array(&sizes));
    }
}

/// A use of a value by name, whose type is not known yet. It belongs to the parser that read it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnresolvedOperand {
    pub(crate) start: u32,
    pub(crate) name_end: u32,
    pub(crate) end: u32,
    pub(crate) number: u32,
}

/// An argument of a region's entry block.
#[derive(Clone, Debug)]
pub struct RegionArg {
    /// The name.
    pub name: UnresolvedOperand,
    /// The type.
    pub ty: Type,
    /// Attributes written after the type; a dictionary.
    pub attrs: Attr,
    /// The location, when one is written.
    pub loc: Option<Attr>,
}

impl RegionArg {
    /// An argument without attributes and location.
    pub fn new(name: UnresolvedOperand, ty: Type) -> RegionArg {
        RegionArg { name, ty, attrs: Attr::empty_dict(), loc: None }
    }
}

/// The parser of one top-level op's text. It gives everything that [`AsmParser`] gives, too.
pub struct OpParser<'a> {
    pub(crate) asm: AsmParser<'a>,
    pub(crate) body: Body,
    pub(crate) scopes: Scopes<'a>,
    /// The symbol that locations name.
    pub(crate) item: Ident,
    /// The span of each op in order of text, as offsets into the text.
    pub(crate) spans: Vec<(u32, u32)>,
    /// The names of the arguments of the item's own region, without `%`.
    pub(crate) args: Vec<Ident>,
    /// The names that ops with errors would have defined: their uses are no errors of their own.
    pub(crate) lost: Vec<&'a str>,
    /// What came for values that were used before they were defined. An op that is read with its
    /// regions may still hold the former.
    pub(crate) defined_later: FxHashMap<ValueId, ValueId>,
    /// How the text is read.
    pub(crate) options: ParseOptions,
    /// The dialects that op names without a dot belong to, innermost last.
    pub(crate) default_dialects: Vec<&'a str>,
    /// The regions of the op that is being parsed see no name from outside.
    pub(crate) isolated: bool,
    /// The position among the ops of the text of the one that is being parsed.
    pub(crate) ordinal: u32,
    /// The number of results that the text names for the op that is being parsed.
    pub(crate) result_names: usize,
    /// Errors that did not stop the parse.
    pub(crate) errors: Vec<ParseError>,
}

impl<'a> Deref for OpParser<'a> {
    type Target = AsmParser<'a>;

    fn deref(&self) -> &AsmParser<'a> {
        &self.asm
    }
}

impl<'a> DerefMut for OpParser<'a> {
    fn deref_mut(&mut self) -> &mut AsmParser<'a> {
        &mut self.asm
    }
}

impl<'a> OpParser<'a> {
    /// The body that is being built; for looking up types of values that are resolved.
    pub fn body(&self) -> &Body {
        &self.body
    }

    /// The body that is being built, for ops that the text only implies.
    pub fn body_mut(&mut self) -> &mut Body {
        &mut self.body
    }

    /// How many results the text names before `=`.
    pub fn num_result_names(&self) -> usize {
        self.result_names
    }

    // ---- operands

    /// A use of a value, `%name` or `%name#2`, if one comes next.
    pub fn eat_operand(&mut self) -> ParseResult<Option<UnresolvedOperand>> {
        if self.tok.kind != Tok::Percent {
            return Ok(None);
        }
        let (start, name_end) = (self.tok.start, self.tok.end);
        self.advance();
        let mut number = 0;
        if self.tok.kind == Tok::Hash && self.tok.start == name_end {
            number = self.token_text()[1..]
                .parse::<u32>()
                .map_err(|_| self.expected("the number of a result"))?;
            self.advance();
        }
        Ok(Some(UnresolvedOperand {
            start: start as u32,
            name_end: name_end as u32,
            end: self.last_end as u32,
            number,
        }))
    }

    /// A use of a value.
    pub fn operand(&mut self) -> ParseResult<UnresolvedOperand> {
        match self.eat_operand()? {
            Some(operand) => Ok(operand),
            None => Err(self.expected("a value (`%name`)")),
        }
    }

    /// Uses of values with commas between them, perhaps none.
    pub fn operand_list(&mut self) -> ParseResult<Vec<UnresolvedOperand>> {
        let mut list = Vec::new();
        self.each_operand(|operand| list.push(operand))?;
        Ok(list)
    }

    pub(crate) fn each_operand(
        &mut self,
        mut each: impl FnMut(UnresolvedOperand),
    ) -> ParseResult<()> {
        if let Some(first) = self.eat_operand()? {
            each(first);
            while self.eat_tok(Tok::Comma) {
                each(self.operand()?);
            }
        }
        Ok(())
    }

    /// Uses of values between brackets, perhaps none.
    pub fn operands_in(&mut self, open: &str, close: &str) -> ParseResult<Vec<UnresolvedOperand>> {
        self.expect(open)?;
        let list = self.operand_list()?;
        self.expect(close)?;
        Ok(list)
    }

    /// The span of a use.
    pub fn operand_span(&self, operand: UnresolvedOperand) -> Span {
        self.span_of(operand.start as usize, operand.end as usize)
    }

    /// The name of a use, with `%` and without a number.
    pub fn operand_name(&self, operand: UnresolvedOperand) -> &'a str {
        self.slice(operand.start as usize, operand.name_end as usize)
    }

    /// The value of a use; one that is defined later must have this type.
    pub fn resolve(&mut self, operand: UnresolvedOperand, ty: Type) -> ParseResult<ValueId> {
        let name = self.operand_name(operand);
        let number = operand.number as usize;
        if let Some(value) = self.scopes.value(name, number) {
            let known = self.body.ty(value);
            if known != ty {
                let error = self.error_at(
                    self.operand_span(operand),
                    format!("`{name}` is used as `{ty}`, but its type is `{known}`"),
                );
                return Err(self.label(error, self.scopes.first_seen(name), "prior use here"));
            }
            return Ok(value);
        }
        if self.scopes.is_defined(name) {
            return Err(self.error_at(
                self.operand_span(operand),
                format!("`{name}` has no result number {number}"),
            ));
        }
        let value = self.body.new_placeholder(ty);
        self.scopes.add_forward(name, number, value, (operand.start, operand.end));
        Ok(value)
    }

    /// Adds a place to an error.
    pub(crate) fn label(
        &self,
        mut error: ParseError,
        range: Option<super::scope::Range>,
        text: &str,
    ) -> ParseError {
        let span = range.map(|(start, end)| self.span_of(start as usize, end as usize));
        error.0.labels.extend(span.map(|span| (span, text.to_owned())));
        error
    }

    /// The values of uses with a type each. `what` names the uses in the message that says that
    /// the numbers differ.
    pub fn resolve_all(
        &mut self,
        operands: &[UnresolvedOperand],
        types: &[Type],
        at: Span,
    ) -> ParseResult<Vec<ValueId>> {
        self.same_number(operands, types, at)?;
        operands.iter().zip(types).map(|(&operand, &ty)| self.resolve(operand, ty)).collect()
    }

    /// The values of uses that all have one type.
    pub fn resolve_same(
        &mut self,
        operands: &[UnresolvedOperand],
        ty: Type,
    ) -> ParseResult<Vec<ValueId>> {
        operands.iter().map(|&operand| self.resolve(operand, ty)).collect()
    }

    /// Adds the values of uses to an op's operands.
    pub fn resolve_into(
        &mut self,
        operands: &[UnresolvedOperand],
        types: &[Type],
        state: &mut OpState,
    ) -> ParseResult<()> {
        self.same_number(operands, types, state.span)?;
        for (&operand, &ty) in operands.iter().zip(types) {
            let value = self.resolve(operand, ty)?;
            state.operands.push(value);
        }
        Ok(())
    }

    fn same_number(
        &self,
        operands: &[UnresolvedOperand],
        types: &[Type],
        at: Span,
    ) -> ParseResult<()> {
        let (n, m) = (operands.len(), types.len());
        match n == m {
            true => Ok(()),
            false => Err(self.error_at(at, format!("{n} operands are given, but {m} types"))),
        }
    }

    // ---- attributes

    /// `{…}` if it comes next, into the op's attributes.
    pub fn attr_dict(&mut self, state: &mut OpState) -> ParseResult<()> {
        if self.tok.kind == Tok::LBrace {
            let entries = self.dict_entries()?;
            state.attrs.extend(entries);
        }
        Ok(())
    }

    /// `attributes {…}` if it comes next, into the op's attributes.
    pub fn attr_dict_with_keyword(&mut self, state: &mut OpState) -> ParseResult<()> {
        if self.eat("attributes") {
            if self.tok.kind != Tok::LBrace {
                return Err(self.expected("`{`"));
            }
            self.attr_dict(state)?;
        }
        Ok(())
    }

    /// A location in `loc(…)` if one comes next.
    pub fn eat_trailing_loc(&mut self) -> ParseResult<Option<Attr>> {
        if self.at("loc") && self.peek().kind == Tok::LParen {
            return self.location().map(Some);
        }
        Ok(None)
    }

    // ---- regions and successors

    /// An argument's name, `%name`.
    pub fn argument(&mut self) -> ParseResult<UnresolvedOperand> {
        if self.tok.kind != Tok::Percent {
            return Err(self.expected("the name of an argument (`%name`)"));
        }
        self.operand()
    }

    /// `%name: type`, with an attribute dictionary and a location after it if they are there.
    pub fn argument_with_type(&mut self) -> ParseResult<RegionArg> {
        let name = self.argument()?;
        self.expect(":")?;
        let ty = self.ty()?;
        let attrs = match self.tok.kind {
            Tok::LBrace => self.dict()?,
            _ => Attr::empty_dict(),
        };
        let loc = self.eat_trailing_loc()?;
        Ok(RegionArg { name, ty, attrs, loc })
    }

    /// `(%a: type, …)`.
    pub fn arguments_with_types(&mut self) -> ParseResult<Vec<RegionArg>> {
        self.expect("(")?;
        let mut args = Vec::new();
        if self.eat(")") {
            return Ok(args);
        }
        loop {
            args.push(self.argument_with_type()?);
            if !self.eat(",") {
                break;
            }
        }
        self.expect(")")?;
        Ok(args)
    }

    /// A region `{…}` whose entry block has these arguments. With arguments the entry block has no
    /// label; without, it may have one.
    pub fn region(&mut self, args: &[RegionArg]) -> ParseResult<RegionId> {
        let region = self.body.new_region(crate::OpId::NONE);
        self.region_into(region, args)?;
        Ok(region)
    }

    /// A region if one comes next.
    pub fn eat_region(&mut self, args: &[RegionArg]) -> ParseResult<Option<RegionId>> {
        match self.tok.kind {
            Tok::LBrace => self.region(args).map(Some),
            _ => Ok(None),
        }
    }

    /// The body of a function, with at least one block, if one comes next; else a region without.
    pub fn function_body(&mut self, args: &[RegionArg]) -> ParseResult<RegionId> {
        let span = self.span();
        let Some(region) = self.eat_region(args)? else { return Ok(self.empty_region()) };
        match self.body.first_block(region) {
            Some(_) => Ok(region),
            None => Err(self.error_at(span, "expected non-empty function body")),
        }
    }

    /// A region without blocks, for an op that has one but whose text has none.
    pub fn empty_region(&mut self) -> RegionId {
        self.body.new_region(crate::OpId::NONE)
    }

    /// Gives the region's block (one is made when it has none) a terminator of this name, without
    /// operands, when it ends without one. It stands where the op does that is being parsed.
    pub fn ensure_terminator(&mut self, region: RegionId, name: &str) {
        let block = match self.body.first_block(region) {
            Some(block) => block,
            None => self.body.append_block(region),
        };
        let ends = self.body.last_op(block).is_some_and(|op| {
            self.asm.registry.op(self.body.name(op)).is_some_and(|info| info.terminator)
        });
        if !ends {
            let at = LocData::Item { item: self.item, ordinal: self.ordinal };
            let loc = Attr::new(AttrData::Loc(at));
            let op = self.body.create_detached(crate::NewOp::new(name), loc);
            self.body.attach(op, crate::InsertPoint::End(block));
        }
    }

    /// A successor, `^name`, if one comes next.
    pub fn eat_successor(&mut self) -> Option<BlockId> {
        if self.tok.kind != Tok::Caret {
            return None;
        }
        let name = self.token_text();
        let span = (self.tok.start as u32, self.tok.end as u32);
        self.advance();
        Some(self.scopes.block_ref(&mut self.body, name, span))
    }

    /// A successor.
    pub fn successor(&mut self) -> ParseResult<BlockId> {
        self.eat_successor().ok_or_else(|| self.expected("a block (`^name`)"))
    }

    /// A successor with the values that it takes, `^bb1(%a, %b : i32, f32)`, for an op; how many
    /// values it takes.
    pub fn successor_with_operands(&mut self, state: &mut OpState) -> ParseResult<usize> {
        let block = self.successor()?;
        state.successors.push(block);
        if !self.eat("(") {
            return Ok(0);
        }
        let operands = self.operand_list()?;
        let types = self.colon_types()?;
        self.expect(")")?;
        self.resolve_into(&operands, &types, state)?;
        Ok(operands.len())
    }
}
