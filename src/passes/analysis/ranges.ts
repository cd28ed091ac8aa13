/**
 * Bounds of integer values, as far as the text shows them: literals, ids, masks, remainders, counters of plain loops and
 * locals that are set once. What is not shown has the bounds of its type.
 */
import { idBounds } from "../../ops/ids.js";
import { resourceOf } from "../../ast/lookup.js";
import { literalValue } from "../../ast/builders.js";
import {
  hull,
  intervalOf,
  intervalOfKind,
  intervalOfOperator,
  negated,
  within,
  type Interval,
} from "../../ast/interval.js";
import type { BuiltinId, Expr, FunctionDeclaration, Module, Place, Statement, VarId } from "../../ast/nodes.js";
import { walkStatement } from "../../ast/walk.js";
import { isFloat, isInteger, scalarOf } from "../../types/types.js";

/** The locals of a function that hold what their declaration gives them, and that. */
export function setOnce(f: FunctionDeclaration): ReadonlyMap<VarId, Expr> {
  const written = new Set<VarId>();
  const values = new Map<VarId, Expr>();
  walkStatement(f.body, {
    place: (p, use) => void (use !== "read" && p.kind === "variable" && written.add(p.variable)),
    statement: (s) => void (s.kind === "declare" && s.initializer && values.set(s.variable, s.initializer)),
  });
  for (const id of written) values.delete(id);
  return values;
}

/** Values made of values that are followed: beyond it a variable has the bounds of its type. */
const longestChain = 64;

/** Of what is no integer: wider than any type. */
const unbounded: Interval = { low: -(2n ** 2048n), high: 2n ** 2048n };

/** What is known besides the text. */
export interface KnownBounds {
  readonly builtin: (id: BuiltinId, axis: number) => Interval | undefined;
  readonly variable: (id: VarId) => Interval | undefined;
}

export class Ranges {
  private readonly set: ReadonlyMap<VarId, Expr>;
  private readonly counters = new Map<VarId, Interval>();
  private readonly active = new Set<VarId>();
  /** Of variables that keep their value: each is looked at once, however often others are made of it. */
  private readonly known = new Map<VarId, Interval>();
  /** Of operators, which are asked about again with each operator around them. */
  private asked = new WeakMap<Expr, Interval>();

  constructor(
    private readonly module: Module,
    /** Absent at file scope. */
    f: FunctionDeclaration | undefined,
    /** Of a launch. */
    private readonly bounds?: KnownBounds,
  ) {
    this.set = f ? setOnce(f) : new Map<VarId, Expr>();
    if (!f) return;
    const writes = new Map<VarId, number>();
    const count = (p: Place): void => {
      if (p.kind === "variable") writes.set(p.variable, (writes.get(p.variable) ?? 0) + 1);
    };
    walkStatement(f.body, { place: (p, use) => void (use !== "read" && count(p)) });
    const loops: (Statement & { kind: "for" })[] = [];
    walkStatement(f.body, { statement: (s) => void (s.kind === "for" && loops.push(s)) });
    for (const s of loops) this.counter(s, writes);
    // Bounds of counters make those of what is made of them narrower.
    this.asked = new WeakMap();
    this.known.clear();
  }

  /** `for (int i = a; i < b; i++)`, `i` written nowhere else. */
  private counter(s: Statement & { kind: "for" }, writes: ReadonlyMap<VarId, number>): void {
    const { condition, step } = s;
    if (!condition || condition.kind !== "binary" || !step) return;
    const read = condition.left;
    if (read.kind !== "load" || read.place.kind !== "variable") return;
    const id = read.place.variable;
    if (writes.get(id) !== 1) return;
    const start = s.initializer.find(
      (d): d is Statement & { kind: "declare" } => d.kind === "declare" && d.variable === id,
    )?.initializer;
    if (!start) return;
    const kind = scalarOf(read.type);
    if (!kind || !isInteger(kind)) return;
    const amount = stepOf(step, id);
    if (amount === undefined) return;
    const from = this.of(start);
    const to = this.of(condition.right);
    const limit = intervalOfKind(kind);
    if (amount > 0 && (condition.operator === "lt" || condition.operator === "le")) {
      const last = condition.operator === "lt" ? to.high - 1n : to.high;
      // The step after the last round must not wrap, or the loop would go on below.
      if (last + amount <= limit.high) this.counters.set(id, { low: from.low, high: intervalOf(last, from.low).high });
    }
    if (amount < 0 && (condition.operator === "gt" || condition.operator === "ge")) {
      const last = condition.operator === "gt" ? to.low + 1n : to.low;
      if (last + amount >= limit.low) this.counters.set(id, { low: intervalOf(last, from.high).low, high: from.high });
    }
  }

