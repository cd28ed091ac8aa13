/**
 * Names that a program of the dialect may not use, by what they are for. What a dialect reads as something else than a
 * name stands in `words.ts`; here is what it reserves beyond that, what is declared before the first line, and the macros
 * its compiler defines. `test/names` holds these tables against the compilers, name by name and role by role.
 */
import type { Target } from "./ids.js";
import { predefinedMacros } from "./predefined.js";
import { dialectWords } from "./words.js";

/**
 * What a name is for. `variable`, `enumerator`, `block`: at file scope; `buffer`: a resource, wherever the target declares
 * it; `local`: parameters too.
 */
export type NameRole =
  "macro" | "variable" | "buffer" | "enumerator" | "block" | "function" | "entry" | "type" | "local" | "member";

interface Reserved {
  /** Free in no role: keywords, words kept for later, macros of the compiler. */
  readonly words: ReadonlySet<string>;
  /** Names of this form are the implementation's; members may have those of which no macro is made. */
  readonly form: RegExp;
  readonly memberForm?: RegExp;
  /** Declared before the first line: functions, and constants, types and namespaces that are no words. */
  readonly declared: ReadonlySet<string>;
  readonly declaredForm?: RegExp;
  /** The roles in which a declaration of the program's and one of those do not go together. */
  readonly clashes: ReadonlySet<NameRole>;
  /** Beyond `words`, by role. */
  readonly more?: Partial<Record<NameRole, ReadonlySet<string>>>;
}

const set = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/));
const c11 = `_Alignas _Alignof _Atomic _Bool _BitInt _Complex _Decimal32 _Decimal64 _Decimal128 _Float16 _Generic _Imaginary
  _Noreturn _Pragma _Static_assert _Thread_local`;

const c = `auto break case char const continue default do double else enum extern float for goto if inline int long
  register restrict return short signed sizeof static struct switch typedef union unsigned void volatile while bool true false`;

const cpp = `${c} alignas alignof and and_eq asm bitand bitor catch class compl const_cast constexpr decltype delete
  dynamic_cast explicit export friend mutable namespace new noexcept not not_eq nullptr operator or or_eq private protected
  public reinterpret_cast static_assert static_cast template this thread_local throw try typeid typename using virtual wchar_t
  xor xor_eq char16_t char32_t char8_t concept requires`;

/** Limits and constants that the headers of C-like dialects define as macros. */
const constants = [
  ...["FLT", "HALF"].flatMap((t) =>
    "DIG MANT_DIG MAX MIN EPSILON RADIX MAX_EXP MIN_EXP MAX_10_EXP MIN_10_EXP".split(" ").map((x) => `${t}_${x}`),
  ),
  ..."CHAR SCHAR SHRT INT LONG".split(" ").flatMap((t) => [`${t}_MAX`, `${t}_MIN`]),
  ..."UCHAR_MAX USHRT_MAX UINT_MAX ULONG_MAX CHAR_BIT MAXFLOAT HUGE_VALF INFINITY NAN NULL FP_ILOGB0 FP_ILOGBNAN".split(
    " ",
  ),
  ..."E LOG2E LOG10E LN2 LN10 PI PI_2 PI_4 1_PI 2_PI 2_SQRTPI SQRT2 SQRT1_2"
    .split(" ")
    .flatMap((x) => [`M_${x}_F`, `M_${x}_H`]),
];

const doubleConstants = [
  ..."DIG MANT_DIG MAX MIN EPSILON RADIX MAX_EXP MIN_EXP MAX_10_EXP MIN_10_EXP".split(" ").map((x) => `DBL_${x}`),
  ..."E LOG2E LOG10E LN2 LN10 PI PI_2 PI_4 1_PI 2_PI 2_SQRTPI SQRT2 SQRT1_2".split(" ").map((x) => `M_${x}`),
  "HUGE_VAL",
];

const anyOf = (...forms: readonly string[]): RegExp => new RegExp(`^(?:${forms.join("|")})$`);

