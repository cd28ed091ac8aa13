/**
 * Data races: two accesses to the same memory by different lanes, one of them a write and not both atomic, that nothing
 * orders. Barriers order what the lanes of a workgroup (or of a subgroup) do before and after, as far as they speak of that
 * memory; between workgroups nothing does. Remembered are of each shadow cell who wrote it last, and since then who read it last, who
 * changed it atomically last and who loaded it atomically last, with whether there were several: an atomic access does not hide the
 * plain ones before it, of the same lane or of another, which race with the atomics of others whoever comes first. An asynchronous copy is a
 * lane of its own, which reads and writes from its call until it is waited for, whatever barriers come in between.
 */
import type { Code, Program, Region } from "../regions/tree.js";
import { regionBodies } from "../regions/queries.js";
import { exprsOf, someExpr, visitCode } from "../regions/machine.js";
import { touches, type AsyncCopy } from "./async-copies.js";
import type { LaunchMemory } from "./launch-memory.js";
import { bitWidth, type ScalarKind } from "../types/types.js";

interface Accesses {
  /** Lane + 1, or 0 for nobody. */
  readonly lane: Uint32Array;
  readonly group: Uint32Array;
  /** What barriers had passed: of the workgroup, and of the lane's subgroup. */
  readonly epoch: Uint32Array;
  readonly inner: Uint32Array;
  readonly site: Uint32Array;
}

/** Who did so last since the last plain write. */
interface Since extends Accesses {
  /** Several lanes did. */
  readonly many: Uint8Array;
}

interface ShadowCells {
  readonly shared: boolean;
  /** The last plain write. */
  readonly writers: Accesses;
  readonly readers: Since;
  readonly atomics: Since;
  readonly loads: Since;
}

/** `atomic`: writes, or reads and writes; `load`: reads atomically. */
export type Access = "read" | "write" | "atomic" | "load";

/** What a later access of another lane, which nothing orders after it, must not be. */
const against: Readonly<Record<Access, readonly ("readers" | "atomics" | "loads")[]>> = {
  read: ["atomics"],
  write: ["readers", "atomics", "loads"],
  atomic: ["readers"],
  load: [],
};
const listOf = { read: "readers", atomic: "atomics", load: "loads" } as const;
const did = { readers: "reads", atomics: "changes atomically", loads: "loads atomically" } as const;
const does: Readonly<Record<Access, string>> = {
  read: "reads",
  write: "writes",
  atomic: "changes atomically",
  load: "loads atomically",
};

export class Races {
  private readonly cells = new Map<number, ShadowCells>();
  /** Barriers that speak of workgroup memory, and of buffers. */
  private epochs: [number, number] = [1, 1];
  private inner: [Uint32Array, Uint32Array] = [new Uint32Array(0), new Uint32Array(0)];
  /** Not waited for. */
  private readonly copies = new Set<AsyncCopy>();
  /** The lane that asynchronous copies are, in a subgroup of its own. */
  private readonly copier: number;

  constructor(
    private readonly memory: LaunchMemory,
    private readonly width: number,
    lanes: number,
    private readonly cellBytes: number,
    /** The kernel has fences by which workgroups may come to an understanding, which is not followed here. */
    private readonly fenced: boolean,
  ) {
    const subgroups = Math.ceil(lanes / width);
    this.inner = [new Uint32Array(subgroups + 1), new Uint32Array(subgroups + 1)];
    this.copier = subgroups * width;
    for (const o of memory.objects) {
      if (o.kind !== "buffer" && o.kind !== "workgroup") continue;
      const n = Math.ceil(memory.places[o.id]!.total / cellBytes);
      this.cells.set(o.id, {
        shared: o.kind === "workgroup",
        writers: accesses(n),
        readers: since(n),
        atomics: since(n),
        loads: since(n),
      });
    }
  }

  /** Workgroup memory is another one in each workgroup; all of a workgroup before is behind. */
  startGroup(): void {
    this.epochs = [this.epochs[0] + 1, this.epochs[1] + 1];
    this.copies.clear();
    for (const c of this.cells.values()) {
      if (!c.shared) continue;
      for (const a of [c.writers, c.readers, c.atomics, c.loads]) a.lane.fill(0);
    }
  }

  barrier(subgroup: number | undefined, workgroupMemory: boolean, buffers: boolean): void {
    for (const [i, ordered] of [workgroupMemory, buffers].entries()) {
      if (!ordered) continue;
      if (subgroup === undefined) this.epochs[i]!++;
      else this.inner[i]![subgroup]!++;
    }
  }

  /** What lanes did before meets the copy where nothing orders it, and from now on whatever they do. */
  startCopy(copy: AsyncCopy): void {
    for (const side of copy.sides) {
      const how = side.writes ? "write" : "read";
      for (let i = 0; i < side.count; i++)
        this.access(side.object, side.start + i * side.stride, side.bytes, this.copier, copy.site, how);
    }
    this.copies.add(copy);
  }

  /** All that it did lies behind all lanes; what is remembered of it is for other workgroups. */
  endCopy(copy: AsyncCopy): void {
    this.copies.delete(copy);
    for (const side of copy.sides) {
      const c = this.cells.get(side.object);
      if (!c) continue;
      for (let i = 0; i < side.count; i++) {
        const start = side.start + i * side.stride;
        const last = Math.floor((start + side.bytes - 1) / this.cellBytes);
        for (let cell = Math.floor(start / this.cellBytes); cell <= last; cell++)
          for (const a of [c.readers, c.writers]) if (a.lane[cell] === this.copier + 1) a.epoch[cell] = 0;
      }
    }
  }

