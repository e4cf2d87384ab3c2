//! C++ expressions as text.

use super::cpp::Expr;

/// An expression in one line.
pub(super) fn expr(e: &Expr) -> String {
    let list = |items: &[Expr]| items.iter().map(expr).collect::<Vec<_>>().join(", ");
    let types = |types: &[String]| match types.is_empty() {
        true => String::new(),
        false => format!("<{}>", types.join(", ")),
    };
    match e {
        Expr::Name(name) => name.clone(),
        Expr::Number(number) => number.to_string(),
        Expr::Not(inner) => format!("!{}", expr(inner)),
        Expr::Binary(operator, left, right) => {
            format!("{} {operator} {}", expr(left), expr(right))
        }
        Expr::Call(name, of, args) => format!("{name}{}({})", types(of), list(args)),
        Expr::Method(subject, name, of, args) => {
            format!("{}.{name}{}({})", expr(subject), types(of), list(args))
        }
        Expr::Lambda(name, body) => format!("[](auto {name}) {{ return {}; }}", expr(body)),
        Expr::Apply(lambda, args) => format!("{}({})", expr(lambda), list(args)),
        Expr::List(items) => format!("{{{}}}", list(items)),
    }
}
