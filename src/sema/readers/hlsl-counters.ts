/**
 * Hidden counters of HLSL's structured buffers. No other language has them, so that a counter is a buffer of one uint of its
 * own, as DXC makes them for Vulkan; it is there once something counts.
 */
import { assign, binary, element, literal, load, opCall } from "../../ast/builders.js";
import type { Expr, Place, VarId } from "../../ast/nodes.js";
import { noTrivia } from "../../ast/nodes.js";
import type { Span } from "../../support/span.js";
import { array, u32 } from "../../types/types.js";
import { after, error, exprValue, held, notYet, resourceFor, type Sema, type Value } from "../context.js";
import { convertTo } from "../convert.js";
import { addResource } from "../interface.js";
import { valueSpan } from "../assignments.js";
import { variableValue } from "../variable-value.js";

/** The functions and how many arguments they take. */
const functions: Readonly<Record<string, number>> = { IncrementCounter: 0, DecrementCounter: 0, Append: 1, Consume: 0 };

/** What the type of a buffer counts by. */
const methodsOf: Readonly<Record<string, readonly string[]>> = {
  RWStructuredBuffer: ["IncrementCounter", "DecrementCounter"],
  AppendStructuredBuffer: ["Append"],
  ConsumeStructuredBuffer: ["Consume"],
};

/** `b.IncrementCounter()`, `b.Append(value)`; "none" for other methods. */
export function counterMethod(
  s: Sema,
  base: Value,
  name: string,
  args: readonly Value[],
  span: Span,
): Value | undefined | "none" {
  if (!methodsOf[base.object!.typeName]?.includes(name)) return "none";
  if (args.length !== functions[name]) {
    const takes = functions[name] === 0 ? "no arguments" : "one argument";
    return error(s, "XL2005", `${name} takes ${takes}`, span);
  }
  const counter = counterOf(s, base, span);
  if (!counter) return undefined;
  const one = literal("u32", 1, span);
  const before = (op: "atomic.add" | "atomic.sub"): Expr => opCall(op, [one], u32, span, { places: [counter] });
  const taken = (): Expr => binary("sub", before("atomic.sub"), one, span);
  switch (name) {
    case "IncrementCounter":
      return exprValue(before("atomic.add"));
    case "DecrementCounter":
      return exprValue(taken());
    case "Consume":
      return exprValue(load(element(base.place!, taken(), span), span));
    default: {
      const value = convertTo(s, args[0]!, base.object!.element, "argument", valueSpan(args[0]!, span), "the value");
      if (!value) return undefined;
      // The value is there before the place is taken.
      const { first, values } = held(s, [value], span);
      const place = element(base.place!, before("atomic.add"), span);
      return { type: { kind: "void" }, expr: after(first, assign(place, values[0]!, span), span) };
    }
  }
}

function counterOf(s: Sema, base: Value, span: Span): Place | undefined {
  const { place } = base;
  const of = place?.kind === "variable" ? resourceFor(s, place.variable) : undefined;
  if (!of) return notYet(s, "the counter of a buffer that is a parameter, a local, a member or in an array is", span);
  const path = `${of.path}.counter`;
  const id = s.resources.find((r) => r.path === path)?.variable ?? addCounter(s, of.variable, path);
  const counter = variableValue(s, id, span);
  return element(counter.place!, literal("i32", 0, span), span);
}

function addCounter(s: Sema, of: VarId, path: string): VarId {
  const { name, span } = s.variables.get(of)!;
  s.problems.warning(
    "XL2010",
    `the counter of '${name}' is a buffer of one uint, '${path}', which the host binds`,
    span,
  );
  return addResource(
    s,
    {
      name: `${name}_counter`,
      type: array(u32, undefined),
      space: "global",
      span,
      trivia: noTrivia,
      resource: { kind: "buffer", access: "readwrite", path },
    },
    true,
  );
}
