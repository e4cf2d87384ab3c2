//! The text of ops that move several parameters at once, a line for each.

use tegula_dialect_util::asm;
use tegula_ir::text::{OpParser, OpPrinter, ParseArgs, ParseResult, PrintArgs, UnresolvedOperand};
use tegula_ir::{OpId, Type};

/// Lines that each move a part of a parameter. All of them name the same scope and the same
/// resource; what differs is kept.
#[derive(Default)]
struct Lines {
    scope: Option<UnresolvedOperand>,
    keys: Vec<UnresolvedOperand>,
    offsets: Vec<UnresolvedOperand>,
    resource: Option<(UnresolvedOperand, Type, UnresolvedOperand)>,
    starts: Vec<UnresolvedOperand>,
    ends: Vec<UnresolvedOperand>,
    lengths: Vec<UnresolvedOperand>,
}

impl Lines {
    /// `scope::key[offset]`
    fn parameter(&mut self, p: &mut OpParser<'_>) -> ParseResult<()> {
        let at = p.span();
        let (scope, key) = asm::parse_reference(p)?;
        let name = |scope: Option<UnresolvedOperand>| scope.map(|s| p.operand_name(s));
        if !self.keys.is_empty() && name(scope) != name(self.scope) {
            return Err(p.error_at(at, "each operation must use the same scope"));
        }
        self.scope = scope;
        self.keys.push(key);
        p.expect("[")?;
        self.offsets.push(p.operand()?);
        p.expect("]")
    }

    /// `resource[start to end for length] : type{size}`; `to end` only where ranges have it.
    fn range(&mut self, p: &mut OpParser<'_>, ended: bool) -> ParseResult<()> {
        let at = p.span();
        let resource = p.operand()?;
        p.expect("[")?;
        self.starts.push(p.operand()?);
        if ended {
            p.expect("to")?;
            self.ends.push(p.operand()?);
        }
        p.expect("for")?;
        self.lengths.push(p.operand()?);
        p.expect("]")?;
        let ty = p.colon_type()?;
        p.expect("{")?;
        let size = p.operand()?;
        p.expect("}")?;
        if let Some((first, first_type, first_size)) = self.resource {
            let same = |a, b| p.operand_name(a) == p.operand_name(b);
            if !same(first, resource) || first_type != ty || !same(first_size, size) {
                return Err(p.error_at(at, "each operation must use the same resource"));
            }
        }
        self.resource = Some((resource, ty, size));
        Ok(())
    }

    /// Fills in `($scope, $keys, $offsets, $resource, type($resource), $size, $starts, $lengths)`,
    /// and `$ends` where ranges have them.
    fn store(self, p: &OpParser<'_>, args: &mut ParseArgs<'_>) -> ParseResult<bool> {
        *args.operands(p, 0)? = self.scope.into_iter().collect();
        *args.operands(p, 1)? = self.keys;
        *args.operands(p, 2)? = self.offsets;
        if let Some((resource, ty, size)) = self.resource {
            *args.operands(p, 3)? = vec![resource];
            *args.types(p, 4)? = vec![ty];
            *args.operands(p, 5)? = vec![size];
        }
        *args.operands(p, 6)? = self.starts;
        *args.operands(p, 7)? = self.lengths;
        if args.len() > 8 {
            *args.operands(p, 8)? = self.ends;
        }
        Ok(true)
    }
}

/// `custom<ParameterGatherOperations>(…)`: lines `scope::key[offset] -> range`.
pub(crate) fn parse_gather(p: &mut OpParser<'_>, args: &mut ParseArgs<'_>) -> ParseResult<bool> {
    let ended = args.len() > 8;
    let mut lines = Lines::default();
    loop {
        lines.parameter(p)?;
        p.expect("->")?;
        lines.range(p, ended)?;
        if !p.eat(",") {
            return lines.store(p, args);
        }
    }
}

