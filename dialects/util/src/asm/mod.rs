//! Syntax that several dialects share: visibility, tied results, types with sizes, index lists.
//!
//! Each directive is a pair of functions with the signatures of the hooks that read and print it. A
//! dialect takes the shared ones by name into its implementation of its hooks:
//! `tegula_dialect_util::shared_directives!(symbol_visibility, shaped_type_list);`, and those that it
//! makes of functions of its own with [`directive!`](crate::directive).

mod bindings;
mod functions;
mod index_list;
mod names;
mod parameters;
mod regions;
mod shaped;
mod symbols;
mod values;

pub use bindings::{parse_bindings, print_bindings, verify_bindings};
pub use functions::{parse_function, print_function};
pub use index_list::{parse_dynamic_index_list, print_dynamic_index_list};
pub use names::dispatch_workgroup;
pub use parameters::{
    parse_named_parameter, parse_parameter_reference, parse_reference, print_named_parameter,
    print_parameter_reference, print_reference,
};
pub use regions::{parse_counting_region, print_counting_region};
pub use shaped::{
    dims_of, parse_operand_type_list, parse_shaped_function_type, parse_shaped_result_list,
    parse_shaped_type_list, parse_sized_type, parse_sized_types, parse_tied_function_result_list,
    print_dims, print_operand_type_list, print_shaped_function_type, print_shaped_result_list,
    print_shaped_type_list, print_sized_types, print_tied_function_result_list,
};
pub use symbols::{
    parse_dispatch_entry_points, parse_symbol_alias, parse_symbol_visibility, parse_type_or_attr,
    print_dispatch_entry_points, print_symbol_alias, print_symbol_visibility, print_type_or_attr,
};
pub use values::{
    parse_passed_types, parse_range, parse_range_list, parse_shaped_tied_result,
    parse_size_aware_type, parse_typed_value_list, parse_value_type_list, print_passed_types,
    print_range_list, print_shaped_tied_result, print_size_aware_type, print_typed_value_list,
    print_value_type_list,
};

/// Two methods of a dialect's `Hooks`: the directive that these functions read and print.
#[macro_export]
macro_rules! directive {
    ($parse:ident = $read:path, $print:ident = $write:path) => {
        fn $parse(
            p: &mut ::tegula_ir::text::OpParser<'_>,
            args: &mut ::tegula_ir::text::ParseArgs<'_>,
        ) -> ::tegula_ir::text::ParseResult<bool> {
            $read(p, args)
        }

        fn $print(
            p: &mut ::tegula_ir::text::OpPrinter<'_>,
            op: ::tegula_ir::OpId,
            args: &::tegula_ir::text::PrintArgs,
        ) {
            $write(p, op, args);
        }
    };
}

/// The methods of a dialect's `Hooks` for the shared directives of these names.
#[macro_export]
macro_rules! shared_directives {
    ($($name:ident),+ $(,)?) => { $($crate::shared_directive! { $name })+ };
}

/// The methods for one shared directive.
#[doc(hidden)]
#[macro_export]
macro_rules! shared_directive {
    (bindings) => {
        $crate::directive! {
            parse_directive_bindings = $crate::asm::parse_bindings,
            print_directive_bindings = $crate::asm::print_bindings
        }
    };
    (dispatch_entry_points) => {
        $crate::directive! {
            parse_directive_dispatch_entry_points = $crate::asm::parse_dispatch_entry_points,
            print_directive_dispatch_entry_points = $crate::asm::print_dispatch_entry_points
        }
    };
    (operand_type_list) => {
        $crate::directive! {
            parse_directive_operand_type_list = $crate::asm::parse_operand_type_list,
            print_directive_operand_type_list = $crate::asm::print_operand_type_list
        }
    };
    (parameter_reference) => {
        $crate::directive! {
            parse_directive_parameter_reference = $crate::asm::parse_parameter_reference,
            print_directive_parameter_reference = $crate::asm::print_parameter_reference
        }
    };
    (passed_types) => {
        $crate::directive! {
            parse_directive_passed_types = $crate::asm::parse_passed_types,
            print_directive_passed_types = $crate::asm::print_passed_types
        }
    };
    (range_list) => {
        $crate::directive! {
            parse_directive_range_list = $crate::asm::parse_range_list,
            print_directive_range_list = $crate::asm::print_range_list
        }
    };
    (shaped_function_type) => {
        $crate::directive! {
            parse_directive_shaped_function_type = $crate::asm::parse_shaped_function_type,
            print_directive_shaped_function_type = $crate::asm::print_shaped_function_type
        }
    };
    (shaped_tied_result) => {
        $crate::directive! {
            parse_directive_shaped_tied_result = $crate::asm::parse_shaped_tied_result,
            print_directive_shaped_tied_result = $crate::asm::print_shaped_tied_result
        }
    };
    (shaped_type_list) => {
        $crate::directive! {
            parse_directive_shaped_type_list = $crate::asm::parse_shaped_type_list,
            print_directive_shaped_type_list = $crate::asm::print_shaped_type_list
        }
    };
    (size_aware_type) => {
        $crate::directive! {
            parse_directive_size_aware_type = $crate::asm::parse_size_aware_type,
            print_directive_size_aware_type = $crate::asm::print_size_aware_type
        }
    };
    (symbol_alias) => {
        $crate::directive! {
            parse_directive_symbol_alias = $crate::asm::parse_symbol_alias,
            print_directive_symbol_alias = $crate::asm::print_symbol_alias
        }
    };
    (symbol_visibility) => {
        $crate::directive! {
            parse_directive_symbol_visibility = $crate::asm::parse_symbol_visibility,
            print_directive_symbol_visibility = $crate::asm::print_symbol_visibility
        }
    };
    (tied_function_result_list) => {
        $crate::directive! {
            parse_directive_tied_function_result_list = $crate::asm::parse_tied_function_result_list,
            print_directive_tied_function_result_list = $crate::asm::print_tied_function_result_list
        }
    };
    (type_or_attr) => {
        $crate::directive! {
            parse_directive_type_or_attr = $crate::asm::parse_type_or_attr,
            print_directive_type_or_attr = $crate::asm::print_type_or_attr
        }
    };
    (typed_value_list) => {
        $crate::directive! {
            parse_directive_typed_value_list = $crate::asm::parse_typed_value_list,
            print_directive_typed_value_list = $crate::asm::print_typed_value_list
        }
    };
    (value_type_list) => {
        $crate::directive! {
            parse_directive_value_type_list = $crate::asm::parse_value_type_list,
            print_directive_value_type_list = $crate::asm::print_value_type_list
        }
    };
}
