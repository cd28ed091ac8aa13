/**
 * Memory layouts of the dialects, in bytes. Sources: MSL specification 2.2 to 2.6, OpenCL C 6.3 (natural), GLSL 4.60 section
 * 7.6.2.2 (std140, std430), GL_EXT_scalar_block_layout and HLSL structured buffers (structured), HLSL packing rules for
 * constant variables (cbuffer). See semantics/data.md section 2.1.
 */
import { assertNever } from "../support/assert-never.js";
import {
  bitWidth,
  componentsOf,
  shaped,
  showType,
  type MatrixType,
  type ScalarKind,
  type ScalarType,
  type StructType,
  type Type,
  type VectorType,
} from "./types.js";

/**
 * natural: MSL and OpenCL device memory; structured: tightly packed to scalar alignment; scalar: the same of GLSL, where what follows a struct
 * or an array may lie in what its last element is filled up by (glslang; DXC fills up); cbuffer: 16-byte registers.
 */
export type LayoutRule = "natural" | "std430" | "std140" | "structured" | "scalar" | "cbuffer";

export interface LayoutStruct {
  /** It is the parts of this vector, which a launch names as one. */
  readonly vector?: VectorType;
  /** It is the columns of this matrix, which a launch names as one. */
  readonly matrix?: MatrixType;
  /** All members begin where it begins. */
  readonly union?: boolean;
  /** It is aligned to so many bytes at least, in natural layouts. */
  readonly align?: number;
  readonly members: readonly {
    readonly name: string;
    readonly type: Type;
    /** In natural layouts it is aligned to so many bytes, whatever its type is: less where the struct is packed. */
    readonly align?: number;
    /** Bytes between the others. */
    readonly gap?: boolean | undefined;
    /** Of members of a block: where it is, whatever the rule says. */
    readonly offset?: number | undefined;
  }[];
}
export type LayoutStructs = ReadonlyMap<string, LayoutStruct>;

/** `size` excludes trailing padding where the rule lets a follower use it; `size` of a runtime-sized array is 0. */
export interface Layout {
  readonly size: number;
  readonly align: number;
}

/** Bytes of a scalar in memory. bool: 1 in MSL and OpenCL C, 4 elsewhere. */
export function scalarSize(kind: ScalarKind, rule: LayoutRule): number {
  return kind === "bool" ? (rule === "natural" ? 1 : 4) : bitWidth(kind) / 8;
}

/** A pointer in memory that the host writes: a device address (MSL 2.2, Metal 3 argument buffers; GL_EXT_buffer_reference). */
const address: Layout = { size: 8, align: 8 };

const roundUp = (n: number, align: number): number => Math.ceil(n / align) * align;

/** The distance between elements of an array of `element`. */
export function arrayStride(element: Type, rule: LayoutRule, structs: LayoutStructs): number {
  return strideOf(layoutOf(element, rule, structs), rule);
}

const strideOf = ({ size, align }: Layout, rule: LayoutRule): number =>
  roundUp(size, rule === "std140" || rule === "cbuffer" ? 16 : align);

/** `known`: structs that were measured on the way, by this rule: of structs of structs each is looked at once. */
export function layoutOf(
  type: Type,
  rule: LayoutRule,
  structs: LayoutStructs,
  known = new Map<string, Layout>(),
): Layout {
  switch (type.kind) {
    case "scalar": {
      const size = scalarSize(type.scalar, rule);
      return { size, align: size };
    }
    case "vector": {
      const unit = scalarSize(type.scalar, rule);
      if (type.packed || rule === "structured" || rule === "scalar" || rule === "cbuffer")
        return { size: unit * type.size, align: unit };
      const whole = unit * (type.size === 3 ? 4 : type.size);
      return { size: rule === "natural" ? whole : unit * type.size, align: whole };
    }
    case "matrix": {
      const column = shaped(type.scalar, type.rows);
      const stride = arrayStride(column, rule, structs);
      const { align, size } = layoutOf(column, rule, structs);
      // What follows lies behind components of 32 bits, however narrow they are (DXC).
      const last = Math.max(size, 4 * type.rows);
      if (rule === "cbuffer") return { size: stride * (type.columns - 1) + last, align: 16 };
      return { size: stride * type.columns, align: rule === "std140" ? roundUp(align, 16) : align };
    }
    case "array": {
      // Once: arrays of arrays would ask twice at each level.
      const element = layoutOf(type.element, rule, structs, known);
      const { align, size } = element;
      const stride = strideOf(element, rule);
      const count = type.length ?? 0;
      const unfilled = count === 0 ? 0 : stride * (count - 1) + size;
      if (rule === "cbuffer") return { size: unfilled, align: 16 };
      if (rule === "scalar") return { size: unfilled, align };
      return { size: stride * count, align: rule === "std140" ? roundUp(align, 16) : align };
    }
    case "struct": {
      const measured = known.get(type.name);
      if (measured) return measured;
      const declared = structOf(type.name, structs);
      const placed = placeMembers(declared, rule, structs, known);
      const { end } = placed;
      const align = Math.max(placed.align, (rule === "natural" ? declared.align : undefined) ?? 1);
      const aligned = rule === "std140" || rule === "cbuffer" ? roundUp(align, 16) : align;
      const made =
        rule === "cbuffer"
          ? { size: end, align: 16 }
          : { size: rule === "scalar" ? end : roundUp(end, aligned), align: aligned };
      known.set(type.name, made);
      return made;
    }
    case "pointer":
      return address;
    case "void":
      throw new Error(`${showType(type)} has no layout`);
    default:
      return assertNever(type);
  }
}

