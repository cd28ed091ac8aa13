/** Places and pointers: what they refer to, reading and writing them. */
import { largest } from "../support/append.js";
import { typeIn } from "../dialects/show-type.js";
import { isSigned, leadsForward } from "../ast/builders.js";
import type { Expr, Place } from "../ast/nodes.js";
import { bufferLayout, layoutOfResource } from "../dialects/languages.js";
import { assertNever } from "../support/assert-never.js";
import { gcd } from "../support/gcd.js";
import type { Span } from "../support/span.js";
import { arrayStride, layoutOf, leavesOf, scalarSize, type LayoutRule } from "../types/layout.js";
import { sameType, shaped, showType, type ScalarKind, type Type } from "../types/types.js";
import { lowerPointerCall } from "./lower-calls.js";
import { lowerForEffect, lowerOne, lowerOperands } from "./lower-expressions.js";
import {
  CannotRun,
  Again,
  disturbedBy,
  effectsOf,
  type BoundaryLowering,
  type LoweredPlace,
  type MemoryPlace,
  type PointerValue,
  type PointerVariable,
  type Term,
} from "./boundary-lowering.js";
import {
  constant,
  indexAdd,
  indexConstant,
  indexScale,
  local,
  operation,
  reinterpretation,
  toIndex,
} from "./machine.js";
import { loadScalar, readSite, storeScalar, type PlaceAddress } from "./memory-scalars.js";
import type { Checked, MachineExpr } from "./tree.js";

// ------------------------------------------------------------------ places

export function lowerPlace(cx: BoundaryLowering, p: Place): LoweredPlace {
  switch (p.kind) {
    case "variable": {
      const binding = cx.bindings.get(p.variable);
      if (!binding) throw new CannotRun(`${cx.variable(p.variable).name} has no storage here`, p.span);
      if (binding.kind === "pointer-value")
        throw new CannotRun("a pointer parameter cannot be used as a place here", p.span);
      return binding;
    }
    case "deref": {
      const pointer = lowerPointer(cx, p.pointer);
      return pointee(cx, pointer, p.type);
    }
    case "element": {
      const base = lowerPlace(cx, p.base);
      const mark = cx.out.length;
      const raw = base.kind === "memory" ? exactIndex(cx, p.index) : lowerOne(cx, p.index);
      const kept = undisturbed(cx, base, mark, p.span);
      return sameType(p.type, p.base.type)
        ? onlyElement(cx, kept, raw, p.span)
        : elementOf(cx, kept, raw, p.span, p.base.kind === "variable");
    }
    case "member":
      return memberOf(cx, lowerPlace(cx, p.base), p.member, p.span);
    case "swizzle":
      return swizzleOf(lowerPlace(cx, p.base), p.components, p.type);
    case "view":
      return viewOf(cx, p);
    default:
      return assertNever(p);
  }
}

/** Offsets are added without wrapping: what is beyond any object is outside this one. One that is moved may lie before its object. */
function exactIndex(cx: BoundaryLowering, e: Expr): MachineExpr {
  const isSum = e.kind === "binary" && e.operator === "add" && e.relies === "offset" && leadsForward(e.left);
  const moved = isSum && isSigned(e.right);
  const exact = isSum && leadsForward(e.right) && !cx.checks.assumedInBounds;
  if (!exact) return lowerOne(cx, e);
  const by = moved && e.right.kind === "convert" ? e.right.operand : e.right;
  const [a, b] = lowerOperands(cx, [e.left, by]) as [[MachineExpr], [MachineExpr]];
  return indexAdd(toIndex(moved ? asSignedOffset(a[0]) : a[0]), toIndex(b[0]));
}

const asSignedOffset = (x: MachineExpr): MachineExpr => (x.scalar === "u32" ? reinterpretation("i32", "u32", x) : x);

