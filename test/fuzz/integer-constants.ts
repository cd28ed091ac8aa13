/**
 * Constant expressions of integers: the calls and operators of `integer-functions` on operands known at compile time, which
 * crosslane, and the compilers behind it, may fold.
 */
import { random } from "../mutants/mutate.js";
import { foldWithDxc, missingForFold, type FoldCase } from "../support/oracles/dxc-fold.js";
import { caseOf, constantOperands, show, simulated, textsOf, usesOf, wrongWords } from "./integer-functions.js";
import { operandNames, typeName, typeOf, type IntegerType } from "./integer-rows.js";
import type { FuzzFailure, FuzzOutcome, FuzzSuite } from "./suite.js";

async function run(seed: number, cases: number): Promise<FuzzOutcome> {
  const failures: FuzzFailure[] = [];
  for (let s = seed; s < seed + cases; s++) {
    const c = caseOf(s, { constants: true });
    const { texts, problems } = await textsOf(c);
    const fail = (what: string, text: string): void => void failures.push({ seed: s, what, text });
    for (const p of problems) fail(`${c.dialect} ${show(c.type)}: ${p}`, c.text);
    for (const { dialect, text } of texts) {
      const where = dialect === c.dialect ? dialect : `${c.dialect} to ${dialect}`;
      const ran = await simulated(c, text, dialect);
      for (const p of ran.problems) fail(`${where} ${show(c.type)}: ${p}`, text);
      for (const line of ran.words ? wrongWords(c, ran.words) : []) fail(`${where}: ${line}`, text);
    }
  }
  return { cases, failures };
}

export const integerConstants: FuzzSuite = {
  name: "integer-constants",
  about:
    "integer functions and operators on operands known at compile time, and their translations, against whole numbers",
  sample: { seed: 1, cases: 24 },
  missing: () => [],
  run,
};

/** HLSL's rows asked of DXC: what the suites take for right is what it folds. */
async function ask(seed: number, cases: number): Promise<FuzzOutcome> {
  const asked: {
    readonly seed: number;
    readonly what: string;
    readonly expected: bigint;
    readonly c: FoldCase;
    readonly value: number;
  }[] = [];
  const folds: FoldCase[] = [];
  for (let s = seed; s < seed + cases; s++) {
    const next = random(s);
    const bits = [16, 32, 64][s % 3]!;
    const type: IntegerType = { bits, signed: Math.floor(s / 3) % 2 === 0, size: 1 + (Math.floor(s / 6) % 4) };
    for (const { row, operands, results } of usesOf(next, "hlsl", type, 6, 1)) {
      const names = operandNames(row);
      // DXC folds IMin and IMax in clamp of bounds that are the wrong way round, but not as it compiles them; and nothing by zero.
      const zero = /[/%]/.test(row.name) && operands[0]![1]!.some((x) => x === 0n);
      if (zero || (row.name === "clamp" && operands[0]![1]!.some((low, i) => low > operands[0]![2]![i]!))) continue;
      const declared = row.operands.map(
        (code, o) =>
          `${typeName("hlsl", typeOf(code, type))} ${names[o]!} = ${constantOperands("hlsl", typeOf(code, type), operands[0]![o]!)};`,
      );
      const types = row.results.map((code) => typeOf(code, type));
      const outs = types.map((t, r) => `${typeName("hlsl", t)} r${String(r)};`);
      const values = types.flatMap((t, r) =>
        Array.from({ length: t.size }, (_, i) => ({
          expression: `(uint64_t)(int64_t)${t.size === 1 ? `r${String(r)}` : `r${String(r)}.${"xyzw"[i]!}`}`,
          type: "uint64_t" as const,
        })),
      );
      const c: FoldCase = {
        statements: [...declared, ...outs, row.in.hlsl!(names, type)].join("\n"),
        values,
        args: ["-enable-16bit-types"],
      };
      folds.push(c);
      let value = 0;
      types.forEach((t, r) => {
        for (let i = 0; i < t.size; i++)
          asked.push({
            seed: s,
            what: `${row.name} of ${show(type)} (${operands[0]!.map(String).join("; ")})`,
            expected: BigInt.asUintN(64, results[0]![r]![i]!),
            c,
            value: value++,
          });
      });
    }
  }
  const answers = await foldWithDxc(folds);
  const failures: FuzzFailure[] = [];
  let decided = 0;
  for (const { seed: at, what, expected, c, value } of asked) {
    const answer = answers[folds.indexOf(c)]!;
    if (answer.kind === "refused") {
      if (value === 0)
        failures.push({ seed: at, what: `${what}: DXC refuses: ${answer.log.slice(0, 200)}`, text: c.statements! });
      continue;
    }
    const got = answer.values[value]!;
    if (typeof got !== "bigint") continue;
    decided++;
    if (got !== expected)
      failures.push({ seed: at, what: `${what}: DXC has ${String(got)} for ${String(expected)}`, text: c.statements! });
  }
  return { cases: decided, failures };
}

export const integerMeaning: FuzzSuite = {
  name: "hlsl-integers",
  about: "HLSL's integer functions and operators, as these suites understand them, against what DXC folds",
  sample: { seed: 1, cases: 24 },
  missing: missingForFold,
  run: ask,
};
