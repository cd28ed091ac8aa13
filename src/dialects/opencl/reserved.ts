/** Names that are taken in OpenCL C: see `reserved-names.ts`. */
import { anyOf, constants, doubleConstants, c, c11, type Reserved } from "../reserved-names.js";
import { wordSet } from "../words.js";

const table: Reserved = {
  words: new Set([
    ...wordSet(c),
    ...wordSet(c11),
    ...constants,
    ...doubleConstants,
    ...wordSet(`uniform pipe complex imaginary quad main asm typeof ATOMIC_FLAG_INIT MAX_WORK_DIM NULL _LP64 kernel_exec
      intel_sub_group_shuffle addrspace_cast`),
  ]),
  form: /^__|^_[A-Z]|^(?:cl|cles)_(?:khr|intel|ext|arm|amd|img|qcom|nv)_|^CL_[A-Z]|^CLK_/,
  memberForm: /^__(?:[A-Z]\w*|\w+__|opencl_\w+|kernel_exec|clang_\w+)$|^(?:cl|cles)_(?:khr|intel|ext)_|^CL_[A-Z]|^CLK_/,
  declared:
    wordSet(`printf abs clamp distance max min any acos acosh asin asinh atan atanh barrier ceil cos cosh cross degrees dot exp exp2
    floor fma fract frexp isinf isnan ldexp length log log2 mix modf normalize pow radians round sign sin sinh smoothstep sqrt step
    tan tanh trunc abs_diff acospi add_sat all asinpi atan2 atan2pi atanpi bit_reverse bitselect cbrt clz copysign cospi ctz erf erfc
    exp10 expm1 fabs fast_distance fast_length fast_normalize fdim fmax fmin fmod hadd hypot ilogb isequal isfinite isgreater
    isgreaterequal isless islessequal islessgreater isnormal isnotequal isordered isunordered lgamma lgamma_r log10 log1p logb mad
    mad24 mad_hi mad_sat maxmag minmag mul24 mul_hi nan ndrange_1D ndrange_2D ndrange_3D nextafter popcount pown powr prefetch
    remainder remquo rhadd rint rootn rotate rsqrt select shuffle shuffle2 signbit sincos sinpi sub_sat tanpi tgamma upsample vec_step
    y0 y1 yn j0 j1 jn to_global to_local to_private enqueue_kernel enqueue_marker retain_event release_event create_user_event
    set_user_event_status capture_event_profiling_info is_valid_event is_valid_reserve_id bitfield_insert
    mem_fence read_mem_fence write_mem_fence wait_group_events reserve_read_pipe reserve_write_pipe`),
  declaredForm: anyOf(
    "(?:as|convert)_(?:(?:u?(?:char|short|int|long)|float|double|half)(?:2|3|4|8|16)?|u?intptr_t|size_t|ptrdiff_t)(?:_sat)?(?:_rt[enpz])?",
    "v(?:load|store)(?:2|3|4|8|16)",
    "v(?:load|store)a?_half(?:2|3|4|8|16)?(?:_rt[enpz])?",
    "(?:native|half)_(?:cos|divide|exp|exp2|exp10|log|log2|log10|powr|recip|rsqrt|sin|sqrt|tan)",
    "(?:atom|atomic)_(?:add|and|cmpxchg|dec|inc|max|min|or|sub|xchg|xor)",
    "atomic_(?:init|load|store|exchange|compare_exchange_(?:strong|weak)|fetch_(?:add|sub|or|xor|and|min|max)|flag_(?:test_and_set|clear))(?:_explicit)?",
    "atomic_work_item_fence",
    "async_work_group_(?:strided_)?copy",
    "memory_(?:order_(?:relaxed|acquire|release|acq_rel|seq_cst)|scope_(?:work_item|sub_group|work_group|device|all_svm_devices|all_devices))",
    "get_(?:work_dim|fence|default_queue|image_\\w+|kernel_\\w+|pipe_\\w+|(?:global|local|group)_id|(?:global|local|enqueued_local)_size|num_groups|global_offset|(?:global|local)_linear_id|max_sub_group_size|(?:enqueued_)?num_sub_groups|sub_group_(?:size|id|local_id|(?:eq|ge|gt|le|lt)_mask))",
    "(?:sub|work)_group_(?:barrier|all|any|broadcast|(?:reduce|scan_(?:in|ex)clusive)_(?:add|min|max|mul|and|or|xor|logical_\\w+)|commit_\\w+|reserve_\\w+)",
    "sub_group_(?:elect|broadcast_first|inverse_ballot|ballot\\w*|shuffle(?:_xor|_up|_down)?|(?:clustered_)?rotate|clustered_\\w+|non_uniform_\\w+)",
    "(?:read|write)_image(?:f|i|ui|h)",
    "(?:read|write)_pipe",
    "(?:commit|reserve)_(?:read|write)_pipe",
    "bitfield_extract_(?:un)?signed",
    "dot_(?:acc_sat_)?4x8packed_(?:uu_uint|ss_int|us_int|su_int)",
    "dot_acc_sat",
    "clock_read_(?:hilo_)?(?:device|work_group|sub_group)",
  ),
  clashes: new Set(["variable", "enumerator", "function", "entry", "type", "block"]),
  // clang's header has macros of these.
  more: {
    macro: new Set([
      "ATOMIC_VAR_INIT",
      "as_size_t",
      "as_ptrdiff_t",
      "as_intptr_t",
      "as_uintptr_t",
      ..."char uchar short ushort int uint long ulong float double half"
        .split(" ")
        .flatMap((t) => ["", 2, 3, 4, 8, 16].map((n) => `as_${t}${String(n)}`)),
    ]),
  },
};

export const reserved = (): Reserved => table;
