/**
 * Pointers that are cast to point to something else: bytes from the start of the object, and an index of what the pointer points
 * to now. The object is what its variable declares; its layout, by which bytes are counted, is the source's.
 */
import { typeIn } from "../../dialects/show-type.js";
import { binary, conditional, convert, inWord, leadsForward, literal, literalValue } from "../../ast/builders.js";
import { innermost } from "../../ast/element-over-rows.js";
import type { Expr } from "../../ast/nodes.js";
import { bufferLayout, languageFacts } from "../../dialects/languages.js";
import { noSpan, type Span } from "../../support/span.js";
import { arrayStride, layoutOf, memberOffsets, type LayoutRule } from "../../types/layout.js";
import {
  array,
  bitWidth,
  i32,
  isInteger,
  sameType,
  scalar,
  scalarOf,
  shaped,
  u32,
  type Type,
} from "../../types/types.js";
import { byteRemainder } from "../memory/byte-remainder.js";
import type { FunctionLowering } from "./function-lowering.js";
import {
  added,
  asType,
  indices,
  NotLowerable,
  nullIndex,
  ofSignedBytes,
  type Pointer,
  type Shape,
  type Step,
} from "./pointer-values.js";

export const isCast = (e: Expr): e is Expr & { kind: "bitcast" } => e.kind === "bitcast" && e.type.kind === "pointer";

/** What buffers are taken to begin at a multiple of, where bits of an address are asked for. */
const bufferStart = 128;

/** What a pointer to void points to is bytes, whatever it was made of. */
const ofBytes = (t: Type): Type => (t.kind === "void" ? scalar("u8") : t);

export class PointerCasts {
  constructor(private readonly body: FunctionLowering) {}

  /** `(T *)p`. */
  cast(p: Pointer, given: Type, e: Expr & { kind: "bitcast" }): Pointer {
    const to = ofBytes(given);
    const steps = this.castSteps(p, to);
    if (e.operand.type.kind === "pointer" && e.operand.type.readOnly && e.type.kind === "pointer" && !e.type.readOnly)
      this.body.whole.unconst.add(p.root);
    if (steps === p.steps) return p;
    if (sameType(innermost(this.typeOf(p)), to)) return { root: p.root, steps, holes: this.holesOverRows(p, to) };
    this.refuse(p, e.span);
    const bytes = this.bytes(p, e.operand);
    if (steps.length === 1) return { root: p.root, steps, holes: [bytes] };
    this.assumeAlignment(p, to, bytes, e.span);
    return { root: p.root, steps, holes: [bytes, this.first(p, e)] };
  }

  /** Where `(T *)p` points, but for indices. */
  castShape(p: Shape, to: Type): Shape {
    return { root: p.root, steps: this.castSteps(p, to) };
  }

  private castSteps(p: Shape, given: Type): readonly Step[] {
    const to = ofBytes(given);
    if (sameType(this.typeOf(p), to)) return p.steps;
    if (sameType(innermost(this.typeOf(p)), to)) return this.overRows(p, to).steps;
    const { type } = this.body.whole.variable(p.root);
    // Bytes of an object that is bytes.
    if (type.kind === "array" && sameType(type.element, to) && this.sizeOf(to, p) === 1)
      return [{ kind: "index", type: to }];
    return [
      { kind: "view", type: array(to, undefined) },
      { kind: "index", type: to },
    ];
  }

  /** `&place`, where it is known whether it is led on from there to other rows of an array of arrays. */
  address(p: Pointer, e: Expr & { kind: "address-of" }): Pointer {
    const led = this.body.whole.overRows.get(e);
    if (!led) return p;
    if (led === "elements") {
      const to = this.typeOf(p);
      return { root: p.root, steps: this.overRows(p, to).steps, holes: this.holesOverRows(p, to) };
    }
    this.refuse(p, e.span);
    return { root: p.root, steps: this.viewOf(p), holes: [this.bytes(p, e), literal("i32", 0, e.span)] };
  }

  addressShape(p: Shape, e: Expr): Shape {
    const led = this.body.whole.overRows.get(e);
    if (!led) return p;
    return { root: p.root, steps: led === "elements" ? this.overRows(p, this.typeOf(p)).steps : this.viewOf(p) };
  }

  private viewOf(p: Shape): readonly Step[] {
    const type = this.typeOf(p);
    return [
      { kind: "view", type: array(type, undefined) },
      { kind: "index", type },
    ];
  }

  /**
   * A pointer into an array of arrays as one over all of its elements, or rows where it points `to` those: `kept` steps lead to the array, the
   * others chose rows of it, each so many elements on.
   */
  private overRows(
    p: Shape,
    to: Type,
  ): {
    readonly steps: readonly Step[];
    readonly kept: number;
    readonly strides: readonly number[];
  } {
    const at = (n: number): Type => this.typeOf({ root: p.root, steps: p.steps.slice(0, n) });
    let kept = p.steps.length;
    for (; kept > 0; kept--) {
      const s = p.steps[kept - 1]!;
      if (s.kind !== "index" || s.single || at(kept - 1).kind !== "array") break;
    }
    const lengths = (t: Type): readonly number[] =>
      t.kind === "array" && !sameType(t, to) ? [t.length ?? 0, ...lengths(t.element)] : [];
    const strides = p.steps.slice(kept).map((_, i) => lengths(at(kept + i + 1)).reduce((a, b) => a * b, 1));
    const rows = lengths(at(kept)).slice(1);
    return {
      steps: [...p.steps.slice(0, kept), { kind: "index", type: to, ...(rows.length > 0 ? { rows } : {}) }],
      kept,
      strides,
    };
  }