/** A struct that ends in an array as long as the buffer it is bound to. */
export function hasRuntimeTail(type: Type, structs: LayoutStructs): boolean {
  const last = type.kind === "struct" ? structOf(type.name, structs).members.at(-1)?.type : undefined;
  return last?.kind === "array" && last.length === undefined;
}

/** The scalars a type is made of, runtime-sized arrays included; some may come twice. `seen`: structs that were looked at. */
export function scalarsOf(type: Type, structs: LayoutStructs, seen = new Set<string>()): ScalarKind[] {
  switch (type.kind) {
    case "array":
      return scalarsOf(type.element, structs, seen);
    case "struct":
      if (seen.has(type.name)) return [];
      seen.add(type.name);
      return structOf(type.name, structs).members.flatMap((m) => scalarsOf(m.type, structs, seen));
    case "pointer":
    case "void":
      return [];
    default:
      return [type.scalar];
  }
}

/** Whether a pointer lies in it: how large those are is the device's matter. */
export function holdsPointers(type: Type, structs: LayoutStructs): boolean {
  if (type.kind === "array") return holdsPointers(type.element, structs);
  if (type.kind !== "struct") return type.kind === "pointer";
  return structOf(type.name, structs).members.some((m) => holdsPointers(m.type, structs));
}

/** What lies in packed structs, of structs that stay what they are: each is looked at once. */
export class PackedStructs {
  private readonly known = new Map<string, boolean>();
  private readonly packed = new Map<string, boolean>();

  constructor(private readonly structs: LayoutStructs) {}

  /** Whether one of its own members is. */
  has(name: string): boolean {
    const before = this.packed.get(name);
    if (before !== undefined) return before;
    const found = isPacked(structOf(name, this.structs), this.structs);
    this.packed.set(name, found);
    return found;
  }

  /** Whether something in it may lie at an address that is no multiple of its alignment: a packed struct is in it. */
  isIn(type: Type): boolean {
    if (type.kind === "array") return this.isIn(type.element);
    if (type.kind !== "struct") return false;
    const before = this.known.get(type.name);
    if (before !== undefined) return before;
    const { members } = structOf(type.name, this.structs);
    const found = this.has(type.name) || members.some((m) => this.isIn(m.type));
    this.known.set(type.name, found);
    return found;
  }
}

/** Whether a member is aligned to less than its type is. */
export const isPacked = ({ members }: LayoutStruct, structs: LayoutStructs): boolean =>
  members.some((m) => m.align !== undefined && m.align < layoutOf(m.type, "natural", structs).align);

function structOf(name: string, structs: LayoutStructs): LayoutStruct {
  const found = structs.get(name);
  if (!found) throw new Error(`struct ${name} is not in the module`);
  return found;
}

function placeMembers(
  s: LayoutStruct,
  rule: LayoutRule,
  structs: LayoutStructs,
  known = new Map<string, Layout>(),
): { offsets: number[]; end: number; align: number } {
  const offsets: number[] = [];
  let end = 0;
  let align = 1;
  for (const m of s.members) {
    const own = layoutOf(m.type, rule, structs, known);
    const l = rule === "natural" && m.align !== undefined ? { ...own, align: m.align } : own;
    if (s.union) {
      offsets.push(0);
      end = Math.max(end, l.size);
      align = Math.max(align, l.align);
      continue;
    }
    const at = m.offset ?? placeBehind(end, l, rule);
    offsets.push(at);
    end = at + l.size;
    align = Math.max(align, l.align);
  }
  return { offsets, end, align };
}

/** Where what has this size and alignment begins, behind so many bytes. */
export function placeBehind(end: number, { size, align }: Layout, rule: LayoutRule): number {
  const at = roundUp(end, align);
  const crosses = rule === "cbuffer" && align < 16 && Math.floor(at / 16) !== Math.floor((at + size - 1) / 16);
  return crosses ? roundUp(at, 16) : at;
}

