/**
 * What is known of a region of lanes before it is encoded for four lanes at a time: which values are the same in a group of four,
 * which indices grow evenly from lane to lane, where control flow splits a group, and whether the order in which lanes touch
 * memory may be another than one after the other.
 */
import { bodiesOf, bytesOf, childrenOf, exprsOf, visitCode, visitExpr } from "../../src/regions/machine.js";
import { idRow } from "../../src/ops/ids.js";
import { regionBodies } from "../../src/regions/queries.js";
import type { Address, Code, LabelId, LocalId, MachineExpr, Program, Region } from "../../src/regions/tree.js";

/** Lanes of a group. */
export const groupLanes = 4;

/** Where lanes go that leave their region. */
export const leaveTarget: LabelId = -1;

/** Two accesses that touch nothing in common within a group if their distance, in bytes, is none or at least `apart`. */
export interface Distance {
  readonly a: Address;
  readonly b: Address;
  readonly apart: number;
}

export interface Surroundings {
  readonly program: Program;
  /** Workgroups are lines, or their lines are whole groups. */
  readonly rowsOfGroups: boolean;
  readonly flat: boolean;
  /** The first global id of a workgroup is a multiple of a group's lanes. */
  readonly alignedGrid: boolean;
  /** The lanes are those of one subgroup, so that a run of groups is within it. */
  readonly inSubgroup: boolean;
}

/** Values of locals that are declared once in the whole program, and constant. */
export function definitions(program: Program): ReadonlyMap<LocalId, MachineExpr> {
  const found = new Map<LocalId, MachineExpr>();
  const note = (list: readonly Code[]): void =>
    visitCode(list, (c) => {
      if (c.kind === "declare" && c.value && program.locals.get(c.local)!.constant) found.set(c.local, c.value);
    });
  const walk = (list: readonly Region[]): void => {
    for (const r of list) {
      if (r.kind === "lanes" || r.kind === "uniform") note(r.code);
      for (const b of regionBodies(r)) walk(b);
    }
  };
  walk(program.regions);
  return found;
}

interface Level {
  readonly id: number;
}

export class LaneShapes {
  private readonly varying = new Set<LocalId>();
  private readonly divergent = new Set<LabelId>();
  private readonly stored = new Set<number>();
  private readonly levels = new Map<LocalId, number>();
  private changed = true;
  private nextLevel = 1;
  /** What is asked is asked of a run of groups: no group begins anew there. */
  private overRun = false;
  private strides = new Map<LocalId, number | undefined>();
  readonly distances: Distance[] = [];
  /** Why the region is left to one lane at a time. */
  readonly reason: string | undefined;

  constructor(
    private readonly around: Surroundings,
    private readonly defined: ReadonlyMap<LocalId, MachineExpr>,
    private readonly code: readonly Code[],
  ) {
    this.reason = this.unsupported() ?? (this.settle(), this.memoryOrder());
  }

  // ---------------------------------------------------------------- shapes

  isDivergent(label: LabelId): boolean {
    return this.divergent.has(label);
  }

  /** Declared where the group of active lanes is the same as where it is set. */
  levelOf(id: LocalId): number | undefined {
    return this.levels.get(id);
  }

  isUniformLocal(id: LocalId): boolean {
    const { storage } = this.around.program.locals.get(id)!;
    if (storage === "lane" && this.overRun) {
      const value = this.defined.get(id);
      return value !== undefined && this.isUniform(value);
    }
    // Values of other regions, followed through `defined`, name locals of a lane that are not this region's: of those nothing is known.
    return (
      storage === "workgroup" ||
      (storage === "subgroup" && !this.overSubgroups) ||
      (storage === "lane" && this.levels.has(id) && !this.varying.has(id))
    );
  }

  /** The same in all lanes of a group. */
  isUniform(e: MachineExpr): boolean {
    switch (e.kind) {
      case "local":
        return this.isUniformLocal(e.local);
      case "builtin":
        return this.strideOfBuiltin(e) === 0;
      case "call":
        return false;
      case "load":
        if (typeof e.address.object !== "number" || this.stored.has(e.address.object)) return false;
        if (this.around.program.objects[e.address.object]!.kind === "private") return false;
        break;
      case "operation":
        if (this.withinStep(e) === "quotient") return true;
        break;
      default:
    }
    return childrenOf(e).every((c) => this.isUniform(c));
  }

