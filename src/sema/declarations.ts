/** Local variables, typedefs and the other declarations but variables of the file. */
import { isPlainNumber } from "./one-component.js";
import {
  addressOf,
  assign,
  boolLiteral,
  declare,
  deref,
  expressionStatement,
  load,
  unary,
  variablePlace,
} from "../ast/builders.js";
import { heldPlace } from "../ast/held-place.js";
import type { Declare, Expr, Place, Statement, Trivia, Variable } from "../ast/nodes.js";
import { initialisedBy } from "./eager-operands.js";
import { noTrivia, type VarId } from "../ast/nodes.js";
import type * as syntax from "../ast/syntax.js";
import { append } from "../support/append.js";
import { assertNever } from "../support/assert-never.js";
import { noSpan, type Span } from "../support/span.js";
import { holdsPointers } from "../types/layout.js";
import { isIncomplete } from "./struct-members.js";
import { bool, isArrayOfPointers, sameType, scalarOf, type AddressSpace, type Type } from "../types/types.js";
import { indexed, memberOf, partOf } from "./access.js";
import { isAllowed, plainName } from "./attributes.js";
import { row } from "../ops/table.js";
import { evaluate, overflowsIn, setConstant, withoutCalls, withoutLocals } from "./constants.js";
import {
  constructorsOf,
  baseObject,
  copyOf,
  defaultObject,
  explicitConversion,
  holdsCopied,
  isLong,
  madeInLoop,
  mentions as usesVariable,
  needsMaking,
  upcast,
} from "./constructors.js";
import { losesBitFields } from "./flat-lists.js";
import { argumentValues, expressionAs } from "./list-arguments.js";
import { isSame } from "./overloads.js";
import { constructorCall, fitsOpen, isComplete, refusesSeveral } from "./construct.js";
import { mentions } from "./mentioned-names.js";
import { withCharacters } from "./character-arrays.js";
import { initializerList } from "./initializer-lists.js";
import {
  leaveOut,
  absentHere,
  carryTrivia,
  asPlace,
  isLvalue,
  error,
  newVariable,
  notYet,
  placeSpace,
  type NamedTypeInfo,
  type Sema,
  type Value,
  shown,
  updateVariable,
} from "./context.js";
import { inScopeOf, declareName, lookup } from "./scopes.js";
import { begunIn, declaredHere, isOpenPointer, openAs, settledSpace } from "./generic-pointers.js";
import { holdsMatrix } from "./subgroup-matrices.js";
import { convertTo, read } from "./convert.js";
import {
  definesType,
  derive,
  namedBefore,
  namedInfo,
  resolveSpecifier,
  resolveTypeName,
  sortQualifiers,
  type DeclaredType,
  type Qualifiers,
  asSeen,
  deducedType,
} from "./declared-types.js";
import { alignedType, harmless, isAlignment } from "./alignments.js";
import { constantInteger, readsWhole, expression, expressionReader, symbolValue, unevaluated } from "./expressions.js";
import { classNamedAlone } from "./calls.js";
import { functionPointer, namedClosure, standsForFunction } from "./lambdas.js";
import { closureOf } from "./closures.js";
import { otherNamespaceName, useLibrary, usingNames, isOfLibrary } from "./namespaces.js";
import { autoType, ofInitializer, valueGiven } from "./deduced-types.js";
import { orientation } from "./matrix-rows.js";
import { expanded } from "./templates/packs.js";
import { functionShape, type FunctionShape } from "./templates/function-types.js";
import { bindParts, wholeOfBindings, type PartsOf } from "./structured-bindings.js";
import { namesVector, vectorNamed } from "./vector-attributes.js";
import { variableValue } from "./variable-value.js";
import { ignoresZeros, workgroupWritten } from "./ignored-zeros.js";
import { pointersOfFile, specializesNumbers } from "./file-variables.js";
import { programBuffer } from "./interface.js";
import { staticLocal } from "./static-locals.js";
import { provisionally } from "./templates/state.js";

/** Words a variable's declaration may carry without more meaning here. */
export function rejectWords(s: Sema, q: Qualifiers, allowed: readonly string[] = []): boolean {
  let fine = true;
  for (const [word, at] of q.words) {
    // The storage of a matrix shows in buffers only.
    if (allowed.includes(word) || word === "column_major" || word === "row_major") continue;
    error(s, "XL1900", `'${word}' is not supported here yet`, at.span);
    fine = false;
  }
  return fine;
}

/** Whether all attributes behind a name are such; if not, a problem says so. */
export function allHarmless(s: Sema, x: syntax.Declarator): boolean {
  const foreign = x.attributes.find((a) => !harmless(s, a));
  if (foreign) notYet(s, `attribute '${foreign.name}' of a variable is`, foreign.span, leaveOut);
  return foreign === undefined;
}

