/** Scalars in memory: read and written as they are, or in parts where they may lie at no multiple of their size (packed structs). */
import { gcd } from "../support/gcd.js";
import type { Span } from "../support/span.js";
import type { LayoutRule } from "../types/layout.js";
import type { ScalarKind } from "../types/types.js";
import type { BoundaryLowering } from "./boundary-lowering.js";
import { bytesOf, constantOf, conversion, operation, reinterpretation } from "./machine.js";
import type { Address, MachineExpr, SiteId } from "./tree.js";

/** `packed`: of a scalar that may lie at no multiple of its size. */
export type PlaceAddress = Address & { readonly packed?: true };

export function loadScalar(
  cx: BoundaryLowering,
  scalar: ScalarKind,
  given: PlaceAddress,
  rule: LayoutRule,
  span: Span,
  /** Of a component of what is read: that of the whole. */
  site = readSite(cx, given, span),
): MachineExpr {
  const { packed, ...address } = given;
  const stored = cx.memoryScalar(scalar, rule);
  const part = packed ? partOf(address, stored) : undefined;
  if (part) return joined(cx, stored, part, address, site, span);
  const value: MachineExpr = { kind: "load", scalar: stored, address, site };
  return scalar === "bool" ? conversion("bool", stored, value) : value;
}

export const readSite = (cx: BoundaryLowering, { object }: PlaceAddress, span: Span): SiteId =>
  typeof object === "number" ? cx.readSite(span) : cx.site(span, "read");

export function storeScalar(
  cx: BoundaryLowering,
  scalar: ScalarKind,
  given: PlaceAddress,
  value: MachineExpr,
  rule: LayoutRule,
  span: Span,
): void {
  const { packed, ...address } = given;
  const stored = cx.memoryScalar(scalar, rule);
  const kept = scalar === "bool" ? conversion(stored, "bool", value) : value;
  const site = cx.site(span, "write");
  const part = packed ? partOf(address, stored) : undefined;
  if (!part) return void cx.emit({ kind: "store", scalar: stored, address, value: kept, site, span });
  const word = wordOf(stored);
  const bits = cx.stable(word === stored ? kept : reinterpretation(word, stored, kept), span);
  const at = { ...address, index: cx.stable(address.index, span) };
  for (let i = 0; i < bytesOf(stored); i += bytesOf(part)) {
    const shifted = i === 0 ? bits : operation(word, word, "shr", [bits, constantOf(word, 8 * i)]);
    const low = conversion(part, word, shifted);
    cx.emit({ kind: "store", scalar: part, address: { ...at, offset: at.offset + i }, value: low, site, span });
  }
}

const wordOf = (kind: ScalarKind): ScalarKind => `u${8 * bytesOf(kind)}` as ScalarKind;

/** The widest integer that a scalar at this address can be read by; undefined where that is the scalar itself. */
function partOf({ unit, index, offset }: Address, kind: ScalarKind): ScalarKind | undefined {
  const moving = index.kind === "constant" ? unit * Number(index.value) : unit;
  const common = gcd(gcd(bytesOf(kind), Math.abs(moving)), Math.abs(offset));
  return common === bytesOf(kind) ? undefined : (`u${8 * common}` as ScalarKind);
}

/** A scalar of several parts, the lowest first. */
function joined(
  cx: BoundaryLowering,
  kind: ScalarKind,
  part: ScalarKind,
  address: Address,
  site: number,
  span: Span,
): MachineExpr {
  const word = wordOf(kind);
  const at = { ...address, index: cx.stable(address.index, span) };
  let bits: MachineExpr | undefined;
  for (let i = 0; i < bytesOf(kind); i += bytesOf(part)) {
    const value: MachineExpr = { kind: "load", scalar: part, address: { ...at, offset: at.offset + i }, site };
    const wide = conversion(word, part, value);
    bits = bits
      ? operation(word, word, "or", [bits, operation(word, word, "shl", [wide, constantOf(word, 8 * i)])])
      : wide;
  }
  return word === kind ? bits! : reinterpretation(kind, word, bits!);
}
