/** Functions that print (OpenCL C 3.0 6.15.14, GLSL_EXT_debug_printf, DXC's printf for SPIR-V). */
import {
  binary,
  conditional,
  constantOf,
  convert,
  expressionStatement,
  literal,
  literalValue,
  logical,
  print,
} from "../ast/builders.js";
import { noTrivia, type Expr, type Place, type Statement } from "../ast/nodes.js";
import { padded, printedText, readFormat, type PrintPiece, type SpelledConversion } from "../ast/print-format.js";
import type * as syntax from "../ast/syntax.js";
import type { PrintFunction } from "../dialects/language.js";
import { append } from "../support/append.js";
import type { Span } from "../support/span.js";
import { bitWidth, componentCount, isFloat, scalarOf, shaped, type ScalarKind, type Type } from "../types/types.js";
import { isPure } from "../ast/walk.js";
import { textOf } from "./character-arrays.js";
import { error, exprValue, notYet, type Sema, type Value } from "./context.js";
import { after } from "./held-values.js";
import { settledAlone } from "./open-literals.js";
import { mayChange } from "./program-memory.js";

/** How arguments are read, and what is asked of those that are conditions. */
interface Reading {
  readonly value: (x: syntax.Expression) => Expr | undefined;
  readonly condition: (value: Expr) => Expr | undefined;
}

/** An argument, or text that one is: of several the one under whose condition it stands, or the last. */
type Given = { readonly texts: readonly Text[] } | { readonly value: Expr };
interface Text {
  readonly condition?: Expr;
  readonly text: string;
}

/** How often a print may be written for the texts it chooses of. */
const mostPrints = 64;

export function printCall(
  s: Sema,
  e: syntax.Call,
  { result, messages }: PrintFunction,
  as: Reading,
): Value | undefined {
  const [first, ...rest] = e.arguments.map((x) => (x.kind === "parenthesized" ? x.expression : x));
  const format = first && textOf(first);
  if (format === undefined) return error(s, "XL2003", "the format that is printed is a string literal", e.span);
  const given: Given[] = [];
  for (const x of rest) {
    const texts = textsOf(s, x, as);
    if (texts) {
      given.push({ texts });
      continue;
    }
    const value = as.value(x);
    if (!value) return undefined;
    const held = heldTexts(s, value);
    given.push(held ? { texts: held } : { value: value.open ? settledAlone(s, value) : value });
  }
  const ways = given.reduce((n, g) => n * ("texts" in g ? g.texts.length : 1), 1);
  if (ways > mostPrints) return notYet(s, "printing one of so many texts is", e.span);
  const whole = messages && !format.endsWith("\n") ? `${format}\n` : format;
  const number = (printed: Expr): Expr =>
    result === "void" ? printed : after([printed], literal("i32", result, e.span), e.span);
  const made = printedOneOf(s, whole, given, number, e.span);
  if (!made) return undefined;
  const statements = [made.statement];
  return result === "void"
    ? { type: { kind: "void" }, statements, expr: made.expr }
    : { ...exprValue(made.expr), statements };
}

/** A print for each way in which texts may be chosen. */
function printedOneOf(
  s: Sema,
  format: string,
  given: readonly Given[],
  number: (printed: Expr) => Expr,
  span: Span,
): { readonly expr: Expr; readonly statement: Statement } | undefined {
  const at = given.findIndex((g) => "texts" in g && g.texts.length > 1);
  if (at < 0) {
    const printed = fitted(s, format, given, span);
    return printed && { expr: number(printed), statement: expressionStatement(printed, span) };
  }
  const [{ condition, text }, ...rest] = (given[at] as { texts: readonly Text[] }).texts as [Text, ...Text[]];
  const first = printedOneOf(s, format, given.with(at, { texts: [{ text }] }), number, span);
  const others = printedOneOf(s, format, given.with(at, { texts: rest }), number, span);
  if (!first || !others) return undefined;
  return {
    expr: conditional(condition!, first.expr, others.expr, span),
    statement: {
      kind: "if",
      condition: condition!,
      then: block([first.statement]),
      else: block([others.statement]),
      span,
      trivia: noTrivia,
    },
  };
}

const block = (statements: readonly Statement[]): Statement & { kind: "block" } => ({
  kind: "block",
  statements,
  innerComments: [],
  span: statements[0]!.span,
  trivia: noTrivia,
});

