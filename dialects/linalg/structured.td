// Structured ops.

class Linalg_Op<string mnemonic, list<Trait> traits = []> : Op<Linalg_Dialect, mnemonic, traits>;

// The iteration space of a structured op comes from the op's name or attributes.
def LinalgStructuredInterface : OpInterface<"LinalgStructuredInterface">;
// A matmul and its relatives: products summed over shared dimensions.
def LinalgContractionOpInterface : OpInterface<"LinalgContractionOpInterface">;

class Linalg_StructuredOp<string mnemonic, list<Trait> traits = []>
    : Linalg_Op<mnemonic, !listconcat(traits, [
        AttrSizedOperandSegments, DestinationStyleOpInterface, LinalgStructuredInterface,
        RecursiveMemoryEffects, SingleBlockImplicitTerminator<"linalg.yield">
      ])> {
  let arguments = (ins Arg<Variadic<AnyType>, "", [MemRead]>:$inputs,
                       Arg<Variadic<AnyShaped>, "", [MemRead, MemWrite]>:$outputs);
  let results = (outs Variadic<AnyRankedTensor>:$result_tensors);
  let regions = (region AnyRegion:$region);
  let verifier = "structured";
}

def Linalg_GenericOp : Linalg_StructuredOp<"generic"> {
  let summary = "A loop nest with everything spelled out";
  let arguments = (ins Arg<Variadic<AnyType>, "", [MemRead]>:$inputs,
                       Arg<Variadic<AnyShaped>, "", [MemRead, MemWrite]>:$outputs,
                       AffineMapArrayAttr:$indexing_maps,
                       ArrayAttr:$iterator_types,
                       OptionalAttr<StrAttr>:$doc,
                       OptionalAttr<StrAttr>:$library_call);
  let customFormat = "generic";
  let regionArgNames = [NamedBy<"structured">];
}

// Written `linalg.name ins(…) outs(…) -> …`. The region is not written: the name says it.
class Linalg_NamedOp<string mnemonic, list<Trait> traits = []>
    : Linalg_StructuredOp<mnemonic, traits> {
  let customFormat = "named";
}

// May permute or broadcast operands by indexing maps of its own.
class Linalg_MappedContraction<string mnemonic>
    : Linalg_NamedOp<mnemonic, [LinalgContractionOpInterface]> {
  let arguments = (ins Arg<Variadic<AnyType>, "", [MemRead]>:$inputs,
                       Arg<Variadic<AnyShaped>, "", [MemRead, MemWrite]>:$outputs,
                       OptionalAttr<AffineMapArrayAttr>:$indexing_maps,
                       OptionalAttr<Linalg_TypeFnAttr>:$cast);
}
def Linalg_MatmulOp : Linalg_MappedContraction<"matmul"> {
  let summary = "C[m, n] += A[m, k] * B[k, n]";
}
def Linalg_BatchMatmulOp : Linalg_MappedContraction<"batch_matmul"> {
  let summary = "C[b, m, n] += A[b, m, k] * B[b, k, n]";
}
def Linalg_ContractOp : Linalg_MappedContraction<"contract"> {
  let summary = "A contraction along the dimensions that its maps say";
  let arguments = (ins Arg<Variadic<AnyType>, "", [MemRead]>:$inputs,
                       Arg<Variadic<AnyShaped>, "", [MemRead, MemWrite]>:$outputs,
                       AffineMapArrayAttr:$indexing_maps,
                       OptionalAttr<Linalg_TypeFnAttr>:$cast);
}

class Linalg_FixedContraction<string mnemonic>
    : Linalg_NamedOp<mnemonic, [LinalgContractionOpInterface]>;
