/** What a workgroup did, as a picture has it: a row for each time that lanes came somewhere together, downwards in time. */
import { append } from "../support/append.js";
import type { PointId } from "../regions/tree.js";
import type { TraceEvent } from "../sim/index.js";

export interface LanesAt {
  /** "barrier": all that are shown waited there for each other. */
  readonly at: PointId | "barrier";
  /** In the order of their numbers. */
  readonly lanes: readonly number[];
}

/**
 * The simulator runs lanes one after the other from one boundary to the next: what several lanes do there is one row where they come to
 * the same place in the same order. A lane that does not come to a place is not in its row.
 */
export function lanesOverTime(events: readonly TraceEvent[]): readonly LanesAt[] {
  const rows: LanesAt[] = [];
  let run: Map<number, PointId[]> = new Map();
  let last = -1;
  const end = (): void => {
    append(rows, merged(run));
    run = new Map();
    last = -1;
  };
  for (const { point, lanes } of events) {
    const [lane] = lanes;
    if (point >= 0 && lanes.length === 1 && lane! >= last) {
      run.set(lane!, [...(run.get(lane!) ?? []), point]);
      last = lane!;
      continue;
    }
    end();
    if (point >= 0 && lanes.length === 1) {
      run.set(lane!, [point]);
      last = lane!;
    } else rows.push({ at: point < 0 ? "barrier" : point, lanes });
  }
  end();
  return rows;
}

/** A row for each place, in an order that is each lane's own. */
function merged(run: ReadonlyMap<number, readonly PointId[]>): LanesAt[] {
  const rows: { at: PointId; lanes: number[] }[] = [];
  for (const [lane, points] of run) {
    let next = 0;
    for (const at of points) {
      const found = rows.findIndex((r, i) => i >= next && r.at === at);
      if (found === -1) rows.splice(next++, 0, { at, lanes: [lane] });
      else {
        rows[found]!.lanes.push(lane);
        next = found + 1;
      }
    }
  }
  return rows;
}
