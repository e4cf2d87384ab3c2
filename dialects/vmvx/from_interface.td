// From `hal.interface`: what a dispatch passes is in the arguments of the function, which are
//
//   (local memory, constants, bindings, workgroup ids, workgroup sizes, workgroup counts)

class VMVX_FromInterface<dag source, list<dag> steps, list<dag> conditions>
    : ConversionPattern<"hal-to-vmvx", source, steps, conditions>;

def VMVX_Argument : Function<(params $function, $number),
    (item (blockArgs $function, 0), $number)>;

def VMVX_Dimension : AttrConstraint<IntInRange<0, 2>, "one of three dimensions">;

// A number for each dimension, in 32 bits; they begin at one of the arguments.
class VMVX_FromNumber<Op op, int first>
    : VMVX_FromInterface<(op:$number VMVX_Dimension:$dimension, ?),
                         [(replace (Arith_IndexCastOp
                             (VMVX_Argument $function, (add $dimension, first)),
                             (types Index)))],
                         [(within $number, FuncOp:$function)]>;
def FromWorkgroupID : VMVX_FromNumber<HAL_InterfaceWorkgroupIDOp, 3>;
def FromWorkgroupSize : VMVX_FromNumber<HAL_InterfaceWorkgroupSizeOp, 6>;
def FromWorkgroupCount : VMVX_FromNumber<HAL_InterfaceWorkgroupCountOp, 9>;

// Constants lie one behind the other in a buffer.
def FromConstant
    : VMVX_FromInterface<(HAL_InterfaceConstantLoadOp:$load ?, $ordinal, ?, ?),
                         [(bind (VMVX_Argument $function, (attr "1 : index")):$constants),
                          (replace (Util_BufferLoadOp
                              $constants, (Util_BufferSizeOp $constants),
                              (VMVX_BytesOf (typeOf $load), (Arith_ConstantOp $ordinal)),
                              (VMVX_Bytes (typeOf $load)), (types (typeOf $load))))],
                         [(within $load, FuncOp:$function)]>;

// Bindings are elements of a list.
def VMVX_Binding : Function<(params $function, $number),
    (Util_ListGetOp (VMVX_Argument $function, (attr "2 : index")), (Arith_ConstantOp $number),
                    (types Util_BufferType))>;
def FromBinding
    : VMVX_FromInterface<(HAL_InterfaceBindingSubspanOp:$binding
                            ?, $number, (anyOf (absent), (ConstantLike (attr "0 : index"))),
                            (rest)),
                         [(replace (VMVX_Binding $function, $number))],
                         [(within $binding, FuncOp:$function),
                          (VMVX_FlatMemRef (typeOf $binding))]>;
def FromBindingAtOffset
    : VMVX_FromInterface<(HAL_InterfaceBindingSubspanOp:$binding ?, $number, $offset, $dynamic,
                                                                 (rest)),
                         [(bind (VMVX_Binding $function, $number):$whole),
                          (replace (Util_BufferSubspanOp
                              $whole, (VMVX_SizeOf $whole), $offset,
                              (VMVX_SizeOfMemRef $type, $dynamic)))],
                         [(present $offset), (within $binding, FuncOp:$function),
                          (bind (typeOf $binding):$type), (VMVX_FlatMemRef $type)]>;
