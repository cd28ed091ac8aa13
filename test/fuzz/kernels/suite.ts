/** Generated kernels in every dialect, through every translation and cycles of them; compilers and drivers are asked, too. */
import { twoWayDialects } from "../../../src/dialects/ids.js";
import { missingFor } from "../../device/device-test.js";
import { argumentsOf, launch } from "../../random/kinds.js";
import { judgeable, judgeOutputs, judges, type Judgeable } from "../../support/judges/outputs.js";
import type { FuzzFailure, FuzzSuite } from "../suite.js";
import { checkKernel, difference, generatedKernel, shownBytes, textOf, type GeneratedKernel } from "./check.js";
import { failureOf } from "./report.js";
import { runHere } from "../../device/run-here.js";

const drivers = { opencl: await missingFor("opencl"), vulkan: await missingFor("vulkan") };

/** What of the text is wrong on a driver; nothing where none takes this dialect, or not this text. */
async function onDriver(kernel: GeneratedKernel, results: ReadonlyMap<number, string>): Promise<string | undefined> {
  const device = kernel.from === "opencl" ? "opencl" : kernel.from === "glsl" ? "vulkan" : undefined;
  if (device === undefined || drivers[device].length > 0) return undefined;
  const args = argumentsOf(kernel.kind.features);
  const ran = await runHere(textOf(kernel), { from: kernel.from, device, ...launch, args });
  const error = ran.diagnostics.find((d) => d.severity === "error");
  // A driver may lack what the kernel needs, or say that it does not read it.
  if (error) return ["XL7010", "XL7013"].includes(error.code) ? undefined : `${error.code} ${error.message}`;
  const expected = results.get(kernel.kind.features.waves ? (ran.device?.subgroups?.size ?? 0) : 8);
  if (expected === undefined) return undefined;
  const of = (name: string): Uint8Array[] => {
    const b = ran.buffers[name] as Uint32Array | undefined;
    return b ? [new Uint8Array(b.buffer)] : [];
  };
  const got = shownBytes([...of("dst"), ...of("acc")]);
  return got === expected ? undefined : difference(expected, got);
}

export const kernelsSuite: FuzzSuite = {
  name: "kernels",
  about:
    "whole kernels in every dialect: their twins, translations and cycles of those compute the same, compilers and drivers agree",
  sample: { seed: 1, cases: 16 },
  missing: () => [...new Set(twoWayDialects.flatMap((d) => judges[d].missing()))],
  async run(seed, cases) {
    const failures: FuzzFailure[] = [];
    const refused = new Map<string, number>();
    const texts: (Judgeable & { readonly seed: number; readonly how: string })[] = [];
    for (let s = seed; s < seed + cases; s++) {
      const kernel = generatedKernel(s);
      const checked = await checkKernel(kernel);
      for (const r of checked.refused) refused.set(r, (refused.get(r) ?? 0) + 1);
      const [first] = checked.wrong;
      if (first) failures.push(await failureOf(kernel, first));
      for (const { dialect, text, how } of checked.texts)
        texts.push({ ...judgeable(dialect, `seed ${String(s)}`, text), seed: s, how });
      const driver = checked.wrong.length === 0 ? await onDriver(kernel, checked.results) : undefined;
      if (driver !== undefined)
        failures.push({ seed: s, what: `${kernel.kind.name}: on a driver: ${driver}`, text: textOf(kernel) });
    }
    for (const [k, { ok, dialect, log }] of (await judgeOutputs(texts)).entries())
      if (!ok)
        failures.push({
          seed: texts[k]!.seed,
          what: `refused by the compiler of ${dialect} (${texts[k]!.how}): ${log}`,
          text: texts[k]!.text,
        });
    return { cases, failures, refused };
  },
};
