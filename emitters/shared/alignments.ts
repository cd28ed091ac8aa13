/** What clang's languages say of where the members of a struct lie, beyond their types. */
import type { Module, StructDeclaration, StructMember } from "./tree.js";
import { isPacked, layoutOf } from "../../src/types/layout.js";

type Structs = Module["structs"];

/** Every member says how it is aligned, and one to less than its type is: `packed` stands once, with the struct. */
const isPackedAsWhole = (s: StructDeclaration, structs: Structs): boolean =>
  isPacked(s, structs) && s.members.every((m) => m.align !== undefined);

const written = (attributes: readonly string[]): string =>
  attributes.length === 0 ? "" : ` __attribute__((${attributes.join(", ")}))`;

export const structAttributes = (s: StructDeclaration, structs: Structs): string =>
  written([
    ...(isPackedAsWhole(s, structs) ? ["packed"] : []),
    ...(s.align === undefined ? [] : [`aligned(${s.align})`]),
  ]);

export function memberAttributes(s: StructDeclaration, { align, type }: StructMember, structs: Structs): string {
  if (align === undefined) return "";
  const whole = isPackedAsWhole(s, structs);
  const packed = !whole && align < layoutOf(type, "natural", structs).align;
  const aligned = whole || packed ? align > 1 : true;
  return written([...(packed ? ["packed"] : []), ...(aligned ? [`aligned(${align})`] : [])]);
}
