/** Subgroup ops of cross-lane.md section 1. Masks are `u32x4`, lane i at word i/32, bit i%32; MSL's votes are `u64`. */
import { opId } from "../ast/op-ids.js";
import { collective, define, native, reads, lowering, set } from "./define.js";
import type { Cell, OpRow, Reduction } from "./row.js";
import {
  cl,
  clBase,
  wave,
  sm5,
  msl,
  mslByBroadcasts,
  noSimd,
  clByBroadcasts,
  reachedByAll,
  anyValue,
  clScalars,
  hlslValue,
  glslBallot,
  ballotNeeds,
  mslValue,
  asU32,
  bools,
  wideValues,
  constantLane,
  clBroadcast,
  perComponent,
  clVectors,
  narrow,
  reductions,
  bitwise,
  bitsValue,
  numeric,
  mslReduction,
  mslInteger,
  capital,
  glslLoop,
  hlslReduction,
  hlslNumeric,
  uniformOperand,
  glslShuffle,
  clShuffle,
} from "./subgroup-cells.js";

// ------------------------------------------------------------------ masks and votes

const masks = (["eq", "ge", "gt", "le", "lt"] as const).map((name) =>
  define("subgroup", `subgroup.${name}_mask`, {
    summary: `the lanes ${{ eq: "that are this one", ge: "from this one on", gt: "above this one", le: "up to this one", lt: "below this one" }[name]}`,
    signature: "-> u32x4",
    effect: "crosslane",
    expand: collective(`${name}_mask`),
    givesLanes: true,
    msl: lowering("lane-mask"),
    glsl: native(`gl_Subgroup${name[0]!.toUpperCase()}${name[1]}Mask`, "glslang", {
      needs: "glsl.KHR_shader_subgroup_ballot",
    }),
    opencl: cl(
      native(`get_sub_group_${name}_mask`, "clang-19", { needs: `${clBase} cl.khr_subgroup_ballot` }),
      lowering("lane-mask", { needs: clBase }),
    ),
    hlsl: [lowering("lane-mask", { needs: wave }), sm5],
  }),
);

const votes: OpRow[] = [
  define("subgroup", "subgroup.elect", {
    summary: "true in the lowest active lane",
    signature: "-> bool",
    effect: "crosslane",
    expand: collective("elect"),
    msl: [native("simd_is_first", "MSL 3.1 6.9.2", { needs: msl.vote }), mslByBroadcasts("elect-by-lane"), noSimd],
    glsl: native("subgroupElect", "glslang", { needs: "glsl.KHR_shader_subgroup_basic" }),
    opencl: cl(
      native("sub_group_elect", "clang-19", {
        needs: `${clBase} cl.khr_subgroup_non_uniform_vote`,
        signatures: ["-> i32"],
      }),
      clByBroadcasts("elect-by-lane"),
    ),
    hlsl: [native("WaveIsFirstLane", "DXC", { needs: wave }), sm5],
  }),
  ...(["all", "any"] as const).map((name) =>
    define("subgroup", opId(`subgroup.${name}`), {
      summary: `${name === "all" ? "and" : "or"} of the predicates of the active lanes`,
      signature: "bool -> bool",
      effect: "crosslane",
      expand: collective(name),
      fold: { operation: name === "all" ? "and" : "or", form: "reduce", over: "subgroup" },
      agreement: "shared",
      msl: [
        native(`simd_${name}`, "MSL 3.1 6.9.2", { needs: msl.vote }),
        mslByBroadcasts("fold-by-broadcasts"),
        noSimd,
      ],
      glsl: [
        native(name === "all" ? "subgroupAll" : "subgroupAny", "glslang", { needs: "glsl.KHR_shader_subgroup_vote" }),
        reads(
          ["", "ARB", "EXT"].map((by) => `${name}Invocation${name === "all" ? "s" : ""}${by}`).join(" "),
          "GLSL 4.60 8.18, GL_ARB_shader_group_vote, glslang",
        ),
      ],
      opencl: cl(
        native(`sub_group_${name}`, "clang-19", {
          needs: clBase,
          signatures: ["i32 -> i32"],
          when: reachedByAll,
          precondition: "uniform",
        }),
        native(`sub_group_non_uniform_${name}`, "clang-19", {
          needs: `${clBase} cl.khr_subgroup_non_uniform_vote`,
          signatures: ["i32 -> i32"],
        }),
      ),
      hlsl: [native(name === "all" ? "WaveActiveAllTrue" : "WaveActiveAnyTrue", "DXC", { needs: wave }), sm5],
    }),
  ),
  define("subgroup", "subgroup.all_equal", {
    summary: "true where the values of the active lanes are equal by ==, all components",
    signature: "T -> bool",
    on: anyValue,
    effect: "crosslane",
    expand: collective("all_equal"),
    agreement: "shared",
    msl: [lowering("all-equal", { needs: msl.vote }), mslByBroadcasts("all-equal"), noSimd],
    glsl: [
      native("subgroupAllEqual", "glslang", { needs: "glsl.KHR_shader_subgroup_vote" }),
      reads(
        "allInvocationsEqual allInvocationsEqualARB allInvocationsEqualEXT",
        "GLSL 4.60 8.18, GL_ARB_shader_group_vote, glslang",
        {
          on: set("bool", 1),
        },
      ),
      lowering("all-equal", { needs: "glsl.KHR_shader_subgroup_ballot" }),
    ],
    opencl: cl(
      native("sub_group_non_uniform_all_equal", "clang-19", {
        needs: `${clBase} cl.khr_subgroup_non_uniform_vote`,
        on: clScalars,
        signatures: ["T -> i32"],
      }),
      lowering("all-equal", { needs: `${clBase} cl.khr_subgroup_ballot` }),
      clByBroadcasts("all-equal"),
    ),
    hlsl: [lowering("wave-all-equal", { needs: wave }), sm5],
  }),
  define("subgroup", "subgroup.all_equal_componentwise", {
    summary: "per component, true where the values of the active lanes are equal (HLSL)",
    signature: "T -> B",
    on: hlslValue,
    effect: "crosslane",
    expand: collective("all_equal_componentwise"),
    agreement: "shared",
    msl: lowering("componentwise-all-equal"),
    glsl: lowering("componentwise-all-equal"),
    opencl: cl(lowering("componentwise-all-equal", { needs: clBase })),
    hlsl: [native("WaveActiveAllEqual", "DXC", { needs: wave }), sm5],
  }),
];

