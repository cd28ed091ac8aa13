/** Lowers the pointers of one function body: places, pointer variables, calls (see `pointers.ts`). */
import {
  type ModuleEditor,
  comma,
  declare,
  element,
  literal,
  leadsForward,
  literalValue,
  load,
  member,
  rootVariable,
  variablePlace,
} from "../../ast/builders.js";
import { elementOverRows } from "../../ast/element-over-rows.js";
import {
  noTrivia,
  type BarrierDescriptor,
  type Expr,
  type FunctionDeclaration,
  type Place,
  type Statement,
  type Variable,
  type VarId,
} from "../../ast/nodes.js";
import { isPure, rewriteExpr, rewriteStatements, walkStatement, type Rewriter } from "../../ast/walk.js";
import { noSpan, type Span } from "../../support/span.js";
import { array, i32, isArrayOfPointers, sameType, scalarOf, u32, type Type } from "../../types/types.js";
import {
  added,
  amountAs,
  asType,
  type Binding,
  Choice,
  type Chooser,
  cleaned,
  inArray,
  integerType,
  isNullIndex,
  keyOf,
  NotLowerable,
  liesBefore,
  ofSomeObject,
  signedBytes,
  type Pointer,
  type Shape,
  without,
  withTriviaOf,
  pointeeOf,
  alike,
  usesGlobal,
  blockOf,
  stepsOf,
  unbraced,
  memberStep,
} from "./pointer-values.js";
import type { PointerLowering } from "./lower-pointers.js";
import { Choices } from "./choices.js";
import { chosenIndex, NullPointers } from "./null-pointers.js";
import { Comparisons } from "./pointer-comparisons.js";
import { Results } from "./pointer-results.js";
import { PointerVariables } from "./pointer-variables.js";
import { PointerCalls } from "./pointer-calls.js";
import { PointerArrays } from "./pointer-arrays.js";
import { lowBits, PointerCasts } from "./pointer-casts.js";

const isWide = (index: Expr): boolean => /^[iu]64$/.test(scalarOf(index.type)!);

/** 2^31 as a number of the source, which stands for null elsewhere. */
const notNull = (index: Expr): Expr =>
  scalarOf(index.type) === "u32" && isNullIndex(index) ? ofSomeObject(index) : index;

/** `w.add(1);`: nobody takes the reference. */
const standsAlone = (e: Expr): boolean => e.type.kind !== "pointer" || e.kind === "call";

/** Whether it is an element of an array of pointers that is not there for each index. */
function isFoundByIndex(on: Chooser): boolean {
  if (typeof on === "number" || (on.kind !== "load" && on.kind !== "increment")) return false;
  let { place } = on;
  for (; place.kind === "element"; place = place.base) if (literalValue(place.index) === undefined) return true;
  return false;
}

/** The conditions of `a ? p : b ? q : r`, and the values that they are between. */
function chainOf(e: Expr): { readonly conditions: readonly Expr[]; readonly arms: readonly Expr[] } {
  const conditions: Expr[] = [];
  const arms: Expr[] = [];
  let rest = e;
  for (; rest.kind === "conditional"; rest = rest.whenFalse) {
    conditions.push(rest.condition);
    arms.push(rest.whenTrue);
  }
  return { conditions, arms: [...arms, rest] };
}

/** The body of one function; what belongs to one concern stands in a class of its own, which finds the others here. */
export class FunctionLowering {
  constructor(
    readonly whole: PointerLowering,
    readonly editor: ModuleEditor,
    readonly f: FunctionDeclaration,
    /** Grows as pointer variables are bound. */
    readonly bindings: Map<VarId, Binding>,
  ) {}

  readonly choices = new Choices(this);
  readonly variables = new PointerVariables(this);
  readonly nulls = new NullPointers(this);
  readonly comparisons = new Comparisons(this);
  readonly calls = new PointerCalls(this);
  readonly results = new Results(this);
  readonly casts = new PointerCasts(this);
  readonly arrays = new PointerArrays(this);

