/** Zeros that initialise workgroup memory where the language's compiler does not write them. */
import type * as syntax from "../ast/syntax.js";
import type { Sema } from "./context.js";

/**
 * `threadgroup float sums[32] = {0};` in MSL: its compiler takes zeros, against the specification, and writes nothing. Whether the
 * initialiser is such a one.
 */
export function ignoresZeros(s: Sema, x: syntax.Declarator): boolean {
  const given = x.initializer;
  const list = given?.form === "brace" || given?.form === "assign" ? given.value : undefined;
  const ignored =
    s.reading.declarations.workgroupZeros === "ignored" && list?.kind === "initializer-list" && isZero(list);
  if (!ignored) return false;
  const message = `nothing is read of '${x.name!.name}' that its initialiser gave it`;
  s.fixed.push({ kind: "workgroup-initializer", message, spans: [x.span] });
  return true;
}

const isZero = (e: syntax.Expression | syntax.InitializerList): boolean =>
  e.kind === "initializer-list"
    ? e.elements.every((x) => isZero(x.value))
    : e.kind === "literal" && e.form !== "string" && /^(?:0+(?:\.0*)?|\.0+|false)[a-z]*$/i.test(e.text);

/** What stands in for an initialiser of workgroup memory. */
export const workgroupWritten =
  "leave the value out, and let one invocation write it in front of a barrier, which all of the workgroup wait at";
