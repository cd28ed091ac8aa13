/**
 * Where a kernel takes subgroups for so many lanes wide: lane numbers, masks and distances of shuffles that meet a number
 * of the text. Found without running it, by following what the ids and the cross-lane ops give from variable to variable,
 * whatever the order; so it names candidates, and runs at several widths say whether one matters.
 */
import { rows } from "../../ops/table.js";
import { familyOf } from "../../ast/op-ids.js";
import { functionOf } from "../../ast/lookup.js";
import type {
  BuiltinId,
  EntryPoint,
  Expr,
  FunctionDeclaration,
  Module,
  Place,
  SubgroupSizes,
  VarId,
} from "../../ast/nodes.js";
import { walkStatement } from "../../ast/walk.js";
import type { Span } from "../../support/span.js";

export interface WidthAssumption {
  readonly span: Span;
  readonly message: string;
  /** Lanes the place is right for; undefined where that hangs on the size of the workgroup. */
  readonly width?: number;
}

export interface WidthUse {
  /** The kernel reads lane numbers or has cross-lane ops. */
  readonly usesSubgroups: boolean;
  /** Set by the source: it runs at these widths only. */
  readonly required?: SubgroupSizes;
  readonly assumptions: readonly WidthAssumption[];
  /** Its cross-lane ops. */
  readonly ops: readonly Span[];
}

/** What a value comes from. */
const from = { lane: 1, index: 2, subgroup: 4, mask: 8 } as const;

const idsOfSubgroups: ReadonlySet<BuiltinId> = new Set([
  "lane_id",
  "subgroup_id",
  "subgroup_size",
  "subgroup_lanes",
  "num_subgroups",
  "enqueued_num_subgroups",
]);
/** Those that number the lanes of a workgroup, or of the grid. */
const idsOfLanes: ReadonlySet<BuiltinId> = new Set(["local_id", "local_index", "global_id", "global_linear_id"]);

export function widthUse(module: Module, entry: EntryPoint): WidthUse {
  const functions = reachable(module, entry);
  const facts = new Facts(module, functions);
  const ops = facts.opSpans();
  const found = facts.usesSubgroups ? facts.assumptions(entry) : [];
  const seen = new Set<string>();
  const only = entry.subgroupSizes?.min === entry.subgroupSizes?.max ? entry.subgroupSizes?.min : undefined;
  const assumptions = found
    // Nothing is assumed where the source itself sees to it.
    .filter(({ width }) => width === undefined || width !== only)
    .filter(({ span }) => span.end > span.start && !seen.has(`${span.start}`) && seen.add(`${span.start}`))
    .sort((a, b) => a.span.start - b.span.start);
  return {
    usesSubgroups: facts.usesSubgroups,
    ...(entry.subgroupSizes === undefined ? {} : { required: entry.subgroupSizes }),
    assumptions,
    ops,
  };
}

function reachable(module: Module, entry: EntryPoint): readonly FunctionDeclaration[] {
  const byId = new Map(module.functions.map((f) => [f.id, f]));
  const found = new Set<FunctionDeclaration>();
  const add = (id: number): void => {
    const f = byId.get(id);
    if (!f || found.has(f)) return;
    found.add(f);
    walkStatement(f.body, {
      expr(e) {
        if (e.kind === "call") add(e.function);
      },
    });
  };
  add(entry.function);
  return [...found];
}

const isPower = (n: number): boolean => n > 0 && (n & (n - 1)) === 0;
const most = 128;
/** Widths a number of the text can stand for. Quads and pairs are the same at every width. */
const widthOf = (n: number): number | undefined => (isPower(n) && n >= 8 && n <= most ? n : undefined);

/** Ops whose second operand is a lane or a distance. */

class Facts {
  private readonly taints = new Map<VarId, number>();
  private readonly results = new Map<number, number>();
  /** Variables that say which lane is read or how far away it is. */
  private readonly distances = new Set<VarId>();
  usesSubgroups = false;

