/** Finding and reading a config: JSON with comments, or a program that exports the same. */
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, extname, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { Worker } from "node:worker_threads";
import { parseJson } from "../launch/json.js";
import type { Diagnostic } from "../support/diagnostics.js";
import { hasLineDirectives } from "../dialects/languages.js";
import { profileIds, profileNamed } from "../caps/profiles.js";
import { isTargetDialect } from "../dialects/ids.js";
import { configShape } from "./config-shape.js";
import type { Config, TargetConfig } from "./config-shape.js";
import type { Reads } from "./file-view.js";
import { decode, fileProblem, reasonOfCode, shownName } from "./files.js";
import { outProblem } from "./out-pattern.js";
import { checkShape, nodeOf, problemAt, valueOf } from "./shape.js";
import type { Checked } from "./shape.js";
import type { JsonNode } from "../launch/json.js";

/** A config that is in order, with what messages about its values need. */
export interface ReadConfig {
  readonly path: string;
  /** Its paths are relative to this. */
  readonly folder: string;
  readonly config: Config;
  /** A problem of a value, by the keys that lead to it. */
  readonly problem: (path: readonly (string | number)[], message: string, help?: string) => Diagnostic;
}

export const configNames = [
  "crosslane.config.json",
  "crosslane.config.js",
  "crosslane.config.mjs",
  "crosslane.config.ts",
  "crosslane.config.mts",
] as const;

/** The config of a folder, or of the nearest folder above it. */
export function findConfig(from: string): string | undefined {
  for (let folder = from; ; folder = dirname(folder)) {
    const name = configNames.find((n) => existsSync(join(folder, n)));
    if (name !== undefined) return join(folder, name);
    if (dirname(folder) === folder) return undefined;
  }
}

/** Reads and checks a config; `reads` notes what it is made of. Names in messages are relative to `shownFrom`. */
export async function readConfig(
  path: string,
  shownFrom: string,
  reads: Reads,
): Promise<{ readonly read: ReadConfig } | { readonly diagnostics: readonly Diagnostic[] }> {
  const file = shownName(path, shownFrom);
  const look = reads.look(path);
  if (look.bytes === undefined)
    return {
      diagnostics: [fileProblem("XL8002", `'${file}' cannot be read: ${reasonOfCode(look.problem ?? "ENOENT")}`)],
    };
  const loaded = extname(path) === ".json" ? ofText(file, look.bytes, reads) : await ofProgram(path, file, reads);
  if ("diagnostics" in loaded) return loaded;
  const { node, where } = loaded;
  const wrong = checkShape(node, configShape, where);
  if (wrong.length > 0) return { diagnostics: wrong };
  const config = valueOf(node) as Config;
  const read: ReadConfig = {
    path,
    folder: dirname(path),
    config,
    problem: (keys, message, help) => problemAt(where, placeOf(node, keys), keys.join("."), message, help),
  };
  const meant = meaningProblems(read);
  return meant.length > 0 ? { diagnostics: meant } : { read };
}

type Loaded = { readonly node: JsonNode; readonly where: Checked } | { readonly diagnostics: readonly Diagnostic[] };

function ofText(file: string, bytes: Uint8Array, reads: Reads): Loaded {
  const text = decode(bytes);
  if (text === undefined) return { diagnostics: [fileProblem("XL8002", `'${file}' is not a text in UTF-8`)] };
  reads.texts.set(file, text);
  const parsed = parseJson(text, { comments: true });
  const where = { file, text };
  if ("node" in parsed) return { node: parsed.node, where };
  const { message, start, end } = parsed.error;
  return { diagnostics: [problemAt(where, { start, end }, "", message)] };
}

/**
 * In a thread of its own, so that each time it and what it imports are loaded anew. TypeScript needs no compiler of the user's.
 */
