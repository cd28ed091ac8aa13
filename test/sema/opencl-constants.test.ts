/** The constants that OpenCL C's header defines (OpenCL C 3.0 section 6.15.2) have the values that clang has for them. */
import { spawnSync } from "node:child_process";
import { expect } from "vitest";
import { simulate } from "../../src/index.js";
import { findProgram, missingPrograms } from "../support/judges/judge.js";
import { toolTest } from "../support/tool-test.js";

const limits = "DIG MANT_DIG RADIX MAX_EXP MIN_EXP MAX_10_EXP MIN_10_EXP".split(" ");
const integers = [
  ..."INT_MAX INT_MIN SHRT_MAX SHRT_MIN USHRT_MAX CHAR_BIT CHAR_MAX CHAR_MIN SCHAR_MAX SCHAR_MIN UCHAR_MAX FP_ILOGB0 FP_ILOGBNAN".split(
    " ",
  ),
  ...["FLT", "DBL"].flatMap((t) => limits.map((l) => `${t}_${l}`)),
];
const names = "E LOG2E LOG10E LN2 LN10 PI PI_2 PI_4 1_PI 2_PI 2_SQRTPI SQRT2 SQRT1_2".split(" ");
const floats = [
  ...names.map((n) => `M_${n}_F`),
  ..."FLT_MAX FLT_MIN FLT_EPSILON MAXFLOAT HUGE_VALF INFINITY".split(" "),
];
const doubles = [...names.map((n) => `M_${n}`), ..."DBL_MAX DBL_MIN DBL_EPSILON HUGE_VAL".split(" ")];
const all = [...integers, ...floats, ...doubles];

toolTest(missingPrograms(["clang-19"]), "constants have clang's values", async () => {
  const input = all.map((name, i) => `constant double v${i} = ${name};\n`).join("");
  const { stdout, stderr, status } = spawnSync(
    findProgram("clang-19")!,
    "-x cl -cl-std=CL3.0 --target=spir64 -Xclang -finclude-default-header -w -S -emit-llvm -O0 -o - -".split(" "),
    { input, encoding: "utf8" },
  );
  expect(status, stderr).toBe(0);
  const view = new DataView(new ArrayBuffer(8));
  const wanted = all.map((_, i) => {
    const value = new RegExp(`^@v${i} = .*constant double ([^,\\n]+)`, "m").exec(stdout)![1]!;
    if (!value.startsWith("0x")) return Number(value);
    view.setBigUint64(0, BigInt(value));
    return view.getFloat64(0);
  });
  const { buffers, diagnostics } = await simulate(
    `kernel void k(global double *o) {\n${all.map((name, i) => `  o[${i}] = ${name};\n`).join("")}}\n`,
    { from: "opencl", workgroups: [1], workgroupSize: [1], args: { o: new Float64Array(all.length) } },
  );
  expect(diagnostics.filter((d) => d.severity === "error")).toEqual([]);
  const got = buffers["o"] as Float64Array;
  expect(
    all.filter((_, i) => !Object.is(got[i], wanted[i])).map((name) => `${name}: ${got[all.indexOf(name)]}`),
  ).toEqual([]);
});
