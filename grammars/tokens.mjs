/**
 * The alphabet of the grammars. The pre-scan (src/frontend/tokens.ts) turns the expanded text into a string with one
 * character per token, and the Peggy grammars parse that string: white space, keywords and the question "is this word a
 * type?" are settled before Peggy starts, and a rule never looks at a character twice. Spans come from the token
 * positions kept beside the string.
 *
 * The characters are for Peggy; the grammars say their names: kinds of words as `tokens` lists them, signs as they are written
 * (`"::"`), keywords by the rules of `keywords`.
 */

/** Kinds of tokens that are no signs and no keywords: name in the grammars -> character. */
export const tokens = {
  NameToken: "i",
  /** The name of a type, predeclared or of the source. */
  TypeToken: "t",
  /** `unsigned`, `long`, `int`, which make one type together. */
  ArithmeticToken: "w",
  /** A template of types, of functions, before `<`. */
  TypeTemplateToken: "h",
  FunctionTemplateToken: "g",
  QualifierToken: "q",
  IntegerToken: "n",
  FloatToken: "f",
  BooleanToken: "b",
  CharacterToken: "c",
  StringToken: "s",
};

/** Kinds that often stand together: name in the grammars -> the choice it is short for. */
export const tokenSets = {
  /** A word that may be declared again, whatever it is now. */
  AnyNameToken: "(NameToken / TypeToken / FunctionTemplateToken / TypeTemplateToken)",
  /** What a declaration may begin with, besides keywords. */
  DeclarationStart: '(TypeToken / QualifierToken / ArithmeticToken / TypeTemplateToken / "::")',
};

/** Signs of more than one character, and the character that stands for each. */
export const signs = {
  "<=": "≤",
  ">=": "≥",
  "==": "≡",
  "!=": "≠",
  "&&": "∧",
  "||": "∨",
  "^^": "⊻",
  "<<": "«",
  "++": "⧺",
  "--": "⨪",
  "->": "→",
  "::": "∷",
  "...": "…",
  "+=": "⊕",
  "-=": "⊖",
  "*=": "⊗",
  "/=": "⊘",
  "%=": "⊛",
  "&=": "⊙",
  "|=": "⊜",
  "^=": "⊝",
  "<<=": "⊰",
};

/**
 * `>` directly followed by `>` or `>=`. A right shift is `›>`, its assignment `›≥`: so `a<b<c>>` can close twice, and
 * `a > > b` is no shift.
 */
export const joinedGreater = "›";

/** Keywords that have a rule of their own: word -> rule. Which of them a dialect has is in src/dialects/words.ts. */
export const keywords = {
  if: "If",
  else: "Else",
  for: "For",
  while: "While",
  do: "Do",
  switch: "Switch",
  case: "Case",
  default: "Default",
  break: "Break",
  continue: "Continue",
  return: "Return",
  discard: "Discard",
  goto: "Goto",
  struct: "Struct",
  union: "Union",
  class: "Class",
  enum: "Enum",
  typedef: "Typedef",
  using: "Using",
  namespace: "Namespace",
  template: "Template",
  typename: "Typename",
  operator: "Operator",
  static_assert: "StaticAssertWord",
  alignas: "Alignas",
  decltype: "Decltype",
  typeof: "Typeof",
  sizeof: "SizeofWord",
  vec_step: "VecStep",
  alignof: "AlignofWord",
  _Generic: "GenericWord",
  asm: "Asm",
  try: "Try",
  throw: "Throw",
  new: "New",
  delete: "Delete",
  typeid: "Typeid",
  friend: "Friend",
  concept: "Concept",
  requires: "Requires",
  public: "Public",
  private: "Private",
  protected: "Protected",
  __attribute__: "GnuAttributeWord",
  layout: "Layout",
  precision: "Precision",
  spirv_execution_mode: "SpirvExecutionMode",
  cbuffer: "Cbuffer",
  tbuffer: "Tbuffer",
  interface: "Interface",
  coherent: "Coherent",
};

export const firstKeywordCode = 0xe000;
const lastKeywordCode = 0xe0ff;

/** Any keyword, as a class of characters. */
export const keywordClass = `${escaped(firstKeywordCode)}-${escaped(lastKeywordCode)}`;

function escaped(code) {
  return `\\u${code.toString(16).toUpperCase()}`;
}

/** Word -> character of the keyword. */
export const keywordCodes = Object.fromEntries(
  Object.keys(keywords).map((word, index) => [word, String.fromCharCode(firstKeywordCode + index)]),
);
