/** Opcodes of what WebAssembly has for a kind's operations, and small functions for what it has not. */
import type { MachineScalar } from "../../src/regions/tree.js";
import { Code, f32, f64, i32, i64, type FunctionBody, type ValueType } from "./bytes.js";

const isUnsigned = (kind: MachineScalar): boolean => kind[0] === "u" || kind === "bool";

/** First opcode of the comparisons by type: eq ne, then lt gt le ge, of integers signed and unsigned. */
export function comparison(type: ValueType, kind: MachineScalar, name: string): number | undefined {
  if (type === f32 || type === f64) {
    const at = ["eq", "ne", "lt", "gt", "le", "ge"].indexOf(name);
    return at < 0 ? undefined : (type === f32 ? 0x5b : 0x61) + at;
  }
  const first = type === i32 ? 0x46 : 0x51;
  if (name === "eq") return first;
  if (name === "ne") return first + 1;
  const at = ["lt", "gt", "le", "ge"].indexOf(name);
  return at < 0 ? undefined : first + 2 + 2 * at + (isUnsigned(kind) ? 1 : 0);
}

export const isComparison = (name: string): boolean => ["eq", "ne", "lt", "gt", "le", "ge"].includes(name);

const integerOps = ["add", "sub", "mul", "div", "", "rem", "", "and", "or", "xor", "shl", "shr"];

/** Of integers of 32 and 64 bits; div, rem and shr by sign. */
export function integerOp(type: ValueType, kind: MachineScalar, name: string): number | undefined {
  const at = integerOps.indexOf(name);
  if (name === "" || at < 0) return undefined;
  const signed = ["div", "rem", "shr"].includes(name) && isUnsigned(kind) ? 1 : 0;
  return (type === i32 ? 0x6a : 0x7c) + at + signed;
}

const floatBinary = ["add", "sub", "mul", "div"];
const floatUnary = ["abs", "neg", "ceil", "floor", "trunc", "round_even", "sqrt"];

export function floatOp(type: ValueType, name: string): number | undefined {
  const binary = floatBinary.indexOf(name);
  if (binary >= 0) return (type === f32 ? 0x92 : 0xa0) + binary;
  const unary = floatUnary.indexOf(name);
  return unary < 0 ? undefined : (type === f32 ? 0x8b : 0x99) + unary;
}

/** A 32-bit result brought into the range of a narrower kind. */
export function normalise(code: Code, kind: MachineScalar): void {
  if (kind === "i8") code.op(0xc0);
  else if (kind === "i16") code.op(0xc1);
  else if (kind === "u8") code.i32(0xff).op(0x71);
  else if (kind === "u16") code.i32(0xffff).op(0x71);
}

/** Loads of a kind's stored form. */
export const loadOp: Readonly<Record<string, number>> = {
  bool: 0x2d,
  i8: 0x2c,
  u8: 0x2d,
  i16: 0x2e,
  u16: 0x2f,
  f16: 0x2f,
  i32: 0x28,
  u32: 0x28,
  f32: 0x2a,
  i64: 0x29,
  u64: 0x29,
  f64: 0x2b,
};

export const storeOp: Readonly<Record<string, number>> = {
  bool: 0x3a,
  i8: 0x3a,
  u8: 0x3a,
  i16: 0x3b,
  u16: 0x3b,
  f16: 0x3b,
  i32: 0x36,
  u32: 0x36,
  f32: 0x38,
  i64: 0x37,
  u64: 0x37,
  f64: 0x39,
};

const unary = (from: ValueType, to: ValueType, locals: readonly ValueType[], code: Code): FunctionBody => ({
  type: { parameters: [from], results: [to] },
  locals,
  code,
});

/** Bits of a half as the number, which is an f32: the exponent moved by a product, which is exact. */
export const halfFromBits = (): FunctionBody => {
  const c = new Code();
  // t = (x & 0x7fff) << 13
  c.get(0).i32(0x7fff).op(0x71).i32(13).op(0x74).tee(1);
  c.i32(0x7f800000).op(0x72).op(0xbe);
  c.get(1)
    .op(0xbe)
    .f32(2 ** 112)
    .op(0x94);
  c.get(1).i32(0x0f800000).op(0x4f).op(0x1b);
  c.op(0xbc).get(0).i32(0x8000).op(0x71).i32(16).op(0x74).op(0x72).op(0xbe);
  return unary(i32, f32, [i32], c);
};

/** Bits of an f32 that is a half already; every NaN gives 0x7e00. */
export const halfBits = (): FunctionBody => {
  const c = new Code();
  c.get(0).get(0).op(0x5c).op(0x04, i32).i32(0x7e00).op(0x05);
  c.i32(0x7c00);
  c.get(0)
    .op(0x8b)
    .f32(2 ** -112)
    .op(0x94)
    .op(0xbc)
    .i32(13)
    .op(0x76);
  c.get(0).op(0x8b).f32(Infinity).op(0x5b).op(0x1b);
  c.get(0).op(0xbc).i32(16).op(0x76).i32(0x8000).op(0x71).op(0x72).op(0x0b);
  return unary(f32, i32, [], c);
};

