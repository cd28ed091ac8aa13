/** Memory, arithmetic that can go wrong, and the launch itself. Expectations by hand. */
import { opId } from "../../src/ast/op-ids.js";
import { describe, expect, test } from "vitest";
import type { Expr, Module, OpId, Statement } from "../../src/ast/nodes.js";
import { LaunchError, compile, run } from "../../src/sim/index.js";
import type { Finding, RunOptions, RunResult } from "../../src/sim/index.js";
import { array, f16, pointer, scalar, struct, u64, vector, type Type } from "../../src/types/types.js";
import { noTrivia } from "../../src/ast/nodes.js";
import { noSpan } from "../../src/support/span.js";
import {
  KernelBuilder,
  at,
  bool,
  conditional,
  construct,
  convert,
  f32,
  f32Literal,
  i32,
  i32Literal,
  id,
  inc,
  leave,
  let_,
  literal,
  load,
  loop,
  op,
  read,
  set,
  splat,
  u32,
  u32Literal,
  unary,
  when,
  while_,
} from "./kernel-builder.js";
import {
  addressOf,
  bitcast,
  deref,
  element,
  functionCall,
  member,
  opCall,
  pointerOffset,
  swizzle,
  variablePlace,
} from "./ast.js";

const words = (...x: number[]): Uint8Array => new Uint8Array(new Uint32Array(x).buffer);
const asWords = (b: Uint8Array): number[] => [...new Uint32Array(b.slice().buffer)];
const asFloats = (b: Uint8Array): number[] => [...new Float32Array(b.slice().buffer)];

interface Given {
  readonly lanes?: number;
  readonly args?: Readonly<Record<string, Uint8Array>>;
  readonly out?: number;
  readonly dialect?: Module["dialect"];
  readonly options?: Partial<RunOptions>;
}

/** One workgroup of a kernel whose buffer `out` holds words. */
function go(
  body: (k: KernelBuilder, put: (value: Expr) => Statement) => readonly Statement[],
  given: Given = {},
): RunResult & { words: number[]; floats: number[] } {
  const { lanes = 1, out = lanes } = given;
  const k = new KernelBuilder();
  const target = k.buffer("out", u32);
  const put = (value: Expr): Statement => set(at(target, id("local_index")), value);
  const { module } = k.kernel(body(k, put), [lanes, 1, 1], given.dialect);
  const { kernel, problems } = compile(module, "kernel");
  expect(problems).toEqual([]);
  const args = new Map<string, Uint8Array>([["out", new Uint8Array(4 * out)], ...Object.entries(given.args ?? {})]);
  const result = run(kernel!, { workgroups: [1], args, seed: 3, ...given.options });
  if (process.env["SHOW"]) console.log([...kernel!.factories.values()][0]!.text);
  return { ...result, words: asWords(result.buffers.get("out")!), floats: asFloats(result.buffers.get("out")!) };
}

const kinds = (f: readonly Finding[]): string[] => f.map((x) => x.kind);
const u = u32Literal;

/** No row: what it expands to is given with it. */
const tested = "bits.test" as OpId;

