//! What a newcomer does: the examples of `docs/new-dialect.md` through the program, and the mistakes
//! that are made on the way.

use std::fmt::Write as _;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

/// An example as it stands in the repository.
fn fixture(name: &str) -> String {
    fs::read_to_string(root().join("tests/fixtures/live").join(name)).expect("the fixture exists")
}

/// The first example.
fn example() -> String {
    fixture("mine.td")
}

/// The pipeline and the module in the comment of an example.
fn comment(text: &str) -> (String, String) {
    let comment = text.split_once("/*").and_then(|(_, rest)| rest.split_once("*/"));
    let (comment, _) = comment.expect("a comment");
    let (pipeline, module) = comment.trim_start().split_once('\n').expect("a pipeline");
    (pipeline.trim().to_owned(), module.to_owned())
}

/// A folder of its own for a test, so that messages name files by themselves.
fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("newcomer").join(name);
    fs::create_dir_all(&folder).expect("a folder for the test");
    folder
}

/// What the program says, and whether it succeeded.
fn tegula(folder: &Path, args: &[&str], input: &str) -> (bool, String) {
    let mut child = Command::new(env!("CARGO_BIN_EXE_tegula"))
        .args(args)
        .arg("-I")
        .arg(root().join("dialects"))
        .current_dir(folder)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    // A program that stops before it reads its input closes the pipe.
    let _ = child.stdin.take().expect("a pipe").write_all(input.as_bytes());
    let output = child.wait_with_output().expect("the program ends");
    let text = [output.stderr, output.stdout].concat();
    let text = String::from_utf8(text).expect("UTF-8 text");
    let root = format!("{}/", root().display());
    (output.status.success(), text.replace(&root, ""))
}

fn snapshot(name: &str, text: &str) {
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path(root().join("snapshots/newcomer"));
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.bind(|| insta::assert_snapshot!(name, text));
}

/// The blocks of a language in a page.
fn blocks(page: &str, language: &str) -> Vec<String> {
    let mut blocks = Vec::new();
    let mut lines = page.lines();
    while lines.by_ref().any(|line| line == format!("```{language}")) {
        let block = lines.by_ref().take_while(|line| *line != "```");
        blocks.push(block.map(|line| format!("{line}\n")).collect());
    }
    blocks
}

#[test]
fn the_page_and_the_fixture_are_the_same() {
    let page = fs::read_to_string(root().join("docs/new-dialect.md")).expect("the page exists");
    let mut blocks = blocks(&page, "tablegen");
    assert_eq!(blocks.pop(), Some(fixture("cell.td")));
    assert_eq!(blocks.join("\n"), example());
}

/// The commands of the page, on the module in the example's comment.
#[test]
fn the_example_runs_live() {
    let folder = folder("live");
    let text = example();
    fs::write(folder.join("mine.td"), &text).expect("the file can be written");
    let (pipeline, module) = comment(&text);
    let pipeline = format!("--pass-pipeline={pipeline}");
    let (fine, text) = tegula(&folder, &["opt", "--dialect=mine.td", &pipeline], &module);
    assert!(fine, "{text}");
    snapshot("opt", &text);
    let (fine, text) = tegula(&folder, &["doc", "mine", "--dialect=mine.td"], "");
    assert!(fine, "{text}");
    snapshot("doc", &text);
}

/// A conversion of less than 40 lines, and what is said of a pattern that does not apply.
#[test]
fn the_conversion_runs_live() {
    let folder = folder("conversion");
    let text = fixture("cell.td");
    let (pass, module) = comment(&text);
    let definitions = text.lines().take_while(|line| !line.starts_with("/*"));
    assert!(definitions.filter(|line| !line.is_empty()).count() < 40);
    fs::write(folder.join("in.mlir"), &module).expect("the file can be written");
    let run = |add: &str, more: &[&str]| {
        let text = text.replace("(Cell_AddOp $cell, $value)", add);
        fs::write(folder.join("cell.td"), &text).expect("the file can be written");
        tegula(&folder, &[&["opt", "--dialect=cell.td"], more].concat(), "")
    };
    let (pass, right) = (format!("--pass={pass}"), "(Cell_AddOp $cell, $value)");
    let (fine, text) = run(right, &[&pass, "in.mlir"]);
    assert!(fine, "{text}");
    snapshot("conversion", &text);
    let (fine, text) = tegula(&folder, &["doc", "cell", "--dialect=cell.td"], "");
    assert!(fine, "{text}");
    snapshot("conversion_doc", &text);
    let wrong = "(Cell_AddOp $cell, (ConstantLike ?):$value)";
    let (fine, text) = run(wrong, &[&pass, "in.mlir"]);
    assert!(!fine, "{text}");
    let (_, why) = run(wrong, &["--explain=Add", "in.mlir:3"]);
    snapshot("conversion_wrong", &format!("{text}\n{why}"));
}

