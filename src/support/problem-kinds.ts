/** What code needs to know of a code besides its words, which only those who show them load (codes.ts). */
import type { Code } from "./codes.js";

/** Code asks for this, not for a code. */
export type ProblemKind =
  /** The text does not follow the grammar. */
  | "syntax"
  /** What stands there is no token. */
  | "token"
  /** The same, and it may have swallowed brackets. */
  | "open-quote"
  | "bracket"
  | "too-deep"
  /** Right in the dialect, and not translated yet. */
  | "not-yet"
  /** The language has no such thing, though another may. */
  | "absent"
  /** The target holds one entry, and none was chosen. */
  | "entry-wanted"
  /** It leaves open whether the translation is right. */
  | "inconclusive"
  /** A driver is busy with a kernel that does not end. */
  | "no-answer"
  /** The kernel cannot run here, which says nothing against it. */
  | "not-runnable";

const kinds: Partial<Readonly<Record<Code, ProblemKind>>> = {
  XL1001: "syntax",
  XL1002: "token",
  XL1003: "token",
  XL1004: "open-quote",
  XL1005: "bracket",
  XL1006: "too-deep",
  XL1900: "not-yet",
  XL2021: "absent",
  XL4002: "entry-wanted",
  XL6011: "inconclusive",
  XL7001: "not-runnable",
  XL7002: "not-runnable",
  XL7003: "not-runnable",
  XL7004: "not-runnable",
  XL7006: "not-runnable",
  XL7007: "no-answer",
  XL7009: "not-runnable",
  XL7010: "not-runnable",
  XL7011: "not-runnable",
  XL7012: "not-runnable",
  XL7013: "not-runnable",
};

export const kindOf = (code: Code): ProblemKind | undefined => kinds[code];

/** What is left to do about a valid construct that is not translated yet, where nothing better is known. */
export const wayOut =
  "write it in another way; kernels of the file that do not need it are translated, and README.md lists what is not there yet";

/** Said of the source's text or what it means: before anything was made of it. */
export const isOfSource = (code: Code): boolean => Number(code[2]) < 3;

/** Said of how crosslane was called, and of files: of no kernel. */
export const isOfCommandLine = (code: Code): boolean => Number(code[2]) === 8;
/** Said of crosslane itself. */
export const isOwnBug = (code: Code): boolean => Number(code[2]) === 9;
/** Said of drivers and devices, in part in their own words. */
export const isOfDevice = (code: Code): boolean => Number(code[2]) === 7;
