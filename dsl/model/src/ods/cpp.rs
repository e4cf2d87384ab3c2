//! The C++ expressions in which MLIR's own files write predicates.

/// An expression, as far as predicates use them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Expr {
    /// A name with its qualifiers, `$_self` and the parameters of lambdas among them.
    Name(String),
    Number(i64),
    Not(Box<Expr>),
    /// `a && b`, `a || b`, and comparisons.
    Binary(&'static str, Box<Expr>, Box<Expr>),
    /// `f<T, U>(a, b)`; the name is unqualified.
    Call(String, Vec<String>, Vec<Expr>),
    /// `x.f<T>(a)`
    Method(Box<Expr>, String, Vec<String>, Vec<Expr>),
    /// `[&](T name) { return body; }`
    Lambda(String, Box<Expr>),
    /// A lambda that is called where it stands.
    Apply(Box<Expr>, Vec<Expr>),
    /// `{a, b}`
    List(Vec<Expr>),
}

/// The last part of a qualified name.
pub(super) fn last(name: &str) -> &str {
    name.rsplit("::").next().unwrap_or(name).trim()
}

/// Reads an expression; none for what predicates do not consist of.
pub(super) fn parse(text: &str) -> Option<Expr> {
    let mut parser = Parser { tokens: lex(text)?, at: 0, depth: 0 };
    let expr = parser.binary(0)?;
    (parser.at == parser.tokens.len()).then_some(expr)
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Token<'a> {
    Name(&'a str),
    Number(i64),
    Punct(&'static str),
}

const PUNCTS: &[&str] = &[
    "&&", "||", "==", "!=", "<=", ">=", "->", "<", ">", "(", ")", "[", "]", "{", "}", ",", ".",
    ";", "!", "&",
];

fn lex(text: &str) -> Option<Vec<Token<'_>>> {
    let mut tokens = Vec::new();
    let mut rest = text.trim_start();
    while let Some(first) = rest.chars().next() {
        let len = if first.is_ascii_digit() {
            let word = |c: char| c.is_ascii_alphanumeric();
            let len = rest.find(|c| !word(c)).unwrap_or(rest.len());
            let digits = rest[..len].trim_end_matches(['u', 'U', 'l', 'L']);
            tokens.push(Token::Number(digits.parse().ok()?));
            len
        } else if first == '-' && rest[1..].starts_with(|c: char| c.is_ascii_digit()) {
            let len = rest[1..].find(|c: char| !c.is_ascii_digit()).map_or(rest.len(), |l| l + 1);
            tokens.push(Token::Number(rest[..len].parse().ok()?));
            len
        } else if first.is_ascii_alphabetic() || matches!(first, '_' | '$' | ':') {
            let word = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '$' | ':');
            let len = rest.find(|c| !word(c)).unwrap_or(rest.len());
            tokens.push(Token::Name(rest[..len].trim_start_matches("::")));
            len
        } else {
            let punct = PUNCTS.iter().find(|punct| rest.starts_with(**punct))?;
            tokens.push(Token::Punct(punct));
            punct.len()
        };
        rest = rest[len..].trim_start();
    }
    Some(tokens)
}

/// Expressions are read by recursion, so their nesting is bounded.
const MAX_DEPTH: usize = 128;

/// Operators by how loosely they bind.
const LEVELS: &[&[&str]] = &[&["||"], &["&&"], &["==", "!="], &["<=", ">=", "<", ">"]];

struct Parser<'a> {
    tokens: Vec<Token<'a>>,
    at: usize,
    depth: usize,
}

impl<'a> Parser<'a> {
    fn eat(&mut self, punct: &str) -> bool {
        let found = matches!(self.tokens.get(self.at), Some(Token::Punct(p)) if *p == punct);
        self.at += usize::from(found);
        found
    }

