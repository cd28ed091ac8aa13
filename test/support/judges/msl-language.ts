/** Names the Metal language knows, as far as kernels go. */

const scalars = ["bool", "char", "uchar", "short", "ushort", "int", "uint", "long", "ulong", "half", "bfloat", "float"];
const sizes = [2, 3, 4];

export const vectorTypes = scalars.flatMap((scalar) => sizes.map((n) => `${scalar}${n}`));

/** The names <simd/simd.h> has for them. */
export const sharedVectorTypes = vectorTypes
  .filter((name) => !name.startsWith("bool") && !name.startsWith("bfloat"))
  .flatMap((name) => [`vector_${name}`, `simd_${name}`]);

const matrices = ["half", "float"].flatMap((t) => sizes.flatMap((c) => sizes.map((r) => `${t}${c}x${r}`)));

export const atomicTypes = ["atomic_int", "atomic_uint", "atomic_bool", "atomic_float", "atomic_ulong"];

export const builtinTypes: ReadonlySet<string> = new Set([
  ...scalars,
  ...vectorTypes,
  ...vectorTypes.filter((name) => !name.startsWith("bool")).map((name) => `packed_${name}`),
  ...sharedVectorTypes,
  ...matrices.flatMap((name) => [name, `matrix_${name}`, `simd_${name}`]),
  ...atomicTypes,
  ...["int8_t", "uint8_t", "int16_t", "uint16_t", "int32_t", "uint32_t", "int64_t", "uint64_t", "size_t", "ptrdiff_t"],
  ...["void", "auto", "signed", "unsigned", "simd_vote", "quad_vote", "vote_t", "mem_flags"],
]);

export const typeQualifiers: ReadonlySet<string> = new Set(["const", "volatile", "restrict", "__restrict"]);

export const addressSpaces: ReadonlySet<string> = new Set(["device", "constant", "threadgroup", "thread"]);

/** Templates of the library: what opens an angle bracket rather than a comparison. */
export const builtinTemplates: readonly string[] = [
  "as_type",
  "static_cast",
  "reinterpret_cast",
  "const_cast",
  "vec",
  "matrix",
  "array",
  "atomic",
  "numeric_limits",
  "simdgroup_matrix",
  "make_filled_simdgroup_matrix",
];

export const headers: ReadonlySet<string> = new Set([
  "metal_stdlib",
  ...["atomic", "array", "common", "compute", "geometric", "integer", "limits", "math", "matrix", "pack"].map(
    (h) => `metal_${h}`,
  ),
  ...["logging", "quadgroup", "relational", "simdgroup", "types", "type_traits"].map((h) => `metal_${h}`),
  "simd/simd.h",
]);

const sizeOrPosition = ["ushort", "ushort2", "ushort3", "uint", "uint2", "uint3"];
const index = ["ushort", "uint"];

/** Attributes of a kernel's value parameters, with the types the specification allows (5.2.3.6). */
export const inputAttributes: Readonly<Record<string, readonly string[]>> = {
  thread_position_in_grid: sizeOrPosition,
  thread_position_in_threadgroup: sizeOrPosition,
  threadgroup_position_in_grid: sizeOrPosition,
  threadgroups_per_grid: sizeOrPosition,
  threads_per_grid: sizeOrPosition,
  threads_per_threadgroup: sizeOrPosition,
  dispatch_threads_per_threadgroup: sizeOrPosition,
  grid_origin: sizeOrPosition,
  grid_size: sizeOrPosition,
  thread_index_in_threadgroup: index,
  thread_index_in_simdgroup: index,
  thread_index_in_quadgroup: index,
  simdgroup_index_in_threadgroup: index,
  quadgroup_index_in_threadgroup: index,
  simdgroups_per_threadgroup: index,
  quadgroups_per_threadgroup: index,
  dispatch_simdgroups_per_threadgroup: index,
  dispatch_quadgroups_per_threadgroup: index,
  threads_per_simdgroup: index,
  thread_execution_width: index,
};

/** Those whose numbers of components have to agree within a kernel. */
export const gridAttributes: ReadonlySet<string> = new Set(
  Object.keys(inputAttributes).filter((name) => inputAttributes[name] === sizeOrPosition && !name.startsWith("grid_")),
);

/** Attributes of C++17, and `clang::...`, that stay in the text. */
export const standardAttributes: ReadonlySet<string> = new Set(["maybe_unused", "nodiscard", "fallthrough", "clang"]);

/** Words that Metal does not have, with the reason. */
export const refusedWords: ReadonlyMap<string, string> = new Map([
  ["double", "Metal has no double"],
  ["goto", "Metal has no goto"],
  ["new", "Metal has no dynamic allocation"],
  ["delete", "Metal has no dynamic allocation"],
  ["throw", "Metal has no exceptions"],
  ["try", "Metal has no exceptions"],
  ["catch", "Metal has no exceptions"],
  ["dynamic_cast", "Metal has no run-time types"],
  ["typeid", "Metal has no run-time types"],
  ["virtual", "Metal has no virtual functions"],
  ["thread_local", "Metal has no thread_local"],
  ["noexcept", "Metal has no exceptions"],
  ["asm", "Metal has no asm"],
  ["register", "register is gone"],
  ["wchar_t", "Metal has no wchar_t"],
  ["char16_t", "Metal has no char16_t"],
  ["char32_t", "Metal has no char32_t"],
  ["vertex", "only kernels are checked"],
  ["fragment", "only kernels are checked"],
]);

/**
 * Words that the OpenCL C++ compiler beneath the shim knows and Metal does not: plain identifiers in Metal, so they
 * are renamed, and are undeclared names unless the text declares them.
 */
export const foreignWords = new RegExp(
  [
    "^(?:",
    "global|local|private|generic|read_only|write_only|read_write|pipe|complex|imaginary|addrspace_cast|vec_step|",
    "sampler_t|event_t|clk_event_t|queue_t|reserve_id_t|ndrange_t|image\\w+_t|",
    "atomic_(?:long|double|half|flag|size_t|ptrdiff_t|intptr_t|uintptr_t)|",
    "intptr_t|uintptr_t|cl_\\w+|CL_\\w+|to_global|to_local|to_private|enqueue_kernel|get_kernel_\\w+|\\w+_pipe|",
    "printf",
    ")$",
  ].join(""),
);

/** Component names of OpenCL vectors that clang takes on any vector. */
export const foreignComponents = /^(?:lo|hi|even|odd|[sS][0-9a-fA-F]+)$/;
