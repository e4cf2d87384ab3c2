//! Making ops at an insertion point, with constants kept once at the head of the function.

use rustc_hash::FxHashMap;
use tegula_ir::{
    AffineExpr, AffineExprData, AffineMap, AffineOp, Attr, BlockId, Body, DYNAMIC, InsertPoint,
    NewOp, OpId, OpName, Type, ValueId,
};
use tegula_rewrite::Rewriter;

use crate::error::{CpuResult, fail};

const CONSTANT: &str = "arith.constant";

/// An index that is known now or a value that is known at run time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Idx {
    /// A constant.
    Const(i64),
    /// A value of type `index`.
    Value(ValueId),
}

impl Idx {
    /// The value when it is known.
    pub(crate) fn constant(self) -> Option<i64> {
        match self {
            Idx::Const(c) => Some(c),
            Idx::Value(_) => None,
        }
    }

    /// What stands for the index in a list of static sizes.
    pub(crate) fn static_or_dynamic(self) -> i64 {
        self.constant().unwrap_or(DYNAMIC)
    }
}

/// Makes ops through the rewriter. Constants stand at the head of the function's entry block, each
/// once, so that equal constants are equal values.
pub(crate) struct Builder<'r, 'a> {
    pub(crate) rw: &'r mut Rewriter<'a>,
    pub(crate) func: OpId,
    entry: BlockId,
    constants: FxHashMap<Attr, ValueId>,
}

impl<'r, 'a> Builder<'r, 'a> {
    /// A builder for a function that has a body.
    pub(crate) fn new(rw: &'r mut Rewriter<'a>, func: OpId) -> CpuResult<Self> {
        let Some(entry) = rw.body.region_entry(func, 0) else {
            return fail(func, "function-without-body", "the function has no body");
        };
        let mut constants = FxHashMap::default();
        for op in leading_constants(rw.body, entry) {
            if let Some(value) = rw.body.attr(op, "value") {
                constants.entry(value).or_insert(rw.body.result(op, 0));
            }
        }
        let mut builder = Builder { rw, func, entry, constants };
        builder.hoist_constants();
        Ok(builder)
    }

    /// Constants further down move to the head, so that every later op may use any of them. Those
    /// that are there keep their order.
    fn hoist_constants(&mut self) {
        let mut last = leading_constants(self.rw.body, self.entry).last();
        let scattered: Vec<OpId> =
            scattered_constants(self.rw.body, self.func, self.entry).collect();
        for op in scattered {
            let Some(value) = self.rw.body.attr(op, "value") else { continue };
            let result = self.rw.body.result(op, 0);
            match self.constants.get(&value) {
                Some(&first) if first != result => self.rw.replace(op, &[first]),
                _ => {
                    self.constants.insert(value, result);
                    let at = last.map_or(InsertPoint::Start(self.entry), InsertPoint::After);
                    self.rw.move_op(op, at);
                    last = Some(op);
                }
            }
        }
    }

    /// Where the function's own ops begin.
    pub(crate) fn after_constants(&self) -> InsertPoint {
        let last = leading_constants(self.rw.body, self.entry).last();
        last.map_or(InsertPoint::Start(self.entry), InsertPoint::After)
    }

    pub(crate) fn body(&self) -> &Body {
        self.rw.body
    }

    pub(crate) fn entry(&self) -> BlockId {
        self.entry
    }

    /// Sets where ops go.
    pub(crate) fn at(&mut self, at: InsertPoint) {
        self.rw.set_insertion_point(at);
    }

    /// Makes an op.
    pub(crate) fn op(&mut self, new: NewOp) -> OpId {
        self.rw.create(new)
    }

    /// Makes an op with one result.
    pub(crate) fn value(&mut self, new: NewOp) -> ValueId {
        self.rw.create_value(new)
    }

    /// The constant of that attribute.
    pub(crate) fn constant(&mut self, value: Attr, ty: Type) -> ValueId {
        if let Some(&known) = self.constants.get(&value) {
            return known;
        }
        // The function's own location: a constant belongs to no op.
        let loc = self.rw.body.loc(self.func);
        let new = NewOp::new("arith.constant").attr("value", value).result(ty).loc(loc);
        let point = self.rw.insertion_point();
        let made = self.rw.insert_value(InsertPoint::Start(self.entry), new);
        if let Some(InsertPoint::Start(block)) = point
            && block == self.entry
            && let Some(op) = self.rw.body.defining_op(made)
        {
            self.rw.set_insertion_point(InsertPoint::After(op));
        }
        self.constants.insert(value, made);
        made
    }

