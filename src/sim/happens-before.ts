/**
 * What lanes know of each other beyond barriers: release and acquire, by atomics and by fences, of every scope (C11 5.1.2.4 and 7.17.3,
 * OpenCL C 3.0 3.3.6, Vulkan's memory model). A lane knows of a party (a lane, a subgroup or a workgroup) up to which tick of it
 * all lies behind: ticks of lanes are their releases, those of subgroups and workgroups their barriers. Knowledge is kept apart for
 * kinds of memory (memory-kinds.ts), since an order may be about some of them alone. Lanes that never synchronize have none.
 */
import type { BarrierDescriptor, MemoryOrder, MemoryScope } from "../ast/nodes.js";
import type { MemoryKind, MemoryKinds, OrderedMemory } from "./memory-kinds.js";

/** An atomic, as its place in the program says. */
export interface AtomicSite {
  readonly reads: boolean;
  readonly writes: boolean;
  readonly order: MemoryOrder;
  readonly failureOrder: MemoryOrder;
  readonly scope: MemoryScope;
  readonly memory: BarrierDescriptor["memory"];
  readonly bytes: number;
}

/** Ticks by party. What a party did before the tick lies behind. */
type Known = ReadonlyMap<number, number>;

/** What whoever takes a value written so gets to know, if it lies within the scope. */
interface Release {
  readonly kind: MemoryKind;
  readonly known: Known;
  readonly scope: MemoryScope;
  readonly group: number;
  readonly lane: number;
}

type LaneOf = Pick<Release, "group" | "lane">;

interface LaneKnowledge {
  readonly ticks: number[];
  readonly known: Known[];
  /** By relaxed reads: known after an acquire fence. */
  pending: readonly Release[];
  /** Release fences behind, which later atomic writes hand on. */
  readonly fences: (Release | undefined)[];
}

/** Of one workgroup; lists are by kind of memory. */
export interface GroupKnowledge {
  readonly index: number;
  /** Barriers passed by the workgroup, and by its subgroups. */
  readonly epochs: number[];
  readonly inner: readonly Uint32Array[];
  /** What all lanes know since a barrier of the workgroup, or of their subgroup. */
  readonly shared: Known[];
  readonly sharedInner: readonly Known[][];
  readonly lanes: Map<number, LaneKnowledge>;
  /** Barriers of the device's scope are release fences as well. */
  readonly fences: (Release | undefined)[];
  /** What was written to objects of workgroup memory. */
  readonly written: Map<number, readonly Release[]>;
}

const nothing: Known = new Map();

function join(a: Known, b: Known): Known {
  if (a.size === 0 || a === b) return b;
  if (b.size === 0) return a;
  const [most, fewest] = a.size >= b.size ? [a, b] : [b, a];
  const all = new Map(most);
  for (const [party, tick] of fewest) if (tick > (all.get(party) ?? 0)) all.set(party, tick);
  return all;
}

const acquires = (order: MemoryOrder): boolean => order === "acquire" || order === "acq_rel" || order === "seq_cst";
const releases = (order: MemoryOrder): boolean => order === "release" || order === "acq_rel" || order === "seq_cst";
/** A fence, or the part of a barrier that is one. */
type Fence = OrderedMemory & Pick<BarrierDescriptor, "scope" | "order">;

const reach: readonly MemoryScope[] = ["invocation", "subgroup", "workgroup", "device", "system"];
const narrower = (a: MemoryScope, b: MemoryScope): MemoryScope => (reach.indexOf(a) < reach.indexOf(b) ? a : b);

export class HappensBefore {
  /** What was written to objects in buffers: by the place's number. */
  private readonly written = new Map<number, readonly Release[]>();
  private readonly stride: number;

  constructor(
    private readonly width: number,
    lanes: number,
    /** An atomic write continues the release sequence of its own lane (C11 5.1.2.4 (10)), and not only where it reads as well. */
    private readonly ownWritesContinue: boolean,
    private readonly kinds: MemoryKinds,
  ) {
    this.stride = lanes + width + 2;
  }

