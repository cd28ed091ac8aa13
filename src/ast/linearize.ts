/**
 * Makes room for statements that must run in the middle of an expression: what is evaluated before them is kept in locals,
 * lazy operands become control flow, conditions of loops move into their bodies.
 */
import {
  assign,
  block,
  boolLiteral,
  declare,
  expressionStatement,
  ifStatement,
  load,
  unary,
  variablePlace,
  type ModuleEditor,
} from "./builders.js";
import { heldPlace } from "./held-place.js";
import {
  noTrivia,
  type Argument,
  type BinaryOperator,
  type Block,
  type Expr,
  type FunctionDeclaration,
  type Place,
  type Statement,
  type SwitchCase,
  type Trivia,
  type Variable,
  type VarId,
} from "./nodes.js";
import { isPure, rewriteExpr, rewriteStatement, walkStatement } from "./walk.js";
import { append } from "../support/append.js";
import { assertNever } from "../support/assert-never.js";
import { noSpan } from "../support/span.js";
import { bool, type Type } from "../types/types.js";
import { jumpsOf } from "./jumps.js";

/** Statements to run first, and the value (absent where nobody takes it). */
export interface Linear {
  readonly before: readonly Statement[];
  readonly value: Expr;
}

/** Replaces one node whose children are done; undefined leaves it. `discarded`: it is a whole expression statement. */
export type Transform = (
  e: Expr,
  discarded: boolean,
  original: Expr,
) => { readonly before: readonly Statement[]; readonly value: Expr | undefined } | undefined;

export class Linearizer {
  /** Locals that are set once, where they are declared. */
  readonly settled = new Set<VarId>();

  /** Locals made for `&&` and `||`: each is read once. */
  private readonly decided = new Map<VarId, "both" | "either">();

  constructor(
    private readonly editor: ModuleEditor,
    private readonly transform: Transform,
    /** Lazy operands that must not stand in an expression though nothing else takes them apart. */
    private readonly apart: (operand: Expr) => boolean = () => false,
  ) {}

  function(f: FunctionDeclaration): FunctionDeclaration {
    const statements = this.list(f.body.statements);
    return statements === f.body.statements ? f : { ...f, body: { ...f.body, statements } };
  }

  private local(name: string, type: Type): Variable {
    return this.editor.addLocal(name, type, noSpan);
  }

  // ---------------------------------------------------------------- expressions

  /** Joins parts evaluated left to right; what precedes statements is held. */
  private parts(list: readonly Linear[]): { readonly before: readonly Statement[]; readonly values: readonly Expr[] } {
    let last = -1;
    list.forEach((l, i) => {
      if (l.before.length > 0) last = i;
    });
    if (last < 0) return { before: [], values: list.map((l) => l.value) };
    const before: Statement[] = [];
    const values = list.map((l, i) => {
      append(before, l.before);
      if (i >= last || this.isSettled(l.value)) return l.value;
      const t = this.local("t", l.value.type);
      this.settled.add(t.id);
      before.push(declare(t.id, l.value));
      return load(variablePlace(t), l.value.span);
    });
    return { before, values };
  }

  /** A place whose indices later statements do not change: those they would are held where the place stands. */
  private held(
    p: { readonly before: readonly Statement[]; readonly place: Place },
    later: readonly Statement[],
  ): { readonly before: readonly Statement[]; readonly place: Place } {
    if (later.length === 0) return p;
    const before = [...p.before];
    const hold = (e: Expr): Expr => {
      if (this.isSettled(e) || !this.disturbs(later, e)) return e;
      const t = this.local("at", e.type);
      this.settled.add(t.id);
      before.push(declare(t.id, e));
      return load(variablePlace(t), e.span);
    };
    return { place: heldPlace(p.place, hold), before };
  }

  /** Whether running the statements may change the value of the expression. */
  private disturbs(list: readonly Statement[], e: Expr): boolean {
    if (!isPure(e)) return true;
    const written = new Set<VarId>();
    let memory = false;
    for (const s of list) {
      walkStatement(s, {
        place: (p, use) => {
          if (use === "read") return;
          if (p.kind === "deref") memory = true;
          if (p.kind === "variable") written.add(p.variable);
        },
        expr: (x) => void (x.kind === "call" && (memory = true)),
      });
    }
    let found = false;
    walkStatement(expressionStatement(e), {
      place: (p) => {
        if (p.kind === "variable" && written.has(p.variable)) found = true;
        // A callee may write what is declared at file scope, and what pointers lead to.
        if (memory && (p.kind !== "variable" || this.editor.variables.get(p.variable)!.role !== "local")) found = true;
      },
    });
    return found;
  }