    /// A constant of type `index`.
    pub(crate) fn index(&mut self, value: i64) -> ValueId {
        self.constant(Attr::index(value), Type::index())
    }

    /// A constant of type `f32`.
    pub(crate) fn f32(&mut self, value: f32) -> ValueId {
        self.constant(Attr::f32(value), Type::f32())
    }

    /// The value of an index.
    pub(crate) fn materialize(&mut self, index: Idx) -> ValueId {
        match index {
            Idx::Const(c) => self.index(c),
            Idx::Value(v) => v,
        }
    }

    /// An index, as a constant when its value is one.
    pub(crate) fn fold(&self, value: ValueId) -> Idx {
        match self.constant_of(value) {
            Some(c) => Idx::Const(c),
            None => Idx::Value(value),
        }
    }

    /// The integer that a constant holds.
    pub(crate) fn constant_of(&self, value: ValueId) -> Option<i64> {
        constant_int(self.rw.body, value)
    }

    /// `index * factor + addend` by `affine.apply`, or what is known of it.
    pub(crate) fn scaled(&mut self, index: Idx, factor: i64, addend: i64) -> Idx {
        match index {
            Idx::Const(c) => Idx::Const(c * factor + addend),
            Idx::Value(v) if factor == 1 && addend == 0 => Idx::Value(v),
            Idx::Value(v) => {
                let expr = linear(0, factor, addend);
                Idx::Value(self.affine("affine.apply", AffineMap::get(1, 0, &[expr]), &[v]))
            }
        }
    }

    /// The sum of two indices.
    pub(crate) fn add(&mut self, a: Idx, b: Idx) -> Idx {
        match (a, b) {
            (Idx::Const(x), Idx::Const(y)) => Idx::Const(x + y),
            (Idx::Const(0), other) | (other, Idx::Const(0)) => other,
            (Idx::Const(c), Idx::Value(v)) | (Idx::Value(v), Idx::Const(c)) => {
                self.scaled(Idx::Value(v), 1, c)
            }
            (Idx::Value(x), Idx::Value(y)) => {
                let sum = AffineExpr::new(AffineExprData::Binary(
                    AffineOp::Add,
                    AffineExpr::dim(0),
                    AffineExpr::dim(1),
                ));
                Idx::Value(self.affine("affine.apply", AffineMap::get(2, 0, &[sum]), &[x, y]))
            }
        }
    }

    /// How much of a tile that begins at `index * factor` lies below `extent`: the smaller of
    /// `tile` and what is left. Known when the tile divides the extent.
    pub(crate) fn clamp(&mut self, index: Idx, factor: i64, tile: i64, extent: i64) -> Idx {
        if extent >= tile && extent % tile == 0 {
            return Idx::Const(tile);
        }
        match index {
            Idx::Const(c) => Idx::Const(tile.min(extent - c * factor)),
            Idx::Value(v) => {
                let left = linear(0, -factor, extent);
                let map = AffineMap::get(1, 0, &[left, AffineExpr::constant(tile)]);
                Idx::Value(self.affine("affine.min", map, &[v]))
            }
        }
    }

    fn affine(&mut self, name: &'static str, map: AffineMap, operands: &[ValueId]) -> ValueId {
        let new = NewOp::new(name)
            .operands(operands.iter().copied())
            .attr("map", Attr::map(map))
            .result(Type::index());
        self.value(new)
    }