/** What lies so many bytes into an object, as another type; a finding where that is not aligned to its elements. */
function viewOf(cx: BoundaryLowering, p: Place & { readonly kind: "view" }): LoweredPlace {
  const seen = lowerPlace(cx, p.base);
  if (seen.kind !== "memory" || p.type.kind !== "array") throw new CannotRun("a view of what is not in memory", p.span);
  // Also of memory that holds no buffer (ViewPlace).
  const base = seen.rule === cx.rule ? { ...seen, rule: bufferLayout(cx.module.dialect) } : seen;
  const { align } = layoutOf(p.type.element, base.rule, cx.structs);
  const bytes = toIndex(lowerOne(cx, p.offset));
  const { components: _components, ...rest } = base;
  // The members of a packed union.
  const loose = base.offset % align !== 0 || base.terms.some((t) => t.stride % align !== 0);
  const whole = loose ? { ...rest, packed: true as const } : rest;
  if (bytes.kind === "constant" && Number(bytes.value) % align === 0)
    return { ...whole, offset: base.offset + Number(bytes.value), type: p.type, viewed: true };
  const start =
    align === 1
      ? bytes
      : operation("index", "index", "aligned", [bytes, indexConstant(align)], cx.site(p.span, `view ${align}`));
  return { ...whole, terms: [...base.terms, { value: start, stride: align }], type: p.type, viewed: true };
}

/** Pins what a place depends on, as code emitted after `mark` may change it. The pins go before that code. */
export function undisturbed(cx: BoundaryLowering, place: LoweredPlace, mark: number, span: Span): LoweredPlace {
  if (cx.out.length === mark || place.kind !== "memory") return place;
  const effects = effectsOf(cx.out.slice(mark));
  if (!place.terms.some((t) => disturbedBy(t.value, effects))) return place;
  const tail = cx.out.splice(mark);
  const pinned = pinPlace(cx, place, span);
  for (const c of tail) cx.out.push(c);
  return pinned;
}

/** The same place with indexes that later statements cannot change. */
export function pinPlace(cx: BoundaryLowering, place: LoweredPlace, span: Span): LoweredPlace {
  if (place.kind === "memory") return { ...place, ...pinPointer(cx, place, span) };
  if (place.kind === "chosen") return { ...place, index: cx.stable(place.index, span) };
  return place;
}

export function pinPointer(cx: BoundaryLowering, p: PointerValue, span: Span): PointerValue {
  return {
    object: typeof p.object === "number" ? p.object : cx.stable(p.object, span),
    terms: p.terms.map((t) => ({ value: cx.stable(t.value, span), stride: t.stride })),
    offset: p.offset,
  };
}

/** Rule by which an object of memory is laid out. */
export function ruleOf(cx: BoundaryLowering, object: PointerValue["object"]): LayoutRule {
  if (typeof object !== "number") return cx.rule;
  const found = cx.objects[object]!;
  if (found.kind !== "buffer") return found.kind === "constant" ? "structured" : cx.rule;
  const resource = found.variable === undefined ? undefined : cx.resourceOf.get(found.variable);
  return layoutOfResource(cx.module.dialect, resource);
}

export function pointee(cx: BoundaryLowering, p: PointerValue, type: Type): LoweredPlace {
  return { kind: "memory", object: p.object, terms: p.terms, offset: p.offset, type, rule: ruleOf(cx, p.object) };
}

function addTerm(p: PointerValue, value: MachineExpr, stride: number): PointerValue {
  if (value.kind === "constant") return { ...p, offset: p.offset + Number(value.value) * stride };
  return { ...p, terms: [...p.terms, { value, stride }] };
}

/** An index into one dimension, with a finding where it is outside. */
export function withinDimension(cx: BoundaryLowering, index: MachineExpr, count: number, span: Span): MachineExpr {
  if (!cx.checks.indices || (index.kind === "constant" && Number(index.value) >= 0 && Number(index.value) < count))
    return index;
  return operation("index", "index", "within", [toIndex(index), indexConstant(count)], cx.site(span, "index"));
}

/** Whether what is outside this array is outside its memory object. */
function isWhole(cx: BoundaryLowering, base: MemoryPlace, count: number, declared: boolean): boolean {
  if (base.terms.length > 0 || base.offset !== 0 || typeof base.object !== "number") return false;
  const { bytes } = cx.objects[base.object]!;
  return bytes === undefined ? declared : bytes === count * strideIn(cx, base);
}

