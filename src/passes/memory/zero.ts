/** The zero of a type. */
import { constantOf, construct } from "../../ast/builders.js";
import type { Expr, Module } from "../../ast/nodes.js";
import { shaped, type Type } from "../../types/types.js";

/** Undefined for types that have none: pointers, arrays without a length. */
export function zeroOf(type: Type, module: Pick<Module, "structs">): Expr | undefined {
  switch (type.kind) {
    case "scalar":
    case "vector":
      return constantOf(type, type.scalar === "bool" ? false : 0);
    case "matrix":
      return construct(
        type,
        Array.from({ length: type.columns }, () => constantOf(shaped(type.scalar, type.rows), 0)),
      );
    case "array": {
      const one = zeroOf(type.element, module);
      return one && type.length !== undefined
        ? construct(
            type,
            Array.from({ length: type.length }, () => one),
            one.span,
            true,
          )
        : undefined;
    }
    case "struct": {
      const declared = module.structs.get(type.name)!;
      const members = (declared.union ? declared.members.slice(0, 1) : declared.members).map((m) =>
        zeroOf(m.type, module),
      );
      return members.every((m) => m !== undefined) ? construct(type, members, undefined, true) : undefined;
    }
    default:
      return undefined;
  }
}
