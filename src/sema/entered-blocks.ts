/**
 * Labels in the middle of a loop or branch that are jumped to from outside of it (`goto`, or the `case` of a switch around, as in Duff's
 * device): a variable says which label is on its way, what stands before the label is passed over while it is, and loops and branches
 * with the label in them are entered without their condition. C99 6.8.4.2 and 6.8.6.1 let one jump anywhere in a function; what
 * the source initialises in between has no value then.
 */
import { declare, i32Literal } from "../ast/builders.js";
import type { Declare } from "../ast/nodes.js";
import type * as syntax from "../ast/syntax.js";
import { noSpan, type Span } from "../support/span.js";
import { append } from "../support/append.js";
import { i32 } from "../types/types.js";
import { newVariable, notYet, type Sema } from "./context.js";
import { declareName } from "./scopes.js";
import { jumpsTo, Jumps, type Structured } from "./jumps.js";
import { partsOf } from "./statement-parts.js";

/** The labels that are numbered, from 1 in the order of the text. */
type Numbers = ReadonlyMap<syntax.Statement, number>;

/** Whether a statement other than a block has a label of the switch around it in it. */
const holdsEntry = (st: syntax.Statement): boolean =>
  st.kind !== "switch" && partsOf(st).some((x) => x.kind === "case" || holdsEntry(x));

export const hasCasesInside = (list: readonly syntax.Statement[]): boolean =>
  list.some((st) => (st.kind === "compound" ? hasCasesInside(st.statements) : holdsEntry(st)));

/** The case labels of a switch, wherever they stand. */
const casesIn = (st: syntax.Statement): readonly syntax.CaseLabel[] =>
  st.kind === "case" ? [st] : st.kind === "switch" ? [] : partsOf(st).flatMap(casesIn);

/** A switch with case labels in loops and branches as one that says where to begin, and its statements. */
export function enteredSwitch(
  s: Sema,
  st: syntax.SwitchStatement,
): Structured & { readonly before: readonly [Declare] } {
  const cases = st.body.statements.flatMap(casesIn);
  const numbers = new Map(cases.map((c, i) => [c as syntax.Statement, i + 1]));
  const state = new Entering(s, st.span, numbers);
  const { span } = st;
  const end = `end ${span.start}`;
  const chosen = cases.flatMap((c): syntax.Statement[] => {
    const label: syntax.CaseLabel = { ...c };
    s.trivia.standFor(label, c);
    return [label, state.set(numbers.get(c)!), { kind: "break", span: c.span }];
  });
  const body: syntax.CompoundStatement = { kind: "compound", statements: chosen, span };
  const dispatch: syntax.SwitchStatement = { kind: "switch", value: st.value, body, span };
  const inside = st.body.statements.map((x) => withoutBreaks(s, x, end));
  const guarded: syntax.Statement = { kind: "compound", statements: state.list(inside, false), span };
  const run: syntax.Statement = cases.some((c) => !c.value)
    ? guarded
    : { kind: "if", condition: state.compared(">", 0, span), then: guarded, span };
  const mark: syntax.LabelStatement = { kind: "label", label: end, span: { start: span.end, end: span.end } };
  const leaves = jumpsTo(guarded, end);
  return { before: [state.declared()], statements: [dispatch, run, ...(leaves ? [mark] : [])], within: state.within };
}

/** The labels in a statement that are not in a statement list around it. */
const labelsIn = (st: syntax.Statement): readonly syntax.LabelStatement[] =>
  partsOf(st).flatMap((x) => (x.kind === "label" ? [x] : labelsIn(x)));

/** A list in which nothing jumps to a label in another statement of it: what did jumps in front of that one. */
export function enteredLabels(s: Sema, list: readonly syntax.Statement[]): Structured {
  const wanted = list.map((st, i) =>
    labelsIn(st).filter(({ label }) => list.some((other, j) => j !== i && jumpsTo(other, label))),
  );
  const all = wanted.flat();
  if (all.length === 0) return { statements: list, before: [], within: new Set() };
  const numbers = new Map(all.map((st, i) => [st as syntax.Statement, i + 1]));
  const state = new Entering(s, all[0]!.span, numbers);
  const into = (i: number): string => `before ${wanted[i]![0]!.label} ${state.id}`;
  const statements = list.flatMap((st, i): syntax.Statement[] => {
    const jumping = wanted.reduce(
      (made, labels, j) => (i === j ? made : labels.reduce((x, l) => state.led(x, l, into(j)), made)),
      st,
    );
    if (wanted[i]!.length === 0) return [jumping];
    const mark: syntax.LabelStatement = {
      kind: "label",
      label: into(i),
      span: { start: st.span.start, end: st.span.start },
    };
    return [mark, ...state.entered(jumping)];
  });
  return { statements, before: [state.declared()], within: state.within };
}