/** An object as an array of one (C99 6.5.6 (7)): what a pointer that may be null, or past it, points at. */
function onlyElement(cx: BoundaryLowering, base: LoweredPlace, given: MachineExpr, span: Span): LoweredPlace {
  const index = withinDimension(cx, given, 1, span);
  if (index.kind !== "constant") cx.stable(toIndex(index), span);
  return base;
}

/** `declared`: the base is a variable, not a part of one. */
export function elementOf(
  cx: BoundaryLowering,
  base: LoweredPlace,
  given: MachineExpr,
  span: Span,
  declared: boolean,
): LoweredPlace {
  const type = elementTypeOf(base.type);
  const length = base.type.kind === "array" ? base.type.length : elementCount(base.type);
  const known = length === undefined || (base.kind === "memory" && isWhole(cx, base, length, declared));
  const index =
    known || (base.kind !== "memory" && given.kind === "constant") ? given : withinDimension(cx, given, length, span);
  if (base.kind === "memory") {
    if (base.components) {
      if (index.kind === "constant") return swizzleOf(base, [Number(index.value)], type);
      const { components, ...whole } = base;
      const chosen = cx.stable(toIndex(index), span);
      const at = components.reduceRight<MachineExpr>(
        (rest, c, i) =>
          i === components.length - 1
            ? indexConstant(c)
            : {
                kind: "choose",
                scalar: "index",
                condition: equals(chosen, i),
                whenTrue: indexConstant(c),
                whenFalse: rest,
              },
        indexConstant(0),
      );
      return { ...whole, ...addTerm(whole, at, strideIn(cx, base)), type };
    }
    return { ...base, ...addTerm(base, toIndex(index), strideIn(cx, base)), type };
  }
  const count = elementCount(base.type);
  if (index.kind === "constant") {
    const at = Number(index.value);
    if (at < 0 || at >= count)
      throw new CannotRun(`index ${at} is out of range for ${typeIn(cx.module.dialect, base.type)}`, span);
    return pick(cx, base, at, type, span);
  }
  const chosen = cx.stable(index, span);
  return {
    kind: "chosen",
    index: chosen,
    type,
    alternatives: Array.from({ length: count }, (_, i) => pick(cx, base, i, type, span)),
  };
}

/** Bytes between elements of a memory place. */
export function strideIn(cx: BoundaryLowering, base: MemoryPlace): number {
  const t = base.type;
  switch (t.kind) {
    case "array":
      return arrayStride(t.element, base.rule, cx.structs);
    case "vector":
      return scalarSize(t.scalar, base.rule);
    case "matrix":
      return arrayStride(shaped(t.scalar, t.rows), base.rule, cx.structs);
    default:
      throw new Error(`broken tree: element of ${showType(t)}`);
  }
}

function elementTypeOf(t: Type): Type {
  switch (t.kind) {
    case "array":
      return t.element;
    case "vector":
      return { kind: "scalar", scalar: t.scalar };
    case "matrix":
      return shaped(t.scalar, t.rows);
    default:
      throw new Error(`broken tree: element of ${showType(t)}`);
  }
}

const elementCount = (t: Type): number =>
  t.kind === "vector" ? t.size : t.kind === "matrix" ? t.columns : t.kind === "array" ? (t.length ?? 0) : 0;

/** Element `at` of something held in scalars. */
function pick(cx: BoundaryLowering, base: LoweredPlace, at: number, type: Type, span: Span): LoweredPlace {
  const width = cx.countLeaves(type, span);
  return slice(base, at * width, width, type, span);
}

function slice(base: LoweredPlace, from: number, count: number, type: Type, span: Span): LoweredPlace {
  switch (base.kind) {
    case "values":
      return { kind: "values", values: base.values.slice(from, from + count), type };
    case "locals":
      return { kind: "locals", locals: base.locals.slice(from, from + count), type };
    case "chosen":
      return { ...base, type, alternatives: base.alternatives.map((a) => slice(a, from, count, type, span)) };
    case "memory":
    case "pointer":
      throw new CannotRun("this place cannot be taken apart", span);
    default:
      return assertNever(base);
  }
}

