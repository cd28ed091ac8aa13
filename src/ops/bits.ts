/** Integer and bit functions of data.md section 9. */
import { opId } from "../ast/op-ids.js";
import {
  define,
  expanded,
  integers,
  integers32,
  map,
  native,
  numbers,
  lowering,
  reads,
  routine,
  set,
  tree,
} from "./define.js";
import type { Open, OpRow } from "./row.js";
import type { Expr } from "../ast/nodes.js";
import {
  add,
  and,
  bin,
  bitsOf,
  compare,
  complement,
  components,
  fold,
  k,
  mul,
  or,
  same,
  select,
  sub,
  to,
  withScalar,
} from "./trees.js";
import { binary, bitcast, construct } from "../ast/builders.js";
import { bitWidth, scalar, scalarOf, type ScalarKind, type Type } from "../types/types.js";

const intel = "GL_INTEL_shader_integer_functions2, glslang";
/** The widths HLSL has. */
const hlslIntegers = set("i32 u32 i16 u16 i64 u64");

/** Undefined where offset and bits reach beyond the number. */
const beyondTheNumber: Open = {
  in: { glsl: "GLSL 4.60 8.8", msl: "MSL 3.1 6.3", opencl: "cl_khr_extended_bit_ops" },
  where: (args) => {
    const [offset, bits] = args.slice(-2) as [Expr, Expr];
    const width = k(offset.type, bitWidth(scalarOf(args[0]!.type)!));
    return or(bin("gt", offset, width), bin("gt", bits, sub(width, offset)));
  },
  says: (args) =>
    `: $${args.length - 1} bits from bit $${args.length - 2} of a number of ${bitWidth(scalarOf(args[0]!.type)!)}`,
};

/** Implementation-defined where an operand has more than 24 significant bits. */
const beyond24Bits: Open = {
  in: { opencl: "OpenCL C 3.0 6.15.3", msl: "MSL 3.1 6.3" },
  where: (args) => fold(args.slice(0, 2).map(hasMoreThan24Bits), or),
  says: "of a number of more than 24 bits",
};

function hasMoreThan24Bits(x: Expr): Expr {
  const signed = scalarOf(x.type)![0] === "i";
  const beyond = compare("gt", x, signed ? 0x7fffff : 0xffffff);
  return signed ? or(beyond, compare("lt", x, -0x800000)) : beyond;
}

const cl30 = "cl.khr_extended_bit_ops";

const count = (x: number, bits: number): number => {
  let n = 0;
  for (let i = 0; i < bits; i++) n += Math.floor((x >>> 0) / 2 ** i) % 2;
  return n;
};

