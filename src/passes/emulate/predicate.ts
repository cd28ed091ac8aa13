/**
 * Flow in which every lane of the workgroup reaches every cross-lane op (cross-lane.md section 2.1): what lanes would do
 * alone becomes a truth value that says whether a lane takes part. Branches run one after the other, loops go on until no
 * lane of the workgroup is left in them, a return only clears the flags. Flow that the whole workgroup shares stays as it is.
 */

import {
  assign,
  binary,
  block,
  boolLiteral,
  constantOf,
  declare,
  expressionStatement,
  functionCall,
  ifStatement,
  load,
  logical,
  opCall,
  returnStatement,
  u32Literal,
  unary,
  variablePlace,
  type ModuleEditor,
} from "../../ast/builders.js";

import {
  noTrivia,
  type Argument,
  type Barrier,
  type BuiltinId,
  type Expr,
  type For,
  type FunctionCall,
  type FunctionDeclaration,
  type FunctionId,
  type If,
  type Module,
  type OpCall,
  type Place,
  type Statement,
  type Switch,
  type Trivia,
  type Variable,
  type VarId,
} from "../../ast/nodes.js";
import { heldPlace } from "../../ast/held-place.js";
import { isPure, walkExpr, walkStatement } from "../../ast/walk.js";
import { append } from "../../support/append.js";
import { noSpan, type Span } from "../../support/span.js";
import { bool, type Type } from "../../types/types.js";
import { jumpsOf } from "../../ast/jumps.js";

export interface Predication {
  /** Ops (and calls) this is done for. */
  readonly isOp: (e: Expr) => e is OpCall;
  readonly isCall: (e: Expr) => e is FunctionCall;
  /** All lanes of the workgroup reach it, as the flow of the source shows. */
  readonly isUniform: (node: OpCall | FunctionCall | Barrier) => boolean;
  /** What stands for the op where the lanes of `active` take part (undefined: all). */
  readonly op: (e: OpCall, active: Expr | undefined) => Expr;
  /** A function called while some lanes take no part. */
  readonly calledBySome: (id: FunctionId) => void;
  /** The function has the parameter that says who takes part. */
  readonly isCalledBySome: (id: FunctionId) => boolean;
  /** The variable was made for the result of one op, and is read once. */
  readonly isTemporary: (id: VarId) => boolean;
  readonly refuse: (message: string, span: Span) => void;
}

/** Flags of one construct; inner ones imply outer ones. */
interface Frame {
  readonly kind: "function" | "if" | "loop" | "round" | "switch";
  readonly flag: Variable;
}

/** A flag and the statements of the function rewritten under it. `some`: callers tell by a last parameter who takes part. */
export class Predicator {
  private readonly frames: Frame[] = [];
  private readonly names = new Map<string, number>();
  private result: Variable | undefined;
  private returnsBySome = false;

  constructor(
    private readonly module: Module,
    private readonly editor: ModuleEditor,
    private readonly p: Predication,
  ) {}

  function(f: FunctionDeclaration, some: boolean): FunctionDeclaration {
    const { statements } = f.body;
    let parameters = f.parameters;
    const before: Statement[] = [];
    if (some) {
      const active = this.editor.addVariable({
        name: "active",
        type: bool,
        space: "private",
        role: "parameter",
        constant: false,
        mode: "value",
        span: noSpan,
      });
      parameters = [...parameters, active.id];
      this.frames.push({ kind: "function", flag: active });
    }
    this.returnsBySome =
      some || statements.some((s) => this.returnsInside(s) && this.hasWork(s)) || this.workAfterReturn(statements);
    if (this.returnsBySome && f.returnType.kind !== "void") {
      this.result = this.local("result", f.returnType);
      before.push(this.declared(this.result));
    }
    const out = [...before, ...this.list(statements, true)];
    if (this.result && out.at(-1)?.kind !== "return") out.push(returnStatement(this.read(this.result)));
    return { ...f, parameters, body: { ...f.body, statements: out } };
  }

  // ---------------------------------------------------------------- questions

