//! Random modules against the verifier, the printer and the parser, and canonicalization and CSE
//! against the evaluator. `TEGULA_SMITH_MODULES` says how many of each kind there are,
//! `TEGULA_SMITH_SEED` with which seed they begin, `TEGULA_SMITH_DIALECTS` of which dialects they
//! are made, and `TEGULA_IREE_OPT` names an `iree-opt` that has to accept them.

mod common;

use std::io::Write as _;
use std::process::{Command, Stdio};
use std::sync::Arc;

use tegula_eval::{Interp, Limits, Scalar, ScalarType, Tensor, Value, Vector, run_function_with};
use tegula_ir::{Attr, Module, OpName, Type, TypeData};
use tegula_pass::{NoInstrument, Plan, Settings, run_pipeline};
use tegula_pipelines::Setup;
use tegula_schema::OpDef;
use tegula_smith::{Options, Random, Smith};

use common::{parse, print};

/// Dialects whose ops are taken together.
const KINDS: [&str; 2] = ["arith,cf,func,scf", "arith,math,func,ub"];

fn kinds() -> Vec<String> {
    match std::env::var("TEGULA_SMITH_DIALECTS") {
        Ok(dialects) => vec![dialects],
        Err(_) => KINDS.map(str::to_owned).to_vec(),
    }
}

fn number(name: &str, default: u64) -> u64 {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(default)
}

fn seeds() -> std::ops::Range<u64> {
    let first = number("TEGULA_SMITH_SEED", 0);
    first..first + number("TEGULA_SMITH_MODULES", 40)
}

fn smith<'r>(setup: &'r Setup, dialects: &str) -> Smith<'r> {
    let dialects = dialects.split(',').map(str::to_owned).collect();
    let options = Options { dialects, except: Vec::new(), ops: 30, optional_attrs: true };
    Smith::new(&setup.registry, options).unwrap_or_else(|name| panic!("no dialect {name}"))
}

/// Modules of ops that the evaluator knows. Flags of ops make what is computed a matter of choice,
/// and stay away; so do ops that are undefined for some values, if `total` is asked for.
fn runnable<'r>(setup: &'r Setup, dialects: &str, total: bool) -> Smith<'r> {
    let runs = |def: &OpDef| {
        setup.semantics.knows(OpName::of(&def.name))
            && !(total && def.has_trait("ConditionallySpeculatable"))
    };
    let dialects: Vec<String> = dialects.split(',').map(str::to_owned).collect();
    let all = dialects.iter().filter_map(|name| setup.registry.dialect(name));
    let all = all.flat_map(|dialect| dialect.def.ops.iter());
    let except = all
        .filter(|def| !runs(def) && !def.has_trait("FunctionOpInterface"))
        .map(|def| def.name.to_string())
        .collect();
    let options = Options { dialects, except, ops: 30, optional_attrs: false };
    Smith::new(&setup.registry, options).unwrap_or_else(|name| panic!("no dialect {name}"))
}

fn setup() -> Arc<Setup> {
    Setup::new(Settings::default(), [])
}

/// What is made is printed as it is read, in both forms, and is the same when it is made again.
#[test]
fn random_modules_are_read_as_they_are_printed() {
    let setup = setup();
    for dialects in kinds() {
        let smith = smith(&setup, &dialects);
        for seed in seeds() {
            let module = smith.module(seed).unwrap_or_else(|| panic!("{dialects} seed {seed}"));
            let text = print(&setup, &module, false);
            assert_eq!(print(&setup, &parse(&setup, &text), false), text, "{dialects} {seed}");
            let generic = print(&setup, &module, true);
            let read = parse(&setup, &generic);
            assert_eq!(print(&setup, &read, true), generic, "{dialects} {seed}");
            assert_eq!(print(&setup, &read, false), text, "{dialects} {seed}");
            let again = smith.module(seed).map(|module| print(&setup, &module, false));
            assert_eq!(again, Some(text), "{dialects} {seed}");
        }
    }
}

