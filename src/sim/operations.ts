/** Machine ops on masks of lanes, up to 128 of them in four words. */
import { u32_popcount } from "./integer-functions.js";

/** Bits from..to-1 of a mask, word w. */
function word(from: number, to: number, w: number): number {
  const low = Math.max(from - 32 * w, 0);
  const high = Math.min(to - 32 * w, 32);
  if (high <= low) return 0;
  const ones = high - low === 32 ? 0xffffffff : (1 << (high - low)) - 1;
  return (ones << low) >>> 0;
}

export const u32_mask_eq = (lane: number, _size: number, w: number): number => word(lane, lane + 1, w);
export const u32_mask_ge = (lane: number, size: number, w: number): number => word(lane, size, w);
export const u32_mask_gt = (lane: number, size: number, w: number): number => word(lane + 1, size, w);
export const u32_mask_le = (lane: number, _size: number, w: number): number => word(0, lane + 1, w);
export const u32_mask_lt = (lane: number, _size: number, w: number): number => word(0, lane, w);

export const bool_mask_bit = (x: number, y: number, z: number, w: number, i: number): boolean =>
  (((i < 32 ? x : i < 64 ? y : i < 96 ? z : w) >>> (i & 31)) & 1) === 1;

/** One bits below a lane number. */
export const u32_mask_count = (x: number, y: number, z: number, w: number, below: number): number =>
  below < 32 ? u32_popcount((x & ((1 << below) - 1)) >>> 0) : wordsBelow(x, y, z, w, below);

const wordsBelow = (x: number, y: number, z: number, w: number, below: number): number =>
  u32_popcount((x & word(0, below, 0)) >>> 0) +
  u32_popcount((y & word(0, below, 1)) >>> 0) +
  u32_popcount((z & word(0, below, 2)) >>> 0) +
  u32_popcount((w & word(0, below, 3)) >>> 0);
