/** Kernels of MSL whose templates have templates and functions for parameters, or stand for values: see test/templates.test.ts. */
import type { Shape } from "./class-shapes.js";

const four = (of: (i: number) => number): number[] => [0, 1, 2, 3].map(of);

export const templateParameterShapes: readonly Shape[] = [
  {
    // C++14 14.1 (2): `typename` in front of a qualified name is of the type of a value; clang's program gave this number.
    name: "values whose type depends on types before them",
    before: `template <class T, typename enable_if<is_integral<T>::value, int>::type = 0> int kind(T) { return 1; }
      template <class T, typename enable_if<!is_integral<T>::value, int>::type = 0> int kind(T) { return 2; }
      template <bool B, class T = void> struct when {}; template <class T> struct when<true, T> { using type = T; };
      template <class T, typename when<(sizeof(T) > 2), int>::type N = 5> int wide(T) { return N; }
      template <class T, typename when<(sizeof(T) <= 2), int>::type N = 6> int wide(T) { return N; }
      template <class T> struct box { typedef T type; }; template <typename box<int>::type n, typename = typename box<float>::type> int twice() { return n * 2; }`,
    body: "y[i] = kind(i) + kind(1.5f) * 10 + wide(i) * 100 + wide(short(i)) * 1000 + wide<float, 9>(1.0f) * 10000 + twice<8>() * 100000;",
    y: four(() => 1696521),
  },
  {
    name: "templates that are arguments of templates",
    before: `namespace ops { template <typename T> struct Sum { static T of(T a, T b) { return a + b; } }; template <typename T> struct Most { static T of(T a, T b) { return a < b ? b : a; } }; }
      template <typename T, int N = 2> struct Scaled { static T of(T a, T b) { return a + b * N; } };
      template <template <typename> class Op, typename T> struct Fold { static T go(T a, T b) { return Op<T>::of(a, b); } };
      template <typename T> struct Fold<ops::Most, T> { static T go(T a, T b) { return Op1<T>(a, b); } template <typename U> static U Op1(U a, U b) { return ops::Most<U>::of(a, b) + 100; } };
      template <template <typename> class Op, typename T> T fold(T a, T b) { return Fold<Op, T>::go(a, b); }
      template <typename T> using Twice = Scaled<T, 2>; template <typename T> using Thrice = Scaled<T, 3>;
      template <template <typename...> class Op, typename... T> int any(T... v) { return Op<T...>::of(v...); } template <typename A, typename B> struct Less { static int of(A a, B b) { return a < b ? 1 : 0; } };`,
    body: `y[i] = fold<ops::Sum>(i, 5) + fold<ops::Most, int>(i, 2) * 100 + fold<Twice>(i, 3) * 100000 + fold<Thrice>(i, 3) * 10000000 + any<Less>(i, 2.5f) * 1000000000;`,
    y: four(
      (i) => i + 5 + (Math.max(i, 2) + 100) * 100 + (i + 6) * 100000 + (i + 9) * 10000000 + (i < 2.5 ? 1000000000 : 0),
    ),
  },
  {
    name: "a template that a type tells",
    before: `template <typename T> struct Box { T v; }; template <typename T> struct Bag { T v; };
      template <template <typename> class C, typename T> C<T> grown(C<T> c, T by) { C<T> d = c; d.v += by; return d; }
      template <typename T> struct Kind { static constexpr constant int is = 1; }; template <template <typename> class C> struct Kind<C<float>> { static constexpr constant int is = 2; };
      template <template <typename> class C, typename T> int other(C<T> c) { return Kind<C<float>>::is * 10 + Kind<T>::is; }`,
    body: "Box<int> b{i}; Bag<float> g{0.5f}; y[i] = grown(b, 4).v + int(grown(g, 2.0f).v * 10.0f) * 100 + other(b) * 10000 + other(g) * 1000000;",
    y: four((i) => i + 4 + 2500 + 210000 + 21000000),
  },
  {
    name: "arguments that an alias of a type tells",
    before: `template <typename T, int n> struct Pack { T v[n]; }; template <typename T> struct Frag {
        template <typename U> using two = Pack<U, 2>; template <typename U> using three = Pack<U, 3>;
        template <typename A, typename B> static int mix(thread two<A>& a, thread two<B>& b) { return int(a.v[0]) + int(b.v[1]) * 10 + int(sizeof(A)) * 1000; }
        template <typename A, typename B> static int mix(thread three<A>& a, thread three<B>& b) { return int(a.v[2]) + int(b.v[0]) * 10 + int(sizeof(B)) * 10000; } };
      template <typename T, typename... A> int two_of(Pack<T, 2> p) { return int(p.v[1]); } template <typename T> using Pair = Pack<T, 2>; template <typename T> int first(Pair<T> p) { return int(p.v[0]) + two_of(p) * 10; }`,
    body: "Pack<int, 2> a{{i, 2}}; Pack<uchar, 2> b{{3, 4}}; Pack<float, 3> c{{5.0f, 6.0f, 7.0f}}; Pack<short, 3> d{{8, 9, 1}}; y[i] = Frag<float>::mix(a, b) + Frag<int>::mix(c, d) * 10000 + first(b) * 7;",
    // i + 40 + 4000; 7 + 80 + 20000; 43
    y: four((i) => i + 4040 + 20087 * 10000 + 43 * 7),
  },
  {
    name: "functions by types that templates name",
    before: `template <typename T> using Step = void (*)(thread T*, thread const T*); template <typename T> void add(thread T* a, thread const T* b) { *a += *b; }
      void shift(thread int* a, thread const int* b) { *a = *a * 10 + *b; }
      template <typename T, Step<T> step> T once(T x, T y) { step(&x, &y); return x; } template <typename T, int n, Step<T> step> T often(T x) { for (int k = 0; k < n; k++) { T v = T(k); step(&x, &v); } return x; }
      template <typename T, T change(T x, int by)> int changed(T x, int by) { return int(change(x, by)); } int plus(int x, int by) { return x + by; } template <typename T> T times(T x, int by) { return x * T(by); }`,
    body: "y[i] = once<int, add>(i, 5) + once<int, shift>(i, 7) * 100 + often<int, 3, add<int>>(i) * 100000 + changed<int, plus>(i, 1) * 1000000 + changed<float, times<float>>(1.5f, i) * 10000000;",
    y: four((i) => i + 5 + (i * 10 + 7) * 100 + (i + 3) * 100000 + (i + 1) * 1000000 + Math.floor(1.5 * i) * 10000000),
  },
  {
    name: "constants that are types",
    before: `template <int n> using Int = integral_constant<int, n>;
      template <typename T, T a, typename U, U b> constexpr auto operator+(integral_constant<T, a>, integral_constant<U, b>) { constexpr auto sum = a + b; return integral_constant<decltype(sum), sum>{}; }
      template <typename S> int scaled(S by, int x) { return x * by; } template <typename S> int told(S s) { return S::value * 10 + s(); }
      int chosen(int v, true_type) { return v + 1; } int chosen(int v, false_type) { return v + 2; } template <typename T> int by_kind(T v) { return chosen(int(v), is_same<T, float>{}); }`,
    body: "constexpr auto five = Int<5>{}; y[i] = scaled(Int<3>{}, i) + scaled(Int<2>{} + five, 1) * 10 + told(Int<4>{}) * 100 + by_kind(6.0f) * 10000 + by_kind(i) * 100000 + (five == 5 ? 1000000 : 0);",
    y: four((i) => i * 3 + 70 + 4400 + 70000 + (i + 2) * 100000 + 1000000),
  },
  {
    name: "a constructor that repeats its template's arguments, and a conversion called by its name",
    before: `template <typename T> struct Slot { int at; T v; Slot<T>() = default; Slot<T>(int n, T x) : at(n), v(x) {} operator int() const { return at * 10; } operator float() const { return float(this->operator int()) + 0.5f; } };`,
    body: "Slot<short> s(i, 4); Slot<int> w; w.at = 1; w.v = 2; thread Slot<int>* p = &w; y[i] = s.at + s.v * 10 + int(float(s) * 2.0f) * 100 + p->operator int() * 100000 + w.operator int() * 10000000;",
    y: four((i) => i + 40 + (i * 20 + 1) * 100 + 1000000 + 100000000),
  },
];