  constructor(
    private readonly module: Module,
    readonly functions: readonly FunctionDeclaration[],
  ) {
    for (let changed = true; changed;) changed = this.follow();
  }

  opSpans(): readonly Span[] {
    const spans: Span[] = [];
    this.eachExpr((e) => {
      if (e.kind === "op" && familyOf(e.op) === "subgroup") spans.push(e.span);
    });
    return spans;
  }

  private eachExpr(visit: (e: Expr) => void): void {
    for (const f of this.functions) walkStatement(f.body, { expr: visit });
  }

  // ---------------------------------------------------------------- where values come from

  private follow(): boolean {
    let changed = false;
    const raise = <K>(map: Map<K, number>, key: K, bits: number): void => {
      const old = map.get(key) ?? 0;
      if ((old | bits) === old) return;
      map.set(key, old | bits);
      changed = true;
    };
    for (const f of this.functions) {
      walkStatement(f.body, {
        statement: (s) => {
          if (s.kind === "declare" && s.initializer) raise(this.taints, s.variable, this.taint(s.initializer));
          if (s.kind === "return" && s.value) raise(this.results, f.id, this.taint(s.value));
        },
        expr: (e) => {
          if (e.kind === "assign") {
            const target = variableOf(e.target);
            if (target !== undefined) raise(this.taints, target, this.taint(e.value));
          }
          if (e.kind === "call") this.bind(e, (v, bits) => raise(this.taints, v, bits));
          if (e.kind === "builtin" && idsOfSubgroups.has(e.builtin)) this.usesSubgroups = true;
          if (e.kind !== "op" || familyOf(e.op) !== "subgroup") return;
          this.usesSubgroups = true;
          const second = rows.get(e.op)?.from && e.arguments[1] ? plainVariable(e.arguments[1]) : undefined;
          if (second !== undefined && !this.distances.has(second)) {
            this.distances.add(second);
            changed = true;
          }
        },
      });
    }
    return changed;
  }

  private bind(e: Expr & { kind: "call" }, raise: (v: VarId, bits: number) => void): void {
    const callee = functionOf(this, e.function);
    e.arguments.forEach((a, i) => {
      const parameter = callee?.parameters[i];
      if (parameter === undefined) return;
      if (a.mode === "value") {
        raise(parameter, this.taint(a.value));
        // A parameter that is a distance makes what is given for it one.
        const given = plainVariable(a.value);
        if (given !== undefined && this.distances.has(parameter)) this.distances.add(given);
        return;
      }
      const place = variableOf(a.place);
      if (place === undefined) return;
      raise(parameter, this.taints.get(place) ?? 0);
      if (a.mode !== "ref" || !this.module.variables.get(place)?.constant)
        raise(place, this.taints.get(parameter) ?? 0);
    });
  }

  private taint(e: Expr): number {
    switch (e.kind) {
      case "builtin":
        if (e.builtin === "lane_id") return from.lane;
        if (e.builtin === "subgroup_id" || e.builtin === "num_subgroups") return from.subgroup;
        return idsOfLanes.has(e.builtin) ? from.index : 0;
      case "load": {
        const v = variableOf(e.place);
        const found = v === undefined ? 0 : (this.taints.get(v) ?? 0);
        // What is in memory that lanes share is something else.
        return v !== undefined && this.module.variables.get(v)!.space !== "private" ? 0 : found;
      }
      case "op":
        return rows.get(e.op)?.givesLanes ? from.mask : 0;
      case "call":
        return this.results.get(e.function) ?? 0;
      case "binary": {
        const bits = this.taint(e.left) | this.taint(e.right);
        const n = this.numberOf(e.right);
        if (n === undefined || (bits & from.index) === 0) return bits;
        // A lane or subgroup number worked out by hand.
        if ((e.operator === "and" && widthOf(n + 1)) || (e.operator === "rem" && widthOf(n))) return bits | from.lane;
        if ((e.operator === "shr" && widthOf(2 ** n)) || (e.operator === "div" && widthOf(n)))
          return bits | from.subgroup;
        return bits;
      }
      case "convert":
      case "bitcast":
      case "splat":
      case "unary":
      case "swizzle-value":
        return this.taint(e.operand);
      case "element-value":
        return this.taint(e.operand);
      case "conditional":
        return this.taint(e.whenTrue) | this.taint(e.whenFalse);
      case "construct":
        return e.arguments.reduce((bits, a) => bits | this.taint(a), 0);
      default:
        return 0;
    }
  }

