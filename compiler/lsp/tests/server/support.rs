//! The client's end of a connection in memory.

use std::process::ExitCode;
use std::thread::JoinHandle;
use std::time::Duration;

use lsp_server::{Connection, Message, Notification, Request, RequestId, Response};
use serde_json::{Value, json};

/// No answer takes as long, on the slowest machine.
const PATIENCE: Duration = Duration::from_secs(300);

/// A client, and the server on a thread of its own.
pub struct Client {
    connection: Connection,
    server: JoinHandle<ExitCode>,
    asked: i32,
    /// Messages that nobody has waited for yet.
    unread: Vec<Message>,
}

impl Client {
    /// A client that has said nothing yet.
    pub fn silent() -> Client {
        Client::with(tegula_ide::Options::default())
    }

    /// The same, of a server that was started with options.
    pub fn with(options: tegula_ide::Options) -> Client {
        let (server, connection) = Connection::memory();
        let server = std::thread::spawn(move || tegula_lsp::serve(server, options));
        Client { connection, server, asked: 0, unread: Vec::new() }
    }

    /// A client with these capabilities; also gives what `initialize` answered.
    pub fn new(capabilities: Value) -> (Client, Value) {
        Client::with_options(capabilities, json!({}))
    }

    /// The same with options for the server.
    pub fn with_options(capabilities: Value, options: Value) -> (Client, Value) {
        let mut client = Client::silent();
        let params = json!({ "capabilities": capabilities, "initializationOptions": options });
        let answer = client.ask("initialize", params);
        client.tell("initialized", json!({}));
        (client, answer.expect("the server's capabilities"))
    }

    /// A client that can do little.
    pub fn plain() -> Client {
        Client::new(json!({})).0
    }

    pub fn tell(&mut self, method: &str, params: Value) {
        let message = Notification { method: method.to_owned(), params };
        self.connection.sender.send(message.into()).expect("a server that listens");
    }

    /// Sends a request; gives its number.
    pub fn start(&mut self, method: &str, params: Value) -> RequestId {
        self.asked += 1;
        let id = RequestId::from(self.asked);
        let request = Request { id: id.clone(), method: method.to_owned(), params };
        self.connection.sender.send(request.into()).expect("a server that listens");
        id
    }

    /// The one answer to a request, or the code of its error.
    pub fn answer(&mut self, id: &RequestId) -> Result<Value, i32> {
        let answer = self.wait(|message| match message {
            Message::Response(response) if response.id == *id => Some(response.clone()),
            _ => None,
        });
        let again = self.unread.iter().any(|m| matches!(m, Message::Response(r) if r.id == *id));
        assert!(!again, "two answers to {id}");
        let Response { response_result, .. } = answer;
        response_result.map_err(|error| error.code)
    }

    pub fn ask(&mut self, method: &str, params: Value) -> Result<Value, i32> {
        let id = self.start(method, params);
        self.answer(&id)
    }

    /// Why a request is refused, in words.
    pub fn refused(&mut self, method: &str, params: Value) -> String {
        let id = self.start(method, params);
        let answer = self.wait(|message| match message {
            Message::Response(response) if response.id == id => Some(response.clone()),
            _ => None,
        });
        answer.response_result.expect_err("a refusal").message
    }

    /// The findings of a version of a document, once the server has looked at all of it.
    pub fn diagnostics(&mut self, uri: &str, version: i32) -> Vec<Value> {
        self.wait(|message| match message {
            Message::Notification(note)
                if note.method == "textDocument/publishDiagnostics"
                    && note.params["uri"] == uri
                    && note.params["version"] == version =>
            {
                note.params["diagnostics"].as_array().cloned()
            }
            _ => None,
        })
    }

    /// The errors among them; warnings are what the back end can't do.
    pub fn errors(&mut self, uri: &str, version: i32) -> Vec<Value> {
        let mut found = self.diagnostics(uri, version);
        found.retain(|diagnostic| diagnostic["severity"] == 1);
        found
    }

    /// Waits until the errors of a document's first version are as wanted.
    pub fn errors_until(&mut self, uri: &str, wanted: impl Fn(&[Value]) -> bool) {
        while !wanted(&self.errors(uri, 1)) {}
    }

    /// What a message of this method says.
    pub fn told(&mut self, method: &str) -> Value {
        self.wait(|message| match message {
            Message::Notification(note) if note.method == method => Some(note.params.clone()),
            Message::Request(request) if request.method == method => Some(request.params.clone()),
            _ => None,
        })
    }

    fn wait<T>(&mut self, wanted: impl Fn(&Message) -> Option<T>) -> T {
        let found = self.unread.iter().enumerate().find_map(|(at, m)| Some((at, wanted(m)?)));
        if let Some((at, found)) = found {
            self.unread.remove(at);
            return found;
        }
        loop {
            let message = self.connection.receiver.recv_timeout(PATIENCE).expect("an answer");
            match wanted(&message) {
                Some(found) => return found,
                None => self.unread.push(message),
            }
        }
    }

    pub fn open(&mut self, uri: &str, language: &str, text: &str) {
        let item = json!({ "uri": uri, "languageId": language, "version": 1, "text": text });
        self.tell("textDocument/didOpen", json!({ "textDocument": item }));
    }

    /// Replaces `from` by `to`: (line, column) each.
    pub fn change(
        &mut self,
        uri: &str,
        version: i32,
        from: (u32, u32),
        to: (u32, u32),
        text: &str,
    ) {
        let range = json!({ "start": at(from), "end": at(to) });
        self.tell(
            "textDocument/didChange",
            json!({
                "textDocument": { "uri": uri, "version": version },
                "contentChanges": [{ "range": range, "text": text }],
            }),
        );
    }

    pub fn hover(&mut self, uri: &str, position: (u32, u32)) -> Value {
        let params = json!({ "textDocument": { "uri": uri }, "position": at(position) });
        self.ask("textDocument/hover", params).expect("a hover or null")
    }

    /// Says nothing more; gives the server's exit code.
    pub fn leave(self) -> ExitCode {
        drop(self.connection);
        self.server.join().expect("a server that ends by itself")
    }
}

/// A position.
pub fn at((line, column): (u32, u32)) -> Value {
    json!({ "line": line, "character": column })
}
