//! `tegula run`

use std::path::{Path, PathBuf};

use tegula_db::{Database, Session};
use tegula_diag::{Diagnostic, SourceId};
use tegula_ir::Type;
use tegula_neon::{Flavour, mangle, workspace_size};
use tegula_package::{Schedule, Signature, byte_size};
use tegula_pipelines::{Phase, run_machine_ops};
use tegula_toolchain::{Buffer, Direction, Search, ToolError, Toolchain, run_entry};

use crate::args::RunArgs;
use crate::compile::assembly;
use crate::context::{Context, Done};
use crate::evaluate::{Reference, evaluate_at, point, reference_with_errors};
use crate::flags::CommandLine;
use crate::memory;
use crate::npy::{self, Array};
use crate::values::{self, Draw, floats};
use tegula_smith::Random;

/// Runs the command.
pub fn run(args: &RunArgs, line: &CommandLine) -> Done {
    let mut cx = Context::new();
    let from = cx.phase(line, "--compile-from", &args.from.compile_from)?;
    if args.check && from > Phase::Flow {
        return no_reference(&mut cx, line, from);
    }
    let setup = cx.setup(&args.target, &args.dialect, &args.input, line, from..=Phase::LAST)?;
    let source = cx.read(&args.input)?;
    let text = cx.sources.text(source).to_owned();
    let files = npy_files(args);
    for target in &args.outputs {
        cx.check_output(line, "--output", file(target), &files)?;
    }
    let point = match &args.interpret {
        Some(name) => Some((name, point(&mut cx, &setup, line, name)?)),
        None => None,
    };
    let mut session = Session::once(Database::new(), setup.clone(), Phase::LAST, &text);
    cx.show(&session.written().text_diagnostics(source))?;
    cx.show(&session.written().misplaced(source))?;
    let signature = function(&mut cx, &session, source, args.function.as_deref())?;
    // Nothing else is compiled: what is wrong with other functions is of no interest here.
    let text = tegula_ide::reached(&setup.registry, &text, &signature.function);
    session.set_text(&text);
    let unwritten = session.written().unwritten_reads(source);
    cx.show(&unwritten)?;
    fits(&mut cx, &session, source, &signature)?;
    let inputs = inputs(&mut cx, args, &signature)?;

    let outputs = match point {
        Some((pass, point)) => {
            let evaluated = evaluate_at(&mut cx, &setup, &text, point, &signature, &inputs)?;
            let pass = pass.trim_start_matches("after ");
            crate::output::say!("interpreted @{} after {pass}", signature.function);
            evaluated
        }
        None => execute(&mut cx, &mut session, source, &signature, &inputs)?,
    };
    for (index, output) in outputs.iter().enumerate() {
        let shape: Vec<String> = output.shape.iter().map(|d| format!("{d}x")).collect();
        crate::output::say!("result {index}: tensor<{}{}>", shape.concat(), output.element);
    }
    write_outputs(&mut cx, args, &outputs)?;
    let mut fine = expected(&mut cx, args, &outputs)?;
    if args.check && !unwritten.is_empty() {
        crate::output::say!(
            "--check can't judge @{}: it reads elements that nothing has written",
            signature.function
        );
    } else if args.check {
        let reference = reference_with_errors(&mut cx, &setup, &text, &signature, &inputs)?;
        fine &= check(&outputs, &reference);
    }
    if fine { Ok(()) } else { Err(crate::context::Failed) }
}

/// The reference is the program on numbers of more bits, which memory by the byte has no room for.
fn no_reference(cx: &mut Context, line: &CommandLine, from: Phase) -> Done {
    let message = format!("after `{}` the program is work on memory, not on tensors", from.name());
    let span = line.locate(&mut cx.sources, "--check");
    let error = Diagnostic::error("no-reference", message).at(span);
    cx.fail(
        error.note("compare with `--expected-output=@file.npy`, or start from `flow` or before"),
    )
}

/// The file of `@file.npy`.
fn file(value: &str) -> &Path {
    Path::new(value.trim_start_matches('@'))
}

