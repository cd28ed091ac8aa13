/** Lines several commands print. */
import type { LeftOutDeclaration, Remark } from "../api/types.js";
import { isEverywhere } from "../ast/assumptions.js";
import type { Dialect } from "../dialects/ids.js";
import type { Location } from "../support/diagnostics.js";
import { showLocation } from "../support/render.js";
import type { SourceInput } from "../build/files.js";
import { shownName } from "../build/files.js";
import type { FirstDifference, MutantScore, SameProgram, VerifyResult, Writer } from "../verify/result.js";
import { orderOf } from "../verify/verify.js";
import type { Terminal } from "./terminal.js";

interface Remarks {
  readonly emulations: readonly Remark[];
  readonly assumptions: readonly Remark[];
}

/** Emulations and assumptions of a translation, on standard error. */
export function showRemarks(
  terminal: Terminal,
  target: Dialect | "ts",
  remarks: Remarks,
  leftOut: readonly LeftOutDeclaration[],
  isNew: (lines: string) => boolean,
): void {
  if (terminal.level === "quiet") return;
  const lines = [...remarkLines(remarks), ...leftOutLines(leftOut)].map((line) => `${target}: ${line}\n`).join("");
  if (isNew(lines)) terminal.err(lines);
}

/** Names that are shown; with --format json all are. */
const mostNames = 8;

/** One line for each file and reason. */
export function leftOutLines(leftOut: readonly LeftOutDeclaration[]): string[] {
  const groups = new Map<string, LeftOutDeclaration[]>();
  for (const d of leftOut) {
    const why = d.diagnostic ? `: ${d.diagnostic.code} ${d.diagnostic.message}` : "";
    const key = `of ${d.file}, which no kernel needs${why}`;
    groups.set(key, [...(groups.get(key) ?? []), d]);
  }
  return [...groups].map(([key, list]) => {
    const kinds = new Map<string, number>();
    for (const d of list) kinds.set(d.kind, (kinds.get(d.kind) ?? 0) + 1);
    const counts = [...kinds].map(
      ([kind, n]) => `${n} ${kindWords[kind as LeftOutDeclaration["kind"]][n === 1 ? 0 : 1]}`,
    );
    const names = list.flatMap((d) => d.names.slice(0, 1));
    const more = names.length > mostNames ? ` and ${names.length - mostNames} more` : "";
    return `left out: ${counts.join(", ")} ${key} (${names.slice(0, mostNames).join(", ")}${more})`;
  });
}

const kindWords: Readonly<Record<LeftOutDeclaration["kind"], readonly [string, string]>> = {
  function: ["function", "functions"],
  type: ["type", "types"],
  variable: ["variable", "variables"],
  interface: ["part of the interface", "parts of the interface"],
};

/** Places that are named; with --format json all are. */
const mostApart = 8;

/** What can be said of a translation without a run: what that takes for granted, or what rests on runs alone. */
export function programLines({ same, takenForGranted, differences, reasons }: SameProgram): string[] {
  if (same) return takenForGranted.map((x) => `taken for granted: ${x}`);
  const lines = new Map<string, Set<number>>();
  for (const { source } of differences)
    for (const { file, line } of source) lines.set(file, (lines.get(file) ?? new Set<number>()).add(line));
  const places = [...lines].map(([file, set]) => {
    const all = [...set].sort((a, b) => a - b);
    const more = all.length > mostApart ? ` and ${all.length - mostApart} more` : "";
    return `${file}:${all.slice(0, mostApart).join(", ")}${more}`;
  });
  const added = places.length === 0 && differences.length > 0 ? ["statements that the translation adds"] : [];
  return [`rests on runs alone: ${[...places, ...added, ...reasons].join("; ")}`];
}

/** Of one text, without what `everywhereLines` says of all. */
export function remarkLines({ emulations, assumptions }: Remarks): string[] {
  return [
    ...emulations.map((r) => `emulated: ${about(r)}${places(r)}`),
    ...assumptions.filter(({ op }) => !isEverywhere(op)).map(assumedLine),
  ];
}

const assumedLine = (r: Remark): string => `assumed: ${about(r)}${places(r)}`;

export interface TextRemarks extends Pick<Remarks, "assumptions"> {
  readonly target: Dialect | "ts";
}

