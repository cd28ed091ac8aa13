/** Where a target lays out what is in a buffer in another way than the source does. */
import { variableOf } from "../../ast/lookup.js";
import type { Expr, Module, Resource } from "../../ast/nodes.js";
import { walkModule } from "../../ast/walk.js";
import type { Dialect } from "../../dialects/ids.js";
import { isTargetDialect } from "../../dialects/ids.js";
import { bufferLayout, languageFacts, layoutOfResource, writingFacts } from "../../dialects/languages.js";
import { typeIn } from "../../dialects/show-type.js";
import { layoutDifference, layoutOf } from "../../types/layout.js";
import { array, vector, withLeaves, type Type } from "../../types/types.js";
import { plainType, retypedStructs } from "../values/plain-vectors.js";

const shownIn =
  ({ dialect }: Module) =>
  (type: Type): string =>
    typeIn(dialect, type);

/** Vectors of bools in buffers are bytes by now; elsewhere they are vectors of ints, where comparisons of vectors are. */
const plainWithMasks = (type: Type): Type =>
  withLeaves(plainType(type), (t) => (t.kind === "vector" && t.scalar === "bool" ? vector("i32", t.size) : t));
const asItIs = (type: Type): Type => type;

/** The types and structs that the target writes for those of the module: it may have packed vectors, and vectors of bools. */
function writtenIn(module: Module, target: Dialect): { readonly structs: Module["structs"]; type(t: Type): Type } {
  const packed = isTargetDialect(target) && writingFacts(target).packedVectors;
  const type = packed ? asItIs : languageFacts[target].relations === "int" ? plainWithMasks : plainType;
  return { structs: packed ? module.structs : retypedStructs(module, type), type };
}

/** Where the target would lay the buffer out in another way, in words. */
export function bufferDifference(r: Resource, module: Module, target: Dialect): string | undefined {
  const source = layoutOfResource(module.dialect, r);
  const to = r.kind === "value" ? source : bufferLayout(target);
  const { type } = variableOf(module, r.variable);
  const written = writtenIn(module, target);
  return layoutDifference(type, source, to, module.structs, written.structs, written.type(type), shownIn(module));
}

/**
 * Where the target would lay what a pointer that is cast points to, before or after, out in another way, or ask for more of its address:
 * plain vectors begin at multiples of their size, packed ones, for which they stand, at any component.
 */
export function castDifference(e: Expr, module: Module, target: Dialect): string | undefined {
  if (e.kind !== "bitcast") return undefined;
  const [given, asked] = [pointeeOf(e.operand.type), pointeeOf(e.type)];
  const differs = (given && listDifference(given, module, target)) ?? (asked && listDifference(asked, module, target));
  if (differs || !asked) return differs;
  const [from, to] = [bufferLayout(module.dialect), bufferLayout(target)];
  const written = writtenIn(module, target);
  const alignment = (type: Type): number => layoutOf(written.type(type), to, written.structs).align;
  const [own, needed] = [layoutOf(asked, from, module.structs).align, alignment(asked)];
  if (needed <= own || (given && alignment(given) >= needed)) return undefined;
  return `${typeIn(module.dialect, asked)} begins at multiples of ${own} bytes in one and of ${needed} in the other`;
}

/** Where the target would lay what a union is looked at as out in another way. */
export function unionDifference(module: Module, target: Dialect): string | undefined {
  let viewed: ReadonlySet<string> | undefined;
  for (const s of module.structs.values()) {
    const differs = s.union && listDifference({ kind: "struct", name: s.name }, module, target);
    if (differs && (viewed ??= viewedUnions(module)).has(s.name)) return differs;
  }
  return undefined;
}

/** Unions of which more than one member is named: what lies in one is looked at as another. */
function viewedUnions(module: Module): ReadonlySet<string> {
  const first = new Map<string, string>();
  const viewed = new Set<string>();
  const note = (type: Type, member: string | undefined): void => {
    if (type.kind !== "struct" || member === undefined || !module.structs.get(type.name)?.union) return;
    const known = first.get(type.name);
    if (known === undefined) first.set(type.name, member);
    else if (known !== member) viewed.add(type.name);
  };
  walkModule(module, {
    expr: (e) => {
      if (e.kind === "member-value") note(e.operand.type, e.member);
      else if (e.kind === "construct" && e.type.kind === "struct")
        note(e.type, e.member ?? module.structs.get(e.type.name)!.members[0]?.name);
    },
    place: (p) => {
      if (p.kind === "member") note(p.base.type, p.member);
    },
  });
  return viewed;
}

/** Of one after the other in memory. */
function listDifference(type: Type, module: Module, target: Dialect): string | undefined {
  const [list, written] = [array(type, undefined), writtenIn(module, target)];
  const [from, to] = [bufferLayout(module.dialect), bufferLayout(target)];
  return layoutDifference(list, from, to, module.structs, written.structs, written.type(list), shownIn(module));
}

/** What a pointer points to, where that has a layout. */
const pointeeOf = (type: Type): Type | undefined =>
  type.kind === "pointer" && type.pointee.kind !== "void" ? type.pointee : undefined;
