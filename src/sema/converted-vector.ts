/** `__builtin_convertvector`, whose second argument is a type (Clang Language Extensions, "Vector Builtins"). */
import { convert } from "../ast/builders.js";
import type { Expr } from "../ast/nodes.js";
import type * as syntax from "../ast/syntax.js";
import { sameType, type Type } from "../types/types.js";
import { error, exprValue, shown, type Sema, type Value } from "./context.js";

interface VectorReading {
  readonly value: (e: syntax.Expression) => Expr | undefined;
  readonly type: (e: syntax.Expression) => Type | undefined;
}

/** `__builtin_convertvector(v, int4)`: each component is cast. */
export function convertedVector(s: Sema, e: syntax.Call, { value, type }: VectorReading): Value | undefined {
  const [given, name] = e.arguments;
  if (e.arguments.length !== 2) return error(s, "XL2005", "__builtin_convertvector takes a vector and a type", e.span);
  const from = value(given!);
  if (!from) return undefined;
  const to = type(name!);
  if (!to) return error(s, "XL2005", "the second argument of __builtin_convertvector is a type", name!.span);
  if (from.type.kind !== "vector" || to.kind !== "vector" || from.type.size !== to.size)
    return error(
      s,
      "XL2005",
      `__builtin_convertvector does not make ${shown(s, to)} of ${shown(s, from.type)}`,
      e.span,
    );
  return exprValue(sameType(from.type, to) ? from : convert(from, to, true, e.span));
}
