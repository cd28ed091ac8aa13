// What a page does with the package: no flag, no alias, no stand-in.
import { runOnDevice, simulate, translate, verify } from "crosslane";

const saxpy = `
__kernel void saxpy(uint n, float a, __global const float *x, __global float *y) {
  uint i = get_global_id(0);
  if (i < n) y[i] = a * x[i] + y[i];
}`;
const launch = () => ({
  from: "opencl",
  gridSize: [3],
  workgroupSize: [4],
  args: { n: 3, a: 2, x: new Float32Array([1, 2, 3]), y: new Float32Array([10, 20, 30]) },
});

globalThis.parts = {
  translate: () => translate(saxpy, { from: "opencl", to: "msl" }),
  refuse: () => translate("__kernel void f(__global int *x) { x[0] = y; }", { from: "opencl", to: "glsl" }),
  simulate: async () => {
    const { buffers, findings, diagnostics } = await simulate(saxpy, launch());
    return { y: [...buffers.y], findings, diagnostics };
  },
  verify: () => verify(saxpy, { from: "opencl", to: "hlsl", workgroupSize: [64, 1, 1] }),
  judge: () => verify(saxpy, { from: "opencl", to: "glsl", workgroupSize: [64, 1, 1], judge: true }),
  device: () => runOnDevice(saxpy, { ...launch(), device: "opencl" }),
  typescript: () => translate(saxpy, { from: "opencl", to: "ts" }),
};
