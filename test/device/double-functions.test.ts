/**
 * What lavapipe computes of the functions of double that GLSL gets written out, against exact arithmetic: drivers must not fuse or
 * reorder what is `precise`. Subnormal numbers are left out, which a driver may flush.
 */
import { expect } from "vitest";
import { translate } from "../../src/index.js";
import { isOff, type Pair } from "../support/double-reals.js";
import { realFunctions } from "../support/real-functions.js";
import { deviceTest } from "./device-test.js";
import { runHere } from "./run-here.js";

const lanes = 32;
const operands = 96;
const subnormal = (x: number): boolean => x !== 0 && Math.abs(x) < 2 ** -1022;
const chosen = realFunctions.map((f) => {
  const edges = f.edges.filter((e) => !e.some(subnormal));
  const normal = f.operands.filter(([x]) => !subnormal(x));
  const some = normal.filter((_, i) => i % Math.ceil(normal.length / (operands - edges.length)) === 0);
  return { f, edges, pairs: [...edges.map(([x, y]): Pair => [x, y]), ...some] };
});
const count = chosen.length;
const source = `#pragma OPENCL EXTENSION cl_khr_fp64 : enable
kernel __attribute__((reqd_work_group_size(${lanes}, 1, 1))) void k(global const double *xs, global const double *ys, global const int *ns, global double *o) {
  for (uint f = 0; f < ${count}; f++) {
    uint g = f * ${operands} + get_global_id(0);
    double x = xs[g], y = ys[g];
    int n = ns[g];
    double r = 0;
    switch (f) {
${chosen.map(({ f }, i) => `    case ${i}: r = ${f.call}; break;\n`).join("")}    }
    o[g] = r;
  }
}
`;

await deviceTest("vulkan", "functions of double in GLSL", async () => {
  const { code, diagnostics } = await translate(source, { from: "opencl", to: "glsl" });
  expect(diagnostics.filter((d) => d.severity === "error")).toEqual([]);
  const [xs, ys] = [new Float64Array(count * operands).fill(1), new Float64Array(count * operands).fill(1)];
  chosen.forEach(({ pairs }, i) =>
    pairs.forEach(([x, y], j) => ([xs[i * operands + j], ys[i * operands + j]] = [x, y])),
  );
  const ran = await runHere(code!, {
    from: "glsl",
    device: "vulkan",
    workgroups: [operands / lanes],
    workgroupSize: [lanes],
    args: { xs, ys, ns: Int32Array.from(ys), o: new Float64Array(count * operands) },
  });
  expect(ran.diagnostics.filter((d) => d.severity === "error").map((d) => d.message)).toEqual([]);
  const o = ran.buffers["o"] as Float64Array;
  const wrong = chosen.flatMap(({ f, edges, pairs }, i) =>
    pairs.flatMap(([x, y], j) => {
      const result = o[i * operands + j]!;
      const want = edges[j]?.[2];
      // Which zero comes is not asked of Vulkan.
      const right =
        want === undefined
          ? isOff(f, [x, y], result) <= f.ulp
          : result === want || (result !== result && want !== want);
      return right ? [] : [`${f.call} of ${x}, ${y} is ${result}${want === undefined ? "" : `, not ${want}`}`];
    }),
  );
  expect(wrong).toEqual([]);
});