/** True where an initialiser can be computed before the kernel runs. `also` allows further leaves. */
export function isConstantExpr(s: Sema, e: Expr, also: (leaf: Expr) => boolean = () => false): boolean {
  switch (e.kind) {
    case "literal":
    case "enumerator":
      return true;
    case "construct":
      return e.arguments.every((a) => isConstantExpr(s, a, also));
    case "splat":
    case "convert":
    case "bitcast":
    case "unary":
    case "swizzle-value":
    case "member-value":
      return isConstantExpr(s, e.operand, also);
    case "binary":
    case "logical":
      return isConstantExpr(s, e.left, also) && isConstantExpr(s, e.right, also);
    case "conditional":
      return (
        isConstantExpr(s, e.condition, also) &&
        isConstantExpr(s, e.whenTrue, also) &&
        isConstantExpr(s, e.whenFalse, also)
      );
    case "element-value":
      return isConstantExpr(s, e.operand, also) && isConstantExpr(s, e.index, also);
    case "op":
      return (
        e.places.length === 0 && row(e.op).effect === "pure" && e.arguments.every((a) => isConstantExpr(s, a, also))
      );
    case "load": {
      let place = e.place;
      while (place.kind === "element" || place.kind === "member" || place.kind === "swizzle") {
        if (place.kind === "element" && !isConstantExpr(s, place.index, also)) return false;
        place = place.base;
      }
      return (place.kind === "variable" && s.constants.has(place.variable)) || also(e);
    }
    default:
      return also(e);
  }
}

/** Reads an initialiser for `type`; arrays without a size get theirs. Gives the final type with the value. */
export function readInitializer(
  s: Sema,
  type: Type,
  given: syntax.Initializer,
  span: Span,
): { value: Expr; type: Type } | undefined {
  if (given.form !== "assign" && !s.reading.declarations.directInitializers)
    return absentHere(s, "initialisers without '='", span, "write '=' before the value");
  let value: Expr | undefined;
  const all = given.form === "paren" ? expanded(s, given.values) : [];
  if (!all) return undefined;
  const init: syntax.Initializer =
    given.form === "paren" ? { form: "paren", values: all } : withCharacters(type, given);
  if (init.form === "paren") {
    // `float4 v(a, b)` is `float4 v = float4(a, b)`.
    if (init.values.length !== 1 || type.kind === "matrix" || type.kind === "struct") {
      const args = argumentValues(s, init.values, () => constructorsOf(s, type, "copied"));
      if (!args || refusesSeveral(s, type, args.length, span)) return undefined;
      const made = constructorCall(s, type, args, span);
      value = made && read(s, made, span);
      return value && { value, type };
    }
    value = directly(s, type, init.values[0]!);
  } else if (init.form === "brace" && holdsObject(s, type, init.value)) {
    value = directly(s, type, init.value.elements[0]!.value);
  } else if (init.form === "brace" && isCopied(s, type, init.value)) {
    const v = expression(s, init.value.elements[0]!.value);
    value = v && read(s, v, span);
  } else if (init.form === "brace" || init.value.kind === "initializer-list") {
    const list = init.value as syntax.InitializerList;
    value = initializerList(s, expressionReader(s), type, list, init.form === "brace");
  } else {
    const v = expressionAs(s, init.value, type);
    if (!v) return undefined;
    if (type.kind === "array") {
      if (s.language.arrays !== "values")
        return error(s, "XL2014", "an array is initialised by a list", init.value.span);
      const e = read(s, v, init.value.span);
      if (!e) return undefined;
      if (!fitsOpen(e.type, type))
        return error(s, "XL2003", `the initialiser is ${shown(s, e.type)}, not ${shown(s, type)}`, init.value.span);
      value = e;
    } else value = convertTo(s, v, type, "initializer", init.value.span, "the initialiser");
  }
  if (!value) return undefined;
  return { value, type: type.kind === "array" ? value.type : type };
}

/** `float f(v)`: what objects convert to is asked of what is explicit, too (C++14 8.5 (17), 13.3.1.5). */
function directly(s: Sema, type: Type, e: syntax.Expression): Expr | undefined {
  const v = expressionAs(s, e, type);
  const own = v && type.kind !== "struct" ? explicitConversion(s, v, type, e.span) : "none";
  const made = own === "none" ? v : own;
  return made && convertTo(s, made, type, "initializer", e.span, "the initialiser");
}

/** The type of the one element of a list that is no list itself. */
function typeOfElement(s: Sema, { elements }: syntax.InitializerList): Type | undefined {
  const [only, ...others] = elements;
  if (!only || others.length > 0 || only.value.kind === "initializer-list") return undefined;
  if (only.designators.length > 0) return undefined;
  const { value } = only;
  return provisionally(s, () => unevaluated(s, () => expression(s, value)))?.type;
}

/** `float f{object}`. */
const holdsObject = (s: Sema, type: Type, list: syntax.InitializerList): boolean =>
  (type.kind === "scalar" || type.kind === "vector") && typeOfElement(s, list)?.kind === "struct";

/** `S s{t}` of an aggregate and an object of its type (C++17 11.6.4 (3.1)). */
function isCopied(s: Sema, type: Type, list: syntax.InitializerList): boolean {
  if (type.kind !== "struct") return false;
  const given = typeOfElement(s, list);
  return given !== undefined && sameType(given, type);
}

// ------------------------------------------------------------------ locals