  /** The value of a number of the text, also by the name of a constant. */
  private numberOf(e: Expr): number | undefined {
    switch (e.kind) {
      case "literal":
      case "enumerator":
        return typeof e.value === "boolean" ? undefined : Number(e.value);
      case "convert":
      case "splat":
        return this.numberOf(e.operand);
      case "load": {
        if (e.place.kind !== "variable") return undefined;
        const v = this.module.variables.get(e.place.variable)!;
        return v.constant && v.initializer ? this.numberOf(v.initializer) : undefined;
      }
      default:
        return undefined;
    }
  }

  // ---------------------------------------------------------------- where they meet numbers

  assumptions(entry: EntryPoint): WidthAssumption[] {
    const found: WidthAssumption[] = [];
    const add = (span: Span, width: number | undefined, message: (lanes: string) => string): void => {
      if (width === undefined) return;
      found.push({ span, width, message: message(`${width} lanes`) });
    };
    const words = this.laterWords();
    for (const f of this.functions) {
      walkStatement(f.body, {
        statement: (s) => {
          // Where the first distance is written down.
          if (s.kind !== "declare" || !s.initializer || !this.distances.has(s.variable)) return;
          if (this.module.variables.get(s.variable)!.constant) return;
          this.firstDistance(s.initializer, add);
        },
        expr: (e) => {
          switch (e.kind) {
            case "binary":
              return this.binary(e, add);
            case "assign": {
              const target = variableOf(e.target);
              if (!e.operator && target !== undefined && this.distances.has(target)) this.firstDistance(e.value, add);
              return;
            }
            case "op":
              return this.move(e, add);
            case "swizzle-value":
              if (!words && firstWord(e) && (this.taint(e.operand) & from.mask) !== 0)
                add(e.span, 32, (n) => `this looks at the mask of the first ${n} only`);
              return;
            case "load":
              return this.load(e, words, entry, found, add);
            default:
              return;
          }
        },
        place: (p, use) => {
          if (use === "write" || use === "both") this.element(p, entry, found);
        },
      });
    }
    return found;
  }

  private firstDistance(value: Expr, add: Add): void {
    const n = this.numberOf(value);
    if (n !== undefined && isPower(n) && n >= 4)
      add(value.span, widthOf(2 * n), (lanes) => `the first distance of ${n} takes subgroups for ${lanes} wide`);
  }

  private binary(e: Expr & { kind: "binary" }, add: Add): void {
    const [right, left] = [this.numberOf(e.right), this.numberOf(e.left)];
    const n = right ?? left;
    if (n === undefined || (right !== undefined && left !== undefined)) return;
    const other = right !== undefined ? e.left : e.right;
    const bits = this.taint(other);
    const distance = plainVariable(other);
    const isDistance = distance !== undefined && this.distances.has(distance);
    const says = (lanes: string): string => `this takes subgroups for ${lanes} wide`;
    switch (e.operator) {
      case "and":
        if (bits & (from.lane | from.index)) add(e.span, widthOf(n + 1), says);
        return;
      case "rem":
      case "div":
        if (right !== undefined && bits & (from.lane | from.index)) add(e.span, widthOf(n), says);
        return;
      case "shr":
        if (right !== undefined && n < 8 && bits & (from.lane | from.index)) add(e.span, widthOf(2 ** n), says);
        return;
      case "shl":
        if (right !== undefined && n < 8 && bits & from.subgroup) add(e.span, widthOf(2 ** n), says);
        return;
      case "mul":
        if (bits & from.subgroup) add(e.span, widthOf(n), says);
        return;
      case "sub":
        if (left !== undefined && bits & from.lane) add(e.span, widthOf(n + 1), says);
        return;
      case "lt":
      case "ge":
        if (bits & from.lane || isDistance) add(e.span, widthOf(n), says);
        return;
      case "le":
      case "gt":
      case "eq":
      case "ne":
        if (bits & from.lane)
          add(e.span, widthOf(n + 1) ?? (e.operator === "le" || e.operator === "gt" ? widthOf(n) : undefined), says);
        return;
      default:
        return;
    }
  }

