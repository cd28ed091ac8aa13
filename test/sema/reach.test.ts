/** Which declarations need which, and what becomes of those that nothing needs. */
import { describe, expect, test } from "vitest";
import { frontEnd } from "../../src/frontend/index.js";
import { analyzeReached, type ReachedAnalysis, type ReachOptions } from "../../src/sema/analyze-reached.js";
import type { TwoWayDialect } from "../../src/dialects/ids.js";

async function reached(
  from: TwoWayDialect,
  source: string,
  headers: Readonly<Record<string, string>> = {},
  more: Partial<ReachOptions> = {},
): Promise<ReachedAnalysis> {
  const { expanded, unit, problems } = await frontEnd(source, {
    from,
    fileName: "kernel",
    include: (path) => (path in headers ? { name: path, text: headers[path]! } : undefined),
  });
  expect(problems).toEqual([]);
  return analyzeReached(unit, expanded, { dialect: from, ...more });
}

const functionsOf = ({ module }: ReachedAnalysis): string[] => module!.functions.map((f) => f.name);
const namesLeftOut = ({ leftOut }: ReachedAnalysis): string[] => leftOut.flatMap((d) => d.names);
const said = ({ problems }: ReachedAnalysis): string[] => problems.map((p) => `${p.severity} ${p.code} ${p.message}`);

const kernel = (body: string): string => `__kernel void k(__global float *x) { uint i = get_global_id(0); ${body} }\n`;

describe("of an included file", () => {
  const header = `
typedef queue_t wide;
enum mode { fast, slow = 3 };
typedef struct { float a; } pair;
float scale(float v) { return v * 2.0f; }
float scaled(float v) { return scale(v); }
float all(wide v) { return 1; }
__constant float factor = 3.0f;
__constant float other = 4.0f;
`;
  const including = (body: string): string => `#include "h"\n${kernel(body)}`;

  test("what is named is read, with what that names", async () => {
    const r = await reached("opencl", including("x[i] = scaled(factor);"), { h: header });
    expect(functionsOf(r)).toEqual(["scale", "scaled", "k"]);
    expect(namesLeftOut(r)).toEqual(["wide", "mode", "pair", "all", "other"]);
    expect(said(r)).toEqual([]);
  });

  test("an enumerator brings its enumeration", async () => {
    const r = await reached("opencl", including("x[i] = slow;"), { h: header });
    expect(r.module!.enums).toHaveLength(1);
    expect(namesLeftOut(r)).not.toContain("mode");
  });

  test("members and locals of a name bring nothing", async () => {
    const r = await reached(
      "opencl",
      including("pair p; p.a = 1; float all = p.a; { float scale = all; x[i] = scale; }"),
      {
        h: header,
      },
    );
    expect(namesLeftOut(r)).toEqual(["wide", "mode", "scale", "scaled", "all", "factor", "other"]);
    expect(r.module).toBeDefined();
  });

  test("a local hides from where it is declared, and as far as its block goes", async () => {
    const before = await reached("opencl", including("x[i] = scale(1); float scale = 2; x[i] += scale;"), {
      h: header,
    });
    expect(functionsOf(before)).toEqual(["scale", "k"]);
    const after = await reached("opencl", including("{ float scale = 2; x[i] += scale; } x[i] = scale(1);"), {
      h: header,
    });
    expect(functionsOf(after)).toEqual(["scale", "k"]);
  });

  test("an assertion stays where all of what it names does", async () => {
    const asserted = `typedef struct { float a; } one; typedef struct { queue_t a; } two;
_Static_assert(sizeof(one) == 4, "one"); _Static_assert(sizeof(two) == 32, "two");\n`;
    const r = await reached("opencl", `#include "h"\n${kernel("one o; o.a = 1; x[i] = o.a;")}`, { h: asserted });
    expect(said(r)).toEqual([]);
    const wrong = await reached("opencl", `#include "h"\n${kernel("one o; o.a = 1; x[i] = o.a;")}`, {
      h: asserted.replace("== 4", "== 5"),
    });
    expect(wrong.module).toBeUndefined();
    expect(said(wrong)).toEqual(["error XL2019 the static assertion does not hold: one"]);
  });

  test("everything is read where that is asked for", async () => {
    const r = await reached("opencl", including("x[i] = 1;"), { h: header }, { keepUnused: true });
    expect(r.module).toBeUndefined();
    expect(said(r)[0]).toMatch(/^error XL1900 type 'queue_t'/);
    const fine = header.replace(/.*wide.*\n/g, "");
    expect(functionsOf(await reached("opencl", including("x[i] = 1;"), { h: fine }, { keepUnused: true }))).toEqual([
      "scale",
      "scaled",
      "k",
    ]);
  });

  test("what it declares of the interface stays: where parts lie depends on those before", async () => {
    const r = await reached(
      "hlsl",
      `#include "h"
RWStructuredBuffer<float> x;
[numthreads(8, 1, 1)] void k(uint i : SV_DispatchThreadID) { x[i] = second; }\n`,
      { h: "float first;\nfloat second;\nstatic const float third = 1;\ncbuffer Rest { float rest; };\n" },
    );
    expect(r.module!.resources.map((x) => x.path)).toEqual(["first", "second", "Rest.rest", "x"]);
    expect(namesLeftOut(r)).toEqual(["third"]);
  });

  test("functions that hide builtin ones are read where they are called", async () => {
    const hiding = "vec2 max(vec2 a, vec2 b) { return a; }\n";
    const source = (body: string): string => `#version 450
#extension GL_GOOGLE_include_directive : require
#include "h"
layout(local_size_x = 8) in;
layout(std430, binding = 0) buffer X { float x[]; };
void main() { ${body} }\n`;
    expect(functionsOf(await reached("glsl", source("x[0] = max(vec2(x[1]), vec2(1)).x;"), { h: hiding }))).toEqual([
      "max",
      "main",
    ]);
    expect(functionsOf(await reached("glsl", source("x[0] = min(x[1], 1.0);"), { h: hiding }))).toEqual(["main"]);
  });
});

