/**
 * Vectors longer than the target's become structs of vectors of four (docs/design/wide-vectors.md), when `divide-vectors` has
 * left nothing of them but values as a whole and their parts. A buffer has the same bytes as before: a long vector is aligned to
 * its size in the source, which members between others then keep (OpenCL C 3.0 section 6.3.5).
 */
import { type TopLevel, type Variable } from "../../ast/nodes.js";
import { rewriteModule, walkModule } from "../../ast/walk.js";
import type { TextPass } from "../pass.js";
import { hasLongVectors } from "./vector-parts.js";
import { Structs, retyped, written, part } from "./structs-of-parts.js";

export const wideStructs: TextPass = {
  name: "wide-structs",
  run(module, context) {
    if (!hasLongVectors(module, context.target)) return module;
    const structs = new Structs(module);
    const variables = new Map([...module.variables].map(([id, v]): [number, Variable] => [id, retyped(structs, v)]));
    const functions = module.functions.map((f) => {
      const returnType = structs.type(f.returnType);
      return returnType === f.returnType ? f : { ...f, returnType };
    });
    for (const s of module.structs.values()) s.members.forEach((m) => structs.type(m.type));
    walkModule(module, {
      expr: (e) => void structs.type(e.type),
      place: (p) => void structs.type(p.type),
    });
    const declared = structs.declarations();
    const next = rewriteModule(
      { ...module, variables, functions, structs: declared },
      {
        expr: (e) => written(structs, declared, e),
        place: (p) => part(structs, p),
        keepsMeaning: true,
      },
    );
    const order = [...structs.made.keys()].map((name): TopLevel => ({ kind: "struct", name }));
    return { ...next, order: [...order, ...module.order] };
  },
};
