//! Run-time values.

use std::any::Any;
use std::fmt;
use std::sync::Arc;

use smallvec::SmallVec;
use tegula_ir::{Attr, AttrData, DYNAMIC, DenseData, Type, TypeData};

use crate::{EvalError, Scalar, ScalarType, Span, row_major_strides};

/// A run-time value.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// An integer, index or float.
    Scalar(Scalar),
    /// A vector of static shape.
    Vector(Vector),
    /// A tensor: a value, copied when it is written while shared.
    Tensor(Tensor),
    /// A view of memory.
    MemRef(MemRef),
    /// A range of bytes of a buffer: a resource, a binding, a pointer.
    Span(Span),
    /// A value that only its dialect understands.
    Opaque(Opaque),
}

/// A vector: elements in row-major order, little-endian.
#[derive(Clone, Debug, PartialEq)]
pub struct Vector {
    /// The vector type.
    pub ty: Type,
    /// The elements' bytes.
    pub data: SmallVec<[u8; 32]>,
}

/// A tensor: elements in row-major order, little-endian.
#[derive(Clone, Debug, PartialEq)]
pub struct Tensor {
    /// The sizes at run time.
    pub shape: SmallVec<[i64; 4]>,
    /// The element format.
    pub elem: ScalarType,
    /// The elements' bytes.
    pub data: Arc<Vec<u8>>,
}

/// A strided view of a range of bytes.
#[derive(Clone, Debug, PartialEq)]
pub struct MemRef {
    /// The bytes that the view may touch.
    pub span: Span,
    /// The element format.
    pub elem: ScalarType,
    /// The first element, counted in elements from the start of the span.
    pub offset: i64,
    /// The sizes.
    pub sizes: SmallVec<[i64; 4]>,
    /// The strides in elements.
    pub strides: SmallVec<[i64; 4]>,
}

/// What an opaque value holds: plain data that can be compared and shown.
pub trait OpaqueValue: Any + fmt::Debug + Send + Sync {
    /// The value as [`Any`], for down-casts.
    fn as_any(&self) -> &dyn Any;
}

/// A value that only its dialect understands. Equality is identity.
#[derive(Clone, Debug)]
pub struct Opaque(Arc<dyn OpaqueValue>);

impl Opaque {
    /// Wraps a value.
    pub fn new(value: impl OpaqueValue) -> Opaque {
        Opaque(Arc::new(value))
    }

    /// The value, when it has that type.
    pub fn downcast_ref<T: OpaqueValue>(&self) -> Option<&T> {
        self.0.as_any().downcast_ref()
    }
}

