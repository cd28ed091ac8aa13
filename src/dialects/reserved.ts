/**
 * Words a program of the dialect may not use as names, and predeclared names that a program had better not reuse. Sources:
 * MSL specification and C++14 2.12, GLSL 4.60 section 3.6 with Vulkan, OpenCL C 3.0 section 6.1.9 and C99 6.4.1, the HLSL
 * reference (keywords, reserved words) and DXC, ECMAScript 2022.
 */
import type { Target } from "./ids.js";

/** What the name is for. Keywords are never free; predeclared functions may be hidden by a local of the source itself. */
export type ReservedUse = "file" | "variable" | "type" | "function" | "entry" | "local" | "own-local" | "member";

const words = (text: string): readonly string[] => text.trim().split(/\s+/);

const c = words(`auto break case char const continue default do double else enum extern float for goto if inline int long
  register restrict return short signed sizeof static struct switch typedef union unsigned void volatile while bool true false`);

const cpp = words(`alignas alignof and and_eq asm bitand bitor catch class compl const_cast constexpr decltype delete
  dynamic_cast explicit export friend mutable namespace new noexcept not not_eq nullptr operator or or_eq private protected
  public reinterpret_cast static_assert static_cast template this thread_local throw try typeid typename using virtual wchar_t
  xor xor_eq char16_t char32_t`);

/** Type names T, T2, T3, T4 (and n by m for matrices). */
function vectors(scalars: readonly string[], sizes: readonly number[]): string[] {
  return scalars.flatMap((s) => [s, ...sizes.map((n) => `${s}${n}`)]);
}
function matrices(scalars: readonly string[]): string[] {
  return scalars.flatMap((s) => [2, 3, 4].flatMap((a) => [2, 3, 4].map((b) => `${s}${a}x${b}`)));
}

const mathNames = words(`abs acos acosh all any asin asinh atan atan2 atanh ceil clamp clz cos cosh cross ctz degrees distance
  dot exp exp10 exp2 fabs fdim floor fma fmax fmin fmod fract frexp isfinite isinf isnan ldexp length log log10 log2 mad max
  min mix modf normalize popcount pow radians reflect refract rint rotate round rsqrt saturate select sign sin sincos sinh
  smoothstep sqrt step tan tanh trunc`);

