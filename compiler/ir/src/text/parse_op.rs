//! Ops, regions and blocks from text.

use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;
use tegula_schema::Format;

use super::alias::AliasTable;
use super::asm_parser::{AsmParser, Inputs, ParseError, ParseResult, TextOrigin};
use super::grow;
use super::lexer::{Tok, unescaped};
use super::op_parser::{OpParser, OpState, RegionArg, UnresolvedOperand};
use super::op_printer::{PROPERTIES, default_dialect, is_inherent};
use super::parse_module::ParseOptions;
use super::scope::Scopes;
use crate::{
    Attr, AttrData, BlockId, Body, Ident, InsertPoint, LocData, NewOp, OPERAND_SEGMENTS, OpId,
    OpInfo, OpName, Place, RESULT_SEGMENTS, RegionId, Registry, Type, ValueId,
};

/// A name before `=`, how many results it stands for, and where it is.
type ResultName<'a> = (&'a str, usize, (u32, u32));

impl<'a> OpParser<'a> {
    /// A parser of the ops of one item.
    pub(crate) fn new(
        registry: &'a Registry,
        text: &'a str,
        origin: TextOrigin,
        aliases: &'a AliasTable,
        item: Ident,
        options: ParseOptions,
    ) -> OpParser<'a> {
        OpParser {
            asm: AsmParser::new(registry, text, origin, aliases),
            body: Body::new(),
            scopes: Scopes::new(),
            item,
            spans: Vec::new(),
            args: Vec::new(),
            lost: Vec::new(),
            defined_later: FxHashMap::default(),
            options,
            default_dialects: vec!["builtin"],
            isolated: false,
            ordinal: 0,
            result_names: 0,
            errors: Vec::new(),
        }
    }

    /// Closes the outermost scope and reports what was used and never defined.
    pub(crate) fn finish(&mut self) {
        let missing = self.scopes.pop();
        self.report_missing(&missing);
    }

    fn report_missing(&mut self, missing: &[(&'a str, (u32, u32))]) {
        for &(name, (start, end)) in missing {
            if self.lost.contains(&name) {
                continue;
            }
            let what = if name.starts_with('^') { "block" } else { "value" };
            let span = self.span_of(start as usize, end as usize);
            let error = self.error_at(span, format!("{what} `{name}` is used but not defined"));
            self.errors.push(error);
        }
    }

    /// One op, put at the end of a block.
    pub(crate) fn operation(&mut self, block: BlockId) -> ParseResult<OpId> {
        grow(|| self.operation_inner(block))
    }

    fn operation_inner(&mut self, block: BlockId) -> ParseResult<OpId> {
        let start = self.tok.start;
        let ordinal = self.spans.len();
        self.spans.push((start as u32, start as u32));
        let mut names: SmallVec<[ResultName<'a>; 2]> = SmallVec::new();
        let mut expected = 0usize;
        if self.tok.kind == Tok::Percent {
            loop {
                if self.tok.kind != Tok::Percent {
                    return Err(self.expected("the name of a result (`%name`)"));
                }
                let name = self.token_text();
                let range = (self.tok.start as u32, self.tok.end as u32);
                self.advance();
                let mut count = 1;
                if self.eat_tok(Tok::Colon) {
                    let span = self.span();
                    count = usize::try_from(self.integer()?).unwrap_or(0);
                    if !(1..1 << 24).contains(&count) {
                        return Err(self.error_at(span, "expected a number of results"));
                    }
                }
                names.push((name, count, range));
                expected += count;
                if !self.eat_tok(Tok::Comma) {
                    break;
                }
            }
            self.expect_tok(Tok::Equal, "`=`")?;
        }
        let outer = (self.isolated, self.result_names, self.ordinal);
        (self.result_names, self.ordinal) = (expected, ordinal as u32);
        let state = match self.tok.kind {
            Tok::Str => self.generic_op(),
            Tok::Bare => self.custom_op(),
            _ => Err(self.expected("an op")),
        };
        (self.isolated, self.result_names, self.ordinal) = outer;
        let state = state?;
        self.spans[ordinal] = (start as u32, self.last_end as u32);
        let place = match self.eat_trailing_loc()? {
            Some(loc) => self.body.locs.place(loc),
            None => self.body.locs.in_item(self.item, ordinal as u32),
        };
        if !names.is_empty() && expected != state.results.len() {
            let n = state.results.len();
            return Err(self.error_at(
                self.span_of(start, self.last_end),
                format!("`{}` has {n} results, but {expected} are named", state.name),
            ));
        }
        let op = self.finish_op(state, place, block);
        let mut number = 0;
        for (name, count, range) in names {
            let values: SmallVec<[ValueId; 2]> =
                (number..number + count).map(|n| self.body.result(op, n)).collect();
            number += count;
            self.define(name, &values, range)?;
        }
        Ok(op)
    }

    fn finish_op(&mut self, mut state: OpState, place: Place, block: BlockId) -> OpId {
        for operand in &mut state.operands {
            *operand = self.defined_later.get(operand).copied().unwrap_or(*operand);
        }
        let new = NewOp {
            name: state.name,
            operands: state.operands,
            results: state.results,
            attrs: state.attrs,
            regions: 0,
            successors: state.successors,
            loc: None,
        };
        let op = self.body.make(&new, place);
        for region in state.regions {
            self.body.adopt_region(op, region);
        }
        self.body.attach(op, InsertPoint::End(block));
        op
    }

    /// Gives a name to values; values that stood for it so far are replaced.
    fn define(&mut self, name: &'a str, values: &[ValueId], range: (u32, u32)) -> ParseResult<()> {
        let span = self.span_of(range.0 as usize, range.1 as usize);
        let Ok(replaced) = self.scopes.define(name, values, range) else {
            let before = self.scopes.first_seen(name);
            let error = self.error_at(span, format!("value `{name}` is defined already"));
            return Err(self.label(error, before, "previously defined here"));
        };
        for (number, stand_in, used) in replaced {
            let at = self.span_of(used.0 as usize, used.1 as usize);
            let Some(&value) = values.get(number) else {
                return Err(self.error_at(at, format!("`{name}` has no result number {number}")));
            };
            let (ty, wanted) = (self.body.ty(value), self.body.ty(stand_in));
            if ty != wanted {
                let error = self.error_at(
                    at,
                    format!("`{name}` is used as `{wanted}`, but its type is `{ty}`"),
                );
                return Err(self.label(error, Some(range), "defined here"));
            }
            self.body.replace_all_uses(stand_in, value);
            self.defined_later.insert(stand_in, value);
        }
        Ok(())
    }

    fn new_state(&self, name: OpName) -> OpState {
        OpState {
            name,
            operands: SmallVec::new(),
            results: SmallVec::new(),
            attrs: SmallVec::new(),
            regions: SmallVec::new(),
            successors: SmallVec::new(),
            span: self.span(),
        }
    }

    fn unregistered(&self, name: &str) -> ParseError {
        let error = |message: String| {
            let mut error = self.error(message);
            error.0.code = "unknown-op".into();
            error
        };
        let Some((dialect, _)) = name.split_once('.') else {
            return error(format!("`{name}` is no op"));
        };
        match self.registry.dialect(dialect) {
            None => {
                let names = self.registry.dialects().map(|entry| entry.def.name.as_ref());
                error(format!("dialect `{dialect}` is not known")).suggest(dialect, names)
            }
            Some(entry) => {
                let names = entry.def.ops.iter().map(|op| op.name.as_ref());
                error(format!("dialect `{dialect}` has no op `{name}`")).suggest(name, names)
            }
        }
    }

    fn generic_op(&mut self) -> ParseResult<OpState> {
        let name = OpName::of(&unescaped(self.token_text()));
        let info = self.registry.op(name);
        if info.is_none() && !self.options.allow_unregistered {
            return Err(self.unregistered(name.as_str()));
        }
        self.isolated = info.is_some_and(|info| info.isolated);
        let mut state = self.new_state(name);
        self.advance();
        let mut operands: SmallVec<[UnresolvedOperand; 4]> = SmallVec::new();
        self.expect("(")?;
        self.each_operand(|operand| operands.push(operand))?;
        self.expect(")")?;
        if self.tok.kind == Tok::LSquare {
            self.advance();
            if !self.eat("]") {
                loop {
                    state.successors.push(self.successor()?);
                    if !self.eat(",") {
                        break;
                    }
                }
                self.expect("]")?;
            }
        }
        if self.eat("<") {
            let span = self.span();
            match info {
                // As in MLIR, properties that the op does not have are not kept.
                Some(info) if self.tok.kind == Tok::LBrace => {
                    self.dict_into(&mut state.attrs)?;
                    state.attrs.retain(|(name, _)| is_inherent(info, *name));
                }
                Some(_) => return Err(self.error_at(span, "properties are a dictionary")),
                None => {
                    let properties = self.attr()?;
                    state.attr(PROPERTIES, properties);
                }
            }
            self.expect(">")?;
        }
        if self.tok.kind == Tok::LParen {
            self.advance();
            loop {
                let dialect = info.map_or("", default_dialect);
                self.default_dialects.push(dialect);
                let region = self.region(&[]);
                self.default_dialects.pop();
                state.regions.push(region?);
                if !self.eat(",") {
                    break;
                }
            }
            self.expect(")")?;
        }
        let properties = state.attrs.len();
        self.attr_dict(&mut state)?;
        // What is among the properties is not looked for in the dictionary.
        if info.is_some() && properties > 0 && state.attrs.len() > properties {
            let behind: Vec<_> = state.attrs.drain(properties..).collect();
            let new =
                behind.into_iter().filter(|(name, _)| state.get_attr(name.as_str()).is_none());
            state.attrs.extend(new.collect::<Vec<_>>());
        }
        self.sized_groups(&state, info)?;
        self.expect(":")?;
        let mut inputs = Inputs::new();
        self.signature(&mut inputs, &mut state.results)?;
        self.resolve_into(&operands, &inputs, &mut state)?;
        if let Some(info) = info {
            self.tidy_attrs(&mut state, info)?;
        }
        Ok(state)
    }

    /// In generic form the sizes of groups are written, where they are attributes.
    fn sized_groups(&self, state: &OpState, info: Option<&OpInfo>) -> ParseResult<()> {
        let Some(info) = info else { return Ok(()) };
        let sizes =
            [(info.sized_operands, OPERAND_SEGMENTS), (info.sized_results, RESULT_SEGMENTS)];
        let mut missing = sizes.iter().filter(|(has, name)| *has && state.get_attr(name).is_none());
        match missing.next() {
            Some((_, name)) => {
                let message = format!("'{}' op requires attribute '{name}'", state.name);
                Err(self.error_at(state.span, message))
            }
            None => Ok(()),
        }
    }

    fn custom_op(&mut self) -> ParseResult<OpState> {
        let text = self.token_text();
        let default = self.default_dialects.last().copied().unwrap_or("");
        let registry = self.registry;
        let full;
        let name = if text.contains('.') {
            match registry.op(OpName::of(text)) {
                Some(_) => text,
                None => {
                    full = format!("{default}.{text}");
                    let known = !default.is_empty() && registry.op(OpName::of(&full)).is_some();
                    if known { full.as_str() } else { text }
                }
            }
        } else {
            full = format!("{default}.{text}");
            if default.is_empty() { text } else { full.as_str() }
        };
        let Some(info) = registry.op(OpName::of(name)) else {
            return Err(self.unregistered(if text.contains('.') { text } else { name }));
        };
        let mut state = self.new_state(OpName::of(name));
        self.isolated = info.isolated;
        let dialect = default_dialect(info);
        match &info.def().format {
            Format::Generic => {
                return Err(
                    self.error(format!("`{name}` has only a generic form (`\"{name}\"(…)`)"))
                );
            }
            Format::Program(elems) => {
                self.advance();
                self.default_dialects.push(dialect);
                let read = self.format_program(&mut state, info, elems);
                self.default_dialects.pop();
                read?;
            }
            Format::Hook(hook) => {
                let Some(read) = info.dialect().hooks.parse_op.get(hook.as_ref()) else {
                    return Err(self.error(format!(
                        "the reader `{hook}` of dialect `{}` is not installed",
                        info.dialect().def.name
                    )));
                };
                self.advance();
                self.default_dialects.push(dialect);
                let read = read(self, &mut state);
                self.default_dialects.pop();
                read?;
            }
        }
        self.tidy_attrs(&mut state, info)?;
        Ok(state)
    }

    /// Leaves out attributes that equal the value that stands for their absence, and rejects an
    /// attribute that is given twice.
    fn tidy_attrs(&mut self, state: &mut OpState, info: &OpInfo) -> ParseResult<()> {
        if let Some(name) = given_twice(&state.attrs) {
            let message = format!("attribute `{name}` of `{}` is given twice", state.name);
            return Err(self.error_at(state.span, message));
        }
        let registry = self.registry;
        if info.has_defaults {
            state.attrs.retain(|&mut (name, value)| {
                let attr = info.attr_index(name);
                attr.and_then(|attr| info.attr_default(registry, attr)) != Some(value)
            });
        }
        Ok(())
    }

    // ---- regions

    pub(crate) fn region_into(&mut self, region: RegionId, args: &[RegionArg]) -> ParseResult<()> {
        self.expect("{")?;
        let outer = (self.isolated, self.result_names);
        self.scopes.push(self.isolated);
        let read = self.region_blocks(region, args);
        let missing = self.scopes.pop();
        (self.isolated, self.result_names) = outer;
        read?;
        self.report_missing(&missing);
        self.expect("}")
    }

    fn region_blocks(&mut self, region: RegionId, args: &[RegionArg]) -> ParseResult<()> {
        if self.tok.kind == Tok::RBrace && args.is_empty() {
            return Ok(());
        }
        if !args.is_empty() || self.tok.kind != Tok::Caret {
            let entry = self.body.append_block(region);
            let own = self.spans.len() == 1 && self.args.is_empty();
            for arg in args {
                let (name, value) = self.block_arg(entry, arg);
                if own {
                    self.args.push(Ident::of(name.trim_start_matches('%')));
                }
                self.define(name, &[value], (arg.name.start, arg.name.end))?;
            }
            if self.tok.kind == Tok::Caret
                && !args.is_empty()
                && self.body.first_op(entry).is_none()
            {
                return Err(self.error("the entry block has its arguments already"));
            }
            self.block_body(entry)?;
        }
        while self.tok.kind == Tok::Caret {
            let name = self.token_text();
            let range = (self.tok.start as u32, self.tok.end as u32);
            let span = self.span();
            self.advance();
            let Some(block) = self.scopes.block_def(&mut self.body, name, range) else {
                return Err(self.error_at(span, format!("block `{name}` is defined already")));
            };
            self.body.attach_block(block, region, None);
            if self.tok.kind == Tok::LParen {
                let start = self.tok.start;
                if let Err(error) = self.block_args(block) {
                    self.skip_args(start, error)?;
                }
            }
            self.expect(":")?;
            self.block_body(block)?;
        }
        Ok(())
    }

    /// The arguments of a block, in parentheses.
    fn block_args(&mut self, block: BlockId) -> ParseResult<()> {
        self.expect("(")?;
        if self.eat(")") {
            return Ok(());
        }
        loop {
            let arg = self.argument_with_type()?;
            let (name, value) = self.block_arg(block, &arg);
            self.define(name, &[value], (arg.name.start, arg.name.end))?;
            if !self.eat(",") {
                break;
            }
        }
        self.expect(")")
    }

    /// Adds an argument to a block; its name and the value.
    fn block_arg(&mut self, block: BlockId, arg: &RegionArg) -> (&'a str, ValueId) {
        let value = self.body.add_block_arg(block, arg.ty);
        let loc = arg.loc.or_else(|| {
            let ordinal = self.spans.len() as u32;
            self.options.locate_arguments.then(|| {
                self.spans.push((arg.name.start, arg.name.end));
                Attr::new(AttrData::Loc(LocData::Item { item: self.item, ordinal }))
            })
        });
        if let Some(loc) = loc {
            self.body.set_arg_loc(value, loc);
        }
        (self.operand_name(arg.name), value)
    }

    fn block_body(&mut self, block: BlockId) -> ParseResult<()> {
        while !matches!(self.tok.kind, Tok::RBrace | Tok::Caret | Tok::Eof) {
            let start = self.tok.start;
            if let Err(error) = self.operation(block) {
                self.skip_op(start, error)?;
            }
        }
        Ok(())
    }

    /// The types of values that are resolved.
    pub fn types_of(&self, values: &[ValueId]) -> Vec<Type> {
        values.iter().map(|&v| self.body.ty(v)).collect()
    }
}

/// The first name that stands for an attribute before it, too.
fn given_twice(attrs: &[(Ident, Attr)]) -> Option<Ident> {
    const FEW: usize = 8;
    if attrs.len() <= FEW {
        let mut places = attrs.iter().enumerate();
        let twice = places.find(|(at, (name, _))| attrs[..*at].iter().any(|(n, _)| n == name));
        return twice.map(|(_, &(name, _))| name);
    }
    let mut seen: FxHashSet<Ident> = FxHashSet::default();
    attrs.iter().map(|&(name, _)| name).find(|&name| !seen.insert(name))
}
