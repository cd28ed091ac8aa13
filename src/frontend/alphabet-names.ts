import { joinedGreater, keywordCodes, signs } from "./generated/alphabet.js";

/** Spelling, in quotes, of the characters that stand for longer signs and keywords. */
export const keywords: ReadonlyMap<string, string> = new Map([
  ...Object.entries(signs).map(([sign, character]) => [character, `'${sign}'`] as const),
  ...Object.entries(keywordCodes).map(([word, character]) => [character, `'${word}'`] as const),
  [joinedGreater, "'>'"],
]);
