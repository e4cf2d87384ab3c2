// The client: starts `tegula lsp` and shows the documents that it makes.
"use strict";

const vscode = require("vscode");
const { LanguageClient } = require("vscode-languageclient/node");

let client;

// The server reads its options once: another setting needs another server.
async function start() {
  const settings = vscode.workspace.getConfiguration("tegula");
  const server = { command: settings.get("command"), args: ["lsp"] };
  client = new LanguageClient("tegula", "tegula", server, {
    documentSelector: [{ language: "mlir" }, { language: "tablegen" }],
    initializationOptions: { includes: settings.get("includes"), cpu: settings.get("cpu") },
  });
  await client.start();
}

// `tegula:/ir-after/PASS?URI` names the document; the query survives as it is given to `with`.
function made(source, document) {
  return vscode.Uri.from({ scheme: "tegula", path: "/" + document, query: source.toString() });
}

async function show(document, language) {
  const source = vscode.window.activeTextEditor?.document.uri;
  if (!source || !document) return;
  const opened = await vscode.workspace.openTextDocument(made(source, document));
  const shown = await vscode.languages.setTextDocumentLanguage(opened, language);
  await vscode.window.showTextDocument(shown, vscode.ViewColumn.Beside, true);
}

async function pick(kind, language) {
  const source = vscode.window.activeTextEditor?.document.uri;
  if (!source) return;
  const all = await client.sendRequest("tegula/documents", { uri: source.toString() });
  const names = (all ?? []).filter((name) => name.startsWith(kind)).map((name) => name.slice(kind.length));
  const name = await vscode.window.showQuickPick(names);
  if (name) await show(kind + name, language);
}

exports.activate = async (context) => {
  const changed = new vscode.EventEmitter();
  const provider = {
    onDidChange: changed.event,
    provideTextDocumentContent: async (uri) => {
      const document = uri.path.slice(1);
      try {
        return (await client.sendRequest("tegula/document", { uri: uri.query, document })).text;
      } catch (error) {
        return "// " + error.message;
      }
    },
  };
  // A document that is shown is made anew once its source was checked.
  vscode.languages.onDidChangeDiagnostics((event) => {
    const sources = new Set(event.uris.map(String));
    for (const { uri } of vscode.workspace.textDocuments) {
      if (uri.scheme === "tegula" && sources.has(uri.query)) changed.fire(uri);
    }
  }, undefined, context.subscriptions);
  context.subscriptions.push(
    changed,
    vscode.workspace.registerTextDocumentContentProvider("tegula", provider),
    vscode.commands.registerCommand("tegula.irAfter", () => pick("ir-after/", "mlir")),
    vscode.commands.registerCommand("tegula.assemblyOf", () => pick("assembly-of/", "plaintext")),
    vscode.commands.registerCommand("tegula.restart", async () => {
      await client?.stop();
      await start();
    }),
  );
  await start();
};

exports.deactivate = () => client?.stop();
