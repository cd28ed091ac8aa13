/**
 * `struct List { uint count; float x[1]; }` bound as a buffer and indexed freely: C and C++ have no other way to say that a
 * buffer ends in as many elements as it has room for. The array then has no length of its own. It may lie in a struct that has
 * nothing else, as a class for arrays does (`template <typename T, size_t N> struct Row { T x[N]; }`, of which the last member is
 * a `Row<float, 1>`), and a struct of nothing but such an array is the array.
 */
import {
  addressOf,
  deref,
  element,
  i32Literal,
  literalValue,
  load,
  member,
  pointerOffset,
  rootVariable,
  variablePlace,
} from "../ast/builders.js";
import { functionOf } from "../ast/lookup.js";
import { noTrivia } from "../ast/nodes.js";
import type { Argument, Expr, Module, Place, Resource, StructDeclaration, VarId, Variable } from "../ast/nodes.js";
import { rewriteExpr, rewriteModule, rewritePlace, walkModule, type Rewriter } from "../ast/walk.js";
import { array, pointer, type PointerType, type Type } from "../types/types.js";
import { variablesIn } from "./object-pointers.js";

/** A struct that ends in an array of one element. */
interface Tail {
  readonly struct: StructDeclaration;
  /** The members that lead to the array. */
  readonly path: readonly string[];
  /** The structs that those lie in, after the first. */
  readonly wrappers: readonly string[];
  readonly element: Type;
  /** There is nothing in front of the array. */
  readonly isAll: boolean;
}

export function openEnded(module: Module<"canonical">): Module<"canonical"> {
  const found = new Map<string, Tail>();
  for (const r of module.resources) {
    const d = r.kind === "buffer" ? structBound(module, r) : undefined;
    const tail = d && tailOf(module, d);
    if (tail) found.set(tail.struct.name, tail);
  }
  for (const [name, tail] of found) if (!isOpen(module, tail)) found.delete(name);
  return found.size === 0 ? module : opened(module, found);
}

/** The array of one element that is the last member, or the only member of the last. */
function tailOf(module: Module<"canonical">, struct: StructDeclaration): Tail | undefined {
  if (struct.union) return undefined;
  const path: string[] = [];
  const wrappers: string[] = [];
  for (let at: StructDeclaration | undefined = struct; at;) {
    const last = at.members.at(-1);
    if (!last || (at !== struct && (at.members.length > 1 || at.union))) return undefined;
    path.push(last.name);
    if (last.type.kind === "array")
      return last.type.length === 1
        ? { struct, path, wrappers, element: last.type.element, isAll: struct.members.length === 1 }
        : undefined;
    at = last.type.kind === "struct" ? module.structs.get(last.type.name) : undefined;
    if (at) wrappers.push(at.name);
  }
  return undefined;
}

/** The struct of a buffer that holds one, or that could. */
function structBound(module: Module<"canonical">, r: Resource): StructDeclaration | undefined {
  const { type } = module.variables.get(r.variable)!;
  const inner = type.kind === "array" && type.length === undefined ? type.element : type;
  return inner.kind === "struct" ? module.structs.get(inner.name) : undefined;
}

const isZero = (e: Expr): boolean => Number(literalValue(e)) === 0;
const isStruct = (t: Type, name: string): boolean => t.kind === "struct" && t.name === name;
const isInBuffers = (t: Pick<PointerType, "space">): boolean => t.space !== "private" && t.space !== "workgroup";

/** The object whose open end a place is: the members that lead there, and what they are members of. */
function objectOf(p: Place, { path, struct }: Tail): Place | undefined {
  let at = p;
  for (let i = path.length - 1; i >= 0; i--) {
    if (at.kind !== "member" || at.member !== path[i]) return undefined;
    at = at.base;
  }
  return isStruct(at.type, struct.name) ? at : undefined;
}

/** It is a buffer, or what a pointer or reference into one leads to. */
function isWhole(module: Module<"canonical">, p: Place, bound: ReadonlySet<VarId>): boolean {
  switch (p.kind) {
    case "variable": {
      const v = module.variables.get(p.variable)!;
      return bound.has(v.id) || (v.mode === "ref" && isInBuffers(v));
    }
    case "element":
      return p.base.kind === "variable" && bound.has(p.base.variable) && isZero(p.index);
    case "deref":
      return p.pointer.type.kind === "pointer" && isInBuffers(p.pointer.type);
    default:
      return false;
  }
}

const buffersOf = (module: Module<"canonical">): ReadonlySet<VarId> =>
  new Set(module.resources.filter((r) => r.kind === "buffer").map((r) => r.variable));

