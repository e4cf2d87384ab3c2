//! Rewrite patterns and type converters as programs.
//!
//! A program is a flat list of instructions over registers. What comes before [`Inst::Commit`]
//! only looks; what comes after it edits. Failing before the commit tries the newest choice point,
//! and without one the pattern does not apply. Registers need no clearing on the way back: every
//! alternative assigns the registers that it leads to.

use crate::{Arity, Derivation, List, Pred, Source, Str};

/// A register: it holds a value, values, an attribute, a type, types, an op, or "absent".
pub type Reg = u16;

/// The index of an instruction.
pub type Label = u16;

/// One rewrite pattern.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct PatternDef {
    /// The `.td` definition's name.
    pub name: Str,
    /// The group that passes refer to; `canonicalize` and `fold` are those of the canonicalizer.
    pub group: Str,
    /// The full name of the op at the root; empty when any op may stand there.
    pub root: Str,
    /// Higher is tried first.
    pub benefit: u32,
    /// What the pattern is for.
    pub kind: PatternKind,
    /// The number of registers. Register 0 holds the root op.
    pub registers: u16,
    /// The program.
    pub code: List<Inst>,
    /// For each instruction the line of the definition's file that it comes from; 0 when unknown.
    pub lines: List<u32>,
    /// The names of the ops that the program makes, for legality and documentation.
    pub makes: List<Str>,
    /// Where it is defined.
    pub source: Source,
}

/// What a pattern is for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum PatternKind {
    /// Rewrites the root in place.
    #[default]
    Rewrite,
    /// Names existing values or constants that stand for the root's results; ends in
    /// [`Inst::Fold`].
    Fold,
    /// Rewrites the root under a type converter; [`Inst::Remap`] gives converted operands.
    Convert,
    /// Says that the root is legal in a conversion; it only looks.
    Legal,
}

/// A program within an instruction. It shares the registers of the program around it. One that
/// only looks succeeds at its end.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Block {
    /// The program.
    pub code: List<Inst>,
    /// For each instruction the line that it comes from; 0 when unknown.
    pub lines: List<u32>,
}

/// One case of an [`Inst::Switch`].
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct CaseDef {
    /// Only looks; the case is taken when it succeeds.
    pub test: Block,
    /// What the case does.
    pub then: Block,
    /// The register that holds what the case gives.
    pub gives: Option<Reg>,
}

/// What comes of a loop over lists.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Gather {
    /// The values that each round gives, one after the other.
    Values,
    /// The types, in the same way.
    Types,
    /// An array of the attributes.
    Attrs,
    /// Those elements of the first list for which the body succeeds.
    Keep,
    /// Nothing: the loop ends at the first round whose body succeeds, and fails without one.
    Any,
    /// Nothing: the loop fails when the body of a round does.
    All,
    /// What the last round gives. The target holds what the round before gave, and in the first
    /// round what it held before the loop.
    Carry,
}

/// A type converter.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct ConverterDef {
    /// The name that conversions refer to.
    pub name: Str,
    /// The rules; the first that matches decides. A type that none matches stays as it is.
    pub rules: List<TypeConversionDef>,
    /// The op that turns converted values back into one of the original type, or empty when a
    /// conversion that needs one fails.
    pub source_cast: Str,
    /// The op that turns an original value into converted ones, or empty.
    pub target_cast: Str,
    /// What turns values of one type into one of another where no pattern has; the first that
    /// matches goes before the cast ops.
    pub casts: List<CastDef>,
    /// Where it is defined.
    pub source: Source,
}

/// One rule of a type converter.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct TypeConversionDef {
    /// The number of registers. Register 0 holds the type.
    pub registers: u16,
    /// A program that only looks and computes: what has to match up to a first [`Inst::Commit`], then
    /// the results up to another.
    pub code: List<Inst>,
    /// The types that the type becomes: one, several, or none.
    pub results: List<Reg>,
    /// The type becomes nothing at all: what has it cannot be converted.
    pub refused: bool,
    /// For documentation: the types that it is for, then what they become.
    pub reads: List<Str>,
    /// Where it is defined.
    pub source: Source,
}

/// One materialization of a type converter.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct CastDef {
    /// The number of registers. Register 0 holds the value or values, register 1 the type that is
    /// wanted.
    pub registers: u16,
    /// The program.
    pub code: List<Inst>,
    /// The register with the value that it gives.
    pub result: Reg,
    /// Where it is defined.
    pub source: Source,
}

