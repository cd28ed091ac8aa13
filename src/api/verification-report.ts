/** What a page about one verification shows, gathered by running again: coverage of both texts, and lanes over time. */
import type { BoundLaunch } from "../launch/bind.js";
import { isSourceDialect } from "../dialects/ids.js";
import { locate } from "../support/expanded-source.js";
import { addCovered, linesRun, type LineState } from "../verify/coverage.js";
import { lanesOverTime, type LanesAt } from "../verify/lanes-over-time.js";
import type { VerifyResult } from "../verify/result.js";
import type { Runner } from "../verify/verify.js";
import { simulatorRunner } from "./runners.js";
import { readTranslation } from "./read-translation.js";
import type { ReadySource, TargetVerification } from "./verify.js";

/** A text with what is known of its lines, which count from 1. */
export interface ReportedText {
  readonly name: string;
  readonly text: string;
  readonly lines: ReadonlyMap<number, LineState>;
  /** Lines that are not the same program as the other text's. */
  readonly apart: ReadonlySet<number>;
}

export interface ReportedTarget {
  readonly result: VerifyResult;
  readonly source: ReportedText;
  /** Absent where the target refuses the source. */
  readonly translation?: ReportedText;
}

export interface Picture {
  readonly launch: string;
  readonly workgroup: readonly [number, number, number];
  readonly subgroupSize: number;
  readonly lanes: number;
  readonly rows: readonly PictureRow[];
  /** It went on. */
  readonly cut: boolean;
}

export interface PictureRow extends Pick<LanesAt, "lanes"> {
  /** Line of the source; absent for barriers. */
  readonly line?: number;
  /** `true` and the like: the way a condition went. */
  readonly way?: string;
}

export interface ReportedFile {
  readonly name: string;
  readonly entry: string;
  readonly launches: readonly BoundLaunch[];
  readonly subgroupSizes: ReadonlyMap<BoundLaunch, readonly number[]>;
  readonly targets: readonly ReportedTarget[];
  readonly pictures: readonly Picture[];
}

/** More rows of a picture are not looked at by anyone. */
const mostRows = 400;

export async function reportedFile(
  ready: ReadySource,
  verifications: readonly TargetVerification[],
): Promise<ReportedFile> {
  const { compilation, launches, subgroupSizes, entry } = ready;
  const targets: ReportedTarget[] = [];
  const covered = await coveredBy(ready.source, ready);
  for (const { result, translation, launches: ran } of verifications) {
    const differences = result.program?.differences ?? [];
    const source: ReportedText = {
      name: compilation.fileName,
      text: compilation.source,
      lines: ready.source.coverable
        ? linesRun(ready.source.coverable, covered, compilation.fileName)
        : new Map<number, LineState>(),
      apart: linesIn(
        differences.flatMap((d) => d.source),
        compilation.fileName,
      ),
    };
    const { output, target } = translation;
    if (!output) {
      targets.push({ result, source });
      continue;
    }
    const read = isSourceDialect(target) ? await readTranslation(compilation, translation) : undefined;
    const known = read && "compilation" in read ? read : undefined;
    const made =
      known &&
      (await simulatorRunner(known.compilation, known.entry, {
        ...(known.translated ? { translated: known.translated } : {}),
        coverage: true,
        threads: ready.threads,
      }));
    const runner = made && "runner" in made ? made.runner : undefined;
    const name = known?.compilation.fileName ?? `${entry.name}.${target}`;
    targets.push({
      result,
      source,
      translation: {
        name,
        text: output.code,
        lines: runner?.coverable
          ? linesRun(runner.coverable, await coveredBy(runner, { ...ready, launches: ran }), name)
          : new Map<number, LineState>(),
        apart: linesIn(
          differences.flatMap((d) => d.translation),
          name,
        ),
      },
    });
  }
  return {
    name: compilation.fileName,
    entry: entry.name,
    launches,
    subgroupSizes: new Map(launches.map((l) => [l, subgroupSizes(l)])),
    targets,
    pictures: await picturesOf(ready, verifications),
  };
}

const linesIn = (places: readonly { readonly file: string; readonly line: number }[], file: string): Set<number> =>
  new Set(places.flatMap((p) => (p.file === file ? [p.line] : [])));

async function coveredBy(runner: Runner, { launches, subgroupSizes }: ReadySource): Promise<Uint8Array> {
  const covered = new Uint8Array(runner.coverable?.points.length ?? 0);
  for (const launch of launches)
    for (const subgroupSize of subgroupSizes(launch))
      addCovered(covered, (await runner.run(launch, { subgroupSize, seed: 1 })).covered);
  return covered;
}

/** Of the launch with the first difference, else of the first: its first and last workgroup, and the one that differs. */
async function picturesOf(ready: ReadySource, verifications: readonly TargetVerification[]): Promise<Picture[]> {
  const { source, launches, subgroupSizes, compilation } = ready;
  const { coverable } = source;
  const difference = verifications.map((v) => v.result.firstDifference).find((d) => d !== undefined);
  const at = difference?.run;
  const sizeAt = at?.workgroupSize.join();
  const launch = launches.find((l) => l.label === at?.launch && l.workgroupSize.join() === sizeAt) ?? launches[0]!;
  const subgroupSize = difference?.run.subgroupSize ?? subgroupSizes(launch)[0];
  if (!coverable || !source.trace || subgroupSize === undefined) return [];
  const [x, y, z] = launch.workgroups;
  const wrote = difference?.source.writer?.workgroup;
  const wanted = [...new Set([0, ...(wrote ? [wrote[0] + x * (wrote[1] + y * wrote[2])] : []), x * y * z - 1])];
  const trace = await source.trace(launch, { subgroupSize, seed: 1 }, wanted);
  return [...trace.events].map(([index, events]): Picture => {
    const rows = lanesOverTime(events);
    return {
      launch: launch.label,
      workgroup: [index % x, Math.floor(index / x) % y, Math.floor(index / (x * y))],
      subgroupSize,
      lanes: launch.workgroupSize.reduce((a, b) => a * b),
      cut: trace.cut.has(index) || rows.length > mostRows,
      rows: rows.slice(0, mostRows).map(({ at, lanes }): PictureRow => {
        if (at === "barrier") return { lanes };
        const { statements, branch } = coverable.points[at]!;
        const span = statements[0] ?? branch?.span;
        return {
          lanes,
          ...(span ? { line: locate(compilation.expanded, span).line } : {}),
          ...(branch ? { way: branch.way } : {}),
        };
      }),
    };
  });
}
