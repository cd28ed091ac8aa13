/** Canonical ops: each runs as its row's expansion says. */
import { placeIsPure } from "../ast/walk.js";
import { movingRoutines } from "../ops/machine-ops.js";
import { familyOf, shortName } from "../ast/op-ids.js";
import { bitcast, load, variablePlace } from "../ast/builders.js";
import { ConstantScope } from "../ast/constant-values.js";
import type { Expr, OpCall } from "../ast/nodes.js";
import type { Open } from "../ops/row.js";
import { row, rows } from "../ops/table.js";
import { bitsOf } from "../ops/trees.js";
import { assertNever } from "../support/assert-never.js";
import { noSpan, type Span } from "../support/span.js";
import { scalarSize } from "../types/layout.js";
import { componentCount, isInteger, scalarOf, vector, type ScalarKind } from "../types/types.js";
import { lowerAsyncCopy, lowerWait } from "./async-copies.js";
import { convertScalar, lowerExpr, lowerOperands } from "./lower-expressions.js";
import { CannotRun, type BoundaryLowering, type LoweredPlace, type MemoryPlace } from "./boundary-lowering.js";
import { checkedAddress, lowerPlace, pinPlace, undisturbed, readPlace, writePlace } from "./lower-places.js";
import { loadScalar, readSite, storeScalar } from "./memory-scalars.js";
import { constant, constantOf, local, operation, toIndex, conversion, reinterpretation } from "./machine.js";
import type { Atomic, Collective, MachineExpr } from "./tree.js";

export function lowerOp(cx: BoundaryLowering, e: OpCall, wanted: boolean): readonly MachineExpr[] {
  // What has no place is part of what an op or a lowering is made of: that is looked at as a whole.
  const open = (cx.checks.openOperands && e.span !== noSpan && rows.get(e.op)?.open) || [];
  const looked = open.filter(
    (o) => o.in[cx.module.dialect] !== undefined && (!o.on || o.on.includes(scalarOf(e.type)!)),
  );
  return looked.length > 0 ? lowerOpen(cx, e, looked, wanted) : lowerDefined(cx, e, wanted);
}

/** What becomes of results, and of what places get. */
type Marking = (values: readonly MachineExpr[]) => readonly MachineExpr[];
const unmarked: Marking = (values) => values;

/** Where the dialect leaves the result open, it is what the launch says of such values. */
function lowerOpen(cx: BoundaryLowering, e: OpCall, open: readonly Open[], wanted: boolean): readonly MachineExpr[] {
  const args = boundOperands(cx, e);
  const all = open.map((o) => ({ places: o.places ?? false, mark: markingOf(cx, e, o, args) }));
  const inPlaces: Marking = (values) => all.reduce((xs, { places, mark }) => (places ? mark(xs) : xs), values);
  return all.reduce((xs, { mark }) => mark(xs), lowerDefined(cx, { ...e, arguments: args }, wanted, inPlaces));
}

function markingOf(cx: BoundaryLowering, e: OpCall, open: Open, args: readonly Expr[]): Marking {
  const condition = open.where(args);
  const known = new ConstantScope(new Map(), cx.module.structs).valueOf(condition);
  if (known === false) return unmarked;
  const count = componentCount(e.type) ?? 1;
  const where = lowerExpr(cx, condition).map((x, _, all) =>
    (all.length < count || open.places) && x.kind !== "constant" ? cx.stable(x, e.span) : x,
  );
  const { variant } = row(e.op);
  const name = shortName(variant?.in === "domain" ? variant.of : e.op);
  const said = typeof open.says === "string" ? open.says : open.says(args);
  // Operands that the message shows, in order.
  const shown = [...said.matchAll(/\$(\d)/g)].map((m) => lowerExpr(cx, args[Number(m[1])]!)[0]!);
  const site = cx.site(e.span, said.startsWith(":") ? `${name}${said}` : `${name} ${said}`);
  return (values) =>
    values.map((x, i) => {
      const kind = x.scalar as ScalarKind;
      const isOpen = where[where.length === 1 ? 0 : i]!;
      return isOpen.kind === "constant" && isOpen.value === false
        ? x
        : operation(kind, kind, "unless_open", [x, isOpen, ...shown], site);
    });
}

