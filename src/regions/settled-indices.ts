/**
 * Checks that cannot fail, taken out of a program for one size of workgroup: the bounds of integers show that an index is inside its
 * dimension or its object, or that a sum fits. Indices that are sums and products of 32-bit integers and stay below 2^31 become
 * arithmetic of 32 bits, in which nothing is lost: what counts is the whole, and 32-bit numbers are a ring. Findings, values and steps stay as they are.
 */
import { hull, intervalOf, intervalOfOperator, negated, within, type Interval } from "../ast/interval.js";
import type { BinaryOperator } from "../ast/nodes.js";
import { allOf, boundsOfConstant, Known, truth } from "./known-bounds.js";
import { asShift, narrowIndex, type Valued } from "./narrow-indices.js";
import { Inlining } from "./inline-calls.js";
import { codeContinues, regionsContinue, writtenIn, writtenInRegions } from "./queries.js";
import type {
  BuiltinScalar,
  Checked,
  Code,
  Lanes,
  Local,
  LocalId,
  LoopCode,
  LoopRegion,
  MachineExpr,
  Operation,
  Program,
  Region,
} from "./tree.js";

export interface Surroundings {
  readonly workgroupSize: readonly [number, number, number];
  readonly subgroupSize: number;
}

export interface SettledProgram {
  readonly program: Program;
  /** Loops as they were: steps are counted by them. */
  readonly original: ReadonlyMap<LoopCode | LoopRegion, LoopCode | LoopRegion>;
}

/** Expressions that are looked at, those of loops several times; a program that has more stays as it is. */
const mostLookedAt = 100_000;

class TooLong extends Error {}

export function settleIndices(program: Program, around: Surroundings): SettledProgram {
  const settling = new Settling(program, around);
  try {
    const regions = settling.whole();
    return { program: { ...program, locals: settling.locals, regions }, original: settling.original };
  } catch (e) {
    if (!(e instanceof TooLong)) throw e;
    return { program, original: new Map() };
  }
}

const comparisons: ReadonlySet<string> = new Set(["eq", "ne", "lt", "le", "gt", "ge"]);
const arithmetic: ReadonlySet<string> = new Set(["add", "sub", "mul", "and", "or", "xor", "shl", "shr", "rem", "div"]);
const opposite: Readonly<Record<string, string>> = { eq: "ne", ne: "eq", lt: "ge", ge: "lt", gt: "le", le: "gt" };
const swapped: Readonly<Record<string, string>> = { eq: "eq", ne: "ne", lt: "gt", gt: "lt", le: "ge", ge: "le" };

class Settling {
  readonly original = new Map<LoopCode | LoopRegion, LoopCode | LoopRegion>();
  private lookedAt = 0;
  /** What locals are given in the loops around, the innermost last. */
  private readonly given: Map<LocalId, Interval | undefined>[] = [];

  constructor(
    private readonly program: Program,
    private readonly around: Surroundings,
  ) {
    this.calls = new Inlining(program);
  }

  private readonly calls: Inlining;

  get locals(): ReadonlyMap<LocalId, Local> {
    return this.calls.locals;
  }

  whole(): readonly Region[] {
    return this.regions(this.program.regions, new Known()).list;
  }

  // ---------------------------------------------------------------- locals

  private write(known: Known, id: LocalId, value: Interval | undefined): void {
    const { scalar } = this.locals.get(id)!;
    const all = allOf(scalar);
    const bounds = value && all && !within(value, all) ? all : (value ?? all);
    // What one lane's local holds is known while lanes' code is looked at; outside it is any lane's.
    known.assign(id, this.isKnowable(id) ? bounds : undefined);
    const given = this.given.at(-1);
    if (!given) return;
    const before = given.get(id);
    given.set(id, given.has(id) ? before && bounds && hull(before, bounds) : bounds);
  }

  /** Where something may have run or not: locals hold what they did, or what they were given. */
  private afterwards(known: Known, given: ReadonlyMap<LocalId, Interval | undefined>): Known {
    const after = known.copy();
    for (const [id, bounds] of given) {
      const before = known.boundsOf(id);
      this.write(after, id, before && bounds && hull(before, bounds));
    }
    return after;
  }

  private joined(a: Known | undefined, b: Known | undefined): Known | undefined {
    if (!a || !b) return a ?? b;
    const both = a.copy();
    both.meet(b);
    return both;
  }

