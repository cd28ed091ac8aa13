/** Quads and clusters on a device: every call, from each dialect, in each language the device takes. */
import { compile } from "../../src/api/compile.js";
import { bindObject } from "../../src/api/simulate.js";
import type { DeviceConnection } from "../../src/device/connection.js";
import type { KernelLanguage } from "../../src/device/kernel.js";
import { twoWayDialects } from "../../src/dialects/ids.js";
import type { TwoWayDialect } from "../../src/dialects/ids.js";
import { shapeOf } from "../../src/launch/reflection.js";
import type { Case } from "../support/quad-cases.js";
import { cases, data, expected, kernelOf, launches, size } from "../support/quad-cases.js";
import { explained } from "./explained.js";
import type { Outcome, Suite } from "./outcomes.js";
import { callsPerKernel, chunks, optionsFor, runText, stateOf, widthsOn } from "./texts.js";

/** Neither glslang's HLSL mode nor vkd3d-shader has narrow types. */
const narrow = /half|char|short/;
/** Between them every kind of launch. */
const emulated = [8, 32];

async function run(connection: DeviceConnection, name: string): Promise<Outcome[]> {
  const { info } = connection;
  const from = name as TwoWayDialect;
  const outcomes: Outcome[] = [];
  for (const what of info.languages) {
    for (const width of widthsOn(info, emulated)) {
      const mine = launches.filter(([w]) => w === width);
      const all = cases.filter(
        (c) => c.dialect === from && (c.width ?? 4) <= width && !(what === "hlsl" && narrow.test(c.expression)),
      );
      for (const list of chunks(all, callsPerKernel(connection)))
        outcomes.push(...(await runCalls(connection, list, what, width, mine)));
    }
  }
  return outcomes;
}

async function runCalls(
  connection: DeviceConnection,
  list: readonly Case[],
  what: KernelLanguage,
  width: number,
  mine: typeof launches,
): Promise<Outcome[]> {
  const { info } = connection;
  const from = list[0]!.dialect;
  const outcomes: Outcome[] = [];
  const compilation = await compile(kernelOf(list), { from, fileName: "quads" });
  const { module } = compilation;
  if (!module) throw new Error(compilation.diagnostics.map((d) => d.message).join("; "));
  for (const [, launchName, rounds] of mine) {
    const outcome = (call: string, state: Outcome["state"], more: Partial<Outcome> = {}): Outcome => ({
      name: `${call}, ${launchName}, width ${width}`,
      from,
      what,
      language: what,
      state,
      ...(connection.hlslCompiler ? { compiler: connection.hlslCompiler } : {}),
      ...more,
    });
    const args = {
      pv: data,
      pm: Uint32Array.from({ length: size }, (_, i) => rounds(i)),
      r: new Uint32Array(size * list.length),
    };
    const { bound } = bindObject(
      { from, workgroups: [1], workgroupSize: [size], args },
      shapeOf(module, module.entries[0]!),
    );
    const options = optionsFor(connection, withoutRotation(info.report), what, width);
    const ran = await runText(connection, compilation, bound!, what, width, options);
    if ("diagnostics" in ran) {
      const d = ran.diagnostics.find((x) => x.severity === "error") ?? ran.diagnostics[0]!;
      const message = [d.message, ...d.notes.map((n) => n.message)].join(": ");
      outcomes.push(outcome("all calls", stateOf(d), { code: d.code, message }));
      continue;
    }
    const bytes = [...ran.buffers].find(([path]) => path === "r" || path.endsWith(".r"))![1];
    const got = new Uint32Array(bytes.slice().buffer);
    for (const [n, c] of list.entries()) {
      const wrong = Array.from({ length: size }, (_, i) => i).find((i) => {
        const wanted = expected(c, ran.subgroupSize, rounds, i);
        return wanted !== undefined && got[n * size + i] !== wanted;
      });
      outcomes.push(
        wrong === undefined
          ? outcome(c.expression, "equal")
          : explained(
              outcome(c.expression, "different", {
                message: `lane ${wrong} is ${got[n * size + wrong]}, not ${expected(c, ran.subgroupSize, rounds, wrong)}`,
              }),
              ran.text,
              info,
            ),
      );
    }
  }
  return outcomes;
}

/** Not every glslang has GL_KHR_shader_subgroup_rotate; the cross-lane suite looks whether this one has. */
const withoutRotation = (report: object): Record<string, unknown> => ({
  ...report,
  shaderSubgroupRotate: false,
  shaderSubgroupRotateClustered: false,
});

export const quadSuite: Suite = { name: "quads", cases: () => twoWayDialects, run };
