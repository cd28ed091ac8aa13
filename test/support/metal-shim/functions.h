// Functions of metal_stdlib for kernels. Overloads are the specification's: where a call of real Metal is ambiguous or
// has no match, it is here too.
#pragma once
#include "types.h"

#define NAN (__builtin_nanf(""))
#define INFINITY (__builtin_inff())
#define HUGE_VALF (__builtin_inff())
#define MAXFLOAT 3.402823466e+38f
#define FLT_MAX 3.402823466e+38f
#define FLT_MIN 1.175494351e-38f
#define FLT_EPSILON 1.192092896e-07f
#define FLT_DIG 6
#define FLT_MANT_DIG 24
#define FLT_RADIX 2
#define FLT_MAX_EXP 128
#define FLT_MIN_EXP (-125)
#define FLT_MAX_10_EXP 38
#define FLT_MIN_10_EXP (-37)
#define HALF_DIG 3
#define HALF_MANT_DIG 11
#define HALF_RADIX 2
#define HALF_MAX_EXP 16
#define HALF_MIN_EXP (-13)
#define HALF_MAX_10_EXP 4
#define HALF_MIN_10_EXP (-4)
#define MAXHALF 65504.0h
#define HUGE_VALH ((half)__builtin_inff())
#define HALF_MAX 65504.0h
#define HALF_MIN 6.103515625e-05h
#define HALF_EPSILON 9.765625e-04h
#define CHAR_BIT 8
#define SCHAR_MAX 127
#define SCHAR_MIN (-128)
#define UCHAR_MAX 255
#define CHAR_MAX 127
#define CHAR_MIN (-128)
#define SHRT_MAX 32767
#define SHRT_MIN (-32768)
#define USHRT_MAX 65535
#define INT_MAX 2147483647
#define INT_MIN (-2147483647 - 1)
#define UINT_MAX 0xffffffffu
#define LONG_MAX 0x7fffffffffffffffl
#define LONG_MIN (-0x7fffffffffffffffl - 1)
#define ULONG_MAX 0xfffffffffffffffful
#define M_E_F 2.71828182845904523536028747135266250f
#define M_LOG2E_F 1.44269504088896340735992468100189214f
#define M_LOG10E_F 0.434294481903251827651128918916605082f
#define M_LN2_F 0.693147180559945309417232121458176568f
#define M_LN10_F 2.30258509299404568401799145468436421f
#define M_PI_F 3.14159265358979323846264338327950288f
#define M_PI_2_F 1.57079632679489661923132169163975144f
#define M_PI_4_F 0.785398163397448309615660845819875721f
#define M_1_PI_F 0.318309886183790671537767526745028724f
#define M_2_PI_F 0.636619772367581343075535053490057448f
#define M_2_SQRTPI_F 1.12837916709551257389615890312154517f
#define M_SQRT2_F 1.41421356237309504880168872420969808f
#define M_SQRT1_2_F 0.707106781186547524400844362104849039f
#define M_E_H 2.71828182845904523536028747135266250h
#define M_LOG2E_H 1.44269504088896340735992468100189214h
#define M_LOG10E_H 0.434294481903251827651128918916605082h
#define M_LN2_H 0.693147180559945309417232121458176568h
#define M_LN10_H 2.30258509299404568401799145468436421h
#define M_PI_H 3.14159265358979323846264338327950288h
#define M_PI_2_H 1.57079632679489661923132169163975144h
#define M_PI_4_H 0.785398163397448309615660845819875721h
#define M_1_PI_H 0.318309886183790671537767526745028724h
#define M_2_PI_H 0.636619772367581343075535053490057448h
#define M_2_SQRTPI_H 1.12837916709551257389615890312154517h
#define M_SQRT2_H 1.41421356237309504880168872420969808h
#define M_SQRT1_2_H 0.707106781186547524400844362104849039h

