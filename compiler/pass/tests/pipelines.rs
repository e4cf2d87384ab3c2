//! Pipelines: text, plans, runs, dumps.

use std::borrow::Cow;
use std::fmt::Write;
use std::path::{Path, PathBuf};

use tegula_diag::{Sources, has_errors};
use tegula_ir::text::{PrintOptions, parse_module, print_module};
use tegula_ir::{Attr, Body, DialectEntry, Hooks, InsertPoint, Module, NewOp, OpId, Registry};
use tegula_pass::{
    Callees, Changed, DumpTree, Env, Failed, Header, Instrument, Moments, NoInstrument, PassCx,
    PassImpl, PassInfo, PassResult, PassRun, PassTable, Phase, Plan, Settings, Solve, Target,
    run_local, run_pipeline, text,
};
use tegula_rewrite::{IrMapping, Patterns, RewriteHooks};

fn root() -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.ancestors().nth(2).expect("the crate lies two folders deep").to_path_buf()
}

fn mark(cx: &mut PassCx<'_>, body: &mut Body, op: OpId) -> PassResult {
    let word = cx.options.str("word").to_owned();
    let count = body.attr(op, &word).and_then(Attr::as_int).unwrap_or(0);
    cx.rewriter(body).set_attr(op, &word, Attr::i64(count + 1));
    Ok(Changed::Yes)
}

fn mark_func(cx: &mut PassCx<'_>, body: &mut Body, op: OpId) -> PassResult {
    cx.rewriter(body).set_attr(op, "func", Attr::unit());
    Ok(Changed::Yes)
}

fn nothing(_: &mut PassCx<'_>, _: &mut Body, _: OpId) -> PassResult {
    Ok(Changed::No)
}

/// Every group becomes a function of its own.
fn split(cx: &mut PassCx<'_>, body: &mut Body, op: OpId) -> PassResult {
    let groups: Vec<OpId> = body.walk(op).filter(|&o| body.is(o, "t.group")).collect();
    for (index, &group) in groups.iter().enumerate() {
        let name = format!("{}_{index}", body.symbol_name(op).unwrap_or("f"));
        let mut new = Body::new();
        let at = InsertPoint::End(new.top_block());
        let func =
            new.insert(at, NewOp::new("t.func").attr("sym_name", Attr::string(&name)).regions(1));
        let region = new.regions(func)[0];
        let block = new.append_block(region);
        let inner: Vec<OpId> = body
            .regions(group)
            .iter()
            .flat_map(|&r| body.blocks(r))
            .flat_map(|b| body.block_ops(b))
            .collect();
        let mut mapping = IrMapping::new();
        for op in inner {
            let at = InsertPoint::End(block);
            if tegula_rewrite::clone_into(body, op, &mut new, at, &mut mapping).is_err() {
                return Err(cx.error(body, op, "captures", "the group uses values from outside"));
            }
        }
        cx.emit(new);
        cx.rewriter(body)
            .replace_with(group, NewOp::new("t.call").attr("callee", Attr::symbol(&name)));
    }
    Ok(Changed::when(!groups.is_empty()))
}

/// Numbers functions by the count of their ops, greatest first.
struct Number;

impl Solve for Number {
    type Summary = usize;
    type Projection = usize;

    fn summarize(&self, _: &Header, body: &Body, root: OpId) -> usize {
        body.walk(root).count()
    }

    fn solve(&self, _: &mut PassCx<'_>, summaries: &[&usize]) -> Result<Vec<usize>, Failed> {
        let mut order: Vec<usize> = (0..summaries.len()).collect();
        order.sort_by_key(|&at| std::cmp::Reverse(summaries[at]));
        let mut ranks = vec![0; order.len()];
        for (rank, at) in order.into_iter().enumerate() {
            ranks[at] = rank;
        }
        Ok(ranks)
    }

    fn apply(&self, cx: &mut PassCx<'_>, body: &mut Body, root: OpId, rank: &usize) -> PassResult {
        let rank = i64::try_from(*rank).expect("few functions");
        cx.rewriter(body).set_attr(root, "rank", Attr::i64(rank));
        Ok(Changed::Yes)
    }
}

