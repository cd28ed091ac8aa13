/**
 * Formats of functions that print, taken apart (OpenCL C 3.0 6.15.14.2, which is C99 7.19.6.1 with vectors; GLSL_EXT_debug_printf
 * takes the same).
 */

/** How one argument is written. Its type says how wide it is, and how many components follow each other. */
export interface PrintConversion {
  /** Of `-+ #0`. */
  readonly flags: string;
  readonly width?: number;
  readonly precision?: number;
  /** `d` stands for `i`, too. `s` takes a pointer to characters that a null ends, or how many of those that are kept. */
  readonly letter: PrintLetter;
  /** Of `c`: the character is kept for the next `s` of the invocation, and nothing is printed now. */
  readonly kept?: true;
}
export type PrintLetter = "d" | "u" | "o" | "x" | "X" | "c" | "f" | "F" | "e" | "E" | "g" | "G" | "a" | "A" | "s";

/** Text, or where the next argument goes. */
export type PrintPiece = string | PrintConversion;

/** A conversion as it is spelled, with what its type has to agree with. */
export interface SpelledConversion extends Omit<PrintConversion, "letter" | "kept"> {
  readonly letter: PrintLetter | "p";
  readonly text: string;
  /** Components (`v4`); undefined of a scalar. */
  readonly vector?: number;
  /** Bits that its length says: of `hh`, `h`, `hl`, `l` and `ll`. */
  readonly bits?: 8 | 16 | 32 | 64;
}

const lengths: Readonly<Record<string, SpelledConversion["bits"]>> = { hh: 8, h: 16, hl: 32, l: 64, ll: 64 };

/** Text, and conversions as they are spelled; what is none stands among the text. */
export function readFormat(format: string): (string | SpelledConversion)[] {
  const pieces: (string | SpelledConversion)[] = [];
  const put = (text: string): void => {
    const last = pieces.at(-1);
    if (typeof last === "string") pieces[pieces.length - 1] = last + text;
    else if (text !== "") pieces.push(text);
  };
  // `%ul` is GLSL_EXT_debug_printf's `%lu`.
  const conversions =
    /%(?:%|([-+ #0]*)(\d+)?(?:\.(\d*))?(?:v(16|[2348]))?(?:(ul)|(hh|hl|h|ll|l)?([diuoxXcfFeEgGaAsp])))/g;
  let from = 0;
  for (const m of format.matchAll(conversions)) {
    put(format.slice(from, m.index));
    from = m.index + m[0].length;
    if (m[0] === "%%") {
      put("%");
      continue;
    }
    const [text, flags, width, precision, vector, long, length] = m;
    const letter = long === undefined ? m[7]! : "u";
    pieces.push({
      text,
      flags: [...new Set(flags)].join(""),
      ...(width === undefined ? {} : { width: Number(width) }),
      ...(precision === undefined ? {} : { precision: Number(precision) }),
      ...(vector === undefined ? {} : { vector: Number(vector) }),
      ...(long === undefined && length === undefined ? {} : { bits: long === undefined ? lengths[length!] : 64 }),
      letter: (letter === "i" ? "d" : letter) as SpelledConversion["letter"],
    });
  }
  put(format.slice(from));
  return pieces;
}

/** A conversion in a format: `more` stands before its letter. */
export function spellConversion({ flags, width, precision, letter }: PrintConversion, more: string): string {
  return `%${flags}${width ?? ""}${precision === undefined ? "" : `.${precision}`}${more}${letter}`;
}

/** Text that is `width` wide, on the side that the flags say. */
export function padded(text: string, { flags, width = 0 }: Pick<PrintConversion, "flags" | "width">): string {
  return flags.includes("-") ? text.padEnd(width) : text.padStart(width);
}

/** What `%s` writes of a text, whose characters it counts as bytes. */
export function printedText(bytes: Uint8Array, how: Pick<PrintConversion, "flags" | "width" | "precision">): string {
  const taken = bytes.subarray(0, how.precision);
  const text = new TextDecoder().decode(taken);
  return padded(text, { ...how, width: (how.width ?? 0) - taken.length + text.length });
}
