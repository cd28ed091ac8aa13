/** Declarations with `template` in front of them. */
import type * as syntax from "../../ast/syntax.js";
import { error, notYet, type Scope, type Sema, type Symbol } from "../context.js";
import { declaredIn, declareName, lookupIn } from "../scopes.js";
import { limitsTemplate } from "../../dialects/traits.js";
import { isKernel, kernelInstance } from "../functions.js";
import { hostName, plainName } from "../attributes.js";
import { staticMemberOfInstance, staticMemberOfTemplate } from "../static-members.js";
import { argumentsOf, boundFor, declaredInstance, mostSpecialTemplate } from "./function-templates.js";
import { define, giveBody } from "./define.js";
import { renamed, scopeWith } from "./definition.js";
import { boundTo } from "./bind.js";
import { declareGuide } from "./class-deduction.js";
import { attempt } from "./state.js";
import {
  keyOfAll,
  type Arguments,
  type FunctionTemplate,
  type StructSpecialization,
  type StructTemplate,
  type Template,
} from "./template.js";
import { specializeNamed } from "./struct-templates.js";
import { instanceName } from "./names.js";

/** `writtenIn`: where what it says in front of its name and behind it has its meaning, if that is not the scope it belongs to. */
export function declareTemplate(s: Sema, d: syntax.TemplateDeclaration, writtenIn = s.scope): void {
  const inner = d.declaration;
  if (d.explicit) return explicitInstance(s, d);
  if (inner.kind === "template") return void notYet(s, "templates in templates are", d.span);
  if (inner.kind === "function") {
    if (inner.special === "guide") return declareGuide(s, inner, d.parameters);
    if (d.parameters.length === 0) return functionSpecialization(s, d, inner, writtenIn);
    return functionTemplate(s, d, inner);
  }
  if (inner.kind === "using" && inner.alias) {
    const { name } = inner.alias;
    return named(s, name, { ...base(s, d, name, inner), kind: "alias" });
  }
  if (inner.kind === "variable") {
    const { specifier } = inner;
    if (specifier?.kind === "struct-specifier") return structTemplate(s, d, inner, specifier, writtenIn);
    const elaborated = specifier?.kind === "named-type" && (specifier.elaborated || specifier.path.length > 0);
    if (elaborated && inner.declarators.length === 0) return announced(s, d, inner, specifier);
    const [x, ...more] = inner.declarators;
    const name = more.length === 0 ? x?.name : undefined;
    if (name && name.path.length > 0 && d.parameters.length > 0) return staticMemberOfTemplate(s, x!, name, d);
    if (name?.pathArguments?.at(-1)) return staticMemberOfInstance(s, x!);
    if (name?.templateArguments) return variableSpecialization(s, d, inner, name, name.templateArguments, writtenIn);
    if (name && d.parameters.length > 0)
      return named(s, name, {
        ...base(s, d, name, inner),
        kind: "variable",
        instances: new Map(),
        specializations: [],
      });
  }
  notYet(s, "such a template is", d.span);
}

const base = <D>(s: Sema, d: syntax.TemplateDeclaration, name: syntax.Identifier, declaration: D) => ({
  name: name.name,
  parameters: d.parameters,
  declaration,
  outer: d,
  span: name.span,
  scope: s.scope,
});

function named(s: Sema, name: syntax.Identifier, template: Exclude<Template, FunctionTemplate>): void {
  declareName(s, name.name, { kind: "template", template, span: name.span });
}

// ------------------------------------------------------------------ functions

function functionsSymbol(s: Sema, name: syntax.Identifier): (Symbol & { kind: "functions" }) | undefined {
  const before = s.scope.symbols.get(name.name);
  if (before?.kind === "functions") return before;
  const made: Symbol & { kind: "functions" } = { kind: "functions", overloads: [], templates: [], span: name.span };
  return declareName(s, name.name, made) ? made : undefined;
}

function functionTemplate(s: Sema, d: syntax.TemplateDeclaration, inner: syntax.FunctionDeclaration): void {
  if (inner.name.templateArguments)
    return void error(s, "XL2010", "a function template has no partial specialisation", inner.name.span);
  const symbol = functionsSymbol(s, inner.name);
  if (!symbol) return;
  const template: FunctionTemplate = {
    ...base(s, d, inner.name, inner),
    kind: "function",
    instances: new Map(),
    specializations: new Map(),
  };
  const at = symbol.templates.findIndex((t) => shapeOf(t) === shapeOf(template));
  const before = symbol.templates[at];
  if (!before) return void symbol.templates.push(template);
  if (!inner.body) return;
  if (before.declaration.body) {
    return void error(s, "XL2002", `'${inner.name.name}' is defined twice`, inner.name.span, {
      notes: [{ message: "first defined here", span: before.span }],
    });
  }
  // Default arguments of the first declaration hold, and what was made or specialised since.
  const { instances, specializations, span } = before;
  const visibleBefore = inner.name.span.start;
  const parameters = withDefaults(before, template);
  symbol.templates[at] = { ...template, parameters, instances, specializations, span, visibleBefore };
  const names = renamed(before.parameters, d.parameters);
  const scopeIn = (scope: Scope): Scope => scopeWith(s, scope, names);
  const unmade = [...instances].filter(([key]) => !specializations.has(key)).map(([, f]) => f);
  giveBody(s, unmade, { declaration: inner, outer: d, scopeIn }, inner.name.span);
}

