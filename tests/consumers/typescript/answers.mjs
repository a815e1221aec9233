// Prints what each parser together with ajv makes of each vector, for docs/languages.md: node answers.mjs [FOLDER]
import { PARSERS, read, vectors } from "./readers.mjs";

// The value as JSON; null where there is none, or none that ends: an anchor may contain its own alias.
function written(value) {
  try {
    return JSON.stringify(value) ?? null;
  } catch {
    return null;
  }
}

const answers = {};
for (const vector of vectors()) {
  for (const [name, parser] of Object.entries(PARSERS[vector.syntax])) {
    const { refusedBy, value } = read(vector, parser);
    (answers[name] ??= {})[vector.name] = { accepts: refusedBy.length === 0, value: written(value) };
  }
}
console.log(JSON.stringify(answers));