/// The files that are read besides the program.
fn npy_files(args: &RunArgs) -> Vec<PathBuf> {
    let values = args.inputs.iter().chain(&args.expected);
    values.filter(|value| value.starts_with('@')).map(|value| file(value).to_path_buf()).collect()
}

/// The C signature of the function that is meant: the one named, or the only one.
pub fn function(
    cx: &mut Context,
    session: &Session,
    source: SourceId,
    name: Option<&str>,
) -> Done<Signature> {
    let written = session.written();
    let functions = written.functions();
    let names: Vec<&str> = functions.iter().map(|(name, _)| name.as_str()).collect();
    let listed = || names.iter().map(|name| format!("@{name}")).collect::<Vec<_>>().join(", ");
    let at = match name {
        _ if names.is_empty() => {
            let message = "the program has no public function with a body";
            return cx.fail(Diagnostic::error("no-function", message));
        }
        None if names.len() == 1 => 0,
        None => {
            let message = "the program has several functions; name one with --function";
            let error = Diagnostic::error("which-function", message);
            return cx.fail(error.note(format!("there are: {}", listed())));
        }
        Some(name) => {
            let name = name.trim_start_matches('@');
            match names.iter().position(|known| *known == name) {
                Some(at) => at,
                None => {
                    let message = format!("the program has no public function @{name}");
                    let error = Diagnostic::error("no-function", message);
                    let error = error.suggest(name, names.iter().copied());
                    return cx.fail(error.note(format!("there are: {}", listed())));
                }
            }
        }
    };
    match &functions[at].1 {
        Ok(signature) => Ok((**signature).clone()),
        Err((error, loc)) => {
            let place = loc.and_then(|loc| written.source_map(source).locate(loc));
            cx.fail(Diagnostic::error(error.code, error.message.clone()).at_opt(place))
        }
    }
}

/// Refuses a function whose inputs and results are more than this machine holds, before any are
/// made.
pub fn fits(cx: &mut Context, session: &Session, source: SourceId, signature: &Signature) -> Done {
    let sizes = signature.params.iter().map(|param| byte_size(param.ty));
    let bytes = sizes.map(|size| i128::from(size.unwrap_or(i64::MAX))).sum();
    enough(cx, session, source, signature, bytes, "its inputs and results")
}

