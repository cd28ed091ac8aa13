/**
 * Litmus tests (litmus.ts) in OpenCL C, whose atomics have all orders and scopes: what is forbidden never comes about, whatever the
 * schedule; what plain data is weak enough for is found as a race; and every translation orders at least as much, access by access, or
 * is refused by name. The simulator takes turns at atomics and shows no reordering of one lane: what is allowed only by that is not seen.
 */
import { describe, expect, test } from "vitest";
import { compile, type Compilation } from "../../src/api/compile.js";
import { compileForSimulator } from "../../src/api/runners.js";
import { translate, type TargetDialect } from "../../src/index.js";
import { walkModule } from "../../src/ast/walk.js";
import { row } from "../../src/ops/table.js";
import { run } from "../../src/sim/index.js";
import { kernelOf, shapes, type Litmus, type Ordering, type Reach } from "./litmus.js";

type Language = TargetDialect & ("msl" | "glsl" | "hlsl" | "opencl");

const reaches: readonly Reach[] = ["device", "work_group"];
const rows = shapes.flatMap((shape) =>
  [...shape.forbiddenBy, ...shape.allowedBy].flatMap((ordering) =>
    reaches.map((reach) => [shape.name, ordering, reach, shape] as const),
  ),
);
const isPlain = (shape: Litmus): boolean => shape.threads.flat().some((a) => a.startsWith("P"));
const schedules = 16;

async function read(text: string, from: Language): Promise<Compilation> {
  const compilation = await compile(text, { from });
  expect(compilation.diagnostics.filter((d) => d.severity === "error").map((d) => d.message)).toEqual([]);
  return compilation;
}

/** Outcomes of all schedules, or the kinds of what was found. */
function outcomes(compilation: Compilation, shape: Litmus, reach: Reach): { seen: Set<string>; findings: string[] } {
  const made = compileForSimulator(compilation, compilation.module!.entries[0]!, "all");
  if ("diagnostics" in made) throw new Error(made.diagnostics[0]!.message);
  const seen = new Set<string>();
  const bytes = (n: number): Uint8Array => new Uint8Array(4 * n);
  const note = (buffers: ReadonlyMap<string, Uint8Array>): void => {
    const numbers = (name: string): number[] => [...new Int32Array(buffers.get(name)!.slice().buffer)];
    seen.add(JSON.stringify({ reads: numbers("got").slice(0, shape.reads.length), left: numbers("v") }));
  };
  const result = run(made.kernel, {
    args: new Map([
      ["data", bytes(3)],
      ["v", bytes(3)],
      ["got", bytes(8)],
    ]),
    workgroupBytes: new Map(),
    workgroupSize: [16, 1, 1],
    gridOffset: [0, 0, 0],
    gridSize: [reach === "device" ? 16 * shape.threads.length : 16],
    subgroupSize: 4,
    seed: 1,
    schedules,
    fails: (buffers) => {
      note(buffers);
      return false;
    },
  });
  note(result.buffers);
  return { seen, findings: result.findings.map((f) => f.kind) };
}

function isOutcome(shape: Litmus, text: string): boolean {
  const { reads, left } = JSON.parse(text) as { reads: number[]; left: number[] };
  return (
    shape.reads.every((wanted, i) => wanted === undefined || reads[i] === wanted) &&
    Object.entries(shape.left ?? {}).every(([name, wanted]) => left["xyz".indexOf(name)] === wanted)
  );
}

/** What stands in a text, in its order: atomics, each with what it acquires and releases by itself and by the fences beside it, and fences. */
interface Ordered {
  readonly what: "atomic" | "fence";
  readonly acquires: number;
  readonly releases: number;
  /** Is in the single order: sequentially consistent, or between fences that are. */
  readonly single: boolean;
}
const reachOf = { invocation: 1, subgroup: 2, workgroup: 3, device: 4, system: 5 } as const;

function orderOf({ module }: Compilation): readonly Ordered[] {
  const list: (Ordered & { readonly scope: number })[] = [];
  const add = (what: Ordered["what"], orders: readonly string[], scope: keyof typeof reachOf, how = "both"): void => {
    const has = (...names: string[]): boolean =>
      orders.some((o) => names.includes(o) || o === "acq_rel" || o === "seq_cst");
    list.push({
      what,
      acquires: how !== "stores" && has("acquire") ? reachOf[scope] : 0,
      releases: how !== "loads" && has("release") ? reachOf[scope] : 0,
      single: orders.includes("seq_cst"),
      scope: reachOf[scope],
    });
  };
  walkModule(module!, {
    expr: (e) => {
      if (e.kind === "op" && row(e.op).effect === "atomic")
        add(
          "atomic",
          [e.order ?? "relaxed", e.failureOrder ?? "relaxed"],
          e.scope ?? "device",
          e.op === "atomic.load" ? "loads" : e.op === "atomic.store" ? "stores" : "both",
        );
      return true;
    },
    statement: (s) => {
      if (s.kind === "barrier") add("fence", [s.barrier.order], s.barrier.scope);
    },
  });
  return list.map((e, i): Ordered => {
    if (e.what === "fence") return e;
    const before = list[i - 1]?.what === "fence" ? list[i - 1] : undefined;
    const after = list[i + 1]?.what === "fence" ? list[i + 1] : undefined;
    return {
      what: e.what,
      acquires: Math.max(e.acquires, after?.acquires ?? 0),
      releases: Math.max(e.releases, before?.releases ?? 0),
      single: e.single || (before?.single === true && after?.single === true),
    };
  });
}

