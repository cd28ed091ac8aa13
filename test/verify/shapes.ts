import type { EntryPoint, Resource } from "../../src/ast/nodes.js";
import { array, f32, scalar, u32, vector } from "../../src/types/types.js";
import type { Type } from "../../src/types/types.js";
import type { ArgumentKind, ArgumentShape, EntryShape } from "../../src/launch/reflection.js";

/** An entry put together by hand: two buffers, a count, a struct's leaves, sized workgroup memory. */
export function argument(
  path: string,
  kind: ArgumentKind,
  type: Type,
  more: Partial<ArgumentShape> & { slot?: Resource["slot"]; block?: Resource["block"] } = {},
): ArgumentShape {
  const { slot, block, ...rest } = more;
  const access = rest.access ?? "readwrite";
  const resource: Resource = {
    variable: 0,
    kind: kind === "workgroup" ? "workgroup-sized-at-launch" : kind,
    path,
    access,
    ...(slot ? { slot } : {}),
    ...(block ? { block } : {}),
  };
  return { path, kind, access, variable: 0, resource, type, optional: false, ...rest };
}

export function shape(
  args: readonly ArgumentShape[],
  entry: Partial<EntryPoint> = {},
  dialect: EntryShape["dialect"] = "msl",
): EntryShape {
  return {
    entry: { function: 0, name: "k", resources: [], builtinNames: new Map(), ...entry },
    arguments: args,
    structs: new Map(),
    dialect,
  };
}

export const floats = array(f32, undefined);
export const words = array(u32, undefined);
export const vectors = array(vector("f32", 3), undefined);
export const count = scalar("u32");