impl PartialEq for Opaque {
    fn eq(&self, other: &Opaque) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl Value {
    /// An index.
    pub fn index(value: i64) -> Value {
        Value::Scalar(Scalar::index(value))
    }

    /// An `i1`.
    pub fn bool(value: bool) -> Value {
        Value::Scalar(Scalar::int(value.into(), 1))
    }

    /// An `f32`.
    pub fn f32(value: f32) -> Value {
        Value::Scalar(Scalar::f32(value))
    }

    /// A signless integer of that width.
    pub fn int(value: i64, width: u32) -> Value {
        Value::Scalar(Scalar::int(value, width))
    }

    /// An opaque value.
    pub fn opaque(value: impl OpaqueValue) -> Value {
        Value::Opaque(Opaque::new(value))
    }

    /// The scalar.
    pub fn as_scalar(&self) -> Result<Scalar, EvalError> {
        match self {
            Value::Scalar(scalar) => Ok(*scalar),
            other => Err(other.unexpected("a scalar")),
        }
    }

    /// The signed value of an integer or index.
    pub fn as_int(&self) -> Result<i64, EvalError> {
        let scalar = self.as_scalar()?;
        match scalar.ty {
            ScalarType::Float(_) => Err(self.unexpected("an integer")),
            _ => Ok(scalar.signed()),
        }
    }

    /// Whether an integer is not zero.
    pub fn as_bool(&self) -> Result<bool, EvalError> {
        Ok(self.as_scalar()?.bits != 0)
    }

    /// The vector.
    pub fn as_vector(&self) -> Result<&Vector, EvalError> {
        match self {
            Value::Vector(vector) => Ok(vector),
            other => Err(other.unexpected("a vector")),
        }
    }

    /// The tensor.
    pub fn as_tensor(&self) -> Result<&Tensor, EvalError> {
        match self {
            Value::Tensor(tensor) => Ok(tensor),
            other => Err(other.unexpected("a tensor")),
        }
    }

    /// The memref.
    pub fn as_memref(&self) -> Result<&MemRef, EvalError> {
        match self {
            Value::MemRef(memref) => Ok(memref),
            other => Err(other.unexpected("a memref")),
        }
    }

    /// The span of bytes.
    pub fn as_span(&self) -> Result<Span, EvalError> {
        match self {
            Value::Span(span) => Ok(*span),
            other => Err(other.unexpected("a range of bytes")),
        }
    }

    /// The opaque value of that type.
    pub fn as_opaque<T: OpaqueValue>(&self) -> Result<&T, EvalError> {
        match self {
            Value::Opaque(opaque) => opaque.downcast_ref(),
            _ => None,
        }
        .ok_or_else(|| self.unexpected(std::any::type_name::<T>()))
    }

    fn unexpected(&self, wanted: &str) -> EvalError {
        let kind = match self {
            Value::Scalar(_) => "a scalar",
            Value::Vector(_) => "a vector",
            Value::Tensor(_) => "a tensor",
            Value::MemRef(_) => "a memref",
            Value::Span(_) => "a range of bytes",
            Value::Opaque(_) => "an opaque value",
        };
        EvalError::new(format!("expected {wanted} at run time, got {kind}"))
    }

    /// The zero of a scalar, vector or static tensor type; the value that stands for poison.
    pub fn zero(ty: Type) -> Result<Value, EvalError> {
        if let Some(scalar) = ScalarType::of(ty) {
            return Ok(Value::Scalar(Scalar { ty: scalar, bits: 0 }));
        }
        let unsupported = || EvalError::new(format!("type has no zero in the evaluator: {ty:?}"));
        let count = ty.num_elements().ok_or_else(unsupported)? as usize;
        let elem = ty.element().and_then(ScalarType::of).ok_or_else(unsupported)?;
        match ty.data() {
            TypeData::Vector { .. } => {
                Ok(Value::Vector(Vector { ty, data: SmallVec::from_elem(0, count * elem.bytes()) }))
            }
            TypeData::RankedTensor { shape, .. } => Ok(Value::Tensor(Tensor::zeroed(shape, elem)?)),
            _ => Err(unsupported()),
        }
    }

    /// The value of a constant attribute.
    pub fn from_attr(attr: Attr) -> Result<Value, EvalError> {
        if let Some(scalar) = Scalar::from_attr(attr) {
            return Ok(Value::Scalar(scalar));
        }
        let unsupported = || EvalError::new(format!("unsupported constant {attr:?}"));
        let AttrData::Dense { ty, data } = attr.data() else { return Err(unsupported()) };
        let elem = ty.element().and_then(ScalarType::of).ok_or_else(unsupported)?;
        let count = ty.num_elements().ok_or_else(unsupported)? as usize;
        let size = count.checked_mul(elem.bytes()).ok_or_else(unsupported)?;
        let mut bytes = room(size)?;
        match data {
            DenseData::Splat(one) => bytes.extend(one.iter().copied().cycle().take(size)),
            DenseData::Bytes(all) => bytes.extend_from_slice(all),
        }
        if bytes.len() != size {
            return Err(EvalError::new("dense constant holds the wrong number of bytes"));
        }
        match ty.data() {
            TypeData::Vector { .. } => Ok(Value::Vector(Vector { ty: *ty, data: bytes.into() })),
            TypeData::RankedTensor { shape, .. } => Ok(Value::Tensor(Tensor {
                shape: shape.iter().copied().collect(),
                elem,
                data: Arc::new(bytes),
            })),
            _ => Err(unsupported()),
        }
    }
}

impl Vector {
    /// A vector of these elements, given as bits in row-major order.
    pub fn from_bits(ty: Type, bits: &[u64]) -> Result<Vector, EvalError> {
        let elem = vector_elem(ty)?;
        let mut data = SmallVec::from_elem(0, bits.len() * elem.bytes());
        for (chunk, &bits) in data.chunks_exact_mut(elem.bytes()).zip(bits) {
            elem.store(bits, chunk);
        }
        Ok(Vector { ty, data })
    }

    /// The element format.
    pub fn elem(&self) -> Result<ScalarType, EvalError> {
        vector_elem(self.ty)
    }

    /// The sizes.
    pub fn shape(&self) -> &'static [i64] {
        self.ty.shape().unwrap_or(&[])
    }

    /// The elements' bits in row-major order.
    pub fn bits(&self) -> Result<Vec<u64>, EvalError> {
        let elem = self.elem()?;
        Ok(self.data.chunks_exact(elem.bytes()).map(|c| elem.load(c)).collect())
    }
}

fn vector_elem(ty: Type) -> Result<ScalarType, EvalError> {
    ty.element()
        .and_then(ScalarType::of)
        .ok_or_else(|| EvalError::new("unsupported element type of a vector"))
}

impl Tensor {
    /// A tensor of zeros.
    pub fn zeroed(shape: &[i64], elem: ScalarType) -> Result<Tensor, EvalError> {
        let size = byte_size(shape, elem)?;
        let mut data = room(size)?;
        data.resize(size, 0);
        Ok(Tensor { shape: shape.into(), elem, data: Arc::new(data) })
    }

