/**
 * Random kernels of what lanes do four at a time: even numbers, minima and maxima, records, halves, branches and loops. WebAssembly has to
 * do what the printed code does, lane by lane. `SEEDS=100,400` runs others.
 */
import { expect, test } from "vitest";
import { both, lanes } from "../support/compare-engines.js";

const evens = [
  "min(i, n - 1u)",
  "min(i + 2u, n - 1u)",
  "max(i, 3u) - 3u",
  "min(2u * i, n - 1u)",
  "min(i, n - 1u) + 1u",
  "max(min(i + 1u, n - 1u), 1u)",
  "i / 4u",
  "i % 8u",
  "3u * i",
  "get_sub_group_local_id()",
  "2u * get_sub_group_local_id() + 1u",
  "get_sub_group_id() + get_local_id(0)",
];
const places = [
  "i",
  "i + 1u",
  "get_sub_group_local_id()",
  "get_sub_group_id() + i",
  "4u * i & 63u",
  "i / 16u * 18u + (i & 15u)",
  "(i >> 2) + 3u",
  "i ^ 1u",
];

class RandomKernel {
  private variables = ["i"];
  private count = 0;

  private readonly apart: number;

  constructor(private state: number) {
    this.apart = this.below(6);
  }

  private next(): number {
    this.state = (Math.imul(this.state, 1664525) + 1013904223) >>> 0;
    return this.state / 2 ** 32;
  }
  private below(n: number): number {
    return Math.floor(this.next() * n);
  }
  private pick<T>(list: readonly T[]): T {
    return list[this.below(list.length)]!;
  }
  private name(): string {
    return `v${this.count++}`;
  }
  private number(): string {
    return `${this.pick([0, 1, 2, 3, 4, 5, 7, 8, 15, 16, 31])}u`;
  }

  private expr(depth: number): string {
    if (depth === 0 || this.next() < 0.2) return this.next() < 0.7 ? this.pick(this.variables) : this.number();
    const x = (): string => this.expr(depth - 1);
    switch (this.below(10)) {
      case 0:
        return `min(${x()}, n - ${this.below(4)}u)`;
      case 1:
        return `max(${x()}, ${this.number()})`;
      case 2:
        return `(${x()} + ${x()})`;
      case 3:
        return `(${x()} & ${this.pick(["15u", "31u", "7u", "3u", "1u"])})`;
      case 4:
        return `(${x()} >> ${this.pick(["1u", "2u", "4u"])})`;
      case 5:
        return `(${x()} ^ ${this.number()})`;
      case 6:
        return `(${x()} * ${this.pick(["2u", "3u", "4u", "5u"])})`;
      case 7:
        return `a[${this.index(depth - 1)}]`;
      case 8:
        return `(${x()} - ${this.number()})`;
      default:
        return `(${x()} % ${this.pick(["4u", "8u", "16u"])})`;
    }
  }

  private index(depth: number): string {
    if (this.next() < 0.5) return `(${this.expr(depth)} & 63u)`;
    return this.next() < 0.5 ? `min(${this.expr(depth)}, 63u)` : this.pick(places);
  }

  /** Statements whose variables end with them; `fixed` is not set in them. */
  private block(depth: number, fixed?: string): string {
    const outside = this.variables;
    this.variables = fixed ? [...outside, fixed] : [...outside];
    const list = [0, 1].map(() => this.statement(depth + 1, fixed));
    this.variables = outside;
    return list.join(" ");
  }

  private declared(value: string, times = 1): string {
    const v = this.name();
    this.variables.push(...Array.from({ length: times }, () => v));
    return `uint ${v} = ${value};`;
  }

