/**
 * The functions, resources and variables of a module by their ids, members by their names. Each list is looked through once, however often it is asked: lists
 * never change, so that what is kept beside them is no state of its own.
 */
import type { Target } from "../dialects/ids.js";
import type { FunctionId, Module, Objects, Resource, StructMember, Variable, VarId } from "./nodes.js";

const indexes = new WeakMap<object, ReadonlyMap<number | string, unknown>>();

function indexed<T, K extends number | string>(list: readonly T[], key: (item: T) => K): ReadonlyMap<K, T> {
  let map = indexes.get(list) as ReadonlyMap<K, T> | undefined;
  if (!map) indexes.set(list, (map = new Map([...list].reverse().map((item) => [key(item), item]))));
  return map;
}

export const functionOf = <F extends { readonly id: FunctionId }>(
  module: { readonly functions: readonly F[] },
  id: FunctionId,
): F | undefined => indexed(module.functions, (f) => f.id).get(id);

export const resourceOf = (
  module: { readonly resources: readonly Resource[] },
  variable: VarId | undefined,
): Resource | undefined =>
  variable === undefined ? undefined : indexed(module.resources, (r) => r.variable).get(variable);

export const memberOf = (members: readonly StructMember[], name: string): StructMember | undefined =>
  indexed(members, (m) => m.name).get(name);

/** Of an id that a tree names: its variable is there. */
export function variableOf(module: Module, id: VarId): Variable {
  const v = module.variables.get(id);
  if (!v) throw new Error(`variable ${id} is not in the module`);
  return v;
}

/** Whether what is written for a target is the source's own text again: what it says in the target's language already stays. */
export const isOwnText = ({ dialect, form = dialect }: Pick<Module, "dialect" | "form">, target: Target): boolean =>
  target === form;

/** `0+2,3+1`, with `+` at the end where that is a place, too. */
export const showObjects = ({ objects, end }: Objects): string =>
  objects.map(([first, count]) => `${first}+${count}`).join() + (end ? "+" : "");