/** An f32 rounded to a half, to nearest even: a sum with 1.5 * 2^23 quanta of the result leaves whole quanta. */
export const roundToHalf = (): FunctionBody => {
  const c = new Code();
  // 1: |x|, 2: big
  c.get(0).op(0x8b).tee(1).f32(65520).op(0x5d).op(0x45).op(0x04, f32);
  c.f32(Infinity).get(0).op(0x98).get(0).get(0).get(0).op(0x5b).op(0x1b);
  c.op(0x05);
  // exponent bits, at least those of 2^-14, then 13 binades up and the half added
  c.get(1).op(0xbc).i32(0x7f800000).op(0x71).tee(3).i32(0x38800000).get(3).i32(0x38800000).op(0x4b).op(0x1b);
  c.i32((13 << 23) | 0x400000)
    .op(0x6a)
    .op(0xbe)
    .set(2);
  c.get(1).get(2).op(0x92).get(2).op(0x93).get(0).op(0x98);
  c.op(0x0b);
  return unary(f32, f32, [f32, f32, i32], c);
};

/** A double rounded once to a half. */
export const roundDoubleToHalf = (): FunctionBody => {
  const c = new Code();
  c.get(0).op(0x99).tee(1).f64(65520).op(0x63).op(0x45).op(0x04, f32);
  c.f64(Infinity).get(0).op(0xa6).get(0).get(0).get(0).op(0x61).op(0x1b).op(0xb6);
  c.op(0x05);
  const least = BigInt(1023 - 14) << 52n;
  c.get(1).op(0xbd).i64(0x7ff0000000000000n).op(0x83).tee(3).i64(least).get(3).i64(least).op(0x56).op(0x1b);
  c.i64((42n << 52n) | (1n << 51n))
    .op(0x7c)
    .op(0xbf)
    .set(2);
  c.get(1).get(2).op(0xa0).get(2).op(0xa1).get(0).op(0xa6).op(0xb6);
  c.op(0x0b);
  return unary(f64, f32, [f64, f64, i64], c);
};

/**
 * x * y + z rounded once: the product is exact as a double, and the sum is rounded to odd (Boldo and Melquiond, 2008), so that
 * rounding it again gives what rounding once would.
 */
export const fusedMultiplyAdd = (): FunctionBody => {
  const c = new Code();
  const [p, z, s, t, e, b] = [3, 4, 5, 6, 7, 8] as const;
  c.get(0).op(0xbb).get(1).op(0xbb).op(0xa2).set(p).get(2).op(0xbb).set(z);
  c.get(p).get(z).op(0xa0).tee(s).get(p).op(0xa1).set(t);
  // e = (p - (s - t)) + (z - t)
  c.get(p).get(s).get(t).op(0xa1).op(0xa1).get(z).get(t).op(0xa1).op(0xa0).set(e);
  c.get(s).op(0xbd).set(b);
  // where something is lost and the sum is even, one unit toward what is lost; of infinities and NaN nothing is
  c.get(e).f64(0).op(0x63).get(e).f64(0).op(0x64).op(0x72);
  c.get(b).i64(1).op(0x83).op(0x50).op(0x71);
  c.get(s).op(0x99).f64(Infinity).op(0x63).op(0x71).op(0x04, 0x40);
  c.get(b).i64(1).i64(-1).get(e).f64(0).op(0x64).get(s).f64(0).op(0x64).op(0x46).op(0x1b).op(0x7c).set(b);
  c.op(0x0b);
  c.get(b).op(0xbf).op(0xb6);
  return { type: { parameters: [f32, f32, f32], results: [f32] }, locals: [f64, f64, f64, f64, f64, i64], code: c };
};

/** One bits of a mask of four words below a lane's number. */
export const maskCount = (): FunctionBody => {
  const c = new Code();
  for (let word = 0; word < 4; word++) {
    // Of this word as many bits as are below, from none to 32.
    c.get(4)
      .i32(32 * word)
      .op(0x6b)
      .tee(5)
      .i32(0)
      .get(5)
      .i32(0)
      .op(0x4a, 0x1b)
      .tee(5)
      .i32(32)
      .get(5)
      .i32(32)
      .op(0x48, 0x1b)
      .set(5);
    c.get(word).op(0xad).i64(1).get(5).op(0xad, 0x86).i64(1).op(0x7d, 0x83, 0x7b, 0xa7);
    if (word > 0) c.op(0x6a);
  }
  return { type: { parameters: [i32, i32, i32, i32, i32], results: [i32] }, locals: [i32], code: c };
};
