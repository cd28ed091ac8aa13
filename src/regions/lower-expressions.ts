/** Expressions as lists of scalar machine expressions, in component order; what has effects is emitted as statements. */
import { isSigned } from "../ast/builders.js";
import { showObjects } from "../ast/lookup.js";
import { idBounds } from "../ops/ids.js";
import { typeIn } from "../dialects/show-type.js";
import type { Assign, Binary, BinaryOperator, Expr, Increment, Objects, Print, Unary } from "../ast/nodes.js";
import { languageFacts } from "../dialects/languages.js";
import { assertNever } from "../support/assert-never.js";
import type { Span } from "../support/span.js";
import {
  bitWidth,
  isFloat,
  isInteger,
  scalarOf,
  showType,
  type MatrixType,
  type ScalarKind,
  type Type,
} from "../types/types.js";
import {
  CannotRun,
  disturbedBy,
  effectsOf,
  mostListed,
  type BoundaryLowering,
  type LoweredPlace,
} from "./boundary-lowering.js";
import { alongWay, conditionOf, noteLogical } from "./cover-ways.js";
import { assignLarge, constantMemory, constantValues } from "./large-arrays.js";
import { lowerCall } from "./lower-calls.js";
import {
  comparePointers,
  elementOf,
  lowerPlace,
  lowerPointer,
  pinPlace,
  undisturbed,
  readPlace,
  strideIn,
  withinDimension,
  writePlace,
  checkedAddress,
} from "./lower-places.js";
import { loadScalar, storeScalar } from "./memory-scalars.js";
import { lowerOp } from "./lower-ops.js";
import {
  childrenOf,
  constant,
  constantOf,
  isBig,
  local,
  operation,
  zeroOf,
  conversion,
  reinterpretation,
  someExpr,
  withParts,
} from "./machine.js";
import { isWritten } from "./straight-runs.js";
import { matters } from "./unused.js";
import { countedSize, type LocalId, type MachineExpr, type MachineScalar, type SiteId } from "./tree.js";

/** The scalars of a value. Where `wanted` is false the expression is evaluated for its effects only. */
export const lowerExpr = (cx: BoundaryLowering, e: Expr, wanted = true): readonly MachineExpr[] =>
  e.within && wanted && cx.checks.indices ? [lowerWithin(cx, e, e.within)] : lowerAny(cx, e, wanted);

