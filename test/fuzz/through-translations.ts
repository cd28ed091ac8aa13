/**
 * Kernels held through all their translations: each is run, translated to every dialect and run again, and what is HLSL then is
 * asked of DXC.
 */
import { simulate, translate, type TwoWayDialect } from "../../src/index.js";
import type { HlslVersion } from "../../src/dialects/language.js";
import { hlslEntries } from "../../src/judges/hlsl.js";
import { foldKernels } from "../support/oracles/dxc-fold.js";
import type { FuzzFailure, FuzzOutcome } from "./suite.js";

const dialects: readonly TwoWayDialect[] = ["glsl", "hlsl", "msl", "opencl"];
const launch = { workgroups: [1], workgroupSize: [1] } as const;

interface Versioned {
  /** Of a source in HLSL, and of what it is in HLSL again. */
  readonly hlslVersion?: HlslVersion;
}
const versionOf = (dialect: TwoWayDialect, { hlslVersion }: Versioned): Versioned =>
  dialect === "hlsl" && hlslVersion ? { hlslVersion } : {};

/** The values, or why there are none. */
async function simulated(
  text: string,
  from: TwoWayDialect,
  count: number,
  version: Versioned,
): Promise<readonly number[] | string> {
  const { buffers, findings, diagnostics } = await simulate(text, {
    from,
    ...versionOf(from, version),
    ...launch,
    subgroupSize: 4,
    seed: 1,
    args: { o: new Int32Array(count) },
  });
  const said = diagnostics.find((d) => d.severity === "error")?.message ?? findings[0]?.message;
  return said ?? [...(buffers["o"] as Int32Array)];
}

/** A kernel of one lane that stores what it computes. */
export interface TranslatedSource extends Versioned {
  readonly seed: number;
  readonly dialect: "hlsl" | "glsl";
  readonly text: string;
  readonly expected: readonly number[];
}

/** What crosslane may say by name in place of an answer: it is counted. */
interface Refusals {
  /** Of a source in HLSL: such cases are not decided. */
  readonly source?: RegExp;
  /** Of a translation. */
  readonly translation?: RegExp;
}

/** The source itself and every translation of it, read again. Texts in HLSL are for DXC. */
async function tried(
  source: TranslatedSource,
  refusals: Refusals,
  refused: Map<string, number>,
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
  const own = await simulated(source.text, source.dialect, source.expected.length, source);
  const refuses = (by: RegExp | undefined, said: readonly number[] | string): boolean => {
    if (typeof said !== "string" || !by?.test(said)) return false;
    refused.set(said, (refused.get(said) ?? 0) + 1);
    return true;
  };
  if (source.dialect === "hlsl" && refuses(refusals.source, own)) return { decided: false, failures };
  check(source.dialect, "", own);
  for (const to of dialects) {
    const { code, diagnostics } = await translate(source.text, {
      from: source.dialect,
      to,
      workgroupSize: [1],
      ...versionOf(source.dialect, source),
    });
    const how = `${source.dialect} to ${to}`;
    if (code === undefined) {
      const said = diagnostics.find((d) => d.severity === "error")?.message ?? "nothing";
      if (!refuses(refusals.translation, said)) check(how, "", said);
      continue;
    }
    check(how, code, await simulated(code, to, source.expected.length, source));
    if (to === "hlsl") asked.push({ source, how: `DXC of ${how}`, text: code });
    else if (source.dialect === "glsl" && to !== "glsl") {
      const back = await translate(code, { from: to, to: "hlsl", workgroupSize: [1] });
      if (back.code !== undefined) asked.push({ source, how: `DXC of ${how} to hlsl`, text: back.code });
      else check(`${how} to hlsl`, code, back.diagnostics.find((d) => d.severity === "error")?.message ?? "nothing");
    }
  }
  return { decided: true, failures };
}

export async function heldThroughTranslations(
  sources: readonly TranslatedSource[],
  refusals: Refusals = {},
): Promise<FuzzOutcome> {
  const asked: { readonly source: TranslatedSource; readonly how: string; readonly text: string }[] = [];
  const failures: FuzzFailure[] = [];
  const refused = new Map<string, number>();
  let decided = 0;
  for (const source of sources) {
    const outcome = await tried(source, refusals, refused, asked);
    if (outcome.decided) decided++;
    failures.push(...outcome.failures);
  }
  const said = await foldKernels(
    asked.map(({ source, text }) => ({
      text,
      entry: hlslEntries(text)[0] ?? "main",
      ...versionOf("hlsl", source),
    })),
  );
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
  return { cases: decided, failures, refused };
}