/** Local variables of one declaration. */
export function localVariables(s: Sema, d: syntax.VariableDeclaration, trivia: Trivia): Statement[] {
  if (!d.specifier) {
    error(s, "XL2011", "such a declaration belongs at file scope", d.span);
    return [];
  }
  for (const a of d.attributes) if (!harmless(s, a)) notYet(s, `attribute '${a.name}' of a variable is`, a.span);
  const q = sortQualifiers(s, d.qualifiers, "by the variable");
  const ownSpecifier = definesType(d.specifier);
  const way = deducedType(s, d.specifier);
  const isAuto = way !== undefined;
  const deduces = !isAuto && d.specifier.kind === "named-type" && classNamedAlone(s, d.specifier) !== undefined;
  const base = isAuto || deduces ? undefined : resolveSpecifier(s, d.specifier, ownSpecifier ? d : undefined);
  if (ownSpecifier && !base) return [];
  const out: Statement[] = [];
  const group = d.declarators.length > 1 ? s.nextGroup++ : undefined;
  if (!rejectWords(s, q) || q.layout.length > 0) {
    if (q.layout.length > 0) error(s, "XL2011", "a layout belongs to declarations at file scope", d.span);
    for (const x of d.declarators) poison(s, x);
    return [];
  }
  for (const given of d.declarators) {
    const { bindings } = given;
    const x = bindings ? wholeOfBindings(s, given, bindings) : given;
    if (bindings && way !== "value") {
      error(s, "XL2013", `names for the parts of a value need '${s.reading.declarations.deducesTypes}'`, x.span);
      poison(s, given);
      continue;
    }
    const ofLambda = base && closureOf(s, base.type);
    const named = isAuto || ofLambda ? namedClosure(s, x) : "none";
    if (named === "none" && ofLambda) notYet(s, "a lambda that is kept in a variable is", x.span);
    if (named !== "none") {
      const [first, ...rest] = named ?? [];
      if (first) append(out, [{ ...first, trivia: out.length === 0 ? trivia : noTrivia }, ...rest]);
      else if (out.length === 0) append(s.pendingComments, [...trivia.leading, ...trivia.trailing]);
      if (!named) poison(s, x);
      continue;
    }
    const shape =
      x.initializer && s.reading.declarations.lambdas && !x.derivations.some((y) => y.kind === "array")
        ? functionShape(s, d.specifier, x.derivations)
        : undefined;
    if (shape && standsForFunction(s, x)) {
      if (!functionPointer(s, x, shape)) poison(s, x);
      continue;
    }
    const own = way ? autoType(s, x, way, bindings !== undefined) : deduces ? ofInitializer(s, d.specifier, x) : base;
    if (own && q.static && s.reading.declarations.staticLocals === "program memory" && x.name) {
      const t = derive(s, own, q, x.derivations, x.span, true);
      if (
        t &&
        !t.constant &&
        !t.reference &&
        (t.space === undefined || t.space === "private" || t.space === "global")
      ) {
        const first = out.length === 0 && !ownSpecifier ? trivia : noTrivia;
        if (programVariable(s, x, t, first) === undefined) poison(s, x);
        continue;
      }
    }
    if (own && q.static && s.reading.declarations.staticLocals === "variables") {
      const first = staticVariable(s, x, own, q, out.length === 0 && !ownSpecifier ? trivia : noTrivia);
      if (first) append(out, first);
      else poison(s, x);
      continue;
    }
    const constant = own && liesInConstantMemory(x, q) ? derive(s, own, q, x.derivations, x.span, true) : undefined;
    if (constant?.space === "constant" && !constant.reference && constant.type.kind !== "void") {
      if (!constantLocal(s, x, constant, q, out.length === 0 && !ownSpecifier ? trivia : noTrivia)) poison(s, x);
      continue;
    }
    const copied = bindings && own?.type.kind === "array" && x.derivations.length === 0;
    const made = own && (copied ? arrayCopied(s, x, own, q) : localVariable(s, x, own, q));
    const whole = bindings && x.name ? withoutName(s, x.name.name) : undefined;
    if (made && "first" in made) {
      const [one, ...more] = made.first;
      if (one) append(out, [out.length === 0 && !ownSpecifier ? { ...one, trivia } : one, ...more]);
      continue;
    }
    if (!made || (bindings && !(whole && bindParts(s, bindings, whole, partsOf(s), x.span)))) {
      poison(s, given);
      continue;
    }
    const first = out.length === 0 && !ownSpecifier;
    out.push({ ...made, trivia: first ? trivia : noTrivia, ...(group !== undefined ? { group } : {}) });
  }
  return out;
}

/** The variable itself has no name in the source: its own is not seen there, and no other hides it. */
function withoutName(s: Sema, name: string): ((span: Span) => Value | undefined) | undefined {
  const symbol = s.scope.symbols.get(name);
  s.scope.symbols.delete(name);
  return symbol && ((span) => symbolValue(s, symbol, name, span));
}

const partsOf = (s: Sema): PartsOf => ({
  member: (v, name, at) => memberOf(s, v, name, false, at, at, () => undefined),
  element: (v, index, at) => indexed(s, v, index, at),
  base: (v, b, at) => baseObject(s, v, b, at),
});

/** A name whose declaration was wrong: its uses are not reported again. */
export function poison(s: Sema, x: syntax.Declarator): void {
  for (const { name } of x.bindings ?? (x.name ? [x.name] : []))
    if (!s.scope.symbols.has(name)) s.scope.symbols.set(name, { kind: "error", span: x.span });
}

/**
 * A static variable of a function that is one of the invocation, and lives on between calls. An initialiser that is no
 * constant runs when the declaration is met first (seen in DXC's DXIL); the statements are those.
 */
