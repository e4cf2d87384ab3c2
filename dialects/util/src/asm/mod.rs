//! Syntax that several dialects share: visibility, tied results, types with sizes, index lists.
//!
//! Each directive is a pair of functions with the signatures of the hooks that read and print it, so
//! that a dialect's hooks forward to them.

mod index_list;
mod regions;
mod shaped;
mod symbols;

pub use index_list::{parse_dynamic_index_list, print_dynamic_index_list};
pub use regions::{parse_counting_region, print_counting_region};
pub use shaped::{
    dims_of, parse_operand_type_list, parse_shaped_function_type, parse_shaped_result_list,
    parse_shaped_type_list, parse_sized_types, parse_tied_function_result_list, print_dims,
    print_operand_type_list, print_shaped_function_type, print_shaped_result_list,
    print_shaped_type_list, print_sized_types, print_tied_function_result_list,
};
pub use symbols::{
    parse_dispatch_entry_points, parse_symbol_alias, parse_symbol_visibility, parse_type_or_attr,
    print_dispatch_entry_points, print_symbol_alias, print_symbol_visibility, print_type_or_attr,
};
