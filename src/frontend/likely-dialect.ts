import type { SourceDialect } from "../dialects/ids.js";
import { languageFacts } from "../dialects/languages.js";
import type { Problem } from "../support/diagnostics.js";

/** Marks that only one dialect has. */
const marks: readonly (readonly [SourceDialect, RegExp])[] = [
  ["glsl", /\blayout\s*\(|\bgl_[A-Z]\w+|\bvoid\s+main\s*\(\s*\)/],
  ["opencl", /\b__kernel\b|\b__global\b|\bget_global_id\s*\(|\bkernel\s+void\b(?![^{]*\[\[)[^{]*\bglobal\b/],
  ["hlsl", /\[\s*numthreads\s*\(|\bRWStructuredBuffer\b|\bSV_\w+|\bcbuffer\b|\bgroupshared\b/],
  ["msl", /\busing\s+namespace\s+metal\b|\[\[\s*(?:kernel|buffer|thread_position_in_grid)|\bthreadgroup\b|\bmetal::/],
];

/** The dialect a text seems to be written in: the one whose marks appear, if it is only one. */
function likelyDialect(source: string): SourceDialect | undefined {
  if (/^[ \t]*#[ \t]*version[ \t]+\d/m.test(source)) return "glsl";
  const found = marks.filter(([, mark]) => mark.test(source));
  return found.length === 1 ? found[0]![0] : undefined;
}

/** A file of another dialect has one error that matters, and it says so. */
export function withDialectHint(
  source: string,
  dialect: SourceDialect,
  problems: readonly Problem[],
): readonly Problem[] | undefined {
  const first = problems.find((problem) => problem.severity === "error");
  const likely = first && likelyDialect(source);
  if (!first || likely === undefined || likely === dialect) return undefined;
  return [{ ...first, help: `the text looks like ${languageFacts[likely].name}: use --from ${likely}` }];
}
