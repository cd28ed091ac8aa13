/**
 * Gives every comment of the source to exactly one node, and finds the blank lines, from the parsed tree alone: comments
 * are out of the text by now, only their offsets are known. `sema` asks for the trivia of a syntax node when it builds
 * the canonical one.
 */
import type { Trivia } from "../ast/nodes.js";
import { noTrivia } from "../ast/nodes.js";
import type * as syntax from "../ast/syntax.js";
import { fileAt, type Comment, type ExpandedSource } from "../support/expanded-source.js";
import type { Span } from "../support/span.js";

export interface TriviaIndex {
  of(node: object): Trivia;
  /** Comments before the closing brace of a container (compound statement, struct, enum, block). */
  inner(node: object): readonly Comment[];
  /** Moves the comments of a node that leaves no trace in front of the next one at file scope. */
  drop(node: object): void;
  /** Comments at the very start that speak of the file, not of what comes next: an empty line or a directive follows. */
  readonly header: readonly Comment[];
  /** Comments after the last declaration. */
  readonly trailing: readonly Comment[];
}

/** Something comments can stand before, after or inside. */
interface Anchor {
  readonly node: object;
  readonly span: Span;
  /** Braces with children between them; comments after the last child are the container's own. */
  readonly container: boolean;
  readonly children: readonly Anchor[];
  /** Comments outside the children move in front (functions) instead of behind. */
  readonly headerLeads: boolean;
}

const leaf = (node: { readonly span: Span }): Anchor => ({
  node,
  span: node.span,
  container: false,
  children: [],
  headerLeads: false,
});
const container = (node: { readonly span: Span }, children: readonly Anchor[], span: Span = node.span): Anchor => ({
  node,
  span,
  container: true,
  children,
  headerLeads: false,
});
const compoundOf = (node: { readonly span: Span }, children: readonly Anchor[]): Anchor => ({
  node,
  span: node.span,
  container: false,
  children,
  headerLeads: false,
});

function declarationAnchor(d: syntax.Declaration): Anchor {
  switch (d.kind) {
    case "function":
      return d.body
        ? { node: d, span: d.span, container: false, children: [statementAnchor(d.body)], headerLeads: true }
        : leaf(d);
    case "variable":
      return specifierAnchor(d, d.specifier);
    case "typedef":
      return specifierAnchor(d, d.specifier);
    case "block-declaration":
      return container(d, d.members.map(declarationAnchor));
    case "template":
      return compoundOf(d, [declarationAnchor(d.declaration)]);
    case "namespace":
      return container(d, d.declarations.map(declarationAnchor));
    default:
      return leaf(d);
  }
}

function specifierAnchor(d: syntax.Declaration, specifier: syntax.TypeSpecifier | undefined): Anchor {
  if (specifier?.kind === "struct-specifier") {
    return compoundOf(d, [container(specifier, specifier.members.map(declarationAnchor))]);
  }
  if (specifier?.kind === "enum-specifier")
    return compoundOf(d, [container(specifier, specifier.enumerators.map(leaf))]);
  return leaf(d);
}

function statementAnchor(s: syntax.Statement): Anchor {
  switch (s.kind) {
    case "compound":
      return container(s, s.statements.map(statementAnchor));
    case "if":
      return compoundOf(s, [statementAnchor(s.then), ...(s.else ? [statementAnchor(s.else)] : [])]);
    case "switch":
    case "while":
    case "do":
    case "for":
      return compoundOf(s, [statementAnchor(s.body)]);
    case "declaration-statement": {
      const inside = declarationAnchor(s.declaration);
      return inside.children.length > 0 ? compoundOf(s, inside.children) : leaf(s);
    }
    default:
      return leaf(s);
  }
}