def Linalg_MatvecOp : Linalg_FixedContraction<"matvec"> {
  let summary = "y[m] += A[m, n] * x[n]";
}
def Linalg_VecmatOp : Linalg_FixedContraction<"vecmat"> {
  let summary = "y[n] += x[m] * A[m, n]";
}
def Linalg_DotOp : Linalg_FixedContraction<"dot"> {
  let summary = "c[] += a[m] * b[m]";
}
def Linalg_BatchMatvecOp : Linalg_FixedContraction<"batch_matvec"> {
  let summary = "y[b, m] += A[b, m, k] * x[b, k]";
}
def Linalg_BatchVecmatOp : Linalg_FixedContraction<"batch_vecmat"> {
  let summary = "y[b, n] += x[b, k] * A[b, k, n]";
}
def Linalg_Mmt4DOp : Linalg_FixedContraction<"mmt4d"> {
  let summary = "A matmul of tiles, the right side transposed";
  let description = [{
    C[m, n, m0, n0] += A[m, k, m0, k0] * B[n, k, n0, k0]
  }];
}
def Linalg_BatchMmt4DOp : Linalg_FixedContraction<"batch_mmt4d"> {
  let summary = "A batch of `mmt4d`";
}

// A filter that slides over an input. The name says how both lie in memory: `n` images, `d`, `h` and
// `w` positions, `c` channels of the input, `f` of the result.
def LinalgConvolutionOpInterface : OpInterface<"LinalgConvolutionOpInterface">;
class Linalg_Convolution<string mnemonic>
    : Linalg_NamedOp<mnemonic, [LinalgConvolutionOpInterface]> {
  let arguments = (ins Arg<Variadic<AnyType>, "", [MemRead]>:$inputs,
                       Arg<Variadic<AnyShaped>, "", [MemRead, MemWrite]>:$outputs,
                       OptionalAttr<DenseElementsAttr>:$strides,
                       OptionalAttr<DenseElementsAttr>:$dilations);
}
def Linalg_Conv1DNwcWcfOp : Linalg_Convolution<"conv_1d_nwc_wcf"> {
  let summary = "A convolution along one dimension, channels last";
}
def Linalg_Conv1DNcwFcwOp : Linalg_Convolution<"conv_1d_ncw_fcw"> {
  let summary = "A convolution along one dimension, channels first";
}
def Linalg_Conv2DNhwcHwcfOp : Linalg_Convolution<"conv_2d_nhwc_hwcf"> {
  let summary = "A convolution of images, channels last";
}
def Linalg_Conv2DNhwcFhwcOp : Linalg_Convolution<"conv_2d_nhwc_fhwc"> {
  let summary = "A convolution of images, channels last, one filter after the other";
}
def Linalg_Conv2DNchwFchwOp : Linalg_Convolution<"conv_2d_nchw_fchw"> {
  let summary = "A convolution of images, channels first";
}
def Linalg_Conv3DNdhwcDhwcfOp : Linalg_Convolution<"conv_3d_ndhwc_dhwcf"> {
  let summary = "A convolution of volumes, channels last";
}
def Linalg_Conv3DNcdhwFcdhwOp : Linalg_Convolution<"conv_3d_ncdhw_fcdhw"> {
  let summary = "A convolution of volumes, channels first";
}
def Linalg_DepthwiseConv2DNhwcHwcOp : Linalg_Convolution<"depthwise_conv_2d_nhwc_hwc"> {
  let summary = "A convolution of each channel of images by itself, channels last";
}
def Linalg_DepthwiseConv2DNchwChwOp : Linalg_Convolution<"depthwise_conv_2d_nchw_chw"> {
  let summary = "A convolution of each channel of images by itself, channels first";
}

def Linalg_FillOp : Linalg_NamedOp<"fill"> {
  let summary = "All elements are a scalar";
}
def Linalg_CopyOp : Linalg_NamedOp<"copy"> {
  let summary = "Copies, widening or narrowing elements where the types differ";
  let arguments = (ins Arg<Variadic<AnyType>, "", [MemRead]>:$inputs,
                       Arg<Variadic<AnyShaped>, "", [MemRead, MemWrite]>:$outputs,
                       OptionalAttr<Linalg_TypeFnAttr>:$cast);
}
def Linalg_ElementwiseOp : Linalg_StructuredOp<"elementwise"> {
  let summary = "A function of the elements at the same place";
  let arguments = (ins Arg<Variadic<AnyType>, "", [MemRead]>:$inputs,
                       Arg<Variadic<AnyShaped>, "", [MemRead, MemWrite]>:$outputs,
                       Linalg_ElementwiseKindAttr:$kind,
                       OptionalAttr<AffineMapArrayAttr>:$indexing_maps);
  let customFormat = "elementwise";
}

