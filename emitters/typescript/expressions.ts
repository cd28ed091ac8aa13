/** Machine expressions as JavaScript. Every value is a number in its type's range, a bigint (64 bits) or a boolean. */
import { foldText, storedFoldText } from "./fold-text.js";
import { assertNever } from "../../src/support/assert-never.js";
import type {
  Address,
  Atomic,
  BuiltinScalar,
  Checked,
  Conversion,
  LocalId,
  MachineExpr,
  MachineScalar,
  MemoryLoad,
  MemoryObject,
  Operation,
  Reinterpretation,
} from "../../src/regions/tree.js";
import { bytesOf, isBig } from "../../src/regions/machine.js";
import type { ScalarKind } from "../../src/types/types.js";

export interface Text {
  readonly text: string;
  /** Operator precedence of JavaScript: 20 atoms and calls, 14 unary, 12 *, 11 +, 10 shifts, 9 <, 8 ===, 7 & 6 ^ 5 | 4 && 3 || 2 ?: 1 =. */
  readonly level: number;
}

/** What surrounds an expression. */
export interface Scope {
  /** The lane whose slots and builtins are meant; undefined where there is none. */
  readonly lane: string;
  /** Inside a loop over subgroups `start`, `end` and `subgroup` are known. */
  readonly inSubgroup: boolean;
  /** Code that is run once for these lanes, from the first to before the last. */
  readonly together?: string;
}

/** What the printer of a program offers to expressions. */
export interface Surroundings {
  readonly dimensions: {
    readonly size: readonly [number, number, number] | undefined;
    readonly width: number | undefined;
    readonly linear: boolean;
  };
  object(id: number): MemoryObject;
  view(id: number, scalar: ScalarKind): string;
  limit(id: number, unit: number, reach: number): { readonly name: string; readonly check: number };
  laneStride(id: number, bytes: number): string;
  readLocal(id: LocalId, scope: Scope): Text;
  /** An element that is there, and for TypeScript said to be. */
  read(array: string, index: string): string;
  temporary(): string;
  runtime(name: string): string;
  helper(index: number): string;
  /** Lanes take turns in it. */
  helperTurns(index: number): boolean;
  checks: boolean;
  /** What a dialect leaves open is chosen by the fill. */
  open: boolean;
  /** Sums, products, quotients and roots are routines, too. */
  granted: boolean;
  /** Accesses are noted, so that races can be found. */
  races: boolean;
  /** Number of a read's place among all. */
  readSite(site: number): number;
}

/** Constants and private memory cannot. */
export const canRace = (o: MemoryObject): boolean => o.written && (o.kind === "buffer" || o.kind === "workgroup");

const atom = (text: string): Text => ({ text, level: 20 });
const at = (level: number, text: string): Text => ({ level, text });

export function wrapText(t: Text, level: number): string {
  return t.level < level ? `(${t.text})` : t.text;
}

export class Expressions {
  constructor(private readonly s: Surroundings) {}

  print(e: MachineExpr, scope: Scope): Text {
    switch (e.kind) {
      case "constant":
        return literal(e.scalar, e.value);
      case "local":
        return this.s.readLocal(e.local, scope);
      case "builtin":
        return this.builtin(e, scope);
      case "operation":
        return this.operation(e, scope);
      case "conversion":
        return this.conversion(e, scope);
      case "reinterpretation":
        return this.bits(e, scope);
      case "choose":
        return at(
          2,
          `${this.in(e.condition, 3, scope)} ? ${this.in(e.whenTrue, 2, scope)} : ${this.in(e.whenFalse, 2, scope)}`,
        );
      case "lazy": {
        const level = e.operator === "and" ? 4 : 3;
        return at(
          level,
          `${this.in(e.left, level, scope)} ${e.operator === "and" ? "&&" : "||"} ${this.in(e.right, level + 1, scope)}`,
        );
      }
      case "load":
        return this.load(e, scope);
      case "checked":
        return this.checked(e, scope);
      case "call": {
        const args = [scope.lane, ...e.arguments.map((a) => this.in(a, 1, scope))];
        const call = `${this.s.helper(e.helper)}(${args.join(", ")})`;
        return atom(this.s.helperTurns(e.helper) ? `(yield* ${call})` : call);
      }
      case "length":
        return atom(`m.elements(${e.object}, ${e.offset}, ${e.stride})`);
      default:
        return assertNever(e);
    }
  }

