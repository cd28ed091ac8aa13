/** What executable TypeScript takes: its module needs entries, places and bounds settled, and machine ops do the rest. */
import { printedTexts } from "../ops/printed-texts.js";
import { overflowChecks } from "../values/overflow-checks.js";
import type { Pass } from "../pass.js";
import { bounds, chosen, first, withoutPointers } from "./shared.js";

export const ts: readonly Pass[] = [...chosen, printedTexts, ...first, ...withoutPointers, ...bounds, overflowChecks];
