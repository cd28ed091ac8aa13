/** Parsed tree to canonical module: names resolved, types checked, conversions visible, builtins as canonical ops. */
import type { Expr, Module, Variable, VarId } from "../ast/nodes.js";
import { walkExpr, walkStatement } from "../ast/walk.js";
import type * as syntax from "../ast/syntax.js";
import { languageFacts, readingFacts } from "../dialects/languages.js";
import { Footprints } from "../ops/footprints.js";
import { assertNever } from "../support/assert-never.js";
import { Problems, type Problem } from "../support/diagnostics.js";
import type { ExpandedSource, MacroDefinition, MacroExpansion } from "../support/expanded-source.js";
import { NumberedNames } from "../support/numbered-names.js";
import { countAtMost } from "../support/count-at-most.js";
import { wordPattern } from "../support/scan.js";
import { within, type Span } from "../support/span.js";
import type { AddressSpace } from "../types/types.js";
import { definitionsBeforeUses } from "./announced-structs.js";
import {
  carryTrivia,
  notYet,
  takeTrivia,
  type FunctionInfo,
  type PartOfFile,
  type Scope,
  type Sema,
  type SemaOptions,
  error,
} from "./context.js";
import { staticAssert, typedef, using } from "./declarations.js";
import { fileVariables } from "./file-variables.js";
import { FoundDuring } from "./found-during.js";
import { finishModule, type MacroSlot } from "./finish.js";
import type { SizeReading } from "./size-values.js";
import { namespaceDeclaration } from "./namespaces.js";
import { definedOutside } from "./static-members.js";
import { functionOutside, outsideMember, outsideStruct, structOutside } from "./templates/outside-members.js";
import { functionDeclaration } from "./functions.js";
import { sourceReaders } from "./languages.js";
import { promiseStruct } from "./structs.js";
import { contractionPragmas, specialNumbersOf, unrollPragmas } from "./pragmas.js";
import { declareGuide } from "./templates/class-deduction.js";
import { declareTemplate } from "./templates/declare.js";
import { KnownOfStructs, newTemplateState } from "./templates/state.js";
import { indexTrivia } from "./trivia.js";

export type { SemaOptions } from "./context.js";

export interface Analysis {
  /** Absent where there are errors. */
  readonly module?: Module<"canonical">;
  /** The module by other readings of its `size_t`, where it has any. */
  readonly sized?: (reading: SizeReading) => Module<"canonical">;
  readonly problems: readonly Problem[];
  /** What was being read when a problem was found; an instance of a template is read where it is wanted first. */
  readonly during?: FoundDuring;
}

export function analyze(unit: syntax.TranslationUnit, expanded: ExpandedSource, options: SemaOptions): Analysis {
  const found = {
    led: new Map<string, AddressSpace>(),
    met: new Set<string>(),
    counted: new Set<string>(),
    nulls: new Set<string>(),
  };
  for (let reading = 1; ; reading++) {
    const analysis = analyzeOnce(unit, expanded, options, found, reading === mostReadings);
    // What leads elsewhere than it was read as is another type wherever it is named.
    if (analysis) return analysis;
  }
}

/** Pointers that get what others get later (`p = q; q = r; r = x;` in a loop) are found one a reading: longer rows are refused. */
const mostReadings = 64;

function analyzeOnce(
  unit: syntax.TranslationUnit,
  expanded: ExpandedSource,
  options: SemaOptions,
  found: Pick<Sema, "led" | "met" | "counted" | "nulls">,
  isLast: boolean,
): Analysis | undefined {
  const problems = new Problems();
  const s = newSema(unit, expanded, options, { problems, ...found, begun: new Map() });
  const size = (): number => found.led.size + found.met.size + found.counted.size + found.nulls.size;
  const known = size();
  const macros = constantMacros(s, unit);
  let next = 0;
  const slots: MacroSlot[] = [];
  const placeMacros = (before: number): void => {
    for (let m = macros[next]; m && m.offset < before; m = macros[++next]) {
      slots.push({ definition: m, position: s.order.length, trivia: takeTrivia(s, m) });
    }
  };
  for (const { declaration: d, promised } of definitionsBeforeUses(unit.declarations)) {
    for (const t of promised) promiseStruct(s, t);
    // A macro defined inside a function stands before it.
    placeMacros(d.span.end);
    if (isRead(s, d)) misplacedPragmas(s, d);
    readDeclaration(s, d);
  }
  s.problemsBefore = problems.list.length;
  placeMacros(Infinity);
  if (s.takenForObjects && hasNulls(s)) found.nulls.add("");
  if (size() > known && !isLast) return undefined;
  // What was not made is made by no other reading.
  if (s.leftOut) notYet(s, "a pointer of which reading it again does not say where it leads is", s.leftOut);
  const finished = finishModule(s, slots);
  const said = options.part ? problems.list : withoutRepeats(problems.list);
  const { during } = s;
  return problems.hasErrors || !finished ? { problems: said, during } : { ...finished, problems: said, during };
}

