/**
 * Layer 6 for the dialects of Vulkan: `<dialect>/expected.json` was recorded by `record-vulkan.mjs` from the driver it
 * names, which ran the sources as they are (by way of glslang). Each source is simulated; so is its translation to
 * each dialect, read back, and that one's translation back; and drivers run the translations.
 */
import { describe, expect, test } from "vitest";
import { translate } from "../../src/index.js";
import type { TwoWayDialect } from "../../src/index.js";
import { deviceTest } from "../device/device-test.js";
import { judgeOutputs, judgeable, judges, refusals } from "../support/judges/outputs.js";
import { judgeTest } from "../support/tool-test.js";
import { differences, recordedKernels } from "./recorded.js";
import type { RecordedKernel } from "./recorded.js";

const dialects = ["msl", "glsl", "hlsl", "opencl"] as const;

/** What a target cannot do, by `<source dialect>/<kernel> <target>`. */
const refused: Readonly<Record<string, string>> = {};

/** What drivers or glslang's HLSL cannot run, or run otherwise than HLSL says: docs/devices.md. */
const notOnDevice: Readonly<Record<string, RegExp>> = {
  "glsl/bits opencl": /cl_khr_fp16/,
  "glsl/bits hlsl": /'select'/,
  "glsl/choices hlsl": /'select'/,
  "glsl/floats hlsl": /'select'/,
  "hlsl/floats opencl": /cl_khr_fp16/,
  "hlsl/waves opencl": /cl_khr_subgroup/,
};

/** Of the kernels themselves, which the simulator, compilers and drivers are each asked about. */
const translations = new Map<string, ReturnType<typeof translate>>();

function translated(k: RecordedKernel, to: TwoWayDialect): ReturnType<typeof translate> {
  const key = `${k.from}/${k.name} ${to}`;
  const made = translations.get(key) ?? toDialect(k, k.text, k.from, to);
  translations.set(key, made);
  return made;
}

function toDialect(
  k: RecordedKernel,
  text: string,
  from: TwoWayDialect,
  to: TwoWayDialect,
): ReturnType<typeof translate> {
  return translate(text, { from, to, workgroupSize: [k.launch.workgroupSize[0], 1, 1] });
}

const recordedDialects = ["glsl", "hlsl"] as const;

describe.each(recordedDialects)("%s", (from) => {
  const kernels = recordedKernels(from);

  describe.each(kernels.map((k) => [k.name, k] as const))("%s computes what the driver does", (name, k) => {
    test("itself", async () => expect(await differences(k, k.text, from)).toBe(""));

    test.each(dialects)("in %s, and back", async (to) => {
      const there = await translated(k, to);
      const code = refused[`${from}/${name} ${to}`];
      const errors = there.diagnostics.filter((d) => d.severity === "error");
      expect([...new Set(errors.map((d) => d.code))], errors[0]?.message).toEqual(code ? [code] : []);
      if (code) return;
      expect(await differences(k, there.code!, to)).toBe("");
      if (to === from) return;
      const back = await toDialect(k, there.code!, to, from);
      expect(back.diagnostics.filter((d) => d.severity === "error")).toEqual([]);
      expect(await differences(k, back.code!, from)).toBe("");
    });
  });

  describe("a compiler takes the texts", () => {
    for (const to of dialects) {
      judgeTest(judges[to], `in ${to}`, async () => {
        const texts = await Promise.all(
          kernels.map(async (k) => ({ name: k.name, code: (await translated(k, to)).code })),
        );
        expect(
          refusals(
            await judgeOutputs(
              texts.flatMap(({ name, code }) => (code === undefined ? [] : [judgeable(to, name, code)])),
            ),
          ),
        ).toBe("");
      });
    }
  });
});

for (const from of recordedDialects) {
  for (const to of ["glsl", "hlsl", "opencl"] as const) {
    await deviceTest(to === "opencl" ? "opencl" : "vulkan", `${from} in ${to}, on a driver`, async () => {
      for (const k of recordedKernels(from)) {
        const key = `${from}/${k.name} ${to}`;
        const { code } = await translated(k, to);
        if (code === undefined) continue;
        expect(`${k.name} ${await differences(k, code, to, to === "opencl" ? "opencl" : "vulkan")}`).toMatch(
          notOnDevice[key] ?? /^\S+ $/,
        );
      }
    });
  }
}
