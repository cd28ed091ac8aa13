/** The real programs of test/atomics on drivers, each translated from another dialect: workgroups that talk to each other while they run. */
import { expect } from "vitest";
import { translate } from "../../src/index.js";
import { programs, type Program } from "../atomics/programs.js";
import { deviceTest } from "./device-test.js";
import { runHere } from "./run-here.js";

const [scan, list, , queue] = programs as readonly [Program, Program, Program, Program];

for (const [api, to, from, which] of [
  // PoCL takes seconds to compile one.
  ["opencl", "opencl", "hlsl", [scan, queue]],
  // Without the list: lavapipe of Mesa 22.3 leaves its loop too soon, in GLSL written by hand as well (docs/devices.md).
  ["vulkan", "glsl", "opencl", programs.filter((p) => p !== list)],
] as const)
  for (const { name, texts, workgroups, args, wrongWith } of which)
    await deviceTest(api, `${api}: ${name}`, async () => {
      const { code } = await translate(texts[from], { from, to });
      // lavapipe gives a wait up after 65535 rounds (docs/devices.md), which on a busy machine may be before another workgroup's turn.
      const most = api === "vulkan" ? 5 : 1;
      let wrong: string | undefined;
      for (let n = 0; n === 0 || (wrong !== undefined && n < most); n++) {
        const { buffers, diagnostics } = await runHere(code!, {
          from: to,
          device: api,
          optimize: false,
          workgroups: [workgroups],
          args: args(),
        });
        expect(diagnostics.filter((d) => d.severity === "error").map((d) => d.message)).toEqual([]);
        wrong = wrongWith(buffers as Record<string, Int32Array>);
      }
      expect(wrong).toBeUndefined();
    });
