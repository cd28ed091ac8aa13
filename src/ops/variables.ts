/** Builtins that are plain names: GLSL's variables for ids and lane masks. */
import { builtin, opCall } from "../ast/builders.js";
import type { Expr, OpId } from "../ast/nodes.js";
import type { Dialect } from "../dialects/ids.js";
import type { Span } from "../support/span.js";
import { u32, vector, type Type } from "../types/types.js";
import { idOfGlslVariable, isVectorId } from "./ids.js";

export interface PredeclaredVariable {
  readonly type: Type;
  build(span: Span): Expr;
}

const laneMask = /^gl_Subgroup(Eq|Ge|Gt|Le|Lt)Mask$/;

export function predeclaredVariable(dialect: Dialect, name: string): PredeclaredVariable | undefined {
  if (dialect !== "glsl") return undefined;
  const id = idOfGlslVariable(name);
  if (id) return { type: isVectorId(id) ? vector("u32", 3) : u32, build: (span) => builtin(id, span) };
  const mask = name.match(laneMask)?.[1];
  if (!mask) return undefined;
  const op = `subgroup.${mask.toLowerCase()}_mask` as OpId;
  const type = vector("u32", 4);
  return { type, build: (span) => opCall(op, [], type, span) };
}
