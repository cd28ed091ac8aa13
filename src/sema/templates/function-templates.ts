/** Function templates: which a call may mean, with which arguments, and reading their instances. */
import type * as syntax from "../../ast/syntax.js";
import { NumberedNames } from "../../support/numbered-names.js";
import type { Expr } from "../../ast/nodes.js";
import { isFloat, scalarOf, type ScalarKind, type Type } from "../../types/types.js";
import { evaluate } from "../constants.js";
import {
  error,
  placeSpace,
  type FunctionInfo,
  type ParameterInfo,
  type Scope,
  type Sema,
  type Value,
} from "../context.js";
import { inScopeOf, lookup } from "../scopes.js";
import { derive, resolveSpecifier, sortQualifiers } from "../declared-types.js";
import { forwarded } from "../forwarding.js";
import { declaredSignature, sameSignature, isKernel } from "../functions.js";
import { type Closure } from "../closures.js";
import { closureOf } from "../closures.js";
import { functionsMeant } from "../lambdas.js";
import { isOperatorName, operatorFunctionName } from "../method-names.js";
import { memberOfPath } from "../namespaces.js";
import { inSpace } from "../generic-pointers.js";
import { attempt, mayInstantiate } from "./state.js";
import { boundArguments, boundTo, givenArguments, type Bound } from "./bind.js";
import type { FunctionShape } from "./function-types.js";
import { Deduction, type Written } from "./deduce.js";
import { instanceName, showInstance } from "./names.js";
import { eachElement } from "./packs.js";
import { form, mostSpecialOf } from "./partial-order.js";
import { meaningsOf } from "./struct-templates.js";
import { keyOfAll, type Arguments, type FunctionTemplate } from "./template.js";
import { define } from "./define.js";
import { bodyOf } from "./definition.js";

/** What DXC takes a number without a type for: an int where 32 bits hold it, with or without sign, or a float. */
function kindOfOpen(s: Sema, e: Expr): ScalarKind {
  if (isFloat(scalarOf(e.type)!)) return "f32";
  const value = evaluate(s, e);
  return typeof value === "bigint" && (value > 0xffffffffn || value < -0x80000000n) ? "i64" : "i32";
}

/** The type a parameter by value is found out from. */
function passedType(s: Sema, v: Value, byReference: boolean): Type {
  if (v.expr?.open) return withScalar(v.type, kindOfOpen(s, v.expr));
  if (byReference || v.type.kind !== "array" || !v.place || s.language.arrays !== "decay") return v.type;
  return {
    kind: "pointer",
    pointee: v.type.element,
    space: placeSpace(s, v.place),
    ...(v.readOnly ? { readOnly: true } : {}),
  };
}

const withScalar = (type: Type, kind: ScalarKind): Type =>
  type.kind === "scalar" || type.kind === "vector" || type.kind === "matrix" ? { ...type, scalar: kind } : type;

const isReference = (p: syntax.Parameter): boolean => p.declarator.derivations.at(-1)?.kind === "reference";

/** The functions that the templates of a name give for these arguments, none where a template does not fit. */
export function functionsFor(
  s: Sema,
  templates: readonly FunctionTemplate[],
  given: readonly syntax.TemplateArgument[] | undefined,
  values: readonly Value[],
): FunctionInfo[] {
  return templates.flatMap((t) => {
    const { parameters, variadic } = t.declaration;
    if (!takesSoMany(parameters, values.length, variadic)) return [];
    const made = attempt(s, () => instanceFor(s, t, given, (deduction) => passed(s, deduction, parameters, values)));
    return made ? [made] : [];
  });
}

export function takesSoMany(parameters: readonly syntax.Parameter[], count: number, variadic = false): boolean {
  const required = parameters.filter((p) => !p.declarator.initializer && !p.declarator.pack).length;
  const endless = variadic || parameters.at(-1)?.declarator.pack === true;
  return count >= required && (count <= parameters.length || endless);
}

