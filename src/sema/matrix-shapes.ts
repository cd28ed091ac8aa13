/** HLSL's conversions between shapes: a matrix to a vector of as many components, to a smaller matrix, to its first component. */
import { construct, elementValue, i32Literal, swizzleValue } from "../ast/builders.js";
import type { Expr } from "../ast/nodes.js";
import { implicitConversion } from "../dialects/conversions.js";
import type { Span } from "../support/span.js";
import {
  asSingle,
  componentCount,
  isNumeric,
  isSingle,
  matrix,
  named,
  scalar,
  scalarOf,
  shaped,
  shapedLike,
  type ScalarKind,
  type Type,
} from "../types/types.js";
import { type Sema } from "./context.js";
import { after, held } from "./held-values.js";

/** All components of scalars, vectors and matrices. */
const allComponents = (type: Type): number =>
  type.kind === "matrix" ? type.columns * type.rows : (componentCount(type) ?? 1);

/** The shape of `shape` with components of `kind`. */
export function ofKind(shape: Type, kind: ScalarKind, like?: Type): Type {
  const plain =
    shape.kind === "matrix"
      ? matrix(kind, shape.columns, shape.rows)
      : isSingle(shape)
        ? asSingle(scalar(kind))
        : shaped(kind, componentCount(shape)!);
  return like && isNumeric(like) ? named(plain, like) : plain;
}

/** The shape both operands of an operator are brought to: of the larger, or of the left where they are as large. */
export function combinedShape(s: Sema, l: Type, r: Type): Type | undefined {
  const into = (from: Type, to: Type): boolean => implicitConversion(s.form, from, to, "operand") !== undefined;
  const [first, second] = allComponents(l) >= allComponents(r) ? [l, r] : [r, l];
  return into(second, first) ? first : into(first, second) ? second : undefined;
}

/** `e`, which is a matrix or becomes one, with the components that the shape of `type` has. Vectors meet matrices by rows. */
export function reshaped(s: Sema, e: Expr, type: Type, span: Span): Expr {
  const to = ofKind(type, scalarOf(e.type)!, e.type);
  const { first, values } = held(s, [e], span);
  const [whole] = values as [Expr];
  const column = (c: number): Expr => elementValue(whole, i32Literal(c, span), span);
  const at = (c: number, r: number): Expr => elementValue(column(c), i32Literal(r, span), span);
  let made: Expr;
  if (e.type.kind === "matrix" && to.kind === "matrix") {
    const { columns, rows } = to;
    const parts = Array.from({ length: columns }, (_, c) =>
      rows === 1
        ? at(c, 0)
        : swizzleValue(
            column(c),
            Array.from({ length: rows }, (_, r) => r),
            span,
          ),
    );
    made = construct(to, parts, span);
  } else if (e.type.kind === "matrix" && to.kind === "vector") {
    const { columns } = e.type;
    made = construct(
      to,
      Array.from({ length: to.size }, (_, i) => at(i % columns, Math.floor(i / columns))),
      span,
    );
  } else if (e.type.kind === "matrix") made = at(0, 0);
  else if (to.kind === "matrix") {
    const { columns, rows } = to;
    const one = shapedLike(to, 1);
    const parts = Array.from({ length: columns * rows }, (_, i) => {
      const component = swizzleValue(whole, [(i % rows) * columns + Math.floor(i / rows)], span);
      return { ...component, type: one } as Expr;
    });
    made = construct(to, parts, span);
  } else made = e;
  return after(first, made, span);
}