  expr(e: Expr, discarded = false): Linear {
    const inner = this.children(e, discarded);
    const done = this.transform(inner.value, discarded, e);
    if (!done) return inner;
    return { before: [...inner.before, ...done.before], value: done.value ?? boolLiteral(false, e.span) };
  }

  private one(e: Expr, operand: Expr, make: (x: Expr) => Expr): Linear {
    const l = this.expr(operand);
    return { before: l.before, value: l.value === operand ? e : without(make(l.value)) };
  }

  private children(e: Expr, discarded: boolean): Linear {
    switch (e.kind) {
      case "literal":
      case "null-pointer":
      case "enumerator":
      case "builtin":
        return { before: [], value: e };
      case "load":
      case "length":
      case "address-of": {
        const p = this.place(e.place);
        return { before: p.before, value: p.place === e.place ? e : without({ ...e, place: p.place }) };
      }
      case "convert": {
        const l = this.expr(e.operand, discarded);
        if (l.value === e.operand || (discarded && l.before.length > 0))
          return { before: l.before, value: l.value === e.operand ? e : l.value };
        return { before: l.before, value: without({ ...e, operand: l.value }) };
      }
      case "unary":
      case "bitcast":
      case "splat":
      case "swizzle-value":
      case "member-value":
        return this.one(e, e.operand, (operand) => ({ ...e, operand }));
      case "element-value": {
        const { before, values } = this.parts([this.expr(e.operand), this.expr(e.index)]);
        return {
          before,
          value: same([e.operand, e.index], values) ? e : without({ ...e, operand: values[0]!, index: values[1]! }),
        };
      }
      case "binary": {
        const { before, values } = this.parts([this.expr(e.left), this.expr(e.right)]);
        return {
          before,
          value: same([e.left, e.right], values) ? e : without({ ...e, left: values[0]!, right: values[1]! }),
        };
      }
      case "comma":
        return this.comma(e, discarded);
      case "pointer-offset": {
        const { before, values } = this.parts([this.expr(e.pointer), this.expr(e.offset)]);
        return {
          before,
          value: same([e.pointer, e.offset], values) ? e : without({ ...e, pointer: values[0]!, offset: values[1]! }),
        };
      }
      case "logical":
        return this.logical(e, discarded);
      case "conditional":
        return this.conditional(e, discarded);
      case "construct":
      case "print": {
        const { before, values } = this.parts(e.arguments.map((a) => this.expr(a)));
        return { before, value: same(e.arguments, values) ? e : without({ ...e, arguments: values }) };
      }
      case "op":
        return this.op(e);
      case "call":
        return this.call(e);
      case "assign":
        return this.assign(e);
      case "increment": {
        const p = this.place(e.place);
        return { before: p.before, value: p.place === e.place ? e : without({ ...e, place: p.place }) };
      }
      default:
        return assertNever(e);
    }
  }

  private comma(e: Expr & { readonly kind: "comma" }, discarded: boolean): Linear {
    const left = this.expr(e.left, true);
    const right = this.expr(e.right, discarded);
    if (right.before.length > 0 || (left.before.length > 0 && isPure(left.value))) {
      return { before: [...run(left), ...right.before], value: right.value };
    }
    const value =
      left.value === e.left && right.value === e.right ? e : without({ ...e, left: left.value, right: right.value });
    return { before: left.before, value };
  }

  private logical(e: Expr & { readonly kind: "logical" }, discarded: boolean): Linear {
    const left = this.expr(e.left);
    const right = this.expr(e.right, discarded);
    if (right.before.length === 0 && !this.apart(e.right)) {
      return {
        before: left.before,
        value:
          left.value === e.left && right.value === e.right
            ? e
            : without({ ...e, left: left.value, right: right.value }),
      };
    }
    if (discarded) {
      const decides = e.operator === "and" ? left.value : unary("not", left.value);
      return {
        before: [...left.before, ifStatement(decides, block(run(right)))],
        value: boolLiteral(false, e.span),
      };
    }
    // In `a && b && c` one local goes through.
    const name = e.operator === "and" ? "both" : "either";
    const known =
      left.value.kind === "load" &&
      left.value.place.kind === "variable" &&
      this.decided.get(left.value.place.variable) === name;
    const t = known ? this.editor.variables.get(left.value.place.variable)! : this.local(name, bool);
    this.decided.set(t.id, name);
    const read = load(variablePlace(t), e.span);
    const condition = e.operator === "and" ? read : unary("not", read);
    const inside = block([...right.before, expressionStatement(assign(variablePlace(t), right.value))]);
    return {
      before: [...left.before, ...(known ? [] : [declare(t.id, left.value)]), ifStatement(condition, inside)],
      value: read,
    };
  }

