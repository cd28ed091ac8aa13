/** Functions of double in HLSL, as DXC compiles them and lavapipe computes them, against arithmetic of whole numbers. */
import { expect } from "vitest";
import { translate } from "../../src/index.js";
import {
  doubleArguments,
  doubleFunctions,
  doubleKernel,
  doubleOperands,
  wrongDoubles,
} from "../support/double-functions.js";
import { missingPrograms } from "../support/judges/judge.js";
import { toolTest } from "../support/tool-test.js";
import { missingFor } from "./device-test.js";
import { runHere } from "./run-here.js";

const lanes = 32;
const count = 512;
const operands = doubleOperands(count);
/** These take subnormal numbers for what they are, though the driver may not. */
const whole = new Set("floor ceil trunc rint round sqrt isnan isinf isfinite isnormal copysign".split(" "));
const missing = [...(await missingFor("vulkan")), ...missingPrograms(["dxc", "dxil_to_spirv"])];

for (const f of doubleFunctions)
  toolTest(missing, `${f.name} of doubles in HLSL is exact as DXC compiles it`, async () => {
    const { code } = await translate(doubleKernel(f), { from: "opencl", to: "hlsl", workgroupSize: [lanes, 1, 1] });
    const ran = await runHere(code!, {
      from: "hlsl",
      device: "vulkan",
      hlslCompiler: "dxil",
      workgroups: [count / lanes],
      args: doubleArguments(operands),
    });
    expect(ran.diagnostics.filter((d) => d.severity === "error").map((d) => d.message)).toEqual([]);
    expect(wrongDoubles(f, ran.buffers["r"] as Uint32Array, operands, { flushed: !whole.has(f.name) }), code).toEqual(
      [],
    );
  });
