/**
 * Objects of atomic types that are named as plain ones are: C11 6.2.6.1, 6.5.2.4, 6.5.16. Reading one is a sequentially consistent
 * load, assigning to it a store, and `+=` and its like, `++` and `--` change it in one step; OpenCL C 2.0 6.13.11 has the types from there.
 */
import { binary, comma, constantOf, convert, expressionStatement, opCall } from "../ast/builders.js";
import type { Expr, Module, OpCall, OpId, Place, Statement } from "../ast/nodes.js";
import { withPlainTypes } from "../ast/plain-types.js";
import { isPure, rewriteExpr, rewriteModule, walkModule } from "../ast/walk.js";
import { spaceOf } from "../ops/use-of.js";
import type { Span } from "../support/span.js";
import { isFloat, sameType, scalarOf, voidType, type Type } from "../types/types.js";

export const isAtomicType = (type: Type): boolean => type.kind === "scalar" && type.distinct === "atomic";

type Say = (what: string, span: Span) => void;

const holdsAtomic = (type: Type): boolean =>
  type.kind === "pointer"
    ? holdsAtomic(type.pointee)
    : type.kind === "array"
      ? holdsAtomic(type.element)
      : isAtomicType(type);

/** The module with plain types, its accesses of atomic objects atomic. `notYet` is told of those that have no op. */
export function withAtomicAccesses(module: Module, notYet: Say): Module {
  let any = false;
  walkModule(module, {
    place: (p) => void (any ||= isAtomicType(p.type)),
    expr: (e) => void (any ||= holdsAtomic(e.type)),
  });
  for (const v of module.variables.values()) any ||= holdsAtomic(v.type);
  for (const t of module.structs.values()) any ||= t.members.some((m) => holdsAtomic(m.type));
  return any ? withPlainTypes(new Accesses(module, notYet).run(), isAtomicType) : module;
}

const steps: Readonly<Record<string, OpId>> = {
  add: "atomic.add",
  sub: "atomic.sub",
  and: "atomic.and",
  or: "atomic.or",
  xor: "atomic.xor",
};

class Accesses {
  constructor(
    private readonly module: Module,
    private readonly notYet: Say,
  ) {}

  run(): Module {
    return rewriteModule(this.module, {
      enterStatement: (s) => this.statement(s),
      expr: (e) => this.expr(e),
    });
  }

  /** What other lanes see. */
  private isShared(p: Place): boolean {
    return isAtomicType(p.type) && spaceOf(p, this.module.variables) !== "private";
  }

  private statement(s: Statement): Statement | undefined {
    if (s.kind !== "expression" || s.expression.kind !== "assign" || !this.isShared(s.expression.target))
      return undefined;
    const { target, value, operator } = s.expression;
    const made = operator ? this.stepped(s.expression) : this.access("atomic.store", target, [value], voidType, s.span);
    // The operands are rewritten as those of the statement that takes this one's place.
    return made && rewriteOperands({ ...s, expression: made }, (e) => this.expr(e));
  }

  private expr(e: Expr): Expr {
    if (e.kind === "load" && this.isShared(e.place)) return this.access("atomic.load", e.place, [], e.type, e.span);
    if (e.kind === "increment" && this.isShared(e.place)) {
      const one = constantOf(e.type, 1);
      const old = this.access(e.delta === 1 ? "atomic.add" : "atomic.sub", e.place, [one], e.type, e.span);
      return e.prefix ? binary(e.delta === 1 ? "add" : "sub", old, one, e.span) : old;
    }
    if (e.kind !== "assign" || !this.isShared(e.target)) return e;
    if (!isPure(e.value)) {
      this.notYet("the value of an assignment to an atomic object, of a value with side effects, is", e.span);
      return e;
    }
    if (!e.operator) return comma(this.access("atomic.store", e.target, [e.value], voidType, e.span), e.value, e.span);
    const old = this.stepped(e);
    return old ? binary(e.operator, old, convert(e.value, e.type, false), e.span) : e;
  }

  private stepped({ operator, target, value, compute, type, span }: Expr & { kind: "assign" }): Expr | undefined {
    const op = steps[operator!];
    const kind = scalarOf(type)!;
    if (!op || (compute && !sameType(compute, type)) || (isFloat(kind) && operator !== "add" && operator !== "sub")) {
      this.notYet("this assignment to an atomic object is", span);
      return undefined;
    }
    return this.access(op, target, [convert(value, type, false)], type, span);
  }

  private access(op: OpId, place: Place, args: readonly Expr[], type: Type, span: Span): OpCall {
    const space = spaceOf(place, this.module.variables);
    const memory = { workgroup: space !== "global", global: space !== "workgroup", image: false };
    return opCall(op, args, type, span, { places: [place], order: "seq_cst", memory }) as OpCall;
  }
}

function rewriteOperands(s: Statement & { kind: "expression" }, expr: (e: Expr) => Expr): Statement {
  const call = s.expression as OpCall;
  return expressionStatement({ ...call, arguments: call.arguments.map((a) => rewriteExpr(a, { expr })) }, s.span);
}
