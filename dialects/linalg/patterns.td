// Rewrites of `linalg` ops.

// A named op as `linalg.generic`: its iteration space becomes attributes, its region moves over.
class GeneralizeNamedOp<Op named>
    : Pattern<"linalg-generalize", (named:$op $inputs, $outputs, (rest)),
              [(Linalg_GenericOp:$generic $inputs, $outputs,
                                          (compute "linalg_indexing_maps", $op),
                                          (compute "linalg_iterator_types", $op),
                                          (absent), (absent),
                                          (attrsOf $op, "cast", "indexing_maps", "kind",
                                                   "operandSegmentSizes"),
                                          (types (typeOf $op))),
               (takeRegion $op, 0, $generic, 0),
               (replace $generic)]>;

// Contractions.
def GeneralizeMatmul : GeneralizeNamedOp<Linalg_MatmulOp>;
def GeneralizeBatchMatmul : GeneralizeNamedOp<Linalg_BatchMatmulOp>;
def GeneralizeContract : GeneralizeNamedOp<Linalg_ContractOp>;
def GeneralizeMatvec : GeneralizeNamedOp<Linalg_MatvecOp>;
def GeneralizeVecmat : GeneralizeNamedOp<Linalg_VecmatOp>;
def GeneralizeDot : GeneralizeNamedOp<Linalg_DotOp>;
def GeneralizeBatchMatvec : GeneralizeNamedOp<Linalg_BatchMatvecOp>;
def GeneralizeBatchVecmat : GeneralizeNamedOp<Linalg_BatchVecmatOp>;
def GeneralizeMmt4D : GeneralizeNamedOp<Linalg_Mmt4DOp>;
def GeneralizeBatchMmt4D : GeneralizeNamedOp<Linalg_BatchMmt4DOp>;

// Element by element.
def GeneralizeCopy : GeneralizeNamedOp<Linalg_CopyOp>;

// Ops of one input and one output, which are no variadic groups.
class GeneralizePermutingOp<Op permuting>
    : Pattern<"linalg-generalize", (permuting:$op $input, $init, (rest)),
              [(Linalg_GenericOp:$generic (values $input), (values $init),
                                          (compute "linalg_indexing_maps", $op),
                                          (compute "linalg_iterator_types", $op),
                                          (absent), (absent),
                                          (attrsOf $op, "dimensions", "permutation"),
                                          (types (typeOf $op))),
               (takeRegion $op, 0, $generic, 0),
               (replace $generic)]>;
def GeneralizeTranspose : GeneralizePermutingOp<Linalg_TransposeOp>;
def GeneralizeBroadcast : GeneralizePermutingOp<Linalg_BroadcastOp>;
