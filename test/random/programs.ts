/**
 * Random kernels written in all four dialects from the same decisions: structs, arrays, helpers with inout and out
 * parameters, loops with break and continue, switches, effects inside expressions, workgroup memory between barriers,
 * cross-lane ops. Their behaviour is defined: integers that overflow are unsigned, floats stay small integers and show no
 * sign of a zero, a full expression has at most one effect, on a variable it does not read otherwise.
 */
import type { TwoWayDialect } from "../../src/index.js";
import type { Random } from "../mutants/mutate.js";
import {
  atomicOps,
  bitsOf,
  bool,
  type Helper,
  int,
  isSized,
  isWide,
  type Name,
  same,
  type Scalar,
  type Sized,
  type Type,
  uint,
  vectorOf,
  Words,
  xyzw,
} from "./words.js";

export interface ProgramFeatures {
  /** Barriers and workgroup memory. */
  readonly barriers?: boolean;
  /** Cross-lane ops, in divergent flow too. */
  readonly waves?: boolean;
  /** Cross-lane ops on vectors: not OpenCL C. */
  readonly waveVectors?: boolean;
  /** Effects in operands of &&, || and ?:, which compilers of older HLSL always evaluate. */
  readonly lazyEffects?: boolean;
  /** Several effects in one expression, for dialects that order them: not C. */
  readonly manyEffects?: boolean;
  /** File-scope private variables: GLSL and HLSL. */
  readonly globals?: boolean;
  /** Cases that fall through: not HLSL. */
  readonly fallThrough?: boolean;
  /** Components chosen at run time: not OpenCL C. */
  readonly components?: boolean;
  /** Components passed as inout: GLSL and HLSL. */
  readonly inoutComponents?: boolean;
  /** Integers of other sizes: of 16 and 64 bits, of 8 bits where the language has them (not HLSL). */
  readonly sizes?: readonly Sized[];
  /** Atomics whose order does not show, on a buffer and on workgroup memory. */
  readonly atomics?: boolean;
  /** Pointers to variables, their parts and workgroup memory: MSL and OpenCL C. */
  readonly pointers?: boolean;
}

export const LANES = 16;
export const WORDS = 8;
/** Words of `acc`, which all lanes change by atomics, one operation each. */
export const COUNTERS = atomicOps.length;
/** What operations on them begin with. */
export const counterStart: readonly number[] = [0, 0xffffffff, 0, 0xffffffff, 0, 0];

/** One kernel of `LANES` work-items a workgroup that writes `WORDS` words each from `src` (64 words) to `dst`. */
export function randomProgram(next: Random, dialect: TwoWayDialect, features: ProgramFeatures): string {
  return joined(programParts(next, dialect, features));
}

/** A kernel's lines: declarations and body are the same ones, line by line, in every dialect. */
export interface ProgramParts {
  readonly head: readonly string[];
  readonly declarations: readonly string[];
  readonly entry: readonly string[];
  readonly body: readonly string[];
}
export const programParts = (next: Random, dialect: TwoWayDialect, features: ProgramFeatures): ProgramParts =>
  new Program(next, new Words(dialect), features).parts();
export const joined = ({ head, declarations, entry, body }: ProgramParts): string =>
  `${[...head, ...declarations, ...entry, ...body, "}"].join("\n")}\n`;

class Program {
  private readonly lines: string[] = [];
  private indent = "";
  private names: Name[] = [];
  private readonly structs: (Type & { kind: "struct" })[] = [];
  private readonly helpers: Helper[] = [];
  private fresh = 0;
  /** Roots no expression may read or write now. */
  private locked = new Set<string>();
  /** Effects that may still stand in the expression being written. */
  private effects = 0;
  private lazy = 0;
  private inMain = false;
  private readonly globals: Name[] = [];
  private inHelper: Helper | undefined;
  private loopDepth = 0;
  /** Indices inside one another. */
  private indices = 0;

  constructor(
    private readonly next: Random,
    private readonly w: Words,
    private readonly f: ProgramFeatures,
  ) {}

  // ---------------------------------------------------------------- chance

  private nat(n: number): number {
    return Math.floor(this.next() * n);
  }
  private pick<T>(list: readonly T[]): T {
    return list[this.nat(list.length)]!;
  }
  private chance(p: number): boolean {
    return this.next() < p;
  }
  private line(text: string): void {
    this.lines.push(this.indent + text);
  }
  private name(prefix: string): string {
    return `${prefix}${String(this.fresh++)}`;
  }

  // ---------------------------------------------------------------- types

  private plainType(): Type {
    const { sizes } = this.f;
    const s =
      sizes && this.chance(0.35) ? this.pick(sizes) : this.pick(["uint", "uint", "int", "float", "bool"] as const);
    return s !== "bool" && this.chance(0.4) ? vectorOf(s, 2 + this.nat(3)) : vectorOf(s, 1);
  }
  private anyType(): Type {
    const form = this.nat(10);
    if (form < 5 || this.structs.length === 0) return this.plainType();
    if (form < 7)
      return {
        kind: "array",
        of: this.chance(0.3) ? this.pick(this.structs) : this.plainType(),
        length: this.pick([2, 4]),
      };
    return this.pick(this.structs);
  }
  private newStruct(): void {
    const members = Array.from({ length: 1 + this.nat(4) }, (_, i) => ({
      name: `m${String(i)}`,
      type: this.anyType(),
    }));
    this.structs.push({ kind: "struct", name: `S${String(this.structs.length)}`, members });
  }

  // ---------------------------------------------------------------- places