  /** Runs `inside` and gives what locals are given in it. */
  private noting<T>(inside: () => T): {
    readonly result: T;
    readonly given: ReadonlyMap<LocalId, Interval | undefined>;
  } {
    const given = new Map<LocalId, Interval | undefined>();
    this.given.push(given);
    const result = inside();
    this.given.pop();
    return { result, given };
  }

  /** Passes through a loop until what is known at its head holds in every pass; what the last one makes is kept. */
  private loop<T>(before: Known, pass: (head: Known) => T): { readonly result: T; readonly after: Known } {
    let head = before.copy();
    let last = this.noting(() => pass(head.copy()));
    for (let n = 1; ; n++) {
      const next = this.headOf(before, last.given);
      if (head.holdsIn(next)) {
        // What follows from what holds is true, too, and says more.
        if (!next.holdsIn(head)) last = this.noting(() => pass(next.copy()));
        break;
      }
      // Bounds that still grow are let go, and at last all of them.
      head = n < 2 ? next : n < 5 ? this.widened(head, next) : this.widened(new Known(), next);
      last = this.noting(() => pass(head.copy()));
    }
    return { result: last.result, after: this.afterwards(before, last.given) };
  }

  private headOf(before: Known, given: ReadonlyMap<LocalId, Interval | undefined>): Known {
    const head = before.copy();
    for (const [id, bounds] of given) {
      const first = before.boundsOf(id);
      head.assign(id, first && bounds && hull(first, bounds));
    }
    return head;
  }

  private widened(head: Known, next: Known): Known {
    const wide = next.copy();
    wide.meet(head, (now, before, id) => {
      const all = allOf(this.locals.get(id)!.scalar);
      return (
        all && {
          low: now.low < before.low ? all.low : before.low,
          high: now.high > before.high ? all.high : before.high,
        }
      );
    });
    return wide;
  }

  // ---------------------------------------------------------------- code

  private list(
    list: readonly Code[],
    known: Known,
  ): { readonly list: readonly Code[]; readonly end: Known | undefined } {
    let at: Known | undefined = known;
    const made: Code[] = [];
    for (const c of list.flatMap((x) => this.calls.of(x))) {
      // Nothing comes by behind a jump.
      const { code, end }: { code: Code; end: Known | undefined } = this.statement(c, at ?? new Known());
      made.push(code);
      at = at && end;
    }
    return { list: made, end: at };
  }

  private statement(c: Code, known: Known): { readonly code: Code; readonly end: Known | undefined } {
    const value = (e: MachineExpr): MachineExpr => this.expr(e, known).e;
    switch (c.kind) {
      case "declare":
      case "set": {
        const made = c.value && this.expr(c.value, known);
        this.write(known, c.local, made?.in);
        return { code: made ? { ...c, value: made.e } : c, end: known };
      }
      case "store":
        return {
          code: { ...c, address: { ...c.address, index: value(c.address.index) }, value: value(c.value) },
          end: known,
        };
      case "atomic": {
        const address = { ...c.address, index: value(c.address.index) };
        const code = { ...c, address, operands: c.operands.map(value) };
        if (c.result !== undefined) this.write(known, c.result, undefined);
        return { code, end: known };
      }
      case "evaluate":
        return { code: { ...c, value: value(c.value) }, end: known };
      case "if": {
        const condition = value(c.condition);
        const then = this.list(c.then, this.where(known, c.condition, true));
        const otherwise = this.list(c.else, this.where(known, c.condition, false));
        const code = { ...c, condition, then: then.list, else: otherwise.list };
        return { code, end: this.joined(then.end, otherwise.end) };
      }
      case "loop": {
        const { result, after } = this.loop(known, (head) => this.pass(c, head));
        return { code: result, end: after };
      }
      case "block": {
        const { result, given } = this.noting(() => this.list(c.body, known.copy()));
        return { code: { ...c, body: result.list }, end: this.afterwards(known, given) };
      }
      case "switch": {
        const start = this.without(known, writtenIn(c.cases.flatMap((x) => x.body)));
        const cases = c.cases.map((x) => ({ ...x, body: this.list(x.body, start.copy()).list }));
        return { code: { ...c, cases }, end: start };
      }
      case "break":
      case "continue":
      case "return":
      case "park":
        return { code: c, end: undefined };
      case "collective":
        for (const r of c.results) this.write(known, r, undefined);
        return { code: c, end: known };
      default:
        return { code: c, end: known };
    }
  }

