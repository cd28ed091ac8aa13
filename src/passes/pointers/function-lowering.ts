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
import { i32, scalarOf, voidType, type PointerType, type Type } from "../../types/types.js";
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
  type Result,
  type ResultHole,
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
    const first = this.nullParameters();
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
        if (s.kind === "expression" && s.expression.type.kind !== "pointer" && this.hasChoice(s.expression))
          return this.eitherStatement(s, s.expression, (e) => this.entered(e) ?? this.expr(e));
        if (s.kind === "declare" && this.editor.variables.get(s.variable)!.type.kind === "pointer")
          return this.declaration(s);
        if (s.kind === "return" && s.value?.type.kind === "pointer") return this.returnedPointer(s, s.value);
        if (s.kind === "expression" && s.expression.type.kind === "pointer" && s.expression.kind === "assign") {
          this.atTop = s.expression;
          const moved = this.eitherStatement(s, s.expression, () => this.pointerAssignment(s.expression as Assignment));
          if (moved.kind === "expression" && moved.expression === s.expression) {
            const marker = { ...s };
            gone.add(marker);
            return marker;
          }
          return moved;
        }
        if (
          s.kind === "for" &&
          s.initializer.some(
            (i) =>
              i.kind === "declare" &&
              i.initializer &&
              i.initializer.type.kind === "pointer" &&
              this.hasChoice(i.initializer),
          )
        ) {
          const before = s.initializer.map((i) => ({ ...i, trivia: noTrivia }));
          const loop = { ...s, initializer: [], trivia: noTrivia };
          return {
            ...blockOf(s),
            statements: rewriteStatements([...before, loop], rewriter),
            trivia: s.trivia,
          } as Statement;
        }
        return undefined;
      },
    };
    const statements = rewriteStatements(this.f.body.statements, rewriter);
    const returning = this.returned.length === 0 ? statements : this.returningIndices(statements);
    const done = gone.size === 0 ? returning : cleaned(returning, gone);
    return [...this.late.map((v) => declare(v.id)), ...first, ...done];
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

  /** Which of several objects is meant in what is being lowered. */
  private readonly decided = new Map<Choice["on"], number>();
  /** Where variables point that point into several objects; found on the way, as `learned` is. */
  private readonly several = new Map<VarId, readonly Shape[]>();

  /** The assignment that is a statement by itself. */
  private atTop: Expr | undefined;

  private deciding<T>(on: Choice["on"], at: number, make: () => T): T {
    this.decided.set(on, at);
    try {
      return make();
    } finally {
      this.decided.delete(on);
    }
  }

  /** What is made of each; all but the last under a condition. */
  private each<T>(
    { on }: Choice,
    make: () => T,
  ): readonly { readonly condition: Expr | undefined; readonly made: T }[] {
    if (typeof on === "object")
      return [this.expr(on.condition), undefined].map((condition, at) => ({
        condition,
        made: this.deciding(on, at, make),
      }));
    const { shapes, which } = this.bindings.get(on)!.several!;
    return shapes.map((_, at) => ({
      condition:
        at + 1 < shapes.length
          ? binary("eq", load(variablePlace(which)), asType(literal("i32", at), which.type), noSpan)
          : undefined,
      made: this.deciding(on, at, make),
    }));
  }

  private eitherExpr(e: Expr, make: () => Expr | undefined): Expr | undefined {
    try {
      return make();
    } catch (error) {
      if (!(error instanceof Choice) || e.type.kind === "void" || e.type.kind === "pointer") throw error;
      this.mustNotCross(e);
      const all = this.each(error, () => this.eitherExpr(e, make) ?? e);
      const same = all.every((x) => isPure(x.made) && valueKey(x.made) === valueKey(all[0]!.made));
      if (same && all.every((x) => !x.condition || isPure(x.condition))) return all[0]!.made;
      return all.reduceRight<Expr | undefined>(
        (rest, x) => (rest && x.condition ? conditional(x.condition, x.made, rest, e.span) : x.made),
        undefined,
      );
    }
  }

  /** The statement itself where nothing is left of it. */
  private eitherStatement(s: ExpressionStatement, e: Expr, lower: (e: Expr) => Expr | undefined): Statement {
    try {
      const made = lower(e);
      return made ? { ...s, expression: made } : s;
    } catch (error) {
      if (!(error instanceof Choice)) {
        this.whole.report(error);
        return s;
      }
      try {
        this.mustNotCross(e);
      } catch (crossing) {
        this.whole.report(crossing);
        return s;
      }
      const bare = { ...s, trivia: noTrivia };
      const all = this.each(error, () => this.eitherStatement(bare, e, lower));
      const chosen = all.reduceRight<Statement | undefined>((rest, { condition, made }) => {
        const then = made === bare ? emptyBlock : made;
        return rest && condition
          ? {
              kind: "if",
              condition,
              then: blockOf(then),
              else: rest.kind === "if" ? rest : blockOf(rest),
              span: s.span,
              trivia: noTrivia,
            }
          : then;
      }, undefined)!;
      return { ...chosen, trivia: s.trivia };
    }
  }

  /** What is written once for each object runs under a condition, which lanes may differ in. */
  private mustNotCross(e: Expr): void {
    if (this.whole.meetsLanes(e))
      throw new NotLowerable(
        "XL4005",
        "a pointer into one of several objects is used where all lanes have to come together",
        e.span,
      );
  }

  private hasChoice(e: Expr): boolean {
    let found = false;
    walkExpr(e, {
      expr: (x) => void (found ||= x.kind === "conditional" && x.type.kind === "pointer"),
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
    const at = this.decided.get(id);
    const { shapes } = b.several;
    if (at === undefined) {
      const [first, second] = shapes.map((s) => this.whole.variable(s.root).name);
      throw new Choice(id, `pointer ${this.whole.variable(id).name} may point into ${first!} or ${second!}`, span, {
        message: `here it points into ${first!}`,
        span: b.span,
      });
    }
    const { several: _several, ...rest } = b;
    return { ...rest, ...shapes[at]!, holes: b.holes.slice(b.holes.length - indices(shapes[at]!.steps)) };
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
        if (e.type.kind === "pointer") {
          const moved = this.pointerAssignment(e);
          if (!moved) throw new NotLowerable("XL4006", "the value of a pointer assignment is used", e.span);
          return moved;
        }
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
      case "assign": {
        if (e.target.kind !== "variable") throw new NotLowerable("XL4006", "a pointer is kept in memory", e.span);
        const moved = this.pointerAssignment(e);
        const b = this.bound(e.target.variable, e.span)!;
        if (b.holes.filter(isVariable).length > 1)
          throw new NotLowerable("XL4006", "the value of a pointer assignment is used", e.span);
        const now = this.current(b);
        return moved ? { ...now, holes: [...now.holes.slice(0, -1), moved] } : now;
      }
      case "conditional": {
        const decided = this.decided.get(e);
        if (decided !== undefined) return this.pointer(decided === 0 ? e.whenTrue : e.whenFalse);
        const [x, y] = [this.maybe(e.whenTrue), this.maybe(e.whenFalse)];
        if (!x && !y) throw new NotLowerable("XL4006", "a pointer is chosen of two that are null", e.span);
        const [a, b] = alike(
          x ?? this.nullLike(y!, pointeeOf(e), e.whenTrue.span),
          y ?? this.nullLike(x!, pointeeOf(e), e.whenFalse.span),
          pointeeOf(e),
        );
        if (keyOf(a) !== keyOf(b)) {
          const [one, other] = [a, b].map((p) => this.whole.variable(p.root).name);
          throw new Choice(e, `the pointer may point into ${other!} or ${one!}`, e.whenFalse.span, {
            message: `here it points into ${one!}`,
            span: e.whenTrue.span,
          });
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
    if (keyOf(a) !== keyOf(b) && this.areApart(a, b)) {
      if (e.operator === "eq" || e.operator === "ne") return this.answer(e.operator === "ne", e.span);
      // Which comes first, and by how much, is open in C.
      return e.operator === "sub" ? literal("i32", 0, e.span) : literal("bool", false, e.span);
    }
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
   * Of two objects, of which at least one is none of the launch's: two buffers may be one. What a helper that compares was
   * handed is one object only where its parameters have one root (`objectBinders`).
   */
  private areApart(a: Pointer, b: Pointer): boolean {
    const given = [a, b].every((p) => !["private", "workgroup"].includes(this.whole.variable(p.root).space));
    return a.root !== b.root && !given && [...a.holes, ...b.holes].every((h) => isPure(h));
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

  /** Parameters that every call of this copy of the function gives null. */
  private nullParameters(): readonly Statement[] {
    return this.f.parameters.flatMap((p) => {
      const v = this.whole.variable(p);
      if (v.type.kind !== "pointer" || this.bindings.has(p)) return [];
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
    const { value: _value, ...statement } = s;
    try {
      if (value.kind === "null-pointer") {
        this.returned.push({ statement, pointer: undefined, span: value.span });
        return statement;
      }
      const pointer = this.pointer(value);
      if (this.isNothing(pointer)) {
        this.returned.push({ statement, pointer: undefined, span: value.span });
        return statement;
      }
      const root = this.whole.variable(pointer.root);
      const handed = this.f.parameters.some((p) => this.bindings.get(p)?.root === root.id);
      if (root.space === "private" && (root.role === "local" || root.role === "parameter") && !handed)
        throw new NotLowerable(
          "XL4006",
          `a pointer to ${root.name} is returned, which ends with the function`,
          value.span,
        );
      const first = this.returned.find((r) => r.pointer);
      if (first?.pointer) {
        const [a, b] = alike(pointer, first.pointer, pointeeOf(value));
        this.sameShape(a, b, value.span, first.span);
      }
      this.returned.push({ statement, pointer, span: value.span });
    } catch (error) {
      this.whole.report(error);
    }
    return statement;
  }

  /** Returns give the index that differs between calls; the others the caller knows. */
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
    const pointer = plain ? one : inArray(one, pointee);
    const { root, steps } = pointer;
    const count = pointer.holes.length;
    const lastOfNull = this.nullLike(pointer, pointee, first.span).holes.at(-1)!;
    const returned = this.returned.map((r) => ({
      ...r,
      pointer: r.pointer
        ? plain
          ? r.pointer
          : inArray(r.pointer, pointee)
        : { ...pointer, holes: [...pointer.holes.slice(0, -1), lastOfNull] },
    }));
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
    const open = holes.filter((h) => h.kind === "returned").length;
    if (open > 1) {
      this.whole.report(
        new NotLowerable("XL4006", `${this.f.name} returns a place with more than one index`, first.span),
      );
      return list;
    }
    if (open === 0 && count > 0) holes[count - 1] = { kind: "returned" };
    const at = holes.findIndex((h) => h.kind === "returned");
    const parameter = this.f.parameters.find((p) => this.bindings.get(p)?.root === root);
    const via = parameter !== undefined && this.whole.variable(root).role === "parameter" ? { via: parameter } : {};
    if (at < 0) {
      this.result = { root, steps, holes, type: voidType, ...via };
      return list;
    }
    const values = returned.map((r) => ({ ...r, index: r.pointer.holes[at]! }));
    const type = integerType((values.find((v) => v.index.kind !== "literal") ?? values[0]!).index.type);
    this.result = { root, steps, holes, type, ...via };
    const indices = new Map(values.map((v) => [v.statement, v.index]));
    return rewriteStatements(list, {
      enterStatement: (s) => {
        const index = indices.get(s);
        return index && ({ ...s, value: asType(index, type) } as Statement);
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
    const { call, result, pointers, binders } = this.specialisedCall(e, this.whole.callee(e.function)!);
    if (!result)
      throw new FollowsFromAnother("XL4006", "what the returned pointer points at is not known here", e.span);
    if (call.type.kind === "void" && !this.whole.isFree(call))
      throw new NotLowerable("XL4006", "a function with effects returns a pointer to a single object", e.span);
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
    const passed = (p: VarId, index: number): Expr => {
      const pointer = pointers.get(p)!;
      const binder = binders.get(p)!;
      return twice((binder.kind === "object" ? restOf(pointer, binder) : pointer.holes)[index]!);
    };
    const holes = result.holes.map((h) =>
      h.kind === "returned" ? call : h.kind === "fixed" ? h.value : passed(h.parameter, h.index),
    );
    if (result.via === undefined) return { root: result.root, steps: result.steps, holes };
    const object = pointers.get(result.via)!;
    const binder = binders.get(result.via)!;
    const given = binder.kind === "object" ? cutAt(object, object.steps.length - binder.steps.length) : object;
    return {
      root: given.root,
      steps: [...given.steps, ...result.steps],
      holes: [...given.holes.map(twice), ...holes],
    };
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
        this.atTop = set;
        const made = this.eitherStatement(statement, set, () => this.pointerAssignment(set));
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
  private pointerAssignment(e: Expr & { kind: "assign" }): Expr | undefined {
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
        // What stands around has been lowered for the object it pointed into before.
        if (this.decided.has(v.id) && e !== this.atTop)
          throw new NotLowerable("XL4005", `pointer ${v.name} is set where what it points into is used`, e.span);
        const values = this.valuesOfSeveral(v, known, this.valueOf(v, e.value));
        return values && sequence(values.map((x) => assign(variablePlace(x.hole, e.span), x.value, e.span)));
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
        if (v.role === "local")
          return this.alsoInto(
            v,
            [inArray<Shape>({ root: known.root, steps: known.steps }, type)],
            inArray(value, type),
          );
        const name = (s: Shape): string => this.whole.variable(s.root).name;
        throw new NotLowerable("XL4005", `pointer ${v.name} may point into ${name(known)} or ${name(value)}`, e.span, {
          message: `here it points into ${name(known)}`,
          span: known.span,
        });
      }
      // Moved by an amount: `p += n` reads better than `p = p + n`.
      const single = this.advance(known, e);
      if (single) return single;
      const list = known.holes.flatMap((h, i): Expr[] => {
        const next = value.holes[i]!;
        if (!isVariable(h)) {
          if (literalValue(next) === literalValue(h)) return [];
          throw new NotLowerable("XL4006", `pointer ${v.name} is moved where it was taken to stand still`, e.span);
        }
        return isLoadOf(next, h.id) ? [] : [assign(variablePlace(h, e.span), asType(next, h.type), e.span)];
      });
      return sequence(list);
    } catch (error) {
      if (error instanceof Choice) throw error;
      this.whole.report(error);
      return undefined;
    }
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

  private specialisedCall(
    e: Expr & { kind: "call" },
    callee: FunctionDeclaration,
  ): {
    readonly call: Expr & { kind: "call" };
    readonly result: Result | undefined;
    readonly pointers: ReadonlyMap<VarId, Pointer>;
    readonly binders: ReadonlyMap<VarId, Binder>;
  } {
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
    return {
      call: { ...e, function: s.id, arguments: args, ...(result ? { type: result.type } : {}) },
      result,
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

const pointeeOf = (e: Expr): Type => (e.type as PointerType).pointee;

/** Both as pointers into arrays, where only one is. */
const alike = (a: Pointer, b: Pointer, type: Type): readonly [Pointer, Pointer] =>
  keyOf(a) === keyOf(b) ? [a, b] : [inArray(a, type), inArray(b, type)];

/** The first steps of a pointer. */
function cutAt(pointer: Pointer, n: number): Pointer {
  const steps = pointer.steps.slice(0, n);
  return { root: pointer.root, steps, holes: pointer.holes.slice(0, indices(steps)) };
}
