/** An answer that `crosslane capabilities` shares is the one that the passes give where it is shared to. */
import { isDeepStrictEqual } from "node:util";
import { expect, test } from "vitest";
import { defaultProfile, profileNamed } from "../../src/caps/profiles.js";
import { twoWayDialects } from "../../src/dialects/ids.js";
import { operandTypes } from "../../src/ops/operands.js";
import { allRows } from "../../src/ops/table.js";
import { constantOperands, laneOperand, supportOf, Supports, type SupportQuery } from "../../src/passes/support.js";

/** The older profiles lack most: an answer found for the default one is held against what they ask. */
const profiles = {
  msl: ["msl2.1-macos", "msl2.2-ios"],
  glsl: ["vulkan1.1"],
  opencl: ["opencl1.2", "opencl2.0"],
  hlsl: ["sm6.0", "sm6.5"],
};

/** Vectors of some kinds, in every size, since sizes are what is shared. */
const kinds: ReadonlySet<string> = new Set(["f32", "i8", "i64"]);

function* queries(): Generator<SupportQuery> {
  for (const row of allRows) {
    const crosses = row.effect === "crosslane";
    const index = crosses ? laneOperand(row) : undefined;
    const fixed = constantOperands(row);
    for (const type of operandTypes(row)) {
      if (type?.kind === "vector" && !kinds.has(type.scalar)) continue;
      for (const flow of crosses ? (["uniform", "divergent"] as const) : (["uniform"] as const)) {
        yield { op: row.id, flow, ...(type ? { type } : {}), ...(fixed ? { constants: fixed } : {}) };
        if (index !== undefined && type?.kind !== "vector")
          yield { op: row.id, flow, ...(type ? { type } : {}), constants: { ...fixed, [index]: 1 } };
      }
    }
  }
}

test.each(twoWayDialects)("%s", (target) => {
  let shared = 0;
  const wrong: string[] = [];
  const supports = new Supports(target);
  const known = new Set<object>();
  const older = profiles[target].map((id) => profileNamed(id)!);
  for (const query of queries()) {
    const crosses = query.flow === "divergent" && query.type?.kind !== "vector";
    for (const profile of [defaultProfile(target), ...(crosses ? older : [])]) {
      const answer = supports.of(query, profile);
      if (known.has(answer)) {
        shared++;
        if (!isDeepStrictEqual(answer, supportOf(query, target, profile)))
          wrong.push(`${JSON.stringify(query)} ${profile.id}`);
      }
      known.add(answer);
    }
  }
  expect(wrong).toEqual([]);
  expect(shared).toBeGreaterThan(1000);
});
