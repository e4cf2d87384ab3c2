//! Terms as TableGen prints them.

use std::fmt::Write;

use tegula_syntax::BangOp;

use super::Eval;
use super::record::Rec;
use super::store::{ArgKey, Init, Node};

impl Eval {
    /// The text of a term.
    pub(crate) fn show(&self, init: Init) -> String {
        let mut out = String::new();
        self.write(&mut out, init);
        out
    }

    /// The text of a term; a string stands for itself, without quotes.
    pub(crate) fn show_unquoted(&self, init: Init) -> String {
        match self.s.str_of(init) {
            Some(text) => self.s.text(text).to_string(),
            None => self.show(init),
        }
    }

    fn write_all(&self, out: &mut String, items: impl IntoIterator<Item = Init>) {
        for (index, item) in items.into_iter().enumerate() {
            if index > 0 {
                out.push_str(", ");
            }
            self.write(out, item);
        }
    }

    fn write(&self, out: &mut String, init: Init) {
        // Writing to a string can't fail.
        match self.s.node(init) {
            Node::Unset => out.push('?'),
            Node::Bit(bit) => out.push(if *bit { '1' } else { '0' }),
            Node::Int(value) => {
                let _ = write!(out, "{value}");
            }
            Node::Str(text) => {
                let _ = write!(out, "\"{}\"", self.s.text(*text));
            }
            Node::Code(text) => {
                let _ = write!(out, "[{{{}}}]", self.s.text(*text));
            }
            Node::AnonName(number) => {
                let _ = write!(out, "anonymous_{number}");
            }
            Node::Bits(bits) => {
                out.push_str("{ ");
                self.write_all(out, bits.iter().rev().copied());
                out.push_str(" }");
            }
            Node::List(items, _) => {
                out.push('[');
                self.write_all(out, items.iter().copied());
                out.push(']');
            }
            Node::Dag(dag) => {
                out.push('(');
                self.write(out, dag.op);
                if let Some(name) = dag.op_name {
                    let _ = write!(out, ":${}", self.s.text(name));
                }
                for (index, arg) in dag.args.iter().enumerate() {
                    out.push_str(if index > 0 { ", " } else { " " });
                    self.write(out, arg.value);
                    if let Some(name) = arg.name {
                        let _ = write!(out, ":${}", self.s.text(name));
                    }
                }
                out.push(')');
            }
            Node::Def(id) => out.push_str(&self.show_unquoted(self.recs[id.0 as usize].name)),
            Node::Instance(class, args) => {
                out.push_str(self.class_name(*class));
                out.push('<');
                for (index, (key, arg)) in args.iter().enumerate() {
                    if index > 0 {
                        out.push_str(", ");
                    }
                    let _ = match key {
                        ArgKey::Pos(index) => write!(out, "{index}: "),
                        ArgKey::Named(name) => write!(out, "\"{}\": ", self.s.text(*name)),
                    };
                    self.write(out, *arg);
                }
                out.push('>');
            }
            Node::Var(name, _) => out.push_str(self.s.text(*name)),
            Node::BitOf(of, at) => {
                self.write(out, *of);
                let _ = write!(out, "{{{at}}}");
            }
            Node::Field(of, name, _) => {
                self.write(out, *of);
                let _ = write!(out, ".{}", self.s.text(*name));
            }
            Node::Elem(list, index, _) | Node::Slice(list, index, _) => {
                self.write(out, *list);
                out.push('[');
                self.write(out, *index);
                out.push(']');
            }
            Node::Cond(clauses, _) => {
                out.push_str("!cond(");
                for (index, (cond, value)) in clauses.iter().enumerate() {
                    if index > 0 {
                        out.push_str(", ");
                    }
                    self.write(out, *cond);
                    out.push_str(": ");
                    self.write(out, *value);
                }
                out.push(')');
            }
            Node::Op(op, args, ty) => {
                if let (BangOp::Range, [first, last]) = (op, &**args) {
                    self.write(out, *first);
                    out.push_str("...");
                    self.write(out, *last);
                    return;
                }
                let _ = write!(out, "!{}", op.name());
                if matches!(
                    op,
                    BangOp::Cast
                        | BangOp::IsA
                        | BangOp::Exists
                        | BangOp::Instances
                        | BangOp::GetDagArg
                ) {
                    let _ = write!(out, "<{}>", self.public_ty(*ty));
                }
                out.push('(');
                self.write_all(out, args.iter().copied());
                out.push(')');
            }
        }
    }

    /// A value as `!repr` shows it: records with their fields.
    pub(crate) fn repr(&self, init: Init) -> String {
        match self.s.node(init) {
            Node::Def(id) => self.show_record(&self.recs[id.0 as usize]),
            _ => self.show(init),
        }
    }

    fn show_record(&self, rec: &Rec) -> String {
        use super::record::ValKind;
        let mut out = self.show_unquoted(rec.name);
        out.push_str(" {");
        for (index, (class, _)) in rec.supers.iter().enumerate() {
            let _ = write!(
                out,
                "{}{}",
                if index == 0 { "\t// " } else { " " },
                self.class_name(*class)
            );
        }
        out.push('\n');
        for wanted in [ValKind::NonconcreteOk, ValKind::Normal] {
            for val in rec.vals.iter().filter(|val| val.kind == wanted) {
                let prefix = if wanted == ValKind::NonconcreteOk { "field " } else { "" };
                let ty = self.public_ty(val.ty);
                let (name, value) = (self.s.text(val.name), self.show(val.value));
                let _ = writeln!(out, "  {prefix}{ty} {name} = {value};");
            }
        }
        out.push_str("}\n");
        out
    }
}
