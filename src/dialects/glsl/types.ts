/** Types of GLSL: 4.60 section 4.1, and GL_EXT_shader_explicit_arithmetic_types. */
import { own } from "../../support/own.js";
import { counterType, matrix, scalar, type ScalarKind } from "../../types/types.js";
import {
  exactScalarNames,
  exactWidth,
  type TypeNameResult,
  type TypeNames,
  unscoped,
  vectorOf,
} from "../type-names.js";

/** OpenGL's counters, and what they are as members of a buffer (src/frontend/atomic-counters.ts), which no source can name. */
export const counters = { written: "atomic_uint", member: "$atomic_uint" };

/** Before `vec4` and `mat4`. */
const vectorPrefixes: Readonly<Record<ScalarKind, string>> = {
  bool: "b",
  i8: "i8",
  u8: "u8",
  i16: "i16",
  u16: "u16",
  i32: "i",
  u32: "u",
  i64: "i64",
  u64: "u64",
  f16: "f16",
  bf16: "bf16",
  f32: "",
  f64: "d",
};
const glslPrefixes: Readonly<Record<string, ScalarKind>> = {
  ...Object.fromEntries(Object.entries(vectorPrefixes).map(([kind, prefix]) => [prefix, kind as ScalarKind])),
  f32: "f32",
  f64: "f64",
  i32: "i32",
  u32: "u32",
};
const glslScalars: Readonly<Record<string, ScalarKind>> = {
  bool: "bool",
  int: "i32",
  uint: "u32",
  float: "f32",
  double: "f64",
  float16_t: "f16",
  float32_t: "f32",
  float64_t: "f64",
  bfloat16_t: "bf16",
  ...exactWidth,
};

function glslType(name: string): TypeNameResult {
  const kind = own(glslScalars, name);
  if (kind) return { type: scalar(kind) };
  const v = /^(|i|u|b|d|bf16|f16|f32|f64|[iu](?:8|16|32|64))vec([234])$/.exec(name);
  if (v) return vectorOf(glslPrefixes[v[1]!]!, v[2]!);
  const m = /^(|d|f16|f32|f64)mat([234])(?:x([234]))?$/.exec(name);
  if (m)
    return {
      type: matrix(glslPrefixes[m[1]!]!, Number(m[2]) as 2 | 3 | 4, Number(m[3] ?? m[2]) as 2 | 3 | 4),
    };
  if (name === counters.member) return { type: counterType };
  if (/^[iu]?(sampler|image|texture|subpassInput)|^atomic_uint$|^accelerationStructure|^coopmat/.test(name)) {
    return { notYet: `type '${name}' is` };
  }
  return undefined;
}

/** How texts spell them. */
export const scalarNames = { ...exactScalarNames, bf16: "bfloat16_t" };

export const types: TypeNames = {
  named: unscoped(glslType),
  spelled(type) {
    if (type.kind === "scalar") return scalarNames[type.scalar];
    const prefix = vectorPrefixes[type.scalar];
    if (type.kind === "vector") return `${prefix}vec${type.size}`;
    return `${prefix}mat${type.columns}${type.columns === type.rows ? "" : `x${type.rows}`}`;
  },
};
