//! The Rust that the definitions of this dialect name.

use tegula_ir as ir;
use tegula_ir::text;
use tegula_ir::{Attr, AttrData, DYNAMIC, Type};

use crate::generated::Hooks;
use crate::resolver::is_serializable;

/// The hooks of the dialect.
pub struct EncodingHooks;

/// The fields of `#iree_encoding.encoding` in order.
const FIELDS: [&str; 6] = [
    "operand_index",
    "op_type",
    "element_types",
    "original_element_type",
    "user_indexing_maps",
    "iteration_sizes",
];

impl Hooks for EncodingHooks {
    fn verify_set_encoding(
        registry: &ir::Registry,
        body: &ir::Body,
        op: ir::OpId,
    ) -> Result<(), String> {
        let (plain, encoded) = types(registry, body, op);
        verify_ends(registry, "set_encoding", ("source", plain), ("result", encoded))?;
        verify_change(registry, body, op, plain, encoded)
    }

    fn verify_unset_encoding(
        registry: &ir::Registry,
        body: &ir::Body,
        op: ir::OpId,
    ) -> Result<(), String> {
        let (encoded, plain) = types(registry, body, op);
        verify_ends(registry, "unset_encoding", ("result", plain), ("source", encoded))?;
        verify_change(registry, body, op, plain, encoded)
    }

    fn verify_params_encoding(_: &ir::Registry, params: &[Attr]) -> Result<(), String> {
        let &[operand, _, _, _, maps, sizes] = params else { return Ok(()) };
        let Some(maps) = maps.as_array() else {
            return match sizes.as_array() {
                Some([_, ..]) => Err("found `iteration_sizes` without any corresponding \
                                      `user_indexing_maps`"
                    .to_owned()),
                _ => Ok(()),
            };
        };
        let mut dims = None;
        for (index, map) in maps.iter().enumerate() {
            // Maps that are applied one after the other stand in a list.
            let parts = map.as_array().unwrap_or(std::slice::from_ref(map));
            if parts.iter().any(|part| part.as_map().is_none()) {
                return Err(format!(
                    "found a non-composable attribute in `user_indexing_maps` at index: {index}"
                ));
            }
            dims = dims.or(parts.first().and_then(|part| part.as_map()).map(|map| map.dims()));
        }
        let operand = operand.as_int().and_then(|at| usize::try_from(at).ok());
        if operand.is_none_or(|at| at >= maps.len()) {
            return Err("`operandIndex` exceeds the size of `user_indexing_maps`".to_owned());
        }
        match (dims, sizes.as_array()) {
            (Some(dims), Some(sizes)) if sizes.len() != dims as usize => Err(format!(
                "found an encoding with {} iteration sizes, but expected {dims} based on the user \
                 indexing maps",
                sizes.len()
            )),
            _ => Ok(()),
        }
    }

    fn verify_params_layout(registry: &ir::Registry, params: &[Attr]) -> Result<(), String> {
        let layouts = params.first().and_then(|layouts| layouts.as_array()).unwrap_or(&[]);
        if layouts.is_empty() {
            return Err("expected non-empty layouts".to_owned());
        }
        if !layouts.iter().all(|&layout| is_layout(registry, layout)) {
            return Err("expected all the layout attributes to implement SerializableAttr".into());
        }
        Ok(())
    }

    fn verify_encoding_layout(
        registry: &ir::Registry,
        params: &[Attr],
        ty: Type,
    ) -> Result<(), String> {
        let layouts = params.first().and_then(|layouts| layouts.as_array()).unwrap_or(&[]);
        layouts.iter().try_for_each(|&layout| registry.verify_encoding(layout, ty))
    }

    fn verify_encoding_packed_storage(
        _: &ir::Registry,
        _: &[Attr],
        ty: Type,
    ) -> Result<(), String> {
        let Some(width) = ty.element().and_then(Type::bit_width) else { return Ok(()) };
        let only = match width {
            8.. => "is currently only supported for sub-byte types",
            width if !width.is_power_of_two() => {
                "currently only supports types with power-of-two bitwidth"
            }
            _ => return Ok(()),
        };
        Err(format!("bit-width of the element type is {width} but packed_storage {only}"))
    }

    fn verify_params_padding(_: &ir::Registry, params: &[Attr]) -> Result<(), String> {
        let sizes = params.first().and_then(|sizes| sizes.as_array()).unwrap_or(&[]);
        let wrong = |size: &Attr| size.as_int().is_none_or(|size| size < 0 && size != DYNAMIC);
        if sizes.iter().any(wrong) {
            return Err("expected all padding values need to be non-negative or dynamic".to_owned());
        }
        Ok(())
    }

    fn parse_params_padding(p: &mut text::AsmParser<'_>) -> text::ParseResult<Vec<Attr>> {
        p.expect("<")?;
        let sizes = sizes(p)?;
        p.expect(">")?;
        Ok(vec![sizes])
    }

    fn print_params_padding(p: &mut text::AsmPrinter<'_>, params: &[Attr]) {
        p.write("<");
        print_sizes(p, params.first().copied());
        p.write(">");
    }

