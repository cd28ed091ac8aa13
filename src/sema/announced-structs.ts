/**
 * Structs that are announced (`struct S;`, `typedef struct S T;`) and named before they are defined, by the parameters of
 * prototypes, say. The tree knows no incomplete types: the definition is read before what names it first, with the types
 * and constants it needs itself.
 */
import type * as syntax from "../ast/syntax.js";
import { declaredBy, mentionedBy } from "./reach.js";

/** A declaration, and the structs that it names and that come behind it, since they name what it defines (`struct B; struct A { B *b; };`). */
export interface Ordered {
  readonly declaration: syntax.Declaration;
  readonly promised: readonly syntax.StructSpecifier[];
}

/** The declarations in the order in which they are read. */
export function definitionsBeforeUses(declarations: readonly syntax.Declaration[]): readonly Ordered[] {
  const announced = new Map<string, string>();
  for (const d of declarations) for (const name of announcedBy(d)) announced.set(name, announcedStruct(d)!);
  if (announced.size === 0) return declarations.map((declaration) => ({ declaration, promised: [] }));
  const { places, later } = placesOf(declarations);
  const needs = (i: number, early: boolean): Iterator<number> => {
    const d = declarations[i]!;
    const names = announcedBy(d).length === 0 ? [...mentionedBy(d)] : [];
    return names
      .map((name) => announced.get(name) ?? (early ? name : undefined))
      .map((name) => (name === undefined ? undefined : (places.get(name) ?? later.get(name))))
      .filter((at) => at !== undefined)
      .values();
  };
  const staysBehind = new Set(later.values());
  const out: Ordered[] = [];
  const begun = new Set<number>();
  const done = new Set<number>();
  const wait = (at: number, early: boolean): Waiting => {
    begun.add(at);
    return { at, needs: needs(at, early), promised: new Set() };
  };
  for (const first of declarations.keys()) {
    if (begun.has(first)) continue;
    // Without recursion: each struct may need the next.
    const waiting = [wait(first, false)];
    for (let last = waiting.at(-1); last; last = waiting.at(-1)) {
      const next = last.needs.next() as IteratorResult<number, undefined>;
      if (next.done) {
        waiting.pop();
        done.add(last.at);
        const promised = [...last.promised].filter((at) => !done.has(at)).map((at) => structOf(declarations[at]!)!);
        out.push({ declaration: declarations[last.at]!, promised });
      } else if (begun.has(next.value)) {
        if (!done.has(next.value) && next.value !== last.at) putBehind(waiting, next.value);
      } else if (!staysBehind.has(next.value)) waiting.push(wait(next.value, true));
      else if (structOf(declarations[last.at]!)) last.promised.add(next.value);
    }
  }
  return out;

  /** What waits for others of which one needs it: it is read first, and they are promised. */
  function putBehind(waiting: Waiting[], at: number): void {
    const place = waiting.findIndex((w) => w.at === at);
    const promised = waiting[place + 1]!.at;
    if (!structOf(declarations[promised]!)) return;
    for (const w of waiting.splice(place + 1)) begun.delete(w.at);
    waiting[place]!.promised.add(promised);
  }
}

interface Waiting {
  readonly at: number;
  readonly needs: Iterator<number>;
  readonly promised: Set<number>;
}

function structOf(d: syntax.Declaration): syntax.StructSpecifier | undefined {
  const specifier = d.kind === "variable" || d.kind === "typedef" ? d.specifier : undefined;
  return specifier?.kind === "struct-specifier" && specifier.name ? specifier : undefined;
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
 * since there fewer of its overloads may be known. And where the other structs are, which stay where they are.
 */
function placesOf(declarations: readonly syntax.Declaration[]): {
  readonly places: ReadonlyMap<string, number>;
  readonly later: ReadonlyMap<string, number>;
} {
  const functions = new Set(declarations.flatMap((d) => (d.kind === "function" ? [d.name.name] : [])));
  const places = new Map<string, number>();
  const later = new Map<string, number>();
  declarations.forEach((d, i) => {
    if ((d.kind !== "variable" && d.kind !== "typedef") || announcedBy(d).length > 0) return;
    const specifier = d.specifier?.kind === "struct-specifier" ? d.specifier : undefined;
    const hasFunctions =
      specifier?.members.some((m) => m.kind === "function" || m.kind === "template") === true ||
      [...mentionedBy(d)].some((name) => functions.has(name));
    if (hasFunctions) {
      if (specifier?.name) later.set(specifier.name.name, i);
      return;
    }
    const { names, also } = declaredBy(d);
    for (const name of [...names, ...also]) if (!places.has(name)) places.set(name, i);
  });
  return { places, later };
}