/// Where a group of operands or results lies among all of an op's.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Segment {
    /// Just this one, counted from the start.
    Index(u16),
    /// Just this one, counted from the end; 0 is the last.
    FromEnd(u16),
    /// All but the first `before` and the last `after`.
    Rest {
        /// How many come before the group.
        before: u16,
        /// How many come after it.
        after: u16,
    },
    /// The group of this index, by the op's segment-sizes attribute.
    Sized(u16),
    /// Several groups share evenly what single values leave.
    Even {
        /// How many single values come before.
        before: u16,
        /// How many groups come before.
        shares_before: u16,
        /// How many single values there are.
        singles: u16,
        /// How many groups there are.
        shares: u16,
        /// Whether this is a group.
        share: bool,
    },
}

/// How two integers compare.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Comparison {
    /// `a == b`
    Eq,
    /// `a != b`
    Ne,
    /// `a < b`
    Lt,
    /// `a <= b`
    Le,
    /// `a > b`
    Gt,
    /// `a >= b`
    Ge,
}

/// Integer arithmetic; an overflow, or a division by zero, fails.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Arithmetic {
    /// `a + b`
    Add,
    /// `a - b`
    Sub,
    /// `a * b`
    Mul,
    /// `a / b`, rounding towards minus infinity.
    Div,
    /// `a - b * (a / b)`
    Mod,
}

/// A named register: an attribute that an op is given.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct NamedReg {
    /// The attribute's name.
    pub name: Str,
    /// The register that holds it; nothing is set when it holds "absent".
    pub reg: Reg,
}

