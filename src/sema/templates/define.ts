/** Bodies of functions, read when they are needed, and bodies of members of structs, which may stand behind those. */
import type * as syntax from "../../ast/syntax.js";
import { append } from "../../support/append.js";
import type { Problem } from "../../support/diagnostics.js";
import type { Span } from "../../support/span.js";
import { sameType } from "../../types/types.js";
import { error, notYet, type FunctionInfo, type Scope, type Sema } from "../context.js";
import { inScopeOf } from "../scopes.js";
import { declaredSignature, helper, sameSignature, type Signature } from "../functions.js";
import { plainDeclaration } from "../method-names.js";
import type { Method, Methods } from "../methods.js";
import { memberNamed } from "../struct-members.js";
import { bodyOf, inPlaces, renamed, scopeWith, type Definition } from "./definition.js";
import { elsewhere, readBody } from "./state.js";
import type { OutsideFunction, StructSpecialization, StructTemplate } from "./template.js";

/** Reads the body of a function that is needed, once. */
export function define(s: Sema, f: FunctionInfo, span: Span): void {
  const { unread } = f;
  if (unread)
    return readBody(s, () => {
      for (const p of unread) s.problems.add(p);
    });
  for (const p of f.wrong ?? []) s.templates.again.add(p);
  if (f.defined || !f.later?.declaration.body) return;
  const { declaration, outer, scope, shown, visibleBefore, untemplated = false } = f.later;
  f.defined = true;
  // An entry that is read again may be the first that wants the body of a function declared before it.
  s.templates.undo.push(() => {
    f.defined = false;
    f.calls.clear();
    for (const key of ["declaration", "wrong", "captures"] as const) delete f[key];
  });
  const { again } = s.templates;
  const before = new Set(again);
  readBody(s, () => {
    const said = s.problems.list.length;
    elsewhere(s, scope, visibleBefore, { shown, span }, () => {
      s.templates.untemplated = untemplated;
      return helper(s, declaration, f, outer);
    });
    const found = [...s.problems.list.slice(said), ...[...again].filter((p) => !before.has(p))];
    const wrong = found.filter((p) => p.severity === "error");
    if (wrong.length > 0) f.wrong = wrong;
  });
}

/** Functions of one declaration that were wanted before their body was known. */
export function giveBody(s: Sema, made: readonly FunctionInfo[], definition: Definition, span: Span): void {
  for (const f of made) {
    if (!f.later || f.defined) continue;
    f.later = { ...f.later, ...bodyOf(definition, definition.declaration, f.later.scope, undefined) };
    if (definition.unread) f.unread = definition.unread;
    if (s.functions.some((x) => x.calls.has(f.id))) define(s, f, span);
  }
}

// ------------------------------------------------------------------ bodies behind a struct

/** A definition behind the template of a struct, or behind a specialisation of it: for what was made of it, and what will be. */
export function addOutside(
  s: Sema,
  template: StructTemplate,
  of: StructTemplate | StructSpecialization,
  f: OutsideFunction,
  span: Span,
): void {
  of.outside.push(f);
  for (const made of template.instances.values()) {
    const name = made !== "being read" && made.type.kind === "struct" ? made.type.name : undefined;
    if (name !== undefined && s.templates.structs.get(name)?.outside === of.outside) definedBehind(s, name, f, span);
  }
}

/** The definition behind a template, for the instance `struct`. */
export function definedBehind(s: Sema, struct: string, f: OutsideFunction, span: Span): void {
  let of = struct;
  for (const part of f.rest) {
    const inner = memberNamed(s, of, part);
    if (inner?.kind !== "type" || inner.info.type.kind !== "struct")
      return void error(s, "XL2001", `the struct has no struct '${part}'`, f.declaration.name.span);
    of = inner.info.type.name;
  }
  if (f.nested) {
    const inner = memberNamed(s, of, f.nested.name);
    if (inner?.kind !== "template" || inner.template.kind !== "struct")
      return void error(s, "XL2001", `the struct has no template '${f.nested.name}'`, f.declaration.name.span);
    return addOutside(s, inner.template, inner.template, f.nested.function, span);
  }
  const names = renamed(s.templates.structs.get(struct)!.parameters, f.parameters);
  defineMember(s, of, { ...f, names, special: false, unread: undefined }, span);
}

/** A definition and what it may be of. */
interface Asked extends Pick<OutsideFunction, "declaration" | "own" | "outer"> {
  readonly names: ReadonlyMap<string, string>;
  /** For one instance of a template, which has a body for all. */
  readonly special: boolean;
  readonly unread: readonly Problem[] | undefined;
}

export function defineMember(s: Sema, struct: string, asked: Asked, span: Span): void {
  const { declaration: d, names, own, special, unread } = asked;
  const methods = s.methods.get(struct);
  const found = methods ? fitting(s, methods, asked) : [];
  const [m] = found;
  if (found.length > 1)
    return void notYet(s, "a template of several that are defined outside their struct is", d.name.span);
  if (!m) {
    const shown = [...d.name.path, d.name.name].join("::");
    return void error(s, "XL2012", `the struct declares no '${shown}' that this defines`, d.name.span);
  }
  const all = own ? new Map([...names, ...renamed(m.outer?.parameters ?? [], own.parameters)]) : names;
  const declaration = plainDeclaration(s, d);
  const scopeIn = (scope: Scope): Scope => scopeWith(s, scope, all);
  const definition: Definition = { declaration, outer: asked.outer, scopeIn, ...(unread ? { unread } : {}) };
  const made: FunctionInfo[] = [...m.made.values(), ...m.madeConst.values()].filter((f) => f !== undefined);
  for (const t of m.templates?.values() ?? []) {
    t.definition = definition;
    append(made, [...t.instances.values()]);
  }
  if (special && made.some((f) => f.defined))
    return void error(s, "XL2002", `'${d.name.name}' is specialised after it was used`, d.name.span);
  m.definition = definition;
  giveBody(s, made, definition, span);
}

/** The functions that the struct declares and this may define. */
function fitting(s: Sema, methods: Methods, { declaration: d, own, names, special }: Asked): readonly Method[] {
  const words = (x: syntax.FunctionDeclaration): string =>
    x.trailingAttributes
      .map((a) => a.name)
      .sort()
      .join(" ");
  const open = listFor(methods, d).filter(
    (m) =>
      (special || !(m.declaration.body ?? m.definition)) &&
      (m.template !== undefined) === (own !== undefined) &&
      m.declaration.parameters.length === d.parameters.length &&
      words(m.declaration) === words(d),
  );
  if (own) {
    if (open.length < 2) return open;
    const here = inPlaces(d.parameters, own.parameters);
    return open.filter((m) => inPlaces(m.declaration.parameters, m.outer!.parameters) === here);
  }
  const signature = (x: syntax.FunctionDeclaration, scope: Scope): Signature | undefined =>
    inScopeOf(s, scope, () => declaredSignature(s, plainDeclaration(s, x)));
  const defined = signature(d, scopeWith(s, methods.scope, names));
  if (!defined) return [];
  return open.filter((m) => {
    const declared = signature(m.declaration, methods.scope);
    return (
      declared !== undefined &&
      sameSignature(declared.parameters, defined.parameters) &&
      sameType(declared.returnType, defined.returnType)
    );
  });
}

function listFor(methods: Methods, { special, name: { name, path } }: syntax.FunctionDeclaration): readonly Method[] {
  if (special === "constructor") return name === path.at(-1) ? methods.constructors.filter((m) => !m.inherits) : [];
  return special ? methods.conversions : (methods.functions.get(name) ?? []);
}
