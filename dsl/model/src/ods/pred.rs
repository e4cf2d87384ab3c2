//! C++ predicates as predicates of ours.

use std::borrow::Cow;

use tegula_record::Record;
use tegula_schema::{Pred, Signedness};

use super::cpp::{self, Expr, last};
use crate::cx::{Cx, Get};

/// How the subject of an expression follows from that of the whole predicate, outermost first.
type Path = Vec<Step>;

#[derive(Clone, Debug, PartialEq, Eq)]
enum Step {
    /// The element type of a shaped or complex type.
    Element,
    /// The type of a typed attribute.
    TypeOfAttr,
    /// The type in a type attribute.
    TypeInAttr,
    /// A parameter of a type or attribute.
    Param(String),
}

/// What an expression stands for.
enum Subject {
    /// A type or an attribute.
    Thing(Path),
    /// The number in an integer attribute.
    Number(Path),
    /// The length of an array.
    Length(Path),
    /// The rank of a shaped type.
    Rank(Path),
}

/// Names that lambdas give to subjects.
type Names = Vec<(String, Path)>;

impl<'a> Cx<'a> {
    /// The predicate of a constraint that MLIR's classes made. What it is in C++ and cannot be told
    /// holds always, and is listed.
    pub(crate) fn ods_pred(&mut self, record: &'a Record) -> Pred {
        let Some(text) = self.render(record, 0) else {
            self.untranslated(&format!("the predicate `{}`", record.name));
            return Pred::Any;
        };
        match cpp::parse(&text) {
            Some(expr) => self.translate(&expr, &Vec::new()).unwrap_or_default(),
            None => {
                self.untranslated(&format!("`{}`", shown(&text)));
                Pred::Any
            }
        }
    }

    /// A predicate as one C++ expression, with everything substituted.
    fn render(&self, record: &Record, depth: u32) -> Option<String> {
        if depth > 64 {
            return None;
        }
        if let Some(text) = record.text("predExpr") {
            return Some(if text == "()" { "(true)".to_owned() } else { text.to_owned() });
        }
        let children = self.field_defs(record, "children");
        let parts = children.iter().map(|child| self.render(child, depth + 1));
        let parts: Vec<String> = parts.collect::<Option<_>>()?;
        let kind = self.field_def(record, "kind")?;
        let joined = |with: &str, none: &str| match parts.is_empty() {
            true => none.to_owned(),
            false => format!("({})", parts.join(with)),
        };
        Some(match &*kind.name {
            "PredCombinerAnd" => joined(" && ", "(true)"),
            "PredCombinerOr" => joined(" || ", "(false)"),
            "PredCombinerNot" => format!("!({})", parts.first()?),
            "PredCombinerSubstLeaves" => {
                parts.first()?.replace(record.text("pattern")?, record.text("replacement")?)
            }
            "PredCombinerConcat" => {
                [record.text("prefix")?, parts.first()?, record.text("suffix")?].concat()
            }
            _ => return None,
        })
    }

    /// None where what is not known decides.
    fn translate(&mut self, expr: &Expr, names: &Names) -> Option<Pred> {
        match expr {
            Expr::Name(name) if name == "true" => Some(Pred::Any),
            Expr::Name(name) if name == "false" => Some(Pred::Or(Cow::Borrowed(&[]))),
            // A subject that is there.
            Expr::Name(_) if subject(expr, names).is_some() => Some(Pred::Any),
            Expr::Binary("&&", left, right) => {
                // Where one is not known the other is still required.
                let (left, right) = (self.translate(left, names), self.translate(right, names));
                match (left, right) {
                    (None, None) => None,
                    (left, right) => Some(super::and(left.into_iter().chain(right).collect())),
                }
            }
            Expr::Binary("||", left, right) => {
                let (left, right) = (self.translate(left, names), self.translate(right, names));
                Some(super::or(vec![left?, right?]))
            }
            Expr::Not(inner) => match inner.as_ref() {
                Expr::Name(_) => self.unknown(expr),
                inner => Some(not(self.translate(inner, names)?)),
            },
            Expr::Apply(lambda, args) => match (lambda.as_ref(), args.as_slice()) {
                (Expr::Lambda(name, body), [arg]) => match subject(arg, names) {
                    Some(Subject::Thing(path)) => {
                        let mut names = names.clone();
                        names.push((name.clone(), path));
                        self.translate(body, &names)
                    }
                    _ => self.unknown(expr),
                },
                _ => self.unknown(expr),
            },
            Expr::Call(name, _, args) if name == "all_of" => match args.as_slice() {
                [of, Expr::Lambda(name, body)] => {
                    let Some(Subject::Thing(path)) = subject(of, names) else {
                        return self.unknown(expr);
                    };
                    let each = vec![(name.clone(), Vec::new())];
                    let each = self.translate(body, &each)?;
                    Some(within(&path, Pred::ArrayOf(Cow::Owned(vec![each]))))
                }
                _ => self.unknown(expr),
            },
            _ => match self.atom(expr, names) {
                Some(pred) => Some(pred),
                None => self.unknown(expr),
            },
        }
    }