  /** It contains an op, a call or a barrier that all lanes have to reach, and lanes may part on the way to it. */
  private hasWork(s: Statement): boolean {
    let found = false;
    walkStatement(s, {
      // What waits for a workgroup stays where it is: the source already has all lanes come there.
      statement: (x) =>
        void (
          x.kind === "barrier" &&
          (this.frames.length > 0 || (x.barrier.execution === "subgroup" && !this.p.isUniform(x))) &&
          (found = true)
        ),
      expr: (e) => {
        if (this.p.isOp(e) && (this.frames.length > 0 || !this.p.isUniform(e))) found = true;
        if (this.p.isCall(e) && (this.frames.length > 0 || this.needsFlag(e))) found = true;
      },
    });
    return found;
  }

  private needsFlag(e: FunctionCall): boolean {
    return !this.p.isUniform(e) || this.p.isCalledBySome(e.function);
  }

  private workAfterReturn(list: readonly Statement[]): boolean {
    const first = list.findIndex((s) => this.returnsInside(s));
    return first >= 0 && list.slice(first + 1).some((s) => this.hasWork(s) || hasBarrier(s));
  }

  /** A return somewhere inside, not the statement itself. */
  private returnsInside(s: Statement): boolean {
    if (s.kind === "return") return false;
    let found = false;
    walkStatement(s, { statement: (x) => void (x.kind === "return" && (found = true)) });
    return found;
  }

  /** It jumps out of a construct whose lanes are kept by flags. */
  private jumpsOut(s: Statement, inLoop = false, inSwitch = false): boolean {
    switch (s.kind) {
      case "return":
        return this.returnsBySome;
      case "break":
        return !inLoop && !inSwitch && this.frames.some((f) => f.kind === "loop" || f.kind === "switch");
      case "continue":
        return !inLoop && this.frames.some((f) => f.kind === "round");
      case "block":
        return s.statements.some((x) => this.jumpsOut(x, inLoop, inSwitch));
      case "if":
        return (
          this.jumpsOut(s.then, inLoop, inSwitch) || (s.else !== undefined && this.jumpsOut(s.else, inLoop, inSwitch))
        );
      case "switch":
        return s.cases.some((c) => c.body.some((x) => this.jumpsOut(x, inLoop, true)));
      case "for":
      case "while":
      case "do-while":
        return this.jumpsOut(s.body, true, true);
      default:
        return false;
    }
  }

  // ---------------------------------------------------------------- small pieces

  /** Names are not used twice: an inner flag is worked out from an outer one. */
  private local(base: string, type: Type): Variable {
    const number = (this.names.get(base) ?? 0) + 1;
    this.names.set(base, number);
    const name = number === 1 ? base : `${base}${number}`;
    return this.editor.addLocal(name, type);
  }

  private read(v: Variable): Expr {
    return load(variablePlace(v));
  }

  private set(v: Variable, value: Expr): Statement {
    return expressionStatement(assign(variablePlace(v), value));
  }

  /** Zero at first where that can be said: lanes that take no part read it. */
  private declared(v: Variable): Statement {
    const { type } = v;
    if (type.kind === "scalar") return declare(v.id, constantOf(type, type.scalar === "bool" ? false : 0));
    return type.kind === "vector" ? declare(v.id, constantOf(type, type.scalar === "bool" ? false : 0)) : declare(v.id);
  }

  private get flag(): Variable | undefined {
    return this.frames.at(-1)?.flag;
  }

  private current(): Expr | undefined {
    return this.flag && this.read(this.flag);
  }

  /** `flag && condition`, the condition only worked out by lanes that take part. */
  private narrowed(condition: Expr): Expr {
    const now = this.current();
    return now ? logical("and", now, condition) : condition;
  }

  private under(frame: Frame, body: () => Statement[]): Statement[] {
    this.frames.push(frame);
    const out = body();
    this.frames.pop();
    return out;
  }

  /** Lanes that take part clear their flags from the innermost construct out to frame `depth`. */
  private leave(depth: number): Statement[] {
    return this.frames
      .slice(depth)
      .reverse()
      .map((f) => this.set(f.flag, boolLiteral(false)));
  }

