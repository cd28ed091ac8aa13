/** Lowers the pointers of one function body: places, pointer variables, calls (see `pointers.ts`). */
import type { ModuleEditor } from "../../ast/builders.js";
import {
  assign,
  binary,
  comma,
  conditional,
  declare,
  element,
  increment,
  literal,
  literalValue,
  load,
  logical,
  member,
  rootVariable,
  variablePlace,
} from "../../ast/builders.js";
import {
  noTrivia,
  type Argument,
  type Expr,
  type FunctionDeclaration,
  type Place,
  type Statement,
  type Variable,
  type VarId,
} from "../../ast/nodes.js";
import { isPure, rewriteExpr, rewriteStatements, walkExpr, walkStatement, type Rewriter } from "../../ast/walk.js";
import { noSpan, type Span } from "../../support/span.js";
import { bool, i32, sameType, scalarOf, voidType, type PointerType, type Type } from "../../types/types.js";
import {
  added,
  assignedAgain,
  asType,
  type Binder,
  type Binding,
  Choice,
  cleaned,
  FollowsFromAnother,
  inArray,
  integerType,
  isLoadOf,
  isPointerLike,
  isVariable,
  keyOf,
  mentions,
  NotLowerable,
  nullIndex,
  type Pointer,
  mostChoices,
  type Chooser,
  type Result,
  type ResultHole,
  type ResultPlace,
  sameIndex,
  sequence,
  type Shape,
  type Specialisation,
  usesGlobal,
  valueKey,
  without,
  withTriviaOf,
} from "./pointer-values.js";
import { indices, objectBinders, restOf, type PrivatePointer } from "./pointer-objects.js";
import type { PointerLowering } from "./lower-pointers.js";

export class FunctionLowering {
  constructor(
    private readonly whole: PointerLowering,
    private readonly editor: ModuleEditor,
    private readonly f: FunctionDeclaration,
    /** Grows as pointer variables are bound. */
    private readonly bindings: Map<VarId, Binding>,
  ) {}

  /** Where a variable that starts as null points later, found on the way; `again`: found just now. */
  private readonly learned = new Map<VarId, Shape>();
  private again = false;

  run(): readonly Statement[] {
    const start = new Map(this.bindings);
    for (;;) {
      const mark = this.whole.mark();
      this.again = false;
      const statements = this.attempt();
      if (!this.again) return statements;
      this.whole.backTo(mark);
      this.bindings.clear();
      for (const [id, b] of start) this.bindings.set(id, b);
      this.late.length = 0;
      this.returned.length = 0;
      this.result = undefined;
      this.nowhere.clear();
      this.answers.clear();
    }
  }

