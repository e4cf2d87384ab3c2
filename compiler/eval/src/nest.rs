//! Perfect loop nests over affine accesses: the meaning of structured ops.
//!
//! The body runs once for every point of the iteration space. Per output element, contributions
//! arrive in ascending lexicographic order of the remaining dimensions, which makes floating-point
//! results reproducible. Iterations along parallel dimensions are independent, so a batch of them
//! is evaluated at once, lane by lane.

use smallvec::SmallVec;
use tegula_ir::{AffineMap, BlockId, OpId};

use crate::affine::{Linear, eval_map, linear};
use crate::{
    EvalError, Frame, Interp, MemRef, Program, Scalar, ScalarType, Tensor, Value, row_major_strides,
};

/// The most iterations that are evaluated at once.
const MAX_LANES: i64 = 4096;
/// Enough iterations at once to hide the cost of a batch.
const ENOUGH_LANES: i64 = 256;

/// A nest of loops.
pub struct Nest<'a> {
    /// The trip count of each dimension.
    pub extents: &'a [i64],
    /// Whether the dimension is parallel; the others are reductions.
    pub parallel: &'a [bool],
    /// The body: one argument for each access, one yielded value for each output in order.
    pub block: BlockId,
}

/// One operand of a nest.
pub struct Access {
    /// The tensor, memref or scalar.
    pub value: Value,
    /// From iteration dimensions to the operand's indices.
    pub map: AffineMap,
    /// Whether the body's yielded value is written back.
    pub output: bool,
}

enum Store {
    /// Elements that are only read, in shared storage.
    Shared(std::sync::Arc<Vec<u8>>),
    /// Elements that are written, or a buffer taken out of memory.
    Owned(Vec<u8>),
}

impl Store {
    fn bytes(&self) -> &[u8] {
        match self {
            Store::Shared(bytes) => bytes,
            Store::Owned(bytes) => bytes,
        }
    }
}

/// An access with its addresses resolved: bytes from the start of its store.
struct Place {
    store: usize,
    elem: ScalarType,
    output: bool,
    base: i64,
    sizes: SmallVec<[i64; 4]>,
    strides: SmallVec<[i64; 4]>,
    map: AffineMap,
    /// The byte step of each dimension when the map is linear.
    steps: Option<Vec<i64>>,
}

/// Runs a nest and gives the outputs' values: tensors with what was written, memrefs as they are.
pub fn run_nest<'m>(
    interp: &mut Interp<'m>,
    frame: &mut Frame<'m>,
    op: OpId,
    nest: &Nest<'_>,
    accesses: Vec<Access>,
) -> Result<Vec<Value>, EvalError> {
    if nest.extents.len() != nest.parallel.len() || nest.extents.iter().any(|&e| e < 0) {
        return Err("has a malformed iteration space".into());
    }
    let mut stores = Vec::new();
    let mut buffers = Vec::new();
    let mut places = Vec::new();
    let prepared = accesses.iter().try_for_each(|access| {
        places.push(place(interp, nest, access, &mut stores, &mut buffers)?);
        Ok(())
    });
    // The tensors' storage must have one holder for writing in place.
    let shapes: Vec<Value> = accesses.into_iter().map(|a| shape_only(a.value)).collect();
    let result: Result<(), EvalError> = prepared.and_then(|()| {
        for place in places.iter().filter(|p| p.output) {
            own(&mut stores[place.store]);
        }
        run(interp, frame, op, nest, &places, &mut stores)
    });
    let mut outputs = Vec::new();
    for (value, place) in shapes.into_iter().zip(&places) {
        if place.output {
            outputs.push(match value {
                Value::Tensor(mut tensor) => {
                    if let Store::Owned(bytes) = &mut stores[place.store] {
                        tensor.data = std::sync::Arc::new(std::mem::take(bytes));
                    }
                    Value::Tensor(tensor)
                }
                other => other,
            });
        }
    }
    for (buffer, store) in buffers {
        if let Store::Owned(bytes) = &mut stores[store] {
            interp.memory.restore(buffer, std::mem::take(bytes));
        }
    }
    result.map(|()| outputs)
}