function staticVariable(
  s: Sema,
  x: syntax.Declarator,
  base: NamedTypeInfo,
  q: Qualifiers,
  trivia: Trivia,
): Statement[] | undefined {
  if (!x.name) return error(s, "XL2011", "a variable needs a name", x.span);
  if (!allHarmless(s, x)) return undefined;
  const t = derive(s, base, q, x.derivations, x.span);
  if (!t) return undefined;
  if (t.type.kind === "void") return error(s, "XL2013", "a variable cannot be void", x.span);
  if (losesBitFields(s, x, t, q)) return undefined;
  const read = x.initializer && readInitializer(s, t.type, x.initializer, x.span);
  const given = read && initialisedBy(s, read.value);
  if (x.initializer && !given) return undefined;
  const type = read?.type ?? t.type;
  if (!isComplete(type)) return error(s, "XL2020", `'${x.name.name}' needs a size`, x.span);
  const known = given && isConstantExpr(s, given) ? withoutLocals(s, given) : undefined;
  const constant = t.constant && known !== undefined;
  const { name, span } = x.name;
  const id = staticLocal(s, name, span, "kept", () => {
    const v = newVariable(s, {
      name,
      type,
      space: constant ? "constant" : "private",
      role: "global",
      constant,
      span,
      trivia,
      ...(known ? { initializer: known } : {}),
      ...(constant ? { compileTime: true } : {}),
    });
    if (constant) setConstant(s, v.id, known);
    s.order.push({ kind: "variable", variable: v.id });
    return v.id;
  });
  if (id === undefined) return undefined;
  const v = s.variables.get(id)!;
  const readOnly = t.constant ? { readOnly: `'${v.name}' is const` } : {};
  const make = (span: Span): Value => ({ ...variableValue(s, v.id, span), ...readOnly });
  if (!declareName(s, v.name, { kind: "value", make, span: v.span })) return undefined;
  if (!given || known) return [];
  const flag = staticLocal(s, `${name} set`, x.span, "kept", () => {
    const made = newVariable(s, {
      name: `${name}_set`,
      type: bool,
      space: "private",
      role: "global",
      constant: false,
      span: x.span,
      initializer: boolLiteral(false, x.span),
    });
    s.order.push({ kind: "variable", variable: made.id });
    return made.id;
  });
  if (flag === undefined) return undefined;
  const met = s.variables.get(flag)!;
  const set = (variable: Variable, value: Expr): Statement =>
    expressionStatement(assign(variablePlace(variable, x.span), value, x.span), x.span);
  const first: Statement = {
    kind: "block",
    statements: [set(met, boolLiteral(true, x.span)), set(v, given)],
    span: x.span,
    trivia: noTrivia,
    innerComments: [],
  };
  return [
    {
      kind: "if",
      condition: unary("not", load(variablePlace(met, x.span), x.span), x.span),
      then: first,
      span: x.span,
      trivia: noTrivia,
    },
  ];
}

/** Whether the declarator's own words say so, not those of what it points to. */
function liesInConstantMemory(x: syntax.Declarator, q: Qualifiers): boolean {
  const pointer = x.derivations.findLast((d) => d.kind === "pointer");
  return pointer ? pointer.qualifiers.some((w) => w.name.endsWith("constant")) : q.space === "constant";
}

/** What is in constant memory is there once, for whatever a pointer to it is handed to: a constant of the file under its name. */
function constantLocal(
  s: Sema,
  x: syntax.Declarator,
  t: DeclaredType,
  q: Qualifiers,
  trivia: Trivia,
): VarId | "value" | undefined {
  if (!x.name) return error(s, "XL2011", "a variable needs a name", x.span);
  if (!allHarmless(s, x) || !localSpace(s, t, q, x.span)) return undefined;
  if (!x.initializer) return error(s, "XL2014", `the constant '${x.name.name}' needs an initialiser`, x.span);
  if (holdsPointers(t.type, s.structs)) return pointersOfFile(s, x, t, q);
  const { name, span } = x.name;
  const read = readInitializer(s, t.type, x.initializer, x.span);
  const given = read && withoutCalls(s, read.value);
  if (!given) return undefined;
  const { type } = read;
  if (!isComplete(type)) return error(s, "XL2020", `'${name}' needs a size`, x.span);
  if (!isConstantExpr(s, given)) return error(s, "XL2007", `the initialiser of '${name}' must be constant`, x.span);
  if (q.constexpr && overflowsIn(s, given)) return overflows(s, x.span);
  const value = withoutLocals(s, given);
  const known = { space: "constant", role: "global", constant: true, compileTime: true, initializer: value } as const;
  const id = staticLocal(s, name, span, "constant", () => {
    const v = newVariable(s, { name, type, span, trivia, ...known });
    setConstant(s, v.id, value);
    s.order.push({ kind: "variable", variable: v.id });
    return v.id;
  });
  return id !== undefined && declareName(s, name, { kind: "variable", variable: id, span }) ? id : undefined;
}

/** A variable in global memory of the program that kernels write, of the file or static in a function. */
export function programVariable(s: Sema, x: syntax.Declarator, t: DeclaredType, trivia: Trivia): VarId | undefined {
  const name = x.name!;
  const read = x.initializer && readInitializer(s, t.type, x.initializer, x.span);
  if (x.initializer && !read) return undefined;
  const type = read?.type ?? t.type;
  if (type.kind === "pointer") return notYet(s, "pointers in global memory of the program are", x.span, keepIndex);
  if (!isComplete(type)) return error(s, "XL2020", `'${name.name}' needs a size`, x.span);
  if (!read && needsMaking(s, type))
    return notYet(s, "objects with constructors in global memory of the program are", x.span, "let a kernel fill it");
  const begins = read && withoutCalls(s, read.value);
  if (begins && !isConstantExpr(s, begins))
    return error(s, "XL2007", `the initialiser of '${name.name}' must be constant`, x.span);
  return programBuffer(s, name, { type, begins, constant: t.constant, volatile: t.volatile, trivia });
}

