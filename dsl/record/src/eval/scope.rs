//! What names stand for.

use tegula_diag::nearest;

use super::Eval;
use super::store::{Init, Node, Sym, ty};

/// What a scope belongs to.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub(crate) enum ScopeKind {
    /// A file, a block, or an operator that binds names.
    #[default]
    Local,
    /// A class or definition: its fields and parameters are in scope.
    Record,
    /// A multiclass: its parameters are in scope.
    Multi,
}

/// The names of one block.
#[derive(Clone, Debug, Default)]
pub(crate) struct Scope {
    pub kind: ScopeKind,
    pub vars: Vec<(Sym, Init)>,
}

impl Eval {
    pub(crate) fn push_scope(&mut self, kind: ScopeKind) {
        self.scopes.push(Scope { kind, vars: Vec::new() });
    }

    pub(crate) fn push_local(&mut self, vars: &[(Sym, Init)]) {
        self.scopes.push(Scope { kind: ScopeKind::Local, vars: vars.to_vec() });
    }

    pub(crate) fn pop_scope(&mut self) {
        self.scopes.pop();
    }

    /// Whether the innermost scope is the file's.
    pub(crate) fn is_outermost(&self) -> bool {
        self.scopes.len() == 1
    }

    /// The innermost variable, field or parameter of a name.
    pub(crate) fn lookup_var(&mut self, name: Sym) -> Option<Init> {
        for index in (0..self.scopes.len()).rev() {
            let scope = &self.scopes[index];
            if let Some((_, value)) = scope.vars.iter().rev().find(|(var, _)| *var == name) {
                return Some(*value);
            }
            let found = match scope.kind {
                ScopeKind::Local => None,
                ScopeKind::Record => self.lookup_in_record(name),
                ScopeKind::Multi => self.lookup_in_multi(name),
            };
            if found.is_some() {
                return found;
            }
        }
        None
    }

    fn lookup_in_record(&mut self, name: Sym) -> Option<Init> {
        let cur = self.cur.as_ref()?;
        if let Some(val) = cur.get(name) {
            let ty = val.ty;
            return Some(self.s.add(Node::Var(name, ty)));
        }
        let class = cur.class?;
        let text = format!("{}:{}", self.class_name(class), self.s.text(name));
        self.param(&text, name, |ev, sym| ev.cur.as_ref()?.get(sym).map(|val| val.ty))
    }

    fn lookup_in_multi(&mut self, name: Sym) -> Option<Init> {
        let multi = self.multi?;
        let text = format!("{}::{}", self.s.text(multi), self.s.text(name));
        self.param(&text, name, |ev, sym| ev.multis.get(&multi)?.rec.get(sym).map(|val| val.ty))
    }

    fn param(
        &mut self,
        qualified: &str,
        name: Sym,
        find: impl Fn(&Self, Sym) -> Option<super::store::TyId>,
    ) -> Option<Init> {
        if &**self.s.text(name) == "NAME" {
            let sym = self.s.sym(qualified);
            return Some(self.s.add(Node::Var(sym, ty::STR)));
        }
        let sym = self.s.find_sym(qualified)?;
        let ty = find(self, sym)?;
        self.used_params.insert(sym);
        Some(self.s.add(Node::Var(sym, ty)))
    }

    /// The definition or global variable of a name.
    pub(crate) fn global(&mut self, name: Sym) -> Option<Init> {
        if let Some(id) = self.def_names.get(&name) {
            let id = *id;
            return Some(self.s.add(Node::Def(id)));
        }
        self.globals.get(&name).copied()
    }

    /// The qualified name of `NAME` in a multiclass.
    pub(crate) fn multi_name(&mut self, multi: Sym) -> Sym {
        let text = format!("{}::NAME", self.s.text(multi));
        self.s.sym(&text)
    }

    pub(crate) fn nearest_def(&self, name: &str) -> Option<String> {
        let mut names: Vec<&str> = self.def_names.keys().map(|sym| &**self.s.text(*sym)).collect();
        names.sort_unstable();
        nearest(name, names).map(str::to_owned)
    }

    /// The name in scope that is nearest to an unknown one.
    pub(crate) fn nearest_name(&self, name: &str) -> Option<String> {
        let mut names: Vec<&str> = Vec::new();
        for scope in self.scopes.iter().rev() {
            names.extend(scope.vars.iter().map(|(sym, _)| &**self.s.text(*sym)));
        }
        if let Some(cur) = &self.cur {
            names.extend(cur.vals.iter().map(|val| {
                let text = self.s.text(val.name);
                text.rsplit(':').next().unwrap_or(text)
            }));
        }
        if let Some(multi) = self.multi.and_then(|multi| self.multis.get(&multi)) {
            names.extend(multi.rec.params.iter().map(|name| {
                let text = self.s.text(*name);
                text.rsplit(':').next().unwrap_or(text)
            }));
        }
        let mut globals: Vec<&str> = self
            .def_names
            .keys()
            .chain(self.globals.keys())
            .map(|sym| &**self.s.text(*sym))
            .collect();
        globals.sort_unstable();
        nearest(name, names.into_iter().chain(globals)).map(str::to_owned)
    }
}
