/**
 * Arguments by value without the bytes in which the source's host writes addresses: what those lead to are buffers of their own in
 * the target, and nothing reads the bytes. They stay in structs that lie in buffers, too, whose bytes are the source's, and in the
 * source's own dialect, where the host's struct is what it was.
 */
import type { Expr, Module, Resource, StructMember, VarId } from "../../ast/nodes.js";
import { rewriteModule } from "../../ast/walk.js";
import type { Type } from "../../types/types.js";
import type { Pass } from "../pass.js";

export const withoutAddresses: Pass = {
  name: "without-addresses",
  run(given, context) {
    if (!given.resources.some((r) => r.pointerIn)) return given;
    const own = context.target === given.dialect;
    const isGone = (r: Resource): boolean => r.addressesOnly === true && (r.kind === "buffer" || !own);
    const module = without(given, new Set(given.resources.filter(isGone).map((r) => r.variable)));
    if (own) return module;
    const inBuffers = structsIn(module, "buffer");
    return withoutThem(module, new Set([...structsIn(module, "value")].filter((name) => !inBuffers.has(name))));
  },
};

function structsIn(module: Module, kind: Resource["kind"]): ReadonlySet<string> {
  const found = new Set<string>();
  for (const r of module.resources) if (r.kind === kind) reach(module, module.variables.get(r.variable)!.type, found);
  return found;
}

function reach(module: Module, type: Type, found: Set<string>): void {
  if (type.kind === "array") reach(module, type.element, found);
  else if (type.kind === "pointer") reach(module, type.pointee, found);
  else if (type.kind === "struct" && !found.has(type.name)) {
    found.add(type.name);
    for (const m of module.structs.get(type.name)!.members) reach(module, m.type, found);
  }
}

/** Without resources that are no arguments of the target. */
function without(module: Module, gone: ReadonlySet<VarId>): Module {
  if (gone.size === 0) return module;
  const variables = new Map([...module.variables].filter(([id]) => !gone.has(id)));
  const [theirs, others] = [new Set<string>(), new Set<string>()];
  for (const v of module.variables.values()) reach(module, v.type, gone.has(v.id) ? theirs : others);
  const isTheirs = (name: string): boolean => theirs.has(name) && !others.has(name);
  return {
    ...module,
    variables,
    structs: new Map([...module.structs].filter(([name]) => !isTheirs(name))),
    resources: module.resources.filter((r) => !gone.has(r.variable)),
    entries: module.entries.map((e) => ({ ...e, resources: e.resources.filter((id) => !gone.has(id)) })),
    order: module.order.filter(
      (o) => (o.kind !== "resource" || !gone.has(o.variable)) && (o.kind !== "struct" || !isTheirs(o.name)),
    ),
  };
}

function withoutThem(module: Module, values: ReadonlySet<string>): Module {
  const isEmpty = (type: Type): boolean =>
    type.kind === "array"
      ? isEmpty(type.element)
      : type.kind === "struct" && values.has(type.name) && !module.structs.get(type.name)!.members.some(stays);
  const stays = (m: StructMember): boolean => !m.address && !isEmpty(m.type);
  const structs = new Map(
    [...module.structs].flatMap(([name, d]) => {
      if (isEmpty({ kind: "struct", name })) return [];
      return [[name, values.has(name) ? { ...d, members: d.members.filter(stays) } : d] as const];
    }),
  );
  const gone = module.resources.filter((r) => isEmpty(module.variables.get(r.variable)!.type)).map((r) => r.variable);
  const made = (e: Expr): Expr => {
    if (e.kind !== "construct" || e.type.kind !== "struct" || !values.has(e.type.name)) return e;
    const { members } = module.structs.get(e.type.name)!;
    return members.every(stays) ? e : { ...e, arguments: e.arguments.filter((_, i) => stays(members[i]!)) };
  };
  const next = without(rewriteModule(module, { expr: made, keepsMeaning: true }), new Set(gone));
  for (const name of structs.keys()) if (!next.structs.has(name)) structs.delete(name);
  return { ...next, structs, order: next.order.filter((o) => o.kind !== "struct" || structs.has(o.name)) };
}
