// node scripts/builtin-coverage.mjs [dialect [all]], after npm run build: one call for each builtin of the indexes and each type it takes, translated to every target: what is refused, and how.
import { translate } from "../dist/src/index.js";
const args = process.argv.slice(2);
const only = args[0];
const wide = [1, 2, 3, 4, 8, 16];
const cases = [];
const put = (from, name, text) => cases.push({ from, name, text });

// ---------------------------------------------------------------- OpenCL C 3.0 6.15
const clK = (types, body) =>
  `${types.some((t) => /half/.test(t)) ? "#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n" : ""}__kernel void k(${types.map((t, i) => `__global ${t} *p${i}`).join(", ")}) { __local uint lm[64]; uint i = get_global_id(0); ${body} }\n`;
const cl = (name, result, types, call) =>
  put("opencl", name, clK([result, ...types], `p0[i] = ${call(...types.map((_, k) => `p${k + 1}[i]`))};`));
const ints = ["char", "uchar", "short", "ushort", "int", "uint", "long", "ulong"];
const vec = (t, n) => (n === 1 ? t : t + n);
const unsigned = (t) => (t.startsWith("u") ? t : "u" + t);
for (const t of ints)
  for (const n of wide) {
    const v = vec(t, n),
      u = vec(unsigned(t), n);
    for (const f of ["abs"]) cl(f, u, [v], (a) => `${f}(${a})`);
    cl("abs_diff", u, [v, v], (a, b) => `abs_diff(${a}, ${b})`);
    for (const f of ["add_sat", "sub_sat", "hadd", "rhadd", "mul_hi", "rotate", "min", "max"])
      cl(f, v, [v, v], (a, b) => `${f}(${a}, ${b})`);
    for (const f of ["mad_hi", "mad_sat", "clamp"]) cl(f, v, [v, v, v], (a, b, c) => `${f}(${a}, ${b}, ${c})`);
    for (const f of ["clz", "ctz", "popcount"]) cl(f, v, [v], (a) => `${f}(${a})`);
    cl("select", v, [v, v, vec(t, n)], (a, b, c) => `select(${a}, ${b}, ${c})`);
    cl("bitselect", v, [v, v, v], (a, b, c) => `bitselect(${a}, ${b}, ${c})`);
    if ((t.startsWith("u") && n > 1) || !t.startsWith("u")) {
      cl("any", "int", [vec(t.replace(/^u/, ""), n)], (a) => `any(${a})`);
      cl("all", "int", [vec(t.replace(/^u/, ""), n)], (a) => `all(${a})`);
    }
    cl("bitfield_insert", v, [v, v], (a, b) => `bitfield_insert(${a}, ${b}, 3u, 4u)`);
    cl("bitfield_extract_signed", vec(t.replace(/^u/, ""), n), [v], (a) => `bitfield_extract_signed(${a}, 3u, 4u)`);
    cl("bitfield_extract_unsigned", u, [v], (a) => `bitfield_extract_unsigned(${a}, 3u, 4u)`);
    cl("bit_reverse", v, [v], (a) => `bit_reverse(${a})`);
    cl("vec_step", "int", [v], (a) => `vec_step(${a})`);
  }
for (const t of ["int", "uint"])
  for (const n of wide) {
    const v = vec(t, n);
    cl("mad24", v, [v, v, v], (a, b, c) => `mad24(${a}, ${b}, ${c})`);
    cl("mul24", v, [v, v], (a, b) => `mul24(${a}, ${b})`);
  }
for (const [t, u, r] of [
  ["char", "uchar", "short"],
  ["uchar", "uchar", "ushort"],
  ["short", "ushort", "int"],
  ["ushort", "ushort", "uint"],
  ["int", "uint", "long"],
  ["uint", "uint", "ulong"],
])
  for (const n of wide) cl("upsample", vec(r, n), [vec(t, n), vec(u, n)], (a, b) => `upsample(${a}, ${b})`);
for (const s of ["u", ""]) {
  cl("dot", s ? "uint" : "int", [s + "char4", s + "char4"], (a, b) => `dot(${a}, ${b})`);
  cl(
    "dot_acc_sat",
    s ? "uint" : "int",
    [s + "char4", s + "char4", s + "int"],
    (a, b, c) => `dot_acc_sat(${a}, ${b}, ${c})`,
  );
}
for (const [f, r] of [
  ["uu", "uint"],
  ["ss", "int"],
  ["us", "int"],
  ["su", "int"],
]) {
  cl("dot_4x8packed", r, ["uint", "uint"], (a, b) => `dot_4x8packed_${f}_${r}(${a}, ${b})`);
  cl("dot_acc_sat_4x8packed", r, ["uint", "uint", r], (a, b, c) => `dot_acc_sat_4x8packed_${f}_${r}(${a}, ${b}, ${c})`);
}
const unary =
  "acos acosh acospi asin asinh asinpi atan atanh atanpi cbrt ceil cos cosh cospi erfc erf exp exp2 exp10 expm1 fabs floor lgamma log log2 log10 log1p logb rint round rsqrt sin sinh sinpi sqrt tan tanh tanpi tgamma trunc degrees radians sign".split(
    " ",
  );