describe("bounds", () => {
  test("a read past the end is found and gives the fill, never zero", () => {
    const { words: got, findings } = go((k, put) => [put(read(at(k.buffer("x", u32, "read"), u(4))))], {
      args: { x: words(1, 2, 3, 4) },
    });
    expect(got[0]).not.toBe(0);
    expect(findings).toMatchObject([
      { kind: "out-of-bounds", buffer: "x", index: 4, lane: [0, 0, 0], workgroup: [0, 0, 0] },
    ]);
  });
  test("a negative index", () => {
    const { findings } = go(
      (k, put) => {
        const x = k.buffer("x", u32, "read");
        const i = k.local("i", i32);
        return [let_(i, op("sub", convert(id("local_index"), i32, true), i32Literal(2))), put(read(at(x, read(i))))];
      },
      { lanes: 3, args: { x: words(7) } },
    );
    expect(findings).toMatchObject([{ kind: "out-of-bounds", index: -2, count: 2 }]);
  });
  test("a write past the end changes nothing else", () => {
    const { buffers, findings } = go(
      (k, put) => {
        const x = k.buffer("x", u32);
        const y = k.buffer("y", u32);
        return [set(at(x, u(1)), u(99)), set(at(y, u(0)), read(at(y, u(0)))), put(u(1))];
      },
      { args: { x: words(5), y: words(6) } },
    );
    expect(asWords(buffers.get("x")!)).toEqual([5]);
    expect(asWords(buffers.get("y")!)).toEqual([6]);
    expect(kinds(findings)).toEqual(["out-of-bounds"]);
  });
  test("a whole vector has to lie inside", () => {
    const { findings, words: got } = go(
      (k, put) => {
        const x = k.buffer("x", vector("u32", 4), "read");
        return [put(load(swizzle(at(x, id("local_index")), [3])))];
      },
      { lanes: 2, args: { x: words(1, 2, 3, 4, 5, 6) } },
    );
    expect(got[0]).toBe(4);
    expect(findings).toMatchObject([{ kind: "out-of-bounds", lane: [1, 0, 0] }]);
  });
  test("private arrays and workgroup memory have bounds too", () => {
    const { findings } = go((k, put) => {
      const p = k.local("p", array(u32, 2));
      const s = k.workgroup("s", array(u32, 3));
      const i = k.local("i", u32);
      return [let_(p), let_(i, u(3)), set(at(p, read(i)), u(1)), set(at(s, read(i)), u(1)), put(u(0))];
    });
    expect(findings).toMatchObject([
      { kind: "out-of-bounds", buffer: "p", index: 3 },
      { kind: "out-of-bounds", buffer: "s", index: 3 },
    ]);
  });
  test("without findings nothing is reported and nothing breaks", () => {
    const k = new KernelBuilder();
    const out = k.buffer("out", u32);
    const { module } = k.kernel([set(at(out, u(9)), u(1)), set(at(out, u(0)), u(2))], [1, 1, 1]);
    const { kernel } = compile(module, "kernel", { findings: "none" });
    const result = run(kernel!, { workgroups: [1], args: new Map([["out", words(0)]]) });
    expect(asWords(result.buffers.get("out")!)).toEqual([2]);
    expect(result.findings).toEqual([]);
  });
});

describe("unspecified values", () => {
  const uninitialised = (seed: number): number =>
    go(
      (k, put) => {
        const v = k.local("v", u32);
        return [let_(v), put(read(v))];
      },
      { options: { seed } },
    ).words[0]!;
  test("differ with the seed and are never zero", () => {
    const seen = [1, 2, 3, 4, 5].map(uninitialised);
    expect(new Set(seen).size).toBe(5);
    expect(seen).not.toContain(0);
  });
  test("workgroup memory is new to each workgroup", () => {
    const k = new KernelBuilder();
    const out = k.buffer("out", u32);
    const s = k.workgroup("s", u32);
    const g = id("workgroup_id", 0);
    const { module } = k.kernel([set(at(out, g), read(s)), set(s, u(7))], [1, 1, 1]);
    const { kernel } = compile(module, "kernel");
    const [a, b] = asWords(
      run(kernel!, { workgroups: [2], args: new Map([["out", words(0, 0)]]) }).buffers.get("out")!,
    );
    expect(a).toBe(b);
    expect(a).not.toBe(7);
  });
});

describe("undefined arithmetic", () => {
  test("division by zero", () => {
    const { findings, words: got } = go((_k, put) => [put(op("div", u(8), id("local_index")))], { lanes: 3 });
    expect(got.slice(1)).toEqual([8, 4]);
    expect(findings).toMatchObject([
      { kind: "undefined-arithmetic", message: "integer division by zero", lane: [0, 0, 0], count: 1 },
    ]);
  });
  // SPIR-V's OpSDiv, C and DXIL leave it open: data.md section 9.
  test("the least integer divided by -1", () => {
    const { findings, words: got } = go((k, put) => {
      const x = k.local("x", i32);
      return [let_(x, i32Literal(-1)), put(bitcast(op("div", i32Literal(-(2 ** 31)), read(x)), u32))];
    });
    expect(got).toHaveLength(1);
    expect(findings).toMatchObject([{ kind: "undefined-arithmetic", count: 1 }]);
  });
  test("a float out of the integer's range", () => {
    const { findings } = go(
      (k, put) => {
        const x = k.buffer("x", f32, "read");
        return [put(convert(read(at(x, id("local_index"))), u32, true))];
      },
      { lanes: 4, args: { x: new Uint8Array(Float32Array.of(-0.5, 4294967040, 4294967296, NaN).buffer) } },
    );
    expect(findings).toMatchObject([{ kind: "undefined-arithmetic", lane: [2, 0, 0], count: 2 }]);
  });
});

