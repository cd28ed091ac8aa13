/** Constant expressions as the checker needs them: of scalars, with the names in scope. */
import { isFloat, scalarOf } from "../types/types.js";
import {
  binaryConstant,
  ConstantScope,
  convertConstant,
  unaryConstant,
  type Constant,
} from "../ast/constant-values.js";
import { rootVariable } from "../ast/builders.js";
import type { Expr } from "../ast/nodes.js";
import { partsOf } from "../ast/walk.js";
import { glslangArithmetic, sourceDigits } from "../ops/glslang-constants.js";
import { onceEach } from "../support/once.js";
import type { Sema } from "./context.js";

export { convertConstant, literalForm, wrap, type Constant } from "../ast/constant-values.js";

type Known = Pick<Sema, "constants" | "localSize" | "reading" | "structs">;

/** The value of a scalar constant expression, or undefined. `s` gives access to named constants. */
export function evaluate(s: Known, e: Expr): Constant | undefined {
  if (s.reading.foldsInDouble) {
    const folding = foldings(s);
    if (folding.touchesFloats(e)) return folding.valueOf(e);
  }
  return evaluateExactly(s, e);
}

/** With what floats make of it computed in double. Integers are not: what they are in a specialisation is known here alone. */
const foldings = onceEach((s: Known) => {
  const touchesFloats: (e: Expr) => boolean = onceEach((e: Expr): boolean => {
    if (isFloat(scalarOf(e.type) ?? "bool")) return true;
    const root = e.kind === "load" ? rootVariable(e.place) : undefined;
    const initializer = root === undefined ? undefined : s.constants.get(root);
    return (initializer !== undefined && touchesFloats(initializer)) || partsOf(e).some(touchesFloats);
  });
  return {
    touchesFloats,
    valueOf(e: Expr): Constant | undefined {
      const { size, ids, span } = s.localSize;
      const stated = span !== undefined && ids.every((id) => id === undefined);
      const arithmetic = glslangArithmetic(sourceDigits, stated ? size.map((n) => n ?? 1) : undefined);
      const value = new ConstantScope(s.constants, s.structs, arithmetic).valueOf(e);
      const kind = scalarOf(e.type);
      return Array.isArray(value) || value === undefined || !kind
        ? undefined
        : convertConstant(value as Constant, kind);
    },
  };
});

function evaluateExactly(s: Known, e: Expr): Constant | undefined {
  switch (e.kind) {
    case "literal":
      return typeof e.value === "boolean" || isFloat(e.type.scalar) ? e.value : BigInt(e.value);
    case "enumerator":
      return BigInt(e.value);
    case "load": {
      if (e.place.kind === "swizzle" && e.place.components.length === 1)
        return componentOf(
          s,
          { kind: "load", place: e.place.base, type: e.place.base.type, span: e.span },
          e.place.components[0]!,
        );
      if (e.place.kind !== "variable") return undefined;
      const initializer = s.constants.get(e.place.variable);
      return initializer && evaluate(s, initializer);
    }
    case "swizzle-value": {
      // GLSL's gl_WorkGroupSize is a constant once the size is declared.
      if (e.components.length !== 1) return undefined;
      if (e.operand.kind !== "builtin" || e.operand.builtin !== "workgroup_size")
        return componentOf(s, e.operand, e.components[0]!);
      const { size, ids, span } = s.localSize;
      const at = e.components[0]!;
      return span === undefined || ids[at] !== undefined ? undefined : BigInt(size[at] ?? 1);
    }
    case "unary": {
      const x = evaluate(s, e.operand);
      if (x === undefined || e.type.kind !== "scalar") return undefined;
      return unaryConstant(e.operator, x, e.type.scalar);
    }
    case "convert": {
      const x = evaluate(s, e.operand);
      return x === undefined || e.type.kind !== "scalar" ? undefined : convertConstant(x, e.type.scalar);
    }
    case "logical": {
      const x = evaluate(s, e.left);
      if (x === undefined) return undefined;
      if (e.operator === "and" ? !x : !!x) return Boolean(x);
      const y = evaluate(s, e.right);
      return y === undefined ? undefined : Boolean(y);
    }
    case "conditional": {
      const c = evaluate(s, e.condition);
      return c === undefined ? undefined : evaluate(s, c ? e.whenTrue : e.whenFalse);
    }
    case "binary": {
      const x = evaluate(s, e.left);
      const y = evaluate(s, e.right);
      if (x === undefined || y === undefined || e.left.type.kind !== "scalar") return undefined;
      return binaryConstant(e.operator, x, y, e.left.type.scalar);
    }
    default:
      return undefined;
  }
}

/** One component of a constant vector that is made of scalars, or of one scalar. */
function componentOf(s: Known, e: Expr, at: number): Constant | undefined {
  switch (e.kind) {
    case "load": {
      if (e.place.kind !== "variable") return undefined;
      const initializer = s.constants.get(e.place.variable);
      return initializer && componentOf(s, initializer, at);
    }
    case "splat":
      return evaluate(s, e.operand);
    case "construct":
      if (e.type.kind !== "vector" || !e.arguments.every((a) => a.type.kind === "scalar")) return undefined;
      return e.arguments[at] && evaluate(s, e.arguments[at]);
    case "swizzle-value":
      return componentOf(s, e.operand, e.components[at]!);
    default:
      return undefined;
  }
}
