//! `iree-hal-initialize-devices`: what says which device a global holds becomes code that finds it.

use tegula_ir::text::print_attr;
use tegula_ir::{Attr, Body, InsertPoint, NewOp, OpId, Type, ValueId};
use tegula_pass::{Changed, PassCx, PassResult};
use tegula_rewrite::Rewriter;

use crate::host;

/// Runs the pass on one symbol of the module. The global is a new symbol, and the initializer behind
/// it takes its place.
pub(crate) fn run(cx: &mut PassCx<'_>, body: &mut Body, root: OpId) -> PassResult {
    let value = body.attr(root, "initial_value").filter(|_| body.is(root, "util.global"));
    let (Some(value), Some(name)) = (value, body.symbol_name(root)) else {
        return Ok(Changed::No);
    };
    if !finds_device(value) {
        return Ok(Changed::No);
    }
    let loc = body.loc(root);
    let Some(mut made) = host::initializer(cx.registry, loc) else { return Ok(Changed::No) };
    let at = made.end();
    let mut build = Build { rw: cx.rewriter(&mut made.body), at };
    let Some(device) = build.device(value) else {
        let message = format!("`{}` names no device", print_attr(cx.registry, value));
        return Err(cx.error(body, root, "unknown-device", message));
    };
    let nothing = build.nothing();
    let is_missing = build.equal(device, nothing);
    let missing = build.branch(is_missing, None);
    let mut fail = build.within(missing.0);
    let status = fail.number(host::INCOMPATIBLE, Type::int(32));
    let text = print_attr(cx.registry, value);
    let what = text.strip_suffix(" : !hal.device").unwrap_or(&text);
    let message = format!("HAL device `{name}` not found or unavailable: {what}");
    let check = NewOp::new("util.status.check_ok").operand(status);
    fail.op(check.attr("message", Attr::string(&message)));
    fail.op(NewOp::new("scf.yield"));
    host::store(&mut build.rw, at, device, name);
    host::give(&mut build.rw, at, &[]);

    cx.rewriter(body).remove_attr(root, "initial_value");
    let global = std::mem::replace(body, made.body);
    cx.emit(global);
    Ok(Changed::Yes)
}

/// Whether a value says how to find a device.
fn finds_device(value: Attr) -> bool {
    let kinds = ["target", "ordinal", "fallback", "select"];
    kinds.iter().any(|kind| value.dialect_params(&format!("hal.device.{kind}")).is_some())
}

/// Makes ops at a place.
struct Build<'a> {
    rw: Rewriter<'a>,
    at: InsertPoint,
}