function memberOf(cx: BoundaryLowering, base: LoweredPlace, name: string, span: Span): LoweredPlace {
  if (base.type.kind !== "struct") throw new Error(`broken tree: member of ${showType(base.type)}`);
  if (base.kind === "memory") {
    const { type, offset } = cx.memberIn(base.type, name, base.rule);
    const packed = base.packed === true || cx.packed.has(base.type.name);
    return { ...base, offset: base.offset + offset, type, ...(packed ? { packed: true } : {}) };
  }
  const { type, from, count } = cx.memberLeaves(base.type, name, span);
  return slice(base, from, count, type, span);
}

function swizzleOf(base: LoweredPlace, components: readonly number[], type: Type): LoweredPlace {
  switch (base.kind) {
    case "values":
      return { kind: "values", values: components.map((c) => base.values[c]!), type };
    case "locals":
      return { kind: "locals", locals: components.map((c) => base.locals[c]!), type };
    case "chosen":
      return { ...base, type, alternatives: base.alternatives.map((a) => swizzleOf(a, components, type)) };
    case "memory": {
      const picked = base.components ? components.map((c) => base.components![c]!) : components;
      const scalar = (base.type as { scalar: ScalarKind }).scalar;
      if (picked.length === 1) {
        return {
          ...base,
          components: undefined,
          offset: base.offset + picked[0]! * scalarSize(scalar, base.rule),
          type,
        };
      }
      return { ...base, components: picked, type };
    }
    case "pointer":
      throw new Error("broken tree: swizzle of a pointer");
    default:
      return assertNever(base);
  }
}

// ------------------------------------------------------------------ memory access

interface Leaf {
  readonly scalar: ScalarKind;
  readonly offset: number;
}

function memoryLeaves(cx: BoundaryLowering, place: MemoryPlace, span: Span): Leaf[] {
  if (place.components) {
    const scalar = (place.type as { scalar: ScalarKind }).scalar;
    return place.components.map((c) => ({ scalar, offset: c * scalarSize(scalar, place.rule) }));
  }
  cx.countLeaves(place.type, span);
  return leavesOf(place.type, place.rule, cx.structs).map((l) => {
    if (l.type.kind !== "scalar") throw new Error("broken tree: leaf is no scalar");
    return { scalar: l.type.scalar, offset: l.offset };
  });
}

/** Index and unit of a pointer: one integer that counts units. */
export function linear(p: PointerValue): { readonly unit: number; readonly index: MachineExpr } {
  if (p.terms.length === 0) return { unit: 1, index: indexConstant(0) };
  const unit = p.terms.reduce((g, t) => gcd(g, t.stride), p.terms[0]!.stride);
  const index = p.terms.map((t) => indexScale(toIndex(t.value), t.stride / unit)).reduce((a, b) => indexAdd(a, b));
  return { unit, index };
}

/** Of a view: the index counts from the start of the object, and may go back from where the view starts. */
function fromStart(p: PointerValue): { unit: number; index: MachineExpr; offset: number } {
  const { unit, index } = linear(p);
  const whole = Math.floor(p.offset / unit);
  return { unit, index: indexAdd(index, indexConstant(whole)), offset: p.offset - whole * unit };
}

/** A fixed place in units of its own size where that fits, which reads best. */
function fixedPlace(offset: number, bytes: number): { unit: number; index: MachineExpr; offset: number } {
  const whole = (bytes & (bytes - 1)) === 0 && bytes <= 16 && offset % bytes === 0 && offset >= 0;
  return whole
    ? { unit: bytes, index: indexConstant(offset / bytes), offset: 0 }
    : { unit: 16, index: indexConstant(0), offset };
}

/** The address of a place, checked for `bytes` from it; `again`: it is used more than once, so the index is pinned. */
export function checkedAddress(
  cx: BoundaryLowering,
  p: PointerValue,
  bytes: number,
  access: Checked["access"],
  span: Span,
  again: boolean,
): PlaceAddress {
  const { unit, index, offset } =
    p.terms.length === 0 ? fixedPlace(p.offset, bytes) : p.viewed ? fromStart(p) : { ...linear(p), offset: p.offset };
  if (access !== "read" && typeof p.object === "number") {
    cx.writtenObjects.add(p.object);
    const object = cx.objects[p.object]!;
    if (object.kind === "constant") throw new CannotRun(`${object.name} is read-only`, span);
  }
  cx.noteReach(p.object, unit, offset + bytes);
  const address: PlaceAddress = { object: p.object, unit, index, offset, ...(p.packed ? { packed: true } : {}) };
  if (typeof p.object === "number" && index.kind === "constant") {
    const size = cx.objects[p.object]!.bytes;
    if (size !== undefined && p.offset >= 0 && p.offset + bytes <= size) return address;
  }
  const site = cx.site(span, access === "read" ? "read" : "write");
  const checked: MachineExpr = { kind: "checked", scalar: "index", address, bytes, access, site };
  return { ...address, index: again ? cx.temporary(checked, span, "i") : checked };
}