const binary = "atan2 atan2pi copysign fdim fmax fmin fmod hypot maxmag minmag nextafter pow powr remainder step".split(
  " ",
);
for (const t of ["float", "half", "double"])
  for (const n of wide) {
    const v = vec(t, n),
      iv = vec("int", n);
    for (const f of unary) cl(f, v, [v], (a) => `${f}(${a})`);
    for (const f of binary) cl(f, v, [v, v], (a, b) => `${f}(${a}, ${b})`);
    for (const f of ["fma", "mad", "clamp", "mix", "smoothstep"])
      cl(f, v, [v, v, v], (a, b, c) => `${f}(${a}, ${b}, ${c})`);
    cl("ilogb", iv, [v], (a) => `ilogb(${a})`);
    cl("ldexp", v, [v, iv], (a, b) => `ldexp(${a}, ${b})`);
    cl("pown", v, [v, iv], (a, b) => `pown(${a}, ${b})`);
    cl("rootn", v, [v, iv], (a, b) => `rootn(${a}, ${b})`);
    for (const sp of ["__private", "__local", "__global"]) {
      const place = (ty) =>
        sp === "__private" ? [`${ty} o;`, "&o"] : sp === "__local" ? [`__local ${ty} o;`, "&o"] : ["", "p2 + i"];
      for (const f of ["fract", "modf", "sincos"]) {
        const [d, a] = place(v);
        put(
          "opencl",
          `${f} ${sp}`,
          clK([v, v, v], `${d} p0[i] = ${f}(p1[i], ${a});${sp === "__global" ? "" : " p2[i] = o;"}`),
        );
      }
      for (const f of ["frexp", "lgamma_r"]) {
        const [d, a] = place(iv);
        put(
          "opencl",
          `${f} ${sp}`,
          clK([v, v, iv], `${d} p0[i] = ${f}(p1[i], ${a});${sp === "__global" ? "" : " p2[i] = o;"}`),
        );
      }
      {
        const [d, a] = place(iv);
        put(
          "opencl",
          `remquo ${sp}`,
          clK([v, v, iv], `${d} p0[i] = remquo(p1[i], p1[i + 1], ${a});${sp === "__global" ? "" : " p2[i] = o;"}`),
        );
      }
    }
    const rel =
      t === "half" ? vec(n === 1 ? "int" : "short", n) : t === "double" ? vec(n === 1 ? "int" : "long", n) : iv;
    for (const f of [
      "isequal",
      "isnotequal",
      "isgreater",
      "isgreaterequal",
      "isless",
      "islessequal",
      "islessgreater",
      "isordered",
      "isunordered",
    ])
      cl(f, rel, [v, v], (a, b) => `${f}(${a}, ${b})`);
    for (const f of ["isfinite", "isinf", "isnan", "isnormal", "signbit"]) cl(f, rel, [v], (a) => `${f}(${a})`);
    cl("bitselect", v, [v, v, v], (a, b, c) => `bitselect(${a}, ${b}, ${c})`);
    const sel = t === "half" ? vec("short", n) : t === "double" ? vec("long", n) : iv;
    cl("select", v, [v, v, sel], (a, b, c) => `select(${a}, ${b}, ${c})`);
    cl("nan", v, [vec(t === "half" ? "ushort" : t === "double" ? "ulong" : "uint", n)], (a) => `nan(${a})`);
    if (n <= 4) {
      for (const f of ["dot", "distance"]) cl(f, t, [v, v], (a, b) => `${f}(${a}, ${b})`);
      cl("length", t, [v], (a) => `length(${a})`);
      cl("normalize", v, [v], (a) => `normalize(${a})`);
      if (t === "float") {
        cl("fast_length", t, [v], (a) => `fast_length(${a})`);
        cl("fast_distance", t, [v, v], (a, b) => `fast_distance(${a}, ${b})`);
        cl("fast_normalize", v, [v], (a) => `fast_normalize(${a})`);
      }
    }
    if (n === 3 || n === 4) cl("cross", v, [v, v], (a, b) => `cross(${a}, ${b})`);
  }
for (const n of wide) {
  const v = vec("float", n);
  for (const p of ["native_", "half_"]) {
    for (const f of "cos exp exp2 exp10 log log2 log10 recip rsqrt sin sqrt tan".split(" "))
      cl(p + f, v, [v], (a) => `${p}${f}(${a})`);
    for (const f of ["divide", "powr"]) cl(p + f, v, [v, v], (a, b) => `${p}${f}(${a}, ${b})`);
  }
}
const all = [...ints, "float", "half", "double"];
for (const t of all)
  for (const n of wide.slice(1))
    for (const sp of ["__global", "__local", "__private", "__constant"]) {
      const v = vec(t, n);
      const mem = {
        __global: ["", "p1"],
        __local: [`__local ${t} m[64];`, "m"],
        __private: [`${t} m[64]; m[i & 63] = p1[i];`, "m"],
        __constant: ["", "c"],
      }[sp];
      if (sp === "__constant")
        put(
          "opencl",
          `vload ${sp}`,
          `${t === "half" ? "#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n" : ""}__kernel void k(__global ${v} *p0, __constant ${t} *c) { p0[0] = vload${n}(1, c); }\n`,
        );
      else {
        put("opencl", `vload ${sp}`, clK([v, t], `${mem[0]} p0[i] = vload${n}(i & 1, ${mem[1]});`));
        put(
          "opencl",
          `vstore ${sp}`,
          clK(
            [v, t],
            `${mem[0]} vstore${n}(p0[i], i & 1, ${mem[1]}); ${sp === "__global" ? "" : "p1[i] = m[i & 63];"}`,
          ),
        );
      }
    }
for (const t of ["float", "double"])
  for (const n of wide)
    for (const a of ["", "a"]) {
      const v = vec(t, n),
        s = n === 1 ? "" : n;
      if (a && n === 1) continue;
      if (t === "float")
        for (const sp of ["__global", "__local", "__private"]) {
          const [d, m] = sp === "__global" ? ["", "p1"] : [`${sp === "__local" ? sp : ""} half m[64];`, "m"];
          put(
            "opencl",
            `vload${a}_half`,
            `__kernel void k(__global ${v} *p0, __global half *p1) { uint i = get_global_id(0); ${d} p0[i] = vload${a}_half${s}(i, ${m}); }\n`,
          );
        }
      for (const r of ["", "_rte", "_rtz", "_rtp", "_rtn"])
        put(
          "opencl",
          `vstore${a}_half ${t}`,
          `__kernel void k(__global ${v} *p0, __global half *p1) { uint i = get_global_id(0); vstore${a}_half${s}${r}(p0[i], i, p1); }\n`,
        );
    }
for (const a of all)
  for (const b of all)
    for (const n of [1, 4, 16])
      for (const sat of ["", "_sat"])
        for (const r of ["", "_rte", "_rtz", "_rtp", "_rtn"])
          if (!(sat && /float|half|double/.test(b)))
            if (n === 1 || r === "_rtz" || r === "")
              cl(`convert ${a}->${b}`, vec(b, n), [vec(a, n)], (x) => `convert_${vec(b, n)}${sat}${r}(${x})`);
for (const t of all)
  for (const m of [2, 4, 8, 16])
    for (const n of [2, 4, 8, 16]) {
      const u = {
        char: "uchar",
        uchar: "uchar",
        short: "ushort",
        ushort: "ushort",
        half: "ushort",
        int: "uint",
        uint: "uint",
        float: "uint",
        long: "ulong",
        ulong: "ulong",
        double: "ulong",
      }[t];
      cl("shuffle", vec(t, n), [vec(t, m), vec(u, n)], (a, b) => `shuffle(${a}, ${b})`);
      cl("shuffle2", vec(t, n), [vec(t, m), vec(t, m), vec(u, n)], (a, b, c) => `shuffle2(${a}, ${b}, ${c})`);
    }
