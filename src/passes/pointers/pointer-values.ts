/** What the lowering of pointers knows of a pointer, and how it puts indices and statements together. */
import {
  assign,
  binary,
  comma,
  convert,
  inWord,
  leadsForward,
  ledBackBy,
  literal,
  literalValue,
  offsetSum,
} from "../../ast/builders.js";
import {
  noTrivia,
  type BinaryOperator,
  type Expr,
  type FunctionDeclaration,
  type FunctionId,
  type Place,
  type Statement,
  type Variable,
  type VarId,
} from "../../ast/nodes.js";
import { isPure, rewriteStatements, walkExpr, walkStatement } from "../../ast/walk.js";
import { onceEach } from "../../support/once.js";
import { type Span } from "../../support/span.js";
import {
  i32,
  sameType,
  scalarOf,
  showType,
  u32,
  type ArrayType,
  type PointerType,
  type Type,
} from "../../types/types.js";
import { withoutStatements } from "../interface/builtins.js";

/**
 * A step from a place to a part of it. `index` is held by a hole or, where it never changes, a literal. `single`: of an
 * object that is in no array, which counts as an array of one (C99 6.5.6 (7)): the index tells it from null, and from
 * what is past its end. `rows`: of an array of arrays, whose elements count as those of one array; so many are in a row of each of its
 * dimensions but the first.
 */
export type Step =
  | { readonly kind: "index"; readonly type: Type; readonly single?: boolean; readonly rows?: readonly number[] }
  /** `union`: other members of what it is a member of lie there too. */
  | { readonly kind: "member"; readonly member: string; readonly type: Type; readonly union?: boolean | undefined }
  /** First of all: so many bytes from the start of the object, as an array of something else. Bytes are held by a hole. */
  | { readonly kind: "view"; readonly type: ArrayType };

export const memberStep = (p: Place & { kind: "member" }): Step => ({
  kind: "member",
  member: p.member,
  type: p.type,
  ...(p.base.type.kind === "struct" && p.base.type.union ? { union: true } : {}),
});

/** Steps with a hole. */
export const indices = (steps: readonly Step[]): number => steps.filter((s) => s.kind !== "member").length;

/** Where a pointer points, but for its indices. */
export interface Shape {
  readonly root: VarId;
  readonly steps: readonly Step[];
}

/** A pointer's value at some point: one index per `index` step. */
export interface Pointer extends Shape {
  readonly holes: readonly Expr[];
}

/** What a pointer variable, pointer parameter or reference stands for in a function. */
export interface Binding extends Shape {
  readonly holes: readonly (Variable | Expr)[];
  /** Where it was bound, for messages. */
  readonly span: Span;
  /**
   * The objects it may point into, where they are several: `which` holds the number of one, and the last holes are its
   * indices.
   */
  readonly several?: { readonly shapes: readonly Shape[]; readonly which: Variable };
}

/** As a pointer into an array, an object that is in none as one of an array of one. */
export const inArray = <P extends Shape>(p: P, type: Type): P =>
  p.steps.at(-1)?.kind === "index" ? p : { ...p, ...extended(p, type) };
const extended = (p: Shape & { readonly holes?: readonly unknown[] }, type: Type): Partial<Pointer> => ({
  steps: [...p.steps, { kind: "index", type, single: true }],
  ...(p.holes ? { holes: [...(p.holes as Expr[]), literal("i32", 0)] } : {}),
});

export const isVariable = (h: Variable | Expr): h is Variable => "role" in h;
const keyOfSteps = (steps: readonly Step[]): string =>
  steps
    .map((x) =>
      x.kind === "member"
        ? `.${x.member}`
        : x.kind === "view"
          ? `(${showType(x.type.element)})`
          : x.single
            ? "[1]"
            : `[${x.rows?.join(" ") ?? ""}]`,
    )
    .join("");
export const keyOf = (s: Shape): string => `${s.root} ${keyOfSteps(s.steps)}`;
export const keyOfBinder = (b: Binder): string =>
  b.kind === "null"
    ? "null"
    : b.kind === "path"
      ? keyOf(b.shape)
      : `${b.leader} ${b.mode} ${showType(b.type)} ${keyOfSteps(b.steps)}`;
