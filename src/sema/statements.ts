/** Statements of function bodies. */
import { append } from "../support/append.js";
import {
  addressOf,
  barrier,
  binary,
  declare,
  i32Literal,
  increment,
  literal,
  load,
  variablePlace,
} from "../ast/builders.js";
import type {
  Block,
  Declare,
  Expr,
  ExpressionStatement,
  For,
  Place,
  Statement,
  SwitchCase,
  Trivia,
  UnrollHint,
} from "../ast/nodes.js";
import { asNumber, madeObject } from "./constructors.js";
import { noTrivia } from "../ast/nodes.js";
import type * as syntax from "../ast/syntax.js";
import { heldPlace } from "../ast/held-place.js";
import { promote } from "../dialects/conversions.js";
import { fuseBarriers } from "../ops/index.js";
import { assertNever } from "../support/assert-never.js";
import type { Comment } from "../support/expanded-source.js";
import type { Span } from "../support/span.js";
import {
  enumerationOf,
  i32,
  isFloat,
  isInteger,
  sameType,
  scalar,
  type ScalarType,
  type Type,
} from "../types/types.js";
import { unrollPragma } from "./pragmas.js";
import { isAllowed, plainName } from "./attributes.js";
import { insideClassArray } from "./class-arrays.js";
import { scopeCases } from "./case-scope.js";
import { evaluate, literalForm } from "./constants.js";
import { initializerList } from "./construct.js";
import {
  carryTrivia,
  declareName,
  error,
  inScope,
  kept,
  nested,
  newVariable,
  notYet,
  placeSpace,
  takeTrivia,
  type Sema,
  type Value,
  shown,
} from "./context.js";
import { branchedOn, switchedOn } from "./eager-operands.js";
import { conditionOf, conversion, convertTo, read } from "./convert.js";
import { definesType } from "./declared-types.js";
import { localVariables, staticAssert, typedef, using } from "./declarations.js";
import { constantValue, expression, expressionReader, unevaluated } from "./expressions.js";
import { outliving, structured } from "./gotos.js";
import { leadingIn } from "./statement-expressions.js";
import { callOfReference } from "./operators.js";
import { closed, isOpen, settledAlone, showGiven } from "./open-literals.js";

/** A compound statement as a block with a scope of its own. */
export function block(
  s: Sema,
  st: syntax.CompoundStatement,
  trivia: Trivia = takeTrivia(s, st),
  before: readonly Statement[] = [],
): Block {
  return inScope(s, () => {
    const statements = statementList(s, st.statements, before, isOutermost(s, st));
    const innerComments = [...s.pendingComments.splice(0), ...s.trivia.inner(st)];
    return { kind: "block", statements, span: st.span, trivia, innerComments };
  });
}

/** The body of a function without value. */
const isOutermost = (s: Sema, st: syntax.CompoundStatement): boolean =>
  s.fn?.body === st && s.fn.info.returnType.kind === "void" && !s.fn.made;

function statementList(
  s: Sema,
  list: readonly syntax.Statement[],
  before: readonly Statement[],
  outermost: boolean,
): Statement[] {
  const plain = structured(s, list, outermost);
  const out: Statement[] = [...before, ...plain.before];
  for (const st of plain.statements) for (const made of statement(s, st)) appendStatement(out, made);
  return plain.within.size > 0 ? outliving(s, out, plain.within) : out;
}

/** Adjacent fences and barriers become one. */
function appendStatement(out: Statement[], made: Statement): void {
  const last = out.at(-1);
  if (made.kind === "barrier" && last?.kind === "barrier") {
    const fused = fuseBarriers(last.barrier, made.barrier);
    if (fused) {
      const trivia: Trivia = {
        leading: [...last.trivia.leading, ...made.trivia.leading],
        trailing: [...last.trivia.trailing, ...made.trivia.trailing],
        blankBefore: last.trivia.blankBefore,
      };
      out[out.length - 1] = barrier(fused, { start: last.span.start, end: made.span.end }, trivia);
      return;
    }
  }
  out.push(made);
}

/** Bodies of if and loops: a block where braces were written, else one statement in a scope of its own. */
function body(s: Sema, st: syntax.Statement): Statement {
  if (st.kind === "compound") {
    hints(s, st);
    return block(s, st);
  }
  return inScope(s, () => {
    const made = statement(s, st);
    if (made.length === 1) return made[0]!;
    const comments = s.pendingComments.splice(0);
    return { kind: "block", statements: made, span: st.span, trivia: noTrivia, innerComments: comments };
  });
}

