import { describe, expect, test } from "vitest";
import { declarations, expressionShape, parseText, statementShapes } from "./shape.js";
import type { TwoWayDialect } from "../../src/dialects/ids.js";

describe("expressions", () => {
  test.each([
    ["a + b * c - d", "(- (+ a (* b c)) d)"],
    ["a << 1 + 2 & 3 | 4 ^ 5", "(| (& (<< a (+ 1 2)) 3) (^ 4 5))"],
    ["a < b == c > d", "(== (< a b) (> c d))"],
    ["a || b && c == d", "(|| a (&& b (== c d)))"],
    ["a = b += c", "(= a (+= b c))"],
    ["a ? b : c ? d : e", "(? a b (? c d e))"],
    ["a ? b, c : d", "(? a (, b c) d)"],
    ["a = b, c = d", "(, (= a b) (= c d))"],
    ["-x++ - --y", "(- (-_ (_++ x)) (--_ y))"],
    ["!a.b[1].c(2, 3)", "(!_ (call (. (index (. a b) 1) c) 2 3))"],
    ["a >> 2 >= b", "(>= (>> a 2) b)"],
    ["a >>= 1", "(>>= a 1)"],
    ["- - 1", "(-_ (-_ 1))"],
    ["a - -1", "(- a (-_ 1))"],
  ])("%s", (text, shape) => {
    for (const dialect of ["msl", "glsl", "opencl", "hlsl"] as const)
      expect(expressionShape(text, dialect)).toBe(shape);
  });

  test.each<readonly [TwoWayDialect, string, string]>([
    ["msl", "static_cast<uint>(x) + 1u", "(+ (call static_cast<uint> x) 1u)"],
    ["msl", "as_type<float>(a) < b", "(< (call as_type<float> a) b)"],
    ["msl", "vec<float, 4>(1.0f)", "(call 'vec<float,4>' 1.0f)"],
    ["msl", "vec<vec<float,2>, 1+1>(x) >> 1", "(>> (call 'vec<vec<float,2>,(+ 1 1)>' x) 1)"],
    ["msl", "float4{1, 2, 3, 4}.x", "(. (brace float4 {1,2,3,4}) x)"],
    ["msl", "metal::max(a, b)", "(call metal::max a b)"],
    ["msl", "metal::uint(a)", "(call 'metal::uint' a)"],
    ["msl", "mem_flags::mem_device | mem_flags::mem_none", "(| mem_flags::mem_device mem_flags::mem_none)"],
    ["msl", "(device const float *)p", "(cast 'device const float ptr' p)"],
    ["msl", "*(thread uint *)&x", "(*_ (cast 'thread uint ptr' (&_ x)))"],
    ["msl", "numeric_limits<float>::max()", "(call numeric_limits<float>::max)"],
    ["msl", "p->q.r", "(. (-> p q) r)"],
    ["msl", "a < b && c > (d)", "(&& (< a b) (> c (paren d)))"],
    ["msl", "sizeof(float4) * sizeof x", "(* (sizeof 'float4') (sizeof x))"],
    ["msl", "[&](int i) { return i; }(3)", "(call lambda 3)"],
    ["msl", "h.half + v.int", "(+ (. h half) (. v int))"],
    ["opencl", "(float4)(a, b, 1.0f, 2)", "(cast 'float4' (paren (, (, (, a b) 1.0f) 2)))"],
    ["opencl", "(uint)x - 1", "(- (cast 'uint' x) 1)"],
    ["opencl", "(x) - 1", "(- (paren x) 1)"],
    ["opencl", "(float2){1, 2}", "(cast 'float2' {1,2})"],
    ["opencl", "v.s0123 + v.lo.even", "(+ (. v s0123) (. (. v lo) even))"],
    ["opencl", "(__global const uint *)p + 1", "(+ (cast '__global const uint ptr' p) 1)"],
    ["opencl", "(unsigned long int)x", "(cast 'unsigned long int' x)"],
    ["opencl", "vec_step(float3)", "(vec_step 'float3')"],
    ["opencl", '"a" "b"', '"ab"'],
    ["opencl", "0x1.8p3f + .5e-2 + 1e5f", "(+ (+ 0x1.8p3f .5e-2) 1e5f)"],
    ["glsl", "float[3](1.0, 2.0, 3.0)[i]", "(index (call 'float arr(3)' 1.0 2.0 3.0) i)"],
    ["glsl", "vec2[](a, b)", "(call 'vec2 arr()' a b)"],
    ["glsl", "float[2][3](x, y)", "(call 'float arr(3) arr(2)' x y)"],
    ["glsl", "a ^^ b || c", "(|| (^^ a b) c)"],
    ["glsl", "mat3x2(1.0)[0].yx", "(. (index (call 'mat3x2' 1.0) 0) yx)"],
    ["glsl", "data.length()", "(call (. data length))"],
    ["hlsl", "buf.Load<float4>(i * 16)", "(call (. buf Load<float4>) (* i 16))"],
    ["hlsl", "buf.Load2(i)", "(call (. buf Load2) i)"],
    ["hlsl", "a.Load < b", "(< (. a Load) b)"],
    ["hlsl", "(float3)0", "(cast 'float3' 0)"],
    ["hlsl", "1.0f.xxx + m._m00", "(+ (. 1.0f xxx) (. m _m00))"],
    ["hlsl", "vector<float, 3>(a, b, c)", "(call 'vector<float,3>' a b c)"],
  ])("%s: %s", (dialect, text, shape) => {
    expect(expressionShape(text, dialect)).toBe(shape);
  });

  test("the name of a type of the source makes a cast, any other name does not", () => {
    expect(expressionShape("(T)(x)", "opencl", "typedef float T;")).toBe("(cast 'T' (paren x))");
    expect(expressionShape("(f)(x)", "opencl")).toBe("(call (paren f) x)");
    expect(expressionShape("T(x)", "msl", "using T = float;")).toBe("(call 'T' x)");
  });
});

