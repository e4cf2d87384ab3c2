//! The dispatches that a data-tiled matmul becomes: three that pack and one that multiplies.

use tegula_ir::{AffineExpr, AffineMap, Attr, BlockId, Body, InsertPoint, NewOp, Type, ValueId};

/// The name of each dispatch's function.
pub const NAME: &str = "dispatch";

/// The sizes of a matmul and of the tiles that its operands are packed in.
#[derive(Clone, Copy, Debug)]
pub struct Matmul {
    pub m: i64,
    pub n: i64,
    pub k: i64,
    /// Rows and columns of an accumulator tile.
    pub m0: i64,
    pub n0: i64,
}

impl Matmul {
    /// Tiles as IREE chooses them for 128-bit SIMD: of 8, and of a power of two that holds a narrow
    /// side.
    pub fn new(m: i64, n: i64, k: i64) -> Matmul {
        let narrow = |size: i64| (size.max(1) as u64).next_power_of_two().min(8) as i64;
        let (m0, n0) = match (narrow(m), narrow(n)) {
            (m0, _) if m0 < 8 => (m0, 8),
            (_, n0) => (8, n0),
        };
        Matmul { m, n, k, m0, n0 }
    }

    /// The plain shapes of lhs, rhs, and result.
    pub fn shapes(&self) -> [[i64; 2]; 3] {
        [[self.m, self.k], [self.k, self.n], [self.m, self.n]]
    }

    /// The numbers of elements of packed lhs, rhs, and accumulator.
    pub fn packed_sizes(&self) -> [usize; 3] {
        let up = |size: i64, tile: i64| (size + tile - 1) / tile * tile;
        let (m, n) = (up(self.m, self.m0), up(self.n, self.n0));
        [m * self.k, n * self.k, m * n].map(|n| n as usize)
    }

    /// The resolved layouts. A narrow result is kept transposed.
    fn layouts(&self) -> [Attr; 3] {
        let acc = if self.n0 < self.m0 {
            layout([1, 0], [self.n0, self.m0])
        } else {
            layout([0, 1], [self.m0, self.n0])
        };
        [layout([0, 1], [self.m0, 1]), layout([1, 0], [self.n0, 1]), acc]
    }

    /// The dispatch that packs operand `index` of binding 0 into binding 1.
    pub fn pack(&self, index: usize) -> Body {
        let shape = self.shapes()[index];
        let plain = Type::tensor(&shape, Type::f32(), None);
        let encoded = Type::tensor(&shape, Type::f32(), Some(self.layouts()[index]));
        let mut f = Function::new();
        let source = f.binding(0, "readonly", plain);
        let target = f.binding(1, "writeonly", encoded);
        let value = f.load(source, plain);
        let value =
            f.value(NewOp::new("iree_encoding.set_encoding").operand(value).result(encoded));
        f.store(value, target);
        f.finish()
    }

    /// The dispatch that multiplies bindings 0 and 1, adds binding 2 and writes binding 3.
    pub fn multiply(&self) -> Body {
        let mut f = Function::new();
        let mut values = Vec::new();
        let mut types = Vec::new();
        for (index, (shape, layout)) in self.shapes().iter().zip(self.layouts()).enumerate() {
            let resolved = Type::tensor(shape, Type::f32(), Some(layout));
            let source = f.binding(index as i64, "readonly", resolved);
            let use_of = Attr::dialect("iree_encoding.encoding", &[Attr::index(index as i64)]);
            let ty = Type::tensor(shape, Type::f32(), Some(use_of));
            values.push(f.load(source, ty));
            types.push(ty);
        }
        let plain = Type::tensor(&self.shapes()[2], Type::f32(), None);
        let target = f.binding(3, "writeonly", plain);
        let product = f.contraction(&values, types[2]);
        let unset = NewOp::new("iree_encoding.unset_encoding")
            .operand(product)
            .attr("operandSegmentSizes", Attr::i32_array(&[1, 0, 0]))
            .result(plain);
        let value = f.value(unset);
        f.store(value, target);
        f.finish()
    }
}

/// A resolved layout that tiles dimensions `pos` and keeps their order.
pub fn layout(pos: [i64; 2], tiles: [i64; 2]) -> Attr {
    let list = |items: [i64; 2]| Attr::array(&items.map(Attr::i64));
    let info = Attr::dict([
        ("innerDimsPos".into(), list(pos)),
        ("innerTileSizes".into(), list(tiles)),
        ("outerDimsPerm".into(), list(pos)),
    ]);
    let configuration = Attr::dict([("encoding_info".into(), info)]);
    let resolver = Attr::dialect("iree_cpu.cpu_encoding_resolver", &[configuration]);
    Attr::dialect("iree_encoding.layout", &[Attr::array(&[resolver])])
}

