/**
 * Each native spelling of each cross-lane op, as its dialect's specification has it: what is called, on which types, and
 * which op of the reference it is. Operands by the names the kernels give them (kernels.ts).
 */
import type { TwoWayDialect } from "../../../src/dialects/ids.js";
import type { Kind } from "./reference.js";

/** `T` and `boolT` have the components of the kernel's type; `vote` is 64 bits, `mask` 128. */
export type ResultShape = "T" | "boolT" | "bool" | "u32" | "vote" | "mask";

export interface Case {
  readonly op: string;
  readonly call: string;
  /** What the reference gets: rows, other variables of the kernel, numbers. */
  readonly operands: readonly string[];
  readonly result: ResultShape;
  /** Kinds of T the dialect's specification has the call for; undefined where it has no T. */
  readonly on?: readonly Kind[];
  readonly sizes?: readonly number[];
  /** Every lane must reach it. */
  readonly uniformOnly?: boolean;
  /** Below this width the call has no meaning. */
  readonly fromWidth?: number;
}

type Options = Pick<Case, "sizes" | "uniformOnly" | "fromWidth">;
const kinds = (text: string): readonly Kind[] => text.split(" ") as Kind[];
const words = (text: string): readonly string[] => text.split(" ").filter((w) => w !== "");

/** A call on T that gives T. */
const onT = (on: readonly Kind[], op: string, call: string, operands: string, more: Options = {}): Case => ({
  op: op.includes(".") ? op : `subgroup.${op}`,
  call,
  operands: words(operands),
  result: "T",
  on,
  ...more,
});
/** A call without T. */
const plain = (op: string, result: ResultShape, call: string, operands = "", more: Options = {}): Case => ({
  op: op.includes(".") ? op : `subgroup.${op}`,
  call,
  operands: words(operands),
  result,
  ...more,
});

const capital = (s: string): string => s[0]!.toUpperCase() + s.slice(1);
const arithmetic = ["add", "mul", "min", "max"] as const;
const bitwise = ["and", "or", "xor"] as const;
const folds = [...arithmetic, ...bitwise] as const;
const forms = ["inclusive", "exclusive"] as const;
type Fold = (typeof folds)[number];
const isBitwise = (f: Fold): boolean => f === "and" || f === "or" || f === "xor";
const rowOf = (f: Fold): string => (f === "mul" ? "factors" : "sums");

const clusterSizes = [1, 2, 4, 8, 16, 32, 64];
/** Quads on every type; the other sizes on one, and some for two folds only. */
const ofSize = (c: number, on: readonly Kind[], fold?: Fold): readonly Kind[] => {
  if (c === 4) return on;
  const usual = c === 8 || c === 32 || fold === undefined || fold === "add" || fold === "min";
  return usual ? on.filter((kind) => kind === (fold === "min" ? "f32" : "u32")) : [];
};

// ------------------------------------------------------------------ MSL (specification 6.9.2)

const mslAny = kinds("f32 f16 i32 u32 i16 u16 i8 u8");
const mslInteger = kinds("i32 u32 i16 u16 i8 u8");
const mslNames: Readonly<Record<Fold, string>> = {
  add: "sum",
  mul: "product",
  min: "min",
  max: "max",
  and: "and",
  or: "or",
  xor: "xor",
};

