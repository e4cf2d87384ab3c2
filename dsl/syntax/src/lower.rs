//! pest pairs to the owned tree: statements and bodies.
//!
//! The grammar has decided what is where; a function returns `None` only when a pair lacks a part
//! that the grammar promises, which the parser reports as an error rather than trusting it never
//! happens.

use std::sync::Arc;

use pest::iterators::Pair;
use tegula_diag::{Diagnostic, SourceId, Span};

use crate::ast::*;
use crate::parser::Rule;

pub(crate) type Node<'p> = Pair<'p, Rule>;

/// Lowers the pairs of one slice of a source.
pub(crate) struct Lower<'a> {
    pub source: SourceId,
    /// Offset of the slice in the source.
    pub base: usize,
    pub diagnostics: &'a mut Vec<Diagnostic>,
}

/// The parts of a node other than punctuation and keywords.
pub(crate) fn parts<'p>(node: &Node<'p>) -> impl Iterator<Item = Node<'p>> + use<'p> {
    node.clone().into_inner().filter(|part| {
        !matches!(
            part.as_rule(),
            Rule::semi
                | Rule::comma
                | Rule::colon
                | Rule::eq
                | Rule::lbrace
                | Rule::rbrace
                | Rule::lparen
                | Rule::rparen
                | Rule::less
                | Rule::greater
                | Rule::lsquare
                | Rule::rsquare
                | Rule::dot
                | Rule::kw_assert
                | Rule::kw_class
                | Rule::kw_def
                | Rule::kw_defm
                | Rule::kw_defset
                | Rule::kw_deftype
                | Rule::kw_defvar
                | Rule::kw_dump
                | Rule::kw_else
                | Rule::kw_foreach
                | Rule::kw_if
                | Rule::kw_in
                | Rule::kw_include
                | Rule::kw_let
                | Rule::kw_multiclass
                | Rule::kw_then
        )
    })
}