describe("integers", () => {
  const cases: readonly (readonly [string, Expr, number])[] = [
    ["u32 product wraps", op("mul", u(0xffffffff), read0(u(0xfffffffe))), 2],
    ["i32 sum wraps", bitcast(op("add", i32Literal(2 ** 31 - 1), i32Literal(1)), u32), 2 ** 31],
    ["shift counts are modulo 32", op("shl", u(1), u(33)), 2],
    ["signed shift right", bitcast(op("shr", i32Literal(-8), u(1)), u32), 2 ** 32 - 4],
    ["rem has the sign of the dividend", bitcast(op("rem", i32Literal(-7), i32Literal(3)), u32), 2 ** 32 - 1],
    ["complement", unary("complement", u(0)), 0xffffffff],
    ["i8 wraps", bitcast(convert(convert(u(200), scalar("i8"), true), i32, true), u32), 2 ** 32 - 56],
    [
      "u64 product",
      convert(
        op("shr", op("mul", convert(u(0xffffffff), u64, true), convert(u(0xffffffff), u64, true)), u(32)),
        u32,
        true,
      ),
      0xfffffffe,
    ],
  ];
  test.each(cases)("%s", (_name, e, expected) => {
    // As constants, and as operands the compiler does not know.
    expect(go((_k, put) => [put(e)]).words).toEqual([expected]);
  });
  function read0(e: Expr): Expr {
    return e;
  }
  test.each([
    ["mulhi", [0x80000000, 6], 3],
    ["rotate", [0x80000001, 1], 3],
    ["popcount", [0xf0f0f0f1], 17],
    ["clz", [1], 31],
    ["ctz", [8], 3],
    ["reverse_bits", [1], 0x80000000],
    ["add_sat", [0xffffffff, 1], 0xffffffff],
    ["sub_sat", [1, 2], 0],
  ] as const)("u32.%s", (name, args, expected) => {
    const expansionOf = (o: OpId) => (o === tested ? ({ kind: "map", op: name } as const) : undefined);
    const k = new KernelBuilder();
    const x = k.buffer("x", u32, "read");
    const out = k.buffer("out", u32);
    const { module } = k.kernel(
      [
        set(
          at(out, u(0)),
          opCall(
            tested,
            args.map((_, i) => read(at(x, u(i)))),
            u32,
          ),
        ),
      ],
      [1, 1, 1],
    );
    const { kernel } = compile(module, "kernel", { expansionOf });
    const result = run(kernel!, {
      workgroups: [1],
      args: new Map([
        ["x", words(...args)],
        ["out", words(0)],
      ]),
    });
    expect(asWords(result.buffers.get("out")!)).toEqual([expected]);
  });
});

