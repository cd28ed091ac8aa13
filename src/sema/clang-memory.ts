/** `__builtin_memcpy` and `__builtin_memset` of whole objects, and sums of integers that say whether they fit (Clang's and GCC's manuals). */
import {
  assign,
  binary,
  bitcast,
  constantOf,
  construct,
  convert,
  declare,
  deref,
  element,
  expressionStatement,
  i32Literal,
  increment,
  literal,
  load,
  logical,
  opCall,
  pointerElement,
  rootVariable,
  swizzleValue,
  variablePlace,
} from "../ast/builders.js";
import { noTrivia, type BinaryOperator, type Expr, type Place, type Statement, type VarId } from "../ast/nodes.js";
import { intervalOf, intervalOfKind, within } from "../ast/interval.js";
import { isPure, walkExpr } from "../ast/walk.js";
import { type Span } from "../support/span.js";
import { layoutOf } from "../types/layout.js";
import {
  bitWidth,
  componentCount,
  isInteger,
  isSigned,
  sameType,
  scalar,
  scalarOf,
  shaped,
  type ScalarKind,
  type Type,
} from "../types/types.js";
import { evaluate } from "./constants.js";
import { zeroOf } from "./construct.js";
import { error, exprValue, notYet, shown, type Sema, type Value } from "./context.js";
import { after, kept, loopIndex } from "./held-values.js";
import { convertTo, read } from "./convert.js";
import { bitsOf } from "./expressions.js";

export function memoryCall(s: Sema, name: string, values: readonly Value[], span: Span): Value | undefined | "none" {
  const moves = /^__builtin_(memcpy|memmove|memcpy_inline|memset)$/.exec(name);
  if (moves && values.length === 3) return moved(s, name, values as [Value, Value, Value], span);
  const checked = ofChecked.exec(name);
  if (checked && values.length === 3) return checkedSum(s, name, checked, values as [Value, Value, Value], span);
  const carries = ofCarries.exec(name);
  if (carries && values.length === 4) return carriedSum(s, name, carries, values, span);
  return "none";
}

// ------------------------------------------------------------------ bytes

/** Elements one after the other that are copied or filled in a row; more are in a loop. */
const most = 16;

/** What so many bytes behind a pointer are: an object, or some of one type. */
interface Objects {
  readonly type: Type;
  /** The n-th; what it lies in is read as often as there are. */
  readonly places: readonly Place[];
}

function moved(
  s: Sema,
  name: string,
  [to, from, count]: readonly [Value, Value, Value],
  span: Span,
): Value | undefined {
  const size = read(s, count, span);
  const bytes = size && evaluate(s, size);
  if (!size) return undefined;
  const unfit = (why: string): undefined =>
    error(s, "XL1900", `'${name}' ${why} is not supported yet`, span, { help: "copy element by element" });
  const readOnly = to.readOnly ?? (to.type.kind === "pointer" && to.type.readOnly ? "it is const" : undefined);
  if (readOnly) return error(s, "XL2009", `${name} cannot write there, ${readOnly}`, span);
  if (typeof bytes !== "bigint") {
    const done = movedBytes(s, name, to, from, size, span);
    if (done !== "other objects") return done;
    return unfit(`of ${shown(s, to.type)} by a number of bytes that is not constant`);
  }
  const sets = name === "__builtin_memset";
  let done: Done;
  if (sets) {
    const value = convertTo(s, from, scalar("i32"), "argument", span, `argument 2 of '${name}'`);
    const byte = value && evaluate(s, value);
    if (!value) return undefined;
    const filled = (type: Type): Expr | undefined =>
      typeof byte === "bigint" ? filledWith(s, type, byte, span) : undefined;
    done = filledObjects(s, to, Number(bytes), filled, span);
  } else {
    done = copied(s, name === "__builtin_memmove", to, from, Number(bytes), span);
  }
  if (typeof done !== "string") return done;
  const inBytes = movedBytes(s, name, to, from, literal("u32", Number(bytes), span), span);
  if (inBytes !== "other objects") return inBytes;
  if (done === "no objects") return unfit(`of ${bytes} bytes, which are no whole objects of ${shown(s, to.type)},`);
  return unfit(
    sets ? `of ${shown(s, to.type)} with anything but zeros` : `of ${shown(s, from.type)} to ${shown(s, to.type)}`,
  );
}