  /** A place of the type inside one of the names that allow it. */
  private place(t: Type, writable: boolean): { text: string; root: string } | undefined {
    const fits = this.names.filter(
      (n) => (!writable || n.writable) && !this.locked.has(n.root) && this.holds(n.type, t, writable),
    );
    if (fits.length === 0) return undefined;
    const n = this.pick(fits);
    // What chooses a place does not change it.
    const before = this.effects;
    if (!this.f.manyEffects) this.effects = 0;
    const text = this.path(n.text, n.type, t, writable);
    this.effects = this.f.manyEffects ? this.effects : before;
    return { text, root: n.root };
  }
  private holds(t: Type, wanted: Type, writable: boolean): boolean {
    if (same(t, wanted)) return true;
    if (t.kind === "vector") return wanted.kind === "scalar" && wanted.scalar === t.scalar;
    if (t.kind === "array") return this.holds(t.of, wanted, writable);
    return t.kind === "struct" && t.members.some((m) => this.holds(m.type, wanted, writable));
  }
  private path(text: string, t: Type, wanted: Type, writable: boolean): string {
    if (same(t, wanted)) return text;
    if (t.kind === "vector") {
      if (this.f.components && (t.size === 2 || t.size === 4) && this.chance(0.4))
        return `${text}[${this.index(t.size)}]`;
      return `${text}.${this.pick(xyzw.slice(0, t.size))}`;
    }
    if (t.kind === "array") return this.path(`${text}[${this.index(t.length)}]`, t.of, wanted, writable);
    if (t.kind !== "struct") throw new Error("no place");
    const m = this.pick(t.members.filter((x) => this.holds(x.type, wanted, writable)));
    return this.path(`${text}.${m.name}`, m.type, wanted, writable);
  }
  private index(length: number): string {
    if (this.indices > 1 || this.chance(0.4)) return String(this.nat(length));
    this.indices++;
    const text = `(${this.value(uint, 1)}) & ${String(length - 1)}u`;
    this.indices--;
    return text;
  }

  // ---------------------------------------------------------------- expressions

  private literal(s: Scalar): string {
    switch (s) {
      case "uint":
        return this.pick([
          "0u",
          "1u",
          "2u",
          "3u",
          "7u",
          "31u",
          "255u",
          "65536u",
          "0x80000000u",
          "0xffffffffu",
          "2654435769u",
        ]);
      case "int":
        return this.pick(["0", "1", "-1", "5", "-7", "255", "65535", "0x7fffffff"]);
      case "float":
        return this.pick(["0.0f", "1.0f", "-1.5f", "0.25f", "3.0f", "-2.0f", "64.0f"]).replace(
          /f$/,
          this.w.dialect === "glsl" ? "" : "f",
        );
      case "bool":
        return this.pick(["true", "false"]);
      default:
        return this.w.convert(s, this.pick(["0u", "1u", "2u", "7u", "31u", "127u", "255u", "32768u", "65535u"]));
    }
  }
  private real(x: string): string {
    return this.w.dialect === "glsl" ? x : `${x}f`;
  }

  private lazily<T>(body: () => T): T {
    const { effects } = this;
    if (!this.f.lazyEffects) this.effects = 0;
    this.lazy++;
    const out = body();
    this.lazy--;
    if (!this.f.lazyEffects) this.effects = effects;
    return out;
  }

  /** A value of the type, which can be an operand. */
  private value(t: Type, depth: number): string {
    if (this.effects > 0 && t.kind === "scalar" && this.chance(0.2)) {
      const e = this.effect(t);
      if (e) return e;
    }
    if (t.kind === "scalar") return this.scalar(t.scalar, depth);
    if (t.kind === "vector") return this.vector(t, depth);
    const p = this.place(t, false);
    if (p && t.kind !== "array") return p.text;
    throw new Error("aggregates are places");
  }

  /** A value of a variable that this expression does not touch otherwise, as it is changed. */
  private effect(t: Type & { kind: "scalar" }): string | undefined {
    const p = this.place(t, true);
    if (!p) return undefined;
    this.effects--;
    if (!this.f.manyEffects) this.locked.add(p.root);
    const inner = (): string => this.value(t, 1);
    if (t.scalar === "uint") {
      return this.pick([
        () => `${p.text}++`,
        () => `++${p.text}`,
        () => `${p.text}--`,
        () => `(${p.text} += ${inner()})`,
        () => `(${p.text} = ${inner()})`,
        () => `(${p.text} ^= ${inner()})`,
      ])();
    }
    return `(${p.text} = ${inner()})`;
  }

  private leaf(s: Scalar): string {
    const p = this.chance(0.75) ? this.place(vectorOf(s, 1), false) : undefined;
    if (p) return p.text;
    if (s === "uint" && this.inMain && this.chance(0.7)) return `src[(gid + ${String(this.nat(64))}u) & 63u]`;
    return s === "int" ? `(${this.literal(s)})` : this.literal(s);
  }

