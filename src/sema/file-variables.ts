/** Variables of the file: constants, workgroup memory, resources, specialisation constants. */
import { noTrivia, type Trivia, type VarId, type Expr, type Variable, type Resource } from "../ast/nodes.js";
import { workgroupWritten } from "./ignored-zeros.js";
import type * as syntax from "../ast/syntax.js";
import { harmless } from "./alignments.js";
import { walkExpr } from "../ast/walk.js";
import { append } from "../support/append.js";
import type { Span } from "../support/span.js";
import { holdsPointers } from "../types/layout.js";
import { type Type, isFloat, scalarOf } from "../types/types.js";
import { evaluate, fillsTemporaries, literalForm, overflowsIn, setConstant, withoutCalls } from "./constants.js";
import { constantAddress, isConstantAddress } from "./constant-pointers.js";
import { isComplete, zeroOf } from "./construct.js";
import {
  type Sema,
  type Symbol,
  error,
  notYet,
  carryTrivia,
  takeTrivia,
  type NamedTypeInfo,
  resourceFor,
  newVariable,
  type Value,
  exprValue,
  shown,
} from "./context.js";
import { declareName, inScopeOf } from "./scopes.js";
import {
  allHarmless,
  keepIndex,
  overflows,
  poison,
  programVariable,
  rejectWords,
  readInitializer,
  isConstantExpr,
} from "./declarations.js";
import {
  sortQualifiers,
  definesType,
  resolveSpecifier,
  type DeclaredType,
  type Qualifiers,
  derive,
  refusesElaborated,
} from "./declared-types.js";
import { constantInteger } from "./expressions.js";
import { losesBitFields } from "./flat-lists.js";
import { takeGiven } from "./given-constants.js";
import { mayChange } from "./program-memory.js";
import { memberOfPath } from "./namespaces.js";
import { isIncomplete } from "./struct-members.js";
import { meaningsIn, meansTheSame } from "./static-members.js";

/** `name`: of an instance of a variable template. */

export function fileVariables(s: Sema, d: syntax.VariableDeclaration, name?: string): void {
  if (s.reader.fileDeclaration?.(s, d)) return;
  if (!d.specifier) {
    error(s, "XL2011", "the declaration declares nothing", d.span);
    return;
  }
  for (const a of d.attributes)
    if (!harmless(s, a) && !s.reading.declarations.interfaceAttributes?.test(a.name))
      notYet(s, `attribute '${a.name}' of a variable is`, a.span);
  // `struct S;` says that there is one; its definition says the rest.
  if (d.specifier.kind === "named-type" && d.specifier.elaborated && d.declarators.length === 0) {
    if (refusesElaborated(s, d.specifier)) return;
    const tag = `${d.specifier.elaborated} ${d.specifier.name}`;
    s.awaitedStructs.set(tag, s.awaitedStructs.get(tag) ?? []);
    return carryTrivia(s, d);
  }
  const q = sortQualifiers(s, d.qualifiers);
  const ownSpecifier = definesType(d.specifier);
  const base = resolveSpecifier(s, d.specifier, ownSpecifier ? d : undefined);
  if (ownSpecifier && d.declarators.length === 0) return;
  let trivia = ownSpecifier ? noTrivia : takeTrivia(s, d);
  for (const x of d.declarators) {
    const named = name !== undefined && x.name ? { ...x, name: { ...x.name, name } } : x;
    const id = base && fileVariable(s, d, named, base, q, trivia);
    if (id === undefined) poison(s, x);
    trivia = noTrivia;
  }
}

/** A variable of the file that is being declared: its declarator, type and qualifiers, and the comments it may take. */

export interface FileVariable {
  readonly declaration: syntax.VariableDeclaration;
  readonly x: syntax.Declarator;
  readonly t: DeclaredType;
  readonly base: NamedTypeInfo;
  readonly q: Qualifiers;
  readonly trivia: Trivia;
}