export const bitRows: readonly OpRow[] = [
  define("bits", "bits.clz", {
    summary: "leading zero bits; of 0 the width",
    signature: "T -> T",
    on: integers,
    expand: map("clz"),
    msl: native("clz", "MSL 3.1 6.3"),
    glsl: [reads("countLeadingZeros", intel, { on: set("u32") }), lowering("clz")],
    opencl: native("clz", "clang-19"),
    hlsl: lowering("clz"),
    run: (x: number) => Math.clz32(x),
  }),
  define("bits", "bits.ctz", {
    summary: "trailing zero bits; of 0 the width",
    signature: "T -> T",
    on: integers,
    expand: map("ctz"),
    msl: native("ctz", "MSL 3.1 6.3"),
    glsl: [reads("countTrailingZeros", intel, { on: set("u32") }), lowering("ctz")],
    opencl: [native("ctz", "clang-19", { needs: "cl>=2.0" }), lowering("ctz")],
    hlsl: lowering("ctz"),
    run: (x: number) => (x === 0 ? 32 : 31 - Math.clz32(x & -x)),
  }),
  define("bits", "bits.popcount", {
    summary: "number of one bits",
    signature: "T -> T",
    on: integers,
    expand: map("popcount"),
    msl: [native("popcount", "MSL 3.1 6.3")],
    glsl: lowering("popcount"),
    opencl: native("popcount", "clang-19"),
    hlsl: [
      native("countbits", "DXC", { on: set("u32") }),
      native("countbits", "DXC", { on: set("i32 i16 u16 i64 u64"), signatures: ["T -> U"] }),
      lowering("popcount"),
    ],
    run: (x: number) => count(x, 32),
  }),
  define("bits", "bits.bit_count", {
    summary: "number of one bits as i32 (GLSL)",
    signature: "T -> I",
    on: integers32,
    expand: tree(([x]) => to("i32", same("bits.popcount", x!))),
    msl: expanded,
    glsl: native("bitCount", "glslang"),
    opencl: expanded,
    hlsl: expanded,
    run: (x: number) => count(x, 32),
  }),
  define("bits", "bits.find_msb", {
    summary: "highest bit that differs from the sign bit (unsigned: highest one bit), -1 for none",
    signature: "T -> I",
    on: hlslIntegers,
    expand: tree(([x]) => {
      const kind = scalarOf(x!.type)!;
      const top = bitWidth(kind) - 1;
      const bits = kind[0] === "i" ? bin("xor", x!, bin("shr", x!, k(x!.type, top))) : x!;
      return sub(k(withScalar("i32", x!.type), top), to("i32", same("bits.clz", bits)));
    }),
    msl: expanded,
    glsl: [native("findMSB", "glslang", { on: integers32 }), expanded],
    opencl: expanded,
    hlsl: native("firstbithigh", "DXC", { signatures: ["T -> U"] }),
    run: (x: number) => 31 - Math.clz32(x),
  }),
  define("bits", "bits.find_lsb", {
    summary: "lowest one bit, -1 for none",
    signature: "T -> I",
    on: hlslIntegers,
    expand: tree(([x]) => {
      const i = withScalar("i32", x!.type);
      return select(binary("eq", x!, k(x!.type, 0)), k(i, -1), to("i32", same("bits.ctz", x!)));
    }),
    msl: expanded,
    glsl: [native("findLSB", "glslang", { on: integers32 }), expanded],
    opencl: expanded,
    hlsl: native("firstbitlow", "DXC", { signatures: ["T -> U"] }),
    run: (x: number) => (x === 0 ? -1 : 31 - Math.clz32(x & -x)),
  }),
  define("bits", "bits.reverse", {
    summary: "bits in reverse order",
    signature: "T -> T",
    on: integers,
    expand: map("reverse_bits"),
    msl: native("reverse_bits", "MSL 3.1 6.3", { needs: "msl>=2.1" }),
    glsl: [native("bitfieldReverse", "glslang", { on: integers32 }), lowering("reverse-bits")],
    opencl: [native("bit_reverse", "clang-19 with cl_khr_extended_bit_ops", { needs: cl30 }), lowering("reverse-bits")],
    hlsl: [native("reversebits", "DXC", { on: hlslIntegers }), lowering("reverse-bits")],
    run: (x: number) => {
      let r = 0;
      for (let i = 0; i < 32; i++) r = r * 2 + ((x >>> i) & 1);
      return r;
    },
  }),
  define("bits", "bits.rotate", {
    summary: "rotated left by y modulo the width",
    signature: "T, T -> T",
    on: integers,
    expand: map("rotate"),
    msl: native("rotate", "MSL 3.1 6.3"),
    glsl: lowering("rotate"),
    opencl: native("rotate", "clang-19"),
    hlsl: lowering("rotate"),
    run: (x: number, n: number) => ((x << (n & 31)) | ((x >>> 0) >>> ((32 - n) & 31))) >>> 0,
  }),
  define("bits", "bits.extract", {
    summary: "`bits` bits of x from bit `offset`, sign-extended for signed x; 0 for bits = 0",
    signature: "T, u32, u32 -> T",
    on: integers,
    open: beyondTheNumber,
    expand: tree(([x, offset, bits]) => extracted(x!, offset!, bits!)),
    msl: native("extract_bits", "MSL 3.1 6.3"),
    glsl: [native("bitfieldExtract", "glslang", { on: integers32, signatures: ["T, i32, i32 -> T"] }), expanded],
    opencl: expanded,
    hlsl: expanded,
  }),
  define("bits", "bits.insert", {
    summary: "`bits` bits of `insert` put at bit `offset` of `base`",
    signature: "T, T, u32, u32 -> T",
    on: integers,
    open: beyondTheNumber,
    expand: tree(([base, insert, offset, bits]) => inserted(base!, insert!, offset!, bits!)),
    msl: native("insert_bits", "MSL 3.1 6.3"),
    glsl: [native("bitfieldInsert", "glslang", { on: integers32, signatures: ["T, T, i32, i32 -> T"] }), expanded],
    opencl: [reads("bitfield_insert", "clang-19"), expanded],
    hlsl: expanded,
  }),
  define("bits", "bits.mulhi", {
    summary: "high half of the full product",
    signature: "T, T -> T",
    on: integers,
    expand: map("mulhi"),
    msl: native("mulhi", "MSL 3.1 6.3"),
    glsl: lowering("mulhi"),
    opencl: native("mul_hi", "clang-19"),
    hlsl: lowering("mulhi"),
    run: (x: number, y: number) => Number((BigInt(x) * BigInt(y)) >> 32n),
  }),
  define("bits", "bits.mul_32x16", {
    summary: "product of x and the low 16 bits of y, extended as T is, low 32 bits (GLSL multiply32x16)",
    signature: "T, T -> T",
    on: integers32,
    expand: tree(([x, y]) => mul(x!, same("bits.extract", y!, k(scalar("u32"), 0), k(scalar("u32"), 16)))),
    msl: expanded,
    glsl: [reads("multiply32x16", intel), expanded],
    opencl: expanded,
    hlsl: expanded,
  }),
  define("bits", "bits.mul24", {
    summary: "product of operands of 24 significant bits, low 32 bits",
    signature: "T, T -> T",
    on: integers32,
    open: beyond24Bits,
    expand: tree(([x, y]) => mul(x!, y!)),
    msl: [native("mul24", "MSL 3.1 6.3", { needs: "msl>=2.1" }), expanded],
    glsl: expanded,
    opencl: native("mul24", "clang-19"),
    hlsl: expanded,
    run: (x: number, y: number) => Math.imul(x, y),
  }),
  define("bits", "bits.mad24", {
    summary: "mul24(x, y) + z",
    signature: "T, T, T -> T",
    on: integers32,
    open: beyond24Bits,
    expand: tree(([x, y, z]) => add(mul(x!, y!), z!)),
    msl: [native("mad24", "MSL 3.1 6.3", { needs: "msl>=2.1" }), expanded],
    glsl: expanded,
    opencl: native("mad24", "clang-19"),
    hlsl: expanded,
    run: (x: number, y: number, z: number) => (Math.imul(x, y) + z) | 0,
  }),
  define("bits", "bits.mad_hi", {
    summary: "mulhi(x, y) + z",
    signature: "T, T, T -> T",
    on: integers,
    expand: tree(([x, y, z]) => add(same("bits.mulhi", x!, y!), z!)),
    msl: native("madhi", "MSL 3.1 6.3"),
    glsl: expanded,
    opencl: native("mad_hi", "clang-19"),
    hlsl: expanded,
  }),
  ...(["add_sat", "sub_sat"] as const).map((name) =>
    define("bits", `bits.${name}`, {
      summary: `x ${name === "add_sat" ? "+" : "-"} y clamped to the type`,
      signature: "T, T -> T",
      on: integers,
      expand: map(name),
      msl: native(name.replace("_", ""), "MSL 3.1 6.3"),
      glsl: [reads(name === "add_sat" ? "addSaturate" : "subtractSaturate", intel), lowering("saturating")],
      opencl: native(name, "clang-19"),
      hlsl: lowering("saturating"),
    }),
  ),
  define("bits", "bits.hadd", {
    summary: "(x + y) >> 1 without overflow",
    signature: "T, T -> T",
    on: integers,
    expand: tree(([x, y]) => add(and(x!, y!), bin("shr", bin("xor", x!, y!), k(x!.type, 1)))),
    msl: native("hadd", "MSL 3.1 6.3"),
    glsl: [reads("average", intel), expanded],
    opencl: native("hadd", "clang-19"),
    hlsl: expanded,
    run: (x: number, y: number) => Math.floor((x + y) / 2),
  }),
  define("bits", "bits.rhadd", {
    summary: "(x + y + 1) >> 1 without overflow",
    signature: "T, T -> T",
    on: integers,
    expand: tree(([x, y]) => sub(or(x!, y!), bin("shr", bin("xor", x!, y!), k(x!.type, 1)))),
    msl: native("rhadd", "MSL 3.1 6.3"),
    glsl: [reads("averageRounded", intel), expanded],
    opencl: native("rhadd", "clang-19"),
    hlsl: expanded,
    run: (x: number, y: number) => Math.floor((x + y + 1) / 2),
  }),
  define("bits", "bits.abs_diff", {
    summary: "|x - y| as the unsigned type",
    signature: "T, T -> M",
    on: integers,
    expand: tree(([x, y], type) =>
      sub(to(scalarOf(type)!, same("math.max", x!, y!)), to(scalarOf(type)!, same("math.min", x!, y!))),
    ),
    msl: native("absdiff", "MSL 3.1 6.3"),
    glsl: [reads("absoluteDifference", intel), expanded],
    opencl: native("abs_diff", "clang-19"),
    hlsl: expanded,
    run: (x: number, y: number) => Math.abs(x - y),
  }),
  define("bits", "bits.abs_unsigned", {
    summary: "magnitude of a signed integer as the unsigned type (OpenCL abs)",
    signature: "T -> M",
    on: set("i32 i16 i8 i64"),
    expand: tree(([x], type) => to(scalarOf(type)!, same("math.abs", x!))),
    msl: expanded,
    glsl: expanded,
    opencl: native("abs", "clang-19"),
    hlsl: expanded,
    run: (x: number) => Math.abs(x),
  }),
  define("bits", "bits.abs_of_unsigned", {
    summary: "an unsigned integer itself (abs of one)",
    signature: "T -> T",
    on: set("u32 u16 u8 u64"),
    expand: tree(([x]) => x!),
    msl: native("abs", "MSL 3.1 6.3"),
    glsl: expanded,
    opencl: native("abs", "clang-19"),
    hlsl: [native("abs", "DXC", { on: set("u32 u16 u64") }), expanded],
    run: (x: number) => x,
  }),
  define("bits", "bits.mad_sat", {
    summary: "x*y + z clamped to the type (OpenCL mad_sat)",
    signature: "T, T, T -> T",
    on: integers,
    expand: tree(([x, y, z]) => multipliedSaturated(x!, y!, z!)),
    msl: native("madsat", "MSL 3.1 6.3"),
    glsl: expanded,
    opencl: native("mad_sat", "clang-19"),
    hlsl: expanded,
  }),
  define("bits", "bits.upsample", {
    summary: "the first operand above the second in twice the width (OpenCL upsample)",
    signature: "T, M -> W",
    on: set("i32 u32 i16 u16 i8 u8"),
    expand: tree(([high, low], type) => {
      const kind = scalarOf(type)!;
      // In C a negative number is not shifted left.
      const unsigned = `u${kind.slice(1)}` as ScalarKind;
      const bits = k({ ...type, scalar: unsigned } as Type, bitWidth(scalarOf(high!.type)!));
      return to(kind, or(bin("shl", to(unsigned, high!), bits), to(unsigned, low!)));
    }),
    msl: expanded,
    glsl: expanded,
    opencl: native("upsample", "clang-19"),
    hlsl: expanded,
    run: (high: number, low: number) => high * 65536 + low,
  }),
  define("bits", "bits.bitselect", {
    summary: "bit by bit: c ? b : a",
    signature: "T, T, T -> T",
    on: numbers,
    expand: tree(([a, b, c]) => {
      const [x, y, z] = [a!, b!, c!].map((v) => bitsOf(v)) as [Expr, Expr, Expr];
      const chosen = or(and(x, complement(z)), and(y, z));
      return scalarOf(chosen.type) === scalarOf(a!.type) ? chosen : bitcast(chosen, a!.type);
    }),
    msl: expanded,
    glsl: expanded,
    opencl: native("bitselect", "clang-19"),
    hlsl: expanded,
    run: (a: number, b: number, c: number) => (a & ~c) | (b & c),
  }),
  define("bits", "bits.add_carry", {
    summary: "x + y; the out place gets the carry, 0 or 1",
    signature: "T, T, &U -> T",
    on: set("u32"),
    expand: routine("carry"),
    msl: lowering("carry"),
    glsl: native("uaddCarry", "glslang"),
    opencl: lowering("carry"),
    hlsl: lowering("carry"),
  }),
  define("bits", "bits.add_words", {
    summary: "sums of 64 bits, of pairs of words, the low one first (HLSL AddUint64)",
    signature: "T, T -> T",
    on: set("u32", 2, 4),
    expand: tree(([x, y], type) => {
      const [a, b] = [components(x!), components(y!)];
      const parts = a.flatMap((low, i) => {
        if (i % 2 === 1) return [];
        const sum = add(low, b[i]!);
        const carry = select(binary("lt", sum, low), k(sum.type, 1), k(sum.type, 0));
        return [sum, add(add(a[i + 1]!, b[i + 1]!), carry)];
      });
      return construct(type, parts);
    }),
    msl: expanded,
    glsl: expanded,
    opencl: expanded,
    hlsl: native("AddUint64", "DXC"),
    run: (x: number[], y: number[]) => {
      const sums = [0, 2].flatMap((i) => {
        if (i >= x.length) return [];
        const [a, b] = [x, y].map((v) => BigInt(v[i]!) + (BigInt(v[i + 1]!) << 32n)) as [bigint, bigint];
        const sum = BigInt.asUintN(64, a + b);
        return [Number(sum & 0xffffffffn), Number(sum >> 32n)];
      });
      return sums;
    },
  }),
  define("bits", "bits.sub_borrow", {
    summary: "x - y; the out place gets the borrow, 0 or 1",
    signature: "T, T, &U -> T",
    on: set("u32"),
    expand: routine("carry"),
    msl: lowering("carry"),
    glsl: native("usubBorrow", "glslang"),
    opencl: lowering("carry"),
    hlsl: lowering("carry"),
  }),
  ...(
    [
      ["mul_extended_u", "umulExtended", "u32"],
      ["mul_extended_i", "imulExtended", "i32"],
    ] as const
  ).map(([name, glsl, kind]) =>
    define("bits", opId(`bits.${name}`), {
      summary: "the first out place gets the high half of the product, the second the low half",
      signature: "T, T, &T, &T -> void",
      on: set(kind),
      expand: routine("mul_extended"),
      msl: lowering("mul-extended"),
      glsl: native(glsl, "glslang"),
      opencl: lowering("mul-extended"),
      hlsl: lowering("mul-extended"),
    }),
  ),
];

