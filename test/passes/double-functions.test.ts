/**
 * Functions of double in GLSL and HLSL, which have none: the written text, run in the simulator, against exact arithmetic and the
 * specification's values at the edges. That compilers take the texts is held by test/ops/double-forms.test.ts.
 */
import { describe, expect, test } from "vitest";
import { simulate, translate } from "../../src/index.js";
import { isOff, type RealFunction } from "../support/double-reals.js";
import { realFunctions } from "../support/real-functions.js";

const lanes = 32;
const kernel = ({ call }: RealFunction): string =>
  `kernel __attribute__((reqd_work_group_size(${lanes}, 1, 1))) void k(global const double *xs, global const double *ys, global const int *ns, global double *o) {
  uint g = get_global_id(0);
  double x = xs[g], y = ys[g];
  int n = ns[g];
  o[g] = ${call};
}
`;

async function computed(f: RealFunction, to: "glsl" | "hlsl"): Promise<readonly number[]> {
  const { code, diagnostics } = await translate(kernel(f), { from: "opencl", to });
  expect(diagnostics.filter((d) => d.severity === "error")).toEqual([]);
  const pairs = [...f.edges, ...f.operands];
  const count = Math.ceil(pairs.length / lanes) * lanes;
  const [xs, ys] = [new Float64Array(count).fill(1), new Float64Array(count).fill(1)];
  pairs.forEach(([x, y], i) => ([xs[i], ys[i]] = [x, y]));
  const args = { xs, ys, ns: Int32Array.from(ys), o: new Float64Array(count) };
  const ran = await simulate(code!, { from: to, workgroups: [count / lanes], args });
  expect(ran.findings, code).toEqual([]);
  return [...(ran.buffers["o"] as Float64Array)];
}

describe.each(["glsl", "hlsl"] as const)("to %s", (to) => {
  test.each(realFunctions.map((f) => [f.call, f] as const))("%s", async (call, f) => {
    const results = await computed(f, to);
    expect(f.edges.map(([x, y], i) => [x, y, results[i]])).toEqual(f.edges);
    const wrong = f.operands.flatMap(([x, y], i) => {
      const result = results[f.edges.length + i]!;
      const off = isOff(f, [x, y], result);
      return off <= f.ulp ? [] : [`${call} of ${x}, ${y} is ${result}, ${off} ulp off`];
    });
    expect(wrong).toEqual([]);
  });
});
