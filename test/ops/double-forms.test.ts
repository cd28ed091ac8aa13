/**
 * Every function that clang's own header declares for doubles, of one to four components: what clang takes is read, and what
 * is written for another language its compiler takes, or it is refused by a name that says why; and the values of the
 * functions at numbers are those of PoCL.
 */
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect } from "vitest";
import { simulate, translate, type Target } from "../../src/index.js";
import { missingFor } from "../device/device-test.js";
import { findProgram, missingPrograms } from "../support/judges/judge.js";
import { judgeable, judgeOutputs, judges, refusals, type Judgeable } from "../support/judges/outputs.js";
import { toolTest } from "../support/tool-test.js";
import { runHere } from "../device/run-here.js";

interface Declared {
  readonly name: string;
  readonly result: string;
  readonly parameters: readonly string[];
}

/** Kinds of calls of their own, held elsewhere: conversions, loads and stores, copies, what crosses lanes, pipes. */
const elsewhere =
  /^(convert_|vload|vstore|async_|atomic|shuffle|sub_group|work_group|intel_|native_|half_|as_|prefetch)/;
const width = (type: string): number => Number(/(\d+)/.exec(type.replace("__", ""))?.[1] ?? 1);

/** What the declarations are read from. */
const header = missingPrograms(["clang-19"]);

/** As declared with private pointers, in vectors of up to four. */
function declared(): readonly Declared[] {
  const folder = spawnSync(findProgram("clang-19")!, ["-print-resource-dir"], { encoding: "utf8" }).stdout.trim();
  const text = readFileSync(join(folder, "include", "opencl-c.h"), "utf8");
  const found = new Map<string, Declared>();
  for (const [, result, name, list] of text.matchAll(/^(\w+) __ovld (?:__cnfn |__purefn )?(\w+)\(([^)]*)\);/gm)) {
    const parameters = list!
      .split(",")
      .map((p) => p.trim().replace(/\s*\b\w+$/, (word) => (/^\s+\w+$/.test(word) ? "" : word)))
      .map((p) => p.replace(/\s*\*\s*$/, " *"));
    if (elsewhere.test(name!) || !`${result} ${list}`.includes("double")) continue;
    if ([result!, ...parameters].some((t) => width(t) > 4)) continue;
    if (parameters.some((p) => p.includes("*") && /^__(global|local)/.test(p))) continue;
    const plain = parameters.map((p) => p.replace("__private ", ""));
    found.set(`${name!}(${plain.join()})`, { name: name!, result: result!, parameters: plain });
  }
  return [...found.values()];
}

const arrays = { double: "x", int: "n", long: "l", ulong: "u" } as const;
type Element = keyof typeof arrays;
const elementOf = (type: string): Element => /^[a-z]+/.exec(type)![0] as Element;

/** The call, with operands that buffers give; what it writes through a pointer goes into a place of its own. */
function blockOf({ name, result, parameters }: Declared, index: number, count: number): string {
  const before: string[] = [];
  const args = parameters.map((type, i) => {
    const element = elementOf(type);
    const n = width(type);
    if (type.includes("*")) {
      before.push(`${type.replace(" *", "")} out${i};`);
      return `&out${i}`;
    }
    const parts = Array.from({ length: n }, (_, c) => `${arrays[element]}[(g * 7 + ${c + i * 5}) % ${operands}]`);
    return n === 1 ? parts[0]! : `(${type})(${parts.join(", ")})`;
  });
  const outs = parameters.flatMap((type, i) => (type.includes("*") ? [{ type, name: `out${i}` }] : []));
  const stores = [{ type: result, name: "r" }, ...outs].flatMap(({ type, name: value }, at) =>
    Array.from({ length: width(type) }, (_, c) => {
      const part = width(type) === 1 ? value : `${value}.s${c}`;
      return `o[g * ${8 * count} + ${index * 8 + at * 4 + c}] = ${part};`;
    }),
  );
  return `  {
    ${before.join(" ")}
    ${result} r = ${name}(${args.join(", ")});
    ${stores.join("\n    ")}
  }
`;
}

const operands = 64;
const lanes = 32;
const kernelOf = (functions: readonly Declared[]): string =>
  `kernel __attribute__((reqd_work_group_size(${lanes}, 1, 1))) void k(global const double *x, global const int *n, global const long *l, global const ulong *u, global double *o) {
  uint g = get_global_id(0);
${functions.map((d, i) => blockOf(d, i, functions.length)).join("")}}
`;