/** Shifted up to the top, then down; a count of 0 bits would shift by the width, so that case is selected. */
function extracted(x: Expr, offset: Expr, bits: Expr): Expr {
  const width = bitWidth(scalarOf(x.type)!);
  const w = k(offset.type, width);
  // Of vectors both choices are worked out.
  const count = (e: Expr): Expr =>
    x.type.kind === "vector" && bits.kind !== "literal" ? and(e, k(e.type, width - 1)) : e;
  const moved = binary("shr", binary("shl", x, count(sub(w, add(offset, bits)))), count(sub(w, bits)));
  return select(spread(binary("eq", bits, k(bits.type, 0)), x.type), k(x.type, 0), moved);
}

function inserted(base: Expr, insert: Expr, offset: Expr, bits: Expr): Expr {
  const kind = scalarOf(base.type)!;
  const width = bitWidth(kind);
  const word = scalar(`u${width}` as ScalarKind);
  // Of no bits the offset may be the width. Counts of 32-bit integers may be anything where this is written out.
  const at = width === 32 || offset.kind === "literal" ? offset : and(offset, k(offset.type, width - 1));
  const ones = 2n ** BigInt(width) - 1n;
  const all = k(word, width === 64 ? ones : Number(ones));
  const low = select(binary("ge", bits, k(bits.type, width)), all, sub(binary("shl", k(word, 1), bits), k(word, 1)));
  const mask = spread(to(kind, binary("shl", low, at)), base.type);
  return or(and(base, complement(mask)), and(binary("shl", insert, at), mask));
}

