// Scalar, vector, packed and matrix types. Read after judges/msl.ts has rewritten the text: see README.md.
#pragma once
#pragma OPENCL EXTENSION __cl_clang_non_portable_kernel_param_types : enable
#pragma OPENCL EXTENSION cl_khr_fp16 : enable

// Four address spaces that do not convert into one another, all of them below the generic one, so that implicit
// members of a user's structs (`this` is generic) work in each.
#define device __attribute__((opencl_global_device))
#define constant const __attribute__((opencl_global_host))
#define threadgroup __attribute__((opencl_local))
#define thread __attribute__((opencl_private))
#if __METAL_VERSION__ >= 320
#define coherent(scope)
#endif

typedef unsigned char uchar;
typedef unsigned short ushort;
typedef unsigned int uint;
typedef unsigned long ulong;
typedef signed char int8_t;
typedef uchar uint8_t;
typedef short int16_t;
typedef ushort uint16_t;
typedef int int32_t;
typedef uint uint32_t;
typedef long int64_t;
typedef ulong uint64_t;
typedef ulong size_t;
typedef long ptrdiff_t;
// What host and shaders share of indirect commands (Metal's headers).
struct MTLDispatchThreadgroupsIndirectArguments { uint32_t threadgroupsPerGrid[3]; };
struct MTLDispatchThreadsIndirectArguments { uint32_t threadsPerGrid[3]; uint32_t threadsPerThreadgroup[3]; };
struct MTLStageInRegionIndirectArguments { uint32_t stageInOrigin[3]; uint32_t stageInSize[3]; };
struct MTLDrawPrimitivesIndirectArguments { uint32_t vertexCount; uint32_t instanceCount; uint32_t vertexStart; uint32_t baseInstance; };
struct MTLDrawIndexedPrimitivesIndirectArguments { uint32_t indexCount; uint32_t instanceCount; uint32_t indexStart; int32_t baseVertex; uint32_t baseInstance; };
struct MTLDrawPatchIndirectArguments { uint32_t patchCount; uint32_t instanceCount; uint32_t patchStart; uint32_t baseInstance; };
struct MTLIndirectCommandBufferExecutionRange { uint32_t location; uint32_t length; };

#define SHIM_VECTORS(T, name)                                     \
  typedef T name##2 __attribute__((ext_vector_type(2)));        \
  typedef T name##3 __attribute__((ext_vector_type(3)));        \
  typedef T name##4 __attribute__((ext_vector_type(4)));
SHIM_VECTORS(char, char)
SHIM_VECTORS(uchar, uchar)
SHIM_VECTORS(short, short)
SHIM_VECTORS(ushort, ushort)
SHIM_VECTORS(int, int)
SHIM_VECTORS(uint, uint)
SHIM_VECTORS(long, long)
SHIM_VECTORS(ulong, ulong)
SHIM_VECTORS(half, half)
#if __METAL_VERSION__ >= 310
// OpenCL C++ has no __bf16 here. `_Float16` is a type of its own beside `half`, of its size, and is used for nothing else.
typedef _Float16 bfloat;
SHIM_VECTORS(bfloat, bfloat)
#endif
SHIM_VECTORS(float, float)
// OpenCL C++ has no vector of bool. `signed char` is a type of its own beside `char` and is used for nothing else.
typedef signed char shim_bool;
SHIM_VECTORS(shim_bool, bool)

