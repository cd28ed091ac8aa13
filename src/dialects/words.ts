/**
 * Words the pre-scan marks for the grammars: which words of a dialect are keywords, qualifiers, type names and templates.
 * Sources: MSL specification 1 to 5 and C++14 2.12, GLSL 4.60 section 3.6, OpenCL C 3.0 section 6.1.9, the HLSL reference
 * and DXC.
 */
import { signWords } from "../support/sign-words.js";
import type { Dialect } from "./ids.js";

export interface DialectWords {
  /** Keywords that have a rule of their own in the grammars (grammars/tokens.mjs), alternative spellings with their rule's word. */
  readonly keywords: ReadonlyMap<string, string>;
  readonly qualifiers: ReadonlySet<string>;
  /** Qualifiers that are names unless a word follows: `linear float x` but `linear = 3`. */
  readonly softQualifiers: ReadonlySet<string>;
  /** Words that join to one type: `unsigned long int`. */
  readonly arithmetic: ReadonlySet<string>;
  /** Spelled-out type names. */
  readonly types: ReadonlySet<string>;
  /** Families of type names. */
  readonly typePattern: RegExp;
  /** Templates that take arguments in angle brackets: types, functions, and members after a dot. */
  readonly typeTemplates: ReadonlySet<string>;
  readonly functionTemplates: ReadonlySet<string>;
  readonly memberTemplates: ReadonlySet<string>;
  /** Words that are signs: `and` is `&&`. */
  readonly signs: ReadonlyMap<string, string>;
  /** `1'000'000` is a number. */
  readonly digitSeparators: boolean;
}

/** C and the shading languages have neither. */
const plainSigns = { signs: new Map<string, string>(), digitSeparators: false } as const;

const set = (text: string): ReadonlySet<string> =>
  new Set(
    text
      .trim()
      .split(/\s+/)
      .filter((word) => word !== ""),
  );
const keywordMap = (text: string, spellings: Readonly<Record<string, string>> = {}): ReadonlyMap<string, string> =>
  new Map([...[...set(text)].map((word) => [word, word] as const), ...Object.entries(spellings)]);

const statements = "if else for while do switch case default break continue return struct";
const cWords = `${statements} goto union enum typedef sizeof`;
const cppWords = `${cWords} class using namespace template typename operator static_assert alignas decltype alignof friend
  public private protected try`;
const gnu = { __attribute__: "__attribute__", __attribute: "__attribute__" };
const asm = { asm: "asm", __asm__: "asm", __asm: "asm" };

const msl: DialectWords = {
  signs: signWords,
  digitSeparators: true,
  keywords: keywordMap(cppWords, {
    ...gnu,
    ...asm,
    _Static_assert: "static_assert",
    __alignof__: "alignof",
    _Alignas: "alignas",
  }),
  qualifiers:
    set(`const volatile static inline extern constexpr register restrict __restrict __restrict__ mutable explicit
    virtual noexcept override final thread_local __inline__ __inline __extension__
    kernel vertex fragment device constant threadgroup thread threadgroup_imageblock ray_data object_data`),
  softQualifiers: set("coherent"),
  arithmetic: set("unsigned signed short long int char double"),
  types: set(`void bool float half bfloat uchar ushort uint ulong auto size_t ptrdiff_t uintptr_t intptr_t wchar_t
    int8_t uint8_t int16_t uint16_t int32_t uint32_t int64_t uint64_t
    atomic_int atomic_uint atomic_bool atomic_float atomic_ulong atomic_long memory_order memory_scope mem_flags thread_scope vote_t
    sampler event quad_group simd_vote quad_vote ray intersection_params instance_acceleration_structure
    primitive_acceleration_structure acceleration_structure simdgroup_event access
    simdgroup_float8x8 simdgroup_half8x8 simdgroup_bfloat8x8 render_command compute_command command_buffer`),
  typePattern:
    /^(?:(?:packed_|vector_)?(?:bool|char|uchar|short|ushort|int|uint|long|ulong|half|float|bfloat)[234]|(?:simd_|matrix_)?(?:half|float)[234]x[234])$/,
  typeTemplates:
    set(`vec packed_vec matrix array array_ref atomic texture1d texture1d_array texture2d texture2d_array texture2d_ms
    texture2d_ms_array texture3d texturecube texturecube_array texture_buffer depth2d depth2d_array depth2d_ms depth2d_ms_array
    depthcube depthcube_array imageblock simdgroup_matrix numeric_limits is_same is_same_v enable_if enable_if_t conditional
    conditional_t is_floating_point is_integral make_unsigned make_signed remove_cv_t remove_reference_t decay_t
    intersector intersection_result visible_function_table intersection_function_table function remove_const_t is_convertible
    uniform _atomic is_arithmetic make_scalar make_scalar_t make_vector make_vector_t interpolant acceleration_structure intersection_query initializer_list is_scalar is_vector is_matrix`),
  functionTemplates: set(`static_cast reinterpret_cast const_cast dynamic_cast as_type make_filled_simdgroup_matrix
    simdgroup_load simdgroup_store make_uniform convert is_function_constant_defined get forward move`),
  memberTemplates: set(""),
};

