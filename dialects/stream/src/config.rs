//! What a device asks of the resources on it.

use tegula_ir::text::{AsmParser, AsmPrinter, ParseResult};
use tegula_ir::{Attr, Body, OpId};

/// The attribute of an op that says it for what is in the op.
const RESOURCES: &str = "stream.resources";

/// The parameters of `#stream.resource_config` in order.
const FIELDS: [&str; 7] = [
    "max_allocation_size",
    "min_buffer_offset_alignment",
    "max_buffer_range",
    "min_buffer_range_alignment",
    "index_bits",
    "alias_mutable_bindings",
    "memory_model",
];
const MODELS: [&str; 2] = ["Unified", "Discrete"];

/// Limits and alignments of resources, in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ResourceConfig {
    /// Offsets of bindings into a buffer are multiples of this.
    pub(crate) offset_alignment: i64,
    /// Lengths of bindings are multiples of this.
    pub(crate) range_alignment: i64,
    /// The width of `index` in device code.
    pub(crate) index_bits: u32,
    /// Bindings that are written may share a buffer binding with others.
    pub(crate) alias_mutable_bindings: bool,
}

impl Default for ResourceConfig {
    /// The host's own memory: cache lines and 64-bit addresses.
    fn default() -> Self {
        ResourceConfig {
            offset_alignment: 64,
            range_alignment: 64,
            index_bits: 64,
            alias_mutable_bindings: false,
        }
    }
}

impl ResourceConfig {
    /// What is asked for at an op: what the nearest op around it says, or the op itself.
    pub(crate) fn at(body: &Body, op: OpId) -> ResourceConfig {
        let mut at = Some(op);
        while let Some(op) = at {
            let said = body.attr(op, RESOURCES);
            if let Some(config) = said.and_then(ResourceConfig::of) {
                return config;
            }
            at = body.parent_op(op);
        }
        ResourceConfig::default()
    }

    fn of(attr: Attr) -> Option<ResourceConfig> {
        let params = attr.dialect_params("stream.resource_config")?;
        let number = |index: usize| params.get(index)?.as_int();
        Some(ResourceConfig {
            offset_alignment: number(1)?.max(1),
            range_alignment: number(3)?.max(1),
            index_bits: u32::try_from(number(4)?).ok()?,
            alias_mutable_bindings: number(5)? != 0,
        })
    }
}

/// `<{index_bits = 32, …}>`, in any order.
pub(crate) fn parse_resources(p: &mut AsmParser<'_>) -> ParseResult<Vec<Attr>> {
    let mut params = [0, 0, 0, 0, 32, 0].map(Attr::i64).to_vec();
    params.push(Attr::string(MODELS[1]));
    p.expect("<")?;
    p.expect("{")?;
    while !p.eat("}") {
        let name = p.keyword_of(&FIELDS)?;
        p.expect("=")?;
        let value = match name {
            "alias_mutable_bindings" if p.at("true") || p.at("false") => {
                Attr::i64(i64::from(p.keyword_of(&["false", "true"])? == "true"))
            }
            "memory_model" => Attr::string(p.keyword_of(&MODELS)?),
            _ => Attr::i64(p.integer()?),
        };
        if let Some(at) = FIELDS.iter().position(|field| *field == name) {
            params[at] = value;
        }
        if !p.eat(",") {
            p.expect("}")?;
            break;
        }
    }
    p.expect(">")?;
    Ok(params)
}

/// What [`parse_resources`] reads.
pub(crate) fn print_resources(p: &mut AsmPrinter<'_>, params: &[Attr]) {
    p.write("<{");
    p.comma_list(FIELDS.iter().zip(params), |p, (name, value)| {
        p.write(name);
        p.write(" = ");
        match value.as_str() {
            Some(model) => p.write(model),
            None => p.attr_no_type(*value),
        }
    });
    p.write("}>");
}
