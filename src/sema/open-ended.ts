/**
 * `struct List { uint count; float x[1]; }` bound as a buffer and indexed freely: C and C++ have no other way to say that a
 * buffer ends in as many elements as it has room for. The array then has no length of its own.
 */
import { literalValue, rootVariable } from "../ast/builders.js";
import { noTrivia } from "../ast/nodes.js";
import type { Expr, Module, Place, Resource, StructDeclaration, VarId, Variable } from "../ast/nodes.js";
import { rewriteModule, walkModule } from "../ast/walk.js";
import { array, type Type } from "../types/types.js";

export function openEnded(module: Module<"canonical">): Module<"canonical"> {
  const found = new Map<string, StructDeclaration>();
  for (const r of module.resources) {
    const d = r.kind === "buffer" ? structBound(module, r) : undefined;
    const last = d?.members.at(-1)?.type;
    if (d && last?.kind === "array" && last.length === 1) found.set(d.name, d);
  }
  for (const name of [...found.keys()]) if (!isOpen(module, found.get(name)!)) found.delete(name);
  if (found.size === 0) return module;

  const structs = new Map(module.structs);
  for (const d of found.values()) {
    const last = d.members.at(-1)!;
    const open = { ...last, type: array((last.type as Type & { kind: "array" }).element, undefined) };
    structs.set(d.name, { ...d, members: [...d.members.slice(0, -1), open] });
  }
  // With nothing before the array and no pointer to the struct, the buffer is the array.
  const plain = new Set(
    [...found.values()].filter((d) => d.members.length === 1 && !isReferred(module, d.name)).map((d) => d.name),
  );
  const variables = new Map(module.variables);
  const carried = new Set<string>();
  const single = new Map<VarId, Type>();
  for (const r of module.resources) {
    const v = variables.get(r.variable)!;
    const d =
      found.has(v.type.kind === "struct" ? v.type.name : "") || v.type.kind === "array"
        ? structBound(module, r)
        : undefined;
    if (r.kind === "buffer" && d && plain.has(d.name)) {
      const type = array((d.members[0]!.type as Type & { kind: "array" }).element, undefined);
      const said = [d.trivia, ...d.members.map((m) => m.trivia)].flatMap((t) => [...t.leading, ...t.trailing]);
      const leading = [...(carried.has(d.name) ? [] : [...said, ...d.innerComments]), ...(v.trivia?.leading ?? [])];
      carried.add(d.name);
      variables.set(v.id, { ...v, type, trivia: { ...noTrivia, ...v.trivia, leading } });
      continue;
    }
    if (v.type.kind !== "array" || v.type.element.kind !== "struct" || !found.has(v.type.element.name)) continue;
    single.set(v.id, v.type.element);
    variables.set(v.id, { ...v, type: v.type.element });
  }
  for (const name of plain) structs.delete(name);
  const order = module.order.filter((o) => o.kind !== "struct" || !plain.has(o.name));
  return rewriteModule(
    { ...module, structs, variables, order },
    {
      place(p) {
        if (p.kind === "element" && p.base.kind === "variable" && single.has(p.base.variable))
          return { ...p.base, type: p.type };
        if (p.kind !== "member" || p.base.type.kind !== "struct") return p;
        const d = found.get(p.base.type.name);
        const last = d?.members.at(-1);
        if (!d || last?.name !== p.member) return p;
        if (!plain.has(d.name)) return { ...p, type: structs.get(d.name)!.members.at(-1)!.type };
        const root = rootVariable(p)!;
        return { kind: "variable", variable: root, type: variables.get(root)!.type, span: p.span };
      },
    },
  );
}

/** Whether something but the buffers themselves is a pointer or a reference to the struct. */
function isReferred(module: Module, name: string): boolean {
  const to = (t: Type): boolean =>
    t.kind === "struct" ? t.name === name : t.kind === "array" ? to(t.element) : t.kind === "pointer" && to(t.pointee);
  const bound = new Set(module.resources.map((r) => r.variable));
  let found = [...module.variables.values()].some((v) => !bound.has(v.id) && to(v.type));
  walkModule(module, { expr: (e) => void (found ||= to(e.type)) });
  return found;
}

/** The struct of a buffer that holds one, or that could. */
function structBound(module: Module, r: Resource): StructDeclaration | undefined {
  const { type } = module.variables.get(r.variable)!;
  const inner = type.kind === "array" && type.length === undefined ? type.element : type;
  return inner.kind === "struct" ? module.structs.get(inner.name) : undefined;
}

/** The struct is only ever the whole of a buffer, and something after the first element is reached. */
function isOpen(module: Module, d: StructDeclaration): boolean {
  const last = d.members.at(-1)!.name;
  const isIt = (t: Type): boolean => t.kind === "struct" && t.name === d.name;
  const holds = (t: Type): boolean => isIt(t) || (t.kind === "array" && holds(t.element));
  const pointsTo = (t: Type): boolean => t.kind === "pointer" && holds(t.pointee);
  const bound = new Set(module.resources.filter((r) => r.kind === "buffer").map((r) => r.variable));
  const whole = (v: Variable): boolean => bound.has(v.id) || v.mode === "ref";
  for (const v of module.variables.values()) if (holds(v.type) && !whole(v)) return false;
  for (const other of module.structs.values()) if (other.members.some((m) => holds(m.type))) return false;
  let fine = true;
  let reached = false;
  const isTail = (p: Place): boolean => p.kind === "member" && p.member === last && isIt(p.base.type);
  walkModule(module, {
    expr(e: Expr) {
      if (holds(e.type)) fine = false;
      if (e.kind === "pointer-offset" && pointsTo(e.type)) fine = false;
      if ((e.kind === "increment" || e.kind === "assign") && pointsTo(e.type)) fine = false;
      if (e.kind === "load" && isTail(e.place)) fine = false;
      if (e.kind === "address-of" && e.place.kind === "element" && isTail(e.place.base)) reached = true;
    },
    place(p) {
      if (p.kind !== "element") return;
      if (isIt(p.type) && literalValue(p.index) !== 0) fine = false;
      if (isTail(p.base) && literalValue(p.index) !== 0) reached = true;
    },
  });
  return fine && reached;
}
