/** From a canonical module to the text of one target: where passes and printers meet. */
import type { OutputRange } from "../../emitters/index.js";
import type { SlotAssignment } from "../ast/legal.js";
import type { EntryPoint, Module, OpId } from "../ast/nodes.js";
import { usesSubgroups } from "../ast/subgroups.js";
import { walkModule } from "../ast/walk.js";
import { defaultProfile, hasAtom } from "../caps/profiles.js";
import { isTargetDialect, type Target } from "../dialects/ids.js";
import { satisfied } from "../ops/features.js";
import { rows } from "../ops/table.js";
import { hasUnreached, legalize } from "../passes/index.js";
import { withOwnSlots } from "../passes/interface/own-slots.js";
import type { Legalized } from "../passes/index.js";
import { kindOf } from "../support/problem-kinds.js";
import type { Diagnostic } from "../support/diagnostics.js";
import { locate } from "../support/expanded-source.js";
import { triple } from "../launch/triple.js";
import { byReason, compile, entriesRefused, hasErrors, remark, resolve } from "./compile.js";
import type { Compilation } from "./compile.js";
import {
  requireKnown,
  requireSource,
  requireTarget,
  requireTargetOptions,
  sourceOptions,
  stemOf,
  targetOptions,
} from "./options.js";
import { optionalParts, printLegal } from "./print-legal.js";
import { profileFor } from "./profile.js";
import { barriersOf } from "./barriers.js";
import { reflectCompilation } from "./reflect-compilation.js";
import { hasLineDirectives, languageFacts } from "../dialects/languages.js";
import type { Layouts } from "./typescript-layout.js";
import { writtenOutput } from "./written.js";
import type {
  BarrierRemark,
  LeftOutDeclaration,
  RefusedEntry,
  Remark,
  SourceOptions,
  TargetOptions,
  TranslateOptions,
  TranslateResult,
} from "./types.js";

/** One target's share of a compilation. */
export interface Translation {
  readonly target: Target;
  readonly diagnostics: readonly Diagnostic[];
  readonly emulations: readonly Remark[];
  readonly assumptions: readonly Remark[];
  readonly barriers: readonly BarrierRemark[];
  /** Absent where the target refuses the source. */
  readonly output?: Output;
  /** Entries that the target refuses, though it has others in `output`. */
  readonly refused: readonly RefusedEntry[];
  /** What no entry reaches and the target would have refused, or for which its text would ask for more. */
  readonly leftOut: readonly LeftOutDeclaration[];
}

export interface Output {
  readonly code: string;
  /** From nodes of the source (spans of the expanded text) to ranges of `code`. */
  readonly map: readonly OutputRange[];
  readonly module: Module;
  readonly slots: readonly SlotAssignment[];
  /** The source's own tokens: it was in the target's dialect already and asks for nothing the profile lacks. */
  readonly formatted: boolean;
  /** Of TypeScript: what it exports. */
  readonly declarations?: string;
}

/** Which of the kernels of a text that was written is `entry` of the source: they are in its order, without those that were refused. */
export function writtenEntry(
  compilation: Compilation,
  { name }: Pick<EntryPoint, "name">,
  { output, refused }: Translation,
): EntryPoint {
  const entries = output!.module.entries;
  const names = compilation.module!.entries.map((e) => e.name).filter((n) => !refused.some((r) => r.entry === n));
  const found = entries.length === 1 ? entries[0] : entries[names.indexOf(name)];
  if (!found) throw new Error(`the text was not written for '${name}'`);
  return found;
}

interface TranslationOptions extends TargetOptions, Pick<SourceOptions, "entry">, Pick<TranslateOptions, "types"> {
  readonly layouts?: Layouts;
}

/**
 * Writes a module for a target; `entry` leaves only that entry point in. What the target refuses stops those that reach it:
 * first the rest is left out, then each entry is tried by itself, and those that it takes are written.
 */
