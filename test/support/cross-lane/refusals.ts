/**
 * Every refusal of the matrix, each for a fact about the target. A call is refused exactly where this list says so: a
 * refusal that is not here fails the tests, and so does an entry that holds no longer.
 */
import type { Kind } from "./reference.js";
import type { Refusal } from "./matrix.js";

const byLaneNumber = [
  "subgroup.eq_mask",
  "subgroup.ge_mask",
  "subgroup.gt_mask",
  "subgroup.le_mask",
  "subgroup.lt_mask",
  "subgroup.inverse_ballot",
  "subgroup.ballot_bit_extract",
  "subgroup.ballot_bit_count",
  "subgroup.ballot_inclusive_bit_count",
  "subgroup.ballot_exclusive_bit_count",
  "subgroup.ballot_find_lsb",
  "subgroup.ballot_find_msb",
];
type Place = Pick<Refusal, "profile" | "op" | "shape" | "flow" | "call">;

export interface Entry {
  readonly profiles: readonly string[];
  /** Without it: all ops. */
  readonly ops?: readonly string[];
  readonly kinds?: readonly Kind[];
  readonly where?: (place: Place) => boolean;
  readonly code: string;
  readonly because: string;
}

const words = (text: string): string[] => text.trim().split(/\s+/);
const subgroup = (text: string): string[] => words(text).map((w) => `subgroup.${w}`);
const msl = ["msl2.0-macos", "msl2.1", "msl2.4", "msl3.0"];

const shuffles = subgroup("broadcast shuffle shuffle_xor shuffle_up shuffle_down shuffle_up_keep shuffle_down_keep");
const fills = subgroup("shuffle_up_fill shuffle_down_fill shuffle_up_fill_all shuffle_down_fill_all");
const rotates = subgroup("rotate rotate_up clustered_rotate clustered_rotate_up");
const quadMoves = ["broadcast", "shuffle", "shuffle_xor", "shuffle_up_keep", "shuffle_down_keep"].map(
  (op) => `quad.${op}`,
);
const quadFills = ["quad.shuffle_up_fill", "quad.shuffle_down_fill"];

/** A cluster of one lane is the value itself. */
const ofOneLane = ({ op, call }: Place): boolean => op.startsWith("subgroup.clustered_") && call.endsWith(", 1u)");
const inDivergentFlow = (place: Place): boolean =>
  place.flow === "divergent" &&
  /^(subgroup|quad)\./.test(place.op) &&
  !byLaneNumber.includes(place.op) &&
  !ofOneLane(place);

export const entries: readonly Entry[] = [
  {
    profiles: ["sm6.0"],
    kinds: ["f16"],
    code: "XL3003",
    because: "16-bit types of their own width came with shader model 6.2",
  },
  {
    profiles: ["sm5.0 emulated"],
    ops: ["subgroup.vote", "subgroup.active_mask"],
    code: "XL3003",
    because: "64-bit integers, which a vote is, came with shader model 6.0",
  },
  {
    profiles: ["sm5.0 emulated"],
    kinds: ["f16", "i64", "u64"],
    code: "XL3003",
    because: "half of its own width and 64-bit integers came with shader models 6.2 and 6.0",
  },
  { profiles: [...msl, "msl2.0-ios emulated"], kinds: ["f64"], code: "XL3003", because: "Metal has no double" },
  {
    profiles: ["msl2.0-ios emulated"],
    kinds: ["i64", "u64"],
    code: "XL3003",
    because: "Metal has 64-bit integers from MSL 2.2 on",
  },
  {
    profiles: ["msl2.0-macos", "msl2.1-macos", "msl2.1", "msl2.0-ios emulated"],
    where: ({ call }) => call.startsWith("ballotARB"),
    code: "XL3003",
    because: "Metal has 64-bit integers from MSL 2.2 on",
  },
  {
    profiles: ["msl2.0-macos", "msl2.1-macos"],
    ops: ["subgroup.vote", "subgroup.active_mask"],
    code: "XL3001",
    because: "Metal has 64-bit integers, which a vote is, from MSL 2.2 on",
  },
  {
    profiles: ["msl2.0-macos"],
    where: (p) => inDivergentFlow(p) && ![...shuffles, ...fills, ...rotates, ...quadMoves, ...quadFills].includes(p.op),
    code: "XL3001",
    because:
      "macOS has votes and reductions from MSL 2.1 on; without them nothing tells which lanes are active where not all come",
  },
  {
    profiles: ["msl2.1"],
    where: (p) => !ofOneLane(p) && /^(subgroup|quad)\./.test(p.op) && ![...byLaneNumber, ...quadMoves].includes(p.op),
    code: "XL3001",
    because:
      "iOS has SIMD-groups from MSL 2.2 on, and the profile is what both platforms have: quads, to move values in",
  },
  {
    profiles: ["opencl2.0"],
    where: inDivergentFlow,
    code: "XL3001",
    because:
      "the functions of cl_khr_subgroups have to be reached by all work-items of a sub-group; those of cl_khr_subgroup_*, which need not, are later than OpenCL 2.0",
  },
];

export const entryFor = (place: Place): Entry | undefined =>
  entries.find(
    (e) =>
      e.profiles.includes(place.profile ?? "source") &&
      (e.ops?.includes(place.op) ?? true) &&
      (e.kinds?.includes(place.shape.kind) ?? true) &&
      (e.where?.(place) ?? true),
  );
