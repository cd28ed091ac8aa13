/** OpenCL's vector loads and stores (data.md section 3): n consecutive elements from a place on; the place is `p[0]`. */
import { opId } from "../ast/op-ids.js";
import { define, native, reads, lowering, routine, set } from "./define.js";
import type { OpRow } from "./row.js";

const many = set("i8 u8 i16 u16 i32 u32 i64 u64 f16 f32 f64", 2, 3, 4);
const f32s = set("f32", 1, 2, 3, 4);
const f32Vectors = set("f32", 2, 3, 4);
const stored = set("f32 f64", 1, 2, 3, 4);
const storedVectors = set("f32 f64", 2, 3, 4);
const lower = lowering("consecutive-elements");
const lowerHalf = lowering("consecutive-halves");

const stores = (aligned: boolean): OpRow[] =>
  (["rte", "rtz", "rtp", "rtn"] as const).map((rounding) => {
    const mode = rounding === "rte" ? "" : `_${rounding}`;
    return define("memory", opId(`memory.vstore${aligned ? "a" : ""}_half${mode}`), {
      summary: `f32 or f64 narrowed, rounded once (${{ rte: "to nearest even", rtz: "toward zero", rtp: "upward", rtn: "downward" }[rounding]}) to f16 at offset*n${aligned ? " (n = 3: offset*4)" : ""}; operands value, offset`,
      signature: "T, Z, &f16 -> void",
      on: aligned ? storedVectors : stored,
      effect: "memory",
      expand: routine("vstore_half"),
      everySize: true,
      vector: { half: true, aligned },
      rounding,
      msl: lowerHalf,
      glsl: lowerHalf,
      hlsl: lowerHalf,
      opencl: [
        native(`vstore${aligned ? "a" : ""}_half#${mode}`, "clang-19", "T, Z, *f16:gwp -> void"),
        ...(mode === "" ? [reads(`vstore${aligned ? "a" : ""}_half#_rte`, "clang-19", "T, Z, *f16:gwp -> void")] : []),
      ],
    });
  });

export const memoryRows: readonly OpRow[] = [
  define("memory", "memory.vload", {
    summary: "n consecutive elements at offset*n as a vector",
    signature: "Z, &S -> T",
    on: many,
    effect: "memory",
    expand: routine("vload"),
    everySize: true,
    vector: { half: false, aligned: false },
    msl: lower,
    glsl: lower,
    opencl: native("vload#", "clang-19", "Z, *S:gwpc -> T"),
    hlsl: lower,
  }),
  define("memory", "memory.vstore", {
    summary: "a vector to n consecutive elements at offset*n; operands value, offset",
    signature: "T, Z, &S -> void",
    on: many,
    effect: "memory",
    expand: routine("vstore"),
    everySize: true,
    vector: { half: false, aligned: false },
    msl: lower,
    glsl: lower,
    opencl: native("vstore#", "clang-19", "T, Z, *S:gwp -> void"),
    hlsl: lower,
  }),
  define("memory", "memory.vload_half", {
    summary: "n consecutive f16 at offset*n, widened",
    signature: "Z, &f16 -> T",
    on: f32s,
    effect: "memory",
    expand: routine("vload_half"),
    everySize: true,
    vector: { half: true, aligned: false },
    msl: lowerHalf,
    glsl: lowerHalf,
    opencl: native("vload_half#", "clang-19", "Z, *f16:gwpc -> T"),
    hlsl: lowerHalf,
  }),
  define("memory", "memory.vloada_half", {
    summary: "as vload_half, aligned; n = 3 at offset*4",
    signature: "Z, &f16 -> T",
    on: f32Vectors,
    effect: "memory",
    expand: routine("vload_half"),
    everySize: true,
    vector: { half: true, aligned: true },
    msl: lowerHalf,
    glsl: lowerHalf,
    opencl: native("vloada_half#", "clang-19", "Z, *f16:gwpc -> T"),
    hlsl: lowerHalf,
  }),
  ...stores(false),
  ...stores(true),
];