describe("of the file itself", () => {
  test("what nothing needs stays where it is fine", async () => {
    const r = await reached("opencl", `float dead(float v) { return v; }\n${kernel("x[i] = 1;")}`);
    expect(functionsOf(r)).toEqual(["dead", "k"]);
    expect(r.leftOut).toEqual([]);
  });

  test("what is not supported is left out, with what needs it", async () => {
    const r = await reached(
      "opencl",
      `float dead(queue_t v) { return 1; }\nfloat more(float v) { return dead(0); }\n${kernel("x[i] = 1;")}`,
    );
    expect(functionsOf(r)).toEqual(["k"]);
    expect(namesLeftOut(r)).toEqual(["dead", "more"]);
    expect(r.leftOut[0]!.problem?.code).toBe("XL1900");
    expect(said(r)).toEqual([]);
  });

  test("an error in it is a warning", async () => {
    const r = await reached("opencl", `float dead(float v) { return nothing(v); }\n${kernel("x[i] = 1;")}`);
    expect(functionsOf(r)).toEqual(["k"]);
    expect(said(r)).toEqual(["warning XL2001 function 'nothing' is not declared"]);
  });

  test("and an error where a kernel needs it", async () => {
    const r = await reached("opencl", `float half_of(float v) { return nothing(v); }\n${kernel("x[i] = half_of(1);")}`);
    expect(r.module).toBeUndefined();
    expect(said(r)).toEqual(["error XL2001 function 'nothing' is not declared"]);
  });

  test("anonymous enumerations stay", async () => {
    const r = await reached("opencl", `enum { one = 1 };\n${kernel("x[i] = one;")}`);
    expect(r.module!.enums).toHaveLength(1);
  });
});

