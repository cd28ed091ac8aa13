/**
 * bf16 (MSL's `bfloat`) of targets that lack it: u16 that hold its bits, at the same offsets, and arithmetic in f32, whose upper
 * half it is. Two rounds: operators become those of f32 between conversions, while types are as they were; then types become
 * those of the bits, and what still converts is a call of a helper (bfloat-conversions.ts). An operation of f32 rounded to bf16
 * gives what one rounding of the exact result gives: 24 bits are more than 2 * 8 + 2.
 */
import { isOwnText } from "../../ast/lookup.js";
import { decideType } from "../../caps/decide.js";
import { scalar } from "../../types/types.js";
import type { Pass } from "../pass.js";
import { mentionsBfloat } from "./mentions-bfloat.js";
import { asBits, throughFloats, apart, folded } from "./bfloat-bits.js";

export const bfloats: Pass = {
  name: "bfloats",
  run(module, context) {
    const { target, profile } = context;
    if (isOwnText(module, target) || !mentionsBfloat(module)) return module;
    if (target !== "ts" && !("refused" in decideType(scalar("bf16"), target, profile))) return module;
    context.note("emulated", "bfloat", "bfloat values are the upper halves of floats, kept as 16-bit integers");
    return asBits(throughFloats(apart(folded(module)), context));
  },
};