export const passed = (
  s: Sema,
  deduction: Deduction,
  parameters: readonly syntax.Parameter[],
  values: readonly Value[],
): boolean => {
  deduction.ofCall = true;
  return eachParameter(deduction, parameters, values, (p, v) => {
    // Of a list nothing is deduced (C++14 14.8.2.1 (1)).
    if (v.listed) return true;
    deduction.ofLiteral = v.expr?.open === true;
    const type = passedType(s, v, isReference(p));
    deduction.forwards = forwarded(s, v, type);
    const fits = deduction.type(p, p.declarator.derivations, type, false, isReference(p) && isConstObject(s, v));
    deduction.forwards = undefined;
    return fits;
  });
};

/** A reference to T refers to it where T is const; what lies in constant memory needs no such word. */
const isConstObject = (s: Sema, { place, readOnly, onWrite }: Value): boolean =>
  place !== undefined && readOnly !== undefined && !onWrite && placeSpace(s, place) !== "constant";

/** What is given for each parameter; a pack at the end takes the rest. */
function eachParameter<T>(
  deduction: Deduction,
  parameters: readonly syntax.Parameter[],
  given: readonly T[],
  fits: (p: syntax.Parameter, x: T) => boolean,
): boolean {
  const last = parameters.at(-1);
  const count = last?.declarator.pack ? parameters.length - 1 : parameters.length;
  if (!given.slice(0, count).every((x, i) => fits(parameters[i]!, x))) return false;
  const rest = given.slice(count);
  return !last?.declarator.pack || deduction.pack(rest.length, (k) => fits(last, rest[k]!));
}

const returnOf = ({ declaration: { returnType, qualifiers } }: FunctionTemplate): Written => ({
  specifier: returnType,
  qualifiers,
});

/** The conversion to `type` that a template of them gives (C++14 14.8.2.3). */
export const conversionInstance = (s: Sema, t: FunctionTemplate, type: Type): FunctionInfo | undefined =>
  attempt(s, () => {
    const { returnDerivations } = t.declaration;
    return instanceFor(s, t, undefined, (deduction) => deduction.type(returnOf(t), returnDerivations, type));
  });

/** The instance with the arguments given and those that `deduce` finds; undefined with a problem where there is none. */
function instanceFor(
  s: Sema,
  t: FunctionTemplate,
  given: readonly syntax.TemplateArgument[] | undefined,
  deduce: (deduction: Deduction) => boolean,
): FunctionInfo | undefined {
  const bound = boundFor(s, t, given, deduce);
  return bound && declaredInstance(s, t, bound);
}

export function boundFor(
  s: Sema,
  t: FunctionTemplate,
  given: readonly syntax.TemplateArgument[] | undefined,
  deduce: (deduction: Deduction) => boolean,
): Bound | undefined {
  const first = given ? givenArguments(s, t.parameters, given, t.scope) : [];
  if (!first) return undefined;
  // What is given of a pack may be the beginning of it.
  const whole = first.filter((a) => a.kind !== "pack");
  const { scope } = boundTo(t.scope, t.parameters.slice(0, whole.length), whole);
  const deduction = new Deduction(s, t.parameters, whole.length, scope);
  const differ = (): undefined => error(s, "XL2005", `the arguments do not fit the template '${t.name}'`, t.span);
  if (!deduce(deduction)) return differ();
  return boundArguments(s, t.parameters, first, deduction.found, t.scope, (p) => {
    error(s, "XL2005", `nothing says what '${p.name?.name ?? "a parameter"}' of the template '${t.name}' is`, t.span);
  });
}

function nameOfInstance(
  s: Sema,
  t: FunctionTemplate,
  bound: Bound,
  parameters: readonly ParameterInfo[],
  closure: Closure | undefined,
): string {
  // The name of a lambda is its own.
  if (closure && t.parameters.length === 0) return closure.label;
  if (isOperatorName(t.name) && !t.receiver) return operatorFunctionName(s, t.name, parameters);
  return instanceName(s, t, bound.arguments);
}

/** The one function that `f<int, 3>` names (C++14 13.4 (2)): the arguments say all, and hold of no other template. */
export function instanceGiven(
  s: Sema,
  templates: readonly FunctionTemplate[],
  given: readonly syntax.TemplateArgument[],
): FunctionInfo | undefined {
  const all = templates.flatMap((t) => attempt(s, () => instanceFor(s, t, given, () => true)) ?? []);
  return all.length === 1 ? all[0] : undefined;
}

