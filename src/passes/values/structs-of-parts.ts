/** The structs that long vectors become: see wide-structs.ts. */
import { convert, member, swizzle } from "../../ast/builders.js";
import {
  noTrivia,
  type Expr,
  type Module,
  type Place,
  type StructDeclaration,
  type StructMember,
} from "../../ast/nodes.js";
import { cScalarNames } from "../../dialects/type-names.js";
import { noSpan, type Span } from "../../support/span.js";
import { layoutOf, memberOffsets, type LayoutStruct } from "../../types/layout.js";
import {
  array,
  isSameName,
  sameType,
  shapedLike,
  struct,
  u32,
  withLeaves,
  type Type,
  type VectorType,
} from "../../types/types.js";
import { zeroOf } from "../memory/zero.js";
import { partSize } from "./vector-parts.js";

/** The parts, by the selectors OpenCL C has for those components. */
const partNames: Readonly<Record<number, readonly string[]>> = {
  8: ["lo", "hi"],
  16: ["s0123", "s4567", "s89ab", "scdef"],
};

export class Structs {
  /** By name: `float8`. */
  readonly made = new Map<string, VectorType>();
  /** Where each came up first. */
  private readonly spans = new Map<string, Span>();

  constructor(private readonly module: Module) {}

  type(type: Type, span: Span = noSpan): Type {
    return withLeaves(type, (t) => {
      if (t.kind !== "vector" || t.size <= partSize) return t;
      const name = `${t.packed ? "packed_" : ""}${cScalarNames[t.scalar]}${t.size}`;
      this.made.set(name, t);
      if (!this.spans.has(name)) this.spans.set(name, span);
      return struct(name);
    });
  }

  /** The vector a struct stands for. */
  vector(type: Type): VectorType | undefined {
    return type.kind === "struct" ? this.made.get(type.name) : undefined;
  }

  declarations(): ReadonlyMap<string, StructDeclaration> {
    const declared = new Map<string, StructDeclaration>();
    const changed = [...this.module.structs.values()].map((s) => this.withParts(s));
    for (const [name, vector] of this.made) {
      const type = partOf(vector);
      const members = partNames[vector.size]!.map((m): StructMember => ({
        ...plain(m, type),
        span: this.spans.get(name)!,
      }));
      declared.set(name, { name, vector, members, span: this.spans.get(name)!, trivia: noTrivia, innerComments: [] });
    }
    for (const s of changed) declared.set(s.name, s);
    return declared;
  }

  /** The struct with long vectors as they are now, each member at the byte where it was. */
  private withParts(s: StructDeclaration): StructDeclaration {
    const { structs } = this.module;
    if (s.union) return this.unionWithParts(s);
    const offsets = memberOffsets(s, "natural", structs);
    const { size } = layoutOf(struct(s.name), "natural", structs);
    const now = this.layouts();
    const members: StructMember[] = [];
    const end = (): number => {
      const last = members.at(-1);
      return last ? memberOffsets({ members }, "natural", now).at(-1)! + layoutOf(last.type, "natural", now).size : 0;
    };
    /** What lies between the end and a byte that the layout alone would not leave. */
    const gap = (to: number): void => {
      const from = Math.ceil(end() / 4) * 4;
      let name = `gap${members.length}`;
      while (s.members.some((m) => m.name === name)) name += "_";
      members.push({ ...plain(name, array(u32, (to - from) / 4)), gap: true });
    };
    s.members.forEach((m, i) => {
      const next = { ...m, type: this.type(m.type) };
      if (memberOffsets({ members: [...members, next] }, "natural", now).at(-1) !== offsets[i]) gap(offsets[i]!);
      members.push(next);
    });
    const sized = !(members.at(-1)?.type.kind === "array" && layoutOf(members.at(-1)!.type, "natural", now).size === 0);
    const whole = layoutOf(struct(s.name), "natural", new Map([...now, [s.name, { members }]]));
    if (sized && whole.size !== size) gap(size);
    const changed = members.length !== s.members.length || members.some((m, i) => m.type !== s.members[i]!.type);
    const declared = changed ? { ...s, members } : s;
    this.laid.set(s.name, declared);
    return declared;
  }

