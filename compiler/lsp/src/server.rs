//! The loop.

use std::path::{Path, PathBuf};
use std::sync::mpsc;
use std::thread;

use indexmap::{IndexMap, IndexSet};
use lsp_server::{Connection, ErrorCode, Message, Notification, Request, RequestId, Response};
use lsp_types::{
    CodeActionKind, CodeActionOptions, CodeActionProviderCapability, DidChangeTextDocumentParams,
    DidCloseTextDocumentParams, DidOpenTextDocumentParams, HoverProviderCapability,
    InitializeParams, MessageType, OneOf, PublishDiagnosticsParams, ServerCapabilities,
    TextDocumentSyncCapability, TextDocumentSyncKind, TextDocumentSyncOptions,
};
use serde_json::{Value, json};
use tegula_diag::did_you_mean;
use tegula_ide::{
    File, Finding, Interrupted, Language, Options, Severity, VirtualDoc, VirtualError, Workspace,
};

use crate::client::{Client, UserOptions};
use crate::document::Document;
use crate::event::Event;
use crate::params::{self, CONTENT, CONTENT_REFRESH, DOCUMENT, DOCUMENTS};
use crate::requests::{Answer, RequestError, read};
use crate::uri::{SCHEME, to_path, virtual_document};
use crate::{STACK, convert};

/// The state of a served client.
pub(crate) struct Server {
    connection: Connection,
    pub(crate) client: Client,
    pub(crate) workspace: Workspace,
    /// The open documents; those of no language that we know are not among them.
    pub(crate) documents: IndexMap<PathBuf, Document>,
    /// Requests whose answers are being made elsewhere.
    pending: IndexSet<RequestId>,
    events: mpsc::Sender<Event>,
    /// States are numbered through, so that a file that is closed and opened again is not taken for
    /// what it was.
    revisions: u64,
    /// Checks under way.
    checks: usize,
    /// The client said `shutdown`.
    stopping: bool,
    /// The number of our own requests.
    asked: i32,
    /// What was last said of the dialects that files are read with.
    dialect_errors: Vec<String>,
}

/// What the loop does after an event.
enum Next {
    Go,
    /// The client said `exit`, or is gone.
    Exit,
}

/// Serves the other end; whether it left in good order.
pub(crate) fn serve(connection: Connection, mut options: Options) -> bool {
    let Ok((id, raw)) = connection.initialize_start() else { return false };
    let params: InitializeParams = match serde_json::from_value(raw.clone()) {
        Ok(params) => params,
        Err(error) => {
            let code = ErrorCode::InvalidParams as i32;
            let answer = Response::new_err(id, code, error.to_string());
            let _ = connection.sender.send(answer.into());
            return false;
        }
    };
    let client = Client::new(&params, &raw);
    if connection.sender.send(Response::new_ok(id, capabilities(client)).into()).is_err() {
        return false;
    }
    let user = UserOptions::new(params.initialization_options.as_ref());
    options.include.extend(user.include);
    options.dialects.extend(user.dialects);
    options.cpu = user.cpu.or(options.cpu);
    let mut problems = user.problems;
    let mut workspace = Workspace::new(options.clone());
    if let Some(cpu) = options.cpu.take()
        && !workspace.cpus().contains(&cpu)
    {
        let cpus = workspace.cpus();
        let hint = did_you_mean(&cpu, cpus.iter().map(String::as_str)).unwrap_or_default();
        problems.push(format!("no CPU is named {cpu}; there are {}. {hint}", cpus.join(", ")));
        workspace = Workspace::new(options);
    }
    let (events, inbox) = mpsc::channel();
    forward(&connection, events.clone());
    let mut server = Server {
        connection,
        client,
        workspace,
        documents: IndexMap::new(),
        pending: IndexSet::new(),
        events,
        revisions: 0,
        checks: 0,
        stopping: false,
        asked: 0,
        dialect_errors: Vec::new(),
    };
    for problem in problems {
        server.log(MessageType::WARNING, &format!("initializationOptions: {problem}"));
    }
    server.tell_dialect_errors();
    server.run(&inbox)
}

