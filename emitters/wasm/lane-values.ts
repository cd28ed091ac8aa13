/** Values of one lane, each left on the stack: locals and slots, ids, memory, and what is called; operations are `expressions.ts`. */
import { assertNever } from "../../src/support/assert-never.js";
import { bytesOf, childrenOf, isBig } from "../../src/regions/machine.js";
import type {
  Address,
  BuiltinScalar,
  Checked,
  Constant,
  Conversion,
  LocalId,
  MachineExpr,
  MachineScalar,
  MemoryLoad,
  Operation,
  Reinterpretation,
} from "../../src/regions/tree.js";
import type { ScalarKind } from "../../src/types/types.js";
import { f32, f64, i32, i64, type FunctionRef } from "./bytes.js";
import { CannotEncode, slotBytes } from "./function-text.js";
import {
  fusedMultiplyAdd,
  halfBits,
  halfFromBits,
  loadOp,
  maskCount,
  roundDoubleToHalf,
  roundToHalf,
} from "./operations.js";
import { RaceScreenText } from "./race-screen.js";
import { heldAs, outOfTheOrdinary } from "./shape.js";

/** What surrounds an expression: the local with the lane whose slots and builtins are meant. */
export interface Scope {
  readonly lane: number;
  /** Inside a loop over subgroups `start`, `end` and `subgroup` are known. */
  readonly inSubgroup: boolean;
  /** Of a group of lanes that goes together: which one. */
  readonly part?: number;
}

export const bitsOf = (kind: MachineScalar): number =>
  kind === "index" ? 64 : kind === "bool" ? 1 : Number(kind.replace(/\D*/, ""));

export const fitsIn = (from: MachineScalar, to: MachineScalar): boolean => {
  if (from === "index" || from === "bool") return false;
  const [a, b] = [bitsOf(from), bitsOf(to)];
  if (from[0] === to[0]) return a <= b;
  return from[0] === "u" && a < b;
};

export function neverNegative(e: MachineExpr): boolean {
  if (e.kind === "constant") return Number(e.value) >= 0;
  if (e.kind === "builtin" || e.kind === "checked") return true;
  if (e.scalar === "u32" || e.scalar === "u16" || e.scalar === "u8" || e.scalar === "u64") return true;
  if (e.kind === "operation" && e.on === "index")
    return (e.op === "add" || e.op === "mul") && e.arguments.every(neverNegative);
  if (e.kind === "conversion" && e.scalar === "index") return neverNegative(e.operand);
  return false;
}

/** Nothing but its value: it may be computed although it is not asked for. */
export function isPure(e: MachineExpr): boolean {
  switch (e.kind) {
    case "load":
    case "checked":
    case "call":
      return false;
    case "operation":
      if (e.site !== undefined || ((e.op === "div" || e.op === "rem") && e.on[0] !== "f")) return false;
      break;
    case "conversion":
      if (e.site !== undefined || e.mode || (e.from[0] === "f" && e.scalar[0] !== "f" && e.scalar !== "bool"))
        return false;
      if (e.scalar === "index" && isBig(e.from)) return false;
      break;
    default:
  }
  return childrenOf(e).every(isPure);
}

interface Register {
  readonly local: number;
  readonly written: boolean;
  readonly declaredHere: boolean;
  declared: boolean;
}

export abstract class LaneValues extends RaceScreenText {
  protected readonly wasmLocals = new Map<LocalId, number>();
  /** Those of storage "lane" that the region has a local for. */
  private laneLocals: LocalId[] = [];
  /** Slots that a region keeps in locals while it works on one lane. */
  protected registers = new Map<LocalId, Register>();
  /** Bounds of the subgroup that runs, and its number. */
  protected readonly bounds = { start: -1, end: -1, subgroup: -1 };
  /** The workgroup's place, where the function knows it. */
  protected place: readonly [number, number, number] | undefined;

  // ---------------------------------------------------------------- locals

  /** A region over lanes: locals of a lane are its own. */
  protected lanesRegion(inside: () => void): void {
    const outer = this.laneLocals;
    this.laneLocals = [];
    this.region(inside);
    for (const id of this.laneLocals) this.wasmLocals.delete(id);
    this.laneLocals = outer;
  }

  localOf(id: LocalId): number {
    let found = this.wasmLocals.get(id);
    if (found === undefined) {
      const { scalar, storage } = this.module.local(id);
      const given = this.module.givenTo(id);
      found = given
        ? this.globalLocal({ kind: "value", ...given, scalar }, heldAs(scalar))
        : storage === "lane"
          ? this.regionLocal(heldAs(scalar))
          : this.lastingLocal(heldAs(scalar));
      this.wasmLocals.set(id, found);
      if (storage === "lane") this.laneLocals.push(id);
    }
    return found;
  }

