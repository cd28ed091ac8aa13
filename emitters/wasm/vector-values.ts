/** Machine expressions of four lanes at a time: what is the same in a group stays scalar, what no vector has is done lane by lane. */
import { bytesOf, childrenOf, visitExpr } from "../../src/regions/machine.js";
import type {
  Address,
  Checked,
  Conversion,
  LocalId,
  MachineExpr,
  MachineScalar,
  MemoryLoad,
  Operation,
} from "../../src/regions/tree.js";
import type { ScalarKind } from "../../src/types/types.js";
import { Code, f32, i32, i64, v128, type FunctionBody } from "./bytes.js";
import { CollectiveText } from "./collectives.js";
import { isPlainMode } from "./expressions.js";
import { type Scope, fitsIn, isPure } from "./lane-values.js";
import { groupLanes, sameExpr, type LaneShapes } from "./lane-shapes.js";
import { heldAs } from "./shape.js";

const lanesOfGroup = Array.from({ length: groupLanes }, (_, i) => i);

/** Held in 32 bits a lane. */
export const isNarrow = (kind: MachineScalar): boolean => heldAs(kind) === i32 || heldAs(kind) === f32;

/** How a local of the region is held. */
export type Held =
  | { readonly kind: "vector"; readonly local: number }
  | { readonly kind: "lanes"; readonly locals: readonly number[] }
  /** The first lane's; it grows by `stride`. */
  | { readonly kind: "even"; readonly local: number; readonly stride: number };

/** Elements that lie evenly over a run of lanes: their places are computed, and their bounds looked at, once for all of it. */
export interface Pointer {
  readonly object: number;
  readonly unit: number;
  /** In terms of what is known before the region begins; of the first lane. */
  readonly index: MachineExpr;
  /** Units from a lane's to the next one's, above 0. */
  readonly stride: number;
  /** Of all accesses: where the first byte lies, and behind the last, from their index. */
  first: number;
  end: number;
  /** Every lane comes to one of them: the run is as long as they are inside. Else `inside` says whether they are. */
  always: boolean;
  /** Of the group's first lane, without the access's offset. */
  readonly address: number;
  readonly inside: number;
}

export interface Group {
  readonly shapes: LaneShapes;
  readonly pointers: Pointer[];
  /** The group's first lane, and each of its lanes. */
  readonly lane: number;
  readonly lanes: readonly number[];
  readonly held: Map<LocalId, Held>;
  readonly inSubgroup: boolean;
  /** Lanes that take part, all bits set; all of them where it is undefined. */
  mask: number | undefined;
}

const compareOps: Readonly<Record<"i" | "u" | "f", Readonly<Record<string, number>>>> = {
  i: { eq: 55, ne: 56, lt: 57, gt: 59, le: 61, ge: 63 },
  u: { eq: 55, ne: 56, lt: 58, gt: 60, le: 62, ge: 64 },
  f: { eq: 65, ne: 66, lt: 67, gt: 68, le: 69, ge: 70 },
};
const integerOps: Readonly<Record<string, number>> = { add: 174, sub: 177, mul: 181, and: 78, or: 80, xor: 81 };
const shifts: Readonly<Record<string, number>> = { shl: 171, shr: 172 };
const floatOps: Readonly<Record<string, number>> = {
  add: 228,
  sub: 229,
  mul: 230,
  div: 231,
  sqrt: 227,
  abs: 224,
  neg: 225,
  ceil: 103,
  floor: 104,
  trunc: 105,
  round_even: 106,
};
/** Opcodes that load or store one lane, by its bytes. */
const laneLoad: Readonly<Record<number, number>> = { 1: 84, 2: 85, 4: 86 };
const laneStore: Readonly<Record<number, number>> = { 1: 88, 2: 89, 4: 90 };
const rounding = new Set(["add", "sub", "mul", "div", "sqrt"]);

const unaryVector = (locals: readonly (typeof v128)[], code: Code): FunctionBody => ({
  type: { parameters: [v128], results: [v128] },
  locals,
  code,
});

/** As `operations.ts` has them for one lane. */
const halvesFromBits = (): FunctionBody => {
  const c = new Code();
  const all = (x: number): Code => c.v128([x, x, x, x]);
  const f = (x: number): Code => c.f32(x).simd(19);
  c.get(0);
  all(0x7fff).simd(78).i32(13).simd(171).tee(1);
  all(0x7f800000).simd(80);
  c.get(1);
  f(2 ** 112).simd(230);
  c.get(1);
  all(0x0f800000).simd(64).simd(82);
  c.get(0);
  all(0x8000).simd(78).i32(16).simd(171).simd(80);
  return unaryVector([v128], c);
};

