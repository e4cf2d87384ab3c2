// Comparisons and choice.

def Arith_CmpIOp : Arith_Op<"cmpi", [
  Pure, SameTypeOperands,
  TypesMatchWith<"result type has i1 element type and same shape as operands", "lhs", "result",
                 BoolOf>
]> {
  let summary = "Compares integers";
  let arguments = (ins Arith_CmpIPredicateAttr:$predicate,
                       SignlessIntegerOrIndexLike:$lhs,
                       SignlessIntegerOrIndexLike:$rhs);
  let results = (outs BoolLike:$result);
  let assemblyFormat = "$predicate `,` $lhs `,` $rhs attr-dict `:` type($lhs)";
  let folder = "elementwise";
}

def Arith_CmpFOp : Arith_Op<"cmpf", [
  Pure, SameTypeOperands,
  TypesMatchWith<"result type has i1 element type and same shape as operands", "lhs", "result",
                 BoolOf>
]> {
  let summary = "Compares floats; ordered predicates fail on NaN, unordered ones hold";
  let arguments = (ins Arith_CmpFPredicateAttr:$predicate,
                       FloatLike:$lhs,
                       FloatLike:$rhs,
                       DefaultValuedAttr<Arith_FastMathAttr, "#arith.fastmath<none>">:$fastmath);
  let results = (outs BoolLike:$result);
  let assemblyFormat = [{
    $predicate `,` $lhs `,` $rhs (`fastmath` `` $fastmath^)? attr-dict `:` type($lhs)
  }];
  let folder = "elementwise";
}

def Arith_SelectOp : Arith_Op<"select", [
  AllTypesMatch<["true_value", "false_value", "result"]>, PassesValues<"false_value", "result">,
  PassesValues<"true_value", "result">, Pure
]> {
  let summary = "One of two values";
  let description = [{
    The condition is one bit, which chooses the whole value, or has the shape of the values and
    chooses element by element.
  }];
  let arguments = (ins BoolLike:$condition, AnyType:$true_value, AnyType:$false_value);
  let results = (outs AnyType:$result);
  let customFormat = "select";
  let folder = "select";
  let verifier = "select";
}
