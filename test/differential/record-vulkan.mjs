// Records what a Vulkan driver computes for the GLSL and HLSL kernels below this folder: glslang compiles the sources as
// they are, and crosslane's own simulator and printers have no part in it. Uses the built package.
//
//   node test/differential/record-vulkan.mjs "llvmpipe (Mesa 22.3.6)"
import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { dirname, extname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { runOnDevice } from "../../dist/src/index.js";
import { launchOf } from "./launch.mjs";

const here = dirname(fileURLToPath(import.meta.url));
const driver = process.argv[2];
if (!driver) throw new Error("usage: node test/differential/record-vulkan.mjs NAME-AND-VERSION-OF-THE-DRIVER");
for (const from of ["glsl", "hlsl"]) {
  const kernels = {};
  for (const file of readdirSync(join(here, from))
    .filter((f) => !f.endsWith(".json"))
    .sort()) {
    const text = readFileSync(join(here, from, file), "utf8");
    const { buffers, diagnostics } = await runOnDevice(text, { from, device: "vulkan", here: true, ...launchOf(text) });
    const errors = diagnostics.filter((d) => d.severity === "error");
    if (errors.length > 0) {
      process.exitCode = 1;
      console.error(`${file}: ${errors.map((d) => `${d.location?.line ?? ""} ${d.message}`).join("; ")}`);
      continue;
    }
    kernels[file.slice(0, -extname(file).length)] = Buffer.from(buffers.dst.buffer).toString("base64");
  }
  writeFileSync(join(here, from, "expected.json"), `${JSON.stringify({ driver, kernels }, undefined, 1)}\n`);
}