type Done = Value | undefined | "no objects" | "other objects";

const inTurn = (list: readonly Expr[], span: Span): Value => ({
  type: { kind: "void" },
  expr: after(list.slice(0, -1), list.at(-1)!, span),
});

function filledObjects(s: Sema, to: Value, bytes: number, filled: (type: Type) => Expr | undefined, span: Span): Done {
  const here = objects(s, to, bytes, span);
  if (here === undefined) return undefined;
  const values = here === "none" ? [] : here.places.map((place) => filled(place.type));
  if (here !== "none" && values.every((v) => v !== undefined))
    return inTurn(
      here.places.map((place, n) => assign(place, values[n]!, span)),
      span,
    );
  const row = rowOf(s, to, bytes, span);
  if (row === undefined) return undefined;
  const value = row === "none" ? undefined : filled(row.type);
  const loop =
    row === "none" || !value ? "none" : inLoop(s, row.length, (n) => [assign(row.at(n), value, span)], row.first, span);
  return loop !== "none" ? loop : here === "none" ? "no objects" : "other objects";
}

/** `moves`: what it is copied to may overlap it, so that all is read first. */
function copied(s: Sema, moves: boolean, to: Value, from: Value, bytes: number, span: Span): Done {
  const here = objects(s, to, bytes, span);
  const there = here && objects(s, from, bytes, span);
  if (!here || !there) return undefined;
  const alike = here !== "none" && there !== "none" && sameType(here.type, there.type);
  const into = here === "none" || alike ? here : elementsOf(here, span);
  const values =
    there === "none" || into === "none" ? undefined : valuesAs(into, alike ? there : elementsOf(there, span), span);
  if (values && into !== "none") {
    const first: Expr[] = [];
    const read = moves && values.length > 1 ? values.map((v) => kept(s, v, first, span)) : values;
    return inTurn([...first, ...into.places.map((place, n) => assign(place, read[n]!, span))], span);
  }
  // A loop would have to know which of two that overlap comes first.
  const loop = moves ? "none" : copiedInLoop(s, to, from, bytes, span);
  return loop !== "none" ? loop : here === "none" ? "no objects" : "other objects";
}

// ------------------------------------------------------------------ more than stand in a row

/** Elements by their index; `first` keeps what may change while they are gone through. */
interface Row {
  readonly type: Type;
  readonly length: number;
  readonly at: (index: Expr) => Place;
  readonly first: readonly Expr[];
}

function copiedInLoop(s: Sema, to: Value, from: Value, bytes: number, span: Span): Value | undefined | "none" {
  const source = rowOf(s, from, bytes, span);
  const target = source && rowOf(s, to, bytes, span);
  if (!source || !target) return undefined;
  if (source === "none" || target === "none") return "none";
  const count = Math.min(source.length, target.length);
  /** Those that lie in one of the larger. */
  const within = (row: Row, n: Expr): Objects => {
    const each = row.length / count;
    const begin = each === 1 ? n : binary("mul", n, i32Literal(each, span), span);
    const at = (k: number): Expr => (k === 0 ? begin : binary("add", begin, i32Literal(k, span), span));
    return { type: row.type, places: Array.from({ length: each }, (_, k) => row.at(at(k))) };
  };
  if (source.length % count !== 0 || target.length % count !== 0) return "none";
  const copies = (n: Expr): Expr[] | undefined => {
    const into = within(target, n);
    const values = valuesAs(into, within(source, n), span);
    return values && into.places.map((place, k) => assign(place, values[k]!, span));
  };
  return inLoop(s, count, copies, [...target.first, ...source.first], span);
}

