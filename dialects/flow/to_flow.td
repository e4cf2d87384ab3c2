// Tensor ops between dispatches.

class Flow_FromTensor<dag source, list<dag> steps, list<dag> conditions = []>
    : Pattern<"tensor-to-flow", source, steps,
              !listconcat([(unless (within $op, (anyOf Flow_DispatchRegionOp,
                                                       Flow_DispatchWorkgroupsOp)))],
                          conditions)>;

def CollapseToFlow
    : Flow_FromTensor<(Tensor_CollapseShapeOp:$op $x, ?),
                      [(replace (Flow_TensorReshapeOp $x, (values), (values),
                                                      (types (typeOf $op))))],
                      [(AnyStaticShapeTensor $op)]>;
def ExpandToFlow
    : Flow_FromTensor<(Tensor_ExpandShapeOp:$op $x, ?, $sizes, ?),
                      [(replace (Flow_TensorReshapeOp $x, (Tensor_DynamicSizes $x), $sizes,
                                                      (types (typeOf $op))))]>;
def FillToFlow
    : Flow_FromTensor<(Linalg_FillOp:$op (values $value), (values $dest), (rest)),
                      [(replace (Flow_TensorSplatOp $value, (Tensor_DynamicSizes $dest),
                                                    (types (typeOf $op))))]>;
