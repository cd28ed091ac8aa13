/**
 * HLSL: buffers whose elements are matrices, or arrays of them, hold structs with one member. Matrices are stored by
 * canonical columns, which are rows there; DXC honours `row_major` of members, but in `StructuredBuffer<row_major M>` and
 * of typedefs it ignores the word (seen in the DXIL).
 */
import { member, ModuleEditor } from "../../ast/builders.js";
import type { StructDeclaration, TopLevel, VarId } from "../../ast/nodes.js";
import { noTrivia } from "../../ast/nodes.js";
import { rewriteModule } from "../../ast/walk.js";
import { NumberedNames } from "../../support/numbered-names.js";
import { array, type Type } from "../../types/types.js";
import type { Pass } from "../pass.js";

const hasMatrix = (type: Type): boolean => type.kind === "matrix" || (type.kind === "array" && hasMatrix(type.element));

export const matrixElements: Pass = {
  name: "matrix-elements",
  run(module) {
    const editor = new ModuleEditor(module);
    const structs = new Map(module.structs);
    const numbers = new NumberedNames();
    const held = new Map<VarId, Type>();
    const named = new Map<VarId, string>();
    for (const r of module.resources) {
      const v = module.variables.get(r.variable)!;
      if (r.kind !== "buffer" || r.view || v.type.kind !== "array" || !hasMatrix(v.type.element)) continue;
      const wanted = `${v.name.charAt(0).toUpperCase()}${v.name.slice(1)}Element`;
      const name = numbers.free(wanted, (n) => structs.has(n), wanted);
      const made: StructDeclaration = {
        name,
        members: [{ name: "m", type: v.type.element, trivia: noTrivia, span: v.span }],
        span: v.span,
        trivia: noTrivia,
        innerComments: [],
      };
      structs.set(name, made);
      named.set(v.id, name);
      held.set(v.id, array({ kind: "struct", name }, v.type.length));
    }
    if (held.size === 0) return module;
    for (const [id, type] of held) editor.setVariable({ ...module.variables.get(id)!, type });
    // Before the buffer, or first where buffers are parameters still.
    const placed = new Set(module.order.flatMap((item) => (item.kind === "resource" ? [item.variable] : [])));
    const declared = (id: VarId): TopLevel[] => (named.has(id) ? [{ kind: "struct", name: named.get(id)! }] : []);
    const order = [
      ...[...named.keys()].filter((id) => !placed.has(id)).flatMap(declared),
      ...module.order.flatMap((item) => (item.kind === "resource" ? [...declared(item.variable), item] : [item])),
    ];
    return rewriteModule(editor.finish({ structs, order }), {
      place(p) {
        if (p.kind !== "element" || p.base.kind !== "variable") return p;
        const type = held.get(p.base.variable);
        if (type?.kind !== "array") return p;
        return member({ ...p, base: { ...p.base, type }, type: type.element }, "m", p.type, p.span);
      },
    });
  },
};