/** What is done for each index; "none" where it cannot be. */
function inLoop(
  s: Sema,
  count: number,
  done: (index: Expr) => readonly Expr[] | undefined,
  first: readonly Expr[],
  span: Span,
): Value | "none" {
  const index = loopIndex(s);
  const place = variablePlace(index, span);
  const list = done(load(place, span));
  if (!list) return "none";
  const loop: Statement = {
    kind: "for",
    initializer: [declare(index.id, i32Literal(0, span), span)],
    condition: binary("lt", load(place, span), i32Literal(count, span), span),
    step: increment(place, 1, false, span),
    body: {
      kind: "block",
      statements: list.map((e) => expressionStatement(e, span)),
      span,
      trivia: noTrivia,
      innerComments: [],
    },
    span,
    trivia: noTrivia,
  };
  return { type: { kind: "void" }, statements: [...first.map((e) => expressionStatement(e, span)), loop] };
}

/**
 * As many bytes as an expression says: objects where it is a multiple of their size, else bytes. What may overlap is copied from the
 * end where it moves on.
 */
function movedBytes(
  s: Sema,
  name: string,
  to: Value,
  from: Value,
  size: Expr,
  span: Span,
): Value | undefined | "other objects" {
  const first: Expr[] = [];
  let target = read(s, to, span);
  const sets = name === "__builtin_memset";
  let source = read(s, from, span);
  if (!target || !source) return undefined;
  if (target.type.kind !== "pointer" || (!sets && source.type.kind !== "pointer")) return "other objects";
  let count = numberOf(size, target.type.pointee, s, span);
  const byte = sets ? convertTo(s, from, scalar("i32"), "argument", span, `argument 2 of '${name}'`) : undefined;
  if (sets && !byte) return undefined;
  const known = byte && evaluate(s, byte);
  let filling = count && typeof known === "bigint" ? filledWith(s, target.type.pointee, known, span) : undefined;
  const alike = source.type.kind === "pointer" && sameType(source.type.pointee, target.type.pointee);
  if (!count || (sets ? !filling : !alike)) {
    count = size;
    target = asBytes(target);
    if (!sets) source = asBytes(source);
    if (byte) filling = convert(byte, scalar("u8"), true, span);
  }
  const written = target;
  const hold = (e: Expr): Expr => (isOfVariables(e) && !mayWrite(written, e) ? e : kept(s, e, first, span));
  [target, count] = [hold(target), hold(count)];
  const value = sets ? (filling!.kind === "literal" ? filling : hold(filling!)) : hold(source);
  const each = (n: Expr): Expr =>
    assign(pointerElement(target, n, span), sets ? value : load(pointerElement(value, n, span), span), span);
  const upward = countedLoop(s, count, false, each, span);
  const mayOverlap = name === "__builtin_memmove" && !apart(s, target, value);
  const moved: Statement = mayOverlap
    ? {
        kind: "if",
        condition: binary("lt", value, pointerLike(target, value, span), span),
        then: countedLoop(s, count, true, each, span),
        else: upward,
        span,
        trivia: noTrivia,
      }
    : upward;
  return { type: { kind: "void" }, statements: [...first.map((e) => expressionStatement(e, span)), moved] };
}

const pointerLike = (p: Expr, like: Expr, span: Span): Expr =>
  sameType(p.type, like.type) ? p : bitcast(p, like.type, span);

const asBytes = (p: Expr): Expr =>
  p.type.kind === "pointer" ? bitcast(p, { ...p.type, pointee: scalar("u8") }, p.span) : p;

