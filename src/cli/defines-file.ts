/** Files of macros, as hosts pass them to a kernel's compiler: one to a line, or a JSON object. */
import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import type { Diagnostic } from "../support/diagnostics.js";
import { decode, fileProblem, reasonOf, shownName } from "../build/files.js";
import { readDefine } from "./options.js";
import { UsageError } from "./usage-error.js";

/** The macros of a file by their names; a diagnostic where it cannot be read. `texts` remembers it, so that it is watched. */
export async function readDefinesFile(
  path: string,
  cwd: string,
  texts: Map<string, string>,
): Promise<{ readonly macros: Readonly<Record<string, string>> } | Diagnostic> {
  const file = resolve(cwd, path);
  const name = shownName(file, cwd);
  let text: string | undefined;
  try {
    text = decode(await readFile(file));
  } catch (error) {
    return fileProblem("XL8002", `'${name}' cannot be read: ${reasonOf(error)}`);
  }
  if (text === undefined) return fileProblem("XL8002", `'${name}' is not a text in UTF-8`);
  texts.set(name, text);
  try {
    return { macros: text.trimStart().startsWith("{") ? ofJson(text) : ofLines(text) };
  } catch (error) {
    if (error instanceof UsageError) return fileProblem("XL8002", `'${name}': ${error.message}`, error.help);
    throw error;
  }
}

function ofJson(text: string): Record<string, string> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new UsageError(`this is no JSON: ${error instanceof Error ? error.message : String(error)}`);
  }
  const macros: Record<string, string> = {};
  for (const [name, given] of Object.entries(value as Record<string, unknown>)) {
    if (typeof given !== "string" && typeof given !== "number" && typeof given !== "boolean")
      throw new UsageError(`the value of '${name}' is a text, a number, true or false`);
    Object.assign(macros, readDefine(`${name}=${String(typeof given === "boolean" ? Number(given) : given)}`));
  }
  return macros;
}

function ofLines(text: string): Record<string, string> {
  const macros: Record<string, string> = {};
  for (const [at, whole] of text.split(/\r?\n/).entries()) {
    const line = whole.trim();
    if (/^#\s*define\b/.test(line))
      throw new UsageError(
        `line ${at + 1} is a directive`,
        "a header is given with --prelude; here a line is NAME=value",
      );
    if (line === "" || line.startsWith("#") || line.startsWith("//")) continue;
    try {
      Object.assign(macros, readDefine(line.replace(/^-D\s*/, "")));
    } catch (error) {
      if (error instanceof UsageError) throw new UsageError(`line ${at + 1}: ${error.message}`, error.help);
      throw error;
    }
  }
  return macros;
}
