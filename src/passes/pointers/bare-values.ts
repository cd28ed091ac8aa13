/**
 * Addresses and whole arrays that stand as statements: `counts;`, `(&limits[1], v);`. Only C and C++ have such values, and
 * they have no effect: nothing is written for them. Their comments go to what follows.
 */
import { isOwnText } from "../../ast/lookup.js";
import type { Block, Expr, ExpressionStatement, Module, Statement } from "../../ast/nodes.js";
import { noTrivia } from "../../ast/nodes.js";
import { isPure, rewriteModule } from "../../ast/walk.js";
import type { Pass } from "../pass.js";

export const bareValues: Pass = {
  name: "bare-values",
  run: (module, context) =>
    isOwnText(module, context.target) ? module : new ReducedValues(withoutAddresses).run(module),
};

/** What is left of a value nobody takes. */
function withoutAddresses(e: Expr): Expr | undefined {
  if ((e.type.kind === "pointer" || e.type.kind === "array") && isPure(e)) return undefined;
  if (e.kind !== "comma") return e;
  const [left, right] = [withoutAddresses(e.left), withoutAddresses(e.right)];
  if (left === e.left && right === e.right) return e;
  return left && right ? { ...e, left, right } : (left ?? right);
}

/** Leaves out of values that nobody takes what has no effect. */
export class ReducedValues {
  /** What stands for statements that are gone, where a statement has to stand. */
  private readonly gone = new WeakSet<Statement>();

  /** `rest`: what is left of such a value. `within`: expressions besides that hold some. */
  constructor(
    private readonly rest: (e: Expr) => Expr | undefined,
    private readonly within?: (e: Expr) => Expr,
  ) {}

  run(module: Module): Module {
    const expr = this.within ? { expr: this.within } : {};
    const done = rewriteModule(module, { ...expr, statement: (s) => this.statement(s) });
    return {
      ...done,
      functions: done.functions.map((f) =>
        f.body.statements.some((x) => this.gone.has(x)) ? { ...f, body: this.closed(f.body) } : f,
      ),
    };
  }

  private statement(s: Statement): Statement {
    switch (s.kind) {
      case "expression": {
        const expression = this.rest(s.expression);
        if (expression) return expression === s.expression ? s : { ...s, expression };
        const comments = [...s.trivia.leading, ...s.trivia.trailing];
        const none: Block = {
          kind: "block",
          statements: [],
          innerComments: comments,
          span: s.span,
          trivia: { ...noTrivia, blankBefore: s.trivia.blankBefore },
        };
        this.gone.add(none);
        return none;
      }
      case "for": {
        const initializer = s.initializer.flatMap((i): ExpressionStatement[] | (typeof i)[] => {
          const value = i.kind === "expression" ? this.rest(i.expression) : undefined;
          return i.kind === "declare" ? [i] : value ? [{ ...i, expression: value }] : [];
        });
        const { step, ...rest } = s;
        const next = step && this.rest(step);
        return { ...rest, initializer, ...(next ? { step: next } : {}) };
      }
      case "block":
        return s.statements.some((x) => this.gone.has(x)) ? this.closed(s) : s;
      default:
        return s;
    }
  }

  private closed(block: Block): Block {
    const statements: Statement[] = [];
    let pending: Block | undefined;
    for (const s of block.statements) {
      if (this.gone.has(s)) {
        const b = s as Block;
        pending = pending ? { ...pending, innerComments: [...pending.innerComments, ...b.innerComments] } : b;
        continue;
      }
      const { trivia } = s;
      const blankBefore = trivia.blankBefore || (pending?.trivia.blankBefore ?? false);
      statements.push(
        pending
          ? { ...s, trivia: { ...trivia, leading: [...pending.innerComments, ...trivia.leading], blankBefore } }
          : s,
      );
      pending = undefined;
    }
    return { ...block, statements, innerComments: [...(pending?.innerComments ?? []), ...block.innerComments] };
  }
}
