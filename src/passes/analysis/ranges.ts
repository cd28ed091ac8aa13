/**
 * Bounds of integer values, as far as the text shows them: literals, ids, masks, remainders, counters of plain loops and
 * locals that are set once. What is not shown has the bounds of its type.
 */
import { resourceOf } from "../../ast/lookup.js";
import { literalValue } from "../../ast/builders.js";
import type { BuiltinId, Expr, FunctionDeclaration, Module, Place, Statement, VarId } from "../../ast/nodes.js";
import { walkStatement } from "../../ast/walk.js";
import { bitWidth, isInteger, scalarOf, type ScalarKind } from "../../types/types.js";

export interface Range {
  readonly low: number;
  readonly high: number;
}

export function typeRange(kind: ScalarKind): Range {
  if (kind === "bool") return { low: 0, high: 1 };
  const bits = bitWidth(kind);
  return kind[0] === "u" ? { low: 0, high: 2 ** bits - 1 } : { low: -(2 ** (bits - 1)), high: 2 ** (bits - 1) - 1 };
}

/** Bounds beyond 2^53 are not exact as numbers: what lies there is within nothing. */
const exact = (n: number): boolean => Math.abs(n) <= 2 ** 53;
export const within = (r: Range, outer: Range): boolean =>
  r.low >= outer.low && r.high <= outer.high && (exact(outer.high) || (exact(r.low) && exact(r.high)));

/** No target has larger workgroups or subgroups (data.md sections 7 and 8). */
const builtinRanges: Partial<Record<BuiltinId, Range>> = {
  local_id: { low: 0, high: 1023 },
  local_index: { low: 0, high: 1023 },
  workgroup_size: { low: 1, high: 1024 },
  enqueued_workgroup_size: { low: 1, high: 1024 },
  lane_id: { low: 0, high: 127 },
  subgroup_size: { low: 1, high: 128 },
  subgroup_id: { low: 0, high: 1023 },
  num_subgroups: { low: 1, high: 1024 },
  subgroup_lanes: { low: 1, high: 128 },
  enqueued_num_subgroups: { low: 1, high: 1024 },
  work_dim: { low: 1, high: 3 },
  quad_lane_id: { low: 0, high: 3 },
  quad_id: { low: 0, high: 255 },
  num_quads: { low: 1, high: 256 },
  num_workgroups: { low: 1, high: 2 ** 32 - 1 },
  global_size: { low: 1, high: 2 ** 32 - 1 },
};

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

export class Ranges {
  private readonly set: ReadonlyMap<VarId, Expr>;
  private readonly counters = new Map<VarId, Range>();
  private readonly active = new Set<VarId>();
  /** Of variables that keep their value: each is looked at once, however often others are made of it. */
  private readonly known = new Map<VarId, Range>();
  /** Of operators, which are asked about again with each operator around them. */
  private asked = new WeakMap<Expr, Range>();

  constructor(
    private readonly module: Module,
    f: FunctionDeclaration,
  ) {
    const writes = new Map<VarId, number>();
    const count = (p: Place): void => {
      if (p.kind === "variable") writes.set(p.variable, (writes.get(p.variable) ?? 0) + 1);
    };
    walkStatement(f.body, { place: (p, use) => void (use !== "read" && count(p)) });
    this.set = setOnce(f);
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
    const limit = typeRange(kind);
    if (amount > 0 && (condition.operator === "lt" || condition.operator === "le")) {
      const last = condition.operator === "lt" ? to.high - 1 : to.high;
      // The step after the last round must not wrap, or the loop would go on below.
      if (last + amount <= limit.high) this.counters.set(id, { low: from.low, high: Math.max(last, from.low) });
    }
    if (amount < 0 && (condition.operator === "gt" || condition.operator === "ge")) {
      const last = condition.operator === "gt" ? to.low + 1 : to.low;
      if (last + amount >= limit.low) this.counters.set(id, { low: Math.min(last, from.high), high: from.high });
    }
  }

  of(e: Expr): Range {
    const kind = scalarOf(e.type);
    if (!kind || !(isInteger(kind) || kind === "bool")) return { low: -Infinity, high: Infinity };
    const asked = this.asked.get(e);
    if (asked) return asked;
    const full = typeRange(kind);
    const found = this.shown(e);
    const bounds = !found || Number.isNaN(found.low) || Number.isNaN(found.high) || !within(found, full) ? full : found;
    // Of a variable on the way to its own value less is known than elsewhere.
    if (this.active.size === 0) this.asked.set(e, bounds);
    return bounds;
  }