namespace metal_shim {

template <bool B, class T = void> struct enable_if {};
template <class T> struct enable_if<true, T> { using type = T; };
template <bool B, class T = void> using enable_if_t = typename enable_if<B, T>::type;
template <class A, class B> struct same { static constexpr bool value = false; };
template <class A> struct same<A, A> { static constexpr bool value = true; };

enum kind { other, boolean, integer, floating };

// What a type is: kind of its elements, their type, and their number (0 for what is neither scalar nor vector).
template <class T> struct shape {
  static constexpr kind k = other;
  static constexpr int n = 0;
  using element = void;
};
#define SHIM_SHAPE(T, name, K)                                                                                       \
  template <> struct shape<T> { static constexpr kind k = K; static constexpr int n = 1; using element = T; };     \
  template <> struct shape<name##2> { static constexpr kind k = K; static constexpr int n = 2; using element = T; }; \
  template <> struct shape<name##3> { static constexpr kind k = K; static constexpr int n = 3; using element = T; }; \
  template <> struct shape<name##4> { static constexpr kind k = K; static constexpr int n = 4; using element = T; };
SHIM_SHAPE(char, char, integer)
SHIM_SHAPE(uchar, uchar, integer)
SHIM_SHAPE(short, short, integer)
SHIM_SHAPE(ushort, ushort, integer)
SHIM_SHAPE(int, int, integer)
SHIM_SHAPE(uint, uint, integer)
SHIM_SHAPE(long, long, integer)
SHIM_SHAPE(ulong, ulong, integer)
SHIM_SHAPE(half, half, floating)
#if __METAL_VERSION__ >= 310
SHIM_SHAPE(bfloat, bfloat, floating)
#endif
SHIM_SHAPE(float, float, floating)
SHIM_SHAPE(shim_bool, bool, boolean)
template <> struct shape<bool> { static constexpr kind k = boolean; static constexpr int n = 1; using element = shim_bool; };

template <class T> constexpr bool is_vector = shape<T>::n > 1;
template <class T> constexpr bool is_scalar = shape<T>::n == 1;

template <int N> struct bool_vector;
template <> struct bool_vector<2> { using type = bool2; };
template <> struct bool_vector<3> { using type = bool3; };
template <> struct bool_vector<4> { using type = bool4; };

template <class T, int N> struct vector_of;
#define SHIM_VECTOR_OF(T, name)                                  \
  template <> struct vector_of<T, 2> { using type = name##2; }; \
  template <> struct vector_of<T, 3> { using type = name##3; }; \
  template <> struct vector_of<T, 4> { using type = name##4; };
SHIM_VECTOR_OF(char, char)
SHIM_VECTOR_OF(uchar, uchar)
SHIM_VECTOR_OF(short, short)
SHIM_VECTOR_OF(ushort, ushort)
SHIM_VECTOR_OF(int, int)
SHIM_VECTOR_OF(uint, uint)
SHIM_VECTOR_OF(long, long)
SHIM_VECTOR_OF(ulong, ulong)
SHIM_VECTOR_OF(half, half)
#if __METAL_VERSION__ >= 310
SHIM_VECTOR_OF(bfloat, bfloat)
#endif
SHIM_VECTOR_OF(float, float)
SHIM_VECTOR_OF(bool, bool)

}  // namespace metal_shim

namespace metal {

// The types are known without and within the namespace.
#define SHIM_KNOWN(name) using ::name##2; using ::name##3; using ::name##4;
SHIM_KNOWN(char)
SHIM_KNOWN(uchar)
SHIM_KNOWN(short)
SHIM_KNOWN(ushort)
SHIM_KNOWN(int)
SHIM_KNOWN(uint)
SHIM_KNOWN(long)
SHIM_KNOWN(ulong)
SHIM_KNOWN(half)
#if __METAL_VERSION__ >= 310
SHIM_KNOWN(bfloat)
#endif
SHIM_KNOWN(float)
SHIM_KNOWN(bool)
using ::uchar;
using ::ushort;
using ::uint;
using ::ulong;

template <class T, int N> using vec = typename metal_shim::vector_of<T, N>::type;

// Packed vectors: aligned to their element, converting to and from the vector.
template <class T, int N> struct shim_packed;
template <class T> struct shim_packed<T, 2> {
  T x, y;
  shim_packed() = default;
  shim_packed(vec<T, 2>);
  shim_packed(T, T);
  operator vec<T, 2>() const;
  T operator[](int) const;
  T& operator[](int);
};
template <class T> struct shim_packed<T, 3> {
  T x, y, z;
  shim_packed() = default;
  shim_packed(vec<T, 3>);
  shim_packed(T, T, T);
  operator vec<T, 3>() const;
  T operator[](int) const;
  T& operator[](int);
};
template <class T> struct shim_packed<T, 4> {
  T x, y, z, w;
  shim_packed() = default;
  shim_packed(vec<T, 4>);
  shim_packed(T, T, T, T);
  operator vec<T, 4>() const;
  T operator[](int) const;
  T& operator[](int);
};

#define SHIM_PACKED(T, name)                   \
  using packed_##name##2 = shim_packed<T, 2>;  \
  using packed_##name##3 = shim_packed<T, 3>;  \
  using packed_##name##4 = shim_packed<T, 4>;
SHIM_PACKED(char, char)
SHIM_PACKED(uchar, uchar)
SHIM_PACKED(short, short)
SHIM_PACKED(ushort, ushort)
SHIM_PACKED(int, int)
SHIM_PACKED(uint, uint)
SHIM_PACKED(long, long)
SHIM_PACKED(ulong, ulong)
SHIM_PACKED(half, half)
#if __METAL_VERSION__ >= 310
SHIM_PACKED(bfloat, bfloat)
#endif
SHIM_PACKED(float, float)

// C columns of R rows; m[c] is a column.
template <class T, int C, int R> struct matrix {
  vec<T, R> shim_columns[C];

  matrix() = default;
  // Values do not matter here, only that a constant of matrices is one.
  explicit constexpr matrix(T) : shim_columns{} {}
  template <class... A, class = metal_shim::enable_if_t<(sizeof...(A) == C && (metal_shim::same<A, vec<T, R>>::value && ...))>> constexpr matrix(A...) : shim_columns{} {}
  template <class... A, class = metal_shim::enable_if_t<(sizeof...(A) == C * R && (metal_shim::is_scalar<A> && ...))>, class = void> constexpr matrix(A...) : shim_columns{} {}
  template <class U, class = metal_shim::enable_if_t<!metal_shim::same<U, T>::value>> explicit matrix(matrix<U, C, R>);
  vec<T, R>& operator[](int) &;
  vec<T, R> operator[](int) const &;
  vec<T, R> operator[](int) const &&;
  // The address of a column lies where the matrix does.
  thread vec<T, R>& operator[](int) __private &;
  device vec<T, R>& operator[](int) __global &;
  threadgroup vec<T, R>& operator[](int) __local &;
  const thread vec<T, R>& operator[](int) const __private &;
  const device vec<T, R>& operator[](int) const __global &;
  const threadgroup vec<T, R>& operator[](int) const __local &;
  const constant vec<T, R>& operator[](int) const __constant &;
  matrix& operator+=(matrix);
  matrix& operator-=(matrix);
  matrix& operator*=(T);
};
template <class T, int C, int R> matrix<T, C, R> operator+(matrix<T, C, R>, matrix<T, C, R>);
template <class T, int C, int R> matrix<T, C, R> operator-(matrix<T, C, R>, matrix<T, C, R>);
template <class T, int C, int R> matrix<T, C, R> operator-(matrix<T, C, R>);
template <class T, int C, int R, int K> matrix<T, K, R> operator*(matrix<T, C, R>, matrix<T, K, C>);

#define SHIM_MATRIX(T, C, R)                                                      \
  using T##C##x##R = matrix<T, C, R>;                                           \
  T##R operator*(T##C##x##R, T##C);                                             \
  T##C operator*(T##R, T##C##x##R);                                             \
  T##C##x##R operator*(T##C##x##R, T);                                          \
  T##C##x##R operator*(T, T##C##x##R);                                          \
  matrix<T, R, C> transpose(T##C##x##R);
#define SHIM_MATRICES(T)                                                 \
  SHIM_MATRIX(T, 2, 2) SHIM_MATRIX(T, 2, 3) SHIM_MATRIX(T, 2, 4)             \
  SHIM_MATRIX(T, 3, 2) SHIM_MATRIX(T, 3, 3) SHIM_MATRIX(T, 3, 4)             \
  SHIM_MATRIX(T, 4, 2) SHIM_MATRIX(T, 4, 3) SHIM_MATRIX(T, 4, 4)             \
  T determinant(T##2x2);                                               \
  T determinant(T##3x3);                                               \
  T determinant(T##4x4);
SHIM_MATRICES(half)
SHIM_MATRICES(float)

// Of the types 2.4 names; its elements belong to no thread in particular.
#if __METAL_VERSION__ >= 230
template <class T> constexpr bool shim_matrix_element = metal_shim::same<T, half>::value ||
#if __METAL_VERSION__ >= 310
    metal_shim::same<T, bfloat>::value ||
#endif
    metal_shim::same<T, float>::value;
template <class T, int Cols, int Rows = Cols> struct simdgroup_matrix {
  static_assert(Cols == 8 && Rows == 8 && shim_matrix_element<T>, "a SIMD-group matrix has 8 columns and 8 rows");
  simdgroup_matrix() = default;
  explicit simdgroup_matrix(T);
  // Of Apple's header (metal_simdgroup_matrix), which the specification leaves out.
  thread vec<T, 2>& thread_elements();
  const thread vec<T, 2>& thread_elements() const;
};
using simdgroup_half8x8 = simdgroup_matrix<half, 8, 8>;
using simdgroup_float8x8 = simdgroup_matrix<float, 8, 8>;
#if __METAL_VERSION__ >= 310
using simdgroup_bfloat8x8 = simdgroup_matrix<bfloat, 8, 8>;
#endif
#endif

template <class T, size_t N> struct array {
  T shim_elements[N];
  constexpr size_t size() const { return N; }
  T& operator[](size_t i) { return shim_elements[i]; }
  const T& operator[](size_t i) const { return shim_elements[i]; }
};

template <class T> struct numeric_limits;
#define SHIM_LIMITS(T) \
  template <> struct numeric_limits<T> { static constexpr T min(); static constexpr T max(); static constexpr T lowest(); };
SHIM_LIMITS(char)
SHIM_LIMITS(uchar)
SHIM_LIMITS(short)
SHIM_LIMITS(ushort)
SHIM_LIMITS(int)
SHIM_LIMITS(uint)
SHIM_LIMITS(long)
SHIM_LIMITS(ulong)
#define SHIM_FLOAT_LIMITS(T)                                                                                \
  template <> struct numeric_limits<T> {                                                                  \
    static T min(); static T max(); static T lowest(); static T infinity(); static T quiet_NaN();         \
    static T epsilon(); static T denorm_min();                                                            \
  };
SHIM_FLOAT_LIMITS(half)
#if __METAL_VERSION__ >= 310
SHIM_FLOAT_LIMITS(bfloat)
#endif
SHIM_FLOAT_LIMITS(float)

// Bit cast: sizes agree, and there is no bool on either side.
template <class To, class From> To as_type(From) {
  static_assert(metal_shim::shape<To>::k != metal_shim::other && metal_shim::shape<From>::k != metal_shim::other, "as_type takes scalars and vectors");
  static_assert(metal_shim::shape<To>::k != metal_shim::boolean && metal_shim::shape<From>::k != metal_shim::boolean, "as_type does not take bool");
  static_assert(sizeof(To) == sizeof(From), "as_type needs types of one size");
}

}  // namespace metal

// <simd/simd.h>: names that host and shader share are those of the types above.
#define SHIM_SHARED_VECTOR(T, N)  \
  typedef T##N vector_##T##N;     \
  typedef T##N simd_##T##N;       \
  namespace simd { using ::T##N; }
#define SHIM_SHARED(T) SHIM_SHARED_VECTOR(T, 2) SHIM_SHARED_VECTOR(T, 3) SHIM_SHARED_VECTOR(T, 4)
SHIM_SHARED(char)
SHIM_SHARED(uchar)
SHIM_SHARED(short)
SHIM_SHARED(ushort)
SHIM_SHARED(int)
SHIM_SHARED(uint)
SHIM_SHARED(long)
SHIM_SHARED(ulong)
SHIM_SHARED(half)
SHIM_SHARED(float)
#define SHIM_SHARED_MATRIX(T, C, R)                \
  typedef metal::T##C##x##R matrix_##T##C##x##R;   \
  typedef metal::T##C##x##R simd_##T##C##x##R;     \
  namespace simd { using metal::T##C##x##R; }
#define SHIM_SHARED_MATRICES(T)                                                             \
  SHIM_SHARED_MATRIX(T, 2, 2) SHIM_SHARED_MATRIX(T, 2, 3) SHIM_SHARED_MATRIX(T, 2, 4)       \
  SHIM_SHARED_MATRIX(T, 3, 2) SHIM_SHARED_MATRIX(T, 3, 3) SHIM_SHARED_MATRIX(T, 3, 4)       \
  SHIM_SHARED_MATRIX(T, 4, 2) SHIM_SHARED_MATRIX(T, 4, 3) SHIM_SHARED_MATRIX(T, 4, 4)
SHIM_SHARED_MATRICES(half)
SHIM_SHARED_MATRICES(float)

// An operator of the language: known without the namespace too.
using metal::as_type;

// The operators below are written into the text by judges/msl.ts, since operators on built-in vectors cannot be overloaded.
namespace metal_shim {

struct comparison {};
struct logical {};
struct condition {};
constexpr comparison cmp{};
constexpr logical lgc{};
constexpr condition cnd{};

template <class A> struct held { A a; };
template <class A> struct held_logical { A a; };

template <class A, class B> constexpr int check_mixed() {
  if constexpr (is_vector<A> && is_vector<B>) {
    static_assert(same<A, B>::value, "vectors of different types are compared");
  } else {
    constexpr kind v = is_vector<A> ? shape<A>::k : shape<B>::k;
    constexpr kind s = is_vector<A> ? shape<B>::k : shape<A>::k;
    static_assert(s != other, "a vector is compared with something that is no scalar");
    static_assert(!(s == floating && v != floating), "an integer vector is compared with a floating-point scalar");
  }
  return 0;
}

#define SHIM_COMPARE(op, ORDER)                                                                              \
  template <class A> constexpr held<A> operator op(A a, comparison) { return {a}; }                        \
  template <class A, class B> constexpr auto operator op(held<A> l, B b) {                                 \
    if constexpr (is_vector<A> || is_vector<B>) {                                                          \
      check_mixed<A, B>();                                                                                 \
      static_assert(!(ORDER && (shape<A>::k == boolean || shape<B>::k == boolean)), "bool vectors have no order"); \
      return typename bool_vector<is_vector<A> ? shape<A>::n : shape<B>::n>::type{};                       \
    } else {                                                                                               \
      return static_cast<bool>(l.a op b);                                                                  \
    }                                                                                                      \
  }
SHIM_COMPARE(<, true)
SHIM_COMPARE(>, true)
SHIM_COMPARE(<=, true)
SHIM_COMPARE(>=, true)
SHIM_COMPARE(==, false)
SHIM_COMPARE(!=, false)

template <class A, class B> constexpr auto join(A a, B b, bool conjunction) {
  if constexpr (is_vector<A> || is_vector<B>) {
    static_assert(same<A, B>::value && shape<A>::k == boolean, "&& and || take bools, or bool vectors of one size");
    return A{};
  } else {
    return conjunction ? static_cast<bool>(a) && static_cast<bool>(b) : static_cast<bool>(a) || static_cast<bool>(b);
  }
}
template <class A> constexpr held_logical<A> operator&&(A a, logical) { return {a}; }
template <class A> constexpr held_logical<A> operator||(A a, logical) { return {a}; }
template <class A, class B> constexpr auto operator&&(held_logical<A> l, B b) { return join(l.a, b, true); }
template <class A, class B> constexpr auto operator||(held_logical<A> l, B b) { return join(l.a, b, false); }

template <class A> constexpr bool operator||(A a, condition) {
  static_assert(!is_vector<A>, "the condition of ?: is a scalar; select() chooses by component");
  return static_cast<bool>(a);
}

template <class A> constexpr auto negate(A a) {
  if constexpr (is_vector<A>) {
    static_assert(shape<A>::k == boolean, "! takes a bool or a bool vector");
    return A{};
  } else {
    return !static_cast<bool>(a);
  }
}

// Vector construction: one scalar (spread), one vector of the same size, or parts that add up.
template <class A> struct part {
  static constexpr int n = shape<A>::n;
  using element = typename shape<A>::element;
};
template <class T, int N> struct part<metal::shim_packed<T, N>> {
  static constexpr int n = N;
  using element = T;
};
template <class V, class A> constexpr bool fits_part = part<A>::n == 1 || same<typename part<A>::element, typename shape<V>::element>::value;

template <class V> constexpr V construct() { return V{}; }
template <class V, class A> constexpr V construct(A a) {
  static_assert(part<A>::n > 0, "a vector is constructed from scalars and vectors");
  static_assert(part<A>::n == 1 || part<A>::n == shape<V>::n, "a vector is constructed from one of another size");
  if constexpr (is_scalar<A>) {
    const auto s = static_cast<typename shape<V>::element>(a);
    if constexpr (shape<V>::n == 2) return V{s, s};
    else if constexpr (shape<V>::n == 3) return V{s, s, s};
    else return V{s, s, s, s};
  } else if constexpr (same<V, A>::value) {
    return a;
  } else {
    return V{};
  }
}
template <class V, class A, class B, class... C> constexpr V construct(A a, B b, C... c) {
  static_assert(part<A>::n > 0 && part<B>::n > 0 && ((part<C>::n > 0) && ...), "a vector is constructed from scalars and vectors");
  static_assert(part<A>::n + part<B>::n + (part<C>::n + ... + 0) == shape<V>::n, "the parts of a vector do not add up to its size");
  static_assert(fits_part<V, A> && fits_part<V, B> && (fits_part<V, C> && ...), "a vector part has another element type");
  using T = typename shape<V>::element;
  if constexpr (is_scalar<A> && is_scalar<B> && (is_scalar<C> && ...)) return V{static_cast<T>(a), static_cast<T>(b), static_cast<T>(c)...};
  else return V{};
}

// Program-scope constants that are no scalars: the object, seen through the constant address space.
template <class T> constant T& as_constant(const __attribute__((opencl_global)) T&);

}  // namespace metal_shim
