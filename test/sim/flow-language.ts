/**
 * A little language of divergent programs, and what its programs compute by the definition of maximal reconvergence: a plain
 * interpreter of lane masks that shares nothing with the simulator.
 */
import fc from "fast-check";

export type Value =
  | { readonly kind: "number"; readonly value: number }
  | { readonly kind: "lane" | "subgroup" | "acc" | "uniform" | "counter" }
  | { readonly kind: "elect" }
  | { readonly kind: "ballot" | "sum" | "first" | "scan"; readonly of: Value }
  | { readonly kind: "select"; readonly condition: Condition; readonly then: Value; readonly else: Value }
  /** A helper function of the program, by its number; helpers call those before them. */
  | { readonly kind: "call"; readonly helper: number; readonly of: Value };
export type Condition = { readonly kind: "odd" | "small"; readonly of: Value; readonly bit: number } | Logical;
interface Logical {
  readonly kind: "and" | "or";
  readonly left: Condition;
  readonly right: Condition;
}
export const isLogical = (c: Condition): c is Logical => c.kind === "and" || c.kind === "or";
export type Steps = readonly Step[];
export type Step =
  | { readonly kind: "mix"; readonly value: Value }
  | { readonly kind: "count"; readonly by: number }
  | { readonly kind: "if"; readonly condition: Condition; readonly then: Steps; readonly else: Steps }
  /** `also` is evaluated by the lanes whose counter is below the limit. `atEnd`: a do loop. */
  | {
      readonly kind: "loop";
      readonly times: Value;
      readonly also: Condition | undefined;
      readonly atEnd: boolean;
      readonly body: Steps;
    }
  | { readonly kind: "break" | "continue" | "return"; readonly condition: Condition }
  | {
      readonly kind: "switch";
      readonly on: Value;
      readonly cases: readonly { readonly body: Steps; readonly falls: boolean }[];
    }
  | { readonly kind: "barrier" | "subgroup-barrier" }
  | { readonly kind: "exchange"; readonly distance: number };
export interface FlowProgram {
  readonly helpers: readonly Steps[];
  readonly main: Steps;
}
export interface Shape {
  readonly size: readonly [number, number, number];
  readonly width: number;
}
export const lanesOf = ({ size }: Shape): number => size[0] * size[1] * size[2];

// ------------------------------------------------------------------ arbitrary programs

const HELPERS = 2;

interface Parts {
  value: Value;
  condition: Condition;
  steps: Steps;
  step: Step;
}

export const flowProgram: fc.Arbitrary<FlowProgram> = (() => {
  const { steps } = fc.letrec<Parts>((tie: fc.LetrecTypedTie<Parts>) => ({
    value: fc.oneof<fc.MaybeWeightedArbitrary<Value>[]>(
      { maxDepth: 3, depthIdentifier: "v" },
      fc.nat(9).map((n): Value => ({ kind: "number", value: n })),
      fc.constantFrom<Value[]>(
        { kind: "lane" },
        { kind: "subgroup" },
        { kind: "acc" },
        { kind: "uniform" },
        { kind: "counter" },
        { kind: "elect" },
      ),
      fc.record({
        kind: fc.constantFrom("ballot" as const, "sum" as const, "first" as const, "scan" as const),
        of: tie("value"),
      }),
      fc.record({
        kind: fc.constant("select" as const),
        condition: tie("condition"),
        then: tie("value"),
        else: tie("value"),
      }),
      fc.record({ kind: fc.constant("call" as const), helper: fc.nat(HELPERS - 1), of: tie("value") }),
    ),
    condition: fc.oneof<fc.MaybeWeightedArbitrary<Condition>[]>(
      { maxDepth: 3, depthIdentifier: "v" },
      fc.record({ kind: fc.constantFrom("odd" as const, "small" as const), of: tie("value"), bit: fc.nat(2) }),
      fc.record({
        kind: fc.constantFrom("and" as const, "or" as const),
        left: tie("condition"),
        right: tie("condition"),
      }),
    ),
    steps: fc.array(tie("step"), { minLength: 1, maxLength: 5, size: "max", depthIdentifier: "p" }),
    step: fc.oneof(
      { maxDepth: 4, depthSize: "large", depthIdentifier: "p", withCrossShrink: true },
      fc.record({ kind: fc.constant("mix" as const), value: tie("value") }),
      fc.record({ kind: fc.constant("count" as const), by: fc.nat(3) }),
      fc.constantFrom<Step>({ kind: "barrier" }, { kind: "subgroup-barrier" }),
      fc.record({ kind: fc.constant("exchange" as const), distance: fc.integer({ min: 1, max: 5 }) }),
      fc.record({
        kind: fc.constantFrom("break" as const, "continue" as const, "return" as const),
        condition: tie("condition"),
      }),
      fc.record({
        kind: fc.constant("if" as const),
        condition: tie("condition"),
        then: tie("steps"),
        else: fc.oneof(fc.constant([]), tie("steps")),
      }),
      fc.record({
        kind: fc.constant("loop" as const),
        times: tie("value"),
        also: fc.option(tie("condition"), { nil: undefined }),
        atEnd: fc.boolean(),
        body: tie("steps"),
      }),
      fc.record({
        kind: fc.constant("switch" as const),
        on: tie("value"),
        cases: fc.array(fc.record({ body: tie("steps"), falls: fc.boolean() }), { minLength: 1, maxLength: 3 }),
      }),
    ),
  }));
  return fc.record({ helpers: fc.array(steps, { minLength: HELPERS, maxLength: HELPERS }), main: steps });
})();

