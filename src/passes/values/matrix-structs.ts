/**
 * Matrices that the target does not have become structs of their columns (docs/design/matrices.md), when `matrix-operations`
 * has left nothing of them but whole values, columns, and matrices made of columns: `m[c]` is `m.c[c]`. By every rule of layout an
 * array of columns, in a struct or not, lies as the matrix does, so that no buffer changes.
 */
import { type StructDeclaration, type TopLevel, type Variable } from "../../ast/nodes.js";
import { rewriteModule, walkModule } from "../../ast/walk.js";
import { mentionsType } from "../analysis/mentions-type.js";
import type { TextPass } from "../pass.js";
import { lacksMatrix } from "./matrix-operations.js";
import { MatrixStructs } from "./structs-of-columns.js";

export const matrixStructs: TextPass = {
  name: "matrix-structs",
  run(module, context) {
    const lacks = lacksMatrix(context.target);
    if (!mentionsType(module, lacks)) return module;
    const made = new MatrixStructs(module, lacks);
    const variables = new Map([...module.variables].map(([id, v]): [number, Variable] => [id, made.retyped(v)]));
    const functions = module.functions.map((f) => {
      const returnType = made.type(f.returnType, f.nameSpan);
      return returnType === f.returnType ? f : { ...f, returnType };
    });
    const structs = [...module.structs.values()].map((s): StructDeclaration => {
      const members = s.members.map((m) => made.retyped(m));
      return members.some((m, i) => m !== s.members[i]) ? { ...s, members } : s;
    });
    walkModule(module, { expr: (e) => void made.type(e.type, e.span), place: (p) => void made.type(p.type, p.span) });
    const declared = new Map([...made.declarations.values(), ...structs].map((s) => [s.name, s] as const));
    const next = rewriteModule(
      { ...module, variables, functions, structs: declared },
      { expr: (e) => made.expression(e), place: (p) => made.place(p) },
    );
    const order = [...made.declarations.keys()].map((name): TopLevel => ({ kind: "struct", name }));
    return { ...next, order: [...order, ...module.order] };
  },
};
