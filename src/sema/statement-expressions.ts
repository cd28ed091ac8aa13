/**
 * GNU C's `({ ...; value; })`. Where nothing of the statement around it has to run before, its statements stand in front of that
 * one; elsewhere (behind `&&`, in an arm of `?:`, in the head of a loop) they become parts of the expression, which loops cannot.
 */
import { conditional, i32Literal, variablePlace } from "../ast/builders.js";
import { noTrivia, type Expr, type Statement } from "../ast/nodes.js";
import { isPure, walkExpr } from "../ast/walk.js";
import type * as syntax from "../ast/syntax.js";
import { append } from "../support/append.js";
import { error, exprValue, isStatement, notYet, updateVariable, type Sema, type Value } from "./context.js";
import { inScope } from "./scopes.js";
import { after, kept } from "./held-values.js";
import { read } from "./convert.js";
import { expression } from "./expressions.js";
import { structured } from "./gotos.js";
import { outliving } from "./jumps.js";
import { filling } from "./jumps.js";
import { statement } from "./statements.js";

export function statementExpression(s: Sema, e: syntax.StatementExpression): Value | undefined {
  const { fn } = s;
  if (!fn) return error(s, "XL2011", "a statement expression stands in functions only", e.span);
  const leads = fn.leading.has(e);
  return inScope(s, () => {
    const plain = structured(s, e.body.statements, false);
    const last = plain.statements.at(-1);
    const valued = last?.kind === "expression-statement" ? last.expression : undefined;
    const before = valued ? plain.statements.slice(0, -1) : plain.statements;
    const made = outliving(s, [...plain.before, ...before.flatMap((st) => statement(s, st))], plain.within);
    const first: Expr[] = [];
    if (leads) append(fn.locals, made);
    else if (!asParts(s, made, first)) return undefined;
    const v = valued && expression(s, valued);
    if (valued && !v) return undefined;
    if (v && isStatement(v)) return notYet(s, "such a call at the end of a statement expression is", e.span);
    const value = v && (v.type.kind === "void" ? v.expr : read(s, v, e.span));
    if (!v || v.type.kind === "void") {
      const effects = value ? [...first, value] : first;
      return {
        type: { kind: "void" },
        expr: after(effects.slice(0, -1), effects.at(-1) ?? i32Literal(0, e.span), e.span),
      };
    }
    if (!value) return undefined;
    if (!leads || isOfOwn(value, made)) return exprValue(after(first, value, e.span));
    // What comes later in the statement may change what its value names.
    const own: Expr[] = [];
    const local = kept(s, value, own, e.span);
    for (const x of own) fn.locals.push({ kind: "expression", expression: x, span: e.span, trivia: noTrivia });
    return exprValue(local);
  });
}

/** Whether a value is made of variables of the statements alone, which nothing else names. */
function isOfOwn(value: Expr, made: readonly Statement[]): boolean {
  const own = new Set(made.flatMap((st) => (st.kind === "declare" ? [st.variable] : [])));
  let fine = isPure(value);
  walkExpr(value, {
    expr: (e) => {
      if (e.kind === "load" && !(e.place.kind === "variable" && own.has(e.place.variable))) fine = false;
      return fine;
    },
  });
  return fine;
}

/** Statements as expressions, one after the other; their variables are declared before the statement being read. */
function asParts(s: Sema, list: readonly Statement[], out: Expr[]): boolean {
  return list.every((st) => {
    switch (st.kind) {
      case "expression":
        out.push(st.expression);
        return true;
      case "declare": {
        const v = s.variables.get(st.variable)!;
        const { initializer, ...declared } = st;
        const stays = !initializer || v.compileTime || v.space !== "private";
        s.fn!.locals.push(stays ? st : declared);
        if (stays) return true;
        updateVariable(s, v.id, { constant: false });
        const filled = filling(variablePlace(s.variables.get(v.id)!, st.span), initializer, st.span);
        if (filled) append(out, filled);
        else notYet(s, "such an array in a statement expression that is not evaluated first is", st.span);
        return filled !== undefined;
      }
      case "block":
        return asParts(s, st.statements, out);
      case "if": {
        const [then, otherwise] = [st.then, st.else].map((x) => {
          const parts: Expr[] = [];
          return !x || asParts(s, [x], parts) ? after(parts, i32Literal(0, st.span), st.span) : undefined;
        });
        if (!then || !otherwise) return false;
        out.push(conditional(st.condition, then, otherwise, st.span));
        return true;
      }
      default:
        notYet(s, "such a statement in a statement expression that is not evaluated first is", st.span);
        return false;
    }
  });
}

/** The statement expressions and compound literals of a statement before which nothing of it has to run (C99 6.5: operands come in any order). */
export function leadingIn(st: syntax.Statement): readonly syntax.Expression[] {
  const out: syntax.Expression[] = [];
  const of = (e: syntax.Expression | undefined): void => {
    switch (e?.kind) {
      case "statement-expression":
        out.push(e);
        return;
      case "parenthesized":
        return of(e.expression);
      case "cast":
        if (e.operand.kind === "initializer-list") out.push(e);
        return of(e.operand);
      case "unary":
      case "postfix":
        return of(e.operand);
      case "member":
        return of(e.base);
      case "index":
        of(e.base);
        return of(e.index);
      case "call":
        return e.arguments.forEach(of);
      case "binary":
        of(e.left);
        if (e.operator !== "&&" && e.operator !== "||") of(e.right);
        return;
      case "assignment":
        of(e.target);
        return of(e.value);
      case "conditional":
        return of(e.condition);
      case "comma":
        return of(e.left);
      case "initializer-list":
        return e.elements.forEach((x) => of(x.value));
      default:
        return;
    }
  };
  switch (st.kind) {
    case "expression-statement":
      of(st.expression);
      break;
    case "declaration-statement": {
      const first = st.declaration.kind === "variable" ? st.declaration.declarators[0]?.initializer : undefined;
      if (first && first.form !== "paren") of(first.value);
      break;
    }
    case "return":
      of(st.value);
      break;
    case "if":
      of(st.condition);
      break;
    case "switch":
      of(st.value);
      break;
    default:
  }
  return out;
}
