//! Folding of the operators on dags.

use std::sync::Arc;

use tegula_syntax::BangOp;

use super::Eval;
use super::resolve::Cur;
use super::store::{DagArgNode, DagNode, Init, Node, TyId, UNSET};

impl Eval {
    pub(crate) fn fold_dag(
        &mut self,
        op: BangOp,
        args: &[Init],
        ty: TyId,
        cur: Option<Cur>,
    ) -> Option<Init> {
        match (op, args) {
            (BangOp::Con, [a, b]) => {
                let (first, second) = (self.dag(*a)?, self.dag(*b)?);
                let is_op = |init| init == UNSET || matches!(self.s.node(init), Node::Def(_));
                if !is_op(first.op) || !is_op(second.op) {
                    return None;
                }
                if first.op != UNSET && second.op != UNSET && first.op != second.op {
                    let (first, second) = (self.show(*a), self.show(*b));
                    let message =
                        format!("`!con` of dags with different operators: {first}, {second}");
                    return self.fail("dag-operator", message, cur);
                }
                let op = if first.op == UNSET { second.op } else { first.op };
                let args = first.args.iter().chain(&second.args).copied().collect();
                let op_name = first.op_name.or(second.op_name);
                Some(self.s.add(Node::Dag(Arc::new(DagNode {
                    op,
                    op_name,
                    args,
                    span: first.span,
                }))))
            }
            (BangOp::Dag, [op, values, names]) => {
                let list = |ev: &Self, init: Init| match ev.s.node(init) {
                    Node::List(items, _) => Some(Some(items.clone())),
                    Node::Unset => Some(None),
                    _ => None,
                };
                let (values, names) = (list(self, *values)?, list(self, *names)?);
                let size = match (&values, &names) {
                    (Some(values), Some(names)) if values.len() != names.len() => return None,
                    (Some(items), _) | (None, Some(items)) => items.len(),
                    (None, None) => return None,
                };
                let span = Some(self.here);
                let mut args = Vec::with_capacity(size);
                for at in 0..size {
                    let get = |items: &Option<Arc<[Init]>>| {
                        items.as_ref().and_then(|items| items.get(at)).copied().unwrap_or(UNSET)
                    };
                    let name = get(&names);
                    let name = match self.s.str_of(name) {
                        Some(name) => Some(name),
                        None if name == UNSET => None,
                        None => return None,
                    };
                    args.push(DagArgNode { value: get(&values), name, span });
                }
                let op = *op;
                Some(self.s.add(Node::Dag(Arc::new(DagNode { op, op_name: None, args, span }))))
            }
            (BangOp::GetDagOp, [dag]) => {
                let op = self.dag(*dag)?.op;
                let Some(of) = self.ty_of(op) else { return Some(op) };
                if !self.is_a(of, ty) {
                    let (of, wanted) = (self.show_ty(of), self.show_ty(ty));
                    let message = format!("the dag's operator is of type `{of}`, not `{wanted}`");
                    return self.fail("dag-operator", message, cur);
                }
                Some(op)
            }
            (BangOp::GetDagOpName, [dag]) => {
                let name = self.dag(*dag)?.op_name;
                Some(name.map_or(UNSET, |name| self.s.add(Node::Str(name))))
            }
            (BangOp::SetDagOp, [dag, op]) => {
                let dag = self.dag(*dag)?;
                let is_def = matches!(self.s.node(*op), Node::Def(_));
                is_def
                    .then(|| self.s.add(Node::Dag(Arc::new(DagNode { op: *op, ..(*dag).clone() }))))
            }
            (BangOp::SetDagOpName, [dag, name]) => {
                let (dag, name) = (self.dag(*dag)?, self.s.str_of(*name)?);
                let new = DagNode { op_name: Some(name), ..(*dag).clone() };
                Some(self.s.add(Node::Dag(Arc::new(new))))
            }
            (BangOp::GetDagArg, [dag, key]) => {
                let (node, at) = self.dag_arg(*dag, *key, cur)?;
                let value = node.args.get(at)?.value;
                let Some(of) = self.ty_of(value) else { return Some(value) };
                Some(if self.is_a(of, ty) { value } else { UNSET })
            }
            (BangOp::GetDagName, [dag, key]) => {
                let (node, at) = self.dag_arg(*dag, *key, cur)?;
                let name = node.args.get(at)?.name;
                Some(name.map_or(UNSET, |name| self.s.add(Node::Str(name))))
            }
            (BangOp::SetDagArg, [dag, key, value]) => {
                let (node, at) = self.dag_arg(*dag, *key, cur)?;
                self.replace_arg(&node, at, |arg| arg.value = *value)
            }
            (BangOp::SetDagName, [dag, key, name]) => {
                let (node, at) = self.dag_arg(*dag, *key, cur)?;
                // As in TableGen, a name that is not known yet is none.
                let name = self.s.str_of(*name);
                self.replace_arg(&node, at, |arg| arg.name = name)
            }
            _ => None,
        }
    }

    fn replace_arg(
        &mut self,
        dag: &DagNode,
        at: usize,
        change: impl FnOnce(&mut DagArgNode),
    ) -> Option<Init> {
        let mut new = dag.clone();
        change(new.args.get_mut(at)?);
        Some(self.s.add(Node::Dag(Arc::new(new))))
    }

    fn dag(&self, init: Init) -> Option<Arc<DagNode>> {
        match self.s.node(init) {
            Node::Dag(dag) => Some(dag.clone()),
            _ => None,
        }
    }

    /// The argument of a dag that an index or a name names.
    fn dag_arg(&mut self, dag: Init, key: Init, cur: Option<Cur>) -> Option<(Arc<DagNode>, usize)> {
        let node = self.dag(dag)?;
        if let Some(name) = self.s.str_of(key) {
            if let Some(at) = node.args.iter().position(|arg| arg.name == Some(name)) {
                return Some((node, at));
            }
            let (name, shown) = (self.s.text(name).clone(), self.show(dag));
            return self.fail(
                "dag-argument",
                format!("no argument of {shown} is named `{name}`"),
                cur,
            );
        }
        let at = self.as_int(key)?;
        match usize::try_from(at).ok().filter(|at| *at < node.args.len()) {
            Some(at) => Some((node, at)),
            None => {
                let shown = self.show(dag);
                let message = format!("argument {at} of {shown} does not exist");
                self.fail("dag-argument", message, cur)
            }
        }
    }
}
