/**
 * Which struct a class template without arguments is (C++17 16.3.1.8): what the guides of the source and the constructors take is
 * chosen among as functions are.
 */
import type * as syntax from "../../ast/syntax.js";
import type { Span } from "../../support/span.js";
import { error, type FunctionInfo, type NamedTypeInfo, type Sema, type Value } from "../context.js";
import { inScopeOf, lookup } from "../scopes.js";
import { resolveSpecifier } from "../declared-types.js";
import { declaredSignature } from "../functions.js";
import { plainDeclaration } from "../method-names.js";
import { chooseOverload } from "../overloads.js";
import { boundArguments, boundTo, type Bound } from "./bind.js";
import { Deduction } from "./deduce.js";
import { passed, takesSoMany } from "./function-templates.js";
import { attempt } from "./state.js";
import { structInstance } from "./struct-templates.js";
import type { FunctionTemplate, Guide, StructTemplate } from "./template.js";

/** `template <typename T> W(T) -> W<T>;`, where the template is declared. */
export function declareGuide(
  s: Sema,
  declaration: syntax.FunctionDeclaration,
  parameters: readonly syntax.TemplateParameter[],
): void {
  const { name, span } = declaration.name;
  const symbol = s.reading.declarations.deducesClassArguments ? lookup(s, name) : undefined;
  if (symbol?.kind !== "template" || symbol.template.kind !== "struct")
    return void error(s, "XL2013", `'${name}' is no class template that a deduction guide could be of`, span);
  symbol.template.guides.push({ declaration, parameters });
}

/** A guide, or a constructor with the parameters of the template and its own. */
interface Way extends Guide {
  readonly written: boolean;
}

interface Candidate {
  readonly way: Way;
  readonly bound: Bound;
  readonly info: FunctionInfo;
}

function waysOf(t: StructTemplate): readonly Way[] {
  const constructors = (t.specifier?.members ?? []).flatMap((m): Way[] => {
    const declaration = m.kind === "template" ? m.declaration : m;
    if (declaration.kind !== "function" || declaration.special !== "constructor" || declaration.given === "delete")
      return [];
    const own = m.kind === "template" ? m.parameters : [];
    return [{ declaration, parameters: [...t.parameters, ...own], written: false }];
  });
  return [...t.guides.map((g) => ({ ...g, written: true })), ...constructors];
}

function candidate(s: Sema, t: StructTemplate, way: Way, values: readonly Value[]): Candidate | undefined {
  const { parameters } = way.declaration;
  if (!takesSoMany(parameters, values.length)) return undefined;
  return attempt(s, () => {
    const deduction = new Deduction(s, way.parameters, 0, t.scope);
    const missing = (): void => error(s, "XL2005", `nothing says what the parameters of '${t.name}' are`, t.span);
    const bound = passed(s, deduction, parameters, values)
      ? boundArguments(s, way.parameters, [], deduction.found, t.scope, missing)
      : undefined;
    const declaration = plainDeclaration(s, way.declaration);
    const signature =
      bound && inScopeOf(s, bound.scope, () => declaredSignature(s, { ...declaration, returnsLater: undefined }));
    if (!signature) return undefined;
    const { name, span } = way.declaration.name;
    const template: FunctionTemplate = {
      kind: "function",
      name,
      parameters: way.parameters,
      declaration,
      outer: t.outer,
      span,
      scope: t.scope,
      instances: new Map(),
      specializations: new Map(),
    };
    const instance = way.parameters.length > 0 ? { instance: { template, arguments: bound.arguments } } : {};
    const info: FunctionInfo = { id: -1, name, ...signature, span, defined: false, calls: new Map(), ...instance };
    return { way, bound, info };
  });
}

/** The struct that it is for a way that was chosen. */
function madeBy(s: Sema, t: StructTemplate, { way, bound }: Candidate, span: Span): NamedTypeInfo | undefined {
  if (!way.written)
    return structInstance(s, t, boundTo(t.scope, t.parameters, bound.arguments.slice(0, t.parameters.length)), span);
  const info = inScopeOf(s, bound.scope, () => resolveSpecifier(s, way.declaration.returnType));
  const made = info?.type.kind === "struct" ? s.templates.structs.get(info.type.name) : undefined;
  if (!info || made?.template.span.start === t.span.start) return info;
  return error(s, "XL2013", `a guide of '${t.name}' leads to an instance of it`, way.declaration.name.span);
}

/** `implicit`: behind `=`, where what is called explicit is not asked. */
export function deducedStruct(
  s: Sema,
  t: StructTemplate,
  values: readonly Value[],
  span: Span,
  implicit: boolean,
): NamedTypeInfo | undefined {
  // An object of an instance is copied.
  const [given, ...more] = values;
  const copied =
    given?.type.kind === "struct" && more.length === 0 ? s.templates.structs.get(given.type.name) : undefined;
  if (copied?.template === t) return { type: given!.type };
  const ways = waysOf(t).filter((w) => !implicit || !w.declaration.qualifiers.some((q) => q.name === "explicit"));
  const all = ways.flatMap((w) => candidate(s, t, w, values) ?? []);
  const best = (some: readonly Candidate[]): readonly Candidate[] => {
    const chosen = chooseOverload(
      s,
      some.map((c) => c.info),
      values,
    );
    return some.filter((c) => chosen.includes(c.info));
  };
  const whole = best(all);
  // Of what fits equally well a guide comes before a constructor (C++17 16.3.3 (1.8)).
  const guides = whole.length > 1 ? best(whole.filter((c) => c.way.written)) : whole;
  const chosen = guides.length === 1 ? guides : whole;
  const made = chosen.map((c) => madeBy(s, t, c, span));
  const [only] = made;
  const names = new Set(made.map((m) => (m?.type.kind === "struct" ? m.type.name : "")));
  if (names.size === 1) return only;
  if (chosen.length === 0 && values.length === 0 && !ways.some((w) => !w.written)) {
    const bound = attempt(s, () => boundArguments(s, t.parameters, [], new Map(), t.scope, () => undefined));
    if (bound) return structInstance(s, t, bound, span);
  }
  const why = chosen.length > 0 ? "what it is made of fits several equally well" : "no constructor or guide says it";
  return error(s, "XL2005", `'${t.name}' needs arguments: ${why}`, span, { help: `write ${t.name}<...>` });
}
