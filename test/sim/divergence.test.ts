/** Which lanes are active together: ballots in divergent flow, expectations worked out by hand from maximal reconvergence. */
import { describe, expect, test } from "vitest";
import type { Expr, Statement } from "../../src/ast/nodes.js";
import { compile, run } from "../../src/sim/index.js";
import type { Finding } from "../../src/sim/index.js";
import { vector } from "../../src/types/types.js";
import {
  KernelBuilder,
  again,
  at,
  bool,
  call,
  doWhile,
  i32,
  i32Literal,
  id,
  inc,
  leave,
  let_,
  literal,
  loop,
  op,
  read,
  set,
  stop,
  subgroupBarrier,
  swizzleValue,
  switch_,
  sync,
  u32,
  u32Literal,
  unary,
  when,
  while_,
  workgroupBarrier,
} from "./kernel-builder.js";
import { assign, expressionStatement, functionCall, variablePlace } from "./ast.js";

const yes = literal("bool", true);
/** The low word of the ballot of active lanes. */
const active = (): Expr => swizzleValue(call("subgroup.ballot", [yes], vector("u32", 4)), [0]);

interface Given {
  readonly lanes?: number;
  readonly width?: number;
  readonly size?: readonly [number, number, number];
  readonly slots?: number;
}

/** Runs a body that writes `out[lane * slots + k]`; the result by lane. Cells never written stay 0. */
function outcome(
  body: (k: KernelBuilder, put: (slot: number, value: Expr) => Statement, lane: Expr) => readonly Statement[],
  given: Given = {},
): { rows: number[][]; findings: readonly Finding[] } {
  const { lanes = 4, width = 4, slots = 1 } = given;
  const k = new KernelBuilder();
  const out = k.buffer("out", u32);
  const lane = id("local_index");
  const put = (slot: number, value: Expr): Statement =>
    set(at(out, op("add", op("mul", lane, u32Literal(slots)), u32Literal(slot))), value);
  const { module } = k.kernel(body(k, put, lane), given.size ?? [lanes, 1, 1]);
  const { kernel, problems } = compile(module, "kernel");
  expect(problems).toEqual([]);
  const result = run(kernel!, {
    workgroups: [1],
    subgroupSize: width,
    args: new Map([["out", new Uint8Array(4 * lanes * slots)]]),
    maxSteps: 10000,
  });
  if (process.env["SHOW"]) console.log([...kernel!.factories.values()][0]!.text);
  const words = new Uint32Array(result.buffers.get("out")!.slice().buffer);
  return {
    rows: Array.from({ length: lanes }, (_, l) => [...words.slice(l * slots, (l + 1) * slots)]),
    findings: result.findings,
  };
}

describe("if", () => {
  test("then-lanes, else-lanes, all again after", () => {
    const { rows } = outcome(
      (_k, put, lane) => [
        when(op("lt", lane, u32Literal(1)), [put(0, active())], [put(0, active())]),
        put(1, active()),
      ],
      { slots: 2 },
    );
    expect(rows).toEqual([
      [0b0001, 15],
      [0b1110, 15],
      [0b1110, 15],
      [0b1110, 15],
    ]);
  });

  test("nested", () => {
    const { rows } = outcome(
      (_k, put, lane) => [
        when(op("ne", lane, u32Literal(0)), [
          when(op("ne", lane, u32Literal(2)), [put(0, active())]),
          put(1, active()),
        ]),
        put(2, active()),
      ],
      { slots: 3 },
    );
    expect(rows).toEqual([
      [0, 0, 15],
      [0b1010, 0b1110, 15],
      [0, 0b1110, 15],
      [0b1010, 0b1110, 15],
    ]);
  });

  test("a condition with a ballot inside && is evaluated by the lanes that get there", () => {
    const { rows } = outcome((k, put, lane) => {
      const t = k.local("t", bool);
      return [
        let_(t, {
          kind: "logical",
          operator: "and",
          left: op("gt", lane, u32Literal(0)),
          right: op("eq", active(), u32Literal(0b1110)),
          type: bool,
          span: { start: 0, end: 0 },
        }),
        when(read(t), [put(0, u32Literal(1))], [put(0, u32Literal(2))]),
      ];
    });
    expect(rows).toEqual([[2], [1], [1], [1]]);
  });
});

