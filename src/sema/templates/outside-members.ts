/**
 * Functions of structs that are defined behind them (C++14 9.3 (5), 14.5.1.1): `T S<T>::f(int x) { ... }`. The declaration in the
 * struct says what the function takes and returns; this is its body, whose names mean what is declared before it.
 */
import type * as syntax from "../../ast/syntax.js";
import { error, notYet, type Scope, type Sema, type Symbol } from "../context.js";
import { inScopeOf, lookup } from "../scopes.js";
import { functionDeclaration } from "../functions.js";
import { specialization } from "../methods.js";
import { memberOfSymbol } from "../namespaces.js";
import { behindItsStruct } from "../structs.js";
import { declareTemplate } from "./declare.js";
import { addOutside, defineMember } from "./define.js";
import { isSameForm, type Forms } from "./partial-order.js";
import { meaningsOf, templateType } from "./struct-templates.js";
import type { OutsideFunction, StructSpecialization, StructTemplate } from "./template.js";

/** The function with a path in front of its name that is declared here, and the templates it stands in, that of the struct first. */
export function functionOutside(
  d: syntax.Declaration,
):
  | { readonly function: syntax.FunctionDeclaration; readonly around: readonly syntax.TemplateDeclaration[] }
  | undefined {
  const around: syntax.TemplateDeclaration[] = [];
  let inner = d;
  for (; inner.kind === "template" && !inner.explicit; inner = inner.declaration) around.push(inner);
  return inner.kind === "function" && inner.name.path.length > 0 ? { function: inner, around } : undefined;
}

/** A struct with a path in front of its name that is defined here, or what a template of a variable is for some arguments. */
interface Outside {
  readonly name: syntax.Identifier;
  /** Without the path. */
  readonly declaration: syntax.Declaration;
}

export function structOutside(d: syntax.Declaration): Outside | undefined {
  if (d.kind === "template" && !d.explicit) {
    const inner = structOutside(d.declaration) ?? variableOutside(d.declaration);
    return inner && { name: inner.name, declaration: { ...d, declaration: inner.declaration } };
  }
  const specifier = d.kind === "variable" || d.kind === "typedef" ? d.specifier : undefined;
  if (specifier?.kind !== "struct-specifier" || !specifier.name || specifier.name.path.length === 0) return undefined;
  const plain: syntax.StructSpecifier = { ...specifier, name: withoutPath(specifier.name) };
  return { name: specifier.name, declaration: { ...d, specifier: plain } as syntax.Declaration };
}

/** `template <> constant int n::size<int> = 4;` */
function variableOutside(d: syntax.Declaration): Outside | undefined {
  const [x, ...more] = d.kind === "variable" ? d.declarators : [];
  if (d.kind !== "variable" || more.length > 0 || !x?.name?.templateArguments || x.name.path.length === 0)
    return undefined;
  return { name: x.name, declaration: { ...d, declarators: [{ ...x, name: withoutPath(x.name) }] } };
}

function withoutPath({ pathArguments: _, ...name }: syntax.Identifier): syntax.Identifier {
  return { ...name, path: [] };
}

/**
 * Reads `template <> struct a::S<V> { .. };` in the namespace it belongs to (C++14 7.3.1.2 (2), 14.7.3 (2)); V is what it is here, since names
 * of that namespace are found behind the declarator's own name alone (3.4.1 (8)).
 */
export function outsideStruct(s: Sema, { name, declaration }: Outside, read: (d: syntax.Declaration) => void): void {
  const owner = pathLeadsTo(s, name);
  if (owner?.kind === "error") return;
  const here = s.scope;
  if (owner?.kind === "namespace")
    return inScopeOf(s, owner.scope, () =>
      declaration.kind === "template" ? declareTemplate(s, declaration, here) : read(declaration),
    );
  if (owner) return void notYet(s, behindItsStruct, name.span, "define it inside");
  error(s, "XL2001", `'${name.path.join("::")}' names no struct and no namespace`, name.span);
}