const opencl: DialectWords = {
  ...plainSigns,
  keywords: keywordMap(`${cWords} vec_step`, {
    ...gnu,
    ...asm,
    _Static_assert: "static_assert",
    _Alignof: "alignof",
    __alignof__: "alignof",
    alignof: "alignof",
  }),
  qualifiers:
    set(`const volatile static inline extern register restrict __restrict __restrict__ __const __volatile__ __inline
    __inline__ __inline__ __extension__ auto
    __kernel kernel __global global __local local __constant constant __private private __generic generic
    __read_only read_only __write_only write_only __read_write read_write __pipe`),
  softQualifiers: set("pipe"),
  arithmetic: set("unsigned signed short long int char double"),
  types: set(`void bool _Bool float half quad uchar ushort uint ulong size_t ptrdiff_t intptr_t uintptr_t
    int8_t uint8_t int16_t uint16_t int32_t uint32_t int64_t uint64_t
    atomic_int atomic_uint atomic_long atomic_ulong atomic_float atomic_double atomic_half atomic_flag atomic_intptr_t
    atomic_uintptr_t atomic_size_t atomic_ptrdiff_t memory_order memory_scope cl_mem_fence_flags
    sampler_t event_t clk_event_t queue_t ndrange_t reserve_id_t clk_profiling_info kernel_enqueue_flags_t cl_int cl_uint`),
  typePattern:
    /^(?:(?:bool|char|uchar|short|ushort|int|uint|long|ulong|half|float|double)(?:2|3|4|8|16)|image(?:1d|2d|3d)(?:_array|_buffer)?(?:_msaa)?(?:_depth)?_t|image2d_array(?:_msaa)?(?:_depth)?_t)$/,
  typeTemplates: set(""),
  functionTemplates: set(""),
  memberTemplates: set(""),
};

const glsl: DialectWords = {
  ...plainSigns,
  keywords: keywordMap(`${statements} discard layout precision`),
  qualifiers:
    set(`const in out inout uniform buffer shared coherent volatile restrict readonly writeonly centroid flat smooth
    noperspective patch invariant precise lowp mediump highp nonuniformEXT subgroupcoherent workgroupcoherent queuefamilycoherent
    devicecoherent nonprivate attribute varying taskPayloadSharedEXT spirv_literal`),
  softQualifiers: set("sample"),
  arithmetic: set(""),
  types: set(`void bool int uint float double float16_t float32_t float64_t bfloat16_t
    int8_t uint8_t int16_t uint16_t int32_t uint32_t int64_t uint64_t sampler samplerShadow atomic_uint
    accelerationStructureEXT rayQueryEXT subpassInput subpassInputMS isubpassInput usubpassInput uint4x8_t`),
  typePattern:
    /^(?:(?:|i|u|b|d|f16|f32|f64|bf16|[iu](?:8|16|32|64))vec[234]|(?:|d|f16|f32|f64)mat[234](?:x[234])?|[iu]?(?:sampler|image|texture)(?:1D|2D|3D|Cube|Buffer|2DRect|1DArray|2DArray|CubeArray|2DMS|2DMSArray)(?:Shadow)?|sampler(?:1D|2D|Cube|1DArray|2DArray|CubeArray|2DRect)Shadow|[iu64]+image(?:1D|2D|3D|Buffer|2DArray))$/,
  typeTemplates: set("coopmat coopvecNV tensorLayoutNV tensorViewNV"),
  functionTemplates: set(""),
  memberTemplates: set(""),
};

const hlsl: DialectWords = {
  ...plainSigns,
  keywords: keywordMap(`${cppWords} discard cbuffer tbuffer interface`, { _Static_assert: "static_assert" }),
  qualifiers: set(`const static uniform extern volatile precise groupshared in out inout row_major column_major
    nointerpolation noperspective globallycoherent inline unorm snorm noinline reordercoherent`),
  softQualifiers: set(
    "linear centroid sample shared export point line triangle lineadj triangleadj primitive vertices indices payload",
  ),
  arithmetic: set("unsigned int"),
  types: set(`void bool int uint dword float half double auto min16float min10float min16int min12int min16uint
    float16_t float32_t float64_t int16_t uint16_t int32_t uint32_t int64_t uint64_t int8_t4_packed uint8_t4_packed
    vector matrix string ByteAddressBuffer RWByteAddressBuffer RasterizerOrderedByteAddressBuffer
    SamplerState SamplerComparisonState sampler sampler1D sampler2D sampler3D samplerCUBE
    Texture1D Texture1DArray Texture2D Texture2DArray Texture2DMS Texture3D TextureCube TextureCubeArray
    Buffer RaytracingAccelerationStructure RayDesc BuiltInTriangleIntersectionAttributes`),
  typePattern:
    /^(?:bool|int|uint|dword|float|half|double|min16float|min10float|min16int|min12int|min16uint|(?:float|u?int)(?:16|32|64)_t)[1234](?:x[1234])?$/,
  typeTemplates:
    set(`vector matrix StructuredBuffer RWStructuredBuffer AppendStructuredBuffer ConsumeStructuredBuffer Buffer
    RWBuffer ConstantBuffer TextureBuffer Texture1D Texture1DArray Texture2D Texture2DArray Texture2DMS Texture2DMSArray Texture3D
    TextureCube TextureCubeArray RWTexture1D RWTexture1DArray RWTexture2D RWTexture2DArray RWTexture3D RasterizerOrderedBuffer
    RasterizerOrderedStructuredBuffer RasterizerOrderedTexture1D RasterizerOrderedTexture2D RasterizerOrderedTexture3D
    FeedbackTexture2D FeedbackTexture2DArray RayQuery InputPatch OutputPatch PointStream LineStream TriangleStream
    DispatchNodeInputRecord NodeOutput`),
  functionTemplates: set("reinterpret_cast static_cast"),
  memberTemplates: set("Load Store"),
};

export const dialectWords: Readonly<Record<Dialect, DialectWords>> = { msl, glsl, opencl, hlsl };

/** Whether HLSL names a type of 16 bits, which DXC takes with `-enable-16bit-types` only. */
export const namesNarrowTypes = (text: string): boolean => /\b(?:float|u?int)16_t(?:[234](?:x[234])?)?\b/.test(text);
