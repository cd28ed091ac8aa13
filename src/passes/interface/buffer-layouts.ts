/** Buffers and objects by how the target lays them out: as they are, as words, or refused. */
import { element, i32Literal } from "../../ast/builders.js";
import { variableOf } from "../../ast/lookup.js";
import type { Resource, Module, VarId, Variable } from "../../ast/nodes.js";
import { walkModule, rewriteModule } from "../../ast/walk.js";
import { decideType } from "../../caps/decide.js";
import type { Dialect } from "../../dialects/ids.js";
import { writingFacts, languageFacts, bufferLayout, layoutOfResource } from "../../dialects/languages.js";
import { typeIn } from "../../dialects/show-type.js";
import { hasRuntimeTail, scalarsOf, scalarSize, layoutDifference, layoutOf } from "../../types/layout.js";
import { type ScalarKind, scalar, bitWidth, type Type, vector, sameType, array } from "../../types/types.js";
import { copiedByElements } from "../memory/array-loops.js";
import { atomicWords, keepsPointers } from "../memory/atomic-words.js";
import { viewedTypes } from "../memory/viewed-objects.js";
import type { PassContext, Pass, TextPass } from "../pass.js";

/**
 * Whether a buffer is words in the target, addressed in bytes and laid out as in the source: one the target would lay out
 * in another way (vectors of three components, matrices, doubles among smaller members); one that holds 8- or 16-bit
 * values the profile has no type for in memory, or bools of one byte; one that pointers to something else point into; one with
 * atomics that act on words alone (atomic-words.ts); in HLSL one whose elements follow other members. Between dialects with pointers none is: what points into it would
 * have to become a number too.
 */

export function isBoundAsWords(r: Resource, module: Module, context: PassContext): boolean {
  const { target, profile } = context;
  if (target === "ts" || module.dialect === target || r.kind !== "buffer" || r.block?.kind === "uniform") return false;
  const { type } = variableOf(module, r.variable);
  if (writingFacts(target).openEnded === "nowhere" && hasRuntimeTail(type, module.structs)) return true;
  const { pointers } = languageFacts[target];
  if (keepsPointers(module, context)) return false;
  if (bufferDifference(r, module, target) !== undefined || viewedTypes(module).has(r.variable)) return true;
  if (atomicWords(module, context).has(r.variable)) return true;
  if (pointers) return false;
  const lacking = (k: ScalarKind, ...stored: ["stored"?]): boolean =>
    "refused" in decideType(scalar(k), target, profile, ...stored);
  return scalarsOf(type, module.structs).some((k) => {
    if (k === "bool") return scalarSize(k, bufferLayout(module.dialect)) !== scalarSize(k, bufferLayout(target));
    return bitWidth(k) < 32 && (lacking(k) || lacking(k, "stored"));
  });
}

/** Where the target would lay the buffer out in another way, in words. */

export function bufferDifference(r: Resource, module: Module, target: Dialect): string | undefined {
  const source = layoutOfResource(module.dialect, r);
  const to = r.kind === "value" ? source : bufferLayout(target);
  const { type } = variableOf(module, r.variable);
  return layoutDifference(type, source, to, module.structs, withoutPacked(module), plainType(type), shownIn(module));
}

/** A type as dialects without packed vectors have it. */
function plainType(type: Type): Type {
  if (type.kind === "array") return { ...type, element: plainType(type.element) };
  return type.kind === "vector" && type.packed ? vector(type.scalar, type.size) : type;
}

/** The structs as dialects without packed vectors have them. */
function withoutPacked(module: Module): Module["structs"] {
  let known = plainStructs.get(module.structs);
  if (!known) plainStructs.set(module.structs, (known = plainStructsOf(module)));
  return known;
}

const plainStructs = new WeakMap<Module["structs"], Module["structs"]>();

function plainStructsOf(module: Module): Module["structs"] {
  const changed = (type: Type): boolean => !sameType(type, plainType(type));
  if (![...module.structs.values()].some((s) => s.members.some((m) => changed(m.type)))) return module.structs;
  return new Map(
    [...module.structs].map(([name, s]) => [
      name,
      { ...s, members: s.members.map((m) => ({ ...m, type: plainType(m.type) })) },
    ]),
  );
}

