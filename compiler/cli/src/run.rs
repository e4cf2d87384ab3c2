//! `tegula run`

use tegula_db::{Database, Session};
use tegula_diag::{Diagnostic, SourceId};
use tegula_ir::Type;
use tegula_neon::{Flavour, mangle};
use tegula_package::{Schedule, Signature, byte_size};
use tegula_pipelines::{Phase, run_machine_ops};
use tegula_toolchain::{Buffer, Direction, Search, Toolchain, run_entry};

use crate::args::RunArgs;
use crate::compile::assembly;
use crate::context::{Context, Done};
use crate::evaluate::{evaluate_after, reference};
use crate::flags::CommandLine;
use crate::npy::{self, Array};
use crate::random::Random;
use crate::values::{self, Draw, floats};

/// Runs the command.
pub fn run(args: &RunArgs, line: &CommandLine) -> Done {
    let mut cx = Context::new();
    let setup = cx.setup(&args.target, &args.dialect, line)?;
    let source = cx.read(&args.input)?;
    let text = cx.sources.text(source).to_owned();
    let mut session = Session::new(Database::new(), setup.clone(), Phase::LAST, &text);
    cx.show(&session.written().text_diagnostics(source))?;
    let signature = function(&mut cx, &session, source, args.function.as_deref())?;
    let inputs = inputs(&mut cx, args, &signature)?;

    let outputs = match &args.interpret {
        Some(pass) => {
            let evaluated = evaluate_after(&mut cx, &setup, &text, pass, &signature, &inputs)?;
            let pass = pass.trim_start_matches("after ");
            println!("interpreted @{} after {pass}", signature.function);
            evaluated
        }
        None => execute(&mut cx, &mut session, source, &signature, &inputs)?,
    };
    for (index, output) in outputs.iter().enumerate() {
        let shape: Vec<String> = output.shape.iter().map(|d| format!("{d}x")).collect();
        println!("result {index}: tensor<{}{}>", shape.concat(), output.element);
    }
    write_outputs(&mut cx, args, &outputs)?;
    let mut fine = expected(&mut cx, args, &outputs)?;
    if args.check {
        let reference = reference(&mut cx, &setup, &text, &signature, &inputs)?;
        fine &= check(&outputs, &reference);
    }
    if fine { Ok(()) } else { Err(crate::context::Failed) }
}

/// The C signature of the function that is meant: the one named, or the only one.
pub fn function(
    cx: &mut Context,
    session: &Session,
    source: SourceId,
    name: Option<&str>,
) -> Done<Signature> {
    let map = session.written().source_map(source);
    let mut all = Vec::new();
    for signature in session.written().signatures() {
        match signature {
            Ok(signature) => all.push((*signature).clone()),
            Err((error, loc)) => {
                let wrong = Diagnostic::error(error.code, error.message)
                    .at_opt(loc.and_then(|loc| map.locate(loc)));
                return cx.fail(wrong);
            }
        }
    }
    let names: Vec<String> = all.iter().map(|s| format!("@{}", s.function)).collect();
    let names = names.join(", ");
    match (name, all.len()) {
        (_, 0) => cx.fail(Diagnostic::error("no-function", "the program has no public function")),
        (None, 1) => Ok(all.remove(0)),
        (None, _) => {
            let message = "the program has several functions; name one with --function";
            cx.fail(
                Diagnostic::error("which-function", message).note(format!("there are: {names}")),
            )
        }
        (Some(name), _) => {
            let name = name.trim_start_matches('@');
            match all.iter().position(|s| s.function == name) {
                Some(at) => Ok(all.remove(at)),
                None => {
                    let message = format!("the program has no public function @{name}");
                    let error = Diagnostic::error("no-function", message);
                    cx.fail(error.note(format!("there are: {names}")))
                }
            }
        }
    }
}

/// The inputs in order, checked against the signature.
fn inputs(cx: &mut Context, args: &RunArgs, signature: &Signature) -> Done<Vec<Array>> {
    let params: Vec<_> = signature.params.iter().filter(|p| p.input.is_some()).collect();
    if let Some(seed) = args.random {
        return random_inputs(cx, signature, Draw::Unit, seed);
    }
    if args.inputs.len() != params.len() {
        let message = format!(
            "@{} takes {} inputs and is given {}; use --input for each, or --random=SEED",
            signature.function,
            params.len(),
            args.inputs.len()
        );
        return cx.fail(Diagnostic::error("input-count", message));
    }
    let mut out = Vec::new();
    for (text, param) in args.inputs.iter().zip(params) {
        let array = match values::parse(text) {
            Ok(array) => array,
            Err(why) => {
                let message = format!("--input={text}: {why}");
                return cx.fail(Diagnostic::error("bad-value", message));
            }
        };
        let element = element_of(param.ty);
        if param.ty.shape() != Some(&array.shape[..]) || element.as_deref() != Some(array.element) {
            let shape: Vec<String> = array.shape.iter().map(|d| format!("{d}x")).collect();
            let message = format!(
                "--input={text}: argument `{}` is a {}, not a tensor<{}{}>",
                param.name,
                shown(param.ty),
                shape.concat(),
                array.element
            );
            return cx.fail(Diagnostic::error("input-type", message));
        }
        out.push(array);
    }
    Ok(out)
}

