/** Literals as the dialects read them: kind from digits and suffix, value exact, f32 rounded once from the digits. */
import type { SourceForm } from "../dialects/ids.js";
import { languageFacts, readingFacts } from "../dialects/languages.js";
import type { Literal as SyntaxLiteral } from "../ast/syntax.js";
import { cutToHalf, f32Bits, f32FromBits, roundFloat } from "../types/numeric.js";
import { bitWidth, isSigned, type ScalarKind } from "../types/types.js";

export interface ReadLiteral {
  readonly kind: ScalarKind;
  readonly value: number | bigint | boolean;
  /** Digits without suffix, as spelled. */
  readonly text: string;
  /** Its surroundings decide the type. */
  readonly open?: true;
  readonly distinct?: "half";
}
export type LiteralResult = ReadLiteral | { readonly problem: string } | { readonly notYet: string };

const two = (n: number): bigint => 1n << BigInt(n);

/**
 * `open`: HLSL before 202x, whose numbers without a suffix have no type of their own; `narrow`: HLSL compiled with types
 * of 16 bits.
 */
export function readLiteral(form: SourceForm, literal: SyntaxLiteral, open = false, narrow = false): LiteralResult {
  switch (literal.form) {
    case "boolean":
      return { kind: "bool", value: literal.text === "true", text: literal.text };
    case "integer":
      return readInteger(form, literal.text, open);
    case "float":
      return readFloat(form, literal.text, open, narrow);
    case "character":
      return readCharacter(form, literal.text);
    case "string":
      return { notYet: "string literals are" };
  }
}

