/**
 * Data races: two accesses to the same memory by different lanes, one of them a write and not both atomic, that nothing
 * orders. Barriers order what the lanes of a workgroup (or of a subgroup) do before and after, as far as they speak of that
 * memory; release and acquire order what happens-before.ts says. Where a program has neither ordered atomics nor fences, barriers
 * are all there is, and it is enough to remember of each granule who wrote it last, and since then who read it last, who
 * changed it atomically last and who loaded it atomically last, with whether there were several; otherwise all of them. An atomic access does not hide the
 * plain ones before it, of the same lane or of another, which race with the atomics of others whoever comes first. Two
 * atomics race where their scopes do not include both lanes, or their widths differ. Two writes that nothing orders are told apart where the second one
 * finds what it writes: that is a note, after which several have written. An asynchronous copy is a lane of its own, which reads and writes from its call until it is waited for, whatever barriers come in between.
 */
import type { Code, Program, Region, RegionBarrier } from "../regions/tree.js";
import { languageFacts } from "../dialects/languages.js";
import type { BarrierDescriptor } from "../ast/nodes.js";
import { MemoryKinds, type MemoryKind } from "./memory-kinds.js";
import { regionBodies } from "../regions/queries.js";
import { bytesOf, exprsOf, someExpr, visitCode } from "../regions/machine.js";
import { touches, type AsyncCopy } from "./async-copies.js";
import { HappensBefore, type AtomicSite, type GroupKnowledge } from "./happens-before.js";
import type { LaunchMemory } from "./launch-memory.js";
import { bitWidth, type ScalarKind } from "../types/types.js";

const unordered = "nothing orders before";
const notCoherent = "fences and atomics order only within its workgroup, since the buffer is not marked coherent";

interface Accesses {
  /** Lane + 1, or 0 for nobody. */
  readonly lane: Uint32Array;
  readonly group: Uint32Array;
  /** What barriers had passed: of the workgroup, and of the lane's subgroup. */
  readonly epoch: Uint32Array;
  readonly inner: Uint32Array;
  readonly site: Uint32Array;
}

/** Who did so last since the last plain write, or since one that wrote something else. */
interface Since extends Accesses {
  /** Others did besides: of the same subgroup since its last barrier, or also (2) of other subgroups since the last one of the workgroup. */
  readonly many: Uint8Array;
  /** Where one of them did. */
  readonly other: Uint32Array;
  /** A lane of a workgroup before this one did, too: where, and 1 more. */
  readonly elsewhere: Uint32Array;
}

interface ShadowGranules {
  readonly shared: boolean;
  readonly kind: MemoryKind;
  /** The last plain write, and those of the same value that nothing orders before it. */
  readonly writers: Since;
  readonly readers: Since;
  readonly atomics: Since;
  readonly loads: Since;
}

type Seen = "read" | "write" | "atomic" | "load";
/**
 * `rewrite`: writes what is there; `atomic`: writes, or reads and writes; `load`: reads atomically; `failed`: so does a compare-exchange
 * that found something else.
 */
export type Access = Seen | "rewrite" | "failed";
const seenAs = (how: Access): Seen => (how === "failed" ? "load" : how === "rewrite" ? "write" : how);

/** What a later access of another lane, which nothing orders after it, must not be. */
const against: Readonly<Record<Seen, readonly ("readers" | "atomics" | "loads")[]>> = {
  read: ["atomics"],
  write: ["readers", "atomics", "loads"],
  atomic: ["readers"],
  load: [],
};
const listOf = { read: "readers", atomic: "atomics", load: "loads" } as const;
const did = { readers: "reads", atomics: "changes atomically", loads: "loads atomically" } as const;
const does: Readonly<Record<Seen, string>> = {
  read: "reads",
  write: "writes",
  atomic: "changes atomically",
  load: "loads atomically",
};

/** An access, where all since the last write are remembered: those of one lane by its last. */
interface Remembered {
  readonly lane: number;
  readonly group: number;
  epoch: number;
  readonly inner: number;
  readonly tick: number;
  readonly site: number;
}
interface History {
  /** The last one, and those of the same value that nothing orders before it. */
  writers: Remembered[];
  readers: Remembered[];
  atomics: Remembered[];
  loads: Remembered[];
}
/** Of the granules of an object that were accessed. */
type Histories = Map<number, History>;

/** What is remembered of one workgroup. */
export interface GroupRaces {
  readonly knowledge: GroupKnowledge;
  readonly granules: ReadonlyMap<number, Histories>;
}

