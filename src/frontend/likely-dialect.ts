import type { Dialect } from "../dialects/ids.js";
import type { ExpandedSource } from "../support/expanded-source.js";

/** Marks that only one dialect has. */
const marks: readonly (readonly [Dialect, RegExp])[] = [
  ["glsl", /\blayout\s*\(|\bgl_[A-Z]\w+|\bvoid\s+main\s*\(\s*\)/],
  ["opencl", /\b__kernel\b|\b__global\b|\bget_global_id\s*\(|\bkernel\s+void\b(?![^{]*\[\[)[^{]*\bglobal\b/],
  ["hlsl", /\[\s*numthreads\s*\(|\bRWStructuredBuffer\b|\bSV_\w+|\bcbuffer\b|\bgroupshared\b/],
  ["msl", /\busing\s+namespace\s+metal\b|\[\[\s*(?:kernel|buffer|thread_position_in_grid)|\bthreadgroup\b|\bmetal::/],
];

/** The dialect a text seems to be written in: the one whose marks appear, if it is only one. */
export function likelyDialect(expanded: ExpandedSource): Dialect | undefined {
  if (expanded.directives.some((directive) => directive.kind === "version")) return "glsl";
  const found = marks.filter(([, mark]) => mark.test(expanded.text));
  return found.length === 1 ? found[0]![0] : undefined;
}