describe("floats", () => {
  const bits = (e: Expr): number => go((_k, put) => [put(bitcast(e, u32))]).words[0]!;
  test("each operation rounds once, no contraction", () => {
    const x = f32Literal(1 + 2 ** -12);
    // x*x = 1 + 2^-11 + 2^-24 rounds to 1 + 2^-11: the difference is 0 unless fused.
    expect(bits(op("sub", op("mul", x, x), f32Literal(1 + 2 ** -11)))).toBe(0);
  });
  test("subnormals and negative zero are kept", () => {
    expect(bits(op("mul", f32Literal(2 ** -126), f32Literal(0.5)))).toBe(0x00400000);
    expect(bits(unary("negate", f32Literal(0)))).toBe(0x80000000);
  });
  test("a NaN made by arithmetic is the canonical one, in registers and in memory", () => {
    const { words: got } = go(
      (k, put) => {
        const x = k.buffer("x", f32);
        const zero = op("sub", read(at(x, u(0))), read(at(x, u(0))));
        return [set(at(x, u(0)), op("div", zero, zero)), put(bitcast(op("div", zero, zero), u32))];
      },
      { args: { x: words(0x3f800000) } },
    );
    expect(got).toEqual([0x7fc00000]);
  });
  test("a copy through a variable keeps the payload of a signalling NaN", () => {
    const { buffers } = go(
      (k, put) => {
        const x = k.buffer("x", f32, "read");
        const y = k.buffer("y", f32);
        const v = k.local("v", f32);
        return [let_(v, read(at(x, u(0)))), set(at(y, u(0)), read(v)), put(u(0))];
      },
      { args: { x: words(0xffa00001), y: words(0) } },
    );
    expect(asWords(buffers.get("y")!)).toEqual([0xffa00001]);
  });
  test("bits kept as a float are the same when a component is chosen at run time", () => {
    const { words: got } = go(
      (k, put) => {
        const x = k.buffer("x", u32, "read");
        const v = k.local("v", vector("f32", 3));
        const bits = bitcast(read(at(x, u(0))), f32);
        return [
          let_(v, construct(vector("f32", 3), [bits, f32Literal(0), f32Literal(2)])),
          put(bitcast(load(element(variablePlace(v), id("local_index"))), u32)),
        ];
      },
      { lanes: 3, args: { x: words(0xffa00001) } },
    );
    expect(got).toEqual([0xffa00001, 0, 0x40000000]);
  });
  test("f16 rounds per operation", () => {
    const h = (x: number): Expr => literal("f16", x);
    const sum = op("add", op("add", h(2048), h(1)), h(1));
    expect(go((_k, put) => [put(convert(convert(sum, f32, true), u32, true))]).words).toEqual([2048]);
    expect(f16.scalar).toBe("f16");
  });
});

describe("places", () => {
  test("a component chosen at run time, read and written", () => {
    const { words: got } = go(
      (k, put) => {
        const v = k.local("v", vector("u32", 4));
        return [
          let_(v, splat(u(1), vector("u32", 4))),
          set(element(variablePlace(v), id("local_index")), u(5), "add"),
          put(
            op(
              "add",
              op("mul", load(swizzle(variablePlace(v), [2])), u(10)),
              load(element(variablePlace(v), id("local_index"))),
            ),
          ),
        ];
      },
      { lanes: 4 },
    );
    expect(got).toEqual([16, 16, 66, 16]);
  });
  test("v.xy = v.yx takes both before it writes", () => {
    const { words: got } = go((k, put) => {
      const t = vector("u32", 2);
      const v = k.local("v", t);
      return [
        let_(v, construct(t, [u(3), u(4)])),
        set(swizzle(variablePlace(v), [0, 1]), load(swizzle(variablePlace(v), [1, 0]))),
        put(op("add", op("mul", load(swizzle(variablePlace(v), [0])), u(10)), load(swizzle(variablePlace(v), [1])))),
      ];
    });
    expect(got).toEqual([43]);
  });
  test("structs in buffers by the dialect's layout", () => {
    const members = [
      { name: "a", type: vector("f32", 3) as Type },
      { name: "b", type: f32 as Type },
    ];
    const declaration = {
      name: "S",
      members: members.map((m) => ({ ...m, trivia: noTrivia, span: noSpan })),
      span: noSpan,
      trivia: noTrivia,
      innerComments: [],
    };
    const build = (dialect: Module["dialect"]): number[] =>
      go(
        (k, put) => {
          (k.structs as Map<string, unknown>).set("S", declaration);
          const x = k.buffer("x", struct("S"), "read");
          return [put(bitcast(load(member(at(x, u(0)), "b", f32)), u32))];
        },
        { dialect, args: { x: words(0, 1, 2, 3, 4, 5, 6, 7) } },
      ).words;
    // float3 fills 16 bytes in OpenCL and MSL, 12 elsewhere.
    expect(build("opencl")).toEqual([4]);
    expect(build("msl")).toEqual([4]);
    expect(build("glsl")).toEqual([3]);
    expect(build("hlsl")).toEqual([3]);
  });
  test("private arrays keep their values across a barrier, one for each lane", () => {
    const { words: got } = go(
      (k, put) => {
        const p = k.local("p", array(u32, 3));
        const i = k.local("i", u32);
        return [
          let_(p),
          loop(i, u(0), op("lt", read(i), u(3)), inc(i), [
            set(at(p, read(i)), op("mul", op("add", id("local_index"), u(1)), read(i))),
          ]),
          {
            kind: "barrier",
            barrier: {
              execution: "workgroup",
              memory: { workgroup: true, global: false, image: false },
              scope: "workgroup",
              order: "acq_rel",
            },
            span: noSpan,
            trivia: noTrivia,
          },
          put(op("add", read(at(p, u(1))), read(at(p, u(2))))),
        ];
      },
      { lanes: 4 },
    );
    expect(got).toEqual([3, 6, 9, 12]);
  });
  test("constant arrays", () => {
    const { words: got } = go(
      (k, put) => {
        const table = k.global("table", array(u32, 4), construct(array(u32, 4), [u(5), u(6), u(7), u(8)]));
        return [put(read(at(table, id("local_index"))))];
      },
      { lanes: 4 },
    );
    expect(got).toEqual([5, 6, 7, 8]);
  });
});

