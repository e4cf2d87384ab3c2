//! Assembly text templates.

/// How a placeholder is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum View {
    /// By the slot's type, or an immediate as a number.
    Plain,
    /// The register under another name: `q`, `v`, `d`, `s`, `x`, `w`.
    Letter(char),
    /// The page of a constant.
    Page,
    /// The place of a constant within its page.
    Low12,
}

/// One part of a template.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Part<S> {
    /// Text as it stands.
    Text(Box<str>),
    /// A slot.
    Slot(S, View),
}

/// Splits a template; `resolve` gives the slot of a name.
pub(crate) fn parse<S>(
    text: &str,
    mut resolve: impl FnMut(&str) -> Option<S>,
) -> Result<Vec<Part<S>>, String> {
    let mut parts = Vec::new();
    let mut rest = text;
    while let Some(at) = rest.find('$') {
        if at > 0 {
            parts.push(Part::Text(rest[..at].into()));
        }
        rest = &rest[at + 1..];
        let (name, view) = if let Some(braced) = rest.strip_prefix('{') {
            let end = braced.find('}').ok_or("unclosed `${`")?;
            rest = &braced[end + 1..];
            match braced[..end].split_once(':') {
                None => (&braced[..end], View::Plain),
                Some((name, "page")) => (name, View::Page),
                Some((name, "lo12")) => (name, View::Low12),
                Some((name, view)) => {
                    let mut letters = view.chars();
                    match (letters.next(), letters.next()) {
                        (Some(letter @ ('q' | 'v' | 'd' | 's' | 'x' | 'w')), None) => {
                            (name, View::Letter(letter))
                        }
                        _ => return Err(format!("unknown view `{view}`")),
                    }
                }
            }
        } else {
            let end =
                rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(rest.len());
            let name = &rest[..end];
            rest = &rest[end..];
            (name, View::Plain)
        };
        let slot = resolve(name).ok_or_else(|| format!("`${name}` names no slot"))?;
        parts.push(Part::Slot(slot, view));
    }
    if !rest.is_empty() {
        parts.push(Part::Text(rest.into()));
    }
    Ok(parts)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts() {
        let parts = parse("ldr ${d:q}, [$base, #$offset]", |name| Some(name.to_owned()));
        let text = |t: &str| Part::Text(t.into());
        let slot = |n: &str, v| Part::Slot(n.to_owned(), v);
        assert_eq!(
            parts,
            Ok(vec![
                text("ldr "),
                slot("d", View::Letter('q')),
                text(", ["),
                slot("base", View::Plain),
                text(", #"),
                slot("offset", View::Plain),
                text("]"),
            ])
        );
        assert_eq!(parse("b $nowhere", |_| None::<()>), Err("`$nowhere` names no slot".to_owned()));
        assert_eq!(parse("b ${d:z}", |_| Some(())), Err("unknown view `z`".to_owned()));
    }
}