/// The length of the longest chain of calls.
fn depth(cx: &mut PassCx<'_>, body: &mut Body, op: OpId, callees: &Callees<'_>) -> PassResult {
    let calls = body.walk(op).filter_map(|o| body.attr(o, "callee")?.as_symbol_root());
    let depths = calls.filter_map(|name| {
        let callee = callees.get(name.as_str())?;
        callee.attr(callee.root()?, "depth")?.as_int()
    });
    let depth = depths.max().unwrap_or(-1) + 1;
    cx.rewriter(body).set_attr(op, "depth", Attr::i64(depth));
    Ok(Changed::Yes)
}

fn drop_empty(_: &mut PassCx<'_>, module: &mut Module) -> PassResult {
    let before = module.bodies.len();
    module.bodies.retain(|body| body.walk_all().count() > 1);
    Ok(Changed::when(module.bodies.len() != before))
}

fn count_down(cx: &mut PassCx<'_>, body: &mut Body, op: OpId) -> PassResult {
    let count = body.attr(op, "count").and_then(Attr::as_int).unwrap_or(0);
    if count > 0 {
        cx.rewriter(body).set_attr(op, "count", Attr::i64(count - 1));
    }
    Ok(Changed::when(count > 0))
}

fn fail(cx: &mut PassCx<'_>, body: &mut Body, op: OpId) -> PassResult {
    Err(cx.error(body, op, "always", "this pass always fails"))
}

fn passes() -> Vec<PassImpl> {
    let local = |name, run| PassImpl { name, run: PassRun::Local(run) };
    vec![
        local("mark", mark),
        local("mark-func", mark_func),
        local("quiet", mark_func),
        local("nothing", nothing),
        PassImpl { name: "split", run: PassRun::Outline(split) },
        PassImpl { name: "number", run: PassRun::Solved(&Number) },
        PassImpl { name: "depth", run: PassRun::BottomUp(depth) },
        PassImpl { name: "drop-empty", run: PassRun::Module(drop_empty) },
        local("count-down", count_down),
        local("fail", fail),
        local("establish", nothing),
        local("invalidate", nothing),
        local("require", nothing),
        local("require-more", nothing),
    ]
}

struct World {
    registry: Registry,
    patterns: Patterns,
    table: PassTable,
    settings: Settings,
}

impl World {
    fn new() -> World {
        let mut sources = Sources::default();
        let path = root().join("tests/fixtures/pipelines/passes.td");
        let loaded = tegula_model::load(&path, &[], &mut sources);
        assert!(!has_errors(&loaded.diagnostics), "{:?}", loaded.diagnostics);
        let registry = Registry::new(
            loaded
                .dialects
                .into_iter()
                .map(|def| DialectEntry { def: Cow::Owned(def), hooks: Hooks::default() }),
        );
        let patterns = Patterns::new(&registry, RewriteHooks::new());
        let table = PassTable::new(&registry, passes());
        assert_eq!(table.errors(), &[]);
        World { registry, patterns, table, settings: Settings::default() }
    }

    fn env(&self) -> Env<'_> {
        Env {
            registry: &self.registry,
            patterns: &self.patterns,
            settings: &self.settings,
            poll: &|| (),
            verify: None,
            until: None,
        }
    }

    fn module(&self, text: &str) -> Module {
        let mut sources = Sources::default();
        let source = sources.add("input.mlir", text);
        let (module, _, diagnostics) = parse_module(&self.registry, source, text);
        assert!(diagnostics.is_empty(), "{diagnostics:?}");
        module
    }

    fn plan(&self, pipeline: &str) -> Result<Plan, String> {
        Plan::new(&self.table, pipeline, &[])
            .map_err(|errors| errors.iter().map(|e| format!("{}: {e}\n", e.at)).collect())
    }

    fn run(&self, pipeline: &str, module: Module, instrument: &mut dyn Instrument) -> String {
        let plan = match self.plan(pipeline) {
            Ok(plan) => plan,
            Err(errors) => return errors,
        };
        let run = run_pipeline(self.env(), &plan, module, instrument);
        let mut out = String::new();
        for report in &run.reports {
            let _ = writeln!(
                out,
                "{}[{}] {} at {}: {}",
                report.severity.as_str(),
                report.code,
                report.pass,
                report.op,
                report.message
            );
        }
        out + &print_module(&self.registry, &run.value, &PrintOptions::default())
    }
}

