/** data.md section 9: what the source defines is written out where the target leaves it open, and nothing else is. */
import { describe, expect, it } from "vitest";
import { body, bodyOf, kernel, outcome } from "./text.js";

describe("signed overflow", () => {
  it("wraps in unsigned arithmetic where the source wraps and the target does not", async () => {
    expect(await body("x[i] = x[i] * 3 + x[i + 1u];", "glsl", "msl")).toEqual([
      "x[i] = int(uint(x[i]) * 3u + uint(x[i + 1u]));",
    ]);
    expect(await body("x[i] += x[i + 1u];", "hlsl", "opencl")).toEqual([
      "uint i = get_global_id(0);",
      "x[i] = (int)((uint)x[i] + (uint)x[i + 1u]);",
    ]);
  });

  it("stays plain between dialects that leave it open, and is listed as assumed", async () => {
    const { text, notes } = await outcome(kernel("x[i] = x[i] * 3;", "msl"), "msl", "opencl");
    expect(bodyOf(text).at(-1)).toBe("x[i] = x[i] * 3;");
    expect(notes.filter((n) => n.kind === "assumed").map((n) => n.op)).toEqual(["bounds", "signed-overflow"]);
  });

  it("is written out under strict", async () => {
    expect((await body("x[i] = x[i] * 3;", "msl", "opencl", { strict: true })).at(-1)).toBe(
      "if (i < x_length) x[i] = (int)((uint)x[i] * 3u);",
    );
  });

  it("refuses under strict what cannot be written out", async () => {
    expect(
      (await outcome(kernel("u[i] = QuadReadAcrossX(i);", "hlsl"), "hlsl", "glsl", { strict: true })).problems.map(
        (p) => p.code,
      ),
    ).toEqual(["XL4009"]);
  });

  it("stays plain where the bounds are shown: counters, masks, small literals", async () => {
    const lines = await body("for (int k = 0; k < 100; k++) x[i] = k * 5 + (x[k] & 255) - 7;", "glsl", "msl");
    expect(lines).toEqual(["for (int k = 0; k < 100; k++) x[i] = k * 5 + (x[k] & 255) - 7;"]);
  });

  it("needs nothing where the target wraps", async () => {
    expect((await body("x[i] = x[i] * x[i] - 1;", "msl", "glsl")).at(-1)).toBe("x[i] = x[i] * x[i] - 1;");
  });
});

describe("shift counts", () => {
  it("are masked where the source takes them modulo the width and the target does not", async () => {
    expect((await body("u[i] = u[i] << u[i + 1];", "hlsl", "glsl")).at(-1)).toBe("u[i] = u[i] << (u[i + 1u] & 31u);");
    expect((await body("u[i] >>= u[i + 1];", "opencl", "msl")).at(-1)).toBe("u[i] >>= u[i + 1u] & 31u;");
  });

  it("stay where they are shown to be small", async () => {
    expect((await body("u[i] = u[i] << (u[i + 1] & 7u);", "hlsl", "glsl")).at(-1)).toBe(
      "u[i] = u[i] << (u[i + 1u] & 7u);",
    );
    expect((await body("u[i] = u[i] >> 31;", "opencl", "msl")).at(-1)).toBe("u[i] = u[i] >> 31;");
  });

  it("are assumed small where the source leaves them open", async () => {
    const { text, notes } = await outcome(kernel("u[i] = u[i] << u[i + 1u];", "msl"), "msl", "glsl");
    expect(bodyOf(text).at(-1)).toBe("u[i] = u[i] << u[i + 1u];");
    expect(notes.map((n) => n.op)).toEqual(["bounds", "shift-count"]);
  });
});

describe("division", () => {
  it("computes remainders of negative numbers by division in GLSL", async () => {
    const { text } = await outcome(kernel("x[i] = x[i] % 3;", "opencl"), "opencl", "glsl");
    expect(text).toContain("int rem(int x1, int y) {\n  return x1 - x1 / y * y;\n}");
    expect(bodyOf(text).at(-1)).toBe("x[i] = rem(x[i], 3);");
  });

  it("keeps the remainder of what is not negative", async () => {
    expect((await body("x[i] = (x[i] & 15) % 3;", "opencl", "glsl")).at(-1)).toBe("x[i] = (x[i] & 15) % 3;");
  });

  it("gives all ones for HLSL's unsigned division by zero, unless the divisor is not zero", async () => {
    const { text } = await outcome(kernel("u[i] = u[i] / u[i + 1];", "hlsl"), "hlsl", "opencl");
    expect(text).toContain("return y == 0u ? 0xffffffffu : x / y;");
    expect((await body("u[i] = u[i] / 3;", "hlsl", "opencl")).at(-1)).toBe("u[i] = u[i] / 3u;");
  });
});

describe("values of type size_t", () => {
  const assumed = async (statement: string, strict = false): Promise<string[]> =>
    (await outcome(`kernel void k(global int *x) { ${statement} }`, "opencl", "msl", { strict })).notes
      .filter((n) => n.kind === "assumed")
      .map((n) => n.op);

  it("are assumed to fit where more than their lower half matters", async () => {
    // Of the 64-bit difference, the upper half goes into the result: for id 0 it is -1 and not 1.
    const shifted = "size_t i = get_global_id(0); x[i] = (i - 20) >> 31;";
    expect(await assumed(shifted)).toEqual(["ids-below-2^32", "size-fits-32-bits", "bounds"]);
    expect(await assumed(shifted, true)).toEqual(["size-fits-32-bits"]);
  });

  it("need no more than small ids where the lower half is enough", async () => {
    const masked = "size_t i = get_global_id(0); x[i] = (i - 20) & 31;";
    expect(await assumed(masked)).toEqual(["ids-below-2^32", "bounds"]);
    expect(await assumed(masked, true)).toEqual([]);
  });
});

describe("contraction", () => {
  const precise = (text: string): string =>
    `RWStructuredBuffer<float> f;\n[numthreads(64, 1, 1)]\nvoid k(uint i : SV_DispatchThreadID) { ${text} }\n`;

  it("stays forbidden in languages that forbid it for the whole text", async () => {
    const source = precise("precise float sum = f[i] * 3.0f + f[i + 1]; f[i] = sum;");
    expect((await outcome(source, "hlsl", "opencl")).text).toContain("#pragma OPENCL FP_CONTRACT OFF");
    expect((await outcome(source, "hlsl", "msl")).text).toContain("#pragma METAL fp contract(off)");
  });

  it("is not forbidden where the source allows it", async () => {
    expect((await outcome(precise("f[i] = f[i] * 3.0f + f[i + 1];"), "hlsl", "opencl")).text).not.toContain(
      "FP_CONTRACT",
    );
  });
});

describe("order of evaluation", () => {
  it("is kept in C where operands touch each other", async () => {
    const lines = await body("int k = 4; x[i] = k++ * 100 + k;", "glsl", "opencl");
    expect(lines.slice(1)).toEqual([
      "int k = 4;",
      "int t = k;",
      "k = (int)((uint)k + 1u);",
      "x[i] = (int)((uint)t * 100u + (uint)k);",
    ]);
  });

  it("leaves expressions alone whose operands do not", async () => {
    expect((await body("uint k = 4u; u[k++] = i;", "glsl", "msl")).at(-1)).toBe("u[k++] = i;");
  });
});
