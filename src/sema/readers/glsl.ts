/** GLSL: everything of the interface stands at file scope, in blocks and layouts. */
import { error } from "../context.js";
import { declareGlslBlock, glslUniform, layoutOnly } from "./glsl-blocks.js";
import type { SourceReader } from "./reader.js";

export const glslReader: SourceReader = {
  entryParameter: (s, _fn, p) => error(s, "XL2010", "main takes no parameters", p.span),
  fileSpace: (_s, t) => (t.space === "workgroup" ? "workgroup" : t.constant ? "constant" : "private"),
  fileVariable: (s, v) => (v.q.words.has("uniform") ? glslUniform(s, v) : "none"),
  fileDeclaration: layoutOnly,
  block: declareGlslBlock,
};
