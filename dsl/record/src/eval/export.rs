//! The evaluator's records as the public ones.

use std::sync::Arc;

use rustc_hash::FxHashMap;
use tegula_diag::Span;

use super::Eval;
use super::record::{Rec, RecKind, Val, ValKind};
use super::store::{ClassId, Init, Node, TyId};
use crate::value::{
    ClassInfo, Dag, DagArg, Defset, Field, FieldMap, ParamInfo, Record, Records, Ty, Value,
};

/// Public values by term, so that they are shared as the terms are.
#[derive(Default)]
struct Shared {
    values: FxHashMap<Init, Value>,
    types: FxHashMap<TyId, Ty>,
}

/// Public classes and records by index, with what they were made of: an evaluation that goes on
/// from an earlier state has the same ones up to there.
#[derive(Default)]
pub(crate) struct Exported {
    classes: Vec<Option<(Arc<Rec>, Arc<ClassInfo>)>>,
    records: Vec<Option<(Arc<Rec>, Arc<Record>)>>,
}

fn known<T>(all: &[Option<(Arc<Rec>, Arc<T>)>], index: usize, rec: &Arc<Rec>) -> Option<Arc<T>> {
    let (from, made) = all.get(index)?.as_ref()?;
    Arc::ptr_eq(from, rec).then(|| made.clone())
}

fn keep<T>(all: &mut Vec<Option<(Arc<Rec>, Arc<T>)>>, index: usize, rec: &Arc<Rec>, made: &Arc<T>) {
    if all.len() <= index {
        all.resize_with(index + 1, || None);
    }
    if let Some(slot) = all.get_mut(index) {
        *slot = Some((rec.clone(), made.clone()));
    }
}

impl Eval {
    /// The result.
    pub(crate) fn finish(&self, exported: &mut Exported) -> Records {
        let mut shared = Shared::default();
        let mut records = Records::default();
        for (index, (rec, sym)) in self.classes.iter().zip(&self.class_syms).enumerate() {
            let name = self.s.text(*sym).clone();
            if let Some(info) = known(&exported.classes, index, rec) {
                records.classes.insert(name, info);
                continue;
            }
            let prefix = format!("{name}:");
            let params = rec.params.iter().filter_map(|param| rec.get(*param));
            let params = params.map(|val| {
                let text = self.s.text(val.name);
                ParamInfo {
                    name: text.strip_prefix(&prefix).unwrap_or(text).into(),
                    ty: self.shared_ty(val.ty, &mut shared),
                    default: self.value(val.value, &mut shared),
                    span: val.decl,
                }
            });
            let info = ClassInfo {
                name: name.clone(),
                span: rec.span().unwrap_or(self.here),
                params: params.collect(),
                superclasses: self.superclasses(&rec.supers),
                fields: self.fields(rec, &mut shared),
            };
            let info = Arc::new(info);
            keep(&mut exported.classes, index, rec, &info);
            records.classes.insert(name, info);
        }
        for id in &self.order {
            let rec = &self.recs[id.0 as usize];
            let Some(name) = self.s.str_of(rec.name) else { continue };
            let name = self.s.text(name).clone();
            if let Some(record) = known(&exported.records, id.0 as usize, rec) {
                records.defs.insert(name, record);
                continue;
            }
            let record = Record {
                name: name.clone(),
                anonymous: rec.kind == RecKind::Anonymous,
                broken: rec.broken,
                span: rec.span().unwrap_or(self.here),
                origins: rec.spans.clone(),
                superclasses: self.superclasses(&rec.supers),
                fields: self.fields(rec, &mut shared),
            };
            let record = Arc::new(record);
            keep(&mut exported.records, id.0 as usize, rec, &record);
            records.defs.insert(name, record);
        }
        for set in &self.defsets {
            let name = self.s.text(set.name).clone();
            let names = set.items.iter().filter_map(|id| {
                Some(self.s.text(self.s.str_of(self.recs[id.0 as usize].name)?).clone())
            });
            let defset = Defset {
                name: name.clone(),
                ty: Ty::List(Arc::new(self.public_ty(set.element))),
                defs: names.collect(),
                span: set.span,
            };
            records.defsets.insert(name, defset);
        }
        records
    }

    fn superclasses(&self, supers: &[(ClassId, Span)]) -> Vec<(Arc<str>, Span)> {
        supers.iter().map(|(class, span)| (self.class_name(*class).clone(), *span)).collect()
    }

    fn fields(&self, rec: &Rec, shared: &mut Shared) -> FieldMap<Field> {
        let mut fields = FieldMap::default();
        for val in rec.vals.iter().filter(|val| val.kind != ValKind::Param) {
            fields.insert(self.s.text(val.name).clone(), self.field(val, shared));
        }
        fields
    }

    fn field(&self, val: &Val, shared: &mut Shared) -> Field {
        Field {
            ty: self.shared_ty(val.ty, shared),
            value: self.value(val.value, shared),
            span: val.span,
            nonconcrete: val.kind == ValKind::NonconcreteOk,
        }
    }

    fn shared_ty(&self, of: TyId, shared: &mut Shared) -> Ty {
        shared.types.entry(of).or_insert_with(|| self.public_ty(of)).clone()
    }

    fn value(&self, init: Init, shared: &mut Shared) -> Value {
        let made = match self.s.node(init) {
            Node::Unset => return Value::Unset,
            Node::Bit(bit) => return Value::Bit(*bit),
            Node::Int(value) => return Value::Int(*value),
            Node::Str(text) => return Value::Str(self.s.text(*text).clone()),
            Node::Code(text) => return Value::Code(self.s.text(*text).clone()),
            Node::Def(id) => {
                return match self.s.str_of(self.recs[id.0 as usize].name) {
                    Some(name) => Value::Def(self.s.text(name).clone()),
                    None => Value::Unresolved(self.show(init).into()),
                };
            }
            _ => shared.values.get(&init).cloned(),
        };
        if let Some(made) = made {
            return made;
        }
        let value = match self.s.node(init).clone() {
            Node::Bits(bits) => {
                let plain: Option<Arc<[Option<bool>]>> = bits
                    .iter()
                    .map(|bit| match self.s.node(*bit) {
                        Node::Unset => Some(None),
                        Node::Bit(bit) => Some(Some(*bit)),
                        _ => None,
                    })
                    .collect();
                match plain {
                    Some(plain) => Value::Bits(plain),
                    None => {
                        Value::MixedBits(bits.iter().map(|bit| self.value(*bit, shared)).collect())
                    }
                }
            }
            Node::BitOf(of, at) => Value::BitOf(self.show(of).into(), at),
            Node::List(items, _) => {
                Value::List(items.iter().map(|item| self.value(*item, shared)).collect())
            }
            Node::Dag(dag) => {
                let span = dag.span.unwrap_or(self.here);
                let args = dag.args.iter().map(|arg| DagArg {
                    value: self.value(arg.value, shared),
                    name: arg.name.map(|name| self.s.text(name).clone()),
                    span: arg.span.unwrap_or(span),
                });
                let args = args.collect();
                Value::Dag(Arc::new(Dag {
                    op: self.value(dag.op, shared),
                    op_name: dag.op_name.map(|name| self.s.text(name).clone()),
                    args,
                    span,
                }))
            }
            _ => Value::Unresolved(self.show(init).into()),
        };
        shared.values.insert(init, value.clone());
        value
    }
}
