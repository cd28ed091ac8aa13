/**
 * Every diagnostic code with the sentence `crosslane explain` starts from. The thousands digit is the stage:
 * 0 preprocessor, 1 syntax, 2 names and types, 3 capability, 4 lowering, 5 findings, 6 launch and verify, 7 devices,
 * 8 command line and config, 9 internal. Codes are never reused. Keep the list sorted.
 */
export const codes = {
  XL1001: "the text does not follow the grammar of its dialect",
  XL1900: "the construct is valid but not supported yet",
  XL2001: "a name is used that is not declared",
  XL2002: "a name is declared twice in one scope",
  XL2003: "a value does not convert to the type its place needs",
  XL2004: "an operator does not take operands of these types",
  XL2005: "no function of that name takes these arguments, or several do equally well",
  XL2006: "something is written that cannot be written",
  XL2007: "a constant expression is needed",
  XL2008: "a function calls itself",
  XL2009: "an address space is missing, wrong or not possible here",
  XL2010: "an entry point or its interface is not declared as the dialect wants",
  XL2011: "a statement stands where it has no meaning",
  XL2012: "a member or component does not exist",
  XL2013: "a type is not known or cannot be used here",
  XL2014: "an initialiser does not fit what it initialises",
  XL2015: "a literal cannot be represented",
  XL2016: "a conversion drops components of a vector",
  XL2017: "a name is not what its use needs it to be",
  XL2018: "a function does not return what it promises",
  XL2019: "a static assertion does not hold",
  XL2020: "a sub-array, size or count is not possible",
  XL9001: "crosslane met a case it should have handled; please report it",
} as const satisfies Record<`XL${number}`, string>;

export type Code = keyof typeof codes;