export const isPointerLike = (v: Variable): boolean => v.type.kind === "pointer" || v.mode === "ref";

export class NotLowerable extends Error {
  constructor(
    readonly code: "XL4005" | "XL4006" | "XL4007",
    message: string,
    readonly span: Span,
    readonly other?: { readonly message: string; readonly span: Span },
  ) {
    super(message);
  }
}

/** What one of several objects is chosen by: a `?:`, a call or an assignment of pointers, or a variable that holds one. */
export type Chooser = Expr | VarId;

/**
 * Of several objects one is meant: what stands around is lowered for each of them. Where that cannot be, it is refused.
 */
export class Choice extends NotLowerable {
  constructor(
    readonly on: Chooser,
    /** Under which each but the last is meant, in turn. */
    readonly conditions: () => readonly Expr[],
    message: string,
    span: Span,
    other: { readonly message: string; readonly span: Span } | undefined,
    /** The objects. */
    readonly objects: readonly VarId[],
    /** What is evaluated once, before, and of calls and assignments the pointers there are then. */
    readonly done?: { readonly before: Expr; readonly pointers?: readonly Pointer[] },
  ) {
    super("XL4005", message, span, other);
  }
}

/** How often a statement or expression may be written for the objects its pointers may point into. */
export const mostChoices = 128;

/** What the callee's own report explains. */
export class FollowsFromAnother extends NotLowerable {}

/** How a helper is called with respect to one pointer or reference parameter. */
export type Binder =
  /** Global, workgroup or constant memory: the path is part of the helper. */
  | { readonly kind: "path"; readonly shape: Shape }
  /** The pointer to nothing: the helper knows it. */
  | { readonly kind: "null" }
  /**
   * Private memory: an object is handed over, once for all parameters that may point into it, under the name of the first
   * (`leader`), and `steps` lead on from it. `none`: nobody looks at the object, only the indices go.
   */
  | {
      readonly kind: "object";
      readonly leader: VarId;
      readonly mode: "none" | "value" | "out" | "inout";
      readonly type: Type;
      readonly steps: readonly Step[];
    };

export interface Specialisation {
  /** Tells it from others of the same function. */
  readonly key: string;
  readonly source: FunctionDeclaration;
  readonly binders: ReadonlyMap<VarId, Binder>;
  readonly id: FunctionId;
  name: string;
  /** For each path parameter and hole: every call passes literal 0 and the helper never moves it. */
  readonly zero: Map<string, boolean>;
  readonly holeTypes: Map<string, Type>;
}

/**
 * Where the pointer that a helper returns points: its caller puts the place together again. The last index that is not
 * known there is what the helper returns; the others, and of several objects the number of the one that is meant, it hands
 * out by parameters of its own (`outs`, that number first).
 */
export interface Result {
  readonly alternatives: readonly ResultPlace[];
  readonly outs: readonly Variable[];
  /** Of the index the helper returns, if any. */
  readonly type: Type;
  readonly span: Span;
}
export interface ResultPlace extends Shape {
  /** The root is the object this parameter stands for. */
  readonly via?: VarId;
  readonly holes: readonly ResultHole[];
}
export type ResultHole =
  | { readonly kind: "returned" }
  /** By this one of the helper's own parameters. */
  | { readonly kind: "out"; readonly at: number }
  | { readonly kind: "fixed"; readonly value: Expr }
  /** The index the caller passed for a pointer parameter, as it is. */
  | { readonly kind: "passed"; readonly parameter: VarId; readonly index: number }
  /** Of the values of these parameters, by number, which the caller knows. */
  | { readonly kind: "given"; readonly value: Expr; readonly parameters: ReadonlyMap<VarId, number> };

export interface Lowered {
  readonly function: FunctionDeclaration;
  readonly result: Result | undefined;
}

export const isLoadOf = (e: Expr, id: VarId): boolean =>
  e.kind === "load" && e.place.kind === "variable" && e.place.variable === id;