function lowerAny(cx: BoundaryLowering, e: Expr, wanted: boolean): readonly MachineExpr[] {
  switch (e.kind) {
    case "literal":
      return [constantOf(e.type.scalar, e.value)];
    case "enumerator":
      return [constantOf(scalarOf(e.type) ?? "i32", e.value)];
    case "builtin":
      return e.type.kind === "vector"
        ? ([0, 1, 2] as const).map((component) => ({ kind: "builtin", scalar: "u32", builtin: e.builtin, component }))
        : [{ kind: "builtin", scalar: "u32", builtin: e.builtin, component: 0 }];
    case "load":
      if (e.type.kind === "pointer") throw new CannotRun("a pointer cannot be a value here", e.span);
      return readPlace(cx, lowerPlace(cx, e.place), e.span);
    case "length": {
      const place = lowerPlace(cx, e.place);
      if (place.kind !== "memory" || typeof place.object !== "number" || place.terms.length > 0)
        throw new CannotRun("the length of this array cannot be asked for here", e.span);
      return [
        { kind: "length", scalar: "u32", object: place.object, offset: place.offset, stride: strideIn(cx, place) },
      ];
    }
    case "unary":
      return lowerExpr(cx, e.operand, wanted).map((x) => atLeast16(cx, unaryOp(cx, e, x), e));
    case "binary":
      return e.relies === "minimum"
        ? lowerBinary(cx, { ...e, relies: undefined }).map((x) => atLeast16(cx, x, e))
        : lowerBinary(cx, e);
    case "logical":
      return [lowerLogical(cx, e.operator, e.left, e.right, e.span)];
    case "conditional":
      return lowerConditional(cx, e, wanted);
    case "convert": {
      if (e.type.kind === "pointer" || e.operand.type.kind === "pointer")
        throw new CannotRun("a pointer conversion cannot be run here", e.span);
      const to = scalarOf(e.type);
      if (e.type.kind === "void") return lowerExpr(cx, e.operand, false);
      const operands = lowerExpr(cx, e.operand, wanted);
      if (to === undefined) return operands;
      if (e.relies === "minimum") return operands.map((x) => atLeast16(cx, convertScalar(cx, x, to, e.span), e));
      return operands.map((x) => convertScalar(cx, x, to, e.span, e.relies));
    }
    case "bitcast":
      return bitcastTo(cx, lowerExpr(cx, e.operand), e.type, e.span);
    case "splat": {
      const one = lowerOne(cx, e.operand);
      const count = cx.countLeaves(e.type, e.span);
      const kept = count > 1 ? cx.stable(one, e.span) : one;
      return Array<MachineExpr>(count).fill(kept);
    }
    case "construct":
      return lowerConstruct(cx, e.arguments, e.type, e.span);
    case "swizzle-value": {
      if (e.operand.kind === "builtin") {
        const { builtin } = e.operand;
        return e.components.map((c) => ({ kind: "builtin", scalar: "u32", builtin, component: c as 0 | 1 | 2 }));
      }
      const all = pinned(cx, lowerExpr(cx, e.operand), e.span, hasDuplicates(e.components));
      readToo(cx, all, (_, i) => !e.components.includes(i), e.span);
      return e.components.map((c) => all[c]!);
    }
    case "element-value": {
      const [parts, indexes] = lowerOperands(cx, [e.operand, e.index]);
      const list = parts!.length > mostChosen ? constantValues(parts!) : undefined;
      if (list) {
        const place = constantMemory(cx, { name: "list", type: e.operand.type }, list);
        return readPlace(cx, elementOf(cx, place, indexes![0]!, e.span, true), e.span);
      }
      const place: LoweredPlace = { kind: "values", values: parts!, type: e.operand.type };
      return readPlace(cx, elementOfValue(cx, place, indexes![0]!, e.type, e.span), e.span);
    }
    case "member-value":
      return lowerMemberValue(cx, e);
    case "op":
      return lowerOp(cx, e, wanted);
    case "call":
      return lowerCall(cx, e, wanted);
    case "assign":
      return lowerAssign(cx, e, wanted);
    case "increment":
      return lowerIncrement(cx, e, wanted);
    case "print":
      return lowerPrint(cx, e);
    case "comma":
      lowerForEffect(cx, e.left);
      return lowerExpr(cx, e.right, wanted);
    case "null-pointer":
    case "address-of":
    case "pointer-offset":
      throw new CannotRun("a pointer cannot be a value here", e.span);
    default:
      return assertNever(e);
  }
}

function lowerMemberValue(cx: BoundaryLowering, e: Expr & { kind: "member-value" }): readonly MachineExpr[] {
  const parts = lowerExpr(cx, e.operand);
  if (e.operand.type.kind !== "struct") throw new Error("broken tree: member of no struct");
  let from = 0;
  for (const m of cx.members(e.operand.type)) {
    if (m.name === e.member) break;
    from += cx.countLeaves(m.type, e.span);
  }
  const to = from + cx.countLeaves(e.type, e.span);
  readToo(cx, parts, (_, i) => i < from || i >= to, e.span);
  return parts.slice(from, to);
}

/** Arguments beyond those of the format are evaluated only. */
function lowerPrint(cx: BoundaryLowering, e: Print): readonly MachineExpr[] {
  const values = lowerOperands(cx, e.arguments);
  const taken = e.format.filter((p) => typeof p !== "string").length;
  cx.emit({ kind: "print", format: cx.format(e), arguments: values.slice(0, taken).flat(), span: e.span });
  return [];
}

export function lowerOne(cx: BoundaryLowering, e: Expr): MachineExpr {
  const [one, more] = lowerExpr(cx, e);
  if (!one || more) throw new Error(`broken tree: ${showType(e.type)} where a scalar is needed`);
  return one;
}

