/** The function index of MSL for compute: the tables of the Metal Shading Language Specification 3.1, section by section. */
import type { IndexedCall } from "./indexed-call.js";

const sizes = (t: string): string[] => [t, `${t}2`, `${t}3`, `${t}4`];
const floats = ["half", "float"].flatMap(sizes);
const vectors = floats.filter((t) => /\d$/.test(t));
const integers = ["char", "uchar", "short", "ushort", "int", "uint", "long", "ulong"].flatMap(sizes);
const words = ["int", "uint"].flatMap(sizes);
const lanes = ["char", "uchar", "short", "ushort", "int", "uint", "half", "float"].flatMap(sizes);
const laneIntegers = ["char", "uchar", "short", "ushort", "int", "uint"].flatMap(sizes);
const shaped = (t: string, component: string): string => component + (/\d$/.exec(t)?.[0] ?? "");
const component = (t: string): string => t.replace(/\d$/, "");

interface Form {
  readonly names: string;
  readonly types: readonly string[];
  /** Result and parameters for T; `thread T` is a reference, `device T` and `threadgroup T` pointers. */
  readonly of: (t: string) => readonly [result: string, ...parameters: string[]];
}
const same =
  (n: number) =>
  (t: string): [string, ...string[]] => [t, ...Array.from({ length: n }, () => t)];

const math: readonly Form[] = [
  {
    names: `acos acosh asin asinh atan atanh ceil cos cosh cospi exp exp10 exp2 fabs abs floor fract log log10 log2 rint round rsqrt sin
      sinh sinpi sqrt tan tanh tanpi trunc`,
    types: floats,
    of: same(1),
  },
  { names: "atan2 copysign divide fdim fmax fmin fmod max min pow powr", types: floats, of: same(2) },
  { names: "fma fmax3 fmedian3 fmin3 max3 median3 min3", types: floats, of: same(3) },
  { names: "sincos modf", types: floats, of: (t) => [t, t, `thread ${t}`] },
  { names: "frexp", types: floats, of: (t) => [t, t, `thread ${shaped(t, "int")}`] },
  { names: "ldexp", types: floats, of: (t) => [t, t, shaped(t, "int")] },
  { names: "ilogb", types: floats, of: (t) => [shaped(t, "int"), t] },
];
const common: readonly Form[] = [
  { names: "clamp mix smoothstep", types: floats, of: same(3) },
  { names: "saturate sign", types: floats, of: same(1) },
  { names: "step", types: floats, of: same(2) },
];
/** Those of them that have variants. */
const bounded: readonly Form[] = [
  { names: "clamp", types: floats, of: same(3) },
  { names: "saturate", types: floats, of: same(1) },
];
const only32 = (forms: readonly Form[]): Form[] =>
  forms.map((f) => ({ ...f, types: f.types.filter((t) => t.startsWith("float")) }));
const inside = (space: string, forms: readonly Form[]): Form[] =>
  forms.map((f) => ({
    ...f,
    names: f.names
      .trim()
      .split(/\s+/)
      .map((n) => `${space}::${n}`)
      .join(" "),
  }));

const groups = (p: string): Form[] => [
  {
    names: `${p}_broadcast ${p}_shuffle ${p}_shuffle_xor ${p}_shuffle_up ${p}_shuffle_down ${p}_shuffle_rotate_up ${p}_shuffle_rotate_down`,
    types: lanes,
    of: (t) => [t, t, "ushort"],
  },
  { names: `${p}_shuffle_and_fill_up ${p}_shuffle_and_fill_down`, types: lanes, of: (t) => [t, t, t, "ushort"] },
  {
    names: `${p}_shuffle_and_fill_up ${p}_shuffle_and_fill_down`,
    types: lanes,
    of: (t) => [t, t, t, "ushort", "ushort"],
  },
  {
    names: `${p}_broadcast_first ${p}_sum ${p}_product ${p}_min ${p}_max ${p}_prefix_inclusive_sum ${p}_prefix_exclusive_sum
      ${p}_prefix_inclusive_product ${p}_prefix_exclusive_product`,
    types: lanes,
    of: same(1),
  },
  { names: `${p}_and ${p}_or ${p}_xor`, types: laneIntegers, of: same(1) },
  { names: `${p}_all ${p}_any`, types: ["bool"], of: same(1) },
  { names: `${p}_is_first`, types: ["bool"], of: same(0) },
  { names: `${p}_ballot`, types: ["bool"], of: () => [`${p}_vote`, "bool"] },
  { names: `${p}_active_threads_mask`, types: [`${p}_vote`], of: same(0) },
];