describe("statements", () => {
  test.each<readonly [TwoWayDialect, string, string]>([
    ["opencl", "if (a) b = 1; else if (c) { d(); } else ;", "(if a (= b 1) else (if c ((call d)) else ;))"],
    [
      "opencl",
      "for (int i = 0, j = 1; i < n; i++, j--) continue;",
      "(for [var int i=0 j=1] (< i n) (, (_++ i) (_-- j)) continue)",
    ],
    ["opencl", "for (;;) break;", "(for ; ; ; break)"],
    ["opencl", "do x--; while (x > 0);", "(do (_-- x) (> x 0))"],
    ["opencl", "while (x) { x >>= 1; }", "(while x ((>>= x 1)))"],
    [
      "opencl",
      "switch (x) { case 1: case 2: a(); break; default: b(); }",
      "(switch x (case 1: case 2: (call a) break default: (call b)))",
    ],
    ["opencl", "goto end; end: return;", "goto end end: (return)"],
    [
      "opencl",
      "__local float tile[16][17], *p = &tile[0][0];",
      "[var __local float tile arr(17) arr(16) p ptr=(&_ (index (index tile 0) 0))]",
    ],
    ["opencl", "Unknown x = 1;", "[var Unknown x=1]"],
    ["opencl", "Unknown *x = p; a * b;", "[var Unknown x ptr=p] (* a b)"],
    ["opencl", "struct S s = {1, .b = {2}, };", "[var struct S s={1,.b={2}}]"],
    ["opencl", "float a[2] = {[1] = 3};", "[var float a arr(2)={[1]=3}]"],
    [
      "opencl",
      "__attribute__((opencl_unroll_hint(4))) for (;;) ;",
      "__attribute__((opencl_unroll_hint(4))) (for ; ; ; ;)",
    ],
    [
      "opencl",
      "float (*row)[4] = m; const int *const q = r;",
      "[var float row arr(4) ptr=m] [var const int q ptr const=r]",
    ],
    ["msl", "threadgroup float4 tile[8];", "[var threadgroup float4 tile arr(8)]"],
    ["msl", "uint2 g(1, 2); float3 v{1, 2, 3}; auto w = v;", "[var uint2 g(1,2)] [var float3 v{1,2,3}] [var auto w=v]"],
    [
      "msl",
      "thread float &r = x; device atomic_uint *a = b;",
      "[var thread float r ref=x] [var device atomic_uint a ptr=b]",
    ],
    ["msl", "metal::float4 v = metal::float4(1);", "[var metal::float4 v=(call 'metal::float4' 1)]"],
    ["msl", "array<float, 4> a; vec<uint, 2> b = 0;", "[var array<float,4> a] [var vec<uint,2> b=0]"],
    [
      "msl",
      'constexpr uint n = 4; static_assert(n == 4, "four");',
      '[var constexpr uint n=4] [static_assert((== n 4), "four")]',
    ],
    [
      "glsl",
      "const float[2] a = float[](1.0, 2.0), b[3];",
      "[var const float a arr(2)=(call 'float arr()' 1.0 2.0) b arr(2) arr(3)]",
    ],
    ["glsl", "[[unroll]] for (int i = 0; i < 4; ++i) {}", "[[unroll]] (for [var int i=0] (< i 4) (++_ i) ())"],
    ["glsl", "highp float x; precise float y;", "[var highp float x] [var precise float y]"],
    [
      "hlsl",
      "[unroll(4)] for (uint i = 0; i < 4; i++) [branch] if (i) discard;",
      "[unroll(4)] (for [var uint i=0] (< i 4) (_++ i) [branch] (if i discard))",
    ],
    [
      "hlsl",
      "static const uint n = 3; precise float4 v = (float4)0;",
      "[var static const uint n=3] [var precise float4 v=(cast 'float4' 0)]",
    ],
    ["hlsl", "float linear = 1; linear += 2; sample = linear;", "[var float linear=1] (+= linear 2) (= sample linear)"],
    ["hlsl", "return {1, 2};", "(return {1,2})"],
  ])("%s: %s", (dialect, text, shape) => {
    expect(statementShapes(text, dialect)).toBe(shape);
  });
});