/** Byte offset of each member, in order; members given as a list also serve blocks and cbuffers. */
export function memberOffsets(s: LayoutStruct, rule: LayoutRule, structs: LayoutStructs): number[] {
  return placeMembers(s, rule, structs).offsets;
}

/** One scalar or vector in memory. `path` starts with "" for the value itself: `.a`, `[2]`, `.m[1]`. */
export interface Leaf {
  readonly path: string;
  readonly type: Type;
  readonly offset: number;
}

/**
 * What a launch names of a by-value argument: members of structs, also in arrays (`p.a`, `p.list[1].a`). An array of
 * scalars, vectors or matrices is one leaf.
 */
export function launchLeaves(
  type: Type,
  rule: LayoutRule,
  structs: LayoutStructs,
  path: string,
  offset = 0,
): SizedLeaf[] {
  if (type.kind === "array" && isOneArgument(innermost(type), structs))
    return partsLeaves(type, rule, structs, path, offset);
  if (type.kind === "array" && innermost(type).kind === "struct") {
    const stride = arrayStride(type.element, rule, structs);
    return Array.from({ length: type.length ?? 0 }, (_, i) =>
      launchLeaves(type.element, rule, structs, `${path}[${i}]`, offset + i * stride),
    ).flat();
  }
  if (type.kind !== "struct") return [{ path, offset, size: layoutOf(type, rule, structs).size, type }];
  const s = structOf(type.name, structs);
  const offsets = memberOffsets(s, rule, structs);
  if (s.matrix) return [{ path, offset, size: layoutOf(type, rule, structs).size, type: s.members[0]!.type }];
  if (s.vector) return partsLeaves(type, rule, structs, path, offset);
  return s.members.flatMap((m, i): SizedLeaf[] => {
    const leaves = launchLeaves(m.type, rule, structs, `${path}.${m.name}`, offset + offsets[i]!);
    return m.gap ? leaves.map((l) => ({ ...l, derived: { gap: true as const } })) : leaves;
  });
}

/** A struct that is the parts of a vector or the columns of a matrix. */
function isOneArgument(type: Type, structs: LayoutStructs): boolean {
  const s = type.kind === "struct" ? structOf(type.name, structs) : undefined;
  return s?.vector !== undefined || s?.matrix !== undefined;
}

/** The parts of vectors or matrices that a launch gives as one list of numbers. */
function partsLeaves(type: Type, rule: LayoutRule, structs: LayoutStructs, path: string, offset: number): SizedLeaf[] {
  const parts: { readonly type: Type; readonly offset: number }[] = [];
  const place = (t: Type, at: number): void => {
    if (t.kind === "array") {
      const stride = arrayStride(t.element, rule, structs);
      for (let i = 0; i < (t.length ?? 0); i++) place(t.element, at + i * stride);
    } else if (t.kind === "struct") {
      const s = structOf(t.name, structs);
      const offsets = memberOffsets(s, rule, structs);
      s.members.forEach((m, i) => parts.push({ type: m.type, offset: at + offsets[i]! }));
    }
  };
  place(type, offset);
  const of = parts.reduce((sum, p) => sum + allComponents(p.type), 0);
  let first = 0;
  return parts.map((p): SizedLeaf => {
    const derived = { componentsOf: path, first, of };
    first += allComponents(p.type);
    return { path, ...p, size: layoutOf(p.type, rule, structs).size, derived };
  });
}

/** Of a scalar, a vector, or arrays of them. */
export const allComponents = (type: Type): number =>
  type.kind === "array" ? (type.length ?? 0) * allComponents(type.element) : componentsOf(type);

export interface SizedLeaf extends Leaf {
  readonly size: number;
  /** What a runner puts there that is no argument of its own (`Derived`). */
  readonly derived?:
    { readonly componentsOf: string; readonly first: number; readonly of: number } | { readonly gap: true };
}

const innermost = (type: Type): Type => (type.kind === "array" ? innermost(type.element) : type);

