/**
 * Feature expressions: atoms and version bounds, and-ed by blanks, or-ed by `|` (which binds weaker), `!` negates one atom.
 * Atoms are `dialect.feature`: `glsl.KHR_shader_subgroup_ballot`, `cl.khr_fp16`, `hlsl.native16`, `msl.simd_vote`; bounds
 * are `msl>=2.1`, `sm>=6.5`, `cl>=2.0`, `vulkan>=1.2`.
 */
import type { Dialect } from "../dialects/ids.js";
import type { OptionalScalar } from "../dialects/language.js";
import { languageFacts } from "../dialects/languages.js";
import { bitWidth, scalarOf, type ScalarKind, type Type } from "../types/types.js";
import type { FeatureExpression } from "./row.js";

/** The first alternative that holds, as its atoms; undefined where none does. */
export function satisfied(
  expression: FeatureExpression | undefined,
  has: (atom: string) => boolean,
): readonly string[] | undefined {
  if (expression === undefined || expression.trim() === "") return [];
  for (const alternative of expression.split("|")) {
    const atoms = alternative.trim().split(/\s+/);
    if (atoms.every(has)) return atoms;
  }
  return undefined;
}

/** Needs that no version meets, with the reason. */
export const typeRefusals: Readonly<Record<FeatureExpression, string>> = {
  "msl.no_double": "MSL has no double precision",
  "hlsl.no8bit": "HLSL has no 8-bit types",
};

/** What a dialect needs to have a type at all. */
export function typeNeeds(dialect: Dialect, type: Type): FeatureExpression {
  const kind =
    scalarOf(type) ??
    (type.kind === "array" ? scalarOf(type.element) : type.kind === "pointer" ? scalarOf(type.pointee) : undefined);
  return kind === undefined ? "" : (languageFacts[dialect].scalars[optional(kind)] ?? "");
}

/** Signs do not matter, nor do kinds that every language has. */
const optional = (kind: ScalarKind): OptionalScalar => kind.replace(/^u/, "i") as OptionalScalar;

/** What a dialect needs to have a scalar in a buffer, beside the type itself. */
export function storageNeeds(dialect: Dialect, kind: ScalarKind): FeatureExpression {
  if (dialect !== "glsl" || kind === "bool") return "";
  const bits = bitWidth(kind);
  return bits === 8 || bits === 16 ? `glsl.EXT_shader_${bits}bit_storage` : "";
}

/** Subgroup operations on these types need one extension more in GLSL and OpenCL. */
export function subgroupTypeNeeds(dialect: Dialect, type: Type): FeatureExpression {
  const kind = scalarOf(type);
  if (dialect === "glsl") {
    if (kind === "f16") return "glsl.EXT_shader_subgroup_extended_types_float16";
    if (kind === "i16" || kind === "u16") return "glsl.EXT_shader_subgroup_extended_types_int16";
    if (kind === "i8" || kind === "u8") return "glsl.EXT_shader_subgroup_extended_types_int8";
    if (kind === "i64" || kind === "u64") return "glsl.EXT_shader_subgroup_extended_types_int64";
  }
  if (dialect === "opencl" && (kind === "i16" || kind === "u16" || kind === "i8" || kind === "u8"))
    return "cl.khr_subgroup_extended_types";
  return "";
}

/** The line that turns a feature on in the text, where there is one. */
export function enablingLine(dialect: Dialect, atom: string): string | undefined {
  if (dialect === "glsl") {
    const name = atom.match(/^glsl\.((?:KHR|EXT|NV|ARB)_\w+)$/)?.[1];
    return name === undefined ? undefined : `#extension GL_${name} : require`;
  }
  if (dialect === "opencl") {
    if (atom === "cl.subgroups") return "#pragma OPENCL EXTENSION cl_khr_subgroups : enable";
    const name = atom.match(/^cl\.(khr_\w+)$/)?.[1];
    return name === undefined ? undefined : `#pragma OPENCL EXTENSION cl_${name} : enable`;
  }
  return undefined;
}

/** Lines that turn features on in the text: GLSL `#extension`, OpenCL pragmas. */
export function enablingLines(dialect: Dialect, atoms: Iterable<string>): string[] {
  return [...new Set([...atoms].flatMap((a) => enablingLine(dialect, a) ?? []))].sort();
}

/** What a dialect needs to say of a buffer that other workgroups see what is written to it; without it atomics alone reach them. */
export const coherentNeeds = (dialect: Dialect): FeatureExpression => (dialect === "msl" ? "msl>=3.2" : "");
