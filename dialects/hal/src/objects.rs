//! The text of objects: files of device code, and what they are for.

use tegula_ir::text::{
    AsmParser, AsmPrinter, OpParser, OpPrinter, ParseArgs, ParseResult, PrintArgs, RegionArg,
};
use tegula_ir::{Attr, OpId, RegionId, Type};

/// Reads `<{path = "file", data = …}>`.
pub(crate) fn parse_object(p: &mut AsmParser<'_>) -> ParseResult<Vec<Attr>> {
    p.expect("<")?;
    let at = p.span();
    let entries = p.dict_entries()?;
    p.expect(">")?;
    let get = |key: &str| entries.iter().find(|(k, _)| k.as_str() == key).map(|(_, value)| *value);
    let Some(path) = get("path").filter(|path| path.as_str().is_some()) else {
        return Err(p.error_at(at, "an object has a path"));
    };
    if let Some((other, _)) = entries.iter().find(|(k, _)| !["path", "data"].contains(&k.as_str()))
    {
        return Err(p.error_at(at, format!("an object has no `{}`", other.as_str())));
    }
    Ok(vec![path, get("data").unwrap_or(Attr::absent())])
}

/// Prints what [`parse_object`] reads.
pub(crate) fn print_object(p: &mut AsmPrinter<'_>, params: &[Attr]) {
    let &[path, data] = params else { return };
    p.write("<{path = ");
    p.attr(path);
    if data != Attr::absent() {
        p.write(", data = ");
        p.attr(data);
    }
    p.write("}>");
}

/// Reads `<{#target = [#object, …], …}>`.
pub(crate) fn parse_objects(p: &mut AsmParser<'_>) -> ParseResult<Vec<Attr>> {
    p.expect("<")?;
    let entries = p.delimited("{", "}", |p| {
        let target = p.attr_named("hal.executable.target")?;
        p.expect("=")?;
        let objects = p.delimited("[", "]", |p| p.attr_named("hal.executable.object"))?;
        Ok((target, Attr::array(&objects)))
    })?;
    p.expect(">")?;
    let (targets, objects): (Vec<Attr>, Vec<Attr>) = entries.into_iter().unzip();
    Ok(vec![Attr::array(&targets), Attr::array(&objects)])
}

/// Prints what [`parse_objects`] reads.
pub(crate) fn print_objects(p: &mut AsmPrinter<'_>, params: &[Attr]) {
    let list = |attr: Option<&Attr>| attr.and_then(|a| a.as_array()).unwrap_or(&[]);
    p.write("<{");
    let entries = list(params.first()).iter().zip(list(params.get(1)));
    for (index, (&target, &objects)) in entries.enumerate() {
        p.write(if index > 0 { ", " } else { "" });
        p.attr(target);
        p.write(" = ");
        p.attr(objects);
    }
    p.write("}>");
}

/// There are objects for each target.
pub(crate) fn verify_objects(params: &[Attr]) -> Result<(), String> {
    let list = |at: usize| params.get(at).and_then(|a| a.as_array()).unwrap_or(&[]);
    let (targets, objects) = (list(0), list(1));
    if targets.len() != objects.len() {
        return Err(format!(
            "has {} targets, but {} lists of objects",
            targets.len(),
            objects.len()
        ));
    }
    let is = |attr: &Attr, name: &str| attr.dialect_params(name).is_some();
    if !targets.iter().all(|target| is(target, "hal.executable.target")) {
        return Err("takes targets of executables only".to_owned());
    }
    let listed = |list: &Attr| {
        list.as_array().is_some_and(|l| l.iter().all(|o| is(o, "hal.executable.object")))
    };
    if !objects.iter().all(listed) {
        return Err("takes lists of objects only".to_owned());
    }
    Ok(())
}

/// The arguments and the body of a region that gives an `i1`.
pub(crate) fn parse_condition(p: &mut OpParser<'_>) -> ParseResult<(Vec<RegionArg>, RegionId)> {
    let arguments = p.arguments_with_types()?;
    p.expect("->")?;
    let at = p.span();
    if p.ty()? != Type::int(1) {
        return Err(p.error_at(at, "the region must give an i1"));
    }
    let region = p.region(&arguments)?;
    Ok((arguments, region))
}

fn print_condition(p: &mut OpPrinter<'_>, region: RegionId) {
    let Some(entry) = p.body().first_block(region) else { return };
    p.write("(");
    for (index, &arg) in p.body().block_args(entry).iter().enumerate() {
        p.write(if index > 0 { ", " } else { "" });
        p.argument(arg);
    }
    p.write(") -> i1 ");
    p.region_with(region, false, true, false);
}

/// Reads `#target if(%device: !hal.device) -> i1 {…} ordinal(0) = [#object, …], …`.
pub(crate) fn parse_targets(p: &mut OpParser<'_>, args: &mut ParseArgs<'_>) -> ParseResult<bool> {
    let (mut targets, mut ordinals) = (Vec::new(), Vec::new());
    let (mut objects, mut regions) = (Vec::new(), Vec::new());
    loop {
        targets.push(p.attr_named("hal.executable.target")?);
        let region = if p.eat("if") { parse_condition(p)?.1 } else { p.empty_region() };
        regions.push(region);
        p.expect("ordinal")?;
        p.expect("(")?;
        ordinals.push(Attr::index(p.integer()?));
        p.expect(")")?;
        p.expect("=")?;
        let list = p.delimited("[", "]", |p| p.attr_named("hal.executable.object"))?;
        objects.push(Attr::array(&list));
        if !p.eat(",") {
            break;
        }
    }
    *args.attr(p, 0)? = Some(Attr::array(&targets));
    *args.attr(p, 1)? = Some(Attr::array(&ordinals));
    *args.attr(p, 2)? = Some(Attr::array(&objects));
    *args.regions(p, 3)? = regions;
    Ok(true)
}

/// Prints what [`parse_targets`] reads, each target on a line of its own.
pub(crate) fn print_targets(p: &mut OpPrinter<'_>, args: &PrintArgs) {
    let list = |at: usize| args.attr(at).and_then(Attr::as_array).unwrap_or(&[]);
    let entries = list(0).iter().zip(list(1)).zip(list(2)).zip(args.regions(3));
    p.indented(|p| {
        for (index, (((&target, ordinal), &objects), &region)) in entries.enumerate() {
            p.write(if index > 0 { "," } else { "" });
            p.newline();
            p.attr(target);
            if p.body().first_block(region).is_some() {
                p.write(" if");
                print_condition(p, region);
            }
            p.write(" ordinal(");
            p.display(ordinal.as_int().unwrap_or_default());
            p.write(") = ");
            p.attr(objects);
        }
    });
    p.newline();
}

/// Prints the condition that an op is.
pub(crate) fn print_condition_op(p: &mut OpPrinter<'_>, op: OpId) {
    if let Some(region) = p.body().region(op, 0) {
        print_condition(p, region);
    }
}