// ------------------------------------------------------------------ reading and writing

export function readPlace(cx: BoundaryLowering, place: LoweredPlace, span: Span): readonly MachineExpr[] {
  switch (place.kind) {
    case "values":
      return place.values;
    case "locals":
      return place.locals.map((l) => local(l, cx.locals.get(l)!.scalar));
    case "memory":
      return readMemory(cx, place, span);
    case "chosen": {
      const all = place.alternatives.map((a) => readPlace(cx, a, span));
      return all[0]!.map((_, component) => {
        let value = all.at(-1)![component]!;
        for (let i = all.length - 2; i >= 0; i--) {
          value = {
            kind: "choose",
            scalar: value.scalar,
            condition: equals(place.index, i),
            whenTrue: all[i]![component]!,
            whenFalse: value,
          };
        }
        return value;
      });
    }
    case "pointer":
      throw new CannotRun("a pointer cannot be read as a value here", span);
    default:
      return assertNever(place);
  }
}

function equals(index: MachineExpr, i: number): MachineExpr {
  const kind = index.scalar;
  const value = kind === "i64" || kind === "u64" ? BigInt(i) : i;
  return operation("bool", kind, "eq", [index, constant(kind, value)]);
}

function readMemory(cx: BoundaryLowering, place: MemoryPlace, span: Span): MachineExpr[] {
  const leaves = memoryLeaves(cx, place, span);
  if (leaves.length === 0) return [];
  const bytes = largest(leaves, (l) => l.offset + scalarSize(l.scalar, place.rule));
  const base = checkedAddress(cx, withPacked(cx, place), bytes, "read", span, leaves.length > 1);
  const site = readSite(cx, base, span);
  return leaves.map((l) =>
    loadScalar(cx, l.scalar, { ...base, offset: base.offset + l.offset }, place.rule, span, site),
  );
}

const withPacked = (cx: BoundaryLowering, place: MemoryPlace): MemoryPlace =>
  cx.packed.isIn(place.type) ? { ...place, packed: true } : place;

/** Writes scalars to a place. All values are computed before the first is written. */
export function writePlace(
  cx: BoundaryLowering,
  place: LoweredPlace,
  values: readonly MachineExpr[],
  span: Span,
): void {
  switch (place.kind) {
    case "values":
      throw new CannotRun("this place is read-only", span);
    case "locals": {
      const pinned = pinAgainst(cx, values, new Set(place.locals), false, span);
      place.locals.forEach((l, i) => cx.emit({ kind: "set", local: l, value: pinned[i]!, span }));
      return;
    }
    case "memory": {
      const leaves = memoryLeaves(cx, place, span);
      if (leaves.length === 0) return;
      const pinned = pinAgainst(cx, values, new Set(), true, span);
      const bytes = largest(leaves, (l) => l.offset + scalarSize(l.scalar, place.rule));
      const base = checkedAddress(cx, withPacked(cx, place), bytes, "write", span, leaves.length > 1);
      leaves.forEach((l, i) =>
        storeScalar(cx, l.scalar, { ...base, offset: base.offset + l.offset }, pinned[i]!, place.rule, span),
      );
      return;
    }
    case "chosen": {
      const pinned = values.map((v) => cx.stable(v, span));
      const index = cx.stable(place.index, span);
      const build = (i: number): void => {
        const { code } = cx.collect(() => writePlace(cx, place.alternatives[i]!, pinned, span));
        const rest = i + 1 < place.alternatives.length ? cx.collect(() => build(i + 1)).code : [];
        cx.emit({ kind: "if", condition: equals(index, i), then: code, else: rest, span });
      };
      build(0);
      return;
    }
    case "pointer":
      throw new CannotRun("a pointer cannot be written as a value here", span);
    default:
      return assertNever(place);
  }
}

