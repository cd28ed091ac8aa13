/**
 * Regions of lanes, four lanes at a time: where lanes part company those that take part are kept as a mask. What would have a
 * finding, and what runs out of steps, gives the run up, which is then done lane by lane.
 */
import { assertNever } from "../../src/support/assert-never.js";
import { bodiesOf, childrenOf as childrenOfExpr, exprsOf, visitCode } from "../../src/regions/machine.js";
import { mayBeNaN } from "../../src/regions/queries.js";
import type {
  Address,
  Atomic,
  Code,
  LabelId,
  Lanes,
  LocalId,
  LoopCode,
  MachineExpr,
  Store,
} from "../../src/regions/tree.js";
import type { ScalarKind } from "../../src/types/types.js";
import { i32, i64, v128 } from "./bytes.js";
import type { Range } from "./collectives.js";
import { type Scope } from "./lane-values.js";
import { slotBytes, type ModuleText } from "./function-text.js";
import { definitions, groupLanes, LaneShapes, leaveTarget } from "./lane-shapes.js";
import { heldAs } from "./shape.js";
import { isNarrow, type Group, type Held, type Pointer } from "./vector-lanes.js";
import { VectorValues } from "./vector-values.js";

/** More are looked at where they stand. */
const mostPointers = 24;

/** The lowest index whose accesses are not before the object. */
const lowest = (q: Pointer): number => (q.first < 0 ? Math.ceil(-q.first / q.unit) : 0);

const definitionsOf = new WeakMap<ModuleText, ReturnType<typeof definitions>>();

/** Fewer lanes than this are not worth the code. */
const fewLanes = 2 * groupLanes;

export class VectorCode extends VectorValues {
  /** Lanes that have left a construct, by its label. */
  private readonly left = new Map<LabelId, number>();
  private leaveGroup = 0;
  private slots: { readonly id: LocalId; readonly held: Held }[] = [];

  // ---------------------------------------------------------------- a region

  /** Encodes a region by groups of lanes, `oneLane` for those that are left; false where it is not for vectors. */
  protected vectorLanes(r: Lanes, range: Range, scope: Scope, oneLane: () => void): boolean {
    const { code, module } = this;
    const { options, program } = module;
    const not = (reason: string): boolean => {
      module.byLane.push(reason);
      return false;
    };
    if (!options.vectors) return false;
    if (options.scrambled) return not("lanes are in another order");
    if (options.localFills || module.cover !== undefined) return not("what lanes do is noted");
    if (module.width < groupLanes) return not("subgroups are smaller than a group of lanes");
    if ((r.over === "workgroup" ? module.lanes : module.width) < fewLanes) return not("there are few lanes");
    if (!module.flat && options.workgroupSize[0] % groupLanes !== 0) return not("rows are no whole groups of lanes");
    let defined = definitionsOf.get(module);
    if (!defined) definitionsOf.set(module, (defined = definitions(program)));
    const shapes = new LaneShapes({ program, rowsOfGroups: true, flat: module.flat }, defined, r.code);
    if (shapes.reason !== undefined) return not(shapes.reason);
    const lanes = Array.from({ length: groupLanes }, (_, i) => (i === 0 ? scope.lane : this.counter()));
    this.group = {
      shapes,
      pointers: [],
      lane: scope.lane,
      lanes,
      held: new Map(),
      inSubgroup: scope.inSubgroup,
      mask: undefined,
    };
    // Where lanes wait groups are looked at one by one.
    const waits = r.masked && program.parks;
    if (!waits) this.collectPointers(r.code);
    if (!this.worthIt(r.code)) {
      this.group = undefined;
      return not("most of it has no vector form");
    }
    module.vectorised++;
    const group = this.group;
    this.group = undefined;
    const last = this.counter();
    code.get(range.start).set(scope.lane);
    this.block(() => {
      const out = this.depth;
      this.loopBlock(() => {
        const again = this.depth;
        code.get(scope.lane).get(range.end).op(0x4e);
        this.branchIf(out);
        this.block(() => {
          const single = this.depth;
          this.runOfGroups(group, scope, range, last, single);
          if (waits) {
            code.get(scope.lane).i32(groupLanes).op(0x6a).set(last);
            code.get(scope.lane).memory(0x28, this.waitAt);
            this.branchIf(single);
          }
          this.distancesOf(shapes, scope, single);
          this.loopBlock(() => {
            const next = this.depth;
            for (let i = 1; i < groupLanes; i++) code.get(scope.lane).i32(i).op(0x6a).set(lanes[i]!);
            this.group = group;
            this.groupBody(r.code);
            this.group = undefined;
            for (const q of group.pointers)
              code
                .get(q.address)
                .i32(groupLanes * q.stride * q.unit)
                .op(0x6a)
                .set(q.address);
            code.get(scope.lane).i32(groupLanes).op(0x6a).tee(scope.lane).get(last).op(0x48);
            this.branchIf(next);
          });
          this.branch(again);
        });
        oneLane();
        code.get(scope.lane).i32(1).op(0x6a).set(scope.lane);
        this.branch(again);
      });
    });
    return true;
  }

