/**
 * Random OpenCL C kernels about vectors of 8 and 16 components, and what becomes of them: selectors on both sides, operators,
 * conversions, bits, loads and stores of rows, functions, structs, arrays and chosen components. All that is executed is defined,
 * and all numbers are exact.
 */
import type { Random } from "../mutants/mutate.js";

/** Words of `dst` per work-item. */
export const wideWords = 4;
/** Bytes of `src`. */
const sourceBytes = 4 * 24;

const bits = { uchar: 8, char: 8, ushort: 16, short: 16, uint: 32, int: 32, ulong: 64, float: 32 } as const;
type Kind = keyof typeof bits;
const kinds = Object.keys(bits) as Kind[];
const sizes = [1, 2, 4, 8, 16] as const;
type Size = (typeof sizes)[number];

interface Shape {
  readonly kind: Kind;
  readonly size: Size;
}
const isSigned = (kind: Kind): boolean => kind === "char" || kind === "short" || kind === "int";
const signedAs = (kind: Kind): Kind | undefined => kinds.find((k) => isSigned(k) && bits[k] === bits[kind]);
const nameOf = ({ kind, size }: Shape): string => (size === 1 ? kind : `${kind}${String(size)}`);
/** Scalars would become ints first. */
const literalOf = (kind: Kind, n: number): string => (kind === "float" ? `${String(n)}.0f` : `(${kind})${String(n)}`);

class Generator {
  private made = 0;
  private readonly variables: { readonly name: string; readonly shape: Shape }[] = [];
  readonly helpers: string[] = [];

  constructor(
    private readonly next: Random,
    private readonly id: string,
  ) {}

  private nat(n: number): number {
    return Math.floor(this.next() * n);
  }
  private one<T>(list: readonly T[]): T {
    return list[this.nat(list.length)]!;
  }
  private name(start: string): string {
    return `${start}${String(this.made++)}`;
  }

  private wide(): Shape {
    return { kind: this.one(kinds), size: this.one([8, 16] as const) };
  }

  /** Of distinct components where it is stored to. */
  private selector(from: Size, count: Size, distinct: boolean): string {
    if (count * 2 === from && this.nat(2) === 0) return this.one(["lo", "hi", "even", "odd"]);
    const digits = Array.from({ length: from }, (_, i) => i.toString(16));
    const list = Array.from({ length: count }, () =>
      distinct ? digits.splice(this.nat(digits.length), 1)[0]! : this.one(digits),
    );
    return `s${list.join("")}`;
  }

  /** A value made of words of `src`. */
  private source(shape: Shape): string {
    const at = this.nat(sourceBytes / 4);
    if (shape.size >= 2 && this.nat(2) === 0 && shape.kind !== "float") {
      const elements = `((__global const ${shape.kind} *)src)`;
      const room = (8 * sourceBytes) / bits[shape.kind] - shape.size;
      const [row, rest] = [this.nat(2), this.nat(4)];
      if (row * shape.size + rest <= room)
        return `vload${String(shape.size)}(${String(row)}, ${elements} + ${String(rest)})`;
    }
    const word = `(src[${String(at)}] >> ${String(this.nat(9))})`;
    const scalar = shape.kind === "float" ? `(float)(${word} & 255u)` : `(${shape.kind})${word}`;
    if (shape.size === 1) return `(${scalar})`;
    const rest = Array.from({ length: shape.size - 1 }, () => literalOf(shape.kind, this.nat(120)));
    return this.nat(3) === 0 ? `(${nameOf(shape)})(${scalar})` : `(${nameOf(shape)})(${[scalar, ...rest].join(", ")})`;
  }

  /** A variable of the shape, made where there is none. */
  private leaf(shape: Shape): string {
    const fitting = this.variables.filter((v) => v.shape.kind === shape.kind && v.shape.size === shape.size);
    if (fitting.length > 0 && this.nat(4) > 0) return this.one(fitting).name;
    const larger = this.variables.filter((v) => v.shape.kind === shape.kind && v.shape.size > shape.size);
    if (larger.length > 0 && shape.size > 1 && this.nat(3) > 0) {
      const v = this.one(larger);
      return `${v.name}.${this.selector(v.shape.size, shape.size, false)}`;
    }
    if (larger.length > 0 && shape.size === 1) {
      const v = this.one(larger);
      return this.nat(2) === 0
        ? `${v.name}.${this.selector(v.shape.size, 1, false)}`
        : `${v.name}[(lane + ${String(this.nat(8))}) % ${String(v.shape.size)}]`;
    }
    return this.source(shape);
  }

  private masked(shape: Shape, depth: number): string {
    const value = this.value(shape, depth);
    return shape.size === 1 ? `(${value} & 31)` : `(${value} & ${literalOf(shape.kind, 31)})`;
  }

