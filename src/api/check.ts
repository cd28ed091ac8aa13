import { profileIds, profileNamed } from "../caps/profiles.js";
import { targets } from "../dialects/ids.js";
import type { Target } from "../dialects/ids.js";
import { compile, hasErrors } from "./compile.js";
import type { Compilation } from "./compile.js";
import { requireKnown, requireSource, requireTargetOptions, sourceOptions, targetOptions } from "./options.js";
import { profileFor } from "./profile.js";
import { reflectCompilation } from "./reflect-compilation.js";
import { translateTo } from "./translate.js";
import type { CheckResult, Portability, SourceOptions, TargetOptions, WidthReport } from "./types.js";
import { widthReport } from "./widths.js";
import { writingFacts } from "../dialects/languages.js";

/** Every target under each of its profiles: what is exact, emulated, assumed or refused there. */
export async function portabilityOf(
  compilation: Compilation,
  options: TargetOptions & Pick<SourceOptions, "entry"> & { readonly targets?: readonly Target[] },
): Promise<Portability[]> {
  const module = compilation.module;
  if (!module) return [];
  const list: Portability[] = [];
  for (const target of options.targets ?? targets) {
    for (const profile of profilesOf(target, options.profile)) {
      if (options.profile !== undefined && options.profile !== profile) continue;
      const device = options.deviceProfile === undefined ? undefined : profileFor(target, { ...options, profile });
      // Versions newer than the device's are none of its own; what of a vendor's it has, its report says.
      if (device?.device && (device.id !== profile || profile.includes("-"))) continue;
      // A GLSL text holds one entry: each is looked at by itself.
      const names =
        options.entry === undefined && writingFacts(target)?.soleEntry !== undefined
          ? module.entries.map((e) => e.name)
          : [options.entry];
      // What is written is thrown away: it is not laid out.
      const settings = { ...options, types: false, profile: target === "ts" ? undefined : profile };
      const parts = await Promise.all(
        names.map((entry) => translateTo(compilation, target, { ...settings, ...(entry ? { entry } : {}) })),
      );
      const emulations = parts.flatMap((p) => p.emulations);
      const assumptions = parts.flatMap((p) => p.assumptions);
      const refusedEntries = parts.flatMap((p) => p.refused);
      const refused = refusedEntries.length > 0 || parts.some((p) => p.output === undefined);
      const verdict = refused
        ? "refused"
        : emulations.length > 0
          ? "emulated"
          : assumptions.length > 0
            ? "assumed"
            : "exact";
      list.push({
        target,
        profile,
        ...(device?.device ? { device: device.device.name } : {}),
        verdict,
        emulations,
        assumptions,
        ...(refusedEntries.length > 0 ? { refusedEntries: refusedEntries.map((r) => r.entry) } : {}),
        diagnostics: [
          ...refusedEntries.flatMap((r) => r.diagnostics),
          ...parts.flatMap((p) => p.diagnostics.filter((d) => p.refused.length === 0 || d.severity !== "warning")),
        ],
      });
    }
  }
  return list;
}

export function widthReports(compilation: Compilation, entry?: string): readonly WidthReport[] {
  const entries = compilation.module?.entries ?? [];
  return entries.filter((e) => entry === undefined || e.name === entry).map((e) => widthReport(compilation, e));
}

export async function check(
  source: string,
  options: SourceOptions & TargetOptions & { readonly targets?: readonly Target[] },
): Promise<CheckResult> {
  requireKnown(options, { ...sourceOptions, ...targetOptions, targets: true });
  requireSource(source, options);
  requireTargetOptions(options);
  const compilation = await compile(source, options);
  if (hasErrors(compilation.diagnostics))
    return { diagnostics: compilation.diagnostics, portability: [], widths: [], refused: [], leftOut: [] };
  return {
    diagnostics: compilation.diagnostics,
    refused: compilation.refused,
    leftOut: compilation.leftOut,
    reflection: reflectCompilation(compilation, []),
    portability: await portabilityOf(compilation, options),
    widths: widthReports(compilation, options.entry),
  };
}

/** TypeScript has one version of everything; variants are looked at where they are asked for. */
const profilesOf = (target: Target, asked: string | undefined): readonly string[] =>
  target === "ts" ? ["ts"] : profileIds(target).filter((id) => id === asked || !profileNamed(id)!.variant);
