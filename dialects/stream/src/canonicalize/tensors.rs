//! What conversion from tensors computes: keywords of numbers, types of declarations, names of
//! globals.

use tegula_ir::{Attr, Body, Registry, Type, TypeData};
use tegula_rewrite::Bound;

use crate::passes::resource_type;

/// The keyword of an enum's number, as parameters of attributes hold it.
pub(crate) fn keyword(registry: &Registry, _: &Body, args: &[Bound]) -> Option<Bound> {
    let enumeration = registry.enumeration(args.first()?.attr()?.as_str()?)?;
    let number = args.get(1)?.attr()?.as_int()?;
    let case = enumeration.cases.iter().find(|case| case.value == number)?;
    Some(Bound::Attr(Attr::string(&case.keyword)))
}

/// The type of a declaration: tensors are resources, without their sizes.
pub(crate) fn function_type(_: &Registry, _: &Body, args: &[Bound]) -> Option<Bound> {
    let ty = args.first()?.attr()?.as_type()?;
    let (inputs, results) = ty.as_function()?;
    let converted = |types: &[Type]| -> Vec<Type> {
        let is_tensor = |ty: Type| {
            matches!(ty.data(), TypeData::RankedTensor { .. } | TypeData::UnrankedTensor { .. })
        };
        types.iter().map(|&ty| if is_tensor(ty) { resource_type("*") } else { ty }).collect()
    };
    Some(Bound::Attr(Attr::ty(Type::function(&converted(inputs), &converted(results)))))
}

/// The name of the global that holds the size of what is in another.
pub(crate) fn size_global(_: &Registry, _: &Body, args: &[Bound]) -> Option<Bound> {
    let global = args.first()?.attr()?.as_symbol_root()?;
    Some(Bound::Attr(Attr::symbol(&size_name(global.as_str()))))
}

/// The name of the global that holds the size of what is in the one of this name.
pub(crate) fn size_name(global: &str) -> String {
    format!("{global}__size")
}
