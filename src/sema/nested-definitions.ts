/**
 * `struct A { struct In; }; struct A::In { .. };` (C++14 9.7): the definition is read in the place where the struct announces it. What it
 * names has to mean the same there.
 */
import type * as syntax from "../ast/syntax.js";
import { declaredBy, mentionedBy } from "./reach.js";

export function withNestedDefinitions(unit: syntax.TranslationUnit): syntax.TranslationUnit {
  const declarations = inList(unit.declarations);
  return declarations === unit.declarations ? unit : { ...unit, declarations };
}

type Declarations = readonly syntax.Declaration[];

function inList(list: Declarations): Declarations {
  let out: (syntax.Declaration | undefined)[] | undefined;
  const places = new Map<string, number>();
  /** By its name, where one was declared last. */
  const declared = new Map<string, number>();
  for (const [i, d] of list.entries()) {
    const inner = d.kind === "namespace" ? inList(d.declarations) : undefined;
    if (d.kind === "namespace" && inner !== d.declarations) (out ??= [...list])[i] = { ...d, declarations: inner! };
    const { names, also } = declaredBy(d);
    for (const name of [...names, ...also]) declared.set(name, i);
    const specifier = d.kind === "variable" ? structOf(d) : undefined;
    const path = specifier?.name?.path ?? [];
    const [first, ...rest] = path;
    if (specifier?.name && path.length === 0) places.set(specifier.name.name, i);
    const at = first === undefined ? undefined : places.get(first);
    if (at === undefined || !specifier || d.kind !== "variable" || d.declarators.length > 0) continue;
    const isBehind = (name: string): boolean => declared.get(name) !== i && (declared.get(name) ?? -1) > at;
    if ([...mentionedBy(d)].some(isBehind)) continue;
    const { path: _, pathArguments, ...name } = specifier.name!;
    const whole = (out ?? list)[at] as syntax.VariableDeclaration;
    const definition: syntax.VariableDeclaration = { ...d, specifier: { ...specifier, name: { ...name, path: [] } } };
    const filled = pathArguments ? undefined : defined(whole, rest, definition);
    if (!filled) continue;
    out ??= [...list];
    out[at] = filled;
    out[i] = undefined;
    for (const name of [...names, ...also]) declared.set(name, at);
  }
  return out?.filter((d) => d !== undefined) ?? list;
}

const structOf = ({ specifier }: syntax.VariableDeclaration): syntax.StructSpecifier | undefined =>
  specifier?.kind === "struct-specifier" ? specifier : undefined;

/** The struct with the definition where it, or one in it that the path leads to, announces it. */
function defined(
  whole: syntax.VariableDeclaration,
  path: readonly string[],
  definition: syntax.VariableDeclaration,
): syntax.VariableDeclaration | undefined {
  const specifier = structOf(whole)!;
  const [next, ...rest] = path;
  const wanted = next ?? (definition.specifier as syntax.StructSpecifier).name!.name;
  const at = specifier.members.findIndex(
    (m) => m.kind === "variable" && (next === undefined ? announces(m, wanted) : structOf(m)?.name?.name === wanted),
  );
  const member = specifier.members[at] as syntax.VariableDeclaration | undefined;
  const made = member && (next === undefined ? definition : defined(member, rest, definition));
  if (!made) return undefined;
  const members = specifier.members.map((m, i) => (i === at ? made : m));
  return { ...whole, specifier: { ...specifier, members } };
}

const announces = ({ specifier, declarators }: syntax.VariableDeclaration, name: string): boolean =>
  specifier?.kind === "named-type" &&
  specifier.elaborated !== undefined &&
  specifier.elaborated !== "enum" &&
  specifier.name === name &&
  specifier.path.length === 0 &&
  declarators.length === 0;