/** Evaluated for its effects: pointer expressions too. */
export function lowerForEffect(cx: BoundaryLowering, e: Expr): void {
  const values = e.type.kind === "pointer" ? lowerPointer(cx, e).terms.map((t) => t.value) : lowerExpr(cx, e, false);
  // What nobody wants has been read all the same: out of bounds, or while others write it (unused.ts).
  for (const value of values) {
    const read = onlyRead(value);
    if (someExpr(read, (x) => x.kind === "load") || matters(read)) cx.temporary(read, e.span);
  }
}

/** Who looks for races sees what was read of a value of which a part is taken. */
function readToo(
  cx: BoundaryLowering,
  values: readonly MachineExpr[],
  left: (x: MachineExpr, i: number) => boolean,
  span: Span,
): void {
  if (!cx.checks.fences) return;
  for (const value of values.filter(left))
    if (someExpr(value, (x) => x.kind === "load")) cx.temporary(onlyRead(value), span);
}

/** What becomes of what is read is no finding: of `modf(x, n)` with an endless `x` the part that is taken is defined. */
const onlyRead = (e: MachineExpr): MachineExpr => {
  if (e.kind === "load" || e.kind === "checked") return e;
  const inside = withParts(e, onlyRead);
  if (inside.kind !== "operation" && inside.kind !== "conversion") return inside;
  const { site: _, ...rest } = inside;
  return rest;
};

/** Operands left to right: an earlier one that a later one's effects would change is pinned before them. */
export function lowerOperands(cx: BoundaryLowering, list: readonly Expr[]): (readonly MachineExpr[])[] {
  const earlier = new EarlierValues(cx);
  for (const e of list) {
    const mark = cx.out.length;
    const value = lowerExpr(cx, e);
    earlier.pin(mark, e.span);
    earlier.push(value);
  }
  return earlier.values;
}

/**
 * Values computed so far. One that later code would change is pinned before that code, and found by what it depends on: a list
 * may have many values, and code after each of them.
 */
export class EarlierValues {
  readonly values: (readonly MachineExpr[])[] = [];
  /** The values that depend on a local, or on memory. */
  private readonly readers = new Map<LocalId | "memory", Set<number>>();
  /** So many of the values are in `readers`: where no code follows, none is looked through. */
  private noted = 0;

  constructor(private readonly cx: BoundaryLowering) {}

  push(value: readonly MachineExpr[]): void {
    this.values.push(value);
  }

  /** Before what was emitted after `mark`, where that changes them. */
  pin(mark: number, span: Span): void {
    const { cx, values } = this;
    // Of the first value there is nothing earlier, and it may have made much.
    if (values.length === 0 || cx.out.length === mark) return;
    for (; this.noted < values.length; this.noted++) for (const x of values[this.noted]!) this.note(x, this.noted);
    const effects = effectsOf(cx.out.slice(mark));
    const changed = new Set<number>();
    for (const by of effects.memory ? [...effects.locals, "memory" as const] : effects.locals) {
      this.readers.get(by)?.forEach((i) => changed.add(i));
      this.readers.delete(by);
    }
    if (changed.size === 0) return;
    const tail = cx.out.splice(mark);
    for (const i of [...changed].sort((a, b) => a - b))
      values[i] = values[i]!.map((x) => (disturbedBy(x, effects) ? cx.temporary(x, span) : x));
    for (const c of tail) cx.out.push(c);
  }

  private note(e: MachineExpr, at: number): void {
    if (e.kind === "local") this.noteUnder(e.local, at);
    if (e.kind === "load" || e.kind === "call") this.noteUnder("memory", at);
    for (const c of childrenOf(e)) this.note(c, at);
  }

  private noteUnder(key: LocalId | "memory", at: number): void {
    const known = this.readers.get(key);
    if (known) known.add(at);
    else this.readers.set(key, new Set([at]));
  }
}

const hasDuplicates = (list: readonly number[]): boolean => new Set(list).size !== list.length;

function pinned(
  cx: BoundaryLowering,
  values: readonly MachineExpr[],
  span: Span,
  need: boolean,
): readonly MachineExpr[] {
  return need ? values.map((v) => (isSimple(v) ? v : cx.stable(v, span))) : values;
}

