/**
 * Operations on matrices that the target does not have, as functions on their columns (docs/design/matrices.md). The result is
 * still a tree of matrices, of which only whole values, columns and matrices made of columns are left: `matrix-structs` then
 * changes types alone. Sums of products are those of the tree, in its order (docs/semantics/data.md 2).
 */
import { languageFacts } from "../../dialects/languages.js";
import type { TargetDialect } from "../../dialects/ids.js";
import { isFloat, type MatrixType, type Type } from "../../types/types.js";
import { mentionsType } from "../analysis/mentions-type.js";
import type { TextPass } from "../pass.js";
import { MatrixOperations } from "./matrix-arithmetic.js";

/** Whether a type is a matrix that the target does not have. */
export function lacksMatrix(target: TargetDialect): (type: Type) => type is MatrixType {
  const { matrices } = languageFacts[target];
  return (type): type is MatrixType =>
    type.kind === "matrix" && (matrices === "nothing" || (matrices === "floats" && !isFloat(type.scalar)));
}

export const matrixOperations: TextPass = {
  name: "matrix-operations",
  run(module, context) {
    const lacks = lacksMatrix(context.target);
    if (!mentionsType(module, lacks)) return module;
    const { name } = languageFacts[context.target];
    context.note("emulated", "matrix", `matrices that ${name} does not have are structs of their columns`);
    return new MatrixOperations(module, context, lacks).run();
  },
};
