/**
 * Regions of lanes, four lanes at a time: where lanes part company those that take part are kept as a mask. What would have a
 * finding, and what runs out of steps, gives the run up, which is then done lane by lane.
 */
import { assertNever } from "../../src/support/assert-never.js";
import { bodiesOf, childrenOf as childrenOfExpr, exprsOf, visitCode } from "../../src/regions/machine.js";
import type { Code, LabelId, Lanes, LocalId, LoopCode } from "../../src/regions/tree.js";
import { i32, i64, v128 } from "./bytes.js";
import type { Range } from "./collectives.js";
import { type Scope } from "./lane-values.js";
import { slotBytes, type ModuleText } from "./function-text.js";
import { definitions, groupLanes, LaneShapes, leaveTarget } from "./lane-shapes.js";
import { oneWay, type Condition } from "./one-way.js";
import { heldAs } from "./shape.js";
import { isNarrow, lanesOfGroup, type Group, type Held } from "./vector-lanes.js";
import { mayFind } from "./vector-memory.js";
import { VectorStores } from "./vector-stores.js";
import type { VectorValues } from "./vector-values.js";

const definitionsOf = new WeakMap<ModuleText, ReturnType<typeof definitions>>();

/** Fewer lanes than this are not worth the code. */
const fewLanes = 2 * groupLanes;

/** A region as it is encoded for groups. */
interface GroupForm {
  readonly group: Group;
  readonly code: readonly Code[];
  readonly worthIt: boolean;
}