  private holesOverRows(p: Pointer, to: Type): readonly Expr[] {
    const { kept, strides } = this.overRows(p, to);
    const first = indices(p.steps.slice(0, kept));
    const chosen = p.holes.slice(first);
    const { span } = chosen[0] ?? { span: noSpan };
    const index = chosen
      .map((h, i) => times(inWord(this.body.amount(h)), strides[i]!, span))
      .reduce(
        (a, b) => {
          const [m, n] = [literalValue(a), literalValue(b)];
          return m !== undefined && n !== undefined && Number(m) !== 0
            ? literal("i32", Number(m) + Number(n), span)
            : added(a, b, span, false);
        },
        literal("i32", 0, span) as Expr,
      );
    return [...p.holes.slice(0, first), index];
  }

  /** Whether its elements lie as a view of them has them. */
  liesAlike(type: Type): boolean {
    const { module } = this.body.whole;
    const stride = (rule: LayoutRule): number => arrayStride(innermost(type), rule, module.structs);
    return stride(bufferLayout(module.dialect)) === stride(languageFacts[module.dialect].memory);
  }

  /** What the pointer points to, whatever its own type says. */
  private typeOf(p: Shape): Type {
    let { type } = this.body.whole.variable(p.root);
    for (const s of p.steps)
      type =
        s.kind === "member"
          ? s.type
          : s.kind === "view"
            ? s.type
            : s.single
              ? type
              : s.rows
                ? s.type
                : type.kind === "array"
                  ? type.element
                  : type.kind === "matrix"
                    ? shaped(type.scalar, type.rows)
                    : s.type;
    return type;
  }

  private ruleOf(p: Shape): LayoutRule {
    const { module } = this.body.whole;
    const { space } = this.body.whole.variable(p.root);
    return space === "global" || space === "constant"
      ? bufferLayout(module.dialect)
      : languageFacts[module.dialect].memory;
  }

  sizeOf(type: Type, p: Shape): number {
    return arrayStride(type, this.ruleOf(p), this.body.whole.module.structs);
  }

  /**
   * How many bytes after the start of its object `e` points, which is `p`: a u32. What is run counts them by signed numbers and looks at whether
   * those hold them, but of what may be null.
   */
  bytes(p: Pointer, e: Expr): Expr {
    const { span } = e;
    const isChecked = this.body.isRun && !(this.body.whole.hasNull && this.body.nulls.mayBeNull(p, e));
    const counted = (index: Expr): Expr =>
      isChecked ? this.body.offsetAs(this.body.amount(index), i32) : lowBits(index);
    const marked = (bytes: Expr): Expr =>
      isChecked && bytes.kind === "binary" ? { ...bytes, relies: "offset" } : bytes;
    const { structs } = this.body.whole.module;
    let { type } = this.body.whole.variable(p.root);
    let total = counted(literal("i32", 0, span));
    const add = (bytes: Expr): void => void (total = marked(sum(total, bytes, span)));
    let hole = 0;
    for (const s of p.steps) {
      if (s.kind === "member") {
        const declared = structs.get((type as Type & { kind: "struct" }).name)!;
        const at = declared.members.findIndex((m) => m.name === s.member);
        add(counted(literal("i32", memberOffsets(declared, this.ruleOf(p), structs)[at]!, span)));
        type = s.type;
        continue;
      }
      const index = counted(p.holes[hole++]!);
      if (s.kind === "view") {
        add(index);
        type = s.type;
        continue;
      }
      if (!s.single) type = this.typeOf({ root: p.root, steps: p.steps.slice(0, p.steps.indexOf(s) + 1) });
      add(marked(times(index, this.sizeOf(type, p), span)));
    }
    return isChecked && total.kind !== "literal" ? ofSignedBytes(total) : lowBits(total);
  }

  /** The lower bits of an address, which the distance from the start of its object has, too. */
  addressBits(e: Expr & { kind: "binary" }): Expr | undefined {
    const masked = maskedAddress(e);
    if (!masked) return undefined;
    const p = this.body.pointer(masked.address);
    const v = this.body.whole.variable(p.root);
    if (v.space === "global" || v.space === "constant")
      this.body.whole.context.note("assumed", "object-address", `${v.name} begins at a multiple of 128 bytes`, e.span);
    else if (masked.mask >= layoutOf(v.type, this.ruleOf(p), this.body.whole.module.structs).align)
      throw new NotLowerable("XL4006", `where ${v.name} begins is not known to such a multiple`, e.span);
    const bits = binary("and", this.bytes(p, masked.address), literal("u32", masked.mask, e.span), e.span);
    return convert(bits, e.type, false, e.span);
  }

