/** A module whose types are what they are kept in: what told them from others of the kind has decided what it decides. */
import { type Type, withoutSingle } from "../types/types.js";
import type { Expr, Module } from "./nodes.js";
import { rewriteModule } from "./walk.js";

/** `named`: the types whose names go, by `DistinctType`. */
export function withPlainTypes(module: Module<"canonical">, named: (type: Type) => boolean): Module<"canonical"> {
  const plain = <T extends Type>(type: T): T => plainType(type, named);
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

function plainType<T extends Type>(type: T, named: (type: Type) => boolean): T {
  if (type.kind === "array") {
    const element = plainType(type.element, named);
    return element === type.element ? type : { ...type, element };
  }
  if (type.kind === "pointer") {
    const pointee = plainType(type.pointee, named);
    return pointee === type.pointee ? type : { ...type, pointee };
  }
  const component = withoutSingle(type);
  if (!named(component)) return component;
  const { distinct: _distinct, ...rest } = component as T & { distinct?: unknown };
  return rest as T;
}
