/** Closures as values: what every call and function asks about them. */
import { arrayFor } from "./buffer-array-parameters.js";
import type { VarId } from "../ast/nodes.js";
import type { Span } from "../support/span.js";
import type { Type } from "../types/types.js";
import { notYet, type FunctionInfo, type ParameterInfo, type Sema, type Symbol, type Value } from "./context.js";
import type { FunctionTemplate } from "./templates/template.js";

/** A lambda where it stands: its type, and what its body names of the function around it. */
export interface Closure {
  /** The name of its type, which is no name of the source. */
  readonly type: string;
  /** What functions that are made for it are named after. */
  readonly label: string;
  readonly lambda: { readonly span: Span };
  /** The elements of expansions that it stands in. */
  readonly elements: string;
  readonly captures: readonly ParameterInfo[];
  /** The names of its body that mean something of the function around it, as they are found there. */
  readonly names: ReadonlyMap<string, Symbol>;
  /** By the variables of the function around it: the capture that stands for one. */
  readonly byVariable: ReadonlyMap<VarId, number>;
  /** Pointers that are captured by reference: they have no address, so that their values are taken at each call. */
  readonly pointersByReference: ReadonlySet<VarId>;
  /** `[n = 2 * k]` and `[&r = x[i]]`, by name. */
  readonly initialized: ReadonlyMap<string, { readonly capture: number; readonly byReference: boolean }>;
  /** What a call of it means: an instance of the template, or the one function that it stands for. */
  readonly means:
    | {
        readonly template: FunctionTemplate;
        /** The instance that takes these, with its type; without them the one of a lambda that names all types of its parameters. */
        readonly alone: (taken: readonly Type[] | undefined) => FunctionInfo | undefined;
      }
    | { readonly function: FunctionInfo };
}

/** The lambda that a type is of. */
export const closureOf = (s: Sema, type: Type): Closure | undefined =>
  type.kind === "struct" ? s.closures.get(type.name) : undefined;

/** Whether a capture refers to what is outside of the lambda, as copies of the lambda do then, too. */
export const isReference = ({ captures, byVariable, pointersByReference }: Closure, k: number): boolean =>
  captures[k]!.mode === "ref" || [...pointersByReference].some((id) => byVariable.get(id) === k);

interface WithCaptures {
  readonly parameters: readonly ParameterInfo[];
  readonly values: readonly Value[];
  /** By parameter: handed over by value in the place of a reference, so that it is read when all other arguments have been. */
  readonly late: readonly boolean[];
}

/** The parameters of a function with those that stand for lambdas, and what is given for them. */
export function withCaptures(s: Sema, f: FunctionInfo, values: readonly Value[]): WithCaptures {
  if (!f.parameters.some((p) => closureOf(s, p.type) || arrayFor(p)))
    return { parameters: f.parameters, values, late: [] };
  const parts = f.parameters.flatMap((p, i) => {
    if (arrayFor(p)) return [];
    const closure = closureOf(s, p.type);
    if (!closure) return [{ p, v: values[i], late: false }];
    return (f.captures?.get(i) ?? closure.captures).map((x, k) => {
      const late = isReference(closure, k) && x.mode === "value";
      return { p: x, v: values[i]?.captured?.[k], late };
    });
  });
  // Those at the end may have defaults.
  const given = parts.flatMap((x) => x.v ?? []);
  return { parameters: parts.map((x) => x.p), values: given, late: parts.map((x) => x.late) };
}

/** Nothing of the tree has the type of a lambda: what is left over says that one escapes. */
export function refuseEscapes(s: Sema): void {
  const holds = (type: Type): boolean =>
    type.kind === "array" ? holds(type.element) : type.kind === "pointer" ? holds(type.pointee) : !!closureOf(s, type);
  const refuse = (span: Span): void => void notYet(s, "a lambda that is kept in an object is", span);
  if (s.closures.size === 0) return;
  for (const v of s.variables.values()) if (holds(v.type)) refuse(v.span);
  for (const struct of s.structs.values()) for (const m of struct.members) if (holds(m.type)) refuse(struct.span);
}
