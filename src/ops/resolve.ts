/** Recognition: a builtin call of a dialect, resolved to one overload and its canonical form. */
import { assign, convert, deref, opCall, u32Literal } from "../ast/builders.js";
import type {
  BarrierDescriptor,
  CallPrecondition,
  Expr,
  MemoryOrder,
  MemoryScope,
  OpCall,
  Place,
} from "../ast/nodes.js";
import { byDialect, isSourceDialect, type Dialect, type SourceDialect } from "../dialects/ids.js";
import { typeIn } from "../dialects/show-type.js";
import { once } from "../support/once.js";
import type { Span } from "../support/span.js";
import {
  asSingle,
  bitWidth,
  componentCount,
  isEvent,
  isFloat,
  isInteger,
  isSingle,
  sameType,
  scalar,
  scalarOf,
  shaped,
  showOpen,
  type ScalarKind,
  type Type,
} from "../types/types.js";
import {
  flagBits,
  glslMemory,
  glslOrder,
  barrierNames,
  isBarrierName,
  resolveBarrier,
  unknownSemantics,
  type ResolvedBarrier,
} from "./read-barriers.js";
import { coerce, maskOf, truthOf } from "./coerce.js";
import { idFunctions } from "./ids.js";
import { isFormName, resolveForm } from "./forms.js";
import { isMatrixName, resolveMatrix } from "./matrix.js";
import {
  commonOperands,
  fits,
  givesShape,
  hasOwnResult,
  isOfOtherKind,
  takesSingle,
  givesSingle,
} from "./resolve-hlsl.js";
import type { BuiltinArgument, ImplicitRank, NativeCell, OpRow, RefusedCall, ResolvedBuiltin } from "./row.js";
import { typeOf, type Parameter, type Signature } from "./signature.js";
import { sizesRead } from "./sizes.js";
import { signatureOf, sizedName } from "./spell.js";
import { isRelaxed } from "./use-of.js";
import { allRows } from "./table.js";
import { refusalOf } from "./later.js";
import { languageFacts, languages } from "../dialects/languages.js";

export type Resolution = ResolvedBuiltin | ResolvedBarrier | RefusedCall;

interface Overload {
  readonly row: OpRow;
  readonly cell: NativeCell;
  readonly signature: Signature;
  /** The sizes of T: one where only that has the name (`vload4`). */
  readonly sizes: readonly number[];
}

type Index = ReadonlyMap<string, readonly Overload[]>;

function indexOf(dialect: Dialect): Index {
  const index = new Map<string, Overload[]>();
  const put = (name: string, overload: Overload): void => {
    const list = index.get(name);
    if (list) list.push(overload);
    else index.set(name, [overload]);
  };
  for (const r of allRows) {
    for (const cell of r.cells[dialect]) {
      if (cell.kind !== "native" || cell.readsAs !== undefined) continue;
      for (const name of cell.names) {
        if (name.includes("*") || name.startsWith("gl_")) continue;
        for (const text of cell.signatures ?? [r.signature]) {
          const signature = signatureOf(text);
          const sizes = sizesRead(r, cell.on ?? r.on, dialect);
          if (!name.includes("#")) put(name, { row: r, cell, signature, sizes });
          else {
            for (const size of sizes)
              put(sizedName(name, shaped("i32", size)), { row: r, cell, signature, sizes: [size] });
          }
        }
      }
    }
  }
  return index;
}

/** One index a dialect, made when first asked for: a command needs one or two of them. */
const indexes = byDialect((d) => once(() => indexOf(d)));

/** The namespace is optional; `fast::` and `precise::` belong to the name. */
function bareName(dialect: Dialect, name: string): string {
  const namespace = languages[dialect].reading?.namespace;
  if (namespace === undefined) return name;
  const prefix = `${namespace}::`;
  const rest = name.startsWith("::") ? name.slice(2) : name;
  return rest.startsWith(prefix) ? rest.slice(prefix.length) : name;
}

/** The functions that are translated, as they are spelled; those that a pattern names are not listed. */
export const builtinNames = (dialect: SourceDialect): Iterable<string> => [
  ...indexes[dialect]().keys(),
  ...barrierNames(dialect),
  ...idFunctions(dialect),
];

export function isBuiltinName(dialect: Dialect, given: string): boolean {
  const name = bareName(dialect, given);
  if (indexes[dialect]().has(name)) return true;
  if (!isSourceDialect(dialect)) return false;
  return (
    isFormName(dialect, name) ||
    isBarrierName(dialect, name) ||
    isMatrixName(dialect, name) ||
    refusalOf(dialect, name) !== undefined
  );
}