  run(): readonly Statement[] {
    const start = new Map(this.bindings);
    for (;;) {
      const mark = this.whole.mark();
      this.variables.again = false;
      const statements = this.attempt();
      if (!this.variables.again) return statements;
      this.whole.backTo(mark);
      this.bindings.clear();
      for (const [id, b] of start) this.bindings.set(id, b);
      this.late.length = 0;
      this.results.returned.length = 0;
      this.results.result = undefined;
      this.nulls.answers.clear();
    }
  }

  private attempt(): readonly Statement[] {
    const gone = new Set<Statement>();
    const first = this.variables.ownParameters();
    const rewriter: Rewriter = {
      enterExpr: (e) => this.guarded(e),
      expr: (e) => this.nulls.answered(e),
      statement: (s) => {
        if (s.kind === "barrier" && s.barrier.buffers) return { ...s, barrier: this.ofObjects(s.barrier) };
        if (s.kind !== "if" || !this.nulls.answers.has(s.condition)) return s;
        const taken = literalValue(s.condition) === true ? s.then : s.else;
        // A return that gets its index later stays the same node.
        if (taken) return taken.kind === "return" ? taken : { ...taken, trivia: s.trivia };
        const marker: Statement = { kind: "block", statements: [], innerComments: [], span: s.span, trivia: s.trivia };
        gone.add(marker);
        return marker;
      },
      enterStatement: (s) => {
        if (s.kind === "expression" && s.expression.kind === "assign" && isArrayOfPointers(s.expression.target.type)) {
          const { target, value } = s.expression;
          return withTriviaOf(rewriteStatements(this.arrays.each(target, value, s.span), rewriter), s);
        }
        if (s.kind === "expression" && s.expression.kind === "comma" && this.choices.hasChoice(s.expression))
          return withTriviaOf(rewriteStatements(stepsOf(s), rewriter), s);
        if (s.kind === "expression" && standsAlone(s.expression) && this.choices.hasChoice(s.expression)) {
          const made = this.choices.eitherStatement(s, s.expression, (e) => this.entered(e) ?? this.expr(e));
          return made === s ? s : withTriviaOf(unbraced(made), s);
        }
        if (s.kind === "declare" && isArrayOfPointers(this.editor.variables.get(s.variable)!.type))
          return withTriviaOf(rewriteStatements(this.arrays.declaration(s), rewriter), s);
        if (s.kind === "declare" && this.editor.variables.get(s.variable)!.type.kind === "pointer")
          return this.variables.declaration(s);
        if (s.kind === "return" && s.value?.type.kind === "pointer") return this.results.returnedPointer(s, s.value);
        if (s.kind === "expression" && s.expression.type.kind === "pointer" && s.expression.kind === "assign") {
          const moved = this.variables.assignmentStatement(s, s.expression);
          if (moved.kind === "expression" && moved.expression === s.expression) {
            const marker = { ...s };
            gone.add(marker);
            return marker;
          }
          return moved;
        }
        if (s.kind === "for" && s.initializer.some((i) => this.startsWithPointers(i))) return this.loop(s, rewriter);
        return undefined;
      },
    };
    const statements = rewriteStatements(this.f.body.statements, rewriter);
    const returning = this.results.returned.length === 0 ? statements : this.results.returningIndices(statements);
    const done = gone.size === 0 ? returning : cleaned(returning, gone);
    const rest = [...first, ...done];
    if (this.late.length === 0) return rest;
    // What was tried before an object was chosen has left variables that nobody names.
    const named = new Set<VarId>();
    for (const s of rest) walkStatement(s, { place: (p) => void (p.kind === "variable" && named.add(p.variable)) });
    return [...this.late.filter((v) => named.has(v.id)).map((v) => declare(v.id)), ...rest];
  }

  /** A barrier of the buffers that its pointers stand for: of all, where that is one of several. */
  private ofObjects({ buffers, ...rest }: BarrierDescriptor): BarrierDescriptor {
    const bound = buffers!.map((id) => ({ id, to: this.bindings.get(id) }));
    if (bound.some(({ to }) => to?.several)) return rest;
    return { ...rest, buffers: bound.map(({ id, to }) => to?.root ?? id) };
  }

  private startsWithPointers(s: Statement): boolean {
    const e = s.kind === "declare" ? s.initializer : s.kind === "expression" ? s.expression : undefined;
    return e !== undefined && (e.type.kind === "pointer" || this.choices.hasChoice(e));
  }

