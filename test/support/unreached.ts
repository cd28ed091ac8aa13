/** Statements of fixtures that no launch of theirs comes to, and why: everything else is run. */
export const unreached: Readonly<Record<string, { readonly lines: readonly string[]; readonly why: string }>> = {
  "philox msl": {
    lines: ["if (counter.x < before) counter.y++;"],
    why: "the counter starts at 0, and 2^32 numbers later it would carry",
  },
};

/** What `verify` says of a fixture whose translations are right. */
export const rightAnswer = (fixture: string, dialect: string): "equivalent" | "equivalent-where-run" =>
  unreached[`${fixture} ${dialect}`] ? "equivalent-where-run" : "equivalent";