export async function translateTo(
  compilation: Compilation,
  target: Target,
  options: TranslationOptions,
): Promise<Translation> {
  const whole = await attempt(compilation, target, options, { entry: options.entry });
  if (compilation.options.keepUnused) return whole;
  const module = compilation.module!;
  const names = options.entry !== undefined ? [options.entry] : module.entries.map((e) => e.name);
  if (whole.output) {
    if (whole.output.formatted || !isTargetDialect(target) || !hasUnreached(module, names)) return whole;
    const { size } = asksFor(whole);
    if (size === 0) return whole;
    const needed = await attempt(compilation, target, options, { entry: names, reachedOnly: true });
    // What no kernel calls stays, as it was written, unless the text asks for more because of it.
    return needed.output && asksFor(needed).size < size ? needed : whole;
  }
  const reached = async (): Promise<Translation> =>
    hasUnreached(module, names) ? attempt(compilation, target, options, { entry: names, reachedOnly: true }) : whole;
  if (names.length < 2 || whole.diagnostics.some((d) => kindOf(d.code) === "entry-wanted")) return reached();
  const good: string[] = [];
  const refused: RefusedEntry[] = [];
  for (const entry of names) {
    const { output, diagnostics } = await attempt(compilation, target, options, { entry, reachedOnly: true });
    if (output) good.push(entry);
    else refused.push({ entry, diagnostics: diagnostics.filter((d) => d.severity === "error") });
  }
  if (good.length === 0 || refused.length === 0) return reached();
  const part = await attempt(compilation, target, options, { entry: good, reachedOnly: true });
  if (!part.output) return reached();
  const why = byReason(refused).flatMap(([first]) =>
    first!.diagnostics.map((d): Diagnostic => ({ ...d, severity: "warning" })),
  );
  return { ...part, refused, diagnostics: [...part.diagnostics, ...why, ...entriesRefused(refused, target)] };
}

/** What a text needs beyond the plain language, and what it emulates. */
const asksFor = ({ output, emulations }: Translation): ReadonlySet<string> =>
  new Set([...optionalParts(output!.module), ...emulations.map((e) => e.op)]);

/** A size of workgroups is meant for such a kernel; beside one, others keep what they state. */
const leavesSizeOpen = (e: EntryPoint): boolean =>
  e.workgroupSize === undefined && (e.workgroupSizeStated ?? []).every((n) => n === undefined);

async function attempt(
  compilation: Compilation,
  target: Target,
  options: TranslationOptions,
  choice: { readonly entry: string | readonly string[] | undefined; readonly reachedOnly?: boolean },
): Promise<Translation> {
  const module = compilation.module;
  if (!module) throw new Error("a source with errors is not translated");
  const profile = profileFor(target, options);
  const legal = legalize(module, target, {
    ...(profile ? { profile } : {}),
    ...(options.workgroupSize ? { workgroupSize: triple(options.workgroupSize, 1) } : {}),
    ...(options.keepStatedSizes ? { keepStatedSizes: true } : {}),
    ...(module.entries.some(leavesSizeOpen) ? { sizeForOthers: true } : {}),
    ...(options.subgroupSize !== undefined ? { subgroupSize: options.subgroupSize } : {}),
    ...(options.emulateSubgroups !== undefined ? { emulateSubgroups: options.emulateSubgroups } : {}),
    ...(options.local ? { local: options.local } : {}),
    ...(choice.entry !== undefined ? { entry: choice.entry } : {}),
    ...(choice.reachedOnly ? { reachedOnly: true } : {}),
    strict: options.strict ?? false,
    fileStem: stemOf(compilation.fileName),
  });
  const diagnostics = legal.problems.map((p) => resolve(p, compilation.expanded));
  const common = {
    target,
    emulations: legal.emulations.map((n) => remark(n, compilation.expanded)),
    assumptions: legal.assumptions.map((n) => remark(n, compilation.expanded)),
    barriers: [],
    refused: [],
    leftOut: legal.leftOut.map(({ name, kind, span }): LeftOutDeclaration => {
      const { file, line } = locate(compilation.expanded, span);
      return { names: [name], kind, file, line };
    }),
  };
  if (!legal.module || hasErrors(diagnostics)) return { ...common, diagnostics };
  const rest = { module: legal.module, slots: legal.slots };
  if (target === "ts") {
    // Loaded when it is needed: the simulator is the larger half of the program.
    const { printTypescript } = await import("./typescript.js");
    const printed = await printTypescript(legal.module, compilation.expanded, options.types ?? true, options.layouts);
    if ("problems" in printed)
      return {
        ...common,
        diagnostics: [...diagnostics, ...printed.problems.map((p) => resolve(p, compilation.expanded))],
      };
    return {
      ...common,
      diagnostics,
      output: { ...rest, code: printed.text, map: printed.map, formatted: false, declarations: printed.declarations },
    };
  }
  const emulates = options.emulateSubgroups !== undefined && usesSubgroups(module);
  if (target === compilation.form && !emulates && staysAsItIs(module, legal)) {
    const { format } = await import("../../emitters/format/format.js");
    const { text, map } = format(compilation.source, target);
    // The source's own tokens emulate and assume nothing.
    return {
      target,
      emulations: [],
      assumptions: [],
      barriers: barriersOf(compilation, legal.module, target, true),
      refused: [],
      leftOut: [],
      diagnostics,
      output: { ...rest, slots: withOwnSlots(module, legal.slots), code: text, map, formatted: true },
    };
  }
  const { text, map } = printLegal(legal.module, target);
  return {
    ...common,
    barriers: barriersOf(compilation, legal.module, target, false),
    diagnostics,
    output: { ...rest, code: text, map, formatted: false },
  };
}

