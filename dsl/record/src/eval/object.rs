//! Classes, definitions and their bodies.

use std::sync::Arc;

use tegula_diag::{Diagnostic, Span};
use tegula_syntax::BangOp;
use tegula_syntax::ast;

use super::expr::Mode;
use super::multi::Entry;
use super::record::{Rec, RecKind, Val, ValKind};
use super::resolve::{Cur, MapLookup};
use super::scope::ScopeKind;
use super::store::{ArgKey, ClassId, Init, Node, Sym, TyNode, UNSET, ty};
use super::{Eval, LetValue};

impl Eval {
    pub(crate) fn class_stmt(&mut self, node: &ast::Class, incomplete: bool) {
        let name = self.s.sym_of(&node.name.name);
        if self.aliases.contains_key(&name) {
            let message = format!("type of this name '{}' already exists", node.name.name);
            self.error::<()>(node.name.span, "duplicate-class", message);
            return;
        }
        let class = match self.class_names.get(&name).copied() {
            Some(class) => {
                let before = &self.classes[class.0 as usize];
                let is_forward =
                    before.vals.is_empty() && before.direct.is_empty() && before.params.is_empty();
                if !is_forward {
                    let span = before.span();
                    let message = format!("Class '{}' already defined", node.name.name);
                    let mut diagnostic =
                        Diagnostic::error("duplicate-class", message).at(node.name.span);
                    if let Some(span) = span {
                        diagnostic = diagnostic.label(span, "location of previous definition");
                    }
                    self.report(diagnostic);
                    return;
                }
                class
            }
            None => {
                let class = ClassId(self.classes.len() as u32);
                let name_init = self.s.add(Node::Str(name));
                let rec = Rec::new(name_init, RecKind::Class, node.name.span);
                self.classes.push(Arc::new(rec));
                self.class_syms.push(name);
                self.class_names.insert(name, class);
                class
            }
        };
        let name_init = self.s.add(Node::Str(name));
        let mut rec = Rec::new(name_init, RecKind::Class, node.name.span);
        rec.class = Some(class);
        rec.broken = incomplete;
        self.cur = Some(rec);
        self.push_scope(ScopeKind::Record);
        for param in &node.params {
            let qualified = format!("{}:{}", node.name.name, param.name.name);
            let qualified = self.s.sym(&qualified);
            let errors = self.errors;
            let val = self.param_val(param, qualified);
            if let Some(cur) = &mut self.cur {
                cur.broken |= self.errors > errors || val.is_none();
                if let Some(val) = val {
                    cur.params.push(qualified);
                    cur.vals.push(val);
                }
            }
        }
        self.object_body(&node.parents, node.body.as_deref().unwrap_or(&[]));
        self.pop_scope();
        if let Some(rec) = self.cur.take() {
            self.unused_params(&rec);
            self.classes[class.0 as usize] = Arc::new(rec);
        }
    }

    /// Warns of the template parameters of a class or multiclass that nothing reads.
    pub(crate) fn unused_params(&mut self, rec: &Rec) {
        if rec.broken {
            return;
        }
        for val in rec.vals.iter().filter(|val| val.kind == ValKind::Param) {
            if !self.used_params.contains(&val.name) {
                let message = format!("unused template argument: {}", self.s.text(val.name));
                self.report(Diagnostic::warning("unused-parameter", message).at(val.decl));
            }
        }
    }

    /// A template parameter under its qualified name.
    pub(crate) fn param_val(&mut self, param: &ast::Param, qualified: Sym) -> Option<Val> {
        let Some(param_ty) = self.type_of(&param.ty) else {
            let name = self.s.sym_of(&param.name.name);
            self.failed_names.insert(name);
            return None;
        };
        let mut value = self.field_value(param_ty, UNSET)?;
        if let Some(default) = &param.default
            && let Some(given) = self.expr(default, Some(param_ty), Mode::Value)
        {
            match self.field_value(param_ty, given) {
                Some(given) => value = given,
                None => {
                    let (shown, wanted) = (self.show(given), self.show_ty(param_ty));
                    let message = format!("`{shown}` is no `{wanted}`");
                    self.error::<()>(default.span, "value-type", message);
                }
            }
        }
        let decl = param.name.span;
        let span = param.default.as_ref().map_or(decl, |default| default.span);
        Some(Val { name: qualified, ty: param_ty, value, kind: ValKind::Param, decl, span })
    }

