//! Attributes and locations to text.

use super::asm_printer::{AsmPrinter, Elide};
use super::collect::Subject;
use super::float::print_float;
use super::names::push_number;
use crate::{Attr, AttrData, Ident, LocData, Type, TypeData};

impl AsmPrinter<'_> {
    /// Prints an attribute with its type, by its alias when it has one.
    pub fn attr(&mut self, attr: Attr) {
        self.attr_eliding(attr, Elide::Never);
    }

    /// Prints an attribute without the type of its value.
    pub fn attr_no_type(&mut self, attr: Attr) {
        self.attr_eliding(attr, Elide::Always);
    }

    /// Prints a dialect attribute without `#dialect.name` where it has parameters, by its alias
    /// when it has one; a dense array as `[1, 2]`; and any other attribute in full.
    pub fn attr_stripped(&mut self, attr: Attr) {
        match attr.data() {
            AttrData::DenseArray { element, values } => {
                self.write("[");
                self.dense_array_values(*element, values);
                self.write("]");
            }
            AttrData::Dialect { name, params }
                if !params.is_empty()
                    && self.collector.is_none()
                    && self.aliases.attr(attr).is_none() =>
            {
                self.watched(Subject::Attr(attr), |p| p.attr_params(*name, params));
            }
            _ => self.attr(attr),
        }
    }

    pub(crate) fn attr_eliding(&mut self, attr: Attr, elide: Elide) {
        if self.collector.is_some() {
            self.collect_attr(attr);
        } else if let Some(name) = self.aliases.attr(attr) {
            self.out.push_str(&name);
        } else if elide != Elide::Always && matches!(attr.data(), AttrData::Dialect { .. }) {
            self.watched_attr(attr, |p| p.attr_body(attr, elide));
        } else {
            self.watched(Subject::Attr(attr), |p| p.attr_body(attr, elide));
        }
    }

    pub(crate) fn attr_body(&mut self, attr: Attr, elide: Elide) {
        match attr.data() {
            AttrData::Unit => self.write("unit"),
            AttrData::Absent => self.write("<<absent>>"),
            AttrData::Integer { value, ty } => {
                if ty.is_int(1) {
                    self.write(if *value != 0 { "true" } else { "false" });
                    return;
                }
                self.integer(*value);
                if !(elide == Elide::Default && ty.is_int(64)) {
                    self.value_type(*ty, elide);
                }
            }
            AttrData::WideInteger { value, ty } => {
                self.display(value);
                self.value_type(*ty, elide);
            }
            AttrData::Float { bits, ty } => {
                print_float(*bits, *ty, &mut self.out);
                if !(elide == Elide::Default && *ty == Type::f64()) {
                    self.value_type(*ty, elide);
                }
            }
            AttrData::String { text, ty } => {
                self.string(text);
                if let Some(ty) = ty {
                    self.value_type(*ty, elide);
                }
            }
            AttrData::Array(items) => {
                self.write("[");
                self.comma_list(items, |p, &item| p.attr_eliding(item, Elide::Default));
                self.write("]");
            }
            AttrData::Dict(entries) => {
                self.write("{");
                self.comma_list(entries, |p, &(name, attr)| p.named_attr(name, attr));
                self.write("}");
            }
            AttrData::Type(ty) => self.ty(*ty),
            AttrData::SymbolRef { root, nested } => {
                self.symbol_name(root.as_str());
                for name in nested {
                    self.write("::");
                    self.symbol_name(name.as_str());
                }
            }
            AttrData::AffineMap(map) => {
                self.write("affine_map<");
                self.affine_map(*map);
                self.write(">");
                // The map has the type `index`, which MLIR never prints.
            }
            AttrData::IntegerSet(set) => {
                self.write("affine_set<");
                self.integer_set(*set);
                self.write(">");
            }
            AttrData::Dense { ty, data } => {
                self.dense(*ty, data);
                self.value_type(*ty, elide);
            }
            AttrData::DenseStrings { ty, values } => {
                self.dense_strings(*ty, values);
                self.value_type(*ty, elide);
            }
            AttrData::DenseArray { element, values } => {
                self.write("array<");
                self.ty(*element);
                if !values.is_empty() {
                    self.write(": ");
                    self.dense_array_values(*element, values);
                }
                self.write(">");
            }
            AttrData::DenseResource { key, ty, blob } => {
                if let Some(blob) = blob {
                    self.use_resource(*key, blob);
                }
                self.write("dense_resource<");
                self.keyword_or_string(key.as_str());
                self.write(">");
                self.value_type(*ty, elide);
            }
            AttrData::Sparse { ty, indices, values } => {
                self.sparse(*indices, *values);
                self.value_type(*ty, elide);
            }
            AttrData::Strided { strides, offset } => {
                self.write("strided<[");
                self.comma_list(strides, |p, &stride| p.dim(stride));
                self.write("]");
                if *offset != 0 {
                    self.write(", offset: ");
                    self.dim(*offset);
                }
                self.write(">");
            }
            AttrData::Distinct { id, inner } => {
                self.display(format_args!("distinct[{id}]<"));
                if !matches!(inner.data(), AttrData::Unit) {
                    self.attr(*inner);
                }
                self.write(">");
            }
            AttrData::Loc(_) => {
                self.write("loc(");
                self.location_body(attr);
                self.write(")");
            }
            AttrData::Dialect { name, params } => {
                self.write("#");
                self.write(name.as_str());
                self.attr_params(*name, params);
                let def = self.registry.attr(name.as_str());
                let ty = def.and_then(|(_, def)| super::print_params::self_type(&def.traits));
                if let Some(ty) = ty.filter(|_| elide != Elide::Always) {
                    self.write(" : ");
                    self.write(ty);
                }
            }
            AttrData::Opaque { dialect, text } => {
                self.write("#");
                self.write(dialect.as_str());
                // What is in brackets has no name.
                if !text.starts_with('<') {
                    self.write(".");
                }
                self.write(text);
            }
        }
    }

    fn integer(&mut self, value: i128) {
        match u64::try_from(value.unsigned_abs()) {
            Ok(magnitude) => {
                self.write(if value < 0 { "-" } else { "" });
                push_number(magnitude, &mut self.out);
            }
            Err(_) => self.display(value),
        }
    }

    fn value_type(&mut self, ty: Type, elide: Elide) {
        if elide != Elide::Always && !matches!(ty.data(), TypeData::None) {
            self.write(" : ");
            self.ty(ty);
        }
    }

    pub(crate) fn dense_array_values(&mut self, element: Type, values: &[i64]) {
        self.comma_list(values, |p, &value| {
            if element.is_int(1) {
                p.write(if value != 0 { "true" } else { "false" });
            } else if element.is_float() {
                print_float(value as u64 as u128, element, &mut p.out);
            } else {
                p.display(value);
            }
        });
    }

    /// Prints what stands in `loc(…)`.
    pub(crate) fn location_body(&mut self, loc: Attr) {
        let AttrData::Loc(data) = loc.data() else { return self.write("unknown") };
        match data {
            LocData::Unknown => self.write("unknown"),
            LocData::Item { .. } => {
                let resolved = self.resolved_loc(loc);
                self.location_body(resolved);
            }
            LocData::File { file, start, end } => {
                self.string(file.as_str().as_bytes());
                self.display(format_args!(":{}:{}", start.0, start.1));
                if let Some(end) = end {
                    if end.0 == start.0 {
                        self.display(format_args!(" to :{}", end.1));
                    } else {
                        self.display(format_args!(" to {}:{}", end.0, end.1));
                    }
                }
            }
            LocData::Name(name, child) => {
                self.string(name.as_str().as_bytes());
                if !is_unknown(*child) {
                    self.write("(");
                    self.location_part(*child);
                    self.write(")");
                }
            }
            LocData::CallSite(callee, caller) => {
                self.write("callsite(");
                self.location_part(*callee);
                self.write(" at ");
                self.location_part(*caller);
                self.write(")");
            }
            LocData::Fused(metadata, locs) => {
                self.write("fused");
                if let Some(metadata) = metadata {
                    self.write("<");
                    self.attr(*metadata);
                    self.write(">");
                }
                self.write("[");
                self.comma_list(locs, |p, &loc| p.location_part(loc));
                self.write("]");
            }
        }
    }

    /// Prints ` loc(…)` with the location itself, whether it has an alias or not.
    pub(crate) fn location_in_place(&mut self, loc: Attr) {
        let loc = self.resolved_loc(loc);
        self.collect_attr(loc);
        self.write(" loc(");
        self.location_body(loc);
        self.write(")");
    }

    /// Prints a location in another one, by its alias when it has one.
    fn location_part(&mut self, loc: Attr) {
        match self.aliases.attr(loc) {
            Some(name) => self.write(&name),
            None => self.location_body(loc),
        }
    }

    /// A location whose items are replaced by the places where they stand, as far as known.
    pub(crate) fn resolved_loc(&self, loc: Attr) -> Attr {
        let AttrData::Loc(data) = loc.data() else { return loc };
        let data = match data {
            LocData::Item { item, ordinal } => {
                let found = self.options.locations.as_ref().and_then(|find| find(*item, *ordinal));
                match found {
                    Some((file, line, column)) => {
                        LocData::File { file, start: (line, column), end: None }
                    }
                    None => LocData::Unknown,
                }
            }
            LocData::Name(name, child) => LocData::Name(*name, self.resolved_loc(*child)),
            LocData::CallSite(callee, caller) => {
                LocData::CallSite(self.resolved_loc(*callee), self.resolved_loc(*caller))
            }
            LocData::Fused(metadata, locs) => {
                return LocData::fused(*metadata, locs.iter().map(|&loc| self.resolved_loc(loc)));
            }
            LocData::Unknown | LocData::File { .. } => return loc,
        };
        Attr::new(AttrData::Loc(data))
    }

    /// Prints `loc(…)` with the alias of the location when it has one.
    pub(crate) fn location(&mut self, loc: Attr) {
        let loc = self.resolved_loc(loc);
        match self.aliases.attr(loc) {
            Some(name) => self.display(format_args!("loc({name})")),
            None => {
                self.write("loc(");
                self.location_body(loc);
                self.write(")");
            }
        }
    }

    /// Prints the parameters of a dialect attribute, or the keyword of a dialect enum.
    pub(crate) fn attr_params(&mut self, name: Ident, params: &[Attr]) {
        if let Some((dialect, def)) = self.registry.attr(name.as_str()) {
            self.params(dialect, &def.format, &def.params, params);
        } else if self.registry.enum_of_attr(name.as_str()).is_some() {
            self.write("<");
            if let Some(keyword) = params.first().and_then(|p| p.as_str()) {
                self.enum_keyword(keyword);
            }
            self.write(">");
        } else {
            self.generic_params(params);
        }
    }

    pub(crate) fn type_params(&mut self, name: Ident, params: &[Attr]) {
        match self.registry.ty(name.as_str()) {
            Some((dialect, def)) => self.params(dialect, &def.format, &def.params, params),
            None => self.generic_params(params),
        }
    }
}

fn is_unknown(loc: Attr) -> bool {
    matches!(loc.data(), AttrData::Loc(LocData::Unknown))
}
