/** Every native cell, written for every operand type it takes, must be accepted by the real compiler of its dialect. */
import { describe, expect } from "vitest";
import { decide } from "../../src/caps/decide.js";
import { allRows, enablingLine } from "../../src/ops/index.js";
import type { Operand, OpRow, OpUse, Spelling } from "../../src/ops/row.js";
import { scalarNames } from "../../src/dialects/opencl/types.js";
import type { TwoWayDialect } from "../../src/dialects/ids.js";
import { assertNever } from "../../src/support/assert-never.js";
import { showType, type ScalarKind, type Type } from "../../src/types/types.js";
import { glslJudge } from "../support/judges/glsl.js";
import { hlslJudge } from "../support/judges/hlsl.js";
import { openclJudge } from "../support/judges/opencl.js";
import { judgeTest } from "../support/tool-test.js";
import { casesOf, formsOf } from "./uses.js";

const glslScalars: Record<ScalarKind, string> = {
  bool: "bool",
  i8: "int8_t",
  u8: "uint8_t",
  i16: "int16_t",
  u16: "uint16_t",
  i32: "int",
  u32: "uint",
  i64: "int64_t",
  u64: "uint64_t",
  f16: "float16_t",
  bf16: "bfloat16_t",
  f32: "float",
  f64: "double",
};
const glslVectors: Record<ScalarKind, string> = {
  bool: "bvec",
  i8: "i8vec",
  u8: "u8vec",
  i16: "i16vec",
  u16: "u16vec",
  i32: "ivec",
  u32: "uvec",
  i64: "i64vec",
  u64: "u64vec",
  f16: "f16vec",
  bf16: "bf16vec",
  f32: "vec",
  f64: "dvec",
};
const hlslScalars: Partial<Record<ScalarKind, string>> = {
  bool: "bool",
  i16: "int16_t",
  u16: "uint16_t",
  i32: "int",
  u32: "uint",
  i64: "int64_t",
  u64: "uint64_t",
  f16: "float16_t",
  f32: "float",
  f64: "double",
};

function typeName(dialect: TwoWayDialect, type: Type): string {
  if (type.kind === "void") return "void";
  if (type.kind === "matrix") {
    const double = type.scalar === "f64";
    return dialect === "glsl"
      ? `${double ? "d" : ""}mat${type.columns}x${type.rows}`
      : `${double ? "double" : "float"}${type.rows}x${type.columns}`;
  }
  if (type.kind !== "scalar" && type.kind !== "vector") throw new Error(`no test kernel takes ${showType(type)}`);
  const size = type.kind === "vector" ? String(type.size) : "";
  switch (dialect) {
    case "glsl":
      return size === "" ? glslScalars[type.scalar] : `${glslVectors[type.scalar]}${size}`;
    case "hlsl":
      return `${hlslScalars[type.scalar] ?? type.scalar}${size}`;
    case "opencl":
      return `${type.scalar === "bool" ? "int" : scalarNames[type.scalar]}${size}`;
    case "msl":
      throw new Error("MSL is judged by its shim");
    default:
      return assertNever(dialect);
  }
}

interface Piece {
  readonly text: string;
  readonly atoms: readonly string[];
}

/** A function that makes one call; objects of atomics are shared variables `s_T`, other places locals. */
function functionFor(dialect: TwoWayDialect, use: OpUse, spelling: Spelling, name: string): string {
  const parameters: string[] = [];
  const locals: string[] = [];
  const place = (o: Operand & { kind: "place" }): string => {
    const type = use.placeTypes[o.index]!;
    if (use.op.startsWith("atomic.") && o.index === 0) return `${o.addressOf ? "&" : ""}s_${showType(type)}`;
    if (use.op.startsWith("memory.")) {
      parameters.push(`global ${typeName(dialect, type)} *p${o.index}`);
      return `p${o.index}`;
    }
    if (use.op.startsWith("workgroup.async_")) {
      // Elements go to workgroup memory, unless they are scattered over global memory.
      const isLocal = (o.index === 0) !== (use.op === "workgroup.async_scatter");
      parameters.push(`${isLocal ? "local" : "global"} ${typeName(dialect, type)} *p${o.index}`);
      return `p${o.index}`;
    }
    if (use.op === "workgroup.wait_events") {
      parameters.push("event_t *p0");
      return "p0";
    }
    if (!locals.some((l) => l.endsWith(` l${o.index};`))) locals.push(`${typeName(dialect, type)} l${o.index};`);
    return `${o.addressOf ? "&" : ""}l${o.index}`;
  };
  const operand = (o: string | Operand): string => {
    if (typeof o === "string") return o;
    if (o.kind === "text") return o.text;
    if (o.kind === "place") return place(o);
    const constant = use.constants[o.index];
    if (constant !== undefined) return `${String(constant)}u`;
    // Events are numbers of 32 bits in the tree.
    const isEvent = use.op.startsWith("workgroup.async_") && o.index === use.operandTypes.length - 1;
    parameters.push(`${isEvent ? "event_t" : typeName(dialect, o.type)} a${o.index}`);
    return `a${o.index}`;
  };
  const call =
    spelling.kind === "call"
      ? `${spelling.name}(${spelling.operands.map(operand).join(", ")})`
      : spelling.pieces.map(operand).join("");
  const result = use.op.startsWith("workgroup.async_") ? "event_t" : typeName(dialect, spelling.result);
  const body = spelling.result.kind === "void" ? `${call};` : `${result} r = ${call};`;
  return `void ${name}(${parameters.join(", ")}) { ${locals.join(" ")} ${body} }`;
}