function fileVariable(
  s: Sema,
  d: syntax.VariableDeclaration,
  x: syntax.Declarator,
  base: NamedTypeInfo,
  q: Qualifiers,
  trivia: Trivia,
): VarId | "value" | undefined {
  if (!x.name) return error(s, "XL2011", "a variable needs a name", x.span);
  if (x.name.path.length > 0) return staticMemberAgain(s, x, x.name);
  const addresses = x.initializer !== undefined && s.language.pointers;
  const t = derive(s, base, q, x.derivations, x.span, addresses);
  if (!t) return undefined;
  if (t.type.kind === "void") return error(s, "XL2013", "a variable cannot be void", x.span);
  if (losesBitFields(s, x, t, q)) return undefined;
  // A static member of the struct around it.
  if (isIncomplete(s, t.type))
    return error(s, "XL2013", "the type of this member is not complete here", x.span, {
      help: `leave its value out here, and give it behind the struct`,
    });
  const holds = addresses && (t.reference || holdsPointers(t.type, s.structs));
  if (holds && !allHarmless(s, x)) return undefined;
  if (holds) return t.reference ? referenceOfFile(s, x, t) : pointersOfFile(s, x, t, q);
  if (t.type.kind === "pointer" || t.reference) return notYet(s, "pointers at file scope are", x.span, keepIndex);
  const constant = specializationNumber(s, q, [...d.attributes, ...x.attributes]);
  if (constant === null) return undefined;
  if (constant !== undefined) return specialization(s, x, t, constant, trivia);
  const own = s.reader.fileVariable ? s.reader.fileVariable(s, { declaration: d, x, t, base, q, trivia }) : "none";
  if (own !== "none") return own;
  if (!rejectWords(s, q)) return undefined;
  if (!allHarmless(s, x)) return undefined;
  if (q.layout.length > 0) return error(s, "XL2010", `layout '${q.layout[0]!.name}' has no meaning here`, d.span);
  const given = s.reader.fileSpace(s, t, q, x.span);
  if (!given) return undefined;
  // What nothing writes is what it begins as: zeros where nothing is said (OpenCL C 3.0 6.7.1, C99 6.7.8 (10)).
  const ofProgram = given === "program memory";
  const memberType = (struct: string, member: string): Type | undefined =>
    s.structs.get(struct)?.members.find((m) => m.name === member)?.type;
  // What it begins as stands where it is defined.
  if (ofProgram && !x.initializer && d.qualifiers.some((w) => w.name === "extern"))
    return notYet(s, "variables that another file defines are", x.span, "define it here");
  const changes = (name: syntax.Identifier): boolean =>
    (s.reading.declarations.references && !t.constant) || mayChange(s.source.text, name, t.type, memberType);
  if (ofProgram && changes(x.name)) return programVariable(s, x, t, trivia);
  let space = ofProgram ? "constant" : given;
  let type: Type = t.type;
  let initializer: Expr | undefined;
  let zeroed = false;
  if (x.initializer) {
    zeroed = space === "workgroup" && s.reading.declarations.zeroedWorkgroup === true && isEmptyList(x.initializer);
    if (space === "workgroup" && !zeroed)
      return error(s, "XL2014", "workgroup memory cannot be initialised", x.span, { help: workgroupWritten });
    const read = readInitializer(s, type, x.initializer, x.span);
    if (!read) return undefined;
    const known = space === "constant" ? folded(s, withoutCalls(s, read.value)) : undefined;
    const computed = known && !isConstantExpr(s, known) && !specializesNumbers(s, known, read.type);
    // No other dialect has arrays and structs of specialisation constants (GL_EXT_spec_constant_composites).
    const isComposite = type.kind === "array" || type.kind === "struct" || type.kind === "matrix";
    const composed = computed && isComposite && specializes(s, known);
    if (computed && (composed || s.reading.declarations.computedConstants)) space = "private";
    if (!zeroed) initializer = space === "constant" ? known : read.value;
    if (initializer && fillsTemporaries(s, initializer))
      return notYet(s, "an initialiser at file scope whose order of evaluation matters is", x.span);
    type = read.type;
    if (q.constexpr && overflowsIn(s, read.value)) return overflows(s, x.span);
  }
  if (!isComplete(type)) return error(s, "XL2020", `'${x.name.name}' needs a size`, x.span);
  if (ofProgram) initializer ??= zeroOf(s, type, x.span);
  if (space === "constant" && !initializer)
    return error(s, "XL2014", `the constant '${x.name.name}' needs an initialiser`, x.span);
  const compileTime = space === "constant" && initializer !== undefined && isConstantExpr(s, initializer);
  if (space === "constant" && !compileTime && initializer && specializesNumbers(s, initializer, type))
    return specialized(s, x, type, trivia);
  if (space === "constant" && !compileTime)
    return error(s, "XL2007", `the initialiser of '${x.name.name}' must be constant`, x.span);
  const v = newVariable(s, {
    name: x.name.name,
    type,
    space,
    role: "global",
    constant: ofProgram || given === "constant" || t.constant,
    span: x.name.span,
    trivia,
    ...(initializer ? { initializer } : {}),
    ...(compileTime ? { compileTime } : {}),
    ...(t.volatile ? { volatile: true } : {}),
  });
  if (compileTime) setConstant(s, v.id, initializer!);
  if (ofProgram) s.programMemory.add(v.id);
  if (zeroed) s.zeroedWorkgroup.push(v.id);
  if (compileTime && s.templates.depth > 0) s.templates.variables.add(v.id);
  s.order.push({ kind: "variable", variable: v.id });
  return declareName(s, v.name, { kind: "variable", variable: v.id, span: v.span }) ? v.id : undefined;
}

