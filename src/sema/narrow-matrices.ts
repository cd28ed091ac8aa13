/**
 * Parts of matrices of 16-bit components in structured buffers: DXC reads and writes them where those of 32-bit components would lie,
 * though such a matrix as a whole lies as it should.
 */
import type { Module, Place } from "../ast/nodes.js";
import { walkModule } from "../ast/walk.js";
import type { Span } from "../support/span.js";
import { bitWidth } from "../types/types.js";

export function checkNarrowMatrices(
  module: Module<"canonical">,
  refuse: (what: string, span: Span, help: string) => void,
): void {
  const buffers = new Set(module.resources.flatMap((r) => (r.kind === "buffer" && !r.view ? [r.variable] : [])));
  const inBuffer = (p: Place): boolean =>
    p.kind === "variable"
      ? buffers.has(p.variable)
      : p.kind === "deref"
        ? p.pointer.type.kind === "pointer" && p.pointer.type.space === "global"
        : inBuffer(p.base);
  const isNarrow = (p: Place): boolean => p.type.kind === "matrix" && bitWidth(p.type.scalar) === 16;
  const isPart = (p: Place): boolean =>
    p.kind === "element" || p.kind === "swizzle" ? isNarrow(p.base) || isPart(p.base) : false;
  walkModule(module, {
    place: (p) => {
      if (!isPart(p) || !inBuffer(p)) return true;
      refuse(
        "a part of a matrix of 16-bit components in a structured buffer, which DXC takes from elsewhere, is",
        p.span,
        "copy the matrix whole: half2x2 m = b[i]",
      );
      return false;
    },
  });
}
