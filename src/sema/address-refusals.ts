/**
 * What is not known of pointers that the host writes: the buffers that stand for them begin nowhere, and are the same for the whole
 * run.
 */
import type { Expr, Module, Place, VarId } from "../ast/nodes.js";
import { walkModule } from "../ast/walk.js";
import type { Span } from "../support/span.js";
import type { Type } from "../types/types.js";

type Canonical = Module<"canonical">;
type Refuse = (what: string, span: Span, help: string) => void;

/** `hasReferences`: the language makes pointers of numbers, and the text may. */
export function refuseUnknownAddresses(module: Canonical, hasReferences: boolean, refuse: Refuse): void {
  if (!hasReferences && !module.resources.some((r) => r.pointerIn)) return;
  walkModule(module, {
    expr: (e) => {
      if (e.kind !== "bitcast") return;
      const [from, to] = [e.operand.type, e.type];
      if (to.kind === "pointer" && from.kind !== "pointer")
        refuse(
          "a reference made of such a number is",
          e.span,
          "name a member that the host writes: T(block.address), or T(block.address + uint64_t(i) * 16ul) with the bytes of a block",
        );
      if (to.kind !== "pointer" && isHosts(e.operand))
        refuse(
          "the number of an address that the host writes is",
          e.span,
          "count from the beginning of the buffer, or compare with zero where the number is read",
        );
      if (
        to.kind === "pointer" &&
        from.kind === "pointer" &&
        from.space !== "private" &&
        holdsAddress(module.structs, from.pointee)
      )
        refuse("memory with pointers that is looked at as another type is", e.span, "name the members");
    },
  });
  refuseWritten(module, refuse);
}

const isHosts = ({ type }: Expr): boolean =>
  type.kind === "pointer" && (type.space === "global" || type.space === "constant");

const holdsAddress = (structs: Canonical["structs"], type: Type): boolean =>
  type.kind === "array"
    ? holdsAddress(structs, type.element)
    : type.kind === "struct" &&
      structs.get(type.name)!.members.some((m) => m.address !== undefined || holdsAddress(structs, m.type));

/** Numbers in buffers that the kernel may write are not what the host wrote. */
function refuseWritten(module: Canonical, refuse: Refuse): void {
  const held = new Map<VarId, (readonly (string | number)[])[]>();
  for (const { pointerIn } of module.resources)
    if (pointerIn?.isNumber && pointerIn.resource !== undefined)
      held.set(pointerIn.resource, [...(held.get(pointerIn.resource) ?? []), pointerIn.members]);
  walkModule(module, {
    place: (p, use) => {
      if (use === "read") return;
      const at = membersOf(p);
      // Of an array any element may be meant.
      const meets = (members: readonly (string | number)[]): boolean =>
        members.filter((m) => typeof m === "string").every((m, i) => (at!.members[i] ?? m) === m);
      if (at && (held.get(at.variable) ?? []).some(meets))
        refuse("an address that the kernel itself may write is", p.span, "let the host write it elsewhere");
      return false;
    },
  });
}

/** A variable and the members behind it, as far as they are the same for all elements. */
function membersOf(p: Place): { readonly variable: VarId; readonly members: readonly string[] } | undefined {
  switch (p.kind) {
    case "variable":
      return { variable: p.variable, members: [] };
    case "deref":
      return undefined;
    case "member": {
      const base = membersOf(p.base);
      return base && { variable: base.variable, members: [...base.members, p.member] };
    }
    default:
      return membersOf(p.base);
  }
}