const keywords: Readonly<Record<Target, ReadonlySet<string>>> = {
  msl: new Set([
    ...c, ...cpp, ...vectors(words("bool char uchar short ushort int uint long ulong half float bfloat"), [2, 3, 4]), ...matrices(["half", "float"]),
    ...words(`kernel vertex fragment device constant threadgroup threadgroup_imageblock thread ray_data object_data metal
      size_t ptrdiff_t int8_t uint8_t int16_t uint16_t int32_t uint32_t int64_t uint64_t atomic_int atomic_uint atomic_bool
      atomic_ulong atomic_float atomic sampler texture1d texture2d texture3d texturecube buffer array simd_vote quad_vote mem_flags
      memory_order_relaxed packed_float2 packed_float3 packed_float4 packed_half2 packed_half3 packed_half4 packed_int2
      packed_int3 packed_int4 packed_uint2 packed_uint3 packed_uint4 as_type mesh object visible stitchable intersection main
      INFINITY NAN FLT_MAX FLT_MIN FLT_EPSILON M_PI_F MAXFLOAT HUGE_VALF INT_MAX INT_MIN UINT_MAX`),
  ]),
  glsl: new Set([
    ...words(`const uniform buffer shared attribute varying coherent volatile restrict readonly writeonly atomic_uint layout
      centroid flat smooth noperspective patch sample invariant precise break continue do for while switch case default if else
      subroutine in out inout int void bool true false float double discard return struct uint lowp mediump highp precision
      common partition active asm class union enum typedef template this resource goto inline noinline public static extern
      external interface long short half fixed unsigned superp input output filter sizeof cast namespace using
      hvec2 hvec3 hvec4 fvec2 fvec3 fvec4 sampler3DRect
      vec2 vec3 vec4 ivec2 ivec3 ivec4 bvec2 bvec3 bvec4 uvec2 uvec3 uvec4 dvec2 dvec3 dvec4 mat2 mat3 mat4
      float16_t f16vec2 f16vec3 f16vec4 int8_t uint8_t int16_t uint16_t int32_t uint32_t int64_t uint64_t float32_t float64_t
      i8vec2 i8vec3 i8vec4 u8vec2 u8vec3 u8vec4 i16vec2 i16vec3 i16vec4 u16vec2 u16vec3 u16vec4 i64vec2 i64vec3 i64vec4
      u64vec2 u64vec3 u64vec4 sampler1D sampler2D sampler3D samplerCube sampler image1D image2D image3D texture1D texture2D
      texture3D textureBuffer samplerBuffer subpassInput main sampler2DArray image2DArray iimage2D uimage2D`),
    ...[2, 3, 4].flatMap((a) => [2, 3, 4].flatMap((b) => [`mat${a}x${b}`, `dmat${a}x${b}`])),
  ]),
  opencl: new Set([
    ...c, ...vectors(words("char uchar short ushort int uint long ulong half float double"), [2, 3, 4, 8, 16]),
    ...words(`__kernel kernel __global global __local local __constant constant __private private __generic generic __attribute__
      __read_only read_only __write_only write_only __read_write read_write uniform pipe complex imaginary _Bool _Complex
      _Imaginary half quad size_t ptrdiff_t intptr_t uintptr_t uchar ushort uint ulong image1d_t image2d_t image3d_t sampler_t
      event_t queue_t ndrange_t clk_event_t reserve_id_t cl_mem_fence_flags atomic_int atomic_uint atomic_long atomic_ulong
      atomic_float atomic_flag memory_order memory_scope NULL main asm typeof INFINITY NAN FLT_MAX FLT_MIN FLT_EPSILON M_PI_F M_PI
      M_E MAXFLOAT HUGE_VALF INT_MAX INT_MIN UINT_MAX CHAR_BIT`),
  ]),
  hlsl: new Set([
    ...c, ...vectors(words("bool int uint dword half float double min16float min10float min16int min12int min16uint int16_t uint16_t int32_t uint32_t int64_t uint64_t float16_t float32_t float64_t"), [1, 2, 3, 4]),
    ...matrices(words("bool int uint half float double min16float min16int min16uint")),
    ...words(`AppendStructuredBuffer asm asm_fragment BlendState Buffer ByteAddressBuffer cbuffer centroid class column_major compile
      compile_fragment CompileShader ComputeShader ConsumeStructuredBuffer DepthStencilState DepthStencilView discard DomainShader
      dword export fxgroup GeometryShader groupshared half Hullshader in inout InputPatch interface line lineadj linear LineStream
      matrix namespace nointerpolation noperspective NULL out OutputPatch packoffset pass pixelfragment PixelShader point
      PointStream precise RasterizerState RenderTargetView register row_major RWBuffer RWByteAddressBuffer RWStructuredBuffer
      RWTexture1D RWTexture2D RWTexture3D sample sampler SamplerState SamplerComparisonState shared snorm stateblock
      stateblock_state string StructuredBuffer tbuffer technique technique10 technique11 texture Texture1D Texture2D Texture3D
      TextureCube triangle triangleadj TriangleStream uniform unorm vector vertexfragment VertexShader globallycoherent
      unsigned template typename this operator ConstantBuffer using catch throw try new delete dynamic_cast const_cast
      static_cast reinterpret_cast explicit friend mutable private protected public sizeof typeid union virtual char short goto`),
  ]),
  ts: new Set(words(`abstract arguments as async await boolean break case catch class const constructor continue debugger declare
    default delete do else enum eval export extends false finally for from function get if implements import in instanceof
    interface is keyof let module namespace never new null number object of package private protected public readonly require
    return set static string super switch symbol this throw true try type typeof undefined unknown var void while with yield
    globalThis Math Array ArrayBuffer DataView Number BigInt Infinity NaN`)),
}; // prettier-ignore

