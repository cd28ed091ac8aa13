/** Float functions of every dialect at special values, in every pair of dialects, against their specifications. */
import { simulate, translate, type TwoWayDialect } from "../../../src/index.js";
import { random } from "../../mutants/mutate.js";
import type { FuzzFailure, FuzzOutcome, FuzzSuite } from "../suite.js";
import { edgeFunctions, isOf, specialFloats, specialIntegers, type EdgeFunction } from "./functions.js";
import { edgeKernel, LANES } from "./kernel.js";
import { largestOf, leastNormal, rounded, storedUlp, typeNames, ulpOf, type FloatKind } from "./kinds.js";
import { functionsOfSeveral } from "./of-several.js";
import { otherNames, plainOnly, remainingFunctions } from "./remaining.js";
import { allRows } from "../../../src/ops/table.js";
import { vulkanError } from "./vulkan.js";
import { missingFor } from "../../device/device-test.js";
import { runHere } from "../../device/run-here.js";

const dialects: readonly TwoWayDialect[] = ["opencl", "msl", "glsl", "hlsl"];
const perKernel = 6;

/** What the table reads, by name. */
const spelled = allRows
  .flatMap((r) => (["msl", "opencl"] as const).flatMap((d) => r.cells[d]))
  .flatMap((c) => (c.kind === "native" && c.readsAs === undefined ? c.names : []));
/** Those whose errors on a device have a figure in `vulkan.ts`. */
const withFigures: readonly EdgeFunction[] = [...edgeFunctions, ...functionsOfSeveral];
const named = [...withFigures, ...remainingFunctions];
export const allFunctions: readonly EdgeFunction[] = [
  ...named,
  ...plainOnly,
  ...otherNames(named, [...new Set(spelled)]),
];

interface Case {
  readonly from: TwoWayDialect;
  readonly kind: FloatKind;
  readonly functions: readonly EdgeFunction[];
  readonly text: string;
  readonly args: {
    readonly xs: Float32Array;
    readonly ys: Float32Array;
    readonly zs: Float32Array;
    readonly ns: Int32Array;
  };
}

export function edgeCase(seed: number, among = allFunctions): Case {
  const next = random(seed);
  const pick = <T>(list: readonly T[]): T => list[Math.floor(next() * list.length)]!;
  // OpenCL has most functions, and defines most of their edges.
  const from = pick(["opencl", "opencl", "opencl", ...dialects] as const);
  const chosen = pick(["f32", "f32", "f32", "f32", "f16", "f64"] as const);
  const kind = typeNames[chosen][from] === undefined ? "f32" : chosen;
  const own = among.filter((f) => f.calls[from] !== undefined && isOf(f, kind));
  const functions = Array.from({ length: perKernel }, () => pick(own));
  const float = (): number =>
    rounded(
      kind,
      next() < 0.85
        ? pick(specialFloats)
        : Math.fround(
            (next() < 0.5 ? -1 : 1) * 2 ** (next() * (kind === "f16" ? 38 : 276) - (kind === "f16" ? 24 : 149)),
          ),
    );
  const floats = (): Float32Array => Float32Array.from({ length: LANES }, float);
  const ns = Int32Array.from({ length: LANES }, () =>
    next() < 0.8 ? pick(specialIntegers) : Math.floor(next() * 400 - 200),
  );
  return {
    from,
    kind,
    functions,
    text: edgeKernel(from, functions, kind),
    args: { xs: floats(), ys: floats(), zs: floats(), ns },
  };
}

/** Zero where they agree, else how far the result is off in ulp. Results of doubles are rounded to f32 on their way out. */
export function offBy(given: FloatKind, got: number, want: number, ulp: number): number {
  const kind = given === "f64" ? "f32" : given;
  const exact = rounded(kind, want);
  if (Number.isNaN(want)) return Number.isNaN(got) ? 0 : Infinity;
  if (Object.is(got, exact)) return 0;
  // What is lost may lie on either side of the largest number, and of the least.
  const near = Number.isFinite(exact)
    ? Math.abs(got - want) / ulpOf(kind, exact)
    : Math.abs(got) === Infinity || !Number.isFinite(want)
      ? Infinity
      : 1;
  if (ulp === 0) return near === 0 ? Infinity : near;
  if (exact === 0 && want === 0) return Infinity;
  return Math.abs(got) === Infinity && Math.abs(exact) > largestOf(kind) * 0.99 ? 0 : near <= ulp + 0.5 ? 0 : near;
}