const bitsOfHalves = (): FunctionBody => {
  const c = new Code();
  const all = (x: number): Code => c.v128([x, x, x, x]);
  const f = (x: number): Code => c.f32(x).simd(19);
  all(0x7e00);
  all(0x7c00);
  c.get(0).simd(224);
  f(2 ** -112)
    .simd(230)
    .i32(13)
    .simd(173);
  c.get(0).simd(224);
  f(Infinity).simd(65).simd(82);
  c.get(0).i32(16).simd(173);
  all(0x8000).simd(78).simd(80);
  c.get(0).get(0).simd(66).simd(82);
  return unaryVector([], c);
};

const roundedToHalves = (): FunctionBody => {
  const c = new Code();
  const all = (x: number): Code => c.v128([x, x, x, x]);
  const f = (x: number): Code => c.f32(x).simd(19);
  // 1: |x|, 2: big, 3: sign
  c.get(0).simd(224).set(1);
  c.get(0);
  all(-0x80000000).simd(78).set(3);
  c.get(1);
  all(0x7f800000).simd(78);
  all(0x38800000).simd(185);
  all((13 << 23) | 0x400000)
    .simd(174)
    .set(2);
  c.get(1).get(2).simd(228).get(2).simd(229);
  // infinity from 65520 on; a NaN stays
  f(Infinity);
  c.get(1);
  f(65520).simd(67).simd(82).set(1);
  c.get(1).get(3).simd(80).get(0).get(0).get(0).simd(65).simd(82);
  return unaryVector([v128, v128, v128], c);
};

export class VectorValues extends CollectiveText {
  protected group: Group | undefined;

  protected get g(): Group {
    return this.group!;
  }

  protected scopeOf(part: number): Scope {
    const { lanes, inSubgroup } = this.g;
    return { lane: lanes[part]!, inSubgroup, part };
  }

  /** Scope of what is the same in all lanes of the group. */
  protected get groupScope(): Scope {
    return { lane: this.g.lane, inSubgroup: this.g.inSubgroup };
  }

  override readLocal(id: LocalId, scope: Scope): void {
    const held = this.group?.held.get(id);
    if (!held || (scope.part === undefined && held.kind !== "even")) return super.readLocal(id, scope);
    const part = scope.part ?? 0;
    const { code } = this;
    if (held.kind === "lanes") code.get(held.locals[part]!);
    else if (held.kind === "even") {
      code.get(held.local);
      if (part > 0) code.i64(held.stride * part).op(0x7c);
    } else {
      const { scalar } = this.module.local(id);
      code
        .get(held.local)
        .simd(heldAs(scalar) === f32 ? 31 : 27)
        .op(part);
      if (scalar === "bool") code.i32(1).op(0x71);
    }
  }

  // ---------------------------------------------------------------- lane by lane

  /** Whether lane `part` takes part. */
  protected laneBit(part: number): void {
    this.code.get(this.g.mask!).simd(27).op(part);
  }

  /** Runs `inside` for each lane that takes part. */
  protected eachPart(inside: (part: number) => void): void {
    for (const part of lanesOfGroup) {
      if (this.g.mask === undefined) inside(part);
      else {
        this.laneBit(part);
        this.ifElse(() => inside(part));
      }
    }
  }

  /** A vector of what `value` leaves for each lane; of lanes that take no part zero. */
  protected gathered(kind: MachineScalar, value: (part: number) => void): void {
    const { code } = this;
    const held = heldAs(kind);
    const parts = lanesOfGroup.map(() => this.newLocal(held));
    if (this.g.mask !== undefined) for (const p of parts) (held === f32 ? code.f32(0) : code.i32(0)).set(p);
    this.eachPart((part) => {
      value(part);
      code.set(parts[part]!);
    });
    code.get(parts[0]!).simd(held === f32 ? 19 : 17);
    for (const part of lanesOfGroup.slice(1))
      code
        .get(parts[part]!)
        .simd(held === f32 ? 32 : 28)
        .op(part);
    if (kind === "bool") this.truth();
  }

  /** 0 and 1 as no bits and all bits. */
  private truth(): void {
    this.code.simd(161);
  }

  protected splat(e: MachineExpr): void {
    this.expr(e, this.groupScope);
    this.code.simd(heldAs(e.scalar) === f32 ? 19 : 17);
    if (e.scalar === "bool") this.truth();
  }

  protected ones(): void {
    this.code.v128([-1, -1, -1, -1]);
  }

  // ---------------------------------------------------------------- expressions