/** Cheap enough to be evaluated twice. */
export const isSimple = (e: MachineExpr): boolean =>
  e.kind === "constant" || e.kind === "local" || e.kind === "builtin";

/** Scalars of a value of which one is chosen by comparing the index with each. */
const mostChosen = 256;

function elementOfValue(
  cx: BoundaryLowering,
  base: LoweredPlace & { kind: "values" },
  index: MachineExpr,
  type: Type,
  span: Span,
): LoweredPlace {
  const width = cx.countLeaves(type, span);
  const count = base.values.length / width;
  const part = (i: number): LoweredPlace => ({
    kind: "values",
    values: base.values.slice(i * width, (i + 1) * width),
    type,
  });
  if (index.kind === "constant") {
    const at = Number(index.value);
    if (at < 0 || at >= count)
      throw new CannotRun(`index ${at} is out of range for ${typeIn(cx.module.dialect, base.type)}`, span);
    return part(at);
  }
  const within = withinDimension(cx, index, count, span);
  const values = base.values.map((v) => (isSimple(v) ? v : cx.stable(v, span)));
  const kept: LoweredPlace = { ...base, values };
  const again = (i: number): LoweredPlace => ({
    kind: "values",
    values: kept.values.slice(i * width, (i + 1) * width),
    type,
  });
  return {
    kind: "chosen",
    index: cx.stable(within, span),
    type,
    alternatives: Array.from({ length: count }, (_, i) => again(i)),
  };
}

// ------------------------------------------------------------------ operators

function unaryOp(cx: BoundaryLowering, e: Unary, x: MachineExpr): MachineExpr {
  const { operator } = e;
  switch (operator) {
    case "plus":
      return x;
    case "negate":
      if (e.relies && e.relies !== "minimum")
        return binaryOp(cx, "sub", zeroOf(x.scalar as ScalarKind), x, e.span, e.relies);
      return operation(x.scalar, x.scalar, "neg", [x]);
    case "not":
      return operation("bool", "bool", "not", [x]);
    case "complement":
      return operation(x.scalar, x.scalar, "not", [x]);
    default:
      return assertNever(operator);
  }
}

/** A value that is relied on to fit the 16 bits that its type in the source may have. */
const atLeast16 = (cx: BoundaryLowering, x: MachineExpr, { relies, span }: Expr): MachineExpr =>
  relies === "minimum" ? operation(x.scalar, x.scalar, "minimum", [x], cx.site(span, "minimum")) : x;

/** What the operator itself relies on. */
const reliesOf = (e: Expr): Expr["relies"] => (e.relies === "minimum" ? undefined : e.relies);

const siteOf = (relies: Expr["relies"]): string =>
  relies === "edges"
    ? "overflow"
    : relies === "shift"
      ? "shift"
      : relies === "index"
        ? countedSize
        : relies === "offset"
          ? "element"
          : "size";

const comparisons = new Set<BinaryOperator>(["eq", "ne", "lt", "le", "gt", "ge"]);

/** One scalar operation. Shift counts come as any integer kind and are taken modulo the width. */
function binaryOp(
  cx: BoundaryLowering,
  operator: BinaryOperator,
  x: MachineExpr,
  y: MachineExpr,
  span: Span,
  relies?: Expr["relies"],
  signed = false,
): MachineExpr {
  const kind = x.scalar as ScalarKind;
  const size = (): SiteId => cx.site(span, siteOf(relies));
  if (relies === "block") return operation("bool", kind, "last_but_one", [x, y], cx.site(span, "block"));
  if (comparisons.has(operator)) return operation("bool", kind, operator, [x, y]);
  if (operator === "shl" || operator === "shr") {
    const plain = y.scalar === kind ? y : conversion(kind, y.scalar, y);
    if (relies === "edges" || relies === "shift") return operation(kind, kind, `${operator}_edges`, [x, plain], size());
    const count =
      relies && relies !== "index" && y.kind !== "constant"
        ? operation(kind, kind, "shift_count", [plain], size())
        : plain;
    return operation(
      kind,
      kind,
      operator,
      [x, count],
      operator === "shl" && (relies === "value" || relies === "index") ? size() : undefined,
    );
  }
  if (relies === "offset" && kind === "u32" && !cx.checks.assumedInBounds) {
    const by = movesBy(cx, operator, y, span, signed);
    if (by)
      return reinterpretation(
        kind,
        "i32",
        operation("i32", "i32", operator, [reinterpretation("i32", kind, x), by], size()),
      );
  }
  if (relies && (operator === "add" || operator === "sub" || operator === "mul"))
    return operation(kind, kind, operator, [x, y], size());
  const division = (operator === "div" || operator === "rem") && isInteger(kind);
  return division ? divided(cx, operator, kind, x, y, span) : operation(kind, kind, operator, [x, y]);
}