/** Whether some pointer is null. */
function hasNulls(s: Sema): boolean {
  let found = false;
  const expr = (e: Expr): void => void (found ||= e.kind === "null-pointer");
  for (const f of s.functions) if (f.declaration) walkStatement(f.declaration.body, { expr });
  for (const { initializer } of s.variables.values()) if (initializer) walkExpr(initializer, { expr });
  return found;
}

/** A declaration at file scope or in a namespace, where it is read. */
function readDeclaration(s: Sema, d: syntax.Declaration): void {
  const { list } = s.problems;
  const from = list.length;
  s.problemsBefore = from;
  s.templates.again.clear();
  if (isRead(s, d)) declaration(s, d);
  else if (s.trivia.of(d).blankBefore) s.pendingBlank = true;
  for (const p of [...list.slice(from), ...s.templates.again]) s.during.add(p, d);
}

/** As clang says. */
function misplacedPragmas(s: Sema, d: syntax.Declaration): void {
  const before = (place: number): number => countAtMost(s.misplacedPragmas, place - 1, (span) => span.start);
  for (const span of s.misplacedPragmas.slice(before(d.span.start), before(d.span.end)))
    error(s, "XL2011", "this pragma stands only at file scope or at the start of a compound statement", span);
}

const isRead = ({ options: { part } }: Pick<Sema, "options">, d: syntax.Declaration): boolean =>
  !part || part.declarations.has(d) || (d.kind === "namespace" && !d.name);

/** What is said of each declaration is said once of a file. */
export function withoutRepeats(problems: readonly Problem[]): Problem[] {
  const said = new Set<string>();
  return problems.filter((p) => {
    const key = `${p.code} ${p.message}`;
    if (p.once && said.has(key)) return false;
    if (p.once) said.add(key);
    return true;
  });
}

function namedExpansions(source: ExpandedSource): Map<string, MacroExpansion> {
  const expansions = new Map<string, MacroExpansion>();
  // A use that is the macro's name alone: one that goes on (`#define F G`, `F(3)`) may stand for something else each time.
  for (const e of source.expansions) if (e.written === e.name) expansions.set(`${e.span.start}:${e.span.end}`, e);
  return expansions;
}

const addressOf = new RegExp(String.raw`&[\s(]*(${wordPattern})`, "gu");

/** Before a function is read whole, the text says whether a pointer to a variable may be kept: `&` and its name, or what decays. */
function footprintsOf(
  text: string,
  functions: readonly FunctionInfo[],
  variables: ReadonlyMap<VarId, Variable>,
): Footprints {
  let named: ReadonlySet<string> | undefined;
  return new Footprints({
    declaration: (id) => functions[id]?.declaration,
    variable: (id) => variables.get(id)!,
    addressed: (id) => {
      const { type, name } = variables.get(id)!;
      if (type.kind === "array" || type.kind === "struct") return true;
      named ??= new Set(Array.from(text.matchAll(addressOf), (m) => m[1]!));
      return named.has(name);
    },
  });
}

type Found = Pick<Sema, "problems" | "led" | "met" | "counted" | "nulls" | "begun">;

const newScope = (): Scope => ({ symbols: new Map() });

const newMemberState = (): Pick<Sema, "mutableAt" | "saidOffsets" | "offsetsTaken"> => ({
  mutableAt: new Set(),
  saidOffsets: new Map(),
  offsetsTaken: new Set(),
});

