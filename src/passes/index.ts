/** Legalization: a canonical module becomes one that selection can write in the target, or problems say why not. */
import { isOwnText } from "../ast/lookup.js";
import type { Note, SlotAssignment } from "../ast/legal.js";
import type { Module } from "../ast/nodes.js";
import { defaultProfile } from "../caps/profiles.js";
import type { Target } from "../dialects/ids.js";
import type { Problem } from "../support/diagnostics.js";
import {
  emptyFacts,
  outOfOrder,
  PassContext,
  runPasses,
  TextContext,
  type LegalizeOptions,
  type Pass,
} from "./pass.js";
import { textPasses } from "./pipelines/texts.js";
import { ts } from "./pipelines/ts.js";

export type { LegalizeOptions } from "./pass.js";
export { hasUnreached } from "./interface/reached-only.js";
export { select } from "./select/index.js";

export interface Legalized {
  /** Absent where there are errors. */
  readonly module?: Module;
  readonly problems: readonly Problem[];
  readonly emulations: readonly Note[];
  readonly assumptions: readonly Note[];
  readonly slots: readonly SlotAssignment[];
  /** What no entry reaches (`reachedOnly`). */
  readonly leftOut: PassContext["leftOut"];
}

export function legalize(module: Module, target: Target, options: LegalizeOptions = {}): Legalized {
  if (target === "ts") return legalized(module, ts, new PassContext(target, undefined, options));
  return legalized(
    module,
    textPasses(target),
    new TextContext(target, options.profile ?? defaultProfile(target), options),
  );
}

function legalized<C extends PassContext>(module: Module, passes: readonly Pass<C>[], context: C): Legalized {
  const { options, target } = context;
  mustBeInOrder(passes);
  carryAssumptions(module, context);
  const done = runPasses(module, passes, context);
  const { notes, problems } = context;
  const emulations = notes.filter((n) => n.kind !== "assumed");
  const assumptions = notes.filter((n) => n.kind === "assumed");
  // What passes could not write out under --strict is refused.
  if (options.strict && target !== module.dialect) {
    for (const { op, message, spans } of assumptions) {
      const notes = spans.slice(1).map((span) => ({ message: "and here", span }));
      problems.error("XL4009", `${op}: it would have to be assumed that ${message}`, spans[0], { notes });
    }
  }
  if (problems.hasErrors) return { problems: problems.list, emulations, assumptions, slots: [], leftOut: [] };
  const legal: Module = { ...done, legal: done.legal ?? emptyFacts(context) };
  const { leftOut } = context;
  return { module: legal, problems: problems.list, emulations, assumptions, slots: legal.legal?.slots ?? [], leftOut };
}

const inOrder = new WeakSet<readonly unknown[]>();

/** Each pass has what it needs before it. */
function mustBeInOrder(passes: readonly Pass<never>[]): void {
  if (inOrder.has(passes)) return;
  const wrong = outOfOrder(passes);
  if (wrong.length > 0) throw new Error(`passes are out of order: ${wrong.join("; ")}`);
  inOrder.add(passes);
}

/** What reading the source took for granted already. Its own dialect gets the text back as it was, but for what is left out. */
function carryAssumptions(module: Module, context: PassContext): void {
  for (const { kind, message, spans, always } of module.assumptions ?? []) {
    if (isOwnText(module, context.target) && !always) continue;
    // No target can be launched with 2^32 work-items or more, so that there is nothing to guard or to refuse.
    if (kind === "ids-below-2^32" && context.options.strict) continue;
    for (const span of spans) context.note("assumed", kind, message, span);
  }
}