describe("pointers", () => {
  const toWords = pointer(u32, "global");
  test("walk through a buffer", () => {
    const { words: got } = go(
      (k, put) => {
        const x = k.buffer("x", u32, "read");
        const p = k.local("p", toWords);
        const sum = k.local("sum", u32);
        const i = k.local("i", u32);
        return [
          let_(p, addressOf(at(x, u(1)), "global")),
          let_(sum, u(0)),
          loop(i, u(0), op("lt", read(i), u(3)), inc(i), [
            set(sum, load(deref(load(variablePlace(p)))), "add"),
            set(p, pointerOffset(load(variablePlace(p)), i32Literal(1))),
          ]),
          put(read(sum)),
        ];
      },
      { args: { x: words(100, 1, 2, 3) } },
    );
    expect(got).toEqual([6]);
  });
  test("into one buffer or another, chosen at run time", () => {
    const { words: got, findings } = go(
      (k, put) => {
        const x = k.buffer("x", u32, "read");
        const y = k.buffer("y", u32, "read");
        const p = k.local("p", toWords);
        return [
          let_(p, addressOf(at(x, u(0)), "global")),
          when(op("eq", op("and", id("local_index"), u(1)), u(1)), [set(p, addressOf(at(y, u(1)), "global"))]),
          put(load(deref(pointerOffset(load(variablePlace(p)), u(1))))),
        ];
      },
      { lanes: 2, args: { x: words(1, 2), y: words(3, 4, 5) } },
    );
    expect(got).toEqual([2, 5]);
    expect(findings).toEqual([]);
  });
  test("as parameters, and out parameters copied back", () => {
    const { words: got } = go(
      (k, put) => {
        const x = k.buffer("x", u32, "read");
        const p = k.parameter("p", toWords);
        const total = k.parameter("total", u32, "inout");
        const f = k.function("f", [p, total], bool, [
          set(total, load(deref(pointerOffset(load(variablePlace(p)), u(1)))), "add"),
          leave(literal("bool", true)),
        ]);
        const t = k.local("t", u32);
        const ok = functionCall(
          f.id,
          [
            { mode: "value", value: addressOf(at(x, u(1)), "global") },
            { mode: "inout", place: variablePlace(t) },
          ],
          bool,
        );
        return [let_(t, u(10)), when(ok, [put(read(t))])];
      },
      { args: { x: words(1, 2, 3) } },
    );
    expect(got).toEqual([13]);
  });
  test("words read as floats", () => {
    const { floats: got } = go(
      (k, put) => {
        const x = k.buffer("x", u32, "read");
        const asFloat = bitcast(addressOf(at(x, u(1)), "global"), pointer(f32, "global"));
        return [put(bitcast(op("mul", load(deref(asFloat)), f32Literal(2)), u32))];
      },
      { args: { x: words(0, 0x3fc00000) } },
    );
    expect(got).toEqual([3]);
  });
});

