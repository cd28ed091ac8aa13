/**
 * Calls with doubles in GLSL and HLSL, of every function and every shape of operands: what the compiler takes is read, or refused
 * by name, and nothing else is read.
 */
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { translate } from "../../src/index.js";
import { findProgram } from "../support/judges/judge.js";
import { judgeable, judgeOutputs, judges } from "../support/judges/outputs.js";
import type { FuzzFailure, FuzzOutcome, FuzzSuite } from "./suite.js";

/** Operands x, y and z are of the size, s is of one component, n is of integers and b of truth values. */
const forms = "F(x) F(x,y) F(x,y,z) F(x,s) F(s,x) F(x,s,s) F(s,s,x) F(x,y,s) F(x,y,b) F(x,n)".split(" ");
type From = "glsl" | "hlsl";
// GLSL 4.60 sections 8.1 to 8.7; DXC's gen_intrin_main.txt, of those that take floats.
const names: Readonly<Record<From, string>> = {
  glsl: `radians degrees sin cos tan asin acos atan sinh cosh tanh asinh acosh atanh pow exp log exp2 log2 sqrt inversesqrt abs
    sign floor trunc round roundEven ceil fract mod modf min max clamp mix step smoothstep isnan isinf fma frexp ldexp length
    distance dot cross normalize faceforward reflect refract lessThan lessThanEqual greaterThan greaterThanEqual equal notEqual
    packDouble2x32 floatBitsToInt any all`,
  hlsl: `abs acos all any asin atan atan2 ceil clamp cos cosh cross degrees distance dot exp exp2 faceforward floor fma fmod
    frac isfinite isinf isnan ldexp length lerp log log10 log2 mad max min normalize pow radians rcp reflect refract round rsqrt
    saturate sign sin sinh smoothstep sqrt step tan tanh trunc`,
};

const shaped = (many: string, one: string, n: number): string => (n === 1 ? one : `${many}${n}`);
function textOf(from: From, n: number, call: string): string {
  if (from === "hlsl")
    return `RWStructuredBuffer<double> a : register(u0);
[numthreads(1, 1, 1)]
void main() {
  ${shaped("double", "double", n)} x = a[0], y = x, z = x;
  double s = a[3];
  ${shaped("int", "int", n)} n = 3;
  ${shaped("bool", "bool", n)} b = a[4] > 0.0;
  ${call};
}
`;
  const [d, i, b] = [shaped("dvec", "double", n), shaped("ivec", "int", n), shaped("bvec", "bool", n)];
  return `#version 460
layout(local_size_x = 1) in;
layout(std430, binding = 0) buffer O { double a[]; };
void main() {
  ${d} x = ${d}(a[0]), y = x, z = x;
  double s = a[3];
  ${i} n = ${i}(3);
  ${b} b = ${b}(a[4] > 0.0);
  ${call};
}
`;
}

interface Case {
  readonly from: From;
  readonly call: string;
  readonly text: string;
}

const all = (["glsl", "hlsl"] as const).flatMap((from) =>
  names[from].split(/\s+/).flatMap((name) =>
    forms.flatMap((form) =>
      [1, 2, 3, 4].map((n): Case => {
        const call = form.replace("F", name);
        return { from, call: `${call} of ${n}`, text: textOf(from, n, call) };
      }),
    ),
  ),
);
/** What results come out as another type is converted (\`frexp\`); DXC takes no vector for the ratio of a refraction of doubles. */
const known = /^(frexp\((x,y|x,s|s,x)\)|refract\((x,y,z|s,s,x|x,y,b)\))/;

/** Many files in one run. */
function byGlslang(texts: readonly string[]): boolean[] {
  if (texts.length === 0) return [];
  const folder = mkdtempSync(join(tmpdir(), "double-forms-"));
  try {
    const files = texts.map((text, i) => {
      const file = join(folder, `${i}.comp`);
      writeFileSync(file, text);
      return file;
    });
    const { stdout } = spawnSync(
      findProgram("glslangValidator")!,
      ["--target-env", "vulkan1.3", "-S", "comp", ...files],
      {
        encoding: "utf8",
        maxBuffer: 1 << 28,
      },
    );
    const refused = new Set([...stdout.matchAll(/ERROR: (\S+\.comp):/g)].map((m) => m[1]!));
    return files.map((file) => !refused.has(file));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

export const doubleForms: FuzzSuite = {
  name: "double-forms",
  about: "calls of every function with doubles in GLSL and HLSL, against what glslang and DXC take",
  sample: { seed: 1, cases: 240 },
  missing: () => [...judges.glsl.missing(), ...judges.hlsl.missing()],
  async run(seed, cases): Promise<FuzzOutcome> {
    const failures: FuzzFailure[] = [];
    // Apart by a prime, so that a few are of every function.
    const seeds = Array.from({ length: Math.min(cases, all.length) }, (_, i) => seed + i);
    const chosen = seeds.map((s) => all[(s * 1009) % all.length]!);
    const glsl = chosen.filter((c) => c.from === "glsl");
    const hlsl = chosen.filter((c) => c.from === "hlsl");
    const byDxc = await judgeOutputs(hlsl.map((c) => judgeable("hlsl", c.call, c.text)));
    const taken = new Map<Case, boolean>(hlsl.map((c, i) => [c, byDxc[i]!.ok]));
    byGlslang(glsl.map((c) => c.text)).forEach((ok, i) => taken.set(glsl[i]!, ok));
    for (const [i, c] of chosen.entries()) {
      if (known.test(c.call)) continue;
      const { diagnostics } = await translate(c.text, { from: c.from, to: "ts" });
      const said = diagnostics.filter((d) => d.severity === "error");
      const named = said.every(
        (d) => d.code === "XL1900" || d.code === "XL3001" || d.message.endsWith("is not supported yet"),
      );
      if (taken.get(c) ? !named : said.length === 0)
        failures.push({
          seed: seeds[i]!,
          what: `${c.from} ${c.call}: ${taken.get(c) ? said[0]!.message : "refused by the compiler"}`,
          text: c.text,
        });
    }
    return { cases: chosen.length, failures };
  },
};
