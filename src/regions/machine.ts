/** Machine expressions: constructors that fold constants, and what may be asked of them. */
import {
  binaryConstant,
  bitcastConstant,
  constantOfKind,
  convertConstant,
  unaryConstant,
} from "../ast/constant-values.js";
import type { BinaryOperator } from "../ast/nodes.js";
import { intervalOf, intervalOfKind, intervalOfOperator, within, type Interval } from "../ast/interval.js";
import { scalarSize } from "../types/layout.js";
import { isFloat, isInteger, type ScalarKind } from "../types/types.js";
import { integerRange, roundFloat, wrapInteger } from "../types/numeric.js";
import type {
  Address,
  Code,
  Constant,
  Conversion,
  ConversionMode,
  LocalId,
  MachineExpr,
  MachineScalar,
  SiteId,
} from "./tree.js";

/** Bytes of a scalar in the memory of a launch. */
export const bytesOf = (kind: ScalarKind): number => scalarSize(kind, "natural");

export const constant = (scalar: MachineScalar, value: number | bigint | boolean): Constant => ({
  kind: "constant",
  scalar,
  value,
});
export const indexConstant = (value: number): Constant => constant("index", value);

export const isBig = (kind: MachineScalar): boolean => kind === "i64" || kind === "u64";

/** A literal's value as the engine's value of its kind. */
export function constantOf(kind: ScalarKind, value: number | bigint | boolean): Constant {
  if (kind === "bool") return constant("bool", Boolean(value));
  const number = typeof value === "boolean" ? Number(value) : value;
  if (isInteger(kind)) return constant(kind, wrapInteger(kind, number));
  return constant(kind, roundFloat(kind, Number(number)));
}

export const zeroOf = (kind: ScalarKind): Constant => constantOf(kind, kind === "bool" ? false : 0);

export function local(id: LocalId, scalar: MachineScalar): MachineExpr {
  return { kind: "local", scalar, local: id };
}

/** An operation of operands of kind `on`; folded where all of them are constants and the op is plain arithmetic. */
export function operation(
  scalar: MachineScalar,
  on: MachineScalar,
  op: string,
  args: readonly MachineExpr[],
  site?: SiteId,
): MachineExpr {
  const folded = on === "index" ? foldIndex(op, args) : fold(scalar as ScalarKind, on, op, args);
  // What has a finding is left to the run.
  if (folded && (site === undefined || isExact(op, args, folded))) return folded;
  return { kind: "operation", scalar, on, op, arguments: args, ...(site === undefined ? {} : { site }) };
}

/** Of sums, products and shifts of constant integers: that they came out as in the whole numbers. */
function isExact(op: string, args: readonly MachineExpr[], folded: MachineExpr): boolean {
  const exact = exactly[op];
  const [a, b, is] = [...args, folded].map((x) =>
    x.kind === "constant" && typeof x.value !== "boolean" && x.scalar[0] !== "f" ? BigInt(x.value) : undefined,
  );
  if (!exact || a === undefined || b === undefined || is === undefined) return true;
  return exact(a, b) === is;
}

const exactly: Readonly<Partial<Record<string, (a: bigint, b: bigint) => bigint>>> = {
  add: (a, b) => a + b,
  sub: (a, b) => a - b,
  mul: (a, b) => a * b,
  shl: (a, b) => (b >= 0n && b < 64n ? a << b : a),
};

/** The value of `operand`, which is a `from`, as a `to`; folded where it is constant. */
export function conversion(
  to: MachineScalar,
  from: MachineScalar,
  operand: MachineExpr,
  { mode, site }: { readonly mode?: ConversionMode | undefined; readonly site?: SiteId | undefined } = {},
): MachineExpr {
  if (operand.kind === "constant" && mode === undefined) {
    if (to === "index") return indexConstant(Number(operand.value));
    const folded = convertConstant(constantOfKind(from as ScalarKind, operand.value), to);
    const same = typeof folded !== "bigint" || typeof operand.value === "boolean" || from[0] === "f";
    if (folded !== undefined && (site === undefined || same || folded === BigInt(operand.value)))
      return constant(to, asHeld(to, folded));
  }
  return {
    kind: "conversion",
    scalar: to,
    from,
    operand,
    ...(mode === undefined ? {} : { mode }),
    ...(site === undefined ? {} : { site }),
  };
}