  /** A loop whose head sets pointers: what becomes more than a list of declarations stands before it. */
  private loop(s: Statement & { kind: "for" }, rewriter: Rewriter): Statement {
    const initializer = rewriteStatements(
      s.initializer.map((i) => ({ ...i, trivia: noTrivia })),
      rewriter,
    );
    const [loop] = rewriteStatements([{ ...s, initializer: [], trivia: noTrivia }], rewriter) as [
      Statement & { kind: "for" },
    ];
    // One declaration: indices of several pointers may be of several types.
    const types = initializer.flatMap((i) => (i.kind === "declare" ? [this.whole.variable(i.variable).type] : []));
    const declared = types.length === initializer.length && types.every((t) => sameType(t, types[0]!));
    if (declared || initializer.every((i) => i.kind === "expression"))
      return { ...loop, initializer, trivia: s.trivia } as Statement;
    return { ...blockOf(loop), statements: [...initializer, loop], trivia: s.trivia } as Statement;
  }

  private guarded(e: Expr): Expr | undefined {
    try {
      return this.enter(e);
    } catch (error) {
      this.whole.report(error);
      return e;
    }
  }

  expr(e: Expr): Expr {
    return rewriteExpr(e, { enterExpr: (x) => this.enter(x), expr: (x) => this.nulls.answered(x) });
  }

  private enter(e: Expr): Expr | undefined {
    return this.choices.eitherExpr(e, () => this.entered(e));
  }

  /** Nodes that hold places or pointers; the rest is descended into. */
  private entered(e: Expr): Expr | undefined {
    switch (e.kind) {
      case "load":
        if (e.type.kind === "pointer")
          throw new NotLowerable("XL4006", "a pointer is used as a value that is no place", e.span);
        return without(load(this.place(e.place), e.span), e);
      case "assign":
        // Nobody takes the pointer: that it points where it did needs no text.
        if (e.type.kind === "pointer") return this.variables.pointerAssignment(e) ?? literal("i32", 0, e.span);
        return { ...e, target: this.place(e.target), value: this.expr(e.value) };
      case "increment":
        if (e.type.kind === "pointer") return e.place.kind === "element" ? this.arrays.step(e) : this.variables.step(e);
        return { ...e, place: this.place(e.place) };
      case "length":
        return { ...e, place: this.place(e.place) };
      case "comma":
        // `i++, p++` in the step of a loop: nobody takes the pointer, and the index it became has a type of its own.
        return e.type.kind === "pointer" ? comma(this.expr(e.left), this.expr(e.right), e.span) : undefined;
      case "op":
        return {
          ...e,
          places: e.places.map((p) => this.place(p)),
          arguments: e.arguments.map((a) => this.expr(a)),
        };
      case "call":
        return this.calls.call(e);
      case "binary": {
        const bits = this.casts.addressBits(e);
        if (bits) return bits;
        if (e.left.type.kind === "pointer" && e.right.type.kind === "pointer") return this.comparisons.comparison(e);
        return undefined;
      }
      case "bitcast":
        if (e.operand.type.kind === "pointer" && e.type.kind !== "pointer") this.casts.refuseAddress(e.span);
        if (e.type.kind !== "pointer") return undefined;
        throw new NotLowerable("XL4006", "a pointer is used as a value that is no place", e.span);
      case "address-of":
      case "pointer-offset":
        throw new NotLowerable("XL4006", "a pointer is used as a value that is no place", e.span);
      default:
        return undefined;
    }
  }

  place(p: Place): Place {
    switch (p.kind) {
      case "variable": {
        const b = this.bindings.get(p.variable);
        const v = this.whole.variable(p.variable);
        // A reference is the object itself.
        if (b && v.type.kind !== "pointer") return this.build(this.variables.current(b), p.span);
        return p;
      }
      case "deref":
        return this.build(this.pointer(p.pointer), p.span);
      case "view":
        return { ...p, offset: this.expr(p.offset) };
      case "element":
        return { ...p, base: this.place(p.base), index: this.expr(p.index) };
      case "member":
      case "swizzle":
        return { ...p, base: this.place(p.base) };
    }
  }