/// A function that gives results gives the same after canonicalization and CSE.
#[test]
fn random_modules_keep_their_meaning() {
    let setup = setup();
    let plan = Plan::new(&setup.passes, "builtin.module(canonicalize,cse)", &[]);
    let plan = plan.unwrap_or_else(|errors| panic!("{errors:?}"));
    let mut judged = 0;
    let mut wrong = Vec::new();
    for dialects in kinds() {
        let (partial, total) =
            (runnable(&setup, &dialects, false), runnable(&setup, &dialects, true));
        for seed in seeds() {
            let smith = if seed % 4 == 0 { &partial } else { &total };
            let module = smith.module(seed).unwrap_or_else(|| panic!("{dialects} seed {seed}"));
            let before = print(&setup, &module, false);
            let poll = || {};
            let run =
                run_pipeline(setup.env(&poll, true), &plan, module.clone(), &mut NoInstrument);
            if run.result.is_err() {
                let said: Vec<&str> = run.reports.iter().map(|r| r.message.as_str()).collect();
                wrong.push(format!("{dialects} {seed}: {said:?}\n{before}"));
                continue;
            }
            let after = run.value;
            for body in &module.bodies {
                let Some((root, name)) = body.root().and_then(|r| Some((r, body.symbol_name(r)?)))
                else {
                    continue;
                };
                let ty = body.attr(root, "function_type").and_then(Attr::as_type);
                let Some((inputs, _)) = ty.and_then(Type::as_function) else { continue };
                let mut random = Random::new(seed);
                let args: Option<Vec<Value>> =
                    inputs.iter().map(|&ty| value(&mut random, ty)).collect();
                let Some(args) = args else { continue };
                let Ok(wanted) = evaluate(&setup, &module, name, &args) else { continue };
                judged += 1;
                match evaluate(&setup, &after, name, &args) {
                    Ok(found) if same(&found, &wanted) => {}
                    other => wrong.push(format!(
                        "{dialects} {seed} @{name}: {wanted:?}\nbecomes {other:?}\nof {args:?}\n\
                         {before}\nafter:\n{}",
                        print(&setup, &after, false)
                    )),
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{} wrong\n{}", wrong.len(), wrong.join("\n\n"));
    // Many take what has no value outside of a program.
    assert!(judged > seeds().count() / 2, "only {judged} functions were judged");
}

/// Another compiler accepts what is made.
#[test]
fn random_modules_are_accepted_elsewhere() {
    let Ok(tool) = std::env::var("TEGULA_IREE_OPT") else { return };
    let setup = setup();
    let mut refused = Vec::new();
    for dialects in kinds() {
        let smith = smith(&setup, &dialects);
        for seed in seeds() {
            let module = smith.module(seed).unwrap_or_else(|| panic!("{dialects} seed {seed}"));
            let text = print(&setup, &module, false);
            let mut child = Command::new(&tool)
                .stdin(Stdio::piped())
                .stdout(Stdio::null())
                .stderr(Stdio::piped())
                .spawn()
                .expect("the program starts");
            child.stdin.take().expect("its input").write_all(text.as_bytes()).expect("it reads");
            let output = child.wait_with_output().expect("the program ends");
            let said = String::from_utf8_lossy(&output.stderr);
            if let Some(error) = said.lines().find(|line| line.contains("error: ")) {
                refused.push(format!("{dialects} seed {seed}: {error}"));
            }
        }
    }
    assert!(refused.is_empty(), "{} refused\n{}", refused.len(), refused.join("\n"));
}

fn evaluate(
    setup: &Setup,
    module: &Module,
    name: &str,
    args: &[Value],
) -> Result<Vec<Value>, String> {
    let limits = Limits { steps: 20_000, memory: 1 << 20, depth: 50 };
    let mut interp = Interp::new(module, &setup.semantics, limits);
    run_function_with(&mut interp, name, args).map_err(|error| error.to_string())
}

/// Whether two runs gave the same. Any NaN is any other one: MLIR says nothing of its bits.
fn same(found: &[Value], wanted: &[Value]) -> bool {
    fn elements(value: &Value) -> Option<(ScalarType, &[u8])> {
        match value {
            Value::Vector(vector) => Some((ScalarType::of(vector.ty.element()?)?, &vector.data)),
            Value::Tensor(tensor) => Some((tensor.elem, &tensor.data)),
            _ => None,
        }
    }
    fn nan(ty: ScalarType, bits: u64) -> bool {
        ty.to_f64(bits).is_some_and(f64::is_nan)
    }
    let alike = |ty: ScalarType, a: u64, b: u64| a == b || (nan(ty, a) && nan(ty, b));
    found.len() == wanted.len()
        && found.iter().zip(wanted).all(|(a, b)| match (a, b) {
            (Value::Scalar(a), Value::Scalar(b)) => a.ty == b.ty && alike(a.ty, a.bits, b.bits),
            _ => match (elements(a), elements(b)) {
                (Some((ty, a)), Some((other, b))) if ty == other && a.len() == b.len() => {
                    let loads = |bytes: &[u8]| {
                        bytes.chunks(ty.bytes()).map(|c| ty.load(c)).collect::<Vec<_>>()
                    };
                    loads(a).into_iter().zip(loads(b)).all(|(a, b)| alike(ty, a, b))
                }
                _ => a == b,
            },
        })
}

/// A value of a type; none for types that have no values outside of a program.
fn value(random: &mut Random, ty: Type) -> Option<Value> {
    let bits = |random: &mut Random, ty: Type| {
        let scalar = ScalarType::of(ty)?;
        let number = random.small(4);
        Some(match scalar {
            ScalarType::Float(_) => scalar.from_f64(number as f64 / 2.0)?,
            _ if random.one_in(4) => random.bits() & scalar.mask(),
            _ => number.cast_unsigned() & scalar.mask(),
        })
    };
    if let Some(scalar) = ScalarType::of(ty) {
        return Some(Value::Scalar(Scalar::new(scalar, bits(random, ty)?)));
    }
    let element = ty.element()?;
    // Dimensions of unknown size are as long as each other.
    let shape: Vec<i64> = ty.shape()?.iter().map(|&d| if d < 0 { 2 } else { d }).collect();
    let count = shape.iter().product::<i64>();
    match ty.data() {
        TypeData::Vector { .. } => {
            let elements: Option<Vec<u64>> = (0..count).map(|_| bits(random, element)).collect();
            Vector::from_bits(ty, &elements?).ok().map(Value::Vector)
        }
        TypeData::RankedTensor { .. } => {
            let mut tensor = Tensor::zeroed(&shape, ScalarType::of(element)?).ok()?;
            for at in 0..count as usize {
                tensor.set(at, bits(random, element)?).ok()?;
            }
            Some(Value::Tensor(tensor))
        }
        _ => None,
    }
}