/// Makes events of the client's messages.
fn forward(connection: &Connection, events: mpsc::Sender<Event>) {
    let messages = connection.receiver.clone();
    thread::spawn(move || {
        for message in messages {
            // The loop has ended.
            if events.send(Event::Client(message)).is_err() {
                return;
            }
        }
        let _ = events.send(Event::Closed);
    });
}

/// The answer to `initialize`.
fn capabilities(client: Client) -> Value {
    let capabilities = ServerCapabilities {
        position_encoding: Some(client.encoding.kind()),
        text_document_sync: Some(TextDocumentSyncCapability::Options(TextDocumentSyncOptions {
            open_close: Some(true),
            change: Some(TextDocumentSyncKind::INCREMENTAL),
            ..TextDocumentSyncOptions::default()
        })),
        hover_provider: Some(HoverProviderCapability::Simple(true)),
        document_formatting_provider: Some(OneOf::Left(true)),
        document_symbol_provider: Some(OneOf::Left(true)),
        code_action_provider: Some(CodeActionProviderCapability::Options(CodeActionOptions {
            code_action_kinds: Some(vec![CodeActionKind::QUICKFIX]),
            ..CodeActionOptions::default()
        })),
        ..ServerCapabilities::default()
    };
    let mut capabilities = json!(capabilities);
    // LSP 3.18, which the types of the protocol do not have yet.
    capabilities["workspace"]["textDocumentContent"] = json!({ "schemes": [SCHEME] });
    json!({
        "capabilities": capabilities,
        "serverInfo": { "name": "tegula", "version": env!("CARGO_PKG_VERSION") },
    })
}

impl Server {
    fn run(&mut self, inbox: &mpsc::Receiver<Event>) -> bool {
        loop {
            // Checks start when nothing else is to be done, so that of several changes in a row
            // only the last text is checked, and a request right behind a change goes first.
            let event = match inbox.try_recv() {
                Ok(event) => event,
                Err(_) => {
                    self.start_checks();
                    match inbox.recv() {
                        Ok(event) => event,
                        Err(_) => return false,
                    }
                }
            };
            if let Next::Exit = self.handle(event) {
                return self.stopping;
            }
        }
    }

    fn handle(&mut self, event: Event) -> Next {
        match event {
            Event::Client(Message::Request(request)) => self.request(request),
            Event::Client(Message::Notification(note)) if note.method == "exit" => {
                return Next::Exit;
            }
            Event::Client(Message::Notification(note)) => self.notification(note),
            // What we ask for needs no answer.
            Event::Client(Message::Response(_)) => {}
            Event::Closed => return Next::Exit,
            Event::Checked { path, revision, found, last } => {
                self.checked(&path, revision, found, last);
            }
            Event::Made { id, path, document, made } => self.made(id, path, document, made),
        }
        Next::Go
    }

    fn request(&mut self, request: Request) {
        let Request { id, method, params } = request;
        let answer = match method.as_str() {
            "shutdown" if !self.stopping => {
                self.stopping = true;
                Ok(Value::Null)
            }
            _ if self.stopping => {
                Err(RequestError::new(ErrorCode::InvalidRequest, "the server is shut down"))
            }
            "initialize" => {
                let message = "the server is initialized already";
                Err(RequestError::new(ErrorCode::InvalidRequest, message))
            }
            "textDocument/hover" => self.hover(params),
            "textDocument/documentSymbol" => self.document_symbol(params),
            "textDocument/formatting" => self.formatting(params),
            "textDocument/codeAction" => self.code_action(params),
            DOCUMENTS => self.documents(&params),
            DOCUMENT | CONTENT => match self.asked_document(&method, &params) {
                Ok((path, document)) => return self.make(id, path, document),
                Err(error) => Err(error),
            },
            _ => {
                let message = format!("there is no method {method}");
                Err(RequestError::new(ErrorCode::MethodNotFound, message))
            }
        };
        self.answer(id, answer);
    }

