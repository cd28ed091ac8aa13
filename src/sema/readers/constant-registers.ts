/**
 * Where the members of HLSL's constant buffers lie, as DXC lists and loads them: what `packoffset` places, and the others in their order
 * behind the last of these. Without 16-bit types a matrix of bool that is a member itself, in no struct and no array, takes whole
 * registers, and such a member of minimum precision shares none with others. A buffer in a struct takes the room of one of its elements, if these are not typed or bytes.
 */
import type { StructMember } from "../../ast/nodes.js";
import { layoutOf, placeBehind, scalarSize, scalarsOf, type Layout } from "../../types/layout.js";
import type { Type } from "../../types/types.js";
import { isMinimum } from "../minimum-precision.js";
import type { Sema } from "../context.js";
import { holdsObjects, objectNamed } from "./hlsl-object-types.js";

type Member = Pick<StructMember, "type">;

const takesRegisters = (s: Sema, type: Type): boolean =>
  !s.narrowTypes && type.kind === "matrix" && type.scalar === "bool";

function layoutAsMember(s: Sema, type: Type): Layout {
  if (holdsObjects(s, type)) return holderLayout(s, type);
  const own = layoutOf(type, "cbuffer", s.structs);
  return takesRegisters(s, type) ? { size: Math.ceil(own.size / 16) * 16, align: 16 } : own;
}

/** `given`: the bytes at which `packoffset` puts them. */
export function constantOffsets(
  s: Sema,
  members: readonly Member[],
  given: readonly (number | undefined)[] = [],
): readonly number[] {
  const layouts = members.map((m) => layoutAsMember(s, m.type));
  let end = Math.max(0, ...layouts.map((l, i) => (given[i] === undefined ? 0 : given[i] + l.size)));
  let minimum = false;
  return layouts.map((l, i) => {
    if (given[i] !== undefined) return given[i];
    const own = precisionOf(members[i]!.type, minimum);
    const at = placeBehind(own === minimum ? end : nextRegister(end), l, "cbuffer");
    minimum = own;
    end = at + l.size;
    return at;
  });
}

/** Arrays and structs begin registers, whatever they are of; what is behind an array is beside what was before it. */
const precisionOf = (type: Type, before: boolean): boolean => (type.kind === "array" ? before : isMinimum(type));

const nextRegister = (end: number): number => Math.ceil(end / 16) * 16;

/** Whether they lie elsewhere than one behind the other. */
export const areMoved = (s: Sema, members: readonly Member[], given: readonly (number | undefined)[] = []): boolean =>
  given.some((g) => g !== undefined) || members.some((m) => takesRegisters(s, m.type) || isMinimum(m.type));

/** Where the next variable of the file that the host sets lies; `moved`: elsewhere than behind the values before it. */
export function nextInGlobals(s: Sema, type: Type): { readonly offset: number; readonly moved: boolean } {
  const { globals } = s;
  const own = layoutAsMember(s, type);
  const minimum = precisionOf(type, globals.minimum);
  const offset = placeBehind(minimum === globals.minimum ? globals.end : nextRegister(globals.end), own, "cbuffer");
  globals.end = offset + own.size;
  globals.minimum = minimum;
  globals.moved ||= takesRegisters(s, type) || holdsObjects(s, type) || minimum;
  return { offset, moved: globals.moved };
}

/** Members of a struct that holds buffers. */
export function holderMembers(
  s: Sema,
  members: readonly Member[],
): { readonly offsets: number[]; readonly end: number } {
  const offsets: number[] = [];
  let end = 0;
  for (const m of members) {
    const isBuffer = m.type.kind === "pointer";
    const own = holderLayout(s, m.type);
    // What a buffer takes may cross registers.
    const at = isBuffer ? Math.ceil(end / own.align) * own.align : placeBehind(end, own, "cbuffer");
    offsets.push(at);
    end = at + own.size;
  }
  return { offsets, end };
}

function holderLayout(s: Sema, type: Type): Layout {
  if (type.kind === "pointer") {
    const { view, element } = objectNamed(type.object!, type.pointee);
    if (view !== "structured") return { size: 0, align: 4 };
    const align = Math.min(4, ...scalarsOf(element, s.structs).map((k) => scalarSize(k, "cbuffer")));
    return { size: layoutOf(element, "cbuffer", s.structs).size, align };
  }
  if (!holdsObjects(s, type)) return layoutOf(type, "cbuffer", s.structs);
  if (type.kind === "struct") return { size: holderMembers(s, s.structs.get(type.name)!.members).end, align: 16 };
  if (type.kind !== "array") throw new Error("no other type holds buffers");
  const { size } = holderLayout(s, type.element);
  const stride = Math.ceil(size / 16) * 16;
  return { size: stride * (type.length! - 1) + size, align: 16 };
}
