/** What the dialects say about integer arithmetic at its edges (data.md section 9). */
import type { Dialect } from "./ids.js";

export interface ArithmeticFacts {
  /** `+ - *` and negation of 32-bit signed integers beyond the range. MSL as C++14, OpenCL C as C99. */
  readonly signedOverflow: "wraps" | "undefined";
  /** Counts of a shift at or beyond the width: OpenCL C 6.3 and DXC take them modulo the width. */
  readonly shiftCount: "modulo" | "undefined";
  /** `<<` of negative numbers, or into the sign: C++14 5.8 leaves it open. */
  readonly signedShiftLeft: "bits" | "undefined";
  /** `%` of signed integers where an operand is negative: GLSL 4.60 section 5.9. */
  readonly negativeRemainder: "truncates" | "undefined";
  /** Unsigned `/` and `%` of 32 bits by zero: all ones in Direct3D (udiv). Of other widths, and signed, no dialect has a result. */
  readonly unsignedDivisionByZero: "ones" | "undefined";
}

export const arithmeticFacts: Readonly<Record<Dialect, ArithmeticFacts>> = {
  msl: {
    signedOverflow: "undefined",
    shiftCount: "undefined",
    signedShiftLeft: "undefined",
    negativeRemainder: "truncates",
    unsignedDivisionByZero: "undefined",
  },
  glsl: {
    signedOverflow: "wraps",
    shiftCount: "undefined",
    signedShiftLeft: "bits",
    negativeRemainder: "undefined",
    unsignedDivisionByZero: "undefined",
  },
  opencl: {
    signedOverflow: "undefined",
    shiftCount: "modulo",
    signedShiftLeft: "bits",
    negativeRemainder: "truncates",
    unsignedDivisionByZero: "undefined",
  },
  hlsl: {
    signedOverflow: "wraps",
    shiftCount: "modulo",
    signedShiftLeft: "bits",
    negativeRemainder: "truncates",
    unsignedDivisionByZero: "ones",
  },
};
