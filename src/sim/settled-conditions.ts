/** Conditions that constants and bounds of integers settle: what lies in the other way cannot be reached on any launch. */
import { literalValue } from "../ast/builders.js";
import { resourceOf } from "../ast/lookup.js";
import { hull, type Interval } from "../ast/interval.js";
import type { Expr, FunctionDeclaration, FunctionId, Module, VarId } from "../ast/nodes.js";
import { walkStatement } from "../ast/walk.js";
import { Ranges, setOnce } from "../passes/analysis/ranges.js";
import { settledBy } from "../regions/cover-ways.js";
import { isInteger, scalarOf } from "../types/types.js";

/**
 * Of `if`, `?:`, and the left operands of `&&` and `||`. Conditions of loops are left out: bounds of a counter are those inside its
 * loop.
 */
export function settledConditions(module: Module): ReadonlyMap<Expr, boolean> {
  const settled = new Map<Expr, boolean>();
  const given = new Given(module);
  for (const f of module.functions) {
    let values: Values | undefined;
    const note = (e: Expr): void => {
      const way = (values ??= given.valuesIn(f)).settled(e);
      if (way !== undefined) settled.set(e, way);
    };
    walkStatement(f.body, {
      statement: (s) => void (s.kind === "if" && note(s.condition)),
      expr: (e) => {
        if (e.kind === "conditional") note(e.condition);
        if (e.kind === "logical") note(e.left);
      },
    });
  }
  return settled;
}

/** Calls of calls that are followed for what parameters are. */
const mostCallers = 8;

/** What parameters of helpers are given, at all places where they are called. */
class Given {
  private readonly calls = new Map<
    FunctionId,
    { readonly by: FunctionDeclaration; readonly values: (Expr | undefined)[] }[]
  >();
  /** Of each parameter, by function and place, that its function does not write to. */
  private readonly places = new Map<VarId, { readonly of: FunctionId; readonly index: number }>();
  private readonly values = new Map<FunctionId, Values>();
  private readonly integers = new Map<VarId, Interval | undefined>();
  private readonly ways = new Map<VarId, boolean | undefined>();
  private depth = 0;

  constructor(private readonly module: Module) {
    const entries = new Set(module.entries.map((e) => e.function));
    for (const by of module.functions) {
      const written = new Set<VarId>();
      walkStatement(by.body, {
        place: (p, use) => void (use !== "read" && p.kind === "variable" && written.add(p.variable)),
        expr: (e) => {
          if (e.kind !== "call") return;
          const values = e.arguments.map((a) => (a.mode === "value" ? a.value : undefined));
          this.calls.set(e.function, [...(this.calls.get(e.function) ?? []), { by, values }]);
        },
      });
      if (entries.has(by.id)) continue;
      for (const [index, p] of by.parameters.entries()) if (!written.has(p)) this.places.set(p, { of: by.id, index });
    }
  }

  valuesIn(f: FunctionDeclaration): Values {
    const values = this.values.get(f.id) ?? new Values(this.module, f, this);
    this.values.set(f.id, values);
    return values;
  }

  integer(id: VarId): Interval | undefined {
    return this.ofCalls(id, this.integers, (values, e) => values.integer(e), hull);
  }

  way(id: VarId): boolean | undefined {
    return this.ofCalls(
      id,
      this.ways,
      (values, e) => values.settled(e),
      (a, b) => (a === b ? a : undefined),
    );
  }

  private ofCalls<T>(
    id: VarId,
    known: Map<VarId, T | undefined>,
    valueOf: (values: Values, e: Expr) => T | undefined,
    joined: (a: T, b: T) => T | undefined,
  ): T | undefined {
    const place = this.places.get(id);
    if (!place || this.depth >= mostCallers) return undefined;
    if (known.has(id)) return known.get(id);
    this.depth++;
    let all: T | undefined;
    for (const [i, { by, values }] of (this.calls.get(place.of) ?? []).entries()) {
      const e = values[place.index];
      const value = e && valueOf(this.valuesIn(by), e);
      all = value === undefined ? undefined : i === 0 ? value : joined(all!, value);
      if (all === undefined) break;
    }
    this.depth--;
    // What was given up halfway may be known from nearer by.
    if (all !== undefined || this.depth === 0) known.set(id, all);
    return all;
  }
}

/** What values of a function are known to be. */
class Values {
  private readonly ranges: Ranges;
  private readonly set: ReadonlyMap<VarId, Expr>;
  private readonly active = new Set<VarId>();

  constructor(
    private readonly module: Module,
    f: FunctionDeclaration,
    private readonly given: Given,
  ) {
    this.set = setOnce(f);
    this.ranges = new Ranges(module, f, { builtin: () => undefined, variable: (id) => given.integer(id) });
  }

  integer(e: Expr): Interval | undefined {
    const kind = e.type.kind === "scalar" ? scalarOf(e.type) : undefined;
    return kind && isInteger(kind) ? this.ranges.of(e) : undefined;
  }

  settled(e: Expr): boolean | undefined {
    const literal = literalValue(e);
    if (typeof literal === "boolean") return literal;
    switch (e.kind) {
      case "unary": {
        const inner = e.operator === "not" ? this.settled(e.operand) : undefined;
        return inner === undefined ? undefined : !inner;
      }
      case "logical": {
        const [a, b] = [this.settled(e.left), this.settled(e.right)];
        const decides = e.operator === "or";
        if (a === decides || b === decides) return decides;
        return a !== undefined && b !== undefined ? !decides : undefined;
      }
      case "load":
        return e.place.kind === "variable" && scalarOf(e.type) === "bool" ? this.variable(e.place.variable) : undefined;
      case "binary": {
        const [left, right] = [this.integer(e.left), this.integer(e.right)];
        return left && right ? settledBy(e.operator, left, right) : undefined;
      }
      default:
        return undefined;
    }
  }

  /** A local that keeps what it is declared with, a constant of the file, or a parameter that is the same in all calls. */
  private variable(id: VarId): boolean | undefined {
    const v = this.module.variables.get(id);
    const initial =
      this.set.get(id) ??
      (v?.role === "global" && v.compileTime && !resourceOf(this.module, id) ? v.initializer : undefined);
    if (!initial) return this.given.way(id);
    if (this.active.has(id)) return undefined;
    this.active.add(id);
    const way = this.settled(initial);
    this.active.delete(id);
    return way;
  }
}