/** Operands as variables of their own, since they are used more than once; literals stay. */
function boundOperands(cx: BoundaryLowering, e: OpCall): readonly Expr[] {
  const values = lowerOperands(cx, e.arguments);
  return e.arguments.map((a, i): Expr => {
    if (a.kind === "literal") return a;
    const id = cx.synthetic();
    cx.bindings.set(id, { kind: "values", values: values[i]!.map((x) => cx.stable(x, a.span)), type: a.type });
    return load(variablePlace({ id, type: a.type }, e.span), e.span);
  });
}

function lowerDefined(
  cx: BoundaryLowering,
  e: OpCall,
  wanted: boolean,
  inPlaces: Marking = unmarked,
): readonly MachineExpr[] {
  const expansion = cx.expansionOf(e.op);
  if (!expansion) throw new CannotRun(`${e.op} cannot be run`, e.span);
  switch (expansion.kind) {
    case "map":
      return lowerMap(cx, e, expansion.op);
    case "tree": {
      const built = expansion.build(boundOperands(cx, e), e.type);
      // A more accurate variant is the function itself.
      return lowerExpr(cx, row(e.op).variant?.in === "accuracy" ? { ...built, span: e.span } : built);
    }
    case "collective":
      return lowerCollective(cx, e, expansion.routine);
    case "atomic":
      return lowerAtomic(cx, e, expansion.op, wanted);
    case "routine":
      return lowerRoutine(cx, e, expansion.routine, inPlaces);
    default:
      return assertNever(expansion);
  }
}

function lowerMap(cx: BoundaryLowering, e: OpCall, name: string): readonly MachineExpr[] {
  const args = lowerOperands(cx, e.arguments);
  const scalar = scalarOf(e.type)!;
  const count = Math.max(...args.map((a) => a.length));
  return Array.from({ length: count }, (_, i) => {
    const operands = args.map((a) => a[a.length === 1 ? 0 : i]!);
    return operation(scalar, operands[0]!.scalar, name, operands);
  });
}

// ------------------------------------------------------------------ subgroups and workgroups

/** Routines over a mask or lane numbers alone: no lane learns anything of another, so they are plain machine ops. */
const maskOps: Readonly<Record<string, string>> = {
  eq_mask: "eq",
  ge_mask: "ge",
  gt_mask: "gt",
  le_mask: "le",
  lt_mask: "lt",
};

const laneId: MachineExpr = { kind: "builtin", scalar: "u32", builtin: "lane_id", component: 0 };
const subgroupSize: MachineExpr = { kind: "builtin", scalar: "u32", builtin: "subgroup_size", component: 0 };
const u32 = (value: number): MachineExpr => constant("u32", value);