  private conditional(e: Expr & { readonly kind: "conditional" }, discarded: boolean): Linear {
    const condition = this.expr(e.condition);
    const yes = this.expr(e.whenTrue, discarded);
    const no = this.expr(e.whenFalse, discarded);
    if (yes.before.length === 0 && no.before.length === 0 && !this.apart(e.whenTrue) && !this.apart(e.whenFalse)) {
      const kept = condition.value === e.condition && yes.value === e.whenTrue && no.value === e.whenFalse;
      return {
        before: condition.before,
        value: kept ? e : without({ ...e, condition: condition.value, whenTrue: yes.value, whenFalse: no.value }),
      };
    }
    if (discarded) {
      const [then, otherwise] = [run(yes), run(no)];
      return {
        before: [
          ...condition.before,
          ifStatement(condition.value, block(then), otherwise.length > 0 ? block(otherwise) : undefined),
        ],
        value: boolLiteral(false, e.span),
      };
    }
    const t = this.local("chosen", e.type);
    const branch = (l: Linear): Block => block([...l.before, expressionStatement(assign(variablePlace(t), l.value))]);
    return {
      before: [...condition.before, declare(t.id), ifStatement(condition.value, branch(yes), branch(no))],
      value: load(variablePlace(t), e.span),
    };
  }

  private op(e: Expr & { readonly kind: "op" }): Linear {
    const linear = e.arguments.map((a) => this.expr(a));
    const later = linear.flatMap((l) => l.before);
    const places = e.places.map((p) => this.held(this.place(p), later));
    const args = this.parts([
      ...places.map((p): Linear => ({ before: p.before, value: boolLiteral(true) })),
      ...linear,
    ]);
    const values = args.values.slice(places.length);
    const kept = same(e.arguments, values) && places.every((p, i) => p.place === e.places[i]);
    return {
      before: args.before,
      value: kept ? e : without({ ...e, places: places.map((p) => p.place), arguments: values }),
    };
  }

  private call(e: Expr & { readonly kind: "call" }): Linear {
    const linear: { readonly l: Linear; readonly place?: Place }[] = [];
    let later: readonly Statement[] = [];
    for (const a of e.arguments.toReversed()) {
      if (a.mode === "value") linear.push({ l: this.expr(a.value) });
      else {
        const p = this.held(this.place(a.place), later);
        linear.push({ l: { before: p.before, value: boolLiteral(true) }, place: p.place });
      }
      later = [...linear.at(-1)!.l.before, ...later];
    }
    linear.reverse();
    const { before, values } = this.parts(linear.map((x) => x.l));
    const args = e.arguments.map((a, i): Argument => {
      if (a.mode === "value") return values[i] === a.value ? a : { ...a, value: values[i]! };
      const { place } = linear[i]!;
      return place === a.place ? a : { ...a, place: place! };
    });
    return { before, value: args.every((a, i) => a === e.arguments[i]) ? e : without({ ...e, arguments: args }) };
  }

  private assign(e: Expr & { readonly kind: "assign" }): Linear {
    const value = this.expr(e.value);
    const target = this.held(this.place(e.target), value.before);
    // `op=` reads the old value after the operand has run: so do glslang, DXC and clang.
    return {
      before: [...target.before, ...value.before],
      value:
        target.place === e.target && value.value === e.value
          ? e
          : without({ ...e, target: target.place, value: value.value }),
    };
  }

