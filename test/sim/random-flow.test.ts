/**
 * Random structured programs with cross-lane ops and barriers anywhere, run by the regions and by a plain mask interpreter
 * written here from the definition of maximal reconvergence. They must agree in every value.
 */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Expr, Statement, Variable } from "../../src/ast/nodes.js";
import { compile, run } from "../../src/sim/index.js";
import { array, vector } from "../../src/types/types.js";
import {
  KernelBuilder, again, at, call, id, inc, leave, let_, loop, op, read, set, stop, subgroupBarrier, swizzleValue, switch_, sync, u32, u32Literal, when,
} from "./kernel-builder.js"; // prettier-ignore

// ------------------------------------------------------------------ the little language

type Value =
  | { readonly kind: "number"; readonly value: number }
  | { readonly kind: "lane" | "subgroup" | "acc" | "uniform" | "counter" }
  | { readonly kind: "ballot" | "sum" | "first"; readonly of: Value };
type Condition = { readonly kind: "odd" | "small"; readonly of: Value; readonly bit: number };
type Program = readonly Step[];
type Step =
  | { readonly kind: "mix"; readonly value: Value }
  | { readonly kind: "count"; readonly by: number }
  | { readonly kind: "if"; readonly condition: Condition; readonly then: Program; readonly else: Program }
  | { readonly kind: "loop"; readonly times: Value; readonly body: Program }
  | { readonly kind: "break" | "continue" | "return"; readonly condition: Condition }
  | { readonly kind: "switch"; readonly on: Value; readonly cases: readonly { readonly body: Program; readonly falls: boolean }[] }
  | { readonly kind: "barrier" | "subgroup-barrier" }
  | { readonly kind: "exchange"; readonly distance: number };

const value: fc.Arbitrary<Value> = fc.letrec<{ value: Value }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 2 },
    fc.nat(9).map((n): Value => ({ kind: "number", value: n })),
    fc.constantFrom<Value>({ kind: "lane" }, { kind: "subgroup" }, { kind: "acc" }, { kind: "uniform" }, { kind: "counter" }),
    fc.record({ kind: fc.constantFrom("ballot" as const, "sum" as const, "first" as const), of: tie("value") }),
  ),
})).value;
const condition: fc.Arbitrary<Condition> = fc.record({ kind: fc.constantFrom("odd" as const, "small" as const), of: value, bit: fc.nat(2) });

const program = fc.letrec<{ program: Program; step: Step }>((tie) => ({
  program: fc.array(tie("step"), { minLength: 1, maxLength: 5, size: "max", depthIdentifier: "p" }),
  step: fc.oneof(
    { maxDepth: 4, depthSize: "large", depthIdentifier: "p", withCrossShrink: true },
    fc.record({ kind: fc.constant("mix" as const), value }),
    fc.record({ kind: fc.constant("count" as const), by: fc.nat(3) }),
    fc.constantFrom<Step>({ kind: "barrier" }, { kind: "subgroup-barrier" }),
    fc.record({ kind: fc.constant("exchange" as const), distance: fc.integer({ min: 1, max: 5 }) }),
    fc.record({ kind: fc.constantFrom("break" as const, "continue" as const, "return" as const), condition }),
    fc.record({ kind: fc.constant("if" as const), condition, then: tie("program"), else: fc.oneof(fc.constant([]), tie("program")) }),
    fc.record({ kind: fc.constant("loop" as const), times: value, body: tie("program") }),
    fc.record({
      kind: fc.constant("switch" as const), on: value,
      cases: fc.array(fc.record({ body: tie("program"), falls: fc.boolean() }), { minLength: 1, maxLength: 3 }),
    }), // prettier-ignore
  ),
})).program;

const LANES = 6;
const WIDTH = 4;
const subgroups = [[0, 1, 2, 3], [4, 5]]; // prettier-ignore

// ------------------------------------------------------------------ by masks

type Mask = readonly boolean[];
const none: Mask = Array<boolean>(LANES).fill(false);
const both = (a: Mask, b: Mask): Mask => a.map((x, i) => x && b[i]!);
const either = (a: Mask, b: Mask): Mask => a.map((x, i) => x || b[i]!);
const without = (a: Mask, b: Mask): Mask => a.map((x, i) => x && !b[i]!);

class Reference {
  readonly acc = Array.from({ length: LANES }, (_, l) => l);
  private readonly uniform = Array<number>(LANES).fill(1);
  private readonly shared = Array<number>(LANES).fill(0);
  private counters: number[][] = [Array<number>(LANES).fill(0)];
  private breaks: Mask[] = [];
  private continues: Mask[] = [];
  private readonly loops: boolean[] = [];