/** What `translation` orders less than `source`; nothing where it orders as much. Of one object there is one order anyway (memory.md 5.1, SC-ONE). */
function lost(source: readonly Ordered[], translation: readonly Ordered[], oneObject: boolean): string[] {
  const [wanted, got] = [source, translation].map((list) => list.filter((e) => e.what === "atomic"));
  if (wanted!.length !== got!.length) return [`${got!.length} atomics, not ${wanted!.length}`];
  // Fences by the number of atomics before them: all that stand there together.
  const fences = (list: readonly Ordered[]): Map<number, Ordered> => {
    const at = new Map<number, Ordered>();
    let atomics = 0;
    for (const e of list) {
      if (e.what === "atomic") atomics++;
      else {
        const other = at.get(atomics) ?? e;
        at.set(atomics, {
          what: "fence",
          acquires: Math.max(other.acquires, e.acquires),
          releases: Math.max(other.releases, e.releases),
          single: other.single || e.single,
        });
      }
    }
    return at;
  };
  const weaker = (a: Ordered, b: Ordered | undefined): boolean =>
    (b?.acquires ?? 0) < a.acquires || (b?.releases ?? 0) < a.releases || (a.single && !oneObject && !b?.single);
  const there = fences(translation);
  return [
    ...wanted!.flatMap((e, i) =>
      weaker(e, got![i]) ? [`atomic ${i}: ${JSON.stringify(got![i])} for ${JSON.stringify(e)}`] : [],
    ),
    ...[...fences(source)].flatMap(([i, e]) =>
      weaker(e, there.get(i))
        ? [`fence behind ${i} atomics: ${JSON.stringify(there.get(i))} for ${JSON.stringify(e)}`]
        : [],
    ),
  ];
}

test("there are at least thirty, at both scopes", () => {
  expect(shapes.length).toBeGreaterThanOrEqual(30);
  expect(rows.length).toBeGreaterThanOrEqual(100);
});

const targets: readonly (readonly [Language, string])[] = [
  ["msl", "msl3.2"],
  ["msl", "msl3.0"],
  ["glsl", "vulkan1.3"],
  ["hlsl", "sm6.6"],
  ["opencl", "opencl3.0"],
];

describe.each(rows)("%s by %s, %s", (_name, ordering: Ordering, reach, shape) => {
  const text = kernelOf(shape, ordering, reach);
  const forbidden = shape.forbiddenBy.includes(ordering);

  test("no schedule gives what is forbidden, and plain data that nothing orders is a race", async () => {
    const { seen, findings } = outcomes(await read(text, "opencl"), shape, reach);
    if (!forbidden && isPlain(shape)) return expect(new Set(findings)).toEqual(new Set(["data-race"]));
    expect(findings).toEqual([]);
    if (forbidden) expect([...seen].filter((o) => isOutcome(shape, o))).toEqual([]);
    // Schedules differ, so that this says something.
    if (shape.threads.length > 1) expect(seen.size).toBeGreaterThan(1);
  });

  test("translations forbid as much", async () => {
    const source = orderOf(await read(text, "opencl"));
    const atomics = new Set(shape.threads.flat().flatMap((a) => (/^[WRU]/.test(a) ? [a[1]] : [])));
    for (const [to, profile] of targets) {
      const { code, diagnostics } = await translate(text, { from: "opencl", to, profile });
      if (code === undefined) {
        const errors = diagnostics.filter((d) => d.severity === "error").map((d) => d.message);
        expect(errors.length).toBeGreaterThan(0);
        for (const e of errors) expect(e).toMatch(/sequentially consistent|no fence|fences of MSL 3.2|msl>=3.2/);
        // Only what is sequentially consistent, or what MSL before 3.2 has no fence for.
        expect(ordering.startsWith("sc") || profile === "msl3.0", errors[0]).toBe(true);
        continue;
      }
      const translation = await read(code, to);
      expect(lost(source, orderOf(translation), atomics.size === 1), profile).toEqual([]);
      // What it forbids it forbids when it runs; of what is relaxed nothing is left to be seen.
      if (!isPlain(shape) && !(forbidden && reach === "device")) continue;
      const { seen, findings } = outcomes(translation, shape, reach);
      expect(new Set(findings), profile).toEqual(new Set(isPlain(shape) && !forbidden ? ["data-race"] : []));
      if (forbidden)
        expect(
          [...seen].filter((o) => isOutcome(shape, o)),
          profile,
        ).toEqual([]);
    }
  });
});
