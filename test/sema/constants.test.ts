/**
 * The constants that OpenCL C's header (OpenCL C 3.0 6.15.2, 6.15.3) and MSL's library (MSL 3.1 6.4, 6.5) define have the values that
 * clang has for them, bit for bit, in their own language and in every translation. MSL's have the digits of OpenCL C's.
 */
import { spawnSync } from "node:child_process";
import { describe, expect } from "vitest";
import { simulate, translate, type TwoWayDialect } from "../../src/index.js";
import { findProgram, missingPrograms } from "../support/judges/judge.js";
import { toolTest } from "../support/tool-test.js";

type Kind = "int" | "long" | "half" | "float" | "double";
const formats = "DIG MANT_DIG RADIX MAX_EXP MIN_EXP MAX_10_EXP MIN_10_EXP".split(" ");
const of = (prefix: string, names: readonly string[]): string[] => names.map((n) => `${prefix}_${n}`);
const numbers = "E LOG2E LOG10E LN2 LN10 PI PI_2 PI_4 1_PI 2_PI 2_SQRTPI SQRT2 SQRT1_2".split(" ");
const shared: Readonly<Record<Exclude<Kind, "double">, readonly string[]>> = {
  int: [
    ..."INT_MAX INT_MIN UINT_MAX SHRT_MAX SHRT_MIN USHRT_MAX CHAR_BIT CHAR_MAX CHAR_MIN SCHAR_MAX SCHAR_MIN UCHAR_MAX".split(
      " ",
    ),
    ...of("FLT", formats),
    ...of("HALF", formats),
  ],
  long: "LONG_MAX LONG_MIN ULONG_MAX".split(" "),
  half: [...numbers.map((n) => `M_${n}_H`), ..."HALF_MAX HALF_MIN HALF_EPSILON".split(" ")],
  float: [...numbers.map((n) => `M_${n}_F`), ..."FLT_MAX FLT_MIN FLT_EPSILON MAXFLOAT HUGE_VALF INFINITY".split(" ")],
};
const constants: Readonly<Record<"opencl" | "msl", Readonly<Record<Kind, readonly string[]>>>> = {
  opencl: {
    ...shared,
    int: [...shared.int, "FP_ILOGB0", "FP_ILOGBNAN", ...of("DBL", formats)],
    double: [...numbers.map((n) => `M_${n}`), ..."DBL_MAX DBL_MIN DBL_EPSILON HUGE_VAL".split(" ")],
  },
  msl: { ...shared, half: [...shared.half, "MAXHALF", "HUGE_VALH"], double: [] },
};
/** What MSL alone names. */
const alone: Readonly<Record<string, string>> = { MAXHALF: "HALF_MAX", HUGE_VALH: "(half)INFINITY" };
const bytes: Readonly<Record<Kind, number>> = { int: 4, long: 8, half: 2, float: 4, double: 8 };

/** Their bits, by clang. */
function bitsOf(kind: Kind, names: readonly string[]): bigint[] {
  const as = { int: "uint", long: "ulong", half: "ushort", float: "uint", double: "ulong" }[kind];
  const input = `#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n${names.map((name, i) => `${as} f${i}(void) { ${kind} x = ${alone[name] ?? name}; return as_${as}(x); }\n`).join("")}`;
  const { stdout, stderr, status } = spawnSync(
    findProgram("clang-19")!,
    "-x cl -cl-std=CL3.0 --target=spir64 -Xclang -finclude-default-header -w -S -emit-llvm -O1 -o - -".split(" "),
    { input, encoding: "utf8" },
  );
  expect(status, stderr).toBe(0);
  return names.map((_, i) =>
    BigInt.asUintN(
      8 * bytes[kind],
      BigInt(new RegExp(`@f${i}\\([^}]*?ret i\\d+ (-?\\d+)`).exec(stdout)?.[1] ?? "not there"),
    ),
  );
}

const kernelOf = (from: "opencl" | "msl", kind: Kind, names: readonly string[]): string => {
  const body = names
    .map((name, i) => `  o[${i}] = ${kind === "int" ? `(int)${name}` : kind === "long" ? `(long)${name}` : name};\n`)
    .join("");
  return from === "opencl"
    ? `#pragma OPENCL EXTENSION cl_khr_fp16 : enable\nkernel void k(global ${kind} *o) {\n${body}}\n`
    : `#include <metal_stdlib>\nusing namespace metal;\nkernel void k(device ${kind} *o [[buffer(0)]]) {\n${body}}\n`;
};

async function ran(text: string, from: TwoWayDialect, kind: Kind, count: number): Promise<bigint[]> {
  const size = Math.ceil((count * bytes[kind]) / 4) * 4;
  const { buffers, diagnostics } = await simulate(text, {
    from,
    workgroups: [1],
    workgroupSize: [1],
    args: { o: new Uint8Array(size) },
  });
  expect(
    diagnostics.filter((d) => d.severity === "error"),
    text,
  ).toEqual([]);
  const data = buffers["o"] as Uint8Array;
  return Array.from({ length: count }, (_, i) =>
    Array.from({ length: bytes[kind] }, (_b, b) => BigInt(data[i * bytes[kind] + b]!) << BigInt(8 * b)).reduce(
      (x, y) => x | y,
    ),
  );
}

const kinds = Object.keys(bytes) as Kind[];

describe.each(["opencl", "msl"] as const)("constants of %s", (from) => {
  for (const kind of kinds) {
    const names = constants[from][kind];
    if (names.length === 0) continue;
    toolTest(missingPrograms(["clang-19"]), `of type ${kind} have clang's bits, in every translation`, async () => {
      const wanted = bitsOf(kind, names);
      const text = kernelOf(from, kind, names);
      const wrong = async (t: string, d: TwoWayDialect): Promise<string[]> => {
        const got = await ran(t, d, kind, names.length);
        return names.flatMap((name, i) => (got[i] === wanted[i] ? [] : [`${name} in ${d}: ${got[i]!.toString(16)}`]));
      };
      expect(await wrong(text, from)).toEqual([]);
      for (const to of (["opencl", "msl", "glsl", "hlsl"] as const).filter((d) => d !== from)) {
        if (kind === "double" && to === "msl") continue;
        const { code, diagnostics } = await translate(text, { from, to, workgroupSize: [1, 1, 1] });
        expect(code, diagnostics.map((d) => d.message).join("\n")).toBeDefined();
        expect(await wrong(code!, to), code).toEqual([]);
      }
    });
  }
});
