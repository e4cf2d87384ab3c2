//! `tegula bisect`
//!
//! Inputs are small whole numbers, on which every stage must agree bit for bit. The first pass that
//! breaks this is found by halving, or by judging the program after each pass.

use std::cell::RefCell;

use tegula_db::{Database, Session};
use tegula_diag::Diagnostic;
use tegula_ir::text::{PrintOptions, print_module};
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
    cx.show(&session.written().misplaced(source))?;
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
    let right = RefCell::new(String::new());
    let judge = |step: usize| -> Result<(), String> {
        let (module, found) = module_after(&setup, &plan, &text, steps[step].0);
        if let Some(error) = found.iter().find(|d| d.is_error()) {
            return Err(format!("is not there: {}", error.message));
        }
        // Most passes leave a program as it is; what named ops do is seen in generic form only.
        let options = PrintOptions { generic: true, ..Default::default() };
        let printed = print_module(&setup.registry, &module, &options);
        if *right.borrow() == printed {
            return Ok(());
        }
        match try_evaluate(&setup, &module, &signature, &inputs) {
            Ok(found) if found == wanted => {
                right.replace(printed);
                Ok(())
            }
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
    let found = if args.every_pass { first_wrong(runs, &judge) } else { halve(last, &judge) };
    let name = &signature.function;
    let Some((bad, wrong)) = found else {
        let kept = if args.every_pass {
            format!("each of {runs} passes keeps the result")
        } else {
            format!("the result after {runs} passes is right")
        };
        let rest = no_entry.map_or(String::new(), |why| {
            format!("; after the other {} it can't be run: {}", steps.len() - runs, why.0)
        });
        crate::output::say!("@{name}: {kept}{rest}");
        return Ok(());
    };
    let pass = &steps[bad].1;
    let occurrence = steps[..bad].iter().filter(|(_, n)| n == pass).count();
    crate::output::say!(
        "@{name}: first wrong after {pass}#{occurrence} (pass {} of {})",
        bad + 1,
        steps.len()
    );
    crate::output::say!("the module after it {wrong}");
    Err(crate::context::Failed)
}

/// The first step after which the program is wrong, and how, when it is wrong after the last.
fn halve(last: usize, judge: &dyn Fn(usize) -> Result<(), String>) -> Option<(usize, String)> {
    let mut wrong = judge(last).err()?;
    let (mut right, mut bad) = (0, last);
    while right < bad {
        let middle = right + (bad - right) / 2;
        match judge(middle) {
            Ok(()) => right = middle + 1,
            Err(why) => (bad, wrong) = (middle, why),
        }
    }
    Some((bad, wrong))
}

/// The same, found by judging one step after the other.
fn first_wrong(
    steps: usize,
    judge: &dyn Fn(usize) -> Result<(), String>,
) -> Option<(usize, String)> {
    (0..steps).find_map(|step| Some((step, judge(step).err()?)))
}
