/**
 * The translations that launches run on. A text that depends on the size of workgroups is written once for each size that launches
 * have; each launch is compared with the text of its size. The first is what is shown as the translation.
 */
import type { Target } from "../dialects/ids.js";
import type { BoundLaunch } from "../launch/bind.js";
import type { Triple } from "../launch/triple.js";
import type { Diagnostic } from "../support/diagnostics.js";
import { append } from "../support/append.js";
import { own } from "../support/own.js";
import { fileDiagnostic } from "./compile.js";
import { translateTo } from "./translate.js";
import type { Translation } from "./translate.js";
import type { TargetOptions } from "./types.js";
import type { ReadySource } from "./verify.js";

export interface SizedTranslation {
  readonly translation: Translation;
  /** Those it is for: of one size, or of several where the text does not depend on it. */
  readonly launches: readonly BoundLaunch[];
  /** Where there are other texts: the size that this one is written for. */
  readonly size?: Triple;
}

export interface WholeText {
  /** What all launches run on, the kernel of the source among others; without it a text is made for the kernel alone. */
  readonly whole?: Translation;
}

/** At least one, in the order of the launches. */
export type SizedTranslations = readonly [SizedTranslation, ...SizedTranslation[]];

export async function translationsForLaunches(
  ready: Pick<ReadySource, "compilation" | "entry" | "launches">,
  target: Target,
  { whole, ...options }: TargetOptions & WholeText,
): Promise<SizedTranslations> {
  if (whole) return [{ translation: whole, launches: ready.launches }];
  const made = new Map<string, { readonly translation: Translation; readonly launches: BoundLaunch[] }>();
  for (const launches of bySize(ready.launches)) {
    const translation = await translateTo(ready.compilation, target, {
      ...options,
      // What runs of TypeScript is made of its module: nobody reads the text, and its layout takes longer than all else.
      types: false,
      workgroupSize: options.workgroupSize ?? launches[0]!.workgroupSize,
      local: { ...localOf(launches), ...options.local },
      entry: ready.entry.name,
    });
    const key = keyOf(translation);
    const same = made.get(key);
    if (same) append(same.launches, launches);
    else made.set(key, { translation, launches });
  }
  const [first, ...others] = [...made.values()].map((m): SizedTranslation =>
    made.size > 1 ? { ...m, size: m.launches[0]!.workgroupSize } : m,
  );
  if (!first) throw new Error("a source that is ready has launches");
  return [first, ...others];
}

function bySize(launches: readonly BoundLaunch[]): BoundLaunch[][] {
  const groups = new Map<string, BoundLaunch[]>();
  for (const launch of launches) {
    const size = launch.workgroupSize.join();
    groups.set(size, [...(groups.get(size) ?? []), launch]);
  }
  return [...groups.values()];
}

/** The same for texts that are one, with the same said of them. */
const keyOf = ({ output, diagnostics, emulations, assumptions }: Translation): string =>
  JSON.stringify([output?.code, [diagnostics, emulations, assumptions].map((list) => list.map((d) => d.message))]);

/** As much as any launch has: the source stays within what it has. */
function localOf(launches: readonly BoundLaunch[]): Record<string, number> {
  const most: Record<string, number> = {};
  for (const { arguments: list } of launches)
    for (const a of list) if (a.kind === "workgroup") most[a.path] = Math.max(own(most, a.path) ?? 0, a.byteLength);
  return most;
}

/**
 * Those that have a text. Of derived launches, those of sizes for which the target refuses one are left out, with a note; of launches
 * that someone states nothing is run then.
 */
export function withText(
  { compilation, launches }: Pick<ReadySource, "compilation" | "launches">,
  all: SizedTranslations,
): { readonly translations: SizedTranslations; readonly notes: readonly Diagnostic[] } | { refused: Translation } {
  const refused = all.filter((s) => !s.translation.output);
  const [first, ...others] = all.filter((s) => s.translation.output);
  const stated = refused.find((s) => s.launches.some((l) => !l.derived));
  if (!first || stated) return { refused: (stated ?? all[0]).translation };
  const notes = refused.map(({ translation: { target, diagnostics }, size, launches: left }): Diagnostic => {
    const why = diagnostics.find((d) => d.severity === "error")?.message ?? "it is refused";
    const message = `${left.length} of ${launches.length} launches, with workgroups of ${size!.join(" x ")}, are left out, since ${target} takes no text for that size: ${why}`;
    return { ...fileDiagnostic(compilation, "XL6007", message), severity: "note" };
  });
  return { translations: [first, ...others], notes };
}