  private pass(c: LoopCode, at: Known): LoopCode {
    const head = this.list(c.head, at);
    const before = head.end ?? new Known();
    const condition = c.condition && this.expr(c.condition, before).e;
    const inside = c.condition ? this.where(before, c.condition, true) : before;
    const body = this.body(inside, codeContinues(c), (known) => this.list(c.body, known));
    const step = this.list(c.step, body.end);
    const made = { ...c, head: head.list, body: body.list, step: step.list, ...(condition ? { condition } : {}) };
    this.original.set(made, c);
    return made;
  }

  /** A loop's body, and what is known where its step begins. */
  private body<T>(
    start: Known,
    continues: boolean,
    inside: (known: Known) => { readonly list: readonly T[]; readonly end: Known | undefined },
  ): { readonly list: readonly T[]; readonly end: Known } {
    const before = start.copy();
    const { result, given } = this.noting(() => inside(start));
    const after = this.afterwards(before, given);
    return { list: result.list, end: continues || !result.end ? after : result.end };
  }

  /** Nothing is known any more of locals that are written. */
  private without(known: Known, written: Iterable<LocalId>): Known {
    const after = known.copy();
    for (const id of written) this.write(after, id, undefined);
    return after;
  }

  // ---------------------------------------------------------------- regions

  private regions(
    list: readonly Region[],
    known: Known,
  ): { readonly list: readonly Region[]; readonly end: Known | undefined } {
    let at: Known | undefined = known;
    const made: Region[] = [];
    for (const r of list) {
      const { region, end }: { region: Region; end: Known | undefined } = this.region(r, at ?? new Known());
      made.push(region);
      at = at && end;
    }
    return { list: made, end: at };
  }

  private region(r: Region, known: Known): { readonly region: Region; readonly end: Known | undefined } {
    switch (r.kind) {
      case "lanes":
        return this.lanes(r, known);
      case "uniform": {
        const { list, end } = this.list(r.code, known);
        return { region: { ...r, code: list }, end };
      }
      case "if": {
        const then = this.regions(r.then, this.where(known, r.condition, true));
        const otherwise = this.regions(r.else, this.where(known, r.condition, false));
        return { region: { ...r, then: then.list, else: otherwise.list }, end: this.joined(then.end, otherwise.end) };
      }
      case "loop": {
        const { result, after } = this.loop(known, (head) => this.regionPass(r, head));
        return { region: result, end: after };
      }
      case "block":
      case "if-any": {
        const { result, given } = this.noting(() => this.regions(r.body, known.copy()));
        return { region: { ...r, body: result.list }, end: this.afterwards(known, given) };
      }
      case "subgroups": {
        // Of one subgroup nothing follows for the next one.
        const start = this.without(known, writtenInRegions(r.body));
        return { region: { ...r, body: this.regions(r.body, start.copy()).list }, end: start };
      }
      case "switch": {
        const start = this.without(known, writtenInRegions(r.cases.flatMap((c) => c.body)));
        const cases = r.cases.map((c) => ({ ...c, body: this.regions(c.body, start.copy()).list }));
        return { region: { ...r, cases }, end: start };
      }
      case "break":
      case "continue":
      case "return":
        return { region: r, end: undefined };
      case "collective":
        for (const l of r.collective.results) this.write(known, l, undefined);
        return { region: r, end: known };
      default:
        return { region: r, end: known };
    }
  }

  private regionPass(r: LoopRegion, at: Known): LoopRegion {
    const head = this.regions(r.head, at);
    const before = head.end ?? new Known();
    const inside = r.condition ? this.where(before, r.condition, true) : before;
    const body = this.body(inside, regionsContinue(r.body, r.label), (known) => this.regions(r.body, known));
    const made = { ...r, head: head.list, body: body.list, step: this.regions(r.step, body.end).list };
    this.original.set(made, r);
    return made;
  }

  /** What holds for one lane's locals is known from the region's start to its end: what they held before is any lane's. */
  private lanes(r: Lanes, known: Known): { readonly region: Region; readonly end: Known } {
    const start = known.copy();
    this.inLanes = true;
    const { result, given } = this.noting(() => this.list(r.code, start));
    this.inLanes = false;
    const shared = new Map([...given].filter(([id]) => !this.isOfLanes(id)));
    return { region: { ...r, code: result.list }, end: this.afterwards(known, shared) };
  }

  private inLanes = false;

  private isOfLanes(id: LocalId): boolean {
    const { storage } = this.locals.get(id)!;
    return storage === "slot" || storage === "lane";
  }

  // ---------------------------------------------------------------- conditions

  /** What is known besides where a condition is so. */
  private where(known: Known, condition: MachineExpr, is: boolean): Known {
    const found = known.copy();
    this.refine(found, condition, is);
    return found;
  }

