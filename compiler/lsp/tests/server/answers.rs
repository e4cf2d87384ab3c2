//! What an editor shows of `.mlir` and `.td` files.

use std::path::{Path, PathBuf};

use crate::support::{Client, at};
use serde_json::{Value, json};

const URI: &str = "file:///w/mm.mlir";

/// Of another shape than any example.
const MATMUL: &str = "\
func.func @mm(%A: tensor<5x7xf32>, %B: tensor<7x3xf32>, %C: tensor<5x3xf32>) -> tensor<5x3xf32> {
  %0 = linalg.matmul ins(%A, %B : tensor<5x7xf32>, tensor<7x3xf32>) outs(%C : tensor<5x3xf32>) -> tensor<5x3xf32>
  return %0 : tensor<5x3xf32>
}

func.func @id(%x: tensor<2xf32>) -> tensor<2xf32> {
  return %x : tensor<2xf32>
}
";

/// A field and a class that do not exist.
const MISTAKES: &str = "\
include \"tegula/OpBase.td\"
def Oops_Dialect : Dialect { let name = \"oops\"; }
def Oops_OneOp : Op<Oops_Dialect, \"one\"> { let argumets = (ins I32:$x); }
def Oops_Like : AttrConstrain<Oops_Dialect>;
";

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Compares with `snapshots/compiler/lsp/<name>.snap`.
fn check(name: &str, value: &Value) {
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path(root().join("snapshots/compiler/lsp"));
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    let text = serde_json::to_string_pretty(value).expect("JSON");
    settings.bind(|| insta::assert_snapshot!(name, text));
}

fn capable() -> Client {
    let capabilities = json!({
        "textDocument": {
            "documentSymbol": { "hierarchicalDocumentSymbolSupport": true },
            "publishDiagnostics": { "relatedInformation": true },
        },
        "workspace": {
            "workspaceEdit": { "documentChanges": true },
            "textDocumentContent": {},
        },
    });
    Client::new(capabilities).0
}

#[test]
fn an_error_and_its_mending() {
    let mut client = capable();
    client.open(URI, "mlir", MATMUL);
    assert_eq!(client.errors(URI, 1), Vec::<Value>::new());
    // `return %0` becomes `return %1`, which is not defined.
    client.change(URI, 2, (2, 10), (2, 11), "1");
    let found = client.diagnostics(URI, 2);
    check("undefined_value", &json!(found));
    client.change(URI, 3, (2, 10), (2, 11), "0");
    assert_eq!(client.errors(URI, 3), Vec::<Value>::new());
}

#[test]
fn several_changes_at_once() {
    let mut client = capable();
    client.open(URI, "mlir", MATMUL);
    client.change(URI, 2, (1, 7), (1, 20), "linalg.mat");
    client.change(URI, 3, (1, 17), (1, 17), "mul (");
    let params = json!({ "textDocument": { "uri": URI } });
    let outline = client.ask("textDocument/documentSymbol", params).expect("an outline");
    assert_eq!(outline.as_array().map(Vec::len), Some(2), "a broken function does not hide others");
    assert!(!client.diagnostics(URI, 3).is_empty());
    client.change(URI, 4, (1, 20), (1, 22), "");
    assert_eq!(client.errors(URI, 4), Vec::<Value>::new());
}

#[test]
fn hover_and_outline() {
    let mut client = capable();
    client.open(URI, "mlir", MATMUL);
    let hover = client.hover(URI, (1, 10));
    let text = hover["contents"]["value"].as_str().expect("Markdown");
    assert!(text.starts_with("**`linalg.matmul`**"), "{text}");
    assert!(text.contains("tensor<5x3xf32>"), "{text}");
    let params = json!({ "textDocument": { "uri": URI } });
    check("outline", &client.ask("textDocument/documentSymbol", params).expect("an outline"));
}

#[test]
fn virtual_documents() {
    let mut client = capable();
    client.open(URI, "mlir", MATMUL);
    let mut text = |document: &str| {
        let asked = json!({ "uri": URI, "document": document });
        let made = client.ask("tegula/document", asked)?;
        let name = document.replace('#', "%23");
        let content = json!({ "uri": format!("tegula:/{name}?{URI}") });
        assert_eq!(client.ask("workspace/textDocumentContent", content)?, made);
        Ok::<_, i32>(made["text"].as_str().expect("text").to_owned())
    };
    let assembly = text("assembly-of/mm").expect("assembly text");
    assert!(assembly.contains("fmla") && assembly.contains("mm:"), "{assembly}");
    let first = text("ir-after/canonicalize#0").expect("IR");
    let last = text("ir-after/canonicalize").expect("IR");
    assert!(first.contains("@mm") && first.contains("@id"), "{first}");
    assert_ne!(first, last);
    assert_eq!(text("ir-after/canonicalise"), Err(-32803));
    assert_eq!(text("assembly-of/nn"), Err(-32803));
    assert_eq!(text("colour-of/mm"), Err(-32602));
    assert_eq!(
        client.ask("workspace/textDocumentContent", json!({ "uri": "tegula:/x" })),
        Err(-32602)
    );
    // Every name of the list is one that can be asked for.
    let list = client.ask("tegula/documents", json!({ "uri": URI })).expect("a list");
    let names: Vec<&str> =
        (list.as_array().into_iter().flatten()).filter_map(Value::as_str).collect();
    for wanted in ["ir-after/canonicalize#0", "assembly-of/mm", "assembly-of/id"] {
        assert!(names.contains(&wanted), "{names:?}");
    }
    for name in names.iter().filter(|name| name.starts_with("ir-after/")) {
        let asked = json!({ "uri": URI, "document": name });
        let made = client.ask("tegula/document", asked).expect("a text");
        assert!(made["text"].as_str().is_some_and(|text| !text.is_empty()), "{name}");
    }
    // What is shown is made anew when its source has changed.
    client.diagnostics(URI, 1);
    client.change(URI, 2, (5, 11), (5, 13), "same");
    client.diagnostics(URI, 2);
    let told = client.told("workspace/textDocumentContent/refresh");
    assert!(told["uri"].as_str().is_some_and(|uri| uri.starts_with("tegula:/")), "{told}");
}

#[test]
fn mistakes_in_definitions() {
    let uri = "file:///w/mistakes.td";
    let mut client = capable();
    client.open(uri, "tablegen", MISTAKES);
    let found = client.diagnostics(uri, 1);
    check("mistakes", &json!(found));
    assert_eq!(found.len(), 2, "{found:?}");
    let fixable = found.iter().find(|d| !d["data"].is_null()).expect("a finding with a fix");
    let params = json!({
        "textDocument": { "uri": uri },
        "range": fixable["range"],
        "context": { "diagnostics": [fixable] },
    });
    let actions = client.ask("textDocument/codeAction", params).expect("actions");
    let edit = &actions[0]["edit"]["documentChanges"][0];
    assert_eq!(edit["textDocument"]["version"], 1);
    assert_eq!(edit["edits"][0]["newText"], fixable["data"]["newText"]);
    // What the fix gives is no longer wrong there.
    client.tell(
        "textDocument/didChange",
        json!({
            "textDocument": { "uri": uri, "version": 2 },
            "contentChanges": [{
                "range": edit["edits"][0]["range"],
                "text": edit["edits"][0]["newText"],
            }],
        }),
    );
    let left = client.diagnostics(uri, 2);
    assert!(left.len() < found.len(), "{left:?}");
    let elsewhere = json!({
        "textDocument": { "uri": uri },
        "range": { "start": at((0, 0)), "end": at((0, 0)) },
        "context": { "diagnostics": [] },
    });
    assert_eq!(client.ask("textDocument/codeAction", elsewhere), Ok(json!([])));
}

#[test]
fn a_part_is_read_through_the_whole() {
    let folder = root().join("dialects/arith").canonicalize().expect("a dialect");
    let read = |name: &str| std::fs::read_to_string(folder.join(name)).expect("a file");
    let uri = |name: &str| format!("file://{}/{name}", folder.display());
    let (other, part) = (uri("integer.td"), uri("patterns.td"));
    let includes = json!({ "includes": [root().join("dialects")] });
    let (mut client, _) = Client::with_options(json!({}), includes);
    client.open(&part, "tablegen", &read("patterns.td"));
    assert_eq!(client.diagnostics(&part, 1), Vec::<Value>::new());
    // Both are read through arith.td, with the unsaved text of the one.
    let text = read("integer.td").replace("def Arith_AddIOp", "def Arith_PlusIOp");
    client.open(&other, "tablegen", &text);
    let found = client.diagnostics(&part, 1);
    assert!(json!(found).to_string().contains("Arith_AddIOp"), "{found:?}");
}

/// A program that does not compile has no assembly text; the answer says what fails.
#[test]
fn assembly_of_a_failing_program() {
    let mut client = capable();
    // Rows of unknown number.
    let text = format!(
        "{MATMUL}{}",
        MATMUL.replace("@id", "@id2").replace("5x7", "?x7").replace("@mm", "@bad")
    );
    client.open(URI, "mlir", &text);
    let found = client.errors(URI, 1);
    assert!(!found.is_empty());
    let mut refused = |name: &str| {
        let asked = json!({ "uri": URI, "document": format!("assembly-of/{name}") });
        client.refused("tegula/document", asked)
    };
    // What is wrong in the function itself comes first.
    let own = refused("bad");
    assert!(own.contains("does not compile: 10:"), "{own}");
    for name in ["mm", "id"] {
        let why = refused(name);
        assert!(why.contains("the program does not compile: 10:"), "{name}: {why}");
    }
    assert!(refused("badd").ends_with("did you mean `bad`?"));
    client.change(URI, 2, (9, 2), (9, 4), "%1");
    client.diagnostics(URI, 2);
    let asked = json!({ "uri": URI, "document": "assembly-of/mm" });
    let why = client.refused("tegula/document", asked);
    assert!(why.contains("%0"), "what is wrong with the text: {why}");
}

/// A dialect's file, open in the editor, and a program that uses it.
#[test]
fn a_dialect_under_edit() {
    let folder = std::env::temp_dir().join(format!("tegula-lsp-{}", std::process::id()));
    std::fs::create_dir_all(folder.join("parts")).expect("a folder");
    let write = |name: &str, text: &str| std::fs::write(folder.join(name), text).expect("a file");
    let part = "def Toy_OneOp : Op<Toy_Dialect, \"one\"> { let results = (outs I32:$r); let assemblyFormat = \"attr-dict\"; }\n";
    let whole = "include \"tegula/OpBase.td\"\ndef Toy_Dialect : Dialect { let name = \"toy\"; }\ninclude \"ops.td\"\n";
    write("toy.td", whole);
    write("parts/ops.td", part);
    let options = tegula_ide::Options {
        include: vec![folder.join("parts")],
        dialects: vec![folder.join("toy.td")],
        cpu: None,
    };
    let mut client = Client::with(options);
    client.ask("initialize", json!({ "capabilities": {} })).expect("an answer");
    client.tell("initialized", json!({}));
    let mlir = format!("file://{}/a.mlir", folder.display());
    let td = format!("file://{}/parts/ops.td", folder.display());
    client.open(&mlir, "mlir", "func.func private @f() {\n  %0 = toy.one\n  return\n}\n");
    let unknown = |found: &[Value]| json!(found).to_string().contains("has no op `toy.one`");
    client.errors_until(&mlir, <[Value]>::is_empty);
    client.open(&td, "tablegen", part);
    client.change(&td, 2, (0, 33), (0, 36), "two");
    client.errors_until(&mlir, unknown);
    // With errors in it, what it said before stays in force, and they are told.
    client.change(&td, 3, (0, 33), (0, 36), "one\", , \"");
    assert!(client.told("window/logMessage")["message"].to_string().contains("ops.td:1:"));
    client.change(&td, 4, (0, 33), (0, 42), "one");
    client.errors_until(&mlir, <[Value]>::is_empty);
    // Closed, it is again what is on disk.
    client.change(&td, 5, (0, 33), (0, 36), "two");
    client.errors_until(&mlir, unknown);
    client.tell("textDocument/didClose", json!({ "textDocument": { "uri": td } }));
    client.errors_until(&mlir, <[Value]>::is_empty);
    std::fs::remove_dir_all(&folder).expect("the folder");
}

#[test]
fn a_text_is_laid_out() {
    let mut client = capable();
    let rough = MATMUL.replacen("  %0", "        %0", 1).replacen("outs(%C :", "outs(%C:", 1);
    client.open(URI, "mlir", &rough);
    let params = json!({ "textDocument": { "uri": URI }, "options": { "tabSize": 2, "insertSpaces": true } });
    let edits = client.ask("textDocument/formatting", params.clone()).expect("edits");
    assert_eq!(edits[0]["newText"], MATMUL);
    assert_eq!(edits[0]["range"], json!({ "start": at((0, 0)), "end": at((8, 0)) }));
    client.change(URI, 2, (0, 0), (0, 4), "fun");
    assert_eq!(client.ask("textDocument/formatting", params), Ok(Value::Null));
}