/// Changes of the example: what is replaced, and what stands there then.
const MISTAKES: &[(&str, &str, &str)] = &[
    ("a class is misspelt", ": Op<Mine", ": Opp<Mine"),
    ("a semicolon is missing", "$result);", "$result)"),
    ("a brace is missing", "attr-dict `:` type($result)\";\n}", "attr-dict `:` type($result)\";"),
    ("a trait is unknown", "Commutative", "Comutative"),
    ("a constraint is misspelt", "AnySignlessInteger:$lhs", "AnySignlesInteger:$lhs"),
    ("a constraint is MLIR's text", "AnySignlessInteger:$lhs", "i32:$lhs"),
    ("a trait stands for a constraint", "AnySignlessInteger:$lhs", "Pure:$lhs"),
    ("an operand has no name", "AnySignlessInteger:$lhs", "AnySignlessInteger"),
    ("a field is misspelt", "let results", "let result"),
    ("the format names an unknown operand", "$rhs attr-dict", "$rsh attr-dict"),
    ("the format forgets the attributes", " attr-dict", ""),
    ("a literal is not quoted", "attr-dict `:`", "attr-dict :"),
    ("a pattern uses an unbound name", "(fold $x)", "(fold $a)"),
    ("a pattern names an unknown op", "Arith_ExtSIOp", "Arith_ExtSOp"),
    ("a pattern has too few operands", "(Mine_MaxOp $x, $y)", "(Mine_MaxOp $x)"),
    ("a fold names too many values", "(fold $x)", "(fold $x, $x)"),
    ("a fold replaces", "(fold $x)", "(replace $x)"),
    (
        "an op is defined twice",
        "// max(x, x)",
        "def Max2 : Op<Mine_Dialect, \"max\">;\n// max(x, x)",
    ),
    ("the mnemonic holds the dialect's name", "\"max\"", "\"mine.max\""),
    ("an include is misspelt", "tegula/OpBase.td", "tegula/OpsBase.td"),
    ("a dialect's file is misspelt", "arith/arith.td", "arith/arit.td"),
    ("files include each other", "// max(x, x)", "include \"other.td\"\n// max(x, x)"),
    ("a hook has no Rust", "let summary", "let hasVerifier = 1;\n  let summary"),
];

/// Each mistake is told at its place, and what only follows from it is not.
#[test]
fn mistakes_are_told_at_their_place() {
    let folder = folder("mistakes");
    fs::write(folder.join("other.td"), "include \"mine.td\"\n").expect("the file can be written");
    let mut out = String::new();
    for (what, from, to) in MISTAKES {
        let text = example();
        assert!(text.contains(from), "{what}: the example does not hold {from}");
        fs::write(folder.join("mine.td"), text.replacen(from, to, 1))
            .expect("the file can be written");
        let (_, said) = tegula(&folder, &["opt", "--dialect=mine.td"], "");
        assert!(
            said.contains("mine.td:") || said.contains("other.td:"),
            "{what}: no place in {said}"
        );
        let _ = writeln!(out, "# {what}\n\n{}\n", said.trim_end());
    }
    snapshot("mistakes", &out);
}

/// A changed definition of a built-in op goes without its hooks; the others keep theirs.
#[test]
fn hooks_of_changed_definitions_are_disabled() {
    let folder = folder("hooks");
    let text = fs::read_to_string(root().join("dialects/ub/ub.td")).expect("the file exists");
    let (from, to) =
        ("let folder = \"poison\";", "let folder = \"poison\"; let verifier = \"none\";");
    assert!(text.contains(from));
    fs::write(folder.join("ub.td"), text.replace(from, to)).expect("the file can be written");
    let module = "%0 = ub.poison : i32\n";
    let (fine, text) = tegula(&folder, &["opt", "--dialect=ub.td"], module);
    assert!(fine, "{text}");
    snapshot("hooks", &text);
}
