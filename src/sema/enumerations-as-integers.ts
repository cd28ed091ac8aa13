/** A checked module whose values of enumerations are integers: what tells them apart has decided what it decides. */
import type { Expr, Module } from "../ast/nodes.js";
import { rewriteModule } from "../ast/walk.js";
import { enumerationOf, type Type } from "../types/types.js";

function plain<T extends Type>(type: T): T {
  if (type.kind === "array") {
    const element = plain(type.element);
    return element === type.element ? type : { ...type, element };
  }
  if (type.kind === "pointer") {
    const pointee = plain(type.pointee);
    return pointee === type.pointee ? type : { ...type, pointee };
  }
  if (!enumerationOf(type)) return type;
  const { distinct: _distinct, ...rest } = type as T & { distinct?: unknown };
  return rest as T;
}

export function withoutEnumerations(module: Module<"canonical">): Module<"canonical"> {
  const done = rewriteModule(module, {
    expr(e) {
      const type = plain(e.type);
      const compute = e.kind === "assign" && e.compute ? plain(e.compute) : undefined;
      if (type === e.type && (!compute || compute === (e as { compute?: Type }).compute)) return e;
      return { ...e, type, ...(compute ? { compute } : {}) } as Expr;
    },
    place(p) {
      const type = plain(p.type);
      return type === p.type ? p : { ...p, type };
    },
  });
  const structs = new Map(
    [...done.structs].map(([name, s]) => [
      name,
      { ...s, members: s.members.map((m) => ({ ...m, type: plain(m.type) })) },
    ]),
  );
  return {
    ...done,
    structs,
    enums: done.enums.map((e) => ({ ...e, type: plain(e.type) })),
    variables: new Map([...done.variables].map(([id, v]) => [id, { ...v, type: plain(v.type) }])),
    functions: done.functions.map((f) => ({ ...f, returnType: plain(f.returnType) })),
  };
}
