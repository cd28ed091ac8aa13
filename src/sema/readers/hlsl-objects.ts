/** Methods of HLSL's buffer objects. Raw buffers are arrays of u32 words here; byte addresses become word numbers. */
import {
  assign,
  binary,
  bitcast,
  construct,
  convert,
  declare,
  element,
  elementValue,
  expressionStatement,
  lengthOf,
  literal,
  load,
  memberValue,
  swizzleValue,
  variablePlace,
} from "../../ast/builders.js";
import type { Expr, Place, Statement } from "../../ast/nodes.js";
import type * as syntax from "../../ast/syntax.js";
import { noSpan, type Span } from "../../support/span.js";
import { arrayStride, memberOffsets, scalarsOf } from "../../types/layout.js";
import {
  array,
  bitWidth,
  enumerationOf,
  f32,
  sameType,
  scalar,
  scalarOf,
  shaped,
  u32,
  type MatrixType,
  type Type,
} from "../../types/types.js";
import { indexed } from "../access.js";
import { callBuiltin } from "../builtin-calls.js";
import { error, exprValue, newVariable, notYet, type Sema, type Value, shown } from "../context.js";
import { after, held, intoLocal } from "../held-values.js";
import { resolveTemplateArguments } from "../declared-types.js";
import { expression } from "../expressions.js";
import { convertTo } from "../convert.js";
import { isPlainNumber } from "../one-component.js";
import { valuesInOrder } from "../order-matters.js";
import { valueSpan, writablePlace } from "../assignments.js";
import { counterMethod } from "./hlsl-counters.js";
import { withStatus } from "./hlsl-status.js";

const voidValue = { type: { kind: "void" } } as const;

/** `object.name<T>(...)`. */
export function objectMethod(s: Sema, base: Value, callee: syntax.Member, e: syntax.Call): Value | undefined {
  const object = base.object!;
  const given = e.arguments.map((a) => expression(s, a));
  if (!given.every((a) => a !== undefined)) return undefined;
  const args = given;
  if (!takesArguments(s, callee.name.name, args, e.span)) return undefined;
  const { name, templateArguments } = callee.name;
  const templates = templateArguments ? resolveTemplateArguments(s, templateArguments) : [];
  if (!templates) return undefined;
  const { span } = e;
  const nameSpan = callee.name.span;
  if (name === "GetDimensions") return dimensions(s, base, args, span);
  if (object.view !== "raw") {
    if (name === "Load" && !object.counted) {
      const [index, status] = args;
      if (!index || args.length > 2)
        return error(s, "XL2005", "Load takes an index, and a status that it writes", span);
      if (object.element.kind === "matrix") return loadedByRows(s, span);
      const loaded = indexed(s, base, index, span);
      return loaded && status ? withStatus(s, loaded, status, span) : loaded;
    }
    const counted = counterMethod(s, base, name, args, span);
    if (counted !== "none") return counted;
    return error(s, "XL2012", `${object.typeName} has no method '${name}'`, nameSpan);
  }
  const wide = /^(Load|Store)([234]?)$/.exec(name);
  if (wide) {
    const template = templates[0];
    if (template !== undefined && (typeof template !== "object" || wide[2] !== ""))
      return error(s, "XL2013", `${name} takes a type in angle brackets`, span);
    if (wide[1] === "Load") return loadWords(s, base, name, Number(wide[2] || "1"), template, args, span);
    return storeWords(s, base, name, Number(wide[2] || "1"), template, args, span);
  }
  const atomic = atomicMethods.get(name);
  if (atomic) {
    const [address, ...rest] = args;
    if (!object.writable) return error(s, "XL2012", `${object.typeName} has no method '${name}'`, nameSpan);
    if (!address) return error(s, "XL2005", `${name} needs an address`, span);
    const place = atomicPlace(s, base.place!, typeOfAtomic(atomic, rest[0]), address, span);
    if (!place) return undefined;
    const made = callBuiltin(s, atomic.plain, [{ type: place.type, place }, ...rest], [], span, nameSpan, false);
    return made === "none" ? error(s, "XL2012", `${object.typeName} has no method '${name}'`, nameSpan) : made;
  }
  return error(s, "XL2012", `${object.typeName} has no method '${name}'`, nameSpan);
}

