/**
 * Conditions that all lanes of a run answer alike, although they need not: comparisons of what grows evenly from lane to lane with
 * what is the same for all, as in `if (i < n)` and `max(x - 1, 0)`. Where a run of lanes goes one way its code has no masks, and its
 * indices grow evenly.
 */
import { addressWith, bodiesOf, visitCode, withParts } from "../../src/regions/machine.js";
import type { Code, LocalId, MachineExpr, Operation } from "../../src/regions/tree.js";
import type { LaneShapes } from "./lane-shapes.js";

/** What has to hold for all lanes of a run, in terms of what is known before the region begins. */
export type Condition =
  /** `value` is `is`. */
  | { readonly kind: "same"; readonly value: MachineExpr; readonly is: boolean }
  /** The first lane's number, and those of the others, which grow by `stride`, are below (or from) a bound, `more` beyond it. */
  | {
      readonly kind: "below" | "from";
      readonly even: MachineExpr;
      readonly stride: number;
      readonly bound: MachineExpr;
      readonly more: number;
      /** Behind the last number that does not wrap. */
      readonly end: number;
    };

export interface OneWay {
  readonly code: readonly Code[];
  readonly conditions: readonly Condition[];
  /** Values of locals that are others there. */
  readonly values: ReadonlyMap<LocalId, MachineExpr>;
}

/** Longer regions are not encoded a second time. */
const mostStatements = 200;

/** A region's code where its conditions go one way; undefined where it has none of which that could be told. */
export function oneWay(code: readonly Code[], shapes: LaneShapes): OneWay | undefined {
  let statements = 0;
  visitCode(code, () => void statements++);
  if (statements > mostStatements) return undefined;
  const conditions: Condition[] = [];
  const values = new Map<LocalId, MachineExpr>();
  const expr = (e: MachineExpr): MachineExpr => {
    const even = evenSide(e, shapes);
    if (!even) return withParts(e, expr);
    conditions.push(even.condition);
    return expr(even.side);
  };
  const straight = (list: readonly Code[]): readonly Code[] =>
    list.flatMap((c): readonly Code[] => {
      if (c.kind === "block") return [{ ...c, body: straight(c.body) }];
      if (c.kind === "store") return [{ ...c, address: addressWith(c.address, expr), value: expr(c.value) }];
      if ((c.kind === "declare" || c.kind === "set") && c.value) {
        const before = conditions.length;
        const value = expr(c.value);
        // What is set again has no one value.
        const isOnce = c.kind === "declare" && shapes.valueOf(c.local) !== undefined;
        if (isOnce && conditions.length > before) values.set(c.local, value);
        return [{ ...c, value }];
      }
      if (c.kind !== "if" || shapes.isUniform(c.condition)) return [c];
      // Who leaves is the exception.
      const is = !leaves(c.then);
      const found = conditionsOf(c.condition, is, shapes);
      if (!found) return [c];
      for (const f of found) conditions.push(f);
      return straight(is ? c.then : c.else);
    });
  const made = straight(code);
  return conditions.length > 0 ? { code: made, conditions, values } : undefined;
}

const leaves = (list: readonly Code[]): boolean =>
  list.some(
    (c) =>
      c.kind === "return" ||
      c.kind === "park" ||
      c.kind === "break" ||
      c.kind === "continue" ||
      (c.kind !== "loop" && bodiesOf(c).some(leaves)),
  );

function conditionsOf(e: MachineExpr, is: boolean, shapes: LaneShapes): readonly Condition[] | undefined {
  const both = (list: readonly MachineExpr[]): readonly Condition[] | undefined => {
    const found = list.map((x) => conditionsOf(x, is, shapes));
    return found.every((x) => x !== undefined) ? found.flat() : undefined;
  };
  if (shapes.isUniformInRun(e)) {
    const value = shapes.inlined(e);
    return value && [{ kind: "same", value, is }];
  }
  if (e.kind === "lazy") return (e.operator === "and") === is ? both([e.left, e.right]) : undefined;
  if (e.kind === "local") {
    const value = shapes.valueOf(e.local);
    return value && conditionsOf(value, is, shapes);
  }
  if (e.kind !== "operation") return undefined;
  if (e.on === "bool") {
    if (e.op === "not") return conditionsOf(e.arguments[0]!, !is, shapes);
    return (e.op === "and" || e.op === "or") && (e.op === "and") === is ? both(e.arguments) : undefined;
  }
  const found = comparison(e, is, shapes);
  return found && [found];
}

/** Of a minimum or maximum of an even number and one that is the same for all: the even one, and when it is that. */
function evenSide(
  e: MachineExpr,
  shapes: LaneShapes,
): { readonly side: MachineExpr; readonly condition: Condition } | undefined {
  if (e.kind !== "operation" || (e.op !== "min" && e.op !== "max") || shapes.isUniform(e)) return undefined;
  const [a, b] = e.arguments as readonly [MachineExpr, MachineExpr];
  const isFirst = shapes.isUniformInRun(b);
  const op = (e.op === "min") === isFirst ? "le" : "ge";
  const condition = comparison({ ...e, scalar: "bool", op }, true, shapes);
  return condition && { side: isFirst ? a : b, condition };
}

const opposite: Readonly<Record<string, string>> = { lt: "ge", ge: "lt", gt: "le", le: "gt" };
const swapped: Readonly<Record<string, string>> = { lt: "gt", gt: "lt", le: "ge", ge: "le" };

function comparison(e: Operation, is: boolean, shapes: LaneShapes): Condition | undefined {
  if (e.on[0] === "f" || !(e.op in opposite)) return undefined;
  let op = is ? e.op : opposite[e.op]!;
  let [a, b] = e.arguments as readonly [MachineExpr, MachineExpr];
  if (shapes.isUniformInRun(a)) {
    [a, b] = [b, a];
    op = swapped[op]!;
  }
  if (!shapes.isUniformInRun(b)) return undefined;
  const even = shapes.inlined(a);
  const bound = shapes.inlined(b);
  const narrow = widened(a, shapes);
  const stride = shapes.strideInRun(narrow);
  if (!even || !bound || stride === undefined || stride <= 0) return undefined;
  if (narrow.scalar !== "u32" && narrow.scalar !== "i32") return undefined;
  const end = narrow.scalar === "u32" ? 2 ** 32 : 2 ** 31;
  const more = op === "le" || op === "gt" ? 1 : 0;
  return { kind: op === "lt" || op === "le" ? "below" : "from", even, stride, bound, more, end };
}

/** Of a 32-bit number that is widened without changing it: that number. */
function widened(e: MachineExpr, shapes: LaneShapes): MachineExpr {
  if (e.kind === "local") {
    const value = shapes.valueOf(e.local);
    return value && value.scalar !== "u32" && value.scalar !== "i32" ? widened(value, shapes) : e;
  }
  if (e.kind !== "conversion" || e.mode || e.site !== undefined) return e;
  const keeps = e.from === "u32" ? ["u64", "i64", "index"] : e.from === "i32" ? ["i64", "index"] : [];
  return keeps.includes(e.scalar) ? widened(e.operand, shapes) : e;
}