export function resolveBuiltin(
  dialect: SourceDialect,
  given: string,
  args: readonly BuiltinArgument[],
  templates: readonly Type[],
  implicit: ImplicitRank,
): Resolution | undefined {
  const name = bareName(dialect, given);
  const barrier = resolveBarrier(dialect, name, args);
  if (barrier) return "barrier" in barrier ? barrier : { ...barrier, candidates: [] };
  const form = resolveForm(dialect, name, args, templates, implicit);
  if (form) return form;
  const matrixCall = resolveMatrix(dialect, name, args);
  if (matrixCall) return matrixCall;
  const overloads = indexes[dialect]().get(name);
  if (!overloads) {
    const refusal = refusalOf(dialect, name);
    return refusal && { error: `'${name}' ${refusal.why}`, candidates: [], refusal };
  }
  return choose(dialect, name, overloads, args, implicit);
}

// ------------------------------------------------------------------ overload resolution

interface Match {
  readonly overload: Overload;
  readonly t: Type | undefined;
  readonly ranks: readonly number[];
}

const reading = (signature: Signature): readonly Parameter[] =>
  signature.parameters.filter((p) => p.mode !== "text" && p.mode !== "fixed");

function choose(
  dialect: SourceDialect,
  name: string,
  overloads: readonly Overload[],
  args: readonly BuiltinArgument[],
  implicit: ImplicitRank,
): Resolution {
  const byCommonType = languageFacts[dialect].builtinOverloads === "common type";
  const refused = byCommonType && isOfOtherKind(name, args);
  if (byCommonType && !refused) {
    const taken = chooseByCommonType(dialect, name, overloads, args);
    if (taken) return taken;
  }
  const matches = refused ? [] : overloads.flatMap((o) => matchesOf(o, args, implicit, byCommonType));
  const best = matches.filter((m) => matches.every((other) => other === m || !better(other, m)));
  const winner = best.length > 1 ? settle(dialect, best, args) : best[0];
  if (winner)
    return constantProblem(winner, args) ?? resolved(givesSingle(name) ? shapedBy(winner, args) : winner, args);
  const candidates = candidateTexts(dialect, name, overloads);
  const given = `(${args.map((a) => a.word ?? (a.open ? showOpen(a.type) : typeIn(dialect, a.type))).join(", ")})`;
  const written = args.findIndex((a) => a.type.kind === "pointer" && a.type.readOnly);
  const free = args.map((a) => (a.type.kind === "pointer" ? { ...a, type: { ...a.type, readOnly: false } } : a));
  const error =
    matches.length > 0
      ? `the call of ${name}${given} is ambiguous`
      : written >= 0 && overloads.some((o) => matchesOf(o, free, implicit).length > 0)
        ? `${name} writes through argument ${written + 1}, a pointer to const`
        : `no overload of ${name} takes ${given}`;
  return { error, candidates };
}

/** Of a vector of one component, also one that is written to, the function is one of such vectors (DXC). */
function shapedBy(m: Match, args: readonly BuiltinArgument[]): Match {
  const isOfSingles = reading(m.overload.signature).some((p, i) => givesShape(p) && isSingle(args[i]!.type));
  return m.t && isOfSingles ? { ...m, t: asSingle(m.t) } : m;
}

