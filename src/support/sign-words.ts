/** Words that are signs in C++, by the sign they mean: `and` is `&&` (C++14 2.6). */
export const signWords: ReadonlyMap<string, string> = new Map([
  ["and", "&&"],
  ["or", "||"],
  ["not", "!"],
  ["not_eq", "!="],
  ["bitand", "&"],
  ["bitor", "|"],
  ["xor", "^"],
  ["compl", "~"],
  ["and_eq", "&="],
  ["or_eq", "|="],
  ["xor_eq", "^="],
]);
