//! The interpreter and the greedy driver on tables made by hand.

mod common;

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::path::Path;

use common::{Builder, create, operand, pattern, registry, text};
use tegula_ir::{Attr, Body, InsertPoint, NewOp, OpId, Type, ValueId};
use tegula_rewrite::{
    GreedyConfig, GreedyResult, IrMapping, Listener, Patterns, RewriteHooks, Rewriter, greedy,
};
use tegula_schema::{Arithmetic, Inst, PatternDef, PatternKind, Pred};

fn snapshot(name: &str, text: &str) {
    let mut settings = insta::Settings::clone_current();
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    settings.set_snapshot_path(here.join("../../snapshots/compiler/rewrite"));
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.bind(|| insta::assert_snapshot!(name, text));
}

fn run(patterns: Vec<PatternDef>, body: &mut Body, func: OpId) -> (String, GreedyResult) {
    let registry = registry(patterns);
    let patterns = Patterns::new(&registry, RewriteHooks::new());
    assert_eq!(patterns.errors(), &[]);
    let index = patterns.select(&["canonicalize"]);
    let result = greedy(&registry, &patterns, &index, body, func, GreedyConfig::default());
    let result = result.expect("no program fails after its commit");
    (text(&registry, body), result)
}

/// `a - b` → `a + -b`
fn sub_to_add() -> PatternDef {
    let code = vec![
        operand(0, 0, 1),
        operand(0, 1, 2),
        Inst::TypeOf { from: 1, into: 3 },
        Inst::Commit,
        create("t.neg", vec![2], 3, 4),
        create("t.add", vec![1, 4], 3, 5),
        Inst::Replace { op: 0, with: vec![5].into() },
    ];
    pattern("SubToAdd", "t.sub", 6, code)
}

/// `a + 0` → `a`, on either side: a failure after the first choice tries the second.
fn add_zero() -> PatternDef {
    let zero = |reg| Inst::Check { reg, pred: Pred::IntRange(0, 0), what: Cow::Borrowed("0") };
    let code = vec![
        Inst::Choice { otherwise: 6 },
        operand(0, 0, 1),
        operand(0, 1, 2),
        Inst::Constant { value: 2, into: 3 },
        zero(3),
        Inst::Jump { to: 10 },
        operand(0, 1, 1),
        operand(0, 0, 2),
        Inst::Constant { value: 2, into: 3 },
        zero(3),
        Inst::Commit,
        Inst::Replace { op: 0, with: vec![1].into() },
    ];
    pattern("AddZero", "t.add", 4, code)
}

/// `-(-a)` → `a`
fn neg_neg() -> PatternDef {
    let code = vec![
        operand(0, 0, 1),
        Inst::Def { value: 1, name: Cow::Borrowed("t.neg"), into: 2 },
        operand(2, 0, 3),
        Inst::Commit,
        Inst::Replace { op: 0, with: vec![3].into() },
    ];
    pattern("NegNeg", "t.neg", 4, code)
}

fn sample() -> Builder {
    let mut b = Builder::new();
    let x = b.value("t.source", &[]);
    let zero = b.constant(0);
    let sum = b.value("t.add", &[zero, x]);
    let other_zero = b.constant(0);
    let difference = b.value("t.sub", &[sum, other_zero]);
    let dead = b.value("t.neg", &[difference]);
    b.value("t.neg", &[dead]);
    let negated = b.value("t.neg", &[x]);
    let again = b.value("t.neg", &[negated]);
    let both = b.value("t.sub", &[again, negated]);
    b.end("t.use", &[difference, both, both], &[]);
    b.end("t.return", &[], &[]);
    b
}

#[test]
fn rewrites_until_nothing_applies() {
    let mut b = sample();
    let (text, result) = run(vec![sub_to_add(), add_zero(), neg_neg()], &mut b.body, b.func);
    assert!(result.changed && result.converged);
    let applied: Vec<String> =
        result.applied.iter().map(|a| format!("{} on {}\n", a.pattern.name(), a.op)).collect();
    snapshot("rewrites_until_nothing_applies", &(applied.concat() + &text));
}