/// Random inputs for a signature.
pub fn random_inputs(
    cx: &mut Context,
    signature: &Signature,
    draw: Draw,
    seed: u64,
) -> Done<Vec<Array>> {
    let mut random = Random::new(seed);
    let mut out = Vec::new();
    for param in signature.params.iter().filter(|p| p.input.is_some()) {
        let element = element_of(param.ty).unwrap_or_default();
        match values::random(param.ty.shape().unwrap_or(&[]), &element, draw, &mut random) {
            Some(array) => out.push(array),
            None => {
                let message = format!("no random numbers are drawn for {}", shown(param.ty));
                return cx.fail(Diagnostic::error("bad-value", message));
            }
        }
    }
    Ok(out)
}

fn element_of(ty: Type) -> Option<String> {
    Some(shown(ty.element()?))
}

fn shown(ty: Type) -> String {
    tegula_ir::text::print_type(&tegula_ir::Registry::default(), ty)
}

/// A result's array without its numbers.
fn blank(ty: Type) -> Option<Array> {
    let element = npy::element_name(&shown(ty.element()?))?;
    let bytes = vec![0; usize::try_from(byte_size(ty)?).ok()?];
    Some(Array { shape: ty.shape()?.to_vec(), element, bytes })
}

/// Runs the compiled function: assembled where that is possible, on machine ops otherwise.
fn execute(
    cx: &mut Context,
    session: &mut Session,
    source: SourceId,
    signature: &Signature,
    inputs: &[Array],
) -> Done<Vec<Array>> {
    let text = assembly(cx, session, source, Flavour::Elf)?;
    let compiled = session.compile(Flavour::Elf);
    let entry = compiled.pieces.iter().find_map(|piece| {
        let (found, schedule) = piece.entry.as_ref()?;
        (found.function == signature.function).then(|| schedule.clone())
    });
    let Some(schedule) = entry else {
        let message = format!("@{} was not compiled", signature.function);
        return cx.fail(Diagnostic::error("no-function", message));
    };
    println!("compiled @{}: {} lines of assembly text", signature.function, text.lines().count());
    let toolchain = Search::from_env().toolchain();
    let contents = match toolchain.can_run() {
        Ok(()) => {
            for tool in toolchain.describe() {
                println!("{tool}");
            }
            match assembled(&toolchain, &text, signature, inputs) {
                Ok(contents) => contents,
                Err(error) => return cx.fail(error.diagnostic()),
            }
        }
        Err(missing) => {
            println!("evaluator of machine ops, because {missing}");
            match evaluated(session, signature, &schedule, inputs) {
                Ok(contents) => contents,
                Err(error) => return cx.fail(Diagnostic::error(error.code, error.message)),
            }
        }
    };
    Ok(gather(signature, contents))
}

/// The parameters' bytes before the call.
fn parameters(signature: &Signature, inputs: &[Array]) -> Vec<Vec<u8>> {
    let bytes = |param: &tegula_package::Param| match param.input {
        Some(at) => inputs[at].bytes.clone(),
        None => vec![0; byte_size(param.ty).and_then(|b| usize::try_from(b).ok()).unwrap_or(0)],
    };
    signature.params.iter().map(bytes).collect()
}

fn assembled(
    toolchain: &Toolchain,
    text: &str,
    signature: &Signature,
    inputs: &[Array],
) -> Result<Vec<Vec<u8>>, tegula_toolchain::ToolError> {
    let folder = tempfile::tempdir().map_err(tegula_toolchain::ToolError::from)?;
    let object = folder.path().join("code.o");
    toolchain.assemble(text, &object)?;
    let contents = parameters(signature, inputs);
    let buffers: Vec<Buffer> = (signature.params.iter().zip(&contents))
        .map(|(param, bytes)| Buffer {
            bytes: bytes.len() as u64,
            direction: match (param.input, param.output) {
                (Some(_), Some(_)) => Direction::InOut,
                (None, Some(_)) => Direction::Out,
                _ => Direction::In,
            },
        })
        .collect();
    let given: Vec<&[u8]> = (buffers.iter().zip(&contents))
        .filter(|(buffer, _)| buffer.direction != Direction::Out)
        .map(|(_, bytes)| bytes.as_slice())
        .collect();
    let outcome = run_entry(toolchain, &object, &mangle(&signature.function), &buffers, &given)?;
    let mut outputs = outcome.outputs.into_iter();
    Ok((buffers.iter().zip(contents))
        .map(|(buffer, bytes)| match buffer.direction {
            Direction::In => bytes,
            _ => outputs.next().unwrap_or(bytes),
        })
        .collect())
}