/** Of several values written one after the other, the later must not see the earlier writes. */
function pinAgainst(
  cx: BoundaryLowering,
  values: readonly MachineExpr[],
  targets: ReadonlySet<number>,
  memory: boolean,
  span: Span,
): readonly MachineExpr[] {
  if (values.length < 2) return values;
  const effects = { locals: new Set(targets), memory };
  return values.map((v, i) => (i > 0 && disturbedBy(v, effects) ? cx.temporary(v, span) : v));
}

// ------------------------------------------------------------------ pointers

export function lowerPointer(cx: BoundaryLowering, e: Expr): PointerValue {
  switch (e.kind) {
    case "address-of": {
      const place = lowerPlace(cx, e.place);
      if (place.kind === "memory" && !place.components) return place;
      throw new CannotRun("the address of this place cannot be taken here", e.span);
    }
    case "pointer-offset": {
      const base = lowerPointer(cx, e.pointer);
      const mark = cx.out.length;
      const offset = lowerOne(cx, e.offset);
      const effects = effectsOf(cx.out.slice(mark));
      const stableBase = base.terms.some((t) => disturbedBy(t.value, effects))
        ? pinnedBefore(cx, base, mark, e.span)
        : base;
      return addTerm(stableBase, toIndex(offset), pointeeStride(cx, e.type, base));
    }
    case "load": {
      if (e.place.kind === "variable") {
        const binding = cx.bindings.get(e.place.variable);
        if (binding?.kind === "pointer-value") return binding.value;
      }
      const place = lowerPlace(cx, e.place);
      if (place.kind === "pointer") return readPointer(place.pointer, e.span);
      throw new CannotRun("a pointer that is stored in memory cannot be run", e.span);
    }
    case "bitcast":
    case "convert":
      if (e.operand.type.kind === "pointer") return lowerPointer(cx, e.operand);
      throw new CannotRun("an integer made into a pointer cannot be run", e.span);
    case "assign": {
      const place = lowerPlace(cx, e.target);
      if (place.kind !== "pointer") throw new CannotRun("a pointer that is stored in memory cannot be run", e.span);
      writePointer(cx, place.pointer, lowerPointer(cx, e.value), e.span);
      return readPointer(place.pointer, e.span);
    }
    case "increment": {
      const place = lowerPlace(cx, e.place);
      if (place.kind !== "pointer") throw new CannotRun("a pointer that is stored in memory cannot be run", e.span);
      const old = readPointer(place.pointer, e.span);
      const kept = e.prefix ? old : pinPointer(cx, old, e.span);
      writePointer(cx, place.pointer, addTerm(old, indexConstant(e.delta), pointeeStride(cx, e.type, old)), e.span);
      return e.prefix ? readPointer(place.pointer, e.span) : kept;
    }
    case "call":
      return lowerPointerCall(cx, e);
    case "comma":
      lowerForEffect(cx, e.left);
      return lowerPointer(cx, e.right);
    case "conditional": {
      const condition = cx.stable(lowerOne(cx, e.condition), e.span);
      const a = lowerPointer(cx, e.whenTrue);
      const b = lowerPointer(cx, e.whenFalse);
      const choose = (x: MachineExpr, y: MachineExpr): MachineExpr => ({
        kind: "choose",
        scalar: x.scalar,
        condition,
        whenTrue: x,
        whenFalse: y,
      });
      const unit = commonUnit([a, b]);
      const term: Term = { value: choose(indexIn(a, unit), indexIn(b, unit)), stride: unit };
      if (a.object === b.object) return { object: a.object, terms: [term], offset: 0 };
      return { object: choose(objectExpr(a.object), objectExpr(b.object)), terms: [term], offset: 0 };
    }
    default:
      throw new CannotRun("this pointer cannot be run", e.span);
  }
}

function pinnedBefore(cx: BoundaryLowering, p: PointerValue, mark: number, span: Span): PointerValue {
  const tail = cx.out.splice(mark);
  const pinned = pinPointer(cx, p, span);
  for (const c of tail) cx.out.push(c);
  return pinned;
}

