/** Statements of function bodies. */
import { forwarded } from "./forwarding.js";
import { append } from "../support/append.js";
import { addressOf, barrier, conditional, load } from "../ast/builders.js";
import { returnedVariable } from "./returned-variable.js";
import type { Block, CompiledBarrier, Expr, Place, Statement, Trivia } from "../ast/nodes.js";
import { holdsCopied, madeObject, refusesCopy, uncopied } from "./constructors.js";
import { noTrivia } from "../ast/nodes.js";
import type * as syntax from "../ast/syntax.js";
import { fuseBarriers } from "../ops/index.js";
import { assertNever } from "../support/assert-never.js";
import type { Span } from "../support/span.js";
import { sameType, type Type } from "../types/types.js";
import { initializerList } from "./initializer-lists.js";
import {
  carryTrivia,
  error,
  nested,
  notYet,
  isLvalue,
  placeSpace,
  type FunctionInfo,
  takeTrivia,
  type Scope,
  type Sema,
  type Value,
  shown,
  type NamedTypeInfo,
} from "./context.js";
import { inScopeOf, lookup } from "./scopes.js";
import { branchedOn } from "./eager-operands.js";
import { conditionOf, convertTo, read } from "./convert.js";
import { definesType, typeOfOperand } from "./declared-types.js";
import { localVariables, staticAssert, typedef, using } from "./declarations.js";
import { constantValue, expression, expressionReader, unevaluated } from "./expressions.js";
import { functionPointersOf } from "./function-pointers.js";
import { structured } from "./gotos.js";
import { outliving } from "./jumps.js";
import { leadingIn } from "./statement-expressions.js";
import { memberOfPath } from "./namespaces.js";
import { callOfReference } from "./operators.js";
import { closed, showGiven } from "./open-literals.js";
import { hints, unrollHint, rangeFor, forStatement, withLoopNames } from "./loops.js";
import { switchStatement } from "./switch-statement.js";
import { provisionally, attempt } from "./templates/state.js";
import { asIdentifier } from "./type-names.js";

/** A compound statement as a block with a scope of its own. */
export function block(
  s: Sema,
  st: syntax.CompoundStatement,
  trivia: Trivia = takeTrivia(s, st),
  before: readonly Statement[] = [],
): Block {
  const scope: Scope = { parent: s.scope, symbols: new Map(), ...(sharesScope(s, st) ? { sharesParent: true } : {}) };
  return inScopeOf(s, scope, () => {
    const statements = statementList(s, st.statements, before, isOutermost(s, st));
    const innerComments = [...s.pendingComments.splice(0), ...s.trivia.inner(st)];
    return { kind: "block", statements, span: st.span, trivia, innerComments };
  });
}

/** Whether names that are declared right before the block cannot be declared in it again: C99 6.2.1 (4), C++14 3.3.3 and 6.4 (3). */
const sharesScope = (s: Sema, st: syntax.CompoundStatement): boolean =>
  s.fn?.body === st || (st.afterHead === true && s.reading.declarations.headsShareScope);

/** The body of a function without value. */
const isOutermost = (s: Sema, st: syntax.CompoundStatement): boolean =>
  s.fn?.body === st && s.fn.info.returnType.kind === "void" && !s.fn.made;

const labels = new Set<syntax.Statement["kind"]>(["case", "label"]);

/** Whether the list has a label before what its language has none before, or at its end, which some compilers take nevertheless. */
export function noteLabels(s: Sema, list: readonly syntax.Statement[]): void {
  list.forEach((st, i) => {
    if (!labels.has(st.kind)) return;
    const next = list[i + 1]?.kind;
    const declares = next === "declaration-statement" && !s.reading.declarations.labelledDeclarations;
    if (!next || declares) s.extended = true;
  });
}

export function statementList(
  s: Sema,
  list: readonly syntax.Statement[],
  before: readonly Statement[],
  outermost: boolean,
): Statement[] {
  noteLabels(s, list);
  const plain = structured(s, list, outermost);
  const out: Statement[] = [...before, ...plain.before];
  for (const st of plain.statements) for (const made of statement(s, st)) appendStatement(out, made);
  const all = withLoopNames(s, out);
  return plain.within.size > 0 ? outliving(s, all, plain.within) : all;
}