  private strideOfBuiltin(e: MachineExpr & { kind: "builtin" }): number | undefined {
    switch (e.builtin) {
      case "local_index":
        return 1;
      case "lane_id":
        return this.overSubgroups ? undefined : 1;
      case "local_id":
      case "global_id":
        return e.component === 0 ? 1 : 0;
      case "global_linear_id":
      case "quad_lane_id":
        return undefined;
      default:
        return this.overSubgroups && idRow(e.builtin).sameIn === "subgroup" ? undefined : 0;
    }
  }

  /** Of a local that is declared once, and constant. */
  valueOf(id: LocalId): MachineExpr | undefined {
    return this.defined.get(id);
  }

  /** By how much an integer grows from lane to lane; undefined where it does not grow evenly. */
  stride(e: MachineExpr): number | undefined {
    if (this.isUniform(e)) return 0;
    switch (e.kind) {
      case "builtin":
        return this.strideOfBuiltin(e);
      case "local": {
        const value = this.defined.get(e.local);
        if (!value) return undefined;
        if (!this.strides.has(e.local)) this.strides.set(e.local, this.stride(value));
        return this.strides.get(e.local);
      }
      case "checked":
        return typeof e.address.object === "number" ? this.stride(e.address.index) : undefined;
      case "conversion": {
        const { from, scalar: to } = e;
        if (e.mode || (from !== "i32" && from !== "u32")) return undefined;
        if (to === "index" || to === "i32" || to === "u32") return this.stride(e.operand);
        return undefined;
      }
      case "operation":
        return this.strideOfOperation(e);
      default:
        return undefined;
    }
  }

  private strideOfOperation(e: MachineExpr & { kind: "operation" }): number | undefined {
    const [a, b] = e.arguments;
    if (e.on !== "i32" && e.on !== "u32" && e.on !== "index") return undefined;
    // In between an index must not wrap where the whole does not show it.
    if (e.on === "index" && !e.arguments.every((x) => this.cannotWrap(x))) return undefined;
    if (e.on === "index" && e.op === "within") return this.stride(a!);
    if (e.op === "add" || e.op === "sub") {
      const [x, y] = [this.stride(a!), this.stride(b!)];
      return x === undefined || y === undefined ? undefined : e.op === "add" ? x + y : x - y;
    }
    if (e.op === "mul") {
      const [factor, other] = a!.kind === "constant" ? [a, b!] : [b!, a!];
      const x = this.stride(other);
      return factor.kind === "constant" && x !== undefined ? small(x * Number(factor.value)) : undefined;
    }
    if (e.op === "shl" && b!.kind === "constant") {
      const x = this.stride(a!);
      return x === undefined ? undefined : small(x * 2 ** (Number(b.value) & 31));
    }
    return this.withinStep(e) === "remainder" ? this.stride(a!) : undefined;
  }

  /** As `isUniform` and `stride`, of all groups of a run. */
  isUniformInRun(e: MachineExpr): boolean {
    return this.ofRun(() => this.isUniform(e));
  }
  strideInRun(e: MachineExpr): number | undefined {
    return this.ofRun(() => this.stride(e));
  }
  private ofRun<T>(ask: () => T): T {
    const of = this.strides;
    this.strides = this.runStrides;
    this.overRun = true;
    const answer = ask();
    this.overRun = false;
    this.strides = of;
    return answer;
  }
  private readonly runStrides = new Map<LocalId, number | undefined>();

  /** A run of groups goes over subgroups. */
  private get overSubgroups(): boolean {
    return this.overRun && !this.around.inSubgroup;
  }

  /**
   * Quotients and remainders by a power of two of what grows evenly and does not come to the next multiple within a group: `i / 16` is
   * the same in four lanes whose first is a multiple of four, and `i % 16` grows as `i` does.
   */
  private withinStep(e: MachineExpr & { kind: "operation" }): "quotient" | "remainder" | undefined {
    const [a, b] = e.arguments;
    if (this.overRun || b?.kind !== "constant" || (e.on !== "u32" && e.on !== "i32") || e.site !== undefined)
      return undefined;
    const by = Number(b.value);
    const isQuotient = e.op === "shr" || (e.op === "div" && e.on === "u32");
    if (!isQuotient && e.op !== "and" && !(e.op === "rem" && e.on === "u32")) return undefined;
    const power = e.op === "shr" ? 2 ** (by & 31) : e.op === "and" ? by + 1 : by;
    if (power < groupLanes || !Number.isInteger(Math.log2(power))) return undefined;
    const s = this.stride(a!);
    if (s === undefined || s <= 0 || (groupLanes - 1) * s >= Math.min(power, this.multiple(a!))) return undefined;
    return isQuotient ? "quotient" : "remainder";
  }

