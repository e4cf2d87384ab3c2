//! The parameters of dialect types and attributes to text, by their format programs.

use tegula_schema::{Anchor, FormatElem, ParamDef, ParamFormat, ParamKind, Slot};

use super::asm_printer::{AsmPrinter, is_bare};
use super::defaults::param_default;
use super::spacing::Spacing;
use crate::{Attr, DialectEntry};

impl AsmPrinter<'_> {
    pub(crate) fn params(
        &mut self,
        dialect: &DialectEntry,
        format: &ParamFormat,
        defs: &[ParamDef],
        params: &[Attr],
    ) {
        match format {
            ParamFormat::None => {
                if params.iter().any(|p| !p.is_absent()) {
                    self.generic_params(params);
                }
            }
            ParamFormat::Hook(name) => match dialect.hooks.print_params.get(name.as_ref()) {
                Some(hook) => hook(self, params),
                None => self.generic_params(params),
            },
            ParamFormat::Program(elems) => {
                let mut program = Program {
                    dialect,
                    defs,
                    params,
                    spacing: Spacing { space: true, punctuation: false },
                    emit: true,
                };
                program.run(self, elems);
            }
        }
    }

    /// Prints parameters that no definition describes.
    pub(crate) fn generic_params(&mut self, params: &[Attr]) {
        if !params.is_empty() {
            self.write("<");
            self.comma_list(params.iter().filter(|p| !p.is_absent()), |p, &param| p.attr(param));
            self.write(">");
        }
    }

    /// Prints the keyword of an enum case, in quotes when it is no word. Cases that are combined
    /// with commas are words one by one.
    pub fn enum_keyword(&mut self, keyword: &str) {
        if keyword.split(',').all(|word| is_bare(word.trim_start())) {
            self.write(keyword);
        } else {
            self.string(keyword.as_bytes());
        }
    }

    /// Prints one parameter as its kind says.
    pub fn param(&mut self, kind: &ParamKind, param: Attr, qualified: bool) {
        match kind {
            ParamKind::Attr => self.attr(param),
            ParamKind::AttrOf(_) if qualified => self.attr(param),
            ParamKind::AttrOf(_) => self.attr_stripped(param),
            ParamKind::Type => match param.as_type() {
                Some(ty) => self.ty(ty),
                None => self.attr(param),
            },
            ParamKind::Int | ParamKind::Bool | ParamKind::String => self.attr_no_type(param),
            ParamKind::Enum(_) => match param.as_str() {
                Some(keyword) => self.enum_keyword(keyword),
                None => self.attr_no_type(param),
            },
            ParamKind::Array(inner) => {
                let items = param.as_array().unwrap_or(&[]);
                self.comma_list(items, |p, &item| p.param(inner, item, qualified));
            }
            ParamKind::Dims => self.dims(param.as_dense_array().unwrap_or(&[])),
            ParamKind::DenseArray(_) => match param.data() {
                crate::AttrData::DenseArray { element, values } => {
                    self.dense_array_values(*element, values);
                }
                _ => self.attr(param),
            },
            ParamKind::SymbolName => match param.as_str() {
                Some(name) => self.symbol_name(name),
                None => self.attr(param),
            },
        }
    }
}

struct Program<'p> {
    dialect: &'p DialectEntry,
    defs: &'p [ParamDef],
    params: &'p [Attr],
    spacing: Spacing,
    /// Unset in a branch that is not taken: its blanks still decide those after it.
    emit: bool,
}

