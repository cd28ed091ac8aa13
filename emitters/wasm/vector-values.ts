/** Machine expressions of four lanes at a time: what is the same in a group stays scalar, what no vector has is done lane by lane. */
import { childrenOf, visitExpr } from "../../src/regions/machine.js";
import { mayBeNaN } from "../../src/regions/queries.js";
import type { Conversion, MachineExpr, Operation, Store } from "../../src/regions/tree.js";
import type { ScalarKind } from "../../src/types/types.js";
import { type Code, i32, v128 } from "./bytes.js";
import { isPlainMode } from "./expressions.js";
import { bitsOfHalves, bitsOfRounded, halvesFromBits, roundedToHalves } from "./half-vectors.js";
import { fitsIn, isPure } from "./lane-values.js";
import { compareOps, isNarrow, lanesOfGroup } from "./vector-lanes.js";
import { VectorMemory } from "./vector-memory.js";

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
const rounding = new Set(["add", "sub", "mul", "div", "sqrt"]);

export class VectorValues extends VectorMemory {
  /** How many operations of an expression are done for all lanes at once, and how many lane by lane. */
  cost(e: MachineExpr, found: { vector: number; scalar: number }): void {
    const { shapes } = this.g;
    if (shapes.isUniform(e) || e.kind === "constant" || e.kind === "local") return;
    if (e.kind === "load") {
      const a = e.address;
      if (this.isContiguous(a, e.scalar) || this.isSamePlace(a, e.scalar) || this.evenPlace(a, e.scalar)) {
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

  protected override isByLane(e: MachineExpr): boolean {
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

  override vector(e: MachineExpr): void {
    const { shapes, held } = this.g;
    if (shapes.isUniform(e)) return this.splat(e);
    if (e.kind === "local") {
      const h = held.get(e.local);
      if (h?.kind === "vector") {
        this.code.get(h.local);
        if (h.unrounded) this.halves(roundedToHalves);
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
        if (from === "f16") this.halves(bitsOfHalves);
        else this.canonicalVector();
        return this.normaliseVector(to);
      }
      if (to === "f16") {
        this.code.v128([0xffff, 0xffff, 0xffff, 0xffff]).simd(78);
        this.halves(halvesFromBits);
        return;
      }
      return this.normaliseVector(to);
    }
    this.gathered(e.scalar, (part) => this.expr(e, this.scopeOf(part)));
  }

  /** What four lanes store, in a local, as it lies in memory; above elements below 32 bits lies what is not stored. */
  protected storedVector({ scalar, value: v }: Store): number {
    const { code } = this;
    const value = this.newLocal(v128);
    const bits = scalar === "f32" ? "u32" : scalar === "f16" ? "u16" : undefined;
    // A copy from memory to memory moves bits, not numbers.
    if (bits && v.kind === "load") this.vectorLoad(v, bits);
    else if (bits && v.kind === "reinterpretation" && v.scalar === scalar && v.from === bits) this.vector(v.operand);
    else if (scalar === "f16" && this.unrounded(v)) this.halves(bitsOfRounded);
    else {
      this.vector(v);
      if (scalar === "f16") this.halves(bitsOfHalves);
      else if (scalar === "f32" && mayBeNaN(v)) this.canonicalVector();
      else if (scalar === "bool") code.v128([1, 1, 1, 1]).simd(78);
    }
    code.set(value);
    return value;
  }

  /** As `storedVector`, of halves that are loaded again: with their numbers where they have been rounded. */
  protected storedHalf(c: Store): { readonly value: number; readonly number?: number } {
    const { code } = this;
    if (!this.unrounded(c.value)) return { value: this.storedVector(c) };
    const [number, value] = [this.regionLocal(v128), this.newLocal(v128)];
    this.halves(roundedToHalves);
    code.tee(number);
    this.halves(bitsOfHalves);
    code.set(value);
    return { value, number };
  }

  /** Leaves what a half is rounded from; false (and nothing) where that is not known. */
  protected unrounded(e: MachineExpr): boolean {
    if (this.g.shapes.isUniform(e)) return false;
    if (e.kind === "local") {
      const h = this.g.held.get(e.local);
      if (h?.kind !== "vector" || !h.unrounded) return false;
      this.code.get(h.local);
      return true;
    }
    if (e.kind === "conversion" && e.scalar === "f16" && e.from === "f32" && !this.isByLane(e)) {
      this.vector(e.operand);
      return true;
    }
    if (e.kind !== "operation" || e.on !== "f16" || !rounding.has(e.op) || this.isByLane(e)) return false;
    for (const a of e.arguments) this.vector(a);
    this.code.simd(floatOps[e.op]!);
    return true;
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
      if (on === "f16" && rounding.has(op)) this.halves(roundedToHalves);
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
      if (to === "f16" && from !== "f16") this.halves(roundedToHalves);
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
}
