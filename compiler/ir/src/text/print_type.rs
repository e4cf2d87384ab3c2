//! Types and affine maps to text.

use std::fmt;

use tegula_schema::Signedness;

use super::asm_printer::{AsmPrinter, Elide, PrintOptions};
use super::collect::Subject;
use super::names::push_number;
use crate::{
    AffineExpr, AffineExprData, AffineMap, AffineOp, IntegerSet, Registry, Type, TypeData,
};

impl AsmPrinter<'_> {
    /// Prints a type, by its alias when it has one.
    pub fn ty(&mut self, ty: Type) {
        if self.collector.is_some() {
            self.collect_type(ty);
        } else if let Some(name) = self.aliases.ty(ty) {
            self.out.push_str(&name);
        } else {
            self.watched(Subject::Type(ty), |p| p.type_body(ty));
        }
    }

    /// Prints types with commas between them.
    pub fn types(&mut self, types: impl IntoIterator<Item = Type>) {
        self.comma_list(types, Self::ty);
    }

    /// Prints a dialect type without `!dialect.name` where it has parameters, by its alias when it
    /// has one, and any other type in full.
    pub fn ty_stripped(&mut self, ty: Type) {
        let stripped = match ty.data() {
            TypeData::Dialect { name, params } if !params.is_empty() => Some((*name, params)),
            _ => None,
        };
        match stripped {
            Some((name, params)) if self.collector.is_none() && self.aliases.ty(ty).is_none() => {
                self.watched(Subject::Type(ty), |p| p.type_params(name, params));
            }
            _ => self.ty(ty),
        }
    }

    /// Prints `(inputs) -> results`.
    pub fn functional_type(
        &mut self,
        inputs: impl IntoIterator<Item = Type>,
        results: impl IntoIterator<Item = Type>,
    ) {
        self.write("(");
        self.types(inputs);
        self.write(") -> ");
        self.result_types(results);
    }

    /// Prints the results of a function type: in parentheses unless it is one that is no function.
    pub fn result_types(&mut self, results: impl IntoIterator<Item = Type>) {
        let mut results = results.into_iter();
        match (results.next(), results.next()) {
            (Some(one), None) if !matches!(one.data(), TypeData::Function { .. }) => self.ty(one),
            (first, second) => {
                self.write("(");
                self.types(first.into_iter().chain(second).chain(results));
                self.write(")");
            }
        }
    }

    pub(crate) fn type_body(&mut self, ty: Type) {
        match ty.data() {
            TypeData::Integer { width, sign } => {
                self.write(match sign {
                    Signedness::Signless => "i",
                    Signedness::Signed => "si",
                    Signedness::Unsigned => "ui",
                });
                push_number((*width).into(), &mut self.out);
            }
            TypeData::Float(kind) => self.write(kind.keyword()),
            TypeData::Index => self.write("index"),
            TypeData::None => self.write("none"),
            TypeData::Token => self.write("token"),
            TypeData::Function { inputs, results } => {
                self.functional_type(inputs.iter().copied(), results.iter().copied());
            }
            TypeData::RankedTensor { shape, element, encoding } => {
                self.write("tensor<");
                self.shape(shape);
                self.ty(*element);
                if let Some(encoding) = encoding {
                    self.write(", ");
                    self.attr(*encoding);
                }
                self.write(">");
            }
            TypeData::UnrankedTensor { element } => {
                self.write("tensor<*x");
                self.ty(*element);
                self.write(">");
            }
            TypeData::MemRef { shape, element, layout, space } => {
                self.write("memref<");
                self.shape(shape);
                self.ty(*element);
                for attr in layout.iter().chain(space) {
                    self.write(", ");
                    self.attr_eliding(*attr, Elide::Default);
                }
                self.write(">");
            }
            TypeData::UnrankedMemRef { element, space } => {
                self.write("memref<*x");
                self.ty(*element);
                if let Some(space) = space {
                    self.write(", ");
                    self.attr_eliding(*space, Elide::Default);
                }
                self.write(">");
            }
            TypeData::Vector { shape, scalable, element } => {
                self.write("vector<");
                for (dim, scalable) in shape.iter().zip(scalable) {
                    if *scalable {
                        self.display(format_args!("[{dim}]x"));
                    } else {
                        self.display(format_args!("{dim}x"));
                    }
                }
                self.ty(*element);
                self.write(">");
            }
            TypeData::Tuple(types) => {
                self.write("tuple<");
                self.types(types.iter().copied());
                self.write(">");
            }
            TypeData::Complex(element) => {
                self.write("complex<");
                self.ty(*element);
                self.write(">");
            }
            TypeData::Dialect { name, params } => {
                self.write("!");
                self.write(name.as_str());
                self.type_params(*name, params);
            }
            TypeData::Opaque { dialect, text } => {
                self.write("!");
                self.write(dialect.as_str());
                // What is in brackets has no name.
                if !text.starts_with('<') {
                    self.write(".");
                }
                self.write(text);
            }
        }
    }

    fn shape(&mut self, shape: &[i64]) {
        for &dim in shape {
            self.dim(dim);
            self.out.push('x');
        }
    }

    // ---- affine

    /// Prints `affine_map<…>` without the word and the brackets.
    pub fn affine_map(&mut self, map: AffineMap) {
        self.affine_header(map.dims(), map.data().symbols);
        self.write(" -> (");
        self.comma_list(map.results(), |p, &expr| p.affine_expr(expr));
        self.write(")");
    }

    pub(crate) fn integer_set(&mut self, set: IntegerSet) {
        self.affine_header(set.data().dims, set.data().symbols);
        self.write(" : (");
        self.comma_list(&set.data().constraints, |p, &(expr, equality)| {
            p.affine_expr(expr);
            p.write(if equality { " == 0" } else { " >= 0" });
        });
        self.write(")");
    }

    fn affine_header(&mut self, dims: u32, symbols: u32) {
        self.write("(");
        self.comma_list(0..dims, |p, d| p.display(format_args!("d{d}")));
        self.write(")");
        if symbols > 0 {
            self.write("[");
            self.comma_list(0..symbols, |p, s| p.display(format_args!("s{s}")));
            self.write("]");
        }
    }

    /// Prints an expression over `d0`, `s0`, ….
    pub fn affine_expr(&mut self, expr: AffineExpr) {
        self.affine_expr_with(expr, &mut |p, is_symbol, position| {
            p.write(if is_symbol { "s" } else { "d" });
            p.display(position);
        });
    }

    /// Prints an expression whose dimensions and symbols `name` prints, given whether it is a
    /// symbol and its position.
    pub fn affine_expr_with(
        &mut self,
        expr: AffineExpr,
        name: &mut dyn FnMut(&mut Self, bool, u32),
    ) {
        self.affine_inner(expr, false, name);
    }

    fn affine_inner(
        &mut self,
        expr: AffineExpr,
        strong: bool,
        name: &mut dyn FnMut(&mut Self, bool, u32),
    ) {
        let (op, lhs, rhs) = match expr.data() {
            AffineExprData::Dim(position) => return name(self, false, *position),
            AffineExprData::Symbol(position) => return name(self, true, *position),
            AffineExprData::Constant(value) => return self.display(value),
            AffineExprData::Binary(op, lhs, rhs) => (*op, *lhs, *rhs),
        };
        if strong {
            self.write("(");
        }
        match op {
            AffineOp::Add => self.affine_sum(lhs, rhs, name),
            AffineOp::Mul if rhs.as_constant() == Some(-1) => {
                self.write("-");
                self.affine_inner(lhs, true, name);
            }
            _ => {
                self.affine_inner(lhs, true, name);
                self.write(match op {
                    AffineOp::Mul => " * ",
                    AffineOp::Mod => " mod ",
                    AffineOp::FloorDiv => " floordiv ",
                    _ => " ceildiv ",
                });
                self.affine_inner(rhs, true, name);
            }
        }
        if strong {
            self.write(")");
        }
    }

    fn affine_sum(
        &mut self,
        lhs: AffineExpr,
        rhs: AffineExpr,
        name: &mut dyn FnMut(&mut Self, bool, u32),
    ) {
        self.affine_inner(lhs, false, name);
        match rhs.data() {
            AffineExprData::Binary(AffineOp::Mul, inner, factor)
                if factor.as_constant().is_some_and(|c| c < 0) =>
            {
                self.write(" - ");
                let factor = factor.as_constant().unwrap_or_default();
                if factor == -1 {
                    let sum = matches!(inner.data(), AffineExprData::Binary(AffineOp::Add, ..));
                    self.affine_inner(*inner, sum, name);
                } else {
                    self.affine_inner(*inner, true, name);
                    self.display(format_args!(" * {}", factor.wrapping_neg()));
                }
            }
            AffineExprData::Constant(value) if *value < 0 => {
                self.display(format_args!(" - {}", value.unsigned_abs()));
            }
            _ => {
                self.write(" + ");
                self.affine_inner(rhs, false, name);
            }
        }
    }
}

/// Prints without any definitions, for messages.
fn plain(f: &mut fmt::Formatter<'_>, print: impl FnOnce(&mut AsmPrinter<'_>)) -> fmt::Result {
    let (registry, options) = (Registry::default(), PrintOptions::default());
    let mut printer = AsmPrinter::new(&registry, &options);
    print(&mut printer);
    f.write_str(&printer.finish())
}

/// The type as text without any definitions: dialect types with parameters are written
/// `!dialect.name<…>` with their parameters as attributes. For messages.
impl fmt::Display for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        plain(f, |p| p.ty(*self))
    }
}

impl fmt::Display for crate::Attr {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        plain(f, |p| p.attr(*self))
    }
}

impl fmt::Display for AffineMap {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        plain(f, |p| p.affine_map(*self))
    }
}

impl fmt::Display for AffineExpr {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        plain(f, |p| p.affine_expr(*self))
    }
}