describe("loops", () => {
  test("lanes leave at their own count and wait at the exit", () => {
    const { rows } = outcome(
      (k, put, lane) => {
        const i = k.local("i", u32);
        const seen = k.local("seen", u32);
        return [
          let_(seen, u32Literal(0)),
          loop(i, u32Literal(0), op("lt", read(i), lane), inc(i), [
            // The ballots of the iterations, one digit of 16 each.
            set(seen, op("add", op("mul", read(seen), u32Literal(16)), active())),
          ]),
          put(0, read(seen)),
          put(1, active()),
        ];
      },
      { slots: 2 },
    );
    expect(rows).toEqual([
      [0, 15],
      [0xe, 15],
      [0xec, 15],
      [0xec8, 15],
    ]);
  });

  test("continue waits at the step of the same iteration", () => {
    const { rows } = outcome(
      (k, put, lane) => {
        const i = k.local("i", u32);
        return [
          loop(i, u32Literal(0), op("lt", read(i), u32Literal(2)), inc(i), [
            // In iteration 0 lane 1 goes on at once, in iteration 1 lane 2.
            when(op("eq", lane, op("add", read(i), u32Literal(1))), [again]),
            when(op("eq", read(i), u32Literal(0)), [put(0, active())], [put(1, active())]),
          ]),
          put(2, active()),
        ];
      },
      { slots: 3 },
    );
    expect(rows).toEqual([
      [0b1101, 0b1011, 15],
      [0, 0b1011, 15],
      [0b1101, 0, 15],
      [0b1101, 0b1011, 15],
    ]);
  });

  test("break", () => {
    const { rows } = outcome(
      (k, put, lane) => {
        const i = k.local("i", u32);
        return [
          loop(i, u32Literal(0), op("lt", read(i), u32Literal(3)), inc(i), [
            when(op("eq", lane, read(i)), [stop]),
            when(op("eq", read(i), u32Literal(2)), [put(0, active())]),
          ]),
          put(1, active()),
        ];
      },
      { slots: 2 },
    );
    // Lanes 0, 1, 2 leave in turn; lane 3 alone sees the end of the third iteration.
    expect(rows).toEqual([
      [0, 15],
      [0, 15],
      [0, 15],
      [0b1000, 15],
    ]);
  });

  test("do-while and while", () => {
    const { rows } = outcome(
      (k, put, lane) => {
        const i = k.local("i", u32);
        const seen = k.local("seen", u32);
        return [
          let_(i, u32Literal(0)),
          let_(seen, u32Literal(0)),
          doWhile(
            [set(seen, op("add", op("mul", read(seen), u32Literal(16)), active())), expressionStatement(inc(i))],
            op("lt", read(i), lane),
          ),
          put(0, read(seen)),
          while_(op("lt", read(i), u32Literal(3)), [set(seen, active()), expressionStatement(inc(i))]),
          put(1, read(seen)),
        ];
      },
      { slots: 2 },
    );
    // do-while: lanes 0 and 1 run once, 2 twice, 3 three times. while: up to 3 iterations in all, lane 3 has had them.
    expect(rows).toEqual([
      [0xf, 0b0011],
      [0xf, 0b0011],
      [0xfc, 0b0111],
      [0xfc8, 0xfc8],
    ]);
  });

  test("a ballot in a loop condition", () => {
    const { rows } = outcome((k, put, lane) => {
      const i = k.local("i", u32);
      return [
        let_(i, lane),
        while_(op("lt", read(i), op("add", u32Literal(4), active())), [set(i, u32Literal(4), "add")]),
        put(0, read(i)),
      ];
    });
    // All lanes: limit 4 + 15. At 16, 17, 18, 19 lane 3 leaves, the others go once more round; then the limit is 4 + 7.
    expect(rows).toEqual([[20], [21], [22], [19]]);
  });
});

describe("switch", () => {
  test("cases in text order, fall-through joins the next", () => {
    const { rows } = outcome(
      (_k, put, lane) => [
        switch_(lane, [
          [[u32Literal(0)], [put(0, active())]],
          [[u32Literal(1)], [put(1, active()), stop]],
          [["default"], [put(0, active()), stop]],
        ]),
        put(2, active()),
      ],
      { slots: 3 },
    );
    expect(rows).toEqual([
      [1, 0b0011, 15],
      [0, 0b0011, 15],
      [0b1100, 0, 15],
      [0b1100, 0, 15],
    ]);
  });

  test("without a default the others wait at the end", () => {
    const { rows } = outcome(
      (_k, put, lane) => [switch_(lane, [[[u32Literal(2), u32Literal(3)], [put(0, active())]]]), put(1, active())],
      { slots: 2 },
    );
    expect(rows).toEqual([
      [0, 15],
      [0, 15],
      [0b1100, 15],
      [0b1100, 15],
    ]);
  });
});

