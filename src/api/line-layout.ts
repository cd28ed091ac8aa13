/**
 * Which lines of printed TypeScript stand as Prettier lays them out, told without it: statements of a few plain forms. A line that
 * is of none of them may stand right as well.
 */

/** Columns of a line that Prettier is given. */
export const printWidth = 100;

const words = new Set(
  "as async await break case const continue default delete do else for function if in instanceof let new of return switch throw try typeof void while yield".split(
    " ",
  ),
);
/** Names with their members, numbers as JavaScript writes them, strings without escapes. */
const atoms = /"[\w ]*"|(?<![\w$.])\d+(?:\.\d*[1-9])?n?(?![\w.])|[A-Za-z_$][\w$]*(?:\.[A-Za-z_$][\w$]*)*/g;

/*
 * A line is made shorter by rules until nothing changes: A is an operand, S a shift, W one of `& | ^`, Q another operator with its
 * two operands, L what `&&` or `||` join, T a choice. Two operators beside each other are no such thing: Prettier may bracket them.
 */
const before = String.raw`(?<=^|[([!]|, |; | = |return |&& |\|\| |\? | : )`;
const behind = String.raw`(?=$|[)\],;]| && | \|\| | \? | : )`;
const any = "[ASWQLT]";
const rule = (pattern: string, put: string): readonly [RegExp, string] => [new RegExp(pattern, "g"), put];
const operator = (left: string, signs: string, put: string): readonly [RegExp, string] =>
  rule(`${before}(?:${left} (?:${signs}) A|A (?:${signs}) ${left})${behind}`, put);
const shifts = "<<|>>>?";
const bits = "[&|^]";
const sums = "[-+*/%]";
const comparisons = "[<>]=?|[=!]==";

const rules = [
  rule(String.raw`A\((?:${any}(?:, ${any})*)?\)|A\[${any}\]|A!(?![=A(])`, "A"),
  rule(String.raw`(?<![\w)\]+-] ?)-(?=A)|(?<!\w)!(?=A)`, ""),
  rule(String.raw`!\([SWQL]\)`, "A"),
  rule(String.raw`(?<!if |for |while |switch )\(A = ${any}\)`, "A"),
  operator("A", shifts, "S"),
  operator("A", bits, "W"),
  rule(`${before}A(?: [-+*] A)+(?: (?:${comparisons}) A(?: [-+*] A)*)?${behind}`, "Q"),
  rule(`${before}A (?:${comparisons}) A(?: [-+*] A)*${behind}`, "Q"),
  operator("A", "[/%]", "Q"),
  // Brackets that stay: the operator outside binds closer, or Prettier sets them.
  operator(String.raw`\(S\)`, shifts, "S"),
  operator(String.raw`\(S\)`, bits, "W"),
  operator(String.raw`\(S\)`, sums, "Q"),
  operator(String.raw`\(W\)`, shifts, "S"),
  operator(String.raw`\(W\)`, `${sums}|${comparisons}`, "Q"),
  rule(String.raw`${before}[ASWQ](?:(?: && [ASWQ])+|(?: \|\| [ASWQ])+)(?=$|[)\],;]| \? | : )`, "L"),
  rule(String.raw`(?<=\[|\(|, | = |return )[ASWQL] \? [ASWQ] : [ASWQ](?=[)\],;])`, "T"),
];

const jump = "(?:break|continue|return)(?: A)?";
const statement = new RegExp(
  `^(?:${[
    `(?:const|let) A(?:: A)? = (?:${any}|A as A);`,
    String.raw`const \{ A(?:, A)* \} = A;`,
    "let A(?:: A)?;",
    `A = ${any};`,
    String.raw`A(?:\+\+|--)?;`,
    `return ${any};`,
    `${jump};`,
    String.raw`if \(${any}\) (?:A|A = [ASWQ]|${jump});`,
    String.raw`(?:\} else )?if \(${any}\) \{`,
    String.raw`(?:while|switch) \(${any}\) \{`,
    String.raw`(?:A: )?for \((?:let A(?:: A)? = [ASWQ])?; ${any}?; (?:A\+\+|A = [ASWQ])\) \{`,
    String.raw`function A\((?:A: A(?:, A: A)*)?\): A \{`,
    String.raw`return \((?:A: A(?:, A: A)*)?\): void => \{`,
    String.raw`A: \{|for \(;;\) \{|\} else \{|\}|\};|case A:|default:`,
  ].join("|")})$`,
);

/** `line`: a comment of its own line, a statement, or what opens or closes a block; `indent`: the columns before it. */
export function isLaidOut(line: string, indent: number): boolean {
  if (line.startsWith("// ")) return line.trimEnd() === line;
  if (indent + line.length > printWidth) return false;
  let text = line.replace(atoms, (atom) => (words.has(atom) ? atom : "A"));
  for (let shorter = ""; shorter !== text;) {
    shorter = text;
    for (const [pattern, put] of rules) text = text.replace(pattern, put);
  }
  return statement.test(text);
}
