/** Struct templates, alias templates and variable templates. */
import type * as syntax from "../../ast/syntax.js";
import { NumberedNames } from "../../support/numbered-names.js";
import type { Span } from "../../support/span.js";
import { error, type NamedTypeInfo, type Sema, type Symbol } from "../context.js";
import { inScopeOf, lookup } from "../scopes.js";
import { fileVariables } from "../file-variables.js";
import { resolveSpecifier, resolveTypeName } from "../declared-types.js";
import { typedConstant } from "../expressions.js";
import { memberOfPath } from "../namespaces.js";
import { declareStruct, forgetStruct } from "../structs.js";
import { attempt, elsewhere, mayInstantiate, readBody } from "./state.js";
import { boundArguments, boundScope, boundTo, givenArguments, type Bound } from "./bind.js";
import { Deduction } from "./deduce.js";
import { instanceName, showInstance } from "./names.js";
import { mostSpecialOf, type Meanings } from "./partial-order.js";
import { definedBehind } from "./define.js";
import {
  flat,
  keyOfAll,
  type Arguments,
  type NamedTemplate,
  type Specialization,
  type StructSpecialization,
  type StructTemplate,
  type TemplateArgument,
} from "./template.js";

/** Arguments for a template that is named, with defaults for the rest. */
export function boundOf(
  s: Sema,
  t: NamedTemplate,
  list: readonly syntax.TemplateArgument[],
  span: Span,
): Bound | undefined {
  const given = givenArguments(s, t.parameters, list, t.scope);
  return (
    given &&
    boundArguments(s, t.parameters, given, new Map(), t.scope, (p) => {
      error(s, "XL2005", `'${t.name}' needs an argument for '${p.name?.name ?? "each parameter"}'`, span);
    })
  );
}

/** The type that `S<float, 4>` names. */
export function templateType(
  s: Sema,
  t: NamedTemplate,
  list: readonly syntax.TemplateArgument[],
  span: Span,
): NamedTypeInfo | undefined {
  if (t.kind === "variable") return error(s, "XL2013", `'${t.name}' is a variable, not a type`, span);
  const bound = boundOf(s, t, list, span);
  if (!bound) return undefined;
  if (t.kind === "alias") {
    const shown = showInstance(s, t.name, bound.arguments);
    return elsewhere(s, bound.scope, t.span.start, { shown, span }, () => {
      const made = resolveTypeName(s, t.declaration.alias!.type);
      return made && { type: made.type, ...(made.constant ? { constant: true } : {}) };
    });
  }
  return structInstance(s, t, bound, span);
}

/** `again`: what it is called, where it is there already and becomes another. */
export function structInstance(
  s: Sema,
  t: StructTemplate,
  bound: Bound,
  span: Span,
  again?: string,
): NamedTypeInfo | undefined {
  const key = keyOfAll(bound.arguments);
  const shown = showInstance(s, t.name, bound.arguments);
  const known = t.instances.get(key);
  if (known === "being read") return error(s, "XL2013", `'${shown}' is not complete where it is made of itself`, span);
  if (known) return known;
  if (!mayInstantiate(s, span)) return undefined;
  const special = specialization(s, t, bound.arguments, span);
  if (special === "several") return undefined;
  const { specifier, declaration, scope, outside, parameters } = special ?? { ...t, scope: bound.scope };
  if (!specifier) return error(s, "XL2013", `'${shown}' is announced and never defined`, span);
  t.instances.set(key, "being read");
  const name = again ?? instanceName(s, t, bound.arguments);
  const seenBefore = (special?.outer ?? t).span.start;
  const of = { template: t, arguments: bound.arguments, outside, parameters, seenBefore };
  let called = name;
  const { onlyNamed, reading } = s.templates;
  const made = elsewhere(s, scope, seenBefore, { shown, span }, () =>
    declareStruct(s, specifier, declaration, undefined, {
      name,
      isAgain: again !== undefined,
      opened: (struct) => {
        called = struct;
        s.templates.structs.set(struct, of);
        onlyNamed.add(struct);
        s.templates.reading = { struct, depth: s.templates.depth };
      },
      // The bases may name it before it is complete: `struct V : Base<V<T>>`.
      known: (info) => void t.instances.set(key, info ?? "being read"),
    }),
  );
  // What failed is tried again where it is named again: it may have been an attempt.
  if (made) t.instances.set(key, made);
  else {
    t.instances.delete(key);
    s.templates.structs.delete(called);
    onlyNamed.delete(called);
  }
  if (made?.type.kind === "struct")
    for (const f of outside) {
      s.templates.reading = { struct: called, depth: s.templates.depth };
      definedBehind(s, called, f, span);
    }
  s.templates.reading = reading;
  s.templates.undo.push(() => {
    t.instances.delete(key);
    s.templates.taken.delete(name);
    s.templates.numbers = new NumberedNames();
    s.templates.structs.delete(called);
    onlyNamed.delete(called);
  });
  return made;
}

/** What names in the patterns of templates mean, of which one is to be the more special. */
export const meaningsOf = (s: Sema): Meanings => ({
  symbol: (scope, t) =>
    inScopeOf(s, scope, () => attempt(s, () => (t.path.length > 0 ? memberOfPath(s, t) : lookup(s, t.name)))),
  type: (scope, t) => inScopeOf(s, scope, () => attempt(s, () => resolveSpecifier(s, t)?.type)),
  value: (scope, e) => {
    const known = inScopeOf(s, scope, () => attempt(s, () => typedConstant(s, e, "the argument")));
    return known && String(known.value);
  },
  instance: (struct) => s.templates.structs.get(struct),
});

