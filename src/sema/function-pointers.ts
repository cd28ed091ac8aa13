/**
 * Pointers to functions that are told at run time: of an array, chosen by `?:`, set anew, handed to a function. No dialect that is written
 * has them, so that one is a number: which of the functions that are ever named where a pointer of its type is wanted. A call is one of a
 * function that asks for the number. While the text is read the number has a type of its own, an enumeration; a pointer that stands for one
 * function from its declaration on is another name for that (lambdas.ts).
 */
import { binary, i32Literal, literal } from "../ast/builders.js";
import { noTrivia, type Expr } from "../ast/nodes.js";
import type { Span } from "../support/span.js";
import { enumerationOf, i32, type ScalarType, type Type } from "../types/types.js";
import { closureOf } from "./closures.js";
import { error, notYet, type FunctionInfo, type ParameterInfo, type Sema, type Value } from "./context.js";

/** What functions of a type return and take. */
export type Signature = Pick<FunctionInfo, "returnType" | "parameters">;

export interface FunctionPointers {
  readonly type: ScalarType;
  readonly key: string;
  /** Those that a pointer of the type may lead to, by their numbers. */
  readonly functions: FunctionInfo[];
  /** Null is among the values. */
  nullable: boolean;
  /** What calls the one that a number stands for. */
  readonly dispatch: FunctionInfo;
}

/** As what is set to zeros; functions are counted from 1. */
const nowhere = 0;

const keyOf = ({ returnType, parameters }: Signature): string =>
  JSON.stringify([returnType, parameters.map((p) => [p.type, p.mode, p.mode === "ref" && [p.space, p.constant]])]);

/** The type of pointers to functions of a signature. */
export function pointerToFunctions(s: Sema, signature: Signature, span: Span): ScalarType {
  const key = keyOf(signature);
  const known = [...s.functionPointers.values()].find((p) => p.key === key);
  if (known) return known.type;
  const index = s.enums.length;
  s.enums.push({ name: "pointer to a function", type: i32, enumerators: [], span, trivia: noTrivia });
  const type: ScalarType = { ...i32, distinct: { enumeration: index, scoped: true, fixed: true } };
  const which: ParameterInfo = {
    ...{ name: "which", type, mode: "value", space: "private", constant: false },
    ...{ volatile: false, restrict: false, span },
  };
  const dispatch: FunctionInfo = {
    id: s.functions.length,
    name: "call_function",
    parameters: [which, ...signature.parameters.map((p, i) => ({ ...p, name: p.name || `x${i}` }))],
    returnType: signature.returnType,
    span,
    defined: true,
    calls: new Map(),
  };
  s.functions.push(dispatch);
  s.functionPointers.set(index, { type, key, functions: [], nullable: false, dispatch });
  return type;
}

export function functionPointersOf(s: Sema, type: Type): FunctionPointers | undefined {
  const index = s.functionPointers.size > 0 ? enumerationOf(type)?.enumeration : undefined;
  return index === undefined ? undefined : s.functionPointers.get(index);
}

/** The function that is named and not called, or the one that a lambda without captures stands for (C++14 5.1.2 (6)); `taken`: by what it takes. */
function functionIn(s: Sema, v: Value, taken?: readonly ParameterInfo[]): FunctionInfo | undefined {
  const closure = v.captured && closureOf(s, v.type);
  if (!closure) return undefined;
  if ("function" in closure.means) return closure.means.function;
  return closure.captures.length > 0 ? undefined : closure.means.alone(taken?.map((p) => p.type));
}

const takenBy = ({ dispatch }: FunctionPointers): readonly ParameterInfo[] => dispatch.parameters.slice(1);

/** What it takes: the lambda itself is nothing that is handed over. */
const signatureOf = (s: Sema, { returnType, parameters }: FunctionInfo): Signature => ({
  returnType,
  parameters: parameters.filter((p, i) => i > 0 || !closureOf(s, p.type)),
});

/** Whether a value becomes such a pointer: a function of the type, or null, which is asked for apart. */
export const becomesFunctionPointer = (s: Sema, v: Value, to: FunctionPointers): boolean => {
  const f = functionIn(s, v, takenBy(to));
  return f !== undefined && keyOf(signatureOf(s, f)) === to.key;
};

/** A function, or null, as a pointer of the type; "other" where it is something else. */
export function asFunctionPointer(
  s: Sema,
  v: Value,
  to: FunctionPointers,
  span: Span,
  what: string,
): Expr | undefined | "other" {
  const isNull = v.expr?.kind === "null-pointer" || (v.expr?.kind === "literal" && Number(v.expr.value) === 0);
  if (isNull) to.nullable = true;
  const number = (n: number): Expr => ({ ...literal("i32", n, span), type: to.type });
  if (isNull) return number(nowhere);
  if (!v.captured) return "other";
  const f = functionIn(s, v, takenBy(to));
  const closure = closureOf(s, v.type)!;
  if (!f && closure.captures.length > 0)
    return error(s, "XL2003", `${what} is a lambda that captures something, which is no pointer to a function`, span, {
      help: "hand over what it captures as arguments",
    });
  if (!f || keyOf(signatureOf(s, f)) !== to.key) {
    const named = f && "function" in closure.means ? `the function '${f.name}', which` : "a lambda that";
    return error(s, "XL2003", `${what} is ${named} takes or returns something else`, span, {
      notes: [{ message: "declared here", span: f?.span ?? closure.lambda.span }],
    });
  }
  if (f.returnsReference) return notYet(s, "a pointer to a function that returns a reference is", span);
  const at = to.functions.indexOf(f);
  if (at < 0) to.functions.push(f);
  return number(at < 0 ? to.functions.length : at + 1);
}

/** Whether a pointer is not null. */
export const leadsToFunction = (e: Expr, span: Span): Expr =>
  binary("ne", { ...e, type: i32 }, i32Literal(nowhere, span), span);

/** What a value that is a function, or a pointer to some, would be as a pointer. */
export function typeAsPointer(s: Sema, v: Value): FunctionPointers | undefined {
  const f = functionIn(s, v);
  return functionPointersOf(s, f ? pointerToFunctions(s, signatureOf(s, f), f.span) : v.type);
}

/** A pointer that is given no function begins as null. */
export function noteNull(s: Sema, type: Type): void {
  const pointers = functionPointersOf(s, type);
  if (pointers) pointers.nullable = true;
}

/** Whether there is a pointer to a function (`to`: of those) in what has the type, or what it leads to. */
export function holdsFunctionPointers(s: Sema, type: Type, to?: FunctionPointers): boolean {
  if (s.functionPointers.size === 0) return false;
  if (type.kind === "array") return holdsFunctionPointers(s, type.element, to);
  if (type.kind === "pointer") return holdsFunctionPointers(s, type.pointee, to);
  if (type.kind === "struct")
    return s.structs.get(type.name)?.members.some((m) => holdsFunctionPointers(s, m.type, to)) ?? false;
  const found = functionPointersOf(s, type);
  return found !== undefined && (to === undefined || found === to);
}

/** One, or an array of them. */
export const isOfFunctionPointers = (s: Sema, type: Type): boolean =>
  type.kind === "array" ? isOfFunctionPointers(s, type.element) : functionPointersOf(s, type) !== undefined;