/** It is no constant then (C++14 5.20 (2.6)). */
export const overflows = (s: Sema, span: Span): undefined =>
  error(s, "XL2007", "a signed integer overflows in the initialiser of a constexpr", span);

/** What stands in for a pointer that would last from launch to launch. */
export const keepIndex = "keep an index into the buffer instead";

function localVariable(
  s: Sema,
  x: syntax.Declarator,
  base: NamedTypeInfo,
  q: Qualifiers,
): Declare | { readonly first: readonly Statement[] } | undefined {
  if (!x.name) return error(s, "XL2011", "a variable needs a name", x.span);
  if (!allHarmless(s, x)) return undefined;
  const derived = asSeen(derive(s, base, q, x.derivations, x.span, true));
  if (!derived) return undefined;
  const t = { ...derived, type: openAs(s, derived.type, declaredHere(s, x.name.span)) };
  if (t.type.kind === "void") return error(s, "XL2013", "a variable cannot be void", x.span);
  if (t.reference) return localReference(s, x, t);
  if (isIncomplete(s, t.type)) return error(s, "XL2013", "the type of this variable is not complete here", x.span);
  if (losesBitFields(s, x, t, q)) return undefined;
  if (q.static && !t.constant && t.space !== "constant")
    return error(s, "XL2009", "a static variable of a function lies in constant memory or is const", x.span);
  const space = localSpace(s, t, q, x.span);
  if (!space) return undefined;
  if (space !== "private" && space !== "workgroup" && isArrayOfPointers(t.type))
    return notYet(s, "arrays of pointers in such memory are", x.span);
  if (space !== "private" && holdsMatrix(s, t.type))
    return notYet(s, "a simdgroup matrix outside of thread memory is", x.span);
  let type: Type = t.type;
  let initializer: Expr | undefined;
  const inLoop = !x.initializer && space === "private" && !t.constant && isLong(type) && needsMaking(s, type);
  const namesItself =
    x.initializer && s.reading.declarations.namesReachInitializers && mentions(x.initializer, x.name.name);
  if (namesItself && space === "private") return namedInItself(s, x, t, q, x.initializer);
  if (x.initializer && space === "workgroup") {
    if (!ignoresZeros(s, x))
      return error(s, "XL2014", "workgroup memory cannot be initialised", x.span, { help: workgroupWritten });
  } else if (x.initializer) {
    const inferred = isOpenPointer(t.type) || t.openSpace ? inferPointer(s, t, x) : t;
    const read = readInitializer(s, inferred.type, x.initializer, x.span);
    if (!read) return undefined;
    initializer = t.constant ? initialisedBy(s, withoutCalls(s, read.value)) : read.value;
    if (!initializer) return undefined;
    type = type.kind === "array" ? read.type : inferred.type;
  } else if (needsMaking(s, type) && !inLoop) {
    s.fn?.madeAtOnce.add(x.name.span.start);
    if (space === "workgroup") {
      // MSL does not say which lane would run it, nor when the others may read what it made.
      const message = `nothing is read of '${x.name.name}' that a constructor gave it`;
      s.fixed.push({ kind: "workgroup-constructor", message, spans: [x.span] });
    } else {
      initializer = defaultObject(s, type, x.span);
      if (!initializer) return undefined;
    }
  }
  const leftOpen = t.openSpace && (!x.initializer || isArrayOfPointers(t.type));
  if (leftOpen && s.reading.declarations.pointerSpaces === "written") {
    return error(s, "XL2009", "a pointer needs an address space", x.span, {
      help: "write device, constant, threadgroup or thread",
    });
  }
  if (!isComplete(type)) return error(s, "XL2020", `'${x.name.name}' needs a size`, x.span);
  if (t.constant && !initializer && type.kind !== "pointer")
    return error(s, "XL2014", `const '${x.name.name}' needs an initialiser`, x.span);
  const compileTime = t.constant && initializer !== undefined && isConstantExpr(s, initializer);
  if (q.constexpr && !compileTime) return error(s, "XL2007", "the initialiser of a constexpr must be constant", x.span);
  if (q.constexpr && initializer && overflowsIn(s, initializer)) return overflows(s, x.span);
  const v = newVariable(s, {
    name: x.name.name,
    type,
    space,
    role: "local",
    constant: t.constant,
    span: x.name.span,
    ...(compileTime ? { compileTime } : {}),
    ...(t.volatile ? { volatile: true } : {}),
    ...(t.restrict ? { restrict: true } : {}),
    ...(q.precise ? { precise: true } : {}),
  });
  if (compileTime) setConstant(s, v.id, initializer!);
  else if (t.constant && initializer && specializesNumbers(s, initializer, type)) s.settledLater.set(v.id, initializer);
  if (initializer && type.kind === "pointer" && /^[iu]8$/.test(scalarOf(type.pointee) ?? ""))
    s.textPointers.set(v.id, initializer);
  if (!declareName(s, v.name, { kind: "variable", variable: v.id, span: v.span })) return undefined;
  const made = inLoop ? madeInLoop(s, variablePlace(v, x.span), x.span) : [];
  if (made?.length === 0) return declare(v.id, initializer, x.span);
  return made && { first: [declare(v.id, undefined, x.span), ...made] };
}