/** One statement of the source: usually one of the tree, none for what leaves no trace. */
export function statement(s: Sema, st: syntax.Statement): Statement[] {
  const { locals: outer, leading } = s.fn!;
  s.fn!.locals = [];
  s.fn!.leading = new Set(leadingIn(st));
  const made = nested(s, st.span, () => statementOf(s, st)) ?? [];
  const { locals } = s.fn!;
  s.fn!.locals = outer;
  s.fn!.leading = leading;
  return [...locals, ...made];
}

function statementOf(s: Sema, st: syntax.Statement): Statement[] {
  switch (st.kind) {
    case "compound":
      hints(s, st);
      return [block(s, st)];
    case "declaration-statement":
      return declarationStatement(s, st);
    case "expression-statement":
      if (st.expression.kind === "statement-expression") return [block(s, st.expression.body, takeTrivia(s, st))];
      if (st.expression.kind === "conditional" && isVoid(s, st.expression)) return chosenCall(s, st, st.expression);
      return expressionStatement(s, st.expression, takeTrivia(s, st), st.span);
    case "if": {
      const trivia = takeTrivia(s, st);
      if (st.constexpr) return chosenBranch(s, st, trivia);
      hints(s, st);
      const given = conditionIn(s, st.condition);
      const condition = given && branchedOn(s, given);
      const then = body(s, st.then);
      const otherwise = st.else && body(s, st.else);
      if (!condition) return [];
      return [{ kind: "if", condition, then, ...(otherwise ? { else: otherwise } : {}), span: st.span, trivia }];
    }
    case "switch":
      return switchStatement(s, st);
    case "case":
      error(s, "XL2011", "a case label stands outside its switch, or inside a nested statement", st.span);
      return [];
    case "while": {
      const trivia = takeTrivia(s, st);
      const unroll = unrollHint(s, st);
      const condition = conditionIn(s, st.condition);
      const inside = loopBody(s, st.body);
      if (!condition) return [];
      return [
        {
          kind: "while",
          condition,
          body: inside,
          span: st.span,
          trivia,
          ...(unroll !== undefined ? { unroll } : {}),
        },
      ];
    }
    case "do": {
      const trivia = takeTrivia(s, st);
      const unroll = unrollHint(s, st);
      const inside = loopBody(s, st.body);
      const condition = conditionIn(s, st.condition);
      if (!condition) return [];
      return [
        {
          kind: "do-while",
          body: inside,
          condition,
          span: st.span,
          trivia,
          ...(unroll !== undefined ? { unroll } : {}),
        },
      ];
    }
    case "range-for":
      return rangeFor(s, st);
    case "for":
      return forStatement(s, st);
    case "break":
      if (s.fn!.loops === 0 && s.fn!.switches === 0)
        return fail(s, "'break' stands outside loops and switches", st.span);
      return [{ kind: "break", span: st.span, trivia: takeTrivia(s, st) }];
    case "continue":
      if (s.fn!.loops === 0) return fail(s, "'continue' stands outside loops", st.span);
      return [{ kind: "continue", span: st.span, trivia: takeTrivia(s, st) }];
    case "discard":
      return fail(s, "'discard' has no meaning in a compute kernel", st.span);
    case "return":
      return returnStatement(s, st);
    case "goto":
      notYet(s, "goto to a label that stands before it, or in a block that it does not lie in, is", st.span);
      return [];
    case "label":
      notYet(s, "a label that stands in a switch, or is the whole body of a statement, is", st.span);
      return [];
    case "empty":
      carryTrivia(s, st);
      return [];
    default:
      return assertNever(st);
  }
}

/** `c ? f() : g();` of functions without value. */
function chosenCall(s: Sema, st: syntax.ExpressionStatement, e: syntax.Conditional): Statement[] {
  const arm = (x: syntax.Expression): syntax.Statement => ({
    kind: "expression-statement",
    expression: x,
    span: x.span,
  });
  const trivia = takeTrivia(s, st);
  const condition = conditionIn(s, e.condition);
  const [then, otherwise] = [body(s, arm(e.whenTrue!)), body(s, arm(e.whenFalse))];
  return condition ? [{ kind: "if", condition, then, else: otherwise, span: st.span, trivia }] : [];
}

