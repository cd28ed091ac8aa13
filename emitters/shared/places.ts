/** Places, and pointers to them. */
import { ledBackBy, literalValue } from "../../src/ast/builders.js";
import { functionOf } from "../../src/ast/lookup.js";
import { precedence } from "../../src/ast/operators.js";
import { walkModule } from "../../src/ast/walk.js";
import { assertNever } from "../../src/support/assert-never.js";
import { hasRuntimeTail } from "../../src/types/layout.js";
import { componentCount, componentsOf, scalarOf, type Type } from "../../src/types/types.js";
import type { ExpressionPrinter } from "./expressions.js";
import { typedNull } from "./operators.js";
import type { Text } from "./syntax.js";
import { postfix, primary, wrap } from "./text.js";
import type { FunctionId, Place, VarId, PointerOffset } from "./tree.js";

export class PlacePrinter {
  private readonly qualifiers = new Map<VarId, string>();
  private readonly unwrapped = new Set<VarId>();
  private readonly spelled = new Map<VarId, string>();
  private indexed: ReadonlySet<VarId> | undefined;

  constructor(private readonly values: ExpressionPrinter) {}

  /** The variable is a member of the block instance: `p.seed`. */
  qualify(id: VarId, instance: string): void {
    this.qualifiers.set(id, instance);
  }

  /** The variable is an element of an array of blocks: `data[2]`. */
  spell(id: VarId, text: string): void {
    this.spelled.set(id, text);
  }

  /** Members of this variable are file-scope names themselves (a block without instance name). */
  unwrapBlock(id: VarId): void {
    this.unwrapped.add(id);
  }

  addressText(place: Place, text: Text): string {
    if (place.kind === "variable" && this.isPointerReference(place.variable))
      return this.values.names.variable(place.variable);
    if (place.kind === "deref") return this.values.text(place.pointer, "exact");
    return `&${wrap(text, precedence.unary)}`;
  }

  /** `&place`, or the array itself for its first element: of a row as the source has it, which may lead on to others. */
  addressOf(place: Place, type: Type, inRow = false): Text {
    if (
      !inRow &&
      place.kind === "element" &&
      place.base.type.kind === "array" &&
      place.index.kind === "literal" &&
      Number(place.index.value) === 0
    ) {
      return { ...this.place(place.base), type };
    }
    // The end of an array is no element of it.
    if (
      place.kind === "element" &&
      place.base.type.kind === "array" &&
      place.index.kind === "literal" &&
      Number(place.index.value) === place.base.type.length
    )
      return {
        text: `${wrap(this.place(place.base), precedence.additive)} + ${this.values.text(place.index, "index", precedence.additive)}`,
        precedence: precedence.additive,
        type,
      };
    return { text: this.addressText(place, this.place(place)), precedence: precedence.unary, type };
  }

  /** Pointers used like arrays: their first element is `p[0]`, too. */
  private indexedPointers(): ReadonlySet<VarId> {
    if (this.indexed) return this.indexed;
    const found = new Set<VarId>();
    walkModule(this.values.module, {
      place: (p) => {
        if (p.kind !== "deref" || p.pointer.kind !== "pointer-offset") return;
        const base = p.pointer.pointer;
        if (base.kind === "load" && base.place.kind === "variable") found.add(base.place.variable);
      },
    });
    return (this.indexed = found);
  }

  /** A struct that takes the rest of its buffer, where buffers are bound as pointers: there is no second one. */
  private isOnlyStruct(p: Place): p is Place & { kind: "element" } {
    return (
      p.kind === "element" &&
      !this.values.syntax.references &&
      literalValue(p.index) === 0 &&
      hasRuntimeTail(p.type, this.values.module.structs)
    );
  }

  returnsReference(id: FunctionId): boolean {
    return this.values.syntax.references && functionOf(this.values.module, id)?.returnsReference === true;
  }

  /** A `ref` parameter in a target without references. */
  private isPointerReference(id: VarId): boolean {
    const v = this.values.variable(id);
    return !this.values.syntax.references && v.mode === "ref" && v.type.kind !== "array";
  }

