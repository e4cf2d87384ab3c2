// Enums.

def Linalg_IteratorType : I32EnumAttr<"LinalgIteratorType", "role of an iteration dimension", [
  I32EnumAttrCase<"parallel", 0>,
  I32EnumAttrCase<"reduction", 1>,
  I32EnumAttrCase<"window", 2>
]>;
def Linalg_IteratorTypeAttr : EnumAttr<Linalg_Dialect, Linalg_IteratorType, "iterator_type"> {
  let assemblyFormat = "`<` $value `>`";
}

def Linalg_TypeFn : I32EnumAttr<"TypeFn", "how an integer operand is widened", [
  I32EnumAttrCase<"cast_signed", 0>,
  I32EnumAttrCase<"cast_unsigned", 1>
]>;
def Linalg_TypeFnAttr : EnumAttr<Linalg_Dialect, Linalg_TypeFn, "type_fn"> {
  let assemblyFormat = "`<` $value `>`";
}

def Linalg_ElementwiseKind : I32EnumAttr<"ElementwiseKind", "function of an element-wise op", [
  I32EnumAttrCase<"exp", 0>,
  I32EnumAttrCase<"log", 1>,
  I32EnumAttrCase<"abs", 2>,
  I32EnumAttrCase<"ceil", 3>,
  I32EnumAttrCase<"floor", 4>,
  I32EnumAttrCase<"negf", 5>,
  I32EnumAttrCase<"reciprocal", 6>,
  I32EnumAttrCase<"round", 7>,
  I32EnumAttrCase<"sqrt", 8>,
  I32EnumAttrCase<"rsqrt", 9>,
  I32EnumAttrCase<"square", 10>,
  I32EnumAttrCase<"tanh", 11>,
  I32EnumAttrCase<"erf", 12>,
  I32EnumAttrCase<"add", 13>,
  I32EnumAttrCase<"sub", 14>,
  I32EnumAttrCase<"mul", 15>,
  I32EnumAttrCase<"div", 16>,
  I32EnumAttrCase<"div_unsigned", 17>,
  I32EnumAttrCase<"max_signed", 18>,
  I32EnumAttrCase<"min_signed", 19>,
  I32EnumAttrCase<"max_unsigned", 20>,
  I32EnumAttrCase<"min_unsigned", 21>,
  I32EnumAttrCase<"powf", 22>,
  I32EnumAttrCase<"select", 23>
]>;
def Linalg_ElementwiseKindAttr
    : EnumAttr<Linalg_Dialect, Linalg_ElementwiseKind, "elementwise_kind"> {
  let assemblyFormat = "`<` $value `>`";
}
