/** Files in which single declarations do not parse: kernels that need none of them are translated all the same. */
import { describe, expect, test } from "vitest";
import { translate } from "../../src/index.js";

const given = "device float *x [[buffer(0)]], uint i [[thread_position_in_grid]]";
const good = `kernel void good(${given}) { x[i] = x[i] * 2.0f; }\n`;
const head = "#include <metal_stdlib>\nusing namespace metal;\n";

const library = `${head}
namespace lib {
float half_of(float x) { return x * 0.5f; }
float odd(float x) { return x <=> 1.0f; }
}
struct Odd { float a; float twice() { return a <=> 2.0f; } };
template <typename T> T strange(T x) { return x <=> 3; }
${good}
kernel void bad(${given}) { x[i] = strange(x[i]); }
kernel void worse(${given}) { x[i] = x[i] <=> 3; }
kernel void spaced(${given}) { x[i] = lib::odd(x[i]); }
kernel void held(${given}) { Odd o; o.a = x[i]; x[i] = o.a; }
`;

describe("what does not parse between the braces of a declaration", () => {
  for (const to of ["msl", "glsl", "opencl", "hlsl", "ts"] as const)
    test(`is wrong with the kernels that need it, to ${to}`, async () => {
      const r = await translate(library, { from: "msl", to, workgroupSize: [32, 1, 1] });
      expect(r.diagnostics.filter((d) => d.severity === "error")).toEqual([]);
      expect(r.refused.map((x) => x.entry)).toEqual(["bad", "worse", "spaced", "held"]);
      for (const x of r.refused) expect(x.diagnostics[0]).toMatchObject({ code: "XL1001" });
      expect(r.code).toBeDefined();
      if (to !== "msl") expect(r.code!).not.toMatch(/strange|odd/i);
    });

  test("is said where it stands", async () => {
    const { diagnostics } = await translate(library, { from: "msl", to: "glsl", workgroupSize: [32, 1, 1] });
    const lines = diagnostics.filter((d) => d.code === "XL1001").map((d) => d.location?.line);
    // Of 'odd', 'Odd', 'strange' and 'worse', counted in the text above.
    expect(lines).toEqual([6, 8, 9, 13]);
  });

  test("is an error where the only kernel needs it", async () => {
    const text = `${head}float f(float x) { return x <=> 1.0f; }\nkernel void k(${given}) { x[i] = f(x[i]); }\n`;
    const r = await translate(text, { from: "msl", to: "glsl", workgroupSize: [32, 1, 1] });
    expect(r.code).toBeUndefined();
    expect(r.diagnostics[0]).toMatchObject({ severity: "error", code: "XL1001" });
  });
});

describe("the file is refused where extent or names are not certain", () => {
  const uncertain = {
    "an operator, which nobody names": "struct V { float a; };\nV operator+(V x, V y) { return x <=> y; }\n",
    "a struct without its semicolon": "struct S { float a; }\nfloat f(float x) { return x; }\n",
    "a variable without its semicolon": "constant float one = 1.0f\nfloat f(float x) { return x; }\n",
    "an enumeration in a struct": "struct S { enum E { a, b }; float c = 1 <=> 2; };\n",
    "a brace that is never closed": "float f(float x) { if (x > 0) { return x; }\n",
    "what is no declaration": "UNKNOWN(x) y z;\n",
  };
  for (const [what, text] of Object.entries(uncertain))
    test(what, async () => {
      const r = await translate(`${head}${text}${good}`, { from: "msl", to: "glsl", workgroupSize: [32, 1, 1] });
      expect(r.code).toBeUndefined();
      expect(r.diagnostics.some((d) => d.severity === "error")).toBe(true);
    });
});
