/**
 * Texts that were never meant to compile: cut off, shuffled, nested, repeated, with odd bytes, macro bombs and mutated fixtures. Whatever
 * comes in, the answer is a diagnostic with a place or an output, and never an exception, an internal error or endless work.
 */
import { readFileSync, readdirSync, existsSync } from "node:fs";
import { join } from "node:path";
import { compile } from "../../src/api/compile.js";
import { simulate } from "../../src/api/simulate.js";
import { translateTo } from "../../src/api/translate.js";
import { twoWayDialects, type TwoWayDialect } from "../../src/dialects/ids.js";
import { languageFacts } from "../../src/dialects/languages.js";
import type { Diagnostic } from "../../src/support/diagnostics.js";
import { fixturesFolder } from "../support/expectations.js";
import type { FuzzFailure, FuzzOutcome, FuzzSuite } from "./suite.js";

/** A generator of numbers from a seed (mulberry32). */
class Dice {
  private state: number;

  constructor(seed: number) {
    this.state = Math.imul(seed, 0x9e3779b1) >>> 0;
  }

  below(n: number): number {
    this.state = (this.state + 0x6d2b79f5) >>> 0;
    let t = this.state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return Math.floor((((t ^ (t >>> 14)) >>> 0) / 2 ** 32) * n);
  }

  of<T>(list: readonly T[]): T {
    return list[this.below(list.length)]!;
  }

  times<T>(n: number, make: (i: number) => T): T[] {
    return Array.from({ length: n }, (_, i) => make(i));
  }
}

interface Case {
  readonly from: TwoWayDialect;
  readonly text: string;
  readonly include?: Readonly<Record<string, string>>;
}

const kernels: { readonly from: TwoWayDialect; readonly text: string }[] = [];
function fixtures(): typeof kernels {
  if (kernels.length === 0) {
    for (const name of readdirSync(fixturesFolder).sort()) {
      for (const from of twoWayDialects) {
        const file = join(fixturesFolder, name, `kernel.${languageFacts[from].extension}`);
        if (existsSync(file)) kernels.push({ from, text: readFileSync(file, "utf8") });
      }
    }
  }
  return kernels;
}

const around: Readonly<Record<TwoWayDialect, (body: string, before?: string) => string>> = {
  msl: (body, before = "") =>
    `#include <metal_stdlib>\nusing namespace metal;\n${before}\nkernel void k(device uint *x [[buffer(0)]], uint i [[thread_position_in_grid]]) {\n${body}\n}\n`,
  glsl: (body, before = "") =>
    `#version 450\nlayout(local_size_x = 4) in;\nlayout(set = 0, binding = 0) buffer X { uint x[]; };\n${before}\nvoid main() {\nuint i = gl_GlobalInvocationID.x;\n${body}\n}\n`,
  opencl: (body, before = "") =>
    `${before}\n__kernel void k(__global uint *x) {\nuint i = get_global_id(0);\n${body}\n}\n`,
  hlsl: (body, before = "") =>
    `RWStructuredBuffer<uint> x : register(u0);\n${before}\n[numthreads(4, 1, 1)]\nvoid k(uint3 gid : SV_DispatchThreadID) {\nuint i = gid.x;\n${body}\n}\n`,
};

const tokens =
  `( ) { } [ ] [[ ]] < > << >> , ; : :: ? . ... -> & && | || ^ ~ ! = == += ++ -- + - * / % # ## @ $ \` \\ " ' 0 1 1.0f 1e9999 0x 0x1p 0b2 1' 09 'a' '' "s
  if else for while do switch case default break continue return goto struct union enum typedef using namespace template typename operator class const volatile static
  inline void int uint float double half bool char long unsigned auto kernel device threadgroup constant thread __kernel __global __local __private uniform buffer shared
  layout in out inout groupshared cbuffer RWStructuredBuffer<uint> numthreads SV_DispatchThreadID register(u0) float4 uint4x4 vec4 mat4 x i k f S s a.b sizeof __attribute__
  /* */ // #if #endif #else #define #include #line #undef defined __LINE__ _Pragma __VA_ARGS__ true false NULL this sampler barrier() subgroupAdd simd_sum WaveActiveSum`
    .trim()
    .split(/\s+/);

