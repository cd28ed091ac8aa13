/**
 * Contraction: whether a product and a sum may be rounded once (C99 6.5p8). Where a text allows it in some places alone, the
 * sums and products there are marked (`contracts`), and all others are not contracted: a pass that makes or loses a node only
 * ever takes the permission away.
 */
import { isFloat, scalarOf } from "../types/types.js";
import type { Assign, Binary, Block, Expr, FunctionDeclaration, Module, Stage } from "./nodes.js";
import { rewriteStatement, walkStatement, type Visitor } from "./walk.js";

export type Contraction = "allowed" | "off";

/** A sum, a difference or a product of floats, also with an assignment. */
export function isContractible<S extends Stage>(e: Expr<S>): e is Binary<S> | (Assign<S> & Expr<S>) {
  if (e.kind !== "binary" && e.kind !== "assign") return false;
  if (e.operator !== "add" && e.operator !== "sub" && e.operator !== "mul") return false;
  const type = e.kind === "assign" ? (e.compute ?? e.type) : e.type;
  return isFloat(scalarOf(type) ?? "bool");
}

/** Whether a sum or product may be rounded together with one beside it that may, too. */
export const mayContract = (module: Module<Stage>, e: Expr): boolean =>
  module.contraction === "allowed" || (module.contraction === "marked" && isContractible(e) && e.contracts === true);

export function withoutMark<S extends Stage>(e: Expr<S>): Expr<S> {
  if (!isContractible(e) || !e.contracts) return e;
  const { contracts: _dropped, ...rest } = e;
  return rest;
}

const rewritten = <S extends Stage>(
  f: FunctionDeclaration<S>,
  expr: (e: Expr<S>) => Expr<S>,
): FunctionDeclaration<S> => {
  const body = rewriteStatement<S>(f.body, { keepsMeaning: true, expr }) as Block<S>;
  return body === f.body ? f : { ...f, body };
};

/** Marks what the text allows. */
export const markedModule = (module: Module, allowed: (e: Expr) => boolean): Module => ({
  ...module,
  functions: module.functions.map((f) =>
    rewritten<"canonical">(f, (e) => (isContractible(e) && allowed(e) ? { ...e, contracts: true } : e)),
  ),
});

/** With marks only where they tell something; `otherwise` is what holds of a module without sums and products. */
export function settledContraction<S extends Stage>(module: Module<S>, otherwise: Contraction): Module<S> {
  let [marked, plain] = [false, false];
  const visitor: Visitor<S> = {
    expr(e) {
      if (!isContractible(e)) return;
      if (e.contracts) marked = true;
      else plain = true;
    },
  };
  for (const f of module.functions) walkStatement(f.body, visitor);
  if (marked && plain) return { ...module, contraction: "marked" };
  return withoutMarks({ ...module, contraction: marked ? "allowed" : plain ? "off" : otherwise });
}

/** What the module says holds for all of it. */
export const withoutMarks = <S extends Stage>(
  module: Module<S>,
  where: (f: FunctionDeclaration<S>) => boolean = () => true,
): Module<S> => ({
  ...module,
  functions: module.functions.map((f) => (where(f) ? rewritten<S>(f, withoutMark) : f)),
});

/** What the block's own sums and products ask for, those of blocks in it apart: off where one of them does. */
export function contractionOf<S extends Stage>(block: Block<S>): Contraction | undefined {
  let found: Contraction | undefined;
  const visitor: Visitor<S> = {
    statement: (s) => s.kind !== "block",
    expr(e) {
      if (isContractible(e)) found = e.contracts && found !== "off" ? "allowed" : "off";
    },
  };
  for (const s of block.statements) if (s.kind !== "block") walkStatement(s, visitor);
  return found;
}