const INPUT: &str = "
t.func @main {
  t.call @helper
  t.group {
    %0 = t.source : i32
    t.use %0 : i32
  }
}
t.func @helper {
  t.group {
    %0 = t.source : i64
    t.use %0 : i64
  }
  t.group {
    t.call @leaf
  }
}
t.func @leaf {
}
";

fn snapshot(name: &str, text: &str) {
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path(root().join("snapshots/pipelines"));
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.bind(|| insta::assert_snapshot!(name, text));
}

#[test]
fn pipeline_text_reads_and_prints() {
    let same = [
        "canonicalize",
        "builtin.module(t.func(canonicalize{max-iterations=3 top-down=false},cse),symbol-dce)",
        "iree-op-pipeline-adaptor(util.func|util.initializer(cse),flow.executable(canonicalize))",
        "iree-util-fixed-point-iterator{max-iterations=10 pipeline=builtin.module(a,b{c=d e=f})}",
        "any(cse)",
    ];
    for text in same {
        let elements = text::parse(text).expect("the text is well formed");
        assert_eq!(text::print(&elements), text);
    }
    let wrong = [
        "a,",
        "a(b",
        "a{b",
        "a b",
        "a{b=(}",
        "a{b=1 b=2}",
        "iree-op-pipeline-adaptor(a b(c))",
        ")",
    ];
    let mut out = String::new();
    for text in wrong {
        let error = text::parse(text).expect_err("the text has a mistake");
        let _ = writeln!(out, "{text}\n  {}: {error}", error.at);
    }
    let deep = "a(".repeat(100_000);
    let error = text::parse(&deep).expect_err("nesting is bounded");
    let _ = writeln!(out, "a( a hundred thousand times\n  {}: {error}", error.at);
    snapshot("pipeline_text_reads_and_prints", &out);
}

#[test]
fn options_read_as_in_dumps_of_iree() {
    let world = World::new();
    let plan = world.plan("canonicalize,cse").expect("the pipeline is fine");
    let texts: Vec<String> = plan.steps().iter().map(|step| step.options.text()).collect();
    let canonicalize = "cse-between-iterations=false    max-iterations=10 max-num-rewrites=-1 \
                        region-simplify=normal test-convergence=false top-down=true";
    assert_eq!(texts, [canonicalize, ""]);
}

#[test]
fn plans_are_checked() {
    let world = World::new();
    let pipelines = [
        "establish,require,require-more",
        "require",
        "establish,require,require-more,require",
        "require,establish",
        "t.func(number,drop-empty)",
        "builtin.module(t.func(builtin.module(number)))",
        "marc",
        "mark{wort=x}",
        "canonicalize{region-simplify=fierce}",
        "canonicalize{max-iterations=many}",
        "loop",
        "iree-op-pipeline-adaptor",
        "two{a=b}",
    ];
    let mut out = String::new();
    for pipeline in pipelines {
        let _ = writeln!(out, "{pipeline}");
        match world.plan(pipeline) {
            Ok(plan) => {
                let _ = writeln!(out, "  fine, {} passes", plan.count);
            }
            Err(errors) => errors.lines().for_each(|line| {
                let _ = writeln!(out, "  {line}");
            }),
        }
    }
    snapshot("plans_are_checked", &out);
}

#[test]
fn every_scope_runs() {
    let world = World::new();
    let pipelines = [
        "builtin.module(split,depth,number,drop-empty)",
        "two,t.func(nothing)",
        "t.func(any(mark{word=inner}))",
        "iree-op-pipeline-adaptor(t.group(mark),t.func(mark-func))",
        "mark,fail,mark",
    ];
    let mut out = String::new();
    for pipeline in pipelines {
        let text = world.run(pipeline, world.module(INPUT), &mut NoInstrument);
        let _ = writeln!(out, "// {pipeline}\n{text}");
    }
    let counted = world.module("t.func @f {} {count = 3}\nt.func @g {} {count = 100}");
    let fixed = "iree-util-fixed-point-iterator{max-iterations=10 pipeline=builtin.module(t.func(count-down))}";
    let _ = writeln!(out, "// {fixed}\n{}", world.run(fixed, counted, &mut NoInstrument));
    snapshot("every_scope_runs", &out);
}

