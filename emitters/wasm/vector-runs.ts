/** Runs of lanes: what is looked at once for all groups of a run, and how long it is by that. */
import { bodiesOf, bytesOf, childrenOf, exprsOf } from "../../src/regions/machine.js";
import type { Address, Code, LabelId, MachineExpr } from "../../src/regions/tree.js";
import type { ScalarKind } from "../../src/types/types.js";
import { i32, i64 } from "./bytes.js";
import type { Range } from "./collectives.js";
import { groupLanes, type LaneShapes } from "./lane-shapes.js";
import type { Scope } from "./lane-values.js";
import type { Condition } from "./one-way.js";
import type { Group, Pointer } from "./vector-lanes.js";
import { fromNeighbour, type EvenPlace } from "./vector-memory.js";
import { VectorValues } from "./vector-values.js";

/** More are looked at where they stand. */
const mostPointers = 24;

/** The lowest index whose accesses are not before the object. */
const lowest = (q: Pointer): number => (q.first < 0 ? Math.ceil(-q.first / q.unit) : 0);

export abstract class VectorRuns extends VectorValues {
  /** Divergent targets outside a statement that lanes in it jump to. */
  protected abstract leavesFrom(c: Code): ReadonlySet<LabelId>;

  /**
   * Sets `last` behind the groups that go on from the lane without being looked at again: whole groups of the row for which
   * every access that all lanes come to is inside. Goes to `single` where there is none.
   */
  protected runOfGroups(group: Group, scope: Scope, range: Range, last: number, single: number): void {
    const { code, module } = this;
    code
      .get(scope.lane)
      .i32(groupLanes - 1)
      .op(0x71);
    this.branchIf(single);
    const rows = module.flat ? 1 : module.options.workgroupSize[0];
    if (rows === 1) code.get(range.end).set(last);
    else {
      // The row's end, or that of the range where it comes before.
      code.get(scope.lane).get(scope.lane).i32(rows).op(0x70, 0x6b).i32(rows).op(0x6a).tee(last).get(range.end);
      code.get(last).get(range.end).op(0x48, 0x1b).set(last);
    }
    const count = this.newLocal(i64);
    code.get(last).get(scope.lane).op(0x6b, 0xac).set(count);
    const indices = new Map<Pointer, number>();
    for (const q of group.pointers) {
      const index = this.newLocal(i64);
      indices.set(q, index);
      this.expr(q.index, scope);
      code.set(index);
      if (!q.always) continue;
      // Lanes until the bound: none where the first one is before the object.
      const room = this.newLocal(i64);
      this.limitOf(q);
      code.get(index).op(0x7d);
      if (q.stride > 1)
        code
          .i64(q.stride - 1)
          .op(0x7c)
          .i64(q.stride)
          .op(0x7f);
      code.tee(room).get(count).get(room).get(count).op(0x53, 0x1b);
      code.i64(0).get(index).i64(lowest(q)).op(0x59, 0x1b).set(count);
    }
    for (const c of group.conditions) this.holdsFor(c, scope, count);
    code.get(count).i64(-groupLanes).op(0x83).tee(count).i64(0).op(0x57);
    this.branchIf(single);
    // One group at a time where accesses may come nearer to each other from group to group.
    if (group.shapes.distances.length > 0) code.i64(groupLanes).set(count);
    code.get(scope.lane).get(count).op(0xa7, 0x6a).set(last);
    for (const [q, index] of indices) {
      if (!q.always) {
        code.get(index).i64(lowest(q)).op(0x59);
        code.get(index).get(count).i64(1).op(0x7d).i64(q.stride).op(0x7e, 0x7c);
        this.limitOf(q);
        code.op(0x53, 0x71).set(q.inside);
      }
      code.get(index).op(0xa7).i32(q.unit).op(0x6c).get(this.base(q.object)).op(0x6a).set(q.address);
    }
  }