  place(p: Place): Text {
    switch (p.kind) {
      case "variable": {
        const spelled = this.spelled.get(p.variable);
        if (spelled) return this.represented(postfix(spelled, p.type));
        const instance = this.qualifiers.get(p.variable);
        if (instance) return this.represented(postfix(`${instance}.${this.values.names.variable(p.variable)}`, p.type));
        const name = this.values.names.variable(p.variable);
        if (this.isPointerReference(p.variable))
          return this.represented({ text: `*${name}`, precedence: precedence.unary, type: p.type });
        return this.represented(primary(name, p.type));
      }
      case "deref": {
        const pointer = typedNull(p.pointer);
        if (pointer.kind === "call" && this.returnsReference(pointer.function))
          return this.represented(postfix(this.values.call(pointer).text, p.type));
        if (pointer.kind === "pointer-offset") {
          const base = this.values.text(typedNull(pointer.pointer), "exact", precedence.postfix);
          return this.represented(postfix(`${base}[${this.values.text(pointer.offset, "offset")}]`, p.type));
        }
        if (
          pointer.kind === "load" &&
          pointer.place.kind === "variable" &&
          this.indexedPointers().has(pointer.place.variable)
        )
          return this.represented(postfix(`${this.values.text(pointer, "exact", precedence.postfix)}[0]`, p.type));
        return this.represented({
          text: `*${this.values.text(pointer, "exact", precedence.unary)}`,
          precedence: precedence.unary,
          type: p.type,
        });
      }
      case "element": {
        const base = this.place(p.base);
        const text = postfix(`${wrap(base, precedence.postfix)}[${this.values.text(p.index, "index")}]`, p.type);
        return this.represented(p.base.type.kind === "vector" ? this.marked(text, base) : text);
      }
      case "member": {
        return this.memberOf(p, p.base);
      }
      case "swizzle": {
        const size = componentCount(p.base.type) ?? 4;
        const base = this.place(p.base);
        return this.marked(
          this.represented(this.member(base, this.values.syntax.components(p.components, size), p.type)),
          base,
        );
      }
      case "raw-word":
        throw new Error("a word of a raw buffer is no place of its own");
      default:
        return assertNever(p);
    }
  }

  /** A member without a name: what is in it is named as if it were a member of what it is in. */
  isAnonymous(struct: Type, member: string): boolean {
    if (!this.values.hasAnonymousMembers) return false;
    const declared = struct.kind === "struct" ? this.values.module.structs.get(struct.name) : undefined;
    return declared?.members.some((m) => m.name === member && m.anonymous) ?? false;
  }

  /** `base`: what the member is named after, which may be further out than where it lies. */
  private memberOf(p: Place & { readonly kind: "member" }, base: Place): Text {
    if (base.kind === "member" && this.isAnonymous(base.base.type, base.member)) return this.memberOf(p, base.base);
    const struct = p.base.type.kind === "struct" ? p.base.type.name : "";
    const name = this.values.names.member(struct, p.member);
    if (base.kind === "variable" && this.unwrapped.has(base.variable)) return this.represented(primary(name, p.type));
    if (
      base.kind === "deref" &&
      base.pointer.kind !== "pointer-offset" &&
      !(base.pointer.kind === "call" && this.returnsReference(base.pointer.function))
    )
      return this.represented(
        postfix(`${this.values.text(typedNull(base.pointer), "exact", precedence.postfix)}->${name}`, p.type),
      );
    if (this.isOnlyStruct(base)) return this.represented(postfix(`${this.place(base.base).text}->${name}`, p.type));
    if (base.kind === "variable" && this.isPointerReference(base.variable))
      return this.represented(postfix(`${this.values.names.variable(base.variable)}->${name}`, p.type));
    return this.represented(this.member(this.place(base), name, p.type));
  }

  member(base: Text, name: string, type: Type): Text {
    return this.marked(postfix(`${wrap(base, precedence.postfix)}.${name}`, type), base);
  }

  /** Parts of a mask are masks. */
  marked(t: Text, base: Text): Text {
    if (!base.mask) return t;
    const size = componentsOf(t.type);
    const kind = scalarOf(base.type) ?? "i32";
    return {
      ...t,
      mask: true,
      type: size === 1 ? { kind: "scalar", scalar: kind } : { kind: "vector", scalar: kind, size: size as 2 | 3 | 4 },
    };
  }

  represented(t: Text): Text {
    return this.values.syntax.represent ? this.values.syntax.represent(t) : t;
  }

  pointerOffset(e: PointerOffset): Text {
    const pointer = this.values.value(e.pointer, "exact");
    const back = ledBackBy(e.offset);
    if (back)
      return {
        text: `${wrap(pointer, precedence.additive)} - ${this.values.text(back, "offset", precedence.multiplicative)}`,
        precedence: precedence.additive,
        type: e.type,
      };
    return {
      text: `${wrap(pointer, precedence.additive)} + ${this.values.text(e.offset, "offset", precedence.multiplicative)}`,
      precedence: precedence.additive,
      type: e.type,
    };
  }
}