const COUNTED: &str = "t.func @f {} {count = 3}\nt.func @g {} {count = 7}";
const COUNT_DOWN: &str =
    "iree-util-fixed-point-iterator{pipeline=builtin.module(mark-func,t.func(count-down))}";

#[test]
fn phases_give_what_a_whole_run_gives() {
    let world = World::new();
    let marks =
        "builtin.module(mark,split,t.func(mark-func,any(mark{word=inner})),canonicalize,cse)";
    for (pipeline, input) in [(marks, INPUT), (COUNT_DOWN, COUNTED)] {
        let whole = world.run(pipeline, world.module(input), &mut NoInstrument);
        let plan = world.plan(pipeline).expect("the pipeline is fine");
        let module = world.module(input);
        let header = Header::of(&module);
        let mut bodies = module.bodies;
        for phase in &plan.phases {
            let Phase::Local(nodes) = phase else { panic!("the passes see one body each") };
            bodies = bodies
                .into_iter()
                .flat_map(|body| run_local(world.env(), nodes, &header, body).value)
                .collect();
        }
        assert_eq!(plan.phases.len(), 1);
        let cut = Module { bodies, ..Module::default() };
        assert_eq!(print_module(&world.registry, &cut, &PrintOptions::default()), whole);
    }
}

/// What is said of the module after each pass on it.
struct Headers(String);

impl Instrument for Headers {
    fn after(&mut self, pass: &PassInfo, target: Target<'_>, _: PassResult) {
        if let Target::Module(module) = target {
            let _ = writeln!(self.0, "{}: {}", pass.argument, module.attrs);
        }
    }
}

#[test]
fn a_fixed_point_counts_its_rounds() {
    let world = World::new();
    let mut headers = Headers(String::new());
    let input = world.module("t.func @f {} {count = 1}");
    let pipeline =
        "iree-util-fixed-point-iterator{pipeline=builtin.module(mark-func,count-down,nothing)}";
    let text = world.run(pipeline, input, &mut headers);
    snapshot("a_fixed_point_counts_its_rounds", &format!("{}{text}", headers.0));
}

#[test]
fn until_stops_after_a_pass() {
    let world = World::new();
    let plan = world.plan("builtin.module(mark,t.func(mark-func),split)").expect("it is fine");
    let mut out = String::new();
    for until in 0..plan.count {
        let env = Env { until: Some(until), ..world.env() };
        let run =
            run_pipeline(env, &plan, world.module("t.func @f { t.group { } }"), &mut NoInstrument);
        let text = print_module(&world.registry, &run.value, &PrintOptions::default());
        let _ = writeln!(out, "// until {until}\n{text}");
    }
    snapshot("until_stops_after_a_pass", &out);
}

#[test]
fn dumps_follow_changes() {
    let world = World::new();
    let folder = std::env::temp_dir().join(format!("tegula-dumps-{}", std::process::id()));
    let pipeline = "builtin.module(nothing,mark,t.func(nothing,mark-func,any(mark{word=inner})),\
                    iree-op-pipeline-adaptor(t.func(mark,number)),whole,quiet,split)";
    let moments = Moments { after: true, after_change: true, before: false };
    let mut tree = DumpTree::new(&folder, &world.registry, PrintOptions::default(), moments);
    world.run(pipeline, world.module(INPUT), &mut tree);
    assert!(tree.errors().is_empty());
    let mut files = Vec::new();
    let mut open = vec![folder.clone()];
    while let Some(at) = open.pop() {
        for entry in std::fs::read_dir(&at).expect("the folder exists") {
            let path = entry.expect("the folder can be listed").path();
            if path.is_dir() { open.push(path) } else { files.push(path) }
        }
    }
    files.sort();
    let mut out = String::new();
    for file in files {
        let text = std::fs::read_to_string(&file).expect("the file was written");
        let shown = file.strip_prefix(&folder).expect("the file lies in the folder");
        let _ = writeln!(out, "{}\n  {}", shown.display(), text.lines().next().unwrap_or_default());
    }
    std::fs::remove_dir_all(&folder).expect("the folder can be removed");
    snapshot("dumps_follow_changes", &out);
}