describe("of several kernels", () => {
  const three = `
__kernel void a(__global float *x) { x[0] = missing; }
float wide(queue_t v) { return 1; }
__kernel void b(__global float *x) { x[0] = wide(0); }
__kernel void c(__global float *x) { x[0] = 2; }
`;
  test("those that can be are translated, the others are named with the reason", async () => {
    const r = await reached("opencl", three);
    expect(r.module!.entries.map((e) => e.name)).toEqual(["c"]);
    expect(r.refused.map((x) => [x.name, x.problems[0]!.code])).toEqual([
      ["a", "XL2001"],
      ["b", "XL1900"],
    ]);
    expect(r.problems.every((p) => p.severity === "warning")).toBe(true);
  });

  test("what is wrong in many is said of each", async () => {
    const many = Array.from({ length: 50 }, (_, i) => `__kernel void k${i}(__global float *x) { x[0] = missing; }\n`);
    const r = await reached("opencl", `${many.join("")}__kernel void fine(__global float *x) { x[0] = 1; }\n`);
    expect(r.refused).toHaveLength(50);
    expect(r.refused.every((x) => x.problems.length === 1)).toBe(true);
    expect(said(r)).toEqual(["warning XL2001 name 'missing' is not declared"]);
  });

  test("only the one that is asked for counts", async () => {
    const c = await reached("opencl", three, {}, { entry: "c" });
    expect(c.module!.entries.map((e) => e.name)).toEqual(["c"]);
    expect(c.refused).toEqual([]);
    expect(c.problems).toEqual([]);
    const b = await reached("opencl", three, {}, { entry: "b" });
    expect(b.module).toBeUndefined();
    expect(said(b)).toEqual(["error XL1900 type 'queue_t' is not supported yet"]);
  });

  test("where none can be, all that stands in the way is an error", async () => {
    const r = await reached("opencl", three.replace(/.*void c.*/, ""));
    expect(r.module).toBeUndefined();
    expect(said(r).map((x) => x.slice(0, 12))).toEqual(["error XL2001", "error XL1900"]);
  });

  test("each has the resources it uses, though it is the only one left", async () => {
    const r = await reached(
      "hlsl",
      `RWStructuredBuffer<float> x; RWStructuredBuffer<float> y; float u; float v;
[numthreads(8, 1, 1)] void a(uint i : SV_DispatchThreadID) { x[i] = missing + u; }
[numthreads(8, 1, 1)] void b(uint i : SV_DispatchThreadID) { y[i] = v; }\n`,
    );
    const [only] = r.module!.entries;
    const names = only!.resources.map((id) => r.module!.variables.get(id)!.name);
    expect(names).toEqual(["y", "v"]);
    // Where `v` lies depends on `u`.
    expect(r.module!.resources.map((x) => x.path)).toEqual(["x", "y", "u", "v"]);
  });
});

describe("of templates", () => {
  const metal = (text: string): string => `#include <metal_stdlib>\nusing namespace metal;\n${text}`;
  const scale = "template<typename T> T scale(T v) { return v * T(2); }\n";

  test("what nothing instantiates stops nothing", async () => {
    const header = `${scale}template<typename T> struct rows { texture2d<T> t; };\ntemplate<typename T> T first(rows<T> r) { return r.t.x; }\n`;
    const source = metal('#include "h"\nkernel void k(device float *x [[buffer(0)]]) { x[0] = scale(x[1]); }\n');
    const r = await reached("msl", source, { h: header });
    expect(said(r)).toEqual([]);
    expect(namesLeftOut(r)).toEqual(["rows", "first"]);
  });

  test("an instance that is wrong is wrong with the kernel that wants it", async () => {
    const source = metal(`struct odd { int a; };
${scale}
kernel void a(device float *x [[buffer(0)]]) { x[0] = scale(x[1]); }
kernel void b(device odd *x [[buffer(0)]]) { x[0] = scale(x[1]); }
kernel void c(device int *x [[buffer(0)]]) { x[0] = scale(x[1]); }
`);
    const r = await reached("msl", source);
    expect(r.module!.entries.map((e) => e.name)).toEqual(["a", "c"]);
    expect(r.refused.map((x) => x.name)).toEqual(["b"]);
  });

  test("instances of kernels stand for themselves", async () => {
    const source = metal(`struct odd { int a; };
${scale}
template<typename T> kernel void k(device T *x [[buffer(0)]]) { x[0] = scale(x[1]); }
typedef decltype(k<float>) k_t;
template [[host_name("k_f32")]] kernel k_t k<float>;
template [[host_name("k_odd")]] kernel void k<odd>(device odd *x [[buffer(0)]]);
template [[host_name("k_i32")]] kernel void k<int>(device int *x [[buffer(0)]]);
`);
    const r = await reached("msl", source);
    expect(r.module!.entries.map((e) => e.name)).toEqual(["k_f32", "k_i32"]);
    expect(r.refused.map((x) => x.name)).toEqual(["k_odd"]);
    const one = await reached("msl", source, {}, { entry: "k_i32" });
    expect(one.module!.entries.map((e) => e.name)).toEqual(["k_i32"]);
    expect(one.problems).toEqual([]);
  });

  test("one instance that many want is found wrong for each", async () => {
    const wanting = Array.from(
      { length: 20 },
      (_, i) => `kernel void k${i}(device odd *x [[buffer(0)]]) { x[0] = scale(x[1]); }\n`,
    );
    const source = metal(`struct odd { int a; };\n${scale}${wanting.join("")}
kernel void fine(device float *x [[buffer(0)]]) { x[0] = 1; }\n`);
    const r = await reached("msl", source);
    expect(r.module!.entries.map((e) => e.name)).toEqual(["fine"]);
    expect(r.refused).toHaveLength(20);
  });
});