/**
 * What an offset is moved by that may lie before its object, which is a signed number then: one that is signed, or an unsigned one, by which the
 * sum is looked at as a whole.
 */
function movesBy(
  cx: BoundaryLowering,
  operator: BinaryOperator,
  y: MachineExpr,
  span: Span,
  signed: boolean,
): MachineExpr | undefined {
  if (signed && y.kind === "constant") return constant("i32", Number(y.value) | 0);
  if ((y.kind === "conversion" || y.kind === "reinterpretation") && ["i8", "i16", "i32"].includes(y.from)) {
    const { operand } = y;
    const isCounted = operand.kind === "conversion" && operand.from === "u32" && operand.site !== undefined;
    return isCounted ? operand.operand : convertScalar(cx, operand, "i32", span);
  }
  return operator === "sub" ? y : undefined;
}

/** Integers, with what the dialect says of a divisor that is zero, of the least number by -1, and of negative remainders. */
function divided(
  cx: BoundaryLowering,
  operator: "div" | "rem",
  kind: ScalarKind,
  x: MachineExpr,
  y: MachineExpr,
  span: Span,
): MachineExpr {
  const facts = languageFacts[cx.module.dialect].arithmetic;
  const signed = kind[0] === "i";
  const known = y.kind === "constant" ? Number(y.value) : undefined;
  if (signed && operator === "rem" && facts.negativeRemainder === "undefined") {
    return operation(kind, kind, "rem_of_positive", [x, y], cx.site(span, "division"));
  }
  if (known !== undefined && known !== 0 && !(signed && known === -1)) return operation(kind, kind, operator, [x, y]);
  if (kind === "u32" && facts.unsignedDivisionByZero === "ones") {
    if (y.kind === "builtin" && (idBounds[y.builtin]?.low ?? 0n) > 0n) return operation(kind, "u32", operator, [x, y]);
    const [a, b] = [x, y].map((v) => (isSimple(v) ? v : cx.stable(v, span))) as [MachineExpr, MachineExpr];
    const zero = operation("bool", "u32", "eq", [b, constant("u32", 0)]);
    return {
      kind: "choose",
      scalar: kind,
      condition: zero,
      whenTrue: constant("u32", 0xffffffff),
      whenFalse: operation(kind, "u32", operator, [a, b]),
    };
  }
  return operation(kind, kind, operator, [x, y], cx.site(span, "division"));
}

/** An index among objects in one array, with a finding where it leads out of the one it is about. */
function lowerWithin(cx: BoundaryLowering, e: Expr, within: Objects): MachineExpr {
  const site = cx.site(e.span, `objects ${showObjects(within)}`);
  if (e.kind !== "binary" || !within.moved) {
    const index = lowerOne(cx, { ...e, within: undefined });
    return operation(index.scalar, index.scalar, "within_object", [index], site);
  }
  const [[from], [by]] = lowerOperands(cx, [e.left, e.right]) as [[MachineExpr], [MachineExpr]];
  const kept = cx.stable(from, e.span);
  const to = binaryOp(cx, e.operator, kept, by, e.span, e.relies, isSigned(e.right));
  return operation(to.scalar, to.scalar, "moved_within", [kept, to], site);
}