    pub(crate) fn def_stmt(&mut self, node: &ast::Def, incomplete: bool) {
        let mut rec = match &node.name {
            Some(name) => {
                let Some(value) = self.object_name(name) else {
                    self.failed_def(node);
                    return;
                };
                let is_name = matches!(name.kind, ast::ExprKind::Ident(_));
                let span = if is_name { name.span } else { node.keyword };
                Rec::new(value, RecKind::Def, span)
            }
            None => Rec::new(self.new_anon(), RecKind::Anonymous, node.keyword),
        };
        rec.broken = incomplete;
        let errors = self.errors;
        let outer = self.cur.replace(rec);
        self.object_body(&node.parents, node.body.as_deref().unwrap_or(&[]));
        let rec = std::mem::replace(&mut self.cur, outer);
        if let Some(mut rec) = rec {
            rec.broken |= self.errors > errors;
            self.add_entry(Entry::Rec(Box::new(rec)));
        }
    }

    fn failed_def(&mut self, node: &ast::Def) {
        if let Some(ast::Expr { kind: ast::ExprKind::Ident(name), .. }) = &node.name {
            let name = self.s.sym_of(name);
            self.failed_names.insert(name);
        }
    }

    /// The name of a definition. In a multiclass, one that doesn't mention `NAME` begins with it.
    pub(crate) fn object_name(&mut self, name: &ast::Expr) -> Option<Init> {
        let value = self.expr(name, Some(ty::STR), Mode::Name)?;
        if self.ty_of(value) != Some(ty::STR) {
            let shown = self.show(value);
            return self.error(name.span, "definition-name", format!("`{shown}` is no name"));
        }
        let Some(multi) = self.multi else { return Some(value) };
        let own = self.multi_name(multi);
        if self.occurs(own, value) {
            return Some(value);
        }
        let own = self.s.add(Node::Var(own, ty::STR));
        Some(self.fold(BangOp::StrConcat, &[own, value], ty::STR, None, false))
    }

    fn object_body(&mut self, parents: &[ast::ClassRef], body: &[ast::BodyItem]) {
        self.push_scope(ScopeKind::Record);
        for parent in parents {
            let added = self.class_named(&parent.name.name, parent.name.span).and_then(|class| {
                let args = self.class_args(class, parent)?;
                self.with_cur(|ev, rec| ev.add_super(rec, class, &args, parent.span))
            });
            if added.is_none() {
                self.mark_broken();
            }
        }
        self.with_cur(|ev, rec| {
            ev.apply_lets(rec);
            Some(())
        });
        for item in body {
            if self.body_item(item).is_none() {
                self.mark_broken();
            }
        }
        self.pop_scope();
    }

    fn mark_broken(&mut self) {
        if let Some(cur) = &mut self.cur {
            cur.broken = true;
        }
    }

    /// Works on the record that is being read. A class is visible to others meanwhile as it was
    /// before.
    fn with_cur<T>(&mut self, work: impl FnOnce(&mut Self, &mut Rec) -> Option<T>) -> Option<T> {
        let mut rec = self.cur.take()?;
        if let Some(class) = rec.class {
            self.classes[class.0 as usize] = Arc::new(rec.clone());
        }
        let result = work(self, &mut rec);
        self.cur = Some(rec);
        result
    }

    /// Makes a record derive from a class.
    pub(crate) fn add_super(
        &mut self,
        rec: &mut Rec,
        class: ClassId,
        args: &[(ArgKey, Init)],
        span: Span,
    ) -> Option<()> {
        let base = self.class_arc(class);
        let base_name = self.class_name(class).clone();
        rec.broken |= base.broken;
        if rec.class == Some(class) {
            let message = format!("class `{base_name}` can't derive from itself");
            return self.error(span, "self-reference", message);
        }
        if rec.derives(class) {
            let message = format!("Already subclass of '{base_name}'");
            return self.error(span, "duplicate-superclass", message);
        }
        for val in base.vals.iter().filter(|val| val.kind != ValKind::Param) {
            self.add_val(rec, *val, span);
        }
        let values = self.match_args(&base, args, span)?;
        let cur = Cur { name: rec.name, id: rec.id, span: rec.span() };
        let mut map = MapLookup::new(Some(cur));
        for (name, value) in values {
            map.set(name, value);
        }
        rec.checks.extend(base.checks.iter().copied());
        let own_name = match rec.class {
            Some(own) => {
                let text = format!("{}:NAME", self.class_name(own));
                let sym = self.s.sym(&text);
                self.s.add(Node::Var(sym, ty::STR))
            }
            None => rec.name,
        };
        let base_own = self.s.sym(&format!("{base_name}:NAME"));
        map.set(base_own, own_name);
        let here = std::mem::replace(&mut self.here, span);
        self.resolve_rec(rec, &mut map);
        self.here = here;
        rec.supers.extend(base.supers.iter().copied());
        rec.supers.push((class, span));
        rec.direct.push((class, span));
        Some(())
    }