  in(e: MachineExpr, level: number, scope: Scope): string {
    return wrapText(this.print(e, scope), level);
  }

  // ---------------------------------------------------------------- builtins

  private builtin(e: BuiltinScalar, scope: Scope): Text {
    const { size, width, linear } = this.s.dimensions;
    const axis = "xyz"[e.component]!;
    const wide = width === undefined ? "width" : String(width);
    const flat = linear && size !== undefined && size[1] === 1 && size[2] === 1;
    switch (e.builtin) {
      case "local_index":
        return atom(linear ? scope.lane : this.s.read("local_index", scope.lane));
      case "local_id":
        if (flat) return atom(e.component === 0 ? scope.lane : "0");
        return atom(this.s.read(`local_${axis}`, scope.lane));
      case "global_id":
        if (flat) return e.component === 0 ? at(11, `base_x + ${scope.lane}`) : atom(`base_${axis}`);
        return at(11, `base_${axis} + ${this.s.read(`local_${axis}`, scope.lane)}`);
      case "workgroup_id":
        return atom(`w${axis}`);
      case "workgroup_size":
        return atom(size ? String(size[e.component]) : `m.size_${axis}`);
      case "lane_id":
        if (scope.inSubgroup) return at(11, `${scope.lane} - start`);
        return width === undefined ? at(12, `${scope.lane} % width`) : at(7, `${scope.lane} & ${width - 1}`);
      case "subgroup_size":
        return atom(wide);
      case "subgroup_id":
        if (scope.inSubgroup) return atom("subgroup");
        return width === undefined
          ? at(10, `(${scope.lane} / width) >>> 0`)
          : at(10, `${scope.lane} >>> ${Math.log2(width)}`);
      case "subgroup_lanes":
        if (scope.inSubgroup) return at(11, "end - start");
        return atom(`m.subgroupLanes(${scope.lane})`);
      case "num_subgroups":
        return atom("subgroups");
      case "quad_lane_id":
        return at(7, `${scope.lane} & 3`);
      case "quad_id":
        return at(10, `${scope.lane} >>> 2`);
      case "num_quads":
        return at(10, "(m.lanes + 3) >>> 2");
      case "global_linear_id":
        return atom(`m.globalLinear(wx, wy, wz, ${scope.lane})`);
      case "num_workgroups":
      case "global_size":
      case "global_offset":
      case "enqueued_workgroup_size":
        return atom(`m.${e.builtin}_${axis}`);
      case "work_dim":
      case "enqueued_num_subgroups":
        return atom(`m.${e.builtin}`);
      default:
        return assertNever(e.builtin);
    }
  }

  // ---------------------------------------------------------------- memory

  /** Index of a scalar in the view of its kind; undefined where it is not aligned to its size. */
  element(a: Address, scalar: ScalarKind, scope: Scope): Text | undefined {
    if (typeof a.object !== "number") return undefined;
    const size = bytesOf(scalar);
    const object = this.s.object(a.object);
    let text: Text;
    if (a.index.kind === "constant") {
      const bytes = Number(a.index.value) * a.unit + a.offset;
      if (bytes % size !== 0) return undefined;
      text = literal("index", bytes / size);
    } else {
      if (a.unit % size !== 0 || a.offset % size !== 0) return undefined;
      const factor = a.unit / size;
      const more = a.offset / size;
      text = this.print(a.index, scope);
      if (factor !== 1) text = at(12, `${wrapText(text, 12)} * ${factor}`);
      if (more !== 0) text = at(11, `${wrapText(text, 11)} ${more < 0 ? "-" : "+"} ${Math.abs(more)}`);
    }
    if (object.kind !== "private") return text;
    const stride = this.s.laneStride(a.object, size);
    const base = `${scope.lane} * ${stride}`;
    return text.text === "0" ? at(12, base) : at(11, `${base} + ${wrapText(text, 12)}`);
  }

