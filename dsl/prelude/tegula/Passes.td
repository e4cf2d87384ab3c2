// Passes and pipelines.

#ifndef TEGULA_PASSES
#define TEGULA_PASSES

// How far a pass sees, and so how far an edit can reach.
class Scope<string name> {
  string scope = name;
}
// Its own body.
def Local : Scope<"local">;
// Its own body, from which it may split off new symbols.
def Outline : Scope<"outline">;
// A summary of each body, one solve over the module, a projection for each body, an apply.
def Solved : Scope<"solved">;
// Its own body and the results of its callees, in bottom-up order.
def BottomUp : Scope<"bottom-up">;
// The attributes of the module, and new symbols at its head; no body.
def HeaderOnly : Scope<"header">;
// Symbols into fewer symbols.
def Merge : Scope<"merge">;
// The whole module. The description says why.
def WholeModule : Scope<"module">;

// An option. Kinds: `bool`, `int64_t` and the other integers, `std::string`, or a list of these
// through `ListOption`.
class Option<string name, string arg, string type, string default = "", string desc = ""> {
  // The field of the generated options struct.
  string cppName = name;
  // The name in pipeline text.
  string argument = arg;
  string cppType = type;
  string defaultValue = default;
  string summary = desc;
  // The words that the option takes, when it takes words.
  list<string> choices = [];
  bit isList = 0;
}
class ListOption<string name, string arg, string type, string desc = "">
    : Option<name, arg, type, "", desc> {
  let isList = 1;
}
class ChoiceOption<string name, string arg, list<string> words, string default, string desc = "">
    : Option<name, arg, "std::string", default, desc> {
  let choices = words;
}

// A number that the pass counts.
class Statistic<string name, string stat, string desc = ""> {
  string cppName = name;
  string statName = stat;
  string summary = desc;
}

// What a pass does.
class PassBody;
// Rust of the dialect, by the name under which it registers; the pass's own argument when empty.
class RunHook<string name = ""> : PassBody {
  string hook = name;
}
// The patterns of these groups, until none applies.
class GreedyRewrite<list<string> groupNames> : PassBody {
  list<string> groups = groupNames;
}
// A dialect conversion with the patterns of these groups. Arguments after the first are best given
// by name: `Conversion<["to-b"], legal = ["b"], illegal = ["a"]>`.
class Conversion<list<string> groupNames, list<string> legal = [], list<string> illegal = [],
                 list<string> typeLegal = [], string converter = "", bit full = 0,
                 list<string> opaque = [], list<string> unconverted = []> : PassBody {
  list<string> groups = groupNames;
  // Dialects (`arith`) and ops (`func.func`) that may stay.
  list<string> legalNames = legal;
  // Dialects and ops that must go.
  list<string> illegalNames = illegal;
  // Ops that may stay once all of their types are legal.
  list<string> typeLegalNames = typeLegal;
  // The type converter's definition name; empty when types stay.
  string converterName = converter;
  // Ops that must go and that no pattern converts, on purpose: they are refused. `my.family.*` is
  // every op whose name begins so.
  list<string> unconvertedNames = unconverted;
  // Ops that may stay with all that is in them.
  list<string> opaqueNames = opaque;
  // What is neither legal nor illegal is an error.
  bit isFull = full;
}

// A pass on the op of the given full name; on any when it is empty.
class Pass<string arg, string anchor = ""> {
  string argument = arg;
  string operation = anchor;
  string summary = "";
  string description = "";
  Scope scope = Local;
  list<Option> options = [];
  list<Statistic> statistics = [];
  list<string> dependentDialects = [];
  // Facts, by name: what must hold before, what holds after, what no longer holds after. A change
  // by a pass that invalidates `fixed-point` asks a fixed point around it for another round.
  list<string> requires = [];
  list<string> establishes = [];
  list<string> invalidates = [];
  PassBody body = RunHook<>;
  // Of a bottom-up pass: the pass that simplifies functions before they are looked at, and again
  // after each change.
  string simplifiedBy = "";
  // A part of the pass that its pipeline is told as: dumps do not show it alone.
  bit quiet = 0;
}

// A pipeline under a name, in pipeline text. `$option` in it stands for the value of an option.
class Pipeline<string name, string passes> {
  string argument = name;
  string pipeline = passes;
  // The name of the pass that it is told as, where it is one: dumps show what its passes made
  // together, too.
  string pass = "";
  string summary = "";
  list<Option> options = [];
}

#endif // TEGULA_PASSES
