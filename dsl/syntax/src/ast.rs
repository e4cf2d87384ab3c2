//! The owned syntax tree of a `.td` file.
//!
//! Every node has a span. Items are shared (`Arc`), so that a tree can be kept for reuse when a
//! neighbouring item changes; nothing in an item refers to what lies outside of it.

use std::sync::Arc;

use tegula_diag::{SourceId, Span};

use crate::BangOp;

/// One parsed file.
#[derive(Clone, Debug, PartialEq)]
pub struct File {
    /// The text that was parsed.
    pub source: SourceId,
    /// The statements, in source order.
    pub items: Vec<Arc<Stmt>>,
}

/// A name with its place.
#[derive(Clone, Debug, PartialEq)]
pub struct Ident {
    /// The name.
    pub name: Arc<str>,
    /// Where it stands.
    pub span: Span,
}

/// A statement, at top level or nested in `let`, `foreach`, `if`, `defset` or `multiclass`.
#[derive(Clone, Debug, PartialEq)]
pub struct Stmt {
    /// The whole statement.
    pub span: Span,
    /// Whether errors were found in it, so that parts may be missing: consumers don't report
    /// what is absent from an incomplete statement.
    pub incomplete: bool,
    /// What it says.
    pub kind: StmtKind,
}

/// The kinds of statements.
#[derive(Clone, Debug, PartialEq)]
pub enum StmtKind {
    /// `include "path"`
    Include(Include),
    /// `class Name<args> : parents { body }`
    Class(Class),
    /// `def name : parents { body }`
    Def(Def),
    /// `multiclass Name<args> : parents { statements }`
    MultiClass(MultiClass),
    /// `defm name : parents;`
    Defm(Defm),
    /// `defset list<T> name = { statements }`
    Defset(Defset),
    /// `defvar name = value;`
    Defvar(Defvar),
    /// `deftype name = type;`
    Deftype(Deftype),
    /// `foreach name = values in …`
    Foreach(Foreach),
    /// `if value then … else …`
    If(If),
    /// `let assignments in …`
    Let(Let),
    /// `assert condition, message;`
    Assert(Assert),
    /// `dump message;`
    Dump(Dump),
}

/// `include "path"`
#[derive(Clone, Debug, PartialEq)]
pub struct Include {
    /// The path as written, without quotes.
    pub path: Arc<str>,
    /// Where the path stands, quotes included.
    pub path_span: Span,
}

/// A class.
#[derive(Clone, Debug, PartialEq)]
pub struct Class {
    /// Its name.
    pub name: Ident,
    /// Its template parameters; `None` when there is no `<…>`.
    pub params: Vec<Param>,
    /// What it derives from, from left to right.
    pub parents: Vec<ClassRef>,
    /// Its body; `None` when it is only `;`.
    pub body: Option<Vec<BodyItem>>,
}

/// A record definition.
#[derive(Clone, Debug, PartialEq)]
pub struct Def {
    /// The `def` keyword.
    pub keyword: Span,
    /// The name, a value in name mode (unknown identifiers stand for themselves).
    pub name: Option<Expr>,
    /// What it derives from, from left to right.
    pub parents: Vec<ClassRef>,
    /// Its body; `None` when it is only `;`.
    pub body: Option<Vec<BodyItem>>,
}

/// A multiclass.
#[derive(Clone, Debug, PartialEq)]
pub struct MultiClass {
    /// Its name.
    pub name: Ident,
    /// Its template parameters.
    pub params: Vec<Param>,
    /// The multiclasses that it includes.
    pub parents: Vec<ClassRef>,
    /// Its statements.
    pub body: Vec<Arc<Stmt>>,
}

/// An instantiation of multiclasses.
#[derive(Clone, Debug, PartialEq)]
pub struct Defm {
    /// The `defm` keyword.
    pub keyword: Span,
    /// The name, a value in name mode.
    pub name: Option<Expr>,
    /// Multiclasses, then classes.
    pub parents: Vec<ClassRef>,
}

/// A named list of the records that are defined in its body.
#[derive(Clone, Debug, PartialEq)]
pub struct Defset {
    /// The type, a list.
    pub ty: Type,
    /// The name of the list.
    pub name: Ident,
    /// The statements.
    pub body: Vec<Arc<Stmt>>,
}