/** The choice of languages that take the type all operands have in common (HLSL); undefined where operands are places, which take no conversion. */
function chooseByCommonType(
  dialect: SourceDialect,
  name: string,
  overloads: readonly Overload[],
  args: readonly BuiltinArgument[],
): Resolution | undefined {
  let missing: Type | undefined;
  for (const first of overloads) {
    const parameters = reading(first.signature);
    if (parameters.length !== args.length || parameters.some((p) => p.mode !== "value")) continue;
    const common = commonOperands(name, parameters, args, first.signature.result);
    if (!common) continue;
    // The same function may be several rows, by kinds.
    for (const t of variants(common.type)) {
      const found = overloads.find(
        (o) =>
          o.signature.generic &&
          reading(o.signature).length === args.length &&
          candidatesFor(o).some((c) => c && sameType(c, t)) &&
          accepts(o, args, t),
      );
      if (!found) continue;
      const match: Match = { overload: found, t, ranks: [] };
      const problem = constantProblem(match, args);
      if (problem) return problem;
      const made = resolved(match, args);
      if (!sameType(t, common.type))
        return signed(made, t, common.type, /^(T|S)$/.test(found.signature.result) && !hasOwnResult(name));
      return common.open ? { ...made, open: true } : made;
    }
    // What is folded in double need not exist there.
    const half: ScalarKind = isFloat(scalarOf(common.type)!) ? "f32" : "i32";
    const single =
      common.open &&
      overloads.find(
        (o) =>
          o.signature.generic &&
          reading(o.signature).length === args.length &&
          candidatesFor(o).some((c) => scalarOf(c!) === half || (half === "i32" && scalarOf(c!) === "u32")),
      );
    if (single) return { ...resolved({ overload: single, t: common.type, ranks: [] }, args), open: true };
    missing ??= common.type;
  }
  const isOfMatrix = args.some((a) => a.type.kind === "matrix");
  return (
    missing && {
      error: `${name} of ${isOfMatrix ? "a matrix" : typeIn(dialect, missing)} is not supported yet`,
      notYet: isOfMatrix ? "call it for each row of the matrix" : "convert the operands to a type that it takes",
      candidates: candidateTexts(dialect, name, overloads),
    }
  );
}

const accepts = (o: Overload, args: readonly BuiltinArgument[], t: Type): boolean =>
  reading(o.signature).every((p, i) => fits(p, args[i]!, typeOf(p.pattern, t)));

/** What does not depend on the sign may be in the table for one of them. */
function variants(type: Type): readonly Type[] {
  const kind = scalarOf(type)!;
  if (!isInteger(kind)) return [type];
  const other = `${kind.startsWith("u") ? "i" : "u"}${kind.slice(1)}` as ScalarKind;
  return [type, shaped(other, componentCount(type)!)];
}

/** A function of the other sign: its operands have the sign asked for first, and its result has it again. */
const signed = (made: ResolvedBuiltin, other: Type, type: Type, follows: boolean): ResolvedBuiltin => ({
  ...made,
  parameters: made.parameters.map((p) => (p.mode === "value" && sameType(p.type, other) ? { ...p, type } : p)),
  result: follows ? type : made.result,
  build: (values, places, span) => {
    const call = made.build(
      values.map((v) => (sameType(v.type, type) ? convert(v, other, false, v.span) : v)),
      places,
      span,
    );
    return follows ? convert(call, type, false, span) : call;
  },
});

/** `converted`: a place that only takes a result may be of another kind, which the result is converted to. */
function matchesOf(
  overload: Overload,
  args: readonly BuiltinArgument[],
  implicit: ImplicitRank,
  converted = false,
): Match[] {
  const parameters = reading(overload.signature);
  if (parameters.length !== args.length) return [];
  const found: Match[] = [];
  for (const t of candidatesFor(overload)) {
    const ranks: number[] = [];
    for (const [i, p] of parameters.entries()) {
      if (!takesSingle(p, args[i]!)) break;
      const isResult = p.mode === "place" && (overload.row.effect !== "atomic" || p.index > 0);
      const rank = rankOf(overload.row, p, args[i]!, t, implicit, converted && isResult);
      if (rank === undefined) break;
      ranks.push(rank);
    }
    if (ranks.length === parameters.length) found.push({ overload, t, ranks });
  }
  return found;
}

function candidatesFor({ row, cell, signature, sizes }: Overload): readonly (Type | undefined)[] {
  if (!signature.generic && !signatureOf(row.signature).generic) return [undefined];
  const on = cell.on ?? row.on;
  return on.scalars.flatMap((kind) => sizes.map((n) => shaped(kind, n)));
}