fn shape_only(value: Value) -> Value {
    match value {
        Value::Tensor(Tensor { shape, elem, .. }) => {
            Value::Tensor(Tensor { shape, elem, data: std::sync::Arc::default() })
        }
        other => other,
    }
}

fn own(store: &mut Store) {
    if let Store::Shared(bytes) = store {
        let bytes = std::mem::take(bytes);
        *store = Store::Owned(std::sync::Arc::try_unwrap(bytes).unwrap_or_else(|b| b.to_vec()));
    }
}

fn place(
    interp: &mut Interp<'_>,
    nest: &Nest<'_>,
    access: &Access,
    stores: &mut Vec<Store>,
    buffers: &mut Vec<(crate::BufferId, usize)>,
) -> Result<Place, EvalError> {
    let (store, elem, offset, sizes, strides) = match &access.value {
        Value::Tensor(tensor) => {
            stores.push(Store::Shared(tensor.data.clone()));
            let strides = row_major_strides(&tensor.shape);
            (stores.len() - 1, tensor.elem, 0, tensor.shape.clone(), strides)
        }
        Value::MemRef(MemRef { span, elem, offset, sizes, strides }) => {
            let store = match buffers.iter().find(|(buffer, _)| *buffer == span.buffer) {
                Some((_, store)) => *store,
                None => {
                    interp.memory.bytes(*span)?;
                    stores.push(Store::Owned(interp.memory.take(span.buffer)?));
                    buffers.push((span.buffer, stores.len() - 1));
                    stores.len() - 1
                }
            };
            let base = offset * elem.bytes() as i64 + span.offset as i64;
            (store, *elem, base, sizes.clone(), strides.clone())
        }
        Value::Scalar(scalar) => {
            let mut bytes = vec![0; scalar.ty.bytes()];
            scalar.ty.store(scalar.bits, &mut bytes);
            stores.push(Store::Owned(bytes));
            (stores.len() - 1, scalar.ty, 0, SmallVec::new(), SmallVec::new())
        }
        _ => return Err("has an operand that is no tensor, memref or scalar".into()),
    };
    // A scalar operand is the same for all iterations, whatever rank its map claims.
    let map = match access.value {
        Value::Scalar(_) => AffineMap::get(access.map.dims(), 0, &[]),
        _ => access.map,
    };
    if map.results().len() != sizes.len() || map.dims() as usize != nest.extents.len() {
        return Err("has an indexing map of the wrong rank".into());
    }
    let mut place = Place {
        store,
        elem,
        output: access.output,
        base: offset,
        sizes,
        strides,
        map,
        steps: None,
    };
    let forms: Option<Vec<Linear>> =
        map.results().iter().map(|&e| linear(e, nest.extents.len())).collect();
    if let Some(forms) = forms {
        place.make_linear(nest, &forms, stores[store].bytes().len())?;
    }
    Ok(place)
}

impl Place {
    /// Resolves a linear map to byte steps, after checking that no iteration leaves the operand.
    fn make_linear(
        &mut self,
        nest: &Nest<'_>,
        forms: &[Linear],
        length: usize,
    ) -> Result<(), EvalError> {
        let size = self.elem.bytes() as i64;
        let mut steps = vec![0; nest.extents.len()];
        let empty = nest.extents.contains(&0);
        let (mut first, mut last) = (self.base, self.base);
        for (dim, ((form, &extent), &stride)) in
            forms.iter().zip(&self.sizes).zip(&self.strides).enumerate()
        {
            if !empty {
                let (least, greatest) = form.range(nest.extents);
                if least < 0 || greatest >= extent {
                    return Err(EvalError::new(format!(
                        "accesses {least} to {greatest} of dimension {dim}, which has size {extent}"
                    )));
                }
                let ends = (least * stride * size, greatest * stride * size);
                first += ends.0.min(ends.1);
                last += ends.0.max(ends.1);
            }
            for (step, c) in steps.iter_mut().zip(&form.coefficients) {
                *step += c * stride * size;
            }
            self.base += form.constant * stride * size;
        }
        if !empty && (first < 0 || last + size > length as i64) {
            return Err("accesses memory out of bounds".into());
        }
        self.steps = Some(steps);
        Ok(())
    }

