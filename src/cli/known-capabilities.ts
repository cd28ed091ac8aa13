/** What the build left beside the command line (scripts/capabilities.mjs): rows of all ops, of every target under its default profile. */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { CapabilityRow } from "../api/capabilities.js";
import type { TargetDialect } from "../dialects/ids.js";

/** By op; absent where the program is not built, or is not whole. */
export function knownCapabilities(target: TargetDialect | undefined): ReadonlyMap<string, CapabilityRow> | undefined {
  const own = import.meta.url;
  if (!fileURLToPath(own).endsWith("main.cjs")) return undefined;
  try {
    const rows = JSON.parse(readFileSync(new URL("capabilities.json", own), "utf8")) as readonly CapabilityRow[];
    return new Map(rows.map((row) => [row.op, target === undefined ? row : only(row, target)]));
  } catch {
    return undefined;
  }
}

const only = (row: CapabilityRow, target: TargetDialect): CapabilityRow => {
  const capability = row.targets[target];
  return { ...row, targets: capability ? { [target]: capability } : {} };
};
