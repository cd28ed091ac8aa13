/** Expressions of the parsed tree become typed values. Problems are reported at once and give `undefined`. */
import {
  addressOf,
  comma,
  construct,
  declare,
  deref,
  i32Literal,
  load,
  swizzle,
  variablePlace,
} from "../ast/builders.js";
import type { Expr, Place, VarId } from "../ast/nodes.js";
import { holdsFunctionPointers, isOfFunctionPointers } from "./function-pointers.js";
import { undeclared } from "./undeclared.js";
import type * as syntax from "../ast/syntax.js";
import { alignmentSaid, type AlignmentReader } from "./alignment-of.js";
import { partRead } from "./mentioned-names.js";
import { isPlainNumber } from "./one-component.js";
import { assertNever } from "../support/assert-never.js";
import { noSpan, type Span } from "../support/span.js";
import { identityOf, sameType, bitWidth, componentCount, scalar, type Type } from "../types/types.js";
import { layoutOf } from "../types/layout.js";
import { addressOfValue, dereferenced, indexed, memberOf, memberOfBase, basePart } from "./access.js";
import { call, typeMade } from "./calls.js";
import { objectValueType } from "./counted-buffers.js";
import { evaluate, type Constant } from "./constants.js";
import { castTo, constructorCall } from "./construct.js";
import { stringLiteral } from "./string-literals.js";
import { initializerList, type ExpressionReader } from "./initializer-lists.js";
import {
  error,
  exprValue,
  nested,
  newVariable,
  notYet,
  placeSpace,
  type Sema,
  type Symbol,
  type Value,
  shown,
  isStatement,
} from "./context.js";
import { isNoType, lookup } from "./scopes.js";
import { asIdentifier } from "./type-names.js";
import { after, held } from "./held-values.js";
import { isMinimum } from "./minimum-precision.js";
import { read, withoutFourth } from "./convert.js";
import { resolveSpecifier, resolveTypeName, typeNamed, type DeclaredType } from "./declared-types.js";
import { idValue } from "./ids.js";
import { functionsMeant, functionValue, givenFunction, lambda, onlyFunction } from "./lambdas.js";
import { closureOf } from "./closures.js";
import { readLiteral } from "./literals.js";
import { argumentValues, expressionAs } from "./list-arguments.js";
import { arrowOperand, calleesNamed } from "./method-calls.js";
import { binaryOperator, commaOperator, unaryOperator } from "./operators.js";
import { conditionalOperator } from "./conditional-operator.js";
import { assignment, incrementOperator, placeOf } from "./assignments.js";
import { predeclaredNames, predeclaredValue } from "./predeclared.js";
import { sizeType } from "../dialects/type-names.js";
import { asNumber, asOperand, downcast, referenceCast } from "./constructors.js";
import { emptyMember } from "./empty-structs.js";
import { memberOfType } from "./struct-members.js";
import { operatorCall } from "./operator-functions.js";
import { genericSelection } from "./generic-selection.js";
import { statementExpression } from "./statement-expressions.js";
import { enumeratorValue } from "./structs.js";
import { elementValue, fold, sizeOfPack } from "./templates/packs.js";
import { traitValue } from "./templates/traits.js";
import { variableInstance } from "./templates/struct-templates.js";
import { variableValue } from "./variable-value.js";

export const expressionReader = (s: Sema): ExpressionReader => ({
  expression: (e, type) => (type ? expressionAs(s, e, type) : expression(s, e)),
});

export function expression(s: Sema, e: syntax.Expression): Value | undefined {
  const value = nested(s, e.span, () => kindOf(s, e));
  if (value) return fromMacro(s, e, withoutFourth(value));
  // Whatever went wrong has been said; should it not, nothing is left out in silence.
  const isSaid = s.problems.hasErrors || (s.options.unparsed?.length ?? 0) > 0 || s.templates.attempts > 0;
  return isSaid ? undefined : notYet(s, "this expression is", e.span);
}

/** Notes that the value is what one constant macro stands for. */
function fromMacro(s: Sema, e: syntax.Expression, value: Value): Value {
  const name = value.expr && s.expansions.get(`${e.span.start}:${e.span.end}`)?.name;
  if (!value.expr || name === undefined || !isConstantLike(s, value.expr)) return value;
  return { ...value, expr: { ...value.expr, macro: { name } } };
}

