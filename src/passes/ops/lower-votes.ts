/**
 * MSL's votes are 64-bit integers. Targets with ballots of four words keep them as those, so that counting the lanes of a
 * vote is the target's own op: variables that hold nothing but votes, and whose uses are known, change their type. What a
 * program computes otherwise from a vote stays a 64-bit integer.
 */
import {
  binary,
  boolLiteral,
  conditional,
  constantOf,
  convert,
  literal,
  literalValue,
  load,
  opCall,
  swizzleValue,
  unary,
} from "../../ast/builders.js";
import type { Expr, Module, Place, Statement, VarId } from "../../ast/nodes.js";
import { rewriteExpr, rewriteModule, walkExpr, walkModule, type Rewriter } from "../../ast/walk.js";
import { bool, scalarOf, u32, u64, vector, type Type } from "../../types/types.js";
import type { TextPass } from "../pass.js";
import { writingFacts } from "../../dialects/languages.js";

const mask = vector("u32", 4);
const isVoteType = (t: Type): boolean => t.kind === "scalar" && t.scalar === "u64";

export const lowerVotes: TextPass = {
  name: "lower-votes",
  run(module, context) {
    if (writingFacts(context.target).laneMasks === "u64" || !hasVotes(module)) return module;
    const variables = voteVariables(module);
    const changed = new Map(module.variables);
    for (const id of variables) changed.set(id, { ...module.variables.get(id)!, type: mask });
    return rewriteModule({ ...module, variables: changed }, new Votes(variables).rewriter);
  },
};

function hasVotes(module: Module): boolean {
  let found = false;
  walkModule(module, {
    expr: (e) => {
      if (e.kind === "op" && (e.op === "subgroup.vote" || e.op === "subgroup.active_mask")) found = true;
      return !found;
    },
  });
  return found;
}

/** An expression made of votes alone. */
function isVote(e: Expr, variables: ReadonlySet<VarId>): boolean {
  if (!isVoteType(e.type)) return false;
  switch (e.kind) {
    case "op":
      return e.op === "subgroup.vote" || e.op === "subgroup.active_mask";
    case "load":
      return e.place.kind === "variable" && variables.has(e.place.variable);
    case "convert":
      return isVote(e.operand, variables);
    case "binary":
      return ["and", "or", "xor"].includes(e.operator) && isVote(e.left, variables) && isVote(e.right, variables);
    default:
      return false;
  }
}

/** What is done with a vote: counted, tested, cut to its low word, or a bit of it looked at. */
function use(e: Expr, variables: ReadonlySet<VarId>): { readonly vote: Expr; readonly index?: Expr } | undefined {
  const zero = (x: Expr): boolean => Number(literalValue(x) ?? 1) === 0;
  switch (e.kind) {
    case "op":
      if (e.op !== "bits.popcount" && e.op !== "bits.ctz") return undefined;
      return isVote(e.arguments[0]!, variables) ? { vote: e.arguments[0]! } : undefined;
    case "convert":
      return isNarrow(e.type) && isVote(e.operand, variables) ? { vote: e.operand } : undefined;
    case "binary": {
      if ((e.operator !== "ne" && e.operator !== "eq") || !zero(e.right)) return undefined;
      if (isVote(e.left, variables)) return { vote: e.left };
      const bit = e.left;
      if (bit.kind !== "binary" || bit.operator !== "and" || Number(literalValue(bit.right) ?? 0) !== 1)
        return undefined;
      const shift = bit.left;
      if (shift.kind !== "binary" || shift.operator !== "shr" || !isVote(shift.left, variables)) return undefined;
      return { vote: shift.left, index: shift.right };
    }
    default:
      return undefined;
  }
}

const isNarrow = (t: Type): boolean => t.kind === "scalar" && (t.scalar === "u32" || t.scalar === "i32");

