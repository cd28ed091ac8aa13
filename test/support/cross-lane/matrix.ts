/** Kernels of the matrix through crosslane: as they are, and translated, read again and run. */
import { compile, hasErrors } from "../../../src/api/compile.js";
import type { Compilation } from "../../../src/api/compile.js";
import { compileForSimulator, simulatorOptions, simulatorRunner } from "../../../src/api/runners.js";
import { bindObject } from "../../../src/api/simulate.js";
import { translateTo } from "../../../src/api/translate.js";
import type { Translation } from "../../../src/api/translate.js";
import { readTranslation } from "../../../src/api/read-translation.js";
import { profileOf } from "../../../src/caps/decide.js";
import type { TwoWayDialect } from "../../../src/dialects/ids.js";
import { run } from "../../../src/sim/index.js";
import type { Diagnostic } from "../../../src/support/diagnostics.js";
import { locate } from "../../../src/support/expanded-source.js";
import type { BoundLaunch } from "../../../src/launch/bind.js";
import { shapeOf as shapeOfEntry } from "../../../src/launch/reflection.js";
import type { Runner } from "../../../src/verify/verify.js";
import { bytesOf, controlWords, inputBytes, lanesInAll, widths } from "./data.js";
import { differences, expectedOf, unmoved, untouched } from "./expected.js";
import type { Expected, Outcome } from "./expected.js";
import { casesFor, isPlainShape, kernelOf, shapeName } from "./kernels.js";
import type { Flow, Kernel, Shape } from "./kernels.js";
import type { Case } from "./cases.js";

/** A vote of MSL has 64 bits; no SIMD-group is wider. */
export const widthsOf = (...dialects: readonly TwoWayDialect[]): readonly number[] =>
  dialects.includes("msl") ? widths.filter((w) => w <= 64) : widths;

/** What a kernel is translated for; with the width of subgroups where those go through workgroup memory. */
export interface Goal {
  readonly profile: string;
  readonly emulate?: number;
}
/** By what name the list of refusals knows it: width makes no difference. */
export const goalName = ({ profile, emulate }: Goal): string => (emulate ? `${profile} emulated` : profile);

const emulatedWidths = [4, 8, 16, 32, 64] as const;
/**
 * Subgroups through workgroup memory, for OpenCL C 1.2 and shader model 5, which have none, and for older MSL and Vulkan,
 * where a device may have none: the calls without T at every width (each profile has all of them over the two flows), each
 * type under each flow at a width of its own.
 */
export function emulatedGoals(shape: Shape, index: number, flow: Flow): Goal[] {
  const turn = index + { uniform: 0, divergent: 2, lazy: 4 }[flow];
  const others = ["msl2.0-ios", "vulkan1.1"];
  const goal = (profile: string, n: number): Goal => ({ profile, emulate: emulatedWidths[n % 5]! });
  if (isPlainShape(shape) && flow !== "lazy")
    return [
      ...emulatedWidths.map((_, n) => goal("opencl1.2", n)),
      ...(flow === "uniform" ? [0, 2, 4] : [1, 3]).flatMap((n) => [goal("sm5.0", n), goal(others[0]!, n + 1)]),
      ...(flow === "uniform" ? [1, 3] : [0, 2, 4]).map((n) => goal(others[1]!, n)),
    ];
  return [goal("opencl1.2", turn), goal("sm5.0", turn + 3), goal(others[turn % 2]!, turn + 1)];
}

export interface Refusal {
  readonly from: TwoWayDialect;
  /** What it was translated for (goalName); undefined where the source itself is not read. */
  readonly profile: string | undefined;
  readonly op: string;
  readonly shape: Shape;
  readonly flow: Flow;
  readonly call: string;
  readonly code: string;
  readonly message: string;
}

/** What the matrix says of one source kernel. */
export interface Report {
  readonly name: string;
  /** Nothing of it is expected. */
  readonly wrong: readonly string[];
  readonly refusals: readonly Refusal[];
  readonly outputs: readonly Output[];
}

export interface Output {
  readonly dialect: TwoWayDialect;
  readonly profile: string;
  readonly name: string;
  readonly text: string;
}

/** A kernel that was read, with its launch. */
export interface ReadKernel {
  readonly kernel: Kernel;
  readonly compilation: Compilation;
  readonly launch: BoundLaunch;
}

interface Ready extends ReadKernel {
  readonly runner: Runner;
  readonly expected: (width: number) => Expected;
}

const messageOf = (d: Diagnostic): string => `${d.code} ${d.message}`;

function argumentsOf(kernel: Kernel) {
  const { kind, size } = kernel.shape;
  return {
    xs: inputBytes(kind, size),
    control: new Uint8Array(controlWords().buffer),
    outT: new Uint8Array(kernel.elements * bytesOf(kind)).fill(untouched),
    outW: new Uint8Array(kernel.words * 4).fill(untouched),
  };
}