/** Methods take vectors of one component as what they store alone. */
function takesArguments(s: Sema, name: string, args: readonly Value[], span: Span): boolean {
  const stored = name === "Append" ? 0 : /^Store[234]?$/.test(name) ? 1 : undefined;
  return args.every(
    (a, i) =>
      i === stored ||
      isPlainNumber(s, a.type, `argument ${i + 1} of '${name}'`, valueSpan(a, span), "write .x behind it"),
  );
}

/** An atomic method of byte address buffers. */
interface AtomicMethod {
  /** The function that does the same with a place. */
  readonly plain: string;
  readonly of: "words" | "64 bits" | "floats";
  /** Minima and maxima compare as their value is signed (DXC). */
  readonly ordered: boolean;
}

const atomicMethods: ReadonlyMap<string, AtomicMethod> = new Map([
  ...["Add", "And", "Or", "Xor", "Min", "Max", "Exchange", "CompareExchange", "CompareStore"].flatMap((name) => {
    const plain = `Interlocked${name}`;
    const ordered = name === "Min" || name === "Max";
    const words: AtomicMethod = { plain, of: "words", ordered };
    return [[plain, words] as const, [`${plain}64`, { ...words, of: "64 bits" }] as const];
  }),
  ["InterlockedExchangeFloat", { plain: "InterlockedExchange", of: "floats", ordered: false }],
  ...["InterlockedCompareExchangeFloatBitwise", "InterlockedCompareStoreFloatBitwise"].map(
    (plain): [string, AtomicMethod] => [plain, { plain, of: "floats", ordered: false }],
  ),
]);

/** What such a method works on. */
function typeOfAtomic({ of, ordered }: AtomicMethod, value: Value | undefined): Type {
  if (of === "floats") return f32;
  const kind = value ? scalarOf(value.type) : undefined;
  const signed = ordered && (kind === "i32" || kind === "i64" || kind === "i16");
  return scalar(`${signed ? "i" : "u"}${of === "64 bits" ? 64 : 32}`);
}

function atomicPlace(s: Sema, words: Place, type: Type, address: Value, span: Span): Place | undefined {
  if (sameType(type, u32)) {
    const word = wordIndex(s, address, span);
    return word && element(words, word, span);
  }
  const offset = convertTo(s, address, u32, "argument", valueSpan(address, span), "the address");
  const size = bitWidth(scalarOf(type)!) / 8;
  if (offset?.kind === "literal" && Number(offset.value) % size !== 0)
    return error(s, "XL2003", `byte address ${Number(offset.value)} is not a multiple of ${size}`, offset.span);
  if (!offset) return undefined;
  const view: Place = { kind: "view", base: words, offset, type: array(type, undefined), span };
  return element(view, literal("i32", 0, span), span);
}

/** The number of the word at a byte address. */
function wordIndex(s: Sema, address: Value, span: Span): Expr | undefined {
  const e = convertTo(s, address, u32, "argument", valueSpan(address, span), "the address");
  if (!e) return undefined;
  if (e.kind === "literal") {
    const bytes = Number(e.value);
    if (bytes % 4 !== 0) return error(s, "XL2003", `byte address ${bytes} is not a multiple of 4`, e.span);
    return literal("u32", bytes / 4, e.span);
  }
  return binary("shr", e, literal("u32", 2, e.span), e.span);
}

function plus(index: Expr, n: number, span: Span): Expr {
  if (n === 0) return index;
  if (index.kind === "literal") return literal("u32", Number(index.value) + n, span);
  return binary("add", index, literal("u32", n, span), span);
}

/** `GetDimensions(out elements, out stride)`, of raw buffers `(out bytes)`: assignments. */
function dimensions(s: Sema, base: Value, args: readonly Value[], span: Span): Value | undefined {
  const object = base.object!;
  const length = lengthOf(base.place!, span);
  const stride = arrayStride(object.element, "structured", s.structs);
  const values =
    object.view === "raw"
      ? [binary("mul", length, literal("u32", 4, span), span)]
      : object.view === "structured"
        ? [length, literal("u32", stride, span)]
        : [length];
  if (args.length !== values.length)
    return error(
      s,
      "XL2005",
      `GetDimensions of a ${object.typeName} has ${values.length} results, not ${args.length}`,
      span,
    );
  const statements: Statement[] = [];
  for (const [i, a] of args.entries()) {
    const place = writablePlace(s, a, span, "passed to be written");
    const value = place && convertTo(s, exprValue(values[i]!), place.type, "assignment", span, "the number");
    if (!value) return undefined;
    statements.push(expressionStatement(assign(place, value, span), span));
  }
  return { ...voidValue, statements };
}