/** The bits of `operand`, which is a `from`, as a `to`; folded where it is constant. */
export function reinterpretation(to: ScalarKind, from: ScalarKind, operand: MachineExpr): MachineExpr {
  if (operand.kind === "constant") {
    const folded = bitcastConstant(constantOfKind(from, operand.value), from, to);
    if (folded !== undefined) return constant(to, asHeld(to, folded));
  }
  return { kind: "reinterpretation", scalar: to, from, operand };
}

function foldIndex(op: string, args: readonly MachineExpr[]): MachineExpr | undefined {
  const [a, b] = args as readonly [MachineExpr, MachineExpr];
  const both = a.kind === "constant" && b.kind === "constant";
  if (op === "add") {
    if (a.kind === "constant" && a.value === 0) return b;
    if (b.kind === "constant" && b.value === 0) return a;
    if (both) return indexConstant(Number(a.value) + Number(b.value));
  }
  if (op === "mul") {
    if (b.kind === "constant" && b.value === 1) return a;
    if (both) return indexConstant(Number(a.value) * Number(b.value));
  }
  return undefined;
}

type Value = number | bigint | boolean;

/** Names of machine ops that are those of operators of the tree. */
const operators: ReadonlySet<string> = new Set<BinaryOperator>([
  ...(["eq", "ne", "lt", "le", "gt", "ge"] as const),
  ...(["add", "sub", "mul", "div", "rem", "and", "or", "xor", "shl", "shr"] as const),
]);

/** Integers of 64 bits are held as big ones, shorter ones as numbers. */
const asHeld = (kind: ScalarKind, value: Value): Value =>
  typeof value === "bigint" && !isBig(kind) ? Number(value) : value;

function fold(scalar: ScalarKind, on: ScalarKind, op: string, args: readonly MachineExpr[]): MachineExpr | undefined {
  if (!args.every((x): x is Constant => x.kind === "constant") || args.length === 0) return undefined;
  const value = foldConstants(
    scalar,
    on,
    op,
    args.map((x) => constantOfKind(on, x.value)),
  );
  return value === undefined ? undefined : constant(scalar, asHeld(scalar, value));
}

function foldConstants(scalar: ScalarKind, on: ScalarKind, op: string, values: readonly Value[]): Value | undefined {
  const [x, y] = values as readonly [Value, Value];
  if (operators.has(op)) {
    // Where no dialect has a result, the run says so.
    if ((op === "div" || op === "rem") && y === -1n && x === integerRange(on).min) return undefined;
    return binaryConstant(op as BinaryOperator, x, y, on);
  }
  if (op === "neg") return unaryConstant("negate", x, on);
  if (op === "not") return unaryConstant(on === "bool" ? "not" : "complement", x, on);
  return op === "sqrt" && scalar === on && isFloat(on) ? roundFloat(on, Math.sqrt(Number(x))) : undefined;
}

export const indexAdd = (a: MachineExpr, b: MachineExpr): MachineExpr => operation("index", "index", "add", [a, b]);
export const indexScale = (a: MachineExpr, by: number): MachineExpr =>
  operation("index", "index", "mul", [a, indexConstant(by)]);

/** An integer as an index; widening conversions of 32-bit integers are looked through. */
export function toIndex(e: MachineExpr): MachineExpr {
  if (e.scalar === "index") return e;
  const widened = widenedFrom(e);
  // i32 to u64 wraps for negative values: then the 64-bit value counts.
  if (widened === "u32" || (widened === "i32" && e.scalar === "i64")) return toIndex((e as Conversion).operand);
  const range = e.kind === "operation" && isBig(e.scalar) ? sumOfWords(e) : undefined;
  return range && within(range, exactIndices) ? indexOfSum(e) : conversion("index", e.scalar, e);
}

/** The kind of the value that a conversion to 64 bits is made of. */
const widenedFrom = (e: MachineExpr): MachineScalar | undefined =>
  e.kind === "conversion" && isBig(e.scalar) && e.mode === undefined ? e.from : undefined;

/** Integers that are exact as an index. */
const exactIndices: Interval = { low: 0n, high: 2n ** 53n - 1n };

/** Bounds of sums and products of zero-extended u32 in u64 or i64. */
function sumOfWords(e: MachineExpr): Interval | undefined {
  if (e.kind === "constant") return intervalOf(BigInt(e.value));
  if (widenedFrom(e) === "u32") return intervalOfKind("u32");
  if (e.kind !== "operation" || !isBig(e.on) || !(e.op === "add" || e.op === "mul")) return undefined;
  const [a, b] = [sumOfWords(e.arguments[0]!), sumOfWords(e.arguments[1]!)];
  const sum = a && b && intervalOfOperator(e.op, a, b);
  return sum && within(sum, exactIndices) ? sum : undefined;
}

