/** Operations and conversions of one lane as instructions that leave one value on the stack. */
import type { Conversion, MachineExpr, MachineScalar, Operation, Reinterpretation } from "../../src/regions/tree.js";
import type { ScalarKind } from "../../src/types/types.js";
import { countedSize } from "../../src/regions/tree.js";
import { f32, f64, i32, i64 } from "./bytes.js";
import { CannotEncode } from "./function-text.js";
import { bitsOf, fitsIn, LaneValues, type Scope } from "./lane-values.js";
import { comparison, floatOp, integerOp, isComparison, normalise } from "./operations.js";
import { heldAs } from "./shape.js";

/** A number of this size at most is an index whose arithmetic is exact in 64 bits. */
const mostIndex = 2n ** 33n;

/** The mode asks for what the conversion does without one: floats are rounded to nearest even. */
export const isPlainMode = ({ mode, scalar: to, from }: Conversion): boolean =>
  (mode?.rounding ?? "rte") === "rte" && to[0] === "f" && bitsOf(from) <= 32;

export class Expressions extends LaneValues {
  // ---------------------------------------------------------------- operations

  protected override operation(e: Operation, scope: Scope): void {
    const { on: kind, op: name, arguments: args } = e;
    if (kind === "index") return this.indexOperation(e, scope);
    if (name === "unless_open") {
      if (e.site === undefined) return this.expr(args[0]!, scope);
      this.expr(args[1]!, scope);
      return this.ifElse(
        () => {
          this.siteAndLane(e.site!, scope);
          for (const a of args.slice(2)) this.pass(a, scope);
          const shown = args.slice(2).map((a) => a.scalar);
          this.callImport("machine", "left_open", ["i32", "u32", ...shown], e.scalar, [kind]);
        },
        () => this.expr(args[0]!, scope),
        heldAs(e.scalar),
      );
    }
    if (isComparison(name)) {
      for (const a of args) this.expr(a, scope);
      this.code.op(comparison(heldAs(kind), kind, name)!);
      return;
    }
    if (kind === "bool") return this.boolean(name, e, scope);
    if (kind[0] === "f") return this.float(kind, name, e, scope);
    return this.integer(kind, name, e, scope);
  }

  private indexOperation(e: Operation, scope: Scope): void {
    const { code } = this;
    const { op: name, arguments: args } = e;
    if (name === "add" || name === "mul") {
      for (const a of args) this.expr(a, scope);
      code.op(name === "add" ? 0x7c : 0x7e);
    } else if (isComparison(name)) {
      for (const a of args) this.expr(a, scope);
      code.op(comparison(i64, "index", name)!);
    } else if (name === "within") {
      this.expr(args[0]!, scope);
      if (e.site === undefined) return;
      const index = this.newLocal(i64);
      code.tee(index);
      this.expr(args[1]!, scope);
      code.op(0x54);
      this.ifElse(
        () => code.get(index),
        () => {
          code.get(index).op(0xb9);
          this.pass(args[1]!, scope);
          this.siteAndLane(e.site!, scope);
          this.callImport("machine", "outside", ["index", "index", "i32", "u32"], "index");
        },
        i64,
      );
    } else if (name === "aligned") this.aligned(e, scope);
    else this.call(`index_${name}`, e, scope);
  }

  private aligned(e: Operation, scope: Scope): void {
    const { code } = this;
    const bytes = this.newLocal(i64);
    const size = this.newLocal(i64);
    this.expr(e.arguments[0]!, scope);
    code.set(bytes);
    this.expr(e.arguments[1]!, scope);
    code.set(size);
    if (e.site === undefined) {
      // Rounded down, of negative numbers too.
      code.get(bytes).get(bytes).get(size).op(0x81).get(size).op(0x7c).get(size).op(0x81, 0x7d).get(size).op(0x7f);
      return;
    }
    code.get(bytes).get(size).op(0x81, 0x50);
    this.ifElse(
      () => code.get(bytes).get(size).op(0x7f),
      () => {
        code.get(bytes).op(0xb9).get(size).op(0xb9);
        this.siteAndLane(e.site!, scope);
        this.callImport("machine", "misaligned", ["index", "index", "i32", "u32"], "index");
      },
      i64,
    );
  }