async function ofProgram(path: string, file: string, reads: Reads): Promise<Loaded> {
  const where: Checked = { file };
  for (const imported of importsOf(path, reads)) reads.look(imported);
  const jiti = pathToFileURL(createRequire(import.meta.url).resolve("jiti")).href;
  const worker = new Worker(loading, { eval: true, workerData: { path, jiti } });
  const answer = await new Promise<{ readonly json?: string; readonly error?: string }>((resolve) => {
    worker.once("message", resolve);
    worker.once("error", (error: Error) => resolve({ error: error.message }));
    worker.once("exit", () => resolve({ error: "it ends the process" }));
  });
  await worker.terminate();
  if (answer.json !== undefined) return { node: nodeOf(JSON.parse(answer.json)), where };
  const message = `the config ends with an error: ${(answer.error ?? "it exports nothing").split("\n")[0]!}`;
  return { diagnostics: [problemAt(where, { start: 0, end: 0 }, "", message)] };
}

/** What is no value of JSON becomes a text that says so, which is wrong wherever it stands. */
const loading = `
const { parentPort, workerData: { path, jiti } } = require("node:worker_threads");
const plain = (_, v) => (typeof v === "function" || typeof v === "bigint" || typeof v === "symbol" ? "a " + typeof v : v);
import (jiti)
  .then(({ createJiti }) => createJiti(path, { fsCache: false }).import(path, { default: true }))
  .then((value) => (typeof value === "function" ? value() : value))
  .then((value) => parentPort.postMessage({ json: JSON.stringify(value, plain) }))
  .catch((error) => parentPort.postMessage({ error: String(error?.message ?? error) }));
`;

/** Files beside a program that it imports by name, and those that these import. */
function importsOf(path: string, reads: Reads, seen = new Set<string>()): Set<string> {
  const text = reads.view.look(path).bytes?.toString("utf8") ?? "";
  for (const [, name] of text.matchAll(/(?:from|import|require)\s*\(?\s*["'](\.{1,2}\/[^"'\n]+)["']/g)) {
    const asked = resolve(dirname(path), name!);
    const stem = asked.replace(/\.[cm]?js$/, "");
    const found = [asked, ...[".ts", ".mts", ".js", ".mjs", ".json"].map((e) => stem + e)].find((f) => existsSync(f));
    if (found === undefined || seen.has(found)) continue;
    seen.add(found);
    importsOf(found, reads, seen);
  }
  return seen;
}

/** Where a value stands, or the nearest around it. */
function placeOf(node: JsonNode, keys: readonly (string | number)[]): JsonNode {
  const [key, ...rest] = keys;
  if (key === undefined) return node;
  const inner =
    node.kind === "array"
      ? node.elements[Number(key)]
      : node.kind === "object"
        ? node.members.find((m) => m.key.value === key)?.value
        : undefined;
  return inner ? placeOf(inner, rest) : node;
}

/** What no shape says. */
function meaningProblems(read: ReadConfig): Diagnostic[] {
  const { config, problem } = read;
  const found: Diagnostic[] = [];
  const out = (pattern: string | undefined, keys: readonly (string | number)[]): void => {
    const wrong = pattern === undefined ? undefined : outProblem(pattern);
    if (wrong) found.push(problem(keys, wrong.message, wrong.help));
  };
  out(config.out, ["out"]);
  for (const [language, pattern] of Object.entries(config.bindings ?? {})) out(pattern, ["bindings", language]);
  config.targets.forEach((given, i) => {
    const t: TargetConfig = typeof given === "string" ? { target: given } : given;
    out(t.out, ["targets", i, "out"]);
    if (t.lineDirectives && !hasLineDirectives(t.target))
      found.push(
        problem(["targets", i, "lineDirectives"], `${t.target} has no #line`, "'sourceMap' gives a map of its lines"),
      );
    const profile = t.profile === undefined ? undefined : profileNamed(t.profile);
    if (profile && profile.dialect !== t.target)
      found.push(
        problem(
          ["targets", i, "profile"],
          `'${t.profile}' is a profile of ${profile.dialect}, not of ${t.target}`,
          isTargetDialect(t.target) ? `known are ${profileIds(t.target).join(", ")}` : undefined,
        ),
      );
  });
  for (const [pattern, kernel] of Object.entries(config.kernels ?? {}))
    kernel.targets?.forEach((t, i) => {
      if (config.targets.some((given) => (typeof given === "string" ? given : given.target) === t)) return;
      found.push(problem(["kernels", pattern, "targets", i], `'${t}' is none of the config's targets`));
    });
  return found;
}