/** Characters of every kind a file may hold: controls, surrogates, breaks of lines, marks of order, of other writing. */
const odd = [
  "\0",
  "\r",
  "\r\n",
  "\f",
  "\v",
  "\u0085",
  "\u2028",
  "\u2029",
  "\ufeff",
  "\ufffe",
  "\u200b",
  "\u202e",
  "\ud800",
  "\udfff",
  "\u{1f600}",
  "é",
  "你",
  "\u00a0",
  "\u001b[31m",
  "\x7f",
  "\\\n",
  "\\\r\n",
  "??/",
  "\t",
];

/** Pairs that open and close something, in statements and expressions. */
const nests: readonly (readonly [string, string, string])[] = [
  ["(", "1", ")"],
  ["x[", "0", "]"],
  ["{", ";", "}"],
  ["if (i > 0) {", "x[i]++;", "}"],
  ["for (;;) {", "break;", "break; }"],
  ["while (i < 3) {", "i++;", "i++; }"],
  ["do {", ";", "} while (false);"],
  ["switch (i) { case 1:", "x[i] = 1;", "break; default: break; }"],
  ["if (i == 0) x[i] = 1; else ", ";", ""],
  ["i > 0 ? 1 : ", "0", ""],
  ["-", "i", ""],
  ["!", "i", ""],
  ["(uint)", "i", ""],
  ["max(1u, ", "i", ")"],
  ["x[i] = ", "i", ""],
  ["{{", "1", "}}"],
  ["i++, ", "i", ""],
  ["~(", "i", ")"],
  ["a.", "b", ""],
  ["*", "x", ""],
  ["&", "x", ""],
  ["struct { ", "int a;", " } s;"],
  ["template <", "int N", ">"],
  ["vector<", "uint, 2", ">"],
  ["[[", "x", "]]"],
  ["[] { ", "", " }()"],
];

const shuffled = (d: Dice, text: string): string[] => text.match(/\w+|\s+|[^\w\s]/g) ?? [d.of(tokens)];

