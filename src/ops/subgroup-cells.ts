/** What cells of cross-lane ops share: what each language needs for them, the operands it takes, and lowerings for the others. */
import { refused, set, lowering } from "./define.js";
import type { Cell, OpUse, OperandSet, LoweringCell, Reduction } from "./row.js";

export const clBase = "cl.subgroups";
const noSubgroups = refused("OpenCL C without sub-groups has no cross-lane operations");
export const cl = (...cells: Cell[]): readonly Cell[] => [...cells, noSubgroups];
export const sm5 = refused("shader model 5 has no wave operations");
export const wave = "sm>=6.0";

export const msl = {
  shuffle: "msl.simd_shuffle",
  vote: "msl.simd_vote",
  reduce: "msl.simd_reduce",
  fill: "msl.simd_shuffle_and_fill",
  quad: "msl.quad",
  quadVote: "msl.quad_vote",
  quadReduce: "msl.quad_reduce",
  quadFill: "msl.quad_shuffle_and_fill",
} as const;

export const noSimd = refused("this version of MSL lacks the SIMD-group function");

/** Scalars an op carries anywhere; each cell narrows to what its dialect takes, lowerings do the rest. */
export const anyValue = set("f32 f16 f64 i32 u32 i16 u16 i8 u8 bool u64 i64");

export const numeric = set("f32 f16 f64 i32 u32 i16 u16 i8 u8 i64 u64");

/** What is combined bit by bit. */
export const bitsValue = set("i32 u32 i16 u16 i8 u8 i64 u64 bool");

export const mslInteger = set("i32 u32 i16 u16 i8 u8");
export const mslValue = set("f32 f16 i32 u32 i16 u16 i8 u8");
export const clScalars = set("f32 f16 f64 i32 u32 i16 u16 i8 u8 i64 u64", 1);
export const narrow = set("i16 u16 i8 u8", 1);
export const clVectors = set("f32 f16 f64 i32 u32 i16 u16 i8 u8 i64 u64", 2, 3, 4);

/** The broadcasts alone take vectors, with cl_khr_subgroup_extended_types. */
export const clBroadcast = set("f32 f16 f64 i32 u32 i16 u16 i8 u8 i64 u64");

export const hlslValue = set("f32 f16 f64 i32 u32 i16 u16 bool i64 u64");
export const hlslNumeric = set("f32 f16 f64 i32 u32 i16 u16 i64 u64");

/** OpenCL's base operations: every lane of the subgroup must reach the call. */
export const reachedByAll = (use: OpUse): boolean => use.flow === "uniform" || use.precondition === "uniform";

/** By the broadcasts of a target that has little more, where every lane reaches the call. */
const byBroadcasts =
  (needs: string) =>
  (name: string, on?: OperandSet): LoweringCell =>
    lowering(name, { needs, when: reachedByAll, evidence: "PoCL, clang-19", ...(on ? { on } : {}) });

export const clByBroadcasts = byBroadcasts(clBase);
export const mslByBroadcasts = byBroadcasts(msl.shuffle);

export const asU32 = (on: OperandSet): LoweringCell => lowering("through-u32", { on });
export const perComponent = (on: OperandSet): LoweringCell => lowering("componentwise", { on });
export const bools = set("bool");

/** 64-bit values travel as two words, componentwise for vectors. */
export const wideValues: readonly LoweringCell[] = [
  lowering("through-words", { on: set("u64 i64", 1) }),
  perComponent(set("u64 i64", 2, 3, 4)),
];

export const ballotNeeds = `${clBase} cl.khr_subgroup_ballot`;

export const glslBallot = { needs: "glsl.KHR_shader_subgroup_ballot" };

export const constantLane =
  (index: number) =>
  (use: { readonly constants: readonly unknown[] }): boolean =>
    use.constants[index] !== undefined;

// ------------------------------------------------------------------ reductions and scans

export const mslReduction: Record<Reduction, string> = {
  add: "sum",
  mul: "product",
  min: "min",
  max: "max",
  and: "and",
  or: "or",
  xor: "xor",
};

export const hlslReduction: Record<Reduction, string> = {
  add: "Sum",
  mul: "Product",
  min: "Min",
  max: "Max",
  and: "BitAnd",
  or: "BitOr",
  xor: "BitXor",
};

export const capital = (s: string): string => s[0]!.toUpperCase() + s.slice(1);
export const reductions = ["add", "mul", "min", "max", "and", "or", "xor"] as const;
export const bitwise = (r: Reduction): boolean => r === "and" || r === "or" || r === "xor";

/** What a device without the arithmetic category may still have. */
export const glslLoop = { needs: "glsl.KHR_shader_subgroup_ballot glsl.KHR_shader_subgroup_shuffle" };

export const glslShuffle = { needs: "glsl.KHR_shader_subgroup_shuffle" };

export const clShuffle = `${clBase} cl.khr_subgroup_shuffle`;

/** MSL wants the same delta or mask in all lanes: written where that is known, a precondition of what is read. */
export const uniformOperand = (use: OpUse): boolean =>
  use.constants[1] !== undefined || use.precondition === "uniform-operands";
