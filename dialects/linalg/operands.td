// Operands that a loop nest can do without.

// The value of a fill is read in place of the elements of what is filled.
class Linalg_FoldFills<string group>
    : NativePattern<group, Linalg_GenericOp, "linalg_fold_fills">;
// A constant of equal elements is a scalar.
class Linalg_FoldSplats<string group>
    : NativePattern<group, Linalg_GenericOp, "linalg_fold_splats">;
// What is overwritten without a look is empty before.
class Linalg_ForgetOutputs<string group>
    : NativePattern<group, Linalg_GenericOp, "linalg_forget_outputs">;
// What is there twice, or what nothing reads or uses, goes.
class Linalg_EraseUnused<string group>
    : NativePattern<group, Linalg_GenericOp, "linalg_erase_unused">;