  private boolean(name: string, e: Operation, scope: Scope): void {
    const [a, b] = e.arguments;
    if (name === "and" || name === "or") return this.lazily(name, a!, b!, scope);
    if (name === "xor" || name === "not") {
      for (const x of e.arguments) this.expr(x, scope);
      this.code.op(name === "xor" ? 0x47 : 0x45);
      return;
    }
    this.call(`bool_${name}`, e, scope);
  }

  private float(kind: MachineScalar, name: string, e: Operation, scope: Scope): void {
    const { code } = this;
    const type = heldAs(kind);
    const op = floatOp(type, name);
    if (op !== undefined) {
      for (const a of e.arguments) this.expr(a, scope);
      code.op(op);
      if (kind === "f16" && ["add", "sub", "mul", "div", "sqrt"].includes(name)) this.toHalf();
      return;
    }
    const both = (): readonly [number, number] => {
      const [x, y] = [this.newLocal(type), this.newLocal(type)];
      this.expr(e.arguments[0]!, scope);
      code.set(x);
      this.expr(e.arguments[1]!, scope);
      code.set(y);
      return [x, y];
    };
    const [eq, ne, lt, , le] = type === f32 ? [0x5b, 0x5c, 0x5d, 0x5e, 0x5f] : [0x61, 0x62, 0x63, 0x64, 0x65];
    switch (name) {
      case "min":
      case "max": {
        const [x, y] = both();
        const [a, b] = name === "min" ? [x, y] : [y, x];
        // What comes of a NaN and a number is chosen by the fill.
        const wins = this.globalLocal({ kind: "fill", scalar: "bool" }, i32);
        code.get(y).get(x);
        code.get(y).get(x).get(x).get(x).op(ne).op(0x1b);
        if (type === f32) code.f32(NaN);
        else code.f64(NaN);
        code.get(wins).op(0x1b);
        code.get(a).get(b).op(le).op(0x1b);
        code.get(b).get(a).op(lt).op(0x1b);
        return;
      }
      case "fmin":
      case "fmax": {
        const [x, y] = both();
        const [a, b] = name === "fmin" ? [x, y] : [y, x];
        code.get(y).get(y).get(x).get(b).get(a).op(lt, 0x1b).get(x).get(x).op(ne, 0x1b);
        return;
      }
      case "fma":
        if (kind !== "f32") break;
        for (const a of e.arguments) this.expr(a, scope);
        code.call(this.own("fusedMultiplyAdd"));
        return;
      case "isnan":
      case "isinf":
      case "isfinite": {
        const x = this.newLocal(type);
        this.expr(e.arguments[0]!, scope);
        code.tee(x);
        if (name === "isnan") code.get(x).op(ne);
        else {
          code.op(type === f32 ? 0x8b : 0x99);
          if (type === f32) code.f32(Infinity);
          else code.f64(Infinity);
          code.op(name === "isinf" ? eq : lt);
        }
        return;
      }
      default:
    }
    this.call(`${kind}_${name}`, e, scope);
  }

  /** A function of the runtime; those that can have a finding are methods of the launch. */
  private call(name: string, e: Operation, scope: Scope): void {
    for (const a of e.arguments) this.pass(a, scope);
    const kinds = e.arguments.map((a) => a.scalar);
    if (e.site !== undefined) {
      this.siteAndLane(e.site, scope);
      this.callImport("machine", name, [...kinds, "i32", "u32"], e.scalar);
    } else this.callImport("runtime", name, kinds, e.scalar);
  }