  private value(shape: Shape, depth: number): string {
    if (depth <= 0) return this.leaf(shape);
    const { kind, size } = shape;
    const inner = (): string => this.value(shape, depth - 1);
    if (size === 1) return this.leaf(shape);
    switch (this.nat(12)) {
      case 0:
      case 1: {
        if (kind === "float") return `(${inner()} ${this.one(["+", "-"])} ${this.leaf(shape)})`;
        if (isSigned(kind))
          return `(${this.masked(shape, depth - 1)} ${this.one(["+", "-"])} ${this.masked(shape, depth - 2)})`;
        return `(${inner()} ${this.one(["+", "-", "*"])} ${inner()})`;
      }
      case 2:
        return kind === "float" ? `-${inner()}` : `(${inner()} ${this.one(["&", "|", "^"])} ${inner()})`;
      case 3:
        if (kind === "float") return `fabs(${inner()})`;
        return isSigned(kind)
          ? `(${inner()} >> (${inner()} & ${literalOf(kind, bits[kind] - 1)}))`
          : `(${inner()} ${this.one(["<<", ">>"])} (${inner()} & ${literalOf(kind, bits[kind] - 1)}))`;
      case 4: {
        if (size < 4) return inner();
        const half: Shape = { kind, size: (size / 2) as Size };
        return `(${nameOf(shape)})(${this.value(half, depth - 1)}, ${this.value(half, depth - 1)})`;
      }
      case 5: {
        const from: Shape = { kind: this.one(kinds), size };
        if (from.kind === "float")
          return kind === "float" ? inner() : `convert_${nameOf(shape)}(fabs(${this.leaf(from)}))`;
        if (kind === "float") return `convert_${nameOf(shape)}(${this.masked(from, depth - 1)})`;
        const saturates = this.nat(2) === 0 ? "_sat" : "";
        return `convert_${nameOf(shape)}${saturates}(${this.value(from, depth - 1)})`;
      }
      case 6: {
        if (kind === "float") return inner();
        const total = bits[kind] * size;
        const others = kinds
          .filter((k) => k !== "float")
          .flatMap((k) =>
            sizes.filter((n) => n > 1 && bits[k] * n === total).map((n): Shape => ({ kind: k, size: n })),
          );
        return `as_${nameOf(shape)}(${this.value(this.one(others), depth - 1)})`;
      }
      case 7: {
        const truth = signedAs(kind);
        if (!truth || kind === "ulong") return inner();
        const condition = `(${this.value(shape, depth - 1)} ${this.one(["<", ">=", "==", "!="])} ${this.leaf(shape)})`;
        return this.nat(2) === 0
          ? `select(${inner()}, ${this.leaf(shape)}, ${condition})`
          : `(${condition} ? ${inner()} : ${this.leaf(shape)})`;
      }
      case 8:
        return `${this.one(["min", "max"])}(${inner()}, ${this.leaf(shape)})`;
      case 9: {
        if (kind === "float") return `floor(${inner()})`;
        if (isSigned(kind)) return inner();
        return this.one([
          `rotate(${inner()}, ${this.leaf(shape)})`,
          `abs_diff(${inner()}, ${this.leaf(shape)})`,
          `mul_hi(${inner()}, ${this.leaf(shape)})`,
          `add_sat(${inner()}, ${this.leaf(shape)})`,
          `popcount(${inner()})`,
        ]);
      }
      case 10: {
        const name = this.name(`f${this.id}_`);
        const c = this.selector(size, size === 2 ? 2 : ((size / 2) as Size), true);
        this.helpers.push(
          `${nameOf(shape)} ${name}(${nameOf(shape)} a, __private ${nameOf(shape)} *b) { a.${c} = b->${c}; (*b).s1 = a.s0; return a; }`,
        );
        const mine = this.variables.filter((v) => v.shape.kind === kind && v.shape.size === size);
        return mine.length > 0 ? `${name}(${this.leaf(shape)}, &${this.one(mine).name})` : inner();
      }
      default:
        return inner();
    }
  }

  private declared(shape: Shape): string {
    const name = this.name("v");
    const text = `${nameOf(shape)} ${name} = ${this.value(shape, 2)};`;
    this.variables.push({ name, shape });
    return text;
  }