/** `constant uint &r = table[3];` is another name of what it refers to. */
function referenceOfFile(s: Sema, x: syntax.Declarator, t: DeclaredType): "value" | undefined {
  const { name, span } = x.name!;
  const type: Type = { kind: "pointer", pointee: t.type, space: t.space ?? "private", reference: true };
  const read = readInitializer(
    s,
    t.constant || t.space === "constant" ? { ...type, readOnly: true } : type,
    x.initializer!,
    x.span,
  );
  if (!read) return undefined;
  if (read.value.kind !== "address-of" || !isConstantAddress(s, read.value, (e) => isConstantExpr(s, e)))
    return notYet(s, "references at file scope that are not to constants are", x.span, keepIndex);
  const { place } = read.value;
  const make = (at: Span): Value => ({ type: t.type, place: { ...place, span: at }, readOnly: `'${name}' is const` });
  return declareName(s, name, { kind: "value", make, span }) ? "value" : undefined;
}

/** Constants that hold addresses of constants. */
export function pointersOfFile(s: Sema, x: syntax.Declarator, t: DeclaredType, q: Qualifiers): "value" | undefined {
  const { name, span } = x.name!;
  const given = s.reader.fileSpace(s, t, q, x.span);
  if (!given) return undefined;
  const isConstant =
    given === "constant" ||
    t.constant ||
    (given === "program memory" && !mayChange(s.source.text, x.name!, t.type, () => undefined));
  const said = s.problems.list.length;
  const read = isConstant && !t.openSpace ? readInitializer(s, t.type, x.initializer!, x.span) : undefined;
  if (isConstant && !t.openSpace && !read) return undefined;
  if (s.problems.list.slice(said).some((p) => p.severity === "error")) return undefined;
  if (!read || !isConstantAddress(s, read.value, (e) => isConstantExpr(s, e)))
    return notYet(s, "pointers at file scope that are not to constants from the beginning are", x.span, keepIndex);
  const make = (at: Span): Value => constantAddress(s, name, read.value, at);
  return declareName(s, name, { kind: "value", make, span }) ? "value" : undefined;
}

/** `= {}` */
const isEmptyList = (given: syntax.Initializer): boolean =>
  given.form === "assign" && given.value.kind === "initializer-list" && given.value.elements.length === 0;

/** `constant int S::n = 5;`; one without a value behind the struct that gives it says nothing new (C++17 D.1). */
function staticMemberAgain(s: Sema, x: syntax.Declarator, name: syntax.Identifier): "value" | undefined {
  const member = memberOfPath(s, name);
  if (member?.kind === "error") return undefined;
  // One that no const or constexpr says anything of begins with zeros, like all of the file.
  const writable = member?.kind === "variable" && s.variables.get(member.variable)?.space === "private";
  const given = member?.kind === "value" || (member?.kind === "variable" && s.constants.has(member.variable));
  const here = (first: string): Symbol | undefined => memberOfPath(s, { ...name, name: first });
  const isRead =
    !x.initializer ||
    (s.readAhead.has(x.initializer) && meansTheSame(s, x.initializer, meaningsIn(s, x.initializer, undefined, here)));
  if ((given || writable) && isRead) return "value";
  return notYet(s, "defining a member of a struct outside of it is", name.span);
}

/** A part of a constant is no constant expression in C and C++: such an initialiser is its value. */
function folded(s: Sema, e: Expr): Expr {
  // A number that is kept in double would be rounded.
  if (s.reading.foldsInDouble && isFloat(scalarOf(e.type) ?? "bool")) return e;
  let parts = false;
  walkExpr(e, {
    expr: (x) =>
      void (parts ||=
        x.kind === "swizzle-value" || x.kind === "element-value" || (x.kind === "load" && x.place.kind !== "variable")),
  });
  if (!parts || e.type.kind !== "scalar") return e;
  const value = evaluate(s, e);
  return value === undefined ? e : { kind: "literal", type: e.type, value: literalForm(value), span: e.span };
}

