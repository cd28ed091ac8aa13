/**
 * Packed vectors (MSL `packed_float3`) of a target that has none are plain ones, when buffers that hold them are words of the
 * source's layout (raw-buffers.ts).
 */
import type { Expr, Module, StructDeclaration, Variable } from "../../ast/nodes.js";
import { rewriteModule } from "../../ast/walk.js";
import { writingFacts } from "../../dialects/languages.js";
import { sameType, vector, withLeaves, type Type } from "../../types/types.js";
import type { TextPass } from "../pass.js";

/** A type as dialects without packed vectors have it. */
export const plainType = (type: Type): Type =>
  withLeaves(type, (t) => (t.kind === "vector" && t.packed ? vector(t.scalar, t.size) : t));

type Retyping = (type: Type) => Type;

function retyped<T extends { readonly type: Type }>(x: T, retype: Retyping = plainType): T {
  const type = retype(x.type);
  return type === x.type ? x : { ...x, type };
}

const known = new WeakMap<Retyping, WeakMap<Module["structs"], Module["structs"]>>();

/** The structs with members of other types, by default those of dialects without packed vectors; the same map where nothing changes. */
export function retypedStructs({ structs }: Module, retype: Retyping = plainType): Module["structs"] {
  const ofType = known.get(retype) ?? new WeakMap<Module["structs"], Module["structs"]>();
  known.set(retype, ofType);
  let found = ofType.get(structs);
  if (!found) {
    const other = [...structs].map(([name, s]): readonly [string, StructDeclaration] => {
      const members = s.members.map((m) => retyped(m, retype));
      return [name, members.some((m, i) => m !== s.members[i]) ? { ...s, members } : s];
    });
    ofType.set(structs, (found = other.some(([name, s]) => s !== structs.get(name)) ? new Map(other) : structs));
  }
  return found;
}

/** A cast of a pointer to const to one that may be written through. */
const sheds = ({ operand, type }: Extract<Expr, { kind: "convert" | "bitcast" }>): boolean =>
  operand.type.kind === "pointer" && operand.type.readOnly === true && type.kind === "pointer" && !type.readOnly;

export const plainVectors: TextPass = {
  name: "plain-vectors",
  run(module, context) {
    if (writingFacts(context.target).packedVectors) return module;
    const variables = new Map([...module.variables].map(([id, v]): [number, Variable] => [id, retyped(v)]));
    const functions = module.functions.map((f) => {
      const returnType = plainType(f.returnType);
      return returnType === f.returnType ? f : { ...f, returnType };
    });
    return rewriteModule(
      { ...module, variables, functions, structs: retypedStructs(module) },
      {
        expr: (e) => {
          const plain = retyped(e);
          const converts = plain.kind === "convert" || (plain.kind === "bitcast" && !plain.volatile && !plain.atomic);
          return converts && sameType(plain.operand.type, plain.type) && !sheds(plain) ? plain.operand : plain;
        },
        place: retyped,
        keepsMeaning: true,
      },
    );
  },
};