/** The signature of an instance; its body is read when it is called. */
export function declaredInstance(s: Sema, t: FunctionTemplate, bound: Bound): FunctionInfo | undefined {
  const key = keyOfAll(bound.arguments);
  const before = t.instances.get(key);
  if (before) return before;
  if (!mayInstantiate(s, t.span)) return undefined;
  const special = t.specializations.get(key);
  const scope = special ? t.scope : bound.scope;
  const declaration = special?.declaration ?? t.declaration;
  const signature = inScopeOf(s, scope, () => declaredSignature(s, declaration));
  if (!signature) return undefined;
  const closure = t.receiver && closureOf(s, t.receiver.type);
  const { inherits } = t;
  const info: FunctionInfo = {
    id: s.functions.length,
    name: nameOfInstance(s, t, bound, signature.parameters, closure),
    ...signature,
    ...(t.constructs ? { returnType: { kind: "struct", name: t.constructs } as const } : {}),
    ...(t.receiver ? { parameters: [t.receiver, ...signature.parameters] } : {}),
    ...(t.receiver && signature.returnsOpen ? { returnType: inSpace(signature.returnType, t.receiver.space) } : {}),
    span: declaration.name.span,
    defined: false,
    calls: new Map(),
    instance: { template: t, arguments: bound.arguments },
    later: {
      ...bodyOf(
        special ? undefined : t.definition,
        declaration,
        scope,
        special ? special.declaration.name.span.start : "visibleBefore" in t ? t.visibleBefore : t.span.start,
        special?.outer ?? t.outer,
      ),
      shown: showInstance(s, t.name, bound.arguments),
      ...(t.untemplated ? { untemplated: true } : {}),
      ...(closure ? { closure } : t.method !== undefined ? { method: t.method } : {}),
      ...(t.constructs ? { constructs: t.constructs } : {}),
      ...(inherits
        ? { inherits: { member: inherits.member, base: () => declaredInstance(s, inherits.template, bound) } }
        : {}),
    },
  };
  s.functions.push(info);
  t.instances.set(key, info);
  s.templates.undo.push(() => {
    t.instances.delete(key);
    s.templates.taken.delete(info.name);
    s.templates.numbers = new NumberedNames();
  });
  return info;
}

/** The function of the source, or instance of a template, that `name` means where one of this shape is wanted. */
export function functionNamed(
  s: Sema,
  name: syntax.Identifier,
  shape: FunctionShape,
  bindings: Scope,
): FunctionInfo | undefined {
  const symbol = functionsMeant(s, name.path.length === 0 ? lookup(s, name.name) : memberOfPath(s, name), name.name);
  if (!symbol) return undefined;
  const types = shape.parameterTypes(s, bindings);
  if (!types) return undefined;
  const plain = name.templateArguments ? [] : symbol.overloads.filter((f) => takesExactly(f, types));
  const made =
    plain.length > 0
      ? plain
      : symbol.templates.flatMap((t) => {
          if (!canTake(t, types.length)) return [];
          const f = attempt(s, () =>
            instanceFor(s, t, name.templateArguments, (deduction) => fromTypes(t, deduction, types)),
          );
          return f && takesExactly(f, types) ? [f] : [];
        });
  if (made.length !== 1) return undefined;
  define(s, made[0]!, name.span);
  return made[0];
}

/** Types of parameters as they are written, in a scope; nothing else of them is looked at. */
export function typesOf(s: Sema, parameters: readonly syntax.Parameter[], scope: Scope): Type[] | undefined {
  const types = inScopeOf(s, scope, () =>
    eachElement(s, parameters, (p): Type | undefined => {
      const base = resolveSpecifier(s, p.specifier);
      return base && derive(s, base, sortQualifiers(s, p.qualifiers), p.declarator.derivations, p.span)?.type;
    }),
  );
  return types.every((t) => t !== undefined) ? types : undefined;
}

const fromTypes = (t: FunctionTemplate, deduction: Deduction, types: readonly Type[]): boolean =>
  eachParameter(deduction, t.declaration.parameters, types, (p, type) =>
    deduction.type(p, p.declarator.derivations, type),
  );