function pointeeStride(cx: BoundaryLowering, type: Type, p: PointerValue): number {
  if (type.kind !== "pointer") throw new Error(`broken tree: pointer of ${showType(type)}`);
  return arrayStride(type.pointee, ruleOf(cx, p.object), cx.structs);
}

const objectExpr = (object: PointerValue["object"]): MachineExpr =>
  typeof object === "number" ? constant("u32", object) : object;

function commonUnit(all: readonly PointerValue[]): number {
  let unit = 0;
  for (const p of all)
    for (const n of [...p.terms.map((t) => t.stride), Math.abs(p.offset)]) if (n !== 0) unit = gcd(unit, n);
  return unit || 1;
}

/** The pointer's distance from the start of its object, in units that divide it. */
function indexIn(p: PointerValue, unit: number): MachineExpr {
  return p.terms
    .map((t) => indexScale(toIndex(t.value), t.stride / unit))
    .reduce((a, b) => indexAdd(a, b), indexConstant(p.offset / unit));
}

export function newPointer(
  cx: BoundaryLowering,
  name: string,
  type: Type,
  variable: number | undefined,
  span: Span,
): PointerVariable {
  if (type.kind !== "pointer") throw new Error("broken tree: no pointer");
  const dynamic = variable !== undefined && cx.knowledge.dynamicPointers.has(variable);
  const bytes = variable !== undefined && cx.knowledge.bytePointers.has(variable);
  const indexLocal = cx.newLocal(name, "index", false);
  cx.emit({ kind: "declare", local: indexLocal, value: indexConstant(0), span });
  let objectLocal: number | undefined;
  if (dynamic) {
    objectLocal = cx.newLocal(`${name}_object`, "u32", false);
    cx.emit({ kind: "declare", local: objectLocal, value: constant("u32", 0), span });
  }
  const unit = bytes ? 1 : arrayStride(type.pointee, cx.rule, cx.structs);
  return { object: undefined, objectLocal, indexLocal, unit, variable };
}

export function readPointer(p: PointerVariable, span: Span): PointerValue {
  const object = p.objectLocal === undefined ? p.object : local(p.objectLocal, "u32");
  if (object === undefined) throw new CannotRun("a pointer is used before it points anywhere", span);
  return { object, terms: [{ value: local(p.indexLocal, "index"), stride: p.unit }], offset: 0 };
}

export function writePointer(cx: BoundaryLowering, p: PointerVariable, value: PointerValue, span: Span): void {
  const fits = value.offset % p.unit === 0 && value.terms.every((t) => t.stride % p.unit === 0);
  if (!fits) {
    if (p.variable === undefined) throw new CannotRun("this pointer cannot be run", span);
    cx.knowledge.bytePointers.add(p.variable);
    throw new Again();
  }
  if (p.objectLocal !== undefined) {
    const object = objectExpr(value.object);
    cx.emit({ kind: "set", local: p.objectLocal, value: object, span });
  } else if (p.object === undefined && typeof value.object === "number") {
    p.object = value.object;
  } else if (p.object !== value.object) {
    if (p.variable === undefined) throw new CannotRun("this pointer cannot be run", span);
    cx.knowledge.dynamicPointers.add(p.variable);
    throw new Again();
  }
  cx.emit({ kind: "set", local: p.indexLocal, value: indexIn(value, p.unit), span });
}

/** Pointers of the same object compare by position, of different objects they are never equal. */
export function comparePointers(
  cx: BoundaryLowering,
  operator: string,
  left: Expr,
  right: Expr,
  span: Span,
): MachineExpr {
  const a = pinPointer(cx, lowerPointer(cx, left), span);
  const b = lowerPointer(cx, right);
  const unit = commonUnit([a, b]);
  const same = operation("bool", "index", operator, [indexIn(a, unit), indexIn(b, unit)]);
  if (a.object === b.object) return same;
  // The order of two objects is open in C (C99 6.5.8 (5)): neither comes first.
  const differs = operator === "ne";
  const objects = operation("bool", "u32", differs ? "ne" : "eq", [objectExpr(a.object), objectExpr(b.object)]);
  return operation("bool", "bool", differs ? "or" : "and", [objects, same]);
}