function isConstantLike(s: Sema, e: Expr): boolean {
  if (e.kind === "splat") return isConstantLike(s, e.operand);
  if (e.kind === "construct") return e.arguments.every((a) => isConstantLike(s, a));
  return e.kind !== "load" && evaluate(s, e) !== undefined;
}

/** Reads an expression for its type: what it calls and declares is not there. */
export function unevaluated<T>(s: Sema, work: () => T): T {
  const { fn } = s;
  if (!fn) return work();
  const { locals } = fn;
  const calls = [...fn.calls];
  fn.locals = [];
  try {
    return work();
  } finally {
    fn.locals = locals;
    fn.calls.clear();
    for (const [id, span] of calls) fn.calls.set(id, span);
  }
}

/** The operand of decltype and sizeof (C++14 5 p8): functions that it names need no bodies. */
export function unevaluatedOperand(s: Sema, e: syntax.Expression): Value | undefined {
  const outer = s.scratch;
  const made: VarId[] = (s.scratch = []);
  const value = unevaluated(s, () => expression(s, e));
  s.scratch = outer;
  for (const id of made) s.variables.delete(id);
  return value;
}

function kindOf(s: Sema, e: syntax.Expression): Value | undefined {
  switch (e.kind) {
    case "identifier":
      return identifier(s, e);
    case "literal":
      return literalValueOf(s, e);
    case "parenthesized":
      return grouped(expression(s, e.expression), true);
    case "call": {
      const { callee } = e;
      if (callee.kind !== "generic-selection") return call(s, e);
      const chosen = chosenExpression(s, callee);
      return chosen && call(s, { ...e, callee: chosen });
    }
    case "brace-construct": {
      const type = typeMade(s, e.type.type, [e.list]);
      if (!type) return undefined;
      const value = initializerList(s, expressionReader(s), type, e.list, true);
      return value && exprValue(value);
    }
    case "cast":
      return cast(s, e);
    case "index":
      return componentByPointer(s, e) ?? subscript(s, e);
    case "member": {
      const ofPart = e.name.path.length > 0;
      const given = expression(s, e.base);
      const whole = given && e.arrow ? arrowOperand(s, given, e.span) : given;
      const base = whole && ofPart ? basePart(s, whole, e) : whole;
      const arrow = e.arrow && !ofPart;
      return (
        base &&
        memberOf(s, base, e.name.name, arrow, e.span, e.name.span, (symbol, span) =>
          symbolValue(s, symbol, e.name.name, span),
        )
      );
    }
    case "unary":
      return unary(s, e);
    case "postfix": {
      const v = expression(s, e.operand);
      // The operator of the source has a number that nobody reads (C++14 13.5.7).
      const own = v ? operatorCall(s, e.operator, [v, exprValue(i32Literal(0, e.span))], e.span) : "none";
      return own === "none" ? v && incrementOperator(s, v, e.operator === "++" ? 1 : -1, false, e.span) : own;
    }
    case "binary":
      return binary(s, e);
    case "assignment": {
      const target = expression(s, e.target);
      const value = assignedValue(s, e, target);
      if (!target || !value) return undefined;
      const own = operatorCall(s, e.operator, [target, value], e.span);
      return own === "none" ? assignment(s, e.operator, target, value, e.span) : own;
    }
    case "conditional": {
      const c = expression(s, e.condition);
      if (!e.whenTrue) return c && conditionOrElse(s, c, e);
      const a = expression(s, e.whenTrue);
      const b = expression(s, e.whenFalse);
      return c && a && b && conditionalOperator(s, c, a, b, e.span);
    }
    case "comma": {
      const l = expression(s, e.left);
      const r = expression(s, e.right);
      if (!l || !r) return undefined;
      if (isStatement(l) || isStatement(r)) return notYet(s, "such a call joined by a comma is", e.span);
      const own = operatorCall(s, ",", [l, r], e.span);
      if (own !== "none") return own;
      const made = placeBehind(s, commaOperator(s, l, r, e.span), r, e.span);
      return made && r.readOnly && r.type.kind === "struct" ? { readOnly: r.readOnly, ...made } : made;
    }
    case "sizeof":
      return sizeOf(s, e);
    case "initializer-list":
      return error(s, "XL2014", "an initialiser list cannot stand here", e.span);
    case "type-expression":
      return error(s, "XL2017", "a type stands where a value is needed", e.span);
    case "statement-expression":
      return statementExpression(s, e);
    case "generic-selection": {
      const chosen = chosenExpression(s, e);
      return chosen && grouped(expression(s, chosen), true);
    }
    case "lambda":
      return lambda(s, e);
    case "pack-element":
      return elementValue(s, e);
    case "pack-expansion":
      return notYet(s, "an expansion of a parameter pack here is", e.span);
    case "fold":
      return fold(s, e);
    default:
      return assertNever(e);
  }
}