namespace metal {

#define SHIM_MATH(T, I) SHIM_MATH_OF(T, T, I)
#define SHIM_MATH_OF(R, T, I)                                                                                      \
  R acos(T); R acosh(T); R asin(T); R asinh(T); R atan(T); R atan2(T, T); R atanh(T); R ceil(T);                 \
  R copysign(T, T); R cos(T); R cosh(T); R cospi(T); R divide(T, T); R exp(T); R exp10(T); R exp2(T);            \
  R fabs(T); R abs(T); R fdim(T, T); R floor(T); R fma(T, T, T); R fmax(T, T); R fmax3(T, T, T);                 \
  R fmedian3(T, T, T); R fmin(T, T); R fmin3(T, T, T); R fmod(T, T); R fract(T); R frexp(T, thread I&);          \
  I ilogb(T); R ldexp(T, I); R log(T); R log10(T); R log2(T); R max(T, T); R max3(T, T, T);                      \
  R median3(T, T, T); R min(T, T); R min3(T, T, T); R modf(T, thread R&); R pow(T, T); R powr(T, T); R rint(T);  \
  R round(T); R rsqrt(T); R sin(T); R sincos(T, thread R&); R sinh(T); R sinpi(T); R sqrt(T); R tan(T);          \
  R tanh(T); R tanpi(T); R trunc(T);                                                                             \
  R clamp(T, T, T); R mix(T, T, T); R saturate(T); R sign(T); R smoothstep(T, T, T); R step(T, T);

#define SHIM_RELATIONAL(T, B)                                                                                      \
  B isfinite(T); B isinf(T); B isnan(T); B isnormal(T); B isordered(T, T); B isunordered(T, T); B signbit(T);

#define SHIM_FLOAT_TYPES(M) M(half, int, bool) M(float, int, bool)
#define SHIM_FLOAT_VECTORS(M)                                                        \
  M(half2, int2, bool2, half) M(half3, int3, bool3, half) M(half4, int4, bool4, half) \
  M(float2, int2, bool2, float) M(float3, int3, bool3, float) M(float4, int4, bool4, float)

#define SHIM_SCALAR_FLOAT(T, I, B) SHIM_MATH(T, I) SHIM_RELATIONAL(T, B) T select(T, T, B);
#define SHIM_VECTOR_FLOAT(T, I, B, E)                                                                              \
  SHIM_MATH(T, I) SHIM_RELATIONAL(T, B) T select(T, T, B);                                                           \
  E distance(T, T); E distance_squared(T, T); E dot(T, T); T faceforward(T, T, T); E length(T);                  \
  E length_squared(T); T normalize(T); T reflect(T, T); T refract(T, T, E);
SHIM_FLOAT_TYPES(SHIM_SCALAR_FLOAT)
SHIM_FLOAT_VECTORS(SHIM_VECTOR_FLOAT)
#if __METAL_VERSION__ >= 310
// Of its functions those of MSL 3.1 table 6.3 take bfloat; to others of them a scalar is a float.
SHIM_MATH_OF(float, bfloat, int)
#define SHIM_BFLOAT(T, B) SHIM_RELATIONAL(T, B) T select(T, T, B);
SHIM_BFLOAT(bfloat, bool)
SHIM_BFLOAT(bfloat2, bool2)
SHIM_BFLOAT(bfloat3, bool3)
SHIM_BFLOAT(bfloat4, bool4)
#endif
half3 cross(half3, half3);
float3 cross(float3, float3);
#if __METAL_VERSION__ >= 310
#define SHIM_NEXTAFTER(T, ...) T nextafter(T, T);
SHIM_FLOAT_TYPES(SHIM_NEXTAFTER)
SHIM_FLOAT_VECTORS(SHIM_NEXTAFTER)
#endif

#define SHIM_VARIANTS                                                       \
  SHIM_MATH(float, int)                                                     \
  SHIM_MATH(float2, int2)                                                   \
  SHIM_MATH(float3, int3)                                                   \
  SHIM_MATH(float4, int4)                                                   \
  float distance(float2, float2); float distance(float3, float3); float distance(float4, float4); \
  float length(float2); float length(float3); float length(float4);         \
  float2 normalize(float2); float3 normalize(float3); float4 normalize(float4);
namespace precise { SHIM_VARIANTS }
namespace fast { SHIM_VARIANTS }

#define SHIM_INTEGER(T, U, B)                                                                                      \
  T abs(T); U absdiff(T, T); T addsat(T, T); T clamp(T, T, T); T clz(T); T ctz(T); T extract_bits(T, uint, uint); \
  T hadd(T, T); T insert_bits(T, T, uint, uint); T madhi(T, T, T); T madsat(T, T, T); T max(T, T);               \
  T max3(T, T, T); T median3(T, T, T); T min(T, T); T min3(T, T, T); T mulhi(T, T); T popcount(T);               \
  T reverse_bits(T); T rhadd(T, T); T rotate(T, T); T subsat(T, T); T select(T, T, B);
#define SHIM_INTEGERS(T, U)                                                       \
  SHIM_INTEGER(T, U, bool) SHIM_INTEGER(T##2, U##2, bool2) SHIM_INTEGER(T##3, U##3, bool3) SHIM_INTEGER(T##4, U##4, bool4)
SHIM_INTEGERS(char, uchar)
SHIM_INTEGERS(uchar, uchar)
SHIM_INTEGERS(short, ushort)
SHIM_INTEGERS(ushort, ushort)
SHIM_INTEGERS(int, uint)
SHIM_INTEGERS(uint, uint)
SHIM_INTEGERS(long, ulong)
SHIM_INTEGERS(ulong, ulong)
#define SHIM_24(T) T mul24(T, T); T mad24(T, T, T);
SHIM_24(int) SHIM_24(int2) SHIM_24(int3) SHIM_24(int4) SHIM_24(uint) SHIM_24(uint2) SHIM_24(uint3) SHIM_24(uint4)

#define SHIM_BOOL(B) B select(B, B, B);
SHIM_BOOL(bool) SHIM_BOOL(bool2) SHIM_BOOL(bool3) SHIM_BOOL(bool4)
template <class B, class = metal_shim::enable_if_t<metal_shim::shape<B>::k == metal_shim::boolean>> bool all(B);
template <class B, class = metal_shim::enable_if_t<metal_shim::shape<B>::k == metal_shim::boolean>> bool any(B);

float4 unpack_unorm4x8_to_float(uint);
float4 unpack_snorm4x8_to_float(uint);
half4 unpack_unorm4x8_to_half(uint);
half4 unpack_snorm4x8_to_half(uint);
float4 unpack_unorm4x8_srgb_to_float(uint);
half4 unpack_unorm4x8_srgb_to_half(uint);
float4 unpack_unorm10a2_to_float(uint);
half4 unpack_unorm10a2_to_half(uint);
float3 unpack_unorm565_to_float(ushort);
half3 unpack_unorm565_to_half(ushort);
float2 unpack_unorm2x16_to_float(uint);
float2 unpack_snorm2x16_to_float(uint);
half2 unpack_unorm2x16_to_half(uint);
half2 unpack_snorm2x16_to_half(uint);
uint pack_float_to_unorm4x8(float4);
uint pack_float_to_snorm4x8(float4);
uint pack_half_to_unorm4x8(half4);
uint pack_half_to_snorm4x8(half4);
uint pack_float_to_unorm2x16(float2);
uint pack_float_to_snorm2x16(float2);
uint pack_half_to_unorm2x16(half2);
uint pack_half_to_snorm2x16(half2);
uint pack_float_to_srgb_unorm4x8(float4);
uint pack_half_to_srgb_unorm4x8(half4);
uint pack_float_to_unorm10a2(float4);
uint pack_half_to_unorm10a2(half4);
ushort pack_float_to_unorm565(float3);
ushort pack_half_to_unorm565(half3);

// Synchronisation.
enum class mem_flags { mem_none = 0, mem_device = 1, mem_threadgroup = 2, mem_texture = 4, mem_threadgroup_imageblock = 8 };
constexpr mem_flags operator|(mem_flags a, mem_flags b) { return static_cast<mem_flags>(static_cast<int>(a) | static_cast<int>(b)); }
void threadgroup_barrier(mem_flags);
void simdgroup_barrier(mem_flags);

struct shim_relaxed {};
constexpr shim_relaxed memory_order_relaxed{};
#if __METAL_VERSION__ >= 320
struct shim_seq_cst {};
constexpr shim_seq_cst memory_order_seq_cst{};
struct shim_fence_order {
  shim_fence_order(shim_relaxed);
  shim_fence_order(shim_seq_cst);
};
enum thread_scope { thread_scope_thread, thread_scope_simdgroup, thread_scope_threadgroup, thread_scope_device };
void atomic_thread_fence(mem_flags, shim_fence_order, thread_scope = thread_scope_device);
#endif

// Atomics: no value of these types can be read, written or copied but through the functions.
template <class T> class shim_atomic {
 public:
  shim_atomic() = default;
  shim_atomic(const shim_atomic&) = delete;
  shim_atomic& operator=(const shim_atomic&) = delete;

 private:
  T value;
};
using shim_atomic_int = shim_atomic<int>;
using shim_atomic_uint = shim_atomic<uint>;
using shim_atomic_bool = shim_atomic<bool>;
using shim_atomic_float = shim_atomic<float>;
using shim_atomic_ulong = shim_atomic<ulong>;
template <class T> using atomic = shim_atomic<T>;

#define SHIM_ATOMIC_ACCESS(S, T)                                                                                      \
  void atomic_store_explicit(volatile S shim_atomic<T>*, T, shim_relaxed);                                              \
  T atomic_load_explicit(const volatile S shim_atomic<T>*, shim_relaxed);                                               \
  T atomic_exchange_explicit(volatile S shim_atomic<T>*, T, shim_relaxed);                                              \
  bool atomic_compare_exchange_weak_explicit(volatile S shim_atomic<T>*, thread T*, T, shim_relaxed, shim_relaxed);
#define SHIM_ATOMIC_SUM(S, T)                                               \
  T atomic_fetch_add_explicit(volatile S shim_atomic<T>*, T, shim_relaxed);   \
  T atomic_fetch_sub_explicit(volatile S shim_atomic<T>*, T, shim_relaxed);
#define SHIM_ATOMIC_INTEGER(S, T)                                           \
  SHIM_ATOMIC_ACCESS(S, T)                                                  \
  SHIM_ATOMIC_SUM(S, T)                                                     \
  T atomic_fetch_and_explicit(volatile S shim_atomic<T>*, T, shim_relaxed);   \
  T atomic_fetch_or_explicit(volatile S shim_atomic<T>*, T, shim_relaxed);    \
  T atomic_fetch_xor_explicit(volatile S shim_atomic<T>*, T, shim_relaxed);   \
  T atomic_fetch_min_explicit(volatile S shim_atomic<T>*, T, shim_relaxed);   \
  T atomic_fetch_max_explicit(volatile S shim_atomic<T>*, T, shim_relaxed);
SHIM_ATOMIC_INTEGER(device, int)
SHIM_ATOMIC_INTEGER(device, uint)
SHIM_ATOMIC_INTEGER(threadgroup, int)
SHIM_ATOMIC_INTEGER(threadgroup, uint)
SHIM_ATOMIC_ACCESS(device, bool)
SHIM_ATOMIC_ACCESS(threadgroup, bool)
SHIM_ATOMIC_ACCESS(device, float)
SHIM_ATOMIC_SUM(device, float)
void atomic_min_explicit(volatile device shim_atomic<ulong>*, ulong, shim_relaxed);
void atomic_max_explicit(volatile device shim_atomic<ulong>*, ulong, shim_relaxed);

// SIMD-groups and quad-groups: half, float and integers of at most 32 bits. No bool, no 64-bit type.
template <class T> constexpr bool shim_lane_value = (metal_shim::shape<T>::k == metal_shim::integer || metal_shim::shape<T>::k == metal_shim::floating) &&
    !metal_shim::same<typename metal_shim::shape<T>::element, long>::value && !metal_shim::same<typename metal_shim::shape<T>::element, ulong>::value &&
#if __METAL_VERSION__ >= 310
    !metal_shim::same<typename metal_shim::shape<T>::element, bfloat>::value &&
#endif
    true;
template <class T> constexpr bool shim_lane_integer = shim_lane_value<T> && metal_shim::shape<T>::k == metal_shim::integer;

#define SHIM_LANE template <class T, class = metal_shim::enable_if_t<shim_lane_value<T>>>
#define SHIM_LANE_INT template <class T, class = metal_shim::enable_if_t<shim_lane_integer<T>>>
// By the first version for macOS (MSL 3.1, 6.9.2 and 6.9.3).
#define SHIM_GROUP_SHUFFLES(p)                                                         \
  SHIM_LANE T p##_broadcast(T, ushort);                                                \
  SHIM_LANE T p##_shuffle(T, ushort);                                                  \
  SHIM_LANE T p##_shuffle_xor(T, ushort);                                              \
  SHIM_LANE T p##_shuffle_up(T, ushort);                                               \
  SHIM_LANE T p##_shuffle_down(T, ushort);
#define SHIM_GROUP_FILLS(p)                                                            \
  SHIM_LANE T p##_shuffle_and_fill_up(T, T, ushort);                                   \
  SHIM_LANE T p##_shuffle_and_fill_up(T, T, ushort, ushort);                           \
  SHIM_LANE T p##_shuffle_and_fill_down(T, T, ushort);                                 \
  SHIM_LANE T p##_shuffle_and_fill_down(T, T, ushort, ushort);
#define SHIM_GROUP_VOTES(p)                                                            \
  SHIM_LANE T p##_broadcast_first(T);                                                  \
  SHIM_LANE T p##_shuffle_rotate_up(T, ushort);                                        \
  SHIM_LANE T p##_shuffle_rotate_down(T, ushort);                                      \
  bool p##_all(bool);                                                                  \
  bool p##_any(bool);                                                                  \
  bool p##_is_first();                                                                 \
  class p##_vote {                                                                     \
   public:                                                                             \
    using vote_t = ulong;                                                              \
    explicit p##_vote(vote_t);                                                         \
    explicit operator vote_t() const;                                                  \
    bool all() const;                                                                  \
    bool any() const;                                                                  \
                                                                                       \
   private:                                                                            \
    vote_t value;                                                                      \
  };                                                                                   \
  p##_vote p##_ballot(bool);                                                           \
  p##_vote p##_active_threads_mask();
#define SHIM_GROUP_REDUCTIONS(p)                                                       \
  SHIM_LANE T p##_sum(T);                                                              \
  SHIM_LANE T p##_product(T);                                                          \
  SHIM_LANE T p##_min(T);                                                              \
  SHIM_LANE T p##_max(T);                                                              \
  SHIM_LANE_INT T p##_and(T);                                                          \
  SHIM_LANE_INT T p##_or(T);                                                           \
  SHIM_LANE_INT T p##_xor(T);                                                          \
  SHIM_LANE T p##_prefix_inclusive_sum(T);                                             \
  SHIM_LANE T p##_prefix_exclusive_sum(T);                                             \
  SHIM_LANE T p##_prefix_inclusive_product(T);                                         \
  SHIM_LANE T p##_prefix_exclusive_product(T);
SHIM_GROUP_SHUFFLES(simd)
#if __METAL_VERSION__ >= 210
SHIM_GROUP_VOTES(simd)
SHIM_GROUP_REDUCTIONS(simd)
SHIM_GROUP_SHUFFLES(quad)
SHIM_GROUP_VOTES(quad)
SHIM_GROUP_REDUCTIONS(quad)
#endif
#if __METAL_VERSION__ >= 240
SHIM_GROUP_FILLS(simd)
SHIM_GROUP_FILLS(quad)
#endif

// SIMD-group matrices (MSL 3.1 section 6.7). That a, b and d may differ in type is no part of the specification: Apple's header
// takes it, and its compiler has an intrinsic for each of the combinations.
#if __METAL_VERSION__ >= 230
template <class T, int Cols, int Rows = Cols> simdgroup_matrix<T, Cols, Rows> make_filled_simdgroup_matrix(T);
#define SHIM_MATRIX_MEMORY(space)                                                                       \
  template <class T, int C, int R>                                                                     \
  void simdgroup_load(thread simdgroup_matrix<T, C, R>&, const space T*, ulong = C, ulong2 = 0, bool = false); \
  template <class T, int C, int R>                                                                     \
  void simdgroup_store(simdgroup_matrix<T, C, R>, space T*, ulong = C, ulong2 = 0, bool = false);
SHIM_MATRIX_MEMORY(device)
SHIM_MATRIX_MEMORY(threadgroup)
template <class T, class U, class V, int C, int R, int K>
void simdgroup_multiply(thread simdgroup_matrix<T, C, R>&, simdgroup_matrix<U, K, R>, simdgroup_matrix<V, C, K>);
template <class T, class U, class V, class W, int C, int R, int K>
void simdgroup_multiply_accumulate(thread simdgroup_matrix<T, C, R>&, simdgroup_matrix<U, K, R>, simdgroup_matrix<V, C, K>,
                                   simdgroup_matrix<W, C, R>);
// Of Apple's header, which the specification leaves out.
template <class T, class U, int C, int R, int K>
simdgroup_matrix<T, C, R> operator*(simdgroup_matrix<T, K, R>, simdgroup_matrix<U, C, K>);
#endif

template <class T> bool is_function_constant_defined(const T&);

#if __METAL_VERSION__ >= 320
// <metal_logging>
struct os_log {
  template <class... A> void log(const __constant char*, A...) const __constant;
};
extern const __constant os_log os_log_default;
#endif

}  // namespace metal