function indexOfSum(e: MachineExpr): MachineExpr {
  if (e.kind === "constant") return indexConstant(Number(e.value));
  if (e.kind === "operation") return operation("index", "index", e.op, e.arguments.map(indexOfSum));
  return toIndex(e);
}

// ------------------------------------------------------------------ walks

export function childrenOf(e: MachineExpr): readonly MachineExpr[] {
  switch (e.kind) {
    case "constant":
    case "local":
    case "builtin":
    case "length":
      return [];
    case "operation":
    case "call":
      return e.arguments;
    case "conversion":
    case "reinterpretation":
      return [e.operand];
    case "choose":
      return [e.condition, e.whenTrue, e.whenFalse];
    case "lazy":
      return [e.left, e.right];
    case "load":
    case "checked":
      return addressParts(e.address);
  }
}

/** The expression with others in place of its parts. */
export function withParts(e: MachineExpr, part: (x: MachineExpr) => MachineExpr): MachineExpr {
  switch (e.kind) {
    case "constant":
    case "local":
    case "builtin":
    case "length":
      return e;
    case "operation":
    case "call":
      return { ...e, arguments: e.arguments.map(part) };
    case "conversion":
    case "reinterpretation":
      return { ...e, operand: part(e.operand) };
    case "choose":
      return { ...e, condition: part(e.condition), whenTrue: part(e.whenTrue), whenFalse: part(e.whenFalse) };
    case "lazy":
      return { ...e, left: part(e.left), right: part(e.right) };
    case "load":
    case "checked":
      return { ...e, address: addressWith(e.address, part) };
  }
}

export function addressWith(a: Address, part: (x: MachineExpr) => MachineExpr): Address {
  return { ...a, object: typeof a.object === "number" ? a.object : part(a.object), index: part(a.index) };
}

function addressParts(a: {
  readonly object: number | MachineExpr;
  readonly index: MachineExpr;
}): readonly MachineExpr[] {
  return typeof a.object === "number" ? [a.index] : [a.object, a.index];
}

/** Every sub-expression, the expression itself first. */
export function visitExpr(e: MachineExpr, visit: (x: MachineExpr) => void): void {
  visit(e);
  for (const c of childrenOf(e)) visitExpr(c, visit);
}

export function someExpr(e: MachineExpr, test: (x: MachineExpr) => boolean): boolean {
  return test(e) || childrenOf(e).some((c) => someExpr(c, test));
}

/** Expressions directly in a statement (not in nested code). */
export function exprsOf(c: Code): readonly MachineExpr[] {
  switch (c.kind) {
    case "declare":
      return c.value ? [c.value] : [];
    case "set":
    case "evaluate":
      return [c.value];
    case "store":
      return [...addressParts(c.address), c.value];
    case "atomic":
      return [...addressParts(c.address), ...c.operands];
    case "if":
      return [c.condition];
    case "loop":
      return c.condition ? [c.condition] : [];
    case "switch":
      return [c.value];
    case "return":
      return c.value ? [c.value] : [];
    case "collective":
      return c.operands;
    case "print":
      return c.arguments;
    case "cover":
      return c.compared ?? [];
    case "block":
    case "break":
    case "continue":
    case "barrier":
    case "park":
    case "fill":
      return [];
  }
}

/** Nested lists of a statement, in execution order. */
export function bodiesOf(c: Code): readonly (readonly Code[])[] {
  switch (c.kind) {
    case "if":
      return [c.then, c.else];
    case "loop":
      return [c.head, c.body, c.step];
    case "switch":
      return c.cases.map((x) => x.body);
    case "block":
      return [c.body];
    default:
      return [];
  }
}

export function visitCode(list: readonly Code[], visit: (c: Code) => void): void {
  for (const c of list) {
    visit(c);
    for (const b of bodiesOf(c)) visitCode(b, visit);
  }
}

/** The local a statement writes or declares, if any. */
export function writtenBy(c: Code): readonly LocalId[] {
  switch (c.kind) {
    case "declare":
    case "set":
      return [c.local];
    case "atomic":
      return c.result === undefined ? [] : [c.result];
    case "collective":
      return c.results;
    default:
      return [];
  }
}