/** Whether what is written behind a pointer may be a variable that a value is made of: `memcpy(&n, p, n)`. */
function mayWrite(pointer: Expr, value: Expr): boolean {
  if (pointer.type.kind !== "pointer" || pointer.type.space !== "private") return false;
  const into = objectOf(pointer);
  let may = false;
  walkExpr(value, {
    expr: (x) => {
      if (x.kind === "load" && x.type.kind !== "pointer")
        may ||= into === undefined || (x.place.kind === "variable" && x.place.variable === into);
    },
  });
  return may;
}

/** The variable that a pointer leads into, where the text shows it. */
function objectOf(pointer: Expr): VarId | undefined {
  if (pointer.kind === "bitcast") return objectOf(pointer.operand);
  if (pointer.kind === "pointer-offset") return objectOf(pointer.pointer);
  return pointer.kind === "address-of" ? rootVariable(pointer.place) : undefined;
}

/** Whether two pointers are into two variables, or memory of two kinds. Of two arguments a host may make one buffer. */
function apart(s: Sema, a: Expr, b: Expr): boolean {
  if (a.type.kind === "pointer" && b.type.kind === "pointer" && a.type.space !== b.type.space) return true;
  const [x, y] = [a, b].map((e) => (e.kind === "address-of" ? rootVariable(e.place) : undefined));
  if (x === undefined || y === undefined || x === y) return false;
  return [x, y].some((v) => s.variables.get(v)!.role !== "resource");
}

/** How many objects of the type so many bytes are, where that is plain: `n * sizeof(T)`. */
function numberOf(size: Expr, type: Type, s: Sema, span: Span): Expr | undefined {
  if (type.kind === "void" || (type.kind === "array" && type.length === undefined)) return undefined;
  const of = layoutOf(type, "natural", s.structs).size;
  const value = evaluate(s, size);
  if (typeof value === "bigint")
    return value % BigInt(of) === 0n ? literal("u32", Number(value) / of, span) : undefined;
  const plain = narrower(size);
  if (of === 1) return plain;
  if (size.kind !== "binary" || size.operator !== "mul") return undefined;
  for (const [n, factor] of [
    [size.left, size.right],
    [size.right, size.left],
  ] as const) {
    const by = evaluate(s, factor);
    if (typeof by !== "bigint" || by <= 0n || by % BigInt(of) !== 0n) continue;
    const times = Number(by) / of;
    const counted = narrower(n);
    return times === 1 ? counted : binary("mul", counted, constantOf(counted.type, times, span), span);
  }
  return undefined;
}

/** The number itself, where it was made wider for a number of bytes. */
const narrower = (e: Expr): Expr =>
  e.kind === "convert" && e.operand.type.kind === "scalar" && /^[iu]32$/.test(e.operand.type.scalar) ? e.operand : e;

function countedLoop(s: Sema, count: Expr, down: boolean, done: (index: Expr) => Expr, span: Span): Statement {
  const { type } = count;
  const index = loopIndex(s, type);
  const place = variablePlace(index, span);
  const [zero, one] = [0, 1].map((n) => convert(i32Literal(n, span), type, false, span)) as [Expr, Expr];
  const here = load(place, span);
  return {
    kind: "for",
    initializer: [declare(index.id, down ? count : zero, span)],
    condition: down ? binary("gt", here, zero, span) : binary("lt", here, count, span),
    step: increment(place, down ? -1 : 1, false, span),
    body: {
      kind: "block",
      statements: [expressionStatement(done(down ? binary("sub", here, one, span) : here), span)],
      span,
      trivia: noTrivia,
      innerComments: [],
    },
    span,
    trivia: noTrivia,
  };
}

function rowOf(s: Sema, v: Value, bytes: number, span: Span): Row | undefined | "none" {
  const { type, place } = v;
  if (
    type.kind === "array" &&
    place &&
    type.length !== undefined &&
    layoutOf(type, "natural", s.structs).size === bytes
  ) {
    if (!isPure(load(place, span))) return "none";
    return { type: type.element, length: type.length, at: (n: Expr) => element(place, n, span), first: [] };
  }
  const p = read(s, v, span);
  if (!p) return undefined;
  if (p.type.kind !== "pointer" || p.type.pointee.kind === "void") return "none";
  const { pointee } = p.type;
  if (pointee.kind === "array" && pointee.length === undefined) return "none";
  const length = bytes / layoutOf(pointee, "natural", s.structs).size;
  if (!Number.isInteger(length) || length < 1) return "none";
  const first: Expr[] = [];
  const held = isOfVariables(p) ? p : kept(s, p, first, span);
  return { type: pointee, length, at: (n: Expr) => pointerElement(held, n, span), first };
}