/** x*y + z in the words of twice the width, or in 32 bits where those hold it. */
function multipliedSaturated(x: Expr, y: Expr, z: Expr): Expr {
  const kind = scalarOf(x.type)!;
  const signed = kind[0] === "i";
  const width = bitWidth(kind);
  const half = 2n ** BigInt(width - 1);
  const [low, high] = signed ? [-half, half - 1n] : [0n, 2n * half - 1n];
  const bound = (value: bigint): Expr => k(x.type, width === 64 ? value : Number(value));
  if (width < 32) {
    const wide = signed ? "i32" : "u32";
    const sum = add(mul(to(wide, x), to(wide, y)), to(wide, z));
    const least = signed ? same("math.max", sum, k(sum.type, Number(low))) : sum;
    return to(kind, same("math.min", least, k(sum.type, Number(high))));
  }
  const product = same("bits.mulhi", x, y);
  if (!signed) {
    const sum = add(mul(x, y), z);
    return select(or(test("ne", product, k(x.type, 0)), test("lt", sum, z)), bound(high), sum);
  }
  // The sum's low word carries into the high one; it fits where the high word is the low one's sign.
  const unsigned = `u${width}` as ScalarKind;
  const [a, b] = [to(unsigned, mul(x, y)), to(unsigned, z)];
  const sum = add(a, b);
  const top = add(add(product, bin("shr", z, k(z.type, width - 1))), to(kind, test("lt", sum, a)));
  const result = to(kind, sum);
  return select(
    test("eq", top, bin("shr", result, k(z.type, width - 1))),
    result,
    select(test("lt", top, k(x.type, 0)), bound(low), bound(high)),
  );
}

const test = (operator: "lt" | "eq" | "ne", a: Expr, b: Expr): Expr => binary(operator, a, b);

function spread(e: Parameters<typeof to>[1], type: Type): Parameters<typeof to>[1] {
  return e.type.kind === "scalar" && type.kind === "vector"
    ? { kind: "splat", operand: e, type: withScalar(scalarOf(e.type)!, type), explicit: false, span: e.span }
    : e;
}
