// How a JavaScript program reads documents: a parser for the text, ajv with a published file for the value.
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import Ajv from "ajv";
import Ajv2020 from "ajv/dist/2020.js";
import { parse } from "yaml";

const TREE = fileURLToPath(new URL("../../..", import.meta.url));
const TYPES = join(TREE, "generated", "cachespec_types");
const VECTORS = process.argv[2] ?? join(TREE, "tests", "conformance");

const readJson = (file) => JSON.parse(readFileSync(file, "utf8"));

// All conformance vectors of the folder that the first argument names.
export function vectors() {
  const files = readdirSync(VECTORS).filter((name) => name.endsWith(".json") && name !== "vectors.schema.json");
  return files.sort().flatMap((name) => readJson(join(VECTORS, name)).vectors ?? []);
}

// The text of a document, as a program gets it that reads a file as UTF-8.
export function text(vector) {
  return vector.text ?? Buffer.from(vector.base64, "base64").toString("utf8");
}

export const PARSERS = {
  json: { "JSON.parse": JSON.parse },
  yaml: {
    "yaml 1.2": (source) => parse(source, { version: "1.2", logLevel: "error" }),
    "yaml 1.1": (source) => parse(source, { version: "1.1", logLevel: "error" }),
  },
};

function validators(ajv, file, definitions) {
  const schema = readJson(join(TYPES, file));
  ajv.addSchema(schema);
  return (type, value) => ajv.getSchema(`${schema.$id}#/${definitions}/${type}`)(value);
}

// `strict: true` makes errors also of what ajv only logs by default.
export const VALIDATORS = {
  "2020-12": validators(new Ajv2020({ strict: true }), "cachespec.schema.json", "$defs"),
  "draft-07": validators(new Ajv({ strict: true }), "cachespec.draft-07.schema.json", "definitions"),
};

// What one parser and both published files make of a document: who refuses it, if anyone, and the value.
export function read(vector, parser) {
  let value;
  try {
    value = parser(text(vector));
  } catch {
    return { refusedBy: ["parser"] };
  }
  return { refusedBy: Object.keys(VALIDATORS).filter((draft) => !VALIDATORS[draft](vector.type, value)), value };
}
