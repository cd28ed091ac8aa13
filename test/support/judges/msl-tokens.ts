/** A token of a Metal text, with its place in it. Comments and white space are no tokens. */
export interface Token {
  readonly kind: "word" | "number" | "literal" | "punctuator" | "directive" | "unknown";
  readonly text: string;
  readonly start: number;
}

const punctuators = [
  "<<=",
  ">>=",
  "...",
  "->*",
  "::",
  "->",
  "++",
  "--",
  "<<",
  ">>",
  "<=",
  ">=",
  "==",
  "!=",
  "&&",
  "||",
  "+=",
  "-=",
  "*=",
  "/=",
  "%=",
  "&=",
  "|=",
  "^=",
];

const pattern = new RegExp(
  [
    String.raw`(?<space>\s+|//[^\n]*|/\*[\s\S]*?\*/)`,
    String.raw`(?<word>[\p{XID_Start}_]\p{XID_Continue}*)`,
    String.raw`(?<number>\.?\d(?:[eEpP][+-]|[\w.]|'(?=\w))*)`,
    String.raw`(?<literal>"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*')`,
    String.raw`(?<punctuator>${punctuators.map((p) => p.replace(/[|+*.^]/g, "\\$&")).join("|")}|[-+*/%&|^~!<>=?:;,.()[\]{}])`,
    String.raw`(?<unknown>[\s\S])`,
  ].join("|"),
  "yu",
);

/** Tokens from `start` to `end`; a preprocessor line is one token. */
export function tokenize(text: string, start = 0, end = text.length): Token[] {
  const tokens: Token[] = [];
  let at = start;
  let lineStart = start === 0;
  while (at < end) {
    if (lineStart) {
      const directive = /[ \t]*#(?:[^\n\\/]|\\\r?\n|\\|\/\*[\s\S]*?\*\/|\/(?![/*]))*/y;
      directive.lastIndex = at;
      const match = directive.exec(text);
      if (match !== null) {
        tokens.push({ kind: "directive", text: match[0], start: at });
        at += match[0].length;
        lineStart = false;
        continue;
      }
    }
    pattern.lastIndex = at;
    const match = pattern.exec(text)!;
    const [kind] = Object.entries(match.groups!).find(([, value]) => value !== undefined)!;
    const found = match[0];
    if (kind === "space") {
      if (found.includes("\n")) lineStart = true;
    } else {
      lineStart = false;
      tokens.push({ kind: kind as Token["kind"], text: found, start: at });
    }
    at += found.length;
  }
  return tokens;
}

/** Index of the bracket that closes the one at `open`, or -1. */
export function closing(tokens: readonly Token[], open: number): number {
  const pairs: Readonly<Record<string, string>> = { "(": ")", "[": "]", "{": "}" };
  const stack: string[] = [];
  for (let i = open; i < tokens.length; i++) {
    const { kind, text } = tokens[i]!;
    if (kind !== "punctuator") continue;
    const close = pairs[text];
    if (close !== undefined) stack.push(close);
    else if (text === ")" || text === "]" || text === "}") {
      if (stack.pop() !== text) return -1;
      if (stack.length === 0) return i;
    }
  }
  return -1;
}
