/**
 * Generates the parsers: the grammars of all languages joined into one (grammars/languages.mjs), since most of them is what they share: the
 * core and the rules of the token alphabet. A rule that a language forgets is an error that names it. Output goes to src/frontend/generated and,
 * since tsc copies no JavaScript, to the same place under dist.
 */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import peggy from "peggy";
import { languageRules } from "./languages.mjs";
import { spelled } from "./spelling.mjs";
import { joinedGreater, keywordCodes, keywords, signs } from "./tokens.mjs";

const here = dirname(fileURLToPath(import.meta.url));
const outputs = ["src/frontend/generated", "dist/src/frontend/generated"].map((path) => join(here, "..", path));

const core = ["lexical", "expressions", "types", "declarations", "templates", "statements"];
/** With the parts that some of them share beside the core. */
const languages = { msl: ["cxx"], glsl: [], opencl: [], "opencl-cxx": ["cxx"], hlsl: [] };

const read = (name) => {
  const file = join(here, `${name}.peggy`);
  return { source: `grammars/${name}.peggy`, text: readFileSync(file, "utf8") };
};

const spelledOf = (name) => {
  const { source, text } = read(name);
  return { source, text: spelled(text) };
};

/** The keyword rules, each with the word as display name; the builder of the tree reaches the actions as `b`. */
const alphabet = {
  source: "grammars/tokens.mjs",
  text: Object.entries(keywords)
    .map(([word, rule]) => `${rule} "'${word}'" = "${keywordCodes[word]}"`)
    .join("\n"),
};
const prologue = "{ const { builder: b, language } = options; }\n";

/**
 * Peggy's text without the English of its errors, of which only the place and what was expected are used (src/frontend/syntax-errors.ts, condition.ts): pages
 * load two such parsers.
 */
function withoutMessages(name, code) {
  const replaced = (text, pattern, by) => {
    if (!pattern.test(text)) throw new Error(`${name}: Peggy writes its errors otherwise than it did: ${pattern}`);
    return text.replace(pattern, by);
  };
  return replaced(
    replaced(
      code,
      /\n\n {2}format\(sources\) \{\n[\s\S]*?\n {2}\}\n\n {2}static buildMessage\([\s\S]*?\n {2}\}\n\}\n/,
      "\n}\n",
    ),
    /peg\$SyntaxError\.buildMessage\(expected, found\)/,
    '"syntax error"',
  );
}

function generate(name, sources) {
  try {
    return withoutMessages(
      name,
      peggy.generate(sources, { output: "source", format: "es", cache: false, trace: false }),
    );
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
const own = Object.fromEntries(
  Object.entries(languages).map(([language, parts]) => {
    const texts = [language, ...parts].map(spelledOf);
    return [language, { source: texts[0].source, text: texts.map(({ text }) => text).join("\n") }];
  }),
);
const text = generate("languages", [
  { source: "grammars/*.peggy", text: prologue + languageRules(own) },
  ...core.map((part) => spelledOf(`core/${part}`)),
  alphabet,
]);
files.set("languages.js", text).set("languages.d.ts", declarationsOfParser);
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
