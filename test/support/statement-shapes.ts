/** Bodies of kernels that have one statement form or another, with what they give where that is short to say. */
import type { TwoWayDialect } from "../../src/index.js";

export interface Shape {
  readonly name: string;
  /** `i` is the invocation, `r` what is stored to `dst[i]`, `src` holds numbers. */
  readonly body: string;
  readonly helpers?: string;
  /** Compilers take it as an extension, if at all; a text that is written does without. */
  readonly extension?: true;
  /** Of a later standard: its compilers take it with a warning, and the judge of its own texts does not. */
  readonly later?: true;
  /** Those that can say it so. */
  readonly dialects: readonly TwoWayDialect[];
  /** The first values of `dst`, worked out by hand. */
  readonly first?: readonly number[];
}

const all: readonly TwoWayDialect[] = ["glsl", "opencl", "msl", "hlsl"];

export const shapes: readonly Shape[] = [
  {
    name: "fences of no memory, and relaxed ones, as the only statements of branches and loops",
    dialects: ["opencl"],
    body: `if (i > 1u) mem_fence(0); r = 5u; if (i > 0u) /* nothing */ mem_fence(0); else r++;
  for (int n = 0; n < 3; n++) mem_fence(0); r += 10u;
  if (i > 2u) atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_relaxed, memory_scope_device); r += 100u;`,
    first: [116, 115, 115, 115],
  },
  {
    // Fences are of MSL 3.2.
    name: "fences of no memory, and relaxed ones, as the only statements of branches",
    dialects: ["msl"],
    later: true,
    body: `if (i > 1u) atomic_thread_fence(mem_flags::mem_none, memory_order_seq_cst); r = 5u;
  if (i > 0u) atomic_thread_fence(mem_flags::mem_device, memory_order_relaxed, thread_scope_device); else r++;`,
    first: [6, 5, 5, 5],
  },
  {
    // C++17 11.5.
    name: "names for the parts of a struct, a vector and an array",
    dialects: ["msl"],
    later: true,
    // For i = 0 it is 0 + 2 + 2 * 3 + 1 + 4; then 3 more for each i, of a, b and w, and 1000 behind the first.
    first: [13, 1016, 1019, 1022],
    helpers: `struct Two { uint a; uint b; };
Two two(uint i) { return {i, i + 2u}; }
template <typename T> struct Both { T first; uint second; };
template <typename T> Both<T> both(T v) { return {v, 3u}; }`,
    body: `auto [a, b] = two(i); uint list[3] = {1u, 2u, i}; auto &[u, v, w] = list; w += u; const auto [x, n] = both(float2(1.0f, 2.0f));
  auto [lo, hi] = uint2(3u, 4u); lo = hi; if (i > 0u) { auto [a, c] = two(1000u); r = a + 0u * c; }
  r += a + b + uint(x.y) * n + list[2] + lo;`,
  },
  {
    // C99 6.8.1: a label stands before a statement.
    name: "declarations behind labels, in C",
    dialects: ["opencl"],
    extension: true,
    first: [5, 7, 9, 9],
    body: "switch (i & 3u) { case 0u: uint t = 5u; r = t; break; case 1u: t = 7u; r = t; break; default: uint s = 9u; r = s; } if (i == 20u) goto out; out: uint u = r; r = u;",
  },
  {
    // C99 6.8.4.2, C++14 6.4.2: a case label belongs to the switch, in whatever block it stands.
    name: "case labels in blocks of a switch",
    dialects: ["opencl", "msl"],
    first: [33, 32, 7, 30, 33],
    body: "switch (i & 3u) { case 0u: { r = 1u; case 1u: ; uint n; n = 2u; r += n; { case 3u: ; uint m = 30u; r += m; } } break; default: r = 7u; }",
  },
  {
    name: "jumps to labels in a case of a switch",
    dialects: ["opencl"],
    // 0 + 1 + 5; 64 leaves the switch; 41 and 40 go on into the default; without a jump 36 + 100 + 5.
    first: [6, 64, 8, 48, 20, 64, 7, 47, 141],
    body: `switch (i & 3u) { case 0u: for (uint j = 0u; j < 9u; j++) { if (j == i + 2u) goto done; r += j; } r += 100u; done: r += 5u; break;
  case 1u: r = 1u; again: r *= 2u; if (r < 50u) goto again; if (r == 64u) break; r = 9u; break;
  case 3u: r = 40u; if (i == 7u) goto over; r++; over: ;
  default: if (i == 2u) r = 1u; r += 7u; }`,
  },
  {
    // C++14 6.1: one, too. DXC refuses it.
    name: "a label at the end of a switch",
    dialects: all,
    extension: true,
    first: [5, 0, 0, 0],
    body: "switch (i & 3u) { case 0u: r = 5u; break; case 1u: default: }",
  },
  {
    name: "a case's variable used in another, which sets it",
    dialects: ["glsl"],
    first: [5, 7, 0, 0],
    body: "switch (i & 3u) { case 0u: uint t = 5u; r = t; break; case 1u: t = 7u; r = t; }",
  },
  {
    name: "the same after an empty statement, in C",
    dialects: ["opencl"],
    first: [5, 7, 0, 0],
    body: "switch (i & 3u) { case 0u: ; uint t = 5u; r = t; break; case 1u: t = 7u; r = t; }",
  },
  {
    name: "the same without an initialiser, in C++",
    dialects: ["msl", "hlsl"],
    first: [5, 7, 0, 0],
    body: "switch (i & 3u) { case 0u: uint t; t = 5u; r = t; break; case 1u: t = 7u; r = t; }",
  },
  {
    name: "a variable used on both sides of a fall-through",
    dialects: ["glsl"],
    first: [17, 7, 0, 0],
    body: "switch (i & 3u) { case 0u: uint t = 5u; r = t; case 1u: t = 7u + r; r += t; }",
  },
  {
    name: "an array of one case used in another",
    dialects: ["glsl"],
    first: [6, 7, 0, 0],
    body: "switch (i & 3u) { case 0u: uint t[2] = uint[2](5u, 6u); r = t[1]; break; case 1u: t[1] = 7u; r = t[1]; }",
  },
  {
    name: "a constant of one case used in another",
    dialects: ["glsl"],
    first: [3, 7, 0, 0],
    body: "switch (i & 3u) { case 0u: const uint N = 3u; r = N; break; case 1u: uint a[N]; a[N - 1u] = 7u; r = a[2]; }",
  },
  {
    name: "declarations before the first label",
    dialects: ["opencl", "msl", "hlsl"],
    first: [5, 7, 0, 0],
    body: "switch (i & 3u) { uint t; case 0u: t = 5u; r = t; break; case 1u: t = 7u; r = t; }",
  },
  {
    name: "a switch in a loop with a variable of several cases",
    dialects: ["glsl"],
    first: [8],
    body: "for (uint j = 0u; j < 3u; j++) switch (j) { case 0u: uint t = 5u; r += t; break; default: t = j; r += t; }",
  },
  {
    name: "a declaration after a label",
    dialects: ["glsl"],
    first: [0, 1, 1, 1, 20],
    body: "switch (i & 3u) { case 0u: uint t = i * 5u; r = t; break; default: r = 1u; }",
  },
  {
    name: "declarations after several labels",
    dialects: ["glsl"],
    first: [1, 5, 4, 0],
    body: "switch (i & 3u) { case 0u: { uint t = 1u; r = t; break; } case 1u: uint u = 2u, v = 3u; r = u + v; break; case 2u: uint w = 4u; { uint t = w; r = t; } break; }",
  },
  {
    name: "a declaration in a case that returns",
    dialects: ["glsl"],
    first: [5, 9, 5, 5, 5, 9, 5, 5, 8],
    helpers:
      "uint f(uint x) { switch (x & 3u) { case 0u: uint t = x; if (t > 4u) return t; break; case 1u: return 9u; default: break; } return 5u; }",
    body: "r = f(i);",
  },
  {
    name: "temporaries of calls with effects in cases",
    dialects: ["glsl"],
    first: [17, 4294967295, 12],
    helpers: "uint f(inout uint c) { return ++c * 3u; }",
    body: "uint c = 0u; switch (i & 3u) { case 0u: r = f(c) + f(c) * 2u; break; case 1u: r = f(c) - f(c); break; default: r = f(c) > 1u && f(c) > 2u ? f(c) : f(c) * 3u; } r += c;",
  },
  {
    name: "temporaries of functions with results in places",
    dialects: ["glsl"],
    first: [0, 1, 1, 0],
    body: "float x = float(i); switch (i & 3u) { case 0u: r = uint(fract(x * 0.5) * 4.0); break; case 1u: r = uint(mod(x, 3.0)); break; case 2u: float ip; r = uint(modf(x * 0.5, ip) * 2.0) + uint(ip); break; }",
  },
  {
    name: "braces in cases",
    dialects: all,
    body: "switch (i & 3u) { case 0u: { uint t = i * 5u; r = t; } break; default: { r = 1u; } }",
  },
  {
    name: "a switch whose cases all return",
    dialects: all,
    helpers: "uint f(uint x) { switch (x & 3u) { case 0u: return 1u; case 1u: return 2u; default: return 3u; } }",
    body: "r = f(i);",
  },
  {
    name: "a switch whose last case returns both ways",
    dialects: all,
    helpers:
      "uint f(uint x) { switch (x & 3u) { case 0u: return 1u; default: { if (x > 5u) return 2u; else return 3u; } } }",
    body: "r = f(i);",
  },
  {
    name: "an if that returns both ways",
    dialects: all,
    helpers: "uint f(uint x) { if (x > 5u) { return 2u; } else { return 3u; } }",
    body: "r = f(i);",
  },
  {
    name: "a loop that only a return leaves",
    dialects: all,
    helpers: "uint f(uint x) { for (;;) { if (x > 5u) return x; x += 2u; } }",
    body: "r = f(i);",
  },
  {
    name: "a loop that only a return in a switch leaves",
    dialects: all,
    helpers: "uint f(uint x) { while (true) { switch (x & 3u) { case 0u: return x; default: x++; } } }",
    body: "r = f(i);",
  },
  { name: "do without braces", dialects: all, body: "do r += 3u; while (r < i); do { r++; } while (r < 5u);" },
  {
    name: "falling through, with a default in the middle",
    dialects: ["glsl", "opencl", "msl"],
    body: "switch (i & 7u) { case 0u: r = 1u; case 1u: r += 2u; break; case 2u: case 3u: r += 4u; default: r += 8u; case 5u: r += 16u; }",
  },
  {
    name: "a default at the head that falls through",
    dialects: ["glsl", "opencl", "msl"],
    body: "switch (i & 7u) { default: r += 8u; case 5u: r += 16u; break; case 1u: r = 3u; }",
  },
  {
    name: "an empty last label",
    dialects: all,
    body: "switch (i & 3u) { case 0u: r = 1u; break; case 2u: default: ; }",
  },
  { name: "a switch with nothing but a default", dialects: all, body: "switch (i & 3u) { default: r = 1u; }" },
  { name: "a switch with nothing", dialects: all, body: "switch (i & 3u) { }" },
  {
    name: "nested switches",
    dialects: all,
    body: "switch (i & 3u) { case 0u: switch (i >> 2u) { case 0u: r = 1u; break; default: r = 2u; } break; case 1u: for (int j = 0; j < 3; j++) { if (j == 2) break; r += 5u; } break; default: r = 7u; break; }",
  },
  {
    name: "continue in a switch in a loop",
    dialects: all,
    body: "for (uint j = 0u; j < 9u; j++) { switch (j & 3u) { case 0u: continue; case 1u: r += j; break; default: r += 100u; break; } r++; }",
  },
  {
    name: "break in an if in a case",
    dialects: all,
    body: "uint w = src[i]; switch (w & 3u) { case 0u: if (i > 3u) break; r = 4u; break; case 1u: { if (i > 4u) { r = 9u; break; } r = 11u; break; } default: break; }",
  },
  {
    name: "statements of nothing",
    dialects: all,
    body: ";;; {} { ; } if (i > 3u) ; else r = 1u; if (i > 2u) {} else {} while (r > 100u) {} for (uint j = 0u, k = 5u; j < k; j++, k--) r += j * k; for (;;) break; for (;;) { if (r > i) break; r++; }",
  },
  {
    name: "else that hangs",
    dialects: all,
    body: "if (i > 3u) if (i > 5u) r = 1u; else r = 2u; if (i > 3u) { if (i > 7u) r += 16u; } else r += 32u; if (i > 1u) for (uint j = 0u; j < 2u; j++) if (j > 0u) r += 64u; else r += 128u;",
  },
  {
    name: "else after braces that keep it from hanging",
    dialects: all,
    body: "if (i > 3u) { for (uint j = 0u; j < 2u; j++) if (j > 0u) r += 64u; } else r += 128u; if (i > 4u) { while (r < 10u) if (r > 3u) r += 2u; else r++; } else if (i > 2u) { if (r > 3u) r = 9u; } else r = 5u; if (i > 9u) { do if (r > 2u) r += 3u; while (r < 5u); } else r -= 1u;",
  },
  {
    name: "commas in a for",
    dialects: all,
    body: "uint a, b; for (a = 0u, b = 9u; a < b; a += 2u, --b) { r += a * b; } for (a = 0u; r++, a < 3u; a++) r += 2u;",
  },
  {
    name: "commas",
    dialects: all,
    body: "uint a = 1u, b; b = (a++, a + 2u); r = (b, a); a = b, r += a; r += (a = 3u, b = 4u, a * b);",
  },
  {
    name: "names that hide others",
    dialects: all,
    body: "uint a = 1u; { uint a = 2u; r += a; { uint a = 4u; r += a; } } for (uint a = 0u; a < 3u; a++) { uint b = a; r += b; } r += a; if (i > 2u) { uint r = 3u; r++; }",
  },
  {
    name: "returns in the middle",
    dialects: all,
    body: "if (i > 3u) { dst[i] = 5u; return; } for (;;) { if (i == 2u) { dst[i] = 9u; return; } break; } r = 1u;",
  },
  {
    name: "what is never reached",
    dialects: all,
    body: "for (uint j = 0u; j < 3u; j++) { r++; continue; r += 5u; } while (true) { r++; break; r = 0u; } switch (i) { case 0u: break; r = 7u; default: break; }",
  },
  {
    name: "labels below zero",
    dialects: ["glsl", "msl", "hlsl"],
    body: "switch (int(i) - 3) { case -1: r = 1u; break; case -3: r = 2u; break; case 0: r = 5u; break; case 2 + 1: r = 6u; break; }",
  },
  {
    name: "a loop or an if around a switch, without braces",
    dialects: all,
    body: "uint n = i; while (n-- > 0u) switch (n & 1u) { case 0u: r += 2u; break; default: r += 3u; } if (i > 2u) switch (i & 1u) { case 0u: r += 2u; break; default: r += 3u; } else r = 9u;",
  },
  {
    name: "signs one after another",
    dialects: ["glsl", "msl", "hlsl"],
    body: "int x = int(i), y = 3; int a = - -x; int b = x - -1; int c = x-- - --y; int d = -(-x); int e = +x; int f = x - - -y; int g = ~-x; int h = -~x; int m = !(x != 0) ? 1 : 2; r = uint(a + b * 3 + c * 5 + d * 7 + e * 11 + f * 13 + g * 17 + h * 19 + m); r += uint(-(-2147483647) < 0); x = -2147483647 - 1; r ^= uint(x);",
  },
  {
    name: "signs in C",
    dialects: ["opencl", "msl", "hlsl"],
    body: "uint a = i; r = -a; r += ~a; r ^= (uint)!a; a = +a; r -= -(-a); int b = -(int)i; b = -b; b = - - -b; r += (uint)b; b = -(-(3)); r += b; b = ~(~b); b -= -2; b -= - -2; r += (uint)b; float q = -1.5f - -(float)b; q = - -q; r += (uint)q + (uint)(q > -0.0f);",
  },
  {
    name: "operators of all ranks",
    dialects: ["glsl"],
    body: "uint a = i & 3u, b = src[i] & 7u; r = (a + b) * 3u - (a - (b - 1u)) + ((a & b) == 1u ? 5u : 6u) + (a << (b & 3u)) + ((a + b) << 1u) + (a << 2u >> 1u) + (a ^ b & 3u | 4u) + ((a ^ b) & 3u) + (a - b - 1u) + a % (b | 1u) * 2u + a * 6u % (b | 1u) + uint(!(a < b) || a == b && b > 1u) + uint((a < b) == (b < a)) + uint(a < b != b < a); uint c = a > 1u ? b > 2u ? 1u : 2u : b > 3u ? 3u : 4u; r += c; c = (a > 1u ? b : a) + 1u; r += c; uint d = a; d += d = b; r += d;",
  },
  {
    name: "comparisons that look like templates",
    dialects: ["glsl", "msl", "hlsl"],
    body: "int a = int(i), b = 3, c = 2; bool x = (a < b) == (b > c); r = uint(x); bool y = a < b && b > (c); r += uint(y) * 2u; r += uint(a >> 1 > b >> 1);",
  },
  {
    name: "comments that run on",
    dialects: all,
    first: [29],
    body: "r = 1u; // ends in a backslash \\\n r += 2u;\n/* a // b */ r += 4u; // c /* d\nr += 8u; /* * / */ r += 16u; // */ \n",
  },
  {
    name: "comments that run on in other dialects",
    dialects: ["glsl"],
    first: [7],
    body: "r = 1u; // \\ and a blank: \\ \nr += 2u; // what??/\nr += 4u; // \\\\\nr = 0u;\n",
  },
  {
    name: "a long line",
    dialects: all,
    body: `r = ${Array.from({ length: 60 }, (_, n) => `(i ^ ${String(n)}u) * (src[i] + ${String(n * 7)}u)`).join(" + ")};`,
  },
];

