/** Which pointers objects hold, and what is left of a struct without them. */
import { constantOf, construct } from "../ast/builders.js";
import type { Expr, Module, StructDeclaration, StructMember } from "../ast/nodes.js";
import { vector, type PointerType, type Type } from "../types/types.js";

/** A pointer in an object, by the members that lead to it. */
export interface PointerLeaf {
  readonly path: readonly string[];
  readonly type: PointerType;
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

  leaves(type: Type): readonly PointerLeaf[] {
    if (type.kind !== "struct") return [];
    let found = this.known.get(type.name);
    if (!found) {
      found = (this.structs.get(type.name)?.members ?? []).flatMap((m): PointerLeaf[] =>
        m.type.kind === "pointer"
          ? [{ path: [m.name], type: m.type }]
          : this.leaves(m.type).map(({ path, type: t }) => ({ path: [m.name, ...path], type: t })),
      );
      this.known.set(type.name, found);
    }
    return found;
  }

  /** Whether an object of the type has pointers, in an array or behind no further pointer. */
  holds(type: Type): boolean {
    return type.kind === "array" ? this.holds(type.element) : this.leaves(type).length > 0;
  }

  /** Bytes for the pointers in a value of the type, where they stay as those of nothing: in structs that lie in memory of the host. */
  bytesFor(type: Type): readonly Expr[] {
    if (type.kind === "pointer") return [constantOf(addressBytes, 0)];
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
    return (
      type.kind === "struct" &&
      this.holds(type) &&
      this.structs.get(type.name)!.members.every((m) => m.type.kind === "pointer" || this.isBare(m.type))
    );
  }

  typeOf(type: Type, name: string): Type {
    const declared = type.kind === "struct" ? this.structs.get(type.name) : undefined;
    return declared!.members.find((m) => m.name === name)!.type;
  }

  membersOf(type: Type): StructDeclaration["members"] {
    return type.kind === "struct" ? this.structs.get(type.name)!.members : [];
  }

  /** The structs as they are without. */
  rest(): Map<string, StructDeclaration> {
    return new Map(
      [...this.structs].flatMap(([name, d]): [string, StructDeclaration][] => {
        const type: Type = { kind: "struct", name };
        if (!this.holds(type)) return [[name, d]];
        if (this.inMemory.has(name)) return [[name, { ...d, members: d.members.map(withoutAddress) }]];
        if (this.isBare(type)) return [];
        return [[name, { ...d, members: d.members.filter((m) => m.type.kind !== "pointer" && !this.isBare(m.type)) }]];
      }),
    );
  }
}

/** The bytes of a pointer that the host writes, which nothing reads. */
const withoutAddress = (m: StructMember): StructMember =>
  m.type.kind === "pointer" ? { ...m, type: addressBytes, gap: true, address: m.type } : m;

const addressBytes = vector("u32", 2);