export class Races {
  private readonly granules = new Map<number, ShadowGranules>();
  private readonly kinds: MemoryKinds;
  /** Barriers that speak of each kind of memory. */
  private readonly epochs: number[];
  private readonly inner: readonly Uint32Array[];
  private readonly granuleBytes: number;
  /** Where there are releases and acquires. */
  private readonly order: HappensBefore | undefined;
  private readonly histories = new Map<number, Histories>();
  private group: GroupRaces | undefined;
  /** By object, the bytes of which there is a race. */
  readonly met = new Map<number, Set<number>>();
  /** Not waited for. */
  private readonly copies = new Set<AsyncCopy>();
  /** The lane that asynchronous copies are, in a subgroup of its own. */
  private readonly copier: number;

  constructor(
    private readonly memory: LaunchMemory,
    private readonly width: number,
    lanes: number,
    private readonly settings: RaceSettings,
  ) {
    const subgroups = Math.ceil(lanes / width);
    this.kinds = new MemoryKinds(settings.barriers.values());
    this.epochs = this.kinds.all.map(() => 1);
    this.inner = this.kinds.all.map(() => new Uint32Array(subgroups + 1));
    this.copier = subgroups * width;
    this.granuleBytes = settings.granuleBytes;
    if (settings.synchronizes || settings.interleaved) {
      this.order = new HappensBefore(width, lanes, settings.ownWritesContinue, this.kinds);
      for (const o of memory.objects) if (o.kind === "buffer") this.histories.set(o.id, new Map());
      return;
    }
    for (const o of memory.objects) {
      if (o.kind !== "buffer" && o.kind !== "workgroup") continue;
      const n = Math.ceil(memory.places[o.id]!.total / this.granuleBytes);
      this.granules.set(o.id, {
        shared: o.kind === "workgroup",
        kind: this.kinds.of(o.id, o.kind === "workgroup"),
        writers: since(n),
        readers: since(n),
        atomics: since(n),
        loads: since(n),
      });
    }
  }

  /** Workgroup memory is another one in each workgroup; all of a workgroup before is behind. */
  startGroup(): void {
    if (this.order) {
      const granules = this.memory.objects.flatMap((o): [number, Histories][] =>
        o.kind === "workgroup" ? [[o.id, new Map<number, History>()]] : [],
      );
      this.group = { knowledge: this.order.startGroup(this.memory.groupIndex), granules: new Map(granules) };
      this.copies.clear();
      return;
    }
    for (const kind of this.kinds.all) this.epochs[kind]!++;
    this.copies.clear();
    for (const c of this.granules.values()) {
      if (!c.shared) continue;
      for (const a of [c.writers, c.readers, c.atomics, c.loads]) a.lane.fill(0);
    }
  }

  /** Where workgroups take turns, what is remembered of the one that runs. */
  leaveGroup(): GroupRaces {
    return this.group!;
  }
  enterGroup(group: GroupRaces): void {
    this.group = group;
  }

  barrier(subgroup: number | undefined, site: number): void {
    const barrier = this.settings.barriers.get(site)!;
    if (this.order) return this.order.barrier(this.group!.knowledge, subgroup, barrier);
    for (const kind of this.kinds.all) {
      if (!this.kinds.isAbout(barrier, kind)) continue;
      if (subgroup === undefined) this.epochs[kind]!++;
      else this.inner[kind]![subgroup]!++;
    }
  }

  /** A lane has passed a fence. */
  fence(lane: number, site: number): void {
    this.order?.fence(this.group!.knowledge, lane, this.settings.barriers.get(site)!);
  }

