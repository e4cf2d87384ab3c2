//! The Rust that the definitions of this dialect name.

use tegula_ir::text;
use tegula_ir::{Attr, Ident};

use crate::generated::Hooks;

/// The hooks of the dialect.
pub struct CpuHooks;

impl Hooks for CpuHooks {
    fn parse_params_lowering_config(p: &mut text::AsmParser<'_>) -> text::ParseResult<Vec<Attr>> {
        p.expect("<")?;
        let mut entries = Vec::new();
        if !p.eat(">") {
            loop {
                let name = p.keyword()?;
                p.expect("=")?;
                entries.push((Ident::of(name), p.attr()?));
                if !p.eat(",") {
                    break;
                }
            }
            p.expect(">")?;
        }
        Ok(vec![Attr::dict(entries)])
    }

    fn print_params_lowering_config(p: &mut text::AsmPrinter<'_>, params: &[Attr]) {
        let entries = params.first().and_then(|c| c.as_dict()).unwrap_or(&[]);
        p.write("<");
        p.comma_list(entries, |p, (name, value)| {
            p.write(name.as_str());
            p.write(" = ");
            p.attr(*value);
        });
        p.write(">");
    }
}