fn evaluated(
    session: &mut Session,
    signature: &Signature,
    schedule: &Schedule,
    inputs: &[Array],
) -> Result<Vec<Vec<u8>>, tegula_pipelines::EmitError> {
    let mut contents = parameters(signature, inputs);
    run_machine_ops(&session.module(), signature, schedule, &mut contents)?;
    Ok(contents)
}

/// The results among the parameters' bytes, in order.
fn gather(signature: &Signature, contents: Vec<Vec<u8>>) -> Vec<Array> {
    let mut out: Vec<(usize, Array)> = (signature.params.iter().zip(contents))
        .filter_map(|(param, bytes)| Some((param.output?, Array { bytes, ..blank(param.ty)? })))
        .collect();
    out.sort_by_key(|(number, _)| *number);
    out.into_iter().map(|(_, array)| array).collect()
}

fn write_outputs(cx: &mut Context, args: &RunArgs, outputs: &[Array]) -> Done {
    for (target, output) in args.outputs.iter().zip(outputs) {
        let path = std::path::Path::new(target.trim_start_matches('@'));
        match npy::format(output) {
            Ok(bytes) => cx.write(path, &bytes)?,
            Err(error) => {
                return cx.fail(Diagnostic::error("unwritable-output", error.to_string()));
            }
        }
    }
    Ok(())
}

/// Holds results against what was expected: equal, or within a rounding of each other.
fn expected(cx: &mut Context, args: &RunArgs, outputs: &[Array]) -> Done<bool> {
    let mut fine = true;
    for (index, text) in args.expected.iter().enumerate() {
        let want = match values::parse(text) {
            Ok(array) => array,
            Err(why) => {
                let message = format!("--expected-output={text}: {why}");
                return cx.fail(Diagnostic::error("bad-value", message));
            }
        };
        let Some(got) = outputs.get(index) else {
            let message = format!("there is no result {index}");
            return cx.fail(Diagnostic::error("output-count", message));
        };
        if (&want.shape, want.element) != (&got.shape, got.element) {
            println!("result {index}: FAIL, another type than expected");
            fine = false;
            continue;
        }
        let (differing, first, largest) = difference(got, &want);
        if differing == 0 {
            println!("result {index}: as expected");
        } else {
            println!(
                "result {index}: FAIL, {differing} elements differ, the first at {first}, by at most {largest:e}"
            );
            fine = false;
        }
    }
    Ok(fine)
}

/// How many elements differ by more than rounding, where the first is, and by how much at most.
fn difference(got: &Array, want: &Array) -> (usize, usize, f64) {
    let (Some(a), Some(b)) = (floats(got), floats(want)) else {
        let differs = got.bytes != want.bytes;
        return (usize::from(differs), 0, 0.0);
    };
    let (mut count, mut first, mut largest) = (0, 0, 0.0f64);
    for (at, (x, y)) in a.iter().zip(&b).enumerate() {
        let close = x == y
            || (x.is_nan() && y.is_nan())
            || (x - y).abs() <= 1e-4 * (1.0 + x.abs().max(y.abs()));
        if !close {
            if count == 0 {
                first = at;
            }
            count += 1;
            largest = largest.max((x - y).abs());
        }
    }
    (count, first, largest)
}

/// Prints the error of results against references in f64.
fn check(outputs: &[Array], references: &[Array]) -> bool {
    let mut fine = true;
    for (index, (got, want)) in outputs.iter().zip(references).enumerate() {
        let (Some(a), Some(b)) = (floats(got), floats(want)) else { continue };
        let scale = b.iter().fold(0.0f64, |m, y| m.max(y.abs()));
        let absolute = a.iter().zip(&b).fold(0.0f64, |m, (x, y)| m.max((x - y).abs()));
        let relative = if scale > 0.0 { absolute / scale } else { absolute };
        let (differing, ..) = difference(got, want);
        println!(
            "result {index}: largest error {absolute:.3e} against a reference in f64 \
             ({relative:.3e} of the largest element)"
        );
        if differing > 0 || a.len() != b.len() {
            println!("result {index}: FAIL, {differing} elements are wrong");
            fine = false;
        }
    }
    fine
}