interface Reading {
  readonly where: string;
  readonly side: TwoWayDialect;
  readonly result: Float32Array;
  /** The side that computed it leaves this open, or may flush it. */
  readonly open?: (args: readonly number[], want: number) => boolean;
  /** Of its functions: what the side may be off beyond the function's own figure. */
  readonly slack: number;
  /** A device: zeros have any sign, and results are off by what this grants besides. */
  readonly granted?: (f: EdgeFunction, args: readonly number[], want: number) => number;
}

function argsOf(c: Case, f: EdgeFunction, lane: number): number[] {
  const { xs, ys, zs, ns } = c.args;
  switch (f.operands) {
    case "f":
      return [xs[lane]!];
    case "ff":
      return [xs[lane]!, ys[lane]!];
    case "fff":
      return [xs[lane]!, ys[lane]!, zs[lane]!];
    case "fi":
      return [xs[lane]!, ns[lane]!];
  }
}

function complaints(c: Case, reading: Reading): string[] {
  const wrong: string[] = [];
  c.functions.forEach((f, j) => {
    if (reading.side !== c.from && f.assumedIn?.includes(reading.side)) return;
    for (let lane = 0; lane < LANES; lane++) {
      const args = argsOf(c, f, lane);
      const want = f.value(...args);
      if (want === undefined || f.open?.[c.from]?.(...args) || reading.open?.(args, want)) continue;
      const got = reading.result[lane * perKernel + j]!;
      if (reading.granted) {
        const most = reading.granted(f, args, want);
        if ((want === 0 && got === 0) || most === Infinity || Math.abs(got - want) <= most) continue;
        // What overflows, or nearly.
        if (Math.abs(want) + most > largestOf(c.kind) && Math.abs(got) + most > largestOf(c.kind)) continue;
      }
      const off = offBy(c.kind, got, want, f.ulp * reading.slack);
      if (off !== 0) {
        const say = (x: number): string => (Object.is(x, -0) ? "-0" : String(x));
        wrong.push(
          `${reading.where}: ${f.name} (${c.kind}) of ${args.map(say).join(", ")} is ${say(got)}, not ${say(rounded(c.kind, want))}${Number.isFinite(off) ? ` (off by ${off.toPrecision(3)} ulp)` : ""}`,
        );
        break;
      }
    }
  });
  return wrong;
}

const launch = { workgroups: [1], workgroupSize: [LANES] } as const;
const data = (c: Case): Record<string, Float32Array | Int32Array> => ({
  ...c.args,
  r: new Float32Array(LANES * perKernel),
});

async function simulated(c: Case, text: string, from: TwoWayDialect, granted?: number): Promise<Float32Array | string> {
  const more = granted === undefined ? {} : { granted };
  const { buffers, diagnostics } = await simulate(text, { from, ...launch, args: data(c), findings: "none", ...more });
  const error = diagnostics.find((d) => d.severity === "error");
  return error ? error.message : (buffers["r"] as Float32Array);
}

async function onDevice(
  c: Case,
  text: string,
  from: TwoWayDialect,
  device: "opencl" | "vulkan",
): Promise<Float32Array | string | undefined> {
  const { buffers, diagnostics } = await runHere(text, { from, device, ...launch, args: data(c) });
  const error = diagnostics.find((d) => d.severity === "error");
  if (error && lacking.has(error.code)) return undefined;
  return error ? `${error.code} ${error.message}` : (buffers["r"] as Float32Array);
}

const subnormal = (kind: FloatKind, x: number): boolean => x !== 0 && Math.abs(x) < 2 * leastNormal(kind);
/** Types and functions that a device does not have, and programs for it. */
const lacking: ReadonlySet<string> = new Set(["XL7002", "XL7004", "XL7010", "XL7011"]);

/** Of these C and OpenCL C leave no digit open, and neither do formulas. */
const inexact: ReadonlySet<string> = new Set(["sqrt", "rsqrt", "mix", "reflect", "refract"]);

