/** Which call in an expression may be carried out before all of it. */
import { rootVariable } from "../ast/builders.js";
import type { Assign, Comma, Expr, FunctionCall, Place, Variable, VarId } from "../ast/nodes.js";
import { isPure, walkExpr } from "../ast/walk.js";

interface Asked {
  readonly isWanted: (call: FunctionCall) => boolean;
  /** An assignment before a comma that has to be a statement. */
  readonly isStatement: (assign: Assign) => boolean;
  readonly variable: (id: VarId) => Variable;
  /** Others may write it, through a pointer. */
  readonly isAddressed: (id: VarId) => boolean;
  /** It changes nothing that another reads. */
  readonly onlyReads: (call: FunctionCall) => boolean;
}

/**
 * The wanted call, or comma behind a wanted assignment, that is evaluated first, where what is evaluated before it neither does anything nor reads what it may write,
 * and where it is evaluated whatever the rest gives.
 */
export function firstCall(e: Expr, asked: Asked): FunctionCall | Comma | undefined {
  const walk = new Order(asked);
  walk.expr(e);
  return walk.found;
}

class Order {
  found: FunctionCall | Comma | undefined;
  /** Variables that have been read. */
  private readonly read: VarId[] = [];
  /** What others may write has been read. */
  private shared = false;
  /** Nothing behind here may come before what has been evaluated. */
  private ended = false;

  constructor(private readonly asked: Asked) {}

  private get done(): boolean {
    return this.ended || this.found !== undefined;
  }

  expr(e: Expr): void {
    if (this.done) return;
    switch (e.kind) {
      case "literal":
      case "null-pointer":
      case "enumerator":
      case "builtin":
        return;
      case "load":
        this.place(e.place);
        return this.reads(e.place);
      case "unary":
      case "convert":
      case "bitcast":
      case "splat":
      case "swizzle-value":
      case "member-value":
        return this.expr(e.operand);
      case "element-value":
        this.expr(e.operand);
        return this.expr(e.index);
      case "binary":
        this.expr(e.left);
        return this.expr(e.right);
      case "construct":
        return e.arguments.forEach((a) => this.expr(a));
      case "address-of":
        return this.place(e.place);
      case "pointer-offset":
        this.expr(e.pointer);
        return this.expr(e.offset);
      case "logical":
        this.expr(e.left);
        return this.lazy(e.right);
      case "conditional":
        this.expr(e.condition);
        this.lazy(e.whenTrue);
        return this.lazy(e.whenFalse);
      case "assign":
        this.place(e.target);
        this.expr(e.value);
        return this.end();
      case "comma":
        return this.comma(e);
      case "call":
        return this.call(e);
      default:
        return this.end();
    }
  }

  private call(e: FunctionCall): void {
    for (const a of e.arguments) {
      if (a.mode === "value") this.expr(a.value);
      else this.place(a.place);
    }
    if (this.done) return;
    const written = new Set(e.arguments.flatMap((a) => (a.mode === "value" ? [] : [rootVariable(a.place)])));
    const stays = (id: VarId): boolean =>
      this.asked.variable(id).constant || (!written.has(id) && !this.asked.isAddressed(id));
    const stands = this.asked.onlyReads(e) || (!this.shared && this.read.every(stays));
    if (this.asked.isWanted(e) && stands) this.found = e;
    else this.end();
  }

  private comma(e: Comma): void {
    const { left } = e;
    if (left.kind !== "assign" || !this.asked.isStatement(left)) {
      this.expr(left);
      return this.expr(e.right);
    }
    const before = this.read.length;
    this.place(left.target);
    this.expr(left.value);
    if (this.done) return;
    const written = rootVariable(left.target);
    if (isPure(left.value) && written !== undefined && !this.shared && !this.read.slice(0, before).includes(written))
      this.found = e;
    else this.end();
  }

  private place(p: Place): void {
    if (this.done) return;
    switch (p.kind) {
      case "variable":
        return;
      case "deref":
        return this.expr(p.pointer);
      case "element":
        this.place(p.base);
        return this.expr(p.index);
      case "member":
      case "swizzle":
        return this.place(p.base);
      default:
        return this.end();
    }
  }

  /** Only what lies in a variable of the function is known to stay, unless nothing is written. */
  private reads(p: Place): void {
    const id = rootVariable(p);
    const v = id === undefined ? undefined : this.asked.variable(id);
    if (v && (v.role === "local" || v.role === "parameter") && v.space === "private" && v.mode !== "ref")
      this.read.push(v.id);
    else this.shared = true;
  }

  private lazy(e: Expr): void {
    let wanted = false;
    walkExpr(e, {
      expr: (x) => {
        if (x.kind === "call" && this.asked.isWanted(x)) wanted = true;
        if (x.kind === "assign" && this.asked.isStatement(x)) wanted = true;
      },
    });
    // What is behind may be evaluated before it all the same, where this does nothing.
    if (wanted) this.end();
    else this.expr(e);
  }

  private end(): void {
    if (!this.found) this.ended = true;
  }
}