  readLocal(id: LocalId, scope: Scope): void {
    const register = this.registers.get(id);
    if (register) this.code.get(register.local);
    else if (this.module.local(id).storage === "slot") this.readSlot(id, scope.lane);
    else this.code.get(this.localOf(id));
  }

  protected slotAddress(id: LocalId, lane: number): void {
    const size = slotBytes(this.module.local(id).scalar);
    this.code.get(lane);
    if (size > 1) this.code.i32(Math.log2(size)).op(0x74);
  }

  protected readSlot(id: LocalId, lane: number): void {
    const { scalar } = this.module.local(id);
    const at = this.module.slotAt(id);
    this.slotAddress(id, lane);
    if (scalar === "index") this.code.memory(0x2b, at).op(0xb0);
    else this.code.memory(scalar === "f16" ? 0x2a : loadOp[scalar]!, at);
  }

  /** The value is what `value` leaves on the stack. */
  protected writeSlot(id: LocalId, lane: number, value: () => void): void {
    const { scalar } = this.module.local(id);
    const at = this.module.slotAt(id);
    this.slotAddress(id, lane);
    value();
    if (scalar === "index") this.code.op(0xb9).memory(0x39, at);
    else
      this.code.memory(
        { 1: 0x3a, 2: 0x3b, 4: heldAs(scalar) === f32 ? 0x38 : 0x36, 8: heldAs(scalar) === f64 ? 0x39 : 0x37 }[
          slotBytes(scalar)
        ]!,
        at,
      );
  }

  // ---------------------------------------------------------------- calls

  /** A routine of JavaScript: an index on the stack has been made a double. */
  protected callImport(
    on: "machine" | "runtime",
    name: string,
    parameters: readonly MachineScalar[],
    result: MachineScalar | undefined,
    leading: readonly (string | number | boolean | undefined)[] = [],
  ): void {
    // What does not come back takes no registers from what goes on.
    if (on === "machine" && this.module.options.vectors && outOfTheOrdinary.has(name)) return this.unfit();
    if (on === "machine") this.flushSteps();
    this.code.call(this.module.importFunction({ on, name, leading, parameters, result }));
    if (result === "index") this.code.op(0xfc, 6);
  }

  /** The value, as it is passed to JavaScript. */
  protected pass(e: MachineExpr, scope: Scope): void {
    this.expr(e, scope);
    if (e.scalar === "index") this.code.op(0xb9);
  }

  protected siteAndLane(site: number, scope: Scope): void {
    this.code.i32(site).get(scope.lane);
  }

  protected own(name: string): FunctionRef {
    const make = { halfFromBits, halfBits, roundToHalf, roundDoubleToHalf, fusedMultiplyAdd, maskCount }[name]!;
    return this.module.ownFunction(name, make);
  }
  protected toHalf(): void {
    this.code.call(this.own("roundToHalf"));
  }
  protected bitsOfHalf(): void {
    this.code.call(this.own("halfBits"));
  }
  protected halfOfBits(): void {
    this.code.call(this.own("halfFromBits"));
  }

  // ---------------------------------------------------------------- expressions

  expr(e: MachineExpr, scope: Scope): void {
    switch (e.kind) {
      case "constant":
        return this.constant(e);
      case "local":
        return this.readLocal(e.local, scope);
      case "builtin":
        return this.builtin(e, scope);
      case "operation":
        return this.operation(e, scope);
      case "conversion":
        return this.conversion(e, scope);
      case "reinterpretation":
        return this.bits(e, scope);
      case "choose":
        this.expr(e.condition, scope);
        return this.ifElse(
          () => this.expr(e.whenTrue, scope),
          () => this.expr(e.whenFalse, scope),
          heldAs(e.scalar),
        );
      case "lazy":
        return this.lazily(e.operator, e.left, e.right, scope);
      case "load":
        return this.load(e, scope);
      case "checked":
        return this.checked(e, scope);
      case "call": {
        const helper = this.module.program.helpers[e.helper]!;
        this.code.get(scope.lane);
        for (const a of e.arguments) this.expr(a, scope);
        this.flushSteps();
        this.code.call({ from: "own", index: e.helper });
        if (this.module.work.counts(e.helper)) this.readSteps();
        if (helper.result === undefined) this.constant({ kind: "constant", scalar: e.scalar, value: 0 });
        return;
      }
      case "length": {
        const { object, offset, stride } = e;
        this.code.get(this.globalLocal({ kind: "elements", object, offset, stride }, i32));
        return;
      }
      default:
        return assertNever(e);
    }
  }

