// Canonicalizations of control flow, calls and checks.

//===-- Branches ----------------------------------------------------------------------------------

defvar VM_False = (ConstantLike 0);
def VM_BranchIfNever
    : Pattern<"canonicalize", (VM_CondBranchOp:$branch VM_False, ?, $values),
              [(VM_BranchOp $values, (successorsOf $branch, 1)), (erase)]>;
def VM_BranchIfAlways
    : Pattern<"canonicalize", (VM_CondBranchOp:$branch (ConstantLike $c), $values, ?),
              [(VM_BranchOp $values, (successorsOf $branch, 0)), (erase)], [(ne $c, 0)]>;
def VM_BranchAnyway
    : Pattern<"canonicalize", (VM_CondBranchOp:$branch ?, $values, $values),
              [(VM_BranchOp $values, (successorsOf $branch, 0)), (erase)],
              [(predicate "vm_one_target", $branch)]>;
// A block that nothing else goes to takes the place of the branch to it.
def VM_MergeBlock : NativePattern<"canonicalize", VM_BranchOp, "cf_merge">;

def VM_BreakIfNever
    : Pattern<"canonicalize", (VM_CondBreakOp:$break VM_False, $values),
              [(VM_BranchOp $values, (successorsOf $break)), (erase)]>;
def VM_BreakIfAlways
    : Pattern<"canonicalize", (VM_CondBreakOp:$break (ConstantLike $c), $values),
              [(VM_BreakOp $values, (successorsOf $break)), (erase)], [(ne $c, 0)]>;

//===-- Calls and imports -------------------------------------------------------------------------

// All arguments are single values.
def VM_CallOfSingles
    : Pattern<"canonicalize",
              (VM_CallVariadicOp:$call $callee, $sizes, ?, $operands, $args, $results, $pure),
              [(replace (VM_CallOp $callee, $operands, $args, $results, $pure,
                                   (types (typeOf $call))))],
              [(eq (splat $sizes), -1)]>;
def VM_RequiredImport
    : Pattern<"canonicalize", (VM_ImportResolvedOp:$asked ?), [(replace (VM_ConstI32Op 1))],
              [(predicate "vm_import_required", $asked)]>;

//===-- Failing -----------------------------------------------------------------------------------

// The program ends in a block of its own.
def VM_FailApart : NativePattern<"canonicalize", VM_CondFailOp, "vm_fail_apart">;

// 9 is the status of what had to hold and does not. `fails` is computed of what is checked.
class VM_CheckFails<dag check, dag fails, list<dag> conditions>
    : Pattern<"canonicalize", check,
              [(VM_CondFailOp fails, (VM_ConstI32Op 9), $message), (erase)], conditions>;
class VM_Inverted<dag holds> {
  dag value = (VM_XorI32Op (createOrFold holds), (VM_ConstI32Op 1));
}
class VM_CheckPair<Op check, TypeConstraint type, dag fails>
    : VM_CheckFails<(check $lhs, $rhs, $message), fails, [(type $lhs)]>;
def VM_CheckEQI32 : VM_CheckPair<VM_CheckEQOp, I32, (VM_CmpNEI32Op $lhs, $rhs)>;
def VM_CheckEQI64 : VM_CheckPair<VM_CheckEQOp, I64, (VM_CmpNEI64Op $lhs, $rhs)>;
def VM_CheckEQF32 : VM_CheckPair<VM_CheckEQOp, F32, (VM_CmpNEF32UOp $lhs, $rhs)>;
def VM_CheckEQF64 : VM_CheckPair<VM_CheckEQOp, F64, (VM_CmpNEF64UOp $lhs, $rhs)>;
def VM_CheckEQRef : VM_CheckPair<VM_CheckEQOp, VM_AnyRef, (VM_CmpNERefOp $lhs, $rhs)>;
def VM_CheckNEI32 : VM_CheckPair<VM_CheckNEOp, I32, (VM_CmpEQI32Op $lhs, $rhs)>;
def VM_CheckNEI64 : VM_CheckPair<VM_CheckNEOp, I64, (VM_CmpEQI64Op $lhs, $rhs)>;
def VM_CheckNEF32 : VM_CheckPair<VM_CheckNEOp, F32, (VM_CmpEQF32OOp $lhs, $rhs)>;
def VM_CheckNEF64 : VM_CheckPair<VM_CheckNEOp, F64, (VM_CmpEQF64OOp $lhs, $rhs)>;
def VM_CheckNERef : VM_CheckPair<VM_CheckNEOp, VM_AnyRef, (VM_CmpEQRefOp $lhs, $rhs)>;
class VM_CheckNear<TypeConstraint type, dag near>
    : VM_CheckPair<VM_CheckNearlyEQOp, type, VM_Inverted<near>.value>;
def VM_CheckNearF32 : VM_CheckNear<F32, (VM_CmpEQF32NearOp $lhs, $rhs)>;
def VM_CheckNearF64 : VM_CheckNear<F64, (VM_CmpEQF64NearOp $lhs, $rhs)>;
class VM_CheckNZ<TypeConstraint type, dag holds>
    : VM_CheckFails<(VM_CheckNZOp $value, $message), VM_Inverted<holds>.value, [(type $value)]>;
def VM_CheckNZI32 : VM_CheckNZ<I32, (VM_CmpNZI32Op $value)>;
def VM_CheckNZI64 : VM_CheckNZ<I64, (VM_CmpNZI64Op $value)>;
def VM_CheckNZF32 : VM_CheckNZ<F32, (VM_CmpNZF32OOp $value)>;
def VM_CheckNZF64 : VM_CheckNZ<F64, (VM_CmpNZF64OOp $value)>;
def VM_CheckNZRef : VM_CheckNZ<VM_AnyRef, (VM_CmpNZRefOp $value)>;

// Numbers of one sign are compared by how many others lie between them.
def VM_NearF32 : NativePattern<"canonicalize", VM_CmpEQF32NearOp, "vm_near">;
def VM_NearF64 : NativePattern<"canonicalize", VM_CmpEQF64NearOp, "vm_near">;

//===-- Initializers ------------------------------------------------------------------------------

// A global begins with what is put into it before anybody looks.
def VM_BeginsWith : NativePattern<"canonicalize", VM_InitializerOp, "vm_begins_with">;
