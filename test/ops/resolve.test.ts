/** Overloads as the real compilers choose them (clang-19, glslang, DXC; MSL by the rules of C++), and what errors say. */
import { describe, expect, test } from "vitest";
import { twoWayDialects, type TwoWayDialect } from "../../src/dialects/ids.js";
import { idRows, isBuiltinName, predeclaredVariable, resolveBuiltin, signatureOf } from "../../src/ops/index.js";
import {
  idOfAttribute,
  idOfGlslVariable,
  idOfHlslFunction,
  idOfOpenclFunction,
  idOfSemantic,
} from "../../src/ops/ids.js";
import { load, variablePlace } from "../../src/ast/builders.js";
import { builtinIds } from "../../src/ast/nodes.js";
import { refusedNames } from "../../src/ops/later.js";
import { allRows } from "../../src/ops/table.js";
import type { BuiltinArgument } from "../../src/ops/row.js";
import { bool, f16, f32, i32, pointer, scalar, showType, u32, u64, vector, type Type } from "../../src/types/types.js";
import { noSpan } from "../../src/support/span.js";
import { implicitOf } from "./uses.js";

const literal = (type: Type): BuiltinArgument => ({ type, literal: true });
const arg = (a: Type | BuiltinArgument): BuiltinArgument => ("kind" in a ? { type: a } : a);

/** `op -> result`, the node instead where it becomes no op, or the error. */
function resolve(dialect: TwoWayDialect, name: string, ...args: (Type | BuiltinArgument)[]): string {
  const found = resolveBuiltin(dialect, name, args.map(arg), [], implicitOf(dialect));
  if (!found) return "unknown";
  if ("barrier" in found) return "barrier";
  if ("error" in found) return `error: ${found.error}`;
  const operands = found.parameters
    .filter((p) => p.mode === "value")
    .map((p) => load(variablePlace({ id: 1, type: p.type })));
  const made = found.op ?? found.build(operands, [], noSpan).kind;
  return `${made} -> ${showType(found.result)}`;
}

const f3 = vector("f32", 3);

describe("chosen", () => {
  test.each<[TwoWayDialect, string, readonly (Type | BuiltinArgument)[], string]>([
    ["msl", "max", [f32, f32], "math.fmax -> f32"],
    ["msl", "metal::max", [i32, literal(i32)], "math.max -> i32"],
    ["msl", "pow", [f32, literal(i32)], "math.pow -> f32"],
    ["msl", "sqrt", [f16], "math.sqrt -> f16"],
    ["msl", "simd_shuffle_down", [i32, u32], "subgroup.shuffle_down_keep -> i32"],
    ["msl", "abs", [scalar("i16")], "math.abs -> i16"],
    ["glsl", "max", [f3, f32], "math.max -> f32x3"],
    ["glsl", "max", [i32, u32], "math.max -> u32"],
    ["glsl", "mix", [f3, f3, vector("bool", 3)], "select.componentwise -> f32x3"],
    ["glsl", "mix", [f3, f3, f32], "geometry.mix_weighted -> f32x3"],
    ["glsl", "atan", [f32, f32], "math.atan2_open -> f32"],
    ["glsl", "atan", [f32], "math.atan_open -> f32"],
    ["glsl", "sqrt", [literal(i32)], "math.sqrt_open -> f32"],
    ["glsl", "bitCount", [vector("u32", 2)], "bits.bit_count -> i32x2"],
    ["opencl", "fmin", [vector("f32", 4), f32], "math.fmin -> f32x4"],
    ["opencl", "abs", [i32], "bits.abs_unsigned -> u32"],
    ["opencl", "isnan", [f32], "math.isnan -> i32"],
    ["opencl", "isnan", [vector("f32", 2)], "math.isnan -> i32x2"],
    ["opencl", "isnan", [vector("f16", 2)], "math.isnan -> i16x2"],
    ["opencl", "clamp", [f3, f32, f32], "math.fclamp -> f32x3"],
    ["opencl", "min", [u64, u64], "math.min -> u64"],
    ["opencl", "pow", [f32, literal(i32)], "math.pow -> f32"],
    ["opencl", "convert_uchar4_sat", [vector("f32", 4)], "convert.sat -> u8x4"],
    ["opencl", "get_local_id", [literal(i32)], "convert -> u64"],
    ["hlsl", "max", [f3, literal(i32)], "math.fmax -> f32x3"],
    ["hlsl", "max", [i32, i32], "math.max -> i32"],
    ["hlsl", "max", [i32, f32], "math.fmax -> f32"],
    ["hlsl", "max", [u32, literal(i32)], "math.max -> u32"],
    ["hlsl", "clamp", [i32, literal(i32), literal(i32)], "math.clamp -> i32"],
    ["hlsl", "pow", [f3, literal(f32)], "math.pow_nan -> f32x3"],
    ["hlsl", "sign", [f32], "math.sign_integer -> i32"],
    ["hlsl", "WaveReadLaneAt", [bool, u32], "subgroup.shuffle -> bool"],
    ["hlsl", "asuint", [f3], "bitcast -> u32x3"],
    ["hlsl", "all", [vector("i32", 2)], "logic.all -> bool"],
  ])("%s %s", (dialect, name, args, wanted) => expect(resolve(dialect, name, ...args)).toBe(wanted));
});

