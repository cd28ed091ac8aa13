/**
 * References and pointers into constant memory that structs hold (MSL 3.1 4.2), and that lead to arguments by value: OpenCL C has those in
 * private memory (OpenCL C 3.0 6.7), and takes them in constant memory then. Results by hand.
 */
import { describe, expect, test } from "vitest";
import { reflect, simulate, translate, verify } from "../src/index.js";
import { twoWayDialects } from "../src/dialects/ids.js";
import { judgeable, judgeOutputs, judges, refusals } from "./support/judges/outputs.js";
import { judgeTest } from "./support/tool-test.js";

const source = `#include <metal_stdlib>
using namespace metal;
struct indexer {
  constant const uint &n;
  constant const uint2 *shape;
  uint at(uint i) const { return i % n * 100 + i % shape->y * 10 + shape->x; }
};
kernel void k(device uint *o [[buffer(0)]], constant uint &n [[buffer(1)]], constant uint2 &shape [[buffer(2)]],
              constant uint &more [[buffer(3)]], uint i [[thread_position_in_grid]]) {
  indexer x = {n, &shape};
  o[i] = x.at(i) + n * 1000 + more;
}
`;
const how = { from: "msl", workgroupSize: [8, 1, 1] } as const;
const wanted = Array.from({ length: 8 }, (_, i) => (i % 3) * 100 + (i % 5) * 10 + 7 + 3000 + 50_000);

describe("a reference and a pointer in a struct", () => {
  test("compute what they say in MSL", async () => {
    const { buffers, findings } = await simulate(source, {
      ...how,
      workgroups: [1],
      args: { o: new Uint32Array(8), n: 3, shape: [7, 5], more: 50_000 },
    });
    expect(findings).toEqual([]);
    expect([...(buffers["o"] as Uint32Array)]).toEqual(wanted);
  });

  test("come in constant memory in OpenCL C, and what none leads to does not", async () => {
    const { code, emulations, reflection } = await translate(source, { ...how, to: "opencl" });
    expect(code).toMatch(/__constant uint \*n,\s+__constant uint2 \*shape,\s+uint more\b/);
    expect(emulations.map((e) => e.message)).toEqual([
      "OpenCL C has arguments by value in private memory: n comes in constant memory, and pointers into constant memory lead to it",
      "OpenCL C has arguments by value in private memory: shape comes in constant memory, and pointers into constant memory lead to it",
    ]);
    expect(reflection).toBeDefined();
    const { buffers, findings } = await simulate(code!, {
      from: "opencl",
      workgroups: [1],
      workgroupSize: [8, 1, 1],
      args: {
        o: new Uint32Array(8),
        n: Uint32Array.of(3),
        shape: Uint32Array.of(7, 5),
        more: 50_000,
      },
    });
    expect(findings).toEqual([]);
    expect([...(buffers["o"] as Uint32Array)]).toEqual(wanted);
  });

  test.each(twoWayDialects)("is equivalent in %s", async (to) => {
    const { result, diagnostics } = await verify(source, { ...how, to });
    expect(
      diagnostics.filter((d) => d.severity !== "note").map((d) => d.message),
      to,
    ).toEqual([]);
    expect(result).toBe("equivalent");
  });

  test("has the slots of buffers", async () => {
    const { entries } = await reflect(source, how);
    const slots = entries[0]!.arguments.map(({ path, slots: { opencl } }) => [path, opencl?.kind]);
    expect(slots).toEqual([
      ["o", "buffer"],
      ["n", "buffer"],
      ["shape", "buffer"],
      ["more", "value"],
    ]);
  });

  const handedOn = source
    .replace("struct indexer", "uint more_of(constant const uint &v) { return v; }\nstruct indexer")
    .replace("n * 1000 + more", "more_of(n) * 1000 + more_of(more)");
  test("and what a helper gets by reference beside it", async () => {
    const { code } = await translate(handedOn, { ...how, to: "opencl" });
    expect(code).toMatch(/__constant uint \*more\b/);
    expect((await verify(handedOn, { ...how, to: "opencl" })).result).toBe("equivalent");
  });
  judgeTest(judges.opencl, "the opencl compiler takes that helper", async () => {
    const { code } = await translate(handedOn, { ...how, to: "opencl" });
    expect(refusals(await judgeOutputs([judgeable("opencl", "k", code!)]))).toBe("");
  });

  test("to a struct, whose members are the host's arguments, is refused", async () => {
    const text = source.replace("uint2 *shape", "Shape *shape").replace("uint2 &shape", "Shape &shape");
    const { diagnostics } = await translate(
      text.replace("struct indexer", "struct Shape { uint x, y; };\nstruct indexer"),
      {
        ...how,
        to: "opencl",
      },
    );
    expect(diagnostics.map((d) => d.message)).toEqual([
      "a pointer into constant memory leads to shape, an argument by value, which OpenCL C has in private memory",
    ]);
  });

  for (const to of twoWayDialects)
    judgeTest(judges[to], `the ${to} compiler takes the translation`, async () => {
      const { code } = await translate(source, { ...how, to });
      expect(refusals(await judgeOutputs([judgeable(to, "k", code!)]))).toBe("");
    });
});