/** The struct is only ever the whole of a buffer, and something after the first element is reached. */
function isOpen(module: Module<"canonical">, tail: Tail): boolean {
  const { struct, path, isAll } = tail;
  const isIt = (t: Type): boolean => isStruct(t, struct.name);
  const holds = (t: Type): boolean => isIt(t) || (t.kind === "array" && holds(t.element));
  const pointsTo = (t: Type): boolean => t.kind === "pointer" && isInBuffers(t) && holds(t.pointee);
  const bound = buffersOf(module);
  const isOne = (p: Place): boolean => isIt(p.type) && isWhole(module, p, bound);
  let fine = true;
  let reached = false;
  // What takes the place of a struct with nothing else is no struct, so that others of its type stay as they are.
  if (isAll) {
    for (const other of module.structs.values()) if (other.members.some((m) => pointsTo(m.type))) return false;
  } else {
    for (const v of module.variables.values())
      if (holds(v.type) && !bound.has(v.id) && !(v.mode === "ref" && isInBuffers(v))) return false;
    for (const other of module.structs.values()) if (other.members.some((m) => holds(m.type))) return false;
  }
  /** Places whose parents have been looked at. */
  const seen = new Set<Place>();
  const see = (p: Place): void => {
    for (let at = p; !seen.has(at);) {
      seen.add(at);
      if (at.kind !== "member" || isIt(at.type)) return;
      at = at.base;
    }
  };
  const isEnd = (p: Place): boolean => {
    const object = objectOf(p, tail);
    return object !== undefined && isWhole(module, object, bound);
  };
  walkModule(module, {
    expr(e: Expr) {
      if (holds(e.type) && (!isAll || (e.kind === "load" && isOne(e.place)))) fine = false;
      if (e.kind === "assign" && isOne(e.target)) fine = false;
      if (e.kind === "pointer-offset" && pointsTo(e.type)) fine = false;
      if ((e.kind === "increment" || e.kind === "assign") && pointsTo(e.type)) fine = false;
      if (e.kind === "bitcast" && isAll && (pointsTo(e.type) || pointsTo(e.operand.type))) fine = false;
      if (e.kind === "address-of") {
        if (isOne(e.place)) see(e.place);
        // The address of one that is no buffer would be where another struct's member lies.
        else if (isAll && pointsTo(e.type)) fine = false;
        if (e.place.kind === "element" && isEnd(e.place.base)) reached = true;
      }
      if (e.kind === "call") {
        e.arguments.forEach((a, i) => {
          if (a.mode === "value" || !isIt(a.place.type)) return;
          const { mode, space } = module.variables.get(functionOf(module, e.function)!.parameters[i]!)!;
          if (a.mode === "ref" && isOne(a.place)) see(a.place);
          else if (mode === "ref" && isInBuffers({ space })) fine = false;
        });
      }
    },
    place(p) {
      if (p.kind === "element" && isEnd(p.base)) {
        see(p.base);
        if (!isZero(p.index)) reached = true;
      }
      if (isIt(p.type) && p.kind === "element" && p.base.kind === "variable" && bound.has(p.base.variable)) {
        if (!isZero(p.index)) fine = false;
      }
      // Of a struct with other members those are used freely.
      const isPart = p.kind === "member" && isOne(p.base) && p.member === path[0];
      if (p.kind === "member" && !isPart && isOne(p.base)) see(p.base);
      if ((isPart || (isAll && isOne(p))) && !seen.has(p)) fine = false;
    },
  });
  return fine && reached;
}

const open = (tail: Tail): Type => array(tail.element, undefined);

/** Structs that are the array, by name. */
type Arrays = ReadonlyMap<string, Tail>;

const tailIn = (t: Type, of: Arrays): Tail | undefined => (t.kind === "struct" ? of.get(t.name) : undefined);

/** Pointers to a struct that is the array are pointers to its elements. */
function pointed(type: Type, all: Arrays): Type {
  if (type.kind === "array") {
    const element = pointed(type.element, all);
    return element === type.element ? type : { ...type, element };
  }
  const tail = type.kind === "pointer" && isInBuffers(type) ? tailIn(type.pointee, all) : undefined;
  return tail ? ({ ...type, pointee: tail.element } as PointerType) : type;
}

interface Variables {
  readonly variables: Map<VarId, Variable>;
  /** References to structs that are the array: they become pointers. */
  readonly references: ReadonlySet<VarId>;
  /** Buffers that were any number of structs, and are one. */
  readonly single: ReadonlySet<VarId>;
}

function variablesOpened(module: Module<"canonical">, found: ReadonlyMap<string, Tail>, all: Arrays): Variables {
  const variables = new Map<VarId, Variable>();
  const references = new Set<VarId>();
  for (const v of module.variables.values()) {
    const tail = v.mode === "ref" && isInBuffers(v) && tailIn(v.type, all);
    if (tail) {
      references.add(v.id);
      const type = pointer(tail.element, v.space, v.constant);
      variables.set(v.id, { ...v, type, mode: "value", space: "private", constant: true });
    } else {
      const type = pointed(v.type, all);
      variables.set(v.id, type === v.type ? v : { ...v, type });
    }
  }
  const carried = new Set<string>();
  const single = new Set<VarId>();
  for (const r of module.resources) {
    const d = r.kind === "buffer" ? structBound(module, r) : undefined;
    const tail = d && found.get(d.name);
    if (!tail) continue;
    const v = variables.get(r.variable)!;
    if (!tail.isAll) {
      if (v.type.kind !== "array") continue;
      single.add(v.id);
      variables.set(v.id, { ...v, type: v.type.element });
      continue;
    }
    const said = [d.trivia, ...d.members.map((m) => m.trivia)].flatMap((t) => [...t.leading, ...t.trailing]);
    const leading = [...(carried.has(d.name) ? [] : [...said, ...d.innerComments]), ...(v.trivia?.leading ?? [])];
    carried.add(d.name);
    variables.set(v.id, { ...v, type: open(tail), trivia: { ...noTrivia, ...v.trivia, leading } });
  }
  return { variables, references, single };
}

