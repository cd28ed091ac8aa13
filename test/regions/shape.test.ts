/** What runs at which level: the shape of region trees of small kernels, and where their scalars live. */
import { describe, expect, test } from "vitest";
import type { Expr, Statement } from "../../src/ast/nodes.js";
import { rows } from "../../src/ops/table.js";
import { buildProgram } from "../../src/regions/build.js";
import type { Program, Region, Storage } from "../../src/regions/tree.js";
import { array, vector } from "../../src/types/types.js";
import {
  KernelBuilder,
  at,
  call,
  id,
  inc,
  leave,
  let_,
  loop,
  op,
  read,
  set,
  sync,
  u32,
  u32Literal,
  when,
} from "../sim/kernel-builder.js";
import { functionCall } from "../sim/ast.js";

const u = u32Literal;

/** `lanes`, `subgroups(...)`, `loop(head; body; step)`: a `?` marks regions that skip waiting lanes. */
function shape(list: readonly Region[]): string {
  return list.map(one).join(" ");
}
function one(r: Region): string {
  switch (r.kind) {
    case "lanes":
      return `lanes${r.masked ? "?" : ""}`;
    case "subgroups":
    case "block":
    case "if-any":
      return `${r.kind}(${shape(r.body)})`;
    case "if":
      return `if(${shape(r.then)}${r.else.length > 0 ? ` else ${shape(r.else)}` : ""})`;
    case "loop":
      return `${r.whileAny ? "while-any" : "loop"}(${[r.head, r.body, r.step]
        .map(shape)
        .filter((x) => x !== "")
        .join("; ")})`;
    case "switch":
      return `switch(${r.cases.map((c) => shape(c.body)).join(" | ")})`;
    case "uniform":
      return "once";
    case "barrier":
      return `barrier${r.masked ? "?" : ""}`;
    default:
      return r.kind;
  }
}

function build(body: (k: KernelBuilder, put: (x: Expr) => Statement) => readonly Statement[]): Program {
  const k = new KernelBuilder();
  const out = k.buffer("out", u32);
  const { module, entry } = k.kernel(
    body(k, (x) => set(at(out, id("global_id", 0)), x)),
    [8, 1, 1],
  );
  return buildProgram(module, entry, (o) => rows.get(o)?.expand);
}

const storage = (p: Program, name: string): Storage[] =>
  [...p.locals.values()].filter((l) => l.name === name).map((l) => l.storage);
const sum = (x: Expr): Expr => call("subgroup.add", [x], u32);