    fn name(&mut self) -> Option<&'a str> {
        let Some(Token::Name(name)) = self.tokens.get(self.at) else { return None };
        self.at += 1;
        Some(name)
    }

    fn binary(&mut self, level: usize) -> Option<Expr> {
        let Some(operators) = LEVELS.get(level) else { return self.unary() };
        let mut left = self.binary(level + 1)?;
        while let Some(operator) = operators.iter().find(|operator| self.eat(operator)) {
            let right = self.binary(level + 1)?;
            left = Expr::Binary(operator, Box::new(left), Box::new(right));
        }
        Some(left)
    }

    fn unary(&mut self) -> Option<Expr> {
        self.depth += 1;
        let expr = if self.depth > MAX_DEPTH {
            None
        } else if self.eat("!") {
            self.unary().map(|inner| Expr::Not(Box::new(inner)))
        } else {
            self.postfix()
        };
        self.depth -= 1;
        expr
    }

    fn postfix(&mut self) -> Option<Expr> {
        let mut expr = self.primary()?;
        loop {
            if self.eat(".") || self.eat("->") {
                let name = self.name()?.to_owned();
                let types = self.template(&name)?;
                if !self.eat("(") {
                    return None;
                }
                expr = Expr::Method(Box::new(expr), name, types, self.list(")")?);
            } else if matches!(expr, Expr::Lambda(..)) && self.eat("(") {
                expr = Expr::Apply(Box::new(expr), self.list(")")?);
            } else {
                return Some(expr);
            }
        }
    }

    fn primary(&mut self) -> Option<Expr> {
        if let Some(Token::Number(number)) = self.tokens.get(self.at) {
            self.at += 1;
            return Some(Expr::Number(*number));
        }
        if self.eat("(") {
            let inner = self.binary(0)?;
            return self.eat(")").then_some(inner);
        }
        if self.eat("{") {
            return Some(Expr::List(self.list("}")?));
        }
        if self.eat("[") {
            return self.lambda();
        }
        let name = self.name()?;
        let types = self.template(last(name))?;
        if self.eat("(") {
            return Some(Expr::Call(last(name).to_owned(), types, self.list(")")?));
        }
        types.is_empty().then(|| Expr::Name(name.to_owned()))
    }

    /// The types between `<` and `>` behind a name that takes some.
    fn template(&mut self, name: &str) -> Option<Vec<String>> {
        let takes = name.starts_with("isa")
            || name.starts_with("cast")
            || name.starts_with("dyn_cast")
            || matches!(name, "hasTrait" | "ArrayRef");
        if !takes || !self.eat("<") {
            return Some(Vec::new());
        }
        let mut types = vec![String::new()];
        let mut open = 1;
        loop {
            let token = self.tokens.get(self.at)?;
            self.at += 1;
            match token {
                Token::Punct("<") => open += 1,
                Token::Punct(">") => open -= 1,
                Token::Punct(",") if open == 1 => {
                    types.push(String::new());
                    continue;
                }
                _ => {}
            }
            if open == 0 {
                return Some(types);
            }
            let text = match token {
                Token::Name(name) => (*name).to_owned(),
                Token::Number(number) => number.to_string(),
                Token::Punct(punct) => (*punct).to_owned(),
            };
            types.last_mut()?.push_str(&text);
        }
    }

    fn list(&mut self, end: &str) -> Option<Vec<Expr>> {
        let mut items = Vec::new();
        while !self.eat(end) {
            if !items.is_empty() && !self.eat(",") {
                return None;
            }
            items.push(self.binary(0)?);
        }
        Some(items)
    }

    fn lambda(&mut self) -> Option<Expr> {
        self.eat("&");
        if !self.eat("]") || !self.eat("(") {
            return None;
        }
        // The type stands before the name.
        let mut names = 0;
        let mut param = "";
        while let Some(name) = self.name() {
            (param, names) = (name, names + 1);
        }
        if names < 2 || !self.eat(")") || !self.eat("{") || self.name()? != "return" {
            return None;
        }
        let body = self.binary(0)?;
        (self.eat(";") && self.eat("}")).then(|| Expr::Lambda(param.to_owned(), Box::new(body)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn expressions() {
        let isa = |ty: &str, of| Expr::Call("isa".into(), vec![ty.into()], vec![of]);
        let this = || Expr::Name("$_self".into());
        assert_eq!(
            parse("(::llvm::isa<::mlir::IndexType>($_self))"),
            Some(isa("mlir::IndexType", this()))
        );
        let text = "[](::mlir::Type t) { return (isa<A::B>(t)); }(cast<C>($_self).get())";
        let arg = Expr::Call("cast".into(), vec!["C".into()], vec![this()]);
        let arg = Expr::Method(Box::new(arg), "get".into(), vec![], vec![]);
        let body = Expr::Lambda("t".into(), Box::new(isa("A::B", Expr::Name("t".into()))));
        assert_eq!(parse(text), Some(Expr::Apply(Box::new(body), vec![arg])));
        let text = "!$_self.isF32() && $_self.getRank() >= 1";
        assert!(matches!(parse(text), Some(Expr::Binary("&&", ..))));
        for unread in ["", "(", "a b", "x ? y : z", "\"text\"", "f(", "[](int x) { x; }"] {
            assert_eq!(parse(unread), None, "{unread}");
        }
        assert_eq!(parse(&"(".repeat(10_000)), None);
    }
}