describe("refused", () => {
  test.each<[TwoWayDialect, string, readonly (Type | BuiltinArgument)[], RegExp]>([
    ["msl", "max", [u32, i32], /ambiguous/],
    ["msl", "sqrt", [i32], /ambiguous/],
    ["opencl", "max", [u32, i32], /ambiguous/],
    ["glsl", "sin", [f32, f32], /no overload of sin takes \(float, float\)/],
    ["glsl", "dot", [f3, vector("f32", 2)], /no overload/],
    ["glsl", "fma", [i32, bool, i32], /no overload/],
    ["opencl", "as_float4", [f3, f3], /one argument/],
    ["opencl", "as_double", [f32], /the sizes differ/],
    ["opencl", "vload4", [i32, pointer(f32, "private"), i32], /no overload/],
    ["msl", "atomic_fetch_add_explicit", [pointer(u32, "global"), u32], /no overload/],
    [
      "msl",
      "atomic_fetch_add_explicit",
      [pointer(u32, "private"), u32, { type: i32, word: "memory_order_relaxed" }],
      /no overload/,
    ],
    ["glsl", "atomicAdd", [u32, u32], /no overload/],
    ["hlsl", "mul", [f3, vector("f32", 2)], /mul/],
    ["glsl", "lessThan", [f32, f32], /two vectors/],
    ["opencl", "read_imagei", [i32], /not supported yet/],
  ])("%s %s", (dialect, name, args, wanted) => expect(resolve(dialect, name, ...args)).toMatch(wanted));

  test("names of other dialects are unknown", () => {
    expect(resolve("msl", "lerp", f32, f32, f32)).toBe("unknown");
    expect(resolve("glsl", "rsqrt", f32)).toBe("unknown");
    expect(resolve("opencl", "subgroupAdd", u32)).toBe("unknown");
    expect(resolve("hlsl", "inversesqrt", f32)).toBe("unknown");
  });

  test("errors list the candidates", () => {
    const found = resolveBuiltin("glsl", "atomicAdd", [{ type: u32 }], [], implicitOf("glsl"));
    const { candidates } = found as { readonly candidates: readonly string[] };
    expect(candidates[0]).toBe("atomicAdd(out T, T) -> T, T: int, uint of 1 components");
    expect(candidates[1]).toBe("atomicAdd(out T, T, scope, storage, semantics) -> T, T: int, uint of 1 components");
  });
});

