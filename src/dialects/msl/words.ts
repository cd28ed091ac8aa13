/** Words of MSL: specification 1 to 5, and C++14 2.12. */
import { cppTraits, sequenceNames } from "../traits.js";
import { hostStructs } from "./host-structs.js";
import { signWords } from "../../support/sign-words.js";
import {
  asm,
  cpp20Words,
  cppRefused,
  cppWords,
  gnu,
  gnuWords,
  keywordMap,
  wordSet,
  withoutTypeof,
  type DialectWords,
} from "../words.js";

const traitNames = [...cppTraits.names];

export const words: DialectWords = {
  ...withoutTypeof("decltype(x)", ["__typeof__", "__typeof"]),
  ...gnuWords,
  signs: signWords,
  digitSeparators: true,
  userLiterals: true,
  rawStrings: true,
  unicodeNames: true,
  casts: true,
  templates: true,
  keywords: keywordMap(`${cppWords} ${cppRefused}`, {
    ...gnu,
    ...asm,
    _Static_assert: "static_assert",
    __alignof__: "alignof",
    __typeof__: "typeof",
    __typeof: "typeof",
    _Alignas: "alignas",
  }),
  qualifiers: wordSet(`const volatile static inline extern constexpr register restrict mutable explicit
    virtual noexcept override final thread_local __extension__
    kernel vertex fragment device constant threadgroup thread threadgroup_imageblock ray_data object_data`),
  softQualifiers: wordSet("coherent consteval constinit"),
  softKeywords: cpp20Words,
  arithmetic: wordSet("unsigned signed short long int char double"),
  types: wordSet(`void bool float half bfloat uchar ushort uint ulong auto size_t ptrdiff_t uintptr_t intptr_t wchar_t
    int8_t uint8_t int16_t uint16_t int32_t uint32_t int64_t uint64_t
    atomic_int atomic_uint atomic_bool atomic_float atomic_ulong atomic_long memory_order memory_scope mem_flags thread_scope vote_t
    sampler event true_type false_type quad_group simd_vote quad_vote ray intersection_params instance_acceleration_structure
    primitive_acceleration_structure acceleration_structure simdgroup_event access
    simdgroup_float8x8 simdgroup_half8x8 simdgroup_bfloat8x8 render_command compute_command command_buffer
    ${[...hostStructs.keys()].join(" ")}`),
  typePattern:
    /^(?:(?:packed_|vector_|simd_)?(?:bool|char|uchar|short|ushort|int|uint|long|ulong|half|float|bfloat)[234]|(?:simd_|matrix_)?(?:half|float)[234]x[234])$/,
  typeTemplates:
    wordSet(`vec packed_vec matrix array array_ref atomic _atomic texture1d texture1d_array texture2d texture2d_array texture2d_ms
    texture2d_ms_array texture3d texturecube texturecube_array texture_buffer depth2d depth2d_array depth2d_ms depth2d_ms_array
    depthcube depthcube_array imageblock simdgroup_matrix numeric_limits
    intersector intersection_result visible_function_table intersection_function_table function
    uniform _atomic make_vector make_vector_t interpolant acceleration_structure intersection_query initializer_list ${sequenceNames.join(" ")}
    ${traitNames.join(" ")} ${traitNames.map((name) => `${name}_t`).join(" ")}`),
  functionTemplates: wordSet(`static_cast reinterpret_cast const_cast dynamic_cast as_type make_filled_simdgroup_matrix
    simdgroup_load simdgroup_store make_uniform convert is_function_constant_defined get forward move declval
    ${traitNames.map((name) => `${name}_v`).join(" ")}`),
  memberTemplates: wordSet(""),
};