  /**
   * Sets `last` behind the groups that go on from the lane without being looked at again: whole groups of the row for which
   * every access that all lanes come to is inside. Goes to `single` where there is none.
   */
  private runOfGroups(group: Group, scope: Scope, range: Range, last: number, single: number): void {
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

  private limitOf(q: Pointer): void {
    this.code.get(this.globalLocal({ kind: "limit", limit: this.module.limit(q.object, q.unit, q.end) }, i64));
  }

  /** Pointers for the accesses of a region; those that stand where every lane comes by are looked at for all lanes. */
  private collectPointers(list: readonly Code[]): void {
    const { pointers } = this.g;
    const note = (a: Address, scalar: ScalarKind, always: boolean): void => {
      const place = this.evenPlace(a, scalar);
      if (!place) return;
      const found = this.samePointer(place);
      if (found) {
        found.first = Math.min(found.first, place.first);
        found.end = Math.max(found.end, place.end);
        found.always ||= always;
      } else if (pointers.length < mostPointers)
        pointers.push({ ...place, always, address: this.newLocal(i32), inside: this.newLocal(i32) });
    };
    const expr = (e: MachineExpr, always: boolean): void => {
      if (e.kind === "load") note(e.address, e.scalar, always);
      if (e.kind !== "choose" && e.kind !== "lazy") return childrenOfExpr(e).forEach((x) => expr(x, always));
      const [first, ...others] = childrenOfExpr(e);
      expr(first!, always);
      others.forEach((x) => expr(x, false));
    };
    const walk = (code: readonly Code[], always: boolean): void => {
      for (const c of code) {
        const all = always && c.kind !== "loop";
        for (const e of exprsOf(c)) expr(e, all);
        if (c.kind === "store") note(c.address, c.scalar, all);
        for (const b of bodiesOf(c)) walk(b, false);
        if (this.leavesFrom(c).size > 0) always = false;
      }
    };
    walk(list, true);
  }

  /** Accesses whose distance is only known now: too near, and lanes go one by one. */
  private distancesOf(shapes: LaneShapes, scope: Scope, single: number): void {
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

  /**
   * The rule: what is done for all lanes at once, loops counted for several passes, is to be at least as much as what is done lane
   * by lane, which costs the taking apart and putting together of vectors besides.
   */
  private worthIt(list: readonly Code[]): boolean {
    const found = { vector: 0, scalar: 0 };
    const count = (code: readonly Code[], weight: number): void => {
      for (const c of code) {
        const here = { vector: 0, scalar: 0 };
        // Of elements that lie evenly the place is computed for all lanes.
        const even =
          c.kind === "store" &&
          (this.isContiguous(c.address, c.scalar) || this.evenPlace(c.address, c.scalar) !== undefined);
        for (const e of even ? [c.value] : exprsOf(c)) this.cost(e, here);
        if (c.kind === "store") here[even ? "vector" : "scalar"] += 2;
        if (c.kind === "atomic") here.scalar += 2;
        found.vector += here.vector * weight;
        found.scalar += here.scalar * weight;
        for (const b of bodiesOf(c)) count(b, c.kind === "loop" ? weight * 8 : weight);
      }
    };
    count(list, 1);
    return found.vector >= found.scalar && found.vector > 0;
  }

  private groupBody(list: readonly Code[]): void {
    this.left.clear();
    const leaves = someCode(list, (c) => c.kind === "park" || c.kind === "return");
    this.loadSlots(list, leaves);
    if (leaves) this.startTarget(leaveTarget);
    this.block(() => {
      this.leaveGroup = this.depth;
      this.vectorList(list);
    });
    this.g.mask = undefined;
    for (const { id, held } of this.slots) this.slotToMemory(id, held);
    this.slots = [];
  }

  // ---------------------------------------------------------------- slots

  private loadSlots(list: readonly Code[], leaves: boolean): void {
    const written = new Set<LocalId>();
    const used = new Set<LocalId>();
    const declared = new Set<LocalId>();
    const isSlot = (l: LocalId): boolean => this.module.local(l).storage === "slot";
    for (const c of list) if (c.kind === "declare" && isSlot(c.local)) declared.add(c.local);
    visitCode(list, (c) => {
      const w = c.kind === "declare" || c.kind === "set" ? c.local : c.kind === "atomic" ? c.result : undefined;
      if (w !== undefined && isSlot(w)) written.add(w);
      for (const e of exprsOf(c)) visitLocals(e, (l) => isSlot(l) && used.add(l));
    });
    for (const id of new Set([...used, ...written])) {
      const held = this.makeHeld(id);
      if (leaves || !declared.has(id)) this.slotFromMemory(id, held);
      if (written.has(id)) this.slots.push({ id, held });
    }
  }

  private slotFromMemory(id: LocalId, held: Held): void {
    const { code } = this;
    const { scalar } = this.module.local(id);
    if (held.kind === "lanes") {
      held.locals.forEach((l, part) => {
        this.readSlot(id, this.g.lanes[part]!);
        code.set(l);
      });
      return;
    }
    this.slotAddress(id, this.g.lane);
    const at = this.module.slotAt(id);
    const size = slotBytes(scalar);
    if (size === 4) code.simdMemory(0, at);
    else if (size === 2) code.simdMemory(scalar === "i16" ? 3 : 4, at);
    else if (scalar === "i8") code.simdMemory(92, at).simd(135).simd(167);
    else code.simdMemory(92, at).simd(137).simd(169);
    if (scalar === "bool") code.simd(161);
    code.set(held.local);
  }

  private slotToMemory(id: LocalId, held: Held): void {
    const { code } = this;
    const { scalar } = this.module.local(id);
    if (held.kind === "lanes") {
      held.locals.forEach((l, part) => this.writeSlot(id, this.g.lanes[part]!, () => code.get(l)));
      return;
    }
    const at = this.newLocal(i32);
    this.slotAddress(id, this.g.lane);
    code.i32(this.module.slotAt(id)).op(0x6a).set(at);
    let value = held.local;
    if (scalar === "bool") {
      value = this.newLocal(v128);
      code.get(held.local).v128([1, 1, 1, 1]).simd(78).set(value);
    }
    // Of a half the slot has the number itself.
    this.storeVector(at, scalar === "f16" ? "f32" : (scalar as "f32"), value);
  }

  // ---------------------------------------------------------------- locals

  private makeHeld(id: LocalId): Held {
    const { scalar } = this.module.local(id);
    const held: Held = isNarrow(scalar)
      ? { kind: "vector", local: this.regionLocal(v128) }
      : { kind: "lanes", locals: Array.from({ length: groupLanes }, () => this.regionLocal(heldAs(scalar))) };
    this.g.held.set(id, held);
    return held;
  }

  private assignVector(c: Code & { kind: "declare" | "set" }): void {
    const { code, g } = this;
    const { shapes } = g;
    const { scalar, storage, constant } = this.module.local(c.local);
    if (shapes.isUniformLocal(c.local))
      return this.assign(
        c.local,
        () => (c.value ? this.expr(c.value, this.groupScope) : this.fill(c.local)),
        this.groupScope,
        c.kind === "declare",
      );
    // An index that grows evenly needs its first lane only, where all lanes are sure to be inside.
    if (scalar === "index" && constant && storage === "lane" && c.value && g.mask === undefined) {
      const stride = shapes.stride(c.value);
      if (stride !== undefined && stride >= 0 && c.value.kind === "checked") {
        const first = this.regionLocal(i64);
        const last = this.newLocal(i64);
        this.expr(c.value, this.scopeOf(0));
        code.set(first);
        this.expr(c.value, this.scopeOf(groupLanes - 1));
        code
          .tee(last)
          .get(first)
          .op(0x7d)
          .i64(stride * (groupLanes - 1))
          .op(0x52);
        this.ifElse(() => this.unfit());
        g.held.set(c.local, { kind: "even", local: first, stride });
        return;
      }
    }
    const held = g.held.get(c.local) ?? this.makeHeld(c.local);
    if (held.kind === "vector") {
      if (c.value) this.vector(c.value);
      else {
        this.fill(c.local);
        code.simd(heldAs(scalar) === heldAs("f32") ? 19 : 17);
        if (scalar === "bool") code.simd(161);
      }
      // Lanes that take no part do not see a local that comes into scope.
      if (g.mask !== undefined && (c.kind === "set" || storage === "slot")) code.get(held.local).get(g.mask).simd(82);
      code.set(held.local);
      return;
    }
    const locals = held.kind === "lanes" ? held.locals : [];
    this.eachPart((part) => {
      if (c.value) this.expr(c.value, this.scopeOf(part));
      else this.fill(c.local);
      code.set(locals[part]!);
    });
  }

  // ---------------------------------------------------------------- statements

  /** A list; behind a statement that lanes may leave, only those that are left go on. */
  private vectorList(list: readonly Code[]): void {
    const at = list.findIndex((c) => this.leavesFrom(c).size > 0);
    if (at < 0) {
      for (const c of list) this.vectorStatement(c);
      return;
    }
    for (const c of list.slice(0, at + 1)) this.vectorStatement(c);
    const rest = list.slice(at + 1);
    if (rest.length === 0) return;
    const saved = this.g.mask;
    this.withoutThoseThatLeft(this.leavesFrom(list[at]!));
    this.code.get(this.g.mask!).simd(83);
    this.ifElse(() => this.vectorList(rest));
    this.g.mask = saved;
  }

  private withoutThoseThatLeft(targets: ReadonlySet<LabelId>): void {
    const { code, g } = this;
    const mask = this.newLocal(v128);
    if (g.mask === undefined) this.ones();
    else code.get(g.mask);
    for (const t of targets) code.get(this.left.get(t)!).simd(79);
    code.set(mask);
    g.mask = mask;
  }

  private readonly leaving = new WeakMap<Code, ReadonlySet<LabelId>>();
  /** Divergent targets outside a statement that lanes in it jump to; a jump of all lanes leaves nobody behind. */
  private leavesFrom(c: Code): ReadonlySet<LabelId> {
    let found = this.leaving.get(c);
    if (found) return found;
    const targets = new Set<LabelId>();
    visitCode([c], (x) => {
      if (x.kind === "park" || x.kind === "return") targets.add(leaveTarget);
      if ((x.kind === "break" || x.kind === "continue") && this.g.shapes.isDivergent(x.label))
        targets.add(labelOf(x.kind, x.label));
    });
    visitCode([c], (x) => {
      if (x.kind === "loop" || x.kind === "block") {
        targets.delete(x.label);
        targets.delete(labelOf("continue", x.label));
      }
    });
    found = targets;
    this.leaving.set(c, found);
    return found;
  }

  private startTarget(label: LabelId): number {
    let local = this.left.get(label);
    if (local === undefined) this.left.set(label, (local = this.regionLocal(v128)));
    this.code.v128([0, 0, 0, 0]).set(local);
    return local;
  }

  /** The lanes that take part leave to a target. */
  private leaveTo(label: LabelId): void {
    const { code, g } = this;
    const left = this.left.get(label)!;
    if (g.mask === undefined) this.ones();
    else code.get(left).get(g.mask).simd(80);
    code.set(left);
  }

  private vectorStatement(c: Code): void {
    this.oneStatement(() => this.vectorCode(c));
  }

  private vectorCode(c: Code): void {
    const { code } = this;
    switch (c.kind) {
      case "declare":
      case "set":
        return this.assignVector(c);
      case "store":
        return this.vectorStore(c);
      case "atomic":
        return this.vectorAtomic(c);
      case "evaluate":
        if (this.g.shapes.isUniform(c.value)) {
          this.expr(c.value, this.groupScope);
          code.op(0x1a);
        } else
          this.eachPart((part) => {
            this.expr(c.value, this.scopeOf(part));
            code.op(0x1a);
          });
        return;
      case "if":
        return this.vectorIf(c);
      case "loop":
        return this.vectorLoop(c);
      case "block":
        if (!this.g.shapes.isDivergent(c.label)) return this.labelled(c.label, () => this.vectorList(c.body));
        this.startTarget(c.label);
        return this.vectorList(c.body);
      case "break":
      case "continue":
        if (this.g.shapes.isDivergent(c.label)) this.leaveTo(labelOf(c.kind, c.label));
        else this.jump(c.kind, c.label);
        return;
      case "park":
        this.eachPart((part) => code.get(this.g.lanes[part]!).i32(c.wait).memory(0x3a, this.waitAt));
        return this.leaveRegion();
      case "return":
        return this.leaveRegion();
      case "barrier":
        return;
      case "switch":
      case "fill":
      case "cover":
      case "print":
      case "collective":
        throw new Error(`broken tree: ${c.kind} among groups of lanes`);
      default:
        return assertNever(c);
    }
  }

  private leaveRegion(): void {
    if (this.g.mask === undefined) this.branch(this.leaveGroup);
    else this.leaveTo(leaveTarget);
  }

  private vectorIf(c: Code & { kind: "if" }): void {
    const { code, g } = this;
    if (g.shapes.isUniform(c.condition)) {
      this.expr(c.condition, this.groupScope);
      return this.ifElse(() => this.vectorList(c.then), c.else.length > 0 ? () => this.vectorList(c.else) : undefined);
    }
    const condition = this.newLocal(v128);
    this.vector(c.condition);
    code.set(condition);
    const side = (list: readonly Code[], not: boolean): void => {
      if (list.length === 0) return;
      this.masked(condition, not, () => {
        code.get(this.g.mask!).simd(83);
        this.ifElse(() => this.vectorList(list));
      });
    };
    side(c.then, false);
    side(c.else, true);
  }

  private vectorLoop(c: LoopCode): void {
    const { code, g } = this;
    const { shapes } = g;
    const work = this.module.work.ofLoop(c);
    const outer = this.leavesFrom(c);
    if (!shapes.isDivergent(c.label) && outer.size === 0) {
      const several = someCode(c.body, (x) => x.kind === "continue" && x.label === c.label);
      return this.loop(c.label, {
        steps: () => this.groupSteps(work),
        guard: undefined,
        head: c.head.length === 0 ? undefined : () => this.vectorList(c.head),
        condition: c.condition ? () => this.expr(c.condition!, this.groupScope) : undefined,
        body: () => this.vectorList(c.body),
        step: () => this.vectorList(c.step),
        continues: several,
      });
    }
    const saved = g.mask;
    const live = this.newLocal(v128);
    if (saved === undefined) this.ones();
    else code.get(saved);
    code.set(live);
    this.startTarget(c.label);
    const continued = labelOf("continue", c.label);
    this.startTarget(continued);
    this.block(() => {
      const out = this.depth;
      const whileAny = (): void => {
        code.get(live).simd(83).op(0x45);
        this.branchIf(out);
      };
      const onlyThoseThatStay = (): void => {
        code.get(live);
        for (const t of [c.label, ...outer]) code.get(this.left.get(t)!).simd(79);
        code.set(live);
        g.mask = live;
        whileAny();
      };
      const onlyWhere = (): void => {
        g.mask = live;
        this.vector(c.condition!);
        code.get(live).simd(78).set(live);
        whileAny();
      };
      this.loopBlock(() => {
        const again = this.depth;
        whileAny();
        if (c.condition && c.head.length === 0) onlyWhere();
        g.mask = live;
        this.groupSteps(work);
        this.vectorList(c.head);
        if (c.head.some((x) => this.leavesFrom(x).size > 0)) onlyThoseThatStay();
        if (c.condition && c.head.length > 0) onlyWhere();
        code.v128([0, 0, 0, 0]).set(this.left.get(continued)!);
        const body = this.newLocal(v128);
        code.get(live).set(body);
        g.mask = body;
        this.vectorList(c.body);
        onlyThoseThatStay();
        this.vectorList(c.step);
        if (c.step.some((x) => this.leavesFrom(x).size > 0)) onlyThoseThatStay();
        this.branch(again);
      });
    });
    g.mask = saved;
  }

  /** Steps of one pass, for each lane that takes part. */
  private groupSteps(work: number): void {
    const { code, g } = this;
    if (!this.module.options.steps) return;
    const { mask } = g;
    const left = this.stepsLocal!;
    code.get(left);
    if (mask === undefined) code.i64(work * groupLanes);
    else code.get(mask).simd(164).op(0x69, 0xad).i64(work).op(0x7e);
    code.op(0x7d).tee(left).i64(0).op(0x53);
    this.ifElse(() => this.unfit());
  }

  // ---------------------------------------------------------------- memory

  private vectorStore(c: Store): void {
    const { code } = this;
    const byLane = (): void => this.eachPart((part) => this.store(c, this.scopeOf(part)));
    const { scalar } = c;
    if (scalar === "bf16" || heldAs(scalar) !== heldAs(c.value.scalar) || !isNarrow(scalar)) return byLane();
    this.storeEvenly(
      c.address,
      scalar,
      () => {
        const value = this.newLocal(v128);
        const v = c.value;
        const bits = scalar === "f32" ? "u32" : scalar === "f16" ? "u16" : undefined;
        // A copy from memory to memory moves bits, not numbers.
        if (bits && v.kind === "load") this.vectorLoad(v, bits);
        else if (bits && v.kind === "reinterpretation" && v.scalar === scalar && v.from === bits)
          this.vector(v.operand);
        else {
          this.vector(v);
          if (scalar === "f16") this.halfBitsOfVector();
          else if (scalar === "f32" && mayBeNaN(v)) this.canonicalVector();
          else if (scalar === "bool") code.v128([1, 1, 1, 1]).simd(78);
        }
        code.set(value);
        return value;
      },
      byLane,
    );
  }

  private vectorAtomic(c: Atomic): void {
    const { g } = this;
    const { result } = c;
    if (result === undefined) return this.eachPart((part) => this.atomic(c, this.scopeOf(part)));
    const held = g.held.get(result) ?? this.makeHeld(result);
    const { scalar } = this.module.local(result);
    const parts = held.kind === "lanes" ? held.locals : g.lanes.map(() => this.newLocal(heldAs(scalar)));
    this.eachPart((part) => {
      this.atomicInto = { result, local: parts[part]! };
      this.atomic(c, this.scopeOf(part));
      this.atomicInto = undefined;
    });
    if (held.kind !== "vector") return;
    this.gathered(scalar, (part) => this.code.get(parts[part]!));
    if (g.mask !== undefined) this.code.get(held.local).get(g.mask).simd(82);
    this.code.set(held.local);
  }

  private atomicInto: { readonly result: LocalId; readonly local: number } | undefined;

  protected override assign(id: LocalId, value: () => void, scope: Scope, declares: boolean): void {
    if (this.atomicInto?.result !== id) return super.assign(id, value, scope, declares);
    value();
    this.code.set(this.atomicInto.local);
  }
}

/** Jumps to a loop's step are counted apart from those out of it. */
const labelOf = (kind: "break" | "continue", label: LabelId): LabelId => (kind === "break" ? label : -2 - label);

function someCode(list: readonly Code[], test: (c: Code) => boolean): boolean {
  let found = false;
  visitCode(list, (c) => {
    if (test(c)) found = true;
  });
  return found;
}

function visitLocals(e: Parameters<VectorValues["vector"]>[0], visit: (l: LocalId) => unknown): void {
  if (e.kind === "local") visit(e.local);
  for (const c of childrenOfExpr(e)) visitLocals(c, visit);
}