export function mentions(e: Expr, id: VarId): boolean {
  let found = false;
  walkExpr(e, { place: (p) => void (p.kind === "variable" && p.variable === id && (found = true)) });
  return found;
}

export function renamed(list: readonly Statement[], copies: ReadonlyMap<VarId, VarId>): readonly Statement[] {
  return rewriteStatements(list, {
    place: (p) => (p.kind === "variable" && copies.has(p.variable) ? { ...p, variable: copies.get(p.variable)! } : p),
    statement: (s) =>
      s.kind === "declare" && copies.has(s.variable) ? { ...s, variable: copies.get(s.variable)! } : s,
  });
}

/** Whether the object a parameter refers to is written whole before anything else is done with it. */
export function writesFirst(f: FunctionDeclaration, p: VarId): boolean {
  const isObject = (place: Place): boolean =>
    (place.kind === "variable" && place.variable === p) || (place.kind === "deref" && isLoadOf(place.pointer, p));
  for (const s of f.body.statements) {
    if (
      s.kind === "expression" &&
      s.expression.kind === "assign" &&
      !s.expression.operator &&
      isObject(s.expression.target)
    )
      return !mentions(s.expression.value, p);
    let touched = s.kind === "return";
    walkStatement(s, {
      place: (place) => void (place.kind === "variable" && place.variable === p && (touched = true)),
      statement: (x) => void (x.kind === "return" && (touched = true)),
    });
    if (touched) return false;
  }
  return false;
}

/** Some variable of the set. */
export function mentionsAny(e: Expr, ids: ReadonlySet<VarId>): boolean {
  let found = false;
  walkExpr(e, { place: (p) => void (p.kind === "variable" && ids.has(p.variable) && (found = true)) });
  return found;
}

const namedIn = onceEach((f: FunctionDeclaration): ReadonlySet<VarId> => {
  const named = new Set<VarId>();
  walkStatement(f.body, { place: (p) => void (p.kind === "variable" && named.add(p.variable)) });
  return named;
});

export const usesGlobal = (f: FunctionDeclaration, id: VarId): boolean => namedIn(f).has(id);

/** Two indices that are one value, wherever both are evaluated in one list of arguments without effects. */
export function sameIndex(a: Expr, b: Expr): boolean {
  if (a === b) return isPure(a);
  const [m, n] = [literalValue(a), literalValue(b)];
  if (m !== undefined && n !== undefined) return Number(m) === Number(n);
  if (!isPure(a) || !isPure(b)) return false;
  return valueKey(a) === valueKey(b);
}

/** The expression but for where it stands. */
export const valueKey = (e: Expr): string =>
  JSON.stringify(e, (key, value: unknown) =>
    key === "span" || key === "macro" ? undefined : typeof value === "bigint" ? `${String(value)}n` : value,
  );

/** Two steps that count elements alike. */
export const sameRows = (a: Step, b: Step): boolean => keyOfSteps([a]) === keyOfSteps([b]);

/** Two paths of one root that part at some step: other members, or other constant indices. */
export function apart(a: Pointer, b: Pointer): boolean {
  let hole = 0;
  for (let i = 0; i < Math.min(a.steps.length, b.steps.length); i++) {
    const [x, y] = [a.steps[i]!, b.steps[i]!];
    if (x.kind !== y.kind || x.kind === "view") return false;
    if (x.kind === "member" && y.kind === "member") {
      if (x.member !== y.member) return !x.union;
      continue;
    }
    if (!sameRows(x, y)) return false;
    const [m, n] = [literalValue(a.holes[hole]!), literalValue(b.holes[hole]!)];
    hole++;
    if (m !== undefined && n !== undefined && Number(m) !== Number(n)) return true;
  }
  return false;
}

const assignedIn = onceEach((f: FunctionDeclaration): ReadonlySet<VarId> => {
  const assigned = new Set<VarId>();
  walkStatement(f.body, {
    expr: (e) => {
      const p = e.kind === "assign" ? e.target : e.kind === "increment" ? e.place : undefined;
      if (p?.kind === "variable") assigned.add(p.variable);
    },
  });
  return assigned;
});