function isVoid(s: Sema, e: syntax.Conditional): boolean {
  const mark = s.problems.list.length;
  const types = [e.whenTrue, e.whenFalse].map((x) => unevaluated(s, () => x && expression(s, x))?.type);
  s.problems.truncate(mark);
  return types.every((t) => t?.kind === "void");
}

function fail(s: Sema, message: string, span: Span): [] {
  error(s, "XL2011", message, span);
  return [];
}

function conditionIn(s: Sema, e: syntax.Expression): Expr | undefined {
  const v = expression(s, e);
  return v && conditionOf(s, v, e.span);
}

/** The branch of an `if constexpr` that is there. */
function chosenBranch(s: Sema, st: syntax.IfStatement, trivia: Trivia): Statement[] {
  const known = constantValue(s, st.condition, "the condition of 'if constexpr'");
  const chosen = known ? st.then : st.else;
  if (known === undefined || !chosen) {
    append(s.pendingComments, trivia.leading);
    append(s.pendingComments, trivia.trailing);
    return [];
  }
  return [{ ...body(s, chosen), trivia }];
}

function loopBody(s: Sema, st: syntax.Statement): Statement {
  s.fn!.loops++;
  const made = body(s, st);
  s.fn!.loops--;
  return made;
}

function expressionStatement(s: Sema, e: syntax.Expression, trivia: Trivia, span: Span): Statement[] {
  const v = expression(s, e);
  if (!v) return [];
  if (v.barrier) return [barrier(v.barrier, span, trivia)];
  if (v.statements) {
    if (v.statements.length === 0) append(s.pendingComments, [...trivia.leading, ...trivia.trailing]);
    return v.statements.map((x, i): Statement =>
      i === 0
        ? { ...x, trivia: { ...trivia, trailing: [] } }
        : i === v.statements!.length - 1
          ? { ...x, trivia: { ...noTrivia, trailing: trivia.trailing } }
          : x,
    );
  }
  const expr = effectOf(s, v, span);
  return expr ? [{ kind: "expression", expression: expr, span, trivia }] : [];
}

/** The expression of a statement: its value is not used. */
function effectOf(s: Sema, v: Value, span: Span): Expr | undefined {
  if (v.expr) return closed(v.expr);
  const call = callOfReference(v);
  if (call) return call;
  if (v.place?.type.kind === "array")
    return {
      kind: "address-of",
      place: v.place,
      type: { kind: "pointer", pointee: v.place.type, space: "private" },
      span,
    };
  return read(s, v, span);
}

function declarationStatement(s: Sema, st: syntax.DeclarationStatement): Statement[] {
  const d = st.declaration;
  switch (d.kind) {
    case "variable": {
      const ownSpecifier = d.specifier !== undefined && definesType(d.specifier);
      if (ownSpecifier) {
        carryTrivia(s, st);
        return localVariables(s, d, noTrivia);
      }
      return localVariables(s, d, takeTrivia(s, st));
    }
    case "typedef":
      carryTrivia(s, st);
      typedef(s, d);
      return [];
    case "using":
      carryTrivia(s, st);
      using(s, d);
      return [];
    case "static-assert":
      carryTrivia(s, st);
      staticAssert(s, d);
      return [];
    case "precision":
    case "empty-declaration":
      carryTrivia(s, st);
      return [];
    case "execution-mode":
      carryTrivia(s, st);
      s.reader.executionMode?.(s, d);
      return [];
    case "function":
      notYet(s, "declarations of functions in functions are", d.span);
      return [];
    case "block-declaration":
    case "namespace":
    case "template":
      return fail(s, "this belongs at file scope", d.span);
    default:
      return assertNever(d);
  }
}