  private historiesOf(object: number): Histories | undefined {
    return this.histories.get(object) ?? this.group?.granules.get(object);
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
      for (const h of this.historiesOf(side.object)?.values() ?? [])
        for (const a of [...h.writers, ...h.readers]) if (a.lane === this.copier) a.epoch = 0;
      const c = this.granules.get(side.object);
      if (!c) continue;
      for (let i = 0; i < side.count; i++) {
        const start = side.start + i * side.stride;
        const last = Math.floor((start + side.bytes - 1) / this.granuleBytes);
        for (let granule = Math.floor(start / this.granuleBytes); granule <= last; granule++)
          for (const a of [c.readers, c.writers]) if (a.lane[granule] === this.copier + 1) a.epoch[granule] = 0;
      }
    }
  }

  access(object: number, offset: number, size: number, lane: number, site: number, how: Access): void {
    const c = this.granules.get(object);
    const histories = c ? undefined : this.historiesOf(object);
    if ((!c && !histories) || offset + size > this.memory.places[object]!.bytes) return;
    const last = Math.floor((offset + size - 1) / this.granuleBytes);
    for (const copy of this.copies) {
      const side = copy.sides.find(
        (s) =>
          (!(how === "read" || how === "load" || how === "failed") || s.writes) && touches(s, object, offset, size),
      );
      if (!side) continue;
      this.noteMet(object, offset, size);
      this.metCopy(copy, side.writes, seenAs(how), object, offset, lane, site);
    }
    const atomic = how === "atomic" || how === "load" || how === "failed" ? this.settings.atomics.get(site) : undefined;
    if (this.order && atomic) {
      const ofWorkgroup = this.group!.granules.has(object);
      const place = object * 2 ** 36 + offset;
      this.order.atomic(this.group!.knowledge, ofWorkgroup, place, lane, atomic, how === "failed");
    }
    const same = how === "rewrite";
    for (let i = Math.floor(offset / this.granuleBytes); i <= last; i++)
      if (c) this.one(c, object, i, lane, site, seenAs(how), same);
      else this.among(histories!, object, i, lane, site, seenAs(how), same);
  }

  /** As `one`, with all accesses remembered and what lanes know of each other. */
  private among(
    histories: Histories,
    object: number,
    i: number,
    lane: number,
    site: number,
    how: Seen,
    same: boolean,
  ): void {
    const { knowledge } = this.group!;
    const order = this.order!;
    const kind = this.kinds.of(object, this.group!.granules.has(object));
    const subgroup = Math.floor(lane / this.width);
    const me: Remembered = {
      lane,
      group: knowledge.index,
      epoch: knowledge.epochs[kind]!,
      inner: knowledge.inner[kind]![subgroup]!,
      tick: order.tick(knowledge, kind, lane),
      site,
    };
    let h = histories.get(i);
    if (!h) histories.set(i, (h = { writers: [], readers: [], atomics: [], loads: [] }));
    const meets = (a: Remembered): boolean => {
      if (a.group === me.group) {
        if (a.lane === lane || a.epoch < me.epoch) return false;
        if (Math.floor(a.lane / this.width) === subgroup && a.inner < me.inner) return false;
      }
      return !order.knows(knowledge, kind, lane, a);
    };
    // One of both is plain where this is asked.
    const apartHere = this.settings.ofOneWorkgroup.has(object);
    const meetsPlainly = (a: Remembered): boolean => meets(a) || (apartHere && a.group !== me.group);
    const why = (a: Remembered): string => (meets(a) ? unordered : notCoherent);
    const pair = (a: Remembered): readonly [AtomicSite, AtomicSite] | undefined => {
      const [x, y] = [this.settings.atomics.get(a.site), this.settings.atomics.get(site)];
      return x && y && meets(a) ? [x, y] : undefined;
    };
    const apart = (a: Remembered): boolean => {
      const [x, y] = pair(a) ?? [];
      return x !== undefined && y !== undefined && !order.inclusive(x.scope, a, y.scope, me);
    };
    const inOtherWidth = (a: Remembered): boolean => {
      const [x, y] = pair(a) ?? [];
      return x?.bytes !== y?.bytes;
    };
    const writers = h.writers.filter(meetsPlainly);
    const writer = writers.findLast(meets) ?? writers.at(-1);
    const own = h.readers.find((a) => a.lane === lane && a.group === me.group);
    if (writer && !same) {
      if (how !== "write" || !this.isPartOf(own?.site, site))
        this.found(writer.site, "writes", how, object, i, lane, site, why(writer));
    } else {
      const others = (name: (typeof against)[Seen][number]): Remembered | undefined =>
        h[name].find(meets) ?? h[name].find(meetsPlainly);
      const list = against[how].find(others);
      const other = list && others(list);
      if (other) this.found(other.site, did[list], how, object, i, lane, site, why(other));
      else if (writer) this.foundSame(writer.site, object, i, lane, site, why(writer));
      if (how === "atomic" || how === "load") {
        const among = how === "atomic" ? [...h.atomics, ...h.loads] : h.atomics;
        const other = among.find(apart) ?? (this.settings.mixed ? among.find(inOtherWidth) : undefined);
        const what = other && apart(other) ? "in a scope that leaves one of both out" : "in another width";
        if (other) this.found(other.site, `accesses atomically, ${what},`, how, object, i, lane, site);
      }
    }
    if (how === "write") {
      histories.set(i, { writers: same ? [...writers, me] : [me], readers: [], atomics: [], loads: [] });
      return;
    }
    const list = h[listOf[how]];
    const before = list.findIndex((a) => a.lane === lane && a.group === me.group);
    if (before >= 0) list[before] = me;
    else list.push(me);
  }

  private one(
    c: ShadowGranules,
    object: number,
    i: number,
    lane: number,
    site: number,
    how: Seen,
    same: boolean,
  ): void {
    const epoch = this.epochs[c.kind]!;
    const subgroup = Math.floor(lane / this.width);
    const inner = this.inner[c.kind]![subgroup]!;
    const group = this.memory.groupIndex;
    const ofSubgroup = (a: Accesses): boolean => Math.floor((a.lane[i]! - 1) / this.width) === subgroup;
    const now = (a: Accesses): boolean => a.lane[i] !== 0 && a.epoch[i] === epoch && a.group[i] === group;
    /** Lanes of its subgroup are not all of those that did; or they did since its barrier. */
    const unordered = (a: Since): boolean => a.many[i] === 2 || !ofSubgroup(a) || a.inner[i] === inner;
    /** Where one did so whom nothing orders before. */
    const met = (a: Since): number | undefined => {
      if (a.lane[i] !== 0 && a.group[i] !== group) return a.site[i];
      if (now(a) && a.lane[i] !== lane + 1 && (!ofSubgroup(a) || a.inner[i] === inner)) return a.site[i];
      if (now(a) && a.many[i]! > 0 && unordered(a)) return a.other[i];
      return a.elsewhere[i]! > 0 ? a.elsewhere[i]! - 1 : undefined;
    };
    const writer = met(c.writers);
    const own = c.readers.lane[i] === lane + 1 && c.readers.group[i] === group ? c.readers.site[i] : undefined;
    if (writer !== undefined && !same) {
      if (how !== "write" || !this.isPartOf(own, site)) this.found(writer, "writes", how, object, i, lane, site);
    } else {
      const list = against[how].find((name) => met(c[name]) !== undefined);
      if (list) this.found(met(c[list])!, did[list], how, object, i, lane, site);
      else if (writer !== undefined) this.foundSame(writer, object, i, lane, site);
    }
    if (how === "write") {
      for (const list of [c.readers, c.atomics, c.loads]) {
        list.lane[i] = 0;
        list.many[i] = 0;
        list.elsewhere[i] = 0;
      }
      if (writer === undefined || !same) {
        c.writers.lane[i] = 0;
        c.writers.many[i] = 0;
        c.writers.elsewhere[i] = 0;
      }
    }
    const list = how === "write" ? c.writers : c[listOf[how]];
    if (list.lane[i] !== 0 && list.group[i] !== group) list.elsewhere[i] = list.site[i]! + 1;
    if (!now(list) || !unordered(list)) list.many[i] = 0;
    else if (!ofSubgroup(list)) {
      list.many[i] = 2;
      list.other[i] = list.site[i]!;
    } else if (list.lane[i] !== lane + 1 && list.many[i] !== 2) {
      list.many[i] = 1;
      list.other[i] = list.site[i]!;
    }
    list.lane[i] = lane + 1;
    list.group[i] = group;
    list.epoch[i] = epoch;
    list.inner[i] = inner;
    list.site[i] = site;
  }

  /** Of an assignment that reads what it writes (`n = n + 1`) the read has met whom the write meets. */
  private isPartOf(read: number | undefined, write: number): boolean {
    if (read === undefined) return false;
    const [a, b] = [this.memory.sites[read]?.span, this.memory.sites[write]?.span];
    return a !== undefined && b !== undefined && b.start <= a.start && a.end <= b.end;
  }

  private noteMet(object: number, first: number, bytes: number): void {
    let noted = this.met.get(object);
    if (!noted) this.met.set(object, (noted = new Set()));
    for (let byte = first; byte < first + bytes; byte++) noted.add(byte);
  }

  private metCopy(
    copy: AsyncCopy,
    writes: boolean,
    how: Seen,
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
    how: Seen,
    object: number,
    granule: number,
    lane: number,
    site: number,
    why = unordered,
  ): void {
    const { name } = this.memory.objects[object]!;
    this.noteMet(object, granule * this.granuleBytes, this.granuleBytes);
    if (lane === this.copier) {
      const message = `data race: this asynchronous copy ${does[how]} byte ${granule * this.granuleBytes} of '${name}', which an invocation ${what} and ${why}`;
      this.memory.find("data-race", site, undefined, message, {
        buffer: name,
        against: this.memory.sites[before]!.span,
      });
      return;
    }
    const message = `data race: this ${does[how]} byte ${granule * this.granuleBytes} of '${name}', which another invocation ${what} and ${why}`;
    this.memory.find("data-race", site, lane, message, { buffer: name, against: this.memory.sites[before]!.span });
  }

  /** Who comes last makes no difference. */
  private foundSame(
    before: number,
    object: number,
    granule: number,
    lane: number,
    site: number,
    why = unordered,
  ): void {
    const { name } = this.memory.objects[object]!;
    const message = `same value: this writes byte ${granule * this.granuleBytes} of '${name}', which another invocation gives the same value and ${why}`;
    this.memory.find("same-value-race", site, lane, message, {
      buffer: name,
      against: this.memory.sites[before]!.span,
    });
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

const since = (n: number): Since => ({
  ...accesses(n),
  many: new Uint8Array(n),
  other: new Uint32Array(n),
  elsewhere: new Uint32Array(n),
});

/** What races are looked for with. */
export interface RaceSettings {
  readonly granuleBytes: number;
  /** Barriers and fences, and atomics, by their places. */
  readonly barriers: ReadonlyMap<number, RegionBarrier>;
  readonly atomics: ReadonlyMap<number, AtomicSite>;
  /** Some object has atomics of several widths. */
  readonly mixed: boolean;
  /** There is more to order accesses than barriers of the workgroup. */
  readonly synchronizes: boolean;
  readonly ownWritesContinue: boolean;
  /** Buffers whose plain accesses nothing orders between workgroups, since they are not marked coherent. */
  readonly ofOneWorkgroup: ReadonlySet<number>;
  /** Workgroups take turns. */
  readonly interleaved?: boolean;
}

const isSmall = (kind: ScalarKind): boolean => kind === "bool" || bitWidth(kind) < 32;

export function raceSettings(program: Program): RaceSettings {
  let small = false;
  let synchronizes = false;
  const barriers = new Map<number, RegionBarrier>();
  const atomics = new Map<number, AtomicSite>();
  const widths = new Map<number | undefined, Set<number>>();
  const code = (list: readonly Code[]): void =>
    visitCode(list, (c) => {
      if ((c.kind === "store" || c.kind === "atomic") && isSmall(c.scalar)) small = true;
      for (const e of exprsOf(c)) small ||= someExpr(e, (x) => x.kind === "load" && isSmall(x.scalar));
      if (c.kind === "barrier") {
        barriers.set(c.site, c.barrier);
        synchronizes = true;
      }
      if (c.kind !== "atomic") return;
      const { order = "relaxed", failureOrder = "relaxed", scope = "device", memory = everything } = c;
      const [reads, writes] = [c.op !== "store", c.op !== "load"];
      const bytes = bytesOf(c.scalar);
      atomics.set(c.site, { reads, writes, order, failureOrder, scope, memory, bytes });
      // One that is chosen at run time may be any.
      const object = typeof c.address.object === "number" ? c.address.object : undefined;
      widths.set(object, (widths.get(object) ?? new Set()).add(bytes));
      if (order !== "relaxed" || failureOrder !== "relaxed" || isNarrow(scope)) synchronizes = true;
    });
  const walk = (list: readonly Region[]): void => {
    for (const r of list) {
      if (r.kind === "lanes" || r.kind === "uniform") code(r.code);
      if (r.kind === "barrier") {
        barriers.set(r.site, r.barrier);
        if (!isNarrow(r.barrier.scope)) synchronizes = true;
      }
      regionBodies(r).forEach(walk);
    }
  };
  for (const h of program.helpers) code(h.body);
  walk(program.regions);
  const chosen = widths.get(undefined) ?? new Set<number>();
  const mixed = [...widths.values()].some((w) => new Set([...w, ...chosen]).size > 1);
  if (mixed) synchronizes = true;
  const { ownWritesContinue, acrossWorkgroups } = languageFacts[program.dialect];
  const narrow = program.objects.filter((o) => o.kind === "buffer" && !o.coherent);
  const ofOneWorkgroup = new Set(acrossWorkgroups === "any buffer" ? [] : narrow.map((o) => o.id));
  return { granuleBytes: small ? 1 : 4, barriers, atomics, mixed, synchronizes, ownWritesContinue, ofOneWorkgroup };
}

/** Atomics can race with each other: some of buffers are for fewer lanes than may meet there, or some of an object have other widths. */
export const atomicsMayRace = (program: Program): boolean => {
  const { atomics, mixed } = raceSettings(program);
  return mixed || [...atomics.values()].some((a) => isNarrow(a.scope));
};

const everything = { workgroup: true, global: true, image: true };
const isNarrow = (scope: BarrierDescriptor["scope"]): boolean => scope !== "device" && scope !== "system";