    /// A loop; `body` gives what is yielded. Insertion goes on after the loop.
    pub(crate) fn for_loop(
        &mut self,
        bounds: [ValueId; 3],
        inits: &[ValueId],
        body: impl FnOnce(&mut Self, ValueId, &[ValueId]) -> CpuResult<Vec<ValueId>>,
    ) -> CpuResult<OpId> {
        let types: Vec<Type> = inits.iter().map(|&v| self.rw.body.ty(v)).collect();
        let new = NewOp::new("scf.for")
            .operands(bounds)
            .operands(inits.iter().copied())
            .results(types.iter().copied());
        let op = self.op(new);
        let resume = self.rw.insertion_point();
        let region = self.rw.add_region(op);
        let mut args = vec![Type::index()];
        args.extend(&types);
        let block = self.rw.append_block(region, &args);
        let args: Vec<ValueId> = self.rw.body.block_args(block).to_vec();
        self.at(InsertPoint::End(block));
        let yielded = body(self, args[0], &args[1..])?;
        self.at(InsertPoint::End(block));
        self.op(NewOp::new("scf.yield").operands(yielded));
        if let Some(resume) = resume {
            self.at(resume);
        }
        Ok(op)
    }

    /// A two-way choice; both sides give values of these types.
    pub(crate) fn if_else(
        &mut self,
        condition: ValueId,
        types: &[Type],
        then: impl FnOnce(&mut Self) -> CpuResult<Vec<ValueId>>,
        otherwise: impl FnOnce(&mut Self) -> CpuResult<Vec<ValueId>>,
    ) -> CpuResult<OpId> {
        let new = NewOp::new("scf.if").operand(condition).results(types.iter().copied());
        let op = self.op(new);
        let resume = self.rw.insertion_point();
        let region = self.rw.add_region(op);
        let block = self.rw.append_block(region, &[]);
        self.at(InsertPoint::End(block));
        let yielded = then(self)?;
        self.at(InsertPoint::End(block));
        self.op(NewOp::new("scf.yield").operands(yielded));
        let region = self.rw.add_region(op);
        let block = self.rw.append_block(region, &[]);
        self.at(InsertPoint::End(block));
        let yielded = otherwise(self)?;
        self.at(InsertPoint::End(block));
        self.op(NewOp::new("scf.yield").operands(yielded));
        if let Some(resume) = resume {
            self.at(resume);
        }
        Ok(op)
    }
}

/// The constants that a block begins with.
fn leading_constants(body: &Body, entry: BlockId) -> impl Iterator<Item = OpId> + '_ {
    body.block_ops(entry).take_while(|&op| body.is(op, CONSTANT))
}

/// The constants of a function that are not at its head.
fn scattered_constants(body: &Body, func: OpId, entry: BlockId) -> impl Iterator<Item = OpId> + '_ {
    // The name is looked up once; then names compare as numbers.
    let constant = OpName::of(CONSTANT);
    let leading = leading_constants(body, entry).count();
    // A constant holds no ops, so that a walk meets those at the head right behind the function.
    body.walk(func).skip(1 + leading).filter(move |&op| body.name(op) == constant)
}

/// Whether a builder for the function moves constants, which is a change in itself.
pub(crate) fn moves_constants(body: &Body, func: OpId) -> bool {
    body.region_entry(func, 0).is_some_and(|e| scattered_constants(body, func, e).next().is_some())
}

/// `d<dim> * factor + addend`, without what is neutral.
fn linear(dim: u32, factor: i64, addend: i64) -> AffineExpr {
    let mut expr = AffineExpr::dim(dim);
    if factor != 1 {
        let factor = AffineExpr::constant(factor);
        expr = AffineExpr::new(AffineExprData::Binary(AffineOp::Mul, expr, factor));
    }
    if addend != 0 {
        let addend = AffineExpr::constant(addend);
        expr = AffineExpr::new(AffineExprData::Binary(AffineOp::Add, expr, addend));
    }
    expr
}

/// The integer that an `arith.constant` holds.
pub(crate) fn constant_int(body: &Body, value: ValueId) -> Option<i64> {
    let op = body.defining_op(value)?;
    if !body.is(op, "arith.constant") {
        return None;
    }
    body.attr(op, "value")?.as_int()
}

/// The largest value that an index can have, as far as its defining op tells.
pub(crate) fn upper_bound(body: &Body, index: Idx) -> Option<i64> {
    match index {
        Idx::Const(c) => Some(c),
        Idx::Value(value) => {
            if let Some(c) = constant_int(body, value) {
                return Some(c);
            }
            let op = body.defining_op(value)?;
            if !body.is(op, "affine.min") {
                return None;
            }
            let map = body.attr(op, "map")?.as_map()?;
            map.results().iter().filter_map(|e| e.as_constant()).min()
        }
    }
}