function lowerBinary(cx: BoundaryLowering, { operator, left, right, span, relies }: Binary): readonly MachineExpr[] {
  if (left.type.kind === "pointer") return [comparePointers(cx, operator, left, right, span)];
  const [a, b] = lowerOperands(cx, [left, right]) as [readonly MachineExpr[], readonly MachineExpr[]];
  if (operator === "mul" && (left.type.kind === "matrix" || right.type.kind === "matrix")) {
    return matrixProduct(cx, a, left.type, b, right.type, span);
  }
  return a.map((x, i) => binaryOp(cx, operator, x, b[b.length === 1 ? 0 : i]!, span, relies, isSigned(right)));
}

function matrixProduct(
  cx: BoundaryLowering,
  a: readonly MachineExpr[],
  left: Type,
  b: readonly MachineExpr[],
  right: Type,
  span: Span,
): MachineExpr[] {
  const kind = (scalarOf(left) ?? scalarOf(right))!;
  const p = a.map((x) => (isSimple(x) ? x : cx.stable(x, span)));
  const q = b.map((x) => (isSimple(x) ? x : cx.stable(x, span)));
  const mul = (x: MachineExpr, y: MachineExpr): MachineExpr => operation(kind, kind, "mul", [x, y]);
  const sum = (terms: MachineExpr[]): MachineExpr => terms.reduce((x, y) => operation(kind, kind, "add", [x, y]));
  if (left.kind === "scalar") return q.map((y) => mul(p[0]!, y));
  if (right.kind === "scalar") return p.map((x) => mul(x, q[0]!));
  if (left.kind === "matrix" && right.kind === "vector") {
    return range(left.rows).map((r) => sum(range(left.columns).map((c) => mul(p[c * left.rows + r]!, q[c]!))));
  }
  if (left.kind === "vector" && right.kind === "matrix") {
    return range(right.columns).map((c) => sum(range(right.rows).map((r) => mul(p[r]!, q[c * right.rows + r]!))));
  }
  const l = left as MatrixType;
  const m = right as MatrixType;
  return range(m.columns).flatMap((c) =>
    range(l.rows).map((r) => sum(range(l.columns).map((k) => mul(p[k * l.rows + r]!, q[c * m.rows + k]!)))),
  );
}

const range = (n: number): number[] => Array.from({ length: n }, (_, i) => i);

function lowerLogical(cx: BoundaryLowering, operator: "and" | "or", left: Expr, right: Expr, span: Span): MachineExpr {
  const a = lowerOne(cx, left);
  if (cx.checks.coverage && isWritten(left.span) && a.kind !== "constant")
    return noteLogical(cx, operator, conditionOf(cx, left, left, a), () => lowerOne(cx, right));
  const { code, value: b } = cx.collect(() => lowerOne(cx, right));
  if (code.length === 0) return { kind: "lazy", scalar: "bool", operator, left: a, right: b };
  const result = cx.newLocal("t", "bool", false);
  cx.emit({ kind: "declare", local: result, value: a, span });
  const read = local(result, "bool");
  const condition = operator === "and" ? read : operation("bool", "bool", "not", [read]);
  cx.emit({ kind: "if", condition, then: [...code, { kind: "set", local: result, value: b, span }], else: [], span });
  return read;
}

function lowerConditional(
  cx: BoundaryLowering,
  e: Expr & { kind: "conditional" },
  wanted: boolean,
): readonly MachineExpr[] {
  if (e.type.kind === "pointer") throw new CannotRun("a pointer cannot be a value here", e.span);
  const given = conditionOf(cx, e, e.condition, lowerOne(cx, e.condition));
  const condition = given.value;
  if (cx.checks.coverage && condition.kind === "constant")
    return lowerExpr(cx, condition.value ? e.whenTrue : e.whenFalse, wanted);
  const side = (chosen: Expr): readonly MachineExpr[] => {
    if (wanted) return lowerExpr(cx, chosen);
    lowerForEffect(cx, chosen);
    return [];
  };
  const a = cx.collect(() => alongWay(cx, given, true, () => side(e.whenTrue), true));
  const b = cx.collect(() => alongWay(cx, given, false, () => side(e.whenFalse), true));
  if (a.code.length === 0 && b.code.length === 0) {
    const many = a.value.length > 1;
    const chosen = many && !isSimple(condition) ? cx.temporary(condition, e.span) : condition;
    return a.value.map((x, i) => ({
      kind: "choose",
      scalar: x.scalar,
      condition: chosen,
      whenTrue: x,
      whenFalse: b.value[i]!,
    }));
  }
  const results = wanted ? a.value.map((x) => cx.newLocal("t", x.scalar, false)) : [];
  results.forEach((l, i) =>
    cx.emit({ kind: "declare", local: l, value: zeroOf(a.value[i]!.scalar as ScalarKind), span: e.span }),
  );
  const arm = (side: typeof a) => [
    ...side.code,
    ...results.map((l, i) => ({ kind: "set", local: l, value: side.value[i]!, span: e.span }) as const),
  ];
  cx.emit({ kind: "if", condition, then: arm(a), else: arm(b), span: e.span });
  return results.map((l, i) => local(l, a.value[i]!.scalar));
}