  constant(e: Constant): void {
    const held = heldAs(e.scalar);
    if (held === i32) this.code.i32(Number(e.value));
    else if (held === i64) this.code.i64(BigInt(e.value));
    else if (held === f32) this.code.f32(Number(e.value));
    else this.code.f64(Number(e.value));
  }

  protected lazily(operator: "and" | "or", left: MachineExpr, right: MachineExpr, scope: Scope): void {
    this.expr(left, scope);
    if (isPure(right)) {
      this.expr(right, scope);
      this.code.op(operator === "and" ? 0x71 : 0x72);
    } else if (operator === "and")
      this.ifElse(
        () => this.expr(right, scope),
        () => this.code.i32(0),
        i32,
      );
    else
      this.ifElse(
        () => this.code.i32(1),
        () => this.expr(right, scope),
        i32,
      );
  }

  // ---------------------------------------------------------------- builtins

  protected field(name: string): number {
    return this.globalLocal({ kind: "field", name }, i32);
  }

  private table(name: "local_x" | "local_y" | "local_z" | "local_index", scope: Scope): void {
    this.code.get(scope.lane).i32(2).op(0x74).memory(0x28, this.module.tableAt(name));
  }

  private baseLocals = new Map<number, number>();
  /** `base + workgroup * size` along an axis. */
  protected baseOf(component: number): number {
    let found = this.baseLocals.get(component);
    if (found === undefined) {
      const axis = "xyz"[component]!;
      found = this.lastingLocal(i32);
      this.baseLocals.set(component, found);
      const base = this.field(`base_${axis}`);
      const size = this.field(`enqueued_workgroup_size_${axis}`);
      if (!this.place) throw new CannotEncode("the workgroup's place is asked for in a function");
      this.groupPrologue.get(this.place[component]!).get(size).op(0x6c).get(base).op(0x6a).set(found);
    }
    return found;
  }

  protected builtin(e: BuiltinScalar, scope: Scope): void {
    const { code, module } = this;
    const { width, lanes, flat } = module;
    const axis = "xyz"[e.component]!;
    const linear = !module.options.scrambled;
    switch (e.builtin) {
      case "local_index":
        if (linear) code.get(scope.lane);
        else this.table("local_index", scope);
        return;
      case "local_id":
        if (flat && e.component === 0) code.get(scope.lane);
        else if (flat) code.i32(0);
        else this.table(`local_${axis}` as "local_x", scope);
        return;
      case "global_id":
        code.get(this.baseOf(e.component));
        if (flat && e.component !== 0) return;
        if (flat) code.get(scope.lane);
        else this.table(`local_${axis}` as "local_x", scope);
        code.op(0x6a);
        return;
      case "workgroup_id":
        if (!this.place) throw new CannotEncode("the workgroup's place is asked for in a function");
        code.get(this.place[e.component]);
        return;
      case "workgroup_size":
        code.i32(module.options.workgroupSize[e.component]);
        return;
      case "lane_id":
        code.get(scope.lane);
        if (scope.inSubgroup) code.get(this.bounds.start).op(0x6b);
        else code.i32(width - 1).op(0x71);
        return;
      case "subgroup_size":
        code.i32(width);
        return;
      case "subgroup_id":
        if (scope.inSubgroup) code.get(this.bounds.subgroup);
        else code.get(scope.lane).i32(Math.log2(width)).op(0x76);
        return;
      case "subgroup_lanes":
        if (scope.inSubgroup) code.get(this.bounds.end).get(this.bounds.start).op(0x6b);
        else {
          code.get(scope.lane);
          this.callImport("machine", "subgroupLanes", ["u32"], "u32");
        }
        return;
      case "num_subgroups":
        code.i32(module.subgroups);
        return;
      case "quad_lane_id":
        code.get(scope.lane).i32(3).op(0x71);
        return;
      case "quad_id":
        code.get(scope.lane).i32(2).op(0x76);
        return;
      case "num_quads":
        code.i32((lanes + 3) >>> 2);
        return;
      case "global_linear_id":
        if (!this.place) throw new CannotEncode("the workgroup's place is asked for in a function");
        for (const p of this.place) code.get(p);
        code.get(scope.lane);
        this.callImport("machine", "globalLinear", ["u32", "u32", "u32", "u32"], "u32");
        return;
      case "num_workgroups":
      case "global_size":
      case "global_offset":
      case "enqueued_workgroup_size":
        code.get(this.field(`${e.builtin}_${axis}`));
        return;
      case "work_dim":
      case "enqueued_num_subgroups":
        code.get(this.field(e.builtin));
        return;
      default:
        return assertNever(e.builtin);
    }
  }

  // ---------------------------------------------------------------- memory