/** The specialisation for these arguments: the one, or the most special of several (C++14 14.5.5.1). */
function specialization<X extends Specialization>(
  s: Sema,
  t: NamedTemplate & { readonly specializations: readonly X[] },
  list: Arguments,
  span: Span,
): (X & Bound) | undefined | "several" {
  const fitting = t.specializations.flatMap((x) => {
    const bound = matched(s, t, x, list);
    return bound ? [{ ...x, ...bound, writtenIn: x.scope }] : [];
  });
  if (fitting.length === 0) return undefined;
  if (fitting.length === 1) return fitting[0]!;
  const best = mostSpecialOf(
    meaningsOf(s),
    fitting.map((x) => ({ parameters: x.parameters, types: x.pattern, scope: x.writtenIn })),
  );
  if (best !== undefined) return fitting[best]!;
  error(s, "XL2005", `several specialisations fit '${showInstance(s, t.name, list)}'`, span, {
    notes: fitting.map((x) => ({ message: "this one", span: x.declaration.span })),
  });
  return "several" as const;
}

/**
 * Instances that are there already and would be of this specialisation, had that been in front of what names them: here they are made where
 * they are named. C++ needs to know what a struct is only where it is looked at (C++14 14.7.1 (1)): what nothing has looked at becomes one
 * of the specialisation.
 */
export function specializeNamed(s: Sema, t: StructTemplate, x: StructSpecialization, span: Span): void {
  for (const [struct, early] of [...s.templates.structs]) {
    if (early.template.instances !== t.instances || !matched(s, t, x, early.arguments)) continue;
    const now = specialization(s, t, early.arguments, span);
    if (now !== "several" && now?.outside !== x.outside) continue;
    const key = keyOfAll(early.arguments);
    const known = t.instances.get(key);
    const isUnion = (y: syntax.StructSpecifier | undefined): boolean => y?.keyword === "union";
    const isOther = early.outside === t.outside && isUnion(t.specifier) !== isUnion(x.specifier);
    if (now === "several" || !known || known === "being read" || !s.templates.onlyNamed.has(struct) || isOther) {
      error(s, "XL2002", `'${showInstance(s, t.name, early.arguments)}' is specialised after it was used`, span, {
        help: "put the specialisation in front of what uses it",
      });
      return;
    }
    const before = s.structs.get(struct)!;
    forgetStruct(s, struct);
    t.instances.delete(key);
    const made = structInstance(s, t, boundTo(t.scope, t.parameters, early.arguments), span, struct);
    // What is wrong with it has been said; types that name it are there.
    if (!made) s.structs.set(struct, before);
  }
}

/** A pattern that names no address space (`S<T &>`) is for references into any. */
function asOpen(a: TemplateArgument, pattern: TemplateArgument | undefined): TemplateArgument {
  const open = pattern?.kind === "type" && pattern.info.reference !== undefined && !pattern.info.reference.space;
  if (!open || a.kind !== "type" || !a.info.reference) return a;
  const { space: _, ...reference } = a.info.reference;
  return { ...a, info: { ...a.info, reference } };
}

function matched(s: Sema, t: NamedTemplate, x: Specialization, list: Arguments): Bound | undefined {
  const deduction = new Deduction(s, x.parameters, 0, x.scope);
  const parts = flat(list);
  if (x.pattern.filter((a) => a.kind !== "pack-expansion").length > parts.length) return undefined;
  if (!deduction.list(x.pattern, parts)) return undefined;
  return attempt(s, () => {
    const bound = boundArguments(s, x.parameters, [], deduction.found, x.scope, () => undefined);
    if (!bound) return undefined;
    // What the pattern says with these has to be what was asked for.
    const again = inScopeOf(s, bound.scope, () => boundOf(s, t, x.pattern, x.declaration.span));
    if (!again || keyOfAll(again.arguments) !== keyOfAll(list.map((a, i) => asOpen(a, again.arguments[i]))))
      return undefined;
    return x.scope === t.scope ? bound : boundTo(t.scope, x.parameters, bound.arguments);
  });
}

/** The symbol of `zero<float>`: an instance of a variable template. */
export function variableInstance(s: Sema, t: NamedTemplate, e: syntax.Identifier): Symbol | undefined {
  if (t.kind !== "variable") return error(s, "XL2017", `'${t.name}' is a type, a value is needed`, e.span);
  const bound = boundOf(s, t, e.templateArguments ?? [], e.span);
  if (!bound) return undefined;
  const key = keyOfAll(bound.arguments);
  let name = t.instances.get(key);
  if (name === undefined) {
    const special = specialization(s, t, bound.arguments, e.span);
    if (special === "several") return undefined;
    const { declaration, scope } = special ?? { ...t, scope: bound.scope };
    name = instanceName(s, t, bound.arguments);
    t.instances.set(key, name);
    s.templates.undo.push(() => {
      t.instances.delete(key);
      s.templates.taken.delete(name!);
      t.scope.symbols.delete(name!);
    });
    const shown = showInstance(s, t.name, bound.arguments);
    const seenBefore = (special?.outer ?? t).span.start;
    const made = elsewhere(s, boundScope(scope), seenBefore, { shown, span: e.span }, () => {
      readBody(s, () => fileVariables(s, declaration, name));
      return s.scope.symbols.get(name!);
    });
    if (made) t.scope.symbols.set(name, made);
    else t.instances.delete(key);
  }
  return t.scope.symbols.get(name);
}
