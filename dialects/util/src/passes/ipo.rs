//! `iree-util-ipo`: functions take and give only what they and their callers do not know.

use std::collections::BTreeMap;

use tegula_ir::{
    Attr, Body, InsertPoint, Module, NewOp, OpId, OpName, Registry, Type, TypeData, ValueId,
    ValueKind,
};
use tegula_pass::{Changed, PassCx, PassResult};
use tegula_rewrite::Rewriter;

use crate::globals::{Site, is_callable};
use crate::references::{each_in_attr, each_in_body};

/// Runs the pass. All functions are looked at before the first one is edited.
pub fn run(cx: &mut PassCx<'_>, module: &mut Module) -> PassResult {
    let functions = functions_of(cx.registry, module);
    let mut changed = Changed::No;
    for mut function in functions {
        changed |= function.narrow(cx, module);
        for at in 0..function.calls.len() {
            changed |= function.narrow_call(cx, module, at);
        }
        if function.is_empty(module) {
            for call in &function.calls {
                Rewriter::new(&mut module.bodies[call.body], cx.registry).erase(call.op);
            }
            let body = &mut module.bodies[function.site.body];
            Rewriter::new(body, cx.registry).erase(function.site.op);
            changed = Changed::Yes;
        }
    }
    module.bodies.retain(|body| body.root().is_some());
    Ok(changed)
}

/// A value that is the same wherever it is made: a constant, or a global that does not change.
#[derive(Clone)]
struct Known {
    op: OpName,
    attrs: Attr,
    ty: Type,
    loc: Attr,
}

impl Known {
    fn of(registry: &Registry, body: &Body, value: ValueId) -> Option<Known> {
        let op = body.defining_op(value)?;
        let constant = registry.op(body.name(op)).is_some_and(|info| info.constant_like);
        let global = body.is(op, "util.global.load") && body.attr(op, "is_immutable").is_some();
        let known = Known {
            op: body.name(op),
            attrs: body.attrs(op),
            ty: body.ty(value),
            loc: body.loc(op),
        };
        (constant || global).then_some(known)
    }

    fn is(&self, other: &Known) -> bool {
        (self.op, self.attrs, self.ty) == (other.op, other.attrs, other.ty)
    }

    fn make(&self, rw: &mut Rewriter<'_>, at: InsertPoint) -> ValueId {
        let new = NewOp::new(self.op.as_str()).attrs(self.attrs).result(self.ty).loc(self.loc);
        rw.insert_value(at, new)
    }
}

/// What becomes of an argument or a result.
#[derive(Clone)]
enum Fate {
    Stays,
    /// Nobody looks at it.
    Unused,
    /// It is always this.
    Is(Known),
    /// It is the same as an earlier one.
    SameAs(usize),
    /// A result that is an argument.
    Passed(usize),
}

impl Fate {
    fn goes(&self) -> bool {
        !matches!(self, Fate::Stays)
    }
}

/// A function all of whose calls are known.
struct Function {
    site: Site,
    calls: Vec<Site>,
    args: Vec<Fate>,
    results: Vec<Fate>,
}

fn functions_of(registry: &Registry, module: &Module) -> Vec<Function> {
    let mut calls: BTreeMap<&'static str, Option<Vec<Site>>> = BTreeMap::new();
    for (at, body) in module.bodies.iter().enumerate() {
        let Some(root) = body.root() else { continue };
        let runs = is_callable(registry, body, root);
        each_in_body(body, root, &mut |op, path| {
            let known = calls.entry(path.root()).or_insert_with(|| Some(Vec::new()));
            match known {
                Some(known) if runs && body.is(op, "util.call") => {
                    known.push(Site { body: at, op });
                }
                _ => *known = None,
            }
        });
    }
    each_in_attr(module.attrs, &mut |path| {
        calls.insert(path.root(), None);
    });
    let function = |(at, body): (usize, &Body)| {
        let root = body.root().filter(|&root| body.is(root, "util.func"))?;
        let private = body.attr(root, "sym_visibility").and_then(Attr::as_str) == Some("private");
        let known = private
            && body.region_entry(root, 0).is_some()
            && body.attr(root, "tied_operands").is_none_or(|tied| !ties(tied));
        let calls = match calls.get(body.symbol_name(root)?) {
            Some(calls) => calls.clone()?,
            None => Vec::new(),
        };
        known.then(|| Function::of(registry, module, Site { body: at, op: root }, calls))
    };
    module.bodies.iter().enumerate().filter_map(function).collect()
}

