// SPDX-License-Identifier: Apache-2.0
// What the npm package "yaml" (YAML 1.2) reads from our YAML is what JSON.parse reads
// from the JSON. Reads what yaml_write.py left in the folder.
//
// usage: node yaml_write.mjs FOLDER   (in a folder with node_modules/yaml)
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";

let YAML;
try {
  YAML = await import("yaml");
} catch {
  console.log("skipped: the package yaml is not installed");
  process.exit(77);
}
const folder = process.argv[2];
if (!existsSync(join(folder, "values.yaml0"))) {
  console.log("skipped: yaml_write.py has written nothing");
  process.exit(77);
}
const lines = readFileSync(join(folder, "values.ndjson"), "utf8").split("\n").slice(0, -1);
const documents = readFileSync(join(folder, "values.yaml0"), "utf8").split("\0").slice(0, -1);
if (documents.length !== lines.length) throw new Error("not one document a line");

// A key __proto__ and the sign of zero count too: isDeepStrictEqual uses Object.is.
let failures = 0;
lines.forEach((line, i) => {
  const expected = JSON.parse(line);
  let found;
  try {
    const document = YAML.parseDocument(documents[i], { version: "1.2" });
    if (document.errors.length > 0) throw document.errors[0];
    found = document.toJS();
  } catch (error) {
    found = error;
  }
  if (isDeepStrictEqual(expected, found)) return;
  failures++;
  console.log("FAILED", line.slice(0, 200), JSON.stringify(documents[i].slice(0, 200)),
    found instanceof Error ? found.message : JSON.stringify(found).slice(0, 200));
});
console.log(`suite yaml writer, npm yaml: ${lines.length - failures} / ${lines.length}`);
process.exit(failures > 0 ? 1 : 0);
