/** Statements of every form: simulator and translations against JavaScript, texts against the compilers they are for. */
import { simulate, translate, type TwoWayDialect } from "../../src/index.js";
import { random } from "../mutants/mutate.js";
import { judgeable, judgeOutputs, judges, type Judgeable } from "../support/judges/outputs.js";
import { shapeText } from "../support/statement-shapes.js";
import { statementProgram } from "./statement-programs.js";
import type { FuzzFailure, FuzzSuite } from "./suite.js";

const dialects: readonly TwoWayDialect[] = ["glsl", "opencl", "msl", "hlsl"];
const src = Uint32Array.from({ length: 64 }, (_, i) => Math.imul(i * 7 + 1, 0x9e3779b1) >>> (i % 29));
const launch = { workgroups: [2], workgroupSize: [16] } as const;

async function simulated(text: string, from: TwoWayDialect): Promise<string> {
  const { buffers, findings, diagnostics } = await simulate(text, {
    from,
    ...launch,
    seed: 1,
    args: { src: src.slice(), dst: new Uint32Array(32) },
  });
  const wrong = [...diagnostics.filter((d) => d.severity === "error"), ...findings];
  return wrong.length > 0 ? wrong.map((d) => d.message).join("; ") : String(buffers["dst"]);
}

export const statements: FuzzSuite = {
  name: "statements",
  about:
    "statements of every form: the simulator and the translations compute what JavaScript does, and compilers take the texts",
  sample: { seed: 1, cases: 16 },
  missing: () => [...new Set(dialects.flatMap((d) => judges[d].missing()))],
  async run(seed, cases) {
    const failures: FuzzFailure[] = [];
    const texts: (Judgeable & { readonly seed: number })[] = [];
    for (let s = seed; s < seed + cases; s++) {
      const from = dialects[s % dialects.length]!;
      const { body, script } = statementProgram(random(s), from);
      const text = shapeText({ name: "", body, dialects }, from);
      const twin = new Function("i", "src", script) as (i: number, src: Uint32Array) => number;
      const expected = String(Uint32Array.from({ length: 32 }, (_, i) => twin(i, src)));
      texts.push({ ...judgeable(from, `seed ${String(s)}`, text), seed: s });
      const own = await simulated(text, from);
      if (own !== expected)
        failures.push({ seed: s, what: `JavaScript gives ${expected}, the simulator ${own}`, text });
      for (const to of dialects) {
        if (to === from) continue;
        const { code, diagnostics } = await translate(text, { from, to, workgroupSize: [16, 1, 1] });
        const errors = diagnostics.filter((d) => d.severity === "error");
        if (code === undefined || errors.length > 0) {
          failures.push({ seed: s, what: `no ${to}: ${errors.map((d) => d.message).join("; ")}`, text });
          continue;
        }
        texts.push({ ...judgeable(to, `seed ${String(s)}`, code), seed: s });
        const got = await simulated(code, to);
        if (got !== expected)
          failures.push({
            seed: s,
            what: `JavaScript gives ${expected}, the ${to} of it ${got}`,
            text: `${text}\n${code}`,
          });
      }
    }
    for (const [k, verdict] of (await judgeOutputs(texts)).entries())
      if (!verdict.ok)
        failures.push({
          seed: texts[k]!.seed,
          what: `refused by the compiler of ${verdict.dialect}: ${verdict.log}`,
          text: texts[k]!.text,
        });
    return { cases, failures };
  },
};
