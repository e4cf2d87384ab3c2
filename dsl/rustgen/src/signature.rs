//! Function heads within the line width.

/// `indent` blanks and `head(params)tail`, with a parameter a line when that is too long for one.
pub(crate) fn signature(indent: usize, head: &str, params: &[String], tail: &str) -> String {
    let blanks = " ".repeat(indent);
    let flat = format!("{blanks}{head}({}){tail}", params.join(", "));
    // Four more blanks come from the module around it.
    if flat.len() + 4 <= 100 {
        return flat;
    }
    let lines: String = params.iter().map(|param| format!("{blanks}    {param},\n")).collect();
    format!("{blanks}{head}(\n{lines}{blanks}){tail}")
}