describe("comments", () => {
  const header = `// licence
#ifndef H
#define H
/* of a constant */
#define UNUSED 4
/* of a */
float a(float v) { return v; } // behind a
/* of b */
float b(float v) { return v; }
/* inside */ float c(float v) { /* body */ return v; }
// the end of the header
#endif
`;
  const all = (r: ReachedAnalysis): string[] => {
    const found: string[] = [];
    JSON.stringify({ ...r.module, variables: [...r.module!.variables.values()] }, (key, value: unknown) => {
      if (key === "text" && typeof value === "string" && /^\/[/*]/.test(value)) found.push(value);
      return typeof value === "bigint" ? String(value) : value;
    });
    return found;
  };
  const source = (body: string): string => `// the kernel's own\n\n#include "h"\n/* of k */\n${kernel(body)}`;

  test("go with what they speak of", async () => {
    const r = await reached("opencl", source("x[i] = b(1);"), { h: header });
    expect(all(r).sort()).toEqual(["/* of b */", "/* of k */", "// licence", "// the kernel's own"].sort());
  });

  test("of a file that nothing is left of go", async () => {
    const r = await reached("opencl", source("x[i] = 1;"), { h: header });
    expect(all(r).sort()).toEqual(["/* of k */", "// the kernel's own"]);
  });

  test("at the end of a file stay with its end", async () => {
    const r = await reached("opencl", source("x[i] = c(1);"), { h: header });
    expect(all(r)).toContain("// the end of the header");
  });
});

describe("overloads of an included file", () => {
  const header = `// Of ints.
int twice(int v) { return 2 * v; }
// Of floats.
float once(float v) { return v; }
float twice(float v) { return once(v) + once(v); }
// Of an int that nobody asks for.
int once(int v) { return v; }
`;
  const kernel = (body: string): string =>
    `#include <metal_stdlib>\nusing namespace metal;\n#include "h"\nnamespace own { int once(int v) { return v; } } // namespace own
kernel void k(device float *x [[buffer(0)]]) { ${body} }\n`;

  test("are left out where no kernel calls them, with their comments", async () => {
    const r = await reached("msl", kernel("x[0] = twice(x[1]);"), { h: header });
    const functions = r.module!.functions.map((f) => f.parameters.map((p) => r.module!.variables.get(p)!.type));
    const scalars = functions.flat().map((t) => (t.kind === "scalar" ? t.scalar : ""));
    // What the file itself declares stays.
    expect(scalars.sort()).toEqual(["f32", "f32", "i32"]);
    expect(r.leftOut.map((l) => [l.names, l.included])).toEqual([
      [["twice"], true],
      [["once"], true],
    ]);
    const comments = r.module!.functions.flatMap((f) => f.trivia.leading.map((c) => c.text));
    expect(comments).toEqual(["// Of floats."]);
  });
});

test("comments that name the namespace that ends there go with it", async () => {
  const source = `#include <metal_stdlib>
using namespace metal;
namespace outer {
// What stays.
namespace inner { int once(int v) { return v; } } // inner
int twice(int v) { return 2 * v; }
} /* end of outer */
kernel void k(device int *x [[buffer(0)]]) { x[0] = outer::inner::once(x[1]); }\n`;
  const r = await reached("msl", source);
  const functions = r.module!.functions.flatMap((f) => [...f.trivia.leading, ...f.trivia.trailing].map((c) => c.text));
  expect([...functions, ...r.module!.trailingComments.map((c) => c.text)]).toEqual(["// What stays."]);
});

test("constants of instances that no text needs are none of the module's", async () => {
  const source = `#include <metal_stdlib>
using namespace metal;
template <typename T> constant constexpr bool isReal = is_same_v<T, float>;
template <typename T, int N> struct Tile {
  static constant constexpr int size = N * 4;
  static constant constexpr int rows = N;
  static constant constexpr int table[2] = { N, N + 1 };
  int v[size];
  T one() const { return isReal<T> ? T(rows) : T(table[0]); }
};
constant int ownAndUnused = 3;
kernel void k(device int *x [[buffer(0)]]) { Tile<int, 2> t; t.v[0] = x[1]; if constexpr (!isReal<int>) x[0] = t.v[0] + t.one() + t.table[x[1] & 1]; }
kernel void other(device int *x [[buffer(0)]]) { x[0] = Tile<int, 5>::rows; }\n`;
  const { module } = await reached("msl", source);
  const names = module!.order.flatMap((o) => (o.kind === "variable" ? [module!.variables.get(o.variable)!.name] : []));
  const needed = ["Tile_int_2_size", "Tile_int_2_rows", "Tile_int_2_table", "isReal_int", "Tile_int_5_size"];
  expect(names).toEqual(["ownAndUnused", ...needed, "Tile_int_5_rows"]);
});
