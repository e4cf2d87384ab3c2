//! Parts of structs and arrays, and shuffled vectors.

use tegula_ir::text::{OpParser, OpPrinter, ParseArgs, ParseResult, PrintArgs, print_type};
use tegula_ir::{Attr, Body, OpId, Registry, Type, TypeData, ValueId};

/// The type of the part of an aggregate that positions lead to.
fn part(registry: &Registry, container: Type, positions: &[i64]) -> Result<Type, String> {
    let text = |ty: Type| print_type(registry, ty);
    positions.iter().try_fold(container, |ty, &position| {
        let index = usize::try_from(position).ok();
        if let Some([_, body, ..]) = ty.dialect_params("llvm.struct") {
            let fields =
                body.as_array().ok_or_else(|| format!("`{}` has no known parts", text(ty)))?;
            let field = index.and_then(|index| fields.get(index)).and_then(|ty| ty.as_type());
            return field.ok_or_else(|| format!("`{}` has no part {position}", text(ty)));
        }
        if let Some([element, count]) = ty.dialect_params("llvm.array") {
            let inside = position >= 0 && count.as_int().is_some_and(|count| position < count);
            let element = element.as_type().filter(|_| inside);
            return element.ok_or_else(|| format!("`{}` has no part {position}", text(ty)));
        }
        Err(format!("`{}` has no parts", text(ty)))
    })
}

/// `custom<PartType>(type($part), ref(type($container)), ref($position))`: the type follows, and
/// nothing is written.
pub(crate) fn parse_part_type(p: &mut OpParser<'_>, args: &mut ParseArgs<'_>) -> ParseResult<bool> {
    let container = args.types(p, 1)?.first().copied();
    let positions = args.attr(p, 2)?.and_then(Attr::as_dense_array).unwrap_or(&[]);
    let container = container.ok_or_else(|| p.error("expected a struct or an array"))?;
    let ty = part(p.registry(), container, positions).map_err(|message| p.error(message))?;
    *args.types(p, 0)? = vec![ty];
    Ok(true)
}

/// Prints `custom<PartType>`.
pub(crate) fn print_part_type(_: &mut OpPrinter<'_>, _: OpId, _: &PrintArgs) {}

fn verify_part(
    registry: &Registry,
    body: &Body,
    op: OpId,
    container: ValueId,
    value: ValueId,
) -> Result<(), String> {
    let positions = body.attr(op, "position").and_then(Attr::as_dense_array).unwrap_or(&[]);
    let (wanted, given) = (part(registry, body.ty(container), positions)?, body.ty(value));
    if wanted != given {
        let [wanted, given] = [wanted, given].map(|ty| print_type(registry, ty));
        return Err(format!("the part is of type '{wanted}', not '{given}'"));
    }
    Ok(())
}

/// What comes out has the type of the part.
pub(crate) fn verify_extract(registry: &Registry, body: &Body, op: OpId) -> Result<(), String> {
    verify_part(registry, body, op, body.operand(op, 0), body.result(op, 0))
}

/// What goes in has the type of the part.
pub(crate) fn verify_insert(registry: &Registry, body: &Body, op: OpId) -> Result<(), String> {
    verify_part(registry, body, op, body.operand(op, 0), body.operand(op, 1))
}

/// The type of a shuffled vector.
fn shuffled(ty: Type, mask: &[i64]) -> Option<Type> {
    let TypeData::Vector { scalable, element, .. } = ty.data() else { return None };
    let shape = [mask.len() as i64].into();
    Some(Type::new(TypeData::Vector { shape, scalable: scalable.clone(), element: *element }))
}

/// `custom<ShuffleType>(ref(type($v1)), type($res), ref($mask))`: the type follows likewise.
pub(crate) fn parse_shuffle_type(
    p: &mut OpParser<'_>,
    args: &mut ParseArgs<'_>,
) -> ParseResult<bool> {
    let vector = args.types(p, 0)?.first().copied();
    let mask = args.attr(p, 2)?.and_then(Attr::as_dense_array).unwrap_or(&[]);
    let ty = vector.and_then(|ty| shuffled(ty, mask));
    *args.types(p, 1)? = vec![ty.ok_or_else(|| p.error("expected a vector"))?];
    Ok(true)
}

/// Prints `custom<ShuffleType>`.
pub(crate) fn print_shuffle_type(_: &mut OpPrinter<'_>, _: OpId, _: &PrintArgs) {}

/// The mask says how many elements come out.
pub(crate) fn verify_shuffle(registry: &Registry, body: &Body, op: OpId) -> Result<(), String> {
    let mask = body.attr(op, "mask").and_then(Attr::as_dense_array).unwrap_or(&[]);
    let ty = body.ty(body.operand(op, 0));
    let given = body.ty(body.result(op, 0));
    match shuffled(ty, mask) {
        Some(wanted) if wanted != given => {
            let [wanted, given] = [wanted, given].map(|ty| print_type(registry, ty));
            Err(format!("the mask makes '{wanted}', not '{given}'"))
        }
        _ => Ok(()),
    }
}
