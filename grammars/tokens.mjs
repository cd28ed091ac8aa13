/**
 * The alphabet of the grammars. The pre-scan (src/frontend/tokens.ts) turns the expanded text into a string with one
 * character per token, and the Peggy grammars parse that string: white space, keywords and the question "is this word a
 * type?" are settled before Peggy starts, and a rule never looks at a character twice. Spans come from the token
 * positions kept beside the string.
 *
 *   i  a name                     n  an integer literal        (  )  [  ]  ;  ...   signs of one character: themselves
 *   t  the name of a type         f  a floating literal        ≤  ≡  ⊕  ...         longer signs: `signs` below
 *   w  unsigned, long, int ...    b  true or false             \uE000 ...           keywords: `keywords` below
 *   h  a type template before <   c  a character literal
 *   g  a function template, same  s  a string literal
 *   q  a qualifier
 */

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
  sizeof: "SizeofWord",
  vec_step: "VecStep",
  alignof: "AlignofWord",
  asm: "Asm",
  try: "Try",
  friend: "Friend",
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

/** Word -> character of the keyword. */
export const keywordCodes = Object.fromEntries(
  Object.keys(keywords).map((word, index) => [word, String.fromCharCode(firstKeywordCode + index)]),
);
