/**
 * Who runs when, where lanes take turns: at every atomic, and in every pass of a loop that has some. In order, a lane runs until it
 * waits, and then the next one; by a seed, whoever the seed chooses, as long as it says. Both are the same on every machine.
 *
 * A lane waits that comes to the same place again and again while no atomic changes anything: what it looks for can then only come
 * from others. If everybody waits, another workgroup is started; if all have started, nobody can go on.
 */
import type { LaunchMemory } from "./launch-memory.js";
import type { Machine } from "./machine.js";

/** So often a lane finds everything as it was before it is taken to wait: loops that give up by themselves mostly have by then. */
const patience = 1000;
/** Turns in which nothing changes after which nothing will. */
const mostIdle = 2 ** 20;

/** Code that takes turns. */
export type Turns = Generator<undefined, void>;

/** Nobody can go on. */
export class Stuck extends Error {}

interface Task {
  readonly lane: number | undefined;
  readonly turns: Turns;
  site: number;
  changes: number;
  found: number;
}

interface Waiting {
  readonly group: number;
  readonly subgroup: number;
  readonly lane: number;
  readonly site: number;
}

export class Schedule {
  private changes = 0;
  private idle = 0;
  private state: number;
  /** Who waits, by the place that is looked at. */
  private readonly waiting = new Map<string, Waiting[]>();
  /** Where a lane stands that has taken its turn last. */
  private turn = { place: "", site: -1 };
  lastSite = -1;

  constructor(
    private readonly memory: LaunchMemory,
    /** None: in order. */
    private readonly seed: number | undefined,
  ) {
    this.state = (Math.imul((seed ?? 0) + 1, 0x9e3779b1) ^ 0x5bd1e995) >>> 0;
  }

  get random(): boolean {
    return this.seed !== undefined;
  }

  below(n: number): number {
    this.state = (this.state + 0x6d2b79f5) >>> 0;
    let x = this.state;
    x = Math.imul(x ^ (x >>> 15), x | 1);
    x ^= x + Math.imul(x ^ (x >>> 7), x | 61);
    return Math.floor((((x ^ (x >>> 14)) >>> 0) / 2 ** 32) * n);
  }

  /** A lane is about to access a place atomically. */
  comes(object: number, offset: number, site: number): undefined {
    this.turn = { place: this.placeOf(object, offset), site };
    return undefined;
  }

  private placeOf(object: number, offset: number): string {
    const own = this.memory.objects[object]?.kind === "buffer" ? "" : `.${this.memory.groupIndex}`;
    return `${object}.${offset}${own}`;
  }

  /** An atomic is about to change a place. */
  changed(object: number, offset: number, lane: number, width: number): void {
    this.changes++;
    this.idle = 0;
    if (this.waiting.size === 0) return;
    const place = this.placeOf(object, offset);
    const there = this.waiting.get(place);
    if (!there) return;
    this.waiting.delete(place);
    const subgroup = Math.floor(lane / width);
    for (const w of there) {
      if (w.group !== this.memory.groupIndex || w.subgroup !== subgroup || w.lane === lane) continue;
      const message =
        "this waits for what another invocation of its own subgroup does, which may not run before all of them go on";
      this.memory.find("no-forward-progress", w.site, w.lane, message);
    }
  }

  /** Runs lanes of a machine, or its subgroups, until all are through; gives the turn away where all of them wait. */
  *run(machine: Machine, tasks: Task[]): Turns {
    let at = 0;
    let waited = 0;
    while (tasks.length > 0) {
      at = this.random ? this.below(tasks.length) : at % tasks.length;
      const task = tasks[at]!;
      let burst = this.random ? [1, 2, 4, Infinity][this.below(4)]! : Infinity;
      let ended = false;
      let waits = false;
      while (burst-- > 0 && !waits && !ended) {
        ended = task.turns.next().done === true;
        if (!ended) waits = task.lane === undefined || this.waits(machine, task);
      }
      if (ended) {
        tasks.splice(at, 1);
        waited = 0;
        if (this.random) yield undefined;
        continue;
      }
      at++;
      waited = waits ? waited + 1 : 0;
      if (this.random ? this.below(2) === 0 : waited >= tasks.length) {
        waited = 0;
        yield undefined;
      }
    }
  }

  private waits(machine: Machine, task: Task): boolean {
    const { site, place } = this.turn;
    if (++this.idle > mostIdle) throw new Stuck();
    if (site !== task.site || task.changes !== this.changes) {
      task.site = site;
      task.changes = this.changes;
      task.found = 0;
      return false;
    }
    if (++task.found < patience) return false;
    this.lastSite = site;
    if (task.found === patience) {
      const lane = task.lane!;
      const mine = { group: this.memory.groupIndex, subgroup: Math.floor(lane / machine.width), lane, site };
      this.waiting.set(place, [...(this.waiting.get(place) ?? []), mine]);
    }
    return true;
  }

  task(lane: number | undefined, turns: Turns): Task {
    return { lane, turns, site: -1, changes: -1, found: 0 };
  }

  private readonly passes = new Map<number, { changes: number; count: number }>();
  /** A loop that the whole workgroup, or a subgroup, goes through comes to its next pass. */
  *again(): Turns {
    if (++this.idle > mostIdle) throw new Stuck();
    const { groupIndex } = this.memory;
    let p = this.passes.get(groupIndex);
    if (p?.changes !== this.changes) this.passes.set(groupIndex, (p = { changes: this.changes, count: 0 }));
    this.lastSite = this.turn.site;
    if (this.random ? this.below(2) === 0 : ++p.count > patience) yield undefined;
  }

  get changesSoFar(): number {
    return this.changes;
  }
}
