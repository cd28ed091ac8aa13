/** Whether two programs are one, for all inputs: docs/design/same-program.md has the list of what may differ. */
import type { MemoryOrder, MemoryScope } from "../ast/nodes.js";
import { exprsOf, visitCode, visitExpr } from "../regions/machine.js";
import type { BoundaryForm, Code } from "../regions/tree.js";
import { isFloat } from "../types/types.js";
import type { Span } from "../support/span.js";
import { linesOf, Nodes, type ComparedBarrier, type Line, type ProgramToCompare } from "./normal-program.js";

/** What a text lets a compiler do beyond what its statements say. */
export interface Permissions {
  readonly contraction: "allowed" | "off" | "marked";
  /** Buffers, by the names arguments have in both programs. */
  readonly restrict: ReadonlySet<string>;
  readonly volatile: ReadonlySet<string>;
  readonly coherent: ReadonlySet<string>;
  /** What constants are that the host leaves alone, by the names they have in both. */
  readonly defaults: ReadonlyMap<string, string>;
  /** Lanes of a subgroup, where the text says that. */
  readonly subgroupSize?: number;
}

export interface Comparable extends ProgramToCompare {
  readonly permissions: Permissions;
}

/** A place of each program: from the first statement that differs to the last. */
export interface Apart {
  readonly source: readonly Span[];
  readonly translation: readonly Span[];
}

export interface ProgramComparison {
  readonly same: boolean;
  /** Where the statements differ. */
  readonly apart: readonly Apart[];
  /** What differs besides, in words. */
  readonly reasons: readonly string[];
}

export function comparePrograms(source: Comparable, translation: Comparable): ProgramComparison {
  const nodes = new Nodes();
  const reasons = permissionsGained(source, translation);
  const [a, b] = [linesOf(source, nodes, "each"), linesOf(translation, nodes, "each")];
  const same = a.length === b.length && a.every((line, i) => refines(line, b[i]!));
  if (same) return { same: reasons.length === 0, apart: [], reasons };
  const kinds = new Nodes();
  const apart = whereApart(linesOf(source, kinds, "kinds"), linesOf(translation, kinds, "kinds"));
  if (apart.length > 0) return { same: false, apart, reasons };
  // The same statements, of other locals.
  const first = a.findIndex((line, i) => b[i] === undefined || !refines(line, b[i]));
  const at = first === -1 ? a.length - 1 : first;
  return { same: false, apart: [{ source: spans([a[at]]), translation: spans([b[at]]) }], reasons };
}

/** The translation's line does what the source's does, leaves no more open, and orders no less. */
function refines(source: Line, translation: Line): boolean {
  if (source.key !== translation.key) return false;
  for (const id of translation.open) if (!source.open.has(id)) return false;
  if (translation.demands?.some((d) => !source.demands?.includes(d))) return false;
  return !source.barrier || !translation.barrier || ordersAsMuch(source.barrier, translation.barrier);
}

const scopes: readonly MemoryScope[] = ["invocation", "subgroup", "workgroup", "device", "system"];

function ordersAsMuch(source: ComparedBarrier, translation: ComparedBarrier): boolean {
  const memory = (["workgroup", "global", "image"] as const).every((m) => !source.memory[m] || translation.memory[m]);
  const scope = scopes.indexOf(translation.scope) >= scopes.indexOf(source.scope);
  const buffers =
    !translation.objects || (source.objects?.every((o) => translation.objects!.includes(o)) ?? !source.memory.global);
  return memory && buffers && scope && orderedAs(source.order, translation.order);
}

const orderedAs = (source: MemoryOrder, translation: MemoryOrder): boolean =>
  translation === source ||
  translation === "seq_cst" ||
  (translation === "acq_rel" && (source === "acquire" || source === "release"));

function permissionsGained(source: Comparable, translation: Comparable): string[] {
  const [a, b] = [source.permissions, translation.permissions];
  const gained = (mine: ReadonlySet<string>, others: ReadonlySet<string>): string[] =>
    [...mine].filter((x) => !others.has(x)).sort();
  const reasons: string[] = [];
  if (b.subgroupSize !== a.subgroupSize) reasons.push("the width of subgroups is fixed in one of them");
  for (const [x, value] of b.defaults)
    if (a.defaults.get(x) !== value) reasons.push(`'${x}' has another value where the host gives none`);
  if (
    multiplies(translation.form) &&
    b.contraction !== "off" &&
    (a.contraction !== b.contraction || b.contraction === "marked")
  )
    reasons.push("products and sums may be contracted otherwise");
  for (const x of gained(b.restrict, a.restrict)) reasons.push(`'${x}' is said to have no alias`);
  for (const x of gained(a.volatile, b.volatile)) reasons.push(`'${x}' is no longer volatile`);
  for (const x of gained(a.coherent, new Set([...b.coherent, ...b.volatile])))
    reasons.push(`'${x}' is no longer coherent`);
  return reasons;
}

/** There is a product that a sum could take in. */
function multiplies(form: BoundaryForm): boolean {
  let found = false;
  const look = (c: Code): void =>
    exprsOf(c).forEach((e) =>
      visitExpr(e, (x) => {
        if (x.kind === "operation" && x.op === "mul" && x.on !== "index" && isFloat(x.on)) found = true;
      }),
    );
  for (const list of [form.body, ...form.helpers.map((h) => h.body)]) visitCode(list, look);
  return found;
}

/** More cells than this are not compared with each other. */
const mostCells = 4_000_000;

/** Runs of lines that the other program has not, between those that both have in order. */
function whereApart(a: readonly Line[], b: readonly Line[]): readonly Apart[] {
  let start = 0;
  while (start < a.length && start < b.length && refines(a[start]!, b[start]!)) start++;
  let end = 0;
  while (end < Math.min(a.length, b.length) - start && refines(a.at(-1 - end)!, b.at(-1 - end)!)) end++;
  const [mine, others] = [a.slice(start, a.length - end), b.slice(start, b.length - end)];
  if (mine.length === 0 && others.length === 0) return [];
  const kept = mine.length * others.length > mostCells ? [] : common(mine, others);
  const found: Apart[] = [];
  let [i, j] = [0, 0];
  for (const [x, y] of [...kept, [mine.length, others.length] as const]) {
    if (x > i || y > j) found.push({ source: spans(mine.slice(i, x)), translation: spans(others.slice(j, y)) });
    [i, j] = [x + 1, y + 1];
  }
  return found;
}

/** The longest sequence of lines that both have, as pairs of places. */
function common(a: readonly Line[], b: readonly Line[]): (readonly [number, number])[] {
  const width = b.length + 1;
  const longest = new Uint32Array((a.length + 1) * width);
  for (let i = a.length - 1; i >= 0; i--)
    for (let j = b.length - 1; j >= 0; j--)
      longest[i * width + j] = refines(a[i]!, b[j]!)
        ? longest[(i + 1) * width + j + 1]! + 1
        : Math.max(longest[(i + 1) * width + j]!, longest[i * width + j + 1]!);
  const pairs: (readonly [number, number])[] = [];
  for (let i = 0, j = 0; i < a.length && j < b.length;)
    if (refines(a[i]!, b[j]!)) pairs.push([i++, j++]);
    else if (longest[(i + 1) * width + j]! >= longest[i * width + j + 1]!) i++;
    else j++;
  return pairs;
}

const spans = (lines: readonly (Line | undefined)[]): Span[] => lines.flatMap((l) => (l ? [l.span] : []));
