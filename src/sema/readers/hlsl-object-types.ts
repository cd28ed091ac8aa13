/** Types of HLSL's buffers. */
import type { Type } from "../../types/types.js";
import type { ResourceObject, Sema } from "../context.js";

export function objectForm(name: string): Pick<ResourceObject, "view" | "writable" | "counted"> {
  const kind = name.replace(/^(RW|Append|Consume)/, "");
  const view = kind === "StructuredBuffer" ? "structured" : kind === "ByteAddressBuffer" ? "raw" : "typed";
  return { view, writable: kind !== name, ...(/^(Append|Consume)/.test(name) ? { counted: true } : {}) };
}

export const objectNamed = (name: string, held: Type): ResourceObject => ({
  ...objectForm(name),
  element: held.kind === "array" ? held.element : held,
  typeName: name,
});

export function holdsObjects(s: Sema, type: Type): boolean {
  if (type.kind === "pointer") return type.object !== undefined;
  if (type.kind === "array") return holdsObjects(s, type.element);
  return type.kind === "struct" && s.structs.get(type.name)!.members.some((m) => holdsObjects(s, m.type));
}
