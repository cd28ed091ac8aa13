/** Tests over vectors, componentwise comparison and selection, and the geometric functions. */
import { define, expanded, floats, native, orBfloat, reads, lowering, set, tree, writes } from "./define.js";
import { edgeTree } from "./edge-formulas.js";
import type { Cell, OpRow } from "./row.js";
import type { Expr } from "../ast/nodes.js";
import { binary, conditional, construct, convert, elementValue, literal, swizzleValue } from "../ast/builders.js";
import { opId } from "../ast/op-ids.js";
import { scalar, scalarOf, shaped, type Type } from "../types/types.js";
import {
  add,
  and,
  bin,
  compare,
  components,
  div,
  fold,
  k,
  mul,
  negate,
  op,
  or,
  same,
  select,
  sub,
  test,
  to,
} from "./trees.js";

const vectors = set("bool", 2, 3, 4);
const anyScalar = set("f32 f16 f64 i32 u32 i16 u16 i8 u8 i64 u64 bool");
/** What OpenCL C tests are the top bits of integer vectors of any width. */
const masksOf = ["N -> i32", "N8 -> i32", "N16 -> i32", "N64 -> i32"];
const shuffled = set("f32 f16 f64 i32 u32 i16 u16 i8 u8 i64 u64", 2, 4);
const floatVectors = set("f32 f16 f64");
/** DXC has no function of doubles but for sums and comparisons. */
const upToFloat = (name: string): readonly Cell[] => [native(name, "DXC", { on: floats }), expanded];

const anyOf = (parts: readonly Expr[]): Expr => fold(parts, (a, b) => or(a, b));
const allOf = (parts: readonly Expr[]): Expr => fold(parts, (a, b) => and(a, b));

export const logicRows: readonly OpRow[] = [
  define("logic", "logic.all", {
    summary: "true where all components are",
    everySize: true,
    signature: "T -> bool",
    on: vectors,
    expand: tree(([x]) => allOf(components(x!))),
    msl: native("all", "MSL 3.1 6.4"),
    glsl: native("all", "glslang"),
    opencl: native("all", "clang-19", { signatures: masksOf }),
    hlsl: native("all", "DXC"),
    run: (x: boolean[]) => x.every(Boolean),
  }),
  define("logic", "logic.any", {
    summary: "true where a component is",
    everySize: true,
    signature: "T -> bool",
    on: vectors,
    expand: tree(([x]) => anyOf(components(x!))),
    msl: native("any", "MSL 3.1 6.4"),
    glsl: native("any", "glslang"),
    opencl: native("any", "clang-19", { signatures: masksOf }),
    hlsl: native("any", "DXC"),
    run: (x: boolean[]) => x.some(Boolean),
  }),
  define("select", "select.componentwise", {
    summary: "componentwise: condition ? whenTrue : whenFalse; all operands are evaluated",
    byComponent: true,
    signature: "B, T, T -> T",
    on: anyScalar,
    expand: tree(([c, a, b]) => selectTree(c!, a!, b!)),
    msl: native("select", "MSL 3.1 6.4", { on: orBfloat(anyScalar), signatures: ["2=T, 1=T, 0=B -> T"] }),
    glsl: native("mix", "glslang", "2=T, 1=T, 0=B -> T"),
    opencl: [
      native("select", "clang-19", {
        on: set("f32 f16 f64 i32 u32 i16 u16 i8 u8 i64 u64"),
        signatures: ["2=T, 1=T, 0=N -> T", "2=T, 1=T, 0=M -> T"],
      }),
      lowering("select-by-conditional"),
    ],
    hlsl: native("select", "DXC", { needs: "sm>=6.0", signatures: ["B, T, T -> T"] }),
  }),
  // OpenCL C 3.0 6.15.13: as many components as the mask has.
  ...([2, 4, 8, 16] as const).flatMap((n): OpRow[] => [
    define("select", opId(`select.shuffle_${n}`), {
      summary: `${n} components of x: mask[i] modulo their number (OpenCL shuffle)`,
      everySize: true,
      signature: `T, Mx${n} -> Sx${n}`,
      on: shuffled,
      expand: tree(([x, mask]) => shuffledTree([x!], mask!)),
      msl: expanded,
      glsl: expanded,
      opencl: native("shuffle", "clang-19"),
      hlsl: expanded,
    }),
    define("select", opId(`select.shuffle2_${n}`), {
      summary: `${n} components of x and y, one after the other: mask[i] modulo their number (OpenCL shuffle2)`,
      everySize: true,
      signature: `T, T, Mx${n} -> Sx${n}`,
      on: shuffled,
      expand: tree(([x, y, mask]) => shuffledTree([x!, y!], mask!)),
      msl: expanded,
      glsl: expanded,
      opencl: native("shuffle2", "clang-19"),
      hlsl: expanded,
    }),
  ]),
];

