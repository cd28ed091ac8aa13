/**
 * Table 1.12 of cross-lane.md: values that pass between the lanes of a subgroup through memory, past every barrier and
 * fence of every dialect, as source and as each target has it; races where none orders the access; and the storage that
 * each target's text names.
 */
import { describe, expect, test } from "vitest";
import { compile, hasErrors } from "../../src/api/compile.js";
import type { Compilation } from "../../src/api/compile.js";
import { simulatorRunner } from "../../src/api/runners.js";
import { bindObject } from "../../src/api/simulate.js";
import { translateTo } from "../../src/api/translate.js";
import type { Translation } from "../../src/api/translate.js";
import { readTranslation } from "../../src/api/read-translation.js";
import type { TwoWayDialect } from "../../src/dialects/ids.js";
import { allFindings } from "../../src/sim/index.js";
import type { Diagnostic } from "../../src/support/diagnostics.js";
import type { BoundLaunch } from "../../src/launch/bind.js";
import { shapeOf } from "../../src/launch/reflection.js";
import type { Runner } from "../../src/verify/verify.js";
import {
  barrierKernel,
  barriersAt,
  expectedOuts,
  fenceKernel,
  flowsOfBarriers,
  inputs,
  isOrdered,
  stretchesOf,
} from "../support/cross-lane/barriers.js";
import type { BarrierFlow, BarrierKernel, BarrierSource, Storage } from "../support/cross-lane/barriers.js";
import { lanesInAll } from "../support/cross-lane/data.js";
import { dialectOf, widthsOf } from "../support/cross-lane/matrix.js";
import { judgeable } from "../support/cross-lane/suite.js";
import { judgeOutputs, judges, refusals } from "../support/judges/outputs.js";
import type { Judgeable } from "../support/judges/outputs.js";
import { judgeTest } from "../support/tool-test.js";

const sources: readonly BarrierSource[] = ["msl", "glsl", "opencl"];
const messageOf = (d: Diagnostic): string => `${d.code} ${d.message}${d.location ? ` at line ${d.location.line}` : ""}`;

/** Targets with a barrier of subgroups, those that put a workgroup's in its place, and those without subgroups. */
const profiles = [
  "msl2.0-macos",
  "msl3.0",
  "msl3.2",
  "vulkan1.1",
  "vulkan1.3",
  "opencl2.0",
  "opencl3.0",
  "sm6.0",
  "sm6.6",
] as const;
const emulated: readonly (readonly [string, number])[] = [
  ["opencl1.2", 4],
  ["opencl1.2", 32],
  ["sm5.0", 8],
  ["sm5.0", 64],
];

// ------------------------------------------------------------------ what each barrier and fence is written as