export class VectorCode extends VectorStores {
  /** Lanes that have left a construct, by its label. */
  private readonly left = new Map<LabelId, number>();
  private leaveGroup = 0;
  /** The mask of the lanes for which a local came into scope. */
  private readonly declaredFor = new Map<LocalId, number | undefined>();
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
    const around = {
      ...{ program, rowsOfGroups: true, flat: module.flat },
      alignedGrid: options.alignedGrid === true,
      inSubgroup: scope.inSubgroup,
    };
    const shapes = new LaneShapes(around, defined, r.code);
    if (shapes.reason !== undefined) return not(shapes.reason);
    const lanes = Array.from({ length: groupLanes }, (_, i) => (i === 0 ? scope.lane : this.counter()));
    const form = (of: LaneShapes, list: readonly Code[], conditions: readonly Condition[]): GroupForm => {
      const held = new Map<LocalId, Held>();
      const { lane, inSubgroup } = scope;
      const unrounded = onlyStored(list, (l) => module.local(l).storage === "lane");
      this.group = { shapes: of, pointers: [], conditions, lane, lanes, held, inSubgroup, unrounded, mask: undefined };
      // Where lanes wait groups are looked at one by one.
      if (!waits) this.collectPointers(list);
      const made = { group: this.group, code: list, worthIt: this.worthIt(list) };
      this.group = undefined;
      return made;
    };
    const waits = r.masked && program.parks;
    const whole = form(shapes, r.code, []);
    if (!whole.worthIt) return not("most of it has no vector form");
    module.vectorised++;
    const last = this.counter();
    const forms = [whole];
    const straight = waits ? undefined : oneWay(r.code, shapes);
    if (straight) {
      const values = straight.values.size > 0 ? new Map([...defined, ...straight.values]) : defined;
      const known = new LaneShapes(around, values, straight.code);
      if (known.reason === undefined) forms.unshift(form(known, straight.code, straight.conditions));
    }
    code.get(range.start).set(scope.lane);
    this.block(() => {
      const out = this.depth;
      this.loopBlock(() => {
        const again = this.depth;
        code.get(scope.lane).get(range.end).op(0x4e);
        this.branchIf(out);
        for (const f of forms)
          this.block(() => {
            const not = this.depth;
            this.runOfGroups(f.group, scope, range, last, not);
            if (waits) {
              code.get(scope.lane).i32(groupLanes).op(0x6a).set(last);
              code.get(scope.lane).memory(0x28, this.waitAt);
              this.branchIf(not);
            }
            this.distancesOf(f.group.shapes, scope, not);
            this.groupsOf(f, last);
            this.branch(again);
          });
        oneLane();
        code.get(scope.lane).i32(1).op(0x6a).set(scope.lane);
        this.branch(again);
      });
    });
    return true;
  }

  /** Groups one after the other from the lane to `last`. */
  private groupsOf({ group, code: list }: GroupForm, last: number): void {
    const { code } = this;
    const { lane, lanes, pointers } = group;
    this.loopBlock(() => {
      const next = this.depth;
      for (let i = 1; i < groupLanes; i++) code.get(lane).i32(i).op(0x6a).set(lanes[i]!);
      this.group = group;
      this.groupBody(list);
      this.group = undefined;
      for (const q of pointers)
        code
          .get(q.address)
          .i32(groupLanes * q.stride * q.unit)
          .op(0x6a)
          .set(q.address);
      code.get(lane).i32(groupLanes).op(0x6a).tee(lane).get(last).op(0x48);
      this.branchIf(next);
    });
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
          (this.isContiguous(c.address, c.scalar) ||
            this.isSamePlace(c.address, c.scalar) ||
            this.evenPlace(c.address, c.scalar) !== undefined);
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
    for (const known of [this.left, this.declaredFor]) known.clear();
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

  protected override makeHeld(id: LocalId): Held {
    const { scalar } = this.module.local(id);
    const held: Held = isNarrow(scalar)
      ? { kind: "vector", local: this.regionLocal(v128), ...(this.g.unrounded.has(id) ? { unrounded: true } : {}) }
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
        if (this.isInside(c.value)) {
          this.expr(c.value.address.index, this.scopeOf(0));
          code.set(first);
          g.held.set(c.local, { kind: "even", local: first, stride });
          return;
        }
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
    // Of a number that grows evenly the first lane's serves where one is wanted, and makes the vector.
    const isPlain = (scalar === "i32" || scalar === "u32") && storage === "lane" && g.mask === undefined;
    if (isPlain && c.value && shapes.valueOf(c.local)) {
      const stride = mayFind(c.value) ? undefined : shapes.stride(c.value);
      if (stride !== undefined) {
        const [first, local] = [this.regionLocal(i32), this.regionLocal(v128)];
        this.expr(c.value, this.scopeOf(0));
        code.tee(first).simd(17);
        code.v128(lanesOfGroup.map((i) => i * stride)).simd(174);
        code.set(local);
        g.held.set(c.local, { kind: "vector", local, even: { first, stride } });
        return;
      }
    }
    const held = g.held.get(c.local) ?? this.makeHeld(c.local);
    if (held.kind === "vector") {
      if (held.unrounded && c.value && this.unrounded(c.value)) {
        // What it is rounded to is found where it is stored.
      } else if (c.value) this.vector(c.value);
      else {
        this.fill(c.local);
        code.simd(heldAs(scalar) === heldAs("f32") ? 19 : 17);
        if (scalar === "bool") code.simd(161);
      }
      // Lanes that take no part do not see a local that comes into scope, nor what it is set to for those that saw it come.
      const seen = c.kind === "declare" || this.declaredFor.get(c.local) === g.mask;
      if (c.kind === "declare") this.declaredFor.set(c.local, g.mask);
      if (g.mask !== undefined && (!seen || storage === "slot")) code.get(held.local).get(g.mask).simd(82);
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
      this.straightList(list);
      return;
    }
    this.straightList(list.slice(0, at + 1));
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

  private readonly leaving = new WeakMap<LaneShapes, WeakMap<Code, ReadonlySet<LabelId>>>();
  /** Divergent targets outside a statement that lanes in it jump to; a jump of all lanes leaves nobody behind. */
  protected leavesFrom(c: Code): ReadonlySet<LabelId> {
    let known = this.leaving.get(this.g.shapes);
    if (!known) this.leaving.set(this.g.shapes, (known = new WeakMap()));
    const found = known.get(c);
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
    known.set(c, targets);
    return targets;
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

  protected override vectorStatement(c: Code): void {
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
      case "fill":
        this.forgetKnown(c.object);
        return this.eachPart((part) => this.fillPrivate(c.object, this.scopeOf(part)));
      case "switch":
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

/** Halves that are nothing but stored. */
function onlyStored(list: readonly Code[], isOfLane: (l: LocalId) => boolean): ReadonlySet<LocalId> {
  const stored = new Set<LocalId>();
  const others = new Set<LocalId>();
  visitCode(list, (c) => {
    for (const e of exprsOf(c))
      if (c.kind === "store" && e === c.value && e.kind === "local" && e.scalar === "f16" && c.scalar === "f16")
        stored.add(e.local);
      else visitLocals(e, (l) => void others.add(l));
  });
  return new Set([...stored].filter((l) => !others.has(l) && isOfLane(l)));
}

function visitLocals(e: Parameters<VectorValues["vector"]>[0], visit: (l: LocalId) => unknown): void {
  if (e.kind === "local") visit(e.local);
  for (const c of childrenOfExpr(e)) visitLocals(c, visit);
}