const chosenExpression = (s: Sema, e: syntax.GenericSelection): syntax.Expression | undefined =>
  genericSelection(s, e, {
    unevaluated: (x) => unevaluatedOperand(s, x),
    typeName: (t) => resolveTypeName(s, t),
  });

/** Left-leaning chains of operators are walked in a loop: source nesting is limited, chain length is not. */
function binary(s: Sema, e: syntax.Binary): Value | undefined {
  const chain: syntax.Binary[] = [e];
  let left: syntax.Expression = e.left;
  while (left.kind === "binary") {
    chain.push(left);
    left = left.left;
  }
  let value = expression(s, left);
  for (let i = chain.length - 1; i >= 0; i--) {
    const node = chain[i]!;
    const right = expression(s, node.right);
    if (value && isStatement(value)) value = error(s, "XL2017", "a call without value is used as one", node.left.span);
    const own = value && right ? operatorCall(s, node.operator, [value, right], node.span) : "none";
    value =
      own === "none"
        ? grouped(
            value &&
              right &&
              binaryOperator(
                s,
                node.operator,
                asOperand(s, node.operator, value, node.left.span),
                asOperand(s, node.operator, right, node.right.span),
                node.span,
              ),
            false,
          )
        : own;
    if (value && i > 0) value = fromMacro(s, node, value);
  }
  return value;
}

/** What stands behind a comma is a place of C++, if it is one by itself (C++14 5.18). */
function placeBehind(s: Sema, whole: Value | undefined, right: Value, span: Span): Value | undefined {
  const { readOnly } = right;
  const found = placeOf(s, right);
  if (whole?.expr?.kind !== "comma" || !found) return whole;
  const { space, place } = found;
  const { left } = whole.expr;
  const behind = (): Place => deref(comma(left, addressOf(place(), space, span, readOnly !== undefined), span), span);
  return { ...whole, ...(readOnly ? { readOnly } : {}), lvalue: { space, place: behind } };
}

/** GNU C's `a ?: b`: the condition is evaluated once. */
function conditionOrElse(s: Sema, given: Value, e: syntax.Conditional): Value | undefined {
  const condition = read(s, given, e.condition.span);
  const otherwise = expression(s, e.whenFalse);
  if (!condition || !otherwise) return undefined;
  const { first, values } = held(s, [condition], e.span);
  const value = exprValue(values[0]!);
  const chosen = conditionalOperator(s, value, value, otherwise, e.span);
  return chosen?.expr && exprValue(after(first, chosen.expr, e.span));
}

/** Notes whether the source has parentheses around an operation. */
function grouped(value: Value | undefined, parentheses: boolean): Value | undefined {
  const noted = (e: Expr): Expr => {
    if (e.kind === "binary" || e.kind === "logical") return { ...e, grouped: parentheses };
    if (e.kind !== "convert" || e.explicit) return e;
    const operand = noted(e.operand);
    return operand === e.operand ? e : { ...e, operand };
  };
  return value?.expr ? { ...value, expr: noted(value.expr) } : value;
}

function unary(s: Sema, e: syntax.Unary): Value | undefined {
  const literal = e.operator === "&" && s.language.pointers ? addressOfLiteral(s, e.operand) : "none";
  if (literal !== "none") return literal;
  const v = e.operator === "&" ? addressed(s, e.operand) : expression(s, e.operand);
  if (!v) return undefined;
  const own = e.operator === "&" ? "none" : operatorCall(s, e.operator, [v], e.span);
  if (own !== "none") return own;
  switch (e.operator) {
    case "++":
    case "--":
      return incrementOperator(s, v, e.operator === "++" ? 1 : -1, true, e.span);
    case "*":
      return dereferenced(s, v, e.span);
    case "&":
      if (v.captured) return v;
      return addressOfValue(s, v, e.span);
    default:
      return unaryOperator(s, e.operator, asOperand(s, e.operator, v, e.operand.span), e.span);
  }
}

