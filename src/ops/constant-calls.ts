/** Calls of ops on constants, by what their rows say: each function and each operation of its formula rounds once. */
import {
  exactArithmetic,
  wrap,
  type Constant,
  type ConstantArithmetic,
  type ConstantScope,
  type ConstantValue,
} from "../ast/constant-values.js";
import { roundFloat } from "../types/numeric.js";
import type { OpCall } from "../ast/nodes.js";
import { isFloat, scalarOf, type ScalarKind } from "../types/types.js";
import { row } from "./table.js";

export const tableArithmetic: ConstantArithmetic = { ...exactArithmetic, call };

function call(e: OpCall, args: readonly ConstantValue[], scope: ConstantScope): ConstantValue | undefined {
  const { expand, run, variant, open } = row(e.op);
  // Left open, there is no value that holds everywhere.
  if (open?.some((o) => trueAnywhere(scope.valueOf(o.where(e.arguments)) ?? true))) return undefined;
  if (expand.kind === "tree") return scope.valueOf(expand.build(e.arguments, e.type));
  const kind = scalarOf(e.type);
  const value = run ?? (variant && row(variant.of).run);
  if (expand.kind !== "map" || !value || !kind) return undefined;
  const of = (xs: readonly ConstantValue[]): Constant | undefined => {
    // What a number does not hold is not worked out.
    if (xs.some((x) => typeof x === "bigint" && !Number.isSafeInteger(Number(x)))) return undefined;
    const numbers = xs.map((x) => (typeof x === "bigint" ? Number(x) : x));
    return held((value as (...xs: readonly unknown[]) => unknown)(...numbers), kind);
  };
  const count = e.type.kind === "vector" ? e.type.size : undefined;
  if (count === undefined) return of(args);
  const made = Array.from({ length: count }, (_, i) =>
    of(args.map((a) => (Array.isArray(a) ? (a as readonly ConstantValue[])[i]! : a))),
  );
  return made.every((x) => x !== undefined) ? made : undefined;
}

export const trueAnywhere = (value: ConstantValue): boolean =>
  Array.isArray(value) ? value.some((x: ConstantValue) => trueAnywhere(x)) : value === true;

function held(value: unknown, kind: ScalarKind): Constant | undefined {
  if (typeof value === "boolean") return value;
  if (typeof value !== "number") return undefined;
  if (isFloat(kind)) return roundFloat(kind, value);
  return Number.isInteger(value) ? wrap(kind, BigInt(value)) : undefined;
}