const withDefaults = (before: FunctionTemplate, now: FunctionTemplate): readonly syntax.TemplateParameter[] =>
  now.parameters.map((p, i) => {
    const given = p.default ?? before.parameters[i]?.default;
    return given ? { ...p, default: given } : p;
  });

/** The parameters' types as they are written, those of the template by their place: equal for two declarations of one template. */
function shapeOf(t: FunctionTemplate): string {
  const places = new Map(t.parameters.map((p, i) => [p.name?.name, `#${i}`]));
  const types = t.declaration.parameters.map((p) => [
    p.qualifiers,
    p.specifier,
    p.declarator.derivations,
    p.declarator.pack,
  ]);
  const { returnType, returnDerivations } = t.declaration;
  return JSON.stringify(
    [t.parameters.map((p) => p.template ?? p.type), types, returnType, returnDerivations],
    (key, value: unknown) =>
      key === "span" || key === "operatorSpan"
        ? undefined
        : key === "name" && typeof value === "string"
          ? (places.get(value) ?? value)
          : value,
  );
}

/** The template that a specialisation or an instance of it is of, with the arguments. */
function templateOf(s: Sema, inner: syntax.FunctionDeclaration, writtenIn = s.scope) {
  const symbol = declaredIn(s.scope, inner.name.name);
  if (symbol?.kind !== "functions") return undefined;
  const fitting = symbol.templates.flatMap((t) => {
    const list = argumentsOf(s, t, inner, writtenIn);
    return list ? [{ template: t, list }] : [];
  });
  return mostSpecialTemplate(s, fitting);
}

export const noTemplate = (s: Sema, name: syntax.Identifier): void =>
  void error(s, "XL2005", `there is no template '${name.name}' that this is an instance of`, name.span);

function functionSpecialization(
  s: Sema,
  d: syntax.TemplateDeclaration,
  inner: syntax.FunctionDeclaration,
  writtenIn: Scope,
): void {
  const found = templateOf(s, inner, writtenIn);
  if (!found) return noTemplate(s, inner.name);
  specialize(s, found.template, found.list, { declaration: inner, outer: d });
}

/** What a template is for these arguments, which may be said before it is defined, and used meanwhile (C++14 14.7.3). */
export function specialize(
  s: Sema,
  { instances, specializations }: FunctionTemplate,
  list: Arguments,
  special: { readonly declaration: syntax.FunctionDeclaration; readonly outer: object },
): void {
  const { declaration } = special;
  const { name, span } = declaration.name;
  const key = keyOfAll(list);
  const known = specializations.get(key);
  if (known?.declaration.body && declaration.body)
    return void error(s, "XL2002", `'${name}' is defined twice`, span, {
      notes: [{ message: "first defined here", span: known.declaration.name.span }],
    });
  const made = instances.get(key);
  if (made?.defined) return void error(s, "XL2002", `'${name}' is specialised after it was used`, span);
  if (known && !declaration.body) return;
  specializations.set(key, special);
  if (!known || !made) return void instances.delete(key);
  giveBody(s, [made], { ...special, scopeIn: (scope) => scope }, span);
}

// ------------------------------------------------------------------ structs

function structTemplate(
  s: Sema,
  d: syntax.TemplateDeclaration,
  inner: syntax.VariableDeclaration,
  specifier: syntax.StructSpecifier,
  writtenIn: Scope,
): void {
  if (!specifier.name) return void error(s, "XL2011", "a template needs a name", d.span);
  if (inner.declarators.length > 0) return void notYet(s, "variables declared with a template are", inner.span);
  const { name } = specifier;
  if (!name.templateArguments) {
    const before = s.scope.symbols.get(name.name);
    const known = before?.kind === "template" && before.template.kind === "struct" && !before.template.specifier;
    const { instances, specializations, parameters, outside, guides } = known
      ? before.template
      : { instances: new Map(), specializations: [], parameters: d.parameters, outside: [], guides: [] };
    const template: StructTemplate = {
      ...base(s, d, name, inner),
      parameters: d.parameters.map((p, i) => ({ ...parameters[i], ...p })),
      kind: "struct",
      specifier,
      instances,
      specializations,
      outside,
      guides,
    };
    if (known) return void s.scope.symbols.set(name.name, { kind: "template", template, span: name.span });
    return named(s, name, template);
  }
  // Also of a namespace that is used here: clang asks for one around it alone.
  const symbol = lookupIn(s.scope, name.name) ?? ofLibrary(s, d, inner, name);
  if (symbol?.kind !== "template" || symbol.template.kind !== "struct") return noTemplate(s, name);
  const { template } = symbol;
  const special: StructSpecialization = {
    parameters: d.parameters,
    pattern: name.templateArguments,
    scope: writtenIn,
    declaration: inner,
    specifier,
    outer: d,
    outside: [],
  };
  template.specializations.push(special);
  specializeNamed(s, template, special, name.span);
}

