/**
 * OpenGL's atomic counters (GLSL 4.60 4.1.7.3, 4.4.6.1, 8.10): what their functions give is by hand from the specification, and the
 * operations are those that glslang makes of them.
 */
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { reflect, simulate, translate, verify, type SourceDialect } from "../src/index.js";
import { judgeable, judgeOutputs, judges, refusals, type Judgeable } from "./support/judges/outputs.js";
import { missingPrograms } from "./support/judges/judge.js";
import { judgeTest, toolTest } from "./support/tool-test.js";

const head = "#version 460\nlayout(local_size_x = 8) in;\nlayout(std430, binding = 0) buffer B { uint o[]; };\n";
const targets = ["msl", "opencl", "hlsl", "glsl"] as const;
const judged: Judgeable[] = [];

const text = `${head}layout(binding = 0, offset = 4) uniform atomic_uint d;
layout(binding = 0) uniform atomic_uint n[2];
layout(binding = 0, offset = 0) uniform atomic_uint zero;
uint next(uint k) { return atomicCounterIncrement(n[k & 1u]); }
void main() {
  uint i = gl_GlobalInvocationID.x;
  o[16u + 8u * (i & 1u) + next(i)] = i + 1u;
  if (i != 0u) return;
  o[0] = atomicCounterDecrement(d);
  o[1] = atomicCounterAdd(d, 10u);
  o[2] = atomicCounterSubtract(d, 3u);
  o[3] = atomicCounterMin(d, 7u);
  o[4] = atomicCounterMax(d, 9u);
  o[5] = atomicCounterAnd(d, 12u);
  o[6] = atomicCounterOr(d, 3u);
  o[7] = atomicCounterXor(d, 1u);
  o[8] = atomicCounterExchange(d, 20u);
  o[9] = atomicCounterCompSwap(d, 20u, 30u);
  memoryBarrierAtomicCounter();
  o[10] = atomicCounter(d);
  o[11] = atomicCounterDecrement(zero);
}
`;
/** Decrement gives what is there then, all others what was there. */
const given = [4, 4, 14, 11, 7, 9, 8, 11, 10, 20, 30, 0xffffffff];

