// Patterns.

include "tegula/Patterns.td"
include "arith/arith.td"

// One case and the default are the two sides of an `if`.
def SwitchOfOneCase
    : Pattern<"apply-patterns", (IndexSwitchOp:$switch $arg, $cases),
              [(Arith_ConstantOp:$case (toInt (item $cases, 0), Index), (types Index)),
               (bind (createOrFold (Arith_CmpIOp "eq", $arg, $case)):$is),
               (IfOp:$if $is, (types (typeOf $switch))),
               (takeRegion $switch, "caseRegions", $if, "thenRegion"),
               (takeRegion $switch, "defaultRegion", $if, "elseRegion"),
               (replace $if)],
              [(eq (count $cases), 1)]>;

// A loop whose counter has one value, or none.
class LoopOf<dag made, list<dag> conditions>
    : Pattern<"canonicalize",
              (ForOp:$loop (ConstantLike $lower):$first, (ConstantLike $upper),
                           (ConstantLike $step), $inits, (absent)),
              [(replace made)], conditions>;
def LoopOfOneRound
    : LoopOf<(inline $loop, "region", $first, $inits),
             [(lt $lower, $upper), (ge (add $lower, $step), $upper)]>;
def LoopOfNoRound : LoopOf<(values $inits), [(ge $lower, $upper)]>;
