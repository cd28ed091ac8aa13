/** Files of macros, as hosts pass them to a kernel's compiler: one to a line, or a JSON object. */
import { resolve } from "node:path";
import type { Diagnostic } from "../support/diagnostics.js";
import type { Reads } from "./file-view.js";
import { decode, fileProblem, reasonOfCode, shownName } from "./files.js";
import { wordPattern } from "../support/scan.js";

type Macros = Readonly<Record<string, string>>;
/** What is wrong, and what to do about it. */
export interface MacroProblem {
  readonly problem: string;
  readonly help?: string;
}

const macroHead = new RegExp(String.raw`^${wordPattern}(?:\([\p{XID_Continue}$\s,.]*\))?$`, "u");

/** `NAME`, `NAME=value` or `F(x, y)=value`, as C compilers take them after -D. */
export function readMacro(value: string): { readonly macro: Macros } | MacroProblem {
  const at = value.indexOf("=");
  const name = (at === -1 ? value : value.slice(0, at)).trim();
  if (!macroHead.test(name)) return { problem: `'${name}' is no name of a macro` };
  return { macro: { [name]: at === -1 ? "1" : value.slice(at + 1) } };
}

/** The macros of a file by their names; a diagnostic where it cannot be read. */
export function readMacros(path: string, folder: string, reads: Reads): { readonly macros: Macros } | Diagnostic {
  const file = resolve(folder, path);
  const name = shownName(file, folder);
  const look = reads.look(file);
  if (look.bytes === undefined)
    return fileProblem("XL8002", `'${name}' cannot be read: ${reasonOfCode(look.problem ?? "ENOENT")}`);
  const text = decode(look.bytes);
  if (text === undefined) return fileProblem("XL8002", `'${name}' is not a text in UTF-8`);
  reads.texts.set(name, text);
  const read = text.trimStart().startsWith("{") ? ofJson(text) : ofLines(text);
  return "problem" in read ? fileProblem("XL8002", `'${name}': ${read.problem}`, read.help) : { macros: read.macro };
}

function ofJson(text: string): { readonly macro: Macros } | MacroProblem {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return { problem: `this is no JSON: ${error instanceof Error ? error.message : String(error)}` };
  }
  const macros: Record<string, string> = {};
  for (const [name, given] of Object.entries(value as Record<string, unknown>)) {
    if (typeof given !== "string" && typeof given !== "number" && typeof given !== "boolean")
      return { problem: `the value of '${name}' is a text, a number, true or false` };
    const read = readMacro(`${name}=${String(typeof given === "boolean" ? Number(given) : given)}`);
    if ("problem" in read) return read;
    Object.assign(macros, read.macro);
  }
  return { macro: macros };
}

function ofLines(text: string): { readonly macro: Macros } | MacroProblem {
  const macros: Record<string, string> = {};
  for (const [at, whole] of text.split(/\r?\n/).entries()) {
    const line = whole.trim();
    if (/^#\s*define\b/.test(line))
      return {
        problem: `line ${at + 1} is a directive`,
        help: "a header is given with --prelude; here a line is NAME=value",
      };
    if (line === "" || line.startsWith("#") || line.startsWith("//")) continue;
    const read = readMacro(line.replace(/^-D\s*/, ""));
    if ("problem" in read) return { ...read, problem: `line ${at + 1}: ${read.problem}` };
    Object.assign(macros, read.macro);
  }
  return { macro: macros };
}