/** A consumer of ballots: GLSL and OpenCL have it, the others count bits. */
const ballotConsumer = (
  name: string,
  summary: string,
  signature: string,
  glsl: string,
  opencl: string,
  clSignature = signature,
  agreement?: OpRow["agreement"],
): OpRow =>
  define("subgroup", opId(`subgroup.${name}`), {
    summary,
    signature,
    effect: "crosslane",
    expand: collective(name),
    ...(agreement ? { agreement } : {}),
    msl: lowering("ballot-bits"),
    glsl: native(glsl, "glslang", glslBallot),
    opencl: cl(
      native(opencl, "clang-19", { needs: ballotNeeds, signatures: [clSignature] }),
      lowering("ballot-bits", { needs: clBase }),
    ),
    hlsl: [lowering("ballot-bits", { needs: wave }), sm5],
  });

const ballots: OpRow[] = [
  define("subgroup", "subgroup.ballot", {
    summary: "the active lanes whose predicate is true",
    signature: "bool -> u32x4",
    effect: "crosslane",
    expand: collective("ballot"),
    givesLanes: true,
    agreement: "shared",
    msl: [
      lowering("ballot-by-vote", { needs: `${msl.vote} msl>=2.2` }),
      lowering("ballot-by-words", { needs: msl.reduce }),
      mslByBroadcasts("ballot-by-words"),
      noSimd,
    ],
    glsl: native("subgroupBallot", "glslang", glslBallot),
    opencl: cl(
      native("sub_group_ballot", "clang-19", { needs: ballotNeeds, signatures: ["i32 -> u32x4"] }),
      clByBroadcasts("ballot-by-words"),
    ),
    hlsl: [native("WaveActiveBallot", "DXC", { needs: wave }), sm5],
  }),
  define("subgroup", "subgroup.vote", {
    summary: "the low 64 bits of the ballot (MSL simd_vote)",
    signature: "bool -> u64",
    effect: "crosslane",
    expand: collective("vote"),
    givesLanes: true,
    agreement: "shared",
    msl: [
      native("simd_ballot", "MSL 3.1 6.9.2", {
        needs: msl.vote,
        write: (use) => ({
          kind: "text",
          precedence: 16,
          result: use.result,
          pieces: [
            "static_cast<simd_vote::vote_t>(simd_ballot(",
            { kind: "value", index: 0, type: use.operandTypes[0]! },
            "))",
          ],
        }),
      }),
      noSimd,
    ],
    glsl: [lowering("vote-by-ballot"), reads("ballotARB", "GL_ARB_shader_ballot, glslang")],
    opencl: cl(lowering("vote-by-ballot", { needs: clBase })),
    hlsl: [lowering("vote-by-ballot", { needs: wave }), sm5],
  }),
  define("subgroup", "subgroup.active_mask", {
    summary: "the low 64 bits of the mask of active lanes (MSL)",
    signature: "-> u64",
    effect: "crosslane",
    expand: collective("active_mask"),
    givesLanes: true,
    agreement: "shared",
    msl: [
      native("simd_active_threads_mask", "MSL 3.1 6.9.2", {
        needs: msl.vote,
        write: (use) => ({
          kind: "text",
          precedence: 16,
          result: use.result,
          pieces: ["static_cast<simd_vote::vote_t>(simd_active_threads_mask())"],
        }),
      }),
      noSimd,
    ],
    glsl: lowering("vote-by-ballot"),
    opencl: cl(lowering("vote-by-ballot", { needs: clBase })),
    hlsl: [lowering("vote-by-ballot", { needs: wave }), sm5],
  }),
  ballotConsumer(
    "inverse_ballot",
    "this lane's bit of a uniform mask",
    "u32x4 -> bool",
    "subgroupInverseBallot",
    "sub_group_inverse_ballot",
    "u32x4 -> i32",
  ),
  ballotConsumer(
    "ballot_bit_extract",
    "bit i of a mask",
    "u32x4, u32 -> bool",
    "subgroupBallotBitExtract",
    "sub_group_ballot_bit_extract",
    "u32x4, u32 -> i32",
  ),
  ballotConsumer(
    "ballot_bit_count",
    "one bits below the subgroup size",
    "u32x4 -> u32",
    "subgroupBallotBitCount",
    "sub_group_ballot_bit_count",
    undefined,
    "operands",
  ),
  ballotConsumer(
    "ballot_inclusive_bit_count",
    "one bits up to this lane",
    "u32x4 -> u32",
    "subgroupBallotInclusiveBitCount",
    "sub_group_ballot_inclusive_scan",
  ),
  ballotConsumer(
    "ballot_exclusive_bit_count",
    "one bits below this lane",
    "u32x4 -> u32",
    "subgroupBallotExclusiveBitCount",
    "sub_group_ballot_exclusive_scan",
  ),
  ballotConsumer(
    "ballot_find_lsb",
    "lowest one bit, open for none",
    "u32x4 -> u32",
    "subgroupBallotFindLSB",
    "sub_group_ballot_find_lsb",
    undefined,
    "operands",
  ),
  ballotConsumer(
    "ballot_find_msb",
    "highest one bit, open for none",
    "u32x4 -> u32",
    "subgroupBallotFindMSB",
    "sub_group_ballot_find_msb",
    undefined,
    "operands",
  ),
  define("subgroup", "subgroup.count_true", {
    summary: "number of active lanes whose predicate is true (HLSL)",
    signature: "bool -> u32",
    effect: "crosslane",
    expand: collective("count_true"),
    agreement: "shared",
    msl: [lowering("count-true", { needs: msl.vote }), mslByBroadcasts("count-true"), noSimd],
    glsl: lowering("count-true"),
    opencl: cl(lowering("count-true", { needs: clBase })),
    hlsl: [native("WaveActiveCountBits", "DXC", { needs: wave }), sm5],
  }),
  define("subgroup", "subgroup.prefix_count_true", {
    summary: "number of active lanes below this one whose predicate is true (HLSL)",
    signature: "bool -> u32",
    effect: "crosslane",
    expand: collective("prefix_count_true"),
    msl: [lowering("count-true", { needs: msl.vote }), mslByBroadcasts("count-true"), noSimd],
    glsl: lowering("count-true"),
    opencl: cl(lowering("count-true", { needs: clBase })),
    hlsl: [native("WavePrefixCountBits", "DXC", { needs: wave }), sm5],
  }),
];