/** All scalars of a sized type with their offsets, for comparing layouts and for flattening by-value arguments. */
export function leavesOf(type: Type, rule: LayoutRule, structs: LayoutStructs, path = "", offset = 0): Leaf[] {
  switch (type.kind) {
    case "scalar":
      return [{ path, type, offset }];
    case "vector": {
      const unit = scalarSize(type.scalar, rule);
      return Array.from({ length: type.size }, (_, i) => ({
        path: `${path}[${i}]`,
        type: { kind: "scalar", scalar: type.scalar },
        offset: offset + i * unit,
      }));
    }
    case "matrix": {
      const column = shaped(type.scalar, type.rows);
      const stride = arrayStride(column, rule, structs);
      return Array.from({ length: type.columns }, (_, i) =>
        leavesOf(column, rule, structs, `${path}[${i}]`, offset + i * stride),
      ).flat();
    }
    case "array": {
      const stride = arrayStride(type.element, rule, structs);
      return Array.from({ length: type.length ?? 0 }, (_, i) =>
        leavesOf(type.element, rule, structs, `${path}[${i}]`, offset + i * stride),
      ).flat();
    }
    case "struct": {
      const s = structOf(type.name, structs);
      if (s.union) return unionLeaves(type, rule, structs, path, offset);
      const offsets = memberOffsets(s, rule, structs);
      return s.members.flatMap((m, i) => leavesOf(m.type, rule, structs, `${path}.${m.name}`, offset + offsets[i]!));
    }
    case "pointer":
    case "void":
      throw new Error(`${showType(type)} has no layout`);
    default:
      return assertNever(type);
  }
}

/** The scalars of the first member that leaves no byte out; else the bytes of all of them, in the widest pieces. */
function unionLeaves(type: StructType, rule: LayoutRule, structs: LayoutStructs, path: string, offset: number): Leaf[] {
  const { size, align } = layoutOf(type, rule, structs);
  for (const m of structOf(type.name, structs).members) {
    const leaves = leavesOf(m.type, rule, structs, `${path}.${m.name}`, offset);
    const bytes = leaves.reduce((sum, l) => sum + scalarSize((l.type as ScalarType).scalar, rule), 0);
    if (bytes === size) return leaves;
  }
  const kind = unitOfUnion(align);
  const unit = bitWidth(kind) / 8;
  return Array.from({ length: size / unit }, (_, i) => ({
    path: `${path}[${i}]`,
    type: { kind: "scalar", scalar: kind },
    offset: offset + i * unit,
  }));
}

/** What the bytes of a union so aligned are copied in. */
export const unitOfUnion = (align: number): "u8" | "u16" | "u32" => (align >= 4 ? "u32" : align === 2 ? "u16" : "u8");

/**
 * The first place where two rules lay a type out differently, or undefined: compares offsets of all scalars, the stride
 * of arrays (as buffers hold arrays of `type`), and the size of bools.
 */
export function layoutDifference(
  type: Type,
  a: LayoutRule,
  b: LayoutRule,
  structs: LayoutStructs,
  /** As `b` has them, where that differs. */
  structsOfB: LayoutStructs = structs,
  typeOfB: Type = type,
  /** Types as the message names them. */
  shown: (type: Type) => string = showType,
  /** Structs that were found to be alike. */
  alike = new Set<string>(),
): string | undefined {
  if (type.kind === "array" && typeOfB.kind === "array") {
    const [sa, sb] = [arrayStride(type.element, a, structs), arrayStride(typeOfB.element, b, structsOfB)];
    if (sa !== sb) return `elements of ${shown(type.element)} are ${sa} bytes apart in one and ${sb} in the other`;
    return layoutDifference(type.element, a, b, structs, structsOfB, typeOfB.element, shown, alike);
  }
  if (type.kind === "struct") {
    if (alike.has(type.name)) return undefined;
    const [s, of] = [structOf(type.name, structs), structOf(type.name, structsOfB)];
    const [oa, ob] = [memberOffsets(s, a, structs), memberOffsets(of, b, structsOfB)];
    for (const [i, m] of s.members.entries()) {
      if (oa[i] !== ob[i]) return `member ${m.name} is at byte ${oa[i]} in one and ${ob[i]} in the other`;
      const inner = layoutDifference(m.type, a, b, structs, structsOfB, of.members[i]!.type, shown, alike);
      if (inner) return `in member ${m.name}: ${inner}`;
    }
    const last = s.members.at(-1);
    const sized = !(last?.type.kind === "array" && last.type.length === undefined);
    const [la, lb] = [layoutOf(type, a, structs), layoutOf(type, b, structsOfB)];
    if (sized && la.size !== lb.size && a !== "cbuffer" && b !== "cbuffer") {
      return `struct ${type.name} is ${la.size} bytes in one and ${lb.size} in the other`;
    }
    alike.add(type.name);
    return undefined;
  }
  if (type.kind === "scalar" || type.kind === "vector") {
    if (type.scalar === "bool" && scalarSize("bool", a) !== scalarSize("bool", b)) return "bool has different sizes";
    return undefined;
  }
  if (type.kind === "matrix") {
    const column = shaped(type.scalar, type.rows);
    const [sa, sb] = [arrayStride(column, a, structs), arrayStride(column, b, structs)];
    return sa === sb ? undefined : `columns of ${shown(type)} are ${sa} bytes apart in one and ${sb} in the other`;
  }
  return undefined;
}
