// Runs the conformance vectors through ajv with both published files: node vectors.mjs [FOLDER]
import { isDeepStrictEqual } from "node:util";
import { PARSERS, VALIDATORS, read, vectors } from "./readers.mjs";

const DRAFTS = Object.keys(VALIDATORS);
const agreed = { reader: 0, schema: 0, rules: 0, accept: 0 };
const counts = {};
const disagreements = [];
const departures = [];
let large = 0;

// A field that is null means the same as one that is absent.
function withoutNulls(value) {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (value === null || typeof value !== "object") return value;
  const present = Object.entries(value).filter(([, field]) => field !== null);
  return Object.fromEntries(present.map(([name, field]) => [name, withoutNulls(field)]));
}

// How the answer of a parser and ajv differs from the vector; undefined where it does not.
function difference(vector, parser) {
  const { refusedBy, value } = read(vector, parser);
  if (vector.stage === "schema") {
    const accepting = DRAFTS.filter((draft) => !refusedBy.includes(draft));
    return refusedBy.includes("parser") || accepting.length === 0 ? undefined : `accepted with ${accepting}`;
  }
  if (refusedBy.length > 0) return `refused by ${refusedBy}`;
  return vector.verdict === "accept" ? differenceToCanonical(vector, value) : undefined;
}

function differenceToCanonical(vector, value) {
  const canonical = JSON.parse(vector.canonical);
  if (!isDeepStrictEqual(withoutNulls(value), withoutNulls(canonical))) return "not the canonical value";
  const refusing = DRAFTS.filter((draft) => !VALIDATORS[draft](vector.type, canonical));
  return refusing.length > 0 ? `canonical text refused with ${refusing}` : undefined;
}

function countReader(vector, name, parser) {
  const count = (counts[name] ??= { parser: 0, ajv: 0, nobody: 0 });
  const { refusedBy } = read(vector, parser);
  count[refusedBy.includes("parser") ? "parser" : refusedBy.length > 0 ? "ajv" : "nobody"] += 1;
}

function compare(vector, stage, [[name, parser], ...others]) {
  const found = difference(vector, parser);
  if (found === undefined) agreed[stage] += 1;
  else disagreements.push(`${vector.name}: ${name}: ${found}`);
  for (const [other, parserOfOther] of others) {
    if (difference(vector, parserOfOther)) departures.push(`${other}: ${vector.name}`);
  }
}

for (const vector of vectors()) {
  const stage = vector.stage ?? "accept";
  const parsers = Object.entries(PARSERS[vector.syntax]);
  if (stage === "reader") {
    agreed.reader += 1;
    for (const [name, parser] of parsers) countReader(vector, name, parser);
  } else if (vector.large_integers) {
    // ajv takes numbers alone, no BigInt: a parser that keeps all digits would not help.
    large += 1;
  } else {
    compare(vector, stage, parsers);
  }
}

const { reader, schema, rules, accept } = agreed;
console.log(`typescript: reader ${reader} left out, schema ${schema}, rules ${rules}, accept ${accept} agreed`);
console.log(`  left out: ${large} with integers beyond 2^53, which become doubles`);
for (const [name, { parser, ajv, nobody }] of Object.entries(counts)) {
  console.log(`  reader, ${name}: ${parser} refused by the parser, ${ajv} by ajv, ${nobody} by nobody`);
}
for (const departure of departures) console.log(`  departs, ${departure}`);
for (const line of disagreements) console.error(line);
process.exitCode = disagreements.length > 0 ? 1 : 0;