type Row = Readonly<Record<Storage, string>>;
/** A barrier of the subgroup that orders this storage at the subgroup's scope: cross-lane.md 1.12, memory.md 4 "SG exec". */
const barrierTexts: Readonly<Record<string, Row>> = {
  msl: {
    W: "simdgroup_barrier(mem_flags::mem_threadgroup)",
    D: "simdgroup_barrier(mem_flags::mem_device)",
    WD: "simdgroup_barrier(mem_flags::mem_device | mem_flags::mem_threadgroup)",
  },
  // glslang: OpControlBarrier Subgroup Subgroup 0xD48, which orders all storage.
  glsl: { W: "subgroupBarrier()", D: "subgroupBarrier()", WD: "subgroupBarrier()" },
  opencl: {
    W: "sub_group_barrier(CLK_LOCAL_MEM_FENCE)",
    D: "sub_group_barrier(CLK_GLOBAL_MEM_FENCE)",
    WD: "sub_group_barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE)",
  },
  // No wave barrier: R-SGB.
  hlsl: {
    W: "GroupMemoryBarrierWithGroupSync()",
    D: "DeviceMemoryBarrierWithGroupSync()",
    WD: "AllMemoryBarrierWithGroupSync()",
  },
  "opencl1.2": {
    W: "barrier(CLK_LOCAL_MEM_FENCE)",
    D: "barrier(CLK_GLOBAL_MEM_FENCE)",
    WD: "barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE)",
  },
};
/** A fence alone. */
const fenceTexts: Readonly<Record<string, Row>> = {
  // No fence before 3.2: a barrier is stronger.
  msl: barrierTexts["msl"]!,
  "msl3.2": {
    W: "atomic_thread_fence(mem_flags::mem_threadgroup, memory_order_seq_cst, thread_scope_simdgroup)",
    D: "atomic_thread_fence(mem_flags::mem_device, memory_order_seq_cst, thread_scope_simdgroup)",
    WD: "atomic_thread_fence(mem_flags::mem_device | mem_flags::mem_threadgroup, memory_order_seq_cst, thread_scope_simdgroup)",
  },
  glsl: {
    W: "subgroupMemoryBarrierShared()",
    D: "subgroupMemoryBarrierBuffer()",
    WD: "subgroupMemoryBarrier()",
  },
  opencl: {
    W: "atomic_work_item_fence(CLK_LOCAL_MEM_FENCE, memory_order_acq_rel, memory_scope_sub_group)",
    D: "atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_acq_rel, memory_scope_sub_group)",
    WD: "atomic_work_item_fence(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE, memory_order_acq_rel, memory_scope_sub_group)",
  },
  "opencl1.2": {
    W: "mem_fence(CLK_LOCAL_MEM_FENCE)",
    D: "mem_fence(CLK_GLOBAL_MEM_FENCE)",
    WD: "mem_fence(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE)",
  },
  hlsl: { W: "GroupMemoryBarrier()", D: "DeviceMemoryBarrier()", WD: "AllMemoryBarrier()" },
};
const rowOf = (table: Readonly<Record<string, Row>>, profile: string): Row =>
  table[profile] ?? table[dialectOf(profile)]!;

// ------------------------------------------------------------------ running

interface Ready {
  readonly compilation: Compilation;
  readonly launch: BoundLaunch;
}

async function read(
  dialect: TwoWayDialect,
  { text, stretches }: Pick<BarrierKernel, "text" | "stretches">,
): Promise<Ready> {
  const compilation = await compile(text, { from: dialect, fileName: "kernel" });
  const entry = compilation.module?.entries[0];
  expect(compilation.diagnostics.filter((d) => d.severity === "error").map(messageOf)).toEqual([]);
  const cells = new Uint32Array(lanesInAll * stretches.length);
  const { bound } = bindObject(
    {
      from: dialect,
      workgroups: [1],
      workgroupSize: [lanesInAll],
      args: { xs: inputs(), mem: cells, outs: cells },
    },
    shapeOf(compilation.module!, entry!),
  );
  return { compilation, launch: bound! };
}

async function runnerOf({ compilation }: Ready, translation?: Translation): Promise<Runner | string> {
  if (!translation) {
    const made = await simulatorRunner(compilation, compilation.module!.entries[0]!, { findings: allFindings });
    return "runner" in made ? made.runner : made.diagnostics.map(messageOf).join("; ");
  }
  const again = await readTranslation(compilation, translation);
  if ("diagnostics" in again) return again.diagnostics.map(messageOf).join("; ");
  const made = await simulatorRunner(again.compilation, again.entry, {
    translated: again.translated,
    findings: allFindings,
  });
  return "runner" in made ? made.runner : made.diagnostics.map(messageOf).join("; ");
}

const translated = (ready: Ready, profile: string, emulateSubgroups?: number): Promise<Translation> =>
  translateTo(ready.compilation, dialectOf(profile), {
    profile,
    workgroupSize: [lanesInAll, 1, 1],
    ...(emulateSubgroups ? { emulateSubgroups } : {}),
  });