  /** How many operations of an expression are done for all lanes at once, and how many lane by lane. */
  cost(e: MachineExpr, found: { vector: number; scalar: number }): void {
    const { shapes } = this.g;
    if (shapes.isUniform(e) || e.kind === "constant" || e.kind === "local") return;
    if (e.kind === "load") {
      const a = e.address;
      if (this.isContiguous(a, e.scalar) || this.evenPlace(a, e.scalar)) {
        found.vector++;
        return;
      }
      const index = this.narrowIndex(a);
      if (index && isNarrow(e.scalar)) {
        found.vector++;
        this.cost(index, found);
        return;
      }
      found.scalar += 2;
      visitExpr(e, () => void found.scalar++);
      return;
    }
    if (!isNarrow(e.scalar) || this.isByLane(e)) {
      visitExpr(e, () => void found.scalar++);
      return;
    }
    found.vector++;
    for (const c of childrenOf(e)) this.cost(c, found);
  }

  /** The operation has no vector form. */
  private isByLane(e: MachineExpr): boolean {
    if (childrenOf(e).some((c) => !isNarrow(c.scalar))) return true;
    if (e.kind === "operation") {
      const { on, op, arguments: args } = e;
      if (op === "unless_open") return false;
      if (op in compareOps.i) return false;
      if (e.site !== undefined) return true;
      if (on === "bool") return !["and", "or", "xor", "not"].includes(op);
      if (on[0] === "f")
        return !(op in floatOps) && !["min", "max", "fmin", "fmax", "isnan", "isinf", "isfinite"].includes(op);
      if (op in integerOps || op === "neg" || op === "not") return false;
      if (op in shifts) return !this.g.shapes.isUniform(args[1]!);
      if (op === "rotate") return !(on === "u32" || on === "i32") || !this.g.shapes.isUniform(args[1]!);
      return !(op === "min" || op === "max" || (op === "abs" && (on === "i32" || on[0] === "u")));
    }
    if (e.kind === "conversion")
      return (
        (e.mode !== undefined && !isPlainMode(e)) ||
        (e.site !== undefined && e.from[0] !== "f") ||
        e.from === "bf16" ||
        e.scalar === "bf16"
      );
    if (e.kind === "reinterpretation") return e.scalar === "bf16" || e.from === "bf16";
    return e.kind === "checked" || e.kind === "call" || e.kind === "length";
  }

  /** Leaves four lanes of an expression held in 32 bits; bools as masks. */
  vector(e: MachineExpr): void {
    const { shapes, held } = this.g;
    if (shapes.isUniform(e)) return this.splat(e);
    if (e.kind === "local") {
      const h = held.get(e.local);
      if (h?.kind === "vector") {
        this.code.get(h.local);
        return;
      }
    }
    if (e.kind === "builtin") {
      const stride = shapes.stride(e);
      if (stride !== undefined) {
        this.expr(e, this.scopeOf(0));
        this.code
          .simd(17)
          .v128(lanesOfGroup.map((i) => i * stride))
          .simd(174);
        return;
      }
    }
    if (e.kind === "load") return this.vectorLoad(e);
    if (e.kind === "choose") return this.vectorChoice(e);
    if (e.kind === "lazy") return this.vectorLazy(e.operator, e.left, e.right);
    if (e.kind === "operation" && !this.isByLane(e)) return this.vectorOperation(e);
    if (e.kind === "conversion" && !this.isByLane(e)) return this.vectorConversion(e);
    if (e.kind === "reinterpretation" && !this.isByLane(e)) {
      const { from, scalar: to, operand } = e;
      if (from[0] === "f" && operand.kind === "load")
        return this.vectorLoad(operand, `u${from.slice(1)}` as ScalarKind, to);
      this.vector(operand);
      if (from[0] === "f") {
        if (from === "f16") this.code.call(this.module.ownFunction("bitsOfHalves", bitsOfHalves));
        else this.canonicalVector();
        return this.normaliseVector(to);
      }
      if (to === "f16") {
        this.code.v128([0xffff, 0xffff, 0xffff, 0xffff]).simd(78);
        this.code.call(this.module.ownFunction("halvesFromBits", halvesFromBits));
        return;
      }
      return this.normaliseVector(to);
    }
    this.gathered(e.scalar, (part) => this.expr(e, this.scopeOf(part)));
  }

  /** Runs `inside` for the lanes that take part and have their bits set in a local. */
  protected masked(by: number, not: boolean, inside: () => void): void {
    const { code, g } = this;
    const saved = g.mask;
    const mask = this.newLocal(v128);
    if (saved === undefined) {
      code.get(by);
      if (not) code.simd(77);
    } else
      code
        .get(saved)
        .get(by)
        .simd(not ? 79 : 78);
    code.set(mask);
    g.mask = mask;
    inside();
    g.mask = saved;
  }