  /** A power of two that divides a number in the first lane of each group. */
  private multiple(e: MachineExpr): number {
    switch (e.kind) {
      case "constant": {
        const n = Number(e.value);
        return n === 0 || n % mostMultiple === 0 ? mostMultiple : Number.isInteger(n) ? n & -n : 1;
      }
      case "builtin":
        if (e.builtin === "global_id") return e.component === 0 && this.around.alignedGrid ? groupLanes : 1;
        return this.strideOfBuiltin(e) === 1 ? groupLanes : 1;
      case "local": {
        // A slot has nothing for lanes that took no part where it was set.
        const value = this.around.program.locals.get(e.local)!.storage === "lane" && this.defined.get(e.local);
        return value ? this.multiple(value) : 1;
      }
      case "conversion":
        return !e.mode && (e.from === "i32" || e.from === "u32") ? this.multiple(e.operand) : 1;
      case "operation": {
        const [a, b] = e.arguments;
        if (e.op === "add" || e.op === "sub") return Math.min(this.multiple(a!), this.multiple(b!));
        if (e.op === "mul") return Math.min(mostMultiple, this.multiple(a!) * this.multiple(b!));
        if (e.op === "shl" && b!.kind === "constant")
          return Math.min(mostMultiple, this.multiple(a!) * 2 ** (Number(b.value) & 31));
        return 1;
      }
      default:
        return 1;
    }
  }

  private cannotWrap(e: MachineExpr): boolean {
    if (this.isUniform(e)) return true;
    if (e.kind === "builtin" || e.kind === "checked") return true;
    if (e.kind === "operation" && e.on !== "index") return this.withinStep(e) === "remainder";
    if (e.kind === "operation") return e.arguments.every((x) => this.cannotWrap(x));
    if (e.kind === "conversion") return e.scalar === "index" && e.from === "u32" && this.cannotWrap(e.operand);
    if (e.kind === "local") {
      const value = this.defined.get(e.local);
      return value !== undefined && this.cannotWrap(value);
    }
    return false;
  }

  // ---------------------------------------------------------------- what is supported at all

  private unsupported(): string | undefined {
    let why: string | undefined;
    visitCode(this.code, (c) => {
      if (c.kind === "switch" || c.kind === "print") why ??= `a ${c.kind} among lanes`;
      if (c.kind === "atomic" && typeof c.address.object !== "number") why ??= "memory that is chosen at run time";
      if (c.kind === "store") {
        if (typeof c.address.object !== "number") why ??= "memory that is chosen at run time";
        else this.stored.add(c.address.object);
      }
      if (c.kind === "atomic" && typeof c.address.object === "number") this.stored.add(c.address.object);
      for (const e of exprsOf(c))
        visitExpr(e, (x) => {
          if (x.kind === "call") why ??= "a function that is not inlined";
          if (x.kind === "load" && typeof x.address.object !== "number") why ??= "memory that is chosen at run time";
        });
    });
    return why;
  }

  // ---------------------------------------------------------------- uniformity

  private settle(): void {
    while (this.changed) {
      this.changed = false;
      this.nextLevel = 1;
      this.strides.clear();
      this.walk(this.code, { id: 0 }, []);
    }
  }

  private mark<T>(set: Set<T>, x: T): void {
    if (set.has(x)) return;
    set.add(x);
    this.changed = true;
  }

  private walk(
    list: readonly Code[],
    level: Level,
    targets: readonly { readonly label: LabelId; readonly level: number; readonly body: number }[],
  ): void {
    for (const c of list) this.statement(c, level, targets);
  }

  private write(local: LocalId, value: MachineExpr | undefined, declares: boolean, level: Level): void {
    if (declares) this.levels.set(local, level.id);
    if (this.around.program.locals.get(local)!.storage !== "lane") return;
    if ((value && !this.isUniform(value)) || this.levels.get(local) !== level.id) this.mark(this.varying, local);
  }

