import { nodeResolve } from "@rollup/plugin-node-resolve";
import { crosslane } from "crosslane/rollup";

export default {
  input: "src/main.js",
  output: { dir: "dist", format: "es", sourcemap: true },
  plugins: [crosslane(), nodeResolve()],
};
