/** Words of a raw buffer (HLSL) that stand side by side: one Load4 or Store4 instead of four. */
import { literalValue } from "../../ast/builders.js";
import type { Expr, Module, Place, Statement, VarId } from "../../ast/nodes.js";
import { walkModule } from "../../ast/walk.js";

type Word = Place & { readonly kind: "element" };

const withoutPlaces = (key: string, value: unknown): unknown =>
  key === "span" || key === "macro" ? undefined : typeof value === "bigint" ? String(value) : value;
const sameTree = (a: Expr, b: Expr): boolean => JSON.stringify(a, withoutPlaces) === JSON.stringify(b, withoutPlaces);

/** Whether `index` is `first + n`. */
function isAfter(first: Expr, index: Expr, n: number): boolean {
  if (n === 0) return sameTree(first, index);
  const [a, b] = [literalValue(first), literalValue(index)];
  if (a !== undefined && b !== undefined) return Number(b) === Number(a) + n;
  return (
    index.kind === "binary" &&
    index.operator === "add" &&
    literalValue(index.right) === n &&
    sameTree(first, index.left)
  );
}

function inARow(places: readonly Place[]): boolean {
  const first = places[0];
  if (first?.kind !== "element" || first.base.kind !== "variable") return false;
  const { variable } = first.base;
  return places.every(
    (p, i) =>
      p.kind === "element" &&
      p.base.kind === "variable" &&
      p.base.variable === variable &&
      isAfter(first.index, p.index, i),
  );
}

/** The first word of a vector, or of a short array, made of words in a row. */
export function wideLoad(parts: readonly Expr[]): Word | undefined {
  const places = parts.flatMap((e) => (e.kind === "load" ? [e.place] : []));
  return parts.length > 1 && parts.length <= 4 && places.length === parts.length && inARow(places)
    ? (places[0] as Word)
    : undefined;
}

export interface WideStore {
  readonly target: Word;
  readonly value: Expr;
  readonly words: number;
  /** How many statements it stands for. */
  readonly statements: number;
}

const isComponent = (e: Expr, of: VarId, k: number): boolean =>
  e.kind === "load" &&
  e.place.kind === "swizzle" &&
  e.place.components.length === 1 &&
  e.place.components[0] === k &&
  e.place.base.kind === "variable" &&
  e.place.base.variable === of;

/** How often each variable is read. */
export function readCounts(module: Module): ReadonlyMap<VarId, number> {
  const counts = new Map<VarId, number>();
  walkModule(module, {
    place: (p) => void (p.kind === "variable" && counts.set(p.variable, (counts.get(p.variable) ?? 0) + 1)),
  });
  return counts;
}

/** `[word = start;] value = v; b[word] = value.x; b[word + 1] = value.y; ...` at the start of a list of statements. */
export function wideStore(
  list: readonly Statement[],
  from: number,
  reads: ReadonlyMap<VarId, number>,
): WideStore | undefined {
  const declared = [];
  let i = from;
  for (let s = list[i]; s?.kind === "declare" && s.initializer && declared.length < 2; s = list[++i]) declared.push(s);
  const value = declared.at(-1);
  const size = value?.initializer?.type.kind === "vector" ? value.initializer.type.size : 0;
  if (!value || size === 0) return undefined;
  const places: Place[] = [];
  for (let k = 0; k < size; k++) {
    const s = list[i + k];
    const e = s?.kind === "expression" ? s.expression : undefined;
    if (e?.kind !== "assign" || e.operator || !isComponent(e.value, value.variable, k)) return undefined;
    places.push(e.target);
  }
  if (!inARow(places) || reads.get(value.variable) !== size) return undefined;
  const first = places[0] as Word;
  const start = declared.length === 2 ? declared[0]! : undefined;
  const common = { value: value.initializer!, words: size };
  const held =
    first.index.kind === "load" && first.index.place.kind === "variable" ? first.index.place.variable : undefined;
  if (start && held === start.variable && reads.get(held) === size)
    return { ...common, target: { ...first, index: start.initializer! }, statements: size + 2 };
  // What stands before belongs to others.
  return start ? undefined : { ...common, target: first, statements: size + 1 };
}
