// Enums.

def CombiningKind : I32EnumAttr<"CombiningKind", "how elements are combined", [
  I32EnumAttrCase<"ADD", 0, "add">,
  I32EnumAttrCase<"MUL", 1, "mul">,
  I32EnumAttrCase<"MINUI", 2, "minui">,
  I32EnumAttrCase<"MINSI", 3, "minsi">,
  I32EnumAttrCase<"MINNUMF", 4, "minnumf">,
  I32EnumAttrCase<"MAXUI", 5, "maxui">,
  I32EnumAttrCase<"MAXSI", 6, "maxsi">,
  I32EnumAttrCase<"MAXNUMF", 7, "maxnumf">,
  I32EnumAttrCase<"AND", 8, "and">,
  I32EnumAttrCase<"OR", 9, "or">,
  I32EnumAttrCase<"XOR", 10, "xor">,
  I32EnumAttrCase<"MINIMUMF", 11, "minimumf">,
  I32EnumAttrCase<"MAXIMUMF", 12, "maximumf">
]>;

def Vector_CombiningKindAttr : EnumAttr<Vector_Dialect, CombiningKind, "kind"> {
  let assemblyFormat = "`<` $value `>`";
}

def Vector_IteratorType : I32EnumAttr<"IteratorType", "role of an iteration dimension", [
  I32EnumAttrCase<"parallel", 0>,
  I32EnumAttrCase<"reduction", 1>
]>;

def Vector_IteratorTypeAttr : EnumAttr<Vector_Dialect, Vector_IteratorType, "iterator_type"> {
  let assemblyFormat = "`<` $value `>`";
}

def Vector_FastMathAttr : Attr<IsAttrKind<"arith.fastmath">, "fast-math flags"> {
  let bare = "of:arith.fastmath";
}