const msl: readonly Case[] = [
  plain("id.lane_id", "u32", "lane"),
  plain("id.subgroup_size", "u32", "lanes"),
  plain("id.subgroup_id", "u32", "own"),
  plain("id.num_subgroups", "u32", "groups"),
  plain("active_mask", "vote", "static_cast<simd_vote::vote_t>(simd_active_threads_mask())"),
  plain("active_mask", "vote", "(simd_vote::vote_t)simd_active_threads_mask()"),
  plain("elect", "bool", "simd_is_first()"),
  plain("all", "bool", "simd_all(flag)", "flag"),
  plain("any", "bool", "simd_any(flag)", "flag"),
  plain("vote", "vote", "simd_vote::vote_t(simd_ballot(flag))", "flag"),
  plain("vote", "vote", "(simd_vote::vote_t)simd_ballot(flag)", "flag"),
  onT(mslAny, "broadcast", "simd_broadcast(moved, 3)", "moved 3"),
  onT(mslAny, "broadcast", "simd_broadcast(moved, u)", "moved u"),
  onT(mslAny, "broadcast_first", "simd_broadcast_first(moved)", "moved"),
  ...folds.map((f) => onT(isBitwise(f) ? mslInteger : mslAny, f, `simd_${mslNames[f]}(${rowOf(f)})`, rowOf(f))),
  ...(["add", "mul"] as const).flatMap((f) =>
    forms.map((form) => onT(mslAny, `${form}_${f}`, `simd_prefix_${form}_${mslNames[f]}(${rowOf(f)})`, rowOf(f))),
  ),
  onT(mslAny, "shuffle", "simd_shuffle(moved, pick)", "moved pick"),
  onT(mslAny, "shuffle", "simd_shuffle(moved, 1)", "moved 1"),
  onT(mslAny, "shuffle_xor", "simd_shuffle_xor(moved, 1)", "moved 1"),
  onT(mslAny, "shuffle_xor", "simd_shuffle_xor(moved, u)", "moved u"),
  ...["up", "down"].flatMap((way) => [
    onT(mslAny, `shuffle_${way}_keep`, `simd_shuffle_${way}(moved, 1)`, "moved 1"),
    onT(mslAny, `shuffle_${way}_keep`, `simd_shuffle_${way}(moved, u)`, "moved u"),
    onT(mslAny, `shuffle_${way}_fill_all`, `simd_shuffle_and_fill_${way}(moved, fill, 1)`, "moved fill 1"),
    onT(mslAny, `shuffle_${way}_fill_all`, `simd_shuffle_and_fill_${way}(moved, fill, u)`, "moved fill u"),
    ...[2, 4, 8, 16, 32].map((m) =>
      onT(
        ofSize(m, mslAny),
        `shuffle_${way}_fill`,
        `simd_shuffle_and_fill_${way}(moved, fill, u, ${m})`,
        `moved fill u ${m}`,
        { fromWidth: m },
      ),
    ),
  ]),
  onT(mslAny, "rotate", "simd_shuffle_rotate_down(moved, 3)", "moved 3"),
  onT(mslAny, "rotate", "simd_shuffle_rotate_down(moved, u)", "moved u"),
  onT(mslAny, "rotate_up", "simd_shuffle_rotate_up(moved, 1)", "moved 1"),
  onT(mslAny, "rotate_up", "simd_shuffle_rotate_up(moved, u)", "moved u"),
  // Quad-groups (6.9.3).
  plain("quad.elect", "bool", "quad_is_first()"),
  plain("quad.all", "bool", "quad_all(flag)", "flag"),
  plain("quad.any", "bool", "quad_any(flag)", "flag"),
  plain("quad.ballot", "u32", "uint(static_cast<quad_vote::vote_t>(quad_ballot(flag)))", "flag"),
  plain("quad.ballot", "u32", "uint((quad_vote::vote_t)quad_ballot(flag))", "flag"),
  plain("quad.active_mask", "u32", "uint(quad_vote::vote_t(quad_active_threads_mask()))"),
  onT(mslAny, "quad.broadcast", "quad_broadcast(moved, 3)", "moved 3"),
  onT(mslAny, "quad.broadcast", "quad_broadcast(moved, u)", "moved u"),
  onT(mslAny, "quad.broadcast_first", "quad_broadcast_first(moved)", "moved"),
  onT(mslAny, "quad.shuffle", "quad_shuffle(moved, next)", "moved next"),
  onT(mslAny, "quad.shuffle", "quad_shuffle(moved, 2)", "moved 2"),
  ...["1", "2", "3", "u"].map((k) => onT(mslAny, "quad.shuffle_xor", `quad_shuffle_xor(moved, ${k})`, `moved ${k}`)),
  ...["up", "down"].flatMap((way) => [
    ...["1", "u"].map((d) => onT(mslAny, `quad.shuffle_${way}_keep`, `quad_shuffle_${way}(moved, ${d})`, `moved ${d}`)),
    ...["1", "u"].map((d) =>
      onT(mslAny, `quad.shuffle_${way}_fill`, `quad_shuffle_and_fill_${way}(moved, fill, ${d})`, `moved fill ${d}`),
    ),
    ...[2, 4].map((m) =>
      onT(
        mslAny,
        `quad.shuffle_${way}_fill`,
        `quad_shuffle_and_fill_${way}(moved, fill, 1, ${m})`,
        `moved fill 1 ${m}`,
      ),
    ),
  ]),
  ...["1", "3", "u"].flatMap((d) => [
    onT(mslAny, "clustered_rotate", `quad_shuffle_rotate_down(moved, ${d})`, `moved ${d} 4`),
    onT(mslAny, "clustered_rotate_up", `quad_shuffle_rotate_up(moved, ${d})`, `moved ${d} 4`),
  ]),
  ...folds.map((f) =>
    onT(isBitwise(f) ? mslInteger : mslAny, `clustered_${f}`, `quad_${mslNames[f]}(${rowOf(f)})`, `${rowOf(f)} 4`),
  ),
  ...(["add", "mul"] as const).flatMap((f) =>
    forms.map((form) => onT(mslAny, `quad.${form}_${f}`, `quad_prefix_${form}_${mslNames[f]}(${rowOf(f)})`, rowOf(f))),
  ),
];