  // ---------------------------------------------------------------- lists

  private list(all: readonly Statement[], top = false): Statement[] {
    const list = initialized(all, this.p.isTemporary);
    const out: Statement[] = [];
    let plain: Statement[] = [];
    const flush = (): void => {
      if (plain.length > 0) out.push(ifStatement(this.current()!, block(plain)));
      plain = [];
    };
    list.forEach((s) => {
      if (top && !this.flag && this.returnsBySome && this.returnsInside(s)) append(out, this.firstReturn(s));
      else if (this.hasWork(s) || this.jumpsOut(s)) {
        flush();
        append(out, this.statement(s));
      } else if (!this.flag) out.push(s);
      else if (s.kind === "declare") {
        const kept = this.declaration(s);
        if (kept.length === 1 || !(plain.length > 0)) flush();
        out.push(kept[0]);
        if (kept[1]) plain.push(kept[1]);
      } else plain.push(s);
    });
    flush();
    return out;
  }

  /** From the first return of some lanes on, a flag says who is left. */
  private firstReturn(s: Statement): Statement[] {
    const active = this.local("active", bool);
    const alone = s.kind === "if" && !s.else && isBareReturn(s.then) && isPure(s.condition);
    if (alone) {
      this.frames.push({ kind: "function", flag: active });
      return [{ ...declare(active.id, negated(s.condition)), trivia: s.trivia }];
    }
    this.frames.push({ kind: "function", flag: active });
    return [declare(active.id, boolLiteral(true)), ...this.statement(s)];
  }

  /** The declaration stands for all lanes; what it costs or reads is for those that take part. */
  private declaration(s: Statement & { kind: "declare" }): [Statement] | [Statement, Statement] {
    const v = this.editor.variables.get(s.variable)!;
    if (!s.initializer || isHarmless(s.initializer)) return [s];
    this.editor.setVariable({ ...v, constant: false });
    const bare = this.declared(v);
    return [
      { ...bare, span: s.span, trivia: leading(s.trivia) },
      { ...expressionStatement(assign(variablePlace(v), s.initializer), s.span), trivia: trailing(s.trivia) },
    ];
  }

  // ---------------------------------------------------------------- statements

  private statement(s: Statement): Statement[] {
    switch (s.kind) {
      case "block":
        return [...scoped(this.list(s.statements))];
      case "expression":
        if (s.expression.kind === "comma")
          return this.list([
            { ...s, expression: s.expression.left, trivia: leading(s.trivia) },
            { ...s, expression: s.expression.right, trivia: trailing(s.trivia) },
          ]);
        return this.simple(s);
      case "declare":
        return this.simple(s);
      case "barrier":
        return [s];
      case "if":
        return this.if(s);
      case "switch":
        return this.switch(s);
      case "for":
      case "while":
      case "do-while":
        return this.loop(s);
      case "return":
        return this.return(s);
      case "break": {
        const depth = this.frames.findLastIndex((f) => f.kind === "loop" || f.kind === "switch");
        return this.guarded(this.leave(depth), s.trivia);
      }
      case "continue": {
        const depth = this.frames.findLastIndex((f) => f.kind === "round");
        return this.guarded(this.leave(depth), s.trivia);
      }
    }
  }

  private guarded(list: readonly Statement[], trivia: Trivia): Statement[] {
    return [{ ...ifStatement(this.current()!, block(list)), trivia }];
  }

  private return(s: Statement & { kind: "return" }): Statement[] {
    if (!this.flag)
      return this.result && s.value ? [this.set(this.result, s.value), { ...s, value: this.read(this.result) }] : [s];
    const kept = s.value && this.result ? [this.set(this.result, s.value)] : [];
    return this.guarded([...kept, ...this.leave(0)], s.trivia);
  }

