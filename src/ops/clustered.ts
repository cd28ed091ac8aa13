/** Reductions and rotations within clusters: runs of consecutive lanes (cross-lane.md 1.8, 1.9). Their size is a literal. */
import { collective, define, native, lowering, set } from "./define.js";
import type { OpRow, OpUse, LoweringCell } from "./row.js";

import {
  asU32,
  ballotNeeds,
  bitsValue,
  bitwise,
  bools,
  capital,
  cl,
  clBase,
  clByBroadcasts,
  clScalars,
  clShuffle,
  clVectors,
  anyValue,
  glslLoop,
  msl,
  mslByBroadcasts,
  mslInteger,
  mslReduction,
  mslValue,
  noSimd,
  numeric,
  reductions,
  sm5,
  uniformOperand,
  wave,
  wideValues,
} from "./subgroup-cells.js";

const clusterSize = (index: number): OpRow["powersOfTwo"] => [{ index, name: "the cluster size" }];
const ofQuads = (use: OpUse): boolean => Number(use.constants[1]) === 4;
/** A cluster of one lane is the value itself, wherever the op stands. */
const ofOne = (index: number): LoweringCell =>
  lowering("cluster-of-one", { when: (use) => Number(use.constants[index]) === 1 });
const clClustered = `${clBase} cl.khr_subgroup_clustered_reduce`;

const reductionRows = reductions.map((r) => {
  const on = bitwise(r) ? bitsValue : numeric;
  return define("subgroup", `subgroup.clustered_${r}`, {
    summary: `${r} over the active lanes of each cluster of consecutive lanes, the result in all of them; operands x, size of a cluster`,
    signature: "T, u32 -> T",
    on,
    effect: "crosslane",
    expand: collective(`clustered_${r}`),
    fold: { operation: r, form: "reduce", over: "cluster" },
    powersOfTwo: clusterSize(1),
    msl: [
      native(`quad_${mslReduction[r]}`, "MSL 3.1 6.9.3", {
        on: bitwise(r) ? mslInteger : mslValue,
        signatures: ["T, #4 -> T"],
        needs: msl.quadReduce,
      }),
      ...(r === "and" || r === "or"
        ? [lowering("cluster-as-quad", { on: set("bool", 1), when: ofQuads, needs: msl.quadVote })]
        : []),
      lowering("reduce-by-cluster-loop", { needs: `${msl.vote} ${msl.shuffle}` }),
      mslByBroadcasts("fold-by-broadcasts"),
      ofOne(1),
      noSimd,
    ],
    glsl: [
      native(`subgroupClustered${capital(r)}`, "glslang", { needs: "glsl.KHR_shader_subgroup_clustered" }),
      lowering("reduce-by-cluster-loop", glslLoop),
    ],
    opencl: cl(
      native(`sub_group_clustered_reduce_${r}`, "clang-19", { needs: clClustered, on: clScalars }),
      ...(bitwise(r)
        ? [
            native(`sub_group_clustered_reduce_logical_${r}`, "clang-19", {
              needs: clClustered,
              on: set("bool", 1),
              signatures: ["i32, u32 -> i32"],
            }),
          ]
        : []),
      lowering("componentwise", { on: { scalars: on.scalars, sizes: [2, 3, 4] }, needs: clClustered }),
      lowering("reduce-by-cluster-loop", { needs: `${ballotNeeds} cl.khr_subgroup_shuffle` }),
      clByBroadcasts("fold-by-broadcasts"),
      ofOne(1),
    ),
    hlsl: [lowering("reduce-by-cluster-loop", { needs: wave }), sm5],
  });
});

const glslRotate = "glsl.KHR_shader_subgroup_rotate glsl.subgroup_rotate_clustered";
/** MSL rotates quads, each by a number of its own; the others rotate all clusters by the same. */
const mslRotate = { on: mslValue, signatures: ["T, u16, #4 -> T"], needs: msl.quadVote };
const knownDistance = uniformOperand;
const mslOthers = [
  ofOne(2),
  asU32(bools),
  ...wideValues,
  lowering("rotate-in-cluster", { needs: msl.shuffle }),
  noSimd,
];

const rotations: OpRow[] = [
  define("subgroup", "subgroup.clustered_rotate", {
    summary: "the value of the lane d further in the cluster, modulo its size; operands x, d, size of a cluster",
    signature: "T, u32, u32 -> T",
    on: anyValue,
    effect: "crosslane",
    expand: collective("clustered_rotate"),
    powersOfTwo: clusterSize(2),
    msl: [native("quad_shuffle_rotate_down", "MSL 3.1 6.9.3", mslRotate), ...mslOthers],
    glsl: [
      native("subgroupClusteredRotate", "GL_KHR_shader_subgroup_rotate; glslang 12 does not know it", {
        needs: glslRotate,
        when: knownDistance,
        precondition: "uniform-operands",
      }),
      lowering("rotate-in-cluster"),
    ],
    opencl: cl(
      native("sub_group_clustered_rotate", "cl_khr_subgroup_rotate; clang-19", {
        needs: `${clBase} cl.khr_subgroup_rotate`,
        on: clScalars,
        signatures: ["T, i32, u32 -> T"],
        when: knownDistance,
        precondition: "uniform-operands",
      }),
      lowering("componentwise", { on: clVectors, when: knownDistance, needs: clShuffle }),
      asU32(bools),
      ofOne(2),
      lowering("rotate-in-cluster", { needs: clBase }),
    ),
    hlsl: [lowering("rotate-in-cluster", { needs: wave }), sm5],
  }),
  define("subgroup", "subgroup.clustered_rotate_up", {
    summary:
      "the value of the lane d before this one in the cluster, modulo its size; operands x, d, size of a cluster (MSL, in quads)",
    signature: "T, u32, u32 -> T",
    on: anyValue,
    effect: "crosslane",
    expand: collective("clustered_rotate_up"),
    powersOfTwo: clusterSize(2),
    msl: [native("quad_shuffle_rotate_up", "MSL 3.1 6.9.3", mslRotate), ...mslOthers],
    glsl: lowering("rotate-in-cluster"),
    opencl: cl(lowering("rotate-in-cluster", { needs: clBase })),
    hlsl: [lowering("rotate-in-cluster", { needs: wave }), sm5],
  }),
];

export const clusteredRows: readonly OpRow[] = [...reductionRows, ...rotations];