function lowerCollective(cx: BoundaryLowering, e: OpCall, routine: string): readonly MachineExpr[] {
  const args = lowerOperands(cx, routine === "match_any" ? e.arguments.map(bitsOf) : e.arguments);
  const word = maskOps[routine];
  if (word !== undefined)
    return [0, 1, 2, 3].map((w) => operation("u32", "u32", `mask_${word}`, [laneId, subgroupSize, u32(w)]));
  const onMask = maskConsumer(cx, e, routine, args);
  if (onMask) return onMask;
  const scope = familyOf(e.op) === "workgroup" ? "workgroup" : "subgroup";
  const { fold } = row(e.op);
  const resultScalar = scalarOf(e.type) ?? "u32";
  const site = cx.site(e.span, e.op);
  const reachedByAll = scope === "workgroup" || e.precondition === "uniform";
  const run = (
    operands: readonly MachineExpr[],
    count: number,
    kind: ScalarKind,
    result: ScalarKind,
  ): MachineExpr[] => {
    const results = Array.from({ length: count }, () => cx.newLocal("t", result, true));
    const code: Collective = {
      kind: "collective",
      scope,
      routine,
      scalar: kind,
      operands,
      results,
      resultScalar: result,
      ...(fold ? { fold } : {}),
      moves: movingRoutines.has(routine),
      uniformResult: row(e.op).agreement === "shared",
      site,
      span: e.span,
      reachedByAll,
      ...(e.precondition ? { precondition: e.precondition } : {}),
    };
    cx.emit(code);
    return results.map((l) => local(l, result));
  };
  const [data, ...rest] = args;
  if (!data) return run([], componentCount(e.type) ?? 1, resultScalar, resultScalar);
  const kind = data[0]!.scalar as ScalarKind;
  // Operands are locals of their own: engines keep one element per lane of them.
  const columns = args.map((a) =>
    a.map((x, i) =>
      a !== data && (x.kind === "constant" || x.kind === "local") ? x : cx.temporary(x, e.span, i > 0 ? `t_${i}` : "t"),
    ),
  );
  if (routine === "match_any") {
    // Word by word; of vectors the lanes whose components all match.
    const classes = columns[0]!.map((x) => [0, 1, 2, 3].map((w) => run([x, u32(w)], 1, kind, "u32")[0]!));
    return classes.reduce((a, b) => a.map((word, w) => operation("u32", "u32", "and", [word, b[w]!])));
  }
  if (routine === "inverse_ballot") return run(columns[0]!, 1, "u32", resultScalar);
  if (fold?.over === "mask" || routine === "partitioned_prefix_count_true")
    return columns[0]!.flatMap((x) => run([x, ...columns[1]!], 1, kind, resultScalar));
  if (routine === "ballot" || routine === "vote")
    return run([columns[0]![0]!], componentCount(e.type) ?? 1, kind, resultScalar);
  const results = columns[0]!.flatMap((x, i) =>
    run([x, ...rest.map((_, k) => columns[k + 1]![columns[k + 1]!.length === 1 ? 0 : i]!)], 1, kind, resultScalar),
  );
  if (routine !== "all_equal" || results.length === 1) return results;
  return [results.reduce((a, b) => operation("bool", "bool", "and", [a, b]))];
}

function maskConsumer(
  cx: BoundaryLowering,
  e: OpCall,
  routine: string,
  args: readonly (readonly MachineExpr[])[],
): readonly MachineExpr[] | undefined {
  const mask = args[0];
  const words = (): MachineExpr[] => mask!.map((x) => cx.stable(x, e.span));
  const next = operation("u32", "u32", "add", [laneId, u32(1)]);
  const result = scalarOf(e.type) ?? "u32";
  const as = (x: MachineExpr): readonly MachineExpr[] => [convertScalar(cx, x, result, e.span)];
  switch (routine) {
    case "ballot_bit_extract":
      return as(operation("bool", "bool", "mask_bit", [...words(), args[1]![0]!]));
    case "ballot_bit_count":
      return as(operation("u32", "u32", "mask_count", [...words(), subgroupSize]));
    case "ballot_inclusive_bit_count":
      return as(operation("u32", "u32", "mask_count", [...words(), next]));
    case "ballot_exclusive_bit_count":
      return as(operation("u32", "u32", "mask_count", [...words(), laneId]));
    case "ballot_find_lsb":
    case "ballot_find_msb": {
      const op = routine === "ballot_find_lsb" ? "mask_lowest" : "mask_highest";
      return as(operation("u32", "u32", op, [...words(), subgroupSize], cx.site(e.span, e.op)));
    }
    default:
      return undefined;
  }
}

// ------------------------------------------------------------------ atomics

/** The place an atomic or memory routine works on, with operands evaluated after it. */
function placeAndOperands(
  cx: BoundaryLowering,
  e: OpCall,
): { readonly place: MemoryPlace; readonly others: LoweredPlace[]; readonly values: (readonly MachineExpr[])[] } {
  const [first, ...more] = e.places;
  if (!first) throw new Error(`broken tree: ${e.op} without a place`);
  const found = lowerPlace(cx, first);
  const others = more.map((p) => pinPlace(cx, lowerPlace(cx, p), e.span));
  const mark = cx.out.length;
  const values = lowerOperands(cx, e.arguments);
  const place = undisturbed(cx, found, mark, e.span);
  if (place.kind !== "memory" || place.components) throw new CannotRun(`${e.op} needs a place in memory`, e.span);
  return { place, others, values };
}

