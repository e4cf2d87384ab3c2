//! The syntax that ops like functions share: `@f(%a: type {attrs}) -> (type {attrs})`.

use super::asm_parser::ParseResult;
use super::lexer::Tok;
use super::op_parser::{OpParser, OpState, RegionArg, UnresolvedOperand};
use super::op_printer::OpPrinter;
use crate::{Attr, OpId, RegionId, Type, ValueId};

/// A function's arguments and results as they are written.
#[derive(Clone, Debug, Default)]
pub struct FunctionSignature {
    /// The arguments' names; empty when only types are written (a declaration).
    pub args: Vec<RegionArg>,
    /// The arguments' types.
    pub inputs: Vec<Type>,
    /// One dictionary an argument.
    pub input_attrs: Vec<Attr>,
    /// The results' types.
    pub results: Vec<Type>,
    /// One dictionary a result.
    pub result_attrs: Vec<Attr>,
}

impl FunctionSignature {
    /// The function type.
    pub fn ty(&self) -> Type {
        Type::function(&self.inputs, &self.results)
    }

    /// Adds `function_type`, `arg_attrs` and `res_attrs` to an op's attributes.
    pub fn add_to(&self, state: &mut OpState) {
        state.attr("function_type", Attr::ty(self.ty()));
        let empty = Attr::empty_dict();
        for (name, attrs) in [("arg_attrs", &self.input_attrs), ("res_attrs", &self.result_attrs)] {
            if attrs.iter().any(|&attr| attr != empty) {
                state.attr(name, Attr::array(attrs));
            }
        }
    }
}

impl OpParser<'_> {
    /// `(%a: type {attrs}, …) -> (type {attrs}, …)`; arguments may be types alone.
    pub fn function_signature(&mut self) -> ParseResult<FunctionSignature> {
        let mut signature = FunctionSignature::default();
        self.expect("(")?;
        if !self.eat(")") {
            loop {
                if self.tok.kind == Tok::Percent {
                    let arg = self.argument_with_type()?;
                    signature.inputs.push(arg.ty);
                    signature.input_attrs.push(arg.attrs);
                    signature.args.push(arg);
                } else {
                    signature.inputs.push(self.ty()?);
                    signature.input_attrs.push(self.optional_dict()?);
                }
                if !self.eat(",") {
                    break;
                }
            }
            self.expect(")")?;
        }
        if !signature.args.is_empty() && signature.args.len() != signature.inputs.len() {
            return Err(self.error("either all arguments have names or none has"));
        }
        if self.eat("->") {
            self.function_result_list(&mut signature)?;
        }
        Ok(signature)
    }

    fn function_result_list(&mut self, signature: &mut FunctionSignature) -> ParseResult<()> {
        if !self.eat("(") {
            signature.results.push(self.ty()?);
            signature.result_attrs.push(Attr::empty_dict());
            return Ok(());
        }
        if self.eat(")") {
            return Ok(());
        }
        loop {
            signature.results.push(self.ty()?);
            signature.result_attrs.push(self.optional_dict()?);
            if !self.eat(",") {
                break;
            }
        }
        self.expect(")")
    }

    fn optional_dict(&mut self) -> ParseResult<Attr> {
        if self.tok.kind == Tok::LBrace { self.dict() } else { Ok(Attr::empty_dict()) }
    }

    /// `%name = %value` pairs in parentheses, as loops write their carried values.
    pub fn assignments(&mut self) -> ParseResult<Vec<(UnresolvedOperand, UnresolvedOperand)>> {
        let mut pairs = Vec::new();
        self.expect("(")?;
        if self.eat(")") {
            return Ok(pairs);
        }
        loop {
            let name = self.argument()?;
            self.expect("=")?;
            pairs.push((name, self.operand()?));
            if !self.eat(",") {
                break;
            }
        }
        self.expect(")")?;
        Ok(pairs)
    }
}

impl OpPrinter<'_> {
    /// Prints `(%a: type {attrs}, …) -> (type {attrs}, …)` of an op with `function_type`,
    /// `arg_attrs` and `res_attrs`, whose arguments are those of `region`'s entry block if it has
    /// one.
    pub fn function_signature(&mut self, op: OpId, region: Option<RegionId>) {
        let body = self.body;
        let ty = body.attr(op, "function_type").and_then(Attr::as_type);
        let (inputs, results) = ty.and_then(Type::as_function).unwrap_or_default();
        let args: &[ValueId] = region
            .and_then(|region| body.first_block(region))
            .map_or(&[], |entry| body.block_args(entry));
        let dicts = |name: &str| body.attr(op, name).and_then(Attr::as_array).unwrap_or(&[]);
        let (arg_attrs, res_attrs) = (dicts("arg_attrs"), dicts("res_attrs"));
        self.write("(");
        for (index, &ty) in inputs.iter().enumerate() {
            if index > 0 {
                self.write(", ");
            }
            self.function_input(args.get(index).copied(), ty, arg_attrs.get(index));
        }
        self.write(")");
        if results.is_empty() {
            return;
        }
        self.write(" -> ");
        let has_attrs = res_attrs.iter().any(|a| a.as_dict().is_some_and(|d| !d.is_empty()));
        let bare = matches!(results, [one]
            if !matches!(one.data(), crate::TypeData::Function { .. }) && !has_attrs);
        if !bare {
            self.write("(");
        }
        for (index, &ty) in results.iter().enumerate() {
            if index > 0 {
                self.write(", ");
            }
            self.ty(ty);
            self.dict_of(res_attrs.get(index));
        }
        if !bare {
            self.write(")");
        }
    }

    /// Prints an input of a function: the argument of its body if it has one, or its type.
    pub fn function_input(&mut self, arg: Option<ValueId>, ty: Type, attrs: Option<&Attr>) {
        match arg {
            Some(arg) => {
                let attrs = attrs.and_then(|a| a.as_dict()).unwrap_or(&[]);
                self.argument_with_attrs(arg, attrs);
            }
            None => {
                self.ty(ty);
                self.dict_of(attrs);
            }
        }
    }

    fn dict_of(&mut self, attrs: Option<&Attr>) {
        let entries = attrs.and_then(|a| a.as_dict()).unwrap_or(&[]);
        self.optional_dict(entries, &[]);
    }
}
