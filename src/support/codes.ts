/**
 * Every diagnostic code with the sentence `crosslane explain` starts from. The thousands digit is the stage:
 * 0 preprocessor, 1 syntax, 2 names and types, 3 capability, 4 lowering, 5 findings, 6 launch and verify, 7 devices,
 * 8 command line and config, 9 internal. Codes are never reused. Keep the list sorted.
 */
export const codes = {
  XL1001: "the text does not follow the grammar of its dialect",
  XL1900: "the construct is valid but not supported yet",
  XL2001: "a name is used that is not declared",
  XL9001: "crosslane met a case it should have handled; please report it",
} as const satisfies Record<`XL${number}`, string>;

export type Code = keyof typeof codes;
