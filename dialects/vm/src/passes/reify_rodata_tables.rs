//! `iree-vm-reify-rodata-tables`: a table of data becomes the data, one after the other, and where
//! each lies and how long it is.

use tegula_ir::{Attr, AttrData, Body, DenseData, InsertPoint, NewOp, OpId, Type};
use tegula_pass::{Changed, PassCx, PassResult};
use tegula_rewrite::Rewriter;

pub(crate) fn run(cx: &mut PassCx<'_>, body: &mut Body, module: OpId) -> PassResult {
    let is_table = |&op: &OpId| body.is(op, "vm.rodata.table.inline");
    let tables: Vec<OpId> = body.walk(module).filter(is_table).collect();
    for &table in &tables {
        if reify(&mut cx.rewriter(body), table).is_none() {
            let message = "how many bytes the data of a table takes is not known";
            return Err(cx.error(body, table, "rodata-size", message));
        }
    }
    Ok(Changed::when(!tables.is_empty()))
}

fn reify(rw: &mut Rewriter<'_>, table: OpId) -> Option<()> {
    let attr = |name| rw.body.attr(table, name);
    let alignment = attr("data_alignment").and_then(Attr::as_int).unwrap_or(1);
    let alignment = u64::try_from(alignment).ok().filter(|&alignment| alignment > 0)?;
    let (mut places, mut data, mut at) = (Vec::new(), Vec::new(), 0u64);
    for &value in attr("data_array")?.as_array()? {
        let size = size(value)?;
        data.push(value);
        let padding = size.next_multiple_of(alignment) - size;
        if padding > 0 {
            let zeros = Type::vector(&[i64::try_from(padding).ok()?], Type::int(8));
            data.push(dense(zeros, vec![0], true));
        }
        places.extend([at, size]);
        at += size + padding;
    }
    let number = attr("table_type")?.as_type()?;
    let places = numbers(&places, number)?;
    let data =
        Attr::dialect("util.composite", &[Attr::i64(i64::try_from(at).ok()?), Attr::array(&data)]);
    let loc = rw.body.loc(table);
    let made: Vec<_> = [("table_name", places), ("data_name", data)]
        .into_iter()
        .enumerate()
        .map(|(index, (name, value))| {
            let new = NewOp::new("vm.rodata.inline")
                .attr_opt("name", rw.body.attr(table, name))
                .attr("value", value)
                .attr_opt("alignment", rw.body.attr(table, "alignment"))
                .attr_opt("mime_type", rw.body.attr(table, "mime_type"))
                .result(rw.body.ty(rw.body.result(table, index)));
            rw.insert_value(InsertPoint::Before(table), new.loc(loc))
        })
        .collect();
    rw.replace(table, &made);
    Some(())
}

/// The bytes that data takes.
fn size(value: Attr) -> Option<u64> {
    match value.data() {
        AttrData::Dense { ty, .. } => {
            let elements = u64::try_from(ty.num_elements()?).ok()?;
            let width = u64::from(ty.element()?.bit_width()?);
            Some((elements * width).div_ceil(8))
        }
        AttrData::Dialect { params, .. } if value.dialect_params("util.composite").is_some() => {
            u64::try_from(params.first()?.as_int()?).ok()
        }
        _ => Some(value.as_str()?.len() as u64),
    }
}

/// Numbers as a vector of a type.
fn numbers(numbers: &[u64], ty: Type) -> Option<Attr> {
    let size = usize::try_from(ty.bit_width()?).ok()? / 8;
    let mut bytes = Vec::new();
    for number in numbers {
        let all = number.to_le_bytes();
        let (kept, rest) = all.split_at_checked(size)?;
        rest.iter().all(|&byte| byte == 0).then(|| bytes.extend(kept))?;
    }
    let ty = Type::vector(&[i64::try_from(numbers.len()).ok()?], ty);
    let same = numbers.windows(2).all(|pair| pair[0] == pair[1]);
    let one = bytes.get(..size).map(<[u8]>::to_vec);
    Some(match one.filter(|_| same) {
        Some(one) => dense(ty, one, true),
        None => dense(ty, bytes, false),
    })
}

fn dense(ty: Type, bytes: Vec<u8>, splat: bool) -> Attr {
    let data = match splat {
        true => DenseData::Splat(bytes.into()),
        false => DenseData::Bytes(bytes.into()),
    };
    Attr::new(AttrData::Dense { ty, data })
}
