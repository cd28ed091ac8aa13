/**
 * Whether a buffer reference of GLSL is null, which is asked of its number (GL_EXT_buffer_reference_uvec2, 64-bit integers):
 * `uvec2(p.d) != uvec2(0)`, `uint64_t(p.d) == 0ul`. That is asked of the pointer.
 */
import { binary, literalValue, nullPointer } from "../ast/builders.js";
import type { Expr, Module } from "../ast/nodes.js";
import { rewriteModule } from "../ast/walk.js";
import type { Span } from "../support/span.js";

export function withNullAddresses(module: Module<"canonical">): Module<"canonical"> {
  return rewriteModule(module, {
    expr(e) {
      if (e.kind === "binary") return nullTest(e, e.span) ?? e;
      // Of vectors: all components are equal, or some are not.
      const compares = e.kind === "op" && (e.op === "logic.all" || e.op === "logic.any") ? e.arguments[0] : undefined;
      if (compares?.kind !== "binary") return e;
      return (e as { op: string }).op === (compares.operator === "eq" ? "logic.all" : "logic.any")
        ? (nullTest(compares, e.span, true) ?? e)
        : e;
    },
  });
}

function nullTest(e: Expr & { kind: "binary" }, span: Span, whole = e.type.kind === "scalar"): Expr | undefined {
  if (!whole || (e.operator !== "eq" && e.operator !== "ne")) return undefined;
  const [number, other] = isZero(e.right) ? [e.left, e.right] : [e.right, e.left];
  if (number.kind !== "bitcast" || number.operand.type.kind !== "pointer" || !isZero(other)) return undefined;
  return binary(e.operator, number.operand, nullPointer(number.operand.type, span), span);
}

function isZero(e: Expr): boolean {
  if (e.kind === "construct") return e.arguments.every(isZero);
  if (e.kind === "convert") return isZero(e.operand);
  return Number(literalValue(e)) === 0;
}
