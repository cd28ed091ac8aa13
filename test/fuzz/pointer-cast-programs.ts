/**
 * Random OpenCL C kernels about pointers that are cast: one memory of several types, in buffers, workgroup memory and a lane's own,
 * at byte offsets, through variables that step, helpers, structs and pointers to void. All that is executed is defined.
 */
import type { Random } from "../mutants/mutate.js";

/** Words of `dst` per work-item, of which the last is the sum of what was read. */
export const castWords = 12;
/** Bytes that a kernel reads and writes as anything, in each memory. */
const bytes = 4 * (castWords - 1) - 4;
const lanes = 4;

type Space = "" | "__local " | "__global ";
const spaces: readonly Space[] = ["", "__local ", "__global "];
const suffix: Readonly<Record<Space, string>> = { "": "p", "__local ": "l", "__global ": "g" };

interface Element {
  readonly name: string;
  readonly size: number;
  /** An unsigned word of a value, and a value of an unsigned word. */
  readonly read: (e: string) => string;
  readonly write: (e: string) => string;
  readonly whole?: boolean;
}

const cast = (name: string, size: number): Element => ({
  name,
  size,
  whole: true,
  read: (e) => `(uint)(${e})`,
  write: (e) => `(${name})(${e})`,
});
const vector = (scalar: string, n: number, size: number): Element => ({
  name: `${scalar}${String(n)}`,
  size,
  read: (e) =>
    `${"xyzw"
      .slice(0, n)
      .split("")
      .map((c, k) => `(uint)(${e}).${c} * ${String(2 * k + 1)}u`)
      .join(" + ")}`,
  write: (e) =>
    `(${scalar}${String(n)})(${Array.from({ length: n }, (_, k) => `(${scalar})((${e}) + ${String(k)}u)`).join(", ")})`,
});

const elements: readonly Element[] = [
  cast("uchar", 1),
  cast("char", 1),
  cast("ushort", 2),
  cast("short", 2),
  cast("uint", 4),
  cast("int", 4),
  { name: "float", size: 4, read: (e) => `as_uint(${e})`, write: (e) => `as_float((${e}) & 0x3fffffffu)` },
  cast("ulong", 8),
  vector("uint", 2, 8),
  vector("uint", 4, 16),
  vector("uchar", 4, 4),
  vector("ushort", 2, 4),
];

/**
 * In C two pointers to different types are taken to point to different things (C99 6.5 (7)), which a compiler may make use of.
 * Crosslane keeps what is written in the order it is written; so does a compiler that is told of it.
 */
export const aliasing = elements
  .filter((e) => e.size > 1)
  .map(({ name }) => `typedef ${name} aliased_${name} __attribute__((may_alias));\n#define ${name} aliased_${name}`)
  .join("\n");

class Generator {
  private made = 0;

  constructor(
    private readonly next: Random,
    private readonly id: string,
  ) {}

  private nat(n: number): number {
    return Math.floor(this.next() * n);
  }
  private pick<T>(list: readonly T[]): T {
    return list[this.nat(list.length)]!;
  }
  private name(stem: string, s: Space): string {
    return `${stem}${suffix[s]}_${this.id}`;
  }
  private fresh(): string {
    return `p${String(this.made++)}`;
  }
  private value(): string {
    return this.pick([
      `${String(this.nat(60000))}u + (uint)i`,
      "acc",
      `acc * 77u`,
      `(uint)i * 0x01030507u`,
      "acc >> 9",
    ]);
  }

  /** An offset of `count` elements into the memory, and what it is at most. */
  private offset(e: Element, count: number): string {
    const places = Math.floor((bytes - e.size * (count + 1)) / e.size) + 1;
    const at = e.size * this.nat(Math.max(1, places));
    return this.pick([
      String(at),
      `${String(at)} + ${String(e.size)} * (i & 1)`,
      `(ulong)(i & 1) * ${String(e.size)}ul + ${String(at)}`,
    ]);
  }

  helpers(): string {
    return spaces
      .map((s) => {
        const e = this.pick(elements);
        const [put, get, sum, on] = ["put", "get", "sum", "on"].map((n) => this.name(n, s)) as [
          string,
          string,
          string,
          string,
        ];
        return [
          `void ${put}(${s}void *p, uint v) { ((${s}uchar *)p)[1] = (uchar)v; *(${s}ushort *)((${s}char *)p + 2) ^= (ushort)(v >> 3); }`,
          `uint ${get}(const ${s}char *p, int k) { return ${e.read(`((const ${s}${e.name} *)p)[k]`)}; }`,
          `uint ${sum}(const ${s}uint *p, int n) { const ${s}uchar *b = (const ${s}uchar *)p; uint r = *p; for (int k = 0; k < n; k++, b++) r = r * 31u + *b; return r; }`,
          `${s}uint *${on}(${s}char *p, int n) { return (${s}uint *)(p + 4 * n); }`,
          `#define GET_${suffix[s]}_${this.id} ${String(e.size)}`,
          `typedef struct { ushort a; uchar b[2]; uint c; } ${this.name("S", s)};`,
        ].join("\n");
      })
      .join("\n");
  }