/** Translations on the least accurate device that follows the specifications. */
async function tryGranted(seed: number): Promise<FuzzFailure[]> {
  const c = edgeCase(seed, withFigures);
  const failures: FuzzFailure[] = [];
  for (const to of dialects.filter((d) => d !== c.from)) {
    const { code } = await translate(c.text, { from: c.from, to, workgroupSize: [LANES, 1, 1] });
    if (code === undefined) continue;
    const result = await simulated(c, code, to, seed);
    const vulkan = to === "glsl" || to === "hlsl";
    const where = `${c.from} to ${to}, as inaccurate as granted`;
    const reading: Reading = {
      where,
      side: to,
      result: result as Float32Array,
      slack: 4,
      granted: (f, args, want) =>
        vulkan
          ? vulkanError(f.name, c.kind, args, want, c.from, to)
          : (f.ulp > 0 ? 16 : inexact.has(f.name) ? 4 : 0) * storedUlp(c.kind, want),
      open: (args, want) => [...args, want].some((x) => subnormal(c.kind, x) || subnormal("f32", x)),
    };
    const found = typeof result === "string" ? [`${where}: ${result}`] : complaints(c, reading);
    for (const what of found) failures.push({ seed, what, text: `${c.text}\n${code}` });
  }
  return failures;
}

async function tryCase(seed: number, devices: readonly ("opencl" | "vulkan")[]): Promise<FuzzFailure[]> {
  const c = edgeCase(seed, devices.length > 0 ? withFigures : allFunctions);
  const failures: FuzzFailure[] = [];
  const check = (
    side: TwoWayDialect,
    where: string,
    text: string,
    result: Float32Array | string,
    more: Partial<Reading> = {},
  ): void => {
    const found =
      typeof result === "string" ? [`${where}: ${result}`] : complaints(c, { where, side, result, slack: 1, ...more });
    for (const what of found) failures.push({ seed, what, text: text === c.text ? text : `${c.text}\n${text}` });
  };
  if (devices.length === 0) check(c.from, `${c.from} in the simulator`, c.text, await simulated(c, c.text, c.from));
  for (const to of dialects.filter((d) => d !== c.from)) {
    const device = to === "opencl" ? "opencl" : to === "glsl" ? "vulkan" : undefined;
    if (devices.length > 0 && !(device && devices.includes(device))) continue;
    const { code, diagnostics } = await translate(c.text, { from: c.from, to, workgroupSize: [LANES, 1, 1] });
    // There are no doubles in MSL, and few functions of them in GLSL and HLSL.
    if (code === undefined && c.kind === "f64" && diagnostics.some((d) => /double/.test(d.message))) continue;
    if (code === undefined) {
      failures.push({ seed, what: `no ${to}: ${diagnostics.map((d) => d.message).join("; ")}`, text: c.text });
      continue;
    }
    if (devices.length === 0) check(to, `${c.from} to ${to} in the simulator`, code, await simulated(c, code, to));
    // Devices flush subnormal numbers if they like, and Vulkan's functions are as good as their table says.
    else {
      const result = await onDevice(c, code, to, device!);
      if (result !== undefined)
        check(to, `${c.from} to ${to} on ${device!}`, code, result, {
          slack: 64,
          granted: (f, args, want) => (device === "vulkan" ? vulkanError(f.name, c.kind, args, want, c.from) : 0),
          open: (args, want) => args.some((x) => subnormal(c.kind, x)) || subnormal(c.kind, want),
        });
    }
  }
  return failures;
}

const suite = (
  name: string,
  about: string,
  sample: FuzzSuite["sample"],
  tryOne: (seed: number) => Promise<FuzzFailure[]>,
  missing: () => readonly string[],
): FuzzSuite => ({
  name,
  about,
  sample,
  missing,
  async run(seed, cases): Promise<FuzzOutcome> {
    const failures: FuzzFailure[] = [];
    for (let s = seed; s < seed + cases; s++) {
      const thrown = (e: unknown): FuzzFailure[] => [{ seed: s, what: String(e), text: edgeCase(s).text }];
      failures.push(...(await tryOne(s).catch(thrown)));
    }
    return { cases, failures };
  },
});

export const floatEdges = suite(
  "float-edges",
  "float functions at special values, in every pair of dialects, against the specifications",
  { seed: 1, cases: 32 },
  (seed) => tryCase(seed, []),
  () => [],
);

export const granted = suite(
  "granted",
  "translations of float functions, in arithmetic as inaccurate as the target grants, against the specifications",
  { seed: 1, cases: 24 },
  tryGranted,
  () => [],
);

const missingDevices = [...(await missingFor("opencl")), ...(await missingFor("vulkan"))];

export const floatEdgesOnDevices = suite(
  "float-edges-devices",
  "translations of float functions at special values, on OpenCL and Vulkan drivers, against the specifications",
  { seed: 1, cases: 12 },
  (seed) => tryCase(seed, ["opencl", "vulkan"]),
  () => missingDevices,
);
