/**
 * The function index of HLSL for compute: names and classes of operands as DXC's intrinsic table has them (utils/hct/gen_intrin_main.txt);
 * what becomes of them for a type is DXC's to say (`test/names/function-index.test.ts`).
 */
import type { IndexedCall } from "./indexed-call.js";

const floats = ["float", "float16_t", "min16float"];
const doubles = ["double"];
const integers = ["int", "uint", "int16_t", "uint16_t", "int64_t", "uint64_t"];
const words = ["int", "uint"];
const numeric = [...floats, ...doubles, ...integers];

const vectors = (types: readonly string[]): string[] => types.flatMap((t) => [2, 3, 4].map((n) => `${t}${String(n)}`));
const matrices = (types: readonly string[]): string[] =>
  types.flatMap((t) => ["2x2", "2x3", "3x2", "3x3", "4x3", "1x4", "4x1", "4x4"].map((n) => `${t}${n}`));
const every = (types: readonly string[]): string[] => [...types, ...vectors(types), ...matrices(types)];
const upToVectors = (types: readonly string[]): string[] => [...types, ...vectors(types)];

/** The shape of `type` with another component: `uint3` of float3. */
const component = (type: string): string => /^(?:min16)?(?:float|u?int|bool|double)(?:(?:16|64)_t)?/.exec(type)![0];
const shaped = (type: string, scalar: string): string => scalar + type.slice(component(type).length);

interface Form {
  readonly names: string;
  readonly types: readonly string[];
  /** Parameters and result for the operand's type T; `out ` in front of what is written. */
  readonly of: (t: string) => readonly [result: string, ...parameters: string[]];
}

const same =
  (n: number) =>
  (t: string): [string, ...string[]] => [t, ...Array.from({ length: n }, () => t)];