  access(object: number, offset: number, size: number, lane: number, site: number, how: Access): void {
    const c = this.cells.get(object);
    if (!c || offset + size > this.memory.places[object]!.bytes) return;
    const last = Math.floor((offset + size - 1) / this.cellBytes);
    for (const copy of this.copies) {
      const side = copy.sides.find(
        (s) => ((how !== "read" && how !== "load") || s.writes) && touches(s, object, offset, size),
      );
      if (side) this.metCopy(copy, side.writes, how, object, offset, lane, site);
    }
    for (let i = Math.floor(offset / this.cellBytes); i <= last; i++) this.one(c, object, i, lane, site, how);
  }

  private one(c: ShadowCells, object: number, i: number, lane: number, site: number, how: Access): void {
    const kind = c.shared ? 0 : 1;
    const epoch = this.epochs[kind];
    const inner = this.inner[kind][Math.floor(lane / this.width)]!;
    const group = this.memory.groupIndex;
    const meets = (a: Accesses): boolean => {
      const other = a.lane[i]!;
      if (other === 0) return false;
      if (a.group[i] !== group) return !this.fenced;
      if (other === lane + 1 || a.epoch[i] !== epoch) return false;
      return Math.floor((other - 1) / this.width) !== Math.floor(lane / this.width) || a.inner[i] === inner;
    };
    const now = (a: Since): boolean => a.epoch[i] === epoch && a.group[i] === group;
    const meetsAny = (a: Since): boolean => meets(a) || (a.many[i] === 1 && now(a) && a.inner[i] === inner);
    const other = against[how].find((name) => meetsAny(c[name]));
    if (meets(c.writers)) this.found(c.writers.site[i]!, "writes", how, object, i, lane, site);
    else if (other) this.found(c[other].site[i]!, did[other], how, object, i, lane, site);
    const note = (a: Accesses): void => {
      a.lane[i] = lane + 1;
      a.group[i] = group;
      a.epoch[i] = epoch;
      a.inner[i] = inner;
      a.site[i] = site;
    };
    if (how !== "write") {
      const list = c[listOf[how]];
      const before = list.lane[i]!;
      list.many[i] = before !== 0 && now(list) && (list.many[i] === 1 || before !== lane + 1) ? 1 : 0;
      note(list);
      return;
    }
    for (const list of [c.readers, c.atomics, c.loads]) {
      list.lane[i] = 0;
      list.many[i] = 0;
    }
    note(c.writers);
  }

  private metCopy(
    copy: AsyncCopy,
    writes: boolean,
    how: Access,
    object: number,
    byte: number,
    lane: number,
    site: number,
  ): void {
    const { name } = this.memory.objects[object]!;
    const who = lane === this.copier ? "this asynchronous copy" : "this";
    const message = `data race: ${who} ${does[how]} byte ${byte} of '${name}', which an asynchronous copy ${writes ? "writes" : "reads"} that is not waited for`;
    const by = lane === this.copier ? undefined : lane;
    this.memory.find("data-race", site, by, message, { buffer: name, against: this.memory.sites[copy.site]!.span });
  }

  private found(
    before: number,
    what: string,
    how: Access,
    object: number,
    cell: number,
    lane: number,
    site: number,
  ): void {
    const { name } = this.memory.objects[object]!;
    if (lane === this.copier) {
      const message = `data race: this asynchronous copy ${does[how]} byte ${cell * this.cellBytes} of '${name}', which an invocation ${what} and nothing orders before`;
      this.memory.find("data-race", site, undefined, message, {
        buffer: name,
        against: this.memory.sites[before]!.span,
      });
      return;
    }
    const message = `data race: this ${does[how]} byte ${cell * this.cellBytes} of '${name}', which another invocation ${what} and nothing orders before`;
    this.memory.find("data-race", site, lane, message, { buffer: name, against: this.memory.sites[before]!.span });
  }
}

function accesses(n: number): Accesses {
  return {
    lane: new Uint32Array(n),
    group: new Uint32Array(n),
    epoch: new Uint32Array(n),
    inner: new Uint32Array(n),
    site: new Uint32Array(n),
  };
}

const since = (n: number): Since => ({ ...accesses(n), many: new Uint8Array(n) });

/** What races are looked for with: bytes of a cell, and whether workgroups may order what they do. */
export interface RaceSettings {
  readonly cellBytes: number;
  readonly fenced: boolean;
}

const isSmall = (kind: ScalarKind): boolean => kind === "bool" || bitWidth(kind) < 32;

export function raceSettings(program: Program): RaceSettings {
  let small = false;
  let fenced = program.fences === true;
  const code = (list: readonly Code[]): void =>
    visitCode(list, (c) => {
      if ((c.kind === "store" || c.kind === "atomic") && isSmall(c.scalar)) small = true;
      if (c.kind === "atomic" && c.order !== undefined && c.order !== "relaxed") fenced = true;
      for (const e of exprsOf(c)) small ||= someExpr(e, (x) => x.kind === "load" && isSmall(x.scalar));
    });
  const walk = (list: readonly Region[]): void => {
    for (const r of list) {
      if (r.kind === "lanes" || r.kind === "uniform") code(r.code);
      regionBodies(r).forEach(walk);
    }
  };
  for (const h of program.helpers) code(h.body);
  walk(program.regions);
  return { cellBytes: small ? 1 : 4, fenced };
}