  /** A statement that is one op or call, or assigns its result. */
  private simple(s: Statement & { kind: "declare" | "expression" }): Statement[] {
    const e = s.kind === "declare" ? s.initializer! : s.expression;
    const target = e.kind === "assign" && !e.operator ? e.target : undefined;
    const root = target && e.kind === "assign" ? e.value : e;
    if (!this.p.isOp(root) && !this.p.isCall(root)) {
      // Linearized before: an op stands alone, or under what its value passes through.
      this.p.refuse("a cross-lane operation stands where it cannot be carried out through workgroup memory", s.span);
      return [s];
    }
    const before: Statement[] = [];
    const after: Statement[] = [];
    const value = this.carriedOut(root, before, after);
    if (s.kind === "declare") {
      const v = this.editor.variables.get(s.variable)!;
      this.editor.setVariable({ ...v, constant: false });
      return [...before, { ...s, initializer: value }, ...after];
    }
    if (!target) return [...before, { ...s, expression: value }, ...after];
    if (!this.flag) return [...before, { ...s, expression: { ...(e as Expr & { kind: "assign" }), value } }, ...after];
    const t = this.local("t", root.type);
    return [
      ...before,
      declare(t.id, value),
      ...after,
      {
        ...ifStatement(
          this.current()!,
          expressionStatement({ ...(e as Expr & { kind: "assign" }), value: this.read(t) }),
        ),
        trivia: s.trivia,
      },
    ];
  }

  private carriedOut(root: OpCall | FunctionCall, before: Statement[], after: Statement[]): Expr {
    const held = (x: Expr): Expr => {
      if (!this.flag || isHarmless(x)) return x;
      const t = this.local("operand", x.type);
      const start = x.type.kind === "pointer" ? startOf(x) : undefined;
      before.push(start ? declare(t.id, start) : this.declared(t), ifStatement(this.current()!, this.set(t, x)));
      return this.read(t);
    };
    if (root.kind === "op") return this.p.op({ ...root, arguments: root.arguments.map(held) }, this.current());
    /** The place with what chooses it worked out by lanes that take part. */
    const fixed = (p: Place): Place => heldPlace(p, held);
    // What a call copies back is copied for lanes that take part; the others have no result.
    const copied = (mode: "out" | "inout", place: Place): Argument => {
      const t = this.local("copy", place.type);
      before.push(this.declared(t));
      if (mode === "inout") before.push(ifStatement(this.current()!, this.set(t, load(place))));
      after.push(ifStatement(this.current()!, expressionStatement(assign(place, this.read(t)))));
      return { mode, place: variablePlace(t) };
    };
    const args = root.arguments.map((a): Argument => {
      if (a.mode === "value") return { ...a, value: held(a.value) };
      if (!this.flag) return a;
      return a.mode === "ref" ? { ...a, place: fixed(a.place) } : copied(a.mode, fixed(a.place));
    });
    if (this.flag || this.needsFlag(root)) {
      this.p.calledBySome(root.function);
      return functionCall(
        root.function,
        [...args, { mode: "value", value: this.current() ?? boolLiteral(true) }],
        root.type,
        root.span,
      );
    }
    return { ...root, arguments: args };
  }

  private if(s: If): Statement[] {
    const yes = this.local("taken", bool);
    const out: Statement[] = [{ ...declare(yes.id, this.narrowed(s.condition)), trivia: leading(s.trivia) }];
    const no = s.else ? this.local("otherwise", bool) : undefined;
    // Before the first branch, which may change what the condition reads.
    if (no) out.push(declare(no.id, this.narrowed(unary("not", this.read(yes)))));
    append(out, scoped(this.under({ kind: "if", flag: yes }, () => this.list(inside(s.then)))));
    if (no) append(out, scoped(this.under({ kind: "if", flag: no }, () => this.list(inside(s.else!)))));
    return out;
  }

