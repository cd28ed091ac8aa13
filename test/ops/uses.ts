/** One call of a row per operand type, with variables as operands: what the table tests go through. */
import { element, literal, load, opCall, variablePlace } from "../../src/ast/builders.js";
import type { Expr, OpCall, Variable } from "../../src/ast/nodes.js";

import type { BuiltinArgument, ImplicitRank, OpRow, OpUse, Spelling } from "../../src/ops/row.js";
import { signatureOf } from "../../src/ops/spell.js";
import { row } from "../../src/ops/table.js";
import { typeOf } from "../../src/ops/signature.js";
import { predeclared } from "../../src/dialects/glsl/predeclared.js";
import { implicitConversion } from "../../src/dialects/conversions.js";
import type { TwoWayDialect } from "../../src/dialects/ids.js";
import { noSpan } from "../../src/support/span.js";
import {
  array,
  i32,
  matrix,
  pointer,
  shaped,
  type AddressSpace,
  type Type,
  type VectorType,
} from "../../src/types/types.js";

export interface Case {
  readonly row: OpRow;
  readonly t: Type | undefined;
  readonly call: OpCall;
  readonly use: OpUse;
}

let nextId = 1;

export const variable = (type: Type, name = "v"): Variable => ({
  id: nextId++,
  name,
  type,
  space: "private",
  role: "local",
  constant: false,
  span: noSpan,
});

const isMatrixRow = (row: OpRow): boolean => /^geometry\.(transpose|determinant|inverse|matrix_product)$/.test(row.id);

/** The types T takes in a row. */
export function variablesOf(row: OpRow): readonly (Type | undefined)[] {
  if (isMatrixRow(row)) return [2, 3, 4].map((n) => matrix("f32", n as 2, n as 2));
  if (!signatureOf(row.signature).generic) return [undefined];
  return row.on.scalars.flatMap((kind) => row.on.sizes.map((n) => shaped(kind, n)));
}

export function casesOf(row: OpRow): Case[] {
  return variablesOf(row).flatMap((t) =>
    resultsOf(row, t).flatMap((result) => literalsOf(row).map((literals) => caseOf(row, t, result, literals))),
  );
}

/** Literals by operand: what has to be known at compile time, and each value that a cell fixes an operand to. */
function literalsOf(row: OpRow): readonly ReadonlyMap<number, number>[] {
  const base = new Map((row.powersOfTwo ?? []).map(({ index }) => [index, 8]));
  const found = [base];
  for (const cell of Object.values(row.cells).flat()) {
    if (cell.kind !== "native" || !cell.signatures) continue;
    for (const p of signatureOf(cell.signatures[0]!).parameters) {
      if (p.mode !== "fixed" || found.some((m) => m.get(p.index) === p.value)) continue;
      found.push(new Map([...base, [p.index, p.value!]]));
    }
  }
  return found;
}

/** Conversions have a result type of their own. */
function resultsOf(row: OpRow, t: Type | undefined): readonly Type[] {
  const { result } = signatureOf(row.signature);
  if (result !== "C") return [typeOf(result, t)];
  const count = t?.kind === "vector" ? t.size : 1;
  if (row.id === "geometry.outer_product") return [matrix((t as VectorType).scalar, count as 2, count as 2)];
  const kinds = row.saturates
    ? (["i8", "u8", "i16", "u16", "i32", "u32"] as const)
    : (["i8", "u8", "i16", "u16", "i32", "u32", "f16", "f32"] as const);
  return kinds.map((kind) => shaped(kind, count));
}

function caseOf(row: OpRow, t: Type | undefined, result: Type, literals: ReadonlyMap<number, number>): Case {
  const values: Expr[] = [];
  const places = [];
  for (const p of signatureOf(row.signature).parameters) {
    const type = p.pattern === "Z" ? i32 : typeOf(p.pattern, t);
    // Vector loads and stores go on behind their place: it is an element.
    const inArray = (row.family === "memory" || row.goesOn) && p.mode === "place";
    const place = inArray
      ? element(variablePlace(variable(array(type, 64))), literal("i32", 0))
      : variablePlace(variable(type));
    if (p.mode === "place") places.push(place);
    else {
      const value = literals.get(p.index);
      values.push(value === undefined ? load(place) : literal("u32", value));
    }
  }
  const call = opCall(row.id, values, result, noSpan, { places }) as OpCall;
  const use: OpUse = {
    op: row.id,
    operandTypes: values.map((v) => v.type),
    placeTypes: places.map((p) => p.type),
    result,
    flow: "uniform",
    constants: values.map((v) => (v.kind === "literal" ? v.value : undefined)),
    precondition: "uniform",
  };
  return { row, t, call, use };
}

/** All forms a cell may be asked for: HLSL's interlocked functions with and without the out argument. */
export function formsOf(c: Case): OpUse[] {
  if (c.row.effect !== "atomic") return [c.use];
  const out = {
    ...c.use,
    placeTypes: [...c.use.placeTypes, c.use.placeTypes[0]!],
    result: { kind: "void" as const },
  };
  return [{ ...c.use, discarded: true }, ...(c.use.placeTypes.length === 1 ? [out] : [])];
}

export const implicitOf =
  (dialect: TwoWayDialect): ImplicitRank =>
  (from, to) =>
    implicitConversion(dialect, from, to, "argument");

/** The number of a word, or of several joined by `|`. */
function constantOf(text: string): { readonly constant?: number } {
  const words = text.split(" | ").map((w) => predeclared.words.get(w)?.value);
  const numbers = words.filter((w) => typeof w === "number");
  return numbers.length === words.length ? { constant: numbers.reduce((a, b) => a | b, 0) } : {};
}

/** The arguments a parser would see for a spelled call. */
export function argumentsOf(spelling: Spelling & { kind: "call" }, use: OpUse): BuiltinArgument[] {
  return spelling.operands.map((o): BuiltinArgument => {
    switch (o.kind) {
      case "value": {
        const constant = use.constants[o.index];
        return { type: o.type, ...(constant === undefined ? {} : { constant }) };
      }
      case "place":
        return o.addressOf
          ? { type: pointer(use.placeTypes[o.index]!, pointerSpace(use, o.index)) }
          : { type: use.placeTypes[o.index]!, place: true };
      case "text":
        return { type: i32, word: o.text, ...constantOf(o.text) };
    }
  });
}

/** Private memory, where the functions of OpenCL C take pointers into that; else the first space that they take. */
function pointerSpace(use: OpUse, index: number): AddressSpace {
  for (const cell of row(use.op).cells.opencl) {
    if (cell.kind !== "native" || !cell.signatures) continue;
    const found = signatureOf(cell.signatures[0]!).parameters.find((p) => p.mode === "pointer" && p.index === index);
    if (found) return found.spaces.includes("private") ? "private" : found.spaces[0]!;
  }
  return use.op.startsWith("atomic.") && index === 0 ? "global" : "private";
}
