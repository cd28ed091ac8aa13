/**
 * Bounds of an index that the text shows: `i & 3`, `i % 3`, a variable that is given such a number and nothing else, and the one that
 * a loop counts from one literal to another. An access beyond them is still looked at where it is run.
 */
import {
  asDivisor,
  hull,
  intervalOf,
  intervalOfKind,
  intervalOfOperator,
  within,
  type Interval,
} from "../ast/interval.js";
import { literalValue } from "../ast/builders.js";
import type { Expr, For, FunctionDeclaration, VarId } from "../ast/nodes.js";
import { walkStatement } from "../ast/walk.js";
import { isInteger, type ScalarKind } from "../types/types.js";

/** What is said of the variables of a function where that is asked first. */
export class IndexBounds {
  /** All values that a variable is given, where it changes in no other way; the number of its changes otherwise. */
  private given: ReadonlyMap<VarId, readonly Expr[] | number> | undefined;
  private readonly counters = new Map<VarId, Interval>();
  private readonly known = new Map<VarId, Interval | undefined>();

  constructor(private readonly f: FunctionDeclaration) {}

  of(e: Expr): Interval | undefined {
    this.given ??= this.values();
    return rangeOf(e, (v) => this.ofVariable(v));
  }

  private ofVariable(v: VarId): Interval | undefined {
    if (this.known.has(v)) return this.known.get(v);
    // What is made of its own value has no bounds that are looked for.
    this.known.set(v, undefined);
    const values = this.given!.get(v);
    const counter = values === 1 ? this.counters.get(v) : undefined;
    const ranges = values instanceof Array ? values.map((e) => rangeOf(e, (other) => this.ofVariable(other))) : [];
    const all = ranges.reduce((a, b) => a && b && hull(a, b), ranges[0]);
    this.known.set(v, counter ?? all);
    return counter ?? all;
  }

  private values(): ReadonlyMap<VarId, readonly Expr[] | number> {
    const given = new Map<VarId, Expr[]>();
    const changes = new Map<VarId, number>();
    const gets = (v: VarId, e: Expr): void => void given.set(v, [...(given.get(v) ?? []), e]);
    walkStatement(this.f.body, {
      statement: (s) => {
        const counter = s.kind === "for" ? counted(s) : undefined;
        if (counter) this.counters.set(counter.variable, counter.range);
        if (s.kind === "declare" && s.initializer) gets(s.variable, s.initializer);
      },
      expr: (e) => {
        if (e.kind !== "assign" || e.operator || e.target.kind !== "variable") return;
        gets(e.target.variable, e.value);
        changes.set(e.target.variable, (changes.get(e.target.variable) ?? 0) - 1);
      },
      place: (p, use) => {
        if (p.kind === "variable" && use !== "read") changes.set(p.variable, (changes.get(p.variable) ?? 0) + 1);
      },
    });
    // A counter that its body sets, and what a caller gives, has other values, too.
    for (const [v, all] of given) if (all.length > 1) this.counters.delete(v);
    for (const v of this.f.parameters) given.delete(v);
    const counts = [...changes].filter(([, n]) => n > 0);
    return new Map<VarId, readonly Expr[] | number>([...given, ...counts]);
  }
}

/** The variable that a loop counts up to a literal, as its body knows it. */
function counted({ initializer, condition, step }: For): { variable: VarId; range: Interval } | undefined {
  const [first] = initializer;
  if (initializer.length !== 1 || first?.kind !== "declare" || !first.initializer) return undefined;
  const { variable } = first;
  const from = rangeOf(first.initializer, unknown);
  if (!from || condition?.kind !== "binary" || step?.kind !== "increment") return undefined;
  const counts = step.delta === 1 && step.place.kind === "variable" && step.place.variable === variable;
  const { operator, left, right } = condition;
  const end = rangeOf(right, unknown);
  if (!counts || !end || (operator !== "lt" && operator !== "le")) return undefined;
  const last = operator === "lt" ? end.high - 1n : end.high;
  // Those that the condition sees, with the one it ends at.
  const seen = hull(from, intervalOf(last + 1n));
  if (!isVariable(left, variable, seen)) return undefined;
  return from.low <= last ? { variable, range: { low: from.low, high: last } } : undefined;
}

/** Whether what is compared is the variable: `(uchar)j < 3` ends a wider `j` where that begins below 256. */
function isVariable(e: Expr, variable: VarId, seen: Interval): boolean {
  if (e.kind !== "convert") return e.kind === "load" && e.place.kind === "variable" && e.place.variable === variable;
  const kind = integerKind(e);
  return kind !== undefined && within(seen, intervalOfKind(kind)) && isVariable(e.operand, variable, seen);
}

const unknown = (): undefined => undefined;

const integerKind = ({ type }: Expr): ScalarKind | undefined =>
  type.kind === "scalar" && isInteger(type.scalar) ? type.scalar : undefined;

function rangeOf(e: Expr, known: (v: VarId) => Interval | undefined): Interval | undefined {
  const kind = integerKind(e);
  if (kind === undefined) return undefined;
  const all = intervalOfKind(kind);
  const value = literalValue(e);
  if (typeof value === "number" || typeof value === "bigint") return intervalOf(BigInt(value));
  const inside = (r: Interval | undefined): Interval => (r && within(r, all) ? r : all);
  switch (e.kind) {
    case "load":
      return inside(e.place.kind === "variable" ? known(e.place.variable) : undefined);
    case "convert":
      return inside(rangeOf(e.operand, known));
    case "conditional": {
      const [a, b] = [rangeOf(e.whenTrue, known), rangeOf(e.whenFalse, known)];
      return inside(a && b && hull(a, b));
    }
    case "binary": {
      const [a, b] = [rangeOf(e.left, known), rangeOf(e.right, known)];
      if (!a || !b) return all;
      const divides = e.operator === "div" || e.operator === "rem";
      return inside(intervalOfOperator(e.operator, a, divides ? asDivisor(b) : b));
    }
    default:
      return all;
  }
}
