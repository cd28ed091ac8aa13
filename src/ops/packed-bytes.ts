/** Words of four bytes: their products (cl_khr_integer_dot_product; GL_EXT_integer_dot_product; HLSL from shader model 6.4 on), packing and unpacking them. */
import { construct } from "../ast/builders.js";
import type { Expr } from "../ast/nodes.js";
import { opId } from "../ast/op-ids.js";
import { i32, u32, vector } from "../types/types.js";
import { define, expanded, native, reads, tree } from "./define.js";
import type { OpRow } from "./row.js";
import { add, and, bin, compare, components, fold, k, mul, op, or, same, select, to } from "./trees.js";

type Sign = "u" | "s";

/** Byte `n` of a word: unsigned, or with its sign in the type's 32 bits. */
function byteOf(word: Expr, n: number, sign: Sign): Expr {
  if (sign === "u") {
    const moved = n === 0 ? word : bin("shr", word, k(u32, 8 * n));
    return n === 3 ? moved : and(moved, k(u32, 255));
  }
  const top = n === 3 ? word : bin("shl", word, k(u32, 24 - 8 * n));
  return bin("shr", to("i32", top), k(i32, 24));
}

const four = [0, 1, 2, 3] as const;
const wordOf = (bytes: readonly Expr[]): Expr =>
  fold(
    bytes.map((b, n) => (n === 0 ? b : bin("shl", b, k(u32, 8 * n)))),
    or,
  );

const numberOf = (word: number, n: number, sign: Sign): number =>
  sign === "u" ? (word >>> (8 * n)) & 255 : (word << (24 - 8 * n)) >> 24;

const nameOf: Readonly<Record<Sign, string>> = { u: "unsigned", s: "signed" };
const signs: readonly (readonly [Sign, Sign])[] = [
  ["u", "u"],
  ["s", "s"],
  ["u", "s"],
  ["s", "u"],
];

const products = signs.map(([a, b]): OpRow => {
  const kind = a === "u" && b === "u" ? "u32" : "i32";
  return define("bits", opId(`bits.dot4_${a}${b}`), {
    summary: `sum of the products of the four ${nameOf[a]} bytes of x and the ${nameOf[b]} ones of y`,
    signature: `u32, u32 -> ${kind}`,
    expand: tree(([x, y]) =>
      fold(
        four.map((n) => mul(to(kind, byteOf(x!, n, a)), to(kind, byteOf(y!, n, b)))),
        add,
      ),
    ),
    msl: expanded,
    glsl: [
      reads("dotPacked4x8EXT", "GL_EXT_integer_dot_product", {
        signatures: [`${a === "u" ? "u32" : "i32"}, ${b === "u" ? "u32" : "i32"} -> ${kind}`],
      }),
      expanded,
    ],
    opencl: [
      reads(`dot_4x8packed_${a}${b}_${kind === "u32" ? "uint" : "int"}`, "clang-19, cl_khr_integer_dot_product"),
      expanded,
    ],
    hlsl: expanded,
    run: (x: number, y: number) => four.reduce<number>((s, n) => s + numberOf(x, n, a) * numberOf(y, n, b), 0),
  });
});

const added = (["u", "s"] as const).map((sign): OpRow => {
  const kind = sign === "u" ? "u32" : "i32";
  return define("bits", opId(`bits.dot4add_${sign}`), {
    summary: `z and the products of the four ${nameOf[sign]} bytes of x and y, modulo 2^32 (HLSL dot4add)`,
    signature: `u32, u32, ${kind} -> ${kind}`,
    expand: tree(([x, y, z]) => {
      const sum = op(opId(`bits.dot4_${sign}${sign}`), kind === "u32" ? u32 : i32, x!, y!);
      return to(kind, add(to("u32", sum), to("u32", z!)));
    }),
    msl: expanded,
    glsl: expanded,
    opencl: expanded,
    hlsl: [native(`dot4add_${sign === "u" ? "u" : "i"}8packed`, "DXC", { needs: "sm>=6.4" }), expanded],
    run: (x: number, y: number, z: number) => {
      const sum = four.reduce<number>((s, n) => s + numberOf(x, n, sign) * numberOf(y, n, sign), z);
      return sign === "u" ? sum >>> 0 : sum | 0;
    },
  });
});