function lowerAtomic(cx: BoundaryLowering, e: OpCall, name: string, wanted: boolean): readonly MachineExpr[] {
  const { place, others, values } = placeAndOperands(cx, e);
  const scalar = scalarOf(place.type);
  if (!scalar || place.type.kind !== "scalar") throw new CannotRun(`${e.op} needs a scalar`, e.span);
  const stored = cx.memoryScalar(scalar, place.rule);
  const one = constantOf(stored, 1);
  const form = atomicForm(name, values.flat(), one, e.span);
  const { op, operands } = readsOnly(form) && (e.order ?? "relaxed") === "relaxed" ? atomicRead : form;
  const bytes = scalarSize(scalar, place.rule);
  const access = op === "load" ? "read" : op === "store" ? "write" : "both";
  const { packed, ...address } = checkedAddress(cx, place, bytes, access, e.span, false);
  if (packed) throw new CannotRun(`${e.op} of a member of a packed struct, which need not be aligned`, e.span);
  const expected = others[0];
  const isBool = scalar === "bool" || (expected !== undefined && scalarOf(expected.type) === "bool");
  const asStored = (x: MachineExpr): MachineExpr => (isBool ? convertScalar(cx, x, stored, e.span) : x);
  const given = expected
    ? [...readPlace(cx, expected, e.span).map((x) => cx.stable(asStored(x), e.span)), ...operands.map(asStored)]
    : operands.map(asStored);
  const needsResult = wanted || expected !== undefined || op === "load";
  const result = needsResult && op !== "store" ? cx.newLocal("old", stored, true) : undefined;
  const code: Atomic = {
    kind: "atomic",
    op,
    scalar: stored,
    address,
    result,
    site: cx.site(e.span, "atomic"),
    span: e.span,
    operands: given,
    ...(e.order ? { order: e.order } : {}),
    ...(e.failureOrder ? { failureOrder: e.failureOrder } : {}),
    ...(e.scope ? { scope: e.scope } : {}),
    ...(e.memory ? { memory: e.memory } : {}),
  };
  cx.emit(code);
  if (result === undefined) return [];
  const old = local(result, stored);
  if (!expected) return [scalar === "bool" ? convertScalar(cx, old, "bool", e.span) : old];
  // Success and failure alike: the expected place then holds what was found, which on success is what it held before.
  const same = cx.temporary(bitsEqual(old, given[0]!, stored), e.span, "exchanged");
  writePlace(cx, expected, [isBool ? convertScalar(cx, old, "bool", e.span) : old], e.span);
  return [same];
}

function bitsEqual(a: MachineExpr, b: MachineExpr, kind: ScalarKind): MachineExpr {
  if (isInteger(kind)) return operation("bool", kind, "eq", [a, b]);
  const bits = (kind === "f32" ? "u32" : kind === "f16" ? "u16" : "u64") as ScalarKind;
  const of = (x: MachineExpr): MachineExpr => reinterpretation(bits, kind, x);
  return operation("bool", bits, "eq", [of(a), of(b)]);
}

const atomicRead = { op: "load", operands: [] } as const;

/** `InterlockedOr(x, 0, old)` is how a language without atomic loads says one: nobody can tell that it writes what is there. */
function readsOnly({ op, operands: [by, ...more] }: ReturnType<typeof atomicForm>): boolean {
  const keeps = op === "or" || op === "xor" || op === "add" || op === "sub";
  return (
    keeps &&
    more.length === 0 &&
    by?.kind === "constant" &&
    by.scalar !== "index" &&
    isInteger(by.scalar) &&
    Number(by.value) === 0
  );
}