for (const f of ["atom_add", "atom_sub", "atom_xchg", "atom_min", "atom_max", "atom_and", "atom_or", "atom_xor"])
  for (const t of ["int", "uint", "long"])
    put(
      "opencl",
      f,
      `#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable\n__kernel void k(__global ${t} *p) { ${f}(p, (${t})1); }\n`,
    );
for (const f of ["atom_inc", "atom_dec"])
  for (const t of ["int", "uint", "long"]) put("opencl", f, `__kernel void k(__global ${t} *p) { ${f}(p); }\n`);
put("opencl", "atom_cmpxchg", `__kernel void k(__global int *p) { atom_cmpxchg(p, 1, 2); }\n`);
put("opencl", "printf", `__kernel void k(__global int *p) { p[0] = 1; printf("%d", p[0]); }\n`);

for (const t of ["float", "half", "double"])
  for (const n of wide.slice(1)) {
    const v = vec(t, n);
    for (const f of ["fmin", "fmax", "min", "max"]) cl(`${f} scalar`, v, [v, t], (a, b) => `${f}(${a}, ${b})`);
    cl("clamp scalar", v, [v, t, t], (a, b, c) => `clamp(${a}, ${b}, ${c})`);
    cl("mix scalar", v, [v, v, t], (a, b, c) => `mix(${a}, ${b}, ${c})`);
    cl("step scalar", v, [t, v], (a, b) => `step(${a}, ${b})`);
    cl("smoothstep scalar", v, [t, t, v], (a, b, c) => `smoothstep(${a}, ${b}, ${c})`);
    cl("ldexp scalar", v, [v, "int"], (a, b) => `ldexp(${a}, ${b})`);
  }
for (const t of ints)
  for (const n of wide.slice(1)) {
    const v = vec(t, n);
    for (const f of ["min", "max"]) cl(`${f} scalar`, v, [v, t], (a, b) => `${f}(${a}, ${b})`);
    cl("clamp scalar", v, [v, t, t], (a, b, c) => `clamp(${a}, ${b}, ${c})`);
    cl("select unsigned mask", v, [v, v, vec(unsigned(t), n)], (a, b, c) => `select(${a}, ${b}, ${c})`);
  }
for (const t of all)
  for (const b of all.filter(
    (x) => x.replace(/^u/, "") === t.replace(/^u/, "") || /float|half|double|int|short|long/.test(x),
  ))
    for (const n of [1, 2, 4, 8, 16]) {
      const size = { char: 1, short: 2, half: 2, int: 4, float: 4, long: 8, double: 8 };
      const [from, to] = [size[t.replace(/^u/, "")], size[b.replace(/^u/, "")]];
      const m = (n * from) / to;
      if (![1, 2, 4, 8, 16].includes(m)) continue;
      cl(`as_${b}`, vec(b, m), [vec(t, n)], (a) => `as_${vec(b, m)}(${a})`);
    }
for (const t of ["char", "ushort", "int", "ulong", "float", "half", "double"])
  for (const n of [1, 3, 4, 16]) {
    const v = vec(t, n);
    const pragma = t === "half" ? "#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n" : "";
    const body = (copy) =>
      `${pragma}__kernel void k(__global ${v} *p0) { __local ${v} m[16]; event_t e = ${copy}; wait_group_events(1, &e); p0[get_local_id(0)] = m[get_local_id(0)]; prefetch(p0, 4); }\n`;
    put("opencl", "async_work_group_copy", body("async_work_group_copy(m, (const __global " + v + " *)p0, 16, 0)"));
    put(
      "opencl",
      "async_work_group_strided_copy",
      body("async_work_group_strided_copy(m, (const __global " + v + " *)p0, 8, 2, 0)"),
    );
  }
for (const f of "get_work_dim() get_global_size(0) get_global_id(1) get_local_size(0) get_enqueued_local_size(0) get_local_id(2) get_num_groups(0) get_group_id(0) get_global_offset(0) get_global_linear_id() get_local_linear_id()".split(
  " ",
))
  put("opencl", f, `__kernel void k(__global uint *p) { p[0] = ${f}; }\n`);

// ---------------------------------------------------------------- HLSL
const hl = (name, result, types, call, more = "") =>
  put(
    "hlsl",
    name,
    `${types.map((t, k) => `StructuredBuffer<${t}> p${k + 1} : register(t${k});`).join("\n")}\nRWStructuredBuffer<${result}> p0 : register(u0);\n${more}\n[numthreads(1, 1, 1)] void k(uint i : SV_DispatchThreadID) { p0[i] = ${call(...types.map((_, k) => `p${k + 1}[i]`))}; }\n`,
  );