export const shapes: readonly Shape[] = [
  { size: [6, 1, 1], width: 4 },
  { size: [3, 2, 2], width: 8 },
  { size: [5, 3, 1], width: 4 },
  { size: [2, 2, 2], width: 16 },
  { size: [4, 1, 1], width: 1 },
];

// ------------------------------------------------------------------ by masks

type Mask = readonly boolean[];
const both = (a: Mask, b: Mask): Mask => a.map((x, i) => x && b[i]!);
const either = (a: Mask, b: Mask): Mask => a.map((x, i) => x || b[i]!);
const without = (a: Mask, b: Mask): Mask => a.map((x, i) => x && !b[i]!);

interface Frame {
  readonly acc: number[];
  readonly uniform: number[];
  readonly counters: number[][];
  readonly breaks: Mask[];
  readonly continues: Mask[];
  readonly loops: boolean[];
  /** Number of the helper; the kernel itself may call all. */
  readonly depth: number;
}

class Reference {
  private readonly lanes: number;
  private readonly none: Mask;
  private readonly shared: number[];
  private frame: Frame;
  private budget = 20000;

  constructor(
    private readonly program: FlowProgram,
    private readonly shape: Shape,
  ) {
    this.lanes = lanesOf(shape);
    this.none = Array<boolean>(this.lanes).fill(false);
    this.shared = Array<number>(this.lanes).fill(0);
    this.frame = this.newFrame(
      this.each((l) => l),
      program.helpers.length,
    );
  }

  result(): readonly number[] {
    this.run(
      this.program.main,
      this.each(() => true),
    );
    return this.frame.acc;
  }

  private each<T>(f: (lane: number) => T): T[] {
    return Array.from({ length: this.lanes }, (_, l) => f(l));
  }

  private newFrame(acc: number[], depth: number): Frame {
    return {
      acc,
      uniform: this.each(() => 1),
      counters: [this.each(() => 0)],
      breaks: [],
      continues: [],
      loops: [],
      depth,
    };
  }

  private values(v: Value, mask: Mask): readonly number[] {
    if (--this.budget < 0) throw new TooLong();
    switch (v.kind) {
      case "number":
        return this.each(() => v.value);
      case "lane":
        return this.each((l) => l);
      case "subgroup":
        return this.each((l) => Math.floor(l / this.shape.width));
      case "acc":
        return [...this.frame.acc];
      case "uniform":
        return [...this.frame.uniform];
      case "counter":
        return [...this.frame.counters.at(-1)!];
      case "select": {
        const c = both(mask, this.holds(v.condition, mask));
        const then = this.values(v.then, c);
        const otherwise = this.values(v.else, without(mask, c));
        return this.each((l) => (c[l] ? then[l]! : otherwise[l]!));
      }
      case "call": {
        const given = this.values(v.of, mask);
        // The kernel's helpers are those before it; a number too high is the argument itself.
        if (v.helper >= this.frame.depth) return given;
        const saved = this.frame;
        this.frame = this.newFrame([...given], v.helper);
        this.run(this.program.helpers[v.helper]!, mask);
        const { acc } = this.frame;
        this.frame = saved;
        return acc;
      }
      default:
        return this.collective(v, mask);
    }
  }

  private collective(
    v: Extract<Value, { kind: "elect" } | { of: Value; kind: "ballot" | "sum" | "first" | "scan" }>,
    mask: Mask,
  ): readonly number[] {
    const inner = v.kind === "elect" ? [] : this.values(v.of, mask);
    const { width } = this.shape;
    const out = this.each(() => 0);
    for (let start = 0; start < this.lanes; start += width) {
      const here = this.each((l) => l).filter((l) => l >= start && l < start + width && mask[l]);
      let sum = 0;
      for (const l of here) {
        if (v.kind === "elect") out[l] = l === here[0] ? 1 : 0;
        if (v.kind === "first") out[l] = inner[here[0]!]!;
        if (v.kind === "scan") out[l] = sum;
        if (v.kind === "ballot") sum |= (inner[l]! & 1) << (l - start);
        else sum = (sum + (inner[l] ?? 0)) >>> 0;
      }
      if (v.kind === "ballot" || v.kind === "sum") for (const l of here) out[l] = sum >>> 0;
    }
    return out;
  }

