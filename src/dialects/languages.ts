/** Every language, with what is known of it. */
import type { LayoutRule } from "../types/layout.js";
import { glsl } from "./glsl/index.js";
import { hlsl } from "./hlsl/index.js";
import { byDialect, type Dialect, type SourceDialect, type Target, type TargetDialect } from "./ids.js";
import type { Language, LanguageFacts, ReadingFacts, WritingFacts } from "./language.js";
import { msl } from "./msl/index.js";
import { opencl } from "./opencl/index.js";

export const languages: Readonly<Record<Dialect, Language>> = { msl, glsl, opencl, hlsl };

export const languageFacts: Readonly<Record<Dialect, LanguageFacts>> = byDialect((d) => languages[d].facts);

export function readingFacts(dialect: SourceDialect): ReadingFacts {
  const { facts, reading } = languages[dialect];
  if (!reading) throw new Error(`${facts.name} is not read`);
  return reading;
}

/** TypeScript has none: what is run needs no text but its own. */
export function writingFacts(target: TargetDialect): WritingFacts;
export function writingFacts(target: Target): WritingFacts | undefined;
export function writingFacts(target: Target): WritingFacts | undefined {
  if (target === "ts") return undefined;
  const { facts, writing } = languages[target];
  if (!writing) throw new Error(`${facts.name} is not written`);
  return writing;
}

/** How a resource lies in memory that may stand in a block. TypeScript takes the launch's bytes. */
export function layoutInBlock(target: Target, block: string | undefined): LayoutRule {
  if (target === "ts") return "natural";
  const { buffers, uniformBlocks } = languages[target].facts;
  return (block === "uniform" ? uniformBlocks : undefined) ?? buffers;
}

/** How elements of buffers lie in memory, where no block says otherwise. */
export const bufferLayout = (target: Target): LayoutRule => layoutInBlock(target, undefined);