    /// The byte position of one iteration's element.
    fn position(&self, index: &[i64], length: usize) -> Result<usize, EvalError> {
        if let Some(steps) = &self.steps {
            let at: i64 = index.iter().zip(steps).map(|(i, s)| i * s).sum();
            return Ok((self.base + at) as usize);
        }
        let indices = eval_map(self.map, index, &[])?;
        let size = self.elem.bytes() as i64;
        let mut at = self.base;
        for (dim, ((&i, &extent), &stride)) in
            indices.iter().zip(&self.sizes).zip(&self.strides).enumerate()
        {
            if i < 0 || i >= extent {
                return Err(EvalError::new(format!(
                    "accesses {i} of dimension {dim}, which has size {extent}"
                )));
            }
            at += i * stride * size;
        }
        if at < 0 || at + size > length as i64 {
            return Err("accesses memory out of bounds".into());
        }
        Ok(at as usize)
    }
}

fn run<'m>(
    interp: &mut Interp<'m>,
    frame: &mut Frame<'m>,
    op: OpId,
    nest: &Nest<'_>,
    places: &[Place],
    stores: &mut [Store],
) -> Result<(), EvalError> {
    let total = nest.extents.iter().fold(1u64, |n, &e| n.saturating_mul(e as u64));
    interp.charge(total)?;
    if total == 0 {
        return Ok(());
    }
    let outputs = places.iter().filter(|p| p.output).count();
    if frame.body.block_args(nest.block).len() != places.len() {
        return Err("has a body with the wrong number of arguments".into());
    }
    match Program::compile(interp.semantics, frame, nest.block)? {
        Some(program) if program.num_yields() == outputs => {
            run_lanes(nest, &program, places, stores)
        }
        Some(_) => Err("yields the wrong number of values".into()),
        None => run_points(interp, frame, op, nest, places, stores),
    }
}

/// Which dimensions are evaluated in lanes: trailing parallel ones, until there are enough.
fn lane_dims(nest: &Nest<'_>) -> Vec<usize> {
    let mut dims = Vec::new();
    let mut lanes = 1i64;
    for dim in (0..nest.extents.len()).rev().filter(|&d| nest.parallel[d]) {
        let extent = nest.extents[dim];
        if extent == 1 {
            continue;
        }
        if lanes >= ENOUGH_LANES || lanes.saturating_mul(extent) > MAX_LANES {
            // A single long dimension is cut into batches instead of being left out.
            if dims.is_empty() {
                dims.push(dim);
            }
            break;
        }
        lanes *= extent;
        dims.push(dim);
    }
    dims.reverse();
    dims
}