for (const n of [1, 2, 3, 4]) {
  const F = vec("float", n),
    I = vec("int", n),
    U = vec("uint", n);
  for (const f of "abs acos asin atan ceil cos cosh degrees exp exp2 floor frac log log10 log2 radians rcp round rsqrt saturate sin sinh sqrt tan tanh trunc normalize".split(
    " ",
  ))
    hl(f, F, [F], (a) => `${f}(${a})`);
  for (const f of "atan2 fmod ldexp max min pow step".split(" ")) hl(f, F, [F, F], (a, b) => `${f}(${a}, ${b})`);
  for (const f of "clamp lerp mad smoothstep".split(" ")) hl(f, F, [F, F, F], (a, b, c) => `${f}(${a}, ${b}, ${c})`);
  for (const t of [I, U]) {
    for (const f of ["countbits", "firstbithigh", "firstbitlow", "reversebits", "abs", "sign"])
      hl(f, t, [t], (a) => `${f}(${a})`);
    for (const f of ["min", "max"]) hl(f, t, [t, t], (a, b) => `${f}(${a}, ${b})`);
    for (const f of ["mad", "clamp"]) hl(f, t, [t, t, t], (a, b, c) => `${f}(${a}, ${b}, ${c})`);
  }
  for (const [f, r, t] of [
    ["asuint", U, F],
    ["asint", I, F],
    ["asfloat", F, U],
    ["asfloat", F, I],
    ["f32tof16", U, F],
    ["f16tof32", F, U],
  ])
    hl(f, r, [t], (a) => `${f}(${a})`);
  for (const f of ["isnan", "isinf", "isfinite"]) hl(f, U, [F], (a) => `(${U})${f}(${a})`);
  hl("dot", "float", [F, F], (a, b) => `dot(${a}, ${b})`);
  hl("length", "float", [F], (a) => `length(${a})`);
  hl("any", "uint", [F], (a) => `any(${a})`);
  hl("all", "uint", [F], (a) => `all(${a})`);
  hl("select", F, [F, F], (a, b) => `select(${a} > ${b}, ${a}, ${b})`);
  hl("fma", vec("double", n), [vec("double", n)], (a) => `fma(${a}, ${a}, ${a})`);
  for (const f of ["modf", "frexp"])
    hl(f, F, [F], (a) => `one(${a})`, `${F} one(${F} x) { ${F} o; return ${f}(x, o) + o; }`);
  hl("sincos", F, [F], (a) => `one(${a})`, `${F} one(${F} x) { ${F} s, c; sincos(x, s, c); return s + c; }`);
}
for (const m of ["float2x2", "float3x4", "float4x4"]) {
  for (const [f, r] of [
    ["asuint", "uint"],
    ["asint", "int"],
  ])
    hl(`${f} matrix`, m.replace("float", r), [m], (a) => `${f}(${a})`);
  hl("asfloat matrix", m, [m.replace("float", "uint")], (a) => `asfloat(${a})`);
  hl("abs matrix", m, [m], (a) => `abs(${a})`);
  hl("transpose", m.replace(/(\d)x(\d)/, "$2x$1"), [m], (a) => `transpose(${a})`);
}
hl("dot4add_u8packed", "uint", ["uint", "uint", "uint"], (a, b, c) => `dot4add_u8packed(${a}, ${b}, ${c})`);
hl("dot4add_i8packed", "int", ["uint", "uint", "int"], (a, b, c) => `dot4add_i8packed(${a}, ${b}, ${c})`);
hl("dot2add", "float", ["float", "float"], (a, b) => `dot2add(half2(${a}, ${b}), half2(${b}, ${a}), ${a})`);
hl("msad4", "uint4", ["uint", "uint2", "uint4"], (a, b, c) => `msad4(${a}, ${b}, ${c})`);
hl("dst", "float4", ["float4", "float4"], (a, b) => `dst(${a}, ${b})`);
hl("lit", "float4", ["float", "float"], (a, b) => `lit(${a}, ${b}, ${a})`);
hl("D3DCOLORtoUBYTE4", "int4", ["float4"], (a) => `D3DCOLORtoUBYTE4(${a})`);
for (const [f, t] of [
  ["pack_u8", "uint4"],
  ["pack_s8", "int4"],
  ["pack_clamp_u8", "int4"],
  ["pack_clamp_s8", "int4"],
])
  hl(f, "uint", [t], (a) => `(uint)${f}(${a})`);
hl("unpack_u8u32", "uint4", ["uint"], (a) => `unpack_u8u32((uint8_t4_packed)${a})`);
hl("unpack_s8s32", "int4", ["uint"], (a) => `unpack_s8s32((int8_t4_packed)${a})`);
hl("unpack_u8u16", "uint4", ["uint"], (a) => `(uint4)unpack_u8u16((uint8_t4_packed)${a})`);
hl("unpack_s8s16", "int4", ["uint"], (a) => `(int4)unpack_s8s16((int8_t4_packed)${a})`);
hl("AddUint64", "uint2", ["uint2", "uint2"], (a, b) => `AddUint64(${a}, ${b})`);
for (const t of ["float", "float3", "uint2", "double", "S", "float2x3", "int64_t", "bool3", "float a[3]"]) {
  const T = t === "float a[3]" ? "A" : t;
  put(
    "hlsl",
    `Load<${t}>`,
    `struct S { float3 a; uint b[2]; float2x2 m; }; struct A { float a[3]; };\nRWByteAddressBuffer p : register(u0);\n[numthreads(1, 1, 1)] void k(uint i : SV_DispatchThreadID) { p.Store<${T}>(64 * i + 64, p.Load<${T}>(64 * i)); }\n`,
  );
}

for (const n of [1, 2, 3, 4]) {
  for (const t of ["float16_t", "double", "int16_t", "uint16_t", "int64_t", "uint64_t"]) {
    const v = vec(t, n);
    if (!t.startsWith("u"))
      for (const f of ["abs", "sign"]) hl(`${f} ${t}`, f === "sign" ? vec("int", n) : v, [v], (a) => `${f}(${a})`);
    for (const f of ["min", "max"]) hl(`${f} ${t}`, v, [v, v], (a, b) => `${f}(${a}, ${b})`);
    hl(`clamp ${t}`, v, [v, v, v], (a, b, c) => `clamp(${a}, ${b}, ${c})`);
    hl(`mad ${t}`, v, [v, v, v], (a, b, c) => `mad(${a}, ${b}, ${c})`);
    if (/int/.test(t))
      for (const f of ["countbits", "firstbithigh", "firstbitlow", "reversebits"])
        hl(`${f} ${t}`, f === "reversebits" ? v : vec("uint", n), [v], (a) => `${f}(${a})`);
    if (n > 1) hl(`dot ${t}`, t, [v, v], (a, b) => `dot(${a}, ${b})`);
    hl(`select ${t}`, v, [v, v], (a, b) => `select(${a} > ${b}, ${a}, ${b})`);
  }
  const H = vec("float16_t", n);
  for (const f of "acos asin atan ceil cos cosh exp exp2 floor frac log log2 rcp round rsqrt saturate sin sqrt tan tanh trunc".split(
    " ",
  ))
    hl(`${f} half`, H, [H], (a) => `${f}(${a})`);
  for (const [f, r, t] of [
    ["asuint16", vec("uint16_t", n), H],
    ["asint16", vec("int16_t", n), H],
    ["asfloat16", H, vec("uint16_t", n)],
    ["asfloat16", H, vec("int16_t", n)],
  ])
    hl(f, r, [t], (a) => `${f}(${a})`);
  const F = vec("float", n);
  for (const f of ["isnormal"]) hl(f, vec("uint", n), [F], (a) => `(${vec("uint", n)})${f}(${a})`);
  hl("distance", "float", [F, F], (a, b) => `distance(${a}, ${b})`);
  hl("reflect", F, [F, F], (a, b) => `reflect(${a}, ${b})`);
  hl("refract", F, [F, F], (a, b) => `refract(${a}, ${b}, 0.5f)`);
  hl("faceforward", F, [F, F, F], (a, b, c) => `faceforward(${a}, ${b}, ${c})`);
}
hl("cross", "float3", ["float3", "float3"], (a, b) => `cross(${a}, ${b})`);
hl("asdouble", "double", ["uint", "uint"], (a, b) => `asdouble(${a}, ${b})`);
hl("asdouble", "double2", ["uint2", "uint2"], (a, b) => `asdouble(${a}, ${b})`);
hl(
  "asuint double",
  "uint",
  ["double"],
  (a) => `one(${a})`,
  "uint one(double d) { uint l, h; asuint(d, l, h); return l ^ h; }",
);
for (const t of ["float", "int", "uint", "float16_t", "double"])
  for (const [r, c] of [
    [2, 2],
    [3, 4],
    [4, 4],
    [1, 3],
    [4, 1],
  ]) {
    const [M, row, column] = [`${t}${r}x${c}`, vec(t, c), vec(t, r)];
    hl(`mul m v ${t}`, column, [M, row], (a, b) => `mul(${a}, ${b})`);
    hl(`mul v m ${t}`, row, [column, M], (a, b) => `mul(${a}, ${b})`);
    hl(`mul m m ${t}`, `${t}${r}x${r}`, [M], (a) => `mul(${a}, transpose(${a}))`);
    hl(`mul m s ${t}`, M, [M, t], (a, b) => `mul(${a}, ${b})`);
    if (r === c && /float$/.test(t)) hl("determinant", t, [M], (a) => `determinant(${a})`);
  }