/** What `&` takes: `((float *)&v)[1]` is where the pointer leads then, since a component has no address. */
function addressed(s: Sema, operand: syntax.Expression): Value | undefined {
  if (operand.kind === "parenthesized") return addressed(s, operand.expression);
  return operand.kind === "index" ? subscript(s, operand) : expression(s, operand);
}

function subscript(s: Sema, e: syntax.Index): Value | undefined {
  const base = expression(s, e.base);
  const index = subscriptOf(s, base, e.index);
  if (!base || !index) return undefined;
  const own = operatorCall(s, "[]", [base, index], e.span);
  return own === "none" ? indexed(s, base, asNumber(s, index, e.index.span), e.span) : own;
}

/** A list is what the operator[] of the struct takes. */
function subscriptOf(s: Sema, base: Value | undefined, index: syntax.Expression): Value | undefined {
  if (base?.type.kind !== "struct" || index.kind !== "initializer-list") return expression(s, index);
  const { name } = base.type;
  return argumentValues(s, [index], () => calleesNamed(s, name, "operator[]"))?.[0];
}

/** `&(struct P){1, 2}`: a compound literal is an object (C99 6.5.2.5). */
function addressOfLiteral(s: Sema, operand: syntax.Expression): Value | undefined | "none" {
  if (operand.kind === "parenthesized") return addressOfLiteral(s, operand.expression);
  if (operand.kind !== "cast" || operand.operand.kind !== "initializer-list" || !s.fn) return "none";
  const info = resolveTypeName(s, operand.type);
  const v = info && literalObject(s, operand, info.type);
  if (v?.place) return addressOfValue(s, v, operand.span);
  return v && notYet(s, "the address of a compound literal that is not evaluated first is", operand.span);
}

/** `(struct P){1, 2}`: in front of its statement, where that may be, it is a variable; a value elsewhere. */
function literalObject(s: Sema, e: syntax.Cast, type: Type): Value | undefined {
  const value = initializerList(s, expressionReader(s), type, e.operand as syntax.InitializerList);
  if (!value || !s.fn?.leading.has(e)) return value && exprValue(value);
  const { span } = e;
  const name = value.type.kind === "array" ? "list" : "t";
  const v = newVariable(s, { name, type: value.type, space: "private", role: "local", constant: false, span: noSpan });
  s.fn.locals.push(declare(v.id, value, span));
  return { type: v.type, place: variablePlace(v, span) };
}

function literalValueOf(s: Sema, e: syntax.Literal): Value | undefined {
  const read = readLiteral(s.form, e, s.openLiterals, s.narrowTypes);
  if ("problem" in read) return error(s, "XL2015", read.problem, e.span);
  if ("notYet" in read)
    return s.language.pointers
      ? stringLiteral(s, e, (type, list) => initializerList(s, expressionReader(s), type, list))
      : notYet(s, read.notYet, e.span);
  const type = read.distinct ? { ...scalar(read.kind), distinct: read.distinct } : scalar(read.kind);
  const expr: Expr = {
    kind: "literal",
    type,
    value: read.value,
    text: read.text,
    span: e.span,
    ...(read.open ? { open: true } : {}),
  };
  const numeric = e.form === "integer" || e.form === "float";
  const literal = s.language.openLiterals ? read.open === true : numeric;
  return { type, expr, ...(literal ? { literal } : {}) };
}

/** `m += {a, b}` and `m = {a, b}` of a struct with functions for that (C++14 5.17 (9)): a list is their argument. */
function assignedValue(s: Sema, e: syntax.Assignment, target: Value | undefined): Value | undefined {
  const list = e.value;
  if (list.kind !== "initializer-list") return target ? expressionAs(s, list, target.type) : expression(s, list);
  if (!target) return undefined;
  const { type } = target;
  const name = `operator${e.operator}`;
  // Every struct has an assignment of its own, behind which those of its bases are hidden (C++14 12.8 (18) and (24)).
  const isOwn = type.kind === "struct" && (e.operator !== "=" || s.methods.get(type.name)?.functions.has(name));
  const callees = isOwn ? calleesNamed(s, type.name, name) : undefined;
  if (!callees) return e.operator === "=" ? listFor(s, type, list) : expression(s, list);
  const copy = e.operator === "=" ? [{ parameters: [{ type }] }] : [];
  const overloads = [...callees.overloads, ...copy];
  const [value] = argumentValues(s, [list], () => ({ ...callees, overloads })) ?? [];
  if (!value?.listed) return value;
  const { rank, as } = value.listed;
  const types = new Map(overloads.flatMap((f) => f.parameters.slice(0, 1)).map((p) => [identityOf(p.type), p.type]));
  const fitting = [...types.values()].filter((t) => rank(t) !== undefined);
  return fitting.length === 1 ? as(fitting[0]!) : notYet(s, "a list that several operators take is", list.span);
}

