/** The JSON schema that is shipped is what the checks say; UPDATE_DOCS=1 writes it, and docs/build.md's list of keys. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { configSchema, configShape, targetShape } from "../../src/build/config-shape.js";
import type { Key } from "../../src/build/shape.js";
import { repositoryRoot } from "../support/judges/judge.js";

const file = join(repositoryRoot, "schema/crosslane.config.schema.json");
const docs = join(repositoryRoot, "docs/build.md");

test("the schema is up to date", () => {
  const text = `${JSON.stringify(configSchema(), null, 2)}\n`;
  if (process.env.UPDATE_DOCS) writeFileSync(file, text);
  expect(readFileSync(file, "utf8")).toBe(text);
});

test("docs/build.md lists every key", () => {
  const rows = (keys: Readonly<Record<string, Key>>): string =>
    Object.entries(keys)
      .map(([name, { doc, required }]) => `| \`${name}\` | ${doc}${required ? " Required." : ""} |`)
      .join("\n");
  const list = (keys: object): string =>
    `| key | what it says |\n| --- | --- |\n${rows(keys as Record<string, Key>)}\n`;
  const written = `<!-- keys -->\n\n${list(configShape.keys)}\nAn entry of \`targets\` that is an object:\n\n${list(targetShape.keys)}\n<!-- end of keys -->`;
  const text = readFileSync(docs, "utf8");
  if (process.env.UPDATE_DOCS)
    writeFileSync(
      docs,
      text.replace(/<!-- keys -->[^]*<!-- end of keys -->/, () => written),
    );
  expect(readFileSync(docs, "utf8")).toContain(written);
});