describe("return", () => {
  test("of the entry removes the lane", () => {
    const { rows } = outcome((_k, put, lane) => [when(op("eq", lane, u32Literal(1)), [leave()]), put(0, active())]);
    expect(rows).toEqual([[0b1101], [0], [0b1101], [0b1101]]);
  });

  test("inside a loop", () => {
    const { rows } = outcome((k, put, lane) => {
      const i = k.local("i", u32);
      return [
        loop(i, u32Literal(0), op("lt", read(i), u32Literal(2)), inc(i), [
          put(0, active()),
          when(op("eq", lane, read(i)), [leave()]),
        ]),
        put(0, active()),
      ];
    });
    // Lane 0 saw all, then left; lane 1 saw 14 in the second iteration; the rest see each other at the end.
    expect(rows).toEqual([[15], [0b1110], [0b1100], [0b1100]]);
  });

  test("of a helper rejoins at the call", () => {
    const { rows } = outcome(
      (k, put, lane) => {
        const x = k.parameter("x", u32);
        const f = k.function("f", [x], u32, [
          when(op("lt", read(x), u32Literal(2)), [leave(active())]),
          leave(op("add", active(), u32Literal(100))),
        ]);
        const y = k.local("y", u32);
        return [let_(y, functionCall(f.id, [{ mode: "value", value: lane }], u32)), put(0, read(y)), put(1, active())];
      },
      { slots: 2 },
    );
    expect(rows).toEqual([
      [0b0011, 15],
      [0b0011, 15],
      [112, 15],
      [112, 15],
    ]);
  });

  test("of a uniform helper", () => {
    const { rows } = outcome((k, put) => {
      const x = k.parameter("x", u32);
      const f = k.function("f", [x], u32, [
        when(op("eq", read(x), u32Literal(0)), [leave(active())]),
        leave(u32Literal(7)),
      ]);
      return [put(0, functionCall(f.id, [{ mode: "value", value: id("workgroup_id", 0) }], u32))];
    });
    expect(rows).toEqual([[15], [15], [15], [15]]);
  });
});

describe("subgroups", () => {
  test("a partial last subgroup", () => {
    const { rows } = outcome(
      (_k, put) => [
        put(0, active()),
        put(1, id("subgroup_lanes")),
        put(2, id("subgroup_size")),
        put(3, id("subgroup_id")),
      ],
      { lanes: 6, width: 4, slots: 4 },
    );
    expect(rows.slice(0, 4)).toEqual(Array(4).fill([15, 4, 4, 0]));
    expect(rows.slice(4)).toEqual(Array(2).fill([3, 2, 4, 1]));
  });

  test("width 1: every lane is alone", () => {
    const { rows } = outcome((_k, put) => [put(0, active()), put(1, id("lane_id")), put(2, id("num_subgroups"))], {
      lanes: 3,
      width: 1,
      slots: 3,
    });
    expect(rows).toEqual(Array(3).fill([1, 0, 3]));
  });

  test("width 128 has four words", () => {
    const k = new KernelBuilder();
    const out = k.buffer("out", u32);
    const ballot = call(
      "subgroup.ballot",
      [op("eq", op("rem", id("local_index"), u32Literal(3)), u32Literal(0))],
      vector("u32", 4),
    );
    const b = k.local("b", vector("u32", 4));
    const { module } = k.kernel(
      [let_(b, ballot), ...[0, 1, 2, 3].map((w) => set(at(out, u32Literal(w)), swizzleValue(read(b), [w])))],
      [128, 1, 1],
    );
    const { kernel } = compile(module, "kernel");
    const result = run(kernel!, { workgroups: [1], subgroupSize: 128, args: new Map([["out", new Uint8Array(16)]]) });
    const expected = [0, 1, 2, 3].map((w) =>
      Array.from({ length: 32 }, (_, i) => ((32 * w + i) % 3 === 0 ? 2 ** i : 0)).reduce((a, x) => a + x),
    );
    expect([...new Uint32Array(result.buffers.get("out")!.slice().buffer)]).toEqual(expected);
  });

  test("a loop uniform in each subgroup runs a different number of times", () => {
    const { rows } = outcome(
      (k, put) => {
        const i = k.local("i", u32);
        const sum = k.local("sum", u32);
        return [
          let_(sum, u32Literal(0)),
          loop(i, u32Literal(0), op("le", read(i), id("subgroup_id")), inc(i), [
            set(sum, call("subgroup.add", [u32Literal(1)], u32), "add"),
          ]),
          put(0, read(sum)),
        ];
      },
      { lanes: 6, width: 2 },
    );
    // Two lanes a subgroup: 2 a round; one, two and three rounds.
    expect(rows).toEqual([[2], [2], [4], [4], [6], [6]]);
  });

  test("subgroup memory behind a subgroup barrier", () => {
    const { rows, findings } = outcome(
      (k, put, lane) => {
        const s = k.workgroup("s", { kind: "array", element: u32, length: 8 });
        return [set(at(s, lane), lane), sync(subgroupBarrier), put(0, read(at(s, op("xor", lane, u32Literal(1)))))];
      },
      { lanes: 4, width: 2 },
    );
    expect(rows).toEqual([[1], [0], [3], [2]]);
    expect(findings).toEqual([]);
  });
});

