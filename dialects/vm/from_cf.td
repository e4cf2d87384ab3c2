// From `cf` and `func`.

include "func/func.td"

def VM_FromBranch
    : VM_Replaced<(BranchOp:$branch $operands), (VM_BranchOp $operands, (successorsOf $branch))>;
def VM_FromCondBranch
    : VM_Replaced<(CondBranchOp:$branch $condition, $true, $false, ?),
                  (VM_CondBranchOp $condition, $true, $false, (successorsOf $branch))>;

// Values become indices of a table, whose gaps lead where all others go; so does what is too much
// for an index.
def VM_FromSwitch
    : VM_Converted<(SwitchOp:$switch $flag, $default, $cases, (rest)),
                   [(build "vm_table", $flag, $default, $cases, $switch), (erase)],
                   [(predicate "vm_table_fits", $switch)]>;

// 9 is the status of what had to hold and does not.
def VM_FromAssert
    : VM_Converted<(AssertOp $condition, $message),
                   [(VM_ConstI32Op:$status 9),
                    (VM_CondFailOp (createOrFold (VM_XorI32Op $condition, (VM_ConstI32Op 1))),
                                   $status, $message),
                    (erase)]>;

// Functions with a body; those without one have become imports.
class VM_FromFunc<dag source>
    : VM_Converted<source,
        [(VM_FuncOp:$new $name, $visibility, (typeAttr (convertType (typeOf $type))), ?, ?, ?, ?),
         (setAttr $new, "iree.reflection", $reflection),
         (setAttr $new, "nosideeffects", $nosideeffects),
         (setAttr $new, "inlining_policy", $policy),
         (takeRegion $func, 0, $new, 0),
         (convertRegion $new, 0),
         (erase)],
        [(bind (attrOf $func, "iree.reflection", (absent)):$reflection),
         (bind (attrOf $func, "nosideeffects", (absent)):$nosideeffects),
         (bind (attrOf $func, "inlining_policy", (absent)):$policy)]>;
def VM_FromFuncFunc : VM_FromFunc<(FuncOp:$func $name, $type, $visibility, (rest))>;
def VM_FromUtilFunc : VM_FromFunc<(Util_FuncOp:$func $name, $type, ?, $visibility, (rest))>;

class VM_FromCall<dag source>
    : VM_Replaced<source,
                  (VM_CallOp $callee, $operands, ?, ?, ?, (types (convertType (typeOf $call))))>;
def VM_FromFuncCall : VM_FromCall<(CallOp:$call $callee, $operands, (rest))>;
def VM_FromUtilCall : VM_FromCall<(Util_CallOp:$call $callee, $operands, (rest))>;

def VM_FromFuncReturn : VM_Replaced<(ReturnOp $operands), (VM_ReturnOp $operands)>;
def VM_FromUtilReturn : VM_Replaced<(Util_ReturnOp $operands), (VM_ReturnOp $operands)>;