fn run_lanes(
    nest: &Nest<'_>,
    program: &Program,
    places: &[Place],
    stores: &mut [Store],
) -> Result<(), EvalError> {
    let mut dims = lane_dims(nest);
    let mut lane_extents: Vec<i64> = dims.iter().map(|&d| nest.extents[d]).collect();
    if let [only] = lane_extents.as_mut_slice() {
        *only = (*only).min(MAX_LANES);
    }
    let points = lane_points(&dims, &lane_extents, nest.extents.len());
    let mut offsets = Vec::new();
    let mut independent = true;
    for place in places {
        let Some(steps) = &place.steps else {
            independent = false;
            break;
        };
        let table: Vec<i64> =
            points.iter().map(|p| p.iter().zip(steps).map(|(i, s)| i * s).sum()).collect();
        if place.output {
            let mut sorted = table.clone();
            sorted.sort_unstable();
            independent &= sorted.windows(2).all(|pair| pair[0] != pair[1]);
        }
        offsets.push(Lanes::of(table, place.elem.bytes() as i64));
    }
    let mut batch = points.len();
    if !independent {
        dims.clear();
        batch = 1;
        offsets = places.iter().map(|_| Lanes::Same).collect();
    }
    let mut registers = program.registers(batch);
    let mut index = vec![0i64; nest.extents.len()];
    loop {
        // A cut dimension's last batch is shorter.
        let lanes = match dims.as_slice() {
            [only] => batch.min((nest.extents[*only] - index[*only]) as usize),
            _ => batch,
        };
        for (arg, place) in places.iter().enumerate() {
            if program.uses_arg(arg) {
                let bytes = stores[place.store].bytes();
                let at = place.position(&index, bytes.len())?;
                offsets[arg].load(place.elem, bytes, at, &mut registers[arg][..lanes])?;
            }
        }
        for &(register, dim) in program.indices() {
            let base = *index.get(dim).ok_or("reads the index of a missing dimension")?;
            for (lane, slot) in registers[register][..lanes].iter_mut().enumerate() {
                let offset = if independent { points[lane][dim] } else { 0 };
                *slot = (base + offset) as u64;
            }
        }
        program.run(&mut registers, lanes)?;
        let mut output = 0;
        for (place, lane_offsets) in places.iter().zip(&offsets) {
            if place.output {
                let Store::Owned(bytes) = &mut stores[place.store] else {
                    return Err("writes to a shared operand".into());
                };
                let at = place.position(&index, bytes.len())?;
                let values = &program.yielded(&registers, output)[..lanes];
                lane_offsets.store(place.elem, bytes, at, values)?;
                output += 1;
            }
        }
        if !advance(&mut index, nest.extents, &dims, batch as i64) {
            return Ok(());
        }
    }
}

/// The iteration of each lane relative to the batch's first, in row-major order.
fn lane_points(dims: &[usize], extents: &[i64], rank: usize) -> Vec<Vec<i64>> {
    let mut points = Vec::new();
    let all: Result<(), EvalError> = crate::for_each_index(extents, |lane| {
        let mut point = vec![0; rank];
        for (&dim, &i) in dims.iter().zip(lane) {
            point[dim] = i;
        }
        points.push(point);
        Ok(())
    });
    debug_assert!(all.is_ok());
    points
}

/// Moves to the next batch in lexicographic order of the dimensions outside of the lanes; a single
/// lane dimension is the innermost loop and steps by the batch.
fn advance(index: &mut [i64], extents: &[i64], lane_dims: &[usize], batch: i64) -> bool {
    let cut = match lane_dims {
        [only] => Some(*only),
        _ => None,
    };
    if let Some(dim) = cut {
        index[dim] += batch;
        if index[dim] < extents[dim] {
            return true;
        }
        index[dim] = 0;
    }
    for dim in (0..extents.len()).rev().filter(|d| !lane_dims.contains(d)) {
        index[dim] += 1;
        if index[dim] < extents[dim] {
            return true;
        }
        index[dim] = 0;
    }
    false
}

/// Where the elements of a batch lie relative to its first.
enum Lanes {
    /// All at the same place.
    Same,
    /// One after the other.
    Dense,
    /// At these byte offsets.
    At(Vec<i64>),
}

impl Lanes {
    fn of(offsets: Vec<i64>, size: i64) -> Lanes {
        if offsets.iter().all(|&o| o == 0) {
            Lanes::Same
        } else if offsets.iter().enumerate().all(|(i, &o)| o == i as i64 * size) {
            Lanes::Dense
        } else {
            Lanes::At(offsets)
        }
    }

    fn load(
        &self,
        elem: ScalarType,
        bytes: &[u8],
        at: usize,
        out: &mut [u64],
    ) -> Result<(), EvalError> {
        let size = elem.bytes();
        let outside = || EvalError::new("accesses memory out of bounds");
        match self {
            Lanes::Same => {
                let one = bytes.get(at..at + size).ok_or_else(outside)?;
                out.fill(elem.load(one));
            }
            Lanes::Dense => {
                let all = bytes.get(at..at + size * out.len()).ok_or_else(outside)?;
                if size == 4 && elem.width() == 32 {
                    for (slot, c) in out.iter_mut().zip(all.chunks_exact(4)) {
                        *slot = u32::from_le_bytes([c[0], c[1], c[2], c[3]]).into();
                    }
                } else {
                    for (slot, c) in out.iter_mut().zip(all.chunks_exact(size)) {
                        *slot = elem.load(c);
                    }
                }
            }
            Lanes::At(offsets) => {
                for (slot, &offset) in out.iter_mut().zip(offsets) {
                    let at = (at as i64 + offset) as usize;
                    let one = bytes.get(at..at + size).ok_or_else(outside)?;
                    *slot = match one {
                        [a, b, c, d] if elem.width() == 32 => {
                            u32::from_le_bytes([*a, *b, *c, *d]).into()
                        }
                        _ => elem.load(one),
                    };
                }
            }
        }
        Ok(())
    }