describe("levels", () => {
  test("without boundaries one loop over lanes, loops inside", () => {
    const p = build((k, put) => {
      const i = k.local("i", u32);
      return [loop(i, u(0), op("lt", read(i), u(4)), inc(i), [put(read(i))])];
    });
    expect(shape(p.regions)).toBe("lanes");
    expect(storage(p, "i")).toEqual(["lane"]);
    expect(p.parks).toBe(false);
  });

  test("a uniform loop around barriers stays outside, its counter is one register", () => {
    const p = build((k, put) => {
      const s = k.workgroup("s", array(u32, 8));
      const i = k.local("i", u32);
      return [
        loop(i, u(4), op("gt", read(i), u(0)), inc(i), [
          when(op("lt", id("local_index"), read(i)), [set(at(s, id("local_index")), u(1))]),
          sync(),
        ]),
        put(read(at(s, u(0)))),
      ];
    });
    expect(shape(p.regions)).toBe("once loop(lanes barrier; once) lanes");
    expect(storage(p, "i")).toEqual(["workgroup"]);
  });

  test("what is the same for all lanes is computed once, before the lanes", () => {
    const p = build((k, put) => {
      const base = k.local("base", u32);
      return [put(u(1)), let_(base, op("mul", id("workgroup_id", 0), u(64))), put(read(base))];
    });
    expect(shape(p.regions)).toBe("once lanes");
    expect(storage(p, "base")).toEqual(["workgroup"]);
  });

  test("cross-lane ops need only a loop over subgroups", () => {
    const p = build((k, put) => {
      const v = k.local("v", u32);
      return [let_(v, sum(id("local_index"))), sync(), put(read(v))];
    });
    expect(shape(p.regions)).toBe("subgroups(lanes collective lanes) barrier lanes");
    expect(storage(p, "v")).toEqual(["slot"]);
  });

  test("a condition the same in each subgroup is tested once there", () => {
    const p = build((_k, put) => [when(op("eq", id("subgroup_id"), u(0)), [put(sum(u(1)))])]);
    expect(shape(p.regions)).toBe("subgroups(if(lanes collective lanes))");
    expect(p.parks).toBe(false);
  });

  test("but lanes wait for each other where a workgroup barrier stands inside", () => {
    const p = build((_k, put) => [when(op("eq", id("subgroup_id"), u(0)), [put(u(1)), sync()])]);
    expect(shape(p.regions)).toBe("lanes if-any(lanes? barrier?) resume");
    expect(p.parks).toBe(true);
  });

  test("a lane's condition around a cross-lane op parks the others", () => {
    const p = build((_k, put) => [when(op("lt", id("lane_id"), u(3)), [put(sum(u(1)))], [put(u(2))]), put(sum(u(3)))]);
    expect(shape(p.regions)).toBe(
      "subgroups(lanes if-any(lanes? collective lanes?) resume if-any(lanes?) resume lanes collective lanes)",
    );
  });

  test("values that are cheap to compute again are not kept", () => {
    const p = build((k, put) => {
      const l = k.local("l", u32);
      const s = k.workgroup("s", array(u32, 8));
      return [
        let_(l, op("add", id("local_index"), u(1))),
        set(at(s, read(l)), u(1)),
        sync(),
        put(read(at(s, read(l)))),
      ];
    });
    expect(storage(p, "l")).toEqual(["lane"]);
  });

  test("a return ahead of a barrier masks what follows", () => {
    const p = build((_k, put) => [when(op("ge", id("global_id", 0), u(5)), [leave()]), sync(), put(u(1))]);
    expect(shape(p.regions)).toBe("lanes barrier? lanes?");
    const single = build((_k, put) => [when(op("ge", id("global_id", 0), u(5)), [leave()]), put(u(1))]);
    expect(shape(single.regions)).toBe("lanes");
    expect(single.parks).toBe(false);
  });
});

describe("helpers", () => {
  test("with a boundary they are inlined, their sites keep the call", () => {
    const k = new KernelBuilder();
    const out = k.buffer("out", u32);
    const x = k.parameter("x", u32);
    const inside = k.span();
    const f = k.function("f", [x], u32, [leave(call("subgroup.add", [read(x)], u32, inside))]);
    const here = k.span();
    const { module, entry } = k.kernel(
      [set(at(out, u(0)), functionCall(f.id, [{ mode: "value", value: u(1) }], u32, here))],
      [8, 1, 1],
    );
    const p = buildProgram(module, entry, (o) => rows.get(o)?.expand);
    expect(p.helpers).toEqual([]);
    expect(p.sites.find((s) => s.what === "subgroup.add")).toMatchObject({ span: inside, stack: [here] });
  });

  test("a vector result is inlined, a scalar one stays a function", () => {
    const k = new KernelBuilder();
    const out = k.buffer("out", u32);
    const x = k.parameter("x", u32);
    const scalarOne = k.function("one", [x], u32, [leave(op("add", read(x), u(1)))]);
    const y = k.parameter("y", u32);
    const vectorOne = k.function("two", [y], vector("u32", 2), [
      leave({ kind: "splat", operand: read(y), type: vector("u32", 2), explicit: false, span: { start: 0, end: 0 } }),
    ]);
    const v = k.local("v", vector("u32", 2));
    const { module, entry } = k.kernel(
      [
        let_(v, functionCall(vectorOne.id, [{ mode: "value", value: u(4) }], vector("u32", 2))),
        set(at(out, u(0)), functionCall(scalarOne.id, [{ mode: "value", value: id("local_index") }], u32)),
      ],
      [8, 1, 1],
    );
    expect(buildProgram(module, entry, (o) => rows.get(o)?.expand).helpers.map((h) => h.name)).toEqual(["one"]);
  });
});