/// One instruction.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Inst {
    // Looking at ops.
    /// `into` ← a group of operands: a value, a value or absent, or values, by its arity.
    Operand {
        /// The op.
        op: Reg,
        /// The group.
        segment: Segment,
        /// How many values it stands for.
        arity: Arity,
        /// The target.
        into: Reg,
    },
    /// `into` ← a group of results, as for operands.
    Result {
        /// The op.
        op: Reg,
        /// The group.
        segment: Segment,
        /// How many values it stands for.
        arity: Arity,
        /// The target.
        into: Reg,
    },
    /// `into` ← an attribute; without one its default, else absent when `optional`, else failure.
    Attr {
        /// The op.
        op: Reg,
        /// The attribute's name.
        name: Str,
        /// It may be absent.
        optional: bool,
        /// What stands for an absent one, in MLIR text.
        default: Option<Str>,
        /// The target.
        into: Reg,
    },
    /// `into` ← all attributes of an op but those named, as a dictionary.
    Attrs {
        /// The op.
        op: Reg,
        /// The names to leave out.
        without: List<Str>,
        /// The target.
        into: Reg,
    },
    /// `into` ← the op that defines a value; fails when it is a block argument or another op.
    Def {
        /// The value.
        value: Reg,
        /// The full name that the op must bear; empty for any op.
        name: Str,
        /// The target.
        into: Reg,
    },
    /// `into` ← the attribute of the constant that a value is; fails when it is none.
    Constant {
        /// The value.
        value: Reg,
        /// The target.
        into: Reg,
    },
    /// `into` ← the op around an op; fails when it does not bear the name.
    Parent {
        /// The inner op.
        op: Reg,
        /// The full name that the outer op must bear; empty for any op.
        name: Str,
        /// The target.
        into: Reg,
    },

    /// `into` ← the ops that use a value, in order of layout.
    Users {
        /// The value.
        value: Reg,
        /// The target.
        into: Reg,
    },
    /// `into` ← the nearest op around an op that bears one of the names; fails without one.
    Ancestor {
        /// The inner op.
        op: Reg,
        /// The full names; empty for any op.
        names: List<Str>,
        /// The target.
        into: Reg,
    },
    /// `into` ← the nearest op that bears one of the names among those before an op in its block,
    /// and before the ops around it in theirs; fails without one.
    Earlier {
        /// The op.
        op: Reg,
        /// The full names; empty for any op.
        names: List<Str>,
        /// The target.
        into: Reg,
    },
    /// `into` ← all ops within the regions of an op, in order.
    NestedOps {
        /// The op.
        op: Reg,
        /// The target.
        into: Reg,
    },
    /// `into` ← the values from outside that ops within the regions of an op use, in order of use.
    Captures {
        /// The op.
        op: Reg,
        /// The target.
        into: Reg,
    },
    /// `into` ← the ops of the only block of a region; none when the region is empty.
    RegionOps {
        /// The op.
        op: Reg,
        /// The region.
        index: u16,
        /// The target.
        into: Reg,
    },
    /// `into` ← the arguments of a region's entry block.
    RegionArgs {
        /// The op.
        op: Reg,
        /// The region.
        index: u16,
        /// The target.
        into: Reg,
    },
    /// `into` ← a value and all that it is tied to through the ops that define it, nearest first.
    Tied {
        /// The value.
        value: Reg,
        /// The target.
        into: Reg,
    },
    /// `into` ← a value that stands for the size of a value and can be used at an op; fails
    /// without one.
    SizeOf {
        /// The value.
        value: Reg,
        /// The op.
        at: Reg,
        /// The target.
        into: Reg,
    },

    // Computing. These may stand on either side of the commit; only before it may they fail.
    /// `into` ← the type of a value or typed attribute, or the types of values.
    TypeOf {
        /// The value, values or attribute.
        from: Reg,
        /// The target.
        into: Reg,
    },
    /// `into` ← the type that follows from a type (or, for `AttrType`, an attribute).
    Derive {
        /// The type or attribute.
        from: Reg,
        /// The derivation.
        how: Derivation,
        /// The target.
        into: Reg,
    },
    /// `into` ← parameter number `index` of a dialect type or attribute; absent when it is.
    Param {
        /// The type or attribute.
        from: Reg,
        /// The full name that it must bear.
        name: Str,
        /// The parameter.
        index: u16,
        /// The target.
        into: Reg,
    },
    /// `into` ← one of several values, types or attributes of an array; fails when there are fewer.
    Item {
        /// The list.
        list: Reg,
        /// Which one.
        index: u16,
        /// The target.
        into: Reg,
    },
    /// `into` ← the element of that position; fails when there is none.
    ItemAt {
        /// The list.
        list: Reg,
        /// The position, an integer attribute.
        index: Reg,
        /// The target.
        into: Reg,
    },
    /// `into` ← the one element that a dense attribute repeats; fails when it has several.
    Splat {
        /// The attribute.
        from: Reg,
        /// The target.
        into: Reg,
    },
    /// `into` ← the number of values, types or array elements, as an `index` attribute.
    Count {
        /// The list.
        list: Reg,
        /// The target.
        into: Reg,
    },
    /// `into` ← the positions of the elements, an array of `index` attributes from 0 on.
    Positions {
        /// The list.
        list: Reg,
        /// The target.
        into: Reg,
    },
    /// `into` ← an attribute given as MLIR text.
    Literal {
        /// The text.
        text: Str,
        /// The target.
        into: Reg,
    },
    /// `into` ← a type given as MLIR text.
    TypeLiteral {
        /// The text.
        text: Str,
        /// The target.
        into: Reg,
    },
    /// `into` ← absent.
    Absent {
        /// The target.
        into: Reg,
    },
    /// `into` ← values (or types), those of several registers one after the other.
    Concat {
        /// The parts: values, lists of values, or absent.
        parts: List<Reg>,
        /// The parts are types.
        types: bool,
        /// The target.
        into: Reg,
    },
    /// `into` ← an array attribute of attributes.
    Array {
        /// The elements.
        items: List<Reg>,
        /// The target.
        into: Reg,
    },
    /// `into` ← a dialect attribute.
    MakeAttr {
        /// The full name.
        name: Str,
        /// The parameters in order of definition.
        params: List<Reg>,
        /// The target.
        into: Reg,
    },
    /// `into` ← a dialect type.
    MakeType {
        /// The full name.
        name: Str,
        /// The parameters in order of definition.
        params: List<Reg>,
        /// The target.
        into: Reg,
    },
    /// `into` ← the sizes of a shaped type, an array of `index` attributes; negative where dynamic.
    Shape {
        /// The type.
        from: Reg,
        /// The target.
        into: Reg,
    },
    /// `into` ← a shaped type of other sizes.
    WithShape {
        /// The type.
        from: Reg,
        /// The sizes, an array of integers.
        sizes: Reg,
        /// The target.
        into: Reg,
    },
    /// `into` ← the number of bits of an integer or float type, as an `index` attribute.
    BitWidth {
        /// The type.
        from: Reg,
        /// The target.
        into: Reg,
    },
    /// `into` ← a dense attribute of integers or floats.
    Dense {
        /// Its shaped type.
        ty: Reg,
        /// The elements in row-major order, an array.
        list: Reg,
        /// The target.
        into: Reg,
    },
    /// `into` ← the names of a symbol reference, outermost first, an array of strings.
    SymbolNames {
        /// The reference.
        from: Reg,
        /// The target.
        into: Reg,
    },
    /// `into` ← a symbol reference.
    Symbol {
        /// Its names as strings, outermost first.
        names: List<Reg>,
        /// The target.
        into: Reg,
    },
    /// `into` ← an integer attribute of the same value and another type.
    IntOf {
        /// The integer.
        from: Reg,
        /// The type.
        ty: Reg,
        /// The target.
        into: Reg,
    },
    /// `into` ← the elements of a list without those that came before.
    Unique {
        /// Values, types, ops or an array attribute.
        list: Reg,
        /// The target.
        into: Reg,
    },
    /// `into` ← the next `count` elements of a list, where `cursor` says how many have been taken;
    /// fails when there are fewer.
    Take {
        /// The list.
        list: Reg,
        /// How many, as an integer attribute.
        count: Reg,
        /// How many have been taken; counted on.
        cursor: Reg,
        /// The target.
        into: Reg,
    },
    /// Runs a block once for each position of lists of the same length; fails when lengths differ.
    Each {
        /// The lists.
        lists: List<Reg>,
        /// The registers that hold the elements while the block runs.
        items: List<Reg>,
        /// The block.
        body: Block,
        /// The register with what a round gives, where rounds give something.
        gives: Reg,
        /// What comes of it.
        gather: Gather,
        /// The target.
        into: Reg,
    },
    /// Runs the first case whose test succeeds; fails without one.
    Switch {
        /// The cases.
        cases: List<CaseDef>,
        /// The target: what the case gives.
        into: Reg,
    },
    /// `into` ← a type as an attribute.
    TypeAttr {
        /// The type.
        from: Reg,
        /// The target.
        into: Reg,
    },
    /// `into` ← integer arithmetic, of the type of `a`.
    Arith {
        /// What to compute.
        how: Arithmetic,
        /// An integer attribute.
        a: Reg,
        /// An integer attribute.
        b: Reg,
        /// The target.
        into: Reg,
    },
    /// `into` ← the converted type or types (conversions only); fails when the converter
    /// refuses it.
    ConvertType {
        /// A type or types.
        from: Reg,
        /// The target.
        into: Reg,
    },
    /// `into` ← what a hook of the dialect computes; a hook that gives nothing fails.
    Compute {
        /// The hook.
        hook: Str,
        /// Its arguments.
        args: List<Reg>,
        /// The target.
        into: Reg,
    },

    // Deciding.
    /// Fails unless the predicate holds: of a type, an attribute, a value's type, or of each
    /// element of a list. Absent satisfies nothing.
    Check {
        /// The subject.
        reg: Reg,
        /// The predicate.
        pred: Pred,
        /// What a message calls it.
        what: Str,
    },
    /// Fails unless the op bears the name.
    IsOp {
        /// The op.
        op: Reg,
        /// The full name.
        name: Str,
    },
    /// Fails unless the op has the trait or interface.
    HasTrait {
        /// The op.
        op: Reg,
        /// The trait.
        name: Str,
    },
    /// Fails unless both registers hold the same.
    Same {
        /// One.
        a: Reg,
        /// The other.
        b: Reg,
    },
    /// Fails unless an op (or what defines a value) comes before another on every way to it.
    Precedes {
        /// The op or value.
        first: Reg,
        /// The op.
        then: Reg,
    },
    /// Fails unless just one operand slot uses the value.
    OneUse {
        /// The value.
        value: Reg,
    },
    /// Fails unless nothing uses the value or values.
    NoUse {
        /// The value or values.
        value: Reg,
    },
    /// Fails unless the register's being present is as asked.
    Present {
        /// The register.
        reg: Reg,
        /// What is asked.
        present: bool,
    },
    /// Fails unless the integers compare so.
    Compare {
        /// The comparison.
        how: Comparison,
        /// An integer attribute.
        a: Reg,
        /// An integer attribute.
        b: Reg,
    },
    /// Fails unless a hook of the dialect gives what is asked.
    Predicate {
        /// The hook.
        hook: Str,
        /// Its arguments.
        args: List<Reg>,
        /// What is asked.
        expect: bool,
    },

    // Control, before the commit only.
    /// Makes a choice point: a failure goes on at `otherwise`.
    Choice {
        /// Where to go on.
        otherwise: Label,
    },
    /// Goes on at `to`.
    Jump {
        /// Where to go on.
        to: Label,
    },
    /// Drops choice points down to and including the one that goes on at `to`.
    Cut {
        /// Where that choice point goes on.
        to: Label,
    },
    /// Fails.
    Fail,
    /// Fails, and says why nothing can be done.
    Refuse {
        /// One sentence without a final stop.
        message: Str,
    },
    /// The pattern applies. From here on nothing may fail.
    Commit,

    // Editing, after the commit only. Ops are made right before the root.
    /// `into` ← the converted values that stand for a value or values (conversions only).
    Remap {
        /// Original values.
        from: Reg,
        /// The target: a value when there is just one for one value, else values.
        into: Reg,
    },
    /// `into` ← the values that a pattern has given for a value, be they of the converted types or
    /// not, or else its converted values (conversions only).
    Parts {
        /// An original value.
        from: Reg,
        /// The target.
        into: Reg,
    },
    /// Makes an op; `into` ← the op.
    Create {
        /// The full name.
        name: Str,
        /// For each operand group its values.
        operands: List<Reg>,
        /// Operand groups have a segment-sizes attribute.
        operand_segments: bool,
        /// The attributes.
        attrs: List<NamedReg>,
        /// Registers with dictionaries whose entries are added before `attrs`.
        attr_dicts: List<Reg>,
        /// For each result group its type or types.
        results: List<Reg>,
        /// Result groups have a segment-sizes attribute.
        result_segments: bool,
        /// The number of (empty) regions.
        regions: u16,
        /// The op whose successors it gets.
        successors: Option<Reg>,
        /// Only this one of them.
        successor: Option<u16>,
        /// The op folds when it can: `into` ← the values that it folds to, or its results.
        fold: bool,
        /// The target.
        into: Reg,
    },
    /// `into` ← the sizes of a shaped type as `index` values: constants for static ones, and the
    /// values given for the others.
    Dims {
        /// The type.
        from: Reg,
        /// A value for each dynamic size.
        dynamic: Reg,
        /// The full name of the op that makes a constant of its attribute `value`.
        constant: Str,
        /// The target.
        into: Reg,
    },
    /// Moves the ops of the only block of a region to the insertion point, with values for its
    /// arguments; `into` ← the operands of its terminator, which goes. In conversions they are
    /// those of the original terminator, converted.
    Inline {
        /// The op.
        op: Reg,
        /// Its region.
        index: u16,
        /// Values or lists of values; together one for each argument. In conversions the parts
        /// that stand for each argument.
        args: List<Reg>,
        /// The target.
        into: Reg,
    },
    /// `into` ← a copy of an op, made at the insertion point.
    CloneOp {
        /// The op.
        op: Reg,
        /// The target.
        into: Reg,
    },
    /// Ops are made right before (or behind) an op from here on.
    At {
        /// The op.
        op: Reg,
        /// Behind it.
        after: bool,
    },
    /// Ops are made at the end of a region's last block from here on.
    Block {
        /// The op.
        op: Reg,
        /// Its region.
        index: u16,
        /// The block is a new one.
        new: bool,
    },
    /// Moves an op right before (or behind) another.
    Move {
        /// The op.
        op: Reg,
        /// The other one.
        to: Reg,
        /// Behind it.
        after: bool,
    },
    /// Makes every use of some values one of others, except those of one op.
    ReplaceUses {
        /// The value or values.
        from: Reg,
        /// What stands for them.
        to: Reg,
        /// The op whose operands stay.
        except: Option<Reg>,
    },
    /// Changes the type of a value.
    SetType {
        /// The value.
        value: Reg,
        /// The type.
        ty: Reg,
    },
    /// Moves the blocks of one region into another one.
    TakeRegion {
        /// The op that gives.
        from: Reg,
        /// Its region.
        from_index: u16,
        /// The op that takes.
        to: Reg,
        /// Its region.
        to_index: u16,
    },
    /// Converts the types of all block arguments of a region (conversions only).
    ConvertRegion {
        /// The op.
        op: Reg,
        /// Its region.
        index: u16,
    },
    /// `into` ← what a hook of the dialect builds right before the root.
    Build {
        /// The hook.
        hook: Str,
        /// Its arguments.
        args: List<Reg>,
        /// The target.
        into: Reg,
    },
    /// Sets an attribute, or removes it when the register holds "absent".
    SetAttr {
        /// The op.
        op: Reg,
        /// The attribute's name.
        name: Str,
        /// What to set.
        value: Reg,
    },
    /// Replaces the values of an operand group. Their number may change where the group may hold
    /// another one.
    SetOperand {
        /// The op.
        op: Reg,
        /// The group.
        segment: Segment,
        /// The value, values, or absent.
        value: Reg,
    },
    /// Replaces an op's results by values and erases it.
    Replace {
        /// The op.
        op: Reg,
        /// Values or lists of values; together one for each result.
        with: List<Reg>,
    },
    /// Erases an op whose results are unused.
    Erase {
        /// The op.
        op: Reg,
    },
    /// The end of a fold: a value or an attribute for each result.
    Fold {
        /// The values and attributes.
        with: List<Reg>,
    },
    /// Stands alone: a hook of the dialect matches and rewrites the root.
    Rewrite {
        /// The hook.
        hook: Str,
    },
}