/** What the path in front of a name leads to, where templates are in it as themselves. */
function pathLeadsTo(s: Sema, name: syntax.Identifier): Symbol | undefined {
  const [first, ...rest] = name.path as readonly [string, ...string[]];
  const start: Symbol | undefined =
    first === "" ? { kind: "namespace", scope: s.globalScope, span: name.span } : lookup(s, first);
  return rest.reduce((at, part) => at && memberOfSymbol(s, at, part), start);
}

/** What the path in front of the name leads to. */
type Owner =
  | { readonly kind: "namespace"; readonly scope: Scope }
  | { readonly kind: "struct"; readonly struct: string; readonly special: boolean }
  | {
      readonly kind: "template";
      readonly template: StructTemplate;
      readonly of: StructTemplate | StructSpecialization;
      readonly rest: readonly string[];
      /** A template of the struct that this leads to, and the path on from it. */
      readonly nested?: { readonly name: string; readonly rest: readonly string[] };
    };

/** `around`: the templates it stands in, that of the struct first. */
export function outsideMember(
  s: Sema,
  written: syntax.FunctionDeclaration,
  around: readonly syntax.TemplateDeclaration[] = [],
): void {
  const d = withBody(written);
  const owner = ownerOf(s, d.name, around);
  if (!owner) return;
  const { span } = d.name;
  if (owner.kind === "namespace") return ofNamespace(s, d, around, owner.scope);
  if (d.given === "delete")
    return void error(
      s,
      "XL2011",
      "a function is deleted where it is first declared, in the struct (C++14 8.4.3)",
      span,
    );
  const nested = owner.kind === "template" ? owner.nested : undefined;
  const heads = owner.kind === "template" || owner.special ? (nested ? 2 : 1) : 0;
  const [own, ...more] = around.slice(heads);
  if (more.length === 0 && own?.parameters.length === 0 && owner.kind === "struct")
    return specialized(s, owner.struct, d, own);
  if (!d.body)
    return void notYet(s, "such a declaration of a member outside its struct is", span, "write it in the struct");
  if (more.length > 0 || own?.parameters.length === 0)
    return void notYet(s, "such a template that is defined outside its struct is", span);
  const outer = around[0] ?? d;
  if (owner.kind === "struct") {
    const unread = around.length === 0 ? s.options.part?.unread.get(d) : undefined;
    const asked = { declaration: d, outer, own, names: new Map<string, string>(), special: owner.special, unread };
    return defineMember(s, owner.struct, asked, span);
  }
  const inStruct = { declaration: d, own, outer };
  const [first, second] = around;
  const f: OutsideFunction = { ...inStruct, parameters: first!.parameters, rest: owner.rest };
  const inner = nested && { ...inStruct, parameters: second!.parameters, rest: nested.rest };
  const whole = inner ? { ...f, nested: { name: nested.name, function: inner } } : f;
  addOutside(s, owner.template, owner.of, whole, span);
}

/** `template <> float S::f<float>(float x) { .. }`: of a template that the struct has (C++14 14.7.3). */
function specialized(s: Sema, struct: string, d: syntax.FunctionDeclaration, outer: syntax.TemplateDeclaration): void {
  const methods = s.methods.get(struct);
  if (d.special || !methods) return void notYet(s, "such a specialisation of a member is", d.name.span);
  const plain: syntax.FunctionDeclaration = { ...d, name: withoutPath(d.name) };
  inScopeOf(s, methods.scope, () => specialization(s, methods, plain, outer));
}

/** `S::S() = default;` behind the struct counts as written there (C++14 8.4.2 (5)): it says of no member what that is given. */
function withBody(d: syntax.FunctionDeclaration): syntax.FunctionDeclaration {
  if (d.given !== "default" || d.special !== "constructor" || d.parameters.length > 0) return d;
  const { given: _, ...rest } = d;
  return { ...rest, body: { kind: "compound", statements: [], span: { start: d.span.end, end: d.span.end } } };
}