/** `v = {a, b}` (C++14 5.17): what the list initialises. */
function listFor(s: Sema, type: Type, list: syntax.InitializerList): Value | undefined {
  if (!s.reading.expressions.assignsLists)
    return error(s, "XL2014", "an initialiser list cannot stand here", list.span);
  const made = initializerList(s, expressionReader(s), type, list);
  return made && exprValue(made);
}

// ------------------------------------------------------------------ names

function identifier(s: Sema, e: syntax.Identifier): Value | undefined {
  const symbol = e.path.length === 0 ? lookup(s, e.name) : (scopedEnumerator(s, e) ?? memberOfType(s, e));
  if (symbol?.kind === "template" && e.templateArguments) {
    const instance = variableInstance(s, symbol.template, e);
    return instance && symbolValue(s, instance, e.name, e.span);
  }
  const meant = e.templateArguments && functionsMeant(s, symbol, e.name);
  const given = meant && givenFunction(s, meant, e.templateArguments);
  if (given) return functionValue(s, given);
  if (symbol) return symbolValue(s, symbol, e.name, e.span);
  const inherited = e.path.length > 0 ? memberOfBase(s, e, (found) => symbolValue(s, found, e.name, e.span)) : "none";
  if (inherited !== "none") return inherited;
  const trait = traitValue(s, e);
  if (trait !== "none") return trait && symbolValue(s, trait, e.name, e.span);
  const word =
    predeclaredValue(s, e.path, e.name, e.span) ?? (e.path.length === 0 ? idValue(s, e.name, e.span) : undefined);
  if (word) return word;
  const shown = [...e.path, e.name].join("::");
  return undeclared(s, "name", shown, e.span, predeclaredNames(s));
}

function scopedEnumerator(s: Sema, e: syntax.Identifier): Symbol | undefined {
  if (e.path.length !== 1) return undefined;
  const scope = lookup(s, e.path[0]!);
  if (scope?.kind !== "enum") return undefined;
  const found = s.enums[scope.index]!.enumerators.find((x) => x.name === e.name);
  return found && { kind: "enumerator", enum: scope.index, name: found.name, value: found.value, span: scope.span };
}

/** A block: its members, and the struct of which they are a value. */
function blockValue(s: Sema, { members, struct }: Symbol & { readonly kind: "block" }): Value {
  if (!struct) return { type: { kind: "void" }, block: members };
  const whole = (span: Span): Expr | undefined => {
    const parts = s.structs.get(struct.name)!.members.map((m) => {
      const v = symbolValue(s, members.get(m.name)!, m.name, span);
      return v && read(s, v, span);
    });
    return parts.every((e) => e !== undefined) ? construct(struct, parts, span, true) : undefined;
  };
  return { type: struct, block: members, whole };
}

export function symbolValue(s: Sema, symbol: Symbol, name: string, span: Span): Value | undefined {
  switch (symbol.kind) {
    case "variable":
      return variableValue(s, symbol.variable, span);
    case "value":
      return symbol.make(span);
    case "block":
      return blockValue(s, symbol);
    case "object": {
      const v = variableValue(s, symbol.variable, span);
      const readOnly = `'${name}' is a buffer of the file`;
      return { ...v, type: objectValueType(s, symbol.object), object: symbol.object, readOnly };
    }
    case "enumerator":
      return enumeratorValue(s, symbol, span);
    case "namespace":
      return error(s, "XL2017", `'${name}' is a namespace, a value is needed`, span);
    case "pack":
      return error(s, "XL2017", `'${name}' is a parameter pack, it has to be expanded`, span);
    case "template":
      return error(s, "XL2017", `'${name}' is a template, it needs arguments`, span);
    case "methods":
    case "functions": {
      const only = onlyFunction(s, symbol, name);
      if (only) return functionValue(s, only);
      const meant = functionsMeant(s, symbol, name);
      if (s.reading.declarations.lambdas && meant && meant.overloads.length + meant.templates.length > 1)
        return error(s, "XL2017", `'${name}' means several functions, and nothing here says which`, span, {
          notes: [...meant.overloads, ...meant.templates]
            .slice(0, 4)
            .map((f) => ({ message: "this one", span: f.span })),
          help: "hand over a lambda that calls it: [](auto x) { return f(x); }",
        });
      return error(s, "XL2017", `'${name}' is a function, it must be called`, span);
    }
    case "type":
    case "enum":
    case "function type":
      return error(s, "XL2017", `'${name}' is a type, a value is needed`, span);
    case "error":
      return undefined;
    default:
      return assertNever(symbol);
  }
}

