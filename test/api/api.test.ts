import { describe, expect, test } from "vitest";
import { capabilities, check, reflect, runOnDevice, simulate, translate, verify } from "../../src/index.js";
import type { SimulateOptions } from "../../src/index.js";
import { readSource } from "../support/expectations.js";

const saxpy = readSource("saxpy", "opencl");
const sized = { from: "opencl", workgroupSize: [64, 1, 1] } as const;

describe("translate", () => {
  test("gives text, reflection and remarks", async () => {
    const result = await translate(saxpy, { ...sized, to: "hlsl" });
    expect(result.diagnostics).toEqual([]);
    expect(result.code).toContain("[numthreads(64, 1, 1)]");
    expect(result.reflection!.entries[0]!.arguments.map((a) => a.path)).toEqual(["a", "n", "x", "y"]);
    expect(result.emulations).toEqual([]);
  });

  test("what a person got wrong is a diagnostic with its place", async () => {
    const result = await translate(saxpy.replace("* x[", "* z["), {
      ...sized,
      to: "hlsl",
      fileName: "a/b.cl",
    });
    expect(result.code).toBeUndefined();
    expect(result.diagnostics[0]).toMatchObject({
      severity: "error",
      code: "XL2001",
      location: { file: "a/b.cl" },
    });
  });

  test("misuse of the API throws", async () => {
    await expect(translate(saxpy, { from: "metal", to: "glsl" } as never)).rejects.toThrow(TypeError);
    await expect(translate(saxpy, { from: "opencl", to: "cuda" } as never)).rejects.toThrow("'to' is one of");
    await expect(translate(1 as never, { ...sized, to: "glsl" })).rejects.toThrow(TypeError);
    await expect(translate(saxpy, { ...sized, to: "glsl", profile: "sm6.0" })).rejects.toThrow(
      "'profile' is one of vulkan1.1",
    );
    await expect(translate(saxpy, { from: "opencl", to: "glsl", workgroupSize: [0] })).rejects.toThrow("workgroupSize");
    await expect(translate(saxpy, { from: "opencl", to: "glsl", subgroupSize: 24 })).rejects.toThrow("power of two");
  });

  test("an option that nobody reads throws, in every function", async () => {
    const from = "opencl" as const;
    const wrong = { stirct: true } as object;
    const run = { from, workgroups: [1], workgroupSize: [1], args: {} };
    await expect(translate(saxpy, { ...sized, to: "glsl", ...wrong })).rejects.toThrow("did you mean 'strict'?");
    await expect(translate(saxpy, { ...sized, to: "glsl", seeds: 3 } as never)).rejects.toThrow("no option 'seeds'");
    await expect(check(saxpy, { from, target: "glsl" } as never)).rejects.toThrow("did you mean 'targets'?");
    await expect(reflect(saxpy, { from, ...wrong })).rejects.toThrow("'stirct'");
    await expect(verify(saxpy, { ...sized, to: "glsl", seed: 3 } as never)).rejects.toThrow("did you mean 'seeds'?");
    await expect(simulate(saxpy, { ...run, maxStep: 3 } as never)).rejects.toThrow("did you mean 'maxSteps'?");
    await expect(simulate(saxpy, { ...run, toString: 3 } as never)).rejects.toThrow("no option 'toString'");
    await expect(runOnDevice(saxpy, { ...run, device: "opencl", lanes: "linear" } as never)).rejects.toThrow("'lanes'");
    expect(() => capabilities({ op: "subgroup.add" } as never)).toThrow("no option 'op'");
  });

  test("includes come from a record or a function, and defines are macros", async () => {
    const source = '#include "n.h"\n__kernel void k(__global uint *x) { x[get_global_id(0)] = N + M; }\n';
    const record = { "n.h": "#define N 3u\n" };
    for (const include of [
      record,
      (path: string) => Promise.resolve(record[path as "n.h"]),
      (path: string) => ({ name: `lib/${path}`, text: record[path as "n.h"] }),
    ]) {
      const { code, diagnostics } = await translate(source, {
        ...sized,
        to: "glsl",
        include,
        defines: { M: 4 },
      });
      expect(diagnostics).toEqual([]);
      expect(code).toContain("N + 4u".replace("4u", "4")[0]);
    }
    const missing = await translate(source, { ...sized, to: "glsl", include: { constructor: "" } });
    expect(missing.code).toBeUndefined();
  });

  test("two translations at once do not disturb each other", async () => {
    const alone = await translate(saxpy, { ...sized, to: "glsl" });
    const many = await Promise.all(
      Array.from({ length: 8 }, (_, i) =>
        translate(i % 2 ? saxpy : readSource("reduce", "msl"), {
          ...sized,
          from: i % 2 ? "opencl" : "msl",
          to: "glsl",
        }),
      ),
    );
    expect(many.filter((m) => m.code === alone.code)).toHaveLength(4);
  });
});