    fn notification(&mut self, note: Notification) {
        let Notification { method, params } = note;
        let done = match method.as_str() {
            "textDocument/didOpen" => read(params).map(|params| self.did_open(params)),
            "textDocument/didChange" => read(params).map(|params| self.did_change(params)),
            "textDocument/didClose" => read(params).map(|params| self.did_close(params)),
            "$/cancelRequest" => {
                self.cancel(&params);
                Ok(())
            }
            // The others ask for nothing.
            _ => Ok(()),
        };
        if let Err(error) = done {
            self.log(MessageType::ERROR, &format!("{method}: {}", error.message));
        }
    }

    fn did_open(&mut self, params: DidOpenTextDocumentParams) {
        let item = params.text_document;
        let path = to_path(item.uri.as_str());
        let language = match item.language_id.as_str() {
            "mlir" => Some(Language::Mlir),
            "tablegen" | "td" => Some(Language::Td),
            _ => Language::of(&path),
        };
        let Some(language) = language else {
            let message = format!("{} is neither .mlir nor .td", item.uri.as_str());
            return self.log(MessageType::INFO, &message);
        };
        let mut document = Document::new(item.uri, language, item.version, item.text);
        if let Some(old) = self.documents.get(&path) {
            document.checking = old.checking;
        }
        self.documents.insert(path.clone(), document);
        self.set(&path);
    }

    fn did_change(&mut self, params: DidChangeTextDocumentParams) {
        let uri = params.text_document.uri.as_str();
        let path = to_path(uri);
        let version = params.text_document.version;
        let encoding = self.client.encoding;
        let Some(document) = self.documents.get_mut(&path) else {
            return self.log(MessageType::WARNING, &format!("{uri} changes, but is not open"));
        };
        if version <= document.version {
            let message =
                format!("{uri}: change {version} comes after {} and is left out", document.version);
            return self.log(MessageType::WARNING, &message);
        }
        document.version = version;
        if !document.apply(encoding, params.content_changes) {
            let message = format!("{uri}: change {version} is beyond the end; open the file anew");
            self.log(MessageType::ERROR, &message);
        }
        self.set(&path);
    }

    fn did_close(&mut self, params: DidCloseTextDocumentParams) {
        let path = to_path(params.text_document.uri.as_str());
        let Some(document) = self.documents.shift_remove(&path) else { return };
        let changed = self.workspace.close(&path);
        self.mark(&changed);
        self.publish(document.uri, Vec::new(), None);
        self.tell_dialect_errors();
    }

    /// Gives the workspace the text of a document.
    fn set(&mut self, path: &Path) {
        let Some(document) = self.documents.get(path) else { return };
        match self.workspace.set(path, document.language, &document.text) {
            Ok(changed) => self.mark(&changed),
            Err(error) => {
                self.log(MessageType::ERROR, &error.to_string());
                self.mark(&[path.to_path_buf()]);
            }
        }
        self.tell_dialect_errors();
    }

    /// Says why definitions are not in force, when that is news: the files need not be open.
    fn tell_dialect_errors(&mut self) {
        let errors = self.workspace.dialect_errors();
        if errors == self.dialect_errors {
            return;
        }
        let errors = errors.to_vec();
        for error in &errors {
            self.log(MessageType::ERROR, error);
        }
        self.dialect_errors = errors;
    }

    /// Has documents checked again.
    fn mark(&mut self, changed: &[PathBuf]) {
        for path in changed {
            if let Some(document) = self.documents.get_mut(path) {
                self.revisions += 1;
                document.revision = self.revisions;
                document.dirty = true;
            }
        }
    }

