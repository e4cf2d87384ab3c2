// What follows from a point that is never reached.

include "cf/cf.td"
include "scf/scf.td"
include "ub/ub.td"

def RestOfUnreachable
    : NativePattern<"canonicalize", Util_SCFUnreachableOp, "util_unreachable_rest">;

// A region of `$op` gets to such a point, and nobody can see that it began.
class Util_Never<string region> {
  dag begins = (allOf
    (some (each $o, (bodyOps $op, region)), (matches $o, Util_SCFUnreachableOp)),
    (all (each $o, (bodyOps $op, region)),
         (anyOf (Pure $o), (Terminator $o), (matches $o, Util_SCFUnreachableOp))));
}
class Util_Choice<dag choice, list<dag> steps, list<dag> conditions>
    : Pattern<"apply-patterns", choice, steps, conditions>;

def NeitherSide
    : Util_Choice<(IfOp:$op (rest)),
                  [(Util_SCFUnreachableOp "both branches unreachable"),
                   (replace (map (each $r, (values $op)), (UB_PoisonOp ?, (types (typeOf $r)))))],
                  [Util_Never<"thenRegion">.begins, Util_Never<"elseRegion">.begins]>;
def OnlyElse
    : Util_Choice<(IfOp:$op (rest)), [(replace (inline $op, "elseRegion"))],
                  [Util_Never<"thenRegion">.begins, (gt (count (bodyOps $op, "elseRegion")), 0)]>;
def OnlyThen
    : Util_Choice<(IfOp:$op (rest)), [(replace (inline $op, "thenRegion"))],
                  [Util_Never<"elseRegion">.begins]>;
def NoSide
    : Util_Choice<(IfOp:$op (rest)), [(erase)],
                  [Util_Never<"thenRegion">.begins, (eq (count (bodyOps $op, "elseRegion")), 0)]>;

// No round begins, so that a loop gives what it was given.
def NoRound
    : Util_Choice<(ForOp:$op ?, ?, ?, $inits, ?), [(replace $inits)],
                  [Util_Never<"region">.begins]>;
// The condition of the first round is the last thing that is computed.
def OnlyCondition
    : Util_Choice<(WhileOp:$op $inits),
                  [(bind (inline $op, "before", $inits):$decided),
                   (replace (map (each $r, (values $op)), (each $at, (positions (values $op))),
                               (item $decided, (add $at, 1))))],
                  [Util_Never<"after">.begins]>;

def OtherCases : NativePattern<"apply-patterns", IndexSwitchOp, "util_unreachable_cases">;
def OtherBlock : NativePattern<"apply-patterns", BranchOp, "util_unreachable_target">;
def OtherBlocks : NativePattern<"apply-patterns", CondBranchOp, "util_unreachable_target">;