/** A template of the library that the source specialises: `template <typename T> struct _numeric_limits_impl;` */
function ofLibrary(
  s: Sema,
  d: syntax.TemplateDeclaration,
  inner: syntax.VariableDeclaration,
  { name, span }: syntax.Identifier,
): Symbol | undefined {
  if (name !== limitsTemplate.specialized || !s.reading.types.traits) return undefined;
  const identifier: syntax.Identifier = { kind: "identifier", name, path: [], span };
  named(s, identifier, {
    ...base(s, d, identifier, inner),
    parameters: [{ name: { ...identifier, name: "T" }, span }],
    kind: "struct",
    instances: new Map(),
    specializations: [],
    outside: [],
    guides: [],
  });
  return s.scope.symbols.get(name);
}

/** `template <typename T> struct S;` says that there is one; its definition says the rest. */
function announced(
  s: Sema,
  d: syntax.TemplateDeclaration,
  inner: syntax.VariableDeclaration,
  { name, span, path }: syntax.NamedType,
): void {
  // That there is a specialisation is said again where it is defined.
  if (d.parameters.length === 0 || path.length > 0 || s.scope.symbols.has(name)) return;
  const identifier: syntax.Identifier = { kind: "identifier", name, path: [], span };
  named(s, identifier, {
    ...base(s, d, identifier, inner),
    kind: "struct",
    instances: new Map(),
    specializations: [],
    outside: [],
    guides: [],
  });
}

function variableSpecialization(
  s: Sema,
  d: syntax.TemplateDeclaration,
  declaration: syntax.VariableDeclaration,
  name: syntax.Identifier,
  pattern: readonly syntax.TemplateArgument[],
  writtenIn: Scope,
): void {
  const symbol = declaredIn(s.scope, name.name);
  if (symbol?.kind !== "template" || symbol.template.kind !== "variable") return noTemplate(s, name);
  symbol.template.specializations.push({ parameters: d.parameters, pattern, scope: writtenIn, declaration, outer: d });
}

// ------------------------------------------------------------------ explicit instances

/** `template [[host_name("k_f32")]] kernel void k<float>(...);` and `template [[host_name("k_f32")]] kernel k_t k<float>;` */
function explicitInstance(s: Sema, d: syntax.TemplateDeclaration): void {
  const inner = d.declaration;
  const attributes =
    inner.kind === "function" || inner.kind === "variable" ? [...inner.attributes, ...attributesIn(inner)] : [];
  const host = hostName(attributes);
  const name =
    inner.kind === "function" ? inner.name : inner.kind === "variable" ? inner.declarators[0]?.name : undefined;
  // Of a struct: that it is made here changes nothing.
  if (!name) return;
  const symbol = s.scope.symbols.get(name.name);
  if (symbol?.kind === "error") return;
  if (symbol?.kind !== "functions") return noTemplate(s, name);
  let found: { readonly template: FunctionTemplate; readonly list: Arguments } | undefined;
  if (inner.kind === "function") found = templateOf(s, inner);
  else {
    const fitting = symbol.templates.flatMap((t) => {
      const bound = attempt(s, () => boundFor(s, t, name.templateArguments ?? [], () => true));
      return bound ? [{ template: t, list: bound.arguments }] : [];
    });
    found = fitting.length === 1 ? fitting[0] : undefined;
    // Said with its reason, where there is one template.
    if (!found && symbol.templates.length === 1)
      return void boundFor(s, symbol.templates[0]!, name.templateArguments, () => true);
  }
  if (!found) return noTemplate(s, name);
  const { template, list } = found;
  const bound = boundTo(template.scope, template.parameters, list);
  if (!isKernel(s, template.declaration)) {
    const made = declaredInstance(s, template, bound);
    if (made) define(s, made, name.span);
    return;
  }
  if (!s.reading.entryPoint.templates)
    return void error(s, "XL2010", `kernels of ${s.language.name} are no templates`, name.span, {
      help: "write a kernel for each type, that calls the template of a function",
    });
  const own = attributes.filter((a) => plainName(a) !== "host_name" && plainName(a) !== "kernel");
  kernelInstance(s, template, list, bound.scope, host ?? instanceName(s, template, list), own, d);
}

const attributesIn = (inner: syntax.FunctionDeclaration | syntax.VariableDeclaration): readonly syntax.Attribute[] =>
  inner.kind === "function" ? inner.trailingAttributes : inner.declarators.flatMap((x) => x.attributes);
