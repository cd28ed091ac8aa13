/** From what was gathered to a module: whole-program checks, entries, constant macros, sizes narrowed. */
import { withoutThinMatrices } from "./thin-matrices.js";
import { checkNarrowMatrices } from "./narrow-matrices.js";
import { withAtomicAccesses } from "./atomic-objects.js";
import type { EntryPoint, Expr, FunctionId, Literal, Module, TopLevel, Trivia, VarId } from "../ast/nodes.js";
import { assertNever } from "../support/assert-never.js";
import { withoutIdleInstances } from "./idle-instances.js";
import { withoutEmptyStructs } from "./empty-structs.js";
import { withoutIdleVolatileCasts } from "../ast/volatile-casts.js";
import { rewriteModule, walkModule } from "../ast/walk.js";
import { append } from "../support/append.js";
import { fileAt, type Comment, type MacroDefinition } from "../support/expanded-source.js";
import { chooseBlocks } from "./block-arrays.js";
import { error, notYet, type Sema } from "./context.js";
import { arrayStride, scalarSize } from "../types/layout.js";
import { withoutBoolsInBuffers } from "./bools-in-buffers.js";
import { withoutEnumerations } from "./enumerations-as-integers.js";
import { markedModule, settledContraction } from "../ast/contraction.js";
import { noSpan, type Span } from "../support/span.js";
import { contractionAt } from "./pragmas.js";
import { refuseRecursion, refuseUndefined } from "./functions.js";
import { refuseEscapes } from "./closures.js";
import { markExactWide } from "./exact-wide.js";
import { refuseUnknownGiven } from "./given-constants.js";
import { refuseUnknownAddresses } from "./address-refusals.js";
import { AddressedBuffers, withoutHolders, withoutUnusedBuffers, withSingleObjects } from "./addressed-buffers.js";
import { addressedResource, checkBufferType } from "./interface.js";
import { withAddressNumbers } from "./address-numbers.js";
import { withNullAddresses } from "./null-addresses.js";
import { withSummedAddresses } from "./summed-addresses.js";
import { withAccessorsInPlace } from "./accessors.js";
import { accessThrough, withAccesses } from "./readers/glsl-references.js";
import { openEnded } from "./open-ended.js";
import { elementsWidth } from "./subgroup-matrices.js";
import type { Refuse } from "./inline-calls.js";
import { refuseKeptObjects } from "./kept-objects.js";
import { withoutPointerMembers } from "./pointer-members.js";
import { withoutSharedPointers } from "./shared-pointers.js";
import { calleesFirst, declareDispatches, refuseFunctionsOfHost } from "./function-dispatch.js";
import { withoutStaticBuffers } from "./static-buffers.js";
import { narrowSizes } from "./narrow-sizes.js";
import { type SizeReading } from "./size-values.js";
import { mentionsSize } from "./size-types.js";

/** A macro and where it stood among the declarations. */
export interface MacroSlot {
  readonly definition: MacroDefinition;
  readonly position: number;
  readonly trivia: Trivia;
}

export interface Finished {
  readonly module: Module<"canonical">;
  readonly sized?: (reading: SizeReading) => Module<"canonical">;
}

const followed =
  "what a reference that the text names leads to is a buffer of its own; references that are found at run time alone, as in lists whose blocks lead to the next, have none";