function returnStatement(s: Sema, st: syntax.ReturnStatement): Statement[] {
  const trivia = takeTrivia(s, st);
  deduceReturn(s, st);
  const type = s.fn!.info.returnType;
  if (!st.value) {
    const made = madeObject(s.fn!, st.span);
    if (made) return [{ kind: "return", value: made, span: st.span, trivia }];
    if (type.kind !== "void") error(s, "XL2018", `the function returns ${shown(s, type)}, here is no value`, st.span);
    return [{ kind: "return", span: st.span, trivia }];
  }
  if (st.value.kind === "initializer-list") {
    const value = initializerList(s, expressionReader(s), type, st.value);
    return value ? [{ kind: "return", value, span: st.span, trivia }] : [];
  }
  const v = expression(s, st.value);
  if (!v) return [];
  if (v.captured) return notYet(s, "a lambda that is returned is", st.value.span) ?? [];
  if (type.kind === "void") {
    // `return f(x);` of a function without value: C++14 6.6.3, and clang in C.
    const effect = v.type.kind === "void" ? effectOf(s, v, st.value.span) : undefined;
    if (!effect) return fail2018(s, st.value.span);
    return [
      { kind: "expression", expression: effect, span: st.value.span, trivia },
      { kind: "return", span: st.span, trivia: noTrivia },
    ];
  }
  if (s.fn!.info.returnsReference) {
    // What has been assigned to (C++14 5.17): `return *this = *this * o;`
    const assigned = !v.place && v.expr?.kind === "assign" ? v.expr : undefined;
    const object: Value =
      assigned && isObject(assigned.target) ? { type: assigned.target.type, place: assigned.target } : v;
    const value = referenceTo(s, object, type, st.value.span);
    if (!value) return [];
    const first: Statement[] = assigned
      ? [{ kind: "expression", expression: assigned, span: st.value.span, trivia: noTrivia }]
      : [];
    return [...first, { kind: "return", value, span: st.span, trivia }];
  }
  const value = convertTo(s, v, type, "return", st.value.span, "the returned value");
  return value ? [{ kind: "return", value, span: st.span, trivia }] : [];
}

const fail2018 = (s: Sema, span: Span): [] => {
  error(s, "XL2018", "the function returns nothing, here is a value", span);
  return [];
};

/** `auto f()`: the type of what it returns first (C++14 7.1.6.4). */
function deduceReturn(s: Sema, { value }: syntax.ReturnStatement): void {
  const { info } = s.fn!;
  if (!info.deduces || !value || value.kind === "initializer-list") return;
  const mark = s.problems.list.length;
  const type = unevaluated(s, () => {
    const v = expression(s, value);
    return v && read(s, v, value.span)?.type;
  });
  s.problems.truncate(mark);
  if (!type) return;
  info.deduces = false;
  info.returnType = type;
}

/** A place that stays the same whatever is computed: a variable, what a variable points to, members of those. */
const isObject = (p: Place): boolean =>
  p.kind === "variable" ||
  (p.kind === "deref" && p.pointer.kind === "load" && p.pointer.place.kind === "variable") ||
  (p.kind === "member" && isObject(p.base));

/** The returned object's address, where the function returns a reference. */
function referenceTo(s: Sema, v: Value, type: Type, span: Span): Expr | undefined {
  if (type.kind !== "pointer") return undefined;
  if (!v.place || v.place.kind === "swizzle" || (v.place.kind === "element" && v.place.base.type.kind !== "array"))
    return error(s, "XL2006", "a reference is returned: this is no object it can refer to", span);
  if (!sameType(v.type, type.pointee))
    return error(
      s,
      "XL2003",
      `the function returns a reference to ${shown(s, type.pointee)}, this is ${showGiven(s, v)}`,
      span,
    );
  if (placeSpace(s, v.place) !== type.space)
    return error(
      s,
      "XL2009",
      `this lies in ${placeSpace(s, v.place)} memory, the reference is to ${type.space} memory`,
      span,
    );
  if (v.readOnly && !type.readOnly)
    return error(s, "XL2003", `this cannot be written through the returned reference: ${v.readOnly}`, span);
  return addressOf(v.place, type.space, span, type.readOnly === true);
}