for (const f of ["Add", "And", "Or", "Xor", "Min", "Max"])
  for (const t of ["int", "uint", "int64_t", "uint64_t"])
    put(
      "hlsl",
      `Interlocked${f} ${t}`,
      `RWStructuredBuffer<${t}> p : register(u0);\n[numthreads(1, 1, 1)] void k(uint i : SV_DispatchThreadID) { ${t} o; Interlocked${f}(p[0], (${t})3, o); p[1] = o; Interlocked${f}(p[2], (${t})3); }\n`,
    );
for (const t of ["int", "uint", "int64_t", "uint64_t", "float"])
  put(
    "hlsl",
    `InterlockedExchange ${t}`,
    `RWStructuredBuffer<${t}> p : register(u0);\n[numthreads(1, 1, 1)] void k(uint i : SV_DispatchThreadID) { ${t} o; InterlockedExchange(p[0], (${t})3, o); p[1] = o; ${t === "float" ? "InterlockedCompareExchangeFloatBitwise" : "InterlockedCompareExchange"}(p[0], (${t})3, (${t})4, o); p[2] = o; }\n`,
  );
for (const n of ["", 2, 3, 4])
  put(
    "hlsl",
    `Load${n}`,
    `RWByteAddressBuffer p : register(u0);\n[numthreads(1, 1, 1)] void k(uint i : SV_DispatchThreadID) { p.Store${n}(64 * i + 64, p.Load${n}(64 * i)); uint o; p.InterlockedAdd(0, 3, o); p.GetDimensions(o); p.Store(4, o); }\n`,
  );
for (const t of [
  "float4x3",
  "row_major float2x3",
  "half3",
  "uint16_t",
  "int64_t2",
  "bool",
  "double3",
  "float16_t4",
  "M",
  "float2x3 a[2]",
]) {
  const T = t === "float2x3 a[2]" ? "A" : t;
  put(
    "hlsl",
    `Load<${t}>`,
    `struct M { row_major float2x3 a; float2x3 b; int3x2 c; uint16_t d[3]; }; struct A { float2x3 a[2]; };\nRWByteAddressBuffer p : register(u0);\n[numthreads(1, 1, 1)] void k(uint i : SV_DispatchThreadID) { p.Store<${T}>(128 * i + 128, p.Load<${T}>(128 * i)); }\n`,
  );
}

// ---------------------------------------------------------------- MSL
const ms = (name, result, types, call) =>
  put(
    "msl",
    name,
    `#include <metal_stdlib>\nusing namespace metal;\nkernel void k(${[result, ...types].map((t, k) => `device ${t} *p${k} [[buffer(${k})]]`).join(", ")}, uint i [[thread_position_in_grid]]) { p0[i] = ${call(...types.map((_, k) => `p${k + 1}[i]`))}; }\n`,
  );
for (const t of ints.filter((x) => !/long/.test(x)).concat("long", "ulong"))
  for (const n of [1, 2, 3, 4]) {
    const v = vec(t, n),
      u = vec(unsigned(t), n);
    for (const [f, r, k] of [
      ["abs", v, 1],
      ["absdiff", u, 2],
      ["addsat", v, 2],
      ["subsat", v, 2],
      ["hadd", v, 2],
      ["rhadd", v, 2],
      ["mulhi", v, 2],
      ["madhi", v, 3],
      ["madsat", v, 3],
      ["clamp", v, 3],
      ["clz", v, 1],
      ["ctz", v, 1],
      ["popcount", v, 1],
      ["reverse_bits", v, 1],
      ["rotate", v, 2],
      ["max", v, 2],
      ["min", v, 2],
      ["max3", v, 3],
      ["min3", v, 3],
      ["median3", v, 3],
    ])
      ms(f, r, Array(k).fill(v), (...a) => `${f}(${a.join(", ")})`);
    ms("extract_bits", v, [v], (a) => `extract_bits(${a}, 3u, 4u)`);
    ms("insert_bits", v, [v, v], (a, b) => `insert_bits(${a}, ${b}, 3u, 4u)`);
    if (/int/.test(t)) {
      ms("mul24", v, [v, v], (a, b) => `mul24(${a}, ${b})`);
      ms("mad24", v, [v, v, v], (a, b, c) => `mad24(${a}, ${b}, ${c})`);
    }
  }