/** What is off after a run at a width; `at`: the width it is run at, where subgroups are emulated. */
async function wrongAfter(
  what: string,
  kernel: BarrierKernel,
  { launch }: Ready,
  runner: Runner,
  width: number,
  at = width,
) {
  const { buffers, findings } = await runner.run(launch, { subgroupSize: at, seed: 1 });
  const expected = expectedOuts(kernel, width);
  const bytes = [...buffers].find(([path]) => path === "outs" || path.endsWith(".outs"))?.[1];
  const got = bytes ? new Uint32Array(bytes.slice().buffer) : new Uint32Array(0);
  const first = expected.findIndex((x, i) => x !== got[i]);
  const own = `${what}, width ${width}`;
  const stretch = kernel.stretches[Math.floor(first / lanesInAll)];
  return [
    ...(first < 0
      ? []
      : [
          `${own}: ${stretch!.form.statements} through ${stretch!.through}, invocation ${first % lanesInAll}: ${got[first]}, not ${expected[first]}`,
        ]),
    ...findings
      .filter((f) => !(kernel.flow === "lanes" && /lanes reach this barrier/.test(f.message)))
      .map((f) => `${own}: ${messageOf(f)}`),
  ];
}

// ------------------------------------------------------------------ tests

const outputs: Judgeable[] = [];

