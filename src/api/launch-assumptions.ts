/** Launches that a translation takes for granted not to be made. */
import type { Module } from "../ast/nodes.js";
import { walkModule } from "../ast/walk.js";
import type { Target } from "../dialects/ids.js";
import { languageFacts } from "../dialects/languages.js";
import { hasGridOffset } from "../ops/ids.js";
import type { Diagnostic } from "../support/diagnostics.js";
import { fileDiagnostic } from "./compile.js";
import type { Compilation } from "./compile.js";
import type { SizedTranslation, SizedTranslations } from "./sized-translations.js";
import type { ReadySource } from "./verify.js";

/** Says so where one of the launches breaks what its translation relies on, and no run would show it. */
export function launchAssumedAway(
  ready: ReadySource,
  target: Target,
  translations: SizedTranslations,
): Diagnostic | undefined {
  const { compilation } = ready;
  return (
    offsetAssumedAway(ready, target) ??
    translations.map((t) => workgroupsAssumedAway(compilation, t)).find((broken) => broken !== undefined)
  );
}

/** It has more workgroups than the translation relies on. */
function workgroupsAssumedAway(
  compilation: Compilation,
  { translation: { target, assumptions }, launches }: SizedTranslation,
): Diagnostic | undefined {
  const { mostWorkgroups } = languageFacts[compilation.dialect];
  if (mostWorkgroups === undefined || !assumptions.some((a) => a.op === "workgroup.count")) return undefined;
  const launch = launches.find((l) => l.workgroups.some((n) => n > mostWorkgroups));
  if (!launch) return undefined;
  return fileDiagnostic(
    compilation,
    "XL6007",
    `the translation to ${target} takes for granted that a launch has at most ${mostWorkgroups} workgroups along each axis, and ${launch.label} has ${launch.workgroups.join(" x ")}`,
    "translate with --strict, which does without it",
  );
}

/** It has a grid offset that the kernel sees and the target's launches have not. */
function offsetAssumedAway({ compilation, launches }: ReadySource, target: Target): Diagnostic | undefined {
  if (target === "ts" || target === compilation.dialect) return undefined;
  if (hasGridOffset(target)) return undefined;
  const launch = launches.find((l) => l.gridOffset.some((n) => n > 0));
  if (!launch || !readsOffset(compilation.module!)) return undefined;
  return fileDiagnostic(
    compilation,
    "XL5009",
    `the translation to ${target} takes for granted that the launch has no global offset, and ${launch.label} has ${launch.gridOffset.join(", ")}`,
    `launches in ${target} have no offset: give it to the kernel as an argument and add it to the ids`,
  );
}

function readsOffset(module: Module): boolean {
  let found = false;
  walkModule(module, {
    expr: (e) => {
      if (e.kind === "builtin" && (e.builtin === "global_id" || e.builtin === "global_offset")) found = true;
      return !found;
    },
  });
  return found;
}
