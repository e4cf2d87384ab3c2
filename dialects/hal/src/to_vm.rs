//! What the conversion to `vm` asks of attributes and of executables.

use tegula_ir::verify::resolve_symbol;
use tegula_ir::{Attr, Body, Registry};
use tegula_rewrite::Bound;

/// What there is of the code that an op loads: a name for it, its bytes, its format, and, where it
/// is known, the kind of file.
pub(crate) fn binary(registry: &Registry, body: &Body, args: &[Bound]) -> Option<Bound> {
    let create = args.first()?.op()?;
    let target = body.attr(create, "executable_target")?;
    let binary = resolve_symbol(registry, body, create, target)?;
    if !body.is(binary, "hal.executable.binary") {
        return None;
    }
    let executable = body.symbol_name(body.parent_op(binary)?)?;
    let plain = |c: char| if c.is_ascii_alphanumeric() { c } else { '_' };
    let name = format!("{executable}_{}", body.symbol_name(binary)?);
    let name: String = name.chars().map(plain).collect();
    let attr = |name| body.attr(binary, name);
    let known = [Some(Attr::string(&name)), Some(attr("data")?), Some(attr("format")?)];
    let parts: Vec<Attr> = known.into_iter().chain([attr("mime_type")]).flatten().collect();
    Some(Bound::Attr(Attr::array(&parts)))
}

/// The runtime's number for a collective operation: the kind in the lowest byte, how values are
/// combined and of which type they are in those above.
pub(crate) fn collective_number(registry: &Registry, _: &Body, args: &[Bound]) -> Option<Bound> {
    const ENUMS: [&str; 3] = ["CollectiveKind", "CollectiveReductionOp", "CollectiveElementType"];
    let params = args.first()?.attr()?.dialect_params("hal.collective")?;
    let mut number = 0;
    for (byte, (name, param)) in ENUMS.into_iter().zip(params).enumerate() {
        if let Some(keyword) = param.as_str() {
            let def = registry.enumeration(name)?;
            let value = def.cases.iter().find(|case| case.keyword == keyword)?.value;
            number |= value << (8 * byte);
        }
    }
    Some(Bound::Attr(Attr::i32(i32::try_from(number).ok()?)))
}