/** Adjacent fences and barriers become one. */
export function appendStatement(out: Statement[], made: Statement): void {
  const last = out.at(-1);
  if (made.kind === "barrier" && last?.kind === "barrier") {
    const fused = fuseBarriers(last.barrier, made.barrier);
    if (fused) {
      const trivia: Trivia = {
        leading: [...last.trivia.leading, ...made.trivia.leading],
        trailing: [...last.trivia.trailing, ...made.trivia.trailing],
        blankBefore: last.trivia.blankBefore,
      };
      const compiled = bothCompiled(last.compiled, made.compiled);
      const span = { start: last.span.start, end: made.span.end };
      out[out.length - 1] = { ...barrier(fused, span, trivia), ...(compiled ? { compiled } : {}) };
      return;
    }
  }
  out.push(made);
}

function bothCompiled(a: CompiledBarrier | undefined, b: CompiledBarrier | undefined): CompiledBarrier | undefined {
  if (!a || !b) return a ?? b;
  const needs = [...new Set([a.needs ?? [], b.needs ?? []].flat())].join(" ");
  const strengthened = a.strengthened ?? b.strengthened;
  return {
    instructions: [...a.instructions, ...b.instructions],
    ...(needs === "" ? {} : { needs }),
    ...(strengthened === undefined ? {} : { strengthened }),
  };
}

