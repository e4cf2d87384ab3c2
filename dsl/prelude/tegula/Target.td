// Targets: what code generation may know of a machine.

#ifndef TEGULA_TARGET
#define TEGULA_TARGET

// A candidate for the inner tile of a contraction: element types of both sides and the result (empty
// for any), rows, columns and depth, and the features that it needs.
class Tile<string l, string r, string o, int rows, int columns, int depth,
           list<string> needs = []> {
  string lhs = l;
  string rhs = r;
  string out = o;
  int m = rows;
  int n = columns;
  int k = depth;
  list<string> requires = needs;
}

// A number by name.
class TargetParam<string n, int v> {
  string name = n;
  int value = v;
}

// A text by name, for what only other tools read (`data_layout`).
class TargetText<string n, string t> {
  string name = n;
  string text = t;
}

class Target<string n> {
  // The name on the command line.
  string name = n;
  string summary = "";
  // The part of the compiler that makes code for it, as `#hal.executable.target` names it.
  string backend = "llvm-cpu";
  // The architecture part of a target triple.
  string arch = n;
  int vectorBits = ?;
  int vectorRegisters = ?;
  // The alignment, in bytes, of memory that the program allocates.
  int alignment = 64;
  // Features that every such machine has, and those that flags may switch on.
  list<string> features = [];
  list<string> optionalFeatures = [];
  // Preferred first.
  list<Tile> tiles = [];
  list<TargetParam> params = [];
  list<TargetText> texts = [];
}

#endif // TEGULA_TARGET
