//! The Rust that the definitions of this dialect name.

use tegula_ir::text::{
    AsmParser, AsmPrinter, OpParser, OpPrinter, OpState, ParseArgs, ParseResult, PrintArgs,
};
use tegula_ir::verify::Symbols;
use tegula_ir::{Attr, Body, OpId, Registry, Subject, Type};

use crate::generated::Hooks;
use crate::{
    aggregate, branches, bundles, calls, enums, function, gep, landingpad, memory, symbols, types,
    verify,
};

/// The hooks of the dialect.
pub struct LlvmHooks;

/// The form of an op.
macro_rules! form {
    ($parse:ident = $read:path, $print:ident = $write:path) => {
        fn $parse(p: &mut OpParser<'_>, state: &mut OpState) -> ParseResult<()> {
            $read(p, state)
        }

        fn $print(p: &mut OpPrinter<'_>, op: OpId) {
            $write(p, op);
        }
    };
}

/// A directive in the form of an op.
macro_rules! directive {
    ($parse:ident = $read:path, $print:ident = $write:path) => {
        fn $parse(p: &mut OpParser<'_>, args: &mut ParseArgs<'_>) -> ParseResult<bool> {
            $read(p, args)
        }

        fn $print(p: &mut OpPrinter<'_>, op: OpId, args: &PrintArgs) {
            $write(p, op, args);
        }
    };
}

/// The parameters of a type.
macro_rules! params {
    ($parse:ident = $read:path, $print:ident = $write:path) => {
        fn $parse(p: &mut AsmParser<'_>) -> ParseResult<Vec<Attr>> {
            $read(p)
        }

        fn $print(p: &mut AsmPrinter<'_>, params: &[Attr]) {
            $write(p, params);
        }
    };
}

/// What is verified of an op.
macro_rules! verifier {
    ($hook:ident = $check:path) => {
        fn $hook(registry: &Registry, body: &Body, op: OpId) -> Result<(), String> {
            $check(registry, body, op)
        }
    };
}

/// What is verified of the parameters of a type.
macro_rules! params_verifier {
    ($hook:ident = $check:path) => {
        fn $hook(registry: &Registry, params: &[Attr]) -> Result<(), String> {
            $check(registry, params)
        }
    };
}

impl Hooks for LlvmHooks {
    fn verify_symbols_addressof(
        symbols: &Symbols<'_>,
        body: &Body,
        op: OpId,
    ) -> Result<(), String> {
        symbols::verify_address(symbols, body, op)
    }

    form!(parse_alias = symbols::parse_alias, print_alias = symbols::print_alias);
    form!(parse_alloca = memory::parse_alloca, print_alloca = memory::print_alloca);
    form!(parse_call = calls::parse_call, print_call = calls::print_call);
    form!(
        parse_call_intrinsic = calls::parse_intrinsic,
        print_call_intrinsic = calls::print_intrinsic
    );
    form!(parse_func = function::parse, print_func = function::print);
    form!(parse_global = symbols::parse_global, print_global = symbols::print_global);
    form!(parse_indirectbr = branches::parse_indirect, print_indirectbr = branches::print_indirect);
    form!(parse_invoke = calls::parse_invoke, print_invoke = calls::print_invoke);
    form!(parse_landingpad = landingpad::parse, print_landingpad = landingpad::print);
    form!(parse_switch = branches::parse_switch, print_switch = branches::print_switch);

    directive!(
        parse_directive_f_cmp_predicate = enums::parse_fcmp,
        print_directive_f_cmp_predicate = enums::print_fcmp
    );
    directive!(
        parse_directive_gep_indices = gep::parse_indices,
        print_directive_gep_indices = gep::print_indices
    );
    directive!(
        parse_directive_gep_no_wrap_flags = enums::parse_no_wrap,
        print_directive_gep_no_wrap_flags = enums::print_no_wrap
    );
    directive!(
        parse_directive_i_cmp_predicate = enums::parse_icmp,
        print_directive_i_cmp_predicate = enums::print_icmp
    );
    directive!(
        parse_directive_op_bundles = bundles::parse_directive,
        print_directive_op_bundles = bundles::print_directive
    );
    directive!(
        parse_directive_overflow = enums::parse_overflow,
        print_directive_overflow = enums::print_overflow
    );
    directive!(
        parse_directive_part_type = aggregate::parse_part_type,
        print_directive_part_type = aggregate::print_part_type
    );
    directive!(
        parse_directive_shuffle_type = aggregate::parse_shuffle_type,
        print_directive_shuffle_type = aggregate::print_shuffle_type
    );

    params!(parse_params_func = types::parse_func, print_params_func = types::print_func);
    params!(parse_params_struct = types::parse_struct, print_params_struct = types::print_struct);
    params!(parse_params_target = types::parse_target, print_params_target = types::print_target);

    fn parse_param_directive_nested_type(
        p: &mut AsmParser<'_>,
        params: &mut [Option<Attr>],
    ) -> ParseResult<bool> {
        types::parse_nested_param(p, params)
    }

    fn print_param_directive_nested_type(p: &mut AsmPrinter<'_>, params: &[Option<Attr>]) {
        types::print_nested_param(p, params);
    }

    params_verifier!(verify_params_array = types::verify_array);
    params_verifier!(verify_params_func = types::verify_func);
    params_verifier!(verify_params_struct = types::verify_struct);

    fn derive_type_exchanged(_: &Registry, from: Subject) -> Option<Type> {
        memory::exchanged(from)
    }

    verifier!(verify_bundles = bundles::verify);
    verifier!(verify_call = calls::verify);
    verifier!(verify_call_intrinsic = calls::verify_intrinsic);
    verifier!(verify_getelementptr = gep::verify);
    verifier!(verify_constant = verify::constant);
    verifier!(verify_extractvalue = aggregate::verify_extract);
    verifier!(verify_func = function::verify);
    verifier!(verify_global = symbols::verify_global);
    verifier!(verify_insertvalue = aggregate::verify_insert);
    verifier!(verify_return = function::verify_return);
    verifier!(verify_shufflevector = aggregate::verify_shuffle);
    verifier!(verify_switch = branches::verify_switch);
    verifier!(verify_widening = verify::widening);
}