function atomicForm(
  name: string,
  values: readonly MachineExpr[],
  one: MachineExpr,
  span: Span,
): { op: Atomic["op"]; operands: readonly MachineExpr[] } {
  switch (name) {
    case "inc":
      return { op: "add", operands: [one] };
    case "dec":
      return { op: "sub", operands: [one] };
    case "compare_exchange":
    case "compare_exchange_strong":
    case "compare_exchange_weak":
      return { op: "compare_exchange", operands: values };
    case "load":
    case "store":
    case "exchange":
    case "add":
    case "sub":
    case "min":
    case "max":
    case "and":
    case "or":
    case "xor":
      return { op: name, operands: values };
    default:
      throw new CannotRun(`the atomic operation ${name} cannot be run`, span);
  }
}

// ------------------------------------------------------------------ routines of one lane

function lowerRoutine(cx: BoundaryLowering, e: OpCall, routine: string, inPlaces: Marking): readonly MachineExpr[] {
  switch (routine) {
    case "modf": {
      const kept = held(cx, e);
      writeOut(
        cx,
        e,
        0,
        kept.map((v) => operation(v.scalar, v.scalar, "trunc", [v])),
      );
      return kept.map((v) => operation(v.scalar, v.scalar, "modf_fraction", [v]));
    }
    case "split_double": {
      const [words] = lowerOperands(cx, [bitcast(e.arguments[0]!, vector("u32", 2), e.span)]) as [
        readonly MachineExpr[],
      ];
      const kept = words.map((v) => cx.stable(v, e.span));
      kept.forEach((word, i) => writeOut(cx, e, i, [word]));
      return [];
    }
    case "fract_out":
      return fractionAndFloor(cx, e);
    case "sincos":
    case "sincos_out":
      return sineAndCosine(cx, e, routine === "sincos_out");
    case "carry":
      return withCarry(cx, e, e.op === "bits.add_carry");
    case "mul_extended": {
      const [x, y] = pairs(cx, e);
      const highs = x.map((v, i) => cx.stable(operation(v.scalar, v.scalar, "mulhi", [v, y[i]!]), e.span));
      const lows = x.map((v, i) => cx.stable(operation(v.scalar, v.scalar, "mul", [v, y[i]!]), e.span));
      writeOut(cx, e, 0, highs);
      writeOut(cx, e, 1, lows);
      return [];
    }
    case "remquo": {
      const [x, y] = pairs(cx, e);
      const quotients = x.map((v, i) => operation("i32", v.scalar, "remquo_bits", [v, y[i]!]));
      writeOut(cx, e, 0, quotients);
      return x.map((v, i) => operation(v.scalar, v.scalar, "remainder", [v, y[i]!]));
    }
    case "lgamma_r": {
      const kept = held(cx, e);
      const signs = kept.map((v) => operation("i32", v.scalar, "gamma_sign", [v]));
      writeOut(cx, e, 0, signs);
      return kept.map((v) => operation(v.scalar, v.scalar, "lgamma", [v]));
    }
    case "frexp":
    case "frexp_float": {
      const kept = held(cx, e);
      const exponents = kept.map((v) => operation("i32", v.scalar, "frexp_exponent", [v]));
      const target = scalarOf(e.places[0]!.type) ?? "i32";
      writeOut(cx, e, 0, inPlaces(exponents.map((v) => convertScalar(cx, v, target, e.span))));
      return kept.map((v) => operation(v.scalar, v.scalar, "frexp_fraction", [v]));
    }
    case "convert": {
      const [x] = lowerOperands(cx, e.arguments) as [readonly MachineExpr[]];
      const to = scalarOf(e.type)!;
      const { rounding, saturates = false } = row(e.op);
      return x.map((v) =>
        rounding === undefined && !saturates
          ? convertScalar(cx, v, to, e.span)
          : conversion(to, v.scalar, v, { mode: { rounding, saturates }, site: cx.site(e.span, "conversion") }),
      );
    }
    case "f32tof16":
      return lowerOperands(cx, e.arguments)[0]!.map((v) => halfBits(v));
    case "f16tof32":
      return lowerOperands(cx, e.arguments)[0]!.map((v) => halfValue(v));
    case "pack_half2x16": {
      const [x] = lowerOperands(cx, e.arguments) as [readonly MachineExpr[]];
      const high = operation("u32", "u32", "shl", [halfBits(x[1]!), u32(16)]);
      return [operation("u32", "u32", "or", [halfBits(x[0]!), high])];
    }
    case "unpack_half2x16": {
      const word = cx.stable(lowerOperands(cx, e.arguments)[0]![0]!, e.span);
      return [halfValue(word), halfValue(operation("u32", "u32", "shr", [word, u32(16)]))];
    }
    case "async_copy":
      return lowerAsyncCopy(cx, e);
    case "wait_events":
      lowerWait(cx, e);
      return [];
    case "prefetch":
      // A hint: its operands are evaluated, and its place is found.
      if (!e.places.every(placeIsPure)) e.places.forEach((p) => pinPlace(cx, lowerPlace(cx, p), e.span));
      lowerOperands(cx, e.arguments).forEach((values) => values.forEach((x) => cx.stable(x, e.span)));
      return [];
    case "vload":
    case "vload_half":
      return vectorLoad(cx, e, routine === "vload_half");
    case "vstore":
    case "vstore_half":
      vectorStore(cx, e, routine === "vstore_half");
      return [];
    default:
      throw new CannotRun(`${e.op} cannot be run`, e.span);
  }
}