function lowerConstruct(cx: BoundaryLowering, args: readonly Expr[], type: Type, span: Span): readonly MachineExpr[] {
  const parts = lowerOperands(cx, args).flat();
  const count = cx.countLeaves(type, span, mostListed);
  if (parts.length !== count) throw new Error(`broken tree: ${showType(type)} of ${parts.length} scalars`);
  return parts;
}

// ------------------------------------------------------------------ conversions

export function convertScalar(
  cx: BoundaryLowering,
  x: MachineExpr,
  to: ScalarKind,
  span: Span,
  relies?: Expr["relies"],
): MachineExpr {
  const from = x.scalar as ScalarKind;
  // That an unsigned number counts elements: it does as a signed one.
  if (from === to && relies === "offset")
    return reinterpretation("u32", "i32", convertScalar(cx, x, "i32", span, relies));
  if (from === to) return x;
  // A sum that counts elements is looked at once, by the smaller of both kinds.
  const isSum = x.kind === "operation" && x.op === "add" && x.on === "u32" && x.site !== undefined;
  if (relies === "offset" && to === "i32" && isSum) return operation(to, to, x.op, x.arguments, x.site);
  const mayFail = (isFloat(from) && isInteger(to)) || relies !== undefined;
  // What an index of 64 bits has beyond those that count elements is a place beyond any object.
  const element = relies === "offset" || (isBig(from) && isInteger(to));
  const what = relies === "index" ? countedSize : element ? "element" : "conversion";
  return conversion(to, from, x, { site: mayFail ? cx.site(span, what) : undefined });
}

const unsignedOf = (kind: ScalarKind): ScalarKind => `u${bitWidth(kind)}` as ScalarKind;

/** The bits of scalars as scalars of the target type, low parts first. */
function bitcastTo(
  cx: BoundaryLowering,
  values: readonly MachineExpr[],
  type: Type,
  span: Span,
): readonly MachineExpr[] {
  const to = scalarOf(type);
  const from = values[0]?.scalar as ScalarKind | undefined;
  if (to === undefined || from === undefined || from === "bool" || to === "bool")
    throw new CannotRun(`a bit cast to ${typeIn(cx.module.dialect, type)} cannot be run`, span);
  const [a, b] = [bitWidth(from), bitWidth(to)];
  if (a === b) return values.map((x) => (from === to ? x : reinterpretation(to, from, x)));
  const wide = unsignedOf(a > b ? from : to);
  const narrow = unsignedOf(a > b ? to : from);
  const ratio = Math.max(a, b) / Math.min(a, b);
  const shiftBy = (i: number): MachineExpr =>
    constant(wide, isBig(wide) ? BigInt(i * Math.min(a, b)) : i * Math.min(a, b));
  const bits = values.map((x) => reinterpretation(unsignedOf(from), from, x));
  if (a > b) {
    return bits.flatMap((x) => {
      const kept = cx.stable(x, span);
      return range(ratio).map((i) => {
        const part = conversion(narrow, wide, operation(wide, wide, "shr", [kept, shiftBy(i)]));
        return to === narrow ? part : reinterpretation(to, narrow, part);
      });
    });
  }
  // A vector of three takes the place of four.
  const count = Math.floor(bits.length / ratio);
  return range(count).map((c) => {
    const word = range(ratio)
      .map((i) => operation(wide, wide, "shl", [conversion(wide, narrow, bits[c * ratio + i]!), shiftBy(i)]))
      .reduce((x, y) => operation(wide, wide, "or", [x, y]));
    return to === wide ? word : reinterpretation(to, wide, word);
  });
}