  /** A union as long as it was, and aligned like it as far as the parts of vectors are. */
  private unionWithParts(s: StructDeclaration): StructDeclaration {
    const members = s.members.map((m) => ({ ...m, type: this.type(m.type) }));
    const changed = members.some((m, i) => m.type !== s.members[i]!.type);
    const { size } = layoutOf(struct(s.name), "natural", this.module.structs);
    const declared = changed ? { ...s, members } : s;
    const now = new Map<string, LayoutStruct>([...this.layouts(), [s.name, declared]]);
    if (layoutOf(struct(s.name), "natural", now).size !== size)
      members.push({ ...plain("whole", array(u32, size / 4)), gap: true });
    this.laid.set(s.name, declared);
    return declared;
  }

  /** Structs as they are now, of those that come first. */
  private readonly laid = new Map<string, LayoutStruct>();
  private layouts(): ReadonlyMap<string, LayoutStruct> {
    const parts = [...this.made].map(([name, v]): [string, LayoutStruct] => [
      name,
      { members: partNames[v.size]!.map((m) => ({ name: m, type: partOf(v) })) },
    ]);
    return new Map([...this.laid, ...parts]);
  }
}

/** A part of it: packed where it is. */
const partOf = (v: VectorType): VectorType => {
  const type = shapedLike(v, partSize) as VectorType;
  return v.packed ? { ...type, packed: true } : type;
};

const plain = (name: string, type: Type): StructMember => ({ name, type, trivia: noTrivia, span: noSpan });

export function retyped<T extends { readonly type: Type; readonly span: Span }>(structs: Structs, x: T): T {
  const type = structs.type(x.type, x.span);
  return type === x.type ? x : { ...x, type };
}

export function written(structs: Structs, declared: Module["structs"], e: Expr): Expr {
  if (e.kind === "construct" && e.type.kind === "struct") {
    const { members } = declared.get(e.type.name)!;
    if (e.type.union) return e;
    if (!members.some((m) => m.gap) || members.length === e.arguments.length) return e;
    const given = [...e.arguments];
    const args = members.map((m) => (m.gap ? zeroOf(m.type, { structs: declared })! : given.shift()!));
    return { ...e, arguments: args };
  }
  if (e.kind === "construct" && e.type.kind === "vector" && e.type.packed && e.type.size > partSize) {
    const type = partOf(e.type);
    return retyped(structs, { ...e, arguments: e.arguments.map((a) => convert(a, type, true, a.span)) });
  }
  // A part is packed, and what was read or written of it plain.
  if (e.kind === "load" && isPackedPart(e.place.type) && e.type.kind === "vector" && !e.type.packed)
    return convert({ ...e, type: e.place.type }, e.type, true, e.span);
  if (e.kind === "convert" && isPlainAndBack(e)) return convert((e.operand as typeof e).operand, e.type, true, e.span);
  if (e.kind === "assign" && isPackedPart(e.target.type) && !e.operator && !sameType(e.value.type, e.target.type))
    return { ...e, type: e.target.type, value: convert(e.value, e.target.type, true, e.value.span) };
  return retyped(structs, e);
}

/** A packed part as a plain vector, which is converted to one or the other once more. */
function isPlainAndBack({ type, operand }: Extract<Expr, { kind: "convert" }>): boolean {
  if (operand.kind !== "convert" || type.kind !== "vector" || operand.type.kind !== "vector") return false;
  const from = operand.operand.type;
  const isSame = (t: Type): boolean =>
    t.kind === "vector" && t.size === partSize && t.scalar === type.scalar && isSameName(t, type);
  return isSame(from) && isSame(operand.type) && isSame(type);
}

const isPackedPart = (type: Type): boolean => type.kind === "vector" && type.packed === true && type.size === partSize;

/** Components of a long vector that lie in one part of it are that part, or components of it. */
export function part(structs: Structs, p: Place): Place {
  if (p.kind === "swizzle") {
    const vector = structs.vector(p.base.type);
    if (vector) {
      const first = Math.floor(p.components[0]! / partSize);
      const own = p.components.map((c) => c - partSize * first);
      if (own.some((c) => c < 0 || c >= partSize)) throw new Error("components of two parts of a vector");
      const whole = member(p.base, partNames[vector.size]![first]!, partOf(vector), p.span);
      return own.length === partSize && own.every((c, i) => c === i) ? whole : swizzle(whole, own, p.span);
    }
  }
  return retyped(structs, p);
}
