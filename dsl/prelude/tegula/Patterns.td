// Rewrite patterns, folds, conversions and type converters. `docs/patterns.md` specifies them.

#ifndef TEGULA_PATTERNS
#define TEGULA_PATTERNS

include "tegula/OpBase.td"

// A rewrite of the ops that `match` describes, by the actions in order. `where` lists further
// conditions on what the match has bound.
class Pattern<string groupName, dag source, list<dag> steps, list<dag> conditions = []> {
  // The group that passes refer to: `canonicalize` for the canonicalizer.
  string group = groupName;
  dag match = source;
  list<dag> actions = steps;
  list<dag> where = conditions;
  // Higher is tried first; among equals, in order of definition.
  int benefit = 1;
  string summary = "";
}

// Names an existing value or a constant for each result: `[(fold $x)]`.
class Fold<dag source, list<dag> steps, list<dag> conditions = []>
    : Pattern<"fold", source, steps, conditions>;

// A pattern of a conversion: operands that the root's match has bound by name stand for their
// converted values in the actions.
class ConversionPattern<string groupName, dag source, list<dag> steps, list<dag> conditions = []>
    : Pattern<groupName, source, steps, conditions>;

// An op that a conversion with the group's patterns leaves alone, when `where` holds. An op for
// which there are such declarations is illegal when none of them holds.
class LegalWhen<string groupName, dag source, list<dag> conditions = []>
    : Pattern<groupName, source, [], conditions>;

// A computation under a name, for patterns to share: `(Name args…)` stands for `result`, whose
// names are the parameters and what `lets` binds. `lets` are `(bind …)`, and actions where actions
// may stand.
class Function<dag params, dag value, list<dag> steps = []> {
  dag parameters = params;
  dag result = value;
  list<dag> lets = steps;
}
// The parameters of a function: `(params $a, $b)`.
def params;

// A pattern in Rust: a rewrite hook matches and edits on its own. The root is `(Op …)`, whose
// arguments are not looked at.
class NativePattern<string groupName, Op op, string hookName> : Pattern<groupName, (op), []> {
  string hook = hookName;
}

// What types become. The first rule that matches decides; other types stay.
class TypeConverter<string converterName, list<dag> conversionRules> {
  string name = converterName;
  // (becomes TypePattern, Type, …), (refused TypePattern)
  list<dag> rules = conversionRules;
  // The op that turns converted values back into one of the original type, and the one for the
  // other way; without them a conversion that needs one fails.
  Op sourceCast = ?;
  Op targetCast = ?;
  // What is made where a value of one type meets a use that wants another; the first that matches
  // goes before the cast ops: (cast Form, TypePattern, Value). Of several values the form is
  // (values Form, …), for several the pattern (types TypePattern, …).
  list<dag> casts = [];
}
def becomes;
// The type has no conversion.
def refused;
def cast;

// ---- Matching -----------------------------------------------------------------------------------
// `(Op args…)` matches an op by its arguments in order of definition, operands and attributes
// alike. `$x` binds, `?` ignores, `Constraint:$x` requires and binds, a nested dag matches the op
// that defines the operand, `(Op …):$v` binds its value and `(Op:$o …)` the op.

// The remaining arguments may be anything; of `values` and `symbol` also those before.
def rest;
// Two arguments in either order: `(either $a, (Op $b))`.
def either;
// One of several forms; each binds the same names.
def anyOf;
// The form does not match; what it binds is not visible outside.
def noneOf;
// Only one operand uses the value: `(oneUse (Op $x))`; as a condition, `(oneUse $v)`.
def oneUse;
// The type of a value: `(typed $x, AnyTensor:$t)`.
def typed;
// All values of a variadic group, one form each.
def values;
// The form, or anything else: what it binds is absent then.
def maybe;
// The value, or the first of those that it is tied to, which matches the form.
def tied;
// In conversions: the type that the operand becomes matches.
def converted;
// A reference to a symbol by its names, outermost first: `(symbol $a, $b)`.
def symbol;
// An attribute by its text: `(attr "0 : i32")`.
def attr;
// An absent optional attribute or operand.
def absent;

// ---- Conditions ---------------------------------------------------------------------------------
// `(Constraint $x)` and `(Trait $op)` require; the following do more.

// Something is there.
def present;
// Both are the same.
def same;
// Nothing uses the value.
def noUse;
// A predicate hook: `(predicate "hook", $a, …)`.
def predicate;
// Integers compare.
def eq;
def ne;
def lt;
def le;
def gt;
def ge;
// The condition does not hold.
def unless;
// Gives something a name: `(bind (bitWidth $t):$bits)`.
def bind;
// The op around an op must be this: `(inside $op, Func_FuncOp:$f)`.
def inside;
// The nearest op around an op of that name, or of one of several:
// `(within $op, (anyOf A_Op, B_Op):$outer)`.
def within;
// The nearest op of that name, or of one of several, before an op in its block, or before the ops
// around it in theirs: `(preceded $op, A_Op:$earlier)`.
def preceded;
// An op, or what defines a value, comes before an op on every way to it: `(precedes $x, $op)`.
def precedes;
// What is computed matches a form: `(matches $t, (My_Type $p))`.
def matches;
// All of several conditions; `anyOf` asks for one of them.
def allOf;
// For one element of a list, or for each: `(some (each $x, $xs), conditions…)`.
def some;
def all;