  /** Byte offset of an address inside its object. */
  bytes(a: Address, scope: Scope): string {
    let text = a.unit === 1 ? this.in(a.index, 11, scope) : `${this.in(a.index, 12, scope)} * ${a.unit}`;
    if (a.offset !== 0) text += ` + ${a.offset}`;
    return text;
  }

  objectId(a: Address, scope: Scope): string {
    return typeof a.object === "number" ? String(a.object) : this.in(a.object, 1, scope);
  }

  load(e: MemoryLoad, scope: Scope, scalar: ScalarKind = e.scalar): Text {
    const element = this.element(e.address, scalar, scope);
    if (element === undefined) {
      return atom(
        `m.load_${scalar}(${this.objectId(e.address, scope)}, ${this.bytes(e.address, scope)}, ${e.site}, ${scope.lane})`,
      );
    }
    const object = e.address.object as number;
    const index =
      this.s.races && canRace(this.s.object(object))
        ? `m.reads(${object}, ${element.text}, ${bytesOf(scalar)}, ${scope.lane}, ${this.s.readSite(e.site)})`
        : element.text;
    const read = this.s.read(this.s.view(object, scalar), index);
    return atom(scalar === "f16" ? this.s.read(this.s.runtime("halves"), read) : read);
  }

  private checked(e: Checked, scope: Scope): Text {
    const a = e.address;
    if (typeof a.object !== "number") {
      // Pointers that may point into several objects are checked where they are used.
      return this.print(a.index, scope);
    }
    if (!this.s.checks) return this.print(a.index, scope);
    const limit = this.s.limit(a.object, a.unit, a.offset + e.bytes);
    const low = a.offset < 0 ? Math.ceil(-a.offset / a.unit) : 0;
    const index = this.print(a.index, scope);
    const simple = /^[A-Za-z0-9_$]+$/.test(index.text);
    const plain = a.index.kind === "conversion" && !isBig(a.index.from) ? a.index.operand : undefined;
    const name = simple ? index.text : this.s.temporary();
    const first = simple ? name : `(${name} = ${index.text})`;
    const out = `m.outOfBounds(${limit.check}, ${e.site}, ${scope.lane}, ${name}) | 0`;
    let test: string;
    if (low > 0) test = `${first} >= ${low} && ${name} < ${limit.name}`;
    else if (plain?.scalar === "i32" && simple) test = `${first} >>> 0 < ${limit.name}`;
    else if (neverNegative(a.index)) test = `${first} < ${limit.name}`;
    else test = `${first} >= 0 && ${name} < ${limit.name}`;
    return at(2, `${test} ? ${name} : ${out}`);
  }

  // ---------------------------------------------------------------- operations

  private operation(e: Operation, scope: Scope): Text {
    const { on: kind, op: name } = e;
    const args = e.arguments;
    const p = (i: number, level: number): string => this.in(args[i]!, level, scope);
    if (kind === "index") {
      if (name === "add") return at(11, `${p(0, 11)} + ${p(1, 12)}`);
      if (name === "mul") return at(12, `${p(0, 12)} * ${p(1, 13)}`);
      if (name === "within") return this.within(e, scope);
      if (name === "aligned") return this.aligned(e, scope);
      return this.compare(name, args, scope) ?? this.call(`index_${name}`, e, scope);
    }
    if (name === "unless_open") {
      if (!this.checks(e)) return this.print(args[0]!, scope);
      const shown = args.slice(2).map((_, i) => `, ${p(i + 2, 1)}`);
      return at(2, `${p(1, 3)} ? m.left_open("${kind}", ${e.site!}, ${scope.lane}${shown.join("")}) : ${p(0, 2)}`);
    }
    const compared = this.compare(name, args, scope);
    if (compared) return compared;
    if (kind === "bool") return this.boolean(name, e, scope);
    if (kind[0] === "f") return this.float(kind, name, e, scope);
    return this.integer(kind, name, e, scope);
  }

