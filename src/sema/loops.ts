/** `for`, over ranges too, and what is asked of the compiler about loops and branches. */
import { isPlainNumber } from "./one-component.js";
import { block as blockOf, variablePlace, declare, i32Literal, binary, load, increment } from "../ast/builders.js";
import { heldPlace } from "../ast/held-place.js";
import { isPure } from "../ast/walk.js";
import {
  type Statement,
  type Declare,
  type ExpressionStatement,
  type For,
  type Expr,
  type Block,
  noTrivia,
  type Place,
  type Trivia,
  type UnrollHint,
} from "../ast/nodes.js";
import type * as syntax from "../ast/syntax.js";
import { noSpan, type Span } from "../support/span.js";
import { plainName, isAllowed } from "./attributes.js";
import { insideClassArray } from "./class-arrays.js";
import { evaluate } from "./constants.js";
import {
  type Sema,
  takeTrivia,
  error,
  leaveOut,
  notYet,
  type Value,
  newVariable,
  type Scope,
  type Symbol,
  shown,
} from "./context.js";
import { inScope, declareName, inScopeOf } from "./scopes.js";
import { kept, loopIndex } from "./held-values.js";
import { read } from "./convert.js";
import { localVariables } from "./declarations.js";
import { expression } from "./expressions.js";
import { showGiven } from "./open-literals.js";
import { unrollPragma } from "./pragmas.js";
import { statementOf, fail, conditionIn, effectOf, loopBody, block, body } from "./statements.js";
import { withArguments } from "./namespaces.js";
import { memberNamed } from "./struct-members.js";
import { variableValue } from "./variable-value.js";

export function forStatement(s: Sema, st: syntax.ForStatement): Statement[] {
  const trivia = takeTrivia(s, st);
  const unroll = unrollHint(s, st);
  const head: Scope = { parent: s.scope, symbols: new Map() };
  const made = inScopeOf(s, head, (): Statement[] => {
    const initializer: (Declare | ExpressionStatement)[] = [];
    if (st.initializer) {
      for (const made of statementOf(s, st.initializer)) {
        if (made.kind === "declare" && s.reading.declarations.loopNamesLivedOn)
          s.fn!.loopNames.add(s.variables.get(made.variable)!.name);
        if (made.kind === "declare" || made.kind === "expression") initializer.push(made);
        else return fail(s, "this cannot stand in the head of a for", made.span);
      }
    }
    if (new Set(initializer.map((made) => made.kind)).size > 1) {
      notYet(
        s,
        "a variable in the head of a for that its own initialiser names is",
        st.span,
        "declare it before the loop",
      );
      return [];
    }
    const condition = st.condition && conditionIn(s, st.condition);
    const stepValue = st.step && expression(s, st.step);
    const step = stepValue && effectOf(s, stepValue, st.step.span);
    const inside = loopBody(s, st.body);
    if ((st.condition && !condition) || (st.step && !step)) return [];
    const made: For = {
      kind: "for",
      initializer,
      body: inside,
      span: st.span,
      trivia,
      ...(condition ? { condition } : {}),
      ...(step ? { step } : {}),
      ...(unroll !== undefined ? { unroll } : {}),
    };
    return [
      leadApart(s, initializer)
        ? blockOf([...initializer, { ...made, initializer: [], trivia: noTrivia }], st.span, trivia)
        : made,
    ];
  });
  // The most recent declaration counts (DXC: -Wfor-redefinition).
  if (s.loopNamesLiveOn) for (const [name, symbol] of head.symbols) s.scope.symbols.set(name, livingOn(s, symbol));
  return made;
}

/** Whether pointers of one declaration, which names no address space, lead into several: no other language declares them together. */
function leadApart(s: Sema, list: readonly (Declare | ExpressionStatement)[]): boolean {
  const types = list.map((d) => (d.kind === "declare" ? s.variables.get(d.variable)!.type : undefined));
  const spaces = new Set(types.map((t) => (t?.kind === "pointer" ? t.space : undefined)));
  return spaces.size > 1 && !spaces.has(undefined);
}

/** A name of a loop's head, behind the loop. */
function livingOn(s: Sema, symbol: Symbol): Symbol {
  if (symbol.kind !== "variable") return symbol;
  const make = (span: Span): Value => {
    s.fn!.livedOn.add(symbol.variable);
    return variableValue(s, symbol.variable, span);
  };
  return { kind: "value", make, span: symbol.span };
}

/** A variable of a loop's head that is named behind the loop is declared before it. */
export function withLoopNames(s: Sema, list: Statement[]): Statement[] {
  const { livedOn } = s.fn!;
  if (livedOn.size === 0) return list;
  return list.flatMap((x): Statement[] => {
    if (x.kind !== "for" || !x.initializer.some((d) => d.kind === "declare" && livedOn.delete(d.variable))) return [x];
    const [first, ...rest] = x.initializer;
    for (const d of rest) if (d.kind === "declare") livedOn.delete(d.variable);
    return [
      { ...first!, trivia: { ...x.trivia, trailing: [] } },
      ...rest,
      { ...x, initializer: [], trivia: { ...noTrivia, trailing: x.trivia.trailing } },
    ];
  });
}