    fn parse_params_encoding(p: &mut text::AsmParser<'_>) -> text::ParseResult<Vec<Attr>> {
        let start = p.offset();
        p.expect("<")?;
        let mut params = vec![Attr::absent(); FIELDS.len()];
        if !p.eat(">") {
            loop {
                let name = p.keyword_of(&FIELDS)?;
                p.expect("=")?;
                let value = match name {
                    "op_type" => {
                        Attr::string(p.keyword_of(&["matmul", "scaled_matmul", "conv"])?)
                    }
                    "original_element_type" => Attr::ty(p.ty()?),
                    "iteration_sizes" => sizes(p)?,
                    _ => p.attr()?,
                };
                if let Some(at) = FIELDS.iter().position(|f| *f == name) {
                    params[at] = value;
                }
                if !p.eat(",") {
                    break;
                }
            }
            p.expect(">")?;
        }
        match (0..3).find(|&i| params[i].is_absent()) {
            Some(missing) => {
                let message = format!("struct is missing required parameter: {}", FIELDS[missing]);
                Err(p.error_at(p.span_from(start), message))
            }
            None => Ok(params),
        }
    }

    fn print_params_encoding(p: &mut text::AsmPrinter<'_>, params: &[Attr]) {
        let given = FIELDS.iter().zip(params).filter(|(_, a)| !a.is_absent());
        p.write("<");
        p.comma_list(given, |p, (name, value)| {
            p.write(name);
            p.write(" = ");
            match *name {
                "op_type" => p.enum_keyword(value.as_str().unwrap_or_default()),
                "iteration_sizes" => print_sizes(p, Some(*value)),
                _ => p.attr(*value),
            }
        });
        p.write(">");
    }
}

/// `[4, ?]`: sizes, of which some are not known.
fn sizes(p: &mut text::AsmParser<'_>) -> text::ParseResult<Attr> {
    let sizes =
        p.delimited("[", "]", |p| Ok(Attr::i64(if p.eat("?") { DYNAMIC } else { p.integer()? })))?;
    Ok(Attr::array(&sizes))
}

fn print_sizes(p: &mut text::AsmPrinter<'_>, sizes: Option<Attr>) {
    p.write("[");
    p.comma_list(sizes.and_then(Attr::as_array).unwrap_or(&[]), |p, size| {
        p.dim(size.as_int().unwrap_or(DYNAMIC));
    });
    p.write("]");
}

/// The types of the source and of the result.
fn types(registry: &ir::Registry, body: &ir::Body, op: ir::OpId) -> (Option<Type>, Option<Type>) {
    let source = registry.operand_of(body, op, "source").map(|v| body.ty(v));
    (source, body.results(op).next().map(|r| body.ty(r)))
}

/// Whether an attribute says how a tensor lies in memory. Of attributes that no dialect defines
/// nothing is known.
fn is_layout(registry: &ir::Registry, attr: Attr) -> bool {
    let AttrData::Dialect { name, .. } = attr.data() else { return false };
    registry.attr(name.as_str()).is_none() || is_serializable(registry, attr)
}

/// One end has an encoding and the other does not.
fn verify_ends(
    registry: &ir::Registry,
    op: &str,
    (plain_name, plain): (&str, Option<Type>),
    (encoded_name, encoded): (&str, Option<Type>),
) -> Result<(), String> {
    let known = |encoding: &Attr| match encoding.data() {
        AttrData::Dialect { name, .. } => registry.attr(name.as_str()).is_some(),
        _ => false,
    };
    if plain.is_some_and(|ty| ty.encoding().is_some()) {
        return Err(format!("{plain_name} of {op} op cannot have a tensor encoding"));
    }
    if encoded.is_some_and(|ty| ty.encoding().filter(known).is_none()) {
        return Err(format!("{encoded_name} of {op} op expected to have a valid tensor encoding"));
    }
    Ok(())
}

/// The tensor stays what it is, and the sizes that its encoding leaves open are given.
fn verify_change(
    registry: &ir::Registry,
    body: &ir::Body,
    op: ir::OpId,
    plain: Option<Type>,
    encoded: Option<Type>,
) -> Result<(), String> {
    let (Some(plain), Some(encoded)) = (plain, encoded) else { return Ok(()) };
    let (from, to) = (plain.shape().unwrap_or(&[]), encoded.shape().unwrap_or(&[]));
    if from.len() != to.len() {
        return Err("cannot change the rank of the tensor".to_owned());
    }
    // One side may know a size that the other does not.
    if from.iter().zip(to).any(|(&a, &b)| a != b && a != DYNAMIC && b != DYNAMIC) {
        return Err("expected to preserve the logical shape of the tensor".to_owned());
    }
    if plain.element() != encoded.element() {
        return Err(format!("must keep the element type (`{plain}`, `{encoded}`)"));
    }
    // Of other encodings nobody knows how many sizes they leave open.
    let params = encoded.encoding().and_then(|e| e.dialect_params("iree_encoding.encoding"));
    let Some(params) = params else { return Ok(()) };
    let sizes = params.last().and_then(|sizes| sizes.as_array()).unwrap_or(&[]);
    let open = sizes.iter().filter(|size| size.as_int() == Some(DYNAMIC)).count();
    let given = registry.operands_of(body, op, "encoding_dims").len();
    if open != given {
        return Err(format!(
            "encoding expects {open} dynamic encoding dimension(s), but {given} provided"
        ));
    }
    Ok(())
}