/// Refuses what needs more bytes than this machine has.
fn enough(
    cx: &mut Context,
    session: &Session,
    source: SourceId,
    signature: &Signature,
    bytes: i128,
    what: &str,
) -> Done {
    let Some(free) = memory::available().filter(|&free| bytes > i128::from(free)) else {
        return Ok(());
    };
    let name = &signature.function;
    let message = format!("@{name} needs {bytes} bytes for {what}; this machine has {free} left");
    let place = session.written().place_of(source, name);
    cx.fail(Diagnostic::error("too-large", message).at_opt(place))
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
    if let Ok(workspace) = workspace_size(signature, &schedule) {
        let sizes = signature.params.iter().filter_map(|param| byte_size(param.ty));
        let bytes = sizes.chain([workspace]).map(i128::from).sum();
        enough(cx, session, source, signature, bytes, "its arguments and its workspace")?;
    }
    crate::output::say!(
        "compiled @{}: {} lines of assembly text",
        signature.function,
        text.lines().count()
    );
    let toolchain = Search::from_env().toolchain();
    let contents = match toolchain.can_run() {
        Ok(()) => {
            let tools = match toolchain.describe() {
                Ok(tools) => tools,
                Err(error) => return cx.fail(error.diagnostic()),
            };
            for tool in tools {
                crate::output::say!("{tool}");
            }
            match assembled(&toolchain, &text, signature, inputs) {
                Ok(contents) => contents,
                Err(error) => return cx.fail(error.diagnostic()),
            }
        }
        Err(missing @ ToolError::Missing { .. }) => {
            crate::output::say!("evaluator of machine ops, because {missing}");
            match evaluated(session, signature, &schedule, inputs) {
                Ok(contents) => contents,
                Err(error) => return cx.fail(Diagnostic::error(error.code, error.message)),
            }
        }
        Err(error) => return cx.fail(error.diagnostic()),
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
) -> Result<Vec<Vec<u8>>, ToolError> {
    let folder = tempfile::tempdir().map_err(ToolError::from)?;
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
    if args.outputs.len() > outputs.len() {
        let message = format!("there is no result {}", outputs.len());
        return cx.fail(Diagnostic::error("output-count", message));
    }
    for (target, output) in args.outputs.iter().zip(outputs) {
        match npy::format(output) {
            Ok(bytes) => cx.write(file(target), &bytes)?,
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
            crate::output::say!("result {index}: FAIL, another type than expected");
            fine = false;
            continue;
        }
        let (differing, first, largest) = difference(got, &want);
        if differing == 0 {
            crate::output::say!("result {index}: as expected");
        } else {
            crate::output::say!(
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
            || x.is_finite()
                && y.is_finite()
                && (x - y).abs() <= 1e-4 * (1.0 + x.abs().max(y.abs()));
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

/// Prints the error of results against references in f64, and holds every element to the error
/// that rounding may have.
fn check(outputs: &[Array], reference: &Reference) -> bool {
    if let Err(op) = &reference.errors {
        crate::output::say!(
            "no bound of the rounding of '{op}' is known: elements are held to an error of 1e-4"
        );
    }
    let mut fine = outputs.len() == reference.numbers.len();
    for (index, (got, want)) in outputs.iter().zip(&reference.numbers).enumerate() {
        let (Some(a), Some(b)) = (floats(got), floats(want)) else { continue };
        let allowed = match &reference.errors {
            Ok(errors) => errors.get(index).cloned().unwrap_or_default(),
            Err(_) => b.iter().map(|y| 1e-4 * (1.0 + y.abs())).collect(),
        };
        if a.len() != b.len() || a.len() != allowed.len() {
            crate::output::say!(
                "result {index}: FAIL, {} elements instead of {}",
                a.len(),
                b.len()
            );
            fine = false;
            continue;
        }
        let scale = b.iter().fold(0.0f64, |m, y| m.max(y.abs()));
        let absolute = a.iter().zip(&b).fold(0.0f64, |m, (x, y)| m.max((x - y).abs()));
        let relative = if scale > 0.0 { absolute / scale } else { absolute };
        let wrong: Vec<usize> =
            (0..a.len()).filter(|&at| !within(a[at], b[at], allowed[at])).collect();
        let verdict = match reference.errors {
            Ok(_) if wrong.is_empty() => "; rounding allows for it",
            _ => "",
        };
        crate::output::say!(
            "result {index}: largest error {absolute:.3e} against a reference in f64 \
             ({relative:.3e} of the largest element){verdict}"
        );
        if let Some(&first) = wrong.first() {
            crate::output::say!(
                "result {index}: FAIL, {} elements are wrong, the first at {:?}: {:e} instead of \
                 {:e}, where an error of {:.3e} is allowed",
                wrong.len(),
                indices(&got.shape, first),
                a[first],
                b[first],
                allowed[first]
            );
            fine = false;
        }
    }
    fine
}

/// Whether a number is as good as the reference. What may have overflowed may be anything, but
/// infinities and NaNs of the reference come of the inputs.
fn within(got: f64, want: f64, error: f64) -> bool {
    got == want
        || (got.is_nan() && want.is_nan())
        || (want.is_finite() && (!error.is_finite() || (got - want).abs() <= error))
}

/// The indices of the element at a position in row-major order.
fn indices(shape: &[i64], position: usize) -> Vec<i64> {
    let mut rest = position as i64;
    let mut out: Vec<i64> = (shape.iter().rev())
        .map(|&size| {
            let index = rest % size.max(1);
            rest /= size.max(1);
            index
        })
        .collect();
    out.reverse();
    out
}