function pieces(dialect: TwoWayDialect, rows: readonly OpRow[], profile: string): Piece[] {
  const out: Piece[] = [];
  for (const row of rows) {
    for (const c of casesOf(row)) {
      for (const use of formsOf(c)) {
        for (const flow of ["uniform", "divergent"] as const) {
          const asked = { ...use, flow, ...(flow === "divergent" ? { precondition: undefined } : {}) };
          const decision = decide(asked, dialect, profile);
          if (decision.kind !== "native") continue;
          out.push({
            text: functionFor(dialect, use, decision.spelling, `f${out.length}`),
            atoms: decision.requires,
          });
        }
      }
    }
  }
  return out;
}

const families = [...new Set(allRows.map((r) => r.family))];

const texts = (
  dialect: TwoWayDialect,
  profile: string,
  frame: (body: string, atoms: readonly string[]) => string,
): { name: string; text: string }[] =>
  families.flatMap((family) => {
    const made = pieces(
      dialect,
      allRows.filter((r) => r.family === family),
      profile,
    );
    if (made.length === 0) return [];
    const atoms = [...new Set(made.flatMap((p) => p.atoms))];
    return [{ name: `${dialect} ${family}`, text: frame(made.map((p) => p.text).join("\n"), atoms) }];
  });

const shared = (prefix: string, names: Record<string, string>): string =>
  Object.entries(names)
    .map(([k, v]) => `${prefix} ${v} s_${k};`)
    .join("\n");

/** Types of GLSL that a text's workgroup variables have, by their kinds. */
const glslTypes = (body: string): Record<string, string> => {
  const all = {
    i32: "int",
    u32: "uint",
    f32: "float",
    i64: "int64_t",
    u64: "uint64_t",
    f64: "double",
    f16: "float16_t",
  };
  return Object.fromEntries(Object.entries(all).filter(([kind]) => body.includes(`s_${kind}`)));
};

/** Complaints with the line they are about. */
function complaints(name: string, text: string, log: string): string[] {
  const lines = text.split("\n");
  return log
    .split("\n")
    .filter((l) => /error|ERROR/.test(l) && !/compilation terminated|errors? generated|No code generated/.test(l))
    .map((l) => {
      const at = l.match(/:(\d+):/)?.[1];
      return `${name}: ${l.trim()} in ${at === undefined ? "?" : lines[Number(at) - 1]}`;
    });
}

describe("native cells in the real compilers", () => {
  judgeTest(glslJudge, "glslang accepts every GLSL spelling", async () => {
    const made = texts("glsl", "vulkan1.3-nv", (body, atoms) => {
      const lines = atoms.flatMap((a) => enablingLine("glsl", a) ?? []);
      return `#version 450\n${lines.join("\n")}\nlayout(local_size_x = 64) in;\n${shared("shared", glslTypes(body))}\n${body}\nvoid main() {}\n`;
    });
    const verdicts = await glslJudge.accept(made);
    expect(verdicts.flatMap((v, i) => (v.ok ? [] : complaints(made[i]!.name, made[i]!.text, v.log)))).toEqual([]);
    expect(made.length).toBeGreaterThan(7);
  });

  judgeTest(openclJudge, "clang accepts every OpenCL spelling", async () => {
    const frame = (body: string, atoms: readonly string[]): string => {
      const lines = atoms.flatMap((a) => enablingLine("opencl", a) ?? []);
      // Atomic objects of the tests live in global memory.
      const atomics = body
        .replace(/&s_(\w+)/g, "o_$1")
        .replace(
          /void (f\d+)\(/g,
          "void $1(global int *o_i32, global uint *o_u32, global float *o_f32, global long *o_i64, global ulong *o_u64, ",
        );
      return `${lines.join("\n")}\n${atomics.replace(/, \) \{/g, ") {")}\n`;
    };
    const made = texts("opencl", "opencl3.0", frame);
    const verdicts = await openclJudge.accept(made);
    expect(verdicts.flatMap((v, i) => (v.ok ? [] : complaints(made[i]!.name, made[i]!.text, v.log)))).toEqual([]);
    expect(made.length).toBeGreaterThan(7);
  });

  judgeTest(hlslJudge, "DXC accepts every HLSL spelling", async () => {
    const made = texts(
      "hlsl",
      "sm6.6",
      (body) =>
        `${shared("groupshared", { i32: "int", u32: "uint", f32: "float", i64: "int64_t", u64: "uint64_t" })}\n${body}\n[numthreads(64, 1, 1)]\nvoid main() {}\n`,
    );
    const verdicts = await hlslJudge.accept(made.map((m) => ({ ...m, options: { native16Bit: true } })));
    expect(verdicts.flatMap((v, i) => (v.ok ? [] : complaints(made[i]!.name, made[i]!.text, v.log)))).toEqual([]);
    expect(made.length).toBeGreaterThan(5);
  });
});
