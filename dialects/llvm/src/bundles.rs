//! Bundles of operands with tags: `["align"(%p, %a : !llvm.ptr, i64)]`.

use tegula_ir::text::{
    OpParser, OpPrinter, OpState, ParseArgs, ParseResult, PrintArgs, UnresolvedOperand,
};
use tegula_ir::{Attr, OpId, Type, ValueId};

/// Bundles as they are read.
#[derive(Default)]
pub(crate) struct Bundles {
    /// The values of all bundles.
    pub(crate) operands: Vec<UnresolvedOperand>,
    /// Their types.
    pub(crate) types: Vec<Type>,
    sizes: Vec<i32>,
    tags: Vec<Attr>,
}

impl Bundles {
    fn sizes(&self) -> Attr {
        Attr::i32_array(&self.sizes)
    }

    fn tags(&self) -> Option<Attr> {
        (!self.tags.is_empty()).then(|| Attr::array(&self.tags))
    }

    /// What an op holds of its bundles beside the values.
    pub(crate) fn add_to(&self, state: &mut OpState) {
        state.attr("op_bundle_sizes", self.sizes());
        state.attr_opt("op_bundle_tags", self.tags());
    }
}

/// Reads bundles, if some come next.
pub(crate) fn parse(p: &mut OpParser<'_>) -> ParseResult<Bundles> {
    let mut bundles = Bundles::default();
    if !p.eat("[") || p.eat("]") {
        return Ok(bundles);
    }
    loop {
        bundles.tags.push(Attr::string(&p.string()?));
        p.expect("(")?;
        let before = bundles.operands.len();
        if !p.eat(")") {
            bundles.operands.extend(p.operand_list()?);
            bundles.types.extend(p.colon_types()?);
            p.expect(")")?;
        }
        bundles.sizes.push((bundles.operands.len() - before) as i32);
        if !p.eat(",") {
            break;
        }
    }
    p.expect("]")?;
    Ok(bundles)
}

/// Prints bundles.
fn print(p: &mut OpPrinter<'_>, mut values: &[ValueId], sizes: Option<Attr>, tags: Option<Attr>) {
    let sizes = sizes.and_then(Attr::as_dense_array).unwrap_or(&[]);
    let tags = tags.and_then(Attr::as_array).unwrap_or(&[]);
    p.write("[");
    for (at, (&size, tag)) in sizes.iter().zip(tags).enumerate() {
        p.write(if at > 0 { ", " } else { "" });
        p.string(tag.as_str().unwrap_or_default().as_bytes());
        p.write("(");
        let (these, others) = values.split_at((size as usize).min(values.len()));
        values = others;
        p.operands(these.iter().copied());
        p.colon_types_of(these.iter().copied());
        p.write(")");
    }
    p.write("]");
}

/// Prints the bundles of an op, if it has some.
pub(crate) fn print_of(p: &mut OpPrinter<'_>, op: OpId) {
    let body = p.body();
    let tags = body.attr(op, "op_bundle_tags");
    if tags.and_then(Attr::as_array).is_none_or(|tags| tags.is_empty()) {
        return;
    }
    let values = p.registry().operands_of(body, op, "op_bundle_operands");
    p.write(" ");
    print(p, &values, body.attr(op, "op_bundle_sizes"), tags);
}

/// `custom<OpBundles>($operands, type($operands), $sizes, $tags)`
pub(crate) fn parse_directive(p: &mut OpParser<'_>, args: &mut ParseArgs<'_>) -> ParseResult<bool> {
    if !p.at("[") {
        return Ok(false);
    }
    let bundles = parse(p)?;
    *args.attr(p, 2)? = Some(bundles.sizes());
    *args.attr(p, 3)? = bundles.tags();
    *args.operands(p, 0)? = bundles.operands;
    *args.types(p, 1)? = bundles.types;
    Ok(true)
}

/// Prints `custom<OpBundles>`.
pub(crate) fn print_directive(p: &mut OpPrinter<'_>, _: OpId, args: &PrintArgs) {
    print(p, args.operands(0), args.attr(2), args.attr(3));
}

/// Each bundle has a tag, and together they have the op's last operands.
pub(crate) fn verify(
    registry: &tegula_ir::Registry,
    body: &tegula_ir::Body,
    op: OpId,
) -> Result<(), String> {
    let sizes = body.attr(op, "op_bundle_sizes").and_then(Attr::as_dense_array).unwrap_or(&[]);
    let tags = body.attr(op, "op_bundle_tags").and_then(Attr::as_array).unwrap_or(&[]);
    if sizes.len() != tags.len() {
        return Err(format!("has {} bundles, but {} tags", sizes.len(), tags.len()));
    }
    let given = registry.operands_of(body, op, "op_bundle_operands").len();
    let total: i64 = sizes.iter().sum();
    if sizes.iter().any(|&size| size < 0) || total != given as i64 {
        return Err(format!("has {given} operands in bundles of {total}"));
    }
    match tags.iter().find(|tag| tag.as_str().is_none()) {
        Some(tag) => Err(format!("a tag is a string, not {tag}")),
        None => Ok(()),
    }
}