  private refine(known: Known, e: MachineExpr, is: boolean): void {
    const both = (list: readonly MachineExpr[], operator: string): void => {
      if ((operator === "and") === is) for (const x of list) this.refine(known, x, is);
    };
    if (e.kind === "lazy") return both([e.left, e.right], e.operator);
    if (e.kind !== "operation") return;
    const [a, b] = e.arguments as readonly [MachineExpr, MachineExpr];
    if (e.op === "unless_open") return this.refine(known, a, is);
    if (e.on === "bool") {
      if (e.op === "not") this.refine(known, a, !is);
      if (e.op === "and" || e.op === "or") both(e.arguments, e.op);
      return;
    }
    if (!comparisons.has(e.op) || e.on[0] === "f" || e.on[0] === "b") return;
    const op = is ? e.op : opposite[e.op]!;
    const [x, y] = [this.expr(a, known).in, this.expr(b, known).in];
    this.limit(known, a, op, y);
    this.limit(known, b, swapped[op]!, x);
    if (a.kind !== "local" || b.kind !== "local" || !this.isKnowable(a.local) || !this.isKnowable(b.local)) return;
    if (op === "ge" || op === "gt") known.order(a.local, b.local);
    if (op === "le" || op === "lt") known.order(b.local, a.local);
  }

  /** Outside of lanes' code a slot is that of one lane, which may be another one the next time. */
  private isKnowable(id: LocalId): boolean {
    return this.inLanes || !this.isOfLanes(id);
  }

  private limit(known: Known, e: MachineExpr, op: string, by: Interval | undefined): void {
    if (!by) return;
    if (e.kind === "conversion" && e.site === undefined && !e.mode) {
      const inner = this.expr(e.operand, known).in;
      const all = e.scalar === "index" ? inner : allOf(e.scalar);
      if (inner && all && within(inner, all) && e.scalar !== "bool" && e.from !== "bool")
        this.limit(known, e.operand, op, by);
      return;
    }
    if (e.kind !== "local" || !this.isKnowable(e.local)) return;
    const now = known.boundsOf(e.local) ?? allOf(this.locals.get(e.local)!.scalar);
    if (!now) return;
    let { low, high } = now;
    const atLeast = (x: bigint): void => void (low = x > low ? x : low);
    const atMost = (x: bigint): void => void (high = x < high ? x : high);
    if (op === "eq" || op === "ge") atLeast(by.low);
    if (op === "eq" || op === "le") atMost(by.high);
    if (op === "gt") atLeast(by.low + 1n);
    if (op === "lt") atMost(by.high - 1n);
    if (op === "ne" && by.low === by.high) {
      if (by.low === low) low++;
      else if (by.low === high) high--;
    }
    // Nobody comes there where nothing is left.
    if (low <= high) known.limit(e.local, { low, high });
  }

  // ---------------------------------------------------------------- expressions

  private expr(e: MachineExpr, known: Known): Valued {
    if (++this.lookedAt > mostLookedAt) throw new TooLong();
    switch (e.kind) {
      case "constant":
        return { e, in: boundsOfConstant(e) };
      case "local":
        return { e, in: known.boundsOf(e.local) ?? allOf(e.scalar) };
      case "builtin":
        return { e, in: this.builtin(e) };
      case "length":
        return { e, in: allOf(e.scalar) };
      case "operation":
        return this.operation(e, known);
      case "conversion": {
        const { e: operand, in: from } = this.expr(e.operand, known);
        const made = { ...e, operand };
        if (e.mode || e.scalar[0] === "f" || !from) return { e: made, in: allOf(e.scalar) };
        if (e.scalar === "index") return { e: made, in: from };
        const all = allOf(e.scalar);
        return { e: made, in: e.scalar !== "bool" && all && within(from, all) ? from : all };
      }
      case "reinterpretation":
        return { e: { ...e, operand: this.expr(e.operand, known).e }, in: allOf(e.scalar) };
      case "choose": {
        const condition = this.expr(e.condition, known).e;
        const yes = this.expr(e.whenTrue, this.where(known, e.condition, true));
        const no = this.expr(e.whenFalse, this.where(known, e.condition, false));
        return { e: { ...e, condition, whenTrue: yes.e, whenFalse: no.e }, in: yes.in && no.in && hull(yes.in, no.in) };
      }
      case "lazy": {
        const left = this.expr(e.left, known).e;
        const right = this.expr(e.right, this.where(known, e.left, e.operator === "and")).e;
        return { e: { ...e, left, right }, in: truth };
      }
      case "load": {
        const { object, index } = e.address;
        if (typeof object !== "number") return { e, in: allOf(e.scalar) };
        const address = { ...e.address, index: this.expr(index, known).e };
        return { e: { ...e, address }, in: allOf(e.scalar) };
      }
      case "checked":
        return this.checked(e, known);
      case "call":
        return { e: { ...e, arguments: e.arguments.map((x) => this.expr(x, known).e) }, in: allOf(e.scalar) };
    }
  }