const forms: readonly Form[] = [
  // 6.2, 6.5, with the variants of 6.5's namespaces.
  ...common,
  ...math,
  ...inside("fast", only32([...bounded, ...math])),
  ...inside("precise", only32([...bounded, ...math])),
  { names: "nextafter", types: floats, of: same(2) },
  // 6.3
  { names: "abs clz ctz popcount reverse_bits", types: integers, of: same(1) },
  { names: "absdiff", types: integers, of: (t) => [t.startsWith("u") ? t : `u${t}`, t, t] },
  { names: "addsat hadd max min mulhi rhadd rotate subsat", types: integers, of: same(2) },
  { names: "clamp madhi madsat max3 median3 min3", types: integers, of: same(3) },
  { names: "extract_bits", types: integers, of: (t) => [t, t, "uint", "uint"] },
  { names: "insert_bits", types: integers, of: (t) => [t, t, t, "uint", "uint"] },
  { names: "mad24", types: words, of: same(3) },
  { names: "mul24", types: words, of: same(2) },
  // 6.4
  { names: "all any", types: sizes("bool"), of: (t) => ["bool", t] },
  { names: "isfinite isinf isnan isnormal signbit", types: floats, of: (t) => [shaped(t, "bool"), t] },
  { names: "isordered isunordered", types: floats, of: (t) => [shaped(t, "bool"), t, t] },
  { names: "select", types: [...floats, ...integers, ...sizes("bool")], of: (t) => [t, t, t, shaped(t, "bool")] },
  // 6.6
  {
    names: "determinant",
    types: ["half", "float"].flatMap((t) => [2, 3, 4].map((n) => `${t}${String(n)}x${String(n)}`)),
    of: (t) => [t.replace(/\d.*/, ""), t],
  },
  {
    names: "transpose",
    types: ["half", "float"].flatMap((t) =>
      [2, 3, 4].flatMap((c) => [2, 3, 4].map((r) => `${t}${String(c)}x${String(r)}`)),
    ),
    of: (t) => [t.replace(/(\d)x(\d)/, "$2x$1"), t],
  },
  // 6.8
  { names: "cross", types: ["half3", "float3"], of: same(2) },
  { names: "distance distance_squared dot", types: vectors, of: (t) => [component(t), t, t] },
  { names: "length length_squared", types: vectors, of: (t) => [component(t), t] },
  { names: "normalize", types: vectors, of: same(1) },
  { names: "reflect", types: vectors, of: same(2) },
  { names: "faceforward", types: vectors, of: same(3) },
  { names: "refract", types: vectors, of: (t) => [t, t, t, component(t)] },
  ...inside("fast", [
    { names: "distance", types: sizes("float").slice(1), of: (t) => ["float", t, t] },
    { names: "length", types: sizes("float").slice(1), of: (t) => ["float", t] },
    { names: "normalize", types: sizes("float").slice(1), of: same(1) },
  ]),
  ...inside("precise", [
    { names: "distance", types: sizes("float").slice(1), of: (t) => ["float", t, t] },
    { names: "length", types: sizes("float").slice(1), of: (t) => ["float", t] },
    { names: "normalize", types: sizes("float").slice(1), of: same(1) },
  ]),
  // 6.9
  ...groups("simd"),
  ...groups("quad"),
  // 6.13
  ...["unorm4x8", "snorm4x8", "srgb_unorm4x8", "unorm10a2"].flatMap((form): Form[] => [
    { names: `pack_float_to_${form}`, types: ["float4"], of: (t) => ["uint", t] },
    { names: `pack_half_to_${form}`, types: ["half4"], of: (t) => ["uint", t] },
  ]),
  ...["unorm2x16", "snorm2x16"].flatMap((form): Form[] => [
    { names: `pack_float_to_${form}`, types: ["float2"], of: (t) => ["uint", t] },
    { names: `pack_half_to_${form}`, types: ["half2"], of: (t) => ["uint", t] },
    { names: `unpack_${form}_to_float`, types: ["float2"], of: (t) => [t, "uint"] },
    { names: `unpack_${form}_to_half`, types: ["half2"], of: (t) => [t, "uint"] },
  ]),
  ...["unorm4x8", "snorm4x8", "unorm4x8_srgb", "unorm10a2"].flatMap((form): Form[] => [
    { names: `unpack_${form}_to_float`, types: ["float4"], of: (t) => [t, "uint"] },
    { names: `unpack_${form}_to_half`, types: ["half4"], of: (t) => [t, "uint"] },
  ]),
  { names: "pack_float_to_unorm565", types: ["float3"], of: (t) => ["ushort", t] },
  { names: "pack_half_to_unorm565", types: ["half3"], of: (t) => ["ushort", t] },
  { names: "unpack_unorm565_to_float", types: ["float3"], of: (t) => [t, "ushort"] },
  { names: "unpack_unorm565_to_half", types: ["half3"], of: (t) => [t, "ushort"] },
];

