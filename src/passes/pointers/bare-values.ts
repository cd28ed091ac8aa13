/**
 * Addresses and whole arrays that stand as statements: `counts;`, `(&limits[1], v);`. Only C and C++ have such values, and
 * they have no effect: nothing is written for them but what they read (`p + a[i];`), which others may write meanwhile, and what is done on the way to
 * them (`p + side(q);`). So it is with objects that are named and, in C++, not read (`LanguageFacts.discardedObjects`). Their comments go to
 * what follows.
 */
import { comma, conditional, i32Literal, rootVariable } from "../../ast/builders.js";
import { isOwnText } from "../../ast/lookup.js";
import type { Block, Expr, ExpressionStatement, Module, Place, Statement, Variable, VarId } from "../../ast/nodes.js";
import { noTrivia } from "../../ast/nodes.js";
import { isPure, rewriteModule, walkExpr, walkPlace } from "../../ast/walk.js";
import { languageFacts } from "../../dialects/languages.js";
import type { Pass } from "../pass.js";

export const bareValues: Pass = {
  name: "bare-values",
  run(module, context) {
    if (isOwnText(module, context.target)) return module;
    const bare = new Bare(module);
    return new ReducedValues(
      (e) => bare.left(e),
      (e) => bare.behind(e),
    ).run(module);
  },
};

/** What is left of a value nobody takes. */
class Bare {
  private readonly readsObjects: boolean;

  constructor(private readonly module: Module) {
    this.readsObjects = languageFacts[module.form ?? module.dialect].discardedObjects === "read";
  }

  left(e: Expr): Expr | undefined {
    if (e.kind === "comma") {
      const [left, right] = [this.left(e.left), this.left(e.right)];
      if (left === e.left && right === e.right) return e;
      return inTurn([left, right]);
    }
    const isAddress = e.type.kind === "pointer" || e.type.kind === "array";
    if (!isAddress && !this.isUnread(e)) return e;
    if (isPure(e)) return this.reads((found) => (isAddress ? walkExpr(e, found) : this.walkObjects(e, found)));
    return this.effects(e);
  }

  /** `x = (a[i], 3)`: nobody takes what is left of the comma, of which what is left of a comma there has been seen to. */
  behind(e: Expr): Expr {
    if (e.kind !== "comma") return e;
    const last = e.left.kind === "comma" ? e.left.right : e.left;
    const rest = this.left(last);
    if (rest === last) return e;
    const left = e.left.kind === "comma" ? inTurn([e.left.left, rest]) : rest;
    return left ? comma(left, e.right, e.span) : e.right;
  }

  /** Of an address or an object that is not read: what is evaluated on the way. */
  private effects(e: Expr): Expr | undefined {
    switch (e.kind) {
      case "address-of":
      case "load":
        return this.onTheWay(e.place);
      case "pointer-offset":
        return inTurn([this.left(e.pointer), this.number(e.offset)]);
      case "bitcast":
        return this.left(e.operand);
      case "conditional": {
        const [yes, no] = [this.left(e.whenTrue), this.left(e.whenFalse)];
        if (!yes && !no) return this.number(e.condition);
        const arm = (x: Expr | undefined): Expr => {
          const none = i32Literal(0, e.span);
          return x ? comma(x, none, e.span) : none;
        };
        return conditional(e.condition, arm(yes), arm(no), e.span);
      }
      default:
        return e;
    }
  }

  private onTheWay(p: Place): Expr | undefined {
    switch (p.kind) {
      case "variable":
        return undefined;
      case "deref":
        return this.left(p.pointer);
      case "element":
        return inTurn([this.onTheWay(p.base), this.number(p.index)]);
      case "view":
        return inTurn([this.onTheWay(p.base), this.number(p.offset)]);
      case "member":
      case "swizzle":
        return this.onTheWay(p.base);
    }
  }

  private number(e: Expr): Expr | undefined {
    return isPure(e) ? this.reads((found) => walkExpr(e, found)) : e;
  }

  /** C++14 5 (11): an object, one of two, or one behind a comma, whose left operand nobody takes either. */
  private isUnread(e: Expr): boolean {
    if (this.readsObjects) return false;
    if (e.kind === "conditional") return this.isUnread(e.whenTrue) && this.isUnread(e.whenFalse);
    return e.kind === "load" && !this.isVolatile(e.place);
  }

  private walkObjects(e: Expr, found: Reads): void {
    if (e.kind === "load") walkPlace(e.place, found, "address");
    // What only one of two reads may not have been read.
    else if (e.kind === "conditional") walkExpr(e.condition, found);
  }

  private isVolatile(place: Place): boolean {
    const isOf = (p: Place): boolean => p.kind === "variable" && this.variable(p.variable).volatile === true;
    let found = false;
    walkPlace(
      place,
      {
        place: (p) => void (found ||= isOf(p)),
        expr: (e) => void (found ||= e.kind === "bitcast" && e.volatile === true),
      },
      "read",
    );
    return found;
  }

  /** Of what is evaluated for its address: numbers in it that are read from where others may write. */
  private reads(walk: (found: Reads) => void): Expr | undefined {
    const all: Expr[] = [];
    walk({
      expr: (e) => {
        if (e.kind === "conditional" && e.type.kind === "pointer") {
          walkExpr(e.condition, { expr: (x) => !this.isRead(x, all) });
          return false;
        }
        return !this.isRead(e, all);
      },
    });
    return inTurn(all);
  }

  /** Such a number as a whole; `all` gets it. */
  private isRead(e: Expr, all: Expr[]): boolean {
    if (e.type.kind !== "scalar" && e.type.kind !== "vector") return false;
    let isShared = false;
    walkExpr(e, { expr: (x) => void (isShared ||= x.kind === "load" && this.isShared(x.place)) });
    if (isShared) all.push(e);
    return true;
  }

  private isShared(place: Place): boolean {
    const root = rootVariable(place);
    if (root === undefined) return true;
    const { space, role } = this.variable(root);
    return space === "workgroup" || (space === "global" && role === "resource");
  }

  private variable(id: VarId): Variable {
    return this.module.variables.get(id)!;
  }
}

/** One after the other, behind commas. */
function inTurn(list: readonly (Expr | undefined)[]): Expr | undefined {
  const [first, ...rest] = list.filter((e) => e !== undefined);
  return first && rest.reduce((a, b) => comma(a, b, b.span), first);
}

interface Reads {
  readonly expr: (e: Expr) => boolean;
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
