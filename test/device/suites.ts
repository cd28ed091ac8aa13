/**
 * What runs on devices, by the tests here and by `npm run test:device`. To add a suite: a file beside this one, and a line
 * here. scripts/bundle-suites.mjs joins them, for machines that have what is built and nothing else.
 */
import { crossLaneSuite } from "./cross-lane-suite.js";
import { fixtureSuite } from "./fixture-suite.js";
import type { Suite } from "./outcomes.js";
import { quadSuite } from "./quad-suite.js";

export { notReadReasons } from "./explained.js";
export { show, summary, unexplained } from "./outcomes.js";
export const suites: readonly Suite[] = [fixtureSuite, quadSuite, crossLaneSuite];
