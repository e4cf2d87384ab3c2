//! Statements, in order.

use std::sync::Arc;

use tegula_diag::Diagnostic;
use tegula_syntax::ast::{self, Stmt, StmtKind};

use super::expr::Mode;
use super::include::Unit;
use super::multi::Entry;
use super::scope::ScopeKind;
use super::store::TyNode;
use super::{DefsetState, Eval, LetValue};

impl Eval {
    pub(crate) fn stmts(&mut self, stmts: &[Arc<Stmt>], unit: &Unit) {
        for stmt in stmts {
            self.stmt(stmt, unit);
        }
    }

    /// A statement of a unit.
    pub(crate) fn stmt(&mut self, stmt: &Stmt, unit: &Unit) {
        if self.statement_depth == 0 {
            self.overflowed = false;
        }
        self.statement_depth += 1;
        let outer = std::mem::replace(&mut self.here, stmt.span);
        self.stmt_kind(stmt, unit);
        self.here = outer;
        self.statement_depth -= 1;
    }

    fn stmt_kind(&mut self, stmt: &Stmt, unit: &Unit) {
        let incomplete = stmt.incomplete;
        if self.multi.is_some() || !self.loops.is_empty() {
            let what = match &stmt.kind {
                StmtKind::Class(_) => Some("a class"),
                StmtKind::MultiClass(_) => Some("a multiclass"),
                StmtKind::Defset(_) => Some("a defset"),
                StmtKind::Deftype(_) => Some("a deftype"),
                _ => None,
            };
            if let Some(what) = what {
                let message = format!("{what} can't stand in a multiclass, loop or `if`");
                self.error::<()>(stmt.span, "statement-place", message);
                return;
            }
        }
        match &stmt.kind {
            StmtKind::Include(node) => {
                // A file evaluates at the level of the statement that names it; its own
                // statements are top-level ones as far as recovery is concerned.
                if let Some(unit) = unit.included(node.path_span.start) {
                    let depth = std::mem::take(&mut self.statement_depth);
                    self.stmts(&unit.file.items, unit);
                    self.statement_depth = depth;
                }
            }
            StmtKind::Class(node) => self.class_stmt(node, incomplete),
            StmtKind::Def(node) => self.def_stmt(node, incomplete),
            StmtKind::MultiClass(node) => self.multiclass_stmt(node, incomplete, unit),
            StmtKind::Defm(node) => self.defm_stmt(node),
            StmtKind::Defset(node) => self.defset_stmt(node, unit),
            StmtKind::Defvar(node) => {
                if self.defvar_stmt(node).is_none() {
                    let name = self.s.sym_of(&node.name.name);
                    self.failed_names.insert(name);
                }
            }
            StmtKind::Deftype(node) => self.deftype_stmt(node),
            StmtKind::Foreach(node) => self.foreach_stmt(node, stmt.span, unit),
            StmtKind::If(node) => self.if_stmt(node, unit),
            StmtKind::Let(node) => self.let_stmt(node, unit),
            StmtKind::Assert(node) => {
                if let Some(check) = self.check(Some(&node.cond), &node.message) {
                    self.add_entry(Entry::Check(check));
                }
            }
            StmtKind::Dump(node) => {
                if let Some(check) = self.check(None, &node.message) {
                    self.add_entry(Entry::Check(check));
                }
            }
        }
    }

    pub(crate) fn defvar_stmt(&mut self, node: &ast::Defvar) -> Option<()> {
        let name = self.s.sym_of(&node.name.name);
        let local =
            self.scopes.last().is_some_and(|scope| scope.vars.iter().any(|(var, _)| *var == name));
        if local {
            let message = "local variable of this name already exists";
            return self.error(node.name.span, "duplicate-name", message);
        }
        if self.cur.as_ref().is_some_and(|cur| cur.get(name).is_some()) {
            let message = "field of this name already exists";
            return self.error(node.name.span, "duplicate-name", message);
        }
        let outermost = self.is_outermost();
        if outermost && self.global(name).is_some() {
            let message = "def or global variable of this name already exists";
            return self.error(node.name.span, "duplicate-name", message);
        }
        let value = self.expr(&node.value, None, Mode::Value)?;
        if outermost {
            self.globals.insert(name, value);
        } else if let Some(scope) = self.scopes.last_mut() {
            scope.vars.push((name, value));
        }
        Some(())
    }

    fn deftype_stmt(&mut self, node: &ast::Deftype) {
        let name = self.s.sym_of(&node.name.name);
        if self.aliases.contains_key(&name) || self.class_names.contains_key(&name) {
            let message = format!("type of this name '{}' already exists", node.name.name);
            self.error::<()>(node.name.span, "duplicate-class", message);
            return;
        }
        let Some(of) = self.type_of(&node.ty) else {
            self.failed_names.insert(name);
            return;
        };
        if let TyNode::Rec(_) = self.s.ty_node(of) {
            self.error::<()>(node.ty.span, "deftype", "cannot define type alias for class type");
            return;
        }
        self.aliases.insert(name, of);
    }

    fn defset_stmt(&mut self, node: &ast::Defset, unit: &Unit) {
        let name = self.s.sym_of(&node.name.name);
        let element = self.type_of(&node.ty).and_then(|of| match self.element_ty(of) {
            Some(element) => Some(element),
            None => self.error(node.ty.span, "defset-type", "expected list type"),
        });
        if self.global(name).is_some() {
            let message = "def or global variable of this name already exists";
            self.error::<()>(node.name.span, "duplicate-name", message);
        }
        let Some(element) = element else {
            self.failed_names.insert(name);
            self.stmts(&node.body, unit);
            return;
        };
        let index = self.defsets.len();
        self.defsets.push(DefsetState { name, element, items: Vec::new(), span: node.name.span });
        self.open_defsets.push(index);
        self.stmts(&node.body, unit);
        self.open_defsets.pop();
        let ids = self.defsets[index].items.clone();
        let items = ids.into_iter().map(|id| self.s.add(super::store::Node::Def(id))).collect();
        let list = self.s.list(items, element);
        self.globals.insert(name, list);
    }

    fn let_stmt(&mut self, node: &ast::Let, unit: &Unit) {
        let before = self.lets.len();
        for item in &node.items {
            let Some(bits) = self.bit_list(&item.bits) else { continue };
            let Some(value) = self.let_value(&item.value) else { continue };
            let name = self.s.sym_of(&item.name.name);
            self.lets.push(LetValue {
                name,
                name_span: item.name.span,
                bits,
                mode: item.mode,
                value,
                span: item.value.span,
            });
        }
        self.push_scope(ScopeKind::Local);
        self.stmts(&node.body, unit);
        self.pop_scope();
        self.lets.truncate(before);
    }

    /// The value of a `let` around statements. The field and so the type are not known here.
    fn let_value(&mut self, value: &ast::Expr) -> Option<super::store::Init> {
        if let ast::ExprKind::List(items, None) = &value.kind
            && items.is_empty()
        {
            self.report(
                Diagnostic::error("list-type", "the type of this list is not known")
                    .at(value.span)
                    .note("a `let` around statements knows no field; name the type: `[]<int>`"),
            );
            return None;
        }
        self.expr(value, None, Mode::Value)
    }
}