  private switch(s: Switch): Statement[] {
    const value = this.local("chosen", s.value.type);
    const out: Statement[] = [];
    const now = this.current();
    if (now) out.push(this.declared(value), ifStatement(now, this.set(value, s.value)));
    else out.push(declare(value.id, s.value));
    const any = s.cases.flatMap((c) => c.labels).filter((l): l is Expr => l !== "default");
    const is = (labels: readonly Expr[]): Expr | undefined =>
      labels
        .map((l) => binary("eq", this.read(value), l))
        .reduce<Expr | undefined>((a, b) => (a ? logical("or", a, b) : b), undefined);
    const flags = s.cases.map((c, i) => {
      // A case of nothing but a break needs no flag.
      const bare = c.body.every((x) => x.kind === "break") && (i === 0 || endsFlow(s.cases[i - 1]!.body.at(-1)));
      if (bare && c.body.length > 0) return undefined;
      const flag = this.local("taken", bool);
      const own = is(c.labels.filter((l): l is Expr => l !== "default"));
      const rest = c.labels.includes("default")
        ? any.length > 0
          ? unary("not", is(any)!)
          : boolLiteral(true)
        : undefined;
      const chosen = own && rest ? logical("or", own, rest) : (own ?? rest!);
      out.push(declare(flag.id, this.narrowed(chosen)));
      return flag;
    });
    s.cases.forEach((c, i) => {
      const flag = flags[i];
      if (!flag) return;
      const last = c.body.at(-1);
      const falls = i < s.cases.length - 1 && c.body.length > 0 && !endsFlow(last);
      if (falls || (c.body.length === 0 && i < s.cases.length - 1)) {
        // Lanes fall through: they join those of the next case.
        append(out, scoped(this.under({ kind: "switch", flag }, () => this.list(c.body))));
        out.push(this.set(flags[i + 1]!, logical("or", this.read(flags[i + 1]!), this.read(flag))));
        return;
      }
      const body = last?.kind === "break" ? c.body.slice(0, -1) : c.body;
      append(out, scoped(this.under({ kind: "switch", flag }, () => this.list(body))));
    });
    return out;
  }

  private loop(s: Statement & { kind: "for" | "while" | "do-while" }): Statement[] {
    if (s.kind === "for" && this.countsAlike(s)) return this.countedLoop(s);
    const looping = this.local("looping", bool);
    const round = this.local("round", bool);
    const out: Statement[] = [];
    if (s.kind === "for") append(out, this.list(s.initializer));
    out.push(declare(looping.id, this.current() ?? boolLiteral(true)));
    const body = this.under({ kind: "loop", flag: looping }, () => {
      const test =
        s.condition && !isTrue(s.condition) ? [ifStatement(this.read(looping), this.set(looping, s.condition))] : [];
      const someLeft = this.local("some_left", bool);
      const stop = [
        declare(someLeft.id, opCall("workgroup.any", [this.read(looping)], bool)),
        ifStatement(unary("not", this.read(someLeft)), { kind: "break", span: noSpan, trivia: noTrivia }),
      ];
      const inner = this.under({ kind: "round", flag: round }, () => this.list(inside(s.body)));
      const once = [declare(round.id, this.read(looping)), ...inner];
      const step = s.kind === "for" && s.step ? this.list([expressionStatement(s.step)]) : [];
      return s.kind === "do-while" ? [...once, ...test, ...stop] : [...test, ...stop, ...once, ...step];
    });
    out.push({
      kind: "while",
      condition: boolLiteral(true),
      body: block(body),
      span: s.span,
      trivia: leading(s.trivia),
    });
    return [block(out, s.span)];
  }