/** Whether it is made of variables alone, which what a pointer leads to is not. */
function isOfVariables(e: Expr): boolean {
  let fine = isPure(e);
  walkExpr(e, {
    expr: (x) => {
      if (x.kind === "load" && x.place.kind !== "variable") fine = false;
      return fine;
    },
  });
  return fine;
}

/** A short array of numbers as its elements. */
function elementsOf(objects: Objects, span: Span): Objects {
  const { type, places } = objects;
  const [whole] = places;
  if (type.kind !== "array" || places.length > 1 || !whole || type.length === undefined || type.length > most)
    return objects;
  const at = (_: unknown, n: number): Place => element(whole, i32Literal(n, span), span);
  return { type: type.element, places: Array.from({ length: type.length }, at) };
}

/** What each object becomes: a value of its type, numbers of the same size, or the bytes of one number. */
function valuesAs(to: Objects, from: Objects, span: Span): Expr[] | undefined {
  const values = from.places.map((place) => load(place, span));
  if (to.places.length === values.length && asTheSame(to.type, from.type))
    return values.map((v) => (sameType(to.type, from.type) ? v : bitcast(v, to.type, span)));
  const counts = [2, 4, 8, 16];
  if (isByte(from.type) && to.places.length === 1 && counts.includes(values.length)) {
    const bytes = construct(shaped(scalarOf(from.type)!, values.length), values, span);
    return bitsIn(to.type) === 8 * values.length ? [bitcast(bytes, to.type, span)] : undefined;
  }
  if (isByte(to.type) && values.length === 1 && counts.includes(to.places.length)) {
    if (bitsIn(from.type) !== 8 * to.places.length) return undefined;
    const bytes = bitcast(values[0]!, shaped(scalarOf(to.type)!, to.places.length), span);
    return to.places.map((_, n) => swizzleValue(bytes, [n], span));
  }
  return undefined;
}

const isByte = (type: Type): boolean => type.kind === "scalar" && /^[iu]8$/.test(type.scalar);

/** Of a number or a vector without bytes between its components. */
const bitsIn = (type: Type): number | undefined => (componentCount(type) === 3 ? undefined : bitsOf(type));

/** Numbers of the same size, whose bits are the bytes that are copied. */
function asTheSame(a: Type, b: Type): boolean {
  if (sameType(a, b)) return true;
  return bitsIn(a) !== undefined && bitsIn(a) === bitsIn(b);
}

function objects(s: Sema, v: Value, bytes: number, span: Span): Objects | undefined | "none" {
  const sizeOf = (type: Type): number => layoutOf(type, "natural", s.structs).size;
  if (v.type.kind === "array" && v.place && v.type.length !== undefined && sizeOf(v.type) === bytes) {
    const { type, place } = v;
    // Where each leads is found out for each.
    if (type.element.kind !== "pointer") return { type, places: [place] };
    const each = Array.from({ length: v.type.length }, (_, i) => element(place, i32Literal(i, span), span));
    return v.type.length > most ? "none" : { type: type.element, places: each };
  }
  const p = read(s, v, span);
  if (!p) return undefined;
  if (p.type.kind !== "pointer" || p.type.pointee.kind === "void") return "none";
  const type = p.type.pointee;
  if (type.kind === "array" && type.length === undefined) return "none";
  const n = bytes / sizeOf(type);
  if (!Number.isInteger(n) || n < 1 || n > most || (n > 1 && !isPure(p))) return "none";
  if (n === 1) return { type, places: [deref(p, span)] };
  return { type, places: Array.from({ length: n }, (_, i) => pointerElement(p, i32Literal(i, span), span)) };
}