// ------------------------------------------------------------------ GLSL (GL_KHR_shader_subgroup)

const glslAny = kinds("f32 f16 f64 i32 u32 i16 u16 i8 u8 i64 u64 bool");
const glslArb = kinds("f32 i32 u32");
const glslNumber = kinds("f32 f16 f64 i32 u32 i16 u16 i8 u8 i64 u64");
const glslBits = kinds("i32 u32 i16 u16 i8 u8 i64 u64 bool");

const glsl: readonly Case[] = [
  plain("id.lane_id", "u32", "gl_SubgroupInvocationID"),
  plain("id.subgroup_size", "u32", "gl_SubgroupSize"),
  plain("id.subgroup_id", "u32", "gl_SubgroupID"),
  plain("id.num_subgroups", "u32", "gl_NumSubgroups"),
  ...["eq", "ge", "gt", "le", "lt"].map((m) => plain(`${m}_mask`, "mask", `gl_Subgroup${capital(m)}Mask`)),
  plain("elect", "bool", "subgroupElect()"),
  plain("all", "bool", "subgroupAll(flag)", "flag"),
  plain("any", "bool", "subgroupAny(flag)", "flag"),
  { ...onT(glslAny, "all_equal", "subgroupAllEqual(equals)", "equals"), result: "bool" },
  { ...onT(glslAny, "all_equal", "subgroupAllEqual(moved)", "moved"), result: "bool" },
  plain("ballot", "mask", "subgroupBallot(flag)", "flag"),
  plain("ballot", "mask", "subgroupBallot(true)", "true"),
  plain("inverse_ballot", "bool", "subgroupInverseBallot(mask)", "mask"),
  plain("ballot_bit_extract", "bool", "subgroupBallotBitExtract(mask, pick)", "mask pick"),
  plain("ballot_bit_count", "u32", "subgroupBallotBitCount(mask)", "mask"),
  plain("ballot_inclusive_bit_count", "u32", "subgroupBallotInclusiveBitCount(mask)", "mask"),
  plain("ballot_exclusive_bit_count", "u32", "subgroupBallotExclusiveBitCount(mask)", "mask"),
  plain("ballot_find_lsb", "u32", "subgroupBallotFindLSB(mask)", "mask"),
  plain("ballot_find_msb", "u32", "subgroupBallotFindMSB(mask)", "mask"),
  onT(glslAny, "broadcast", "subgroupBroadcast(moved, 3u)", "moved 3"),
  onT(glslAny, "broadcast", "subgroupBroadcast(moved, u)", "moved u"),
  onT(glslAny, "broadcast_first", "subgroupBroadcastFirst(moved)", "moved"),
  ...folds.flatMap((f) => [
    onT(isBitwise(f) ? glslBits : glslNumber, f, `subgroup${capital(f)}(${rowOf(f)})`, rowOf(f)),
    ...forms.map((form) =>
      onT(
        isBitwise(f) ? glslBits : glslNumber,
        `${form}_${f}`,
        `subgroup${capital(form)}${capital(f)}(${rowOf(f)})`,
        rowOf(f),
      ),
    ),
  ]),
  onT(glslAny, "shuffle", "subgroupShuffle(moved, pick)", "moved pick"),
  onT(glslAny, "shuffle", "subgroupShuffle(moved, 1u)", "moved 1"),
  ...["xor", "up", "down"].flatMap((way) =>
    ["1", "u", "low"].map((k) =>
      onT(glslAny, `shuffle_${way}`, `subgroupShuffle${capital(way)}(moved, ${k === "1" ? "1u" : k})`, `moved ${k}`),
    ),
  ),
  // The older spellings: of GLSL 4.60, GL_ARB_shader_group_vote, GL_EXT_shader_group_vote, GL_ARB_shader_ballot.
  ...["", "ARB", "EXT"].flatMap((by) => [
    plain("all", "bool", `allInvocations${by}(flag)`, "flag"),
    plain("any", "bool", `anyInvocation${by}(flag)`, "flag"),
    {
      ...onT(kinds("bool"), "all_equal", `allInvocationsEqual${by}(equals)`, "equals", { sizes: [1] }),
      result: "bool" as const,
    },
  ]),
  plain("vote", "vote", "ballotARB(flag)", "flag"),
  onT(glslArb, "broadcast", "readInvocationARB(moved, 3u)", "moved 3"),
  onT(glslArb, "broadcast_first", "readFirstInvocationARB(moved)", "moved"),
  onT(glslAny, "rotate", "subgroupRotate(moved, 3u)", "moved 3"),
  onT(glslAny, "rotate", "subgroupRotate(moved, u)", "moved u"),
  ...clusterSizes.flatMap((c) =>
    folds.map((f) =>
      onT(
        ofSize(c, isBitwise(f) ? glslBits : glslNumber, f),
        `clustered_${f}`,
        `subgroupClustered${capital(f)}(${rowOf(f)}, ${c}u)`,
        `${rowOf(f)} ${c}`,
        { fromWidth: c },
      ),
    ),
  ),
  ...clusterSizes.map((c) =>
    onT(ofSize(c, glslAny), "clustered_rotate", `subgroupClusteredRotate(moved, u, ${c}u)`, `moved u ${c}`, {
      fromWidth: c,
    }),
  ),
  onT(glslAny, "clustered_rotate", "subgroupClusteredRotate(moved, 1u, 4u)", "moved 1 4"),
  onT(glslAny, "quad.broadcast", "subgroupQuadBroadcast(moved, 3u)", "moved 3"),
  onT(glslAny, "quad.broadcast", "subgroupQuadBroadcast(moved, u)", "moved u"),
  ...["Horizontal", "Vertical", "Diagonal"].map((way, i) =>
    onT(glslAny, "quad.shuffle_xor", `subgroupQuadSwap${way}(moved)`, `moved ${i + 1}`),
  ),
  plain("quad.all", "bool", "subgroupQuadAll(flag)", "flag"),
  plain("quad.any", "bool", "subgroupQuadAny(flag)", "flag"),
  { ...onT(glslAny, "match_any", "subgroupPartitionNV(classes)", "classes"), result: "mask" },
  ...folds.flatMap((f) =>
    [
      ["", ""],
      ["Inclusive", "inclusive_"],
      ["Exclusive", "exclusive_"],
    ].map(([Form, form]) =>
      onT(
        isBitwise(f) ? glslBits : glslNumber,
        `partitioned_${form}${f}`,
        `subgroupPartitioned${Form}${capital(f)}NV(${rowOf(f)}, classmates)`,
        `${rowOf(f)} classmates`,
      ),
    ),
  ),
];