/** Bodies of if and loops: a block where braces were written, else one statement in a scope of its own. */
export function body(s: Sema, st: syntax.Statement): Statement {
  if (st.kind === "compound") {
    hints(s, st);
    return block(s, st);
  }
  // What its head declared is there by now: where that is nothing, an else-if in a chain is no scope deeper than the if.
  const { scope } = s;
  const parent = scope.ofOne && scope.symbols.size === 0 ? scope.parent! : scope;
  return inScopeOf(s, { parent, symbols: new Map(), ofOne: true }, () => {
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

function strayCase(s: Sema, { span }: syntax.CaseLabel): void {
  const around = s.fn!.switches.at(-1);
  if (around && s.reading.declarations.casesInBlocks) {
    const what = "a case label in a loop or condition of its switch is";
    // Of a loop that is entered at one of several labels one is enough.
    const said = s.problems.list.some(
      (p) => p.span && around.start <= p.span.start && p.span.end <= around.end && p.message.startsWith(what),
    );
    const wayOut = "do what is left over before the loop, or write what the label leads to as a function";
    if (!said) notYet(s, what, span, wayOut);
  } else error(s, "XL2011", "a case label stands outside its switch, or inside a nested statement", span);
}

export function statementOf(s: Sema, st: syntax.Statement): Statement[] {
  switch (st.kind) {
    case "compound":
      hints(s, st);
      return [block(s, st)];
    case "declaration-statement": {
      const called = calledInstead(s, st);
      return called ? expressionStatement(s, called, takeTrivia(s, st), st.span) : declarationStatement(s, st);
    }
    case "expression-statement":
      if (st.expression.kind === "statement-expression") return [block(s, st.expression.body, takeTrivia(s, st))];
      if (st.expression.kind === "conditional" && isVoid(s, st.expression)) return chosenCall(s, st, st.expression);
      if (declaresInstead(s, st)) return [];
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
      strayCase(s, st);
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
      if (s.fn!.loops === 0 && s.fn!.switches.length === 0)
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
      notYet(s, "goto to a label in a block that it does not lie in is", st.span, "write a loop or a condition");
      return [];
    case "label":
      notYet(
        s,
        "a label that other cases of its switch lead to, or that is the whole body of a statement, is",
        st.span,
        "write what follows it as a function that they call",
      );
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

/** `f (x);`, `f (*p);`, `f (a[i]) = v;`: a call where f is a function, though a type somewhere has that name, too. */
function calledInstead(s: Sema, { declaration: d }: syntax.DeclarationStatement): syntax.Expression | undefined {
  if (d.kind !== "variable" || d.specifier?.kind !== "named-type" || d.qualifiers.length > 0) return undefined;
  const [x, ...more] = d.declarators;
  const given = x?.initializer;
  if (!x?.parenthesized || !x.name || more.length > 0 || (given && given.form !== "assign")) return undefined;
  const callee = asIdentifier(d.specifier);
  const { path, name, span } = callee;
  const meant = path.length > 0 ? memberOfPath(s, callee) : lookup(s, name);
  if (meant?.kind !== "functions" && meant?.kind !== "methods" && meant?.kind !== "variable") return undefined;
  const argument = x.derivations.reduceRight<syntax.Expression | undefined>((operand, d) => {
    const { span } = x;
    if (!operand) return undefined;
    if (d.kind === "array") return d.size && { kind: "index", base: operand, index: d.size, span };
    if (d.kind === "pointer" && d.qualifiers.length === 0) return { kind: "unary", operator: "*", operand, span };
    return d.kind === "reference" && !d.rvalue ? { kind: "unary", operator: "&", operand, span } : undefined;
  }, x.name);
  if (!argument) return undefined;
  const call: syntax.Call = { kind: "call", callee, arguments: [argument], span: { ...x.span, start: span.start } };
  return given ? { kind: "assignment", operator: "=", target: call, value: given.value, span: d.span } : call;
}

/** `int(f(x));`: what can be a declaration is one (C++14 6.8). */
function declaresInstead(s: Sema, { expression: e }: syntax.ExpressionStatement): boolean {
  if (!s.reading.declarations.parenthesizedNames || e.kind !== "call" || e.callee.kind !== "type-expression")
    return false;
  const [named, ...rest] = e.arguments;
  if (named?.kind !== "call" || rest.length > 0) return false;
  if (named.callee.kind !== "identifier" || named.callee.path.length > 0) return false;
  // What takes a value is called (clang, DXC); what takes nothing, or types, is declared.
  if (named.arguments.some((a) => a.kind !== "type-expression")) return false;
  notYet(
    s,
    "a declaration of a function or of a variable with its initialiser, with the name in parentheses, is",
    e.span,
    "leave the parentheses out; for a call whose value is not used write (void)f(x)",
  );
  return true;
}

function isVoid(s: Sema, e: syntax.Conditional): boolean {
  const types = [e.whenTrue, e.whenFalse].map(
    (x) => provisionally(s, () => unevaluated(s, () => x && expression(s, x)))?.type,
  );
  return types.every((t) => t?.kind === "void");
}

export function fail(s: Sema, message: string, span: Span): [] {
  error(s, "XL2011", message, span);
  return [];
}

export function conditionIn(s: Sema, e: syntax.Expression): Expr | undefined {
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

export function loopBody(s: Sema, st: syntax.Statement): Statement {
  s.fn!.loops++;
  const made = body(s, st);
  s.fn!.loops--;
  return made;
}

function expressionStatement(s: Sema, e: syntax.Expression, trivia: Trivia, span: Span): Statement[] {
  const v = expression(s, e);
  if (!v) return [];
  if (v.barrier) {
    const { barrier: descriptor, compiled } = v.barrier;
    return [{ ...barrier(descriptor, span, trivia), ...(compiled ? { compiled } : {}) }];
  }
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
export function effectOf(s: Sema, v: Value, span: Span): Expr | undefined {
  if (v.expr) return closed(v.expr);
  if (v.field?.effect) return closed(v.field.effect);
  const call = callOfReference(v);
  if (call) return call;
  if (v.place?.type.kind === "array")
    return {
      kind: "address-of",
      place: v.place,
      type: { kind: "pointer", pointee: v.place.type, space: "private" },
      span,
    };
  return read(s, uncopied(s, v, span), span);
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
  if (s.fn!.info.returnsReference && st.value.kind === "conditional") {
    const value = eitherReference(s, st.value, type);
    return value ? [{ kind: "return", value, span: st.span, trivia }] : [];
  }
  const v = expression(s, st.value);
  if (!v) return [];
  if (v.captured && !functionPointersOf(s, type)) return notYet(s, "a lambda that is returned is", st.value.span) ?? [];
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
  const made = v.place?.kind === "variable" && holdsCopied(s, v.type) ? s.variables.get(v.place.variable)! : undefined;
  // Compilers may leave that copy out, and do (C++14 12.8 (31)).
  if (made && refusesCopy(s, made.type, st.value.span)) return [];
  const isOwn = made?.role === "local" && made.space === "private" && made.mode === undefined;
  if (isOwn && isReturnedAlways(s, st) && sameType(made.type, type))
    return [{ kind: "return", value: load(v.place!, st.value.span), span: st.span, trivia }];
  if (isOwn && !sameType(made.type, type)) {
    // What it becomes is made of it as of what has no name, where that can be (C++14 12.8 (32)).
    const value =
      attempt(s, () => convertTo(s, { ...v, xvalue: true }, type, "return", st.value!.span, "the returned value")) ??
      convertTo(s, v, type, "return", st.value.span, "the returned value");
    return value ? [{ kind: "return", value, span: st.span, trivia }] : [];
  }
  if (isOwn)
    return (
      notYet(
        s,
        "returning a variable whose constructor does more than copy is",
        st.value.span,
        "return what it is made of",
      ) ?? []
    );
  const value = convertTo(s, v, type, "return", st.value.span, "the returned value");
  return value ? [{ kind: "return", value, span: st.span, trivia }] : [];
}

/** Whether it names the one variable that the function returns. */
function isReturnedAlways(s: Sema, st: syntax.ReturnStatement): boolean {
  const { fn } = s;
  if (!fn?.body) return false;
  const { name, statements } = (fn.returned ??= returnedVariable(fn.body));
  return name !== undefined && statements.has(st);
}

const fail2018 = (s: Sema, span: Span): [] => {
  error(s, "XL2018", "the function returns nothing, here is a value", span);
  return [];
};

/** `auto f()`: the type of what it returns first (C++14 7.1.6.4). */
function deduceReturn(s: Sema, { value }: syntax.ReturnStatement): void {
  const { info } = s.fn!;
  const way = info.deduces;
  if (!way || !value || value.kind === "initializer-list") return;
  const returned = provisionally(s, () =>
    unevaluated(s, (): NamedTypeInfo | undefined => {
      const v = expression(s, value);
      if (!v || way === "value") {
        const type = v && read(s, v, value.span)?.type;
        return type && { type };
      }
      return way === "declared" ? typeOfOperand(s, { expression: value }, v) : referenceOf(s, v, way);
    }),
  );
  if (!returned) return;
  const { type, reference, constant } = returned;
  delete info.deduces;
  info.returnType = type;
  if (!reference) return;
  info.returnType = {
    kind: "pointer",
    pointee: type,
    space: reference.space ?? "private",
    ...(constant ? { readOnly: true } : {}),
  };
  info.returnsReference = true;
  if (reference.rvalue) info.returnsRvalue = true;
}

/** `auto &f()`: a reference to what is returned. */
function referenceOf(s: Sema, v: Value, way: FunctionInfo["deduces"]): NamedTypeInfo {
  const of = forwarded(s, v, v.type);
  const rvalue = way === "forwarding reference" && !isLvalue(v) ? { rvalue: true as const } : {};
  const space = v.place ? placeSpace(s, v.place) : "private";
  const constant = way === "const reference" ? { constant: true } : {};
  return { ...of, ...constant, reference: of.reference ?? { space, ...rvalue } };
}

/** A place that stays the same whatever is computed: a variable, what a variable points to, members of those. */
const isObject = (p: Place): boolean =>
  p.kind === "variable" ||
  (p.kind === "deref" && p.pointer.kind === "load" && p.pointer.place.kind === "variable") ||
  (p.kind === "member" && isObject(p.base));

/** `return c ? a : b;` of a reference to one of them. */
function eitherReference(s: Sema, e: syntax.Expression, type: Type): Expr | undefined {
  if (e.kind !== "conditional" || !e.whenTrue) {
    const v = expression(s, e);
    return v && referenceTo(s, v, type, e.span);
  }
  const c = expression(s, e.condition);
  const condition = c && conditionOf(s, c, e.condition.span);
  const whenTrue = eitherReference(s, e.whenTrue, type);
  const whenFalse = eitherReference(s, e.whenFalse, type);
  return condition && whenTrue && whenFalse && conditional(condition, whenTrue, whenFalse, e.span);
}

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
