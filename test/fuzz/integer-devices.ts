/** The kernels of `integer-functions`, and their translations, on drivers. */
import type { TwoWayDialect } from "../../src/dialects/ids.js";
import type { DeviceApi } from "../../src/device/kernel.js";
import { missingFor } from "../device/device-test.js";
import { caseOf, show, textsOf, wrongWords } from "./integer-functions.js";
import type { FuzzFailure, FuzzOutcome, FuzzSuite } from "./suite.js";
import { runHere } from "../device/run-here.js";

const apis: Partial<Record<TwoWayDialect, DeviceApi>> = { opencl: "opencl", glsl: "vulkan" };
const missing = [...(await missingFor("opencl")), ...(await missingFor("vulkan"))];

async function run(seed: number, cases: number): Promise<FuzzOutcome> {
  const failures: FuzzFailure[] = [];
  let decided = 0;
  for (let s = seed; s < seed + cases; s++) {
    const c = caseOf(s);
    const { texts } = await textsOf(c);
    for (const { dialect, text } of texts) {
      const api = apis[dialect];
      if (!api) continue;
      const { buffers, diagnostics } = await runHere(text, {
        from: dialect,
        device: api,
        workgroups: [1],
        workgroupSize: [c.lanes],
        args: { src: c.source.slice(), dst: new Uint32Array(c.expected.length) },
      });
      const errors = diagnostics.filter((d) => d.severity === "error");
      // Types the device does not have.
      if (errors.some((d) => d.code === "XL7010" || d.code === "XL7011" || d.code === "XL7002")) continue;
      const where = dialect === c.dialect ? dialect : `${c.dialect} to ${dialect}`;
      decided++;
      if (errors.length > 0)
        failures.push({
          seed: s,
          what: `${where} ${show(c.type)} on ${api}: ${errors[0]!.code} ${errors[0]!.message}`,
          text,
        });
      else
        for (const line of wrongWords(c, buffers["dst"] as Uint32Array))
          failures.push({ seed: s, what: `${where} on ${api}: ${line}`, text });
    }
  }
  return { cases: decided, failures };
}

export const integerDevices: FuzzSuite = {
  name: "integer-devices",
  about: "integer functions and operators, and their translations, on OpenCL and Vulkan drivers against whole numbers",
  sample: { seed: 1, cases: 4 },
  missing: () => missing,
  run,
};