/** An initialiser of specialisation constants: known before the kernel runs, yet not here. */
function specializes(s: Sema, e: Expr): boolean {
  const leaf = (x: Expr): boolean => {
    if (x.kind === "builtin") return s.language.statesSizes && x.builtin === "workgroup_size";
    if (x.kind !== "load" || x.place.kind !== "variable") return false;
    const { variable } = x.place;
    return s.settledLater.has(variable) || resourceFor(s, variable)?.kind === "specialization";
  };
  return isConstantExpr(s, e, leaf);
}

export const specializesNumbers = (s: Sema, e: Expr, type: Type): boolean =>
  (type.kind === "scalar" || type.kind === "vector") && specializes(s, e);

/** A constant made of specialisation constants stands for its initialiser: no other dialect lets all of them be declared. */
function specialized(s: Sema, x: syntax.Declarator, type: Type, trivia: Trivia): "value" | undefined {
  append(s.pendingComments, trivia.leading);
  append(s.pendingComments, trivia.trailing);
  const span = x.name!.span;
  const reason = `'${x.name!.name}' is const`;
  const make = (): Value =>
    inScopeOf(s, s.globalScope, () => {
      const made = readInitializer(s, type, x.initializer!, x.span)!;
      return { ...exprValue(made.value), readOnly: reason };
    });
  return declareName(s, x.name!.name, { kind: "value", make, span }) ? "value" : undefined;
}

// ------------------------------------------------------------------ specialisation constants
/** `[[function_constant(n)]]`, `layout(constant_id = n)`; null where it is wrong and has been reported. */
function specializationNumber(
  s: Sema,
  q: Qualifiers,
  attributes: readonly syntax.Attribute[],
): number | undefined | null {
  const facts = s.reading.declarations.specialization;
  if (!facts) return undefined;
  const a = facts.attribute && attributes.find((y) => y.name === facts.attribute);
  const l = facts.layout && q.layout.find((y) => y.name === facts.layout);
  const given = a || l;
  if (!given) return undefined;
  const value = "kind" in given ? given.arguments?.[0] : given.value;
  const n = value && constantInteger(s, value, `the number of a ${facts.called}`);
  const what = "kind" in given ? `a ${facts.called}` : given.name;
  return n === undefined ? (error(s, "XL2010", `${what} needs a number`, given.span), null) : Number(n);
}

function specialization(
  s: Sema,
  x: syntax.Declarator,
  t: DeclaredType,
  number: number,
  trivia: Trivia,
): VarId | undefined {
  const { called, needs, defaults, vectors } = s.reading.declarations.specialization!;
  if (t.type.kind !== "scalar") {
    if (t.type.kind === "vector" && vectors) return notYet(s, `${called}s that are vectors are`, x.span);
    return error(s, "XL2010", `a ${called} must be a scalar, this is ${shown(s, t.type)}`, x.span);
  }
  if (needs === "constant memory" && t.space !== "constant")
    return error(s, "XL2009", `a ${called} must be in the constant address space`, x.span);
  if (needs === "const" && !t.constant) return error(s, "XL2010", `a ${called} must be const`, x.span);
  let defaultValue: Expr | undefined;
  if (x.initializer) {
    if (defaults === "elsewhere") return error(s, "XL2014", `a ${called} has no initialiser`, x.span);
    const read = readInitializer(s, t.type, x.initializer, x.span);
    if (!read) return undefined;
    defaultValue = read.value;
    if (evaluate(s, defaultValue) === undefined)
      return error(s, "XL2007", `the default of a ${called} must be constant`, x.span);
  } else if (defaults === "initialiser") return error(s, "XL2014", `a ${called} needs a default`, x.span);
  const v: Variable = newVariable(s, {
    name: x.name!.name,
    type: t.type,
    space: "constant",
    role: "resource",
    constant: true,
    span: x.name!.span,
    trivia,
  });
  const resource: Resource = {
    variable: v.id,
    kind: "specialization",
    path: v.name,
    access: "read",
    slot: { number },
    ...(defaultValue ? { defaultValue } : {}),
  };
  s.resourceAt.set(resource.variable, s.resources.length);
  s.resources.push(resource);
  s.order.push({ kind: "resource", variable: v.id });
  takeGiven(s, v.id, v.name, t.type.scalar);
  return declareName(s, v.name, { kind: "variable", variable: v.id, span: v.span }) ? v.id : undefined;
}
