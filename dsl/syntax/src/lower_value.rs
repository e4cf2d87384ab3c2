//! pest pairs to the owned tree: types and values.

use tegula_diag::Diagnostic;
use tegula_diag::nearest;

use crate::BangOp;
use crate::ast::*;
use crate::lower::{Lower, Node, parts};
use crate::parser::Rule;

/// All items, without room for more: trees are kept, and most lists in them are short.
fn exact<T>(items: impl Iterator<Item = Option<T>>) -> Option<Vec<T>> {
    let mut all: Vec<T> = items.collect::<Option<_>>()?;
    all.shrink_to_fit();
    Some(all)
}

impl Lower<'_> {
    /// A `type` node.
    pub fn ty(&mut self, node: &Node) -> Option<Type> {
        let span = self.span(node);
        let mut all = parts(node);
        let first = all.next()?;
        let kind = match first.as_rule() {
            Rule::kw_bit => TypeKind::Bit,
            Rule::kw_int => TypeKind::Int,
            Rule::kw_string => TypeKind::String,
            Rule::kw_code => TypeKind::Code,
            Rule::kw_dag => TypeKind::Dag,
            Rule::kw_bits => {
                let width = all.next()?;
                match u32::try_from(self.int(&width)) {
                    Ok(width @ 0..=0xffff) => TypeKind::Bits(width),
                    _ => {
                        let message = format!("`{}` is no width of a bits type", width.as_str());
                        self.diagnostics.push(
                            Diagnostic::error("bits-width", message)
                                .at(self.span(&width))
                                .note("a width is a number from 0 to 65535"),
                        );
                        TypeKind::Bits(1)
                    }
                }
            }
            Rule::kw_list => TypeKind::List(Box::new(self.ty(&all.next()?)?)),
            _ => TypeKind::Named(first.as_str().into()),
        };
        Some(Type { kind, span })
    }

    /// A `value` or `name_value` node.
    pub fn value(&mut self, node: Node) -> Option<Expr> {
        let start = self.span(&node);
        let mut all = parts(&node);
        let mut value = self.simple(all.next()?)?;
        while let Some(part) = all.next() {
            let end = self.span(&part);
            let kind = match part.as_rule() {
                Rule::field_access => {
                    let name = self.ident(&parts(&part).next()?);
                    ExprKind::Field(Box::new(value), name)
                }
                Rule::bit_slice => ExprKind::BitSlice(Box::new(value), self.ranges(&part)?),
                Rule::slice => {
                    let comma = part
                        .clone()
                        .into_inner()
                        .any(|inner| inner.as_rule() == Rule::trailing_comma);
                    ExprKind::Slice(Box::new(value), self.ranges(&part)?, comma)
                }
                Rule::paste => {
                    let right = match all.next() {
                        Some(right) => Some(Box::new(self.value(right)?)),
                        None => None,
                    };
                    let end = right.as_ref().map_or(end, |right| right.span);
                    let kind = ExprKind::Paste(Box::new(value), right);
                    return Some(Expr { kind, span: start.to(end) });
                }
                _ => return None,
            };
            let span = tegula_diag::Span { end: end.end, ..start };
            value = Expr { kind, span };
        }
        Some(value)
    }

    fn simple(&mut self, node: Node) -> Option<Expr> {
        let span = self.span(&node);
        let kind = match node.as_rule() {
            Rule::int => match node.as_str().strip_prefix("0b") {
                Some(digits) if digits.len() <= 64 => {
                    ExprKind::Binary(self.int(&node), digits.len() as u32)
                }
                _ => ExprKind::Int(self.int(&node)),
            },
            Rule::strings => {
                let mut text = String::new();
                for part in node.into_inner() {
                    self.string(&part, &mut text);
                }
                ExprKind::Str(text.into())
            }
            Rule::code => {
                let text = node.as_str();
                ExprKind::Code(text.get(2..text.len() - 2).unwrap_or("").into())
            }
            Rule::kw_true => ExprKind::Bool(true),
            Rule::kw_false => ExprKind::Bool(false),
            Rule::unset => ExprKind::Unset,
            Rule::bits => ExprKind::Bits(self.values(&node)?),
            Rule::list => {
                let (mut values, mut ty) = (Vec::new(), None);
                for part in parts(&node) {
                    match part.as_rule() {
                        Rule::list_type => ty = Some(self.ty(&parts(&part).next()?)?),
                        _ => values.push(self.value(part)?),
                    }
                }
                values.shrink_to_fit();
                ExprKind::List(values, ty)
            }
            Rule::dag => {
                let mut all = parts(&node);
                let op = self.dag_arg(&all.next()?)?;
                let args = exact(all.map(|arg| self.dag_arg(&arg)))?;
                ExprKind::Dag(Box::new(DagExpr { op, args }))
            }
            Rule::cond => {
                let mut clauses = Vec::new();
                for clause in parts(&node).filter(|part| part.as_rule() == Rule::clause) {
                    let mut all = parts(&clause);
                    clauses.push((self.value(all.next()?)?, self.value(all.next()?)?));
                }
                ExprKind::Cond(clauses)
            }
            Rule::bang => self.bang(&node)?,
            Rule::name_or_instance => {
                let mut all = parts(&node);
                let name = self.ident(&all.next()?);
                match all.next() {
                    Some(args) => {
                        ExprKind::Instance(ClassRef { name, args: self.args(&args)?, span })
                    }
                    None => ExprKind::Ident(name.name),
                }
            }
            _ => return None,
        };
        Some(Expr { kind, span })
    }

    fn values(&mut self, node: &Node) -> Option<Vec<Expr>> {
        exact(parts(node).map(|value| self.value(value)))
    }

    fn bang(&mut self, node: &Node) -> Option<ExprKind> {
        let mut all = parts(node).peekable();
        let name = all.next()?;
        let op_span = self.span(&name);
        let word = name.as_str().trim_start_matches('!');
        let op = BangOp::find(word).unwrap_or_else(|| {
            let mut diagnostic =
                Diagnostic::error("unknown-operator", format!("unknown operator `!{word}`"))
                    .at(op_span);
            if let Some(near) = nearest(word, BangOp::NAMES.iter().map(|(name, _)| *name)) {
                diagnostic =
                    diagnostic.fix(op_span, format!("!{near}"), format!("write `!{near}`"));
            }
            self.diagnostics.push(diagnostic);
            BangOp::Unknown
        });
        let ty = match all.next_if(|part| part.as_rule() == Rule::r#type) {
            Some(ty) => Some(self.ty(&ty)?),
            None => None,
        };
        let args = exact(all.map(|value| self.value(value)))?;
        Some(ExprKind::Bang(BangExpr { op, op_span, ty, args }))
    }

    fn dag_arg(&mut self, node: &Node) -> Option<DagArg> {
        let (mut value, mut name) = (None, None);
        for part in parts(node) {
            match part.as_rule() {
                Rule::var => {
                    let ident = self.ident(&part);
                    name = Some(Ident { name: ident.name.trim_start_matches('$').into(), ..ident });
                }
                _ => value = Some(self.value(part)?),
            }
        }
        Some(DagArg { value, name, span: self.span(node) })
    }

    /// A `class_ref` node.
    pub fn class_ref(&mut self, node: &Node) -> Option<ClassRef> {
        let mut all = parts(node);
        let name = self.ident(&all.next()?);
        let args = match all.next() {
            Some(args) => self.args(&args)?,
            None => Vec::new(),
        };
        Some(ClassRef { name, args, span: self.span(node) })
    }

    fn args(&mut self, node: &Node) -> Option<Vec<Arg>> {
        exact(parts(node).map(|arg| {
            let mut all = parts(&arg).peekable();
            let name = all.next_if(|part| part.as_rule() == Rule::ident);
            let name = name.map(|name| self.ident(&name));
            Some(Arg { name, value: self.value(all.next()?)? })
        }))
    }

    /// The `range` nodes in a node.
    pub fn ranges(&mut self, node: &Node) -> Option<Vec<Range>> {
        parts(node)
            .filter(|part| part.as_rule() == Rule::range)
            .map(|range| self.range(&range))
            .collect()
    }

    /// A `range` node.
    pub fn range(&mut self, node: &Node) -> Option<Range> {
        let mut first = None;
        let mut last = None;
        for part in parts(node) {
            match part.as_rule() {
                Rule::ellipsis | Rule::minus => {}
                // `0-3` reads as 0 and -3.
                Rule::int => {
                    let value = self.int(&part).wrapping_neg();
                    last = Some(Expr { kind: ExprKind::Int(value), span: self.span(&part) });
                }
                _ if first.is_none() => first = Some(self.value(part)?),
                _ => last = Some(self.value(part)?),
            }
        }
        Some(Range { first: first?, last, span: self.span(node) })
    }

    fn int(&mut self, node: &Node) -> i64 {
        let text = node.as_str();
        let value = if let Some(digits) = text.strip_prefix("0x") {
            u64::from_str_radix(digits, 16).ok().map(u64::cast_signed)
        } else if let Some(digits) = text.strip_prefix("0b") {
            u64::from_str_radix(digits, 2).ok().map(u64::cast_signed)
        } else {
            text.parse().ok()
        };
        value.unwrap_or_else(|| {
            self.diagnostics.push(
                Diagnostic::error("integer-range", "this integer does not fit into 64 bits")
                    .at(self.span(node)),
            );
            0
        })
    }

    fn string(&mut self, node: &Node, out: &mut String) {
        let text = node.as_str();
        let inner = text.get(1..text.len() - 1).unwrap_or("");
        let mut chars = inner.char_indices();
        while let Some((at, char)) = chars.next() {
            if char != '\\' {
                out.push(char);
                continue;
            }
            match chars.next() {
                Some((_, escaped @ ('\\' | '"' | '\''))) => out.push(escaped),
                Some((_, 't')) => out.push('\t'),
                Some((_, 'n')) => out.push('\n'),
                other => {
                    let start = self.span(node).start + 1 + at as u32;
                    let other = other.map_or('\\', |(_, char)| char);
                    let end = start + 1 + other.len_utf8() as u32;
                    self.diagnostics.push(
                        Diagnostic::error(
                            "string-escape",
                            format!("invalid escape in string literal: `\\{other}`"),
                        )
                        .at(tegula_diag::Span::new(self.source, start, end))
                        .note("the escapes are \\\\, \\\", \\', \\n and \\t"),
                    );
                    out.push(other);
                }
            }
        }
    }
}