const unpacked = (["u", "s"] as const).map((sign): OpRow =>
  define("bits", opId(`bits.unpack_${sign}8`), {
    summary: `the four ${nameOf[sign]} bytes of a word`,
    signature: `u32 -> ${sign === "u" ? "u32" : "i32"}x4`,
    expand: tree(([x], type) =>
      construct(
        type,
        four.map((n) => byteOf(x!, n, sign)),
      ),
    ),
    msl: expanded,
    glsl: expanded,
    opencl: expanded,
    hlsl: [native(`unpack_${sign}8${sign}32`, "DXC", { needs: "sm>=6.6" }), expanded],
    run: (x: number) => four.map((n) => numberOf(x, n, sign)),
  }),
);

const unpackedShort = (["u", "s"] as const).map((sign): OpRow => {
  const kind = sign === "u" ? "u16" : "i16";
  return define("bits", opId(`bits.unpack_${sign}8_16`), {
    summary: `the four ${nameOf[sign]} bytes of a word as 16-bit numbers`,
    signature: `u32 -> ${kind}x4`,
    expand: tree(([x]) => to(kind, op(opId(`bits.unpack_${sign}8`), vector(sign === "u" ? "u32" : "i32", 4), x!))),
    msl: expanded,
    glsl: expanded,
    opencl: expanded,
    hlsl: [native(`unpack_${sign}8${sign}16`, "DXC", { needs: "sm>=6.6 hlsl.native16" }), expanded],
    run: (x: number) => four.map((n) => numberOf(x, n, sign)),
  });
});

export const packedByteRows: readonly OpRow[] = [
  ...products,
  ...added,
  ...unpacked,
  ...unpackedShort,
  ...(["u", "s"] as const).map((sign) =>
    define("bits", opId(`bits.pack_${sign}8`), {
      summary: `the lowest bytes of four ${nameOf[sign]} numbers as a word`,
      signature: `${sign === "u" ? "u32" : "i32"}x4 -> u32`,
      expand: tree(([x]) => wordOf(components(x!).map((c) => and(to("u32", c), k(u32, 255))))),
      msl: expanded,
      glsl: expanded,
      opencl: expanded,
      hlsl: [native(`pack_${sign}8`, "DXC", { needs: "sm>=6.6" }), expanded],
      run: (x: number[]) => x.reduce((s, c, n) => s | ((c & 255) << (8 * n)), 0) >>> 0,
    }),
  ),
  ...(["u", "s"] as const).map((sign): OpRow => {
    const [low, high] = sign === "u" ? [0, 255] : [-128, 127];
    return define("bits", opId(`bits.pack_clamp_${sign}8`), {
      summary: `four numbers limited to ${low}..${high}, as the bytes of a word`,
      signature: "i32x4 -> u32",
      expand: tree(([x]) => op("bits.pack_s8", u32, same("math.clamp", x!, k(x!.type, low), k(x!.type, high)))),
      msl: expanded,
      glsl: expanded,
      opencl: expanded,
      hlsl: [native(`pack_clamp_${sign}8`, "DXC", { needs: "sm>=6.6" }), expanded],
      run: (x: number[]) => x.reduce((s, c, n) => s | ((Math.min(Math.max(c, low), high) & 255) << (8 * n)), 0) >>> 0,
    });
  }),
  define("bits", "bits.msad4", {
    summary:
      "z and, for each of four byte offsets into y, |reference - y| over the bytes of the reference that are not 0 (HLSL msad4)",
    signature: "u32, u32x2, u32x4 -> u32x4",
    expand: tree(([reference, y, z], type) => {
      const [low, high] = components(y!);
      const sums = four.map((n) => {
        const word = n === 0 ? low! : or(bin("shr", low!, k(u32, 8 * n)), bin("shl", high!, k(u32, 32 - 8 * n)));
        return four.reduce((sum, b) => {
          const r = byteOf(reference!, b, "u");
          const apart = same("bits.abs_diff", r, byteOf(word, b, "u"));
          return add(sum, select(compare("eq", r, 0), k(u32, 0), apart));
        }, components(z!)[n]!);
      });
      return construct(type, sums);
    }),
    msl: expanded,
    glsl: expanded,
    opencl: expanded,
    hlsl: native("msad4", "DXC"),
    run: (reference: number, y: number[], z: number[]) =>
      four.map((n) => {
        const all = BigInt(y[0]! >>> 0) | (BigInt(y[1]! >>> 0) << 32n);
        const word = Number(BigInt.asUintN(32, all >> BigInt(8 * n)));
        return four.reduce<number>((sum, b) => {
          const r = numberOf(reference, b, "u");
          return r === 0 ? sum : (sum + Math.abs(r - numberOf(word, b, "u"))) >>> 0;
        }, z[n]!);
      }),
  }),
];