function loadedByRows(s: Sema, span: Span): undefined {
  const message = "Load of a matrix: DXC loads it by rows, however it is declared";
  return error(s, "XL2003", message, span, { help: "read b[i], which is by columns" });
}

/**
 * What `Load<T>` and `Store<T>` move: words, laid out as in structured buffers. A matrix by itself is loaded by rows and stored by
 * columns, without gaps, however it is declared (DXC's disassembly, also with `row_major`).
 */
function wordsOf(s: Sema, name: string, type: Type, span: Span): boolean {
  const kinds = scalarsOf(type, s.structs);
  if (type.kind !== "void" && type.kind !== "pointer" && kinds.every((k) => k === "bool" || bitWidth(k) >= 32))
    return true;
  notYet(s, `${name} of ${shown(s, type)} is`, span);
  return false;
}

/** The value of a type from the words at an address; `bytes` from there. */
function valueFrom(s: Sema, type: Type, word: (bytes: number) => Place, bytes: number, span: Span): Expr {
  const list = (n: number, part: Type, stride: number): Expr[] =>
    Array.from({ length: n }, (_, i) => valueFrom(s, part, word, bytes + i * stride, span));
  switch (type.kind) {
    case "scalar": {
      const first = load(word(bytes), span);
      if (type.scalar === "bool") return binary("ne", first, literal("u32", 0, span), span);
      if (bitWidth(type.scalar) === 32) return bitcast(first, type, span);
      return bitcast(construct(shaped("u32", 2), [first, load(word(bytes + 4), span)], span), type, span);
    }
    case "vector": {
      const part = scalar(type.scalar);
      if (type.scalar === "bool" || bitWidth(type.scalar) !== 32)
        return construct(type, list(type.size, part, arrayStride(part, "structured", s.structs)), span);
      return bitcast(construct(shaped("u32", type.size), list(type.size, u32, 4), span), type, span);
    }
    case "matrix": {
      const column = shaped(type.scalar, type.rows);
      return construct(type, list(type.columns, column, arrayStride(column, "structured", s.structs)), span);
    }
    case "array":
      return construct(
        type,
        list(type.length ?? 0, type.element, arrayStride(type.element, "structured", s.structs)),
        span,
        true,
      );
    case "struct": {
      const d = s.structs.get(type.name)!;
      const offsets = memberOffsets(d, "structured", s.structs);
      return construct(
        type,
        d.members.map((m, i) => valueFrom(s, m.type, word, bytes + offsets[i]!, span)),
        span,
        true,
      );
    }
    default:
      throw new Error(`${shown(s, type)} has no words`);
  }
}

/** A column of a matrix of one row is its one element. */
const columnOf = ({ scalar, rows }: MatrixType, elements: readonly Expr[], span: Span): Expr =>
  rows === 1 ? elements[0]! : construct(shaped(scalar, rows), elements, span);

/** A matrix whose words are those of its rows, one after the other. */
function matrixByRows(
  s: Sema,
  type: Type & { readonly kind: "matrix" },
  word: (bytes: number) => Place,
  span: Span,
): Expr {
  const part = scalar(type.scalar);
  const size = arrayStride(part, "structured", s.structs);
  const columns = Array.from({ length: type.columns }, (_, c) => {
    const elements = Array.from({ length: type.rows }, (_, r) =>
      valueFrom(s, part, word, size * (r * type.columns + c), span),
    );
    return columnOf(type, elements, span);
  });
  return construct(type, columns, span);
}

/** The words of a value with their offsets. */
function wordsFrom(s: Sema, value: Expr, bytes: number, span: Span): { readonly bytes: number; readonly word: Expr }[] {
  const { type } = value;
  const each = (n: number, stride: number): { readonly bytes: number; readonly word: Expr }[] =>
    Array.from({ length: n }, (_, i) =>
      wordsFrom(s, elementValue(value, literal("i32", i, span), span), bytes + i * stride, span),
    ).flat();
  switch (type.kind) {
    case "scalar": {
      if (type.scalar === "bool") return [{ bytes, word: convert(value, u32, true, span) }];
      if (bitWidth(type.scalar) === 32) return [{ bytes, word: bitcast(value, u32, span) }];
      const pair = bitcast(value, shaped("u32", 2), span);
      return [0, 1].map((k) => ({ bytes: bytes + 4 * k, word: swizzleValue(pair, [k], span) }));
    }
    case "vector":
      return Array.from({ length: type.size }, (_, i) =>
        wordsFrom(
          s,
          swizzleValue(value, [i], span),
          bytes + i * arrayStride(scalar(type.scalar), "structured", s.structs),
          span,
        ),
      ).flat();
    case "matrix":
      return each(type.columns, arrayStride(shaped(type.scalar, type.rows), "structured", s.structs));
    case "array":
      return each(type.length ?? 0, arrayStride(type.element, "structured", s.structs));
    case "struct": {
      const d = s.structs.get(type.name)!;
      const offsets = memberOffsets(d, "structured", s.structs);
      return d.members.flatMap((m, i) =>
        wordsFrom(s, memberValue(value, m.name, m.type, span), bytes + offsets[i]!, span),
      );
    }
    default:
      throw new Error(`${shown(s, type)} has no words`);
  }
}

