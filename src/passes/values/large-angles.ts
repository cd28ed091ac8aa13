/**
 * Angles that the text shows to be small go to the target's function as they are, of others those of a source that holds for
 * every angle are reduced (the lowering any-angle). A source that holds further than the target, though not for every angle:
 * with --strict they are reduced, too, else it is assumed that the device does. Before ops, whose lowerings hide the operands.
 */
import { isOwnText } from "../../ast/lookup.js";
import type { Expr, OpId } from "../../ast/nodes.js";
import { rewriteFunction } from "../../ast/walk.js";
import { anyAngle, nativeAngles, sourceAngles } from "../../ops/angles.js";
import { floatMagnitude } from "../analysis/float-bounds.js";
import { setOnce } from "../analysis/ranges.js";
import type { TextPass } from "../pass.js";

const openForms: ReadonlyMap<OpId, OpId> = new Map(Object.entries(anyAngle).map(([open, any]) => [any, open as OpId]));

export const largeAngles: TextPass = {
  name: "large-angles",
  run(module, context) {
    const { target } = context;
    const limit = nativeAngles[target];
    if (isOwnText(module, target) || limit === Infinity) return module;
    const counted = sourceAngles[module.dialect];
    const functions = module.functions.map((f) => {
      const locals = setOnce(f);
      const expr = (e: Expr): Expr => {
        if (e.kind !== "op") return e;
        const open = openForms.get(e.op);
        const reducing = anyAngle[e.op];
        if (open === undefined && reducing === undefined && e.op !== "math.sincos_out") return e;
        if (floatMagnitude(e.arguments[0]!, (local) => locals.get(local)) <= limit)
          return open ? { ...e, op: open } : e;
        if (open !== undefined || counted <= limit) return e;
        if (context.options.strict && reducing !== undefined) return { ...e, op: reducing };
        const says = `the device reduces angles beyond ${limit < 4 ? "" : "100 "}pi as the source's would`;
        context.note("assumed", "large-angles", says, e.span);
        return e;
      };
      return rewriteFunction(f, { expr });
    });
    return { ...module, functions };
  },
};
