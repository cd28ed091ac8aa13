/**
 * OpenCL C kernels about how numbers are moved and converted: `vloadn` and `vstoren` of every type and size in every address space,
 * loads and stores of halves in all rounding modes, and `convert_T` of all pairs of types with what goes behind the name. The seed says
 * which kernel: any `dataMoveKernels` seeds in a row are all there are, each with numbers of its own.
 */
import type { Random } from "../mutants/mutate.js";

/** Words of `dst` per work-item. */
export const dataMoveWords = 192;

const integers = ["char", "uchar", "short", "ushort", "int", "uint", "long", "ulong"] as const;
const kinds = [...integers, "float", "double"] as const;
type Kind = (typeof kinds)[number];
const bytes: Readonly<Record<Kind, number>> = {
  char: 1,
  uchar: 1,
  short: 2,
  ushort: 2,
  int: 4,
  uint: 4,
  long: 8,
  ulong: 8,
  float: 4,
  double: 8,
};
const isFloat = (k: Kind): boolean => k === "float" || k === "double";
const sizes = [1, 2, 3, 4, 8, 16] as const;
const modes = ["", "_rte", "_rtz", "_rtp", "_rtn"] as const;
const sized = (k: string, n: number): string => (n === 1 ? k : k + String(n));

/** Numbers of a constant table. */
const tableLength = 48;

type Make = (next: Random) => { readonly table: string; readonly body: string };

const nat = (next: Random, n: number): number => Math.floor(next() * n);

function integerEdge(k: Kind, next: Random): string {
  const width = BigInt(8 * bytes[k]);
  const unsigned = ((): bigint => {
    switch (nat(next, 4)) {
      case 0:
        return BigInt(nat(next, 5)) - 2n;
      case 1:
        return (1n << (width - 1n)) + BigInt(nat(next, 3)) - 1n;
      // Around ties of what floats and doubles hold.
      case 2:
        return (
          (1n << BigInt(nat(next, Number(width)))) +
          (1n << BigInt(nat(next, Number(width)))) +
          BigInt(nat(next, 3)) -
          1n
        );
      default:
        return (BigInt(nat(next, 2 ** 31)) << 32n) | BigInt(nat(next, 2 ** 31) * 2);
    }
  })();
  const bits = BigInt.asUintN(Number(width), unsigned);
  return bytes[k] === 8 ? `(${k})0x${bits.toString(16)}ul` : `(${k})0x${bits.toString(16)}u`;
}

/** Of floats that become integers, or halves; `small` lie inside every type. */
function floatEdge(k: Kind, next: Random, small: boolean): string {
  const end = k === "float" ? "f" : "";
  const sign = nat(next, 2) === 0 ? "" : "-";
  if (small) return `${String(nat(next, 100))}.${["0", "25", "5", "75", "5"][nat(next, 5)]!}${end}`;
  const [least, most] = k === "float" ? ["1e-45f", "3.4e38f"] : ["4.9e-324", "1.7e308"];
  const halves = [
    "65504.0",
    "65519.9",
    "65520.0",
    "6.1035156e-5",
    "6.1e-5",
    "5.9604645e-8",
    "2.9802322e-8",
    "2.98e-8",
    "8.9406967e-8",
  ];
  const ranges = [
    "127.5",
    "128.0",
    "255.5",
    "256.0",
    "32767.5",
    "65535.5",
    "2147483520.0",
    "2147483648.0",
    "4294967040.0",
    "4294967296.0",
  ];
  const long = ["9223371487098961920.0", "9223372036854775808.0", "18446742974197923840.0", "18446744073709551616.0"];
  const others = ["0.0", "0.5", "1.5", "2.5", "0.49999997", "1024.5", "1025.5", "2049.0", "2051.0"];
  const list = [...halves, ...ranges, ...long, ...others];
  switch (nat(next, 6)) {
    case 0:
      return `${sign}${nat(next, 2) === 0 ? least : most}`;
    case 1:
      return `${sign}INFINITY`;
    case 2:
      return `${sign}${(next() * 2 ** (nat(next, 44) - 26)).toExponential(8)}${end}`;
    default:
      return `${sign}${list[nat(next, list.length)]!}${end}`;
  }
}

const table = (k: Kind, name: string, one: () => string): string =>
  `__constant ${k} ${name}[${String(tableLength)}] = { ${Array.from({ length: tableLength }, one).join(", ")} };`;