export function finishModule(s: Sema, slots: readonly MacroSlot[]): Finished | undefined {
  declareDispatches(s);
  refuseRecursion(s);
  refuseUndefined(s);
  refuseEscapes(s);
  if (s.problems.hasErrors) return undefined;
  refuseUnknownGiven(s);
  refuseFunctionsOfHost(s);
  const functions = s.functions.filter((f) => f.declaration).map((f) => f.declaration!);
  if (s.entries.length === 0) {
    return error(
      s,
      "XL2010",
      "the source has no entry point",
      { start: 0, end: 0 },
      { help: s.reading.entryPoint.help },
    );
  }
  let module: Module<"canonical"> = {
    stage: "canonical",
    dialect: s.dialect,
    ...(s.form === s.dialect ? {} : { form: s.form }),
    structs: s.structs,
    enums: s.enums,
    variables: s.variables,
    // Memory of the program behind what the source's host binds, which keeps its numbers.
    resources: [false, true].flatMap((kept) => s.resources.filter((r) => (r.begins !== undefined) === kept)),
    functions,
    entries: entries(s).map((e) => withWidth(s, e)),
    order: s.order,
    contraction: "allowed",
    ...(s.specialNumbers.size > 0 ? { specialNumbers: [...s.specialNumbers].sort() } : {}),
    ...(s.trivia.header.length > 0 ? { header: s.trivia.header } : {}),
    trailingComments: [...s.pendingComments, ...s.trivia.trailing],
    nextVariable: s.nextVariable,
    nextFunction: s.functions.length,
    assumptions: s.fixed,
  };
  module = calleesFirst(s, module);
  module = withoutStaticBuffers(s, module);
  if (s.contraction.length > 0) {
    const says = contractionAt(s.contraction);
    const allowed = (e: Expr): boolean => e.span !== noSpan && says(e.span.start) === "allowed";
    module = settledContraction(markedModule(module, allowed), says(Infinity));
  }
  if (s.language.misplacesNarrowMatrices)
    checkNarrowMatrices(module, (what, span, help) => void notYet(s, what, span, help));
  if (s.reading.expressions.matrixElements)
    module = withoutThinMatrices(module, (what, span, help) => void notYet(s, what, span, help));
  if (s.language.pointers) module = withoutIdleVolatileCasts(module);
  const references = s.references.size > 0;
  if (references) module = { ...module, resources: withAccesses(s, module.resources) };
  const given = module;
  if (references)
    module = withSummedAddresses(withNullAddresses(module), (type) =>
      arrayStride(type.pointee, addressedResource(s, type).layout ?? s.language.buffers, module.structs),
    );
  if (s.language.pointers || references) module = withAddressNumbers(s, module);
  const refused = (what: string, span: Span): void => void notYet(s, what, span, references ? followed : undefined);
  refuseKeptObjects(module, s.madeObjects, refused);
  const newBuffers = (refuse: Refuse): AddressedBuffers =>
    new AddressedBuffers(
      given,
      (type) => ({
        ...addressedResource(s, type),
        ...(type.block ? { access: accessThrough(s, type.block.name) } : {}),
      }),
      (type, span) => checkBufferType(s, type, span),
      refuse,
    );
  module = withoutPointerMembers(module, s.pointersAddressed === true || references, refused, newBuffers);
  if (s.language.pointers) module = withoutSharedPointers(module, refused);
  module = withoutHolders(withSingleObjects(withoutUnusedBuffers(module)));
  refuseUnknownAddresses(module, references, (what, span, help) => void notYet(s, what, span, help));
  if (s.problems.hasErrors) return undefined;
  if (s.language.pointers) module = withAtomicAccesses(module, (what, span) => notYet(s, what, span));
  if (s.language.enumerations !== "integers") module = withoutEnumerations(module);
  module = withoutEmptyStructs(module);
  module = chooseBlocks(s, module);
  module = s.reader.finish?.(s, module) ?? module;
  const byte = scalarSize("bool", s.language.buffers) === 1;
  module = withoutBoolsInBuffers(module, byte ? "u8" : "u32", (what, span) => void notYet(s, what, span));
  if (s.extended) module = { ...module, extended: true };
  if (s.specialized) module = { ...module, specialized: true };
  if (s.language.pointers) module = withAccessorsInPlace(module);
  if (s.language.openEnds) module = openEnded(module);
  const unsettled = markExactWide(module);
  if (s.problems.hasErrors) return undefined;
  // A comment at a macro of an included file speaks of that, and goes with it.
  const carried = (c: Comment): boolean => !s.options.part || fileAt(s.source, c.offset) === 0;
  const sized = (reading: SizeReading): Module<"canonical"> =>
    withoutIdleInstances(
      placeMacros(narrowSizes(unsettled, reading), slots, s.lengthMacros, carried, s.order),
      s.templates.variables,
    );
  return { module: sized("narrow"), ...(mentionsSize(unsettled) ? { sized } : {}) };
}