export const assignedAgain = (f: FunctionDeclaration, id: VarId): boolean => assignedIn(f).has(id);

/**
 * The last index of a pointer to nothing: one no object has, so that an access through it is one outside the object. As an
 * unsigned index it is 2^31.
 */
export const nullIndex = (type: Type, span: Span): Expr => {
  const kind = scalarOf(type) === "u32" ? "u32" : "i32";
  return literal(kind, kind === "u32" ? 2 ** 31 : -(2 ** 31), span);
};

export const isNullIndex = (e: Expr): boolean => e.kind === "literal" && Math.abs(Number(e.value)) === 2 ** 31;

export const integerType = (t: Type): Type => (scalarOf(t)?.[0] === "u" ? u32 : i32);

/**
 * An unsigned number of the source that begins a pointer: what is run takes offsets for signed numbers, that may lie before their object. No
 * object has 2^31 elements, and from there a signed sum would lead into this one.
 */
export const ofSomeObject = (e: Expr): Expr =>
  scalarOf(e.type) !== "u32" || (e.kind === "literal" && Number(e.value) < 2 ** 31) || isOfSomeObject(e)
    ? e
    : asOfSomeObject(e);
const asOfSomeObject = (e: Expr): Expr => ({
  kind: "convert",
  operand: e,
  type: u32,
  explicit: false,
  span: e.span,
  relies: "offset",
});
/** A number below 2^31, added to what may lie before its object. */
const asSigned = (e: Expr): Expr =>
  scalarOf(e.type) !== "u32" || !leadsForward(e) || isOfSomeObject(e) ? e : asOfSomeObject(e);
const isOfSomeObject = (e: Expr): boolean => e.kind === "convert" && e.relies === "offset" && sameType(e.type, u32);

/**
 * Bytes that are counted by a signed number, as the u32 at which a view begins. No source converts a number to its own type unasked: by that it is
 * known for ours.
 */
export const ofSignedBytes = (bytes: Expr): Expr => ({
  ...convertedTo(u32, bytes),
  operand: convertedTo(i32, bytes),
});
export const signedBytes = (e: Expr): Expr | undefined =>
  e.kind === "convert" &&
  e.operand.kind === "convert" &&
  !e.operand.explicit &&
  !e.operand.relies &&
  sameType(e.operand.type, i32) &&
  sameType(e.operand.operand.type, i32)
    ? e.operand.operand
    : undefined;
const convertedTo = (type: Type, operand: Expr): Expr & { kind: "convert" } => ({
  kind: "convert",
  operand,
  type,
  explicit: false,
  span: operand.span,
});

export function asType(e: Expr, type: Type): Expr {
  if (sameType(e.type, type)) return e;
  if (isNullIndex(e) && (sameType(type, i32) || sameType(type, u32))) return nullIndex(type, e.span);
  if (e.kind === "literal" && type.kind === "scalar" && Number(e.value) >= 0 && Number(e.value) < 2 ** 31) {
    const { macro: _macro, ...rest } = e;
    return { ...rest, type };
  }
  return convert(e, type, true);
}

/** `before`: where the offset starts may be before the object. */
export function added(start: Expr, amount: Expr, span: Span, before: boolean): Expr {
  const first = literalValue(start);
  if (first === 0 || first === 0n) return amount;
  const [a, b] = [inWord(start), inWord(amount)];
  if (a.kind === "literal" && b.kind !== "literal") return further(a, b, integerType(b.type), span, before);
  const back = ledBackBy(b);
  if (back) return counted(binary("sub", a, amountAs(back, a.type), span), a.type);
  return further(a, b, a.type, span, before);
}

/** What was negative before it had the type leads back. */
function further(a: Expr, b: Expr, type: Type, span: Span, before: boolean): Expr {
  const first = asType(a, type);
  const second = amountAs(b, type);
  if (!leadsForward(a) || !leadsForward(b)) return counted(binary("add", first, second, span), type);
  if (!before || scalarOf(type) !== "u32") return offsetSum(first, second, span);
  return counted(binary("add", first, asSigned(second), span), type);
}