const broadcasts: OpRow[] = [
  define("subgroup", "subgroup.broadcast", {
    summary: "the value of lane i, the same i in all lanes",
    signature: "T, u32 -> T",
    byComponent: true,
    on: anyValue,
    effect: "crosslane",
    expand: collective("broadcast"),
    from: "number",
    agreement: "shared",
    msl: [
      native("simd_broadcast", "MSL 3.1 6.9.2", { on: mslValue, signatures: ["T, u16 -> T"], needs: msl.shuffle }),
      asU32(bools),
      ...wideValues,
      noSimd,
    ],
    glsl: [
      native("subgroupBroadcast", "glslang", { ...glslBallot, when: constantLane(1) }),
      native("subgroupBroadcast", "glslang: from vulkan1.2 on", {
        needs: "glsl.KHR_shader_subgroup_ballot vulkan>=1.2",
      }),
      lowering("as-shuffle"),
      reads("readInvocationARB", "GL_ARB_shader_ballot, glslang", { on: set("f32 i32 u32") }),
    ],
    opencl: cl(
      native("sub_group_broadcast", "clang-19", {
        needs: clBase,
        on: set("f32 f16 f64 i32 u32 i64 u64", 1),
        when: reachedByAll,
        precondition: "uniform",
      }),
      native("sub_group_broadcast", "clang-19", {
        needs: `${clBase} cl.khr_subgroup_extended_types`,
        on: clBroadcast,
        when: reachedByAll,
        precondition: "uniform",
      }),
      native("sub_group_non_uniform_broadcast", "clang-19", {
        needs: ballotNeeds,
        on: clScalars,
        when: constantLane(1),
      }),
      native("sub_group_non_uniform_broadcast", "clang-19", {
        needs: `${ballotNeeds} cl.khr_subgroup_extended_types`,
        on: clBroadcast,
        when: constantLane(1),
      }),
      perComponent(clVectors),
      asU32(bools),
      clByBroadcasts("through-wide", narrow),
      lowering("as-shuffle", { needs: `${clBase} cl.khr_subgroup_shuffle` }),
      native("sub_group_broadcast", "clang-19", { needs: clBase, on: clBroadcast, readOnly: true }),
    ),
    hlsl: [writes("WaveReadLaneAt"), sm5],
  }),
  define("subgroup", "subgroup.broadcast_first", {
    summary: "the value of the lowest active lane",
    signature: "T -> T",
    on: anyValue,
    effect: "crosslane",
    expand: collective("broadcast_first"),
    agreement: "shared",
    msl: [
      native("simd_broadcast_first", "MSL 3.1 6.9.2", { on: mslValue, needs: msl.vote }),
      asU32(bools),
      ...wideValues,
      mslByBroadcasts("first-by-broadcast"),
      noSimd,
    ],
    glsl: [
      native("subgroupBroadcastFirst", "glslang", glslBallot),
      ...wideValues,
      reads("readFirstInvocationARB", "GL_ARB_shader_ballot, glslang", { on: set("f32 i32 u32") }),
    ],
    opencl: cl(
      native("sub_group_broadcast_first", "clang-19", { needs: ballotNeeds, on: clScalars }),
      clByBroadcasts("first-by-broadcast"),
      perComponent(clVectors),
      asU32(bools),
    ),
    hlsl: [native("WaveReadLaneFirst", "DXC", { needs: wave, on: hlslValue }), sm5],
  }),
];

