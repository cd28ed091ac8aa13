/**
 * Structs that are announced (`struct S;`, `typedef struct S T;`) and named before they are defined, by the parameters of
 * prototypes, say. The tree knows no incomplete types: the definition is read before what names it first, with the types
 * and constants it needs itself.
 */
import type * as syntax from "../ast/syntax.js";
import { declaredBy, mentionedBy } from "./reach.js";

/** The declarations in the order in which they are read. */
export function definitionsBeforeUses(declarations: readonly syntax.Declaration[]): readonly syntax.Declaration[] {
  const announced = new Map<string, string>();
  for (const d of declarations) for (const name of announcedBy(d)) announced.set(name, announcedStruct(d)!);
  if (announced.size === 0) return declarations;
  const places = placesOf(declarations);
  const needs = (i: number, early: boolean): Iterator<number> => {
    const d = declarations[i]!;
    const names = announcedBy(d).length === 0 ? [...mentionedBy(d)] : [];
    return names
      .map((name) => (announced.has(name) ? places.get(announced.get(name)!) : early ? places.get(name) : undefined))
      .filter((at) => at !== undefined)
      .values();
  };
  const out: syntax.Declaration[] = [];
  const begun = new Set<number>();
  for (const [first, d] of declarations.entries()) {
    if (begun.has(first)) continue;
    begun.add(first);
    // Without recursion: each struct may need the next.
    const waiting = [{ d, needs: needs(first, false) }];
    for (let last = waiting.at(-1); last; last = waiting.at(-1)) {
      const { value, done } = last.needs.next() as IteratorResult<number, undefined>;
      if (done) out.push(waiting.pop()!.d);
      else if (!begun.has(value)) {
        begun.add(value);
        waiting.push({ d: declarations[value]!, needs: needs(value, true) });
      }
    }
  }
  return out;
}

/** The struct that a declaration only announces. */
function announcedStruct(d: syntax.Declaration): string | undefined {
  if (d.kind !== "variable" && d.kind !== "typedef") return undefined;
  const { specifier } = d;
  if (specifier?.kind !== "named-type" || !specifier.elaborated) return undefined;
  if (d.kind === "variable" && d.declarators.length > 0) return undefined;
  return d.declarators.every((x) => x.name && x.derivations.length === 0) ? specifier.name : undefined;
}

/** It and the other names that it has from there on. */
function announcedBy(d: syntax.Declaration): readonly string[] {
  const name = announcedStruct(d);
  if (name === undefined || (d.kind !== "variable" && d.kind !== "typedef")) return [];
  return [name, ...d.declarators.map((x) => x.name!.name)];
}

/**
 * Where names are declared that mean the same further up: types and variables that no function of the file has a part in,
 * since there fewer of its overloads may be known.
 */
function placesOf(declarations: readonly syntax.Declaration[]): ReadonlyMap<string, number> {
  const functions = new Set(declarations.flatMap((d) => (d.kind === "function" ? [d.name.name] : [])));
  const places = new Map<string, number>();
  declarations.forEach((d, i) => {
    if ((d.kind !== "variable" && d.kind !== "typedef") || announcedBy(d).length > 0) return;
    const specifier = d.specifier?.kind === "struct-specifier" ? d.specifier : undefined;
    if (specifier?.members.some((m) => m.kind === "function" || m.kind === "template")) return;
    if ([...mentionedBy(d)].some((name) => functions.has(name))) return;
    const { names, also } = declaredBy(d);
    for (const name of [...names, ...also]) if (!places.has(name)) places.set(name, i);
  });
  return places;
}