const forms: readonly Form[] = [
  {
    names: `acos asin atan ceil cos cosh degrees exp exp2 floor frac log log10 log2 radians round rsqrt sin sinh sqrt tan tanh trunc
      ddx ddx_coarse ddx_fine ddy ddy_coarse ddy_fine fwidth saturate rcp`,
    types: every(floats),
    of: same(1),
  },
  { names: "saturate rcp", types: every(doubles), of: same(1) },
  { names: "abs", types: every(numeric), of: same(1) },
  { names: "atan2 fmod pow step ldexp", types: every(floats), of: same(2) },
  { names: "lerp smoothstep", types: every(floats), of: same(3) },
  { names: "min max", types: every(numeric), of: same(2) },
  { names: "clamp mad", types: every(numeric), of: same(3) },
  { names: "fma", types: every(doubles), of: same(3) },
  { names: "modf", types: every(floats), of: (t) => [t, t, `out ${t}`] },
  { names: "frexp", types: every(["float"]), of: (t) => [t, t, `out ${t}`] },
  // DXC ends with a fault where it is of matrices.
  { names: "sincos", types: upToVectors(floats), of: (t) => ["void", t, `out ${t}`, `out ${t}`] },
  { names: "isfinite isinf isnan isnormal", types: every(floats), of: (t) => [shaped(t, "bool"), t] },
  { names: "sign", types: every(numeric), of: (t) => [shaped(t, "int"), t] },
  { names: "all any", types: every(["bool", ...numeric]), of: (t) => ["bool", t] },
  { names: "countbits firstbitlow firstbithigh", types: every(integers), of: (t) => [shaped(t, "uint"), t] },
  { names: "reversebits", types: every(integers), of: same(1) },
  { names: "cross", types: floats.map((t) => `${t}3`), of: same(2) },
  { names: "dot", types: vectors(numeric), of: (t) => [component(t), t, t] },
  { names: "distance", types: vectors(floats), of: (t) => [component(t), t, t] },
  { names: "length", types: vectors(floats), of: (t) => [component(t), t] },
  { names: "normalize", types: vectors(floats), of: same(1) },
  { names: "reflect", types: vectors(floats), of: same(2) },
  { names: "faceforward", types: vectors(floats), of: same(3) },
  { names: "refract", types: vectors(floats), of: (t) => [t, t, t, component(t)] },
  // DXC ends with a fault where it is of integers.
  { names: "dst", types: [...floats, ...doubles].map((t) => `${t}4`), of: same(2) },
  { names: "lit", types: floats, of: (t) => [`${t}4`, t, t, t] },
  {
    names: "determinant",
    types: floats.flatMap((t) => ["2x2", "3x3", "4x4"].map((n) => t + n)),
    of: (t) => [component(t), t],
  },
  {
    names: "transpose",
    types: matrices(["bool", ...numeric]),
    of: (t) => [t.replace(/(\d)x(\d)$/, "$2x$1"), t],
  },
  // Scalars, vectors and matrices in all pairs.
  { names: "mul", types: numeric, of: same(2) },
  { names: "mul", types: vectors(numeric), of: (t) => [component(t), t, t] },
  { names: "mul", types: [...vectors(numeric), ...matrices(numeric)], of: (t) => [t, t, component(t)] },
  { names: "mul", types: [...vectors(numeric), ...matrices(numeric)], of: (t) => [t, component(t), t] },
  { names: "mul", types: numeric, of: (t) => [`${t}2`, `${t}2x3`, `${t}3`] },
  { names: "mul", types: numeric, of: (t) => [`${t}3`, `${t}2`, `${t}2x3`] },
  { names: "mul", types: numeric, of: (t) => [`${t}2x4`, `${t}2x3`, `${t}3x4`] },
  { names: "and or", types: upToVectors(["bool"]), of: same(2) },
  { names: "select", types: every(["bool", ...numeric]), of: (t) => [t, shaped(t, "bool"), t, t] },
  { names: "NonUniformResourceIndex", types: every(["bool", ...numeric]), of: same(1) },
  // Bits.
  { names: "asfloat", types: every(["float", ...words]), of: (t) => [shaped(t, "float"), t] },
  { names: "asint", types: every(["float", ...words]), of: (t) => [shaped(t, "int"), t] },
  { names: "asuint", types: every(["float", ...words]), of: (t) => [shaped(t, "uint"), t] },
  { names: "asfloat16", types: every(["float16_t", "int16_t", "uint16_t"]), of: (t) => [shaped(t, "float16_t"), t] },
  { names: "asint16", types: every(["float16_t", "int16_t", "uint16_t"]), of: (t) => [shaped(t, "int16_t"), t] },
  { names: "asuint16", types: every(["float16_t", "int16_t", "uint16_t"]), of: (t) => [shaped(t, "uint16_t"), t] },
  {
    names: "asuint",
    types: every(doubles),
    of: (t) => ["void", t, `out ${shaped(t, "uint")}`, `out ${shaped(t, "uint")}`],
  },
  { names: "asdouble", types: every(["uint"]), of: (t) => [shaped(t, "double"), t, t] },
  { names: "f16tof32", types: every(["uint"]), of: (t) => [shaped(t, "float"), t] },
  { names: "f32tof16", types: every(["float"]), of: (t) => [shaped(t, "uint"), t] },
  { names: "D3DCOLORtoUBYTE4", types: ["float4"], of: () => ["int4", "float4"] },
  { names: "AddUint64", types: ["uint2", "uint4"], of: same(2) },
  { names: "msad4", types: ["uint"], of: () => ["uint4", "uint", "uint2", "uint4"] },
  { names: "dot4add_u8packed", types: ["uint"], of: same(3) },
  { names: "dot4add_i8packed", types: ["int"], of: () => ["int", "uint", "uint", "int"] },
  { names: "dot2add", types: ["float16_t2"], of: (t) => ["float", t, t, "float"] },
  { names: "unpack_s8s16", types: ["int8_t4_packed"], of: (t) => ["int16_t4", t] },
  { names: "unpack_u8u16", types: ["uint8_t4_packed"], of: (t) => ["uint16_t4", t] },
  { names: "unpack_s8s32", types: ["int8_t4_packed"], of: (t) => ["int4", t] },
  { names: "unpack_u8u32", types: ["uint8_t4_packed"], of: (t) => ["uint4", t] },
  { names: "pack_s8", types: ["int4", "uint4", "int16_t4", "uint16_t4"], of: (t) => ["int8_t4_packed", t] },
  { names: "pack_u8", types: ["int4", "uint4", "int16_t4", "uint16_t4"], of: (t) => ["uint8_t4_packed", t] },
  { names: "pack_clamp_s8", types: ["int4", "int16_t4"], of: (t) => ["int8_t4_packed", t] },
  { names: "pack_clamp_u8", types: ["int4", "int16_t4"], of: (t) => ["uint8_t4_packed", t] },
  // Lanes.
  { names: "WaveIsFirstLane", types: ["bool"], of: same(0) },
  { names: "WaveGetLaneIndex WaveGetLaneCount", types: ["uint"], of: same(0) },
  { names: "WaveActiveAnyTrue WaveActiveAllTrue QuadAny QuadAll", types: ["bool"], of: same(1) },
  { names: "WaveActiveBallot", types: ["bool"], of: () => ["uint4", "bool"] },
  { names: "WaveActiveCountBits WavePrefixCountBits", types: ["bool"], of: () => ["uint", "bool"] },
  { names: "WaveActiveAllEqual", types: every(["bool", ...numeric]), of: (t) => [shaped(t, "bool"), t] },
  { names: "WaveReadLaneAt", types: every(["bool", ...numeric]), of: (t) => [t, t, "uint"] },
  { names: "WaveReadLaneFirst", types: every(["bool", ...numeric]), of: same(1) },
  {
    names: "WaveActiveSum WaveActiveProduct WaveActiveMin WaveActiveMax WavePrefixSum WavePrefixProduct",
    types: every(numeric),
    of: same(1),
  },
  { names: "WaveActiveBitAnd WaveActiveBitOr WaveActiveBitXor", types: every(["uint", "uint64_t"]), of: same(1) },
  { names: "WaveMatch", types: every(numeric), of: (t) => ["uint4", t] },
  {
    names: "WaveMultiPrefixBitAnd WaveMultiPrefixBitOr WaveMultiPrefixBitXor",
    types: every(integers),
    of: (t) => [t, t, "uint4"],
  },
  { names: "WaveMultiPrefixCountBits", types: ["bool"], of: () => ["uint", "bool", "uint4"] },
  { names: "WaveMultiPrefixSum WaveMultiPrefixProduct", types: every(numeric), of: (t) => [t, t, "uint4"] },
  { names: "QuadReadLaneAt", types: every(numeric), of: (t) => [t, t, "uint"] },
  { names: "QuadReadAcrossX QuadReadAcrossY QuadReadAcrossDiagonal", types: every(numeric), of: same(1) },
  // Memory.
  {
    names: `AllMemoryBarrier AllMemoryBarrierWithGroupSync DeviceMemoryBarrier DeviceMemoryBarrierWithGroupSync GroupMemoryBarrier
      GroupMemoryBarrierWithGroupSync`,
    types: ["void"],
    of: same(0),
  },
  {
    names: "InterlockedAdd InterlockedMin InterlockedMax InterlockedAnd InterlockedOr InterlockedXor",
    types: [...words, "int64_t", "uint64_t"],
    of: (t) => ["void", `shared ${t}`, t],
  },
  {
    names:
      "InterlockedAdd InterlockedMin InterlockedMax InterlockedAnd InterlockedOr InterlockedXor InterlockedExchange",
    types: [...words, "int64_t", "uint64_t"],
    of: (t) => ["void", `shared ${t}`, t, `out ${t}`],
  },
  { names: "InterlockedExchange", types: ["float"], of: (t) => ["void", `shared ${t}`, t, `out ${t}`] },
  {
    names: "InterlockedCompareStore",
    types: [...words, "int64_t", "uint64_t"],
    of: (t) => ["void", `shared ${t}`, t, t],
  },
  { names: "InterlockedCompareStoreFloatBitwise", types: ["float"], of: (t) => ["void", `shared ${t}`, t, t] },
  {
    names: "InterlockedCompareExchange",
    types: [...words, "int64_t", "uint64_t"],
    of: (t) => ["void", `shared ${t}`, t, t, `out ${t}`],
  },
  {
    names: "InterlockedCompareExchangeFloatBitwise",
    types: ["float"],
    of: (t) => ["void", `shared ${t}`, t, t, `out ${t}`],
  },
  { names: "CheckAccessFullyMapped", types: ["uint"], of: () => ["bool", "uint"] },
  { names: "IsHelperLane", types: ["bool"], of: same(0) },
];

