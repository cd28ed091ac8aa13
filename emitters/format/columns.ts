/**
 * Columns that the author keeps: a continuation that stands below what it continues (parameters below the first one, an
 * operator below another), and words of neighbouring lines that begin in one column, or end in one, behind more than one
 * blank. Commas and what closes stand where they stand.
 */
import { append, largest } from "../../src/support/append.js";
import { columnAfter, isCode, isComment } from "./tokens.js";
import type { Token, TokenClass } from "./tokens.js";

/** A token as it comes out without regard to columns. */
export interface Placed {
  readonly index: number;
  readonly line: number;
  readonly column: number;
  /** Blanks before it on its line; undefined where it begins the line. */
  readonly gap: number | undefined;
  /** It begins its line within a statement or a list. */
  readonly continues: boolean;
}

interface Item extends Placed {
  /** In the source; a sign before an operand ends where the operand does. */
  readonly sourceColumn: number;
  readonly sourceEnd: number;
  /** In the output, up to where it ends. */
  readonly width: number;
  /** Of the operand. */
  readonly class: TokenClass;
  /** What stands before it: the sign, or the class of a word. */
  readonly behind: string | undefined;
  /** Behind more than one blank there, or a number behind any in an index. */
  readonly wide: boolean;
  /** Blanks can be added before it. */
  readonly isMovable: boolean;
  /** The innermost bracket that is open there, and how many statements and blocks have ended before it. */
  readonly opener: Opener | undefined;
  readonly depth: number;
  readonly statement: number;
}

interface Opener {
  readonly index: number;
  /** What stands in it is separated by commas. */
  readonly isList: boolean;
}

/** Items of lines below each other, from above, that begin or end where the one above does. */
interface Column {
  readonly items: Item[];
  /** Where each begins, from the first. */
  readonly offsets: number[];
  /** One that begins its line ends where another does: those that begin a line are not moved to the left. */
  keepsMargin: boolean;
}

/** By the index of a token: how many blanks more, or fewer, stand before it. */
export function keptColumns(
  source: string,
  tokens: readonly Token[],
  placed: readonly Placed[],
): ReadonlyMap<number, number> {
  const columns = new Map<Item, Column>();
  const lines: Item[][] = [];
  for (const item of itemsOf(source, tokens, placed)) {
    if (/^[,;)\]}]$/.test(tokens[item.index]!.text)) continue;
    const line = lines.at(-1);
    if (line?.[0]!.line === item.line) line.push(item);
    else lines.push([item]);
  }
  for (const [i, line] of lines.entries()) {
    const above = lines[i - 1];
    if (above && above[0]!.line + 1 === line[0]!.line) joinBelow(above, line, columns);
  }
  return blanksOf(fromLeftToRight(lines, columns));
}

