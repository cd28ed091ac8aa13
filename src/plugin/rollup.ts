import { createRollupPlugin } from "unplugin";
import { plugin } from "./plugin.js";

export type { CrosslaneOptions } from "./plugin.js";
export const crosslane = createRollupPlugin(plugin);