function shuffledTree(from: readonly Expr[], mask: Expr): Expr {
  const type = from[0]!.type as Type & { kind: "vector" };
  const parts = components(mask).map((m) => {
    const n = convert(m, scalar("u32"));
    const index = binary("and", n, literal("u32", type.size - 1));
    const [x, y] = from.map((v) => elementValue(v, index));
    return y ? conditional(binary("eq", binary("and", n, literal("u32", type.size)), literal("u32", 0)), x!, y) : x!;
  });
  return construct(shaped(type.scalar, parts.length), parts);
}

function selectTree(condition: Expr, whenTrue: Expr, whenFalse: Expr): Expr {
  if (condition.type.kind === "scalar") return conditional(condition, whenTrue, whenFalse);
  const [cs, ts, fs] = [components(condition), components(whenTrue), components(whenFalse)];
  return construct(
    whenTrue.type,
    cs.map((c, i) => conditional(c, ts[i]!, fs[i]!)),
  );
}

const S = (type: Type): Type => scalar(scalarOf(type)!);
const dot = (x: Expr, y: Expr): Expr => {
  const [xs, ys] = [components(x), components(y)];
  return fold(
    xs.map((a, i) => mul(a, ys[i]!)),
    add,
  );
};
const dotOp = (x: Expr, y: Expr): Expr => op("geometry.dot", S(x.type), x, y);

const sum = (xs: number[], ys: number[]): number => xs.reduce((s, x, i) => s + x * ys[i]!, 0);

