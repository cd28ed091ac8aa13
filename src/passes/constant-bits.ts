/**
 * Bit casts are no constant expressions everywhere: in the initialisers of file scope, `asfloat(0x7f800000)` becomes the
 * number it is. GLSL writes infinities and NaNs as bit casts only, so that what is made of them is no constant there.
 */
import { f32Literal, literalValue, ModuleEditor } from "../ast/builders.js";
import type { Expr, VarId } from "../ast/nodes.js";
import { rewriteExpr, walkExpr } from "../ast/walk.js";
import type { Pass } from "./pass.js";

export const constantBits: Pass = {
  name: "constant-bits",
  run(module, context) {
    const { target } = context;
    if (target === module.dialect || target === "ts" || target === "hlsl") return module;
    const editor = new ModuleEditor(module);
    const early = new Set<VarId>();
    for (const o of module.order) {
      if (o.kind !== "variable") continue;
      const v = module.variables.get(o.variable)!;
      if (!v.compileTime || !v.initializer) continue;
      const initializer = rewriteExpr(v.initializer, { expr: (e) => folded(target === "msl" ? divided(e) : e) });
      const constant = target !== "glsl" || !writtenAsBits(initializer, early);
      if (!constant) early.add(v.id);
      if (initializer !== v.initializer || !constant) editor.setVariable({ ...v, initializer, ...(constant ? {} : { compileTime: false, constant: false, space: "private" as const }) });
    }
    return editor.finish({});
  },
};

/** A cast of a known 32-bit pattern to float; the bits of a NaN are kept by the cast only. */
function folded(e: Expr): Expr {
  if (e.kind !== "bitcast" || e.type.kind !== "scalar" || e.type.scalar !== "f32" || e.operand.type.kind !== "scalar") return e;
  const bits = literalValue(e.operand);
  if (typeof bits !== "number" || (e.operand.type.scalar !== "u32" && e.operand.type.scalar !== "i32")) return e;
  const value = new Float32Array(new Uint32Array([bits]).buffer)[0]!;
  return Number.isNaN(value) ? e : f32Literal(value, e.span);
}

/** C++ has no division by zero among constants. */
function divided(e: Expr): Expr {
  if (e.kind !== "binary" || e.operator !== "div" || e.type.kind !== "scalar" || e.type.scalar !== "f32") return e;
  const [x, y] = [literalValue(e.left), literalValue(e.right)];
  return typeof x === "number" && typeof y === "number" && y === 0 && x !== 0 ? f32Literal(x / y, e.span) : e;
}

function writtenAsBits(e: Expr, early: ReadonlySet<VarId>): boolean {
  let found = false;
  walkExpr(e, {
    expr: (x) => {
      if (x.kind === "bitcast" || (x.kind === "literal" && typeof x.value === "number" && !Number.isFinite(x.value))) found = true;
      return !found;
    },
    place: (p) => void (p.kind === "variable" && early.has(p.variable) && (found = true)),
  });
  return found;
}