  startGroup(index: number): GroupKnowledge {
    const subgroups = Math.ceil(this.stride / this.width);
    return {
      index,
      epochs: this.each(() => 1),
      inner: this.each(() => new Uint32Array(subgroups)),
      shared: this.each(() => nothing),
      sharedInner: this.each(() => []),
      lanes: new Map(),
      fences: this.each(() => undefined),
      written: new Map(),
    };
  }

  private each<T>(made: () => T): T[] {
    return this.kinds.all.map(made);
  }

  private readonly subgroupOf = (lane: number): number => Math.floor(lane / this.width);
  private readonly laneParty = (group: number, lane: number): number => 3 * (group * this.stride + lane);
  private readonly subgroupParty = (group: number, subgroup: number): number =>
    3 * (group * this.stride + subgroup) + 1;
  private readonly groupParty = (group: number): number => 3 * group + 2;

  private laneOf(g: GroupKnowledge, lane: number): LaneKnowledge {
    let found = g.lanes.get(lane);
    if (!found) {
      found = {
        ticks: this.each(() => 0),
        known: this.each(() => nothing),
        pending: [],
        fences: this.each(() => undefined),
      };
      g.lanes.set(lane, found);
    }
    return found;
  }

  tick(g: GroupKnowledge, kind: MemoryKind, lane: number): number {
    return g.lanes.get(lane)?.ticks[kind] ?? 0;
  }

  private upTo(g: GroupKnowledge, kind: MemoryKind, lane: number, party: number): number {
    return Math.max(
      g.shared[kind]!.get(party) ?? 0,
      g.sharedInner[kind]![this.subgroupOf(lane)]?.get(party) ?? 0,
      g.lanes.get(lane)?.known[kind]!.get(party) ?? 0,
    );
  }

  /** Whether what another lane did, barriers of its workgroup and subgroup and releases of its own ago, lies behind this one. */
  knows(
    g: GroupKnowledge,
    kind: MemoryKind,
    lane: number,
    other: {
      readonly group: number;
      readonly lane: number;
      readonly epoch: number;
      readonly inner: number;
      readonly tick: number;
    },
  ): boolean {
    const behind = (party: number, tick: number): boolean => this.upTo(g, kind, lane, party) > tick;
    return (
      behind(this.laneParty(other.group, other.lane), other.tick) ||
      behind(this.groupParty(other.group), other.epoch) ||
      behind(this.subgroupParty(other.group, this.subgroupOf(other.lane)), other.inner)
    );
  }

  /** All that lies behind the lane, itself among it. */
  private release(g: GroupKnowledge, kind: MemoryKind, lane: number, scope: MemoryScope): Release {
    const l = this.laneOf(g, lane);
    const subgroup = this.subgroupOf(lane);
    const known = new Map(join(join(g.shared[kind]!, g.sharedInner[kind]![subgroup] ?? nothing), l.known[kind]!));
    known.set(this.laneParty(g.index, lane), ++l.ticks[kind]!);
    known.set(this.groupParty(g.index), g.epochs[kind]!);
    known.set(this.subgroupParty(g.index, subgroup), g.inner[kind]![subgroup]!);
    return { kind, known, scope, group: g.index, lane };
  }

  /** Whether the scope of one of two lanes holds the other. Asked for each pair of atomics on a place: it makes no objects. */
  private covers(scope: MemoryScope, a: LaneOf, b: LaneOf): boolean {
    if (scope === "device" || scope === "system") return true;
    if (a.group !== b.group) return false;
    if (scope === "workgroup") return true;
    return scope === "subgroup" ? this.subgroupOf(a.lane) === this.subgroupOf(b.lane) : a.lane === b.lane;
  }

  /** Two scopes that include each other's lane. */
  inclusive(a: MemoryScope, one: LaneOf, b: MemoryScope, other: LaneOf): boolean {
    return this.covers(a, one, other) && this.covers(b, one, other);
  }

  private take(g: GroupKnowledge, lane: number, r: Release): void {
    const l = this.laneOf(g, lane);
    l.known[r.kind] = join(l.known[r.kind]!, r.known);
  }

