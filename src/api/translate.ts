/** From a canonical module to the text of one target: where passes and printers meet. */
import type { LegalFacts, Note } from "../ast/legal.js";
import type { Module } from "../ast/nodes.js";
import type { Target } from "../dialects/ids.js";
import { legalize } from "../passes/index.js";
import { printModule } from "../../emitters/index.js";
import type { NodeMap } from "../../emitters/index.js";
import type { Diagnostic } from "../support/diagnostics.js";
import { compile, hasErrors, remark, resolve } from "./compile.js";
import type { Compilation } from "./compile.js";
import { requireSource, requireTarget, requireTargetOptions, stemOf } from "./options.js";
import { reflectCompilation } from "./reflect.js";
import type { Remark, SourceOptions, TargetOptions, TranslateOptions, TranslateResult } from "./types.js";

/** One target's share of a compilation. */
export interface Translation {
  readonly target: Target;
  readonly diagnostics: readonly Diagnostic[];
  readonly emulations: readonly Remark[];
  readonly assumptions: readonly Remark[];
  readonly notes: readonly Note[];
  /** Absent where the target refuses the source. */
  readonly output?: {
    readonly code: string;
    readonly map: NodeMap;
    readonly module: Module<"legal">;
    readonly facts: LegalFacts;
  };
}

/** Writes a module for a target; `entry` leaves only that entry point in. */
export function translateTo(compilation: Compilation, target: Target, options: TargetOptions & Pick<SourceOptions, "entry">): Translation {
  throw new Error(`${compilation.fileName} ${target} ${String(options)} ${String([legalize, printModule, remark, resolve, stemOf])}`);
}

export async function translate(source: string, options: TranslateOptions): Promise<TranslateResult> {
  requireSource(source, options);
  requireTarget(options.to);
  requireTargetOptions(options);
  const compilation = await compile(source, options);
  const none = { emulations: [], assumptions: [] };
  if (!compilation.module) return { diagnostics: compilation.diagnostics, ...none };
  const translation = translateTo(compilation, options.to, options);
  const diagnostics = [...compilation.diagnostics, ...translation.diagnostics];
  const code = hasErrors(diagnostics) ? undefined : translation.output?.code;
  return {
    ...(code !== undefined ? { code } : {}),
    diagnostics,
    reflection: reflectCompilation(compilation, [translation]),
    emulations: translation.emulations,
    assumptions: translation.assumptions,
  };
}
