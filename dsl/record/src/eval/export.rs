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

/// What a file evaluates to: records, all at once or one by one, so that memory need not hold all.
pub struct Evaluated<'e> {
    /// Nothing when the file could not be read.
    eval: Option<&'e Eval>,
    exported: &'e mut Exported,
}

impl<'e> Evaluated<'e> {
    pub(crate) fn new(eval: Option<&'e Eval>, exported: &'e mut Exported) -> Evaluated<'e> {
        Evaluated { eval, exported }
    }

    /// All records. Those that another file of the same evaluation has too are shared with it.
    pub fn records(&mut self) -> Records {
        self.eval.map(|eval| eval.finish(self.exported)).unwrap_or_default()
    }

    /// The classes by name, each made when it is asked for.
    pub(crate) fn classes(&self) -> impl Iterator<Item = ClassInfo> {
        let mut classes: Vec<(&Arc<str>, &Rec, &Eval)> = Vec::new();
        if let Some(eval) = self.eval {
            let names = eval.class_syms.iter().map(|sym| eval.s.text(*sym));
            classes.extend(names.zip(&eval.classes).map(|(name, rec)| (name, &**rec, eval)));
        }
        classes.sort_unstable_by_key(|class| class.0);
        let mut shared = Shared::default();
        classes.into_iter().map(move |(name, rec, eval)| {
            shared.values.clear();
            eval.class_info(name, rec, &mut shared)
        })
    }

    /// The definitions by name, each made when it is asked for.
    pub(crate) fn defs(&self) -> impl Iterator<Item = Record> {
        let mut shared = Shared::default();
        self.named().into_iter().map(move |(name, rec, eval)| {
            shared.values.clear();
            eval.record(name, rec, &mut shared)
        })
    }

    /// The definitions of each class, both by name.
    pub(crate) fn instances(&self) -> impl Iterator<Item = (&str, Vec<&str>)> {
        let mut classes: Vec<(&str, Vec<&str>)> = Vec::new();
        if let Some(eval) = self.eval {
            classes.extend(eval.class_syms.iter().map(|sym| (&**eval.s.text(*sym), Vec::new())));
        }
        for (name, rec, _) in self.named() {
            for (class, _) in &rec.supers {
                // A class that is reached twice stands there twice.
                if let Some((_, names)) = classes.get_mut(class.0 as usize)
                    && names.last() != Some(&&**name)
                {
                    names.push(name);
                }
            }
        }
        classes.sort_unstable_by_key(|(name, _)| *name);
        classes.into_iter()
    }

    fn named(&self) -> Vec<(&Arc<str>, &Rec, &Eval)> {
        let mut named: Vec<(&Arc<str>, &Rec, &Eval)> = Vec::new();
        if let Some(eval) = self.eval {
            named.extend(eval.named().map(|(_, name, rec)| (name, &**rec, eval)));
        }
        named.sort_unstable_by_key(|def| def.0);
        named
    }
}

impl Eval {
    /// The finished definitions, in the order in which they were finished.
    fn named(&self) -> impl Iterator<Item = (usize, &Arc<str>, &Arc<Rec>)> {
        self.order.iter().filter_map(|id| {
            let rec = self.recs.get(id.0 as usize)?;
            Some((id.0 as usize, self.s.text(self.s.str_of(rec.name)?), rec))
        })
    }

    fn finish(&self, exported: &mut Exported) -> Records {
        let mut shared = Shared::default();
        let mut records = Records::default();
        for (index, (rec, sym)) in self.classes.iter().zip(&self.class_syms).enumerate() {
            let name = self.s.text(*sym);
            let info = known(&exported.classes, index, rec).unwrap_or_else(|| {
                let info = Arc::new(self.class_info(name, rec, &mut shared));
                keep(&mut exported.classes, index, rec, &info);
                info
            });
            records.classes.insert(name.clone(), info);
        }
        for (index, name, rec) in self.named() {
            let record = known(&exported.records, index, rec).unwrap_or_else(|| {
                let record = Arc::new(self.record(name, rec, &mut shared));
                keep(&mut exported.records, index, rec, &record);
                record
            });
            records.defs.insert(name.clone(), record);
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

    fn class_info(&self, name: &Arc<str>, rec: &Rec, shared: &mut Shared) -> ClassInfo {
        let prefix = format!("{name}:");
        let params = rec.params.iter().filter_map(|param| rec.get(*param));
        let params = params.map(|val| {
            let text = self.s.text(val.name);
            ParamInfo {
                name: text.strip_prefix(&prefix).unwrap_or(text).into(),
                ty: self.shared_ty(val.ty, shared),
                default: self.value(val.value, shared),
                span: val.decl,
            }
        });
        ClassInfo {
            name: name.clone(),
            span: rec.span().unwrap_or(self.here),
            params: params.collect(),
            superclasses: self.superclasses(&rec.supers),
            fields: self.fields(rec, shared),
        }
    }

    fn record(&self, name: &Arc<str>, rec: &Rec, shared: &mut Shared) -> Record {
        Record {
            name: name.clone(),
            anonymous: rec.kind == RecKind::Anonymous,
            broken: rec.broken,
            span: rec.span().unwrap_or(self.here),
            origins: rec.spans.clone(),
            superclasses: self.superclasses(&rec.supers),
            fields: self.fields(rec, shared),
        }
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