  private scalar(s: Scalar, depth: number): string {
    if (depth <= 0) return this.leaf(s);
    const d = depth - 1;
    const v = (k: Scalar, n = d): string => this.value(vectorOf(k, 1), n);
    if (this.chance(0.1)) {
      const callee = this.helpers.filter(
        (h) =>
          h.result &&
          same(h.result, vectorOf(s, 1)) &&
          h.parameters.every((p) => p.mode === "value" && this.canPass(p.type)),
      );
      if (callee.length > 0 && this.callable()) return this.call(this.pick(callee), d);
    }
    if (this.chance(0.12)) {
      const c = v("bool");
      const [a, b] = [this.lazily(() => v(s)), this.lazily(() => v(s))];
      return this.exactly(s, `(${c} ? ${a} : ${b})`);
    }
    switch (s) {
      case "uint": {
        const form = this.nat(this.f.waves ? 16 : 12);
        if (form < 5) return `(${v("uint")} ${this.pick(["+", "-", "*", "&", "|", "^"])} ${v("uint")})`;
        if (form === 5) return `(${v("uint")} ${this.pick(["<<", ">>"])} (${v("uint")} & 31u))`;
        if (form === 6) return `(${v("uint")} ${this.pick(["/", "%"])} (${v("uint")} | 1u))`;
        if (form === 7) return this.w.convert("uint", v(this.pick(["int", "bool", ...(this.f.sizes ?? [])] as const)));
        if (form === 8)
          return this.w.convert("uint", `clamp(${v("float")}, ${this.real("0.0")}, ${this.real("100.0")})`);
        if (form === 9) return `${this.pick(["min", "max"])}(${v("uint")}, ${v("uint")})`;
        if (form === 10) return this.w.popcount(v("uint"));
        if (form === 11)
          return this.pick([
            () => `(~${v("uint")})`,
            () => this.w.bits(`${v("float")} + ${this.real("0.25")}`),
            () => `table[${v("uint")} & 3u]`,
          ])();
        if (form === 12) return this.w.ballot(v("bool"));
        return this.w.wave(this.pick(["add", "min", "max", "and", "or", "xor", "first", "before"] as const), v("uint"));
      }
      case "int": {
        const form = this.nat(6);
        if (form < 2) return `(${v("int")} ${this.pick(["&", "|", "^"])} ${v("int")})`;
        // Of a number without a type HLSL takes the other operand's.
        if (form === 2) return `(${this.w.convert("int", v("int"))} >> (${v("uint")} & 31u))`;
        if (form === 3 && this.f.sizes && this.chance(0.5)) return this.w.convert("int", v(this.pick(this.f.sizes)));
        if (form === 3) return this.w.convert("int", `${v("uint")} & 0xffffu`);
        if (form === 4) return `${this.pick(["min", "max"])}(${v("int")}, ${v("int")})`;
        return `(~${v("int")})`;
      }
      case "float": {
        // Sums and products of these are exact.
        const small = (): string => this.w.convert("float", `(${v("uint")}) & 63u`);
        const form = this.nat(6);
        if (form === 0) return `(${small()} + ${small()} * ${this.real("0.5")})`;
        if (form === 1) return `(${small()} - ${small()})`;
        if (form === 2) return `floor(${small()} * ${this.real("0.125")})`;
        if (form === 3) return `${this.pick(["min", "max"])}(${v("float")}, ${v("float")})`;
        if (form === 4) return `abs(${v("float")})`.replace("abs", this.w.dialect === "opencl" ? "fabs" : "abs");
        return this.w.convert("float", `${v("int")} & 1023`);
      }
      case "bool": {
        const form = this.nat(this.f.waves ? 9 : 7);
        if (form < 2) {
          const k = this.pick(["uint", "int", "float", ...(this.f.sizes ?? [])] as const);
          return `(${v(k)} ${this.pick(["<", ">", "<=", ">=", "==", "!="])} ${v(k)})`;
        }
        if (form < 4) {
          const a = v("bool");
          return `(${a} ${this.pick(["&&", "||"])} ${this.lazily(() => v("bool"))})`;
        }
        if (form === 4) return `(!${v("bool")})`;
        if (form === 5) return `((${v("uint")} & ${this.pick(["1u", "2u", "4u"])}) != 0u)`;
        if (form === 6) {
          const t = vectorOf(this.pick(["uint", "int", "float"] as const), 2 + this.nat(3));
          const p = this.place(t, false);
          if (p)
            return `(${this.w.compare(this.pick(["any", "all"] as const), this.pick(["<", "==", ">="] as const), p.text, this.value(t, d))})`;
          return `(${v("uint")} < ${v("uint")})`;
        }
        if (form === 7) return this.w.waveTruth(this.pick(["any", "all"] as const), v("bool"));
        return this.w.elect();
      }
      default:
        return this.sized(s, v);
    }
  }

  /** C computes with no integer narrower than int: what is meant is said. */
  private exactly(s: Scalar, text: string): string {
    return isSized(s) && !isWide(s) ? this.w.convert(s, text) : text;
  }
  private sized(s: Sized, v: (k: Scalar) => string): string {
    const unsigned = s.startsWith("u");
    switch (this.nat(6)) {
      case 0:
        return this.w.convert(s, v(this.pick(["uint", "int", "bool", ...this.f.sizes!] as const)));
      case 1:
        return this.exactly(s, `(${v(s)} ${this.pick(["&", "|", "^"])} ${v(s)})`);
      case 2:
        return `${this.pick(["min", "max"])}(${v(s)}, ${v(s)})`;
      case 3:
        return this.exactly(s, `(${v(s)} >> ${this.w.convert(s, `${v("uint")} & ${String(bitsOf(s) - 1)}u`)})`);
      case 4:
        if (!unsigned) return this.exactly(s, `(~${v(s)})`);
        if (isWide(s)) return `(${v(s)} ${this.pick(["*", "<<"])} ${this.w.convert(s, `${v("uint")} & 63u`)})`;
        return this.w.convert(s, `${v("uint")} * ${v("uint")}`);
      default:
        if (!unsigned) return this.w.convert(s, v("int"));
        return this.exactly(s, `(${v(s)} ${this.pick(["+", "-"])} ${v(s)})`);
    }
  }

