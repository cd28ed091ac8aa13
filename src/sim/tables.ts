/** Values of all 65536 f16 bit patterns. */
import { f16FromBits } from "../types/numeric.js";

export const halves: Float32Array = Float32Array.from({ length: 65536 }, (_, bits) => f16FromBits(bits));
