/** Single values and how they lie in memory. */
import { bf16Bits, bf16FromBits, f16Bits } from "../types/numeric.js";
import type { ScalarKind } from "../types/types.js";
import { halves } from "./tables.js";

export type Scalar = number | bigint | boolean;
export type Column =
  | Int8Array
  | Uint8Array
  | Int16Array
  | Uint16Array
  | Int32Array
  | Uint32Array
  | Float32Array
  | Float64Array
  | BigInt64Array
  | BigUint64Array;

export function readScalar(data: DataView, at: number, kind: ScalarKind): Scalar {
  switch (kind) {
    case "bool":
      return data.getUint8(at) !== 0;
    case "i8":
      return data.getInt8(at);
    case "u8":
      return data.getUint8(at);
    case "i16":
      return data.getInt16(at, true);
    case "u16":
      return data.getUint16(at, true);
    case "i32":
      return data.getInt32(at, true);
    case "u32":
      return data.getUint32(at, true);
    case "i64":
      return data.getBigInt64(at, true);
    case "u64":
      return data.getBigUint64(at, true);
    case "f16":
      return halves[data.getUint16(at, true)]!;
    case "bf16":
      return bf16FromBits(data.getUint16(at, true));
    case "f32":
      return data.getFloat32(at, true);
    case "f64":
      return data.getFloat64(at, true);
  }
}

export function writeScalar(data: DataView, at: number, kind: ScalarKind, value: Scalar): void {
  const number = (): number => Number(value);
  switch (kind) {
    case "bool":
    case "u8":
      return data.setUint8(at, number());
    case "i8":
      return data.setInt8(at, number());
    case "i16":
      return data.setInt16(at, number(), true);
    case "u16":
      return data.setUint16(at, number(), true);
    case "i32":
      return data.setInt32(at, number(), true);
    case "u32":
      return data.setUint32(at, number(), true);
    case "i64":
      return data.setBigInt64(at, BigInt(value), true);
    case "u64":
      return data.setBigUint64(at, BigInt(value), true);
    case "f16":
      return data.setUint16(at, f16Bits(number()), true);
    case "bf16":
      return data.setUint16(at, bf16Bits(number()), true);
    case "f32":
      // A NaN as a number has one pattern; which bits `setFloat32` would write is left to the engine.
      return value === value ? data.setFloat32(at, number(), true) : data.setUint32(at, 0x7fc00000, true);
    case "f64":
      return value === value ? data.setFloat64(at, number(), true) : data.setBigUint64(at, 0x7ff8000000000000n, true);
  }
}

/** As a number, whatever it is. */
export function bitsAt(data: DataView, at: number, size: number): number | bigint {
  if (size === 8) return data.getBigUint64(at, true);
  return size === 4 ? data.getUint32(at, true) : size === 2 ? data.getUint16(at, true) : data.getUint8(at);
}
