/**
 * Functions that do nothing but name a part of what they get by reference, as `operator[]` of a class that holds an array
 * does: what they name stands where they are called.
 */
import { addressOf } from "../ast/builders.js";
import type {
  Argument,
  Expr,
  FunctionCall,
  FunctionDeclaration,
  FunctionId,
  Module,
  Place,
  VarId,
} from "../ast/nodes.js";
import { isPure, placeIsPure, rewriteModule, rewritePlace, walkExpr, walkModule, walkPlace } from "../ast/walk.js";

/** What such a function names, and the parameters it is made of. */
interface Accessor {
  readonly named: Place;
  readonly parameters: readonly VarId[];
}

export function withAccessorsInPlace(module: Module<"canonical">): Module<"canonical"> {
  const entries = new Set(module.entries.map((e) => e.function));
  const accessors = new Map<FunctionId, Accessor>();
  for (const f of module.functions) {
    const found = entries.has(f.id) ? undefined : accessorOf(module, f);
    if (found) accessors.set(f.id, found);
  }
  if (accessors.size === 0) return module;
  const next = rewriteModule(module, {
    // The pointer has been rewritten by now.
    place: (p) => (p.kind === "deref" && p.pointer.kind === "address-of" ? { ...p.pointer.place, span: p.span } : p),
    expr(e) {
      const accessor = e.kind === "call" ? accessors.get(e.function) : undefined;
      return (accessor && inPlace(accessor, e as FunctionCall)) ?? e;
    },
  });
  if (next === module) return module;
  const called = new Set<FunctionId>();
  walkModule(next, { expr: (e) => void (e.kind === "call" && called.add(e.function)) });
  const gone = (id: FunctionId): boolean => accessors.has(id) && !called.has(id);
  return {
    ...next,
    functions: next.functions.filter((f) => !gone(f.id)),
    order: next.order.filter((o) => o.kind !== "function" || !gone(o.function)),
  };
}

function accessorOf(module: Module<"canonical">, f: FunctionDeclaration): Accessor | undefined {
  const [only, ...others] = f.body.statements;
  if (only?.kind !== "return" || others.length > 0 || only.value?.kind !== "address-of") return undefined;
  const { place } = only.value;
  const left = new Set(f.parameters);
  const take = (id: VarId): boolean => left.delete(id);
  const isByValue = (id: VarId): boolean => {
    const v = module.variables.get(id);
    return v?.mode === "value" && v.type.kind === "scalar";
  };
  /** Made of values that were given, each once. */
  const isIndex = (e: Expr): boolean => {
    let fine = isPure(e);
    walkExpr(e, {
      expr: (x) => {
        if (x.kind === "conditional" || x.kind === "logical" || x.kind === "op") fine = false;
      },
      place: (p) => {
        if (p.kind !== "variable" || !isByValue(p.variable) || !take(p.variable)) fine = false;
      },
    });
    return fine;
  };
  const isPath = (p: Place): boolean => {
    if (p.kind === "member") return isPath(p.base);
    if (p.kind === "element") return isPath(p.base) && isIndex(p.index);
    return p.kind === "variable" && module.variables.get(p.variable)?.mode === "ref" && take(p.variable);
  };
  if (!isPath(place) || place.kind === "variable") return undefined;
  // What is not named must have no effect where it is given.
  if ([...left].some((id) => !isByValue(id))) return undefined;
  return { named: place, parameters: f.parameters };
}

/** The part that a call names; none where arguments would be evaluated in another order, or not at all. */
function inPlace({ named, parameters }: Accessor, call: FunctionCall): Expr | undefined {
  const { type } = call;
  if (type.kind !== "pointer") return undefined;
  const given = new Map(parameters.map((id, i): [VarId, Argument] => [id, call.arguments[i]!]));
  const order: VarId[] = [];
  walkPlace(named, { place: (p) => void (p.kind === "variable" && order.push(p.variable)) }, "address");
  const effects = [...given.values()].some((a) => (a.mode === "value" ? !isPure(a.value) : !placeIsPure(a.place)));
  const inOrder = order.length === parameters.length && order.every((id, i) => id === parameters[i]);
  if (effects && !inOrder) return undefined;
  const place = rewritePlace(named, {
    enterExpr: (e) => {
      const a = e.kind === "load" && e.place.kind === "variable" ? given.get(e.place.variable) : undefined;
      return a?.mode === "value" ? a.value : undefined;
    },
    enterPlace: (p) => {
      const a = p.kind === "variable" ? given.get(p.variable) : undefined;
      return a && a.mode !== "value" ? a.place : undefined;
    },
  });
  return addressOf(place, type.space, call.span, type.readOnly);
}