  private vectorChoice(e: MachineExpr & { kind: "choose" }): void {
    const { code } = this;
    const [condition, yes, no] = [this.newLocal(v128), this.newLocal(v128), this.newLocal(v128)];
    this.vector(e.condition);
    code.set(condition);
    const side = (x: MachineExpr, into: number, not: boolean): void => {
      if (isPure(x)) this.vector(x);
      else
        this.masked(condition, not, () => {
          code.v128([0, 0, 0, 0]).set(into);
          code.get(this.g.mask!).simd(83);
          this.ifElse(() => {
            this.vector(x);
            code.set(into);
          });
          code.get(into);
        });
      code.set(into);
    };
    side(e.whenTrue, yes, false);
    side(e.whenFalse, no, true);
    code.get(yes).get(no).get(condition).simd(82);
  }

  private vectorLazy(operator: "and" | "or", left: MachineExpr, right: MachineExpr): void {
    const { code } = this;
    const [a, b] = [this.newLocal(v128), this.newLocal(v128)];
    this.vector(left);
    if (isPure(right)) this.vector(right);
    else {
      code.tee(a).v128([0, 0, 0, 0]).set(b);
      this.masked(a, operator === "or", () => {
        code.get(this.g.mask!).simd(83);
        this.ifElse(() => {
          this.vector(right);
          code.set(b);
        });
      });
      code.get(b);
    }
    code.simd(operator === "and" ? 78 : 80);
  }

  protected normaliseVector(kind: MachineScalar): void {
    const bits = kind === "i8" || kind === "u8" ? 24 : kind === "i16" || kind === "u16" ? 16 : 0;
    if (bits === 0) return;
    this.code
      .i32(bits)
      .simd(171)
      .i32(bits)
      .simd(kind[0] === "i" ? 172 : 173);
  }

  protected canonicalVector(): void {
    const x = this.newLocal(v128);
    const nan = 0x7fc00000;
    this.code.set(x).v128([nan, nan, nan, nan]).get(x).get(x).get(x).simd(66).simd(82);
  }

  /** The run is given up where a lane that takes part has its bits set in the vector on the stack. */
  protected unfitWhere(): void {
    const { code, g } = this;
    if (g.mask !== undefined) code.get(g.mask).simd(78);
    code.simd(83);
    this.ifElse(() => this.unfit());
  }

  private pair(e: Operation): readonly [number, number] {
    const [x, y] = [this.newLocal(v128), this.newLocal(v128)];
    this.vector(e.arguments[0]!);
    this.code.set(x);
    this.vector(e.arguments[1]!);
    this.code.set(y);
    return [x, y];
  }

  private vectorOperation(e: Operation): void {
    const { code } = this;
    const { on, op, arguments: args } = e;
    if (op === "unless_open") {
      if (e.site !== undefined) {
        this.vector(args[1]!);
        this.unfitWhere();
      }
      return this.vector(args[0]!);
    }
    if (on === "bool" && (op === "and" || op === "or")) return this.vectorLazy(op, args[0]!, args[1]!);
    const family = on[0] === "f" ? "f" : on[0] === "i" ? "i" : "u";
    const compare = compareOps[family][op];
    const all = (): void => args.forEach((a) => this.vector(a));
    if (compare !== undefined) {
      all();
      code.simd(compare);
      return;
    }
    if (on === "bool") {
      all();
      code.simd(op === "not" ? 77 : 81);
      return;
    }
    if (family === "f") return this.vectorFloat(e);
    if (op in integerOps) {
      all();
      code.simd(integerOps[op]!);
      if (op === "add" || op === "sub" || op === "mul") this.normaliseVector(on);
      return;
    }
    switch (op) {
      case "neg":
        all();
        code.simd(161);
        return this.normaliseVector(on);
      case "not":
        all();
        code.simd(77);
        return this.normaliseVector(on);
      case "shl":
      case "shr": {
        const bits = Number(on.slice(1));
        this.vector(args[0]!);
        this.expr(args[1]!, this.groupScope);
        if (bits < 32) code.i32(bits - 1).op(0x71);
        code.simd(shifts[op]! + (op === "shr" && on[0] === "u" ? 1 : 0));
        if (op === "shl") this.normaliseVector(on);
        return;
      }
      case "rotate": {
        const [x, n] = [this.newLocal(v128), this.newLocal(i32)];
        this.vector(args[0]!);
        code.set(x);
        this.expr(args[1]!, this.groupScope);
        code.set(n);
        code.get(x).get(n).simd(171).get(x).i32(0).get(n).op(0x6b).simd(173).simd(80);
        return;
      }
      case "abs":
        all();
        if (on === "i32") code.simd(160);
        return;
      case "min":
      case "max":
        all();
        code.simd((op === "min" ? 182 : 184) + (on[0] === "u" ? 1 : 0));
        return;
      default:
        throw new Error(`broken table: ${op} of vectors`);
    }
  }