describe("helpers", () => {
  test("a scalar helper stays a function, and early returns work", () => {
    const { words: got } = go(
      (k, put) => {
        const n = k.parameter("n", u32);
        const i = k.local("i", u32);
        const f = k.function("steps", [n], u32, [
          let_(i, u(0)),
          while_(op("ne", read(n), u(1)), [
            when(op("gt", read(i), u(100)), [leave(u(999))]),
            set(
              n,
              conditional(
                op("eq", op("and", read(n), u(1)), u(0)),
                op("shr", read(n), u(1)),
                op("add", op("mul", read(n), u(3)), u(1)),
              ),
            ),
            set(i, u(1), "add"),
          ]),
          leave(read(i)),
        ]);
        return [put(functionCall(f.id, [{ mode: "value", value: op("add", id("local_index"), u(5)) }], u32))];
      },
      { lanes: 3 },
    );
    // Steps to 1 of the Collatz walk from 5, 6, 7.
    expect(got).toEqual([5, 8, 16]);
  });
  test("a helper that changes memory keeps its place in the order", () => {
    const { words: got } = go(
      (k, put) => {
        const x = k.buffer("x", u32);
        const f = k.function("next", [], u32, [set(at(x, u(0)), u(1), "add"), leave(read(at(x, u(0))))]);
        const one = functionCall(f.id, [], u32);
        return [
          put(
            op(
              "add",
              op("mul", read(at(x, u(0))), u(100)),
              op("add", op("mul", one, u(10)), functionCall(f.id, [], u32)),
            ),
          ),
        ];
      },
      { args: { x: words(4) } },
    );
    expect(got).toEqual([456]);
  });
});

describe("atomics", () => {
  const expansionOf = (o: OpId) => ({ kind: "atomic", op: o.slice(7) }) as const;
  function atomic(name: string, start: number, args: readonly number[], type: Type = u32, expected?: number): number[] {
    const k = new KernelBuilder();
    const x = k.buffer("x", type);
    const out = k.buffer("out", u32);
    const e = k.local("e", u32);
    const value = opCall(
      opId(`atomic.${name}`),
      args.map((a) => (type === u32 ? u(a) : i32Literal(a))),
      expected === undefined ? type : bool,
      noSpan,
      { places: [at(x, u(0)), ...(expected === undefined ? [] : [variablePlace(e)])] },
    );
    const stored = expected === undefined ? bitcast(value, u32) : convert(value, u32, true);
    const { module } = k.kernel(
      [
        ...(expected === undefined ? [] : [let_(e, u(expected))]),
        set(at(out, u(0)), stored),
        ...(expected === undefined ? [] : [set(at(out, u(1)), read(e))]),
      ],
      [1, 1, 1],
    );
    const { kernel, problems } = compile(module, "kernel", { expansionOf });
    expect(problems).toEqual([]);
    const result = run(kernel!, {
      workgroups: [1],
      args: new Map([
        ["x", words(start)],
        ["out", words(0, 0)],
      ]),
    });
    return [...asWords(result.buffers.get("x")!), ...asWords(result.buffers.get("out")!)];
  }
  test.each([
    ["add", 0xffffffff, [2], [1, 0xffffffff]],
    ["sub", 1, [2], [0xffffffff, 1]],
    ["inc", 7, [], [8, 7]],
    ["dec", 0, [], [0xffffffff, 0]],
    ["min", 9, [3], [3, 9]],
    ["max", 9, [3], [9, 9]],
    ["and", 12, [10], [8, 12]],
    ["or", 12, [10], [14, 12]],
    ["xor", 12, [10], [6, 12]],
    ["exchange", 12, [10], [10, 12]],
    ["compare_exchange", 5, [5, 8], [8, 5]],
    ["compare_exchange", 5, [4, 8], [5, 5]],
  ] as const)("%s of %i", (name, start, args, expected) => {
    expect(atomic(name, start, args).slice(0, 2)).toEqual(expected);
  });
  test("signed order", () => {
    expect(atomic("min", 1, [-1], i32).slice(0, 2)).toEqual([0xffffffff, 1]);
  });
  test("with an expected place: the found value goes there", () => {
    expect(atomic("compare_exchange_weak", 5, [8], u32, 5)).toEqual([8, 1, 5]);
    expect(atomic("compare_exchange_weak", 5, [8], u32, 4)).toEqual([5, 0, 5]);
  });
});