function readInteger(form: SourceForm, spelled: string, open: boolean): LiteralResult {
  const m = /^(0[xX][0-9a-fA-F']+|0[bB][01']+|[0-9][0-9']*)([a-zA-Z]*)$/.exec(spelled);
  if (!m) return { problem: `'${spelled}' is not an integer` };
  const text = m[1]!;
  const suffix = m[2]!.toLowerCase();
  const digits = text.replaceAll("'", "");
  const octal = /^0[0-9]+$/.test(digits);
  if (octal && !/^[0-7]+$/.test(digits)) return { problem: `'${spelled}' has a digit that is not octal` };
  const value = BigInt(octal ? `0o${digits.slice(1)}` : digits);
  const decimal = !octal && !/^0[xXbB]/.test(digits);
  const result = (kind: ScalarKind, v: bigint): LiteralResult => ({
    kind,
    value: kind === "i64" || kind === "u64" ? v : Number(v),
    text: digits,
  });
  const tooLarge: LiteralResult = { problem: `'${spelled}' does not fit its type` };
  const { integerSuffixes } = readingFacts(form);
  if (integerSuffixes) {
    const kind = integerSuffixes.get(suffix);
    if (!kind) return { problem: `'${spelled}' has an unknown suffix` };
    const bits = bitWidth(kind);
    return value < two(bits) ? result(kind, isSigned(kind) ? BigInt.asIntN(bits, value) : value) : tooLarge;
  }
  const unsigned = suffix.includes("u");
  const long = suffix.replace("u", "");
  if (!/^(|u|l|ll|ul|ull|lu|llu)$/.test(suffix)) return { problem: `'${spelled}' has an unknown suffix` };
  if (value >= two(64)) return tooLarge;
  if (open) {
    if (suffix === "") return { kind: "i64", value: BigInt.asIntN(64, value), text, open };
    if (long.includes("ll")) return unsigned ? result("u64", value) : result("i64", BigInt.asIntN(64, value));
    // `l` changes nothing but that the number is an int, and what does not fit in 32 bits is cut off.
    const kind = unsigned || !decimal ? "u32" : "i32";
    const cut = kind === "u32" ? BigInt.asUintN(32, value) : BigInt.asIntN(32, value);
    return cut === value ? result(kind, cut) : { kind, value: Number(cut), text: String(cut) };
  }
  if (long === "") {
    if (unsigned) return value < two(32) ? result("u32", value) : result("u64", value);
    if (value < two(31)) return result("i32", value);
    // C99 6.4.4.1: decimal literals grow signed, others try unsigned first.
    if (!decimal && value < two(32)) return result("u32", value);
    return value < two(63) ? result("i64", value) : result("u64", value);
  }
  return unsigned || value >= two(63) ? result("u64", value) : result("i64", value);
}

function readFloat(form: SourceForm, separated: string, open: boolean, narrow: boolean): LiteralResult {
  const spelled = separated.replaceAll("'", "");
  const hex = /^0[xX]/.test(spelled);
  const m = hex
    ? /^(0[xX][0-9a-fA-F]*\.?[0-9a-fA-F]*[pP][+-]?[0-9]+)([a-zA-Z]*)$/.exec(spelled)
    : /^([0-9]*\.?[0-9]*(?:[eE][+-]?[0-9]+)?)([a-zA-Z]*)$/.exec(spelled);
  if (!m || m[1] === "" || m[1] === ".") return { problem: `'${spelled}' is not a number` };
  const text = m[1]!;
  const suffix = m[2]!.toLowerCase();
  const { floatSuffixes } = readingFacts(form);
  const given = narrow && suffix === "h" ? "f16" : floatSuffixes.get(suffix);
  if (!given && floatSuffixes.has(suffix)) return { notYet: `numbers like '${spelled}' are` };
  if (!given) return { problem: `'${spelled}' has an unknown suffix` };
  const isOpen = open && suffix === "";
  const distinct = open || narrow ? undefined : readingFacts(form).distinctSuffixes?.get(suffix);
  const kind = isOpen ? "f64" : given;
  const facts = readingFacts(form);
  const value =
    kind === "f32" && facts.floatsByDouble
      ? Math.fround(valueOfDigits(text, "f64"))
      : kind === "f16" && facts.cutsHalves
        ? cutToHalf(valueOfDigits(text, "f64"))
        : valueOfDigits(text, kind);
  if (!Number.isFinite(value)) return { problem: `'${spelled}' is beyond the range of its type` };
  return { kind, value, text, ...(isOpen ? { open: true } : {}), ...(distinct ? { distinct } : {}) };
}

/** The digits rounded once to the kind (not by way of double, which could round twice). */
export function valueOfDigits(text: string, kind: ScalarKind): number {
  const double = /^0[xX]/.test(text) ? hexFloat(text) : Number(text.startsWith(".") ? `0${text}` : text);
  if (kind === "f64") return double;
  const rounded = roundFloat(kind, double);
  if (rounded === double || !Number.isFinite(rounded)) return rounded;
  // Only where the double lies exactly between two neighbours can the digits decide otherwise.
  const other = neighbour(rounded, double > rounded, kind);
  if (Math.abs(double - rounded) !== Math.abs(other - double)) return rounded;
  const direction = compareDigits(text, double);
  if (direction === 0) return rounded;
  const up = direction > 0;
  const [low, high] = rounded < other ? [rounded, other] : [other, rounded];
  return up ? high : low;
}

/** The next number of the kind; beyond the largest one an infinity. */
function neighbour(x: number, up: boolean, kind: ScalarKind): number {
  if (kind === "f16") {
    const step = 2 ** (Math.max(-14, Math.floor(Math.log2(Math.abs(x) || 2 ** -24))) - 10);
    return roundFloat(kind, x + (up ? step : -step));
  }
  // A bf16 is the upper half of an f32.
  const step = kind === "bf16" ? 0x10000 : 1;
  if (x === 0) return (up ? step : -step) * 2 ** -149;
  const bits = f32Bits(x);
  return f32FromBits(x > 0 === up ? bits + step : bits - step);
}

function hexFloat(text: string): number {
  const m = /^0[xX]([0-9a-fA-F]*)\.?([0-9a-fA-F]*)[pP]([+-]?[0-9]+)$/.exec(text)!;
  const mantissa = BigInt(`0x${m[1]}${m[2]}` === "0x" ? "0x0" : `0x${m[1]}${m[2]}`);
  return Number(mantissa) * 2 ** (Number(m[3]) - 4 * m[2]!.length);
}

/** Sign of (the exact value of decimal digits - a double). Hex digits are exact already. */
function compareDigits(text: string, double: number): number {
  const m = /^([0-9]*)\.?([0-9]*)(?:[eE]([+-]?[0-9]+))?$/.exec(text);
  if (!m) return 0;
  let numerator = BigInt(`${m[1]}${m[2]}` || "0");
  let denominator = 1n;
  const exponent = Number(m[3] ?? 0) - m[2]!.length;
  if (exponent >= 0) numerator *= 10n ** BigInt(exponent);
  else denominator = 10n ** BigInt(-exponent);
  let scale = 0;
  let d = double;
  while (!Number.isInteger(d)) {
    d *= 2;
    scale++;
  }
  const left = numerator << BigInt(scale);
  const right = BigInt(d) * denominator;
  return left < right ? -1 : left > right ? 1 : 0;
}

const escapes: Readonly<Record<string, number>> = {
  n: 10,
  t: 9,
  r: 13,
  "0": 0,
  "\\": 92,
  "'": 39,
  '"': 34,
  "?": 63,
  a: 7,
  b: 8,
  f: 12,
  v: 11,
};

/** `\x41`, `\101`: the code of a char, which is signed. */
function numericEscape(body: string): number | undefined {
  const hex = /^\\x([0-9a-fA-F]+)$/.exec(body);
  const octal = /^\\([0-7]{1,3})$/.exec(body);
  const code = hex ? parseInt(hex[1]!, 16) : octal ? parseInt(octal[1]!, 8) : undefined;
  return code === undefined || code > 255 ? undefined : code > 127 ? code - 256 : code;
}

/** What a backslash and what follows it stand for. */
export const escapedCode = (escape: string): number | undefined =>
  escape.length === 2 && Object.hasOwn(escapes, escape[1]!) ? escapes[escape[1]!] : numericEscape(escape);

function readCharacter(form: SourceForm, spelled: string): LiteralResult {
  const { characters: kind, name } = languageFacts[form];
  if (!kind) return { problem: `${name} has no characters as literals` };
  const body = spelled.slice(1, -1);
  const code =
    body.length === 1 && body !== "\\" ? body.charCodeAt(0) : body[0] === "\\" ? escapedCode(body) : undefined;
  if (code === undefined || code > 127) return { problem: `'${spelled}' is not a character crosslane knows` };
  return { kind, value: code, text: String(code) };
}
