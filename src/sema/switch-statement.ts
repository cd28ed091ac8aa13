/** `switch` with its cases and labels. */
import { isPlainNumber } from "./one-component.js";
import { literal } from "../ast/builders.js";
import { type Statement, noTrivia, type SwitchCase, type Declare, type Expr, type Trivia } from "../ast/nodes.js";
import type * as syntax from "../ast/syntax.js";
import { promote } from "../dialects/conversions.js";
import { append } from "../support/append.js";
import type { Comment } from "../support/expanded-source.js";
import type { Span } from "../support/span.js";
import { isFloat, isInteger, scalar, type ScalarType, enumerationOf } from "../types/types.js";
import { scopeCases } from "./case-scope.js";
import { evaluate, literalForm } from "./constants.js";
import { asNumber } from "./constructors.js";
import { type Sema, carryTrivia, takeTrivia, notYet, error } from "./context.js";
import { inScope } from "./scopes.js";
import { read, convertTo } from "./convert.js";
import { conversion } from "./conversion.js";
import { switchedOn } from "./eager-operands.js";
import { expression } from "./expressions.js";
import { outliving } from "./jumps.js";
import { hints } from "./loops.js";
import { isOpen, settledAlone, showGiven } from "./open-literals.js";
import { enteredSwitch, hasCasesInside } from "./entered-blocks.js";
import { statement, appendStatement, noteLabels, statementList } from "./statements.js";
import { leadsAcross, switchParts } from "./switch-parts.js";

export function switchStatement(s: Sema, st: syntax.SwitchStatement): Statement[] {
  const { statements } = st.body;
  if (s.reading.declarations.casesInBlocks && (hasCasesInside(statements) || leadsAcross(statements)))
    return [entered(s, st)];
  const trivia = takeTrivia(s, st);
  hints(s, st);
  const v = expression(s, st.value);
  const read_ = v && read(s, asNumber(s, v, st.value.span), st.value.span);
  if (!read_) return [];
  const raw = isOpen(read_) ? settledAlone(s, read_) : read_;
  if (!isPlainNumber(s, raw.type, "the value of a switch", st.value.span, "write .x behind it")) return [];
  if (raw.type.kind === "scalar" && isFloat(raw.type.scalar) && s.language.conversions.shapes === "convert")
    return notYet(s, "a switch on a float is", st.value.span, "convert it to an int") ?? [];
  if (raw.type.kind !== "scalar" || (!isInteger(raw.type.scalar) && raw.type.scalar !== "bool")) {
    error(s, "XL2003", `a switch takes an integer, this is ${showGiven(s, raw)}`, st.value.span);
    return [];
  }
  const kind = promote(s.form, raw.type.scalar);
  const value = switchedOn(s, kind === raw.type.scalar ? raw : conversion(s, raw, scalar(kind), false, raw.span));
  if (!value) return [];
  s.fn!.switches.push(st.span);
  const inside = inScope(s, () => switchCases(s, st.body, value.type as ScalarType, raw.type as ScalarType));
  s.fn!.switches.pop();
  if (!inside) return [];
  const scoped = scopeCases(inside.cases, s.variables);
  const [first, ...rest] = [...inside.before, ...scoped.shared];
  if (!first) return [{ kind: "switch", value, cases: scoped.cases, span: st.span, trivia }];
  const around = { ...trivia, leading: [...trivia.leading, ...first.trivia.leading], trailing: first.trivia.trailing };
  return [
    { ...first, trivia: around },
    ...rest,
    { kind: "switch", value, cases: scoped.cases, span: st.span, trivia: { ...noTrivia, trailing: trivia.trailing } },
  ];
}

/** With labels in loops and branches, or that other cases jump to. */
function entered(s: Sema, st: syntax.SwitchStatement): Statement {
  const trivia = takeTrivia(s, st);
  return inScope(s, () => {
    const made = enteredSwitch(s, st);
    const statements = outliving(s, statementList(s, made.statements, made.before, false), made.within);
    const innerComments = [...s.pendingComments.splice(0), ...s.trivia.inner(st.body)];
    return { kind: "block", statements, span: st.span, trivia, innerComments };
  });
}

