/**
 * Random overloads and templates of MSL beside clang, which reads them as C++: of what it takes, which function each call means and what its
 * template is made for; what it refuses, because no function fits or several do, is refused. RANDOM_RUNS and RANDOM_SEED make a longer or another run.
 */
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect } from "vitest";
import { check, simulate } from "../../src/index.js";
import { random } from "../mutants/mutate.js";
import { missingPrograms } from "../support/judges/judge.js";
import { toolTest } from "../support/tool-test.js";
import { overloadSet, overloadTypes, overloadVariables } from "./overloads.js";

const runs = Number(process.env["RANDOM_RUNS"] ?? 40);
const first = Number(process.env["RANDOM_SEED"] ?? 1);
const sets = Array.from({ length: runs }, (_, i) => overloadSet(random(first + i)));

const host = `#include <cstdio>
#define thread
#define constant
typedef unsigned int uint; typedef unsigned short ushort; typedef unsigned char uchar; typedef unsigned long ulong;
${overloadTypes}`;

/** A program that prints number of set, number of call and result of all calls but some; and on which of its lines calls are. */
function program(skip: ReadonlySet<string>): { readonly text: string; readonly calls: ReadonlyMap<number, string> } {
  const lines = host.split("\n");
  const calls = new Map<number, string>();
  for (const [n, set] of sets.entries()) {
    lines.push(`namespace n${n} {`, ...set.candidates, "void run() {", ...overloadVariables.split("\n"));
    for (const [k, call] of set.calls.entries()) {
      const id = `${n} ${k}`;
      if (skip.has(id)) continue;
      lines.push(`printf("${id} %d\\n", ${call});`);
      calls.set(lines.length, id);
    }
    lines.push("} }");
  }
  return { text: [...lines, `int main() { ${sets.map((_, n) => `n${n}::run();`).join(" ")} }`].join("\n"), calls };
}

/** What clang's program computes of the calls that clang takes. */
function meant(): ReadonlyMap<string, number> {
  const folder = mkdtempSync(join(tmpdir(), "crosslane-overloads-"));
  const [file, built] = [join(folder, "calls.cpp"), join(folder, "calls")];
  const clang = (...args: string[]): string => {
    const { stderr } = spawnSync("clang++-19", ["-std=c++17", "-w", "-ferror-limit=0", ...args, file], {
      maxBuffer: 1 << 28,
      encoding: "utf8",
    });
    return stderr;
  };
  try {
    const whole = program(new Set());
    writeFileSync(file, whole.text);
    const wrong = [...clang("-fsyntax-only").matchAll(/calls\.cpp:(\d+):\d+: error: /g)].map((m) =>
      whole.calls.get(Number(m[1])),
    );
    expect(wrong).not.toContain(undefined);
    writeFileSync(file, program(new Set(wrong.map((id) => id!))).text);
    expect(clang("-o", built)).toBe("");
    const { stdout } = spawnSync(built, { encoding: "utf8" });
    return new Map(
      stdout
        .trim()
        .split("\n")
        .map((line) => [line.slice(0, line.lastIndexOf(" ")), Number(line.split(" ")[2])]),
    );
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const kernel = (
  candidates: readonly string[],
  calls: readonly (readonly [number, string])[],
): string => `#include <metal_stdlib>
using namespace metal;
${overloadTypes}
${candidates.join("\n")}
kernel void k(device int *o [[buffer(0)]]) {
${overloadVariables}
${calls.map(([k, call]) => `o[${k}] = ${call};`).join("\n")}
}
`;

describe("random overloads", () => {
  toolTest(missingPrograms(["clang++-19"]), "mean what they mean in C++", async () => {
    const values = meant();
    expect(values.size).toBeGreaterThan(2 * runs);
    for (const [n, { candidates, calls }] of sets.entries()) {
      const numbered = [...calls.entries()];
      const taken = numbered.filter(([k]) => values.has(`${n} ${k}`));
      const source = kernel(candidates, taken);
      const args = { o: new Int32Array(calls.length) };
      const { buffers, diagnostics } = await simulate(source, {
        from: "msl",
        workgroups: [1],
        workgroupSize: [1],
        args,
      });
      expect(
        diagnostics.filter((d) => d.severity === "error"),
        source,
      ).toEqual([]);
      const results = buffers["o"] as Int32Array;
      expect(
        taken.map(([k, call]) => [call, results[k]]),
        source,
      ).toEqual(taken.map(([k, call]) => [call, values.get(`${n} ${k}`)]));
      for (const call of numbered.filter((x) => !taken.includes(x))) {
        const refused = kernel(candidates, [call]);
        const { diagnostics: found } = await check(refused, { from: "msl" });
        expect(found.filter((d) => d.severity === "error").length, refused).toBeGreaterThan(0);
      }
    }
  });
});