  build(pointer: Pointer, span: Span): Place {
    const root = this.editor.variables.get(pointer.root)!;
    if ([...this.nulls.nowhere.values()].includes(root) && !this.late.includes(root)) this.late.push(root);
    let place: Place = variablePlace(root, span);
    let hole = 0;
    for (const s of pointer.steps)
      place =
        s.kind === "member"
          ? member(place, s.member, s.type, span)
          : s.kind === "view"
            ? { kind: "view", base: place, offset: this.ofView(pointer.holes[hole++]!), type: s.type, span }
            : s.single
              ? this.only(place, pointer.holes[hole++]!, span)
              : s.rows
                ? this.overRows(place, s.type, s.rows, this.inWord(pointer.holes[hole++]!))
                : element(place, this.inWord(pointer.holes[hole++]!), span);
    return place;
  }

  /** What is run looks at the whole array. */
  private overRows(place: Place, to: Type, rows: readonly number[], index: Expr): Place {
    if (!this.isRun || place.kind === "view" || !this.casts.liesAlike(place.type))
      return elementOverRows(place, index, rows, (type) => this.lateLocal("element", type));
    const type = array(to, undefined);
    return element({ kind: "view", base: place, offset: literal("u32", 0), type, span: index.span }, index, index.span);
  }

  /**
   * Elements are counted by 32 bits. A number of bytes has 64 still where pointers are cast (`narrowIndices` of sema): the lower ones lead to
   * the same byte, and what is run looks at whether they hold it: 2^64 less something leads back, as there.
   */
  private inWord(index: Expr): Expr {
    if (!isWide(index)) return index;
    return this.isRun && literalValue(index) === undefined
      ? { kind: "convert", operand: index, type: i32, explicit: false, span: index.span, relies: "value" }
      : asType(index, integerType(index.type));
  }

  /** Bytes at which a view begins; what is run takes them for a signed number, as it does offsets. */
  private ofView(bytes: Expr): Expr {
    if (!this.isRun) return lowBits(bytes);
    return signedBytes(bytes) ?? asType(lowBits(bytes), i32);
  }

  /** By which a pointer is moved. */
  amount(by: Expr): Expr {
    return this.isRun ? this.inWord(by) : by;
  }

  get isRun(): boolean {
    return this.whole.context.target === "ts";
  }

  /** The object that is no array: what is run looks at the index, which elsewhere has no other way to be right than to be 0. */
  private only(object: Place, index: Expr, span: Span): Place {
    if (Number(literalValue(index)) === 0) return object;
    if (this.isRun) return { kind: "element", base: object, index, type: object.type, span };
    if (isPure(index)) return object;
    throw new NotLowerable("XL4006", "a pointer to a single object is moved where it is used", span);
  }

