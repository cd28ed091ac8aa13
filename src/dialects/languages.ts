/** Every language, with what is known of it. */
import type { LayoutRule } from "../types/layout.js";
import { glsl } from "./glsl/index.js";
import { hlsl } from "./hlsl/index.js";
import {
  isSourceDialect,
  type Dialect,
  type LanguageForm,
  type SourceForm,
  type Target,
  type TargetDialect,
} from "./ids.js";
import type {
  ArithmeticFacts,
  Language,
  LanguageFacts,
  ReadingFacts,
  ReadLanguage,
  WritingFacts,
  WrittenLanguage,
} from "./language.js";
import { msl } from "./msl/index.js";
import { openclCxx } from "./opencl/cxx.js";
import { opencl } from "./opencl/index.js";

export const languages: {
  readonly [D in LanguageForm]: (D extends SourceForm ? ReadLanguage : Language) &
    (D extends TargetDialect ? WrittenLanguage : Language);
} = { msl, glsl, opencl, hlsl, "opencl-cxx": openclCxx };

export const languageFacts = Object.fromEntries(
  Object.entries(languages).map(([form, { facts }]) => [form, facts]),
) as Readonly<Record<LanguageForm, LanguageFacts>>;

/** TypeScript, which is made to be run, is no language in this sense. */
export const factsOf = (language: Dialect | "ts"): LanguageFacts | undefined =>
  language === "ts" ? undefined : languageFacts[language];

/** What a text can rely on: where a compiler folds as if signed integers did not overflow, not that they wrap. */
export function writtenArithmetic(target: TargetDialect): ArithmeticFacts {
  const { arithmetic } = languageFacts[target];
  return arithmetic.foldsSignedOverflow ? { ...arithmetic, signedOverflow: "undefined" } : arithmetic;
}

export const readingFacts = (form: SourceForm): ReadingFacts => languages[form].reading;

/** TypeScript has none: what is run needs no text but its own. */
export function writingFacts(target: TargetDialect): WritingFacts;
export function writingFacts(target: Target): WritingFacts | undefined;
export function writingFacts(target: Target): WritingFacts | undefined {
  return target === "ts" ? undefined : languages[target].writing;
}

/** How a resource lies in memory that may stand in a block. TypeScript takes the launch's bytes. */
function layoutInBlock(home: Dialect | "ts", block: string | undefined): LayoutRule {
  if (home === "ts") return "natural";
  const { buffers, uniformBlocks } = languageFacts[home];
  return (block === "uniform" ? uniformBlocks : undefined) ?? buffers;
}

/** How a resource lies in memory. */
export const layoutOfResource = (home: Dialect | "ts", resource: Placed | undefined): LayoutRule =>
  resource?.layout ?? layoutInBlock(home, resource?.block?.kind);

/** What of a resource decides how it lies in memory. */
interface Placed {
  readonly layout?: LayoutRule;
  readonly block?: { readonly kind: string };
}

/** How elements of buffers lie in memory, where no block says otherwise. */
export const bufferLayout = (home: Dialect | "ts"): LayoutRule => layoutInBlock(home, undefined);

/** How `#line` of a target names files. */
export const lineFiles = (target: Target): "names" | "numbers" | undefined =>
  isSourceDialect(target) ? readingFacts(target).files : undefined;

/** Whether a target's texts can say which lines of which files they were made from. */
export const hasLineDirectives = (target: Target): boolean => lineFiles(target) !== undefined;
