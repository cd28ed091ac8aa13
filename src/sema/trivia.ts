/**
 * Gives every comment of the source to exactly one node, and finds the blank lines, from the parsed tree alone: comments
 * are out of the text by now, only their offsets are known. `sema` asks for the trivia of a syntax node when it builds
 * the canonical one.
 */
import { prepend } from "../support/append.js";
import type { Trivia } from "../ast/nodes.js";
import { noTrivia } from "../ast/nodes.js";
import type * as syntax from "../ast/syntax.js";
import { fileAt, type Comment, type ExpandedSource } from "../support/expanded-source.js";
import type { Span } from "../support/span.js";

export interface TriviaIndex {
  of(node: object): Trivia;
  /** Comments before the closing brace of a container (compound statement, struct, enum, block). */
  inner(node: object): readonly Comment[];
  /** `made` has the comments of `node`, of which it is a form. */
  standFor(made: object, node: object): void;
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
  /** The parameters of a function, which have the comments beside them in their list. */
  readonly parameters?: readonly Anchor[];
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
        ? {
            node: d,
            span: d.span,
            container: false,
            children: [statementAnchor(d.body)],
            headerLeads: true,
            parameters: d.parameters.map(leaf),
          }
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
  const lambdas = d.kind === "variable" ? d.declarators.flatMap((x) => initializerLambdas(x.initializer)) : [];
  return lambdas.length > 0 ? compoundOf(d, lambdas) : leaf(d);
}

const initializerLambdas = (init: syntax.Initializer | undefined): Anchor[] =>
  init?.form === "assign" ? lambdasIn(init.value) : [];

/** The bodies of lambdas that an expression is, calls or hands to a function. */
function lambdasIn(e: syntax.Expression | undefined): Anchor[] {
  switch (e?.kind) {
    case "lambda":
      return e.call?.body ? [statementAnchor(e.call.body)] : [];
    case "call":
      return [e.callee, ...e.arguments].flatMap(lambdasIn);
    case "assignment":
      return lambdasIn(e.value);
    case "parenthesized":
      return lambdasIn(e.expression);
    default:
      return [];
  }
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
    case "range-for":
      return compoundOf(s, [statementAnchor(s.body)]);
    case "expression-statement":
    case "return": {
      const inside = lambdasIn(s.kind === "return" ? s.value : s.expression);
      return inside.length > 0 ? compoundOf(s, inside) : leaf(s);
    }
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
  const lines = new Lines(source);
  const anchors = unitAnchors(unit, source);
  const comments = source.comments.map((c): Comment => (lines.after(c.end) === "empty" ? { ...c, gapAfter: true } : c));
  let header = comments.slice(0, headerLength(comments, anchors, lines, source));
  let unitTrailing: Comment[] = [];
  const placed = new PlacedComments(lines);
  placed.distribute(anchors, comments.slice(header.length), (c) => unitTrailing.push(c));
  const { blank, below } = blankLines(anchors, placed, lines);
  if (read) {
    const stays = leaveOutIncluded(source, anchors, placed, read);
    header = header.filter(stays.header);
    unitTrailing = unitTrailing.filter(stays.trailing);
  }
  const { leading, trailing, inner } = placed;
  const positions = new Map(anchors.map((anchor, i) => [anchor.node, i]));
  const forms = new WeakMap<object, object>();
  return {
    standFor: (made, node) => void forms.set(made, forms.get(node) ?? node),
    of(given) {
      const node = forms.get(given) ?? given;
      const l = leading.get(node);
      const t = trailing.get(node);
      const b = blank.has(node);
      const own = below.has(node);
      if (!l && !t && !b && !own) return noTrivia;
      return { leading: l ?? [], trailing: t ?? [], blankBefore: b, ...(own ? { below: true } : {}) };
    },
    drop(node) {
      const dropped = [...(leading.get(node) ?? []), ...(trailing.get(node) ?? [])];
      leading.delete(node);
      trailing.delete(node);
      if (read && dropped.every((c) => fileAt(source, c.offset) > 0)) return;
      const at = positions.get(node);
      const next = at === undefined ? undefined : anchors[at + 1];
      if (next) leading.set(next.node, [...dropped, ...(leading.get(next.node) ?? [])]);
      else prepend(unitTrailing, dropped);
    },
    inner: (node) => inner.get(forms.get(node) ?? node) ?? [],
    header,
    trailing: unitTrailing,
  };
}

/**
 * Comments of an included file stay with what is read of it: those around it go where that is left out. Tells which comments
 * of the file's head and end stay.
 */
