/** Which pointers objects hold, and what is left of a struct without them. */
import { constantOf, construct, element, i32Literal, variablePlace } from "../ast/builders.js";
import type { Expr, Module, Place, StructDeclaration, StructMember, Variable, VarId } from "../ast/nodes.js";
import { array, isArrayOfPointers, vector, type Type } from "../types/types.js";
import { holdsPointerToPointer } from "./chosen-pointers.js";

/** A member, or an element of an array: which one, or any. */
export type Step = string | number;
const anyElement = "[]";

/** Pointers in an object that lie behind the same members: one, or those of all elements of arrays on the way. */
export interface PointerLeaf {
  readonly path: readonly Step[];
  /** A pointer, or an array of pointers for arrays on the way. */
  readonly type: Type;
}

/** The same for all elements. */
export const keyOf = (path: readonly Step[]): string =>
  path.map((step) => (typeof step === "number" ? anyElement : step)).join(".");

export const nameOf = (path: readonly Step[]): string => path.filter((s) => s !== anyElement).join("_");

/** The variable a path begins at, and the steps that follow, with the elements that are meant. */
export interface ObjectPath {
  readonly variable: VarId;
  readonly path: readonly Step[];
  readonly indices: readonly Expr[];
}

export function pathOf(p: Place): ObjectPath | undefined {
  if (p.kind === "variable") return { variable: p.variable, path: [], indices: [] };
  if (p.kind !== "member" && (p.kind !== "element" || p.base.type.kind !== "array")) return undefined;
  const base = pathOf(p.base);
  if (!base || p.kind === "member")
    return base && { ...base, path: [...base.path, (p as Place & { kind: "member" }).member] };
  return { ...base, path: [...base.path, anyElement], indices: [...base.indices, p.index] };
}

/** The pointer of these elements in the variable for all of them. */
export const partPlace = (part: Variable, indices: readonly Expr[]): Place =>
  indices.reduce<Place>((at, index) => element(at, index, index.span), variablePlace(part));

/** The numbers in a path, as indices. */
export const numbersIn = (path: readonly Step[]): Expr[] =>
  path.flatMap((step) => (typeof step === "number" ? [i32Literal(step)] : []));

/** Each pointer of a leaf by itself. */
export function pointersOf({
  path,
  type,
}: PointerLeaf): readonly { readonly path: readonly Step[]; readonly type: Type }[] {
  let paths: readonly (readonly Step[])[] = [[]];
  let at = type;
  for (const step of path) {
    if (step !== anyElement || at.kind !== "array") {
      paths = paths.map((p) => [...p, step]);
      continue;
    }
    const { length = 0, element: next } = at;
    paths = paths.flatMap((p) => Array.from({ length }, (_, i) => [...p, i]));
    at = next;
  }
  return paths.map((p) => ({ path: p, type: at }));
}

/** Where in objects of each type pointers lie, and what is left of a struct without them. */
export class Shapes {
  private readonly known = new Map<string, readonly PointerLeaf[]>();

  private readonly structs: ReadonlyMap<string, StructDeclaration>;
  /** Structs that lie in memory which the host fills: their bytes stay where they are. */
  private readonly inMemory = new Set<string>();

  constructor({ structs, resources, variables }: Module<"canonical">) {
    this.structs = structs;
    for (const r of resources) this.note(variables.get(r.variable)!.type);
  }

  private note(type: Type): void {
    if (type.kind === "array") this.note(type.element);
    else if (type.kind === "pointer") this.note(type.pointee);
    else if (type.kind === "struct" && !this.inMemory.has(type.name)) {
      this.inMemory.add(type.name);
      for (const m of this.structs.get(type.name)!.members) this.note(m.type);
    }
  }

  /** Of a struct, or an array of them: a pointer and an array of pointers are variables as they are. */
  leaves(type: Type): readonly PointerLeaf[] {
    let innermost = type;
    while (innermost.kind === "array") innermost = innermost.element;
    return innermost.kind === "struct" ? this.inside(type) : [];
  }