// ---- Computing ----------------------------------------------------------------------------------

def typeOf;       // the type of a value or typed attribute
def elementType;  // of a shaped type
def boolType;     // the same shape with elements `i1`
def type;         // a type by its text: `(type "f32")`
def convertType;  // under the conversion's type converter
def types;        // several types; in an op that is made, its result types
def shape;        // the sizes of a shaped type; negative where dynamic
def param;        // `(param Type_Def, "name", $t)`: a parameter of a dialect type or attribute
def item;         // `(item $xs, 0)`: one of several
def count;        // how many
def positions;    // `(positions $xs)`: 0, 1, 2, … for the elements of a list
def add;
def sub;
def mul;
def div;          // rounding towards minus infinity
def mod;
def array;        // an array attribute
def dense;        // a dense attribute: `(dense T, elements)`
def typeAttr;     // a type as an attribute
def compute;      // a computation hook: `(compute "hook", $a, …)`
def map;          // a list: `(map (each $x, $xs), (each $y, $ys), steps…, E)`
def reduce;       // what the last round gives: `(reduce (from $so, E), (each $x, $xs), steps…, F)`
def from;         // what the first round goes on from
def each;         // the elements of a list; several are gone through together
def take;         // `(take $x, $xs, n)`: in each round the next `n` elements
def filter;       // the elements for which conditions hold: `(filter (each $x, $xs), …)`
def unique;       // a list without repetitions
def switch;       // `(switch (case condition, steps…, E), (default E))`
def typeswitch;   // `(typeswitch $x, (case Type, steps…, E), (default E))`
def case;
def default;
def orElse;       // the first when it is there, else the second
def users;        // the ops that use a value, oldest use first
def ties;         // a value and those that it is tied to
def sizeOf;       // a value that stands for the size of a value
def bodyOps;      // the ops of a region's only block: `(bodyOps $op, "body")`
def nestedOps;    // all ops within an op
def captures;     // the values from outside that ops within an op use
def partsOf;      // in conversions: what a pattern has given for a value, of whatever types
def blockArgs;    // the arguments of a region's entry: `(blockArgs $op, "body")`
def attrOf;       // an attribute by name: `(attrOf $op, "my.note")`, `(attrOf …, (absent))`
def withShape;    // a tensor or vector of other sizes: `(withShape $t, $sizes)`
def bitWidth;     // of an integer or float type
def splat;        // the element that a dense attribute repeats
def toInt;        // an integer of another type: `(toInt $n, I32)`
def discardableOf; // `(discardableOf $op, "but", …)`: attributes that its definition does not name
def attrsOf;      // `(attrsOf $op, "but", …)`: an op's attributes, in an op that is made
def successorsOf; // `(successorsOf $op)`: an op's successors, in an op that is made

// ---- Actions ------------------------------------------------------------------------------------
// `(Op:$o args…)` makes an op right before the root; nested dags make theirs first.

// Replaces the root's results by values and erases it.
def replace;
// The same for another op: `(replaceOp $op, …)`.
def replaceOp;
// Erases the root, or the op that is named.
def erase;
// In place: `(setAttr $op, "name", value)`, `(removeAttr $op, "name")`,
// `(setOperand $op, "name", value)`.
def setAttr;
def removeAttr;
def setOperand;
// A builder hook: `(build "hook", $a, …)`.
def build;
// An op that is made, or what it folds to: `(createOrFold (Op …))`.
def createOrFold;
// The sizes of a shaped type as values: `(dims T, $dynamic, Constant_Op)`.
def dims;
// A copy of an op.
def clone;
// Moves the ops of a region's only block here; gives what its terminator passes on, which goes:
// `(inline $op, "body", arguments…)`.
def inline;
// Actions under a condition, or for each element of a list: `(when condition, actions…)`,
// `(forEach (each $x, $xs), actions…)`.
def when;
def forEach;
// Ops are made before or behind another op: `(before $op, actions…)`.
def before;
def after;
// Ops are made in a new block of a region of an op that was made: `(block $op, "body", actions…)`.
def block;
// Makes the uses of a value those of another, but those of one op: `(replaceUses $x, $y, $op)`.
def replaceUses;
// `(setType $x, T)`
def setType;
// `(moveBefore $op, $other)`
def moveBefore;
def moveAfter;
// The op cannot be converted, for this reason.
def refuse;
// A result of an op with several: `(result $op, 1)`.
def result;
// The end of a fold.
def fold;
// In conversions: an operand as it is before the conversion.
def original;
// Moves the blocks of a region: `(takeRegion $from, 0, $to, 0)`.
def takeRegion;
// In conversions: converts the types of a region's block arguments: `(convertRegion $op, 0)`.
def convertRegion;

#endif // TEGULA_PATTERNS
