// The runtime's numbers for element types and encodings.

def HAL_Bit : Type<IsInteger<1>, "integer of one bit">;
def HAL_SignedInteger : Type<IsInteger<0, "signed">, "signed integer">;
def HAL_UnsignedInteger : Type<IsInteger<0, "unsigned">, "unsigned integer">;
def HAL_IEEEFloat : AnyTypeOf<[F16, F32, F64, F128]>;

// The kind of number in the first byte, its bits in the others.
def HAL_ElementNumber : Function<(params $type), (typeswitch $type,
    (case HAL_Bit, (attr "318767112 : i32")),
    (case HAL_SignedInteger, (add (attr "285212672 : i32"), (toInt (bitWidth $type), I32))),
    (case HAL_UnsignedInteger, (add (attr "301989888 : i32"), (toInt (bitWidth $type), I32))),
    (case AnySignlessInteger, (add (attr "268435456 : i32"), (toInt (bitWidth $type), I32))),
    (case BF16, (attr "570425360 : i32")),
    (case F8E5M2, (attr "603979784 : i32")),
    (case F8E4M3FN, (attr "620757000 : i32")),
    (case F8E5M2FNUZ, (attr "637534216 : i32")),
    (case F8E4M3FNUZ, (attr "654311432 : i32")),
    (case F8E8M0FNU, (attr "671088648 : i32")),
    (case Complex<F32>, (attr "587202624 : i32")),
    (case Complex<F64>, (attr "587202688 : i32")),
    (case HAL_IEEEFloat, (add (attr "553648128 : i32"), (toInt (bitWidth $type), I32))))>;

/// Row-major, which is what an encoding that is not written stands for.
defvar HAL_RowMajor = (attr "1 : i32");
