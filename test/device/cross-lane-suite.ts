/**
 * The kernels of the cross-lane matrix on a device: what every call leaves in the buffers is what the reference leaves,
 * lane by lane, with all lanes, with some, and in the partial subgroup at the end. The texts that the device takes, and
 * what the others become for it; a device without subgroups runs them through workgroup memory.
 */
import { compile } from "../../src/api/compile.js";
import { launchOnDevice } from "../../src/api/device.js";
import { bindObject } from "../../src/api/simulate.js";
import type { DeviceConnection } from "../../src/device/connection.js";
import type { DeviceInfo, HlslCompiler, KernelLanguage } from "../../src/device/kernel.js";
import { twoWayDialects } from "../../src/dialects/ids.js";
import type { TwoWayDialect } from "../../src/dialects/ids.js";
import type { Diagnostic } from "../../src/support/diagnostics.js";
import { shapeOf } from "../../src/launch/reflection.js";
import type { Case } from "../support/cross-lane/cases.js";
import { differences, expectedOf } from "../support/cross-lane/expected.js";
import { casesFor, extensionsOf, shapeName, shapesOf } from "../support/cross-lane/kernels.js";
import type { Flow, Shape } from "../support/cross-lane/kernels.js";
import { outcomeOf, readKernel, widthsOf, withoutRefused } from "../support/cross-lane/matrix.js";
import { explained } from "./explained.js";
import type { Outcome, Suite } from "./outcomes.js";
import { callsPerKernel, chunks, optionsFor, runText, stateOf, widthsOn } from "./texts.js";

const names = twoWayDialects.flatMap((dialect) => shapesOf[dialect].map((s) => `${dialect} ${shapeName(s)}`));

/** What keeps a call out of what compiles HLSL, as source or as what others become. */
function notInHlsl(c: Case, { kind, size }: Shape, by: HlslCompiler | undefined): string | undefined {
  if (by === "dxil") {
    if (["u8", "i8", "u16", "i16", "f16"].includes(kind)) return `vkd3d-shader has no ${kind}`;
    if (["u64", "i64", "f64"].includes(kind)) return `vkd3d-shader reads no buffers of ${kind}`;
    return c.op.startsWith("quad.") && /\b(u|next)\b/.test(c.call)
      ? "vkd3d-shader reads no lane of a quad that varies"
      : undefined;
  }
  if (!["u32", "f32", "i32", "bool"].includes(kind)) return `glslang's HLSL mode has no ${kind}`;
  if (c.result === "vote") return "glslang's HLSL mode has no 64-bit integers";
  // It makes one truth value of WaveActiveAllEqual of a vector, and all() of it is no SPIR-V.
  if (c.op === "subgroup.all_equal" && size > 1) return "glslang's HLSL mode has no WaveActiveAllEqual of vectors";
  return undefined;
}
const laterWaves = /WaveMatch|WaveMultiPrefix|classmates|QuadA(?:ll|ny)/;

/** What the extensions of GLSL come to: the compiler may lack one, the device its operations. */
interface Lacks {
  readonly extensions: ReadonlyMap<string, string>;
  /** What the device says of itself, less what the compiler for it lacks. */
  readonly report: Readonly<Record<string, unknown>>;
}
const lacksOf = new WeakMap<DeviceConnection, Promise<Lacks>>();

async function findLacks(connection: DeviceConnection): Promise<Lacks> {
  const { info } = connection;
  const extensions = new Map<string, string>();
  if (!info.languages.includes("glsl")) return { extensions, report: info.report };
  const all = new Set(shapesOf.glsl.flatMap((s) => casesFor("glsl", s, "uniform").flatMap(extensionsOf)));
  for (const e of all) {
    const category = /^GL_(?:KHR_shader_subgroup_(\w+)|NV_shader_subgroup_(partitioned))$/.exec(e);
    const operations = category && (category[1] ?? category[2]!).replace("_", " ");
    if (operations && info.subgroups && !info.subgroups.operations.includes(operations))
      extensions.set(e, `no subgroup operations of the category '${operations}'`);
    else if (!(await compiles(connection, e))) extensions.set(e, `glslangValidator has no ${e}`);
  }
  if (!extensions.has("GL_KHR_shader_subgroup_rotate")) return { extensions, report: info.report };
  return {
    extensions,
    report: { ...info.report, shaderSubgroupRotate: false, shaderSubgroupRotateClustered: false },
  };
}

async function compiles(connection: DeviceConnection, extension: string): Promise<boolean> {
  const text = `#version 460\n#extension ${extension} : require\nlayout(local_size_x = 1) in;\nlayout(set = 0, binding = 0) buffer Out { uint outs[]; };\nvoid main() { outs[0] = 1u; }\n`;
  const compilation = await compile(text, { from: "glsl", fileName: "probe" });
  const entry = compilation.module?.entries[0];
  if (!entry) return false;
  const launch = { from: "glsl", workgroups: [1], workgroupSize: [1], args: { outs: new Uint32Array(1) } } as const;
  const { bound } = bindObject(launch, shapeOf(compilation.module!, entry));
  const { diagnostics } = await launchOnDevice(connection, compilation, entry, bound!, {});
  return !diagnostics.some((d) => d.severity === "error");
}