describe.each(sources)("%s", (dialect) => {
  const ordered = stretchesOf(dialect).filter(isOrdered);

  test.each(flowsOfBarriers[dialect])("values past every barrier that orders them, in flow by %s", async (flow) => {
    const kernel = barrierKernel(dialect, flow, ordered);
    const ready = await read(dialect, kernel);
    const wrong: string[] = [];
    const source = await runnerOf(ready);
    if (typeof source === "string") return expect(source).toBe("");
    for (const width of widthsOf(dialect)) wrong.push(...(await wrongAfter("source", kernel, ready, source, width)));
    // What one text computes it computes for every profile it is written for.
    const ran = new Set<string>();
    for (const [profile, emulatedWidth] of [...profiles.map((p) => [p, undefined] as const), ...emulated]) {
      const target = dialectOf(profile);
      const translation = await translated(ready, profile, emulatedWidth);
      if (target === "hlsl" && !emulatedWidth && !everyLaneComes(flow)) {
        // A fact of HLSL: it has no wave barrier, and a workgroup's must be reached by all.
        const said = [...new Set(translation.diagnostics.filter((d) => d.severity === "error").map((d) => d.code))];
        if (said.join() !== "XL3004") wrong.push(`${profile} does not refuse: ${said.join()}`);
        continue;
      }
      if (!translation.output || hasErrors(translation.diagnostics)) {
        wrong.push(`${profile}: ${translation.diagnostics.map(messageOf).join("; ")}`);
        continue;
      }
      const text = translation.output.code;
      const what = `${dialect} ${flow} to ${profile}${emulatedWidth ? ` in subgroups of ${emulatedWidth}` : ""}`;
      if (target !== dialect) outputs.push(judgeable({ dialect: target, name: what, text, profile }));
      kernel.stretches.forEach((s, k) => {
        const is = barriersAt(text, k);
        const want = rowOf(barrierTexts, profile)[s.form.orders!];
        // Its own dialect keeps what it was written as.
        if (target !== dialect && is !== want) wrong.push(`${what}: ${s.form.statements} is '${is}', not '${want}'`);
      });
      if (target === "glsl" && !/coherent[^;{]*buffer Mem/.test(text))
        wrong.push(`${what}: the buffer is not coherent`);
      const key = `${emulatedWidth} ${text}`;
      if (ran.has(key)) continue;
      ran.add(key);
      const runner = await runnerOf(ready, translation);
      if (typeof runner === "string") wrong.push(`${what}: ${runner}`);
      else if (emulatedWidth) wrong.push(...(await wrongAfter(what, kernel, ready, runner, emulatedWidth, 1)));
      else
        for (const width of widthsOf(dialect, target))
          wrong.push(...(await wrongAfter(what, kernel, ready, runner, width)));
    }
    expect(wrong).toEqual([]);
  });

  /** Lines of races, at every width. */
  async function races(kernel: BarrierKernel): Promise<Map<number, Set<number>>> {
    const ready = await read(dialect, kernel);
    const runner = await runnerOf(ready);
    if (typeof runner === "string") throw new Error(runner);
    const found = new Map<number, Set<number>>();
    for (const width of widthsOf(dialect)) {
      const { findings } = await runner.run(ready.launch, { subgroupSize: width, seed: 1 });
      const lines = findings
        .filter((f) => f.message.startsWith("data race"))
        .flatMap((f) => [f.location!.line, ...f.notes.flatMap((x) => (x.location ? [x.location.line] : []))]);
      found.set(width, new Set(lines));
    }
    return found;
  }

  // By lanes the simulator finds that not all lanes come, and then looks for no races.
  test.each(flowsOfBarriers[dialect].filter((f) => f !== "lanes"))(
    "a race where the barrier is missing, or orders other storage, in flow by %s",
    async (flow) => {
      const others = stretchesOf(dialect).filter((s) => !isOrdered(s));
      for (const kernel of [barrierKernel(dialect, flow, ordered, () => ""), barrierKernel(dialect, flow, others)]) {
        for (const [width, lines] of await races(kernel)) {
          const missed = kernel.stretches.filter((_, k) => !kernel.reads[k]!.some((l) => lines.has(l)));
          expect(missed.map((s) => `width ${width}: ${s.form.statements} through ${s.through}`)).toEqual([]);
        }
      }
    },
  );

  test("a fence alone orders no two lanes", async () => {
    const { fences } = fenceKernel(dialect);
    const stretches = fences.map((f) => ({ form: f, through: f.orders! }));
    const kernel = barrierKernel(dialect, "uniform", stretches);
    const found = await races(kernel);
    expect(found.size).toBeGreaterThan(0);
    for (const [width, lines] of found)
      expect(
        kernel.reads.filter((r) => !r.some((l) => lines.has(l))),
        `width ${width}`,
      ).toEqual([]);
  });

  test("fences name their storage in every target", async () => {
    const { text, fences } = fenceKernel(dialect);
    const ready = await read(dialect, { text, stretches: fences.map((f) => ({ form: f, through: "W" })) });
    const wrong: string[] = [];
    for (const [profile, width] of [
      ...profiles.map((p) => [p, undefined] as const),
      ["opencl1.2", 8],
      ["sm5.0", 8],
    ] as const) {
      const target = dialectOf(profile);
      if (target === dialect) continue;
      const { output, diagnostics } = await translated(ready, profile, width);
      if (!output) wrong.push(`${profile}: ${diagnostics.map(messageOf).join("; ")}`);
      else {
        outputs.push(
          judgeable({ dialect: target, name: `${dialect} fences to ${profile}`, text: output.code, profile }),
        );
        fences.forEach((f, k) => {
          const is = barriersAt(output.code, k);
          const want = rowOf(fenceTexts, profile)[f.orders!];
          if (is !== want) wrong.push(`${profile}: ${f.statements} is '${is}', not '${want}'`);
        });
      }
    }
    expect(wrong).toEqual([]);
  });
});

const everyLaneComes = (flow: BarrierFlow): boolean => flow === "uniform" || flow === "loop";

for (const target of ["msl", "glsl", "opencl", "hlsl"] as const) {
  judgeTest(judges[target], `the ${target} compiler takes the barriers and fences`, async () => {
    const mine = outputs.filter((o) => o.dialect === target);
    expect(mine.length).toBeGreaterThan(10);
    expect(refusals(await judgeOutputs(mine))).toBe("");
  });
}
