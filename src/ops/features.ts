/**
 * Feature expressions: atoms and version bounds, and-ed by blanks, or-ed by `|` (which binds weaker), `!` negates one atom.
 * Atoms are `dialect.feature`: `glsl.KHR_shader_subgroup_ballot`, `cl.khr_fp16`, `hlsl.native16`, `msl.simd_vote`; bounds
 * are `msl>=2.1`, `sm>=6.5`, `cl>=2.0`, `vulkan>=1.2`.
 */
import type { Dialect, TargetDialect } from "../dialects/ids.js";
import type { OptionalScalar } from "../dialects/language.js";
import { languageFacts, languages, writingFacts } from "../dialects/languages.js";
import { bitWidth, scalarOf, type ScalarKind, type Type } from "../types/types.js";
import type { FeatureExpression } from "./row.js";

/** The first alternative that holds, as its atoms; undefined where none does. */
export function satisfied(
  expression: FeatureExpression | undefined,
  has: (atom: string) => boolean,
): readonly string[] | undefined {
  if (expression === undefined || expression.trim() === "") return [];
  for (const alternative of expression.split("|")) {
    const atoms = alternative.trim().split(/\s+/);
    if (atoms.every(has)) return atoms;
  }
  return undefined;
}

/** Needs that no version meets, with the reason. */
export const typeRefusals: Readonly<Record<FeatureExpression, string>> = {
  "msl.no_double": "MSL has no double precision",
  "hlsl.no8bit": "HLSL has no 8-bit types",
  no_bfloat: "only MSL has bfloat",
};

/** What a dialect needs to have a type at all. */
export function typeNeeds(dialect: Dialect, type: Type): FeatureExpression {
  const kind =
    scalarOf(type) ??
    (type.kind === "array" ? scalarOf(type.element) : type.kind === "pointer" ? scalarOf(type.pointee) : undefined);
  return kind === undefined ? "" : (languageFacts[dialect].scalars[optional(kind)] ?? "");
}

/** Signs do not matter, nor do kinds that every language has. */
const optional = (kind: ScalarKind): OptionalScalar => kind.replace(/^u/, "i") as OptionalScalar;

/** What a dialect needs to have a scalar in a buffer, beside the type itself. */
export function storageNeeds(dialect: Dialect, kind: ScalarKind): FeatureExpression {
  return languageFacts[dialect].storage[bitWidth(kind)] ?? "";
}

/** What subgroup operations on a type need beside. */
export function subgroupTypeNeeds(dialect: Dialect, type: Type): FeatureExpression {
  const kind = scalarOf(type);
  return kind === undefined ? "" : (languageFacts[dialect].subgroupScalars[optional(kind)] ?? "");
}

/** The line that turns a feature on in the text, where there is one. */
export const enablingLine = (dialect: Dialect, atom: string): string | undefined =>
  languages[dialect].writing?.enablingLine?.(atom);

/** Lines that turn features on in the text: GLSL `#extension`, OpenCL pragmas. */
export function enablingLines(dialect: Dialect, atoms: Iterable<string>): string[] {
  return [...new Set([...atoms].flatMap((a) => enablingLine(dialect, a) ?? []))].sort();
}

/** What a dialect needs to say of a buffer that other workgroups see what is written to it; without it atomics alone reach them. */
export const coherentNeeds = (dialect: TargetDialect): FeatureExpression => writingFacts(dialect).coherentBuffers ?? "";