  private integer(kind: MachineScalar, name: string, e: Operation, scope: Scope): void {
    const { code } = this;
    const type = heldAs(kind);
    const args = e.arguments;
    switch (name) {
      case "add":
      case "sub":
        if (e.site !== undefined) return this.checkedSum(kind, name, e, scope);
        break;
      case "mul":
        if (e.site !== undefined) return this.checkedProduct(kind, e, scope);
        break;
      case "neg":
        if (type === i32) code.i32(0);
        else code.i64(0);
        this.expr(args[0]!, scope);
        code.op(type === i32 ? 0x6b : 0x7d);
        return normalise(code, kind);
      case "not":
        this.expr(args[0]!, scope);
        if (type === i32) code.i32(-1).op(0x73);
        else code.i64(-1).op(0x85);
        return normalise(code, kind);
      case "shl":
        if (e.site !== undefined) return this.checkedShift(kind, e, scope);
        return this.shift(kind, name, args, scope);
      case "shr":
        return this.shift(kind, name, args, scope);
      case "and":
      case "or":
      case "xor":
        break;
      case "div":
      case "rem":
      case "rem_of_positive":
        return this.quotient(kind, name, e, scope);
      case "shl_edges":
      case "shr_edges": {
        if (e.site === undefined) return this.shift(kind, name.slice(0, 3), args, scope);
        for (const a of args) this.expr(a, scope);
        this.siteAndLane(e.site, scope);
        const kinds = args.map((a) => a.scalar);
        return this.callImport("machine", name, [...kinds, "i32", "u32"], kind, [kind]);
      }
      case "shift_count": {
        this.expr(args[0]!, scope);
        if (e.site === undefined) return;
        this.siteAndLane(e.site, scope);
        return this.callImport("machine", name, [args[0]!.scalar, "i32", "u32"], e.scalar);
      }
      default:
        if (this.nativeInteger(kind, name, args, scope)) return;
        return this.call(`${kind}_${name}`, e, scope);
    }
    for (const a of args) this.expr(a, scope);
    code.op(integerOp(type, kind, name)!);
    if (name !== "and" && name !== "or" && name !== "xor") normalise(code, kind);
  }

  private shift(kind: MachineScalar, name: string, args: readonly MachineExpr[], scope: Scope): void {
    const { code } = this;
    const type = heldAs(kind);
    const bits = bitsOf(kind);
    this.expr(args[0]!, scope);
    this.expr(args[1]!, scope);
    const count = heldAs(args[1]!.scalar);
    if (type === i32 && count === i64) code.op(0xa7);
    if (type === i64 && count === i32) code.op(0xad);
    if (bits < 32) code.i32(bits - 1).op(0x71);
    code.op(integerOp(type, kind, name)!);
    if (name === "shl") normalise(code, kind);
  }

  /** A sum that is relied on to fit. */
  private checkedSum(kind: MachineScalar, name: "add" | "sub", e: Operation, scope: Scope): void {
    const { code } = this;
    const sum = this.newLocal(i64);
    const op = name === "add" ? 0x7c : 0x7d;
    if (heldAs(kind) === i64) {
      if (kind !== "i64") throw new CannotEncode(`a checked sum of ${kind}`);
      const [a, b] = [this.newLocal(i64), this.newLocal(i64)];
      this.expr(e.arguments[0]!, scope);
      code.set(a);
      this.expr(e.arguments[1]!, scope);
      code.set(b);
      code.get(a).get(b).op(op).set(sum);
      // Of a sum: its sign differs from that of both; of a difference: the signs differ, and that of the result from the first.
      code.get(a).get(sum).op(0x85);
      if (name === "add") code.get(b).get(sum).op(0x85);
      else code.get(a).get(b).op(0x85);
      code.op(0x83).i64(0).op(0x53);
      this.ifElse(() => this.unfit());
      code.get(sum);
      return;
    }
    // An offset that is moved by an unsigned number is a signed one.
    const extend = ({ scalar }: MachineExpr): number => (scalar[0] === "u" ? 0xad : 0xac);
    const [a, b] = e.arguments as [MachineExpr, MachineExpr];
    this.expr(a, scope);
    code.op(extend(a));
    this.expr(b, scope);
    code.op(extend(b), op).set(sum);
    this.fits(kind, sum, e.site!, scope);
  }

  /** A product that is relied on to fit: of 32 bits it is exact in 64. */
  private checkedProduct(kind: MachineScalar, e: Operation, scope: Scope): void {
    const { code } = this;
    if (kind !== "u32" && kind !== "i32") return this.call(`${kind}_mul_fits`, e, scope);
    const [a, b] = [this.newLocal(i32), this.newLocal(i32)];
    const exact = this.newLocal(i64);
    this.expr(e.arguments[0]!, scope);
    code.set(a);
    this.expr(e.arguments[1]!, scope);
    code.set(b);
    const extend = kind === "u32" ? 0xad : 0xac;
    code.get(a).op(extend).get(b).op(extend, 0x7e).tee(exact);
    if (kind === "i32") code.op(0xc4).get(exact).op(0x51);
    else code.i64(0x100000000n).op(0x54);
    this.ifElse(
      () => code.get(exact).op(0xa7),
      () => {
        code.get(a).get(b);
        this.siteAndLane(e.site!, scope);
        this.callImport("machine", `${kind}_mul_fits`, [kind, kind, "i32", "u32"], kind);
      },
      i32,
    );
  }