function filledWith(s: Sema, type: Type, byte: bigint, span: Span): Expr | undefined {
  if ((byte & 0xffn) === 0n) return zeroOf(s, type, span);
  const kind = scalarOf(type);
  const n = componentCount(type);
  if (!kind || kind === "bool" || n === undefined) return undefined;
  const bits = bitWidth(kind);
  const word = `u${bits}` as ScalarKind;
  let value = 0n;
  for (let i = 0; i < bits; i += 8) value |= (byte & 0xffn) << BigInt(i);
  return bitcast(constantOf(shaped(word, n), bits === 64 ? value : Number(value), span), type, span);
}

// ------------------------------------------------------------------ sums that may not fit

const ofChecked = /^__builtin_(?:(add|sub|mul)_overflow|(s|u)(add|sub|mul)(l|ll)?_overflow)$/;
const ofCarries = /^__builtin_(add|sub)c(b|s|l|ll)?$/;
const widths: Readonly<Record<string, number>> = { "": 32, b: 8, s: 16, l: 64, ll: 64 };

/** The sum as of the whole numbers goes to `*out` as far as it fits; the value says whether it did not. */
function checkedSum(
  s: Sema,
  name: string,
  [, plain, sign, typed, size]: RegExpExecArray,
  [left, right, out]: readonly [Value, Value, Value],
  span: Span,
): Value | undefined {
  const p = read(s, out, span);
  const operator = (plain ?? typed) as "add" | "sub" | "mul";
  const kind = p?.type.kind === "pointer" ? scalarOf(p.type.pointee) : undefined;
  if (!p) return undefined;
  if (p.type.kind !== "pointer" || p.type.pointee.kind !== "scalar" || !kind || !isInteger(kind))
    return error(s, "XL2005", `argument 3 of ${name} is a pointer to an integer, not ${shown(s, p.type)}`, span);
  const own = plain === undefined ? (`${sign === "s" ? "i" : "u"}${widths[size ?? ""]!}` as ScalarKind) : undefined;
  const given = [left, right].map((v) => {
    const type = own && scalar(own);
    return type ? convertTo(s, v, type, "argument", span, `the argument of '${name}'`) : read(s, v, span);
  });
  if (!given.every((e) => e !== undefined)) return undefined;
  const first: Expr[] = [];
  const parts = given.map((e) => valueOf(s, e, first, span));
  const kinds = parts.map((e) => (e.type.kind === "scalar" && isInteger(e.type.scalar) ? e.type.scalar : undefined));
  if (!kinds.every((k) => k !== undefined))
    return error(s, "XL2005", `${name} takes integers, not ${given.map((e) => shown(s, e.type)).join(" and ")}`, span);
  const fits = (e: Expr): Expr | undefined => {
    if (e.type.kind === "scalar" && e.type.scalar === kind) return e;
    const value = e.kind === "literal" ? evaluate(s, e) : undefined;
    const isHeld = typeof value === "bigint" && within(intervalOf(value), intervalOfKind(kind));
    return isHeld ? literal(kind, bitWidth(kind) === 64 ? value : Number(value), span) : undefined;
  };
  const [a, b] = parts.map(fits);
  const target = deref(p, span);
  if (a && b && bitWidth(kind) >= 32) {
    const { value, lost } = inOwnWidth(operator, kind, [a, b], span);
    const sum = kept(s, value, first, span);
    return exprValue(after([...first, assign(target, sum, span)], lost(sum), span));
  }
  // In 64 bits the sum of any two smaller ones is exact.
  if ([...kinds, kind].some((k) => bitWidth(k) === 64) || kinds.every((k) => k === "u32"))
    return notYet(s, `'${name}' of ${[...kinds, kind].map((k) => shown(s, scalar(k))).join(", ")} is`, span);
  const wide = scalar("i64");
  const [x, y] = parts.map((e) => convert(e, wide, false, span)) as [Expr, Expr];
  const exact = kept(s, binary(operator, x, y, span), first, span);
  const sum = kept(s, convert(exact, scalar(kind), true, span), first, span);
  const lost = binary("ne", convert(sum, wide, false, span), exact, span);
  return exprValue(after([...first, assign(target, sum, span)], lost, span));
}