    fn unknown(&mut self, expr: &Expr) -> Option<Pred> {
        self.untranslated(&format!("`{}`", super::show::expr(expr)));
        None
    }

    fn atom(&self, expr: &Expr, names: &Names) -> Option<Pred> {
        match expr {
            Expr::Call(name, types, args) if name == "isa" => {
                let [arg] = args.as_slice() else { return None };
                let Subject::Thing(path) = subject(arg, names)? else { return None };
                let kinds = types.iter().map(|ty| self.kind(ty));
                Some(within(&path, super::or(kinds.collect::<Option<_>>()?)))
            }
            Expr::Call(name, _, args) if name == "is_contained" => {
                let [Expr::List(items), arg] = args.as_slice() else { return None };
                let Subject::Number(path) = subject(arg, names)? else { return None };
                let is = |item: &Expr| match item {
                    Expr::Number(n) => Some(Pred::IntRange(*n, *n)),
                    _ => None,
                };
                Some(within(&path, super::or(items.iter().map(is).collect::<Option<_>>()?)))
            }
            Expr::Binary(operator, left, right) => {
                if let Expr::Number(number) = right.as_ref() {
                    return compare(subject(left, names)?, operator, *number);
                }
                let Expr::Name(case) = right.as_ref() else { return None };
                let Subject::Thing(path) = subject(left, names)? else { return None };
                let text = self.case_keyword(case)?;
                let is = Pred::AttrText(Cow::Owned(format!("\"{text}\"")));
                match *operator {
                    "==" => Some(within(&path, is)),
                    "!=" => Some(within(&path, not(is))),
                    _ => None,
                }
            }
            Expr::Method(of, method, types, args) => {
                self.method(subject(of, names)?, method, types, args)
            }
            _ => None,
        }
    }

    fn method(&self, of: Subject, method: &str, types: &[String], args: &[Expr]) -> Option<Pred> {
        let path = match of {
            Subject::Thing(path) => path,
            Subject::Number(path) => {
                let range = match (method, args) {
                    ("isStrictlyPositive", []) => Pred::IntRange(1, i64::MAX),
                    ("isNegative", []) => Pred::IntRange(i64::MIN, -1),
                    ("eq", [Expr::Call(name, _, args)]) if name == "APInt" => match args[..] {
                        [Expr::Number(_), Expr::Number(n)] => Pred::IntRange(n, n),
                        _ => return None,
                    },
                    _ => return None,
                };
                return Some(within(&path, range));
            }
            Subject::Length(_) | Subject::Rank(_) => return None,
        };
        let width = match args {
            [] => 0,
            [Expr::Number(n)] => u32::try_from(*n).ok()?,
            _ => return None,
        };
        let integer = |sign| Pred::Integer { width, sign };
        let index = || Pred::TypeKind("index".into());
        let signless = || Pred::Integer { width: 0, sign: Some(Signedness::Signless) };
        let any_integer = || Pred::Integer { width: 0, sign: None };
        let float = || Pred::Float { width: 0 };
        let pred = match method {
            "isInteger" => integer(None),
            "isSignlessInteger" => integer(Some(Signedness::Signless)),
            "isSignedInteger" => integer(Some(Signedness::Signed)),
            "isUnsignedInteger" => integer(Some(Signedness::Unsigned)),
            "isIndex" => index(),
            "isFloat" => float(),
            "isSignlessIntOrIndex" => super::or(vec![signless(), index()]),
            "isSignlessIntOrFloat" => super::or(vec![signless(), float()]),
            "isSignlessIntOrIndexOrFloat" => super::or(vec![signless(), index(), float()]),
            "isIntOrIndex" => super::or(vec![any_integer(), index()]),
            "isIntOrFloat" => super::or(vec![any_integer(), float()]),
            "isIntOrIndexOrFloat" => super::or(vec![any_integer(), index(), float()]),
            "isBF16" => Pred::TypeText("bf16".into()),
            "isTF32" => Pred::TypeText("tf32".into()),
            "isF16" | "isF32" | "isF64" | "isF80" | "isF128" => {
                Pred::TypeText(Cow::Owned(format!("f{}", &method[3..])))
            }
            "hasRank" => Pred::HasRank,
            "hasStaticShape" => Pred::StaticShape,
            "hasTrait" if types.iter().all(|ty| last(ty) == "ValueSemantics") => {
                super::or(vec![self.kind("VectorType")?, self.kind("TensorType")?])
            }
            _ => return None,
        };
        Some(within(&path, pred))
    }