describe("atomic counters", () => {
  test.each(["glsl", ...targets.filter((t) => t !== "glsl")] as SourceDialect[])(
    "compute what they say in %s",
    async (from) => {
      const { code, diagnostics } = await translate(text, {
        from: "glsl",
        to: from,
        ...(from === "msl" ? { profile: "msl3.2" } : {}),
      });
      expect(diagnostics.filter((d) => d.severity === "error")).toEqual([]);
      const { entries } = await reflect(code!, { from });
      const counters = entries[0]!.arguments.map((a) => a.path).find((path) => path !== "o")!;
      for (const subgroupSize of [4, 32]) {
        const { buffers } = await simulate(code!, {
          from,
          workgroups: [1],
          workgroupSize: [8],
          subgroupSize,
          // zero, d and n, from where the counters of even and odd lanes begin.
          args: { o: new Uint32Array(32), [counters]: Uint32Array.of(0, 5, 1, 2) },
        });
        const o = [...(buffers["o"] as Uint32Array)];
        expect(o.slice(0, 12)).toEqual(given);
        expect([...new Uint32Array((buffers[counters] as Uint32Array).buffer)]).toEqual([0xffffffff, 30, 5, 6]);
        // In which order lanes come is open.
        expect(o.slice(16, 24).sort()).toEqual([0, 0, 0, 0, 1, 3, 5, 7]);
        expect(o.slice(26, 32).sort()).toEqual([0, 0, 2, 4, 6, 8]);
      }
    },
  );

  test.each(["msl", "opencl", "hlsl", "ts"] as const)("are translated to %s", async (to) => {
    const counts = text.replace("next(i)", "0u * next(i)").replace("] = i + 1u", "] = 7u");
    const options = to === "msl" ? { profile: "msl3.2" } : {};
    const { result, diagnostics } = await verify(counts, { from: "glsl", to, ...options });
    expect(result, JSON.stringify(diagnostics)).toMatch(/^equivalent/);
    if (to === "ts") return;
    const made = judgeable(to, `counters to ${to}`, (await translate(text, { from: "glsl", to, ...options })).code!);
    judged.push(made.dialect === "msl" ? { ...made, options: { version: "3.2" } } : made);
  });

  /** What declares nothing says where the next counter lies; after that they follow each other. */
  const defaults = `${head}layout(binding = 0, offset = 0x8) uniform atomic_uint;
layout(binding = 0) uniform atomic_uint a;
layout(binding = 0) uniform atomic_uint b;
layout(binding = 0, offset = 020) uniform atomic_uint;
layout(binding = 00, offset = 0) uniform atomic_uint first;
layout(binding = 0, offset = 24) uniform atomic_uint;
layout(binding = 0) uniform atomic_uint c;
void main() {
  if (gl_GlobalInvocationID.x != 0u) return;
  o[0] = atomicCounter(a); o[1] = atomicCounter(b); o[2] = atomicCounter(c); o[3] = atomicCounter(first);
}
`;

  test("lie where declarations without a counter say", async () => {
    const args = { o: new Uint32Array(8), AtomicCounters0: Uint32Array.of(10, 11, 12, 13, 14, 15, 16) };
    const { buffers } = await simulate(defaults, { from: "glsl", workgroups: [1], workgroupSize: [8], args });
    expect([...(buffers["o"] as Uint32Array).slice(0, 4)]).toEqual([12, 13, 16, 10]);
    const { diagnostics } = await translate(defaults, { from: "glsl", to: "opencl" });
    expect(diagnostics.filter((d) => d.severity !== "note")).toEqual([]);
  });

  /** Functions take counters and arrays of them (GLSL 4.60 4.1.7.3): in all 8 lanes, of which the odd ones are 4. */
  const handed = `${head}layout(binding = 0) uniform atomic_uint n, m[2], z;
uint next(atomic_uint c) { return atomicCounterIncrement(c); }
uint one(in atomic_uint c, uint by);
uint both(atomic_uint c[2], uint k) { return next(c[k]) + one(c[1u - k], k); }
uint one(in atomic_uint c, uint by) { return by > 0u ? next(c) : atomicCounterAdd(c, 10u); }
void main() {
  uint i = gl_GlobalInvocationID.x;
  next(n); next(m[1]); next(m[i & 1u]); both(m, i & 1u); barrier();
  o[i] = atomicCounter(n) + 100u * atomicCounter(m[0]) + 10000u * atomicCounter(m[1]) + 0u * next(z);
}
`;
  test.each([4, 32])("are parameters at width %i", async (subgroupSize) => {
    const args = { o: new Uint32Array(8), AtomicCounters0: new Uint32Array(4) };
    const launch = { from: "glsl", workgroups: [1], workgroupSize: [8], subgroupSize, args } as const;
    const { buffers } = await simulate(handed, launch);
    // m[1] 8 and 4 from main, 4 from the odd and 40 from the even ones of both; m[0] 4 from each of these.
    expect([...(buffers["AtomicCounters0"] as Uint32Array)]).toEqual([8, 12, 56, 8]);
    expect([...(buffers["o"] as Uint32Array)]).toEqual(Array(8).fill(8 + 1200 + 560000));
  });

  test.each(["msl", "opencl", "hlsl", "ts"] as const)("that are parameters are translated to %s", async (to) => {
    const { result, diagnostics } = await verify(handed, { from: "glsl", to });
    expect(result, JSON.stringify(diagnostics)).toMatch(/^equivalent/);
    if (to !== "ts") judged.push(judgeable(to, to, (await translate(handed, { from: "glsl", to })).code!));
  });

  test("are not written by functions", async () => {
    const text = `${head}layout(binding = 0) uniform atomic_uint n; void set(out atomic_uint c) {} void main() { set(n); }`;
    const { diagnostics } = await translate(text, { from: "glsl", to: "msl" });
    expect(diagnostics.filter((d) => d.severity === "error").map((d) => d.code)).toContain("XL2009");
  });

  test("behind one that is not read are not read", async () => {
    const unread = "const int zero = 0;\nlayout(binding = zero) uniform atomic_uint before;\n";
    const used = "layout(binding = 0) uniform atomic_uint c;\nvoid main() { o[0] = atomicCounter(c); }";
    const { code, diagnostics } = await translate(`${head}${unread}${used}`, { from: "glsl", to: "opencl" });
    expect([code, diagnostics.map((d) => d.code)]).toEqual([undefined, expect.arrayContaining(["XL1900"])]);
  });

  const own = `${head}layout(binding = 0) uniform atomic_uint c, b[2];\nvoid main() { `;
  const wrong: readonly (readonly [string, string])[] = [
    ["o[0] = c;", "XL2017"],
    ["c = 1u;", "XL2017"],
    ["c++;", "XL2017"],
    ["o[0] = b[1] + 1u;", "XL2017"],
    ["o[0] = atomicAdd(c, 1u);", "XL2017"],
    ["o[0] = atomicCounterAdd(c);", "XL2005"],
    ["o[0] = atomicCounterIncrement(c, 1u);", "XL2005"],
    ["o[0] = atomicCounter(o[0]);", "XL2005"],
    ["atomic_uint q;", "XL1900"],
  ];
  test.each(wrong)("%s is refused", async (body, code) => {
    const { diagnostics } = await translate(`${own}${body} }`, { from: "glsl", to: "opencl" });
    expect(diagnostics.filter((d) => d.severity === "error").map((d) => d.code)).toEqual([code]);
  });

  test("are none where one that may lie before them does not parse", async () => {
    const before = "layout(binding = 0) uniform atomic_uint a b;\nlayout(binding = 0) uniform atomic_uint c;\n";
    const kernel = `${head}${before}void main() { o[0] = atomicCounterIncrement(c); }\n`;
    const { code, diagnostics } = await translate(kernel, { from: "glsl", to: "opencl" });
    expect(code).toBeUndefined();
    expect(diagnostics.some((d) => d.severity === "error")).toBe(true);
  });

  test("are no further error beside one of syntax", async () => {
    const { diagnostics } = await translate(`${own}o[0] = atomicCounter(c) + ; }`, { from: "glsl", to: "opencl" });
    expect(diagnostics.filter((d) => d.severity === "error").map((d) => d.code)).toEqual(["XL1001"]);
  });

  toolTest(missingPrograms(["glslangValidator", "spirv-dis"]), "glslang takes and refuses the same", () => {
    const folder = mkdtempSync(join(tmpdir(), "crosslane-counters-"));
    const [source, binary] = [join(folder, "k.comp"), join(folder, "k.spv")];
    const takes = (kernel: string): boolean => {
      writeFileSync(source, kernel);
      return spawnSync("glslangValidator", ["-G", source, "-o", binary]).status === 0;
    };
    try {
      for (const [body] of wrong) expect(takes(`${own}${body} }`), body).toBe(false);
      expect(takes(text)).toBe(true);
      const code = spawnSync("spirv-dis", [binary], { encoding: "utf8" }).stdout;
      const operations = [...code.matchAll(/= (OpAtomic\w+|OpISub %\w+)/g)].map((m) => m[1]);
      // One is taken from what a decrement gives, and from nothing else.
      const decrement = ["OpAtomicIDecrement", "OpISub %uint"];
      const others = ["IAdd", "ISub", "UMin", "UMax", "And", "Or", "Xor", "Exchange", "CompareExchange", "Load"];
      expect(operations.filter((o) => o !== "OpAtomicIIncrement")).toEqual([
        ...decrement,
        ...others.map((o) => `OpAtomic${o}`),
        ...decrement,
      ]);
      expect([...code.matchAll(/OpDecorate %(\w+) Offset (\d+)/g)].map((m) => `${m[1]} ${m[2]}`).sort()).toEqual([
        "d 4",
        "n 8",
        "zero 0",
      ]);
      expect(takes(handed)).toBe(true);
      expect(takes(defaults)).toBe(true);
      const other = spawnSync("spirv-dis", [binary], { encoding: "utf8" }).stdout;
      const offsets = [...other.matchAll(/OpDecorate %(\w+) Offset (\d+)/g)].map((m) => `${m[1]} ${m[2]}`).sort();
      expect(offsets).toEqual(["a 8", "b 12", "c 24", "first 0"]);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });

  for (const dialect of ["msl", "opencl", "hlsl"] as const)
    judgeTest(judges[dialect], `the ${dialect} compiler accepts the texts`, async () => {
      expect(refusals(await judgeOutputs(judged.filter((j) => j.dialect === dialect)))).toBe("");
    });
});