// One input and one output, whose relation an attribute says.
class Linalg_PermutingOp<string mnemonic, string attribute>
    : Linalg_Op<mnemonic, [
        DestinationStyleOpInterface, LinalgStructuredInterface, RecursiveMemoryEffects,
        SingleBlockImplicitTerminator<"linalg.yield">
      ]> {
  let results = (outs Variadic<AnyTensor>:$result);
  let regions = (region SizedRegion<1>:$region);
  let customFormat = attribute;
  let verifier = "structured";
}
def Linalg_TransposeOp : Linalg_PermutingOp<"transpose", "transpose"> {
  let summary = "Permutes dimensions";
  let arguments = (ins Arg<AnyShaped, "", [MemRead]>:$input,
                       Arg<AnyShaped, "", [MemWrite]>:$init,
                       DenseI64ArrayAttr:$permutation);
  let resultNames = [NamedAs<"result", "transposed">];
}
def Linalg_BroadcastOp : Linalg_PermutingOp<"broadcast", "broadcast"> {
  let summary = "Repeats along new dimensions";
  let arguments = (ins Arg<AnyShaped, "", [MemRead]>:$input,
                       Arg<AnyShaped, "", [MemWrite]>:$init,
                       DenseI64ArrayAttr:$dimensions);
  let resultNames = [NamedAs<"result", "broadcasted">];
}

// Their regions may be written as the one op that they consist of.
class Linalg_PayloadOp<string mnemonic, list<Trait> traits = []>
    : Linalg_Op<mnemonic, !listconcat(traits, [
        DestinationStyleOpInterface, LinalgStructuredInterface, RecursiveMemoryEffects,
        SingleBlockImplicitTerminator<"linalg.yield">
      ])> {
  let regions = (region SizedRegion<1>:$region);
  let customFormat = mnemonic;
  let regionArgNames = [NamedBy<"payload">];
  let verifier = "structured";
}
def Linalg_ReduceOp : Linalg_PayloadOp<"reduce", [SameVariadicOperandSize]> {
  let summary = "Folds elements along dimensions into one";
  let arguments = (ins Arg<Variadic<AnyShaped>, "", [MemRead]>:$inputs,
                       Arg<Variadic<AnyShaped>, "", [MemRead, MemWrite]>:$inits,
                       DenseI64ArrayAttr:$dimensions);
  let results = (outs Variadic<AnyTensor>:$result);
  let resultNames = [NamedAs<"result", "reduced">];
}
def Linalg_MapOp : Linalg_PayloadOp<"map"> {
  let summary = "A function of the elements at the same place, given as a region";
  let arguments = (ins Arg<Variadic<AnyShaped>, "", [MemRead]>:$inputs,
                       Arg<AnyShaped, "", [MemWrite]>:$init);
  let results = (outs Variadic<AnyTensor>:$result);
  let resultNames = [NamedAs<"result", "mapped">];
}

def Linalg_IndexOp : Linalg_Op<"index", [Pure]> {
  let summary = "The iteration number along a dimension of the structured op around";
  let arguments = (ins ConfinedAttr<I64Attr, [IntMinValue<0>]>:$dim);
  let results = (outs Index:$result);
  let assemblyFormat = "$dim attr-dict `:` type($result)";
  let verifier = "index";
}

def Linalg_YieldOp : Linalg_Op<"yield", [Pure, ReturnLike, Terminator]> {
  let summary = "Hands an iteration's values to the structured op around";
  let arguments = (ins Variadic<AnyType>:$values);
  let assemblyFormat = "attr-dict ($values^ `:` type($values))?";
}