  /** `for (i = a; i < b; i += c)` on numbers known before the run, where only the step changes i: all lanes count alike. */
  private countsAlike(s: For): boolean {
    const [first] = s.initializer;
    if (s.initializer.length !== 1 || first?.kind !== "declare" || !first.initializer) return false;
    const counter = first.variable;
    const readsOnlyCounter = (e: Expr): boolean => {
      let fine = true;
      walkExpr(e, {
        expr: (x) => {
          if (x.kind === "builtin" && !sharedBuiltins.has(x.builtin)) fine = false;
          if (
            x.kind === "load" &&
            !(x.place.kind === "variable" && (x.place.variable === counter || this.isFixed(x.place.variable)))
          )
            fine = false;
        },
      });
      return fine;
    };
    if (!isPure(first.initializer) || !readsOnlyCounter(first.initializer)) return false;
    if (!s.condition || !isPure(s.condition) || !readsOnlyCounter(s.condition)) return false;
    if (!s.step || (s.step.kind !== "increment" && s.step.kind !== "assign")) return false;
    const changed = s.step.kind === "increment" ? s.step.place : s.step.target;
    if (changed.kind !== "variable" || changed.variable !== counter) return false;
    if (s.step.kind === "assign" && (!isPure(s.step.value) || !readsOnlyCounter(s.step.value))) return false;
    let written = false;
    walkStatement(s.body, {
      place: (place, use) =>
        void (use !== "read" && place.kind === "variable" && place.variable === counter && (written = true)),
    });
    return !written;
  }

  /** A value that the launch or the compiler gives, the same for all lanes. */
  private isFixed(id: VarId): boolean {
    const v = this.module.variables.get(id);
    return (
      v?.compileTime === true ||
      this.module.resources.some(
        (r) => r.variable === id && (r.kind === "value" || r.kind === "specialization" || r.kind === "derived"),
      )
    );
  }

  private countedLoop(s: For): Statement[] {
    const looping = this.local("looping", bool);
    const round = this.local("round", bool);
    const leaves = jumpsOf(s.body);
    const frames: Frame[] = [];
    const before: Statement[] = [];
    const now = this.current() ?? boolLiteral(true);
    if (leaves.break) {
      before.push(declare(looping.id, now));
      frames.push({ kind: "loop", flag: looping });
    }
    const start: Statement[] = [];
    if (leaves.continue) {
      start.push(declare(round.id, frames.length > 0 ? this.read(looping) : now));
      frames.push({ kind: "round", flag: round });
    }
    append(this.frames, frames);
    const body = this.list(inside(s.body));
    this.frames.length -= frames.length;
    return [...before, { ...s, body: block([...start, ...body], s.body.span) }];
  }
}

// ------------------------------------------------------------------ shapes

/** A declaration and the assignment right after it are one, and so are an op's temporary and where it goes. */
function initialized(list: readonly Statement[], isTemporary: (id: VarId) => boolean): readonly Statement[] {
  const out: Statement[] = [];
  const join = (s: Statement): void => {
    out[out.length - 1] = s;
  };
  for (const s of list) {
    const last = out.at(-1);
    const e = s.kind === "expression" ? s.expression : undefined;
    const plain = e?.kind === "assign" && !e.operator ? e : undefined;
    if (last?.kind !== "declare") out.push(s);
    else if (
      plain &&
      !last.initializer &&
      rootOf(plain.target) === last.variable &&
      !readsVariable(plain.value, last.variable)
    ) {
      join({ ...last, initializer: plain.value, trivia: joined(last.trivia, s.trivia) });
    } else if (
      plain &&
      last.initializer &&
      isTemporary(last.variable) &&
      isRead(plain.value, last.variable) &&
      (plain.target.kind === "variable" || (last.initializer.kind === "op" && isSteady(plain.target)))
    ) {
      join({
        ...s,
        expression: { ...plain, value: last.initializer },
        trivia: joined(last.trivia, s.trivia),
      } as Statement);
    } else out.push(s);
  }
  return out;
}

/** The place is the same before and after an op, which changes no variable. */
const isSteady = (p: Place): boolean =>
  p.kind === "variable" ||
  (p.kind === "deref" ? isHarmless(p.pointer) : (p.kind !== "element" || isHarmless(p.index)) && isSteady(p.base));

const joined = (a: Trivia, b: Trivia): Trivia => ({
  leading: [...a.leading, ...b.leading],
  trailing: [...a.trailing, ...b.trailing],
  blankBefore: a.blankBefore,
});
const rootOf = (p: Place): VarId | undefined => (p.kind === "variable" ? p.variable : undefined);
const isRead = (e: Expr, id: VarId): boolean => e.kind === "load" && rootOf(e.place) === id;

