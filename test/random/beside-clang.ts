/** Kernels of MSL in C++ beside clang's program: what it takes, and computes, and what it refuses. */
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "vitest";
import { check, simulate } from "../../src/index.js";

export interface ClangSet {
  /** Declarations, one a line. */
  readonly before: readonly string[];
  /** Each by itself: statements, and an int that is asked for behind them. */
  readonly cases: readonly { readonly statements: string; readonly result: string }[];
}

export interface ClangSets {
  /** Declared before all sets. */
  readonly types: string;
  /** Statements that declare what all cases name. */
  readonly variables: string;
  readonly sets: readonly ClangSet[];
}

const hostWords = `#include <cstdio>
#define thread
#define constant
typedef unsigned int uint; typedef unsigned short ushort; typedef unsigned char uchar; typedef unsigned long ulong;
`;

/** A program that prints number of set, number of case and result of all cases but some; and on which of its lines cases are. */
function program(
  { types, variables, sets }: ClangSets,
  skip: ReadonlySet<string>,
): { readonly text: string; readonly cases: ReadonlyMap<number, string> } {
  const lines = `${hostWords}${types}`.split("\n");
  const cases = new Map<number, string>();
  for (const [n, set] of sets.entries()) {
    lines.push(`namespace n${n} {`, ...set.before, "void run() {", ...variables.split("\n"));
    for (const [k, { statements, result }] of set.cases.entries()) {
      const id = `${n} ${k}`;
      if (skip.has(id)) continue;
      lines.push(`{ ${statements} printf("${id} %d\\n", ${result}); }`);
      cases.set(lines.length, id);
    }
    lines.push("} }");
  }
  return { text: [...lines, `int main() { ${sets.map((_, n) => `n${n}::run();`).join(" ")} }`].join("\n"), cases };
}

/** What clang's program computes of the cases that clang takes, by numbers of set and case. */
export function meantByClang(all: ClangSets): ReadonlyMap<string, number> {
  const folder = mkdtempSync(join(tmpdir(), "crosslane-clang-"));
  const [file, built] = [join(folder, "cases.cpp"), join(folder, "cases")];
  // Narrowing is an error of clang's, and no question of which function is meant.
  const flags = ["-std=c++17", "-w", "-ferror-limit=0", "-Wno-c++11-narrowing"];
  const clang = (...args: string[]): string =>
    spawnSync("clang++-19", [...flags, ...args, file], { maxBuffer: 1 << 28, encoding: "utf8" }).stderr;
  try {
    const whole = program(all, new Set());
    writeFileSync(file, whole.text);
    const places = clang("-fsyntax-only").matchAll(/cases\.cpp:(\d+):\d+: error: /g);
    const refused = [...places].map((m) => whole.cases.get(Number(m[1])));
    expect(refused).not.toContain(undefined);
    writeFileSync(file, program(all, new Set(refused.map((id) => id!))).text);
    expect(clang("-o", built)).toBe("");
    const lines = spawnSync(built, { encoding: "utf8", maxBuffer: 1 << 28 })
      .stdout.trim()
      .split("\n");
    return new Map(lines.map((l) => [l.slice(0, l.lastIndexOf(" ")), Number(l.slice(l.lastIndexOf(" ")))]));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Every case that clang takes gives what its program gives, and every other is refused. */
export async function expectAsClang(all: ClangSets): Promise<void> {
  const { types, variables, sets } = all;
  const values = meantByClang(all);
  expect(values.size).toBeGreaterThan(2 * sets.length);
  for (const [n, { before, cases }] of sets.entries()) {
    const kernel = (which: readonly (readonly [number, ClangSet["cases"][number]])[]): string =>
      `#include <metal_stdlib>
using namespace metal;
${types}
${before.join("\n")}
kernel void k(device int *o [[buffer(0)]]) {
${variables}
${which.map(([k, { statements, result }]) => `{ ${statements} o[${k}] = ${result}; }`).join("\n")}
}
`;
    const numbered = [...cases.entries()];
    const taken = numbered.filter(([k]) => values.has(`${n} ${k}`));
    const source = kernel(taken);
    const args = { o: new Int32Array(cases.length) };
    const { buffers, diagnostics } = await simulate(source, { from: "msl", workgroups: [1], workgroupSize: [1], args });
    expect(
      diagnostics.filter((d) => d.severity === "error"),
      source,
    ).toEqual([]);
    const results = buffers["o"] as Int32Array;
    expect(
      taken.map(([k]) => [k, results[k]]),
      source,
    ).toEqual(taken.map(([k]) => [k, values.get(`${n} ${k}`)]));
    for (const one of numbered.filter((x) => !taken.includes(x))) {
      const refused = kernel([one]);
      const found = (await check(refused, { from: "msl" })).diagnostics.filter((d) => d.severity === "error");
      expect(found.length, refused).toBeGreaterThan(0);
    }
  }
}