  /** An index, after a finding where it is not below the count. */
  private within(e: Operation, scope: Scope): Text {
    const [x, count] = e.arguments as [MachineExpr, MachineExpr];
    const index = this.print(x, scope);
    if (!this.checks(e)) return index;
    const simple = /^[A-Za-z0-9_$]+$/.test(index.text);
    const name = simple ? index.text : this.s.temporary();
    const first = simple ? name : `(${name} = ${index.text})`;
    const limit = this.print(count, scope).text;
    const test = neverNegative(x) ? `${first} < ${limit}` : `${first} >= 0 && ${name} < ${limit}`;
    return at(2, `${test} ? ${name} : m.outside(${name}, ${limit}, ${e.site!}, ${scope.lane})`);
  }

  /** Bytes as a number of units, after a finding where they are no whole number of them. */
  private aligned(e: Operation, scope: Scope): Text {
    const [x, size] = e.arguments as [MachineExpr, MachineExpr];
    const bytes = this.print(x, scope);
    const unit = this.print(size, scope).text;
    if (!this.checks(e)) return atom(`Math.floor(${wrapText(bytes, 12)} / ${unit})`);
    const simple = /^[A-Za-z0-9_$]+$/.test(bytes.text);
    const name = simple ? bytes.text : this.s.temporary();
    const first = simple ? name : `(${name} = ${bytes.text})`;
    return at(
      2,
      `${first} % ${unit} === 0 ? ${name} / ${unit} : m.misaligned(${name}, ${unit}, ${e.site!}, ${scope.lane})`,
    );
  }

  private compare(name: string, args: readonly MachineExpr[], scope: Scope): Text | undefined {
    const operator = comparisons[name];
    if (operator === undefined) return undefined;
    const level = name === "eq" || name === "ne" ? 8 : 9;
    return at(level, `${this.in(args[0]!, level, scope)} ${operator} ${this.in(args[1]!, level + 1, scope)}`);
  }

  private boolean(name: string, e: Operation, scope: Scope): Text {
    const args = e.arguments;
    const p = (i: number, level: number): string => this.in(args[i]!, level, scope);
    switch (name) {
      case "and":
        return at(4, `${p(0, 4)} && ${p(1, 5)}`);
      case "or":
        return at(3, `${p(0, 3)} || ${p(1, 4)}`);
      case "xor":
        return at(8, `${p(0, 8)} !== ${p(1, 9)}`);
      case "not":
        return at(14, `!${p(0, 14)}`);
      default:
        return this.call(`bool_${name}`, e, scope);
    }
  }

  private float(kind: MachineScalar, name: string, e: Operation, scope: Scope): Text {
    const args = e.arguments;
    const p = (i: number, level: number): string => this.in(args[i]!, level, scope);
    const round = (t: Text): Text =>
      kind === "f64" ? t : atom(`${kind === "f32" ? this.s.runtime("fround") : this.s.runtime("roundF16")}(${t.text})`);
    const operator = floatOperators[name];
    if (this.s.granted && kind !== "f64" && (operator || name === "sqrt"))
      return this.call(`${kind}_${name}`, e, scope);
    if (operator) {
      const level = operator === "+" || operator === "-" ? 11 : 12;
      return round(at(level, `${p(0, level)} ${operator} ${p(1, level + 1)}`));
    }
    switch (name) {
      case "neg": {
        const operand = p(0, 14);
        return at(14, operand.startsWith("-") ? `-(${operand})` : `-${operand}`);
      }
      case "sqrt":
        return round(atom(`${this.s.runtime("sqrt")}(${p(0, 1)})`));
      case "abs":
      case "floor":
      case "ceil":
      case "trunc":
        return atom(`${this.s.runtime(name)}(${p(0, 1)})`);
      case "min":
      case "max":
        if (this.s.open) return atom(`m.open_${name}(${p(0, 1)}, ${p(1, 1)})`);
        return this.call(`${kind}_${name}`, e, scope);
      default:
        return this.call(`${kind}_${name}`, e, scope);
    }
  }

