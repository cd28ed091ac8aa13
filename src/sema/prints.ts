/** Functions that print (OpenCL C 3.0 6.15.14, GLSL_EXT_debug_printf, DXC's printf for SPIR-V). */
import { convert, expressionStatement, literal, print } from "../ast/builders.js";
import type { Expr } from "../ast/nodes.js";
import { padded, readFormat, type PrintPiece, type SpelledConversion } from "../ast/print-format.js";
import type * as syntax from "../ast/syntax.js";
import type { PrintFunction } from "../dialects/language.js";
import { append } from "../support/append.js";
import type { Span } from "../support/span.js";
import { bitWidth, componentCount, isFloat, scalarOf, shaped, type ScalarKind } from "../types/types.js";
import { after, error, exprValue, notYet, type Sema, type Value } from "./context.js";
import { escapedCode } from "./literals.js";
import { settledAlone } from "./open-literals.js";

/** An argument, or text that one is. */
type Given = { readonly text: string } | { readonly value: Expr };

/** `valueOf`: an argument's value. */
export function printCall(
  s: Sema,
  e: syntax.Call,
  { result, messages }: PrintFunction,
  valueOf: (x: syntax.Expression) => Expr | undefined,
): Value | undefined {
  const [first, ...rest] = e.arguments.map((x) => (x.kind === "parenthesized" ? x.expression : x));
  const format = first && textOf(first);
  if (format === undefined) return error(s, "XL2003", "the format that is printed is a string literal", e.span);
  const given: Given[] = [];
  for (const x of rest) {
    const text = textOf(x);
    if (text !== undefined) {
      given.push({ text });
      continue;
    }
    const value = valueOf(x);
    if (!value) return undefined;
    given.push({ value: value.open ? settledAlone(s, value) : value });
  }
  const whole = messages && !format.endsWith("\n") ? `${format}\n` : format;
  const printed = fitted(s, whole, given, e.span);
  if (!printed) return undefined;
  const statements = [expressionStatement(printed, e.span)];
  if (result === "void") return { type: { kind: "void" }, statements, expr: printed };
  return { ...exprValue(after([printed], literal("i32", result, e.span), e.span)), statements };
}

/** The characters of a string literal, several of which may follow each other (C99 6.4.5); undefined of anything else. */
function textOf(e: syntax.Expression): string | undefined {
  if (e.kind !== "literal" || e.form !== "string") return undefined;
  const tokens = /\/\*[^]*?\*\/|\/\/[^\n]*|"((?:[^"\\]|\\[^])*)"/g;
  return [...e.text.matchAll(tokens)].map(([, inside]) => unescaped(inside ?? "")).join("");
}

const unescaped = (text: string): string =>
  text.replace(/\\(?:x[0-9a-fA-F]+|[0-7]{1,3}|[^])/g, (escape) => {
    const code = escapedCode(escape);
    return code === undefined ? escape.slice(1) : String.fromCharCode(code & 255);
  });

/** No more is promised of one (C99 7.19.6.1 (15)). */
const mostOfConversion = 4095;

/** What is printed: each conversion with the argument it takes, as the type that it prints. */
function fitted(s: Sema, format: string, given: readonly Given[], span: Span): Expr | undefined {
  const left = [...given];
  const pieces: PrintPiece[] = [];
  const values: Expr[] = [];
  /** Evaluated, and printed by no conversion. */
  const further: Expr[] = [];
  for (const piece of readFormat(format)) {
    if (typeof piece === "string") {
      pieces.push(piece);
      continue;
    }
    const { letter, text, vector: _vector, bits: _bits, ...how } = piece;
    if (Math.max(piece.width ?? 0, piece.precision ?? 0) > mostOfConversion)
      return error(s, "XL2003", `'${text}': a conversion prints ${mostOfConversion} characters at most`, span);
    const x = left.shift();
    const wrong = x ? mismatch(piece, x) : "there is no argument for it";
    if (wrong !== undefined) s.problems.warning("XL2003", `'${text}' is printed as it stands: ${wrong}`, span);
    if (!x || wrong !== undefined) pieces.push(text);
    else if ("text" in x) pieces.push(padded(x.text.slice(0, piece.precision), piece));
    else if (letter === "p") pieces.push(padded("(pointer)", piece));
    else if (letter === "s") return notYet(s, "printing characters that are no literal is", span);
    else {
      pieces.push({ ...how, letter });
      values.push(asPrinted(piece, x.value));
    }
    if (x && "value" in x && (wrong !== undefined || letter === "p")) further.push(x.value);
  }
  append(
    further,
    left.flatMap((x) => ("value" in x ? [x.value] : [])),
  );
  // A pointer that nothing is made of is no value on every target.
  const evaluated = further.filter((x) => x.type.kind !== "pointer" && x.type.kind !== "void");
  return print(joined(pieces), [...values, ...evaluated], span);
}

const isFloatLetter = (letter: SpelledConversion["letter"]): boolean => /[fega]/i.test(letter);

/** Why a conversion cannot print an argument. */
function mismatch({ letter, vector }: SpelledConversion, given: Given): string | undefined {
  if ("text" in given) return letter === "s" ? undefined : "its argument is a string";
  const { type } = given.value;
  if (letter === "s") return undefined;
  if (letter === "p") return type.kind === "pointer" ? undefined : "its argument is no pointer";
  const kind = type.kind === "scalar" || type.kind === "vector" ? scalarOf(type) : undefined;
  if (!kind) return "its argument is no number";
  const components = type.kind === "vector" ? componentCount(type) : undefined;
  if (components !== vector)
    return `its argument has ${components === undefined ? "no components" : `${components} components`}`;
  if (isFloatLetter(letter) !== isFloat(kind)) return `its argument is ${isFloat(kind) ? "a float" : "no float"}`;
  return undefined;
}

/** Integers become what letter and length say (C99 6.5.2.2 (6) has promoted them before), of vectors as wide as they are without one. */
function asPrinted({ letter, bits }: SpelledConversion, value: Expr): Expr {
  const kind = scalarOf(value.type)!;
  const to = (wanted: ScalarKind): Expr =>
    wanted === kind ? value : convert(value, shaped(wanted, componentCount(value.type)!), false);
  if (isFloat(kind)) return kind === "bf16" ? to("f32") : value;
  if (letter === "c") return to("u8");
  const wide = bits ?? (value.type.kind === "vector" && kind !== "bool" ? bitWidth(kind) : 32);
  return to(`${letter === "d" ? "i" : "u"}${wide}` as ScalarKind);
}

function joined(pieces: readonly PrintPiece[]): PrintPiece[] {
  const out: PrintPiece[] = [];
  for (const p of pieces) {
    const last = out.at(-1);
    if (typeof p === "string" && typeof last === "string") out[out.length - 1] = last + p;
    else if (p !== "") out.push(p);
  }
  return out;
}
