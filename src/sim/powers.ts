/** Powers of two from 2^-300 to 2^300: further than any f32 reaches from any other, and no double is near its own limits. */
const table = Float64Array.from({ length: 601 }, (_, i) => {
  let p = 1;
  for (let n = 300; n < i; n++) p *= 2;
  for (let n = i; n < 300; n++) p /= 2;
  return p;
});

/** 2^n for an integer n; beyond the table the power at its end, which takes every f32 to zero or infinity. */
export const powerOf = (n: number): number => table[n < -300 ? 0 : n > 300 ? 600 : (n + 300) | 0]!;
