/** How many components the operands of a row may have in a language. */
import { languageFacts } from "../dialects/languages.js";
import type { Dialect } from "../dialects/ids.js";
import type { OpFamily } from "../ast/op-ids.js";
import type { OperandSet, OpRow } from "./row.js";
import type { Parameter } from "./signature.js";
import { signatureOf } from "./spell.js";

const families: ReadonlySet<OpFamily> = new Set<OpFamily>(["math", "bits", "convert"]);
const shaped = /^(T|B|I|U|F|N|N8|N16|N64|Nt|M|W|H|R|C)$/;
/** The same number for all components: which bits of each one are meant. */
const common = "u32";
const wide = [8, 16];

/** Whether each component of what it gives, and puts into its places, comes of the same components of the operands, and of numbers common to all. */
export function goesByComponent(row: OpRow): boolean {
  if (!families.has(row.family) && !row.byComponent) return false;
  const { parameters, result } = signatureOf(row.signature);
  const isTaken = (p: Parameter): boolean => shaped.test(p.pattern) || (p.mode === "value" && p.pattern === common);
  return parameters.every(isTaken) && (shaped.test(result) || (result === "void" && parameters.length > 0));
}

/**
 * The sizes of T where a cell reads: `on` says up to four, and what goes by components takes more in languages whose vectors
 * have more (OpenCL C 3.0 section 6.15: `gentypen`).
 */
export function sizesRead(row: OpRow, on: OperandSet, dialect: Dialect): readonly number[] {
  const more = (goesByComponent(row) || row.everySize) && on.sizes.includes(4);
  return more ? [...on.sizes, ...wide.filter((n) => n <= languageFacts[dialect].widestVector)] : on.sizes;
}