  private statement(
    c: Code,
    level: Level,
    targets: readonly { readonly label: LabelId; readonly level: number; readonly body: number }[],
  ): void {
    switch (c.kind) {
      case "declare":
      case "set":
        return this.write(c.local, c.value, c.kind === "declare", level);
      case "atomic":
        if (c.result === undefined) return;
        this.levels.set(c.result, level.id);
        return this.mark(this.varying, c.result);
      case "if": {
        const split = !this.isUniform(c.condition);
        this.walk(c.then, split ? { id: this.nextLevel++ } : level, targets);
        this.walk(c.else, split ? { id: this.nextLevel++ } : level, targets);
        return;
      }
      case "block": {
        const inside = this.divergent.has(c.label) ? { id: this.nextLevel++ } : level;
        return this.walk(c.body, inside, [...targets, { label: c.label, level: inside.id, body: inside.id }]);
      }
      case "loop": {
        if (c.condition && !this.isUniform(c.condition)) this.mark(this.divergent, c.label);
        const split = this.divergent.has(c.label);
        const inside = split ? { id: this.nextLevel++ } : level;
        const body = split ? { id: this.nextLevel++ } : level;
        const around = [...targets, { label: c.label, level: inside.id, body: inside.id }];
        this.walk(c.head, inside, around);
        this.walk(c.body, body, [...targets, { label: c.label, level: inside.id, body: body.id }]);
        this.walk(c.step, inside, around);
        return;
      }
      case "break":
      case "continue": {
        const at = targets.findLastIndex((t) => t.label === c.label);
        const target = targets[at]!;
        if (target.body === level.id && !this.divergent.has(c.label)) return;
        // Everything that is left on the way has lanes leave it one by one.
        for (const t of targets.slice(at)) this.mark(this.divergent, t.label);
        return;
      }
      case "return":
      case "park":
        for (const t of targets) this.mark(this.divergent, t.label);
        return;
      default:
    }
  }

  // ---------------------------------------------------------------- memory

  /** Why lanes may not go together: what one of them stores another may read or store. */
  private memoryOrder(): string | undefined {
    const accesses: { address: Address; size: number; kind: "load" | "store" | "atomic"; op: string; loop: boolean }[] =
      [];
    const walk = (list: readonly Code[], loop: boolean): void => {
      for (const c of list) {
        const inLoop = loop || c.kind === "loop";
        for (const e of exprsOf(c))
          visitExpr(e, (x) => {
            if (x.kind === "load")
              accesses.push({ address: x.address, size: bytesOf(x.scalar), kind: "load", op: "", loop: inLoop });
          });
        if (c.kind === "store")
          accesses.push({ address: c.address, size: bytesOf(c.scalar), kind: "store", op: "", loop });
        if (c.kind === "atomic")
          accesses.push({
            address: c.address,
            size: bytesOf(c.scalar),
            kind: "atomic",
            op: c.result !== undefined || c.scalar[0] === "f" || !commuting.has(c.op) ? "ordered" : c.op,
            loop,
          });
        for (const b of bodiesOf(c)) walk(b, inLoop);
      }
    };
    walk(this.code, false);
    for (const object of this.stored) {
      if (this.around.program.objects[object]!.kind === "private") continue;
      const here = accesses.filter((a) => a.address.object === object);
      const [first] = here;
      if (here.length === 1 && !first!.loop) continue;
      if (here.every((a) => a.kind === "atomic" && a.op !== "ordered" && a.op === first!.op)) continue;
      for (const [i, a] of here.entries())
        for (const b of here.slice(i)) {
          if (a.kind === "load" && b.kind === "load") continue;
          if (a === b && !a.loop) continue;
          const why = this.apart(a.address, b.address, Math.max(a.size, b.size));
          if (why) return why;
        }
    }
    return undefined;
  }

