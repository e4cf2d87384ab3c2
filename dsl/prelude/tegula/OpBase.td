// Operations. Every dialect's `.td` includes this file.

#ifndef TEGULA_OP_BASE
#define TEGULA_OP_BASE

include "tegula/AttrTypeBase.td"

// ---- Operands and results -----------------------------------------------------------------------

// Any number of values.
class Variadic<TypeConstraint type> : TypeConstraint<Satisfies<type>, type.summary> {
  TypeConstraint baseType = type;
}
// One value or none.
class Optional<TypeConstraint type> : TypeConstraint<Satisfies<type>, type.summary> {
  TypeConstraint baseType = type;
}

// An operand, attribute or result with what the op does to the memory behind it.
class OpVariable<Constraint c, string desc, list<MemoryEffect> list_> {
  Constraint constraint = c;
  string summary = desc;
  list<MemoryEffect> effects = list_;
}
class Arg<Constraint c, string desc = "", list<MemoryEffect> effects = []>
    : OpVariable<c, desc, effects>;
class Res<Constraint c, string desc = "", list<MemoryEffect> effects = []>
    : OpVariable<c, desc, effects>;

// ---- Regions and successors ---------------------------------------------------------------------

class Region<int most = 0, bit atLeastOne = 0, string desc = "any region">
    : RegionConstraint<most, atLeastOne, desc>;
def AnyRegion : Region;
class SizedRegion<int n> : Region<n, 1, "region with " # n # " blocks">;
class MinSizedRegion<int n> : Region<0, 1, "region with at least " # n # " blocks">;
class MaxSizedRegion<int n> : Region<n, 0, "region with at most " # n # " blocks">;
class VariadicRegion<Region region>
    : Region<region.maxBlocks, region.nonEmpty, region.summary>;

class Successor<string desc = "any successor"> : SuccessorConstraint<desc>;
def AnySuccessor : Successor;
// A successor whose block takes the values of this operand group.
class SuccessorTaking<string group> : Successor {
  let operands = group;
}
class VariadicSuccessor<Successor successor> : Successor<successor.summary> {
  let operands = successor.operands;
}

// ---- Names in text ------------------------------------------------------------------------------

// `let resultNames = [NamedAs<"result", "buffer">]` or `[NamedBy<"hook_name">]`.
class NameHint;
// The result group, or (in `regionArgNames`) the entry block argument of this number, is named so.
class NamedAs<string group, string text> : NameHint {
  string groupName = group;
  string name = text;
}
class ArgNamedAs<int index, string text> : NameHint {
  int argIndex = index;
  string name = text;
}
// Decided by a hook of the dialect.
class NamedBy<string hookName> : NameHint {
  string hook = hookName;
}

// ---- The op -------------------------------------------------------------------------------------

class Op<Dialect owner, string mnemonic, list<Trait> traitList = []> {
  Dialect opDialect = owner;
  // The part of the name after the dialect's dot.
  string opName = mnemonic;
  string summary = "";
  string description = "";
  // (ins Constraint:$name, …): operands and attributes.
  dag arguments = (ins);
  // (outs Constraint:$name, …)
  dag results = (outs);
  // (region Constraint:$name, …)
  dag regions = (region);
  // (successor Constraint:$name, …)
  dag successors = (successor);
  list<Trait> traits = traitList;

  // The custom syntax; without it the op has only the generic one.
  string assemblyFormat = ?;
  // Parsed and printed by a pair of hooks. Hooks are named after the op's mnemonic unless the
  // field beside the switch names them otherwise.
  bit hasCustomAssemblyFormat = 0;
  string customFormat = ?;
  // Verified by a hook once all constraints hold.
  bit hasVerifier = 0;
  string verifier = ?;
  // The symbols that it names are verified by a hook, once the module is whole.
  bit hasSymbolVerifier = 0;
  string symbolVerifier = ?;
  // Folded by a hook.
  bit hasFolder = 0;
  string folder = ?;
  // How results are named in text.
  list<NameHint> resultNames = [];
  // How the entry block arguments of the regions are named in text.
  list<NameHint> regionArgNames = [];
}

#endif // TEGULA_OP_BASE
