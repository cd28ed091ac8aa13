/**
 * Static buffers of HLSL that are given none where they are declared: `static RWStructuredBuffer<float> b;`, and `b = a;` in functions. As for
 * DXC, each has to be one buffer of the file, and is another name for that; until it is known which, it is a buffer of its own.
 */
import type { Module, VarId } from "../ast/nodes.js";
import { load } from "../ast/builders.js";
import { rewriteModule, walkModule } from "../ast/walk.js";
import type { Span } from "../support/span.js";
import { sameType } from "../types/types.js";
import { error, notYet, type Sema, type Value } from "./context.js";

/** What is assigned to a static buffer, with the first place. */
export type StaticBuffers = Map<VarId, Map<VarId, Span>>;

/** The static buffer that is meant. */
export function staticBufferOf(s: Sema, { object, place }: Value): VarId | undefined {
  return object && place?.kind === "variable" && s.staticBuffers.has(place.variable) ? place.variable : undefined;
}

/** `b = a;`, which does nothing but name it. */
export function nameStaticBuffer(s: Sema, target: VarId, value: Value, span: Span): Value | undefined {
  const { name } = s.variables.get(target)!;
  const { object, place } = value;
  if (!object || place?.kind !== "variable")
    return notYet(s, `assigning what is no buffer of the file to the static buffer '${name}' is`, span);
  const own = s.resources.find((r) => r.variable === target)!;
  const given = s.resources.find((r) => r.variable === place.variable)!;
  const [a, b] = [s.variables.get(target)!.type, s.variables.get(place.variable)!.type];
  if (!sameType(a, b) || own.kind !== given.kind || own.access !== given.access || own.coherent !== given.coherent)
    return error(
      s,
      "XL2003",
      `'${s.variables.get(place.variable)!.name}' is another kind of buffer than '${name}'`,
      span,
    );
  const all = s.staticBuffers.get(target)!;
  if (!all.has(place.variable)) all.set(place.variable, span);
  return { type: { kind: "void" }, expr: load(place, span), statements: [] };
}

/** The module with the buffers of the file in the place of their static names. */
export function withoutStaticBuffers(s: Sema, module: Module<"canonical">): Module<"canonical"> {
  if (s.staticBuffers.size === 0) return module;
  const named = new Map<VarId, Span>();
  walkModule(module, { place: (p) => void (p.kind === "variable" && named.set(p.variable, p.span)) });
  const nameOf = (id: VarId): string => s.variables.get(id)!.name;
  const resolved = new Map<VarId, VarId>();
  const resolve = (id: VarId, seen: readonly VarId[]): VarId[] => {
    const given = s.staticBuffers.get(id);
    if (!given) return [id];
    return seen.includes(id) ? [] : [...new Set([...given.keys()].flatMap((g) => resolve(g, [...seen, id])))];
  };
  for (const id of s.staticBuffers.keys()) {
    const [first, second] = resolve(id, []);
    const at = named.get(id);
    if (first === undefined) {
      if (at) notYet(s, `the static buffer '${nameOf(id)}', to which no buffer is assigned, is`, at);
    } else if (second !== undefined) {
      const span = s.staticBuffers.get(id)!.get(second) ?? s.variables.get(id)!.span;
      notYet(
        s,
        `the static buffer '${nameOf(id)}', which is '${nameOf(first)}' in one place and '${nameOf(second)}' in another, is`,
        span,
        "hand the buffer to the functions that use it",
      );
    } else resolved.set(id, first);
  }
  const next = rewriteModule(module, {
    place: (p) => {
      const id = p.kind === "variable" ? resolved.get(p.variable) : undefined;
      return id === undefined || p.kind !== "variable" ? p : { ...p, variable: id };
    },
  });
  const stays = (id: VarId): boolean => !s.staticBuffers.has(id);
  const entries = next.entries.map((e) => {
    const named = new Set(e.resources.map((id) => resolved.get(id) ?? id));
    return { ...e, resources: next.resources.map((r) => r.variable).filter((id) => named.has(id) && stays(id)) };
  });
  return {
    ...next,
    entries,
    resources: next.resources.filter((r) => stays(r.variable)),
    variables: new Map([...next.variables].filter(([id]) => stays(id))),
    order: next.order.filter((o) => o.kind !== "resource" || stays(o.variable)),
  };
}
