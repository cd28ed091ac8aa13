/**
 * Float literals and constant expressions, against what clang (OpenCL C, C++ for MSL) and glslang make of them; and against
 * what they make of translations to GLSL, whose compiler computes with constants in double.
 */
import { spawnSync } from "node:child_process";
import { translate } from "../../src/index.js";
import { random } from "../mutants/mutate.js";
import { findProgram, missingPrograms } from "../support/judges/judge.js";
import { byGlslang, simulated } from "./stored-constants.js";
import type { FuzzFailure, FuzzOutcome, FuzzSuite } from "./suite.js";

type Dialect = "opencl" | "msl" | "glsl";
const perKernel = 24;

const view = new DataView(new ArrayBuffer(8));
const bitsOf = (x: number): number => {
  view.setFloat32(0, x);
  return view.getUint32(0);
};
const ofBits = (b: number): number => {
  view.setUint32(0, b);
  return view.getFloat32(0);
};

/** A finite double with all its decimal digits. */
function decimal(x: number): string {
  view.setFloat64(0, x);
  const bits = view.getBigUint64(0);
  const field = Number((bits >> 52n) & 0x7ffn);
  const digits = (bits & ((1n << 52n) - 1n)) | (field === 0 ? 0n : 1n << 52n);
  const exponent = Math.max(field, 1) - 1075;
  if (exponent >= 0) return `${String(digits << BigInt(exponent))}.0`;
  const text = String(digits * 5n ** BigInt(-exponent)).padStart(1 - exponent, "0");
  return `${text.slice(0, exponent)}.${text.slice(exponent)}`;
}

function literal(next: () => number, dialect: Dialect): string {
  const pick = <T>(list: readonly T[]): T => list[Math.floor(next() * list.length)]!;
  // No infinities, and subnormal numbers often.
  const field = next() < 0.6 ? 100 + Math.floor(next() * 54) : Math.floor(next() * 254);
  const b = ((field << 23) | Math.floor(next() * 2 ** 23)) >>> 0;
  const x = ofBits(b);
  const between = x / 2 + ofBits(b + 1) / 2;
  const suffix =
    dialect === "glsl" ? pick(["", "f", "F", ""]) : dialect === "msl" ? pick(["f", "F"]) : pick(["f", "F", "f", ""]);
  switch (Math.floor(next() * (dialect === "opencl" ? 8 : 7))) {
    case 0:
      return `${decimal(between)}${suffix}`;
    // Beside the middle, by less than a double shows.
    case 1:
      return `${decimal(between)}${pick(["1", "00000001", "000000000000000000000000001"])}${suffix}`;
    case 2: {
      const text = decimal(between);
      const last = text.search(/[1-9](?=[^1-9]*$)/);
      return `${text.slice(0, last)}${String(Number(text[last]) - 1)}${text.slice(last + 1).replace(/0/g, "9")}9999${suffix}`.replace(
        /^([0-9]+)(9999)/,
        "$1.0$2",
      );
    }
    case 3:
      return `${x.toExponential(Math.floor(next() * 20))}${suffix}`;
    case 4:
      return `${String(Math.floor(next() * 2 ** (next() * 50)))}.${pick(["", "0", "5"])}${suffix}`;
    case 5:
      return `.${String(Math.floor(next() * 1e9))}e${pick(["+", "-", ""])}${String(Math.floor(next() * 30))}${suffix}`;
    case 6:
      return `${String(1 + Math.floor(next() * 9))}E${pick(["+", "-"])}${String(Math.floor(next() * 37))}${suffix}`;
    default:
      return `0x${pick(["1", "0", "a", "ff"])}.${Math.floor(next() * 2 ** 31).toString(16)}p${String(Math.floor(next() * 180 - 130))}${suffix}`;
  }
}