    /// The keyword of an enum's case, given as `Enum::Case`.
    fn case_keyword(&self, case: &str) -> Option<String> {
        let mut parts = case.rsplit("::");
        let (symbol, class) = (parts.next()?, parts.next()?);
        let info = self.enum_record(class)?;
        let cases = self.field_defs(info, "enumerants");
        let case = cases.into_iter().find(|case| case.text("symbol") == Some(symbol))?;
        Some(case.text("keyword").or(case.text("str"))?.to_owned())
    }
}

/// What a part of an expression stands for.
fn subject(expr: &Expr, names: &Names) -> Option<Subject> {
    let thing = |expr: &Expr| match subject(expr, names)? {
        Subject::Thing(path) => Some(path),
        _ => None,
    };
    let step = |expr: &Expr, step: Step| {
        let mut path = thing(expr)?;
        path.push(step);
        Some(Subject::Thing(path))
    };
    match expr {
        Expr::Name(name) => {
            if let Some((_, path)) = names.iter().rev().find(|(known, _)| known == name) {
                return Some(Subject::Thing(path.clone()));
            }
            (name == "$_self").then(|| Subject::Thing(Vec::new()))
        }
        Expr::Call(name, types, args) => match (name.as_str(), args.as_slice()) {
            ("cast", [arg]) if types.len() == 1 => subject(arg, names),
            ("getElementTypeOrSelf", [arg]) => step(arg, Step::Element),
            _ => None,
        },
        Expr::Method(of, method, _, args) if args.is_empty() => {
            let class = match of.as_ref() {
                Expr::Call(name, types, _) if name == "cast" => types.first().map(|ty| last(ty)),
                _ => None,
            };
            match (class, method.as_str()) {
                (_, "getElementType") => step(of, Step::Element),
                (Some("TypeAttr"), "getValue") => step(of, Step::TypeInAttr),
                (Some("IntegerAttr"), "getInt" | "getValue") => thing(of).map(Subject::Number),
                (Some("ArrayAttr" | "DenseArrayAttr"), "size") => thing(of).map(Subject::Length),
                (_, "getRank") => thing(of).map(Subject::Rank),
                (Some(class), "getType") if class.ends_with("Attr") => step(of, Step::TypeOfAttr),
                (Some(class), _) if class.ends_with("Type") || class.ends_with("Attr") => {
                    let name = method.strip_prefix("get")?;
                    step(of, Step::Param(super::snake(name)))
                }
                _ => None,
            }
        }
        _ => None,
    }
}

/// A predicate of what a path leads to.
fn within(path: &[Step], pred: Pred) -> Pred {
    path.iter().rev().fold(pred, |inner, step| {
        let inner = Cow::Owned(vec![inner]);
        match step {
            Step::Element => Pred::ElementType(inner),
            Step::TypeOfAttr => Pred::AttrType(inner),
            Step::TypeInAttr => Pred::TypeAttrOf(inner),
            Step::Param(name) => Pred::Param(Cow::Owned(name.clone()), inner),
        }
    })
}

fn not(pred: Pred) -> Pred {
    Pred::Not(Cow::Owned(vec![pred]))
}

/// A number held against a constant.
fn compare(subject: Subject, operator: &str, number: i64) -> Option<Pred> {
    let (lo, hi) = match operator {
        "==" | "!=" => (number, number),
        ">=" => (number, i64::MAX),
        ">" => (number.checked_add(1)?, i64::MAX),
        "<=" => (i64::MIN, number),
        "<" => (i64::MIN, number.checked_sub(1)?),
        _ => return None,
    };
    let length = |n: i64| u32::try_from(n.clamp(0, i64::from(u32::MAX))).unwrap_or(u32::MAX);
    let (path, pred) = match subject {
        Subject::Number(path) => (path, Pred::IntRange(lo, hi)),
        Subject::Length(path) => (path, Pred::Length(length(lo), length(hi))),
        // A rank is no larger than a program can write; those below a bound are listed.
        Subject::Rank(path) if hi == i64::MAX && (0..=64).contains(&lo) => {
            (path, not(Pred::Rank((0..lo).collect())))
        }
        Subject::Rank(path) if hi <= 64 => (path, Pred::Rank((lo.max(0)..=hi).collect())),
        Subject::Rank(_) | Subject::Thing(_) => return None,
    };
    Some(within(&path, if operator == "!=" { not(pred) } else { pred }))
}

/// C++ text in one line.
fn shown(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