/// A named value.
#[derive(Clone, Debug, PartialEq)]
pub struct Defvar {
    /// The name.
    pub name: Ident,
    /// The value.
    pub value: Expr,
}

/// A named type.
#[derive(Clone, Debug, PartialEq)]
pub struct Deftype {
    /// The name.
    pub name: Ident,
    /// The type.
    pub ty: Type,
}

/// A loop over statements.
#[derive(Clone, Debug, PartialEq)]
pub struct Foreach {
    /// The loop variable.
    pub name: Ident,
    /// What it runs over.
    pub values: ForeachValues,
    /// The statements.
    pub body: Vec<Arc<Stmt>>,
}

/// What a `foreach` runs over.
#[derive(Clone, Debug, PartialEq)]
pub enum ForeachValues {
    /// `{0-3, 7}` or a bare range such as `0-3`.
    Ranges(Vec<Range>),
    /// A list, or a single integer.
    Value(Expr),
}

/// A condition over statements.
#[derive(Clone, Debug, PartialEq)]
pub struct If {
    /// The condition.
    pub cond: Expr,
    /// The statements of `then`.
    pub then: Vec<Arc<Stmt>>,
    /// The statements of `else`.
    pub otherwise: Option<Vec<Arc<Stmt>>>,
}

/// Assignments for the records of some statements.
#[derive(Clone, Debug, PartialEq)]
pub struct Let {
    /// The assignments.
    pub items: Vec<LetItem>,
    /// The statements.
    pub body: Vec<Arc<Stmt>>,
}

/// A condition that must hold.
#[derive(Clone, Debug, PartialEq)]
pub struct Assert {
    /// The condition.
    pub cond: Expr,
    /// The message of the error.
    pub message: Expr,
}

/// A message to print.
#[derive(Clone, Debug, PartialEq)]
pub struct Dump {
    /// The message.
    pub message: Expr,
}

/// A template parameter.
#[derive(Clone, Debug, PartialEq)]
pub struct Param {
    /// Its type.
    pub ty: Type,
    /// Its name.
    pub name: Ident,
    /// Its default value.
    pub default: Option<Expr>,
}

/// A class or multiclass with arguments.
#[derive(Clone, Debug, PartialEq)]
pub struct ClassRef {
    /// The name.
    pub name: Ident,
    /// The arguments.
    pub args: Vec<Arg>,
    /// Name and arguments.
    pub span: Span,
}

/// A template argument.
#[derive(Clone, Debug, PartialEq)]
pub struct Arg {
    /// The parameter's name, when the argument is given by name.
    pub name: Option<Ident>,
    /// The value.
    pub value: Expr,
}

/// How a `let` combines with the value that is there.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum LetMode {
    /// Replaces it.
    Set,
    /// `let append`: adds at the end.
    Append,
    /// `let prepend`: adds at the front.
    Prepend,
}

/// `name<bits> = value` of a `let`.
#[derive(Clone, Debug, PartialEq)]
pub struct LetItem {
    /// How the value is combined.
    pub mode: LetMode,
    /// The field.
    pub name: Ident,
    /// The bits that are assigned; empty for all.
    pub bits: Vec<Range>,
    /// The value.
    pub value: Expr,
}

/// A statement in the body of a class or def.
#[derive(Clone, Debug, PartialEq)]
pub struct BodyItem {
    /// The whole item.
    pub span: Span,
    /// What it says.
    pub kind: BodyItemKind,
}

/// The kinds of statements in a class or def body.
#[derive(Clone, Debug, PartialEq)]
pub enum BodyItemKind {
    /// `field type name = value;`
    Field(FieldDecl),
    /// `let name{bits} = value;`
    Let(LetItem),
    /// `defvar name = value;`
    Defvar(Defvar),
    /// `assert condition, message;`
    Assert(Assert),
    /// `dump message;`
    Dump(Dump),
}

/// A field.
#[derive(Clone, Debug, PartialEq)]
pub struct FieldDecl {
    /// Whether it has the `field` prefix, which lets it stay unresolved.
    pub is_field: bool,
    /// Its type.
    pub ty: Type,
    /// Its name.
    pub name: Ident,
    /// Its value.
    pub value: Option<Expr>,
}

