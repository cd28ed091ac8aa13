/** Numbers of 16 bits in four lanes, as `operations.ts` has them for one. */
import { Code, v128, type FunctionBody } from "./bytes.js";

/** Writes what leaves a vector made of the one in a local; `t` are locals of its own. */
export interface HalfVector {
  readonly name: string;
  readonly temporaries: number;
  readonly write: (c: Code, x: number, t: readonly number[]) => void;
}

const all = (c: Code, x: number): Code => c.v128([x, x, x, x]);
const f = (c: Code, x: number): Code => c.f32(x).simd(19);

export const halvesFromBits: HalfVector = {
  name: "halvesFromBits",
  temporaries: 1,
  write: (c, x, t) => {
    const at = t[0]!;
    // The sign where a single has it, the rest where the last bits of its exponent begin.
    c.get(x).i32(16).simd(171).i32(3).simd(172);
    all(c, -0x70002000).simd(78).tee(at);
    all(c, 0x77800000).simd(230);
    // What has all bits of its exponent set keeps them.
    c.get(at);
    all(c, 0x0f800000).simd(78);
    all(c, 0x0f800000).simd(55);
    all(c, 0x7f800000).simd(78).simd(80);
  },
};

/** Of numbers that are halves: their bits. */
export const bitsOfHalves: HalfVector = {
  name: "bitsOfHalves",
  temporaries: 0,
  write: (c, x) => {
    all(c, 0x7e00);
    c.get(x).simd(224);
    f(c, 2 ** -112)
      .simd(230)
      .i32(13)
      .simd(173);
    // Infinity comes out as more.
    all(c, 0x7c00).simd(183);
    c.get(x).i32(16).simd(173);
    all(c, 0x8000).simd(78).simd(80);
    c.get(x).get(x).simd(66).simd(82);
  },
};

export const roundedToHalves: HalfVector = {
  name: "roundedToHalves",
  temporaries: 2,
  write: (c, x, t) => {
    const [size, big] = [t[0]!, t[1]!];
    f(c, Infinity);
    c.get(x).simd(224).tee(size);
    // Beside so much more a half's last bit is that of a single; of subnormal numbers all have the same.
    c.get(size);
    all(c, 0x7f800000).simd(78);
    all(c, 0x38800000).simd(185);
    all(c, (13 << 23) | 0x400000)
      .simd(174)
      .tee(big)
      .simd(228)
      .get(big)
      .simd(229);
    // Infinity from 65520 on; a NaN stays one.
    c.get(size);
    f(c, 65520).simd(70).simd(82);
    c.get(x);
    all(c, -0x80000000).simd(78).simd(80);
  },
};

/** Of any numbers: the bits of the halves they are rounded to; what is above the lower 16 bits is no part of them. */
export const bitsOfRounded: HalfVector = {
  name: "bitsOfRounded",
  temporaries: 1,
  write: (c, x, t) => {
    const big = t[0]!;
    all(c, 0x7e00);
    // From 65536 on all is infinity.
    c.get(x);
    all(c, 0x7fffffff).simd(78);
    all(c, 0x47800000).simd(183).tee(big).get(big);
    // Beside so much more a half's last bit is that of a single, whose last bits then are the significand.
    all(c, 0x7f800000).simd(78);
    all(c, 0x38800000).simd(185);
    all(c, (13 << 23) | 0x400000)
      .simd(174)
      .tee(big)
      .simd(228);
    // The exponent, to which the first bit of a significand adds one.
    c.get(big).i32(13).simd(173);
    all(c, (0x38800000 >>> 13) + (13 << 10) + 0x200)
      .simd(177)
      .simd(174);
    c.get(x).i32(16).simd(173);
    all(c, 0x8000).simd(78).simd(80);
    c.get(x).get(x).simd(66).simd(82);
  },
};

/** As a function, of its parameter. */
export function halfFunction(h: HalfVector): FunctionBody {
  const code = new Code();
  const locals = Array.from({ length: h.temporaries }, () => v128 as typeof v128);
  h.write(
    code,
    0,
    locals.map((_, i) => i + 1),
  );
  return { type: { parameters: [v128], results: [v128] }, locals, code };
}