describe("launches", () => {
  const ids = (options: Partial<RunOptions>, count: number, size?: readonly [number, number, number]): number[] => {
    const k = new KernelBuilder();
    const out = k.buffer("out", u32);
    const { module } = k.kernel(
      [
        set(
          at(out, op("sub", id("global_id", 0), id("global_offset", 0))),
          op("add", op("mul", id("global_id", 0), u(100)), id("workgroup_size", 0)),
        ),
      ],
      size,
    );
    const { kernel } = compile(module, "kernel");
    return asWords(
      run(kernel!, { args: new Map([["out", new Uint8Array(4 * count)]]), ...options }).buffers.get("out")!,
    );
  };
  test("the last workgroup may be partial", () => {
    expect(ids({ gridSize: [5], workgroupSize: [3] }, 5)).toEqual([3, 103, 203, 302, 402]);
  });
  test("a global offset", () => {
    expect(ids({ gridSize: [2], gridOffset: [7], workgroupSize: [2] }, 2)).toEqual([702, 802]);
  });
  test("three dimensions: x runs fastest", () => {
    const k = new KernelBuilder();
    const out = k.buffer("out", u32);
    const digits = op(
      "add",
      op("mul", op("add", op("mul", id("local_id", 2), u(10)), id("local_id", 1)), u(10)),
      id("local_id", 0),
    );
    const { module } = k.kernel([set(at(out, id("local_index")), digits)], [2, 2, 2]);
    const { kernel } = compile(module, "kernel");
    const got = asWords(
      run(kernel!, { workgroups: [1, 1, 1], args: new Map([["out", new Uint8Array(32)]]) }).buffers.get("out")!,
    );
    expect(got).toEqual([0, 1, 10, 11, 100, 101, 110, 111]);
  });
  test("an endless loop runs out of steps", () => {
    const k = new KernelBuilder();
    const out = k.buffer("out", u32);
    const { module } = k.kernel([while_(op("eq", read(at(out, u(0))), u(0)), [])], [1, 1, 1]);
    const { kernel } = compile(module, "kernel");
    const { findings, stats } = run(kernel!, { workgroups: [1], maxSteps: 1000, args: new Map([["out", words(0)]]) });
    expect(kinds(findings)).toEqual(["no-forward-progress"]);
    expect(stats.complete).toBe(false);
  });
  test("what is missing or impossible is said", () => {
    const k = new KernelBuilder();
    const out = k.buffer("out", u32);
    const n = k.value("n", u32);
    const { module } = k.kernel([set(at(out, u(0)), read(n))], [1, 1, 1]);
    const { kernel } = compile(module, "kernel");
    const all = new Map<string, Uint8Array | number>([
      ["out", words(0)],
      ["n", 3],
    ]);
    expect(() => run(kernel!, { workgroups: [1], args: new Map([["out", words(0)]]) })).toThrow(
      new LaunchError("the value of n is missing"),
    );
    expect(() => run(kernel!, { workgroups: [1], args: new Map([["n", 1]]) })).toThrow(
      new LaunchError("the buffer out is missing"),
    );
    expect(() => run(kernel!, { workgroups: [1], subgroupSize: 3, args: all })).toThrow(LaunchError);
    expect(() => run(kernel!, { workgroups: [1], memoryLimit: 32, args: all })).toThrow(LaunchError);
  });
  test("the last writer of an element", () => {
    const k = new KernelBuilder();
    const out = k.buffer("out", u32);
    const [a, b] = [k.span(), k.span()];
    const { module } = k.kernel(
      [
        set(at(out, id("local_index")), u(1), undefined, a),
        when(op("eq", id("local_index"), u(1)), [set(at(out, u(0)), u(2), undefined, b)]),
      ],
      [2, 1, 1],
    );
    const { kernel } = compile(module, "kernel");
    const result = run(kernel!, { workgroups: [1], writers: true, args: new Map([["out", words(0, 0, 0)]]) });
    expect(result.writerOf!("out", 0)).toEqual({ lane: 1, workgroup: 0, span: b });
    expect(result.writerOf!("out", 5)).toEqual({ lane: 1, workgroup: 0, span: a });
    expect(result.writerOf!("out", 8)).toBeUndefined();
  });
  test("recursion is refused with a place", () => {
    const k = new KernelBuilder();
    const f = k.function("f", [], u32, []);
    const call = k.span();
    const body = { ...f.body, statements: [leave(functionCall(f.id, [], u32, call))] };
    const out = k.buffer("out", u32);
    const { module } = k.kernel([set(at(out, u(0)), functionCall(f.id, [], u32))], [1, 1, 1]);
    const { kernel, problems } = compile(
      { ...module, functions: module.functions.map((x) => (x.id === f.id ? { ...x, body } : x)) },
      "kernel",
    );
    expect(kernel).toBeUndefined();
    expect(problems).toMatchObject([{ code: "XL5001", span: call }]);
  });
});
