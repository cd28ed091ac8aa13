/** Whether a program of a language may use a name. */
import type { Dialect, Target } from "./ids.js";
import type { NameRole } from "./reserved-names.js";
import { languages } from "./languages.js";
import { wordSet } from "./words.js";

export type { NameRole } from "./reserved-names.js";

const javascript =
  wordSet(`abstract arguments as async await boolean break case catch class const constructor continue debugger declare
  default delete do else enum eval export extends false finally for from function get if implements import in instanceof
  interface is keyof let module namespace never new null number object of package private protected public readonly require
  return set static string super switch symbol this throw true try type typeof undefined unknown var void while with yield
  globalThis Math Array ArrayBuffer DataView Number BigInt Infinity NaN`);

/** What the dialect reads as something else than a name. */
function isWord(dialect: Dialect, name: string): boolean {
  const w = languages[dialect].words;
  return (
    w.keywords.has(name) ||
    w.qualifiers.has(name) ||
    w.spellings.has(name) ||
    w.arithmetic.has(name) ||
    w.types.has(name) ||
    w.typePattern.test(name) ||
    w.typeTemplates.has(name) ||
    w.functionTemplates.has(name)
  );
}

export function isReserved(target: Target, name: string, role: NameRole): boolean {
  if (target === "ts") return javascript.has(name);
  const { reserved, reading } = languages[target];
  const table = reserved();
  if (role === "entry" && name === table.entry) return false;
  if ((name === "defined" || name === "_Pragma") && role === "macro") return true;
  if (isWord(target, name) || table.words.has(name) || (reading && Object.hasOwn(reading.macros, name))) return true;
  const form = role === "member" ? (table.memberForm ?? table.form) : table.form;
  if (form.test(name) || table.more?.[role]?.has(name)) return true;
  return table.clashes.has(role) && (table.declared.has(name) || table.declaredForm?.test(name) === true);
}
