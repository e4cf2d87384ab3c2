// Rewrites of `linalg` ops.

// A named op as `linalg.generic`: its iteration space becomes attributes, its region moves over.
class GeneralizeNamedOp<Op named, list<dag> further = []>
    : Pattern<"linalg-generalize", (named:$op $inputs, $outputs, (rest)),
              !listconcat([(Linalg_GenericOp:$generic $inputs, $outputs,
                                          (compute "linalg_indexing_maps", $op),
                                          (compute "linalg_iterator_types", $op),
                                          (absent), (absent),
                                          (attrsOf $op, "cast", "indexing_maps", "kind",
                                                   "operandSegmentSizes"),
                                          (types (typeOf $op))),
               (takeRegion $op, 0, $generic, 0)], further,
              [(replace $generic)])>;

// The op's name alone says its maps. MLIR writes them down on such an op as soon as one asks for
// them, and they go over with what else is written on it.
class GeneralizeFixedOp<Op named>
    : GeneralizeNamedOp<named, [(setAttr $generic, "linalg.memoized_indexing_maps",
                                          (compute "linalg_indexing_maps", $op))]>;

// Contractions.
def GeneralizeMatmul : GeneralizeNamedOp<Linalg_MatmulOp>;
def GeneralizeBatchMatmul : GeneralizeNamedOp<Linalg_BatchMatmulOp>;
def GeneralizeContract : GeneralizeNamedOp<Linalg_ContractOp>;
def GeneralizeMatvec : GeneralizeFixedOp<Linalg_MatvecOp>;
def GeneralizeVecmat : GeneralizeFixedOp<Linalg_VecmatOp>;
def GeneralizeDot : GeneralizeFixedOp<Linalg_DotOp>;
def GeneralizeBatchMatvec : GeneralizeFixedOp<Linalg_BatchMatvecOp>;
def GeneralizeBatchVecmat : GeneralizeFixedOp<Linalg_BatchVecmatOp>;
def GeneralizeMmt4D : GeneralizeFixedOp<Linalg_Mmt4DOp>;
def GeneralizeBatchMmt4D : GeneralizeFixedOp<Linalg_BatchMmt4DOp>;

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