  pointer(e: Expr): Pointer {
    switch (e.kind) {
      case "load": {
        if (e.place.kind === "element") return this.arrays.read(e);
        if (e.place.kind !== "variable") throw new NotLowerable("XL4006", "a pointer is kept in memory", e.span);
        const b = this.variables.bound(e.place.variable, e.span);
        if (!b) throw this.variables.unbound(e.place.variable, "used", e.span);
        return this.variables.current(b);
      }
      case "address-of":
        return this.casts.address(this.path(e.place), e);
      case "call":
        return this.calls.calledPointer(e);
      case "pointer-offset":
        return this.moved(this.pointer(e.pointer), this.expr(e.offset), pointeeOf(e), e.span);
      case "increment": {
        if (e.place.kind === "element") return this.arrays.stepped(e);
        if (e.place.kind !== "variable") throw new NotLowerable("XL4006", "a pointer is kept in memory", e.span);
        const b = this.variables.bound(e.place.variable, e.span);
        if (!b) throw this.variables.unbound(e.place.variable, "moved", e.span);
        return {
          root: b.root,
          steps: b.steps,
          holes: [...this.variables.current(b).holes.slice(0, -1), this.variables.step(e)],
        };
      }
      case "assign":
        return this.variables.assignedPointer(e);
      case "comma": {
        if (isPure(e.left) || this.choices.decided.has(e)) return this.pointer(e.right);
        const done = { before: this.expr(e.left) };
        throw new Choice(e, () => [], "a pointer stands behind an effect", e.span, undefined, [], done);
      }
      case "bitcast":
        return this.casts.cast(this.pointer(e.operand), pointeeOf(e), e);
      case "conditional": {
        const decided = this.choices.decided.get(e);
        if (decided && decided.of > 2) return this.pointer(chainOf(e).arms[decided.at]!);
        if (decided) {
          const [meant, other] = decided.at === 0 ? [e.whenTrue, e.whenFalse] : [e.whenFalse, e.whenTrue];
          if (!this.nulls.isNull(meant)) return this.pointer(meant);
          return this.nulls.nullLike(this.pointer(other), pointeeOf(e), meant.span);
        }
        this.inTurn(e);
        const [x, y] = this.arms(e);
        if (!x && !y) {
          const nowhere = [e.whenTrue, e.whenFalse].find((p) => p.kind !== "null-pointer");
          if (!nowhere || !isPure(e.condition))
            throw new NotLowerable("XL4006", "a pointer is chosen of two that are null", e.span);
          return this.pointer(nowhere);
        }
        const [a, b] = alike(
          x ?? this.nulls.nullLike(y!, pointeeOf(e), e.whenTrue.span),
          y ?? this.nulls.nullLike(x!, pointeeOf(e), e.whenFalse.span),
          pointeeOf(e),
        );
        if (keyOf(a) !== keyOf(b)) {
          const [one, other] = [a, b].map((p) => this.whole.variable(p.root).name);
          throw new Choice(
            e,
            () => [this.expr(e.condition)],
            `the pointer may point into ${other!} or ${one!}`,
            e.whenFalse.span,
            {
              message: `here it points into ${one!}`,
              span: e.whenTrue.span,
            },
            [a.root, b.root],
          );
        }
        const condition = this.expr(e.condition);
        const differing = a.holes.filter((h, i) => h !== b.holes[i]).length;
        const asked = differing === 1 || (isPure(condition) && [...a.holes, ...b.holes].every(isPure));
        // The condition is asked once, before what either way does.
        if (!asked)
          throw new Choice(e, () => [condition], "a pointer is chosen by several indices", e.span, undefined, [a.root]);
        return {
          ...a,
          holes: a.holes.map((h, i) => {
            const other = b.holes[i]!;
            if (h === other) return h;
            const mixed = this.isOfSource(h) !== this.isOfSource(other);
            // An index of ours stays as it is: null is no number that the source would have.
            const known = h.kind === "literal" || (mixed && this.isOfSource(h) && other.kind !== "literal") ? other : h;
            const type = integerType(known.type);
            return chosenIndex(condition, this.offsetAs(h, type, mixed), this.offsetAs(other, type, mixed), e.span);
          }),
        };
      }
      default:
        throw new NotLowerable(
          "XL4006",
          "the target has no pointers, and what this one points at is not known here",
          e.span,
        );
    }
  }

  /** `a ? p : b ? q : r` of three objects is one choice: each of the three is written once. */
  private inTurn(e: Expr & { kind: "conditional" }): void {
    const { conditions, arms } = chainOf(e);
    if (arms.length < 3 || ![...conditions, ...arms].every(isPure) || arms.some((a) => a.kind !== "address-of")) return;
    const [first, ...others] = arms.map((a) => this.pointer(a));
    const other = others.findIndex((p) => keyOf(p) !== keyOf(first!));
    if (other < 0) return;
    const [one, two] = [first!, others[other]!].map((p) => this.whole.variable(p.root).name);
    throw new Choice(
      e,
      () => conditions.map((c) => this.expr(c)),
      `the pointer may point into ${two!} or ${one!}`,
      arms[other + 1]!.span,
      { message: `here it points into ${one!}`, span: arms[0]!.span },
      [first!, ...others].map((p) => p.root),
    );
  }

  /** What one of two pointers does, or finds by an index, is done only where that one is meant, and behind what the condition does. */
  private arms(e: Expr & { kind: "conditional" }): readonly (Pointer | undefined)[] {
    try {
      return [e.whenTrue, e.whenFalse].map((x) => this.nulls.maybe(x));
    } catch (error) {
      if (!(error instanceof Choice)) throw error;
      const inTurn = [e.condition, e.whenTrue, e.whenFalse].some((x) => !isPure(x)) || isFoundByIndex(error.on);
      if (!inTurn) throw error;
      throw new Choice(e, () => [this.expr(e.condition)], error.message, error.span, error.other, error.objects);
    }
  }

