/** Names that are taken in MSL: see `reserved-names.ts`. */
import { anyOf, constants, c11, cpp, type Reserved } from "../reserved-names.js";
import { wordSet } from "../words.js";

const table: Reserved = {
  words: new Set([
    ...wordSet(cpp),
    ...wordSet(c11),
    ...constants,
    ...wordSet(`main metal MAXHALF HUGE_VALH mem_flags texture1d texture2d texture3d texturecube texture_buffer depth2d depthcube
      memory_order_relaxed threadgroup_imageblock mesh object visible stitchable intersection simd as_type packed_vec`),
  ]),
  // C++14 17.6.4.3.2
  form: /^_[A-Z]|__|^METAL_/,
  declared:
    wordSet(`abs absdiff acos acosh addsat all any asin asinh atan atan2 atanh ceil clamp clz copysign cos cosh cospi cross ctz
    determinant dfdx dfdy discard_fragment distance distance_squared divide dot exp exp10 exp2 extract_bits fabs faceforward fdim
    floor fma fmax fmax3 fmedian3 fmin fmin3 fmod fract frexp fwidth hadd ilogb insert_bits isfinite isinf isnan isnormal
    isordered isunordered ldexp length length_squared log log10 log2 mad24 madhi madsat max max3 median3 min min3 mix modf mul24
    mulhi nextafter normalize popcount pow powr pown reflect refract reverse_bits rhadd rint rotate round rsqrt saturate select
    sign signbit sin sincos sinh sinpi smoothstep sqrt step subsat tan tanh tanpi transpose trunc
    threadgroup_barrier is_function_constant_defined make_filled_simdgroup_matrix get_num_samples is_null_texture
    calculate_unclamped_lod gather sample_compare sampler array array_ref atomic vec matrix fast precise access coord filter
    address compare_func read write read_write mem_none mem_device mem_threadgroup mem_texture thread_scope_thread
    thread_scope_simdgroup thread_scope_device event raytracing os_log os_log_default`),
  declaredForm: anyOf(
    "(?:simd|quad)_(?:active_threads_mask|all|and|any|ballot|broadcast|broadcast_first|is_first|is_helper_thread|max|min|or|prefix_(?:in|ex)clusive_(?:sum|product)|product|shuffle|shuffle_(?:xor|up|down)|shuffle_rotate_(?:up|down)|shuffle_and_fill_(?:up|down)|sum|vote|xor)",
    "simdgroup_(?:barrier|load|store|multiply|multiply_accumulate|async_copy|event|matrix)",
    "atomic_(?:load|store|exchange|compare_exchange_weak|fetch_(?:add|sub|min|max|and|or|xor)|min|max|store|thread_fence|signal_fence)(?:_explicit)?",
    "memory_order_(?:relaxed|acquire|release|acq_rel|seq_cst)",
    "make_(?:uniform|scalar|vector|signed|unsigned)",
    "pack_(?:float|half)_to_(?:srgb_)?[su]norm(?:2x16|4x8|10a2|565)",
    "unpack_[su]norm(?:2x16|4x8|10a2|565)(?:_srgb)?_to_(?:float|half)",
  ),
  clashes: new Set(["variable", "enumerator", "function", "entry", "type", "block"]),
};

export const reserved = (): Reserved => table;
