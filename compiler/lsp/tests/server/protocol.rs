//! What the protocol asks of every server.

use std::process::ExitCode;

use crate::support::{Client, at};
use serde_json::{Value, json};

const URI: &str = "file:///w/a.mlir";
const ID: &str = "func.func @id(%x: i32) -> i32 {\n  return %x : i32\n}\n";

const METHOD_NOT_FOUND: i32 = -32601;
const INVALID_REQUEST: i32 = -32600;
const INVALID_PARAMS: i32 = -32602;
const NOT_INITIALIZED: i32 = -32002;
const REQUEST_FAILED: i32 = -32803;

#[test]
fn a_life_in_good_order() {
    let mut client = Client::silent();
    assert_eq!(client.ask("textDocument/hover", json!({})), Err(NOT_INITIALIZED));
    let answer = client.ask("initialize", json!({ "capabilities": {} })).expect("an answer");
    assert_eq!(answer["capabilities"]["positionEncoding"], "utf-16");
    assert_eq!(answer["capabilities"]["textDocumentSync"]["change"], 2);
    client.tell("initialized", json!({}));
    assert_eq!(client.ask("initialize", json!({ "capabilities": {} })), Err(INVALID_REQUEST));
    assert_eq!(client.ask("no/suchMethod", json!({})), Err(METHOD_NOT_FOUND));
    assert_eq!(client.ask("textDocument/hover", json!({ "a": 1 })), Err(INVALID_PARAMS));
    client.tell("no/suchNotification", json!({}));
    assert_eq!(client.ask("shutdown", Value::Null), Ok(Value::Null));
    assert_eq!(client.ask("shutdown", Value::Null), Err(INVALID_REQUEST));
    assert_eq!(client.ask("textDocument/hover", json!({})), Err(INVALID_REQUEST));
    client.tell("exit", Value::Null);
    assert_eq!(client.leave(), ExitCode::SUCCESS);
}

#[test]
fn other_endings_are_failures() {
    let mut unasked = Client::plain();
    unasked.tell("exit", Value::Null);
    assert_eq!(unasked.leave(), ExitCode::FAILURE);
    assert_eq!(Client::plain().leave(), ExitCode::FAILURE);
    let mut early = Client::silent();
    early.tell("exit", Value::Null);
    assert_eq!(early.leave(), ExitCode::FAILURE);
}

#[test]
fn bytes_are_counted_when_the_client_can() {
    let capabilities = json!({ "general": { "positionEncodings": ["utf-16", "utf-8"] } });
    let (_, answer) = Client::new(capabilities);
    assert_eq!(answer["capabilities"]["positionEncoding"], "utf-8");
    assert_eq!(answer["capabilities"]["workspace"]["textDocumentContent"]["schemes"][0], "tegula");
}

#[test]
fn columns_count_utf16_units() {
    let mut client = Client::plain();
    // Behind the location's name bytes and units are 3 apart.
    client.open(URI, "mlir", "func.func @f() {\n  return loc(\"𝄞é\")\n}\n");
    assert_eq!(client.errors(URI, 1), Vec::<Value>::new());
    client.change(URI, 2, (1, 19), (1, 19), " nop");
    let found = client.diagnostics(URI, 2);
    assert_eq!(found[0]["range"]["start"], at((1, 20)), "{found:?}");
    client.change(URI, 3, (1, 19), (1, 23), "");
    assert_eq!(client.errors(URI, 3), Vec::<Value>::new());
}

#[test]
fn positions_that_do_not_exist() {
    let mut client = Client::plain();
    client.open(URI, "mlir", ID);
    assert_eq!(client.hover(URI, (99, 0)), Value::Null);
    assert_eq!(client.hover("file:///w/other.mlir", (0, 0)), Value::Null);
    let end_of_line = client.hover(URI, (1, 9999));
    assert!(end_of_line["contents"]["value"].as_str().is_some_and(|t| t.contains("func.return")));
    // A change beyond the end is told, and the server lives on.
    client.change(URI, 2, (70, 3), (71, 0), "x");
    assert_eq!(client.told("window/logMessage")["type"], 1);
    assert_eq!(client.errors(URI, 2), Vec::<Value>::new());
}

#[test]
fn changes_that_come_late_are_left_out() {
    let mut client = Client::plain();
    client.open(URI, "mlir", ID);
    client.change(URI, 5, (0, 11), (0, 13), "same");
    client.change(URI, 4, (0, 11), (0, 13), "WRONG ((");
    client.change(URI, 5, (0, 11), (0, 13), "WRONG ((");
    assert_eq!(client.errors(URI, 5), Vec::<Value>::new());
    let params = json!({ "textDocument": { "uri": URI } });
    let outline = client.ask("textDocument/documentSymbol", params).expect("an outline");
    assert_eq!(outline[0]["name"], "same");
}

#[test]
fn one_file_has_many_spellings() {
    let mut client = Client::plain();
    client.open("file:///w/%61%20%C3%A9.mlir", "mlir", ID);
    assert_ne!(client.hover("file:///w/a%20%c3%a9.mlir", (1, 4)), Value::Null);
}

#[test]
fn files_that_are_closed_say_nothing_more() {
    let mut client = Client::plain();
    client.open(URI, "mlir", "func.func @f( {");
    assert!(!client.diagnostics(URI, 1).is_empty());
    client.tell("textDocument/didClose", json!({ "textDocument": { "uri": URI } }));
    let cleared = client.told("textDocument/publishDiagnostics");
    assert_eq!(cleared["diagnostics"], json!([]));
    assert_eq!(client.hover(URI, (0, 0)), Value::Null);
    let params = json!({ "uri": URI, "document": "assembly-of/f" });
    assert_eq!(client.ask("tegula/document", params), Err(REQUEST_FAILED));
    client.open(URI, "mlir", ID);
    assert_eq!(client.errors(URI, 1), Vec::<Value>::new(), "nothing is left of the closed text");
}

#[test]
fn a_cancelled_request_has_one_answer() {
    let mut client = Client::plain();
    client.open(URI, "mlir", ID);
    let id = client.start("tegula/document", json!({ "uri": URI, "document": "ir-after/cse" }));
    client.tell("$/cancelRequest", json!({ "id": id }));
    // Which of the two is a matter of time.
    let answer = client.answer(&id);
    assert!(matches!(answer, Ok(_) | Err(-32800 | REQUEST_FAILED)), "{answer:?}");
    client.tell("$/cancelRequest", json!({ "id": id }));
    // A second answer would come before this one.
    assert_eq!(client.ask("no/suchMethod", json!({})), Err(METHOD_NOT_FOUND));
    let again = client.start("shutdown", json!({}));
    assert_eq!(client.answer(&again), Ok(Value::Null));
}

#[test]
fn options_that_are_wrong_are_told() {
    let mut client = Client::silent();
    let options = json!({ "cpu": "abacus", "includes": "x", "speed": 1 });
    let params = json!({ "capabilities": {}, "initializationOptions": options });
    client.ask("initialize", params).expect("an answer");
    client.tell("initialized", json!({}));
    for _ in 0..3 {
        assert_eq!(client.told("window/logMessage")["type"], 2);
    }
    client.open(URI, "mlir", ID);
    assert_eq!(client.errors(URI, 1), Vec::<Value>::new());
}