  private values(v: Value, mask: Mask): number[] {
    switch (v.kind) {
      case "number":
        return Array<number>(LANES).fill(v.value);
      case "lane":
        return Array.from({ length: LANES }, (_, l) => l);
      case "subgroup":
        return Array.from({ length: LANES }, (_, l) => Math.floor(l / WIDTH));
      case "acc":
        return [...this.acc];
      case "uniform":
        return [...this.uniform];
      case "counter":
        return [...this.counters.at(-1)!];
      default: {
        const inner = this.values(v.of, mask);
        const out = Array<number>(LANES).fill(0);
        for (const lanes of subgroups) {
          const here = lanes.filter((l) => mask[l]);
          let r = 0;
          if (v.kind === "ballot") for (const l of here) r |= (inner[l]! & 1) << (l % WIDTH);
          if (v.kind === "sum") for (const l of here) r = (r + inner[l]!) >>> 0;
          if (v.kind === "first" && here.length > 0) r = inner[here[0]!]!;
          for (const l of lanes) out[l] = r >>> 0;
        }
        return out;
      }
    }
  }

  private holds(c: Condition, mask: Mask): Mask {
    const v = this.values(c.of, mask);
    return v.map((x) => (c.kind === "odd" ? ((x >>> c.bit) & 1) === 1 : x % 8 < 4));
  }

  run(list: Program, given: Mask): Mask {
    let mask = given;
    for (const s of list) {
      if (!mask.includes(true)) return mask;
      mask = this.step(s, mask);
    }
    return mask;
  }

  private step(s: Step, mask: Mask): Mask {
    switch (s.kind) {
      case "mix": {
        const v = this.values(s.value, mask);
        mask.forEach((a, l) => a && (this.acc[l] = (Math.imul(this.acc[l]!, 31) + v[l]!) >>> 0));
        return mask;
      }
      case "count":
        mask.forEach((a, l) => a && (this.uniform[l]! += s.by));
        return mask;
      case "barrier":
      case "subgroup-barrier":
        return mask;
      case "exchange":
        mask.forEach((a, l) => a && (this.shared[l] = this.acc[l]!));
        mask.forEach((a, l) => a && (this.acc[l] = (this.acc[l]! ^ this.shared[(l + s.distance) % LANES]!) >>> 0));
        return mask;
      case "if": {
        const c = both(mask, this.holds(s.condition, mask));
        const then = this.run(s.then, c);
        return either(then, this.run(s.else, without(mask, c)));
      }
      case "break":
      case "continue":
      case "return": {
        const c = both(mask, this.holds(s.condition, mask));
        if (s.kind === "return" || (s.kind === "continue" && !this.loops.includes(true)) || (s.kind === "break" && this.breaks.length === 0)) {
          return s.kind === "return" ? without(mask, c) : mask;
        }
        if (s.kind === "break") this.breaks[this.breaks.length - 1] = either(this.breaks.at(-1)!, c);
        else {
          const at = this.loops.lastIndexOf(true);
          this.continues[at] = either(this.continues[at]!, c);
        }
        return without(mask, c);
      }
      case "loop": {
        const limit = this.values(s.times, mask).map((x) => x % 4);
        const counter = Array<number>(LANES).fill(0);
        let active = mask;
        let left = none;
        for (;;) {
          const go = active.map((a, l) => a && counter[l]! < limit[l]!);
          left = either(left, without(active, go));
          if (!go.includes(true)) return left;
          this.enter(true, counter);
          active = this.run(s.body, go);
          left = either(left, this.breaks.at(-1)!);
          active = either(active, this.continues.at(-1)!);
          this.exit();
          active.forEach((a, l) => a && counter[l]!++);
        }
      }
      case "switch": {
        const on = this.values(s.on, mask).map((x) => x % (s.cases.length + 1));
        let active = none;
        let left = both(mask, on.map((x) => x === s.cases.length)); // prettier-ignore
        this.enter(false, this.counters.at(-1)!);
        s.cases.forEach((c, i) => {
          active = this.run(c.body, either(active, both(mask, on.map((x) => x === i)))); // prettier-ignore
          if (!c.falls) {
            left = either(left, active);
            active = none;
          }
        });
        left = either(either(left, active), this.breaks.at(-1)!);
        this.exit();
        return left;
      }
    }
  }

  private enter(isLoop: boolean, counter: number[]): void {
    this.breaks.push(none);
    this.continues.push(none);
    this.loops.push(isLoop);
    this.counters.push(counter);
  }
  private exit(): void {
    this.breaks.pop();
    this.continues.pop();
    this.loops.pop();
    this.counters.pop();
  }
}

// ------------------------------------------------------------------ as a kernel

class Writer {
  readonly k = new KernelBuilder();
  private readonly out = this.k.buffer("out", u32);
  private readonly shared = this.k.workgroup("shared", array(u32, LANES));
  private readonly acc = this.k.local("acc", u32);
  private readonly uniform = this.k.local("n", u32);
  private readonly counters: Variable[] = [];
  private readonly inside: boolean[] = [];

  private expr(v: Value): Expr {
    switch (v.kind) {
      case "number":
        return u32Literal(v.value);
      case "lane":
        return id("local_index");
      case "subgroup":
        return id("subgroup_id");
      case "acc":
        return read(this.acc);
      case "uniform":
        return read(this.uniform);
      case "counter":
        return this.counters.length > 0 ? read(this.counters.at(-1)!) : u32Literal(0);
      case "ballot": {
        const p = op("eq", op("and", this.expr(v.of), u32Literal(1)), u32Literal(1));
        return swizzleValue(call("subgroup.ballot", [p], vector("u32", 4)), [0]);
      }
      case "sum":
        return call("subgroup.add", [this.expr(v.of)], u32);
      case "first":
        return call("subgroup.broadcast_first", [this.expr(v.of)], u32);
    }
  }

