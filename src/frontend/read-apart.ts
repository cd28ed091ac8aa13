/**
 * A text that does not parse, declaration by declaration: where what is not read lies between the braces of a function or
 * struct, everything around it is certain, and that declaration alone is given up. Its braces are read as empty, so that it
 * has its name, its parameters and its place; the problem it comes with keeps anything from being read without it.
 */
import type { Unsupported } from "../ast/syntax-builders.js";
import type { TokenTable } from "../ast/syntax-tokens.js";
import type { Declaration } from "../ast/syntax.js";
import { append } from "../support/append.js";
import type { Problem } from "../support/diagnostics.js";
import type { Prescan } from "./prescan.js";
import { describe, splitDeclarations, type Attempt, type Piece } from "./syntax-errors.js";
import { keywordCode } from "./tokens.js";

export interface ReadApart {
  /** All of the file, those with a problem without what is between their braces. */
  readonly declarations: readonly Declaration[];
  /** Why a declaration is not read: each lies within it. */
  readonly unread: readonly Problem[];
  readonly unsupported: readonly Unsupported[];
}

const codeOf = (word: Parameters<typeof keywordCode>[0]): string => String.fromCharCode(keywordCode(word));
const namespaceCode = codeOf("namespace");
/** What stands in a struct and means something outside of it. */
const leaking = [codeOf("enum"), codeOf("friend"), codeOf("union")];

/** More of them are no construct that is not supported, but a text in another language. */
const mostUnread = 200;

/** Undefined where the extent of what does not parse, or what it declares, is not certain. */
export function readApart(
  table: TokenTable,
  scan: Prescan,
  attempt: (codes: string, base: number) => Attempt,
): ReadApart | undefined {
  const unread: Problem[] = [];
  const declarations: Declaration[] = [];
  const unsupported: Unsupported[] = [];
  for (const piece of splitDeclarations(table, scan)) {
    const codes = readable({ table, scan, attempt, unread }, piece);
    const outcome = codes === undefined ? undefined : attempt(codes, piece.from);
    if (!outcome?.accepted || unread.length > mostUnread) return undefined;
    append(declarations, outcome.declarations);
    append(unsupported, outcome.unsupported);
  }
  return { declarations, unread, unsupported };
}

interface Reading {
  readonly table: TokenTable;
  readonly scan: Prescan;
  readonly attempt: (codes: string, base: number) => Attempt;
  readonly unread: Problem[];
}

/** The codes of a declaration, with nothing between the braces that do not parse. */
function readable(r: Reading, { from, to }: Piece): string | undefined {
  const { table, scan, attempt, unread } = r;
  const codes = table.codes.slice(from, to);
  const outcome = attempt(codes, from);
  if (outcome.accepted) return codes;
  if (outcome.tooDeep) return undefined;
  const open = outermostBrace(table, scan, { from, to });
  if (open === undefined) return undefined;
  const close = scan.partners[open]!;
  const [head, tail] = [table.codes.slice(from, open + 1), table.codes.slice(close, to)];
  if (head.includes(namespaceCode)) {
    const inner = splitDeclarations(table, scan, { from: open + 1, to: close }).map((piece) => readable(r, piece));
    return inner.includes(undefined) ? undefined : head + inner.join("") + tail;
  }
  const emptied = head + ";".repeat(close - open - 1) + tail;
  const around = attempt(emptied, from);
  const [only, ...more] = around.declarations;
  if (!around.accepted || !only || more.length > 0) return undefined;
  const within = table.codes.slice(open + 1, close);
  if (!isFunction(only) && !(isStruct(only) && !leaking.some((code) => within.includes(code)))) return undefined;
  const problem = describe(table, outcome, Math.min(from + outcome.failedAt, to - 1));
  const inside = problem.span && problem.span.start >= only.span.start && problem.span.end <= only.span.end;
  unread.push(inside ? problem : { ...problem, span: only.span });
  return emptied;
}

/** The only brace at the declaration's own level. */
function outermostBrace(table: TokenTable, scan: Prescan, { from, to }: Piece): number | undefined {
  let found: number | undefined;
  for (let at = from; at < to; at++) {
    const code = table.codes[at]!;
    if (code !== "(" && code !== "[" && code !== "{") continue;
    if (code === "{") {
      if (found !== undefined) return undefined;
      found = at;
    }
    at = scan.partners[at]!;
  }
  return found;
}

/** An operator is used without being named, so that nothing says who needs it. */
function isFunction(d: Declaration): boolean {
  if (d.kind === "template") return !d.explicit && isFunction(d.declaration);
  return d.kind === "function" && d.body !== undefined && !/^operator\b/.test(d.name.name);
}

function isStruct(d: Declaration): boolean {
  if (d.kind === "template") return !d.explicit && isStruct(d.declaration);
  if (d.kind !== "variable" || d.declarators.length > 0) return false;
  return d.specifier?.kind === "struct-specifier" && d.specifier.name !== undefined;
}
