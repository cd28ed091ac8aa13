import { crosslane } from "crosslane/vite";

export default {
  plugins: [crosslane()],
  build: { lib: { entry: "src/main.js", formats: ["es"], fileName: () => "main.js" } },
};
