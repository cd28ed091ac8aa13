/**
 * Generates the parsers: each dialect's grammar joined with the core it builds on, dialect first (its first rule is where
 * parsing starts), then the rules of the token alphabet. A rule that a dialect forgets is an error that names the line of
 * the core which asks for it. Output goes to src/frontend/generated and, since tsc copies no JavaScript, to the same place
 * under dist.
 */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import peggy from "peggy";
import { spelled } from "./spelling.mjs";
import { joinedGreater, keywordCodes, keywords, signs } from "./tokens.mjs";

const here = dirname(fileURLToPath(import.meta.url));
const outputs = ["src/frontend/generated", "dist/src/frontend/generated"].map((path) => join(here, "..", path));

const core = ["lexical", "expressions", "types", "declarations", "templates", "statements"];
const dialects = ["msl", "glsl", "opencl", "hlsl"];

const read = (name) => {
  const file = join(here, `${name}.peggy`);
  return { source: `grammars/${name}.peggy`, text: readFileSync(file, "utf8") };
};

/** The keyword rules, each with the word as display name; the builder of the tree reaches the actions as `b`. */
const alphabet = {
  source: "grammars/tokens.mjs",
  text: Object.entries(keywords)
    .map(([word, rule]) => `${rule} "'${word}'" = "${keywordCodes[word]}"`)
    .join("\n"),
};
const prologue = "{ const b = options.builder; }\n";

function generate(name, sources) {
  try {
    return peggy.generate(sources, { output: "source", format: "es", cache: false, trace: false });
  } catch (error) {
    if (typeof error.format !== "function") throw error;
    console.error(`${name}: ${error.format(sources.map(({ source, text }) => ({ source, text })))}`);
    process.exit(1);
  }
}

const declarationsOfParser = `export interface ParseOptions {
  readonly [option: string]: unknown;
}
export interface PeggyFailure {
  readonly expected: readonly { readonly type: string; readonly text?: string; readonly description?: string }[] | null;
  readonly location: { readonly start: { readonly offset: number } };
}
export declare function parse(input: string, options?: ParseOptions): unknown;
export declare class SyntaxError extends Error implements PeggyFailure {
  readonly expected: PeggyFailure["expected"];
  readonly location: PeggyFailure["location"];
}
`;

const files = new Map();
for (const dialect of dialects) {
  const [first, ...rest] = [dialect, ...core.map((part) => `core/${part}`)]
    .map(read)
    .map(({ source, text }) => ({ source, text: spelled(text) }));
  const text = generate(dialect, [{ ...first, text: prologue + first.text }, ...rest, alphabet]);
  files.set(`${dialect}.js`, text).set(`${dialect}.d.ts`, declarationsOfParser);
}
files
  .set("preprocessor.js", generate("preprocessor", [read("preprocessor")]))
  .set("preprocessor.d.ts", declarationsOfParser);
const record = (entries) => JSON.stringify(entries, null, 2);
files.set(
  "alphabet.js",
  `export const signs = ${record(signs)};\nexport const keywordCodes = ${record(keywordCodes)};\nexport const joinedGreater = ${record(joinedGreater)};\n`,
);
files.set(
  "alphabet.d.ts",
  "export declare const signs: Readonly<Record<string, string>>;\nexport declare const keywordCodes: Readonly<Record<string, string>>;\nexport declare const joinedGreater: string;\n",
);

for (const output of outputs) {
  mkdirSync(output, { recursive: true });
  for (const [name, text] of files) writeFileSync(join(output, name), text);
}