  private holds(c: Condition, mask: Mask): Mask {
    if (isLogical(c)) {
      const left = this.holds(c.left, mask);
      const asked = both(
        mask,
        left.map((x) => x === (c.kind === "and")),
      );
      const right = this.holds(c.right, asked);
      return left.map((x, l) => (c.kind === "and" ? x && right[l]! : x || right[l]!));
    }
    return this.values(c.of, mask).map((x) => (c.kind === "odd" ? ((x >>> c.bit) & 1) === 1 : x % 8 < 4));
  }

  private run(list: Steps, given: Mask): Mask {
    let mask = given;
    for (const s of list) {
      if (!mask.includes(true)) return mask;
      mask = this.step(s, mask);
    }
    return mask;
  }

  private step(s: Step, mask: Mask): Mask {
    const { acc, uniform, breaks, continues, loops } = this.frame;
    switch (s.kind) {
      case "mix": {
        const v = this.values(s.value, mask);
        mask.forEach((a, l) => a && (acc[l] = (Math.imul(acc[l]!, 31) + v[l]!) >>> 0));
        return mask;
      }
      case "count":
        mask.forEach((a, l) => a && (uniform[l]! += s.by));
        return mask;
      case "barrier":
      case "subgroup-barrier":
        return mask;
      case "exchange":
        if (this.frame.depth < this.program.helpers.length) return mask;
        mask.forEach((a, l) => a && (this.shared[l] = acc[l]!));
        mask.forEach((a, l) => a && (acc[l] = (acc[l]! ^ this.shared[(l + s.distance) % this.lanes]!) >>> 0));
        return mask;
      case "if": {
        const c = both(mask, this.holds(s.condition, mask));
        const then = this.run(s.then, c);
        return either(then, this.run(s.else, without(mask, c)));
      }
      case "return":
        return without(mask, this.holds(s.condition, mask));
      case "break":
      case "continue": {
        const c = both(mask, this.holds(s.condition, mask));
        const at = s.kind === "break" ? breaks.length - 1 : loops.lastIndexOf(true);
        if (at < 0) return mask;
        const list = s.kind === "break" ? breaks : continues;
        list[at] = either(list[at]!, c);
        return without(mask, c);
      }
      case "loop":
        return this.loop(s, mask);
      case "switch": {
        const on = this.values(s.on, mask).map((x) => x % (s.cases.length + 1));
        let active = this.none;
        let left = both(
          mask,
          on.map((x) => x === s.cases.length),
        );
        this.enter(false, this.frame.counters.at(-1)!);
        s.cases.forEach((c, i) => {
          active = this.run(
            c.body,
            either(
              active,
              both(
                mask,
                on.map((x) => x === i),
              ),
            ),
          );
          if (c.falls) return;
          left = either(left, active);
          active = this.none;
        });
        left = either(either(left, active), breaks.at(-1)!);
        this.exit();
        return left;
      }
    }
  }

  private loop(s: Step & { kind: "loop" }, mask: Mask): Mask {
    const limit = this.values(s.times, mask).map((x) => x % 4);
    const counter = this.each(() => 0);
    const { breaks, continues } = this.frame;
    let active = mask;
    let left = this.none;
    const goOn = (): void => {
      const below = both(
        active,
        counter.map((c, l) => c < limit[l]!),
      );
      this.frame.counters.push(counter);
      const go = s.also ? both(below, this.holds(s.also, below)) : below;
      this.frame.counters.pop();
      left = either(left, without(active, go));
      active = go;
    };
    for (let first = true; ; first = false) {
      if (!(first && s.atEnd)) goOn();
      if (!active.includes(true)) return left;
      this.enter(true, counter);
      active = this.run(s.body, active);
      left = either(left, breaks.at(-1)!);
      active = either(active, continues.at(-1)!);
      this.exit();
      active.forEach((a, l) => a && counter[l]!++);
    }
  }

  private enter(isLoop: boolean, counter: number[]): void {
    this.frame.breaks.push(this.none);
    this.frame.continues.push(this.none);
    this.frame.loops.push(isLoop);
    this.frame.counters.push(counter);
  }
  private exit(): void {
    this.frame.breaks.pop();
    this.frame.continues.pop();
    this.frame.loops.pop();
    this.frame.counters.pop();
  }
}

class TooLong extends Error {}

/** What each lane's accumulator holds at the end, or undefined where that takes too long to say. */
export function expectedOf(program: FlowProgram, shape: Shape): readonly number[] | undefined {
  try {
    return new Reference(program, shape).result();
  } catch (e) {
    if (e instanceof TooLong) return undefined;
    throw e;
  }
}
