/** Words of OpenCL C: 3.0 section 6.1.9. */
import {
  asm,
  cWords,
  gnu,
  gnuWords,
  keywordMap,
  plainSigns,
  wordSet,
  withoutTypeof,
  type DialectWords,
} from "../words.js";

export const words: DialectWords = {
  ...withoutTypeof("__typeof__(x)", ["__typeof__", "__typeof"]),
  ...plainSigns,
  ...gnuWords,
  unicodeNames: true,
  casts: true,
  templates: false,
  keywords: keywordMap(`${cWords} vec_step`, {
    ...gnu,
    ...asm,
    _Static_assert: "static_assert",
    // C11, which clang takes.
    _Generic: "_Generic",
    _Alignof: "alignof",
    __alignof__: "alignof",
    __alignof: "alignof",
    alignof: "alignof",
    __typeof__: "typeof",
    __typeof: "typeof",
  }),
  qualifiers: wordSet(`const volatile static inline extern register restrict __extension__ auto
    __kernel kernel __global global __local local __constant constant __private private __generic generic
    __read_only read_only __write_only write_only __read_write read_write __pipe`),
  softQualifiers: wordSet("pipe"),
  arithmetic: wordSet("unsigned signed short long int char double"),
  types: wordSet(`void bool _Bool float half quad uchar ushort uint ulong size_t ptrdiff_t intptr_t uintptr_t
    int8_t uint8_t int16_t uint16_t int32_t uint32_t int64_t uint64_t
    atomic_int atomic_uint atomic_long atomic_ulong atomic_float atomic_double atomic_half atomic_flag atomic_intptr_t
    atomic_uintptr_t atomic_size_t atomic_ptrdiff_t memory_order memory_scope cl_mem_fence_flags
    sampler_t event_t clk_event_t queue_t ndrange_t reserve_id_t clk_profiling_info kernel_enqueue_flags_t cl_int cl_uint __auto_type`),
  typePattern:
    /^(?:(?:bool|char|uchar|short|ushort|int|uint|long|ulong|half|float|double)(?:2|3|4|8|16)|image(?:1d|2d|3d)(?:_array|_buffer)?(?:_msaa)?(?:_depth)?_t|image2d_array(?:_msaa)?(?:_depth)?_t)$/,
  typeTemplates: wordSet(""),
  functionTemplates: wordSet(""),
  memberTemplates: wordSet(""),
};