function writes(name: string): Cell {
  return {
    kind: "native",
    names: [name],
    evidence: "DXC",
    needs: wave,
    on: hlslValue,
    readsAs: "subgroup.shuffle",
  };
}
const clBaseHas = (r: Reduction): boolean => r === "add" || r === "min" || r === "max";
const clBaseTypes = set("f32 f16 f64 i32 u32 i64 u64", 1);
const glslArithmetic = { needs: "glsl.KHR_shader_subgroup_arithmetic" };
const clArithmetic = `${clBase} cl.khr_subgroup_non_uniform_arithmetic`;

const reductionRows = reductions.map((r) => {
  const on = bitwise(r) ? bitsValue : numeric;
  return define("subgroup", `subgroup.${r}`, {
    summary: `${r} over the active lanes, the result in all of them`,
    signature: "T -> T",
    on,
    effect: "crosslane",
    expand: collective(r),
    fold: { operation: r, form: "reduce", over: "subgroup" },
    agreement: "shared",
    msl: [
      native(`simd_${mslReduction[r]}`, "MSL 3.1 6.9.2", { on: bitwise(r) ? mslInteger : mslValue, needs: msl.reduce }),
      lowering("logical-reduction", { on: bools }),
      ...(bitwise(r) ? wideValues : []),
      lowering("reduce-by-ballot-loop", { needs: `${msl.vote} ${msl.shuffle}` }),
      mslByBroadcasts("fold-by-broadcasts"),
      noSimd,
    ],
    glsl: [native(`subgroup${capital(r)}`, "glslang", glslArithmetic), lowering("reduce-by-ballot-loop", glslLoop)],
    opencl: cl(
      ...(clBaseHas(r)
        ? [
            native(`sub_group_reduce_${r}`, "clang-19", {
              needs: clBase,
              on: clBaseTypes,
              when: reachedByAll,
              precondition: "uniform",
            }),
          ]
        : []),
      native(`sub_group_non_uniform_reduce_${r}`, "clang-19", { needs: clArithmetic, on: clScalars }),
      ...(bitwise(r)
        ? [
            native(`sub_group_non_uniform_reduce_logical_${r}`, "clang-19", {
              needs: clArithmetic,
              on: set("bool", 1),
              signatures: ["i32 -> i32"],
            }),
          ]
        : []),
      ...(bitwise(r) ? [clByBroadcasts("logical-reduction", bools)] : []),
      ...(clBaseHas(r) ? [clByBroadcasts("through-wide", narrow)] : []),
      perComponent({ scalars: on.scalars, sizes: [2, 3, 4] }),
      lowering("reduce-by-ballot-loop", { needs: `${ballotNeeds} cl.khr_subgroup_shuffle` }),
      clByBroadcasts("fold-by-broadcasts"),
    ),
    hlsl: [
      native(`WaveActive${hlslReduction[r]}`, "DXC", { needs: wave, on: bitwise(r) ? set("u32 u64") : hlslNumeric }),
      ...(bitwise(r)
        ? [
            lowering("logical-reduction", { on: bools, needs: wave }),
            lowering("through-unsigned", { on: set("i32 i16 u16"), needs: wave }),
            ...wideValues,
          ]
        : []),
      sm5,
    ],
  });
});

