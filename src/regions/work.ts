/**
 * How much a piece of a program does in one pass, in steps: the unit of a run's limit. A step is a pass through a loop
 * with up to `stepSize` expressions in one lane; longer bodies are several, and so are passes of many lanes at once.
 * It is an estimate by the text: both sides of a branch count, loops inside count for themselves, and so do functions that
 * are long with what they call.
 */
import { bodiesOf, exprsOf, visitCode, visitExpr } from "./machine.js";
import type { Code, Helper, LoopCode, LoopRegion, MachineExpr, Program, Region } from "./tree.js";

const stepSize = 64;

/** Expressions of a function, with those it calls, from which on each call counts for itself: short ones count where they are called. */
const longHelper = 8 * stepSize;

/** Lanes that pass a region together. */
export interface Together {
  readonly workgroup: number;
  readonly subgroup: number;
}

export class Work {
  private readonly helpers = new Map<number, number>();
  private readonly counting = new Map<number, boolean>();

  /** `original`: loops that count as others. */
  constructor(
    private readonly program: Pick<Program, "helpers" | "regions">,
    private readonly original: ReadonlyMap<LoopCode | LoopRegion, LoopCode | LoopRegion> = new Map(),
  ) {}

  /** Of one pass through a loop of one lane. */
  ofLoop(of: LoopCode): number {
    const loop = (this.original.get(of) as LoopCode | undefined) ?? of;
    return steps(this.exprs(exprsOf(loop)) + this.bodies(loop));
  }

  /** Of one pass through a loop that a workgroup or subgroup takes together. */
  ofRegionLoop(of: LoopRegion, together: Together): number {
    const loop = (this.original.get(of) as LoopRegion | undefined) ?? of;
    const lanes = loop.over === "workgroup" ? together : { ...together, workgroup: together.subgroup };
    return steps(
      (loop.condition ? this.expr(loop.condition) : 0) +
        this.regions([...loop.head, ...loop.body, ...loop.step], lanes),
    );
  }

  /** Of one workgroup, without its loops. */
  ofWorkgroup(together: Together): number {
    return steps(this.regions(this.program.regions, together));
  }

  private regions(list: readonly Region[], lanes: Together): number {
    return list.reduce((n, r) => n + this.region(r, lanes), 0);
  }

  private region(r: Region, lanes: Together): number {
    switch (r.kind) {
      case "lanes":
        return lanes.workgroup * (1 + this.code(r.code));
      case "uniform":
        return Math.ceil(r.over === "workgroup" ? 1 : lanes.workgroup / lanes.subgroup) * this.code(r.code);
      case "collective":
      case "resume":
      case "barrier":
        return lanes.workgroup;
      case "subgroups":
      case "block":
      case "if-any":
        return this.regions(r.body, lanes);
      case "if":
        return this.expr(r.condition) + this.regions(r.then, lanes) + this.regions(r.else, lanes);
      case "switch":
        return r.cases.reduce((n, c) => n + this.regions(c.body, lanes), this.expr(r.value));
      case "loop":
      case "break":
      case "continue":
      case "return":
        return 1;
    }
  }

  private code(list: readonly Code[]): number {
    // What coverage notes is no work of the kernel's.
    return list.reduce(
      (n, c) => (c.kind === "cover" ? n : n + 1 + this.exprs(exprsOf(c))) + (c.kind === "loop" ? 0 : this.bodies(c)),
      0,
    );
  }

  private bodies(c: Code): number {
    return bodiesOf(c).reduce((n, b) => n + this.code(b), 0);
  }

  private exprs(list: readonly MachineExpr[]): number {
    return list.reduce((n, e) => n + this.expr(e), 0);
  }

  private expr(e: MachineExpr): number {
    let n = 0;
    visitExpr(e, (x) => (n += x.kind === "call" ? 1 + this.helper(x.helper) : 1));
    return n;
  }

  /** Of one call of a function that counts for itself. */
  ofHelper(index: number): number | undefined {
    const n = this.inHelper(index);
    return n > longHelper ? steps(n) : undefined;
  }

  /** Whether a call of a function counts steps of its own: it is long, or has loops, or what it calls does. */
  counts(index: number): boolean {
    let found = this.counting.get(index);
    if (found === undefined) {
      const { body }: Helper = this.program.helpers[index]!;
      found = this.ofHelper(index) !== undefined;
      visitCode(body, (c) => {
        found ||= c.kind === "loop";
        for (const e of exprsOf(c)) visitExpr(e, (x) => void (found ||= x.kind === "call" && this.counts(x.helper)));
      });
      this.counting.set(index, found);
    }
    return found;
  }

  private helper(index: number): number {
    const n = this.inHelper(index);
    return n > longHelper ? 0 : n;
  }

  private inHelper(index: number): number {
    let n = this.helpers.get(index);
    if (n === undefined) {
      const { body }: Helper = this.program.helpers[index]!;
      this.helpers.set(index, (n = this.code(body)));
    }
    return n;
  }
}

const steps = (expressions: number): number => Math.max(1, Math.ceil(expressions / stepSize));