// ------------------------------------------------------------------ OpenCL C (6.15.19, cl_khr_subgroup_*)

const clCore = kinds("f32 f16 f64 i32 u32 i64 u64");
const clAny = kinds("f32 f16 f64 i32 u32 i64 u64 i16 u16 i8 u8");
const clNumber = kinds("f32 f16 f64 i32 u32 i16 u16 i8 u8 i64 u64");
const clBits = kinds("i32 u32 i16 u16 i8 u8 i64 u64");
const one: Options = { sizes: [1] };
const clBase: Options = { sizes: [1], uniformOnly: true };

const opencl: readonly Case[] = [
  plain("id.lane_id", "u32", "get_sub_group_local_id()"),
  plain("id.subgroup_size", "u32", "get_max_sub_group_size()"),
  plain("id.subgroup_lanes", "u32", "get_sub_group_size()"),
  plain("id.subgroup_id", "u32", "get_sub_group_id()"),
  plain("id.num_subgroups", "u32", "get_num_sub_groups()"),
  ...["eq", "ge", "gt", "le", "lt"].map((m) => plain(`${m}_mask`, "mask", `get_sub_group_${m}_mask()`)),
  plain("elect", "bool", "sub_group_elect()"),
  ...["all", "any"].flatMap((v) => [
    plain(v, "bool", `sub_group_${v}(flag)`, "flag", clBase),
    plain(v, "bool", `sub_group_non_uniform_${v}(flag)`, "flag"),
  ]),
  { ...onT(clAny, "all_equal", "sub_group_non_uniform_all_equal(equals)", "equals", one), result: "bool" },
  plain("ballot", "mask", "sub_group_ballot(flag)", "flag"),
  plain("inverse_ballot", "bool", "sub_group_inverse_ballot(mask)", "mask"),
  plain("ballot_bit_extract", "bool", "sub_group_ballot_bit_extract(mask, pick)", "mask pick"),
  plain("ballot_bit_count", "u32", "sub_group_ballot_bit_count(mask)", "mask"),
  plain("ballot_inclusive_bit_count", "u32", "sub_group_ballot_inclusive_scan(mask)", "mask"),
  plain("ballot_exclusive_bit_count", "u32", "sub_group_ballot_exclusive_scan(mask)", "mask"),
  plain("ballot_find_lsb", "u32", "sub_group_ballot_find_lsb(mask)", "mask"),
  plain("ballot_find_msb", "u32", "sub_group_ballot_find_msb(mask)", "mask"),
  onT(clAny, "broadcast", "sub_group_broadcast(moved, 3u)", "moved 3", { uniformOnly: true }),
  onT(clAny, "broadcast", "sub_group_broadcast(moved, u)", "moved u", { uniformOnly: true }),
  onT(clAny, "broadcast", "sub_group_non_uniform_broadcast(moved, 3u)", "moved 3"),
  onT(clAny, "broadcast_first", "sub_group_broadcast_first(moved)", "moved", one),
  ...(["add", "min", "max"] as const).flatMap((f) => [
    onT(clCore, f, `sub_group_reduce_${f}(sums)`, "sums", clBase),
    ...forms.map((form) => onT(clCore, `${form}_${f}`, `sub_group_scan_${form}_${f}(sums)`, "sums", clBase)),
  ]),
  ...folds.flatMap((f) => [
    onT(isBitwise(f) ? clBits : clNumber, f, `sub_group_non_uniform_reduce_${f}(${rowOf(f)})`, rowOf(f), one),
    ...forms.map((form) =>
      onT(
        isBitwise(f) ? clBits : clNumber,
        `${form}_${f}`,
        `sub_group_non_uniform_scan_${form}_${f}(${rowOf(f)})`,
        rowOf(f),
        one,
      ),
    ),
  ]),
  ...bitwise.flatMap((f) => [
    onT(kinds("bool"), f, `sub_group_non_uniform_reduce_logical_${f}(sums)`, "sums", one),
    ...forms.map((form) =>
      onT(kinds("bool"), `${form}_${f}`, `sub_group_non_uniform_scan_${form}_logical_${f}(sums)`, "sums", one),
    ),
  ]),
  onT(clAny, "shuffle", "sub_group_shuffle(moved, pick)", "moved pick", one),
  onT(clAny, "shuffle", "sub_group_shuffle(moved, 1u)", "moved 1", one),
  ...["xor", "up", "down"].flatMap((way) =>
    ["1", "u", "low"].map((k) =>
      onT(clAny, `shuffle_${way}`, `sub_group_shuffle_${way}(moved, ${k === "1" ? "1u" : k})`, `moved ${k}`, one),
    ),
  ),
  onT(clAny, "rotate", "sub_group_rotate(moved, 3)", "moved 3", one),
  onT(clAny, "rotate", "sub_group_rotate(moved, u)", "moved u", one),
  ...clusterSizes.flatMap((c) => [
    ...folds.map((f) =>
      onT(
        ofSize(c, isBitwise(f) ? clBits : clNumber, f),
        `clustered_${f}`,
        `sub_group_clustered_reduce_${f}(${rowOf(f)}, ${c}u)`,
        `${rowOf(f)} ${c}`,
        { sizes: [1], fromWidth: c },
      ),
    ),
    ...bitwise.map((f) =>
      onT(
        c === 4 || c === 16 ? kinds("bool") : [],
        `clustered_${f}`,
        `sub_group_clustered_reduce_logical_${f}(sums, ${c}u)`,
        `sums ${c}`,
        { sizes: [1], fromWidth: c },
      ),
    ),
    onT(ofSize(c, clAny), "clustered_rotate", `sub_group_clustered_rotate(moved, u, ${c}u)`, `moved u ${c}`, {
      sizes: [1],
      fromWidth: c,
    }),
  ]),
  plain("workgroup.all", "bool", "work_group_all(flag)", "flag", clBase),
  plain("workgroup.any", "bool", "work_group_any(flag)", "flag", clBase),
  onT(clCore, "workgroup.broadcast", "work_group_broadcast(moved, 77)", "moved 77", clBase),
  onT(clCore, "workgroup.broadcast", "work_group_broadcast(moved, u)", "moved u", clBase),
  onT(clCore, "workgroup.broadcast_2d", "work_group_broadcast(moved, 77, 0)", "moved 77", clBase),
  onT(clCore, "workgroup.broadcast_3d", "work_group_broadcast(moved, u, 0, 0)", "moved u", clBase),
  ...(["add", "min", "max"] as const).flatMap((f) => [
    onT(clCore, `workgroup.${f}`, `work_group_reduce_${f}(sums)`, "sums", clBase),
    ...forms.map((form) => onT(clCore, `workgroup.${form}_${f}`, `work_group_scan_${form}_${f}(sums)`, "sums", clBase)),
  ]),
];