describe("simulate", () => {
  const data = (): SimulateOptions => ({
    from: "opencl",
    workgroups: [2],
    workgroupSize: [64],
    args: { a: 2, n: 100, x: new Float32Array(128).map((_, i) => i), y: new Float32Array(128).fill(1) },
  });

  test("buffers come back in the types they were given in, inputs are not written", async () => {
    const options = data();
    const { buffers, findings, stats, diagnostics } = await simulate(saxpy, options);
    expect(diagnostics).toEqual([]);
    expect(findings).toEqual([]);
    expect(buffers.y).toBeInstanceOf(Float32Array);
    expect([...(buffers.y as Float32Array)]).toEqual(Array.from({ length: 128 }, (_, i) => (i < 100 ? 2 * i + 1 : 1)));
    expect((options.args.y as Float32Array)[5]).toBe(1);
    expect([...(buffers.x as Float32Array)]).toEqual([...(options.args.x as Float32Array)]);
    expect(stats).toMatchObject({ invocations: 128, workgroups: 2, complete: true });
  });

  test("raw bytes, part of a larger buffer, a partial grid", async () => {
    const whole = new Float32Array(256).fill(1);
    const options = { ...data(), workgroups: undefined, gridSize: [70] };
    const args = { ...options.args, n: 128, y: new Uint8Array(whole.buffer, 512, 512) };
    const { buffers } = await simulate(saxpy, { ...options, args });
    const y = buffers.y as Uint8Array;
    expect(y).toBeInstanceOf(Uint8Array);
    expect([...new Float32Array(y.buffer, y.byteOffset, 128)]).toEqual(
      Array.from({ length: 128 }, (_, i) => (i < 70 ? 2 * i + 1 : 1)),
    );
  });

  test("an access out of bounds is a finding with its place", async () => {
    const options = data();
    const { findings } = await simulate(saxpy, {
      ...options,
      fileName: "s.cl",
      args: { ...options.args, x: new Float32Array(50) },
    });
    expect(findings[0]).toMatchObject({
      kind: "out-of-bounds",
      buffer: "x",
      workgroup: [0, 0, 0],
      lane: [50, 0, 0],
      location: { file: "s.cl", line: 3 },
    });
    expect(findings[0]!.count).toBe(50);
  });

  test.each<[string, Partial<SimulateOptions["args"]>, string]>([
    ["an unknown argument", { z: 1 }, "has no argument 'z'"],
    ["a missing argument", { n: undefined }, "gives no 'n'"],
    ["a fraction for an integer", { n: 1.5 }, "'n' does not fit: 1.5 is no integer"],
    ["too many numbers", { n: [1, 2] }, "'n' has 2 numbers"],
    ["half an element", { x: new Uint8Array(6) }, "'x' has 6 bytes"],
    ["a number for a buffer", { x: 1 }, "'x' is a buffer"],
  ])("%s is a diagnostic", async (_, args, message) => {
    const options = data();
    const merged = Object.fromEntries(
      Object.entries({ ...options.args, ...args }).filter(([, v]) => v !== undefined),
    ) as SimulateOptions["args"];
    const { diagnostics, buffers } = await simulate(saxpy, { ...options, args: merged });
    expect(diagnostics.map((d) => d.message).join()).toContain(message);
    expect(buffers).toEqual({});
  });

  test("misuse throws", async () => {
    await expect(simulate(saxpy, { ...data(), args: { x: "text" } } as never)).rejects.toThrow("'args.x'");
    await expect(simulate(saxpy, { ...data(), gridSize: [1] })).rejects.toThrow("exactly one of");
    await expect(simulate(saxpy, { ...data(), subgroupSize: 3 })).rejects.toThrow("power of two");
  });
});

describe("verify", () => {
  const launch = {
    workgroups: [2],
    workgroupSize: [64],
    args: {
      a: { type: "f32", value: 2.5 },
      n: { type: "u32", value: 100 },
      x: { type: "f32", count: 128, init: { unit: { seed: 1 } } },
      y: { type: "f32", count: 128, init: { unit: { seed: 2 } }, output: true },
    },
  };

  test.each(["msl", "glsl", "hlsl"] as const)("opencl to %s", async (to) => {
    const result = await verify(saxpy, {
      from: "opencl",
      to,
      launches: [launch, JSON.stringify(launch)],
      subgroupSizes: [8],
    });
    expect(result).toMatchObject({ result: "equivalent", diagnostics: [] });
    expect(result.runs).toHaveLength(4);
  });

  test("a launch with errors, a source with errors, a refused source", async () => {
    expect(await verify(saxpy, { from: "opencl", to: "glsl", launches: [{ ...launch, extra: 1 }] })).toMatchObject({
      result: "not-run",
      diagnostics: [{ code: "XL6002" }],
    });
    expect(await verify("x", { from: "opencl", to: "glsl" })).toMatchObject({ result: "not-run" });
    expect(await verify(readSource("reduce", "msl"), { from: "msl", to: "hlsl", profile: "sm5.0" })).toMatchObject({
      result: "not-run",
    });
  });
});