/** What leaves the switch jumps to its end. */
function withoutBreaks(s: Sema, st: syntax.Statement, label: string): syntax.Statement {
  const each = (x: syntax.Statement): syntax.Statement => withoutBreaks(s, x, label);
  const made = ((): syntax.Statement => {
    switch (st.kind) {
      case "break":
        return { kind: "goto", label, span: st.span };
      case "compound":
        return { ...st, statements: st.statements.map(each) };
      case "if":
        return { ...st, then: each(st.then), ...(st.else ? { else: each(st.else) } : {}) };
      default:
        return st;
    }
  })();
  if (made !== st) s.trivia.standFor(made, st);
  return made;
}

class Entering {
  private readonly variable: syntax.Identifier;
  readonly id: number;
  private readonly jumps: Jumps;

  constructor(
    private readonly s: Sema,
    span: Span,
    private readonly numbers: Numbers,
  ) {
    // Of no place in the text, so that it is named beside what the source has.
    const made = { name: "enter", type: i32, space: "private", role: "local", constant: false } as const;
    const v = newVariable(s, { ...made, span: noSpan });
    this.id = v.id;
    // What is rewritten again, in a block of its own, has another.
    const name = `enter ${v.id}`;
    declareName(s, name, { kind: "variable", variable: v.id, span });
    this.variable = { kind: "identifier", name, path: [], span };
    this.jumps = new Jumps(s, false);
  }

  /** Where the names of variables stand whose declarations are in blocks now. */
  get within(): ReadonlySet<number> {
    return this.jumps.within;
  }

  declared(): Declare {
    const { span } = this.variable;
    return declare(this.id, i32Literal(0, span), span);
  }

  set(n: number): syntax.Statement {
    const { span } = this.variable;
    const value: syntax.Expression = { kind: "literal", form: "integer", text: String(n), span };
    const expression: syntax.Expression = { kind: "assignment", operator: "=", target: this.variable, value, span };
    return { kind: "expression-statement", expression, span };
  }

  compared(operator: syntax.BinaryOperator, n: number, span: Span): syntax.Expression {
    const right: syntax.Expression = { kind: "literal", form: "integer", text: String(n), span };
    return { kind: "binary", operator, operatorSpan: span, left: this.variable, right, span };
  }

  /** A statement that jumps to where another begins, with the label on its way. */
  led(st: syntax.Statement, label: syntax.LabelStatement, into: string): syntax.Statement {
    const { span } = st;
    const set = this.set(this.numbers.get(label)!);
    return this.jumps.with(st, label.label, () => ({
      kind: "compound",
      statements: [set, { kind: "goto", label: into, span }],
      span,
    }));
  }

  private numbersIn(st: syntax.Statement): readonly number[] {
    const own = this.numbers.get(st);
    return [...(own === undefined ? [] : [own]), ...partsOf(st).flatMap((x) => this.numbersIn(x))];
  }

  /**
   * A list that is entered at one of its labels or from its start. While a label is on its way its number is that of one further on;
   * it is forgotten at the label, or, where nothing begins the list again before, at the last one.
   */
  list(list: readonly syntax.Statement[], again: boolean): readonly syntax.Statement[] {
    const out: syntax.Statement[] = [];
    let left = list.flatMap((st) => this.numbersIn(st));
    let passed = false;
    const atOnce = again && (list.some((st) => st.kind === "label") || list.some(beginsAgain));
    let plain: syntax.Statement[] = [];
    const flush = (rest: readonly syntax.Statement[]): void => {
      const [next] = left;
      if (plain.length === 0) return;
      if (next === undefined) append(out, plain);
      else {
        const { before, over } = this.jumps.declaredBefore(plain, rest);
        const span = { start: plain[0]!.span.start, end: plain.at(-1)!.span.end };
        append(out, before);
        const condition = this.compared("<", next, span);
        const one = over.length === 1 && over[0]!.kind !== "declaration-statement" ? over[0]! : undefined;
        const then: syntax.Statement = one ?? { kind: "compound", statements: over, span };
        if (over.length > 0) out.push({ kind: "if", condition, then, span });
      }
      plain = [];
    };
    for (const [i, st] of list.entries()) {
      const own = this.numbers.get(st);
      const inside = own === undefined ? this.numbersIn(st) : [];
      if (own === undefined && inside.length === 0) {
        plain.push(st);
        continue;
      }
      flush(list.slice(i));
      if (own !== undefined) {
        left = left.slice(1);
        passed = true;
        // Others may lead to it from where it is seen.
        if (st.kind === "label") out.push(st);
        const forget = st.kind === "label" ? this.set(0) : this.replacing(st, this.set(0));
        if (left.length === 0) out.push(again ? forget : this.replacing(st, { kind: "empty", span: st.span }));
        else if (atOnce)
          out.push({ kind: "if", condition: this.compared("==", own, st.span), then: forget, span: st.span });
        continue;
      }
      const made = this.entered(st);
      left = left.slice(inside.length);
      const condition = this.compared("<=", inside.at(-1)!, st.span);
      const all = !(left.length > 0);
      append(out, all ? made : [this.conditional(condition, made, st.span)]);
      // The branch with the last label may not have been taken.
      if (all && again && passed && !atOnce) out.push(this.set(0));
    }
    flush([]);
    return out;
  }