/// Whether a result is tied.
fn ties(tied: Attr) -> bool {
    let indices = tied.as_array().unwrap_or_default().iter();
    indices.filter_map(|index| index.as_int()).any(|index| index >= 0)
}

impl Function {
    fn of(registry: &Registry, module: &Module, site: Site, calls: Vec<Site>) -> Function {
        let body = &module.bodies[site.body];
        let entry = body.region_entry(site.op, 0);
        let args: &[ValueId] = entry.map_or(&[], |entry| body.block_args(entry));
        let returns: Vec<Vec<ValueId>> = (body.walk(site.op))
            .filter(|&op| body.is(op, "util.return"))
            .map(|op| body.operands(op).collect())
            .collect();
        let passed: Vec<Vec<ValueId>> =
            calls.iter().map(|call| module.bodies[call.body].operands(call.op).collect()).collect();
        let count = body.attr(site.op, "function_type").and_then(Attr::as_type);
        let count = match count.map(Type::data) {
            Some(TypeData::Function { results, .. }) => results.len(),
            _ => 0,
        };

        let results: Vec<Fate> = (0..count)
            .map(|at| {
                let is_used = |call: &Site| {
                    let body = &module.bodies[call.body];
                    !body.is_unused(body.result(call.op, at))
                };
                if !calls.is_empty() && !calls.iter().any(is_used) {
                    return Fate::Unused;
                }
                let value = always(&returns, at);
                if let Some(known) = value.and_then(|value| Known::of(registry, body, value)) {
                    return Fate::Is(known);
                }
                if let Some(earlier) = same(&returns, at) {
                    return Fate::SameAs(earlier);
                }
                match value.map(|value| body.definition(value)) {
                    Some(ValueKind::Arg(block, index)) if Some(block) == entry => {
                        Fate::Passed(index as usize)
                    }
                    _ => Fate::Stays,
                }
            })
            .collect();

        let same_as: Vec<Option<usize>> = (0..args.len()).map(|at| same(&passed, at)).collect();
        // What is only returned, the callers have.
        let only_returned = |&arg: &ValueId| {
            let gives = |result: &usize| returns.iter().any(|v| v.get(*result) == Some(&arg));
            body.users(arg).all(|user| body.is(user, "util.return"))
                && (0..count).filter(gives).all(|result| always(&returns, result) == Some(arg))
        };
        let mut used: Vec<bool> = args.iter().map(|arg| !only_returned(arg)).collect();
        for (at, earlier) in same_as.iter().enumerate() {
            if let Some(earlier) = *earlier
                && used[at]
            {
                used[earlier] = true;
            }
        }
        let known = |at: usize| -> Option<Known> {
            let values = calls.iter().zip(&passed);
            let mut known = values.map(|(call, values)| {
                Known::of(registry, &module.bodies[call.body], *values.get(at)?)
            });
            let first = known.next()??;
            known.all(|other| other.is_some_and(|other| other.is(&first))).then_some(first)
        };
        let args = (0..args.len())
            .map(|at| match (used[at], known(at), same_as[at]) {
                (false, ..) => Fate::Unused,
                (_, Some(known), _) => Fate::Is(known),
                (_, _, Some(earlier)) => Fate::SameAs(earlier),
                _ => Fate::Stays,
            })
            .collect();
        Function { site, calls, args, results }
    }