  refuseAddress(span: Span): never {
    throw new NotLowerable("XL4006", "more of an address is used than which lower bits it has", span);
  }

  /** The index within what it points to now: 0, or that of null where it may be null. */
  private first(p: Pointer, e: Expr & { kind: "bitcast" }): Expr {
    const zero = literal("i32", 0, e.span);
    if (!this.body.whole.hasNull) return zero;
    const index = this.body.nulls.mayBeNull(p, e.operand);
    if (!index) return zero;
    const nothing = nullIndex(index.type, e.span);
    const isNull = binary("eq", asType(index, nothing.type), nothing, e.span);
    return conditional(isNull, nullIndex(i32, e.span), zero, e.span);
  }

  private refuse(p: Pointer, span: Span): void {
    const v = this.body.whole.variable(p.root);
    const resource = this.body.whole.module.resources.find((r) => r.variable === v.id);
    // A table of the file is the words of its values.
    const isMemory = resource
      ? resource.kind === "buffer" || resource.kind === "workgroup-sized-at-launch"
      : v.space !== "constant" || v.role === "global";
    if (!isMemory)
      throw new NotLowerable("XL4006", `a pointer into ${v.name}, which is no memory but a value, is cast`, span);
  }

  /** Words are read where they are: that they begin there is relied on, unless the text shows it. */
  private assumeAlignment(p: Pointer, to: Type, bytes: Expr, span: Span): void {
    const { context, module } = this.body.whole;
    const { align } = layoutOf(to.kind === "void" ? scalar("u8") : to, this.ruleOf(p), module.structs);
    if (context.target === "ts" || byteRemainder(bytes, Math.min(align, 4)) === 0) return;
    context.note(
      "assumed",
      "alignment",
      `pointers cast to ${typeIn(module.dialect, to)} point to multiples of ${Math.min(align, 4)} bytes`,
      span,
    );
  }
}

/** An address of which the lower bits are asked for, below `2^bits`: `(ulong)p & 7`, `(size_t)p % 8`. */
function maskedAddress(e: Expr & { kind: "binary" }): { readonly address: Expr; readonly mask: number } | undefined {
  const known = literalValue(e.right);
  if (known === undefined || (e.operator !== "and" && e.operator !== "rem")) return undefined;
  let address = e.left;
  while (address.kind === "convert" && scalarOf(address.type) !== "bool") address = address.operand;
  if (address.kind !== "bitcast" || address.operand.type.kind !== "pointer") return undefined;
  const mask = e.operator === "and" ? Number(known) : Number(known) - 1;
  if (e.operator === "rem" && (mask & Number(known)) !== 0) return undefined;
  return mask >= 0 && mask < bufferStart ? { address: address.operand, mask } : undefined;
}

/** Sums and products of addresses: nothing is added to 0. */
function sum(a: Expr, b: Expr, span: Span): Expr {
  const [m, n] = [literalValue(a), literalValue(b)];
  const known = m !== undefined && n !== undefined ? numberOf(a.type, Number(m) + Number(n), span) : undefined;
  return known ?? (m === 0 ? b : n === 0 ? a : binary("add", a, b, span));
}

function times(a: Expr, by: number, span: Span): Expr {
  const n = literalValue(a);
  const known = n === undefined ? undefined : numberOf(a.type, Number(n) * by, span);
  if (known || by === 1) return known ?? a;
  const product = binary("mul", a, numberOf(a.type, by, span)!, span);
  return leadsForward(a) ? { ...product, relies: "offset" } : product;
}

/** Modulo 2^32, or nothing where that is another number than the one counted by. */
const numberOf = (type: Type, value: number, span: Span): Expr | undefined =>
  sameType(type, u32)
    ? literal("u32", Number(BigInt.asUintN(32, BigInt(value))), span)
    : value === (value | 0)
      ? literal("i32", value, span)
      : undefined;

/** An integer modulo 2^32, which no memory is larger than where there are no pointers: of sums and products as such. */
export function lowBits(e: Expr): Expr {
  const kind = scalarOf(e.type)!;
  if (kind === "u32") return e;
  const known = literalValue(e);
  if (known !== undefined) return literal("u32", Number(BigInt.asUintN(32, BigInt(known))), e.span);
  if (e.kind === "convert" && e.operand.type.kind === "scalar" && isInteger(e.operand.type.scalar)) {
    const from = e.operand.type.scalar;
    // What narrows and then widens is what it was narrowed to.
    if (bitWidth(from) <= bitWidth(kind) && bitWidth(kind) >= 32) return lowBits(e.operand);
  }
  if (e.kind === "binary" && bitWidth(kind) === 64 && ["add", "sub", "mul"].includes(e.operator))
    return { ...e, left: lowBits(e.left), right: lowBits(e.right), type: u32 };
  return convert(e, scalar("u32"), false, e.span);
}