impl Program<'_> {
    fn param(&self, index: usize) -> Option<Attr> {
        self.params.get(index).copied().filter(|p| !p.is_absent())
    }

    /// Whether the parameter is there and not the one that is elided.
    fn is_written(&self, p: &AsmPrinter<'_>, index: usize) -> bool {
        let Some(param) = self.param(index) else { return false };
        let Some(def) = self.defs.get(index) else { return true };
        param_default(p.registry, def) != Some(param)
    }

    fn run(&mut self, p: &mut AsmPrinter<'_>, elems: &[FormatElem]) {
        for elem in elems {
            self.element(p, elem, false);
        }
    }

    fn element(&mut self, p: &mut AsmPrinter<'_>, elem: &FormatElem, qualified: bool) {
        match elem {
            FormatElem::Literal(text) => self.spacing.literal(&mut p.out, text, self.emit),
            FormatElem::Whitespace(text) => self.spacing.whitespace(&mut p.out, text, self.emit),
            FormatElem::Attr(index) | FormatElem::Operand(index) => {
                self.spacing.before_element(&mut p.out, self.emit);
                self.variable(p, usize::from(*index), qualified);
            }
            FormatElem::Type(Slot::Attr(index) | Slot::Operand(index) | Slot::Result(index)) => {
                self.spacing.before_element(&mut p.out, self.emit);
                self.variable(p, usize::from(*index), qualified);
            }
            FormatElem::Params => {
                let all: Vec<u16> = (0..self.defs.len() as u16).collect();
                self.list(p, &all, false);
            }
            FormatElem::Struct(list) if list.is_empty() => {
                let all: Vec<u16> = (0..self.defs.len() as u16).collect();
                self.list(p, &all, true);
            }
            FormatElem::Struct(list) => self.list(p, list, true),
            FormatElem::Qualified(inner) => {
                for elem in inner.iter() {
                    self.element(p, elem, true);
                }
            }
            FormatElem::Ref(inner) => self.run(p, inner),
            FormatElem::Custom(name, args) => {
                self.spacing.before_element(&mut p.out, self.emit);
                if self.emit {
                    let args: Vec<Option<Attr>> =
                        param_indices(args).map(|index| self.param(index)).collect();
                    let hook = self.dialect.hooks.print_param_directive.get(name.as_ref());
                    match hook {
                        Some(hook) => hook(p, &args),
                        None => p.comma_list(args.into_iter().flatten(), |p, arg| p.attr(arg)),
                    }
                }
            }
            FormatElem::Optional { then, otherwise, anchor, inverted } => {
                let taken = self.anchor(p, anchor) != *inverted;
                let emit = self.emit;
                self.emit = emit && taken;
                self.run(p, then);
                self.emit = emit && !taken;
                self.run(p, otherwise);
                self.emit = emit;
            }
            // The remaining elements exist in formats of ops only.
            _ => {}
        }
    }

    fn anchor(&self, p: &AsmPrinter<'_>, anchor: &Anchor) -> bool {
        match anchor {
            Anchor::Param(index)
            | Anchor::Slot(Slot::Attr(index) | Slot::Operand(index) | Slot::Result(index)) => {
                self.is_written(p, usize::from(*index))
            }
            Anchor::Custom(slots) => slots.iter().any(|slot| {
                let (Slot::Attr(index) | Slot::Operand(index) | Slot::Result(index)) = slot;
                self.is_written(p, usize::from(*index))
            }),
            Anchor::Region(_) | Anchor::Successor(_) => false,
        }
    }

    fn variable(&mut self, p: &mut AsmPrinter<'_>, index: usize, qualified: bool) {
        if let (true, Some(param), Some(def)) = (self.emit, self.param(index), self.defs.get(index))
        {
            p.param(&def.kind, param, qualified);
        }
    }

    /// `params` and `struct(…)`: what is written, with commas; optional ones may be missing.
    fn list(&mut self, p: &mut AsmPrinter<'_>, indices: &[u16], named: bool) {
        let written: Vec<usize> = indices
            .iter()
            .map(|&index| usize::from(index))
            .filter(|&index| self.is_written(p, index))
            .collect();
        let emit = self.emit && !written.is_empty();
        self.spacing.before_element(&mut p.out, emit);
        if !emit {
            return;
        }
        p.comma_list(written, |p, index| {
            let Some(def) = self.defs.get(index) else { return };
            if named {
                p.write(&def.name);
                p.write(" = ");
            }
            // In a list the parts of an array need brackets to stay together.
            let brackets =
                named && matches!(def.kind, ParamKind::Array(_) | ParamKind::DenseArray(_));
            if brackets {
                p.write("[");
            }
            self.variable(p, index, false);
            if brackets {
                p.write("]");
            }
        });
    }
}

/// The parameters that a custom directive lists.
pub(crate) fn param_indices(args: &[FormatElem]) -> impl Iterator<Item = usize> + '_ {
    args.iter().flat_map(|arg| match arg {
        FormatElem::Attr(index) | FormatElem::Operand(index) => vec![usize::from(*index)],
        FormatElem::Ref(inner) | FormatElem::Qualified(inner) => param_indices(inner).collect(),
        _ => Vec::new(),
    })
}

/// The type of the values of a typed dialect attribute, as its trait `TypedAttr !type` says it.
pub(crate) fn self_type(traits: &[tegula_schema::Str]) -> Option<&str> {
    traits.iter().find_map(|t| t.strip_prefix("TypedAttr "))
}
