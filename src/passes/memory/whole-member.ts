/** Of a union that is moved to or from words: the member that fills all of its bytes, so that none of another member's is lost. */
import { allComponents, arrayStride, layoutOf, scalarSize, scalarsOf } from "../../types/layout.js";
import type { LayoutRule, LayoutStruct, LayoutStructs } from "../../types/layout.js";
import { isFloat, type Type } from "../../types/types.js";

type Member = LayoutStruct["members"][number];

/** Rather one of integers, whose copies keep every bit; none of bools, whose other bits a copy loses. */
export function wholeMember(
  { members }: { readonly members: readonly Member[] },
  size: number,
  rule: LayoutRule,
  structs: LayoutStructs,
): Member | undefined {
  const whole = members.filter(
    ({ type }) => filled(type, rule, structs) === size && !scalarsOf(type, structs).includes("bool"),
  );
  return whole.find(({ type }) => !scalarsOf(type, structs).some(isFloat)) ?? whole[0];
}

/** Bytes that hold values; -1 where it is not all of them. */
function filled(type: Type, rule: LayoutRule, structs: LayoutStructs): number {
  const { size } = layoutOf(type, rule, structs);
  const all = (bytes: number): number => (bytes === size ? size : -1);
  switch (type.kind) {
    case "scalar":
    case "vector":
    case "matrix":
      return all(allComponents(type) * scalarSize(type.scalar, rule));
    case "array": {
      const stride = arrayStride(type.element, rule, structs);
      return filled(type.element, rule, structs) === stride ? size : -1;
    }
    case "struct": {
      const declared = structs.get(type.name)!;
      if (declared.union) return wholeMember(declared, size, rule, structs) ? size : -1;
      return all(declared.members.reduce((sum, m) => sum + filled(m.type, rule, structs), 0));
    }
    default:
      return -1;
  }
}