/** Whether parts of words are moved. */
const isNarrow = (s: Sema, type: Type): boolean =>
  scalarsOf(type, s.structs).some((k) => k !== "bool" && bitWidth(k) === 16);

/** The elements of a matrix of numbers of 16 bits, which lie without gaps from the address on. */
function narrowElements(
  s: Sema,
  words: Place,
  type: Type & { readonly kind: "matrix" },
  address: Value,
  span: Span,
): { readonly first: readonly Expr[]; readonly at: (i: number) => Place } | undefined {
  const given = convertTo(s, address, u32, "argument", valueSpan(address, span), "the address");
  if (!given) return undefined;
  const { first, values } = held(s, [given], span);
  const all = array(scalar(type.scalar), type.columns * type.rows);
  const place = narrowPlace(s, words, all, exprValue(values[0]!), span);
  return place && { first, at: (i) => element(place, literal("i32", i, span), span) };
}

/** By rows, as other matrices. */
function narrowMatrix(
  s: Sema,
  words: Place,
  type: Type & { readonly kind: "matrix" },
  address: Value,
  span: Span,
): Value | undefined {
  const elements = narrowElements(s, words, type, address, span);
  if (!elements) return undefined;
  const columns = Array.from({ length: type.columns }, (_, c) => {
    const parts = Array.from({ length: type.rows }, (_, r) => load(elements.at(r * type.columns + c), span));
    return columnOf(type, parts, span);
  });
  return exprValue(after(elements.first, construct(type, columns, span), span));
}

/** By columns, as other matrices. */
function storeNarrowMatrix(
  s: Sema,
  words: Place,
  type: Type & { readonly kind: "matrix" },
  [address, given]: readonly Value[],
  span: Span,
): Expr | undefined {
  const elements = narrowElements(s, words, type, address!, span);
  const value = convertTo(s, given!, type, "argument", valueSpan(given!, span), "the value");
  if (!elements || !value) return undefined;
  const whole = intoLocal(s, value, span);
  const stores = Array.from({ length: type.columns * type.rows }, (_, i) => {
    const column = elementValue(whole.value, literal("i32", Math.floor(i / type.rows), span), span);
    const part = column.type.kind === "vector" ? swizzleValue(column, [i % type.rows], span) : column;
    return assign(elements.at(i), part, span);
  });
  return after([...elements.first, whole.first, ...stores.slice(0, -1)], stores.at(-1)!, span);
}

/** What has numbers of 16 bits lies at any even address. */
function narrowPlace(s: Sema, words: Place, type: Type, address: Value, span: Span): Place | undefined {
  const offset = convertTo(s, address, u32, "argument", valueSpan(address, span), "the address");
  if (offset?.kind === "literal" && Number(offset.value) % 2 !== 0)
    return error(s, "XL2003", `byte address ${Number(offset.value)} is not a multiple of 2`, offset.span);
  if (!offset) return undefined;
  const view: Place = { kind: "view", base: words, offset, type: array(type, undefined), span };
  return element(view, literal("i32", 0, span), span);
}

function loadWords(
  s: Sema,
  base: Value,
  name: string,
  count: number,
  template: Type | undefined,
  args: readonly Value[],
  span: Span,
): Value | undefined {
  const [address, status] = args;
  if (!address || args.length > 2)
    return error(s, "XL2005", `${name} takes an address, and a status that it writes`, span);
  const loaded = wordsAt(s, base, name, template ?? shaped("u32", count), address, span);
  return loaded && status ? withStatus(s, loaded, status, span) : loaded;
}

