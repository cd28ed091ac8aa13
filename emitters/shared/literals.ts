/** Numbers as text. The source's digits are kept where they still say the value and the target can read them. */
import type { Literal } from "../../src/ast/nodes.js";
import { precedence } from "../../src/ast/operators.js";
import { cutToHalf, decimalOf, isBetweenFloats, roundF16, roundF16By } from "../../src/types/numeric.js";
import { isFloat, type ScalarKind } from "../../src/types/types.js";
import type { Text } from "./syntax.js";

export interface LiteralStyle {
  /** After the digits, by kind. A kind that is missing is written by a cast around the number. */
  readonly suffixes: Partial<Record<ScalarKind, string>>;
  /** Binary `0b1` and digit separators. */
  readonly binary: boolean;
  readonly hexFloats: boolean;
  /** Digits of a half are cut, not rounded. */
  readonly cutsHalves?: boolean;
  readonly cast: (text: string, kind: ScalarKind) => string;
}

function withPoint(text: string): string {
  return /[.e]/.test(text) ? text.replace("e+", "e") : `${text}.0`;
}

/** Halfway between two halves digits that a double does not show decide. */
function readsAsHalf(digits: number, value: number, style: LiteralStyle): boolean {
  if (style.cutsHalves) return cutToHalf(digits) === value;
  const [below, above] = [roundF16By(digits, "rtz"), roundF16By(digits, "rtp")];
  return digits === value || (roundF16(digits) === value && digits - below !== above - digits);
}

function usable(text: string, value: number | bigint, kind: ScalarKind, style: LiteralStyle): string | undefined {
  if (/'/.test(text)) return undefined;
  if (isFloat(kind)) {
    if (/^0[xX]/.test(text)) return style.hexFloats && /[pP]/.test(text) ? text : undefined;
    if (kind === "f16" && !readsAsHalf(Number(text), Number(value), style)) return undefined;
    if (!/[.eE]/.test(text)) return /^(0|[1-9]\d*)$/.test(text) ? `${text}.0` : undefined;
    // `.5` and `1.` are read everywhere.
    return kind === "f32" && isBetweenFloats(Number(text)) ? undefined : text;
  }
  if (/[.eEpP]/.test(text) && !/^0[xX]/.test(text)) return undefined;
  if (/^0[bB]/.test(text)) return style.binary ? text : undefined;
  return text;
}

export function literalText(l: Literal, style: LiteralStyle): Text {
  const { type, value } = l;
  const kind = type.scalar;
  if (typeof value === "boolean") return { text: String(value), precedence: precedence.primary, type };
  const negative = typeof value === "bigint" ? value < 0n : value < 0 || Object.is(value, -0);
  const suffix = style.suffixes[kind];
  const finish = (digits: string): Text => {
    if (suffix === undefined)
      return { text: style.cast(negative ? `-${digits}` : digits, kind), precedence: precedence.postfix, type };
    return negative
      ? { text: `-${digits}${suffix}`, precedence: precedence.unary, type }
      : { text: digits + suffix, precedence: precedence.primary, type };
  };
  const kept = l.text !== undefined && !negative ? usable(l.text, value, kind, style) : undefined;
  if (kept !== undefined) return finish(kept);
  if (isFloat(kind)) return finish(withPoint(decimalOf(Math.abs(Number(value)), kind)));
  const magnitude = typeof value === "bigint" ? (value < 0n ? -value : value) : Math.abs(value);
  // The least int is no literal: 2147483648 does not fit before the minus applies.
  if (negative && kind === "i32" && Number(magnitude) === 2147483648)
    return { text: "-2147483647 - 1", precedence: precedence.additive, type };
  if (negative && kind === "i64" && BigInt(magnitude) === 1n << 63n)
    return { text: `-9223372036854775807${suffix ?? ""} - 1`, precedence: precedence.additive, type };
  // Large unsigned numbers that the source does not write are masks and bit patterns.
  return finish(
    kind[0] === "u" && magnitude > 0xffff ? `0x${magnitude.toString(16).padStart(8, "0")}` : String(magnitude),
  );
}