  private sizeOfGet = new Map<Space, number>();
  remember(text: string): void {
    for (const s of spaces) {
      const size = new RegExp(`#define GET_${suffix[s]}_${this.id} (\\d+)`).exec(text)![1]!;
      this.sizeOfGet.set(s, Number(size));
    }
  }

  statement(depth: number): string {
    const s = this.pick(spaces);
    const base = { "": "own", "__local ": "tile", "__global ": "out" }[s];
    const e = this.pick(elements);
    const count = 1 + this.nat(e.size > 8 ? 1 : 2);
    const at = this.offset(e, count);
    const pointer = `(${s}${e.name} *)(${base} + ${at})`;
    const p = this.fresh();
    const read = (x: string): string => `acc = acc * 31u + (${e.read(x)});`;
    switch (this.nat(depth > 1 ? 8 : 10)) {
      case 0:
        return `*${pointer} = ${e.write(this.value())};`;
      case 1:
        return read(`*${pointer}`);
      case 2:
        return `{ ${s}${e.name} *${p} = ${pointer}; *${p}++ = ${e.write(this.value())}; ${read(`${p}[-1]`)} ${this.pick([`${p}--;`, `${p} -= 1;`])} ${read(`*${p}`)} }`;
      case 3:
        return e.whole
          ? `{ ${s}${e.name} *${p} = ${pointer}; ${p}[0] ${this.pick([e.name === "int" ? "&=" : "+=", "^=", "|="])} ${e.write(this.value())}; ${p}[0]${this.pick(e.name === "int" ? [" ^= 1", " |= 1"] : ["++", "--"])}; }`
          : `{ const ${s}${e.name} *${p} = ${pointer}; ${read(`${p}[0]`)} }`;
      case 4: {
        const b = this.fresh();
        return `{ ${s}${e.name} *${p} = ${pointer}; ${s}uchar *${b} = (${s}uchar *)(${p} + 1) - 1; *${b} ^= (uchar)(${this.value()}); ${read(`*${p}`)} acc += (uint)((${s}char *)${p} - ${base}); }`;
      }
      case 5:
        return `${this.name("put", s)}(${base} + ${String(4 * this.nat(bytes / 4))}, ${this.value()});`;
      case 6: {
        const size = this.sizeOfGet.get(s)!;
        const k = this.nat(2);
        const most = Math.floor((bytes - size * (k + 1)) / size);
        return `acc ^= ${this.name("get", s)}(${base} + ${String(size * this.nat(most + 1))}, ${String(k)});`;
      }
      case 7: {
        const n = this.nat(bytes / 4 - 3);
        return this.pick([
          `acc += ${this.name("sum", s)}((const ${s}uint *)(${base} + ${String(4 * n)}), ${String(1 + this.nat(8))});`,
          `*${this.name("on", s)}(${base}, ${String(n)}) = ${this.value()};`,
          `{ ${s}${this.name("S", s)} *${p} = (${s}${this.name("S", s)} *)(${base} + ${String(4 * n)}); ${p}->b[i & 1] = (uchar)(${this.value()}); ${p}->c += (uint)${p}->a; acc ^= ${p}->c; }`,
        ]);
      }
      case 8:
        return `if (${this.pick(["i & 1", "acc & 4u", "i > 1"])}) { ${this.block(depth + 1)} }`;
      default:
        return `for (int k${String(depth)} = 0; k${String(depth)} < ${String(2 + this.nat(2))}; k${String(depth)}++) { ${this.block(depth + 1)} }`;
    }
  }

  block(depth: number): string {
    return Array.from({ length: 1 + this.nat(3) }, () => this.statement(depth)).join(" ");
  }

  kernel(): string {
    const statements = Array.from({ length: 4 + this.nat(6) }, () => `  ${this.statement(0)}`);
    const words = castWords;
    return `__kernel void k${this.id}(__global const uint *src, __global uint *dst) {
  int i = (int)get_global_id(0), l = (int)get_local_id(0);
  __local uint4 shared[${String((lanes * words) / 4)}];
  __local char *tile = (__local char *)(shared + l * ${String(words / 4)});
  uint4 mine[${String(words / 4)}];
  char *own = (char *)mine;
  __global char *out = (__global char *)(dst + i * ${String(words)});
  uint acc = 1u;
  for (int k = 0; k < ${String(words - 1)}; k++) { ((__global uint *)out)[k] = src[k + i]; ((__local uint *)tile)[k] = src[k + 2 * i]; ((uint *)own)[k] = src[2 * k]; }
${statements.join("\n")}
  for (int k = 0; k < ${String(bytes / 4)}; k++) acc = acc * 31u + ((__local uint *)tile)[k] * 7u + ((uint *)own)[k];
  ((__global uint *)out)[${String(words - 1)}] = acc;
}
`;
  }
}

export function pointerCastProgram(next: Random, id: string): string {
  const g = new Generator(next, id);
  const helpers = g.helpers();
  g.remember(helpers);
  return `${helpers}\n${g.kernel()}`;
}