const scanRows = reductions.flatMap((r) =>
  (["inclusive", "exclusive"] as const).map((form) => {
    const on = bitwise(r) ? bitsValue : numeric;
    const sum = r === "add" || r === "mul";
    return define("subgroup", opId(`subgroup.${form}_${r}`), {
      summary: `${r} over the active lanes ${form === "inclusive" ? "up to and with" : "below"} this one, ascending`,
      signature: "T -> T",
      on,
      effect: "crosslane",
      expand: collective(`${form}_${r}`),
      fold: { operation: r, form, over: "subgroup" },
      msl: [
        ...(sum
          ? [native(`simd_prefix_${form}_${mslReduction[r]}`, "MSL 3.1 6.9.2", { on: mslValue, needs: msl.reduce })]
          : []),
        lowering("scan-by-ballot-loop", { needs: `${msl.vote} ${msl.shuffle}` }),
        mslByBroadcasts("fold-by-broadcasts"),
        noSimd,
      ],
      glsl: [
        native(`subgroup${capital(form)}${capital(r)}`, "glslang", glslArithmetic),
        lowering("scan-by-ballot-loop", glslLoop),
      ],
      opencl: cl(
        ...(clBaseHas(r)
          ? [
              native(`sub_group_scan_${form}_${r}`, "clang-19", {
                needs: clBase,
                on: clBaseTypes,
                when: reachedByAll,
                precondition: "uniform",
              }),
            ]
          : []),
        native(`sub_group_non_uniform_scan_${form}_${r}`, "clang-19", { needs: clArithmetic, on: clScalars }),
        ...(bitwise(r)
          ? [
              native(`sub_group_non_uniform_scan_${form}_logical_${r}`, "clang-19", {
                needs: clArithmetic,
                on: set("bool", 1),
                signatures: ["i32 -> i32"],
              }),
            ]
          : []),
        // What is below the first lane is the narrow kind's own limit.
        ...(clBaseHas(r) && (form === "inclusive" || r === "add") ? [clByBroadcasts("through-wide", narrow)] : []),
        perComponent({ scalars: on.scalars, sizes: [2, 3, 4] }),
        lowering("scan-by-ballot-loop", { needs: `${ballotNeeds} cl.khr_subgroup_shuffle` }),
        clByBroadcasts("fold-by-broadcasts"),
      ),
      hlsl: [
        ...(sum
          ? form === "exclusive"
            ? [native(`WavePrefix${hlslReduction[r]}`, "DXC", { needs: wave, on: hlslNumeric })]
            : [lowering("inclusive-by-exclusive", { needs: wave, on: hlslNumeric })]
          : []),
        lowering("scan-by-ballot-loop", { needs: wave }),
        sm5,
      ],
    });
  }),
);
const glslRelative = { needs: "glsl.KHR_shader_subgroup_shuffle_relative" };
const clRelative = `${clBase} cl.khr_subgroup_shuffle_relative`;
const mslLane = { on: mslValue, signatures: ["T, u16 -> T"], needs: msl.shuffle };
const mslUniformLane = { ...mslLane, when: uniformOperand, precondition: "uniform-operands" } as const;

