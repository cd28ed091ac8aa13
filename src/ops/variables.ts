/** Builtins that are plain names: GLSL's variables for ids and lane masks. Masks of GL_ARB_shader_ballot are 64 bits. */
import { opId } from "../ast/op-ids.js";
import { bitcast, builtin, opCall, swizzleValue } from "../ast/builders.js";
import type { Expr } from "../ast/nodes.js";
import type { Dialect } from "../dialects/ids.js";
import type { Span } from "../support/span.js";
import { u32, u64, vector, type Type } from "../types/types.js";
import { idOfGlslVariable, isVectorId } from "./ids.js";

export interface PredeclaredVariable {
  readonly type: Type;
  build(span: Span): Expr;
}

const laneMask = /^gl_Sub(?:group(Eq|Ge|Gt|Le|Lt)Mask|Group(Eq|Ge|Gt|Le|Lt)MaskARB)$/;

export function predeclaredVariable(dialect: Dialect, name: string): PredeclaredVariable | undefined {
  if (dialect !== "glsl") return undefined;
  const id = idOfGlslVariable(name);
  if (id) return { type: isVectorId(id) ? vector("u32", 3) : u32, build: (span) => builtin(id, span) };
  const [, mask, low] = name.match(laneMask) ?? [];
  const which = mask ?? low;
  if (which === undefined) return undefined;
  const op = opId(`subgroup.${which.toLowerCase()}_mask`);
  const type = vector("u32", 4);
  if (low !== undefined)
    return { type: u64, build: (span) => bitcast(swizzleValue(opCall(op, [], type, span), [0, 1], span), u64, span) };
  return { type, build: (span) => opCall(op, [], type, span) };
}
