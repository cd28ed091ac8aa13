/**
 * Quads: four consecutive lanes (cross-lane.md 1.10). Ballots of a quad are a `u32` of four bits. Reductions and rotations
 * in quads are those of clusters of four.
 *
 * HLSL names no lanes of a quad in compute shaders (before 6.6 not at all, from then on by thread positions, whose lanes
 * are open), so it is read as four consecutive lanes and written with lane numbers.
 */
import { collective, define, native, reads, lowering, writes } from "./define.js";
import type { Cell, NativeCell, OpRow } from "./row.js";

import {
  anyValue,
  asU32,
  ballotNeeds,
  bools,
  cl,
  clBase,
  clByBroadcasts,
  constantLane,
  glslBallot,
  glslLoop,
  glslShuffle,
  msl,
  mslByBroadcasts,
  mslReduction,
  mslValue,
  noSimd,
  numeric,
  sm5,
  wave,
  wideValues,
} from "./subgroup-cells.js";

const glslQuad = { needs: "glsl.KHR_shader_subgroup_quad" };
const mslSource = "MSL 3.1 6.9.3";
const mslLane = { on: mslValue, signatures: ["T, u16 -> T"], needs: msl.quad };
/** MSL's votes are cast to an integer of a width it leaves open; four bits fit any. */
const mslVote = (name: string, predicate: boolean): NativeCell =>
  native(name, mslSource, {
    needs: msl.quadVote,
    write: (use) => ({
      kind: "text",
      precedence: 16,
      result: use.result,
      pieces: [
        `uint(static_cast<quad_vote::vote_t>(${name}(`,
        ...(predicate ? [{ kind: "value", index: 0, type: use.operandTypes[0]! } as const] : []),
        ")))",
      ],
    }),
  });
const clAndHlsl = (name: string, clNeeds: string): Pick<OpRow["cells"], "opencl" | "hlsl"> => ({
  opencl: cl(lowering(name, { needs: clNeeds })),
  hlsl: [lowering(name, { needs: wave }), sm5],
});
const others = (name: string): ReturnType<typeof clAndHlsl> => clAndHlsl(name, clBase);
const mslElse = (name: string): readonly Cell[] => [
  asU32(bools),
  ...wideValues,
  lowering(name, { needs: msl.shuffle }),
  noSimd,
];

const moves: OpRow[] = [
  define("quad", "quad.broadcast", {
    summary: "the value of lane i of the quad, the same i in the whole quad",
    signature: "T, u32 -> T",
    on: anyValue,
    effect: "crosslane",
    expand: collective("quad_broadcast"),
    msl: [native("quad_broadcast", mslSource, mslLane), ...mslElse("quad-read")],
    glsl: [
      native("subgroupQuadBroadcast", "glslang", { ...glslQuad, when: constantLane(1) }),
      native("subgroupQuadBroadcast", "glslang: from vulkan1.2 on", { needs: `${glslQuad.needs} vulkan>=1.2` }),
      lowering("quad-read", glslShuffle),
    ],
    ...others("quad-read"),
  }),
  define("quad", "quad.shuffle", {
    summary: "the value of lane i of the quad; open for i above 3 or inactive",
    signature: "T, u32 -> T",
    on: anyValue,
    effect: "crosslane",
    expand: collective("quad_shuffle"),
    msl: [native("quad_shuffle", mslSource, mslLane), ...mslElse("quad-read")],
    glsl: [
      writes("subgroupQuadBroadcast", "quad.broadcast", "glslang", { ...glslQuad, when: constantLane(1) }),
      lowering("quad-read", glslShuffle),
    ],
    opencl: cl(lowering("quad-read", { needs: clBase })),
    hlsl: [reads("QuadReadLaneAt", "DXC", { needs: wave }), lowering("quad-read", { needs: wave }), sm5],
  }),
  define("quad", "quad.shuffle_xor", {
    summary: "the value of lane L ^ k of the quad: 1 swaps horizontally, 2 vertically, 3 diagonally",
    signature: "T, u32 -> T",
    on: anyValue,
    effect: "crosslane",
    expand: collective("quad_shuffle_xor"),
    msl: [native("quad_shuffle_xor", mslSource, mslLane), ...mslElse("quad-read")],
    glsl: [
      ...["Horizontal", "Vertical", "Diagonal"].map((way, i) =>
        native(`subgroupQuadSwap${way}`, "glslang", { ...glslQuad, signatures: [`T, #${i + 1} -> T`] }),
      ),
      lowering("quad-read", glslShuffle),
    ],
    opencl: cl(lowering("quad-read", { needs: clBase })),
    hlsl: [
      ...["X", "Y", "Diagonal"].map((way, i) =>
        reads(`QuadReadAcross${way}`, "DXC", { needs: wave, signatures: [`T, #${i + 1} -> T`] }),
      ),
      lowering("quad-read", { needs: wave }),
      sm5,
    ],
  }),
  define("quad", "quad.broadcast_first", {
    summary: "the value of the lowest active lane of the quad (MSL)",
    signature: "T -> T",
    on: anyValue,
    effect: "crosslane",
    expand: collective("quad_broadcast_first"),
    msl: [
      native("quad_broadcast_first", mslSource, { on: mslValue, needs: msl.quadVote }),
      asU32(bools),
      ...wideValues,
      mslByBroadcasts("quad-first"),
      noSimd,
    ],
    glsl: lowering("quad-first", glslLoop),
    opencl: cl(lowering("quad-first", { needs: clBase })),
    hlsl: [lowering("quad-first", { needs: wave }), sm5],
  }),
  ...(["up", "down"] as const).flatMap((way) => [
    define("quad", `quad.shuffle_${way}_keep`, {
      summary: `the value of the lane d ${way === "up" ? "before" : "after"} this one; where that is outside the quad the lane's own (MSL)`,
      signature: "T, u32 -> T",
      on: anyValue,
      effect: "crosslane",
      expand: collective(`quad_shuffle_${way}_keep`),
      msl: [native(`quad_shuffle_${way}`, mslSource, mslLane), ...mslElse("quad-shuffle-keep")],
      glsl: lowering("quad-shuffle-keep", glslShuffle),
      ...others("quad-shuffle-keep"),
    }),
    define("quad", `quad.shuffle_${way}_fill`, {
      summary: `as quad shuffle ${way}, the lanes at the edge filled from another lane's fill operand; operands data, fill, d, modulo 2 or 4 (MSL)`,
      signature: "T, T, u32, u32 -> T",
      on: mslValue,
      effect: "crosslane",
      expand: collective(`quad_shuffle_${way}_fill`),
      msl: [
        native(`quad_shuffle_and_fill_${way}`, mslSource, { signatures: ["T, T, u16, #4 -> T"], needs: msl.quadFill }),
        native(`quad_shuffle_and_fill_${way}`, mslSource, { signatures: ["T, T, u16, u16 -> T"], needs: msl.quadFill }),
        lowering("quad-fill", { needs: msl.shuffle }),
        noSimd,
      ],
      glsl: lowering("quad-fill", glslShuffle),
      ...others("quad-fill"),
    }),
  ]),
];