  private integer(kind: MachineScalar, name: string, e: Operation, scope: Scope): Text {
    const args = e.arguments;
    const p = (i: number, level: number): string => this.in(args[i]!, level, scope);
    const big = kind === "i64" || kind === "u64";
    const bits = Number(kind.slice(1));
    switch (name) {
      case "add":
      case "sub": {
        const operator = name === "add" ? "+" : "-";
        if (this.checks(e)) return this.fits(kind, `${p(0, 11)} ${operator} ${p(1, 12)}`, e, scope);
        return wrapInteger(kind, at(11, `${p(0, 11)} ${operator} ${p(1, 12)}`));
      }
      case "mul":
        if (this.checks(e)) return this.call(`${kind}_mul_fits`, e, scope);
        if (big) return wrapInteger(kind, at(12, `${p(0, 12)} * ${p(1, 13)}`));
        if (bits < 32) return wrapInteger(kind, at(12, `${p(0, 12)} * ${p(1, 13)}`));
        return kind === "i32"
          ? atom(`${this.s.runtime("imul")}(${p(0, 1)}, ${p(1, 1)})`)
          : at(10, `${this.s.runtime("imul")}(${p(0, 1)}, ${p(1, 1)}) >>> 0`);
      case "neg":
        return wrapInteger(kind, at(14, `-${wrapText(this.print(args[0]!, scope), 15)}`));
      case "not":
        return wrapInteger(kind, at(14, `~${p(0, 14)}`));
      case "and":
      case "or":
      case "xor": {
        const [operator, level] = bitOperators[name]!;
        const t = at(level, `${p(0, level)} ${operator} ${p(1, level + 1)}`);
        // A mask without the top bit leaves a result that is not negative.
        const small = name === "and" && args.some((a) => a.kind === "constant" && Number(a.value) < 0x80000000);
        return kind === "u32" && !small ? at(10, `(${t.text}) >>> 0`) : t;
      }
      case "shl":
      case "shr": {
        const count = big ? `(${p(1, 7)} & 63n)` : this.shiftCount(args[1]!, bits, scope);
        if (name === "shl" && this.checks(e)) return this.fits(kind, `${p(0, 12)} * 2 ** ${p(1, 14)}`, e, scope);
        if (name === "shl") return wrapInteger(kind, at(10, `${p(0, 10)} << ${count}`));
        return at(10, `${p(0, 10)} ${kind === "u32" ? ">>>" : ">>"} ${count}`);
      }
      case "rem_of_positive":
        return atom(`m.${kind}_${name}(${p(0, 1)}, ${p(1, 1)}, ${e.site!}, ${scope.lane})`);
      case "div":
      case "rem": {
        const operator = name === "div" ? "/" : "%";
        if (e.site === undefined) return wrapInteger(kind, at(12, `${p(0, 12)} ${operator} ${p(1, 13)}`));
        return atom(`m.${kind}_${name}(${p(0, 1)}, ${p(1, 1)}, ${e.site}, ${scope.lane})`);
      }
      case "shl_edges":
      case "shr_edges":
        if (this.checks(e)) return atom(`m.${name}("${kind}", ${p(0, 1)}, ${p(1, 1)}, ${e.site!}, ${scope.lane})`);
        return this.integer(kind, name.slice(0, 3), { ...e, site: undefined }, scope);
      case "shift_count":
        return this.checks(e)
          ? atom(`m.shift_count(${p(0, 1)}, ${e.site!}, ${scope.lane})`)
          : this.print(args[0]!, scope);
      case "min":
      case "max":
        if (!big) return atom(`${this.s.runtime(name)}(${p(0, 1)}, ${p(1, 1)})`);
        return this.call(`${kind}_${name}`, e, scope);
      case "clz":
        if (kind === "u32" || kind === "i32") return atom(`${this.s.runtime("clz32")}(${p(0, 1)})`);
        return this.call(`${kind}_${name}`, e, scope);
      default:
        return this.call(`${kind}_${name}`, e, scope);
    }
  }