#[test]
fn nothing_to_do_changes_nothing() {
    let mut b = Builder::new();
    let x = b.value("t.source", &[]);
    b.end("t.use", &[x], &[]);
    b.end("t.return", &[], &[]);
    let before = b.body.freeze();
    let (_, result) = run(vec![sub_to_add(), add_zero(), neg_neg()], &mut b.body, b.func);
    assert!(!result.changed && result.converged);
    assert_eq!(b.body.freeze(), before);
}

/// A body with the same text as another one but with another history: ids out of order, erased
/// entries, uses in another order.
fn with_another_history(body: &Body, func: OpId) -> (Body, OpId) {
    let registry = registry(Vec::new());
    let mut body = body.clone();
    let block = body.region_entry(func, 0).expect("the function has a block");
    let ops: Vec<OpId> = body.block_ops(block).collect();
    for &op in ops.iter().rev() {
        if body.num_results(op) == 0 {
            continue;
        }
        let mut rw = Rewriter::new(&mut body, &registry);
        let copy = rw.clone_op(op, InsertPoint::Before(op), &mut IrMapping::new());
        let values: Vec<ValueId> = rw.body.results(copy).collect();
        rw.replace(op, &values);
    }
    (body, func)
}

#[test]
fn history_does_not_matter() {
    let b = sample();
    let (mut scrambled, func) = with_another_history(&b.body, b.func);
    assert_eq!(scrambled.freeze(), b.body.freeze());
    let patterns = || vec![sub_to_add(), add_zero(), neg_neg()];
    let mut thawed = scrambled.freeze().thaw();
    let thawed_func = thawed.root().expect("the body has a root");
    let (one, first) = run(patterns(), &mut scrambled, func);
    let (other, second) = run(patterns(), &mut thawed, thawed_func);
    assert_eq!(one, other);
    let told = |result: &GreedyResult| -> Vec<String> {
        result.applied.iter().map(|a| format!("{a} on {} at {:?}", a.op, a.loc)).collect()
    };
    assert_eq!(told(&first), told(&second));
    assert_eq!(scrambled.freeze(), thawed.freeze());
}

#[test]
fn patterns_that_undo_each_other_end() {
    let code = |to| {
        vec![
            operand(0, 0, 1),
            operand(0, 1, 2),
            Inst::TypeOf { from: 1, into: 3 },
            Inst::Commit,
            create(to, vec![1, 2], 3, 4),
            Inst::Replace { op: 0, with: vec![4].into() },
        ]
    };
    let patterns = vec![
        pattern("AddToSub", "t.add", 5, code("t.sub")),
        pattern("SubToAdd", "t.sub", 5, code("t.add")),
    ];
    let mut b = Builder::new();
    let x = b.value("t.source", &[]);
    let sum = b.value("t.add", &[x, x]);
    b.end("t.use", &[sum], &[]);
    let (_, result) = run(patterns, &mut b.body, b.func);
    assert!(result.changed && !result.converged);
    assert_eq!(unsettled(&result), ["AddToSub", "SubToAdd"]);
}

/// The names of the patterns that there is no end of.
fn unsettled(result: &GreedyResult) -> Vec<&str> {
    let last = &result.applied[result.unsettled.clone()];
    let names: BTreeSet<&str> = last.iter().map(|one| one.pattern.name()).collect();
    names.into_iter().collect()
}