  private place(p: Place): { readonly before: readonly Statement[]; readonly place: Place } {
    switch (p.kind) {
      case "variable":
        return { before: [], place: p };
      case "deref": {
        const l = this.expr(p.pointer);
        return { before: l.before, place: l.value === p.pointer ? p : { ...p, pointer: l.value } };
      }
      case "element": {
        const index = this.expr(p.index);
        const base = this.held(this.place(p.base), index.before);
        return {
          before: [...base.before, ...index.before],
          place: base.place === p.base && index.value === p.index ? p : { ...p, base: base.place, index: index.value },
        };
      }
      case "member":
      case "swizzle": {
        const base = this.place(p.base);
        return { before: base.before, place: base.place === p.base ? p : { ...p, base: base.place } };
      }
      case "view": {
        const offset = this.expr(p.offset);
        const base = this.held(this.place(p.base), offset.before);
        return {
          before: [...base.before, ...offset.before],
          place:
            base.place === p.base && offset.value === p.offset ? p : { ...p, base: base.place, offset: offset.value },
        };
      }
      default:
        return assertNever(p);
    }
  }

  // ---------------------------------------------------------------- statements

  statements(list: readonly Statement[]): readonly Statement[] {
    return this.list(list);
  }

  private list(list: readonly Statement[]): readonly Statement[] {
    let changed = false;
    const out: Statement[] = [];
    for (const s of list) {
      const next = this.statement(s);
      if (next.length !== 1 || next[0] !== s) changed = true;
      append(out, next);
    }
    return changed ? out : list;
  }

  /** As one statement, a block where there are several. */
  private single(s: Statement): Statement {
    const next = this.statement(s);
    return next.length === 1 ? next[0]! : block(next, s.span);
  }

  private statement(s: Statement): readonly Statement[] {
    switch (s.kind) {
      case "block": {
        const statements = this.list(s.statements);
        return [statements === s.statements ? s : { ...s, statements }];
      }
      case "declare":
        return this.declared(s);
      case "expression":
        return this.expressionOf(s);
      case "if":
        return this.branch(s);
      case "switch":
        return this.switched(s);
      case "while":
        return this.whileLoop(s);
      case "do-while":
        return this.doLoop(s);
      case "for":
        return this.forLoop(s);
      case "return": {
        if (!s.value) return [s];
        const l = this.expr(s.value);
        return behind(s, l.before, l.value === s.value ? s : { ...s, value: l.value });
      }
      case "break":
      case "continue":
      case "barrier":
        return [s];
      default:
        return assertNever(s);
    }
  }

  private declared(s: Statement & { readonly kind: "declare" }): readonly Statement[] {
    if (!s.initializer) return [s];
    const l = this.expr(s.initializer);
    const direct = l.before.length > 0 ? this.directly(s.variable, l) : undefined;
    if (direct) {
      const v = this.editor.variables.get(s.variable)!;
      this.editor.setVariable({ ...v, constant: false });
      const [first, ...rest] = direct;
      const given = first?.kind === "expression" && first.expression.kind === "assign" ? first.expression : undefined;
      if (given && !given.operator && given.target.kind === "variable" && given.target.variable === s.variable)
        return [{ ...s, initializer: given.value, trivia: leadingOf(s.trivia) }, ...attach(rest, trailingOf(s.trivia))];
      const { initializer: _initializer, ...bare } = s;
      return [{ ...bare, trivia: leadingOf(s.trivia) }, ...attach(direct, trailingOf(s.trivia))];
    }
    return behind(s, l.before, l.value === s.initializer ? s : { ...s, initializer: l.value });
  }

  private expressionOf(s: Statement & { readonly kind: "expression" }): readonly Statement[] {
    const l = this.expr(s.expression, true);
    if (l.before.length === 0) return [l.value === s.expression ? s : { ...s, expression: l.value }];
    const e = l.value;
    if (e.kind === "assign" && !e.operator && e.target.kind === "variable" && s.expression.kind === "assign") {
      const target = this.editor.variables.get(e.target.variable)!;
      if (target.space === "private" && !mentions(s.expression.value, target.id)) {
        const direct = this.directly(target.id, { before: l.before, value: e.value });
        if (direct) return attach(withTrivia(direct, leadingOf(s.trivia)), trailingOf(s.trivia));
      }
    }
    if (isPure(e)) return attach(withTrivia(l.before, leadingOf(s.trivia)), trailingOf(s.trivia));
    return behind(s, l.before, { ...s, expression: e });
  }

  private branch(s: Statement & { readonly kind: "if" }): readonly Statement[] {
    const condition = this.expr(s.condition);
    const then = this.single(s.then);
    const otherwise = s.else && this.single(s.else);
    const kept = condition.value === s.condition && then === s.then && otherwise === s.else;
    const rest = kept ? s : { ...s, condition: condition.value, then, ...(otherwise ? { else: otherwise } : {}) };
    return behind(s, condition.before, rest);
  }

