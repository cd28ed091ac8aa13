/** Where a target lays out what is in a buffer in another way than the source does. */
import { variableOf } from "../../ast/lookup.js";
import type { Expr, Module, Resource } from "../../ast/nodes.js";
import type { Dialect } from "../../dialects/ids.js";
import { bufferLayout, layoutOfResource } from "../../dialects/languages.js";
import { typeIn } from "../../dialects/show-type.js";
import { layoutDifference } from "../../types/layout.js";
import { array, type Type } from "../../types/types.js";
import { plainStructs, plainType } from "../values/plain-vectors.js";

const shownIn =
  ({ dialect }: Module) =>
  (type: Type): string =>
    typeIn(dialect, type);

/** Where the target would lay the buffer out in another way, in words. */
export function bufferDifference(r: Resource, module: Module, target: Dialect): string | undefined {
  const source = layoutOfResource(module.dialect, r);
  const to = r.kind === "value" ? source : bufferLayout(target);
  const { type } = variableOf(module, r.variable);
  return layoutDifference(type, source, to, module.structs, plainStructs(module), plainType(type), shownIn(module));
}

/** Where the target would lay what a pointer is cast to point at out in another way. */
export function castDifference(e: Expr, module: Module, target: Dialect): string | undefined {
  if (e.kind !== "bitcast" || e.type.kind !== "pointer" || e.type.pointee.kind === "void") return undefined;
  const list = array(e.type.pointee, undefined);
  const [from, to] = [bufferLayout(module.dialect), bufferLayout(target)];
  return layoutDifference(list, from, to, module.structs, plainStructs(module), plainType(list), shownIn(module));
}