/**
 * `double x = sizeof(x);`, `float x = load(x, p);`, `float x = fract(y, &x);`: there the name is the variable, which has no value yet.
 * Where it is used, and not its type alone, the value is assigned to it.
 */
function namedInItself(
  s: Sema,
  x: syntax.Declarator,
  t: DeclaredType,
  q: Qualifiers,
  given: syntax.Initializer,
): { readonly first: readonly Statement[] } | undefined {
  const { name, span } = x.name!;
  const help = "declare it first, and assign to it then";
  if (t.openSpace || t.type.kind === "array")
    return notYet(s, `'${name}' in the initialiser of ${shown(s, t.type)} is`, x.span, help);
  const v = newVariable(s, {
    name,
    type: t.type,
    space: "private",
    role: "local",
    constant: t.constant,
    span,
    ...(t.volatile ? { volatile: true } : {}),
    ...(t.restrict ? { restrict: true } : {}),
    ...(q.precise ? { precise: true } : {}),
  });
  if (!declareName(s, name, { kind: "variable", variable: v.id, span })) return undefined;
  const read = readInitializer(s, t.type, given, x.span);
  const value = read && (t.constant ? initialisedBy(s, withoutCalls(s, read.value)) : read.value);
  if (!value) return undefined;
  if (!usesVariable(value, v)) {
    const compileTime = t.constant && isConstantExpr(s, value);
    if (compileTime) {
      updateVariable(s, v.id, { compileTime });
      setConstant(s, v.id, value);
    }
    return { first: [declare(v.id, value, x.span)] };
  }
  if (t.constant) {
    updateVariable(s, v.id, { constant: false });
    const make = (at: Span): Value => ({ ...variableValue(s, v.id, at), readOnly: `'${name}' is const` });
    s.scope.symbols.set(name, { kind: "value", make, span });
  }
  const set = assign(variablePlace(s.variables.get(v.id)!, span), value, x.span);
  return { first: [declare(v.id, undefined, x.span), expressionStatement(set, x.span)] };
}

/** `auto [a, b] = x;` of an array: each element is copied (C++17 11.5 (1)). */
function arrayCopied(s: Sema, x: syntax.Declarator, { type }: NamedTypeInfo, q: Qualifiers): Declare | undefined {
  const value = valueGiven(x.initializer!)!;
  const v = expression(s, value);
  const from = v?.place && holdsCopied(s, type) ? copyOf(s, v, x.span) : v?.place ? load(v.place, x.span) : v?.expr;
  if (!from) return undefined;
  const made = newVariable(s, {
    name: x.name!.name,
    type,
    space: "private",
    role: "local",
    constant: q.constant,
    span: x.name!.span,
    ...(q.volatile ? { volatile: true } : {}),
  });
  return declareName(s, made.name, { kind: "variable", variable: made.id, span: made.span })
    ? declare(made.id, from, x.span)
    : undefined;
}

/** OpenCL: `float *p = x;` takes the address space of what it is given. */
/** A pointer leads where what it begins as does, unless that has only been null so far. */
function inferPointer(s: Sema, t: DeclaredType, x: syntax.Declarator): DeclaredType {
  if (t.type.kind !== "pointer" || x.initializer?.form !== "assign" || x.initializer.value.kind === "initializer-list")
    return t;
  const { value } = x.initializer;
  const e = provisionally(s, () =>
    unevaluated(s, () => {
      const v = expression(s, value);
      return v && read(s, v, x.span);
    }),
  );
  const led = e && e.kind !== "null-pointer" ? settledSpace(s, e.type) : undefined;
  return led ? { ...t, type: begunIn(s, t.type, led) } : t;
}

function localSpace(s: Sema, t: DeclaredType, q: Qualifiers, span: Span): AddressSpace | undefined {
  const space = t.space ?? "private";
  const { constantLocals } = s.reading.declarations;
  switch (space) {
    case "private":
      return "private";
    case "workgroup":
      if (s.language.resources === "file scope")
        return error(s, "XL2009", "workgroup memory is declared at file scope", span);
      if (!s.fn?.entry)
        return error(s, "XL2009", "workgroup memory is declared in kernels, not in functions they call", span);
      return "workgroup";
    case "constant":
      if (constantLocals === "all" || (constantLocals === "lasting" && (q.constexpr || q.static))) return "constant";
      if (constantLocals === "lasting")
        return error(s, "XL2009", "a local variable in constant memory is static or constexpr", span, {
          help: "write 'static constant'",
        });
      return error(s, "XL2009", "a local variable cannot be in constant memory", span);
    case "global":
      return error(s, "XL2009", "a local variable cannot be in global memory", span);
    default:
      return assertNever(space);
  }
}

/** What a reference to a base refers to is that part of the object. */
const referred = (s: Sema, v: Value, { type }: DeclaredType, span: Span): Value =>
  v.type.kind !== "struct" || isSame(v.type, type) ? v : (upcast(s, v, type, span) ?? v);

const isObject = ({ kind }: Type): boolean =>
  kind === "scalar" || kind === "vector" || kind === "matrix" || kind === "struct";

/** A reference to another type than that of the object is to what the object becomes (C++14 8.5.3 (5)). */
const isOfOtherType = (v: Value, { type }: DeclaredType): boolean =>
  isObject(v.type) && isObject(type) && !isSame(v.type, type);