export const outcomeOf = (buffers: ReadonlyMap<string, Uint8Array>): Outcome => {
  const named = (name: string): Uint8Array => {
    const found = [...buffers].find(([path]) => path === name || path.endsWith(`.${name}`));
    if (!found) throw new Error(`no buffer ${name} among ${[...buffers.keys()].join(", ")}`);
    return found[1];
  };
  return { outT: named("outT"), outW: named("outW") };
};

export interface Refused {
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * The kernel of all cases that `accept` takes: cases it names a problem for are left out and reported, until none is
 * left. A problem that stands at no case is one of all of them.
 */
export async function withoutRefused<T>(
  dialect: TwoWayDialect,
  shape: Shape,
  flow: Flow,
  cases: readonly Case[],
  attempt: (kernel: Kernel) => Promise<{ readonly done: T } | Refused>,
  refuse: (c: Case, d: Diagnostic) => void,
): Promise<{ kernel: Kernel; done: T } | undefined> {
  let left = cases;
  while (left.length > 0) {
    const kernel = kernelOf(dialect, shape, flow, left);
    const tried = await attempt(kernel);
    if ("done" in tried) return { kernel, done: tried.done };
    const refused = new Set<Case>();
    for (const d of tried.diagnostics) {
      if (d.severity !== "error") continue;
      const at = kernel.placed.filter((p) => p.line === d.location?.line).map((p) => p.case);
      // The line before the calls makes the partition that some of them take.
      const before = d.location?.line === kernel.placed[0]!.line - 1;
      for (const c of before ? left.filter((l) => l.operands.includes("classmates")) : at) {
        if (refused.has(c)) continue;
        refused.add(c);
        refuse(c, d);
      }
    }
    // What a target lacks may stand at no case, and be lacked by a few: each is asked alone.
    const lacks = tried.diagnostics.some((d) => d.severity === "error" && d.code.startsWith("XL3"));
    if (refused.size === 0 && left.length > 1 && lacks) {
      for (const c of left) {
        const alone = await attempt(kernelOf(dialect, shape, flow, [c]));
        if ("done" in alone) continue;
        refused.add(c);
        refuse(c, alone.diagnostics.find((d) => d.severity === "error") ?? alone.diagnostics[0]!);
      }
    }
    if (refused.size === 0) {
      const first = tried.diagnostics.find((d) => d.severity === "error");
      for (const c of left) refuse(c, first ?? tried.diagnostics[0]!);
      return undefined;
    }
    left = left.filter((c) => !refused.has(c));
  }
  return undefined;
}

export async function readKernel(kernel: Kernel): Promise<ReadKernel | Refused> {
  const compilation = await compile(kernel.text, { from: kernel.dialect, fileName: "kernel" });
  const entry = compilation.module?.entries[0];
  if (!compilation.module || !entry) return { diagnostics: compilation.diagnostics };
  const { bound, diagnostics } = bindObject(
    { from: kernel.dialect, workgroups: [1], workgroupSize: [lanesInAll], args: argumentsOf(kernel) },
    shapeOfEntry(compilation.module, entry),
  );
  return bound ? { kernel, compilation, launch: bound } : { diagnostics };
}

async function prepare(kernel: Kernel): Promise<Ready | Refused> {
  const read = await readKernel(kernel);
  if ("diagnostics" in read) return read;
  const made = await simulatorRunner(read.compilation, read.compilation.module!.entries[0]!);
  if ("diagnostics" in made) return made;
  const known = new Map<number, Expected>();
  const expected = (width: number): Expected => {
    if (!known.has(width)) known.set(width, expectedOf(kernel, width));
    return known.get(width)!;
  };
  return { ...read, runner: made.runner, expected };
}

/** `at`: the width it runs at where that is not the one it stands for. */
async function compare(
  ready: Ready,
  runner: Runner,
  of: readonly number[],
  what: string,
  at?: number,
): Promise<string[]> {
  const wrong: string[] = [];
  for (const width of of) {
    const result = await runner.run(ready.launch, { subgroupSize: at ?? width, seed: 1 });
    const expected = ready.expected(width);
    if (expected.left.size === 0)
      wrong.push(...result.findings.map((d) => `${what}: finding at width ${width}: ${messageOf(d)}`));
    wrong.push(
      ...differences(ready.kernel, width, expected, outcomeOf(result.buffers)).map((line) => `${what}: ${line}`),
    );
  }
  return wrong;
}

/** The calls whose result is open are those that the simulator finds, and no others. */
function findingsAgree(ready: Ready, width: number): string[] {
  const { compilation, kernel } = ready;
  const made = compileForSimulator(compilation, compilation.module!.entries[0]!, ["inactive-lane"]);
  if ("diagnostics" in made) return made.diagnostics.map(messageOf);
  const { poisoned } = ready.expected(width);
  const options = simulatorOptions(ready.launch, compilation.dialect);
  const { findings } = run(made.kernel, { ...options, subgroupSize: width, seed: 1 });
  const found = new Set(findings.map((f) => locate(compilation.expanded, f.span).line));
  const wrong = kernel.placed.flatMap((p) =>
    found.has(p.line) && !poisoned.has(p)
      ? [`${p.case.op} ${p.case.call}, width ${width}: a finding, but no result is open`]
      : [],
  );
  const missing = kernel.placed.filter((p) => poisoned.has(p) && !found.has(p.line));
  return [
    ...wrong,
    ...missing.map((p) => `${p.case.op} ${p.case.call}, width ${width}: no finding, but a result is open`),
  ];
}

/** What the reference leaves open is a value nobody chose: another one with another fill. */
async function openDiffers(ready: Ready, width: number): Promise<string[]> {
  const outcomes = [];
  for (const seed of [1, 2])
    outcomes.push(outcomeOf((await ready.runner.run(ready.launch, { subgroupSize: width, seed })).buffers));
  return unmoved(ready.kernel, ready.expected(width), outcomes[0]!, outcomes[1]!).map(
    (line) => `width ${width}: ${line}`,
  );
}

/** One dialect's calls on one type under one flow: the source, and its translations for the given goals. */
export async function examine(
  dialect: TwoWayDialect,
  shape: Shape,
  flow: Flow,
  goals: readonly Goal[],
): Promise<Report> {
  const name = `${dialect} ${shapeName(shape)} ${flow}`;
  const wrong: string[] = [];
  const refusals: Refusal[] = [];
  const outputs: Output[] = [];
  const refuse =
    (profile: string | undefined) =>
    (c: Case, d: Diagnostic): void => {
      refusals.push({
        from: dialect,
        profile,
        op: c.op,
        shape,
        flow,
        call: c.call,
        code: d.code,
        message: d.message,
      });
    };
  const source = await withoutRefused(
    dialect,
    shape,
    flow,
    casesFor(dialect, shape, flow),
    async (kernel) => {
      const ready = await prepare(kernel);
      return "diagnostics" in ready ? ready : { done: ready };
    },
    refuse(undefined),
  );
  if (!source) return { name, wrong, refusals, outputs };
  const ready = source.done;
  wrong.push(...(await compare(ready, ready.runner, widthsOf(dialect), name)));
  wrong.push(...(await openDiffers(ready, 16)).map((line) => `${name}: ${line}`));
  if (isPlainShape(shape)) wrong.push(...findingsAgree(ready, 64).map((line) => `${name}: ${line}`));
  const accepted = source.kernel.placed.map((p) => p.case);
  const prepared = new Map([[source.kernel.text, Promise.resolve<Ready | Refused>(ready)]]);
  const preparedOf = (kernel: Kernel): Promise<Ready | Refused> => {
    const own = prepared.get(kernel.text) ?? prepare(kernel);
    prepared.set(kernel.text, own);
    return own;
  };
  // What one text computes it computes for every profile it is written for.
  const known = new Set<string>();
  for (const goal of goals) {
    const { profile, emulate } = goal;
    const target = dialectOf(profile);
    const made = await withoutRefused<{ own: Ready; translation: Translation }>(
      dialect,
      shape,
      flow,
      accepted,
      async (kernel) => {
        const own = await preparedOf(kernel);
        if ("diagnostics" in own)
          throw new Error(`fewer cases are refused: ${own.diagnostics.map(messageOf).join("; ")}`);
        const options = {
          profile,
          workgroupSize: [lanesInAll, 1, 1],
          ...(emulate ? { emulateSubgroups: emulate } : {}),
        } as const;
        const translation = await translateTo(own.compilation, target, options);
        return translation.output && !hasErrors(translation.diagnostics)
          ? { done: { own, translation } }
          : { diagnostics: translation.diagnostics };
      },
      refuse(goalName(goal)),
    );
    if (!made) continue;
    const { own, translation } = made.done;
    const what = `${name} to ${profile}${emulate ? ` in subgroups of ${emulate}` : ""}`;
    const text = translation.output!.code;
    outputs.push({ dialect: target, profile, name: what, text });
    const key = `${target} ${emulate} ${text}`;
    if (known.has(key)) continue;
    known.add(key);
    const again = await readTranslation(own.compilation, translation);
    if ("diagnostics" in again) {
      wrong.push(
        `${what}: ${again.diagnostics.flatMap((d) => [messageOf(d), ...d.notes.map((n) => n.message)]).join("; ")}`,
      );
      continue;
    }
    const runner = await simulatorRunner(again.compilation, again.entry, { translated: again.translated });
    if ("diagnostics" in runner) wrong.push(...runner.diagnostics.map((d) => `${what}: ${messageOf(d)}`));
    else if (emulate) wrong.push(...(await compare(own, runner.runner, [emulate], what, 1)));
    else wrong.push(...(await compare(own, runner.runner, widthsOf(dialect, target), what)));
  }
  return { name, wrong, refusals, outputs };
}

export const dialectOf = (profile: string): TwoWayDialect => {
  for (const dialect of ["msl", "glsl", "opencl", "hlsl"] as const) {
    try {
      if (profileOf(dialect, profile).dialect === dialect) return dialect;
    } catch {
      continue;
    }
  }
  throw new Error(`no profile ${profile}`);
};