function forStatement(s: Sema, st: syntax.ForStatement): Statement[] {
  const trivia = takeTrivia(s, st);
  const unroll = unrollHint(s, st);
  return inScope(s, () => {
    const initializer: (Declare | ExpressionStatement)[] = [];
    if (st.initializer) {
      for (const made of statementOf(s, st.initializer)) {
        if (made.kind === "declare" && s.reading.declarations.loopNamesLivedOn)
          s.fn!.loopNames.add(s.variables.get(made.variable)!.name);
        if (made.kind === "declare" || made.kind === "expression") initializer.push(made);
        else return fail(s, "this cannot stand in the head of a for", made.span);
      }
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
    return [made];
  });
}

/** C++14 6.5.4, of arrays: their elements one by one, by an index of our own. */
function rangeFor(s: Sema, st: syntax.RangeForStatement): Statement[] {
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
    // One that has methods may have `begin` and `end`.
    if (given.type.kind === "struct") return notYet(s, "a range-based for over an object of a struct is", span) ?? [];
    return (
      error(
        s,
        "XL2003",
        `a range-based for goes over the elements of an array, this is ${showGiven(s, given)}`,
        span,
      ) ?? []
    );
  }
  // What names the array is looked at once.
  const first: Expr[] = [];
  const value = given.place ? undefined : read(s, given, span);
  const local = value && kept(s, value, first, span);
  const array = local?.kind === "load" ? local.place : given.place && keptPlace(s, given.place, first, span);
  if (!array) return [];
  const range: Value = local ? { type: given.type, place: array } : { ...given, place: array };
  const index = newVariable(s, { name: "i", type: i32, space: "private", role: "local", constant: false, span });
  const place = variablePlace(index, span);
  return inScope(s, () => {
    // No names of the source: it means neither.
    const [list, at] = ["the range", "its index"].map(
      (name) => ({ kind: "identifier", name, path: [], span }) as const,
    );
    declareName(s, list!.name, { kind: "value", make: () => range, span });
    declareName(s, at!.name, { kind: "variable", variable: index.id, span });
    const element: syntax.Expression = { kind: "index", base: list!, index: at!, span };
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

// ------------------------------------------------------------------ hints

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
]);

/** Attributes that only advise the compiler. */
function hints(s: Sema, st: { readonly attributes?: readonly syntax.Attribute[] }): void {
  for (const a of st.attributes ?? [])
    if (!branchHints.has(plainName(a)) && !isAllowed(s, a))
      error(s, "XL1900", `attribute '${a.name}' of a statement is not supported yet`, a.span);
}

function unrollHint(
  s: Sema,
  st: { readonly attributes?: readonly syntax.Attribute[]; readonly span: Span },
): UnrollHint | undefined {
  let hint: UnrollHint | undefined = pragmaHint(s, st.span.start);
  for (const a of st.attributes ?? []) {
    if (!unrollWords.has(plainName(a))) {
      if (!branchHints.has(plainName(a)) && !isAllowed(s, a))
        error(s, "XL1900", `attribute '${a.name}' of a loop is not supported yet`, a.span);
      continue;
    }
    if (/^(loop|dont_unroll)$/.test(plainName(a))) hint = false;
    else if (a.arguments?.[0]) {
      const v = expression(s, a.arguments[0]);
      const n = v?.expr && evaluate(s, v.expr);
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

// ------------------------------------------------------------------ switch

function switchStatement(s: Sema, st: syntax.SwitchStatement): Statement[] {
  const trivia = takeTrivia(s, st);
  hints(s, st);
  const v = expression(s, st.value);
  const read_ = v && read(s, asNumber(s, v, st.value.span), st.value.span);
  if (!read_) return [];
  const raw = isOpen(read_) ? settledAlone(s, read_) : read_;
  if (raw.type.kind === "scalar" && isFloat(raw.type.scalar) && s.language.conversions.shapes === "convert")
    return notYet(s, "a switch on a float is", st.value.span, "convert it to an int") ?? [];
  if (raw.type.kind !== "scalar" || (!isInteger(raw.type.scalar) && raw.type.scalar !== "bool")) {
    error(s, "XL2003", `a switch takes an integer, this is ${showGiven(s, raw)}`, st.value.span);
    return [];
  }
  const kind = promote(s.dialect, raw.type.scalar);
  const value = switchedOn(s, kind === raw.type.scalar ? raw : conversion(s, raw, scalar(kind), false, raw.span));
  if (!value) return [];
  s.fn!.switches++;
  const inside = inScope(s, () => switchCases(s, st.body, value.type as ScalarType, raw.type as ScalarType));
  s.fn!.switches--;
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

function switchCases(
  s: Sema,
  compound: syntax.CompoundStatement,
  type: ScalarType,
  given: ScalarType,
): { readonly cases: SwitchCase[]; readonly before: readonly Declare[] } | undefined {
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
  for (const st of compound.statements) {
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
    if (!current) {
      error(s, "XL2011", "a statement before the first case label is never reached", st.span);
      fine = false;
      continue;
    }
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