    /// Starts checks of what has changed, as many at a time as there are processors, and one of
    /// each document.
    fn start_checks(&mut self) {
        let most = thread::available_parallelism().map_or(1, usize::from);
        for (path, document) in &mut self.documents {
            if self.checks >= most {
                return;
            }
            if !document.dirty || document.checking {
                continue;
            }
            document.dirty = false;
            let Some(file) = self.workspace.file(path).cloned() else { continue };
            let (events, path, revision) = (self.events.clone(), path.clone(), document.revision);
            let language = document.language;
            let check = thread::Builder::new()
                .name("tegula-check".to_owned())
                .stack_size(STACK)
                .spawn(move || check(file, language, &path, revision, &events));
            // Without a thread the file stays unchecked until it changes.
            if check.is_ok() {
                document.checking = true;
                self.checks += 1;
            }
        }
    }

    /// Takes what a check has found.
    fn checked(
        &mut self,
        path: &Path,
        revision: u64,
        found: Result<Vec<Finding>, Interrupted>,
        last: bool,
    ) {
        if last {
            self.checks -= 1;
        }
        let Some(document) = self.documents.get_mut(path) else { return };
        if last {
            document.checking = false;
        }
        if document.revision != revision {
            // The text is another one meanwhile, and dirty.
            return;
        }
        let findings = match found {
            Ok(findings) => findings,
            Err(Interrupted::Cancelled) => {
                document.dirty = true;
                return;
            }
            Err(error @ Interrupted::Panicked(_)) => vec![internal_error(&error)],
        };
        // A first part that found nothing shows only that what was shown before is mended.
        if !last && findings.is_empty() && document.findings.is_empty() {
            return;
        }
        document.findings = findings;
        document.found_for = if last { revision } else { 0 };
        let client = self.client;
        let diagnostics =
            document.findings.iter().map(|f| convert::diagnostic(client, document, f)).collect();
        let (uri, version) = (document.uri.clone(), document.version);
        let shown = std::mem::take(&mut document.shown);
        self.publish(uri, diagnostics, Some(version));
        if last {
            for uri in &shown {
                self.ask(CONTENT_REFRESH, json!({ "uri": uri }));
            }
        }
        if let Some(document) = self.documents.get_mut(path) {
            document.shown = shown;
        }
    }

    /// Which document a request asks for.
    fn asked_document(
        &mut self,
        method: &str,
        params: &Value,
    ) -> Result<(PathBuf, VirtualDoc), RequestError> {
        let invalid = |message: String| RequestError::new(ErrorCode::InvalidParams, message);
        let uri = params::text(params, "uri").map_err(invalid)?;
        let known = |uri: &&String| self.documents.contains_key(&to_path(uri));
        let not_open =
            |uri: &str| RequestError::new(ErrorCode::RequestFailed, format!("{uri} is not open"));
        if method == DOCUMENT {
            let name = params::text(params, "document").map_err(invalid)?;
            let document = VirtualDoc::parse(name).ok_or_else(|| {
                invalid(format!("no document {name}; there are ir-after/PASS and assembly-of/F"))
            })?;
            let path = to_path(uri);
            return match self.documents.contains_key(&path) {
                true => Ok((path, document)),
                false => Err(not_open(uri)),
            };
        }
        let (document, sources) = virtual_document(uri).ok_or_else(|| {
            invalid(format!(
                "{uri} is neither {SCHEME}:/ir-after/PASS?URI nor {SCHEME}:/assembly-of/F?URI"
            ))
        })?;
        let found = sources.iter().find(known).map(|source| to_path(source));
        let path = found.ok_or_else(|| not_open(sources.first().map_or(uri, String::as_str)))?;
        if self.client.content
            && let Some(source) = self.documents.get_mut(&path)
        {
            source.shown.insert(uri.to_owned());
        }
        Ok((path, document))
    }

