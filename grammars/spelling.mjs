/** From the grammars as they are written, with names and signs, to what Peggy reads: one character per token. */
import { joinedGreater, keywordClass, signs, tokenSets, tokens } from "./tokens.mjs";

const names = { ...tokens, JoinedGreater: joinedGreater };

/** The grammar outside of comments and actions, which stay as they are. */
export function spelled(text) {
  let out = "";
  let from = 0;
  const flush = (to) => {
    out += classes(characters(text.slice(from, to)));
    from = to;
  };
  for (let at = 0; at < text.length; at++) {
    if (text[at] === '"' || text[at] === "[") {
      at = literalEnd(text, at);
      continue;
    }
    const end = text.startsWith("//", at) ? lineEnd(text, at) : text[at] === "{" ? actionEnd(text, at) : at;
    if (end === at) continue;
    flush(at);
    out += text.slice(at, end);
    from = end;
    at = end - 1;
  }
  flush(text.length);
  return out;
}

const lineEnd = (text, at) => {
  const end = text.indexOf("\n", at);
  return end < 0 ? text.length : end;
};

/** The last character of a string or class. */
function literalEnd(text, at) {
  const close = text[at] === "[" ? "]" : '"';
  let end = at + 1;
  while (text[end] !== close) end += text[end] === "\\" ? 2 : 1;
  return end;
}

/** Behind the brace that closes an action. */
function actionEnd(text, at) {
  let depth = 0;
  for (let i = at; i < text.length; i++) {
    if (text[i] === '"' || text[i] === "'" || text[i] === "`") {
      const quote = text[i];
      for (i++; text[i] !== quote; i++) if (text[i] === "\\") i++;
    } else if (text[i] === "{") depth++;
    else if (text[i] === "}" && --depth === 0) return i + 1;
  }
  return text.length;
}

/** Names of tokens and signs of several characters as the character each has; a sign of two tokens is one string. */
const characters = (part) =>
  part
    .replace(/\b([A-Z]\w*)\b/g, (whole, name) => tokenSets[name] ?? whole)
    .replace(/"([^"\\\w\s]{2,3})"/g, (whole, sign) => (sign in signs ? `"${signs[sign]}"` : whole))
    .replace(/\b([A-Z]\w*)\b/g, (whole, name) => (name in names ? `"${names[name]}"` : whole))
    .replace(new RegExp(`"${joinedGreater}" "(.)"`, "g"), `"${joinedGreater}$1"`);

/** `("a" / "b" / KeywordToken)` is a class of characters. */
const classes = (part) =>
  part
    .replace(/\(\s*(?:"[^"\\]"|KeywordToken)(?:\s*\/\s*(?:"[^"\\]"|KeywordToken))+\s*\)/g, (choice) => {
      const members = choice.match(/"[^"\\]"|KeywordToken/g);
      return `[${members.map((m) => (m === "KeywordToken" ? keywordClass : inClass(m[1]))).join("")}]`;
    })
    .replace(/\bKeywordToken\b/g, `[${keywordClass}]`);

const inClass = (character) => (/[\]\\^-]/.test(character) ? `\\${character}` : character);