/** `"a"`, `c ? "a" : "b"` */
function textsOf(s: Sema, x: syntax.Expression, as: Reading): readonly Text[] | undefined {
  if (x.kind === "parenthesized") return textsOf(s, x.expression, as);
  const text = textOf(x);
  if (text !== undefined) return [{ text }];
  if (x.kind !== "conditional" || !x.whenTrue || !s.language.pointers || !holdsText(x)) return undefined;
  const arm = (e: syntax.Expression): readonly Text[] | undefined => {
    const literals = textsOf(s, e, as);
    const held = literals ? undefined : as.value(e);
    return literals ?? (held && heldTexts(s, held));
  };
  const [yes, no] = [arm(x.whenTrue), arm(x.whenFalse)];
  const value = as.value(x.condition);
  const condition = value && as.condition(value);
  return condition && yes && no && chosenTexts(condition, yes, no);
}

const holdsText = (x: syntax.Expression): boolean =>
  x.kind === "parenthesized"
    ? holdsText(x.expression)
    : x.kind === "conditional"
      ? [x.whenTrue, x.whenFalse].some((e) => e && holdsText(e))
      : textOf(x) !== undefined;

function chosenTexts(condition: Expr, yes: readonly Text[], no: readonly Text[]): readonly Text[] | undefined {
  if (yes.length > 1 && !isPure(condition)) return undefined;
  const under = yes.map(({ condition: inner, text }) => ({
    condition: inner ? logical("and", condition, inner, condition.span) : condition,
    text,
  }));
  return [...under, ...no];
}

/** The text in an array of characters whose values are known: `names[i]` is one of all that are there. */
function heldTexts(s: Sema, value: Expr): readonly Text[] | undefined {
  if (value.kind === "conditional") {
    const [yes, no] = [heldTexts(s, value.whenTrue), heldTexts(s, value.whenFalse)];
    return yes && no && chosenTexts(value.condition, yes, no);
  }
  const begins = value.kind === "load" ? begun(s, value.place) : undefined;
  // One that was chosen was chosen by what may have changed since.
  const before = begins && heldTexts(s, begins);
  if (before?.length === 1) return before;
  let place = value.kind === "address-of" ? value.place : value.kind === "load" ? value.place : undefined;
  if (place?.kind === "element" && place.type.kind !== "array" && literalValue(place.index) === 0) place = place.base;
  if (place?.type.kind !== "array" || !/^[iu]8$/.test(scalarOf(place.type.element) ?? "")) return undefined;
  if (place.kind === "variable") {
    const known = s.constants.get(place.variable);
    const text = known && charactersOf(known);
    return text === undefined ? undefined : [{ text }];
  }
  if (place.kind !== "element" || place.base.kind !== "variable" || !isPure(place.index)) return undefined;
  const rows = s.constants.get(place.base.variable);
  if (rows?.kind !== "construct") return undefined;
  const texts = rows.arguments.map(charactersOf);
  const { index, span } = place;
  if (!texts.every((t) => t !== undefined)) return undefined;
  return texts.map((text, i) =>
    i + 1 === texts.length ? { text } : { condition: binary("eq", index, constantOf(index.type, i, span), span), text },
  );
}

/** What a pointer variable begins as that nothing changes. */
function begun(s: Sema, place: Place): Expr | undefined {
  if (place.kind !== "variable") return undefined;
  const begins = s.textPointers.get(place.variable);
  const v = s.variables.get(place.variable)!;
  const stays = begins && (v.constant || !mayChange(s.source.text, v, v.type, () => undefined));
  return stays ? begins : undefined;
}

/** The text whose bytes in UTF-8 these are, up to the null; without one it is no text. */
function charactersOf(list: Expr): string | undefined {
  if (list.kind !== "construct") return undefined;
  const codes = list.arguments.map((a) => Number(literalValue(a)));
  const end = codes.indexOf(0);
  if (end < 0 || codes.some(Number.isNaN)) return undefined;
  return new TextDecoder().decode(Uint8Array.from(codes.slice(0, end).map((c) => c & 255)));
}

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
    else if ("texts" in x) pieces.push(printedText(new TextEncoder().encode(x.texts[0]!.text), piece));
    else if (letter === "p") pieces.push(padded("(pointer)", piece));
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

const leadsToCharacters = (type: Type): boolean =>
  type.kind === "pointer" && type.pointee.kind === "scalar" && /^[iu]8$/.test(type.pointee.scalar);

const isFloatLetter = (letter: SpelledConversion["letter"]): boolean => /[fega]/i.test(letter);

/** Why a conversion cannot print an argument. */
function mismatch({ letter, vector }: SpelledConversion, given: Given): string | undefined {
  if ("texts" in given) return letter === "s" ? undefined : "its argument is a string";
  const { type } = given.value;
  if (letter === "s") return leadsToCharacters(type) ? undefined : "its argument is no string";
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
  if (letter === "s") return value;
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
