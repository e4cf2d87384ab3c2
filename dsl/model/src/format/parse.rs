//! Tokens to a tree of elements.

use tegula_diag::{Diagnostic, Span, nearest};

use super::FormatText;
use super::lex::{Kind, Token, lex};

/// An element of a format with its place.
#[derive(Clone, Debug)]
pub(crate) struct Node {
    pub(crate) kind: NodeKind,
    pub(crate) span: Span,
    /// Where its `^` stands, if it has one.
    pub(crate) anchor: Option<Span>,
}

#[derive(Clone, Debug)]
pub(crate) enum NodeKind {
    Literal(String),
    Variable(String),
    /// A string argument of a custom directive.
    Quoted(String),
    /// `name(args)`; the name is one of [`DIRECTIVES`].
    Directive(&'static str, Vec<Node>),
    /// `custom<Name>(args)`
    Custom(String, Vec<Node>),
    /// `oilist(…)`: the clauses.
    OiList(Vec<Vec<Node>>),
    /// `(then) : (otherwise)?`
    Optional {
        then: Vec<Node>,
        otherwise: Vec<Node>,
    },
}

/// The directives and whether they take arguments.
const DIRECTIVES: &[(&str, bool)] = &[
    ("attr-dict", false),
    ("attr-dict-with-keyword", false),
    ("functional-type", true),
    ("operands", false),
    ("params", false),
    ("prop-dict", false),
    ("qualified", true),
    ("ref", true),
    ("regions", false),
    ("results", false),
    ("struct", true),
    ("successors", false),
    ("type", true),
];

/// Parses a whole format; what could not be read is missing from the result.
pub(crate) fn parse(source: &FormatText<'_>, out: &mut Vec<Diagnostic>) -> Vec<Node> {
    let tokens = lex(source, out);
    let mut parser = Parser { source, tokens, at: 0, depth: 0, ended: false, out };
    let mut nodes = Vec::new();
    loop {
        nodes.extend(parser.elements());
        let token = parser.peek();
        if token.kind == Kind::End {
            return nodes;
        }
        parser.unexpected(token, "an element");
        parser.at += 1;
    }
}

struct Parser<'p, 'a> {
    source: &'p FormatText<'a>,
    tokens: Vec<Token<'a>>,
    at: usize,
    depth: usize,
    /// An error at the end was reported.
    ended: bool,
    out: &'p mut Vec<Diagnostic>,
}

/// Groups and arguments are read by recursion, so their nesting is bounded.
const MAX_DEPTH: usize = 64;

impl<'a> Parser<'_, 'a> {
    fn peek(&self) -> Token<'a> {
        // The end token is always there and never consumed.
        self.tokens[self.at.min(self.tokens.len() - 1)]
    }

    fn eat(&mut self, punct: char) -> Option<Token<'a>> {
        let token = self.peek();
        (token.kind == Kind::Punct(punct)).then(|| {
            self.at += 1;
            token
        })
    }

    fn expect(&mut self, punct: char) -> Option<Token<'a>> {
        let token = self.eat(punct);
        if token.is_none() {
            self.unexpected(self.peek(), &format!("`{punct}`"));
        }
        token
    }

    fn unexpected(&mut self, token: Token<'_>, wanted: &str) {
        // Everything that is still open at the end misses something there; once is enough.
        if token.kind == Kind::End && std::mem::replace(&mut self.ended, true) {
            return;
        }
        let found = match token.kind {
            Kind::End => "the end of the format".to_owned(),
            _ => format!("`{}`", &self.source.text[token.start..token.end]),
        };
        let code = "format-unexpected-token";
        self.out.push(
            Diagnostic::error(code, format!("expected {wanted}, found {found}"))
                .at(self.source.span(token.start, token.end)),
        );
    }

    /// Elements up to a token that begins none.
    fn elements(&mut self) -> Vec<Node> {
        let mut nodes = Vec::new();
        while let Some(node) = self.element() {
            nodes.push(node);
        }
        nodes
    }

    fn element(&mut self) -> Option<Node> {
        if self.depth > MAX_DEPTH {
            let token = self.peek();
            self.out.push(
                Diagnostic::error("format-depth", "the format is nested too deeply")
                    .at(self.source.span(token.start, token.end)),
            );
            self.at = self.tokens.len() - 1;
            self.ended = true;
            return None;
        }
        self.depth += 1;
        let element = self.element_here();
        self.depth -= 1;
        element
    }

    fn element_here(&mut self) -> Option<Node> {
        loop {
            let token = self.peek();
            let start = token.start;
            let kind = match token.kind {
                Kind::Literal => {
                    self.at += 1;
                    NodeKind::Literal(token.text.to_owned())
                }
                Kind::Quoted => {
                    self.at += 1;
                    NodeKind::Quoted(token.text.to_owned())
                }
                Kind::Variable => {
                    self.at += 1;
                    NodeKind::Variable(token.text.to_owned())
                }
                Kind::Word => match self.directive() {
                    Some(kind) => kind,
                    None => continue,
                },
                Kind::Punct('(') => self.optional(),
                Kind::Punct(_) | Kind::End => return None,
            };
            let end = self.tokens[..self.at].last().map_or(start, |t| t.end);
            let anchor = self.eat('^').map(|t| self.source.span(t.start, t.end));
            return Some(Node { kind, span: self.source.span(start, end), anchor });
        }
    }

    /// None after an error.
    fn directive(&mut self) -> Option<NodeKind> {
        let token = self.peek();
        self.at += 1;
        match token.text {
            "custom" => return self.custom(),
            "oilist" => return self.oilist(),
            _ => {}
        }
        let Some(&(name, takes_args)) = DIRECTIVES.iter().find(|(name, _)| *name == token.text)
        else {
            let span = self.source.span(token.start, token.end);
            let known = DIRECTIVES.iter().map(|(name, _)| *name).chain(["custom", "oilist"]);
            let message = format!("there is no directive `{}`", token.text);
            let mut diagnostic = Diagnostic::error("format-unknown-directive", message).at(span);
            diagnostic = match nearest(token.text, known) {
                Some(near) => diagnostic.fix(span, near, format!("write `{near}`")),
                None => {
                    let literal = format!("`{}`", token.text);
                    diagnostic.fix(span, literal, "make it a literal")
                }
            };
            self.out.push(diagnostic);
            if self.peek().kind == Kind::Punct('(') {
                self.arguments();
            }
            return None;
        };
        let args = if takes_args { self.arguments() } else { Vec::new() };
        Some(NodeKind::Directive(name, args))
    }

    fn arguments(&mut self) -> Vec<Node> {
        let mut args = Vec::new();
        if self.expect('(').is_none() {
            return args;
        }
        while self.peek().kind != Kind::Punct(')') {
            let Some(arg) = self.element() else { break };
            args.push(arg);
            if self.eat(',').is_none() {
                break;
            }
        }
        self.expect(')');
        args
    }

    fn custom(&mut self) -> Option<NodeKind> {
        self.expect('<')?;
        let name = self.peek();
        if name.kind != Kind::Word {
            self.unexpected(name, "the directive's name");
            self.eat('>');
            if self.peek().kind == Kind::Punct('(') {
                self.arguments();
            }
            return None;
        }
        self.at += 1;
        self.expect('>')?;
        Some(NodeKind::Custom(name.text.to_owned(), self.arguments()))
    }

    fn oilist(&mut self) -> Option<NodeKind> {
        self.expect('(')?;
        let mut clauses = vec![self.elements()];
        while self.eat('|').is_some() {
            clauses.push(self.elements());
        }
        self.expect(')')?;
        Some(NodeKind::OiList(clauses))
    }

    fn optional(&mut self) -> NodeKind {
        self.expect('(');
        let then = self.elements();
        self.expect(')');
        let mut otherwise = Vec::new();
        if self.eat(':').is_some() {
            self.expect('(');
            otherwise = self.elements();
            self.expect(')');
        }
        self.expect('?');
        NodeKind::Optional { then, otherwise }
    }
}
