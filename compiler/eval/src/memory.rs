//! Buffers: the memory that memrefs and resources are views of.

use crate::{EvalError, MemRef, Scalar};

/// A buffer of the evaluator's memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct BufferId(u32);

/// A range of bytes of a buffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Span {
    /// The buffer.
    pub buffer: BufferId,
    /// The first byte.
    pub offset: usize,
    /// The number of bytes.
    pub length: usize,
}

impl Span {
    /// A part of the span; an error when it leaves it.
    pub fn slice(self, offset: usize, length: usize) -> Result<Span, EvalError> {
        match offset.checked_add(length) {
            Some(end) if end <= self.length => {
                Ok(Span { buffer: self.buffer, offset: self.offset + offset, length })
            }
            _ => Err(EvalError::new(format!(
                "bytes {offset} to {offset}+{length} leave a range of {} bytes",
                self.length
            ))),
        }
    }

    /// A part of the span by numbers of the program.
    pub fn range(self, offset: i64, length: i64) -> Result<Span, EvalError> {
        let (Ok(offset), Ok(length)) = (usize::try_from(offset), usize::try_from(length)) else {
            return Err(EvalError::new("has a negative offset or length"));
        };
        self.slice(offset, length)
    }
}

/// All buffers of a run. Every access is checked against the buffer's bounds and life.
#[derive(Debug)]
pub struct Memory {
    buffers: Vec<Option<Vec<u8>>>,
    live: usize,
    limit: usize,
}

impl Memory {
    /// A memory that holds at most `limit` bytes at once.
    pub fn new(limit: usize) -> Memory {
        Memory { buffers: Vec::new(), live: 0, limit }
    }

    /// A new buffer of zeros.
    pub fn alloc(&mut self, size: usize) -> Result<Span, EvalError> {
        let live = self.live.checked_add(size).filter(|&live| live <= self.limit);
        let Some(live) = live else {
            return Err(EvalError::new(format!(
                "an allocation of {size} bytes exceeds the evaluator's limit of {} bytes",
                self.limit
            )));
        };
        self.live = live;
        self.buffers.push(Some(vec![0; size]));
        let buffer = BufferId((self.buffers.len() - 1) as u32);
        Ok(Span { buffer, offset: 0, length: size })
    }

    /// A new buffer with these contents.
    pub fn alloc_from(&mut self, bytes: &[u8]) -> Result<Span, EvalError> {
        let span = self.alloc(bytes.len())?;
        self.bytes_mut(span)?.copy_from_slice(bytes);
        Ok(span)
    }

    /// Frees a buffer; an error when it is free already.
    pub fn free(&mut self, buffer: BufferId) -> Result<(), EvalError> {
        match self.buffers.get_mut(buffer.0 as usize).and_then(Option::take) {
            Some(bytes) => {
                self.live -= bytes.len();
                Ok(())
            }
            None => Err(EvalError::new("buffer is freed twice")),
        }
    }

    /// The bytes of a range.
    pub fn bytes(&self, span: Span) -> Result<&[u8], EvalError> {
        self.buffers
            .get(span.buffer.0 as usize)
            .and_then(Option::as_ref)
            .ok_or_else(freed)?
            .get(span.offset..span.offset.saturating_add(span.length))
            .ok_or_else(|| outside(span))
    }

    /// The bytes of a range, for writing.
    pub fn bytes_mut(&mut self, span: Span) -> Result<&mut [u8], EvalError> {
        self.buffers
            .get_mut(span.buffer.0 as usize)
            .and_then(Option::as_mut)
            .ok_or_else(freed)?
            .get_mut(span.offset..span.offset.saturating_add(span.length))
            .ok_or_else(|| outside(span))
    }

    /// Fills a range with a value, again and again.
    pub fn repeat(&mut self, span: Span, value: Scalar) -> Result<(), EvalError> {
        let mut one = vec![0; value.ty.bytes()];
        value.ty.store(value.bits, &mut one);
        let (bytes, width) = (self.bytes_mut(span)?, one.len());
        if bytes.len() % width != 0 {
            return Err(EvalError::new("fills a range that is no multiple of the value"));
        }
        bytes.chunks_exact_mut(width).for_each(|chunk| chunk.copy_from_slice(&one));
        Ok(())
    }

    /// A new buffer of undefined contents: all ones, which read as NaN.
    pub fn undefined(&mut self, size: i64) -> Result<Span, EvalError> {
        let size = usize::try_from(size).map_err(|_| "allocates a negative size")?;
        let span = self.alloc(size)?;
        self.bytes_mut(span)?.fill(0xff);
        Ok(span)
    }

    /// Copies between ranges of equal length, which may overlap.
    pub fn copy(&mut self, from: Span, to: Span) -> Result<(), EvalError> {
        if from.length != to.length {
            return Err(EvalError::new("copy between ranges of different length"));
        }
        if from.buffer == to.buffer {
            self.bytes(from)?;
            self.bytes(to)?;
            let all = self.buffers[to.buffer.0 as usize].as_mut().ok_or_else(freed)?;
            all.copy_within(from.offset..from.offset + from.length, to.offset);
            return Ok(());
        }
        let bytes = self.bytes(from)?.to_vec();
        self.bytes_mut(to)?.copy_from_slice(&bytes);
        Ok(())
    }

    /// The bits of the element of a view at a position that [`MemRef::position`] gave.
    pub fn element(&self, view: &MemRef, position: i64) -> Result<u64, EvalError> {
        Ok(view.elem.load(self.bytes(view.bytes_at(position, 1)?)?))
    }

    /// Writes the element of a view at a position that [`MemRef::position`] gave.
    pub fn set_element(
        &mut self,
        view: &MemRef,
        position: i64,
        bits: u64,
    ) -> Result<(), EvalError> {
        let span = view.bytes_at(position, 1)?;
        view.elem.store(bits, self.bytes_mut(span)?);
        Ok(())
    }

    /// Takes a live buffer's bytes out for a bulk operation; [`Memory::restore`] must follow.
    pub(crate) fn take(&mut self, buffer: BufferId) -> Result<Vec<u8>, EvalError> {
        self.buffers
            .get_mut(buffer.0 as usize)
            .and_then(Option::as_mut)
            .map(std::mem::take)
            .ok_or_else(freed)
    }

    /// Puts back the bytes that [`Memory::take`] took.
    pub(crate) fn restore(&mut self, buffer: BufferId, bytes: Vec<u8>) {
        if let Some(slot) = self.buffers.get_mut(buffer.0 as usize) {
            *slot = Some(bytes);
        }
    }
}

fn freed() -> EvalError {
    EvalError::new("buffer is used after it was freed")
}

fn outside(span: Span) -> EvalError {
    EvalError::new(format!(
        "bytes {} to {}+{} are out of bounds of their buffer",
        span.offset, span.offset, span.length
    ))
}
