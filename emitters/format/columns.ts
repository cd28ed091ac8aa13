/**
 * Columns that the author keeps: a continuation that stands below what it continues (parameters below the first one, an
 * operator below another), and words of neighbouring lines that stand below each other behind more than one blank. Commas
 * and what closes stand where they stand.
 */
import { largest } from "../../src/support/append.js";
import { columnAfter, isCode } from "./tokens.js";
import type { Token } from "./tokens.js";

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
  /** In the source. */
  readonly sourceColumn: number;
  /** Behind more than one blank there. */
  readonly wide: boolean;
  /** The index of the innermost bracket that is open there, and how many statements and blocks have ended before it. */
  readonly opener: number;
  readonly statement: number;
  group: Item[];
}

/** By the index of a token: how many blanks more, or fewer, stand before it. */
export function keptColumns(
  source: string,
  tokens: readonly Token[],
  placed: readonly Placed[],
): ReadonlyMap<number, number> {
  const groups = new Set<Item[]>();
  let before = new Map<number, Item>();
  let line: Item[] = [];
  const endLine = (): void => {
    for (const item of line) {
      const above = before.get(item.sourceColumn);
      if (above && above.line + 1 === item.line && areAligned(above, item)) join(above, item, groups);
    }
    before = new Map(line.map((item) => [item.sourceColumn, item]));
    line = [];
  };
  for (const item of itemsOf(source, tokens, placed)) {
    if (/^[,;)\]}]$/.test(tokens[item.index]!.text)) continue;
    if (line.length > 0 && line[0]!.line !== item.line) endLine();
    line.push(item);
  }
  endLine();
  return blanksOf([...groups].sort((a, b) => a[0]!.sourceColumn - b[0]!.sourceColumn));
}

function itemsOf(source: string, tokens: readonly Token[], placed: readonly Placed[]): Item[] {
  const items: Item[] = [];
  const open: number[] = [];
  let statement = 0;
  let at = 0;
  let column = 0;
  for (const p of placed) {
    const token = tokens[p.index]!;
    // Looked for behind the last token only: a line may hold a whole table.
    const newline = source.slice(at, token.start).lastIndexOf("\n");
    if (newline >= 0) {
      at += newline + 1;
      column = 0;
    }
    const end = column;
    column = columnAfter(source, at, token.start, column);
    const wide = p.gap !== undefined && column - end > 1;
    if (isCode(token) && /^[)\]}]$/.test(token.text)) open.pop();
    const item: Item = { ...p, sourceColumn: column, wide, opener: open.at(-1) ?? -1, statement, group: [] };
    item.group.push(item);
    items.push(item);
    if (isCode(token) && /^[([{]$/.test(token.text)) open.push(p.index);
    if (isCode(token) && /^[;{}]$/.test(token.text)) statement++;
    column = columnAfter(source, token.start, token.end, column);
    at = token.end;
  }
  return items;
}

function areAligned(above: Item, item: Item): boolean {
  if (item.gap === undefined)
    return (
      item.continues &&
      above.opener === item.opener &&
      above.statement === item.statement &&
      (above.gap !== undefined || above.continues)
    );
  return above.gap !== undefined && (above.wide || item.wide);
}

function join(a: Item, b: Item, groups: Set<Item[]>): void {
  if (a.group === b.group) return;
  groups.delete(b.group);
  for (const item of b.group) {
    a.group.push(item);
    item.group = a.group;
  }
  groups.add(a.group);
}

/** Groups from left to right: where one stands depends on those before it in its lines. */
function blanksOf(groups: readonly (readonly Item[])[]): Map<number, number> {
  const blanks = new Map<number, number>();
  const shifts = new Map<number, number>();
  const columnOf = (item: Item): number => item.column + (shifts.get(item.line) ?? 0);
  for (const group of groups) {
    const inner = group.filter((item) => item.gap !== undefined);
    if (inner.length === 0) continue;
    const column = largest(inner, columnOf);
    // Where no blank stands none can be added.
    if (inner.some((item) => item.gap === 0 && columnOf(item) < column)) continue;
    for (const item of group) {
      const more = column - columnOf(item);
      if (more === 0) continue;
      blanks.set(item.index, more);
      shifts.set(item.line, (shifts.get(item.line) ?? 0) + more);
    }
  }
  return blanks;
}