function newSema(unit: syntax.TranslationUnit, source: ExpandedSource, options: SemaOptions, found: Found): Sema {
  const { dialect, form = dialect } = options;
  const [language, reading, globalScope] = [languageFacts[form], readingFacts(form), newScope()];
  const pragmas = contractionPragmas(unit, source, reading.contractionPragmas);
  const [functions, variables] = [new Array<FunctionInfo>(), new Map<VarId, Variable>()];
  const templates = newTemplateState(source.text);
  return {
    dialect,
    form,
    language,
    reading,
    reader: sourceReaders[dialect],
    openLiterals: language.openLiterals,
    eager: false,
    conditionalAsCpp: false,
    loopNamesLiveOn: false,
    narrowTypes: false,
    ...sourceReaders[dialect].variant?.(source, options),
    options,
    ...found,
    ...{ leftOut: undefined, takenForObjects: false, problemsBefore: 0 },
    during: new FoundDuring(),
    source,
    trivia: indexTrivia(unit, source, options.part?.declarations),
    expansions: namedExpansions(source),
    globalScope,
    scope: globalScope,
    structs: new KnownOfStructs(templates),
    structNumbers: new NumberedNames(),
    declaredIn: new Map(),
    classArrays: new Map(),
    libraryStructs: new Map(),
    countedBuffers: new Map(),
    byRows: new Map(),
    ...newMemberState(),
    bitFields: new KnownOfStructs(templates),
    roomOfBits: new Map(),
    plainData: new Set(),
    addressTables: new Set(),
    copiedByFunctions: new KnownOfStructs(templates),
    madeObjects: new Set(),
    eagerChoices: new WeakMap(),
    variablesByRows: new Set(),
    storedStructs: new Map(),
    blockDefaults: { uniform: [], buffer: [], shared: [] },
    interfaces: new Set(),
    ...{ functionPointers: new Map(), staticBuffers: new Map() },
    enums: [],
    enumerationForms: new Map(),
    lengthMacros: new Map(),
    variables,
    resources: [],
    programMemory: new Set(),
    staticLocals: new WeakMap(),
    textPointers: new Map(),
    zeroedWorkgroup: [],
    sharedBlocks: [],
    definedOutside: definedOutside(unit.declarations),
    readAhead: new Map(),
    resourceAt: new Map(),
    awaitedStructs: new Map(),
    promisedStructs: new Map(),
    structMembers: new Map(),
    blockArrays: [],
    globals: { end: 0, moved: false, minimum: false },
    forwardBlocks: new Map(),
    references: new Map(),
    functions,
    footprints: footprintsOf(source.text, functions, variables),
    entries: [],
    openStructs: new Map(),
    order: [],
    pendingComments: [],
    pendingBlank: false,
    contraction: pragmas.scopes,
    misplacedPragmas: pragmas.misplaced,
    specialNumbers: new Set(specialNumbersOf(source)),
    unrollPragmas: unrollPragmas(source),
    nextVariable: 0,
    nextGroup: 0,
    depth: 0,
    fn: undefined,
    localSize: { size: [], ids: [] },
    fixed: [],
    specNames: new Set(),
    specUsed: new Set(),
    settledConstants: new Set(),
    settledNumbers: new Map(),
    settledLater: new Map(),
    specialized: false,
    extended: false,
    constants: new Map(),
    semantics: new Map(),
    globalsUsed: new Map(),
    templates,
    methods: new KnownOfStructs(templates),
    closures: new Map(),
    libraryInScope: false,
  };
}

/** Macros that may stand for a constant: without parameters, the last definition of their name, and used behind it alone. */
function constantMacros(s: Sema, unit: syntax.TranslationUnit): MacroDefinition[] {
  const unread = s.options.part ? unreadSpans(s.options.part, unit) : [];
  const firstUse = new Map<string, number>();
  for (const { name, span } of s.expansions.values())
    if (!within(unread, span.start)) firstUse.set(name, Math.min(span.start, firstUse.get(name) ?? Infinity));
  const count = new Map<string, number>();
  for (const m of s.source.macros) count.set(m.name, (count.get(m.name) ?? 0) + 1);
  const kept: MacroDefinition[] = [];
  for (const m of [...s.source.macros].sort((a, b) => a.offset - b.offset)) {
    const use = firstUse.get(m.name);
    if (m.parameters === undefined && use !== undefined && use >= m.offset && count.get(m.name) === 1) kept.push(m);
    else s.trivia.drop(m);
  }
  return kept;
}

const unreadSpans = (
  part: PartOfFile,
  { declarations }: { readonly declarations: readonly syntax.Declaration[] },
): Span[] =>
  declarations.flatMap((d) => {
    if (!part.declarations.has(d)) return [d.span];
    return d.kind === "namespace" ? unreadSpans(part, d) : [];
  });

function declaration(s: Sema, d: syntax.Declaration): void {
  const outside = functionOutside(d);
  if (outside) return outsideMember(s, outside.function, outside.around);
  const struct = structOutside(d);
  if (struct) return outsideStruct(s, struct, (inner) => declaration(s, inner));
  switch (d.kind) {
    case "function":
      return d.special === "guide" ? declareGuide(s, d, []) : functionDeclaration(s, d);
    case "variable":
      return fileVariables(s, d);
    case "block-declaration":
      return s.reader.block ? s.reader.block(s, d) : void notYet(s, "such a block is", d.span);
    case "typedef":
      return typedef(s, d);
    case "using":
      return using(s, d);
    case "namespace":
      return namespaceDeclaration(s, d, (inner) => readDeclaration(s, inner));
    case "template":
      return declareTemplate(s, d);
    case "precision":
      carryTrivia(s, d);
      if (d.precision !== "highp")
        s.problems.warning(
          "XL2013",
          `'${d.precision}' is a permission to compute less exactly; it is not used`,
          d.span,
        );
      return;
    case "execution-mode":
      return s.reader.executionMode?.(s, d);
    case "static-assert":
      return staticAssert(s, d);
    case "empty-declaration":
      return carryTrivia(s, d);
    default:
      return assertNever(d);
  }
}