  /** Bounds before wrapping; may lie outside the type. */
  shown(e: Expr): Range | undefined {
    const value = literalValue(e);
    if (value !== undefined) return { low: Number(value), high: Number(value) };
    switch (e.kind) {
      case "builtin":
        return this.builtin(e.builtin);
      case "swizzle-value":
        return e.operand.kind === "builtin" ? this.builtin(e.operand.builtin) : undefined;
      case "load": {
        if (e.place.kind !== "variable") return undefined;
        const id = e.place.variable;
        const counter = this.counters.get(id);
        if (counter) return counter;
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
        return union(this.of(e.whenTrue), this.of(e.whenFalse));
      case "unary": {
        if (e.operator !== "negate") return undefined;
        const r = this.of(e.operand);
        return { low: -r.high, high: -r.low };
      }
      case "binary":
        return this.binary(e);
      case "op":
        if ((e.op === "math.min" || e.op === "math.max") && e.arguments.length === 2) {
          const [a, b] = [this.of(e.arguments[0]!), this.of(e.arguments[1]!)];
          const pick = e.op === "math.min" ? Math.min : Math.max;
          return { low: pick(a.low, b.low), high: pick(a.high, b.high) };
        }
        if (e.op === "math.clamp" && e.arguments.length === 3) {
          const [low, high] = [this.of(e.arguments[1]!), this.of(e.arguments[2]!)];
          return { low: Math.min(low.low, high.low), high: high.high };
        }
        if (e.op === "bits.popcount" || e.op === "bits.bit_count" || e.op === "bits.clz" || e.op === "bits.ctz")
          return { low: 0, high: 64 };
        if (e.op === "bits.find_msb" || e.op === "bits.find_lsb") return { low: -1, high: 63 };
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

  private builtin(id: BuiltinId): Range | undefined {
    if (id === "local_id" || id === "local_index") {
      const sizes = this.module.entries.map((x) => x.workgroupSize);
      if (sizes.length > 0 && sizes.every((s) => s)) {
        const largest = Math.max(...sizes.map((s) => (id === "local_index" ? s![0] * s![1] * s![2] : Math.max(...s!))));
        return { low: 0, high: largest - 1 };
      }
    }
    return builtinRanges[id];
  }

  private binary(e: Expr & { kind: "binary" }): Range | undefined {
    const a = this.of(e.left);
    const b = this.of(e.right);
    switch (e.operator) {
      case "add":
        return { low: a.low + b.low, high: a.high + b.high };
      case "sub":
        return { low: a.low - b.high, high: a.high - b.low };
      case "mul": {
        const all = [a.low * b.low, a.low * b.high, a.high * b.low, a.high * b.high];
        return { low: Math.min(...all), high: Math.max(...all) };
      }
      case "and":
        if (b.low >= 0 && a.low >= 0) return { low: 0, high: Math.min(a.high, b.high) };
        if (b.low >= 0) return { low: 0, high: b.high };
        return a.low >= 0 ? { low: 0, high: a.high } : undefined;
      case "shr":
        return a.low >= 0 && b.low >= 0 && b.high < 32
          ? { low: Math.floor(a.low / 2 ** b.high), high: Math.floor(a.high / 2 ** b.low) }
          : undefined;
      case "div":
        return a.low >= 0 && b.low > 0
          ? { low: Math.floor(a.low / b.high), high: Math.floor(a.high / b.low) }
          : undefined;
      case "rem":
        if (b.low > 0 && a.low >= 0) return { low: 0, high: Math.min(a.high, b.high - 1) };
        return b.low > 0 ? { low: -(b.high - 1), high: b.high - 1 } : undefined;
      case "shl":
        return a.low >= 0 && b.low >= 0 && b.high < 32
          ? { low: a.low * 2 ** b.low, high: a.high * 2 ** b.high }
          : undefined;
      case "eq":
      case "ne":
      case "lt":
      case "le":
      case "gt":
      case "ge":
        return { low: 0, high: 1 };
      default:
        return undefined;
    }
  }
}

const union = (a: Range, b: Range): Range => ({ low: Math.min(a.low, b.low), high: Math.max(a.high, b.high) });

/** How far the loop's step moves the counter; undefined where it does something else. */
function stepOf(step: Expr, id: VarId): number | undefined {
  if (step.kind === "increment" && step.place.kind === "variable" && step.place.variable === id) return step.delta;
  if (step.kind === "assign" && step.target.kind === "variable" && step.target.variable === id) {
    const by = literalValue(step.value);
    if (typeof by !== "number") return undefined;
    if (step.operator === "add") return by;
    if (step.operator === "sub") return -by;
  }
  return undefined;
}