/** The shape as a kernel with 16 invocations in a workgroup. */
export function shapeText({ body, helpers = "" }: Shape, dialect: TwoWayDialect): string {
  switch (dialect) {
    case "glsl":
      return `#version 450
layout(local_size_x = 16) in;
layout(std430, binding = 0) readonly buffer A { uint src[]; };
layout(std430, binding = 1) buffer B { uint dst[]; };
${helpers}
void main() { uint i = gl_GlobalInvocationID.x, r = 0u; ${body} dst[i] = r; }
`;
    case "opencl":
      return `${helpers}
__kernel void k(__global const uint *src, __global uint *dst) { uint i = get_global_id(0), r = 0u; ${body} dst[i] = r; }
`;
    case "msl":
      return `#include <metal_stdlib>
using namespace metal;
${helpers}
kernel void k(device const uint *src [[buffer(0)]], device uint *dst [[buffer(1)]], uint i [[thread_position_in_grid]]) { uint r = 0u; ${body} dst[i] = r; }
`;
    case "hlsl":
      return `StructuredBuffer<uint> src : register(t0);
RWStructuredBuffer<uint> dst : register(u1);
${helpers}
[numthreads(16, 1, 1)]
void k(uint3 id : SV_DispatchThreadID) { uint i = id.x, r = 0u; ${body} dst[i] = r; }
`;
  }
}