// ------------------------------------------------------------------ assignment

function lowerAssign(cx: BoundaryLowering, e: Assign, wanted: boolean): readonly MachineExpr[] {
  if (e.target.type.kind === "pointer") {
    lowerPointer(cx, e);
    if (wanted) throw new CannotRun("a pointer cannot be a value here", e.span);
    return [];
  }
  if (!wanted && !e.operator && assignLarge(cx, () => lowerPlace(cx, e.target), e.value, e.span)) return [];
  const found = lowerPlace(cx, e.target);
  const mark = cx.out.length;
  const values = lowerExpr(cx, e.value);
  const target = undisturbed(cx, found, mark, e.span);
  if (e.operator === undefined) return storeInto(cx, target, values, e.span, wanted);
  const operator = e.operator;
  const type = e.target.type;
  return update(cx, target, type, e.span, wanted, (old) => {
    const compute = e.compute ? scalarOf(e.compute) : undefined;
    const left = compute ? old.map((x) => convertScalar(cx, x, compute, e.span)) : old;
    const result =
      operator === "mul" && (type.kind === "matrix" || e.value.type.kind === "matrix")
        ? matrixProduct(cx, left, type, values, e.value.type, e.span)
        : left.map((x, i) => {
            const y = values[values.length === 1 ? 0 : i]!;
            return binaryOp(cx, operator, x, y, e.span, reliesOf(e), isSigned(e.value));
          });
    const kind = scalarOf(type)!;
    return result.map((x) => atLeast16(cx, convertScalar(cx, x, kind, e.span), e));
  });
}

function storeInto(
  cx: BoundaryLowering,
  target: LoweredPlace,
  values: readonly MachineExpr[],
  span: Span,
  wanted: boolean,
): readonly MachineExpr[] {
  const kept = wanted ? values.map((v) => cx.stable(v, span)) : values;
  writePlace(cx, target, kept, span);
  return wanted ? kept : [];
}

/** Reads, computes, writes back; one bounds check serves both. */
function update(
  cx: BoundaryLowering,
  target: LoweredPlace,
  type: Type,
  span: Span,
  wanted: boolean,
  compute: (old: readonly MachineExpr[]) => readonly MachineExpr[],
): readonly MachineExpr[] {
  if (target.kind === "memory" && type.kind === "scalar") {
    const bytes = cx.sizeOf(type);
    const address = checkedAddress(cx, target, bytes, "both", span, true);
    const [value] = compute([loadScalar(cx, type.scalar, address, target.rule, span)]);
    const kept = wanted ? cx.stable(value!, span) : value!;
    storeScalar(cx, type.scalar, address, kept, target.rule, span);
    return wanted ? [kept] : [];
  }
  const pinned = pinPlace(cx, target, span);
  return storeInto(cx, pinned, compute(readPlace(cx, pinned, span)), span, wanted);
}

function lowerIncrement(cx: BoundaryLowering, e: Increment, wanted: boolean): readonly MachineExpr[] {
  if (e.type.kind === "pointer") {
    lowerPointer(cx, e);
    if (wanted) throw new CannotRun("a pointer cannot be a value here", e.span);
    return [];
  }
  const target = lowerPlace(cx, e.place);
  let before: readonly MachineExpr[] = [];
  const after = update(cx, target, e.place.type, e.span, wanted && e.prefix, (old) => {
    before = wanted && !e.prefix ? old.map((x) => cx.temporary(x, e.span)) : old;
    const operator = e.delta === 1 ? "add" : "sub";
    return before.map((x) => atLeast16(cx, binaryOp(cx, operator, x, one(x.scalar), e.span, reliesOf(e)), e));
  });
  return e.prefix ? after : before;
}

const one = (kind: MachineScalar): MachineExpr => constant(kind, isBig(kind) ? 1n : 1);
