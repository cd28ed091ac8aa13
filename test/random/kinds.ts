/** Kinds of random kernels: which dialects say them, and what is in them. */
import { twoWayDialects, type TwoWayDialect } from "../../src/dialects/ids.js";
import { COUNTERS, counterStart, LANES, WORDS, type ProgramFeatures } from "./programs.js";

export interface ProgramKind {
  readonly name: string;
  readonly dialects: readonly TwoWayDialect[];
  readonly features: ProgramFeatures;
}
const words = ["ushort", "short", "ulong", "long"] as const;
const bytes = ["uchar", "char"] as const;

export const kinds: readonly ProgramKind[] = [
  {
    name: "what C has",
    dialects: twoWayDialects,
    features: { barriers: true, lazyEffects: true, fallThrough: true },
  },
  { name: "cross-lane ops", dialects: twoWayDialects, features: { barriers: true, waves: true, lazyEffects: true } },
  {
    name: "effects in order",
    dialects: ["glsl", "hlsl"],
    features: { barriers: true, manyEffects: true, globals: true, components: true, inoutComponents: true },
  },
  {
    name: "integers of 16 and 64 bits",
    dialects: twoWayDialects,
    features: { barriers: true, lazyEffects: true, sizes: words },
  },
  {
    name: "integers of 8 bits",
    dialects: ["msl", "glsl", "opencl"],
    features: { barriers: true, lazyEffects: true, fallThrough: true, sizes: [...bytes, ...words] },
  },
  {
    name: "atomics",
    dialects: twoWayDialects,
    features: { barriers: true, atomics: true, lazyEffects: true, fallThrough: true },
  },
  {
    name: "atomics and cross-lane ops",
    dialects: twoWayDialects,
    features: { barriers: true, atomics: true, waves: true, lazyEffects: true },
  },
  {
    name: "pointers",
    dialects: ["msl", "opencl"],
    features: { barriers: true, pointers: true, atomics: true, lazyEffects: true, fallThrough: true, sizes: bytes },
  },
];

export const launch = { workgroups: [2], workgroupSize: [LANES] } as const;

/** What a kernel of these features is called with; `src` has 64 words of all sizes. */
export const argumentsOf = ({ atomics }: ProgramFeatures): Readonly<Record<string, Uint32Array>> => ({
  src: Uint32Array.from({ length: 64 }, (_, i) => Math.imul(i * 7 + 1, 0x9e3779b1) >>> (i % 29)),
  dst: new Uint32Array(2 * LANES * WORDS),
  ...(atomics ? { acc: Uint32Array.from({ length: COUNTERS }, (_, i) => counterStart[i]!) } : {}),
});

/** Where effects meet HLSL means something else than GLSL (docs/hlsl-order.md); test/fuzz/order.ts asks DXC. */
export const hasOwnOrder = (from: TwoWayDialect, { manyEffects = false }: ProgramFeatures): boolean =>
  from === "hlsl" && manyEffects;