function readsVariable(e: Expr, id: VarId): boolean {
  let found = false;
  walkExpr(e, { place: (p) => void (p.kind === "variable" && p.variable === id && (found = true)) });
  return found;
}

/** In a block where it declares something; nothing where it is empty. */
const scoped = (list: readonly Statement[]): readonly Statement[] =>
  list.some((s) => s.kind === "declare") ? [block(list)] : list;
const inside = (s: Statement): readonly Statement[] => (s.kind === "block" ? s.statements : [s]);
const leading = (t: Trivia): Trivia => ({ ...t, trailing: [] });
const trailing = (t: Trivia): Trivia => ({ leading: [], trailing: t.trailing, blankBefore: false });

const isBareReturn = (s: Statement): boolean =>
  s.kind === "return" ? !s.value : s.kind === "block" && s.statements.length === 1 && isBareReturn(s.statements[0]!);

const endsFlow = (s: Statement | undefined): boolean =>
  s !== undefined &&
  (s.kind === "break" ||
    s.kind === "return" ||
    s.kind === "continue" ||
    (s.kind === "block" && endsFlow(s.statements.at(-1))));

function hasBarrier(s: Statement): boolean {
  let found = false;
  walkStatement(s, { statement: (x) => void (x.kind === "barrier" && (found = true)) });
  return found;
}

const opposite = { lt: "ge", ge: "lt", gt: "le", le: "gt", eq: "ne", ne: "eq" } as const;

/** Not the condition; comparisons of integers turn round. */
function negated(e: Expr): Expr {
  if (e.kind === "unary" && e.operator === "not") return e.operand;
  if (e.kind === "binary" && e.operator in opposite && e.left.type.kind === "scalar" && e.left.type.scalar[0] !== "f") {
    return { ...e, operator: opposite[e.operator as keyof typeof opposite] };
  }
  return unary("not", e);
}

const isTrue = (e: Expr): boolean => e.kind === "literal" && e.value === true;
const sharedBuiltins: ReadonlySet<BuiltinId> = new Set<BuiltinId>([
  "workgroup_id",
  "workgroup_size",
  "num_workgroups",
  "subgroup_size",
  "num_subgroups",
]);

/** A pointer into the same object that any lane may work out, for lanes that do not use it. */
function startOf(e: Expr): Expr | undefined {
  if (isHarmless(e)) return e;
  if (e.kind === "pointer-offset") return startOf(e.pointer);
  const first = (p: Place): Place | undefined => {
    if (p.kind === "variable") return p;
    if (p.kind === "deref") {
      const pointer = startOf(p.pointer);
      return pointer && { ...p, pointer };
    }
    const base = first(p.base);
    if (!base) return undefined;
    return p.kind === "element" ? { ...p, base, index: isHarmless(p.index) ? p.index : u32Literal(0) } : { ...p, base };
  };
  const place = e.kind === "address-of" ? first(e.place) : undefined;
  return place && { ...(e as Expr & { kind: "address-of" }), place };
}

/** May be worked out by lanes that take no part: reads no memory but variables, and cannot fail. */
function isHarmless(e: Expr): boolean {
  switch (e.kind) {
    case "literal":
    case "enumerator":
    case "builtin":
      return true;
    case "load":
      return e.place.kind === "variable" || (e.place.kind === "swizzle" && e.place.base.kind === "variable");
    case "unary":
    case "bitcast":
    case "splat":
    case "swizzle-value":
    case "convert":
      return isHarmless(e.operand);
    case "binary":
      return e.operator !== "div" && e.operator !== "rem" && isHarmless(e.left) && isHarmless(e.right);
    case "logical":
      return isHarmless(e.left) && isHarmless(e.right);
    case "conditional":
      return isHarmless(e.condition) && isHarmless(e.whenTrue) && isHarmless(e.whenFalse);
    case "construct":
      return e.arguments.every(isHarmless);
    // Where something lies, not what it holds.
    case "address-of":
      return isSteady(e.place);
    case "pointer-offset":
      return isHarmless(e.pointer) && isHarmless(e.offset);
    default:
      return false;
  }
}