/// A function without arguments that is being written.
pub struct Function {
    pub body: Body,
    block: BlockId,
}

impl Function {
    pub fn new() -> Function {
        let mut body = Body::new();
        let top = InsertPoint::End(body.top_block());
        let ty = Attr::ty(Type::function(&[], &[]));
        let new =
            NewOp::new("func.func").attr("sym_name", Attr::string(NAME)).attr("function_type", ty);
        let func = body.insert(top, new);
        let region = body.add_region(func);
        let block = body.append_block(region);
        Function { body, block }
    }

    pub fn value(&mut self, new: NewOp) -> ValueId {
        let op = self.body.insert(InsertPoint::End(self.block), new);
        self.body.result(op, 0)
    }

    pub fn binding(&mut self, number: i64, access: &str, tensor: Type) -> ValueId {
        let constant = NewOp::new("arith.constant").attr("value", Attr::index(0));
        let offset = self.value(constant.result(Type::index()));
        let params = [Attr::string(access), Attr::ty(tensor)];
        let new = NewOp::new("hal.interface.binding.subspan")
            .operand(offset)
            .attr("binding", Attr::index(number))
            .attr("operandSegmentSizes", Attr::i32_array(&[1, 0]))
            .result(Type::dialect("iree_tensor_ext.dispatch.tensor", &params));
        self.value(new)
    }

    pub fn load(&mut self, source: ValueId, ty: Type) -> ValueId {
        let new = NewOp::new("iree_tensor_ext.dispatch.tensor.load").operand(source).result(ty);
        self.value(whole(new, ty, &[1, 0, 0, 0, 0]))
    }

    pub fn store(&mut self, value: ValueId, target: ValueId) {
        let ty = self.body.ty(value);
        let new =
            NewOp::new("iree_tensor_ext.dispatch.tensor.store").operand(value).operand(target);
        self.body.insert(InsertPoint::End(self.block), whole(new, ty, &[1, 1, 0, 0, 0, 0]));
    }

    /// `out[m, n] += lhs[m, k] * rhs[k, n]`
    pub fn contraction(&mut self, operands: &[ValueId], ty: Type) -> ValueId {
        let maps = [[0, 2], [2, 1], [0, 1]]
            .map(|dims| Attr::map(AffineMap::get(3, 0, &dims.map(AffineExpr::dim))));
        self.generic(
            &maps,
            &["parallel", "parallel", "reduction"],
            operands,
            ty,
            |body, at, args| {
                let product =
                    NewOp::new("arith.mulf").operands([args[0], args[1]]).result(Type::f32());
                let product = body.insert(at, product);
                let sum =
                    NewOp::new("arith.addf").operand(args[2]).operand(body.result(product, 0));
                let sum = body.insert(at, sum.result(Type::f32()));
                body.result(sum, 0)
            },
        )
    }

    /// A generic whose last operand is the destination.
    pub fn generic(
        &mut self,
        maps: &[Attr],
        iterators: &[&str],
        operands: &[ValueId],
        ty: Type,
        scalar: impl FnOnce(&mut Body, InsertPoint, &[ValueId]) -> ValueId,
    ) -> ValueId {
        let iterators: Vec<Attr> = iterators
            .iter()
            .map(|word| Attr::dialect("linalg.iterator_type", &[Attr::string(word)]))
            .collect();
        let new = NewOp::new("linalg.generic")
            .operands(operands.iter().copied())
            .attr("indexing_maps", Attr::array(maps))
            .attr("iterator_types", Attr::array(&iterators))
            .attr("operandSegmentSizes", Attr::i32_array(&[operands.len() as i32 - 1, 1]))
            .result(ty);
        let op = self.body.insert(InsertPoint::End(self.block), new);
        let region = self.body.add_region(op);
        let block = self.body.append_block(region);
        let args: Vec<ValueId> =
            operands.iter().map(|_| self.body.add_block_arg(block, Type::f32())).collect();
        let at = InsertPoint::End(block);
        let value = scalar(&mut self.body, at, &args);
        self.body.insert(at, NewOp::new("linalg.yield").operand(value));
        self.body.result(op, 0)
    }

    pub fn finish(mut self) -> Body {
        self.body.insert(InsertPoint::End(self.block), NewOp::new("func.return"));
        self.body
    }
}

fn whole(new: NewOp, ty: Type, groups: &[i32]) -> NewOp {
    let shape = ty.shape().unwrap_or(&[]);
    new.attr("static_offsets", Attr::i64_array(&vec![0; shape.len()]))
        .attr("static_sizes", Attr::i64_array(shape))
        .attr("static_strides", Attr::i64_array(&vec![1; shape.len()]))
        .attr("operandSegmentSizes", Attr::i32_array(groups))
}