/** `vloadn` and `vstoren` of a type, through every address space, at places that only elements are aligned to. */
const moves =
  (k: Kind, id: string): Make =>
  (next) => {
    const lines = [
      `__local ${k} l[4 * 40];`,
      `${k} p[40];`,
      `__global ${k} *out = (__global ${k} *)o;`,
      // The bits of a NaN are its machine's.
      isFloat(k)
        ? `for (int c = 0; c < 24; c++) out[c + 70] = t${id}[c + lane]; __global const ${k} *g = out + 70;`
        : `__global const ${k} *g = (__global const ${k} *)src;`,
    ];
    let at = 0;
    for (const n of sizes.slice(1)) {
      const [off, shift] = [nat(next, 2), nat(next, 3)];
      const type = sized(k, n);
      lines.push(
        `{ ${type} v = vload${String(n)}(${String(bytes[k] === 8 && n === 16 ? 0 : off)}, g + ${String(shift)} + (lane & 1)); vstore${String(n)}(v, ${String(off)}, p + ${String(shift)});`,
        `  v = vload${String(n)}(${String(off)}, p + ${String(shift)}); vstore${String(n)}(v, ${String(1 - off)}, l + lid * 40 + ${String(shift)});`,
        `  v = vload${String(n)}(${String(1 - off)}, l + lid * 40 + ${String(shift)}); vstore${String(n)}(v, 0, out + ${String(at)}); vstore${String(n)}(vload${String(n)}(${String(off)}, t${id} + ${String(shift)} + lane), 1, out + ${String(at)}); }`,
      );
      at += 2 * n;
    }
    return {
      table: table(k, `t${id}`, () => (isFloat(k) ? floatEdge(k, next, false) : integerEdge(k, next))),
      body: lines.join("\n  "),
    };
  };

/** Halves of floats or doubles in every mode, and back. */
const halves =
  (k: "float" | "double", mode: (typeof modes)[number], id: string): Make =>
  (next) => {
    // Without an extension halves are only pointed to (OpenCL C 3.0 6.3.1.1).
    const lines = [
      "__local ushort l[4 * 48] __attribute__((aligned(32)));",
      "ushort p[48] __attribute__((aligned(32)));",
      "__global half *out = (__global half *)o;",
      "uint h = 0u;",
    ];
    let at = 0;
    for (const n of sizes)
      for (const a of n === 1 ? [""] : ["", "a"]) {
        const form = n === 1 ? "" : String(n);
        const value =
          n === 1
            ? `t${id}[lane + ${String(nat(next, 32))}]`
            : `vload${form}(0, t${id} + lane + ${String(nat(next, 24))})`;
        const step = a === "a" && n === 3 ? 4 : n;
        // What vstorea_half3 leaves behind the third half is open.
        const names = Array.from({ length: n }, (_, c) => c);
        const back = (space: string, base: string): string =>
          `{ ${sized("float", n)} b = vload${a}_half${form}(1, ${base}); ${names
            .map((c) => `h = h * 31u + as_uint(${n === 1 ? "b" : `b.s${c.toString(16)}`});`)
            .join(" ")} } /* ${space} */`;
        const [own, local] = ["(half *)p", "(__local half *)l + lid * 48"];
        lines.push(
          `vstore${a}_half${form}${mode}(${value}, 1, ${own}); ${back("private", own)}`,
          `vstore${a}_half${form}${mode}(${value}, 1, ${local}); ${back("local", local)}`,
        );
        const start = Math.ceil(at / step) * step;
        lines.push(`vstore${a}_half${form}${mode}(${value}, ${String(start / step)}, out);`);
        if (step !== n) lines.push(`((__global ushort *)o)[${String(start + n)}] = 0;`);
        at = start + step;
      }
    lines.push(`o[${String(dataMoveWords - 1)}] = h;`);
    return { table: table(k, `t${id}`, () => floatEdge(k, next, false)), body: lines.join("\n  ") };
  };