  /** The number in `exact`, brought into the kind after a finding where it does not fit. */
  private fits(kind: MachineScalar, exact: number, site: number, scope: Scope): void {
    const { code } = this;
    if (kind !== "i32" && kind !== "u32") throw new CannotEncode(`checked arithmetic of ${kind}`);
    code.get(exact);
    if (kind === "i32") code.op(0xc4).get(exact).op(0x51);
    else code.i64(0x100000000n).op(0x54);
    this.ifElse(
      () => code.get(exact).op(0xa7),
      () => {
        code.get(exact).op(0xb9);
        this.siteAndLane(site, scope);
        this.callImport("machine", `${kind}_fits`, ["index", "i32", "u32"], kind);
      },
      i32,
    );
  }

  private checkedShift(kind: MachineScalar, e: Operation, scope: Scope): void {
    const { code } = this;
    if (heldAs(kind) !== i32) throw new CannotEncode(`a checked shift of ${kind}`);
    const [count, exact] = [this.newLocal(i32), this.newLocal(i64)];
    this.expr(e.arguments[0]!, scope);
    code.op(kind[0] === "u" ? 0xad : 0xac).set(exact);
    this.expr(e.arguments[1]!, scope);
    if (heldAs(e.arguments[1]!.scalar) === i64) code.op(0xa7);
    code.tee(count).i32(31).op(0x4b);
    this.ifElse(() => this.unfit());
    code.get(exact).get(count).op(0xad, 0x86).set(exact);
    this.fits(kind, exact, e.site!, scope);
  }

  private quotient(kind: MachineScalar, name: string, e: Operation, scope: Scope): void {
    const { code } = this;
    const type = heldAs(kind);
    const unsigned = kind[0] === "u";
    const divide = integerOp(type, kind, name === "div" ? "div" : "rem")!;
    const [x, y] = e.arguments as readonly [MachineExpr, MachineExpr];
    if (y.kind === "constant" && name !== "rem_of_positive" && Number(y.value) !== 0 && Number(y.value) !== -1) {
      this.expr(x, scope);
      this.expr(y, scope);
      code.op(divide);
      return;
    }
    const [a, b] = [this.newLocal(type), this.newLocal(type)];
    this.expr(x, scope);
    code.set(a);
    this.expr(y, scope);
    code.set(b);
    // The ordinary: a divisor above zero, or for unsigned kinds other than zero.
    const zero = (): void => void (type === i32 ? code.i32(0) : code.i64(0));
    code.get(b);
    zero();
    code.op(type === i32 ? (unsigned ? 0x47 : 0x4a) : unsigned ? 0x52 : 0x55);
    if (name === "rem_of_positive" && !unsigned) {
      code.get(a);
      zero();
      code.op(type === i32 ? 0x4e : 0x59, 0x71);
    }
    this.ifElse(
      () => code.get(a).get(b).op(divide),
      () => {
        if (e.site !== undefined) {
          code.get(a).get(b);
          this.siteAndLane(e.site, scope);
          this.callImport("machine", `${kind}_${name}`, [kind, kind, "i32", "u32"], kind);
        } else this.unfit();
      },
      type,
    );
  }

