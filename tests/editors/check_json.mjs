// Does with JSON documents what VS Code does: reads a request from standard input, and writes the answers.
//
// request: {workspace, associations: the value of "json.schemas", documents: [{path, text, line, character}]}
// answers: one {diagnostics, hover, completions} per document, the last two at the given place
import { readFile } from "node:fs/promises";
import { text } from "node:stream/consumers";
import { fileURLToPath, pathToFileURL } from "node:url";
import languageService from "vscode-json-languageservice";

const { ClientCapabilities, TextDocument, getLanguageService } = languageService;

const request = JSON.parse(await text(process.stdin));
const workspace = `${pathToFileURL(request.workspace)}/`;

const service = getLanguageService({
  clientCapabilities: ClientCapabilities.LATEST,
  // A schema elsewhere than in a file is an error: a test asks nobody on the network.
  schemaRequestService: async (url) => readFile(fileURLToPath(url), "utf8"),
  workspaceContext: { resolveRelativePath: (relative, base) => new URL(relative, base).href },
});
// The service wants absolute addresses; VS Code reads relative ones of its settings from the workspace folder.
const schemas = request.associations.map(({ fileMatch, url }) => ({ fileMatch, uri: new URL(url, workspace).href }));
service.configure({ validate: true, schemas });

async function answer({ path, text, line, character }) {
  const document = TextDocument.create(pathToFileURL(path).href, "json", 1, text);
  const parsed = service.parseJSONDocument(document);
  const place = { line, character };
  const hover = await service.doHover(document, place, parsed);
  const completions = await service.doComplete(document, place, parsed);
  return {
    diagnostics: await service.doValidation(document, parsed, {}),
    hover: hover === null ? "" : hover.contents.join("\n"),
    completions: completions.items.map((item) => item.label),
  };
}

console.log(JSON.stringify(await Promise.all(request.documents.map(answer))));