function rankOf(
  row: OpRow,
  p: Parameter,
  a: BuiltinArgument,
  t: Type | undefined,
  implicit: ImplicitRank,
  converted: boolean,
): number | undefined {
  switch (p.mode) {
    case "order":
    case "order2":
      return orderOf(a) === undefined ? undefined : 0;
    case "semantics":
    case "semantics2":
      return semanticsOf(a) === undefined ? undefined : 0;
    case "storage":
      return storageOf(a) === undefined ? undefined : 0;
    case "scope":
      return scopeOf(a) === undefined ? undefined : 0;
    case "text":
    case "fixed":
      return undefined;
    case "place": {
      if (!a.place) return undefined;
      const wanted = typeOf(p.pattern, t);
      if (sameType(unpacked(a.type), wanted)) return 0;
      const size = componentCount(wanted);
      return converted && !a.enumerated && size !== undefined && componentCount(a.type) === size ? 2 : undefined;
    }
    case "pointer": {
      if (a.type.kind !== "pointer" || !p.spaces.includes(a.type.space)) return undefined;
      if (a.type.readOnly && !p.readOnly) return undefined;
      const wanted = typeOf(p.pattern, t);
      return sameType(a.type.pointee, wanted) && isEvent(a.type.pointee) === isEvent(wanted) ? 0 : undefined;
    }
    case "value": {
      if (p.pattern === "Z") return a.type.kind === "scalar" && isInteger(a.type.scalar) ? 0 : undefined;
      const wanted = typeOf(p.pattern, t);
      if (isEvent(wanted)) return isEvent(a.type) ? 0 : a.literal && a.constant === 0 ? 1 : undefined;
      // Functions of MSL's SIMD-groups are templates, which convert nothing, and take no bfloat (6.9.2); to others it is a float.
      if (row.effect === "crosslane" && scalarOf(a.type) === "bf16") return undefined;
      return sameType(unpacked(a.type), wanted) ? 0 : implicit(a.type, wanted, a.literal ?? false);
    }
  }
}

const unpacked = (type: Type): Type => (type.kind === "vector" && type.packed ? shaped(type.scalar, type.size) : type);

/** What is wrong with the operands that have to be powers of two known at compile time. */
function constantProblem({ overload }: Match, args: readonly BuiltinArgument[]): Resolution | undefined {
  const parameters = reading(overload.signature);
  for (const { index, name } of overload.row.powersOfTwo ?? []) {
    const at = parameters.findIndex((p) => p.mode === "value" && p.index === index);
    if (at < 0) continue;
    const { constant } = args[at]!;
    if (constant === undefined) return { error: `${name} must be known at compile time`, candidates: [] };
    const value = Number(constant);
    if (value < 1 || !Number.isInteger(Math.log2(value)))
      return { error: `${name} must be a power of two, not ${value}`, candidates: [] };
  }
  return undefined;
}

/** As in C++: no argument worse, one better. */
function better(a: Match, b: Match): boolean {
  return a.ranks.every((r, i) => r <= b.ranks[i]!) && a.ranks.some((r, i) => r < b.ranks[i]!);
}

/**
 * Several overloads fit as well. The same op of the same type twice (a row and its scalar form) is no ambiguity. GLSL's
 * and HLSL's own rules then prefer float to half; HLSL combines the component types of the arguments as in arithmetic.
 */
function settle(dialect: SourceDialect, best: readonly Match[], args: readonly BuiltinArgument[]): Match | undefined {
  const first = best[0]!;
  const sameMeaning = (m: Match): boolean =>
    m.overload.row === first.overload.row && (m.t === first.t || (!!m.t && !!first.t && sameType(m.t, first.t)));
  if (best.every(sameMeaning)) return first;
  const size = Math.max(...args.map((a) => componentCount(a.type) ?? 0));
  const fitting = best.filter((m) => !m.t || componentCount(m.t) === size);
  const sized = fitting.length > 0 ? fitting : best;
  // An integer is not cut off while another overload holds it.
  const width = Math.max(0, ...args.map((a) => integerWidth(a)));
  const holding = sized.filter((m) => m.t && bitWidth(scalarOf(m.t)!) >= width);
  const pool = holding.length > 0 ? holding : sized;
  if (pool.length === 1) return pool[0];
  const { builtinOverloads } = languageFacts[dialect];
  if (builtinOverloads === "ranks") return undefined;
  const kinds = args.map((a) => scalarOf(a.type));
  const preferred =
    kinds.includes("f32") || !kinds.includes("f16")
      ? ["f32", "u32", "i32", "f16", "u64", "i64", "f64", "u16", "i16", "bool"]
      : ["f16", "f32"];
  const floating = kinds.some((kind) => kind === "f32" || kind === "f16" || kind === "f64");
  const order =
    floating || builtinOverloads === "ranks, then float"
      ? preferred
      : ["u32", "i32", "f32", "u64", "i64", "f16", "u16", "i16", "bool"];
  for (const kind of order) {
    const found = pool.filter((m) => m.t && scalarOf(m.t) === kind);
    if (found.length > 0) return found[0];
  }
  return undefined;
}

function integerWidth({ type, literal }: BuiltinArgument): number {
  const kind = scalarOf(type);
  return kind && isInteger(kind) && !literal ? bitWidth(kind) : 0;
}

