import { glslJudge } from "./glsl.js";
import type { GlslOptions } from "./glsl.js";
import { hlslJudge } from "./hlsl.js";
import type { HlslOptions } from "./hlsl.js";
import { namesNarrowTypes } from "../../../src/dialects/words.js";
import type { JudgedText, Verdict } from "./judge.js";
import { mslJudge } from "./msl.js";
import type { MslOptions } from "./msl.js";
import { openclJudge } from "./opencl.js";
import type { OpenclOptions } from "./opencl.js";

export const judges = { msl: mslJudge, glsl: glslJudge, opencl: openclJudge, hlsl: hlslJudge };

export type JudgedDialect = keyof typeof judges;

export type Judgeable =
  | ({ readonly dialect: "msl" } & JudgedText<MslOptions>)
  | ({ readonly dialect: "glsl" } & JudgedText<GlslOptions>)
  | ({ readonly dialect: "opencl" } & JudgedText<OpenclOptions>)
  | ({ readonly dialect: "hlsl" } & JudgedText<HlslOptions>);

export interface JudgedOutput extends Verdict {
  readonly name: string;
  readonly dialect: JudgedDialect;
}

/** File name extension of a kernel text to its dialect; undefined for what no judge takes (`ts`, `json`, ...). */
export function judgedDialectOf(fileName: string): JudgedDialect | undefined {
  switch (fileName.slice(fileName.lastIndexOf(".") + 1)) {
    case "metal":
      return "msl";
    case "comp":
      return "glsl";
    case "cl":
      return "opencl";
    case "hlsl":
      return "hlsl";
    default:
      return undefined;
  }
}

/** 16-bit types of HLSL exist only with their option, so a text that names them asks for it. */
export function judgeable(dialect: JudgedDialect, name: string, text: string): Judgeable {
  return dialect === "hlsl"
    ? { dialect, name, text, options: { native16Bit: namesNarrowTypes(text) } }
    : { dialect, name, text };
}

/**
 * What the real compilers say, in the order of the texts. Each judge sees its texts in one batch, so hand over all at
 * once. Throws where a judge's tool is missing: ask `judges[dialect].missing()` first, or use `judgeTest`.
 */
export async function judgeOutputs(outputs: readonly Judgeable[]): Promise<JudgedOutput[]> {
  const verdicts = new Map<Judgeable, Verdict>();
  async function batch<T extends Judgeable>(
    mine: readonly T[],
    accept: (texts: readonly T[]) => Promise<Verdict[]>,
  ): Promise<void> {
    if (mine.length === 0) return;
    const answers = await accept(mine);
    mine.forEach((output, i) => verdicts.set(output, answers[i]!));
  }
  function of<D extends JudgedDialect>(dialect: D): Extract<Judgeable, { dialect: D }>[] {
    return outputs.filter((output): output is Extract<Judgeable, { dialect: D }> => output.dialect === dialect);
  }
  await batch(of("msl"), judges.msl.accept);
  await batch(of("glsl"), judges.glsl.accept);
  await batch(of("opencl"), judges.opencl.accept);
  await batch(of("hlsl"), judges.hlsl.accept);
  return outputs.map((output) => ({ name: output.name, dialect: output.dialect, ...verdicts.get(output)! }));
}

/** Refusals as one text for an assertion message; empty where all were accepted. */
export function refusals(judged: readonly JudgedOutput[]): string {
  return judged
    .filter(({ ok }) => !ok)
    .map(({ name, dialect, log }) => `${name} (${dialect})\n${log}`)
    .join("\n\n");
}
