//! Template arguments: matched with parameters, and converted to their types.

use tegula_diag::{Diagnostic, Span, nearest};
use tegula_syntax::ast::{Arg, ClassRef};

use super::Eval;
use super::expr::Mode;
use super::record::Rec;
use super::store::{ArgKey, ClassId, Init, Sym, TyId};

impl Eval {
    /// The arguments of a class, converted to the types of its parameters.
    pub(crate) fn class_args(
        &mut self,
        class: ClassId,
        node: &ClassRef,
    ) -> Option<Vec<(ArgKey, Init)>> {
        let rec = self.class(class);
        let params: Vec<(Sym, TyId, Span)> = rec
            .params
            .iter()
            .filter_map(|name| rec.get(*name).map(|val| (*name, val.ty, val.decl)))
            .collect();
        let prefix = format!("{}:", self.class_name(class));
        let broken = rec.broken;
        self.args(&node.args, &params, &prefix, node, broken)
    }

    /// Arguments for parameters of these qualified names and types.
    pub(crate) fn args(
        &mut self,
        args: &[Arg],
        params: &[(Sym, TyId, Span)],
        prefix: &str,
        node: &ClassRef,
        broken: bool,
    ) -> Option<Vec<(ArgKey, Init)>> {
        let mut out = Vec::with_capacity(args.len());
        let mut failed = false;
        let mut named = false;
        for (index, arg) in args.iter().enumerate() {
            let (key, param) = if let Some(name) = &arg.name {
                named = true;
                let sym = self.s.sym(&format!("{prefix}{}", name.name));
                let Some(param) = params.iter().find(|param| param.0 == sym) else {
                    if !broken {
                        let message = format!("Argument '{}' doesn't exist", name.name);
                        let mut diagnostic =
                            Diagnostic::error("unknown-parameter", message).at(name.span);
                        let known = params.iter().map(|param| {
                            let text = self.s.text(param.0);
                            text.strip_prefix(prefix).unwrap_or(text)
                        });
                        if let Some(near) = nearest(&name.name, known) {
                            let near = near.to_owned();
                            diagnostic =
                                diagnostic.fix(name.span, &near, format!("write `{near}`"));
                        }
                        self.report(diagnostic);
                    }
                    failed = true;
                    continue;
                };
                (ArgKey::Named(sym), param)
            } else {
                if named {
                    let message = "Positional argument should be put before named argument";
                    self.error::<()>(arg.value.span, "argument-order", message);
                    failed = true;
                    continue;
                }
                let Some(param) = params.get(index) else {
                    if !broken {
                        let (class, count) = (&node.name.name, params.len());
                        let plural = if count == 1 { "" } else { "s" };
                        let message = format!("Too many template arguments: {}", args.len());
                        self.report(
                            Diagnostic::error("argument-count", message)
                                .at(arg.value.span)
                                .note(format!("`{class}` takes {count} argument{plural}")),
                        );
                    }
                    return None;
                };
                (ArgKey::Pos(index as u32), param)
            };
            let (sym, param_ty, decl) = *param;
            let Some(value) = self.expr(&arg.value, Some(param_ty), Mode::Value) else {
                failed = true;
                continue;
            };
            match self.cast_to(value, param_ty) {
                Some(value) => out.push((key, value)),
                None => {
                    let (wanted, shown) = (self.show_ty(param_ty), self.show(value));
                    let found = match self.ty_of(value) {
                        Some(of) => self.show_ty(of),
                        None => "?".to_owned(),
                    };
                    let name = self.s.text(sym);
                    let message = format!(
                        "Value specified for template argument '{name}' is of type {found}; \
                         expected type {wanted}: {shown}"
                    );
                    self.report(
                        Diagnostic::error("argument-type", message)
                            .at(arg.value.span)
                            .label(decl, "the parameter"),
                    );
                    failed = true;
                }
            }
        }
        (!failed).then_some(out)
    }

    /// Checks that every parameter of a class has a value, and only one.
    pub(crate) fn check_args(
        &mut self,
        class: ClassId,
        args: &[(ArgKey, Init)],
        span: Span,
    ) -> Option<()> {
        let rec = self.class_arc(class);
        self.match_args(&rec, args, span).map(|_| ())
    }

    /// The value of every parameter of a class or multiclass.
    pub(crate) fn match_args(
        &mut self,
        rec: &Rec,
        args: &[(ArgKey, Init)],
        span: Span,
    ) -> Option<Vec<(Sym, Init)>> {
        let mut values: Vec<Option<Init>> = vec![None; rec.params.len()];
        for (key, value) in args {
            let index = match key {
                ArgKey::Pos(index) => Some(*index as usize),
                ArgKey::Named(name) => rec.params.iter().position(|param| param == name),
            };
            let Some(slot) = index.and_then(|index| values.get_mut(index)) else { continue };
            if slot.replace(*value).is_some() {
                let param = rec.params[index.unwrap_or_default()];
                let text = self.s.text(param);
                let short = text.rsplit(':').next().unwrap_or(text);
                let message = format!("We can only specify the template argument '{short}' once");
                return self.error(span, "argument-twice", message);
            }
        }
        let mut out = Vec::with_capacity(values.len());
        for (name, value) in rec.params.iter().zip(values) {
            let Some(param) = rec.get(*name) else { continue };
            let value = match value {
                Some(value) => value,
                None if self.is_complete(param.value) => param.value,
                None if rec.broken => return None,
                None => {
                    let text = self.s.text(*name);
                    let message = format!("value not specified for template argument '{text}'");
                    self.report(
                        Diagnostic::error("missing-argument", message)
                            .at(span)
                            .label(param.decl, "declared here, without a default"),
                    );
                    return None;
                }
            };
            out.push((*name, value));
        }
        Some(out)
    }
}
