/**
 * OpenGL's atomic counters (GLSL 4.60 4.1.7.3, 4.4.6.1): the counters of a binding lie in one buffer, at their offsets. From syntax to
 * syntax they become the members of a storage block for each binding, of a type of their own, which no source can name.
 */
import type {
  BlockDeclaration,
  Declaration,
  Expression,
  FunctionDeclaration,
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
  /** It declares nothing, and says where the next counter of the binding lies. */
  readonly isDefault: boolean;
}

/** The unit with a block in the place of the first counter of each binding; functions take members of these. */
export function withCounterBlocks(unit: TranslationUnit, names: Names): TranslationUnit {
  const blocks = withBlocks(unit, names);
  if (blocks === unit) return unit;
  return { ...blocks, declarations: blocks.declarations.map((d) => (d.kind === "function" ? taking(d, names) : d)) };
}

function taking(f: FunctionDeclaration, { written, member }: Names): FunctionDeclaration {
  const parameters = f.parameters.map((p) =>
    p.specifier.kind === "named-type" && p.specifier.name === written
      ? { ...p, specifier: { ...p.specifier, name: member } }
      : p,
  );
  return parameters.some((p, i) => p !== f.parameters[i]) ? { ...f, parameters } : f;
}

function withBlocks(unit: TranslationUnit, names: Names): TranslationUnit {
  const declared = unit.declarations.filter((d): d is VariableDeclaration => declaresCounters(d, names));
  const said = declared.flatMap((d) => counterOf(d, names) ?? []);
  // What is not read may lie before others of its binding.
  if (said.length === 0 || said.length < declared.length) return unit;
  const counters = withDefaultOffsets(said);
  const byDeclaration = new Map<Declaration, Counter | undefined>([
    ...said.map((c) => [c.declaration, undefined] as const),
    ...counters.map((c) => [c.declaration, c] as const),
  ]);
  const declarations = unit.declarations.flatMap((d): readonly Declaration[] => {
    if (!byDeclaration.has(d)) return [d];
    const counter = byDeclaration.get(d);
    if (!counter) return [];
    const together = counters.filter((c) => c.binding === counter.binding);
    return together[0] === counter ? [blockOf(together, names)] : [];
  });
  return { ...unit, declarations };
}

function declaresCounters(d: Declaration, names: Names): boolean {
  if (d.kind !== "variable") return false;
  return (d.specifier?.kind === "named-type" && d.specifier.name === names.written) || saysOffset(d, names);
}

/** `layout(binding = 0, offset = 4) uniform atomic_uint;`: to the grammar that is the name of a variable. */
const saysOffset = (d: VariableDeclaration, { written }: Names): boolean =>
  !d.specifier && d.declarators.some((x) => x.name?.name === written);

function counterOf(d: VariableDeclaration, names: Names): Counter | undefined {
  const isDefault = saysOffset(d, names);
  if (d.declarators.some((x) => x.initializer || (isDefault && x.derivations.length > 0))) return undefined;
  const entries = d.qualifiers.flatMap((q) => q.layout ?? []);
  const words = d.qualifiers.filter((q) => !q.layout).map((q) => q.name);
  if (!words.includes("uniform") || !words.every((w) => w === "uniform" || /^(low|medium|high)p$/.test(w)))
    return undefined;
  // What else a layout says, and numbers that are worked out, are told of where the declaration is read.
  if (!entries.every((l) => l.name === "binding" || l.name === "offset")) return undefined;
  const binding = numberOf(entries.findLast((l) => l.name === "binding")?.value);
  const offset = entries.findLast((l) => l.name === "offset");
  return binding === undefined ? undefined : { declaration: d, binding, offset, isDefault };
}

/** The counters, with the offsets that are said before them (GLSL 4.60 4.4.6.1). */
function withDefaultOffsets(said: readonly Counter[]): readonly Counter[] {
  const offsets = new Map<number, LayoutEntry>();
  return said.flatMap((c): readonly Counter[] => {
    const offset = c.offset ?? offsets.get(c.binding);
    if (!c.isDefault) {
      offsets.delete(c.binding);
      return [{ ...c, offset }];
    }
    if (offset) offsets.set(c.binding, offset);
    return [];
  });
}

function numberOf(e: Expression | undefined): number | undefined {
  if (e?.kind !== "literal" || e.form !== "integer") return undefined;
  const value = Number(e.text.replace(/u$/i, "").replace(/^0(?=[0-7])/, "0o"));
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
