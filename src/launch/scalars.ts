import { bf16Bits, bf16FromBits, roundBF16 } from "../types/numeric.js";
import { bitWidth, type ScalarKind } from "../types/types.js";

/** A number of a launch file: a value, or the bits of one (`"0x7fc00000"`). */
export type LaunchNumber = number | bigint | boolean | { readonly bits: bigint };

/** Bytes a scalar takes in host memory. A host `bool` is one byte, as C has it. */
export function scalarBytes(kind: ScalarKind): number {
  return kind === "bool" ? 1 : bitWidth(kind) / 8;
}

/** Nearest f16 of a double, ties to even, as bits; NaN is 0x7e00. */
export function halfBits(value: number): number {
  if (Number.isNaN(value)) return 0x7e00;
  const sign = value < 0 || Object.is(value, -0) ? 0x8000 : 0;
  const magnitude = Math.abs(value);
  if (magnitude >= 65520) return sign | 0x7c00;
  // The step between neighbours: 2^-24 below 2^-14, else 2^(exponent - 10). Scaling by a power of two is exact.
  let exponent = magnitude === 0 ? -14 : Math.max(-14, Math.floor(Math.log2(magnitude)));
  if (magnitude !== 0 && exponent > -14 && magnitude < 2 ** exponent) exponent--;
  if (magnitude >= 2 ** (exponent + 1)) exponent++;
  const scaled = magnitude / 2 ** (exponent - 10);
  let whole = Math.floor(scaled);
  const rest = scaled - whole;
  if (rest > 0.5 || (rest === 0.5 && whole % 2 === 1)) whole++;
  // `whole` carries its leading bit where the number is normal, so that a carry moves into the exponent by itself.
  return sign | (whole + (exponent + 14) * 1024);
}

/** The value of f16 bits. */
export function halfValue(bits: number): number {
  const sign = bits & 0x8000 ? -1 : 1;
  const exponent = (bits >> 10) & 31;
  const fraction = bits & 1023;
  if (exponent === 31) return fraction === 0 ? sign * Infinity : NaN;
  return exponent === 0 ? sign * fraction * 2 ** -24 : sign * (1024 + fraction) * 2 ** (exponent - 25);
}

/**
 * Writes one scalar, little-endian. Floats are rounded to their type once. Returns why the number cannot be one of that
 * type: a fraction for an integer, or a value out of its range.
 */
export function writeScalar(view: DataView, offset: number, kind: ScalarKind, value: LaunchNumber): string | undefined {
  if (typeof value === "object") return writeBits(view, offset, kind, value.bits);
  if (kind === "bool") {
    if (typeof value !== "boolean" && value !== 0 && value !== 1) return "a bool is true, false, 0 or 1";
    view.setUint8(offset, Number(value));
    return undefined;
  }
  if (typeof value === "boolean") return `a ${kind} is written as a number`;
  if (kind === "f16") view.setUint16(offset, halfBits(Number(value)), true);
  else if (kind === "bf16") view.setUint16(offset, bf16Bits(roundBF16(Number(value))), true);
  else if (kind === "f32") view.setFloat32(offset, Number(value), true);
  else if (kind === "f64") view.setFloat64(offset, Number(value), true);
  else {
    if (typeof value === "number" && !Number.isInteger(value)) return `${value} is no integer`;
    const bits = scalarBytes(kind) * 8;
    const whole = BigInt(value);
    const low = kind[0] === "i" ? -(1n << BigInt(bits - 1)) : 0n;
    const high = kind[0] === "i" ? (1n << BigInt(bits - 1)) - 1n : (1n << BigInt(bits)) - 1n;
    if (whole < low || whole > high) return `${value} is not in the range of ${kind}`;
    return writeBits(view, offset, kind, BigInt.asUintN(bits, whole));
  }
  return undefined;
}

/** Writes the low bits of `bits`; too many of them are an error. */
export function writeBits(view: DataView, offset: number, kind: ScalarKind, bits: bigint): string | undefined {
  const bytes = scalarBytes(kind);
  if (bits < 0n || bits >= 1n << BigInt(bytes * 8))
    return `0x${bits.toString(16)} has more than the ${bytes * 8} bits of ${kind}`;
  if (bytes === 1) view.setUint8(offset, Number(bits));
  else if (bytes === 2) view.setUint16(offset, Number(bits), true);
  else if (bytes === 4) view.setUint32(offset, Number(bits), true);
  else view.setBigUint64(offset, bits, true);
  return undefined;
}

/** Reads one scalar, little-endian; 64-bit integers as bigint. */
export function readScalar(view: DataView, offset: number, kind: ScalarKind): number | bigint {
  switch (kind) {
    case "bool":
    case "u8":
      return view.getUint8(offset);
    case "i8":
      return view.getInt8(offset);
    case "u16":
      return view.getUint16(offset, true);
    case "i16":
      return view.getInt16(offset, true);
    case "u32":
      return view.getUint32(offset, true);
    case "i32":
      return view.getInt32(offset, true);
    case "u64":
      return view.getBigUint64(offset, true);
    case "i64":
      return view.getBigInt64(offset, true);
    case "f16":
      return halfValue(view.getUint16(offset, true));
    case "bf16":
      return bf16FromBits(view.getUint16(offset, true));
    case "f32":
      return view.getFloat32(offset, true);
    case "f64":
      return view.getFloat64(offset, true);
  }
}

/** The bits of one scalar. */
export function readBits(view: DataView, offset: number, kind: ScalarKind): bigint {
  const bytes = scalarBytes(kind);
  if (bytes === 1) return BigInt(view.getUint8(offset));
  if (bytes === 2) return BigInt(view.getUint16(offset, true));
  if (bytes === 4) return BigInt(view.getUint32(offset, true));
  return view.getBigUint64(offset, true);
}

/** For messages: the value, and its bits. */
export function showScalar(view: DataView, offset: number, kind: ScalarKind): { value: string; hex: string } {
  const value = readScalar(view, offset, kind);
  const hex = `0x${readBits(view, offset, kind)
    .toString(16)
    .padStart(scalarBytes(kind) * 2, "0")}`;
  return { value: Object.is(value, -0) ? "-0" : String(value), hex };
}