for (const t of ["float", "half"])
  for (const n of [1, 2, 3, 4]) {
    const v = vec(t, n),
      iv = vec("int", n);
    const pre = t === "float" ? ["", "fast::", "precise::"] : [""];
    for (const p of pre) {
      for (const f of "acos acosh asin asinh atan atanh ceil cos cosh cospi exp exp10 exp2 fabs floor log log10 log2 rint round rsqrt sin sinh sinpi sqrt tan tanh tanpi trunc".split(
        " ",
      ))
        ms(p + f, v, [v], (a) => `${p}${f}(${a})`);
      for (const f of "atan2 fmax fmin fmod pow powr max min".split(" "))
        ms(p + f, v, [v, v], (a, b) => `${p}${f}(${a}, ${b})`);
      for (const f of "fmax3 fmin3 fmedian3 max3 min3 median3 clamp".split(" "))
        ms(p + f, v, [v, v, v], (a, b, c) => `${p}${f}(${a}, ${b}, ${c})`);
    }
    for (const f of "abs fract saturate sign".split(" ")) ms(f, v, [v], (a) => `${f}(${a})`);
    for (const f of "copysign fdim step nextafter".split(" ")) ms(f, v, [v, v], (a, b) => `${f}(${a}, ${b})`);
    for (const f of "fma mix smoothstep".split(" ")) ms(f, v, [v, v, v], (a, b, c) => `${f}(${a}, ${b}, ${c})`);
    for (const f of "isfinite isinf isnan isnormal signbit".split(" ")) ms(f, iv, [v], (a) => `${iv}(${f}(${a}))`);
    for (const f of "isordered isunordered".split(" ")) ms(f, iv, [v, v], (a, b) => `${iv}(${f}(${a}, ${b}))`);
    ms("ilogb", iv, [v], (a) => `ilogb(${a})`);
    ms("ldexp", v, [v, iv], (a, b) => `ldexp(${a}, ${b})`);
    ms("select", v, [v, v], (a, b) => `select(${a}, ${b}, ${a} < ${b})`);
    for (const f of ["modf", "sincos"])
      put(
        "msl",
        f,
        `#include <metal_stdlib>\nusing namespace metal;\nkernel void k(device ${v} *p [[buffer(0)]]) { ${v} o; p[0] = ${f}(p[1], o); p[2] = o; }\n`,
      );
    put(
      "msl",
      "frexp",
      `#include <metal_stdlib>\nusing namespace metal;\nkernel void k(device ${v} *p [[buffer(0)]], device ${iv} *q [[buffer(1)]]) { ${iv} o; p[0] = frexp(p[1], o); q[2] = o; }\n`,
    );
    if (n > 1) for (const f of "length length_squared".split(" ")) ms(f, t, [v], (a) => `${f}(${a})`);
    if (n > 1) {
      for (const f of "dot distance distance_squared".split(" ")) ms(f, t, [v, v], (a, b) => `${f}(${a}, ${b})`);
      ms("normalize", v, [v], (a) => `normalize(${a})`);
      ms("reflect", v, [v, v], (a, b) => `reflect(${a}, ${b})`);
      ms("faceforward", v, [v, v, v], (a, b, c) => `faceforward(${a}, ${b}, ${c})`);
      ms("refract", v, [v, v], (a, b) => `refract(${a}, ${b}, ${t}(0.5f))`);
    }
    if (n === 3) ms("cross", v, [v, v], (a, b) => `cross(${a}, ${b})`);
  }
for (const [f, v] of [
  ["unorm4x8", "float4"],
  ["snorm4x8", "float4"],
  ["unorm2x16", "float2"],
  ["snorm2x16", "float2"],
  ["srgb_unorm4x8", "float4"],
  ["unorm10a2", "float4"],
  ["unorm565", "float3"],
]) {
  const T = f === "unorm565" ? "ushort" : "uint";
  ms(`pack_float_to_${f}`, T, [v], (a) => `pack_float_to_${f}(${a})`);
  const un = f.replace(/^srgb_(.*)$/, "$1_srgb");
  ms(`unpack_${un}_to_float`, v, [T], (a) => `unpack_${un}_to_float(${a})`);
  {
    const h = v.replace("float", "half");
    ms(`pack_half_to_${f}`, T, [h], (a) => `pack_half_to_${f}(${a})`);
    ms(`unpack_${un}_to_half`, h, [T], (a) => `unpack_${un}_to_half(${a})`);
  }
}

for (const n of [1, 2, 3, 4]) {
  for (const t of ["float", "half"]) {
    const v = vec(t, n);
    for (const f of ["divide", "fmod"]) ms(f, v, [v, v], (a, b) => `${f}(${a}, ${b})`);
    if (n > 1) {
      for (const f of ["min", "max", "fmin", "fmax"]) ms(`${f} scalar`, v, [v, t], (a, b) => `${f}(${a}, ${b})`);
      ms("clamp scalar", v, [v, t, t], (a, b, c) => `clamp(${a}, ${b}, ${c})`);
      ms("mix scalar", v, [v, v, t], (a, b, c) => `mix(${a}, ${b}, ${c})`);
      ms("step scalar", v, [t, v], (a, b) => `step(${v}(${a}), ${b})`);
    }
  }
  for (const t of ints) {
    const v = vec(t, n);
    ms("select", v, [v, v], (a, b) => `select(${a}, ${b}, ${a} < ${b})`);
    if (n > 1) ms("clamp scalar", v, [v, t, t], (a, b, c) => `clamp(${a}, ${b}, ${c})`);
    if (n > 1) for (const f of ["any", "all"]) ms(f, "uint", [v, v], (a, b) => `uint(${f}(${a} < ${b}))`);
  }
}
for (const a of [...ints, "float", "half"])
  for (const b of [...ints, "float", "half"])
    for (const n of [1, 2, 4]) {
      const size = { char: 1, short: 2, half: 2, int: 4, float: 4, long: 8 };
      const m = (n * size[a.replace(/^u/, "")]) / size[b.replace(/^u/, "")];
      if ([1, 2, 4].includes(m)) ms("as_type", vec(b, m), [vec(a, n)], (x) => `as_type<${vec(b, m)}>(${x})`);
      ms("convert", vec(b, n), [vec(a, n)], (x) => `${vec(b, n)}(${x})`);
    }
for (const t of ["float", "half"])
  for (const c of [2, 3, 4])
    for (const r of [2, 3, 4]) {
      const M = `${t}${c}x${r}`;
      ms("transpose", `${t}${r}x${c}`, [M], (a) => `transpose(${a})`);
      ms("matrix by vector", vec(t, r), [M, vec(t, c)], (a, b) => `${a} * ${b}`);
      ms("vector by matrix", vec(t, c), [vec(t, r), M], (a, b) => `${a} * ${b}`);
      if (c === r) ms("determinant", t, [M], (a) => `determinant(${a})`);
    }
for (const t of ["atomic_int", "atomic_uint", "atomic_float"])
  for (const f of t === "atomic_float" ? ["add", "sub"] : ["add", "sub", "min", "max", "and", "or", "xor"])
    put(
      "msl",
      `atomic_fetch_${f} ${t}`,
      `#include <metal_stdlib>\nusing namespace metal;\nkernel void k(device ${t} *p [[buffer(0)]], device ${t.slice(7)} *q [[buffer(1)]]) { q[0] = atomic_fetch_${f}_explicit(p, 3, memory_order_relaxed); }\n`,
    );

// ---------------------------------------------------------------- GLSL
const gl = (name, result, types, call, more = "") =>
  put(
    "glsl",
    name,
    `#version 450\n${["int8", "int16", "int32", "int64", "float16", "float64"].map((x) => `#extension GL_EXT_shader_explicit_arithmetic_types_${x} : require`).join("\n")}\nlayout(local_size_x = 1) in;\n${[result, ...types].map((t, k) => `layout(std430, binding = ${k}) buffer B${k} { ${t} p${k}[]; };`).join("\n")}\n${more}\nvoid main() { uint i = gl_GlobalInvocationID.x; p0[i] = ${call(...types.map((_, k) => `p${k + 1}[i]`))}; }\n`,
  );