/** The one operand of an op, held so that it can be used more than once. */
function held(cx: BoundaryLowering, e: OpCall): readonly MachineExpr[] {
  const [x] = lowerOperands(cx, e.arguments) as [readonly MachineExpr[]];
  return x.map((v) => cx.stable(v, e.span));
}

const eachBy = (cx: BoundaryLowering, list: readonly MachineExpr[], op: string, span: Span): readonly MachineExpr[] =>
  list.map((v) => cx.stable(operation(v.scalar, v.scalar, op, [v]), span));

function sineAndCosine(cx: BoundaryLowering, e: OpCall, bothOut: boolean): readonly MachineExpr[] {
  const x = held(cx, e);
  const [sine, cosine] = [eachBy(cx, x, "sin", e.span), eachBy(cx, x, "cos", e.span)];
  if (bothOut) writeOut(cx, e, 0, sine);
  writeOut(cx, e, bothOut ? 1 : 0, cosine);
  return bothOut ? [] : sine;
}

function fractionAndFloor(cx: BoundaryLowering, e: OpCall): readonly MachineExpr[] {
  const x = held(cx, e);
  // x - floor(x) of an infinity would be a NaN, and of -0 be 0: the fraction of modf has the sign of x.
  const result = x.map((v) => {
    const signed = operation(v.scalar, v.scalar, "modf_fraction", [v]);
    const zero = operation("bool", v.scalar, "eq", [v, constant(v.scalar, 0)]);
    const whole: MachineExpr = {
      kind: "choose",
      scalar: v.scalar,
      condition: operation("bool", v.scalar, "isinf", [v]),
      whenTrue: signed,
      whenFalse: operation(v.scalar, v.scalar, "fract", [v]),
    };
    return cx.stable({ kind: "choose", scalar: v.scalar, condition: zero, whenTrue: v, whenFalse: whole }, e.span);
  });
  writeOut(cx, e, 0, eachBy(cx, x, "floor", e.span));
  return result;
}

/** The wrapped sum or difference; the carry or borrow goes to the place. */
function withCarry(cx: BoundaryLowering, e: OpCall, plus: boolean): readonly MachineExpr[] {
  const [x, y] = pairs(cx, e);
  const sums = x.map((v, i) => cx.stable(operation(v.scalar, v.scalar, plus ? "add" : "sub", [v, y[i]!]), e.span));
  const flags = x.map((v, i) => operation("bool", "u32", "lt", plus ? [sums[i]!, v] : [v, y[i]!]));
  writeOut(
    cx,
    e,
    0,
    flags.map((v) => conversion("u32", "bool", v)),
  );
  return sums;
}