/** Why a call cannot be run in its own language; undefined where it can. */
function lacking(
  dialect: TwoWayDialect,
  c: Case,
  { extensions }: Lacks,
  by: HlslCompiler | undefined,
): string | undefined {
  if (dialect === "hlsl" && laterWaves.test(`${c.call} ${c.operands.join(" ")}`))
    return by === "dxil"
      ? "vkd3d-shader has the wave operations of shader model 6.0"
      : "glslang's HLSL mode has the wave operations of shader model 6.0";
  return dialect === "glsl"
    ? extensionsOf(c)
        .map((e) => extensions.get(e))
        .find((m) => m !== undefined)
    : undefined;
}

async function run(connection: DeviceConnection, name: string): Promise<Outcome[]> {
  const { info } = connection;
  let lacks = lacksOf.get(connection);
  if (!lacks) lacksOf.set(connection, (lacks = findLacks(connection)));
  const [dialect, typeName] = name.split(" ") as [TwoWayDialect, string];
  const shape = shapesOf[dialect].find((s) => shapeName(s) === typeName)!;
  // Every width is emulated on some type.
  const emulated = [32, 16, 8, 4, 64][shapesOf[dialect].indexOf(shape) % 5]!;
  const outcomes: Outcome[] = [];
  for (const what of whatsOf(info, dialect)) {
    for (const flow of flowsOf(dialect, what))
      for (const width of widthsOn(info, [emulated]))
        outcomes.push(...(await runKernel(connection, await lacks, dialect, shape, flow, what, width)));
  }
  return outcomes;
}

/** Through workgroup memory types make little difference: all calls on one type, a part of them on each other. */
function toEmulate(dialect: TwoWayDialect, shape: Shape, flow: Flow): readonly Case[] {
  const all = casesFor(dialect, shape, flow).filter((c) => flow === "divergent" || c.uniformOnly === true);
  const n = shapesOf[dialect].indexOf(shape);
  return n === 0 ? all : all.filter((_, i) => i % 6 === n % 6);
}

const whatsOf = ({ languages, subgroups }: DeviceInfo, dialect: TwoWayDialect): ("source" | KernelLanguage)[] =>
  languages.map((l) => (l === dialect && subgroups ? "source" : l));

/** With all lanes is a case of with some, but where calls ask for all. */
const flowsOf = (dialect: TwoWayDialect, what: "source" | KernelLanguage): readonly Flow[] =>
  dialect === "opencl" || what === "source" ? ["uniform", "divergent"] : ["divergent"];

async function runKernel(
  connection: DeviceConnection,
  lacks: Lacks,
  dialect: TwoWayDialect,
  shape: Shape,
  flow: Flow,
  what: "source" | KernelLanguage,
  width: number,
): Promise<Outcome[]> {
  const { info } = connection;
  const language = what === "source" ? dialect : what;
  const outcome = (c: Case, state: Outcome["state"], more: Partial<Outcome> = {}): Outcome => ({
    name: `${c.call} on ${shapeName(shape)}, ${flow}, width ${width}`,
    from: dialect,
    what,
    language,
    op: c.op,
    state,
    ...(connection.hlslCompiler ? { compiler: connection.hlslCompiler } : {}),
    ...more,
  });
  const all = info.subgroups ? casesFor(dialect, shape, flow) : toEmulate(dialect, shape, flow);
  const whole = widthsOf(dialect).includes(width) ? undefined : `${dialect} has no subgroups of ${width}`;
  const outcomes: Outcome[] = [];
  const cases = all.filter((c) => {
    const message =
      whole ??
      (language === "hlsl" ? notInHlsl(c, shape, connection.hlslCompiler) : undefined) ??
      (what === "source" ? lacking(dialect, c, lacks, connection.hlslCompiler) : undefined);
    if (message !== undefined) outcomes.push(outcome(c, "not-here", { message }));
    return message === undefined;
  });
  const failures = new Map<string, Outcome & { count: number }>();
  const refuse = (c: Case, d: Diagnostic): void => {
    const message = [d.message, ...d.notes.map((n) => n.message)].join(": ");
    const o = explained(outcome(c, stateOf(d), { code: d.code, message }), c.call, info);
    const same = failures.get(message);
    if (o.state !== "failed") outcomes.push(o);
    else failures.set(message, { ...(same ?? o), count: (same?.count ?? 0) + 1 });
  };
  const runCases = async (part: readonly Case[]): Promise<Outcome[]> => {
    const done = await withoutRefused(
      dialect,
      shape,
      flow,
      part,
      async (kernel) => {
        const read = await readKernel(kernel);
        if ("diagnostics" in read) return read;
        const options = what === "source" ? {} : optionsFor(connection, lacks.report, what, width);
        const ran = await runText(connection, read.compilation, read.launch, what, width, options);
        return "diagnostics" in ran ? ran : { done: ran };
      },
      refuse,
    );
    if (!done) return [];
    const { kernel, done: ran } = done;
    const expected = expectedOf(kernel, ran.subgroupSize);
    const got = outcomeOf(ran.buffers);
    return kernel.placed
      .filter((placed) => !expected.left.has(placed))
      .map((placed) => {
        const [message] = differences({ ...kernel, placed: [placed] }, ran.subgroupSize, expected, got);
        return message === undefined
          ? outcome(placed.case, "equal")
          : explained(outcome(placed.case, "different", { message }), ran.text, info);
      });
  };
  for (const part of chunks(cases, callsPerKernel(connection))) outcomes.push(...(await runCases(part)));
  return [
    ...outcomes,
    ...[...failures.values()].map(({ count, ...o }) =>
      count > 1 ? { ...o, name: `${o.name} and ${count - 1} others` } : o,
    ),
  ];
}

export const crossLaneSuite: Suite = { name: "cross-lane", cases: () => names, run };