/** A function that the namespace has declared. */
function ofNamespace(
  s: Sema,
  d: syntax.FunctionDeclaration,
  [outer, ...more]: readonly syntax.TemplateDeclaration[],
  scope: Scope,
): void {
  const { name, span } = d.name;
  if (scope.symbols.get(name)?.kind !== "functions" || more.length > 0)
    return void error(s, "XL2001", `the namespace declares no function '${name}'`, span);
  const plain: syntax.FunctionDeclaration = { ...d, name: withoutPath(d.name) };
  const here = s.scope;
  inScopeOf(s, scope, () =>
    outer ? declareTemplate(s, { ...outer, declaration: plain }, here) : functionDeclaration(s, plain),
  );
}

/** Undefined with a problem. */
function ownerOf(s: Sema, name: syntax.Identifier, around: readonly syntax.TemplateDeclaration[]): Owner | undefined {
  let at: Symbol | undefined;
  let special = false;
  for (const [i, part] of name.path.entries()) {
    if (i === 0) at = part === "" ? { kind: "namespace", scope: s.globalScope, span: name.span } : lookup(s, part);
    else at = at && memberOfSymbol(s, at, part);
    const list = name.pathArguments?.[i];
    if (at?.kind === "error") return undefined;
    if (!list) continue;
    const template = at?.kind === "template" && at.template.kind === "struct" ? at.template : undefined;
    if (!template) break;
    const parameters = around[0]?.parameters ?? [];
    if (parameters.length > 0) {
      const of = isOfParameters(list, parameters)
        ? template
        : specializationOf(s, template, { parameters, types: list, scope: s.scope });
      const later = name.pathArguments.flatMap((a, k) => (a !== undefined && k > i ? [k] : []));
      const [k] = later;
      // Its own parameters have the names that they have in the struct.
      const fits =
        k === undefined ||
        (of === template &&
          isOfParameters(list, template.parameters) &&
          isOfParameters(name.pathArguments[k]!, around[1]?.parameters ?? []));
      if (!of || later.length > 1 || !fits)
        return void notYet(s, "such a member that is defined outside its struct is", name.span, "define it inside");
      const rest = name.path.slice(i + 1, k);
      const nested = k === undefined ? {} : { nested: { name: name.path[k]!, rest: name.path.slice(k + 1) } };
      return { kind: "template", template, of, rest, ...nested };
    }
    special ||= around.length > 0;
    const info = templateType(s, template, list, name.span);
    if (!info) return undefined;
    at = { kind: "type", info, span: name.span };
  }
  if (at?.kind === "namespace") return { kind: "namespace", scope: at.scope };
  if (at?.kind === "type" && at.info.type.kind === "struct")
    return { kind: "struct", struct: at.info.type.name, special };
  return error(s, "XL2001", `'${name.path.join("::")}' names no struct and no namespace`, name.span);
}

/** That for arguments that mean the same, in which parameters may have other names. */
const specializationOf = (s: Sema, t: StructTemplate, written: Forms): StructSpecialization | undefined =>
  t.specializations.find(({ parameters, pattern, scope }) =>
    isSameForm(meaningsOf(s), { parameters, types: pattern, scope }, written),
  );

/** `<T, N>` of the parameters T and N themselves. */
const isOfParameters = (
  list: readonly syntax.TemplateArgument[],
  parameters: readonly syntax.TemplateParameter[],
): boolean =>
  list.length === parameters.length &&
  list.every((a, i) => nameOf(a) === parameters[i]!.name?.name && nameOf(a) !== "");

function nameOf(a: syntax.TemplateArgument): string {
  if (a.kind === "pack-expansion") return nameOf(a.pattern);
  if (a.kind === "identifier") return a.path.length === 0 ? a.name : "";
  if (a.kind !== "type-name" || a.derivations.length > 0 || a.qualifiers.length > 0) return "";
  const { specifier: t } = a;
  return t.kind === "named-type" && t.path.length === 0 && !t.templateArguments ? t.name : "";
}