/** What nearly every text takes for granted, once for all texts of a file. */
export function everywhereLines(texts: readonly TextRemarks[]): string[] {
  const found = new Map<string, { remark: Remark; targets: Set<string>; locations: Map<string, Location> }>();
  for (const { target, assumptions } of texts)
    for (const remark of assumptions) {
      if (!isEverywhere(remark.op)) continue;
      const all = found.get(remark.message) ?? { remark, targets: new Set(), locations: new Map() };
      found.set(remark.message, all);
      all.targets.add(target);
      for (const l of remark.locations) all.locations.set(`${l.file}:${l.line}`, l);
    }
  return [...found.values()].map(
    ({ remark, targets, locations }) =>
      `${[...targets].join(", ")}: ${assumedLine({ ...remark, locations: [...locations.values()] })}`,
  );
}

/** The same, on standard error. */
export function showEverywhere(
  terminal: Terminal,
  texts: readonly TextRemarks[],
  isNew: (lines: string) => boolean,
): void {
  if (terminal.level === "quiet") return;
  const lines = everywhereLines(texts)
    .map((line) => `${line}\n`)
    .join("");
  if (isNew(lines)) terminal.err(lines);
}

/** What is said of an emulated op calls it as the source does. */
const about = ({ op, message, cost }: Remark): string =>
  cost !== undefined || message.includes(op) ? message : `${op}: ${message}`;

function places({ locations }: Remark): string {
  if (locations.length === 0) return "";
  const first = locations.slice(0, 3).map((l) => `${l.file}:${l.line}`);
  const more = locations.length - first.length;
  return ` (${first.join(", ")}${more > 0 ? ` and ${more} more` : ""})`;
}

/** The first difference: what, where, and who wrote it on both sides. */
export function differenceLines(d: FirstDifference, target: Dialect | "ts"): string[] {
  const { run } = d;
  // Who wrote is known of the runs in order only.
  const by = (w: Writer | undefined): string => (run.schedule === undefined ? writer(w) : "");
  const what = d.multiset ? "has elements the source does not leave" : "differs";
  return [
    `${d.buffer}[${d.index}] (${d.type}) ${what}: ${d.count} number${d.count === 1 ? "" : "s"} in all`,
    `  source        ${d.source.value} (${d.source.hex})${by(d.source.writer)}`,
    `  ${target.padEnd(13)} ${d.translation.value} (${d.translation.hex})${by(d.translation.writer)}`,
    `  in ${run.launch}, ${run.workgroups.join(" x ")} workgroups of ${run.workgroupSize.join(" x ")}, subgroup width ${run.subgroupSize}, seed ${run.seed}${orderOf(run)}`,
  ];
}

/** That there is more than one text, and which of them is shown. */
export function sizeLines([first, ...others]: NonNullable<VerifyResult["workgroupSizes"]>): string[] {
  const shown = (size: readonly number[] | undefined): string => size?.join(" x ") ?? "";
  const further = `launches of ${others.map(shown).join(", ")} ran on ${others.length === 1 ? "a text" : "texts"} for ${others.length === 1 ? "that size" : "those sizes"}`;
  return [`written for workgroups of ${shown(first)}; ${further}`];
}

/** How many planted faults the launches noticed, and those that would pass. */
export function mutantLines({ planted, noticed, unnoticed, workgroupSize }: MutantScore): string[] {
  if (planted === 0) return ["no fault can be planted in it"];
  const lines = unnoticed.map(({ location: l, change, line }) => `  ${l.line}:${l.column} ${change}: ${line}`);
  const pass = unnoticed.length === 0 ? "" : "; these would pass, or mean the same:";
  const by = workgroupSize ? ` by launches with workgroups of ${workgroupSize.join(" x ")}` : "";
  return [`${noticed} of ${planted} planted fault${planted === 1 ? "" : "s"} noticed${by}${pass}`, ...lines];
}

function writer(w: Writer | undefined): string {
  if (w === undefined) return ", written by nobody known";
  const place = w.location ? ` at ${showLocation(w.location)}` : "";
  return `, written by workgroup (${w.workgroup.join(", ")}) lane ${w.lane}${place}`;
}

/** `lib/scale.h changed; 3 inputs`: why a watch does something, and for how many. */
export function describeChange(
  changed: ReadonlySet<string>,
  affected: readonly Pick<SourceInput, "name">[],
  cwd: string,
): string {
  const names = changed.size > 0 ? [...changed].map((f) => shownName(f, cwd)) : affected.map((i) => i.name);
  const more = names.length > 3 ? ` and ${names.length - 3} more` : "";
  const what = changed.size > 0 ? "changed" : "appeared";
  const inputs = affected.length === 0 ? "" : `; ${affected.length} ${affected.length === 1 ? "input" : "inputs"}`;
  return `${names.slice(0, 3).join(", ")}${more} ${what}${inputs}`;
}