const orders: Readonly<Record<string, MemoryOrder>> = {
  memory_order_relaxed: "relaxed",
  memory_order_acquire: "acquire",
  memory_order_release: "release",
  memory_order_acq_rel: "acq_rel",
  memory_order_seq_cst: "seq_cst",
};

const scopes: Readonly<Record<string, MemoryScope>> = {
  memory_scope_work_item: "invocation",
  memory_scope_sub_group: "subgroup",
  memory_scope_work_group: "workgroup",
  memory_scope_device: "device",
  memory_scope_all_svm_devices: "system",
  memory_scope_all_devices: "system",
  gl_ScopeDevice: "device",
  gl_ScopeQueueFamily: "device",
  gl_ScopeWorkgroup: "workgroup",
  gl_ScopeSubgroup: "subgroup",
  gl_ScopeInvocation: "invocation",
  thread_scope_thread: "invocation",
  thread_scope_simdgroup: "subgroup",
  thread_scope_threadgroup: "workgroup",
  thread_scope_device: "device",
  memory_scope_threadgroup: "workgroup",
};
const lastName = (a: BuiltinArgument): string => a.word?.split("::").at(-1) ?? "";
const orderOf = (a: BuiltinArgument): MemoryOrder | undefined => orders[lastName(a)];
const scopeOf = (a: BuiltinArgument): MemoryScope | undefined => scopes[lastName(a)];
const semanticsOf = (a: BuiltinArgument): MemoryOrder | undefined => {
  const bits = flagBits(a);
  return bits === undefined || unknownSemantics(bits) ? undefined : (glslOrder(bits) ?? "relaxed");
};
const storageOf = (a: BuiltinArgument): BarrierDescriptor["memory"] | undefined => {
  const bits = flagBits(a);
  return bits === undefined || (bits & ~0x940) !== 0 ? undefined : glslMemory(bits);
};

// ------------------------------------------------------------------ the canonical form

function resolved({ overload, t }: Match, args: readonly BuiltinArgument[]): ResolvedBuiltin {
  const { row: r, cell, signature } = overload;
  const canonical = signatureOf(r.signature);
  const more: {
    order?: MemoryOrder;
    failureOrder?: MemoryOrder;
    scope?: MemoryScope;
    memory?: BarrierDescriptor["memory"];
    precondition?: CallPrecondition;
  } = {};
  if (cell.precondition) more.precondition = cell.precondition;
  const sequential = signature.parameters.filter((p) => p.mode === "text" && p.pattern === "seq_cst");
  if (sequential.length > 0) more.order = "seq_cst";
  if (sequential.length > 1) more.failureOrder = "seq_cst";
  const parameters = reading(signature).map((p, i): ResolvedBuiltin["parameters"][number] => {
    const a = args[i]!;
    switch (p.mode) {
      case "order":
        more.order = orderOf(a)!;
        return { type: a.type, mode: "skip" };
      case "order2":
        more.failureOrder = orderOf(a)!;
        return { type: a.type, mode: "skip" };
      case "scope":
        more.scope = scopeOf(a)!;
        return { type: a.type, mode: "skip" };
      case "semantics":
        more.order = semanticsOf(a)!;
        return { type: a.type, mode: "skip" };
      case "semantics2":
        more.failureOrder = semanticsOf(a)!;
        return { type: a.type, mode: "skip" };
      case "storage": {
        const { workgroup, global, image } = storageOf(a)!;
        const m = more.memory;
        more.memory = m
          ? { workgroup: m.workgroup || workgroup, global: m.global || global, image: m.image || image }
          : { workgroup, global, image };
        return { type: a.type, mode: "skip" };
      }
      case "place":
        return { type: typeOf(p.pattern, t), mode: "place" };
      case "pointer":
        return { type: a.type, mode: "value" };
      default:
        return { type: p.pattern === "Z" ? a.type : typeOf(p.pattern, t), mode: "value" };
    }
  });
  if (isRelaxed(more)) delete more.memory;
  else more.memory ??= memoryAround(signature, args);
  const result = typeOf(signature.result, t);
  const canonicalResult = typeOf(canonical.result, t);
  const build = (values: readonly Expr[], places: readonly Place[], span: Span): Expr => {
    const operands: Expr[] = [];
    const objects: Place[] = [];
    const rest = [...values];
    const given = [...places];
    for (const p of reading(signature)) {
      if (p.mode === "value") {
        const wanted = canonical.parameters.find((c) => c.mode === "value" && c.index === p.index)!;
        operands[p.index] = toCanonical(rest.shift()!, p.pattern, wanted.pattern, t);
      } else if (p.mode === "pointer") objects.push(deref(rest.shift()!, span));
      else if (p.mode === "place") objects.push(given.shift()!);
    }
    const placesOfRow = canonical.parameters.filter((c) => c.mode === "place").length;
    for (const p of signature.parameters) {
      if (p.mode === "fixed") operands[p.index] = u32Literal(p.value!, span);
    }
    for (const { index } of r.powersOfTwo ?? []) {
      const at = reading(signature).findIndex((p) => p.mode === "value" && p.index === index);
      if (at >= 0 && operands[index]!.kind !== "literal")
        operands[index] = u32Literal(Number(args[at]!.constant), operands[index]!.span);
    }
    const call = opCall(r.id, operands, canonicalResult, span, {
      places: objects.slice(0, placesOfRow),
      ...more,
    }) as OpCall;
    if (objects.length > placesOfRow) return assign(objects[placesOfRow]!, call, span);
    return result.kind === "void" || sameType(result, canonicalResult)
      ? call
      : fromCanonical(call, signature.result, result);
  };
  return { op: r.id, parameters, result, build };
}

