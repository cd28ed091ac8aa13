/** Whether a blank stands between two tokens on one line. */
import type { Facts } from "./roles.js";
import { readTogether } from "./tokens.js";
import type { Token } from "./tokens.js";

export interface Placed {
  readonly token: Token;
  readonly facts: Facts;
}

/** `author`: as it is. */
export type Gap = "blank" | "none" | "author";

export interface Neighbours {
  readonly a: Placed;
  readonly b: Placed;
  /** What follows `b` in the code. */
  readonly next: Token | undefined;
  /** Around the group of `*` and `&` of a declarator that `a` ends or `b` begins, the author left a blank. */
  readonly blankBeforeStars: boolean;
  /** Undefined where that gap is not the author's. */
  readonly blankAfterStars: boolean | undefined;
  /** The gap behind the bracket that `b` closes, where both stand on one line. */
  readonly openerGap: boolean | undefined;
}

export function hasBlank(neighbours: Neighbours): boolean {
  const { a, b } = neighbours;
  const gap = a.facts.kept === true && b.facts.kept === true ? "author" : gapOf(neighbours);
  if (gap === "author") return b.token.spaced;
  if (!b.token.spaced) {
    // What the author wrote together may be one token to a compiler.
    return gap === "blank" && !(readTogether(a.token.text, b.token.text) || isPrefixOf(a.token, b.token));
  }
  return gap === "blank" || readTogether(a.token.text, b.token.text);
}

/** `u8"..."`, `1'000`: never apart. */
const isPrefixOf = (a: Token, b: Token): boolean =>
  b.class === "string" && (a.class === "word" || a.class === "number");

const isOperandEnd = ({ facts }: Placed): boolean =>
  facts.role === "operand" ||
  facts.role === "type" ||
  facts.role === "close" ||
  facts.role === "postfix" ||
  facts.role === "templateClose";

function gapOf(neighbours: Neighbours): Gap {
  const { a, b, next, openerGap } = neighbours;
  const before = a.facts.role;
  const role = b.facts.role;
  if (before === "unclear" || role === "unclear") {
    if (role === "semicolon" || role === "comma") return "none";
    if (before === "semicolon" || before === "comma") return "blank";
    return "author";
  }
  // Brackets
  const inBraces = b.token.text === "}" && role === "close";
  if (before === "open" && a.token.text === "{") {
    if (inBraces) return "none";
    return a.facts.bracket === "list" ? "author" : "blank";
  }
  if (inBraces)
    return b.facts.bracket === "list" ? (openerGap === undefined ? "author" : openerGap ? "blank" : "none") : "blank";
  if (before === "open" || role === "close") return "none";
  if (role === "semicolon" || role === "comma") return "none";
  if (before === "semicolon" || before === "comma") return "blank";
  if (role === "labelColon") return "none";
  if (before === "labelColon") return "blank";
  if (role === "access" || before === "access")
    return role === "access" && !isOperandEnd(a) ? afterOf(neighbours) : "none";
  if (before === "scope") return "none";
  if (role === "scope")
    return before === "operand" || before === "templateClose"
      ? "none"
      : before === "type" || before === "close"
        ? "author"
        : afterOf(neighbours);
  if (role === "templateOpen") return a.token.text === "template" ? "author" : "none";
  if (before === "templateOpen" || role === "templateClose") return "none";
  if (before === "unary") return "none";
  if (before === "declarator" || role === "declarator") return aroundStars(neighbours);
  if (role === "postfix") return "none";
  if (role === "binary" || before === "binary") return "blank";
  if (role === "ternary" || before === "ternary")
    return a.token.text === "?" && b.token.text === ":" ? "author" : "blank";
  if (role === "colon" || before === "colon") return "blank";
  if (role === "open") return beforeOpening(a, b, next);
  return afterOf(neighbours);
}

function aroundStars({ a, b, blankBeforeStars, blankAfterStars }: Neighbours): Gap {
  if (a.facts.role === "declarator" && b.facts.role === "declarator") return "none";
  // One side has the author's blank: so it stays. Else the star goes to the name.
  const alike = blankBeforeStars === blankAfterStars;
  if (b.facts.role === "declarator") {
    if (a.facts.role === "open" || a.facts.role === "comma") return "none";
    if (blankAfterStars === undefined) return "author";
    return alike || blankBeforeStars ? "blank" : "none";
  }
  return !alike && blankAfterStars === true ? "blank" : "none";
}

function beforeOpening(a: Placed, b: Placed, next: Token | undefined): Gap {
  const { role, bracket } = a.facts;
  switch (b.token.text) {
    case "(":
      if (role === "control" || role === "keyword") return "blank";
      if (role === "templateClose") return "none";
      if (role === "operand" || role === "type") {
        // `void (*f)(int)` and `f(*p)`
        if (a.token.text === "void") return "author";
        return next?.text === "*" || next?.text === "&" || next?.text === "^" ? "author" : "none";
      }
      if (role === "close" && bracket === "control") return "blank";
      return "author";
    case "[":
      if (b.facts.bracket === "attribute") return "blank";
      if (role === "keyword" || (role === "close" && bracket === "control")) return "blank";
      return role === "type" ? "author" : "none";
    default:
      if (b.facts.bracket !== "list") return "blank";
      return role === "operand" || role === "type" || role === "templateClose" || role === "close" ? "author" : "blank";
  }
}

/** Where only what stands before decides. */
function afterOf({ a, b }: Neighbours): Gap {
  const { role, bracket } = a.facts;
  switch (role) {
    case "keyword":
    case "control":
    case "binary":
    case "ternary":
    case "colon":
    case "comma":
    case "semicolon":
    case "labelColon":
    case "templateClose":
      return "blank";
    case "close":
      if (a.token.text === "}") return b.facts.role === "open" ? "author" : "blank";
      if (bracket === "control" || bracket === "attribute") return "blank";
      return "author";
    case "unary":
    case "open":
      return "none";
    case "type":
    case "operand":
      return b.token.class === "string" || b.facts.role === "unary" ? "author" : "blank";
    default:
      return "author";
  }
}