  /** Whether the variable is one of a plain loop, whose last step does not leave its type. */
  steps(id: VarId): boolean {
    return this.counters.has(id);
  }

  of(e: Expr): Interval {
    const kind = scalarOf(e.type);
    if (!kind || isFloat(kind)) return unbounded;
    const asked = this.asked.get(e);
    if (asked) return asked;
    const full = intervalOfKind(kind);
    const found = this.shown(e);
    const bounds = found && within(found, full) ? found : full;
    // Of a variable on the way to its own value less is known than elsewhere.
    if (this.active.size === 0) this.asked.set(e, bounds);
    return bounds;
  }

  /** Bounds before wrapping; may lie outside the type. */
  shown(e: Expr): Interval | undefined {
    const value = literalValue(e);
    if (value !== undefined) return Number.isInteger(Number(value)) ? intervalOf(BigInt(value)) : undefined;
    switch (e.kind) {
      case "builtin":
        return this.builtin(e.builtin);
      case "swizzle-value": {
        if (e.operand.kind !== "builtin") return undefined;
        const [axis] = e.components;
        const known = e.components.length === 1 ? this.bounds?.builtin(e.operand.builtin, axis!) : undefined;
        return known ?? this.builtin(e.operand.builtin);
      }
      case "load": {
        if (e.place.kind !== "variable") return undefined;
        const id = e.place.variable;
        const counter = this.counters.get(id);
        if (counter) return counter;
        const given = this.bounds?.variable(id);
        if (given) return given;
        const init = this.set.get(id) ?? this.constant(id);
        if (!init || this.active.has(id) || this.active.size >= longestChain) return undefined;
        const known = this.known.get(id);
        if (known) return known;
        this.active.add(id);
        const found = this.of(init);
        this.active.delete(id);
        this.known.set(id, found);
        return found;
      }
      case "convert": {
        const from = scalarOf(e.operand.type);
        return from && (isInteger(from) || from === "bool") ? this.of(e.operand) : undefined;
      }
      case "conditional":
        return hull(this.of(e.whenTrue), this.of(e.whenFalse));
      case "unary": {
        if (e.operator !== "negate") return undefined;
        return negated(this.of(e.operand));
      }
      case "binary":
        return intervalOfOperator(e.operator, this.of(e.left), this.of(e.right));
      case "op":
        if ((e.op === "math.min" || e.op === "math.max") && e.arguments.length === 2) {
          const [a, b] = [this.of(e.arguments[0]!), this.of(e.arguments[1]!)];
          const pick = e.op === "math.min" ? "low" : "high";
          return { low: intervalOf(a.low, b.low)[pick], high: intervalOf(a.high, b.high)[pick] };
        }
        if (e.op === "math.clamp" && e.arguments.length === 3) {
          const [low, high] = [this.of(e.arguments[1]!), this.of(e.arguments[2]!)];
          return { low: intervalOf(low.low, high.low).low, high: high.high };
        }
        if (e.op === "bits.popcount" || e.op === "bits.bit_count" || e.op === "bits.clz" || e.op === "bits.ctz")
          return { low: 0n, high: 64n };
        if (e.op === "bits.find_msb" || e.op === "bits.find_lsb") return { low: -1n, high: 63n };
        return undefined;
      default:
        return undefined;
    }
  }

  /** A constant at file scope; the pipeline may set the value of a specialisation constant. */
  private constant(id: VarId): Expr | undefined {
    const v = this.module.variables.get(id);
    return v?.role === "global" && v.constant && !resourceOf(this.module, id) ? v.initializer : undefined;
  }

  private builtin(id: BuiltinId): Interval | undefined {
    if (id === "local_id" || id === "local_index") {
      const sizes = this.module.entries.map((x) => x.workgroupSize);
      if (sizes.length > 0 && sizes.every((s) => s)) {
        const largest = Math.max(...sizes.map((s) => (id === "local_index" ? s![0] * s![1] * s![2] : Math.max(...s!))));
        return { low: 0n, high: BigInt(largest) - 1n };
      }
    }
    return idBounds[id];
  }
}

/** How far the loop's step moves the counter; undefined where it does something else. */
function stepOf(step: Expr, id: VarId): bigint | undefined {
  if (step.kind === "increment" && step.place.kind === "variable" && step.place.variable === id)
    return BigInt(step.delta);
  if (step.kind === "assign" && step.target.kind === "variable" && step.target.variable === id) {
    const by = literalValue(step.value);
    if (typeof by !== "number" || !Number.isInteger(by)) return undefined;
    if (step.operator === "add") return BigInt(by);
    if (step.operator === "sub") return BigInt(-by);
  }
  return undefined;
}
