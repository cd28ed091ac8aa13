/** Questions about code, for the printer. */
import { bodiesOf } from "../../src/regions/machine.js";
import type { Code } from "../../src/regions/tree.js";

/** Words of the runtime the printer may use: no name of a kernel may hide one. */
export const runtimeWords: readonly string[] = [
  "fround",
  "imul",
  "clz32",
  "sqrt",
  "abs",
  "floor",
  "ceil",
  "trunc",
  "min",
  "max",
  "halves",
  "roundF16",
  "canonical",
  "sameBits",
  "spread",
  "firstActive",
  "anyActive",
  "resume",
  "taken",
  "l",
  "bigToFloat",
  "f16Bits",
  "f32Bits",
  "f64Bits",
  "f16FromBits",
  "f32FromBits",
  "f64FromBits",
];

export const slotKind = (scalar: string): string => (scalar === "index" ? "f64" : scalar === "f16" ? "f32" : scalar);

export const jsType = (scalar: string): string =>
  scalar === "bool" ? "boolean" : scalar === "i64" || scalar === "u64" ? "bigint" : "number";

export function endsInReturn(list: readonly Code[]): boolean {
  const last = list.at(-1);
  if (!last) return false;
  if (last.kind === "return") return true;
  if (last.kind === "if") return endsInReturn(last.then) && endsInReturn(last.else);
  return last.kind === "block" && bodiesOf(last).every(endsInReturn);
}

/** Whether code, not a comment, has a name. */
export function usedIn(lines: readonly string[]): (name: string) => boolean {
  const words = new Set<string>();
  for (const line of lines)
    if (!line.trimStart().startsWith("//")) for (const [word] of line.matchAll(/[A-Za-z_$][\w$]*/g)) words.add(word);
  return (name) => words.has(name);
}