  /** An atomic of the place with this number; `failed`: a compare-exchange that only read. */
  atomic(
    g: GroupKnowledge,
    ofWorkgroup: boolean,
    place: number,
    lane: number,
    site: AtomicSite,
    failed: boolean,
  ): void {
    const places = ofWorkgroup ? g.written : this.written;
    const me = { group: g.index, lane };
    const before = places.get(place) ?? [];
    const order = failed ? site.failureOrder : site.order;
    if (site.reads) {
      const met = before.filter((r) => this.covers(r.scope, r, me) && this.covers(site.scope, r, me));
      if (acquires(order)) for (const r of met) if (this.kinds.isAbout(site, r.kind)) this.take(g, lane, r);
      if (met.length > 0) {
        const l = this.laneOf(g, lane);
        l.pending = merged(l.pending, met);
      }
    }
    if (!site.writes || failed) return;
    const given: Release[] = [];
    const l = g.lanes.get(lane);
    for (const kind of this.kinds.all) {
      if (releases(order) && this.kinds.isAbout(site, kind)) given.push(this.release(g, kind, lane, site.scope));
      for (const fence of [l?.fences[kind], g.fences[kind]])
        if (fence) given.push({ ...fence, lane, scope: narrower(fence.scope, site.scope) });
    }
    const kept = site.reads
      ? before
      : this.ownWritesContinue
        ? before.filter((r) => r.lane === lane && r.group === g.index)
        : [];
    const after = merged(kept, given);
    if (after.length > 0) places.set(place, after);
    else if (before.length > 0) places.delete(place);
  }

  fence(g: GroupKnowledge, lane: number, fence: Fence): void {
    const { scope, order } = fence;
    const l = this.laneOf(g, lane);
    const me = { group: g.index, lane };
    if (acquires(order))
      for (const r of l.pending)
        if (this.kinds.isAbout(fence, r.kind) && this.covers(scope, r, me)) this.take(g, lane, r);
    if (!releases(order)) return;
    for (const kind of this.kinds.all)
      if (this.kinds.isAbout(fence, kind)) l.fences[kind] = this.release(g, kind, lane, scope);
  }

  /** The workgroup, or one of its subgroups, has passed a barrier. */
  barrier(g: GroupKnowledge, subgroup: number | undefined, b: Fence): void {
    const members = [...g.lanes].filter(([lane]) => subgroup === undefined || this.subgroupOf(lane) === subgroup);
    const beyond = b.scope === "device" || b.scope === "system" || (subgroup !== undefined && b.scope === "workgroup");
    if (beyond) for (const [lane] of members) this.fence(g, lane, { ...b, order: "acquire" });
    for (const kind of this.kinds.all) {
      if (!this.kinds.isAbout(b, kind)) continue;
      let all = subgroup === undefined ? g.shared[kind]! : (g.sharedInner[kind]![subgroup] ?? nothing);
      for (const [, l] of members) {
        all = join(all, l.known[kind]!);
        l.known[kind] = nothing;
      }
      if (subgroup === undefined) {
        for (const known of g.sharedInner[kind]!) all = join(all, known ?? nothing);
        g.sharedInner[kind]!.length = 0;
        g.shared[kind] = all;
        g.epochs[kind]!++;
      } else {
        g.sharedInner[kind]![subgroup] = all;
        g.inner[kind]![subgroup]!++;
      }
      if (!beyond) continue;
      if (subgroup === undefined) {
        const known = new Map(all);
        known.set(this.groupParty(g.index), g.epochs[kind]!);
        g.fences[kind] = { kind, known, scope: b.scope, group: g.index, lane: 0 };
      } else {
        const first = subgroup * this.width;
        for (let lane = first; lane < first + this.width; lane++)
          this.laneOf(g, lane).fences[kind] = this.release(g, kind, lane, b.scope);
      }
    }
  }
}

/** Those of one lane and scope are one, which says what both say. */
function merged(list: readonly Release[], more: readonly Release[]): readonly Release[] {
  if (more.length === 0) return list;
  const all = [...list];
  for (const r of more) {
    const at = all.findIndex(
      (x) => x.kind === r.kind && x.lane === r.lane && x.group === r.group && x.scope === r.scope,
    );
    if (at < 0) all.push(r);
    else all[at] = { ...r, known: join(all[at]!.known, r.known) };
  }
  return all;
}