  /** Those that have an instruction, or a few. */
  private nativeInteger(kind: MachineScalar, name: string, args: readonly MachineExpr[], scope: Scope): boolean {
    const { code } = this;
    const type = heldAs(kind);
    const bits = bitsOf(kind);
    const wide = bits >= 32;
    switch (name) {
      case "min":
      case "max": {
        const [x, y] = [this.newLocal(type), this.newLocal(type)];
        this.expr(args[0]!, scope);
        code.set(x);
        this.expr(args[1]!, scope);
        code.set(y);
        const [a, b] = name === "min" ? [y, x] : [x, y];
        code
          .get(y)
          .get(x)
          .get(a)
          .get(b)
          .op(comparison(type, kind, "lt")!, 0x1b);
        return true;
      }
      case "clz":
      case "ctz":
      case "popcount": {
        if (!wide) return false;
        this.expr(args[0]!, scope);
        code.op((type === i32 ? 0x67 : 0x79) + ["clz", "ctz", "popcount"].indexOf(name));
        return true;
      }
      case "rotate":
        if (!wide || heldAs(args[1]!.scalar) !== type) return false;
        this.expr(args[0]!, scope);
        this.expr(args[1]!, scope);
        code.op(type === i32 ? 0x77 : 0x89);
        return true;
      case "mulhi": {
        if (bits !== 32) return false;
        const extend = kind === "u32" ? 0xad : 0xac;
        this.expr(args[0]!, scope);
        code.op(extend);
        this.expr(args[1]!, scope);
        code.op(extend, 0x7e).i64(32).op(0x87, 0xa7);
        return true;
      }
      case "mask_count":
        if (kind !== "u32" || args.length !== 5) return false;
        for (const a of args) this.expr(a, scope);
        code.call(this.own("maskCount"));
        return true;
      case "abs": {
        this.expr(args[0]!, scope);
        if (kind[0] === "u") return true;
        const x = this.newLocal(type);
        code.set(x);
        const zero = (): void => void (type === i32 ? code.i32(0) : code.i64(0));
        zero();
        code
          .get(x)
          .op(type === i32 ? 0x6b : 0x7d)
          .get(x)
          .get(x);
        zero();
        code.op(type === i32 ? 0x48 : 0x53, 0x1b);
        normalise(code, kind);
        return true;
      }
      default:
        return false;
    }
  }

  // ---------------------------------------------------------------- conversions

  protected override conversion(e: Conversion, scope: Scope): void {
    const { code } = this;
    const { scalar: to, operand: x, mode, from } = e;
    const [held, result] = [heldAs(from), heldAs(to)];
    if (to === "index") return this.toIndex(e, scope);
    if (mode && !isPlainMode(e)) {
      const rounding = mode.rounding ?? (to[0] === "f" ? "rte" : "rtz");
      this.expr(x, scope);
      this.siteAndLane(e.site ?? -1, scope);
      this.callImport("machine", `convert_${to}`, [from, "i32", "u32"], to, [from, rounding, mode.saturates]);
      return;
    }
    this.expr(x, scope);
    if (to === "bool") {
      if (held === i32) code.i32(0).op(0x47);
      else if (held === i64) code.i64(0).op(0x52);
      else if (held === f32) code.f32(0).op(0x5c);
      else code.f64(0).op(0x62);
      return;
    }
    if (to[0] === "f") return this.toFloat(from, to);
    if (from[0] === "f") return this.floatToInteger(from, to, e.site, scope);
    const big = from === "i64" || from === "u64";
    if (result === i64) {
      if (held === i32) code.op(from[0] === "u" || from === "bool" ? 0xad : 0xac);
      return;
    }
    if (big) {
      if (e.site !== undefined && result === i32 && (to === "u32" || to === "i32"))
        return this.countedIndex(to, from, e.site, scope);
      code.op(0xa7);
      return normalise(code, to);
    }
    if (e.site !== undefined && from !== "bool") {
      const exact = this.newLocal(i64);
      if (held === i32) code.op(from[0] === "u" ? 0xad : 0xac);
      code.set(exact);
      return this.fits(to, exact, e.site, scope);
    }
    if (held === i64) code.op(0xa7);
    if (from !== "bool" && !fitsIn(from, to)) normalise(code, to);
  }

  /** The 64 bits on the stack as an index among elements counted by 32, after a finding where they are none. */
  private countedIndex(to: "u32" | "i32", from: MachineScalar, site: number, scope: Scope): void {
    const { code } = this;
    const x = this.newLocal(i64);
    // By what counts elements, more may be done than finding one.
    // What is computed on with has to be a number of the type, and no more.
    const only = this.module.program.sites[site]!.what === countedSize;
    const below = only && to === "u32" ? 0n : 0x80000000n;
    code
      .tee(x)
      .i64(below)
      .op(0x7c)
      .i64(only || to === "i32" ? 0xffffffffn : 0x17fffffffn)
      .op(0x58);
    this.ifElse(
      () => code.get(x).op(0xa7),
      () => {
        code.get(x);
        this.siteAndLane(site, scope);
        this.callImport("machine", `${to}_index`, [from, "i32", "u32"], to);
      },
      i32,
    );
  }