  private apart(a: Address, b: Address, size: number): string | undefined {
    const of = (x: Address): number | undefined => {
      const s = this.stride(x.index);
      return s === undefined ? undefined : s * x.unit;
    };
    const [s, t] = [of(a), of(b)];
    if (s === undefined || s !== t || s === 0) return "lanes may touch what others store";
    const [x, y] = [this.inlined(a.index), this.inlined(b.index)];
    if (!x || !y) return "lanes may touch what others store as the region goes on";
    const [from, to] = [withoutConstant(x), withoutConstant(y)];
    if (a.unit === b.unit && sameExpr(from.index, to.index)) {
      const between = Math.abs(a.offset + from.more * a.unit - b.offset - to.more * b.unit);
      const beyond = between >= (groupLanes - 1) * Math.abs(s) + size;
      return between + size <= Math.abs(s) || beyond ? undefined : "elements of lanes overlap";
    }
    this.distances.push({
      a: { ...a, index: x },
      b: { ...b, index: y },
      apart: (groupLanes - 1) * Math.abs(s) + size,
    });
    // The same place again is no lane's but its own only where an element fits between two lanes.
    return size <= Math.abs(s) ? undefined : "elements of lanes overlap";
  }

  /** In terms of what is known before the region begins; undefined where it changes or has effects. */
  inlined(e: MachineExpr): MachineExpr | undefined {
    switch (e.kind) {
      case "constant":
      case "builtin":
      case "length":
        return e;
      case "local": {
        const { storage } = this.around.program.locals.get(e.local)!;
        if (storage === "workgroup" || storage === "subgroup") return e;
        const value = this.defined.get(e.local);
        return value && this.inlined(value);
      }
      case "checked":
        return this.inlined(e.address.index);
      case "conversion": {
        if (e.mode || e.site !== undefined) return undefined;
        const operand = this.inlined(e.operand);
        return operand && { ...e, operand };
      }
      case "operation": {
        if (e.site !== undefined) {
          if (e.op === "within") return this.inlined(e.arguments[0]!);
          if (e.op !== "add" && e.op !== "sub" && e.op !== "mul") return undefined;
        }
        if (e.op === "div" || e.op === "rem") return undefined;
        const list = e.arguments.map((x) => this.inlined(x));
        if (list.some((x) => x === undefined)) return undefined;
        const { site: _site, ...plain } = e;
        return { ...plain, arguments: list as MachineExpr[] };
      }
      default:
        return undefined;
    }
  }
}

/** Of powers of two that are known to divide a number. */
const mostMultiple = 2 ** 16;

/** An index and what a constant adds to it, in units: where that wraps in 32 bits the sum that does not is outside of all objects. */
export function withoutConstant(e: MachineExpr): { readonly index: MachineExpr; readonly more: number } {
  if (e.kind === "conversion" && !e.mode && (e.from === "i32" || e.from === "u32")) {
    const { index, more } = withoutConstant(e.operand);
    return more === 0 ? { index: e, more } : { index: { ...e, operand: index }, more };
  }
  if (e.kind !== "operation" || e.site !== undefined || (e.op !== "add" && e.op !== "sub"))
    return { index: e, more: 0 };
  const [a, b] = e.arguments as readonly [MachineExpr, MachineExpr];
  const number = (c: MachineExpr & { kind: "constant" }): number =>
    e.on === "index" ? Number(c.value) : Number(c.value) | 0;
  if (b.kind === "constant") return { index: a, more: e.op === "add" ? number(b) : -number(b) };
  return a.kind === "constant" && e.op === "add" ? { index: b, more: number(a) } : { index: e, more: 0 };
}

const commuting: ReadonlySet<string> = new Set(["add", "sub", "min", "max", "and", "or", "xor"]);

const small = (n: number): number | undefined => (Math.abs(n) < 2 ** 24 ? n : undefined);

export function sameExpr(a: MachineExpr, b: MachineExpr): boolean {
  if (a === b) return true;
  if (a.kind !== b.kind || a.scalar !== b.scalar) return false;
  if (a.kind === "constant" && b.kind === "constant") return a.value === b.value;
  if (a.kind === "local" && b.kind === "local") return a.local === b.local;
  if (a.kind === "builtin" && b.kind === "builtin") return a.builtin === b.builtin && a.component === b.component;
  if (a.kind === "length" || b.kind === "length") return false;
  if (a.kind === "conversion" && b.kind === "conversion" && a.from !== b.from) return false;
  if (a.kind === "operation" && b.kind === "operation" && (a.op !== b.op || a.on !== b.on)) return false;
  const [x, y] = [childrenOf(a), childrenOf(b)];
  return x.length === y.length && x.length > 0 && x.every((e, i) => sameExpr(e, y[i]!));
}
