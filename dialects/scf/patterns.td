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