const gv = (t, n) =>
  n === 1
    ? t
    : {
        float: "vec",
        double: "dvec",
        int: "ivec",
        uint: "uvec",
        float16_t: "f16vec",
        int64_t: "i64vec",
        uint64_t: "u64vec",
        int16_t: "i16vec",
        uint16_t: "u16vec",
        int8_t: "i8vec",
        uint8_t: "u8vec",
      }[t] + n;
for (const n of [1, 2, 3, 4]) {
  for (const t of ["float", "double", "float16_t"]) {
    const v = gv(t, n);
    for (const f of "abs sign floor trunc round roundEven ceil fract sqrt inversesqrt normalize".split(" "))
      gl(f, v, [v], (a) => `${f}(${a})`);
    if (t !== "double")
      for (const f of "radians degrees sin cos tan asin acos atan sinh cosh tanh asinh acosh atanh exp log exp2 log2".split(
        " ",
      ))
        gl(f, v, [v], (a) => `${f}(${a})`);
    for (const f of "mod min max step reflect".split(" ")) gl(f, v, [v, v], (a, b) => `${f}(${a}, ${b})`);
    if (t !== "double") for (const f of ["pow", "atan"]) gl(f, v, [v, v], (a, b) => `${f}(${a}, ${b})`);
    for (const f of "clamp mix smoothstep fma faceforward".split(" "))
      gl(f, v, [v, v, v], (a, b, c) => `${f}(${a}, ${b}, ${c})`);
    for (const f of "dot distance".split(" ")) gl(f, t, [v, v], (a, b) => `${f}(${a}, ${b})`);
    gl("length", t, [v], (a) => `length(${a})`);
    gl("modf", v, [v], (a) => `one(${a})`, `${v} one(${v} x) { ${v} o; return modf(x, o) + o; }`);
    gl("frexp", v, [v], (a) => `one(${a})`, `${v} one(${v} x) { ${gv("int", n)} o; return frexp(x, o) + ${v}(o); }`);
    gl("ldexp", v, [v, gv("int", n)], (a, b) => `ldexp(${a}, ${b})`);
  }
  for (const t of ["int", "uint", "int64_t", "uint64_t", "int16_t", "uint16_t", "int8_t", "uint8_t"]) {
    const v = gv(t, n);
    for (const f of ["min", "max"]) gl(f + " " + t, v, [v, v], (a, b) => `${f}(${a}, ${b})`);
    gl("clamp " + t, v, [v, v, v], (a, b, c) => `clamp(${a}, ${b}, ${c})`);
    if (!t.startsWith("u")) for (const f of ["abs", "sign"]) gl(f + " " + t, v, [v], (a) => `${f}(${a})`);
    if (t.length <= 4) {
      for (const f of ["bitfieldReverse"]) gl(f, v, [v], (a) => `${f}(${a})`);
      for (const f of ["bitCount", "findLSB", "findMSB"]) gl(f, gv("int", n), [v], (a) => `${f}(${a})`);
      gl("bitfieldExtract", v, [v], (a) => `bitfieldExtract(${a}, 3, 4)`);
      gl("bitfieldInsert", v, [v, v], (a, b) => `bitfieldInsert(${a}, ${b}, 3, 4)`);
    }
  }
  const U = gv("uint", n),
    I = gv("int", n);
  for (const f of ["uaddCarry", "usubBorrow"])
    gl(f, U, [U, U], (a, b) => `one(${a}, ${b})`, `${U} one(${U} x, ${U} y) { ${U} o; return ${f}(x, y, o) + o; }`);
  gl(
    "umulExtended",
    U,
    [U, U],
    (a, b) => `one(${a}, ${b})`,
    `${U} one(${U} x, ${U} y) { ${U} h, l; umulExtended(x, y, h, l); return h + l; }`,
  );
  gl(
    "imulExtended",
    I,
    [I, I],
    (a, b) => `one(${a}, ${b})`,
    `${I} one(${I} x, ${I} y) { ${I} h, l; imulExtended(x, y, h, l); return h + l; }`,
  );
  for (const [f, r, t] of [
    ["floatBitsToInt", I, gv("float", n)],
    ["floatBitsToUint", U, gv("float", n)],
    ["intBitsToFloat", gv("float", n), I],
    ["uintBitsToFloat", gv("float", n), U],
    ["halfBitsToInt16", gv("int16_t", n), gv("float16_t", n)],
    ["float16BitsToUint16", gv("uint16_t", n), gv("float16_t", n)],
    ["uint16BitsToFloat16", gv("float16_t", n), gv("uint16_t", n)],
    ["int16BitsToFloat16", gv("float16_t", n), gv("int16_t", n)],
    ["doubleBitsToInt64", gv("int64_t", n), gv("double", n)],
    ["doubleBitsToUint64", gv("uint64_t", n), gv("double", n)],
    ["int64BitsToDouble", gv("double", n), gv("int64_t", n)],
    ["uint64BitsToDouble", gv("double", n), gv("uint64_t", n)],
  ])
    gl(f, r, [t], (a) => `${f}(${a})`);
}
for (const [f, r, t] of [
  ["packUnorm4x8", "uint", "vec4"],
  ["packSnorm4x8", "uint", "vec4"],
  ["packUnorm2x16", "uint", "vec2"],
  ["packSnorm2x16", "uint", "vec2"],
  ["packHalf2x16", "uint", "vec2"],
  ["packDouble2x32", "double", "uvec2"],
  ["packInt2x32", "int64_t", "ivec2"],
  ["packUint2x32", "uint64_t", "uvec2"],
  ["packFloat2x16", "uint", "f16vec2"],
  ["packInt2x16", "int", "i16vec2"],
  ["packUint2x16", "uint", "u16vec2"],
  ["packInt4x16", "int64_t", "i16vec4"],
  ["packUint4x16", "uint64_t", "u16vec4"],
  ["pack16 i", "int16_t", "i8vec2"],
  ["pack16 u", "uint16_t", "u8vec2"],
  ["pack32 i8", "int", "i8vec4"],
  ["pack32 u8", "uint", "u8vec4"],
  ["pack32 i16", "int", "i16vec2"],
  ["pack32 u16", "uint", "u16vec2"],
  ["pack64 i", "int64_t", "ivec2"],
  ["pack64 u", "uint64_t", "uvec2"],
  ["pack64 i16", "int64_t", "i16vec4"],
  ["pack64 u16", "uint64_t", "u16vec4"],
]) {
  const g = f.split(" ")[0];
  gl(g, r, [t], (a) => `${g}(${a})`);
  const un = {
    pack16: "unpack8",
    "pack32 i8": "unpack8",
    "pack32 u8": "unpack8",
    "pack32 i16": "unpack16",
    "pack32 u16": "unpack16",
    "pack64 i16": "unpack16",
    "pack64 u16": "unpack16",
    "pack64 i": "unpack32",
    "pack64 u": "unpack32",
  };
  const u = un[f] ?? un[g] ?? g.replace("pack", "unpack");
  gl(u, t, [r], (a) => `${u}(${a})`);
}

