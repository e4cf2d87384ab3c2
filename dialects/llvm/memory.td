// Memory.

class LLVM_AccessOp<string mnemonic, list<Trait> traits = []>
    : LLVM_Op<mnemonic, !listconcat([AnyEffectsWhen<["volatile_", "ordering"]>], traits)>;

def LLVM_AllocaOp : LLVM_Op<"alloca"> {
  let summary = "Memory that lives as long as the function runs";
  let arguments = (ins AnySignlessInteger:$arraySize, OptionalAttr<I64Attr>:$alignment,
                       TypeAttr:$elem_type, UnitAttr:$inalloca);
  let results = (outs Res<LLVM_AnyPointer, "", [MemAlloc]>:$res);
  let customFormat = "alloca";
}

def LLVM_GEPOp : LLVM_Op<"getelementptr", [Pure]> {
  let summary = "The address of a part of memory";
  let description = [{
    An index is a constant or, where `rawConstantIndices` holds the least integer, the next of the
    dynamic ones.
  }];
  let arguments = (ins LLVM_PointerLike:$base, Variadic<LLVM_AnyInteger>:$dynamicIndices,
                       DenseI32ArrayAttr:$rawConstantIndices, TypeAttr:$elem_type,
                       DefaultValuedAttr<LLVM_GEPNoWrapFlags, "none">:$noWrapFlags);
  let results = (outs LLVM_PointerLike:$res);
  let assemblyFormat = [{
    (custom<GEPNoWrapFlags>($noWrapFlags)^)? $base `[`
    custom<GEPIndices>($dynamicIndices, $rawConstantIndices) `]` attr-dict
    `:` functional-type(operands, results) `,` $elem_type
  }];
  let verifier = "getelementptr";
}

def LLVM_LoadOp : LLVM_AccessOp<"load"> {
  let summary = "Reads memory";
  let arguments = !con((ins
    Arg<LLVM_AnyPointer, "", [MemRead]>:$addr,
    OptionalAttr<I64Attr>:$alignment,
    UnitAttr:$volatile_,
    UnitAttr:$nontemporal,
    UnitAttr:$invariant,
    UnitAttr:$invariantGroup,
    DefaultValuedAttr<LLVM_AtomicOrdering, "not_atomic">:$ordering,
    OptionalAttr<StrAttr>:$syncscope,
    OptionalAttr<LLVM_DereferenceableAttr>:$dereferenceable
  ), LLVM_aliasArgs);
  let results = (outs LLVM_LoadableType:$res);
  let assemblyFormat = [{
    (`volatile` $volatile_^)? $addr
    (`atomic` (`syncscope` `(` $syncscope^ `)`)? $ordering^)?
    (`invariant` $invariant^)? (`invariant_group` $invariantGroup^)?
    (`dereferenceable` `` $dereferenceable^)?
    prop-dict attr-dict `:` type($addr) `->` type($res)
  }];
}
def LLVM_StoreOp : LLVM_AccessOp<"store"> {
  let summary = "Writes memory";
  let arguments = !con((ins
    LLVM_LoadableType:$value,
    Arg<LLVM_AnyPointer, "", [MemWrite]>:$addr,
    OptionalAttr<I64Attr>:$alignment,
    UnitAttr:$volatile_,
    UnitAttr:$nontemporal,
    UnitAttr:$invariantGroup,
    DefaultValuedAttr<LLVM_AtomicOrdering, "not_atomic">:$ordering,
    OptionalAttr<StrAttr>:$syncscope
  ), LLVM_aliasArgs);
  let assemblyFormat = [{
    (`volatile` $volatile_^)? $value `,` $addr
    (`atomic` (`syncscope` `(` $syncscope^ `)`)? $ordering^)?
    (`invariant_group` $invariantGroup^)?
    prop-dict attr-dict `:` type($value) `,` type($addr)
  }];
}

def LLVM_UpdatedType
    : AnyTypeOf<[LLVM_AnyFloat, LLVM_AnyPointer, AnySignlessInteger, LLVM_AnyVector],
                "scalar or vector">;
def LLVM_AtomicRMWOp : LLVM_Op<"atomicrmw", [AllTypesMatch<["val", "res"]>]> {
  let summary = "Updates memory at once; what it held before";
  let arguments = !con((ins
    LLVM_AtomicBinOp:$bin_op,
    LLVM_AnyPointer:$ptr,
    LLVM_UpdatedType:$val,
    LLVM_AtomicOrdering:$ordering,
    OptionalAttr<StrAttr>:$syncscope,
    OptionalAttr<I64Attr>:$alignment,
    UnitAttr:$volatile_
  ), LLVM_aliasArgs);
  let results = (outs LLVM_UpdatedType:$res);
  let assemblyFormat = [{
    (`volatile` $volatile_^)? $bin_op $ptr `,` $val (`syncscope` `(` $syncscope^ `)`)? $ordering
    prop-dict attr-dict `:` type($ptr) `,` type($val)
  }];
}
def LLVM_ExchangedType : AnyTypeOf<[AnySignlessInteger, LLVM_AnyPointer], "integer or pointer">;
def LLVM_AtomicCmpXchgOp : LLVM_Op<"cmpxchg", [
  AllTypesMatch<["cmp", "val"]>,
  TypesMatchWith<"the result is the value before and a bit", "val", "res", DeriveWith<"exchanged">>
]> {
  let summary = "Writes memory if it holds a value; what it held before, and whether it was so";
  let arguments = !con((ins
    LLVM_AnyPointer:$ptr,
    LLVM_ExchangedType:$cmp,
    LLVM_ExchangedType:$val,
    LLVM_AtomicOrdering:$success_ordering,
    LLVM_AtomicOrdering:$failure_ordering,
    OptionalAttr<StrAttr>:$syncscope,
    OptionalAttr<I64Attr>:$alignment,
    UnitAttr:$weak,
    UnitAttr:$volatile_
  ), LLVM_aliasArgs);
  let results = (outs LLVM_AnyStruct:$res);
  let assemblyFormat = [{
    (`weak` $weak^)? (`volatile` $volatile_^)? $ptr `,` $cmp `,` $val
    (`syncscope` `(` $syncscope^ `)`)? $success_ordering $failure_ordering
    prop-dict attr-dict `:` type($ptr) `,` type($val)
  }];
}
def LLVM_FenceOp : LLVM_Op<"fence"> {
  let summary = "Keeps accesses before and after it in order";
  let arguments = (ins LLVM_AtomicOrdering:$ordering, OptionalAttr<StrAttr>:$syncscope);
  let assemblyFormat = "(`syncscope` `(` $syncscope^ `)`)? $ordering attr-dict";
}
def LLVM_VaArgOp : LLVM_Op<"va_arg"> {
  let summary = "The next of the arguments that a function does not name";
  let arguments = (ins LLVM_AnyPointer:$arg);
  let results = (outs LLVM_Type:$res);
  let assemblyFormat = "$arg attr-dict `:` functional-type($arg, $res)";
}