/** One of the ways in which a text goes wrong. */
const makers: readonly ((d: Dice, from: TwoWayDialect) => Omit<Case, "from"> & { readonly from?: TwoWayDialect })[] = [
  // A fixture that ends somewhere.
  (d) => {
    const { from, text } = d.of(fixtures());
    return { from, text: text.slice(0, d.below(text.length)) };
  },
  // Tokens of a fixture left out, repeated, exchanged, replaced.
  (d) => {
    const { from, text } = d.of(fixtures());
    const parts = shuffled(d, text);
    for (let n = 1 + d.below(6); n > 0; n--) {
      const at = d.below(parts.length);
      const kind = d.below(4);
      if (kind === 0) parts.splice(at, 1 + d.below(3));
      else if (kind === 1) parts.splice(at, 0, ...parts.slice(at, at + 1 + d.below(8)));
      else if (kind === 2) parts[at] = parts[d.below(parts.length)] ?? "";
      else parts[at] = ` ${d.of(tokens)} `;
    }
    return { from, text: parts.join("") };
  },
  // Odd characters in a fixture.
  (d) => {
    const { from, text } = d.of(fixtures());
    let out = text;
    for (let n = 1 + d.below(4); n > 0; n--) {
      const at = d.below(out.length);
      out = out.slice(0, at) + d.of(odd) + out.slice(at);
    }
    if (d.below(4) === 0) out = out.replaceAll("\n", d.of(["\r", "\r\n", "\n\r", "\u2028"]));
    return { from, text: out };
  },
  // Soup, alone and in a kernel.
  (d, from) => {
    const soup = d.times(1 + d.below(60), () => d.of(tokens)).join(d.of([" ", " ", "\n", ""]));
    return {
      text:
        d.below(2) === 0
          ? soup
          : around[from](soup, d.below(2) === 0 ? d.times(d.below(20), () => d.of(tokens)).join(" ") : ""),
    };
  },
  // A short sequence of tokens, again and again.
  (d, from) => {
    const unit = d.times(1 + d.below(4), () => d.of(tokens)).join(" ");
    const text = `${unit} `.repeat(1 + d.below(3000));
    return { text: d.below(2) === 0 ? text : around[from](text) };
  },
  // Nesting, closed, half closed, or not.
  (d, from) => {
    const chosen = d.times(1 + d.below(3), () => d.of(nests));
    const depth = d.of([3, 60, 200, 255, 256, 257, 300, 1000, 5000]);
    const layers = d.times(depth, (i) => chosen[i % chosen.length]!);
    const closed = layers.slice(0, d.of([depth, depth, depth - 1, depth >> 1, 0])).reverse();
    return {
      text: around[from](`${layers.map((l) => l[0]).join(" ")} ${chosen[0]![1]} ${closed.map((l) => l[2]).join(" ")};`),
    };
  },
  // Macros that grow, call themselves, paste and break off.
  (d, from) => {
    const n = 1 + d.below(60);
    const body = (i: number): string =>
      d
        .times(1 + d.below(4), () =>
          d.of([
            `M${String(i)}`,
            `M${String(d.below(n))}`,
            "F(1)",
            "F(F",
            ")",
            "##",
            "#",
            "a",
            "x[i]",
            `M${String(i)}(`,
            "__VA_ARGS__",
            ",",
          ]),
        )
        .join(" ");
    const lines = d.times(
      n,
      (i) => `#define M${String(i + 1)}${d.of(["", "", "(a)", "(a, ...)", "(", "(a, a)"])} ${body(i)}`,
    );
    return {
      text: around[from](
        `x[i] = M${String(n)};\nM${String(d.below(n))}(1)`,
        `#define F(a) a a\n#define M0 1\n${lines.join("\n")}`,
      ),
    };
  },
  // Conditions and lines of the preprocessor that do not match.
  (d, from) => {
    const directive = (): string =>
      d.of([
        "#if 1",
        "#if 0",
        "#if (",
        "#if 1/0",
        "#if 1 +",
        "#if defined(",
        "#ifdef A",
        "#elif 1",
        "#else",
        "#endif",
        "#line 0",
        '#line 5 "a"',
        "#line 99999999999",
        "#line -1",
        '#include "a.h"',
        '#include "b.h"',
        "#include <",
        "#pragma once",
        "#undef A",
        "#define A",
        "#error no",
        "#version 450",
        "#extension all : enable",
        "#",
        "##",
        "#if 'a",
        "x[i] = 1;",
        "{",
        "}",
      ]);
    const lines = (): string => d.times(1 + d.below(30), directive).join("\n");
    return {
      text: around[from](lines(), lines()),
      include: { "a.h": `${lines()}\n#include "b.h"\n`, "b.h": `${lines()}\n#include "a.h"\n` },
    };
  },
  // Tokens, names, numbers and lines without end.
  (d, from) => {
    const n = d.of([100, 5000, 70_000]);
    const giant = d.of([
      "a".repeat(n),
      "1".repeat(n),
      `0x${"f".repeat(n)}`,
      `1.${"0".repeat(n)}1`,
      `1e${"9".repeat(n)}`,
      `"${"s".repeat(n)}"`,
      `'${"c".repeat(n)}'`,
      "+".repeat(n),
      `/*${"*".repeat(n)}`,
      `//${"\\\n".repeat(n >> 4)}`,
      `x[${"9".repeat(n)}]`,
    ]);
    return { text: around[from](`x[i] = ${giant};`) };
  },
  // Declarations that ask for too much.
  (d, from) => {
    const size = d.of([
      "0",
      "-1",
      "1000000000",
      "4294967296",
      "99999999999999999999",
      "1.5",
      "n",
      "1 << 40",
      "1/0",
      "sizeof(x)",
      "",
    ]);
    const inside = d.of([
      `uint a[${size}]; a[0] = i; x[i] = a[0];`,
      `uint a[${size}][${size}]; x[i] = 1;`,
      `uint a[${size}] = {1, 2};`,
      `x[i] = x[${size}];`,
      `for (uint a = 0; a < ${size || "1"}; a++) x[i] += a;`,
      `switch (i) { case ${size || "1"}: case ${size || "2"}: x[i] = 1; }`,
    ]);
    return {
      text: around[from](
        inside,
        d.of([
          "",
          `struct S { uint a[${size || "4"}]; };`,
          `const int n = ${size || "3"};`,
          "uint f(uint a);",
          "struct S { struct S s; };",
          "enum E { A = 1, B = A << 40, C };",
        ]),
      ),
    };
  },
];