  private switched(s: Statement & { readonly kind: "switch" }): readonly Statement[] {
    const value = this.expr(s.value);
    let changed = value.value !== s.value;
    const cases = s.cases.map((c): SwitchCase => {
      const body = this.list(c.body);
      if (body === c.body) return c;
      changed = true;
      return { ...c, body };
    });
    return behind(s, value.before, changed ? { ...s, value: value.value, cases } : s);
  }

  private whileLoop(s: Statement & { readonly kind: "while" }): readonly Statement[] {
    const condition = this.expr(s.condition);
    const body = this.single(s.body);
    if (condition.before.length === 0)
      return [condition.value === s.condition && body === s.body ? s : { ...s, condition: condition.value, body }];
    return [
      {
        ...s,
        condition: boolLiteral(true, s.span),
        body: block([...condition.before, leave(condition.value), ...inside(body)], s.span),
      },
    ];
  }

  private doLoop(s: Statement & { readonly kind: "do-while" }): readonly Statement[] {
    const condition = this.expr(s.condition);
    const body = this.single(s.body);
    if (condition.before.length === 0)
      return [condition.value === s.condition && body === s.body ? s : { ...s, condition: condition.value, body }];
    if (!jumpsOf(s.body).continue)
      return [
        {
          kind: "while",
          condition: boolLiteral(true, s.span),
          body: block([...inside(body), ...condition.before, leave(condition.value)], s.span),
          span: s.span,
          trivia: s.trivia,
          ...(s.unroll !== undefined ? { unroll: s.unroll } : {}),
        },
      ];
    // `continue` goes to the condition: it is tested at the start of every round but the first.
    const first = this.local("first", bool);
    const read = load(variablePlace(first));
    const test = ifStatement(unary("not", read), block([...condition.before, leave(condition.value)]));
    const done = expressionStatement(assign(variablePlace(first), boolLiteral(false)));
    return [
      { ...declare(first.id, boolLiteral(true)), trivia: leadingOf(s.trivia) },
      {
        kind: "while",
        condition: boolLiteral(true, s.span),
        body: block([test, done, ...inside(body)], s.span),
        span: s.span,
        trivia: trailingOf(s.trivia),
        ...(s.unroll !== undefined ? { unroll: s.unroll } : {}),
      },
    ];
  }

  private forLoop(s: Statement & { readonly kind: "for" }): readonly Statement[] {
    const initializer = this.list(s.initializer);
    const condition = s.condition ? this.expr(s.condition) : undefined;
    const step = s.step ? this.expr(s.step, true) : undefined;
    const body = this.single(s.body);
    const moved = initializer.length !== s.initializer.length;
    if ((condition?.before.length ?? 0) === 0 && (step?.before.length ?? 0) === 0) {
      const kept =
        initializer === s.initializer && condition?.value === s.condition && step?.value === s.step && body === s.body;
      const rest: Statement = kept
        ? s
        : {
            ...s,
            initializer: moved ? [] : (initializer as typeof s.initializer),
            body,
            ...(condition ? { condition: condition.value } : {}),
            ...(step ? { step: step.value } : {}),
          };
      return moved ? [block([...initializer, rest], s.span, s.trivia)] : [rest];
    }
    const test = condition ? [...condition.before, leave(condition.value)] : [];
    const start: Statement[] = [];
    const round: Statement[] = [];
    if (step && step.before.length > 0) {
      const first = this.local("first", bool);
      start.push(declare(first.id, boolLiteral(true)));
      const next = [...step.before, ...(this.isSettled(step.value) ? [] : [expressionStatement(step.value)])];
      round.push(
        ifStatement(unary("not", load(variablePlace(first))), block(next)),
        expressionStatement(assign(variablePlace(first), boolLiteral(false))),
      );
    }
    const { condition: _condition, step: _step, ...rest } = s;
    const loop: Statement = {
      ...rest,
      initializer: [],
      body: block([...round, ...test, ...inside(body)], s.span),
      trivia: noTrivia,
      ...(step && step.before.length === 0 ? { step: step.value } : {}),
    };
    return [block([...initializer, ...start, loop], s.span, s.trivia)];
  }

  /** A value that no statement in between can change. */
  private isSettled(e: Expr): boolean {
    if (e.kind === "literal" || e.kind === "enumerator" || e.kind === "builtin") return true;
    if (e.kind === "load") return e.place.kind === "variable" && this.settled.has(e.place.variable);
    return (e.kind === "convert" || e.kind === "splat" || e.kind === "swizzle-value") && this.isSettled(e.operand);
  }

