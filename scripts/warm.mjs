/** Runs a few commands and keeps the code V8 compiled for them; see bundle.mjs. The argument says which: "all", or "text", those that run no kernel. */
import { writeFileSync } from "node:fs";
import { cacheFiles, load, setFlags } from "../bin/load.js";

const kind = process.argv[2];
setFlags();
const { main, script } = load();
const extensions = { msl: "metal", glsl: "comp", opencl: "cl", hlsl: "hlsl" };
for (const [from, extension] of Object.entries(extensions)) {
  for (const to of Object.keys(extensions).filter((t) => t !== from)) {
    await main(["translate", `fixtures/reduce_tree/kernel.${extension}`, "--to", to]);
  }
  if (kind === "all")
    await main(["verify", `fixtures/reduce_tree/kernel.${extension}`, "--to", "msl,glsl,opencl,hlsl,ts"]);
}
writeFileSync(cacheFiles[kind], script.createCachedData());
process.exitCode = 0;