function caseOf(seed: number): Case {
  const d = new Dice(seed);
  const from = d.of(twoWayDialects);
  return { from, ...d.of(makers)(d, from) };
}

/** What is wrong with an answer, if anything. */
function wrongAnswer(diagnostics: readonly Diagnostic[], hasResult: boolean, placed: boolean): string | undefined {
  const errors = diagnostics.filter((x) => x.severity === "error");
  const internal = errors.find((x) => x.code.startsWith("XL9"));
  if (internal) return `internal error ${internal.code}: ${internal.message}`;
  if (errors.length === 0 && !hasResult) return "refused without a diagnostic";
  if (placed && errors.length > 0 && !errors.some((x) => x.location))
    return `${errors[0]!.code} has no place: ${errors[0]!.message}`;
  if (errors.length > 100) return `${String(errors.length)} errors`;
  return errors.find((x) => x.message === "")?.code;
}

async function decide({ from, text, include }: Case, seed: number): Promise<string | undefined> {
  const compilation = await compile(text, { from, ...(include ? { include } : {}) });
  const { module } = compilation;
  const reading = wrongAnswer(compilation.diagnostics, module !== undefined, true);
  if (reading !== undefined || !module) return reading;
  const to = twoWayDialects[seed % twoWayDialects.length]!;
  const entry = module.entries[0]?.name;
  const options = { workgroupSize: [4, 1, 1] as const, ...(entry === undefined ? {} : { entry }) };
  const translation = await translateTo(compilation, to, options);
  const translating = wrongAnswer(translation.diagnostics, translation.output !== undefined, entry !== undefined);
  if (translating !== undefined) return `to ${to}: ${translating}`;
  if (entry === undefined || module.entries.length !== 1) return undefined;
  const args = Object.fromEntries(
    module.resources.filter((r) => r.kind === "buffer").map((r) => [r.path, new ArrayBuffer(1024)]),
  );
  const run = await simulate(text, {
    from,
    ...(include ? { include } : {}),
    workgroups: [1],
    workgroupSize: [4, 1, 1],
    subgroupSize: 4,
    args,
    maxSteps: 20_000,
  });
  const simulating = wrongAnswer(run.diagnostics, Object.keys(run.buffers ?? {}).length >= 0, false);
  return simulating === undefined ? undefined : `simulated: ${simulating}`;
}

export const hostile: FuzzSuite = {
  name: "hostile",
  about:
    "texts that were never meant to compile are answered with a placed diagnostic, never an internal error or endless work",
  sample: { seed: 1, cases: 250 },
  missing: () => [],
  async run(seed, cases): Promise<FuzzOutcome> {
    const failures: FuzzFailure[] = [];
    for (let s = seed; s < seed + cases; s++) {
      const it = caseOf(s);
      let what: string | undefined;
      try {
        what = await decide(it, s);
      } catch (error) {
        what = `thrown: ${error instanceof Error ? (error.stack ?? error.message).split("\n").slice(0, 4).join(" | ") : String(error)}`;
      }
      if (what !== undefined) failures.push({ seed: s, what: `${it.from}: ${what}`, text: it.text.slice(0, 2000) });
    }
    return { cases, failures };
  },
};