export const geometryRows: readonly OpRow[] = [
  define("geometry", "geometry.dot", {
    summary: "sum of the products of components, left to right",
    signature: "T, T -> S",
    on: floatVectors,
    expand: tree(([x, y]) => dot(x!, y!)),
    msl: [native("dot", "MSL 3.1 6.8", { on: set("f32 f16", 2, 3, 4) }), expanded],
    glsl: native("dot", "glslang"),
    opencl: native("dot", "clang-19"),
    // DXC reads it of doubles, and what it makes of it is not valid.
    hlsl: [native("dot", "DXC", { on: floats }), reads("dot", "DXC", { on: set("f64") }), expanded],
    run: (x: number[], y: number[]) => sum(x, y),
  }),
  define("geometry", "geometry.dot_integer", {
    summary: "sum of the products of integer components (HLSL dot)",
    signature: "T, T -> S",
    on: set("i32 u32 i16 u16 i64 u64", 1, 2, 3, 4),
    expand: tree(([x, y]) => dot(x!, y!)),
    msl: lowering("wrapping-sum"),
    glsl: expanded,
    opencl: lowering("wrapping-sum"),
    hlsl: native("dot", "DXC"),
  }),
  define("geometry", "geometry.cross", {
    summary: "vector product",
    signature: "T, T -> T",
    on: set("f32 f16 f64", 3),
    expand: tree(([x, y]) => {
      const [a, b] = [components(x!), components(y!)];
      const part = (i: number, j: number): Expr => sub(mul(a[i]!, b[j]!), mul(b[i]!, a[j]!));
      return construct(x!.type, [part(1, 2), part(2, 0), part(0, 1)]);
    }),
    msl: native("cross", "MSL 3.1 6.8"),
    glsl: native("cross", "glslang"),
    opencl: native("cross", "clang-19"),
    hlsl: [native("cross", "DXC", { on: set("f32 f16", 3) }), expanded],
    run: (a: number[], b: number[]) => [
      a[1]! * b[2]! - b[1]! * a[2]!,
      a[2]! * b[0]! - b[2]! * a[0]!,
      a[0]! * b[1]! - b[0]! * a[1]!,
    ],
  }),
  define("geometry", "geometry.cross_padded", {
    summary: "vector product of the first three components, and 0 (OpenCL cross of four)",
    signature: "T, T -> T",
    on: set("f32 f16 f64", 4),
    expand: tree(([x, y], type) => {
      const of = (v: Expr): Expr => swizzleValue(v, [0, 1, 2]);
      const product = same("geometry.cross", of(x!), of(y!));
      return construct(type, [product, k(S(type), 0)]);
    }),
    msl: expanded,
    glsl: expanded,
    opencl: native("cross", "clang-19, OpenCL C 3.0 6.15.5"),
    hlsl: expanded,
  }),
  define("geometry", "geometry.length", {
    result: { notNegative: true },
    summary: "sqrt(dot(x, x))",
    signature: "T -> S",
    on: floatVectors,
    expand: tree(([x]) => same("math.sqrt", dot(x!, x!))),
    msl: [
      native("length", "MSL 3.1 6.8", { on: set("f32 f16", 2, 3, 4) }),
      reads("fast::length", "MSL 3.1 6.8", { on: set("f32", 2, 3, 4) }),
      lowering("scalar-length"),
    ],
    glsl: native("length", "glslang"),
    opencl: [
      reads("fast_length", "clang-19", { on: set("f32") }),
      writes("length", "geometry.scaled_length", "clang-19"),
    ],
    hlsl: upToFloat("length"),
    run: (x: number[]) => Math.sqrt(sum(x, x)),
  }),
  define("geometry", "geometry.distance", {
    result: { notNegative: true },
    summary: "length(x - y)",
    signature: "T, T -> S",
    on: floatVectors,
    expand: tree(([x, y]) => op("geometry.length", S(x!.type), sub(x!, y!))),
    msl: [
      native("distance", "MSL 3.1 6.8", { on: set("f32 f16", 2, 3, 4) }),
      reads("fast::distance", "MSL 3.1 6.8", { on: set("f32", 2, 3, 4) }),
      expanded,
    ],
    glsl: native("distance", "glslang"),
    opencl: [
      reads("fast_distance", "clang-19", { on: set("f32") }),
      writes("distance", "geometry.scaled_distance", "clang-19"),
    ],
    hlsl: upToFloat("distance"),
  }),
  ...(["length", "distance", "normalize"] as const).map((name) =>
    define("geometry", opId(`geometry.precise_${name}`), {
      summary: `${name} to the accuracy of MSL's precise functions`,
      signature: { length: "T -> S", distance: "T, T -> S", normalize: "T -> T" }[name],
      variant: { of: opId(`geometry.${name}`), in: "accuracy" },
      on: set("f32", 2, 3, 4),
      expand: tree((args, type) => op(opId(`geometry.${name}`), type, ...args)),
      msl: native(`precise::${name}`, "MSL 3.1 6.8: precise variants"),
      glsl: expanded,
      opencl: expanded,
      hlsl: expanded,
    }),
  ),
  define("geometry", "geometry.scaled_length", {
    variant: { of: "geometry.length", in: "accuracy" },
    summary: "length without overflow or underflow in between (OpenCL)",
    signature: "T -> S",
    on: floatVectors,
    expand: tree(edgeTree("geometry.scaled_length")),
    msl: lowering("formula"),
    glsl: lowering("formula"),
    opencl: native("length", "clang-19, OpenCL C 3.0 7.5.1"),
    hlsl: lowering("formula"),
    run: (x: number[]) => Math.hypot(...x),
  }),
  define("geometry", "geometry.scaled_distance", {
    variant: { of: "geometry.distance", in: "accuracy" },
    summary: "length of x - y without overflow or underflow in between (OpenCL)",
    signature: "T, T -> S",
    on: floatVectors,
    expand: tree(edgeTree("geometry.scaled_distance")),
    msl: lowering("formula"),
    glsl: lowering("formula"),
    opencl: native("distance", "clang-19, OpenCL C 3.0 7.5.1"),
    hlsl: lowering("formula"),
  }),
  define("geometry", "geometry.scaled_normalize", {
    variant: { of: "geometry.normalize", in: "accuracy" },
    summary: "x / length(x) without overflow or underflow in between; the zero vector itself (OpenCL)",
    signature: "T -> T",
    on: floatVectors,
    expand: tree(edgeTree("geometry.scaled_normalize")),
    msl: lowering("formula"),
    glsl: lowering("formula"),
    opencl: native("normalize", "clang-19, OpenCL C 3.0 7.5.1"),
    hlsl: lowering("formula"),
  }),
  define("geometry", "geometry.length_squared", {
    result: { notNegative: true },
    summary: "dot(x, x) (MSL)",
    signature: "T -> S",
    on: set("f32 f16", 2, 3, 4),
    expand: tree(([x]) => dotOp(x!, x!)),
    msl: native("length_squared", "MSL 3.1 6.8"),
    glsl: expanded,
    opencl: expanded,
    hlsl: expanded,
  }),
  define("geometry", "geometry.distance_squared", {
    result: { notNegative: true },
    summary: "dot(x - y, x - y) (MSL)",
    signature: "T, T -> S",
    on: set("f32 f16", 2, 3, 4),
    expand: tree(([x, y]) => op("geometry.length_squared", S(x!.type), sub(x!, y!))),
    msl: native("distance_squared", "MSL 3.1 6.8"),
    glsl: expanded,
    opencl: expanded,
    hlsl: expanded,
  }),
  define("geometry", "geometry.normalize", {
    result: { magnitude: 1 },
    summary: "x / length(x)",
    signature: "T -> T",
    on: floatVectors,
    // Vulkan: x * inversesqrt(dot(x, x)); HLSL: "indefinite"; MSL says nothing of it.
    open: {
      in: { glsl: "GLSL 4.60 8.5", msl: "MSL 3.1 6.8", hlsl: "DXC" },
      where: ([x]) => allZero(x!),
      says: "of a zero vector",
    },
    expand: tree(([x]) => bin("mul", x!, same("math.rsqrt", dot(x!, x!)))),
    msl: [
      native("normalize", "MSL 3.1 6.8", { on: set("f32 f16", 2, 3, 4) }),
      reads("fast::normalize", "MSL 3.1 6.8", { on: set("f32", 2, 3, 4) }),
      lowering("scalar-normalize"),
    ],
    glsl: native("normalize", "glslang"),
    opencl: [writes("normalize", "geometry.scaled_normalize", "clang-19")],
    hlsl: upToFloat("normalize"),
  }),
  define("geometry", "geometry.fast_normalize", {
    summary: "x / length(x); of a zero vector itself (OpenCL fast_normalize)",
    signature: "T -> T",
    on: set("f32"),
    expand: tree(([x]) => conditional(allZero(x!), x!, op("geometry.normalize", x!.type, x!))),
    msl: expanded,
    glsl: expanded,
    opencl: native("fast_normalize", "clang-19, OpenCL C 3.0 6.15.5"),
    hlsl: expanded,
  }),
  define("geometry", "geometry.dot2_add", {
    summary:
      "z and the products of the components of x and y, in f32; in which order they are added is open (HLSL dot2add)",
    signature: "f16x2, f16x2, f32 -> f32",
    on: set("f16", 2),
    // Products of halves are exact in f32.
    expand: tree(([x, y, z]) => {
      const products = components(x!).map((c, i) => mul(to("f32", c), to("f32", components(y!)[i]!)));
      return add(add(z!, products[0]!), products[1]!);
    }),
    msl: expanded,
    glsl: expanded,
    opencl: expanded,
    hlsl: [native("dot2add", "DXC", { needs: "sm>=6.4 hlsl.native16" }), expanded],
    run: (x: number[], y: number[], z: number) => x.reduce((s, v, i) => Math.fround(s + v * y[i]!), z),
  }),
  // Shader model 1's attenuation and lighting, which DXC still has; what each component is says the DXIL it makes.
  define("geometry", "geometry.dst", {
    summary: "1, x.y * y.y, x.z, y.w (HLSL dst)",
    signature: "T, T -> T",
    on: set("f32 f16 f64", 4),
    expand: tree(([x, y], type) => {
      const [a, b] = [components(x!), components(y!)];
      return construct(type, [k(a[0]!.type, 1), mul(a[1]!, b[1]!), a[2]!, b[3]!]);
    }),
    msl: expanded,
    glsl: expanded,
    opencl: expanded,
    hlsl: native("dst", "DXC"),
    run: (x: number[], y: number[]) => [1, x[1]! * y[1]!, x[2]!, y[3]!],
  }),
  define("geometry", "geometry.lit", {
    summary: "1, x limited to 0, y to the power of z where neither x nor y is negative, and 1 (HLSL lit)",
    signature: "T, T, T -> Sx4",
    on: set("f32 f16", 1),
    expand: tree(([x, y, z], type) => {
      const zero = k(x!.type, 0);
      const [dark, off] = [compare("lt", x!, 0), compare("lt", y!, 0)];
      const power = select(or(off, dark), zero, same("math.pow_nan", y!, z!));
      return construct(type, [k(x!.type, 1), select(dark, zero, x!), power, k(x!.type, 1)]);
    }),
    msl: expanded,
    glsl: expanded,
    opencl: expanded,
    hlsl: native("lit", "DXC"),
    run: (x: number, y: number, z: number) => [1, Math.max(x, 0), x < 0 || y < 0 ? 0 : y ** z, 1],
  }),
  define("geometry", "geometry.reflect", {
    summary: "i - 2*dot(n, i)*n",
    signature: "T, T -> T",
    on: floatVectors,
    expand: tree(([i, n]) => sub(i!, bin("mul", n!, mul(k(S(i!.type), 2), dotOp(n!, i!))))),
    msl: [native("reflect", "MSL 3.1 6.8", { on: set("f32 f16", 2, 3, 4) }), expanded],
    glsl: native("reflect", "glslang"),
    opencl: expanded,
    hlsl: upToFloat("reflect"),
  }),
  define("geometry", "geometry.refract", {
    summary: "refraction of i at n with the ratio eta, 0 for total reflection",
    signature: "T, T, S -> T",
    on: floatVectors,
    expand: tree(([i, n, eta]) => {
      const one = k(S(i!.type), 1);
      const d = dotOp(n!, i!);
      const kk = sub(one, mul(mul(eta!, eta!), sub(one, mul(d, d))));
      const bent = sub(bin("mul", i!, eta!), bin("mul", n!, add(mul(eta!, d), same("math.sqrt", kk))));
      return conditional(binary("lt", kk, k(S(i!.type), 0)), k(i!.type, 0), bent);
    }),
    msl: [native("refract", "MSL 3.1 6.8", { on: set("f32 f16", 2, 3, 4) }), expanded],
    glsl: native("refract", "glslang"),
    opencl: expanded,
    hlsl: upToFloat("refract"),
  }),
  define("geometry", "geometry.faceforward", {
    summary: "dot(reference, i) < 0 ? n : -n",
    signature: "T, T, T -> T",
    on: floatVectors,
    expand: tree(([n, i, reference]) =>
      conditional(binary("lt", dotOp(reference!, i!), k(S(i!.type), 0)), n!, negate(n!)),
    ),
    msl: [native("faceforward", "MSL 3.1 6.8", { on: set("f32 f16", 2, 3, 4) }), expanded],
    glsl: native("faceforward", "glslang"),
    opencl: expanded,
    hlsl: upToFloat("faceforward"),
  }),
  define("geometry", "geometry.mix", {
    summary: "x + (y - x)*t",
    byComponent: true,
    signature: "T, T, T -> T",
    on: floatVectors,
    expand: tree(([x, y, t]) => add(x!, mul(sub(y!, x!), t!))),
    msl: lowering("weight-beyond-one"),
    glsl: expanded,
    opencl: lowering("weight-beyond-one"),
    hlsl: upToFloat("lerp"),
    run: (x: number, y: number, t: number) => x + (y - x) * t,
  }),
  define("geometry", "geometry.mix_open", {
    variant: { of: "geometry.mix", in: "domain" },
    summary: "x + (y - x)*t; of a t beyond 0..1 left open (MSL and OpenCL mix)",
    byComponent: true,
    signature: "T, T, T -> T",
    on: floatVectors,
    open: {
      in: { msl: "MSL 3.1 6.2", opencl: "OpenCL C 3.0 6.15.4" },
      where: ([, , t]) => or(compare("lt", t!, 0), compare("gt", t!, 1)),
      says: "with a weight beyond 0..1",
    },
    expand: tree(([x, y, t]) => add(x!, mul(sub(y!, x!), t!))),
    msl: native("mix", "MSL 3.1 6.2"),
    glsl: expanded,
    opencl: native("mix", "clang-19", { signatures: ["T, T, T -> T", "T, T, S -> T"] }),
    hlsl: [writes("lerp", "geometry.mix", "DXC", { on: floats }), expanded],
    run: (x: number, y: number, t: number) => x + (y - x) * t,
  }),
  // GLSL 4.60 8.3, and Vulkan's FMix: of t = 1 it is y, where x + (y - x) may have lost it beside a large x.
  define("geometry", "geometry.mix_weighted", {
    summary: "x*(1 - t) + y*t (GLSL mix)",
    byComponent: true,
    signature: "T, T, T -> T",
    on: floatVectors,
    expand: tree(([x, y, t]) => add(mul(x!, sub(k(t!.type, 1), t!)), mul(y!, t!))),
    msl: expanded,
    glsl: native("mix", "glslang", { signatures: ["T, T, T -> T", "T, T, S -> T"] }),
    opencl: expanded,
    hlsl: expanded,
    run: (x: number, y: number, t: number) => x * (1 - t) + y * t,
  }),
  define("geometry", "geometry.step", {
    summary: "x < edge ? 0 : 1, operands edge, x",
    byComponent: true,
    signature: "T, T -> T",
    on: floatVectors,
    expand: tree(([edge, x]) => select(binary("lt", x!, edge!), k(x!.type, 0), k(x!.type, 1))),
    msl: native("step", "MSL 3.1 6.2"),
    glsl: native("step", "glslang", { signatures: ["T, T -> T", "S, T -> T"] }),
    opencl: native("step", "clang-19", { signatures: ["T, T -> T", "S, T -> T"] }),
    hlsl: upToFloat("step"),
    run: (edge: number, x: number) => (x < edge ? 0 : 1),
  }),
  define("geometry", "geometry.smoothstep", {
    summary: "t*t*(3 - 2t) with t = clamp((x - low)/(high - low), 0, 1), operands low, high, x; low >= high left open",
    byComponent: true,
    signature: "T, T, T -> T",
    on: floatVectors,
    open: [
      {
        in: { glsl: "GLSL 4.60 8.3", msl: "MSL 3.1 6.2", opencl: "OpenCL C 3.0 6.15.4" },
        where: ([low, high]) => compare("ge", low!, high!),
        says: "between edges that are not in order",
      },
      {
        in: { msl: "MSL 3.1 6.2", opencl: "OpenCL C 3.0 6.15.4" },
        where: (args) =>
          fold(
            args.map((x) => test("math.isnan", x)),
            or,
          ),
        says: "of a NaN",
      },
    ],
    expand: tree(([low, high, x]) => smoothstep("math.fclamp", low!, high!, x!)),
    msl: native("smoothstep", "MSL 3.1 6.2"),
    glsl: native("smoothstep", "glslang", { signatures: ["T, T, T -> T", "S, S, T -> T"] }),
    opencl: native("smoothstep", "clang-19", { signatures: ["T, T, T -> T", "S, S, T -> T"] }),
    hlsl: [writes("smoothstep", "geometry.smoothstep_any", "DXC", { on: floats }), expanded],
    run: smoothstepOf,
  }),
  define("geometry", "geometry.smoothstep_any", {
    variant: { of: "geometry.smoothstep", in: "domain" },
    summary: "t*t*(3 - 2t) with t = saturate((x - low)/(high - low)), also for low >= high (HLSL smoothstep)",
    byComponent: true,
    signature: "T, T, T -> T",
    on: floats,
    expand: tree(([low, high, x]) => smoothstep("math.saturate", low!, high!, x!)),
    msl: lowering("ordered-smoothstep"),
    glsl: lowering("ordered-smoothstep"),
    opencl: lowering("ordered-smoothstep"),
    hlsl: native("smoothstep", "DXC"),
    run: smoothstepOf,
  }),
];

function smoothstep(limit: "math.fclamp" | "math.saturate", low: Expr, high: Expr, x: Expr): Expr {
  const { type } = x;
  const ratio = div(sub(x, low), sub(high, low));
  const t = limit === "math.fclamp" ? op(limit, type, ratio, k(type, 0), k(type, 1)) : op(limit, type, ratio);
  return mul(mul(t, t), sub(k(type, 3), mul(k(type, 2), t)));
}

function smoothstepOf(low: number, high: number, x: number): number {
  const t = Math.min(Math.max((x - low) / (high - low), 0), 1);
  return t * t * (3 - 2 * t);
}

const allZero = (x: Expr): Expr =>
  fold(
    components(x).map((c) => binary("eq", c, k(c.type, 0))),
    and,
  );