/** OpenCL C 3.0 6.15.12: an order is about the address space that the object is in. */
function memoryAround(signature: Signature, args: readonly BuiltinArgument[]): BarrierDescriptor["memory"] {
  const at = reading(signature).findIndex((p) => p.mode === "pointer" && p.index === 0);
  const type = at < 0 ? undefined : args[at]!.type;
  const space = type?.kind === "pointer" ? type.space : undefined;
  return { workgroup: space !== "global", global: space !== "workgroup", image: false };
}

const masks = new Set(["N", "N8", "N16", "N64", "Nt", "M"]);

function toCanonical(e: Expr, pattern: string, wanted: string, t: Type | undefined): Expr {
  if (wanted === "Z") return coerceIndex(e);
  const type = typeOf(wanted, t);
  if (sameType(e.type, type)) return e;
  if (masks.has(pattern) && scalarOf(type) === "bool") return truthOf(e);
  return coerce(e, type);
}

/**
 * An index widened to 64 bits only for the parameter's sake keeps its own width; but it is a size_t in the language, so that what
 * is narrower than 32 bits would wrap where it is multiplied by the number of elements.
 */
function coerceIndex(e: Expr): Expr {
  const widened =
    e.kind === "convert" && !e.explicit && e.operand.type.kind === "scalar" && isInteger(e.operand.type.scalar);
  const own = widened ? e.operand : e;
  return bitWidth(scalarOf(own.type)!) < 32 ? convert(own, scalar("i32")) : own;
}

function fromCanonical(e: Expr, pattern: string, type: Type): Expr {
  if (masks.has(pattern) && scalarOf(e.type) === "bool") return maskOf(e, type);
  return convert(e, type);
}

// ------------------------------------------------------------------ messages

/** `T`, or a type of the language. */
function patternText(dialect: SourceDialect, pattern: string): string {
  const found = /^(bool|[iuf]\d+)(?:x(\d))?$/.exec(pattern);
  return found ? typeIn(dialect, shaped(found[1] as ScalarKind, Number(found[2] ?? 1))) : pattern;
}

function candidateTexts(dialect: SourceDialect, name: string, overloads: readonly Overload[]): string[] {
  const texts = overloads.map(({ row: r, cell, signature, sizes }) => {
    const on = cell.on ?? r.on;
    const list = reading(signature).map((p) =>
      p.mode === "value"
        ? patternText(dialect, p.pattern)
        : p.mode === "pointer"
          ? `${patternText(dialect, p.pattern)} *`
          : p.mode === "place"
            ? `out ${patternText(dialect, p.pattern)}`
            : p.mode === "order2" || p.mode === "semantics2"
              ? p.mode.slice(0, -1)
              : p.mode,
    );
    const kinds = signature.generic
      ? `, T: ${on.scalars.map((kind) => typeIn(dialect, scalar(kind))).join(", ")}${sizes.length >= 4 ? "" : ` of ${sizes.join(", ")} components`}`
      : "";
    return `${name}(${list.join(", ")}) -> ${patternText(dialect, signature.result)}${kinds}`;
  });
  return [...new Set(texts)];
}