  private statement(depth: number, fixed?: string): string {
    // Half of the even ones are what is named next.
    if (depth === 0 && this.next() < 0.25) return this.declared(this.pick(evens), 2);
    const set = this.variables.filter((v) => v !== "i" && v !== fixed);
    switch (this.below(10)) {
      case 0:
      case 1:
        return this.declared(this.expr(2));
      case 2:
      case 3:
        if (set.length === 0) return this.declared(this.expr(2));
        return `${this.pick(set)} ${this.pick(["=", "+=", "^="])} ${this.expr(2)};`;
      case 4: {
        if (depth === 2) return `o[i] += ${this.expr(2)};`;
        const condition = `${this.expr(1)} ${this.pick(["<", ">=", "==", "!="])} ${this.next() < 0.5 ? "n" : this.expr(1)}`;
        return `if (${condition}) { ${this.block(depth)} }${this.next() < 0.4 ? ` else { ${this.block(depth)} }` : ""}`;
      }
      case 5: {
        if (depth === 2) return `o[i] ^= ${this.expr(2)};`;
        const v = this.name();
        return `for (uint ${v} = 0; ${v} < ${this.pick(["3u", "(n & 3u)", "(i & 3u)"])}; ${v}++) { ${this.block(depth, v)} }`;
      }
      case 6:
        return `h[4u * i] = (half)(float)(${this.expr(1)} & 1023u); h[4u * i + 1u] = (half)0.1f; h[4u * i + 2u] = h[4u * i]; h[4u * i + 3u] = (half)1.5f;`;
      case 7: {
        // The same distance in all of a kernel: each lane has an element of its own, and the first ones none.
        const step = `${this.pick(["+=", "^=", "*="])} ${this.expr(1)};`;
        if (this.next() < 0.5) return `if (i >= ${this.apart}u) q[i - ${this.apart}u] ${step}`;
        const v = this.name();
        return `{ int ${v} = (int)i - ${this.apart}; if (${v} >= 0 && ${this.expr(1)} != 3u) { q[${v}] ${step} q[${v}]++; } }`;
      }
      case 8:
        return `p[4u * i] = ${this.expr(2)}; p[4u * i + 1u] = ${this.expr(2)}; p[4u * i + 2u] = ${this.expr(2)}; p[4u * i + 3u] = ${this.expr(2)};`;
      default:
        return this.next() < 0.5
          ? `o[i] += p[4u * i + ${this.below(4)}u] * 3u + (uint)(float)(h[4u * i + ${this.below(4)}u]);`
          : `p[4u * i + ${this.below(4)}u] = ${this.expr(2)};`;
    }
  }

  text(): string {
    const body = Array.from({ length: 7 + this.below(6) }, () => this.statement(0));
    return `#pragma OPENCL EXTENSION cl_khr_fp16 : enable
__kernel void k(__global const uint *a, __global uint *o, __global uint *p, __global half *h, __global uint *q, uint n) {
  uint i = get_global_id(0);
  ${body.join("\n  ")}
  o[i] += ${this.variables.join(" * 3u + ")};
}`;
  }
}

const [from, to] = (process.env["SEEDS"] ?? "0,60").split(",").map(Number) as [number, number];

test("WebAssembly does what the printed code does", { timeout: 600_000 }, async () => {
  let vectors = 0;
  for (let seed = from; seed < to; seed++) {
    const source = new RandomKernel(seed * 7919 + 13).text();
    for (const n of [64, 21]) {
      const args = {
        a: Uint32Array.from(lanes(128, (i) => Math.imul(i + 1, 0x9e3779b1) >>> 3)),
        o: new Uint32Array(64),
        p: Uint32Array.from(lanes(256, (i) => i * 3)),
        h: Uint16Array.from(lanes(256, (i) => 0x3c00 + i)),
        q: Uint32Array.from(lanes(64, (i) => i * 5 + 1)),
        n,
      };
      const subgroupSize = [4, 8, 16, 32][seed % 4]!;
      const result = await both(source, { workgroups: [2], workgroupSize: [32], subgroupSize, args }).catch(
        (error: unknown) => {
          throw new Error(`seed ${seed}, n ${n}: ${String(error).slice(0, 300)}\n${source}`);
        },
      );
      if (result.stats!.engine.vectors) vectors++;
    }
  }
  // They are what goes four at a time.
  expect(vectors).toBeGreaterThan(to - from);
});
