/** Tokens and comments of C-like text, read by one regular expression that owes nothing to crosslane's own scanner. */
const pattern =
  /(\/\/[^\n]*|\/\*[\s\S]*?\*\/)|("(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|[A-Za-z_]\w*|\.?\d(?:[eEpP][+-]|[\w.])*|<<=|>>=|->|\+\+|--|<<|>>|<=|>=|==|!=|&&|\|\||\^\^|[-+*/%&|^]=|##|::|\S)/g;

export function tokens(text: string): string[] {
  return [...text.matchAll(pattern)].flatMap((m) => (m[2] === undefined ? [] : [m[2]]));
}

/** Blanks at line ends and the indentation of continued lines do not count. */
export function comments(text: string): string[] {
  return [...text.matchAll(pattern)].flatMap((m) =>
    m[1] === undefined ? [] : [m[1].replace(/[ \t]*\n[ \t]*/g, "\n").trimEnd()],
  );
}