/** Whether functions of the template can have so many parameters. */
const canTake = ({ declaration: { parameters } }: FunctionTemplate, count: number): boolean =>
  parameters.at(-1)?.declarator.pack ? count >= parameters.length - 1 : count === parameters.length;

const takesExactly = (f: FunctionInfo, types: readonly Type[]): boolean =>
  f.parameters.length === types.length &&
  f.parameters.every((p, i) => JSON.stringify(p.type) === JSON.stringify(types[i]));

// ------------------------------------------------------------------ which is more special

/** Of equally good functions: those of no template, else of the most special one; DXC calls them ambiguous. */
export function mostSpecial(s: Sema, all: readonly FunctionInfo[]): readonly FunctionInfo[] {
  if (!s.language.prefersSpecial) return all;
  const plain = all.filter((f) => !f.instance);
  if (plain.length > 0) return plain;
  const best = mostSpecialTemplate(
    s,
    all.map((f) => ({ template: f.instance!.template, f })),
  );
  return best ? [best.f] : all;
}

/** Of what templates give, which the most special of them gives (C++14 14.5.6.2); what no argument is for counts for nothing. */
export function mostSpecialTemplate<T extends { readonly template: FunctionTemplate }>(
  s: Sema,
  all: readonly T[],
): T | undefined {
  const lists = all.map(({ template }) => template.declaration.parameters);
  const least = Math.min(...lists.map((list) => list.length));
  const best = mostSpecialOf(
    meaningsOf(s),
    all.map(({ template: { parameters, scope } }, i) => ({
      parameters,
      types: lists[i]!.filter((p, k) => k < least || !p.declarator.initializer).map((p) =>
        form(p, p.declarator.derivations, p.declarator.pack),
      ),
      scope,
    })),
  );
  return best === undefined ? undefined : all[best];
}

/** What a function returns as it is written, in a scope; undefined where only its body says it. */
const returnedType = (s: Sema, d: syntax.FunctionDeclaration, scope: Scope): Type | undefined =>
  attempt(s, () =>
    inScopeOf(s, scope, () => {
      const base = resolveSpecifier(s, d.returnType);
      return base && derive(s, base, sortQualifiers(s, d.qualifiers), d.returnDerivations, d.name.span)?.type;
    }),
  );

/**
 * For a specialisation or an explicit instantiation: the arguments for which the template's function has the type of this one, what it
 * returns included (C++14 14.8.2.6). `writtenIn`: where those that it is given have their meaning.
 */
export function argumentsOf(
  s: Sema,
  t: FunctionTemplate,
  wanted: syntax.FunctionDeclaration,
  writtenIn = s.scope,
): Arguments | undefined {
  const { parameters, returnDerivations } = t.declaration;
  const types = typesOf(s, wanted.parameters, s.scope);
  if (!types || !canTake(t, types.length)) return undefined;
  const returned = returnedType(s, wanted, s.scope);
  return attempt(s, () => {
    const deduce = (deduction: Deduction): boolean =>
      fromTypes(t, deduction, types) && (!returned || deduction.type(returnOf(t), returnDerivations, returned));
    const bound = inScopeOf(s, writtenIn, () => boundFor(s, t, wanted.name.templateArguments, deduce));
    if (!bound) return undefined;
    const own = typesOf(s, parameters, bound.scope);
    if (!own?.every((type, i) => JSON.stringify(type) === JSON.stringify(types[i]))) return undefined;
    const ownReturned = returned && returned.kind !== "pointer" && returnedType(s, t.declaration, bound.scope);
    if (ownReturned && JSON.stringify(ownReturned) !== JSON.stringify(returned)) return undefined;
    // What it returns may say that it is none for these: `enable_if_t<c, T> f(T v)`.
    if (isKernel(s, t.declaration)) return bound.arguments;
    const signature = inScopeOf(s, bound.scope, () => declaredSignature(s, t.declaration));
    const other = declaredSignature(s, wanted);
    // What the types do not say: where references lead.
    return signature && other && sameSignature(signature.parameters, other.parameters) ? bound.arguments : undefined;
  });
}