/** The module with structs, buffers and pointers as they are where those arrays have no length. */
function opened(module: Module<"canonical">, found: ReadonlyMap<string, Tail>): Module<"canonical"> {
  const tails = [...found.values()];
  const structs = new Map(module.structs);
  for (const tail of tails) {
    const { struct: d, isAll } = tail;
    if (isAll) continue;
    structs.set(d.name, { ...d, members: [...d.members.slice(0, -1), { ...d.members.at(-1)!, type: open(tail) }] });
  }
  const bound = buffersOf(module);
  const all: Arrays = new Map(tails.filter((t) => t.isAll).map((t) => [t.struct.name, t]));
  const { variables, references, single } = variablesOpened(module, found, all);

  /** The first element of the array that such an object is. */
  const firstOf = (object: Place): Expr => {
    if (object.kind === "deref") return rewriteExpr(object.pointer, rewriter);
    const v = variables.get(rootVariable(object)!)!;
    const at = variablePlace(v, object.span);
    if (references.has(v.id)) return load(at);
    return addressOf(element(at, i32Literal(0, object.span)), v.space, object.span, v.constant);
  };
  /** The buffer or what is behind a pointer, of a struct that keeps other members. */
  const kept = (object: Place): Place => {
    const v = object.kind === "element" ? variables.get(rootVariable(object)!)! : undefined;
    return v && single.has(v.id) ? variablePlace(v, object.span) : rewritePlace(object, rewriter);
  };
  const isAllOf = (p: Place): Tail | undefined => {
    const tail = tailIn(p.type, all);
    return tail && isWhole(module, p, bound) ? tail : undefined;
  };
  const rewriter: Rewriter = {
    enterPlace(p) {
      if (p.kind === "element") {
        for (const tail of tails) {
          const object = objectOf(p.base, tail);
          if (!object || !isWhole(module, object, bound)) continue;
          const index = rewriteExpr(p.index, rewriter);
          if (tail.isAll) return deref(pointerOffset(firstOf(object), index, p.span), p.span);
          return element(member(kept(object), tail.path[0]!, open(tail), p.base.span), index, p.span);
        }
        if (p.base.kind === "variable" && single.has(p.base.variable)) return kept(p);
      }
      return undefined;
    },
    enterExpr(e) {
      if (e.kind === "address-of") {
        const tail = isAllOf(e.place);
        return tail && firstOf(e.place);
      }
      if (e.kind !== "call") return undefined;
      const { parameters } = functionOf(module, e.function)!;
      if (!parameters.some((id) => references.has(id))) return undefined;
      const given = e.arguments.map((a, i): Argument => {
        if (a.mode === "value") return { ...a, value: rewriteExpr(a.value, rewriter) };
        return references.has(parameters[i]!)
          ? { mode: "value", value: firstOf(a.place) }
          : { ...a, place: rewritePlace(a.place, rewriter) };
      });
      return { ...e, type: pointed(e.type, all), arguments: given };
    },
    place(p) {
      const type = pointed(p.type, all);
      return type === p.type ? p : { ...p, type };
    },
    expr(e) {
      const type = pointed(e.type, all);
      return type === e.type ? e : ({ ...e, type } as Expr);
    },
  };
  const next = rewriteModule({ ...module, structs, variables }, rewriter);
  const functions = next.functions.map((f) => ({ ...f, returnType: pointed(f.returnType, all) }));
  return withoutUnused({ ...next, functions }, new Set(tails.flatMap((t) => [t.struct.name, ...t.wrappers])));
}

/** Of structs that were the array, those that nothing is any more are gone. */
function withoutUnused(module: Module<"canonical">, names: ReadonlySet<string>): Module<"canonical"> {
  const used = new Set<string>();
  const use = (type: Type): void => {
    if (type.kind === "array") use(type.element);
    else if (type.kind === "pointer") use(type.pointee);
    else if (type.kind === "struct" && !used.has(type.name)) {
      used.add(type.name);
      module.structs.get(type.name)!.members.forEach((m) => use(m.type));
    }
  };
  for (const id of variablesIn(module)) use(module.variables.get(id)!.type);
  for (const d of module.structs.values()) if (!names.has(d.name)) use({ kind: "struct", name: d.name });
  for (const f of module.functions) use(f.returnType);
  walkModule(module, { expr: (e) => use(e.type), place: (p) => use(p.type) });
  const gone = (name: string): boolean => names.has(name) && !used.has(name);
  return {
    ...module,
    structs: new Map([...module.structs].filter(([name]) => !gone(name))),
    order: module.order.filter((o) => o.kind !== "struct" || !gone(o.name)),
  };
}