const msl: Reserved = {
  words: new Set([
    ...set(cpp),
    ...set(c11),
    ...constants,
    ...set(`main metal MAXHALF HUGE_VALH mem_flags texture1d texture2d texture3d texturecube texture_buffer depth2d depthcube
      memory_order_relaxed threadgroup_imageblock mesh object visible stitchable intersection simd as_type packed_vec`),
  ]),
  // C++14 17.6.4.3.2
  form: /^_[A-Z]|__|^METAL_/,
  declared:
    set(`abs absdiff acos acosh addsat all any asin asinh atan atan2 atanh ceil clamp clz copysign cos cosh cospi cross ctz
    determinant dfdx dfdy discard_fragment distance distance_squared divide dot exp exp10 exp2 extract_bits fabs faceforward fdim
    floor fma fmax fmax3 fmedian3 fmin fmin3 fmod fract frexp fwidth hadd ilogb insert_bits isfinite isinf isnan isnormal
    isordered isunordered ldexp length length_squared log log10 log2 mad24 madhi madsat max max3 median3 min min3 mix modf mul24
    mulhi nextafter normalize popcount pow powr pown reflect refract reverse_bits rhadd rint rotate round rsqrt saturate select
    sign signbit sin sincos sinh sinpi smoothstep sqrt step subsat tan tanh tanpi transpose trunc
    threadgroup_barrier is_function_constant_defined make_filled_simdgroup_matrix get_num_samples is_null_texture
    calculate_unclamped_lod gather sample_compare sampler array array_ref atomic vec matrix fast precise access coord filter
    address compare_func read write read_write mem_none mem_device mem_threadgroup mem_texture thread_scope_thread
    thread_scope_simdgroup thread_scope_device event raytracing`),
  declaredForm: anyOf(
    "(?:simd|quad)_(?:active_threads_mask|all|and|any|ballot|broadcast|broadcast_first|is_first|is_helper_thread|max|min|or|prefix_(?:in|ex)clusive_(?:sum|product)|product|shuffle|shuffle_(?:xor|up|down)|shuffle_rotate_(?:up|down)|shuffle_and_fill_(?:up|down)|sum|vote|xor)",
    "simdgroup_(?:barrier|load|store|multiply|multiply_accumulate|async_copy|event|matrix)",
    "atomic_(?:load|store|exchange|compare_exchange_weak|fetch_(?:add|sub|min|max|and|or|xor)|min|max|store|thread_fence|signal_fence)(?:_explicit)?",
    "memory_order_(?:relaxed|acquire|release|acq_rel|seq_cst)",
    "make_(?:uniform|scalar|vector|signed|unsigned)",
    "pack_(?:float|half)_to_[su]norm(?:2x16|4x8|10a2)",
    "unpack_[su]norm(?:2x16|4x8|10a2)(?:_srgb)?_to_(?:float|half)",
  ),
  clashes: new Set(["variable", "enumerator", "function", "entry", "type", "block"]),
};