    /// Edits the function itself.
    fn narrow(&self, cx: &PassCx<'_>, module: &mut Module) -> Changed {
        if !self.args.iter().chain(&self.results).any(Fate::goes) {
            return Changed::No;
        }
        let op = self.site.op;
        let mut rw = Rewriter::new(&mut module.bodies[self.site.body], cx.registry);
        let Some(entry) = rw.body.region_entry(op, 0) else { return Changed::No };
        let args = rw.body.block_args(entry).to_vec();
        let first = rw.body.first_op(entry);
        for (fate, &arg) in self.args.iter().zip(&args) {
            match fate {
                Fate::Is(known) => {
                    let at = first.map_or(InsertPoint::Start(entry), InsertPoint::Before);
                    let value = known.make(&mut rw, at);
                    rw.replace_all_uses(arg, value);
                }
                Fate::SameAs(earlier) => rw.replace_all_uses(arg, args[*earlier]),
                _ => {}
            }
        }
        let returns: Vec<OpId> =
            rw.body.walk(op).filter(|&op| rw.body.is(op, "util.return")).collect();
        for at in returns {
            let values: Vec<ValueId> = rw.body.operands(at).collect();
            rw.set_operands(at, &staying(&self.results, &values));
        }
        for (at, _) in self.args.iter().enumerate().rev().filter(|(_, fate)| fate.goes()) {
            rw.remove_block_arg(entry, at);
        }
        let ty = rw.body.attr(op, "function_type").and_then(Attr::as_type);
        if let Some(TypeData::Function { inputs, results }) = ty.map(Type::data) {
            let ty = Type::function(&staying(&self.args, inputs), &staying(&self.results, results));
            rw.set_attr(op, "function_type", Attr::ty(ty));
        }
        for (name, fates) in [("arg_attrs", &self.args), ("res_attrs", &self.results)] {
            if let Some(attrs) = rw.body.attr(op, name).and_then(Attr::as_array) {
                rw.set_attr(op, name, Attr::array(&staying(fates, attrs)));
            }
        }
        rw.remove_attr(op, "tied_operands");
        Changed::Yes
    }

    /// Edits a call of it.
    fn narrow_call(&mut self, cx: &PassCx<'_>, module: &mut Module, at: usize) -> Changed {
        if !self.args.iter().chain(&self.results).any(Fate::goes) {
            return Changed::No;
        }
        let site = self.calls[at];
        let call = site.op;
        let mut rw = Rewriter::new(&mut module.bodies[site.body], cx.registry);
        let operands: Vec<ValueId> = rw.body.operands(call).collect();
        let results: Vec<ValueId> = rw.body.results(call).collect();
        let next = rw.body.next_op(call);
        for (fate, &result) in self.results.iter().zip(&results) {
            match fate {
                Fate::Is(known) => {
                    let at = next.map_or(InsertPoint::After(call), InsertPoint::Before);
                    let value = known.make(&mut rw, at);
                    rw.replace_all_uses(result, value);
                }
                Fate::SameAs(earlier) => rw.replace_all_uses(result, results[*earlier]),
                Fate::Passed(arg) => rw.replace_all_uses(result, operands[*arg]),
                Fate::Stays | Fate::Unused => {}
            }
        }
        let kept = staying(&self.results, &results);
        let mut new = NewOp::new("util.call")
            .operands(staying(&self.args, &operands))
            .attr_opt("callee", rw.body.attr(call, "callee"))
            .loc(rw.body.loc(call));
        for &(name, attr) in rw.body.attr_entries(call) {
            if name.as_str().contains('.') {
                new = new.entry(name, attr);
            }
        }
        for &result in &kept {
            new = new.result(rw.body.ty(result));
        }
        let new = rw.insert(InsertPoint::Before(call), new);
        for (index, &old) in kept.iter().enumerate() {
            let value = rw.body.result(new, index);
            rw.replace_all_uses(old, value);
        }
        rw.erase(call);
        self.calls[at].op = new;
        Changed::Yes
    }

    /// Whether it does nothing at all.
    fn is_empty(&self, module: &Module) -> bool {
        let body = &module.bodies[self.site.body];
        let region = body.region(self.site.op, 0);
        let mut blocks = region.into_iter().flat_map(|region| body.blocks(region));
        let (Some(entry), None) = (blocks.next(), blocks.next()) else { return false };
        let last = body.last_op(entry);
        body.block_args(entry).is_empty()
            && last == body.first_op(entry)
            && last.is_some_and(|op| body.num_operands(op) == 0)
    }
}

/// Those that stay.
fn staying<T: Copy>(fates: &[Fate], all: &[T]) -> Vec<T> {
    fates.iter().zip(all).filter(|(fate, _)| !fate.goes()).map(|(_, &one)| one).collect()
}

/// The value that each list has at a place, when it is the same in all.
fn always(lists: &[Vec<ValueId>], at: usize) -> Option<ValueId> {
    let mut values = lists.iter().map(|values| values.get(at).copied());
    let first = values.next()??;
    values.all(|other| other == Some(first)).then_some(first)
}

/// The first earlier place where each list has what it has at a place.
fn same(lists: &[Vec<ValueId>], at: usize) -> Option<usize> {
    let holds = |earlier: &usize| lists.iter().all(|values| values.get(*earlier) == values.get(at));
    if lists.is_empty() { None } else { (0..at).find(holds) }
}
