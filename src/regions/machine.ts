/** Machine expressions: constructors that fold constants, and what may be asked of them. */
import {
  binaryConstant,
  bitcastConstant,
  constantOfKind,
  convertConstant,
  unaryConstant,
} from "../ast/constant-values.js";
import type { BinaryOperator } from "../ast/nodes.js";
import { isFloat, isInteger, type ScalarKind } from "../types/types.js";
import { integerRange, roundFloat, wrapInteger } from "../types/numeric.js";
import type { Code, Constant, LocalId, MachineExpr, MachineScalar, SiteId } from "./tree.js";

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

/** An operation; folded where all operands are constants and the op is plain arithmetic. */
export function operation(scalar: MachineScalar, op: string, args: readonly MachineExpr[], site?: SiteId): MachineExpr {
  const folded = fold(scalar, op, args);
  if (folded) return folded;
  return site === undefined
    ? { kind: "operation", scalar, op, arguments: args }
    : { kind: "operation", scalar, op, arguments: args, site };
}

function fold(scalar: MachineScalar, op: string, args: readonly MachineExpr[]): MachineExpr | undefined {
  const [a, b] = args;
  const [kind, name] = op.split(".") as [MachineScalar, string];
  if (kind === "index") {
    if (name === "add") {
      if (a!.kind === "constant" && a.value === 0) return b;
      if (b!.kind === "constant" && b.value === 0) return a;
      if (a!.kind === "constant" && b!.kind === "constant") return indexConstant(Number(a.value) + Number(b.value));
    }
    if (name === "mul") {
      if (b!.kind === "constant" && b.value === 1) return a;
      if (a!.kind === "constant" && b!.kind === "constant") return indexConstant(Number(a.value) * Number(b.value));
    }
    if (name?.startsWith("from_") && a!.kind === "constant") return indexConstant(Number(a.value));
    return undefined;
  }
  if (!args.every((x): x is Constant => x.kind === "constant") || args.length === 0) return undefined;
  const values = args.map((x) => x.value);
  const value = foldValue(scalar as ScalarKind, kind, name, values);
  return value === undefined ? undefined : constant(scalar, value);
}

type Value = number | bigint | boolean;

/** Names of machine ops that are those of operators of the tree. */
const operators: ReadonlySet<string> = new Set<BinaryOperator>([
  ...(["eq", "ne", "lt", "le", "gt", "ge"] as const),
  ...(["add", "sub", "mul", "div", "rem", "and", "or", "xor", "shl", "shr"] as const),
]);

function foldValue(scalar: ScalarKind, kind: ScalarKind, name: string, values: readonly Value[]): Value | undefined {
  const folded = foldConstants(scalar, kind, name, values);
  return typeof folded === "bigint" && !isBig(scalar) ? Number(folded) : folded;
}

function foldConstants(
  scalar: ScalarKind,
  kind: ScalarKind,
  name: string,
  values: readonly Value[],
): Value | undefined {
  if (name.startsWith("from_")) {
    const from = name.slice(5);
    if (from.includes("_")) return undefined;
    return convertConstant(constantOfKind(from as ScalarKind, values[0]!), kind);
  }
  if (name.startsWith("bits_")) {
    const from = name.slice(5) as ScalarKind;
    return bitcastConstant(constantOfKind(from, values[0]!), from, kind);
  }
  const [x, y] = values.map((v) => constantOfKind(kind, v)) as [Value, Value];
  if (operators.has(name)) {
    // Where no dialect has a result, the run says so.
    if ((name === "div" || name === "rem") && y === -1n && x === integerRange(kind).min) return undefined;
    return binaryConstant(name as BinaryOperator, x, y, kind);
  }
  if (name === "neg") return unaryConstant("negate", x, kind);
  if (name === "not") return unaryConstant(kind === "bool" ? "not" : "complement", x, kind);
  return name === "sqrt" && scalar === kind && isFloat(kind) ? roundFloat(kind, Math.sqrt(Number(x))) : undefined;
}

export const indexAdd = (a: MachineExpr, b: MachineExpr): MachineExpr => operation("index", "index.add", [a, b]);
export const indexScale = (a: MachineExpr, by: number): MachineExpr =>
  operation("index", "index.mul", [a, indexConstant(by)]);

/** An integer as an index; widening conversions of 32-bit integers are looked through. */
export function toIndex(e: MachineExpr): MachineExpr {
  if (e.scalar === "index") return e;
  if (e.kind === "operation" && isBig(e.scalar)) {
    const from = e.op.split("from_")[1];
    // i32 to u64 wraps for negative values: then the 64-bit value counts.
    if (e.op === "i64.from_i32" || e.op === "i64.from_u32" || e.op === "u64.from_u32") return toIndex(e.arguments[0]!);
    if (from === undefined) {
      const exact = exactSum(e);
      if (exact) return exact;
    }
  }
  return operation("index", `index.from_${e.scalar}`, [e]);
}

/** Sums and products of zero-extended u32 in u64 or i64 that stay below 2^53 are exact as an index. */
function exactSum(e: MachineExpr): MachineExpr | undefined {
  const bound = (x: MachineExpr): number | undefined => {
    if (x.kind === "constant") return Number(x.value) >= 0 ? Number(x.value) : undefined;
    if (x.kind !== "operation") return undefined;
    if (/^[iu]64\.from_u32$/.test(x.op)) return 2 ** 32 - 1;
    if (!/^[iu]64\.(add|mul)$/.test(x.op)) return undefined;
    const [p, q] = [bound(x.arguments[0]!), bound(x.arguments[1]!)];
    if (p === undefined || q === undefined) return undefined;
    const most = x.op.endsWith("add") ? p + q : p * q;
    return most < 2 ** 53 ? most : undefined;
  };
  if (bound(e) === undefined) return undefined;
  const build = (x: MachineExpr): MachineExpr => {
    if (x.kind === "constant") return indexConstant(Number(x.value));
    if (x.kind !== "operation") throw new Error("broken tree: not a sum");
    if (x.op.endsWith("from_u32")) return toIndex(x.arguments[0]!);
    return operation("index", x.op.endsWith("add") ? "index.add" : "index.mul", x.arguments.map(build));
  };
  return build(e);
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
    case "choose":
      return [e.condition, e.whenTrue, e.whenFalse];
    case "lazy":
      return [e.left, e.right];
    case "load":
    case "checked":
      return addressParts(e.address);
  }
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