const glsl: Reserved = {
  words:
    set(`asm class enum extern false goto inline long namespace public short sizeof static template this true typedef union
    unsigned using interface active cast common external filter fixed fvec2 fvec3 fvec4 half hvec2 hvec3 hvec4 input noinline output
    partition pervertexEXT pervertexNV resource sample sampler3DRect shadercallcoherent subroutine superp isubpassInputMS
    usubpassInputMS _Pragma main VULKAN samplerExternalOES fcoopmatNV icoopmatNV ucoopmatNV`),
  // GLSL 4.60 3.6 to 3.8; glslang 12 knows image and texture types of 16 and 64 bits as types alone.
  form: /^gl_|^GL_|__/,
  declared:
    set(`radians degrees sin cos tan asin acos atan sinh cosh tanh asinh acosh atanh pow exp log exp2 log2 sqrt inversesqrt abs
    sign floor trunc round roundEven ceil fract mod modf min max clamp mix step smoothstep isnan isinf floatBitsToInt floatBitsToUint
    intBitsToFloat uintBitsToFloat fma frexp ldexp length distance dot cross normalize faceforward reflect refract matrixCompMult
    outerProduct transpose determinant inverse lessThan lessThanEqual greaterThan greaterThanEqual equal notEqual any all not
    uaddCarry usubBorrow umulExtended imulExtended bitfieldExtract bitfieldInsert bitfieldReverse bitCount findLSB findMSB barrier
    memoryBarrier groupMemoryBarrier memoryBarrierBuffer memoryBarrierShared memoryBarrierImage memoryBarrierAtomicCounter
    controlBarrier texture dFdx dFdy fwidth EmitVertex EndPrimitive noise1 noise2 noise3 noise4 ftransform debugPrintfEXT
    subpassLoad interpolateAtCentroid clockARB clock2x32ARB clockRealtimeEXT clockRealtime2x32EXT readInvocationARB
    readFirstInvocationARB ballotARB anyInvocation allInvocations allInvocationsEqual dotEXT dotPacked4x8EXT demote
    mid3 min3 max3 time fmin3 fmid3 fmax3 textureDirectedShadow absoluteDifference addSaturate subtractSaturate average
    averageRounded multiply32x16 countLeadingZeros countTrailingZeros packSnorm packUnorm`),
  // Known to glslang whether or not their extension is asked for.
  declaredForm: anyOf(
    "subgroup(?:Barrier|MemoryBarrier(?:Buffer|Shared|Image)?|Elect|All|Any|AllEqual|Broadcast(?:First)?|(?:Inverse)?Ballot|Ballot(?:BitExtract|BitCount|InclusiveBitCount|ExclusiveBitCount|FindLSB|FindMSB)|Shuffle(?:Xor|Up|Down)?|(?:Inclusive|Exclusive|Clustered|Partitioned|PartitionedInclusive|PartitionedExclusive)?(?:Add|Mul|Min|Max|And|Or|Xor)(?:NV)?|(?:Clustered)?Rotate|Quad(?:Broadcast|Swap(?:Horizontal|Vertical|Diagonal)|All|Any)|PartitionNV)",
    "atomic(?:Add|And|Or|Xor|Min|Max|Exchange|CompSwap|Load|Store|Counter\\w*)",
    "image(?:Load|Store|Size|Samples|Atomic[A-Z]\\w*)",
    "texture[A-Z]\\w*",
    "texelFetch\\w*",
    "(?:un)?pack(?:8|16|32|64|(?:Half|Float)2x16|Double2x32|U?[Ii]nt2x(?:16|32)|[US]norm(?:2x16|4x8))",
    "interpolateAt\\w+",
    "(?:u?int(?:8|16|64)?|float16|half|double)BitsTo(?:Float|Half|Double|U?[Ii]nt)(?:16|64)?",
    "float16BitsToU?[Ii]nt16",
    "u?int16BitsToFloat16",
  ),
  clashes: new Set(["function", "entry", "block", "type"]),
  // A struct has no `.length`, as everything with a dot is asked for its method.
  more: {
    member: set("length"),
    type: new Set(
      ["f16image", "f16texture", "f16sampler", "i64image", "u64image"]
        .flatMap((t) =>
          "1D 2D 3D 1DArray 2DArray 2DMS 2DMSArray 2DRect Buffer Cube CubeArray 1DArrayShadow 1DShadow 2DArrayShadow 2DRectShadow 2DShadow CubeArrayShadow CubeShadow"
            .split(" ")
            .map((x) => t + x),
        )
        .concat("f16subpassInput", "f16subpassInputMS"),
    ),
  },
};

