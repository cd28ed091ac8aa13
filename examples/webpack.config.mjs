import { resolve } from "node:path";
import { crosslane } from "crosslane/webpack";

export default {
  mode: "production",
  entry: "./src/main.js",
  output: { path: resolve("dist"), filename: "main.js" },
  plugins: [crosslane()],
};
