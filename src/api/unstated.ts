/**
 * What a source has that does not end a comparison, since both sides may well do the same: races, reads of memory nobody
 * wrote, integers that overflow. It is looked for once, on the smallest launch, and said beside the answer.
 */
import type { EntryPoint } from "../ast/nodes.js";
import type { FindingKind } from "../sim/index.js";
import type { Diagnostic } from "../support/diagnostics.js";
import type { BoundLaunch } from "../launch/bind.js";
import type { Compilation } from "./compile.js";
import { simulatorRunner } from "./runners.js";

const looked: readonly FindingKind[] = ["data-race", "same-value-race", "uninitialized-read", "integer-overflow"];

/** Notes that are shown; the first ones stand for the rest. */
const most = 4;

export async function sourceNotes(
  compilation: Compilation,
  entry: EntryPoint,
  launches: readonly BoundLaunch[],
  widthsOf: (launch: BoundLaunch) => readonly number[],
  threads: number | undefined,
): Promise<readonly Diagnostic[]> {
  const made = await simulatorRunner(compilation, entry, { findings: looked, threads });
  const [launch] = launches.toSorted((a, b) => invocations(a) - invocations(b));
  const width = launch && widthsOf(launch)[0];
  if ("diagnostics" in made || width === undefined) return [];
  const { findings } = await made.runner.run(launch!, { subgroupSize: width, seed: 1 });
  const notes = findings
    .slice(0, most)
    .map((f): Diagnostic => ({ ...f, severity: "note", message: `the source: ${f.message}` }));
  const left = findings.length - most;
  return left > 0
    ? [
        ...notes.slice(0, -1),
        { ...notes.at(-1)!, notes: [...notes.at(-1)!.notes, { message: `and ${left} more places` }] },
      ]
    : notes;
}

const invocations = ({ gridSize }: BoundLaunch): number => gridSize[0] * gridSize[1] * gridSize[2];
