/** Runs a few commands and keeps the code V8 compiled for them; see bundle.mjs. */
import { writeFileSync } from "node:fs";
import { cacheFile, load, setFlags } from "../bin/load.js";

setFlags();
const { main, script } = load();
const extensions = { msl: "metal", glsl: "comp", opencl: "cl", hlsl: "hlsl" };
for (const [from, extension] of Object.entries(extensions)) {
  for (const to of Object.keys(extensions).filter((t) => t !== from)) {
    await main(["translate", `fixtures/reduce_tree/kernel.${extension}`, "--to", to]);
  }
  await main(["verify", `fixtures/reduce_tree/kernel.${extension}`, "--to", "msl,glsl,opencl,hlsl,ts"]);
}
writeFileSync(cacheFile, script.createCachedData());
process.exitCode = 0;
