// Writes the TypeScript types of a schema: the schema on standard input, the first line of the file as argument.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";

// The packages are installed in the working directory, not beside this file.
const { compile } = createRequire(join(process.cwd(), "package.json"))("json-schema-to-typescript");

// A definition has its own name: the note from where it was referenced only repeats it.
const NOTE = /\n \*\n \* This interface was referenced by .*\n \* via the `definition` .*(?=\n \*\/)/g;

const schema = JSON.parse(readFileSync(0, "utf8"));
const types = await compile(schema, schema.title, { bannerComment: process.argv[2], unreachableDefinitions: true });
process.stdout.write(types.replace(NOTE, ""));