/** Predeclared functions: not used as names of functions and file-scope things, nor of locals brought in from elsewhere. */
const predeclared: Readonly<Record<Target, ReadonlySet<string>>> = {
  msl: new Set([
    ...mathNames,
    ...words(`absdiff addsat subsat hadd rhadd mul24 mad24 mulhi madhi madsat extract_bits insert_bits reverse_bits copysign powr
      sinpi cospi tanpi median3 min3 max3 fmin3 fmax3 fmedian3 nextafter ilogb simd_sum simd_shuffle simd_ballot simd_all simd_any
      simd_broadcast simd_broadcast_first simd_is_first simd_max simd_min simd_product simd_and simd_or simd_xor quad_broadcast
      threadgroup_barrier simdgroup_barrier atomic_thread_fence faceforward determinant transpose length_squared divide`),
  ]),
  glsl: new Set([
    ...mathNames.filter((n) => !["atan2", "clz", "ctz", "exp10", "fabs", "fdim", "fmax", "fmin", "fmod", "isfinite", "log10", "mad", "popcount", "rint", "rotate", "rsqrt", "saturate", "select", "sincos"].includes(n)),
    ...words(`inversesqrt roundEven mod floatBitsToInt floatBitsToUint intBitsToFloat uintBitsToFloat packHalf2x16 unpackHalf2x16
      packUnorm2x16 packSnorm2x16 packUnorm4x8 packSnorm4x8 unpackUnorm2x16 unpackSnorm2x16 unpackUnorm4x8 unpackSnorm4x8
      faceforward matrixCompMult outerProduct transpose determinant inverse lessThan lessThanEqual greaterThan greaterThanEqual
      equal notEqual not uaddCarry usubBorrow umulExtended imulExtended bitfieldExtract bitfieldInsert bitfieldReverse bitCount
      findLSB findMSB atomicAdd atomicMin atomicMax atomicAnd atomicOr atomicXor atomicExchange atomicCompSwap barrier
      memoryBarrier groupMemoryBarrier memoryBarrierBuffer memoryBarrierShared texture noise1 noise2 noise3 noise4 ftransform`),
  ]),
  opencl: new Set([
    ...mathNames,
    ...words(`abs_diff add_sat sub_sat hadd rhadd mul24 mad24 mul_hi mad_hi mad_sat upsample bitselect isequal isnotequal isgreater
      isless islessequal isgreaterequal isordered isunordered isnormal signbit copysign cbrt erf erfc expm1 fast_distance
      fast_length fast_normalize hypot ilogb lgamma lgamma_r log1p logb maxmag minmag nan nextafter pown powr remainder remquo
      rootn sinpi cospi tanpi tgamma native_sin native_cos shuffle shuffle2 barrier mem_fence read_mem_fence write_mem_fence
      prefetch async_work_group_copy wait_group_events printf get_global_id get_local_id get_group_id atomic_add atomic_sub
      atomic_xchg atomic_inc atomic_dec atomic_cmpxchg atomic_min atomic_max atomic_and atomic_or atomic_xor vload2 vload3 vload4
      vload8 vload16 vstore2 vstore3 vstore4 vstore8 vstore16 vload_half vstore_half work_group_barrier sub_group_barrier y0 y1
      j0 j1`),
  ]),
  hlsl: new Set([
    ...mathNames.filter((n) => !["acosh", "asinh", "atanh", "clz", "ctz", "exp10", "fabs", "fdim", "fma", "fmax", "fmin", "mix", "fract", "popcount", "rint", "rotate"].includes(n)),
    ...words(`asfloat asint asuint asdouble f16tof32 f32tof16 countbits firstbithigh firstbitlow reversebits frac lerp rcp mul
      transpose determinant ddx ddy fwidth AllMemoryBarrier DeviceMemoryBarrier GroupMemoryBarrier
      InterlockedAdd InterlockedMin InterlockedMax InterlockedAnd InterlockedOr InterlockedXor InterlockedExchange
      InterlockedCompareExchange InterlockedCompareStore WaveGetLaneIndex WaveGetLaneCount msad4 faceforward D3DCOLORtoUBYTE4
      tex1D tex2D tex3D texCUBE`),
  ]),
  ts: new Set(),
}; // prettier-ignore

/** `called`: predeclared functions the text calls; a variable must not hide those. */
export function isReserved(target: Target, name: string, use: ReservedUse, called?: ReadonlySet<string>): boolean {
  if (target === "hlsl" && use === "entry" && name === "main") return false;
  if (target === "glsl" && use === "entry" && name === "main") return false;
  if (keywords[target].has(name)) return true;
  if (target !== "ts" && use !== "member" && /^__/.test(name)) return true;
  if (use === "member" || use === "own-local") return false;
  if (called && (use === "local" || use === "variable")) return called.has(name);
  // The functions of GL_KHR_shader_subgroup_*: glslang knows them whether or not the extension is asked for.
  if (target === "glsl" && /^subgroup[A-Z][A-Za-z]*$/.test(name)) return true;
  return predeclared[target].has(name);
}
