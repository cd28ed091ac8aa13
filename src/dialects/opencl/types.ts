/** Types of OpenCL C 3.0: section 6.3. */
import { own } from "../../support/own.js";
import { eventType, isEvent, scalar, type ScalarKind } from "../../types/types.js";
import {
  cKinds,
  cLike,
  cScalarNames,
  differenceType,
  inOrder,
  sizeType,
  type TypeNameResult,
  type TypeNames,
  unscoped,
  vectorOf,
  vectorPattern,
} from "../type-names.js";

function openclType(name: string): TypeNameResult {
  if (name === "size_t" || name === "uintptr_t") return { type: sizeType };
  if (name === "ptrdiff_t" || name === "intptr_t") return { type: differenceType };
  if (name === "event_t") return { type: eventType };
  // As clang's header has it.
  if (name === "cl_mem_fence_flags") return { type: scalar("u32") };
  if (name === "_Bool") return { type: scalar("bool") };
  const kind = own(cKinds, inOrder(name));
  if (kind) return { type: scalar(kind) };
  const atomic = own(openclAtomics, name);
  if (atomic) return { type: { kind: "scalar", scalar: atomic, distinct: "atomic" } };
  const v = vectorPattern.exec(name);
  if (v && v[1] !== "bool") return vectorOf(cKinds[v[1]!]!, v[2]!);
  if (/^(image|sampler_t|queue_t|ndrange_t|clk_event_t|reserve_id_t|pipe|long long|unsigned long long)/.test(name)) {
    return { notYet: `type '${name}' is` };
  }
  return undefined;
}

const openclAtomics: Readonly<Record<string, ScalarKind>> = {
  atomic_int: "i32",
  atomic_uint: "u32",
  atomic_long: "i64",
  atomic_ulong: "u64",
  atomic_float: "f32",
  atomic_double: "f64",
  atomic_half: "f16",
  atomic_flag: "i32",
  // As wide as addresses are.
  atomic_size_t: "u64",
  atomic_uintptr_t: "u64",
  atomic_ptrdiff_t: "i64",
  atomic_intptr_t: "i64",
};

/** How texts spell them. */
export const scalarNames = cScalarNames;

const spelled = cLike(scalarNames);

export const spaces = { global: "__global", workgroup: "__local", private: "", constant: "__constant" };

export const types: TypeNames = {
  named: unscoped(openclType),
  // Truths of vectors are ints.
  spelled: (type) =>
    isEvent(type)
      ? "event_t"
      : spelled(type.kind === "vector" && type.scalar === "bool" ? { ...type, scalar: "i32" } : type),
  spaces,
};