    /// A tensor of `f32`; the number of values must be that of the shape.
    pub fn from_f32(shape: &[i64], values: &[f32]) -> Result<Tensor, EvalError> {
        let elem = ScalarType::Float(tegula_ir::FloatKind::F32);
        let data: Vec<u8> = values.iter().flat_map(|v| v.to_le_bytes()).collect();
        Tensor::from_bytes(shape, elem, data)
    }

    /// A tensor over bytes in row-major order.
    pub fn from_bytes(shape: &[i64], elem: ScalarType, data: Vec<u8>) -> Result<Tensor, EvalError> {
        if byte_size(shape, elem)? != data.len() {
            return Err(EvalError::new(format!(
                "a tensor of shape {shape:?} does not have {} bytes",
                data.len()
            )));
        }
        Ok(Tensor { shape: shape.into(), elem, data: Arc::new(data) })
    }

    /// The elements as `f32`, when that is the element format.
    pub fn to_f32(&self) -> Option<Vec<f32>> {
        if self.elem != ScalarType::Float(tegula_ir::FloatKind::F32) {
            return None;
        }
        Some(self.data.chunks_exact(4).map(|c| f32::from_bits(self.elem.load(c) as u32)).collect())
    }

    /// The number of elements.
    pub fn len(&self) -> usize {
        self.data.len() / self.elem.bytes()
    }

    /// Whether there are no elements.
    pub fn is_empty(&self) -> bool {
        self.data.is_empty()
    }

    /// The bits of the element at a position in row-major order.
    pub fn get(&self, at: usize) -> Option<u64> {
        let size = self.elem.bytes();
        self.data.get(at * size..(at + 1) * size).map(|bytes| self.elem.load(bytes))
    }

    /// The position of an element in row-major order; an error when it is out of bounds.
    pub fn position(&self, indices: &[i64]) -> Result<usize, EvalError> {
        check_bounds(indices, &self.shape)?;
        let at = indices.iter().zip(&self.shape).fold(0, |at, (&i, &size)| at * size + i);
        Ok(at as usize)
    }

    /// Writes an element, copying the tensor first when it is shared.
    pub fn set(&mut self, at: usize, bits: u64) -> Result<(), EvalError> {
        let size = self.elem.bytes();
        match Arc::make_mut(&mut self.data).get_mut(at * size..(at + 1) * size) {
            Some(bytes) => {
                self.elem.store(bits, bytes);
                Ok(())
            }
            None => Err(EvalError::new("position beyond the end of a tensor")),
        }
    }
}

impl MemRef {
    /// A contiguous view of a whole span.
    pub fn contiguous(span: Span, elem: ScalarType, sizes: &[i64]) -> MemRef {
        MemRef { span, elem, offset: 0, sizes: sizes.into(), strides: row_major_strides(sizes) }
    }

    /// The bytes of `count` elements that lie one after the other from a position on.
    pub fn bytes_at(&self, position: i64, count: usize) -> Result<Span, EvalError> {
        let start = usize::try_from(position)
            .ok()
            .and_then(|p| p.checked_mul(self.elem.bytes()))
            .ok_or("accesses memory before its view")?;
        self.span.slice(start, count * self.elem.bytes())
    }

    /// The position of an element, counted in elements from the start of the span; an error when
    /// an index is out of bounds.
    pub fn position(&self, indices: &[i64]) -> Result<i64, EvalError> {
        check_bounds(indices, &self.sizes)?;
        Ok(indices.iter().zip(&self.strides).fold(self.offset, |at, (&i, &s)| at + i * s))
    }
}

fn check_bounds(indices: &[i64], sizes: &[i64]) -> Result<(), EvalError> {
    if indices.len() != sizes.len() {
        return Err(EvalError::new(format!(
            "{} indices for a value of rank {}",
            indices.len(),
            sizes.len()
        )));
    }
    match indices.iter().zip(sizes).position(|(&i, &size)| i < 0 || i >= size) {
        Some(dim) => Err(EvalError::new(format!(
            "index {} is out of bounds of dimension {dim}, which has size {}",
            indices[dim], sizes[dim]
        ))),
        None => Ok(()),
    }
}

/// An empty vector with memory for that many bytes; an error when there is not that much.
fn room(size: usize) -> Result<Vec<u8>, EvalError> {
    let mut bytes = Vec::new();
    match bytes.try_reserve_exact(size) {
        Ok(()) => Ok(bytes),
        Err(_) => Err(EvalError::new(format!("a value of {size} bytes does not fit in memory"))),
    }
}

/// The bytes of a dense array of that shape; an error when a size is negative or the product
/// overflows.
pub(crate) fn byte_size(shape: &[i64], elem: ScalarType) -> Result<usize, EvalError> {
    let mut size = elem.bytes();
    for &dim in shape {
        if dim == DYNAMIC || dim < 0 {
            return Err(EvalError::new(format!("size {dim} is negative")));
        }
        size =
            size.checked_mul(dim as usize).filter(|&size| size <= isize::MAX as usize).ok_or_else(
                || EvalError::new(format!("shape {shape:?} overflows the address space")),
            )?;
    }
    Ok(size)
}
