import { sourceDialects, type SourceDialect } from "../dialects/ids.js";
import { languageFacts, readingFacts } from "../dialects/languages.js";
import type { Problem } from "../support/diagnostics.js";

/** The dialect a text seems to be written in: the one whose marks appear, if it is only one. */
function likelyDialect(source: string): SourceDialect | undefined {
  const sure = sourceDialects.find((d) => readingFacts(d).marks.surely?.test(source));
  if (sure) return sure;
  const found = sourceDialects.filter((d) => readingFacts(d).marks.maybe.test(source));
  return found.length === 1 ? found[0] : undefined;
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