  private checks(e: Operation | Conversion): boolean {
    return e.site !== undefined && this.s.checks;
  }
  /** An exact value of integer arithmetic that is relied on to fit. */
  private fits(kind: MachineScalar, exact: string, e: Operation | Conversion, scope: Scope): Text {
    return atom(`m.${kind}_fits(${exact}, ${e.site!}, ${scope.lane})`);
  }

  private shiftCount(e: MachineExpr, bits: number, scope: Scope): string {
    if (e.kind === "constant") return String(Number(e.value) & (bits - 1));
    // JavaScript takes shift counts modulo 32 itself.
    return bits === 32 ? this.in(e, 11, scope) : `(${this.in(e, 7, scope)} & ${bits - 1})`;
  }

  /** A function of the runtime; those that can have a finding are methods of the launch. */
  private call(name: string, e: Operation, scope: Scope): Text {
    const args = e.arguments.map((a) => this.in(a, 1, scope));
    if (e.site !== undefined) return atom(`m.${name}(${[...args, e.site, scope.lane].join(", ")})`);
    return atom(`${this.s.runtime(name)}(${args.join(", ")})`);
  }

  private conversion(e: Conversion, scope: Scope): Text {
    const { scalar: to, operand: x, mode } = e;
    const from = e.from as ScalarKind;
    const fromBig = isBig(from);
    const toBig = isBig(to);
    if (to === "index") return fromBig ? atom(`Number(${this.in(x, 1, scope)})`) : this.print(x, scope);
    if (mode) {
      const rounding = mode.rounding ?? (to[0] === "f" ? "rte" : "rtz");
      return atom(
        `m.convert_${to}("${from}", "${rounding}", ${mode.saturates}, ${this.in(x, 1, scope)}, ${e.site ?? -1}, ${scope.lane})`,
      );
    }
    if (to === "bool") return at(8, `${this.in(x, 8, scope)} !== ${fromBig ? "0n" : "0"}`);
    if (from === "bool") {
      const chosen = at(2, `${this.in(x, 3, scope)} ? ${toBig ? "1n : 0n" : "1 : 0"}`);
      return chosen;
    }
    if (to[0] === "f") {
      if (fromBig) return atom(`${this.s.runtime("bigToFloat")}("${to}", ${this.in(x, 1, scope)})`);
      const bits = Number(from.slice(1));
      const exact =
        to === "f64" || (from[0] === "f" ? bytesOf(from) <= bytesOf(to) : to === "f32" ? bits <= 16 : bits <= 8);
      if (exact) return this.print(x, scope);
      return atom(`${this.s.runtime(to === "f32" ? "fround" : "roundF16")}(${this.in(x, 1, scope)})`);
    }
    if (from[0] === "f") return atom(`m.to_${to}(${this.in(x, 1, scope)}, ${e.site ?? -1}, ${scope.lane})`);
    if (fromBig && !toBig) {
      if (this.checks(e)) return atom(`m.${to}_index(${this.in(x, 1, scope)}, ${e.site!}, ${scope.lane})`);
      const low = atom(`Number(BigInt.asIntN(32, ${this.in(x, 1, scope)}))`);
      return to === "i32" ? low : wrapInteger(to, low);
    }
    if (toBig) {
      const big = fromBig ? this.print(x, scope) : atom(`BigInt(${this.in(x, 1, scope)})`);
      return from[0] === "u" && !fromBig ? big : wrapInteger(to, big);
    }
    if (this.checks(e)) return this.fits(to, this.in(x, 1, scope), e, scope);
    return fitsIn(from, to) ? this.print(x, scope) : wrapInteger(to, this.print(x, scope));
  }