  /** Lowers a number of lanes to those from the first on for which a condition holds. */
  private holdsFor(c: Condition, scope: Scope, count: number): void {
    const { code } = this;
    if (c.kind === "same") {
      code.get(count).i64(0);
      this.expr(c.value, scope);
      if (!c.is) code.op(0x45);
      code.op(0x1b).set(count);
      return;
    }
    const wide = (e: MachineExpr): void => {
      this.expr(e, scope);
      if (e.scalar === "u32" || e.scalar === "i32") code.op(e.scalar === "u32" ? 0xad : 0xac);
    };
    const [first, bound, room] = [this.newLocal(i64), this.newLocal(i64), this.newLocal(i64)];
    wide(c.even);
    code.set(first);
    wide(c.bound);
    if (c.more !== 0) code.i64(c.more).op(0x7c);
    code.set(bound);
    if (c.kind === "below") code.get(bound);
    else code.i64(c.end);
    code.get(first).op(0x7d);
    if (c.stride > 1)
      code
        .i64(c.stride - 1)
        .op(0x7c)
        .i64(c.stride)
        .op(0x7f);
    code.tee(room).get(count).get(room).get(count).op(0x53, 0x1b).set(count);
    if (c.kind === "from") code.get(count).i64(0).get(first).get(bound).op(0x59, 0x1b).set(count);
  }

  private limitOf(q: Pointer): void {
    this.code.get(this.globalLocal({ kind: "limit", limit: this.module.limit(q.object, q.unit, q.end) }, i64));
  }

  /** Pointers for the accesses of a region; those that stand where every lane comes by are looked at for all lanes. */
  protected collectPointers(list: readonly Code[]): void {
    const { pointers } = this.g;
    const note = (a: Address, scalar: ScalarKind, always: boolean, loads: boolean): void =>
      noted(this.evenPlace(a, scalar), always, loads ? bytesOf(scalar) : 0);
    const noted = (own: EvenPlace | undefined, always: boolean, loaded: number): void => {
      if (!own) return;
      const place = (always && fromNeighbour(own)) || own;
      let found = this.samePointer(place);
      if (!found && pointers.length < mostPointers) {
        const { at: _, ...rest } = place;
        found = { ...rest, always, loads: [], address: this.newLocal(i32), inside: this.newLocal(i32) };
        pointers.push(found);
      }
      if (!found) return;
      found.first = Math.min(found.first, place.first);
      found.end = Math.max(found.end, place.end);
      found.always ||= always;
      if (loaded > 0) found.loads.push({ at: place.at, bytes: loaded });
    };
    const expr = (e: MachineExpr, always: boolean): void => {
      if (e.kind === "load") note(e.address, e.scalar, always, true);
      if (e.kind !== "choose" && e.kind !== "lazy") return childrenOf(e).forEach((x) => expr(x, always));
      const [first, ...others] = childrenOf(e);
      expr(first!, always);
      others.forEach((x) => expr(x, false));
    };
    const walk = (code: readonly Code[], always: boolean): void => {
      for (const c of code) {
        const all = always && c.kind !== "loop";
        for (const e of exprsOf(c)) expr(e, all);
        if (all && c.kind === "declare" && c.value?.kind === "checked") noted(this.evenCheck(c.value), true, 0);
        if (c.kind === "store") note(c.address, c.scalar, all, false);
        for (const b of bodiesOf(c)) walk(b, all && c.kind === "block");
        if (this.leavesFrom(c).size > 0) always = false;
      }
    };
    walk(list, true);
  }

  /** Accesses whose distance is only known now: too near, and lanes go one by one. */
  protected distancesOf(shapes: LaneShapes, scope: Scope, single: number): void {
    const { code } = this;
    for (const { a, b, apart } of shapes.distances) {
      const d = this.newLocal(i64);
      for (const x of [a, b]) {
        this.expr(x.index, scope);
        code.i64(x.unit).op(0x7e).i64(x.offset).op(0x7c);
      }
      // An index of 32 bits may have wrapped before the first lane that takes part; no object has 2^31 bytes.
      code.op(0x7d, 0xc4).tee(d).op(0x50, 0x45);
      // |d| < apart: d + apart - 1 is below 2 * apart - 1
      code
        .get(d)
        .i64(apart - 1)
        .op(0x7c)
        .i64(2 * apart - 1)
        .op(0x54, 0x71);
      this.branchIf(single);
    }
  }
}
