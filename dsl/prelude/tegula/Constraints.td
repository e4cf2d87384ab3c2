// Structured predicates, and the constraints that are built from them.
//
// A predicate speaks of one subject: a type, or an attribute where its comment says so. Every
// predicate is data, so that the verifier, the patterns and the language server all read it; what
// no combination of these can say is a named hook of the dialect (`PredHook`).

#ifndef TEGULA_CONSTRAINTS
#define TEGULA_CONSTRAINTS

// The base of all predicates.
class Pred;

// Holds always.
def TruePred : Pred;

// All hold.
class And<list<Pred> preds> : Pred {
  list<Pred> children = preds;
}

// At least one holds.
class Or<list<Pred> preds> : Pred {
  list<Pred> children = preds;
}

// The child does not hold.
class Neg<Pred pred> : Pred {
  list<Pred> children = [pred];
}

// The type is the builtin or dialect type of this name: `index`, `tensor`, `unranked_tensor`,
// `vector`, `memref`, `unranked_memref`, `function`, `tuple`, `none`, `token`, `complex`, or a dialect
// type's full name.
class IsTypeKind<string name> : Pred {
  string kind = name;
}

// The type, printed, is just this text.
class IsTypeText<string t> : Pred {
  string text = t;
}

// An integer type. A width of 0 means any; the sign is `signless`, `signed`, `unsigned`, or
// empty for any.
class IsInteger<int w = 0, string s = ""> : Pred {
  int width = w;
  string sign = s;
}

// A floating-point type. A width of 0 means any.
class IsFloat<int w = 0> : Pred {
  int width = w;
}

// A shaped type whose element type satisfies the predicate.
class ElementTypeIs<Pred pred> : Pred {
  list<Pred> children = [pred];
}

// A shaped type with one of these ranks.
class HasRankOf<list<int> r> : Pred {
  list<int> ranks = r;
}

// A shaped type that has a rank.
def HasRankPred : Pred;

// A shaped type without dynamic dimensions.
def HasStaticShapePred : Pred;

// A shaped type whose elements lie in row-major order: a tensor without an encoding, a memref of the
// identity layout.
def HasPlainLayoutPred : Pred;

// The named parameter of a dialect type or attribute satisfies the predicate.
class ParamIs<string name, Pred pred> : Pred {
  string param = name;
  list<Pred> children = [pred];
}

// The attribute is of this kind: `unit`, `bool`, `integer`, `float`, `string`, `array`,
// `dictionary`, `type`, `symbol_ref`, `flat_symbol_ref`, `affine_map`, `integer_set`,
// `dense_elements`, `elements`, `dense_array`, `location`, or a dialect attribute's full name.
class IsAttrKind<string name> : Pred {
  string kind = name;
}

// A typed attribute whose type satisfies the predicate.
class AttrTypeIs<Pred pred> : Pred {
  list<Pred> children = [pred];
}

// A type attribute whose type satisfies the predicate.
class TypeAttrIs<Pred pred> : Pred {
  list<Pred> children = [pred];
}

// An array attribute each of whose elements satisfies the predicate.
class EachElement<Pred pred> : Pred {
  list<Pred> children = [pred];
}

// An integer attribute within these bounds, both included.
class IntInRange<int lo, int hi> : Pred {
  int min = lo;
  int max = hi;
}

// An array attribute with a length within these bounds, both included.
class LengthInRange<int lo, int hi> : Pred {
  int min = lo;
  int max = hi;
}

// A dense array attribute of this element type.
class IsDenseArrayOf<string elem> : Pred {
  string element = elem;
}

// The attribute, printed, is just this text.
class IsAttrText<string t> : Pred {
  string text = t;
}

// The attribute is a case of the enum of this definition name.
class IsEnumCase<string name> : Pred {
  string enumName = name;
}

// Decided by a hook of the dialect.
class PredHook<string name> : Pred {
  string hook = name;
}

// A requirement on a type or an attribute. Messages say "must be {summary}".
class Constraint<Pred pred, string desc = ""> {
  Pred predicate = pred;
  string summary = desc;
}

// What the constraint requires. Use this and not `constraint.predicate`, for the predicate of a
// type or attribute definition is known only once its mnemonic is.
class Satisfies<Constraint c> : Pred {
  Constraint constraint = c;
}

// A requirement on the type of an operand or result.
class TypeConstraint<Pred pred, string desc = ""> : Constraint<pred, desc>;

// A requirement on an attribute.
class AttrConstraint<Pred pred, string desc = ""> : Constraint<pred, desc>;

// A requirement on a region: how many blocks it may have (`maxBlocks` 0 means any number).
class RegionConstraint<int most, bit atLeastOne, string desc = ""> {
  int maxBlocks = most;
  bit nonEmpty = atLeastOne;
  string summary = desc;
}

// A requirement on a successor.
class SuccessorConstraint<string desc = ""> {
  string summary = desc;
  // The operand group whose values become the arguments of the block; empty when none do.
  string operands = "";
}

// The operators of argument, result, region and successor lists.
def ins;
def outs;
def region;
def successor;

// A trait or interface of an op, type or attribute.
class Trait;

// A trait known by name.
class NativeTrait<string name, list<string> args = []> : Trait {
  string trait = name;
  list<string> traitArgs = args;
}

// The same under the names that say what the trait is for.
class NativeOpTrait<string name> : NativeTrait<name>;
class NativeTypeTrait<string name> : NativeTrait<name>;
class NativeAttrTrait<string name> : NativeTrait<name>;
class ParamNativeOpTrait<string name, string arg> : NativeTrait<name, [arg]>;

// Several traits under one name.
class TraitList<list<Trait> members> : Trait {
  list<Trait> traits = members;
}

// An interface: a trait whose methods passes look up by its name.
class Interface<string name> : NativeTrait<name>;
class OpInterface<string name> : Interface<name>;
class TypeInterface<string name> : Interface<name>;
class AttrInterface<string name> : Interface<name>;

#endif // TEGULA_CONSTRAINTS
