//! Names in generated Rust.

/// `AddFOp` and `some-name` as `add_f_op` and `some_name`.
pub(crate) fn snake(name: &str) -> String {
    let mut out = String::new();
    let chars: Vec<char> = name.chars().collect();
    for (at, &c) in chars.iter().enumerate() {
        if !c.is_ascii_alphanumeric() {
            if !out.ends_with('_') && !out.is_empty() {
                out.push('_');
            }
            continue;
        }
        let before = at.checked_sub(1).and_then(|i| chars.get(i)).copied().unwrap_or('_');
        let after = chars.get(at + 1).copied().unwrap_or('_');
        let starts_word = c.is_ascii_uppercase()
            && (before.is_ascii_lowercase()
                || before.is_ascii_digit()
                || (before.is_ascii_uppercase() && after.is_ascii_lowercase()));
        if starts_word && !out.ends_with('_') && !out.is_empty() {
            out.push('_');
        }
        out.push(c.to_ascii_lowercase());
    }
    out
}

/// A name in camel case: `fma_lane.v4` as `FmaLaneV4`.
pub(crate) fn camel(name: &str) -> String {
    let mut out = String::new();
    let mut upper = true;
    for c in name.chars() {
        if !c.is_ascii_alphanumeric() {
            upper = true;
        } else if upper {
            out.push(c.to_ascii_uppercase());
            upper = false;
        } else {
            out.push(c);
        }
    }
    if out.starts_with(|c: char| c.is_ascii_digit()) { format!("N{out}") } else { out }
}

/// The name as an identifier, escaped when it is a keyword.
pub(crate) fn ident(name: &str) -> String {
    match name {
        "self" | "Self" | "super" | "crate" | "_" => format!("{name}_"),
        "as" | "async" | "await" | "break" | "const" | "continue" | "dyn" | "else" | "enum"
        | "extern" | "false" | "fn" | "for" | "gen" | "if" | "impl" | "in" | "let" | "loop"
        | "match" | "mod" | "move" | "mut" | "pub" | "ref" | "return" | "static" | "struct"
        | "trait" | "true" | "type" | "unsafe" | "use" | "where" | "while" | "abstract"
        | "become" | "box" | "do" | "final" | "macro" | "override" | "priv" | "try" | "typeof"
        | "unsized" | "virtual" | "yield" => format!("r#{name}"),
        _ if name.starts_with(|c: char| c.is_ascii_digit()) => format!("_{name}"),
        _ => name.to_owned(),
    }
}

/// The wrapper of a definition: its name without the dialect's prefix (`Arith_AddFOp` is `AddFOp`).
pub(crate) fn wrapper(def_name: &str, dialect: &str) -> String {
    let plain = |text: &str| text.replace('_', "").to_ascii_lowercase();
    match def_name.split_once('_') {
        // `IREE_CPU_X` of `iree_cpu`: prefixes may hold underscores of their own.
        Some(_) => {
            let prefix = plain(dialect);
            let cut = def_name
                .match_indices('_')
                .map(|(at, _)| at)
                .find(|&at| plain(&def_name[..at]) == prefix)
                .or_else(|| def_name.find('_'));
            camel(cut.map_or(def_name, |at| &def_name[at + 1..]))
        }
        None => camel(def_name),
    }
}

/// The Rust type of an enum.
pub(crate) fn enum_type(name: &str) -> String {
    camel(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cases() {
        for (name, want) in [
            ("AddFOp", "add_f_op"),
            ("HALExecutable", "hal_executable"),
            ("some-name", "some_name"),
            ("int_assumption", "int_assumption"),
            ("Mmt4DOp", "mmt4_d_op"),
        ] {
            assert_eq!(snake(name), want);
        }
        assert_eq!(camel("fma_lane.v4"), "FmaLaneV4");
        assert_eq!(camel("4x4"), "N4x4");
        assert_eq!(wrapper("Arith_AddFOp", "arith"), "AddFOp");
        assert_eq!(wrapper("IREE_CPU_LoweringConfigAttr", "iree_cpu"), "LoweringConfigAttr");
        assert_eq!(wrapper("UB_PoisonOp", "ub"), "PoisonOp");
        assert_eq!(wrapper("AddOp", "t"), "AddOp");
        assert_eq!(ident("type"), "r#type");
        assert_eq!(ident("crate"), "crate_");
    }
}