  /** Where the value is a local made for it, the statements write to `variable` instead. */
  private directly(variable: VarId, l: Linear): readonly Statement[] | undefined {
    const { value } = l;
    if (value.kind !== "load" || value.place.kind !== "variable") return undefined;
    const temporary = value.place.variable;
    const declared = l.before.find((s) => s.kind === "declare" && s.variable === temporary);
    if (!declared || declared.kind !== "declare") return undefined;
    // A list is made in a declaration because it has no other place.
    if (
      declared.initializer?.kind === "construct" &&
      (declared.initializer.type.kind === "array" || declared.initializer.type.kind === "struct")
    )
      return undefined;
    const [a, b] = [this.editor.variables.get(temporary)!, this.editor.variables.get(variable)!];
    if (JSON.stringify(a.type) !== JSON.stringify(b.type)) return undefined;
    // What may not be contracted stays in a variable that says so.
    if (a.precise && !b.precise) return undefined;
    const target = variablePlace(b);
    const place = (p: Place): Place =>
      p.kind === "variable" && p.variable === temporary ? { ...target, span: p.span } : p;
    return l.before.flatMap((s): Statement[] => {
      if (s === declared)
        return declared.initializer
          ? [expressionStatement(assign(target, rewriteExpr(declared.initializer, { place })))]
          : [];
      return [rewriteStatement(s, { place })];
    });
  }
}

const same = (a: readonly Expr[], b: readonly Expr[]): boolean => a.every((x, i) => x === b[i]);

/** A changed subtree loses its macro. */
function without<E extends Expr>(e: E): E {
  if (!e.macro) return e;
  const { macro: _macro, ...rest } = e;
  return rest as E;
}

/** For what it does alone. */
const run = (l: Linear): readonly Statement[] =>
  isPure(l.value) ? l.before : [...l.before, expressionStatement(l.value)];

const leave = (condition: Expr): Statement =>
  ifStatement(unless(condition), { kind: "break", span: noSpan, trivia: noTrivia });

/** `!(a != b)` is `a == b`, of NaN too. */
function unless(e: Expr): Expr {
  const opposite = e.kind === "binary" && e.type.kind === "scalar" && !e.macro ? opposites[e.operator] : undefined;
  return opposite && e.kind === "binary" ? { ...e, operator: opposite } : unary("not", e);
}
const opposites: Partial<Record<BinaryOperator, BinaryOperator>> = { eq: "ne", ne: "eq" };
const inside = (s: Statement): readonly Statement[] => {
  if (s.kind !== "block") return [s];
  return s.innerComments.length === 0 ? s.statements : [{ ...s, trivia: noTrivia }];
};

const leadingOf = (t: Trivia): Trivia => ({ leading: t.leading, trailing: [], blankBefore: t.blankBefore });
const trailingOf = (t: Trivia): Trivia => ({ leading: [], trailing: t.trailing, blankBefore: false });

function withTrivia(list: readonly Statement[], trivia: Trivia): readonly Statement[] {
  const [first, ...rest] = list;
  if (!first) return list;
  return [
    {
      ...first,
      trivia: {
        ...first.trivia,
        leading: [...trivia.leading, ...first.trivia.leading],
        blankBefore: trivia.blankBefore || first.trivia.blankBefore,
      },
    },
    ...rest,
  ];
}

function attach(list: readonly Statement[], trivia: Trivia): readonly Statement[] {
  const last = list.at(-1);
  if (!last || trivia.trailing.length === 0) return list;
  return [
    ...list.slice(0, -1),
    { ...last, trivia: { ...last.trivia, trailing: [...last.trivia.trailing, ...trivia.trailing] } },
  ];
}

function mentions(e: Expr, id: VarId): boolean {
  let found = false;
  walkStatement(expressionStatement(e), {
    place: (p) => void (p.kind === "variable" && p.variable === id && (found = true)),
  });
  return found;
}

/** A statement made of `s`, with what runs first: the comments of `s` go around both. */
const behind = (s: Statement, before: readonly Statement[], rest: Statement): readonly Statement[] =>
  before.length === 0
    ? [rest]
    : [...withTrivia(before, leadingOf(s.trivia)), { ...rest, trivia: trailingOf(s.trivia) }];
