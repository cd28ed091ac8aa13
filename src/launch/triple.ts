/** Sizes along three axes. */
export type Triple = readonly [number, number, number];

export const triple = (sizes: readonly number[], missing: number): Triple => [
  sizes[0] ?? missing,
  sizes[1] ?? missing,
  sizes[2] ?? missing,
];