  sameShape(a: Shape, b: Shape, where: Span, other: Span): void {
    if (keyOf(a) === keyOf(b)) return;
    const name = (s: Shape): string => this.whole.variable(s.root).name;
    throw new NotLowerable("XL4005", `the pointer may point into ${name(b)} or ${name(a)}`, other, {
      message: `here it points into ${name(a)}`,
      span: where,
    });
  }

  /** The place as a path of its root and the indices on the way. */
  path(p: Place): Pointer {
    switch (p.kind) {
      case "variable": {
        const b = this.bindings.get(p.variable);
        const v = this.whole.variable(p.variable);
        if (b && v.type.kind !== "pointer") return this.variables.current(b);
        return { root: p.variable, steps: [], holes: [] };
      }
      case "deref":
        return this.pointer(p.pointer);
      case "element": {
        if (p.base.type.kind === "vector") throw new NotLowerable("XL4006", "a pointer to a vector component", p.span);
        const base = this.path(p.base);
        return {
          root: base.root,
          steps: [...base.steps, { kind: "index", type: p.type }],
          holes: [...base.holes, notNull(this.expr(p.index))],
        };
      }
      case "member": {
        const base = this.path(p.base);
        return { ...base, steps: [...base.steps, memberStep(p)] };
      }
      case "view":
        throw new Error("broken tree: a view in the source");
      case "swizzle":
        throw new NotLowerable("XL4006", "a pointer to vector components", p.span);
    }
  }

  private moved(from: Pointer, offset: Expr, type: Type, span: Span): Pointer {
    const amount = literalValue(offset);
    if (amount === 0 || amount === 0n) return from;
    const p = inArray(from, type);
    const start = p.holes.at(-1)!;
    const sum = added(
      leadsForward(offset) || !this.isOfSource(start) ? start : ofSomeObject(start),
      notNull(literalValue(start) === 0 || isWide(start) ? offset : this.amount(offset)),
      span,
      !this.isOfSource(start),
    );
    return { ...p, holes: [...p.holes.slice(0, -1), sum] };
  }

  /**
   * An offset from the start of an object as this type: a number of the source leads forward, an index of ours may be null. What is run looks at
   * all numbers of the source; a text has them as they are, but where one of ours may come in its place (`mixed`).
   */
  offsetAs(e: Expr, type: Type, mixed = false): Expr {
    if (!this.isOfSource(e)) return asType(e, type);
    const start = this.amount(e);
    return amountAs((this.isRun || mixed) && sameType(type, u32) ? ofSomeObject(start) : start, type);
  }

  /** Whether an index is a number of the source, not one of ours, which may be null or lie before its object. */
  isOfSource(e: Expr): boolean {
    const isNamed = (p: Place): boolean => {
      const root = rootVariable(p);
      return root !== undefined && (usesGlobal(this.f, root) || this.unmoved.has(root));
    };
    switch (e.kind) {
      case "load":
      case "increment":
        return isNamed(e.place);
      case "assign":
        return isNamed(e.target);
      case "comma":
        return this.isOfSource(e.right);
      case "binary":
        if (liesBefore(e)) return false;
        return e.relies !== "offset" || (e.operator === "add" && this.isOfSource(e.left) && this.isOfSource(e.right));
      case "conditional":
        return this.isOfSource(e.whenTrue) && this.isOfSource(e.whenFalse);
      case "call":
        return !this.whole.isSpecialisation(e.function);
      case "literal":
        return !isNullIndex(e);
      // The bytes of a cast are counted by signed numbers.
      case "convert":
        return !signedBytes(e);
      case "op":
      case "unary":
      case "bitcast":
      case "member-value":
      case "element-value":
        return true;
      // Where an invocation is never comes near 2^31.
      case "swizzle-value":
        return e.operand.kind !== "builtin";
      default:
        return false;
    }
  }

  lateLocal(name: string, type: Type): Variable {
    const v = this.editor.addLocal(name, type, noSpan);
    this.late.push(v);
    return v;
  }

  readonly late: Variable[] = [];

  /** Offsets that are numbers of the source, and never move. */
  readonly unmoved = new Set<VarId>();
}