/** 6.15: what is atomic of `T` in each address space. */
function atomics(): IndexedCall[] {
  const relaxed = "memory_order_relaxed";
  const calls = (space: string, t: string, updates: readonly string[]): IndexedCall[] => {
    const p = `${space} atomic<${t}> *p = ${space === "device" ? `(device atomic<${t}> *)x` : `(threadgroup atomic<${t}> *)l`}; ${t} v = ${t}(1);`;
    const bodies = [
      `atomic_store_explicit(p, v, ${relaxed});`,
      `v = atomic_load_explicit(p, ${relaxed});`,
      `v = atomic_exchange_explicit(p, v, ${relaxed});`,
      `bool r = atomic_compare_exchange_weak_explicit(p, &v, v, ${relaxed}, ${relaxed});`,
      ...updates.map((u) => `v = atomic_fetch_${u}_explicit(p, v, ${relaxed});`),
    ];
    return bodies.map((b) => ({ signature: `${space} ${t}: ${b}`, body: `${p} ${b}` }));
  };
  const all = ["add", "sub", "and", "or", "xor", "min", "max"];
  return [
    ...["device", "threadgroup"].flatMap((s) => [
      ...calls(s, "int", all),
      ...calls(s, "uint", all),
      ...calls(s, "bool", []),
    ]),
    ...calls("device", "float", ["add", "sub"]),
    ...["min", "max"].map((u) => ({
      signature: `device ulong: atomic_${u}_explicit`,
      body: `atomic_${u}_explicit((device atomic_ulong *)x, ulong(1), ${relaxed});`,
    })),
  ];
}

const others: readonly string[] = [
  ...["mem_none", "mem_device", "mem_threadgroup", "mem_texture", "mem_device | mem_flags::mem_threadgroup"].flatMap(
    (f) => [`threadgroup_barrier(mem_flags::${f});`, `simdgroup_barrier(mem_flags::${f});`],
  ),
  "simd_vote v = simd_ballot(true); bool a = v.all(); bool b = v.any(); ulong m = (simd_vote::vote_t)v;",
  "quad_vote v = quad_ballot(true); bool a = v.all(); bool b = v.any(); ulong m = (quad_vote::vote_t)v;",
];

export function mslIndex(): IndexedCall[] {
  const functions = forms.flatMap(({ names, types, of }) =>
    names
      .trim()
      .split(/\s+/)
      .flatMap((name) =>
        types.map((type): IndexedCall => {
          const [result, ...parameters] = of(type);
          const locals = parameters.map((p, k) =>
            p.startsWith("thread ") ? `${p.slice(7)} a${String(k)};` : `${p} a${String(k)} = ${p}(x[${String(k)}]);`,
          );
          const call = `${name}(${parameters.map((_, k) => `a${String(k)}`).join(", ")})`;
          return {
            signature: `${result} ${name}(${parameters.join(", ")})`,
            body: [...locals, `${result} r = ${call};`].join(" "),
          };
        }),
      ),
  );
  return [...functions, ...atomics(), ...others.map((body) => ({ signature: body, body }))];
}