/** Every half that a float holds is read from each address space. */
const halfLoads =
  (id: string): Make =>
  (next) => {
    const bits = (): string => {
      const exponent = [0, 0, 1, 15, 30, 30][nat(next, 6)]!;
      return `0x${((nat(next, 2) << 15) | (exponent << 10) | nat(next, 1024)).toString(16)}`;
    };
    const lines = [
      "__local ushort l[4 * 80] __attribute__((aligned(32)));",
      "ushort p[80] __attribute__((aligned(32)));",
      `for (int c = 0; c < 80; c++) { l[lid * 80 + c] = t${id}[(c * 7 + lane) % 80]; p[c] = t${id}[(c * 3 + lane) % 80]; ((__global ushort *)(o + 100))[c] = t${id}[(c + lane) % 80]; }`,
      "__global float *out = (__global float *)o;",
    ];
    let at = 0;
    const places = [
      `(__constant half *)t${id} + lane`,
      "(__local half *)l + lid * 80",
      "(__private half *)p",
      "(__global half *)(o + 100)",
    ];
    for (const n of sizes)
      for (const a of n === 1 ? [""] : ["", "a"]) {
        const form = n === 1 ? "" : String(n);
        const aligned = a === "a" ? places.slice(1) : places;
        const place = aligned[(at + n) % aligned.length]!;
        const value = `vload${a}_half${form}(1, ${place})`;
        lines.push(n === 1 ? `out[${String(at)}] = ${value};` : `vstore${form}(${value}, 0, out + ${String(at)});`);
        at += n;
      }
    return {
      table: `__constant ushort t${id}[80] __attribute__((aligned(32))) = { ${Array.from({ length: 80 }, bits).join(", ")} };`,
      body: lines.join("\n  "),
    };
  };

/**
 * From one type to all, in every way that is defined: a float out of an integer's range, and NaN, are implementation-defined without `_sat`
 * (OpenCL C 3.0 6.4.3.3), and not asked for; with it they become the nearest and 0.
 */
const conversions =
  (from: Kind, to: readonly Kind[], id: string, tried: readonly (typeof modes)[number][] = modes): Make =>
  (next) => {
    const lines: string[] = [];
    let turn = nat(next, sizes.length);
    let at = 0;
    for (const k of to)
      for (const sat of isFloat(k) ? [""] : ["", "_sat"])
        for (const mode of tried) {
          const n = sizes[turn++ % sizes.length]!;
          const small = isFloat(from) && !isFloat(k) && sat === "";
          const name = small ? `s${id}` : `t${id}`;
          const given =
            n === 1
              ? `${name}[lane + ${String(nat(next, 40))}]`
              : `vload${String(n)}(0, ${name} + lane + ${String(nat(next, 24))})`;
          const sum = Array.from({ length: n }, (_, c) => {
            const part = n === 1 ? "r" : `r.s${c.toString(16)}`;
            const bits = bytes[k] === 8 ? `as_ulong(${part})` : isFloat(k) ? `as_uint(${part})` : `(ulong)${part}`;
            return `h = h * 1000003ul + ${bits};`;
          }).join(" ");
          lines.push(
            `{ ${sized(k, n)} r = convert_${sized(k, n)}${sat}${mode}(${given}); ulong h = 0; ${sum} o[${String(at)}] = (uint)h; o[${String(at + 1)}] = (uint)(h >> 32); }`,
          );
          at += 2;
        }
    // What bits a NaN has as a float of another type is its machine's.
    const saturates = isFloat(from) && !to.some(isFloat);
    const edge = (): string => (saturates && nat(next, 8) === 0 ? "(0.0f / 0.0f)" : floatEdge(from, next, false));
    const first = table(from, `t${id}`, () => (isFloat(from) ? edge() : integerEdge(from, next)));
    return {
      table: isFloat(from) ? `${first}\n${table(from, `s${id}`, () => floatEdge(from, next, true))}` : first,
      body: lines.join("\n  "),
    };
  };

const kernels: readonly ((id: string) => Make)[] = [
  ...kinds.map((k) => (id: string) => moves(k, id)),
  ...(["float", "double"] as const).flatMap((k) => modes.map((mode) => (id: string) => halves(k, mode, id))),
  (id) => halfLoads(id),
  ...kinds.flatMap((k) => [
    // In two: drivers take their time with long ones. Between integers the mode says nothing.
    ...(isFloat(k)
      ? [integers.slice(0, 4), integers.slice(4)].map((to) => (id: string) => conversions(k, to, id))
      : [modes.slice(0, 2), modes.slice(2)].map((tried) => (id: string) => conversions(k, integers, id, tried))),
    (id: string) => conversions(k, ["float"], id),
    (id: string) => conversions(k, ["double"], id),
  ]),
];

/** How many kernels it takes for all. */
export const dataMoveKernels = kernels.length;

export function dataMoveProgram(next: Random, id: string): string {
  // A few seeds have something of each sort.
  const { table: tables, body } = kernels[(Number(id) * 19) % kernels.length]!(id)(next);
  return `${tables}
__kernel void k${id}(__global const uint *src, __global uint *dst) {
  uint lane = get_global_id(0);
  uint lid = get_local_id(0);
  __global uint *o = dst + lane * ${String(dataMoveWords)};
  ${body}
}
`;
}