  /** Numbers of 64 bits that no index can be are another engine's. */
  private toIndex(e: Conversion, scope: Scope): void {
    const { code } = this;
    this.expr(e.operand, scope);
    const { from } = e;
    if (heldAs(from) === i32) {
      code.op(from === "u32" || from === "bool" ? 0xad : 0xac);
      return;
    }
    if (from === "index") return;
    if (heldAs(from) !== i64) throw new CannotEncode(`an index from ${from}`);
    if (e.operand.kind === "conversion" && heldAs(e.operand.from) === i32) return;
    const x = this.newLocal(i64);
    code.tee(x);
    if (from === "u64") code.i64(mostIndex).op(0x56);
    else
      code
        .i64(mostIndex)
        .op(0x7c)
        .i64(2n * mostIndex)
        .op(0x56);
    this.ifElse(() => this.unfit());
    code.get(x);
  }

  private toFloat(from: MachineScalar, to: MachineScalar): void {
    const { code } = this;
    const held = heldAs(from);
    const unsigned = from[0] === "u" || from === "bool" ? 1 : 0;
    if (to === "bf16" || from === "bf16") throw new CannotEncode("bfloat16");
    if (held === i32) code.op((to === "f64" ? 0xb7 : 0xb2) + unsigned);
    else if (held === i64) code.op((to === "f64" ? 0xb9 : 0xb4) + unsigned);
    else if (held === f32 && to === "f64") code.op(0xbb);
    else if (held === f64 && to === "f32") code.op(0xb6);
    else if (held === f64 && to === "f16") code.call(this.own("roundDoubleToHalf"));
    if (to === "f16" && held !== f64 && from !== "f16") this.toHalf();
  }

  private floatToInteger(from: MachineScalar, to: MachineScalar, site: number | undefined, scope: Scope): void {
    const { code } = this;
    const x = this.newLocal(f64);
    if (heldAs(from) === f32) code.op(0xbb);
    code.tee(x);
    const bits = bitsOf(to);
    const unsigned = to[0] === "u";
    // -2^63 is a double, and -2^63 - 1 is none.
    if (to === "i64") code.f64(-(2 ** 63)).op(0x66);
    else code.f64(unsigned ? -1 : -(2 ** (bits - 1)) - 1).op(0x64);
    code
      .get(x)
      .f64(2 ** (unsigned ? bits : bits - 1))
      .op(0x63, 0x71);
    this.ifElse(
      () => code.get(x).op(0xfc, (heldAs(to) === i64 ? 6 : 2) + (unsigned ? 1 : 0)),
      () => {
        code.get(x);
        this.siteAndLane(site ?? -1, scope);
        this.callImport("machine", `to_${to}`, ["f64", "i32", "u32"], to);
      },
      heldAs(to),
    );
  }

  protected override bits({ scalar: to, from, operand: x }: Reinterpretation, scope: Scope): void {
    const { code } = this;
    if (from === "bf16" || to === "bf16") throw new CannotEncode("bfloat16");
    if (from[0] === "f") {
      if (x.kind === "load") this.load(x, scope, `u${from.slice(1)}` as ScalarKind);
      else {
        this.expr(x, scope);
        if (from === "f16") this.bitsOfHalf();
        else {
          this.canonical(from);
          code.op(from === "f32" ? 0xbc : 0xbd);
        }
      }
      return normalise(code, to);
    }
    this.expr(x, scope);
    if (to === "f16") {
      code.i32(0xffff).op(0x71);
      this.halfOfBits();
    } else if (to === "f32") code.op(0xbe);
    else if (to === "f64") code.op(0xbf);
    else normalise(code, to);
  }

  /** One bit pattern for every NaN. */
  protected canonical(kind: MachineScalar): void {
    const { code } = this;
    const x = this.newLocal(heldAs(kind));
    code.tee(x);
    if (kind === "f64") code.f64(NaN).get(x).get(x).op(0x61, 0x1b);
    else code.f32(NaN).get(x).get(x).op(0x5b, 0x1b);
  }
}
