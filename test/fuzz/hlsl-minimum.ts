/**
 * Types of minimum precision in HLSL. DXC folds them in 16 bits, crosslane reads them with 32: each expression gives DXC's
 * number, or a run has a finding; and as HLSL again it is what it was to DXC.
 */
import { translate } from "../../src/api/translate.js";
import { simulate } from "../../src/api/simulate.js";
import { foldKernels, foldWithDxc, missingForFold, type FoldCase } from "../support/oracles/dxc-fold.js";
import { randomOf } from "./hlsl-literals.js";
import type { FuzzFailure, FuzzSuite } from "./suite.js";

type Pick = <T>(list: readonly T[]) => T;

const declared = `min16int a = 300; min16int b = -7; min12int c = 12; min16uint d = 5; min16uint e = 40000; min16int2 v = min16int2(200, -3);
int i = 70000; uint u = 3; int64_t l = 5; bool t = true; min16int m[2] = { 9, 20000 }; float f = 2.5;`;
/** Powers of two: their products are exact in 16 bits, or beyond them. */
const declaredFloats =
  "min16float p = 256.0; min16float q = 0.5; min10float r = 4.0; float f = 8.0; min16float2 w = min16float2(64.0, 2.0); int n = 2;";

function integer(next: (n: number) => number, pick: Pick, depth: number): string {
  if (depth === 0)
    return pick([
      "a",
      "b",
      "c",
      "d",
      "e",
      "v.x",
      "v.y",
      "i",
      "u",
      "l",
      "t",
      "m[0]",
      "m[1]",
      "1",
      "3",
      "100",
      "7u",
      "-2",
    ]);
  const sub = (): string => `(${integer(next, pick, depth - 1)})`;
  switch (next(9)) {
    case 0:
      return `${sub()} ${pick(["<<", ">>"])} ${pick(["1", "4", "15", "17", "20u", "u", "d"])}`;
    case 1:
      return `${pick(["~", "-", "(min16int)", "(min16uint)", "(int)", "(uint)"])}${sub()}`;
    case 2:
      return `t ? ${sub()} : ${sub()}`;
    case 3:
      return `${pick(["min", "max"])}(${sub()}, ${sub()})`;
    case 4:
      return `${pick(["abs", "countbits", "reversebits", "firstbithigh", "firstbitlow"])}(${sub()})`;
    case 5:
      return `${sub()} ${pick(["&", "|", "^"])} ${sub()}`;
    default:
      return `${sub()} ${pick(["+", "-", "*", "*", "+"])} ${sub()}`;
  }
}

function float(next: (n: number) => number, pick: Pick, depth: number): string {
  if (depth === 0) return pick(["p", "q", "r", "w.x", "w.y", "f", "n", "2.0", "0.25", "8.0f"]);
  const sub = (): string => `(${float(next, pick, depth - 1)})`;
  return next(4) === 0
    ? pick([`-${sub()}`, `(min16float)${sub()}`, `(float)${sub()}`, `max(${sub()}, ${sub()})`])
    : `${sub()} * ${sub()}`;
}

interface Made {
  readonly statements: string;
  readonly value: string;
}

function made(seed: number): Made {
  const next = randomOf(seed);
  const pick: Pick = (list) => list[next(list.length)]!;
  if (next(4) === 0)
    return { statements: `${declaredFloats} float x = ${float(next, pick, 1 + next(3))};`, value: "asuint(x)" };
  const e = integer(next, pick, 1 + next(3));
  switch (next(4)) {
    case 0: {
      const place = pick(["a", "d", "v.x", "m[1]"]);
      const change = pick([`${place} ${pick(["+=", "*=", "-=", "<<=", "="])} ${e}`, `${place}++`, `--${place}`]);
      return { statements: `${declared} ${change}; int x = ${place};`, value: "(uint)x" };
    }
    case 1:
      return { statements: `${declared} ${pick(["min16int", "min16uint"])} y = ${e}; int x = y;`, value: "(uint)x" };
    default:
      return { statements: `${declared} int x = ${e};`, value: "(uint)x" };
  }
}

type Outcome = number | "finding" | { readonly refused: string };

async function simulated(text: string): Promise<Outcome> {
  const result = await simulate(text, { from: "hlsl", workgroups: [1, 1, 1], args: { o: new Uint32Array(1) } });
  const problem = result.diagnostics.find((d) => d.severity === "error");
  if (result.findings.some((f) => f.kind === "broken-assumption")) return "finding";
  return problem ? { refused: problem.message } : (result.buffers["o"] as Uint32Array)[0]!;
}

export const hlslMinimum: FuzzSuite = {
  name: "hlsl-minimum",
  about: "types of minimum precision in HLSL give what DXC folds in 16 bits, or a run has a finding",
  sample: { seed: 1, cases: 60 },
  missing: missingForFold,
  async run(seed, cases) {
    const programs = Array.from({ length: cases }, (_, n) => made(seed + n));
    const folded = await foldWithDxc(programs.map((p): FoldCase => ({ statements: p.statements, values: [p.value] })));
    const failures: FuzzFailure[] = [];
    let decided = 0;
    const asked: { readonly n: number; readonly text: string; readonly value: bigint }[] = [];
    for (const [n, p] of programs.entries()) {
      const fold = folded[n]!;
      if (fold.kind === "refused" || typeof fold.values[0] !== "bigint") continue;
      const text = `RWStructuredBuffer<uint> o : register(u0);\n[numthreads(1, 1, 1)] void k() {\n  ${p.statements}\n  o[0] = ${p.value};\n}\n`;
      const ours = await simulated(text);
      if (typeof ours === "object" && /not supported yet/.test(ours.refused)) continue;
      decided++;
      const { code } = await translate(text, { from: "hlsl", to: "hlsl" });
      if (code !== undefined) asked.push({ n, text: code, value: fold.values[0] });
      if (ours === "finding" || (typeof ours === "number" && BigInt(ours) === fold.values[0])) continue;
      const said = typeof ours === "object" ? ours.refused : String(ours);
      failures.push({ seed: seed + n, what: `DXC has ${fold.values[0]}, crosslane ${said}`, text });
    }
    const again = await foldKernels(asked.map(({ text }) => ({ text, entry: "k" })));
    asked.forEach(({ n, text, value }, i) => {
      const answer = again[i]!;
      const said = "refused" in answer ? String(answer.refused) : (answer as ReadonlyMap<number, unknown>).get(0);
      if (said !== value)
        failures.push({ seed: seed + n, what: `DXC has ${value}, of the text written ${String(said)}`, text });
    });
    return { cases: decided, failures };
  },
};