// ------------------------------------------------------------------ casts and sizes

function cast(s: Sema, e: syntax.Cast): Value | undefined {
  // `(name)(x)` is ambiguous in the grammar: a name that is a value makes it a call.
  const specifier = e.type.specifier;
  if (
    specifier.kind === "named-type" &&
    e.type.derivations.length === 0 &&
    !specifier.elaborated &&
    !specifier.templateArguments
  ) {
    const symbol = specifier.path.length === 0 ? lookup(s, specifier.name) : undefined;
    if (symbol?.kind === "functions" && e.operand.kind === "parenthesized") {
      const inside = e.operand.expression;
      const callee: syntax.Identifier = {
        kind: "identifier",
        name: specifier.name,
        path: specifier.path,
        span: specifier.span,
      };
      return call(s, { kind: "call", callee, arguments: flattenComma(inside), span: e.span });
    }
  }
  // A reference to const may be to a value that the object is converted to (C++14 5.4 (4), 8.5.3).
  const toConst = e.type.qualifiers.some((q) => q.name === "const");
  const behind =
    e.operand.kind === "initializer-list" || toConst ? undefined : behindReference(s, e.type, e.operand, e.span);
  if (behind) return expression(s, behind);
  const info = resolveTypeName(s, e.type);
  if (!info) return undefined;
  const { type } = info;
  const inside = e.operand.kind === "parenthesized" ? e.operand.expression : undefined;
  if (s.reading.expressions.vectorLiterals && inside && type.kind === "vector" && inside.kind === "comma") {
    const args = flattenComma(inside).map((a) => expression(s, a));
    return args.every((a) => a !== undefined) ? constructorCall(s, type, args, e.span) : undefined;
  }
  if (e.operand.kind === "initializer-list") {
    if (type.kind === "array" && s.language.arrays === "decay") return literalObject(s, e, type);
    const value = initializerList(s, expressionReader(s), type, e.operand, true);
    return value && exprValue(value);
  }
  const v = expressionAs(s, e.operand, type);
  if (!v) return undefined;
  const down = downcast(s, v, info, e.span);
  if (down !== "none") return down;
  const same = referenceCast(s, v, info, e.span);
  if (same !== "none") return same;
  const named = info.reference && e.type.derivations.at(-1)?.kind !== "reference";
  if (named && !sameType(v.type, type))
    return notYet(s, "a cast to a reference that has a name of its own is", e.span, "write T & for it");
  if (toConst && info.reference && !sameType(v.type, type) && namesMemory(e.type))
    return notYet(
      s,
      "a cast to a reference to const of another type, in such memory, is",
      e.span,
      "*(T *)&x reads its bytes",
    );
  const to = spaceOf(s, info, v, e.span);
  const cast = castTo(s, v, to, e.span, false);
  const made = cast?.expr;
  if (!info.volatile || to.kind !== "pointer" || to.space === "private" || !made || made.kind === "null-pointer")
    return cast;
  const operand = made.kind === "bitcast" ? made.operand : made;
  return { ...cast, expr: { kind: "bitcast", operand, type: to, volatile: true, span: e.span } };
}

const namesMemory = ({ qualifiers }: syntax.TypeName): boolean =>
  qualifiers.some((q) => /^(device|constant|threadgroup|(__)?(global|local|constant|generic))$/.test(q.name));