/** What is wrong, and what is said of it. */
export const wrongTemplateParameters: readonly (readonly [string, string, RegExp])[] = [
  // C++14 5.20 (4), as clang has it: a conversion that narrows gives no argument, and the template does not fit.
  ...["v<bool, 5>()", "v<uint, -1>()", "v<char, 300>()", "v<int, 0xffffffffu>()", "b<5>()", "u<-1>()"].map(
    (call) =>
      [
        "template <typename T, T V> int v() { return int(V); } template <bool B> int b() { return 1; } template <uint U> int u() { return 1; }",
        `y[i] = ${call};`,
        /^XL2005 no function '[vbu]' takes/,
      ] as const,
  ),
  ["template <uint U> struct W { int a; };", "W<-1> w; w.a = i; y[i] = w.a;", /^XL2007 -1 is no value of uint/],
  // C++14 5.20 (2.6).
  ...["-(-2147483647 - 1)", "2147483647 + i0()", "neg(-2147483647 - 1)", "(-2147483647 - 1) / -1"].map(
    (value) =>
      [
        "constexpr int i0() { return 1; } constexpr int neg(int n) { return -n; }",
        `constexpr int n = ${value}; y[i] = n;`,
        /^XL2007 (a signed integer overflows in the initialiser of|the initialiser of) a constexpr/,
      ] as const,
  ),
  [
    "",
    "static constexpr constant int n = -(-2147483647 - 1); y[i] = n;",
    /^XL2007 a signed integer overflows in the initialiser of a constexpr/,
  ],
  [
    "template <template <typename> class C> struct Q { C<int> c; };",
    "Q<int> q; y[i] = sizeof(q);",
    /^XL2013 the argument for 'C' has to be the name of a template/,
  ],
  [
    "template <typename T> struct Tile { typedef vec<T, 1> one; T v; };",
    "Tile<int>::one t; y[i] = i;",
    /^XL1900 type 'vec<...>' is not supported yet/,
  ],
  [
    "template <typename T, int N> struct P { T v[N]; }; template <template <typename> class C> struct Q { C<int> c; };",
    "Q<P> q; y[i] = sizeof(q);",
    /^XL2013 the argument for 'C' has to be a template with the parameters that it says/,
  ],
];
