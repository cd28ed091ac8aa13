/** How a target reads the values the launch provides (`src/ops/ids.ts`), as native calls. */
import type { BuiltinId } from "../../ast/nodes.js";
import { precedence } from "../../ast/operators.js";
import type { Spelling } from "../../ast/target.js";
import type { TargetDialect } from "../../dialects/ids.js";
import { idForm, isVectorId } from "../../ops/ids.js";
import { u32, vector, type Type } from "../../types/types.js";

export interface NativeId {
  /** One for all components, or one for each. */
  readonly spellings: readonly Spelling[];
  readonly requires: readonly string[];
}

const sizeType: Type = { kind: "scalar", scalar: "u64", size: true };
const atoms = (needs: string | undefined): readonly string[] => (needs === undefined ? [] : needs.split(" "));
const variable = (name: string, result: Type): Spelling => ({
  kind: "text",
  pieces: [name],
  precedence: precedence.primary,
  result,
});
const call = (name: string, result: Type, dimension?: number): Spelling => ({
  kind: "call",
  name,
  result,
  operands: dimension === undefined ? [] : [{ kind: "text", text: String(dimension) }],
});

/** Undefined where the target hands the value over as a parameter, or does not have it. */
export function nativeId(id: BuiltinId, target: TargetDialect): NativeId | undefined {
  const form = idForm(id, target);
  if (form?.variable !== undefined)
    return {
      spellings: [variable(form.variable, isVectorId(id) ? vector("u32", 3) : u32)],
      requires: atoms(form.needs),
    };
  const name = form?.function;
  if (name === undefined) return undefined;
  const result = form?.size ? sizeType : u32;
  const spellings = form?.dimension ? [0, 1, 2].map((d) => call(name, result, d)) : [call(name, result)];
  return { spellings, requires: atoms(form?.needs) };
}