function leaveOutIncluded(
  source: ExpandedSource,
  anchors: readonly Anchor[],
  { leading }: PlacedComments,
  read: ReadonlySet<object>,
): { readonly header: (c: Comment) => boolean; readonly trailing: (c: Comment) => boolean } {
  const files = new Set<number>([0]);
  // Of each included file, whether what was met of it last is read.
  const lastRead = new Map<number, boolean>();
  const stays = (c: Comment): boolean => {
    const file = fileAt(source, c.offset);
    return file === 0 || lastRead.get(file) === true;
  };
  for (const { node, span } of anchors) {
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
  return { header: (c) => files.has(fileAt(source, c.offset)), trailing: stays };
}

/** Declarations, and the macros defined between them, in the order of the text. */
function unitAnchors(unit: syntax.TranslationUnit, source: ExpandedSource): Anchor[] {
  const anchors: Anchor[] = unit.declarations.map(declarationAnchor);
  let declaration = 0;
  for (const m of [...source.macros].sort((a, b) => a.offset - b.offset)) {
    while (declaration < unit.declarations.length && unit.declarations[declaration]!.span.end <= m.offset)
      declaration++;
    const over = unit.declarations[declaration];
    if (over && over.span.start < m.offset) continue;
    anchors.push({
      node: m,
      span: { start: m.offset, end: m.offset },
      container: false,
      children: [],
      headerLeads: false,
    });
  }
  return anchors.sort((a, b) => a.span.start - b.span.start);
}

/** How many comments at the start are about the file: those before an empty line or a directive that is no definition. */
function headerLength(
  comments: readonly Comment[],
  anchors: readonly Anchor[],
  lines: Lines,
  source: ExpandedSource,
): number {
  const { text } = source;
  const first = anchors[0]?.span.start ?? text.length;
  const defines = new Set(source.macros.map((m) => m.offset));
  let length = 0;
  for (let i = 0; i < comments.length && comments[i]!.offset < first && comments[i]!.ownLine; i++) {
    const { end } = comments[i]!;
    const newline = text.indexOf("\n", end);
    const after = lines.after(end);
    const directive = after === "blanked" && comments[i + 1]?.offset !== newline + 1 && !defines.has(newline + 1);
    if (after === "empty" || directive) length = i + 1;
  }
  return length;
}

/** The comments of nodes: before them, after them on their line, and in containers that hold nothing after them. */
class PlacedComments {
  readonly leading = new Map<object, Comment[]>();
  readonly trailing = new Map<object, Comment[]>();
  readonly inner = new Map<object, Comment[]>();

  constructor(private readonly lines: Lines) {}

  /** `last` takes what follows the last of `children`. */
  distribute(children: readonly Anchor[], comments: readonly Comment[], last: (c: Comment) => void): void {
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
        this.within(next, inside);
        continue;
      }
      if (previous && !c.ownLine && this.lines.same(previous.span.end, c.offset)) put(this.trailing, previous.node, c);
      else if (next) put(this.leading, next.node, c);
      else last(c);
      i++;
    }
  }

  private within(anchor: Anchor, comments: readonly Comment[]): void {
    if (anchor.container) {
      this.distribute(anchor.children, comments, (c) => put(this.inner, anchor.node, c));
      return;
    }
    if (anchor.children.length === 0) {
      for (const c of comments) put(this.trailing, anchor.node, c);
      return;
    }
    let rest = anchor.parameters ? this.besideParameters(anchor.parameters, comments) : comments;
    for (const child of anchor.children) {
      for (const c of rest.filter((x) => x.offset < child.span.start)) this.before(child, anchor, c);
      const inside = rest.filter((c) => c.offset >= child.span.start && c.offset < child.span.end);
      if (inside.length > 0) this.within(child, inside);
      rest = rest.filter((c) => c.offset >= child.span.end);
    }
    for (const c of rest) put(this.trailing, anchor.node, c);
  }

  /**
   * Gives comments in a list of parameters to these: to the one before on its line, `int n, // rows`, or to the one that follows,
   * `/* rows *\/ int n`. The others remain.
   */
  private besideParameters(parameters: readonly Anchor[], comments: readonly Comment[]): readonly Comment[] {
    const ownerOf = (c: Comment): { readonly of: Anchor; readonly side: Map<object, Comment[]> } | undefined => {
      const at = parameters.findIndex((p) => p.span.end > c.offset);
      const next = parameters[at];
      if (next && next.span.start <= c.offset) return { of: next, side: this.trailing };
      const precedes = next !== undefined && (c.ownLine || this.lines.same(c.end, next.span.start));
      const previous = at === -1 ? parameters.at(-1) : parameters[at - 1];
      if (!previous)
        return precedes && !this.lines.has("(", c.end, next.span.start) ? { of: next, side: this.leading } : undefined;
      const { end } = previous.span;
      const follows = !c.ownLine && this.lines.same(end, c.offset) && !this.lines.has(")", end, c.offset);
      // On the line of both it is that of the one whose comma it stands before.
      if (follows && !(precedes && this.lines.has(",", end, c.offset))) return { of: previous, side: this.trailing };
      return precedes ? { of: next, side: this.leading } : undefined;
    };
    return comments.filter((c) => {
      const owner = ownerOf(c);
      if (owner) put(owner.side, owner.of.node, c);
      return !owner;
    });
  }

  /** A comment between the head of `anchor` and one of its parts. */
  private before(child: Anchor, anchor: Anchor, c: Comment): void {
    if (anchor.headerLeads) return put(this.leading, anchor.node, c);
    if (!child.container) return put(this.leading, child.node, c);
    const first = child.children[0];
    return first ? put(this.leading, first.node, c) : put(this.inner, child.node, c);
  }
}

