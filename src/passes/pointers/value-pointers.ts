/**
 * Pointers into constant memory that lead to arguments by value alone. MSL has those in constant memory; where they are the kernel's own,
 * such pointers are, too. All pointers to one type are looked at together, and those that are cast to each other.
 */
import { rootVariable } from "../../ast/builders.js";
import { variableOf } from "../../ast/lookup.js";
import type { Module, Place, StructDeclaration, Variable, VarId } from "../../ast/nodes.js";
import { rewriteModule, walkModule } from "../../ast/walk.js";
import { type PointerType, type Type } from "../../types/types.js";
import type { TextPass } from "../pass.js";
import { constantPointee, handedOn, valueBehind } from "./references.js";

/** Where such a pointer is taken of. */
interface Taken {
  readonly key: string;
  readonly place: Place;
}

export const valuePointers: TextPass = {
  name: "value-pointers",
  run(module) {
    const values = module.resources.filter((r) => r.kind === "value").map((r) => r.variable);
    const isStruct = (id: VarId): boolean => variableOf(module, id).type.kind === "struct";
    return values.some(isStruct) ? withPointersToValues(module, values) : module;
  },
};

function withPointersToValues(module: Module, values: readonly VarId[]): Module {
  const own = new Set(values.filter((id) => variableOf(module, id).type.kind !== "array"));
  const { taken, fixed, casts } = pointersIn(module);
  const helpers = handedOn(module, own).mine;
  const isPrivate = ({ place }: Taken): boolean => {
    const root = rootVariable(place);
    if (root === undefined) return false;
    return helpers.has(root) || (own.has(root) && variableOf(module, root).type.kind === "struct");
  };
  // Numbers by value that pointers lead to may lie in constant memory: that asks for no change of the pointers.
  const keys = new Set(taken.filter((t) => !fixed.has(t.key) && isPrivate(t)).map((t) => t.key));
  if (keys.size === 0) return module;
  for (let before = -1; before !== keys.size;) {
    before = keys.size;
    for (const [from, to] of casts) if (keys.has(from) || keys.has(to)) keys.add(from).add(to);
  }
  for (const key of fixed) keys.delete(key);
  for (let before = -1; before !== keys.size + own.size;) {
    before = keys.size + own.size;
    for (const pair of casts) if (!pair.every((key) => keys.has(key))) for (const key of pair) keys.delete(key);
    const { mine, elsewhere, behindPointers } = handedOn(module, own, keys);
    for (const key of behindPointers) keys.delete(key);
    for (const { root } of elsewhere) if (variableOf(module, root).type.kind !== "struct") own.delete(root);
    const isOwn = (place: Place): boolean => {
      const root = rootVariable(place);
      return root === undefined ? valueBehind(place, keys) !== undefined : own.has(root) || mine.has(root);
    };
    for (const { key, place } of taken) {
      if (keys.has(key) && isOwn(place)) continue;
      keys.delete(key);
      const root = rootVariable(place);
      if (root !== undefined && variableOf(module, root).type.kind !== "struct") own.delete(root);
    }
  }
  return keys.size === 0 ? module : withOwnPointers(module, keys);
}

/** `fixed`: what becomes something else than such a pointer, or is handed to what is none of the program's functions. */
function pointersIn(module: Module): {
  readonly taken: readonly Taken[];
  readonly fixed: ReadonlySet<string>;
  readonly casts: readonly (readonly [string, string])[];
} {
  const taken: Taken[] = [];
  const casts: [string, string][] = [];
  const fixed = new Set<string>();
  const stays = (type: Type): void => {
    const key = constantPointee(type);
    if (key !== undefined) fixed.add(key);
  };
  walkModule(module, {
    expr(e) {
      const key = constantPointee(e.type);
      if (e.kind === "address-of" && key !== undefined) taken.push({ key, place: e.place });
      if (e.kind === "bitcast") {
        const from = constantPointee(e.operand.type);
        if (key !== undefined && from !== undefined) casts.push([from, key]);
        else [e.type, e.operand.type].forEach(stays);
      }
      if (e.kind === "op") e.arguments.forEach((a) => stays(a.type));
    },
  });
  return { taken, fixed, casts };
}

function withOwnPointers(module: Module, keys: ReadonlySet<string>): Module {
  const retyped = (type: Type): Type => {
    if (type.kind === "array") {
      const element = retyped(type.element);
      return element === type.element ? type : { ...type, element };
    }
    if (type.kind !== "pointer") return type;
    const pointee = retyped(type.pointee);
    const key = constantPointee(type);
    const isOwn = key !== undefined && keys.has(key);
    if (!isOwn) return pointee === type.pointee ? type : { ...type, pointee };
    const own: PointerType = { ...type, pointee, space: "private", readOnly: true };
    return own;
  };
  const of = <T extends { readonly type: Type }>(x: T): T => {
    const type = retyped(x.type);
    return type === x.type ? x : { ...x, type };
  };
  const variables = new Map([...module.variables].map(([id, v]): [VarId, Variable] => [id, of(v)]));
  const structs = new Map(
    [...module.structs].map(([name, d]): [string, StructDeclaration] => [name, { ...d, members: d.members.map(of) }]),
  );
  const functions = module.functions.map((f) => {
    const returnType = retyped(f.returnType);
    return returnType === f.returnType ? f : { ...f, returnType };
  });
  return rewriteModule({ ...module, variables, structs, functions }, { expr: of, place: of, keepsMeaning: true });
}
