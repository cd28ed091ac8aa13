/** What becomes of quads and clusters is accepted by the real compilers. */
import { expect } from "vitest";
import { translate } from "../../src/api/translate.js";
import { twoWayDialects, type TwoWayDialect } from "../../src/dialects/ids.js";
import { glslJudge } from "../support/judges/glsl.js";
import { hlslJudge } from "../support/judges/hlsl.js";
import type { Judge } from "../support/judges/judge.js";
import { mslJudge } from "../support/judges/msl.js";
import { openclJudge } from "../support/judges/opencl.js";
import { cases, kernelOf, size } from "../support/quad-cases.js";
import { judgeTest } from "../support/tool-test.js";

const judges: Record<TwoWayDialect, Judge> = {
  msl: mslJudge,
  glsl: glslJudge,
  opencl: openclJudge,
  hlsl: hlslJudge,
};

for (const to of twoWayDialects) {
  judgeTest(judges[to], `as ${to}`, async () => {
    const texts = await Promise.all(
      twoWayDialects
        .filter((from) => from !== to)
        .map(async (from) => {
          const list = cases.filter((c) => c.dialect === from && !(to === "hlsl" && /char/.test(c.expression)));
          const { code, diagnostics } = await translate(kernelOf(list), { from, to, workgroupSize: [size, 1, 1] });
          if (code === undefined) throw new Error(diagnostics.map((d) => d.message).join("; "));
          return { name: `${from} as ${to}`, text: code, options: { native16Bit: true } };
        }),
    );
    const verdicts = await judges[to].accept(texts);
    expect(verdicts.flatMap((v, i) => (v.ok ? [] : [`${texts[i]!.name}: ${v.log}`]))).toEqual([]);
  });
}