  private attempt(): readonly Statement[] {
    const gone = new Set<Statement>();
    const first = this.ownParameters();
    const rewriter: Rewriter = {
      enterExpr: (e) => this.guarded(e),
      expr: (e) => this.answered(e),
      statement: (s) => {
        if (s.kind !== "if" || !this.answers.has(s.condition)) return s;
        const taken = literalValue(s.condition) === true ? s.then : s.else;
        // A return that gets its index later stays the same node.
        if (taken) return taken.kind === "return" ? taken : { ...taken, trivia: s.trivia };
        const marker: Statement = { kind: "block", statements: [], innerComments: [], span: s.span, trivia: s.trivia };
        gone.add(marker);
        return marker;
      },
      enterStatement: (s) => {
        if (s.kind === "expression" && s.expression.kind === "comma" && this.hasChoice(s.expression))
          return withTriviaOf(rewriteStatements(stepsOf(s), rewriter), s);
        if (s.kind === "expression" && s.expression.type.kind !== "pointer" && this.hasChoice(s.expression))
          return this.eitherStatement(s, s.expression, (e) => this.entered(e) ?? this.expr(e));
        if (s.kind === "declare" && this.editor.variables.get(s.variable)!.type.kind === "pointer")
          return this.declaration(s);
        if (s.kind === "return" && s.value?.type.kind === "pointer") return this.returnedPointer(s, s.value);
        if (s.kind === "expression" && s.expression.type.kind === "pointer" && s.expression.kind === "assign") {
          const moved = this.assignmentStatement(s, s.expression);
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
    const returning = this.returned.length === 0 ? statements : this.returningIndices(statements);
    const done = gone.size === 0 ? returning : cleaned(returning, gone);
    return [...this.late.map((v) => declare(v.id)), ...first, ...done];
  }

  private startsWithPointers(s: Statement): boolean {
    const e = s.kind === "declare" ? s.initializer : s.kind === "expression" ? s.expression : undefined;
    return e !== undefined && (e.type.kind === "pointer" || this.hasChoice(e));
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
    if (initializer.every((i) => i.kind === "declare") || initializer.every((i) => i.kind === "expression"))
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

  private expr(e: Expr): Expr {
    return rewriteExpr(e, { enterExpr: (x) => this.enter(x), expr: (x) => this.answered(x) });
  }

  /** Tests for null that are answered here: what they keep from being evaluated need not be sayable in the target. */
  private readonly answers = new Set<Expr>();

  // ---------------------------------------------------------------- one of several objects

  /** Which of several objects is meant in what is being lowered, and the pointer into it where that is settled. */
  private readonly decided = new Map<Chooser, { readonly at: number; readonly pointer?: Pointer }>();
  /** How often what is being lowered has been written for several objects. */
  private written = 0;
  /** Where variables point that point into several objects; found on the way, as `learned` is. */
  private readonly several = new Map<VarId, readonly Shape[]>();

  /** What is made of each; all but the last under a condition. `before` is evaluated once, before the first of them. */
  private each<T>(
    choice: Choice,
    make: () => T,
  ): {
    readonly before: Expr | undefined;
    readonly all: readonly { readonly condition: Expr | undefined; readonly made: T }[];
  } {
    const { on, done } = choice;
    if (this.decided.size === 0) this.written = 0;
    const conditions = choice.conditions();
    const all = [...conditions, undefined].map((condition, at) => {
      if (++this.written > mostChoices)
        throw new NotLowerable(
          "XL4005",
          `this would be written more than ${String(mostChoices)} times for the objects its pointers may point into`,
          choice.span,
          choice.other,
        );
      this.decided.set(on, { at, ...(done ? { pointer: done.pointers[at]! } : {}) });
      try {
        return { condition, made: make() };
      } finally {
        this.decided.delete(on);
      }
    });
    return { before: done?.before, all };
  }

  /** The conditions of a choice by the number of an object. */
  private byNumber(which: Variable, count: number): () => readonly Expr[] {
    return () =>
      Array.from({ length: count - 1 }, (_, at) =>
        binary("eq", load(variablePlace(which)), asType(literal("i32", at), which.type), noSpan),
      );
  }

  private eitherExpr(e: Expr, make: () => Expr | undefined): Expr | undefined {
    try {
      return make();
    } catch (error) {
      // The value of an assignment of pointers is an index, or nobody's.
      if (!(error instanceof Choice) || (e.type.kind === "pointer" && e.kind !== "assign")) throw error;
      this.mustNotCross(e, error.on);
      const { before, all } = this.each(error, () => this.eitherExpr(e, make) ?? e);
      const after = (x: Expr): Expr => (before ? comma(before, x, e.span) : x);
      const same = all.every((x) => isPure(x.made) && valueKey(x.made) === valueKey(all[0]!.made));
      if (same && all.every((x) => !x.condition || isPure(x.condition))) return after(all[0]!.made);
      // Nobody takes the value of a call that has none, nor indices of two types.
      const untaken = e.type.kind === "void" || !all.every((x) => sameType(x.made.type, all[0]!.made.type));
      const value = (x: Expr): Expr => (untaken ? comma(x, literal("i32", 0), e.span) : x);
      return after(
        all.reduceRight<Expr | undefined>(
          (rest, x) => (rest && x.condition ? conditional(x.condition, value(x.made), rest, e.span) : value(x.made)),
          undefined,
        )!,
      );
    }
  }

  /** The statement itself where nothing is left of it. */
  private eitherStatement(s: ExpressionStatement, e: Expr, lower: (e: Expr) => Expr | undefined): Statement {
    return this.either(s, e, () => {
      const made = lower(e);
      return made ? { ...s, expression: made } : s;
    });
  }

  private either(s: Statement, e: Expr, lower: () => Statement): Statement {
    try {
      return this.oneOf({ ...s, trivia: noTrivia }, e, lower, s);
    } catch (error) {
      this.whole.report(error);
      return s;
    }
  }

  private oneOf(bare: Statement, e: Expr, lower: () => Statement, whole: Statement): Statement {
    try {
      return lower();
    } catch (error) {
      if (!(error instanceof Choice)) throw error;
      this.mustNotCross(e, error.on);
      const { before, all } = this.each(error, () => this.oneOf(bare, e, lower, whole));
      const chosen = all.reduceRight<Statement | undefined>((rest, { condition, made }) => {
        const then = made === whole ? emptyBlock : { ...made, trivia: noTrivia };
        // A return that gets its index later stays the same node.
        const kept = made.kind === "return" ? made : then;
        return rest && condition
          ? {
              kind: "if",
              condition,
              then: blockOf(kept),
              else: rest.kind === "if" ? rest : blockOf(rest),
              span: whole.span,
              trivia: noTrivia,
            }
          : kept;
      }, undefined)!;
      if (!before) return { ...chosen, trivia: whole.trivia };
      const first: Statement = { kind: "expression", expression: before, span: whole.span, trivia: noTrivia };
      return {
        kind: "block",
        statements: [...stepsOf(first), chosen],
        innerComments: [],
        span: whole.span,
        trivia: whole.trivia,
      };
    }
  }

  /** What is written once for each object runs under a condition, which lanes must not differ in where they have to meet. */
  private mustNotCross(e: Expr, on: Chooser): void {
    if (!this.whole.mayStandUnder(on, e))
      throw new NotLowerable(
        "XL4005",
        "a pointer into one of several objects is used where all lanes have to come together, and they may differ in which",
        e.span,
      );
  }

  private hasChoice(e: Expr): boolean {
    let found = false;
    walkExpr(e, {
      expr: (x) => void (found ||= x.type.kind === "pointer" && ["conditional", "call", "assign"].includes(x.kind)),
      place: (p) => void (found ||= p.kind === "variable" && this.bindings.get(p.variable)?.several !== undefined),
    });
    return found;
  }

  /** Once more, with one more object that `v` may point into. */
  private alsoInto(v: Variable, known: readonly Shape[], value: Shape): undefined {
    this.several.set(
      v.id,
      [...known, value].map(({ root, steps }) => ({ root, steps })),
    );
    this.again = true;
    return undefined;
  }

  /** What a pointer variable stands for: of several objects the one that is meant. */
  private bound(id: VarId, span: Span): Binding | undefined {
    const b = this.bindings.get(id);
    if (!b?.several) return b;
    const { shapes, which } = b.several;
    const decided = this.decided.get(id);
    if (!decided) {
      const [first, second] = shapes.map((s) => this.whole.variable(s.root).name);
      throw new Choice(
        id,
        this.byNumber(which, shapes.length),
        `pointer ${this.whole.variable(id).name} may point into ${first!} or ${second!}`,
        span,
        { message: `here it points into ${first!}`, span: b.span },
      );
    }
    return this.intoOneOf(b, shapes[decided.at]!);
  }

  /** Of a variable that may point into several objects: into this one. */
  private intoOneOf(b: Binding, shape: Shape): Binding {
    const { several: _several, ...rest } = b;
    return { ...rest, ...shape, holes: b.holes.slice(b.holes.length - indices(shape.steps)) };
  }

  private answered(e: Expr): Expr {
    const isTrue = (x: Expr): boolean | undefined =>
      this.answers.has(x) ? x.kind === "literal" && x.value === true : undefined;
    if (e.kind === "unary" && e.operator === "not" && isTrue(e.operand) !== undefined)
      return this.answer(!isTrue(e.operand), e.span);
    if (e.kind === "logical" && isTrue(e.left) !== undefined)
      return isTrue(e.left) === (e.operator === "and") ? e.right : e.left;
    if (e.kind === "conditional" && isTrue(e.condition) !== undefined)
      return isTrue(e.condition) ? e.whenTrue : e.whenFalse;
    return e;
  }

  private answer(value: boolean, span: Span): Expr {
    const made = literal("bool", value, span);
    this.answers.add(made);
    return made;
  }

  private enter(e: Expr): Expr | undefined {
    return this.eitherExpr(e, () => this.entered(e));
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
        if (e.type.kind === "pointer") return this.pointerAssignment(e) ?? literal("i32", 0, e.span);
        return { ...e, target: this.place(e.target), value: this.expr(e.value) };
      case "increment":
        if (e.type.kind === "pointer") return this.step(e);
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
        return this.call(e);
      case "binary":
        if (e.left.type.kind === "pointer" && e.right.type.kind === "pointer") return this.comparison(e);
        return undefined;
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
        if (b && v.type.kind !== "pointer") return this.build(this.current(b), p.span);
        return p;
      }
      case "deref":
        return this.build(this.pointer(p.pointer), p.span);
      case "element":
        return { ...p, base: this.place(p.base), index: this.expr(p.index) };
      case "member":
      case "swizzle":
        return { ...p, base: this.place(p.base) };
    }
  }

  private build(pointer: Pointer, span: Span): Place {
    const root = this.editor.variables.get(pointer.root)!;
    if ([...this.nowhere.values()].includes(root) && !this.late.includes(root)) this.late.push(root);
    let place: Place = variablePlace(root, span);
    let hole = 0;
    for (const s of pointer.steps)
      place =
        s.kind === "member"
          ? member(place, s.member, s.type, span)
          : s.single
            ? this.only(place, pointer.holes[hole++]!, span)
            : element(place, pointer.holes[hole++]!, span);
    return place;
  }

  /** The object that is no array: what is run looks at the index, which elsewhere has no other way to be right than to be 0. */
  private only(object: Place, index: Expr, span: Span): Place {
    if (Number(literalValue(index)) === 0) return object;
    if (this.whole.context.target === "ts") return { kind: "element", base: object, index, type: object.type, span };
    if (isPure(index)) return object;
    throw new NotLowerable("XL4006", "a pointer to a single object is moved where it is used", span);
  }

  private current(b: Binding): Pointer {
    return {
      root: b.root,
      steps: b.steps,
      holes: b.holes.map((h) => (isVariable(h) ? load(variablePlace(h)) : h)),
    };
  }

  // ---------------------------------------------------------------- pointer values

  private pointer(e: Expr): Pointer {
    switch (e.kind) {
      case "load": {
        if (e.place.kind !== "variable") throw new NotLowerable("XL4006", "a pointer is kept in memory", e.span);
        const b = this.bound(e.place.variable, e.span);
        if (!b)
          throw new NotLowerable(
            "XL4006",
            `pointer ${this.whole.variable(e.place.variable).name} is used before it points anywhere`,
            e.span,
          );
        return this.current(b);
      }
      case "address-of":
        return this.path(e.place);
      case "call":
        return this.calledPointer(e);
      case "pointer-offset":
        return this.moved(this.pointer(e.pointer), this.expr(e.offset), pointeeOf(e), e.span);
      case "increment": {
        if (e.place.kind !== "variable") throw new NotLowerable("XL4006", "a pointer is kept in memory", e.span);
        const b = this.bound(e.place.variable, e.span);
        if (!b) throw new NotLowerable("XL4006", "a pointer is moved before it points anywhere", e.span);
        return { root: b.root, steps: b.steps, holes: [...this.current(b).holes.slice(0, -1), this.step(e)] };
      }
      case "assign":
        return this.assignedPointer(e);
      case "conditional": {
        const decided = this.decided.get(e);
        if (decided) return this.pointer(decided.at === 0 ? e.whenTrue : e.whenFalse);
        const [x, y] = [this.maybe(e.whenTrue), this.maybe(e.whenFalse)];
        if (!x && !y) throw new NotLowerable("XL4006", "a pointer is chosen of two that are null", e.span);
        const [a, b] = alike(
          x ?? this.nullLike(y!, pointeeOf(e), e.whenTrue.span),
          y ?? this.nullLike(x!, pointeeOf(e), e.whenFalse.span),
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
          );
        }
        const condition = this.expr(e.condition);
        const differing = a.holes.filter((h, i) => h !== b.holes[i]).length;
        if (differing > 1 && !isPure(condition))
          throw new NotLowerable("XL4006", "a pointer is chosen by a condition with side effects", e.span);
        return {
          ...a,
          holes: a.holes.map((h, i) => {
            const other = b.holes[i]!;
            if (h === other) return h;
            const type = integerType((h.kind === "literal" ? other : h).type);
            return conditional(condition, asType(h, type), asType(other, type), e.span);
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

  private sameShape(a: Shape, b: Shape, where: Span, other: Span): void {
    if (keyOf(a) === keyOf(b)) return;
    const name = (s: Shape): string => this.whole.variable(s.root).name;
    throw new NotLowerable("XL4005", `the pointer may point into ${name(b)} or ${name(a)}`, other, {
      message: `here it points into ${name(a)}`,
      span: where,
    });
  }

  /** The place as a path of its root and the indices on the way. */
  private path(p: Place): Pointer {
    switch (p.kind) {
      case "variable": {
        const b = this.bindings.get(p.variable);
        const v = this.whole.variable(p.variable);
        if (b && v.type.kind !== "pointer") return this.current(b);
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
          holes: [...base.holes, this.expr(p.index)],
        };
      }
      case "member": {
        const base = this.path(p.base);
        return { ...base, steps: [...base.steps, { kind: "member", member: p.member, type: p.type }] };
      }
      case "swizzle":
        throw new NotLowerable("XL4006", "a pointer to vector components", p.span);
    }
  }

  private moved(from: Pointer, offset: Expr, type: Type, span: Span): Pointer {
    const amount = literalValue(offset);
    if (amount === 0 || amount === 0n) return from;
    const p = inArray(from, type);
    return { ...p, holes: [...p.holes.slice(0, -1), added(p.holes.at(-1)!, offset, span)] };
  }

  /** `p++` and the like: the index moves; the value is the index. */
  private step(e: Expr & { kind: "increment" }): Expr {
    const b = e.place.kind === "variable" ? this.bindings.get(e.place.variable) : undefined;
    const hole = b?.holes.at(-1);
    if (!b || !hole || !isVariable(hole) || b.steps.at(-1)?.kind !== "index")
      throw new NotLowerable("XL4006", "a pointer to a single object is moved", e.span);
    return increment(variablePlace(hole, e.span), e.delta, e.prefix, e.span);
  }

  private comparison(e: Expr & { kind: "binary" }): Expr {
    if (e.right.kind === "null-pointer") return this.nullTest(e, e.left);
    if (e.left.kind === "null-pointer") return this.nullTest(e, e.right);
    const [a, b] = alike(this.pointer(e.left), this.pointer(e.right), pointeeOf(e.left));
    if (this.isNothing(b) && (e.operator === "eq" || e.operator === "ne")) return this.nullTest(e, e.left);
    if (this.isNothing(a) && (e.operator === "eq" || e.operator === "ne")) return this.nullTest(e, e.right);
    if (keyOf(a) !== keyOf(b) && this.areApart(a, b, e)) return this.comparisonApart(a, b, e);
    this.sameShape(a, b, e.left.span, e.right.span);
    const [first, second] = [this.linear(a, b, e.span), this.linear(b, a, e.span)];
    if (e.operator === "sub") {
      const [from, to] = [literalValue(second), literalValue(first)];
      if (from === 0 || from === 0n) return asType(first, i32);
      // Modulo 2^32 the difference of indices is right, whatever their sign.
      const type = to === undefined ? integerType(first.type) : integerType(second.type);
      return asType(binary("sub", asType(first, type), asType(second, type), e.span), i32);
    }
    // A pointer may have stepped below the first element: which comes first is asked of signed indices.
    const type = e.operator === "eq" || e.operator === "ne" ? first.type : i32;
    return binary(e.operator, asType(first, type), asType(second, type), e.span);
  }

  /**
   * Of two objects. What a helper that compares was handed is one object only where its parameters have one root
   * (`objectBinders`). Two buffers may be one: their order and distance are not told then, and that they differ is assumed.
   */
  private areApart(a: Pointer, b: Pointer, e: Comparison): boolean {
    if (a.root === b.root) return false;
    const [one, other] = [a, b].map((p) => this.whole.variable(p.root));
    if ([one, other].some((v) => ["private", "workgroup"].includes(v!.space))) return true;
    if (e.operator !== "eq" && e.operator !== "ne") return false;
    this.whole.context.note("assumed", "buffers-apart", `${one!.name} and ${other!.name} are two buffers`, e.span);
    return true;
  }

  private comparisonApart(a: Pointer, b: Pointer, e: Comparison): Expr {
    const tested = [this.mayBeNull(a, e.left), this.mayBeNull(b, e.right)];
    const [left, right] = tested;
    const asks = (e.operator === "eq" || e.operator === "ne") && left && right;
    const effects = [...a.holes, ...b.holes].filter((h) => !isPure(h) && !(asks && tested.includes(h)));
    const after = (x: Expr): Expr => (effects.length === 0 ? x : sequence([...effects, x])!);
    // Which comes first, and by how much, is open in C.
    if (e.operator === "sub") return after(literal("i32", 0, e.span));
    if (e.operator !== "eq" && e.operator !== "ne") return after(literal("bool", false, e.span));
    if (!asks) return after(this.answer(e.operator === "ne", e.span));
    // Both may be null.
    const isNull = (index: Expr): Expr => {
      const nothing = nullIndex(index.type, e.span);
      return binary(e.operator, asType(index, nothing.type), nothing, e.span);
    };
    const operator = e.operator === "eq" ? "and" : "or";
    if (isPure(right)) return after(logical(operator, isNull(left), isNull(right), e.span));
    if (isPure(left)) return after(logical(operator, isNull(right), isNull(left), e.span));
    const first = variablePlace(this.lateLocal("is_null", bool));
    return after(
      comma(assign(first, isNull(left), e.span), logical(operator, isNull(right), load(first), e.span), e.span),
    );
  }

  /** The index that tells whether it is null, where it may be. */
  private mayBeNull(p: Pointer, e: Expr): Expr | undefined {
    const index = p.steps.at(-1)?.kind === "index" ? p.holes.at(-1) : undefined;
    if (!index || index.kind === "literal" || this.isAddress(e)) return undefined;
    return index;
  }

  /** `p == 0`, `p != 0`: its last index is the one no object has. */
  private nullTest(e: Expr & { kind: "binary" }, tested: Expr): Expr {
    if (tested.kind === "null-pointer") return this.answer(e.operator === "eq", e.span);
    const p = this.pointer(tested);
    const index = p.steps.at(-1)?.kind === "index" ? p.holes.at(-1) : undefined;
    const answer = (isNull: boolean): Expr => {
      const value = this.answer(isNull === (e.operator === "eq"), e.span);
      const effects = p.holes.filter((h) => !isPure(h));
      return effects.length === 0 ? value : sequence([...effects, value])!;
    };
    // The address of an object is none.
    if (index === undefined || this.isAddress(tested)) return answer(false);
    const nothing = nullIndex(index.type, e.span);
    if (index.kind === "literal") return answer(Number(literalValue(index)) === Number(literalValue(nothing)));
    return binary(e.operator, asType(index, nothing.type), nothing, e.span);
  }

  /** `&x[i]`, `x`, `x + i`: of an object, not of what a pointer leads to. */
  private isAddress(e: Expr): boolean {
    if (e.kind === "pointer-offset") return this.isAddress(e.pointer);
    if (e.kind !== "address-of") return false;
    let place = e.place;
    while (place.kind !== "variable" && place.kind !== "deref") place = place.base;
    return place.kind === "variable";
  }

  /** The pointer to nothing, for a place where otherwise one of this shape stands. */
  private nullLike(like: Pointer, type: Type, span: Span): Pointer {
    const p = inArray(like, type);
    return {
      ...p,
      holes: [
        ...p.holes.slice(0, -1).map((h) => literal(scalarOf(h.type) ?? "i32", 0, span)),
        nullIndex(integerType(p.holes.at(-1)!.type), span),
      ],
    };
  }

  /** A pointer to nothing at all: past an array that nobody has, declared where it is accessed all the same. */
  private nothing(v: Variable, span: Span): Pointer {
    let root = this.nowhere.get(v.id);
    if (!root) {
      const element = (v.type as PointerType).pointee;
      root = this.editor.addVariable({
        name: `${v.name}_none`,
        type: { kind: "array", element, length: 1 },
        space: "private",
        role: "local",
        constant: false,
        span: noSpan,
      });
      this.nowhere.set(v.id, root);
    }
    return {
      root: root.id,
      steps: [{ kind: "index", type: (v.type as PointerType).pointee }],
      holes: [nullIndex(i32, span)],
    };
  }

  private readonly isNothing = (p: Pointer): boolean => [...this.nowhere.values()].some((v) => v.id === p.root);

  /** Undefined where it is null. */
  private maybe(e: Expr): Pointer | undefined {
    const p = e.kind === "null-pointer" ? undefined : this.pointer(e);
    return p && this.isNothing(p) ? undefined : p;
  }

  private valueOf(v: Variable, e: Expr): Pointer {
    return this.maybe(e) ?? this.nullOf(v, e.span);
  }

  /** Parameters that every call of this copy of the function gives null, and those that point into several objects. */
  private ownParameters(): readonly Statement[] {
    return this.f.parameters.flatMap((p) => {
      const v = this.whole.variable(p);
      if (v.type.kind !== "pointer") return [];
      const given = this.bindings.get(p);
      const several = this.several.get(p);
      // One that the function sets to point into other objects starts where the caller says.
      if (given && several)
        return this.bindSeveral(v, several, this.current(given), v.span).values.map((x) => declare(x.hole.id, x.value));
      if (given) return [];
      return this.bind(v, this.nullOf(v, v.span), v.span).values.map((x) => declare(x.hole.id, x.value));
    });
  }

  private readonly nowhere = new Map<VarId, Variable>();

  /** The null pointer that `v` is given: of the shape it has elsewhere. */
  private nullOf(v: Variable, span: Span): Pointer {
    const shape = this.bindings.get(v.id) ?? this.learned.get(v.id) ?? this.shapeOf(v.id, new Set());
    if (!shape) return this.nothing(v, span);
    const known = inArray<Shape>({ root: shape.root, steps: shape.steps }, (v.type as PointerType).pointee);
    const count = indices(known.steps);
    return {
      root: known.root,
      steps: known.steps,
      holes: known.steps
        .filter((s) => s.kind === "index")
        .map((_, i) => (i + 1 < count ? literal("i32", 0, span) : nullIndex(this.offsetType(v.id), span))),
    };
  }

  /** Where a pointer variable points by the first of its values that is not null. */
  private shapeOf(id: VarId, seen: Set<VarId>): Shape | undefined {
    const known = this.bindings.get(id);
    if (known) return known;
    if (seen.has(id)) return undefined;
    seen.add(id);
    let found: Shape | undefined;
    walkStatement(this.f.body, {
      statement: (s) => {
        if (s.kind === "declare" && s.variable === id && s.initializer)
          found ??= this.shapeOfValue(s.initializer, seen);
        return !found;
      },
      expr: (e) => {
        if (e.kind === "assign" && !e.operator && e.target.kind === "variable" && e.target.variable === id)
          found ??= this.shapeOfValue(e.value, seen);
        return !found;
      },
    });
    return found;
  }

  private shapeOfValue(e: Expr, seen: Set<VarId>): Shape | undefined {
    switch (e.kind) {
      case "load":
        return e.place.kind === "variable" ? this.shapeOf(e.place.variable, seen) : undefined;
      case "pointer-offset":
        return this.shapeOfValue(e.pointer, seen);
      case "conditional":
        return this.shapeOfValue(e.whenTrue, seen) ?? this.shapeOfValue(e.whenFalse, seen);
      case "assign":
        return this.shapeOfValue(e.value, seen);
      case "address-of":
        return this.shapeOfPlace(e.place, seen);
      // What a call gives is known when it has been lowered.
      case "null-pointer":
      case "call":
        return undefined;
      default:
        throw new NotLowerable(
          "XL4006",
          "a pointer that may be null gets a value whose object is not known here",
          e.span,
        );
    }
  }

  private shapeOfPlace(p: Place, seen: Set<VarId>): Shape | undefined {
    switch (p.kind) {
      case "variable": {
        const b = this.bindings.get(p.variable);
        return b && this.whole.variable(p.variable).type.kind !== "pointer" ? b : { root: p.variable, steps: [] };
      }
      case "deref":
        return this.shapeOfValue(p.pointer, seen);
      case "element": {
        const base = this.shapeOfPlace(p.base, seen);
        return base && { root: base.root, steps: [...base.steps, { kind: "index", type: p.type }] };
      }
      case "member": {
        const base = this.shapeOfPlace(p.base, seen);
        return base && { root: base.root, steps: [...base.steps, { kind: "member", member: p.member, type: p.type }] };
      }
      case "swizzle":
        return undefined;
    }
  }

  /** The index that tells `p` from `other`: of several, rows of rows count as one array. */
  private linear(p: Pointer, other: Pointer, span: Span): Expr {
    let from = 0;
    while (from < p.holes.length - 1 && sameIndex(p.holes[from]!, other.holes[from]!)) from++;
    const [first, ...rest] = p.holes.slice(from);
    // One object: the pointers are equal.
    if (!first) return literal("i32", 0, span);
    if (rest.length === 0) return first;
    const at = p.steps.length - 1 - rest.length;
    if (p.steps.slice(at).some((s) => s.kind !== "index"))
      throw new NotLowerable("XL4006", "pointers into different members of an array are compared", span);
    return rest.reduce((sum, h, i) => {
      const row = this.build(cutAt(p, at + 1 + i), span).type;
      if (row.kind !== "array" || row.length === undefined)
        throw new NotLowerable("XL4006", "pointers with more than one index are compared", span);
      return binary("add", binary("mul", asType(sum, i32), literal("i32", row.length), span), asType(h, i32), span);
    }, first);
  }

  // ---------------------------------------------------------------- returned pointers

  /** Set by `run` where the function returns a pointer. */
  result: Result | undefined;
  private readonly returned: {
    readonly statement: Statement;
    readonly pointer: Pointer | undefined;
    readonly span: Span;
  }[] = [];

  private returnedPointer(s: Statement & { kind: "return" }, value: Expr): Statement {
    return this.either(s, value, () => this.returnedOne(s, value));
  }

  private returnedOne(s: Statement & { kind: "return" }, value: Expr): Statement {
    const { value: _value, ...statement } = s;
    const pointer = value.kind === "null-pointer" ? undefined : this.pointer(value);
    if (!pointer || this.isNothing(pointer)) {
      this.returned.push({ statement, pointer: undefined, span: value.span });
      return statement;
    }
    const root = this.whole.variable(pointer.root);
    const handed = this.f.parameters.some((p) => this.rootsOf(p).includes(root.id));
    if (root.space === "private" && (root.role === "local" || root.role === "parameter") && !handed)
      throw new NotLowerable(
        "XL4006",
        `a pointer to ${root.name} is returned, which ends with the function`,
        value.span,
      );
    this.returned.push({ statement, pointer, span: value.span });
    return statement;
  }

  private rootsOf(parameter: VarId): readonly VarId[] {
    const b = this.bindings.get(parameter);
    return b ? (b.several?.shapes ?? [b]).map((s) => s.root) : [];
  }

  /** Returns give the index that differs between calls; the others the caller knows, or gets by parameters. */
  private returningIndices(list: readonly Statement[]): readonly Statement[] {
    const first = this.returned.find((r) => r.pointer);
    if (!first?.pointer) {
      this.whole.report(
        new NotLowerable(
          "XL4006",
          `${this.f.name} returns null only, of no object that is known`,
          this.returned[0]!.span,
        ),
      );
      return list;
    }
    const { pointee } = this.f.returnType as PointerType;
    const { pointer: one } = first;
    const plain = this.returned.every((r) => r.pointer && keyOf(r.pointer) === keyOf(one));
    const returned = this.returned.map((r) => {
      const pointer = plain
        ? r.pointer!
        : r.pointer
          ? inArray(r.pointer, pointee)
          : this.nullLike(one, pointee, first.span);
      return { ...r, pointer };
    });
    const shapes = [...new Map(returned.map((r) => [keyOf(r.pointer), r.pointer])).values()];
    return shapes.length === 1
      ? this.returningOne(list, returned, shapes[0]!, first.span)
      : this.returningSeveral(list, returned, shapes, first.span);
  }

  /** Of one object: what returns differ in. */
  private returningOne(
    list: readonly Statement[],
    returned: readonly Returned[],
    pointer: Pointer,
    span: Span,
  ): readonly Statement[] {
    const count = pointer.holes.length;
    const holes = pointer.holes.map((h, k): ResultHole => {
      const all = returned.map((r) => r.pointer.holes[k]!);
      if (all.every((x) => x.kind === "literal" && Number(x.value) === Number(literalValue(h))))
        return { kind: "fixed", value: h };
      const passed = all.map((x) => this.passedIn(x));
      const [one] = passed;
      if (one && passed.every((x) => x?.parameter === one.parameter && x.index === one.index))
        return { kind: "passed", ...one };
      return { kind: "returned" };
    });
    if (count > 0 && !holes.some((h) => h.kind === "returned")) holes[count - 1] = { kind: "returned" };
    const last = holes.findLastIndex((h: ResultHole) => h.kind === "returned");
    const outs: Variable[] = [];
    const handed = holes.flatMap((h, k) => {
      if (h.kind !== "returned" || k === last) return [];
      holes[k] = { kind: "out", at: outs.length };
      outs.push(
        this.out(
          `index${String(outs.length)}`,
          returned.map((r) => r.pointer.holes[k]!),
        ),
      );
      return [k];
    });
    const place: ResultPlace = { ...this.resultPlace(pointer), holes };
    if (last < 0) {
      this.result = { alternatives: [place], outs, type: voidType, span };
      return list;
    }
    const type = typeOfIndices(returned.map((r) => r.pointer.holes[last]!));
    this.result = { alternatives: [place], outs, type, span };
    return this.returning(list, returned, (r) => ({
      set: handed.map((k, n) => [outs[n]!, r.pointer.holes[k]!]),
      value: asType(r.pointer.holes[last]!, type),
    }));
  }

  /** Of several objects: the number of the one that is meant, and all indices. */
  private returningSeveral(
    list: readonly Statement[],
    returned: readonly Returned[],
    shapes: readonly Pointer[],
    span: Span,
  ): readonly Statement[] {
    const count = Math.max(...shapes.map((s) => s.holes.length));
    const atEnd = (r: Returned, k: number): Expr | undefined => r.pointer.holes[r.pointer.holes.length - count + k];
    const indicesAt = (k: number): Expr[] => returned.flatMap((r) => atEnd(r, k) ?? []);
    const which = this.out("object", []);
    const outs = [which, ...Array.from({ length: count - 1 }, (_, k) => this.out(`index${String(k)}`, indicesAt(k)))];
    const type = typeOfIndices(indicesAt(count - 1));
    const alternatives = shapes.map((s): ResultPlace => {
      const missing = count - s.holes.length;
      const holes = s.holes.map((_, i): ResultHole =>
        missing + i + 1 === count ? { kind: "returned" } : { kind: "out", at: 1 + missing + i },
      );
      return { ...this.resultPlace(s), holes };
    });
    this.result = { alternatives, outs, type, span };
    return this.returning(list, returned, (r) => {
      const at = shapes.findIndex((s) => keyOf(s) === keyOf(r.pointer));
      const number = asType(literal("i32", at, r.span), which.type);
      return {
        // What this object has no index for has to have some value.
        set: outs.map((v, n) => [v, n === 0 ? number : (atEnd(r, n - 1) ?? asType(literal("i32", 0), v.type))]),
        value: asType(atEnd(r, count - 1)!, type),
      };
    });
  }

  private resultPlace({ root, steps }: Pointer): Omit<ResultPlace, "holes"> {
    const parameter = this.f.parameters.find((p) => this.rootsOf(p)[0] === root);
    const via = parameter !== undefined && this.whole.variable(root).role === "parameter" ? { via: parameter } : {};
    return { root, steps, ...via };
  }

  /** A parameter by which an index leaves the function. */
  private out(name: string, values: readonly Expr[]): Variable {
    return this.editor.addVariable({
      name: `${this.f.name}_${name}`,
      type: values.length === 0 ? i32 : typeOfIndices(values),
      space: "private",
      role: "parameter",
      mode: "out",
      constant: false,
      span: noSpan,
    });
  }

  private returning(
    list: readonly Statement[],
    returned: readonly Returned[],
    made: (r: Returned) => { readonly set: readonly (readonly [Variable, Expr])[]; readonly value: Expr },
  ): readonly Statement[] {
    const all = new Map(returned.map((r) => [r.statement, made(r)]));
    return rewriteStatements(list, {
      enterStatement: (s) => {
        const found = all.get(s);
        if (!found) return undefined;
        const last = { ...s, value: found.value } as Statement;
        const first = found.set.map(([v, e]): Statement => {
          const expression = assign(variablePlace(v, s.span), asType(e, v.type), s.span);
          return { kind: "expression", expression, span: s.span, trivia: noTrivia };
        });
        return first.length === 0 ? last : withTriviaOf([...first, last], s);
      },
    });
  }

  /** Which index of a pointer parameter this is, where the function never moves it. */
  private passedIn(e: Expr): { readonly parameter: VarId; readonly index: number } | undefined {
    for (const parameter of this.f.parameters) {
      const index = (this.bindings.get(parameter)?.holes ?? []).findIndex((h) => isVariable(h) && isLoadOf(e, h.id));
      if (index >= 0) return assignedAgain(this.f, parameter) ? undefined : { parameter, index };
    }
    return undefined;
  }

  private calledPointer(e: Expr & { kind: "call" }): Pointer {
    const decided = this.decided.get(e);
    if (decided?.pointer) return decided.pointer;
    const made = this.specialisedCall(e, this.whole.callee(e.function)!);
    const { call, result, outs } = made;
    if (!result)
      throw new FollowsFromAnother("XL4006", "what the returned pointer points at is not known here", e.span);
    if (call.type.kind === "void" && !this.whole.isFree(call))
      throw new NotLowerable("XL4006", "a function with effects returns a pointer to a single object", e.span);
    if (outs.length === 0) return this.resultPointer(e, made, result.alternatives[0]!, call);
    // What leaves by parameters is there when the call has been made.
    const index = this.lateLocal(`${this.whole.callee(e.function)!.name}_offset`, result.type);
    const before = assign(variablePlace(index, e.span), call, e.span);
    const pointers = result.alternatives.map((a) => this.resultPointer(e, made, a, load(variablePlace(index, e.span))));
    if (pointers.length > 1) {
      const names = pointers.map((p) => this.whole.variable(p.root).name);
      throw new Choice(
        e,
        this.byNumber(outs[0]!, pointers.length),
        `the pointer may point into ${names[0]!} or ${names[1]!}`,
        e.span,
        { message: `here it points into ${names[0]!}`, span: result.span },
        { before, pointers },
      );
    }
    const [only] = pointers;
    const [first, ...rest] = only!.holes;
    return { ...only!, holes: [comma(before, first!, e.span), ...rest] };
  }

  /** A pointer that was returned, where the call gives this index. */
  private resultPointer(
    e: Expr,
    { call, pointers, binders, outs }: SpecialisedCall,
    place: ResultPlace,
    index: Expr,
  ): Pointer {
    const written = call.arguments.flatMap((a) => (a.mode === "value" ? [] : [rootVariable(a.place)]));
    const twice = (h: Expr): Expr => {
      if (!isPure(h) || written.some((v) => v !== undefined && mentions(h, v)))
        throw new NotLowerable(
          "XL4006",
          "the index of an argument stands in the returned pointer, and has effects",
          e.span,
        );
      return h;
    };
    const holes = place.holes.map((h) => {
      if (h.kind === "returned") return index;
      if (h.kind === "out") return load(variablePlace(outs[h.at]!, e.span));
      if (h.kind === "fixed") return h.value;
      const [pointer, binder] = [pointers.get(h.parameter)!, binders.get(h.parameter)!];
      return twice((binder.kind === "object" ? restOf(pointer, binder) : pointer.holes)[h.index]!);
    });
    if (place.via === undefined) return { root: place.root, steps: place.steps, holes };
    const object = pointers.get(place.via)!;
    const binder = binders.get(place.via)!;
    const given = binder.kind === "object" ? cutAt(object, object.steps.length - binder.steps.length) : object;
    return {
      root: given.root,
      steps: [...given.steps, ...place.steps],
      holes: [...given.holes.map(twice), ...holes],
    };
  }

  private lateLocal(name: string, type: Type): Variable {
    const v = this.editor.addVariable({ name, type, space: "private", role: "local", constant: false, span: noSpan });
    this.late.push(v);
    return v;
  }

  // ---------------------------------------------------------------- pointer variables

  private declaration(s: Statement & { kind: "declare" }): readonly Statement[] {
    const v = this.whole.variable(s.variable);
    if (!s.initializer) return [];
    try {
      const value = this.valueOf(v, s.initializer);
      const { binding, values } = this.bind(v, value, s.initializer.span);
      const made: Statement[] = values.map(({ hole, value: e }) => ({
        ...declare(hole.id, e, s.span),
        trivia: noTrivia,
      }));
      return made.length === 0 ? this.kept(s, binding) : withTriviaOf(made, s);
    } catch (error) {
      if (error instanceof Choice) {
        // One after the other, with the indices declared before.
        const set = assign(variablePlace(v, s.span), s.initializer, s.span) as Assignment;
        const statement: ExpressionStatement = { kind: "expression", expression: set, span: s.span, trivia: s.trivia };
        const made = this.assignmentStatement(statement, set);
        return made === statement ? [] : [made];
      }
      this.whole.report(error);
      return [];
    }
  }

  /** Nothing is left of the declaration; its comments stay on an empty block. */
  private kept(s: Statement, _binding: Binding): readonly Statement[] {
    if (s.trivia.leading.length === 0 && s.trivia.trailing.length === 0) return [];
    return [
      {
        kind: "block",
        statements: [],
        span: noSpan,
        trivia: noTrivia,
        innerComments: [...s.trivia.leading, ...s.trivia.trailing],
      },
    ];
  }

  /** Gives a pointer variable its index variables. Indices that are literals and never change need none. */
  private bind(
    v: Variable,
    given: Pointer,
    span: Span,
  ): {
    readonly binding: Binding;
    readonly values: readonly { readonly hole: Variable; readonly value: Expr }[];
  } {
    const several = this.several.get(v.id);
    if (several) return this.bindSeveral(v, several, given, span);
    const fixed = !assignedAgain(this.f, v.id);
    const value = fixed ? given : inArray(given, (v.type as PointerType).pointee);
    const values: { hole: Variable; value: Expr }[] = [];
    let n = 0;
    const count = value.holes.length;
    const holes = value.holes.map((h): Variable | Expr => {
      const last = n + 1 === count;
      const name = last ? `${v.name}_offset` : `${v.name}_index${n}`;
      n++;
      if (fixed && h.kind === "literal") return h;
      const type = h.kind === "literal" ? this.offsetType(v.id) : integerType(h.type);
      const hole = this.editor.addVariable({
        name,
        type,
        space: "private",
        role: "local",
        constant: fixed && v.constant,
        span: noSpan,
      });
      values.push({ hole, value: asType(h, type) });
      return hole;
    });
    const binding: Binding = { root: value.root, steps: value.steps, holes, span };
    this.bindings.set(v.id, binding);
    return { binding, values };
  }

  /** As `bind`, of a variable that may point into several objects. */
  private bindSeveral(
    v: Variable,
    shapes: readonly Shape[],
    value: Pointer,
    span: Span,
  ): ReturnType<FunctionLowering["bind"]> {
    const local = (name: string, type: Type): Variable =>
      this.editor.addVariable({ name, type, space: "private", role: "local", constant: false, span: noSpan });
    const which = local(`${v.name}_object`, this.offsetType(v.id));
    const count = Math.max(...shapes.map((s) => indices(s.steps)));
    const holes = Array.from({ length: count }, (_, n) =>
      local(n + 1 === count ? `${v.name}_offset` : `${v.name}_index${n}`, this.offsetType(v.id)),
    );
    const binding: Binding = { ...shapes[0]!, holes, span, several: { shapes, which } };
    this.bindings.set(v.id, binding);
    return { binding, values: this.valuesOfSeveral(v, binding, value) ?? [] };
  }

  private valuesOfSeveral(
    v: Variable,
    { holes, several }: Binding,
    given: Pointer,
  ): { readonly hole: Variable; readonly value: Expr }[] | undefined {
    const { shapes, which } = several!;
    const value = inArray(given, (v.type as PointerType).pointee);
    const at = shapes.findIndex((s) => keyOf(s) === keyOf(value));
    if (at < 0) return this.alsoInto(v, shapes, value);
    const own = holes.slice(holes.length - value.holes.length) as Variable[];
    return [
      { hole: which, value: asType(literal("i32", at), which.type) },
      ...own.map((hole, i) => ({ hole, value: asType(value.holes[i]!, hole.type) })),
    ];
  }

  /** The type of what the pointer is moved by, where it starts at a literal. */
  private offsetType(id: VarId): Type {
    let type: Type | undefined;
    walkStatement(this.f.body, {
      expr: (e) => {
        if (e.kind !== "assign" || e.target.kind !== "variable" || e.target.variable !== id) return;
        const offset =
          e.value.kind === "pointer-offset" ? e.value.offset : e.value.type.kind !== "pointer" ? e.value : undefined;
        if (offset && offset.kind !== "literal") type ??= integerType(offset.type);
      },
    });
    return type ?? i32;
  }

  /** `p = q`, `p += n`: assignments to the indices; undefined where there is nothing to assign. */
  private pointerAssignment(e: Assignment): Expr | undefined {
    this.mustStandStill(e);
    return this.eitherExpr(e, () => this.plainAssignment(e));
  }

  /** The same, as a statement: itself where there is nothing to assign. */
  private assignmentStatement(s: ExpressionStatement, e: Assignment): Statement {
    try {
      this.mustStandStill(e);
    } catch (error) {
      this.whole.report(error);
      return s;
    }
    return this.eitherStatement(s, e, () => this.plainAssignment(e));
  }

  /** What stands around an assignment has been lowered for the object that the pointer pointed into before. */
  private mustStandStill(e: Assignment): void {
    if (e.target.kind === "variable" && this.decided.has(e.target.variable))
      throw new NotLowerable(
        "XL4005",
        `pointer ${this.whole.variable(e.target.variable).name} is set where what it points into is used`,
        e.span,
      );
  }

  /** `*(p = q)`: the pointer that was assigned. */
  private assignedPointer(e: Assignment): Pointer {
    if (e.target.kind !== "variable") throw new NotLowerable("XL4006", "a pointer is kept in memory", e.span);
    const decided = this.decided.get(e);
    if (decided?.pointer) return decided.pointer;
    const { variable: id } = e.target;
    const moved = this.pointerAssignment(e);
    const b = this.bindings.get(id);
    if (!b) throw new NotLowerable("XL4006", "the value of a pointer assignment is used", e.span);
    if (b.several) {
      const { shapes, which } = b.several;
      const names = shapes.map((s) => this.whole.variable(s.root).name);
      throw new Choice(
        e,
        this.byNumber(which, shapes.length),
        `pointer ${this.whole.variable(id).name} may point into ${names[0]!} or ${names[1]!}`,
        e.span,
        { message: `here it points into ${names[0]!}`, span: b.span },
        {
          before: moved ?? literal("i32", 0, e.span),
          pointers: shapes.map((shape) => this.current(this.intoOneOf(b, shape))),
        },
      );
    }
    const now = this.current(b);
    const [first, ...rest] = now.holes;
    if (!moved || !first) return now;
    return {
      ...now,
      holes: [rest.length === 0 && isAssignmentOf(moved, first) ? moved : comma(moved, first, e.span), ...rest],
    };
  }

  private plainAssignment(e: Assignment): Expr | undefined {
    try {
      if (e.target.kind !== "variable") throw new NotLowerable("XL4006", "a pointer is kept in memory", e.span);
      const v = this.whole.variable(e.target.variable);
      const known = this.bindings.get(v.id);
      if (e.operator) {
        if (!known) throw new NotLowerable("XL4006", "a pointer is moved before it points anywhere", e.span);
        const hole = known.holes.at(-1);
        if (!hole || !isVariable(hole) || known.steps.at(-1)?.kind !== "index")
          throw new NotLowerable("XL4006", "a pointer to a single object is moved", e.span);
        return assign(variablePlace(hole, e.span), asType(this.expr(e.value), hole.type), e.span, e.operator);
      }
      if (known?.several) {
        const moved = this.advance(known, e);
        if (moved) return moved;
        const values = this.valuesOfSeveral(v, known, this.valueOf(v, e.value));
        return values && this.together(values, e.span);
      }
      const plain = this.valueOf(v, e.value);
      const value = known && keyOf(known) !== keyOf(plain) ? inArray(plain, pointeeOf(e)) : plain;
      if (known && keyOf(known) !== keyOf(value) && known.root === this.nowhere.get(v.id)?.id) {
        // Null up to here, and what it gets was not to be seen before: once more with it.
        if (this.learned.has(v.id)) throw new NotLowerable("XL4006", `what ${v.name} points at is not known`, e.span);
        this.learned.set(v.id, { root: value.root, steps: inArray(value, pointeeOf(e)).steps });
        this.again = true;
        return undefined;
      }
      if (!known) {
        // Declared without a value: its indices are declared at the top of the function.
        const { values } = this.bind(v, value, e.span);
        this.late.push(...values.map((x) => x.hole));
        return sequence(values.map((x) => assign(variablePlace(x.hole, e.span), x.value, e.span)));
      }
      if (keyOf(known) !== keyOf(value)) {
        const type = pointeeOf(e);
        return this.alsoInto(v, [inArray<Shape>({ root: known.root, steps: known.steps }, type)], inArray(value, type));
      }
      // Moved by an amount: `p += n` reads better than `p = p + n`.
      const single = this.advance(known, e);
      if (single) return single;
      const list = known.holes.flatMap((h, i): IndexValue[] => {
        const next = value.holes[i]!;
        if (!isVariable(h)) {
          if (literalValue(next) === literalValue(h)) return [];
          throw new NotLowerable("XL4006", `pointer ${v.name} is moved where it was taken to stand still`, e.span);
        }
        return isLoadOf(next, h.id) ? [] : [{ hole: h, value: asType(next, h.type) }];
      });
      return this.together(list, e.span);
    } catch (error) {
      if (error instanceof Choice || this.decided.size > 0) throw error;
      this.whole.report(error);
      return undefined;
    }
  }

  /** Assigns indices of one pointer: all values are those from before, `p = p == a ? q : 0` among them. */
  private together(list: readonly IndexValue[], span: Span): Expr | undefined {
    const inTurn = (all: readonly IndexValue[]): boolean =>
      all.every((x, i) => !all.slice(0, i).some(({ hole }) => mentions(x.value, hole.id)));
    // The number of the object, which comes first, is a literal.
    const [first, ...rest] = list;
    const order = [list, first ? [...rest, first] : []].find(inTurn);
    const set = ({ hole, value }: IndexValue): Expr => assign(variablePlace(hole, span), value, span);
    if (order) return sequence(order.map(set));
    const kept = list.map((x) => ({ ...x, kept: this.lateLocal(`next_${x.hole.name}`, x.hole.type) }));
    return sequence([
      ...kept.map((x) => assign(variablePlace(x.kept, span), x.value, span)),
      ...kept.map((x) => assign(variablePlace(x.hole, span), load(variablePlace(x.kept, span)), span)),
    ]);
  }

  private advance(known: Binding, e: Expr & { kind: "assign" }): Expr | undefined {
    const { value } = e;
    if (value.kind !== "pointer-offset" || e.target.kind !== "variable" || !isLoadOf(value.pointer, e.target.variable))
      return undefined;
    const hole = known.holes.at(-1);
    if (!hole || !isVariable(hole)) return undefined;
    const { offset } = value;
    if (offset.kind === "unary" && offset.operator === "negate")
      return assign(variablePlace(hole, e.span), asType(this.expr(offset.operand), hole.type), e.span, "sub");
    return assign(variablePlace(hole, e.span), asType(this.expr(offset), hole.type), e.span, "add");
  }

  readonly late: Variable[] = [];

  // ---------------------------------------------------------------- calls

  private call(e: Expr & { kind: "call" }): Expr {
    const callee = this.whole.callee(e.function);
    if (!callee) {
      return {
        ...e,
        arguments: e.arguments.map((a): Argument =>
          a.mode === "value" ? { mode: "value", value: this.expr(a.value) } : { ...a, place: this.place(a.place) },
        ),
      };
    }
    return this.specialisedCall(e, callee).call;
  }

  private specialisedCall(e: Expr & { kind: "call" }, callee: FunctionDeclaration): SpecialisedCall {
    const binders = new Map<VarId, Binder>();
    const pointers = new Map<VarId, Pointer>();
    const own: PrivatePointer[] = [];
    callee.parameters.forEach((p, i) => {
      const v = this.whole.variable(p);
      const a = e.arguments[i]!;
      if (!isPointerLike(v)) return;
      const given = a.mode === "value" ? this.maybe(a.value) : this.path(a.place);
      const pointer =
        given && v.type.kind === "pointer" && assignedAgain(callee, p) ? inArray(given, v.type.pointee) : given;
      if (!pointer) {
        binders.set(p, { kind: "null" });
        return;
      }
      pointers.set(p, pointer);
      const root = this.whole.variable(pointer.root);
      if (root.space !== "private")
        binders.set(p, { kind: "path", shape: { root: pointer.root, steps: pointer.steps } });
      else own.push({ parameter: v, pointer, moves: this.whole.moves(callee, p) });
    });
    for (const [p, b] of objectBinders(callee, own, this.whole.uses, (x, n) => this.build(cutAt(x, n), noSpan).type))
      binders.set(p, b);
    this.refuseGlobals(callee, binders, pointers, e.span);
    const s = this.whole.specialise(callee, binders);
    const args: Argument[] = [];
    callee.parameters.forEach((p, i) => {
      const a = e.arguments[i]!;
      const pointer = pointers.get(p);
      const binder = binders.get(p);
      if (binder?.kind === "null") return;
      if (!pointer || !binder) {
        args.push(
          a.mode === "value" ? { mode: "value", value: this.expr(a.value) } : { ...a, place: this.place(a.place) },
        );
        return;
      }
      if (binder.kind === "object") {
        if (binder.leader === p && binder.mode !== "none") {
          const place = this.build(cutAt(pointer, pointer.steps.length - binder.steps.length), e.span);
          args.push(
            binder.mode === "value" ? { mode: "value", value: load(place, e.span) } : { mode: binder.mode, place },
          );
        }
        restOf(pointer, binder).forEach((h, n) => this.passHole(s, callee, p, n, h, args));
        return;
      }
      pointer.holes.forEach((h, n) => this.passHole(s, callee, p, n, h, args));
    });
    const result = callee.returnType.kind === "pointer" ? this.whole.result(s) : undefined;
    const outs = (result?.outs ?? []).map((v) => this.lateLocal(v.name, v.type));
    args.push(...outs.map((v): Argument => ({ mode: "out", place: variablePlace(v, e.span) })));
    return {
      call: { ...e, function: s.id, arguments: args, ...(result ? { type: result.type } : {}) },
      result,
      outs,
      pointers,
      binders,
    };
  }

  private passHole(
    s: Specialisation,
    callee: FunctionDeclaration,
    p: VarId,
    n: number,
    value: Expr,
    args: Argument[],
  ): void {
    const key = `${p}:${n}`;
    const amount = literalValue(value);
    const isZero = (amount === 0 || amount === 0n) && !assignedAgain(callee, p);
    const before = s.zero.get(key);
    if (!isZero && value.kind !== "literal" && !s.holeTypes.has(key)) s.holeTypes.set(key, integerType(value.type));
    s.zero.set(key, (before ?? true) && isZero);
    // In the second round all calls are known; arguments that are 0 everywhere go.
    if (s.zero.get(key) && before !== undefined) return;
    args.push({ mode: "value", value: asType(value, s.holeTypes.get(key) ?? i32) });
  }

  /** Private objects are copied in and out: one that the helper also uses by its name would no longer be one. */
  private refuseGlobals(
    callee: FunctionDeclaration,
    binders: ReadonlyMap<VarId, Binder>,
    pointers: ReadonlyMap<VarId, Pointer>,
    span: Span,
  ): void {
    for (const [p, b] of binders) {
      const root = pointers.get(p)?.root;
      if (root === undefined || b.kind !== "object" || (b.mode !== "out" && b.mode !== "inout")) continue;
      if (this.whole.variable(root).role !== "global" || !usesGlobal(callee, root)) continue;
      throw new NotLowerable(
        "XL4007",
        `${this.whole.variable(root).name} is handed to ${callee.name}, which also uses it directly`,
        span,
      );
    }
  }
}

interface IndexValue {
  readonly hole: Variable;
  readonly value: Expr;
}

interface SpecialisedCall {
  readonly call: Expr & { kind: "call" };
  readonly result: Result | undefined;
  /** What the parameters by which the helper hands out indices stand for here. */
  readonly outs: readonly Variable[];
  readonly pointers: ReadonlyMap<VarId, Pointer>;
  readonly binders: ReadonlyMap<VarId, Binder>;
}

interface Returned {
  readonly statement: Statement;
  readonly pointer: Pointer;
  readonly span: Span;
}

const typeOfIndices = (list: readonly Expr[]): Type =>
  integerType((list.find((x) => x.kind !== "literal") ?? list[0]!).type);

type Comparison = Expr & { kind: "binary" };
type Assignment = Expr & { kind: "assign" };
type ExpressionStatement = Statement & { kind: "expression" };

const emptyBlock: Statement = { kind: "block", statements: [], innerComments: [], span: noSpan, trivia: noTrivia };
const blockOf = (s: Statement): Statement =>
  s.kind === "block" ? s : { kind: "block", statements: stepsOf(s), innerComments: [], span: s.span, trivia: noTrivia };
/** What commas hold together. */
const stepsOf = (s: Statement): readonly Statement[] =>
  s.kind === "expression" && s.expression.kind === "comma"
    ? [s.expression.left, s.expression.right].flatMap((expression) => stepsOf({ ...s, expression }))
    : [s];

/** An assignment to the variable that is read. */
const isAssignmentOf = (e: Expr, read: Expr): boolean =>
  (e.kind === "assign" &&
    e.target.kind === "variable" &&
    read.kind === "load" &&
    read.place.kind === "variable" &&
    read.place.variable === e.target.variable) ||
  (e.kind === "comma" && isAssignmentOf(e.right, read));

const pointeeOf = (e: Expr): Type => (e.type as PointerType).pointee;

/** Both as pointers into arrays, where only one is. */
const alike = (a: Pointer, b: Pointer, type: Type): readonly [Pointer, Pointer] =>
  keyOf(a) === keyOf(b) ? [a, b] : [inArray(a, type), inArray(b, type)];

/** The first steps of a pointer. */
function cutAt(pointer: Pointer, n: number): Pointer {
  const steps = pointer.steps.slice(0, n);
  return { root: pointer.root, steps, holes: pointer.holes.slice(0, indices(steps)) };
}
