/** How languages print their types. */
import { bitWidth, isFloat, scalarOf, type Numeric, type ScalarKind, type Type } from "../types/types.js";
import type { PrintWriting } from "./language.js";

const vectorOf = (type: Numeric): string => (type.kind === "vector" ? `v${type.size}` : "");

const lengthOf: Readonly<Record<number, string>> = { 8: "hh", 16: "h", 32: "hl", 64: "l" };

/** What a conversion takes, but for text. */
const isNumeric = (type: Type): type is Numeric => type.kind === "scalar" || type.kind === "vector";

/**
 * OpenCL C 3.0 6.15.14.2: of vectors the length says how wide components are, of scalars what is not as wide as an int. Text lies in
 * constant memory.
 */
export const printArgument: PrintWriting["argument"] = (letter, type) => {
  if (!isNumeric(type)) return type.kind === "pointer" && type.space === "constant" ? { more: "" } : undefined;
  const kind = scalarOf(type)!;
  if (type.kind === "vector") return { more: vectorOf(type) + lengthOf[bitWidth(kind)]! };
  return { more: isFloat(kind) || letter === "c" || bitWidth(kind) === 32 ? "" : lengthOf[bitWidth(kind)]! };
};

/** MSL 3.2, `os_log`: the same of what MSL has. */
export const logArgument: PrintWriting["argument"] = (letter, type) =>
  !isNumeric(type) || (type.kind === "vector" && type.size > 4) ? undefined : printArgument(letter, type);

/** GLSL_EXT_debug_printf, as the Vulkan validation layers read it (debug_printf.md): numbers of 32 bits, and unsigned ones of 64. */
export const debugPrintArgument: PrintWriting["argument"] = (letter, type) => {
  if (letter === "c" || !isNumeric(type) || (type.kind === "vector" && type.size > 4)) return undefined;
  const kind = scalarOf(type)!;
  if (bitWidth(kind) === 64) return kind === "u64" && /[uxX]/.test(letter) ? { more: `${vectorOf(type)}l` } : undefined;
  const wide: ScalarKind = isFloat(kind) ? "f32" : kind.startsWith("u") ? "u32" : "i32";
  return { more: vectorOf(type), ...(wide === kind ? {} : { as: wide }) };
};
