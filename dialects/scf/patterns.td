// Patterns.

include "tegula/Patterns.td"
include "arith/arith.td"

//===-- Conditionals ------------------------------------------------------------------------------

def IfTrue
    : Pattern<"canonicalize", (IfOp:$if (ConstantLike (attr "true"))),
              [(replace (inline $if, "thenRegion"))]>;
def IfFalse
    : Pattern<"canonicalize", (IfOp:$if (ConstantLike (attr "false"))),
              [(replace (inline $if, "elseRegion"))],
              [(gt (count (bodyOps $if, "elseRegion")), 0)]>;
def IfNever
    : Pattern<"canonicalize", (IfOp:$if (ConstantLike (attr "false"))), [(erase)],
              [(eq (count (bodyOps $if, "elseRegion")), 0)]>;

// Nothing happens otherwise.
def EmptyElse
    : Pattern<"canonicalize", (IfOp:$if $condition),
              [(IfOp:$new $condition, (discardableOf $if), (types (typeOf $if))),
               (takeRegion $if, "thenRegion", $new, "thenRegion"), (erase)],
              [(eq (count (values $if)), 0), (eq (count (bodyOps $if, "elseRegion")), 1)]>;

// What either side only hands over is chosen without a branch.
defvar SCF_Both = (allOf (precedes $a, $if), (precedes $b, $if));
defvar SCF_Chosen = (allOf (precedes $a, $if), (precedes $b, $if), (unless (same $a, $b)));
def HandedOver
    : Pattern<"canonicalize", (IfOp:$if $condition),
              [(bind (map (each $a, $as), (each $b, $bs),
                  (switch (case SCF_Chosen, (Arith_SelectOp $condition, $a, $b)),
                          (default (values)))):$selected),
               (IfOp:$new $condition, (discardableOf $if), (types (typeOf $made))),
               (takeRegion $if, "thenRegion", $new, "thenRegion"),
               (takeRegion $if, "elseRegion", $new, "elseRegion"),
               (setOperand $then, "results",
                  (filter (each $a, $as), (each $b, $bs), (unless SCF_Both))),
               (setOperand $else, "results",
                  (filter (each $b, $bs), (each $a, $as), (unless SCF_Both))),
               (replace (map (each $a, $as), (each $b, $bs),
                  (take $s, $selected, (switch (case SCF_Chosen, (attr "1 : index")),
                                               (default (attr "0 : index")))),
                  (take $r, (values $new), (switch (case SCF_Both, (attr "0 : index")),
                                                   (default (attr "1 : index")))),
                  (switch (case (eq (count $r), 1), $r),
                          (case (eq (count $s), 1), $s),
                          (default $a))))],
              [(gt (count (values $if)), 0),
               (some (each $t, (bodyOps $if, "thenRegion")), (matches $t, (YieldOp:$then $as))),
               (some (each $t, (bodyOps $if, "elseRegion")), (matches $t, (YieldOp:$else $bs))),
               (some (each $a, $as), (each $b, $bs), SCF_Both),
               (bind (filter (each $r, (values $if)), (each $a, $as), (each $b, $bs),
                  (unless SCF_Both)):$made)]>;

//===-- Loops -------------------------------------------------------------------------------------

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

// What goes around a loop as it came in is what came in: a round begins with it, and hands it on
// where it comes back.
def AroundWhile
    : Pattern<"canonicalize", (WhileOp:$while $inits), [(replaceUses $inside, $outside)],
              [(some (each $t, (bodyOps $while, "before")),
                     (matches $t, (ConditionOp ?, $passed))),
               (some (each $t, (bodyOps $while, "after")), (matches $t, (YieldOp $again))),
               (some (each $init, $inits), (each $arg, (blockArgs $while, "before")),
                     (each $back, $again),
                  (unless (noUse $arg)),
                  (anyOf (same $back, $init),
                         (some (each $p, (blockArgs $while, "after")), (each $q, $passed),
                               (same $p, $back), (same $q, $arg))),
                  (bind (values $arg):$inside), (bind (values $init):$outside))]>;
// What a loop always gives need not come out of it.
def OutOfWhile
    : Pattern<"canonicalize", (WhileOp:$while $inits),
              [(replaceUses $behind, $always), (replaceUses $inside, $always)],
              [(some (each $t, (bodyOps $while, "before")),
                     (matches $t, (ConditionOp ?, $passed))),
               (some (each $result, (values $while)), (each $arg, (blockArgs $while, "after")),
                     (each $value, $passed),
                  (precedes $value, $while),
                  (unless (allOf (noUse $result), (noUse $arg))),
                  (bind (values $result):$behind), (bind (values $arg):$inside),
                  (bind (values $value):$always))]>;

//===-- Switches ----------------------------------------------------------------------------------

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
// What two switches in a row do in a case is done by one.
def SwitchesInARow : NativePattern<"apply-patterns", IndexSwitchOp, "scf_merge_switches"> {
  let benefit = 1000;
}