  private vectorFloat(e: Operation): void {
    const { code } = this;
    const { on, op, arguments: args } = e;
    const opcode = floatOps[op];
    if (opcode !== undefined) {
      for (const a of args) this.vector(a);
      code.simd(opcode);
      if (on === "f16" && rounding.has(op)) this.toHalves();
      return;
    }
    if (op === "isnan" || op === "isinf" || op === "isfinite") {
      const x = this.newLocal(v128);
      this.vector(args[0]!);
      code.tee(x);
      if (op === "isnan") code.get(x).simd(66);
      else
        code
          .simd(224)
          .f32(Infinity)
          .simd(19)
          .simd(op === "isinf" ? 65 : 67);
      return;
    }
    const [x, y] = this.pair(e);
    if (op === "fmin" || op === "fmax") {
      const [a, b] = op === "fmin" ? [x, y] : [y, x];
      code.get(y);
      code.get(y).get(x).get(b).get(a).simd(67).simd(82);
      code.get(x).get(x).simd(66).simd(82);
      return;
    }
    const [a, b] = op === "min" ? [x, y] : [y, x];
    const wins = this.globalLocal({ kind: "fill", scalar: "bool" }, i32);
    code.get(y);
    code.get(x);
    // Of a NaN and a number: either, as the fill has it.
    code.get(y).get(x).get(x).get(x).simd(66).simd(82);
    code.v128([0x7fc00000, 0x7fc00000, 0x7fc00000, 0x7fc00000]).get(wins).simd(17).simd(161).simd(82);
    code.get(a).get(b).simd(69).simd(82);
    code.get(b).get(a).simd(67).simd(82);
  }

  protected toHalves(): void {
    this.code.call(this.module.ownFunction("roundedToHalves", roundedToHalves));
  }

  private vectorConversion(e: Conversion): void {
    const { code } = this;
    const { from, scalar: to, operand } = e;
    this.vector(operand);
    const zero = (): Code => code.v128([0, 0, 0, 0]);
    if (to === "bool") {
      zero().simd(from[0] === "f" ? 66 : 56);
      return;
    }
    if (from === "bool") {
      code.v128([1, 1, 1, 1]).simd(78);
      if (to[0] === "f") code.simd(250);
      return;
    }
    if (to[0] === "f") {
      if (from[0] !== "f") code.simd(from[0] === "u" ? 251 : 250);
      if (to === "f16" && from !== "f16") this.toHalves();
      return;
    }
    if (from[0] === "f") {
      const x = this.newLocal(v128);
      const bits = Number(to.slice(1));
      const unsigned = to[0] === "u";
      code.set(x);
      // What is not in between, NaN too, is out of the ordinary.
      code.get(x);
      if (unsigned) code.f32(-1).simd(19).simd(68);
      else if (bits === 32)
        code
          .f32(-(2 ** 31))
          .simd(19)
          .simd(70);
      else
        code
          .f32(-(2 ** (bits - 1)) - 1)
          .simd(19)
          .simd(68);
      code
        .get(x)
        .f32(2 ** (unsigned ? bits : bits - 1))
        .simd(19)
        .simd(67)
        .simd(78)
        .simd(77);
      this.unfitWhere();
      code.get(x).simd(unsigned ? 249 : 248);
      return;
    }
    if (!fitsIn(from, to)) this.normaliseVector(to);
  }

  // ---------------------------------------------------------------- memory

  /** Bytes from a lane's element to the next lane's; undefined where they do not lie evenly. */
  protected evenBytes(a: Address): number | undefined {
    if (typeof a.object !== "number" || this.module.object(a.object).kind === "private") return undefined;
    const s = this.g.shapes.stride(a.index);
    return s === undefined ? undefined : s * a.unit;
  }

  /** Of an access whose lanes' elements lie evenly, with what is looked at once for a run of lanes; undefined for others. */
  protected evenPlace(a: Address, scalar: ScalarKind): Omit<Pointer, "always" | "address" | "inside"> | undefined {
    const { object, unit } = a;
    if (typeof object !== "number" || scalar === "bf16" || !isNarrow(scalar)) return undefined;
    if (this.module.object(object).kind === "private") return undefined;
    const checked = checkedPart(a.index);
    if (checked && (checked !== a.index || checked.address.object !== object || checked.address.unit !== unit))
      return undefined;
    const stride = this.g.shapes.stride(a.index);
    if (stride === undefined || stride <= 0 || mayFind(a.index)) return undefined;
    const index = this.g.shapes.inlined(a.index);
    if (!index) return undefined;
    const [first, end] = [a.offset, a.offset + bytesOf(scalar)];
    if (!checked) return { object, unit, index, stride, first, end };
    const { offset } = checked.address;
    return { object, unit, index, stride, first: Math.min(first, offset), end: Math.max(end, offset + checked.bytes) };
  }