    /// Has a virtual document made and the request answered with it.
    fn make(&mut self, id: RequestId, path: PathBuf, document: VirtualDoc) {
        let Some(file) = self.workspace.file(&path).cloned() else {
            let message = format!("{} is not open", path.display());
            return self.answer(id, Err(RequestError::new(ErrorCode::RequestFailed, message)));
        };
        let (events, request) = (self.events.clone(), id.clone());
        let spawned = thread::Builder::new()
            .name("tegula-document".to_owned())
            .stack_size(STACK)
            .spawn(move || {
                let made = file.document(&document);
                drop(file);
                let _ = events.send(Event::Made { id: request, path, document, made });
            });
        match spawned {
            Ok(_) => {
                self.pending.insert(id);
            }
            Err(error) => {
                let message = format!("no thread for the answer: {error}");
                self.answer(id, Err(RequestError::new(ErrorCode::InternalError, message)));
            }
        }
    }

    fn made(
        &mut self,
        id: RequestId,
        path: PathBuf,
        document: VirtualDoc,
        made: Result<Result<String, VirtualError>, Interrupted>,
    ) {
        // A cancelled request has its answer.
        if !self.pending.shift_remove(&id) {
            return;
        }
        let answer = match made {
            // The client waits for a document, whichever text it is made from.
            Err(Interrupted::Cancelled) => return self.make(id, path, document),
            Err(error) => Err(RequestError::from(error)),
            Ok(Err(error)) => Err(RequestError::new(ErrorCode::RequestFailed, error.to_string())),
            Ok(Ok(text)) => Ok(params::content(text)),
        };
        self.answer(id, answer);
    }

    /// `$/cancelRequest`
    fn cancel(&mut self, params: &Value) {
        let Some(Ok(id)) = params.get("id").map(|id| serde_json::from_value(id.clone())) else {
            return;
        };
        let id: RequestId = id;
        if self.pending.shift_remove(&id) {
            let error = RequestError::new(ErrorCode::RequestCanceled, "cancelled by the client");
            self.answer(id, Err(error));
        }
    }

    fn answer(&mut self, id: RequestId, answer: Answer) {
        let response = match answer {
            Ok(result) => Response::new_ok(id, result),
            Err(error) => Response::new_err(id, error.code as i32, error.message),
        };
        self.send(response.into());
    }

    fn publish(
        &mut self,
        uri: lsp_types::Uri,
        diagnostics: Vec<lsp_types::Diagnostic>,
        version: Option<i32>,
    ) {
        let params = PublishDiagnosticsParams { uri, diagnostics, version };
        self.notify("textDocument/publishDiagnostics", json!(params));
    }

    fn log(&mut self, kind: MessageType, message: &str) {
        self.notify("window/logMessage", json!({ "type": kind, "message": message }));
    }

    fn notify(&mut self, method: &str, params: Value) {
        self.send(Notification { method: method.to_owned(), params }.into());
    }

    fn ask(&mut self, method: &str, params: Value) {
        self.asked += 1;
        let id = RequestId::from(self.asked);
        self.send(Request { id, method: method.to_owned(), params }.into());
    }

    fn send(&mut self, message: Message) {
        // A client that is gone has closed the inbox, too: the loop ends by itself.
        let _ = self.connection.sender.send(message);
    }
}

/// Checks a file: the text first, which is quick, and what passes say of it if it is right.
fn check(file: File, language: Language, path: &Path, revision: u64, events: &mpsc::Sender<Event>) {
    let send = |found, last| {
        let path = path.to_path_buf();
        // Nobody is there to take it when the loop has ended.
        let _ = events.send(Event::Checked { path, revision, found, last });
    };
    let found = file.text_findings();
    let wrong = |f: &Vec<Finding>| f.iter().any(|f| f.severity == Severity::Error);
    let done = language == Language::Td || !found.as_ref().is_ok_and(|f| !wrong(f));
    if done {
        drop(file);
        return send(found, true);
    }
    send(found, false);
    let found = file.findings();
    drop(file);
    send(found, true);
}

/// A bug, as something to see at the top of the file.
fn internal_error(error: &Interrupted) -> Finding {
    Finding {
        range: 0..0,
        severity: Severity::Error,
        code: "internal-error".to_owned(),
        message: format!("{error}; please report it with this file"),
        related: Vec::new(),
        fix: None,
    }
}
