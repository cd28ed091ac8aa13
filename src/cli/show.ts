/** Lines several commands print. */
import type { Remark } from "../api/types.js";
import type { Target } from "../dialects/ids.js";
import { showLocation } from "../support/render.js";
import type { FirstDifference, Writer } from "../verify/result.js";
import type { Terminal } from "./terminal.js";

interface Remarks {
  readonly emulations: readonly Remark[];
  readonly assumptions: readonly Remark[];
}

/** Emulations and assumptions of a translation, on standard error. */
export function showRemarks(terminal: Terminal, target: Target, remarks: Remarks): void {
  for (const line of remarkLines(remarks)) terminal.err(`${target}: ${line}\n`);
}

export function remarkLines({ emulations, assumptions }: Remarks): string[] {
  return [
    ...emulations.map((r) => `emulated: ${about(r)}${places(r)}`),
    ...assumptions.map((r) => `assumed: ${about(r)}${places(r)}`),
  ];
}

const about = ({ op, message }: Remark): string => (message.includes(op) ? message : `${op}: ${message}`);

function places({ locations }: Remark): string {
  if (locations.length === 0) return "";
  const first = locations.slice(0, 3).map((l) => `${l.file}:${l.line}`);
  const more = locations.length - first.length;
  return ` (${first.join(", ")}${more > 0 ? ` and ${more} more` : ""})`;
}

/** The first difference: what, where, and who wrote it on both sides. */
export function differenceLines(d: FirstDifference, target: Target): string[] {
  const { run } = d;
  const what = d.multiset ? "has elements the source does not leave" : "differs";
  return [
    `${d.buffer}[${d.index}] (${d.type}) ${what}: ${d.count} number${d.count === 1 ? "" : "s"} in all`,
    `  source        ${d.source.value} (${d.source.hex})${writer(d.source.writer)}`,
    `  ${target.padEnd(13)} ${d.translation.value} (${d.translation.hex})${writer(d.translation.writer)}`,
    `  in ${run.launch}, ${run.workgroups.join(" x ")} workgroups of ${run.workgroupSize.join(" x ")}, subgroup width ${run.subgroupSize}, seed ${run.seed}`,
  ];
}

function writer(w: Writer | undefined): string {
  if (w === undefined) return ", written by nobody known";
  const place = w.location ? ` at ${showLocation(w.location)}` : "";
  return `, written by workgroup (${w.workgroup.join(", ")}) lane ${w.lane}${place}`;
}