describe("barriers", () => {
  test("all lanes in a uniform loop: no finding", () => {
    const { rows, findings } = outcome((k, put, lane) => {
      const s = k.workgroup("s", { kind: "array", element: u32, length: 4 });
      const i = k.local("i", u32);
      const v = k.local("v", u32);
      return [
        let_(v, lane),
        loop(i, u32Literal(0), op("lt", read(i), u32Literal(3)), inc(i), [
          set(at(s, lane), read(v)),
          sync(workgroupBarrier),
          // Values move one lane on in each round.
          set(v, read(at(s, op("and", op("add", lane, u32Literal(1)), u32Literal(3))))),
          sync(workgroupBarrier),
        ]),
        put(0, read(v)),
      ];
    });
    expect(rows).toEqual([[3], [0], [1], [2]]);
    expect(findings).toEqual([]);
  });

  test("a barrier only some lanes reach is found, and the run goes on", () => {
    const { rows, findings } = outcome((_k, put, lane) => [
      when(op("lt", lane, u32Literal(3)), [sync()]),
      put(0, u32Literal(5)),
    ]);
    expect(rows).toEqual([[5], [5], [5], [5]]);
    expect(findings).toMatchObject([
      { kind: "barrier-divergence", message: "3 of 4 lanes reach this barrier", lane: [3, 0, 0] },
    ]);
  });

  test("a barrier after some lanes have returned", () => {
    const { findings } = outcome((_k, put, lane) => [
      when(op("ge", lane, u32Literal(2)), [leave()]),
      sync(),
      put(0, u32Literal(1)),
    ]);
    expect(findings).toMatchObject([{ kind: "barrier-divergence", message: "2 of 4 lanes reach this barrier" }]);
  });

  test("a barrier in a loop lanes leave at different times", () => {
    const { rows, findings } = outcome((k, put, lane) => {
      const i = k.local("i", u32);
      return [loop(i, u32Literal(0), op("lt", read(i), lane), inc(i), [sync()]), put(0, u32Literal(9))];
    });
    expect(rows).toEqual([[9], [9], [9], [9]]);
    expect(findings).toMatchObject([{ kind: "barrier-divergence", count: 3 }]);
  });

  test("a uniform return before it ends the workgroup without a finding", () => {
    const { rows, findings } = outcome((_k, put) => [
      when(op("eq", id("workgroup_id", 0), u32Literal(0)), [put(0, u32Literal(1)), leave()]),
      sync(),
      put(0, u32Literal(2)),
    ]);
    expect(rows).toEqual([[1], [1], [1], [1]]);
    expect(findings).toEqual([]);
  });
});

describe("values across boundaries", () => {
  test("a value set by some lanes only keeps what the others had", () => {
    const { rows } = outcome((k, put, lane) => {
      const v = k.local("v", i32);
      return [
        let_(v, i32Literal(1)),
        when(op("eq", op("and", lane, u32Literal(1)), u32Literal(0)), [set(v, i32Literal(2))]),
        sync(),
        put(0, {
          kind: "convert",
          operand: unary("negate", read(v)),
          type: u32,
          explicit: true,
          span: { start: 0, end: 0 },
        }),
      ];
    });
    expect(rows).toEqual([[2 ** 32 - 2], [2 ** 32 - 1], [2 ** 32 - 2], [2 ** 32 - 1]]);
  });

  test("a uniform counter that also counts in lane code", () => {
    const { rows } = outcome((k, put) => {
      const n = k.local("n", u32);
      const i = k.local("i", u32);
      return [
        let_(n, u32Literal(0)),
        loop(i, u32Literal(0), op("lt", read(i), u32Literal(3)), inc(i), [set(n, op("add", read(n), read(i)))]),
        sync(),
        // 0+1+2 rounds of a barrier loop.
        loop(i, u32Literal(0), op("lt", read(i), read(n)), inc(i), [put(0, op("add", read(i), read(n))), sync()]),
      ];
    });
    expect(rows).toEqual([[5], [5], [5], [5]]);
  });

  test("operands left of a cross-lane op are evaluated before it", () => {
    const { rows } = outcome((k, put) => {
      const i = k.local("i", u32);
      const sum = op(
        "add",
        op("mul", assignment(k, i), u32Literal(100)),
        call("subgroup.add", [assignment(k, i)], u32),
      );
      return [let_(i, u32Literal(0)), put(0, sum)];
    });
    // i becomes 1 left, 2 in the operand: 100 + 4 * 2.
    expect(rows).toEqual([[108], [108], [108], [108]]);
  });
});

function assignment(_k: KernelBuilder, i: Parameters<typeof inc>[0]): Expr {
  return assign("kind" in i ? i : variablePlace(i), u32Literal(1), undefined, "add");
}