function switchCases(
  s: Sema,
  compound: syntax.CompoundStatement,
  type: ScalarType,
  given: ScalarType,
): { readonly cases: SwitchCase[]; readonly before: readonly Declare[] } | undefined {
  noteLabels(s, compound.statements);
  const before: Declare[] = [];
  interface Open {
    labels: (Expr | "default")[];
    body: Statement[];
    span: Span;
    trivia: Trivia;
  }
  const cases: Open[] = [];
  const seen = new Map<string, Span>();
  let fine = true;
  const parts = switchParts(s, compound.statements);
  for (const st of parts.statements) {
    if (st.kind === "case") {
      const trivia = takeTrivia(s, st);
      const labels = caseLabels(s, st, type, given, seen);
      if (!labels) fine = false;
      const last = cases.at(-1);
      if (last && last.body.length === 0 && trivia.leading.length === 0 && last.trivia.trailing.length === 0) {
        append(last.labels, labels ?? []);
        last.trivia = { ...last.trivia, trailing: trivia.trailing };
      } else cases.push({ labels: labels ?? [], body: [], span: st.span, trivia });
      continue;
    }
    const current = cases.at(-1);
    if (!current && st.kind === "declaration-statement") {
      // Jumped over: the variables are there, their first values are not.
      for (const made of statement(s, st)) if (made.kind === "declare") before.push(withoutInitializer(made));
      continue;
    }
    if (!current && st.kind === "empty") {
      carryTrivia(s, st);
      continue;
    }
    if (!current && s.reading.declarations.casesComeFirst) {
      error(s, "XL2011", "no statement stands before the first case label", st.span);
      fine = false;
      continue;
    }
    if (!current) {
      // It is read for what is wrong in it.
      s.problems.warning("XL2011", "a statement before the first case label is never reached", st.span);
      carryTrivia(s, st);
      statement(s, st);
      continue;
    }
    append(current.body, parts.before.get(st) ?? []);
    for (const made of statement(s, st)) appendStatement(current.body, made);
    current.span = { start: current.span.start, end: st.span.end };
  }
  const rest: readonly Comment[] = [...s.pendingComments.splice(0), ...s.trivia.inner(compound)];
  const last = cases.at(-1);
  if (last && rest.length > 0) {
    const end = last.body.at(-1);
    if (end)
      last.body[last.body.length - 1] = {
        ...end,
        trivia: { ...end.trivia, trailing: [...end.trivia.trailing, ...rest] },
      };
    else last.trivia = { ...last.trivia, trailing: [...last.trivia.trailing, ...rest] };
  }
  if (parts.within.size > 0) for (const c of cases) c.body = outliving(s, c.body, parts.within);
  return fine ? { cases, before } : undefined;
}

function withoutInitializer({ initializer: _initializer, ...s }: Declare): Declare {
  return s;
}

/** Labels that one range stands for. */
const mostLabels = 256;

/** `case 1 ... 4:` of GNU C is its values one by one. */
function caseLabels(
  s: Sema,
  st: syntax.CaseLabel,
  type: ScalarType,
  given: ScalarType,
  seen: Map<string, Span>,
): (Expr | "default")[] | undefined {
  const label = caseLabel(s, st, type, given, seen);
  if (!st.last || !label || label === "default") return label && [label];
  const first = evaluate(s, label);
  const end = expression(s, st.last);
  const last = end && convertTo(s, end, type, "operand", st.last.span, "the label");
  const to = last && evaluate(s, last);
  if (!last) return undefined;
  if (typeof first !== "bigint" || typeof to !== "bigint")
    return error(s, "XL2007", "a case label must be a constant integer", st.last.span);
  // An empty range is never taken (clang-19 warns).
  if (to < first) return error(s, "XL2007", "the range of a case label is empty", st.span);
  if (to - first >= mostLabels) return notYet(s, `a case label for more than ${mostLabels} values is`, st.span);
  const out: Expr[] = [label];
  for (let v = first + 1n; v <= to; v++) {
    const before = seen.get(String(v));
    if (before)
      return error(s, "XL2002", `the case ${v} stands twice`, st.span, {
        notes: [{ message: "first here", span: before }],
      });
    seen.set(String(v), st.span);
    out.push(literal(type.scalar, literalForm(v), st.span));
  }
  return out;
}

function caseLabel(
  s: Sema,
  st: syntax.CaseLabel,
  type: ScalarType,
  given: ScalarType,
  seen: Map<string, Span>,
): Expr | "default" | undefined {
  const duplicate = (key: string): boolean => {
    const before = seen.get(key);
    if (before)
      error(s, "XL2002", `${key === "default" ? "'default'" : `the case ${key}`} stands twice`, st.span, {
        notes: [{ message: "first here", span: before }],
      });
    seen.set(key, st.span);
    return before !== undefined;
  };
  if (!st.value) return duplicate("default") ? undefined : "default";
  const v = expression(s, st.value);
  if (v && !isPlainNumber(s, v.type, "a case label", st.value.span, "declare it as one")) return undefined;
  // Of an enumeration with a scope are its labels, too.
  const label = v && convertTo(s, v, enumerationOf(given) ? given : type, "operand", st.value.span, "the label");
  const e = label && conversion(s, label, type, false, label.span);
  if (!e) return undefined;
  const known = evaluate(s, e);
  if (typeof known !== "bigint" && typeof known !== "boolean")
    return error(s, "XL2007", "a case label must be a constant integer", st.value.span);
  if (duplicate(String(known))) return undefined;
  if (e.kind === "literal") return e;
  if (e.kind === "enumerator") return e;
  if (e.kind === "convert" && !e.explicit && e.operand.kind === "enumerator") return e;
  const named = e.kind === "load" && e.place.kind === "variable" ? { named: e.place.variable } : {};
  const made = { ...literal(type.scalar, literalForm(known), st.value.span), ...named };
  return e.macro ? { ...made, macro: e.macro } : made;
}