  private condition(c: Condition): Expr {
    const v = this.expr(c.of);
    return c.kind === "odd"
      ? op("eq", op("and", op("shr", v, u32Literal(c.bit)), u32Literal(1)), u32Literal(1))
      : op("lt", op("rem", v, u32Literal(8)), u32Literal(4));
  }

  private list(p: Program): Statement[] {
    return p.flatMap((s) => this.statements(s));
  }

  private statements(s: Step): Statement[] {
    switch (s.kind) {
      case "mix":
        return [set(this.acc, op("add", op("mul", read(this.acc), u32Literal(31)), this.expr(s.value)))];
      case "count":
        return [set(this.uniform, u32Literal(s.by), "add")];
      case "barrier":
        return [sync()];
      case "subgroup-barrier":
        return [sync(subgroupBarrier)];
      case "exchange": {
        const there = op("rem", op("add", id("local_index"), u32Literal(s.distance)), u32Literal(LANES));
        return [
          sync(),
          set(at(this.shared, id("local_index")), read(this.acc)),
          sync(),
          set(this.acc, read(at(this.shared, there)), "xor"),
          sync(),
        ];
      }
      case "if":
        return [when(this.condition(s.condition), this.list(s.then), s.else.length > 0 ? this.list(s.else) : undefined)];
      case "return":
        return [when(this.condition(s.condition), [set(at(this.out, id("local_index")), read(this.acc)), leave()])];
      case "break":
      case "continue": {
        const possible = s.kind === "break" ? this.inside.length > 0 : this.inside.includes(true);
        // Where there is nothing to leave the condition is still evaluated.
        return [when(this.condition(s.condition), possible ? [s.kind === "break" ? stop : again] : [])];
      }
      case "loop": {
        const limit = this.k.local("limit", u32);
        const i = this.k.local("i", u32);
        const times = op("rem", this.expr(s.times), u32Literal(4));
        this.counters.push(i);
        this.inside.push(true);
        const body = this.list(s.body);
        this.inside.pop();
        this.counters.pop();
        return [let_(limit, times), loop(i, u32Literal(0), op("lt", read(i), read(limit)), inc(i), body)];
      }
      case "switch": {
        const on = op("rem", this.expr(s.on), u32Literal(s.cases.length + 1));
        this.inside.push(false);
        const cases = s.cases.map((c, i) => [[u32Literal(i)], [...this.list(c.body), ...(c.falls ? [] : [stop])]] as const);
        this.inside.pop();
        return [switch_(on, cases)];
      }
    }
  }

  module(p: Program): ReturnType<KernelBuilder["kernel"]> {
    const start = [
      let_(this.acc, id("local_index")), let_(this.uniform, u32Literal(1)), set(at(this.shared, id("local_index")), u32Literal(0)), sync(),
    ]; // prettier-ignore
    return this.k.kernel([...start, ...this.list(p), set(at(this.out, id("local_index")), read(this.acc))], [LANES, 1, 1]);
  }
}

function simulated(p: Program): number[] {
  const { module } = new Writer().module(p);
  const { kernel, problems } = compile(module, "kernel");
  expect(problems).toEqual([]);
  const result = run(kernel!, { workgroups: [1], subgroupSize: WIDTH, args: new Map([["out", new Uint8Array(4 * LANES)]]), maxSteps: 100000 });
  expect(result.stats.complete).toBe(true);
  return [...new Uint32Array(result.buffers.get("out")!.slice().buffer)];
}

function expected(p: Program): number[] {
  const r = new Reference();
  r.run(p, none.map(() => true)); // prettier-ignore
  return r.acc;
}

describe("random divergent programs", () => {
  test("regions and masks agree", { timeout: 300_000 }, () => {
    const runs = Number(process.env["FLOW_RUNS"] ?? 400);
    fc.assert(
      fc.property(program, (p) => {
        expect(simulated(p)).toEqual(expected(p));
      }),
      { numRuns: runs, seed: Number(process.env["FLOW_SEED"] ?? 20) },
    );

  });

  test("a return that is the same for all, in a loop all have left", () => {
    const lane = { kind: "lane" } as const;
    const p: Program = [
      {
        kind: "loop", times: { kind: "number", value: 1 },
        body: [
          { kind: "if", condition: { kind: "odd", of: lane, bit: 0 }, then: [{ kind: "return", condition: { kind: "odd", of: { kind: "ballot", of: lane }, bit: 0 } }], else: [] },
          { kind: "break", condition: { kind: "odd", of: { kind: "number", value: 3 }, bit: 0 } },
          { kind: "return", condition: { kind: "small", of: { kind: "counter" }, bit: 0 } },
        ],
      },
      { kind: "mix", value: lane },
    ]; // prettier-ignore
    expect(simulated(p)).toEqual(expected(p));
  });
});
