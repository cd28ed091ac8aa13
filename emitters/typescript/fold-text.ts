/** `a op b` of atomics and of reductions, as `foldOf` of the engine computes it. */
import type { ScalarKind } from "../../src/types/types.js";

const tokens: Readonly<Record<string, string>> = { add: "+", sub: "-", and: "&", or: "|", xor: "^" };

/** Of kinds whose typed array wraps what it is given. */
export const storedFoldText = (op: string, a: string, b: string): string => `${a} ${tokens[op]!} ${b}`;

/** Rounded or wrapped to the kind; the operands are names. Undefined where the engine computes it. */
export function foldText(
  kind: ScalarKind,
  op: string,
  a: string,
  b: string,
  runtime: (name: string) => string,
): string | undefined {
  const rounded = kind === "f32" ? "fround" : kind === "f16" ? "roundF16" : undefined;
  const whole = (e: string): string | undefined =>
    kind === "i32" ? `(${e}) | 0` : kind === "u32" ? `(${e}) >>> 0` : undefined;
  const token = tokens[op];
  switch (op) {
    case "min":
      return `${b} < ${a} ? ${b} : ${a}`;
    case "max":
      return `${a} < ${b} ? ${b} : ${a}`;
    default:
      if (token === undefined) return undefined;
      return rounded ? `${runtime(rounded)}(${a} ${token} ${b})` : whole(`${a} ${token} ${b}`);
  }
}