const opencl: Reserved = {
  words: new Set([
    ...set(c),
    ...set(c11),
    ...constants,
    ...doubleConstants,
    ...set(`uniform pipe complex imaginary quad main asm typeof ATOMIC_FLAG_INIT MAX_WORK_DIM NULL _LP64 kernel_exec
      intel_sub_group_shuffle addrspace_cast`),
  ]),
  form: /^__|^_[A-Z]|^(?:cl|cles)_(?:khr|intel|ext|arm|amd|img|qcom|nv)_|^CL_[A-Z]|^CLK_/,
  memberForm: /^__(?:[A-Z]\w*|\w+__|opencl_\w+|kernel_exec|clang_\w+)$|^(?:cl|cles)_(?:khr|intel|ext)_|^CL_[A-Z]|^CLK_/,
  declared:
    set(`printf abs clamp distance max min any acos acosh asin asinh atan atanh barrier ceil cos cosh cross degrees dot exp exp2
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

/** DXC calls its own, whatever the program declares, or finds the call ambiguous. */
const intrinsics =
  set(`abort abs acos all and any asdouble asfloat asfloat16 asin asint asint16 asuint asuint16 atan atan2 ceil clamp
  clip cos cosh countbits cross ddx ddx_coarse ddx_fine ddy ddy_coarse ddy_fine degrees determinant distance dot dot2add
  dot4add_i8packed dot4add_u8packed dst errorf exp exp2 f16tof32 f32tof16 faceforward firstbithigh firstbitlow floor fma fmod frac
  frexp fwidth isfinite isinf isnan isnormal ldexp length lerp lit log log10 log2 mad max min modf msad4 mul noise normalize or
  pack_clamp_s8 pack_clamp_u8 pack_s8 pack_u8 pow printf radians rcp reflect refract reversebits round rsqrt saturate select sign sin
  sincos sinh smoothstep source_mark sqrt step tan tanh tex1D tex1Dbias tex1Dgrad tex1Dlod tex1Dproj tex2D tex2Dbias tex2Dgrad
  tex2Dlod tex2Dproj tex3D tex3Dbias tex3Dgrad tex3Dlod tex3Dproj texCUBE texCUBEbias texCUBEgrad texCUBElod texCUBEproj transpose
  trunc unpack_s8s16 unpack_s8s32 unpack_u8u16 unpack_u8u32 AddUint64 AcceptHitAndEndSearch AllMemoryBarrier
  AllMemoryBarrierWithGroupSync AllocateRayQuery Barrier CallShader CheckAccessFullyMapped CreateResourceFromHeap D3DCOLORtoUBYTE4
  DeviceMemoryBarrier DeviceMemoryBarrierWithGroupSync DispatchMesh DispatchRaysDimensions DispatchRaysIndex
  EvaluateAttributeAtSample EvaluateAttributeCentroid EvaluateAttributeSnapped GeometryIndex GetAttributeAtVertex
  GetRemainingRecursionLevels GetRenderTargetSampleCount GetRenderTargetSamplePosition GroupMemoryBarrier
  GroupMemoryBarrierWithGroupSync HitKind IgnoreHit InstanceID InstanceIndex InterlockedAdd InterlockedAnd InterlockedCompareExchange
  InterlockedCompareExchangeFloatBitwise InterlockedCompareStore InterlockedCompareStoreFloatBitwise InterlockedExchange
  InterlockedMax InterlockedMin InterlockedOr InterlockedXor IsHelperLane NonUniformResourceIndex ObjectRayDirection ObjectRayOrigin
  ObjectToWorld ObjectToWorld3x4 ObjectToWorld4x3 PrimitiveIndex Process2DQuadTessFactorsAvg Process2DQuadTessFactorsMax
  Process2DQuadTessFactorsMin ProcessIsolineTessFactors ProcessQuadTessFactorsAvg ProcessQuadTessFactorsMax ProcessQuadTessFactorsMin
  ProcessTriTessFactorsAvg ProcessTriTessFactorsMax ProcessTriTessFactorsMin QuadAll QuadAny QuadReadAcrossDiagonal QuadReadAcrossX
  QuadReadAcrossY QuadReadLaneAt RayFlags RayTCurrent RayTMin ReportHit SetMeshOutputCounts TraceRay TriangleObjectPositions
  WaveActiveAllEqual WaveActiveAllTrue WaveActiveAnyTrue WaveActiveBallot WaveActiveBitAnd WaveActiveBitOr WaveActiveBitXor
  WaveActiveCountBits WaveActiveMax WaveActiveMin WaveActiveProduct WaveActiveSum WaveGetLaneCount WaveGetLaneIndex WaveIsFirstLane
  WaveMatch WaveMultiPrefixBitAnd WaveMultiPrefixBitOr WaveMultiPrefixBitXor WaveMultiPrefixCountBits WaveMultiPrefixProduct
  WaveMultiPrefixSum WavePrefixCountBits WavePrefixProduct WavePrefixSum WaveReadLaneAt WaveReadLaneFirst WorldRayDirection
  WorldRayOrigin WorldToObject WorldToObject3x4 WorldToObject4x3`);

/** Qualifiers of other stages: DXC takes them for names where a type stands before them. */
const contextual = set("center indices payload primitives vertices precise globallycoherent reordercoherent");

const hlsl: Reserved = {
  words: new Set([
    ...set(c),
    ...set(c11),
    ...set(`__asm __attribute __declspec __extension__ __inline __int128 __restrict asm asm_fragment catch class compile compile_fragment const_cast delete discard dynamic_cast explicit export friend fxgroup
      interface mutable namespace new operator packoffset pass pixelfragment private protected public register reinterpret_cast
      sizeof stateblock stateblock_state static_cast string technique technique10 technique11 template this throw try typeid typename
      using vertexfragment virtual wchar_t NULL point line lineadj linear triangle triangleadj centroid shared sample texture
      AppendStructuredBuffer BlendState CompileShader ComputeShader DepthStencilState DepthStencilView DomainShader GeometryShader
      HullShader Hullshader PixelShader RenderTargetView VertexShader`),
  ]),
  form: /^__/,
  memberForm: /^__(?:[A-Z]\w*|\w+__|hlsl_\w+)$/,
  declared:
    set(`std dx vk ALL_MEMORY UAV_MEMORY GROUP_SHARED_MEMORY NODE_INPUT_MEMORY NODE_OUTPUT_MEMORY GROUP_SYNC GROUP_SCOPE
    DEVICE_SCOPE CANDIDATE_PROCEDURAL_PRIMITIVE CANDIDATE_NON_OPAQUE_TRIANGLE COMMITTED_NOTHING COMMITTED_TRIANGLE_HIT
    COMMITTED_PROCEDURAL_PRIMITIVE_HIT ResourceDescriptorHeap SamplerDescriptorHeap RWTexture2DMS RWTexture2DMSArray`),
  declaredForm:
    /^(?:RAY_FLAG|RAYQUERY_FLAG|HIT_KIND|SAMPLER_FEEDBACK|STATE_OBJECT)_\w+$|^(?:RasterizerOrdered\w+|(?:RW)?(?:Dispatch|Group|Thread|Empty)?Node(?:Input|Output)\w*|(?:RW)?(?:Dispatch|Group|Thread)Node(?:Input|Output)Records?)$/,
  clashes: new Set(["variable", "buffer", "enumerator", "function", "entry", "type"]),
  more: {
    function: intrinsics,
    type: contextual,
    block: contextual,
    enumerator: contextual,
    macro: set("SV_DispatchThreadID numthreads"),
  },
};

const tables: Readonly<Record<Exclude<Target, "ts">, Reserved>> = { msl, glsl, opencl, hlsl };

const javascript =
  set(`abstract arguments as async await boolean break case catch class const constructor continue debugger declare
  default delete do else enum eval export extends false finally for from function get if implements import in instanceof
  interface is keyof let module namespace never new null number object of package private protected public readonly require
  return set static string super switch symbol this throw true try type typeof undefined unknown var void while with yield
  globalThis Math Array ArrayBuffer DataView Number BigInt Infinity NaN`);

/** What the dialect reads as something else than a name. */
function isWord(dialect: Exclude<Target, "ts">, name: string): boolean {
  const w = dialectWords[dialect];
  return (
    w.keywords.has(name) ||
    w.qualifiers.has(name) ||
    w.arithmetic.has(name) ||
    w.types.has(name) ||
    w.typePattern.test(name) ||
    w.typeTemplates.has(name) ||
    w.functionTemplates.has(name)
  );
}

export function isReserved(target: Target, name: string, role: NameRole): boolean {
  if (target === "ts") return javascript.has(name);
  const table = tables[target];
  if (name === "main" && role === "entry" && (target === "hlsl" || target === "glsl")) return false;
  if ((name === "defined" || name === "_Pragma") && role === "macro") return true;
  if (isWord(target, name) || table.words.has(name) || Object.hasOwn(predefinedMacros(target), name)) return true;
  const form = role === "member" ? (table.memberForm ?? table.form) : table.form;
  if (form.test(name) || table.more?.[role]?.has(name)) return true;
  return table.clashes.has(role) && (table.declared.has(name) || table.declaredForm?.test(name) === true);
}