/** The body, in which what is declared is this element. */
function elementBody(s: Sema, st: syntax.RangeForStatement, element: syntax.Expression): Block {
  const [x] = st.declaration.declarators;
  const declaration = {
    ...st.declaration,
    declarators: [{ ...x!, initializer: { form: "assign", value: element } as const }],
  };
  s.fn!.loops++;
  const inside = inScope(s, (): Block => {
    const declared = localVariables(s, declaration, noTrivia);
    if (st.body.kind === "compound") return block(s, st.body, undefined, declared);
    const statements = [...declared, body(s, st.body)];
    return { kind: "block", statements, innerComments: [], span: st.body.span, trivia: noTrivia };
  });
  s.fn!.loops--;
  return inside;
}

/** What a loop goes over, of which what names it is looked at once: `first` comes before the loop. */
function seenOnce(
  s: Sema,
  given: Value,
  span: Span,
): { readonly first: readonly Expr[]; readonly range: Value & { readonly place: Place } } | undefined {
  const first: Expr[] = [];
  const value = given.place ? undefined : read(s, given, span);
  const local = value && kept(s, value, first, span);
  const place = local?.kind === "load" ? local.place : given.place && keptPlace(s, given.place, first, span);
  return place && { first, range: local ? { type: given.type, place } : { ...given, place } };
}

/** No name of the source. */
const named = (name: string, span: Span): syntax.Identifier => ({ kind: "identifier", name, path: [], span });

/** `begin` and `end` of a range: its own where it has both, else those that its type brings (C++17 9.5.4). */
function boundOf(s: Sema, range: Value, name: "begin" | "end", span: Span): Expr | undefined {
  const struct = range.type.kind === "struct" ? range.type.name : undefined;
  const isOwn = struct !== undefined && ["begin", "end"].every((n) => memberNamed(s, struct, n));
  if (!isOwn && !withArguments(s, name, s.globalScope.symbols.get(name), [range]))
    return error(s, "XL2012", `${shown(s, range.type)} has no function '${name}', of its own or beside it`, span);
  const object = named("the range", span);
  const member: syntax.Member = { kind: "member", base: object, arrow: false, name: named(name, span), span };
  const call: syntax.Call = isOwn
    ? { kind: "call", callee: member, arguments: [], span }
    : { kind: "call", callee: named(name, span), arguments: [object], span };
  const scope: Scope = { parent: isOwn ? s.scope : s.globalScope, symbols: s.scope.symbols };
  const v = inScopeOf(s, scope, () => expression(s, call));
  return v && read(s, v, span);
}

/** C++14 6.5.4, of objects whose `begin` and `end` give pointers or iterators. */
function fromBeginToEnd(
  s: Sema,
  st: syntax.RangeForStatement,
  given: Value,
  trivia: Trivia,
  unroll: UnrollHint | undefined,
): Statement[] {
  const { span } = st.range;
  const seen = seenOnce(s, given, span);
  if (!seen) return [];
  const { first, range } = seen;
  return inScope(s, () => {
    declareName(s, "the range", { kind: "value", make: () => range, span });
    const begin = boundOf(s, range, "begin", span);
    const end = begin && boundOf(s, range, "end", span);
    if (!end) return [];
    const declared = (value: Expr, name: string, meant: string): Declare => {
      const { type } = value;
      const at = newVariable(s, { name, type, space: "private", role: "local", constant: false, span: noSpan });
      declareName(s, meant, { kind: "variable", variable: at.id, span });
      return declare(at.id, value, span);
    };
    const [place, last] = [named("its place", span), named("its end", span)];
    const at = declared(begin, begin.type.kind === "pointer" ? "p" : "it", place.name);
    const until = declared(end, "end", last.name);
    const differs: syntax.Expression = {
      kind: "binary",
      operator: "!=",
      operatorSpan: span,
      left: place,
      right: last,
      span,
    };
    const condition = conditionIn(s, differs);
    const next = condition && expression(s, { kind: "unary", operator: "++", operand: place, span });
    const step = next && effectOf(s, next, span);
    if (!step) return [];
    const body = elementBody(s, st, { kind: "unary", operator: "*", operand: place, span });
    const loop = {
      kind: "for",
      condition,
      step,
      body,
      span: st.span,
      ...(unroll === undefined ? {} : { unroll }),
    } as const;
    const before = first.map((expr): Statement => ({ kind: "expression", expression: expr, span, trivia: noTrivia }));
    // Where the end may be found first, the place belongs to the loop.
    return isPure(begin) || isPure(end)
      ? [...before, until, { ...loop, initializer: [at], trivia }]
      : [...before, at, until, { ...loop, initializer: [], trivia }];
  });
}