function itemsOf(source: string, tokens: readonly Token[], placed: readonly Placed[]): Item[] {
  const items: Item[] = [];
  const open: Opener[] = [];
  const spans = sourceSpans(source, tokens, placed);
  let statement = 0;
  for (const [i, p] of placed.entries()) {
    const token = tokens[p.index]!;
    const { start, end, gap } = spans[i]!;
    const before = tokens[p.index - 1];
    const isIndex = p.gap === 0 && token.class === "number" && before?.text === "[";
    const operand = isSign(token, p) && placed[i + 1]?.gap === 0 ? i + 1 : i;
    if (isCode(token) && /^[)\]}]$/.test(token.text)) open.pop();
    // One by one: V8 takes twenty times as long for an object that begins with another's parts.
    items.push({
      index: p.index,
      line: p.line,
      column: p.column,
      gap: p.gap,
      continues: p.continues,
      sourceColumn: start,
      sourceEnd: operand === i ? end : spans[operand]!.end,
      width: placed[operand]!.column + tokens[placed[operand]!.index]!.text.length - p.column,
      class: tokens[placed[operand]!.index]!.class,
      behind: before?.class === "sign" ? before.text : before?.class,
      wide: p.gap !== undefined && gap > (isIndex ? 0 : 1),
      isMovable: p.gap !== 0 || isIndex,
      opener: open.at(-1),
      depth: open.length,
      statement,
    });
    if (isCode(token) && /^[([{]$/.test(token.text))
      open.push({ index: p.index, isList: token.text !== "{" || beginsList(tokens, p.index, open.at(-1)) });
    if (isCode(token) && /^[;{}]$/.test(token.text)) statement++;
  }
  return items;
}

const isSign = (token: Token, placed: Placed): boolean => placed.gap !== 0 && /^[-+*&~!]$/.test(token.text);

function beginsList(tokens: readonly Token[], brace: number, outer: Opener | undefined): boolean {
  const before = tokens[brace - 1]?.text ?? "";
  return /^[=,(]$/.test(before) || (before === "{" && outer?.index === brace - 1 && outer.isList);
}

/** The columns of tokens, and the blanks before them. */
function sourceSpans(source: string, tokens: readonly Token[], placed: readonly Placed[]) {
  let at = 0;
  let column = 0;
  return placed.map((p) => {
    const token = tokens[p.index]!;
    // Looked for behind the last token only: a line may hold a whole table.
    const newline = source.slice(at, token.start).lastIndexOf("\n");
    if (newline >= 0) {
      at += newline + 1;
      column = 0;
    }
    const before = column;
    const start = columnAfter(source, at, token.start, column);
    column = columnAfter(source, token.start, token.end, start);
    at = token.end;
    return { start, end: column, gap: start - before };
  });
}

function joinBelow(above: readonly Item[], line: readonly Item[], columns: Map<Item, Column>): void {
  const starts = new Map(above.map((item) => [item.sourceColumn, item]));
  const ends = new Map(above.map((item) => [item.sourceEnd, item]));
  for (const item of line) {
    const sameStart = starts.get(item.sourceColumn);
    const sameEnd = ends.get(item.sourceEnd);
    if (sameStart && beginTogether(sameStart, item)) join(sameStart, item, "start", columns);
    else if (sameEnd && endTogether(sameEnd, item)) join(sameEnd, item, "end", columns);
  }
}

function join(above: Item, item: Item, side: "start" | "end", columns: Map<Item, Column>): void {
  const offset = side === "start" ? 0 : above.width - item.width;
  const column = columns.get(above) ?? { items: [above], offsets: [0], keepsMargin: false };
  column.offsets.push(column.offsets[column.items.lastIndexOf(above)]! + offset);
  if (side === "end" && (above.gap === undefined || item.gap === undefined)) column.keepsMargin = true;
  column.items.push(item);
  columns.set(above, column).set(item, column);
}

const isSameList = (a: Item, b: Item): boolean => a.opener === b.opener && a.statement === b.statement;

function beginTogether(upper: Item, lower: Item): boolean {
  if (lower.gap === undefined)
    return lower.continues && isSameList(upper, lower) && (upper.gap !== undefined || upper.continues);
  if (upper.gap === undefined) return upper.continues && isSameList(upper, lower);
  return upper.wide || lower.wide;
}

function endTogether(upper: Item, lower: Item): boolean {
  if (upper.class !== lower.class || upper.depth !== lower.depth || isComment(upper)) return false;
  if (!upper.isMovable || !lower.isMovable) return false;
  if (upper.gap !== undefined && lower.gap !== undefined)
    return upper.behind === lower.behind && (upper.wide || lower.wide);
  const inList = isSameList(upper, lower) && upper.opener?.isList === true;
  return inList && [upper, lower].every((item) => item.gap !== undefined || item.continues);
}

/** Where a column stands depends on those before it in its lines: they come first. */
function fromLeftToRight(lines: readonly (readonly Item[])[], columns: ReadonlyMap<Item, Column>): Iterable<Column> {
  const before = new Map<Column, Set<Column>>();
  for (const line of lines) {
    let left: Column | undefined;
    for (const item of line) {
      const column = columns.get(item);
      if (!column) continue;
      if (!before.has(column)) before.set(column, new Set());
      if (left) before.get(column)!.add(left);
      left = column;
    }
  }
  const ordered = new Set<Column>();
  const begun = new Set<Column>();
  for (const column of before.keys()) {
    const waiting = [column];
    for (let next = waiting.at(-1); next; next = waiting.at(-1)) {
      const first = begun.has(next) ? undefined : [...before.get(next)!].filter((other) => !begun.has(other));
      begun.add(next);
      if (first && first.length > 0) append(waiting, first);
      else ordered.add(waiting.pop()!);
    }
  }
  return ordered;
}

function blanksOf(columns: Iterable<Column>): Map<number, number> {
  const blanks = new Map<number, number>();
  const shifts = new Map<number, number>();
  const startOf = (item: Item): number => item.column + (shifts.get(item.line) ?? 0);
  for (const { items, offsets, keepsMargin } of columns) {
    const inner = items.filter((item) => item.gap !== undefined);
    if (inner.length === 0 && !keepsMargin) continue;
    // A row of a table does not begin left of the first one.
    const first = inner.find((item) => item.opener?.isList && item.index === item.opener.index + 1);
    const origin = largest([...items.keys()], (i) => {
      const item = items[i]!;
      if (item.gap !== undefined) return startOf(item) - offsets[i]!;
      return keepsMargin ? Math.max(startOf(item), first ? startOf(first) : 0) - offsets[i]! : -Infinity;
    });
    if (items.some((item, i) => !item.isMovable && startOf(item) < origin + offsets[i]!)) continue;
    for (const [i, item] of items.entries()) {
      const more = origin + offsets[i]! - startOf(item);
      if (more === 0) continue;
      blanks.set(item.index, more);
      shifts.set(item.line, (shifts.get(item.line) ?? 0) + more);
    }
  }
  return blanks;
}