function expression(next: () => number, dialect: Dialect): string {
  const one = (): string => literal(next, dialect);
  if (next() < (dialect === "glsl" ? 0.4 : 0.6)) return one();
  if (dialect === "glsl") return glslOperators(next);
  const float = (e: string): string => (dialect === "opencl" ? `(float)(${e})` : `float(${e})`);
  const small = (): string =>
    `${(next() * 100).toFixed(Math.floor(next() * 6))}${dialect === "msl" || next() < 0.8 ? "f" : ""}`.replace(
      /^(\d+)(f?)$/,
      "$1.0$2",
    );
  const operator = ["+", "-", "*", "/"][Math.floor(next() * 4)]!;
  switch (Math.floor(next() * 4)) {
    case 0:
      return `${small()} ${operator} ${small()}`;
    case 1:
      return float(`(int)(${small()} * ${small()})`);
    case 2:
      return `${small()} * ${small()} ${operator} ${small()}`;
    default:
      return float(`(uint)(${small()} ${operator === "-" ? "+" : operator} 1.5f) + 16777217u`);
  }
}

const halfExtensions = `#extension GL_EXT_shader_explicit_arithmetic_types_float16 : require
#extension GL_EXT_shader_16bit_storage : require
`;

/** Digits in the range of halves, subnormal ones among them: few, many, and those halfway between two. */
function halfLiteral(next: () => number, dialect: Dialect): string {
  const exponent = Math.floor(next() * 39) - 24;
  const x = (1 + Math.floor(next() * 1024) / 1024) * 2 ** exponent;
  const at = [x, x * (1 + 2 ** -11), x * (1 + next() * 2 ** -10)][Math.floor(next() * 3)]!;
  const text = next() < 0.5 ? at.toPrecision(1 + Math.floor(next() * 8)) : decimal(at);
  return `${/[.e]/.test(text) ? text : `${text}.0`}${dialect === "glsl" ? "hf" : "h"}`;
}

/** What glslang computes in double, where it shows. */
function glslOperators(next: () => number): string {
  const small = (): string =>
    `${(next() * 100).toFixed(Math.floor(next() * 6))}${next() < 0.8 ? "" : "f"}`.replace(/^(\d+)(f?)$/, "$1.0$2");
  const operator = (): string => ["+", "-", "*", "/"][Math.floor(next() * 4)]!;
  const sum = (): string => `(${small()} ${operator()} ${small()} ${operator()} ${small()})`;
  switch (Math.floor(next() * 6)) {
    case 0:
      return sum();
    case 1:
      return `float(int(${small()} * ${small()}))`;
    case 2:
      return `(${sum()} == ${sum()} ? 1.0 : 2.0)`;
    case 3:
      return `(16777216.0 + ${small()} > 16777216.0 ? ${sum()} : ${small()})`;
    case 4:
      return `-(${(1 + next() * 2).toFixed(3)}e38 * 10.0 * 0.${String(Math.floor(next() * 99))}1)`;
    default:
      return `float(uint(${small()} * 10.0) + 16777217u) ${operator()} ${small()}`;
  }
}

interface Case {
  readonly dialect: Dialect;
  readonly half: boolean;
  readonly expressions: readonly string[];
  readonly text: string;
}

function caseOf(seed: number): Case {
  const next = random(seed);
  const dialect = (["opencl", "msl", "glsl"] as const)[Math.floor(next() * 3)]!;
  const half = dialect !== "msl" && next() < 0.4;
  const expressions = Array.from({ length: perKernel }, () =>
    half ? halfLiteral(next, dialect) : expression(next, dialect),
  );
  const body = expressions.map((e, i) => `  o[${String(i)}] = ${e};\n`).join("");
  const text = {
    opencl: `${half ? "#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n" : ""}kernel void k(global ${half ? "half" : "float"} *o) {\n${body}}\n`,
    msl: `#include <metal_stdlib>\nusing namespace metal;\nkernel void k(device float *o [[buffer(0)]]) {\n${body}}\n`,
    glsl: `#version 450\n${half ? halfExtensions : ""}layout(local_size_x = 1) in;\nlayout(std430, binding = 0) buffer O { ${half ? "float16_t" : "float"} o[]; };\nvoid main() {\n${body}}\n`,
  }[dialect];
  return { dialect, half, expressions, text };
}