  protected samePointer(p: Omit<Pointer, "always" | "address" | "inside">): Pointer | undefined {
    return this.g.pointers.find(
      (q) => q.object === p.object && q.unit === p.unit && q.stride === p.stride && sameExpr(q.index, p.index),
    );
  }

  /** Runs `through` with the pointer that reaches an access, `otherwise` where there is none or it is not inside. */
  private byPointer(a: Address, scalar: ScalarKind, through: (p: Pointer) => void, otherwise: () => void): void {
    const place = this.evenPlace(a, scalar);
    const p = place && this.samePointer(place);
    if (!p) return otherwise();
    if (p.always) return through(p);
    this.code.get(p.inside);
    this.ifElse(() => through(p), otherwise);
  }

  /** Leaves the address of the first lane's element, and gives what is to be added to it. */
  private addressBy(p: Pointer, offset: number): number {
    this.code.get(p.address);
    if (offset >= 0) return offset;
    this.code.i32(offset).op(0x6a);
    return 0;
  }

  /** Leaves four consecutive elements as 32 bits each; `at` leaves the address of the first and gives what is to be added. */
  private loadConsecutive(scalar: ScalarKind, at: () => number): void {
    const { code } = this;
    const size = bytesOf(scalar);
    const offset = at();
    if (size === 4) code.simdMemory(0, offset);
    else if (size === 2) code.simdMemory(scalar === "i16" ? 3 : 4, offset);
    else if (scalar === "i8") code.simdMemory(92, offset).simd(135).simd(167);
    else code.simdMemory(92, offset).simd(137).simd(169);
    this.heldFromStored(scalar);
  }

  private heldFromStored(scalar: ScalarKind): void {
    const { code } = this;
    if (scalar === "f16") code.call(this.module.ownFunction("halvesFromBits", halvesFromBits));
    if (scalar === "bool") code.v128([0, 0, 0, 0]).simd(56);
  }

  /** As `loadConsecutive`, of elements that lie `apart` bytes from each other. */
  private loadApart(scalar: ScalarKind, apart: number, at: () => number): void {
    const { code } = this;
    const size = bytesOf(scalar);
    const value = this.newLocal(v128);
    code.v128([0, 0, 0, 0]).set(value);
    for (const part of lanesOfGroup) {
      const offset = at() + part * apart;
      code
        .get(value)
        .simdMemory(laneLoad[size]!, offset)
        .op((part * 4) / size)
        .set(value);
    }
    code.get(value);
    if (scalar === "i8" || scalar === "i16") this.normaliseVector(scalar);
    this.heldFromStored(scalar);
  }

  private storeApart(scalar: ScalarKind, apart: number, value: number, at: () => number): void {
    const size = bytesOf(scalar);
    this.eachPart((part) => {
      const offset = at() + part * apart;
      this.code
        .get(value)
        .simdMemory(laneStore[size]!, offset)
        .op((part * 4) / size);
    });
  }

  /** An index without its check, where it is a 32-bit number that has a vector form. */
  private narrowIndex(a: Address): MachineExpr | undefined {
    if (typeof a.object !== "number") return undefined;
    const checked = a.index.kind === "checked" ? a.index : undefined;
    if (checked && checked.address.object !== a.object) return undefined;
    const index = checked ? checked.address.index : a.index;
    if (index.kind !== "conversion" || index.scalar !== "index" || index.mode || index.site !== undefined)
      return undefined;
    const { from, operand } = index;
    if (from !== "i32" && from !== "u32") return undefined;
    return operand.kind === "load" || !this.isByLane(operand) ? operand : undefined;
  }

  /**
   * The indices of four lanes as 32-bit numbers, once it is sure that all lanes that take part are inside; undefined where they
   * are not computed in 32 bits.
   */
  private vectorIndices(a: Address): number | undefined {
    if (typeof a.object !== "number") return undefined;
    const narrow = this.narrowIndex(a);
    if (!narrow) return undefined;
    const checked = a.index.kind === "checked" ? a.index : undefined;
    const { code } = this;
    const found = this.newLocal(v128);
    this.vector(narrow);
    code.set(found);
    if (!checked) return found;
    const { unit, offset } = checked.address;
    const limit = this.module.limit(a.object, unit, offset + checked.bytes);
    code.get(found);
    // No object has 2^31 units: what is below zero is beyond.
    code
      .get(this.globalLocal({ kind: "limit", limit }, i64))
      .op(0xa7)
      .simd(17)
      .simd(compareOps.u["ge"]!);
    if (offset < 0) {
      const low = Math.ceil(-offset / unit);
      code.get(found).v128([low, low, low, low]).simd(compareOps.u["lt"]!).simd(80);
    }
    this.unfitWhere();
    return found;
  }