/** Whether a sum of offsets was led back somewhere: it may be before its object, and is led on from there by a number below 2^31. */
export const liesBefore = (e: Expr): boolean =>
  e.kind === "binary" &&
  (e.operator === "add" || e.operator === "sub") &&
  e.relies === "offset" &&
  (e.operator === "sub" ||
    !leadsForward(e.left) ||
    !leadsForward(e.right) ||
    isOfSomeObject(e.right) ||
    liesBefore(e.left));

/** An offset moved by an amount. */
export function movedOn(offset: Place, amount: Expr, operator: BinaryOperator, span: Span): Expr {
  const by = amountAs(amount, offset.type);
  return counted(assign(offset, operator === "add" ? asSigned(by) : by, span, operator), offset.type);
}

/** Of unsigned offsets; that signed ones do not overflow is relied on as of all signed numbers. */
const counted = <E extends Expr>(e: E, type: Type): E => (scalarOf(type) === "u32" ? { ...e, relies: "offset" } : e);

/** A number of elements that leads forward, as this type: no object has 2^31 of them. */
export function amountAs(e: Expr, type: Type): Expr {
  const large = scalarOf(e.type) === "u32" && scalarOf(type) === "i32" && leadsForward(e);
  const made = large && isNullIndex(e) ? convert(e, type, true) : asType(e, type);
  return large && made.kind === "convert" ? { ...made, relies: "offset" } : made;
}

export function sequence(list: readonly Expr[]): Expr | undefined {
  const [first, ...rest] = list;
  return first && rest.reduce((a, b) => comma(a, b, a.span), first);
}

/** Where the expression did not change, its macro stays. */
export function without(next: Expr, old: Expr): Expr {
  return next.kind === "load" && old.kind === "load" && next.place === old.place ? old : next;
}

export function withTriviaOf(list: readonly Statement[], s: Statement): readonly Statement[] {
  return list.map((x, i) => ({
    ...x,
    trivia: {
      leading: i === 0 ? s.trivia.leading : [],
      trailing: i + 1 === list.length ? s.trivia.trailing : [],
      blankBefore: i === 0 && s.trivia.blankBefore,
    },
  }));
}

export function cleaned(list: readonly Statement[], gone: ReadonlySet<Statement>): readonly Statement[] {
  const out = rewriteStatements(list, {
    statement: (s) =>
      s.kind === "block" && !gone.has(s) ? { ...s, statements: withoutStatements(s.statements, gone) } : s,
  });
  return withoutStatements(out, gone);
}

export type ExpressionStatement = Statement & { kind: "expression" };

export const blockOf = (s: Statement): Statement =>
  s.kind === "block" ? s : { kind: "block", statements: stepsOf(s), innerComments: [], span: s.span, trivia: noTrivia };

/** What commas hold together. */
export const stepsOf = (s: Statement): readonly Statement[] =>
  s.kind === "expression" && s.expression.kind === "comma"
    ? [s.expression.left, s.expression.right].flatMap((expression) => stepsOf({ ...s, expression }))
    : [s];

/** Blocks that hold nothing but expressions need no braces. */
export const unbraced = (s: Statement): readonly Statement[] =>
  s.kind === "block" &&
  s.statements.length > 0 &&
  s.statements.every((x) => unbraced(x).every((y) => y.kind === "expression"))
    ? s.statements.flatMap(unbraced)
    : [s];

export const pointeeOf = (e: Expr): Type => (e.type as PointerType).pointee;

/** Both as pointers into arrays, where only one is. */
export const alike = (a: Pointer, b: Pointer, type: Type): readonly [Pointer, Pointer] =>
  keyOf(a) === keyOf(b) ? [a, b] : [inArray(a, type), inArray(b, type)];

/** The first steps of a pointer. */
export function cutAt(pointer: Pointer, n: number): Pointer {
  const steps = pointer.steps.slice(0, n);
  return { root: pointer.root, steps, holes: pointer.holes.slice(0, indices(steps)) };
}
