import { simulate, translate, type Dialect } from "../../src/index.js";
import { hlslEntries } from "../../src/judges/hlsl.js";
import { foldKernels, foldWithDxc, missingForFold } from "../support/oracles/dxc-fold.js";
import { orderProgram, type OrderProgram } from "./order-programs.js";
import type { FuzzFailure, FuzzSuite } from "./suite.js";

const dialects: readonly Dialect[] = ["glsl", "hlsl", "msl", "opencl"];
const launch = { workgroups: [1], workgroupSize: [1] } as const;

function kernel(p: OrderProgram, dialect: "hlsl" | "glsl"): string {
  const stores = p.values.map((v, n) => `o[${n}] = ${v};`).join("\n");
  const [declarations, statements] = [p.declarations[dialect], p.statements[dialect]];
  return dialect === "hlsl"
    ? `RWStructuredBuffer<int> o : register(u0);\n${declarations}[numthreads(1, 1, 1)]\nvoid k() {\n${statements}\n${stores}\n}\n`
    : `#version 450\nlayout(local_size_x = 1) in;\nlayout(std430, binding = 0) buffer B { int o[]; };\n${declarations}void main() {\n${statements}\n${stores}\n}\n`;
}

/** What crosslane refuses by name: arguments whose copies another argument of the call changes. */
const refusal = /argument (?:whose place has side effects|that is copied in or out)/;

/** The values, or why there are none. */
async function simulated(text: string, from: Dialect, count: number): Promise<readonly number[] | string> {
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

interface Source {
  readonly seed: number;
  readonly dialect: "hlsl" | "glsl";
  readonly text: string;
  readonly expected: readonly number[];
}

/** The source itself and every translation of it, read again. Texts in HLSL are for DXC. */
async function tried(
  source: Source,
  asked: { readonly source: Source; readonly how: string; readonly text: string }[],
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
  if (source.dialect === "hlsl" && typeof own === "string" && refusal.test(own)) return { decided: false, failures };
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

/** HLSL's programs with what DXC computes for them. */
async function inHlsl(seeds: readonly number[]): Promise<Source[]> {
  const programs = seeds.map((seed) => orderProgram(seed));
  const folded = await foldWithDxc(
    programs.map((p) => ({
      declarations: p.declarations.hlsl,
      statements: p.statements.hlsl,
      values: p.values.map((expression) => ({ expression, type: "int" }) as const),
    })),
  );
  return folded.flatMap((f, n): Source[] => {
    if (f.kind === "refused" || f.values.some((v) => typeof v !== "bigint")) return [];
    return [
      {
        seed: seeds[n]!,
        dialect: "hlsl",
        text: kernel(programs[n]!, "hlsl"),
        expected: f.values.map((v) => Number(BigInt.asIntN(32, v as bigint))),
      },
    ];
  });
}

export const orderSuite: FuzzSuite = {
  name: "order",
  about:
    "operands whose effects meet: HLSL as DXC computes it, GLSL from left to right, translations and DXC of those to HLSL",
  sample: { seed: 1, cases: 24 },
  missing: missingForFold,
  async run(seed, cases) {
    const seeds = Array.from({ length: cases }, (_, n) => seed + n);
    const glsl = seeds.map((n): Source => ({
      seed: n,
      dialect: "glsl",
      text: kernel(orderProgram(n), "glsl"),
      expected: orderProgram(n).inGlsl(),
    }));
    const asked: { readonly source: Source; readonly how: string; readonly text: string }[] = [];
    const failures: FuzzFailure[] = [];
    let decided = 0;
    for (const source of [...(await inHlsl(seeds)), ...glsl]) {
      const outcome = await tried(source, asked);
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
  },
};