  /** Leaves the address of a lane's element by the vector of indices. */
  private addressOfPart(a: Address, indices: number, part: number): void {
    const { code } = this;
    code.get(indices).simd(27).op(part).i32(a.unit).op(0x6c);
    code.get(this.base(a.object as number)).op(0x6a);
    if (this.module.object(a.object as number).kind === "private")
      code
        .get(this.g.lanes[part]!)
        .i32(this.laneStride(a.object as number))
        .op(0x6c, 0x6a);
    if (a.offset !== 0) code.i32(a.offset).op(0x6a);
  }

  /** Indices that may follow each other in most groups although they do not always: those kept inside by min and max. */
  private mayFollow(e: MachineExpr): boolean {
    if (this.g.shapes.isUniform(e)) return false;
    const { shapes } = this.g;
    if (e.kind === "local") {
      const value = shapes.valueOf(e.local);
      return value !== undefined && this.mayFollow(value);
    }
    if (e.kind === "conversion" && !e.mode) return this.mayFollow(e.operand);
    if (e.kind !== "operation") return shapes.stride(e) === 1;
    const one = (list: readonly MachineExpr[]): boolean =>
      list.every((x) => shapes.isUniform(x) || this.mayFollow(x)) &&
      list.filter((x) => !shapes.isUniform(x)).length === 1;
    if (["min", "max", "add", "sub"].includes(e.op)) return shapes.stride(e) === 1 || one(e.arguments);
    return shapes.stride(e) === 1;
  }

  /** Loads by indices of their own; undefined (and nothing) where they are not computed in 32 bits. */
  private loadByIndices(a: Address, scalar: ScalarKind): number | undefined {
    const { code, g } = this;
    if (bytesOf(scalar) > 4 || a.unit % bytesOf(scalar) !== 0 || a.offset % bytesOf(scalar) !== 0) return undefined;
    const indices = this.vectorIndices(a);
    if (indices === undefined) return undefined;
    const value = this.newLocal(v128);
    const apart = (): void => {
      code.v128([0, 0, 0, 0]).set(value);
      this.eachPart((part) => {
        this.addressOfPart(a, indices, part);
        code
          .get(value)
          .simdMemory(laneLoad[bytesOf(scalar)]!, 0)
          .op((part * 4) / bytesOf(scalar))
          .set(value);
      });
      code.get(value);
      if (scalar === "i8" || scalar === "i16") this.normaliseVector(scalar);
      this.heldFromStored(scalar);
      code.set(value);
    };
    const index = a.index.kind === "checked" ? a.index.address.index : a.index;
    const isShared = this.module.object(a.object as number).kind !== "private";
    if (g.mask === undefined && isShared && a.unit === bytesOf(scalar) && this.mayFollow(index)) {
      code.get(indices).get(indices).simd(27).op(0).simd(17).v128(lanesOfGroup).simd(174).simd(55).simd(163);
      this.ifElse(() => {
        this.loadConsecutive(scalar, () => {
          this.addressOfPart(a, indices, 0);
          return 0;
        });
        code.set(value);
      }, apart);
    } else apart();
    return value;
  }

  /**
   * The address of the first lane's element of an even access whose lanes follow each other, in a local, once it is sure that all
   * lanes that take part are inside; `otherwise` is run where lanes that take none would not be.
   */
  protected contiguous(a: Address, scalar: ScalarKind, inside: (at: number) => void, otherwise: () => void): void {
    const { code, g } = this;
    const checked = checkedPart(a.index);
    const at = this.newLocal(i32);
    const index = this.newLocal(i64);
    const more = a.offset;
    const stride = g.shapes.stride(a.index)!;
    const address = (): void => {
      code
        .get(index)
        .op(0xa7)
        .i32(a.unit)
        .op(0x6c)
        .get(this.base(a.object as number))
        .op(0x6a);
      if (more !== 0) code.i32(more).op(0x6a);
      code.set(at);
    };
    const plain = checked ? uncheckedIndex(a.index, checked) : a.index;
    this.expr(plain, this.scopeOf(0));
    code.set(index);
    // What is fit for the first and the last lane is for those between.
    if (mayFind(plain)) {
      this.expr(plain, this.scopeOf(groupLanes - 1));
      code.op(0x1a);
    }
    // Without a check of its own the index is known to be inside for lanes that take part.
    const reach = checked ? checked.address.offset + checked.bytes : a.offset + bytesOf(scalar);
    const limit = this.module.limit(a.object as number, checked ? checked.address.unit : a.unit, reach);
    const end = this.globalLocal({ kind: "limit", limit }, i64);
    const low = checked && checked.address.offset < 0 ? Math.ceil(-checked.address.offset / checked.address.unit) : 0;
    code.get(index).i64(low).op(0x59);
    code
      .get(index)
      .i64((groupLanes - 1) * stride)
      .op(0x7c)
      .get(end)
      .op(0x53, 0x71);
    this.ifElse(() => {
      address();
      inside(at);
    }, otherwise);
  }

