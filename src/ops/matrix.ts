/** Matrix functions. Their type variable is a matrix, so they are matched by hand; the rows serve spelling and execution. */
import { construct, elementValue, i32Literal, opCall, swizzleValue } from "../ast/builders.js";
import type { Expr, OpId } from "../ast/nodes.js";
import { languageFacts } from "../dialects/languages.js";
import type { Dialect } from "../dialects/ids.js";
import {
  isFloat,
  matrix,
  sameType,
  scalar,
  scalarOf,
  shaped,
  showType,
  type MatrixType,
  type Type,
} from "../types/types.js";
import { define, expanded, native, set, tree } from "./define.js";
import type { BuiltinArgument, NativeCell, OpRow, RefusedCall, ResolvedBuiltin } from "./row.js";
import { add, compare, div, k, mul, negate, sub } from "./trees.js";

const cell = (m: Expr, column: number, row: number): Expr =>
  elementValue(elementValue(m, i32Literal(column)), i32Literal(row));

const named = (name: string, evidence: string): NativeCell =>
  native(name, evidence, {
    write: (use) => ({
      kind: "call",
      name,
      operands: [{ kind: "value", index: 0, type: use.operandTypes[0]! }],
      result: use.result,
    }),
  });

/** Laplace expansion along the first column, in ascending rows. */
function determinant(columns: readonly (readonly Expr[])[]): Expr {
  if (columns.length === 1) return columns[0]![0]!;
  if (columns.length === 2) return sub(mul(columns[0]![0]!, columns[1]![1]!), mul(columns[1]![0]!, columns[0]![1]!));
  const terms = columns[0]!.map((factor, r) =>
    mul(factor, determinant(columns.slice(1).map((c) => c.filter((_, i) => i !== r)))),
  );
  return terms.slice(1).reduce((sum, term, i) => (i % 2 === 0 ? sub(sum, term) : add(sum, term)), terms[0]!);
}

export const matrixRows: readonly OpRow[] = [
  define("geometry", "geometry.transpose", {
    summary: "rows and columns exchanged",
    signature: "T -> T",
    on: set("f32 f16"),
    expand: tree(([m], type) => {
      const t = type as MatrixType;
      const columns = Array.from({ length: t.columns }, (_, c) =>
        construct(
          shaped(t.scalar, t.rows),
          Array.from({ length: t.rows }, (_, r) => cell(m!, r, c)),
        ),
      );
      return construct(t, columns);
    }),
    msl: named("transpose", "MSL 3.1 6.6"),
    glsl: named("transpose", "glslang"),
    opencl: expanded,
    hlsl: named("transpose", "DXC"),
  }),
  define("geometry", "geometry.determinant", {
    summary: "determinant of a square matrix",
    signature: "T -> S",
    on: set("f32 f16"),
    expand: tree(([m]) => {
      const t = m!.type as MatrixType;
      return determinant(
        Array.from({ length: t.columns }, (_, c) => Array.from({ length: t.rows }, (_, r) => cell(m!, c, r))),
      );
    }),
    msl: named("determinant", "MSL 3.1 6.6"),
    glsl: named("determinant", "glslang"),
    opencl: expanded,
    hlsl: named("determinant", "DXC"),
  }),
  define("geometry", "geometry.inverse", {
    summary: "inverse of a square matrix, by cofactors (GLSL)",
    signature: "T -> T",
    on: set("f32 f16"),
    open: {
      in: { glsl: "GLSL 4.60 8.6" },
      where: ([m]) => {
        const s = scalar(scalarOf(m!.type)!);
        return compare("eq", opCall("geometry.determinant", [m!], s), 0);
      },
      says: "of a singular matrix",
    },
    expand: tree(([m]) => {
      const t = m!.type as MatrixType;
      const n = t.columns;
      const columns = Array.from({ length: n }, (_, c) => Array.from({ length: n }, (_, r) => cell(m!, c, r)));
      const scale = div(k(scalar(t.scalar), 1), determinant(columns));
      const cofactor = (c: number, r: number): Expr => {
        const minor = columns.filter((_, i) => i !== c).map((column) => column.filter((_, i) => i !== r));
        const value = determinant(minor);
        return (c + r) % 2 === 0 ? value : negate(value);
      };
      // The transposed cofactors, over the determinant.
      return construct(
        t,
        columns.map((_, c) =>
          construct(
            shaped(t.scalar, n),
            columns.map((_, r) => mul(cofactor(r, c), scale)),
          ),
        ),
      );
    }),
    msl: expanded,
    glsl: named("inverse", "glslang"),
    opencl: expanded,
    hlsl: expanded,
  }),
  define("geometry", "geometry.matrix_product", {
    summary: "componentwise product of matrices (GLSL matrixCompMult)",
    signature: "T, T -> T",
    on: set("f32 f16"),
    expand: tree(([a, b]) => {
      const t = a!.type as MatrixType;
      return construct(
        t,
        Array.from({ length: t.columns }, (_, c) =>
          mul(elementValue(a!, i32Literal(c)), elementValue(b!, i32Literal(c))),
        ),
      );
    }),
    msl: expanded,
    opencl: expanded,
    hlsl: expanded,
    glsl: native("matrixCompMult", "glslang", {
      write: (use) => ({
        kind: "call",
        name: "matrixCompMult",
        result: use.result,
        operands: use.operandTypes.map((type, index) => ({ kind: "value", index, type })),
      }),
    }),
  }),
  define("geometry", "geometry.outer_product", {
    summary: "column times row (GLSL outerProduct)",
    signature: "T, T -> C",
    on: set("f32 f16 f64", 2, 3, 4),
    expand: tree(([a, b], type) => {
      const t = type as MatrixType;
      return construct(
        t,
        Array.from({ length: t.columns }, (_, c) => mul(a!, swizzleValue(b!, [c]))),
      );
    }),
    msl: expanded,
    opencl: expanded,
    hlsl: expanded,
    glsl: native("outerProduct", "glslang", {
      write: (use) => ({
        kind: "call",
        name: "outerProduct",
        result: use.result,
        operands: use.operandTypes.map((type, index) => ({ kind: "value", index, type })),
      }),
    }),
  }),
];