/** The bits of the values of the expressions, by clang's constant folding. */
function byClang(c: Case): readonly number[] {
  const constants = c.expressions.map(
    (e, i) =>
      `${c.dialect === "opencl" ? "constant" : "extern const"} ${c.half ? "half" : "float"} v${String(i)} = ${e};\n`,
  );
  const options =
    c.dialect === "opencl"
      ? [
          "-x",
          "cl",
          "-cl-std=CL3.0",
          "--target=spir64",
          "-Xclang",
          "-finclude-default-header",
          "-Xclang",
          "-cl-ext=+all",
        ]
      : ["-x", "c++", "-std=c++14"];
  const input = `${c.half ? "#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n" : ""}${c.dialect === "msl" ? "typedef unsigned uint;\n" : ""}${constants.join("")}`;
  const { stdout, stderr, status } = spawnSync(
    findProgram("clang-19")!,
    [...options, "-w", "-S", "-emit-llvm", "-O0", "-o", "-", "-"],
    { input, encoding: "utf8" },
  );
  if (status !== 0) throw new Error(stderr);
  return c.expressions.map((_, i) => {
    const value = new RegExp(`^@v${String(i)} = .*constant (?:float|half) ([^,\\n]+)`, "m").exec(stdout)?.[1];
    if (value === undefined) throw new Error(`clang has no v${String(i)}:\n${stdout}`);
    if (value.startsWith("0xH")) return Number.parseInt(value.slice(3), 16);
    if (!value.startsWith("0x")) return bitsOf(Number(value));
    view.setBigUint64(0, BigInt(value));
    return bitsOf(view.getFloat64(0));
  });
}

async function tryOne(seed: number): Promise<FuzzFailure[]> {
  const c = caseOf(seed);
  const failures: FuzzFailure[] = [];
  const want = c.dialect === "glsl" ? byGlslang(c.text, perKernel) : byClang(c);
  const shown = (b: number): string => (c.half ? `0x${b.toString(16)}` : String(ofBits(b)));
  const check = (where: string, text: string, got: readonly (number | undefined)[] | string): void => {
    if (typeof got === "string") return void failures.push({ seed, what: `${where}: ${got}`, text });
    const isNaNBits = (b: number): boolean => !c.half && (b & 0x7fffffff) > 0x7f800000;
    const n = want.findIndex(
      (b, i) => b !== undefined && got[i] !== undefined && b !== got[i] && !(isNaNBits(b) && isNaNBits(got[i])),
    );
    if (n >= 0)
      failures.push({
        seed,
        what: `${where}: ${c.expressions[n]!} is ${shown(got[n]!)}, not ${shown(want[n]!)}`,
        text,
      });
  };
  check(`${c.dialect} in the simulator`, c.text, await simulated(c.text, c.dialect, perKernel, c.half));
  for (const to of (["opencl", "msl", "glsl", "hlsl"] as const).filter((d) => d !== c.dialect)) {
    const { code, diagnostics } = await translate(c.text, { from: c.dialect, to, workgroupSize: [1, 1, 1] });
    // There are no doubles, which a number without a suffix is.
    if (code === undefined && to === "msl" && diagnostics.some((d) => /double/.test(d.message))) continue;
    if (code === undefined) {
      failures.push({ seed, what: `no ${to}: ${diagnostics[0]?.message ?? ""}`, text: c.text });
      continue;
    }
    check(`${c.dialect} to ${to} in the simulator`, code, await simulated(code, to, perKernel, c.half));
    if (to === "glsl") check(`${c.dialect} to glsl by glslang`, code, byGlslang(code, perKernel));
  }
  return failures;
}

export const literals: FuzzSuite = {
  name: "literals",
  about: "float literals and constant expressions, against the folding of clang and glslang",
  sample: { seed: 1, cases: 12 },
  missing: () => missingPrograms(["clang-19", "glslangValidator"]),
  async run(seed, cases): Promise<FuzzOutcome> {
    const failures: FuzzFailure[] = [];
    for (let s = seed; s < seed + cases; s++)
      failures.push(...(await tryOne(s).catch((e: unknown) => [{ seed: s, what: String(e), text: caseOf(s).text }])));
    return { cases, failures };
  },
};
