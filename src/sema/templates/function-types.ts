/**
 * Types of functions: what a parameter of a template that is a function is declared with, and what kernels are instantiated
 * by. Nothing else has such a type. The types of the parameters are looked at where a function is given for it, and not before: a
 * kernel's, which an instance of it repeats, are nobody's business.
 */
import type * as syntax from "../../ast/syntax.js";
import type { Type } from "../../types/types.js";
import { type Scope, type Sema, type Symbol } from "../context.js";
import { inScopeOf, lookup } from "../scopes.js";
import { boundArguments, givenArguments } from "./bind.js";
import { boundFor, typesOf } from "./function-templates.js";
import { attempt } from "./state.js";
import type { AliasTemplate } from "./template.js";

/** What a function has to take; `bindings`: the scope in which a parameter of a template is read. */
export interface FunctionShape {
  readonly parameterTypes: (s: Sema, bindings: Scope) => readonly Type[] | undefined;
}

/** The function type that a specifier and its derivations make, if they make one. */
export function functionShape(
  s: Sema,
  specifier: syntax.TypeSpecifier,
  derivations: readonly syntax.Derivation[],
): FunctionShape | undefined {
  const own = derivations.find((d) => d.kind === "function");
  if (own) return { parameterTypes: (t, bindings) => typesOf(t, own.parameters, bindings) };
  if (derivations.some((d) => d.kind === "array")) return undefined;
  if (specifier.kind === "named-type" && specifier.path.length === 0) {
    const symbol = lookup(s, specifier.name);
    if (symbol?.kind === "template" && symbol.template.kind === "alias") return aliasShape(symbol.template, specifier);
    return symbol?.kind === "function type" ? symbol.shape : undefined;
  }
  if (specifier.kind !== "decltype" || specifier.expression.kind !== "identifier") return undefined;
  const name = specifier.expression;
  const symbol = name.path.length === 0 ? unevaluatedName(s, name.name) : undefined;
  if (symbol?.kind !== "functions") return undefined;
  return { parameterTypes: (t) => typesOfFunction(t, symbol, name) };
}

/** What a name means in the operand of decltype, where data of the struct around hides functions. */
function unevaluatedName(s: Sema, name: string): Symbol | undefined {
  const outer = s.scratch;
  const made = (s.scratch = outer ?? []);
  const symbol = lookup(s, name);
  s.scratch = outer;
  if (!outer) for (const id of made) s.variables.delete(id);
  return symbol;
}

/** `template <typename T> using F = void (*)(thread T *);` with its arguments. */
function aliasShape(t: AliasTemplate, { templateArguments = [] }: syntax.NamedType): FunctionShape | undefined {
  const own = t.declaration.alias!.type.derivations.find((d) => d.kind === "function");
  if (!own) return undefined;
  return {
    parameterTypes(s, bindings) {
      const given = inScopeOf(s, bindings, () => givenArguments(s, t.parameters, templateArguments, t.scope));
      const bound = given && boundArguments(s, t.parameters, given, new Map(), t.scope, () => undefined);
      return bound && typesOf(s, own.parameters, bound.scope);
    },
  };
}

/** The parameters' types of the one function, or instance of a template, that is named. */
function typesOfFunction(
  s: Sema,
  { overloads, templates }: Symbol & { kind: "functions" },
  name: syntax.Identifier,
): readonly Type[] | undefined {
  if (!name.templateArguments) return overloads.length === 1 ? overloads[0]!.parameters.map((p) => p.type) : undefined;
  const fitting = templates.flatMap((t) => {
    const types = attempt(s, () => {
      const bound = boundFor(s, t, name.templateArguments, () => true);
      return bound && typesOf(s, t.declaration.parameters, bound.scope);
    });
    return types ? [types] : [];
  });
  return fitting.length === 1 ? fitting[0] : undefined;
}
