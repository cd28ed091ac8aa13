/**
 * Random jumps, back and forth and out of loops, against an interpreter that jumps: what `goto` becomes is the front end's doing,
 * so that source and translations agree whatever it is. Jumps are limited by a counter.
 */
import { expect, test } from "vitest";
import { simulate } from "../../src/index.js";

type Step =
  | { readonly kind: "add"; readonly by: number }
  | { readonly kind: "label"; readonly name: string }
  | { readonly kind: "goto"; readonly name: string; readonly when: number }
  | { readonly kind: "break" | "continue"; readonly when: number }
  | { readonly kind: "for"; readonly times: number; readonly name: string; readonly body: readonly Step[] }
  | { readonly kind: "if"; readonly when: number; readonly then: readonly Step[]; readonly otherwise: readonly Step[] };

class Programs {
  private names = 0;
  private state: number;

  constructor(seed: number) {
    this.state = seed;
  }

  private below(n: number): number {
    this.state = (Math.imul(this.state, 1103515245) + 12345) & 0x7fffffff;
    return (this.state >> 8) % n;
  }

  private readonly bit = (): number => 1 << this.below(5);

  list(depth: number, around: readonly string[], inLoop: boolean): readonly Step[] {
    const length = 2 + this.below(5);
    const own = Array.from({ length: this.below(3) }, () => `L${this.names++}`);
    const places = own.map(() => this.below(length));
    const visible = [...around, ...own];
    return Array.from({ length }, (_, i) => [
      ...own.filter((_name, j) => places[j] === i).map((name): Step => ({ kind: "label", name })),
      this.step(depth, visible, inLoop),
    ]).flat();
  }

  private step(depth: number, visible: readonly string[], inLoop: boolean): Step {
    const choice = this.below(9);
    const inner = (loop: boolean): readonly Step[] => this.list(depth - 1, visible, loop);
    if (choice >= 3 && choice < 6 && visible.length > 0)
      return { kind: "goto", name: visible[this.below(visible.length)]!, when: this.bit() };
    if (choice === 6 && inLoop) return { kind: this.below(2) === 0 ? "break" : "continue", when: this.bit() };
    if (choice === 7 && depth > 0)
      return { kind: "for", times: 1 + this.below(4), name: `i${this.names++}`, body: inner(true) };
    if (choice === 8 && depth > 0)
      return { kind: "if", when: this.bit(), then: inner(inLoop), otherwise: this.below(2) === 0 ? inner(inLoop) : [] };
    return { kind: "add", by: this.below(97) };
  }
}

function written(list: readonly Step[]): string {
  const one = (s: Step): string => {
    switch (s.kind) {
      case "add":
        return `x = (x * 5 + ${s.by}) & 1023;`;
      case "label":
        return `${s.name}: ;`;
      case "goto":
        return `if ((x & ${s.when}) && --jumps > 0) goto ${s.name};`;
      case "for":
        return `for (int ${s.name} = 0; ${s.name} < ${s.times}; ++${s.name}) { ${written(s.body)} x ^= ${s.name}; }`;
      case "if":
        return `if (x & ${s.when}) { ${written(s.then)} } else { ${written(s.otherwise)} }`;
      default:
        return `if (x & ${s.when}) ${s.kind};`;
    }
  };
  return list.map(one).join("\n");
}

/** What a list of steps ends with: its end, or a way out of it. */
type End = undefined | "break" | "continue" | { readonly to: string };

function run(program: readonly Step[], start: number): number {
  let x = start;
  let jumps = 60;
  const once = (s: Step): End => {
    switch (s.kind) {
      case "add":
        x = (x * 5 + s.by) & 1023;
        return undefined;
      case "label":
        return undefined;
      case "goto":
        return x & s.when && --jumps > 0 ? { to: s.name } : undefined;
      case "if":
        return list(x & s.when ? s.then : s.otherwise);
      case "for":
        for (let i = 0; i < s.times; i++) {
          const end = list(s.body);
          if (end === "break") return undefined;
          if (typeof end === "object") return end;
          if (end === undefined) x ^= i;
        }
        return undefined;
      default:
        return x & s.when ? s.kind : undefined;
    }
  };
  const list = (steps: readonly Step[]): End => {
    for (let i = 0; i < steps.length; i++) {
      const end = once(steps[i]!);
      const at = typeof end === "object" ? steps.findIndex((s) => s.kind === "label" && s.name === end.to) : -1;
      if (end !== undefined && at < 0) return end;
      if (at >= 0) i = at;
    }
    return undefined;
  };
  list(program);
  return x;
}

test("random jumps do what an interpreter does that jumps", async () => {
  const start = Int32Array.from({ length: 8 }, (_, i) => (i * 131 + 7) & 1023);
  let read = 0;
  for (let seed = 1; seed <= 60; seed++) {
    const program = new Programs(seed * 7919).list(2, [], false);
    const source = `kernel void k(global int *o) {\nint at = get_global_id(0), x = o[at], jumps = 60;\n${written(program)}\no[at] = x;\n}`;
    const args = { o: start.slice() };
    const { diagnostics, buffers } = await simulate(source, {
      from: "opencl",
      workgroups: [1],
      workgroupSize: [8],
      args,
    });
    const errors = diagnostics.filter((d) => d.severity === "error");
    // Jumps over a label that others lead back to are refused by name.
    if (errors.length > 0) {
      expect(errors[0]!.message, source).toContain("not supported yet");
      continue;
    }
    read++;
    expect([...(buffers["o"] as Int32Array)], source).toEqual([...start].map((x) => run(program, x)));
  }
  expect(read).toBeGreaterThan(30);
});
