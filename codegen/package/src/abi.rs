//! The C signature of a function, from the program as it was written.
//!
//! Every tensor argument is a pointer to its elements in row-major order, in order of the
//! arguments. A result that is computed into an argument (`outs(%C)`, through any number of ops)
//! shares that argument's pointer, which is read and written; any other result, an argument that is
//! returned as it came too, is a further pointer at the end.

use tegula_ir::{Body, OpId, Registry, Type, TypeData, ValueId, ValueKind};

/// The C signature of a function.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Signature {
    /// The function's symbol.
    pub function: String,
    /// The parameters in order.
    pub params: Vec<Param>,
}

/// The symbols that a function takes up: itself, the one that takes its workspace, and the one that
/// says how much that is.
pub fn entry_symbols(function: &str) -> [String; 3] {
    ["", "_ws", "_workspace_size"].map(|suffix| format!("{function}{suffix}"))
}

/// One parameter: a pointer to the elements of a tensor.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Param {
    /// The C name: that of the argument, or `result`, made unique.
    pub name: String,
    /// The tensor type.
    pub ty: Type,
    /// The argument that it carries, when it carries one.
    pub input: Option<usize>,
    /// The result that it carries, when it carries one.
    pub output: Option<usize>,
}

/// Why a function has no C signature.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NoSignature {
    /// The function, or the op in it that stands in the way.
    pub op: OpId,
    /// What about it, as one sentence.
    pub why: String,
}

/// The C signature of a `func.func` or `util.func` on static tensors, or on buffer views of such
/// when the program has been given the interface of the runtime. `arg_names` are the names of
/// its arguments in the source text where they are known.
pub fn signature(
    registry: &Registry,
    body: &Body,
    function: OpId,
    arg_names: &[Option<String>],
) -> Result<Signature, NoSignature> {
    let refuse = |op, why: String| Err(NoSignature { op, why });
    let Some(name) = body.symbol_name(function) else {
        return refuse(function, "the function has no name".to_owned());
    };
    let Some(block) = body.region_entry(function, 0) else {
        return refuse(function, "the function is declared, but has no body to compile".to_owned());
    };
    let args = body.block_args(block);
    let mut params = Vec::new();
    for (index, &arg) in args.iter().enumerate() {
        let ty = argument_type(body, arg);
        if byte_size(ty).is_none() {
            return refuse(function, unsupported(ty, "argument", index));
        }
        let name = arg_names.get(index).cloned().flatten();
        let name = name.filter(|n| is_c_name(n)).unwrap_or_else(|| format!("arg{index}"));
        params.push(Param { name, ty, input: Some(index), output: None });
    }
    let results: Vec<ValueId> =
        body.last_op(block).map_or(Vec::new(), |end| body.operands(end).collect());
    for (index, &result) in results.iter().enumerate() {
        let ty = result_type(body, result);
        if byte_size(ty).is_none() {
            return refuse(function, unsupported(ty, "result", index));
        }
        let destination = destination(registry, body, result)
            .and_then(|value| args.iter().position(|&a| a == value))
            .filter(|&at| params[at].output.is_none() && params[at].ty == ty);
        match destination {
            Some(at) => params[at].output = Some(index),
            None => {
                let name =
                    if results.len() == 1 { "result".into() } else { format!("result{index}") };
                params.push(Param { name, ty, input: None, output: Some(index) });
            }
        }
    }
    make_unique(&mut params);
    Ok(Signature { function: name.to_owned(), params })
}

/// The type of an argument: of a buffer view that of the tensor that is taken from it.
fn argument_type(body: &Body, arg: ValueId) -> Type {
    let taken = body.uses(arg).find_map(|slot| {
        let op = body.use_owner(slot);
        let name = match body.name(op).as_str() {
            "hal.tensor.import" => "target_encoding",
            "stream.tensor.import" => "result_encoding",
            _ => return None,
        };
        body.attr(op, name)?.as_type()
    });
    taken.unwrap_or_else(|| body.ty(arg))
}

/// The type of a result: of a buffer view that of the tensor in it.
fn result_type(body: &Body, result: ValueId) -> Type {
    let given = body.defining_op(result).and_then(|op| match body.name(op).as_str() {
        "hal.tensor.export" | "stream.tensor.export" => body.attr(op, "source_encoding")?.as_type(),
        _ => None,
    });
    given.unwrap_or_else(|| body.ty(result))
}

/// The value into which a result is computed, at the start of the chain of destinations; none when
/// nothing computes it.
fn destination(registry: &Registry, body: &Body, result: ValueId) -> Option<ValueId> {
    body.defining_op(result)?;
    let mut at = result;
    while let ValueKind::Result(op, index) = body.definition(at) {
        let outputs = registry.operands_of(body, op, "outputs");
        at = *outputs.get(index as usize)?;
    }
    Some(at)
}