/** Methods of raw buffers, `b` of which is read and written: of every type and aggregate that `Load<T>` and `Store<T>` take. */
const methods = (t: string): string[] => [
  `${t} r = b.Load<${t}>(0);`,
  `uint s; ${t} r = b.Load<${t}>(0, s);`,
  `${t} v = b.Load<${t}>(0); b.Store<${t}>(16, v);`,
];
const rawTypes = [...every(["bool", ...numeric.filter((t) => !t.startsWith("min"))]), "S", "float[3]", "S[2]"];

export function hlslIndex(): IndexedCall[] {
  let shared = 0;
  const functions = forms.flatMap(({ names, types, of }) =>
    names
      .trim()
      .split(/\s+/)
      .flatMap((name) =>
        types.map((type): IndexedCall => {
          const [result, ...parameters] = of(type);
          const s = `g${String(shared)}`;
          const memory = parameters.find((p) => p.startsWith("shared "));
          if (memory !== undefined) shared++;
          const locals = parameters.flatMap((p, k) =>
            p === memory
              ? []
              : [p.startsWith("out ") ? `${p.slice(4)} a${String(k)};` : `${p} a${String(k)} = (${p})b.Load(0);`],
          );
          const call = `${name}(${parameters.map((p, k) => (p === memory ? s : `a${String(k)}`)).join(", ")})`;
          return {
            signature: `${result} ${name}(${parameters.join(", ")})`,
            ...(memory === undefined ? {} : { declares: `groupshared ${memory.slice(7)} ${s};` }),
            body: [...locals, result === "void" ? `${call};` : `${result} r = ${call};`].join(" "),
          };
        }),
      ),
  );
  const loads = rawTypes
    .filter((t) => !t.includes("["))
    .flatMap((t) => methods(t).map((body) => ({ signature: body, body })));
  return [...functions, ...loads];
}
