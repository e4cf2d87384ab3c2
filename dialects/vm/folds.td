// Folds and canonicalizations. Constants are folded by the folder `evaluate`; these identities hold
// for every operand.

include "tegula/Patterns.td"

multiclass VM_IntegerFolds<string what> {
  defvar Zero = !cast<Op>("VM_Const" # what # "ZeroOp");
  defvar Const = !cast<Op>("VM_Const" # what # "Op");
  defvar Global = !cast<Op>("VM_Global" # what # "Op");
  defvar Add = !cast<Op>("VM_Add" # what # "Op");
  defvar Sub = !cast<Op>("VM_Sub" # what # "Op");
  defvar Mul = !cast<Op>("VM_Mul" # what # "Op");
  defvar FMA = !cast<Op>("VM_FMA" # what # "Op");
  defvar And = !cast<Op>("VM_And" # what # "Op");
  defvar Or = !cast<Op>("VM_Or" # what # "Op");
  defvar Xor = !cast<Op>("VM_Xor" # what # "Op");
  defvar zero = (ConstantLike 0);

  // Zero is written without a value, and globals begin with it.
  def ConstZero : Pattern<"canonicalize", (Const 0), [(replace (Zero))]>;
  def GlobalZero : Pattern<"canonicalize", (Global:$global ?, ?, ?, ?, 0, (rest)),
                           [(removeAttr $global, "initial_value")]>;

  def AddZero : Fold<(Add (either $x, zero)), [(fold $x)]>;
  def AddOfSub : Fold<(Add (either (Sub $x, $y), $y)), [(fold $x)]>;
  def AddOfMul : Pattern<"canonicalize", (Add (either (oneUse (Mul $a, $b)), $c)),
                         [(replace (FMA $a, $b, $c))]>;
  def SubZero : Fold<(Sub $x, zero), [(fold $x)]>;
  def SubOfAdd : Fold<(Sub (Add (either $x, $y)), $y), [(fold $x)]>;
  def MulZero : Fold<(Mul (either ?, (ConstantLike 0):$zero)), [(fold $zero)]>;
  def MulOne : Fold<(Mul (either $x, (ConstantLike 1))), [(fold $x)]>;
  def MulOfMul
      : Pattern<"canonicalize", (Mul (Mul $x, (ConstantLike ?):$a), (ConstantLike ?):$b),
                [(replace (Mul $x, (createOrFold (Mul $a, $b))))]>;
  def FMAZero : Fold<(FMA (either ?, zero), $c), [(fold $c)]>;
  def FMAOne : Pattern<"canonicalize", (FMA (either $x, (ConstantLike 1)), $c),
                       [(replace (Add $x, $c))]>;
  def FMAOfNothing : Pattern<"canonicalize", (FMA $a, $b, zero), [(replace (Mul $a, $b))]>;
  def AndZero : Fold<(And (either ?, (ConstantLike 0):$zero)), [(fold $zero)]>;
  def AndSelf : Fold<(And $x, $x), [(fold $x)]>;
  def OrZero : Fold<(Or (either $x, zero)), [(fold $x)]>;
  def OrSelf : Fold<(Or $x, $x), [(fold $x)]>;
  def XorZero : Fold<(Xor (either $x, zero)), [(fold $x)]>;
  def XorSelf : Fold<(Xor $x, $x), [(fold (attr "0 : " # !tolower(what)))]>;

  foreach name = ["VM_Shl" # what # "Op", "VM_Shr" # what # "SOp", "VM_Shr" # what # "UOp"] in {
    def _#name#_ByZero
        : Fold<(!cast<Op>(name) $x, (ConstantLike 0)), [(fold $x)]>;
    def _#name#_OfZero : Fold<(!cast<Op>(name) (ConstantLike 0):$zero, ?), [(fold $zero)]>;
  }
  foreach sign = ["S", "U"] in {
    defvar Div = !cast<Op>("VM_Div" # what # sign # "Op");
    defvar Rem = !cast<Op>("VM_Rem" # what # sign # "Op");
    def Div#sign#One : Fold<(Div $x, (ConstantLike 1)), [(fold $x)]>;
    def Div#sign#OfZero : Fold<(Div (ConstantLike 0):$zero, ?), [(fold $zero)]>;
    def Rem#sign#One : Fold<(Rem ?, (ConstantLike 1)), [(fold (attr "0 : " # !tolower(what)))]>;
    def Rem#sign#OfZero : Fold<(Rem (ConstantLike 0):$zero, ?), [(fold $zero)]>;
    def Min#sign#Self : Fold<(!cast<Op>("VM_Min" # what # sign # "Op") $x, $x), [(fold $x)]>;
    def Max#sign#Self : Fold<(!cast<Op>("VM_Max" # what # sign # "Op") $x, $x), [(fold $x)]>;
    foreach relation = ["LT", "GT"] in
      def Cmp#relation#sign#Self
          : Fold<(!cast<Op>("VM_Cmp" # relation # what # sign # "Op") $x, $x),
                 [(fold (attr "0 : i32"))]>;
    foreach relation = ["LTE", "GTE"] in
      def Cmp#relation#sign#Self
          : Fold<(!cast<Op>("VM_Cmp" # relation # what # sign # "Op") $x, $x),
                 [(fold (attr "1 : i32"))]>;
  }
  def NotEqualZero
      : Pattern<"canonicalize", (!cast<Op>("VM_CmpNE" # what # "Op") (either $x, zero)),
                [(replace (!cast<Op>("VM_CmpNZ" # what # "Op") $x))]>;
}
defm VM_I32 : VM_IntegerFolds<"I32">;
defm VM_I64 : VM_IntegerFolds<"I64">;

foreach what = ["I32", "I64", "Ref"] in {
  def VM_EqSelf#what : Fold<(!cast<Op>("VM_CmpEQ" # what # "Op") $x, $x),
                            [(fold (attr "1 : i32"))]>;
  def VM_NeSelf#what : Fold<(!cast<Op>("VM_CmpNE" # what # "Op") $x, $x),
                            [(fold (attr "0 : i32"))]>;
}

// There are instructions for two of the orders, and of what is turned around for what it becomes.
class VM_Negated<dag holds> {
  dag value = (VM_XorI32Op holds, (VM_ConstI32Op 1));
}
foreach what = ["I32S", "I32U", "I64S", "I64U"] in {
  defvar Less = !cast<Op>("VM_CmpLT" # what # "Op");
  def VM_NotGreater#what
      : Pattern<"canonicalize", (!cast<Op>("VM_CmpLTE" # what # "Op") $a, $b),
                [(replace VM_Negated<(createOrFold (Less $b, $a))>.value)]>;
  def VM_Greater#what
      : Pattern<"canonicalize", (!cast<Op>("VM_CmpGT" # what # "Op") $a, $b),
                [(replace (Less $b, $a))]>;
  def VM_NotLess#what
      : Pattern<"canonicalize", (!cast<Op>("VM_CmpGTE" # what # "Op") $a, $b),
                [(replace VM_Negated<(createOrFold (Less $a, $b))>.value)]>;
}
foreach what = ["F32O", "F32U", "F64O", "F64U"] in {
  def VM_Greater#what
      : Pattern<"canonicalize", (!cast<Op>("VM_CmpGT" # what # "Op") $a, $b),
                [(replace (!cast<Op>("VM_CmpLT" # what # "Op") $b, $a))]>;
  def VM_NotLess#what
      : Pattern<"canonicalize", (!cast<Op>("VM_CmpGTE" # what # "Op") $a, $b),
                [(replace (!cast<Op>("VM_CmpLTE" # what # "Op") $b, $a))]>;
}
foreach what = ["I32", "I64"] in {
  defvar Equal = !cast<Op>("VM_CmpEQ" # what # "Op");
  defvar Other = !cast<Op>("VM_CmpNE" # what # "Op");
  def VM_NotEqual#what
      : Pattern<"canonicalize", (VM_XorI32Op (oneUse (Equal:$same $a, $b)), (ConstantLike 1)),
                [(before $same, (Other:$differ $a, $b)), (replace $differ)]>;
  def VM_NotOther#what
      : Pattern<"canonicalize", (VM_XorI32Op (oneUse (Other:$differ $a, $b)), (ConstantLike 1)),
                [(before $differ, (Equal:$same $a, $b)), (replace $same)]>;
}

// Integers are widened and narrowed by way of 32 bits.
class VM_InTwoSteps<Op from, Op first, Op second>
    : Pattern<"canonicalize", (from $x), [(replace (second (createOrFold (first $x))))]>;
def VM_TruncI16I8InTwo : VM_InTwoSteps<VM_TruncI16I8Op, VM_ExtI16I32UOp, VM_TruncI32I8Op>;
def VM_TruncI64I8InTwo : VM_InTwoSteps<VM_TruncI64I8Op, VM_TruncI64I32Op, VM_TruncI32I8Op>;
def VM_TruncI64I16InTwo : VM_InTwoSteps<VM_TruncI64I16Op, VM_TruncI64I32Op, VM_TruncI32I16Op>;
def VM_ExtI8I64SInTwo : VM_InTwoSteps<VM_ExtI8I64SOp, VM_ExtI8I32SOp, VM_ExtI32I64SOp>;
def VM_ExtI8I64UInTwo : VM_InTwoSteps<VM_ExtI8I64UOp, VM_ExtI8I32UOp, VM_ExtI32I64UOp>;
def VM_ExtI16I64SInTwo : VM_InTwoSteps<VM_ExtI16I64SOp, VM_ExtI16I32SOp, VM_ExtI32I64SOp>;
def VM_ExtI16I64UInTwo : VM_InTwoSteps<VM_ExtI16I64UOp, VM_ExtI16I32UOp, VM_ExtI32I64UOp>;

// Null is equal to itself, and what is compared with it is tested.
def VM_EqOfNulls : Fold<(VM_CmpEQRefOp (VM_ConstRefZeroOp), (VM_ConstRefZeroOp)),
                        [(fold (attr "1 : i32"))]>;
def VM_NeOfNulls : Fold<(VM_CmpNERefOp (VM_ConstRefZeroOp), (VM_ConstRefZeroOp)),
                        [(fold (attr "0 : i32"))]>;
def VM_NullIsZero : Fold<(VM_CmpNZRefOp (VM_ConstRefZeroOp)), [(fold (attr "0 : i32"))]>;
def VM_EqOfNull
    : Pattern<"canonicalize", (VM_CmpEQRefOp (either $x, (VM_ConstRefZeroOp))),
              [(replace (VM_XorI32Op (VM_CmpNZRefOp $x), (VM_ConstI32Op 1)))]>;
def VM_NeOfNull
    : Pattern<"canonicalize", (VM_CmpNERefOp (either $x, (VM_ConstRefZeroOp))),
              [(replace (VM_CmpNZRefOp $x))]>;

// Choices that are known, or make no difference.
foreach what = ["I32", "I64", "F32", "F64", "Ref"] in {
  defvar Select = !cast<Op>("VM_Select" # what # "Op");
  defvar Switch = !cast<Op>("VM_Switch" # what # "Op");
  def VM_SelectSame#what : Fold<(Select ?, $x, $x), [(fold $x)]>;
  def VM_SelectNever#what
      : Fold<(Select (ConstantLike 0), ?, $x), [(fold $x)]>;
  def VM_SelectAlways#what : Fold<(Select (ConstantLike $c), $x, ?), [(fold $x)], [(ne $c, 0)]>;
  def VM_SwitchSame#what
      : Fold<(Switch ?, $default, $values), [(fold $default)],
             [(all (each $v, $values), (same $v, $default))]>;
  def VM_SwitchKnown#what
      : Fold<(Switch (ConstantLike $index), ?, $values), [(fold (item $values, $index))]>;
  def VM_SwitchElse#what
      : Fold<(Switch (ConstantLike $index), $default, $values), [(fold $default)],
             [(ge $index, (count $values))]>;
  // The address of a global is known.
  def VM_LoadAt#what
      : Pattern<"canonicalize",
                (!cast<Op>("VM_GlobalLoadIndirect" # what # "Op"):$load
                   (VM_GlobalAddressOp $global, ?), $immutable),
                [(replace (!cast<Op>("VM_GlobalLoad" # what # "Op") $global, $immutable,
                             (types (typeOf $load))))]>;
  def VM_StoreAt#what
      : Pattern<"canonicalize",
                (!cast<Op>("VM_GlobalStoreIndirect" # what # "Op")
                   $value, (VM_GlobalAddressOp $global, ?)),
                [(!cast<Op>("VM_GlobalStore" # what # "Op") $value, $global), (erase)]>;
}

// References.
multiclass VM_CastFolds<Op one> {
  def Same : Fold<(one:$cast $x), [(fold $x)], [(same (typeOf $x), (typeOf $cast))]>;
  def Back
      : Fold<(one:$cast (anyOf (VM_CastAnyRefOp $x), (VM_CastRefAnyOp $x))), [(fold $x)],
             [(same (typeOf $x), (typeOf $cast))]>;
  def OfNull
      : Pattern<"canonicalize", (one:$cast (VM_ConstRefZeroOp)),
                [(replace (VM_ConstRefZeroOp (types (typeOf $cast))))]>;
}
defm VM_CastAnyRef : VM_CastFolds<VM_CastAnyRefOp>;
defm VM_CastRefAny : VM_CastFolds<VM_CastRefAnyOp>;

// Nothing happens.
def VM_EmptyInitializer
    : Pattern<"canonicalize", (VM_InitializerOp:$initializer (rest)), [(erase)],
              [(eq (count (bodyOps $initializer, "body")), 1)]>;