/// The bytes of a static tensor of a type that C code can hold; none for other types, and when the
/// size does not fit an address.
pub fn byte_size(ty: Type) -> Option<i64> {
    if !matches!(ty.data(), TypeData::RankedTensor { encoding: None, .. }) {
        return None;
    }
    c_type(ty)?;
    let bytes = i64::from(ty.element()?.bit_width()?.div_ceil(8));
    ty.num_elements()?.checked_mul(bytes)
}

/// The C type of a tensor's elements.
pub fn c_type(ty: Type) -> Option<&'static str> {
    let element = ty.element()?;
    [
        ("float", Type::f32()),
        ("double", Type::f64()),
        ("int8_t", Type::int(8)),
        ("int32_t", Type::int(32)),
    ]
    .into_iter()
    .find_map(|(name, ty)| (ty == element).then_some(name))
}

fn unsupported(ty: Type, what: &str, index: usize) -> String {
    let tensor = matches!(ty.data(), TypeData::RankedTensor { .. });
    let reason = match ty.encoding() {
        _ if !tensor => "is no tensor; pass tensors, of rank 0 for scalars",
        _ if !ty.has_static_shape() => "has a dynamic shape; shapes must be static",
        _ if c_type(ty).is_none() => "has an element type that is not supported; use f32",
        Some(_) => "has an encoding; pass plain row-major tensors",
        None => "is larger than an address can hold",
    };
    format!("{what} {index} of type `{ty}` {reason}")
}

/// Words that C or C++ keeps for itself, those of the headers that ours includes, and the macros
/// that compilers for AArch64 predefine under names that C leaves to programs.
const KEPT: &str = "alignas alignof and and_eq asm auto bitand bitor bool break case catch char \
    class compl concept const consteval constexpr constinit const_cast continue co_await co_return \
    co_yield decltype default delete do double dynamic_cast else enum explicit export extern false \
    float for friend goto if inline int long mutable namespace new noexcept not not_eq nullptr \
    operator or or_eq private protected public register reinterpret_cast requires restrict return \
    short signed sizeof static static_assert static_cast struct switch template this thread_local \
    throw true try typedef typeid typename typeof typeof_unqual union unsigned using virtual void \
    volatile wchar_t while xor xor_eq NULL size_t ptrdiff_t max_align_t nullptr_t offsetof \
    unreachable PTRDIFF_MAX PTRDIFF_MIN SIG_ATOMIC_MAX SIG_ATOMIC_MIN SIZE_MAX WCHAR_MAX WCHAR_MIN \
    WINT_MAX WINT_MIN linux unix";

/// Whether C and C++ let programs give that name to something.
pub(crate) fn is_c_name(name: &str) -> bool {
    let plain = name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_');
    let begins = name.bytes().next().is_some_and(|b| !b.is_ascii_digit());
    plain && begins && !is_kept(name)
}

/// Whether a name is kept for the compiler, its predefined macros among others, or its headers.
fn is_kept(name: &str) -> bool {
    let of_compiler = name
        .strip_prefix('_')
        .is_some_and(|rest| rest.starts_with(|c: char| c == '_' || c.is_ascii_uppercase()));
    // The names that `stdint.h` has or may get.
    let begins = |words: [&str; 2]| words.iter().any(|word| name.starts_with(word));
    let of_integers = begins(["int", "uint"]) && name.ends_with("_t")
        || begins(["INT", "UINT"])
            && ["_C", "_MAX", "_MIN", "_WIDTH"].iter().any(|end| name.ends_with(end));
    of_compiler || of_integers || KEPT.split_ascii_whitespace().any(|word| word == name)
}

fn make_unique(params: &mut [Param]) {
    for index in 0..params.len() {
        let (before, rest) = params.split_at_mut(index);
        let name = &mut rest[0].name;
        while before.iter().any(|p| p.name == *name) {
            name.push('_');
        }
    }
}

#[cfg(test)]
mod tests {
    use super::is_c_name;

    #[test]
    fn names_that_c_keeps() {
        for name in ["matmul", "_f", "f_", "_0", "int_t_", "interval", "UINT", "unix_", "MAX"] {
            assert!(is_c_name(name), "{name}");
        }
        let kept = "double linux unix __linux__ _LP64 _GLOBAL_OFFSET_TABLE_ int8_t uint_fast16_t \
            INT8_MAX UINT64_C intptr_t NULL";
        for name in kept.split_ascii_whitespace().chain(["", "0f", "a.b", "a b"]) {
            assert!(!is_c_name(name), "{name}");
        }
    }
}