const shuffles: OpRow[] = [
  define("subgroup", "subgroup.shuffle", {
    summary: "the value of lane i; open out of range or inactive",
    signature: "T, u32 -> T",
    on: anyValue,
    effect: "crosslane",
    expand: collective("shuffle"),
    from: "number",
    msl: [native("simd_shuffle", "MSL 3.1 6.9.2", mslLane), asU32(bools), ...wideValues, noSimd],
    glsl: [native("subgroupShuffle", "glslang", glslShuffle), ...wideValues],
    opencl: cl(
      native("sub_group_shuffle", "clang-19", { needs: clShuffle, on: clScalars }),
      lowering("componentwise", { on: clVectors, needs: clShuffle }),
      asU32(bools),
      clByBroadcasts("shuffle-by-broadcasts"),
    ),
    hlsl: [native("WaveReadLaneAt", "DXC", { needs: wave, on: hlslValue }), sm5],
  }),
  define("subgroup", "subgroup.shuffle_xor", {
    summary: "the value of lane L ^ k; open out of range or inactive",
    signature: "T, u32 -> T",
    on: anyValue,
    effect: "crosslane",
    expand: collective("shuffle_xor"),
    from: "distance",
    msl: [
      native("simd_shuffle_xor", "MSL 3.1 6.9.2", mslUniformLane),
      asU32(bools),
      ...wideValues,
      lowering("read-lane", { needs: msl.shuffle }),
      noSimd,
    ],
    glsl: [native("subgroupShuffleXor", "glslang", glslShuffle), ...wideValues],
    opencl: cl(
      native("sub_group_shuffle_xor", "clang-19", { needs: clShuffle, on: clScalars }),
      lowering("componentwise", { on: clVectors, needs: clShuffle }),
      asU32(bools),
      clByBroadcasts("read-lane"),
    ),
    hlsl: [lowering("read-lane", { needs: wave }), sm5],
  }),
  ...(["up", "down"] as const).flatMap((way) => [
    define("subgroup", `subgroup.shuffle_${way}`, {
      summary: `the value of lane L ${way === "up" ? "-" : "+"} d; open out of range or inactive`,
      signature: "T, u32 -> T",
      on: anyValue,
      effect: "crosslane",
      expand: collective(`shuffle_${way}`),
      from: "distance",
      msl: [
        native(`simd_shuffle_${way}`, "MSL 3.1 6.9.2", {
          ...mslLane,
          readsAs: `subgroup.shuffle_${way}_keep`,
          when: uniformOperand,
        }),
        asU32(bools),
        ...wideValues,
        lowering("read-lane", { needs: msl.shuffle }),
        noSimd,
      ],
      glsl: [native(`subgroupShuffle${capital(way)}`, "glslang", glslRelative), lowering("read-lane", glslShuffle)],
      opencl: cl(
        native(`sub_group_shuffle_${way}`, "clang-19", { needs: clRelative, on: clScalars }),
        lowering("componentwise", { on: clVectors, needs: clRelative }),
        asU32(bools),
        lowering("read-lane", { needs: clBase }),
      ),
      hlsl: [lowering("read-lane", { needs: wave }), sm5],
    }),
    define("subgroup", `subgroup.shuffle_${way}_keep`, {
      summary: `the value of lane L ${way === "up" ? "-" : "+"} d; where that is outside the subgroup the lane's own (MSL)`,
      signature: "T, u32 -> T",
      on: anyValue,
      effect: "crosslane",
      expand: collective(`shuffle_${way}_keep`),
      from: "distance",
      msl: [
        native(`simd_shuffle_${way}`, "MSL 3.1 6.9.2", mslUniformLane),
        asU32(bools),
        ...wideValues,
        lowering("shuffle-keep", { needs: msl.shuffle }),
        noSimd,
      ],
      glsl: lowering("shuffle-keep"),
      opencl: cl(lowering("shuffle-keep", { needs: clBase })),
      hlsl: [lowering("shuffle-keep", { needs: wave }), sm5],
    }),
    define("subgroup", `subgroup.shuffle_${way}_fill`, {
      summary: `as shuffle ${way}, the lanes at the edge filled from another lane's fill operand; operands data, fill, delta, modulo (MSL)`,
      signature: "T, T, u32, u32 -> T",
      on: mslValue,
      effect: "crosslane",
      expand: collective(`shuffle_${way}_fill`),
      msl: [
        native(`simd_shuffle_and_fill_${way}`, "MSL 3.1 6.9.2", {
          signatures: ["T, T, u16, u16 -> T"],
          needs: msl.fill,
        }),
        lowering("shuffle-fill", { needs: msl.shuffle }),
        noSimd,
      ],
      glsl: lowering("shuffle-fill"),
      opencl: cl(lowering("shuffle-fill", { needs: clBase })),
      hlsl: [lowering("shuffle-fill", { needs: wave }), sm5],
    }),
    define("subgroup", `subgroup.shuffle_${way}_fill_all`, {
      summary: `shuffle ${way} with fill over the whole subgroup; operands data, fill, delta (MSL)`,
      signature: "T, T, u32 -> T",
      on: mslValue,
      effect: "crosslane",
      expand: collective(`shuffle_${way}_fill_all`),
      msl: [
        native(`simd_shuffle_and_fill_${way}`, "MSL 3.1 6.9.2", { signatures: ["T, T, u16 -> T"], needs: msl.fill }),
        lowering("shuffle-fill", { needs: msl.shuffle }),
        noSimd,
      ],
      glsl: lowering("shuffle-fill"),
      opencl: cl(lowering("shuffle-fill", { needs: clBase })),
      hlsl: [lowering("shuffle-fill", { needs: wave }), sm5],
    }),
  ]),
  define("subgroup", "subgroup.rotate", {
    summary: "the value of lane (L + d) modulo the subgroup size",
    signature: "T, u32 -> T",
    on: anyValue,
    effect: "crosslane",
    expand: collective("rotate"),
    from: "distance",
    msl: [
      native("simd_shuffle_rotate_down", "MSL 3.1 6.9.2", { ...mslUniformLane, needs: msl.vote }),
      asU32(bools),
      ...wideValues,
      lowering("rotate-by-shuffle", { needs: msl.shuffle }),
      noSimd,
    ],
    glsl: [
      native("subgroupRotate", "GL_KHR_shader_subgroup_rotate; glslang 12 does not know it", {
        needs: "glsl.KHR_shader_subgroup_rotate",
        precondition: "uniform-operands",
      }),
      lowering("rotate-by-shuffle"),
    ],
    opencl: cl(
      native("sub_group_rotate", "cl_khr_subgroup_rotate; clang-19", {
        needs: `${clBase} cl.khr_subgroup_rotate`,
        on: clScalars,
        signatures: ["T, i32 -> T"],
        precondition: "uniform-operands",
      }),
      lowering("componentwise", { on: clVectors, needs: clShuffle }),
      asU32(bools),
      lowering("rotate-by-shuffle", { needs: clBase }),
    ),
    hlsl: [lowering("rotate-by-shuffle", { needs: wave }), sm5],
  }),
  define("subgroup", "subgroup.rotate_up", {
    summary: "the value of lane (L - d) modulo the subgroup size (MSL)",
    signature: "T, u32 -> T",
    on: anyValue,
    effect: "crosslane",
    expand: collective("rotate_up"),
    from: "distance",
    msl: [
      native("simd_shuffle_rotate_up", "MSL 3.1 6.9.2", { ...mslUniformLane, needs: msl.vote }),
      asU32(bools),
      ...wideValues,
      lowering("rotate-by-shuffle", { needs: msl.shuffle }),
      noSimd,
    ],
    glsl: lowering("rotate-by-shuffle"),
    opencl: cl(lowering("rotate-by-shuffle", { needs: clBase })),
    hlsl: [lowering("rotate-by-shuffle", { needs: wave }), sm5],
  }),
];

export const subgroupRows: readonly OpRow[] = [
  ...masks,
  ...votes,
  ...ballots,
  ...broadcasts,
  ...reductionRows,
  ...scanRows,
  ...shuffles,
];
