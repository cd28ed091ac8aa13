/**
 * Kernels of OpenCL C: PoCL, the simulator and every translation compute the same, and compilers take the texts. Of some lavapipe runs the GLSL.
 */
import { simulate, translate, type Diagnostic, type TwoWayDialect } from "../../src/index.js";
import { input } from "../differential/launch.mjs";
import { missingFor } from "../device/device-test.js";
import { random, type Random } from "../mutants/mutate.js";
import { judgeable, judgeOutputs, judges, type Judgeable } from "../support/judges/outputs.js";
import type { FuzzFailure, FuzzSuite } from "./suite.js";
import { runHere } from "../device/run-here.js";

const missingDriver = await missingFor("opencl");
const missingVulkan = await missingFor("vulkan");
// Debian's lavapipe, without the optimiser that takes most of its time.
process.env["GALLIVM_PERF"] ??= "nopt";
const targets: readonly TwoWayDialect[] = ["glsl", "hlsl", "msl"];
const launch = { workgroups: [2], workgroupSize: [4] } as const;

/** Kernels of OpenCL C, each named after its seed, that write so many words of `dst` per work-item. */
export interface Programs {
  readonly name: string;
  readonly about: string;
  readonly words: number;
  readonly cases: number;
  readonly make: (next: Random, id: string) => string;
  /** What the driver's compiler is told first. */
  readonly prelude?: string;
  /** What stands once before all programs of the driver, and before each that is translated. */
  readonly shared?: string;
  /** Kernels of so many characters at most are run by lavapipe as well, which takes half a minute to compile one of 26,000; without it, none. */
  readonly onVulkan?: number;
}

type Args = () => { readonly src: Uint32Array; readonly dst: Uint32Array };

const messagesOf = (diagnostics: readonly Diagnostic[]): string =>
  diagnostics
    .filter((d) => d.severity === "error")
    .map((d) => d.message)
    .join("; ");

async function simulated(text: string, from: TwoWayDialect, args: Args): Promise<string> {
  const { buffers, findings, diagnostics } = await simulate(text, { from, ...launch, seed: 1, args: args() });
  const wrong = [...diagnostics.filter((d) => d.severity === "error"), ...findings];
  return wrong.length > 0 ? wrong.map((d) => d.message).join("; ") : String(buffers["dst"]);
}

export const againstPocl = (programs: Programs): FuzzSuite => ({
  name: programs.name,
  about: programs.about,
  sample: { seed: 1, cases: programs.cases },
  missing: () => [
    ...missingDriver,
    ...(programs.onVulkan === undefined ? [] : missingVulkan),
    ...new Set(targets.flatMap((t) => judges[t].missing())),
  ],
  async run(seed, cases) {
    const seeds = Array.from({ length: cases }, (_, k) => seed + k);
    const made = seeds.map((s) => programs.make(random(s), String(s)));
    const shared = programs.shared ?? "";
    const texts = made.map((text) => `${shared}\n${text}`.trimStart());
    const args: Args = () => ({ src: input.slice(), dst: new Uint32Array(8 * programs.words) });
    const failures: FuzzFailure[] = [];
    // One program for all: a driver takes its time to build any.
    const program = [programs.prelude ?? "", shared, ...made].join("\n");
    const outputs: (Judgeable & { readonly seed: number })[] = [];
    for (const [k, text] of texts.entries()) {
      const s = seeds[k]!;
      const fail = (what: string, shown = text): void => void failures.push({ seed: s, what, text: shown });
      const driver = await runHere(program, {
        from: "opencl",
        entry: `k${String(s)}`,
        device: "opencl",
        optimize: false,
        ...launch,
        args: args(),
      });
      const refused = messagesOf(driver.diagnostics);
      if (refused !== "") {
        fail(`PoCL: ${refused}`);
        continue;
      }
      const expected = String(driver.buffers["dst"]);
      const own = await simulated(text, "opencl", args);
      if (own !== expected) fail(`PoCL gives ${expected}, the simulator ${own}`);
      // MSL has no double.
      for (const to of targets.filter((t) => t !== "msl" || !/\bdouble\d*\b/.test(text))) {
        const { code, diagnostics } = await translate(text, { from: "opencl", to, workgroupSize: [4, 1, 1] });
        const errors = messagesOf(diagnostics);
        if (code === undefined || errors !== "") {
          fail(`no ${to}: ${errors}`);
          continue;
        }
        outputs.push({ ...judgeable(to, `seed ${String(s)}`, code), seed: s });
        const got = await simulated(code, to, args);
        if (got !== expected) fail(`PoCL gives ${expected}, the ${to} of it ${got}`, `${text}\n${code}`);
        if (to !== "glsl" || programs.onVulkan === undefined || text.length > programs.onVulkan) continue;
        const ran = await runHere(code, { from: to, device: "vulkan", ...launch, args: args() });
        const there = messagesOf(ran.diagnostics) || String(ran.buffers["dst"]);
        if (there !== expected) fail(`PoCL gives ${expected}, lavapipe of the ${to} ${there}`, `${text}\n${code}`);
      }
    }
    for (const [k, verdict] of (await judgeOutputs(outputs)).entries())
      if (!verdict.ok)
        failures.push({
          seed: outputs[k]!.seed,
          what: `refused by the compiler of ${verdict.dialect}: ${verdict.log}`,
          text: outputs[k]!.text,
        });
    return { cases, failures };
  },
});