#[test]
fn patterns_that_undo_each_other_iteration_by_iteration_are_all_named() {
    // A use is looked at once in an iteration: what it depends on is changed, not the use itself.
    let code = |marked| {
        vec![
            operand(0, 0, 1),
            Inst::Def { value: 1, name: Cow::Borrowed("t.source"), into: 2 },
            Inst::Attr {
                op: 2,
                name: Cow::Borrowed("mark"),
                optional: true,
                default: None,
                into: 3,
            },
            Inst::Present { reg: 3, present: marked },
            if marked {
                Inst::Absent { into: 4 }
            } else {
                Inst::Literal { text: Cow::Borrowed("1 : i32"), into: 4 }
            },
            Inst::Commit,
            Inst::SetAttr { op: 2, name: Cow::Borrowed("mark"), value: 4 },
        ]
    };
    let patterns =
        vec![pattern("Mark", "t.use", 5, code(false)), pattern("Unmark", "t.use", 5, code(true))];
    let mut b = Builder::new();
    for _ in 0..20 {
        let x = b.value("t.source", &[]);
        b.end("t.use", &[x], &[]);
    }
    let (_, result) = run(patterns, &mut b.body, b.func);
    assert!(!result.converged);
    assert_eq!(unsettled(&result), ["Mark", "Unmark"]);
    let mut last = result.applied.iter().rev().take(20);
    assert!(last.all(|one| one.pattern.name() == "Unmark"), "an iteration has one of them");
}

#[test]
fn the_better_pattern_goes_first() {
    let to = |name: &'static str, value: i32, benefit: u32| {
        let code = vec![
            Inst::Literal { text: Cow::Owned(format!("{value} : i32")), into: 1 },
            Inst::Commit,
            Inst::SetAttr { op: 0, name: Cow::Borrowed("by"), value: 1 },
        ];
        PatternDef { benefit, ..pattern(name, "t.source", 2, code) }
    };
    let mut b = Builder::new();
    let x = b.value("t.source", &[]);
    b.end("t.use", &[x], &[]);
    let registry = registry(vec![to("Low", 1, 1), to("High", 2, 5), to("AlsoHigh", 3, 5)]);
    let patterns = Patterns::new(&registry, RewriteHooks::new());
    let index = patterns.select(&["canonicalize"]);
    let config = GreedyConfig { max_rewrites: 1, ..GreedyConfig::default() };
    let result = greedy(&registry, &patterns, &index, &mut b.body, b.func, config);
    assert_eq!(result.expect("the programs are fine").applied[0].pattern.name(), "High");
}

#[test]
fn constants_that_fold_further_leave_room_for_the_next() {
    let code = vec![
        operand(0, 0, 1),
        Inst::Constant { value: 1, into: 2 },
        operand(0, 1, 3),
        Inst::Constant { value: 3, into: 4 },
        Inst::Commit,
        Inst::Arith { how: Arithmetic::Add, a: 2, b: 4, into: 5 },
        Inst::Fold { with: vec![5].into() },
    ];
    let fold = PatternDef { kind: PatternKind::Fold, ..pattern("Sum", "t.add", 6, code) };
    let mut b = Builder::new();
    let one = b.constant(1);
    let sum = (0..50).fold(one, |sum, _| b.value("t.add", &[sum, one]));
    let used = b.end("t.use", &[sum], &[]);
    let known: Vec<OpId> = b.body.walk(b.func).collect();
    let (text, result) = run(vec![fold], &mut b.body, b.func);
    assert!(result.changed && result.converged);
    assert!(text.contains("value = 51 : i32"), "{text}");
    // Whoever knows an op from before can still ask what became of it.
    let stays = |op: &&OpId| !b.body.is_erased(**op);
    assert_eq!(known.iter().filter(stays).collect::<Vec<_>>(), [&b.func, &used]);
    assert!(b.body.bounds().0 <= known.len() + 2, "an op took a place of its own");
}

#[test]
fn wrong_programs_are_found_when_they_are_linked() {
    let programs = [
        ("NoCommit", vec![operand(0, 0, 1)]),
        ("NoRegister", vec![operand(0, 0, 9), Inst::Commit]),
        ("Backwards", vec![Inst::Commit, Inst::Jump { to: 0 }]),
        ("NoHook", vec![Inst::Rewrite { hook: Cow::Borrowed("missing") }]),
        ("NoType", vec![Inst::TypeLiteral { text: Cow::Borrowed("i"), into: 1 }, Inst::Commit]),
    ];
    let programs = programs.map(|(name, code)| pattern(name, "t.add", 2, code));
    let registry = registry(programs.to_vec());
    let patterns = Patterns::new(&registry, RewriteHooks::new());
    let out: Vec<String> =
        patterns.errors().iter().map(|e| format!("{}: {}\n", e.what, e.message)).collect();
    snapshot("wrong_programs_are_found_when_they_are_linked", &out.concat());
}