// ------------------------------------------------------------------ entries

/** The only entry of a file has all that the file declares; of several, each has what it uses. */
const onlyEntry = (s: Sema): boolean => s.entries.length === 1 && s.options.part?.otherEntries !== true;

function entries(s: Sema): EntryPoint[] {
  if (s.language.resources === "parameters") {
    const constants = s.resources.filter((r) => r.kind === "specialization").map((r) => r.variable);
    const kept = s.resources.filter((r) => r.begins !== undefined).map((r) => r.variable);
    if (constants.length + kept.length === 0) return s.entries;
    return s.entries.map((e) => {
      const named = reachable(s, e.function);
      const used = onlyEntry(s) ? constants : constants.filter((c) => named.has(c));
      return { ...e, resources: [...used, ...e.resources, ...kept.filter((c) => named.has(c))] };
    });
  }
  return s.entries.map((e) => {
    const used = onlyEntry(s) ? undefined : reachable(s, e.function);
    const resources = s.resources.filter((r) => !used || used.has(r.variable)).map((r) => r.variable);
    return { ...e, resources };
  });
}

/** The width that what the entry names is made for. */
function withWidth(s: Sema, e: EntryPoint): EntryPoint {
  if (e.subgroupSizes || ![...called(s, e.function)].some((id) => s.functions[id]!.takesElements)) return e;
  return { ...e, subgroupSizes: { min: elementsWidth, max: elementsWidth } };
}

/** Resources an entry or a function it calls names. */
const reachable = (s: Sema, entry: FunctionId): Set<VarId> =>
  new Set([...called(s, entry)].flatMap((id) => [...(s.globalsUsed.get(id) ?? [])]));

/** The function and all that it calls. */
function called(s: Sema, entry: FunctionId): Set<FunctionId> {
  const seen = new Set<FunctionId>();
  const visit = (id: FunctionId): void => {
    if (seen.has(id)) return;
    seen.add(id);
    for (const callee of s.functions[id]!.calls.keys()) visit(callee);
  };
  visit(entry);
  return seen;
}

// ------------------------------------------------------------------ constant macros

/** Macros whose uses all carry the reference and agree in value become declarations; other references are dropped. */
function placeMacros(
  module: Module<"canonical">,
  slots: readonly MacroSlot[],
  lengths: ReadonlyMap<string, Literal>,
  stays: (c: Comment) => boolean,
  /** What the slots' positions count, some of which has been left out since. */
  declared: readonly TopLevel[],
): Module<"canonical"> {
  const uses = new Map<string, Expr | null>();
  walkModule(module, {
    expr: (e) => {
      if (!e.macro) return;
      const before = uses.get(e.macro.name);
      uses.set(e.macro.name, before === undefined ? e : before && commonConstant(before, e));
    },
  });
  for (const [name, value] of lengths) {
    const before = uses.get(name);
    if (before === undefined) uses.set(name, value);
    else if (before && !sameNumber(before, value)) uses.set(name, null);
    // GLSL takes no number of 64 bits for a length.
    else if (before?.type.kind === "scalar" && scalarSize(before.type.scalar, "natural") === 8) uses.set(name, value);
  }
  const placed = new Set(slots.map((x) => x.definition.name));
  const keep = (name: string): boolean => placed.has(name) && !!uses.get(name);
  const stripped = [...uses.keys()].every(keep)
    ? module
    : rewriteModule(module, { expr: (e) => (e.macro && !keep(e.macro.name) ? withoutMacro(e) : e) });
  const order: TopLevel[] = [];
  let carried: Comment[] = [];
  let result = stripped;
  const push = (item: TopLevel): void => {
    if (carried.length > 0) {
      const given = addLeading(result, item, carried);
      if (given) {
        result = given.module;
        order.push(given.item);
        carried = [];
        return;
      }
    }
    order.push(item);
  };
  const indices = new Map(module.order.map((item, i) => [itemKey(item), i]));
  /** Behind the last that was declared before, so that what came in between may use it. */
  const positionOf = (slot: MacroSlot): number => {
    for (let i = slot.position - 1; i >= 0; i--) {
      const index = indices.get(itemKey(declared[i]!));
      if (index !== undefined) return index + 1;
    }
    return 0;
  };
  let next = 0;
  for (let i = 0; i <= module.order.length; i++) {
    for (let slot = slots[next]; slot && positionOf(slot) <= i; slot = slots[++next]) {
      const { name } = slot.definition;
      if (keep(name)) push({ kind: "constant-macro", name, value: withoutMacro(uses.get(name)!), trivia: slot.trivia });
      else append(carried, [...slot.trivia.leading, ...slot.trivia.trailing].filter(stays));
    }
    const item = module.order[i];
    if (item) push(item);
  }
  return { ...result, order, trailingComments: [...carried, ...result.trailingComments] };
}