  protected base(object: number): number {
    return this.globalLocal({ kind: "base", object }, i32);
  }

  /** Bytes from one lane's copy of a private object to the next. */
  protected laneStride(object: number): number {
    return Math.ceil(this.module.object(object).bytes! / 8) * 8;
  }

  /** Leaves an address and gives what is to be added to it; undefined (and nothing) where it is not aligned to its size. */
  protected address(a: Address, scalar: ScalarKind, scope: Scope): number | undefined {
    if (typeof a.object !== "number") return undefined;
    const { code } = this;
    const size = bytesOf(scalar);
    let more: number;
    if (a.index.kind === "constant") {
      more = Number(a.index.value) * a.unit + a.offset;
      if (more % size !== 0) return undefined;
      code.get(this.base(a.object));
    } else {
      if (a.unit % size !== 0 || a.offset % size !== 0) return undefined;
      more = a.offset;
      this.expr(a.index, scope);
      code.op(0xa7);
      this.timesUnit(a.unit);
      code.get(this.base(a.object)).op(0x6a);
    }
    if (this.module.object(a.object).kind === "private")
      code.get(scope.lane).i32(this.laneStride(a.object)).op(0x6c).op(0x6a);
    if (more >= 0 && more < 2 ** 31 && (a.index.kind === "constant" || neverNegative(a.index))) return more;
    code.i32(more).op(0x6a);
    return 0;
  }

  private timesUnit(unit: number): void {
    if (unit === 1) return;
    if ((unit & (unit - 1)) === 0) this.code.i32(Math.log2(unit)).op(0x74);
    else this.code.i32(unit).op(0x6c);
  }

  /** Byte offset of an address inside its object (of this lane's copy, which the machine finds), as a double. */
  protected passBytes(a: Address, scope: Scope): void {
    const { code } = this;
    this.expr(a.index, scope);
    if (a.unit !== 1) code.i64(a.unit).op(0x7e);
    if (a.offset !== 0) code.i64(a.offset).op(0x7c);
    code.op(0xb9);
  }

  protected passObject(a: Address, scope: Scope): void {
    if (typeof a.object === "number") this.code.i32(a.object);
    else this.expr(a.object, scope);
  }

  load(e: MemoryLoad, scope: Scope, scalar: ScalarKind = e.scalar): void {
    if (scalar === "bf16") throw new CannotEncode("bfloat16 in memory");
    const offset = this.address(e.address, scalar, scope);
    if (offset === undefined) {
      this.notScreened();
      this.passObject(e.address, scope);
      this.passBytes(e.address, scope);
      this.siteAndLane(e.site, scope);
      return this.callImport("machine", `load_${scalar}`, ["u32", "index", "i32", "u32"], scalar);
    }
    const { object } = e.address;
    this.noteAddress("read", object, bytesOf(scalar), offset, this.inSeveralLanes(e, scope) ? "several" : scope.lane);
    this.code.memory(loadOp[scalar]!, offset);
    if (scalar === "f16") this.halfOfBits();
  }

  /** What is computed once stands for several lanes. */
  protected inSeveralLanes(_e: MachineExpr, _scope: Scope): boolean {
    return false;
  }

  /** The machine's own accesses are not. */
  protected notScreened(): void {
    if (this.module.screen)
      throw new CannotEncode("memory that is chosen at run time, or not aligned, is not screened");
  }

  private checked(e: Checked, scope: Scope): void {
    const a = e.address;
    this.expr(a.index, scope);
    // Pointers that may point into several objects are checked where they are used.
    if (typeof a.object !== "number") return;
    const { code } = this;
    const limit = this.module.limit(a.object, a.unit, a.offset + e.bytes);
    const end = this.globalLocal({ kind: "limit", limit }, i64);
    const low = a.offset < 0 ? Math.ceil(-a.offset / a.unit) : 0;
    const index = this.newLocal(i64);
    code.tee(index);
    if (low > 0) code.i64(low).op(0x59).get(index).get(end).op(0x53, 0x71);
    else code.get(end).op(0x54);
    this.ifElse(
      () => code.get(index),
      () => {
        this.outOfBounds(limit, e.site, index, scope);
      },
      i64,
    );
  }

  protected outOfBounds(limit: number, site: number, index: number, scope: Scope): void {
    this.code.i32(limit).i32(site).get(scope.lane).get(index).op(0xb9);
    this.callImport("machine", "outOfBounds", ["i32", "i32", "u32", "index"], "i32");
    this.code.op(0xac);
  }

  protected abstract operation(e: Operation, scope: Scope): void;
  protected abstract conversion(e: Conversion, scope: Scope): void;
  protected abstract bits(e: Reinterpretation, scope: Scope): void;
}