/** Both operands of an op, held so that they can be used more than once. */
function pairs(cx: BoundaryLowering, e: OpCall): readonly [readonly MachineExpr[], readonly MachineExpr[]] {
  const [x, y] = lowerOperands(cx, e.arguments) as [readonly MachineExpr[], readonly MachineExpr[]];
  return [x.map((v) => cx.stable(v, e.span)), y.map((v) => cx.stable(v, e.span))];
}

/** f32 to the bits of its f16 in a u32. */
function halfBits(x: MachineExpr): MachineExpr {
  const half = conversion("f16", "f32", x);
  return conversion("u32", "u16", reinterpretation("u16", "f16", half));
}

function halfValue(word: MachineExpr): MachineExpr {
  const half = reinterpretation("f16", "u16", conversion("u16", "u32", word));
  return conversion("f32", "f16", half);
}

function writeOut(cx: BoundaryLowering, e: OpCall, at: number, values: readonly MachineExpr[]): void {
  const target = e.places[at];
  if (!target) throw new Error(`broken tree: ${e.op} without an out place`);
  const kept = values.map((v) => cx.stable(v, e.span));
  const place = lowerPlace(cx, target);
  writePlace(cx, place, kept, e.span);
}

/** Where a vload or vstore goes: `pointer + offset * n` elements (aligned forms of three: `offset * 4`). */
function vectorPlace(
  cx: BoundaryLowering,
  e: OpCall,
  place: MemoryPlace,
  offset: MachineExpr,
  count: number,
): MemoryPlace {
  const scalar = scalarOf(place.type)!;
  const size = scalarSize(scalar, place.rule);
  const step = rows.get(e.op)?.vector?.aligned && count === 3 ? 4 : count;
  const index = toIndex(offset);
  if (index.kind === "constant") return { ...place, offset: place.offset + Number(index.value) * step * size };
  const moved = { value: index, stride: step * size };
  // What leads back does so from where the pointer points.
  const back = offset.scalar === "u32" ? {} : { viewed: true as const };
  return { ...place, ...back, terms: [...place.terms, moved] };
}

function vectorLoad(cx: BoundaryLowering, e: OpCall, half: boolean): readonly MachineExpr[] {
  const { place, values } = placeAndOperands(cx, e);
  const count = componentCount(e.type)!;
  const scalar: ScalarKind = half ? "f16" : scalarOf(e.type)!;
  const size = scalarSize(scalar, place.rule);
  const target = vectorPlace(cx, e, place, values.at(-1)![0]!, count);
  const base = checkedAddress(cx, target, size * count, "read", e.span, count > 1);
  const site = readSite(cx, base, e.span);
  return Array.from({ length: count }, (_, i) => {
    const value = loadScalar(cx, scalar, { ...base, offset: base.offset + i * size }, place.rule, e.span, site);
    return half ? convertScalar(cx, value, scalarOf(e.type)!, e.span) : value;
  });
}

function vectorStore(cx: BoundaryLowering, e: OpCall, half: boolean): void {
  const { place, values } = placeAndOperands(cx, e);
  // Operands value, offset.
  const [data, [offset]] = values as [readonly MachineExpr[], readonly [MachineExpr]];
  const count = data.length;
  const scalar: ScalarKind = half ? "f16" : (data[0]!.scalar as ScalarKind);
  const size = scalarSize(scalar, place.rule);
  const target = vectorPlace(cx, e, place, offset, count);
  const { rounding } = row(e.op);
  const mode = rounding === undefined || rounding === "rte" ? undefined : { rounding, saturates: false };
  const kept = data.map((x) => {
    const value = half ? conversion("f16", x.scalar, x, { mode }) : x;
    return count > 1 ? cx.stable(value, e.span) : value;
  });
  const base = checkedAddress(cx, target, size * count, "write", e.span, count > 1);
  kept.forEach((x, i) => storeScalar(cx, scalar, { ...base, offset: base.offset + i * size }, x, place.rule, e.span));
}
