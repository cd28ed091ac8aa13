/**
 * References to blocks (GL_EXT_buffer_reference, GL_EXT_buffer_reference2): `layout(buffer_reference) buffer T { ... };` declares a
 * type, whose values are addresses. A block that is an array without a length is the elements from there on; one that ends in such an
 * array is a buffer as a whole; any other is an element of the buffer it lies in, so that `p + i` and `p[i]` name its neighbours.
 */
import { deref, elementsBehind, member, pointerOffset } from "../../ast/builders.js";
import { noTrivia, type Expr, type Place, type Resource, type StructMember, type VarId } from "../../ast/nodes.js";
import type * as syntax from "../../ast/syntax.js";
import { didYouMean } from "../../support/did-you-mean.js";
import type { Span } from "../../support/span.js";
import { arrayStride, hasRuntimeTail, layoutOf } from "../../types/layout.js";
import type { PointerType, Type } from "../../types/types.js";
import { carryTrivia, error, exprValue, notYet, shown, type Sema, type Value } from "../context.js";
import { declareName, uniqueStructName } from "../scopes.js";
import { read } from "../convert.js";
import { pointerAs } from "../conversion.js";
import { exchanged } from "../matrix-rows.js";

/** A block that references lead to. */
export interface BlockReference {
  readonly type: PointerType;
  readonly members: readonly StructMember[];
  /** The only member is all of the block. */
  readonly single: boolean;
  /** That member is an array without a length: the pointer leads to its first element. */
  readonly open: boolean;
  readonly byRows: ReadonlySet<string>;
  readonly resource: Pick<Resource, "access" | "layout" | "coherent">;
  /** The blocks that references to it are cast to. */
  readonly casts: Set<string>;
  /** The buffers that are behind references to it in blocks of values. */
  readonly buffers: Set<VarId>;
  /** Bytes from one to the next where that is not what an array of them has. */
  readonly stride?: number;
}

/** What `layout(buffer_reference, buffer_reference_align = n)` says; without a number it is 16. */
export interface ReferenceLayout {
  readonly align: number;
}

/**
 * `layout(buffer_reference) buffer T;`: the type, before what it holds is known. `whole` is settled where the block is, and read
 * when all of the text has been.
 */
export function declareForward(s: Sema, d: syntax.VariableDeclaration): void {
  carryTrivia(s, d);
  for (const x of d.declarators) {
    const { name, span } = x.name!;
    if (s.forwardBlocks.has(name) || s.references.has(name)) continue;
    const struct = uniqueStructName(s, name);
    const type: PointerType = {
      kind: "pointer",
      pointee: { kind: "struct", name: struct },
      space: "global",
      block: { name, whole: false },
    };
    s.structs.set(struct, { name: struct, members: [], span, trivia: noTrivia, innerComments: [] });
    s.forwardBlocks.set(name, type);
    declareName(s, name, { kind: "type", info: { type }, span });
  }
}

export interface ReferencedBlock {
  readonly name: syntax.Identifier;
  readonly type: Type;
  readonly members: readonly StructMember[];
  readonly single: boolean;
  readonly byRows: ReadonlySet<string>;
  readonly resource: BlockReference["resource"];
  readonly align: number;
}

export function declareReference(s: Sema, b: ReferencedBlock): void {
  const { name, span } = b.name;
  const rule = b.resource.layout ?? "std430";
  const open = b.type.kind === "array" && b.type.length === undefined;
  const pointee = open ? b.type.element : b.type;
  const whole = !open && hasRuntimeTail(b.type, s.structs);
  const forward = s.forwardBlocks.get(name);
  if (forward) Object.assign(forward.block!, { whole });
  const type: PointerType = {
    kind: "pointer",
    pointee,
    space: "global",
    ...(b.resource.access === "read" && !forward ? { readOnly: true } : {}),
    block: forward?.block ?? { name, whole },
  };
  // The distance of neighbours is a multiple of the alignment, as glslang has it.
  const steps = !whole && !open;
  const stride = steps ? Math.ceil(layoutOf(b.type, rule, s.structs).size / b.align) * b.align : 0;
  const asElement = steps ? arrayStride(b.type, rule, s.structs) : 0;
  s.references.set(name, {
    type,
    members: b.members,
    single: b.single,
    open,
    byRows: b.byRows,
    resource: b.resource,
    casts: new Set(),
    buffers: new Set(),
    ...(stride === asElement ? {} : { stride }),
  });
  if (!forward) declareName(s, name, { kind: "type", info: { type }, span });
}

/** What is known of the block; a problem where it is declared and never defined. */
function referenceOf(s: Sema, type: PointerType, span: Span): BlockReference | undefined {
  const { name } = type.block!;
  return s.references.get(name) ?? error(s, "XL2013", `block ${name} is not complete here`, span);
}

