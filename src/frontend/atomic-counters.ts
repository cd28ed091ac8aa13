/**
 * OpenGL's atomic counters (GLSL 4.60 4.1.7.3, 4.4.6.1): the counters of a binding lie in one buffer, at their offsets. From syntax to
 * syntax they become the members of a storage block for each binding, of a type of their own, which no source can name.
 */
import type {
  BlockDeclaration,
  Declaration,
  Expression,
  LayoutEntry,
  Qualifier,
  TranslationUnit,
  VariableDeclaration,
} from "../ast/syntax.js";
import type { ReadingFacts } from "../dialects/language.js";

/** What the type of counters is called by sources, and by the members of the blocks. */
type Names = NonNullable<ReadingFacts["counters"]>;

interface Counter {
  readonly declaration: VariableDeclaration;
  readonly binding: number;
  readonly offset: LayoutEntry | undefined;
}

/** The unit with a block in the place of the first counter of each binding. */
export function withCounterBlocks(unit: TranslationUnit, names: Names): TranslationUnit {
  const counters = unit.declarations.flatMap((d) => counterOf(d, names) ?? []);
  if (counters.length === 0) return unit;
  const byDeclaration = new Map<Declaration, Counter>(counters.map((c) => [c.declaration, c]));
  const declarations = unit.declarations.flatMap((d): readonly Declaration[] => {
    const counter = byDeclaration.get(d);
    if (!counter) return [d];
    const together = counters.filter((c) => c.binding === counter.binding);
    return together[0] === counter ? [blockOf(together, names)] : [];
  });
  return { ...unit, declarations };
}

function counterOf(d: Declaration, { written }: Names): Counter | undefined {
  if (d.kind !== "variable" || d.specifier?.kind !== "named-type" || d.specifier.name !== written) return undefined;
  if (d.specifier.path.length > 0 || d.declarators.length === 0 || d.declarators.some((x) => x.initializer))
    return undefined;
  const entries = d.qualifiers.flatMap((q) => q.layout ?? []);
  const words = d.qualifiers.filter((q) => !q.layout).map((q) => q.name);
  if (!words.includes("uniform") || !words.every((w) => w === "uniform" || /^(low|medium|high)p$/.test(w)))
    return undefined;
  // What else a layout says, and numbers that are worked out, are told of where the declaration is read.
  if (!entries.every((l) => l.name === "binding" || l.name === "offset")) return undefined;
  const binding = numberOf(entries.find((l) => l.name === "binding")?.value);
  const offset = entries.find((l) => l.name === "offset");
  return binding === undefined ? undefined : { declaration: d, binding, offset };
}

function numberOf(e: Expression | undefined): number | undefined {
  if (e?.kind !== "literal" || e.form !== "integer") return undefined;
  const value = Number(e.text.replace(/u$/i, ""));
  return Number.isSafeInteger(value) ? value : undefined;
}

function blockOf(counters: readonly Counter[], { member }: Names): BlockDeclaration {
  const [{ declaration: first, binding }] = counters as [Counter, ...Counter[]];
  const { span } = first;
  const word = (name: string, layout?: readonly LayoutEntry[]): Qualifier => ({
    kind: "qualifier",
    name,
    ...(layout ? { layout } : {}),
    span,
  });
  const members = byOffset(counters).map(({ declaration, offset }): VariableDeclaration => ({
    ...declaration,
    qualifiers: offset ? [{ ...word("layout", [offset]), span: offset.span }] : [],
    specifier: { kind: "named-type", name: member, path: [], span: declaration.specifier!.span },
  }));
  return {
    kind: "block-declaration",
    qualifiers: [word("layout", [{ name: "std430", span }]), word("buffer")],
    keyword: "interface",
    name: { kind: "identifier", name: `AtomicCounters${binding}`, path: [], span },
    attributes: [],
    members,
    span,
  };
}

/** Those that say an offset in the order of these, each with those that follow it; members of a block ascend. */
function byOffset(counters: readonly Counter[]): readonly Counter[] {
  const runs: { readonly start: number; readonly counters: Counter[] }[] = [{ start: 0, counters: [] }];
  for (const c of counters) {
    if (c.offset) runs.push({ start: numberOf(c.offset.value) ?? Infinity, counters: [c] });
    else runs.at(-1)!.counters.push(c);
  }
  return runs.sort((a, b) => a.start - b.start).flatMap((r) => r.counters);
}