/** Local variables of which every write is a vote and every read a known use. */
function voteVariables(module: Module): ReadonlySet<VarId> {
  const candidates = new Set<VarId>();
  for (const v of module.variables.values())
    if (isVoteType(v.type) && v.role === "local" && v.space === "private") candidates.add(v.id);
  let changed = true;
  const drop = (id: VarId): void => {
    if (candidates.delete(id)) changed = true;
  };
  const dropIn = (e: Expr): void =>
    walkExpr(e, {
      expr: (x) => {
        if (x.kind === "load" && x.place.kind === "variable") drop(x.place.variable);
      },
    });
  const root = (p: Place): VarId | undefined =>
    p.kind === "variable" ? p.variable : p.kind === "deref" ? undefined : root(p.base);
  /** A vote where a vote may stand: only what it is computed from is looked at. */
  const inside = (e: Expr): void => {
    if (e.kind === "op") e.arguments.forEach(visit);
    else if (e.kind === "convert") inside(e.operand);
    else if (e.kind === "binary") [e.left, e.right].forEach(inside);
  };
  const visit = (e: Expr): void =>
    walkExpr(e, {
      expr: (x) => {
        const used = use(x, candidates);
        if (used) {
          inside(used.vote);
          if (used.index) visit(used.index);
          return false;
        }
        if (x.kind === "assign" && x.target.kind === "variable" && candidates.has(x.target.variable)) {
          const operator = x.operator === undefined || ["and", "or", "xor"].includes(x.operator);
          if (operator && isVote(x.value, candidates)) inside(x.value);
          else {
            drop(x.target.variable);
            visit(x.value);
          }
          return false;
        }
        if (isVote(x, candidates)) {
          dropIn(x);
          return true;
        }
        return true;
      },
      place: (p, how) => {
        const id = root(p);
        if (id !== undefined && how !== "read") drop(id);
      },
    });
  const statement = (s: Statement): void => {
    if (s.kind !== "declare" || !s.initializer) return;
    if (candidates.has(s.variable) && isVote(s.initializer, candidates)) inside(s.initializer);
    else {
      drop(s.variable);
      visit(s.initializer);
    }
  };
  while (changed) {
    changed = false;
    const whole = (e: Expr): boolean => {
      visit(e);
      return false;
    };
    walkModule(module, {
      statement: (s) => {
        if (s.kind !== "declare") return true;
        statement(s);
        return false;
      },
      expr: whole,
    });
  }
  return candidates;
}

class Votes {
  readonly rewriter: Rewriter;

  constructor(private readonly variables: ReadonlySet<VarId>) {
    this.rewriter = { enterExpr: (e) => this.enter(e), enterStatement: (s) => this.statement(s) };
  }

  private statement(s: Statement): Statement | undefined {
    if (s.kind !== "declare" || !this.variables.has(s.variable) || !s.initializer) return undefined;
    return { ...s, initializer: this.mask(s.initializer) };
  }

  private enter(e: Expr): Expr | undefined {
    if (e.kind === "assign" && e.target.kind === "variable" && this.variables.has(e.target.variable)) {
      return { ...e, target: { ...e.target, type: mask }, value: this.mask(e.value), type: mask };
    }
    const used = use(e, this.variables);
    if (!used) return undefined;
    const value = this.mask(used.vote);
    const any = (): Expr =>
      opCall("logic.any", [binary("ne", value, constantOf(mask, 0, e.span), e.span)], bool, e.span);
    if (used.index) {
      const bit = opCall(
        "subgroup.ballot_bit_extract",
        [value, convert(rewriteExpr(used.index, this.rewriter), u32)],
        bool,
        e.span,
      );
      return e.kind === "binary" && e.operator === "eq" ? unary("not", bit, e.span) : bit;
    }
    switch (e.kind) {
      case "op": {
        if (e.op === "bits.popcount")
          return convert(opCall("subgroup.ballot_bit_count", [value], u32, e.span), u64, false, e.span);
        const lowest = convert(opCall("subgroup.ballot_find_lsb", [value], u32, e.span), u64, false, e.span);
        // Of no lane at all ctz gives the width; of the active lanes there is always one.
        if (used.vote.kind === "op" && used.vote.op === "subgroup.active_mask") return lowest;
        return used.vote.kind === "load" ? conditional(any(), lowest, literal("u64", 64, e.span), e.span) : undefined;
      }
      case "convert":
        return convert(swizzleValue(value, [0], e.span), e.type, scalarOf(e.type) !== "u32" && e.explicit, e.span);
      case "binary":
        return e.operator === "ne" ? any() : unary("not", any(), e.span);
      default:
        return undefined;
    }
  }

  /** A vote as a ballot of four words. */
  private mask(e: Expr): Expr {
    switch (e.kind) {
      case "op": {
        const predicate =
          e.op === "subgroup.active_mask" ? boolLiteral(true, e.span) : rewriteExpr(e.arguments[0]!, this.rewriter);
        return opCall("subgroup.ballot", [predicate], mask, e.span);
      }
      case "load":
        return load({ ...e.place, type: mask }, e.span);
      case "convert":
        return this.mask(e.operand);
      case "binary":
        return binary(e.operator, this.mask(e.left), this.mask(e.right), e.span);
      default:
        throw new Error(`a vote cannot be a ${e.kind}`);
    }
  }
}
