import { crosslane } from "crosslane/esbuild";
import { build } from "esbuild";

await build({
  entryPoints: ["src/main.js"],
  outdir: "dist",
  bundle: true,
  format: "esm",
  plugins: [crosslane()],
  logLevel: "warning",
});