/** `(T&)x` is `*(T*)&x` (C++14 5.2.10 (11)); of an object of that type it is the object. */
export function behindReference(
  s: Sema,
  type: syntax.TypeName,
  operand: syntax.Expression,
  span: Span,
): syntax.Expression | undefined {
  const last = type.derivations.at(-1);
  if (last?.kind !== "reference" || last.rvalue || !s.language.pointers) return undefined;
  const derivations = [...type.derivations.slice(0, -1), { kind: "pointer" as const, qualifiers: [], span: last.span }];
  const address: syntax.Unary = { kind: "unary", operator: "&", operand, span: operand.span };
  const cast: syntax.Cast = { kind: "cast", type: { ...type, derivations }, operand: address, span };
  return { kind: "unary", operator: "*", operand: cast, span };
}

/** The type of a cast; a pointer whose address space is not written is into that of its operand. */
export function spaceOf(s: Sema, info: DeclaredType, v: Value, span: Span): Type {
  if (!info.openSpace || info.type.kind !== "pointer" || s.reading.declarations.pointerSpaces === "written")
    return info.type;
  const e = read(s, v, span);
  if (e?.type.kind !== "pointer") return info.type;
  const { open = "" } = e.type;
  return { ...info.type, space: e.type.space, open };
}

/** `((device float *)&v)[1]`: a component of the vector `v`, as code generators write it. */
function componentByPointer(s: Sema, e: syntax.Index): Value | undefined {
  let base = e.base;
  while (base.kind === "parenthesized") base = base.expression;
  if (base.kind !== "cast" || e.index.kind !== "literal") return undefined;
  let operand = base.operand;
  while (operand.kind === "parenthesized") operand = operand.expression;
  if (operand.kind !== "unary" || operand.operator !== "&") return undefined;
  const { derivations } = base.type;
  if (derivations.length !== 1 || derivations[0]!.kind !== "pointer") return undefined;
  const info = resolveTypeName(s, base.type);
  const vector = expression(s, operand.operand);
  const index = expression(s, e.index);
  const k = index?.expr && evaluate(s, index.expr);
  const pointer = info?.type;
  if (!vector?.place || k === undefined || pointer?.kind !== "pointer" || vector.type.kind !== "vector")
    return undefined;
  const same = pointer.pointee.kind === "scalar" && pointer.pointee.scalar === vector.type.scalar;
  if (!same || pointer.space !== placeSpace(s, vector.place) || Number(k) >= vector.type.size) return undefined;
  const readOnly = pointer.readOnly ? "the pointer is to const" : vector.readOnly;
  return {
    ...vector,
    type: pointer.pointee,
    place: swizzle(vector.place, [Number(k)], e.span),
    ...(readOnly ? { readOnly } : {}),
  };
}

function flattenComma(e: syntax.Expression): syntax.Expression[] {
  const out: syntax.Expression[] = [];
  let at = e;
  while (at.kind === "comma") {
    out.push(at.right);
    at = at.left;
  }
  return [...out, at].reverse();
}

/** Bits of a value without padding, for bit casts. */
export function bitsOf(type: Type): number | undefined {
  const size = componentCount(type);
  if (size === undefined || type.kind === "matrix") return undefined;
  const kind = (type as { scalar: Parameters<typeof bitWidth>[0] }).scalar;
  return kind === "bool" ? undefined : bitWidth(kind) * size;
}

/** Values of minimum precision have fewer bytes in DXC than here. */
const holdsMinimum = (s: Sema, type: Type): boolean =>
  type.kind === "array"
    ? holdsMinimum(s, type.element)
    : type.kind === "struct"
      ? s.structs.get(type.name)!.members.some((m) => holdsMinimum(s, m.type))
      : isMinimum(type);

/** What looks like a type, and names an object that hides one (C++14 3.3.10 (2)). */
function hidingObject(s: Sema, { specifier, qualifiers, derivations }: syntax.TypeName): syntax.Identifier | undefined {
  if (specifier.kind !== "named-type" || specifier.elaborated || specifier.path.length > 0) return undefined;
  if (qualifiers.length > 0 || derivations.length > 0 || specifier.templateArguments) return undefined;
  const found = lookup(s, specifier.name);
  return found && isNoType(found) ? asIdentifier(specifier) : undefined;
}