  private bits({ scalar: to, from, operand: x }: Reinterpretation, scope: Scope): Text {
    if (from[0] === "f") {
      const unsigned = `u${from.slice(1)}` as ScalarKind;
      const raw =
        x.kind === "load"
          ? this.load(x, scope, unsigned)
          : atom(`${this.s.runtime(`${from}Bits`)}(${this.in(x, 1, scope)})`);
      return to === unsigned ? raw : wrapInteger(to, raw);
    }
    if (to[0] === "f") {
      const unsigned = `u${from.slice(1)}`;
      const operand =
        from === unsigned ? this.in(x, 1, scope) : wrapInteger(unsigned as MachineScalar, this.print(x, scope)).text;
      return atom(`${this.s.runtime(`${to}FromBits`)}(${operand})`);
    }
    return wrapInteger(to, this.print(x, scope));
  }
}

const comparisons: Readonly<Record<string, string>> = { eq: "===", ne: "!==", lt: "<", le: "<=", gt: ">", ge: ">=" };
const floatOperators: Readonly<Record<string, string>> = { add: "+", sub: "-", mul: "*", div: "/" };
const bitOperators: Readonly<Record<string, readonly [string, number]>> = {
  and: ["&", 7],
  or: ["|", 5],
  xor: ["^", 6],
};

const fitsIn = (from: ScalarKind, to: ScalarKind): boolean => {
  const [a, b] = [Number(from.slice(1)), Number(to.slice(1))];
  if (from[0] === to[0]) return a <= b;
  return from[0] === "u" && a < b;
};

/** An exact integer result brought into range. */
export function wrapInteger(kind: MachineScalar, t: Text): Text {
  switch (kind) {
    case "i32":
      return at(5, `${wrapText(t, 5)} | 0`);
    case "u32":
      return at(10, `${wrapText(t, 10)} >>> 0`);
    case "i16":
      return at(10, `${wrapText(t, 11)} << 16 >> 16`);
    case "i8":
      return at(10, `${wrapText(t, 11)} << 24 >> 24`);
    case "u16":
      return at(7, `${wrapText(t, 7)} & 65535`);
    case "u8":
      return at(7, `${wrapText(t, 7)} & 255`);
    case "i64":
      return atom(`BigInt.asIntN(64, ${t.text})`);
    case "u64":
      return atom(`BigInt.asUintN(64, ${t.text})`);
    default:
      return t;
  }
}

export function literal(kind: MachineScalar, value: number | bigint | boolean): Text {
  if (typeof value === "boolean") return atom(value ? "true" : "false");
  if (kind === "i64" || kind === "u64") return value < 0 ? at(14, `${value}n`) : atom(`${value}n`);
  const number = Number(value);
  if (number !== number) return atom("NaN");
  if (Object.is(number, -0)) return at(14, "-0");
  const text = String(number);
  return number < 0 ? at(14, text) : atom(text);
}

function neverNegative(e: MachineExpr): boolean {
  if (e.kind === "constant") return Number(e.value) >= 0;
  if (e.kind === "builtin" || e.kind === "checked") return true;
  if (e.scalar === "u32" || e.scalar === "u16" || e.scalar === "u8" || e.scalar === "u64") return true;
  if (e.kind === "operation" && e.on === "index") return e.arguments.every(neverNegative);
  if (e.kind === "conversion" && e.scalar === "index") return neverNegative(e.operand);
  return false;
}

/** The new value of an atomic's object; undefined where it stays. */
export function atomicValue(
  c: Atomic,
  old: string,
  operands: readonly string[],
  runtime: (name: string) => string,
): string | undefined {
  const x = operands[0] ?? "0";
  // An operand list member is an argument: bind it before it meets an operator.
  const y = /^[A-Za-z0-9_.$]+(\[[^\]]*\]!?)?$/.test(x) ? x : `(${x})`;
  switch (c.op) {
    case "load":
      return undefined;
    case "store":
    case "exchange":
      return x;
    case "compare_exchange":
      return operands[1];
    case "min":
    case "max": {
      const least = foldText(c.scalar, c.op, old, y, runtime)!;
      // Of a number and a NaN the number.
      return c.scalar[0] === "f" ? `${old} !== ${old} ? ${y} : ${least}` : least;
    }
    default:
      return foldText(c.scalar, c.op, old, y, runtime) ?? storedFoldText(c.op, old, y);
  }
}
