//! The names of the bang operators.

macro_rules! bang_ops {
    ($($name:literal $variant:ident $doc:literal;)*) => {
        /// A bang operator; `!cond` has its own syntax and is not among them.
        #[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
        pub enum BangOp {
            $(#[doc = $doc] $variant,)*
            /// A name that is no operator; an error was reported for it.
            Unknown,
        }

        impl BangOp {
            /// The operators by name, without the exclamation mark.
            pub const NAMES: &[(&str, BangOp)] = &[$(($name, BangOp::$variant),)*];

            /// The name, without the exclamation mark.
            pub fn name(self) -> &'static str {
                match self {
                    $(BangOp::$variant => $name,)*
                    BangOp::Unknown => "?",
                }
            }

            /// The operator of a name without its exclamation mark.
            pub fn find(name: &str) -> Option<BangOp> {
                match name {
                    $($name => Some(BangOp::$variant),)*
                    _ => None,
                }
            }
        }
    };
}

bang_ops! {
    "add" Add "Sum of integers.";
    "and" And "Bitwise and.";
    "cast" Cast "A value of another type, or a record by name.";
    "con" Con "Concatenation of dags.";
    "dag" Dag "A dag from lists.";
    "div" Div "Signed quotient.";
    "empty" Empty "Whether a string, list or dag is empty.";
    "eq" Eq "Equality.";
    "exists" Exists "Whether a record of a name and type exists.";
    "filter" Filter "The elements of a list that satisfy a predicate.";
    "find" Find "The offset of a string in another.";
    "foldl" Foldl "A left fold.";
    "foreach" Foreach "A map over a list or dag.";
    "ge" Ge "Greater than or equal.";
    "getdagarg" GetDagArg "An argument of a dag.";
    "getdagname" GetDagName "The name of a dag's argument.";
    "getdagop" GetDagOp "The operator of a dag.";
    "getdagopname" GetDagOpName "The name of a dag's operator.";
    "gt" Gt "Greater than.";
    "head" Head "The first element of a list.";
    "if" If "One of two values.";
    "initialized" Initialized "Whether a value is set.";
    "instances" Instances "All records of a class.";
    "interleave" Interleave "A list joined by a string.";
    "isa" IsA "Whether a value is of a type.";
    "le" Le "Less than or equal.";
    "listconcat" ListConcat "Concatenation of lists.";
    "listflatten" ListFlatten "A list of lists as one list.";
    "listremove" ListRemove "A list without the elements of another.";
    "listsplat" ListSplat "A list of one value, repeated.";
    "logtwo" LogTwo "The base-2 logarithm, rounded down.";
    "lt" Lt "Less than.";
    "match" Match "Whether a string matches a regular expression.";
    "mul" Mul "Product of integers.";
    "ne" Ne "Inequality.";
    "not" Not "Logical negation.";
    "or" Or "Bitwise or.";
    "range" Range "A list of integers.";
    "repr" Repr "A value as text.";
    "setdagarg" SetDagArg "A dag with another argument.";
    "setdagname" SetDagName "A dag with another argument name.";
    "setdagop" SetDagOp "A dag with another operator.";
    "setdagopname" SetDagOpName "A dag with another operator name.";
    "shl" Shl "Shift to the left.";
    "size" Size "The length of a string, list or dag.";
    "sra" Sra "Arithmetic shift to the right.";
    "srl" Srl "Logical shift to the right.";
    "strconcat" StrConcat "Concatenation of strings.";
    "sub" Sub "Difference of integers.";
    "subst" Subst "Substitution in a string, or of a record by another.";
    "substr" Substr "A part of a string.";
    "tail" Tail "A list without its first element.";
    "tolower" ToLower "A string in lower case.";
    "toupper" ToUpper "A string in upper case.";
    "xor" Xor "Bitwise exclusive or.";
}
