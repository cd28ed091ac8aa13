/** Which lanes come where, and in which order: of some workgroups of a run. */

export interface TraceEvent {
  /** Of coverage; -1 is a barrier. */
  readonly point: number;
  /** In the order of their numbers. */
  readonly lanes: readonly number[];
}

/** More events of one workgroup are left out. */
const mostEvents = 100_000;

export class Trace {
  readonly events = new Map<number, TraceEvent[]>();
  /** Workgroups some of whose events were left out. */
  readonly cut = new Set<number>();

  constructor(workgroups: readonly number[]) {
    for (const w of workgroups) this.events.set(w, []);
  }

  /** Of a run that takes the place of the one before. */
  restart(): void {
    for (const list of this.events.values()) list.length = 0;
    this.cut.clear();
  }

  came(workgroup: number, point: number, first: number, end: number, wait: Uint8Array): void {
    const events = this.events.get(workgroup);
    if (!events) return;
    if (events.length >= mostEvents) return void this.cut.add(workgroup);
    const lanes: number[] = [];
    for (let lane = first; lane < end; lane++) if (wait[lane] === 0) lanes.push(lane);
    if (lanes.length > 0) events.push({ point, lanes });
  }
}
