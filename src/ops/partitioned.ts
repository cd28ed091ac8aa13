/**
 * Match and partitioned ops (cross-lane.md 1.11). A partition is given as a mask in every lane: the lanes of its class,
 * itself among them, as match gives it. Values match where their bits are equal.
 */
import { opId } from "../ast/op-ids.js";

import { bool } from "../types/types.js";
import { collective, define, native, reads, lowering, set } from "./define.js";
import type { Cell, NativeCell, OperandSet, OpRow, LoweringCell, Reduction } from "./row.js";
import {
  anyValue,
  asU32,
  ballotNeeds,
  bitsValue,
  bitwise,
  bools,
  capital,
  cl,
  clBase,
  clByBroadcasts,
  hlslNumeric,
  hlslReduction,
  msl,
  mslByBroadcasts,
  noSimd,
  numeric,
  reductions,
  sm5,
  wave,
} from "./subgroup-cells.js";
import { conditional } from "../ast/builders.js";
import { bitsOf, k, op } from "./trees.js";

const glslPartitioned = "glsl.KHR_shader_subgroup_ballot glsl.NV_shader_subgroup_partitioned";
const sm65 = "sm>=6.5";
/** Compared by their bits: the dialects do not say whether -0 matches 0, or a NaN itself. */
const floats: OperandSet = set("f32 f16 f64");
const plain: OperandSet = set("i32 u32 i16 u16 i8 u8 i64 u64 bool");
const byBits = { assumes: "floats match where their bits are equal" };

const alsoFloats = (cell: LoweringCell): readonly LoweringCell[] => [{ ...cell, on: floats, ...byBits }, cell];

const without = (on: OperandSet, ...kinds: readonly string[]): OperandSet => ({
  ...on,
  scalars: on.scalars.filter((kind) => !kinds.includes(kind)),
});

const matches: OpRow[] = [
  define("subgroup", "subgroup.match_any", {
    summary: "the active lanes whose values have the same bits as this lane's, all components",
    signature: "T -> u32x4",
    on: anyValue,
    effect: "crosslane",
    expand: collective("match_any"),
    givesLanes: true,
    msl: [
      ...alsoFloats(lowering("match-by-ballot", { needs: `${msl.vote} ${msl.shuffle}` })),
      ...alsoFloats(mslByBroadcasts("match-by-broadcasts")),
      noSimd,
    ],
    glsl: [
      native("subgroupPartitionNV", "glslang", { needs: glslPartitioned, on: plain }),
      lowering("match-bits", { needs: glslPartitioned, on: floats, ...byBits }),
      ...alsoFloats(lowering("match-by-ballot")),
      reads("subgroupPartitionNV", "glslang", { on: floats }),
    ],
    opencl: cl(
      ...alsoFloats(lowering("match-by-ballot", { needs: `${ballotNeeds} cl.khr_subgroup_shuffle` })),
      ...alsoFloats(clByBroadcasts("match-by-broadcasts")),
    ),
    hlsl: [
      native("WaveMatch", "DXC", { needs: sm65, on: set("i32 u32 i16 u16 i64 u64") }),
      lowering("match-bits", { needs: sm65, on: floats, ...byBits }),
      lowering("match-bits", { needs: sm65, on: bools }),
      ...alsoFloats(lowering("match-by-ballot", { needs: wave })),
      reads("WaveMatch", "DXC", { on: floats }),
      sm5,
    ],
  }),
  define("subgroup", "subgroup.match_all", {
    summary: "the active lanes where all their values have the same bits, else none",
    signature: "T -> u32x4",
    on: anyValue,
    effect: "crosslane",
    expand: {
      kind: "tree",
      build: ([x], type) =>
        conditional(
          op("subgroup.all_equal", bool, bitsOf(x!)),
          op("subgroup.ballot", type, { kind: "literal", type: bool, value: true, span: x!.span }),
          k(type, 0),
        ),
    },
    msl: [lowering("expand", { needs: msl.vote }), mslByBroadcasts("expand"), noSimd],
    glsl: lowering("expand"),
    opencl: cl(lowering("expand", { needs: clBase })),
    hlsl: [lowering("expand", { needs: wave }), sm5],
  }),
];

/** A fold over the lanes of this lane's class: all of them, those up to it, or those below it. */

const fold = (r: Reduction, form: "" | "inclusive" | "exclusive", hlsl: readonly Cell[]): OpRow => {
  const on = bitwise(r) ? bitsValue : numeric;
  const id = opId(`subgroup.partitioned_${form}${form === "" ? "" : "_"}${r}`);
  const loop = "partitioned-loop";
  return define("subgroup", id, {
    summary: `${r} over the lanes of the mask${{ "": "", inclusive: " up to and with this one", exclusive: " below this one" }[form]}, ascending; the masks are a partition of the active lanes`,
    signature: "T, u32x4 -> T",
    on,
    effect: "crosslane",
    expand: collective(`partitioned_${form}${form === "" ? "" : "_"}${r}`),
    fold: { operation: r, form: form === "" ? "reduce" : form, over: "mask" },
    msl: [lowering(loop, { needs: msl.shuffle }), noSimd],
    glsl: [
      native(`subgroupPartitioned${form === "" ? "" : capital(form)}${capital(r)}NV`, "glslang", {
        needs: glslPartitioned,
      }),
      lowering(loop, { needs: "glsl.KHR_shader_subgroup_shuffle" }),
    ],
    opencl: cl(lowering(loop, { needs: `${clBase} cl.khr_subgroup_shuffle` }), clByBroadcasts("fold-by-broadcasts")),
    hlsl: [...hlsl, lowering(loop, { needs: wave }), sm5],
  });
};

const multiPrefix = (r: Reduction): NativeCell =>
  native(`WaveMultiPrefix${hlslReduction[r]}`, "DXC", {
    needs: sm65,
    on: bitwise(r) ? without(bitsValue, "i8", "u8", "bool") : hlslNumeric,
  });

const folds = reductions.flatMap((r): OpRow[] => {
  const known = r !== "min" && r !== "max";
  const truth = bitwise(r) ? [{ ...asU32(bools), needs: sm65 }] : [];
  const from = (name: string): readonly Cell[] =>
    known ? [...truth, lowering(name, { needs: sm65, on: multiPrefix(r).on! })] : [];
  return [
    fold(r, "", from("partition-by-prefix")),
    fold(r, "inclusive", from("partition-by-prefix")),
    fold(r, "exclusive", known ? [multiPrefix(r), ...truth] : []),
  ];
});

export const partitionedRows: readonly OpRow[] = [
  ...matches,
  ...folds,
  define("subgroup", "subgroup.partitioned_prefix_count_true", {
    summary: "number of lanes of the mask below this one whose predicate is true (HLSL)",
    signature: "bool, u32x4 -> u32",
    effect: "crosslane",
    expand: collective("partitioned_prefix_count_true"),
    msl: [lowering("partition-count", { needs: msl.vote }), mslByBroadcasts("partition-count"), noSimd],
    glsl: lowering("partition-count"),
    opencl: cl(lowering("partition-count", { needs: clBase })),
    hlsl: [
      native("WaveMultiPrefixCountBits", "DXC", { needs: sm65 }),
      lowering("partition-count", { needs: wave }),
      sm5,
    ],
  }),
];