/** `device T& r = x[i];`: a pointer that is always dereferenced. */
function localReference(
  s: Sema,
  x: syntax.Declarator,
  t: DeclaredType,
): Declare | { readonly first: readonly Declare[] } | undefined {
  const init = x.initializer;
  if (!init || init.form !== "assign" || init.value.kind === "initializer-list")
    return error(s, "XL2014", "a reference needs something to refer to", x.span);
  const given = expression(s, init.value);
  if (!given) return undefined;
  const v = referred(s, asPlace(given), t, init.value.span);
  if (isOfOtherType(v, t)) {
    if (t.constant || t.rvalue) return ofValue(s, x, t, v);
    const why = `a reference to ${shown(s, t.type)} that may be written through does not refer to ${shown(s, v.type)}`;
    return error(s, "XL2006", why, init.value.span);
  }
  if (t.rvalue && isLvalue(given))
    return error(s, "XL2006", "an rvalue reference does not refer to what has a name", init.value.span);
  if (t.rvalue && !given.xvalue) return ofValue(s, x, t, v);
  if (v.onWrite) v.onWrite();
  if (v.firstOf && sameType(v.type, t.type)) return elementsReference(s, x, t, v, v.firstOf);
  if (!v.place && t.constant) return ofValue(s, x, t, v);
  if (!v.place) return notYet(s, "a reference to a value is", init.value.span, "store it in a variable");
  const space = placeSpace(s, v.place);
  if (t.space !== undefined && t.space !== space) {
    return error(s, "XL2009", `the reference is to ${t.space} memory, this lies in ${space} memory`, init.value.span);
  }
  if (v.place.type.kind === "pointer") return notYet(s, "references to pointers are", init.value.span);
  if (partOf(v.place) === "component")
    return error(s, "XL2006", "a vector component cannot be bound to a reference", init.value.span);
  // `constant float &a`: nothing is written to constant memory anyway.
  if (v.readOnly && !t.constant && space !== "constant")
    return error(s, "XL2006", `this cannot be referred to for writing: ${v.readOnly}`, init.value.span);
  const at = addressOf(v.place, space, init.value.span, t.constant || v.readOnly !== undefined);
  const pointer = newVariable(s, {
    name: x.name!.name,
    type: at.type,
    space: "private",
    role: "local",
    constant: true,
    span: x.name!.span,
  });
  const why = t.constant ? `'${pointer.name}' is const` : v.readOnly;
  const readOnly = why === undefined ? {} : { readOnly: why };
  const make = (span: Span): Value => {
    const place = deref(load(variablePlace(pointer, span), span), span);
    return { type: place.type, place, ...readOnly };
  };
  const reference = { space, ...(t.rvalue ? { rvalue: true as const } : {}) };
  if (!declareName(s, pointer.name, { kind: "value", make, reference, span: pointer.span })) return undefined;
  return declare(pointer.id, at, x.span);
}

/** `thread auto& e = m[i].thread_elements();`: the name stands for those of the matrix that is found now. */
function elementsReference(
  s: Sema,
  x: syntax.Declarator,
  t: DeclaredType,
  v: Value,
  array: Place,
): { readonly first: readonly Declare[] } | undefined {
  const { name, span } = x.name!;
  if (v.readOnly && !t.constant)
    return error(s, "XL2006", `this cannot be referred to for writing: ${v.readOnly}`, span);
  const first: Declare[] = [];
  const firstOf = heldPlace(array, (e) => {
    if (e.kind === "literal" || isOfConstant(s, e)) return e;
    const local = newVariable(s, {
      name: "at",
      type: e.type,
      space: "private",
      role: "local",
      constant: true,
      span: noSpan,
    });
    first.push(declare(local.id, e, span));
    return load(variablePlace(local, span), span);
  });
  const readOnly = t.constant ? { readOnly: `'${name}' is const` } : {};
  const make = (): Value => ({ type: v.type, firstOf, ...readOnly });
  return declareName(s, name, { kind: "value", make, span }) ? { first } : undefined;
}

const isOfConstant = (s: Sema, e: Expr): boolean =>
  e.kind === "load" && e.place.kind === "variable" && s.variables.get(e.place.variable)!.constant;

/** `const T& r = f();`, `T&& r = f();`: the value lives as long as the reference. */
function ofValue(s: Sema, x: syntax.Declarator, t: DeclaredType, v: Value): Declare | undefined {
  const value = convertTo(s, v, t.type, "initializer", x.span, "the initialiser");
  if (!value) return undefined;
  const { name, span } = x.name!;
  const { constant } = t;
  const made = newVariable(s, { name, type: t.type, space: "private", role: "local", constant, span });
  if (!declareName(s, name, { kind: "variable", variable: made.id, span })) return undefined;
  return declare(made.id, value, x.span);
}

// ------------------------------------------------------------------ typedef, using, the rest

/** `typedef struct S T;` before the struct: the name is declared with it. */
function awaitsStruct(s: Sema, d: syntax.TypedefDeclaration): boolean {
  const { specifier } = d;
  if (specifier.kind !== "named-type" || !specifier.elaborated || d.qualifiers.length > 0) return false;
  const tag = `${specifier.elaborated} ${specifier.name}`;
  if (lookup(s, tag) || lookup(s, specifier.name) || d.declarators.some((x) => !x.name || x.derivations.length > 0))
    return false;
  s.awaitedStructs.set(tag, [...(s.awaitedStructs.get(tag) ?? []), ...d.declarators.map((x) => x.name!)]);
  return true;
}

