/** Types of MSL: specification 2. */
import { own } from "../../support/own.js";
import { matrix, scalar, type ScalarKind, shaped, type Type, u32, u64, vector, voidType } from "../../types/types.js";
import {
  cKinds,
  cLike,
  cScalarNames,
  differenceType,
  exactWidth,
  isCount,
  sizeType,
  type TypeNameResult,
  type TypeNames,
} from "../type-names.js";
import { cppTraits } from "../traits.js";

/** By the names of their scalars: `bfloat` (3.1 section 2.1) is a name of no other language here. */
const kinds: Readonly<Record<string, ScalarKind>> = { ...cKinds, bfloat: "bf16" };

const mslAtomics: Readonly<Record<string, ScalarKind>> = {
  atomic_int: "i32",
  atomic_uint: "u32",
  atomic_bool: "bool",
  atomic_float: "f32",
  atomic_ulong: "u64",
  atomic_long: "i64",
};

/**
 * Host and shader share structs by <simd/simd.h>, whose `simd_float4`, `vector_float4`, `simd_float4x4` and `matrix_float4x4` are the
 * types of MSL in a shader.
 */
function mslType(name: string): TypeNameResult {
  if (name === "double" || /^double[234]$/.test(name)) return { refused: "MSL has no double" };
  if (name === "size_t" || name === "uintptr_t") return { type: sizeType };
  if (name === "ptrdiff_t" || name === "intptr_t") return { type: differenceType };
  // Of `nullptr`, which is a null pointer to nothing in particular.
  if (name === "nullptr_t") return { type: { kind: "pointer", pointee: voidType, space: "private" } };
  const kind = own(kinds, name) ?? own(exactWidth, name) ?? own(mslAtomics, name);
  if (kind) return { type: scalar(kind) };
  // Metal has no vectors of 8 and 16: those are names like any other.
  const v =
    /^(packed_|vector_|simd_)?(bool|char|uchar|short|ushort|int|uint|long|ulong|half|bfloat|float)([234])$/.exec(name);
  if (v) {
    const [, prefix, element, size] = v;
    return { type: vector(kinds[element!]!, Number(size) as 2 | 3 | 4, prefix === "packed_") };
  }
  const m = /^(?:matrix_|simd_)?(half|float)([234])x([234])$/.exec(name);
  if (m) return { type: matrix(cKinds[m[1]!]!, Number(m[2]) as 2 | 3 | 4, Number(m[3]) as 2 | 3 | 4) };
  if (
    /^(texture|depth|sampler|simdgroup_event|imageblock|intersection|acceleration|visible_function|render_|compute_|command_|array)/.test(
      name,
    )
  ) {
    return { notYet: `type '${name}' is` };
  }
  return undefined;
}

/** Votes are integers of their lanes (MSL 3.1 6.9.2): 64 of a SIMD-group, 32 of a quad. */
const votes: Readonly<Record<string, Type>> = { simd_vote: u64, quad_vote: u32 };

/** `vec<T, N>`, `packed_vec<T, N>`, `matrix<T, C, R>`, `atomic<T>` and what the library has it from, `_atomic<T>`. */
function mslTemplate(name: string, [of, ...counts]: readonly (Type | number | undefined)[]): TypeNameResult {
  const kind = typeof of === "object" && of.kind === "scalar" ? of.scalar : undefined;
  if ((name === "atomic" || name === "_atomic") && kind && counts.length === 0) return { type: scalar(kind) };
  if (name === "vec" && kind && isCount(counts[0], 2)) return { type: shaped(kind, counts[0]) };
  if (name === "packed_vec" && kind && isCount(counts[0], 2)) {
    return { type: { kind: "vector", scalar: kind, size: counts[0] as 2 | 3 | 4, packed: true } };
  }
  if (name === "matrix" && kind && isCount(counts[0], 2) && isCount(counts[1], 2)) {
    return { type: matrix(kind, counts[0] as 2 | 3 | 4, counts[1] as 2 | 3 | 4) };
  }
  // The same value in all invocations, which the types of the others cannot say (MSL 2.21).
  if (name === "uniform" && typeof of === "object" && counts.length === 0) return { type: of };
  // Those there are have declarations of their own.
  if (name === "simdgroup_matrix")
    return { refused: "a simdgroup_matrix has 8 columns and 8 rows of half, bfloat or float" };
  return { notYet: `type '${name}<...>' is` };
}

/** How texts spell them. */
export const scalarNames = cScalarNames;
const spelled = cLike(scalarNames);

export const spaces = { global: "device", workgroup: "threadgroup", private: "thread", constant: "constant" };

export const types: TypeNames = {
  spelled: (type) => (type.kind === "vector" && type.packed ? `packed_${spelled(type)}` : spelled(type)),
  spaces,
  named: (name, scope) => {
    const vote = scope.length === 0 ? own(votes, name) : name === "vote_t" ? own(votes, scope.join("::")) : undefined;
    if (vote) return { type: vote };
    return scope.length === 0 || scope.join() === "simd" ? mslType(name) : undefined;
  },
  template: mslTemplate,
  traits: cppTraits,
};
