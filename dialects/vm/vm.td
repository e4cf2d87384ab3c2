// The `vm` dialect: programs of the runtime's virtual machine. Registers hold 32-bit and 64-bit
// numbers and counted references; everything else is behind a reference or in another module.

#ifndef TEGULA_VM_TD
#define TEGULA_VM_TD

include "tegula/OpBase.td"
include "util/util.td"

def VM_Dialect : Dialect {
  let name = "vm";
  let summary = "Modules, functions and registers of the runtime's virtual machine";
  let description = [{
    The last form of the host program before its module file. A module declares what it takes from
    other modules (imports), what others may call (exports), globals and constant data. Numbers
    carry their width in the op's name: a narrow integer lives in an `i32`, a condition is an `i32`
    that is zero or not. Everything that is shared is a reference, `!vm.ref<…>`.
  }];
}

//===-- What an op needs or promises --------------------------------------------------------------

/// The machine has to know the float ops of this width. Their codes are numbers of their own, behind
/// a byte that says so; the feature is a bit of what a module requires.
class VM_Extension<string name, int prefix, int feature>
    : NativeTrait<name, ["prefix " # prefix, "feature " # feature]>;
def VM_ExtF32 : VM_Extension<"ExtF32", 0xE0, 1>;
def VM_ExtF64 : VM_Extension<"ExtF64", 0xE1, 2>;
/// There is no instruction for it: other ops take its place before the module file is written.
def VM_PseudoOp : NativeOpTrait<"PseudoOp">;
/// Goes in programs that nobody debugs.
def VM_DebugOnly : NativeOpTrait<"DebugOnly">;
/// Nothing moves across it.
def VM_FullBarrier : NativeOpTrait<"FullBarrier">;
/// May end the program with an error.
def VM_MayFail : NativeOpTrait<"MayFail">;

/// At its last use a reference among these operands goes over to the op.
class VM_TakesRefs<list<string> operands> : NativeTrait<"TakesRefs", operands>;

class VM_Op<string mnemonic, list<Trait> traits = []> : Op<VM_Dialect, mnemonic, traits>;
class VM_PureOp<string mnemonic, list<Trait> traits = []>
    : VM_Op<mnemonic, !listconcat(traits, [Pure])>;

// What a number type needs of the machine.
class VM_Needs<Type type> {
  list<Trait> traits = !cond(!eq(!cast<string>(type), "F32"): [VM_ExtF32],
                             !eq(!cast<string>(type), "F64"): [VM_ExtF64],
                             true: []<Trait>);
}

include "vm/encoding.td"
include "vm/types.td"
include "vm/structure.td"
include "vm/globals.td"
include "vm/constants.td"
include "vm/lists.td"
include "vm/buffers.td"
include "vm/numbers.td"
include "vm/casts.td"
include "vm/compare.td"
include "vm/control.td"
include "vm/folds.td"
include "cf/cf.td"
include "vm/control_folds.td"
include "vm/converter.td"
include "vm/import.td"
include "vm/from_arith.td"
include "vm/from_cf.td"
include "vm/from_math.td"
include "vm/from_util.td"
include "vm/passes.td"

#endif // TEGULA_VM_TD