const votes: OpRow[] = [
  define("quad", "quad.elect", {
    summary: "true in the lowest active lane of the quad (MSL)",
    signature: "-> bool",
    effect: "crosslane",
    expand: collective("quad_elect"),
    msl: [native("quad_is_first", mslSource, { needs: msl.quadVote }), mslByBroadcasts("quad-first"), noSimd],
    glsl: lowering("quad-first", glslBallot),
    ...others("quad-first"),
  }),
  define("quad", "quad.ballot", {
    summary: "the active lanes of the quad whose predicate is true, as four bits (MSL quad_vote)",
    signature: "bool -> u32",
    effect: "crosslane",
    expand: collective("quad_ballot"),
    msl: [mslVote("quad_ballot", true), mslByBroadcasts("quad-ballot"), noSimd],
    glsl: lowering("quad-ballot", glslBallot),
    ...others("quad-ballot"),
  }),
  define("quad", "quad.active_mask", {
    summary: "the active lanes of the quad, as four bits (MSL)",
    signature: "-> u32",
    effect: "crosslane",
    expand: collective("quad_active_mask"),
    msl: [mslVote("quad_active_threads_mask", false), mslByBroadcasts("quad-ballot"), noSimd],
    glsl: lowering("quad-ballot", glslBallot),
    ...others("quad-ballot"),
  }),
  ...(["all", "any"] as const).map((name) => {
    const both = name === "all" ? "All" : "Any";
    return define("quad", `quad.${name}`, {
      summary: `${name === "all" ? "and" : "or"} of the predicates of the active lanes of the quad`,
      signature: "bool -> bool",
      effect: "crosslane",
      expand: collective(`quad_${name}`),
      msl: [native(`quad_${name}`, mslSource, { needs: msl.quadVote }), mslByBroadcasts("quad-vote"), noSimd],
      glsl: [
        native(`subgroupQuad${both}`, "GL_EXT_shader_quad_control; glslang 12 does not know it", {
          needs: "glsl.EXT_shader_quad_control",
        }),
        lowering("quad-as-cluster", { needs: "glsl.KHR_shader_subgroup_clustered" }),
        lowering("quad-vote", glslBallot),
      ],
      opencl: cl(
        lowering("quad-as-cluster", { needs: "cl.subgroups cl.khr_subgroup_clustered_reduce" }),
        lowering("quad-vote", { needs: clBase }),
      ),
      hlsl: [reads(`Quad${both}`, "DXC", { needs: "sm>=6.7" }), lowering("quad-vote", { needs: wave }), sm5],
    });
  }),
];

const scans: OpRow[] = (["add", "mul"] as const).flatMap((r) =>
  (["inclusive", "exclusive"] as const).map((form) =>
    define("quad", `quad.${form}_${r}`, {
      summary: `${r} over the active lanes of the quad ${form === "inclusive" ? "up to and with" : "below"} this one, ascending`,
      signature: "T -> T",
      on: numeric,
      effect: "crosslane",
      expand: collective(`quad_${form}_${r}`),
      fold: { operation: r, form, over: "quad" },
      msl: [
        native(`quad_prefix_${form}_${mslReduction[r]}`, mslSource, { on: mslValue, needs: msl.quadReduce }),
        lowering("scan-by-cluster-loop", { needs: `${msl.vote} ${msl.shuffle}` }),
        mslByBroadcasts("fold-by-broadcasts"),
        noSimd,
      ],
      glsl: lowering("scan-by-cluster-loop", glslLoop),
      opencl: cl(
        lowering("scan-by-cluster-loop", { needs: `${ballotNeeds} cl.khr_subgroup_shuffle` }),
        clByBroadcasts("fold-by-broadcasts"),
      ),
      hlsl: [lowering("scan-by-cluster-loop", { needs: wave }), sm5],
    }),
  ),
);

export const quadRows: readonly OpRow[] = [...moves, ...votes, ...scans];