#[test]
fn a_failure_after_the_commit_is_an_error() {
    let code = vec![Inst::Commit, Inst::Replace { op: 0, with: Cow::Borrowed(&[]) }];
    let registry = registry(vec![pattern("Broken", "t.source", 1, code)]);
    let patterns = Patterns::new(&registry, RewriteHooks::new());
    let index = patterns.select(&["canonicalize"]);
    let mut b = Builder::new();
    let x = b.value("t.source", &[]);
    b.end("t.use", &[x], &[]);
    let result = greedy(&registry, &patterns, &index, &mut b.body, b.func, GreedyConfig::default());
    assert_eq!(result.expect_err("the program is broken").what, "the pattern `Broken`");
}

#[test]
fn dead_cycles_and_unreachable_blocks_go() {
    let mut b = Builder::new();
    let x = b.value("t.source", &[]);
    let looped = b.add_block(2);
    let unreachable = b.add_block(1);
    b.end("t.br", &[x, x], &[looped]);
    b.block = looped;
    let args = b.body.block_args(looped).to_vec();
    let dead = b.value("t.neg", &[args[0]]);
    b.end("t.use", &[args[1]], &[]);
    b.end("t.br", &[dead, args[1]], &[looped]);
    b.block = unreachable;
    let arg = b.body.block_args(unreachable)[0];
    b.end("t.br", &[arg], &[unreachable]);
    let (text, result) = run(Vec::new(), &mut b.body, b.func);
    assert!(result.changed);
    snapshot("dead_cycles_and_unreachable_blocks_go", &text);
}

/// Writes down what it hears.
#[derive(Default)]
struct Log(Vec<String>);

impl Listener for Log {
    fn op_inserted(&mut self, body: &Body, op: OpId) {
        self.0.push(format!("inserted {}\n", body.name(op)));
    }

    fn op_modified(&mut self, body: &Body, op: OpId) {
        self.0.push(format!("modified {}\n", body.name(op)));
    }

    fn op_replaced(&mut self, body: &Body, op: OpId, values: &[ValueId]) {
        self.0.push(format!("replaced {} by {} values\n", body.name(op), values.len()));
    }

    fn op_erased(&mut self, body: &Body, op: OpId) {
        self.0.push(format!("erased {}\n", body.name(op)));
    }
}

#[test]
fn a_listener_hears_of_every_edit() {
    let registry = registry(Vec::new());
    let mut b = Builder::new();
    let x = b.value("t.source", &[]);
    let sum = b.value("t.add", &[x, x]);
    let user = b.end("t.use", &[sum], &[]);
    let mut log = Log::default();
    let mut rw = Rewriter::with_listener(&mut b.body, &registry, &mut log);
    let add = rw.body.defining_op(sum).expect("an op defines the sum");
    rw.set_insertion_point(InsertPoint::Before(add));
    let neg = rw.create_value(NewOp::new("t.neg").operand(x).result(Type::int(32)));
    rw.replace(add, &[neg]);
    rw.set_attr(user, "note", Attr::unit());
    rw.set_attr(user, "note", Attr::unit());
    let source = rw.body.defining_op(x).expect("an op defines the source");
    rw.clone_op(source, InsertPoint::After(source), &mut IrMapping::new());
    // The point stood before the op that is gone; it moved to the one behind it.
    assert_eq!(rw.insertion_point(), Some(InsertPoint::Before(user)));
    snapshot("a_listener_hears_of_every_edit", &(log.0.concat() + &text(&registry, &b.body)));
}
