/**
 * Data races: two accesses to the same memory by different lanes, one of them a write and not both atomic, that nothing
 * orders. Barriers order what the lanes of a workgroup (or of a subgroup) do before and after, as far as they speak of that
 * memory; between workgroups nothing does. Remembered are the last writer of each shadow cell and its last reader since, with
 * whether there were several, so that every race between neighbouring accesses of the run is seen. An asynchronous copy is a
 * lane of its own, which reads and writes from its call until it is waited for, whatever barriers come in between.
 */
import type { Code, Program, Region } from "../regions/tree.js";
import { regionBodies } from "../../emitters/typescript/queries.js";
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

interface ShadowCells {
  readonly shared: boolean;
  readonly writers: Accesses;
  readonly readers: Accesses;
  /** Several lanes have read since. */
  readonly many: Uint8Array;
  /** The last write was atomic. */
  readonly atomic: Uint8Array;
}

export type Access = "read" | "write" | "atomic";

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
        readers: accesses(n),
        many: new Uint8Array(n),
        atomic: new Uint8Array(n),
      });
    }
  }

  /** Workgroup memory is another one in each workgroup; all of a workgroup before is behind. */
  startGroup(): void {
    this.epochs = [this.epochs[0] + 1, this.epochs[1] + 1];
    this.copies.clear();
    for (const c of this.cells.values()) {
      if (!c.shared) continue;
      c.writers.lane.fill(0);
      c.readers.lane.fill(0);
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
      const side = copy.sides.find((s) => (how !== "read" || s.writes) && touches(s, object, offset, size));
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
    const atomic = how === "atomic";
    if (!(atomic && c.atomic[i] === 1) && meets(c.writers))
      this.found(c.writers.site[i]!, "write", how, object, i, lane, site);
    else if (
      how !== "read" &&
      (meets(c.readers) ||
        (c.many[i] === 1 &&
          c.readers.epoch[i] === epoch &&
          c.readers.group[i] === group &&
          c.readers.inner[i] === inner))
    ) {
      this.found(c.readers.site[i]!, "read", how, object, i, lane, site);
    }
    const note = (a: Accesses): void => {
      a.lane[i] = lane + 1;
      a.group[i] = group;
      a.epoch[i] = epoch;
      a.inner[i] = inner;
      a.site[i] = site;
    };
    if (how === "read") {
      const other = c.readers.lane[i]!;
      const since = other !== 0 && c.readers.epoch[i] === epoch && c.readers.group[i] === group;
      c.many[i] = since && (c.many[i] === 1 || other !== lane + 1) ? 1 : 0;
      note(c.readers);
      return;
    }
    c.atomic[i] = atomic ? 1 : 0;
    c.readers.lane[i] = 0;
    c.many[i] = 0;
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
    const does = how === "read" ? "reads" : how === "write" ? "writes" : "changes atomically";
    const message = `data race: ${who} ${does} byte ${byte} of '${name}', which an asynchronous copy ${writes ? "writes" : "reads"} that is not waited for`;
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
      const does = how === "read" ? "reads" : "writes";
      const did = what === "write" ? "writes" : "reads";
      const message = `data race: this asynchronous copy ${does} byte ${cell * this.cellBytes} of '${name}', which an invocation ${did} and nothing orders before`;
      this.memory.find("data-race", site, undefined, message, {
        buffer: name,
        against: this.memory.sites[before]!.span,
      });
      return;
    }
    const now = how === "read" ? "this reads" : how === "write" ? "this writes" : "this changes atomically";
    const message = `data race: ${now} byte ${cell * this.cellBytes} of '${name}', which another invocation ${what === "write" ? "writes" : "reads"} and nothing orders before`;
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