/** `p.member`. */
export function referencedMember(s: Sema, base: Value, name: string, span: Span, nameSpan: Span): Value | undefined {
  const type = base.type as PointerType;
  const reference = referenceOf(s, type, span);
  if (!reference) return undefined;
  const { members, single, open, byRows, resource } = reference;
  const m = members.find((x) => x.name === name);
  if (!m) {
    const help = didYouMean(
      name,
      members.map((x) => x.name),
    );
    return error(s, "XL2012", `block ${type.block!.name} has no member '${name}'`, nameSpan, help ? { help } : {});
  }
  const p = read(s, base, span);
  if (!p) return undefined;
  const block = open ? elementsBehind(p, span) : deref(p, span);
  const isByRows = byRows.has(name);
  return {
    type: isByRows ? exchanged(s, m.type) : m.type,
    place: single ? block : member(block, name, m.type, span),
    ...(isByRows ? { byRows: true } : {}),
    ...(resource.access === "read" ? { readOnly: `block ${type.block!.name} is read-only` } : {}),
  };
}

/** Whether a reference leads to a neighbour by counting blocks. */
export function steps(s: Sema, type: PointerType, span: Span): boolean {
  const reference = referenceOf(s, type, span);
  if (!reference) return false;
  const { stride, open } = reference;
  const { name } = type.block!;
  const whole = open || type.block!.whole;
  if (whole) error(s, "XL2004", `block ${name} ends where its buffer ends: it has no neighbour`, span);
  else if (stride !== undefined)
    notYet(
      s,
      `a step of ${stride} bytes from one ${name} to the next is`,
      span,
      "buffer_reference_align says what it is a multiple of",
    );
  return !whole && stride === undefined;
}

/** GL_EXT_buffer_reference, with GLSL 4.60 4.10: an argument keeps the memory qualifiers of the memory it lies in. */
export function mayHandOver(s: Sema, v: Value, keepsReadOnly: boolean, span: Span, what: string): boolean {
  const memory = v.place && memoryOf(s, v.place);
  const lost = memory?.access === "read" && !keepsReadOnly ? "readonly" : memory?.coherent ? "coherent" : undefined;
  if (lost === undefined) return true;
  error(s, "XL2003", `${what} lies in a block that is ${lost}, and the parameter is not`, span, {
    help: lost === "readonly" ? "declare it as 'readonly', or hand over a copy" : "hand over a copy",
  });
  return false;
}

/** The block in which a place lies. */
function memoryOf(s: Sema, p: Place): Pick<Resource, "access" | "coherent"> | undefined {
  switch (p.kind) {
    case "variable":
      return s.resources.find((r) => r.variable === p.variable && r.kind === "buffer");
    case "deref":
      return p.pointer.type.kind === "pointer" && p.pointer.type.block
        ? s.references.get(p.pointer.type.block.name)?.resource
        : undefined;
    default:
      return memoryOf(s, p.base);
  }
}

/** `p[i]` (GL_EXT_buffer_reference2): a reference as well. */
export function neighbour(s: Sema, base: Value, index: Expr, span: Span): Value | undefined {
  const p = read(s, base, span);
  return p && steps(s, base.type as PointerType, span) ? exprValue(pointerOffset(p, index, span)) : undefined;
}

export const wholeBlock = "a block that ends in an array beside other members is all of its buffer";

/** Why what lies behind a reference to one block cannot be looked at as another. */
export function differs(
  { references }: Sema,
  from: NonNullable<PointerType["block"]>,
  to: NonNullable<PointerType["block"]>,
): string | undefined {
  if (from.whole || to.whole) return wholeBlock;
  const [a, b] = [references.get(from.name)!.resource, references.get(to.name)!.resource];
  if (a.layout !== b.layout) return "the two blocks have layouts of their own";
  return b.coherent && !a.coherent ? "the block of the member is not coherent" : undefined;
}

/** `T(p)` of a reference to another block: what lies behind it is looked at as the other. */
export function castReference(s: Sema, e: Expr, from: PointerType, to: PointerType, span: Span): Value | undefined {
  const [a, b] = [referenceOf(s, from, span), referenceOf(s, to, span)];
  if (!a || !b) return undefined;
  const why = differs(s, from.block!, to.block!);
  if (why !== undefined)
    return notYet(
      s,
      `a cast of ${shown(s, from)} to ${shown(s, to)} is`,
      span,
      `declare the member with that type: ${why}`,
    );
  a.casts.add(to.block!.name);
  return exprValue(pointerAs(e, to, span));
}

/** How the buffers behind references to a block are accessed: also by what those are cast to. */
export function accessThrough(s: Sema, name: string): Resource["access"] {
  const names = new Set([name]);
  for (const n of names) for (const next of s.references.get(n)?.casts ?? []) names.add(next);
  const accesses = new Set([...names].flatMap((n) => s.references.get(n)?.resource.access ?? []));
  return accesses.size === 1 ? [...accesses][0]! : "readwrite";
}

/** The buffers of references in blocks of values, once all casts have been read. */
export function withAccesses(s: Sema, resources: readonly Resource[]): Resource[] {
  const accesses = new Map<VarId, Resource["access"]>();
  for (const [name, { buffers }] of s.references)
    if (buffers.size > 0) for (const id of buffers) accesses.set(id, accessThrough(s, name));
  return resources.map((r) => ({ ...r, access: accesses.get(r.variable) ?? r.access }));
}