/** The value of a type whose words begin at an address. */
function wordsAt(s: Sema, base: Value, name: string, type: Type, address: Value, span: Span): Value | undefined {
  if (isNarrow(s, type)) {
    if (type.kind === "matrix") return narrowMatrix(s, base.place!, type, address, span);
    const place = narrowPlace(s, base.place!, type, address, span);
    return place && exprValue(load(place, span));
  }
  const index = wordIndex(s, address, span);
  if (!index || !wordsOf(s, name, type, span)) return undefined;
  const one = scalarsOf(type, s.structs).length === 1 && type.kind === "scalar" && bitWidth(type.scalar) <= 32;
  const { first, values } = one ? { first: [], values: [index] } : held(s, [index], span);
  const word = (bytes: number): Place => element(base.place!, plus(values[0]!, bytes / 4, span), span);
  const value = type.kind === "matrix" ? matrixByRows(s, type, word, span) : valueFrom(s, type, word, 0, span);
  return exprValue(after(first, value, span));
}

function storeWords(
  s: Sema,
  base: Value,
  name: string,
  count: number,
  template: Type | undefined,
  args: readonly Value[],
  span: Span,
): Value | undefined {
  if (!base.object!.writable) return error(s, "XL2012", `${base.object!.typeName} has no method '${name}'`, span);
  if (args.length !== 2) return error(s, "XL2005", `${name} takes an address and a value`, span);
  const given = template ?? (name === "Store" ? storedType(s, args[1]!, span) : undefined);
  const type = given ?? shaped("u32", count);
  const ordered = valuesInOrder(s, args, span);
  if (isNarrow(s, type)) {
    if (type.kind === "matrix") {
      const stored = storeNarrowMatrix(s, base.place!, type, ordered.values, span);
      return stored && { ...voidValue, expr: after(ordered.first, stored, span) };
    }
    const place = narrowPlace(s, base.place!, type, ordered.values[0]!, span);
    const value = convertTo(s, ordered.values[1]!, type, "argument", valueSpan(args[1]!, span), "the value");
    return place && value && { ...voidValue, expr: after(ordered.first, assign(place, value, span), span) };
  }
  const index = wordIndex(s, ordered.values[0]!, span);
  if (!index || !wordsOf(s, name, type, span)) return undefined;
  const value = convertTo(s, ordered.values[1]!, type, "argument", valueSpan(args[1]!, span), "the value");
  if (!value) return undefined;
  if (type.kind === "scalar" && bitWidth(type.scalar) === 32)
    return {
      ...voidValue,
      expr: after(
        ordered.first,
        assign(element(base.place!, index, span), bitcast(value, u32, value.span), span),
        span,
      ),
    };
  // The value is computed before the first word is written.
  const statements: Statement[] = ordered.first.map((x) => expressionStatement(x, span));
  const keep = (e: Expr, label: string): Expr => {
    const v = newVariable(s, {
      name: label,
      type: e.type,
      space: "private",
      role: "local",
      constant: true,
      span: noSpan,
    });
    statements.push(declare(v.id, e, span));
    return load(variablePlace(v, span), span);
  };
  const at = index.kind === "literal" ? index : keep(index, "word");
  const kept =
    type.kind === "vector" && type.scalar !== "bool" && bitWidth(type.scalar) === 32
      ? keep(bitcast(value, shaped("u32", type.size), value.span), "value")
      : keep(value, "value");
  for (const { bytes, word } of wordsFrom(s, kept, 0, span))
    statements.push(
      expressionStatement(assign(element(base.place!, plus(at, bytes / 4, span), span), word, span), span),
    );
  return { ...voidValue, statements };
}

/**
 * What `Store(a, v)` without a type stores: DXC keeps what the value is, of any size. Its forms `Store2` to `Store4` convert to `uint`, as
 * other compilers do here, too, where they know the type.
 */
function storedType(s: Sema, v: Value, span: Span): Type | undefined {
  const kind = scalarOf(v.type);
  const float = kind?.startsWith("f") === true;
  const type = v.literal ? (float ? scalar("f32") : undefined) : v.type;
  if (!type || (kind === "bool" && type.kind === "scalar")) return undefined;
  if (float && kind !== "f16")
    s.problems.warning("XL2022", `Store keeps the bits of ${shown(s, type)} here, as DXC does`, span, {
      help: "other compilers convert it to uint: write Store(address, asuint(value)) or Store<T>(address, value)",
    });
  if (!enumerationOf(type) || type.kind !== "scalar") return type;
  return bitWidth(type.scalar) === 32 ? undefined : scalar(type.scalar);
}