for (const n of [2, 3, 4]) {
  for (const t of ["float", "int", "uint", "double", "float16_t", "int64_t", "uint64_t", "int8_t", "uint16_t"]) {
    const v = gv(t, n);
    for (const f of ["lessThan", "lessThanEqual", "greaterThan", "greaterThanEqual", "equal", "notEqual"])
      gl(`${f} ${t}`, "uint", [v, v], (a, b) => `uint(any(${f}(${a}, ${b})))`);
    gl(`mix bool ${t}`, v, [v, v], (a, b) => `mix(${a}, ${b}, equal(${a}, ${b}))`);
  }
  for (const t of ["float", "double", "float16_t"]) {
    const v = gv(t, n);
    for (const f of ["min", "max", "mod"]) gl(`${f} scalar`, v, [v, t], (a, b) => `${f}(${a}, ${b})`);
    gl("clamp scalar", v, [v, t, t], (a, b, c) => `clamp(${a}, ${b}, ${c})`);
    gl("mix scalar", v, [v, v, t], (a, b, c) => `mix(${a}, ${b}, ${c})`);
    gl("step scalar", v, [t, v], (a, b) => `step(${a}, ${b})`);
    gl("smoothstep scalar", v, [t, t, v], (a, b, c) => `smoothstep(${a}, ${b}, ${c})`);
    gl("refract", v, [v, v], (a, b) => `refract(${a}, ${b}, ${t}(0.5))`);
    for (const f of ["isnan", "isinf"]) gl(`${f} ${t}`, "uint", [v], (a) => `uint(all(${f}(${a})))`);
    if (n === 3) gl("cross", v, [v, v], (a, b) => `cross(${a}, ${b})`);
  }
}
for (const t of ["mat", "dmat", "f16mat"])
  for (const c of [2, 3, 4])
    for (const r of [2, 3, 4]) {
      const [M, s, pre] = [
        `${t}${c}x${r}`,
        { mat: "float", dmat: "double", f16mat: "float16_t" }[t],
        { mat: "", dmat: "d", f16mat: "f16" }[t],
      ];
      gl("transpose", `${t}${r}x${c}`, [M], (a) => `transpose(${a})`);
      gl("matrixCompMult", M, [M, M], (a, b) => `matrixCompMult(${a}, ${b})`);
      gl("outerProduct", M, [`${pre}vec${r}`, `${pre}vec${c}`], (a, b) => `outerProduct(${a}, ${b})`);
      gl("matrix by vector", `${pre}vec${r}`, [M, `${pre}vec${c}`], (a, b) => `${a} * ${b}`);
      gl("vector by matrix", `${pre}vec${c}`, [`${pre}vec${r}`, M], (a, b) => `${a} * ${b}`);
      if (c === r) {
        gl("determinant", s, [M], (a) => `determinant(${a})`);
        gl("inverse", M, [M], (a) => `inverse(${a})`);
      }
    }
for (const f of ["Add", "Min", "Max", "And", "Or", "Xor", "Exchange"])
  for (const t of ["int", "uint", "int64_t", "uint64_t"])
    gl(
      `atomic${f} ${t}`,
      t,
      [t],
      (a) => `atomic${f}(${a}, ${t}(3))`,
      "#extension GL_EXT_shader_atomic_int64 : require",
    );
for (const s of ["i", "u"])
  for (const [v, n] of [
    ["8", 4],
    ["16", 2],
    ["", 4],
  ]) {
    const V = `${s}${v}vec${n}`;
    gl(
      "dotEXT",
      s === "i" ? "int" : "uint",
      [V, V],
      (a, b) => `dotEXT(${a}, ${b})`,
      "#extension GL_EXT_integer_dot_product : require",
    );
  }

// ---------------------------------------------------------------- counting
const targets = ["msl", "glsl", "opencl", "hlsl"];
/** Why a call is refused; the first that fits. What is not known as a lack of the target stands under "other". */
const reasons = [
  ["internal error", /^THROWN/],
  ["not supported yet", /not supported yet/],
  ["not declared", /not declared|undeclared|no function|unknown/],
  ["no overload", /overload|takes/],
  ["lacks the type", /has no [uif]\d|MSL has no double|has no \d+-bit types/],
  ["lacks the function of double", /of double in no version|not of double|exponentials of float/],
  ["lacks the atomic", /atomic/],
  ["other", /(?:)/],
];
const tally = new Map();
const done = new Map();
const say = new Map();
const chosen = cases.filter((c) => !only || c.from === only);
for (const c of chosen)
  for (const to of targets) {
    let message;
    try {
      const r = await translate(c.text, { from: c.from, to, workgroupSize: [1, 1, 1] });
      if (r.code !== undefined) {
        done.set(c.from, (done.get(c.from) ?? 0) + 1);
        continue;
      }
      message = r.diagnostics.find((d) => d.severity === "error")?.message ?? "?";
    } catch (e) {
      message = `THROWN ${e.message}`;
    }
    const reason = reasons.find(([, pattern]) => pattern.test(message))[0];
    const key = `${c.from} ${to} ${reason}`;
    tally.set(key, (tally.get(key) ?? 0) + 1);
    const line = `${c.from}->${to} ${reason}: ${c.name}: ${message.replace(/p\d|\d+/g, "#").slice(0, 110)}`;
    say.set(line, (say.get(line) ?? 0) + 1);
  }
for (const from of targets) {
  const calls = chosen.filter((c) => c.from === from).length;
  if (calls === 0) continue;
  console.log(
    `${from}: ${calls} calls to ${targets.length} targets, ${done.get(from) ?? 0} of ${calls * targets.length} done`,
  );
  for (const [reason] of reasons) {
    const per = targets.map((to) => [to, tally.get(`${from} ${to} ${reason}`)]).filter(([, n]) => n);
    if (per.length > 0) console.log(`   ${reason}: ${per.map(([to, n]) => `${n} to ${to}`).join(", ")}`);
  }
}
for (const [line, n] of [...say].sort()) if (!/ lacks the /.test(line) || args[1] === "all") console.log("  ", n, line);