  private vector(t: Type & { kind: "vector" }, depth: number): string {
    const d = depth - 1;
    const form = this.nat(8);
    const of = (n = d): string => this.value(t, n);
    const p = this.place(t, false);
    if (p && (depth <= 0 || form < 2))
      return this.chance(0.5)
        ? p.text
        : `${p.text}.${Array.from({ length: t.size }, () => this.pick(xyzw.slice(0, t.size))).join("")}`;
    if (depth > 0 && form < 4 && t.scalar === "uint")
      return this.pick([
        () => `(${of()} ${this.pick(["+", "-", "*", "&", "|", "^"])} ${of()})`,
        () => `(${of()} ${this.pick(["+", "-", "*", "&"])} ${this.value(uint, d)})`,
        () => `(${of()} ${this.pick(["<<", ">>"])} (${of()} & ${this.w.make(t, ["31u"])}))`,
      ])();
    if (depth > 0 && form < 4 && isSized(t.scalar))
      return `(${of()} ${this.pick(t.scalar.startsWith("u") ? ["+", "-", "*", "&", "|", "^"] : ["&", "|", "^"])} ${of()})`;
    if (depth > 0 && form < 4 && t.scalar === "int") return `(${of()} ${this.pick(["&", "|", "^"])} ${of()})`;
    if (depth > 0 && form === 4) return `${this.pick(["min", "max"])}(${of()}, ${of()})`;
    // Compilers of HLSL fold the choice between constants by its first component.
    if (depth > 0 && form === 5 && p) return this.w.choose(of(), of(), this.pick(["<", "=="] as const), p.text, of());
    if (depth > 0 && form === 6) {
      const c = this.value(bool, d);
      return `(${c} ? ${this.lazily(() => of())} : ${this.lazily(() => of())})`;
    }
    if (this.f.waveVectors && t.scalar === "uint" && depth > 0 && form === 7) return this.w.wave("add", of());
    return this.w.make(
      t,
      Array.from({ length: t.size }, () => this.scalar(t.scalar, d)),
    );
  }

  /** Helpers have effects of their own where there are globals. */
  private callable(): boolean {
    return !this.f.globals || (this.f.manyEffects === true && (this.lazy === 0 || this.f.lazyEffects === true));
  }

  /** A call with all arguments; places for inout are found by the caller, who has checked that there are some. */
  private call(h: Helper, depth: number): string {
    const places = h.parameters.map((p) => {
      if (p.mode === "value") return undefined;
      const found = this.place(p.type, true);
      if (found) this.locked.add(found.root);
      return found;
    });
    const args = h.parameters.map((p, i) =>
      p.mode === "value" ? this.value(p.type, depth) : this.w.argument(p.mode, p.type, places[i]!.text),
    );
    return `${h.name}(${args.join(", ")})`;
  }

  /** A full expression: effects in it are on variables it does not read otherwise. */
  private full<T>(body: () => T): T {
    const locked = new Set(this.locked);
    this.effects = this.chance(0.4) ? (this.f.manyEffects ? 3 : 1) : 0;
    if (this.effects > 0 && !this.f.manyEffects) return this.withOneEffect(body, locked);
    const out = body();
    this.effects = 0;
    this.locked = locked;
    return out;
  }
  /** The variable is chosen first, so that nothing before the effect reads it either. */
  private withOneEffect<T>(body: () => T, locked: Set<string>): T {
    const roots = this.names.filter((n) => n.writable && !this.locked.has(n.root));
    const victim = roots.length > 0 ? this.pick(roots).root : undefined;
    const all = this.names;
    if (victim !== undefined) {
      const mine = all.filter((n) => n.root === victim);
      const others = all.filter((n) => n.root !== victim);
      this.names = others;
      const effect = this.effect.bind(this);
      this.effect = (t) => {
        this.names = mine;
        const p = mine.some((n) => this.holds(n.type, t, true)) ? this.placeOf(mine, others, t) : undefined;
        this.names = others;
        if (!p) return undefined;
        this.effects = 0;
        const inner = (): string => this.value(t, 1);
        if (t.scalar === "uint")
          return this.pick([
            () => `${p}++`,
            () => `++${p}`,
            () => `${p}--`,
            () => `(${p} += ${inner()})`,
            () => `(${p} = ${inner()})`,
            () => `(${p} ^= ${inner()})`,
          ])();
        return `(${p} = ${inner()})`;
      };
      const out = body();
      this.effect = effect;
      this.names = all;
      this.effects = 0;
      this.locked = locked;
      return out;
    }
    this.effects = 0;
    const out = body();
    this.locked = locked;
    return out;
  }
  private placeOf(mine: readonly Name[], others: Name[], t: Type): string {
    const n = this.pick(mine.filter((x) => this.holds(x.type, t, true)));
    this.names = others;
    this.effects = 0;
    return this.path(n.text, n.type, t, true);
  }

  // ---------------------------------------------------------------- statements

  private initial(t: Type, depth: number): string {
    switch (t.kind) {
      case "scalar":
      case "vector":
        return t.scalar === "float" ? this.bounded(t, depth) : this.value(t, depth);
      case "array":
        return this.w.list(
          t,
          Array.from({ length: t.length }, () => this.initial(t.of, 1)),
        );
      case "struct":
        return this.w.list(
          t,
          t.members.map((m) => this.initial(m.type, 1)),
        );
    }
  }
  /** Floats that are kept stay small whole numbers. */
  private bounded(t: Type, depth: number): string {
    return `floor(clamp(${this.value(t, depth)}, ${this.real("-512.0")}, ${this.real("512.0")}))`;
  }

  /** A pointer to a variable or a part of it, which is another name of it from here on. */
  private pointer(): boolean {
    const names = this.names.filter((n) => n.writable && !this.locked.has(n.root) && !n.pointee);
    if (names.length === 0) return false;
    const n = this.pick(names);
    let t = n.type;
    while (!this.chance(0.4)) {
      if (t.kind === "array") t = t.of;
      else if (t.kind === "struct") t = this.pick(t.members).type;
      else break;
    }
    if (t.kind === "array") t = t.of;
    const effects = this.effects;
    this.effects = 0;
    const text = this.name("q");
    this.line(`${this.w.pointer(t, text)} = &${this.pathTo(n, t)};`);
    this.effects = effects;
    this.names.push({ text: `(*${text})`, type: t, writable: true, root: n.root, pointee: true });
    return true;
  }

