/** Everything the table's rows expand to can be run: machine ops on each scalar they are listed for, and all routines. */
import { describe, expect, test } from "vitest";
import { machineOps, routines } from "../../src/ops/machine-ops.js";
import { allRows } from "../../src/ops/table.js";
import { compile, run } from "../../src/sim/index.js";
import { runtimeNames } from "../../src/sim/runtime.js";
import { scalar, type ScalarKind } from "../../src/types/types.js";
import type { OpId } from "../../src/ast/nodes.js";
import { KernelBuilder, at, convert, let_, literal, op, read, set, u32, u32Literal } from "./kernel-builder.js";
import { opCall } from "./ast.js";

/** No row: what it expands to is given with it. */
const tested = "math.tested" as OpId;

describe("machine ops", () => {
  const cases = machineOps.flatMap((o) => o.on.map((kind) => [`${kind}.${o.name}`, o, kind] as const));
  test.each(cases)("%s", (_name, o, kind) => {
    const k = new KernelBuilder();
    const out = k.buffer("out", u32);
    const of = (s: "T" | ScalarKind): ScalarKind => (s === "T" ? kind : s);
    // Operands are locals made from a buffer, so that nothing is folded.
    const x = k.buffer("x", u32, "read");
    const locals = o.operands.map((s, i) => k.local(`x${i}`, scalar(of(s))));
    const call = opCall(
      tested,
      locals.map((l) => read(l)),
      scalar(of(o.result)),
    );
    const shown =
      of(o.result) === "bool"
        ? call
        : op("ne", call, literal(of(o.result), of(o.result).endsWith("64") && of(o.result)[0] !== "f" ? 77n : 77));
    const { module } = k.kernel(
      [
        ...locals.map((l) => let_(l, convert(read(at(x, u32Literal(0))), l.type, true))),
        set(at(out, u32Literal(0)), op("add", convert(shown, u32, true), u32Literal(1))),
      ],
      [1, 1, 1],
    );
    const { kernel, problems } = compile(module, "kernel", { expansionOf: () => ({ kind: "map", op: o.name }) });
    expect(problems).toEqual([]);
    const result = run(kernel!, {
      workgroups: [1],
      args: new Map([
        ["out", new Uint8Array(4)],
        ["x", Uint8Array.of(1, 0, 0, 0)],
      ]),
    });
    expect(result.buffers.get("out")![0]).toBeGreaterThan(0);
    expect(result.findings).toEqual([]);
  });
});

describe("routines", () => {
  const names = new Set(Object.keys(runtimeNames()));
  const onMasks = new Set([
    "eq_mask",
    "ge_mask",
    "gt_mask",
    "le_mask",
    "lt_mask",
    "inverse_ballot",
    "ballot_bit_extract",
    "ballot_bit_count",
    "ballot_inclusive_bit_count",
    "ballot_exclusive_bit_count",
    "ballot_find_lsb",
    "ballot_find_msb",
  ]);
  const collective = (name: string): boolean => names.has(`subgroup_${name}`) || onMasks.has(name);
  test("of subgroups", () => {
    expect(routines.filter((r) => r.kind === "subgroup" && !collective(r.name)).map((r) => r.name)).toEqual([]);
  });
  test("of rows", () => {
    const missing = allRows.flatMap((r) =>
      r.expand.kind === "collective" && !collective(r.expand.routine) ? [r.id] : [],
    );
    expect(missing).toEqual([]);
    const ops = new Set(machineOps.map((o) => o.name));
    expect(allRows.flatMap((r) => (r.expand.kind === "map" && !ops.has(r.expand.op) ? [r.id] : []))).toEqual([]);
    const known = new Set(routines.filter((r) => r.kind === "lane" || r.kind === "memory").map((r) => r.name));
    expect(allRows.flatMap((r) => (r.expand.kind === "routine" && !known.has(r.expand.routine) ? [r.id] : []))).toEqual(
      [],
    );
  });
});
