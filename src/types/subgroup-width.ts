/** Widths there are: powers of two up to what WGSL, HLSL and CUDA devices have. */
export const subgroupWidths: readonly number[] = [1, 2, 4, 8, 16, 32, 64, 128];

export const isSubgroupWidth = (lanes: number): boolean => subgroupWidths.includes(lanes);

/** What `[WaveSize]` of HLSL takes at least. */
export const leastWaveSize = 4;