  private declare(t: Type, plain = false): void {
    if (!plain && this.f.pointers && this.chance(0.2) && this.pointer()) return;
    const text = this.name("v");
    const from = t.kind === "struct" && this.chance(0.4) ? this.place(t, false) : undefined;
    const maker =
      t.kind === "struct" && this.chance(0.3) && this.callable()
        ? this.helpers.find(
            (h) =>
              h.result && same(h.result, t) && h.parameters.every((p) => p.mode === "value" && this.canPass(p.type)),
          )
        : undefined;
    const init = from
      ? from.text
      : maker
        ? this.call(maker, 1)
        : t.kind === "scalar" || t.kind === "vector"
          ? this.full(() => this.initial(t, 3))
          : this.initial(t, 1);
    this.line(`${this.w.declarator(t, text)} = ${init};`);
    this.names.push({ text, type: t, writable: true, root: text });
  }
  private canPass(t: Type): boolean {
    return (
      t.kind === "scalar" ||
      t.kind === "vector" ||
      this.names.some((n) => !this.locked.has(n.root) && this.holds(n.type, t, false))
    );
  }

  /** A value of each struct that nothing changes, so that there always is one. */
  private examples(): void {
    for (const s of this.structs) {
      this.declare(s, true);
      this.names.push({ ...this.names.pop()!, writable: false });
    }
  }

  private assign(): void {
    const t = this.plainType();
    const p = this.place(t, true);
    if (!p || t.kind === "array" || t.kind === "struct") return this.declare(t);
    const locked = new Set(this.locked);
    const text = this.full(() => {
      const found = this.full0(t);
      const target = found ?? p;
      // An effect on the same object as the target would have no order; what is set aside for effects may be that.
      const before = found ? this.effects : 0;
      if (!this.f.manyEffects) this.locked.add(target.root);
      const whole = this.chance(0.5);
      if (!whole && !this.f.manyEffects) this.locked.delete(target.root);
      this.effects = whole || this.f.manyEffects ? before : 0;
      if (t.scalar === "uint" && this.chance(0.4))
        return `${target.text} ${this.pick(["+=", "-=", "*=", "&=", "|=", "^="])} ${this.value(t, 2)}`;
      if (isSized(t.scalar) && t.scalar.startsWith("u") && this.chance(0.3))
        return `${target.text} ${this.pick(["+=", "-=", "&=", "|=", "^="])} ${this.value(t, 2)}`;
      return `${target.text} = ${t.scalar === "float" ? this.bounded(t, 2) : this.value(t, 2)}`;
    });
    this.locked = locked;
    this.line(`${text};`);
  }
  /** The target inside a full expression: found among what may be named there. */
  private full0(t: Type): { text: string; root: string } | undefined {
    const effects = this.effects;
    if (!this.f.manyEffects) this.effects = 0;
    const p = this.place(t, true);
    if (!this.f.manyEffects) this.effects = effects;
    return p;
  }

  private swizzleStatement(): void {
    const v = this.names.filter(
      (n) => n.writable && n.type.kind === "vector" && n.type.size > 1 && !this.locked.has(n.root),
    );
    if (v.length === 0) return this.assign();
    const n = this.pick(v);
    const size = (n.type as { size: number }).size;
    const letters = [...xyzw.slice(0, size)];
    const [a] = letters.splice(this.nat(letters.length), 1);
    const b = this.pick(letters);
    const uints = (n.type as { scalar: Scalar }).scalar === "uint";
    this.line(
      uints && this.chance(0.5)
        ? `${n.text}.${a!}${b} += ${n.text}.${b}${a!};`
        : `${n.text}.${a!}${b} = ${n.text}.${b}${a!};`,
    );
  }

  private callStatement(): void {
    const fits = this.helpers.filter((h) => {
      const roots = new Set(this.locked);
      return h.parameters.every((p) => {
        const n = this.names.find(
          (x) => !roots.has(x.root) && (p.mode === "value" || x.writable) && this.passable(x.type, p),
        );
        if (p.mode === "value" && (p.type.kind === "scalar" || p.type.kind === "vector")) return true;
        if (n) roots.add(n.root);
        return n !== undefined;
      });
    });
    if (fits.length === 0) return this.assign();
    const h = this.pick(fits);
    const locked = new Set(this.locked);
    const taken: { text: string; root: string }[] = [];
    const places = h.parameters.map((p) => {
      if (p.mode === "value") return undefined;
      const names = this.names.filter((x) => !this.locked.has(x.root) && x.writable && this.passable(x.type, p));
      if (names.length === 0) return null;
      const n = this.pick(names);
      this.effects = 0;
      const text = this.pathTo(n, p.type);
      this.locked.add(n.root);
      taken.push({ text, root: n.root });
      return text;
    });
    if (
      places.includes(null) ||
      h.parameters.some((p) => p.mode === "value" && p.type.kind === "struct" && !this.canPass(p.type))
    ) {
      this.locked = locked;
      return this.assign();
    }
    const args = h.parameters.map((p, i) =>
      p.mode === "value" ? this.value(p.type, 1) : this.w.argument(p.mode, p.type, places[i]!),
    );
    const call = `${h.name}(${args.join(", ")})`;
    const result = h.result;
    const target = result && this.chance(0.7) ? this.place(result, true) : undefined;
    this.locked = locked;
    if (target) this.line(`${target.text} = ${call};`);
    else if (result && result.kind === "scalar" && result.scalar === "bool" && this.chance(0.6)) {
      this.line(`if (${call}) {`);
      this.nested(1);
      this.line("}");
    } else this.line(`${call};`);
  }
  private passable(t: Type, p: { type: Type }): boolean {
    if (!this.f.inoutComponents && !same(t, p.type)) return this.holdsWhole(t, p.type);
    return this.holds(t, p.type, true);
  }
  /** Inside, but not a component of a vector. */
  private holdsWhole(t: Type, wanted: Type): boolean {
    if (same(t, wanted)) return true;
    if (t.kind === "array") return this.holdsWhole(t.of, wanted);
    return t.kind === "struct" && t.members.some((m) => this.holdsWhole(m.type, wanted));
  }
  private pathTo(n: Name, wanted: Type): string {
    if (this.f.inoutComponents) return this.path(n.text, n.type, wanted, true);
    const go = (text: string, t: Type): string => {
      if (same(t, wanted)) return text;
      if (t.kind === "array") return go(`${text}[${this.index(t.length)}]`, t.of);
      if (t.kind !== "struct") throw new Error("no place");
      const m = this.pick(t.members.filter((x) => this.holdsWhole(x.type, wanted)));
      return go(`${text}.${m.name}`, m.type);
    };
    return go(n.text, n.type);
  }

