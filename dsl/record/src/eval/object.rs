//! Classes, definitions and their bodies.

use tegula_diag::{Diagnostic, Span, nearest};
use tegula_syntax::BangOp;
use tegula_syntax::ast;

use super::expr::Mode;
use super::multi::Entry;
use super::record::{Check, Rec, RecKind, Val, ValKind};
use super::resolve::{Cur, MapLookup};
use super::scope::ScopeKind;
use super::store::{ArgKey, ClassId, Init, Node, RecId, Sym, TyNode, UNSET, ty};
use super::{Eval, LetValue};

impl Eval<'_> {
    pub(crate) fn class_stmt(&mut self, node: &ast::Class, incomplete: bool) {
        let name = self.s.sym_of(&node.name.name);
        if self.aliases.contains_key(&name) {
            let message = format!("`{}` is already a type", node.name.name);
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
                    let message = format!("class `{}` is already defined", node.name.name);
                    let mut diagnostic =
                        Diagnostic::error("duplicate-class", message).at(node.name.span);
                    if let Some(span) = span {
                        diagnostic = diagnostic.label(span, "here");
                    }
                    self.report(diagnostic);
                    return;
                }
                class
            }
            None => {
                let class = ClassId(self.classes.len() as u32);
                let name_init = self.s.add(Node::Str(name));
                self.classes.push(Rec::new(name_init, RecKind::Class, node.name.span));
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
            let val = self.param_val(param, qualified);
            if let Some(cur) = &mut self.cur {
                match val {
                    Some(val) => {
                        cur.params.push(qualified);
                        cur.vals.push(val);
                    }
                    None => cur.broken = true,
                }
            }
        }
        self.object_body(&node.parents, node.body.as_deref().unwrap_or(&[]));
        self.pop_scope();
        if let Some(rec) = self.cur.take() {
            self.classes[class.0 as usize] = rec;
        }
    }

    /// A template parameter under its qualified name.
    pub(crate) fn param_val(&mut self, param: &ast::Param, qualified: Sym) -> Option<Val> {
        let param_ty = self.type_of(&param.ty)?;
        let mut value = self.field_value(param_ty, UNSET)?;
        if let Some(default) = &param.default {
            let given = self.expr(default, Some(param_ty), Mode::Value)?;
            value = match self.field_value(param_ty, given) {
                Some(value) => value,
                None => {
                    let (shown, wanted) = (self.show(given), self.show_ty(param_ty));
                    let message = format!("`{shown}` is no `{wanted}`");
                    return self.error(default.span, "value-type", message);
                }
            };
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
            self.classes[class.0 as usize] = rec.clone();
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
        let base = self.class(class).clone();
        let base_name = self.class_name(class).clone();
        rec.broken |= base.broken;
        if rec.class == Some(class) {
            let message = format!("class `{base_name}` can't derive from itself");
            return self.error(span, "self-reference", message);
        }
        if rec.derives(class) {
            let message = format!("`{base_name}` is a superclass already");
            return self.error(span, "duplicate-superclass", message);
        }
        for val in base.vals.iter().filter(|val| val.kind != ValKind::Param) {
            self.add_val(rec, *val, span);
        }
        let values = self.match_args(&base, args, &base_name, span)?;
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
                        format!("field `{name}` is of type `{new}` here and `{old}` before"),
                    )
                    .at(span)
                    .label(rec.vals[index].decl, "the earlier declaration"),
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

    fn unknown_field(&mut self, name: Sym, span: Span) -> Option<()> {
        let cur = self.cur.as_ref()?;
        if cur.broken {
            return None;
        }
        let fields = cur.vals.iter().filter(|val| val.kind != ValKind::Param);
        let fields = fields.map(|val| &**self.s.text(val.name));
        let text = self.s.text(name);
        let mut diagnostic =
            Diagnostic::error("unknown-field", format!("there is no field `{text}` to assign"))
                .at(span);
        if let Some(near) = nearest(text, fields) {
            diagnostic = diagnostic.fix(span, near, format!("write `{near}`"));
        } else {
            diagnostic = diagnostic.note("a new field is declared with its type: `int x = 1;`");
        }
        self.report(diagnostic);
        None
    }

    fn field_item(&mut self, node: &ast::FieldDecl) -> Option<()> {
        let field_ty = self.type_of(&node.ty)?;
        let name = self.s.sym_of(&node.name.name);
        if self.scopes.last().is_some_and(|scope| scope.vars.iter().any(|(var, _)| *var == name)) {
            let message = format!("`{}` is a local variable already", node.name.name);
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

    /// Assigns to a field or to some of its bits.
    fn assign(&mut self, rec: &mut Rec, item: &LetValue) -> Option<()> {
        let name = item.name;
        let Some(index) = rec.find(name) else {
            let outer = self.cur.replace(rec.clone());
            let result = self.unknown_field(name, item.name_span);
            self.cur = outer;
            return result;
        };
        let val = rec.vals[index];
        let mut value = item.value;
        if item.mode != ast::LetMode::Set {
            value = self.appended(val, item)?;
        }
        if !item.bits.is_empty() {
            value = self.with_bits(val, item)?;
        } else if self.var_name(value) == Some(name) {
            let text = self.s.text(name).clone();
            let message = format!("`{text}` can't be assigned to itself");
            return self.error(item.span, "self-reference", message);
        }
        let Some(value) = self.field_value(val.ty, value) else {
            let text = self.s.text(name).clone();
            let wanted = self.show_ty(val.ty);
            let found = match self.ty_of(value) {
                Some(of) => format!(" of type `{}`", self.show_ty(of)),
                None => String::new(),
            };
            let shown = self.show(value);
            let message =
                format!("field `{text}` is of type `{wanted}`; `{shown}`{found} does not fit");
            self.report(
                Diagnostic::error("field-type", message).at(item.span).label(val.decl, "the field"),
            );
            return None;
        };
        rec.vals[index].value = value;
        rec.vals[index].span = item.span;
        Some(())
    }

    fn appended(&mut self, val: Val, item: &LetValue) -> Option<Init> {
        if val.value == UNSET {
            return Some(item.value);
        }
        let op = match self.s.ty_node(val.ty) {
            TyNode::List(_) => BangOp::ListConcat,
            TyNode::Str => BangOp::StrConcat,
            TyNode::Dag => BangOp::Con,
            _ => {
                let wanted = self.show_ty(val.ty);
                let message = format!("nothing can be appended to a `{wanted}`");
                return self.error(item.name_span, "field-type", message);
            }
        };
        let pair = match item.mode {
            ast::LetMode::Prepend => [item.value, val.value],
            _ => [val.value, item.value],
        };
        Some(self.fold(op, &pair, val.ty, None, false))
    }

    fn with_bits(&mut self, val: Val, item: &LetValue) -> Option<Init> {
        let text = self.s.text(val.name).clone();
        let Node::Bits(bits) = self.s.node(val.value).clone() else {
            let message = format!("field `{text}` is not of a bits type");
            return self.error(item.name_span, "bit-range", message);
        };
        let width = item.bits.len() as u32;
        let of = self.s.ty(TyNode::Bits(width));
        let Some(value) = self.cast_to(item.value, of) else {
            let message = format!("the value does not fit {width} bits");
            return self.error(item.span, "bit-range", message);
        };
        let mut new: Vec<Init> = bits.to_vec();
        let mut seen = Vec::new();
        // The highest bit is written first.
        for (at, bit) in item.bits.iter().rev().zip(0..) {
            if seen.contains(at) {
                let message = format!("bit {at} of `{text}` is assigned twice");
                return self.error(item.span, "bit-range", message);
            }
            seen.push(*at);
            let bit = self.bit_of(value, bit);
            let Some(slot) = new.get_mut(*at as usize) else {
                let message = format!("`{text}` has no bit {at}");
                return self.error(item.span, "bit-range", message);
            };
            *slot = bit;
        }
        Some(self.s.add(Node::Bits(new.into())))
    }

    /// A condition with its message, or a message to print.
    pub(crate) fn check(&mut self, cond: Option<&ast::Expr>, message: &ast::Expr) -> Option<Check> {
        let span = cond.map_or(message.span, |cond| cond.span);
        let cond = match cond {
            Some(cond) => Some(self.expr(cond, None, Mode::Value)?),
            None => None,
        };
        let message = self.expr(message, None, Mode::Value)?;
        Some(Check { span, cond, message })
    }

    /// Reports a condition that does not hold; prints a message.
    pub(crate) fn run_check(&mut self, check: &Check, record: Option<Span>) {
        let message = self.show_unquoted(check.message);
        let Some(cond) = check.cond else {
            self.diagnostics.push(Diagnostic::info("dump", message).at(check.span));
            return;
        };
        let diagnostic = match self.as_int(cond) {
            Some(0) => Diagnostic::error("assertion", message),
            Some(_) => return,
            None => {
                let shown = self.show(cond);
                Diagnostic::error("assertion", format!("the condition `{shown}` is not known"))
            }
        };
        let mut diagnostic = diagnostic.at(check.span);
        if let Some(record) = record.filter(|record| *record != check.span) {
            diagnostic = diagnostic.label(record, "in this record");
        }
        self.report(diagnostic);
    }

    /// Finishes a definition and makes it known.
    pub(crate) fn add_def(&mut self, mut rec: Rec) -> Option<RecId> {
        let here = rec.span().unwrap_or(self.here);
        let here = std::mem::replace(&mut self.here, here);
        let mut new_name = None;
        let name = match *self.s.node(rec.name) {
            Node::AnonName(number) => Some(self.anon_text(number)),
            _ => Some(rec.name),
        };
        let name = name.and_then(|name| self.s.str_of(name));
        if let Some(before) = name.and_then(|name| self.def_names.get(&name)) {
            if rec.kind != RecKind::Anonymous {
                let before = self.recs[before.0 as usize].span();
                let message = format!("`{}` is already defined", self.show_unquoted(rec.name));
                let mut diagnostic =
                    Diagnostic::error("duplicate-definition", message).at(self.here);
                if let Some(before) = before.filter(|before| *before != self.here) {
                    diagnostic = diagnostic.label(before, "here");
                }
                for origin in rec.spans.iter().skip(1) {
                    diagnostic = diagnostic.label(*origin, "instantiated here");
                }
                self.report(diagnostic);
                self.here = here;
                return None;
            }
            new_name = Some(self.new_anon());
        }
        let id = RecId(self.recs.len() as u32);
        rec.id = Some(id);
        self.recs.push(rec.clone());
        let errors = self.errors;
        let mut rec = self.resolve_own(rec, new_name);
        rec.broken |= self.errors > errors;
        let result = self.finish_def(rec, id);
        self.here = here;
        result
    }

    fn finish_def(&mut self, rec: Rec, id: RecId) -> Option<RecId> {
        let Some(name) = self.s.str_of(rec.name) else {
            let shown = self.show(rec.name);
            let message = format!("the name `{shown}` could not be resolved");
            let here = self.here;
            return self.error(here, "definition-name", message);
        };
        if !rec.broken {
            for index in 0..rec.vals.len() {
                if self.field_is_concrete(&rec, index) {
                    continue;
                }
                let val = rec.vals[index];
                let (field, value) = (self.s.text(val.name).clone(), self.show(val.value));
                let owner = self.s.text(name).clone();
                let message =
                    format!("field `{field}` of `{owner}` could not be resolved: `{value}`");
                let mut diagnostic = Diagnostic::error("unresolved-field", message).at(self.here);
                if val.span != self.here {
                    diagnostic = diagnostic.label(val.span, "the value");
                }
                self.report(diagnostic);
            }
        }
        let checks = rec.checks.clone();
        let span = rec.span();
        self.recs[id.0 as usize] = rec;
        for index in self.open_defsets.clone() {
            let element = self.defsets[index].element;
            let of = self.def_ty(id);
            if self.is_a(of, element) {
                self.defsets[index].items.push(id);
                continue;
            }
            let (of, wanted) = (self.show_ty(of), self.show_ty(element));
            let message = format!("a record of type `{of}` in a defset of `{wanted}`");
            let diagnostic = Diagnostic::error("defset-type", message).at(self.here);
            self.report(diagnostic.label(self.defsets[index].span, "the defset"));
        }
        self.def_names.insert(name, id);
        self.order.push(id);
        for check in &checks {
            self.run_check(check, span);
        }
        Some(id)
    }

    /// The term of a class with arguments that are not all known.
    pub(crate) fn instance(
        &mut self,
        class: ClassId,
        args: Vec<(ArgKey, Init)>,
        span: Span,
    ) -> Init {
        let init = self.s.add(Node::Instance(class, args.into()));
        self.instance_spans.entry(init).or_insert(span);
        init
    }

    /// The anonymous record of a class with known arguments: the same for the same arguments.
    pub(crate) fn instantiate(
        &mut self,
        class: ClassId,
        args: Vec<(ArgKey, Init)>,
        span: Span,
    ) -> Init {
        let term = self.s.add(Node::Instance(class, args.clone().into()));
        let key = self.s.canon(term);
        if let Some(id) = self.instances.get(&key) {
            let id = *id;
            return self.s.add(Node::Def(id));
        }
        let name = self.new_anon();
        let cur = Cur { name, id: None, span: Some(span) };
        if !self.enter(Some(cur)) {
            return term;
        }
        let base = self.class(class).clone();
        let mut rec = Rec::new(name, RecKind::Anonymous, span);
        rec.broken = base.broken;
        rec.vals = base.vals.iter().filter(|val| val.kind != ValKind::Param).copied().collect();
        rec.checks.clone_from(&base.checks);
        let mut map = MapLookup::new(Some(cur));
        for param in &base.params {
            if let Some(val) = base.get(*param) {
                map.set(*param, val.value);
            }
        }
        for (key, value) in args {
            let param = match key {
                ArgKey::Pos(index) => base.params.get(index as usize).copied(),
                ArgKey::Named(name) => Some(name),
            };
            if let Some(param) = param {
                map.set(param, value);
            }
        }
        self.resolve_rec(&mut rec, &mut map);
        rec.direct.push((class, span));
        rec.supers.extend(base.supers.iter().copied());
        rec.supers.push((class, span));
        let id = RecId(self.recs.len() as u32);
        rec.id = Some(id);
        self.recs.push(rec.clone());
        let rec = self.resolve_own(rec, None);
        let (checks, own_name) = (rec.checks.clone(), self.s.str_of(rec.name));
        self.recs[id.0 as usize] = rec;
        self.order.push(id);
        if let Some(name) = own_name {
            self.def_names.insert(name, id);
        }
        self.instances.insert(key, id);
        for check in &checks {
            self.run_check(check, Some(span));
        }
        self.leave();
        self.s.add(Node::Def(id))
    }
}