// ------------------------------------------------------------------ HLSL (shader model 6.0 and on)

const hlslAny = kinds("f32 f16 f64 i32 u32 i16 u16 bool i64 u64");
const hlslNumber = kinds("f32 f16 f64 i32 u32 i16 u16 i64 u64");
const hlslMatch = kinds("f32 f16 f64 i32 u32 i16 u16 i64 u64");
const hlslInteger = kinds("i32 u32 i16 u16 i64 u64");
const hlslNames: Readonly<Record<Fold, string>> = {
  add: "Sum",
  mul: "Product",
  min: "Min",
  max: "Max",
  and: "BitAnd",
  or: "BitOr",
  xor: "BitXor",
};

const hlsl: readonly Case[] = [
  plain("id.lane_id", "u32", "WaveGetLaneIndex()"),
  plain("id.subgroup_size", "u32", "WaveGetLaneCount()"),
  plain("elect", "bool", "WaveIsFirstLane()"),
  plain("all", "bool", "WaveActiveAllTrue(flag)", "flag"),
  plain("any", "bool", "WaveActiveAnyTrue(flag)", "flag"),
  { ...onT(hlslAny, "all_equal_componentwise", "WaveActiveAllEqual(equals)", "equals"), result: "boolT" },
  plain("ballot", "mask", "WaveActiveBallot(flag)", "flag"),
  plain("count_true", "u32", "WaveActiveCountBits(flag)", "flag"),
  plain("prefix_count_true", "u32", "WavePrefixCountBits(flag)", "flag"),
  onT(hlslAny, "broadcast_first", "WaveReadLaneFirst(moved)", "moved"),
  onT(hlslAny, "shuffle", "WaveReadLaneAt(moved, 3u)", "moved 3"),
  onT(hlslAny, "shuffle", "WaveReadLaneAt(moved, u)", "moved u"),
  onT(hlslAny, "shuffle", "WaveReadLaneAt(moved, pick)", "moved pick"),
  ...arithmetic.map((f) => onT(hlslNumber, f, `WaveActive${hlslNames[f]}(${rowOf(f)})`, rowOf(f))),
  ...bitwise.map((f) => onT(kinds("u32 u64"), f, `WaveActive${hlslNames[f]}(${rowOf(f)})`, rowOf(f))),
  ...(["add", "mul"] as const).map((f) =>
    onT(hlslNumber, `exclusive_${f}`, `WavePrefix${hlslNames[f]}(${rowOf(f)})`, rowOf(f)),
  ),
  onT(hlslAny, "quad.shuffle", "QuadReadLaneAt(moved, 3u)", "moved 3"),
  onT(hlslAny, "quad.shuffle", "QuadReadLaneAt(moved, next)", "moved next"),
  ...["X", "Y", "Diagonal"].map((way, i) =>
    onT(hlslAny, "quad.shuffle_xor", `QuadReadAcross${way}(moved)`, `moved ${i + 1}`),
  ),
  plain("quad.all", "bool", "QuadAll(flag)", "flag"),
  plain("quad.any", "bool", "QuadAny(flag)", "flag"),
  { ...onT(hlslMatch, "match_any", "WaveMatch(classes)", "classes"), result: "mask" },
  ...(["add", "mul"] as const).map((f) =>
    onT(
      hlslNumber,
      `partitioned_exclusive_${f}`,
      `WaveMultiPrefix${hlslNames[f]}(${rowOf(f)}, classmates)`,
      `${rowOf(f)} classmates`,
    ),
  ),
  ...bitwise.map((f) =>
    onT(
      hlslInteger,
      `partitioned_exclusive_${f}`,
      `WaveMultiPrefix${hlslNames[f]}(${rowOf(f)}, classmates)`,
      `${rowOf(f)} classmates`,
    ),
  ),
  plain("partitioned_prefix_count_true", "u32", "WaveMultiPrefixCountBits(flag, classmates)", "flag classmates"),
];

export const casesOf: Readonly<Record<TwoWayDialect, readonly Case[]>> = { msl, glsl, opencl, hlsl };