  private move(e: Expr & { kind: "op" }, add: Add): void {
    const second = rows.get(e.op)?.from ? e.arguments[1] : undefined;
    const n = second && this.numberOf(second);
    if (second === undefined || n === undefined || n < 4) return;
    const next = 2 ** (Math.floor(Math.log2(n)) + 1);
    add(second.span, widthOf(next), (lanes) => `lane or distance ${n} is there only in subgroups of ${lanes} or more`);
  }

  private load(
    e: Expr & { kind: "load" },
    words: boolean,
    entry: EntryPoint,
    found: WidthAssumption[],
    add: Add,
  ): void {
    this.element(e.place, entry, found);
    if (words || e.place.kind !== "swizzle" || !isFirst(e.place.components)) return;
    const v = variableOf(e.place);
    if (v !== undefined && (this.taints.get(v) ?? 0) & from.mask)
      add(e.span, 32, (n) => `this looks at the mask of the first ${n} only`);
  }

  /** Other words of masks than the first are looked at somewhere. */
  private laterWords(): boolean {
    let some = false;
    const later = (c: readonly number[]): boolean => c.some((i) => i > 0);
    for (const f of this.functions) {
      walkStatement(f.body, {
        expr: (e) => {
          if (e.kind === "swizzle-value" && later(e.components) && this.taint(e.operand) & from.mask) some = true;
        },
        place: (p) => {
          if (p.kind !== "swizzle" || !later(p.components)) return;
          const v = variableOf(p);
          if (v !== undefined && (this.taints.get(v) ?? 0) & from.mask) some = true;
        },
      });
    }
    return some;
  }

  /** An array of workgroup memory with an element for each subgroup. */
  private element(p: Place, entry: EntryPoint, found: WidthAssumption[]): void {
    if (p.kind !== "element" || p.base.kind !== "variable" || p.base.type.kind !== "array") return;
    const { length } = p.base.type;
    const v = this.module.variables.get(p.base.variable)!;
    if (v.space !== "workgroup" || typeof length !== "number" || (this.taint(p.index) & from.subgroup) === 0) return;
    const lanes = entry.workgroupSize?.reduce((a, b) => a * b, 1);
    const width = lanes === undefined ? undefined : Math.max(1, 2 ** Math.ceil(Math.log2(lanes / length)));
    if (width !== undefined && width <= 4) return;
    const needs = width === undefined ? "" : `, which ${lanes} invocations need from a width of ${width} on`;
    found.push({
      span: p.span,
      message: `'${v.name}' has room for ${length} subgroups${needs}`,
      ...(width === undefined ? {} : { width }),
    });
  }
}

type Add = (span: Span, width: number | undefined, message: (lanes: string) => string) => void;

const isFirst = (components: readonly number[]): boolean => components.length === 1 && components[0] === 0;
const firstWord = (e: Expr & { kind: "swizzle-value" }): boolean => isFirst(e.components);

function variableOf(p: Place): VarId | undefined {
  switch (p.kind) {
    case "variable":
      return p.variable;
    case "element":
    case "member":
    case "swizzle":
      return variableOf(p.base);
    case "deref":
    case "view":
      return undefined;
  }
}

/** The variable a value is read from as it is. */
function plainVariable(e: Expr): VarId | undefined {
  if (e.kind === "convert") return plainVariable(e.operand);
  return e.kind === "load" && e.place.kind === "variable" ? e.place.variable : undefined;
}