  private conditional(condition: syntax.Expression, made: readonly syntax.Statement[], span: Span): syntax.Statement {
    return { kind: "if", condition, then: { kind: "compound", statements: made, span }, span };
  }

  /** A statement with labels in it. */
  entered(st: syntax.Statement): readonly syntax.Statement[] {
    const { span } = st;
    const first = this.numbersIn(st)[0]!;
    const onItsWay = this.compared(">=", first, span);
    const or = (left: syntax.Expression, right: syntax.Expression): syntax.Expression => ({
      kind: "binary",
      operator: "||",
      operatorSpan: span,
      left,
      right: { kind: "parenthesized", expression: right, span: right.span },
      span,
    });
    switch (st.kind) {
      case "compound":
        return [this.replacing(st, { ...st, statements: this.list(st.statements, true) })];
      case "if": {
        const thens = this.numbersIn(st.then);
        const elses = st.else ? this.numbersIn(st.else) : [];
        const inElse: syntax.Expression = {
          kind: "binary",
          operator: "&&",
          operatorSpan: span,
          left: this.compared("<", elses[0] ?? 0, span),
          right: { kind: "parenthesized", expression: st.condition, span: st.condition.span },
          span,
        };
        const chosen = elses.length > 0 ? inElse : st.condition;
        const range: syntax.Expression =
          elses.length === 0 ? onItsWay : { ...inElse, left: onItsWay, right: this.compared("<", elses[0]!, span) };
        const condition = thens.length === 0 ? chosen : or(range, chosen);
        const then = thens.length === 0 ? st.then : this.body(st.then);
        const otherwise = st.else && (elses.length === 0 ? st.else : this.body(st.else));
        return [this.replacing(st, { ...st, condition, then, ...(otherwise ? { else: otherwise } : {}) })];
      }
      case "while":
        return [this.replacing(st, { ...st, condition: or(onItsWay, st.condition), body: this.body(st.body) })];
      case "do":
        return [this.replacing(st, { ...st, body: this.body(st.body) })];
      case "for": {
        const { initializer, ...rest } = st;
        // Its variables are those of a block around it, as far as the jump leads over them.
        if (initializer?.kind === "declaration-statement")
          return [{ kind: "compound", statements: this.list([initializer, this.replacing(st, rest)], true), span }];
        const condition = st.condition ? { condition: or(onItsWay, st.condition) } : {};
        const loop = this.replacing(st, { ...rest, ...condition, body: this.body(st.body) });
        if (!initializer) return [loop];
        return [{ kind: "if", condition: this.compared("<", first, span), then: initializer, span }, loop];
      }
      default:
        notYet(this.s, "a jump into such a statement is", span, "write what the label leads to as a function");
        return [];
    }
  }

  /** The body of a loop or branch that is entered at a label in it. */
  private body(st: syntax.Statement): syntax.Statement {
    if (st.kind === "compound") return this.replacing(st, { ...st, statements: this.list(st.statements, true) });
    return { kind: "compound", statements: this.list([st], true), span: st.span };
  }

  private replacing<T extends syntax.Statement>(st: syntax.Statement, made: T): T {
    this.s.trivia.standFor(made, st);
    return made;
  }
}

/** Whether it may lead back before itself. */
const beginsAgain = (st: syntax.Statement): boolean =>
  st.kind === "continue" || st.kind === "goto" || partsOf(st).some(beginsAgain);
