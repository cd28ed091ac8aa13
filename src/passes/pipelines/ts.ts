/** What executable TypeScript takes: its module needs entries, places and bounds settled, and machine ops do the rest. */
import { overflowChecks } from "../values/overflow-checks.js";
import type { Pass } from "../pass.js";
import { bounds, chosen, first, withoutPointers } from "./shared.js";

export const ts: readonly Pass[] = [...chosen, ...first, ...withoutPointers, ...bounds, overflowChecks];