describe("check, reflect, capabilities", () => {
  test("portability covers every target and profile", async () => {
    const { portability, diagnostics } = await check(readSource("reduce", "msl"), {
      from: "msl",
      workgroupSize: [64],
    });
    expect(diagnostics).toEqual([]);
    const verdicts = new Map(portability.map((p) => [p.profile, p.verdict]));
    expect(verdicts.get("sm5.0")).toBe("refused");
    expect(verdicts.get("msl3.0")).toBe("exact");
    expect(verdicts.get("vulkan1.3")).toBe("emulated");
  });

  test("slots of every target, whatever sizes the source leaves to the launch", async () => {
    const kernel =
      "__kernel void k(__global int *x, __local float4 *tmp, int n) { tmp[get_local_id(0)] = n; x[get_global_id(0)] = (int)tmp[0].x; }";
    const { entries } = await reflect(kernel, { from: "opencl" });
    const slots = Object.fromEntries(entries[0]!.arguments.map((a) => [a.path, a.slots]));
    expect(slots.x).toMatchObject({
      msl: { kind: "buffer", slot: 0 },
      glsl: { kind: "buffer", set: 0, slot: 0 },
      opencl: { kind: "buffer", slot: 0 },
      hlsl: { kind: "buffer", register: "u", slot: 0 },
    });
    expect(slots.n).toMatchObject({ glsl: { kind: "push-constant", offset: 0 }, hlsl: { kind: "cbuffer", offset: 0 } });
  });

  test("bytes for workgroup memory that is not there are an error", async () => {
    const kernel = "__kernel void k(__global int *x, __local int *tmp) { tmp[0] = 1; x[get_global_id(0)] = tmp[0]; }";
    const sized = { from: "opencl", to: "hlsl", workgroupSize: [64] } as const;
    expect((await translate(kernel, { ...sized, local: { tmp: 4 } })).diagnostics).toEqual([]);
    const { code, diagnostics } = await translate(kernel, { ...sized, local: { tmp: 4, temp: 4 } });
    expect(code).toBeUndefined();
    expect(diagnostics).toMatchObject([{ code: "XL4004", help: "the source has tmp" }]);
  });

  test("reflection of a block of settings", async () => {
    const { entries } = await reflect(readSource("settings", "msl"), { from: "msl", workgroupSize: [64] });
    const leaves = entries[0]!.arguments.filter((a) => a.kind === "value").map((a) => [a.path, a.type, a.size]);
    expect(leaves).toContainEqual(["setup.gain", "f32x4", 16]);
    expect(leaves).toContainEqual(["setup.limits.low", "f32", 4]);
    expect(leaves).toContainEqual(["setup.mode", "i32", 4]);
  });

  test("the table as data", () => {
    const rows = capabilities({ filter: "subgroup" });
    expect(rows.length).toBeGreaterThan(20);
    for (const row of rows)
      for (const target of Object.values(row.targets))
        expect(["native", "emulated", "partly", "refused"]).toContain(target.verdict);
    expect(() => capabilities({ profile: "sm9" })).toThrow(TypeError);
  });
});

describe("strict", () => {
  test("an assumption is guarded or refused, never left", async () => {
    const reduce = readSource("reduce", "msl");
    const plain = await translate(reduce, { from: "msl", to: "hlsl", workgroupSize: [64] });
    expect(plain.assumptions.map((a) => a.op)).toContain("id.subgroup_id");
    const strict = await translate(reduce, { from: "msl", to: "hlsl", workgroupSize: [64], strict: true });
    // Waves number themselves by a counter.
    expect(strict).toMatchObject({ assumptions: [], diagnostics: [] });
    expect(strict.code).toContain("InterlockedAdd(wave_count, 1u, wave);");
    const quads =
      "RWStructuredBuffer<uint> x : register(u0);\n[numthreads(8, 1, 1)] void k(uint3 i : SV_DispatchThreadID) { x[i.x] = QuadReadAcrossX(i.x); }";
    expect((await translate(quads, { from: "hlsl", to: "glsl" })).assumptions.map((a) => a.op)).toContain("quad-lanes");
    const refused = await translate(quads, { from: "hlsl", to: "glsl", strict: true });
    expect(refused.code).toBeUndefined();
    expect(refused.diagnostics.map((d) => d.code)).toContain("XL4009");
    const add =
      "kernel void k(device int *x [[buffer(0)]], uint i [[thread_position_in_grid]]) { x[i] = x[i] + x[i + 1]; }";
    expect((await translate(add, { from: "msl", to: "opencl" })).assumptions.map((a) => a.op)).toContain(
      "signed-overflow",
    );
    const guarded = await translate(add, { from: "msl", to: "opencl", strict: true });
    expect(guarded).toMatchObject({ assumptions: [], diagnostics: [] });
    expect(guarded.code).toContain("(uint)");
  });
});
