//! The Rust that the definitions of this dialect name.

use tegula_ir as ir;
use tegula_ir::text;
use tegula_ir::{Attr, DYNAMIC, Type};

use crate::generated::Hooks;

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
        verify_encoding(plain, encoded)
    }

    fn verify_unset_encoding(
        registry: &ir::Registry,
        body: &ir::Body,
        op: ir::OpId,
    ) -> Result<(), String> {
        let (encoded, plain) = types(registry, body, op);
        verify_encoding(plain, encoded)
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
                    "iteration_sizes" => Attr::array(&p.delimited("[", "]", |p| {
                        Ok(Attr::i64(if p.eat("?") { DYNAMIC } else { p.integer()? }))
                    })?),
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
                let message = format!("parameter `{}` is missing", FIELDS[missing]);
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
                "iteration_sizes" => {
                    p.write("[");
                    p.comma_list(value.as_array().unwrap_or(&[]), |p, size| {
                        p.dim(size.as_int().unwrap_or(DYNAMIC));
                    });
                    p.write("]");
                }
                _ => p.attr(*value),
            }
        });
        p.write(">");
    }
}

/// The types of the source and of the result.
fn types(registry: &ir::Registry, body: &ir::Body, op: ir::OpId) -> (Option<Type>, Option<Type>) {
    let source = registry.operand_of(body, op, "source").map(|v| body.ty(v));
    (source, body.results(op).next().map(|r| body.ty(r)))
}

fn verify_encoding(plain: Option<Type>, encoded: Option<Type>) -> Result<(), String> {
    let (Some(plain), Some(encoded)) = (plain, encoded) else { return Ok(()) };
    if plain.encoding().is_some() || encoded.encoding().is_none() {
        return Err("goes between a tensor without and one with an encoding".to_owned());
    }
    if plain.shape() != encoded.shape() || plain.element() != encoded.element() {
        return Err(format!("must keep shape and element type (`{plain}`, `{encoded}`)"));
    }
    Ok(())
}