function sizeOf(s: Sema, e: syntax.SizeOf): Value | undefined {
  if (e.word === "sizeof...") return sizeOfPack(s, e.operand as syntax.Identifier, e.span);
  let type: Type | undefined;
  const operand = e.operand.kind === "type-name" ? (hidingObject(s, e.operand) ?? e.operand) : e.operand;
  if (operand.kind === "type-name") type = resolveTypeName(s, operand)?.type;
  else {
    const asType =
      operand.kind === "identifier" || operand.kind === "parenthesized" ? typeNamed(s, operand) : undefined;
    type = asType ?? unevaluatedOperand(s, operand)?.type;
  }
  if (!type) return undefined;
  if (closureOf(s, type)) return notYet(s, `${e.word} of a lambda is`, e.span);
  if (e.word === "vec_step") {
    const size = componentCount(type);
    if (size === undefined)
      return error(s, "XL2003", `vec_step takes a scalar or vector, this is ${shown(s, type)}`, e.span);
    return exprValue({ kind: "literal", type: scalar("i32"), value: size === 3 ? 4 : size, span: e.span });
  }
  const reader: AlignmentReader = {
    typeOf: (x) => unevaluatedOperand(s, x)?.type,
    named: (x) => resolveSpecifier(s, x),
  };
  const said = e.word === "alignof" ? alignmentSaid(s, operand, reader) : undefined;
  if (said === null) return undefined;
  const { memory } = s.language;
  if (memory !== "natural" && (e.word !== "sizeof" || holdsMinimum(s, type)))
    return notYet(s, `${e.word} of ${shown(s, type)} is`, e.span);
  // A buffer of HLSL has no bytes; an address has as many as a size_t.
  const isObject = type.kind === "pointer" && (type.object !== undefined || type.block !== undefined);
  if (isObject || type.kind === "void" || (type.kind === "array" && type.length === undefined)) {
    return notYet(s, `${e.word} of ${shown(s, type)} is`, e.span);
  }
  if (type.kind === "struct" && s.structs.get(type.name)?.members.some((m) => m.name === emptyMember))
    return notYet(s, `${e.word} of a struct without data is`, e.span);
  const functions = type.kind !== "pointer" && holdsFunctionPointers(s, type);
  if (functions && !isOfFunctionPointers(s, type))
    return notYet(s, `${e.word} of a struct with pointers to functions is`, e.span);
  // They are numbers of 4 bytes here, and have 8 as other pointers.
  const { align, size } = layoutOf(type, memory, s.structs);
  const layout = functions ? { align: 2 * align, size: 2 * size } : { align, size };
  return exprValue({
    kind: "literal",
    // DXC's is a uint.
    type: memory === "natural" ? sizeType : scalar("u32"),
    value: e.word === "alignof" ? (said ?? layout.align) : layout.size,
    span: e.span,
  });
}

// ------------------------------------------------------------------ constants

/** The value of an integer constant expression; a problem where it is none. */
export function constantInteger(
  s: Sema,
  e: syntax.Expression,
  what: string,
  /** Sees the expression before it is evaluated. */
  before?: (expr: Expr) => void,
): bigint | undefined {
  const v = constantValue(s, e, what, before);
  if (v === undefined) return undefined;
  if (typeof v === "number") return error(s, "XL2007", `${what} must be an integer`, e.span);
  return BigInt(v);
}

export const constantValue = (
  s: Sema,
  e: syntax.Expression,
  what: string,
  before?: (expr: Expr) => void,
): Constant | undefined => typedConstant(s, e, what, before)?.value;

/** Whether no part of a constant is read where the language has those for no constants; else a problem. */
export function readsWhole(s: Sema, e: syntax.Expression, what: string): boolean {
  const part = s.reading.expressions.constantsOfParts ? undefined : partRead(e);
  if (!part) return true;
  error(s, "XL2007", `${what} must be a constant expression, which reads no part of a constant`, part.span, {
    help: "declare the part as a constant of its own",
  });
  return false;
}

export function typedConstant(
  s: Sema,
  e: syntax.Expression,
  what: string,
  before?: (expr: Expr) => void,
): { readonly value: Constant; readonly type: Type } | undefined {
  const v = expression(s, e);
  if (!v || !isPlainNumber(s, v.type, what, e.span, "declare it as one")) return undefined;
  if (!readsWhole(s, e, what)) return undefined;
  const expr = v.expr ?? (v.place && load(v.place, e.span));
  if (expr) before?.(expr);
  const known = expr && evaluate(s, expr);
  if (known === undefined) return error(s, "XL2007", `${what} must be a constant expression`, e.span);
  return { value: known, type: v.type };
}