  private nested(depth: number): void {
    const [names, before] = [this.names, this.indent];
    this.names = [...names];
    this.indent += "  ";
    for (let n = 1 + this.nat(3); n > 0; n--) this.statement(depth - 1);
    this.indent = before;
    this.names = names;
  }

  private loop(depth: number): void {
    const k = this.name("k");
    const readable: Name = { text: k, type: int, writable: false, root: k };
    const jump = (inner: number): void => {
      if (this.chance(0.6)) {
        this.indent += "  ";
        this.line(`if (${this.full(() => this.value(bool, 2))}) ${this.pick(["break", "continue"])};`);
        if (this.chance(0.5)) this.statement(inner);
        this.indent = this.indent.slice(2);
      }
    };
    const names = this.names;
    this.names = [...names, readable];
    const rounds = String(1 + this.nat(4));
    const form = this.nat(3);
    this.loopDepth++;
    if (form === 0)
      this.line(`for (int ${k} = 0; ${k} < ${rounds}; ${this.pick([`${k}++`, `++${k}`, `${k} += 1`])}) {`);
    else {
      this.line(`int ${k} = 0;`);
      this.line(form === 1 ? `while (${k}++ < ${rounds}) {` : "do {");
    }
    this.nested(depth);
    const kept = this.names;
    jump(depth - 1);
    this.names = kept;
    if (form === 2 && this.chance(0.5)) {
      this.nested(depth);
    }
    this.line(form === 2 ? `} while (${k}++ < ${rounds});` : "}");
    this.loopDepth--;
    this.names = names;
  }

  private switch(depth: number): void {
    this.line(
      `switch (${this.chance(0.5) ? `(${this.full(() => this.value(uint, 2))}) & 3u` : `(${this.full(() => this.value(int, 2))}) & 3`}) {`,
    );
    const unsigned = this.lines.at(-1)!.includes("& 3u) {");
    const labels = ["0", "1", "2", "default"];
    for (let i = labels.length - 1; i > 0; i--) {
      const j = this.nat(i + 1);
      [labels[i], labels[j]] = [labels[j]!, labels[i]!];
    }
    const before = this.indent;
    this.indent += "  ";
    labels.forEach((label, i) => {
      const text = label === "default" ? "default:" : `case ${label}${unsigned ? "u" : ""}:`;
      if (i < labels.length - 1 && this.chance(0.15)) return this.line(text);
      this.line(`${text} {`);
      this.nested(depth);
      this.line("}");
      if (i === labels.length - 1 || !this.f.fallThrough || this.chance(0.6))
        this.line(this.loopDepth > 0 && this.chance(0.2) ? "continue;" : "break;");
    });
    this.indent = before;
    this.line("}");
  }

  private return(): void {
    const t = this.inHelper!.result;
    this.line(`if (${this.value(bool, 2)}) return${t ? ` ${this.result(t)}` : ""};`);
  }
  private result(t: Type): string {
    if (t.kind === "struct") return this.place(t, false)!.text;
    return t.kind !== "array" && t.scalar === "float" ? this.bounded(t, 2) : this.value(t, 2);
  }

  private statement(depth: number): void {
    const form = this.nat(20);
    if (form < 4 || this.names.filter((n) => n.writable).length < 3) return this.declare(this.anyType());
    if (form < 9) return this.assign();
    if (form < 10) return this.swizzleStatement();
    if (form < 14) return this.callStatement();
    if (form === 14 && this.inHelper) return this.return();
    if (form === 14 && this.f.atomics && this.inMain) return this.atomic("acc");
    if (depth <= 0) return this.assign();
    if (form < 17) {
      this.line(`if (${this.full(() => this.value(bool, 2))}) {`);
      this.nested(depth);
      if (this.chance(0.5)) {
        this.line("} else {");
        this.nested(depth);
      }
      return this.line("}");
    }
    if (form < 19) return this.loop(depth);
    return this.switch(depth);
  }

  /** A word for each operation, so that no order shows. */
  private atomic(memory: "acc" | "cnt"): void {
    const word = this.nat(COUNTERS);
    this.line(this.w.atomic(atomicOps[word]!, memory, String(word), this.value(uint, 2)));
  }