    fn store(
        &self,
        elem: ScalarType,
        bytes: &mut [u8],
        at: usize,
        values: &[u64],
    ) -> Result<(), EvalError> {
        let size = elem.bytes();
        let outside = || EvalError::new("accesses memory out of bounds");
        match self {
            // Outputs of more than one lane never share a place.
            Lanes::Same => {
                let one = bytes.get_mut(at..at + size).ok_or_else(outside)?;
                elem.store(values.last().copied().unwrap_or(0), one);
            }
            Lanes::Dense => {
                let all = bytes.get_mut(at..at + size * values.len()).ok_or_else(outside)?;
                if size == 4 {
                    for (chunk, &bits) in all.chunks_exact_mut(4).zip(values) {
                        chunk.copy_from_slice(&(bits as u32).to_le_bytes());
                    }
                } else {
                    for (chunk, &bits) in all.chunks_exact_mut(size).zip(values) {
                        elem.store(bits, chunk);
                    }
                }
            }
            Lanes::At(offsets) => {
                for (&bits, &offset) in values.iter().zip(offsets) {
                    let at = (at as i64 + offset) as usize;
                    match bytes.get_mut(at..at + size).ok_or_else(outside)? {
                        [a, b, c, d] => [*a, *b, *c, *d] = (bits as u32).to_le_bytes(),
                        one => elem.store(bits, one),
                    }
                }
            }
        }
        Ok(())
    }
}

/// Interprets the body once for every iteration; for bodies that are not straight-line scalar code.
fn run_points<'m>(
    interp: &mut Interp<'m>,
    frame: &mut Frame<'m>,
    op: OpId,
    nest: &Nest<'_>,
    places: &[Place],
    stores: &mut [Store],
) -> Result<(), EvalError> {
    let region = frame.body.block_parent(nest.block).ok_or("has a detached body")?;
    let mut index = vec![0i64; nest.extents.len()];
    loop {
        let mut args = Vec::with_capacity(places.len());
        for place in places {
            let bytes = stores[place.store].bytes();
            let at = place.position(&index, bytes.len())?;
            let one = bytes.get(at..at + place.elem.bytes()).ok_or("accesses out of bounds")?;
            args.push(Value::Scalar(Scalar { ty: place.elem, bits: place.elem.load(one) }));
        }
        interp.iterations.push((op, index.clone()));
        let exit = interp.run_region(frame, region, &args);
        interp.iterations.pop();
        let values = exit?.values;
        if values.len() != places.iter().filter(|p| p.output).count() {
            return Err("yields the wrong number of values".into());
        }
        for (place, value) in places.iter().filter(|p| p.output).zip(values) {
            let Store::Owned(bytes) = &mut stores[place.store] else {
                return Err("writes to a shared operand".into());
            };
            let at = place.position(&index, bytes.len())?;
            let one = bytes.get_mut(at..at + place.elem.bytes()).ok_or("accesses out of bounds")?;
            place.elem.store(value.as_scalar()?.bits, one);
        }
        if !advance(&mut index, nest.extents, &[], 1) {
            return Ok(());
        }
    }
}

impl Interp<'_> {
    /// The iteration number of the innermost interpreted nest along a dimension.
    pub fn iteration(&self, dim: usize) -> Result<i64, EvalError> {
        self.iterations
            .last()
            .and_then(|(_, index)| index.get(dim).copied())
            .ok_or_else(|| EvalError::new("stands outside of a structured op's body"))
    }
}