function itemKey(item: TopLevel): string {
  switch (item.kind) {
    case "function":
      return `function ${item.function}`;
    case "variable":
    case "resource":
      return `variable ${item.variable}`;
    case "enum":
      return `enum ${item.index}`;
    case "struct":
    case "constant-macro":
      return `${item.kind} ${item.name}`;
    default:
      return assertNever(item);
  }
}

function withoutMacro(e: Expr): Expr {
  const { macro: _dropped, ...rest } = e;
  return rest;
}

/** What a macro stands for that is used as both: a number is converted where it is used, and an int is what C reads. */
function commonConstant(a: Expr, b: Expr): Expr | null {
  if (sameConstant(a, b)) return a;
  if (!sameNumber(a, b)) return null;
  return b.type.kind === "scalar" && b.type.scalar === "i32" ? b : a;
}

function sameNumber(a: Expr, b: Expr): boolean {
  if (a.kind !== "literal" || b.kind !== "literal") return false;
  if (typeof a.value === "boolean" || typeof b.value === "boolean") return false;
  return String(a.value) === String(b.value) && Object.is(Number(a.value), Number(b.value));
}

/** Equal constants of equal type, whatever their place in the text. */
function sameConstant(a: Expr, b: Expr): boolean {
  const strip = (key: string, value: unknown): unknown =>
    key === "span" || key === "macro" ? undefined : typeof value === "bigint" ? String(value) : value;
  return JSON.stringify(a, strip) === JSON.stringify(b, strip);
}

function addLeading(
  module: Module<"canonical">,
  item: TopLevel,
  comments: readonly Comment[],
): { module: Module<"canonical">; item: TopLevel } | undefined {
  const extended = (t: Trivia | undefined): Trivia => ({
    leading: [...comments, ...(t?.leading ?? [])],
    trailing: t?.trailing ?? [],
    blankBefore: t?.blankBefore ?? false,
  });
  switch (item.kind) {
    case "constant-macro":
      return { module, item: { ...item, trivia: extended(item.trivia) } };
    case "struct": {
      const structs = new Map(module.structs);
      const d = structs.get(item.name)!;
      structs.set(item.name, { ...d, trivia: extended(d.trivia) });
      return { module: { ...module, structs }, item };
    }
    case "enum": {
      const enums = module.enums.map((e, i) => (i === item.index ? { ...e, trivia: extended(e.trivia) } : e));
      return { module: { ...module, enums }, item };
    }
    case "variable":
    case "resource": {
      const variables = new Map(module.variables);
      const v = variables.get(item.variable)!;
      variables.set(item.variable, { ...v, trivia: extended(v.trivia) });
      return { module: { ...module, variables }, item };
    }
    case "function": {
      const functions = module.functions.map((f) =>
        f.id === item.function ? { ...f, trivia: extended(f.trivia) } : f,
      );
      return { module: { ...module, functions }, item };
    }
  }
}