  private inside(type: Type): readonly PointerLeaf[] {
    if (type.kind === "pointer") return [{ path: [], type }];
    if (type.kind === "array")
      return this.inside(type.element).map(({ path, type: t }) => ({
        path: [anyElement, ...path],
        type: array(t, type.length),
      }));
    if (type.kind !== "struct") return [];
    let found = this.known.get(type.name);
    if (!found) {
      found = (this.structs.get(type.name)?.members ?? []).flatMap((m) =>
        this.inside(m.type).map(({ path, type: t }): PointerLeaf => ({ path: [m.name, ...path], type: t })),
      );
      this.known.set(type.name, found);
    }
    return found;
  }

  /** Whether an object of the type has pointers, in an array or behind no further pointer. */
  holds(type: Type): boolean {
    return this.leaves(type).length > 0;
  }

  /** Whether arrays in it have pointers. */
  holdsArrays(type: Type): boolean {
    return this.leaves(type).some((l) => l.type.kind === "array");
  }

  /** Whether pointers in it lead to pointers. */
  holdsPointersToPointers(type: Type): boolean {
    return this.leaves(type).some((l) => holdsPointerToPointer(l.type));
  }

  /** Bytes for the pointers in a value of the type, where they stay as those of nothing: in structs that lie in memory of the host. */
  bytesFor(type: Type): readonly Expr[] {
    if (type.kind === "pointer") return [constantOf(addressBytes, 0)];
    if (type.kind === "array") {
      const one = this.bytesFor(type.element);
      return [
        construct(
          isArrayOfPointers(type) ? bytesOfAddresses(type) : type,
          Array.from({ length: type.length ?? 0 }, () => one).flat(),
        ),
      ];
    }
    const members = this.membersOf(type);
    return [
      construct(
        type,
        members.flatMap((m) => this.bytesFor(m.type)),
      ),
    ];
  }

  keepsBytes(type: Type): boolean {
    return type.kind === "struct" && this.inMemory.has(type.name);
  }

  /** Whether nothing but pointers lies in it. */
  isBare(type: Type): boolean {
    return this.holds(type) && this.isOnlyPointers(type);
  }

  private isOnlyPointers(type: Type): boolean {
    if (type.kind === "pointer") return true;
    if (type.kind === "array") return this.isOnlyPointers(type.element);
    return type.kind === "struct" && this.structs.get(type.name)!.members.every((m) => this.isOnlyPointers(m.type));
  }

  membersOf(type: Type): StructDeclaration["members"] {
    return type.kind === "struct" ? this.structs.get(type.name)!.members : [];
  }

  /** Whether a member is gone where pointers are. */
  isGone(type: Type): boolean {
    return this.isOnlyPointers(type);
  }

  /** The structs as they are without. */
  rest(): Map<string, StructDeclaration> {
    return new Map(
      [...this.structs].flatMap(([name, d]): [string, StructDeclaration][] => {
        const type: Type = { kind: "struct", name };
        if (!this.holds(type)) return [[name, d]];
        if (this.inMemory.has(name)) return [[name, { ...d, members: d.members.map(withoutAddress) }]];
        if (this.isBare(type)) return [];
        return [[name, { ...d, members: d.members.filter((m) => !this.isGone(m.type)) }]];
      }),
    );
  }
}

/** The bytes of a pointer that the host writes, or of an array of them, which nothing reads. */
const withoutAddress = (m: StructMember): StructMember =>
  m.type.kind === "pointer" || isArrayOfPointers(m.type)
    ? { ...m, type: bytesOfAddresses(m.type), gap: true, address: m.type }
    : m;

/** The type of a pointer, or an array of them, as the bytes it has. */
export const bytesOfAddresses = (type: Type): Type =>
  type.kind === "array" ? array(bytesOfAddresses(type.element), type.length) : addressBytes;

const addressBytes = vector("u32", 2);
