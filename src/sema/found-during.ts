/** What the problems of an analysis are wrong with. */
import type * as syntax from "../ast/syntax.js";
import { identityOf, type Problem } from "../support/diagnostics.js";

/** During which declarations of the file each problem was found. Instances of templates are read once, for all that want them. */
export class FoundDuring {
  private readonly declarations = new Map<string, Set<syntax.Declaration>>();

  add(problem: Problem, declaration: syntax.Declaration): void {
    const key = identityOf(problem);
    const known = this.declarations.get(key);
    if (!known) this.declarations.set(key, new Set([declaration]));
    // What was found in it has been said of that declaration.
    else if (declaration.kind !== "namespace") known.add(declaration);
  }

  of(problem: Problem): readonly syntax.Declaration[] {
    return [...(this.declarations.get(identityOf(problem)) ?? [])];
  }
}