  protected isContiguous(a: Address, scalar: ScalarKind): boolean {
    if (this.evenBytes(a) !== bytesOf(scalar) || a.offset % bytesOf(scalar) !== 0) return false;
    // A lane that takes no part must not be looked at.
    if (this.g.mask !== undefined && mayFind(a.index)) return false;
    const checked = checkedPart(a.index);
    // The check is of the same index, or there is none.
    return checked === undefined || (checked === a.index && checked.address.object === a.object);
  }

  protected vectorLoad(e: MemoryLoad, scalar: ScalarKind = e.scalar, to: MachineScalar = scalar): void {
    const { code } = this;
    const a = e.address;
    const lanes = (): void => this.gathered(to, (part) => this.load(e, this.scopeOf(part), scalar));
    const value = this.newLocal(v128);
    const other = (): void => {
      if (scalar === "bf16" || !this.isContiguous(a, scalar)) {
        const found = scalar === "bf16" ? undefined : this.loadByIndices(a, scalar);
        if (found === undefined) lanes();
        else code.get(found);
        code.set(value);
        return;
      }
      this.contiguous(
        a,
        scalar,
        (at) => {
          this.loadConsecutive(scalar, () => {
            code.get(at);
            return 0;
          });
          code.set(value);
        },
        () => {
          lanes();
          code.set(value);
        },
      );
    };
    this.byPointer(
      a,
      scalar,
      (p) => {
        const apart = p.stride * p.unit;
        const at = (): number => this.addressBy(p, a.offset);
        if (apart === bytesOf(scalar)) this.loadConsecutive(scalar, at);
        else this.loadApart(scalar, apart, at);
        code.set(value);
      },
      other,
    );
    code.get(value);
    if (to !== scalar) this.normaliseVector(to);
  }

  /** Stores four lanes of what `value` leaves in a local; `byLane` where they do not lie evenly or are not all inside. */
  protected storeEvenly(a: Address, scalar: ScalarKind, value: () => number, byLane: () => void): void {
    const { code } = this;
    this.byPointer(
      a,
      scalar,
      (p) => {
        const apart = p.stride * p.unit;
        const from = value();
        if (apart !== bytesOf(scalar)) return this.storeApart(scalar, apart, from, () => this.addressBy(p, a.offset));
        const at = this.newLocal(i32);
        code.get(p.address).i32(a.offset).op(0x6a).set(at);
        this.storeVector(at, scalar, from);
      },
      () => {
        if (!this.isContiguous(a, scalar)) return byLane();
        this.contiguous(a, scalar, (at) => this.storeVector(at, scalar, value()), byLane);
      },
    );
  }

  /** Stores four lanes of a local to consecutive elements. */
  protected storeVector(at: number, scalar: ScalarKind, value: number): void {
    const { code, g } = this;
    const size = bytesOf(scalar);
    if (size === 4) {
      code.get(at).get(value);
      if (g.mask !== undefined) code.get(at).simdMemory(0, 0).get(g.mask).simd(82);
      code.simdMemory(11, 0);
      return;
    }
    if (g.mask !== undefined) {
      this.eachPart((part) =>
        code
          .get(at)
          .get(value)
          .simd(27)
          .op(part)
          .memory(size === 2 ? 0x3b : 0x3a, size * part),
      );
      return;
    }
    const picked = size === 2 ? [0, 1, 4, 5, 8, 9, 12, 13] : [0, 4, 8, 12];
    code.get(at).get(value).get(value).simd(13);
    for (let i = 0; i < 16; i++) code.op(picked[i] ?? 0);
    code.simdMemory(size === 2 ? 91 : 90, 0).op(0);
  }

  protected halfBitsOfVector(): void {
    this.code.call(this.module.ownFunction("bitsOfHalves", bitsOfHalves));
  }
}

/** The check an index has, where it is one or has one inside. */
function checkedPart(e: MachineExpr): Checked | undefined {
  let found: Checked | undefined;
  visitExpr(e, (x) => {
    if (x.kind === "checked") found ??= x;
  });
  return found;
}

/** The arithmetic of an index can have a finding of its own. */
function mayFind(e: MachineExpr): boolean {
  let found = false;
  visitExpr(e, (x) => {
    if ((x.kind === "operation" || x.kind === "conversion") && x.site !== undefined) found = true;
  });
  return found;
}

const uncheckedIndex = (e: MachineExpr, checked: Checked): MachineExpr => (e === checked ? checked.address.index : e);