  private statement(): string {
    const v = this.one(this.variables.filter((x) => x.shape.size > 4));
    const { kind, size } = v.shape;
    switch (this.nat(8)) {
      case 0:
        return this.declared(this.wide());
      case 1: {
        const count = this.one(sizes.filter((n) => n < size));
        const part: Shape = { kind, size: count };
        return `${v.name}.${this.selector(size, count, true)} = ${this.value(part, 2)};`;
      }
      case 2: {
        const operator =
          kind === "float" ? "+=" : isSigned(kind) ? this.one(["&=", "|=", "^="]) : this.one(["+=", "^=", "-=", "*="]);
        const count = this.one(sizes.filter((n) => n <= size));
        const target = count === size ? v.name : `${v.name}.${this.selector(size, count, true)}`;
        return `${target} ${operator} ${this.value({ kind, size: count }, 1)};`;
      }
      case 3:
        return `${v.name}[(lane * 3 + ${String(this.nat(16))}) % ${String(size)}] = ${this.leaf({ kind, size: 1 })};`;
      case 4: {
        const list = this.name("list");
        const shape = this.one([v.shape, this.wide()]);
        const at = `(lane + ${String(this.nat(3))}) % 2`;
        return (
          `${nameOf(shape)} ${list}[2] = { ${this.value(shape, 1)}, ${this.value(shape, 1)} }; ` +
          `${list}[${at}].${this.selector(shape.size, 4, true)} = ${this.value({ kind: shape.kind, size: 4 }, 1)}; ` +
          `mix = mix * 31u + ${this.folded(`${list}[0]`, shape)} + ${this.folded(`${list}[1]`, shape)};`
        );
      }
      case 5: {
        const memory = this.name("m");
        const shape: Shape = { kind, size: this.one([8, 16] as const) };
        return (
          `${kind} ${memory}[40]; for (int j = 0; j < 40; j++) ${memory}[j] = ${literalOf(kind, 3)}; ` +
          `vstore${String(shape.size)}(${this.value(shape, 2)}, ${String(this.nat(2))}, ${memory} + ${String(this.nat(5))}); ` +
          `mix += ${this.folded(`vload${String(shape.size)}(1, ${memory} + ${String(this.nat(5))})`, shape)};`
        );
      }
      case 6: {
        const holder = this.name("h");
        const type = this.name(`S${this.id}_`);
        this.helpers.push(`typedef struct { char c; ${nameOf(v.shape)} w; ${kind} k; } ${type};`);
        return (
          `${type} ${holder} = { 1, ${this.value(v.shape, 1)}, ${this.leaf({ kind, size: 1 })} }; ` +
          `${holder}.w.${this.selector(size, 2, true)} = ${this.value({ kind, size: 2 }, 1)}; ${v.name} = ${holder}.w;`
        );
      }
      default: {
        const truth = signedAs(kind);
        if (!truth) return `${v.name} = ${this.value(v.shape, 3)};`;
        const test = `${this.one(["any", "all"])}(${this.value(v.shape, 1)} ${this.one(["<", "!="])} ${this.leaf(v.shape)})`;
        return `if (${test}) ${v.name} = ${this.value(v.shape, 2)}; else mix ^= ${String(this.nat(1000))}u;`;
      }
    }
  }

  /** A word that every component has its part in. */
  private folded(value: string, { kind, size }: Shape): string {
    const name = `fold_${kind}${String(size)}`;
    return `${name}(${value})`;
  }

  program(): string {
    const body = [this.declared(this.wide()), this.declared(this.wide())];
    for (let n = 3 + this.nat(5); n > 0; n--) body.push(this.statement());
    const folds = this.variables
      .filter((v) => v.shape.size > 1)
      .map((v) => `mix = mix * 17u + ${this.folded(v.name, v.shape)};`);
    const lines = [...body, ...folds].map((s) => `  ${s}`).join("\n");
    return [
      ...this.helpers,
      `__kernel void k${this.id}(__global const uint *src, __global uint *dst) {`,
      "  int lane = (int)get_global_id(0);",
      "  uint mix = (uint)lane;",
      lines,
      `  for (int j = 0; j < ${String(wideWords)}; j++) dst[lane * ${String(wideWords)} + j] = mix + src[j];`,
      "}",
    ].join("\n");
  }
}

/** Functions that fold a vector into a word, the same for all programs. */
export const foldsOfVectors = kinds
  .flatMap((kind) =>
    ([2, 4, 8, 16] as const).map((size) => {
      const bitsOf =
        kind === "float" ? "as_uint(x[j])" : kind === "ulong" ? "(uint)(x[j] ^ (x[j] >> 32))" : "(uint)x[j]";
      return `uint fold_${kind}${String(size)}(${kind}${String(size)} x) { uint sum = 0u; for (int j = 0; j < ${String(size)}; j++) sum = sum * 5u + ${bitsOf}; return sum; }`;
    }),
  )
  .join("\n");

export const wideVectorProgram = (next: Random, id: string): string => new Generator(next, id).program();