function put(map: Map<object, Comment[]>, node: object, c: Comment): void {
  const list = map.get(node);
  if (list) list.push(c);
  else map.set(node, [c]);
}

/** Nodes with an empty line before them, and parts of compound statements that begin a line of their own. */
function blankLines(
  anchors: readonly Anchor[],
  { leading, trailing }: PlacedComments,
  lines: Lines,
): { readonly blank: ReadonlySet<object>; readonly below: ReadonlySet<object> } {
  const blank = new Set<object>();
  const below = new Set<object>();
  const among = (children: readonly Anchor[], start: number): void => {
    let previousEnd = start;
    for (const child of children) {
      const first = leading.get(child.node)?.[0];
      const to = first && first.offset < child.span.start ? first.offset : child.span.start;
      if (lines.blankBetween(previousEnd, to)) blank.add(child.node);
      inside(child);
      previousEnd = child.span.end;
      for (const c of trailing.get(child.node) ?? []) previousEnd = Math.max(previousEnd, c.end);
    }
  };
  const inside = (anchor: Anchor): void => {
    if (anchor.container) return among(anchor.children, anchor.span.start);
    for (const child of anchor.children) {
      if (!child.container && lines.begins(child.span.start)) below.add(child.node);
      inside(child);
    }
  };
  among(anchors, 0);
  return { blank, below };
}

/** Lines of the expanded text, told apart by what they were in the original. */
class Lines {
  private readonly text: string;
  private readonly isBlankInOriginal: (lineStart: number) => boolean;

  constructor(source: ExpandedSource) {
    this.text = source.text;
    this.isBlankInOriginal = blankLineFinder(source);
  }

  /** The last newline that was looked for, and from where: a long line is searched once. */
  private searched = { from: 0, newline: -1 };

  /** The first newline from `offset` on; -1 where there is none. */
  private newlineFrom(offset: number): number {
    const { from, newline } = this.searched;
    if (offset >= from && offset <= newline) return newline;
    const found = this.text.indexOf("\n", offset);
    if (found >= 0) this.searched = { from: offset, newline: found };
    return found;
  }

  same(from: number, to: number): boolean {
    const newline = this.newlineFrom(from);
    return newline === -1 || newline >= to;
  }

  /** A mark stands between two offsets, comments aside. */
  has(mark: string, from: number, to: number): boolean {
    const at = this.text.indexOf(mark, from);
    return at !== -1 && at < to;
  }

  /** Nothing but blanks stands before `offset` on its line. */
  begins(offset: number): boolean {
    let at = offset - 1;
    while (this.text[at] === " " || this.text[at] === "\t") at--;
    return this.text[at] === "\n";
  }

  /** A line that is empty in the original between two offsets that hold nothing but blanks. */
  blankBetween(from: number, to: number): boolean {
    let newline = this.newlineFrom(from);
    while (newline !== -1 && newline < to) {
      const next = this.newlineFrom(newline + 1);
      if (next === -1 || next >= to) return false;
      if (this.text.slice(newline + 1, next).trim() === "" && this.isBlankInOriginal(newline + 1)) return true;
      newline = next;
    }
    return false;
  }

  /** The line after an offset: empty in the original, a directive (or another comment), or text. */
  after(offset: number): "empty" | "blanked" | "text" {
    const newline = this.newlineFrom(offset);
    if (newline === -1) return "text";
    const next = this.newlineFrom(newline + 1);
    if (this.text.slice(newline + 1, next === -1 ? this.text.length : next).trim() !== "") return "text";
    return this.isBlankInOriginal(newline + 1) ? "empty" : "blanked";
  }
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