impl Lower<'_> {
    /// The span of a node without the blanks that a trailing optional part swallowed.
    pub fn span(&self, node: &Node) -> Span {
        let start = self.base + node.as_span().start();
        Span::new(self.source, start as u32, (start + node.as_str().trim_end().len()) as u32)
    }

    pub fn ident(&self, node: &Node) -> Ident {
        Ident { name: node.as_str().into(), span: self.span(node) }
    }

    /// A `stmt` node.
    pub fn stmt(&mut self, node: Node) -> Option<Arc<Stmt>> {
        let inner = node.into_inner().next()?;
        let span = self.span(&inner);
        let kind = match inner.as_rule() {
            Rule::include => self.include(&inner)?,
            Rule::class => {
                let (head, body) = self.head_and_body(&inner)?;
                let class = self.class_head(&head, body)?;
                StmtKind::Class(class)
            }
            Rule::def => {
                let (head, body) = self.head_and_body(&inner)?;
                StmtKind::Def(self.def_head(&head, body)?)
            }
            Rule::multiclass => {
                let mut all = parts(&inner);
                let head = all.next()?;
                let body = self.stmts(all)?;
                let node = self.multi_head(&head, body)?;
                self.multi_body(&inner, &node);
                StmtKind::MultiClass(node)
            }
            Rule::defm => {
                let keyword = self.span(&inner.clone().into_inner().next()?);
                let (name, parents) = self.name_and_parents(parts(&inner))?;
                StmtKind::Defm(Defm { keyword, name, parents })
            }
            Rule::defset => {
                let mut all = parts(&inner);
                let head = all.next()?;
                let body = self.stmts(all)?;
                StmtKind::Defset(self.set_head(&head, body)?)
            }
            Rule::defvar => StmtKind::Defvar(self.defvar(&inner)?),
            Rule::deftype => {
                let mut all = parts(&inner);
                let name = self.ident(&all.next()?);
                StmtKind::Deftype(Deftype { name, ty: self.ty(&all.next()?)? })
            }
            Rule::foreach => {
                let mut all = parts(&inner);
                let head = all.next()?;
                let body = self.block(&all.next()?)?;
                StmtKind::Foreach(self.for_head(&head, body)?)
            }
            Rule::if_then => {
                let mut all = parts(&inner);
                let cond = self.if_head(&all.next()?)?;
                let then = self.block(&all.next()?)?;
                let otherwise = match all.next() {
                    Some(block) => Some(self.block(&block)?),
                    None => None,
                };
                StmtKind::If(If { cond, then, otherwise })
            }
            Rule::let_in => {
                let mut all = parts(&inner);
                let items = self.let_head(&all.next()?)?;
                let body = self.block(&all.next()?)?;
                StmtKind::Let(Let { items, body })
            }
            Rule::assert => StmtKind::Assert(self.assert(&inner)?),
            Rule::dump => StmtKind::Dump(self.dump(&inner)?),
            _ => return None,
        };
        Some(Arc::new(Stmt { span, incomplete: false, kind }))
    }

    fn include(&mut self, node: &Node) -> Option<StmtKind> {
        let literal = parts(node).next()?;
        let path_span = self.span(&literal);
        let path = literal.as_str().trim_matches('"').into();
        Some(StmtKind::Include(Include { path, path_span }))
    }

    fn head_and_body<'p>(&mut self, node: &Node<'p>) -> Option<(Node<'p>, Option<Vec<BodyItem>>)> {
        let mut all = parts(node);
        let head = all.next()?;
        let body = all.next()?;
        Some((head, self.body(&body)?))
    }

    fn body(&mut self, node: &Node) -> Option<Option<Vec<BodyItem>>> {
        let first = node.clone().into_inner().next()?;
        if first.as_rule() == Rule::semi {
            return Some(None);
        }
        let mut items = Vec::new();
        for part in parts(node) {
            match part.as_rule() {
                Rule::stray_semi => self.stray_semi(&part),
                _ => items.push(self.body_item(part)?),
            }
        }
        Some(Some(items))
    }

    fn stray_semi(&mut self, node: &Node) {
        let span = self.span(node);
        self.diagnostics.push(
            Diagnostic::error(
                "stray-semicolon",
                "A class or def body should not end with a semicolon",
            )
            .at(span)
            .fix(span, "", "remove the `;`"),
        );
    }

    /// A `body_item` node.
    pub fn body_item(&mut self, node: Node) -> Option<BodyItem> {
        let inner = node.into_inner().next()?;
        let span = self.span(&inner);
        let kind = match inner.as_rule() {
            Rule::body_let => BodyItemKind::Let(self.let_item(&inner)?),
            Rule::defvar => BodyItemKind::Defvar(self.defvar(&inner)?),
            Rule::assert => BodyItemKind::Assert(self.assert(&inner)?),
            Rule::dump => BodyItemKind::Dump(self.dump(&inner)?),
            Rule::field_decl => {
                let mut all = parts(&inner).peekable();
                let is_field = all.next_if(|part| part.as_rule() == Rule::kw_field).is_some();
                let ty = self.ty(&all.next()?)?;
                let name = self.ident(&all.next()?);
                let value = match all.next() {
                    Some(value) => Some(self.value(value)?),
                    None => None,
                };
                BodyItemKind::Field(FieldDecl { is_field, ty, name, value })
            }
            _ => return None,
        };
        Some(BodyItem { span, kind })
    }

    fn stmts<'p>(&mut self, nodes: impl Iterator<Item = Node<'p>>) -> Option<Vec<Arc<Stmt>>> {
        let mut out = Vec::new();
        for node in nodes {
            match node.as_rule() {
                Rule::stray_semi => self.stray_semi(&node),
                _ => out.push(self.stmt(node)?),
            }
        }
        Some(out)
    }

    fn block(&mut self, node: &Node) -> Option<Vec<Arc<Stmt>>> {
        self.stmts(parts(node))
    }

    fn defvar(&mut self, node: &Node) -> Option<Defvar> {
        let mut all = parts(node);
        let name = self.ident(&all.next()?);
        Some(Defvar { name, value: self.value(all.next()?)? })
    }

    fn assert(&mut self, node: &Node) -> Option<Assert> {
        let mut all = parts(node);
        let cond = self.value(all.next()?)?;
        Some(Assert { cond, message: self.value(all.next()?)? })
    }

    fn dump(&mut self, node: &Node) -> Option<Dump> {
        Some(Dump { message: self.value(parts(node).next()?)? })
    }

    /// A `class_head` node.
    pub fn class_head(&mut self, node: &Node, body: Option<Vec<BodyItem>>) -> Option<Class> {
        let mut all = parts(node);
        let name = self.ident(&all.next()?);
        let (params, parents) = self.params_and_parents(all)?;
        Some(Class { name, params, parents, body })
    }

    /// A `multi_head` node.
    pub fn multi_head(&mut self, node: &Node, body: Vec<Arc<Stmt>>) -> Option<MultiClass> {
        let mut all = parts(node);
        let name = self.ident(&all.next()?);
        let (params, parents) = self.params_and_parents(all)?;
        Some(MultiClass { name, params, parents, body })
    }

    /// Reports a multiclass that makes nothing: braces are never empty, and only parents make
    /// something without them.
    fn multi_body(&mut self, node: &Node, multi: &MultiClass) {
        if !multi.body.is_empty() {
            return;
        }
        for part in node.clone().into_inner() {
            let message = match part.as_rule() {
                Rule::rbrace => "multiclass must contain at least one def",
                Rule::semi if multi.parents.is_empty() => "expected '{' in multiclass definition",
                _ => continue,
            };
            let at = self.span(&part);
            self.diagnostics.push(Diagnostic::error("empty-multiclass", message).at(at));
        }
    }

    /// A `def_head` node.
    pub fn def_head(&mut self, node: &Node, body: Option<Vec<BodyItem>>) -> Option<Def> {
        let keyword = self.span(&node.clone().into_inner().next()?);
        let (name, parents) = self.name_and_parents(parts(node))?;
        Some(Def { keyword, name, parents, body })
    }

    /// A `set_head` node.
    pub fn set_head(&mut self, node: &Node, body: Vec<Arc<Stmt>>) -> Option<Defset> {
        let mut all = parts(node);
        let ty = self.ty(&all.next()?)?;
        Some(Defset { ty, name: self.ident(&all.next()?), body })
    }

    /// A `for_head` node.
    pub fn for_head(&mut self, node: &Node, body: Vec<Arc<Stmt>>) -> Option<Foreach> {
        let in_braces = node.clone().into_inner().any(|part| part.as_rule() == Rule::lbrace);
        let mut all = parts(node);
        let name = self.ident(&all.next()?);
        let mut ranges = Vec::new();
        for range in all {
            ranges.push(self.range(&range)?);
        }
        let values = match <[Range; 1]>::try_from(ranges) {
            Ok([Range { first, last: None, .. }]) if !in_braces => ForeachValues::Value(first),
            Ok(one) => ForeachValues::Ranges(one.into()),
            Err(ranges) => ForeachValues::Ranges(ranges),
        };
        Some(Foreach { name, values, body })
    }

    /// An `if_head` node.
    pub fn if_head(&mut self, node: &Node) -> Option<Expr> {
        self.value(parts(node).next()?)
    }

    /// A `let_head` node.
    pub fn let_head(&mut self, node: &Node) -> Option<Vec<LetItem>> {
        parts(node).map(|item| self.let_item(&item)).collect()
    }

    fn let_item(&mut self, node: &Node) -> Option<LetItem> {
        let mut all = parts(node).peekable();
        let mode = match all.next_if(|part| part.as_rule() == Rule::let_mode) {
            Some(word) if word.as_str() == "append" => LetMode::Append,
            Some(_) => LetMode::Prepend,
            None => LetMode::Set,
        };
        let name = self.ident(&all.next()?);
        let mut bits = Vec::new();
        if let Some(slice) = all.next_if(|part| part.as_rule() == Rule::bit_slice) {
            bits = self.ranges(&slice)?;
        }
        while let Some(range) = all.next_if(|part| part.as_rule() == Rule::range) {
            bits.push(self.range(&range)?);
        }
        Some(LetItem { mode, name, bits, value: self.value(all.next()?)? })
    }

    fn params_and_parents<'p>(
        &mut self,
        nodes: impl Iterator<Item = Node<'p>>,
    ) -> Option<(Vec<Param>, Vec<ClassRef>)> {
        let (mut params, mut parents) = (Vec::new(), Vec::new());
        for node in nodes {
            match node.as_rule() {
                Rule::params => {
                    for param in parts(&node) {
                        params.push(self.param(&param)?);
                    }
                }
                _ => parents = self.parents(&node)?,
            }
        }
        Some((params, parents))
    }

    fn param(&mut self, node: &Node) -> Option<Param> {
        let mut all = parts(node);
        let ty = self.ty(&all.next()?)?;
        let name = self.ident(&all.next()?);
        let default = match all.next() {
            Some(value) => Some(self.value(value)?),
            None => None,
        };
        Some(Param { ty, name, default })
    }

    fn name_and_parents<'p>(
        &mut self,
        nodes: impl Iterator<Item = Node<'p>>,
    ) -> Option<(Option<Expr>, Vec<ClassRef>)> {
        let (mut name, mut parents) = (None, Vec::new());
        for node in nodes {
            match node.as_rule() {
                Rule::parents => parents = self.parents(&node)?,
                _ => name = Some(self.value(node)?),
            }
        }
        Some((name, parents))
    }

    fn parents(&mut self, node: &Node) -> Option<Vec<ClassRef>> {
        parts(node).map(|parent| self.class_ref(&parent)).collect()
    }
}