test("orders and scopes are carried", () => {
  const word = (w: string): BuiltinArgument => ({ type: i32, word: w });
  const found = resolveBuiltin(
    "opencl",
    "atomic_fetch_add_explicit",
    [{ type: pointer(u32, "workgroup") }, { type: u32 }, word("memory_order_acq_rel"), word("memory_scope_work_group")],
    [],
    implicitOf("opencl"),
  );
  if (!found || !("build" in found)) throw new Error("not resolved");
  const p = {
    kind: "builtin",
    builtin: "lane_id",
    type: pointer(u32, "workgroup"),
    span: { start: 0, end: 0 },
  } as never;
  const v = { kind: "literal", value: 1, type: u32, span: { start: 0, end: 0 } } as const;
  expect(found.build([p, v], [], { start: 0, end: 0 })).toMatchObject({
    op: "atomic.add",
    order: "acq_rel",
    scope: "workgroup",
  });
  const old = resolveBuiltin(
    "opencl",
    "atomic_fetch_add",
    [{ type: pointer(u32, "global") }, { type: u32 }],
    [],
    implicitOf("opencl"),
  );
  expect(old && "build" in old && old.build([p, v], [], { start: 0, end: 0 })).toMatchObject({
    order: "seq_cst",
  });
});

describe("ids", () => {
  test("every id has one row, and names lead back to it", () => {
    expect(idRows.map((r) => r.id).sort()).toEqual([...builtinIds].sort());
    for (const r of idRows) {
      if (r.msl) expect(idOfAttribute(r.msl.attribute)).toBe(r.id);
      if (r.glsl) expect(idOfGlslVariable(r.glsl.variable)).toBe(r.id);
      if (r.opencl) expect(idOfOpenclFunction(r.opencl.function)).toBe(r.id);
      if (r.hlsl?.kind === "semantic") expect(idOfSemantic(r.hlsl.semantic.toUpperCase())).toBe(r.id);
      if (r.hlsl?.kind === "function") expect(idOfHlslFunction(r.hlsl.function)).toBe(r.id);
      // A dialect without the value says how it is had.
      for (const d of twoWayDialects) if (!r[d]) expect(r.otherwise[d], `${r.id} in ${d}`).toBeDefined();
    }
  });
  test("a dimension beyond the range", () => {
    const found = resolveBuiltin("opencl", "get_global_size", [{ type: i32, constant: 3 }], [], implicitOf("opencl"));
    expect(found && "build" in found && found.build([], [], { start: 0, end: 0 })).toMatchObject({
      kind: "literal",
      value: 1n,
    });
    const id = resolveBuiltin("opencl", "get_global_id", [{ type: i32, constant: 7 }], [], implicitOf("opencl"));
    expect(id && "build" in id && id.build([], [], { start: 0, end: 0 })).toMatchObject({
      kind: "literal",
      value: 0n,
    });
  });
  test("GLSL variables", () => {
    expect(predeclaredVariable("glsl", "gl_SubgroupLtMask")?.build({ start: 0, end: 0 })).toMatchObject({
      kind: "op",
      op: "subgroup.lt_mask",
    });
    expect(predeclaredVariable("glsl", "gl_NumWorkGroups")?.type).toEqual(vector("u32", 3));
    expect(predeclaredVariable("msl", "gl_NumWorkGroups")).toBeUndefined();
  });
});

test("what is listed as not translated is in no row of the table", () => {
  const wrong = twoWayDialects.flatMap((d) =>
    refusedNames(d)
      .filter((name) => {
        const found = resolveBuiltin(d, name, [], [], implicitOf(d));
        return !(found && "error" in found && found.refusal) || !isBuiltinName(d, name);
      })
      .map((name) => `${d} ${name}`),
  );
  expect(wrong).toEqual([]);
});

test("what operands an HLSL function brings to a type is known of each", () => {
  const unknown = allRows.flatMap((r) =>
    r.cells.hlsl.flatMap((cell) => {
      if (cell.kind !== "native" || cell.names.some((name) => /\W/.test(name))) return [];
      const shared = (cell.signatures ?? [r.signature])
        .map(signatureOf)
        .filter(
          ({ parameters }) =>
            parameters.every((p) => p.mode === "value") && parameters.some((p) => /^[TS]$/.test(p.pattern)),
        );
      return cell.names.filter((name) =>
        shared.some(({ parameters }) => {
          try {
            return !resolveBuiltin(
              "hlsl",
              name,
              parameters.map(() => ({ type: f32 })),
              [],
              implicitOf("hlsl"),
            );
          } catch {
            return true;
          }
        }),
      );
    }),
  );
  expect(unknown).toEqual([]);
});
