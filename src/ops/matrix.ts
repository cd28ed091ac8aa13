/** Matrix functions. Their type variable is a matrix, so they are matched by hand; the rows serve spelling and execution. */
import { construct, elementValue, i32Literal, opCall } from "../ast/builders.js";
import type { Expr, OpId } from "../ast/nodes.js";
import type { Dialect } from "../dialects/ids.js";
import { matrix, scalar, scalarOf, shaped, showType, type MatrixType, type Type } from "../types/types.js";
import { define, native, refused, set, tree } from "./define.js";
import type { BuiltinArgument, NativeCell, OpRow, ResolvedBuiltin } from "./row.js";
import { add, mul, sub } from "./trees.js";

const cell = (m: Expr, column: number, row: number): Expr => elementValue(elementValue(m, i32Literal(column)), i32Literal(row));
const named = (name: string, seen: string): NativeCell => native(name, seen, {
  write: (use) => ({ kind: "call", name, operands: [{ kind: "value", index: 0, type: use.operandTypes[0]! }], result: use.result }),
}); // prettier-ignore

/** Laplace expansion along the first column, in ascending rows. */
function determinant(columns: readonly (readonly Expr[])[]): Expr {
  if (columns.length === 1) return columns[0]![0]!;
  if (columns.length === 2) return sub(mul(columns[0]![0]!, columns[1]![1]!), mul(columns[1]![0]!, columns[0]![1]!));
  const terms = columns[0]!.map((factor, r) => mul(factor, determinant(columns.slice(1).map((c) => c.filter((_, i) => i !== r)))));
  return terms.slice(1).reduce((sum, term, i) => (i % 2 === 0 ? sub(sum, term) : add(sum, term)), terms[0]!);
}

const noMatrices = refused("OpenCL C has no matrices");
export const matrixRows: readonly OpRow[] = [
  define("geometry", "geometry.transpose", {
    summary: "rows and columns exchanged", signature: "T -> T", on: set("f32 f16"),
    expand: tree(([m], type) => {
      const t = type as MatrixType;
      const columns = Array.from({ length: t.columns }, (_, c) => construct(shaped(t.scalar, t.rows), Array.from({ length: t.rows }, (_, r) => cell(m!, r, c))));
      return construct(t, columns);
    }),
    msl: named("transpose", "MSL 3.1 6.7"), glsl: named("transpose", "glslang"), opencl: noMatrices, hlsl: named("transpose", "DXC"),
  }),
  define("geometry", "geometry.determinant", {
    summary: "determinant of a square matrix", signature: "T -> S", on: set("f32 f16"),
    expand: tree(([m]) => {
      const t = m!.type as MatrixType;
      return determinant(Array.from({ length: t.columns }, (_, c) => Array.from({ length: t.rows }, (_, r) => cell(m!, c, r))));
    }),
    msl: named("determinant", "MSL 3.1 6.7"), glsl: named("determinant", "glslang"), opencl: noMatrices, hlsl: named("determinant", "DXC"),
  }),
]; // prettier-ignore

const names = ["transpose", "determinant"] as const;

export const isMatrixName = (dialect: Dialect, name: string): boolean => dialect !== "opencl" && (names as readonly string[]).includes(name);

export function resolveMatrix(dialect: Dialect, name: string, args: readonly BuiltinArgument[]): ResolvedBuiltin | { readonly error: string; readonly candidates: readonly string[] } | undefined {
  if (!isMatrixName(dialect, name)) return undefined;
  const type = args[0]?.type;
  const candidates = [`${name}(matrix)`];
  if (args.length !== 1 || type?.kind !== "matrix") return { error: `${name} takes one matrix`, candidates };
  if (name === "determinant" && type.columns !== type.rows) return { error: `the determinant of ${showType(type)} is not defined`, candidates };
  const result: Type = name === "transpose" ? matrix(type.scalar, type.rows, type.columns) : scalar(scalarOf(type)!);
  const op = `geometry.${name}` as OpId;
  return { op, parameters: [{ type, mode: "value" }], result, build: ([m], _, span) => opCall(op, [m!], result, span) };
}
