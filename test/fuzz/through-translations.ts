/**
 * Kernels held through all their translations: each is run, translated to every dialect and run again, and what is HLSL then is
 * asked of DXC.
 */
import { simulate, translate, type SourceDialect } from "../../src/index.js";
import { hlslEntries } from "../../src/judges/hlsl.js";
import { foldKernels } from "../support/oracles/dxc-fold.js";
import type { FuzzFailure, FuzzOutcome } from "./suite.js";

const dialects: readonly SourceDialect[] = ["glsl", "hlsl", "msl", "opencl"];
const launch = { workgroups: [1], workgroupSize: [1] } as const;

/** The values, or why there are none. */
async function simulated(text: string, from: SourceDialect, count: number): Promise<readonly number[] | string> {
  const { buffers, findings, diagnostics } = await simulate(text, {
    from,
    ...launch,
    subgroupSize: 4,
    seed: 1,
    args: { o: new Int32Array(count) },
  });
  const said = diagnostics.find((d) => d.severity === "error")?.message ?? findings[0]?.message;
  return said ?? [...(buffers["o"] as Int32Array)];
}

/** A kernel of one lane that stores what it computes. */
export interface TranslatedSource {
  readonly seed: number;
  readonly dialect: "hlsl" | "glsl";
  readonly text: string;
  readonly expected: readonly number[];
}

/** The source itself and every translation of it, read again. Texts in HLSL are for DXC. */
async function tried(
  source: TranslatedSource,
  refusal: RegExp | undefined,
  asked: { readonly source: TranslatedSource; readonly how: string; readonly text: string }[],
): Promise<{ readonly decided: boolean; readonly failures: FuzzFailure[] }> {
  const failures: FuzzFailure[] = [];
  const check = (how: string, text: string, got: readonly number[] | string): void => {
    const right = typeof got !== "string" && got.every((x, n) => x === source.expected[n]);
    if (!right)
      failures.push({
        seed: source.seed,
        what: `${how} gives ${String(got)}, not ${String(source.expected)}`,
        text: `${source.text}\n// ${how}\n${text}`,
      });
  };
  const own = await simulated(source.text, source.dialect, source.expected.length);
  if (source.dialect === "hlsl" && typeof own === "string" && refusal?.test(own)) return { decided: false, failures };
  check(source.dialect, "", own);
  for (const to of dialects) {
    const { code, diagnostics } = await translate(source.text, { from: source.dialect, to, workgroupSize: [1] });
    const how = `${source.dialect} to ${to}`;
    if (code === undefined) {
      check(how, "", diagnostics.find((d) => d.severity === "error")?.message ?? "nothing");
      continue;
    }
    check(how, code, await simulated(code, to, source.expected.length));
    if (to === "hlsl") asked.push({ source, how: `DXC of ${how}`, text: code });
    else if (source.dialect === "glsl" && to !== "glsl") {
      const back = await translate(code, { from: to, to: "hlsl", workgroupSize: [1] });
      if (back.code !== undefined) asked.push({ source, how: `DXC of ${how} to hlsl`, text: back.code });
      else check(`${how} to hlsl`, code, back.diagnostics.find((d) => d.severity === "error")?.message ?? "nothing");
    }
  }
  return { decided: true, failures };
}

/** `refusal`: what crosslane may say of an HLSL source in place of running it; such cases are not decided. */
export async function heldThroughTranslations(
  sources: readonly TranslatedSource[],
  refusal?: RegExp,
): Promise<FuzzOutcome> {
  const asked: { readonly source: TranslatedSource; readonly how: string; readonly text: string }[] = [];
  const failures: FuzzFailure[] = [];
  let decided = 0;
  for (const source of sources) {
    const outcome = await tried(source, refusal, asked);
    if (outcome.decided) decided++;
    failures.push(...outcome.failures);
  }
  const said = await foldKernels(asked.map(({ text }) => ({ text, entry: hlslEntries(text)[0] ?? "main" })));
  asked.forEach(({ source, how, text }, n) => {
    const answer = said[n]!;
    if ("refused" in answer) {
      failures.push({ seed: source.seed, what: `${how}: ${String(answer.refused)}`, text });
      return;
    }
    const got = source.expected.map((_, i) => (answer as ReadonlyMap<number, unknown>).get(i));
    if (!got.every((v) => typeof v === "bigint")) return;
    const numbers = got.map((v) => Number(BigInt.asIntN(32, v as bigint)));
    if (numbers.some((v, i) => v !== source.expected[i]))
      failures.push({
        seed: source.seed,
        what: `${how} gives ${String(numbers)}, not ${String(source.expected)}`,
        text: `${source.text}\n// ${how}\n${text}`,
      });
  });
  return { cases: decided, failures };
}
