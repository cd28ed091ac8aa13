/** One of several objects: what stands around a pointer is written once for each of them, under a condition. */
import { binary, comma, conditional, literal, load, variablePlace } from "../../ast/builders.js";
import { noTrivia, type Expr, type Statement, type Variable } from "../../ast/nodes.js";
import { isPure, walkExpr } from "../../ast/walk.js";
import { noSpan } from "../../support/span.js";
import { sameType } from "../../types/types.js";
import {
  asType,
  Choice,
  NotLowerable,
  type Pointer,
  mostChoices,
  type Chooser,
  valueKey,
  blockOf,
  stepsOf,
  type ExpressionStatement,
} from "./pointer-values.js";
import type { FunctionLowering } from "./function-lowering.js";

const emptyBlock: Statement = { kind: "block", statements: [], innerComments: [], span: noSpan, trivia: noTrivia };

export class Choices {
  constructor(private readonly body: FunctionLowering) {}

  /** Which of how many objects is meant in what is being lowered, and the pointer into it where that is settled. */
  readonly decided = new Map<Chooser, { readonly at: number; readonly of: number; readonly pointer?: Pointer }>();

  /** How often what is being lowered has been written for several objects. */
  private written = 0;

  /** What is made of each; all but the last under a condition. `before` is evaluated once, before the first of them. */
  private each<T>(
    choice: Choice,
    make: () => T,
  ): {
    readonly before: Expr | undefined;
    readonly all: readonly { readonly condition: Expr | undefined; readonly made: T }[];
  } {
    const { on, done } = choice;
    if (this.decided.size === 0) this.written = 0;
    const conditions = choice.conditions();
    if (this.body.whole.final && conditions.length > 0) this.body.whole.choosesAmong(choice.objects);
    const all = [...conditions, undefined].map((condition, at) => {
      if (++this.written > mostChoices)
        throw new NotLowerable(
          "XL4005",
          `this would be written more than ${String(mostChoices)} times for the objects its pointers may point into`,
          choice.span,
          choice.other,
        );
      const of = conditions.length + 1;
      this.decided.set(on, { at, of, ...(done?.pointers ? { pointer: done.pointers[at]! } : {}) });
      try {
        return { condition, made: make() };
      } finally {
        this.decided.delete(on);
      }
    });
    return { before: done?.before, all };
  }

  /** The conditions of a choice by the number of an object. */
  byNumber(which: Variable, count: number): () => readonly Expr[] {
    return () =>
      Array.from({ length: count - 1 }, (_, at) =>
        binary("eq", load(variablePlace(which)), asType(literal("i32", at), which.type), noSpan),
      );
  }

  eitherExpr(e: Expr, make: () => Expr | undefined): Expr | undefined {
    try {
      return make();
    } catch (error) {
      // The value of an assignment of pointers is an index, or nobody's, as is that of a call that stands here.
      if (!(error instanceof Choice) || (e.type.kind === "pointer" && e.kind !== "assign" && e.kind !== "call"))
        throw error;
      this.mustNotCross(e, error);
      const { before, all } = this.each(error, () => this.eitherExpr(e, make) ?? e);
      const after = (x: Expr): Expr => (before ? comma(before, x, e.span) : x);
      const same = all.every((x) => isPure(x.made) && valueKey(x.made) === valueKey(all[0]!.made));
      if (same && all.every((x) => !x.condition || isPure(x.condition))) return after(all[0]!.made);
      // Nobody takes the value of a call that has none, nor indices of two types.
      const untaken = e.type.kind === "void" || !all.every((x) => sameType(x.made.type, all[0]!.made.type));
      const value = (x: Expr): Expr => (untaken ? comma(x, literal("i32", 0), e.span) : x);
      return after(
        all.reduceRight<Expr | undefined>(
          (rest, x) => (rest && x.condition ? conditional(x.condition, value(x.made), rest, e.span) : value(x.made)),
          undefined,
        )!,
      );
    }
  }

  /** The statement itself where nothing is left of it. */
  eitherStatement(s: ExpressionStatement, e: Expr, lower: (e: Expr) => Expr | undefined): Statement {
    return this.either(s, e, () => {
      const made = lower(e);
      return made ? { ...s, expression: made } : s;
    });
  }

  either(s: Statement, e: Expr, lower: () => Statement): Statement {
    try {
      return this.oneOf({ ...s, trivia: noTrivia }, e, lower, s);
    } catch (error) {
      this.body.whole.report(error);
      return s;
    }
  }

  private oneOf(bare: Statement, e: Expr, lower: () => Statement, whole: Statement): Statement {
    try {
      return lower();
    } catch (error) {
      if (!(error instanceof Choice)) throw error;
      this.mustNotCross(e, error);
      const { before, all } = this.each(error, () => this.oneOf(bare, e, lower, whole));
      const chosen = all.reduceRight<Statement | undefined>((rest, { condition, made }) => {
        const then = made === whole ? emptyBlock : { ...made, trivia: noTrivia };
        // A return that gets its index later stays the same node.
        const kept = made.kind === "return" ? made : then;
        return rest && condition
          ? {
              kind: "if",
              condition,
              then: blockOf(kept),
              else: rest.kind === "if" ? rest : blockOf(rest),
              span: whole.span,
              trivia: noTrivia,
            }
          : kept;
      }, undefined)!;
      if (!before) return { ...chosen, trivia: whole.trivia };
      const first: Statement = { kind: "expression", expression: before, span: whole.span, trivia: noTrivia };
      return {
        kind: "block",
        statements: [...stepsOf(first), ...(chosen === emptyBlock ? [] : [chosen])],
        innerComments: [],
        span: whole.span,
        trivia: whole.trivia,
      };
    }
  }

  /** What is written once for each object runs under a condition, which lanes must not differ in where they have to meet. */
  private mustNotCross(e: Expr, { on, done }: Choice): void {
    if (done && (done.pointers?.length ?? 1) === 1) return;
    // What has been done before stands under none.
    if (!this.body.whole.mayStandUnder(on, e, done?.pointers && on))
      throw new NotLowerable(
        "XL4005",
        "a pointer into one of several objects is used where all lanes have to come together, and they may differ in which",
        e.span,
      );
  }

  hasChoice(e: Expr): boolean {
    let found = false;
    walkExpr(e, {
      expr: (x) => void (found ||= x.type.kind === "pointer" && ["conditional", "call", "assign"].includes(x.kind)),
      place: (p) => void (found ||= p.kind === "variable" && this.body.bindings.get(p.variable)?.several !== undefined),
    });
    return found;
  }
}