  private builtin(e: BuiltinScalar): Interval | undefined {
    const { workgroupSize, subgroupSize } = this.around;
    const lanes = workgroupSize[0] * workgroupSize[1] * workgroupSize[2];
    const below = (n: number): Interval => ({ low: 0n, high: BigInt(n - 1) });
    switch (e.builtin) {
      case "local_id":
        return below(workgroupSize[e.component]);
      case "local_index":
        return below(lanes);
      case "workgroup_size":
        return intervalOf(BigInt(workgroupSize[e.component]));
      case "lane_id":
        return below(subgroupSize);
      case "subgroup_size":
        return intervalOf(BigInt(subgroupSize));
      case "subgroup_id":
        return below(Math.ceil(lanes / subgroupSize));
      default:
        return allOf(e.scalar);
    }
  }

  private checked(e: Checked, known: Known): Valued {
    const { object, unit, offset } = e.address;
    if (typeof object !== "number") return { e, in: undefined };
    const index = this.expr(e.address.index, known);
    const { bytes, kind } = this.program.objects[object]!;
    const made = { ...e, address: { ...e.address, index: index.e } };
    if (kind === "buffer" || bytes === undefined || !index.in) return { e: made, in: undefined };
    const first = index.in.low * BigInt(unit) + BigInt(offset);
    const end = index.in.high * BigInt(unit) + BigInt(offset + e.bytes);
    const inside = first >= 0n && index.in.low >= 0n && end <= BigInt(bytes);
    return inside ? index : { e: made, in: undefined };
  }

  private operation(e: Operation, known: Known): Valued {
    const args = e.arguments.map((x) => this.expr(x, known));
    const [a, b] = args as [Valued, Valued];
    const { site, ...plain } = { ...e, arguments: args.map((x) => x.e) };
    const made: MachineExpr = site === undefined ? plain : { ...plain, site };
    if (comparisons.has(e.op) || e.scalar === "bool") return { e: made, in: truth };
    if (e.op === "unless_open") return { e: made, in: a.in };
    if (e.op === "within") {
      const inside = a.in && b.in && a.in.low >= 0n && a.in.high < b.in.low;
      return inside ? a : { e: made, in: site === undefined ? a.in : undefined };
    }
    const exact = this.exact(e, args, known);
    const shift = asShift(e, args);
    if (shift) return { e: shift, in: exact };
    if (e.on === "index") return narrowIndex({ e: made, in: exact });
    const all = allOf(e.scalar);
    if (!exact || !all || !within(exact, all)) return { e: made, in: all };
    // It fits.
    return { e: site !== undefined && sums.has(e.op) ? plain : made, in: exact };
  }

  /** Bounds of an operation's result in the whole numbers. */
  private exact(e: Operation, args: readonly Valued[], known: Known): Interval | undefined {
    const [x, y] = args.map((v) => v.in);
    const [a, b] = e.arguments;
    if (!x || !a) return undefined;
    if (e.op === "neg") return negated(x);
    if (!y || !b || e.on === "bool") return undefined;
    if (e.op === "min" || e.op === "max") {
      const pick = (p: bigint, q: bigint): bigint => (p < q === (e.op === "min") ? p : q);
      return { low: pick(x.low, y.low), high: pick(x.high, y.high) };
    }
    // Counts of shifts are taken by the width of what is shifted.
    const shifts = e.op === "shl" || e.op === "shr";
    if (!arithmetic.has(e.op) || (shifts && y.high >= BigInt(e.on.slice(1)))) return undefined;
    const found = intervalOfOperator(e.op as BinaryOperator, x, y);
    const isOrdered = e.op === "sub" && a.kind === "local" && b.kind === "local" && known.isOrdered(a.local, b.local);
    return found && isOrdered && found.low < 0n ? { low: 0n, high: found.high < 0n ? 0n : found.high } : found;
  }
}

const sums: ReadonlySet<string> = new Set(["add", "sub", "mul", "neg"]);