export function typedef(s: Sema, d: syntax.TypedefDeclaration): void {
  const ownSpecifier = definesType(d.specifier);
  if (!ownSpecifier) carryTrivia(s, d);
  if (awaitsStruct(s, d)) return;
  const shapes = d.declarators.map((x) => functionShape(s, d.specifier, x.derivations));
  d.declarators.forEach((x, i) => x.name && shapes[i] && declareFunctionType(s, x.name, shapes[i], d, x.derivations));
  if (shapes.length > 0 && shapes.every((x) => x)) return;
  const q = sortQualifiers(s, d.qualifiers);
  const base = resolveSpecifier(s, d.specifier, ownSpecifier ? d : undefined, d.declarators[0]?.name?.name);
  for (const [i, x] of d.declarators.entries()) {
    for (const a of x.attributes)
      // clang ignores `packed` there.
      if (plainName(a) !== "packed" && !namesVector(a) && !isAlignment(a) && !isAllowed(s, a))
        notYet(s, `attribute '${a.name}' of a typedef is`, a.span);
    if (shapes[i]) continue;
    const t = base && derive(s, base, q, x.derivations, x.span);
    if (!x.name) continue;
    if (!t) {
      poison(s, x);
      continue;
    }
    const named = vectorNamed(s, x.attributes, t.type, x.span, (e) =>
      constantInteger(s, e, "the number of components"),
    );
    const asked = (e: syntax.Expression) => constantInteger(s, e, "an alignment");
    const made = named && alignedType(s, named, x.attributes, asked);
    if (!made) {
      poison(s, x);
      continue;
    }
    const { type } = made;
    // What it says itself holds, be it less than what the typedef that it is made of says.
    const isOfBase = !x.attributes.some(isAlignment) && x.derivations.every((v) => v.kind === "array");
    const aligned = isOfBase ? base?.aligned : made.aligned;
    if (aligned) s.alignedTypedefs = true;
    const stored = orientation(s, q, base, d.span);
    const before = namedBefore(s, x.name.name);
    if (before && JSON.stringify(before.type) === JSON.stringify(type)) {
      if (before.aligned !== aligned) notYet(s, `'${x.name.name}' declared anew with another alignment is`, x.span);
      continue;
    }
    declareName(s, x.name.name, {
      kind: "type",
      info: { ...namedInfo(t), type, ...(stored ? { stored } : {}), ...(aligned ? { aligned } : {}) },
      span: x.span,
    });
  }
}

function declareFunctionType(
  s: Sema,
  { name, span }: syntax.Identifier,
  shape: FunctionShape,
  { specifier, qualifiers }: Pick<syntax.TypeName, "specifier" | "qualifiers">,
  derivations: readonly syntax.Derivation[],
): void {
  const { scope } = s;
  const pointer = (): NamedTypeInfo | undefined =>
    inScopeOf(s, scope, () => {
      const base = resolveSpecifier(s, specifier);
      const t = base && derive(s, base, sortQualifiers(s, qualifiers), derivations, span);
      return t && namedInfo(t);
    });
  const ofFunction = derivations.slice(derivations.findIndex((d) => d.kind === "function") + 1);
  const isPointer = ofFunction.some((d) => d.kind === "pointer") || specifier.kind === "named-type";
  s.scope.symbols.set(name, { kind: "function type", shape, ...(isPointer ? { pointer } : {}), span });
}

export function using(s: Sema, d: syntax.UsingDeclaration): void {
  carryTrivia(s, d);
  if (d.otherName) return otherNamespaceName(s, d);
  if (d.namespace) {
    if (d.namespace.name === s.reading.namespace) useLibrary(s);
    else if (!isOfLibrary(s, d.namespace)) usingNames(s, d);
    return;
  }
  if (d.alias) {
    const shape = functionShape(s, d.alias.type.specifier, d.alias.type.derivations);
    if (shape) return declareFunctionType(s, d.alias.name, shape, d.alias.type, d.alias.type.derivations);
    const t = resolveTypeName(s, d.alias.type);
    if (!t) s.scope.symbols.set(d.alias.name.name, { kind: "error", span: d.span });
    else
      declareName(s, d.alias.name.name, {
        kind: "type",
        info: namedInfo(t),
        span: d.alias.name.span,
      });
    return;
  }
  usingNames(s, d);
}

/** What the source says of its assertion. */
function saidBy(d: syntax.StaticAssert): string {
  const said = d.arguments[1];
  return said?.kind === "literal" ? `: ${said.text.replace(/^"(.*)"$/s, "$1")}` : "";
}

export function staticAssert(s: Sema, d: syntax.StaticAssert): void {
  carryTrivia(s, d);
  const condition = d.arguments[0];
  const v = condition && expression(s, condition);
  if (!v || !isPlainNumber(s, v.type, "the condition of a static assertion", condition.span, "declare it as one"))
    return;
  if (!readsWhole(s, condition, "the condition of a static assertion")) return;
  const e = read(s, v, d.span);
  const known = e && evaluate(s, e);
  if (known === undefined) error(s, "XL2007", "a static assertion needs a constant condition", d.span);
  else if (!known) error(s, "XL2019", `the static assertion does not hold${saidBy(d)}`, condition.span);
}