/** What the host fills, as dialects without packed vectors have it: offsets and types are those of plain ones. */

export function withPlainVectors(module: Module): Module {
  const structs = withoutPacked(module);
  const variables = new Map(module.variables);
  for (const r of module.resources) {
    const v = variableOf(module, r.variable);
    variables.set(v.id, { ...v, type: plainType(v.type) });
  }
  return { ...module, structs, variables };
}

const shownIn =
  ({ dialect }: Module) =>
  (type: Type): string =>
    typeIn(dialect, type);

/** Refuses casts to pointers to what the target lays out in another way: between languages with pointers they stay. */
function checkCasts(module: Module, context: PassContext): void {
  const target = context.target as Dialect;
  if (!languageFacts[target].pointers) return;
  const [from, to] = [bufferLayout(module.dialect), bufferLayout(target)];
  walkModule(module, {
    expr: (e) => {
      if (e.kind !== "bitcast" || e.type.kind !== "pointer" || e.type.pointee.kind === "void") return;
      const list = array(e.type.pointee, undefined);
      const difference = layoutDifference(
        list,
        from,
        to,
        module.structs,
        withoutPacked(module),
        plainType(list),
        shownIn(module),
      );
      if (difference !== undefined)
        context.problems.error(
          "XL3002",
          `a pointer is cast to one to ${typeIn(module.dialect, e.type.pointee)}, which lies in memory otherwise in ${languageFacts[target].name}: ${difference}`,
          e.span,
        );
    },
  });
}

/** Refuses buffers that the target would lay out in another way. */

export const checkLayouts: Pass = {
  name: "check-layouts",
  run(module, context) {
    if (context.target === module.dialect || context.target === "ts") return module;
    checkCasts(module, context);
    const packed = withoutPacked(module) !== module.structs;
    // Arguments by value have offsets of their own, unless a struct is one parameter.
    const whole = languageFacts[context.target].valueArguments === "parameters";
    for (const r of module.resources) {
      if (r.kind !== "buffer" && !(r.kind === "value" && whole && packed)) continue;
      const v = variableOf(module, r.variable);
      if (isBoundAsWords(r, module, context)) continue;
      const difference = bufferDifference(r, module, context.target);
      if (difference !== undefined) {
        context.problems.error(
          "XL3002",
          `buffer ${v.name} would hold its data in another layout in ${context.target}: ${difference}`,
          v.span,
        );
      }
    }
    return module;
  },
};

/**
 * Buffers that hold one object or an array of fixed size become runtime-sized arrays where the target binds pointers or
 * structured buffers: `count` is then `count[0]`.
 */

export const shapeBuffers: TextPass = {
  name: "shape-buffers",
  requires: ["sizes-settled"],
  ensures: ["buffers-shaped"],
  run(module, context) {
    const { target, problems } = context;
    const { bufferTypes, largestElement = Infinity } = writingFacts(target);
    if (bufferTypes === "any") return module;
    const changed = new Map<VarId, Variable>();
    const wrapped = new Set<VarId>();
    for (const r of module.resources) {
      if (r.kind !== "buffer") continue;
      const v = variableOf(module, r.variable);
      if (v.type.kind === "array") {
        if (v.type.length !== undefined) changed.set(v.id, { ...v, type: array(v.type.element, undefined) });
        continue;
      }
      if (bufferTypes === "objects and rows") continue;
      const bytes = layoutOf(v.type, bufferLayout(target), module.structs).size;
      if (bytes > largestElement)
        problems.error(
          "XL4008",
          `the elements of a structured buffer have at most ${largestElement} bytes, ${v.name} would have ${bytes}`,
          v.span,
        );
      changed.set(v.id, { ...v, type: array(v.type, undefined) });
      wrapped.add(v.id);
    }
    if (changed.size === 0) return module;
    const lists = new Set([...changed.keys()].filter((id) => !wrapped.has(id)));
    const next = rewriteModule(copiedByElements(module, lists), {
      place(p) {
        if (p.kind !== "variable") return p;
        const v = changed.get(p.variable);
        if (!v) return p;
        const whole = { ...p, type: v.type };
        return wrapped.has(v.id) ? element(whole, i32Literal(0, p.span), p.span) : whole;
      },
    });
    return { ...next, variables: new Map([...next.variables, ...changed]) };
  },
};
