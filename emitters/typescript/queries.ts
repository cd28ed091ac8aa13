/** Questions about region trees and code, for the printer. */
import { bodiesOf, visitCode } from "../../src/regions/machine.js";
import type { Code, LabelId, LoopCode, MachineExpr, Region } from "../../src/regions/tree.js";

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

export function regionBodies(r: Region): readonly (readonly Region[])[] {
  switch (r.kind) {
    case "subgroups":
    case "block":
    case "if-any":
      return [r.body];
    case "if":
      return [r.then, r.else];
    case "loop":
      return [r.head, r.body, r.step];
    case "switch":
      return r.cases.map((c) => c.body);
    default:
      return [];
  }
}

export function regionsContinue(list: readonly Region[], label: LabelId): boolean {
  return list.some(
    (r) => (r.kind === "continue" && r.label === label) || regionBodies(r).some((b) => regionsContinue(b, label)),
  );
}

export function codeContinues(c: LoopCode): boolean {
  let found = false;
  visitCode(c.body, (x) => {
    if (x.kind === "continue" && x.label === c.label) found = true;
  });
  return found;
}

export function endsInReturn(list: readonly Code[]): boolean {
  const last = list.at(-1);
  if (!last) return false;
  if (last.kind === "return") return true;
  if (last.kind === "if") return endsInReturn(last.then) && endsInReturn(last.else);
  return last.kind === "block" && bodiesOf(last).every(endsInReturn);
}

/** Only arithmetic makes NaNs; constants and integers made floats do not. */
export function mayBeNaN(e: MachineExpr): boolean {
  if (e.kind === "constant") return e.value !== e.value;
  if (e.kind === "conversion") return e.from[0] === "f";
  if (e.kind === "choose") return mayBeNaN(e.whenTrue) || mayBeNaN(e.whenFalse);
  return true;
}