    /// Adds an inherited field, or its value to a field that is there.
    fn add_val(&mut self, rec: &mut Rec, val: Val, span: Span) {
        let Some(index) = rec.find(val.name) else {
            rec.vals.push(val);
            return;
        };
        match self.field_value(rec.vals[index].ty, val.value) {
            Some(value) => {
                rec.vals[index].value = value;
                rec.vals[index].span = val.span;
            }
            None => {
                let name = self.s.text(val.name).clone();
                let (new, old) = (self.show_ty(val.ty), self.show_ty(rec.vals[index].ty));
                self.report(
                    Diagnostic::error(
                        "field-type",
                        format!(
                            "New definition of '{name}' of type '{new}' is incompatible with \
                             previous definition of type '{old}'"
                        ),
                    )
                    .at(span)
                    .label(rec.vals[index].decl, "location of previous definition"),
                );
            }
        }
    }

    pub(crate) fn apply_lets(&mut self, rec: &mut Rec) {
        for index in 0..self.lets.len() {
            let item = self.lets[index].clone();
            if self.assign(rec, &item).is_none() {
                rec.broken = true;
            }
        }
    }

    fn body_item(&mut self, item: &ast::BodyItem) -> Option<()> {
        match &item.kind {
            ast::BodyItemKind::Field(field) => self.field_item(field),
            ast::BodyItemKind::Let(node) => {
                let name = self.s.sym_of(&node.name.name);
                let Some(val) = self.cur.as_ref().and_then(|cur| cur.get(name).copied()) else {
                    return self.unknown_field(name, node.name.span);
                };
                let bits = self.bit_list(&node.bits)?;
                let mut want = val.ty;
                if !bits.is_empty() && matches!(self.s.ty_node(val.ty), TyNode::Bits(_)) {
                    want = self.s.ty(TyNode::Bits(bits.len() as u32));
                }
                let value = self.expr(&node.value, Some(want), Mode::Value)?;
                let item = LetValue {
                    name,
                    name_span: node.name.span,
                    bits,
                    mode: node.mode,
                    value,
                    span: node.value.span,
                };
                self.with_cur(|ev, rec| ev.assign(rec, &item))
            }
            ast::BodyItemKind::Defvar(node) => self.defvar_stmt(node),
            ast::BodyItemKind::Assert(node) => {
                let check = self.check(Some(&node.cond), &node.message)?;
                self.cur.as_mut()?.checks.push(check);
                Some(())
            }
            ast::BodyItemKind::Dump(node) => {
                let check = self.check(None, &node.message)?;
                self.cur.as_mut()?.checks.push(check);
                Some(())
            }
        }
    }

    fn field_item(&mut self, node: &ast::FieldDecl) -> Option<()> {
        let field_ty = self.type_of(&node.ty)?;
        let name = self.s.sym_of(&node.name.name);
        if self.scopes.last().is_some_and(|scope| scope.vars.iter().any(|(var, _)| *var == name)) {
            let message = "local variable of this name already exists";
            return self.error(node.name.span, "duplicate-name", message);
        }
        let kind = if node.is_field { ValKind::NonconcreteOk } else { ValKind::Normal };
        let span = node.name.span;
        let value = self.field_value(field_ty, UNSET).unwrap_or(UNSET);
        let val = Val { name, ty: field_ty, value, kind, decl: span, span };
        self.with_cur(|ev, rec| {
            ev.add_val(rec, val, span);
            Some(())
        })?;
        let Some(expr) = &node.value else { return Some(()) };
        let value = self.expr(expr, Some(field_ty), Mode::Value)?;
        let item = LetValue {
            name,
            name_span: span,
            bits: Vec::new(),
            mode: ast::LetMode::Set,
            value,
            span: expr.span,
        };
        self.with_cur(|ev, rec| ev.assign(rec, &item))
    }
}