  /** Values handed on through workgroup memory, where all lanes are. */
  private phase(): void {
    if (this.f.atomics && this.chance(0.4)) return this.counting();
    const other = `(lid + ${String(1 + this.nat(LANES - 1))}u) & ${String(LANES - 1)}u`;
    if (this.f.pointers && this.chance(0.5)) {
      const [mine, theirs] = [this.name("w"), this.name("w")];
      this.line(`${this.w.sharedPointer(mine)} = ${this.pick(["sh + lid", "&sh[lid]"])};`);
      this.line(`*${mine} = ${this.value(uint, 2)};`);
      this.line(this.w.barrier());
      this.line(`${this.w.sharedPointer(theirs)} = ${this.pick([`sh + (${other})`, `&sh[${other}]`])};`);
      const p = this.place(uint, true);
      if (p) this.line(`${p.text} = ${this.pick([`*${theirs}`, `${theirs}[0]`])};`);
      this.line(this.w.barrier());
      return;
    }
    this.line(`sh[lid] = ${this.value(uint, 2)};`);
    this.line(this.w.barrier());
    const p = this.place(uint, true);
    if (p) this.line(`${p.text} = sh[${other}];`);
    this.line(this.w.barrier());
  }
  /** What a workgroup has counted together, read where all wait. */
  private counting(): void {
    const counter = this.pick(atomicOps.map((_, i) => i));
    const set = (i: number): string => this.w.setCounter(String(i), `${String(counterStart[i])}u`);
    this.line(`if (lid == ${String(this.nat(LANES))}u) { ${atomicOps.map((_, i) => set(i)).join(" ")} }`);
    this.line(this.w.barrier());
    const [op, word] = [atomicOps[counter]!, String(counter)];
    if (this.chance(0.6)) {
      this.line(`if (${this.full(() => this.value(bool, 2))}) {`);
      this.indent += "  ";
      this.line(this.w.atomic(op, "cnt", word, this.value(uint, 2)));
      this.indent = this.indent.slice(2);
      this.line("}");
    } else this.line(this.w.atomic(op, "cnt", word, this.value(uint, 2)));
    this.line(this.w.barrier());
    const p = this.place(uint, true);
    if (p) this.line(`${p.text} = ${this.w.counter(word)};`);
    this.line(this.w.barrier());
  }
  private shuffle(): void {
    const value = this.value(uint, 2);
    const p = this.place(uint, true);
    if (p) this.line(`${p.text} = ${this.w.shuffle(value, `(${this.value(uint, 1)}) & 3u`)};`);
  }

  // ---------------------------------------------------------------- declarations

  private helper(): void {
    const parameters = Array.from({ length: 1 + this.nat(4) }, () => {
      const mode = this.pick(["value", "value", "inout", "inout", "out"] as const);
      const t = this.chance(0.7) ? this.plainType() : this.anyType();
      return { mode, type: mode === "value" && t.kind === "array" ? uint : t };
    });
    // The first is a place to start with.
    const result = this.chance(0.75)
      ? this.structs.length > 0 && this.chance(0.25)
        ? this.pick(this.structs)
        : this.plainType()
      : undefined;
    const h: Helper = { name: this.name("f"), parameters, result };
    this.names = [
      ...this.globals,
      ...parameters.map((p, i): Name => ({
        text: this.w.inside(p.mode, p.type, `p${String(i)}`),
        type: p.type,
        writable: true,
        root: `p${String(i)}`,
      })),
    ];
    this.line(
      `${result ? this.w.type(result) : "void"} ${h.name}(${parameters.map((p, i) => this.w.parameter(p.mode, p.type, `p${String(i)}`)).join(", ")}) {`,
    );
    this.indent = "  ";
    this.inHelper = h;
    // Out parameters have no value yet.
    const all = this.names;
    parameters.forEach((p, i) => {
      if (p.mode !== "out") return;
      this.names = all.filter(
        (n) => !parameters.some((q, j) => q.mode === "out" && j >= i && n.root === `p${String(j)}`),
      );
      this.fill(this.w.inside(p.mode, p.type, `p${String(i)}`), p.type);
    });
    this.names = all;
    this.examples();
    for (let n = 2 + this.nat(4); n > 0; n--) this.statement(2);
    if (result) this.line(`return ${this.result(result)};`);
    this.indent = "";
    this.inHelper = undefined;
    this.line("}");
    this.helpers.push(h);
  }
  /** Assigns every part of a place. */
  private fill(text: string, t: Type): void {
    if (t.kind === "array") for (let i = 0; i < t.length; i++) this.fill(`${text}[${String(i)}]`, t.of);
    else if (t.kind === "struct") t.members.forEach((m) => this.fill(`${text}.${m.name}`, m.type));
    else this.line(`${text} = ${t.scalar === "float" ? this.bounded(t, 1) : this.value(t, 1)};`);
  }

  /** Adds every part of the value to the hash. */
  private fold(text: string, t: Type): void {
    if (t.kind === "array") for (let i = 0; i < t.length; i++) this.fold(`${text}[${String(i)}]`, t.of);
    else if (t.kind === "struct") t.members.forEach((m) => this.fold(`${text}.${m.name}`, m.type));
    else if (t.kind === "vector")
      xyzw.slice(0, t.size).forEach((c) => this.fold(`${text}.${c}`, vectorOf(t.scalar, 1)));
    else if (isWide(t.scalar)) {
      this.line(`hash = hash * 31u + ${this.w.convert("uint", text)};`);
      this.line(`hash = hash * 31u + ${this.w.convert("uint", `${text} >> ${this.w.convert(t.scalar, "32u")}`)};`);
    } else
      this.line(
        `hash = hash * 31u + ${t.scalar === "uint" ? text : t.scalar === "float" ? this.w.convert("uint", `${text} + ${this.real("1024.0")}`) : this.w.convert("uint", text)};`,
      );
  }