impl Build<'_> {
    fn op(&mut self, new: NewOp) -> OpId {
        self.rw.insert(self.at, new)
    }

    fn value(&mut self, new: NewOp) -> ValueId {
        self.rw.insert_value(self.at, new)
    }

    fn number(&mut self, value: i128, ty: Type) -> ValueId {
        host::number(&mut self.rw, self.at, value, ty)
    }

    fn nothing(&mut self) -> ValueId {
        host::nothing(&mut self.rw, self.at, device_type())
    }

    fn equal(&mut self, a: ValueId, b: ValueId) -> ValueId {
        self.value(NewOp::new("util.cmp.eq").operands([a, b]).result(Type::int(1)))
    }

    fn binary(&mut self, name: &str, a: ValueId, b: ValueId) -> ValueId {
        let ty = self.rw.body.ty(a);
        self.value(NewOp::new(name).operands([a, b]).result(ty))
    }

    fn compare(&mut self, predicate: i128, a: ValueId, b: ValueId) -> ValueId {
        let predicate = Attr::int(predicate, Type::int(64));
        let new = NewOp::new("arith.cmpi").operands([a, b]).attr("predicate", predicate);
        self.value(new.result(Type::int(1)))
    }

    fn select(&mut self, condition: ValueId, yes: ValueId, no: ValueId) -> ValueId {
        let ty = self.rw.body.ty(yes);
        self.value(NewOp::new("arith.select").operands([condition, yes, no]).result(ty))
    }

    /// A conditional: where its two regions are filled, and what it gives. One without a type has
    /// nothing to do otherwise.
    fn branch(&mut self, condition: ValueId, ty: Option<Type>) -> (InsertPoint, InsertPoint, OpId) {
        let mut new = NewOp::new("scf.if").operand(condition).regions(2);
        new = match ty {
            Some(ty) => new.result(ty),
            None => new,
        };
        let op = self.op(new);
        let (yes, no) = (self.rw.body.regions(op)[0], self.rw.body.regions(op)[1]);
        let yes = InsertPoint::End(self.rw.append_block(yes, &[]));
        let no = match ty {
            Some(_) => InsertPoint::End(self.rw.append_block(no, &[])),
            None => yes,
        };
        (yes, no, op)
    }

    fn within(&mut self, at: InsertPoint) -> Build<'_> {
        Build { rw: Rewriter::new(self.rw.body, self.rw.registry), at }
    }

    fn give(&mut self, value: ValueId) {
        self.op(NewOp::new("scf.yield").operand(value));
    }

    /// The device that a value names; none when it names none.
    fn device(&mut self, value: Attr) -> Option<ValueId> {
        if let Some(params) = value.dialect_params("hal.device.ordinal") {
            let ordinal = self.number(params.first()?.as_int()?.into(), Type::index());
            return Some(self.get(ordinal));
        }
        if let Some(params) = value.dialect_params("hal.device.fallback") {
            let name = params.first()?.as_symbol_root()?;
            let (rw, at) = (&mut self.rw, self.at);
            return Some(host::load(rw, at, name.as_str(), device_type(), false));
        }
        if let Some(params) = value.dialect_params("hal.device.select") {
            let nothing = self.nothing();
            return self.first_of(params.first()?.as_array()?, nothing);
        }
        self.matching(value.dialect_params("hal.device.target")?)
    }

    fn get(&mut self, ordinal: ValueId) -> ValueId {
        self.value(NewOp::new("hal.devices.get").operand(ordinal).result(device_type()))
    }

    /// The first of several that is there.
    fn first_of(&mut self, devices: &[Attr], nothing: ValueId) -> Option<ValueId> {
        let (&first, others) = devices.split_first()?;
        let device = self.device(first)?;
        if others.is_empty() {
            return Some(device);
        }
        let is_missing = self.equal(device, nothing);
        let (missing, found, op) = self.branch(is_missing, Some(device_type()));
        let mut inner = self.within(missing);
        let other = inner.first_of(others, nothing)?;
        inner.give(other);
        self.within(found).give(device);
        Some(self.rw.body.result(op, 0))
    }

    /// Goes through the devices of the runtime to the one that a target means: of those that match,
    /// the one of the number that its configuration says, or the first.
    fn matching(&mut self, target: &[Attr]) -> Option<ValueId> {
        let [id, configuration, executables] = target else { return None };
        let index = Type::index();
        let types = [index, index, device_type()];
        let zero = self.number(0, index);
        let one = self.number(1, index);
        let nothing = self.nothing();
        let ordinal = configuration.get("ordinal").and_then(|ordinal| ordinal.as_int());
        let ordinal = ordinal.map_or(zero, |ordinal| self.number(ordinal.into(), index));
        let count = self.value(NewOp::new("hal.devices.count").result(index));
        let new = NewOp::new("scf.while").operands([zero, zero, nothing]).results(types);
        let op = self.op(new.regions(2));
        let regions = [self.rw.body.regions(op)[0], self.rw.body.regions(op)[1]];
        let [before, after] = regions.map(|region| self.rw.append_block(region, &types));

        let args = self.rw.body.block_args(before).to_vec();
        let mut go_on = self.within(InsertPoint::End(before));
        let none_yet = go_on.equal(*args.get(2)?, nothing);
        let more = go_on.compare(LESS, *args.first()?, count);
        let both = go_on.binary("arith.andi", none_yet, more);
        go_on.op(NewOp::new("scf.condition").operand(both).operands(args));

        let args = self.rw.body.block_args(after).to_vec();
        let [at, number, _] = args[..] else { return None };
        let mut step = self.within(InsertPoint::End(after));
        let device = step.get(at);
        let fits = step.fits(device, *id, executables.as_array()?)?;
        let is_number = step.compare(EQUAL, number, ordinal);
        let advance = step.select(fits, one, zero);
        let next_number = step.binary("arith.addi", number, advance);
        let found = step.binary("arith.andi", fits, is_number);
        let chosen = step.select(found, device, nothing);
        let next = step.binary("arith.addi", at, one);
        step.op(NewOp::new("scf.yield").operands([next, next_number, chosen]));
        Some(self.rw.body.result(op, 2))
    }

    /// Whether a device is of a kind and can run code of one of the formats.
    fn fits(&mut self, device: ValueId, id: Attr, executables: &[Attr]) -> Option<ValueId> {
        let pattern = match id.as_str()? {
            // What runs on the host has several drivers.
            "local" => Attr::string("local*"),
            _ => id,
        };
        let is_kind = self.query(device, "hal.device.id", pattern);
        if executables.is_empty() {
            return Some(is_kind);
        }
        let (yes, no, op) = self.branch(is_kind, Some(Type::int(1)));
        let mut inner = self.within(yes);
        let mut any = None;
        for executable in executables {
            let format = *executable.dialect_params("hal.executable.target")?.get(1)?;
            let known = inner.query(device, "hal.executable.format", format);
            any = Some(match any {
                Some(any) => inner.binary("arith.ori", any, known),
                None => known,
            });
        }
        inner.give(any?);
        let mut inner = self.within(no);
        let never = inner.number(0, Type::int(1));
        inner.give(never);
        Some(self.rw.body.result(op, 0))
    }

    fn query(&mut self, device: ValueId, category: &str, key: Attr) -> ValueId {
        let query = NewOp::new("hal.device.query")
            .operand(device)
            .attr("category", Attr::string(category))
            .attr("key", key)
            .attr("default_value", Attr::bool(false))
            .results([Type::int(1); 2]);
        let query = self.op(query);
        self.rw.body.result(query, 1)
    }
}

/// The predicates of `arith.cmpi` that are used here.
const EQUAL: i128 = 0;
const LESS: i128 = 2;

fn device_type() -> Type {
    Type::dialect("hal.device", &[])
}
