/** Accesses that are not shown to be in bounds: listed, or guarded under strict. Texts written by hand. */
import { describe, expect, it } from "vitest";
import { body, bodyOf, kernel, outcome } from "./text.js";

const strict = { strict: true };

describe("accesses that may be out of bounds", () => {
  it("are one assumption of a kernel, with its first places", async () => {
    const { notes } = await outcome(kernel("x[i] = x[i + 1u]; u[i] = u[i + 1u]; f[i] = 0.0f;", "msl"), "msl", "glsl");
    const bounds = notes.filter((n) => n.op === "bounds");
    expect(bounds.map((n) => [n.kind, n.message, n.spans.length])).toEqual([["assumed", "accesses are in bounds", 3]]);
  });

  it("are none where the text shows it, and none in the source's own dialect", async () => {
    const shown = "int t[16]; for (int k = 0; k < 16; k++) t[k] = k; f[0] = float(t[i & 15u]);";
    expect((await outcome(kernel(shown, "glsl"), "glsl", "msl")).notes.filter((n) => n.op === "bounds")).toEqual([]);
    expect((await outcome(kernel("x[i] = x[i + 1u];", "glsl"), "glsl", "glsl")).notes).toEqual([]);
  });

  it("are none in HLSL's buffers, which define them", async () => {
    expect((await outcome(kernel("u[i] = u[i + 1u];", "msl"), "msl", "hlsl")).notes).toEqual([]);
    expect((await outcome(kernel("u[i] = u[i + 1u];", "msl"), "msl", "hlsl", strict)).text).toContain(
      "u[i.x] = u[i.x + 1u];",
    );
  });
});

describe("under strict", () => {
  it("reads give 0 and writes are left out, by the length GLSL asks for", async () => {
    expect(await body("u[i] = u[i + 1u];", "msl", "glsl", strict)).toEqual([
      "uint i = gl_GlobalInvocationID.x;",
      "if (i < uint(u.length())) u[i] = i + 1u < uint(u.length()) ? u[i + 1u] : 0u;",
    ]);
  });

  it("by a length that is an argument in MSL and OpenCL C", async () => {
    const { text, slots } = await outcome(kernel("u[i] += 2u;", "glsl"), "glsl", "msl", strict);
    expect(text).toContain("constant uint &u_length [[buffer(3)]]");
    expect(bodyOf(text)).toEqual(["if (i < u_length) u[i] += 2u;"]);
    expect(slots.at(-1)).toMatchObject({ path: "u_length", derived: { lengthOf: "u", offset: 0, stride: 4 } });
    expect((await body("u[i] += 2u;", "hlsl", "opencl", strict)).at(-1)).toBe("if (i < u_length) u[i] += 2u;");
  });

  it("negative indices are large", async () => {
    expect((await body("int k = x[0]; f[k] = 1.0f;", "glsl", "msl", strict)).at(-1)).toBe(
      "if (uint(k) < f_length) f[k] = 1.0f;",
    );
    expect((await body("int t[4] = {1, 2, 3, 4}; int at = x[0]; x[0] = t[at];", "opencl", "hlsl", strict)).at(-1)).toBe(
      "x[0] = uint(at) < 4u ? t[at] : 0;",
    );
  });

  it("each dimension is guarded by itself, also a component of a vector", async () => {
    const lines = await body("int t[2][4]; t[1][2] = 1; int k = x[0]; x[0] = t[k & 1][k];", "glsl", "msl", strict);
    expect(lines.at(-1)).toBe("x[0] = uint(k) < 4u ? t[k & 1][k] : 0;");
    expect((await body("vec4 v = vec4(1.0); f[0] = v[i];", "glsl", "hlsl", strict)).at(-1)).toBe(
      "f[0] = i < 4u ? v[i] : 0.0f;",
    );
  });

  it("an index that memory decides is read once", async () => {
    expect(await body("u[u[i]] = 1u;", "glsl", "msl", strict)).toEqual([
      "uint at = i < u_length ? u[i] : 0u;",
      "if (at < u_length) u[at] = 1u;",
    ]);
  });

  it("atomics, and what they give", async () => {
    expect(
      await body("atomicAdd(u[i], 1u); uint old = atomicAdd(u[i], 2u); u[0] = old;", "glsl", "opencl", strict),
    ).toEqual([
      "uint i = get_global_id(0);",
      "if (i < u_length) atomic_add(&u[i], 1u);",
      "uint old = 0u;",
      "if (i < u_length) old = atomic_add(&u[i], 2u);",
      // A buffer has an element.
      "u[0] = old;",
    ]);
  });

  it("values that other lanes take part in are computed by all", async () => {
    const source = kernel("u[i] = subgroupAdd(u[0]);", "glsl").replace(
      "layout(local",
      "#extension GL_KHR_shader_subgroup_arithmetic : require\nlayout(local",
    );
    expect(bodyOf((await outcome(source, "glsl", "msl", strict)).text)).toEqual([
      "uint at = i;",
      "uint value = simd_sum(u[0]);",
      "if (at < u_length) u[at] = value;",
    ]);
  });

  it("what a pointer leads to is refused where its length is not known", async () => {
    const source = kernel("x[0] = first(x + i);", "opencl", "int first(__global const int *p) { return p[1]; }");
    expect((await outcome(source, "opencl", "msl", strict)).problems.map((p) => [p.code, p.message])).toEqual([
      ["XL4009", "bounds: it would have to be assumed that accesses are in bounds"],
    ]);
    expect((await outcome(source, "opencl", "glsl", strict)).problems).toEqual([]);
  });
});

describe("the length of a runtime-sized array", () => {
  it("is GLSL's own, and an argument elsewhere", async () => {
    const statement = "if (int(i) < u.length()) u[i] = uint(u.length());";
    expect((await body(statement, "glsl", "glsl")).at(-1)).toBe(statement);
    expect((await body(statement, "glsl", "msl")).at(-1)).toBe("if (int(i) < int(u_length)) u[i] = u_length;");
  });
});
