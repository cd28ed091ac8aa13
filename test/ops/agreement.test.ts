/** What lanes share: one fact of ids and ops, which the flow of the canonical tree and the region tree go by. */
import { describe, expect, it } from "vitest";
import { idRows } from "../../src/ops/ids.js";
import { allRows } from "../../src/ops/index.js";

describe("agreement", () => {
  it("is there for ids that are the same in a subgroup or workgroup", () => {
    const same = (of: string): string[] =>
      idRows
        .filter((r) => r.sameIn === of)
        .map((r) => r.id)
        .sort();
    expect(same("subgroup")).toEqual(["subgroup_id", "subgroup_lanes"]);
    expect(
      idRows
        .filter((r) => !r.sameIn)
        .map((r) => r.id)
        .sort(),
    ).toEqual(["global_id", "global_linear_id", "lane_id", "local_id", "local_index", "quad_id", "quad_lane_id"]);
  });

  it("is there for results of cross-lane ops that all lanes get, and for none that tell lanes apart", () => {
    const shared = allRows.filter((r) => r.agreement === "shared").map((r) => r.id);
    expect(shared).toEqual(
      expect.arrayContaining([
        "subgroup.add",
        "subgroup.ballot",
        "subgroup.broadcast",
        "subgroup.all_equal",
        "workgroup.add",
        "workgroup.broadcast_3d",
      ]),
    );
    expect(
      shared.filter((id) =>
        /inclusive|exclusive|shuffle|rotate|elect|prefix|clustered|partitioned|quad|match/.test(id),
      ),
    ).toEqual([]);
    // What is counted in a mask is as uniform as the mask.
    expect(
      allRows
        .filter((r) => r.agreement === "operands")
        .map((r) => r.id)
        .sort(),
    ).toEqual(["subgroup.ballot_bit_count", "subgroup.ballot_find_lsb", "subgroup.ballot_find_msb"]);
  });
});