const valueOf = (s: Sema, e: Expr, first: Expr[], span: Span): Expr =>
  e.kind === "literal" || !s.fn ? e : kept(s, e, first, span);

/** Two numbers of one type: the result as it wraps, and whether it did. */
function inOwnWidth(
  operator: "add" | "sub" | "mul",
  kind: ScalarKind,
  [a, b]: readonly [Expr, Expr],
  span: Span,
): { readonly value: Expr; readonly lost: (sum: Expr) => Expr } {
  const type = scalar(kind);
  const zero = constantOf(type, 0, span);
  const bin = (op: BinaryOperator, x: Expr, y: Expr): Expr => binary(op, x, y, span);
  if (!isSigned(kind)) {
    const lost = (sum: Expr): Expr =>
      operator === "add"
        ? bin("lt", sum, a)
        : operator === "sub"
          ? bin("lt", a, b)
          : bin("ne", opCall("bits.mulhi", [a, b], type, span), zero);
    return { value: bin(operator, a, b), lost };
  }
  // Signed numbers wrap as the unsigned ones of their bits do.
  const word = scalar(`u${bitWidth(kind)}` as ScalarKind);
  const value = bitcast(bin(operator, bitcast(a, word, span), bitcast(b, word, span)), type, span);
  const lost = (sum: Expr): Expr => {
    if (operator === "mul") {
      const sign = bin("shr", sum, i32Literal(bitWidth(kind) - 1, span));
      return bin("ne", opCall("bits.mulhi", [a, b], type, span), sign);
    }
    const other = operator === "add" ? bin("xor", b, sum) : bin("xor", a, b);
    return bin("lt", bin("and", bin("xor", a, sum), other), zero);
  };
  return { value, lost };
}

/** `unsigned __builtin_addc(unsigned x, unsigned y, unsigned in, unsigned *out)` */
function carriedSum(
  s: Sema,
  name: string,
  [, operator, size]: RegExpExecArray,
  values: readonly Value[],
  span: Span,
): Value | undefined {
  const kind = `u${widths[size ?? ""]!}` as ScalarKind;
  const type = scalar(kind);
  const p = read(s, values[3]!, span);
  if (!p) return undefined;
  if (p.type.kind !== "pointer" || !sameType(p.type.pointee, type))
    return error(s, "XL2005", `argument 4 of ${name} is a pointer to ${shown(s, type)}, not ${shown(s, p.type)}`, span);
  const args = values.slice(0, 3).map((v) => convertTo(s, v, type, "argument", span, `the argument of '${name}'`));
  if (!args.every((a) => a !== undefined)) return undefined;
  const first: Expr[] = [];
  const [x, y, carry] = args.map((e) => valueOf(s, e, first, span)) as [Expr, Expr, Expr];
  const bin = (op: BinaryOperator, a: Expr, b: Expr): Expr => binary(op, a, b, span);
  const step = (a: Expr, b: Expr): Expr =>
    kept(s, convert(bin(operator as "add" | "sub", a, b), type, true), first, span);
  const sum = step(x, y);
  const total = step(sum, carry);
  const lost =
    operator === "add"
      ? logical("or", bin("lt", sum, x), bin("lt", total, sum), span)
      : logical("or", bin("lt", x, y), bin("lt", sum, carry), span);
  return exprValue(after([...first, assign(deref(p, span), convert(lost, type, false, span), span)], total, span));
}
