/** Arrays of resources as they are declared: every element is one of its own (block-arrays.ts). */
import type { VarId, Variable } from "../ast/nodes.js";
import { array, type Type } from "../types/types.js";
import { newVariable, type Sema } from "./context.js";

/** How many of each an array of resources has. */
export interface ResourceCounts {
  /** The outermost first: `name[2][3]`. */
  readonly lengths: readonly number[];
  /** It states none: it has as many as one may have, until those are found that the text names. */
  readonly open?: true;
}

/** An element of an array of resources: `b_0_1` for `b[0][1]`. */
interface NumberedResource {
  readonly name: string;
  readonly path: string;
  /** Where all stand in a row. */
  readonly index: number;
  readonly count: number;
}

export function numberedResources(name: string, { lengths }: ResourceCounts): readonly NumberedResource[] {
  const places = lengths.reduce<readonly (readonly number[])[]>(
    (list, n) => list.flatMap((at) => Array.from({ length: n }, (_, k) => [...at, k])),
    [[]],
  );
  return places.map((at, index) => ({
    name: [name, ...at].join("_"),
    path: name + at.map((n) => `[${n}]`).join(""),
    index,
    count: places.length,
  }));
}

/** The variable that functions name while they are read: an array of these elements, each of which is a resource of its own. */
export function resourceArray(
  s: Sema,
  v: Pick<Variable, "name" | "span" | "space" | "constant">,
  element: Type,
  elements: readonly VarId[],
  { lengths, open }: ResourceCounts,
): Variable {
  const variable = (type: Type): Variable => newVariable(s, { ...v, type, role: "global" });
  const all = variable(array(element, elements.length));
  s.blockArrays.push({ variable: all.id, name: v.name, elements, ...(open ? { open } : {}) });
  if (lengths.length === 1) return all;
  const nested = variable(lengths.reduceRight<Type>((type, n) => array(type, n), element));
  s.blockArrays.push({ variable: nested.id, name: v.name, elements, rows: lengths.slice(1), flat: all });
  return nested;
}