/// A type.
#[derive(Clone, Debug, PartialEq)]
pub struct Type {
    /// What type it is.
    pub kind: TypeKind,
    /// Where it stands.
    pub span: Span,
}

/// The kinds of types.
#[derive(Clone, Debug, PartialEq)]
pub enum TypeKind {
    /// `bit`
    Bit,
    /// `int`
    Int,
    /// `string`
    String,
    /// `code`, the same type as `string`.
    Code,
    /// `dag`
    Dag,
    /// `bits<n>`
    Bits(u32),
    /// `list<t>`
    List(Box<Type>),
    /// A class or a `deftype`.
    Named(Arc<str>),
}

/// A range of integers, first and last, counting up or down.
#[derive(Clone, Debug, PartialEq)]
pub struct Range {
    /// The first.
    pub first: Expr,
    /// The last, when the range is more than one number.
    pub last: Option<Expr>,
    /// Where it stands.
    pub span: Span,
}

/// A value.
#[derive(Clone, Debug, PartialEq)]
pub struct Expr {
    /// What it says.
    pub kind: ExprKind,
    /// Where it stands.
    pub span: Span,
}

/// The kinds of values.
#[derive(Clone, Debug, PartialEq)]
pub enum ExprKind {
    /// An integer.
    Int(i64),
    /// `0b101`: an integer with a width, which in a bits literal stands for that many bits.
    Binary(i64, u32),
    /// A string; adjacent literals are joined.
    Str(Arc<str>),
    /// `[{ … }]`
    Code(Arc<str>),
    /// `true` or `false`
    Bool(bool),
    /// `?`
    Unset,
    /// `{a, b}`, the highest bit first.
    Bits(Vec<Expr>),
    /// `[a, b]<type>`
    List(Vec<Expr>, Option<Type>),
    /// `(op a:$x, $y)`
    Dag(Box<DagExpr>),
    /// A name.
    Ident(Arc<str>),
    /// `Class<args>`
    Instance(ClassRef),
    /// `!op<type>(args)`
    Bang(BangExpr),
    /// `!cond(a: x, b: y)`
    Cond(Vec<(Expr, Expr)>),
    /// `value.field`
    Field(Box<Expr>, Ident),
    /// `value{bits}`
    BitSlice(Box<Expr>, Vec<Range>),
    /// `value[elements]`; a single element without a comma at the end is that element, not a list.
    Slice(Box<Expr>, Vec<Range>, bool),
    /// `a # b`; the right side is missing when `#` ends a name.
    Paste(Box<Expr>, Option<Box<Expr>>),
}

/// A dag.
#[derive(Clone, Debug, PartialEq)]
pub struct DagExpr {
    /// The operator.
    pub op: DagArg,
    /// The arguments.
    pub args: Vec<DagArg>,
}

/// An operator or argument of a dag.
#[derive(Clone, Debug, PartialEq)]
pub struct DagArg {
    /// The value; missing in `$name`.
    pub value: Option<Expr>,
    /// The name without its `$`.
    pub name: Option<Ident>,
    /// Value and name.
    pub span: Span,
}

/// A bang operator with its operands.
#[derive(Clone, Debug, PartialEq)]
pub struct BangExpr {
    /// The operator.
    pub op: BangOp,
    /// Where the operator's name stands.
    pub op_span: Span,
    /// The type between `<` and `>`.
    pub ty: Option<Type>,
    /// The operands.
    pub args: Vec<Expr>,
}

impl Stmt {
    /// The statements nested in this one, those of an `else` last.
    pub fn children(&self) -> impl Iterator<Item = &Arc<Stmt>> {
        let (first, second): (&[Arc<Stmt>], &[Arc<Stmt>]) = match &self.kind {
            StmtKind::MultiClass(node) => (&node.body, &[]),
            StmtKind::Defset(node) => (&node.body, &[]),
            StmtKind::Foreach(node) => (&node.body, &[]),
            StmtKind::Let(node) => (&node.body, &[]),
            StmtKind::If(node) => (&node.then, node.otherwise.as_deref().unwrap_or(&[])),
            _ => (&[], &[]),
        };
        first.iter().chain(second)
    }
}