  parts(): ProgramParts {
    const d = this.w.dialect;
    for (let n = this.nat(3); n > 0; n--) this.newStruct();
    for (const s of this.structs)
      this.line(
        `${d === "opencl" ? "typedef " : ""}struct ${d === "opencl" ? "" : `${s.name} `}{ ${s.members.map((m) => `${this.w.declarator(m.type, m.name)};`).join(" ")} }${d === "opencl" ? ` ${s.name}` : ""};`,
      );
    const table = ["5u", "0xfffffff0u", "1u", "40000u"];
    const tableType: Type = { kind: "array", of: uint, length: 4 };
    this.line(
      `${{ glsl: "const", hlsl: "static const", msl: "constant", opencl: "__constant" }[d]} ${this.w.declarator(tableType, "table")} = ${this.w.list(tableType, table)};`,
    );
    if (this.f.globals) {
      for (let n = 1 + this.nat(3); n > 0; n--) {
        const [type, text] = [this.plainType(), this.name("g")];
        this.line(`${d === "hlsl" ? "static " : ""}${this.w.declarator(type, text)};`);
        this.globals.push({ text, type, writable: true, root: text });
      }
    }
    for (let n = 1 + this.nat(4); n > 0; n--) this.helper();
    const declarations = this.lines.splice(0);
    this.inMain = true;
    this.indent = "  ";
    this.names = [
      { text: "gid", type: uint, writable: false, root: "gid" },
      { text: "lid", type: uint, writable: false, root: "lid" },
    ];
    // Helpers read globals: they are called when all have a value.
    const helpers = this.helpers.splice(0);
    for (const g of this.globals) this.fill(g.text, g.type);
    this.names.push(...this.globals);
    this.helpers.push(...helpers);
    this.examples();
    for (let n = 4 + this.nat(6); n > 0; n--) {
      const form = this.nat(8);
      if (form === 0 && this.f.barriers) this.phase();
      else if (form === 1 && this.f.barriers) {
        const k = this.name("k");
        this.line(`for (int ${k} = 0; ${k} < ${String(2 + this.nat(2))}; ${k}++) {`);
        const names = this.names;
        this.names = [...names, { text: k, type: int, writable: false, root: k }];
        this.statement(1);
        this.phase();
        this.statement(1);
        this.names = names;
        this.line("}");
      } else if (form === 2 && this.f.waves) this.shuffle();
      else this.statement(2);
    }
    this.line("uint hash = 0u;");
    for (let o = 0; o < WORDS - 1; o++)
      this.line(`dst[gid * ${String(WORDS)}u + ${String(o)}u] = ${this.value(uint, 2)};`);
    for (const n of this.names) if (n.writable) this.fold(n.text, n.type);
    this.line(`dst[gid * ${String(WORDS)}u + ${String(WORDS - 1)}u] = hash;`);
    const body = this.lines.splice(0);
    return { head: this.head(), declarations, entry: this.entry(), body };
  }

  private head(): string[] {
    const lanes = String(LANES);
    const { barriers, atomics, sizes } = this.f;
    const shared = (word: string): string[] => [
      ...(barriers ? [`${word} uint sh[${lanes}];`] : []),
      ...(barriers && atomics ? [`${word} uint cnt[${String(COUNTERS)}];`] : []),
    ];
    switch (this.w.dialect) {
      case "glsl":
        return [
          "#version 450",
          ...(this.f.waves
            ? ["basic", "vote", "ballot", "arithmetic", "shuffle"].map(
                (x) => `#extension GL_KHR_shader_subgroup_${x} : require`,
              )
            : []),
          ...(sizes
            ? [...new Set(sizes.map(bitsOf))].map(
                (n) => `#extension GL_EXT_shader_explicit_arithmetic_types_int${String(n)} : require`,
              )
            : []),
          `layout(local_size_x = ${lanes}) in;`,
          "layout(set = 0, binding = 0) readonly buffer Src { uint src[]; };",
          "layout(set = 0, binding = 1) buffer Dst { uint dst[]; };",
          ...(atomics ? ["layout(set = 0, binding = 2) buffer Acc { uint acc[]; };"] : []),
          ...shared("shared"),
        ];
      case "hlsl":
        return [
          "StructuredBuffer<uint> src : register(t0);",
          "RWStructuredBuffer<uint> dst : register(u1);",
          ...(atomics ? ["RWStructuredBuffer<uint> acc : register(u2);"] : []),
          ...shared("groupshared"),
        ];
      case "msl":
        return ["#include <metal_stdlib>", "using namespace metal;"];
      case "opencl":
        return [];
    }
  }
  private entry(): string[] {
    const lanes = String(LANES);
    const { barriers, atomics } = this.f;
    const counters = String(COUNTERS);
    switch (this.w.dialect) {
      case "glsl":
        return ["void main() {", "  uint gid = gl_GlobalInvocationID.x, lid = gl_LocalInvocationID.x;"];
      case "hlsl":
        return [
          `[numthreads(${lanes}, 1, 1)]`,
          "void k(uint3 gids : SV_DispatchThreadID, uint3 lids : SV_GroupThreadID) {",
          "  uint gid = gids.x, lid = lids.x;",
        ];
      case "msl":
        return [
          `kernel void k(device const uint *src [[buffer(0)]], device uint *dst [[buffer(1)]], ${atomics ? "device atomic_uint *acc [[buffer(2)]], " : ""}uint gid [[thread_position_in_grid]], uint lid [[thread_position_in_threadgroup]]) {`,
          ...(barriers ? [`  threadgroup uint sh[${lanes}];`] : []),
          ...(barriers && atomics ? [`  threadgroup atomic_uint cnt[${counters}];`] : []),
        ];
      case "opencl":
        return [
          `__kernel void k(__global const uint *src, __global uint *dst${atomics ? ", volatile __global uint *acc" : ""}) {`,
          "  uint gid = get_global_id(0), lid = get_local_id(0);",
          ...(barriers ? [`  __local uint sh[${lanes}];`] : []),
          ...(barriers && atomics ? [`  __local uint cnt[${counters}];`] : []),
        ];
    }
  }
}