/// `custom<ParameterScatterOperations>(…)`: lines `range -> scope::key[offset]`.
pub(crate) fn parse_scatter(p: &mut OpParser<'_>, args: &mut ParseArgs<'_>) -> ParseResult<bool> {
    let ended = args.len() > 8;
    let mut lines = Lines::default();
    loop {
        lines.range(p, ended)?;
        p.expect("->")?;
        lines.parameter(p)?;
        if !p.eat(",") {
            return lines.store(p, args);
        }
    }
}

fn print_parameter(p: &mut OpPrinter<'_>, args: &PrintArgs, line: usize) {
    if let (Some(&key), Some(&offset)) = (args.operands(1).get(line), args.operands(2).get(line)) {
        asm::print_reference(p, args.operands(0).first(), key);
        p.write("[");
        p.operand(offset);
        p.write("]");
    }
}

fn print_range(p: &mut OpPrinter<'_>, args: &PrintArgs, line: usize) {
    let at = |group: usize, index: usize| args.operands(group).get(index).copied();
    let (Some(resource), Some(&ty), Some(size)) = (at(3, 0), args.types(4).first(), at(5, 0))
    else {
        return;
    };
    let (Some(start), Some(length)) = (at(6, line), at(7, line)) else { return };
    p.operand(resource);
    p.write("[");
    p.operand(start);
    if let Some(end) = at(8, line) {
        p.write(" to ");
        p.operand(end);
    }
    p.write(" for ");
    p.operand(length);
    p.write("] : ");
    p.ty(ty);
    p.write("{");
    p.operand(size);
    p.write("}");
}

/// Prints one line a key, between line breaks.
fn print_lines(p: &mut OpPrinter<'_>, lines: usize, each: impl Fn(&mut OpPrinter<'_>, usize)) {
    p.indented(|p| {
        for line in 0..lines {
            p.write(if line > 0 { "," } else { "" });
            p.newline();
            each(p, line);
        }
    });
    p.newline();
}

pub(crate) fn print_gather(p: &mut OpPrinter<'_>, _: OpId, args: &PrintArgs) {
    print_lines(p, args.operands(1).len(), |p, line| {
        print_parameter(p, args, line);
        p.write(" -> ");
        print_range(p, args, line);
    });
}

pub(crate) fn print_scatter(p: &mut OpPrinter<'_>, _: OpId, args: &PrintArgs) {
    print_lines(p, args.operands(1).len(), |p, line| {
        print_range(p, args, line);
        p.write(" -> ");
        print_parameter(p, args, line);
    });
}

/// `custom<ParameterLoadOperations>($scope, $keys, $offsets, type($results), $sizes)`: lines
/// `scope::key[offset] : type{size}`.
pub(crate) fn parse_load(p: &mut OpParser<'_>, args: &mut ParseArgs<'_>) -> ParseResult<bool> {
    let mut lines = Lines::default();
    let (mut types, mut sizes) = (Vec::new(), Vec::new());
    loop {
        lines.parameter(p)?;
        types.push(p.colon_type()?);
        p.expect("{")?;
        sizes.push(p.operand()?);
        p.expect("}")?;
        if !p.eat(",") {
            break;
        }
    }
    *args.operands(p, 0)? = lines.scope.into_iter().collect();
    *args.operands(p, 1)? = lines.keys;
    *args.operands(p, 2)? = lines.offsets;
    *args.types(p, 3)? = types;
    *args.operands(p, 4)? = sizes;
    Ok(true)
}

pub(crate) fn print_load(p: &mut OpPrinter<'_>, _: OpId, args: &PrintArgs) {
    print_lines(p, args.operands(1).len(), |p, line| {
        print_parameter(p, args, line);
        let (ty, size) = (args.types(3).get(line), args.operands(4).get(line));
        if let (Some(&ty), Some(&size)) = (ty, size) {
            p.write(" : ");
            p.ty(ty);
            p.write("{");
            p.operand(size);
            p.write("}");
        }
    });
}