/**
 * Whether the source's own text is what the target takes: nothing is left out, and whatever op was carried out by other
 * means, as if it came from elsewhere, the profile has in this dialect's own spelling too.
 */
function staysAsItIs(module: Module, legal: Legalized): boolean {
  const target = module.dialect;
  if (!isTargetDialect(target)) return false;
  const profile = legal.module!.legal?.profile ?? defaultProfile(target);
  const has = (op: string): boolean => {
    const row = rows.get(op as OpId);
    if (!row) return true;
    return row.cells[target].some(
      (c) => c.kind === "native" && satisfied(c.needs, (atom) => hasAtom(profile, atom)) !== undefined,
    );
  };
  // What an emulation is made of is none of the source's business.
  const asked = new Set<string>();
  let barriers = true;
  walkModule(module, {
    expr: (e) => {
      if (e.kind === "op") asked.add(e.op);
      return true;
    },
    statement: (s) => {
      if (s.kind === "barrier" && satisfied(s.compiled?.needs, (atom) => hasAtom(profile, atom)) === undefined)
        barriers = false;
    },
  });
  const { entries, functions } = legal.module!;
  // Functions of the library that the profile lacks are functions of the text.
  const library = new Set(module.functions.filter((f) => f.library).map((f) => f.id));
  const ownLibrary = functions.every((f) => f.library !== undefined || !library.has(f.id));
  const asAsked = (e: EntryPoint, i: number): boolean =>
    e.subgroupSizes?.min === module.entries[i]!.subgroupSizes?.min &&
    e.subgroupSizes?.max === module.entries[i]!.subgroupSizes?.max;
  return (
    legal.emulations.every((n) => has(n.op) || (rows.has(n.op as OpId) && !asked.has(n.op))) &&
    ownLibrary &&
    barriers &&
    entries.length === module.entries.length &&
    !module.entriesLeftOut &&
    !module.specialized &&
    !module.extended &&
    !(legal.module!.choosesObjects && languageFacts[target].knownResources) &&
    entries.every(asAsked)
  );
}

/** What a translation lacks of its source: the source's own text lacks nothing. */
export function partsMissing(
  { refused, leftOut }: Compilation,
  translation: Translation,
): Pick<TranslateResult, "refused" | "leftOut"> {
  if (!translation.output) return { refused: [], leftOut: [] };
  return {
    refused: [...refused, ...translation.refused],
    leftOut: translation.output.formatted ? [] : [...leftOut, ...translation.leftOut],
  };
}

export async function translate(source: string, options: TranslateOptions): Promise<TranslateResult> {
  requireKnown(options, {
    ...sourceOptions,
    ...targetOptions,
    to: true,
    sourceMap: true,
    lineDirectives: true,
    types: true,
  });
  requireSource(source, options);
  requireTarget(options.to);
  requireTargetOptions(options, options.to);
  if (options.lineDirectives && !hasLineDirectives(options.to))
    throw new TypeError(`'lineDirectives': ${options.to} has no #line; 'sourceMap' gives a map`);
  if (options.types !== undefined && isTargetDialect(options.to)) throw new TypeError("'types' is for 'to: \"ts\"'");
  const compilation = await compile(source, options);
  const none = { emulations: [], assumptions: [], barriers: [], refused: [], leftOut: [] };
  if (!compilation.module) return { diagnostics: compilation.diagnostics, ...none };
  const translation = await translateTo(compilation, options.to, options);
  const diagnostics = [...compilation.diagnostics, ...translation.diagnostics];
  const output = hasErrors(diagnostics) ? undefined : translation.output;
  return {
    ...(output
      ? writtenOutput(compilation, options.to, output, {
          sourceMap: options.sourceMap,
          lineDirectives: options.lineDirectives,
        })
      : {}),
    ...(output?.declarations === undefined ? {} : { declarations: output.declarations }),
    diagnostics,
    reflection: reflectCompilation(compilation, [translation]),
    emulations: translation.emulations,
    assumptions: translation.assumptions,
    barriers: translation.barriers,
    ...partsMissing(compilation, translation),
  };
}
