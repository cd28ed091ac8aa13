/**
 * Every function that a language has for numbers goes to every target, for every type it takes, and each target's compiler takes the
 * text. Atomics and fences have tables of their own (test/atomics), and MSL has no double. Without CROSSLANE_WHOLE_INDEX=1 every 389th
 * signature is tried.
 */
import { expect, test } from "vitest";
import { translate } from "../../src/index.js";
import type { TwoWayDialect } from "../../src/dialects/ids.js";
import { hlslIndex } from "../support/function-index/hlsl.js";
import { clangIndex, glslangIndex, indexes } from "../support/function-index/indexes.js";
import { nameOf, type IndexedCall } from "../support/function-index/indexed-call.js";
import { mslIndex } from "../support/function-index/msl.js";
import { judgeable, judgeOutputs, judges, refusals, type Judgeable } from "../support/judges/outputs.js";
import { judgeTest } from "../support/tool-test.js";

const step = process.env.CROSSLANE_WHOLE_INDEX === "1" ? 1 : 389;
const together = 40;
const targets = ["msl", "glsl", "opencl", "hlsl"] as const;
const judged: Judgeable[] = [];

/** Bytes for what is sized at launch. */
function localsOf(from: TwoWayDialect, calls: readonly IndexedCall[]): Record<string, number> {
  if (from === "msl") return { l: 256 };
  const named = calls.flatMap((c) => [...(c.parameters ?? "").matchAll(/__local [^,]*?\*(a\d)/g)]);
  return Object.fromEntries(named.map(([, name]) => [name!, 256]));
}

async function refusedBy(from: TwoWayDialect, to: TwoWayDialect, calls: readonly IndexedCall[]): Promise<string[]> {
  const local = localsOf(from, calls);
  const { code, diagnostics } = await translate(indexes[from].text(calls), {
    from,
    to,
    workgroupSize: [32, 1, 1],
    ...(Object.keys(local).length > 0 ? { local } : {}),
  });
  const [error] = diagnostics.filter((d) => d.severity === "error" || d.code === "XL4011");
  if (!error) {
    judged.push(judgeable(to, `${calls[0]!.signature} and others to ${to}`, code!));
    return [];
  }
  if (calls.length === 1) return [`${calls[0]!.signature} to ${to}: ${error.code} ${error.message}`];
  const half = calls.length >> 1;
  return [...(await refusedBy(from, to, calls.slice(0, half))), ...(await refusedBy(from, to, calls.slice(half)))];
}

async function goes(from: TwoWayDialect, all: readonly IndexedCall[]): Promise<void> {
  const apart = /atom|Interlocked|fence|memory_order|[mM]emoryBarrier/;
  const tried = all.filter(
    (c, i) =>
      i % step === 0 && !apart.test(c.signature) && !indexes[from].exceptions.some(([names]) => names.test(nameOf(c))),
  );
  const refused: string[] = [];
  for (const to of targets.filter((t) => t !== from)) {
    const some = to === "msl" ? tried.filter((c) => !c.signature.includes("double")) : tried;
    for (let i = 0; i < some.length; i += together)
      refused.push(...(await refusedBy(from, to, some.slice(i, i + together))));
  }
  expect(refused).toEqual([]);
}

test("MSL's", () => goes("msl", mslIndex()), 600_000);
test("HLSL's", () => goes("hlsl", hlslIndex()), 600_000);
judgeTest(judges.glsl, "GLSL's", async () => goes("glsl", await glslangIndex()));
judgeTest(judges.opencl, "OpenCL C's", () => goes("opencl", clangIndex()));

for (const target of targets)
  judgeTest(judges[target], `the ${target} compiler takes the texts`, async () => {
    expect(refusals(await judgeOutputs(judged.filter((j) => j.dialect === target)))).toBe("");
  });
