//! `tegula bisect`
//!
//! Inputs are small whole numbers, on which every stage must agree bit for bit. The first pass that
//! breaks this is found by halving.

use tegula_db::{Database, Session};
use tegula_diag::Diagnostic;
use tegula_neon::has_entry;
use tegula_pipelines::{Phase, is_machine_code};

use crate::args::BisectArgs;
use crate::context::{Context, Done};
use crate::evaluate::{evaluate_module, module_after, parse, plan, reference, try_evaluate};
use crate::flags::CommandLine;
use crate::run::{fits, function, random_inputs};
use crate::values::{Draw, floats};

/// Runs the command.
pub fn run(args: &BisectArgs, line: &CommandLine) -> Done {
    let mut cx = Context::new();
    let from = cx.phase(line, "--compile-from", &args.from.compile_from)?;
    let setup = cx.setup(&args.target, &args.dialect, &args.input, line, from..=Phase::LAST)?;
    let source = cx.read(&args.input)?;
    let text = cx.sources.text(source).to_owned();
    let mut session = Session::new(Database::new(), setup.clone(), Phase::Input, &text);
    cx.show(&session.written().text_diagnostics(source))?;
    let signature = function(&mut cx, &session, source, args.function.as_deref())?;
    let text = tegula_ide::reached(&setup.registry, &text, &signature.function);
    session.set_text(&text);
    cx.show(&session.written().unwritten_reads(source))?;
    fits(&mut cx, &session, source, &signature)?;
    let inputs = random_inputs(&mut cx, &signature, Draw::Small, args.seed)?;
    let plan = plan(&mut cx, &setup)?;
    let steps: Vec<(usize, String)> =
        plan.steps().iter().map(|s| (s.index, s.pass.def.name.to_string())).collect();
    let wanted =
        evaluate_module(&mut cx, &setup, &parse(&setup.registry, &text), &signature, &inputs)?;
    let exact = reference(&mut cx, &setup, &text, &signature, &inputs)?;
    if !wanted.iter().zip(&exact).all(|(f32, f64)| floats(f32) == floats(f64)) {
        let message = format!(
            "@{}: the whole numbers that it computes with grow beyond what f32 holds exactly, so \
             that a pass may change the result and be right",
            signature.function
        );
        let error = Diagnostic::error("inexact", message).note("bisect a part of the program");
        return cx.fail(error);
    }

    // Whether the module after a step still computes what the input says; why not otherwise. A pass
    // that gives up may have been given something wrong: it is no better than a wrong result.
    let judge = |step: usize| -> Result<(), String> {
        let (module, found) = module_after(&setup, &plan, &text, steps[step].0);
        if let Some(error) = found.iter().find(|d| d.is_error()) {
            return Err(format!("is not there: {}", error.message));
        }
        match try_evaluate(&setup, &module, &signature, &inputs) {
            Ok(found) if found == wanted => Ok(()),
            Ok(_) => Err("gives another result".to_owned()),
            Err(why) => Err(format!("can't be evaluated: {why}")),
        }
    };
    // That machine code of too many tensors can't be called is no pass's fault.
    let mut runs = steps.len();
    let no_entry = has_entry(&signature).err();
    if no_entry.is_some() {
        let machine =
            |step: &(usize, String)| is_machine_code(&module_after(&setup, &plan, &text, step.0).0);
        runs = steps.partition_point(|step| !machine(step));
    }
    let Some(last) = runs.checked_sub(1) else {
        crate::output::say!("no pass runs");
        return Ok(());
    };
    let mut wrong = match judge(last) {
        Ok(()) => {
            let name = &signature.function;
            match no_entry {
                None => crate::output::say!("@{name}: all {runs} passes keep the result"),
                Some(why) => crate::output::say!(
                    "@{name}: the first {runs} passes keep the result; after the other {} it can't \
                     be run: {}",
                    steps.len() - runs,
                    why.0
                ),
            }
            return Ok(());
        }
        Err(why) => why,
    };
    let (mut good, mut bad) = (None::<usize>, last);
    while bad > good.map_or(0, |g| g + 1) {
        let middle = match good {
            Some(good) => good + (bad - good) / 2,
            None => bad / 2,
        };
        match judge(middle) {
            Ok(()) => good = Some(middle),
            Err(why) => {
                bad = middle;
                wrong = why;
            }
        }
    }
    let name = &steps[bad].1;
    let occurrence = steps[..bad].iter().filter(|(_, n)| n == name).count();
    crate::output::say!(
        "@{}: first wrong after {name}#{occurrence} (pass {} of {})",
        signature.function,
        bad + 1,
        steps.len()
    );
    crate::output::say!("the module after it {wrong}");
    Err(crate::context::Failed)
}