const titleOf = ({ name, parameters }: Declared): string => `${name}(${parameters.join(", ")})`;
/** XL1900: not there yet, by name; XL3001: the target has none. */
const named = (said: readonly { code: string; message: string }[]): boolean =>
  said.every((d) => d.code === "XL1900" || d.code === "XL3001");

interface Written {
  readonly functions: readonly Declared[];
  readonly code: string;
}

/** What is written of them, of all sizes of a function together where that can be, and what is refused without a reason. */
async function written(to: Target): Promise<{ readonly texts: readonly Written[]; readonly wrong: readonly string[] }> {
  const texts: Written[] = [];
  const wrong: string[] = [];
  const write = async (functions: readonly Declared[]): Promise<void> => {
    const { code, diagnostics } = await translate(kernelOf(functions), { from: "opencl", to });
    const said = diagnostics.filter((p) => p.severity === "error");
    if (code !== undefined) texts.push({ functions, code });
    else if (functions.length > 1) for (const one of functions) await write([one]);
    else if (!named(said)) wrong.push(`${titleOf(functions[0]!)}: ${said[0]!.message}`);
  };
  const all = declared();
  for (const name of new Set(all.map((d) => d.name))) await write(all.filter((d) => d.name === name));
  return { texts, wrong };
}
const countOf = (texts: readonly Written[]): number => texts.reduce((n, t) => n + t.functions.length, 0);

describe.each([
  ["glsl", 150],
  ["hlsl", 90],
] as const)("to %s", (to, least) => {
  const missing = [...missingPrograms(["clang-19"]), ...judges[to].missing()];
  toolTest(missing, "each is taken by the compiler, or refused by name", async () => {
    const { texts, wrong } = await written(to);
    expect(wrong).toEqual([]);
    expect(countOf(texts)).toBeGreaterThan(least);
    const judged = texts.map(({ functions, code }): Judgeable => judgeable(to, titleOf(functions[0]!), code));
    expect(refusals(await judgeOutputs(judged))).toBe("");
  });
});

/** Numbers inside the domains of most functions, and some outside. */
const numbers = Float64Array.from({ length: operands }, (_, i) => {
  const whole = ((i * 37) % 23) - 9;
  return i % 5 === 0 ? whole : i % 5 === 1 ? whole / 16 : i % 5 === 2 ? Math.sin(i) : (whole * Math.SQRT2) / 8;
});
const args = (count: number): Record<string, Float64Array | Int32Array | BigInt64Array | BigUint64Array> => ({
  x: numbers,
  n: Int32Array.from(numbers, (v, i) => (i % 7) - 3),
  l: BigInt64Array.from(numbers, (v) => (v < 0 ? -1n : 0n)),
  u: BigUint64Array.from(numbers, (v) => (v < 0 ? 1n << 63n : 5n)),
  o: new Float64Array(lanes * 8 * count),
});

toolTest([...header, ...(await missingFor("opencl"))], "PoCL has the same values", async () => {
  const { texts, wrong: unread } = await written("ts");
  expect(unread).toEqual([]);
  const readable = texts.flatMap((t) => t.functions);
  // All but the functions that are not there yet.
  expect(readable.length).toBeGreaterThan(declared().length - 20);
  const wrong: string[] = [];
  for (let from = 0; from < readable.length; from += 40) {
    const some = readable.slice(from, from + 40);
    const text = kernelOf(some);
    const launch = { from: "opencl", workgroups: [1], workgroupSize: [lanes], args: args(some.length) } as const;
    const own = await simulate(text, { ...launch, findings: "none" });
    const there = await runHere(text, { ...launch, device: "opencl" });
    expect([...own.diagnostics, ...there.diagnostics].filter((d) => d.severity === "error")).toEqual([]);
    const [a, b] = [own.buffers["o"] as Float64Array, there.buffers["o"] as Float64Array];
    some.forEach((d, i) => {
      for (let lane = 0; lane < lanes; lane++)
        for (let c = 0; c < 8; c++) {
          const at = lane * 8 * some.length + i * 8 + c;
          const [mine, theirs] = [a[at]!, b[at]!];
          // OpenCL C 3.0 section 7.4 has 16 ulp at most; of geometric functions, and sums that cancel, the numbers are of about 1.
          const near =
            Math.abs(mine - theirs) <=
            1e-14 * Math.max(Math.abs(theirs), width(d.result) > 1 || d.name === "dot" ? 1 : 0);
          if (Object.is(mine, theirs) || near) continue;
          wrong.push(`${titleOf(d)}, lane ${lane}, ${c}: ${mine}, PoCL ${theirs}`);
          return;
        }
    });
  }
  expect(wrong).toEqual([]);
});
