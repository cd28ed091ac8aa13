/** Numbers of 16 bits in four lanes, as `operations.ts` has them for one. */
import { Code, v128, type FunctionBody } from "./bytes.js";

const unaryVector = (locals: readonly (typeof v128)[], code: Code): FunctionBody => ({
  type: { parameters: [v128], results: [v128] },
  locals,
  code,
});

export const halvesFromBits = (): FunctionBody => {
  const c = new Code();
  const all = (x: number): Code => c.v128([x, x, x, x]);
  const f = (x: number): Code => c.f32(x).simd(19);
  c.get(0);
  all(0x7fff).simd(78).i32(13).simd(171).tee(1);
  all(0x7f800000).simd(80);
  c.get(1);
  f(2 ** 112).simd(230);
  c.get(1);
  all(0x0f800000).simd(64).simd(82);
  c.get(0);
  all(0x8000).simd(78).i32(16).simd(171).simd(80);
  return unaryVector([v128], c);
};

export const bitsOfHalves = (): FunctionBody => {
  const c = new Code();
  const all = (x: number): Code => c.v128([x, x, x, x]);
  const f = (x: number): Code => c.f32(x).simd(19);
  all(0x7e00);
  all(0x7c00);
  c.get(0).simd(224);
  f(2 ** -112)
    .simd(230)
    .i32(13)
    .simd(173);
  c.get(0).simd(224);
  f(Infinity).simd(65).simd(82);
  c.get(0).i32(16).simd(173);
  all(0x8000).simd(78).simd(80);
  c.get(0).get(0).simd(66).simd(82);
  return unaryVector([], c);
};

export const roundedToHalves = (): FunctionBody => {
  const c = new Code();
  const all = (x: number): Code => c.v128([x, x, x, x]);
  const f = (x: number): Code => c.f32(x).simd(19);
  // 1: |x|, 2: big, 3: sign
  c.get(0).simd(224).set(1);
  c.get(0);
  all(-0x80000000).simd(78).set(3);
  c.get(1);
  all(0x7f800000).simd(78);
  all(0x38800000).simd(185);
  all((13 << 23) | 0x400000)
    .simd(174)
    .set(2);
  c.get(1).get(2).simd(228).get(2).simd(229);
  // infinity from 65520 on; a NaN stays
  f(Infinity);
  c.get(1);
  f(65520).simd(67).simd(82).set(1);
  c.get(1).get(3).simd(80).get(0).get(0).get(0).simd(65).simd(82);
  return unaryVector([v128, v128, v128], c);
};
