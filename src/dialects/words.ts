/**
 * Words the pre-scan marks for the grammars: which words of a dialect are keywords, qualifiers, type names and templates.
 * Sources: MSL specification 1 to 5 and C++14 2.12, GLSL 4.60 section 3.6, OpenCL C 3.0 section 6.1.9, the HLSL reference
 * and DXC.
 */

export interface DialectWords {
  /** Keywords that have a rule of their own in the grammars (grammars/tokens.mjs), alternative spellings with their rule's word. */
  readonly keywords: ReadonlyMap<string, string>;
  readonly qualifiers: ReadonlySet<string>;
  /** Qualifiers that are names unless a word follows: `linear float x` but `linear = 3`. */
  readonly softQualifiers: ReadonlySet<string>;
  /** Keywords where a template's head or a declaration goes on with them, and names elsewhere: `template <..> requires`. */
  readonly softKeywords?: ReadonlySet<string>;
  /** Other spellings of qualifiers and of words of `arithmetic`, with the word that the rest of crosslane knows. */
  readonly spellings: ReadonlyMap<string, string>;
  /** Words that join to one type: `unsigned long int`. */
  readonly arithmetic: ReadonlySet<string>;
  /** Spelled-out type names. */
  readonly types: ReadonlySet<string>;
  /** Families of type names. */
  readonly typePattern: RegExp;
  /** Templates that take arguments in angle brackets: types, functions, and members after a dot. */
  readonly typeTemplates: ReadonlySet<string>;
  readonly functionTemplates: ReadonlySet<string>;
  readonly memberTemplates: ReadonlySet<string>;
  /** Words before parentheses that C23 or GNU C has and it has not, with what says the same there. */
  readonly absent: ReadonlyMap<string, string>;
  /** Words that are signs: `and` is `&&`. */
  readonly signs: ReadonlyMap<string, string>;
  /** `1'000'000` is a number. */
  readonly digitSeparators: boolean;
  /** `3_km` calls a function of the source (C++14 2.14.8). */
  readonly userLiterals: boolean;
  /** `R"(text)"` is a string (C++11 2.14.5). */
  readonly rawStrings: boolean;
  /** Names may have letters beyond ASCII: `float μ` (clang and DXC take UTF-8; not in GLSL, 4.60 section 3.1). */
  readonly unicodeNames: boolean;
  /** `(float)x` converts: not in GLSL, which has constructors only (4.60 section 5.4). */
  readonly casts: boolean;
  /** Names may be followed by arguments in angle brackets. */
  readonly templates: boolean;
}

/** C and the shading languages have none of these. */
export const plainSigns = {
  signs: new Map<string, string>(),
  digitSeparators: false,
  userLiterals: false,
  rawStrings: false,
} as const;

/** A dialect whose compiler has no words of GNU C. */
export const plainWords = { spellings: new Map<string, string>() } as const;

/** Words of GNU C for the type of an expression, those of `known` aside. */
export const withoutTypeof = (instead: string, known: readonly string[] = []): Pick<DialectWords, "absent"> => ({
  absent: new Map(
    ["typeof", "__typeof__", "__typeof"].filter((word) => !known.includes(word)).map((word) => [word, instead]),
  ),
});

/** What GNU C has for words that a strict C lacks (GCC manual, "Alternate Keywords"), as clang takes them. */
export const gnuWords = {
  spellings: new Map(
    ["const", "volatile", "inline", "restrict", "signed"].flatMap((word) => [
      [`__${word}`, word],
      [`__${word}__`, word],
    ]),
  ),
} as const;

export const wordSet = (text: string): ReadonlySet<string> =>
  new Set(
    text
      .trim()
      .split(/\s+/)
      .filter((word) => word !== ""),
  );
export const keywordMap = (
  text: string,
  spellings: Readonly<Record<string, string>> = {},
): ReadonlyMap<string, string> =>
  new Map([...[...wordSet(text)].map((word) => [word, word] as const), ...Object.entries(spellings)]);

export const statements = "if else for while do switch case default break continue return struct";
export const cWords = `${statements} goto union enum typedef sizeof`;
export const cppWords = `${cWords} class using namespace template typename operator static_assert alignas decltype alignof friend
  public private protected try`;
/** Words of expressions that no kernel has. */
export const cppRefused = "throw new delete typeid";
/** Of C++20, which C++17 has for names. */
export const cpp20Words = wordSet("concept requires");
export const gnu = { __attribute__: "__attribute__", __attribute: "__attribute__" };
export const asm = { asm: "asm", __asm__: "asm", __asm: "asm" };

/** Whether HLSL names a type of 16 bits, which DXC takes with `-enable-16bit-types` only. */
export const namesNarrowTypes = (text: string): boolean => /\b(?:float|u?int)16_t(?:[234](?:x[234])?)?\b/.test(text);