describe("declarations", () => {
  test("Metal", () => {
    expect(
      declarations(
        `using namespace metal;
        constant float table[2] = {1, 2};
        constant uint width [[function_constant(0)]];
        struct P { float a; packed_float3 b[2]; atomic<uint> n; };
        enum class Kind : uint { A, B = 3 };
        static inline float add(thread float &x, float y = 1) { return x + y; }
        kernel void k(device const float *src [[buffer(0)]], constant P &p [[buffer(1)]],
                      threadgroup float *t [[threadgroup(0)]], uint3 id [[thread_position_in_grid]]) {}
        [[kernel, max_total_threads_per_threadgroup(64)]] void k2() {}
        typedef half4 H, *PH;`,
        "msl",
      ),
    ).toEqual([
      "using namespace metal",
      "var constant float table arr(2)={1,2}",
      "var constant uint width [[function_constant(0)]]",
      "var struct P{var float a; var packed_float3 b arr(2); var atomic<uint> n}",
      "var enum class Kind:uint{A,B=3}",
      "fn static inline float add(thread float x ref, float y=1) ((return (+ x y)))",
      "fn kernel void k(device const float src ptr [[buffer(0)]], constant P p ref [[buffer(1)]], threadgroup float t ptr [[threadgroup(0)]], uint3 id [[thread_position_in_grid]]) ()",
      "fn [[kernel]] [[max_total_threads_per_threadgroup(64)]] void k2() ()",
      "typedef half4 H PH ptr",
    ]);
  });

  test("what Metal takes from C++ parses, to be refused later", () => {
    expect(
      declarations(
        `namespace n { struct V { float x; float length() const { return x; } V operator+(V o) { return o; } }; }
        template <typename T, uint N = 4> T sum(vec<T, N> v) { return v.x; }
        template [[host_name("s")]] [[kernel]] void go<float>(device float *x [[buffer(0)]]);
        template <typename T> void go(device T *x) {}
        union U { float f; uint u : 3; };
        typedef float (*F)(int, float *);
        kernel void t(texture2d<float, access::read> tex [[texture(0)]], device int **pp) {
          float y = sum<float, 4>(0); auto f = [=](float a) { return a; };
        }`,
        "msl",
      ),
    ).toEqual([
      "namespace n {var struct V{var float x; fn float length() [[const]] ((return x)); fn V operator+(V o) ((return o))}}",
      "template<typename T, uint N=4> fn T sum(vec<T,N> v) ((return (. v x)))",
      'template explicit<> fn [[host_name("s")]] [[kernel]] void go<float>(device float x ptr [[buffer(0)]]);',
      "template<typename T> fn void go(device T x ptr) ()",
      "var union U{var float f; var uint u :3}",
      "typedef float F func(int _, float _ ptr) ptr",
      "fn kernel void t(texture2d<float,access::read> tex [[texture(0)]], device int pp ptr ptr) ([var float y=(call sum<float,4> 0)] [var auto f=lambda])",
    ]);
  });

  test("GLSL", () => {
    expect(
      declarations(
        `layout(local_size_x = 64, local_size_y_id = 1) in;
        layout(std430, set = 0, binding = 1) readonly restrict buffer In { uint n; float data[]; } src[2];
        layout(push_constant) uniform Push { float a; layout(offset = 16) vec2 b; };
        layout(constant_id = 3) const int N = 4;
        precision highp float;
        shared float tile[N][N + 1];
        struct P { vec3 a; float[2] b; };
        void f(const in float a, inout P p, out vec4 v[2]);
        void main(void) { }`,
        "glsl",
      ),
    ).toEqual([
      "var layout(local_size_x=64,local_size_y_id=1) in -",
      "block layout(std430,set=0,binding=1) readonly restrict buffer interface In {var uint n; var float data arr()} src arr(2)",
      "block layout(push_constant) uniform interface Push {var float a; var layout(offset=16) vec2 b}",
      "var layout(constant_id=3) const int N=4",
      "precision highp float",
      "var shared float tile arr((+ N 1)) arr(N)",
      "var struct P{var vec3 a; var float b arr(2)}",
      "fn void f(const in float a, inout P p, out vec4 v arr(2));",
      "fn void main() ()",
    ]);
  });

  test("OpenCL C", () => {
    expect(
      declarations(
        `typedef struct __attribute__((packed)) { float a; int b : 4, c; } S;
        __constant float k[] = {1, 2};
        __kernel __attribute__((reqd_work_group_size(64, 1, 1))) void a(const __global float *restrict p, float __local *l, __constant S *s) {}
        __attribute__((vec_type_hint(float4))) kernel void b(global int *x) {}
        void __attribute__((always_inline)) c(void);
        typedef float T __attribute__((aligned(16)));
        enum { A, B = A + 2 };`,
        "opencl",
      ),
    ).toEqual([
      "typedef struct __attribute__((packed)) {var float a; var int b :4 c} S",
      "var __constant float k arr()={1,2}",
      "fn __attribute__((reqd_work_group_size(64,1,1))) __kernel void a(const __global float p ptr restrict, __local float l ptr, __constant S s ptr) ()",
      "fn __attribute__((vec_type_hint('float4'))) kernel void b(global int x ptr) ()",
      "fn __attribute__((always_inline)) void c();",
      "typedef float T __attribute__((aligned(16)))",
      "var enum {A,B=(+ A 2)}",
    ]);
  });

  test("HLSL", () => {
    expect(
      declarations(
        `cbuffer P : register(b0, space1) { float a : packoffset(c0.y); uint n; row_major float3x4 m; };
        StructuredBuffer<float4> src : register(t0);
        RWByteAddressBuffer raw : register(u1, space2), other;
        ConstantBuffer<P2> cb;
        groupshared uint part[256];
        static const float k[2] = { 1, 2 };
        float4 f(in float a, inout float3 b : COLOR0, out uint c = 1) : SV_Target { c = 1; return a; }
        [numthreads(8, 8, 1)] void main(uint3 id : SV_DispatchThreadID) {}`,
        "hlsl",
      ),
    ).toEqual([
      "block :register(b0,space1) cbuffer P {var float a :packoffset((. c0 y)); var uint n; var row_major float3x4 m}",
      "var StructuredBuffer<float4> src :register(t0)",
      "var RWByteAddressBuffer raw :register(u1,space2) other",
      "var ConstantBuffer<P2> cb",
      "var groupshared uint part arr(256)",
      "var static const float k arr(2)={1,2}",
      "fn float4 f(in float a, inout float3 b :COLOR0, out uint c=1) :SV_Target ((= c 1) (return a))",
      "fn [numthreads(8,8,1)] void main(uint3 id :SV_DispatchThreadID) ()",
    ]);
  });

  test.each<readonly [TwoWayDialect, string, string]>([
    ["msl", "struct S { ~S() { a = 0; } float a; };", "a destructor is not supported yet"],
    ["msl", "struct A { int y; }; struct B : virtual A { int x; };", "a virtual base is not supported yet"],
    ["opencl", "void f() { int x = ^(int a) { return a; }(1); }", "a block is not supported yet"],
    ["opencl", 'void f() { asm("nop"); }', "inline assembly is not supported yet"],
    ["opencl", "void f(int a, ...);", "a variable number of parameters is not supported yet"],
  ])("%s: %s", (dialect, text, message) => {
    const { problems } = parseText(text, dialect);
    expect(problems.map((p) => `${p.code} ${p.message}`)).toEqual([`XL1900 ${message}`]);
  });

  test("spans cover the text of their node", () => {
    const text = "kernel void k() { int total = a + b(c)[2]; }";
    const { unit } = parseText(text, "msl");
    const fn = unit.declarations[0]!;
    if (fn.kind !== "function" || fn.body?.statements[0]?.kind !== "declaration-statement")
      throw new Error("not a function");
    const { declaration: d } = fn.body.statements[0];
    if (d.kind !== "variable" || d.declarators[0]?.initializer?.form !== "assign") throw new Error("not a variable");
    const value = d.declarators[0].initializer.value;
    if (value.kind !== "binary") throw new Error("not a sum");
    const cut = ({ start, end }: { start: number; end: number }): string => text.slice(start, end);
    expect([fn.span, fn.name.span, d.span, value.span, value.operatorSpan, value.right.span].map(cut)).toEqual([
      text,
      "k",
      "int total = a + b(c)[2];",
      "a + b(c)[2]",
      "+",
      "b(c)[2]",
    ]);
  });
});