/** The op that a dialect has by this name. */
const opNamed = (dialect: Dialect, name: string): OpId | undefined =>
  matrixRows.find((r) => r.cells[dialect].some((c) => c.kind === "native" && c.names.includes(name)))?.id;

export const isMatrixName = (dialect: Dialect, name: string): boolean => opNamed(dialect, name) !== undefined;

type MatrixCall = ResolvedBuiltin | RefusedCall;

export function resolveMatrix(
  dialect: Dialect,
  name: string,
  args: readonly BuiltinArgument[],
): MatrixCall | undefined {
  const op = opNamed(dialect, name);
  if (op === undefined) return undefined;
  const fail = (error: string, ...candidates: string[]): MatrixCall => ({ error, candidates });
  const done = (types: readonly Type[], result: Type): MatrixCall => ({
    op,
    result,
    parameters: types.map((type) => ({ type, mode: "value" })),
    build: (values, _, span) => opCall(op, values, result, span),
  });
  const [a, b] = args.map((x) => x.type);
  if (name === "outerProduct") {
    const fits =
      args.length === 2 &&
      a?.kind === "vector" &&
      b?.kind === "vector" &&
      a.scalar === b.scalar &&
      isFloat(a.scalar) &&
      a.size <= 4 &&
      b.size <= 4;
    return fits
      ? done([a, b], matrix(a.scalar, b.size as 2, a.size as 2))
      : fail("outerProduct takes two vectors", "outerProduct(column, row)");
  }
  if (name === "matrixCompMult") {
    return args.length === 2 && a?.kind === "matrix" && b && sameType(a, b)
      ? done([a, a], a)
      : fail("matrixCompMult takes two matrices of one type", "matrixCompMult(a, b)");
  }
  if (args.length === 1 && a?.kind === "scalar" && languageFacts[dialect].conversions.shapes === "convert")
    return {
      error: `${name} of a scalar is not supported yet`,
      notYet: "write the scalar itself",
      candidates: [],
    };
  if (args.length !== 1 || a?.kind !== "matrix") return fail(`${name} takes one matrix`, `${name}(matrix)`);
  if (name === "transpose") return done([a], matrix(a.scalar, a.rows, a.columns));
  if (a.columns !== a.rows) return fail(`${name} takes a square matrix, not ${showType(a)}`, `${name}(matrix)`);
  return done([a], name === "determinant" ? scalar(scalarOf(a)!) : a);
}