/** C++14 6.5.4, of arrays: their elements one by one, by an index of our own. */
export function rangeFor(s: Sema, st: syntax.RangeForStatement): Statement[] {
  const trivia = takeTrivia(s, st);
  const unroll = unrollHint(s, st);
  if (!s.reading.declarations.rangeFor)
    return error(s, "XL2021", `${s.language.name} has no range-based for`, st.span) ?? [];
  // The type of such a list is std::initializer_list.
  if (st.range.kind === "initializer-list")
    return error(s, "XL2021", `${s.language.name} has no range-based for over a list`, st.range.span) ?? [];
  const { span } = st.range;
  const given = expression(s, st.range);
  if (!given) return [];
  const type = given.type.kind === "array" ? given.type : insideClassArray(s, given.type);
  if (!type?.length) {
    if (given.type.kind === "struct") return fromBeginToEnd(s, st, given, trivia, unroll);
    return (
      error(
        s,
        "XL2003",
        `a range-based for goes over the elements of an array, this is ${showGiven(s, given)}`,
        span,
      ) ?? []
    );
  }
  const seen = seenOnce(s, given, span);
  if (!seen) return [];
  const { first, range } = seen;
  const index = loopIndex(s);
  const place = variablePlace(index, span);
  return inScope(s, () => {
    const [list, at] = [named("the range", span), named("its index", span)];
    declareName(s, list.name, { kind: "value", make: () => range, span });
    declareName(s, at.name, { kind: "variable", variable: index.id, span });
    const inside = elementBody(s, st, { kind: "index", base: list, index: at, span });
    return [
      ...first.map((expr): Statement => ({ kind: "expression", expression: expr, span, trivia: noTrivia })),
      {
        kind: "for",
        initializer: [declare(index.id, i32Literal(0, span), span)],
        condition: binary("lt", load(place, span), i32Literal(type.length!, span), span),
        step: increment(place, 1, false, span),
        body: inside,
        span: st.span,
        trivia,
        ...(unroll !== undefined ? { unroll } : {}),
      },
    ];
  });
}

/** A place that stays the same when what its indices and pointers name changes: `first` keeps them before. */
function keptPlace(s: Sema, p: Place, first: Expr[], span: Span): Place {
  return heldPlace(p, (e) =>
    e.kind === "literal" || (e.kind === "address-of" && e.place.kind === "variable") ? e : kept(s, e, first, span),
  );
}

const unrollWords = new Set(["unroll", "opencl_unroll_hint", "loop", "dont_unroll"]);

const branchHints = new Set([
  "branch",
  "flatten",
  "fastopt",
  "allow_uav_condition",
  "forcecase",
  "call",
  "likely",
  "unlikely",
  "dont_flatten",
  "dependency_infinite",
]);

/** Attributes that only advise the compiler. */
export function hints(s: Sema, st: { readonly attributes?: readonly syntax.Attribute[] }): void {
  for (const a of st.attributes ?? [])
    if (!branchHints.has(plainName(a)) && !isAllowed(s, a))
      error(s, "XL1900", `attribute '${a.name}' of a statement is not supported yet`, a.span, { help: leaveOut });
}

export function unrollHint(
  s: Sema,
  st: { readonly attributes?: readonly syntax.Attribute[]; readonly span: Span },
): UnrollHint | undefined {
  let hint: UnrollHint | undefined = pragmaHint(s, st.span.start);
  for (const a of st.attributes ?? []) {
    if (!unrollWords.has(plainName(a))) {
      if (!branchHints.has(plainName(a)) && !isAllowed(s, a))
        error(s, "XL1900", `attribute '${a.name}' of a loop is not supported yet`, a.span, { help: leaveOut });
      continue;
    }
    if (/^(loop|dont_unroll)$/.test(plainName(a))) hint = false;
    else if (a.arguments?.[0]) {
      const v = expression(s, a.arguments[0]);
      if (v && !isPlainNumber(s, v.type, "the number of an unroll hint", a.span, "declare it as one")) continue;
      const e = v && read(s, v, a.span);
      const n = e && evaluate(s, e);
      if (typeof n !== "bigint" || n < 0n)
        error(s, "XL2007", "the number of an unroll hint must be a constant", a.span);
      else hint = n === 0n ? false : Number(n);
    } else hint = true;
  }
  return hint;
}

/** `#pragma unroll` in front of the loop. */
function pragmaHint(s: Sema, start: number): UnrollHint | undefined {
  const list = s.unrollPragmas;
  let low = 0;
  let high = list.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (list[middle]!.span.start < start) low = middle + 1;
    else high = middle;
  }
  const d = list[low - 1];
  if (!d || s.source.text.slice(d.span.end, start).trim() !== "") return undefined;
  const m = unrollPragma.exec(d.text.trim())!;
  if (m[1] === "" || m[1] === "full" || m[1] === "enable") return true;
  if (m[1] === "disable") return false;
  const n = Number(m[1]);
  return Number.isInteger(n) && n > 0 ? n : undefined;
}