/** `read`: the declarations that are, where it is not all; comments of the others go with them. */
export function indexTrivia(
  unit: syntax.TranslationUnit,
  source: ExpandedSource,
  read?: ReadonlySet<syntax.Declaration>,
): TriviaIndex {
  const { text } = source;
  const leading = new Map<object, Comment[]>();
  const trailing = new Map<object, Comment[]>();
  const inner = new Map<object, Comment[]>();
  const blank = new Set<object>();
  const below = new Set<object>();
  const put = (map: Map<object, Comment[]>, node: object, c: Comment): void => {
    const list = map.get(node);
    if (list) list.push(c);
    else map.set(node, [c]);
  };
  const sameLine = (from: number, to: number): boolean => {
    const newline = text.indexOf("\n", from);
    return newline === -1 || newline >= to;
  };

  const unitAnchors: Anchor[] = unit.declarations.map(declarationAnchor);
  let declaration = 0;
  for (const m of [...source.macros].sort((a, b) => a.offset - b.offset)) {
    while (declaration < unit.declarations.length && unit.declarations[declaration]!.span.end <= m.offset)
      declaration++;
    const over = unit.declarations[declaration];
    if (over && over.span.start < m.offset) continue;
    unitAnchors.push({
      node: m,
      span: { start: m.offset, end: m.offset },
      container: false,
      children: [],
      headerLeads: false,
    });
  }
  unitAnchors.sort((a, b) => a.span.start - b.span.start);

  function distribute(children: readonly Anchor[], comments: readonly Comment[], last: (c: Comment) => void): void {
    let at = 0;
    let i = 0;
    while (i < comments.length) {
      const c = comments[i]!;
      while (at < children.length && children[at]!.span.end <= c.offset) at++;
      const next = children[at];
      const previous = children[at - 1];
      if (next && next.span.start <= c.offset) {
        const inside: Comment[] = [];
        while (i < comments.length && comments[i]!.offset < next.span.end) inside.push(comments[i++]!);
        within(next, inside);
        continue;
      }
      if (previous && !c.ownLine && sameLine(previous.span.end, c.offset)) put(trailing, previous.node, c);
      else if (next) put(leading, next.node, c);
      else last(c);
      i++;
    }
  }

  function within(anchor: Anchor, comments: readonly Comment[]): void {
    if (anchor.container) {
      distribute(anchor.children, comments, (c) => put(inner, anchor.node, c));
      return;
    }
    if (anchor.children.length === 0) {
      for (const c of comments) put(trailing, anchor.node, c);
      return;
    }
    let rest = comments;
    for (const child of anchor.children) {
      const before = rest.filter((c) => c.offset < child.span.start);
      for (const c of before) {
        if (anchor.headerLeads) put(leading, anchor.node, c);
        else if (child.container) {
          const first = child.children[0];
          if (first) put(leading, first.node, c);
          else put(inner, child.node, c);
        } else put(leading, child.node, c);
      }
      const inside = rest.filter((c) => c.offset >= child.span.start && c.offset < child.span.end);
      if (inside.length > 0) within(child, inside);
      rest = rest.filter((c) => c.offset >= child.span.end);
    }
    for (const c of rest) put(trailing, anchor.node, c);
  }

  const isBlankInOriginal = blankLineFinder(source);

  /** A line that is empty in the original between two offsets that hold nothing but blanks. */
  function blankBetween(from: number, to: number): boolean {
    let newline = text.indexOf("\n", from);
    while (newline !== -1 && newline < to) {
      const next = text.indexOf("\n", newline + 1);
      if (next === -1 || next >= to) return false;
      if (text.slice(newline + 1, next).trim() === "" && isBlankInOriginal(newline + 1)) return true;
      newline = next;
    }
    return false;
  }

  function beginsLine(offset: number): boolean {
    let at = offset - 1;
    while (text[at] === " " || text[at] === "\t") at--;
    return text[at] === "\n";
  }

  function blanks(children: readonly Anchor[], start: number): void {
    let previousEnd = start;
    for (const child of children) {
      const first = leading.get(child.node)?.[0];
      const to = first && first.offset < child.span.start ? first.offset : child.span.start;
      if (blankBetween(previousEnd, to)) blank.add(child.node);
      visitBlanks(child);
      previousEnd = child.span.end;
      for (const c of trailing.get(child.node) ?? []) previousEnd = Math.max(previousEnd, c.end);
    }
  }
  function visitBlanks(anchor: Anchor): void {
    if (anchor.container) return blanks(anchor.children, anchor.span.start);
    for (const child of anchor.children) {
      if (!child.container && beginsLine(child.span.start)) below.add(child.node);
      visitBlanks(child);
    }
  }

  /** The line after an offset: empty in the original, a directive (or another comment), or text. */
  function lineAfter(offset: number): "empty" | "blanked" | "text" {
    const newline = text.indexOf("\n", offset);
    if (newline === -1) return "text";
    const next = text.indexOf("\n", newline + 1);
    if (text.slice(newline + 1, next === -1 ? text.length : next).trim() !== "") return "text";
    return isBlankInOriginal(newline + 1) ? "empty" : "blanked";
  }

  const comments = source.comments.map((c): Comment => (lineAfter(c.end) === "empty" ? { ...c, gapAfter: true } : c));
  const firstAnchor = unitAnchors[0]?.span.start ?? text.length;
  const defines = new Set(source.macros.map((m) => m.offset));
  let headerLength = 0;
  for (let i = 0; i < comments.length && comments[i]!.offset < firstAnchor && comments[i]!.ownLine; i++) {
    const { end } = comments[i]!;
    const newline = text.indexOf("\n", end);
    const after = lineAfter(end);
    const directive = after === "blanked" && comments[i + 1]?.offset !== newline + 1 && !defines.has(newline + 1);
    if (after === "empty" || directive) headerLength = i + 1;
  }
  let header = comments.slice(0, headerLength);

  let unitTrailing: Comment[] = [];
  distribute(unitAnchors, comments.slice(headerLength), (c) => unitTrailing.push(c));
  blanks(unitAnchors, 0);
  if (read) leaveOutIncluded(read);

  /** Comments of an included file stay with what is read of it: those around it go where that is left out. */
  function leaveOutIncluded(read: ReadonlySet<object>): void {
    const files = new Set<number>();
    // Of each included file, whether what was met of it last is read.
    const lastRead = new Map<number, boolean>();
    const stays = (c: Comment): boolean => {
      const file = fileAt(source, c.offset);
      return file === 0 || lastRead.get(file) === true;
    };
    for (const { node, span } of unitAnchors) {
      const isMacro = "offset" in node;
      const file = fileAt(source, span.start);
      const before = leading.get(node);
      if (before) {
        const kept = before.filter((c) => fileAt(source, c.offset) === file || stays(c));
        if (kept.length > 0) leading.set(node, kept);
        else leading.delete(node);
      }
      // Macros say nothing of whether a file is used: those that are stand in `drop` apart.
      if (isMacro) continue;
      lastRead.set(file, read.has(node));
      if (read.has(node)) files.add(file);
    }
    header = header.filter((c) => fileAt(source, c.offset) === 0 || files.has(fileAt(source, c.offset)));
    unitTrailing = unitTrailing.filter(stays);
  }

  const positions = new Map(unitAnchors.map((a, i) => [a.node, i]));
  return {
    of(node) {
      const l = leading.get(node);
      const t = trailing.get(node);
      const b = blank.has(node);
      const own = below.has(node);
      if (!l && !t && !b && !own) return noTrivia;
      return { leading: l ?? [], trailing: t ?? [], blankBefore: b, ...(own ? { below: true } : {}) };
    },
    drop(node) {
      const comments = [...(leading.get(node) ?? []), ...(trailing.get(node) ?? [])];
      leading.delete(node);
      trailing.delete(node);
      if (read && comments.every((c) => fileAt(source, c.offset) > 0)) return;
      const at = positions.get(node);
      const next = at === undefined ? undefined : unitAnchors[at + 1];
      if (next) leading.set(next.node, [...comments, ...(leading.get(next.node) ?? [])]);
      else unitTrailing.unshift(...comments);
    },
    inner: (node) => inner.get(node) ?? [],
    header,
    trailing: unitTrailing,
  };
}

/** Tells of an expanded line that holds only blanks whether it was empty before preprocessing too. */
function blankLineFinder(source: ExpandedSource): (lineStart: number) => boolean {
  const { segments, files } = source;
  return (offset) => {
    let low = 0;
    let high = segments.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (segments[middle]!.start <= offset) low = middle;
      else high = middle - 1;
    }
    const segment = segments[low];
    if (!segment || segment.kind !== "verbatim") return false;
    const text = files[segment.file]!.text;
    const origin = Math.min(segment.originStart + offset - segment.start, text.length);
    const start = text.lastIndexOf("\n", origin - 1) + 1;
    const newline = text.indexOf("\n", start);
    return text.slice(start, newline === -1 ? text.length : newline).trim() === "";
  };
}
